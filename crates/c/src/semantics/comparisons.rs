//! `qsort` and `bsearch`, and what they call: with which elements, in which order and how often is left open. A function that
//! only compares cannot tell; what another one does is refused where it matters.

use super::conventions::Meaning;
use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::program::{
    Block, Callee, CopySource, Effect, Expression, ExpressionKind, FunctionId, Instruction, InstructionKind, Numeric,
    Place, PlaceBase, PlaceStep, Terminator, VariableId, VariableRole,
};
use crate::syntax::Span;
use crate::types::Types;
use std::collections::BTreeSet;

/// What calls in an open order leave behind.
#[derive(Default)]
struct Traces {
    /// The global variables that are written.
    written: BTreeSet<VariableId>,
    /// Those that are read, but for what becomes of themselves.
    read: BTreeSet<VariableId>,
}

/// It does something else than writing variables by their names.
struct Anything;

impl<'a> Semantics<'a, '_> {
    /// A call of `qsort` or `bsearch`.
    pub(super) fn ordering(
        &mut self,
        name: &str,
        meaning: Meaning,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<Value> {
        let values = self.values_in_order(arguments)?;
        let addresses: &[usize] = if meaning == Meaning::Sorts { &[0, 3] } else { &[0, 1, 4] };
        for value in addresses.iter().filter_map(|position| values.get(*position)) {
            self.check_address(value.clone(), span);
        }
        if let Some(found) = self.of_nothing(meaning, &values) {
            return Ok(found);
        }
        if let Some(found) = self.ordered(meaning, values, span)? {
            return Ok(found);
        }
        let what = format!("`{name}`");
        self.emit_anything(what, span);
        self.determined(name, span)
    }

    /// `qsort` or `bsearch` of no elements, whatever these would be: nothing is done, or found.
    fn of_nothing(&mut self, meaning: Meaning, values: &[Value]) -> Option<Value> {
        let position = if meaning == Meaning::Sorts { 1 } else { 2 };
        let count = values.get(position).filter(|count| self.is_null_constant(count));
        count.filter(|_| values.len() == position + 3)?;
        if meaning == Meaning::Sorts {
            return Some(self.void_value());
        }
        let kind = self.types.pointer_to(Types::VOID);
        Some(self.zero(kind))
    }

    /// `qsort` or `bsearch` of elements that are plainly of the size that is given.
    fn ordered(&mut self, meaning: Meaning, values: Vec<Value>, span: Span) -> Checked<Option<Value>> {
        let is_sort = meaning == Meaning::Sorts;
        let mut values = values.into_iter();
        let key = match is_sort {
            true => None,
            false => values.next(),
        };
        let (Some(base), Some(count), Some(size), Some(compare)) =
            (values.next(), values.next(), values.next(), values.next())
        else {
            return Ok(None);
        };
        let Some(element) = self.element_of(&base).filter(|_| base.numeric == Numeric::Pointer) else {
            return Ok(None);
        };
        let is_size = match &size.kind {
            ExpressionKind::Integer(number) => self.types.size_of(element).is_some_and(|size| *number == size.into()),
            _ => false,
        };
        if !is_size || compare.numeric != Numeric::Pointer {
            return Ok(None);
        }
        let kind = self.size_type();
        let count = self.convert_implicitly(count, kind, span)?;
        let base = Self::without_casts(base);
        let name = match (is_sort, self.types.is_scalar(element)) {
            (true, true) => "__clausal_sort",
            (true, false) => "__clausal_sort_records",
            (false, _) => "__clausal_search",
        };
        let arguments = key.into_iter().chain([base, count, compare]).collect();
        Ok(self.call_of_elements(name, element, arguments, span))
    }

    /// Says so at each call that orders elements by a function that does more than compare.
    pub(super) fn note_comparisons(&mut self) {
        for caller in 0..self.functions.len() {
            let Some(mut body) = self.functions[caller].body.take() else {
                continue;
            };
            let mut noted = Vec::new();
            for (block, instructions) in body.blocks.iter().map(|block| &block.instructions).enumerate() {
                for (position, instruction) in instructions.iter().enumerate() {
                    if let Some(effect) = self.effect_of_comparing(&instruction.kind) {
                        noted.push((block, position, effect, instruction.span));
                    }
                }
            }
            for (block, position, effect, span) in noted.into_iter().rev() {
                let what = "with what and how often a function is called to compare".to_string();
                let position = match effect {
                    Effect::Anything => position,
                    Effect::Changes(_) => position + 1,
                };
                let kind = InstructionKind::Unsupported { what, effect };
                body.blocks[block]
                    .instructions
                    .insert(position, Instruction { kind, span });
            }
            self.functions[caller].body = Some(body);
        }
    }

    /// What a call leaves behind that depends on the order of comparisons; `None` if that is nothing.
    fn effect_of_comparing(&self, call: &InstructionKind) -> Option<Effect<Place>> {
        let InstructionKind::Call {
            callee: Callee::Function(function),
            arguments,
            ..
        } = call
        else {
            return None;
        };
        let is_ordering = self.function(*function).name.starts_with("__clausal_s");
        let compare = arguments
            .last()
            .filter(|_| is_ordering && self.is_instance(*function))?;
        let mut traces = Traces::default();
        if self.trace(self.compared_by(compare), &mut traces).is_err() || !traces.written.is_disjoint(&traces.read) {
            return Some(Effect::Anything);
        }
        let places: Vec<Place> = traces.written.iter().map(|id| self.variable_place(*id)).collect();
        (!places.is_empty()).then_some(Effect::Changes(places))
    }

    /// The functions that a pointer may lead to.
    fn compared_by(&self, pointer: &Expression<Place>) -> Vec<FunctionId> {
        match &pointer.kind {
            ExpressionKind::FunctionAddress(function) => vec![*function],
            ExpressionKind::Convert(inner) => self.compared_by(inner),
            _ => {
                let functions = (0..self.functions.len() as u32).map(FunctionId);
                functions.filter(|function| self.valued.contains(function)).collect()
            }
        }
    }

    /// Follows the functions and all that they call.
    fn trace(&self, roots: Vec<FunctionId>, traces: &mut Traces) -> Result<(), Anything> {
        let mut open = roots;
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let function = self.function(id);
            let Some(body) = &function.body else {
                return Err(Anything);
            };
            let is_library = function.span.start >= self.end;
            for block in &body.blocks {
                self.trace_block(block, is_library, &mut open, traces)?;
            }
        }
        Ok(())
    }

    fn trace_block(
        &self,
        block: &Block,
        is_library: bool,
        open: &mut Vec<FunctionId>,
        traces: &mut Traces,
    ) -> Result<(), Anything> {
        for instruction in &block.instructions {
            match &instruction.kind {
                InstructionKind::Assign { target, value } => {
                    let itself = self.note_written(target, traces)?;
                    self.note_read(value, itself, traces);
                }
                InstructionKind::Unknown { target, .. } | InstructionKind::Zero { target } => {
                    self.note_written(target, traces)?;
                }
                InstructionKind::Call {
                    target,
                    callee,
                    arguments,
                    kind: _,
                } => {
                    match callee {
                        Callee::Function(callee) => open.push(*callee),
                        // A pointer that leads out of the program is refused where it is called.
                        Callee::Address(pointer) => {
                            self.note_read(pointer, None, traces);
                            open.extend(self.compared_by(pointer));
                        }
                    }
                    if let Some(target) = target {
                        self.note_written(target, traces)?;
                    }
                    for argument in arguments {
                        self.note_read(argument, None, traces);
                    }
                }
                InstructionKind::Copy { target, source, .. } => {
                    let ExpressionKind::AddressOf(target) = &target.kind else {
                        return Err(Anything);
                    };
                    self.note_written(target, traces)?;
                    if let CopySource::Address(source) = source {
                        self.note_read(source, None, traces);
                    }
                }
                InstructionKind::Print(values) => values.iter().for_each(|value| self.note_read(value, None, traces)),
                InstructionKind::Assume(condition) if is_library => self.note_read(condition, None, traces),
                InstructionKind::Check(_) => {}
                _ => return Err(Anything),
            }
        }
        match &block.terminator {
            Terminator::Error(_) => return Err(Anything),
            Terminator::Stop if !is_library => return Err(Anything),
            Terminator::Branch { condition, .. } => self.note_read(condition, None, traces),
            Terminator::Switch { value, .. } => self.note_read(value, None, traces),
            _ => {}
        }
        Ok(())
    }

    /// The global variable that is written, if it is one.
    fn note_written(&self, place: &Place, traces: &mut Traces) -> Result<Option<VariableId>, Anything> {
        let PlaceBase::Variable(variable) = place.base else {
            return Err(Anything);
        };
        self.read_indices(place, traces);
        let is_global = self.variable(variable).role == VariableRole::Global;
        if is_global {
            traces.written.insert(variable);
        }
        Ok(is_global.then_some(variable))
    }

    fn read_indices(&self, place: &Place, traces: &mut Traces) {
        for step in &place.steps {
            if let PlaceStep::Index(index) = step {
                self.note_read(index, None, traces);
            }
        }
    }

    fn note_read(&self, value: &Expression<Place>, itself: Option<VariableId>, traces: &mut Traces) {
        match &value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Floating(_) | ExpressionKind::FunctionAddress(_) => {}
            ExpressionKind::Read(place) => self.read_place(place, itself, traces),
            ExpressionKind::AddressOf(place) => self.read_place(place, itself, traces),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => {
                self.note_read(operand, itself, traces)
            }
            ExpressionKind::Binary(_, left, right) => {
                self.note_read(left, itself, traces);
                self.note_read(right, itself, traces);
            }
            ExpressionKind::Conditional(condition, left, right) | ExpressionKind::Fused(condition, left, right) => {
                for part in [condition, left, right] {
                    self.note_read(part, itself, traces);
                }
            }
        }
    }

    fn read_place(&self, place: &Place, itself: Option<VariableId>, traces: &mut Traces) {
        self.read_indices(place, traces);
        match &place.base {
            PlaceBase::Variable(variable) if Some(*variable) != itself => {
                traces.read.insert(*variable);
            }
            PlaceBase::Variable(_) => {}
            PlaceBase::Dereference(pointer) => self.note_read(pointer, itself, traces),
        }
    }
}
