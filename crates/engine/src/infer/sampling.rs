//! Concrete states, by running the rules on random values: seed 001's fuzzing, which needs no solver and gives thousands of
//! states in the time of one query.
//!
//! The random numbers are always the same ones, so that results are too.

use super::machine::{CompiledTransition, Number};
use super::work::{RUNS, RUNS_AT_ONCE, Stop};
use crate::polynomials::State;
use crate::random::Generator;
use crate::rules::{PredicateId, Program};
use crate::steps::{Target, Transitions};
use crate::terms::{Operator, Rational, SortId, TermId, Terms};
use hashbrown::HashSet;

/// How much is run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// How many runs.
    pub runs: usize,
    /// How many steps a run may have.
    pub steps: usize,
    /// How many states are kept for each predicate.
    pub states: usize,
}

/// The sizes of the values that are tried, in turn.
const SCALES: [u64; 9] = [3, 6, 10, 20, 40, 100, 300, 2000, 20000];
/// How often values are tried for what the first rule leaves open, and for what later rules leave open.
const FIRST_ATTEMPTS: usize = 60;
const LATER_ATTEMPTS: usize = 6;
/// The first states of a run at a predicate are all kept, later ones ever more rarely.
const FIRST_VISITS: u64 = 12;

/// The states that were seen at each predicate.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    states: Vec<Vec<State>>,
    seen: Vec<HashSet<Vec<Number>>>,
}

impl Samples {
    /// No states.
    pub fn new(program: &Program) -> Samples {
        let count = program.predicates().len();
        Samples {
            states: vec![Vec::new(); count],
            seen: vec![HashSet::new(); count],
        }
    }

    /// The states at a predicate; truth values are one and zero.
    pub fn at(&self, predicate: PredicateId) -> &[State] {
        &self.states[predicate.index()]
    }

    /// Adds a state found otherwise; whether it is new.
    pub fn add(&mut self, predicate: PredicateId, state: State) -> bool {
        let new = !self.states[predicate.index()].contains(&state);
        if new {
            self.states[predicate.index()].push(state);
        }
        new
    }

    fn record(&mut self, predicate: PredicateId, values: &[Number], limit: usize) {
        let (states, seen) = (&mut self.states[predicate.index()], &mut self.seen[predicate.index()]);
        if states.len() < limit && seen.insert(values.to_vec()) {
            states.push(values.iter().map(|value| value.rational()).collect());
        }
    }
}

/// The rules of a program, ready to be run.
pub(super) struct Runner {
    transitions: Vec<Vec<CompiledTransition>>,
    /// Numbers that the rules mention, and their neighbours: interesting values.
    constants: Vec<i128>,
    random: Generator,
    slots: Vec<Option<Number>>,
}

impl Runner {
    /// Compiles the rules.
    pub fn new(program: &Program, terms: &Terms, transitions: &Transitions, seed: u64) -> Runner {
        let predicates = (0..program.predicates().len()).map(PredicateId::from_index);
        let mut constants = Vec::new();
        let compiled = predicates
            .map(|predicate| {
                let parameters = &program.predicate(predicate).parameters;
                let all = transitions.of(predicate).iter().map(|id| transitions.get(*id));
                all.inspect(|transition| collect_constants(terms, &transition.guard, &mut constants))
                    .map(|transition| CompiledTransition::new(terms, parameters, transition))
                    .collect()
            })
            .collect();
        constants.sort();
        constants.dedup();
        Runner {
            transitions: compiled,
            constants,
            random: Generator(seed),
            slots: Vec::new(),
        }
    }

    /// Runs the program and records the states that it comes through, until enough has been done or `stop` says so.
    pub fn run(&mut self, samples: &mut Samples, effort: Effort, stop: Stop<'_>) {
        for run in 0..effort.runs {
            if run % RUNS_AT_ONCE == 0 && stop(RUNS) {
                return;
            }
            let scale = SCALES[run % SCALES.len()];
            self.run_once(samples, effort, scale);
        }
    }

    /// Runs on from a state that was found otherwise, and records what follows.
    pub fn run_from(&mut self, samples: &mut Samples, effort: Effort, predicate: PredicateId, state: &State) {
        let values: Option<Vec<Number>> = state.iter().map(Number::of).collect();
        if let Some(values) = values {
            for scale in SCALES {
                self.go_on(samples, effort, scale, predicate, values.clone());
            }
        }
    }

    fn run_once(&mut self, samples: &mut Samples, effort: Effort, scale: u64) {
        self.go_on(samples, effort, scale, PredicateId::QUERY, Vec::new());
    }

    fn go_on(
        &mut self,
        samples: &mut Samples,
        effort: Effort,
        scale: u64,
        mut predicate: PredicateId,
        mut values: Vec<Number>,
    ) {
        let mut visits: Vec<u64> = vec![0; self.transitions.len()];
        for step in 0..effort.steps {
            let attempts = if step == 0 { FIRST_ATTEMPTS } else { LATER_ATTEMPTS };
            let Some((next, arguments)) = self.step(predicate, &values, attempts, scale) else {
                return;
            };
            let visit = &mut visits[next.index()];
            *visit += 1;
            if *visit <= FIRST_VISITS || self.random.below(visit.ilog2().into()) == 0 {
                samples.record(next, &arguments, effort.states);
            }
            (predicate, values) = (next, arguments);
        }
    }

    /// One step by a random transition that can be taken and leads to a goal.
    fn step(
        &mut self,
        predicate: PredicateId,
        values: &[Number],
        attempts: usize,
        scale: u64,
    ) -> Option<(PredicateId, Vec<Number>)> {
        let transitions = std::mem::take(&mut self.transitions[predicate.index()]);
        let count = transitions.len();
        let first = self.random.below(count.max(1) as u64) as usize;
        let mut found = None;
        'transitions: for offset in 0..count {
            let transition = &transitions[(first + offset) % count];
            let Target::Goal(target) = transition.target else {
                continue;
            };
            let attempts = if transition.open.is_empty() { 1 } else { attempts };
            for _ in 0..attempts {
                let mut inputs = values.to_vec();
                for sort in &transition.open {
                    let value = self.random_value(*sort, scale, &inputs);
                    inputs.push(value);
                }
                if let Some(arguments) = transition.run(&inputs, &mut self.slots) {
                    found = Some((target, arguments));
                    break 'transitions;
                }
            }
        }
        self.transitions[predicate.index()] = transitions;
        found
    }

    fn random_value(&mut self, sort: SortId, scale: u64, others: &[Number]) -> Number {
        if sort == SortId::BOOL {
            return Number::of_integer(self.random.below(2).into());
        }
        let choice = self.random.below(16);
        if choice == 0 && !self.constants.is_empty() {
            let position = self.random.below(self.constants.len() as u64) as usize;
            return Number::of_integer(self.constants[position]);
        }
        if choice == 1 && !others.is_empty() {
            return others[self.random.below(others.len() as u64) as usize];
        }
        // Values of different sizes beside one another show more than values of one size.
        let scale = match self.random.below(3) {
            0 => SCALES[self.random.below(SCALES.len() as u64) as usize].min(scale),
            _ => scale,
        };
        let size = i128::from(self.random.below(scale + 1));
        // Programs ask for positive inputs more often than for negative ones.
        Number::of_integer(if choice < 5 { -size } else { size })
    }
}

/// The integers in some formulas, and those beside them.
fn collect_constants(terms: &Terms, formulas: &[TermId], constants: &mut Vec<i128>) {
    for term in terms.subterms(formulas) {
        if let (Operator::Number(_), Some(value)) = (terms.operator(term), terms.number_value(term)) {
            let small = Rational::from_integer(1_000_000.into());
            if value.is_integer() && *value < small && *value > -small {
                let value: i128 = value.numer().try_into().unwrap_or_default();
                constants.extend([value - 1, value, value + 1, -value]);
            }
        }
    }
}
