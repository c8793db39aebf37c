//! What the operators of saved formulas mean, and which sorts they need.

use super::formula::clip;
use super::functions::apply_function;
use crate::terms::{LinearForm, Operator, Rational, Sort, SortId, TermId, Terms};
use num_traits::{One, Zero};

/// How large a product may become, in bits of its numbers, a factor counting as [`FACTOR_SIZE`]. Through `let`, a short text
/// could otherwise ask for products that no memory holds.
const PRODUCT_LIMIT: u64 = 100_000;

/// What a factor counts.
const FACTOR_SIZE: u64 = 100;

/// Applies an operator to terms.
pub(super) fn apply(terms: &mut Terms, operator: &str, arguments: &[TermId]) -> Result<TermId, String> {
    let sorts: Vec<SortId> = arguments.iter().map(|argument| terms.sort(*argument)).collect();
    let numeric = sorts
        .first()
        .is_some_and(|first| first.is_numeric() && sorts.iter().all(|sort| sort == first));
    let all = |wanted: SortId| sorts.iter().all(|sort| *sort == wanted);
    let refused = |terms: &Terms| {
        let found: Vec<String> = sorts.iter().map(|sort| terms.smtlib_sort(*sort)).collect();
        format!("`{}` cannot be applied to ({})", clip(operator), found.join(" "))
    };
    Ok(match (operator, arguments) {
        ("not", [only]) if all(SortId::BOOL) => terms.not(*only),
        ("and", _) if all(SortId::BOOL) => terms.and(arguments),
        ("or", _) if all(SortId::BOOL) => terms.or(arguments),
        ("=>", [premise, conclusion]) if all(SortId::BOOL) => terms.implies(*premise, *conclusion),
        ("ite", [condition, left, right]) if sorts[0] == SortId::BOOL && sorts[1] == sorts[2] => {
            terms.if_then_else(*condition, *left, *right)
        }
        ("=", [first, second, ..]) if all(sorts[0]) => {
            let rest = arguments[1..].iter();
            match rest.len() {
                1 => terms.equal(*first, *second),
                _ => {
                    let parts: Vec<TermId> = rest.map(|other| terms.equal(*first, *other)).collect();
                    terms.and(&parts)
                }
            }
        }
        ("distinct", [left, right]) if sorts[0] == sorts[1] => terms.not_equal(*left, *right),
        ("<" | "<=" | ">" | ">=", [_, _, ..]) if numeric => {
            let mut parts = Vec::with_capacity(arguments.len() - 1);
            for pair in arguments.windows(2) {
                parts.push(match operator {
                    "<" => terms.less(pair[0], pair[1]),
                    "<=" => terms.less_or_equal(pair[0], pair[1]),
                    ">" => terms.less(pair[1], pair[0]),
                    _ => terms.less_or_equal(pair[1], pair[0]),
                });
            }
            terms.and(&parts)
        }
        ("-", [only]) if numeric => terms.negate(*only),
        ("+", [_, _, ..]) if numeric => sum(terms, arguments, sorts[0]),
        ("-", [first, rest @ ..]) if numeric && !rest.is_empty() => {
            let subtrahend = sum(terms, rest, sorts[0]);
            terms.subtract(*first, subtrahend)
        }
        ("*", [first, rest @ ..]) if numeric && !rest.is_empty() => {
            let mut product = *first;
            for factor in rest {
                if product_size(terms, product) + product_size(terms, *factor) > PRODUCT_LIMIT {
                    return Err("the product is too large".to_string());
                }
                product = terms.multiply(product, *factor);
            }
            product
        }
        ("/", [left, right]) if all(SortId::REAL) => {
            if product_size(terms, *left) + product_size(terms, *right) > PRODUCT_LIMIT {
                return Err("the quotient is too large".to_string());
            }
            terms.divide(*left, *right)
        }
        ("div", [left, right]) if all(SortId::INT) => terms.integer_divide(*left, *right),
        ("mod", [left, right]) if all(SortId::INT) => terms.modulo(*left, *right),
        ("abs", [only]) if all(SortId::INT) => terms.absolute(*only),
        ("to_real", [only]) if all(SortId::INT) => terms.to_real(*only),
        ("to_int", [only]) if all(SortId::REAL) => terms.to_integer(*only),
        ("select", [array, index]) => match terms.sort_of_id(sorts[0]) {
            Sort::Array(expected, _) if expected == sorts[1] => terms.select(*array, *index),
            _ => return Err(refused(terms)),
        },
        ("store", [array, index, value]) => match terms.sort_of_id(sorts[0]) {
            Sort::Array(expected, element) if expected == sorts[1] && element == sorts[2] => {
                terms.store(*array, *index, *value)
            }
            _ => return Err(refused(terms)),
        },
        _ => return apply_function(terms, operator, arguments).ok_or_else(|| refused(terms)),
    })
}

/// The sum of terms of one sort, halves first: adding them one by one would make all the partial sums.
fn sum(terms: &mut Terms, summands: &[TermId], sort: SortId) -> TermId {
    let mut forms: Vec<LinearForm> = summands.iter().map(|summand| terms.linear_form(*summand)).collect();
    while forms.len() > 1 {
        let merge = |pair: &[LinearForm]| match pair {
            [left, right] => left.add_scaled(right, &Rational::one()),
            other => other
                .first()
                .cloned()
                .unwrap_or_else(|| LinearForm::constant(Rational::zero())),
        };
        forms = forms.chunks(2).map(merge).collect();
    }
    let whole = forms.pop().unwrap_or_else(|| LinearForm::constant(Rational::zero()));
    terms.linear_term(&whole, sort)
}

/// A bound on the factors and the bits of numbers in a polynomial; that of a product is at most the sum.
fn product_size(terms: &Terms, term: TermId) -> u64 {
    let form = terms.linear_form(term);
    let bits = |value: &Rational| value.numer().bits() + value.denom().bits();
    let monomial = |(atom, coefficient): &(TermId, Rational)| {
        let factors = match terms.operator(*atom) {
            Operator::Multiply => terms.arguments(*atom).len() as u64,
            _ => 1,
        };
        factors * FACTOR_SIZE + bits(coefficient)
    };
    form.terms
        .iter()
        .map(monomial)
        .max()
        .unwrap_or(0)
        .max(bits(&form.constant))
}
