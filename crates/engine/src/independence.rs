//! Runs that end in the error whatever some of their inputs are.
//!
//! An input may stand for a value that exists but is not calculated: the rules allow any, the program has one of them. A derivation with
//! such an input is an error of the program only if it does not depend on the value. Here the run is followed once more, rule by rule, with these
//! inputs left open and all others as they were; what is determined by equations is calculated as a term over the open ones. If every
//! condition on the way holds for all their values, the run reaches the error with each. The seeds have no such inputs.

use crate::rules::{Atom, Derivation, Program, RuleId};
use crate::solver::{Answer, LayeredSolver};
use crate::steps::elimination::solve_equation;
use crate::terms::{Substitution, TermId, Terms, Value};
use hashbrown::HashSet;
use num_bigint::BigInt;

/// A longer run is not looked at.
const MOST_STEPS: usize = 2_000;

/// An input that is left open.
#[derive(Clone, Debug)]
pub struct OpenInput {
    /// The variable of the rule.
    pub variable: TermId,
    /// The least and the greatest value that it may have, for integers; any value of its sort if there is none.
    pub bounds: Option<(BigInt, BigInt)>,
}

/// The inputs of a rule.
#[derive(Clone, Default, Debug)]
pub struct RuleInputs {
    /// Those that are left open.
    pub open: Vec<OpenInput>,
    /// Variables that have the value of the derivation, also where an equation says what they would have to be for other ones.
    pub fixed: Vec<TermId>,
}

/// Whether the run reaches the error with all values of the inputs that are left open, and the others as in the derivation; `inputs` says of
/// each rule which they are.
/// The derivation must be one of the program ([`replay`](crate::evidence::replay)). False where it is not known: rules with calls, turns that are not written down,
/// long runs, or questions that take more than `resources` units of Z3.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::Verdict;
/// use clausal::independence::{OpenInput, RuleInputs, reaches_error_whatever};
///
/// let source = "?- p(0, 0). p(X, Y) :- X < 3, p(X + 1, Z). p(3, Y) :- Y + 1 > Y, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let outcome = clausal::engine::verify(&program, &clausal::engine::Options::default());
/// let Verdict::Unsafe(run) = outcome.verdict else { panic!("it reaches the error") };
/// // The second rule leaves `Z` open.
/// let inputs = |rule: clausal::rules::RuleId| {
///     let rule = &program.rules()[rule.index()];
///     let free = rule.body.iter().filter_map(|atom| atom.arguments.last());
///     let free = free.filter(|argument| !program.terms.variables(**argument).is_empty());
///     let open = free.map(|variable| OpenInput { variable: *variable, bounds: None });
///     RuleInputs { open: open.collect(), fixed: Vec::new() }
/// };
/// assert!(reaches_error_whatever(&program, &run, &inputs, 0));
/// ```
pub fn reaches_error_whatever(
    program: &Program,
    derivation: &Derivation,
    inputs: &dyn Fn(RuleId) -> RuleInputs,
    resources: u32,
) -> bool {
    if !derivation.repetitions.is_empty() || derivation.steps.len() > MOST_STEPS {
        return false;
    }
    let mut following = Following {
        terms: program.terms.clone(),
        allowed: Vec::new(),
        conditions: Vec::new(),
    };
    let mut goal: Vec<TermId> = Vec::new();
    for step in &derivation.steps {
        let Some(rule) = program.rules().get(step.rule.index()) else {
            return false;
        };
        let [next] = &rule.body[..] else {
            return false;
        };
        let inputs = inputs(step.rule);
        let known = following.solved((&rule.head, &goal), &rule.constraint, &inputs, &step.values);
        let Some(arguments) = following.follow((&rule.head, &goal), &rule.constraint, next, &known) else {
            return false;
        };
        goal = arguments;
    }
    following.holds_always(resources)
}

/// A run that is followed with terms.
struct Following {
    terms: Terms,
    /// What the open inputs satisfy.
    allowed: Vec<TermId>,
    /// What must hold for all of their values, so far.
    conditions: Vec<TermId>,
}

impl Following {
    /// What each variable of a rule is, over the open inputs.
    fn solved(
        &mut self,
        (head, goal): (&Atom, &[TermId]),
        constraint: &[TermId],
        inputs: &RuleInputs,
        values: &[(TermId, Value)],
    ) -> Substitution {
        let mut known = Known::default();
        for input in &inputs.open {
            let sort = self.terms.sort(input.variable);
            let any = self.terms.fresh_variable("any", sort);
            known.insert(&self.terms, input.variable, any);
            if let Some((least, greatest)) = &input.bounds {
                let [least, greatest] = [least, greatest].map(|bound| self.terms.integer(bound.clone()));
                let bounds = [
                    self.terms.less_or_equal(least, any),
                    self.terms.less_or_equal(any, greatest),
                ];
                self.allowed.extend(bounds);
            }
        }
        for (argument, value) in head.arguments.iter().zip(goal) {
            if self.terms.is_variable(*argument) && !known.has(*argument) {
                known.insert(&self.terms, *argument, *value);
            }
        }
        for (variable, value) in values.iter().filter(|(variable, _)| inputs.fixed.contains(variable)) {
            if !known.has(*variable) {
                self.give(&mut known, *variable, value);
            }
        }
        let mut equations: Vec<TermId> = Vec::new();
        for conjunct in constraint {
            equations.extend(self.terms.conjuncts(*conjunct));
        }
        // What no equation defines is as it was; so is then, one after the other, what they leave open.
        self.solve(&mut equations, &mut known);
        for (variable, value) in values {
            if !known.has(*variable) && !self.is_defined(*variable, &equations) {
                self.give(&mut known, *variable, value);
            }
        }
        self.solve(&mut equations, &mut known);
        for (variable, value) in values {
            if !known.has(*variable) {
                self.give(&mut known, *variable, value);
                self.solve(&mut equations, &mut known);
            }
        }
        known.terms
    }

    /// Whether one of the equations could be solved for the variable if all else were known.
    fn is_defined(&mut self, variable: TermId, equations: &[TermId]) -> bool {
        let is_it = |other: TermId| other == variable;
        equations
            .iter()
            .any(|equation| solve_equation(&mut self.terms, *equation, &is_it).is_some())
    }

    fn give(&mut self, known: &mut Known, variable: TermId, value: &Value) {
        let sort = self.terms.sort(variable);
        let value = self.terms.value_term(value, sort);
        known.insert(&self.terms, variable, value);
    }

    /// Calculates what equations say of variables, as long as they say something.
    fn solve(&mut self, equations: &mut Vec<TermId>, known: &mut Known) {
        let mut is_new = true;
        while is_new {
            is_new = false;
            let mut left = Vec::with_capacity(equations.len());
            for equation in std::mem::take(equations) {
                let variables = self.terms.variables(equation);
                let mut unknown = variables.into_iter().filter(|variable| !known.has(*variable));
                let (Some(variable), None) = (unknown.next(), unknown.next()) else {
                    left.push(equation);
                    continue;
                };
                // With one unknown it says what that is, or it never will.
                if let Some((variable, value)) = solve_equation(&mut self.terms, equation, &|other| other == variable) {
                    let value = self.terms.substitute(value, &known.terms);
                    known.insert(&self.terms, variable, value);
                    is_new = true;
                }
            }
            *equations = left;
        }
    }

    /// The next goal's arguments. What the rule asks for is kept; `None` if it can never be.
    fn follow(
        &mut self,
        (head, goal): (&Atom, &[TermId]),
        constraint: &[TermId],
        next: &Atom,
        known: &Substitution,
    ) -> Option<Vec<TermId>> {
        if head.arguments.len() != goal.len() {
            return None;
        }
        let heads = self.terms.substitute_all(&head.arguments, known);
        for (argument, value) in heads.into_iter().zip(goal) {
            let agrees = self.terms.equal(argument, *value);
            self.conditions.push(agrees);
        }
        let asked = self.terms.substitute_all(constraint, known);
        self.conditions.extend(asked);
        self.conditions.retain(|condition| *condition != TermId::TRUE);
        (!self.conditions.contains(&TermId::FALSE)).then(|| self.terms.substitute_all(&next.arguments, known))
    }

    /// Whether the conditions hold for all values that are allowed.
    fn holds_always(mut self, resources: u32) -> bool {
        if self.conditions.is_empty() {
            return true;
        }
        let all = self.terms.and(&self.conditions);
        let fails = self.terms.not(all);
        let mut solver = LayeredSolver::new(resources);
        solver.check(&self.terms, &self.allowed, &[fails]) == Answer::Unsatisfiable
    }
}

/// The variables of a rule that are known, and what they are.
#[derive(Default)]
struct Known {
    variables: HashSet<TermId>,
    terms: Substitution,
}

impl Known {
    fn has(&self, variable: TermId) -> bool {
        self.variables.contains(&variable)
    }

    fn insert(&mut self, terms: &Terms, variable: TermId, value: TermId) {
        self.variables.insert(variable);
        self.terms.insert(terms, variable, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Verdict, verify};

    /// Whether the error that is found is reached whatever the second argument of `p` becomes, which its rule for zero leaves open. The first one
    /// is made a part of the predicate's name when the text is read.
    fn is_independent(rest: &str, bounds: Option<(i64, i64)>) -> bool {
        let source = format!("?- p(0, 0). p(0, _) :- p(1, Z). {rest}");
        let program = crate::clp::read(&source).product.expect("no mistake in it");
        let Verdict::Unsafe(run) = verify(&program, &Options::default()).verdict else {
            panic!("it has an error")
        };
        let opened = std::cell::Cell::new(0);
        let inputs = |rule: RuleId| {
            let rule = &program.rules()[rule.index()];
            let argument = rule.body.iter().filter_map(|atom| atom.arguments.last());
            // What nothing else says anything about, which is so in that rule alone.
            let said = rule.head.arguments.iter().chain(&rule.constraint);
            let said: HashSet<TermId> = said.flat_map(|term| program.terms.variables(*term)).collect();
            let free = argument.filter(|argument| program.terms.is_variable(**argument) && !said.contains(*argument));
            let open = free.map(|variable| OpenInput {
                variable: *variable,
                bounds: bounds.map(|(least, greatest)| (least.into(), greatest.into())),
            });
            let open: Vec<OpenInput> = open.collect();
            opened.set(opened.get() + open.len());
            RuleInputs {
                open,
                fixed: Vec::new(),
            }
        };
        let found = reaches_error_whatever(&program, &run, &inputs, 0);
        assert_eq!(opened.get(), 1, "{source}");
        found
    }

    #[test]
    fn conditions_on_what_is_open_count() {
        assert!(is_independent("p(1, Y) :- Y + 1 > Y, error.", None));
        assert!(is_independent("p(1, Y) :- Z = Y * 2, Z mod 2 = 0, error.", None));
        assert!(!is_independent("p(1, Y) :- Y > 3, error.", None));
        assert!(is_independent("p(1, Y) :- Y > 3, error.", Some((4, 9))));
        assert!(!is_independent("p(1, Y) :- Y > 4, error.", Some((4, 9))));
        assert!(!is_independent("p(1, 7) :- error.", None));
    }

    #[test]
    fn what_is_calculated_from_it_is_followed() {
        let steps = "p(1, Y) :- Z = Y + 1, p(2, Z - Y).";
        assert!(is_independent(&format!("{steps} p(2, 1) :- error."), None));
        let steps = "p(1, Y) :- Z = Y + 1, p(2, Z).";
        assert!(!is_independent(&format!("{steps} p(2, 1) :- error."), None));
        // Something could be chosen for each of the values; but it was chosen for one.
        assert!(!is_independent("p(1, Y) :- Z > 5, (Z > Y ; Z < 0), error.", None));
    }
}
