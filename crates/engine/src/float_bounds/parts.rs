//! The limits of the terms of each predicate along the rules: one for each combination of its counters, or one for all.
//!
//! A loop with a fixed number of turns is a state for each of them then, with limits of its own, as if it were unrolled: what is halved
//! in each turn becomes smaller with the counter. Elements of arrays at small indices are terms like parameters. Limits grow at loops
//! until they are inductive, and then become smaller again where the rules say so. If no state leads to the error, these are a proof.
//!
//! Where that is not enough, a parameter that all rules hand on as it is, is cut into cells, and the states of each cell are states of
//! their own: what was calculated of it is near to what it is for this cell.

use super::{between, marks};
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

/// What tells the states of a predicate apart: the cell, and the counters that have one value.
type Key = (usize, Vec<Option<i128>>);

/// What states are told apart by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Apart {
    /// By cells of what is handed on, and by counters.
    Cells,
    /// By counters.
    Counters,
    /// Not at all.
    Nothing,
}

impl Apart {
    /// All ways, those first that cost least and say most.
    pub const ALL: [Apart; 3] = [Apart::Counters, Apart::Cells, Apart::Nothing];
}

/// Into how many cells a parameter is cut.
const CELLS: usize = 64;

/// Limits of the states of all predicates.
pub(super) struct Parts {
    /// The program's terms, with those of the elements.
    pub terms: Terms,
    /// The terms that have limits, for each predicate.
    tracked: Vec<Vec<TermId>>,
    /// The position of a floating-point parameter that the rules hand on as it is, for predicates that have one.
    kept: BTreeMap<PredicateId, usize>,
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

/// Looks for limits; `None` if they have not come to rest.
pub(super) fn limits(program: &Program, apart: Apart, stop: &dyn Fn() -> bool) -> Option<Parts> {
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
    let kept = if apart == Apart::Cells {
        kept(program)
    } else {
        BTreeMap::new()
    };
    if apart == Apart::Cells && kept.is_empty() {
        return None;
    }
    let mut parts = Parts {
        terms,
        kept,
        tracked,
        states: BTreeMap::new(),
        has_error: false,
    };
    let first = (PredicateId::QUERY, Key::default());
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
        for (target, after) in parts.successors(program, &steps, &place, apart, &mut work) {
            if target.0 == PredicateId::ERROR {
                parts.has_error = true;
                if apart != Apart::Nothing {
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
        if work > WORK || stop() || !parts.made_smaller(program, &steps, apart, &mut work) {
            break;
        }
    }
    Some(parts)
}

impl Parts {
    /// Where the rules lead from a state.
    fn successors(
        &mut self,
        program: &Program,
        steps: &[Step],
        place: &(PredicateId, Key),
        apart: Apart,
        work: &mut usize,
    ) -> Vec<((PredicateId, Key), Limits)> {
        let Some(inside) = self.states.get(place).map(|state| state.limits.clone()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for rule in program.rules_of(place.0) {
            let (step, rule) = (&steps[RuleId::index(*rule)], program.rule(*rule));
            let Some(next) = rule.body.first() else { continue };
            let from = (step.from.as_slice(), &inside);
            let (after, looked) = Limits::after(&self.terms, from, &rule.constraint, &step.to);
            *work += looked;
            let Some(after) = after else { continue };
            if next.predicate == PredicateId::ERROR && Limits::exclude(&self.terms, from, &rule.constraint, work) {
                continue;
            }
            let count = next.arguments.len();
            let counters = |limits: &Limits| match apart {
                Apart::Nothing => Vec::new(),
                Apart::Cells | Apart::Counters => limits.counters(count),
            };
            let kept = self
                .kept
                .get(&next.predicate)
                .copied()
                .filter(|_| place.0 == PredicateId::QUERY || place.1.0 == 0);
            let whole = kept.and_then(|kept| Some((next.arguments[kept], after.numbers(count)[kept]?)));
            let Some((argument, limits)) = whole else {
                let cell = if self.kept.contains_key(&next.predicate) {
                    place.1.0
                } else {
                    0
                };
                found.push(((next.predicate, (cell, counters(&after))), after));
                continue;
            };
            for (cell, (low, high)) in cells(limits).into_iter().enumerate() {
                let mut constraint = rule.constraint.clone();
                constraint.extend(between(&mut self.terms, argument, low, high).into_iter().flatten());
                let (after, looked) = Limits::after(&self.terms, from, &constraint, &step.to);
                *work += looked;
                if let Some(after) = after {
                    found.push(((next.predicate, (cell + 1, counters(&after))), after));
                }
            }
        }
        found
    }

    /// The limits that the rules lead to from these, where they are smaller; whether any is.
    fn made_smaller(&mut self, program: &Program, steps: &[Step], apart: Apart, work: &mut usize) -> bool {
        let mut reached: BTreeMap<(PredicateId, Key), Limits> = BTreeMap::new();
        let places: Vec<(PredicateId, Key)> = self.states.keys().cloned().collect();
        for place in &places {
            for (target, after) in self.successors(program, steps, place, apart, work) {
                let joined = reached
                    .get(&target)
                    .map_or_else(|| after.join(&after), |known| known.join(&after));
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
            let formulas = state
                .limits
                .formulas(&mut own.terms, &self.tracked[predicate.index()], true);
            found.extend(formulas.into_iter().map(|formula| (*predicate, formula)));
        }
        (own, found)
    }
}

/// For each predicate a floating-point parameter that is the same one in all rules between predicates that have it.
fn kept(program: &Program) -> BTreeMap<PredicateId, usize> {
    let mut found = BTreeMap::new();
    for index in 0..program.predicates().len() {
        let predicate = PredicateId::from_index(index);
        let parameters = &program.predicate(predicate).parameters;
        let is_kept = |position: &usize| {
            let is_float = program
                .terms
                .float_format(program.terms.sort(parameters[*position]))
                .is_some();
            let mut loops = program.rules_of(predicate).iter().map(|rule| program.rule(*rule));
            is_float
                && loops.all(|rule| match rule.body.first() {
                    Some(next) if next.predicate == predicate => {
                        next.arguments[*position] == rule.head.arguments[*position]
                    }
                    // What leaves a cell is in no cell of another predicate.
                    Some(next) => next.predicate == PredicateId::ERROR,
                    None => true,
                })
        };
        if let Some(position) = (0..parameters.len()).find(is_kept)
            && program.rules_of(predicate).iter().any(|rule| {
                let next = program.rule(*rule).body.first();
                next.is_some_and(|next| next.predicate == predicate)
            })
        {
            found.insert(predicate, position);
        }
    }
    found
}

/// A range in cells, by halves.
fn cells(limits: (f64, f64)) -> Vec<(f64, f64)> {
    let mut cells = vec![limits];
    while cells.len() < CELLS {
        let halves = |(low, high): &(f64, f64)| {
            let middle = low / 2.0 + high / 2.0;
            [(*low, middle), (middle, *high)]
        };
        cells = cells.iter().flat_map(halves).collect();
    }
    cells
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
