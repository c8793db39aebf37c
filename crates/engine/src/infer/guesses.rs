//! Guesses: what the states seen at a place have in common, in each of the shapes that are looked for.

use super::candidate::{Candidate, Kind, Relation, Shape};
use super::columns::Columns;
use super::options::Options;
use super::unfold::COUNTER;
use super::wide::wide_inequalities;
use crate::polynomials::{Extent, State, vanishing};
use crate::polynomials::{Monomial, Polynomial};
use crate::terms::{Rational, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Without a state nothing can be said: the place may never be reached.
const FEWEST_STATES: usize = 1;
/// The largest modulus of a congruence.
const LARGEST_MODULUS: u32 = 64;
/// The highest degree that is tried if the user does not say.
const HIGHEST_DEGREE: u32 = 6;
/// Comparisons with the larger of two are looked for among at most this many columns.
const MOST_EXTREMUM_COLUMNS: usize = 7;
/// As many columns get sums and differences of three bounded.
const MOST_OCTAHEDRON_COLUMNS: usize = 6;
/// As many columns get sums and differences bounded; more would be too many pairs.
const MOST_OCTAGON_COLUMNS: usize = 24;

/// What a column with so many values has in common is better said by bounds and remainders than by a polynomial.
const FEWEST_VALUES: usize = 3;
const MOST_VALUES: usize = 8;

/// What all states of a place satisfy. `forms` are further linear polynomials to bound, `constants` numbers that bounds may
/// have beside the small ones.
pub(super) fn guesses(
    terms: &mut Terms,
    columns: &Columns,
    states: &[State],
    forms: &[Polynomial],
    constants: &[Rational],
    options: &Options,
) -> Vec<Candidate> {
    let values: Vec<State> = states
        .iter()
        .filter_map(|state| columns.values_in(terms, state))
        .collect();
    let mut found = Vec::new();
    let wanted = |kind: Kind| options.kinds.contains(&kind);
    if values.len() < FEWEST_STATES {
        return found;
    }
    let equalities = equalities(terms, columns, &values, options);
    if wanted(Kind::Inequality) {
        for shape in inequalities(columns, &values, forms, constants, options) {
            found.push(columns.candidate(terms, shape));
        }
    }
    if wanted(Kind::Congruence) {
        for shape in congruences(columns, &values) {
            found.push(columns.candidate(terms, shape));
        }
    }
    if wanted(Kind::Extremum) {
        for shape in extrema(columns, &values) {
            found.push(columns.candidate(terms, shape));
        }
    }
    if wanted(Kind::Equality) {
        for shape in equalities {
            found.push(columns.candidate(terms, shape));
        }
    }
    found
}

/// The highest degree for which all monomials over so many variables are within the limit, as DIG chooses it.
pub(super) fn degree(variables: usize, options: &Options) -> u32 {
    if let Some(degree) = options.degree {
        return degree;
    }
    let mut degree = 1;
    while degree < HIGHEST_DEGREE && monomials(variables, degree + 1) <= options.terms {
        degree += 1;
    }
    degree
}

/// How many monomials there are up to a degree.
fn monomials(variables: usize, degree: u32) -> usize {
    let mut count: usize = 1;
    for step in 1..=degree as usize {
        count = count.saturating_mul(variables + step) / step;
    }
    count
}

fn equalities(terms: &Terms, columns: &Columns, values: &[State], options: &Options) -> Vec<Shape> {
    let select = |chosen: &[u32]| -> Vec<State> {
        let row = |state: &State| chosen.iter().map(|column| state[*column as usize].clone()).collect();
        values.iter().map(row).collect()
    };
    // The linear ones first. They say which variables are best expressed by others, and with how few one could do.
    let chosen = columns.numeric();
    let linear = Extent {
        degree: 1,
        terms: options.terms,
        height: options.height,
    };
    let relations = vanishing(&select(chosen), chosen.len(), linear);
    let mut ordered: Vec<u32> = Vec::with_capacity(chosen.len());
    for relation in &relations {
        // A coefficient of one lets the variable be written without fractions; constants of the program come last anyway.
        let relation = columns.renumbered(relation, chosen);
        let simple = relation.parts().filter(|(m, c)| m.degree() == 1 && c.abs().is_one());
        let variable = simple
            .filter_map(|(m, _)| m.powers().first())
            .map(|(variable, _)| *variable);
        let candidates: Vec<u32> = variable.filter(|variable| !ordered.contains(variable)).collect();
        // A counter of iterations is what one wants to see expressed. Otherwise, of several, one that stands alone: in
        // `t = 2a + 1` the coefficients differ, in `x = y` they do not.
        let is_counter = |column: &&u32| {
            let term = columns.indeterminates().term(**column);
            term.is_some_and(|term| terms.is_variable(term) && terms.variable_name(term) == COUNTER)
        };
        ordered.extend(candidates.iter().find(is_counter).or(candidates.last()));
    }
    ordered.extend(
        chosen
            .iter()
            .filter(|column| !ordered.contains(column))
            .copied()
            .collect::<Vec<_>>(),
    );
    let extent = Extent {
        degree: degree(chosen.len().saturating_sub(relations.len()).max(1), options),
        terms: options.terms,
        height: options.height,
    };
    let found = vanishing(&select(&ordered), ordered.len(), extent);
    let plausible = found
        .into_iter()
        .filter(|polynomial| polynomial.height() <= BigInt::from(options.height));
    let (mut linear, others): (Vec<Polynomial>, Vec<Polynomial>) = plausible
        .map(|polynomial| columns.renumbered(&polynomial, &ordered))
        .partition(|polynomial| polynomial.degree() <= 1);
    shorten(&mut linear);
    linear.into_iter().chain(others).map(Shape::Equality).collect()
}

/// Replaces linear polynomials by combinations with one another as long as these are shorter: `t = x + g` beside `t = f + g`
/// by `x = f`.
fn shorten(linear: &mut [Polynomial]) {
    let mut changed = true;
    while changed {
        changed = false;
        for position in 0..linear.len() {
            for other in 0..linear.len() {
                let shorter = (position != other)
                    .then(|| shorter_combination(&linear[position], &linear[other]))
                    .flatten();
                if let Some(shorter) = shorter {
                    linear[position] = shorter;
                    changed = true;
                }
            }
        }
    }
}

/// The first polynomial without one of the monomials that both have, if that has fewer parts.
fn shorter_combination(polynomial: &Polynomial, other: &Polynomial) -> Option<Polynomial> {
    let shared = other
        .parts()
        .filter(|(monomial, _)| !polynomial.coefficient(monomial).is_zero());
    let combined = shared.map(|(monomial, coefficient)| {
        let mut rest = polynomial.clone();
        rest.add_scaled(
            other,
            &Monomial::one(),
            &-(polynomial.coefficient(monomial) / coefficient),
        );
        rest
    });
    let shortest = combined.min_by_key(Polynomial::term_count)?;
    (shortest.term_count() < polynomial.term_count()).then(|| shortest.primitive())
}

/// The linear forms that are bounded: variables, sums and differences of two, and those given.
fn bounded_forms(columns: &Columns, forms: &[Polynomial]) -> Vec<Polynomial> {
    let chosen = columns.numeric();
    let mut bounded: Vec<Polynomial> = Vec::new();
    for column in chosen {
        bounded.push(Polynomial::variable(*column));
    }
    if chosen.len() <= MOST_OCTAGON_COLUMNS {
        for (position, first) in chosen.iter().enumerate() {
            for second in &chosen[position + 1..] {
                if columns.is_integer(*first) == columns.is_integer(*second) {
                    let (x, y) = (Polynomial::variable(*first), Polynomial::variable(*second));
                    bounded.extend([x.minus(&y), x.plus(&y)]);
                }
            }
        }
    }
    if chosen.len() <= MOST_OCTAHEDRON_COLUMNS {
        bounded.extend(triples(columns, chosen));
    }
    let minus_one = Polynomial::constant(-Rational::one());
    for form in forms {
        let negated = form.times(&minus_one);
        if !bounded.contains(form) && !bounded.contains(&negated) {
            bounded.push(form.clone());
        }
    }
    let negated: Vec<Polynomial> = bounded.iter().map(|form| form.times(&minus_one)).collect();
    bounded.extend(negated);
    bounded
}

/// Sums and differences of three integers, each up to the sign of the whole.
fn triples(columns: &Columns, chosen: &[u32]) -> Vec<Polynomial> {
    let chosen: Vec<Polynomial> = chosen
        .iter()
        .filter(|column| columns.is_integer(**column))
        .map(|column| Polynomial::variable(*column))
        .collect();
    let mut found = Vec::new();
    for (i, x) in chosen.iter().enumerate() {
        for (j, y) in chosen.iter().enumerate().skip(i + 1) {
            for z in chosen.iter().skip(j + 1) {
                found.extend([
                    x.plus(y).plus(z),
                    x.plus(y).minus(z),
                    x.minus(y).plus(z),
                    x.minus(y).minus(z),
                ]);
            }
        }
    }
    found
}

fn inequalities(
    columns: &Columns,
    values: &[State],
    forms: &[Polynomial],
    constants: &[Rational],
    options: &Options,
) -> Vec<Shape> {
    let largest = Rational::from_integer(options.bound.into());
    let mut found = Vec::new();
    for form in bounded_forms(columns, forms) {
        let most = values.iter().filter_map(|state| form.evaluate(state)).max();
        let Some(most) = most else {
            continue;
        };
        if most.abs() <= largest || constants.contains(&most) {
            found.push(Shape::Inequality(form.minus(&Polynomial::constant(most))));
        } else if most < -largest.clone() && form.variables().len() <= 2 {
            // The true bound may lie anywhere below the largest value seen; that it is negative is likely to matter.
            found.push(Shape::Inequality(form.plus(&Polynomial::constant(Rational::one()))));
        }
    }
    found.extend(wide_inequalities(columns, values).into_iter().map(Shape::Inequality));
    found
}

/// For each column with three to eight values: the polynomial over it that has these as its roots.
pub(super) fn value_polynomials(terms: &Terms, columns: &Columns, states: &[State]) -> Vec<Polynomial> {
    let values: Vec<State> = states
        .iter()
        .filter_map(|state| columns.values_in(terms, state))
        .collect();
    let mut found = Vec::new();
    for column in columns.numeric() {
        let mut different: Vec<&Rational> = Vec::new();
        for state in &values {
            let value = &state[*column as usize];
            if !different.contains(&value) {
                different.push(value);
            }
            if different.len() > MOST_VALUES {
                break;
            }
        }
        if (FEWEST_VALUES..=MOST_VALUES).contains(&different.len()) {
            let one = Polynomial::constant(Rational::one());
            let root = |value: &&Rational| Polynomial::variable(*column).minus(&Polynomial::constant((*value).clone()));
            found.push(
                different
                    .iter()
                    .map(root)
                    .fold(one, |product, factor| product.times(&factor)),
            );
        }
    }
    found
}

fn congruences(columns: &Columns, values: &[State]) -> Vec<Shape> {
    let mut found = Vec::new();
    for column in columns.integers() {
        let numbers: Vec<BigInt> = values.iter().map(|state| state[column as usize].to_integer()).collect();
        let Some((first, rest)) = numbers.split_first() else {
            continue;
        };
        let common = rest
            .iter()
            .fold(BigInt::zero(), |common, number| common.gcd(&(number - first)));
        let modulus = common
            .to_u32()
            .filter(|modulus| (2..=LARGEST_MODULUS).contains(modulus));
        if let Some(modulus) = modulus {
            found.push(Shape::Congruence {
                dividend: Polynomial::of([(Monomial::variable(column), Rational::one())]),
                modulus,
                remainder: first.mod_floor(&modulus.into()).to_u32().unwrap_or_default(),
            });
        }
    }
    found
}

fn extrema(columns: &Columns, values: &[State]) -> Vec<Shape> {
    let chosen: Vec<u32> = columns.integers().collect();
    if chosen.len() > MOST_EXTREMUM_COLUMNS {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (position, first) in chosen.iter().enumerate() {
        for second in &chosen[position + 1..] {
            for column in chosen.iter().filter(|column| *column != first && *column != second) {
                for maximum in [true, false] {
                    let relation = common_relation(values, *column, maximum, *first, *second);
                    found.extend(relation.map(|relation| Shape::Extremum {
                        column: *column,
                        relation,
                        maximum,
                        first: *first,
                        second: *second,
                    }));
                }
            }
        }
    }
    found
}

/// How a column always compares with the larger or smaller of two others, if that says more than a comparison with one.
fn common_relation(values: &[State], column: u32, maximum: bool, first: u32, second: u32) -> Option<Relation> {
    let (mut less, mut more) = (false, false);
    let (mut first_decides, mut second_decides) = (false, false);
    for state in values {
        let [x, a, b] = [column, first, second].map(|column| &state[column as usize]);
        let extremum = if maximum { a.max(b) } else { a.min(b) };
        less |= x < extremum;
        more |= x > extremum;
        // A relation to one of them alone is an octagonal inequality, found elsewhere.
        first_decides |= if maximum { x > a } else { x < a };
        second_decides |= if maximum { x > b } else { x < b };
    }
    match (less, more) {
        (false, false) => Some(Relation::Equal),
        (true, false) if maximum && first_decides && second_decides => Some(Relation::AtMost),
        (false, true) if !maximum && first_decides && second_decides => Some(Relation::AtLeast),
        _ => None,
    }
}
