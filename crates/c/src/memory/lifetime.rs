//! Lives that end: of what is freed, and of variables whose block or function is left. For each such object the flat program
//! keeps a number that says whether its life is over, made only if a check asks for it, and an access through a pointer gets
//! a guard that reads it.
//!
//! A variable that comes to life again has the address that it had before. So that pointers to its former life are told
//! apart, they get an address that is nobody's then; where they are kept in arrays, the program is refused.

use super::heap::in_loops;
use super::{Context, Lowering, build};
use crate::flat::{Failure, FlatExpression, FlatInstructionKind, FlatVariable, Leaf};
use crate::inline::Inlined;
use crate::options::Options;
use crate::points_to::PointsTo;
use crate::points_to::locations::{LocationId, ObjectKind};
use crate::program::{
    BinaryOperator, Check, ErrorKind, Expression, ExpressionKind, InstructionKind, Numeric, Place, VariableId, Written,
};
use crate::syntax::Span;
use crate::types::{IntegerType, Type, Types};
use std::collections::{BTreeMap, BTreeSet};

/// The address that pointers to a former life of a variable get, far away from all objects.
const FORMER: u64 = 1 << 62;

/// What checks keep track of.
pub(super) struct Ghosts {
    /// For each variable whose life ends, a variable that is 1 after its end.
    ended: BTreeMap<VariableId, Option<FlatVariable>>,
    /// Those of them that may begin again, and the blocks where they begin.
    again: BTreeMap<VariableId, BTreeSet<usize>>,
    /// For each allocation of which something may be freed, a variable that is 1 after that: an array by elements if the
    /// allocation is repeated.
    freed: BTreeMap<usize, Option<FlatVariable>>,
    /// For each number in a local variable, a variable that is 1 if it has a value.
    pub(super) set: BTreeMap<LocationId, FlatVariable>,
    /// The variables that have no value where they are declared, and those to which they are copied as a whole.
    pub(super) without_value: BTreeSet<VariableId>,
    /// The instruction whose bytes have been checked.
    pub(super) measured: Option<Span>,
}

impl Ghosts {
    pub(super) fn new(inlined: &Inlined, points_to: &PointsTo, options: &Options) -> Ghosts {
        let mut ghosts = Ghosts {
            ended: BTreeMap::new(),
            again: BTreeMap::new(),
            freed: BTreeMap::new(),
            set: BTreeMap::new(),
            without_value: BTreeSet::new(),
            measured: None,
        };
        let checks = options.checks;
        if checks.frees() {
            let looping = in_loops(inlined.blocks());
            for (index, block) in inlined.blocks().iter().enumerate() {
                for instruction in &block.instructions {
                    match &instruction.kind {
                        InstructionKind::Check(Check::Ends(variable)) if checks.lifetime => {
                            ghosts.ended.insert(*variable, None);
                        }
                        InstructionKind::Check(Check::Begins(variable)) if looping[index] => {
                            ghosts.again.entry(*variable).or_default().insert(index);
                        }
                        InstructionKind::Free(pointer) => {
                            for target in points_to.targets(&inlined.program.types, pointer) {
                                if let ObjectKind::Allocated(site) = points_to.locations.object(target).kind {
                                    ghosts.freed.insert(site, None);
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        if checks.uninitialized {
            ghosts.without_value = super::initialized::without_value(inlined);
        }
        ghosts
    }
}

impl Ghosts {
    /// Whether the variable comes to life more than once, and pointers to a former life are told apart.
    pub(super) fn begins_again(&self, variable: VariableId) -> bool {
        self.ended.contains_key(&variable) && self.again.contains_key(&variable)
    }
}

impl Lowering<'_> {
    /// Where the program or an activation starts, none of the lives in it has ended.
    pub(super) fn prepare_lives(&mut self, activation: Option<u32>) {
        let flags: Vec<FlatVariable> = self.ghosts.ended.values().copied().flatten().collect();
        for flag in flags {
            if self.layout.variables[flag.0 as usize].activation == activation {
                let zero = build::integer(0.into(), FLAG, Types::INT);
                self.push(FlatInstructionKind::Assign(flag, zero));
            }
        }
    }

    /// At the start nothing has been freed.
    pub(super) fn prepare_ghosts(&mut self) {
        let zero = || build::integer(0.into(), FLAG, Types::INT);
        let variables: Vec<VariableId> = self.ghosts.ended.keys().copied().collect();
        for variable in variables {
            let name = format!("{}_ended", self.inlined.program.variables[variable.0 as usize].name);
            let flag = self.layout.temporary(&name, FLAG);
            self.layout.variables[flag.0 as usize].activation = self.layout.activation(variable);
            self.ghosts.ended.insert(variable, Some(flag));
        }
        let sites: Vec<usize> = self.ghosts.freed.keys().copied().collect();
        for site in sites {
            let name = format!("heap{}_freed", site + 1);
            let is_array = self.points_to.locations.sites[site].repeated;
            let flag = match is_array {
                true => self.layout.temporary_array(&name, FLAG),
                false => self.layout.temporary(&name, FLAG),
            };
            self.ghosts.freed.insert(site, Some(flag));
            self.push(match is_array {
                true => FlatInstructionKind::Fill {
                    array: flag,
                    value: zero(),
                },
                false => FlatInstructionKind::Assign(flag, zero()),
            });
        }
    }

    fn ended(&self, variable: VariableId) -> Option<FlatVariable> {
        self.ghosts.ended.get(&variable).copied().flatten()
    }

    pub(super) fn end_of_life(&mut self, variable: VariableId) {
        if let Some(flag) = self.ended(variable) {
            let one = build::integer(1.into(), FLAG, Types::INT);
            self.push(FlatInstructionKind::Assign(flag, one));
        }
    }

    pub(super) fn begin(&mut self, variable: VariableId) {
        let Some(flag) = self.ended(variable) else { return };
        if self.ghosts.again.contains_key(&variable) {
            self.forget_former_life(variable, flag);
        }
        let zero = build::integer(0.into(), FLAG, Types::INT);
        self.push(FlatInstructionKind::Assign(flag, zero));
    }

    /// Pointers to the variable's former life point to nothing any more.
    fn forget_former_life(&mut self, variable: VariableId, flag: FlatVariable) {
        let root = self.points_to.locations.variable(variable);
        let object = self.points_to.locations.get(root).object;
        let over = build::variable(flag, FLAG, Types::INT);
        for (holder, targets) in self.points_to.pointers_to(object) {
            let Some(pointer) = self.layout.leaf(holder) else {
                continue;
            };
            let info = &self.layout.variables[pointer.0 as usize];
            let (numeric, is_array) = (info.numeric, info.is_array);
            if is_array {
                let together = match self.points_to.locations.object(holder).kind {
                    ObjectKind::Variable(other) => self.ghosts.again.get(&other) == self.ghosts.again.get(&variable),
                    _ => false,
                };
                if !together {
                    let what = format!(
                        "pointers in arrays to {}, which has been left and is entered again",
                        self.shown(root)
                    );
                    self.guard_or_refuse(ErrorKind::Dangling, build::not(over.clone()), &what, Context::Always);
                }
                continue;
            }
            if !matches!(numeric, Numeric::Integer(_) | Numeric::Pointer) {
                continue;
            }
            let kind = self.points_to.locations.get(holder).element;
            let value = build::variable(pointer, numeric, kind);
            let mut stale = build::truth(false);
            for target in targets {
                let here = self.is_at(target, &build::exact(value.clone()));
                stale = build::or(stale, here);
            }
            let former = match numeric {
                Numeric::Integer(kind) => kind.maximum().min(FORMER.into()),
                _ => FORMER.into(),
            };
            let former = build::integer(former, numeric, kind);
            let stale = build::and(over.clone(), stale);
            let value = build::conditional(stale, former, value);
            self.push(FlatInstructionKind::Assign(pointer, value));
        }
    }

    /// The pointer does not come from a former life of what it may point to. This is before other guards, for the address is
    /// outside of all objects.
    pub(super) fn guard_former(
        &mut self,
        address: &FlatExpression,
        places: &[(LocationId, LocationId)],
        context: Context<'_>,
    ) {
        for (location, _) in places {
            if let ObjectKind::Variable(variable) = self.points_to.locations.object(*location).kind
                && self.ended(variable).is_some()
                && self.ghosts.again.contains_key(&variable)
            {
                let other = build::compare(BinaryOperator::NotEqual, address.clone(), build::address(FORMER));
                let failure = self.dangling(*location);
                return self.guard(failure, other, context);
            }
        }
    }

    fn dangling(&self, location: LocationId) -> Failure {
        let text = format!("{} is used after its block or function was left", self.shown(location));
        Failure::about(ErrorKind::Dangling, text, Vec::new())
    }

    /// Whether the life of what is at an address in the location is over; `None` if it never is, or nobody keeps track of it.
    pub(super) fn is_over(&mut self, location: LocationId, address: &FlatExpression) -> Option<FlatExpression> {
        match self.points_to.locations.object(location).kind {
            ObjectKind::Variable(variable) => Some(build::variable(self.ended(variable)?, FLAG, Types::INT)),
            ObjectKind::Allocated(site) => self.freed(site, location, address),
            ObjectKind::Function(_) | ObjectKind::Outside => None,
        }
    }

    /// The life of what the pointer points to is not over.
    pub(super) fn guard_alive(
        &mut self,
        address: &FlatExpression,
        places: &[(LocationId, LocationId)],
        context: Context<'_>,
    ) {
        if !self.options.checks.lifetime {
            return;
        }
        for (location, _) in places {
            let Some(over) = self.is_over(*location, address) else {
                continue;
            };
            let failure = match self.points_to.locations.object(*location).kind {
                ObjectKind::Allocated(_) => {
                    let text = format!("{} is used after it was freed", self.shown(*location));
                    Failure::about(ErrorKind::UseAfterFree, text, Vec::new())
                }
                _ => self.dangling(*location),
            };
            let elsewhere = build::not(self.is_at(*location, address));
            self.guard(failure, build::or(elsewhere, build::not(over)), context);
        }
    }

    /// Whether what is at an address in a location of the site has been freed; `None` if nothing of the site ever is.
    fn freed(&mut self, site: usize, location: LocationId, address: &FlatExpression) -> Option<FlatExpression> {
        let flag = self.ghosts.freed.get(&site).copied().flatten()?;
        if !self.points_to.locations.sites[site].repeated {
            return Some(build::variable(flag, FLAG, Types::INT));
        }
        let base = self.layout.address(location);
        let per_element = self.points_to.locations.get(location).per_element.unwrap_or(1);
        let mut index = build::offset(address.clone(), &-base);
        if per_element > 1 {
            let divisor = build::address(per_element);
            index = build::binary(BinaryOperator::Divide, index, divisor, Numeric::Pointer, Types::INT);
        }
        Some(FlatExpression {
            kind: ExpressionKind::Read(Leaf::Element(flag, Box::new(index))),
            numeric: FLAG,
            c_type: Types::INT,
            written: Written::default(),
        })
    }

    fn undecided_free(&mut self, what: &str) {
        match self.options.checks.free || self.options.checks.lifetime {
            true => self.undecided_access(what),
            false => self.undecided(ErrorKind::NotFreed, what, Context::Always),
        }
    }

    /// Whether a part of an object has an address of its own, but begins where the object does.
    fn begins(&self, root: LocationId, part: LocationId) -> bool {
        let locations = &self.points_to.locations;
        let mut here = part;
        let mut is_apart = false;
        while here != root {
            let location = locations.get(here);
            is_apart |= !location.shares_base;
            let Some((whole, field)) = location.parent else {
                return false;
            };
            let Type::Record(record) = self.types.get(locations.get(whole).element) else {
                return false;
            };
            let fields = self.types.record(*record).fields.as_deref().unwrap_or_default();
            if fields.get(field).is_none_or(|field| field.offset != 0) {
                return false;
            }
            here = whole;
        }
        is_apart && locations.get(part).per_element.is_some()
    }

    /// `free (pointer)`
    pub(super) fn free(&mut self, pointer: &Expression<Place>) {
        if !self.options.checks.frees() {
            return;
        }
        let address = self.expression(pointer, Context::Always);
        let address = self.small(address, Context::Always, "pointer");
        let mut roots = Vec::new();
        for target in self.points_to.targets(self.types, pointer) {
            let locations = &self.points_to.locations;
            let root = locations.object(target).root;
            match locations.object(target).kind {
                _ if locations.is_somewhere(target) => {
                    return self.undecided_free("what is freed through a pointer made by arithmetic on another one");
                }
                ObjectKind::Outside => return self.undecided_free("what is freed outside of the program"),
                ObjectKind::Allocated(site) => {
                    let is_single = locations.get(root).per_element == Some(1);
                    if self.has_unknown_neighbours(root) || locations.sites[site].repeated && !is_single {
                        let what = "what is freed where several elements are allocated more than once by one call";
                        return self.undecided_free(what);
                    }
                    roots.push((site, root));
                    if locations.sites[site].repeated && self.begins(root, target) {
                        roots.push((site, target));
                    }
                }
                ObjectKind::Variable(_) | ObjectKind::Function(_) => {}
            }
        }
        roots.sort_unstable();
        roots.dedup();
        let mut valid = build::compare(BinaryOperator::Equal, address.clone(), build::address(0));
        let mut starts = Vec::new();
        for (site, place) in roots {
            let base = self.layout.address(place);
            let is_start = match self.points_to.locations.sites[site].repeated {
                false => build::compare(BinaryOperator::Equal, address.clone(), build::address(base.clone())),
                true => {
                    let counter = self.counter(site);
                    let count = build::variable(counter, Numeric::Pointer, Types::INT);
                    let each = self.points_to.locations.get(place).per_element.unwrap_or(1);
                    let end = build::sum(build::times(count, each), build::address(base.clone()));
                    let is_there = super::bounds::between(&address, &base, end);
                    match each {
                        1 => is_there,
                        _ => build::and(
                            is_there,
                            is_multiple(build::offset(address.clone(), &-base.clone()), each),
                        ),
                    }
                }
            };
            valid = build::or(valid, is_start.clone());
            starts.push((site, place, is_start));
        }
        self.guard(ErrorKind::InvalidFree, valid, Context::Always);
        for (site, place, is_start) in &starts {
            if let Some(over) = self.freed(*site, *place, &address) {
                let elsewhere = build::not(is_start.clone());
                let condition = build::or(elsewhere, build::not(over));
                self.guard(ErrorKind::DoubleFree, condition, Context::Always);
            }
        }
        for (site, place, is_start) in starts {
            let (Some(old), Some(flag)) = (
                self.freed(site, place, &address),
                self.ghosts.freed.get(&site).copied().flatten(),
            ) else {
                continue;
            };
            let one = build::integer(1.into(), FLAG, Types::INT);
            let value = build::conditional(is_start, one, old.clone());
            self.push(match old.kind {
                ExpressionKind::Read(Leaf::Element(array, index)) => FlatInstructionKind::Store {
                    array,
                    index: *index,
                    value,
                },
                _ => FlatInstructionKind::Assign(flag, value),
            });
        }
    }
}

fn is_multiple(index: FlatExpression, of: u64) -> FlatExpression {
    let rest = build::binary(
        BinaryOperator::Remainder,
        index,
        build::address(of),
        Numeric::Pointer,
        Types::INT,
    );
    build::compare(BinaryOperator::Equal, rest, build::address(0))
}

/// What flags are: 0 or 1.
pub(super) const FLAG: Numeric = Numeric::Integer(IntegerType::INT);
