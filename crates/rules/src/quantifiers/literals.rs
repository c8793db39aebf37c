//! The view of a formula that elimination has: connectives over literals, and those that hold the variable as comparisons of
//! a linear form with zero, or as divisibilities.

use crate::terms::{Comparison, LinearForm, Operator, Rational, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// How a linear form is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// It is zero.
    Zero,
    /// It is not zero.
    NotZero,
    /// It is not positive.
    AtMost,
    /// It is negative; over integers this is written as [`Relation::AtMost`].
    Below,
    /// It is a multiple of a positive integer.
    Multiple(BigInt),
    /// It is none.
    NoMultiple(BigInt),
}

/// A literal about a variable: `coefficient·variable + rest` compared.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    /// The formula that it is.
    pub leaf: TermId,
    /// How often the variable is in the form, never zero times.
    pub coefficient: Rational,
    /// The form without the variable, which does not occur in it.
    pub rest: LinearForm,
    /// How the form is compared.
    pub relation: Relation,
}

/// The terms inside of formulas in which some of the variables occur, which are sorted.
pub(super) fn holding(terms: &Terms, formulas: &[TermId], variables: &[TermId]) -> HashSet<TermId> {
    let mut holding: HashSet<TermId> = HashSet::new();
    // What is inside of a term comes before it.
    for term in terms.subterms(formulas) {
        if variables.binary_search(&term).is_ok()
            || terms.arguments(term).iter().any(|argument| holding.contains(argument))
        {
            holding.insert(term);
        }
    }
    holding
}

/// The formulas that a formula's conjunctions and disjunctions are made of, if they hold the variables, by ascending id.
pub(super) fn leaves(terms: &Terms, formula: TermId, holding: &HashSet<TermId>) -> Vec<TermId> {
    let (mut found, mut seen, mut stack) = (Vec::new(), HashSet::new(), vec![formula]);
    while let Some(current) = stack.pop() {
        if !holding.contains(&current) || !seen.insert(current) {
            continue;
        }
        match terms.operator(current) {
            Operator::And | Operator::Or => stack.extend_from_slice(terms.arguments(current)),
            _ => found.push(current),
        }
    }
    found.sort();
    found
}

/// The formula with other formulas in the place of leaves.
pub(super) fn with_leaves(terms: &mut Terms, formula: TermId, replaced: &HashMap<TermId, TermId>) -> TermId {
    let whole = |terms: &Terms, term: TermId| match terms.operator(term) {
        Operator::And | Operator::Or => None,
        _ => Some(replaced.get(&term).copied().unwrap_or(term)),
    };
    terms.rewritten(formula, &mut HashMap::new(), whole, |_, built| built)
}

/// What all leaves of a formula say of a variable; `None` if one of them says it in another way.
pub(super) fn literals(terms: &Terms, variable: TermId, formula: TermId) -> Option<Vec<Literal>> {
    let holding = holding(terms, &[formula], &[variable]);
    let leaves = leaves(terms, formula, &holding).into_iter();
    leaves.map(|leaf| literal(terms, variable, leaf, &holding)).collect()
}

fn literal(terms: &Terms, variable: TermId, leaf: TermId, holding: &HashSet<TermId>) -> Option<Literal> {
    let (atom, positive) = atom_of(terms, leaf);
    let (mut rest, relation) = match (divisibility(terms, atom), positive) {
        (Some((divisor, form)), true) => (form, Relation::Multiple(divisor)),
        (Some((divisor, form)), false) => (form, Relation::NoMultiple(divisor)),
        _ => {
            let linear = terms.linear_atom(atom)?;
            let relation = match (linear.comparison, positive) {
                (Comparison::Equal, true) => Relation::Zero,
                (Comparison::Equal, false) => Relation::NotZero,
                (Comparison::LessOrEqual, true) => Relation::AtMost,
                (Comparison::Less, true) => Relation::Below,
                _ => return None,
            };
            (linear.form, relation)
        }
    };
    let coefficient = rest.coefficient(variable);
    rest.terms.retain(|(term, _)| *term != variable);
    let is_linear = !coefficient.is_zero() && !rest.terms.iter().any(|(term, _)| holding.contains(term));
    let is_whole = terms.sort(variable) != SortId::INT
        || rest.constant.is_integer()
            && coefficient.is_integer()
            && rest.terms.iter().all(|(_, coefficient)| coefficient.is_integer())
            && relation != Relation::Below;
    (is_linear && is_whole).then_some(Literal {
        leaf,
        coefficient,
        rest,
        relation,
    })
}

/// The atom of a literal, and whether it is not negated.
pub(super) fn atom_of(terms: &Terms, literal: TermId) -> (TermId, bool) {
    match (terms.operator(literal), terms.arguments(literal)) {
        (Operator::Not, [atom]) => (*atom, false),
        _ => (literal, true),
    }
}

/// The remainder that an atom compares with a number, and the number.
pub(super) fn remainder_compared(terms: &Terms, atom: TermId) -> Option<(TermId, Rational)> {
    let linear = terms.linear_atom(atom)?;
    match (&linear.form.terms[..], linear.comparison) {
        ([(remainder, factor)], Comparison::Equal) if terms.operator(*remainder) == Operator::Modulo => {
            Some((*remainder, -(&linear.form.constant / factor)))
        }
        _ => None,
    }
}

/// `(t mod d) = r` for a number `d` and a possible remainder `r` as the form `t - r`, which is a multiple of `d`, made positive.
pub(super) fn divisibility(terms: &Terms, atom: TermId) -> Option<(BigInt, LinearForm)> {
    let (remainder, value) = remainder_compared(terms, atom)?;
    let [dividend, divisor] = *terms.arguments(remainder) else {
        return None;
    };
    let divisor = terms.number_value(divisor)?.abs();
    if divisor.is_zero() || !value.is_integer() || value.is_negative() || value >= divisor {
        return None;
    }
    let mut form = terms.linear_form(dividend);
    form.constant -= value;
    Some((divisor.to_integer(), form))
}

/// The number above `-divisor/2`, up to `divisor/2`, that is congruent to a number.
fn smallest(number: &BigInt, divisor: &BigInt) -> BigInt {
    let least = number.mod_floor(divisor);
    if &least * 2 > *divisor { least - divisor } else { least }
}

/// The remainder of a form with integer coefficients by a positive integer, coefficients as small as they can be.
pub(super) fn remainder_of(terms: &mut Terms, form: &LinearForm, divisor: &BigInt) -> TermId {
    let mut reduced = LinearForm::constant(Rational::from_integer(form.constant.to_integer().mod_floor(divisor)));
    for (term, coefficient) in &form.terms {
        let coefficient = smallest(&coefficient.to_integer(), divisor);
        if !coefficient.is_zero() {
            reduced.terms.push((*term, Rational::from_integer(coefficient)));
        }
    }
    let reduced = terms.linear_term(&reduced, SortId::INT);
    let divisor = terms.integer(divisor.clone());
    terms.modulo(reduced, divisor)
}

/// An integer form compared with zero; decided if it consists of remainders, which lie between zero and what they are remainders by.
pub(super) fn compared(terms: &mut Terms, form: &LinearForm, comparison: Comparison) -> TermId {
    if let Some([least, largest]) = limits(terms, form) {
        let (is_never, is_always) = match comparison {
            Comparison::Equal => (least.is_positive() || largest.is_negative(), false),
            Comparison::LessOrEqual => (least.is_positive(), !largest.is_positive()),
            Comparison::Less => (!least.is_negative(), largest.is_negative()),
        };
        if is_never || is_always {
            return terms.boolean(is_always);
        }
    }
    terms.linear_formula(form, comparison, SortId::INT)
}

/// Numbers between which a form lies that consists of remainders by numbers.
fn limits(terms: &Terms, form: &LinearForm) -> Option<[Rational; 2]> {
    let (mut least, mut largest) = (form.constant.clone(), form.constant.clone());
    for (term, coefficient) in &form.terms {
        let (Operator::Modulo, [_, divisor]) = (terms.operator(*term), terms.arguments(*term)) else {
            return None;
        };
        let divisor = terms.number_value(*divisor).filter(|divisor| !divisor.is_zero())?;
        let most = coefficient * (divisor.abs() - Rational::one());
        if most.is_negative() {
            least += most;
        } else {
            largest += most;
        }
    }
    Some([least, largest])
}

/// That a form with integer coefficients is a multiple of a positive integer, in one way to write it: `(t mod d) = r`, without
/// a common divisor of `d` and the coefficients, these as small as they can be and the first of them positive.
pub(super) fn multiple(terms: &mut Terms, form: &LinearForm, divisor: &BigInt) -> TermId {
    let mut common = divisor.clone();
    let reduced = form.terms.iter().map(|(term, coefficient)| {
        let coefficient = coefficient.to_integer().mod_floor(divisor);
        common = common.gcd(&coefficient);
        (*term, coefficient)
    });
    let reduced: Vec<(TermId, BigInt)> = reduced.collect();
    let constant = form.constant.to_integer();
    if !constant.is_multiple_of(&common) {
        return TermId::FALSE;
    }
    let (divisor, mut constant) = (divisor / &common, constant / &common);
    let mut left = LinearForm::constant(Rational::zero());
    for (term, coefficient) in reduced {
        let coefficient = smallest(&(coefficient / &common), &divisor);
        if !coefficient.is_zero() {
            left.terms.push((term, Rational::from_integer(coefficient)));
        }
    }
    if left.terms.is_empty() {
        return terms.boolean(constant.is_multiple_of(&divisor));
    }
    if left.terms[0].1.is_negative() {
        left = left.scaled(&-Rational::one());
        constant = -constant;
    }
    let remainder = (-constant).mod_floor(&divisor);
    let left = terms.linear_term(&left, SortId::INT);
    let (divisor, remainder) = (terms.integer(divisor), terms.integer(remainder));
    let left = terms.modulo(left, divisor);
    terms.equal(left, remainder)
}
