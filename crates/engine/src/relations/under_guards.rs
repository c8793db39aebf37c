//! Guesses at what holds whenever a rule may be used: what the states of runs under its guard have in common.
//!
//! A program whose threads take turns does one thing after another in a state that is told apart by variables with few values. What is known of
//! its other variables depends on what may be done next: where the third thread can run, the token is what the first one has got and two more.
//! So each rule's guard, and each part of it of one or two literals, is asked of the states that random runs have come to, at every predicate
//! that has the same variables (`steps/same_variables`), and what these states [have in common](super::columns) is guessed. Of a variable that is
//! only ever set to constants (`steps/control`) its values are something to have in common; others are numbers. Seed 001 infers in the same
//! way what holds at a location, which is a condition that programs with locations need not find.
//!
//! Most of that says the same thing in several ways: that two threads are not active at once follows from what the token is where each of them
//! is. So what follows from guesses before it is none, and equations come first.

use super::columns::{Columns, Wanted};
use super::offers::{Guesses, Offered};
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::solver::{Answer, LINEAR_EFFORT, Layer, LinearLayer};
use crate::steps::rows::Rows;
use crate::steps::{ControlVariables, SameVariables, Transitions};
use crate::terms::{Assignment, Operator, Substitution, TermId, Terms, Value};
use hashbrown::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};

/// So many states agree before that is taken for more than an accident.
const SUPPORT: u32 = 4;
/// Inputs are large numbers, which span nothing but accidents where there are few of them.
const WANTED: Wanted = Wanted {
    together: 2,
    spare: 2,
    largest: Some(10_000),
    subtractions: 20_000,
};
/// The literals of one guard that are looked at, the first; and those of all, with their pairs.
const MOST_OF_GUARD: usize = 12;
const MOST_GUARDS: usize = 2_000;
/// Guesses about one predicate.
const MOST_OF_PREDICATE: usize = 2_000;
/// The work of asking whether a guess follows from others, beside what linear arithmetic looks at.
const QUESTION: u64 = 4;
/// So many states of which it is asked whether a literal holds are a unit of work, and so many rows of which it is asked what they have in common.
const STATES: u64 = 32;
const ROWS: u64 = 256;

/// Guesses about what is reached.
pub(super) struct UnderGuards<'p> {
    program: &'p Program,
    /// The predicates with states that were seen, as values of their parameters. They are looked at once.
    seen: Vec<(PredicateId, Vec<Vec<Value>>)>,
}

/// The states of one predicate.
struct Table {
    columns: Columns,
    /// Conditions on them, each with the states in which it holds; those about control variables first, and of these the shortest.
    guards: Vec<(Vec<TermId>, Rows)>,
}

/// Literals about parameters of one predicate that some rule has together in its guard.
type Guard = (PredicateId, Vec<TermId>);

/// What is read off a program's rules.
struct Setting<'p> {
    program: &'p Program,
    control: ControlVariables,
    same: SameVariables,
    guards: BTreeSet<Guard>,
}

/// Whether some variable of a program is only ever set to constants.
pub(super) fn fits(program: &Program) -> bool {
    let mut terms = program.terms.clone();
    let transitions = Transitions::new(program, &mut terms);
    let control = ControlVariables::new(program, &DependencyGraph::new(program), &transitions, &terms);
    let mut all = (0..program.predicates().len()).map(PredicateId::from_index);
    all.any(|predicate| !control.of_loop(program, predicate).is_empty())
}

impl<'p> Setting<'p> {
    fn new(terms: &mut Terms, program: &'p Program) -> Setting<'p> {
        let transitions = Transitions::new(program, terms);
        let graph = DependencyGraph::new(program);
        Setting {
            program,
            control: ControlVariables::new(program, &graph, &transitions, terms),
            same: SameVariables::new(program, &transitions),
            guards: guards(terms, program, &transitions),
        }
    }

    /// The states of a predicate, told apart by guards; `None` if there is nothing to guess from, or it is time to stop.
    fn table(
        &self,
        terms: &mut Terms,
        (predicate, states): (PredicateId, &[Vec<Value>]),
        spend: &dyn Fn(u64) -> bool,
    ) -> Option<Table> {
        let control = self.control.of_loop(self.program, predicate);
        if states.len() as u32 <= SUPPORT || control.is_empty() {
            return None;
        }
        let guards = self.guards_at(terms, (predicate, &control), states, spend)?;
        let rows: Vec<&Vec<Value>> = states.iter().collect();
        let mut columns = Columns::new(terms, &self.program.predicate(predicate).parameters, &rows, &control);
        // A comparison that guards make can hold under another guard, too.
        for (literals, rows) in &guards {
            if let [literal] = literals[..]
                && columns.flags.iter().all(|(_, known)| known != rows)
            {
                columns.flags.push((literal, rows.clone()));
            }
        }
        Some(Table { columns, guards })
    }

    /// A guard where another predicate is reached: about its parameters that are the same variables, if all of them are there.
    fn elsewhere(&self, terms: &mut Terms, (predicate, literals): &Guard, place: PredicateId) -> Option<Vec<TermId>> {
        let own = &self.program.predicate(*predicate).parameters;
        let parameters = &self.program.predicate(place).parameters;
        let variables = terms.variables_of_all(literals);
        let there = variables.iter().map(|variable| {
            let position = own.iter().position(|parameter| parameter == variable)?;
            let position = self.same.position_in((*predicate, position), place)?;
            parameters.get(position).copied()
        });
        let there = there.collect::<Option<Vec<TermId>>>()?;
        let renaming = Substitution::of(terms, &variables, &there);
        Some(terms.substitute_all(literals, &renaming))
    }

    /// Those guards that can be asked of the states of a predicate, each kind of states once; `None` if it is time to stop.
    fn guards_at(
        &self,
        terms: &mut Terms,
        (predicate, control): (PredicateId, &[TermId]),
        states: &[Vec<Value>],
        spend: &dyn Fn(u64) -> bool,
    ) -> Option<Vec<(Vec<TermId>, Rows)>> {
        // Of two with the same states the one about control variables says what may be done there, and the other what is to be guessed.
        let rank = |terms: &Terms, literals: Vec<TermId>| {
            let is_calculated = |literal: &&TermId| !terms.variables(**literal).iter().all(|one| control.contains(one));
            let calculated = literals.iter().filter(is_calculated).count();
            (calculated, literals.len(), literals)
        };
        let parameters = &self.program.predicate(predicate).parameters;
        let assigned = |state: &Vec<Value>| parameters.iter().copied().zip(state.iter().cloned()).collect();
        let states: Vec<Assignment> = states.iter().map(assigned).collect();
        let mut holding: HashMap<TermId, Rows> = HashMap::new();
        let mut best: BTreeMap<Rows, (usize, usize, Vec<TermId>)> = BTreeMap::new();
        for guard in &self.guards {
            if spend(1) {
                return None;
            }
            let Some(literals) = self.elsewhere(terms, guard, predicate) else {
                continue;
            };
            let mut rows = Rows::of(states.iter().map(|_| true));
            for literal in &literals {
                let own = holding.entry(*literal).or_insert_with(|| {
                    spend((states.len() as u64).div_ceil(STATES));
                    Rows::of(states.iter().map(|state| terms.holds(*literal, state) == Some(true)))
                });
                rows = rows.and(own);
            }
            if !(SUPPORT..states.len() as u32).contains(&rows.count()) {
                continue;
            }
            let rank = rank(terms, literals);
            match best.get_mut(&rows) {
                Some(known) if *known <= rank => {}
                Some(known) => *known = rank,
                None => drop(best.insert(rows, rank)),
            }
        }
        let mut found: Vec<_> = best.into_iter().map(|(rows, rank)| (rank, rows)).collect();
        found.sort();
        Some(
            found
                .into_iter()
                .map(|((.., literals), rows)| (literals, rows))
                .collect(),
        )
    }
}

/// The parts of guards of one literal and of two, that are about parameters.
fn guards(terms: &Terms, program: &Program, transitions: &Transitions) -> BTreeSet<Guard> {
    let mut found = BTreeSet::new();
    for predicate in (0..program.predicates().len()).map(PredicateId::from_index) {
        let parameters = &program.predicate(predicate).parameters;
        for id in transitions.of(predicate) {
            let is_own = |literal: &TermId| {
                let variables = terms.variables(*literal);
                let is_atom = !matches!(terms.operator(*literal), Operator::And | Operator::Or);
                is_atom && !variables.is_empty() && variables.iter().all(|one| parameters.contains(one))
            };
            let guard = transitions.get(*id).guard.iter().copied();
            let guard: Vec<TermId> = guard.filter(is_own).take(MOST_OF_GUARD).collect();
            for (position, one) in guard.iter().enumerate() {
                found.insert((predicate, vec![*one]));
                let others = guard[position + 1..].iter();
                found.extend(others.map(|other| (predicate, vec![*one, *other])));
            }
            if found.len() > MOST_GUARDS {
                return found;
            }
        }
    }
    found
}

impl Table {
    /// What states have in common, everywhere and under guards: which values there are, and then what is about numbers first.
    fn guesses(&self, terms: &mut Terms, spend: &dyn Fn(u64) -> bool) -> Vec<TermId> {
        let everywhere = (Vec::new(), Rows::of((0..self.columns.count).map(|_| true)));
        let mut guessed: HashMap<TermId, Vec<&Rows>> = HashMap::new();
        let (mut of_numbers, mut of_flags) = (Vec::new(), Vec::new());
        for (guard, rows) in std::iter::once(&everywhere).chain(&self.guards) {
            let is_enough = of_numbers.len() + of_flags.len() >= MOST_OF_PREDICATE;
            if is_enough || spend(self.columns.cost(rows.count()).div_ceil(ROWS)) {
                break;
            }
            let denied: Vec<TermId> = guard.iter().map(|literal| terms.not(*literal)).collect();
            for conclusion in self.columns.common(terms, rows, WANTED) {
                let known = guessed.entry(conclusion).or_default();
                if known.iter().any(|wider| rows.is_within(wider)) {
                    continue;
                }
                let parts = [&denied[..], &[conclusion]].concat();
                let guess = terms.or(&parts);
                if guess == TermId::TRUE {
                    continue;
                }
                // What a guard says of its own variables tells of no other guard's.
                let about = terms.variables(conclusion);
                if !terms.variables_of_all(guard).iter().any(|one| about.contains(one)) {
                    known.push(rows);
                }
                match self.columns.flags.iter().any(|(flag, _)| *flag == conclusion) {
                    true => of_flags.push(guess),
                    false => of_numbers.push(guess),
                }
            }
        }
        let domains = self.columns.domains.iter().copied();
        domains.chain(of_numbers).chain(of_flags).collect()
    }
}

impl<'p> UnderGuards<'p> {
    /// Guesses from states of these predicates, as values of their parameters.
    pub fn new(
        program: &'p Program,
        seen: impl IntoIterator<Item = (PredicateId, Vec<Vec<Value>>)>,
    ) -> UnderGuards<'p> {
        UnderGuards {
            program,
            seen: seen.into_iter().collect(),
        }
    }
}

impl Guesses for UnderGuards<'_> {
    fn guess(&mut self, terms: &mut Terms, _stand: &HashSet<TermId>, spend: &dyn Fn(u64) -> bool) -> Vec<Offered> {
        let seen = std::mem::take(&mut self.seen);
        if seen.is_empty() {
            return Vec::new();
        }
        let setting = Setting::new(terms, self.program);
        let mut offered = Vec::new();
        for (predicate, states) in seen {
            let Some(table) = setting.table(terms, (predicate, &states), spend) else {
                continue;
            };
            let mut known = LinearLayer::default();
            for formula in table.guesses(terms, spend) {
                let before = known.effort();
                let denial = terms.not(formula);
                known.push();
                known.assume(terms, denial);
                // What linear arithmetic does not decide does not follow plainly.
                let follows = known.check(terms) == Answer::Unsatisfiable;
                known.pop(1);
                if spend(QUESTION + (known.effort() - before) / LINEAR_EFFORT) {
                    return Vec::new();
                }
                if !follows {
                    known.assume(terms, formula);
                    offered.push(Offered {
                        predicate,
                        formula,
                        implied_by: Vec::new(),
                    });
                }
            }
        }
        offered
    }
}

#[cfg(test)]
mod tests;
