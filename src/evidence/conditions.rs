//! The verification conditions of a certificate: for every rule, that it leads from the invariant of its head into that of
//! its body. Both the checker and the SMT-LIB text are made of these.
//!
//! For a rule `p(s̃) :- Ψ, q(t̃)` the condition is `inv_p[s̃] ∧ Ψ → inv_q[t̃]`, the parameters of the invariants being
//! replaced by the arguments. The query's invariant is true and the error's is false, so that the conditions of queries and
//! of rules into the error are no special cases. A rule without a body leads nowhere and needs nothing. A rule with
//! several body atoms would have a condition for each: calling any of them must stay within its invariant.

use super::describe::conjunction_text;
use super::well_formed::{check_certificate_form, check_program};
use super::{Certificate, Invariant};
use crate::rules::{Atom, PredicateId, Program, RuleId};
use crate::terms::{Substitution, TermId, Terms};

/// The condition of one rule and body atom, instantiated: one obligation for each premise.
pub(super) struct Condition {
    /// The rule.
    pub rule: RuleId,
    /// The body atom's predicate.
    pub target: PredicateId,
    /// The rule's constraint.
    pub constraint: Vec<TermId>,
    /// The disjuncts of the head's invariant, one obligation each.
    pub premises: Vec<Vec<TermId>>,
    /// The disjuncts of the body's invariant.
    pub conclusions: Vec<Vec<TermId>>,
    /// The negation of the conclusions, as conjuncts. The obligation: constraint, premise and denial are unsatisfiable.
    pub denial: Vec<TermId>,
}

/// The conditions of a well-formed certificate.
pub(super) struct Conditions<'a> {
    /// The program.
    pub program: &'a Program,
    /// The terms of program, invariants and conditions.
    pub terms: Terms,
    invariants: Vec<Option<&'a Invariant>>,
}

impl<'a> Conditions<'a> {
    /// The conditions, or what is wrong with the form of the program or the certificate.
    pub fn new(program: &'a Program, certificate: &'a Certificate) -> Result<Conditions<'a>, String> {
        check_program(program).map_err(|why| format!("the program is malformed: {why}"))?;
        let invariants = check_certificate_form(program, certificate)
            .map_err(|why| format!("the certificate does not fit the program: {why}"))?;
        Ok(Conditions {
            program,
            terms: certificate.terms.clone(),
            invariants,
        })
    }

    /// The condition for each atom in the body of a rule.
    pub fn of_rule(&mut self, id: RuleId) -> Vec<Condition> {
        let rule = self.program.rule(id);
        let mut conditions = Vec::with_capacity(rule.body.len());
        for atom in &rule.body {
            let conclusions = self.instances(atom);
            let mut denial = Vec::with_capacity(conclusions.len());
            for conclusion in &conclusions {
                let negated: Vec<TermId> = conclusion.iter().map(|conjunct| self.terms.not(*conjunct)).collect();
                denial.push(self.terms.or(&negated));
            }
            conditions.push(Condition {
                rule: id,
                target: atom.predicate,
                constraint: rule.constraint.clone(),
                premises: self.instances(&rule.head),
                conclusions,
                denial,
            });
        }
        conditions
    }

    /// A disjunct of the invariant of a rule's head as the certificate writes it, in CLP syntax.
    pub fn premise_text(&self, rule: RuleId, disjunct: usize) -> String {
        let predicate = self.program.rule(rule).head.predicate;
        let invariant = self.invariants.get(predicate.index()).copied().flatten();
        let conjuncts = invariant.and_then(|invariant| invariant.disjuncts.get(disjunct));
        conjunction_text(&self.terms, conjuncts.map(Vec::as_slice).unwrap_or_default())
    }

    /// The disjuncts of the invariant that holds for an atom, about its arguments.
    fn instances(&mut self, atom: &Atom) -> Vec<Vec<TermId>> {
        if atom.predicate == PredicateId::ERROR {
            return Vec::new();
        }
        let Some(invariant) = self.invariants.get(atom.predicate.index()).copied().flatten() else {
            return vec![Vec::new()];
        };
        let parameters = &self.program.predicate(atom.predicate).parameters;
        let substitution = Substitution::of(&self.terms, parameters, &atom.arguments);
        let conjuncts: Vec<TermId> = invariant.disjuncts.iter().flatten().copied().collect();
        let mut instances = self.terms.substitute_all(&conjuncts, &substitution).into_iter();
        let mut disjuncts = Vec::with_capacity(invariant.disjuncts.len());
        for disjunct in &invariant.disjuncts {
            let parts = instances.by_ref().take(disjunct.len());
            disjuncts.push(parts.flat_map(|part| self.terms.conjuncts(part)).collect());
        }
        disjuncts
    }
}
