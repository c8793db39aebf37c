//! Which operations may have no defined result, and whether that is to be checked.
//!
//! The conditions themselves are made by `arithmetic` where an expression becomes a term; what becomes of them is decided in
//! `emit`: the run ends, or it is an error, or nothing is made of them.

use super::flat::{FlatExpression, FlatInstruction, FlatInstructionKind, FlatProgram, Leaf};
use super::options::Checks;
use super::program::{BinaryOperator, ErrorKind, Expression, ExpressionKind, Numeric, UnaryOperator};

/// Whether the operation at the top of the expression has no defined result for some values of its operands.
pub(crate) fn can_be_undefined(expression: &FlatExpression) -> bool {
    kind_of_undefinedness(expression).is_some()
}

/// Whether the expression has a value whatever its operands are.
pub(crate) fn is_always_defined(expression: &FlatExpression) -> bool {
    let mut defined = true;
    expression.for_each_part(&mut |part| defined &= !can_be_undefined(part));
    defined
}

/// Which variables and arrays get something that may have left its type: of an operation without a defined result, or of such a variable.
pub(crate) fn may_overflow(program: &FlatProgram) -> Vec<bool> {
    let mut found = vec![false; program.variables.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for instruction in program.blocks.iter().flat_map(|block| &block.instructions) {
            let (target, overflows) = match &instruction.kind {
                FlatInstructionKind::Assign(target, value) | FlatInstructionKind::Fill { array: target, value } => {
                    (*target, overflows(value, &found))
                }
                FlatInstructionKind::Store { array, value, .. } => (*array, overflows(value, &found)),
                FlatInstructionKind::CopyArray { target, source } => (*target, found[source.0 as usize]),
                _ => continue,
            };
            let known = &mut found[target.0 as usize];
            changed |= overflows && !*known;
            *known |= overflows;
        }
    }
    found
}

fn overflows(value: &FlatExpression, known: &[bool]) -> bool {
    let mut found = false;
    value.for_each_part(&mut |part| {
        found |= can_be_undefined(part)
            || matches!(&part.kind, ExpressionKind::Read(Leaf::Variable(read) | Leaf::Element(read, _)) if known[read.0 as usize]);
    });
    found
}

/// What is checked of the operation at the top of the expression, if anything is.
pub(crate) fn check_of<P>(expression: &Expression<P>, checks: Checks) -> Option<ErrorKind> {
    let kind = kind_of_undefinedness(expression)?;
    // A quotient can also leave its type, and so can what is shifted to the left.
    let leaves = matches!(kind, ErrorKind::DivisionByZero | ErrorKind::Shift).then_some(ErrorKind::Overflow);
    [Some(kind), leaves]
        .into_iter()
        .flatten()
        .find(|kind| is_checked(checks, *kind))
}

fn kind_of_undefinedness<P>(expression: &Expression<P>) -> Option<ErrorKind> {
    let Numeric::Integer(kind) = expression.numeric else {
        return None;
    };
    match &expression.kind {
        ExpressionKind::Convert(operand) if matches!(operand.numeric, Numeric::Floating(_)) && kind.bits > 1 => {
            Some(ErrorKind::Conversion)
        }
        ExpressionKind::Unary(UnaryOperator::Negate, _) if kind.signed => Some(ErrorKind::Overflow),
        ExpressionKind::Binary(operator, ..) => match operator {
            BinaryOperator::Divide | BinaryOperator::Remainder => Some(ErrorKind::DivisionByZero),
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => Some(ErrorKind::Shift),
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply if kind.signed => {
                Some(ErrorKind::Overflow)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a kind of undefined behaviour is to be an error.
pub(crate) fn is_checked(checks: Checks, kind: ErrorKind) -> bool {
    match kind {
        ErrorKind::Overflow => checks.overflow,
        ErrorKind::DivisionByZero => checks.division_by_zero,
        ErrorKind::Bounds => checks.bounds,
        ErrorKind::NullPointer => checks.null,
        ErrorKind::UseAfterFree | ErrorKind::Dangling => checks.lifetime,
        ErrorKind::InvalidFree | ErrorKind::DoubleFree => checks.free,
        ErrorKind::LiteralWrite => checks.literals,
        ErrorKind::Shift => checks.shifts,
        ErrorKind::Uninitialized => checks.uninitialized,
        ErrorKind::PointerArithmetic => checks.pointer_arithmetic,
        ErrorKind::Unreachable => checks.unreachable,
        ErrorKind::Conversion => checks.conversions,
        ErrorKind::Overlap => checks.overlap,
        ErrorKind::Call => checks.calls,
        ErrorKind::NotFreed => checks.cleanup,
        ErrorKind::Reached | ErrorKind::NotTranslated => false,
    }
}

/// Whether the expression contains an operation that may be an error.
pub(crate) fn has_check(expression: &FlatExpression, checks: Checks) -> bool {
    if !checks.arithmetic() {
        return false;
    }
    let mut found = false;
    expression.for_each_part(&mut |part| found |= check_of(part, checks).is_some());
    found
}

/// Whether the instruction contains such an operation.
pub(crate) fn instruction_has_check(instruction: &FlatInstruction, checks: Checks) -> bool {
    let mut expressions = instruction.expressions().into_iter();
    expressions.any(|expression| has_check(expression, checks))
}
