//! What operands read and change, by the locations of the points-to analysis.

use super::{Operand, is_addition};
use crate::points_to::PointsTo;
use crate::points_to::locations::{LocationId, Locations, ObjectId, ObjectKind};
use crate::program::{
    Callee, CopySource, Expression, ExpressionKind, FunctionId, InstructionKind, Place, PlaceBase, PlaceStep, Program,
    Terminator, VariableRole,
};
use crate::types::Type;
use crate::visit::{Touch, places_of, places_of_instruction};
use hashbrown::{HashMap, HashSet};
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

/// A location, and which element it is of a variable that is an array, if its index is a constant.
type Spot = (LocationId, Option<u64>);

/// What is read and changed.
#[derive(Clone, Default)]
pub(super) struct Effects {
    reads: Spots,
    writes: Spots,
    /// Whole integer variables to which constants are added, which may be done in any order.
    additions: Spots,
    calls: BTreeSet<FunctionId>,
}

/// Spots by their objects.
#[derive(Clone, Default)]
struct Spots {
    by_object: HashMap<ObjectId, HashSet<Spot>>,
    /// Whether memory that the program does not show is among them, which may be any.
    is_unknown: bool,
}

impl Spots {
    fn add(&mut self, locations: &Locations, spot: Spot) {
        let object = locations.get(spot.0).object;
        self.is_unknown |= locations.object(spot.0).kind == ObjectKind::Outside;
        self.by_object.entry(object).or_default().insert(spot);
    }

    fn merge(&mut self, other: &Spots) {
        self.is_unknown |= other.is_unknown;
        // Sets, of which nobody sees the order.
        other.by_object.iter().for_each(|(object, spots)| {
            self.by_object.entry(*object).or_default().extend(spots);
        });
    }

    fn size(&self) -> usize {
        self.by_object.values().map(HashSet::len).sum::<usize>() + usize::from(self.is_unknown)
    }

    fn meet(&self, survey: &Survey<'_>, other: &Spots) -> bool {
        if self.is_unknown && !other.by_object.is_empty() || other.is_unknown && !self.by_object.is_empty() {
            return true;
        }
        self.by_object.iter().any(|(object, own)| {
            other.by_object.get(object).is_some_and(|others| {
                let is_met = |one: &Spot| others.iter().any(|other| survey.may_be_one(*one, *other));
                own.iter().any(is_met)
            })
        })
    }
}

impl Effects {
    fn merge(&mut self, other: &Effects) {
        self.reads.merge(&other.reads);
        self.writes.merge(&other.writes);
        self.additions.merge(&other.additions);
    }

    fn size(&self) -> usize {
        self.reads.size() + self.writes.size() + self.additions.size()
    }

    /// Whether one of two operands changes what the other one reads or changes.
    pub(super) fn conflict(&self, survey: &Survey<'_>, other: &Effects) -> bool {
        self.disturbs(survey, other) || other.disturbs(survey, self)
    }

    /// Whether what this changes is something that the other one reads or changes.
    pub(super) fn disturbs(&self, survey: &Survey<'_>, other: &Effects) -> bool {
        self.writes.meet(survey, &other.reads)
            || self.writes.meet(survey, &other.writes)
            || self.writes.meet(survey, &other.additions)
            || self.additions.meet(survey, &other.reads)
    }
}

/// A program, what its pointers point to, and what calls of its functions do.
pub(super) struct Survey<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    /// For each function, what a call of it reads and changes outside of it.
    summaries: Vec<Effects>,
}

impl<'p> Survey<'p> {
    pub(super) fn new(program: &'p Program, points_to: &'p PointsTo) -> Survey<'p> {
        let mut survey = Survey {
            program,
            points_to,
            summaries: Vec::new(),
        };
        let mut summaries = Vec::with_capacity(program.functions.len());
        for function in &program.functions {
            let mut effects = Effects::default();
            for block in function.body.iter().flat_map(|body| &body.blocks) {
                for instruction in &block.instructions {
                    survey.add_instruction(&mut effects, &instruction.kind, Own::LeftOut);
                }
                if let Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } =
                    &block.terminator
                {
                    survey.add_reads(&mut effects, value, Own::LeftOut);
                }
            }
            summaries.push(effects);
        }
        // Every turn adds something to one of finitely many sets.
        loop {
            let mut has_changed = false;
            for function in 0..summaries.len() {
                let mut own = std::mem::take(&mut summaries[function]);
                let before = own.size();
                for callee in own.calls.clone() {
                    if let Some(callee) = summaries.get(callee.0 as usize) {
                        own.merge(callee);
                    }
                }
                has_changed |= own.size() != before;
                summaries[function] = own;
            }
            if !has_changed {
                break;
            }
        }
        survey.summaries = summaries;
        survey
    }

    /// What evaluating an operand does.
    pub(super) fn of_operand(&self, operand: &Operand) -> Effects {
        let mut effects = Effects::default();
        for instruction in &operand.instructions {
            self.add_instruction(&mut effects, instruction, Own::Counted);
        }
        for value in operand.conditions.iter().chain([&operand.value]) {
            self.add_reads(&mut effects, value, Own::Counted);
        }
        self.with_calls(effects)
    }

    /// What one instruction does.
    pub(super) fn of_instruction(&self, instruction: &InstructionKind) -> Effects {
        let mut effects = Effects::default();
        self.add_instruction(&mut effects, instruction, Own::Counted);
        self.with_calls(effects)
    }

    /// What a value that goes to a place changes.
    pub(super) fn of_write(&self, place: &Place) -> Effects {
        let mut effects = Effects::default();
        self.add_place(&mut effects.writes, place, Own::Counted);
        effects
    }

    /// What evaluating an expression reads.
    pub(super) fn of_value(&self, value: &Expression<Place>) -> Effects {
        let mut effects = Effects::default();
        self.add_reads(&mut effects, value, Own::Counted);
        effects
    }

    fn with_calls(&self, mut effects: Effects) -> Effects {
        for callee in effects.calls.clone() {
            if let Some(callee) = self.summaries.get(callee.0 as usize) {
                effects.merge(callee);
            }
        }
        effects
    }

    fn add_instruction(&self, effects: &mut Effects, instruction: &InstructionKind, own: Own) {
        match instruction {
            InstructionKind::Assign { target, value } if is_addition(target, value) => {
                self.add_place(&mut effects.additions, target, own);
                return;
            }
            // What checks look at is read by something else, too.
            InstructionKind::Check(_) => return,
            InstructionKind::Call { callee, .. } => self.add_callee(effects, callee, own),
            InstructionKind::Copy { target, source, .. } => {
                self.add_objects(&mut effects.writes, target);
                if let CopySource::Address(source) = source {
                    self.add_objects(&mut effects.reads, source);
                }
            }
            InstructionKind::Allocate { moved: Some(old), .. } => self.add_objects(&mut effects.reads, old),
            _ => {}
        }
        places_of_instruction(instruction, &mut |place, touch| match touch {
            Touch::Read => self.add_place(&mut effects.reads, place, own),
            Touch::Write | Touch::Clear => self.add_place(&mut effects.writes, place, own),
            Touch::Address => {}
        });
    }

    fn add_callee(&self, effects: &mut Effects, callee: &Callee, own: Own) {
        match callee {
            Callee::Function(function) => {
                effects.calls.insert(*function);
            }
            Callee::Address(pointer) => {
                self.add_reads(effects, pointer, own);
                for target in self.points_to.targets(&self.program.types, pointer) {
                    match self.points_to.locations.object(target).kind {
                        ObjectKind::Function(function) => {
                            effects.calls.insert(function);
                        }
                        _ => effects
                            .writes
                            .add(&self.points_to.locations, (self.points_to.locations.outside, None)),
                    }
                }
            }
        }
    }

    fn add_reads(&self, effects: &mut Effects, value: &Expression<Place>, own: Own) {
        places_of(value, &mut |place, touch| {
            if touch == Touch::Read {
                self.add_place(&mut effects.reads, place, own);
            }
        });
    }

    /// Whatever is in the objects that a pointer points to.
    fn add_objects(&self, spots: &mut Spots, pointer: &Expression<Place>) {
        let locations = &self.points_to.locations;
        for target in self.points_to.targets(&self.program.types, pointer) {
            spots.add(locations, (locations.object(target).somewhere, None));
        }
    }

    fn add_place(&self, spots: &mut Spots, place: &Place, own: Own) {
        let locations = &self.points_to.locations;
        let PlaceBase::Variable(variable) = place.base else {
            for location in self.points_to.touched(&self.program.types, place) {
                spots.add(locations, (location, None));
            }
            return;
        };
        let role = self
            .program
            .variables
            .get(variable.0 as usize)
            .map(|variable| variable.role);
        if own == Own::LeftOut && role != Some(VariableRole::Global) {
            return;
        }
        let mut location = locations.variable(variable);
        for step in &place.steps {
            if let PlaceStep::Field(field) = step {
                match locations.child(location, *field) {
                    Some(child) => location = child,
                    None => break,
                }
            }
        }
        let element = match place.steps.first() {
            Some(PlaceStep::Index(index)) => match &index.kind {
                ExpressionKind::Integer(number) => number.to_u64(),
                _ => None,
            },
            _ => None,
        };
        spots.add(locations, (location, element));
    }

    /// Whether two spots in one object may have something in common.
    fn may_be_one(&self, one: Spot, other: Spot) -> bool {
        let locations = &self.points_to.locations;
        if let (Some(one), Some(other)) = (one.1, other.1)
            && one != other
        {
            return false;
        }
        if locations.is_somewhere(one.0) || locations.is_somewhere(other.0) {
            return true;
        }
        let outward = |location: LocationId| {
            let parent = move |location: &LocationId| locations.get(*location).parent.map(|(parent, _)| parent);
            std::iter::successors(Some(location), parent)
        };
        let around: HashSet<LocationId> = outward(one.0).collect();
        let Some(common) = outward(other.0).find(|location| around.contains(location)) else {
            return true;
        };
        let is_union = matches!(
            self.program.types.get(locations.get(common).element),
            Type::Record(record) if self.program.types.record(*record).is_union
        );
        common == one.0 || common == other.0 || is_union
    }
}

/// What becomes of the variables that a function has for itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    Counted,
    /// Nobody else gets to them by their names.
    LeftOut,
}
