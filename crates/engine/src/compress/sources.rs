//! Where candidates for loop invariants come from. Whatever a source says is tested by BIID, so it may guess.

use super::symbolic::Context;
use crate::rules::PredicateId;
use crate::steps::OfferedCandidates;
use crate::steps::{differences::closed_differences, equalities::halves};
use crate::terms::{TermId, Terms};

/// What is known where candidates are wanted.
#[derive(Clone, Copy)]
pub struct Header<'a> {
    /// The loop header.
    pub predicate: PredicateId,
    /// Its parameters, over which everything is written.
    pub parameters: &'a [TermId],
    /// What holds where the loop is entered: conjuncts over the parameters.
    pub state: &'a [TermId],
}

/// A source of candidates.
pub trait CandidateSource {
    /// Formulas over the header's parameters that may hold whenever the header is reached. What does not hold where the loop
    /// is entered is left out by the caller.
    fn candidates(&self, terms: &mut Terms, header: Header<'_>) -> Vec<TermId>;
}

/// How the constraints of a state are offered (seed 000 on the representation of a state, and on slackening).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Representation {
    /// As they are.
    Plain,
    /// Equalities as two inequalities, so that one of them may survive.
    Slackened,
    /// Besides, bounds and differences that follow from several constraints.
    Closed,
}

impl CandidateSource for Representation {
    fn candidates(&self, terms: &mut Terms, header: Header<'_>) -> Vec<TermId> {
        let mut found: Vec<TermId> = Vec::new();
        let mut add = |terms: &mut Terms, formula: TermId| {
            let halves = match *self {
                Representation::Plain => None,
                Representation::Slackened | Representation::Closed => halves(terms, formula),
            };
            let parts = halves.map_or(vec![formula], |halves| halves.to_vec());
            for part in parts {
                if part != TermId::TRUE && !found.contains(&part) {
                    found.push(part);
                }
            }
        };
        for formula in header.state {
            add(terms, *formula);
        }
        if *self == Representation::Closed {
            for formula in closed_differences(terms, header.state, header.parameters, header.parameters) {
                add(terms, formula);
            }
        }
        found
    }
}

/// Formulas that somebody else has found, such as the invariants of a proof by the engine.
impl CandidateSource for OfferedCandidates {
    fn candidates(&self, _: &mut Terms, header: Header<'_>) -> Vec<TermId> {
        self.of(header.predicate).to_vec()
    }
}

/// What BIID starts from at a header: the state in one representation, and what other sources offer beyond it.
pub(super) fn candidates(
    context: &mut Context<'_>,
    predicate: PredicateId,
    state: &[TermId],
    representation: Representation,
    offered: &OfferedCandidates,
) -> Vec<TermId> {
    let parameters = context.program.predicate(predicate).parameters.clone();
    let header = Header {
        predicate,
        parameters: &parameters,
        state,
    };
    let mut found = representation.candidates(&mut context.terms, header);
    for formula in offered.candidates(&mut context.terms, header) {
        if !found.contains(&formula) && context.entails(state, formula) {
            found.push(formula);
        }
    }
    found
}
