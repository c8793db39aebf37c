//! Affine spaces: points and directions that span them, and the equations that hold everywhere on them.

use crate::terms::{LinearForm, Rational, TermId};
use num_traits::{One, Zero};

/// A point or direction: the values of parameters, and as constant one for a point, zero for a direction (or any multiple).
pub(crate) type Vector = LinearForm;

/// The space of a predicate: independent vectors, each with a coordinate, its pivot, that no later one has. The pivot
/// `None` is the constant.
#[derive(Clone, Default)]
pub(crate) struct Space {
    pub(crate) rows: Vec<(Option<TermId>, Vector)>,
}

impl Space {
    /// What the space does not contain of a vector: nothing if it is zero.
    pub(crate) fn remainder(&self, mut vector: Vector, subtractions: &mut u32) -> Vector {
        for (pivot, row) in &self.rows {
            let factor = coordinate(&vector, *pivot);
            if !factor.is_zero() {
                *subtractions = subtractions.saturating_sub(1);
                vector = vector.add_scaled(row, &-factor);
            }
        }
        vector
    }

    /// Adds a vector that the space does not contain, scaled so that its pivot is one; `None` if it is zero.
    pub(crate) fn add(&mut self, vector: &Vector) -> Option<Vector> {
        let (pivot, value) = match vector.terms.first() {
            Some((term, value)) => (Some(*term), value.clone()),
            None if vector.constant.is_zero() => return None,
            None => (None, vector.constant.clone()),
        };
        let row = vector.scaled(&value.recip());
        self.rows.push((pivot, row.clone()));
        Some(row)
    }

    /// Forms that are zero on the whole space, one for each coordinate that is no pivot.
    pub(crate) fn equations(&self, parameters: &[TermId], subtractions: &mut u32) -> Vec<LinearForm> {
        // Every pivot out of all other rows: the later rows have no earlier pivots already.
        let mut reduced: Vec<(Option<TermId>, Vector)> = Vec::new();
        for (index, (pivot, row)) in self.rows.iter().enumerate() {
            let later = Space {
                rows: self.rows[index + 1..].to_vec(),
            };
            reduced.push((*pivot, later.remainder(row.clone(), subtractions)));
        }
        let is_pivot = |place: Option<TermId>| reduced.iter().any(|(pivot, _)| *pivot == place);
        let places = parameters.iter().copied().map(Some).chain([None]);
        let free = places.filter(|place| !is_pivot(*place));
        let equation = |place: Option<TermId>| {
            let mut form = LinearForm::constant(Rational::zero());
            let mut add = |place: Option<TermId>, value: Rational| match place {
                Some(term) => form.terms.push((term, value)),
                None => form.constant += value,
            };
            add(place, Rational::one());
            for (pivot, row) in &reduced {
                let value = coordinate(row, place);
                if !value.is_zero() {
                    add(*pivot, -value);
                }
            }
            form.terms.sort_by_key(|(term, _)| *term);
            form
        };
        free.map(equation).collect()
    }
}

pub(crate) fn coordinate(vector: &Vector, place: Option<TermId>) -> Rational {
    match place {
        Some(term) => vector.coefficient(term),
        None => vector.constant.clone(),
    }
}
