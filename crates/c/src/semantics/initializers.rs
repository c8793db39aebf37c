//! Initializers: braces given and left out, designators, strings, and what is left to be zero.

use super::aggregates::string_length;
use super::displaced::Chosen;
use super::{Checked, Semantics};
use crate::program::{ExpressionKind, InstructionKind, Numeric, Place, PlaceStep};
use crate::syntax::{Designator, Expression, ExpressionKind as Kind, Initializer, InitializerItem, Span};
use crate::types::{Length, Type, TypeId};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// How many elements `[first ... last]` may give a value to.
const LONGEST_RANGE: u64 = 65_536;

/// How many parts of an object may be given values in all.
const MOST_PARTS: usize = 500_000;

/// A part of an object with its initializer.
pub(super) struct Part<'a> {
    pub(super) steps: Vec<PlaceStep>,
    pub(super) kind: TypeId,
    pub(super) value: &'a Initializer<'a>,
}

/// What the items of a list are about.
pub(super) struct Parts<'a> {
    pub(super) list: Vec<Part<'a>>,
    /// How many elements an array has that gets its length from the list.
    pub(super) length: u64,
    /// How many items are for a part.
    pub(super) taken: usize,
}

/// The walk over the items of one pair of braces.
struct Walk<'a> {
    items: &'a [InitializerItem<'a>],
    position: usize,
    steps: Vec<PlaceStep>,
    parts: Vec<Part<'a>>,
}

impl<'a> Semantics<'a, '_> {
    /// Gives a place its first value. `zeroed` says that it is zero already.
    pub(super) fn initialize(&mut self, place: Place, initializer: &'a Initializer<'a>, zeroed: bool) -> Checked<()> {
        match initializer {
            Initializer::Expression(expression) => self.initialize_from(place, expression, zeroed),
            Initializer::List(items, span) => self.initialize_list(place, items, zeroed, *span),
        }
    }

    fn initialize_from(&mut self, place: Place, expression: &'a Expression<'a>, zeroed: bool) -> Checked<()> {
        if let Type::Array(element, _) = *self.types.get(place.kind) {
            return match &expression.kind {
                Kind::String { characters, encoding } if matches!(self.numeric(element), Numeric::Integer(_)) => {
                    self.check_text_fits(element, *encoding, expression.span)?;
                    self.initialize_string(place, characters, zeroed, expression.span);
                    Ok(())
                }
                Kind::CompoundLiteral(_, initializer) => self.initialize(place, initializer, zeroed),
                _ => {
                    let message = "an array is initialized by a value";
                    let help = Some("write the elements in braces".to_string());
                    Err(self.error(expression.span, message, "not a list of elements", help))
                }
            };
        }
        self.assign_from(place, expression)
    }

    fn initialize_string(&mut self, place: Place, characters: &[u32], zeroed: bool, span: Span) {
        let room = match *self.types.get(place.kind) {
            Type::Array(_, Length::Fixed(length)) => usize::try_from(length).unwrap_or(usize::MAX),
            _ => characters.len() + 1,
        };
        if !zeroed {
            self.emit(InstructionKind::Zero { target: place.clone() }, span);
        }
        let visible = characters.iter().take(room).enumerate();
        for (index, character) in visible.filter(|(_, character)| **character != 0) {
            let assignment = self.character_assignment(&place, index, *character);
            self.emit(assignment, span);
        }
    }

    fn initialize_list(
        &mut self,
        place: Place,
        items: &'a [InitializerItem<'a>],
        zeroed: bool,
        span: Span,
    ) -> Checked<()> {
        let place = self.elements_place(place);
        let is_scalar = self.types.is_scalar(place.kind) || self.is_complex(place.kind);
        if let [item] = items
            && item.designators.is_empty()
        {
            // `int x = { 1 };`, `char s[] = { "text" };`
            let is_string =
                matches!(item.value, Initializer::Expression(expression) if string_length(expression).is_some());
            let is_text = is_string
                && matches!(*self.types.get(place.kind), Type::Array(element, _) if matches!(self.numeric(element), Numeric::Integer(_)));
            if is_scalar || is_text {
                return self.initialize(place, item.value, zeroed);
            }
        }
        if is_scalar {
            if items.is_empty() {
                self.emit(InstructionKind::Zero { target: place }, span);
                return Ok(());
            }
            return self.initialize_number(place, items, zeroed, span);
        }
        let parts = self.parts(place.kind, items)?;
        self.refuse_lost_effects(place.kind, &parts, items)?;
        let is_covered = self.is_covered(place.kind, &parts);
        if !zeroed && !is_covered {
            self.emit(InstructionKind::Zero { target: place.clone() }, span);
        }
        // A later item may take back an earlier one where there are designators.
        let in_order = items.iter().all(|item| item.designators.is_empty());
        let mut greatest = None;
        let mut checked = Ok(());
        let mut chosen = Chosen::new();
        for part in parts.list {
            let is_displaced = !in_order && self.displace(&place, &part, &mut chosen, span);
            // What an earlier item has put there, or beside it in the same part, is gone.
            let number = step_number(&part);
            let is_fresh = in_order || greatest.is_none() || number > greatest;
            greatest = greatest.max(number);
            let is_zero = !is_covered && in_order && self.is_plain_zero(&part);
            if is_zero {
                continue;
            }
            let mut target = place.clone();
            target.steps.extend(part.steps);
            target.kind = part.kind;
            let is_zeroed = is_displaced || (zeroed || !is_covered) && is_fresh;
            checked = self.initialize(target, part.value, is_zeroed).and(checked);
        }
        checked
    }

    /// `{ value, more }` for a single number: compilers drop what is too much.
    fn initialize_number(
        &mut self,
        place: Place,
        items: &'a [InitializerItem<'a>],
        zeroed: bool,
        span: Span,
    ) -> Checked<()> {
        let is_lost = |item: &InitializerItem<'a>| match item.value {
            Initializer::Expression(value) => self.is_pure(value),
            Initializer::List(..) => false,
        };
        match items.split_first() {
            Some((first, others))
                if items.iter().all(|item| item.designators.is_empty()) && others.iter().all(is_lost) =>
            {
                self.warn(span, "more values than there are places for", "the first one counts");
                self.initialize(place, first.value, zeroed)
            }
            _ => Err(self.error(span, "a list of values for a single one", "too many values", None)),
        }
    }

    fn is_plain_zero(&self, part: &Part<'a>) -> bool {
        let is_zero = |expression: &Expression<'a>| matches!(expression.kind, Kind::Integer("0") | Kind::Character(0));
        self.types.is_scalar(part.kind)
            && matches!(part.value, Initializer::Expression(expression) if is_zero(expression))
    }

    /// Whether the parts are all that there is, each a single value, so that nothing is left to be zero.
    fn is_covered(&self, kind: TypeId, parts: &Parts<'a>) -> bool {
        let count = match self.types.get(kind) {
            Type::Array(_, Length::Fixed(length)) => Some(*length),
            Type::Record(record) => {
                let record = self.types.record(*record);
                record
                    .fields
                    .as_ref()
                    .filter(|_| !record.is_union)
                    .map(|fields| fields.len() as u64)
            }
            _ => None,
        };
        count == Some(parts.list.len() as u64)
            && parts
                .list
                .iter()
                .all(|part| part.steps.len() == 1 && self.types.is_scalar(part.kind))
            && parts
                .list
                .windows(2)
                .all(|pair| step_number(&pair[0]) < step_number(&pair[1]))
    }

    /// What each item of a list is about.
    pub(super) fn parts(&mut self, kind: TypeId, items: &'a [InitializerItem<'a>]) -> Checked<Parts<'a>> {
        let mut walk = Walk {
            items,
            position: 0,
            steps: Vec::new(),
            parts: Vec::new(),
        };
        let length = self.fill_parts(kind, &mut walk, true, None)?;
        if let Some(item) = walk.items.get(walk.position) {
            let span = initializer_span(item.value);
            self.warn(span, "more values than there are places for", "this one is ignored");
        }
        Ok(Parts {
            taken: walk.position,
            list: walk.parts,
            length,
        })
    }

    /// Goes over the parts of an object of the type, as long as there are items. `pending` are the designators that are left
    /// of the current item. The result is one more than the greatest index met.
    fn fill_parts(
        &mut self,
        kind: TypeId,
        walk: &mut Walk<'a>,
        braced: bool,
        mut pending: Option<&'a [Designator<'a>]>,
    ) -> Checked<u64> {
        let mut next = 0_u64;
        let mut length = 0_u64;
        while let Some(item) = walk.items.get(walk.position) {
            let before = walk.position;
            let designators = match pending.take() {
                Some(designators) => designators,
                None if braced => item.designators,
                None if !item.designators.is_empty() => break,
                None => &[],
            };
            let (first, part_kind, last, rest) = match designators.split_first() {
                Some((designator, rest)) => {
                    let (path, last) = self.designated(kind, designator)?;
                    let Some((first, part_kind)) = path.first().copied() else {
                        break;
                    };
                    // What follows an item for a member of an unnamed struct is for the next members of that struct.
                    let is_inside = path.len() > 1;
                    (first, part_kind, last, if is_inside { designators } else { rest })
                }
                None => match self.part_at(kind, next) {
                    Some(part) => (next, part, next, designators),
                    None => break,
                },
            };
            let depth = walk.steps.len();
            for index in first..=last {
                walk.position = before;
                walk.steps.push(self.step_to(kind, index));
                match rest.is_empty() {
                    true => self.fill_part(part_kind, walk)?,
                    false => {
                        self.fill_parts(part_kind, walk, false, Some(rest))?;
                    }
                }
                walk.steps.truncate(depth);
            }
            if walk.position == before {
                // A part without parts of its own, such as an empty struct, takes no item; it must not go on for ever.
                walk.position += 1;
            }
            next = last.saturating_add(1);
            length = length.max(next);
        }
        Ok(length)
    }

    /// One part: by the item as a whole, or by as many items as it has parts if its braces are left out.
    fn fill_part(&mut self, kind: TypeId, walk: &mut Walk<'a>) -> Checked<()> {
        let Some(item) = walk.items.get(walk.position) else {
            return Ok(());
        };
        let is_whole = match item.value {
            Initializer::List(..) => true,
            Initializer::Expression(expression) => match *self.types.get(kind) {
                Type::Array(element, _) => {
                    string_length(expression).is_some() && matches!(self.numeric(element), Numeric::Integer(_))
                }
                Type::Record(_) if self.is_complex(kind) => true,
                Type::Record(_) => {
                    let is_literal = matches!(
                        expression.kind,
                        Kind::Integer(_) | Kind::Character(_) | Kind::String { .. }
                    );
                    !is_literal && self.type_of(expression)? == kind
                }
                _ => true,
            },
        };
        if !is_whole {
            // The item's designators have led here; they are not for its parts.
            return self.fill_parts(kind, walk, false, Some(&[])).map(drop);
        }
        if walk.parts.len() >= MOST_PARTS {
            let span = initializer_span(item.value);
            return Err(self.error(
                span,
                "an initializer with too many values",
                "the ranges are too long",
                None,
            ));
        }
        walk.position += 1;
        walk.parts.push(Part {
            steps: walk.steps.clone(),
            kind,
            value: item.value,
        });
        Ok(())
    }

    /// The type of the part with this number.
    fn part_at(&self, kind: TypeId, number: u64) -> Option<TypeId> {
        match *self.types.get(kind) {
            Type::Array(element, length) => {
                let exists = match length {
                    Length::Fixed(length) => number < length,
                    Length::Unknown | Length::Variable => true,
                };
                exists.then_some(element)
            }
            Type::Record(record) => {
                let record = self.types.record(record);
                let limit = if record.is_union { 1 } else { usize::MAX };
                let index = usize::try_from(number).ok().filter(|index| *index < limit)?;
                record.fields.as_ref()?.get(index).map(|field| field.kind)
            }
            _ => None,
        }
    }

    fn step_to(&mut self, kind: TypeId, number: u64) -> PlaceStep {
        match self.types.get(kind) {
            Type::Record(_) => PlaceStep::Field(usize::try_from(number).unwrap_or(usize::MAX)),
            _ => PlaceStep::Index(Box::new(self.number(number))),
        }
    }

    fn number(&mut self, number: u64) -> super::Value {
        match i32::try_from(number) {
            Ok(number) => self.int_constant(number),
            Err(_) => {
                let kind = self.size_type();
                self.constant(number, kind)
            }
        }
    }

    /// The way to what a designator names, and the last index of a range.
    fn designated(&mut self, kind: TypeId, designator: &'a Designator<'a>) -> Checked<(Vec<(u64, TypeId)>, u64)> {
        match (designator, self.types.get(kind).clone()) {
            (Designator::Member(name), Type::Record(_)) => {
                let path = self.member(kind, *name)?.path;
                let path: Vec<(u64, TypeId)> = path.into_iter().map(|(index, kind)| (index as u64, kind)).collect();
                let last = path.first().map_or(0, |step| step.0);
                Ok((path, last))
            }
            (Designator::Index(index), Type::Array(element, length)) => {
                let index = self.designated_index(index, length)?;
                Ok((vec![(index, element)], index))
            }
            (Designator::Range(first, last), Type::Array(element, length)) => {
                let (from, to) = (
                    self.designated_index(first, length)?,
                    self.designated_index(last, length)?,
                );
                if from > to || to - from > LONGEST_RANGE {
                    let help = Some("give the elements their values in a loop".to_string());
                    return Err(self.error(
                        last.span,
                        "a range of elements that is empty or too long",
                        "up to here",
                        help,
                    ));
                }
                Ok((vec![(from, element)], to))
            }
            (Designator::Member(name), _) => {
                let message = format!("`.{}` in something of type {}", name.text, self.types.display(kind));
                Err(self.error(name.span, message, "only structs and unions have members", None))
            }
            (Designator::Index(index) | Designator::Range(index, _), _) => {
                let message = format!("an index into something of type {}", self.types.display(kind));
                Err(self.error(index.span, message, "only arrays have elements", None))
            }
        }
    }

    fn designated_index(&mut self, index: &'a Expression<'a>, length: Length) -> Checked<u64> {
        let number = self.integer_constant(index)?;
        let inside = number.to_u64().filter(|number| match length {
            Length::Fixed(length) => *number < length,
            Length::Unknown | Length::Variable => *number < u64::MAX >> 8,
        });
        inside.ok_or_else(|| {
            self.error(
                index.span,
                format!("there is no element {number}"),
                "outside of the array",
                None,
            )
        })
    }
}

/// The number of the single step to a part.
fn step_number(part: &Part<'_>) -> Option<BigInt> {
    match part.steps.first()? {
        PlaceStep::Field(index) => Some((*index).into()),
        PlaceStep::Index(index) => match &index.kind {
            ExpressionKind::Integer(number) => Some(number.clone()),
            _ => None,
        },
    }
}

pub(super) fn initializer_span(initializer: &Initializer<'_>) -> Span {
    match initializer {
        Initializer::Expression(expression) => expression.span,
        Initializer::List(_, span) => *span,
    }
}
