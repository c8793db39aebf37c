//! What a loop conserves: sums of parameters that no iteration changes, such as `k + j` where one is counted down and the
//! other up. A bound that holds of such a sum at the header holds there for ever.
//!
//! So each constraint of a header's store is shifted by the store's equations until it bounds a conserved sum, if that is
//! possible: `n =< k` and `j = 0` give `n =< k + j`. These are guesses as `linear_steps` makes them.

use super::limits::Limits;
use super::linear_steps::{LinearStep, steps_of};
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::steps::Transitions;
use crate::steps::affine_space::{Space, Vector};
use crate::terms::{Comparison, LinearForm, Rational, SortId, TermId, Terms};
use num_traits::{One, Zero};

/// How far one iteration of a loop, or more, takes the parameters of its header: a conserved sum is zero on all of these.
pub(super) struct Displacements {
    rows: Vec<(TermId, Vector)>,
}

impl Displacements {
    /// Those of the loop of `header`; `primed` are variables for the values that its parameters had at first. `None` if that is
    /// too much to compute.
    pub fn new(
        program: &Program,
        graph: &DependencyGraph,
        transitions: &Transitions,
        terms: &Terms,
        (header, primed): (PredicateId, &[TermId]),
        limits: &Limits,
    ) -> Option<Displacements> {
        let numeric = |predicate: PredicateId| -> Vec<TermId> {
            let all = program.predicate(predicate).parameters.iter().copied();
            all.filter(|parameter| terms.sort(*parameter).is_numeric()).collect()
        };
        let count = program.predicates().len();
        let in_loop = |index: &usize| {
            let predicate = PredicateId::from_index(*index);
            graph.is_reachable(predicate) && (predicate == header || graph.same_loop(header, predicate))
        };
        let mut steps: Vec<Vec<LinearStep>> = (0..count).map(|_| Vec::new()).collect();
        let mut waiting: Vec<(PredicateId, Vector)> = Vec::new();
        for index in (0..count).filter(in_loop) {
            let predicate = PredicateId::from_index(index);
            let parameters = numeric(predicate);
            if parameters.len() > limits.linear_parameters {
                return None;
            }
            steps[index] = steps_of(program, predicate, transitions, terms);
            steps[index].retain(|step| in_loop(&step.target.index()));
            for step in &mut steps[index] {
                waiting.extend(
                    step.directions(&parameters)
                        .into_iter()
                        .map(|vector| (step.target, vector)),
                );
                // The first values stay what they are.
                let kept = primed.iter().map(|first| (*first, single(*first)));
                step.updates.extend(kept);
            }
        }
        let own = &program.predicate(header).parameters;
        let pairs = own.iter().zip(primed).filter(|(own, _)| terms.sort(**own).is_numeric());
        let pairs: Vec<(TermId, TermId)> = pairs.map(|(own, first)| (*own, *first)).collect();
        for (own, first) in &pairs {
            waiting.push((header, single(*own).add_scaled(&single(*first), &Rational::one())));
        }
        waiting.push((header, LinearForm::constant(Rational::one())));
        let mut spaces = vec![Space::default(); count];
        let mut subtractions = limits.vector_subtractions;
        let mut displacements = Space::default();
        while let Some((predicate, vector)) = waiting.pop() {
            if subtractions == 0 {
                return None;
            }
            let index = predicate.index();
            let remainder = spaces[index].remainder(vector, &mut subtractions);
            let Some(added) = spaces[index].add(&remainder) else {
                continue;
            };
            if predicate == header {
                let displacement = displacement(&added, &pairs);
                let displacement = displacements.remainder(displacement, &mut subtractions);
                displacements.add(&displacement);
            }
            waiting.extend(steps[index].iter().map(|step| (step.target, step.image(&added))));
        }
        let rows = displacements.rows.into_iter();
        let rows = rows
            .filter_map(|(pivot, row)| pivot.map(|pivot| (pivot, row)))
            .collect();
        Some(Displacements { rows })
    }

    /// How much a form changes along each displacement, as a form over their pivots.
    fn change(&self, form: &LinearForm) -> Vector {
        let mut change = LinearForm::constant(Rational::zero());
        for (pivot, row) in &self.rows {
            let value: Rational = form
                .terms
                .iter()
                .map(|(term, value)| value * row.coefficient(*term))
                .sum();
            if !value.is_zero() {
                change.terms.push((*pivot, value));
            }
        }
        change.terms.sort_by_key(|(term, _)| *term);
        change
    }

    /// Bounds of conserved sums that `constraints` imply, formulas over integers or reals.
    pub fn bounds(&self, terms: &mut Terms, constraints: &[TermId]) -> Vec<TermId> {
        let (equations, inequalities) = sorted_out(terms, constraints);
        let mut shifts: Vec<Shift> = Vec::new();
        let mut bounds = Vec::new();
        for (form, sort) in equations {
            let shift = Shift::of(self.change(&form), form, sort).by(&shifts);
            if shift.change.terms.is_empty() {
                bounds.push((shift.form, Comparison::Equal, sort));
            } else {
                shifts.push(shift);
            }
        }
        for (form, comparison, sort) in inequalities {
            let shift = Shift::of(self.change(&form), form, sort).by(&shifts);
            if shift.change.terms.is_empty() {
                bounds.push((shift.form, comparison, sort));
            }
        }
        let formula =
            |(form, comparison, sort): (LinearForm, Comparison, SortId)| terms.linear_formula(&form, comparison, sort);
        bounds.into_iter().map(formula).collect()
    }
}

type Equation = (LinearForm, SortId);
type Inequality = (LinearForm, Comparison, SortId);

/// The linear ones of some constraints as equations and inequalities; two halves of an equation are put together.
fn sorted_out(terms: &Terms, constraints: &[TermId]) -> (Vec<Equation>, Vec<Inequality>) {
    let mut equations: Vec<Equation> = Vec::new();
    let mut inequalities: Vec<Inequality> = Vec::new();
    for formula in constraints {
        let Some(atom) = terms.linear_atom(*formula) else {
            continue;
        };
        let sort = terms.sort(terms.arguments(*formula)[0]);
        let opposite = atom.form.scaled(&-Rational::one());
        let other_half = |(form, comparison, _): &Inequality| {
            *comparison == Comparison::LessOrEqual && atom.comparison == *comparison && *form == opposite
        };
        if atom.comparison == Comparison::Equal {
            equations.push((atom.form, sort));
        } else if let Some(position) = inequalities.iter().position(other_half) {
            inequalities.remove(position);
            equations.push((atom.form, sort));
        } else {
            inequalities.push((atom.form, atom.comparison, sort));
        }
    }
    (equations, inequalities)
}

/// A form and how much it changes along each displacement.
struct Shift {
    change: Vector,
    form: LinearForm,
    sort: SortId,
}

impl Shift {
    fn of(change: Vector, form: LinearForm, sort: SortId) -> Shift {
        Shift { change, form, sort }
    }

    /// With multiples of forms that are zero added, so that it changes less.
    fn by(mut self, zero: &[Shift]) -> Shift {
        for other in zero.iter().filter(|other| other.sort == self.sort) {
            let Some((pivot, value)) = other.change.terms.first() else {
                continue;
            };
            let factor = -(self.change.coefficient(*pivot) / value);
            if !factor.is_zero() {
                self.change = self.change.add_scaled(&other.change, &factor);
                self.form = self.form.add_scaled(&other.form, &factor);
            }
        }
        self
    }
}

fn single(term: TermId) -> LinearForm {
    LinearForm {
        terms: vec![(term, Rational::one())],
        constant: Rational::zero(),
    }
}

/// Last values minus first ones.
fn displacement(vector: &Vector, pairs: &[(TermId, TermId)]) -> Vector {
    let mut displacement = LinearForm::constant(Rational::zero());
    for (own, first) in pairs {
        let value = vector.coefficient(*own) - vector.coefficient(*first);
        if !value.is_zero() {
            displacement.terms.push((*own, value));
        }
    }
    displacement.terms.sort_by_key(|(term, _)| *term);
    displacement
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::projection::PrimedParameters;

    /// What the store given as the constraint of the last rule says about conserved sums of the only loop, `p`.
    fn bounds(text: &str) -> Vec<String> {
        let program = crate::clp::read(text).product.expect("no mistake in it");
        let mut terms = program.terms.clone();
        let transitions = Transitions::new(&program, &mut terms);
        let graph = DependencyGraph::new(&program);
        let all = (0..program.predicates().len()).map(PredicateId::from_index);
        let header = all
            .into_iter()
            .find(|predicate| graph.is_loop_header(*predicate))
            .expect("a loop");
        let primed = PrimedParameters::default().of(&mut terms, &program, header);
        let displacements = Displacements::new(
            &program,
            &graph,
            &transitions,
            &terms,
            (header, &primed),
            &Limits::default(),
        )
        .expect("a small program");
        let last = *transitions.of(header).last().expect("a rule");
        let guard = transitions.get(last).guard.clone();
        let bounds = displacements.bounds(&mut terms, &guard);
        bounds.iter().map(|bound| terms.display(*bound).to_string()).collect()
    }

    #[test]
    fn a_bound_is_shifted_to_a_conserved_sum() {
        let text = "?- p(N, K, 0). p(N, K, J) :- J < N, p(N, K - 1, J + 1). ";
        let at_exit = |store: &str| bounds(&format!("{text} p(N, K, J) :- {store}, error."));
        assert_eq!(at_exit("N =< K, J = 0"), ["N =< K + J"]);
        assert_eq!(at_exit("J =< 1, N =< K + 1, J >= 1"), ["N =< K + J"]);
        assert!(at_exit("N =< K, J >= 0").is_empty());
    }

    #[test]
    fn equations_that_only_together_are_conserved() {
        let text = "?- p(A, A, 0). p(I, A, B) :- p(I + 1, A + 1, B + 2). p(I, A, B) :- p(I + 1, A + 2, B + 1). \
                    p(I, A, B) :- I = 0, A = 0, B = 0, error.";
        assert_eq!(bounds(text), ["3*I = A + B"]);
    }

    #[test]
    fn nothing_is_said_of_what_changes_freely() {
        let text = "?- p(N, 0). p(N, J) :- p(N, J + K). p(N, J) :- J >= 0, error.";
        assert!(bounds(text).is_empty());
    }

    #[test]
    fn a_loop_of_two_predicates_counts_as_one() {
        let text = "?- p(0, 0). p(I, J) :- q(I + 1, J). q(J, I) :- p(J, I - 1). p(I, J) :- I >= 3, J = 0, error.";
        assert_eq!(bounds(text), ["I + J >= 3"]);
    }
}
