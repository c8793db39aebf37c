//! Transitions: rules made ready for exploration. The equations of a rule are solved for its own variables, so that what is
//! left is a guard over the head's parameters and terms for the new arguments, as seed 003's symbolic states have them.
//!
//! Disjunctions in a rule are split into several transitions of that rule, up to a limit; beyond it, they stay formulas. The
//! split is on the atom that occurs in most disjunctions, true here and false there, with what follows from it put into the
//! other conjuncts: a transition relation that was written as one formula falls apart into its steps.

use super::conjuncts::{Conjuncts, resolved};
use super::elimination::{flatten, solve_equation};
use crate::rules::{PredicateId, Program, Rule, RuleId};
use crate::terms::{Operator, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// A rule is split into at most this many transitions.
const SPLIT_LIMIT: usize = 64;

/// The id of a transition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct TransitionId(usize);

impl TransitionId {
    /// The id as an index, for side tables.
    pub fn index(self) -> usize {
        self.0
    }
}

/// Where a transition leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// To a goal of this predicate.
    Goal(PredicateId),
    /// To the error.
    Error,
    /// Nowhere: the derivation ends.
    End,
}

/// A rule, solved.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    /// The rule it stands for.
    pub rule: RuleId,
    /// Where it leads.
    pub target: Target,
    /// Conjuncts over the parameters of the head's predicate and `locals`.
    pub guard: Vec<TermId>,
    /// The new goal's arguments, over the same variables.
    pub updates: Vec<TermId>,
    /// Variables whose values the rule leaves open.
    pub locals: Vec<TermId>,
    /// Every other variable of the rule, as a term over the parameters and `locals`.
    pub solution: Vec<(TermId, TermId)>,
}

/// All transitions of a program.
pub(crate) struct Transitions {
    all: Vec<Rc<Transition>>,
    of_predicate: Vec<Vec<TransitionId>>,
}

impl Transitions {
    /// The transitions of a program's rules, in the order of the rules; `terms` is the program's table or a copy of it.
    pub fn new(program: &Program, terms: &mut Terms) -> Transitions {
        Transitions::solved(program, terms, false)
    }

    /// [`Transitions::new`], with what the head says solved before the constraint: where the constraint, too, says what an argument of
    /// the head is, the argument stays the parameter.
    pub fn heads_first(program: &Program, terms: &mut Terms) -> Transitions {
        Transitions::solved(program, terms, true)
    }

    fn solved(program: &Program, terms: &mut Terms, heads_first: bool) -> Transitions {
        let mut transitions = Transitions {
            all: Vec::new(),
            of_predicate: vec![Vec::new(); program.predicates().len()],
        };
        for (index, rule) in program.rules().iter().enumerate() {
            for transition in solve_rule(program, terms, RuleId::from_index(index), rule, heads_first) {
                let id = TransitionId(transitions.all.len());
                transitions.of_predicate[rule.head.predicate.index()].push(id);
                transitions.all.push(Rc::new(transition));
            }
        }
        transitions
    }

    /// The transitions that start at a predicate.
    pub fn of(&self, predicate: PredicateId) -> &[TransitionId] {
        &self.of_predicate[predicate.index()]
    }

    /// Adds a transition that is none of a rule's own and starts at no predicate: whoever adds it knows where to use it.
    pub fn add(&mut self, transition: Transition) -> TransitionId {
        let id = TransitionId(self.all.len());
        self.all.push(Rc::new(transition));
        id
    }

    /// One transition. It is shared, so that a caller may hold it while it changes the search.
    pub fn get(&self, id: TransitionId) -> &Rc<Transition> {
        &self.all[id.0]
    }
}

/// A rule on the way to being solved.
#[derive(Clone)]
struct Partial {
    constraint: Vec<TermId>,
    arguments: Vec<TermId>,
    solution: Vec<(TermId, TermId)>,
}

impl Partial {
    /// Solves what equations there are, and puts what parameters are equal to into the other conjuncts.
    fn solve(&mut self, terms: &mut Terms, parameters: &[TermId]) {
        let local = |variable: TermId| !parameters.contains(&variable);
        let mut conjuncts = Conjuncts::new(terms, &self.constraint);
        let mut replaced = Vec::new();
        // What parameters are equal to, in the order in which that was seen.
        let mut facts: Vec<TermId> = Vec::new();
        let mut propagated: HashSet<TermId> = HashSet::new();
        loop {
            if let Some((variable, solution)) = conjuncts.solve_first(terms, &local) {
                conjuncts.replace(terms, variable, solution);
                replaced.push((variable, solution));
                continue;
            }
            let fact = conjuncts.iter().find_map(|formula| {
                let known = |variable: TermId| parameters.contains(&variable) && !propagated.contains(&variable);
                let (variable, value) = solve_equation(terms, formula, &known)?;
                terms.variables(value).is_empty().then_some((formula, variable, value))
            });
            let Some((formula, variable, value)) = fact else {
                break;
            };
            propagated.insert(variable);
            conjuncts.remove(formula);
            conjuncts.replace(terms, variable, value);
            replaced.push((variable, value));
            facts.push(formula);
        }
        let is_false = conjuncts.is_false();
        let facts = facts.into_iter().rev().filter(|_| !is_false);
        self.constraint = facts.chain(conjuncts.into_formulas()).collect();
        let (values, substitution) = resolved(terms, &replaced);
        self.arguments = terms.substitute_all(&self.arguments, &substitution);
        for (_, term) in &mut self.solution {
            *term = terms.substitute(*term, &substitution);
        }
        let solved = replaced
            .iter()
            .zip(values)
            .filter(|((variable, _), _)| local(*variable));
        self.solution
            .extend(solved.map(|((variable, _), value)| (*variable, value)));
    }

    /// The two cases of an atom: each with the atom decided in every disjunction.
    fn cases(&self, terms: &mut Terms, atom: TermId) -> [Partial; 2] {
        let negation = terms.not(atom);
        [(atom, negation), (negation, atom)].map(|(holds, fails)| {
            let mut case = self.clone();
            for formula in &mut case.constraint {
                if terms.operator(*formula) == Operator::Or {
                    let disjuncts = terms.arguments(*formula).to_vec();
                    if disjuncts.contains(&holds) {
                        *formula = TermId::TRUE;
                    } else if disjuncts.contains(&fails) {
                        let rest: Vec<TermId> = disjuncts.into_iter().filter(|other| *other != fails).collect();
                        *formula = terms.or(&rest);
                    }
                }
            }
            case.constraint.push(holds);
            case.constraint = flatten(terms, &case.constraint);
            case
        })
    }
}

fn solve_rule(program: &Program, terms: &mut Terms, id: RuleId, rule: &Rule, heads_first: bool) -> Vec<Transition> {
    let parameters = &program.predicate(rule.head.predicate).parameters;
    let (target, arguments) = match rule.body.first() {
        None => (Target::End, Vec::new()),
        Some(atom) if atom.predicate == PredicateId::ERROR => (Target::Error, Vec::new()),
        Some(atom) => (Target::Goal(atom.predicate), atom.arguments.clone()),
    };
    let mut constraint = rule.constraint.clone();
    for (position, (parameter, argument)) in parameters.iter().zip(&rule.head.arguments).enumerate() {
        let equation = terms.equal(*parameter, *argument);
        constraint.insert(if heads_first { position } else { constraint.len() }, equation);
    }
    let mut waiting = vec![Partial {
        constraint: flatten(terms, &constraint),
        arguments,
        solution: Vec::new(),
    }];
    let mut solved = Vec::new();
    while let Some(mut partial) = waiting.pop() {
        partial.solve(terms, parameters);
        if partial.constraint.contains(&TermId::FALSE) {
            continue;
        }
        let room = SPLIT_LIMIT.saturating_sub(waiting.len() + solved.len());
        if let Some(atom) = most_frequent_atom(terms, &partial.constraint).filter(|_| room >= 2) {
            let [holds, fails] = partial.cases(terms, atom);
            waiting.extend([fails, holds]);
            continue;
        }
        let Some(position) = smallest_disjunction(terms, &partial.constraint, room) else {
            solved.push(partial);
            continue;
        };
        let disjunction = partial.constraint.remove(position);
        // Pushed in reverse, because the last one pushed is solved first.
        for disjunct in terms.arguments(disjunction).to_vec().into_iter().rev() {
            let mut branch = partial.clone();
            branch.constraint.insert(position, disjunct);
            branch.constraint = flatten(terms, &branch.constraint);
            waiting.push(branch);
        }
    }
    solved
        .into_iter()
        .map(|partial| {
            let mut mentioned = partial.constraint.clone();
            mentioned.extend_from_slice(&partial.arguments);
            mentioned.extend(partial.solution.iter().map(|(_, term)| *term));
            let mut locals = terms.variables_of_all(&mentioned);
            locals.retain(|variable| !parameters.contains(variable));
            Transition {
                rule: id,
                target,
                guard: partial.constraint,
                updates: partial.arguments,
                locals,
                solution: partial.solution,
            }
        })
        .collect()
}

/// The atom that is a disjunct, as it is or negated, of most disjunctions; none if all disjuncts are conjunctions.
fn most_frequent_atom(terms: &mut Terms, constraint: &[TermId]) -> Option<TermId> {
    let mut counted: Vec<(TermId, usize)> = Vec::new();
    let mut positions: HashMap<TermId, usize> = HashMap::new();
    for formula in constraint
        .iter()
        .filter(|formula| terms.operator(**formula) == Operator::Or)
        .copied()
        .collect::<Vec<_>>()
    {
        for disjunct in terms.arguments(formula).to_vec() {
            if matches!(terms.operator(disjunct), Operator::And | Operator::Or) {
                continue;
            }
            let negation = terms.not(disjunct);
            let known = positions.get(&disjunct).or(positions.get(&negation));
            match known {
                Some(position) => counted[*position].1 += 1,
                None => {
                    positions.insert(disjunct, counted.len());
                    counted.push((disjunct, 1));
                }
            }
        }
    }
    // The first of the most frequent ones, so that the order of the rule decides ties.
    counted
        .into_iter()
        .rev()
        .max_by_key(|(_, count)| *count)
        .map(|(atom, _)| atom)
}

/// The position of the disjunction with the fewest disjuncts, if splitting it makes at most `room` branches.
fn smallest_disjunction(terms: &Terms, constraint: &[TermId], room: usize) -> Option<usize> {
    let width = |formula: &TermId| terms.arguments(*formula).len();
    let disjunctions = constraint
        .iter()
        .enumerate()
        .filter(|(_, formula)| terms.operator(**formula) == Operator::Or && width(formula) <= room);
    disjunctions
        .min_by_key(|(_, formula)| width(formula))
        .map(|(position, _)| position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Atom;
    use crate::terms::SortId;

    #[test]
    fn equations_become_updates_and_disjunctions_become_transitions() {
        let mut program = Program::new();
        let p = program.add_predicate("p", None, &[("X", SortId::INT)]);
        let [x, y] = ["X", "Y"].map(|name| program.terms.fresh_variable(name, SortId::INT));
        let one = program.terms.integer(1);
        let next = program.terms.add(x, one);
        let (step, stay) = (program.terms.equal(y, next), program.terms.equal(y, x));
        let either = program.terms.or(&[step, stay]);
        program.add_rule(Rule {
            head: Atom {
                predicate: p,
                arguments: vec![x],
            },
            constraint: vec![either],
            body: vec![Atom {
                predicate: p,
                arguments: vec![y],
            }],
            location: None,
        });
        let mut terms = program.terms.clone();
        let transitions = Transitions::new(&program, &mut terms);
        let mut updates: Vec<String> = transitions
            .of(p)
            .iter()
            .map(|id| transitions.get(*id))
            .inspect(|transition| assert!(transition.guard.is_empty() && transition.locals.is_empty()))
            .map(|transition| terms.display(transition.updates[0]).to_string())
            .collect();
        updates.sort();
        assert_eq!(updates, ["X", "X + 1"]);
    }
}
