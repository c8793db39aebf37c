//! Calls on a stack: rules with several atoms in their bodies become rules with one, for what follows single paths (seeds 000 and 002).
//!
//! [`linearize`](super::linearize) copies what is called, which has no end where a call recurs. Here the atoms that are still to be
//! derived lie on a stack: beside its own parameters each predicate has how many there are, an array of their predicates, and arrays of
//! their arguments. What a rule `p(X̃) :- Ψ, q(Ỹ), r(Z̃)` says becomes
//!
//! ```text
//! p(X̃, N, W, H) :- Ψ, q(Ỹ, N + 1, W with r at N, H with Z̃ at N).
//! return(N, W, H) :- N >= 1, W at N - 1 = r, r(H at N - 1, N - 1, W, H).
//! ```
//!
//! and a rule without an atom leads to `return`. Where nothing is left to be derived, no rule of `return` applies: the run has ended.
//!
//! A derivation of the one program is one of the other, step by step, but for the steps of `return`.

use super::{Atom, Derivation, PredicateId, Program, Rule, RuleId, Step};
use crate::terms::{Assignment, SortId, TermId, Value};

/// Derivations whose turns are not all written down are written out up to so many steps.
const MOST_STEPS: u64 = 3_000_000;

/// A program without calls that has the runs of one with calls.
///
/// ```
/// # use clausal_rules as clausal;
/// use clausal::rules::Stacked;
///
/// let source = "
///     ?- sum(4, S), S > 9, error.
///     sum(N, S) :- N =< 0, S = 0.
///     sum(N, S) :- N > 0, sum(N - 1, T), more(N, T, S).
///     more(N, T, S) :- S = T + N.";
/// let program = clausal::clp::read_with_calls(source).product.expect("no mistake in it");
/// let stacked = Stacked::new(&program);
/// assert!(program.has_calls() && !stacked.program().has_calls());
/// ```
#[derive(Clone, Debug)]
pub struct Stacked {
    program: Program,
    /// How many rules there were before: each is made of the one with its id, and those of `return` follow.
    rules: usize,
    /// `return`.
    back: PredicateId,
    /// How many terms there were before: the variables among them are those of the rules as they were.
    known_terms: usize,
}

impl Stacked {
    /// Puts the calls of a program on a stack.
    pub fn new(program: &Program) -> Stacked {
        let shape = Shape::of(program);
        let mut stacked = program.without_rules();
        let known_terms = program.terms.len();
        let sorts: Vec<SortId> = shape
            .held
            .iter()
            .map(|sort| stacked.terms.array_sort(SortId::INT, *sort))
            .collect();
        let numbers = stacked.terms.array_sort(SortId::INT, SortId::INT);
        let names = stack_names(&sorts, numbers);
        for predicate in stacked.predicates.iter_mut().skip(2) {
            let stack = names
                .iter()
                .map(|(name, sort)| stacked.terms.fresh_variable(name, *sort));
            predicate.parameters.extend(stack);
        }
        let parameters: Vec<(&str, SortId)> = names.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
        let back = stacked.add_predicate("return", None, &parameters);
        let mut stacking = Stacking {
            shape: &shape,
            back,
            names: &names,
            stacked,
        };
        for rule in program.rules() {
            stacking.rule(rule);
        }
        for (predicate, sorts) in &shape.waiting {
            stacking.go_on(*predicate, sorts);
        }
        Stacked {
            program: stacking.stacked,
            rules: program.rules().len(),
            back,
            known_terms,
        }
    }

    /// The program without calls. What was a predicate before is one with the same id, and its parameters come before those of the stack.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program without calls alone.
    pub fn into_program(self) -> Program {
        self.program
    }

    /// The derivation of the program with calls that a run of the one without is; `None` if it has more than three million steps that
    /// are not all written down.
    pub fn derivation(&self, run: &Derivation) -> Option<Derivation> {
        let run = run.expanded(&self.program, MOST_STEPS)?;
        let steps = run.steps.into_iter().filter_map(|mut step| {
            let is_own = step.rule.index() < self.rules;
            step.values.retain(|(variable, _)| variable.index() < self.known_terms);
            is_own.then_some(step)
        });
        Some(Derivation::new(steps.collect()))
    }
}

impl Stacked {
    /// The run of the program without calls that a derivation of the given one with calls is: the other way round. `None` if it is none, or has more
    /// than three million steps that are not all written down.
    pub fn run(&self, program: &Program, derivation: &Derivation) -> Option<Derivation> {
        let derivation = derivation.expanded(program, MOST_STEPS)?;
        let mut steps = Vec::new();
        // What is derived next, as the rules on the stack have it.
        let mut next: (PredicateId, Vec<Value>) = (PredicateId::QUERY, Vec::new());
        for step in &derivation.steps {
            if next.0 == self.back {
                next = self.apply(self.go_on(&next.1)?, Vec::new(), &next.1, &mut steps)?;
            }
            next = self.apply(step.rule, step.values.clone(), &next.1, &mut steps)?;
        }
        if next.0 == self.back {
            self.apply(self.go_on(&next.1)?, Vec::new(), &next.1, &mut steps)?;
        }
        Some(Derivation::new(steps))
    }

    /// Adds the step by a rule, in which the stack is what it is in these arguments; the atom that it leads to.
    fn apply(
        &self,
        rule: RuleId,
        mut values: Vec<(TermId, Value)>,
        arguments: &[Value],
        steps: &mut Vec<Step>,
    ) -> Option<(PredicateId, Vec<Value>)> {
        let terms = &self.program.terms;
        let applied = self.program.rules().get(rule.index())?;
        for (variable, value) in applied.head.arguments.iter().zip(arguments) {
            if variable.index() >= self.known_terms {
                values.push((*variable, value.clone()));
            }
        }
        let assignment: Assignment = values.iter().cloned().collect();
        let body = applied.body.first()?;
        let arguments = body
            .arguments
            .iter()
            .map(|argument| terms.evaluate(*argument, &assignment));
        let arguments = arguments.collect::<Option<Vec<_>>>()?;
        steps.push(Step { rule, values });
        Some((body.predicate, arguments))
    }

    /// The rule by which what is on top of the stack is derived.
    fn go_on(&self, stack: &[Value]) -> Option<RuleId> {
        let rules = self.program.rules_of(self.back).iter().copied();
        rules.into_iter().find(|rule| {
            let rule = self.program.rule(*rule);
            let assignment: Assignment = rule.head.arguments.iter().copied().zip(stack.iter().cloned()).collect();
            let mut conditions = rule.constraint.iter();
            conditions.all(|condition| self.program.terms.holds(*condition, &assignment) == Some(true))
        })
    }
}

/// What lies on the stack.
struct Shape {
    /// The predicates that wait while a call is derived, ascending, and the sorts of their arguments.
    waiting: Vec<(PredicateId, Vec<SortId>)>,
    /// The sorts of their arguments, so often as one predicate needs them.
    held: Vec<SortId>,
}

impl Shape {
    fn of(program: &Program) -> Shape {
        let later = program.rules().iter().flat_map(|rule| rule.body.iter().skip(1));
        let mut waiting: Vec<PredicateId> = later.map(|atom| atom.predicate).collect();
        waiting.sort_unstable();
        waiting.dedup();
        let sorts = |predicate: PredicateId| {
            let parameters = program.predicate(predicate).parameters.iter();
            parameters
                .map(|parameter| program.terms.sort(*parameter))
                .collect::<Vec<_>>()
        };
        let waiting: Vec<_> = waiting
            .into_iter()
            .map(|predicate| (predicate, sorts(predicate)))
            .collect();
        let mut held: Vec<SortId> = Vec::new();
        for (_, sorts) in &waiting {
            let mut free = held.clone();
            for sort in sorts {
                match free.iter().position(|other| other == sort) {
                    Some(position) => {
                        free.swap_remove(position);
                    }
                    None => held.push(*sort),
                }
            }
        }
        Shape { waiting, held }
    }

    /// The arrays in which arguments of these sorts lie, by their position among those held.
    fn places(&self, sorts: &[SortId]) -> Vec<usize> {
        let mut taken = vec![false; self.held.len()];
        let mut places = Vec::new();
        for sort in sorts {
            let free = (0..self.held.len()).find(|place| !taken[*place] && self.held[*place] == *sort);
            if let Some(place) = free {
                taken[place] = true;
                places.push(place);
            }
        }
        places
    }
}

/// The parameters of the stack: how many atoms wait, their predicates, their arguments.
fn stack_names(held: &[SortId], numbers: SortId) -> Vec<(String, SortId)> {
    let arguments = held.iter().enumerate();
    let arguments = arguments.map(|(place, sort)| (format!("Held{}", place + 1), *sort));
    let [waiting, goals] = [("Waiting", SortId::INT), ("Goals", numbers)].map(|(name, sort)| (name.to_string(), sort));
    [waiting, goals].into_iter().chain(arguments).collect()
}

/// The rules as they are made.
struct Stacking<'a> {
    shape: &'a Shape,
    /// `return`.
    back: PredicateId,
    /// The parameters of the stack.
    names: &'a [(String, SortId)],
    stacked: Program,
}

/// Where in the stack's parameters it says how many atoms wait.
const WAITING: usize = 0;
/// Where their predicates are.
const GOALS: usize = 1;
/// Where the arrays of their arguments begin.
const HELD: usize = 2;

impl Stacking<'_> {
    /// A stack of variables.
    fn any(&mut self) -> Vec<TermId> {
        let terms = &mut self.stacked.terms;
        let names = self.names.iter();
        names.map(|(name, sort)| terms.fresh_variable(name, *sort)).collect()
    }

    /// The stack on which nothing is.
    fn empty(&mut self) -> Vec<TermId> {
        let terms = &mut self.stacked.terms;
        let sorts = self.names.iter().map(|(_, sort)| *sort);
        sorts
            .map(|sort| {
                let value = terms.default_value(sort);
                terms.value_term(&value, sort)
            })
            .collect()
    }

    /// The rule, with what it leaves for later on the stack.
    fn rule(&mut self, rule: &Rule) {
        let mut rule = rule.clone();
        let mut stack = match rule.head.predicate {
            PredicateId::QUERY => self.empty(),
            _ => {
                let stack = self.any();
                rule.head.arguments.extend(&stack);
                stack
            }
        };
        let later = rule.body.drain(1.min(rule.body.len())..).collect::<Vec<_>>();
        // The last is needed last.
        for atom in later.iter().rev() {
            self.push(&mut stack, atom);
        }
        if rule.body.is_empty() {
            let arguments = Vec::new();
            rule.body.push(Atom {
                predicate: self.back,
                arguments,
            });
        }
        for atom in &mut rule.body {
            if atom.predicate != PredicateId::ERROR {
                atom.arguments.extend(&stack);
            }
        }
        self.stacked.add_rule(rule);
    }

    fn push(&mut self, stack: &mut [TermId], atom: &Atom) {
        let terms = &mut self.stacked.terms;
        let goal = terms.integer(atom.predicate.index());
        stack[GOALS] = terms.store(stack[GOALS], stack[WAITING], goal);
        let sorts: Vec<SortId> = atom.arguments.iter().map(|argument| terms.sort(*argument)).collect();
        for (place, argument) in self.shape.places(&sorts).into_iter().zip(&atom.arguments) {
            stack[HELD + place] = terms.store(stack[HELD + place], stack[WAITING], *argument);
        }
        let one = terms.integer(1);
        stack[WAITING] = terms.add(stack[WAITING], one);
    }

    /// The rule by which a predicate that waits is derived.
    fn go_on(&mut self, predicate: PredicateId, sorts: &[SortId]) {
        let stack = self.any();
        let places = self.shape.places(sorts);
        let terms = &mut self.stacked.terms;
        let (zero, one) = (terms.integer(0), terms.integer(1));
        let last = terms.subtract(stack[WAITING], one);
        let goal = terms.select(stack[GOALS], last);
        let number = terms.integer(predicate.index());
        let constraint = vec![terms.less(zero, stack[WAITING]), terms.equal(goal, number)];
        let mut arguments: Vec<TermId> = places
            .into_iter()
            .map(|place| terms.select(stack[HELD + place], last))
            .collect();
        if predicate != PredicateId::ERROR {
            arguments.push(last);
            arguments.extend(&stack[GOALS..]);
        }
        self.stacked.add_rule(Rule {
            head: Atom {
                predicate: self.back,
                arguments: stack,
            },
            constraint,
            body: vec![Atom { predicate, arguments }],
            location: None,
        });
    }
}
