//! Equations solved for variables, and the solutions put in: what projection begins with, and what makes rules small before
//! anything is asked of them.

use crate::steps::elimination::solve_equation;
use crate::terms::{Substitution, TermId, Terms};
use hashbrown::HashSet;

/// Solves equations for what is not kept, one after another, and puts the solutions in.
pub(super) fn solve(terms: &mut Terms, literals: &[TermId], keep: &dyn Fn(TermId) -> bool) -> Vec<TermId> {
    solve_rounds(terms, literals, keep, &mut |_, _| {})
}

/// What is done with the solutions of a round, variables and what they are.
type Solved<'a> = dyn FnMut(&mut Terms, &[(TermId, TermId)]) + 'a;

/// [`solve`], with each round's solutions: they mention variables that later rounds solve for, but none of earlier ones.
pub(super) fn solve_rounds(
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
