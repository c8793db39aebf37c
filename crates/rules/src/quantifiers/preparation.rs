//! What has to become of a formula before numbers can be eliminated from it: its leaves are made linear in them, one step
//! at a time, each of them exact.
//!
//! - An equivalence of formulas becomes two cases.
//! - A comparison of integers that are seen as real numbers becomes one of integers; what is real in it is rounded, if there
//!   is nothing in it that is to be eliminated.
//! - A conditional term becomes two cases of the leaf that it stands in.
//! - The quotient and the remainder of a division by a number are said by a new variable, as is the largest integer below a
//!   real number: `t = d·q + r` with `0 ≤ r < |d|` has one solution for each `t`, wherever it is looked for. A remainder that is compared with a
//!   number is a divisibility, and stays.

use super::literals::{atom_of, divisibility, holding, leaves, remainder_compared, with_leaves};
use crate::terms::{Comparison, LinearForm, Operator, Rational, SortId, Substitution, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_traits::{One, Signed, Zero};

/// The formula after a step, and a variable that is to be eliminated from it, too.
pub(super) struct Prepared {
    pub formula: TermId,
    pub variable: Option<TermId>,
}

/// The next step, if there is one.
pub(super) fn prepared(terms: &mut Terms, variables: &[TermId], formula: TermId) -> Option<Prepared> {
    let holding = holding(terms, &[formula], variables);
    let leaves = leaves(terms, formula, &holding);
    let mut replaced: HashMap<TermId, TermId> = HashMap::new();
    for leaf in &leaves {
        let simpler = equivalence(terms, *leaf).or_else(|| without_reals(terms, *leaf, &holding));
        if let Some(simpler) = simpler.filter(|simpler| simpler != leaf) {
            replaced.insert(*leaf, simpler);
        }
    }
    if !replaced.is_empty() {
        return Some(Prepared {
            formula: with_leaves(terms, formula, &replaced),
            variable: None,
        });
    }
    let is_plain = |leaf: &TermId| !is_divisibility(terms, *leaf, variables, &holding);
    let leaves: Vec<TermId> = leaves.into_iter().filter(is_plain).collect();
    let inner = terms
        .subterms(&leaves)
        .into_iter()
        .filter(|term| holding.contains(term));
    // What is inside of a term comes before it.
    let inner: Vec<TermId> = inner.collect();
    inner
        .into_iter()
        .find_map(|term| match (terms.operator(term), terms.arguments(term)) {
            (Operator::IfThenElse, &[condition, left, right]) => {
                let formula = split(terms, formula, &leaves, term, [condition, left, right]);
                Some(Prepared {
                    formula,
                    variable: None,
                })
            }
            (Operator::IntegerDivide | Operator::Modulo, &[dividend, divisor]) => {
                terms.number_value(divisor).filter(|divisor| !divisor.is_zero())?;
                is_linear(terms, dividend, variables, &holding)
                    .then(|| divided(terms, formula, &leaves, term, [dividend, divisor]))
            }
            (Operator::ToInteger, &[number]) => {
                is_linear(terms, number, variables, &holding).then(|| rounded(terms, formula, &leaves, term, number))
            }
            _ => None,
        })
}

/// An equivalence of formulas, or the negation of one, in other connectives.
fn equivalence(terms: &mut Terms, leaf: TermId) -> Option<TermId> {
    let (atom, positive) = atom_of(terms, leaf);
    let (Operator::Equal, &[left, right]) = (terms.operator(atom), terms.arguments(atom)) else {
        return None;
    };
    if terms.sort(left) != SortId::BOOL {
        return None;
    }
    let right = if positive { right } else { terms.not(right) };
    let opposites = [terms.not(left), terms.not(right)];
    let cases = [terms.and(&[left, right]), terms.and(&opposites)];
    Some(terms.or(&cases))
}

/// A comparison of real numbers, or the negation of one, as one of integers, if what is to be eliminated in it is integers
/// that are seen as real numbers; also a remainder compared with a number that is none.
fn without_reals(terms: &mut Terms, leaf: TermId, holding: &HashSet<TermId>) -> Option<TermId> {
    let (atom, positive) = atom_of(terms, leaf);
    if remainder_compared(terms, atom).is_some() && divisibility(terms, atom).is_none() {
        return impossible_remainder(terms, atom).then(|| terms.boolean(!positive));
    }
    let linear = terms.linear_atom(atom)?;
    let (integers, mut rest): (Vec<_>, Vec<_>) = linear
        .form
        .terms
        .into_iter()
        .partition(|(term, _)| terms.operator(*term) == Operator::ToReal);
    if integers.is_empty() || rest.iter().any(|(term, _)| holding.contains(term)) {
        return None;
    }
    let factor = Rational::normalizing_factor(integers.iter().map(|(_, coefficient)| coefficient));
    let mut whole = LinearForm::constant(Rational::zero());
    for (term, coefficient) in &integers {
        let inner = terms.linear_form(terms.arguments(*term)[0]);
        whole = whole.add_scaled(&inner, &(coefficient * &factor));
    }
    for (_, coefficient) in &mut rest {
        *coefficient = &*coefficient * &factor;
    }
    let rest = LinearForm {
        terms: rest,
        constant: linear.form.constant * &factor,
    };
    let formula = match (rest.terms.is_empty(), linear.comparison) {
        (true, comparison) => {
            whole.constant += rest.constant;
            terms.linear_formula(&whole, comparison, SortId::INT)
        }
        // `i + r ≤ 0` is `i ≤ ⌊-r⌋`.
        (_, Comparison::LessOrEqual) => {
            let bound = floor(terms, &rest.scaled(&-Rational::one()));
            let form = whole.add_scaled(&bound, &-Rational::one());
            terms.linear_formula(&form, Comparison::LessOrEqual, SortId::INT)
        }
        // `i + r < 0` is `i < -⌊r⌋`.
        (_, Comparison::Less) => {
            let form = whole.add_scaled(&floor(terms, &rest), &Rational::one());
            terms.linear_formula(&form, Comparison::Less, SortId::INT)
        }
        (_, Comparison::Equal) => {
            let rounded = floor(terms, &rest);
            let form = whole.add_scaled(&rounded, &Rational::one());
            let same = terms.linear_formula(&form, Comparison::Equal, SortId::INT);
            let rounded = terms.linear_term(&rounded, SortId::INT);
            let rounded = terms.to_real(rounded);
            let rest = terms.linear_term(&rest, SortId::REAL);
            let is_whole = terms.equal(rounded, rest);
            terms.and(&[same, is_whole])
        }
    };
    Some(if positive { formula } else { terms.not(formula) })
}

/// The largest integer that is not above a real number.
fn floor(terms: &mut Terms, form: &LinearForm) -> LinearForm {
    let number = terms.linear_term(form, SortId::REAL);
    let rounded = terms.to_integer(number);
    terms.linear_form(rounded)
}

/// Whether an atom compares a remainder by a number with a number that it cannot be.
fn impossible_remainder(terms: &Terms, atom: TermId) -> bool {
    let Some((remainder, value)) = remainder_compared(terms, atom) else {
        return false;
    };
    let divisor = terms
        .arguments(remainder)
        .get(1)
        .and_then(|divisor| terms.number_value(*divisor));
    divisor.is_some_and(|divisor| {
        !divisor.is_zero() && (value.is_negative() || !value.is_integer() || value >= divisor.abs())
    })
}

/// Whether a number is linear in the variables: they occur in it as summands, perhaps as integers that are seen as real numbers.
fn is_linear(terms: &Terms, number: TermId, variables: &[TermId], holding: &HashSet<TermId>) -> bool {
    let is_plain = |term: TermId| variables.binary_search(&term).is_ok() || !holding.contains(&term);
    terms
        .linear_form(number)
        .terms
        .iter()
        .all(|(term, _)| match terms.operator(*term) {
            Operator::ToReal => terms
                .linear_form(terms.arguments(*term)[0])
                .terms
                .iter()
                .all(|(inner, _)| is_plain(*inner)),
            _ => is_plain(*term),
        })
}

/// Whether a leaf is a divisibility that is linear in the variables, or the negation of one.
fn is_divisibility(terms: &Terms, leaf: TermId, variables: &[TermId], holding: &HashSet<TermId>) -> bool {
    let (atom, _) = atom_of(terms, leaf);
    let Some((_, form)) = divisibility(terms, atom) else {
        return false;
    };
    form.terms
        .iter()
        .all(|(term, _)| variables.binary_search(term).is_ok() || !holding.contains(term))
}

/// The formula with a conditional term taken apart in each of the leaves.
fn split(terms: &mut Terms, formula: TermId, leaves: &[TermId], term: TermId, parts: [TermId; 3]) -> TermId {
    let [condition, left, right] = parts;
    let otherwise = terms.not(condition);
    let mut replaced = HashMap::new();
    for leaf in leaves {
        let cases = [(condition, left), (otherwise, right)].map(|(condition, side)| {
            let substitution = Substitution::of(terms, &[term], &[side]);
            let leaf = terms.substitute(*leaf, &substitution);
            (condition, leaf)
        });
        if cases[0].1 != *leaf || cases[1].1 != *leaf {
            let cases = cases.map(|(condition, leaf)| terms.and(&[condition, leaf]));
            replaced.insert(*leaf, terms.or(&cases));
        }
    }
    with_leaves(terms, formula, &replaced)
}

/// The formula with a quotient as a new variable, where a quotient or a remainder of these numbers is.
fn divided(terms: &mut Terms, formula: TermId, leaves: &[TermId], term: TermId, parts: [TermId; 2]) -> Prepared {
    let [dividend, divisor] = parts;
    let quotient = terms.fresh_variable("q", SortId::INT);
    let product = terms.multiply(divisor, quotient);
    let remainder = terms.subtract(dividend, product);
    let quotients = (
        terms.integer_divide(dividend, divisor),
        Operator::IntegerDivide,
        quotient,
    );
    let remainders = (terms.modulo(dividend, divisor), Operator::Modulo, remainder);
    let mut substitution = Substitution::new();
    for (written, operator, value) in [quotients, remainders] {
        if terms.operator(term) == operator {
            substitution.insert(terms, term, value);
        } else if terms.operator(written) == operator && terms.arguments(written) == parts {
            substitution.insert(terms, written, value);
        }
    }
    let size = terms.number_value(divisor).map_or(Rational::one(), Signed::abs);
    let zero = terms.integer(0);
    let largest = terms.number(size - Rational::one(), SortId::INT);
    let bounds = [
        terms.less_or_equal(zero, remainder),
        terms.less_or_equal(remainder, largest),
    ];
    with_variable(terms, formula, leaves, &substitution, bounds, quotient)
}

/// The formula with the largest integer below a number as a new variable.
fn rounded(terms: &mut Terms, formula: TermId, leaves: &[TermId], term: TermId, number: TermId) -> Prepared {
    let whole = terms.fresh_variable("q", SortId::INT);
    let substitution = Substitution::of(terms, &[term], &[whole]);
    let whole_as_real = terms.to_real(whole);
    let one = terms.real(Rational::one());
    let next = terms.add(whole_as_real, one);
    let bounds = [terms.less_or_equal(whole_as_real, number), terms.less(number, next)];
    with_variable(terms, formula, leaves, &substitution, bounds, whole)
}

/// The formula with what is substituted in each of the leaves, and what is said of the new variable.
fn with_variable(
    terms: &mut Terms,
    formula: TermId,
    leaves: &[TermId],
    substitution: &Substitution,
    bounds: [TermId; 2],
    variable: TermId,
) -> Prepared {
    let mut replaced = HashMap::new();
    for leaf in leaves {
        replaced.insert(*leaf, terms.substitute(*leaf, substitution));
    }
    let formula = with_leaves(terms, formula, &replaced);
    Prepared {
        formula: terms.and(&[formula, bounds[0], bounds[1]]),
        variable: Some(variable),
    }
}
