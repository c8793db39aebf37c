//! Which variable holds a leaf, and which number is whose address.
//!
//! Every location has an address of its own, unless it [shares](crate::points_to::locations) that of the whole, and room for
//! as many numbers as it has elements. So a pointer to an element is the location's address and the element's index, and two
//! pointers to elements are equal if and only if their numbers are; one behind the last element may be another matter
//! ([`super::meeting`]).

use super::names::Root;
use crate::flat::{FlatVariable, VariableInfo};
use crate::inline::Inlined;
use crate::points_to::PointsTo;
use crate::points_to::locations::{LocationId, ObjectId, ObjectKind};
use crate::program::{Numeric, VariableId, VariableRole};
use crate::types::{IntegerType, Type};
use hashbrown::HashMap;
use num_bigint::BigInt;

/// The variables and addresses made so far.
pub struct Layout<'i> {
    inlined: &'i Inlined,
    points_to: &'i PointsTo,
    /// The flat variables.
    pub variables: Vec<VariableInfo>,
    /// For each, what it is a part of and the path to it.
    pub roots: Vec<(Root, String)>,
    /// For each, how many elements it has, if it is an array of a fixed length.
    pub lengths: Vec<Option<u64>>,
    leaves: HashMap<LocationId, FlatVariable>,
    /// For each object, the variables of its leaves.
    of_object: HashMap<ObjectId, Vec<FlatVariable>>,
    addresses: HashMap<LocationId, BigInt>,
    /// Whether objects are far apart, so that no index leads from one to another.
    is_sparse: bool,
    next_address: BigInt,
    /// Numbers for what nobody knows the size of, and for such a thing that is not allocated where addresses have 32 bits.
    room: u64,
    narrow_room: u64,
}

/// The first address. Smaller numbers, which programs use as marks in pointers, are nobody's.
pub(super) const FIRST_ADDRESS: u32 = 4_096;

/// So many numbers there are in all for what nobody knows the size of; the share of each is larger than what any machine has, and no address
/// needs more than 62 bits.
const WIDE: u64 = 1 << 61;
/// The same for what is not allocated, where addresses have 32 bits.
const NARROW: u64 = 1 << 31;

/// So far is one object from the next where accesses are checked: no `int` leads across.
const SPARSE_GAP: u64 = 1 << 34;

/// What each of so many gets, a power of two.
fn share(of_all: u64, count: usize) -> u64 {
    of_all >> (count + 1).next_power_of_two().trailing_zeros()
}

impl<'i> Layout<'i> {
    /// Nothing yet.
    pub fn new(inlined: &'i Inlined, points_to: &'i PointsTo, is_sparse: bool) -> Layout<'i> {
        let locations = &points_to.locations;
        let unsized_locations = |counts: &dyn Fn(ObjectKind) -> bool| {
            let all = (0..locations.locations.len() as u32).map(LocationId);
            let is_one = |id: &LocationId| locations.get(*id).total.is_none() && counts(locations.object(*id).kind);
            all.filter(is_one).count()
        };
        let mut layout = Layout {
            inlined,
            points_to,
            variables: Vec::new(),
            roots: Vec::new(),
            lengths: Vec::new(),
            leaves: HashMap::new(),
            of_object: HashMap::new(),
            addresses: HashMap::new(),
            is_sparse,
            next_address: BigInt::from(FIRST_ADDRESS),
            room: share(WIDE, unsized_locations(&|_| true)),
            narrow_room: share(
                NARROW,
                unsized_locations(&|kind| !matches!(kind, ObjectKind::Allocated(_))),
            ),
        };
        // Where addresses are narrow, what has a size comes first, so that its addresses are, too.
        if inlined.program.types.word_bits() < 64 {
            let is_sized = |root: &LocationId| locations.get(*root).total.is_some();
            let roots = locations.objects.iter().map(|object| object.root).filter(is_sized);
            roots.for_each(|root| {
                layout.address(root);
            });
        }
        layout
    }

    /// Whether an address of the location may be a number that is too large for one of the given width.
    pub fn exceeds(&mut self, location: LocationId, bits: u32) -> bool {
        let is_wide = |end: BigInt| end >> bits > BigInt::ZERO;
        if self.is_sparse && is_wide(BigInt::from(SPARSE_GAP)) {
            return true;
        }
        let size = self.points_to.locations.get(location).total;
        let size = size.map_or_else(|| self.room(location), BigInt::from);
        is_wide(self.address(location) + size)
    }

    /// Numbers for a location of which nobody knows how many elements it has; with 32 bits, as many for what is not allocated as leave all
    /// these addresses small.
    pub fn room(&self, location: LocationId) -> BigInt {
        let is_narrow = self.inlined.program.types.word_bits() < 64;
        BigInt::from(match self.points_to.locations.object(location).kind {
            ObjectKind::Allocated(_) => self.room,
            _ if is_narrow => self.narrow_room,
            _ => self.room,
        })
    }

    /// A variable that has no name in the source.
    pub fn temporary(&mut self, name: &str, numeric: Numeric) -> FlatVariable {
        self.add(
            VariableInfo {
                name: String::new(),
                numeric,
                is_array: false,
                is_temporary: true,
                is_global: false,
                activation: None,
            },
            Root::Made(name.to_string()),
            String::new(),
            None,
        )
    }

    /// An array that has no name in the source.
    pub fn temporary_array(&mut self, name: &str, numeric: Numeric) -> FlatVariable {
        let array = self.temporary(name, numeric);
        self.variables[array.0 as usize].is_array = true;
        array
    }

    fn add(&mut self, info: VariableInfo, root: Root, path: String, length: Option<u64>) -> FlatVariable {
        self.variables.push(info);
        self.roots.push((root, path));
        self.lengths.push(length);
        FlatVariable(self.variables.len() as u32 - 1)
    }

    /// The numbers of a leaf; `None` if the location is no leaf.
    pub fn numeric(&self, leaf: LocationId) -> Option<Numeric> {
        let location = self.points_to.locations.get(leaf);
        match self.inlined.program.types.get(location.element) {
            Type::Integer(kind) => Some(Numeric::Integer(IntegerType {
                bits: match location.bit_width {
                    // One bit would be `_Bool`, to which conversions are different.
                    Some(1) if kind.signed => 8,
                    Some(width) => width,
                    None => kind.bits,
                },
                signed: kind.signed,
            })),
            Type::Floating(bits) => Some(Numeric::Floating(*bits)),
            Type::Pointer(_) => Some(Numeric::Pointer),
            _ => None,
        }
    }

    /// The variable of a leaf; `None` if the location is no leaf.
    pub fn leaf(&mut self, leaf: LocationId) -> Option<FlatVariable> {
        if let Some(variable) = self.leaves.get(&leaf) {
            return Some(*variable);
        }
        let numeric = self.numeric(leaf)?;
        let locations = &self.points_to.locations;
        let location = locations.get(leaf);
        let object = &locations.objects[location.object.0 as usize];
        let (root, role, activation) = match object.kind {
            ObjectKind::Variable(variable) => {
                let role = self.inlined.program.variables[variable.0 as usize].role;
                (Root::Variable(variable), Some(role), self.activation(variable))
            }
            ObjectKind::Allocated(site) => (Root::Allocated(site), None, None),
            ObjectKind::Outside => {
                let element = locations.get(object.root).element;
                let outside = Root::Outside(self.inlined.program.types.display(element));
                (outside, None, None)
            }
            ObjectKind::Function(_) => return None,
        };
        let info = VariableInfo {
            name: String::new(),
            numeric,
            is_array: location.total != Some(1),
            is_temporary: role == Some(VariableRole::Temporary),
            is_global: matches!(role, Some(VariableRole::Global | VariableRole::Literal)),
            activation,
        };
        let (object, length) = (location.object, location.total);
        let path = self.path(leaf);
        let variable = self.add(info, root, path, length);
        self.leaves.insert(leaf, variable);
        self.of_object.entry(object).or_default().push(variable);
        Some(variable)
    }

    /// The procedure of which each activation has such a variable.
    pub fn activation(&self, variable: VariableId) -> Option<u32> {
        let origin = self.inlined.origins.get(variable.0 as usize)?;
        origin.activation.map(|activation| activation.0)
    }

    /// The variables of an object's leaves, as far as there are any by now.
    pub fn variables_of(&self, object: ObjectId) -> &[FlatVariable] {
        self.of_object.get(&object).map_or(&[], Vec::as_slice)
    }

    /// The members on the way to a location: `.next.value`.
    pub fn path(&self, leaf: LocationId) -> String {
        let types = &self.inlined.program.types;
        let mut names = Vec::new();
        let mut current = leaf;
        while let Some((parent, field)) = self.points_to.locations.get(current).parent {
            if let Type::Record(record) = types.get(self.points_to.locations.get(parent).element) {
                let fields = types.record(*record).fields.as_deref().unwrap_or(&[]);
                if let Some(field) = fields.get(field).filter(|field| !field.name.is_empty()) {
                    names.push(format!(".{}", field.name));
                }
            }
            current = parent;
        }
        names.reverse();
        names.concat()
    }

    /// The address of a location's first element.
    pub fn address(&mut self, location: LocationId) -> BigInt {
        if let Some(address) = self.addresses.get(&location) {
            return address.clone();
        }
        let root = self.points_to.locations.object(location).root;
        let start = self.next_address.clone();
        let end = self.place(root, start);
        // A gap, so that the address behind an object is not that of the next one.
        self.next_address = ((end + 1u32) / 8u32 + 1u32) * 8u32;
        if self.is_sparse {
            self.next_address += SPARSE_GAP;
        }
        self.addresses.get(&location).cloned().unwrap_or_default()
    }

    /// Gives addresses to a location and its parts; the first free one after them.
    fn place(&mut self, root: LocationId, start: BigInt) -> BigInt {
        let points_to = self.points_to;
        let mut end = start.clone();
        let mut stack = vec![(root, Some(start))];
        while let Some((id, shared)) = stack.pop() {
            let location = points_to.locations.get(id);
            let start = shared.unwrap_or_else(|| end.clone());
            let size = location.total.map_or_else(|| self.room(id), BigInt::from);
            end = end.max(&start + size);
            self.addresses.insert(id, start.clone());
            for (field, child) in location.children.iter().enumerate().rev() {
                let part = points_to.locations.get(*child);
                if part.parent == Some((id, field)) {
                    stack.push((*child, part.shares_base.then(|| start.clone())));
                }
            }
        }
        end
    }
}
