//! Linear equations between the parameters of a predicate, as candidates for loop invariants: `x + y = n` of a loop that
//! counts one down and the other up. No store says them as such; they are what the unrollings have in common.
//!
//! Of each predicate the smallest affine space is computed that has every point it is reached with (Karr's analysis, in
//! which a space is known by points and directions that span it), as far as `linear_steps` sees.

use super::limits::Limits;
use super::linear_steps::{LinearStep, steps_of};
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::steps::Transitions;
use crate::steps::affine_space::Space;
use crate::terms::{LinearForm, Rational, TermId, Terms};
use num_traits::One;

/// The equations of every predicate.
pub(super) struct AffineEquations {
    of_predicate: Vec<Vec<LinearForm>>,
}

impl AffineEquations {
    /// Computes them; none at all if that takes too long.
    pub fn new(
        program: &Program,
        graph: &DependencyGraph,
        transitions: &Transitions,
        terms: &Terms,
        limits: &Limits,
    ) -> AffineEquations {
        let count = program.predicates().len();
        let numeric = |predicate: PredicateId| -> Vec<TermId> {
            let all = program.predicate(predicate).parameters.iter().copied();
            all.filter(|parameter| terms.sort(*parameter).is_numeric()).collect()
        };
        let parameters: Vec<Vec<TermId>> = (0..count)
            .map(|index| numeric(PredicateId::from_index(index)))
            .collect();
        let steps: Vec<Vec<LinearStep>> = (0..count)
            .map(|index| steps_of(program, PredicateId::from_index(index), transitions, terms))
            .collect();
        let mut spaces = vec![Space::default(); count];
        let mut subtractions = limits.vector_subtractions;
        let mut waiting = vec![(PredicateId::QUERY, LinearForm::constant(Rational::one()))];
        for (index, steps) in steps.iter().enumerate() {
            if graph.is_reachable(PredicateId::from_index(index)) {
                for step in steps {
                    let directions = step.directions(&parameters[index]);
                    waiting.extend(directions.into_iter().map(|direction| (step.target, direction)));
                }
            }
        }
        while let Some((predicate, vector)) = waiting.pop() {
            let index = predicate.index();
            if subtractions == 0 || parameters[index].len() > limits.linear_parameters {
                continue;
            }
            let remainder = spaces[index].remainder(vector, &mut subtractions);
            if let Some(added) = spaces[index].add(&remainder) {
                for step in &steps[index] {
                    waiting.push((step.target, step.image(&added)));
                }
            }
        }
        let known = |index: usize| subtractions > 0 && parameters[index].len() <= limits.linear_parameters;
        let mut left = limits.vector_subtractions;
        AffineEquations {
            of_predicate: (0..count)
                .map(
                    |index| match known(index) && graph.is_loop_header(PredicateId::from_index(index)) {
                        true => spaces[index].equations(&parameters[index], &mut left),
                        false => Vec::new(),
                    },
                )
                .collect(),
        }
    }

    /// Forms over a loop header's parameters that are guessed to be zero.
    pub fn at_header(&self, predicate: PredicateId) -> &[LinearForm] {
        &self.of_predicate[predicate.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{Comparison, SortId};

    /// The equations of the only loop of a program.
    fn equations(text: &str) -> Vec<String> {
        let program = crate::clp::read(text).product.expect("no mistake in it");
        let mut terms = program.terms.clone();
        let transitions = Transitions::new(&program, &mut terms);
        let graph = DependencyGraph::new(&program);
        let equations = AffineEquations::new(&program, &graph, &transitions, &terms, &Limits::default());
        let all = equations.of_predicate.iter().flatten();
        all.map(|form| {
            let formula = terms.linear_formula(form, Comparison::Equal, SortId::INT);
            terms.display(formula).to_string()
        })
        .collect()
    }

    #[test]
    fn what_counts_down_and_what_counts_up_have_a_constant_sum() {
        let found =
            equations("?- p(N, N, 0). p(N, X, Y) :- X > 0, p(N, X - 1, Y + 1). p(N, X, Y) :- X =< 0, Y \\= N, error.");
        assert_eq!(found, ["N = X + Y"]);
    }

    #[test]
    fn branches_have_in_common_what_both_preserve() {
        let loop_of = |second: &str| {
            format!("?- p(0, 0, 0). p(I, A, B) :- p(I + 1, A + 1, B + 2). p(I, A, B) :- {second}. p(I, A, B) :- error.")
        };
        assert_eq!(equations(&loop_of("p(I + 1, A + 2, B + 1)")), ["3*I = A + B"]);
        assert_eq!(equations(&loop_of("p(I + 1, A + 1, B + 3)")), ["I = A"]);
    }

    #[test]
    fn wrapping_round_is_ignored_and_inputs_are_not() {
        let found = equations(
            "?- p(0, 0). p(I, J) :- I < 9, (W = J + 1, J < 255 ; W = J - 255, J >= 255), p(I + 1, W). p(I, J) :- error.",
        );
        assert_eq!(found, ["I = J"]);
        assert!(equations("?- p(0, 0). p(I, J) :- I < 9, p(I + 1, J + K). p(I, J) :- error.").is_empty());
    }
}
