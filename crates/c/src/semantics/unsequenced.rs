//! Operands and arguments whose order C leaves open (C11 6.5, 6.5.2.2): where one of them changes what another one reads or
//! changes, compilers give different results, and the program is refused there.
//!
//! What functions change is known only when all have been read. So a mark (an instruction without effect) stays where operands
//! might conflict, with what each of them accesses; in the end it goes away, or becomes the refusal, or what pointers point to
//! decides between these ([`crate::orders`]).
//!
//! Calls that jump out of the function conflict with whatever is accessed. Calls that end the run conflict with those that come to the error. That one of two calls may never return is not looked at.

use super::footprints::{Access, Footprint, Kind};
use super::graph::Mark;
use super::scopes::Entity;
use super::{Semantics, Value};
use crate::orders::{OPEN_ORDER, OpenOrder, Operand, remove_marks};
use crate::program::{Callee, Effect, ExpressionKind, InstructionKind, Place, Terminator, VariableId, VariableRole};
use crate::syntax::{self, ExpressionKind as Written, Span};
use crate::types::Types;
use hashbrown::{HashMap, HashSet};

/// Operands whose order is open.
pub(super) struct Operands {
    /// Where the first one begins.
    start: Mark,
    /// Where the last one that is known ends.
    end: Mark,
    known: Vec<(Footprint, Operand)>,
}

impl Operands {
    /// Whether evaluating them has changed nothing.
    pub(super) fn are_quiet(&self) -> bool {
        self.known.iter().all(|(footprint, _)| footprint.is_quiet())
    }
}

/// Operands whose order is open, until it is known what functions change.
pub(super) struct Unsettled {
    footprints: Vec<Footprint>,
    order: OpenOrder,
}

/// Whether operands conflict.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conflict {
    None,
    /// They would, if pointers lead to the same.
    ByPlaces,
    Certain,
}

impl Semantics<'_, '_> {
    /// No operands yet; what is evaluated from here on belongs to them.
    pub(super) fn operands(&self) -> Operands {
        let start = self.state.graph.mark();
        Operands {
            start,
            end: start,
            known: Vec::new(),
        }
    }

    /// The next operand has just been evaluated, and nothing since; its value is this.
    pub(super) fn add_operand(&self, operands: &mut Operands, value: &Value) {
        let (mut footprint, operand) = self.evaluated_since(operands.end, value.clone());
        self.add_value(&mut footprint, value);
        self.add_footprint(operands, footprint, operand);
    }

    /// The same for a place that has been found; what is there is not read.
    pub(super) fn add_operand_place(&self, operands: &mut Operands, place: &Place) {
        let address = self.typed(ExpressionKind::AddressOf(Box::new(place.clone())), place.kind);
        let (mut footprint, operand) = self.evaluated_since(operands.end, address);
        self.add_path(&mut footprint, place);
        self.add_footprint(operands, footprint, operand);
    }

    /// The same for what is called.
    pub(super) fn add_callee(&self, operands: &mut Operands, callee: &Callee) {
        if let Callee::Address(pointer) = callee {
            self.add_operand(operands, pointer);
        }
    }

    /// Values of earlier operands have been saved at the mark before the last one, which has moved its end.
    pub(super) fn operands_end_here(&self, operands: &mut Operands) {
        operands.end = self.state.graph.mark();
    }

    fn add_footprint(&self, operands: &mut Operands, footprint: Footprint, operand: Operand) {
        operands.known.push((footprint, operand));
        self.operands_end_here(operands);
    }

    fn evaluated_since(&self, mark: Mark, value: Value) -> (Footprint, Operand) {
        let mut footprint = Footprint::default();
        let (instructions, ends) = self.state.graph.reached_since(mark);
        let mut operand = Operand {
            instructions: Vec::with_capacity(instructions.len()),
            conditions: Vec::new(),
            value,
        };
        for instruction in instructions {
            self.add_instruction(&mut footprint, instruction);
            operand.instructions.push(instruction.kind.clone());
        }
        for terminator in ends {
            self.add_terminator(&mut footprint, terminator);
            if let Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } = terminator {
                operand.conditions.push(value.clone());
            }
        }
        (footprint, operand)
    }

    /// Notes that the order of operands is open, all of which have been evaluated. Marks in the graph that are behind the
    /// beginning of the first one are moved by it, so that nothing else is to be done with them.
    pub(super) fn unsequenced(&mut self, operands: Operands, span: Span) {
        let Operands { start, known, .. } = operands;
        let known = known.into_iter().filter(|(footprint, _)| !footprint.is_empty());
        let (footprints, operands): (Vec<Footprint>, Vec<Operand>) = known.unzip();
        if operands.len() < 2 || footprints.iter().all(Footprint::is_quiet) {
            return;
        }
        let [first, last] = ["order", "order~"].map(|name| {
            let mark = self.add_variable(name, Types::INT, VariableRole::Temporary, span);
            let refusal = InstructionKind::Unsupported {
                what: OPEN_ORDER.to_string(),
                effect: Effect::Changes(vec![self.variable_place(mark)]),
            };
            (mark, refusal)
        });
        self.state.graph.insert(start, first.1, span);
        self.emit(last.1, span);
        let order = OpenOrder {
            start: first.0,
            end: last.0,
            operands,
        };
        self.unsettled.push(Unsettled { footprints, order });
    }

    /// Whether both are calls of one function with the same constants, so that nobody can tell which of them comes first but by
    /// their results.
    pub(super) fn are_same_call(&self, one: &syntax::Expression<'_>, other: &syntax::Expression<'_>) -> bool {
        let (Written::Call(one, arguments), Written::Call(other, others)) = (&one.kind, &other.kind) else {
            return false;
        };
        let is_same =
            |(one, other): (&&syntax::Expression<'_>, &&syntax::Expression<'_>)| match (&one.kind, &other.kind) {
                (Written::Integer(one), Written::Integer(other)) => one == other,
                (Written::Character(one), Written::Character(other)) => one == other,
                _ => false,
            };
        let function = super::name_of(one).filter(|name| super::name_of(other) == Some(*name));
        let is_function = function
            .and_then(|name| self.scopes.find(name))
            .map(|found| &found.what);
        matches!(is_function, Some(Entity::Function(_)))
            && arguments.len() == others.len()
            && arguments.iter().zip(*others).all(is_same)
    }

    /// Leaves the marks of operands that conflict, as refusals or to be settled when it is known what pointers point to, and no
    /// others.
    pub(super) fn settle_orders(&mut self) {
        let unsettled = std::mem::take(&mut self.unsettled);
        if unsettled.is_empty() {
            return;
        }
        let summaries = self.summaries();
        // What becomes of the marks that do not stay as they are: whether they are refusals now.
        let mut refused: HashMap<VariableId, bool> = HashMap::new();
        for Unsettled { footprints, order } in unsettled {
            let conflict = self.conflict(&footprints, &summaries);
            if conflict == Conflict::ByPlaces {
                self.orders.push(order);
            } else {
                refused.insert(order.start, conflict == Conflict::Certain);
                refused.insert(order.end, false);
            }
        }
        let bodies = self.functions.iter_mut().filter_map(|function| function.body.as_mut());
        remove_marks(bodies.flat_map(|body| &mut body.blocks), &|mark| {
            refused.get(&mark).copied()
        });
    }

    /// What calls of each function access outside of it.
    fn summaries(&self) -> Vec<Footprint> {
        let mut summaries: Vec<Footprint> = Vec::with_capacity(self.functions.len());
        for function in &self.functions {
            let mut footprint = Footprint::default();
            for block in function.body.iter().flat_map(|body| &body.blocks) {
                block
                    .instructions
                    .iter()
                    .for_each(|one| self.add_instruction(&mut footprint, one));
                self.add_terminator(&mut footprint, &block.terminator);
            }
            let is_shared = |access: &Access| {
                access
                    .variable
                    .is_none_or(|variable| self.variable(variable).role == VariableRole::Global)
            };
            footprint.reads.retain(is_shared);
            footprint.writes.retain(is_shared);
            footprint.additions.retain(is_shared);
            footprint.may_end |= function.never_returns;
            summaries.push(footprint);
        }
        let valued: Vec<usize> = self.valued.iter().map(|function| function.0 as usize).collect();
        // Every turn adds something to one of finitely many sets.
        loop {
            let mut has_changed = false;
            for function in 0..summaries.len() {
                let own = &summaries[function];
                let mut callees: Vec<usize> = own.calls.iter().map(|callee| callee.0 as usize).collect();
                if own.calls_any {
                    callees.extend(&valued);
                }
                let before = own.size();
                let mut own = std::mem::take(&mut summaries[function]);
                for callee in callees {
                    if let Some(callee) = summaries.get(callee) {
                        own.merge(callee);
                    }
                }
                has_changed |= own.size() != before;
                summaries[function] = own;
            }
            if !has_changed {
                return summaries;
            }
        }
    }

    fn conflict(&self, operands: &[Footprint], summaries: &[Footprint]) -> Conflict {
        let whole = |operand: &Footprint| {
            let mut whole = operand.clone();
            let valued = self.valued.iter().filter(|_| operand.calls_any);
            for callee in operand.calls.iter().chain(valued) {
                if let Some(callee) = summaries.get(callee.0 as usize) {
                    whole.merge(callee);
                }
                // Whatever else is evaluated may be so before, or not at all.
                let leaves = self.leaving.contains(callee);
                whole.exposes |= leaves;
                whole.may_end |= leaves;
            }
            whole
        };
        let operands: Vec<Footprint> = operands.iter().map(whole).collect();
        let mut found = Conflict::None;
        for (position, one) in operands.iter().enumerate() {
            for other in operands.iter().skip(position + 1) {
                if self.is_exposed(one, other)
                    || self.is_exposed(other, one)
                    || (one.may_end && other.may_fail)
                    || (one.may_fail && other.may_end)
                {
                    return Conflict::Certain;
                }
                if self.disturbs(one, other) || self.disturbs(other, one) {
                    found = Conflict::ByPlaces;
                }
            }
        }
        found
    }

    /// Whether code that is not there may change something while one of them is evaluated that the other one accesses.
    fn is_exposed(&self, one: &Footprint, other: &Footprint) -> bool {
        let is_in_memory = |access: &Access| match access.variable {
            Some(variable) => {
                self.variable(variable).role == VariableRole::Global || self.addressed.contains(&variable)
            }
            None => true,
        };
        let mut accesses = other.reads.iter().chain(&other.writes).chain(&other.additions);
        one.exposes && accesses.any(is_in_memory)
    }

    /// Whether what one of them changes is something that the other one reads or changes.
    fn disturbs(&self, one: &Footprint, other: &Footprint) -> bool {
        self.meet(&one.writes, &other.reads)
            || self.meet(&one.writes, &other.writes)
            || self.meet(&one.writes, &other.additions)
            || self.meet(&one.additions, &other.reads)
    }

    /// Whether two sets may have a place in common.
    fn meet(&self, one: &HashSet<Access>, other: &HashSet<Access>) -> bool {
        let is_met =
            |access: &Access| other.contains(access) || other.iter().any(|other| self.may_be_one(access, other));
        one.iter().any(is_met)
    }

    fn may_be_one(&self, one: &Access, other: &Access) -> bool {
        let are_members_apart = match (one.member, other.member) {
            (Some((record, field)), Some((other_record, other_field))) => {
                record == other_record && field != other_field && !self.types.record(record).is_union
            }
            _ => false,
        };
        let are_elements_apart = match (one.element, other.element) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        };
        let is_reached = |variable: VariableId| self.addressed.contains(&variable);
        let is_same_object = match (one.variable, other.variable) {
            (Some(one), Some(other)) => one == other,
            (Some(variable), None) | (None, Some(variable)) => is_reached(variable),
            (None, None) => true,
        };
        // What is found by name is at one place whatever it is accessed as, and members of a union are, too.
        let is_named = one.variable.is_some() && one.variable == other.variable;
        let is_overlay = |access: &Access| {
            access
                .member
                .is_some_and(|(record, _)| self.types.record(record).is_union)
        };
        let is_list = one.kind == Kind::List || other.kind == Kind::List;
        let is_any = one.kind == Kind::Any || other.kind == Kind::Any || is_overlay(one) || is_overlay(other);
        let is_same_kind = one.kind == other.kind || is_named || (is_any && !is_list);
        is_same_object && is_same_kind && !are_members_apart && !are_elements_apart
    }
}
