//! Smaller inputs for an error that was found: a person reads them more easily, and a compiled program does not fill its
//! stack with an array of two thousand million elements.
//!
//! A solver gives whatever values satisfy a path. Here each large one is replaced by zero, or halved towards the smallest that
//! still works, and the rules are run again by evaluation, with everything else as it was. Only a run into the same error, no
//! longer than the first, counts; so nothing rests on what was tried.

use super::allocations;
use super::confirm::{Again, ReadValue, last_place, recorded, run_with, values_read};
use super::objections::{not_calculated, rules_of, violated};
use crate::c::Translation;
use crate::c::program::Numeric;
use crate::evidence::{Derivation, replay};
use crate::terms::{Rational, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

/// Values up to this size stay.
const LARGE: i64 = 1000;
/// So many runs are made at most, and so many steps in all of them: that takes a second or two, so no limit is looked at.
const RUNS: usize = 200;
const STEPS: usize = 1_000_000;

/// A run into the same error of the same rules with smaller inputs, if one is found soon.
pub(super) fn with_smaller_inputs(translation: &Translation, derivation: &Derivation) -> Option<Derivation> {
    let mut search = Search {
        translation,
        first: derivation,
        left: RUNS.min(STEPS / (derivation.steps.len() + 1)),
        reads: values_read(translation, derivation),
        best: None,
    };
    let mut index = 0;
    while index < search.reads.len() && search.left > 0 {
        search.shrink(index);
        index += 1;
    }
    search.best.filter(|best| replay(&translation.program, best).is_ok())
}

struct Search<'a> {
    translation: &'a Translation,
    first: &'a Derivation,
    /// How many runs may still be made.
    left: usize,
    /// What the best run so far has read.
    reads: Vec<ReadValue>,
    best: Option<Derivation>,
}

impl Search<'_> {
    /// Makes one value smaller, as far as that goes by halving.
    fn shrink(&mut self, index: usize) {
        let Some(value) = large(&self.reads[index]) else {
            return;
        };
        let negative = value.is_negative();
        let signed = |size: &BigInt| if negative { -size } else { size.clone() };
        let (mut fails, mut works) = (BigInt::zero(), value.abs());
        if self.works_with(index, &fails) {
            return;
        }
        while &works - &fails > BigInt::from(1) && self.left > 0 {
            let middle: BigInt = (&works + &fails).div_floor(&BigInt::from(2));
            match self.works_with(index, &signed(&middle)) {
                true => works = middle,
                false => fails = middle,
            }
        }
    }

    /// Runs with another value in one place, and keeps the run if it ends as the first one did.
    fn works_with(&mut self, index: usize, value: &BigInt) -> bool {
        self.left = self.left.saturating_sub(1);
        let mut reads = self.reads.clone();
        reads[index].value = Some(Value::Number(Rational::from_integer(value.clone())));
        let limit = self.first.steps.len() as u64 + 1;
        let Again::Error(run) = run_with(&recorded(reads), limit, self.translation, &|| false) else {
            return false;
        };
        if !self.is_like_first(&run) {
            return false;
        }
        self.reads = values_read(self.translation, &run);
        self.best = Some(run);
        true
    }

    /// Whether a run reaches the same error, in no more steps, and leans on nothing that the first one does not need.
    fn is_like_first(&self, run: &Derivation) -> bool {
        let translation = self.translation;
        let end = |run: &Derivation| (last_place(run, &translation.map), violated(translation, &rules_of(run)));
        run.length() <= self.first.length()
            && end(run) == end(self.first)
            && not_calculated(translation, &rules_of(run)).is_none()
            && (allocations::fails(translation, self.first) || !allocations::fails(translation, run))
    }
}

/// The value, if it is a large integer. Addresses are not made smaller: they say what is pointed to.
fn large(read: &ReadValue) -> Option<BigInt> {
    let Numeric::Integer(_) = read.numeric else {
        return None;
    };
    match &read.value {
        Some(Value::Number(number)) if number.is_integer() && number.numer().abs() > BigInt::from(LARGE) => {
            Some(number.to_integer())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Method, verify_c};
    use super::*;
    use crate::c::options::Options;
    use crate::engine::Verdict;

    #[test]
    fn large_inputs_are_made_as_small_as_the_error_allows() {
        let text = "unsigned int unknown(void); int input(void); void reach_error(void);
            int main(void) { unsigned int n = unknown(); int m = input(), k = input();
                if (n / 2 > 2000000000 && m < -70000 && k > 5) reach_error(); return 0; }";
        let engine = crate::engine::Options::default();
        let verification = verify_c(text, &Options::default(), Method::Automatic, &engine).product;
        let verification = verification.expect("it is C");
        let Verdict::Unsafe(derivation) = &verification.outcome.verdict else {
            panic!("{:?}", verification.outcome.verdict)
        };
        assert_eq!(replay(&verification.translation.program, derivation), Ok(()));
        let read = values_read(&verification.translation, derivation);
        let values: Vec<String> = read
            .iter()
            .flat_map(|read| &read.value)
            .map(|value| value.to_string())
            .collect();
        assert_eq!(values[..2], ["4000000002", "-70001"], "{values:?}");
        assert!(with_smaller_inputs(&verification.translation, derivation).is_none());
    }

    #[test]
    fn smaller_inputs_do_not_lean_on_what_nobody_knows() {
        // Zero leads to the same error, if a result that nobody calculates has a value that it does not have.
        let text = "int input(void); void reach_error(void); double sin(double);
            int main(void) { int x = input(), bad = 0;
                if (x > 100000) bad = 1; else { if (sin(1.0) <= 0.0) bad = 1; }
                if (bad) reach_error(); return 0; }";
        let engine = crate::engine::Options::default();
        let verification = verify_c(text, &Options::default(), Method::Automatic, &engine).product;
        let verification = verification.expect("it is C");
        let Verdict::Unsafe(derivation) = &verification.outcome.verdict else {
            panic!("{:?}", verification.outcome.verdict)
        };
        let read = values_read(&verification.translation, derivation);
        let values: Vec<String> = read.iter().flat_map(|read| &read.value).map(Value::to_string).collect();
        assert_eq!(values, ["100001"]);
    }
}
