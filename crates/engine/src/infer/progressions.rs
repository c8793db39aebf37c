//! Geometric progressions: a variable is a number or another variable times a power, as `d = B*2^k` in a division by shifts.
//!
//! No polynomial says that what is halved over and over comes back to one without a remainder; that it was doubled as often
//! does. Which variables are meant is seen on states. What is claimed is a function that recurs, `times_power(x, y)`: *x is y, or a multiple
//! of the ratio, and a ratio of it is y times a power*. A certificate defines it, its recursion ends, and the checker needs one level
//! of it for a step. Induction mostly relies on the first level alone, which is linear.

use super::candidate::{Candidate, Shape};
use super::columns::Columns;
use crate::polynomials::State;
use crate::rules::Program;
use crate::terms::{FunctionId, Operator, SortId, Substitution, TermId, Terms};
use num_traits::ToPrimitive;

/// Factors and divisors of the rules up to this one are looked at, the smallest ones first, so many.
const LARGEST_RATIO: i64 = 64;
const MOST_RATIOS: usize = 4;
/// Powers of so many different exponents are a progression.
const FEWEST_POWERS: usize = 3;
/// So many progressions are looked for at a place.
const MOST_PROGRESSIONS: usize = 8;

/// The numbers by which a program's rules multiply or divide.
pub(super) fn ratios(program: &Program) -> Vec<i64> {
    let [multiplied, divided] = scales(program);
    let mut numbers = [multiplied, divided].concat();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.truncate(MOST_RATIOS);
    numbers
}

/// Whether rules multiply by a number and divide by the same, so that something may come back to where it was.
pub(crate) fn scales_back(program: &Program) -> bool {
    let [multiplied, divided] = scales(program);
    divided.iter().any(|number| multiplied.contains(number))
}

/// The numbers by which rules multiply, and those by which they divide.
fn scales(program: &Program) -> [Vec<i64>; 2] {
    let terms = &program.terms;
    let roots: Vec<TermId> = program.rules().iter().flat_map(|rule| rule.terms()).collect();
    let mut found = [Vec::new(), Vec::new()];
    for term in terms.subterms(&roots) {
        let (numbers, position) = match terms.operator(term) {
            Operator::Multiply => (&mut found[0], 0),
            Operator::IntegerDivide => (&mut found[1], 1),
            _ => continue,
        };
        let value = terms.arguments(term).get(position);
        let value = value.and_then(|number| terms.number_value(*number));
        let number = value
            .filter(|value| value.is_integer())
            .and_then(|value| value.to_integer().to_i64());
        numbers.extend(number.filter(|number| (2..=LARGEST_RATIO).contains(number)));
    }
    found
}

/// The function (there is always one): *x is y times a power of the ratio*, for what is not negative; of others it is only said of equal ones.
fn times_power(terms: &mut Terms, ratio: i64) -> Option<FunctionId> {
    let name = format!("times_power!{ratio}");
    if let Some(known) = terms.functions().iter().position(|function| function.name == name) {
        return Some(FunctionId::from_index(known));
    }
    let group = terms.functions().len() as u32;
    let sorts = [SortId::INT, SortId::INT];
    let function = terms.declare_function(&name, &sorts, SortId::BOOL, group);
    let parameters = terms.functions()[function.index()].parameters.clone();
    let (x, y) = (parameters[0], parameters[1]);
    let (zero, number) = (terms.integer(0), terms.integer(ratio));
    let (rest, quotient) = (terms.modulo(x, number), terms.integer_divide(x, number));
    let goes_on = [
        terms.less(y, x),
        terms.less(zero, x),
        terms.equal(rest, zero),
        terms.call(function, &[quotient, y])?,
    ];
    let (goes_on, same) = (terms.and(&goes_on), terms.equal(x, y));
    let body = terms.or(&[same, goes_on]);
    terms.define_function(function, body, vec![x]);
    Some(function)
}

/// The progressions that all states of a place satisfy.
pub(super) fn progressions(terms: &mut Terms, columns: &Columns, states: &[State], ratios: &[i64]) -> Vec<Candidate> {
    let chosen: Vec<u32> = columns
        .integers()
        .filter(|column| columns.is_parameter(*column))
        .collect();
    let numbers = |state: &State| -> Option<Vec<i128>> {
        let value = |column: &u32| state.get(*column as usize)?.to_integer().to_i128();
        chosen.iter().map(value).collect()
    };
    let rows: Vec<Vec<i128>> = states.iter().filter_map(numbers).collect();
    if rows.len() < states.len() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for position in 0..chosen.len() {
        let others = (0..chosen.len()).filter(|other| *other != position).map(Some);
        for first in std::iter::once(None).chain(others) {
            // A power of four is one of two.
            let largest = ratios.iter().rev().find(|ratio| {
                let exponent = |row: &Vec<i128>| {
                    let first = first.map_or(1, |first| row[first]);
                    exponent(row[position], first, **ratio)
                };
                let exponents: Option<Vec<u32>> = rows.iter().map(exponent).collect();
                exponents.is_some_and(|mut exponents| {
                    exponents.sort_unstable();
                    exponents.dedup();
                    exponents.len() >= FEWEST_POWERS
                })
            });
            let Some(ratio) = largest.copied() else {
                continue;
            };
            if found.len() >= MOST_PROGRESSIONS {
                return found;
            }
            let (column, first) = (chosen[position], first.map(|first| chosen[first]));
            let term = |column: u32| columns.indeterminates().term(column);
            let start = match first {
                Some(first) => term(first),
                None => Some(terms.integer(1)),
            };
            let call = term(column).zip(start).and_then(|(column, start)| {
                let function = times_power(terms, ratio)?;
                terms.call(function, &[column, start])
            });
            found.extend(call.map(|formula| Candidate {
                place: columns.place,
                shape: Shape::Progression {
                    column,
                    first,
                    ratio: ratio as u32,
                },
                formula,
                over_parameters: false,
            }));
        }
    }
    found
}

/// Which power of the ratio times the first number a number is, as the function has it.
fn exponent(mut number: i128, first: i128, ratio: i64) -> Option<u32> {
    let mut exponent = 0;
    while number > first && number > 0 {
        if number % i128::from(ratio) != 0 {
            return None;
        }
        number /= i128::from(ratio);
        exponent += 1;
    }
    (number == first).then_some(exponent)
}

/// What a formula says without functions: of one that is an application, what its definition says of the first level.
pub(super) fn first_level(terms: &mut Terms, formula: TermId) -> TermId {
    let Some(body) = terms.unfolded(formula) else {
        return formula;
    };
    let inside = terms.applications(&[body]);
    let mut substitution = Substitution::new();
    for application in inside {
        // It stands where nothing is negated, so without it less is said.
        substitution.insert(terms, application, TermId::TRUE);
    }
    terms.substitute(body, &substitution)
}

/// What is known of the applications in formulas, by their definitions, one level deep.
pub(super) fn one_level(terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut said = Vec::new();
    for application in terms.applications(formulas) {
        if let Some(body) = terms.unfolded(application) {
            said.push(terms.equal(application, body));
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::{Options, Status, infer};
    use crate::terms::Value;

    #[test]
    fn exponents_are_those_of_the_function() {
        let mut terms = Terms::default();
        let function = times_power(&mut terms, 3).expect("it is declared");
        let mut values = crate::terms::Values::default();
        for number in -30..90 {
            for first in -3..7 {
                let arguments =
                    [number, first].map(|value: i64| Value::Number(crate::terms::Rational::from_integer(value.into())));
                let value = values.applied(&terms, function, arguments.to_vec());
                let expected = exponent(number.into(), first.into(), 3).is_some();
                assert_eq!(value, Some(Value::Bool(expected)), "{number} {first}");
            }
        }
    }

    #[test]
    fn the_first_level_follows() {
        let mut terms = Terms::default();
        let function = times_power(&mut terms, 2).expect("it is declared");
        let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
        let formula = terms.call(function, &[x, y]).expect("it is defined");
        let level = first_level(&mut terms, formula);
        assert!(terms.applications(&[level]).is_empty());
        assert_eq!(first_level(&mut terms, level), level);
    }

    /// A division by shifts: what is halved was doubled.
    #[test]
    fn what_was_doubled_is_halved_without_a_remainder() {
        let source = "
            ?- B >= 1, up(A, B, B, 1).
            up(A, B, D, P) :- D =< A, up(A, B, 2*D, 2*P).
            up(A, B, D, P) :- D > A, down(A, B, A, D, P, 0).
            down(A, B, R, D, P, Q) :- P \\= 1, R >= D div 2, down(A, B, R - D div 2, D div 2, P div 2, Q + P div 2).
            down(A, B, R, D, P, Q) :- P \\= 1, R < D div 2, down(A, B, R, D div 2, P div 2, Q).
            down(A, B, R, D, P, Q) :- P = 1, A \\= Q*D + R, error.";
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let inference = infer(&program, &[], &Options::default()).expect("it can be run");
        let down = &inference.places[1];
        let proved: Vec<String> = down
            .invariants
            .iter()
            .filter(|found| found.status == Status::Proved)
            .map(|found| inference.text(down, found, crate::infer::Notation::Clp))
            .collect();
        for expected in ["D = B*P", "A = B*Q + R", "P is 2^k", "D is B*2^k"] {
            assert!(proved.iter().any(|text| text == expected), "{expected}: {proved:?}");
        }
        assert!(inference.assertions.iter().all(|(_, excluded)| *excluded));
    }
}
