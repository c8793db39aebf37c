//! Eliminating the quantifier from `∀τ (0 ≤ τ < bound → body)` where that is exact.
//!
//! A conjunct without τ has to hold if there is an iteration at all. A linear inequality is monotone in τ: it holds for all
//! iterations if it holds at the first and the last one, and one of them is enough. An equality that changes with τ can hold
//! once only, and a disequality fails where its line crosses zero, which is before the first iteration, after the last one,
//! or not at an integer. What is left goes to the solver with its quantifier.

use super::state::Quantified;
use crate::steps::elimination::flatten;
use crate::terms::{Comparison, LinearAtom, Operator, Rational, SortId, Substitution, TermId, Terms};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A quantifier over at most so many iterations is written out.
const WRITTEN_OUT: u64 = 12;
/// How many first iterations are split off a conjunct that treats them differently.
const PEELED: usize = 3;

/// What a quantified formula comes to: formulas without quantifier, and the quantifiers that are left, one conjunct each.
pub(super) struct Eliminated {
    pub facts: Vec<TermId>,
    pub residual: Vec<Quantified>,
}

/// Eliminates the quantifier from each conjunct of the body where that is exact.
pub(super) fn eliminate(terms: &mut Terms, quantified: &Quantified) -> Eliminated {
    let mut result = Eliminated {
        facts: Vec::new(),
        residual: Vec::new(),
    };
    let number = terms
        .number_value(quantified.bound)
        .map(|value| value.to_integer().to_u64());
    if let Some(count) = number {
        // Not positive: there is no iteration. Too large to be a number of this kind: it is not written out.
        let count = count.unwrap_or(if is_positive(terms, quantified.bound) {
            u64::MAX
        } else {
            0
        });
        if count <= WRITTEN_OUT {
            for iteration in 0..count {
                let value = terms.integer(iteration);
                let written = at(terms, &quantified.body, quantified.variable, value);
                result.facts.extend(written);
            }
            result.facts = flatten(terms, &result.facts);
            return result;
        }
    }
    for conjunct in flatten(terms, &quantified.body) {
        eliminate_conjunct(
            terms,
            quantified.variable,
            quantified.bound,
            conjunct,
            PEELED,
            &mut result,
        );
    }
    result.facts = flatten(terms, &result.facts);
    result
}

/// Conjuncts with τ replaced.
pub(super) fn at(terms: &mut Terms, body: &[TermId], variable: TermId, value: TermId) -> Vec<TermId> {
    let mut substitution = Substitution::new();
    substitution.insert(terms, variable, value);
    terms.substitute_all(body, &substitution)
}

fn is_positive(terms: &Terms, bound: TermId) -> bool {
    terms.number_value(bound).is_some_and(|value| value.is_positive())
}

fn eliminate_conjunct(
    terms: &mut Terms,
    variable: TermId,
    bound: TermId,
    conjunct: TermId,
    peels: usize,
    result: &mut Eliminated,
) {
    if let Some(formula) = eliminated(terms, variable, bound, conjunct) {
        result.facts.push(formula);
        return;
    }
    // `ite(τ > 0, …, …)` treats the first iteration in its own way: it is split off, and the others are counted from zero.
    if peels > 0 && tells_first_apart(terms, variable, conjunct) {
        let (zero, one) = (terms.integer(0), terms.integer(1));
        let first = at(terms, &[conjunct], variable, zero);
        let some = terms.less_or_equal(one, bound);
        for formula in first {
            let needed = terms.implies(some, formula);
            result.facts.push(needed);
        }
        let next = terms.add(variable, one);
        let rest = at(terms, &[conjunct], variable, next);
        let fewer = terms.subtract(bound, one);
        for formula in rest {
            let formula = without_first(terms, variable, formula);
            for part in flatten(terms, &[formula]) {
                eliminate_conjunct(terms, variable, fewer, part, peels - 1, result);
            }
        }
        return;
    }
    result.residual.push(Quantified {
        variable,
        bound,
        body: vec![conjunct],
    });
}

/// A formula without quantifier that is equivalent to `∀τ (0 ≤ τ < bound → formula)`.
fn eliminated(terms: &mut Terms, variable: TermId, bound: TermId, formula: TermId) -> Option<TermId> {
    let one = terms.integer(1);
    let none = terms.less(bound, one);
    if !terms.variables(formula).contains(&variable) {
        return Some(terms.or(&[none, formula]));
    }
    match terms.operator(formula) {
        Operator::Or => {
            let (with, without): (Vec<TermId>, Vec<TermId>) = terms
                .arguments(formula)
                .to_vec()
                .into_iter()
                .partition(|part| terms.variables(*part).contains(&variable));
            let [only] = with[..] else { return None };
            let quantified = eliminated(terms, variable, bound, only)?;
            let mut parts = without;
            parts.push(quantified);
            Some(terms.or(&parts))
        }
        Operator::And => {
            let parts = terms.arguments(formula).to_vec();
            let parts: Option<Vec<TermId>> = parts
                .into_iter()
                .map(|part| eliminated(terms, variable, bound, part))
                .collect();
            Some(terms.and(&parts?))
        }
        Operator::Not => {
            let inner = terms.arguments(formula)[0];
            let atom = terms.linear_atom(inner)?;
            let slope = slope(terms, &atom, variable)?;
            match atom.comparison {
                Comparison::Equal => {
                    let never = never_zero(terms, &atom, variable, &slope, bound);
                    Some(terms.or(&[none, never]))
                }
                _ => None,
            }
        }
        Operator::Equal | Operator::LessOrEqual | Operator::Less => {
            let atom = terms.linear_atom(formula)?;
            let slope = slope(terms, &atom, variable)?;
            let zero = terms.integer(0);
            let last = terms.subtract(bound, one);
            let at_first = at(terms, &[formula], variable, zero)[0];
            let holds = match atom.comparison {
                Comparison::Equal => {
                    let once = terms.less_or_equal(bound, one);
                    terms.and(&[once, at_first])
                }
                _ if slope.is_positive() => at(terms, &[formula], variable, last)[0],
                _ => at_first,
            };
            Some(either(terms, none, holds))
        }
        _ => None,
    }
}

/// The disjunction of two formulas; of two bounds on the same sum, the weaker one.
fn either(terms: &mut Terms, first: TermId, second: TermId) -> TermId {
    if let (Some(a), Some(b)) = (terms.linear_atom(first), terms.linear_atom(second))
        && (a.comparison, b.comparison) == (Comparison::LessOrEqual, Comparison::LessOrEqual)
        && a.form.terms == b.form.terms
    {
        return if a.form.constant <= b.form.constant {
            first
        } else {
            second
        };
    }
    terms.or(&[first, second])
}

/// The coefficient of τ in an atom over integers where τ occurs nowhere else.
fn slope(terms: &Terms, atom: &LinearAtom, variable: TermId) -> Option<Rational> {
    let slope = atom.form.coefficient(variable);
    let others = atom.form.terms.iter().filter(|(term, _)| *term != variable);
    let alone = others
        .clone()
        .all(|(term, _)| !terms.variables(*term).contains(&variable));
    let integral = atom
        .form
        .terms
        .iter()
        .all(|(term, coefficient)| terms.sort(*term) == SortId::INT && coefficient.is_integer());
    (alone && integral && !slope.is_zero()).then_some(slope)
}

/// That `slope·τ + rest ≠ 0` for all τ in `0 .. bound`, if there is any.
fn never_zero(terms: &mut Terms, atom: &LinearAtom, variable: TermId, slope: &Rational, bound: TermId) -> TermId {
    // With a positive slope the line starts above zero, or ends below it, or steps over it.
    let form = if slope.is_negative() {
        atom.form.scaled(&-Rational::one())
    } else {
        atom.form.clone()
    };
    let mut rest = form.clone();
    rest.terms.retain(|(term, _)| *term != variable);
    let first = terms.linear_term(&rest, SortId::INT);
    let (zero, one) = (terms.integer(0), terms.integer(1));
    let above = terms.less(zero, first);
    let whole = terms.linear_term(&form, SortId::INT);
    let end = terms.subtract(bound, one);
    let last = at(terms, &[whole], variable, end)[0];
    let below = terms.less(last, zero);
    let step = terms.number(slope.abs(), SortId::INT);
    let remainder = terms.modulo(first, step);
    let over = terms.not_equal(remainder, zero);
    terms.or(&[above, below, over])
}

/// The condition `τ ≥ 1` as a term.
fn after_first(terms: &mut Terms, variable: TermId) -> TermId {
    let one = terms.integer(1);
    terms.less_or_equal(one, variable)
}

fn tells_first_apart(terms: &mut Terms, variable: TermId, formula: TermId) -> bool {
    let condition = after_first(terms, variable);
    has_part(terms, formula, condition)
}

fn has_part(terms: &Terms, term: TermId, part: TermId) -> bool {
    let mut seen = hashbrown::HashSet::new();
    let mut stack = vec![term];
    while let Some(current) = stack.pop() {
        if current == part {
            return true;
        }
        // A part's id is smaller than that of the term around it.
        if current > part && seen.insert(current) {
            stack.extend_from_slice(terms.arguments(current));
        }
    }
    false
}

/// The formula for τ ≥ 0, in which `τ + 1 ≥ 1` stands for what told the first iteration apart.
fn without_first(terms: &mut Terms, variable: TermId, formula: TermId) -> TermId {
    let zero = terms.integer(0);
    let condition = terms.less_or_equal(zero, variable);
    rewrite(terms, formula, &mut |terms, term| {
        if term == condition {
            return Some(TermId::TRUE);
        }
        let negation = terms.not(condition);
        (term == negation).then_some(TermId::FALSE)
    })
}

/// The term with parts replaced, the innermost first.
pub(super) fn rewrite(
    terms: &mut Terms,
    term: TermId,
    replace: &mut dyn FnMut(&mut Terms, TermId) -> Option<TermId>,
) -> TermId {
    let after = |terms: &mut Terms, built| replace(terms, built).unwrap_or(built);
    terms.rewritten(term, &mut hashbrown::HashMap::new(), |_, _| None, after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{Assignment, Value};
    use proptest::prelude::*;

    struct Setting {
        terms: Terms,
        tau: TermId,
        bound: TermId,
        x: TermId,
    }

    fn setting() -> Setting {
        let mut terms = Terms::new();
        let [tau, bound, x] = ["τ", "κ", "x"].map(|name| terms.fresh_variable(name, SortId::INT));
        Setting { terms, tau, bound, x }
    }

    fn shown(setting: &mut Setting, body: TermId) -> (Vec<String>, usize) {
        let quantified = Quantified {
            variable: setting.tau,
            bound: setting.bound,
            body: vec![body],
        };
        let result = eliminate(&mut setting.terms, &quantified);
        let text = |formula: &TermId| setting.terms.display(*formula).to_string();
        (result.facts.iter().map(text).collect(), result.residual.len())
    }

    #[test]
    fn a_bound_that_grows_is_asked_for_at_the_last_iteration() {
        let mut s = setting();
        let body = s.terms.less(s.tau, s.x);
        assert_eq!(shown(&mut s, body), (vec!["κ =< 0 ; κ =< x".to_string()], 0));
    }

    #[test]
    fn what_reads_an_array_keeps_its_quantifier() {
        let mut s = setting();
        let sort = s.terms.array_sort(SortId::INT, SortId::INT);
        let array = s.terms.fresh_variable("A", sort);
        let read = s.terms.select(array, s.tau);
        let body = s.terms.not_equal(read, s.x);
        assert_eq!(shown(&mut s, body), (Vec::new(), 1));
    }

    fn value(number: i64) -> Value {
        Value::Number(Rational::from_integer(number.into()))
    }

    proptest! {
        /// Evaluation decides what the elimination should have said.
        #[test]
        fn elimination_is_exact(
            kind in 0..4usize, slope in -3i64..4, factor in -2i64..3, constant in -6i64..7, x in -5i64..6, bound in -2i64..20,
            first_apart in proptest::bool::ANY,
        ) {
            let mut s = setting();
            let [a, b, c] = [slope, factor, constant].map(|number| s.terms.integer(number));
            let (at, bx) = (s.terms.multiply(a, s.tau), s.terms.multiply(b, s.x));
            let sum = s.terms.add(at, bx);
            let mut sum = s.terms.add(sum, c);
            let zero = s.terms.integer(0);
            if first_apart {
                let later = after_first(&mut s.terms, s.tau);
                sum = s.terms.if_then_else(later, sum, s.x);
            }
            let body = match kind {
                0 => s.terms.less_or_equal(sum, zero),
                1 => s.terms.equal(sum, zero),
                2 => s.terms.not_equal(sum, zero),
                _ => {
                    let (first, second) = (s.terms.less(zero, s.x), s.terms.less(zero, sum));
                    s.terms.or(&[first, second])
                }
            };
            let quantified = Quantified { variable: s.tau, bound: s.bound, body: vec![body] };
            let result = eliminate(&mut s.terms, &quantified);
            prop_assume!(result.residual.is_empty());
            let mut point: Assignment = [(s.x, value(x)), (s.bound, value(bound))].into_iter().collect();
            let found = result.facts.iter().all(|fact| s.terms.holds(*fact, &point) == Some(true));
            let expected = (0..bound).all(|iteration| {
                point.insert(s.tau, value(iteration));
                s.terms.holds(body, &point) == Some(true)
            });
            prop_assert_eq!(found, expected);
        }
    }
}
