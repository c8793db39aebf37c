//! Between which limits floating-point parameters stay: what a filter, a controller or a sum of bounded numbers keeps by itself.
//!
//! First runs are tried with inputs that may lead into an error ([sampling]).
//! Then limits go from the queries along the rules (`parts`): where a rule's arguments lead if its parameters are between theirs
//! ([`Limits::after`](crate::solver::Limits::after)), and at loops they grow, after a few turns to the next number that the program mentions. When nothing grows
//! any more they are inductive. If they exclude the error, they are a certificate; otherwise every method gets them as [hints].
//! The certificate is checked as any other.

mod induction;
mod parts;

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, Statistics, Verdict};
use crate::evidence::{CheckLimits, check_certificate, replay};
use crate::hints::{self, Hint, Hints};
use crate::rules::{Program, Rule};
use crate::sampling::{self, Samples};
use crate::solver::with_interrupts;
use crate::steps::BudgetWatch;
use crate::terms::{Float, FloatOperator, SortId, TermId, Terms};
use parts::Apart;

/// More numbers than this are not mentioned to widen to.
const MOST_MARKS: usize = 200;
/// What part of its limit a question may cost when limits are checked that may be no proof.
const SHARE_OF_QUESTION: u32 = 4;

/// And when it is asked whether they are inductive.
const SHARE_OF_LEMMA: u32 = 40;

/// What limits and samples say.
enum Found {
    Verdict(Verdict),
    /// Limits, as formulas over the terms of the program beside them.
    Hints(Program, Hints),
    Nothing,
}

/// Verifies a program by a method that is told the limits of its floating-point parameters, if there are any, where these and runs
/// with inputs that are worth trying do not decide.
pub(crate) fn verify_within(
    program: &Program,
    options: &Options,
    method: &dyn Fn(&Program, &Options) -> Outcome,
) -> Outcome {
    let has_floats = |rule: &Rule| rule.terms().any(|term| program.terms.has_floats(term));
    if program.has_calls() || !program.rules().iter().any(has_floats) {
        return method(program, options);
    }
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    let found = on_deep_stack(|| with_interrupts(&budget, || looked_at(program, options, &budget)));
    let rest = Options {
        budget: options.budget.after(budget.elapsed()),
        ..options.clone()
    };
    match found {
        Ok(Found::Verdict(verdict)) => Outcome {
            verdict,
            statistics: Statistics {
                seconds: budget.seconds(),
                ..Statistics::default()
            },
            invariants: Vec::new(),
            tree: None,
        },
        Ok(Found::Hints(mut own, hints)) => {
            // What is not easily seen to be inductive is left to the methods.
            let mut little = rest.clone();
            little.budget.query_resources = rest.budget.query_resources.div_ceil(SHARE_OF_LEMMA);
            let with_all = |program: &mut Program, options: &Options| {
                let mut own = options.clone();
                own.budget.query_resources = rest.budget.query_resources;
                method(program, &own)
            };
            hints::verify(&mut own, &hints, &little, &with_all).0
        }
        Ok(Found::Nothing) => method(program, &rest),
        Err(failure) => engine::failed(failure),
    }
}

/// A run into the error, limits that exclude it, or limits alone.
fn looked_at(program: &Program, options: &Options, budget: &BudgetWatch<'_>) -> Found {
    let stop = || budget.interruption().is_some();
    let marks = marks(program);
    let samples = Samples {
        marks: &marks,
        patterns: false,
    };
    if let Some(derivation) = sampling::error_run(program, samples, &stop)
        && replay(program, &derivation).is_ok()
    {
        return Found::Verdict(Verdict::Unsafe(derivation));
    }
    let limits = CheckLimits {
        query_resources: options.budget.query_resources.div_ceil(SHARE_OF_QUESTION),
        watch: Some(budget),
    };
    for apart in Apart::ALL {
        let Some(parts) = parts::limits(program, apart, &stop) else {
            continue;
        };
        if parts.has_error && apart != Apart::Nothing {
            continue;
        }
        if parts.has_error {
            if parts.has_no_limits(program)
                && let Some(certificate) = induction::proof(program, &marks, limits, &stop)
            {
                return Found::Verdict(Verdict::Safe(certificate));
            }
            let (own, lemmas) = parts.lemmas(program);
            let of_program = lemmas.into_iter().map(|(predicate, formula)| Hint {
                predicate,
                formula,
                text: "limits of a floating-point number".to_string(),
            });
            let hints = Hints {
                of_program: of_program.collect(),
                ..Hints::default()
            };
            return match hints.of_program.is_empty() {
                true => Found::Nothing,
                false => Found::Hints(own, hints),
            };
        }
        let certificate = parts.certificate(program);
        if check_certificate(program, &certificate, limits).is_ok() {
            return Found::Verdict(Verdict::Safe(certificate));
        }
    }
    Found::Nothing
}

/// That a floating-point number is between two others, if these are in the order of their format.
fn between(terms: &mut Terms, term: TermId, low: f64, high: f64) -> Option<[TermId; 2]> {
    let format = terms.float_format(terms.sort(term))?;
    let [low, high] = [low, high].map(|limit| Float::from(limit).converted(format));
    let (low, high) = (terms.float(low), terms.float(high));
    Some([
        terms.float_operation(FloatOperator::LessOrEqual, &[low, term], SortId::BOOL)?,
        terms.float_operation(FloatOperator::LessOrEqual, &[term, high], SortId::BOOL)?,
    ])
}

/// The numbers that limits grow to, in order: those that the program mentions, and their negations.
fn marks(program: &Program) -> Vec<f64> {
    let terms = &program.terms;
    let roots: Vec<TermId> = program
        .rules()
        .iter()
        .flat_map(|rule| {
            let arguments = rule.body.iter().flat_map(|atom| atom.arguments.iter());
            rule.constraint.iter().chain(arguments).copied()
        })
        .collect();
    let constants = terms
        .subterms(&roots)
        .into_iter()
        .filter_map(|term| terms.float_constant(term));
    let finite = constants
        .map(|number| number.as_double())
        .filter(|number| number.is_finite());
    let mut marks: Vec<f64> = finite.flat_map(|number| [number, -number]).chain([0.0]).collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    marks.truncate(MOST_MARKS);
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILTER: &str = "
        (set-logic HORN)
        (declare-fun turn ((_ FloatingPoint 8 24)) Bool)
        (assert (turn ((_ to_fp 8 24) RNE 0.0)))
        (assert (forall ((S (_ FloatingPoint 8 24)) (I (_ FloatingPoint 8 24)))
          (=> (and (turn S) (fp.leq ((_ to_fp 8 24) RNE (- 1.0)) I) (fp.leq I ((_ to_fp 8 24) RNE 1.0)))
            (turn (fp.add RNE (fp.mul RNE ((_ to_fp 8 24) RNE 0.75) S) (fp.mul RNE ((_ to_fp 8 24) RNE 0.25) I))))))
        (assert (forall ((S (_ FloatingPoint 8 24))) (=> (and (turn S) (fp.gt S ((_ to_fp 8 24) RNE LIMIT))) false)))
        (check-sat)";

    fn verdict(limit: &str) -> crate::engine::Verdict {
        let text = FILTER.replace("LIMIT", limit);
        let program = crate::horn::read(&text).product.expect("no mistake in it");
        verify_within(&program, &Options::default(), &crate::engine::verify).verdict
    }

    #[test]
    fn a_filter_stays_between_its_limits() {
        let verdict = verdict("1.0");
        assert!(matches!(verdict, crate::engine::Verdict::Safe(_)), "{verdict:?}");
    }

    #[test]
    fn limits_that_it_leaves_are_left() {
        let verdict = verdict("0.25");
        assert!(matches!(verdict, crate::engine::Verdict::Unsafe(_)), "{verdict:?}");
    }
}
