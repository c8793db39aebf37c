//! The constraints of the points-to analysis and their least solution, by a worklist that hands on only what is new.

mod unknown;

use super::locations::{LocationId, Locations, ObjectId, ObjectKind, Site, pointee};
use super::{arithmetic_operands, fields, is_zero, reach};
use crate::c::program::{
    BinaryOperator, Callee, CopySource, Expression, ExpressionKind, FunctionId, InstructionKind, Numeric, Place,
    PlaceBase, Program, Reach, UnknownSource,
};
use crate::c::types::TypeId;
use hashbrown::{HashMap, HashSet};

/// A holder of addresses: a location, or an intermediate value.
type NodeId = u32;

/// What is done with the addresses in a node.
#[derive(Clone, Copy)]
enum Use {
    /// They are followed, and what is there flows into the node.
    Load(u32, NodeId),
    /// They are followed, and what is in the node flows there.
    Store(u32, NodeId),
    /// They are followed along a path; the address there flows into the node.
    Path(u32, NodeId),
    /// They are moved as pointers to the type.
    Move(TypeId, NodeId),
    /// They are mixed up by arithmetic.
    Mix(NodeId),
    /// They are called.
    Call(u32),
    /// What is outside gets to know them.
    Show,
    /// Code that is not seen may change what they point to, as far as it goes.
    Expose(Reach),
}

#[derive(Default)]
struct Node {
    targets: HashSet<LocationId>,
    pending: Vec<LocationId>,
    /// Everything in `targets`, in the order of arrival.
    arrived: Vec<LocationId>,
    successors: Vec<NodeId>,
    uses: Vec<Use>,
    is_queued: bool,
}

struct Analysis<'p> {
    program: &'p Program,
    locations: Locations,
    nodes: Vec<Node>,
    edges: HashSet<(NodeId, NodeId)>,
    queue: Vec<NodeId>,
    /// Types and paths that pointers are followed at.
    accesses: Vec<(TypeId, Vec<usize>)>,
    access_ids: HashMap<(TypeId, Vec<usize>), u32>,
    /// Calls through pointers.
    calls: Vec<(Option<&'p Place>, &'p [Expression<Place>])>,
    bound: HashSet<(u32, FunctionId)>,
    /// Pointers that are declared without a value: the place, the path in it, and a node for what they may get later.
    uninitialized: Vec<(&'p Place, Vec<usize>, NodeId)>,
    /// Pointers in memory that is allocated without a value.
    unset: Vec<LocationId>,
    /// A holder of what is known outside.
    shown: NodeId,
    /// What is done with pointers from outside, to be done again when they may point to more.
    from_outside: Vec<Use>,
    shows_more: bool,
    /// Whether something has been written where it does not fit, so that pointers there may be anything.
    is_scrambled: bool,
    /// A holder of what code that is not seen may change.
    exposed: NodeId,
    /// The objects that it may change, and how far it goes from there.
    exposed_objects: HashSet<(ObjectId, bool)>,
}

/// The locations of a program, and for each the targets of the values in it.
pub fn solve(program: &Program, sites: Vec<Site>) -> (Locations, Vec<Vec<LocationId>>) {
    let mut positions = HashMap::new();
    for (index, site) in sites.iter().enumerate() {
        positions.insert(site.position, index);
    }
    let locations = Locations::new(program, sites);
    let mut nodes = Vec::new();
    nodes.resize_with(locations.locations.len() + 2, Node::default);
    let shown = locations.locations.len() as NodeId;
    let exposed = shown + 1;
    let mut analysis = Analysis {
        program,
        locations,
        nodes,
        edges: HashSet::new(),
        queue: Vec::new(),
        accesses: Vec::new(),
        access_ids: HashMap::new(),
        calls: Vec::new(),
        bound: HashSet::new(),
        uninitialized: Vec::new(),
        unset: Vec::new(),
        shown,
        from_outside: Vec::new(),
        shows_more: false,
        is_scrambled: false,
        exposed,
        exposed_objects: HashSet::new(),
    };
    analysis.add_use(shown, Use::Show);
    analysis.add_use(exposed, Use::Expose(Reach::Everything));
    for (function_index, function) in program.functions.iter().enumerate() {
        let Some(body) = &function.body else { continue };
        for (block_index, block) in body.blocks.iter().enumerate() {
            for (index, instruction) in block.instructions.iter().enumerate() {
                let site = positions.get(&(function_index, block_index, index)).copied();
                analysis.instruction(&instruction.kind, site);
            }
        }
    }
    analysis.show_globals();
    // What is outside may point to what is outside, and what is stored there is known there.
    for region in analysis.locations.regions.clone() {
        for (leaf, _) in analysis.locations.leaves(region) {
            if let Some(unknown) = analysis.unknown(analysis.locations.get(leaf).element) {
                analysis.insert(leaf.0, unknown);
                analysis.edge(leaf.0, shown);
            }
        }
    }
    analysis.run();
    analysis.settle_uninitialized();
    let count = analysis.locations.locations.len();
    let mut targets = Vec::with_capacity(count);
    for node in analysis.nodes.into_iter().take(count) {
        let mut found = node.arrived;
        found.sort_unstable();
        targets.push(found);
    }
    (analysis.locations, targets)
}

impl<'p> Analysis<'p> {
    fn instruction(&mut self, instruction: &'p InstructionKind, site: Option<usize>) {
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
            InstructionKind::Allocate { target, zeroed, .. } => {
                if let Some(site) = site {
                    if !zeroed {
                        self.unset.push(self.locations.site(site));
                    }
                    let address = self.temporary();
                    self.insert(address, self.locations.site(site));
                    self.store(target, &[], address);
                }
            }
            InstructionKind::Call {
                target,
                callee,
                arguments,
            } => match callee {
                Callee::Function(function) => self.bind(*function, target.as_ref(), arguments),
                Callee::Address(pointer) => {
                    let node = self.value(pointer);
                    self.calls.push((target.as_ref(), arguments));
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
                for path in self.leaf_paths(*element) {
                    let access = self.access(*element, path);
                    let value = self.temporary();
                    self.add_use(from, Use::Load(access, value));
                    self.add_use(to, Use::Store(access, value));
                }
            }
            InstructionKind::Expose { pointers, reach, .. } => {
                for pointer in pointers {
                    self.expose(pointer, *reach);
                }
            }
            InstructionKind::Zero { .. }
            | InstructionKind::StartArguments { .. }
            | InstructionKind::Assume(_)
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
            Reach::Everything => self.exposed,
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
    fn expose_object(&mut self, target: LocationId, reach: Reach) {
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
        for (leaf, _) in self.locations.leaves(self.locations.object(target).root) {
            if let Some(unknown) = self.unknown(self.locations.get(leaf).element) {
                self.insert(leaf.0, unknown);
                if goes_on {
                    self.edge(leaf.0, self.exposed);
                }
            }
        }
    }

    /// The paths to the leaves of a type. Any object of the type shows them.
    fn leaf_paths(&self, kind: TypeId) -> Vec<Vec<usize>> {
        super::leaves::paths(&self.program.types, kind)
    }

    fn assign(&mut self, target: &'p Place, value: &'p Expression<Place>) {
        if value.numeric != Numeric::Aggregate {
            let node = self.value(value);
            self.store(target, &[], node);
            return;
        }
        match &value.kind {
            ExpressionKind::Read(source) => {
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
    fn bind(&mut self, function: FunctionId, target: Option<&'p Place>, arguments: &'p [Expression<Place>]) {
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
        for (parameter, argument) in called.parameters.iter().zip(arguments) {
            let root = self.locations.variable(*parameter);
            match (&argument.kind, argument.numeric) {
                (ExpressionKind::Read(source), Numeric::Aggregate) => {
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
        if let (Some(target), Some(result)) = (target, called.result) {
            let root = self.locations.variable(result);
            for (leaf, path) in self.locations.leaves(root) {
                self.store(target, &path, leaf.0);
            }
        }
    }

    /// The node of an expression's value.
    fn value(&mut self, expression: &'p Expression<Place>) -> NodeId {
        if let ExpressionKind::Read(place) = &expression.kind
            && let Some(location) = self.fixed_location(place, &[])
        {
            return location.0;
        }
        if let ExpressionKind::Convert(inner) = &expression.kind {
            return self.value(inner);
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
            ExpressionKind::Read(place) => self.load(place, &[], into),
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
            ExpressionKind::Convert(inner) => self.flow(inner, into),
            ExpressionKind::Conditional(_, left, right) => {
                self.flow(left, into);
                self.flow(right, into);
            }
            ExpressionKind::Binary(BinaryOperator::PointerAdd, pointer, offset) => {
                let node = self.value(pointer);
                match is_zero(offset) {
                    true => self.edge(node, into),
                    false => self.add_use(node, Use::Move(pointee(&self.program.types, pointer.c_type), into)),
                }
            }
            _ => {
                for operand in arithmetic_operands(expression) {
                    let node = self.value(operand);
                    self.add_use(node, Use::Mix(into));
                }
            }
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

    fn load(&mut self, place: &'p Place, path: &[usize], into: NodeId) {
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

    fn store(&mut self, place: &'p Place, path: &[usize], from: NodeId) {
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

    fn temporary(&mut self) -> NodeId {
        self.nodes.push(Node::default());
        self.nodes.len() as NodeId - 1
    }

    fn insert(&mut self, node: NodeId, target: LocationId) {
        let holder = &mut self.nodes[node as usize];
        if holder.targets.insert(target) {
            holder.arrived.push(target);
            holder.pending.push(target);
            if !holder.is_queued {
                holder.is_queued = true;
                self.queue.push(node);
            }
        }
    }

    fn edge(&mut self, from: NodeId, to: NodeId) {
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.nodes[from as usize].successors.push(to);
        for index in 0..self.nodes[from as usize].arrived.len() {
            let target = self.nodes[from as usize].arrived[index];
            self.insert(to, target);
        }
    }

    fn add_use(&mut self, node: NodeId, how: Use) {
        self.nodes[node as usize].uses.push(how);
        for index in 0..self.nodes[node as usize].arrived.len() {
            let target = self.nodes[node as usize].arrived[index];
            self.apply(how, target);
        }
    }

    fn apply(&mut self, how: Use, target: LocationId) {
        if self.locations.is_outside(target) && matches!(how, Use::Load(..) | Use::Store(..) | Use::Path(..)) {
            self.from_outside.push(how);
            if let Use::Load(access, _) | Use::Store(access, _) | Use::Path(access, _) = how {
                let kind = self.accesses[access as usize].0;
                if let Some(region) = self.locations.at_type(&self.program.types, target, kind) {
                    self.shows_more |= self.locations.make_parts_visible(&self.program.types, region);
                }
            }
        }
        self.follow(how, target);
    }

    fn follow(&mut self, how: Use, target: LocationId) {
        let types = &self.program.types;
        match how {
            Use::Load(access, into) => {
                let places = self.reached(access, target);
                // What is read there in another way than it was written is unknown.
                if self.misses(&places) || self.splits(access, target) {
                    self.insert(into, self.locations.outside);
                }
                for place in places {
                    self.edge(place.0, into);
                }
            }
            Use::Store(access, from) => {
                let places = self.reached(access, target);
                if self.splits(access, target) {
                    self.scramble_visible();
                } else if self.misses(&places) {
                    self.scramble(target);
                }
                for place in places {
                    self.edge(from, place.0);
                }
            }
            Use::Path(access, into) => {
                let places = self.reached(access, target);
                if places.is_empty() {
                    self.insert(into, self.locations.mixed(target));
                }
                for place in places {
                    self.insert(into, place);
                }
            }
            Use::Show => {
                if self.locations.make_visible(types, target) {
                    self.shows_more = true;
                    for (leaf, _) in self.locations.leaves(self.locations.object(target).root) {
                        self.edge(leaf.0, self.shown);
                    }
                }
            }
            Use::Expose(reach) => self.expose_object(target, reach),
            Use::Move(pointee, into) => self.insert(into, self.locations.moved(types, target, pointee)),
            Use::Mix(into) => self.insert(into, self.locations.mixed(target)),
            Use::Call(call) => {
                if let ObjectKind::Function(function) = self.locations.object(target).kind
                    && self.bound.insert((call, function))
                {
                    let (place, arguments) = self.calls[call as usize];
                    self.bind(function, place, arguments);
                }
            }
        }
    }

    fn reached(&self, access: u32, target: LocationId) -> Vec<LocationId> {
        let (kind, path) = &self.accesses[access as usize];
        reach(&self.locations, &self.program.types, target, *kind, path)
    }

    fn run(&mut self) {
        self.hand_on();
        while std::mem::take(&mut self.shows_more) {
            for how in self.from_outside.clone() {
                // An unknown number points to the same.
                self.follow(how, self.locations.outside);
            }
            self.hand_on();
        }
    }

    fn hand_on(&mut self) {
        while let Some(node) = self.queue.pop() {
            let holder = &mut self.nodes[node as usize];
            holder.is_queued = false;
            let pending = std::mem::take(&mut holder.pending);
            let (uses, successors) = (holder.uses.clone(), holder.successors.clone());
            for target in &pending {
                for how in &uses {
                    self.apply(*how, *target);
                }
                for successor in &successors {
                    self.insert(*successor, *target);
                }
            }
        }
    }
}
