//! The polynomial that gives some numbers from others, if there is one up to a degree: by elimination, with exact fractions.

use crate::terms::Rational;
use num_traits::{One, Signed, Zero};

/// So many rows are looked at.
pub(super) const MOST_ROWS: usize = 96;
/// There have to be so many more rows than monomials, lest one agrees by chance.
const SURPLUS: usize = 12;
/// Coefficients are no longer than this, with a common denominator.
const LARGEST: i64 = 64;

/// Numbers, and what came of them.
pub(super) type Row = (Vec<Rational>, Rational);

/// A polynomial over numbered variables.
pub(super) struct Fitted {
    /// The powers of the variables, with coefficients that are integers.
    pub parts: Vec<(Vec<u32>, Rational)>,
    /// Which multiple of the result it is.
    pub multiple: Rational,
}

/// Rows that a polynomial is looked for.
pub(super) struct Fitting<'a> {
    rows: &'a [Row],
    /// How many numbers were calculated.
    pub work: u64,
}

impl<'a> Fitting<'a> {
    pub fn new(rows: &'a [Row]) -> Fitting<'a> {
        Fitting { rows, work: 0 }
    }

    /// The polynomial of the lowest degree that all rows agree with.
    pub fn polynomial(&mut self, most: u32) -> Option<Fitted> {
        let variables = self.rows.first()?.0.len();
        (1..=most).find_map(|degree| self.of_degree(&monomials(variables, degree)))
    }

    fn of_degree(&mut self, monomials: &[Vec<u32>]) -> Option<Fitted> {
        if self.rows.len() < monomials.len() + SURPLUS {
            return None;
        }
        // Echelon form, row by row: each has a pivot, and those before it are not in it.
        let mut echelon: Vec<(usize, Vec<Rational>)> = Vec::new();
        for (given, result) in self.rows {
            let mut row: Vec<Rational> = monomials.iter().map(|powers| value(powers, given)).collect();
            row.push(result.clone());
            for (pivot, known) in &echelon {
                if !row[*pivot].is_zero() {
                    let factor = -&row[*pivot];
                    self.work += row.len() as u64;
                    for (own, other) in row.iter_mut().zip(known) {
                        *own = own.plus_product(other, &factor);
                    }
                }
            }
            match row.iter().position(|number| !number.is_zero()) {
                None => {}
                // The same numbers would have to give different results.
                Some(pivot) if pivot == monomials.len() => return None,
                Some(pivot) => {
                    let scale = row[pivot].recip();
                    let row = row.iter().map(|number| number * &scale).collect();
                    echelon.push((pivot, row));
                }
            }
        }
        // From the last one back; what nothing is known of is zero.
        let mut coefficients = vec![Rational::zero(); monomials.len()];
        for (pivot, row) in echelon.iter().rev() {
            let mut own = row[monomials.len()].clone();
            for (coefficient, factor) in coefficients.iter().zip(row) {
                own = own.plus_product(coefficient, &-factor);
            }
            coefficients[*pivot] = own;
        }
        let mut multiple = Rational::one();
        for coefficient in &coefficients {
            let scaled = coefficient * &multiple;
            multiple = &multiple * &Rational::from_integer(scaled.denom());
        }
        let limit = Rational::from(LARGEST);
        let parts: Vec<(Vec<u32>, Rational)> = (monomials.iter().zip(&coefficients))
            .filter(|(_, coefficient)| !coefficient.is_zero())
            .map(|(powers, coefficient)| (powers.clone(), coefficient * &multiple))
            .collect();
        let is_short = multiple <= limit && parts.iter().all(|(_, one)| one.abs() <= limit);
        is_short.then_some(Fitted { parts, multiple })
    }
}

/// All monomials up to a degree, as powers of the variables; the lowest first.
fn monomials(variables: usize, degree: u32) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..variables {
        let longer = all.iter().flat_map(|powers| {
            let left = degree - powers.iter().sum::<u32>();
            (0..=left).map(move |power| [&powers[..], &[power]].concat())
        });
        all = longer.collect();
    }
    all.sort_by_key(|powers| powers.iter().sum::<u32>());
    all
}

fn value(powers: &[u32], given: &[Rational]) -> Rational {
    let mut product = Rational::one();
    for (power, number) in powers.iter().zip(given) {
        for _ in 0..*power {
            product = &product * number;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: fn(i64, i64) -> i64) -> Vec<Row> {
        let pairs = (0..36).map(|index| (index % 6, index / 6 - 2));
        let row = |(x, y): (i64, i64)| (vec![Rational::from(x), Rational::from(y)], Rational::from(of(x, y)));
        pairs.map(row).collect()
    }

    #[test]
    fn a_polynomial_is_found_that_all_rows_agree_with() {
        let rows = rows(|x, y| x * y - 3 * y + 2);
        let found = Fitting::new(&rows).polynomial(3).expect("there is one");
        let number = |value: i64| Rational::from(value);
        let expected = vec![
            (vec![0, 0], number(2)),
            (vec![0, 1], number(-3)),
            (vec![1, 1], number(1)),
        ];
        assert_eq!((found.parts, found.multiple), (expected, number(1)));
    }

    #[test]
    fn halves_are_integers_of_a_multiple() {
        let rows = rows(|x, _| x * (x + 1) / 2);
        let found = Fitting::new(&rows).polynomial(2).expect("there is one");
        assert_eq!(found.multiple, Rational::from(2));
        assert!(
            found
                .parts
                .iter()
                .all(|(_, coefficient)| *coefficient == Rational::one())
        );
    }

    #[test]
    fn what_is_no_polynomial_is_none() {
        assert!(Fitting::new(&rows(|x, y| x.max(y))).polynomial(3).is_none());
        // Too few rows say nothing.
        assert!(Fitting::new(&rows(|x, y| x + y)[..10]).polynomial(3).is_none());
    }
}
