//! An oracle that shares nothing with the engine but the evaluation of terms: it runs a program on all values, breadth first.
//!
//! Variables that a rule determines by an equation are computed, the others are tried over the range that the rule's
//! inequalities leave. Where there is no such range, or the limits are met, some runs are missed: then an error that was
//! found still counts, but that none was found says nothing.

use clausal::evidence::{Derivation, Step};
use clausal::rules::{PredicateId, Program, Rule, RuleId};
use clausal::terms::{Assignment, Comparison, LinearForm, Rational, SortId, TermId, Value};
use std::collections::BTreeSet;

/// What running a program shows.
pub enum Observation {
    /// This run reaches the error.
    Unsafe(Derivation),
    /// All runs were seen, and none reaches the error.
    Safe,
    /// Not all runs were seen.
    Unknown,
}

/// How much is run.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Different goals.
    pub goals: usize,
    /// Assignments tried, complete or not.
    pub assignments: usize,
}

/// Values of a variable are tried in ranges up to this size.
const RANGE: i64 = 24;

/// A goal that was reached, and the step that led there from an earlier one.
struct Reached {
    predicate: PredicateId,
    values: Vec<Value>,
    step: Option<(usize, Step)>,
}

/// Runs the program.
pub fn observe(program: &Program, limits: Limits) -> Observation {
    let mut run = Run {
        program,
        left: limits.assignments,
        complete: true,
    };
    let mut seen = BTreeSet::new();
    let mut reached = vec![Reached {
        predicate: PredicateId::QUERY,
        values: Vec::new(),
        step: None,
    }];
    let mut next = 0;
    while next < reached.len() {
        let (predicate, values) = (reached[next].predicate, reached[next].values.clone());
        for id in program.rules_of(predicate) {
            let rule = program.rule(*id);
            let [body] = &rule.body[..] else { continue };
            for assignment in run.solutions(rule, &values) {
                let arguments: Option<Vec<Value>> = body
                    .arguments
                    .iter()
                    .map(|term| program.terms.evaluate(*term, &assignment))
                    .collect();
                let Some(arguments) = arguments else {
                    run.complete = false;
                    continue;
                };
                let step = Some((next, step(program, *id, &assignment)));
                let goal = Reached {
                    predicate: body.predicate,
                    values: arguments,
                    step,
                };
                if goal.predicate == PredicateId::ERROR {
                    return Observation::Unsafe(path(&reached, goal));
                }
                if seen.insert((goal.predicate, goal.values.clone())) {
                    reached.push(goal);
                }
            }
        }
        if reached.len() > limits.goals || run.left == 0 {
            return Observation::Unknown;
        }
        next += 1;
    }
    if run.complete {
        Observation::Safe
    } else {
        Observation::Unknown
    }
}

fn step(program: &Program, rule: RuleId, assignment: &Assignment) -> Step {
    let variables = rule_variables(program, program.rule(rule));
    let values = variables
        .into_iter()
        .map(|variable| (variable, assignment[&variable].clone()));
    Step {
        rule,
        values: values.collect(),
    }
}

fn path(reached: &[Reached], last: Reached) -> Derivation {
    let mut steps = Vec::new();
    let mut at = last.step;
    while let Some((before, step)) = at {
        steps.push(step);
        at = reached[before].step.clone();
    }
    steps.reverse();
    Derivation::new(steps)
}

fn rule_variables(program: &Program, rule: &Rule) -> Vec<TermId> {
    let atoms = std::iter::once(&rule.head).chain(&rule.body);
    let arguments = atoms.flat_map(|atom| &atom.arguments);
    let all: Vec<TermId> = arguments.chain(&rule.constraint).copied().collect();
    let mut variables = program.terms.variables_of_all(&all);
    variables.sort();
    variables.dedup();
    variables
}

struct Run<'a> {
    program: &'a Program,
    /// How many more assignments may be tried.
    left: usize,
    /// Whether no run was missed so far.
    complete: bool,
}

impl Run<'_> {
    /// All values of the rule's variables under which it applies to the goal.
    fn solutions(&mut self, rule: &Rule, goal: &[Value]) -> Vec<Assignment> {
        let terms = &self.program.terms;
        let mut equations: Vec<LinearForm> = Vec::new();
        let mut start = Assignment::new();
        for (argument, value) in rule.head.arguments.iter().zip(goal) {
            if terms.is_variable(*argument) {
                start.entry(*argument).or_insert_with(|| value.clone());
            } else if let Value::Number(number) = value {
                let mut form = terms.linear_form(*argument);
                form.constant -= number;
                equations.push(form);
            }
        }
        for formula in &rule.constraint {
            let atom = terms.linear_atom(*formula);
            equations.extend(
                atom.filter(|atom| atom.comparison == Comparison::Equal)
                    .map(|atom| atom.form),
            );
        }
        let variables = rule_variables(self.program, rule);
        let mut found = Vec::new();
        let mut stack = vec![start];
        while let Some(mut assignment) = stack.pop() {
            if self.left == 0 {
                self.complete = false;
                break;
            }
            self.left -= 1;
            self.solve(&equations, &mut assignment);
            let mut excluded = false;
            for formula in &rule.constraint {
                excluded |= terms.holds(*formula, &assignment) == Some(false);
            }
            if excluded {
                continue;
            }
            let unknown: Vec<TermId> = variables
                .iter()
                .copied()
                .filter(|v| !assignment.contains_key(v))
                .collect();
            if unknown.is_empty() {
                self.finish(rule, goal, assignment, &mut found);
                continue;
            }
            let ranges = unknown
                .iter()
                .map(|variable| (*variable, self.range(rule, *variable, &assignment)));
            let Some((variable, range)) = ranges.min_by_key(|(_, range)| (!range.all, range.values.len())) else {
                continue;
            };
            self.complete &= range.all;
            for value in range.values.into_iter().rev() {
                let mut extended = assignment.clone();
                extended.insert(variable, value);
                stack.push(extended);
            }
        }
        found
    }

    fn finish(&mut self, rule: &Rule, goal: &[Value], assignment: Assignment, found: &mut Vec<Assignment>) {
        let terms = &self.program.terms;
        let fits = |(variable, value): (&TermId, &Value)| match value {
            Value::Number(number) => terms.sort(*variable) != SortId::INT || number.is_integer(),
            _ => true,
        };
        if !assignment.iter().all(fits) {
            return;
        }
        let head: Option<bool> = rule
            .head
            .arguments
            .iter()
            .zip(goal)
            .try_fold(true, |all, (argument, value)| {
                Some(all && terms.evaluate(*argument, &assignment)? == *value)
            });
        let holds = rule.constraint.iter().try_fold(head, |all, formula| {
            Some(Some(all? && terms.holds(*formula, &assignment)?))
        });
        match holds.flatten() {
            Some(true) => found.push(assignment),
            Some(false) => {}
            None => self.complete = false,
        }
    }

    /// Computes variables that are the only unknown of an equation.
    fn solve(&self, equations: &[LinearForm], assignment: &mut Assignment) {
        let mut progress = true;
        while progress {
            progress = false;
            for form in equations {
                if let Some((variable, coefficient, rest)) = self.single_unknown(form, assignment) {
                    assignment.insert(variable, Value::Number(-rest / coefficient));
                    progress = true;
                }
            }
        }
    }

    /// The form as `coefficient * variable + rest` if that is what it is under the assignment.
    fn single_unknown(&self, form: &LinearForm, assignment: &Assignment) -> Option<(TermId, Rational, Rational)> {
        let terms = &self.program.terms;
        let mut unknown = None;
        let mut rest = form.constant.clone();
        for (term, coefficient) in &form.terms {
            match terms.evaluate(*term, assignment) {
                Some(Value::Number(value)) => rest += coefficient * value,
                _ if unknown.is_none() && terms.is_variable(*term) => unknown = Some((*term, coefficient.clone())),
                _ => return None,
            }
        }
        unknown.map(|(variable, coefficient)| (variable, coefficient, rest))
    }

    fn range(&self, rule: &Rule, variable: TermId, assignment: &Assignment) -> Range {
        let sort = self.program.terms.sort(variable);
        if sort == SortId::BOOL {
            let values = vec![Value::Bool(false), Value::Bool(true)];
            return Range { values, all: true };
        }
        let (mut low, mut high): (Option<Rational>, Option<Rational>) = (None, None);
        for formula in &rule.constraint {
            let Some(atom) = self.program.terms.linear_atom(*formula) else {
                continue;
            };
            let Some((bounded, coefficient, rest)) = self.single_unknown(&atom.form, assignment) else {
                continue;
            };
            if bounded != variable || atom.comparison == Comparison::Equal {
                continue;
            }
            let upper = coefficient > Rational::from_integer(0.into());
            let bound = -rest / coefficient;
            if upper {
                high = Some(high.map_or(bound.clone(), |high| high.min(bound)));
            } else {
                low = Some(low.map_or(bound.clone(), |low| low.max(bound)));
            }
        }
        let whole = |number: i64| Rational::from_integer(number.into());
        let bounded = low.is_some() && high.is_some();
        let first = match (&low, &high) {
            (Some(low), _) => low.ceil(),
            (None, Some(high)) => high.floor() - whole(4),
            (None, None) => whole(-2),
        };
        let last = high.unwrap_or(&first + whole(4)).floor();
        let limit = (&first + whole(RANGE)).min(last.clone());
        let all = bounded && sort == SortId::INT && limit == last;
        let mut values = Vec::new();
        let mut value = first;
        while value <= limit {
            values.push(Value::Number(value.clone()));
            value += whole(1);
        }
        Range { values, all }
    }
}

/// Values to try.
struct Range {
    values: Vec<Value>,
    /// Whether there are no others.
    all: bool,
}
