//! What the checks of memory have in common: words for what they find, refusals where nobody can tell, the bytes that a
//! library function accesses at once, and pointers that are moved.

use super::access::Spot;
use super::bounds::between;
use super::{Context, Lowering, build, heap};
use crate::c::definedness::is_checked;
use crate::c::flat::{Failure, FlatExpression, FlatInstructionKind};
use crate::c::points_to::locations::{Count, LocationId, ObjectKind, pointee};
use crate::c::program::{
    BinaryOperator, Check, Effect, ErrorKind, Expression, InstructionKind, Numeric, Place, PlaceBase, PlaceStep,
    VariableRole,
};
use crate::c::types::{IntegerType, Length, Type, TypeId, Types};
use num_bigint::BigInt;

/// So many objects are named where a pointer is followed that points into none of them.
const MOST_NAMES: usize = 3;

/// Elements of an object: where the first one is, how many there are, and how many bytes each has.
struct Extent {
    base: BigInt,
    count: FlatExpression,
    size: u64,
}

impl Lowering<'_> {
    pub(super) fn check(&mut self, check: &Check) {
        match check {
            Check::Bytes { pointer, bytes, writes } => {
                self.guard_bytes(pointer, bytes, *writes);
                self.ghosts.measured = Some(self.place.span);
            }
            Check::Length(length) => {
                let length = self.expression(length, Context::Always);
                let length = self.small(build::exact(length), Context::Always, "length");
                let is_positive = build::compare(BinaryOperator::Less, build::address(0), length.clone());
                let text = "an array is declared with {} elements".to_string();
                let failure = Failure::about(ErrorKind::Bounds, text, vec![length]);
                self.guard(failure, is_positive, Context::Always);
            }
            Check::Text(pointer) => self.guard_text(pointer),
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
    fn extent(&mut self, location: LocationId, whole: bool) -> Option<Extent> {
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
        let is_set = build::compare(BinaryOperator::NotEqual, address.clone(), build::address(0));
        let is_null = build::not(is_set.clone());
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
            });
            let literals: Vec<Spot> = literals.collect();
            self.guard_literals(&literals, context);
        }
    }

    /// Only of string literals is it known that they have an end.
    fn guard_text(&mut self, pointer: &Expression<Place>) {
        let address = self.expression(pointer, Context::Always);
        let address = self.small(address, Context::Always, "pointer");
        let targets = self.points_to.targets(self.types, pointer);
        let is_literal = |target: &LocationId| match self.points_to.locations.object(*target).kind {
            ObjectKind::Variable(variable) => {
                let role = self.inlined.program.variables[variable.0 as usize].role;
                role == VariableRole::Literal && !self.points_to.locations.is_somewhere(*target)
            }
            _ => false,
        };
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
            None => between(address, &base, build::address(&base + self.layout.room())),
        }
    }

    /// What a pointer leads to is no string literal, before it is written.
    pub(super) fn guard_writable(&mut self, place: &Place, spots: &[Spot]) {
        // The literals themselves get their values by name.
        if matches!(place.base, PlaceBase::Dereference(_)) {
            self.guard_literals(spots, Context::Always);
        }
    }

    fn guard_literals(&mut self, spots: &[Spot], context: Context<'_>) {
        if !self.options.checks.literals {
            return;
        }
        for spot in spots {
            let ObjectKind::Variable(variable) = self.points_to.locations.object(spot.location).kind else {
                continue;
            };
            if self.inlined.program.variables[variable.0 as usize].role == VariableRole::Literal {
                let other = spot.condition.clone().map_or_else(|| build::truth(false), build::not);
                self.guard(ErrorKind::LiteralWrite, other, context);
            }
        }
    }

    /// A pointer that is moved stays in its object, or gets one past its end.
    pub(super) fn guard_move(
        &mut self,
        pointer: &Expression<Place>,
        before: &FlatExpression,
        by: &FlatExpression,
        pointee: TypeId,
        context: Context<'_>,
    ) {
        let checks = self.options.checks;
        if !checks.pointer_arithmetic && !checks.accesses() {
            return;
        }
        let targets = self.points_to.targets(self.types, pointer);
        let mut valid = build::compare(BinaryOperator::Equal, by.clone(), build::address(0));
        let mut names = Vec::new();
        for target in targets {
            let locations = &self.points_to.locations;
            let is_known = !locations.is_somewhere(target) && locations.object(target).kind != ObjectKind::Outside;
            let found = locations.at_type(self.types, target, pointee).filter(|_| is_known);
            let Some(location) = found.filter(|location| !self.has_unknown_neighbours(*location)) else {
                // What such a pointer is followed to is refused by itself.
                return self.undecided(
                    ErrorKind::PointerArithmetic,
                    "a pointer that is moved in an object of another type",
                    context,
                );
            };
            let here = locations.get(location);
            if here.is_array && here.parent.is_some() && here.own != here.total {
                // Behind one row comes the next one, which the numbers do not tell apart from the end of the row.
                let what = "a pointer that is moved inside an array in one of several structs";
                self.undecided(ErrorKind::PointerArithmetic, what, context);
                return self.undecided_access(what);
            }
            if !here.is_array && here.total != Some(1) {
                return self.undecided(
                    ErrorKind::PointerArithmetic,
                    "a pointer that is moved from one of several structs",
                    context,
                );
            }
            let Some(extent) = self.extent(location, false) else {
                return self.undecided(
                    ErrorKind::PointerArithmetic,
                    "a pointer that is moved in an object of unknown size",
                    context,
                );
            };
            names.push(self.shown(location));
            let behind = build::sum(extent.count, build::address(&extent.base + 1));
            let after = build::sum(before.clone(), by.clone());
            let both = build::and(
                between(before, &extent.base, behind.clone()),
                between(&after, &extent.base, behind),
            );
            valid = build::or(valid, both);
        }
        if !checks.pointer_arithmetic {
            return;
        }
        names.dedup();
        let unmoved = build::compare(BinaryOperator::Equal, by.clone(), build::address(0));
        let is_set = build::compare(BinaryOperator::NotEqual, before.clone(), build::address(0));
        let text = "a pointer to nothing is moved by {}".to_string();
        let failure = Failure::about(ErrorKind::PointerArithmetic, text, vec![by.clone()]);
        self.guard(failure, build::or(unmoved, is_set), context);
        let text = match &names[..] {
            [] => "a pointer to nothing is moved by {}".to_string(),
            [name] => format!("a pointer is moved by {{}} and leaves {name}"),
            _ => "a pointer is moved by {} and leaves its object".to_string(),
        };
        let failure = Failure::about(ErrorKind::PointerArithmetic, text, vec![by.clone()]);
        self.guard(failure, valid, context);
    }

    /// Two pointers of which one is compared with or subtracted from the other point into one object.
    pub(super) fn guard_same_object(
        &mut self,
        operands: [&Expression<Place>; 2],
        addresses: [&FlatExpression; 2],
        context: Context<'_>,
    ) {
        let is_pointer = operands.iter().all(|operand| operand.numeric == Numeric::Pointer);
        if !self.options.checks.pointer_arithmetic || !is_pointer {
            return;
        }
        let targets = operands.map(|operand| self.points_to.targets(self.types, operand));
        let locations = &self.points_to.locations;
        let is_unknown = |target: &LocationId| {
            let object = locations.object(*target);
            locations.is_somewhere(*target)
                || object.kind == ObjectKind::Outside
                || object.count == Count::Unknown
                || self.has_unknown_neighbours(*target)
        };
        let object = |target: &LocationId| locations.get(*target).object;
        let mut objects: Vec<_> = targets.iter().flatten().map(object).collect();
        objects.sort_unstable();
        objects.dedup();
        let repeated = |target: &LocationId| match locations.object(*target).kind {
            ObjectKind::Allocated(site) => locations.sites[site].repeated,
            _ => false,
        };
        let is_one = objects.len() == 1 && !targets.iter().flatten().any(repeated);
        if !is_one && (targets.iter().flatten().any(repeated) || targets.iter().flatten().any(is_unknown)) {
            let what = "a comparison of pointers that may point into different objects";
            return self.undecided(ErrorKind::PointerArithmetic, what, context);
        }
        let mut same = build::truth(false);
        for one in objects {
            let mut both = build::truth(true);
            for (targets, address) in targets.iter().zip(addresses) {
                let mut inside = build::truth(false);
                for target in targets {
                    if self.points_to.locations.get(*target).object == one {
                        inside = build::or(inside, self.is_at_or_behind(*target, address));
                    }
                }
                both = build::and(both, inside);
            }
            same = build::or(same, both);
        }
        let text = "pointers into different objects are compared or subtracted".to_string();
        let failure = Failure::about(ErrorKind::PointerArithmetic, text, Vec::new());
        // Two null pointers may be compared and subtracted in practice, and so they are everywhere.
        let equal = build::compare(BinaryOperator::Equal, addresses[0].clone(), addresses[1].clone());
        self.guard(failure, build::or(equal, same), context);
    }

    /// Whether an address is that of one of the location's elements, or one past its end.
    fn is_at_or_behind(&mut self, location: LocationId, address: &FlatExpression) -> FlatExpression {
        let base = self.layout.address(location);
        let room = match self.points_to.locations.get(location).total {
            Some(total) => BigInt::from(total) + 1,
            None => self.layout.room(),
        };
        between(address, &base, build::address(&base + room))
    }

    /// A member is where its type wants it, or else nobody looks at what becomes of its address.
    pub(super) fn guard_aligned(&mut self, place: &Place, context: Context<'_>) {
        if !self.options.checks.bounds {
            return;
        }
        let mut kind = match &place.base {
            PlaceBase::Variable(variable) => self.inlined.program.variables[variable.0 as usize].kind,
            PlaceBase::Dereference(pointer) => pointee(self.types, pointer.c_type),
        };
        let (whole, mut offset) = (self.types.alignment_of(kind), 0_u64);
        for step in &place.steps {
            match (step, self.types.get(kind)) {
                (PlaceStep::Field(field), Type::Record(record)) => {
                    let record = self.types.record(*record);
                    let fields = record.fields.as_deref().unwrap_or(&[]);
                    let Some(field) = fields.get(*field) else { return };
                    kind = field.kind;
                    offset = offset.saturating_add(field.offset);
                }
                (PlaceStep::Index(_), Type::Array(element, _)) => kind = *element,
                _ => return,
            }
        }
        let wanted = self.types.alignment_of(kind).max(1);
        if offset % wanted != 0 || whole < wanted {
            let what = "the address of a member that is not aligned as its type wants it";
            self.undecided(ErrorKind::Bounds, what, context);
        }
    }

    /// The address of an element is that of one in the array, or one past its end.
    pub(super) fn guard_element_address(
        &mut self,
        location: LocationId,
        index: &FlatExpression,
        length: Length,
        context: Context<'_>,
    ) {
        let checks = self.options.checks;
        if !checks.pointer_arithmetic && !checks.accesses() {
            return;
        }
        let here = self.points_to.locations.get(location);
        let is_row = here.parent.is_some() && here.own != here.total;
        let Length::Fixed(length) = length else {
            return self.undecided(
                ErrorKind::PointerArithmetic,
                "an address in an array whose length is not constant",
                context,
            );
        };
        let index = build::exact(index.clone());
        let inside = |end: u64| between(&index, &0.into(), build::address(end));
        if is_row {
            let what = "the address of an element behind an array in one of several structs";
            for kind in [ErrorKind::Bounds, ErrorKind::UseAfterFree] {
                self.guard_or_refuse(kind, inside(length), what, context);
            }
        }
        let text = format!(
            "the address of element {{}} is outside of {}, which has {{}}",
            self.shown(location)
        );
        let failure = Failure::about(
            ErrorKind::PointerArithmetic,
            text,
            vec![index.clone(), build::address(length)],
        );
        if checks.pointer_arithmetic {
            self.guard(failure, inside(length.saturating_add(1)), context);
        }
    }
}
