//! Evaluation: what the operations of a [plan](super::plan) make of values, some of which may be missing.
//!
//! A run calculates with all values it needs, and one that is missing, since something was divided by zero, spoils what is made
//! of it. Where *all* runs are followed, what is missing may be any value: then a result is given only where it is the same
//! whatever that is.

use super::cell::Cell;
use super::plan::{Operand, Operation};
use crate::terms::{FloatOperator, Rational, Sort, Value, WordOperator, float_operation_value, word_value};
use num_bigint::BigInt;
use num_traits::Zero;
use std::cmp::Ordering;

/// What a missing value means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Missing {
    /// There is none, and none of what is made of it, whatever stands beside it: so everywhere in the crate where values are
    /// calculated.
    Strict,
    /// It may be any value.
    Any,
}

/// The cell of an operand.
pub(super) fn read<'c>(operand: Operand, slots: &'c [Cell], constants: &'c [Cell], arguments: &'c [Cell]) -> &'c Cell {
    let found = match operand {
        Operand::Slot(slot) => slots.get(slot),
        Operand::Constant(constant) => constants.get(constant),
        Operand::Argument(argument) => arguments.get(argument),
    };
    found.unwrap_or(&Cell::Undefined)
}

/// The result of an operation.
pub(super) fn compute<'c>(
    operation: Operation,
    operands: &[Operand],
    missing: Missing,
    value: &impl Fn(&Operand) -> &'c Cell,
) -> Cell {
    let truth = |holds: bool| Cell::Bool(holds);
    match (operation, operands) {
        (Operation::Copy, [a]) => value(a).clone(),
        (Operation::Add, [first, rest @ ..]) => {
            let mut sum = value(first).clone();
            for operand in rest {
                sum = sum.add(value(operand));
            }
            sum
        }
        (Operation::Multiply, [first, rest @ ..]) => {
            let mut product = value(first).clone();
            for operand in rest {
                product = product.multiply(value(operand));
            }
            product
        }
        (Operation::Divide, [a, b]) => value(a).divide(value(b)),
        (Operation::IntegerDivide, [a, b]) => value(a).integer_divide(value(b)),
        (Operation::Modulo, [a, b]) => value(a).modulo(value(b)),
        (Operation::Floor, [a]) => value(a).floor(),
        (Operation::IfThenElse, [condition, a, b]) => match value(condition) {
            Cell::Bool(true) => value(a).clone(),
            Cell::Bool(false) => value(b).clone(),
            _ if missing == Missing::Any => value(a).common(value(b)),
            _ => Cell::Undefined,
        },
        (Operation::Cases, operands) => cases(operands, missing, value),
        // Arrays that are written in different ways may be the same index.
        (Operation::Select | Operation::Store, [_, index, ..])
            if missing == Missing::Any && matches!(value(index), Cell::Array(_)) =>
        {
            Cell::Undefined
        }
        (Operation::Select, [array, index]) => value(array).select(value(index)),
        (Operation::Store, [array, index, element]) => match missing {
            Missing::Strict => value(array).store(value(index), value(element)),
            Missing::Any => value(array).store_any(value(index), value(element)),
        },
        (Operation::ConstantArray, [element]) => value(element).constant_array(),
        (Operation::Equal, [a, b]) => match (value(a), value(b)) {
            (Cell::Undefined, _) | (_, Cell::Undefined) => Cell::Undefined,
            (a, b) if missing == Missing::Any => a.same(b).map_or(Cell::Undefined, truth),
            (a, b) => truth(a == b),
        },
        (Operation::LessOrEqual, [a, b]) => match value(a).compare(value(b)) {
            Some(order) => truth(order != Ordering::Greater),
            None => Cell::Undefined,
        },
        (Operation::Less, [a, b]) => match value(a).compare(value(b)) {
            Some(order) => truth(order == Ordering::Less),
            None => Cell::Undefined,
        },
        (Operation::Not, [a]) => match value(a) {
            Cell::Bool(holds) => truth(!holds),
            _ => Cell::Undefined,
        },
        (Operation::And, operands) => conjunction(operands.iter().map(value), true, missing),
        (Operation::Or, operands) => conjunction(operands.iter().map(value), false, missing),
        (Operation::Word(operator, width, result), operands) => {
            word(operator, width, result, operands.iter().map(value))
        }
        (Operation::Float(operator, first, result), operands) => {
            float(operator, [first, result], operands.iter().map(value))
        }
        _ => Cell::Undefined,
    }
}

/// All of them are `neutral`, or one is not: a conjunction if `neutral` is true, a disjunction otherwise.
fn conjunction<'c>(operands: impl Iterator<Item = &'c Cell>, neutral: bool, missing: Missing) -> Cell {
    let (mut is_neutral, mut is_missing) = (true, false);
    for operand in operands {
        match operand {
            Cell::Bool(holds) if *holds == neutral => {}
            Cell::Bool(_) => is_neutral = false,
            _ => is_missing = true,
        }
    }
    match (is_neutral, is_missing, missing) {
        (_, false, _) => Cell::Bool(neutral == is_neutral),
        (false, true, Missing::Any) => Cell::Bool(!neutral),
        _ => Cell::Undefined,
    }
}

/// Conditions and values in turn: the value of a case whose condition holds. A run takes the first, and the last one if there is
/// none, which is looked at again afterwards; of all runs each may take any that may hold.
fn cases<'c>(operands: &[Operand], missing: Missing, value: &impl Fn(&Operand) -> &'c Cell) -> Cell {
    let mut possible: Option<Cell> = None;
    let last = operands.len().saturating_sub(2);
    for (position, case) in operands.chunks_exact(2).enumerate() {
        let (condition, result) = (value(&case[0]), value(&case[1]));
        match (condition, missing) {
            (Cell::Bool(true), Missing::Strict) => return result.clone(),
            (Cell::Bool(false), Missing::Strict) if position * 2 < last => {}
            (Cell::Bool(false), Missing::Strict) => return result.clone(),
            (_, Missing::Strict) if position * 2 == last => return result.clone(),
            (_, Missing::Strict) => return Cell::Undefined,
            (Cell::Bool(false), Missing::Any) => {}
            (_, Missing::Any) => {
                possible = Some(match possible {
                    Some(before) => before.common(result),
                    None => result.clone(),
                });
            }
        }
    }
    possible.unwrap_or(Cell::Undefined)
}

fn word<'c>(operator: WordOperator, width: u32, result: Sort, operands: impl Iterator<Item = &'c Cell>) -> Cell {
    let numbers: Option<Vec<BigInt>> = operands.map(Cell::whole).collect();
    let result_width = match result {
        Sort::Word(width) => width,
        _ => width.max(1),
    };
    let value =
        numbers.and_then(|numbers| word_value(operator, &numbers.iter().collect::<Vec<_>>(), width, result_width));
    match value {
        Some(value) if result == Sort::Bool => Cell::Bool(!value.is_zero()),
        Some(value) => Cell::number(Rational::from_integer(value)),
        None => Cell::Undefined,
    }
}

fn float<'c>(operator: FloatOperator, [first, result]: [Sort; 2], operands: impl Iterator<Item = &'c Cell>) -> Cell {
    let values: Option<Vec<Value>> = operands.map(Cell::to_value).collect();
    let value =
        values.and_then(|values| float_operation_value(operator, &values.iter().collect::<Vec<_>>(), first, result));
    value.map_or(Cell::Undefined, |value| Cell::from(&value))
}
