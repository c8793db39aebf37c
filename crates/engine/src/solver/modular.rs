//! Integer variables of which formulas see only the lowest bits: what they say holds of a value if it does of any other one with
//! the same bits, so such a variable has bounds where no formula gives it any.

use crate::terms::{Operator, Rational, SortId, TermId, Terms, WordOperator, exponent_of_two};
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// More bits than this are too many for a word.
const MOST_BITS: u32 = 160;

/// The variables that occur only where so many of their lowest bits matter.
pub(super) fn modular_variables(terms: &Terms, formulas: &[TermId]) -> BTreeMap<TermId, u32> {
    let mut found: BTreeMap<TermId, u32> = BTreeMap::new();
    let mut whole: HashSet<TermId> = HashSet::new();
    let mut seen: HashSet<(TermId, Option<u32>)> = HashSet::new();
    let mut stack: Vec<(TermId, Option<u32>)> = formulas.iter().map(|formula| (*formula, None)).collect();
    while let Some((term, bits)) = stack.pop() {
        if !seen.insert((term, bits)) {
            continue;
        }
        let arguments = terms.arguments(term);
        match (terms.operator(term), arguments, bits) {
            (Operator::Variable(_), ..) if terms.sort(term) != SortId::INT => {}
            (Operator::Variable(_), _, Some(bits)) => {
                let most = found.entry(term).or_default();
                *most = bits.max(*most);
            }
            (Operator::Variable(_), _, None) => {
                whole.insert(term);
            }
            (Operator::Word(WordOperator::OfInteger), [integer], _) => {
                stack.push((
                    *integer,
                    terms.width(terms.sort(term)).filter(|width| *width <= MOST_BITS),
                ));
            }
            (Operator::Modulo, [dividend, divisor], _) => {
                let inner = exponent(terms, *divisor);
                stack.push((*dividend, inner));
                if inner.is_none() {
                    stack.push((*divisor, None));
                }
            }
            // The quotient's bits are those above the divisor's zeros.
            (Operator::IntegerDivide, [dividend, divisor], Some(bits)) => {
                let more = exponent(terms, *divisor).and_then(|zeros| zeros.checked_add(bits));
                let more = more.filter(|bits| *bits <= MOST_BITS);
                stack.push((*dividend, more));
                if more.is_none() {
                    stack.push((*divisor, None));
                }
            }
            (Operator::Add | Operator::Multiply, _, Some(_)) => {
                stack.extend(arguments.iter().map(|argument| (*argument, bits)));
            }
            (Operator::IfThenElse, [condition, yes, no], Some(_)) => {
                stack.extend([(*condition, None), (*yes, bits), (*no, bits)]);
            }
            _ => stack.extend(arguments.iter().map(|argument| (*argument, None))),
        }
    }
    found.retain(|variable, _| !whole.contains(variable));
    found
}

/// The exponent of a power of two.
fn exponent(terms: &Terms, term: TermId) -> Option<u32> {
    let value = terms.number_value(term).map(Rational::to_integer)?;
    exponent_of_two(&value).filter(|bits| *bits <= MOST_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_seen_modulo_a_power_of_two_is_modular() {
        let mut terms = Terms::new();
        let [x, y, z] = ["X", "Y", "Z"].map(|name| terms.fresh_variable(name, SortId::INT));
        let [three, four, eight] = [3, 4, 8].map(|value| terms.integer(value));
        let sum = terms.add(x, y);
        let quarter = terms.integer_divide(sum, four);
        let low = terms.modulo(quarter, eight);
        let third = terms.modulo(z, three);
        let whole = terms.less_or_equal(y, four);
        let equal = terms.equal(low, third);
        let found = modular_variables(&terms, &[equal, whole]);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(x, 5)]);
    }
}
