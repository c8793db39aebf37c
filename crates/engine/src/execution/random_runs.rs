//! Random runs: the states that a program comes to on inputs that nobody chose. Random numbers are always the same ones, so that
//! what is concluded from the states is, too.

use super::{Machine, Progress};
use crate::random::Generator;
use crate::rules::{PredicateId, Program};
use crate::terms::{ArrayValue, Rational, Sort, SortId, Terms, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often a rule is tried that reads inputs.
const ATTEMPTS: usize = 6;
/// Numbers of more bits end a run: steps would cost more and more.
const MOST_BITS: u64 = 10_000;

/// Elements of arrays that are out of the range of other numbers are so many times larger.
const OUT_OF_RANGE: i64 = 9;

/// How much is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// How many runs there are.
    pub runs: usize,
    /// How many steps a run may have.
    pub steps: usize,
    /// How many steps are taken in all, but for those of the last run.
    pub all_steps: usize,
    /// How many states of a predicate are kept.
    pub states: usize,
    /// After so many runs in a row that come to no state that is new, no more is expected.
    pub patience: usize,
}

/// The states that were seen at each predicate: values of its parameters. `stop` is told how many steps have been taken, and says
/// whether these are enough.
pub(crate) fn visited_states(
    program: &Program,
    extent: Extent,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Vec<Vec<Vec<Value>>> {
    let mut seen: Vec<BTreeSet<Vec<Value>>> = vec![BTreeSet::new(); program.predicates().len()];
    let mut states: Vec<Vec<Vec<Value>>> = vec![Vec::new(); program.predicates().len()];
    let mut steps = 0;
    let mut choice = Generator(1);
    let mut machine = Machine::new(program, None);
    let mut idle = 0;
    for run in 0..extent.runs {
        if idle >= extent.patience || steps > extent.all_steps || stop(steps as u64) {
            break;
        }
        idle += 1;
        let mut inputs = Inputs::new(run);
        machine.restart();
        let mut visits: Vec<u64> = vec![0; program.predicates().len()];
        for _ in 0..extent.steps {
            steps += 1;
            let mut is_applied = false;
            for _ in 0..ATTEMPTS {
                let first = choice.below(8) as usize;
                let progress = machine.step_from(first, &mut |request| {
                    Some(inputs.value(&program.terms, program.terms.sort(request.variable)))
                });
                is_applied = matches!(progress, Progress::Applied(_));
                if is_applied {
                    break;
                }
            }
            let at = machine.predicate();
            if !is_applied || at == PredicateId::ERROR || machine.largest_bits() > MOST_BITS {
                break;
            }
            let index = at.index();
            visits[index] += 1;
            if states[index].len() < extent.states && choice.below(visits[index].min(10)) < 2 {
                let values = machine.arguments();
                let is_whole = values.len() == program.predicate(at).parameters.len();
                if is_whole && seen[index].insert(values.clone()) {
                    states[index].push(values);
                    idle = 0;
                }
            }
        }
    }
    states
}

/// How the inputs of a run are chosen.
struct Inputs {
    random: Generator,
    kind: usize,
    last: i64,
}

impl Inputs {
    fn new(run: usize) -> Inputs {
        let mut random = Generator(run as u64 * 2 + 77);
        Inputs {
            kind: run % 6,
            last: random.below(5) as i64,
            random,
        }
    }

    fn number(&mut self) -> i64 {
        let mut within = |low: i64, high: i64| low + self.random.below((high - low + 1).unsigned_abs()) as i64;
        self.last = match self.kind {
            0 => within(0, 4),
            1 => within(-2, 7),
            2 => self.last + within(0, 2),
            3 => self.last - within(-1, 1),
            4 => within(0, 1) * within(1, 5),
            _ => within(-9, 9),
        };
        self.last
    }

    /// A value of an element; in some runs a few are out of the range of what is written, so that what holds of that is not taken for what
    /// holds of all.
    fn element(&mut self, terms: &Terms, sort: SortId) -> Value {
        let value = self.value(terms, sort);
        match value {
            Value::Number(number) if matches!(self.kind, 1 | 5) && self.random.below(4) == 0 => {
                Value::Number(number * Rational::from_integer(OUT_OF_RANGE.into()))
            }
            value => value,
        }
    }

    fn value(&mut self, terms: &Terms, sort: SortId) -> Value {
        match terms.sort_of_id(sort) {
            Sort::Int => Value::Number(Rational::from_integer(self.number().into())),
            Sort::Bool => Value::Bool(self.random.below(2) == 0),
            Sort::Array(SortId::INT, element) if matches!(terms.sort_of_id(element), Sort::Int | Sort::Bool) => {
                let mut array = ArrayValue {
                    default: self.element(terms, element),
                    elements: Default::default(),
                };
                for index in -1..10i64 {
                    let index = Value::Number(Rational::from_integer(index.into()));
                    array = array.with(index, self.element(terms, element));
                }
                Value::Array(Arc::new(array))
            }
            _ => terms.default_value(sort),
        }
    }
}
