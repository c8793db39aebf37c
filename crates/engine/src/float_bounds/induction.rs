//! Limits that single steps do not keep, but several together do: filters of the second order and higher, whose old values fade away.
//!
//! After enough steps what a filter was in counts less than what comes in, so that limits of all parameters that are the same number
//! on both sides are inductive over that many steps. The numbers are those that the program mentions; the checker says whether it is so.

use super::between;
use crate::evidence::{Certificate, CheckLimits, Invariant, check_certificate};
use crate::rules::{PredicateId, Program};

/// Over how many steps induction is tried.
const DEPTHS: [usize; 2] = [4, 8];
/// So many numbers are tried, the greatest first.
const MOST_NUMBERS: usize = 3;
/// Programs with more rules, or more predicates, have too many ways of so many steps.
const MOST_RULES: usize = 8;
const MOST_PREDICATES: usize = 4;
/// What a question may cost: those that count are decided without Z3.
const QUERY_RESOURCES: u32 = 20_000;

/// A proof by induction over several steps, which the checker has accepted.
pub(super) fn proof(
    program: &Program,
    marks: &[f64],
    limits: CheckLimits<'_>,
    stop: &dyn Fn() -> bool,
) -> Option<Certificate> {
    let is_small = program.rules().len() <= MOST_RULES && program.predicates().len() <= MOST_PREDICATES + 2;
    if !is_small || marks.is_empty() {
        return None;
    }
    let mut numbers: Vec<f64> = marks.iter().copied().filter(|mark| *mark > 0.0).collect();
    numbers.reverse();
    numbers.truncate(MOST_NUMBERS);
    for depth in DEPTHS {
        for number in &numbers {
            if stop() {
                return None;
            }
            let mut certificate = within(program, *number)?;
            certificate.induction_depth = depth;
            let own = CheckLimits {
                query_resources: QUERY_RESOURCES,
                ..limits
            };
            if check_certificate(program, &certificate, own).is_ok() {
                return Some(certificate);
            }
        }
    }
    None
}

/// All floating-point parameters between a number and its negation; `None` if there are none.
fn within(program: &Program, number: f64) -> Option<Certificate> {
    let mut terms = program.terms.clone();
    let mut invariants = Vec::new();
    for index in 0..program.predicates().len() {
        let predicate = PredicateId::from_index(index);
        let mut conjuncts = Vec::new();
        for parameter in &program.predicate(predicate).parameters {
            conjuncts.extend(between(&mut terms, *parameter, -number, number).into_iter().flatten());
        }
        if !conjuncts.is_empty() {
            let disjuncts = vec![conjuncts];
            invariants.push(Invariant { predicate, disjuncts });
        }
    }
    (!invariants.is_empty()).then(|| Certificate::new(terms, invariants))
}
