//! Parameters of different predicates that are one variable of the program: rules hand it on as it is from one predicate to the next.
//!
//! What a rule asks of a variable where it stands can be asked of the same variable at every other predicate (`relations/under_guards`).
//! The seeds, whose programs have locations and global variables, need no such step.

use super::{Target, Transitions};
use crate::rules::{PredicateId, Program};

/// Which parameters are the same variable.
pub(crate) struct SameVariables {
    /// For each predicate and position a number that all parameters of a variable have.
    variable: Vec<Vec<usize>>,
}

impl SameVariables {
    /// Those of a program with these transitions.
    pub fn new(program: &Program, transitions: &Transitions) -> SameVariables {
        let predicates = program.predicates();
        let mut count = 0;
        let mut numbers = |parameters: usize| {
            let first = count;
            count += parameters;
            (first..count).collect::<Vec<usize>>()
        };
        let mut variable: Vec<Vec<usize>> = predicates.iter().map(|one| numbers(one.parameters.len())).collect();
        let mut parents: Vec<usize> = (0..count).collect();
        for (source, predicate) in predicates.iter().enumerate() {
            for id in transitions.of(PredicateId::from_index(source)) {
                let transition = transitions.get(*id);
                let Target::Goal(target) = transition.target else {
                    continue;
                };
                for (position, update) in transition.updates.iter().enumerate() {
                    let own = predicate.parameters.iter().position(|parameter| parameter == update);
                    let pair = own.map(|own| [variable[source][own], variable[target.index()][position]]);
                    if let Some([one, other]) = pair.map(|pair| pair.map(|number| root(&mut parents, number))) {
                        parents[one.max(other)] = one.min(other);
                    }
                }
            }
        }
        for number in variable.iter_mut().flatten() {
            *number = root(&mut parents, *number);
        }
        SameVariables { variable }
    }

    /// The position that the variable at a position of one predicate has in another one; `None` if it has none there, or several. In its own
    /// predicate it is where it is.
    pub fn position_in(&self, (predicate, position): (PredicateId, usize), other: PredicateId) -> Option<usize> {
        if predicate == other {
            return Some(position);
        }
        let variable = self.variable.get(predicate.index())?.get(position)?;
        let all = self.variable.get(other.index())?.iter().enumerate();
        let mut there = all.filter(|(_, one)| *one == variable).map(|(position, _)| position);
        there.next().filter(|_| there.next().is_none())
    }
}

/// The number that stands for all that are known to be the same.
fn root(parents: &mut [usize], number: usize) -> usize {
    let mut current = number;
    while parents[current] != current {
        parents[current] = parents[parents[current]];
        current = parents[current];
    }
    current
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_on_is_the_same_and_what_changes_places_is_not_told_apart() {
        let source = "
            ?- p(0, 0).
            p(A, B) :- q(B, A + 1, A).
            q(X, Y, Z) :- p(Z, X).
            p(A, B) :- r(A, A).
            r(U, V) :- error.";
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let mut terms = program.terms.clone();
        let same = SameVariables::new(&program, &Transitions::new(&program, &mut terms));
        let named = |name: &str| {
            let mut all = (0..program.predicates().len()).map(PredicateId::from_index);
            all.find(|id| program.predicate(*id).name == name).expect("it is there")
        };
        let [p, q, r] = ["p", "q", "r"].map(named);
        assert_eq!(same.position_in((p, 0), q), Some(2));
        assert_eq!(same.position_in((p, 1), q), Some(0));
        assert_eq!(same.position_in((q, 2), p), Some(0));
        assert_eq!(same.position_in((q, 1), p), None, "it is calculated");
        assert_eq!(same.position_in((p, 0), r), None, "it is there twice");
        assert_eq!(same.position_in((p, 1), p), Some(1));
    }
}
