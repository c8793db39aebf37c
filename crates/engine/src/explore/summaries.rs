//! Inner loops as single steps of outer ones: where it is determined how often an inner loop runs, and by a term over the values at
//! its entry, an outer cycle need not leave its template there. `for (j = 0; j < m; j++) s++` is the step `s += max(m, 0)`, along
//! which the outer loop's values may follow progressions. This is not in seed 002, whose templates are of cycles that meet no
//! location twice.
//!
//! The number of iterations is exact, because the loop has one core, of whose conditions one changes with the iteration, a linear
//! bound that is reached from below, and because no way out can be taken where the core can: the loop is left in the first iteration
//! whose conditions are false, and not before.

use super::context::Context;
use super::cycles::{Answered, Cycle, cycles_avoiding, guards_are_satisfiable};
use super::state::Location;
use super::template::{Phase, compute_phase, exit_along};
use crate::rules::PredicateId;
use crate::steps::{Target, Transition, TransitionId};
use crate::terms::{Comparison, SortId, Substitution, TermId};
use num_traits::Signed;

/// An inner loop that is gone through, and left.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    /// One iteration.
    pub core: Vec<TransitionId>,
    /// The edges after the last whole iteration.
    pub path: Vec<TransitionId>,
    /// How many iterations there are, over the parameters of the loop's entry.
    pub count: TermId,
    /// κ, a number of iterations.
    pub counter: TermId,
    /// The memory after κ iterations, over the parameters of the loop's entry.
    pub memory: Vec<TermId>,
}

impl Context<'_> {
    /// The steps from a location within the loop of another: those that go through an inner loop and leave it, if its number
    /// of iterations is determined, otherwise all transitions.
    pub fn steps_within(&mut self, outer: PredicateId, location: PredicateId) -> Vec<TransitionId> {
        if outer == location || !self.summarizes || !self.graph.is_loop_header(location) {
            return self.transitions.of(location).to_vec();
        }
        if let Some(known) = self.steps_through.get(&(outer, location)) {
            return known.clone();
        }
        let steps = summarize(self, outer, location).unwrap_or_else(|| self.transitions.of(location).to_vec());
        self.steps_through.insert((outer, location), steps.clone());
        steps
    }
}

/// The inner loop at a location as steps, one for each way out.
fn summarize(context: &mut Context, outer: PredicateId, location: PredicateId) -> Option<Vec<TransitionId>> {
    let cycles = cycles_avoiding(context, location, outer)?;
    let [cycle] = &cycles[..] else { return None };
    let is_innermost = cycle.core.iter().all(|edge| match context.target(*edge) {
        Location::Predicate(predicate) => predicate == location || !context.graph.is_loop_header(predicate),
        Location::Error | Location::End => false,
    });
    let paths = ways_out(cycle);
    let edges = || cycle.core.iter().chain(paths.iter().flatten());
    if !is_innermost || edges().any(|edge| !context.transition(*edge).locals.is_empty()) {
        return None;
    }
    let computed = compute_phase(context, std::slice::from_ref(cycle), "κ", false)?;
    let mut roots = computed.memory.clone();
    roots.extend(computed.phase.body.iter().copied());
    if context.needs_care(&roots) || !computed.facts.is_empty() || !computed.symbols.is_empty() {
        return None;
    }
    let count = iterations(context, &computed.phase)?;
    let along = context.execute_path(location, &cycle.core, &mut str::to_string);
    for path in &paths {
        let mut left = context.execute_path(location, path, &mut str::to_string);
        left.guards.extend_from_slice(&along.guards);
        if guards_are_satisfiable(context, &left) != Answered::No {
            return None;
        }
    }
    let mut substitution = Substitution::new();
    substitution.insert(&context.terms, computed.phase.counter, count);
    let after = context.terms.substitute_all(&computed.memory, &substitution);
    let rule = context.transition(*cycle.core.first()?).rule;
    let mut steps = Vec::new();
    for path in paths {
        let Some(exit) = exit_along(context, location, path.clone(), &after) else {
            continue;
        };
        let step = context.transitions.add(Transition {
            rule,
            target: match exit.location {
                Location::Predicate(predicate) => Target::Goal(predicate),
                Location::Error => Target::Error,
                Location::End => Target::End,
            },
            guard: exit.guards,
            updates: exit.memory,
            locals: Vec::new(),
            solution: Vec::new(),
        });
        let summary = Summary {
            core: cycle.core.clone(),
            path,
            count,
            counter: computed.phase.counter,
            memory: computed.memory.clone(),
        };
        context.summaries.insert(step, summary);
        steps.push(step);
    }
    Some(steps)
}

/// The paths that begin as the core does and leave it with their last edge.
fn ways_out(cycle: &Cycle) -> Vec<Vec<TransitionId>> {
    let path = |(position, edge): &(usize, TransitionId)| {
        let mut path = cycle.core[..*position].to_vec();
        path.push(*edge);
        path
    };
    cycle.exits.iter().map(path).collect()
}

/// The number of the first iteration in which the conditions of a phase are false.
fn iterations(context: &mut Context, phase: &Phase) -> Option<TermId> {
    let terms = &mut context.terms;
    let (changing, constant): (Vec<TermId>, Vec<TermId>) = phase
        .body
        .iter()
        .partition(|conjunct| terms.variables(**conjunct).contains(&phase.iteration));
    let [bound] = changing[..] else { return None };
    let atom = terms.linear_atom(bound)?;
    let slope = atom.form.coefficient(phase.iteration);
    let mut rest = atom.form.clone();
    rest.terms.retain(|(term, _)| *term != phase.iteration);
    let others: Vec<TermId> = rest.terms.iter().map(|(term, _)| *term).collect();
    let integral = rest.constant.is_integer()
        && rest
            .terms
            .iter()
            .all(|(term, coefficient)| terms.sort(*term) == SortId::INT && coefficient.is_integer());
    let nested = terms.variables_of_all(&others).contains(&phase.iteration);
    if nested || !integral || !slope.is_integer() || !slope.is_positive() {
        return None;
    }
    // slope·τ + rest ≤ 0, so τ goes from 0 to -rest div slope, if rest ≤ 0.
    let rest = terms.linear_term(&rest, SortId::INT);
    let (zero, one) = (terms.integer(0), terms.integer(1));
    let rest = match atom.comparison {
        Comparison::LessOrEqual => rest,
        Comparison::Less => terms.add(rest, one),
        Comparison::Equal => return None,
    };
    let slope = terms.number(slope, SortId::INT);
    let negated = terms.negate(rest);
    let last = terms.integer_divide(negated, slope);
    let count = terms.add(last, one);
    let mut conditions = constant;
    conditions.push(terms.less_or_equal(rest, zero));
    let some = terms.and(&conditions);
    Some(terms.if_then_else(some, count, zero))
}
