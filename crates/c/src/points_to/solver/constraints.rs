//! What the program's text asks of its addresses: instructions and expressions become nodes, edges between them, and uses of
//! what is in them.

use super::{Analysis, NodeId, Use};
use crate::passing::{Arrival, passing};
use crate::points_to::locations::{LocationId, ObjectKind, pointee};
use crate::points_to::{arithmetic_operands, fields, is_made_of_number, is_zero, leaves};
use crate::program::{
    BinaryOperator, Callee, CopySource, Expression, ExpressionKind, FunctionId, InstructionKind, Numeric, Place,
    PlaceBase, Question, Reach, UnknownSource,
};
use crate::types::TypeId;

impl<'p> Analysis<'p> {
    pub(super) fn instruction(&mut self, instruction: &'p InstructionKind, site: Option<usize>) {
        match instruction {
            InstructionKind::Assign { target, value } => self.assign(target, value),
            InstructionKind::Unknown {
                target,
                source: UnknownSource::Uninitialized,
            } => self.uninitialized(target),
            InstructionKind::Unknown { target, .. } => self.outside(target),
            // What is behind parameters is known everywhere.
            InstructionKind::NextArgument { target, .. } => self.outside(target),
            InstructionKind::Unsupported { effect, .. } => {
                effect.changes().iter().for_each(|target| self.outside(target));
            }
            InstructionKind::Allocate {
                target, zeroed, moved, ..
            } => {
                if let Some(site) = site {
                    if !zeroed {
                        self.unset.push(self.locations.site(site));
                    }
                    let address = self.temporary();
                    self.insert(address, self.locations.site(site));
                    if let Some(old) = moved {
                        let from = self.value(old);
                        let element = self.locations.sites[site].element;
                        for path in self.leaf_paths(element) {
                            let access = self.access(element, path);
                            let value = self.temporary();
                            self.add_use(from, Use::Load(access, value));
                            self.add_use(address, Use::Store(access, value));
                        }
                    }
                    self.store(target, &[], address);
                }
            }
            InstructionKind::Call {
                target,
                callee,
                kind,
                arguments,
            } => match callee {
                Callee::Function(function) => self.bind(*function, *kind, target.as_ref(), arguments),
                Callee::Address(pointer) => {
                    let node = self.value(pointer);
                    self.calls.push((*kind, target.as_ref(), arguments));
                    self.add_use(node, Use::Call(self.calls.len() as u32 - 1));
                }
            },
            InstructionKind::Copy {
                target,
                source: CopySource::Address(source),
                element,
                ..
            } => {
                let (to, from) = (self.value(target), self.value(source));
                let whole = self.access(*element, Vec::new());
                self.add_use(from, Use::LookInside(whole));
                for path in self.leaf_paths(*element) {
                    let access = self.access(*element, path);
                    let value = self.temporary();
                    self.add_use(from, Use::Load(access, value));
                    self.add_use(to, Use::Store(access, value));
                }
            }
            // Of an address, the start of the object is told, with which nobody is to calculate.
            InstructionKind::Ask { target, asked } => {
                let pointer = self.value(&asked.pointer);
                if asked.question == Question::Object {
                    let object = self.temporary();
                    self.add_use(pointer, Use::Mix(object));
                    self.store(target, &[], object);
                }
            }
            InstructionKind::Assume(condition) => self.mention(condition),
            InstructionKind::Expose { pointers, reach, .. } => {
                for pointer in pointers {
                    self.expose(pointer, *reach);
                }
            }
            InstructionKind::Zero { .. }
            | InstructionKind::StartArguments { .. }
            | InstructionKind::Free(_)
            | InstructionKind::Copy {
                source: CopySource::Zero,
                ..
            }
            | InstructionKind::Check(_)
            | InstructionKind::Print(_) => {}
        }
    }

    /// Code that is not seen gets the value; of a struct, all that is in it.
    fn expose(&mut self, value: &'p Expression<Place>, reach: Reach) {
        let holder = match reach {
            Reach::Nothing => self.shown,
            Reach::Reading => self.told,
            Reach::Everything => self.exposed,
            Reach::Others => return,
            Reach::Contents => {
                let holder = self.temporary();
                self.add_use(holder, Use::Hand);
                holder
            }
            Reach::Objects => {
                let holder = self.temporary();
                self.add_use(holder, Use::Expose(reach));
                holder
            }
        };
        match (&value.kind, value.numeric) {
            (ExpressionKind::Read(source), Numeric::Aggregate) => {
                for path in self.leaf_paths(source.kind) {
                    self.load(source, &path, holder);
                }
            }
            _ => {
                let node = self.value(value);
                self.edge(node, holder);
            }
        }
    }

    /// Code that is not seen may give the addresses in the object any value that it knows, and, if it goes on from there, change
    /// what they point to.
    pub(super) fn expose_object(&mut self, target: LocationId, reach: Reach) {
        let goes_on = reach == Reach::Everything;
        if goes_on {
            self.insert(self.shown, target);
        }
        // Where a function gets to code that may call it, anything may happen: no call after that needs to be followed.
        let object = self.locations.get(target).object;
        if matches!(self.locations.object(target).kind, ObjectKind::Function(_))
            || !self.exposed_objects.insert((object, goes_on))
        {
            return;
        }
        self.hand_over(target);
        for leaf in self.locations.leaves_alone(self.locations.object(target).root) {
            if let Some(unknown) = self.unknown_at(leaf) {
                self.insert(leaf.0, unknown);
                if goes_on {
                    self.edge(leaf.0, self.exposed);
                }
            }
        }
    }

    /// The paths to the leaves of a type. Any object of the type shows them.
    pub(super) fn leaf_paths(&self, kind: TypeId) -> Vec<Vec<usize>> {
        leaves::paths(&self.program.types, kind)
    }

    fn assign(&mut self, target: &'p Place, value: &'p Expression<Place>) {
        if value.numeric != Numeric::Aggregate {
            let node = self.value(value);
            self.store(target, &[], node);
            return;
        }
        match &value.kind {
            ExpressionKind::Read(source) => {
                self.look_at_whole(source);
                for path in self.leaf_paths(target.kind) {
                    let node = self.temporary();
                    self.load(source, &path, node);
                    self.store(target, &path, node);
                }
            }
            ExpressionKind::Conditional(_, left, right) => {
                self.assign(target, left);
                self.assign(target, right);
            }
            _ => {}
        }
    }

    /// The arguments flow into the parameters, the result to where it goes.
    pub(super) fn bind(
        &mut self,
        function: FunctionId,
        kind: TypeId,
        target: Option<&'p Place>,
        arguments: &'p [Expression<Place>],
    ) {
        let program = self.program;
        let Some(called) = program.functions.get(function.0 as usize) else {
            return;
        };
        if let Some(target) = target
            && called.body.is_none()
        {
            self.outside(target);
        }
        if called.body.is_none() {
            for argument in arguments {
                match (&argument.kind, argument.numeric) {
                    (ExpressionKind::Read(source), Numeric::Aggregate) => {
                        for path in self.leaf_paths(source.kind) {
                            self.load(source, &path, self.shown);
                        }
                    }
                    _ => {
                        let node = self.value(argument);
                        self.edge(node, self.shown);
                    }
                }
            }
            return;
        }
        // What is behind the parameters can be asked for with `va_arg`.
        for argument in arguments.iter().skip(called.parameters.len()) {
            self.expose(argument, Reach::Nothing);
        }
        let passing = passing(program, kind, called, arguments);
        for (parameter, arrival) in called.parameters.iter().zip(&passing.parameters) {
            if *arrival == Arrival::Value {
                continue;
            }
            for leaf in self.locations.leaves_alone(self.locations.variable(*parameter)) {
                if let Some(unknown) = self.unknown_at(leaf) {
                    self.insert(leaf.0, unknown);
                }
            }
        }
        for ((parameter, argument), arrival) in called.parameters.iter().zip(arguments).zip(&passing.parameters) {
            let root = self.locations.variable(*parameter);
            let is_whole = *arrival == Arrival::Value;
            match (&argument.kind, argument.numeric) {
                (_, Numeric::Aggregate) if !is_whole => self.expose(argument, Reach::Nothing),
                (ExpressionKind::Read(source), Numeric::Aggregate) => {
                    self.look_at_whole(source);
                    for (leaf, path) in self.locations.leaves(root) {
                        self.load(source, &path, leaf.0);
                    }
                }
                _ => {
                    let node = self.value(argument);
                    self.edge(node, root.0);
                }
            }
        }
        if let Some(target) = target
            && passing.result != Arrival::Value
        {
            self.outside(target);
        }
        if let (Some(target), Some(result)) = (target, called.result.filter(|_| passing.result == Arrival::Value)) {
            let root = self.locations.variable(result);
            for (leaf, path) in self.locations.leaves(root) {
                self.store(target, &path, leaf.0);
            }
        }
    }

    /// The node of an expression's value.
    pub(super) fn value(&mut self, expression: &'p Expression<Place>) -> NodeId {
        if let ExpressionKind::Read(place) = &expression.kind
            && let Some(location) = self.fixed_location(place, &[])
        {
            self.look(place);
            return location.0;
        }
        if let ExpressionKind::Convert(inner) = &expression.kind {
            let node = self.value(inner);
            if is_made_of_number(expression, inner) {
                self.made_of_numbers.push(node);
            }
            return node;
        }
        let node = self.temporary();
        self.flow(expression, node);
        node
    }

    /// The value of the expression flows into the node.
    fn flow(&mut self, expression: &'p Expression<Place>, into: NodeId) {
        match &expression.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Floating(_) => {}
            ExpressionKind::FunctionAddress(function) => self.insert(into, self.locations.function(*function)),
            ExpressionKind::Read(place) => {
                self.look(place);
                self.load(place, &[], into);
            }
            ExpressionKind::AddressOf(place) => match &place.base {
                PlaceBase::Variable(_) => {
                    if let Some(location) = self.fixed_location(place, &[]) {
                        self.insert(into, location);
                        if self.is_external(location) {
                            self.insert(self.shown, location);
                        }
                    }
                }
                PlaceBase::Dereference(pointer) => {
                    let node = self.value(pointer);
                    let access = self.access(pointee(&self.program.types, pointer.c_type), fields(place));
                    self.add_use(node, Use::Path(access, into));
                }
            },
            ExpressionKind::Convert(_) => {
                let node = self.value(expression);
                self.edge(node, into);
            }
            ExpressionKind::Conditional(condition, left, right) => {
                self.mention(condition);
                self.flow(left, into);
                self.flow(right, into);
            }
            ExpressionKind::Binary(BinaryOperator::PointerAdd, pointer, offset) => {
                let node = self.value(pointer);
                match is_zero(offset) {
                    true => self.edge(node, into),
                    false => {
                        self.add_use(node, Use::Move(pointee(&self.program.types, pointer.c_type), into));
                        // A distance that is made of addresses may lead from one object to another one.
                        let distance = self.value(offset);
                        self.add_use(distance, Use::Reach(node, into));
                    }
                }
            }
            _ => {
                let operands = arithmetic_operands(expression);
                if operands.is_empty() {
                    self.mention(expression);
                }
                for operand in operands {
                    let node = self.value(operand);
                    self.add_use(node, Use::Mix(into));
                }
            }
        }
    }

    /// The addresses that are compared in an expression go nowhere, but they are taken.
    pub(super) fn mention(&mut self, expression: &'p Expression<Place>) {
        match &expression.kind {
            ExpressionKind::Binary(operator, left, right) if operator.is_truth() => {
                for operand in [left, right] {
                    match operand.numeric {
                        Numeric::Pointer => {
                            self.value(operand);
                        }
                        _ => self.mention(operand),
                    }
                }
            }
            ExpressionKind::Binary(_, left, right) => {
                self.mention(left);
                self.mention(right);
            }
            ExpressionKind::Conditional(condition, left, right) | ExpressionKind::Fused(condition, left, right) => {
                for operand in [condition, left, right] {
                    self.mention(operand);
                }
            }
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => self.mention(operand),
            ExpressionKind::Read(place) => self.look(place),
            _ => {}
        }
    }

    /// The location of a place that no pointer is followed for, and of the path below it.
    fn fixed_location(&self, place: &Place, path: &[usize]) -> Option<LocationId> {
        let PlaceBase::Variable(variable) = place.base else {
            return None;
        };
        let mut location = self.locations.variable(variable);
        for field in fields(place).iter().chain(path) {
            location = self.locations.child(location, *field)?;
        }
        Some(location)
    }

    pub(super) fn load(&mut self, place: &'p Place, path: &[usize], into: NodeId) {
        match &place.base {
            PlaceBase::Variable(_) => {
                if let Some(location) = self.fixed_location(place, path) {
                    self.edge(location.0, into);
                }
            }
            PlaceBase::Dereference(pointer) => {
                let (node, access) = self.followed(pointer, place, path);
                self.add_use(node, Use::Load(access, into));
            }
        }
    }

    pub(super) fn store(&mut self, place: &'p Place, path: &[usize], from: NodeId) {
        match &place.base {
            PlaceBase::Variable(_) => {
                if let Some(location) = self.fixed_location(place, path) {
                    self.edge(from, location.0);
                }
            }
            PlaceBase::Dereference(pointer) => {
                let (node, access) = self.followed(pointer, place, path);
                self.add_use(node, Use::Store(access, from));
            }
        }
    }

    /// The number in the place is looked at.
    fn look(&mut self, place: &'p Place) {
        match &place.base {
            PlaceBase::Variable(_) => self.looked_at.extend(self.fixed_location(place, &[])),
            PlaceBase::Dereference(pointer) => {
                let (node, access) = self.followed(pointer, place, &[]);
                self.add_use(node, Use::Look(access));
            }
        }
    }

    /// What is in the place is copied as a whole.
    fn look_at_whole(&mut self, place: &'p Place) {
        match &place.base {
            PlaceBase::Variable(_) => {
                if let Some(location) = self.fixed_location(place, &[]) {
                    self.look_inside(location);
                }
            }
            PlaceBase::Dereference(pointer) => {
                let (node, access) = self.followed(pointer, place, &[]);
                self.add_use(node, Use::LookInside(access));
            }
        }
    }

    fn followed(&mut self, pointer: &'p Expression<Place>, place: &Place, path: &[usize]) -> (NodeId, u32) {
        let mut steps = fields(place);
        steps.extend(path);
        let access = self.access(pointee(&self.program.types, pointer.c_type), steps);
        (self.value(pointer), access)
    }

    fn access(&mut self, kind: TypeId, path: Vec<usize>) -> u32 {
        let key = (kind, path);
        if let Some(id) = self.access_ids.get(&key) {
            return *id;
        }
        let id = self.accesses.len() as u32;
        self.accesses.push(key.clone());
        self.access_ids.insert(key, id);
        id
    }
}
