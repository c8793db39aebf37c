//! Conditions as formulas, each together with its negation: where the values are known to be 0 or 1, or not negative, both
//! are simple atoms.

use super::super::flat::FlatExpression;
use super::super::program::{BinaryOperator, ExpressionKind, Numeric, UnaryOperator};
use super::super::ranges::{Interval, Relation, State};
use super::{Lowered, Lowering, lowered};
use crate::terms::TermId;
use num_bigint::BigInt;

/// A condition and its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Truth {
    /// The condition.
    pub yes: TermId,
    /// Its negation.
    pub no: TermId,
}

impl Truth {
    pub(super) fn known(holds: bool) -> Truth {
        let (yes, no) = if holds {
            (TermId::TRUE, TermId::FALSE)
        } else {
            (TermId::FALSE, TermId::TRUE)
        };
        Truth { yes, no }
    }

    pub(super) fn negated(self) -> Truth {
        Truth {
            yes: self.no,
            no: self.yes,
        }
    }

    /// Whether it holds, if that is known.
    pub fn decided(self) -> Option<bool> {
        match (self.yes, self.no) {
            (TermId::TRUE, _) | (_, TermId::FALSE) => Some(true),
            (TermId::FALSE, _) | (_, TermId::TRUE) => Some(false),
            _ => None,
        }
    }
}

/// Conditions up to this size refine the intervals of what is evaluated under them.
const REFINING_SIZE: usize = 24;

impl Lowering<'_> {
    /// When an expression is not zero.
    pub fn truth(&mut self, expression: &FlatExpression) -> Truth {
        match &expression.kind {
            ExpressionKind::Unary(UnaryOperator::Not, operand) => self.truth(operand).negated(),
            ExpressionKind::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right) => {
                let is_and = *operator == BinaryOperator::And;
                let first = self.truth(left);
                // Decided by the left side, the right one is not evaluated.
                if first.decided() == Some(!is_and) {
                    return first;
                }
                let second = self.under(left, is_and, first, |lowering| lowering.truth(right));
                match is_and {
                    true => self.both(first, second),
                    false => self.both(first.negated(), second.negated()).negated(),
                }
            }
            ExpressionKind::Binary(operator, left, right) if operator.is_truth() => {
                let (a, b) = (self.value(left), self.value(right));
                let floating = matches!(left.numeric, Numeric::Floating(_));
                self.comparison(*operator, &a, &b, floating)
            }
            ExpressionKind::Conditional(condition, consequence, alternative) => {
                let test = self.truth(condition);
                let first = self.under(condition, true, test, |lowering| lowering.truth(consequence));
                let second = self.under(condition, false, test, |lowering| lowering.truth(alternative));
                let mut side = |first: TermId, second: TermId| {
                    let parts = [(test.yes, first), (test.no, second)];
                    let parts = parts.map(|(test, holds)| self.terms.and(&[test, holds]));
                    self.terms.or(&parts)
                };
                Truth {
                    yes: side(first.yes, second.yes),
                    no: side(first.no, second.no),
                }
            }
            ExpressionKind::Convert(operand) if keeps_zero(operand.numeric, expression.numeric) => self.truth(operand),
            _ => {
                let value = self.value(expression);
                let floating = matches!(expression.numeric, Numeric::Floating(_));
                self.not_zero(&value, floating)
            }
        }
    }

    fn both(&mut self, first: Truth, second: Truth) -> Truth {
        Truth {
            yes: self.terms.and(&[first.yes, second.yes]),
            no: self.terms.or(&[first.no, second.no]),
        }
    }

    /// Does something as it is done where the condition holds, or does not.
    pub fn under<T>(
        &mut self,
        condition: &FlatExpression,
        holds: bool,
        truth: Truth,
        action: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.state.clone();
        if condition.has_at_most(REFINING_SIZE) {
            let refined: Option<State> = self.rules.ranges.refine(&before, condition, holds);
            if let Some(refined) = refined {
                self.state = refined;
            }
        }
        let narrowed = usize::from(self.state != before);
        self.refinements += narrowed;
        self.context.push(if holds { truth } else { truth.negated() });
        let result = action(self);
        self.context.pop();
        self.refinements -= narrowed;
        self.state = before;
        result
    }

    fn not_zero(&mut self, value: &Lowered, floating: bool) -> Truth {
        if let Some(truth) = self.record.truths.get(&value.term) {
            return *truth;
        }
        if self.terms.float_format(self.terms.sort(value.term)).is_some() {
            return self.float_not_zero(value.term);
        }
        let zero = match floating {
            true => {
                let zero = self.terms.integer(0);
                self.terms.to_real(zero)
            }
            false => self.terms.integer(0),
        };
        let zero = lowered(zero, Interval::point(0));
        self.comparison(BinaryOperator::NotEqual, value, &zero, floating)
    }

    fn comparison(&mut self, operator: BinaryOperator, a: &Lowered, b: &Lowered, floating: bool) -> Truth {
        if self.terms.float_format(self.terms.sort(a.term)).is_some() {
            return self.float_comparison(operator, a.term, b.term);
        }
        let relation = match operator {
            BinaryOperator::Less => Relation::Less,
            BinaryOperator::LessOrEqual => Relation::LessOrEqual,
            _ => Relation::Equal,
        };
        let negated = operator == BinaryOperator::NotEqual;
        let known = match floating {
            true => None,
            false => a.interval.compare(&b.interval, relation),
        };
        if let Some(holds) = known {
            return Truth::known(holds != negated);
        }
        if !floating && let Some(truth) = self.order_before(relation, a, b) {
            return truth;
        }
        let truth = match relation {
            Relation::Less => Truth {
                yes: self.terms.less(a.term, b.term),
                no: self.terms.less_or_equal(b.term, a.term),
            },
            Relation::LessOrEqual => Truth {
                yes: self.terms.less_or_equal(a.term, b.term),
                no: self.terms.less(b.term, a.term),
            },
            Relation::Equal => self.equality(a, b, floating),
        };
        if negated { truth.negated() } else { truth }
    }

    /// The order of two values of which one is a number, and the other one was brought into its type.
    fn order_before(&mut self, relation: Relation, a: &Lowered, b: &Lowered) -> Option<Truth> {
        let strict = match relation {
            Relation::Less => BigInt::from(1),
            Relation::LessOrEqual => BigInt::from(0),
            Relation::Equal => return None,
        };
        match (a.interval.as_point(), b.interval.as_point()) {
            (None, Some(limit)) => self.at_most_before(a, &(limit - strict)),
            // `limit <= b` where `b` is not at most the number before.
            (Some(limit), None) => {
                let below = limit - BigInt::from(1) + strict;
                self.at_most_before(b, &below).map(Truth::negated)
            }
            _ => None,
        }
    }

    fn equality(&mut self, a: &Lowered, b: &Lowered, floating: bool) -> Truth {
        if !floating && let Some(truth) = self.equality_before(a, b) {
            return truth;
        }
        let yes = self.terms.equal(a.term, b.term);
        if !floating {
            for (value, other) in [(a, b), (b, a)] {
                let Some(number) = other.interval.as_point() else {
                    continue;
                };
                // What the value says if it was made of a condition.
                if let Some(truth) = self.record.truths.get(&value.term).copied() {
                    match number {
                        number if *number == BigInt::from(1) => return truth,
                        number if *number == BigInt::from(0) => return truth.negated(),
                        _ => {}
                    }
                }
                if let Some(no) = self.other_values(value, number) {
                    return Truth { yes, no };
                }
            }
        }
        Truth {
            yes,
            no: self.terms.not(yes),
        }
    }

    /// That a value is not this number, if the number is an end of its interval.
    fn other_values(&mut self, value: &Lowered, number: &BigInt) -> Option<TermId> {
        let (is_low, is_high) = (
            value.interval.low.as_ref() == Some(number),
            value.interval.high.as_ref() == Some(number),
        );
        let next = if is_low { number + 1 } else { number - 1 };
        let only = match is_low {
            true => value.interval.high.as_ref() == Some(&next),
            false => value.interval.low.as_ref() == Some(&next),
        };
        let bound = self.terms.integer(next);
        match (is_low, is_high) {
            (false, false) => None,
            _ if only => Some(self.terms.equal(value.term, bound)),
            (true, _) => Some(self.terms.less_or_equal(bound, value.term)),
            (_, true) => Some(self.terms.less_or_equal(value.term, bound)),
        }
    }

    /// A condition as a number.
    pub fn truth_value(&mut self, expression: &FlatExpression) -> Lowered {
        let truth = self.truth(expression);
        self.truth_number(truth)
    }

    /// 1 if it holds, else 0.
    pub fn truth_number(&mut self, truth: Truth) -> Lowered {
        match truth.decided() {
            Some(holds) => self.number(BigInt::from(u32::from(holds))),
            None => {
                let (one, zero) = (self.terms.integer(1), self.terms.integer(0));
                let term = self.by_cases("Truth", &[(truth.yes, one), (truth.no, zero)]);
                self.record.truths.insert(term, truth);
                lowered(term, Interval::truth())
            }
        }
    }
}

/// Whether a conversion makes zero of zero only.
fn keeps_zero(from: Numeric, to: Numeric) -> bool {
    match (from, to) {
        (Numeric::Floating(_), _) | (_, Numeric::Floating(_)) => false,
        (_, Numeric::Integer(to)) if to.bits == 1 => true,
        (Numeric::Integer(from), Numeric::Integer(to)) => to.bits >= from.bits,
        (Numeric::Pointer, Numeric::Integer(to)) => to.bits >= 32,
        (_, Numeric::Pointer) => true,
        _ => false,
    }
}
