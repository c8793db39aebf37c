//! Expressions of a [program](super) and the places that they read: typed, with every conversion explicit, and free of side effects.

use super::{FunctionId, VariableId};
use crate::syntax::Span;
use crate::terms::{FloatOperator, Rational};
use crate::types::{IntegerType, TypeId};
use num_bigint::BigInt;

/// A place in memory that can be read and written: a variable or what a pointer points to, and a path into it.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Where the path starts.
    pub base: PlaceBase,
    /// The path.
    pub steps: Vec<PlaceStep>,
    /// The type of what is there.
    pub kind: TypeId,
}

/// Where a place starts.
#[derive(Clone, PartialEq, Debug)]
pub enum PlaceBase {
    /// A variable.
    Variable(VariableId),
    /// What a pointer points to; the expression has a pointer type.
    Dereference(Box<Expression<Place>>),
}

/// A step into a place.
#[derive(Clone, PartialEq, Debug)]
pub enum PlaceStep {
    /// The field with this index.
    Field(usize),
    /// The array's element with this index (an expression of any integer type).
    Index(Box<Expression<Place>>),
}

/// An expression without side effects over leaves `L`: [`Place`]s before memory is lowered, variables after.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression<L> {
    /// What it is.
    pub kind: ExpressionKind<L>,
    /// The type of its value.
    pub numeric: Numeric,
    /// Its type for C, with what a pointer points to. Constants of pointer type have it too.
    pub c_type: TypeId,
    /// Where it is written, as far as the instruction that it is in does not say it.
    pub written: Written,
}

/// Where something is written, if it is known. That says nothing about what it means: all are equal.
#[derive(Clone, Copy, Default, Debug)]
pub struct Written(pub Option<Span>);

impl PartialEq for Written {
    fn eq(&self, _: &Written) -> bool {
        true
    }
}

/// The numbers that a value ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numeric {
    /// An integer type.
    Integer(IntegerType),
    /// A pointer: an address, see `memory`. It never wraps.
    Pointer,
    /// A floating type, of so many bits.
    Floating(u32),
    /// No number: a struct that is copied.
    Aggregate,
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExpressionKind<L> {
    /// A number of the expression's type.
    Integer(BigInt),
    /// A floating number.
    Floating(Rational),
    /// What is there.
    Read(L),
    /// The address of a place (only before memory is lowered).
    AddressOf(Box<L>),
    /// The address of a function (only before memory is lowered).
    FunctionAddress(FunctionId),
    /// An operator with one operand, which has the expression's type (but for `Not`, whose result is an `int`).
    Unary(UnaryOperator, Box<Expression<L>>),
    /// An operator with two operands of one type; comparisons give an `int`, shifts have the left operand's type.
    Binary(BinaryOperator, Box<Expression<L>>, Box<Expression<L>>),
    /// The value in another type: truncated or extended as C has it.
    Convert(Box<Expression<L>>),
    /// `condition ? consequence : alternative`; only the chosen side is evaluated.
    Conditional(Box<Expression<L>>, Box<Expression<L>>, Box<Expression<L>>),
    /// The product of two floating-point numbers plus a third one, rounded once.
    Fused(Box<Expression<L>>, Box<Expression<L>>, Box<Expression<L>>),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `~`
    BitNot,
    /// `!`: 1 if the operand is zero, else 0.
    Not,
    /// A function of a floating-point number; what tells classes apart gives 0 or 1.
    Float(FloatOperator),
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero
    Divide,
    /// `%`, with the dividend's sign
    Remainder,
    /// `<<`
    ShiftLeft,
    /// `>>`, keeping the sign
    ShiftRight,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `&&`: the right operand is evaluated only if the left is not zero.
    And,
    /// `||`: the right operand is evaluated only if the left is zero.
    Or,
    /// A pointer (left) moved by so many elements (right, any integer type).
    PointerAdd,
    /// The distance of two pointers in elements.
    PointerDifference,
}
