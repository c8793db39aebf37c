//! When symbolic states can be a certificate at all: symbols and terms fit, the first state is the query's, and what a state
//! lies in has steps of its own. The last is what makes it a proof: states that lay in each other would say nothing.

use super::{ForAll, Inclusion, Successors, SymbolicState};
use crate::rules::{PredicateId, Program};
use crate::terms::{SortId, TermId, Terms, check_sorts};
use hashbrown::HashSet;

/// More steps than this are no certificate.
const MOST_STEPS: usize = 200_000;

/// What is wrong with the form of symbolic states, if anything. The program is well formed, and its terms are in `terms`.
pub(in crate::evidence) fn check_form(
    program: &Program,
    terms: &Terms,
    states: &[SymbolicState],
) -> Result<(), String> {
    if program.has_calls() {
        return Err("it follows states, but the program has rules with calls".to_string());
    }
    let first = states.first().map(|state| state.predicate);
    if first != Some(PredicateId::QUERY) {
        return Err("its first state is not that of the query".to_string());
    }
    let mut form = Form {
        program,
        terms,
        states,
        visited: HashSet::new(),
        steps: 0,
    };
    for (position, state) in states.iter().enumerate() {
        form.check(state).map_err(|why| format!("state {position}: {why}"))?;
    }
    Ok(())
}

struct Form<'a> {
    program: &'a Program,
    terms: &'a Terms,
    states: &'a [SymbolicState],
    /// Terms whose sorts are known to fit.
    visited: HashSet<TermId>,
    steps: usize,
}

impl Form<'_> {
    fn check(&mut self, state: &SymbolicState) -> Result<(), String> {
        let Some(predicate) = self.program.predicates().get(state.predicate.index()) else {
            return Err("the program does not have its predicate".to_string());
        };
        if state.predicate == PredicateId::ERROR {
            return Err("it is a state of the error".to_string());
        }
        // The query's first state must not be restricted.
        let is_free = state.condition.is_empty() && state.quantified.is_empty();
        if state.predicate == PredicateId::QUERY && !is_free {
            return Err("the query has a condition".to_string());
        }
        check_sorts(self.terms, &state.symbols, &mut self.visited)?;
        let mut own = HashSet::new();
        for symbol in &state.symbols {
            if !self.is_new_variable(*symbol) || !own.insert(*symbol) {
                return Err("a symbol is not a variable of its own".to_string());
            }
        }
        if state.memory.len() != predicate.parameters.len() {
            return Err("its memory does not have a term for each parameter".to_string());
        }
        let sorts = predicate.parameters.iter().map(|parameter| self.terms.sort(*parameter));
        self.check_terms(&state.memory, sorts, &own)?;
        let truths = state.condition.iter().map(|_| SortId::BOOL);
        self.check_terms(&state.condition, truths, &own)?;
        for quantified in &state.quantified {
            self.check_quantified(quantified, &own)?;
        }
        match &state.successors {
            Successors::Within(inclusion) => {
                self.check_inclusion(inclusion, state.predicate, &own)?;
                let has_steps = matches!(self.states[inclusion.state].successors, Successors::Steps(_));
                if !has_steps {
                    return Err("it lies in a state that has no steps of its own".to_string());
                }
            }
            Successors::Steps(steps) => {
                for step in steps {
                    self.steps += 1;
                    let Some(rule) = self.program.rules().get(step.rule.index()) else {
                        return Err("the program does not have one of its rules".to_string());
                    };
                    let [atom] = &rule.body[..] else {
                        return Err("one of its rules leads nowhere".to_string());
                    };
                    if rule.head.predicate != state.predicate {
                        return Err("one of its rules is for another predicate".to_string());
                    }
                    let parts: Vec<TermId> = rule.terms().collect();
                    let mut known = own.clone();
                    known.extend(self.terms.variables_of_all(&parts));
                    self.check_inclusion(&step.into, atom.predicate, &known)?;
                }
            }
        }
        match self.steps > MOST_STEPS {
            true => Err(format!("there are more than {MOST_STEPS} steps")),
            false => Ok(()),
        }
    }

    fn is_new_variable(&self, variable: TermId) -> bool {
        variable.index() >= self.program.terms.len() && self.terms.is_variable(variable)
    }

    fn check_quantified(&mut self, quantified: &ForAll, own: &HashSet<TermId>) -> Result<(), String> {
        let variable = quantified.variable;
        check_sorts(self.terms, &[variable], &mut self.visited)?;
        if !self.is_new_variable(variable) || own.contains(&variable) {
            return Err("it quantifies something else than a variable of its own".to_string());
        }
        if let Some(bound) = quantified.bound {
            if self.terms.sort(variable) != SortId::INT {
                return Err("a quantified variable that has a bound is not an integer".to_string());
            }
            self.check_terms(&[bound], std::iter::once(SortId::INT), own)?;
        }
        let mut known = own.clone();
        known.insert(variable);
        let truths = quantified.body.iter().map(|_| SortId::BOOL);
        self.check_terms(&quantified.body, truths, &known)
    }

    fn check_inclusion(
        &mut self,
        inclusion: &Inclusion,
        predicate: PredicateId,
        known: &HashSet<TermId>,
    ) -> Result<(), String> {
        let Some(state) = self.states.get(inclusion.state) else {
            return Err("it leads into a state that is not there".to_string());
        };
        if state.predicate != predicate {
            return Err("it leads into a state of another predicate".to_string());
        }
        if state.symbols.len() != inclusion.values.len() {
            return Err("there is not a value for each symbol of the state that it leads into".to_string());
        }
        // The symbols there may not have been looked at yet.
        check_sorts(self.terms, &state.symbols, &mut self.visited)?;
        let sorts = state.symbols.iter().map(|symbol| self.terms.sort(*symbol));
        self.check_terms(&inclusion.values, sorts, known)
    }

    /// That terms have these sorts and speak of what is known only.
    fn check_terms(
        &mut self,
        list: &[TermId],
        sorts: impl Iterator<Item = SortId>,
        known: &HashSet<TermId>,
    ) -> Result<(), String> {
        check_sorts(self.terms, list, &mut self.visited)?;
        for (term, sort) in list.iter().zip(sorts) {
            if self.terms.sort(*term) != sort {
                return Err("a term has another sort than it has to have".to_string());
            }
        }
        let stray = |variable: &&TermId| !known.contains(*variable);
        match self.terms.variables_of_all(list).iter().find(stray) {
            Some(stray) => Err(format!("`{}` is none of its symbols", self.terms.variable_name(*stray))),
            None => Ok(()),
        }
    }
}
