//! The questions: for each implication one incremental solver that holds its relation once, and what is known of its premises.
//!
//! What is known of a node is of two kinds. *Entries* over-approximate it: each holds of all arguments that are reached in so
//! many steps (its level), or of all. *Facts* under-approximate it: all their solutions are reached. A question says for each
//! premise which of the two it is to be taken by.

use super::hull::Hull;
use super::system::{Equations, NodeId, System};
use super::witnesses::Witnesses;
use crate::rules::Program;
use crate::solver::{Answer, LINEAR_EFFORT, QuestionSolver, Z3Meter};
use crate::steps::model::Model;
use crate::terms::{Operator, SortId, TermId, Terms, Theory};
use std::cell::Cell;

/// The level of an entry that holds always.
pub(super) const ALWAYS: usize = usize::MAX;

/// The level of what is taken for the premises of a question at a level.
pub(super) fn entries_below(level: usize) -> usize {
    match level {
        ALWAYS => ALWAYS,
        level => level.wrapping_sub(1),
    }
}

/// A solver whose formulas of single questions are more than these, and more than what it would be told again, is made anew: they
/// stay in it for ever, and Z3 thinks about them whether they are asked about or not.
const MOST_FLAGS: usize = 100;

/// So many formulas more than twice the entries may a solver know before it is made anew.
const MOST_STALE: usize = 64;

/// What is spent at most on a question whose answer is not needed, in Z3's units.
const TRIED: u32 = 1_000_000;

/// The work beside that of a question that linear arithmetic answers, in the same units: what is encoded and read off for it.
const LINEAR_QUESTION: u64 = 6;

/// The work of a question beside Z3's, in units of some six microseconds.
pub(super) const QUESTION: u64 = 2;

/// What is taken for a premise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Its entries at a level: more than is reached.
    Entries(usize),
    /// Its facts: not more than is reached.
    Facts,
}

/// A conjunction of literals over a node's parameters that is not reached in so many steps.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The literals of which one is false.
    pub cube: Vec<TermId>,
    /// That one of them is false.
    pub formula: TermId,
    /// The number of steps; [`ALWAYS`] if there is no limit to it.
    pub level: usize,
}

/// Arguments that are reached.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub node: NodeId,
    /// The formula that describes them.
    pub formula: TermId,
    /// The implication by which they are reached.
    pub clause: usize,
    /// The facts that its premises are taken from.
    pub premises: Vec<usize>,
}

/// The solver of one implication, or of one node's arguments alone.
struct Context {
    solver: QuestionSolver,
    /// How many formulas of single questions it may have.
    most_flags: usize,
    /// The flag under which each premise is one of its facts.
    facts: Vec<Option<TermId>>,
    /// How many formulas it has of the implication alone.
    first: usize,
    /// For how many levels of each premise it knows that an entry of one holds at all below.
    levels: Vec<usize>,
}

/// Why there is no answer: the solver gave up, or was stopped.
#[derive(Debug)]
pub(crate) struct GaveUp;

/// Everything that questions are asked of.
pub(super) struct Kernel {
    pub terms: Terms,
    pub system: System,
    /// The theory of the implications.
    pub theory: Theory,
    /// The entries of each node.
    pub entries: Vec<Vec<Entry>>,
    /// All facts.
    pub facts: Vec<Fact>,
    /// The facts of each node.
    pub facts_of: Vec<Vec<usize>>,
    /// The spaces that these span.
    pub hulls: Vec<Hull>,
    /// The states of each node that were seen in runs.
    pub witnesses: Vec<Witnesses>,
    /// The work of these runs, and of what else was done before the search: composing, facts, guesses.
    pub ran: u64,
    pub questions: u64,
    /// How many of them linear arithmetic has answered.
    pub by_linear: u64,
    /// Those that have been asked already.
    contexts: Vec<Option<Context>>,
    /// For each premise, by position, and level the variable that says that its entries, and those of higher levels, hold of the
    /// premise. One premise may be taken by its facts while another is by its entries: facts are reached in any number of steps,
    /// so that entries of a level would exclude some.
    levels: Vec<Vec<TermId>>,
    resource_limit: u32,
    /// The implication that was asked last.
    asked: usize,
    /// The position of the formula by which that was answered at once, if it was.
    at_once: Option<usize>,
    /// Made when Z3 is asked first: what others have asked on this thread before is theirs.
    meter: Cell<Option<Z3Meter>>,
    /// What linear arithmetic has looked at.
    linear_effort: u64,
}

impl Kernel {
    pub fn new(program: &Program, resource_limit: u32) -> Kernel {
        let mut terms = program.terms.clone();
        let system = System::new(program, &mut terms, Equations::Solved);
        let nodes = system.nodes.len();
        Kernel {
            theory: system.theory(&terms),
            terms,
            entries: vec![Vec::new(); nodes],
            facts: Vec::new(),
            facts_of: vec![Vec::new(); nodes],
            hulls: vec![Hull::default(); nodes],
            witnesses: vec![Witnesses::default(); nodes],
            ran: 0,
            questions: 0,
            by_linear: 0,
            contexts: (0..system.clauses.len()).map(|_| None).collect(),
            levels: Vec::new(),
            resource_limit,
            asked: 0,
            at_once: None,
            meter: Cell::new(None),
            linear_effort: 0,
            system,
        }
    }

    /// The work done so far, in units of about six microseconds; a count, so that it is the same on every machine.
    pub fn work(&self) -> u64 {
        let mut meter = self.meter.get();
        let last = self.contexts.get(self.asked).and_then(Option::as_ref);
        let resources = last.and_then(|context| context.solver.resources());
        let z3 = match (&mut meter, resources) {
            (Some(meter), Some(now)) => meter.work(now),
            (Some(meter), None) => meter.worked(),
            (None, _) => 0,
        };
        self.meter.set(meter);
        let linear = LINEAR_QUESTION * self.by_linear + self.linear_effort / LINEAR_EFFORT;
        self.ran + QUESTION * self.questions + linear + z3
    }

    /// The solver of an implication with everything that is known by now.
    fn context(&mut self, index: usize) -> Context {
        let mut solver = QuestionSolver::new(self.theory, self.resource_limit);
        let clause = &self.system.clauses[index];
        for formula in &clause.constraint {
            solver.assert(&self.terms, *formula);
        }
        let premises: Vec<NodeId> = clause.premises.iter().map(|premise| premise.node).collect();
        let mut context = Context {
            solver,
            most_flags: MOST_FLAGS.max(self.terms.subterms(&clause.constraint).len()),
            facts: vec![None; premises.len()],
            levels: vec![0; premises.len()],
            first: clause.constraint.len(),
        };
        self.link_levels(&mut context);
        for (position, node) in premises.into_iter().enumerate() {
            for entry in 0..self.entries[node.0].len() {
                let Entry { formula, level, .. } = self.entries[node.0][entry];
                self.add_entry(&mut context, index, position, formula, level);
            }
            self.add_facts(&mut context, index, position);
        }
        context
    }

    /// That an entry of a level holds at those below, for levels that are new to the solver.
    fn link_levels(&mut self, context: &mut Context) {
        for (premise, linked) in context.levels.iter_mut().enumerate() {
            let Some(levels) = self.levels.get(premise) else {
                break;
            };
            while *linked + 1 < levels.len() {
                let (below, above) = (levels[*linked], levels[*linked + 1]);
                let implication = self.terms.implies(below, above);
                context.solver.assert(&self.terms, implication);
                *linked += 1;
            }
        }
    }

    /// The variable of a premise's level.
    fn level(&mut self, premise: usize, level: usize) -> TermId {
        while self.levels.len() <= premise {
            self.levels.push(Vec::new());
        }
        let levels = &mut self.levels[premise];
        while levels.len() <= level {
            levels.push(self.terms.fresh_variable("level", SortId::BOOL));
        }
        levels[level]
    }

    fn add_entry(&mut self, context: &mut Context, clause: usize, premise: usize, formula: TermId, level: usize) {
        let occurrence = &self.system.clauses[clause].premises[premise];
        let mut formula = self.terms.substitute(formula, &occurrence.instance);
        if level != ALWAYS {
            let flag = self.level(premise, level);
            formula = self.terms.implies(flag, formula);
        }
        self.link_levels(context);
        context.solver.assert(&self.terms, formula);
    }

    fn add_facts(&mut self, context: &mut Context, clause: usize, premise: usize) {
        let occurrence = &self.system.clauses[clause].premises[premise];
        let node = occurrence.node;
        let facts = self.facts_of[node.0].iter();
        let formulas: Vec<TermId> = facts.map(|fact| self.facts[*fact].formula).collect();
        let one = self.terms.or(&formulas);
        let one = self.terms.substitute(one, &occurrence.instance);
        let flag = self.terms.fresh_variable("fact", SortId::BOOL);
        let implication = self.terms.implies(flag, one);
        context.solver.assert(&self.terms, implication);
        context.facts[premise] = Some(flag);
    }

    /// Asks an implication whether it has a model with these premises and some more formulas about its variables. The positions
    /// of a core are those in `extra`.
    pub fn ask(&mut self, clause: usize, known: &[Known], extra: &[TermId]) -> Result<Answer, GaveUp> {
        match self.ask_within(clause, known, extra, self.resource_limit) {
            Answer::Unknown => Err(GaveUp),
            answer => Ok(answer),
        }
    }

    /// [`Kernel::ask`] where no answer is an answer: only so much is spent on it.
    pub fn try_to_ask(&mut self, clause: usize, known: &[Known], extra: &[TermId]) -> Answer {
        let limit = match self.resource_limit {
            0 => TRIED,
            limit => limit.min(TRIED),
        };
        self.ask_within(clause, known, extra, limit)
    }

    fn ask_within(&mut self, clause: usize, known: &[Known], extra: &[TermId], limit: u32) -> Answer {
        self.at_once = self.contradicts(clause, extra);
        if self.at_once.is_some() {
            return Answer::Unsatisfiable;
        }
        self.questions += 1;
        self.asked = clause;
        let mut context = match self.contexts[clause].take() {
            Some(context) if !self.is_stale(&context, clause) => context,
            _ => self.context(clause),
        };
        let mut assumptions = extra.to_vec();
        for (position, known) in known.iter().enumerate() {
            match known {
                Known::Entries(ALWAYS) => {}
                Known::Entries(level) => {
                    let flag = self.level(position, *level);
                    assumptions.push(flag);
                }
                Known::Facts => assumptions.extend(context.facts[position]),
            }
        }
        self.link_levels(&mut context);
        let before = context.solver.linear_effort();
        let answer = context.solver.check_within(&self.terms, &assumptions, limit);
        self.linear_effort += context.solver.linear_effort().saturating_sub(before);
        self.by_linear += u64::from(context.solver.is_linear());
        if self.meter.get().is_none() && context.solver.resources().is_some() {
            self.meter.set(Some(Z3Meter::new(context.solver.began())));
        }
        self.contexts[clause] = Some(context);
        answer
    }

    /// Whether a solver knows much that is not asked about any more: single questions, and entries that others have made superfluous or
    /// that hold longer by now.
    fn is_stale(&self, context: &Context, clause: usize) -> bool {
        let premises = self.system.clauses[clause].premises.iter();
        let entries: usize = premises.map(|premise| self.entries[premise.node.0].len()).sum();
        context.solver.flags() > context.most_flags
            || context.solver.asserted() > context.first + 2 * entries + MOST_STALE
    }

    /// The position of a formula that an implication's constraint contradicts by its looks. Most implications of a program set
    /// variables to numbers, so that this is so of many.
    fn contradicts(&mut self, clause: usize, formulas: &[TermId]) -> Option<usize> {
        let constraint = &self.system.clauses[clause].constraint;
        formulas.iter().position(|formula| {
            let negation = self.terms.not(*formula);
            *formula == TermId::FALSE || constraint.contains(&negation)
        })
    }

    /// Right after an unsatisfiable question: the positions of what it needed of the extra formulas, of which there were so many.
    pub fn core(&self, clause: usize, extras: usize) -> Vec<usize> {
        let by_looks = self.at_once.into_iter();
        let asked = match self.at_once {
            Some(_) => None,
            None => self.contexts[clause].as_ref(),
        };
        let core = asked.into_iter().flat_map(|context| context.solver.core());
        by_looks.chain(core).filter(|position| *position < extras).collect()
    }

    /// Right after a satisfiable question: its model.
    pub fn step_model(&mut self, clause: usize) -> Result<Model, GaveUp> {
        let variables = &self.system.clauses[clause].variables;
        let context = self.contexts[clause].as_mut().ok_or(GaveUp)?;
        let values = context.solver.model(&self.terms, variables);
        values.map(Model::new).ok_or(GaveUp)
    }

    /// Adds an entry, which makes those with more literals superfluous.
    pub fn learn(&mut self, node: NodeId, cube: Vec<TermId>, level: usize) {
        let formula = self.denial(&cube);
        self.entries[node.0].retain(|entry| {
            let is_weaker = entry.level <= level && cube.iter().all(|literal| entry.cube.contains(literal));
            !is_weaker
        });
        self.entries[node.0].push(Entry { cube, formula, level });
        self.tell(node, formula, level);
    }

    /// The formula that not all literals hold.
    pub fn denial(&mut self, cube: &[TermId]) -> TermId {
        let whole = self.terms.and(cube);
        self.terms.not(whole)
    }

    /// Tells all solvers of an entry.
    pub fn tell(&mut self, node: NodeId, formula: TermId, level: usize) {
        for clause in 0..self.system.clauses.len() {
            for premise in 0..self.system.clauses[clause].premises.len() {
                if self.system.clauses[clause].premises[premise].node == node {
                    self.with_context(clause, |kernel, context| {
                        kernel.add_entry(context, clause, premise, formula, level);
                    });
                }
            }
        }
    }

    /// Adds a fact.
    pub fn reach(&mut self, fact: Fact) -> usize {
        let node = fact.node;
        let id = self.facts.len();
        self.facts.push(fact);
        self.facts_of[node.0].push(id);
        for clause in 0..self.system.clauses.len() {
            for premise in 0..self.system.clauses[clause].premises.len() {
                if self.system.clauses[clause].premises[premise].node == node {
                    self.with_context(clause, |kernel, context| kernel.add_facts(context, clause, premise));
                }
            }
        }
        id
    }

    fn with_context(&mut self, clause: usize, work: impl FnOnce(&mut Kernel, &mut Context)) {
        // One that has not been asked yet will be told when it is.
        if let Some(mut context) = self.contexts[clause].take() {
            work(self, &mut context);
            self.contexts[clause] = Some(context);
        }
    }

    /// A formula over a node's parameters about the arguments that the implication concludes.
    pub fn concluded(&mut self, clause: usize, formulas: &[TermId]) -> Vec<TermId> {
        let instance = &self.system.clauses[clause].conclusion.instance;
        self.terms.substitute_all(formulas, instance)
    }

    /// Whether the literal compares numbers.
    pub fn is_comparison(&self, literal: TermId) -> bool {
        matches!(self.terms.operator(literal), Operator::LessOrEqual | Operator::Less)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facts are reached in any number of steps, entries are about so many: one premise by facts and another by entries.
    #[test]
    fn what_is_reached_is_not_limited_by_the_levels_of_others() {
        let source = "(set-logic HORN)
            (declare-fun p (Int) Bool)
            (declare-fun q (Int) Bool)
            (assert (forall ((X Int)) (=> (= X 1) (p X))))
            (assert (forall ((X Int)) (=> (p X) (q X))))
            (assert (forall ((X Int)) (=> (q X) (p X))))
            (assert (forall ((X Int) (Y Int)) (=> (and (p X) (q Y)) false)))";
        let program = crate::horn::read_with_calls(source).product.expect("no mistake in it");
        let mut kernel = Kernel::new(&program, 0);
        let clause = kernel
            .system
            .clauses
            .iter()
            .position(|clause| clause.premises.len() == 2);
        let clause = clause.expect("it is kept as it is");
        let node = kernel.system.clauses[clause].premises[0].node;
        let parameter = kernel.system.nodes[node.0].parameters[0];
        let one = kernel.terms.integer(1);
        let is_one = kernel.terms.equal(parameter, one);
        kernel.learn(node, vec![is_one], 1);
        kernel.reach(Fact {
            node,
            formula: is_one,
            clause: 0,
            premises: Vec::new(),
        });
        let by_entries = [Known::Entries(1), Known::Entries(1)];
        let extra = kernel.system.clauses[clause].premises[0].instance.clone();
        let extra = kernel.terms.substitute(is_one, &extra);
        assert_eq!(kernel.try_to_ask(clause, &by_entries, &[extra]), Answer::Unsatisfiable);
        let by_facts = [Known::Facts, Known::Entries(1)];
        assert_eq!(kernel.try_to_ask(clause, &by_facts, &[]), Answer::Satisfiable);
    }

    /// What is false by its looks is answered without a question, and is no part of the core if it is not among what that is of.
    #[test]
    fn what_is_contradicted_by_its_looks_is_the_core() {
        let source = "?- p(0).  p(X) :- X < 5, p(X + 1).  p(X) :- X > 9, error.";
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let mut kernel = Kernel::new(&program, 0);
        let nodes = kernel.system.nodes.iter();
        let node = nodes.skip(1).map(|node| (node.clauses[0], node.parameters[0])).next();
        let (clause, parameter) = node.expect("there is a predicate");
        let one = kernel.terms.integer(1);
        let large = kernel.terms.less_or_equal(one, parameter);
        let extra = kernel.concluded(clause, &[large]);
        assert_eq!(kernel.try_to_ask(clause, &[], &extra), Answer::Unsatisfiable);
        assert_eq!((kernel.core(clause, 1), kernel.questions), (vec![0], 0));
        let beside = [TermId::TRUE, extra[0]];
        assert_eq!(kernel.try_to_ask(clause, &[], &beside), Answer::Unsatisfiable);
        assert_eq!(kernel.core(clause, 1), Vec::<usize>::new());
    }
}
