//! A system step by step: one incremental solver in which its implications stand once for every step, each with variables of
//! its own.
//!
//! A *frame* is what holds after so many steps: for each node a flag that it is there, and the arguments with which it is. What is
//! said goes backward: if a node is in a frame, then by one of the implications, taken from the frame before. So a model in
//! which the error is in a frame has a run into it. Runs begin at the queries, or anywhere.
//!
//! Only implications with one premise, or none, can be unrolled.

use super::kernel::{GaveUp, QUESTION};
use super::system::{Clause, NodeId, System};
use crate::evidence::Step;
use crate::solver::{Answer, AssumptionSolver, Z3Meter};
use crate::steps::model::Model;
use crate::terms::{SortId, Substitution, TermId, Terms, Value};

/// So much work is one term that a solver is told.
const TERMS_FOR_A_UNIT: usize = 20;

/// Where runs begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beginning {
    /// At the queries.
    Queries,
    /// In any state of any node.
    Anywhere,
}

/// What holds after so many steps.
struct Frame {
    /// For each node, the flag that it is here.
    here: Vec<TermId>,
    /// For each node, its arguments.
    arguments: Vec<Vec<TermId>>,
    /// The implications that may lead here.
    steps: Vec<Taken>,
}

/// An implication at one step.
struct Taken {
    clause: usize,
    /// The flag that it is taken.
    flag: TermId,
    /// What its variables are.
    variables: Substitution,
}

/// The steps of a system.
pub(super) struct Unrolling {
    solver: AssumptionSolver,
    frames: Vec<Frame>,
    beginning: Beginning,
    questions: u64,
    meter: Z3Meter,
    /// What has been said to the solver, in terms.
    pub size: usize,
}

impl Unrolling {
    /// The first frame.
    pub fn new(system: &System, terms: &mut Terms, beginning: Beginning, resource_limit: u32) -> Unrolling {
        let solver = AssumptionSolver::new(system.theory(terms), resource_limit);
        let mut unrolling = Unrolling {
            meter: Z3Meter::new(solver.resources()),
            solver,
            frames: Vec::new(),
            beginning,
            questions: 0,
            size: 0,
        };
        unrolling.unroll(system, terms);
        unrolling
    }

    /// The number of the last frame.
    pub fn last(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// The work done so far.
    pub fn work(&mut self) -> u64 {
        let z3 = self.meter.work(self.solver.resources());
        QUESTION * self.questions + z3 + (self.size / TERMS_FOR_A_UNIT) as u64
    }

    /// One more step.
    pub fn unroll(&mut self, system: &System, terms: &mut Terms) {
        let before = terms.len();
        let is_first = self.frames.is_empty();
        let mut frame = Frame {
            here: Vec::with_capacity(system.nodes.len()),
            arguments: Vec::with_capacity(system.nodes.len()),
            steps: Vec::new(),
        };
        for node in &system.nodes {
            frame.here.push(terms.fresh_variable("here", SortId::BOOL));
            let copies = node.parameters.iter().map(|parameter| copy(terms, *parameter));
            frame.arguments.push(copies.collect());
        }
        if !(is_first && self.beginning == Beginning::Anywhere) {
            for (index, node) in system.nodes.iter().enumerate() {
                let mut ways = Vec::new();
                for clause in &node.clauses {
                    if system.clauses[*clause].premises.is_empty() == is_first {
                        let flag = self.choose_step(&system.clauses[*clause], *clause, &mut frame, terms);
                        ways.push(flag);
                    }
                }
                let some = terms.or(&ways);
                let reached = terms.implies(frame.here[index], some);
                self.solver.assert(terms, reached);
            }
        }
        self.frames.push(frame);
        self.size += terms.len() - before;
    }

    /// An implication as a way into the frame; its flag.
    fn choose_step(&mut self, clause: &Clause, index: usize, frame: &mut Frame, terms: &mut Terms) -> TermId {
        let flag = terms.fresh_variable("taken", SortId::BOOL);
        let mut variables = Substitution::new();
        let mut facts = Vec::new();
        let mut equal = Vec::new();
        if let (Some(before), Some(premise)) = (self.frames.last(), clause.premises.first()) {
            facts.push(before.here[premise.node.0]);
            // Arguments that are variables are what the frame before has there.
            let mut bound = hashbrown::HashSet::new();
            for (argument, value) in premise.arguments.iter().zip(&before.arguments[premise.node.0]) {
                if terms.is_variable(*argument) && bound.insert(*argument) {
                    variables.insert(terms, *argument, *value);
                } else {
                    equal.push((*argument, *value));
                }
            }
            for variable in &clause.variables {
                if bound.insert(*variable) {
                    let own = copy(terms, *variable);
                    variables.insert(terms, *variable, own);
                }
            }
        } else {
            for variable in &clause.variables {
                let own = copy(terms, *variable);
                variables.insert(terms, *variable, own);
            }
        }
        let conclusion = &clause.conclusion;
        let after = frame.arguments[conclusion.node.0].iter().copied();
        equal.extend(conclusion.arguments.iter().copied().zip(after));
        facts.extend(terms.substitute_all(&clause.constraint, &variables));
        for (argument, value) in equal {
            let argument = terms.substitute(argument, &variables);
            facts.push(terms.equal(argument, value));
        }
        for fact in facts {
            let implied = terms.implies(flag, fact);
            self.solver.assert(terms, implied);
        }
        frame.steps.push(Taken {
            clause: index,
            flag,
            variables,
        });
        flag
    }

    /// From now on a formula about what is in the frames holds.
    pub fn require(&mut self, terms: &Terms, formula: TermId) {
        self.solver.assert(terms, formula);
    }

    /// A formula over a node's parameters, about what the node has in a frame.
    pub fn instance(
        &self,
        system: &System,
        terms: &mut Terms,
        (node, frame): (NodeId, usize),
        formula: TermId,
    ) -> TermId {
        let arguments = &self.frames[frame].arguments[node.0];
        let values = Substitution::of(terms, &system.nodes[node.0].parameters, arguments);
        terms.substitute(formula, &values)
    }

    /// The flag that a node is in a frame.
    pub fn here(&self, node: NodeId, frame: usize) -> TermId {
        self.frames[frame].here[node.0]
    }

    /// From now on a formula over a node's parameters holds if the node is in the frame, where the flag says so.
    pub fn suppose(
        &mut self,
        system: &System,
        terms: &mut Terms,
        place: (NodeId, usize),
        formula: TermId,
        flag: Option<TermId>,
    ) {
        let formula = self.instance(system, terms, place, formula);
        let here = self.here(place.0, place.1);
        let mut formula = terms.implies(here, formula);
        if let Some(flag) = flag {
            formula = terms.implies(flag, formula);
        }
        self.solver.assert(terms, formula);
    }

    /// Whether all of this can be.
    pub fn ask(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        self.questions += 1;
        self.solver.check(terms, assumptions)
    }

    /// Right after an answer that the error can be in the last frame: the run into it.
    pub fn run(&mut self, system: &System, terms: &Terms) -> Result<Vec<Step>, GaveUp> {
        let mut all: Vec<TermId> = Vec::new();
        for frame in &self.frames {
            all.extend(&frame.here);
            all.extend(frame.arguments.iter().flatten());
            for step in &frame.steps {
                all.push(step.flag);
                let values = system.clauses[step.clause].variables.iter();
                all.extend(values.flat_map(|variable| step.variables.get(*variable)));
            }
        }
        all.retain(|term| terms.is_variable(*term));
        all.sort();
        all.dedup();
        let model = Model::new(self.solver.model(terms, &all).ok_or(GaveUp)?);
        let is_taken = |taken: &&Taken| model.values().get(&taken.flag) == Some(&Value::Bool(true));
        let mut node = system.error;
        let mut steps = Vec::with_capacity(self.frames.len());
        for frame in self.frames.iter().rev() {
            let mut into = frame
                .steps
                .iter()
                .filter(|step| system.clauses[step.clause].conclusion.node == node);
            let taken = into.find(is_taken).ok_or(GaveUp)?;
            let clause = &system.clauses[taken.clause];
            let mut values = Model::new(Default::default());
            for variable in &clause.variables {
                let value = taken.variables.get(*variable).unwrap_or(*variable);
                values.insert(*variable, model.value(terms, value).ok_or(GaveUp)?);
            }
            for (variable, term) in &clause.solved {
                values.define(terms, *variable, *term).ok_or(GaveUp)?;
            }
            let mut of_rule: Vec<(TermId, Value)> = values
                .values()
                .iter()
                .map(|(variable, value)| (*variable, value.clone()))
                .collect();
            of_rule.sort_by_key(|(variable, _)| *variable);
            steps.push(Step {
                rule: clause.rule,
                values: of_rule,
            });
            match clause.premises.first() {
                Some(premise) => node = premise.node,
                None => {
                    steps.reverse();
                    return Ok(steps);
                }
            }
        }
        Err(GaveUp)
    }
}

/// A new variable of the same sort.
fn copy(terms: &mut Terms, variable: TermId) -> TermId {
    let (name, sort) = (terms.variable_name(variable).to_string(), terms.sort(variable));
    terms.fresh_variable(&name, sort)
}
