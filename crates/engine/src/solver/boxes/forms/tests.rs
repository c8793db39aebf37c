//! Forms beside exact numbers: whatever is calculated with numbers between the limits of the symbols is within those of the form.

use super::polynomial::Form;
use crate::random::Generator;
use crate::terms::{Float, Rational};

/// Several values that one form stands for.
const SAMPLES: usize = 8;

fn exact(number: f64) -> Rational {
    Float::from(number).number().expect("a finite number")
}

/// A number of a few digits, or of many.
fn number(random: &mut Generator) -> f64 {
    match random.below(4) {
        0 => random.below(9) as f64 - 4.0,
        1 => random.below(4096) as f64 / 64.0 - 32.0,
        2 => (random.next() as f64 / u64::MAX as f64 - 0.5) * 4.0,
        _ => (random.next() as f64 / u64::MAX as f64 - 0.5) * 1e-3,
    }
}

#[test]
fn values_are_within_the_limits_of_forms() {
    for seed in 0..400 {
        let mut random = Generator(seed);
        let mut known: Vec<(Form, Vec<Rational>)> = Vec::new();
        for symbol in 1..4u16 {
            let (one, other) = (number(&mut random), number(&mut random));
            let (low, high) = (one.min(other), one.max(other));
            let form = Form::between(low, high, symbol).expect("finite limits");
            let values = (0..SAMPLES).map(|sample| match sample {
                0 => exact(low),
                1 => exact(high),
                _ => {
                    let share = Rational::new((random.below(1001) as i64).into(), 1000.into());
                    exact(low) + (exact(high) - exact(low)) * share
                }
            });
            known.push((form, values.collect()));
        }
        let constant = number(&mut random);
        known.push((Form::constant(constant), vec![exact(constant); SAMPLES]));
        for step in 0..14 {
            let (one, two) = (
                known[random.below(known.len() as u64) as usize].clone(),
                known[random.below(known.len() as u64) as usize].clone(),
            );
            let by = number(&mut random);
            let pairs = one.1.iter().zip(&two.1);
            let made = match random.below(5) {
                0 => (one.0.plus(&two.0), pairs.map(|(one, two)| one + two).collect()),
                1 => (one.0.minus(&two.0), pairs.map(|(one, two)| one - two).collect()),
                2 if by != 0.0 => (one.0.divided(by), one.1.iter().map(|one| one / &exact(by)).collect()),
                3 => (one.0.scaled(by), one.1.iter().map(|one| one * &exact(by)).collect()),
                _ => (
                    one.0.times(&two.0),
                    pairs.map(|(one, two)| one * two).collect::<Vec<_>>(),
                ),
            };
            let Some(form) = made.0 else { continue };
            let form = if random.below(3) == 0 {
                form.with_symbol(10 + step)
            } else {
                form
            };
            let (low, high) = form.limits();
            if low.abs() > 1e200 || high.abs() > 1e200 {
                continue;
            }
            let (low, high) = (exact(low), exact(high));
            for value in &made.1 {
                assert!(
                    low <= *value && *value <= high,
                    "seed {seed}, step {step}: {value} is not in {form:?}"
                );
            }
            known.push((form, made.1));
        }
    }
}

#[test]
fn what_is_taken_away_again_is_gone() {
    let x = Form::between(-3.0, 5.0, 1).expect("finite limits");
    let sum = x.plus(&Form::constant(0.5)).expect("a finite sum");
    assert_eq!(sum.minus(&x).expect("a finite difference").limits(), (0.5, 0.5));
}

#[test]
fn a_polynomial_that_is_linear_in_each_symbol_has_its_limits_at_theirs() {
    // low + part * (high - low) is between the least and the greatest of the two.
    let low = Form::between(-100.0, 100.0, 1).expect("finite limits");
    let high = Form::between(-100.0, 100.0, 2).expect("finite limits");
    let part = Form::between(0.0, 1.0, 3).expect("finite limits");
    let between = low.plus(&part.times(&high.minus(&low).expect("finite")).expect("finite"));
    assert_eq!(between.expect("finite").limits(), (-100.0, 100.0));
}
