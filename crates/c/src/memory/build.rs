//! Small flat expressions, folded where they are constant. Addresses and indices are exact integers
//! ([`Numeric::Pointer`]).

use crate::flat::{FlatExpression, FlatVariable, Leaf};
use crate::program::{BinaryOperator, ExpressionKind, Numeric, UnaryOperator, Written};
use crate::types::{IntegerType, TypeId, Types};
use hashbrown::HashSet;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

/// An integer of some type.
pub fn integer(value: BigInt, numeric: Numeric, c_type: TypeId) -> FlatExpression {
    FlatExpression {
        kind: ExpressionKind::Integer(value),
        numeric,
        c_type,
        written: Written::default(),
    }
}

/// An address or index.
pub fn address(value: impl Into<BigInt>) -> FlatExpression {
    integer(value.into(), Numeric::Pointer, Types::INT)
}

/// The value of an expression that is a constant.
pub fn constant(expression: &FlatExpression) -> Option<&BigInt> {
    match &expression.kind {
        ExpressionKind::Integer(value) => Some(value),
        _ => None,
    }
}

/// What is in a variable.
pub fn variable(id: FlatVariable, numeric: Numeric, c_type: TypeId) -> FlatExpression {
    FlatExpression {
        kind: ExpressionKind::Read(Leaf::Variable(id)),
        numeric,
        c_type,
        written: Written::default(),
    }
}

/// An expression of any integer type as an address or index, with the same value.
pub fn exact(expression: FlatExpression) -> FlatExpression {
    if expression.numeric == Numeric::Pointer {
        return expression;
    }
    match expression.kind {
        ExpressionKind::Integer(value) => address(value),
        _ => FlatExpression {
            kind: ExpressionKind::Convert(Box::new(expression)),
            numeric: Numeric::Pointer,
            c_type: Types::INT,
            written: Written::default(),
        },
    }
}

/// An index without the conversion that [`exact`] puts around it: any integer can be an index. A conversion to another integer
/// type is the program's own, and may change the value.
pub fn bare(expression: FlatExpression) -> FlatExpression {
    let is_exact = expression.numeric == Numeric::Pointer;
    match expression.kind {
        ExpressionKind::Convert(inner)
            if is_exact && matches!(inner.numeric, Numeric::Integer(kind) if kind.bits > 1) =>
        {
            *inner
        }
        _ => expression,
    }
}

/// The expression moved by a constant.
pub fn offset(expression: FlatExpression, by: &BigInt) -> FlatExpression {
    if by.is_zero() {
        return expression;
    }
    let c_type = expression.c_type;
    match expression.kind {
        ExpressionKind::Integer(value) => integer(value + by, Numeric::Pointer, c_type),
        ExpressionKind::Binary(BinaryOperator::Add, left, right) if constant(&right).is_some() => {
            let sum = constant(&right).map(|right| right + by).unwrap_or_default();
            offset(*left, &sum)
        }
        _ => binary(
            BinaryOperator::Add,
            expression,
            address(by.clone()),
            Numeric::Pointer,
            c_type,
        ),
    }
}

/// The sum of two addresses or indices, a constant in it to the right.
pub fn sum(left: FlatExpression, right: FlatExpression) -> FlatExpression {
    if let Some(value) = constant(&right) {
        let value = value.clone();
        return offset(left, &value);
    }
    if let Some(value) = constant(&left) {
        let value = value.clone();
        let c_type = left.c_type;
        return FlatExpression {
            c_type,
            ..offset(right, &value)
        };
    }
    let c_type = left.c_type;
    match left.kind {
        ExpressionKind::Binary(BinaryOperator::Add, first, last) if constant(&last).is_some() => {
            let by = constant(&last).cloned().unwrap_or_default();
            offset(
                binary(BinaryOperator::Add, *first, right, Numeric::Pointer, c_type),
                &by,
            )
        }
        _ => binary(BinaryOperator::Add, left, right, Numeric::Pointer, c_type),
    }
}

/// The difference of two addresses or indices, as one with what they have in common left out.
pub fn difference(left: FlatExpression, right: FlatExpression) -> FlatExpression {
    if left == right {
        return address(0);
    }
    if let Some(value) = constant(&right) {
        let value = -value;
        return offset(left, &value);
    }
    let c_type = left.c_type;
    binary(BinaryOperator::Subtract, left, right, Numeric::Pointer, c_type)
}

/// A multiple of an index.
pub fn times(expression: FlatExpression, factor: u64) -> FlatExpression {
    if factor.is_one() {
        return expression;
    }
    if let Some(value) = constant(&expression) {
        return address(value * factor);
    }
    let c_type = expression.c_type;
    binary(
        BinaryOperator::Multiply,
        expression,
        address(factor),
        Numeric::Pointer,
        c_type,
    )
}

/// An operator of two operands.
pub fn binary(
    operator: BinaryOperator,
    left: FlatExpression,
    right: FlatExpression,
    numeric: Numeric,
    c_type: TypeId,
) -> FlatExpression {
    FlatExpression {
        kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
        numeric,
        c_type,
        written: Written::default(),
    }
}

/// A truth value.
pub fn truth(holds: bool) -> FlatExpression {
    integer(
        BigInt::from(i32::from(holds)),
        Numeric::Integer(IntegerType::INT),
        Types::INT,
    )
}

/// A comparison of two expressions of one type.
pub fn compare(operator: BinaryOperator, left: FlatExpression, right: FlatExpression) -> FlatExpression {
    if let (Some(a), Some(b)) = (constant(&left), constant(&right)) {
        return truth(match operator {
            BinaryOperator::Equal => a == b,
            BinaryOperator::NotEqual => a != b,
            BinaryOperator::Less => a < b,
            _ => a <= b,
        });
    }
    binary(operator, left, right, Numeric::Integer(IntegerType::INT), Types::INT)
}

/// `left && right`
pub fn and(left: FlatExpression, right: FlatExpression) -> FlatExpression {
    match (constant(&left).map(Zero::is_zero), constant(&right).map(Zero::is_zero)) {
        (Some(true), _) | (_, Some(false)) => left,
        (Some(false), _) => right,
        _ => binary(
            BinaryOperator::And,
            left,
            right,
            Numeric::Integer(IntegerType::INT),
            Types::INT,
        ),
    }
}

/// `left || right`
pub fn or(left: FlatExpression, right: FlatExpression) -> FlatExpression {
    match (constant(&left).map(Zero::is_zero), constant(&right).map(Zero::is_zero)) {
        (Some(false), _) | (_, Some(true)) => left,
        (Some(true), _) | (_, Some(false)) => right,
        _ => binary(
            BinaryOperator::Or,
            left,
            right,
            Numeric::Integer(IntegerType::INT),
            Types::INT,
        ),
    }
}

/// `!operand`
pub fn not(operand: FlatExpression) -> FlatExpression {
    if let Some(value) = constant(&operand) {
        return truth(value.is_zero());
    }
    FlatExpression {
        kind: ExpressionKind::Unary(UnaryOperator::Not, Box::new(operand)),
        numeric: Numeric::Integer(IntegerType::INT),
        c_type: Types::INT,
        written: Written::default(),
    }
}

/// `condition ? left : right`
pub fn conditional(condition: FlatExpression, left: FlatExpression, right: FlatExpression) -> FlatExpression {
    if left == right {
        return left;
    }
    let (numeric, c_type) = (left.numeric, left.c_type);
    FlatExpression {
        kind: ExpressionKind::Conditional(Box::new(condition), Box::new(left), Box::new(right)),
        numeric,
        c_type,
        written: Written::default(),
    }
}

/// The value in another numeric type; between addresses and integers of the machine too.
pub fn converted(expression: FlatExpression, numeric: Numeric, c_type: TypeId, size: IntegerType) -> FlatExpression {
    let from = expression.numeric;
    if from == numeric {
        return FlatExpression { c_type, ..expression };
    }
    match (from, numeric) {
        (Numeric::Integer(kind), Numeric::Pointer) => {
            // An address that went through integers that hold it is the address.
            let mut held = &expression;
            while let (ExpressionKind::Convert(inner), Numeric::Integer(kind)) = (&held.kind, held.numeric)
                && kind.bits >= size.bits
            {
                held = inner;
            }
            if held.numeric == Numeric::Pointer {
                return FlatExpression { c_type, ..held.clone() };
            }
            if let Some(value) = constant(&expression) {
                let modulus = BigInt::from(1) << size.bits;
                let wrapped = ((value % &modulus) + &modulus) % &modulus;
                return integer(wrapped, Numeric::Pointer, c_type);
            }
            let unsigned = match kind.signed {
                true => plain_convert(expression, Numeric::Integer(size), c_type),
                false => expression,
            };
            plain_convert(unsigned, Numeric::Pointer, c_type)
        }
        _ => plain_convert(expression, numeric, c_type),
    }
}

/// An address as a number that the program asks for: it is what it is as an unsigned number of its width, and wraps as that
/// number does.
pub fn number_of_address(
    address: FlatExpression,
    kind: IntegerType,
    c_type: TypeId,
    size: IntegerType,
) -> FlatExpression {
    let numeric = Numeric::Integer(kind);
    if kind.bits == 1 || kind == size {
        return plain_convert(address, numeric, c_type);
    }
    match constant(&address) {
        Some(value) => {
            let period = BigInt::one() << kind.bits;
            let rest = (value - kind.minimum()).mod_floor(&period);
            integer(rest + kind.minimum(), numeric, c_type)
        }
        None => plain_convert(plain_convert(address, Numeric::Integer(size), c_type), numeric, c_type),
    }
}

/// How far one address is from another as a number that the program asks for: unlike an address it may be negative, and an
/// unsigned number wraps then.
pub fn number_of_distance(
    distance: FlatExpression,
    numeric: Numeric,
    c_type: TypeId,
    size: IntegerType,
) -> FlatExpression {
    let signed = Numeric::Integer(IntegerType { signed: true, ..size });
    let steps = match constant(&distance) {
        Some(value) => integer(value.clone(), signed, c_type),
        None => plain_convert(distance, signed, c_type),
    };
    converted(steps, numeric, c_type, size)
}

fn plain_convert(expression: FlatExpression, numeric: Numeric, c_type: TypeId) -> FlatExpression {
    FlatExpression {
        kind: ExpressionKind::Convert(Box::new(expression)),
        numeric,
        c_type,
        written: Written::default(),
    }
}

/// Whether an expression is so small that it may be written several times.
pub fn is_small(expression: &FlatExpression) -> bool {
    match &expression.kind {
        ExpressionKind::Integer(_) | ExpressionKind::Read(Leaf::Variable(_)) => true,
        ExpressionKind::Convert(inner) => is_small(inner),
        ExpressionKind::Binary(BinaryOperator::Add, left, right) => is_small(left) && constant(right).is_some(),
        _ => false,
    }
}

/// Whether an expression reads one of the variables.
pub fn reads(expression: &FlatExpression, variables: &HashSet<FlatVariable>) -> bool {
    match &expression.kind {
        ExpressionKind::Read(Leaf::Variable(variable)) => variables.contains(variable),
        ExpressionKind::Read(Leaf::Element(array, index)) => variables.contains(array) || reads(index, variables),
        ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => reads(operand, variables),
        ExpressionKind::Binary(_, left, right) => reads(left, variables) || reads(right, variables),
        ExpressionKind::Conditional(condition, left, right) | ExpressionKind::Fused(condition, left, right) => {
            reads(condition, variables) || reads(left, variables) || reads(right, variables)
        }
        _ => false,
    }
}
