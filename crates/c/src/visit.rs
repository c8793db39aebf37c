//! All places that a program touches, and how, and all expressions.

use crate::program::{
    Block, Check, CopySource, Expression, ExpressionKind, InstructionKind, Place, PlaceBase, PlaceStep, Terminator,
};

/// How a place is touched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// It is read.
    Read,
    /// It gets a value.
    Write,
    /// It becomes zero, or unknown in a way that has not been said to matter.
    Clear,
    /// Its address is taken.
    Address,
}

/// What is visited.
enum Visited<'b> {
    Place(&'b Place, Touch),
    Expression(&'b Expression<Place>),
}

/// Visits all places of a block, those inside of other places included.
pub fn places<'b>(block: &'b Block, visit: &mut impl FnMut(&'b Place, Touch)) {
    in_block(block, &mut |visited| {
        if let Visited::Place(place, touch) = visited {
            visit(place, touch);
        }
    });
}

/// Visits all places of an instruction, those inside of other places included.
pub fn places_in<'b>(instruction: &'b InstructionKind, visit: &mut impl FnMut(&'b Place, Touch)) {
    in_instruction(instruction, &mut |visited| {
        if let Visited::Place(place, touch) = visited {
            visit(place, touch);
        }
    });
}

/// Visits all places of an expression, those inside of other places included.
pub fn places_of(expression: &Expression<Place>, visit: &mut impl FnMut(&Place, Touch)) {
    in_expression(expression, &mut |visited| {
        if let Visited::Place(place, touch) = visited {
            visit(place, touch);
        }
    });
}

/// Visits all places of an instruction but those in what it calls, and those inside of other places.
pub fn places_of_instruction<'b>(instruction: &'b InstructionKind, visit: &mut impl FnMut(&'b Place, Touch)) {
    in_instruction(instruction, &mut |visited| {
        if let Visited::Place(place, touch) = visited {
            visit(place, touch);
        }
    });
}

/// Visits an expression and all expressions inside of it.
pub fn expressions_of<'b>(expression: &'b Expression<Place>, visit: &mut impl FnMut(&'b Expression<Place>)) {
    in_expression(expression, &mut |visited| {
        if let Visited::Expression(expression) = visited {
            visit(expression);
        }
    });
}

/// Visits all expressions of a block, those inside of others included.
pub fn expressions<'b>(block: &'b Block, visit: &mut impl FnMut(&'b Expression<Place>)) {
    in_block(block, &mut |visited| {
        if let Visited::Expression(expression) = visited {
            visit(expression);
        }
    });
}

fn in_block<'b>(block: &'b Block, visit: &mut impl FnMut(Visited<'b>)) {
    for instruction in &block.instructions {
        in_instruction(&instruction.kind, visit);
    }
    match &block.terminator {
        Terminator::Branch { condition, .. } => in_expression(condition, visit),
        Terminator::Switch { value, .. } => in_expression(value, visit),
        _ => {}
    }
}

fn in_instruction<'b>(instruction: &'b InstructionKind, visit: &mut impl FnMut(Visited<'b>)) {
    match instruction {
        InstructionKind::Assign { target, value } => {
            in_place(target, Touch::Write, visit);
            in_expression(value, visit);
        }
        InstructionKind::Unknown { target, .. } => in_place(target, Touch::Write, visit),
        InstructionKind::StartArguments { list } => in_place(list, Touch::Write, visit),
        InstructionKind::NextArgument { list, target } => {
            in_place(list, Touch::Write, visit);
            in_place(target, Touch::Write, visit);
        }
        InstructionKind::Zero { target } => in_place(target, Touch::Clear, visit),
        InstructionKind::Call { target, arguments, .. } => {
            target.iter().for_each(|target| in_place(target, Touch::Write, visit));
            arguments.iter().for_each(|argument| in_expression(argument, visit));
        }
        InstructionKind::Allocate {
            target, count, moved, ..
        } => {
            in_place(target, Touch::Write, visit);
            count.iter().chain(moved).for_each(|value| in_expression(value, visit));
        }
        InstructionKind::Ask { target, asked } => {
            in_place(target, Touch::Write, visit);
            in_expression(&asked.pointer, visit);
            asked.bytes.iter().for_each(|value| in_expression(value, visit));
        }
        InstructionKind::Assume(value) | InstructionKind::Free(value) => in_expression(value, visit),
        InstructionKind::Copy {
            target, source, count, ..
        } => {
            in_expression(target, visit);
            if let CopySource::Address(source) = source {
                in_expression(source, visit);
            }
            in_expression(count, visit);
        }
        InstructionKind::Expose { pointers, .. } => pointers.iter().for_each(|value| in_expression(value, visit)),
        InstructionKind::Print(values) => values.iter().for_each(|value| in_expression(value, visit)),
        InstructionKind::Check(Check::Bytes { pointer, bytes, .. }) => {
            in_expression(pointer, visit);
            in_expression(bytes, visit);
        }
        InstructionKind::Check(Check::Apart { one, other, bytes }) => {
            [one, other]
                .into_iter()
                .chain(bytes)
                .for_each(|value| in_expression(value, visit));
        }
        InstructionKind::Check(
            Check::Set(value) | Check::Text(value) | Check::Unmeasured(value) | Check::Length(value),
        ) => in_expression(value, visit),
        InstructionKind::Check(Check::Begins(_) | Check::Ends(_)) => {}
        InstructionKind::Unsupported { effect, .. } => {
            effect
                .changes()
                .iter()
                .for_each(|place| in_place(place, Touch::Clear, visit));
        }
    }
}

fn in_place<'b>(place: &'b Place, touch: Touch, visit: &mut impl FnMut(Visited<'b>)) {
    visit(Visited::Place(place, touch));
    if let PlaceBase::Dereference(pointer) = &place.base {
        in_expression(pointer, visit);
    }
    for step in &place.steps {
        if let PlaceStep::Index(index) = step {
            in_expression(index, visit);
        }
    }
}

fn in_expression<'b>(expression: &'b Expression<Place>, visit: &mut impl FnMut(Visited<'b>)) {
    visit(Visited::Expression(expression));
    match &expression.kind {
        ExpressionKind::Integer(_) | ExpressionKind::Floating(_) | ExpressionKind::FunctionAddress(_) => {}
        ExpressionKind::Read(place) => in_place(place, Touch::Read, visit),
        ExpressionKind::AddressOf(place) => in_place(place, Touch::Address, visit),
        ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => in_expression(operand, visit),
        ExpressionKind::Binary(_, left, right) => {
            in_expression(left, visit);
            in_expression(right, visit);
        }
        ExpressionKind::Conditional(condition, left, right) | ExpressionKind::Fused(condition, left, right) => {
            in_expression(condition, visit);
            in_expression(left, visit);
            in_expression(right, visit);
        }
    }
}
