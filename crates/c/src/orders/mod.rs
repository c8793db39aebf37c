//! Operands and arguments whose order C leaves open, and which may conflict as far as their types tell: what pointers point to says
//! more, and where that is not enough, the runs do.
//!
//! `semantics` leaves two marks in the graph for each of them: instructions without effect before the first operand and behind the
//! last one. Here both go away if no operand changes what another one reads or changes ([`effects`]). If one call is all that
//! changes something, and what it may change are values that others only read, these are compared at the second mark with what
//! they were at the first ([`repeated`]): a run in which one of them has changed is not translated from there on, and for all
//! others any order is the same. Where each of two operands does one thing that the other one may notice, both orders are followed
//! ([`choice`]). Otherwise the first mark becomes a refusal.

mod choice;
mod effects;
mod repeated;

use super::points_to::PointsTo;
use super::program::{
    BinaryOperator, Block, Effect, Expression, ExpressionKind, Instruction, InstructionKind, Numeric, Place, PlaceBase,
    Program, VariableId,
};
use effects::{Effects, Survey};
use hashbrown::HashMap;

/// Operands whose order is open.
#[derive(Clone, Debug)]
pub struct OpenOrder {
    /// The variable that the mark before the first one is said to change, and nothing else does.
    pub start: VariableId,
    /// The same for the mark behind the last one.
    pub end: VariableId,
    /// What each of them does; those that do nothing are left out.
    pub operands: Vec<Operand>,
}

/// What is done when an operand is evaluated.
#[derive(Clone, Debug)]
pub struct Operand {
    /// What a run may come to before its value is known.
    pub instructions: Vec<InstructionKind>,
    /// The conditions by which it goes on there.
    pub conditions: Vec<Expression<Place>>,
    /// Its value, or the address of the place that it is.
    pub value: Expression<Place>,
}

/// What a refusal says.
pub const OPEN_ORDER: &str = "side effects in an order that C leaves open";

/// Settles all open orders of a program; whether it has been changed otherwise than by marks that are gone.
pub fn settle(program: &mut Program, points_to: &PointsTo) -> bool {
    let orders = std::mem::take(&mut program.orders);
    if orders.is_empty() {
        return false;
    }
    let mut refused: HashMap<VariableId, bool> = HashMap::new();
    let mut compared = Vec::new();
    let mut chosen = Vec::new();
    let survey = Survey::new(program, points_to);
    for order in &orders {
        let effects: Vec<Effects> = order
            .operands
            .iter()
            .map(|operand| survey.of_operand(operand))
            .collect();
        let is_met = |one: usize| (0..one).any(|other| effects[one].conflict(&survey, &effects[other]));
        let values = match (0..effects.len()).any(is_met) {
            true => repeated::values_to_compare(order, &effects, &survey),
            false => Some(Vec::new()),
        };
        if values.is_none() && choice::are_two(order, &effects, &survey, program) {
            chosen.push(order);
        }
        refused.insert(order.start, values.is_none());
        refused.insert(order.end, false);
        compared.extend(values.map(|values| (order.start, order.end, values)));
    }
    compared.retain(|(_, _, values)| !values.is_empty());
    for (start, end, values) in &compared {
        repeated::compare(program, *start, *end, values);
    }
    let mut is_chosen = false;
    for order in chosen {
        if choice::follow_both(program, order) {
            refused.insert(order.start, false);
            is_chosen = true;
        }
    }
    let bodies = program
        .functions
        .iter_mut()
        .filter_map(|function| function.body.as_mut());
    remove_marks(bodies.flat_map(|body| &mut body.blocks), &|mark| {
        refused.get(&mark).copied()
    });
    is_chosen || !compared.is_empty()
}

/// The variable of a mark, or of what looks like one.
fn mark_of(instruction: &Instruction) -> Option<VariableId> {
    let InstructionKind::Unsupported { effect, .. } = &instruction.kind else {
        return None;
    };
    match effect.changes() {
        [
            Place {
                base: PlaceBase::Variable(variable),
                ..
            },
        ] => Some(*variable),
        _ => None,
    }
}

/// Removes marks, or makes refusals of them, as is said of them; those of which nothing is said stay.
pub fn remove_marks<'b>(blocks: impl Iterator<Item = &'b mut Block>, is_refused: &dyn Fn(VariableId) -> Option<bool>) {
    for block in blocks {
        block.instructions.retain_mut(|instruction| {
            let Some(is_refused) = mark_of(instruction).and_then(is_refused) else {
                return true;
            };
            if let InstructionKind::Unsupported { effect, .. } = &mut instruction.kind {
                *effect = Effect::Anything;
            }
            is_refused
        });
    }
}

/// Whether a constant is added to a whole variable of an integer type, and nothing else.
pub fn is_addition(target: &Place, value: &Expression<Place>) -> bool {
    let is_plain = matches!(target.base, PlaceBase::Variable(_)) && target.steps.is_empty();
    let is_wide = matches!(value.numeric, Numeric::Integer(kind) if kind.bits >= 32);
    let is_target = |value: &Expression<Place>| matches!(&value.kind, ExpressionKind::Read(place) if place == target);
    let is_sum = match &value.kind {
        ExpressionKind::Binary(BinaryOperator::Add | BinaryOperator::Subtract, left, right) => {
            is_target(left) && matches!(right.kind, ExpressionKind::Integer(_))
        }
        _ => false,
    };
    is_plain && is_wide && is_sum
}
