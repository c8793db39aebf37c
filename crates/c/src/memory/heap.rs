//! Allocated memory: each allocating instruction is an object. One that can be reached only once, for a fixed number of
//! elements, is like a variable. For all others the elements are counted: those of a new allocation come after all others.

use super::{Lowering, build};
use crate::flat::{FlatExpression, FlatInstructionKind, FlatVariable};
use crate::inline::successors;
use crate::points_to::locations::{Count, LocationId, ObjectKind, Site, innermost, pointee};
use crate::points_to::{self, Members, PointsTo};
use crate::program::{
    BinaryOperator, Block, Expression, ExpressionKind, InstructionKind, Numeric, Place, PlaceBase, Program, Terminator,
    VariableId,
};
use crate::types::{TypeId, Types};
use crate::visit::{Touch, places};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// The points-to analysis with the program's allocations. Only in one graph is it known which are repeated.
pub fn analyze(program: &mut Program, is_inlined: bool, members: Members<'_>) -> PointsTo {
    let mut sites = sites(program, is_inlined);
    if let Some(viewed) = members.viewed {
        viewed.retype(&program.types, &mut sites);
    }
    loop {
        let points_to = points_to::analyze(program, sites, members);
        let wanted = wanted_types(program, &points_to);
        if wanted.is_empty() {
            return points_to;
        }
        // A site gets another type only once, so this ends.
        sites = points_to.locations.sites;
        for (site, element) in wanted {
            retype(&program.types, &mut sites[site], element);
        }
    }
}

/// The types as which untyped memory is accessed: what `malloc (n)` gives where nothing says for what, and what was allocated
/// for a type that it is never accessed as. The largest one if there are several.
fn wanted_types(program: &Program, points_to: &PointsTo) -> BTreeMap<usize, TypeId> {
    let types = &program.types;
    let locations = &points_to.locations;
    let mut wanted: BTreeMap<usize, TypeId> = BTreeMap::new();
    if locations.sites.iter().all(|site| site.units != 0) {
        return wanted;
    }
    let mut fitting: HashSet<usize> = HashSet::new();
    for block in program.blocks() {
        places(block, &mut |place, _| {
            let PlaceBase::Dereference(pointer) = &place.base else {
                return;
            };
            let access = innermost(types, pointee(types, pointer.c_type)).0;
            let size = |kind| types.size_of(kind).unwrap_or(0);
            if access == Types::VOID || size(access) == 0 {
                return;
            }
            for target in points_to.targets(types, pointer) {
                let object = locations.object(target);
                let ObjectKind::Allocated(site) = object.kind else {
                    continue;
                };
                if locations.sites[site].units != 0 || object.somewhere == target {
                    continue;
                }
                if locations.at_type(types, target, access).is_some() {
                    fitting.insert(site);
                } else if target == object.root && wanted.get(&site).is_none_or(|known| size(*known) < size(access)) {
                    wanted.insert(site, access);
                }
            }
        });
    }
    wanted.retain(|site, _| !fitting.contains(site));
    wanted
}

/// Makes the site one for elements of another type, as many as there is room for.
fn retype(types: &Types, site: &mut Site, element: TypeId) {
    let size = |kind| types.size_of(kind).unwrap_or(1).max(1);
    let (before, after) = (size(site.element), size(element));
    site.count = site.count.map(|count| count.saturating_mul(before) / after);
    site.element = element;
    site.units = after.div_ceil(before);
}

fn sites(program: &Program, is_inlined: bool) -> Vec<Site> {
    let mut sites = Vec::new();
    let mut constants: Option<HashMap<VariableId, u64>> = None;
    for (function, body) in program.functions.iter().enumerate() {
        let Some(body) = &body.body else { continue };
        let mut repeated: Option<Vec<bool>> = None;
        for (block, content) in body.blocks.iter().enumerate() {
            for (index, instruction) in content.instructions.iter().enumerate() {
                let InstructionKind::Allocate { element, count, .. } = &instruction.kind else {
                    continue;
                };
                let repeated = repeated.get_or_insert_with(|| match is_inlined {
                    true => in_loops(&body.blocks),
                    false => vec![true; body.blocks.len()],
                });
                let known = constants.get_or_insert_with(|| match is_inlined {
                    true => constant_variables(&body.blocks),
                    false => HashMap::new(),
                });
                sites.push(Site {
                    position: (function, block, index),
                    element: *element,
                    count: count.as_ref().and_then(|count| fixed_by(count, known)),
                    repeated: repeated[block],
                    units: 0,
                });
            }
        }
    }
    sites
}

/// The value of a constant number of elements.
pub fn fixed(count: &Expression<Place>) -> Option<u64> {
    fixed_by(count, &HashMap::new())
}

fn fixed_by(count: &Expression<Place>, known: &HashMap<VariableId, u64>) -> Option<u64> {
    match (&count.kind, count.numeric) {
        (ExpressionKind::Integer(value), _) => value.to_u64(),
        (ExpressionKind::Read(place), _) => known.get(&whole(place)?).copied(),
        (ExpressionKind::Convert(inner), Numeric::Integer(kind)) => {
            fixed_by(inner, known).filter(|value| BigInt::from(*value) <= kind.maximum())
        }
        (ExpressionKind::Binary(operator, left, right), Numeric::Integer(kind)) => {
            let (left, right) = (fixed_by(left, known)?, fixed_by(right, known)?);
            let value = match operator {
                BinaryOperator::Add => left.checked_add(right),
                BinaryOperator::Multiply => left.checked_mul(right),
                // Of what is left over, the elements would not tell.
                BinaryOperator::Divide if right > 0 && left % right == 0 => Some(left / right),
                _ => None,
            };
            value.filter(|value| BigInt::from(*value) <= kind.maximum())
        }
        _ => None,
    }
}

fn whole(place: &Place) -> Option<VariableId> {
    match place.base {
        PlaceBase::Variable(variable) if place.steps.is_empty() => Some(variable),
        _ => None,
    }
}

/// The variables that only ever get one constant, such as the parameters of a function around `malloc`.
fn constant_variables(blocks: &[Block]) -> HashMap<VariableId, u64> {
    let mut written: HashMap<VariableId, usize> = HashMap::new();
    let mut values = Vec::new();
    for block in blocks {
        places(block, &mut |place, touch| {
            if let (PlaceBase::Variable(variable), true) = (&place.base, touch != Touch::Read) {
                *written.entry(*variable).or_insert(0) += 1;
            }
        });
        for instruction in &block.instructions {
            if let InstructionKind::Assign { target, value } = &instruction.kind
                && let Some(variable) = whole(target)
            {
                values.push((variable, value));
            }
        }
    }
    values.retain(|(variable, _)| written.get(variable) == Some(&1));
    let mut known = HashMap::new();
    // A callee comes after its caller, so that one pass is mostly enough; a few follow copies of copies.
    for _ in 0..4 {
        for (variable, value) in &values {
            if let Some(value) = fixed_by(value, &known) {
                known.insert(*variable, value);
            }
        }
    }
    known
}

/// For each block, whether it may be done more than once: whether it is called, or its strongly connected component is a
/// loop (Tarjan's algorithm, with a stack of its own).
pub(super) fn in_loops(blocks: &[Block]) -> Vec<bool> {
    const UNSEEN: usize = usize::MAX;
    let mut looping = vec![false; blocks.len()];
    let (mut number, mut low) = (vec![UNSEEN; blocks.len()], vec![UNSEEN; blocks.len()]);
    let mut is_open = vec![false; blocks.len()];
    let (mut open, mut next) = (Vec::new(), 0);
    for start in 0..blocks.len() {
        if number[start] != UNSEEN {
            continue;
        }
        let mut stack = vec![(start, successors(&blocks[start].terminator), 0usize)];
        number[start] = next;
        low[start] = next;
        next += 1;
        open.push(start);
        is_open[start] = true;
        while let Some((block, followers, position)) = stack.last_mut() {
            let block = *block;
            if let Some(follower) = followers.get(*position) {
                *position += 1;
                let follower = follower.0 as usize;
                if number[follower] == UNSEEN {
                    number[follower] = next;
                    low[follower] = next;
                    next += 1;
                    open.push(follower);
                    is_open[follower] = true;
                    stack.push((follower, successors(&blocks[follower].terminator), 0));
                } else if is_open[follower] {
                    low[block] = low[block].min(number[follower]);
                }
                continue;
            }
            let is_own_successor = followers.iter().any(|follower| follower.0 as usize == block);
            stack.pop();
            if let Some((parent, _, _)) = stack.last() {
                low[*parent] = low[*parent].min(low[block]);
            }
            if low[block] == number[block] {
                let at = open.iter().rposition(|member| *member == block).unwrap_or(0);
                let members = open.split_off(at);
                for member in &members {
                    is_open[*member] = false;
                    looping[*member] = members.len() > 1 || is_own_successor;
                }
            }
        }
    }
    // What is called may be done again behind any return from it.
    let mut waiting: Vec<usize> = Vec::new();
    for block in blocks {
        if let Terminator::Call { entry, .. } = &block.terminator {
            waiting.push(entry.0 as usize);
        }
    }
    let mut called = vec![false; blocks.len()];
    while let Some(block) = waiting.pop() {
        if !std::mem::replace(&mut called[block], true) {
            looping[block] = true;
            waiting.extend(successors(&blocks[block].terminator).iter().map(|next| next.0 as usize));
        }
    }
    looping
}

impl Lowering<'_> {
    /// At the start nothing is allocated. Memory that will be zeroed is zero already: nothing writes to it before.
    pub(super) fn prepare_heap(&mut self) {
        for (index, site) in self.points_to.locations.sites.iter().enumerate() {
            let root = self.points_to.locations.site(index);
            if self.points_to.locations.object(root).count == Count::Allocated {
                let counter = self.counter(index);
                self.push(FlatInstructionKind::Assign(counter, build::address(0)));
            }
            let (_, block, position) = site.position;
            let instruction = &self.inlined.blocks()[block].instructions[position];
            if matches!(instruction.kind, InstructionKind::Allocate { zeroed: true, .. }) {
                for (leaf, _) in self.points_to.locations.leaves(root) {
                    self.clear(leaf);
                }
            }
        }
    }

    fn clear(&mut self, leaf: LocationId) {
        let Some(variable) = self.layout.leaf(leaf) else { return };
        let kind = self.points_to.locations.get(leaf).element;
        let numeric = self.layout.variables[variable.0 as usize].numeric;
        let zero = self.zero(numeric, kind);
        self.push(match self.layout.variables[variable.0 as usize].is_array {
            true => FlatInstructionKind::Fill {
                array: variable,
                value: zero,
            },
            false => FlatInstructionKind::Assign(variable, zero),
        });
    }

    /// The variable that counts the elements of an allocation.
    pub(super) fn counter(&mut self, site: usize) -> FlatVariable {
        if let Some(counter) = self.allocated.get(&site) {
            return *counter;
        }
        let counter = self
            .layout
            .temporary(&format!("heap{}_size", site + 1), Numeric::Pointer);
        self.allocated.insert(site, counter);
        counter
    }

    /// The address of the new object; `count` is how many elements it has.
    /// What `moved` points to goes into it.
    pub(super) fn allocate(
        &mut self,
        site: usize,
        count: Option<FlatExpression>,
        moved: Option<&Expression<Place>>,
    ) -> FlatExpression {
        let root = self.points_to.locations.site(site);
        let per_element = self.points_to.locations.get(root).per_element.unwrap_or(1);
        let base = self.layout.address(root);
        if let count @ (Count::Fixed(_) | Count::Variable(_) | Count::Unknown) =
            self.points_to.locations.object(root).count
        {
            let count = match count {
                Count::Fixed(count) => count,
                _ => 1,
            };
            if let Some(old) = moved {
                self.move_contents(site, &build::address(0), &build::address(count), old);
            }
            return build::address(base);
        }
        let counter = self.counter(site);
        let counted = build::variable(counter, Numeric::Pointer, Types::INT);
        let start = build::sum(build::times(counted.clone(), per_element), build::address(base));
        let start = self.hoisted(start, super::Context::Always, "new");
        let fixed = self.points_to.locations.sites[site].count;
        let count = match (fixed, count) {
            (Some(count), _) => build::address(count),
            (None, None) => build::address(1),
            (None, Some(count)) => self.in_elements(site, build::exact(count)),
        };
        if fixed.is_some() {
            self.assume_room(root, build::sum(counted.clone(), count.clone()));
        }
        if moved.is_none() && !self.sizes.contains_key(&site) {
            self.push(FlatInstructionKind::Assign(counter, build::sum(counted, count)));
            return start;
        }
        let first = self.hoisted(counted.clone(), super::Context::Always, "first");
        let count = self.hoisted(count, super::Context::Always, "count");
        self.push(FlatInstructionKind::Assign(counter, build::sum(counted, count.clone())));
        self.note_size(site, &first, &count);
        if let Some(old) = moved {
            self.move_contents(site, &first, &count, old);
        }
        start
    }

    /// No more elements are allocated in one place than there are addresses. Where a number that was read says how many, nothing is assumed:
    /// systems promise more memory than they have.
    fn assume_room(&mut self, root: LocationId, elements: FlatExpression) {
        let locations = &self.points_to.locations;
        let parts = |(leaf, _): (LocationId, _)| locations.get(leaf).per_element;
        let most_parts = locations.leaves(root).into_iter().filter_map(parts).max();
        let most = self.layout.room(root) / most_parts.unwrap_or(1).max(1);
        let has_room = build::compare(BinaryOperator::LessOrEqual, elements, build::address(most));
        self.push(FlatInstructionKind::Assume(has_room));
    }

    /// The number of elements, of a number of units.
    fn in_elements(&self, site: usize, count: FlatExpression) -> FlatExpression {
        match self.points_to.locations.sites[site].units {
            0 | 1 => count,
            units => {
                let numeric = Numeric::Pointer;
                build::binary(
                    BinaryOperator::Divide,
                    count,
                    build::address(units),
                    numeric,
                    Types::INT,
                )
            }
        }
    }
}
