//! Candidates for loop invariants that one analysis offers another.

use crate::rules::{PredicateId, Program};
use crate::terms::TermId;
use hashbrown::HashMap;

/// Candidates for loop invariants that come from outside the search. They are tested like all others.
#[derive(Clone, Debug, Default)]
pub struct OfferedCandidates {
    of_predicate: HashMap<PredicateId, Vec<TermId>>,
}

impl OfferedCandidates {
    /// Offers a formula over the parameters of a predicate, a term of the program's table. It counts where the predicate is
    /// a loop header.
    pub fn offer(&mut self, predicate: PredicateId, formula: TermId) {
        let formulas = self.of_predicate.entry(predicate).or_default();
        if !formulas.contains(&formula) {
            formulas.push(formula);
        }
    }

    /// Those that are about the parameters of a program's predicates and nothing else.
    pub(crate) fn about(&self, program: &Program) -> OfferedCandidates {
        let mut about = OfferedCandidates::default();
        for (predicate, formulas) in &self.of_predicate {
            let Some(declared) = program.predicates().get(predicate.index()) else {
                continue;
            };
            let is_known = |variable: &TermId| declared.parameters.contains(variable);
            let known = formulas
                .iter()
                .filter(|formula| program.terms.variables(**formula).iter().all(is_known));
            known.for_each(|formula| about.offer(*predicate, *formula));
        }
        about
    }

    /// The formulas offered for a predicate.
    pub fn of(&self, predicate: PredicateId) -> &[TermId] {
        self.of_predicate.get(&predicate).map_or(&[], Vec::as_slice)
    }
}
