//! The verification conditions of a certificate: for every rule, that it leads from the invariant of its head into that of
//! its body. Both the checker and the SMT-LIB text are made of these.
//!
//! For a rule `p(s̃) :- Ψ, q(t̃)` the condition is `inv_p[s̃] ∧ Ψ → inv_q[t̃]`, the parameters of the invariants being
//! replaced by the arguments. The query's invariant is true and the error's is false, so that the conditions of queries and
//! of rules into the error are no special cases. A rule without a body leads nowhere and needs nothing. A rule with
//! several body atoms has a condition for each: calling any of them stays within its invariant, given the summaries of those
//! before it. If its head has a summary, it has one more: that the summary holds, given those of all atoms of the body.
//!
//! Invariants that hold for all values of some variables are concluded for new ones, of which nothing is known, and relied on for
//! values that [`super::instances`] chooses.
//!
//! By k-induction the premise says more: how the head was reached, by which `k - 1` rules, each from the invariant of its
//! head, or by fewer if the first is a query. Each such sequence of rules makes a premise of its own; what its states are
//! is left open, by variables that occur nowhere else.

use super::definitions;
use super::divisions::{divided_out, has_products};
use super::instances::{instances, where_arrays_differ};
use super::lemmas::{self, Depth, Known, Obligation, consequences};
use super::well_formed::check_certificate_form;
use super::{Certificate, Invariant};
use crate::rules::{Atom, PredicateId, Program, RuleId};
use crate::terms::{Substitution, TermId, Terms};

/// A proof by k-induction has at most so many obligations.
const MOST_OBLIGATIONS: usize = 100_000;

/// With more premises times conclusions than that, dividends of products are left as they are.
const MOST_DIVIDED: usize = 100_000;

/// The condition of one rule and body atom, instantiated: one obligation for each premise.
pub(super) struct Condition {
    /// The rule.
    pub rule: RuleId,
    /// What has to hold then.
    pub target: Target,
    /// The rule's constraint, and the summaries of the atoms that have been derived.
    pub constraint: Vec<TermId>,
    /// What may hold before the rule, one obligation each.
    pub premises: Vec<Premise>,
    /// The disjuncts of what has to hold.
    pub conclusions: Vec<Vec<TermId>>,
    /// The negations of the conclusions, one by one. The obligation: constraint, premise and denial are unsatisfiable.
    pub denial: Vec<TermId>,
}

/// What a rule leads into.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// The invariant of a body atom's predicate.
    Invariant(PredicateId),
    /// The summary of the head's predicate.
    Summary(PredicateId),
}

impl Target {
    /// As it is called in texts.
    pub fn text(self, program: &Program) -> String {
        match self {
            Target::Invariant(predicate) => format!("the invariant of `{}`", program.predicate_label(predicate)),
            Target::Summary(predicate) => format!("the summary of `{}`", program.predicate_label(predicate)),
        }
    }
}

/// A disjunct of the invariant of a rule's head, and by k-induction how the head was reached.
#[derive(Clone)]
pub(super) struct Premise {
    /// Which disjunct, from 0.
    pub disjunct: usize,
    /// The rules by which the head was reached, the last one first.
    pub reached_by: Vec<RuleId>,
    /// What is assumed.
    pub formulas: Vec<TermId>,
}

/// The conditions of a well-formed certificate.
pub(super) struct Conditions<'a> {
    /// The program.
    pub program: &'a Program,
    /// The terms of program, invariants and conditions.
    pub terms: Terms,
    invariants: Vec<Option<&'a Invariant>>,
    summaries: Vec<Option<&'a Invariant>>,
    /// The variables for all values of which the invariants hold.
    universal: &'a [TermId],
    /// What is known of functions.
    lemmas: Vec<Known>,
    /// How many rules before a condition's own one its premises look at.
    history: usize,
    /// For each predicate the rules that lead to it, each with the position of the body atom.
    rules_into: Vec<Vec<(RuleId, usize)>>,
    /// A contradiction inside this file; conditions made since then mean nothing.
    fault: Option<&'static str>,
}

impl<'a> Conditions<'a> {
    /// The conditions, or what is wrong with the form of the program or the certificate.
    pub fn new(program: &'a Program, certificate: &'a Certificate) -> Result<Conditions<'a>, String> {
        program
            .validate()
            .map_err(|why| format!("the program is malformed: {why}"))?;
        let (invariants, summaries) = check_certificate_form(program, certificate)
            .map_err(|why| format!("the certificate does not fit the program: {why}"))?;
        let mut rules_into = vec![Vec::new(); program.predicates().len()];
        for (index, rule) in program.rules().iter().enumerate() {
            for (position, atom) in rule.body.iter().enumerate() {
                rules_into[atom.predicate.index()].push((RuleId::from_index(index), position));
            }
        }
        let conditions = Conditions {
            program,
            terms: certificate.terms.clone(),
            invariants,
            summaries,
            universal: &certificate.universal,
            lemmas: certificate
                .lemmas
                .iter()
                .map(|lemma| Known::new(&certificate.terms, lemma))
                .collect(),
            history: certificate.induction_depth - 1,
            rules_into,
            fault: None,
        };
        if conditions.history > 0 && conditions.count() > MOST_OBLIGATIONS {
            return Err(format!(
                "the rules have too many sequences for induction over {} of them",
                certificate.induction_depth
            ));
        }
        Ok(conditions)
    }

    /// What went wrong while conditions were made, if anything: then they must not be used.
    pub fn fault(&self) -> Option<&'static str> {
        self.fault
    }

    /// What has to be shown of the functions that the certificate defines, one obligation after another: that they exist, and that its lemmas
    /// hold of them. What was not shown; an error if the definitions are no definitions.
    pub fn of_functions<E>(
        &mut self,
        certificate: &Certificate,
        depths: &[Depth],
        shown: &mut dyn FnMut(&Terms, &Obligation) -> Result<bool, E>,
    ) -> Result<Result<Option<String>, String>, E> {
        let definitions = match definitions::obligations(&mut self.terms) {
            Ok(definitions) => definitions,
            Err(why) => return Ok(Err(why)),
        };
        for obligation in definitions {
            if !shown(&self.terms, &obligation)? {
                return Ok(Ok(Some(obligation.text)));
            }
        }
        for (position, lemma) in certificate.lemmas.iter().enumerate() {
            let earlier = &self.lemmas[..position];
            let mut text = String::new();
            let mut one = |terms: &Terms, obligation: Obligation| {
                let is_shown = shown(terms, &obligation);
                text = obligation.text;
                is_shown
            };
            if !lemmas::obligations(&mut self.terms, lemma, earlier, depths, &mut one)? {
                return Ok(Ok(Some(text)));
            }
        }
        Ok(Ok(None))
    }

    /// The condition for each atom in the body of a rule, and the one for the summary of its head.
    pub fn of_rule(&mut self, id: RuleId) -> Vec<Condition> {
        let rule = self.program.rule(id);
        let mut constraint = rule.constraint.clone();
        let mut conditions = Vec::with_capacity(rule.body.len());
        for atom in &rule.body {
            let any = self.any_values();
            let conclusions = self.instances(atom, &any);
            conditions.push(self.condition(id, Target::Invariant(atom.predicate), &constraint, conclusions, &any));
            if atom.predicate == PredicateId::ERROR {
                // Nothing is derived after it.
                return conditions;
            }
            if let Some(summary) = self.summaries[atom.predicate.index()] {
                let ways = self.instances_of(summary, atom, &[]);
                let ways: Vec<TermId> = ways.iter().map(|way| self.terms.and(way)).collect();
                constraint.push(self.terms.or(&ways));
            }
        }
        if let Some(summary) = self.summaries[rule.head.predicate.index()] {
            let conclusions = self.instances_of(summary, &rule.head, &[]);
            let any = self.any_values();
            let target = Target::Summary(rule.head.predicate);
            conditions.push(self.condition(id, target, &constraint, conclusions, &any));
        }
        conditions
    }

    /// New variables for those for all values of which the invariants hold.
    fn any_values(&mut self) -> Vec<TermId> {
        let fresh = |variable: &TermId| {
            let (name, sort) = (
                self.terms.variable_name(*variable).to_string(),
                self.terms.sort(*variable),
            );
            self.terms.fresh_variable(&name, sort)
        };
        self.universal.iter().map(fresh).collect()
    }

    fn condition(
        &mut self,
        rule: RuleId,
        target: Target,
        constraint: &[TermId],
        conclusions: Vec<Vec<TermId>>,
        any: &[TermId],
    ) -> Condition {
        let mut denial = Vec::with_capacity(conclusions.len());
        for conclusion in &conclusions {
            let negated: Vec<TermId> = conclusion.iter().map(|conjunct| self.terms.not(*conjunct)).collect();
            denial.push(self.terms.or(&negated));
        }
        let mut constraint = constraint.to_vec();
        let values = match self.universal.is_empty() {
            true => vec![Vec::new()],
            false => {
                let mut around: Vec<TermId> = self.program.rule(rule).terms().collect();
                around.extend(conclusions.iter().flatten());
                let apart = where_arrays_differ(&mut self.terms, &around);
                around.extend(&apart);
                constraint.extend(apart);
                let head = &self.program.rule(rule).head;
                let relied_on: Vec<TermId> = self.instances(head, self.universal).into_iter().flatten().collect();
                instances(&mut self.terms, self.universal, any, &relied_on, &around)
            }
        };
        let mut premises = self.premises(&self.program.rule(rule).head, self.history, &values);
        // What follows from one premise holds with that one alone. There may be thousands, of a conclusion with as many disjuncts.
        let has_functions = !self.terms.functions().is_empty();
        let shared_products = has_products(&self.terms, &constraint) || has_products(&self.terms, &denial);
        // A proof that goes through states one by one is checked by calculating, and would be read once for each of its states.
        let divides = premises.len().saturating_mul(denial.len()) <= MOST_DIVIDED;
        for premise in &mut premises {
            if !has_functions && !divides {
                break;
            }
            if !has_functions && !shared_products && !has_products(&self.terms, &premise.formulas) {
                continue;
            }
            let mut all = constraint.clone();
            all.extend(premise.formulas.iter().chain(&denial));
            if has_functions {
                let following = consequences(&mut self.terms, &all, &self.lemmas, Depth::Constructed);
                premise.formulas.extend(&following);
                all.extend(following);
            }
            if divides {
                premise.formulas.extend(divided_out(&mut self.terms, &all));
            }
        }
        if !self.terms.datatypes().is_empty() {
            // What is said of measures means nothing without their definition.
            let mut all = constraint.clone();
            all.extend(premises.iter().flat_map(|premise| &premise.formulas));
            all.extend(&denial);
            constraint.extend(self.terms.unfoldings(&all));
        }
        Condition {
            rule,
            target,
            constraint,
            premises,
            conclusions,
            denial,
        }
    }

    /// A disjunct of the invariant of a rule's head as the certificate writes it, in CLP syntax.
    pub fn premise_text(&self, rule: RuleId, disjunct: usize) -> String {
        let predicate = self.program.rule(rule).head.predicate;
        let invariant = self.invariants.get(predicate.index()).copied().flatten();
        let conjuncts = invariant.and_then(|invariant| invariant.disjuncts.get(disjunct));
        self.terms
            .conjunction_text(conjuncts.map(Vec::as_slice).unwrap_or_default())
    }

    /// How many obligations there are; as many as a number can say if there are more.
    fn count(&self) -> usize {
        let disjuncts = |predicate: usize| match self.invariants.get(predicate).copied().flatten() {
            Some(invariant) => invariant.disjuncts.len(),
            None => 1,
        };
        let count = self.program.predicates().len();
        let mut premises: Vec<usize> = (0..count).map(disjuncts).collect();
        let into = |premises: &[usize], predicate: usize| {
            let rules = self.rules_into[predicate].iter();
            let heads = rules.map(|(rule, _)| self.program.rule(*rule).head.predicate);
            heads.fold(0usize, |sum, head| sum.saturating_add(premises[head.index()]))
        };
        for _ in 0..self.history {
            let longer = |predicate: usize| match predicate == PredicateId::QUERY.index() {
                true => premises[predicate],
                false => disjuncts(predicate).saturating_mul(into(&premises, predicate)),
            };
            premises = (0..count).map(longer).collect();
        }
        (0..count).fold(0, |sum, predicate| sum.saturating_add(into(&premises, predicate)))
    }

    /// What may hold where an atom is derived that was reached by so many rules before, or fewer from a query. What holds for all
    /// values holds for each of the given ones.
    fn premises(&mut self, atom: &Atom, history: usize, values: &[Vec<TermId>]) -> Vec<Premise> {
        let mut own: Vec<Vec<TermId>> = Vec::new();
        for values in values {
            let instance = self.instances(atom, values);
            match own.is_empty() {
                true => own = instance,
                // There is one disjunct then, or none.
                false => own
                    .iter_mut()
                    .zip(instance)
                    .for_each(|(formulas, more)| formulas.extend(more)),
            }
        }
        let own = own.into_iter().enumerate().map(|(disjunct, formulas)| Premise {
            disjunct,
            reached_by: Vec::new(),
            formulas,
        });
        if history == 0 || atom.predicate == PredicateId::QUERY {
            return own.collect();
        }
        let mut ways: Vec<(Vec<RuleId>, Vec<TermId>)> = Vec::new();
        for (id, position) in self.rules_into[atom.predicate.index()].clone() {
            let rule = self.program.rule(id).renamed(&mut self.terms);
            let mut taken = rule.constraint;
            for (argument, value) in atom.arguments.iter().zip(&rule.body[position].arguments) {
                taken.push(self.terms.equal(*argument, *value));
            }
            for before in self.premises(&rule.head, history - 1, values) {
                let reached_by = std::iter::once(id).chain(before.reached_by);
                ways.push((reached_by.collect(), [&taken[..], &before.formulas].concat()));
            }
        }
        let with = |premise: Premise| -> Vec<Premise> {
            let combined = ways.iter().map(|(reached_by, formulas)| Premise {
                disjunct: premise.disjunct,
                reached_by: reached_by.clone(),
                formulas: [&premise.formulas[..], formulas].concat(),
            });
            combined.collect()
        };
        own.flat_map(with).collect()
    }

    /// The disjuncts of the invariant that holds for an atom, about its arguments and these values of the universal variables.
    fn instances(&mut self, atom: &Atom, values: &[TermId]) -> Vec<Vec<TermId>> {
        if atom.predicate == PredicateId::ERROR {
            return Vec::new();
        }
        match self.invariants.get(atom.predicate.index()).copied().flatten() {
            Some(invariant) => self.instances_of(invariant, atom, values),
            None => vec![Vec::new()],
        }
    }

    /// The disjuncts of an invariant or a summary, about the arguments of an atom and values of the universal variables.
    fn instances_of(&mut self, invariant: &Invariant, atom: &Atom, values: &[TermId]) -> Vec<Vec<TermId>> {
        let parameters = &self.program.predicate(atom.predicate).parameters;
        let mut substitution = Substitution::of(&self.terms, parameters, &atom.arguments);
        for (variable, value) in self.universal.iter().zip(values) {
            substitution.insert(&self.terms, *variable, *value);
        }
        let conjuncts: Vec<TermId> = invariant.disjuncts.iter().flatten().copied().collect();
        let instances = self.terms.substitute_all(&conjuncts, &substitution);
        if instances.len() != conjuncts.len() || parameters.len() != atom.arguments.len() {
            // With fewer conjuncts a conclusion would say less than the invariant does.
            debug_assert!(false, "every conjunct has an instance");
            self.fault = Some("an invariant has lost conjuncts");
        }
        let mut instances = instances.into_iter();
        let mut disjuncts = Vec::with_capacity(invariant.disjuncts.len());
        for disjunct in &invariant.disjuncts {
            let parts = instances.by_ref().take(disjunct.len());
            disjuncts.push(parts.flat_map(|part| self.terms.conjuncts(part)).collect());
        }
        disjuncts
    }
}
