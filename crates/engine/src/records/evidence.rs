//! What was found out of a program whose records were taken apart, told of the one that was given.

use super::Apart;
use crate::engine::Verdict;
use crate::evidence::{Certificate, Invariant};
use crate::rules::{Derivation, Program, Step};
use crate::terms::{Assignment, TermId, Terms, Value};

impl Apart {
    /// The verdict on the program that was given; `None` if its evidence is of a kind that is about rules as they are.
    pub(super) fn original(&self, program: &Program, verdict: Verdict) -> Option<Verdict> {
        match verdict {
            Verdict::Safe(certificate) => self.certificate(certificate).map(Verdict::Safe),
            Verdict::Unsafe(derivation) => self.derivation(program, &derivation).map(Verdict::Unsafe),
            unknown => Some(unknown),
        }
    }

    /// The same certificate about fields of parameters. How many steps there are, and which ones, is the same in both programs.
    fn certificate(&self, certificate: Certificate) -> Option<Certificate> {
        if !certificate.symbolic.is_empty() {
            return None;
        }
        let mut terms = certificate.terms;
        let mut of_fields = |invariants: Vec<Invariant>| -> Vec<Invariant> {
            let told = invariants.into_iter().map(|invariant| {
                let disjuncts = invariant.disjuncts.iter();
                let disjuncts = disjuncts.map(|conjuncts| terms.substitute_all(conjuncts, &self.parts));
                Invariant {
                    disjuncts: disjuncts.collect(),
                    ..invariant
                }
            });
            told.collect()
        };
        let (invariants, summaries) = (of_fields(certificate.invariants), of_fields(certificate.summaries));
        Some(Certificate {
            terms,
            invariants,
            summaries,
            ..certificate
        })
    }

    /// The same derivation by the rules that were given: a variable that is a record has the value that is made of its parts.
    fn derivation(&self, program: &Program, derivation: &Derivation) -> Option<Derivation> {
        let mut steps = Vec::with_capacity(derivation.steps.len());
        for step in &derivation.steps {
            let rule = program.rules().get(step.rule.index())?;
            let made = self.made.get(step.rule.index())?;
            let terms = &self.program.terms;
            let values: Assignment = step.values.iter().cloned().collect();
            let roots: Vec<TermId> = rule.terms().collect();
            let told = program.terms.variables_of_all(&roots).into_iter().map(|variable| {
                let meaning = made.get(variable).unwrap_or(variable);
                Some((variable, value_of(terms, meaning, &values)?))
            });
            steps.push(Step {
                rule: step.rule,
                values: told.collect::<Option<_>>()?,
            });
        }
        Some(Derivation {
            steps,
            repetitions: derivation.repetitions.clone(),
        })
    }
}

/// The value of a term where these variables have values. Any will do for the others, of which no step says anything.
fn value_of(terms: &Terms, term: TermId, values: &Assignment) -> Option<Value> {
    let value = |variable| {
        let any = || terms.default_value(terms.sort(variable));
        (variable, values.get(&variable).cloned().unwrap_or_else(any))
    };
    let own: Assignment = terms.variables(term).into_iter().map(value).collect();
    terms.evaluate(term, &own)
}
