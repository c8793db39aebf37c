//! Elimination of variables from conjunctions: equations are solved and substituted, the rest goes by Fourier and Motzkin.
//!
//! [`project`] is what seed 003 writes ⟦σ⟧: a store seen through the program variables alone. Over the integers, and where
//! a variable sits inside something that is not linear, the result may be weaker than the projection, never stronger.

use crate::terms::{Comparison, LinearForm, Operator, Rational, SortId, TermId, Terms};
use hashbrown::HashSet;
use num_traits::{One, Signed};

/// Beyond this many new inequalities for one variable, what mentions it is dropped instead.
const FOURIER_MOTZKIN_LIMIT: usize = 64;

/// Solves an equation for a variable that `eliminable` accepts: the variable and the term it equals.
///
/// Over the integers only variables with coefficient ±1 are solved for, so nothing is lost. A Boolean variable that is
/// asserted or denied counts as an equation too.
pub(crate) fn solve_equation(
    terms: &mut Terms,
    formula: TermId,
    eliminable: &dyn Fn(TermId) -> bool,
) -> Option<(TermId, TermId)> {
    match terms.operator(formula) {
        Operator::Variable(_) if eliminable(formula) => return Some((formula, TermId::TRUE)),
        Operator::Not => {
            let inner = terms.arguments(formula)[0];
            return (terms.is_variable(inner) && eliminable(inner)).then_some((inner, TermId::FALSE));
        }
        Operator::Equal => {}
        _ => return None,
    }
    let Some(linear) = terms.linear_atom(formula) else {
        let [left, right] = *terms.arguments(formula) else {
            return None;
        };
        for (variable, other) in [(left, right), (right, left)] {
            if terms.is_variable(variable) && eliminable(variable) && !terms.variables(other).contains(&variable) {
                return Some((variable, other));
            }
        }
        return None;
    };
    for (variable, coefficient) in &linear.form.terms {
        let sort = terms.sort(*variable);
        let solvable = sort == SortId::REAL || coefficient.abs().is_one();
        if !terms.is_variable(*variable) || !eliminable(*variable) || !solvable {
            continue;
        }
        let mut rest = linear.form.clone();
        rest.terms.retain(|(term, _)| term != variable);
        let occurs_elsewhere = rest
            .terms
            .iter()
            .any(|(term, _)| terms.variables(*term).contains(variable));
        if occurs_elsewhere {
            continue;
        }
        let solution = rest.scaled(&-coefficient.recip());
        return Some((*variable, terms.linear_term(&solution, sort)));
    }
    None
}

/// Conjuncts over `keep` alone that the conjunction of `constraints` implies: as strong as elimination can make them.
pub(crate) fn project(terms: &mut Terms, keep: &[TermId], constraints: &[TermId]) -> Vec<TermId> {
    let keep: HashSet<TermId> = keep.iter().copied().collect();
    let eliminable = |variable: TermId| !keep.contains(&variable);
    let mut rest = flatten(terms, constraints);
    // Equations first, one at a time: each substitution may turn another equation into a solvable one.
    while let Some((position, variable, solution)) = rest.iter().enumerate().find_map(|(position, formula)| {
        solve_equation(terms, *formula, &eliminable).map(|(variable, solution)| (position, variable, solution))
    }) {
        rest.remove(position);
        let mut substitution = crate::terms::Substitution::new();
        substitution.insert(terms, variable, solution);
        let replaced = terms.substitute_all(&rest, &substitution);
        rest = flatten(terms, &replaced);
    }
    let mut kept = Vec::new();
    let mut linear = Vec::new();
    for formula in rest {
        let foreign: Vec<TermId> = terms
            .variables(formula)
            .into_iter()
            .filter(|v| eliminable(*v))
            .collect();
        if foreign.is_empty() {
            kept.push(formula);
        } else {
            linear.extend(inequalities(terms, formula, &foreign));
        }
    }
    kept.extend(eliminate_inequalities(terms, linear, &eliminable));
    flatten(terms, &kept)
}

/// The conjuncts of all formulas, without duplicates and without true; just false if one of them is.
pub(crate) fn flatten(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut seen = HashSet::new();
    let mut flat = Vec::new();
    for formula in formulas {
        for conjunct in terms.conjuncts(*formula) {
            if conjunct == TermId::FALSE {
                return vec![TermId::FALSE];
            }
            if seen.insert(conjunct) {
                flat.push(conjunct);
            }
        }
    }
    flat
}

/// `form ⋈ 0` over terms of one sort; never an equality.
struct Inequality {
    form: LinearForm,
    strict: bool,
    sort: SortId,
}

/// A formula as inequalities in which the foreign variables stand alone; none if it is not of that kind.
fn inequalities(terms: &Terms, formula: TermId, foreign: &[TermId]) -> Vec<Inequality> {
    let Some(linear) = terms.linear_atom(formula) else {
        return Vec::new();
    };
    let hidden = linear
        .form
        .terms
        .iter()
        .any(|(term, _)| !terms.is_variable(*term) && terms.variables(*term).iter().any(|v| foreign.contains(v)));
    if hidden {
        return Vec::new();
    }
    let sort = terms.sort(terms.arguments(formula)[0]);
    let (form, strict) = (linear.form, linear.comparison == Comparison::Less);
    let mut result = Vec::new();
    if linear.comparison == Comparison::Equal {
        result.push(Inequality {
            form: form.scaled(&-Rational::one()),
            strict,
            sort,
        });
    }
    result.push(Inequality { form, strict, sort });
    result
}

fn eliminate_inequalities(
    terms: &mut Terms,
    mut inequalities: Vec<Inequality>,
    eliminable: &dyn Fn(TermId) -> bool,
) -> Vec<TermId> {
    loop {
        let mut best: Option<(usize, TermId)> = None;
        for variable in foreign_variables(&inequalities, eliminable) {
            let (upper, lower) = counts(&inequalities, variable);
            if best.is_none_or(|(cost, _)| upper * lower < cost) {
                best = Some((upper * lower, variable));
            }
        }
        let Some((cost, variable)) = best else { break };
        let (with, mut without): (Vec<Inequality>, Vec<Inequality>) = inequalities
            .into_iter()
            .partition(|inequality| !is_zero(&inequality.form.coefficient(variable)));
        if cost <= FOURIER_MOTZKIN_LIMIT {
            let (upper, lower): (Vec<Inequality>, Vec<Inequality>) = with
                .into_iter()
                .partition(|inequality| inequality.form.coefficient(variable).is_positive());
            for above in &upper {
                for below in &lower {
                    let factor = -(above.form.coefficient(variable) / below.form.coefficient(variable));
                    let form = above.form.add_scaled(&below.form, &factor);
                    without.push(Inequality {
                        form,
                        strict: above.strict || below.strict,
                        sort: above.sort,
                    });
                }
            }
        }
        inequalities = without;
    }
    inequalities
        .iter()
        .map(|inequality| {
            let comparison = if inequality.strict {
                Comparison::Less
            } else {
                Comparison::LessOrEqual
            };
            terms.linear_formula(&inequality.form, comparison, inequality.sort)
        })
        .collect()
}

fn foreign_variables(inequalities: &[Inequality], eliminable: &dyn Fn(TermId) -> bool) -> Vec<TermId> {
    // What is not a variable has no foreign variable inside, and `eliminable` is asked about variables only.
    let mut variables: Vec<TermId> = inequalities
        .iter()
        .flat_map(|inequality| inequality.form.terms.iter().map(|(term, _)| *term))
        .filter(|term| eliminable(*term))
        .collect();
    variables.sort();
    variables.dedup();
    variables
}

fn counts(inequalities: &[Inequality], variable: TermId) -> (usize, usize) {
    let signs = inequalities
        .iter()
        .map(|inequality| inequality.form.coefficient(variable));
    signs.fold((0, 0), |(upper, lower), sign| {
        (
            upper + usize::from(sign.is_positive()),
            lower + usize::from(sign.is_negative()),
        )
    })
}

fn is_zero(value: &Rational) -> bool {
    num_traits::Zero::is_zero(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{Assignment, Value};
    use proptest::prelude::*;

    fn show(terms: &Terms, formulas: &[TermId]) -> Vec<String> {
        formulas
            .iter()
            .map(|formula| terms.display(*formula).to_string())
            .collect()
    }

    #[test]
    fn equations_are_solved_and_inequalities_combined() {
        let mut terms = Terms::new();
        let [x, y, u, v] = ["X", "Y", "U", "V"].map(|name| terms.fresh_variable(name, SortId::INT));
        let one = terms.integer(1);
        let next = terms.add(u, one);
        let constraints = [
            terms.equal(x, next),
            terms.less_or_equal(u, v),
            terms.less_or_equal(v, y),
        ];
        let projected = project(&mut terms, &[x, y], &constraints);
        assert_eq!(show(&terms, &projected), ["X =< Y + 1"]);
    }

    #[test]
    fn divisibility_is_lost_but_nothing_false_is_gained() {
        let mut terms = Terms::new();
        let [x, u] = ["X", "U"].map(|name| terms.fresh_variable(name, SortId::INT));
        let two = terms.integer(2);
        let double = terms.multiply(two, u);
        let zero = terms.integer(0);
        let constraints = [terms.equal(x, double), terms.less(zero, u)];
        let projected = project(&mut terms, &[x], &constraints);
        assert_eq!(show(&terms, &projected), ["X >= 2"]);
    }

    #[test]
    fn a_variable_inside_a_product_is_dropped_with_it() {
        let mut terms = Terms::new();
        let [x, y, u] = ["X", "Y", "U"].map(|name| terms.fresh_variable(name, SortId::INT));
        let square = terms.multiply(u, u);
        let constraints = [terms.equal(x, square), terms.less(u, y)];
        assert!(project(&mut terms, &[x, y], &constraints).is_empty());
    }

    proptest! {
        /// A conjunct that a point violates although the point extends to the constraints would be a wrong interpolant.
        #[test]
        fn what_satisfies_the_constraints_satisfies_their_projection(
            atoms in prop::collection::vec(([-2i64..=2, -2i64..=2, -2i64..=2], -3i64..=3, 0u8..3), 1..6),
        ) {
            let mut terms = Terms::new();
            let variables = ["X", "U", "V"].map(|name| terms.fresh_variable(name, SortId::INT));
            let mut constraints = Vec::new();
            for (coefficients, constant, comparison) in atoms {
                let mut form = LinearForm::constant(Rational::from_integer(constant.into()));
                for (variable, coefficient) in variables.iter().zip(coefficients) {
                    if coefficient != 0 {
                        form.terms.push((*variable, Rational::from_integer(coefficient.into())));
                    }
                }
                let comparison = [Comparison::Equal, Comparison::Less, Comparison::LessOrEqual][usize::from(comparison)];
                constraints.push(terms.linear_formula(&form, comparison, SortId::INT));
            }
            let projected = project(&mut terms, &variables[..1], &constraints);
            for formula in &projected {
                prop_assert!(terms.variables(*formula).iter().all(|variable| *variable == variables[0]));
            }
            for point in 0..9 * 9 * 9 {
                let values = [point % 9 - 4, point / 9 % 9 - 4, point / 81 - 4];
                let number = |value: i64| Value::Number(Rational::from_integer(value.into()));
                let point: Assignment = variables.iter().copied().zip(values.map(number)).collect();
                if constraints.iter().all(|formula| terms.holds(*formula, &point) == Some(true)) {
                    prop_assert!(projected.iter().all(|formula| terms.holds(*formula, &point) == Some(true)));
                }
            }
        }
    }
}
