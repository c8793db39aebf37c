//! What was proved, as evidence: a certificate that something else can check.
//!
//! That an inductive set holds is itself a safety property: of the program whose errors are the states in which one of its
//! formulas is false. The set, a conjunction at every place, is the certificate of that program's safety, with the depth of
//! the induction that it needs.

use super::inference::Inference;
use crate::evidence::{Certificate, CheckError, CheckLimits, CheckReport, Invariant, check_certificate};
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::terms::TermId;

/// What is said of one predicate.
fn formulas_at(all: &[(PredicateId, TermId)], predicate: PredicateId) -> Vec<TermId> {
    let here = all.iter().filter(|(of, _)| *of == predicate);
    here.map(|(_, formula)| *formula).collect()
}

impl Inference {
    /// The program whose errors are violations of what was proved, and the certificate that it has none. No rule says what only functions
    /// say, which is proved all the same, as a part of the certificate.
    pub fn proof(&self) -> (Program, Certificate) {
        let mut program = self.without_errors.clone();
        let mut terms = self.terms.clone();
        let (mut invariants, mut violations) = (Vec::new(), Vec::new());
        for index in 0..program.predicates().len() {
            let predicate = PredicateId::from_index(index);
            let formulas = formulas_at(&self.inductive, predicate);
            if formulas.is_empty() {
                continue;
            }
            let plain = formulas
                .iter()
                .filter(|one| self.terms.applications(&[**one]).is_empty());
            for formula in plain {
                violations.push((predicate, terms.not(*formula)));
            }
            invariants.push(Invariant {
                predicate,
                disjuncts: vec![formulas],
            });
        }
        // No rule speaks of functions; what is said of them is in the certificate alone.
        program.terms = terms.without_functions();
        for (predicate, violated) in violations {
            let arguments = program.predicate(predicate).parameters.clone();
            program.add_rule(Rule {
                head: Atom { predicate, arguments },
                constraint: vec![violated],
                body: vec![Atom {
                    predicate: PredicateId::ERROR,
                    arguments: Vec::new(),
                }],
                location: None,
            });
        }
        let predicates = (0..program.predicates().len()).map(PredicateId::from_index);
        let summaries = predicates.map(|predicate| Invariant {
            predicate,
            disjuncts: vec![formulas_at(&self.summaries, predicate)],
        });
        let summaries = summaries.filter(|summary| !summary.disjuncts[0].is_empty()).collect();
        let certificate = Certificate {
            summaries,
            induction_depth: self.induction_depth,
            ..Certificate::new(terms, invariants)
        };
        (program, certificate)
    }

    /// Lets the checker, which shares nothing with the inference, prove anew what was proved.
    ///
    /// # Errors
    ///
    /// Why it does not. [`CheckError::Undecided`] says that its solver cannot decide a step, which happens where products
    /// of variables matter; the inference proves such steps by reducing polynomials.
    pub fn check(&self, limits: CheckLimits<'_>) -> Result<CheckReport, CheckError> {
        let (program, certificate) = self.proof();
        check_certificate(&program, &certificate, limits)
    }
}
