//! Replay: checks a derivation by evaluation alone, without a solver but for turns that are not written down.

use super::describe::{rule_place, rule_text};
use super::repetitions::Repetitions;
use super::well_formed::{has_finite_index, value_fits};
use super::{Derivation, Step};
use crate::rules::{PredicateId, Program};
use crate::terms::{Assignment, Operator, TermId, Terms, Value};
use std::fmt;

/// How many steps pass between two questions whether to stop.
const STEPS_BETWEEN_LOOKS: usize = 256;

/// What is wrong with a step. Terms and predicates are given as text.
#[derive(Clone, PartialEq, Debug)]
pub enum ReplayFault {
    /// The derivation has no steps.
    Empty,
    /// The program itself cannot be made sense of.
    Program(String),
    /// The program has no such rule.
    NoSuchRule,
    /// The first rule is not a query.
    NotAQuery,
    /// It depends on whether arrays with finitely many indices are equal, whose values cannot be compared exactly.
    FiniteArray,
    /// A variable has no value.
    MissingValue(String),
    /// A variable has two values.
    TwoValues(String),
    /// A variable's value is not of its sort.
    WrongSort(String),
    /// A constraint is false.
    ConstraintFails(String),
    /// A term has no definite value: something is divided by zero.
    Undefined(String),
    /// The rule is not one for the goal that is to be derived next.
    WrongHead {
        /// The predicate of the goal.
        goal: String,
        /// The predicate of the rule's head.
        head: String,
    },
    /// An argument of the rule's head has another value than the goal that is to be derived next.
    ArgumentDiffers {
        /// Which argument, from 1.
        position: usize,
        /// Its value in the goal.
        goal: String,
        /// Its value in the head.
        head: String,
    },
    /// The rule has no body and nothing else is to be derived, but the derivation goes on or should end in the error.
    NoBody,
    /// The derivation ends in something else than the error.
    EndsElsewhere(String),
    /// The turns that are left out before this step do not lead to it, or are not known to.
    Repetition(String),
}

/// Why a derivation is not accepted.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayError {
    /// Which step, from 0.
    pub step: usize,
    /// The rule of the step as text; empty if there is none.
    pub rule: String,
    /// What is wrong.
    pub fault: ReplayFault,
}

impl fmt::Display for ReplayFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayFault::Empty => write!(out, "there are no steps"),
            ReplayFault::Program(why) => write!(out, "the program is malformed: {why}"),
            ReplayFault::NoSuchRule => write!(out, "the program has no such rule"),
            ReplayFault::NotAQuery => write!(out, "a derivation must start with a query"),
            ReplayFault::FiniteArray => write!(
                out,
                "arrays with finitely many indices are compared, which cannot be replayed"
            ),
            ReplayFault::MissingValue(variable) => write!(out, "`{variable}` has no value"),
            ReplayFault::TwoValues(variable) => write!(out, "`{variable}` has two values"),
            ReplayFault::WrongSort(variable) => write!(out, "the value of `{variable}` is not of its sort"),
            ReplayFault::ConstraintFails(constraint) => write!(out, "`{constraint}` is false"),
            ReplayFault::Undefined(term) => write!(out, "`{term}` divides by zero and has no definite value"),
            ReplayFault::WrongHead { goal, head } => {
                write!(out, "the goal is one of `{goal}`, but the rule is one of `{head}`")
            }
            ReplayFault::ArgumentDiffers { position, goal, head } => {
                write!(
                    out,
                    "argument {position} is {goal} in the goal but {head} in the rule's head"
                )
            }
            ReplayFault::NoBody => write!(out, "the rule leads nowhere"),
            ReplayFault::EndsElsewhere(label) => write!(out, "the derivation ends in `{label}` and not in the error"),
            ReplayFault::Repetition(why) => write!(out, "the turns left out before it are not there: {why}"),
        }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "step {}", self.step + 1)?;
        if !self.rule.is_empty() {
            write!(out, ", {}", self.rule)?;
        }
        write!(out, ": {}", self.fault)
    }
}

impl std::error::Error for ReplayError {}

/// What a rule needs for a replay, found out once.
struct Prepared {
    variables: Vec<TermId>,
    finite_array: bool,
}

/// A goal: a predicate and the values of its arguments.
struct Goal {
    predicate: PredicateId,
    arguments: Vec<Value>,
}

/// Checks that the derivation is a run of the program from a query into the error.
///
/// # Errors
///
/// The first step that does not follow, and why.
pub fn replay(program: &Program, derivation: &Derivation) -> Result<(), ReplayError> {
    replay_until(program, derivation, &|| false).map(|_| ())
}

/// [`replay`], given up when `stop` says so: whether it came to the end.
pub fn replay_until(program: &Program, derivation: &Derivation, stop: &dyn Fn() -> bool) -> Result<bool, ReplayError> {
    let error = |step: usize, fault: ReplayFault| {
        let rule = derivation.steps.get(step).map(|step| step.rule);
        let known = rule.filter(|id| id.index() < program.rules().len() && !matches!(fault, ReplayFault::Program(_)));
        let rule = match (known, rule) {
            (Some(id), _) => format!("{}, `{}`", rule_place(program, id), rule_text(program, id)),
            (None, Some(id)) => rule_place(program, id),
            (None, None) => String::new(),
        };
        ReplayError { step, rule, fault }
    };
    program
        .validate()
        .map_err(|why| error(0, ReplayFault::Program(why.to_string())))?;
    let mut prepared: Vec<Option<Prepared>> = Vec::new();
    prepared.resize_with(program.rules().len(), || None);
    // What is still to be derived, the next one last.
    let mut goals = vec![Goal {
        predicate: PredicateId::QUERY,
        arguments: Vec::new(),
    }];
    let mut assignment = Assignment::new();
    let mut repetitions = Repetitions::new(program, derivation);
    for (index, step) in derivation.steps.iter().enumerate() {
        if index % STEPS_BETWEEN_LOOKS == 0 && stop() {
            return Ok(false);
        }
        let fault = |fault| error(index, fault);
        let entry = prepared
            .get_mut(step.rule.index())
            .ok_or_else(|| fault(ReplayFault::NoSuchRule))?;
        let prepared = entry.get_or_insert_with(|| prepare(program, step));
        if index == 0 && program.rule(step.rule).head.predicate != PredicateId::QUERY {
            return Err(fault(ReplayFault::NotAQuery));
        }
        assign(program, step, prepared, &mut assignment).map_err(fault)?;
        let is_later = repetitions
            .leads_to(index)
            .map_err(|why| fault(ReplayFault::Repetition(why)))?;
        if is_later && let Some(goal) = goals.last_mut() {
            *goal = head(program, step, &assignment).map_err(fault)?;
        }
        let body = match goals.pop() {
            Some(goal) => reduce(program, step, &goal, &assignment).map_err(fault)?,
            None => Vec::new(),
        };
        goals.extend(body.into_iter().rev());
        if goals.is_empty() {
            return Err(fault(ReplayFault::NoBody));
        }
    }
    if let Some(why) = repetitions.left() {
        let last = derivation.steps.len().saturating_sub(1);
        return Err(error(last, ReplayFault::Repetition(why)));
    }
    let reached = goals.last().map(|goal| goal.predicate);
    match derivation.steps.len().checked_sub(1) {
        None => Err(error(0, ReplayFault::Empty)),
        Some(_) if reached == Some(PredicateId::ERROR) => Ok(true),
        Some(last) => {
            let label = reached.map_or(String::new(), |predicate| program.predicate_label(predicate));
            Err(error(last, ReplayFault::EndsElsewhere(label)))
        }
    }
}

fn prepare(program: &Program, step: &Step) -> Prepared {
    let terms = &program.terms;
    let rule = program.rule(step.rule);
    let roots: Vec<TermId> = rule.terms().collect();
    let variables = terms.variables_of_all(&roots);
    // An equation that has to hold does so at least where the values are written in the same way.
    let mut compared: Vec<TermId> = Vec::new();
    for root in roots {
        match rule.constraint.contains(&root) && compares_finite_arrays(terms, root) {
            true => compared.extend(terms.arguments(root)),
            false => compared.push(root),
        }
    }
    let mut inside = terms.subterms(&compared).into_iter();
    let finite_array = inside.any(|term| compares_finite_arrays(terms, term));
    Prepared {
        variables,
        finite_array,
    }
}

/// Whether the value of a term depends on whether arrays with finitely many indices are equal: its own value, not its parts'.
fn compares_finite_arrays(terms: &Terms, term: TermId) -> bool {
    let arguments = terms.arguments(term);
    let compared = match terms.operator(term) {
        Operator::Equal => arguments.first(),
        // An element is found by comparing indices.
        Operator::Select | Operator::Store => arguments.get(1),
        _ => None,
    };
    compared.is_some_and(|compared| has_finite_index(terms, terms.sort(*compared)))
}

/// Makes `assignment` the values of the step, after checking them.
fn assign(program: &Program, step: &Step, prepared: &Prepared, assignment: &mut Assignment) -> Result<(), ReplayFault> {
    let terms = &program.terms;
    if prepared.finite_array {
        return Err(ReplayFault::FiniteArray);
    }
    assignment.clear();
    for (variable, value) in &step.values {
        // Values of other terms can do no harm, but a second value of a variable of the rule could hide the first.
        if assignment.insert(*variable, value.clone()).is_some() && prepared.variables.contains(variable) {
            return Err(ReplayFault::TwoValues(terms.variable_name(*variable).to_string()));
        }
    }
    for variable in &prepared.variables {
        let name = || terms.variable_name(*variable).to_string();
        let value = assignment
            .get(variable)
            .ok_or_else(|| ReplayFault::MissingValue(name()))?;
        if !value_fits(terms, value, terms.sort(*variable)) {
            return Err(ReplayFault::WrongSort(name()));
        }
    }
    Ok(())
}

/// The goal that the rule of a step is for.
fn head(program: &Program, step: &Step, assignment: &Assignment) -> Result<Goal, ReplayFault> {
    let head = &program.rule(step.rule).head;
    let value = |term: &TermId| {
        let undefined = || ReplayFault::Undefined(program.terms.display(*term).to_string());
        program.terms.evaluate(*term, assignment).ok_or_else(undefined)
    };
    Ok(Goal {
        predicate: head.predicate,
        arguments: head.arguments.iter().map(value).collect::<Result<_, _>>()?,
    })
}

/// Applies the rule of a step to a goal: the goals of its body, in order.
fn reduce(program: &Program, step: &Step, goal: &Goal, assignment: &Assignment) -> Result<Vec<Goal>, ReplayFault> {
    let terms = &program.terms;
    let rule = program.rule(step.rule);
    let text = |term: TermId| terms.display(term).to_string();
    let value = |term: &TermId| {
        terms
            .evaluate(*term, assignment)
            .ok_or_else(|| ReplayFault::Undefined(text(*term)))
    };
    if rule.head.predicate != goal.predicate {
        return Err(ReplayFault::WrongHead {
            goal: program.predicate_label(goal.predicate),
            head: program.predicate_label(rule.head.predicate),
        });
    }
    debug_assert_eq!(
        rule.head.arguments.len(),
        goal.arguments.len(),
        "the program is well formed"
    );
    for (position, (argument, expected)) in rule.head.arguments.iter().zip(&goal.arguments).enumerate() {
        let found = value(argument)?;
        if found != *expected {
            // Written in different ways, they may be equal all the same.
            if has_finite_index(terms, terms.sort(*argument)) {
                return Err(ReplayFault::FiniteArray);
            }
            return Err(ReplayFault::ArgumentDiffers {
                position: position + 1,
                goal: expected.to_string(),
                head: found.to_string(),
            });
        }
    }
    for constraint in &rule.constraint {
        match terms.holds(*constraint, assignment) {
            Some(true) => {}
            Some(false) if compares_finite_arrays(terms, *constraint) => return Err(ReplayFault::FiniteArray),
            Some(false) => return Err(ReplayFault::ConstraintFails(text(*constraint))),
            None => return Err(ReplayFault::Undefined(text(*constraint))),
        }
    }
    let goals = rule.body.iter().map(|atom| {
        Ok(Goal {
            predicate: atom.predicate,
            arguments: atom.arguments.iter().map(value).collect::<Result<_, _>>()?,
        })
    });
    goals.collect()
}
