//! Answers to what programs ask about the objects that their pointers point into ([`Question`]).
//!
//! A pointer is the number of a location and an index ([`super::layout`]), so that the object, the distance from its start and
//! its size follow from where the pointer may point. Where the object is not known the program is refused; where the documents
//! leave an answer open, it is a value that is not calculated.

use super::bounds::between;
use super::{Context, Lowering, build, heap};
use crate::flat::{FlatExpression, FlatInstructionKind, FlatTerminator};
use crate::points_to::locations::{Count, LocationId, ObjectKind, pointee};
use crate::program::{
    Asked, BinaryOperator, Expression, ExpressionKind, InstructionKind, Numeric, Place, PlaceBase, Question,
    UnknownSource, VariableRole,
};
use crate::types::{Type, TypeId, Types};
use num_bigint::BigInt;

/// Where the pointer of a question may point.
struct Case {
    location: LocationId,
    /// Whether it does, in terms of the pointer.
    here: FlatExpression,
    /// In bytes from the object's start.
    offset: FlatExpression,
}

impl Lowering<'_> {
    /// The answer as a number of the type.
    pub(super) fn answer(&mut self, asked: &Asked, kind: TypeId) -> FlatExpression {
        let numeric = crate::inline::numeric(self.types, kind);
        match self.answered(asked) {
            Ok(answer) => {
                let size = self.types.size_type();
                match (asked.question, numeric) {
                    (Question::Object, Numeric::Integer(integer)) => {
                        build::number_of_address(answer, integer, kind, size)
                    }
                    _ => build::converted(answer, numeric, kind, size),
                }
            }
            Err(why) => self.unsupported(format!("`{}` of a pointer {why}", asked.name), numeric, kind),
        }
    }

    /// The answer as an exact number, or why there is none.
    fn answered(&mut self, asked: &Asked) -> Result<FlatExpression, &'static str> {
        if self.options.checks.pointer_arithmetic {
            self.expression(&asked.pointer, Context::Always);
        }
        let (pointer, moved) = self.without_moves(&asked.pointer)?;
        let address = self.expression(pointer, Context::Always);
        let address = self.small(address, Context::Always, "pointer");
        let bytes = asked.bytes.as_ref().map(|bytes| {
            let bytes = build::exact(self.expression(bytes, Context::Always));
            self.small(bytes, Context::Always, "bytes")
        });
        let targets = self.points_to.targets(self.types, pointer);
        let mut cases = Vec::new();
        for target in &targets {
            cases.push(self.case(asked.question, *target, &targets, &address, &moved)?);
        }
        let mut answers = Vec::with_capacity(cases.len());
        for case in cases {
            let (holds, value) = self.in_case(asked.question, &case, &address, bytes.as_ref())?;
            answers.push((build::and(case.here, holds), value));
        }
        let may_be_null = !matches!(pointer.kind, ExpressionKind::AddressOf(_));
        if may_be_null {
            let is_null = build::compare(BinaryOperator::Equal, address, build::address(0));
            let still = build::compare(BinaryOperator::Equal, moved.clone(), build::address(0));
            answers.insert(
                0,
                match asked.question {
                    Question::Offset => (is_null, moved),
                    Question::Object => (is_null, build::address(0)),
                    // Null is in no array.
                    Question::Elements => (build::truth(false), build::address(0)),
                    _ => (build::and(is_null, still), build::address(0)),
                },
            );
        }
        Ok(self.first_that_holds(asked, answers))
    }

    /// The value behind the first condition that holds. Only a run in which none does depends on what is not calculated.
    fn first_that_holds(&mut self, asked: &Asked, answers: Vec<(FlatExpression, FlatExpression)>) -> FlatExpression {
        let constant = |condition: &FlatExpression| build::constant(condition).map(|value| *value != 0.into());
        let mut answers = answers;
        answers.retain(|(condition, _)| constant(condition) != Some(false));
        if let Some((condition, value)) = answers.first()
            && constant(condition) == Some(true)
        {
            return value.clone();
        }
        let result = self.layout.temporary("answer", Numeric::Pointer);
        let join = self.add_block(FlatTerminator::Stop);
        for (condition, value) in answers {
            let here = self.add_block(FlatTerminator::Goto(join));
            let next = self.add_block(FlatTerminator::Stop);
            self.end(FlatTerminator::Branch {
                condition,
                then: here,
                otherwise: next,
            });
            self.guards.clear();
            self.current = here;
            self.push(FlatInstructionKind::Assign(result, value));
            self.current = next;
        }
        let source = UnknownSource::NotCalculated(format!("the result of `{}`", asked.name));
        self.push(FlatInstructionKind::Unknown(result, source));
        self.end(FlatTerminator::Goto(join));
        self.guards.clear();
        self.current = join;
        build::variable(result, Numeric::Pointer, Types::INT)
    }

    /// A pointer without what it has been moved by at once, and how many bytes that is: neither changes the object.
    fn without_moves<'e>(
        &mut self,
        pointer: &'e Expression<Place>,
    ) -> Result<(&'e Expression<Place>, FlatExpression), &'static str> {
        let (mut pointer, mut moved) = (pointer, build::address(0));
        loop {
            match &pointer.kind {
                ExpressionKind::Convert(inner)
                    if inner.numeric == Numeric::Pointer && pointer.numeric == Numeric::Pointer =>
                {
                    pointer = inner;
                }
                ExpressionKind::AddressOf(place) => match &place.base {
                    PlaceBase::Dereference(inner) if place.steps.is_empty() => pointer = inner,
                    _ => break,
                },
                ExpressionKind::Binary(BinaryOperator::PointerAdd, from, by) => {
                    let Some(size) = self.types.size_of(pointee(self.types, from.c_type)) else {
                        return Err("to something without a size that is moved");
                    };
                    let by = build::exact(self.expression(by, Context::Always));
                    moved = build::sum(build::times(by, size), moved);
                    pointer = from;
                }
                _ => break,
            }
        }
        Ok((pointer, self.small(moved, Context::Always, "distance")))
    }

    /// The case that the pointer points to one of these locations.
    fn case(
        &mut self,
        question: Question,
        target: LocationId,
        all: &[LocationId],
        address: &FlatExpression,
        moved: &FlatExpression,
    ) -> Result<Case, &'static str> {
        let locations = &self.points_to.locations;
        let object = locations.get(target).object;
        let kind = locations.object(target).kind;
        if kind == ObjectKind::Outside {
            return Err("of which it is not known where it points");
        }
        let is_only_object = all.iter().all(|other| locations.get(*other).object == object);
        if question == Question::Object && is_only_object && !self.is_many(target) && !self.comes_again(target) {
            return Ok(Case {
                location: target,
                here: build::truth(true),
                offset: build::address(0),
            });
        }
        if locations.is_somewhere(target) {
            return Err("made by arithmetic on another one");
        }
        if self.has_unknown_neighbours(target) {
            return Err("to one of several elements that one call allocates more than once");
        }
        let Some((start, stride)) = self.linear_in_element(target) else {
            return Err("to one of several arrays inside of others");
        };
        let base = self.layout.address(target);
        let end = match self.points_to.locations.get(target).total {
            Some(total) => build::address(&base + total),
            None => self.end_of(target, &base),
        };
        let is_only = all.len() == 1;
        let is_only_part = all
            .iter()
            .all(|other| *other == target || self.points_to.locations.get(*other).object != object);
        let here = match (is_only && !self.comes_again(target), is_only_part) {
            (true, _) if !self.is_many(target) => build::truth(true),
            // One behind the last element is still that object's.
            (_, true) if !self.is_many(target) => between(address, &base, build::offset(end, &BigInt::from(1))),
            _ => between(address, &base, end),
        };
        let index = match self.is_many(target) {
            true => build::address(0),
            false => build::offset(address.clone(), &-base),
        };
        let offset = build::sum(build::offset(build::times(index, stride), &start), moved.clone());
        Ok(Case {
            location: target,
            here,
            offset,
        })
    }

    /// When there is an answer in a case, and what it is.
    fn in_case(
        &mut self,
        question: Question,
        case: &Case,
        address: &FlatExpression,
        bytes: Option<&FlatExpression>,
    ) -> Result<(FlatExpression, FlatExpression), &'static str> {
        let root = self.points_to.locations.object(case.location).root;
        match question {
            Question::Offset => return Ok((build::truth(true), case.offset.clone())),
            Question::Object => {
                let start = build::address(self.layout.address(root));
                let start = match self.element_of(case.location, address) {
                    Some(element) if self.is_many(root) => {
                        let per_element = self.points_to.locations.get(root).per_element.unwrap_or(1);
                        build::sum(build::times(element, per_element), start)
                    }
                    _ => start,
                };
                return Ok((build::truth(true), start));
            }
            _ => {}
        }
        let Some(size) = self.bytes_of_object(root) else {
            return Err("to an object of unknown size");
        };
        let offset = case.offset.clone();
        let mut holds = build::and(
            build::compare(BinaryOperator::LessOrEqual, build::address(0), offset.clone()),
            build::compare(BinaryOperator::Less, offset.clone(), size.clone()),
        );
        if let Some(over) = self.over_if_followed(case.location, address)? {
            holds = build::and(holds, build::not(over));
        }
        let value = match question {
            Question::Elements => match self.size_of_elements(root) {
                Some(1) => size,
                Some(element) => match build::constant(&size) {
                    Some(size) => build::address(size / element),
                    None => return Err("to an array of a length that is not constant"),
                },
                None => return Err("to something else than an array"),
            },
            Question::IsAllocated => {
                let is_allocated = matches!(self.points_to.locations.object(root).kind, ObjectKind::Allocated(_));
                build::address(u8::from(is_allocated))
            }
            Question::HasBytes => {
                let end = build::sum(offset, bytes.cloned().unwrap_or_else(|| build::address(0)));
                build::exact(build::compare(BinaryOperator::LessOrEqual, end, size))
            }
            _ => size,
        };
        Ok((holds, value))
    }

    /// Whether an object is one of many that one instruction allocates, one at a time.
    fn is_many(&self, location: LocationId) -> bool {
        match self.points_to.locations.object(location).kind {
            ObjectKind::Allocated(site) => self.points_to.locations.sites[site].repeated,
            _ => false,
        }
    }

    /// Whether the pointer may have been to a former life of a variable.
    fn comes_again(&self, location: LocationId) -> bool {
        match self.points_to.locations.object(location).kind {
            ObjectKind::Variable(variable) => self.ghosts.begins_again(variable),
            _ => false,
        }
    }

    /// As [`Lowering::linear`] has it, inside one of the objects that an instruction allocates one at a time, too.
    fn linear_in_element(&self, target: LocationId) -> Option<(BigInt, u64)> {
        if !self.is_many(target) {
            return self.linear(target);
        }
        let locations = &self.points_to.locations;
        let mut start = BigInt::from(0);
        let mut current = target;
        loop {
            let here = locations.get(current);
            if here.own != Some(1) {
                return None;
            }
            let Some((parent, field)) = here.parent else { break };
            start += self.field_offset(locations.get(parent).element, field)?;
            current = parent;
        }
        Some((start, 0))
    }

    /// Which of the objects that an instruction allocates one at a time an address in the location is in.
    fn element_of(&mut self, location: LocationId, address: &FlatExpression) -> Option<FlatExpression> {
        let base = self.layout.address(location);
        let per_element = self.points_to.locations.get(location).per_element?;
        (per_element == 1).then(|| build::offset(address.clone(), &-base))
    }

    /// The size of an object in bytes.
    fn bytes_of_object(&mut self, root: LocationId) -> Option<FlatExpression> {
        let locations = &self.points_to.locations;
        match locations.object(root).kind {
            ObjectKind::Variable(variable) => {
                let kind = self.inlined.program.variables[variable.0 as usize].kind;
                if let Some(size) = self.types.size_of(kind) {
                    return Some(build::address(size));
                }
            }
            ObjectKind::Allocated(site) => {
                let site = &locations.sites[site];
                let (_, block, position) = site.position;
                let instruction = &self.inlined.blocks()[block].instructions[position].kind;
                let InstructionKind::Allocate {
                    element,
                    count: Some(count),
                    ..
                } = instruction
                else {
                    return None;
                };
                if let Some(count) = heap::fixed(count) {
                    return Some(build::address(BigInt::from(count) * self.types.size_of(*element)?));
                }
                if site.repeated {
                    return (site.count == Some(1))
                        .then(|| self.types.size_of(site.element))
                        .flatten()
                        .map(build::address);
                }
                if site.units > 1 {
                    return None;
                }
            }
            ObjectKind::Function(_) | ObjectKind::Outside => return None,
        }
        if locations.object(root).count == Count::Unknown {
            return None;
        }
        let extent = self.extent(root, false)?;
        Some(build::times(extent.count, extent.size))
    }

    /// The size of an array's elements.
    fn size_of_elements(&self, root: LocationId) -> Option<u64> {
        let locations = &self.points_to.locations;
        match locations.object(root).kind {
            ObjectKind::Variable(variable) => {
                match *self.types.get(self.inlined.program.variables[variable.0 as usize].kind) {
                    Type::Array(element, _) => self.types.size_of(element),
                    _ => None,
                }
            }
            // As what memory is allocated its bytes do not say.
            ObjectKind::Allocated(site) => self
                .types
                .size_of(locations.sites[site].element)
                .filter(|size| *size == 1),
            _ => None,
        }
    }

    /// Whether the life of the object at an address is over, if it ever is.
    fn over_if_followed(
        &mut self,
        location: LocationId,
        address: &FlatExpression,
    ) -> Result<Option<FlatExpression>, &'static str> {
        if self.options.checks.lifetime {
            return Ok(self.is_over(location, address));
        }
        let ends = match self.points_to.locations.object(location).kind {
            ObjectKind::Variable(variable) => {
                let role = self.inlined.program.variables[variable.0 as usize].role;
                !matches!(role, VariableRole::Global | VariableRole::Literal)
            }
            ObjectKind::Allocated(_) => self.frees_anything(),
            ObjectKind::Function(_) | ObjectKind::Outside => false,
        };
        match ends {
            true => Err("to an object whose life may end, which only `--check lifetime` follows"),
            false => Ok(None),
        }
    }

    fn frees_anything(&self) -> bool {
        let mut instructions = self.inlined.blocks().iter().flat_map(|block| &block.instructions);
        instructions.any(|instruction| matches!(instruction.kind, InstructionKind::Free(_)))
    }
}
