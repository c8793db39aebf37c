//! Reads of variables that have no value yet (`--check uninitialized`): for each number in a local variable that is declared
//! without one, the flat program keeps a variable that says whether it has a value by now. Arrays are left out, and so is
//! allocated memory: what they hold is some value, whichever it is.

use super::access::Spot;
use super::lifetime::FLAG;
use super::{Context, Lowering, build};
use crate::flat::{Failure, FlatExpression, FlatInstructionKind, FlatVariable};
use crate::inline::Inlined;
use crate::points_to::locations::{LocationId, ObjectKind};
use crate::program::{
    ErrorKind, ExpressionKind, InstructionKind, Numeric, Place, PlaceBase, UnknownSource, VariableId, VariableRole,
};
use crate::types::{Type, Types};
use std::collections::BTreeSet;

/// The variables that have no value where they are declared, and the local ones to which these are copied as a whole.
pub(super) fn without_value(inlined: &Inlined) -> BTreeSet<VariableId> {
    let base = |place: &Place| match place.base {
        PlaceBase::Variable(variable) => Some(variable),
        PlaceBase::Dereference(_) => None,
    };
    let is_local = |variable: VariableId| {
        let role = inlined.program.variables[variable.0 as usize].role;
        !matches!(role, VariableRole::Global | VariableRole::Literal)
    };
    let (mut found, mut copies) = (BTreeSet::new(), Vec::new());
    for instruction in inlined.blocks().iter().flat_map(|block| &block.instructions) {
        match &instruction.kind {
            InstructionKind::Unknown {
                target,
                source: UnknownSource::Uninitialized,
            } => found.extend(base(target).filter(|variable| is_local(*variable))),
            InstructionKind::Assign { target, value } if value.numeric == Numeric::Aggregate => {
                if let (Some(to), ExpressionKind::Read(source)) = (base(target), &value.kind) {
                    copies.push((to, base(source)));
                }
            }
            _ => {}
        }
    }
    let mut grows = true;
    while grows {
        grows = false;
        for (to, from) in &copies {
            // What a pointer leads to may be any of them.
            let is_open = from.is_none_or(|from| found.contains(&from));
            grows |= is_open && is_local(*to) && found.insert(*to);
        }
    }
    found
}

impl Lowering<'_> {
    /// The variable that says whether the number has a value, if that is kept track of.
    pub(super) fn flag(&mut self, location: LocationId) -> Option<FlatVariable> {
        if self.ghosts.without_value.is_empty() {
            return None;
        }
        if let Some(flag) = self.ghosts.set.get(&location) {
            return Some(*flag);
        }
        let here = self.points_to.locations.get(location);
        let ObjectKind::Variable(variable) = self.points_to.locations.object(location).kind else {
            return None;
        };
        if here.total != Some(1) || !self.ghosts.without_value.contains(&variable) {
            return None;
        }
        let name = &self.inlined.program.variables[variable.0 as usize].name;
        let name = format!("{name}{}_is_set", self.layout.path(location));
        let flag = self.layout.temporary(&name, FLAG);
        self.layout.variables[flag.0 as usize].activation = self.layout.activation(variable);
        self.ghosts.set.insert(location, flag);
        Some(flag)
    }

    /// What is read has a value.
    pub(super) fn guard_set(&mut self, spots: &[Spot], context: Context<'_>) {
        for spot in spots {
            let Some(flag) = self.flag(spot.location) else { continue };
            let mut condition = build::variable(flag, FLAG, Types::INT);
            if let Some(here) = &spot.condition {
                condition = build::or(build::not(here.clone()), condition);
            }
            let shown = self.shown(spot.location);
            let text = match self.points_to.locations.object(spot.location).kind {
                ObjectKind::Variable(variable)
                    if self.inlined.program.variables[variable.0 as usize].role == VariableRole::Temporary =>
                {
                    "a value is used that was never computed, or not returned".to_string()
                }
                _ => format!("{shown} is read before it has a value"),
            };
            let failure = Failure::about(ErrorKind::Uninitialized, text, Vec::new());
            let Some(others) = self.set_in_other_members(spot.location) else {
                self.guard(failure, condition, context);
                continue;
            };
            if let Some(others) = others {
                self.guard(failure, build::or(condition.clone(), others), context);
            }
            let condition = context.if_evaluated(condition);
            self.refuse_unless(
                condition,
                "a check of reading a member of a union of which another one is used",
            );
        }
    }

    /// Whether other members have a value of the unions that the number is in: some of its bytes then have one, too. Nothing if it
    /// is in no union, and no condition if nobody keeps track of that.
    fn set_in_other_members(&mut self, location: LocationId) -> Option<Option<FlatExpression>> {
        let (mut others, mut current) = (Vec::new(), location);
        let mut is_in_union = false;
        while let Some((parent, _)) = self.points_to.locations.get(current).parent {
            let outer = self.points_to.locations.get(parent);
            if matches!(self.types.get(outer.element), Type::Record(record) if self.types.record(*record).is_union) {
                is_in_union = true;
                others.extend(outer.children.iter().copied().filter(|child| *child != current));
            }
            current = parent;
        }
        if !is_in_union {
            return None;
        }
        let leaves = others
            .into_iter()
            .flat_map(|member| self.points_to.locations.leaves(member));
        let leaves: Vec<LocationId> = leaves.map(|(leaf, _)| leaf).collect();
        let mut any = build::truth(false);
        for leaf in leaves {
            match self.flag(leaf) {
                Some(flag) => any = build::or(any, build::variable(flag, FLAG, Types::INT)),
                None => return Some(None),
            }
        }
        Some(Some(any))
    }

    /// The numbers at the spots, each if it is the one, have a value from here on, or do not.
    pub(super) fn note_set(&mut self, spots: &[Spot], is_set: bool) {
        let value = build::integer(i32::from(is_set).into(), FLAG, Types::INT);
        self.note(spots, &value);
    }

    fn note(&mut self, spots: &[Spot], value: &FlatExpression) {
        for spot in spots {
            let Some(flag) = self.flag(spot.location) else { continue };
            let value = match (&spot.condition, spots.len()) {
                (Some(here), 2..) => {
                    let old = build::variable(flag, FLAG, Types::INT);
                    build::conditional(here.clone(), value.clone(), old)
                }
                _ => value.clone(),
            };
            self.push(FlatInstructionKind::Assign(flag, value));
        }
    }

    /// A member of a struct has been copied: it has a value if the original has one.
    pub(super) fn note_copied(&mut self, to: &[Spot], from: &[Spot]) {
        if self.ghosts.without_value.is_empty() {
            return;
        }
        let one = build::integer(1.into(), FLAG, Types::INT);
        let mut is_set: Option<FlatExpression> = None;
        for spot in from.iter().rev() {
            let here = match self.flag(spot.location) {
                Some(flag) => build::variable(flag, FLAG, Types::INT),
                None => one.clone(),
            };
            is_set = Some(match (is_set, &spot.condition) {
                (Some(others), Some(condition)) => build::conditional(condition.clone(), here, others),
                _ => here,
            });
        }
        let is_set = is_set.unwrap_or(one);
        for spot in to {
            if self.flag(spot.location).is_none() {
                let what = "a struct with members without a value that is copied out of local variables";
                self.guard_or_refuse(ErrorKind::Uninitialized, is_set.clone(), what, Context::Always);
            }
        }
        self.note(to, &is_set);
    }
}
