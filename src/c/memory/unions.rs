//! Unions whose members are written as one type and read as another: what such a read gives depends on bytes.

use crate::c::inline::Inlined;
use crate::c::points_to::PointsTo;
use crate::c::points_to::locations::LocationId;
use crate::c::program::{
    CopySource, Expression, ExpressionKind, InstructionKind, Numeric, Place, PlaceBase, PlaceStep, Terminator,
};
use crate::c::types::Type;
use hashbrown::HashSet;

struct Search<'p> {
    inlined: &'p Inlined,
    points_to: &'p PointsTo,
    read: HashSet<LocationId>,
    written: HashSet<LocationId>,
}

/// The members of unions that are read although another member may be written.
pub fn conflicting(inlined: &Inlined, points_to: &PointsTo) -> HashSet<LocationId> {
    let mut search = Search {
        inlined,
        points_to,
        read: HashSet::new(),
        written: HashSet::new(),
    };
    if !points_to
        .locations
        .locations
        .iter()
        .any(|location| search.is_union(location.element))
    {
        return HashSet::new();
    }
    for block in inlined.blocks() {
        for instruction in &block.instructions {
            search.instruction(&instruction.kind);
        }
        match &block.terminator {
            Terminator::Branch { condition, .. } => search.expression(condition),
            Terminator::Switch { value, .. } => search.expression(value),
            _ => {}
        }
    }
    let mut found = HashSet::new();
    for (index, location) in points_to.locations.locations.iter().enumerate() {
        if !search.is_union(location.element) || points_to.locations.is_somewhere(LocationId(index as u32)) {
            continue;
        }
        for child in &location.children {
            let others_written = location
                .children
                .iter()
                .any(|other| other != child && search.written.contains(other));
            if search.read.contains(child) && others_written {
                found.insert(*child);
            }
        }
    }
    found
}

impl Search<'_> {
    fn is_union(&self, kind: crate::c::types::TypeId) -> bool {
        let types = &self.inlined.program.types;
        matches!(types.get(kind), Type::Record(record) if types.record(*record).is_union)
    }

    fn mark(&mut self, place: &Place, is_read: bool) {
        for location in self.points_to.place(&self.inlined.program.types, place) {
            let mut current = Some(location);
            while let Some(inner) = current {
                match is_read {
                    true => self.read.insert(inner),
                    false => self.written.insert(inner),
                };
                current = self.points_to.locations.get(inner).parent.map(|(parent, _)| parent);
            }
        }
    }

    fn instruction(&mut self, instruction: &InstructionKind) {
        match instruction {
            InstructionKind::Assign { target, value } => {
                self.inside(target);
                // A copy of a whole union copies all members.
                if value.numeric != Numeric::Aggregate || self.is_inside_union(target) {
                    self.mark(target, false);
                }
                self.expression(value);
            }
            InstructionKind::Allocate { target, count, .. } => {
                self.inside(target);
                self.mark(target, false);
                count.iter().for_each(|count| self.expression(count));
            }
            InstructionKind::Unknown { target, .. } => {
                self.inside(target);
                self.mark(target, false);
            }
            InstructionKind::Zero { target } => self.inside(target),
            InstructionKind::Call { .. } => {}
            InstructionKind::Assume(value) | InstructionKind::Free(value) => self.expression(value),
            InstructionKind::Copy {
                target, source, count, ..
            } => {
                self.expression(target);
                if let CopySource::Address(source) = source {
                    self.expression(source);
                }
                self.expression(count);
            }
            InstructionKind::Print(values) => values.iter().for_each(|value| self.expression(value)),
            InstructionKind::Unsupported { changes, .. } => changes.iter().for_each(|place| self.inside(place)),
        }
    }

    /// Whether a place is a proper part of a union.
    fn is_inside_union(&self, place: &Place) -> bool {
        place.steps.iter().any(|step| matches!(step, PlaceStep::Field(_)))
    }

    /// The expressions inside a place.
    fn inside(&mut self, place: &Place) {
        if let PlaceBase::Dereference(pointer) = &place.base {
            self.expression(pointer);
        }
        for step in &place.steps {
            if let PlaceStep::Index(index) = step {
                self.expression(index);
            }
        }
    }

    fn expression(&mut self, expression: &Expression<Place>) {
        match &expression.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Floating(_) | ExpressionKind::FunctionAddress(_) => {}
            ExpressionKind::Read(place) => {
                self.inside(place);
                if expression.numeric != Numeric::Aggregate || self.is_inside_union(place) {
                    self.mark(place, true);
                }
            }
            ExpressionKind::AddressOf(place) => self.inside(place),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => self.expression(operand),
            ExpressionKind::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Conditional(condition, left, right) => {
                self.expression(condition);
                self.expression(left);
                self.expression(right);
            }
        }
    }
}
