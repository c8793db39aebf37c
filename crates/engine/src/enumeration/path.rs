//! From the transitions on the way into an error to a derivation: what is read stays a variable on the way, the conditions
//! that are left are solved together, and what comes of the values is calculated step by step.

use crate::evidence::Derivation;
use crate::rules::{PredicateId, Program};
use crate::solver::LayeredSolver;
use crate::steps::taken::{point_after, step_at};
use crate::steps::transition::{Target, TransitionId, Transitions};
use crate::steps::{BudgetWatch, elimination::solve_equation};
use crate::terms::{Assignment, Sort, Substitution, TermId, Terms};

/// How many steps pass between two looks at the limits.
const STEPS_BETWEEN_LOOKS: usize = 64;

/// A derivation by these transitions, the first of which starts at the query, if a solver finds values for it.
pub(super) fn derivation(
    program: &Program,
    terms: &mut Terms,
    transitions: &Transitions,
    way: &[TransitionId],
    resources: u32,
    budget: &BudgetWatch<'_>,
) -> Option<Derivation> {
    let mut path = Path {
        program,
        terms,
        arguments: Vec::new(),
        read: Vec::new(),
        conditions: Vec::new(),
    };
    let mut predicate = PredicateId::QUERY;
    let mut read = Vec::with_capacity(way.len());
    for (step, id) in way.iter().enumerate() {
        if step.is_multiple_of(STEPS_BETWEEN_LOOKS) && budget.interruption().is_some() {
            return None;
        }
        read.push(path.follow(predicate, transitions, *id)?);
        if let Target::Goal(next) = transitions.get(*id).target {
            predicate = next;
        }
    }
    let mut model = Assignment::new();
    if !path.conditions.is_empty() {
        let mut solver = LayeredSolver::new(resources);
        model = solver.check_model(path.terms, &path.conditions, &[], &path.read).1?;
    }
    let mut steps = Vec::with_capacity(way.len());
    let mut point = Assignment::new();
    for (step, (id, read)) in way.iter().zip(read).enumerate() {
        if step.is_multiple_of(STEPS_BETWEEN_LOOKS) && budget.interruption().is_some() {
            return None;
        }
        let transition = transitions.get(*id);
        for (local, variable) in transition.locals.iter().zip(read) {
            // What no condition speaks of may have any value.
            let value = model.get(&variable).cloned();
            point.insert(*local, value.unwrap_or_else(|| terms.default_value(terms.sort(*local))));
        }
        steps.push(step_at(program, terms, transition, &point)?);
        point = point_after(program, terms, transition, &point)?;
    }
    Some(Derivation::new(steps))
}

/// A path so far.
struct Path<'p> {
    program: &'p Program,
    terms: &'p mut Terms,
    /// Of the goal, over what was read.
    arguments: Vec<TermId>,
    /// What was read, and what stands for terms with it.
    read: Vec<TermId>,
    /// What must hold of it.
    conditions: Vec<TermId>,
}

impl Path<'_> {
    /// Takes a transition; the variables for what it leaves open. `None` if it cannot be taken.
    fn follow(&mut self, predicate: PredicateId, transitions: &Transitions, id: TransitionId) -> Option<Vec<TermId>> {
        let transition = transitions.get(id);
        let parameters = &self.program.predicate(predicate).parameters;
        let mut values = Substitution::of(self.terms, parameters, &self.arguments);
        let mut read = Vec::with_capacity(transition.locals.len());
        for local in &transition.locals {
            let variable = self.terms.fresh_variable("read", self.terms.sort(*local));
            values.insert(self.terms, *local, variable);
            read.push(variable);
        }
        self.read.extend(&read);
        let guard = self.terms.substitute_all(&transition.guard, &values);
        self.arguments = self.terms.substitute_all(&transition.updates, &values);
        let guard = guard
            .into_iter()
            .flat_map(|formula| self.terms.conjuncts(formula))
            .collect();
        self.require(guard)?;
        for position in 0..self.arguments.len() {
            let argument = self.arguments[position];
            let is_plain = self.terms.is_variable(argument) || !self.terms.has_variables(argument);
            let sort = self.terms.sort(argument);
            if is_plain || matches!(self.terms.sort_of_id(sort), Sort::Array(..)) {
                continue;
            }
            // Terms that grow with each step would take ever longer to put in.
            let variable = self.terms.fresh_variable("then", sort);
            self.conditions.push(self.terms.equal(variable, argument));
            self.read.push(variable);
            self.arguments[position] = variable;
        }
        Some(read)
    }

    /// Conditions on what was read; where one says what something is, this is put into the others and into the goal. `None` if they
    /// cannot hold.
    fn require(&mut self, mut open: Vec<TermId>) -> Option<()> {
        loop {
            open.retain(|condition| *condition != TermId::TRUE);
            if open.contains(&TermId::FALSE) {
                return None;
            }
            let known = open.iter().enumerate().find_map(|(position, condition)| {
                let (variable, value) = solve_equation(self.terms, *condition, &|_| true)?;
                (!self.terms.has_variables(value)).then_some((position, variable, value))
            });
            let Some((position, variable, value)) = known else {
                self.conditions.append(&mut open);
                return Some(());
            };
            self.conditions.push(open.remove(position));
            let mut solution = Substitution::new();
            solution.insert(self.terms, variable, value);
            self.arguments = self.terms.substitute_all(&self.arguments, &solution);
            let left = self.terms.substitute_all(&open, &solution);
            open = left
                .into_iter()
                .flat_map(|condition| self.terms.conjuncts(condition))
                .collect();
        }
    }
}
