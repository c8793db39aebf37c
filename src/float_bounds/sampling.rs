//! Errors by runs with floating-point inputs that are worth trying: the numbers that the program mentions, their neighbours, numbers
//! between them, special ones. A run is tried again to be written down when it has come to the error.

use crate::evidence::Derivation;
use crate::execution::{End, InputValues, Machine, Progress, Request};
use crate::random::Generator;
use crate::rules::{PredicateId, Program, Step};
use crate::terms::{Float, FloatFormat, Terms, Value};

/// How many runs are made, and how many steps they may have together and each.
const RUNS: u64 = 4_000;
const ALL_STEPS: u64 = 60_000;
const STEPS: u64 = 400;
/// How many steps pass between two looks at the limits.
const STEPS_BETWEEN_LOOKS: u64 = 256;

/// A run into the error, if one is found; `stop` says when to give up.
pub(super) fn error_run(program: &Program, marks: &[f64], stop: &dyn Fn() -> bool) -> Option<Derivation> {
    let values = InputValues::new(program);
    let mut machine = Machine::new(program, None);
    let mut all = 0;
    let mut next_look = STEPS_BETWEEN_LOOKS;
    for number in 0..RUNS {
        let (steps, error) = run(program, &mut machine, (number, marks, &values), None);
        if error {
            let mut taken = Vec::new();
            let (_, again) = run(program, &mut machine, (number, marks, &values), Some(&mut taken));
            if again {
                return Some(Derivation::new(taken));
            }
        }
        all += steps + 1;
        if all > next_look {
            next_look = all + STEPS_BETWEEN_LOOKS;
            if all > ALL_STEPS || stop() {
                return None;
            }
        }
    }
    None
}

/// The run of this number: how many steps it took, and whether it came to the error. With a record that cannot be complete it did not.
fn run(
    program: &Program,
    machine: &mut Machine<'_>,
    (number, marks, values): (u64, &[f64], &InputValues),
    mut record: Option<&mut Vec<Step>>,
) -> (u64, bool) {
    let mut random = Generator(number.wrapping_mul(31) + 5);
    let mut choices = Generator(!number);
    let style = Style::new(number, marks, &mut random);
    machine.restart();
    for steps in 0..STEPS {
        // The first runs take the rules in their order.
        let first = if number < 4 { 0 } else { choices.below(8) as usize };
        let mut input = |request: &Request| Some(style.value(&program.terms, request, values, &mut random));
        match machine.step_from(first, &mut input) {
            Progress::Applied(rule) => {
                if let Some(record) = &mut record {
                    let Some(values) = machine.all_values() else {
                        return (steps, false);
                    };
                    record.push(Step { rule, values });
                }
            }
            Progress::Ended(end) => return (steps, end == End::Error),
        }
    }
    (STEPS, machine.predicate() == PredicateId::ERROR)
}

/// What kinds of inputs a run has.
struct Style<'m> {
    number: u64,
    marks: &'m [f64],
    /// Two numbers, between which the others are if they are not anything.
    limits: [f64; 2],
    kind: u64,
}

impl<'m> Style<'m> {
    fn new(number: u64, marks: &'m [f64], random: &mut Generator) -> Style<'m> {
        let mut mark = || {
            let count = marks.len() as u64;
            marks.get(random.below(count) as usize).copied().unwrap_or_default()
        };
        Style {
            number,
            marks,
            limits: [mark(), mark()],
            kind: number % 5,
        }
    }

    fn value(&self, terms: &Terms, request: &Request, values: &InputValues, random: &mut Generator) -> Value {
        match terms.float_format(terms.sort(request.variable)) {
            Some(format) => Value::Float(self.float(format, random)),
            None => values.pick(terms, request, self.number, random),
        }
    }

    fn float(&self, format: FloatFormat, random: &mut Generator) -> Float {
        let [low, high] = self.limits;
        let share = random.below(1 << 24) as f64 / f64::from(1 << 24);
        let kind = if random.below(8) == 0 {
            random.below(6)
        } else {
            self.kind
        };
        let number = match kind {
            // One of two numbers, or one beside them.
            0 => [low, high][random.below(2) as usize],
            1 => {
                let number = Float::from([low, high][random.below(2) as usize]).converted(format);
                let beside = number.bits().wrapping_add(u128::from(random.below(5))).wrapping_sub(2);
                return Float::of_bits(format, beside & ((1 << format.width()) - 1));
            }
            2 => low + (high - low) * share,
            3 => match self.marks.len() {
                0 => share * 100.0 - 50.0,
                count => self.marks[random.below(count as u64) as usize],
            },
            4 => {
                let (Some(least), Some(most)) = (self.marks.first(), self.marks.last()) else {
                    return Float::nan(format);
                };
                least + (most - least) * share
            }
            _ => match random.below(6) {
                0 => return Float::nan(format),
                1 => return Float::infinity(format, random.below(2) == 0),
                2 => return Float::zero(format, true),
                _ => {
                    let bits = u128::from(random.next()) << 64 | u128::from(random.next());
                    return Float::of_bits(format, bits & ((1 << format.width()) - 1));
                }
            },
        };
        Float::from(number).converted(format)
    }
}
