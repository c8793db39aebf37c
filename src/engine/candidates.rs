//! Candidates for loop invariants: what the store says at a header, and bounds and differences that follow from it.
//!
//! The first source is the projection of the store on the header's parameters, equalities slackened into two inequalities
//! each (seed 003, NONPATHINV; seed 004 on slackening). The second closes the bounds and differences among them, so that
//! what two constraints say together survives when one of them is given up (seed 000's remark that discovery depends on how
//! a state happens to be represented).

use super::state::{Candidate, Header};
use super::strategy::LoopPolicy;
use super::tree::Mark;
use crate::steps::differences::closed_differences;
use crate::steps::equalities::halves;
use crate::terms::{TermId, Terms};

/// The annotation vector of a new header: `projected` holds the store's constraints over `parameters`; `changing` are the
/// parameters that the loop may change.
pub(super) fn header(
    terms: &mut Terms,
    projected: &[TermId],
    parameters: &[TermId],
    changing: &[TermId],
    policy: &LoopPolicy,
) -> Header {
    let mut header = Header::default();
    for formula in projected {
        add(terms, &mut header, *formula, policy.slackening);
    }
    if !policy.closed_differences {
        return header;
    }
    for formula in closed_differences(terms, projected, parameters, changing) {
        add(terms, &mut header, formula, policy.slackening);
    }
    header
}

/// Whether a formula is about some of `variables` and nothing else.
pub(super) fn is_about(terms: &Terms, formula: TermId, variables: &[TermId]) -> bool {
    terms
        .variables(formula)
        .iter()
        .all(|variable| variables.contains(variable))
}

/// Adds a candidate; with slackening, an equality of numbers as its two halves. Returns the positions.
pub(super) fn add(terms: &mut Terms, header: &mut Header, formula: TermId, slackening: bool) -> Vec<usize> {
    let Some([upper, lower]) = slackening.then(|| halves(terms, formula)).flatten() else {
        return vec![push(header, formula, None)];
    };
    let first = push(header, upper, None);
    let second = push(header, lower, Some(first));
    header.candidates[first].partner = Some(second);
    vec![first, second]
}

fn push(header: &mut Header, formula: TermId, partner: Option<usize>) -> usize {
    let known = header
        .candidates
        .iter()
        .position(|candidate| candidate.formula == formula);
    known.unwrap_or_else(|| {
        header.candidates.push(Candidate {
            formula,
            mark: Mark::Neutral,
            partner,
        });
        header.candidates.len() - 1
    })
}
