//! What evaluating something accesses, as far as it is told apart: by variables, by the kinds of values where pointers are
//! followed, and by members of structs; not by elements of arrays, but for those of variables with
//! constant indices. `unsequenced` compares it.

use super::{Semantics, Value};
use crate::orders::is_addition;
use crate::program::{
    Callee, Check, CopySource, ExpressionKind, FunctionId, Instruction, InstructionKind, Numeric, Place, PlaceBase,
    PlaceStep, Terminator, VariableId,
};
use crate::types::{RecordId, Type, TypeId};
use hashbrown::HashSet;
use num_traits::ToPrimitive;

/// What is accessed, as far as it is told apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Access {
    /// The variable; `None` where a pointer is followed.
    pub(super) variable: Option<VariableId>,
    pub(super) kind: Kind,
    /// The last member on the way, if the way goes on to nothing but elements.
    pub(super) member: Option<(RecordId, usize)>,
    /// The element of a variable that is an array, if its index is a constant.
    pub(super) element: Option<u64>,
}

/// What kind of value is accessed. Values of different kinds are not at one place (C11 6.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Integer(u32),
    Floating(u32),
    Pointer,
    /// Characters, which may be parts of everything, and whole structs.
    Any,
    /// Where a list of variable arguments is. No pointer of the program leads there.
    List,
}

/// What evaluating something accesses, and whom it calls.
#[derive(Clone, Default, Debug)]
pub(super) struct Footprint {
    pub(super) reads: HashSet<Access>,
    pub(super) writes: HashSet<Access>,
    /// Integer variables to which a constant is added, which may be done in any order.
    pub(super) additions: HashSet<Access>,
    pub(super) calls: HashSet<FunctionId>,
    /// Whether it calls through a pointer.
    pub(super) calls_any: bool,
    /// Whether code that is not there may change memory. What it leaves is unknown, in whatever order that is done.
    pub(super) exposes: bool,
    /// Whether the run may end there without an error.
    pub(super) may_end: bool,
    /// Whether it may come to the error.
    pub(super) may_fail: bool,
}

impl Footprint {
    pub(super) fn is_quiet(&self) -> bool {
        let changes = !self.writes.is_empty() || !self.additions.is_empty() || self.exposes;
        let calls = self.calls_any || !self.calls.is_empty();
        !changes && !calls && !self.may_end && !self.may_fail
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is_quiet() && self.reads.is_empty()
    }

    pub(super) fn merge(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.additions.extend(&other.additions);
        self.exposes |= other.exposes;
        self.may_end |= other.may_end;
        self.may_fail |= other.may_fail;
    }

    /// How much is known of it.
    pub(super) fn size(&self) -> usize {
        let accesses = self.reads.len() + self.writes.len() + self.additions.len();
        accesses + usize::from(self.exposes) + usize::from(self.may_end) + usize::from(self.may_fail)
    }
}

impl Semantics<'_, '_> {
    fn access(&self, place: &Place) -> Access {
        let mut kind = match &place.base {
            PlaceBase::Variable(variable) => self.variable(*variable).kind,
            PlaceBase::Dereference(pointer) => match *self.types.get(pointer.c_type) {
                Type::Pointer(target) => target,
                _ => place.kind,
            },
        };
        let mut member = None;
        for step in &place.steps {
            match (step, self.types.get(kind)) {
                (PlaceStep::Field(field), Type::Record(record)) => {
                    member = Some((*record, *field));
                    let fields = self.types.record(*record).fields.as_deref().unwrap_or(&[]);
                    kind = fields.get(*field).map_or(place.kind, |field| field.kind);
                }
                (PlaceStep::Index(_), Type::Array(element, _)) => kind = *element,
                _ => member = None,
            }
        }
        let variable = match place.base {
            PlaceBase::Variable(variable) => Some(variable),
            PlaceBase::Dereference(_) => None,
        };
        let element = match place.steps.first() {
            Some(PlaceStep::Index(index)) if variable.is_some() => match &index.kind {
                ExpressionKind::Integer(number) => number.to_u64(),
                _ => None,
            },
            _ => None,
        };
        Access {
            variable,
            element,
            kind: self.kind_of_access(place.kind),
            member,
        }
    }

    fn list(&self, place: &Place) -> Access {
        Access {
            kind: Kind::List,
            ..self.access(place)
        }
    }

    fn kind_of_access(&self, kind: TypeId) -> Kind {
        match self.types.get(kind) {
            Type::Integer(integer) if integer.bits > 8 => Kind::Integer(integer.bits),
            Type::Floating(bits) => Kind::Floating(*bits),
            Type::Pointer(_) => Kind::Pointer,
            Type::Array(element, _) => self.kind_of_access(*element),
            _ => Kind::Any,
        }
    }

    pub(super) fn add_value(&self, footprint: &mut Footprint, value: &Value) {
        match &value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Floating(_) | ExpressionKind::FunctionAddress(_) => {}
            ExpressionKind::Read(place) => {
                footprint.reads.insert(self.access(place));
                self.add_path(footprint, place);
            }
            ExpressionKind::AddressOf(place) => self.add_path(footprint, place),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => {
                self.add_value(footprint, operand);
            }
            ExpressionKind::Binary(_, left, right) => {
                self.add_value(footprint, left);
                self.add_value(footprint, right);
            }
            ExpressionKind::Conditional(condition, consequence, alternative)
            | ExpressionKind::Fused(condition, consequence, alternative) => {
                for part in [condition, consequence, alternative] {
                    self.add_value(footprint, part);
                }
            }
        }
    }

    /// What is read to find a place.
    pub(super) fn add_path(&self, footprint: &mut Footprint, place: &Place) {
        if let PlaceBase::Dereference(pointer) = &place.base {
            self.add_value(footprint, pointer);
        }
        for step in &place.steps {
            if let PlaceStep::Index(index) = step {
                self.add_value(footprint, index);
            }
        }
    }

    fn add_write(&self, footprint: &mut Footprint, place: &Place) {
        footprint.writes.insert(self.access(place));
        self.add_path(footprint, place);
    }

    pub(super) fn add_terminator(&self, footprint: &mut Footprint, terminator: &Terminator) {
        match terminator {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                self.add_value(footprint, value);
            }
            Terminator::Stop => footprint.may_end = true,
            Terminator::Error(_) => footprint.may_fail = true,
            Terminator::Goto(_) | Terminator::Call { .. } | Terminator::Return => {}
        }
    }

    pub(super) fn add_instruction(&self, footprint: &mut Footprint, instruction: &Instruction) {
        // What lies behind an address, whatever it is.
        let memory = |kind: Kind| Access {
            variable: None,
            kind,
            member: None,
            element: None,
        };
        match &instruction.kind {
            InstructionKind::Assign { target, value } if is_addition(target, value) => {
                footprint.additions.insert(self.access(target));
            }
            InstructionKind::Assign { target, value } => {
                self.add_value(footprint, value);
                self.add_write(footprint, target);
            }
            InstructionKind::Unknown { target, .. } | InstructionKind::Zero { target } => {
                self.add_write(footprint, target);
            }
            InstructionKind::Allocate {
                target, count, moved, ..
            } => {
                count.iter().for_each(|count| self.add_value(footprint, count));
                self.add_write(footprint, target);
                if let Some(old) = moved {
                    self.add_value(footprint, old);
                    footprint.reads.insert(memory(Kind::Any));
                }
            }
            InstructionKind::Call {
                target,
                callee,
                arguments,
                kind: _,
            } => {
                arguments
                    .iter()
                    .for_each(|argument| self.add_value(footprint, argument));
                target.iter().for_each(|target| self.add_write(footprint, target));
                match callee {
                    Callee::Function(function) => {
                        footprint.calls.insert(*function);
                        let is_elsewhere = !self.has_body(*function);
                        if is_elsewhere && arguments.iter().any(|argument| argument.numeric == Numeric::Pointer) {
                            footprint.exposes = true;
                        }
                    }
                    Callee::Address(pointer) => {
                        self.add_value(footprint, pointer);
                        footprint.calls_any = true;
                    }
                }
            }
            InstructionKind::Assume(condition) => {
                self.add_value(footprint, condition);
                footprint.may_end = true;
            }
            InstructionKind::Ask { target, asked } => {
                self.add_value(footprint, &asked.pointer);
                asked.bytes.iter().for_each(|bytes| self.add_value(footprint, bytes));
                self.add_write(footprint, target);
            }
            InstructionKind::Free(pointer) => self.add_value(footprint, pointer),
            InstructionKind::Copy {
                target,
                source,
                element,
                count,
            } => {
                let kind = self.kind_of_access(*element);
                self.add_value(footprint, target);
                self.add_value(footprint, count);
                footprint.writes.insert(memory(kind));
                if let CopySource::Address(source) = source {
                    self.add_value(footprint, source);
                    footprint.reads.insert(memory(kind));
                }
            }
            InstructionKind::StartArguments { list } => {
                footprint.writes.insert(self.list(list));
                self.add_path(footprint, list);
            }
            InstructionKind::NextArgument { list, target } => {
                footprint.writes.insert(self.list(list));
                self.add_path(footprint, list);
                self.add_write(footprint, target);
            }
            InstructionKind::Print(values) => values.iter().for_each(|value| self.add_value(footprint, value)),
            InstructionKind::Expose { pointers, reach, .. } => {
                pointers.iter().for_each(|pointer| self.add_value(footprint, pointer));
                footprint.exposes |= reach.changes();
            }
            InstructionKind::Unsupported { effect, .. } => {
                effect
                    .changes()
                    .iter()
                    .for_each(|place| self.add_write(footprint, place));
            }
            // What checks look at is read by something else, too.
            InstructionKind::Check(
                Check::Bytes { .. }
                | Check::Apart { .. }
                | Check::Length(_)
                | Check::Set(_)
                | Check::Text(_)
                | Check::Unmeasured(_)
                | Check::Begins(_)
                | Check::Ends(_),
            ) => {}
        }
    }
}
