//! Items of an initializer that take each other's place, be it in a union or because a designator goes back: what becomes of the
//! values of the earlier one, and which side effects C leaves open there.

use super::initializers::{Part, Parts, initializer_span};
use super::{Checked, Semantics};
use crate::program::{Effect, ExpressionKind, InstructionKind, Place, PlaceStep};
use crate::syntax::{ExpressionKind as Kind, Initializer, InitializerItem, Span};
use crate::types::{Type, TypeId};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// Which member of each union inside an object has got a value, by the way there.
pub(super) type Chosen = BTreeMap<Vec<BigInt>, usize>;

impl<'a> Semantics<'a, '_> {
    /// A part is about to get a value, in an object of which these members of unions have got one. Another member of a union
    /// takes the place of all that it had, which is zero then. Whether that was so.
    pub(super) fn displace(&mut self, place: &Place, part: &Part<'a>, chosen: &mut Chosen, span: Span) -> bool {
        let (mut path, mut kind) = (Vec::new(), place.kind);
        let mut is_displaced = false;
        for (position, step) in part.steps.iter().enumerate() {
            let number = match step {
                PlaceStep::Field(field) => BigInt::from(*field),
                PlaceStep::Index(index) => match &index.kind {
                    ExpressionKind::Integer(number) => number.clone(),
                    _ => return is_displaced,
                },
            };
            let inner = match (step, self.types.get(kind)) {
                (PlaceStep::Field(field), Type::Record(record)) => {
                    let record = self.types.record(*record);
                    let fields = record.fields.as_deref().unwrap_or(&[]);
                    let Some(found) = fields.get(*field).map(|found| found.kind) else {
                        return is_displaced;
                    };
                    if record.is_union
                        && chosen
                            .insert(path.clone(), *field)
                            .is_some_and(|earlier| earlier != *field)
                    {
                        let mut target = place.clone();
                        target.steps.extend(part.steps[..position].iter().cloned());
                        target.kind = kind;
                        self.emit(InstructionKind::Zero { target }, span);
                        chosen.retain(|other, _| other.len() <= path.len() || !other.starts_with(&path));
                        is_displaced = true;
                    }
                    found
                }
                (PlaceStep::Index(_), Type::Array(element, _)) => *element,
                _ => return is_displaced,
            };
            path.push(number);
            kind = inner;
        }
        // What is given as a whole has no earlier parts.
        chosen.retain(|other, _| !other.starts_with(&path));
        is_displaced
    }

    /// C leaves open whether an item that a later one takes back is evaluated; one for a range is evaluated once; and those for
    /// which there is no part are not.
    pub(super) fn refuse_lost_effects(
        &mut self,
        kind: TypeId,
        parts: &Parts<'a>,
        items: &'a [InitializerItem<'a>],
    ) -> Checked<()> {
        let is_designated = items.iter().any(|item| !item.designators.is_empty());
        if is_designated && self.changes_copy(kind, parts) {
            let what = "a value for a part of a struct that the same list copies as a whole".to_string();
            let effect = Effect::Anything;
            let span = items
                .first()
                .map_or_else(Span::default, |item| initializer_span(item.value));
            self.emit(InstructionKind::Unsupported { what, effect }, span);
        }
        let doubtful = match is_designated && self.overlap(kind, parts) {
            true => items,
            false => items.get(parts.taken..).unwrap_or_default(),
        };
        // Compilers evaluate the items in the order of what they are for, and C leaves it open.
        let is_in_order = !is_designated || self.paths(kind, parts).is_sorted();
        let displaced = match is_in_order || items.iter().filter(|item| !is_literal(item)).count() < 2 {
            true => &[],
            false => items,
        };
        let refused = [
            (
                displaced,
                "side effects in initializers in another order than what they are for",
            ),
            (
                doubtful,
                "side effects in an initializer that may be taken back by another one",
            ),
        ];
        for (items, what) in refused {
            for item in items {
                if self.has_effects(item.value)? {
                    let (what, effect) = (what.to_string(), Effect::Anything);
                    self.emit(
                        InstructionKind::Unsupported { what, effect },
                        initializer_span(item.value),
                    );
                }
            }
        }
        Ok(())
    }

    /// Whether a part gets a value of which a copied struct has given one already: compilers keep the rest of the copy, or not.
    fn changes_copy(&self, kind: TypeId, parts: &Parts<'a>) -> bool {
        let is_copy = |part: &Part<'a>| {
            matches!(part.value, Initializer::Expression(_)) && matches!(self.types.get(part.kind), Type::Record(_))
        };
        if !parts.list.iter().any(is_copy) {
            return false;
        }
        let paths = self.paths(kind, parts);
        let mut sorted: Vec<(&Vec<BigInt>, bool)> = paths.iter().zip(parts.list.iter().map(is_copy)).collect();
        sorted.sort_unstable();
        let within =
            |pair: &[(&Vec<BigInt>, bool)]| pair[0].1 && pair[1].0.starts_with(pair[0].0) && pair[1].0 != pair[0].0;
        sorted.windows(2).any(within)
    }

    /// Whether two parts are the same, or one is a part of the other, or both get the value of one item.
    fn overlap(&self, kind: TypeId, parts: &Parts<'a>) -> bool {
        let mut paths = self.paths(kind, parts);
        paths.sort_unstable();
        // What begins with a path comes right behind it.
        paths.windows(2).any(|pair| pair[1].starts_with(&pair[0]))
            || parts
                .list
                .windows(2)
                .any(|pair| std::ptr::eq(pair[0].value, pair[1].value))
    }

    /// The ways to the parts, as numbers; those inside a union end at it, for its members take each other's place.
    fn paths(&self, kind: TypeId, parts: &Parts<'a>) -> Vec<Vec<BigInt>> {
        let mut paths: Vec<Vec<BigInt>> = Vec::with_capacity(parts.list.len());
        for part in &parts.list {
            let (mut path, mut kind) = (Vec::new(), kind);
            for step in &part.steps {
                kind = match (step, self.types.get(kind)) {
                    (PlaceStep::Field(_), Type::Record(record)) if self.types.record(*record).is_union => break,
                    (PlaceStep::Field(field), Type::Record(record)) => {
                        path.push(BigInt::from(*field));
                        let fields = self.types.record(*record).fields.as_deref().unwrap_or(&[]);
                        fields.get(*field).map_or(kind, |field| field.kind)
                    }
                    (PlaceStep::Index(index), Type::Array(element, _)) => {
                        if let ExpressionKind::Integer(number) = &index.kind {
                            path.push(number.clone());
                        }
                        *element
                    }
                    _ => break,
                };
            }
            paths.push(path);
        }
        paths
    }

    fn has_effects(&mut self, initializer: &'a Initializer<'a>) -> Checked<bool> {
        match initializer {
            Initializer::Expression(expression) => {
                let (value, has_effects) = self.unevaluated_with_effects(|semantics| semantics.value(expression));
                value.map(|_| has_effects)
            }
            Initializer::List(items, _) => {
                for item in *items {
                    if self.has_effects(item.value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}

/// Whether the value is the same whenever it is evaluated.
fn is_literal(item: &InitializerItem<'_>) -> bool {
    let Initializer::Expression(expression) = item.value else {
        return false;
    };
    matches!(
        expression.kind,
        Kind::Integer(_) | Kind::Floating(_) | Kind::Character(_)
    )
}
