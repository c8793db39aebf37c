//! What has to be proved of a symbolic state: that every rule leads from it into one of the descriptions that the certificate
//! names, none into the error; or that its states are in another description.
//!
//! A description is entered if the arguments are what its memory says, and its condition holds, all for the values that the
//! certificate has for its symbols. A quantified conjunct holds if it does for a new variable of which nothing is known. Those
//! of the state itself are relied on for these new variables, for the first and the last iteration, and wherever the formulas
//! look at an array.

use super::{ForAll, Inclusion, Successors, SymbolicState};
use crate::evidence::describe::{rule_place, rule_text};
use crate::evidence::instances::{indices, where_arrays_differ};
use crate::evidence::lemmas::Obligation;
use crate::rules::{DependencyGraph, PredicateId, Program, RuleId};
use crate::terms::{SortId, Substitution, TermId, Terms};

/// A quantified conjunct is relied on at most so often in one obligation.
const MOST_INSTANCES: usize = 100;

/// What has to be proved of symbolic states whose form is right.
pub(in crate::evidence) struct SymbolicConditions<'a> {
    program: &'a Program,
    states: &'a [SymbolicState],
    /// For each predicate the rules that lead from it to what may reach the error.
    rules: Vec<Vec<RuleId>>,
}

impl<'a> SymbolicConditions<'a> {
    /// The conditions of these states.
    pub fn new(program: &'a Program, states: &'a [SymbolicState]) -> SymbolicConditions<'a> {
        let graph = DependencyGraph::new(program);
        let mut rules = vec![Vec::new(); program.predicates().len()];
        for (index, rule) in program.rules().iter().enumerate() {
            if rule.body.iter().any(|atom| graph.reaches_error(atom.predicate)) {
                rules[rule.head.predicate.index()].push(RuleId::from_index(index));
            }
        }
        SymbolicConditions { program, states, rules }
    }

    /// What has to be unsatisfiable for each state to be what the certificate says, state by state.
    pub fn obligations<E>(
        &self,
        terms: &mut Terms,
        shown: &mut dyn FnMut(&Terms, &Obligation) -> Result<(), E>,
    ) -> Result<(), E> {
        for position in 0..self.states.len() {
            for obligation in self.of_state(terms, position) {
                shown(terms, &obligation)?;
            }
        }
        Ok(())
    }

    fn of_state(&self, terms: &mut Terms, position: usize) -> Vec<Obligation> {
        let (program, states) = (self.program, self.states);
        let state = &states[position];
        let steps = match &state.successors {
            Successors::Within(inclusion) => {
                let entered = entered(terms, states, inclusion, &state.memory);
                let text = format!("that state {position} lies in state {}", inclusion.state);
                return vec![obligation(terms, text, state, &[], &[entered])];
            }
            Successors::Steps(steps) => steps,
        };
        let mut obligations = Vec::new();
        for id in self.rules[state.predicate.index()].iter().copied() {
            let rule = program.rule(id);
            let Some(atom) = rule.body.first() else { continue };
            let mut taken = rule.constraint.clone();
            for (argument, value) in rule.head.arguments.iter().zip(&state.memory) {
                taken.push(terms.equal(*argument, *value));
            }
            let into = steps.iter().filter(|step| step.rule == id).map(|step| &step.into);
            let into: Vec<&Inclusion> = into.collect();
            let ways: Vec<Entered> = into
                .iter()
                .map(|inclusion| entered(terms, states, inclusion, &atom.arguments))
                .collect();
            let targets: Vec<String> = into.iter().map(|inclusion| inclusion.state.to_string()).collect();
            let targets = match (&targets[..], atom.predicate == PredicateId::ERROR) {
                (_, true) => "cannot lead into the error".to_string(),
                ([], false) => "cannot be applied".to_string(),
                (_, false) => format!("leads into state {}", targets.join(" or ")),
            };
            let (place, rule) = (rule_place(program, id), rule_text(program, id));
            let text = format!("that {place}, `{rule}`, {targets} from state {position}");
            obligations.push(obligation(terms, text, state, &taken, &ways));
        }
        obligations
    }
}

/// What it means that something is in a description.
struct Entered {
    /// What has to hold.
    conjuncts: Vec<TermId>,
    /// Variables of which nothing is known.
    any: Vec<TermId>,
}

fn entered(terms: &mut Terms, states: &[SymbolicState], inclusion: &Inclusion, arguments: &[TermId]) -> Entered {
    let state = &states[inclusion.state];
    let substitution = Substitution::of(terms, &state.symbols, &inclusion.values);
    let mut conjuncts = Vec::with_capacity(arguments.len() + state.condition.len());
    for (argument, value) in arguments.iter().zip(&state.memory) {
        let value = terms.substitute(*value, &substitution);
        conjuncts.push(terms.equal(*argument, value));
    }
    conjuncts.extend(terms.substitute_all(&state.condition, &substitution));
    let mut any = Vec::with_capacity(state.quantified.len());
    for quantified in &state.quantified {
        let name = terms.variable_name(quantified.variable).to_string();
        let new = terms.fresh_variable(&name, terms.sort(quantified.variable));
        any.push(new);
        let mut with_new = substitution.clone();
        with_new.insert(terms, quantified.variable, new);
        let holds = instance(terms, quantified, new, &with_new);
        conjuncts.push(holds);
    }
    Entered { conjuncts, any }
}

/// `0 ≤ τ < bound → body` for a value of τ, which the substitution puts in its place.
fn instance(terms: &mut Terms, quantified: &ForAll, value: TermId, substitution: &Substitution) -> TermId {
    let body = terms.substitute_all(&quantified.body, substitution);
    let body = terms.and(&body);
    match quantified.bound {
        None => body,
        Some(bound) => {
            let bound = terms.substitute(bound, substitution);
            let zero = terms.integer(0);
            let range = [terms.less_or_equal(zero, value), terms.less(value, bound)];
            let range = terms.and(&range);
            terms.implies(range, body)
        }
    }
}

fn obligation(
    terms: &mut Terms,
    text: String,
    state: &SymbolicState,
    taken: &[TermId],
    ways: &[Entered],
) -> Obligation {
    let mut formulas = state.condition.clone();
    formulas.extend_from_slice(taken);
    for way in ways {
        let all = terms.and(&way.conjuncts);
        formulas.push(terms.not(all));
    }
    if !state.quantified.is_empty() {
        let apart = where_arrays_differ(terms, &formulas);
        formulas.extend(apart);
    }
    let any: Vec<TermId> = ways.iter().flat_map(|way| way.any.iter().copied()).collect();
    let around = formulas.clone();
    for quantified in &state.quantified {
        for value in values(terms, quantified, &any, &around) {
            let mut substitution = Substitution::new();
            substitution.insert(terms, quantified.variable, value);
            formulas.push(instance(terms, quantified, value, &substitution));
        }
    }
    Obligation { text, formulas }
}

/// The values for which a quantified conjunct is relied on.
fn values(terms: &mut Terms, quantified: &ForAll, any: &[TermId], around: &[TermId]) -> Vec<TermId> {
    let sort = terms.sort(quantified.variable);
    let mut values: Vec<TermId> = any.iter().copied().filter(|one| terms.sort(*one) == sort).collect();
    if let Some(bound) = quantified.bound {
        let one = terms.integer(1);
        values.push(terms.integer(0));
        values.push(terms.subtract(bound, one));
    }
    let mut looked_at = around.to_vec();
    looked_at.extend(&quantified.body);
    let of_body = |index: &TermId| !terms.variables(*index).contains(&quantified.variable);
    values.extend(indices(terms, &looked_at, sort).into_iter().filter(of_body));
    if values.is_empty() && sort == SortId::BOOL {
        values.extend([TermId::TRUE, TermId::FALSE]);
    }
    let mut distinct: Vec<TermId> = Vec::with_capacity(values.len());
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct.truncate(MOST_INSTANCES);
    distinct
}
