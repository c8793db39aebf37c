//! Jumps out of functions inside of functions, to labels that the function around declares for a block (GNU's `__label__`).
//!
//! Such a jump notes in a variable that it is on its way, and returns. Behind each call that may end so the variable is
//! looked at: who has the label goes on there, everybody else returns at once, and what the call gives back is not used. That
//! is exact as there is one call of the function around at a time ([`super::nested_functions`]), and as only functions inside
//! of it are on the way: a function that jumps out and whose address is taken is refused. Beside operands that access anything
//! such calls are refused ([`super::unsequenced`]).

use super::Semantics;
use super::graph::Graph;
use crate::parser::{is_of_block, written};
use crate::program::{
    BlockId, Callee, ExpressionKind, FunctionId, Instruction, InstructionKind, Place, PlaceBase, Terminator,
    VariableId, VariableRole,
};
use crate::syntax::{Name, Span};
use crate::types::Types;
use std::collections::BTreeSet;

/// Jumps to a label of the function around.
pub(super) struct JumpOut<'a> {
    label: Name<'a>,
    /// Whether such a jump is on its way.
    is_leaving: VariableId,
}

/// Jumps to a label by a function inside.
pub(super) struct JumpIn<'a> {
    jump: JumpOut<'a>,
    by: FunctionId,
}

impl<'a> Semantics<'a, '_> {
    /// The label is none of the function inside that has been read. Whether a function around may have it, so that jumps to it
    /// leave this one.
    pub(super) fn jump_out(&mut self, label: Name<'a>) -> bool {
        if !is_of_block(label.text) || self.never_returns(&self.state.name) {
            return false;
        }
        let name = format!("leaves for {}", written(label.text));
        let is_leaving = self.add_variable(name, Types::INT, VariableRole::Global, label.span);
        let (place, one) = (self.variable_place(is_leaving), self.int_constant(1));
        let (current, block) = (self.state.graph.current(), self.label(label).block);
        self.state.graph.resume(block);
        self.emit_assign(place, one, label.span);
        self.state.graph.terminate(Terminator::Return, label.span);
        self.state.graph.resume(current);
        self.state.jumps_out.push(JumpOut { label, is_leaving });
        true
    }

    /// A function inside of the one that is being read again jumps to these labels.
    pub(super) fn jump_in(&mut self, by: FunctionId, jumps: Vec<JumpOut<'a>>) {
        for jump in jumps {
            self.label(jump.label);
            self.state.jump_from_anywhere(jump.label.text);
            self.state.jumps_in.push(JumpIn { jump, by });
        }
    }

    /// When all labels are known, calls that may end by a jump to one of them go on there.
    pub(super) fn settle_jumps_in(&mut self) {
        for JumpIn { jump, by } in std::mem::take(&mut self.state.jumps_in) {
            let JumpOut { label, is_leaving } = jump;
            let leaving = self.calling_inside(by);
            let is_valued = leaving.iter().any(|function| self.valued.contains(function));
            if is_valued || self.has_scope_ends {
                let message = match is_valued {
                    true => "a jump out of a function inside whose address is taken cannot be translated",
                    false => "a jump out of a function inside cannot be translated beside `cleanup`",
                };
                self.refuse(label.span, message, "leads out of the function", None);
                continue;
            }
            for function in &leaving {
                let Some(body) = self.functions[function.0 as usize].body.take() else {
                    continue;
                };
                let mut graph = Graph::of(body);
                self.look_behind_calls(&mut graph, &leaving, is_leaving, None);
                self.functions[function.0 as usize].body = Some(graph.finish(label.span));
            }
            let block = self.label(label).block;
            let mut graph = std::mem::take(&mut self.state.graph);
            self.look_behind_calls(&mut graph, &leaving, is_leaving, Some(block));
            // Whatever globals begin with, no jump is on its way there.
            let (target, value) = (self.variable_place(is_leaving), self.int_constant(0));
            let (kind, span) = (InstructionKind::Assign { target, value }, label.span);
            graph.prepend(vec![Instruction { kind, span }]);
            self.state.graph = graph;
            self.leaving.extend(leaving);
        }
    }

    /// The function inside, and those inside that call it, and so on.
    fn calling_inside(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        let mut found = BTreeSet::from([function]);
        let mut work = vec![function];
        while let Some(callee) = work.pop() {
            for index in 0..self.functions.len() {
                let caller = FunctionId(index as u32);
                let blocks = self.functions[index].body.iter().flat_map(|body| &body.blocks);
                let mut instructions = blocks.flat_map(|block| &block.instructions);
                if self.nested.contains(&caller)
                    && instructions.any(|instruction| called(&instruction.kind) == Some(callee))
                    && found.insert(caller)
                {
                    work.push(caller);
                }
            }
        }
        found
    }

    /// Behind each call of these functions the run goes on at the label, or returns where there is none, if a jump is on its
    /// way.
    fn look_behind_calls(
        &mut self,
        graph: &mut Graph,
        leaving: &BTreeSet<FunctionId>,
        is_leaving: VariableId,
        label: Option<BlockId>,
    ) {
        let mut next = 0;
        // What is behind a call becomes a block behind all others, which is looked at in its turn.
        while let Some(block) = graph.block(next) {
            next += 1;
            let may_leave = |kind: &InstructionKind| called(kind).is_some_and(|called| leaving.contains(&called));
            let Some(position) = graph.position_in(block, may_leave) else {
                continue;
            };
            if label.is_none() && graph.returns_behind(block, position) {
                continue;
            }
            let rest = graph.split_behind(block, position);
            let span = graph.last_mut(block).map_or(Span::default(), |call| call.span);
            self.keep_target(graph, block, rest, span);
            let place = self.variable_place(is_leaving);
            let left = graph.new_block();
            let condition = self.typed(ExpressionKind::Read(place.clone()), Types::INT);
            let branch = Terminator::Branch {
                condition,
                then: left,
                otherwise: rest,
            };
            graph.terminate_block(block, branch, span);
            let end = match label {
                Some(label) => {
                    let value = self.int_constant(0);
                    graph.append(left, InstructionKind::Assign { target: place, value }, span);
                    Terminator::Goto(label)
                }
                None => Terminator::Return,
            };
            graph.terminate_block(left, end, span);
        }
    }

    /// A call at the end of the block may end by a jump: what its result is for changes only at the beginning of the rest.
    fn keep_target(&mut self, graph: &mut Graph, block: BlockId, rest: BlockId, span: Span) {
        let Some(InstructionKind::Call { target, .. }) = graph.last_mut(block).map(|call| &mut call.kind) else {
            return;
        };
        let is_temporary = |place: &Place| match &place.base {
            PlaceBase::Variable(variable) => {
                place.steps.is_empty() && self.variable(*variable).role == VariableRole::Temporary
            }
            PlaceBase::Dereference(_) => false,
        };
        let Some(place) = target.as_ref().filter(|place| !is_temporary(place)).cloned() else {
            return;
        };
        let kept = self.temporary(place.kind, span);
        *target = Some(kept.clone());
        let value = self.typed(ExpressionKind::Read(kept), place.kind);
        graph.insert_first(rest, InstructionKind::Assign { target: place, value }, span);
    }
}

/// The function that is called by its name.
fn called(kind: &InstructionKind) -> Option<FunctionId> {
    match kind {
        InstructionKind::Call {
            callee: Callee::Function(called),
            ..
        } => Some(*called),
        _ => None,
    }
}
