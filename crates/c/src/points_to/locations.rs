//! Objects and their parts: what pointers may point to.
//!
//! An object is a variable, an allocation site or a function. A [`Location`] is an object or a part of one, reached by a path
//! of fields; array steps are left out, so that an array and its elements are one location. Locations of scalar type are the
//! *leaves* that hold values.
//!
//! Members of a union that hold the same kind of number at the same place are one location. A location *shares its base*
//! with the one it is a part of when a pointer to the one is a pointer to the other, as with the first member of a struct.

use super::Members;
use super::classes::{Class, compatible};
use crate::program::{FunctionId, Program, VariableId};
use crate::types::{Field, Length, RecordId, Type, TypeId, Types};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The id of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// The id of a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocationId(pub u32);

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A variable.
    Variable(VariableId),
    /// What an allocation makes: an index into the [`Site`]s.
    Allocated(usize),
    /// A function.
    Function(FunctionId),
    /// Memory that the program does not show: all of one type that pointers from outside may point to. Its elements are
    /// at the pointers' numbers.
    Outside,
}

/// How many elements an object has, counted in its outermost dimension. A single one has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// So many.
    Fixed(u64),
    /// As many as the variable says.
    Variable(VariableId),
    /// As many as have been allocated.
    Allocated,
    /// Nobody says.
    Unknown,
}

/// An instruction that allocates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// Its function, block, and index in the block.
    pub position: (usize, usize, usize),
    /// The type of the elements.
    pub element: TypeId,
    /// How many, if it is always the same.
    pub count: Option<u64>,
    /// Whether it can be reached more than once.
    pub repeated: bool,
    /// How many of the elements that the instruction names make one of these; zero if they are the same.
    pub units: u64,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its location.
    pub root: LocationId,
    /// The location that stands for "somewhere in it".
    pub somewhere: LocationId,
    /// How many elements it has.
    pub count: Count,
    /// Whether it is [seen as bytes](super::viewed).
    pub is_bytes: bool,
}

/// An object or a part of one.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its object.
    pub object: ObjectId,
    /// What it is a part of, and the index of the field.
    pub parent: Option<(LocationId, usize)>,
    /// Its type, or that of its innermost elements if it is an array.
    pub element: TypeId,
    /// Its width, if it is a bit-field.
    pub bit_width: Option<u32>,
    /// Whether the location itself, and not something it is a part of, is an array.
    pub is_array: bool,
    /// How many elements it has within one element of what it is a part of; `None` if it is not known.
    pub own: Option<u64>,
    /// How many elements it has for each of the object's ([`Object::count`]).
    pub per_element: Option<u64>,
    /// How many elements it has in the whole object, if that is fixed.
    pub total: Option<u64>,
    /// Whether its address is that of what it is a part of.
    pub shares_base: bool,
    /// Its parts, by field.
    pub children: Vec<LocationId>,
}

/// All objects and locations of a program.
#[derive(Debug)]
pub struct Locations {
    /// The objects: first the variables, then the functions, then the sites.
    pub objects: Vec<Object>,
    /// The locations.
    pub locations: Vec<Location>,
    /// The allocations.
    pub sites: Vec<Site>,
    /// Where a pointer from outside points, before it is known at which type it is followed.
    pub outside: LocationId,
    /// Where an unknown integer points when it is taken for a pointer: to the same, but as an integer it is only a number.
    pub number: LocationId,
    /// Whether pointers and integers at one place of a union are two.
    is_apart: bool,
    /// Whether some are one.
    pub has_pointers_as_numbers: bool,
    /// For each type that pointers point to, the memory outside.
    pub regions: Vec<LocationId>,
    /// The same by what it can be accessed as.
    region_of: HashMap<Class, LocationId>,
    /// The objects of the program that pointers from outside may point to, and their parts by what they can be accessed as.
    pub(super) visible_objects: BTreeSet<ObjectId>,
    /// Those of them that code outside has got as `const` only.
    pub(super) only_read: BTreeSet<ObjectId>,
    /// Whether something is written through a pointer from outside.
    pub(super) is_written_outside: bool,
    /// Whether an object of the program is among them, or may be handed over by whoever calls its functions.
    pub(super) shows_own: bool,
    /// Whether functions of the program are, though none is said to be.
    pub(super) shows_functions: bool,
    pub(super) visible: BTreeMap<Class, BTreeSet<LocationId>>,
    first_function: usize,
    first_site: usize,
    parts: HashMap<RecordId, u64>,
}

/// A type with more parts than this has none: what is in it cannot be translated.
const MAXIMAL_PARTS: u64 = 4_096;
/// How deep records may be nested.
const MAXIMAL_NESTING: usize = 100;
/// How many locations there may be before further objects have no parts.
const MAXIMAL_LOCATIONS: usize = 4_000_000;

impl Locations {
    /// The objects of a program.
    pub fn new(program: &Program, sites: Vec<Site>, members: Members<'_>) -> Locations {
        let mut all = Locations {
            objects: Vec::new(),
            locations: Vec::new(),
            sites: Vec::new(),
            outside: LocationId(0),
            number: LocationId(0),
            is_apart: members.is_apart,
            has_pointers_as_numbers: false,
            regions: Vec::new(),
            region_of: HashMap::new(),
            visible_objects: BTreeSet::new(),
            is_written_outside: false,
            only_read: BTreeSet::new(),
            shows_own: program.is_part_of_others,
            shows_functions: program.is_called_by_others,
            visible: BTreeMap::new(),
            first_function: 0,
            first_site: 0,
            parts: HashMap::new(),
        };
        let types = &program.types;
        for (index, variable) in program.variables.iter().enumerate() {
            let (outer, count) = match types.get(variable.kind) {
                Type::Array(element, Length::Fixed(length)) => (*element, Count::Fixed(*length)),
                Type::Array(element, Length::Variable) => match variable.length {
                    Some(length) => (*element, Count::Variable(length)),
                    None => (*element, Count::Unknown),
                },
                Type::Array(element, Length::Unknown) => (*element, Count::Unknown),
                _ => (variable.kind, Count::Fixed(1)),
            };
            let variable_id = VariableId(index as u32);
            let bytes = members.viewed.and_then(|viewed| viewed.variable(program, variable_id));
            let is_array = outer != variable.kind || bytes.is_some();
            let (outer, count) = bytes.unwrap_or((outer, count));
            all.add_object(types, ObjectKind::Variable(variable_id), outer, count, is_array);
            if let Some(object) = all.objects.last_mut() {
                object.is_bytes = bytes.is_some();
            }
        }
        all.first_function = all.objects.len();
        for (index, function) in program.functions.iter().enumerate() {
            let kind = ObjectKind::Function(FunctionId(index as u32));
            all.add_object(types, kind, function.kind, Count::Fixed(1), false);
        }
        all.first_site = all.objects.len();
        for (index, site) in sites.iter().enumerate() {
            let count = match (site.count, site.repeated) {
                (Some(count), false) => Count::Fixed(count),
                _ => Count::Allocated,
            };
            // One element at a time is no array: a pointer to it cannot be moved to the next one.
            let is_array = site.count != Some(1);
            let is_bytes = members
                .viewed
                .is_some_and(|viewed| viewed.sites.contains(&site.position));
            all.add_object(
                types,
                ObjectKind::Allocated(index),
                site.element,
                count,
                is_array || is_bytes,
            );
            if let Some(object) = all.objects.last_mut() {
                object.is_bytes = is_bytes;
            }
        }
        all.sites = sites;
        all.outside = LocationId(all.locations.len() as u32);
        all.add_object(types, ObjectKind::Outside, Types::VOID, Count::Unknown, true);
        all.number = LocationId(all.locations.len() as u32);
        all.add_object(types, ObjectKind::Outside, Types::VOID, Count::Unknown, true);
        all.add_regions(types);
        all
    }

    /// Pointers from outside to numbers of one width may be the same; those to different structs are not.
    fn add_regions(&mut self, types: &Types) {
        for (_, kind) in types.all() {
            let Type::Pointer(target) = kind else { continue };
            let (element, _) = innermost(types, *target);
            let is_complete = match types.get(element) {
                Type::Record(record) => types.record(*record).fields.is_some(),
                _ => types.is_scalar(element),
            };
            if is_complete && self.region(types, element).is_none() {
                self.add_object(types, ObjectKind::Outside, element, Count::Unknown, true);
                if let Some(object) = self.objects.last() {
                    self.regions.push(object.root);
                    self.region_of.insert(Class::of(types, element), object.root);
                }
            }
        }
    }

    /// The memory outside of this type.
    pub(super) fn region(&self, types: &Types, access: TypeId) -> Option<LocationId> {
        let (access, _) = innermost(types, access);
        self.region_of.get(&Class::of(types, access)).copied()
    }

    fn add_object(&mut self, types: &Types, kind: ObjectKind, element: TypeId, count: Count, is_array: bool) {
        let object = ObjectId(self.objects.len() as u32);
        let (inner, own) = innermost(types, element);
        let total = match count {
            Count::Fixed(count) => own.and_then(|own| own.checked_mul(count)),
            _ => None,
        };
        let root = self.add(Location {
            object,
            parent: None,
            element: inner,
            bit_width: None,
            is_array: is_array || inner != element,
            own,
            per_element: own,
            total,
            shares_base: false,
            children: Vec::new(),
        });
        let somewhere = self.add(Location {
            element: Types::VOID,
            total: None,
            ..self.locations[root.0 as usize].clone()
        });
        self.objects.push(Object {
            kind,
            root,
            somewhere,
            count,
            is_bytes: false,
        });
        if self.parts(types, inner, 0) <= MAXIMAL_PARTS && self.locations.len() < MAXIMAL_LOCATIONS {
            self.add_children(types, root);
        }
    }

    fn add(&mut self, location: Location) -> LocationId {
        self.locations.push(location);
        LocationId(self.locations.len() as u32 - 1)
    }

    /// How many locations an object of the type has, at least.
    fn parts(&mut self, types: &Types, element: TypeId, depth: usize) -> u64 {
        let Type::Record(record) = types.get(element) else {
            return 1;
        };
        if let Some(parts) = self.parts.get(record) {
            return *parts;
        }
        let mut parts: u64 = 1;
        if depth >= MAXIMAL_NESTING {
            parts = u64::MAX;
        } else if let Some(fields) = &types.record(*record).fields {
            for field in fields {
                let (inner, _) = innermost(types, field.kind);
                parts = parts.saturating_add(self.parts(types, inner, depth + 1));
            }
        }
        self.parts.insert(*record, parts);
        parts
    }

    fn add_children(&mut self, types: &Types, id: LocationId) {
        let whole = self.locations[id.0 as usize].clone();
        let Type::Record(record) = types.get(whole.element) else {
            return;
        };
        let record = types.record(*record);
        let fields = record.fields.as_deref().unwrap_or(&[]);
        let mut children: Vec<LocationId> = Vec::with_capacity(fields.len());
        let is_pointer = |field: &Field| matches!(types.get(field.kind), Type::Pointer(_));
        let is_other = |one: &Field, other: &Field| is_pointer(one) != is_pointer(other);
        for (index, field) in fields.iter().enumerate() {
            if record.is_union
                && let Some(same) = fields[..index]
                    .iter()
                    .position(|other| same_number(types, other, field) && !(self.is_apart && is_other(other, field)))
            {
                self.has_pointers_as_numbers |= is_other(&fields[same], field);
                children.push(children[same]);
                continue;
            }
            let (inner, own) = innermost(types, field.kind);
            let times = |outer: Option<u64>| outer.and_then(|outer| own.and_then(|own| own.checked_mul(outer)));
            let child = self.add(Location {
                object: whole.object,
                parent: Some((id, index)),
                element: inner,
                bit_width: field.bit_width,
                is_array: inner != field.kind,
                own,
                per_element: times(whole.per_element),
                total: times(whole.total),
                shares_base: field.offset == 0 && (own == Some(1) || whole.total == Some(1)),
                children: Vec::new(),
            });
            children.push(child);
            self.add_children(types, child);
        }
        self.locations[id.0 as usize].children = children;
    }

    /// The location with this id.
    pub fn get(&self, id: LocationId) -> &Location {
        &self.locations[id.0 as usize]
    }

    /// The object of a location.
    pub fn object(&self, id: LocationId) -> &Object {
        &self.objects[self.get(id).object.0 as usize]
    }

    /// The location of a variable.
    pub fn variable(&self, id: VariableId) -> LocationId {
        self.objects[id.0 as usize].root
    }

    /// The location of a function.
    pub fn function(&self, id: FunctionId) -> LocationId {
        self.objects[self.first_function + id.0 as usize].root
    }

    /// The location of what the site allocates.
    pub fn site(&self, index: usize) -> LocationId {
        self.objects[self.first_site + index].root
    }

    /// Whether the location stands for "somewhere in the object".
    pub fn is_somewhere(&self, id: LocationId) -> bool {
        self.object(id).somewhere == id
    }

    /// Whether the location stands for whatever pointers from outside, or unknown numbers, point to.
    pub fn is_outside(&self, id: LocationId) -> bool {
        id == self.outside || id == self.number
    }

    /// The part of a location with this field; all bytes are one.
    pub fn child(&self, id: LocationId, field: usize) -> Option<LocationId> {
        if self.is_bytes(id) {
            return Some(id);
        }
        self.get(id).children.get(field).copied()
    }

    /// Where an access at a type goes if the pointer points to the location: to the location itself if the types fit, else
    /// to its first part or to what it is the first part of.
    pub fn at_type(&self, types: &Types, id: LocationId, access: TypeId) -> Option<LocationId> {
        if self.is_somewhere(id) {
            return None;
        }
        if self.is_outside(id) {
            return self.region(types, access);
        }
        if self.is_bytes(id) {
            return Some(id);
        }
        let (access, _) = innermost(types, access);
        // A bit-field is no object that a pointer could point to, whatever its type.
        let fits = |id: LocationId| {
            let location = self.get(id);
            location.bit_width.is_none() && compatible(types, location.element, access)
        };
        if fits(id) {
            return Some(id);
        }
        let mut inner = id;
        while let Some(first) = self.child(inner, 0).filter(|first| self.get(*first).shares_base) {
            // All members of a union are at its start.
            let is_union = matches!(types.get(self.get(inner).element), Type::Record(r) if types.record(*r).is_union);
            if is_union {
                let mut children = self.get(inner).children.iter().copied();
                if let Some(child) = children.find(|child| self.get(*child).shares_base && fits(*child)) {
                    return Some(child);
                }
            }
            inner = first;
            if fits(inner) {
                return Some(inner);
            }
        }
        let mut outer = id;
        while self.get(outer).shares_base
            && let Some((parent, _)) = self.get(outer).parent
        {
            outer = parent;
            if fits(outer) {
                return Some(outer);
            }
        }
        None
    }

    /// The leaves below a location, each with the path to it; members of unions that are one only once.
    pub fn leaves(&self, id: LocationId) -> Vec<(LocationId, Vec<usize>)> {
        let mut leaves = Vec::new();
        let mut stack = vec![(id, Vec::new())];
        while let Some((location, path)) = stack.pop() {
            let children = &self.get(location).children;
            if children.is_empty() {
                leaves.push((location, path));
                continue;
            }
            for (field, child) in children.iter().enumerate().rev() {
                if self.get(*child).parent == Some((location, field)) {
                    let mut longer = path.clone();
                    longer.push(field);
                    stack.push((*child, longer));
                }
            }
        }
        leaves
    }

    /// The same without the paths.
    pub fn leaves_alone(&self, id: LocationId) -> Vec<LocationId> {
        let mut leaves = Vec::new();
        let mut stack = vec![id];
        while let Some(location) = stack.pop() {
            let children = &self.get(location).children;
            if children.is_empty() {
                leaves.push(location);
            }
            let own = children.iter().enumerate().rev();
            let own = own.filter(|(field, child)| self.get(**child).parent == Some((location, *field)));
            stack.extend(own.map(|(_, child)| *child));
        }
        leaves
    }
}

/// The type of the innermost elements, and how many there are; one if the type is no array.
pub fn innermost(types: &Types, kind: TypeId) -> (TypeId, Option<u64>) {
    let (mut element, mut count) = (kind, Some(1u64));
    while let Type::Array(inner, length) = types.get(element) {
        count = match length {
            Length::Fixed(length) => count.and_then(|count| count.checked_mul(*length)),
            _ => None,
        };
        element = *inner;
    }
    (element, count)
}

/// What a pointer type points to; `void` for other types.
pub fn pointee(types: &Types, kind: TypeId) -> TypeId {
    match types.get(kind) {
        Type::Pointer(target) | Type::Array(target, _) => *target,
        _ => Types::VOID,
    }
}

/// Whether two members of a union are the same number. The bits of a bit-field with a sign mean something else in one without.
fn same_number(types: &Types, left: &Field, right: &Field) -> bool {
    left.bit_offset == right.bit_offset
        && left.bit_width == right.bit_width
        && (left.bit_width.is_none() || left.kind == right.kind)
        && types.is_scalar(left.kind)
        && types.is_scalar(right.kind)
        && compatible(types, left.kind, right.kind)
}
