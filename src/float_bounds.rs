//! Between which limits floating-point parameters stay: what a filter, a controller or a sum of bounded numbers keeps by itself.
//!
//! Limits go from the queries along the rules: where a rule's arguments lead if its parameters are between theirs
//! ([`Limits::after`]), and at loops they grow, after a few turns to the next number that the program mentions. When nothing grows
//! any more they are inductive, and every method gets them as lemmas, as [hints] that turned out to be right. The certificate
//! contains them and is checked as any other.

use crate::engine::{Options, Outcome};
use crate::hints::{self, Hint};
use crate::rules::{PredicateId, Program};
use crate::solver::Limits;
use crate::terms::{Sort, TermId};

/// After so many changes the limits of a predicate grow to the next mark.
const PATIENCE: usize = 4;
/// How often all rules are looked at.
const ROUNDS: usize = 60;
/// How many terms are looked at, in all.
const WORK: usize = 4_000_000;
/// More numbers than this are not mentioned to widen to.
const MOST_MARKS: usize = 200;

/// Verifies a program by a method that is told the limits of its floating-point parameters, if there are any.
pub(crate) fn verify_within(
    program: &Program,
    options: &Options,
    method: &dyn Fn(&Program, &Options) -> Outcome,
) -> Outcome {
    let has_floats = program.predicates().iter().any(|predicate| {
        let mut sorts = predicate
            .parameters
            .iter()
            .map(|parameter| program.terms.sort(*parameter));
        sorts.any(|sort| matches!(program.terms.sort_of_id(sort), Sort::Float(_)))
    });
    let is_linear = !program.has_calls();
    let limits = (has_floats && is_linear).then(|| limits(program)).flatten();
    let Some(limits) = limits else {
        return method(program, options);
    };
    let mut own = program.clone();
    let mut lemmas = Vec::new();
    for (index, limits) in limits.into_iter().enumerate() {
        let predicate = PredicateId::from_index(index);
        let Some(limits) = limits else { continue };
        let parameters = own.predicate(predicate).parameters.clone();
        for formula in limits.formulas(&mut own.terms, &parameters) {
            lemmas.push(Hint {
                predicate,
                formula,
                text: "limits of a floating-point number".to_string(),
            });
        }
    }
    match lemmas.is_empty() {
        true => method(program, options),
        false => hints::verify_with_lemmas(&own, &lemmas, options, &|program, options| method(program, options)),
    }
}

/// The limits of each predicate's parameters, `None` where it is not reached; `None` of all if they have not come to rest.
fn limits(program: &Program) -> Option<Vec<Option<Limits>>> {
    let marks = marks(program);
    let mut known: Vec<Option<Limits>> = vec![None; program.predicates().len()];
    let mut changes = vec![0; known.len()];
    let mut work = 0;
    known[PredicateId::QUERY.index()] = Some(Limits::default());
    for _ in 0..ROUNDS {
        let mut changed = false;
        for rule in program.rules() {
            let (Some(inside), Some(next)) = (&known[rule.head.predicate.index()], rule.body.first()) else {
                continue;
            };
            let from = (rule.head.arguments.as_slice(), inside);
            let (after, looked) = Limits::after(&program.terms, from, &rule.constraint, &next.arguments);
            work += looked;
            if work > WORK {
                return None;
            }
            let Some(after) = after else { continue };
            let target = next.predicate.index();
            let now = match &known[target] {
                None => after.join(&after),
                Some(before) => {
                    let joined = before.join(&after);
                    match changes[target] > PATIENCE {
                        true => joined.widened(before, &marks),
                        false => joined,
                    }
                }
            };
            if known[target].as_ref() != Some(&now) {
                known[target] = Some(now);
                changes[target] += 1;
                changed = true;
            }
        }
        if !changed {
            return Some(known);
        }
    }
    None
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
