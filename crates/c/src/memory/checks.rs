//! What the checks of memory have in common: words for what they find, refusals where nobody can tell, the bytes that a
//! library function accesses at once.

use super::access::Spot;
use super::bounds::between;
use super::texts;
use super::{Context, Lowering, build, heap};
use crate::definedness::is_checked;
use crate::flat::{Failure, FlatExpression, FlatInstructionKind, FlatTerminator};
use crate::points_to::locations::{Count, LocationId, ObjectKind, pointee};
use crate::program::{
    BinaryOperator, Check, Effect, ErrorKind, Expression, InstructionKind, Numeric, Place, PlaceBase, VariableRole,
};
use crate::types::{IntegerType, Types};
use num_bigint::BigInt;
use num_traits::Zero;

/// So many objects are named where a pointer is followed that points into none of them.
const MOST_NAMES: usize = 3;

/// Elements of an object: where the first one is, how many there are, and how many bytes each has.
pub(super) struct Extent {
    pub base: BigInt,
    pub count: FlatExpression,
    pub size: u64,
}

impl Lowering<'_> {
    pub(super) fn check(&mut self, check: &Check) {
        match check {
            Check::Bytes { pointer, bytes, writes } => {
                self.refuse_beyond_member(pointer, bytes);
                let checks = self.options.checks;
                if checks.accesses() || checks.free || checks.uninitialized {
                    self.guard_bytes(pointer, bytes, *writes);
                    self.ghosts.measured = Some(self.place.span);
                }
            }
            Check::Apart { one, other, bytes } => self.guard_apart(one, other, bytes.as_ref()),
            Check::Length(length) => {
                let length = self.expression(length, Context::Always);
                let length = self.small(build::exact(length), Context::Always, "length");
                let is_positive = build::compare(BinaryOperator::Less, build::address(0), length.clone());
                let text = "an array is declared with {} elements".to_string();
                let failure = Failure::about(ErrorKind::Bounds, text, vec![length]);
                self.guard(failure, is_positive, Context::Always);
            }
            Check::Set(pointer) => {
                let address = self.expression(pointer, Context::Always);
                let is_set = self.is_set(&address);
                self.guard(ErrorKind::NullPointer, is_set, Context::Always);
            }
            Check::Text(pointer) => self.guard_text(pointer),
            Check::Unmeasured(pointer) => {
                // At least it must point somewhere, and may be seen to.
                self.expression(pointer, Context::Always);
                self.undecided_access("memory that a library function accesses");
            }
            Check::Begins(variable) => self.begin(*variable),
            Check::Ends(variable) => self.end_of_life(*variable),
        }
    }

    /// Nobody can tell whether there is an error of this kind: the program is refused if a run gets here.
    pub(super) fn undecided(&mut self, kind: ErrorKind, what: &str, context: Context<'_>) {
        self.guard_or_refuse(kind, build::truth(false), what, context);
    }

    /// There is no error of this kind if the condition holds; otherwise nobody can tell, and the program is refused if a run
    /// gets here where it does not.
    pub(super) fn guard_or_refuse(
        &mut self,
        kind: ErrorKind,
        condition: FlatExpression,
        what: &str,
        context: Context<'_>,
    ) {
        let holds = build::constant(&condition).is_some_and(|value| *value != 0.into());
        if holds || !is_checked(self.options.checks, kind) {
            return;
        }
        let numeric = Numeric::Integer(IntegerType::INT);
        let right = self.layout.temporary("is_right", numeric);
        self.push(FlatInstructionKind::Unsupported {
            what: format!("a check of {what}"),
            effect: Effect::Changes(vec![right]),
        });
        let right = build::variable(right, numeric, Types::INT);
        self.guard(kind, build::or(condition, right), context);
    }

    /// An access that cannot be translated cannot be checked either.
    pub(super) fn undecided_access(&mut self, what: &str) {
        let kinds = [
            ErrorKind::Bounds,
            ErrorKind::NullPointer,
            ErrorKind::UseAfterFree,
            ErrorKind::LiteralWrite,
            ErrorKind::InvalidFree,
            ErrorKind::Uninitialized,
        ];
        let checked = kinds.into_iter().find(|kind| is_checked(self.options.checks, *kind));
        if let Some(kind) = checked {
            self.undecided(kind, what, Context::Always);
        }
    }

    /// The same, for a change whose bytes may have been checked by themselves.
    pub(super) fn undecided_write(&mut self, what: &str) {
        if self.ghosts.measured != Some(self.place.span) {
            self.undecided_access(what);
        }
    }

    /// Whether memory was allocated for something of another size than it is used for, so that its last element may be there
    /// in part.
    pub(super) fn is_unsized(&self, place: LocationId) -> bool {
        let ObjectKind::Allocated(site) = self.points_to.locations.object(place).kind else {
            return false;
        };
        let site = &self.points_to.locations.sites[site];
        let (_, block, position) = site.position;
        let instruction = &self.inlined.blocks()[block].instructions[position].kind;
        let InstructionKind::Allocate { element, count, .. } = instruction else {
            return false;
        };
        let Some(count) = count else { return true };
        // A number is there, or it is not; of a struct, there may be the first members.
        let size = |kind| self.types.size_of(kind).unwrap_or(1);
        let bytes = heap::fixed(count).map(|count| count.saturating_mul(size(*element)));
        let is_rest = bytes.is_none_or(|bytes| bytes % size(site.element).max(1) != 0);
        let is_short = bytes.is_some_and(|bytes| bytes < size(site.element));
        site.units > 1 && (is_short || is_rest && !self.types.is_scalar(site.element))
    }

    /// How an object, or a part of one, is called.
    pub(super) fn shown(&self, location: LocationId) -> String {
        let path = self.layout.path(location);
        let root = match self.points_to.locations.object(location).kind {
            ObjectKind::Variable(variable) => {
                let variable = &self.inlined.program.variables[variable.0 as usize];
                match variable.role {
                    VariableRole::Literal => return "a string literal".to_string(),
                    VariableRole::Temporary => return "a value without a name".to_string(),
                    _ => &variable.name,
                }
            }
            ObjectKind::Allocated(_) if path.is_empty() => return "the allocated memory".to_string(),
            ObjectKind::Allocated(_) => return format!("`{}` in the allocated memory", path.trim_start_matches('.')),
            ObjectKind::Function(function) => &self.inlined.program.functions[function.0 as usize].name,
            ObjectKind::Outside => return "memory outside of the program".to_string(),
        };
        format!("`{root}{path}`")
    }

    /// An index is outside of a location's elements.
    pub(super) fn outside(&self, location: LocationId, index: FlatExpression, count: FlatExpression) -> Failure {
        let shown = self.shown(location);
        let text = match build::constant(&count).is_some_and(|count| *count == 1.into()) {
            true => format!("index {{}} is outside of {shown}, which has {{}} element"),
            false => format!("index {{}} is outside of {shown}, which has {{}} elements"),
        };
        Failure::about(ErrorKind::Bounds, text, vec![index, count])
    }

    /// A pointer that points into none of the locations is followed.
    pub(super) fn outside_all(&mut self, address: &FlatExpression, places: &[(LocationId, LocationId)]) -> Failure {
        match places {
            [] => Failure::about(
                ErrorKind::Bounds,
                "the object that is pointed to is too small for this access".to_string(),
                Vec::new(),
            ),
            [(location, _)] => {
                let extent = self.extent(*location, false);
                let base = self.layout.address(*location);
                let index = build::offset(address.clone(), &-base);
                match extent {
                    Some(extent) => self.outside(*location, index, extent.count),
                    None => Failure::of(ErrorKind::Bounds),
                }
            }
            _ => {
                let names = places.iter().take(MOST_NAMES).map(|(place, _)| self.shown(*place));
                let mut names: Vec<String> = names.collect();
                names.dedup();
                if places.len() > MOST_NAMES {
                    names.push("…".to_string());
                }
                let text = format!("the pointer points into none of {}", names.join(", "));
                Failure::about(ErrorKind::Bounds, text, Vec::new())
            }
        }
    }

    /// The elements of a location; with what it is the beginning of, if `whole`. `None` if nobody knows.
    pub(super) fn extent(&mut self, location: LocationId, whole: bool) -> Option<Extent> {
        let locations = &self.points_to.locations;
        let mut location = location;
        while whole
            && let here = locations.get(location)
            && here.shares_base
            && here.own == Some(1)
            && let Some((parent, _)) = here.parent
        {
            location = parent;
        }
        let here = locations.get(location);
        let base = self.layout.address(location);
        let here_size = self.types.size_of(here.element)?;
        let count = match here.total {
            Some(total) => build::address(total),
            None if here.per_element.is_none() || locations.object(location).count == Count::Unknown => return None,
            None => build::offset(self.end_of(location, &base), &-base.clone()),
        };
        Some(Extent {
            base,
            count,
            size: here_size,
        })
    }

    /// The bytes from the pointer on are inside one object or member, unless there are none.
    fn guard_bytes(&mut self, pointer: &Expression<Place>, bytes: &Expression<Place>, writes: bool) {
        let address = self.expression(pointer, Context::Always);
        let address = self.small(address, Context::Always, "pointer");
        let bytes = build::exact(self.expression(bytes, Context::Always));
        let bytes = self.small(bytes, Context::Always, "bytes");
        if build::constant(&bytes).is_some_and(|bytes| *bytes == 0.into()) {
            return;
        }
        let targets = self.points_to.targets(self.types, pointer);
        let what = "an access to several bytes through a pointer of which not all is known";
        let nothing = build::compare(BinaryOperator::Equal, bytes.clone(), build::address(0));
        let is_set = self.is_set(&address);
        let is_null = build::compare(BinaryOperator::Equal, address.clone(), build::address(0));
        self.guard(
            ErrorKind::NullPointer,
            build::or(nothing.clone(), is_set),
            Context::Always,
        );
        let mut valid = match self.options.checks.bounds && !self.options.checks.null {
            true => build::or(nothing.clone(), is_null),
            false => nothing.clone(),
        };
        let mut places = Vec::new();
        for target in targets {
            let object = self.points_to.locations.object(target);
            if object.kind == ObjectKind::Outside
                || self.points_to.locations.is_somewhere(target)
                || object.count == Count::Unknown
                || self.has_unknown_neighbours(target)
                || self.is_unsized(target)
            {
                return self.undecided_access(what);
            }
            let Some(extent) = self.extent(target, true) else {
                return self.undecided_access(what);
            };
            let own = self.points_to.locations.get(target);
            let is_part = own.parent.is_some() && !own.shares_base && own.own != own.total;
            let is_many = match object.kind {
                ObjectKind::Allocated(site) => self.points_to.locations.sites[site].repeated,
                _ => false,
            };
            if is_part && own.own != Some(1) || is_many && own.per_element != Some(1) {
                return self.undecided_access(what);
            }
            let here = {
                let end = build::sum(extent.count.clone(), build::address(extent.base.clone()));
                between(&address, &extent.base, end)
            };
            let size = build::address(extent.size);
            let fits = match is_part || is_many {
                // One element at a time: the next one is another object, or has other members before it.
                true => build::compare(BinaryOperator::LessOrEqual, bytes.clone(), size),
                false => {
                    let index = build::offset(address.clone(), &-extent.base.clone());
                    let start = build::times(index, extent.size);
                    let room = build::times(extent.count.clone(), extent.size);
                    build::compare(BinaryOperator::LessOrEqual, build::sum(start, bytes.clone()), room)
                }
            };
            valid = build::or(valid, build::and(here, fits));
            places.push((target, extent));
        }
        let failure = match &places[..] {
            [(target, extent)] => {
                let text = format!("{{}} bytes are accessed in {}, which has {{}}", self.shown(*target));
                let room = build::times(extent.count.clone(), extent.size);
                Failure::about(ErrorKind::Bounds, text, vec![bytes.clone(), room])
            }
            _ => {
                let text = "{} bytes are accessed, which are not all in one object".to_string();
                Failure::about(ErrorKind::Bounds, text, vec![bytes.clone()])
            }
        };
        self.guard(failure, valid, Context::Always);
        let places: Vec<(LocationId, LocationId)> = places.iter().map(|(target, _)| (*target, *target)).collect();
        let some = build::not(nothing);
        let context = Context::When(&Context::Always, &some, true);
        self.guard_alive(&address, &places, context);
        if writes {
            let literals = places.iter().map(|(location, _)| Spot {
                condition: Some(self.is_at(*location, &address)),
                location: *location,
                index: None,
                bytes: None,
            });
            let literals: Vec<Spot> = literals.collect();
            self.guard_literals(&literals, context);
        }
    }

    /// So many bytes from two pointers on have none in common.
    fn guard_apart(&mut self, one: &Expression<Place>, other: &Expression<Place>, bytes: Option<&Expression<Place>>) {
        let [first, second] = [one, other].map(|pointer| {
            let address = self.expression(pointer, Context::Always);
            self.small(address, Context::Always, "pointer")
        });
        let is_measured = bytes.is_some();
        let bytes = match bytes {
            Some(bytes) => build::exact(self.expression(bytes, Context::Always)),
            None => build::address(1),
        };
        let bytes = self.small(bytes, Context::Always, "bytes");
        let what = "whether memory that is copied overlaps";
        let nothing = build::compare(BinaryOperator::LessOrEqual, bytes.clone(), build::address(0));
        let sources = self.points_to.targets(self.types, other);
        for here in self.points_to.targets(self.types, one) {
            for there in sources.clone() {
                let locations = &self.points_to.locations;
                let (one, other) = (locations.get(here), locations.get(there));
                if one.object != other.object || !self.is_around(here, there) && !self.is_around(there, here) {
                    continue;
                }
                let both = build::and(self.is_at(here, &first), self.is_at(there, &second));
                let locations = &self.points_to.locations;
                let place = locations.get(here);
                let object = locations.object(here);
                let is_known = here == there && object.kind != ObjectKind::Outside && !locations.is_somewhere(here);
                let is_many = match object.kind {
                    ObjectKind::Allocated(site) => locations.sites[site].repeated,
                    _ => false,
                };
                // Elements that do not follow one another: those of structs in an array, those of several allocations.
                let is_single = place.parent.is_some() && place.own != place.total || is_many;
                let is_row = is_single && (is_many && place.per_element != Some(1) || !is_many && place.own != Some(1));
                let size = self
                    .types
                    .size_of(place.element)
                    .filter(|_| is_measured && is_known && !is_row);
                let apart = match size {
                    Some(_) if is_single => build::compare(BinaryOperator::NotEqual, first.clone(), second.clone()),
                    Some(size) => {
                        let steps = build::times(build::difference(first.clone(), second.clone()), size);
                        let back = build::times(build::difference(second.clone(), first.clone()), size);
                        let [after, before] =
                            [steps, back].map(|gap| build::compare(BinaryOperator::LessOrEqual, bytes.clone(), gap));
                        build::or(after, before)
                    }
                    None => {
                        let right = build::or(nothing.clone(), build::not(both));
                        self.guard_or_refuse(ErrorKind::Overlap, right, what, Context::Always);
                        continue;
                    }
                };
                let right = build::or(nothing.clone(), build::or(build::not(both), apart));
                self.guard(ErrorKind::Overlap, right, Context::Always);
            }
        }
    }

    /// Whether a location is another one or has it as a part.
    fn is_around(&self, whole: LocationId, part: LocationId) -> bool {
        let mut current = Some(part);
        while let Some(inner) = current {
            if inner == whole {
                return true;
            }
            current = self.points_to.locations.get(inner).parent.map(|(parent, _)| parent);
        }
        false
    }

    /// Bytes that begin in a member of a struct may go on in those behind it, which compiled programs do and nothing here
    /// follows: where a run may get there, the program is refused.
    fn refuse_beyond_member(&mut self, pointer: &Expression<Place>, bytes: &Expression<Place>) {
        // Of other numbers of bytes, no more than the objects is known.
        let Some(bytes) = heap::fixed(bytes) else { return };
        let access = pointee(self.types, pointer.c_type);
        for target in self.points_to.targets(self.types, pointer) {
            let locations = &self.points_to.locations;
            if locations.is_somewhere(target) || locations.is_outside(target) {
                continue;
            }
            let place = locations.at_type(self.types, target, access).unwrap_or(target);
            let here = locations.get(place);
            let (Some(size), Some(own), Some(_)) = (self.types.size_of(here.element), here.own, here.parent) else {
                continue;
            };
            let (room, total) = (own.saturating_mul(size), here.total);
            if bytes <= size {
                continue;
            }
            let stays = match own {
                1 => build::truth(false),
                _ => {
                    let address = self.expression(pointer, Context::Always);
                    let address = self.small(address, Context::Always, "pointer");
                    let index = build::offset(address, &-self.layout.address(place));
                    let last = match room.checked_sub(bytes) {
                        Some(rest) => build::address(rest / size),
                        None => build::address(-1),
                    };
                    let inside = match total == Some(own) {
                        true => index,
                        false => build::binary(
                            BinaryOperator::Remainder,
                            index,
                            build::address(own),
                            Numeric::Pointer,
                            Types::INT,
                        ),
                    };
                    build::compare(BinaryOperator::LessOrEqual, inside, last)
                }
            };
            if build::constant(&stays).is_some_and(Zero::is_zero) {
                self.want_bytes(&[target]);
            }
            self.refuse_unless(stays, "a library function's access to more than a member of a struct");
        }
    }

    /// The program is refused where a run may get here without the condition.
    pub(super) fn refuse_unless(&mut self, condition: FlatExpression, what: &str) {
        if build::constant(&condition).is_some_and(|value| *value != 0.into()) {
            return;
        }
        let aside = self.add_block(FlatTerminator::Stop);
        let next = self.add_block(FlatTerminator::Stop);
        self.end(FlatTerminator::Branch {
            condition,
            then: next,
            otherwise: aside,
        });
        self.current = aside;
        self.push(FlatInstructionKind::Unsupported {
            what: what.to_string(),
            effect: Effect::Anything,
        });
        self.current = next;
    }

    /// Only of string literals is it known that they have an end.
    fn guard_text(&mut self, pointer: &Expression<Place>) {
        let address = self.expression(pointer, Context::Always);
        let address = self.small(address, Context::Always, "pointer");
        let targets = self.points_to.targets(self.types, pointer);
        let variables = &self.inlined.program.variables;
        let is_literal = |target: &LocationId| texts::is_literal(*target, variables, self.points_to);
        if !targets.iter().all(is_literal) {
            return self.undecided_access("a text that is read up to its end");
        }
        let places: Vec<(LocationId, LocationId)> = targets.into_iter().map(|target| (target, target)).collect();
        self.guard_pointer(&address, &places, Context::Always);
    }

    /// Whether an address is that of one of the location's elements.
    pub(super) fn is_at(&mut self, location: LocationId, address: &FlatExpression) -> FlatExpression {
        let base = self.layout.address(location);
        match self.points_to.locations.get(location).total {
            Some(1) => build::compare(BinaryOperator::Equal, address.clone(), build::address(base)),
            Some(total) => between(address, &base, build::address(&base + total)),
            None => between(address, &base, build::address(&base + self.layout.room(location))),
        }
    }

    /// What a pointer leads to is no string literal and not `const`, before it is written.
    pub(super) fn guard_writable(&mut self, place: &Place, spots: &[Spot]) {
        // The literals themselves get their values by name.
        if matches!(place.base, PlaceBase::Dereference(_)) {
            self.guard_literals(spots, Context::Always);
        }
    }

    fn guard_literals(&mut self, spots: &[Spot], context: Context<'_>) {
        for spot in spots {
            let ObjectKind::Variable(variable) = self.points_to.locations.object(spot.location).kind else {
                continue;
            };
            let variable = &self.inlined.program.variables[variable.0 as usize];
            let text = match variable.role {
                VariableRole::Literal => "a string literal is written".to_string(),
                _ if variable.is_constant => format!("{} is written, which is `const`", self.shown(spot.location)),
                _ => continue,
            };
            let other = spot.condition.clone().map_or_else(|| build::truth(false), build::not);
            let failure = Failure::about(ErrorKind::LiteralWrite, text, Vec::new());
            self.guard(failure, other, context);
        }
    }
}
