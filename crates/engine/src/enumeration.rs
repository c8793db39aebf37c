//! Programs that run by themselves: every state that they come to, one after another.
//!
//! Where nothing is read, or what is read decides little, a program has one run, or a few, and the states on it are a proof: the
//! invariant of a predicate says which ones there are. Nothing is learnt from them, so that a loop of a thousand turns costs a
//! thousand steps, and no solver is asked.
//!
//! Where that is not enough, what is read and has few values is split into these.
//!
//! A state says for each argument its value, or nothing, or of a number its sign; of arrays, elements may be known alone. A condition that this does not
//! decide may hold or not: both are followed. What is reached so includes what the program reaches, and if the error is not
//! among it, the program is safe; if it is, values are looked for with which the way there is a derivation ([`path`]), and if
//! there are none, nothing is known. The seeds have no such step; it is what explicit-state model checkers do.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//!
//! let source = "?- loop(0, 1). loop(I, X) :- I < 500, loop(I + 1, (5 * X + 3) mod 16). loop(I, X) :- I >= 500, X > 15, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let outcome = clausal::enumeration::verify(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

mod ahead;
mod path;
mod signs;
mod to_the_end;

pub use ahead::{Ahead, first_look, looked_ahead, runs_for_long, verify_ahead, verify_long_run};
pub use to_the_end::{verify_each_input, verify_to_the_end};

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, Statistics, StopReason, Verdict};
use crate::evidence::{Certificate, CheckLimits, Derivation, Invariant, check_certificate, replay};
use crate::rules::{PredicateId, Program};
use crate::solver::with_interrupts;
use crate::steps::budget::BudgetWatch;
use crate::steps::elimination::solve_equation;
use crate::steps::transition::{Target, Transition, TransitionId, Transitions};
use crate::terms::{Operator, Range, Rational, Sort, SortId, Substitution, TermId, Terms, ranges};
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// More states than that are no certificate that anybody wants to check.
const MOST_STATES: usize = 100_000;

/// If so many steps have more than one successor, the program does not run by itself.
const MOST_CHOICES: u64 = 400;

/// How far states are gone through.
struct Limits {
    states: usize,
    choices: u64,
    work: u64,
}

/// What may have more values than that is not split.
const MOST_VALUES: u32 = 256;

/// One step is not split into more cases than that.
const MOST_CASES: usize = 512;

impl Limits {
    /// The limits of another look, at states that are split: most of what decides itself so has few thousands.
    fn of_split(&self) -> Limits {
        Limits {
            states: self.states / 5,
            choices: self.states as u64,
            work: self.work / 10,
        }
    }
}

/// What is not supported where an error is met of which nothing is known.
const ERRORS: &str = "errors";

/// So many new terms are one unit of the pace, as the others count their work, and so many elements of arrays that are looked at again: an
/// array that a loop fills has one more in each state.
const TERMS_FOR_A_UNIT: usize = 12;
const ELEMENTS_FOR_A_UNIT: usize = 12;

/// Verifies that no query of the program derives the error, by going through its states.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    let limits = Limits {
        states: MOST_STATES,
        choices: MOST_CHOICES,
        work: u64::MAX,
    };
    verify_within(program, options, &limits)
}

fn verify_within(program: &Program, options: &Options, limits: &Limits) -> Outcome {
    if program.has_calls() {
        return unknown("programs with calls, state by state");
    }
    let run = || {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        with_interrupts(&budget, || enumerated(program, options, limits, &budget))
    };
    match on_deep_stack(run) {
        Ok(outcome) => outcome,
        Err(failure) => engine::failed(failure),
    }
}

/// Whether an error was met to which no run is known, because the states that lead there forget what was read.
pub fn has_met_an_error(outcome: &Outcome) -> bool {
    matches!(&outcome.verdict, Verdict::Unknown(reason) if *reason == not_alone(ERRORS))
}

fn unknown(what: &str) -> Outcome {
    Outcome::unknown(StopReason::NotSupported(what.to_string()))
}

fn not_alone(what: &str) -> StopReason {
    StopReason::NotSupported(format!("{what}, state by state"))
}

fn enumerated(program: &Program, options: &Options, limits: &Limits, budget: &BudgetWatch<'_>) -> Outcome {
    let mut search = Search::new(program, false);
    let mut found = search.run(limits, budget);
    let mut path = match &found {
        Ok(Some(path)) => search.derivation(path, options, budget),
        _ => None,
    };
    let is_open = path.is_none() && !matches!(found, Ok(None));
    if is_open && search.could_split && budget.interruption().is_none() {
        let mut split = Search::new(program, true);
        let more = split.run(&limits.of_split(), budget);
        let split_path = match &more {
            Ok(Some(path)) => split.derivation(path, options, budget),
            _ => None,
        };
        if split_path.is_some() || matches!(more, Ok(None)) {
            (search, found, path) = (split, more, split_path);
        }
    }
    let statistics = Statistics {
        states: search.states.len() as u64,
        seconds: budget.seconds(),
        ..Statistics::default()
    };
    let verdict = match found {
        Ok(Some(_)) => match path {
            Some(derivation) => Verdict::Unsafe(derivation),
            None => Verdict::Unknown(budget.interruption().unwrap_or_else(|| not_alone(ERRORS))),
        },
        Ok(None) => {
            let certificate = search.certificate();
            let limits = CheckLimits {
                query_resources: options.budget.query_resources,
                watch: Some(budget),
            };
            // What is followed here is more than the rules say, by the same simplifications that the checker has: it should
            // agree, and where it cannot, nothing has been found out.
            match check_certificate(program, &certificate, limits) {
                Ok(_) => Verdict::Safe(certificate),
                Err(_) => Verdict::Unknown(budget.interruption().unwrap_or_else(|| {
                    StopReason::SolverGaveUp("checking that the states are all there are".to_string())
                })),
            }
        }
        Err(reason) => Verdict::Unknown(reason),
    };
    Outcome {
        verdict,
        statistics,
        invariants: Vec::new(),
        tree: None,
    }
}

/// A predicate and what is known of its arguments.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    predicate: PredicateId,
    /// A value, or for what is unknown the predicate's own parameter. An array of which only elements are known is its parameter
    /// with these stored.
    arguments: Vec<TermId>,
    /// What else is known of unknown numbers, as formulas on the parameters.
    signs: Vec<TermId>,
}

struct Search<'p> {
    program: &'p Program,
    terms: Terms,
    transitions: Transitions,
    seen: HashSet<State>,
    /// In the order in which they were met.
    states: Vec<State>,
    /// From which state and by which transition each was met first; nothing for the first one.
    origins: Vec<Option<(usize, TransitionId)>>,
    choices: u64,
    /// How many elements of arrays were looked at.
    elements: usize,
    /// Whether what has few values is split into them, and whether there was something like that.
    splits: bool,
    could_split: bool,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, splits: bool) -> Search<'p> {
        let mut terms = program.terms.clone();
        let transitions = Transitions::new(program, &mut terms);
        Search {
            program,
            terms,
            transitions,
            seen: HashSet::new(),
            states: Vec::new(),
            origins: Vec::new(),
            choices: 0,
            elements: 0,
            splits,
            could_split: false,
        }
    }

    /// Goes through the states until there are no more, or to an error: then the transitions on the way there are returned.
    fn run(&mut self, limits: &Limits, budget: &BudgetWatch<'_>) -> Result<Option<Vec<TransitionId>>, StopReason> {
        let start = State {
            predicate: PredicateId::QUERY,
            arguments: Vec::new(),
            signs: Vec::new(),
        };
        self.visit(start, None);
        // Depth first: what runs by itself is followed to its end, and there it may fail soon.
        let mut open = vec![0];
        let mut work = 0;
        while let Some(position) = open.pop() {
            if let Some(reason) = budget.exhausted(self.states.len() as u64, 0) {
                return Err(reason);
            }
            let before = (self.terms.len(), self.elements);
            let state = self.states[position].clone();
            let mut successors = 0;
            for id in self.transitions.of(state.predicate).to_vec() {
                let transition = self.transitions.get(id).clone();
                for (updates, ranges) in self.follow(&state, &transition) {
                    successors += 1;
                    let next = match transition.target {
                        Target::Error => return Ok(Some(self.way_to(position, id))),
                        Target::End => continue,
                        Target::Goal(next) => next,
                    };
                    let arguments = self.known(next, &updates);
                    let parameters = &self.program.predicate(next).parameters;
                    let signs = signs::kept(&mut self.terms, parameters, &arguments, &updates, &ranges);
                    let state = State {
                        predicate: next,
                        arguments,
                        signs,
                    };
                    if self.visit(state, Some((position, id))) {
                        open.push(self.states.len() - 1);
                    }
                }
            }
            self.choices += u64::from(successors > 1);
            let terms = (self.terms.len() - before.0) / TERMS_FOR_A_UNIT;
            let elements = (self.elements - before.1) / ELEMENTS_FOR_A_UNIT;
            work += 1 + (terms + elements) as u64;
            if self.choices > limits.choices || self.states.len() > limits.states || work > limits.work {
                return Err(not_alone("programs with many runs"));
            }
            budget.advance(work);
        }
        Ok(None)
    }

    /// Notes a state; whether it is new.
    fn visit(&mut self, state: State, origin: Option<(usize, TransitionId)>) -> bool {
        let is_new = self.seen.insert(state.clone());
        if is_new {
            self.states.push(state);
            self.origins.push(origin);
        }
        is_new
    }

    /// The transitions that lead to a state, and the last one.
    fn way_to(&self, position: usize, last: TransitionId) -> Vec<TransitionId> {
        let mut way = vec![last];
        let mut current = position;
        while let Some((before, transition)) = self.origins[current] {
            way.push(transition);
            current = before;
        }
        way.reverse();
        way
    }

    /// A derivation by these transitions that the replay accepts.
    fn derivation(&mut self, way: &[TransitionId], options: &Options, budget: &BudgetWatch<'_>) -> Option<Derivation> {
        let resources = options.budget.query_resources;
        let (terms, transitions) = (&mut self.terms, &self.transitions);
        let derivation = path::derivation(self.program, terms, transitions, way, resources, budget)?;
        replay(self.program, &derivation).ok()?;
        Some(derivation)
    }

    /// The arguments of the next goal, if the transition may be taken, and what is known of the numbers in them, case by case.
    fn follow(&mut self, state: &State, transition: &Transition) -> Vec<(Vec<TermId>, BTreeMap<TermId, Range>)> {
        match self.solved(state, transition) {
            Some((updates, guard)) => self.cases(updates, guard),
            None => Vec::new(),
        }
    }

    /// The same before any number is split into its values, with what else must hold.
    fn solved(&mut self, state: &State, transition: &Transition) -> Option<(Vec<TermId>, Vec<TermId>)> {
        let parameters = &self.program.predicate(state.predicate).parameters;
        let values = Substitution::of(&self.terms, parameters, &state.arguments);
        let mut guard = state.signs.clone();
        for formula in &transition.guard {
            let formula = self.terms.substitute(*formula, &values);
            match formula {
                TermId::TRUE => {}
                TermId::FALSE => return None,
                formula => guard.extend(self.terms.conjuncts(formula)),
            }
        }
        let mut updates = self.terms.substitute_all(&transition.updates, &values);
        // What is left may still say what something unknown is.
        while let Some((position, solved)) = guard.iter().enumerate().find_map(|(position, formula)| {
            let solved = solve_equation(&mut self.terms, *formula, &|_| true)?;
            Some((position, solved))
        }) {
            guard.swap_remove(position);
            let mut solution = Substitution::new();
            solution.insert(&self.terms, solved.0, solved.1);
            updates = self.terms.substitute_all(&updates, &solution);
            let mut left = Vec::new();
            for formula in guard {
                match self.terms.substitute(formula, &solution) {
                    TermId::TRUE => {}
                    TermId::FALSE => return None,
                    formula => left.extend(self.terms.conjuncts(formula)),
                }
            }
            guard = left;
        }
        Some((updates, guard))
    }

    /// The cases by the values of numbers that have few.
    fn cases(&mut self, updates: Vec<TermId>, guard: Vec<TermId>) -> Vec<(Vec<TermId>, BTreeMap<TermId, Range>)> {
        let mut cases = Vec::new();
        let mut open = vec![(updates, guard)];
        while let Some((updates, guard)) = open.pop() {
            let Some(ranges) = ranges(&self.terms, &guard) else {
                continue;
            };
            let variables = self.terms.variables_of_all(&updates);
            let few = variables.into_iter().find_map(|variable| {
                let values = ranges.get(&variable)?.values(MOST_VALUES)?;
                Some((variable, values))
            });
            self.could_split |= few.is_some();
            let (variable, values) = match few {
                Some((variable, values)) if self.splits && open.len() + cases.len() + values.len() <= MOST_CASES => {
                    (variable, values)
                }
                _ => {
                    cases.push((updates, ranges));
                    continue;
                }
            };
            for value in values.into_iter().rev() {
                let value = self.terms.number(Rational::from_integer(value), SortId::INT);
                let mut known = Substitution::new();
                known.insert(&self.terms, variable, value);
                let updates = self.terms.substitute_all(&updates, &known);
                let guard = self.terms.substitute_all(&guard, &known);
                let guard: Vec<TermId> = guard
                    .into_iter()
                    .flat_map(|formula| self.terms.conjuncts(formula))
                    .collect();
                if !guard.contains(&TermId::FALSE) {
                    open.push((updates, guard));
                }
            }
        }
        cases
    }

    /// What is known of the arguments of a goal.
    fn known(&mut self, predicate: PredicateId, updates: &[TermId]) -> Vec<TermId> {
        let parameters = &self.program.predicate(predicate).parameters;
        let mut known = Vec::with_capacity(updates.len());
        for (parameter, update) in parameters.iter().zip(updates) {
            known.push(match self.terms.sort_of_id(self.terms.sort(*parameter)) {
                Sort::Array(..) => self.known_array(*parameter, *update),
                _ if self.is_value(*update) => *update,
                _ => *parameter,
            });
        }
        known
    }

    fn is_value(&self, term: TermId) -> bool {
        !self.terms.has_variables(term)
    }

    /// The elements that are known, stored in order.
    fn known_array(&mut self, parameter: TermId, array: TermId) -> TermId {
        if self.is_value(array) {
            return self.terms.with_ordered_stores(array);
        }
        let mut stored: Vec<(TermId, Option<TermId>)> = Vec::new();
        let mut written: HashSet<TermId> = HashSet::new();
        let mut base = array;
        let mut is_whole = true;
        while let (Operator::Store, &[inner, index, value]) = (self.terms.operator(base), self.terms.arguments(base)) {
            self.elements += 1;
            if !self.is_value(index) {
                // Whatever was stored before may have been replaced.
                is_whole = false;
                break;
            }
            if written.insert(index) {
                stored.push((index, Some(value).filter(|value| self.is_value(*value))));
            }
            base = inner;
        }
        let is_known = is_whole && self.is_value(base);
        let mut known = match is_known {
            true => base,
            false => parameter,
        };
        for (index, value) in stored.into_iter().rev() {
            known = match (value, is_known) {
                (Some(value), _) => self.terms.store(known, index, value),
                (None, true) => {
                    let element = self.terms.select(parameter, index);
                    self.terms.store(known, index, element)
                }
                (None, false) => known,
            };
        }
        self.terms.with_ordered_stores(known)
    }

    /// What has been visited, as invariants.
    fn certificate(mut self) -> Certificate {
        let count = self.program.predicates().len();
        let mut disjuncts: Vec<Vec<Vec<TermId>>> = vec![Vec::new(); count];
        for state in std::mem::take(&mut self.states) {
            let parameters = &self.program.predicate(state.predicate).parameters;
            let mut facts = Vec::new();
            for (parameter, argument) in parameters.iter().zip(state.arguments) {
                self.facts(*parameter, argument, &mut facts);
            }
            facts.extend(state.signs);
            disjuncts[state.predicate.index()].push(facts);
        }
        let predicates = (0..count).map(PredicateId::from_index).skip(2);
        let invariants = predicates.map(|predicate| Invariant {
            predicate,
            disjuncts: std::mem::take(&mut disjuncts[predicate.index()]),
        });
        Certificate::new(self.terms, invariants.collect())
    }

    /// What an argument says of its parameter.
    fn facts(&mut self, parameter: TermId, argument: TermId, facts: &mut Vec<TermId>) {
        let mut base = argument;
        let mut elements = Vec::new();
        while let (Operator::Store, &[inner, index, value]) = (self.terms.operator(base), self.terms.arguments(base)) {
            elements.push((index, value));
            base = inner;
        }
        if base != parameter {
            facts.push(self.terms.equal(parameter, argument));
            return;
        }
        for (index, value) in elements.into_iter().rev() {
            let element = self.terms.select(parameter, index);
            facts.push(self.terms.equal(element, value));
        }
    }
}

#[cfg(test)]
mod tests;
