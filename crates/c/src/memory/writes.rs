//! Values that are put where a place may be: into one leaf, into one of several, or into bytes.

use super::access::{Spot, index_of};
use super::{Context, Lowering, build};
use crate::flat::{FlatExpression, FlatInstructionKind, FlatVariable};
use hashbrown::HashSet;

impl Lowering<'_> {
    /// The leaves at the spots get the value, each if it is the one.
    pub(super) fn write(&mut self, spots: &[Spot], value: &FlatExpression) {
        let kept = self.kept_for_spreading(spots);
        let spots = kept.as_deref().unwrap_or(spots);
        for (position, spot) in spots.iter().enumerate() {
            if let Some(bytes) = &spot.bytes {
                let condition = spot.condition.as_ref().filter(|_| spots.len() > 1);
                if let Err(obstacle) = self.write_bytes(spot, bytes, value, condition) {
                    self.unsupported_write(obstacle);
                }
                continue;
            }
            let Some((variable, old)) = self.leaf(spot) else {
                let obstacle = self.obstacle("a change of something that is no number".to_string(), &[spot.location]);
                self.unsupported_write(obstacle);
                continue;
            };
            let info = &self.layout.variables[variable.0 as usize];
            let (numeric, is_array) = (info.numeric, info.is_array);
            let new = build::converted(value.clone(), numeric, old.c_type, self.types.size_type());
            // Outside all objects the run has ended; where it goes on, nothing but the last object may take the value.
            let is_only = spots.len() == 1 && position == 0;
            let new = match (&spot.condition, is_only) {
                (Some(condition), false) => build::conditional(condition.clone(), new, old),
                _ => new,
            };
            self.push(match is_array {
                false => FlatInstructionKind::Assign(variable, new),
                true => FlatInstructionKind::Store {
                    array: variable,
                    index: index_of(spot),
                    value: new,
                },
            });
        }
        self.note_set(spots, true);
        self.spread(spots);
    }

    /// A leaf gets a value of its type.
    pub(super) fn put(&mut self, spot: &Spot, value: FlatExpression) {
        let Some(variable) = self.layout.leaf(spot.location) else {
            return;
        };
        self.push(match self.layout.variables[variable.0 as usize].is_array {
            false => FlatInstructionKind::Assign(variable, value),
            true => FlatInstructionKind::Store {
                array: variable,
                index: index_of(spot),
                value,
            },
        });
    }

    /// The spots with conditions and indices that stay the same while the leaves at them change.
    pub(super) fn steady(&mut self, spots: Vec<Spot>, context: Context<'_>) -> Vec<Spot> {
        if spots.len() < 2 {
            return spots;
        }
        let changed: HashSet<FlatVariable> = spots
            .iter()
            .filter_map(|spot| self.layout.leaf(spot.location))
            .collect();
        let mut steady = Vec::with_capacity(spots.len());
        for mut spot in spots {
            if let Some(condition) = spot.condition.take_if(|condition| build::reads(condition, &changed)) {
                spot.condition = Some(self.hoisted(condition, context, "is_target"));
            }
            if let Some(index) = spot.index.take_if(|index| build::reads(index, &changed)) {
                spot.index = Some(self.hoisted(index, context, "index"));
            }
            steady.push(spot);
        }
        steady
    }
}
