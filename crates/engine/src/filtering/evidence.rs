//! A derivation of the smaller program with the values that were left out: step by step from the query on, where any will do, and otherwise
//! those that a solver finds for all steps at once.

use super::Filtered;
use crate::evidence::replay;
use crate::rules::{Derivation, PredicateId, Program, Step};
use crate::solver::LayeredSolver;
use crate::terms::{Assignment, Substitution, TermId, Value};

/// A solver is asked about no more steps than this at once.
const MOST_SOLVED_STEPS: usize = 1_000;

impl Filtered {
    /// The same derivation by the rules that were given, as the replay accepts it; `None` if values are not found, or turns were left out of
    /// it.
    pub(super) fn derivation(&self, program: &Program, derivation: &Derivation, resources: u32) -> Option<Derivation> {
        if !derivation.repetitions.is_empty() {
            return None;
        }
        let by_steps = self.by_steps(program, derivation);
        let accepted = by_steps.filter(|found| replay(program, found).is_ok());
        accepted.or_else(|| by_solver(program, derivation, resources))
    }

    /// With values from the query on, any where nothing is said of them.
    fn by_steps(&self, program: &Program, derivation: &Derivation) -> Option<Derivation> {
        let mut steps = Vec::with_capacity(derivation.steps.len());
        // What is still to be derived, the next one last.
        let mut goals: Vec<(PredicateId, Vec<Value>)> = vec![(PredicateId::QUERY, Vec::new())];
        for step in &derivation.steps {
            let (predicate, arguments) = goals.pop()?;
            let values = self.values(program, step, &arguments)?;
            let rule = program.rule(step.rule);
            if rule.head.predicate != predicate {
                return None;
            }
            for atom in rule.body.iter().rev() {
                let arguments = atom.arguments.iter().map(|term| program.terms.evaluate(*term, &values));
                goals.push((atom.predicate, arguments.collect::<Option<_>>()?));
            }
            let roots: Vec<TermId> = rule.terms().collect();
            let variables = program.terms.variables_of_all(&roots).into_iter();
            let values = variables.map(|variable| Some((variable, values.get(&variable)?.clone())));
            steps.push(Step {
                rule: step.rule,
                values: values.collect::<Option<_>>()?,
            });
        }
        Some(Derivation::new(steps))
    }

    /// Values for all variables of a step's rule, where its goal has these arguments.
    fn values(&self, program: &Program, step: &Step, arguments: &[Value]) -> Option<Assignment> {
        let (reduced, left_out) = (
            self.rules.get(step.rule.index())?,
            self.left_out.get(step.rule.index())?,
        );
        let mut values: Assignment = step.values.iter().cloned().collect();
        values.extend(left_out.iter().map(|(variable, value)| (*variable, value.clone())));
        let terms = &program.terms;
        for (term, value) in reduced.head.iter().zip(arguments) {
            if terms.is_variable(*term) && !values.contains_key(term) {
                values.insert(*term, value.clone());
            }
        }
        let rule = program.rule(step.rule);
        let roots: Vec<TermId> = rule.terms().collect();
        for variable in terms.variables_of_all(&roots) {
            let is_solved = reduced.solved.iter().any(|(solved, _)| *solved == variable);
            if !is_solved && !values.contains_key(&variable) {
                // Nothing was said of it.
                values.insert(variable, terms.default_value(terms.sort(variable)));
            }
        }
        for (variable, term) in reduced.solved.iter().rev() {
            let value = self.program.terms.evaluate(*term, &values)?;
            values.insert(*variable, value);
        }
        Some(values)
    }
}

/// With the values that a solver finds for what the derivation says nothing of.
fn by_solver(program: &Program, derivation: &Derivation, resources: u32) -> Option<Derivation> {
    if derivation.steps.len() > MOST_SOLVED_STEPS {
        return None;
    }
    let mut terms = program.terms.clone();
    let mut unknown = Vec::new();
    let mut conditions = Vec::new();
    let mut steps = Vec::with_capacity(derivation.steps.len());
    let mut goals: Vec<Vec<TermId>> = vec![Vec::new()];
    for step in &derivation.steps {
        let given = goals.pop()?;
        let rule = program.rules().get(step.rule.index())?;
        let known: Assignment = step.values.iter().cloned().collect();
        let roots: Vec<TermId> = rule.terms().collect();
        let mut instance = Substitution::new();
        let mut meanings = Vec::new();
        for variable in terms.variables_of_all(&roots) {
            let sort = terms.sort(variable);
            let meaning = match known.get(&variable) {
                Some(value) => terms.value_term(value, sort),
                None => {
                    let open = terms.fresh_variable("left", sort);
                    unknown.push(open);
                    open
                }
            };
            instance.insert(&terms, variable, meaning);
            meanings.push((variable, meaning));
        }
        conditions.extend(terms.substitute_all(&rule.constraint, &instance));
        for (argument, given) in terms
            .substitute_all(&rule.head.arguments, &instance)
            .into_iter()
            .zip(given)
        {
            conditions.push(terms.equal(argument, given));
        }
        for atom in rule.body.iter().rev() {
            goals.push(terms.substitute_all(&atom.arguments, &instance));
        }
        steps.push((step.rule, meanings));
    }
    let model = LayeredSolver::new(resources)
        .check_model(&terms, &conditions, &[], &unknown)
        .1?;
    let value = |meaning: TermId| match model.get(&meaning) {
        Some(value) => Some(value.clone()),
        // What no condition speaks of may have any value.
        None if terms.is_variable(meaning) => Some(terms.default_value(terms.sort(meaning))),
        None => terms.evaluate(meaning, &Assignment::new()),
    };
    let completed = steps.into_iter().map(|(rule, meanings)| {
        let values = meanings
            .into_iter()
            .map(|(variable, meaning)| Some((variable, value(meaning)?)));
        Some(Step {
            rule,
            values: values.collect::<Option<_>>()?,
        })
    });
    let found = Derivation::new(completed.collect::<Option<_>>()?);
    replay(program, &found).is_ok().then_some(found)
}
