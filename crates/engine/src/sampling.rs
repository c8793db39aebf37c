//! Errors by runs with inputs that are worth trying: of floating-point numbers those that the program mentions, their neighbours, numbers
//! between them, special ones; of integers that are looked at bit by bit few bits, nearly all of them, and any. A run is tried again to be
//! written down when it has come to the error.

mod guided;
mod trials;

pub use trials::error_by_trials;
pub(crate) use trials::{found_by_run, verify_by_trials};

use crate::evidence::Derivation;
use crate::execution::{End, InputValues, Machine, Progress, Request};
use crate::random::Generator;
use crate::rules::{PredicateId, Program, Step};
use crate::terms::{Float, FloatFormat, Rational, SortId, Terms, Value};
use num_bigint::BigInt;
use num_traits::One;

/// How many runs are made, and how many steps they may have together and each.
const RUNS: u64 = 4_000;
const ALL_STEPS: u64 = 60_000;
const STEPS: u64 = 400;
/// How many steps pass between two looks at the limits.
const STEPS_BETWEEN_LOOKS: u64 = 256;

/// Integers without bounds have so many bits at most.
const WIDEST: u64 = 64;

/// What inputs are taken from.
#[derive(Clone, Copy)]
pub(crate) struct Samples<'m> {
    /// The numbers between and beside which floating-point inputs are, in order.
    pub marks: &'m [f64],
    /// Whether integers are patterns of bits, and not small numbers most of the time.
    pub patterns: bool,
}

/// A run into the error, if one is found; `stop` says when to give up.
pub(crate) fn error_run(program: &Program, samples: Samples<'_>, stop: &dyn Fn() -> bool) -> Option<Derivation> {
    let values = InputValues::new(program);
    let mut machine = Machine::new(program, None);
    let mut all = 0;
    let mut next_look = STEPS_BETWEEN_LOOKS;
    for number in 0..RUNS {
        let (steps, error) = run(program, &mut machine, (number, samples, &values), None);
        if error {
            let mut taken = Vec::new();
            let (_, again) = run(program, &mut machine, (number, samples, &values), Some(&mut taken));
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
    (number, samples, values): (u64, Samples<'_>, &InputValues),
    mut record: Option<&mut Vec<Step>>,
) -> (u64, bool) {
    let mut random = Generator(number.wrapping_mul(31) + 5);
    let mut choices = Generator(!number);
    let style = Style::new(number, samples, &mut random);
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
    samples: Samples<'m>,
    /// Two numbers, between which the others are if they are not anything.
    limits: [f64; 2],
    kind: u64,
}

impl<'m> Style<'m> {
    fn new(number: u64, samples: Samples<'m>, random: &mut Generator) -> Style<'m> {
        let marks = samples.marks;
        let mut mark = || {
            let count = marks.len() as u64;
            marks.get(random.below(count) as usize).copied().unwrap_or_default()
        };
        Style {
            number,
            samples,
            limits: [mark(), mark()],
            kind: number % 5,
        }
    }

    fn value(&self, terms: &Terms, request: &Request, values: &InputValues, random: &mut Generator) -> Value {
        match terms.float_format(terms.sort(request.variable)) {
            Some(format) => Value::Float(self.float(format, random)),
            None if self.samples.patterns && terms.sort(request.variable) == SortId::INT => {
                let (low, high) = values.limits(request);
                Value::Number(Rational::from_integer(pattern(low, high, random)))
            }
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
            3 => match self.samples.marks.len() {
                0 => share * 100.0 - 50.0,
                count => self.samples.marks[random.below(count as u64) as usize],
            },
            4 => {
                let (Some(least), Some(most)) = (self.samples.marks.first(), self.samples.marks.last()) else {
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

/// A number between two others, as far as these are known: from one of them, or from zero, as far away as some bits say.
fn pattern(low: Option<BigInt>, high: Option<BigInt>, random: &mut Generator) -> BigInt {
    let width = match (&low, &high) {
        (Some(low), Some(high)) if low > high => return low.clone(),
        (Some(low), Some(high)) => (high - low).bits(),
        _ => WIDEST,
    };
    let bits = random.below(width + 1);
    let any = BigInt::from(random.next()) << WIDEST | BigInt::from(random.next());
    let below = |bits: u64| &any & ((BigInt::one() << bits) - 1);
    let distance = match random.below(4) {
        // Small, of any size, a single bit, or with any bits.
        0 => below(bits.min(3)),
        1 => below(bits),
        2 => BigInt::one() << bits.saturating_sub(1),
        _ => below(width),
    };
    let is_upwards = random.below(2) == 0;
    let value = match (random.below(2), &low, &high) {
        (0, Some(low), _) if is_upwards => low + distance,
        (0, _, Some(high)) if !is_upwards => high - distance,
        _ if is_upwards => distance,
        _ => -distance,
    };
    let value = low.map_or(value.clone(), |low| value.max(low));
    high.map_or(value.clone(), |high| value.min(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::replay;

    fn run(source: &str) -> Option<Derivation> {
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let samples = Samples {
            marks: &[],
            patterns: true,
        };
        let found = error_run(&program, samples, &|| false)?;
        assert_eq!(replay(&program, &found), Ok(()));
        Some(found)
    }

    #[test]
    fn an_input_with_one_bit_is_tried() {
        let source =
            "?- X >= 0, X =< 65535, p(X, X). p(X, Y) :- Y > 1, Y mod 2 = 0, p(X, Y div 2). p(X, 1) :- X > 9000, error.";
        assert_eq!(run(source).map(|found| found.length() > 15), Some(true));
    }

    #[test]
    fn numbers_are_between_their_limits() {
        let mut random = Generator(1);
        for _ in 0..500 {
            let value = pattern(Some((-5).into()), Some(300.into()), &mut random);
            assert!(value >= (-5).into() && value <= 300.into());
            assert!(pattern(None, Some(7.into()), &mut random) <= 7.into());
            assert!(pattern(Some(7.into()), None, &mut random) >= 7.into());
        }
    }
}
