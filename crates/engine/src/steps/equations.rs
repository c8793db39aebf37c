//! Equations solved for variables, and the solutions put in: what model-based projection begins with, and what makes rules small
//! before anything is asked of them.

use super::elimination::solve_equation;
use crate::rules::{Atom, Rule};
use crate::terms::{Substitution, TermId, Terms};
use hashbrown::HashSet;

/// A rule with its equations solved: its constraint and atoms are over the other variables.
#[derive(Clone, Debug)]
pub(crate) struct SolvedRule {
    pub head: Atom,
    pub body: Vec<Atom>,
    pub constraint: Vec<TermId>,
    /// The variables that equations were solved for and what they are, those that others need first.
    pub solved: Vec<(TermId, TermId)>,
}

impl SolvedRule {
    pub fn new(terms: &mut Terms, rule: &Rule) -> SolvedRule {
        SolvedRule::keeping(terms, rule, &|_| false)
    }

    /// The same where nothing is solved for variables that are kept.
    pub fn keeping(terms: &mut Terms, rule: &Rule, keep: &dyn Fn(TermId) -> bool) -> SolvedRule {
        let mut constraint = Vec::new();
        for formula in &rule.constraint {
            constraint.extend(terms.conjuncts(*formula));
        }
        let mut atoms: Vec<Atom> = std::iter::once(&rule.head).chain(&rule.body).cloned().collect();
        let mut solved = Vec::new();
        let constraint = solve_rounds(terms, &constraint, keep, &mut |terms, round| {
            solved.extend(round.iter().copied());
            let mut substitution = Substitution::new();
            for (variable, term) in round {
                substitution.insert(terms, *variable, *term);
            }
            for atom in &mut atoms {
                atom.arguments = terms.substitute_all(&atom.arguments, &substitution);
            }
        });
        // What a round solves for may be in the solutions of those before it.
        solved.reverse();
        let head = atoms.remove(0);
        SolvedRule {
            head,
            body: atoms,
            constraint,
            solved,
        }
    }

    /// The rule as it is.
    pub fn unsolved(rule: &Rule) -> SolvedRule {
        SolvedRule {
            head: rule.head.clone(),
            body: rule.body.clone(),
            constraint: rule.constraint.clone(),
            solved: Vec::new(),
        }
    }
}

/// Solves equations for what is not kept, one after another, and puts the solutions in.
pub(crate) fn solve(terms: &mut Terms, literals: &[TermId], keep: &dyn Fn(TermId) -> bool) -> Vec<TermId> {
    solve_rounds(terms, literals, keep, &mut |_, _| {})
}

/// What is done with the solutions of a round, variables and what they are.
type Solved<'a> = dyn FnMut(&mut Terms, &[(TermId, TermId)]) + 'a;

/// [`solve`], with each round's solutions: they mention variables that later rounds solve for, but none of earlier ones.
pub(crate) fn solve_rounds(
    terms: &mut Terms,
    literals: &[TermId],
    keep: &dyn Fn(TermId) -> bool,
    solved: &mut Solved<'_>,
) -> Vec<TermId> {
    let mut rest: Vec<TermId> = literals.to_vec();
    loop {
        // All equations of one round whose solutions do not mention each other's variables.
        let mut solution = Substitution::new();
        let mut round = Vec::new();
        let mut touched: HashSet<TermId> = HashSet::new();
        let mut remaining = Vec::with_capacity(rest.len());
        for literal in &rest {
            let eliminable = |variable: TermId| !keep(variable) && !touched.contains(&variable);
            let variables = terms.variables(*literal);
            let found = match variables.iter().any(|variable| touched.contains(variable)) {
                true => None,
                false => solve_equation(terms, *literal, &eliminable),
            };
            match found {
                Some((variable, term)) => {
                    touched.extend(variables);
                    solution.insert(terms, variable, term);
                    round.push((variable, term));
                }
                None => remaining.push(*literal),
            }
        }
        if solution.is_empty() {
            return rest;
        }
        solved(terms, &round);
        let replaced = terms.substitute_all(&remaining, &solution);
        rest.clear();
        for literal in replaced {
            rest.extend(terms.conjuncts(literal));
        }
        rest.sort();
        rest.dedup();
    }
}
