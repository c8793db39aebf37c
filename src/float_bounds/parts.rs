//! The limits of the terms of each predicate along the rules: one for each combination of its counters, or one for all.
//!
//! A loop with a fixed number of turns is a state for each of them then, with limits of its own, as if it were unrolled: what is halved
//! in each turn becomes smaller with the counter. Elements of arrays at small indices are terms like parameters. Limits grow at loops
//! until they are inductive, and then become smaller again where the rules say so. If no state leads to the error, these are a proof.

use super::marks;
use crate::evidence::{Certificate, Invariant};
use crate::rules::{PredicateId, Program, Rule, RuleId};
use crate::solver::Limits;
use crate::terms::{Sort, SortId, TermId, Terms};
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, VecDeque};

/// After so many changes the limits of a state grow to the next mark.
const PATIENCE: usize = 4;
/// How often the limits of all states are made smaller.
const SMALLER: usize = 12;
/// How many terms are looked at, in all.
const WORK: usize = 6_000_000;
/// More states than this are not told apart.
const MOST_STATES: usize = 300;
/// Elements with indices below this are looked at one by one.
const MOST_ELEMENTS: usize = 16;
/// So many elements of a predicate at most.
const MOST_TRACKED: usize = 64;

/// What tells the states of a predicate apart: the counters that have one value.
type Key = Vec<Option<i128>>;

/// Limits of the states of all predicates.
pub(super) struct Parts {
    /// The program's terms, with those of the elements.
    pub terms: Terms,
    /// The terms that have limits, for each predicate.
    tracked: Vec<Vec<TermId>>,
    states: BTreeMap<(PredicateId, Key), State>,
    /// Whether a state leads to the error.
    pub has_error: bool,
}

struct State {
    limits: Limits,
    changes: usize,
}

/// A rule's terms: those of its head and of its body that have limits.
struct Step {
    from: Vec<TermId>,
    to: Vec<TermId>,
}

/// Looks for limits; `None` if they have not come to rest. Without counters that tell states apart there is one state for each predicate.
pub(super) fn limits(program: &Program, by_counters: bool, stop: &dyn Fn() -> bool) -> Option<Parts> {
    let marks = marks(program);
    let mut terms = program.terms.clone();
    let count = elements(program);
    let predicates = (0..program.predicates().len()).map(PredicateId::from_index);
    let tracked: Vec<Vec<TermId>> = predicates
        .map(|predicate| tracked(&mut terms, &program.predicate(predicate).parameters, count))
        .collect();
    let steps: Vec<Step> = program
        .rules()
        .iter()
        .map(|rule| Step {
            from: self::tracked(&mut terms, &rule.head.arguments, count),
            to: match rule.body.first() {
                Some(atom) => self::tracked(&mut terms, &atom.arguments, count),
                None => Vec::new(),
            },
        })
        .collect();
    let mut parts = Parts {
        terms,
        tracked,
        states: BTreeMap::new(),
        has_error: false,
    };
    let first = (PredicateId::QUERY, Key::new());
    parts.states.insert(
        first.clone(),
        State {
            limits: Limits::default(),
            changes: 0,
        },
    );
    let mut open = VecDeque::from([first]);
    let mut work = 0;
    while let Some(place) = open.pop_front() {
        for (target, after) in parts.successors(program, &steps, &place, by_counters, &mut work) {
            if target.0 == PredicateId::ERROR {
                parts.has_error = true;
                if by_counters {
                    return Some(parts);
                }
                continue;
            }
            let state = parts.states.get(&target);
            let now = match state {
                None => after.join(&after),
                Some(state) => {
                    let joined = state.limits.join(&after);
                    match state.changes > PATIENCE {
                        true => joined.widened(&state.limits, &marks),
                        false => joined,
                    }
                }
            };
            if state.is_none_or(|state| state.limits != now) {
                let changes = state.map_or(0, |state| state.changes + 1);
                parts.states.insert(target.clone(), State { limits: now, changes });
                if !open.contains(&target) {
                    open.push_back(target);
                }
            }
        }
        if work > WORK || parts.states.len() > MOST_STATES || stop() {
            return None;
        }
    }
    for _ in 0..SMALLER {
        if work > WORK || stop() || !parts.made_smaller(program, &steps, by_counters, &mut work) {
            break;
        }
    }
    Some(parts)
}

impl Parts {
    /// Where the rules lead from a state.
    fn successors(
        &self,
        program: &Program,
        steps: &[Step],
        place: &(PredicateId, Key),
        by_counters: bool,
        work: &mut usize,
    ) -> Vec<((PredicateId, Key), Limits)> {
        let Some(state) = self.states.get(place) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for rule in program.rules_of(place.0) {
            let (step, rule) = (&steps[RuleId::index(*rule)], program.rule(*rule));
            let Some(next) = rule.body.first() else { continue };
            let from = (step.from.as_slice(), &state.limits);
            let (after, looked) = Limits::after(&self.terms, from, &rule.constraint, &step.to);
            *work += looked;
            let Some(after) = after else { continue };
            if next.predicate == PredicateId::ERROR && Limits::exclude(&self.terms, from, &rule.constraint, work) {
                continue;
            }
            let count = next.arguments.len();
            let key = if by_counters { after.counters(count) } else { Key::new() };
            found.push(((next.predicate, key), after));
        }
        found
    }

    /// The limits that the rules lead to from these, where they are smaller; whether any is.
    fn made_smaller(&mut self, program: &Program, steps: &[Step], by_counters: bool, work: &mut usize) -> bool {
        let mut reached: BTreeMap<(PredicateId, Key), Limits> = BTreeMap::new();
        for place in self.states.keys() {
            for (target, after) in self.successors(program, steps, place, by_counters, work) {
                let joined = reached.get(&target).map_or_else(|| after.join(&after), |known| known.join(&after));
                reached.insert(target, joined);
            }
        }
        let mut is_smaller = false;
        for (place, state) in &mut self.states {
            if let Some(limits) = reached.get(place)
                && *limits != state.limits
                && state.limits.includes(limits)
            {
                state.limits = limits.clone();
                is_smaller = true;
            }
        }
        self.has_error = reached.keys().any(|(predicate, _)| *predicate == PredicateId::ERROR);
        is_smaller
    }

    /// Whether a floating-point parameter may be anything, so that single steps keep no limits of it.
    pub fn has_no_limits(&self, program: &Program) -> bool {
        let mut states = self.states.iter();
        states.any(|((predicate, _), state)| {
            let parameters = &program.predicate(*predicate).parameters;
            state.limits.leave_open(&program.terms, parameters)
        })
    }

    /// The proof that these limits are.
    pub fn certificate(mut self, program: &Program) -> Certificate {
        let mut invariants = Vec::new();
        for index in 0..program.predicates().len() {
            let predicate = PredicateId::from_index(index);
            if predicate == PredicateId::QUERY || predicate == PredicateId::ERROR {
                continue;
            }
            let states = self.states.iter().filter(|((at, _), _)| *at == predicate);
            let tracked = &self.tracked[index];
            let disjuncts = states
                .map(|(_, state)| state.limits.formulas(&mut self.terms, tracked, true))
                .collect();
            invariants.push(Invariant { predicate, disjuncts });
        }
        Certificate::new(self.terms, invariants)
    }

    /// What holds of each predicate that is reached, if each has one state, and the program with the terms of that.
    pub fn lemmas(self, program: &Program) -> (Program, Vec<(PredicateId, TermId)>) {
        let mut own = program.clone();
        own.terms = self.terms;
        let mut found = Vec::new();
        for ((predicate, _), state) in &self.states {
            let formulas = state.limits.formulas(&mut own.terms, &self.tracked[predicate.index()], true);
            found.extend(formulas.into_iter().map(|formula| (*predicate, formula)));
        }
        (own, found)
    }
}

/// Terms, and after them the elements of those that are arrays.
fn tracked(terms: &mut Terms, of: &[TermId], count: usize) -> Vec<TermId> {
    let mut found = of.to_vec();
    for array in of {
        let Sort::Array(SortId::INT, element) = terms.sort_of_id(terms.sort(*array)) else {
            continue;
        };
        if !matches!(terms.sort_of_id(element), Sort::Float(_) | Sort::Int) {
            continue;
        }
        for index in 0..count.min(MOST_TRACKED.saturating_sub(found.len())) {
            let index = terms.integer(index as i64);
            found.push(terms.select(*array, index));
        }
    }
    found
}

/// How many elements of arrays are looked at: up to the greatest number that the program mentions, if that is small.
fn elements(program: &Program) -> usize {
    let terms = &program.terms;
    let roots: Vec<TermId> = program.rules().iter().flat_map(Rule::terms).collect();
    let numbers = terms.subterms(&roots).into_iter().filter_map(|term| {
        let number = terms.number_value(term).filter(|number| number.is_integer())?;
        number.to_integer().to_usize()
    });
    let most = numbers.filter(|number| *number < MOST_ELEMENTS).max();
    most.map_or(1, |most| most + 1)
}
