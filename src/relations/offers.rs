//! Formulas that are offered for what is reached: those that are inductive together become entries that hold always.
//!
//! All are believed at first. An implication whose premises satisfy what is believed of them, and whose conclusion does not, refutes
//! everything that its model contradicts, until there is none: what is left is the largest inductive subset (Flanagan and Leino 2001,
//! Houdini). A formula that others imply is tried when none of these is left.

use super::implicant::Model;
use super::kernel::{ALWAYS, Entry, Kernel};
use super::system::NodeId;
use crate::engine::StopReason;
use crate::rules::PredicateId;
use crate::solver::{Answer, AssumptionSolver, Z3Meter};
use crate::terms::{Operator, TermId};

/// A formula about what is reached of a predicate, over the predicate's parameters. It may be wrong.
#[derive(Clone, Debug)]
pub(crate) struct Offered {
    /// The predicate.
    pub predicate: PredicateId,
    /// The formula, a term of the program's table.
    pub formula: TermId,
    /// The positions of offers that imply it as far as is known: it is tried when none of them is left.
    pub implied_by: Vec<usize>,
}

/// How often formulas are tried that others implied.
const ROUNDS: usize = 4;
/// What is spent at most on one question, in Z3's units.
const RESOURCES: u32 = 2_000_000;

/// How it stands with an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Others have to fail first.
    Waits,
    Believed,
    Refuted,
}

/// Keeps those offers that are inductive together.
struct Offers<'k> {
    kernel: &'k mut Kernel,
    /// The node of each, and its formula.
    formulas: Vec<(NodeId, TermId)>,
    standings: Vec<Standing>,
    solvers: Vec<Option<AssumptionSolver>>,
    questions: u64,
    meter: Z3Meter,
    stop: &'k dyn Fn(u64) -> Option<StopReason>,
}

/// Adds those of the offers that are inductive together to the entries. `stop` is given the work, and says why to stop.
pub(super) fn add_inductive(
    kernel: &mut Kernel,
    offered: &[Offered],
    stop: &dyn Fn(u64) -> Option<StopReason>,
) -> Result<(), StopReason> {
    // What a predicate is reached with, or has come back with: the system may ask for either.
    let mut formulas = Vec::new();
    let mut implied_by = Vec::new();
    for (index, node) in kernel.system.nodes.iter().enumerate() {
        let first = formulas.len();
        let positions: Vec<usize> = (0..offered.len())
            .filter(|at| offered[*at].predicate == node.predicate)
            .collect();
        for position in &positions {
            formulas.push((NodeId(index), offered[*position].formula));
            let own = offered[*position].implied_by.iter();
            let own = own.filter_map(|other| positions.binary_search(other).ok());
            implied_by.push(own.map(|at| first + at).collect::<Vec<usize>>());
        }
    }
    if formulas.is_empty() {
        return Ok(());
    }
    let clauses = kernel.system.clauses.len();
    let mut offers = Offers {
        standings: vec![Standing::Waits; formulas.len()],
        kernel,
        formulas,
        solvers: (0..clauses).map(|_| None).collect(),
        questions: 0,
        meter: Z3Meter::default(),
        stop,
    };
    for _ in 0..ROUNDS {
        let mut is_new = false;
        for (position, stronger) in implied_by.iter().enumerate() {
            let fail = |other: &usize| offers.standings[*other] == Standing::Refuted;
            if offers.standings[position] == Standing::Waits && stronger.iter().all(fail) {
                offers.standings[position] = Standing::Believed;
                is_new = true;
            }
        }
        if !is_new {
            break;
        }
        offers.refute()?;
    }
    let kept: Vec<(NodeId, TermId)> = (0..offers.formulas.len())
        .filter(|position| offers.standings[*position] == Standing::Believed)
        .map(|position| offers.formulas[position])
        .collect();
    for (node, formula) in kept {
        let cube = negated(kernel, formula);
        kernel.entries[node.0].push(Entry {
            cube,
            formula,
            level: ALWAYS,
        });
        kernel.tell(node, formula, ALWAYS);
    }
    Ok(())
}

/// The literals that a clause excludes together.
fn negated(kernel: &mut Kernel, formula: TermId) -> Vec<TermId> {
    let parts = match kernel.terms.operator(formula) {
        Operator::Or => kernel.terms.arguments(formula).to_vec(),
        _ => vec![formula],
    };
    parts.into_iter().map(|part| kernel.terms.not(part)).collect()
}

impl Offers<'_> {
    /// Goes through all implications until none refutes anything.
    fn refute(&mut self) -> Result<(), StopReason> {
        let clauses = self.kernel.system.clauses.len();
        let mut open: Vec<bool> = vec![true; clauses];
        while let Some(clause) = open.iter().position(|is_open| *is_open) {
            open[clause] = false;
            if !self.refute_by(clause)? {
                continue;
            }
            let concluded = self.kernel.system.clauses[clause].conclusion.node;
            for (other, is_open) in open.iter_mut().enumerate() {
                let premises = &self.kernel.system.clauses[other].premises;
                *is_open |= premises.iter().any(|premise| premise.node == concluded);
            }
        }
        Ok(())
    }

    /// Refutes what an implication does not lead into; whether there was anything.
    fn refute_by(&mut self, clause: usize) -> Result<bool, StopReason> {
        let mut any = false;
        loop {
            if let Some(reason) = self.stopped() {
                return Err(reason);
            }
            let concluded = self.kernel.system.clauses[clause].conclusion.node;
            let claimed: Vec<usize> = self.believed(concluded);
            if claimed.is_empty() {
                return Ok(any);
            }
            let formulas: Vec<TermId> = claimed.iter().map(|position| self.formulas[*position].1).collect();
            let instances = self.kernel.concluded(clause, &formulas);
            let all = self.kernel.terms.and(&instances);
            match self.ask(clause, all) {
                Answer::Unsatisfiable => return Ok(any),
                Answer::Satisfiable => {
                    let variables = self.kernel.system.clauses[clause].variables.clone();
                    let solver = self.solvers[clause].as_mut();
                    let values = solver.and_then(|solver| solver.model(&self.kernel.terms, &variables));
                    let mut refuted = false;
                    if let Some(mut model) = values.map(Model::new) {
                        for (position, instance) in claimed.iter().zip(&instances) {
                            if model.holds(&self.kernel.terms, *instance) == Some(false) {
                                self.standings[*position] = Standing::Refuted;
                                refuted = true;
                            }
                        }
                    }
                    if !refuted {
                        self.one_by_one(clause, &claimed, &instances);
                        return Ok(true);
                    }
                }
                Answer::Unknown => {
                    self.one_by_one(clause, &claimed, &instances);
                    return Ok(true);
                }
            }
            any = true;
        }
    }

    /// Keeps what follows on its own.
    fn one_by_one(&mut self, clause: usize, claimed: &[usize], instances: &[TermId]) {
        for (position, instance) in claimed.iter().zip(instances) {
            if self.stopped().is_some() || self.ask(clause, *instance) != Answer::Unsatisfiable {
                self.standings[*position] = Standing::Refuted;
            }
        }
    }

    fn believed(&self, node: NodeId) -> Vec<usize> {
        let all = 0..self.formulas.len();
        all.filter(|position| self.formulas[*position].0 == node && self.standings[*position] == Standing::Believed)
            .collect()
    }

    /// Whether the implication has a model with everything that is believed of its premises, and without the formula.
    fn ask(&mut self, clause: usize, claimed: TermId) -> Answer {
        self.questions += 1;
        let mut assumptions = Vec::new();
        for premise in 0..self.kernel.system.clauses[clause].premises.len() {
            let node = self.kernel.system.clauses[clause].premises[premise].node;
            let believed = self.believed(node);
            let formulas: Vec<TermId> = believed.iter().map(|position| self.formulas[*position].1).collect();
            let instance = &self.kernel.system.clauses[clause].premises[premise].instance;
            assumptions.extend(self.kernel.terms.substitute_all(&formulas, instance));
        }
        let denied = self.kernel.terms.not(claimed);
        assumptions.push(denied);
        assumptions.retain(|formula| *formula != TermId::TRUE);
        let terms = &self.kernel.terms;
        let constraint = &self.kernel.system.clauses[clause].constraint;
        let solver = self.solvers[clause].get_or_insert_with(|| {
            let mut solver = AssumptionSolver::new(RESOURCES);
            constraint.iter().for_each(|formula| solver.assert(terms, *formula));
            solver
        });
        solver.check(terms, &assumptions)
    }

    fn stopped(&mut self) -> Option<StopReason> {
        let spent = self.solvers.iter().flatten().next().map(AssumptionSolver::resources);
        let work = spent.map_or(0, |spent| self.meter.work(spent));
        (self.stop)(super::kernel::QUESTION * self.questions + work)
    }
}
