//! The operators of C's expressions, as they are written.

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    BitNot,
    /// `!`
    Not,
    /// `*`
    Dereference,
    /// `&`
    AddressOf,
    /// `++x`
    PreIncrement,
    /// `--x`
    PreDecrement,
    /// `x++`
    PostIncrement,
    /// `x--`
    PostDecrement,
    /// GNU's `__real__`
    RealPart,
    /// GNU's `__imag__`
    ImaginaryPart,
    /// The number times the imaginary unit: `1.0i`
    Imaginary,
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
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// Which alignment of a type is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// `_Alignof`: the one that it has everywhere.
    Least,
    /// `__alignof__`: the one that compilers prefer, where they are free.
    Preferred,
}
