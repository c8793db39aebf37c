//! Bounds and differences that several constraints imply together: a matrix of the upper bounds of `x - y`, closed under
//! addition. A fact found so survives when one of the constraints that it follows from is given up (seed 000 remarks that what
//! is discovered depends on how a state happens to be represented).

use crate::terms::{Comparison, LinearForm, Rational, SortId, TermId, Terms};
use num_traits::{One, Signed, Zero};

/// Differences are closed over at most this many parameters: the closure is cubic and its result quadratic.
const DIFFERENCE_LIMIT: usize = 8;

/// A matrix of upper bounds of `x - y` over some terms and zero, closed under addition.
struct Differences {
    size: usize,
    bounds: Vec<Option<Rational>>,
}

impl Differences {
    fn tighten(&mut self, row: usize, column: usize, bound: Rational) {
        let cell = &mut self.bounds[row * self.size + column];
        if cell.as_ref().is_none_or(|old| bound < *old) {
            *cell = Some(bound);
        }
    }

    fn get(&self, row: usize, column: usize) -> Option<&Rational> {
        self.bounds[row * self.size + column].as_ref()
    }

    fn close(&mut self) {
        for middle in 0..self.size {
            for row in 0..self.size {
                for column in 0..self.size {
                    if let (Some(first), Some(second)) = (self.get(row, middle), self.get(middle, column)) {
                        let through = first + second;
                        self.tighten(row, column, through);
                    }
                }
            }
        }
    }
}

/// Bounds of each changing parameter, and differences of two of which one changes, that the constraints imply.
pub(crate) fn closed_differences(
    terms: &mut Terms,
    projected: &[TermId],
    parameters: &[TermId],
    changing: &[TermId],
) -> Vec<TermId> {
    let numeric: Vec<TermId> = parameters
        .iter()
        .copied()
        .filter(|parameter| terms.sort(*parameter).is_numeric())
        .collect();
    let mentioned: Vec<TermId> = numeric
        .into_iter()
        .filter(|parameter| {
            changing.contains(parameter)
                || projected
                    .iter()
                    .any(|formula| terms.variables(*formula).contains(parameter))
        })
        .collect();
    if mentioned.is_empty() || mentioned.len() > 4 * DIFFERENCE_LIMIT {
        return Vec::new();
    }
    let zero = mentioned.len();
    let size = zero + 1;
    let mut differences = Differences {
        size,
        bounds: vec![None; size * size],
    };
    for formula in projected {
        if let Some((form, equality)) = non_strict(terms, *formula) {
            note(&mut differences, &form, &mentioned, zero);
            if equality {
                note(&mut differences, &form.scaled(&-Rational::one()), &mentioned, zero);
            }
        }
    }
    differences.close();
    let mut derived = Vec::new();
    let changes = |position: usize| changing.contains(&mentioned[position]);
    for row in (0..zero).filter(|row| changes(*row)) {
        derived.extend(bound_formulas(terms, &differences, &mentioned, row, zero));
    }
    if zero <= DIFFERENCE_LIMIT {
        for row in 0..zero {
            for column in row + 1..zero {
                if changes(row) || changes(column) {
                    derived.extend(bound_formulas(terms, &differences, &mentioned, row, column));
                }
            }
        }
    }
    derived
}

/// `form =< 0` from a formula, and whether the opposite holds too.
fn non_strict(terms: &Terms, formula: TermId) -> Option<(LinearForm, bool)> {
    let linear = terms.linear_atom(formula)?;
    Some((linear.form, linear.comparison == Comparison::Equal))
}

/// Enters `x - y + c =< 0`, `x + c =< 0` or `-y + c =< 0` into the matrix; other forms are left out.
fn note(differences: &mut Differences, form: &LinearForm, variables: &[TermId], zero: usize) {
    let position = |term: &TermId| variables.iter().position(|variable| variable == term);
    let cell = match &form.terms[..] {
        [(x, a)] => position(x).and_then(|x| match a {
            a if a.is_one() => Some((x, zero)),
            a if (-a).is_one() => Some((zero, x)),
            _ => None,
        }),
        [(x, a), (y, b)] => match (position(x), position(y)) {
            (Some(x), Some(y)) if a.is_one() && (-b).is_one() => Some((x, y)),
            (Some(x), Some(y)) if b.is_one() && (-a).is_one() => Some((y, x)),
            _ => None,
        },
        _ => None,
    };
    if let Some((row, column)) = cell {
        differences.tighten(row, column, -form.constant.clone());
    }
}

/// The formulas for both directions between two rows of the matrix, an equality where they meet.
fn bound_formulas(
    terms: &mut Terms,
    differences: &Differences,
    variables: &[TermId],
    row: usize,
    column: usize,
) -> Vec<TermId> {
    let sort = terms.sort(variables[row]);
    if variables.get(column).is_some_and(|other| terms.sort(*other) != sort) || sort == SortId::BOOL {
        return Vec::new();
    }
    let mut form = LinearForm {
        terms: vec![(variables[row], Rational::one())],
        constant: Rational::zero(),
    };
    if let Some(other) = variables.get(column) {
        form.terms.push((*other, -Rational::one()));
        form.terms.sort_by_key(|(term, _)| *term);
    }
    let mut formulas = Vec::new();
    if let Some(upper) = differences.get(row, column) {
        let mut shifted = form.clone();
        shifted.constant = -upper.clone();
        formulas.push(terms.linear_formula(&shifted, Comparison::LessOrEqual, sort));
    }
    if let Some(lower) = differences.get(column, row) {
        let mut shifted = form.scaled(&-Rational::one());
        shifted.constant = -lower.clone();
        formulas.push(terms.linear_formula(&shifted, Comparison::LessOrEqual, sort));
    }
    debug_assert!(
        !form
            .terms
            .iter()
            .any(|(_, coefficient)| coefficient.abs() != Rational::one())
    );
    formulas
}
