//! What was found out of a program with explicit locations, told of the one that it was made from.

use super::split::Located;
use crate::engine::{StopReason, Verdict};
use crate::evidence::{Certificate, Derivation, Invariant, Step};
use crate::rules::{PredicateId, Program, RuleId};
use crate::terms::{Assignment, Substitution, TermId};
use hashbrown::HashSet;

impl Located {
    /// The verdict on the original program.
    pub(super) fn original(&self, program: &Program, verdict: Verdict) -> Verdict {
        let told = match verdict {
            Verdict::Safe(certificate) => self.invariants(program, certificate).map(Verdict::Safe),
            Verdict::Unsafe(derivation) => self.steps(&derivation).map(Verdict::Unsafe),
            unknown => Some(unknown),
        };
        told.unwrap_or_else(|| {
            let what = "telling of the program what was found out with explicit locations".to_string();
            Verdict::Unknown(StopReason::NotSupported(what))
        })
    }

    /// The same invariants of the predicates that were split: at each location that can be come to, what holds there. `None` if the proof
    /// is of another kind than this is said for.
    fn invariants(&self, program: &Program, mut certificate: Certificate) -> Option<Certificate> {
        if !certificate.has_invariants()
            || certificate.induction_depth != 1
            || !certificate.universal.is_empty()
            || !certificate.summaries.is_empty()
        {
            return None;
        }
        let found = std::mem::take(&mut certificate.invariants);
        let of_others = (PredicateId::ERROR.index() + 1)..program.predicates().len();
        let mut invariants: Vec<Invariant> = of_others
            .map(|index| Invariant {
                predicate: PredicateId::from_index(index),
                disjuncts: Vec::new(),
            })
            .collect();
        let mut seen: HashSet<(PredicateId, Vec<TermId>)> = HashSet::new();
        for (index, (predicate, values)) in self.locations.iter().enumerate() {
            let Some(invariant) = invariants.iter_mut().find(|entry| entry.predicate == *predicate) else {
                continue;
            };
            let location = PredicateId::from_index(index);
            let terms = &mut certificate.terms;
            let control = self.control.get(predicate.index()).map_or(&[][..], Vec::as_slice);
            let parameters = program.predicate(*predicate).parameters.iter().copied();
            let others: Vec<TermId> = parameters.filter(|parameter| !control.contains(parameter)).collect();
            let here: Vec<TermId> = control
                .iter()
                .zip(values)
                .map(|(formula, value)| if *value { *formula } else { terms.not(*formula) })
                .collect();
            let own = &self.program.predicate(location).parameters;
            let renaming = Substitution::of(terms, own, &others);
            // A location without an entry may have any values.
            let any = [Vec::new()];
            let entry = found.iter().find(|entry| entry.predicate == location);
            for disjunct in entry.map_or(&any[..], |entry| &entry.disjuncts) {
                let mut conjuncts = here.clone();
                conjuncts.extend(terms.substitute_all(disjunct, &renaming));
                if seen.insert((*predicate, conjuncts.clone())) {
                    invariant.disjuncts.push(conjuncts);
                }
            }
        }
        certificate.invariants = invariants;
        Some(certificate)
    }

    /// The same derivation by the rules that were split; `None` if a value is missing.
    fn steps(&self, derivation: &Derivation) -> Option<Derivation> {
        let mut steps = Vec::with_capacity(derivation.steps.len());
        for step in &derivation.steps {
            let part = self.parts.get(step.rule.index())?;
            let mut values: Assignment = step.values.iter().cloned().collect();
            steps.push(Step {
                rule: RuleId::from_index(part.rule),
                values: part.values(&self.program.terms, &mut values)?,
            });
        }
        Some(Derivation {
            steps,
            repetitions: derivation.repetitions.clone(),
        })
    }
}
