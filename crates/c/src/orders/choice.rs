//! Two operands each of which does one thing that the other one may notice: a call, or an increment beside a call.
//!
//! The body of a function is done as a whole before or after whatever else is evaluated beside its call (C11 6.5.2.2), and an increment
//! is one evaluation there (6.5.2.4). So there are two orders, and the run goes either way, by a choice that nobody calculates: what is safe
//! is safe in both, and of an error that depends on the choice nothing is said.

use super::effects::{Effects, Survey};
use super::{OpenOrder, mark_of};
use crate::program::{
    BinaryOperator, Block, BlockId, Body, Callee, Expression, ExpressionKind, Instruction, InstructionKind, Numeric,
    Place, PlaceBase, Program, Terminator, UnknownSource, Variable, VariableId, VariableRole, Written,
};
use crate::types::{IntegerType, Types};

/// Whether there are two orders of the operands, and no more.
pub(super) fn are_two(order: &OpenOrder, effects: &[Effects], survey: &Survey<'_>, program: &Program) -> bool {
    let ([one, other], [of_one, of_other]) = (&order.operands[..], effects) else {
        return false;
    };
    let mut calls = 0;
    for (operand, beside) in [(one, of_other), (other, of_one)] {
        if !operand.conditions.is_empty() || beside.disturbs(survey, &survey.of_value(&operand.value)) {
            return false;
        }
        let is_noticed = |instruction: &InstructionKind| survey.of_instruction(instruction).conflict(survey, beside);
        let positions = 0..operand.instructions.len();
        let noticed: Vec<usize> = positions.filter(|at| is_noticed(&operand.instructions[*at])).collect();
        let is_one = match noticed[..] {
            [] => true,
            [at] => {
                calls += 1;
                is_body_alone(&operand.instructions[at], beside, survey)
            }
            [before, at] if before + 1 == at => {
                is_increment(&operand.instructions[before], &operand.instructions[at], program)
            }
            _ => false,
        };
        if !is_one {
            return false;
        }
    }
    // Two increments beside each other are in no order at all.
    calls > 0
}

/// Whether it is a call of which nothing but the function's body is noticed beside it.
fn is_body_alone(instruction: &InstructionKind, beside: &Effects, survey: &Survey<'_>) -> bool {
    let InstructionKind::Call {
        target,
        callee,
        arguments,
        ..
    } = instruction
    else {
        return false;
    };
    let called = match callee {
        Callee::Function(_) => None,
        Callee::Address(pointer) => Some(pointer),
    };
    let mut read = arguments.iter().chain(called);
    let mut written = target.iter();
    !read.any(|value| beside.disturbs(survey, &survey.of_value(value)))
        && !written.any(|target| survey.of_write(target).conflict(survey, beside))
}

/// Whether the two are `x++` or `x--`: the old value is kept in a variable that the text does not show, and `x` becomes one more or less.
fn is_increment(before: &InstructionKind, after: &InstructionKind, program: &Program) -> bool {
    let (
        InstructionKind::Assign {
            target: kept,
            value: read,
        },
        InstructionKind::Assign { target, value },
    ) = (before, after)
    else {
        return false;
    };
    let PlaceBase::Variable(variable) = kept.base else {
        return false;
    };
    let role = program.variables.get(variable.0 as usize).map(|variable| variable.role);
    let is_place = |value: &Expression<Place>, place: &Place| matches!(&without_conversions(value).kind, ExpressionKind::Read(read) if read == place);
    let is_step = match &without_conversions(value).kind {
        ExpressionKind::Binary(BinaryOperator::Add | BinaryOperator::Subtract, left, right) => {
            is_place(left, kept) && matches!(without_conversions(right).kind, ExpressionKind::Integer(_))
        }
        _ => false,
    };
    role == Some(VariableRole::Temporary)
        && kept.steps.is_empty()
        && matches!(target.base, PlaceBase::Variable(_))
        && target.steps.is_empty()
        && is_place(read, target)
        && is_step
}

fn without_conversions(mut value: &Expression<Place>) -> &Expression<Place> {
    while let ExpressionKind::Convert(inner) = &value.kind {
        value = inner;
    }
    value
}

/// Makes both orders of the operands, where these are between their marks and nothing else is. Says whether that is so.
pub(super) fn follow_both(program: &mut Program, order: &OpenOrder) -> bool {
    let [one, other] = &order.operands[..] else {
        return false;
    };
    let Program {
        functions, variables, ..
    } = program;
    let bodies = functions.iter_mut().filter_map(|function| function.body.as_mut());
    for body in bodies {
        for block in 0..body.blocks.len() {
            let instructions = &body.blocks[block].instructions;
            let at = |mark: VariableId| instructions.iter().position(|found| mark_of(found) == Some(mark));
            let Some(start) = at(order.start) else { continue };
            let Some(end) = at(order.end).filter(|end| *end > start) else {
                return false;
            };
            let between = &instructions[start + 1..end];
            let mut written = one.instructions.iter().chain(&other.instructions);
            let are_these = between.len() == one.instructions.len() + other.instructions.len()
                && between.iter().all(|found| mark_of(found).is_none())
                && between.iter().all(|found| written.next() == Some(&found.kind));
            if !are_these {
                return false;
            }
            let choice = VariableId(variables.len() as u32);
            variables.push(Variable::new(
                "first".to_string(),
                Types::INT,
                VariableRole::Temporary,
                instructions[start].span,
            ));
            fork(body, block, (start, one.instructions.len(), end), choice);
            return true;
        }
    }
    false
}

/// The instructions behind a position, so many of them first or last, up to another position.
fn fork(body: &mut Body, block: usize, (start, count, end): (usize, usize, usize), choice: VariableId) {
    let next = body.blocks.len() as u32;
    let [first, last, rest] = [next, next + 1, next + 2].map(BlockId);
    let whole = &mut body.blocks[block];
    let span = whole.instructions[start].span;
    let behind = whole.instructions.split_off(end);
    let written = whole.instructions.split_off(start + 1);
    let turned: Vec<Instruction> = written[count..].iter().chain(&written[..count]).cloned().collect();
    let target = Place {
        base: PlaceBase::Variable(choice),
        steps: Vec::new(),
        kind: Types::INT,
    };
    let condition = Expression {
        kind: ExpressionKind::Read(target.clone()),
        numeric: Numeric::Integer(IntegerType::INT),
        c_type: Types::INT,
        written: Written::default(),
    };
    let source = UnknownSource::NotCalculated("the order of operands, which C leaves open".to_string());
    whole.instructions.push(Instruction {
        kind: InstructionKind::Unknown { target, source },
        span,
    });
    let fork = Terminator::Branch {
        condition,
        then: first,
        otherwise: last,
    };
    let terminator = std::mem::replace(&mut whole.terminator, fork);
    let end_of_block = std::mem::replace(&mut whole.span, span);
    for instructions in [written, turned] {
        body.blocks.push(Block {
            instructions,
            terminator: Terminator::Goto(rest),
            span,
            label: None,
        });
    }
    body.blocks.push(Block {
        instructions: behind,
        terminator,
        span: end_of_block,
        label: None,
    });
}
