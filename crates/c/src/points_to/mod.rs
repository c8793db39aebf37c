//! What pointers may point to: Andersen's inclusion-based analysis, without regard to the order of instructions, with
//! [`locations`] as the things pointed to and as the holders of pointers. It serves twice: on the program as it is it finds what
//! calls through pointers may call, and on the inlined one, more precisely, what memory accesses may reach.
//!
//! Every scalar may hold an address, integers too. What arithmetic makes of an address points "somewhere" into the same
//! object; so does a pointer that has been moved over memory of another type than its own.

mod classes;
mod leaves;
pub mod locations;
mod moves;
mod solver;
pub mod viewed;
mod visibility;

use super::program::{BinaryOperator, Expression, ExpressionKind, Numeric, Place, PlaceBase, PlaceStep, Program};
use super::types::{RecordId, TypeId, Types};
use locations::{LocationId, Locations, ObjectId, Site, pointee};
use num_traits::Zero;
use std::collections::BTreeSet;
use viewed::Viewed;

/// What is known about the pointers of a program.
#[derive(Debug)]
pub struct PointsTo {
    /// The objects and their parts.
    pub locations: Locations,
    /// For each location, what the values in it may point to, in order.
    targets: Vec<Vec<LocationId>>,
}

/// The unions of which one member may be read as a part of an address that was written to another one.
#[derive(Clone, Copy, Default)]
pub enum Mixing<'m> {
    /// All.
    #[default]
    Any,
    /// Those of these types. A run that reads another member of one of the others goes no further.
    Only(&'m BTreeSet<RecordId>),
}

/// How members of unions are looked at.
#[derive(Clone, Copy, Default)]
pub struct Members<'m> {
    /// Which of them are parts of each other.
    pub mixing: Mixing<'m>,
    /// Whether a pointer and an integer at one place are two, and not one number.
    pub is_apart: bool,
    /// The objects that are seen as bytes; `None` if there are none.
    pub viewed: Option<&'m Viewed>,
}

/// Analyses a program with these allocations.
pub fn analyze(program: &Program, sites: Vec<Site>, members: Members<'_>) -> PointsTo {
    let (locations, targets) = solver::solve(program, sites, members);
    PointsTo { locations, targets }
}

impl PointsTo {
    /// What the value of an expression may point to, in order.
    pub fn targets(&self, types: &Types, expression: &Expression<Place>) -> Vec<LocationId> {
        let mut found = Vec::new();
        self.collect(types, expression, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What the values in a location may point to, in order.
    pub fn contents(&self, location: LocationId) -> &[LocationId] {
        self.targets.get(location.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// All locations that may hold an address, each with each location that it may be the address of.
    pub fn all(&self) -> impl Iterator<Item = (LocationId, LocationId)> + '_ {
        let holders = (0u32..).map(LocationId).zip(&self.targets);
        holders.flat_map(|(holder, targets)| targets.iter().map(move |target| (holder, *target)))
    }

    /// The locations that may hold an address in the object, each with the addresses' locations.
    pub fn pointers_to(&self, object: ObjectId) -> Vec<(LocationId, Vec<LocationId>)> {
        let mut found = Vec::new();
        for (holder, targets) in self.targets.iter().enumerate() {
            let inside = targets
                .iter()
                .filter(|target| self.locations.get(**target).object == object);
            let inside: Vec<LocationId> = inside.copied().collect();
            if !inside.is_empty() {
                found.push((LocationId(holder as u32), inside));
            }
        }
        found
    }

    fn collect(&self, types: &Types, expression: &Expression<Place>, found: &mut Vec<LocationId>) {
        match &expression.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Floating(_) => {}
            ExpressionKind::FunctionAddress(function) => found.push(self.locations.function(*function)),
            ExpressionKind::Read(place) => {
                for location in self.place(types, place) {
                    found.extend(&self.targets[location.0 as usize]);
                }
                let may_be_address = match expression.numeric {
                    Numeric::Pointer => true,
                    Numeric::Integer(kind) => kind.bits >= 32,
                    _ => false,
                };
                // What is read there in another way than it was written is unknown.
                if may_be_address && !self.missed(types, place).is_empty() {
                    found.push(self.locations.outside);
                }
            }
            ExpressionKind::AddressOf(place) => {
                found.extend(self.place(types, place));
                let missed = self.missed(types, place);
                found.extend(missed.iter().map(|target| self.locations.mixed(*target)));
            }
            ExpressionKind::Convert(inner) => {
                let before = found.len();
                self.collect(types, inner, found);
                if found.len() == before && is_made_of_number(expression, inner) {
                    found.push(self.locations.number);
                }
            }
            ExpressionKind::Conditional(_, left, right) => {
                self.collect(types, left, found);
                self.collect(types, right, found);
            }
            ExpressionKind::Binary(BinaryOperator::PointerAdd, pointer, offset) => {
                let targets = self.targets(types, pointer);
                match is_zero(offset) {
                    true => found.extend(targets),
                    false => {
                        let mut distance = self.targets(types, offset);
                        let object = |target: &LocationId| self.locations.get(*target).object;
                        let is_moved = |to: &LocationId| targets.iter().any(|from| object(from) == object(to));
                        distance.retain(|target| !self.locations.is_outside(*target) && !is_moved(target));
                        found.extend(distance.iter().map(|target| self.locations.mixed(*target)));
                        let pointee = pointee(types, pointer.c_type);
                        found.extend(
                            targets
                                .iter()
                                .map(|target| self.locations.moved(types, *target, pointee)),
                        );
                    }
                }
            }
            _ => {
                for operand in arithmetic_operands(expression) {
                    let targets = self.targets(types, operand);
                    found.extend(targets.iter().map(|target| self.locations.mixed(*target)));
                }
            }
        }
    }

    /// The locations that a place behind a pointer may be, and, where the pointer leads to something else, somewhere in that.
    pub fn touched(&self, types: &Types, place: &Place) -> Vec<LocationId> {
        let missed = self.missed(types, place).into_iter();
        let somewhere = missed.map(|target| self.locations.object(target).somewhere);
        self.place(types, place).into_iter().chain(somewhere).collect()
    }

    /// What the pointer of a place may point to without the place being found there.
    fn missed(&self, types: &Types, place: &Place) -> Vec<LocationId> {
        let PlaceBase::Dereference(pointer) = &place.base else {
            return Vec::new();
        };
        let (access, fields) = (pointee(types, pointer.c_type), fields(place));
        let mut targets = self.targets(types, pointer);
        targets.retain(|target| {
            let places = reach(&self.locations, types, *target, access, &fields);
            places.is_empty() || self.locations.is_somewhere(*target)
        });
        targets
    }

    /// The locations that a place may be, in order; those that the path does not fit are left out.
    pub fn place(&self, types: &Types, place: &Place) -> Vec<LocationId> {
        let fields = fields(place);
        match &place.base {
            PlaceBase::Variable(variable) => {
                let mut location = Some(self.locations.variable(*variable));
                for field in fields {
                    location = location.and_then(|location| self.locations.child(location, field));
                }
                location.into_iter().collect()
            }
            PlaceBase::Dereference(pointer) => {
                let access = pointee(types, pointer.c_type);
                let mut places: Vec<LocationId> = self
                    .targets(types, pointer)
                    .iter()
                    .flat_map(|target| reach(&self.locations, types, *target, access, &fields))
                    .collect();
                places.sort_unstable();
                places.dedup();
                places
            }
        }
    }
}

/// Where an access goes that follows a pointer to the target, taken as a pointer to `access`, and then the fields.
fn reach(
    locations: &Locations,
    types: &Types,
    target: LocationId,
    access: TypeId,
    fields: &[usize],
) -> Vec<LocationId> {
    if locations.is_somewhere(target) {
        return vec![target];
    }
    let places = match locations.at_type(types, target, access) {
        Some(_) if locations.is_outside(target) => locations.reached_from_outside(types, access),
        Some(place) => vec![place],
        // The address of a function, and of anything through `void *`, is taken without looking at it.
        None if fields.is_empty() && access == Types::VOID => vec![target],
        None => return Vec::new(),
    };
    let inside = |place: LocationId| {
        fields
            .iter()
            .try_fold(place, |place, field| locations.child(place, *field))
    };
    places.into_iter().filter_map(inside).collect()
}

/// The fields on a place's path.
fn fields(place: &Place) -> Vec<usize> {
    let field = |step: &PlaceStep| match step {
        PlaceStep::Field(field) => Some(*field),
        PlaceStep::Index(_) => None,
    };
    place.steps.iter().filter_map(field).collect()
}

/// Whether a conversion makes an address of a number that is no constant.
fn is_made_of_number(whole: &Expression<Place>, inner: &Expression<Place>) -> bool {
    fn is_constant(expression: &Expression<Place>) -> bool {
        match &expression.kind {
            ExpressionKind::Integer(_) => true,
            ExpressionKind::Convert(inner) => is_constant(inner),
            _ => false,
        }
    }
    whole.numeric == Numeric::Pointer && matches!(inner.numeric, Numeric::Integer(_)) && !is_constant(inner)
}

/// Whether an expression is the constant zero.
fn is_zero(expression: &Expression<Place>) -> bool {
    match &expression.kind {
        ExpressionKind::Integer(value) => value.is_zero(),
        ExpressionKind::Convert(inner) => is_zero(inner),
        _ => false,
    }
}

/// The operands whose addresses an arithmetic operation mixes up; none for operations whose result is a truth value.
fn arithmetic_operands(expression: &Expression<Place>) -> Vec<&Expression<Place>> {
    use super::program::UnaryOperator;
    match &expression.kind {
        ExpressionKind::Unary(UnaryOperator::Negate | UnaryOperator::BitNot, operand) => vec![operand],
        ExpressionKind::Binary(operator, left, right) => match operator {
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::BitAnd
            | BinaryOperator::BitOr
            | BinaryOperator::BitXor => vec![left, right],
            BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight => vec![left],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
