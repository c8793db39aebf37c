//! What rows of values have in common: facts of calls, or states of runs.
//!
//! A row gives a value to each parameter of a predicate. Some of them may have a truth value in common, equations (the space that they span), and
//! bounds of numbers, of differences and of one number less two others: what is guessed of a relation (`regularities`, `under_guards`).

use crate::steps::affine_space::{Space, Vector};
use crate::steps::rows::Rows;
use crate::terms::{Assignment, Comparison, LinearForm, Rational, SortId, TermId, Terms, Value};
use num_traits::{One, Signed, ToPrimitive};
use std::collections::BTreeSet;

/// Numbers that bounds are guessed with are no larger.
const LARGEST_BOUND: i64 = 2;
/// No more parameters are looked at as numbers.
const MOST_NUMBERS: usize = 16;
/// A parameter with more values is a number in any case.
const MOST_VALUES: usize = 8;

/// What is to be found in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// So many numbers may have a bound together, up to three.
    pub together: usize,
    /// So many rows more than dimensions make an equation more than an accident.
    pub spare: usize,
    /// An equation has no larger numbers than this, if anything.
    pub largest: Option<i64>,
    /// So often one row is subtracted from another at most to find equations; where that is not enough, there are none.
    pub subtractions: u32,
}

/// The values of a predicate's parameters in some rows.
pub(super) struct Columns {
    /// Parameters that are numbers, with their values in each row.
    pub numbers: Vec<(TermId, Vec<i64>)>,
    /// What may be said of a single parameter, and in which rows it holds: that a truth value is true or an enumeration one of its values, or
    /// that it is not, or which of its few values a number has; and comparisons that somebody adds.
    pub flags: Vec<(TermId, Rows)>,
    /// That a number that has few values has one of these.
    pub domains: Vec<TermId>,
    /// How many rows there are.
    pub count: usize,
}

/// A whole number of moderate size.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) if number.is_integer() => number.to_integer().to_i32().map(i64::from),
        _ => None,
    }
}

/// Numbers times parameters, and a constant.
pub(super) fn weighted_sum(parts: &[(TermId, i64)], constant: i64) -> LinearForm {
    let mut form = LinearForm::constant(Rational::from(constant));
    form.terms = parts.iter().map(|(term, by)| (*term, Rational::from(*by))).collect();
    form.terms.sort_by_key(|(term, _)| *term);
    form
}

impl Columns {
    /// What it costs to find out what so many rows have in common, in parts of a unit of work: each pair of numbers is bounded.
    pub fn cost(&self, rows: u32) -> u64 {
        let numbers = self.numbers.len() as u64;
        u64::from(rows) * (1 + self.flags.len() as u64 / 64 + numbers * numbers)
    }

    /// The values of these parameters in rows that have one for each. What may be said of `control` is which of a few values they have.
    pub fn new(terms: &mut Terms, parameters: &[TermId], rows: &[&Vec<Value>], control: &[TermId]) -> Columns {
        let mut columns = Columns {
            numbers: Vec::new(),
            flags: Vec::new(),
            domains: Vec::new(),
            count: rows.len(),
        };
        for (position, parameter) in parameters.iter().enumerate() {
            let values = rows.iter().map(|row| row.get(position));
            if terms.sort(*parameter) == SortId::INT {
                let Some(numbers) = values.map(|value| whole(value?)).collect::<Option<Vec<i64>>>() else {
                    continue;
                };
                let few = || numbers.iter().copied().collect::<BTreeSet<i64>>();
                match control.contains(parameter).then(few) {
                    Some(few) if few.len() <= MOST_VALUES => columns.tell_apart(terms, *parameter, &numbers, few),
                    _ if columns.numbers.len() < MOST_NUMBERS => columns.numbers.push((*parameter, numbers)),
                    _ => {}
                }
            } else {
                let states: Vec<Assignment> = values
                    .map(|value| value.map(|value| (*parameter, value.clone())).into_iter().collect())
                    .collect();
                for formula in ways(terms, *parameter) {
                    let holds = states.iter().map(|state| terms.holds(formula, state) == Some(true));
                    columns.flags.push((formula, Rows::of(holds)));
                }
            }
        }
        columns
    }

    /// Which of these values a number has.
    fn tell_apart(&mut self, terms: &mut Terms, number: TermId, values: &[i64], few: BTreeSet<i64>) {
        let mut domain = Vec::new();
        for value in few {
            let form = weighted_sum(&[(number, 1)], -value);
            let formula = terms.linear_formula(&form, Comparison::Equal, SortId::INT);
            let holds = values.iter().map(|own| *own == value);
            self.flags.push((formula, Rows::of(holds)));
            domain.push(formula);
        }
        if domain.len() > 1 {
            self.domains.push(terms.or(&domain));
        }
    }

    /// What these rows have in common: flags, equations, bounds.
    pub fn common(&self, terms: &mut Terms, rows: &Rows, wanted: Wanted) -> Vec<TermId> {
        let mut found = Vec::new();
        for (flag, own) in &self.flags {
            if rows.is_within(own) {
                found.push(*flag);
            }
        }
        let positions: Vec<usize> = rows.positions().collect();
        self.equations(terms, &positions, wanted, &mut found);
        let mut bound = |parts: &[(TermId, i64)], values: &mut dyn Iterator<Item = i64>| {
            let (mut least, mut greatest) = (i64::MAX, i64::MIN);
            for value in values {
                (least, greatest) = (least.min(value), greatest.max(value));
            }
            if least < greatest && greatest.abs() <= LARGEST_BOUND {
                let form = weighted_sum(parts, -greatest);
                found.push(terms.linear_formula(&form, Comparison::LessOrEqual, SortId::INT));
            }
        };
        for (at, (one, values)) in self.numbers.iter().enumerate() {
            bound(&[(*one, 1)], &mut positions.iter().map(|row| values[*row]));
            bound(&[(*one, -1)], &mut positions.iter().map(|row| -values[*row]));
            let others = self.numbers.iter().enumerate().filter(|(other, _)| *other != at);
            for (position, (other, subtracted)) in others.filter(|_| wanted.together > 1) {
                let difference = |row: &usize| values[*row] - subtracted[*row];
                bound(&[(*one, 1), (*other, -1)], &mut positions.iter().map(difference));
                for (third, (last, more)) in self.numbers.iter().enumerate().skip(position + 1) {
                    if third != at && wanted.together > 2 {
                        let parts = [(*one, 1), (*other, -1), (*last, -1)];
                        bound(&parts, &mut positions.iter().map(|row| difference(row) - more[*row]));
                        let parts = [(*one, -1), (*other, 1), (*last, 1)];
                        bound(&parts, &mut positions.iter().map(|row| more[*row] - difference(row)));
                    }
                }
            }
        }
        found
    }

    /// The equations of the space that these rows span, if it has fewer dimensions than there are rows.
    fn equations(&self, terms: &mut Terms, positions: &[usize], wanted: Wanted, found: &mut Vec<TermId>) {
        let mut space = Space::default();
        let mut subtractions = wanted.subtractions;
        for row in positions {
            if space.rows.len() > self.numbers.len() || subtractions == 0 {
                return;
            }
            let mut point: Vector = LinearForm::constant(Rational::one());
            let values = self.numbers.iter().map(|(term, values)| (*term, values[*row]));
            point.terms = values
                .filter(|(_, value)| *value != 0)
                .map(|(term, value)| (term, Rational::from(value)))
                .collect();
            point.terms.sort_by_key(|(term, _)| *term);
            let rest = space.remainder(point, &mut subtractions);
            space.add(&rest);
        }
        if positions.len() < space.rows.len() + wanted.spare {
            return;
        }
        let parameters: Vec<TermId> = self.numbers.iter().map(|(term, _)| *term).collect();
        let equations = space.equations(&parameters, &mut subtractions);
        for equation in equations.into_iter().filter(|_| subtractions > 0) {
            if !equation.terms.is_empty() {
                let factor = equation.normalizing_factor();
                let whole = equation.scaled(&factor);
                let mut numbers = whole.terms.iter().map(|(_, by)| by).chain([&whole.constant]);
                let is_plain = |number: &Rational| {
                    wanted
                        .largest
                        .is_none_or(|largest| number.abs() <= Rational::from(largest))
                };
                if !numbers.all(is_plain) {
                    continue;
                }
                found.push(terms.linear_formula(&whole, Comparison::Equal, SortId::INT));
            }
        }
    }
}

/// What may be said of a parameter that is no number: that it is true, or false, or made by one of its constructors.
fn ways(terms: &mut Terms, parameter: TermId) -> Vec<TermId> {
    if terms.sort(parameter) == SortId::BOOL {
        return vec![parameter, terms.not(parameter)];
    }
    let datatype = terms.datatype(terms.sort(parameter));
    let constructors = datatype.map_or(Vec::new(), |datatype| datatype.constructors.clone());
    let made = constructors
        .into_iter()
        .map(|constructor| terms.is_made_by(constructor, parameter));
    made.filter(|formula| *formula != TermId::TRUE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: Wanted = Wanted {
        together: 1,
        spare: 2,
        largest: Some(100),
        subtractions: 1_000,
    };

    /// What rows of an `X`, a `Y` and a control variable have in common.
    fn common(rows: &[[i64; 3]], wanted: Wanted) -> (Vec<String>, Vec<String>) {
        let mut terms = Terms::new();
        let parameters = ["X", "Y", "S"].map(|name| terms.fresh_variable(name, SortId::INT));
        let rows: Vec<Vec<Value>> = rows
            .iter()
            .map(|row| row.iter().map(|value| Value::Number(Rational::from(*value))).collect())
            .collect();
        let rows: Vec<&Vec<Value>> = rows.iter().collect();
        let columns = Columns::new(&mut terms, &parameters, &rows, &parameters[2..]);
        let all = Rows::of(rows.iter().map(|_| true));
        let found = columns.common(&mut terms, &all, wanted);
        let texts = |formulas: &[TermId]| formulas.iter().map(|one| terms.display(*one).to_string()).collect();
        (texts(&found), texts(&columns.domains))
    }

    #[test]
    fn equations_have_small_numbers_and_are_found_in_time_or_not_at_all() {
        let rows = [[3, 4, 0], [50, 51, 7], [-20, -19, 0], [90, 91, 7]];
        let (found, domains) = common(&rows, WANTED);
        assert_eq!(found, ["X = Y - 1"]);
        assert_eq!(domains, ["S = 0 ; S = 7"]);
        let few = Wanted {
            subtractions: 2,
            ..WANTED
        };
        assert!(common(&rows, few).0.is_empty());
        let far = rows.map(|[x, _, s]| [x, x + 1_000, s]);
        assert!(common(&far, WANTED).0.is_empty());
        let any = Wanted {
            largest: None,
            ..WANTED
        };
        assert_eq!(common(&far, any).0.len(), 1);
    }
}
