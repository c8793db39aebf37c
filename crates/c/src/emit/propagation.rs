//! What a rule says of its cases once it says which of them hold.
//!
//! A path knows more at its end than where it told cases apart: that an index is inside of its array, say, which the condition behind the
//! access had been about. Disjuncts that the rest of the rule excludes are left out then, and so is of others what the rule says already.

use super::super::arithmetic::Conjunct;
use crate::terms::{Operator, TermId, Terms};
use hashbrown::HashSet;

/// How often all disjunctions are looked at: each may teach what makes others smaller, and a rule may have thousands of them.
const ROUNDS: usize = 16;

/// How deep disjunctions inside of disjunctions are looked at.
const DEPTH: usize = 8;

/// The conjuncts with disjunctions made smaller by what other conjuncts say. Those that only define a variable teach nothing: they may
/// be left out.
pub(super) fn propagated(terms: &mut Terms, conjuncts: &[Conjunct]) -> Vec<Conjunct> {
    let mut conjuncts = conjuncts.to_vec();
    let mut known = HashSet::new();
    for conjunct in &conjuncts {
        learn(terms, conjunct, &mut known);
    }
    for _ in 0..ROUNDS {
        let mut changed = false;
        for conjunct in &mut conjuncts {
            if terms.operator(conjunct.formula) != Operator::Or {
                continue;
            }
            let smaller = match conjunct.defines {
                Some(variable) => decided_case(terms, conjunct.formula, variable, &known),
                None => without_known(terms, conjunct.formula, &known, DEPTH),
            };
            if smaller != conjunct.formula {
                conjunct.formula = smaller;
                learn(terms, conjunct, &mut known);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    conjuncts.retain(|conjunct| conjunct.formula != TermId::TRUE);
    conjuncts
}

/// Adds what a conjunct says for certain.
fn learn(terms: &Terms, conjunct: &Conjunct, known: &mut HashSet<TermId>) {
    if conjunct.defines.is_none() && terms.operator(conjunct.formula) != Operator::Or {
        known.extend(terms.conjuncts(conjunct.formula));
    }
}

/// A definition by cases of which exactly one holds, where these literals hold. One that is known to hold is all that is left; else each
/// keeps its conditions, by which the variable is calculated, and the only one those that are not known.
fn decided_case(terms: &mut Terms, cases: TermId, variable: TermId, known: &HashSet<TermId>) -> TermId {
    let mut left = Vec::new();
    for case in terms.arguments(cases).to_vec() {
        let literals = terms.conjuncts(case);
        if literals.iter().any(|literal| known.contains(&terms.not(*literal))) {
            continue;
        }
        let value: Vec<TermId> = literals
            .iter()
            .copied()
            .filter(|literal| !known.contains(literal))
            .collect();
        let is_value = |literal: &TermId| terms.variables(*literal).contains(&variable);
        if value.iter().all(is_value) {
            return terms.and(&value);
        }
        left.push(case);
    }
    match left.as_slice() {
        [only] => {
            let mut literals = terms.conjuncts(*only);
            literals.retain(|literal| !known.contains(literal));
            terms.and(&literals)
        }
        _ => terms.or(&left),
    }
}

/// A disjunction where these literals hold; what lies deeper in it is left as it is.
fn without_known(terms: &mut Terms, disjunction: TermId, known: &HashSet<TermId>, deeper: usize) -> TermId {
    let mut left = Vec::new();
    for disjunct in terms.arguments(disjunction).to_vec() {
        let mut parts = terms.conjuncts(disjunct);
        for part in &mut parts {
            if known.contains(part) {
                *part = TermId::TRUE;
            } else if known.contains(&terms.not(*part)) {
                *part = TermId::FALSE;
            } else if deeper > 0 && terms.operator(*part) == Operator::Or {
                *part = without_known(terms, *part, known, deeper - 1);
            }
        }
        left.push(terms.and(&parts));
    }
    terms.or(&left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::SortId;

    #[test]
    fn cases_are_left_out_that_the_rule_excludes() {
        let mut terms = Terms::new();
        let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
        let zero = terms.integer(0);
        let is_small = terms.less(x, y);
        let is_large = terms.less_or_equal(y, x);
        let [x_is_zero, y_is_zero] = [x, y].map(|variable| terms.equal(variable, zero));
        let case = |terms: &mut Terms, parts: [TermId; 2]| terms.and(&parts);
        let cases = [
            case(&mut terms, [is_small, x_is_zero]),
            case(&mut terms, [is_large, y_is_zero]),
        ];
        let chosen = terms.or(&cases);
        let implied = terms.or(&[is_large, x_is_zero]);
        let plain = |formula| Conjunct { formula, defines: None };
        let defining = Conjunct {
            formula: chosen,
            defines: Some(y),
        };
        let found = propagated(&mut terms, &[plain(implied), defining, plain(is_large)]);
        let formulas: Vec<TermId> = found.iter().map(|conjunct| conjunct.formula).collect();
        assert_eq!(formulas, [y_is_zero, is_large]);
        assert_eq!(found[0].defines, Some(y));
        // What only defines something says nothing for certain: it may be left out.
        let only = propagated(
            &mut terms,
            &[
                plain(implied),
                Conjunct {
                    formula: is_large,
                    defines: Some(x),
                },
            ],
        );
        assert_eq!(only[0].formula, implied);
    }
}
