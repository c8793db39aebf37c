//! `realloc`: new memory gets what was in the old one, as far as both go. How many elements an allocation has is known where it is
//! made only once; where it is repeated, and something of it is moved, an array remembers it by the first element.

use super::{Context, Lowering, build, unions};
use crate::flat::{FlatExpression, FlatInstructionKind, FlatTerminator, FlatVariable, Leaf};
use crate::memory::access::Spot;
use crate::points_to::locations::{Count, LocationId, ObjectKind};
use crate::program::{BinaryOperator, ErrorKind, Expression, ExpressionKind, InstructionKind, Numeric, Place, Written};
use crate::types::Types;
use hashbrown::HashSet;
use std::collections::BTreeSet;

impl Lowering<'_> {
    /// At the start nothing is allocated that could be moved.
    pub(super) fn prepare_sizes(&mut self) {
        let mut sources = BTreeSet::new();
        for block in self.inlined.blocks() {
            for instruction in &block.instructions {
                let InstructionKind::Allocate { moved: Some(old), .. } = &instruction.kind else {
                    continue;
                };
                for target in self.points_to.targets(self.types, old) {
                    if let ObjectKind::Allocated(site) = self.points_to.locations.object(target).kind
                        && self.points_to.locations.sites[site].repeated
                    {
                        sources.insert(site);
                    }
                }
            }
        }
        for site in sources {
            let sizes = self
                .layout
                .temporary_array(&format!("heap{}_sizes", site + 1), Numeric::Pointer);
            self.sizes.insert(site, sizes);
            // Nothing begins where nothing has been allocated.
            let value = build::address(-1);
            self.push(FlatInstructionKind::Fill { array: sizes, value });
        }
    }

    /// Remembers how many elements a new allocation has.
    pub(super) fn note_size(&mut self, site: usize, start: &FlatExpression, count: &FlatExpression) {
        if let Some(sizes) = self.sizes.get(&site) {
            let store = FlatInstructionKind::Store {
                array: *sizes,
                index: build::exact(start.clone()),
                value: count.clone(),
            };
            self.push(store);
        }
    }

    /// What the old pointer points to goes into the allocation, which begins with the element `start` and has so many.
    pub(super) fn move_contents(
        &mut self,
        site: usize,
        start: &FlatExpression,
        count: &FlatExpression,
        old: &Expression<Place>,
    ) {
        self.keep_refusals(old, Context::Always);
        let locations = &self.points_to.locations;
        let root = locations.site(site);
        let element = locations.sites[site].element;
        let mut sources = Vec::new();
        let mut with_unions = HashSet::new();
        unions::unions_in(self.types, element, &mut with_unions);
        for target in self.points_to.targets(self.types, old) {
            let object = locations.object(target);
            match object.kind {
                ObjectKind::Allocated(source)
                    if target == object.root
                        && locations.sites[source].element == element
                        && with_unions.is_empty() =>
                {
                    sources.push(source);
                }
                _ => {
                    let what = "`realloc` of memory of another type, or that is not from `malloc`".to_string();
                    let obstacle = self.obstacle(what, &[root]);
                    return self.unsupported_write(obstacle);
                }
            }
        }
        let address = self.expression(old, Context::Always);
        let address = self.hoisted(address, Context::Always, "old");
        let mut is_moved = build::compare(BinaryOperator::Equal, address.clone(), build::address(0));
        for source in sources {
            let from = self.points_to.locations.site(source);
            let here = self.is_at(from, &address);
            let (first, size) = self.allocation_at(source, &address);
            let first = self.hoisted(first, Context::Always, "first");
            let size = self.hoisted(size, Context::Always, "size");
            let begins = build::compare(BinaryOperator::LessOrEqual, build::address(0), size.clone());
            is_moved = build::or(is_moved, build::and(here.clone(), begins));
            let is_less = build::compare(BinaryOperator::Less, size.clone(), count.clone());
            let common = build::conditional(is_less, size, count.clone());
            let common = build::conditional(here, common, build::address(0));
            let common = self.hoisted(common, Context::Always, "common");
            let to = self.points_to.locations.leaves(root);
            let from = self.points_to.locations.leaves(from);
            for ((to, _), (from, _)) in to.into_iter().zip(from) {
                self.move_leaf((to, start), (from, &first), &common);
            }
        }
        self.guard(ErrorKind::InvalidFree, is_moved, Context::Always);
    }

    /// With which element the allocation at an address begins, and how many it has.
    fn allocation_at(&mut self, site: usize, address: &FlatExpression) -> (FlatExpression, FlatExpression) {
        let root = self.points_to.locations.site(site);
        let base = self.layout.address(root);
        let per_element = self.points_to.locations.get(root).per_element.unwrap_or(1);
        let mut first = build::offset(address.clone(), &-base);
        if per_element > 1 {
            let divisor = build::address(per_element);
            first = build::binary(BinaryOperator::Divide, first, divisor, Numeric::Pointer, Types::INT);
        }
        let size = match (self.sizes.get(&site), self.points_to.locations.object(root).count) {
            (Some(sizes), _) => element_of(*sizes, build::exact(first.clone())),
            (None, Count::Fixed(count)) => build::address(count),
            (None, _) => build::variable(self.counter(site), Numeric::Pointer, Types::INT),
        };
        (first, size)
    }

    /// The numbers of a leaf in so many elements, one after another.
    fn move_leaf(
        &mut self,
        (to, start): (LocationId, &FlatExpression),
        (from, first): (LocationId, &FlatExpression),
        elements: &FlatExpression,
    ) {
        let parts = self.points_to.locations.get(from).per_element;
        let kind = self.points_to.locations.get(from).element;
        let (Some(parts), Some(numeric)) = (parts, self.layout.numeric(from)) else {
            let obstacle = self.obstacle("`realloc` of what is no number".to_string(), &[to]);
            return self.unsupported_write(obstacle);
        };
        let turn = self.layout.temporary("moved", Numeric::Pointer);
        let counted = build::variable(turn, Numeric::Pointer, Types::INT);
        self.push(FlatInstructionKind::Assign(turn, build::address(0)));
        let header = self.add_block(FlatTerminator::Stop);
        let body = self.add_block(FlatTerminator::Stop);
        let next = self.add_block(FlatTerminator::Stop);
        self.end(FlatTerminator::Goto(header));
        self.current = header;
        self.end(FlatTerminator::Branch {
            condition: build::compare(
                BinaryOperator::Less,
                counted.clone(),
                build::times(build::exact(elements.clone()), parts),
            ),
            then: body,
            otherwise: next,
        });
        self.current = body;
        self.guards.clear();
        let spot = |lowering: &Self, location: LocationId, begin: &FlatExpression| Spot {
            condition: None,
            location,
            index: (lowering.points_to.locations.get(location).total != Some(1))
                .then(|| build::sum(build::times(build::exact(begin.clone()), parts), counted.clone())),
            bytes: None,
        };
        let (source, target) = (spot(self, from, first), spot(self, to, start));
        match self.value_at(&[source], numeric, kind) {
            Ok(value) => self.write(&[target], &value),
            Err(obstacle) => {
                let obstacle = self.obstacle(obstacle.what, &[to]);
                self.unsupported_write(obstacle);
            }
        }
        let following = build::offset(counted.clone(), &1.into());
        self.push(FlatInstructionKind::Assign(turn, following));
        self.end(FlatTerminator::Goto(header));
        self.current = next;
        self.guards.clear();
    }
}

fn element_of(array: FlatVariable, index: FlatExpression) -> FlatExpression {
    FlatExpression {
        kind: ExpressionKind::Read(Leaf::Element(array, Box::new(index))),
        numeric: Numeric::Pointer,
        c_type: Types::INT,
        written: Written::default(),
    }
}
