//! Allocated memory: each allocating instruction is an object. One that can be reached only once, for a fixed number of
//! elements, is like a variable. For all others the elements are counted: those of a new allocation come after all others.

use super::{Lowering, build};
use crate::c::flat::{FlatExpression, FlatInstructionKind, FlatVariable};
use crate::c::inline::successors;
use crate::c::points_to::locations::{Count, LocationId, Site};
use crate::c::points_to::{self, PointsTo};
use crate::c::program::{Block, Expression, ExpressionKind, InstructionKind, Numeric, Place, Program};
use num_traits::ToPrimitive;

/// The points-to analysis with the program's allocations. Only in one graph is it known which are repeated.
pub fn analyze(program: &mut Program, is_inlined: bool) -> PointsTo {
    let sites = sites(program, is_inlined);
    points_to::analyze(program, sites)
}

fn sites(program: &Program, is_inlined: bool) -> Vec<Site> {
    let mut sites = Vec::new();
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
                sites.push(Site {
                    position: (function, block, index),
                    element: *element,
                    count: count.as_ref().and_then(fixed),
                    repeated: repeated[block],
                });
            }
        }
    }
    sites
}

/// The value of a constant number of elements.
pub fn fixed(count: &Expression<Place>) -> Option<u64> {
    match &count.kind {
        ExpressionKind::Integer(value) => value.to_u64(),
        ExpressionKind::Convert(inner) => fixed(inner),
        _ => None,
    }
}

/// For each block, whether it can be reached from itself: whether its strongly connected component is a loop (Tarjan's
/// algorithm, with a stack of its own).
fn in_loops(blocks: &[Block]) -> Vec<bool> {
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
    pub(super) fn allocate(&mut self, site: usize, count: Option<FlatExpression>) -> FlatExpression {
        let root = self.points_to.locations.site(site);
        let per_element = self.points_to.locations.get(root).per_element.unwrap_or(1);
        let base = self.layout.address(root);
        if self.points_to.locations.object(root).count != Count::Allocated {
            return build::address(base);
        }
        let counter = self.counter(site);
        let counted = build::variable(counter, Numeric::Pointer, crate::c::types::Types::INT);
        let start = build::sum(build::times(counted.clone(), per_element), build::address(base));
        let start = self.hoisted(start, super::Context::Always, "new");
        let count = build::exact(count.unwrap_or_else(|| build::address(1)));
        self.push(FlatInstructionKind::Assign(counter, build::sum(counted, count)));
        start
    }
}
