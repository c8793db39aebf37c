//! Operands and arguments whose order C leaves open (C11 6.5, 6.5.2.2): where one of them changes what another one reads or
//! changes, compilers give different results, and the program is refused there.
//!
//! What functions change is known only when all have been read. So a mark (an instruction without effect) stays where operands
//! might conflict, with what each of them accesses; in the end it goes away, or becomes the refusal.
//!
//! Calls that end the run conflict with those that come to the error. That one of two calls may never return is not looked at.

use super::footprints::{Access, Footprint, Kind};
use super::graph::Mark;
use super::{Semantics, Value};
use crate::c::program::{Callee, Effect, InstructionKind, Place, PlaceBase, VariableId, VariableRole};
use crate::c::syntax::Span;
use crate::c::types::Types;
use hashbrown::{HashMap, HashSet};

/// Operands whose order is open.
pub(super) struct Operands {
    /// Where the first one begins.
    start: Mark,
    /// Where the last one that is known ends.
    end: Mark,
    known: Vec<Footprint>,
}

impl Operands {
    /// Whether evaluating them has changed nothing.
    pub(super) fn are_quiet(&self) -> bool {
        self.known.iter().all(Footprint::is_quiet)
    }
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
        let mut footprint = self.evaluated_since(operands.end);
        self.add_value(&mut footprint, value);
        self.add_footprint(operands, footprint);
    }

    /// The same for a place that has been found; what is there is not read.
    pub(super) fn add_operand_place(&self, operands: &mut Operands, place: &Place) {
        let mut footprint = self.evaluated_since(operands.end);
        self.add_path(&mut footprint, place);
        self.add_footprint(operands, footprint);
    }

    /// The same for what is called.
    pub(super) fn add_callee(&self, operands: &mut Operands, callee: &Callee) {
        if let Callee::Address(pointer) = callee {
            self.add_operand(operands, pointer);
        }
    }

    fn add_footprint(&self, operands: &mut Operands, footprint: Footprint) {
        operands.known.push(footprint);
        operands.end = self.state.graph.mark();
    }

    fn evaluated_since(&self, mark: Mark) -> Footprint {
        let mut footprint = Footprint::default();
        let (instructions, ends) = self.state.graph.reached_since(mark);
        for instruction in instructions {
            self.add_instruction(&mut footprint, instruction);
        }
        for terminator in ends {
            self.add_terminator(&mut footprint, terminator);
        }
        footprint
    }

    /// Notes that the order of operands is open, all of which have been evaluated. Marks in the graph that are behind the
    /// beginning of the first one are moved by it, so that nothing else is to be done with them.
    pub(super) fn unsequenced(&mut self, operands: Operands, span: Span) {
        let Operands { start, known, .. } = operands;
        let operands: Vec<Footprint> = known.into_iter().filter(|operand| !operand.is_empty()).collect();
        if operands.len() < 2 || operands.iter().all(Footprint::is_quiet) {
            return;
        }
        let mark = self.add_variable("order", Types::INT, VariableRole::Temporary, span);
        self.open_orders.insert(mark, operands);
        let refusal = InstructionKind::Unsupported {
            what: "side effects in an order that C leaves open".to_string(),
            effect: Effect::Changes(vec![self.variable_place(mark)]),
        };
        self.state.graph.insert(start, refusal, span);
    }

    /// Leaves the marks of operands that conflict, as refusals, and no others.
    pub(super) fn settle_orders(&mut self) {
        let open = std::mem::take(&mut self.open_orders);
        if open.is_empty() {
            return;
        }
        let summaries = self.summaries();
        let conflicting: HashSet<VariableId> = open
            .iter()
            .filter(|(_, operands)| self.conflict(operands, &summaries))
            .map(|(variable, _)| *variable)
            .collect();
        let mut bodies: Vec<_> = self
            .functions
            .iter_mut()
            .filter_map(|function| function.body.as_mut())
            .collect();
        for instructions in bodies
            .iter_mut()
            .flat_map(|body| &mut body.blocks)
            .map(|block| &mut block.instructions)
        {
            instructions.retain_mut(|instruction| {
                let InstructionKind::Unsupported { effect, .. } = &mut instruction.kind else {
                    return true;
                };
                let [
                    Place {
                        base: PlaceBase::Variable(mark),
                        ..
                    },
                ] = effect.changes()
                else {
                    return true;
                };
                if !open.contains_key(mark) {
                    return true;
                }
                let conflicts = conflicting.contains(mark);
                *effect = Effect::Anything;
                conflicts
            });
        }
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

    fn conflict(&self, operands: &[Footprint], summaries: &[Footprint]) -> bool {
        let whole = |operand: &Footprint| {
            let mut whole = operand.clone();
            let valued = self.valued.iter().filter(|_| operand.calls_any);
            for callee in operand.calls.iter().chain(valued) {
                if let Some(callee) = summaries.get(callee.0 as usize) {
                    whole.merge(callee);
                }
            }
            whole
        };
        let operands: Vec<Footprint> = operands.iter().map(whole).collect();
        operands.iter().enumerate().any(|(position, one)| {
            operands.iter().skip(position + 1).any(|other| {
                self.disturbs(one, other)
                    || self.disturbs(other, one)
                    || (one.may_end && other.may_fail)
                    || (one.may_fail && other.may_end)
            })
        })
    }

    /// Whether what one of them changes is something that the other one reads or changes.
    fn disturbs(&self, one: &Footprint, other: &Footprint) -> bool {
        let is_in_memory = |access: &Access| match access.variable {
            Some(variable) => {
                self.variable(variable).role == VariableRole::Global || self.addressed.contains(&variable)
            }
            None => true,
        };
        let mut accesses = other.reads.iter().chain(&other.writes).chain(&other.additions);
        self.meet(&one.writes, &other.reads)
            || self.meet(&one.writes, &other.writes)
            || self.meet(&one.writes, &other.additions)
            || self.meet(&one.additions, &other.reads)
            || (one.exposes && accesses.any(is_in_memory))
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

/// The operands whose order is open, by the variables that their marks change.
pub(super) type OpenOrders = HashMap<VariableId, Vec<Footprint>>;
