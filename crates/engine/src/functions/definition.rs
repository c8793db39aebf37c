//! Definitions whose recursion ends: bodies of cases, and ranks that each call makes smaller.

use super::extraction::{self, Case};
use super::prover::Prover;
use crate::engine::StopReason;
use crate::terms::{FunctionId, SortId, TermId};

/// Defines functions so that their recursion ends, if it does; or else so that it ends where numbers are negative, where what is
/// derived needs them not to be.
pub(super) fn ends(
    prover: &mut Prover<'_>,
    functions: &[FunctionId],
    all_cases: &[Vec<Case>],
    group: u32,
) -> Result<bool, StopReason> {
    let mut ranks = Vec::new();
    for function in functions {
        let parameters = prover.terms.functions()[function.index()].parameters.clone();
        ranks.push(extraction::ranks(&mut prover.terms, &parameters));
    }
    let mut are_exhaustive = Vec::new();
    for cases in all_cases {
        let mut open = Vec::new();
        for case in cases {
            let holds = prover.terms.and(&case.conditions);
            open.push(prover.terms.not(holds));
        }
        are_exhaustive.push(prover.excludes(open)?);
    }
    // One without recursion needs no rank.
    let most = ranks.iter().map(Vec::len).max().unwrap_or(0).max(1);
    // It is simpler to leave the condition of the last case out, but harder to see then that recursion ends.
    for is_short in [true, false] {
        if is_short && !are_exhaustive.contains(&true) {
            continue;
        }
        let mut bodies = Vec::new();
        for (cases, is_exhaustive) in all_cases.iter().zip(&are_exhaustive) {
            match extraction::body(&mut prover.terms, cases, *is_exhaustive && is_short, group) {
                Some(body) => bodies.push(body),
                None => return Ok(false),
            }
        }
        for choice in 0..most {
            let of = |ranks: &Vec<Vec<TermId>>| ranks.get(choice).or(ranks.first()).cloned().unwrap_or_default();
            let own: Vec<Vec<TermId>> = ranks.iter().map(of).collect();
            if end_by(prover, functions, &bodies, &own)? {
                return Ok(true);
            }
        }
    }
    let ([function], [cases]) = (functions, all_cases) else {
        return Ok(false);
    };
    let parameters = prover.terms.functions()[function.index()].parameters.clone();
    for parameter in parameters {
        if prover.terms.sort(parameter) != SortId::INT {
            continue;
        }
        let guarded = extraction::guarded(&mut prover.terms, cases, *function, parameter);
        let body = extraction::body(&mut prover.terms, &guarded, false, group);
        if let Some(body) = body
            && end_by(prover, functions, &[body], &[vec![parameter]])?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the recursion of these definitions ends by these ranks.
fn end_by(
    prover: &mut Prover<'_>,
    functions: &[FunctionId],
    bodies: &[TermId],
    ranks: &[Vec<TermId>],
) -> Result<bool, StopReason> {
    for ((function, body), rank) in functions.iter().zip(bodies).zip(ranks) {
        prover.terms.define_function(*function, *body, rank.clone());
    }
    for function in functions {
        if !prover.ends(*function)? {
            return Ok(false);
        }
    }
    Ok(true)
}
