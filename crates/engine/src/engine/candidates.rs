//! Candidates for loop invariants, by where they come from. A strategy has a list of sources; each is asked at every new cut.
//!
//! What a source says follows from the store, unless it *guesses*: guesses are tested at the cut before they are candidates.
//! Whether a candidate is invariant is found out by exploring, whoever offered it.

use super::affine::AffineEquations;
use super::conserved::Displacements;
use super::kernel::Kernel;
use crate::rules::PredicateId;
use crate::steps::OfferedCandidates;
use crate::steps::differences::closed_differences;
use crate::terms::{Comparison, TermId};
use hashbrown::HashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// A loop header that is about to become a cut.
pub(super) struct NewCut {
    /// The header's predicate.
    pub predicate: PredicateId,
    /// Whether its loop was unrolled to come here.
    pub is_unrolling: bool,
    /// The parameters that the loop may change.
    pub changing: Vec<TermId>,
    /// The goal's arguments.
    pub arguments: Vec<TermId>,
    /// What is believed of the store.
    pub believed: Vec<TermId>,
    projected: OnceCell<Vec<TermId>>,
}

impl NewCut {
    /// A cut in the making.
    pub fn new(kernel: &Kernel, predicate: PredicateId, is_unrolling: bool) -> NewCut {
        NewCut {
            predicate,
            is_unrolling,
            changing: kernel.changing_parameters(predicate),
            arguments: Vec::new(),
            believed: Vec::new(),
            projected: OnceCell::new(),
        }
    }

    /// With the store in which the header was reached.
    pub fn with_store(mut self, arguments: Vec<TermId>, believed: Vec<TermId>) -> NewCut {
        self.arguments = arguments;
        self.believed = believed;
        self
    }

    /// What the store says about the header's parameters: ⟦σ⟧ of seed 003.
    fn projected(&self, kernel: &mut Kernel) -> &[TermId] {
        self.projected
            .get_or_init(|| kernel.project(self.predicate, &self.arguments, &self.believed))
    }
}

/// A source of candidates.
pub(super) trait CandidateSource {
    /// Formulas over the header's parameters.
    fn formulas(&mut self, kernel: &mut Kernel, cut: &NewCut) -> Vec<TermId>;

    /// Whether they may be false at the cut.
    fn is_guess(&self) -> bool {
        false
    }
}

/// The literals of the projected store (seed 003, NONPATHINV, line 27).
pub(super) struct StoreLiterals;

impl CandidateSource for StoreLiterals {
    fn formulas(&mut self, kernel: &mut Kernel, cut: &NewCut) -> Vec<TermId> {
        cut.projected(kernel).to_vec()
    }
}

/// Bounds and differences of what the loop changes that several literals of the store imply together, so that they survive
/// when one of these is given up.
pub(super) struct Differences;

impl CandidateSource for Differences {
    fn formulas(&mut self, kernel: &mut Kernel, cut: &NewCut) -> Vec<TermId> {
        let projected = cut.projected(kernel);
        let parameters = kernel.parameters(cut.predicate);
        closed_differences(&mut kernel.terms, projected, parameters, &cut.changing)
    }
}

/// Linear equations that relate what the loop changes. Unrollings only are offered them: a loop that is not unrolled needs
/// none, and there they would only be in the way.
#[derive(Default)]
pub(super) struct Affine {
    equations: Option<AffineEquations>,
}

impl CandidateSource for Affine {
    fn formulas(&mut self, kernel: &mut Kernel, cut: &NewCut) -> Vec<TermId> {
        if !cut.is_unrolling {
            return Vec::new();
        }
        let equations = self.equations.get_or_insert_with(|| {
            AffineEquations::new(
                kernel.program,
                &kernel.graph,
                &kernel.transitions,
                &kernel.terms,
                kernel.limits(),
            )
        });
        let terms = &mut kernel.terms;
        let mut candidates = Vec::new();
        for form in equations.at_header(cut.predicate) {
            let [(first, _), _, ..] = &form.terms[..] else {
                continue;
            };
            let sort = terms.sort(*first);
            let of_one_sort = form.terms.iter().all(|(term, _)| terms.sort(*term) == sort);
            if of_one_sort && form.terms.iter().any(|(term, _)| cut.changing.contains(term)) {
                candidates.push(terms.linear_formula(form, Comparison::Equal, sort));
            }
        }
        candidates
    }

    fn is_guess(&self) -> bool {
        true
    }
}

/// Bounds of sums that the loop conserves, shifted from what the store says. Unrollings only are offered them.
#[derive(Default)]
pub(super) struct Conserved {
    /// How far the loops that have been unrolled take their parameters, unless that is too much to compute.
    displacements: HashMap<PredicateId, Option<Rc<Displacements>>>,
}

impl CandidateSource for Conserved {
    fn formulas(&mut self, kernel: &mut Kernel, cut: &NewCut) -> Vec<TermId> {
        if !cut.is_unrolling {
            return Vec::new();
        }
        let primed = kernel.primed.of(&mut kernel.terms, kernel.program, cut.predicate);
        let compute = || {
            let loop_of = Displacements::new(
                kernel.program,
                &kernel.graph,
                &kernel.transitions,
                &kernel.terms,
                (cut.predicate, &primed),
                kernel.limits(),
            );
            loop_of.map(Rc::new)
        };
        let known = self.displacements.entry(cut.predicate).or_insert_with(compute).clone();
        known.map_or_else(Vec::new, |known| {
            let projected = cut.projected(kernel);
            known.bounds(&mut kernel.terms, projected)
        })
    }
}

/// What another analysis offers.
pub(super) struct Offered(pub OfferedCandidates);

impl CandidateSource for Offered {
    fn formulas(&mut self, _: &mut Kernel, cut: &NewCut) -> Vec<TermId> {
        self.0.of(cut.predicate).to_vec()
    }

    fn is_guess(&self) -> bool {
        true
    }
}
