//! Random expressions with random values: the terms must have the value that an independent evaluator of C finds.

use super::*;
use crate::flat::VariableInfo;
use crate::options::Arithmetic;
use crate::terms::{Assignment, Rational, Value};
use crate::types::{IntegerType, Types};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use proptest::prelude::*;

const KINDS: [IntegerType; 9] = [
    IntegerType::BOOL,
    IntegerType::CHAR,
    IntegerType { bits: 8, signed: false },
    IntegerType { bits: 16, signed: true },
    IntegerType {
        bits: 16,
        signed: false,
    },
    IntegerType::INT,
    IntegerType::UNSIGNED_INT,
    IntegerType { bits: 64, signed: true },
    IntegerType {
        bits: 64,
        signed: false,
    },
];

/// An expression, its type known.
fn typed(kind: ExpressionKind<Leaf>, integer: IntegerType) -> FlatExpression {
    FlatExpression {
        kind,
        numeric: Numeric::Integer(integer),
        c_type: Types::INT,
        written: crate::program::Written::default(),
    }
}

fn kind_of(expression: &FlatExpression) -> IntegerType {
    match expression.numeric {
        Numeric::Integer(kind) => kind,
        _ => IntegerType::INT,
    }
}

fn converted(expression: FlatExpression, kind: IntegerType) -> FlatExpression {
    match kind_of(&expression) == kind {
        true => expression,
        false => typed(ExpressionKind::Convert(Box::new(expression)), kind),
    }
}

fn promoted(expression: FlatExpression) -> FlatExpression {
    let kind = kind_of(&expression).promoted();
    converted(expression, kind)
}

fn binary(operator: BinaryOperator, left: FlatExpression, right: FlatExpression) -> FlatExpression {
    use BinaryOperator::{And, Or, ShiftLeft, ShiftRight};
    let common = kind_of(&left).common(kind_of(&right));
    let (left, right) = match operator {
        ShiftLeft | ShiftRight | And | Or => (promoted(left), promoted(right)),
        _ => (converted(left, common), converted(right, common)),
    };
    let kind = if operator.is_truth() {
        IntegerType::INT
    } else {
        kind_of(&left)
    };
    typed(ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), kind)
}

fn leaf() -> impl Strategy<Value = FlatExpression> {
    let variable = (0..KINDS.len()).prop_map(|index| {
        let variable = Leaf::Variable(FlatVariable(index as u32));
        typed(ExpressionKind::Read(variable), KINDS[index])
    });
    let interesting = prop_oneof![
        -3i64..20,
        prop::sample::select(vec![
            31i64,
            32,
            255,
            256,
            0xf0,
            0x5a,
            0xff00,
            0x7fff_ffff,
            -0x8000_0000,
            1 << 40,
            -256
        ]),
        any::<i32>().prop_map(i64::from),
    ];
    let constant = (interesting, 5..KINDS.len()).prop_map(|(value, index)| {
        let kind = KINDS[index];
        let value = wrapped(BigInt::from(value), kind);
        typed(ExpressionKind::Integer(value), kind)
    });
    prop_oneof![2 => variable, 1 => constant]
}

fn expression() -> impl Strategy<Value = FlatExpression> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        use BinaryOperator::*;
        let operators = vec![
            Add,
            Subtract,
            Multiply,
            Divide,
            Remainder,
            ShiftLeft,
            ShiftRight,
            BitAnd,
            BitOr,
            BitXor,
            Equal,
            NotEqual,
            Less,
            LessOrEqual,
            And,
            Or,
        ];
        let unary = vec![UnaryOperator::Negate, UnaryOperator::BitNot, UnaryOperator::Not];
        prop_oneof![
            8 => (prop::sample::select(operators), inner.clone(), inner.clone())
                .prop_map(|(operator, left, right)| binary(operator, left, right)),
            2 => (prop::sample::select(unary), inner.clone()).prop_map(|(operator, operand)| {
                let operand = promoted(operand);
                let kind = if operator == UnaryOperator::Not { IntegerType::INT } else { kind_of(&operand) };
                typed(ExpressionKind::Unary(operator, Box::new(operand)), kind)
            }),
            3 => (inner.clone(), prop::sample::select(KINDS.to_vec()))
                .prop_map(|(operand, kind)| converted(operand, kind)),
            1 => (inner.clone(), inner.clone(), inner).prop_map(|(condition, first, second)| {
                let common = kind_of(&first).common(kind_of(&second));
                let sides = [first, second].map(|side| Box::new(converted(side, common)));
                let [first, second] = sides;
                typed(ExpressionKind::Conditional(Box::new(condition), first, second), common)
            }),
        ]
    })
}

fn wrapped(value: BigInt, kind: IntegerType) -> BigInt {
    let period = BigInt::one() << kind.bits;
    (value - kind.minimum()).mod_floor(&period) + kind.minimum()
}

/// What C says; `None` where it says nothing.
fn evaluate(expression: &FlatExpression, values: &[BigInt]) -> Option<BigInt> {
    let kind = kind_of(expression);
    let truth = |holds: bool| Some(BigInt::from(u8::from(holds)));
    let in_type = |value: BigInt| match kind.signed {
        true => (value >= kind.minimum() && value <= kind.maximum()).then_some(value),
        false => Some(wrapped(value, kind)),
    };
    match &expression.kind {
        ExpressionKind::Integer(value) => Some(value.clone()),
        ExpressionKind::Read(Leaf::Variable(variable)) => values.get(variable.0 as usize).cloned(),
        ExpressionKind::Unary(operator, operand) => {
            let value = evaluate(operand, values)?;
            match operator {
                UnaryOperator::Not => truth(value.is_zero()),
                UnaryOperator::Negate => in_type(-value),
                UnaryOperator::BitNot => in_type(!value),
                UnaryOperator::Float(_) => None,
            }
        }
        ExpressionKind::Convert(operand) => {
            let value = evaluate(operand, values)?;
            if kind.bits == 1 {
                truth(!value.is_zero())
            } else {
                Some(wrapped(value, kind))
            }
        }
        ExpressionKind::Conditional(condition, first, second) => {
            let side = if evaluate(condition, values)?.is_zero() {
                second
            } else {
                first
            };
            evaluate(side, values)
        }
        ExpressionKind::Binary(operator, left, right) => {
            let a = evaluate(left, values)?;
            match operator {
                BinaryOperator::And if a.is_zero() => return truth(false),
                BinaryOperator::Or if !a.is_zero() => return truth(true),
                _ => {}
            }
            let b = evaluate(right, values)?;
            match operator {
                BinaryOperator::Add => in_type(a + b),
                BinaryOperator::Subtract => in_type(a - b),
                BinaryOperator::Multiply => in_type(a * b),
                BinaryOperator::Divide | BinaryOperator::Remainder if b.is_zero() => None,
                BinaryOperator::Divide => in_type(a / b),
                BinaryOperator::Remainder => Some(a % b),
                BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                    let distance = b.to_u32().filter(|distance| *distance < kind.bits)?;
                    match operator {
                        BinaryOperator::ShiftRight => Some(a >> distance),
                        _ => Some(wrapped(a << distance, kind)),
                    }
                }
                BinaryOperator::BitAnd => Some(a & b),
                BinaryOperator::BitOr => Some(a | b),
                BinaryOperator::BitXor => Some(a ^ b),
                BinaryOperator::Equal => truth(a == b),
                BinaryOperator::NotEqual => truth(a != b),
                BinaryOperator::Less => truth(a < b),
                BinaryOperator::LessOrEqual => truth(a <= b),
                BinaryOperator::And | BinaryOperator::Or => truth(!b.is_zero()),
                BinaryOperator::PointerAdd | BinaryOperator::PointerDifference => None,
            }
        }
        _ => None,
    }
}

fn variables() -> Vec<VariableInfo> {
    let infos = KINDS.iter().enumerate().map(|(index, kind)| VariableInfo {
        name: format!("v{index}"),
        numeric: Numeric::Integer(*kind),
        is_array: false,
        is_temporary: false,
        is_global: false,
        activation: None,
    });
    infos.collect()
}

/// A value for each variable, and how far its interval reaches below and above.
fn values() -> impl Strategy<Value = Vec<(BigInt, Interval)>> {
    let value = prop_oneof![-4i64..5, -200i64..300, any::<i32>().prop_map(i64::from), any::<i64>()];
    let reach = prop_oneof![Just(0u64), 0u64..4, 0u64..1000, Just(u64::MAX)];
    prop::collection::vec((value, reach.clone(), reach), KINDS.len()).prop_map(|all| {
        let pairs = all.into_iter().zip(KINDS).map(|((value, below, above), kind)| {
            let value = wrapped(BigInt::from(value), kind);
            let around = Interval::between(&value - below, &value + above);
            let interval = around.meet(&Interval::of_type(kind)).unwrap_or(around);
            (value, interval)
        });
        pairs.collect()
    })
}

/// What an expression becomes where another one was looked at before on the same path.
fn check(
    earlier: Option<&FlatExpression>,
    expression: &FlatExpression,
    values: &[(BigInt, Interval)],
    as_condition: bool,
) -> Result<(), TestCaseError> {
    let plain: Vec<BigInt> = values.iter().map(|(value, _)| value.clone()).collect();
    if earlier.is_some_and(|earlier| evaluate(earlier, &plain).is_none()) {
        return Ok(());
    }
    let infos = variables();
    let ranges = Ranges::new(&infos, Arithmetic::Machine);
    let mut terms = Terms::new();
    let (mut state, mut own) = (State::default(), Values::new());
    let mut assignment = Assignment::new();
    let number = |value: &BigInt| Value::Number(Rational::from_integer(value.clone()));
    for (index, (value, interval)) in values.iter().enumerate() {
        let variable = FlatVariable(index as u32);
        let term = terms.fresh_variable(&infos[index].name, SortId::INT);
        ranges.set(&mut state, variable, interval.clone());
        own.insert(variable, term);
        assignment.insert(term, number(value));
    }
    let rules = Rules {
        ranges: &ranges,
        undefined: Undefined::Ends,
        checks: Checks::NONE,
        floats: Floats::Exact,
        obligations: true,
        has_words: true,
        is_unknown_array: &|_| true,
        may_overflow: &[false; KINDS.len()],
    };
    let mut record = Record::default();
    let mut lowering = Lowering::new(&mut terms, rules, &own, state.clone(), &mut record);
    if let Some(earlier) = earlier {
        lowering.value(earlier);
    }
    let (value, truth) = match as_condition {
        false => (Some(lowering.value(expression)), None),
        true => (None, Some(lowering.truth(expression))),
    };
    for (variable, explicit) in &record.definitions {
        let value = terms.evaluate(*explicit, &assignment);
        // A quotient by zero is not calculated under a condition that does not hold.
        if value.is_none() && earlier.is_some() {
            return Ok(());
        }
        prop_assert!(value.is_some(), "no value for {}", terms.display(*explicit));
        assignment.extend(value.map(|value| (*variable, value)));
    }
    // Definitions hold whatever the values are.
    for conjunct in &record.conjuncts {
        prop_assert_eq!(terms.holds(conjunct.formula, &assignment), Some(true));
    }
    let expected = evaluate(expression, &plain);
    let mut defined = true;
    for obligation in &record.obligations {
        let holds = terms.holds(obligation.condition.yes, &assignment);
        prop_assert!(holds.is_some());
        prop_assert_eq!(
            terms.holds(obligation.condition.no, &assignment),
            holds.map(|holds| !holds)
        );
        defined &= holds == Some(true);
    }
    prop_assert_eq!(defined, expected.is_some());
    let Some(expected) = expected else {
        return Ok(());
    };
    prop_assert!(ranges.evaluate(expression, &state).contains(&expected));
    for holds in [true, false] {
        let refined = ranges.refine(&state, expression, holds);
        if holds != expected.is_zero() {
            let refined = refined.ok_or_else(|| TestCaseError::fail("refined away"))?;
            for (index, value) in plain.iter().enumerate() {
                prop_assert!(ranges.get(&refined, FlatVariable(index as u32)).contains(value));
            }
        }
    }
    if let Some(value) = value {
        prop_assert!(value.interval.contains(&expected));
        let unit = BigInt::one() << value.zero_bits.min(200);
        prop_assert!(expected.is_zero() || expected.is_multiple_of(&unit));
        prop_assert_eq!(terms.evaluate(value.term, &assignment), Some(number(&expected)));
    }
    if let Some(truth) = truth {
        prop_assert_eq!(terms.holds(truth.yes, &assignment), Some(!expected.is_zero()));
        prop_assert_eq!(terms.holds(truth.no, &assignment), Some(expected.is_zero()));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn terms_have_the_values_of_c(expression in expression(), values in values(), as_condition in any::<bool>()) {
        check(None, &expression, &values, as_condition)?;
    }

    #[test]
    fn they_have_them_whatever_was_looked_at_before(
        parts in [expression(), expression(), expression()],
        values in values(),
        as_condition in any::<bool>(),
    ) {
        // What the two have in common is under a condition in the first one.
        let [condition, common, other] = parts;
        let kind = kind_of(&common);
        let sides = [common.clone(), converted(condition.clone(), kind)].map(Box::new);
        let [first, second] = sides;
        let earlier = typed(ExpressionKind::Conditional(Box::new(condition), first, second), kind);
        let expression = binary(BinaryOperator::Equal, converted(common, IntegerType::UNSIGNED_INT), other);
        check(Some(&earlier), &expression, &values, as_condition)?;
    }
}

/// The condition on an `int` as a formula over `X`, and how many conjuncts define something else for it.
fn condition_on_int(
    undefined: Undefined,
    expression: impl FnOnce(FlatExpression) -> FlatExpression,
) -> (String, usize) {
    let infos = variables();
    let ranges = Ranges::new(&infos, Arithmetic::Machine);
    let mut terms = Terms::new();
    let index = KINDS
        .iter()
        .position(|kind| *kind == IntegerType::INT)
        .unwrap_or_default();
    let variable = FlatVariable(index as u32);
    let mut own = Values::new();
    own.insert(variable, terms.fresh_variable("X", SortId::INT));
    let rules = Rules {
        ranges: &ranges,
        undefined,
        checks: Checks::NONE,
        floats: Floats::Exact,
        obligations: false,
        has_words: false,
        is_unknown_array: &|_| true,
        may_overflow: &[false; KINDS.len()],
    };
    let mut record = Record::default();
    let mut lowering = Lowering::new(&mut terms, rules, &own, State::default(), &mut record);
    let read = typed(ExpressionKind::Read(Leaf::Variable(variable)), IntegerType::INT);
    let truth = lowering.truth(&expression(read));
    let formula = terms.display(truth.yes).to_string();
    let variables = terms.variables(truth.yes);
    let defines = |conjunct: &&Conjunct| conjunct.defines.is_some_and(|defined| variables.contains(&defined));
    (formula, record.conjuncts.iter().filter(defines).count())
}

#[test]
fn what_wrapped_around_is_spoken_of_as_it_was_before() {
    const UNSIGNED_LONG: IntegerType = IntegerType {
        bits: 64,
        signed: false,
    };
    let number = |value: i64, kind| typed(ExpressionKind::Integer(BigInt::from(value)), kind);
    let sum = condition_on_int(Undefined::GoesOn, |x| {
        binary(
            BinaryOperator::Add,
            converted(x, UNSIGNED_LONG),
            number(2_097_152, UNSIGNED_LONG),
        )
    });
    assert_eq!(sum, ("X \\= -2097152".to_string(), 0));
    let is_digit = |undefined| {
        condition_on_int(undefined, |x| {
            let apart = binary(BinaryOperator::Subtract, x, number(48, IntegerType::INT));
            binary(
                BinaryOperator::LessOrEqual,
                converted(apart, IntegerType::UNSIGNED_INT),
                number(9, IntegerType::UNSIGNED_INT),
            )
        })
    };
    assert_eq!(is_digit(Undefined::Ends), ("X >= 48, X =< 57".to_string(), 0));
    // Where runs go on, the difference may be any number.
    assert_eq!(is_digit(Undefined::GoesOn).1, 1);
    let is_equal = condition_on_int(Undefined::Ends, |x| {
        let other = binary(BinaryOperator::Remainder, x.clone(), number(7, IntegerType::INT));
        let sides = [x, other].map(|side| converted(side, IntegerType::UNSIGNED_INT));
        let [left, right] = sides;
        binary(BinaryOperator::Equal, left, right)
    });
    assert_eq!(is_equal, ("X = Remainder".to_string(), 1));
}
