//! Induction over several steps: no run from the queries reaches the error in so many steps, and no longer run does if it has
//! been safe for so many.
//!
//! Two [unrollings](super::unrolling) grow side by side. In the one that begins at the queries an error is a counterexample, the
//! shortest there is. In the one that begins anywhere, where all states but the last are safe, an error that cannot be is a proof:
//! that the states are safe is inductive over this many steps, which certificates can say. What helps is what nearly
//! every system has: bounds and truth values from the beginning on that one step keeps, and that a value of the beginning
//! does not come back otherwise. Of these candidates those stay that [one step keeps together](crate::steps::houdini).
//!
//! Protocols with rounds and machines that settle after some steps are proved by this at once, where entries that exclude one
//! state after another come to no end. The procedure is that of Sheeran, Singh and Stålmarck (2000); the seeds do not have it.

use super::kernel::GaveUp;
use super::system::{Clause, Equations, Node, NodeId, Role, System};
use super::unrolling::{Beginning, Unrolling};
use crate::engine::{StopReason, Verdict};
use crate::evidence::{Certificate, Derivation};
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::solver::Answer;
use crate::steps::houdini::Houdini;
use crate::terms::{SortId, Substitution, TermId, Terms};

/// Systems with more relations are programs, whose runs are long and whose steps are small.
const MOST_NODES: usize = 12;

/// What an unrolling is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// Proofs, and errors.
    Proofs,
    /// Errors alone.
    Errors,
}

/// No proof is over more steps.
const DEEPEST: usize = 24;

/// Proofs of more obligations are left to others.
const MOST_PATHS: usize = 400;

/// Candidates are tried when so many steps alone are no proof.
const STEPS_ALONE: usize = 4;

/// More terms than that are not unrolled.
const MOST_TERMS: usize = 6_000_000;

/// The search.
pub(super) struct Induction<'w> {
    aim: Aim,
    terms: Terms,
    pub system: System,
    /// Runs from the queries.
    base: Unrolling,
    /// Runs from anywhere.
    step: Unrolling,
    /// What is known of relations: that the error does not follow at once.
    safe: Vec<(NodeId, TermId)>,
    /// Whether that is all of it.
    is_whole: bool,
    /// For each frame but the last one, the flag under which it is safe.
    safe_at: Vec<TermId>,
    /// What one step from a safe state keeps.
    kept: Vec<(NodeId, TermId)>,
    /// What is spent at most on one question about candidates, in Z3's units.
    resource_limit: u32,
    /// Says why to stop, if there is a reason; given the number of steps and the work.
    stop: &'w dyn Fn(u64, u64) -> Option<StopReason>,
}

/// Whether a system can be unrolled, and it may be worth it.
fn is_unrollable(system: &System) -> bool {
    let is_linear = |clause: &Clause| clause.premises.len() <= 1;
    let is_reached = |node: &Node| node.role == Role::Reached;
    system.nodes.len() <= MOST_NODES
        && system.clauses.iter().all(is_linear)
        && system.nodes.iter().all(is_reached)
        && system.clauses.iter().any(|clause| !clause.premises.is_empty())
}

impl<'w> Induction<'w> {
    /// Whether a program has few enough predicates.
    pub fn fits(program: &Program) -> bool {
        let graph = DependencyGraph::new(program);
        let all = (0..program.predicates().len()).map(PredicateId::from_index);
        let matters =
            |id: &PredicateId| *id != PredicateId::QUERY && graph.is_reachable(*id) && graph.reaches_error(*id);
        all.filter(matters).count() <= MOST_NODES
    }

    /// `None` for programs that are not unrolled.
    pub fn new(
        program: &Program,
        aim: Aim,
        resource_limit: u32,
        stop: &'w dyn Fn(u64, u64) -> Option<StopReason>,
    ) -> Option<Induction<'w>> {
        let mut terms = program.terms.clone();
        let system = System::new(program, &mut terms, Equations::Kept);
        if !is_unrollable(&system) {
            return None;
        }
        let base = Unrolling::new(&system, &mut terms, Beginning::Queries, resource_limit);
        let step = Unrolling::new(&system, &mut terms, Beginning::Anywhere, resource_limit);
        let mut safe = Vec::new();
        let mut is_whole = true;
        for clause in &system.nodes[system.error.0].clauses {
            let clause = &system.clauses[*clause];
            // Without a premise it is the first question whether the error is reached by it.
            let Some(premise) = clause.premises.first() else {
                continue;
            };
            match about_parameters(
                &mut terms,
                &system,
                premise.node,
                &premise.arguments,
                &clause.constraint,
            ) {
                Some(error) => {
                    let formula = terms.not(error);
                    safe.push((premise.node, formula));
                }
                None => is_whole = false,
            }
        }
        Some(Induction {
            aim,
            terms,
            system,
            base,
            step,
            safe,
            is_whole,
            safe_at: Vec::new(),
            kept: Vec::new(),
            resource_limit,
            stop,
        })
    }

    /// The number of steps, for statistics.
    pub fn steps(&self) -> usize {
        self.base.last()
    }

    /// Goes on until there is an answer.
    pub fn search(&mut self) -> Result<Verdict, StopReason> {
        let mut is_open = self.aim == Aim::Proofs;
        loop {
            let depth = self.base.last();
            self.stopped()?;
            let error = self.base.here(self.system.error, depth);
            match self.base.ask(&self.terms, &[error]) {
                Answer::Satisfiable => {
                    let run = self.base.run(&self.system, &self.terms);
                    let steps = run.map_err(|GaveUp| self.gave_up("finding values for a path into the error"))?;
                    return Ok(Verdict::Unsafe(Derivation::new(steps)));
                }
                Answer::Unknown => return Err(self.gave_up("whether the error is reached in so many steps")),
                Answer::Unsatisfiable => {}
            }
            let no_error = self.terms.not(error);
            self.base.require(&self.terms, no_error);
            if is_open && depth > 0 {
                match self.is_proof(depth)? {
                    Some(true) => return Ok(Verdict::Safe(self.certificate(depth))),
                    Some(false) => is_open = depth < DEEPEST && self.paths(depth) <= MOST_PATHS,
                    None => is_open = false,
                }
            }
            self.base.unroll(&self.system, &mut self.terms);
            if is_open {
                self.step.unroll(&self.system, &mut self.terms);
            }
        }
    }

    fn stopped(&mut self) -> Result<(), StopReason> {
        if self.base.size + self.step.size > MOST_TERMS {
            return Err(StopReason::NotSupported("longer runs, all in one formula".to_string()));
        }
        let work = self.base.work() + self.step.work();
        (self.stop)(self.base.last() as u64, work).map_or(Ok(()), Err)
    }

    fn gave_up(&mut self, what: &str) -> StopReason {
        match self.stopped() {
            Err(reason) => reason,
            Ok(()) => StopReason::SolverGaveUp(what.to_string()),
        }
    }

    /// Whether no run of so many steps ends in the error that was safe before; `None` if nobody knows.
    fn is_proof(&mut self, depth: usize) -> Result<Option<bool>, StopReason> {
        self.suppose_kept(depth - 1);
        let mut question = self.safe_at.clone();
        question.push(self.step.here(self.system.error, depth));
        let mut answer = self.step.ask(&self.terms, &question);
        if answer == Answer::Satisfiable && depth == STEPS_ALONE {
            self.choose_candidates()?;
            if !self.kept.is_empty() {
                for frame in 0..depth {
                    self.suppose_kept(frame);
                }
                answer = self.step.ask(&self.terms, &question);
            }
        }
        match answer {
            Answer::Unsatisfiable => return Ok(Some(true)),
            Answer::Satisfiable => {}
            Answer::Unknown => return Ok(None),
        }
        let flag = self.terms.fresh_variable("safe", SortId::BOOL);
        for (node, formula) in self.safe.clone() {
            let place = (node, depth - 1);
            self.step
                .suppose(&self.system, &mut self.terms, place, formula, Some(flag));
        }
        self.safe_at.push(flag);
        Ok(Some(false))
    }

    fn suppose_kept(&mut self, frame: usize) {
        for (node, formula) in self.kept.clone() {
            self.step
                .suppose(&self.system, &mut self.terms, (node, frame), formula, None);
        }
    }

    /// Sorts out candidates until one step from a safe state keeps what is left.
    fn choose_candidates(&mut self) -> Result<(), StopReason> {
        let candidates = candidates_of(&mut self.terms, &self.system);
        let mut houdini = Houdini::new(self.system.implications(), self.resource_limit);
        // The state before is safe. Of the one after it that is to be shown, so it is not asked about.
        for (NodeId(node), formula) in &self.safe {
            houdini.suppose(*node, *formula);
        }
        let mut positions = Vec::new();
        for (NodeId(node), formula) in &candidates {
            positions.push(houdini.believe(*node, *formula));
        }
        let work = self.base.work() + self.step.work();
        let steps = self.base.last() as u64;
        houdini.refute(&mut self.terms, &|own| (self.stop)(steps, work + own))?;
        let kept = candidates.into_iter().zip(positions);
        self.kept = kept
            .filter(|(_, position)| houdini.stands(*position))
            .map(|(candidate, _)| candidate)
            .collect();
        Ok(())
    }

    /// How many sequences of so many implications there are; a proof has an obligation for each.
    fn paths(&self, depth: usize) -> usize {
        let mut ways = vec![1_usize; self.system.nodes.len()];
        for _ in 0..depth {
            let into = |node: &Node| {
                let clauses = node.clauses.iter().map(|clause| &self.system.clauses[*clause]);
                clauses.fold(0_usize, |sum, clause| {
                    sum.saturating_add(clause.premises.first().map_or(1, |premise| ways[premise.node.0]))
                })
            };
            ways = self.system.nodes.iter().map(into).collect();
        }
        ways.iter().fold(0, |sum, ways| sum.saturating_add(*ways))
    }

    /// The proof after the error was found impossible at this depth.
    fn certificate(&self, depth: usize) -> Certificate {
        let mut known = self.kept.clone();
        let mut over = depth;
        if depth > 1 {
            known.extend(self.safe.iter().copied());
            // What is shown of the last state is then shown of the one before the error.
            over -= usize::from(self.is_whole);
        }
        let invariant = |node: NodeId| -> Vec<TermId> {
            let own = known.iter().filter(|(of, _)| *of == node);
            let mut formulas: Vec<TermId> = own.flat_map(|(_, formula)| self.terms.conjuncts(*formula)).collect();
            formulas.sort();
            formulas.dedup();
            formulas
        };
        let mut certificate = self.system.certificate(&self.terms, &invariant);
        certificate.induction_depth = over;
        certificate
    }
}

/// What it says about the parameters of a node that its arguments are these, and formulas hold of them; `None` if more is
/// spoken of than what the arguments tell.
fn about_parameters(
    terms: &mut Terms,
    system: &System,
    node: NodeId,
    arguments: &[TermId],
    formulas: &[TermId],
) -> Option<TermId> {
    let parameters = &system.nodes[node.0].parameters;
    let renaming = parameters_of(terms, parameters, arguments);
    let mut all = formulas.to_vec();
    all.extend(arguments);
    let is_told = |variable: &TermId| renaming.get(*variable).is_some();
    if !terms.variables_of_all(&all).iter().all(is_told) {
        return None;
    }
    let mut told = terms.substitute_all(formulas, &renaming);
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let argument = terms.substitute(*argument, &renaming);
        told.push(terms.equal(*parameter, argument));
    }
    Some(terms.and(&told))
}

/// For arguments that are variables, the parameters.
fn parameters_of(terms: &Terms, parameters: &[TermId], arguments: &[TermId]) -> Substitution {
    let mut renaming = Substitution::new();
    for (parameter, argument) in parameters.iter().zip(arguments) {
        if terms.is_variable(*argument) && renaming.get(*argument).is_none() {
            renaming.insert(terms, *argument, *parameter);
        }
    }
    renaming
}

/// What holds at the beginning, and may hold always.
fn candidates_of(terms: &mut Terms, system: &System) -> Vec<(NodeId, TermId)> {
    let mut candidates = Vec::new();
    for (index, node) in system.nodes.iter().enumerate() {
        let first = node.clauses.iter().map(|clause| &system.clauses[*clause]);
        let first: Vec<&Clause> = first.filter(|clause| clause.premises.is_empty()).collect();
        let Some((one, others)) = first.split_first() else {
            continue;
        };
        // What begins with the same value everywhere.
        let mut beginnings = Vec::new();
        for (position, parameter) in node.parameters.iter().enumerate() {
            let value = one.conclusion.arguments[position];
            let is_common = others.iter().all(|other| other.conclusion.arguments[position] == value);
            if is_common && !terms.has_variables(value) {
                beginnings.push((*parameter, value));
            }
        }
        let equations: Vec<TermId> = beginnings
            .iter()
            .map(|(parameter, value)| terms.equal(*parameter, *value))
            .collect();
        let beginning = terms.and(&equations);
        for ((parameter, value), equation) in beginnings.iter().zip(&equations) {
            let sort = terms.sort(*parameter);
            match sort.is_numeric() && terms.number_value(*value).is_some() {
                true => {
                    candidates.push(terms.less_or_equal(*value, *parameter));
                    candidates.push(terms.less_or_equal(*parameter, *value));
                }
                false => candidates.push(*equation),
            }
            candidates.push(terms.implies(*equation, beginning));
        }
        if others.is_empty() {
            // What the query says of the rest.
            let arguments = &one.conclusion.arguments;
            for formula in &one.constraint {
                candidates.extend(about_some(terms, &node.parameters, arguments, *formula));
            }
        }
        candidates.retain(|candidate| *candidate != TermId::TRUE);
        candidates.sort();
        candidates.dedup();
        return candidates
            .into_iter()
            .map(|candidate| (NodeId(index), candidate))
            .collect();
    }
    Vec::new()
}

/// A formula about arguments, those of them that are variables, about the parameters.
fn about_some(terms: &mut Terms, parameters: &[TermId], arguments: &[TermId], formula: TermId) -> Option<TermId> {
    let renaming = parameters_of(terms, parameters, arguments);
    let spoken_of = terms.variables(formula).to_vec();
    spoken_of
        .iter()
        .all(|variable| renaming.get(*variable).is_some())
        .then(|| terms.substitute(formula, &renaming))
}
