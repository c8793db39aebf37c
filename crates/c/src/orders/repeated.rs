//! Values that a call may change, beside that call and in no order with it: they are compared with what they were.
//!
//! The body of a function is done as a whole before or after each of these values is read (C11 6.5.2.2), so whoever finds them all
//! unchanged has read the same in any order. What changes something without a call may do it while they are read, and several
//! calls may change it there and back: such operands are refused.

use super::effects::{Effects, Survey};
use super::{OpenOrder, mark_of};
use crate::program::{
    BinaryOperator, Block, BlockId, Body, Effect, Expression, ExpressionKind, Instruction, InstructionKind, Numeric,
    Place, PlaceBase, Program, Terminator, Variable, VariableId, VariableRole, Written,
};
use crate::types::{IntegerType, Types};
use crate::visit::expressions_of;

/// The values that have to be the same after the one call that may change them; `None` if there is more to it than that.
pub(super) fn values_to_compare(
    order: &OpenOrder,
    effects: &[Effects],
    survey: &Survey<'_>,
) -> Option<Vec<Expression<Place>>> {
    let others = |position: usize| {
        let others = effects.iter().enumerate();
        others
            .filter(move |(other, _)| *other != position)
            .map(|(_, other)| other)
    };
    let disturbs_others = |one: &Effects, position: usize| others(position).any(|other| one.disturbs(survey, other));
    let mut changing = (0..effects.len()).filter(|position| disturbs_others(&effects[*position], *position));
    let (position, None) = (changing.next()?, changing.next()) else {
        return None;
    };
    let operand = order.operands.get(position)?;
    let instructions = operand.instructions.iter();
    let mut changing = instructions.filter(|one| disturbs_others(&survey.of_instruction(one), position));
    let (call, None) = (changing.next()?, changing.next()) else {
        return None;
    };
    let InstructionKind::Call { target, .. } = call else {
        return None;
    };
    // It may be in a loop, or its result may go where others read.
    if !operand.conditions.is_empty()
        || target
            .iter()
            .any(|target| disturbs_others(&survey.of_write(target), position))
    {
        return None;
    }
    let call = survey.of_instruction(call);
    let mut values = Vec::new();
    for (other, operand) in order.operands.iter().enumerate() {
        if other == position || !call.disturbs(survey, &effects[other]) {
            continue;
        }
        if !operand.instructions.is_empty() || !operand.conditions.is_empty() {
            return None;
        }
        add_read(&operand.value, &call, survey, &mut values)?;
    }
    Some(values)
}

/// Adds what is read in an expression and may be changed; `None` if there is something in it that cannot be read for itself.
fn add_read(
    value: &Expression<Place>,
    call: &Effects,
    survey: &Survey<'_>,
    values: &mut Vec<Expression<Place>>,
) -> Option<()> {
    let mut is_plain = true;
    expressions_of(value, &mut |part| match &part.kind {
        // What is read on one side only may not be there to be read otherwise.
        ExpressionKind::Conditional(..) | ExpressionKind::Binary(BinaryOperator::And | BinaryOperator::Or, ..) => {
            is_plain = false;
        }
        ExpressionKind::Read(_) if call.disturbs(survey, &survey.of_value(part)) => match part.numeric {
            Numeric::Integer(_) | Numeric::Pointer => values.push(part.clone()),
            Numeric::Floating(_) | Numeric::Aggregate => is_plain = false,
        },
        _ => {}
    });
    is_plain.then_some(())
}

/// Saves the values at the first mark, and lets only those runs go on from the last one in which they are the same there.
pub(super) fn compare(program: &mut Program, start: VariableId, end: VariableId, values: &[Expression<Place>]) {
    let mut saved = Vec::with_capacity(values.len());
    for value in values {
        saved.push(VariableId(program.variables.len() as u32));
        program.variables.push(Variable::new(
            "before".to_string(),
            value.c_type,
            VariableRole::Temporary,
            program
                .variables
                .get(start.0 as usize)
                .map(|mark| mark.span)
                .unwrap_or_default(),
        ));
    }
    for body in program
        .functions
        .iter_mut()
        .filter_map(|function| function.body.as_mut())
    {
        save(body, start, &saved, values);
        for (saved, value) in saved.iter().zip(values) {
            compare_one(body, end, *saved, value);
        }
    }
}

fn whole(variable: VariableId, value: &Expression<Place>) -> Place {
    Place {
        base: PlaceBase::Variable(variable),
        steps: Vec::new(),
        kind: value.c_type,
    }
}

fn save(body: &mut Body, mark: VariableId, saved: &[VariableId], values: &[Expression<Place>]) {
    for block in &mut body.blocks {
        let Some(at) = block.instructions.iter().position(|one| mark_of(one) == Some(mark)) else {
            continue;
        };
        let span = block.instructions[at].span;
        let instructions = saved.iter().zip(values).map(|(saved, value)| Instruction {
            kind: InstructionKind::Assign {
                target: whole(*saved, value),
                value: value.clone(),
            },
            span,
        });
        let instructions: Vec<Instruction> = instructions.collect();
        block.instructions.splice(at..at, instructions);
    }
}

/// Behind the mark the value is what has been saved, or the run comes to a refusal.
fn compare_one(body: &mut Body, mark: VariableId, saved: VariableId, value: &Expression<Place>) {
    for index in 0..body.blocks.len() {
        let block = &mut body.blocks[index];
        let Some(at) = block.instructions.iter().position(|one| mark_of(one) == Some(mark)) else {
            continue;
        };
        let span = block.instructions[at].span;
        let rest = block.instructions.split_off(at);
        let before = Expression {
            kind: ExpressionKind::Read(whole(saved, value)),
            ..value.clone()
        };
        let condition = Expression {
            kind: ExpressionKind::Binary(BinaryOperator::Equal, Box::new(value.clone()), Box::new(before)),
            numeric: Numeric::Integer(IntegerType::INT),
            c_type: Types::INT,
            written: Written::default(),
        };
        let next = BlockId(body.blocks.len() as u32);
        let refusal = BlockId(next.0 + 1);
        let branch = Terminator::Branch {
            condition,
            then: next,
            otherwise: refusal,
        };
        let block = &mut body.blocks[index];
        let terminator = std::mem::replace(&mut block.terminator, branch);
        let end = std::mem::replace(&mut block.span, span);
        body.blocks.push(Block {
            instructions: rest,
            terminator,
            span: end,
            label: None,
        });
        body.blocks.push(Block {
            instructions: vec![Instruction {
                kind: InstructionKind::Unsupported {
                    what: super::OPEN_ORDER.to_string(),
                    effect: Effect::Anything,
                },
                span,
            }],
            terminator: Terminator::Stop,
            span,
            label: None,
        });
    }
}
