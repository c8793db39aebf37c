//! Tail calls become jumps: a function that calls itself last, and hands on what that call gives back, is a loop.
//!
//! Such a call needs nothing of its caller any more: the arguments become the parameters, what is local is forgotten, and the function
//! starts again. So `int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }` is followed as the loop that compilers make of it, with
//! what is invariant in it, where calls that remain calls would have a summary each. That is exact where no address of what is local is taken:
//! of a variable that somebody else may know of, each call has one of its own. A function that also calls itself otherwise stays as it is.
//!
//! It comes after `semantics` and before calls are replaced ([`super::inline`]), so that everything behind sees a loop. No seed has procedures.

use super::inline::{numeric, variable_place};
use super::passing::{Arrival, passing};
use super::program::{
    Block, BlockId, Body, Callee, Check, Expression, ExpressionKind, Function, FunctionId, Instruction,
    InstructionKind, Numeric, Place, PlaceBase, Program, Terminator, UnknownSource, Variable, VariableId, VariableRole,
    Written,
};
use super::syntax::Span;
use super::types::{TypeId, Types};
use super::visit::{Touch, places};
use std::collections::BTreeSet;

/// Behind a call, so many blocks are looked at for the function's end.
const MOST_BLOCKS: usize = 64;

/// Replaces the calls of all functions that call themselves last and nowhere else.
pub(super) fn to_loops(program: &mut Program) {
    for index in 0..program.functions.len() {
        let id = FunctionId(index as u32);
        if let Some(calls) = tail_calls(program, id) {
            replace(program, id, &calls);
        }
    }
}

/// A call by its block and its position there.
type Position = (BlockId, usize);

/// The calls of a function by itself, if there are any, and nothing is left to be done behind each.
fn tail_calls(program: &Program, id: FunctionId) -> Option<Vec<Position>> {
    let function = program.functions.get(id.0 as usize)?;
    let body = function.body.as_ref()?;
    if id == program.entry || program.nesting.contains(&id) {
        return None;
    }
    let calls = own_calls(body, id);
    if calls.is_empty() || !keeps_to_itself(program, function, body) {
        return None;
    }
    let are_last = calls.iter().all(|call| is_last(program, function, body, *call));
    are_last.then_some(calls)
}

fn own_calls(body: &Body, id: FunctionId) -> Vec<Position> {
    let mut calls = Vec::new();
    for (index, block) in body.blocks.iter().enumerate() {
        for (position, instruction) in block.instructions.iter().enumerate() {
            if let InstructionKind::Call { callee, .. } = &instruction.kind
                && *callee == Callee::Function(id)
            {
                calls.push((BlockId(index as u32), position));
            }
        }
    }
    calls
}

/// Whether nobody gets the address of a variable that each call has of its own, nor are there arguments without a parameter.
fn keeps_to_itself(program: &Program, function: &Function, body: &Body) -> bool {
    let mut keeps = function
        .parameters
        .iter()
        .all(|id| (id.0 as usize) < program.variables.len());
    for block in &body.blocks {
        places(block, &mut |place, touch| {
            if let Some((_, variable)) = local(program, place) {
                keeps &= touch != Touch::Address && variable.length.is_none();
            }
        });
        keeps &= !block.instructions.iter().any(|instruction| {
            matches!(
                instruction.kind,
                InstructionKind::StartArguments { .. }
                    | InstructionKind::NextArgument { .. }
                    | InstructionKind::Unsupported { .. }
            )
        });
    }
    keeps
}

/// The variable of a place that each call has of its own.
fn local<'p>(program: &'p Program, place: &Place) -> Option<(VariableId, &'p Variable)> {
    let PlaceBase::Variable(id) = &place.base else {
        return None;
    };
    let variable = program.variables.get(id.0 as usize)?;
    let is_own = !matches!(variable.role, VariableRole::Global | VariableRole::Literal);
    is_own.then_some((*id, variable))
}

/// Whether the function ends behind this call, with what it gives back.
fn is_last(program: &Program, function: &Function, body: &Body, (block, position): Position) -> bool {
    let block_of = |id: BlockId| body.blocks.get(id.0 as usize);
    let Some(InstructionKind::Call {
        target,
        kind,
        arguments,
        ..
    }) = block_of(block).map(|block| &block.instructions[position].kind)
    else {
        return false;
    };
    let passing = passing(program, *kind, function, arguments);
    let arrives = |arrival: &Arrival| *arrival == Arrival::Value;
    let is_complete = arguments.len() == function.parameters.len() && passing.parameters.iter().all(arrives);
    if !is_complete || passing.disagreement.is_some() || target.is_some() && !arrives(&passing.result) {
        return false;
    }
    // Where the result is, on its way to the function's own.
    let carries = |id: VariableId| is_carried(program, function, id);
    let mut held = match target.as_ref().map(whole_variable) {
        None => None,
        Some(Some(variable)) if carries(variable) => Some(variable),
        Some(_) => return false,
    };
    let wide = |numeric: Numeric| {
        function
            .result
            .is_some_and(|result| includes(numeric, numeric_of(program, result)))
    };
    let (mut current, mut next) = (block, position + 1);
    for _ in 0..MOST_BLOCKS {
        let Some(block) = block_of(current) else { return false };
        for instruction in &block.instructions[next..] {
            match &instruction.kind {
                InstructionKind::Assign { target, value } => match (whole_variable(target), moved(value, &wide)) {
                    (Some(to), Some(from)) if Some(from) == held && carries(to) => held = Some(to),
                    _ => return false,
                },
                InstructionKind::Check(Check::Ends(_)) => {}
                _ => return false,
            }
        }
        match &block.terminator {
            Terminator::Goto(after) => (current, next) = (*after, 0),
            Terminator::Return => return function.result.is_none() || held == function.result,
            _ => return false,
        }
    }
    false
}

/// A variable of the call's own that the place is all of.
fn whole_variable(place: &Place) -> Option<VariableId> {
    match (&place.base, &place.steps[..]) {
        (PlaceBase::Variable(id), []) => Some(*id),
        _ => None,
    }
}

/// The variable whose value this is, if all that it is converted to in between has such values, too.
fn moved(value: &Expression<Place>, is_wide: &dyn Fn(Numeric) -> bool) -> Option<VariableId> {
    match &value.kind {
        ExpressionKind::Read(place) => whole_variable(place),
        ExpressionKind::Convert(inner) if is_wide(value.numeric) => moved(inner, is_wide),
        _ => None,
    }
}

/// Whether a variable, which each call has of its own, holds whatever the function gives back as it is.
fn is_carried(program: &Program, function: &Function, id: VariableId) -> bool {
    let variable = |id: VariableId| program.variables.get(id.0 as usize);
    let (Some(one), Some(result)) = (variable(id), function.result.and_then(variable)) else {
        return false;
    };
    let is_own = !matches!(one.role, VariableRole::Global | VariableRole::Literal);
    let is_same = one.kind == result.kind;
    is_own && (is_same || includes(numeric(&program.types, one.kind), numeric(&program.types, result.kind)))
}

fn numeric_of(program: &Program, id: VariableId) -> Numeric {
    let variable = program.variables.get(id.0 as usize);
    variable.map_or(Numeric::Aggregate, |variable| numeric(&program.types, variable.kind))
}

/// Whether all numbers of the second type are of the first.
fn includes(wider: Numeric, narrower: Numeric) -> bool {
    match (wider, narrower) {
        (Numeric::Integer(wider), Numeric::Integer(narrower)) => {
            wider.minimum() <= narrower.minimum() && narrower.maximum() <= wider.maximum()
        }
        (Numeric::Pointer, Numeric::Pointer) => true,
        (Numeric::Floating(wider), Numeric::Floating(narrower)) => wider == narrower,
        _ => false,
    }
}

/// Jumps to the start in the place of these calls.
fn replace(program: &mut Program, id: FunctionId, calls: &[Position]) {
    let Some(function) = program.functions.get(id.0 as usize).cloned() else {
        return;
    };
    let Some(mut body) = function.body else { return };
    let forgotten = forgotten(program, &body, &function.parameters);
    for (block, position) in calls {
        let block = &mut body.blocks[block.0 as usize];
        let span = block.instructions[*position].span;
        let InstructionKind::Call { arguments, .. } = block.instructions[*position].kind.clone() else {
            continue;
        };
        block.instructions.truncate(*position);
        restart(
            program,
            block,
            body.entry,
            (&function.parameters, &arguments),
            &forgotten,
            span,
        );
    }
    program.functions[id.0 as usize].body = Some(body);
}

/// The variables of a function that a call knows nothing of: all that are not handed over.
fn forgotten(program: &Program, body: &Body, parameters: &[VariableId]) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    for block in &body.blocks {
        places(block, &mut |place, _| {
            if let Some((id, variable)) = local(program, place)
                && variable.role == VariableRole::Local
                && !parameters.contains(&id)
            {
                found.insert(id);
            }
        });
    }
    found
}

/// All arguments are known before the first parameter changes.
fn restart(
    program: &mut Program,
    block: &mut Block,
    entry: BlockId,
    (parameters, arguments): (&[VariableId], &[Expression<Place>]),
    forgotten: &BTreeSet<VariableId>,
    span: Span,
) {
    let mut push = |kind: InstructionKind| block.instructions.push(Instruction { kind, span });
    let mut handed_over = Vec::new();
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let original = program.variables[parameter.0 as usize].clone();
        let held = VariableId(program.variables.len() as u32);
        let kind = original.kind;
        program.variables.push(Variable {
            name: format!("next_{}", original.name),
            role: VariableRole::Temporary,
            ..original
        });
        let value = converted(&program.types, argument.clone(), kind);
        let target = variable_place(held, kind);
        push(InstructionKind::Assign { target, value });
        handed_over.push((*parameter, held, kind));
    }
    for id in forgotten {
        let target = variable_place(*id, program.variables[id.0 as usize].kind);
        let source = UnknownSource::Uninitialized;
        push(InstructionKind::Unknown { target, source });
    }
    for (parameter, held, kind) in handed_over {
        let value = Expression {
            kind: ExpressionKind::Read(variable_place(held, kind)),
            numeric: numeric(&program.types, kind),
            c_type: kind,
            written: Written::default(),
        };
        let target = variable_place(parameter, kind);
        push(InstructionKind::Assign { target, value });
    }
    block.terminator = Terminator::Goto(entry);
    block.span = span;
}

/// The argument as the parameter gets it.
fn converted(types: &Types, argument: Expression<Place>, kind: TypeId) -> Expression<Place> {
    let numeric = numeric(types, kind);
    match numeric == argument.numeric {
        true => argument,
        false => Expression {
            kind: ExpressionKind::Convert(Box::new(argument)),
            numeric,
            c_type: kind,
            written: Written::default(),
        },
    }
}
