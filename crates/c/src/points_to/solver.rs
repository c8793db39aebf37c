//! The constraints of the points-to analysis ([`constraints`] makes them) and their least solution, by a worklist that hands on
//! only what is new.

mod constraints;
mod unknown;

use super::locations::{LocationId, Locations, ObjectId, ObjectKind, Site};
use super::{Members, Mixing, reach};
use crate::program::{Expression, FunctionId, Place, Program, Reach, Terminator};
use crate::types::TypeId;
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
    /// They are followed, and a number is looked at there.
    Look(u32),
    /// They are followed to something that is copied as a whole: if it is a part of a union, the numbers in it are looked at.
    LookInside(u32),
    /// They are moved as pointers to the type.
    Move(TypeId, NodeId),
    /// They are mixed up by arithmetic.
    Mix(NodeId),
    /// A pointer, which is in the first node, is moved by a distance that is made of them.
    Reach(NodeId, NodeId),
    /// They are called.
    Call(u32),
    /// What is outside gets to know them.
    Show,
    /// The same, but it does not change what is there.
    Tell,
    /// They are followed, and the addresses that are there may be found elsewhere.
    Hand,
    /// Code that is not seen may change what they point to, as far as it goes.
    Expose(Reach),
}

/// A call through a pointer: the type of function as which it is called, where the result goes, and the arguments.
type Call<'p> = (TypeId, Option<&'p Place>, &'p [Expression<Place>]);

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
    calls: Vec<Call<'p>>,
    bound: HashSet<(u32, FunctionId)>,
    /// Pointers that are declared without a value: the place, the path in it, and a node for what they may get later.
    uninitialized: Vec<(&'p Place, Vec<usize>, NodeId)>,
    /// Pointers in memory that is allocated without a value.
    unset: Vec<LocationId>,
    /// Holders of numbers that become addresses.
    made_of_numbers: Vec<NodeId>,
    /// A holder of what is known outside.
    shown: NodeId,
    /// What is done with pointers from outside, to be done again when they may point to more.
    from_outside: Vec<Use>,
    shows_more: bool,
    /// Whether something has been written where it does not fit, so that pointers there may be anything.
    is_scrambled: bool,
    /// The objects where that was so.
    scrambled: HashSet<ObjectId>,
    /// How many objects were known outside when all of them were the last time.
    scrambled_visible: Option<usize>,
    /// The locations of numbers that are looked at, and not only copied with all around them.
    looked_at: HashSet<LocationId>,
    /// The unions of which members may be read as parts of addresses in others.
    mixing: Mixing<'p>,
    /// What was last found of accesses through pointers from outside: whether they may go to something visible of another type, by what
    /// was known there then. It becomes true for more and more of them.
    splitting: HashMap<u32, ((usize, bool), bool)>,
    /// A holder of what is known outside and not changed there.
    told: NodeId,
    /// A holder of what code that is not seen may change.
    exposed: NodeId,
    /// The objects that it may change, and how far it goes from there.
    exposed_objects: HashSet<(ObjectId, bool)>,
}

/// The locations of a program, and for each the targets of the values in it.
pub fn solve<'p>(program: &'p Program, sites: Vec<Site>, members: Members<'p>) -> (Locations, Vec<Vec<LocationId>>) {
    let mut positions = HashMap::new();
    for (index, site) in sites.iter().enumerate() {
        positions.insert(site.position, index);
    }
    let locations = Locations::new(program, sites, members);
    let mut nodes = Vec::new();
    nodes.resize_with(locations.locations.len() + 3, Node::default);
    let shown = locations.locations.len() as NodeId;
    let exposed = shown + 1;
    let told = shown + 2;
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
        made_of_numbers: Vec::new(),
        shown,
        from_outside: Vec::new(),
        shows_more: false,
        is_scrambled: false,
        scrambled: HashSet::new(),
        scrambled_visible: None,
        splitting: HashMap::new(),
        looked_at: HashSet::new(),
        mixing: members.mixing,
        told,
        exposed,
        exposed_objects: HashSet::new(),
    };
    analysis.add_use(shown, Use::Show);
    analysis.add_use(told, Use::Tell);
    analysis.add_use(exposed, Use::Expose(Reach::Everything));
    for (function_index, function) in program.functions.iter().enumerate() {
        let Some(body) = &function.body else { continue };
        for (block_index, block) in body.blocks.iter().enumerate() {
            for (index, instruction) in block.instructions.iter().enumerate() {
                let site = positions.get(&(function_index, block_index, index)).copied();
                analysis.instruction(&instruction.kind, site);
            }
            match &block.terminator {
                Terminator::Branch { condition, .. } => analysis.mention(condition),
                Terminator::Switch { value, .. } => analysis.mention(value),
                _ => {}
            }
        }
    }
    analysis.show_globals();
    // What is outside may point to what is outside, and what is stored there is known there.
    for region in analysis.locations.regions.clone() {
        for leaf in analysis.locations.leaves_alone(region) {
            if let Some(unknown) = analysis.unknown_at(leaf) {
                analysis.insert(leaf.0, unknown);
                analysis.edge(leaf.0, shown);
            }
        }
    }
    analysis.run();
    analysis.settle_numbers();
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
        if self.locations.is_outside(target)
            && matches!(
                how,
                Use::Load(..) | Use::Store(..) | Use::Path(..) | Use::Look(..) | Use::LookInside(..)
            )
        {
            self.from_outside.push(how);
            let is_store = matches!(how, Use::Store(..));
            self.shows_more |= is_store && !std::mem::replace(&mut self.locations.is_written_outside, true);
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
                // What is read there in another way than it was written is unknown, but for the addresses that are there.
                if self.misses(&places) || self.splits(access, target) {
                    self.insert(into, self.locations.outside);
                    self.show_contents(target);
                }
                for place in places {
                    self.edge(place.0, into);
                }
            }
            Use::Store(access, from) => {
                let places = self.reached(access, target);
                // Addresses that are written where they do not fit may be read there in another way.
                if self.splits(access, target) {
                    self.edge(from, self.shown);
                    self.scramble_visible();
                } else if self.misses(&places) {
                    self.edge(from, self.shown);
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
            Use::Look(access) => {
                let places = self.reached(access, target);
                self.looked_at.extend(places);
            }
            Use::LookInside(access) => {
                for place in self.reached(access, target) {
                    self.look_inside(place);
                }
            }
            Use::Tell => {
                if self.locations.make_readable(types, target) {
                    self.shows_more = true;
                    for leaf in self.locations.leaves_alone(self.locations.object(target).root) {
                        self.edge(leaf.0, self.told);
                    }
                }
            }
            Use::Show => {
                let is_more = self.locations.make_writable(target);
                if self.locations.make_visible(types, target) || is_more {
                    self.shows_more = true;
                    for leaf in self.locations.leaves_alone(self.locations.object(target).root) {
                        self.edge(leaf.0, self.shown);
                    }
                }
            }
            Use::Hand => self.hand_over(target),
            Use::Expose(reach) => self.expose_object(target, reach),
            Use::Move(pointee, into) => self.insert(into, self.locations.moved(types, target, pointee)),
            Use::Mix(into) => self.insert(into, self.locations.mixed(target)),
            Use::Reach(pointer, into) => {
                let object = |target: LocationId| self.locations.get(target).object;
                let mut moved = self.nodes[pointer as usize].arrived.iter();
                if !self.locations.is_outside(target) && !moved.any(|other| object(*other) == object(target)) {
                    self.insert(into, self.locations.mixed(target));
                }
            }
            Use::Call(call) => {
                if let ObjectKind::Function(function) = self.locations.object(target).kind
                    && self.bound.insert((call, function))
                {
                    let (kind, place, arguments) = self.calls[call as usize];
                    self.bind(function, kind, place, arguments);
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
