//! The types of C, their sizes and their conversions.
//!
//! Types are interned in [`Types`], so that equal types have equal ids; records (structs and unions) are their own types.
//! Sizes follow the usual data models: LP64, or ILP32 for programs that were written for 32 bits ([`DataModel`]).

use hashbrown::HashMap;
use num_bigint::BigInt;

/// Which sizes the integer types have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `long` and pointers have 64 bits.
    #[default]
    Lp64,
    /// `long` and pointers have 32 bits.
    Ilp32,
}

/// The id of a type in one [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

/// The id of a struct or union in one [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RecordId(pub u32);

/// An integer type, as far as arithmetic goes: `int` and `enum`, `long` and `long long` of the same size are one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct IntegerType {
    /// Its width: 1 for `_Bool`, else 8 to 128.
    pub bits: u32,
    /// Whether it has negative values.
    pub signed: bool,
}

impl IntegerType {
    /// `_Bool`: conversion to it is `!= 0`, not truncation.
    pub const BOOL: IntegerType = IntegerType { bits: 1, signed: false };
    /// `char`, as gcc has it on most machines.
    pub const CHAR: IntegerType = IntegerType { bits: 8, signed: true };
    /// `int`
    pub const INT: IntegerType = IntegerType { bits: 32, signed: true };
    /// `unsigned int`
    pub const UNSIGNED_INT: IntegerType = IntegerType {
        bits: 32,
        signed: false,
    };

    /// The least value.
    pub fn minimum(self) -> BigInt {
        match self.signed {
            true => -(BigInt::from(1) << (self.bits - 1)),
            false => BigInt::from(0),
        }
    }

    /// The greatest value.
    pub fn maximum(self) -> BigInt {
        let bits = if self.signed { self.bits - 1 } else { self.bits };
        (BigInt::from(1) << bits) - 1
    }

    /// What integer promotion makes of it.
    pub fn promoted(self) -> IntegerType {
        if self.bits < 32 { IntegerType::INT } else { self }
    }

    /// The common type of two operands (usual arithmetic conversions).
    pub fn common(self, other: IntegerType) -> IntegerType {
        let (left, right) = (self.promoted(), other.promoted());
        match left.bits.cmp(&right.bits) {
            std::cmp::Ordering::Greater => left,
            std::cmp::Ordering::Less => right,
            std::cmp::Ordering::Equal => IntegerType {
                bits: left.bits,
                signed: left.signed && right.signed,
            },
        }
    }
}

/// How many elements an array has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// So many.
    Fixed(u64),
    /// Not said: `extern int a[];`, a flexible member.
    Unknown,
    /// A variable-length array; how many is computed where it is declared.
    Variable,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// An integer or an enumeration.
    Integer(IntegerType),
    /// `float`, `double`, `long double`: its width.
    Floating(u32),
    /// A pointer to the type.
    Pointer(TypeId),
    /// An array of the type.
    Array(TypeId, Length),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function {
        /// The type of the result.
        result: TypeId,
        /// The types of the parameters.
        parameters: Vec<TypeId>,
        /// Whether further arguments may follow, be it for `...` or because nothing is said.
        open: bool,
    },
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; empty for an unnamed struct or union whose members count as the outer one's.
    pub name: String,
    /// Its type.
    pub kind: TypeId,
    /// Where it lies, in bytes from the start.
    pub offset: u64,
    /// Where its first bit lies, in bits from the start.
    pub bit_offset: u64,
    /// Its width, if it is a bit-field. Its values wrap at this width, and it has no address.
    pub bit_width: Option<u32>,
    /// How it is aligned, in bytes.
    pub alignment: u64,
    /// Whether every read of it may give another value.
    pub is_volatile: bool,
}

/// Numbers that C calculates with as one, though they have parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compound {
    /// A complex number, with a real and an imaginary part of the type.
    Complex(TypeId),
    /// GNU's vector: so many elements of the type.
    Vector(TypeId, u64),
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// What it stands for, if nobody has written it as a struct: its members are the parts of that.
    pub compound: Option<Compound>,
    /// Whether its members share their place.
    pub is_union: bool,
    /// Its tag, or one made up.
    pub name: String,
    /// Its members in order; `None` while it is incomplete.
    pub fields: Option<Vec<Field>>,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub alignment: u64,
    /// How deeply types are nested in its members.
    pub depth: u32,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    model: DataModel,
    types: Vec<Type>,
    /// For each, how deeply types are nested in it.
    depths: Vec<u32>,
    ids: HashMap<Type, TypeId>,
    records: Vec<Record>,
    /// The volatile ones of types, which are as these but for their ids, and the other way round.
    volatile: HashMap<TypeId, TypeId>,
    plain: HashMap<TypeId, TypeId>,
    compounds: HashMap<Compound, TypeId>,
}

impl Types {
    /// `void`, in every table.
    pub const VOID: TypeId = TypeId(0);
    /// `int`, in every table.
    pub const INT: TypeId = TypeId(1);
    /// `char`, in every table.
    pub const CHAR: TypeId = TypeId(2);
    /// `_Bool`, in every table.
    pub const BOOL: TypeId = TypeId(3);

    /// A table with the fixed types.
    pub fn new(model: DataModel) -> Types {
        let mut types = Types {
            model,
            types: Vec::new(),
            depths: Vec::new(),
            ids: HashMap::new(),
            records: Vec::new(),
            volatile: HashMap::new(),
            plain: HashMap::new(),
            compounds: HashMap::new(),
        };
        types.intern(Type::Void);
        types.intern(Type::Integer(IntegerType::INT));
        types.intern(Type::Integer(IntegerType::CHAR));
        types.intern(Type::Integer(IntegerType::BOOL));
        types
    }

    /// The data model.
    pub fn model(&self) -> DataModel {
        self.model
    }

    /// The width of `long` and of pointers, in bits.
    pub fn word_bits(&self) -> u32 {
        match self.model {
            DataModel::Lp64 => 64,
            DataModel::Ilp32 => 32,
        }
    }

    /// `size_t`
    pub fn size_type(&self) -> IntegerType {
        IntegerType {
            bits: self.word_bits(),
            signed: false,
        }
    }

    /// The id of a type.
    pub fn intern(&mut self, kind: Type) -> TypeId {
        if let Some(id) = self.ids.get(&kind) {
            return *id;
        }
        let id = TypeId(self.types.len() as u32);
        let inner = match &kind {
            // What the members of a record are makes a pointer to it no deeper.
            Type::Pointer(target) if matches!(self.get(*target), Type::Record(_)) => 0,
            Type::Pointer(target) | Type::Array(target, _) => self.depth_of(*target),
            Type::Function { result, parameters, .. } => {
                let parameters = parameters.iter().map(|parameter| self.depth_of(*parameter));
                parameters.fold(self.depth_of(*result), u32::max)
            }
            _ => 0,
        };
        self.depths.push(inner + 1);
        self.types.push(kind.clone());
        self.ids.insert(kind, id);
        id
    }

    /// The type as what a volatile pointer's target is: every read of it may give another value. `void` has none.
    pub fn volatile_of(&mut self, id: TypeId) -> TypeId {
        if id == Types::VOID || self.plain.contains_key(&id) {
            return id;
        }
        if let Some(volatile) = self.volatile.get(&id) {
            return *volatile;
        }
        let volatile = TypeId(self.types.len() as u32);
        self.types.push(self.types[id.0 as usize].clone());
        self.depths.push(self.depths[id.0 as usize]);
        self.volatile.insert(id, volatile);
        self.plain.insert(volatile, id);
        volatile
    }

    /// Whether it is the type of something volatile, or an array of such.
    pub fn is_volatile(&self, id: TypeId) -> bool {
        match self.get(id) {
            _ if self.plain.contains_key(&id) => true,
            Type::Array(element, _) => self.is_volatile(*element),
            _ => false,
        }
    }

    /// The type of the same without `volatile`.
    pub fn without_volatile(&mut self, id: TypeId) -> TypeId {
        if let Some(plain) = self.plain.get(&id) {
            return *plain;
        }
        match *self.get(id) {
            Type::Array(element, length) if self.is_volatile(element) => {
                let element = self.without_volatile(element);
                self.intern(Type::Array(element, length))
            }
            _ => id,
        }
    }

    /// The type with this id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// All types, in the order of their ids.
    pub fn all(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types
            .iter()
            .enumerate()
            .map(|(index, kind)| (TypeId(index as u32), kind))
    }

    /// The id of a type that may be in the table.
    pub fn find(&self, kind: &Type) -> Option<TypeId> {
        self.ids.get(kind).copied()
    }

    /// The id of an integer type.
    pub fn integer(&mut self, kind: IntegerType) -> TypeId {
        self.intern(Type::Integer(kind))
    }

    /// The id of the pointer type to a type.
    pub fn pointer_to(&mut self, target: TypeId) -> TypeId {
        self.intern(Type::Pointer(target))
    }

    /// A new record without members.
    pub fn add_record(&mut self, is_union: bool, name: String) -> RecordId {
        self.records.push(Record {
            compound: None,
            is_union,
            name,
            fields: None,
            size: 0,
            alignment: 1,
            depth: 0,
        });
        RecordId(self.records.len() as u32 - 1)
    }

    /// The type of numbers with parts: a struct of these.
    pub fn compound_type(&mut self, compound: Compound) -> TypeId {
        if let Some(known) = self.compounds.get(&compound) {
            return *known;
        }
        let (name, parts, alignment) = match compound {
            Compound::Complex(part) => {
                let name = format!("_Complex {}", self.display(part));
                (name, vec![("real", part), ("imaginary", part)], self.alignment_of(part))
            }
            Compound::Vector(element, count) => {
                let name = format!("__vector({count}) {}", self.display(element));
                let elements = self.intern(Type::Array(element, Length::Fixed(count)));
                let size = self.size_of(elements).unwrap_or(1);
                (name, vec![("elements", elements)], size)
            }
        };
        let record = self.add_record(false, name);
        let mut size = 0;
        let mut fields = Vec::new();
        for (name, kind) in parts {
            fields.push(Field {
                name: name.to_string(),
                kind,
                offset: size,
                bit_offset: size * 8,
                bit_width: None,
                alignment,
                is_volatile: false,
            });
            size += self.size_of(kind).unwrap_or(1);
        }
        let defined = self.record_mut(record);
        defined.fields = Some(fields);
        defined.size = size;
        defined.alignment = alignment;
        defined.depth = 2;
        defined.compound = Some(compound);
        let id = self.intern(Type::Record(record));
        self.compounds.insert(compound, id);
        id
    }

    /// What the type is, if it is one of numbers with parts.
    pub fn compound(&self, id: TypeId) -> Option<Compound> {
        match self.get(id) {
            Type::Record(record) => self.record(*record).compound,
            _ => None,
        }
    }

    /// The record with this id.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// The record with this id, to give it its members.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    /// The integer type that values of this type have in arithmetic: integers themselves, and pointers as addresses.
    pub fn as_integer(&self, id: TypeId) -> Option<IntegerType> {
        match self.get(id) {
            Type::Integer(kind) => Some(*kind),
            Type::Pointer(_) => Some(self.size_type()),
            _ => None,
        }
    }

    /// How deeply types are nested in this one: `int` has depth 1, `int *` depth 2.
    pub fn depth_of(&self, id: TypeId) -> u32 {
        match self.get(id) {
            Type::Record(record) => self.record(*record).depth + 1,
            _ => self.depths[id.0 as usize],
        }
    }

    /// Whether values of the type are single numbers: integers, floating ones, pointers.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Integer(_) | Type::Floating(_) | Type::Pointer(_))
    }

    /// The size in bytes; `None` for functions, incomplete types and arrays without a fixed length. `void` has size 1, as
    /// GNU's arithmetic on `void *` has it.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void => Some(1),
            // Bit-fields wider than `int` have types of their own, which take as much room as the next larger one.
            Type::Integer(kind) => Some(u64::from(kind.bits.div_ceil(8)).next_power_of_two()),
            // x87's numbers of 80 bits are padded.
            Type::Floating(80) if self.model == DataModel::Ilp32 => Some(12),
            Type::Floating(80) => Some(16),
            Type::Floating(bits) => Some(u64::from(bits / 8)),
            Type::Pointer(_) => Some(u64::from(self.word_bits() / 8)),
            Type::Array(element, Length::Fixed(length)) => self.size_of(*element)?.checked_mul(*length),
            Type::Array(..) | Type::Function { .. } => None,
            Type::Record(record) => {
                let record = self.record(*record);
                record.fields.as_ref().map(|_| record.size)
            }
        }
    }

    /// Whether an object of the type may go on behind its size: the last member is an array without a length, which a variable may give
    /// elements by its initializer.
    pub fn has_open_end(&self, id: TypeId) -> bool {
        let mut current = id;
        loop {
            current = match self.get(current) {
                Type::Array(_, Length::Fixed(length)) => return *length == 0,
                Type::Array(..) => return true,
                Type::Record(record) => match self.record(*record).fields.as_ref().and_then(|fields| fields.last()) {
                    Some(last) => last.kind,
                    None => return false,
                },
                _ => return false,
            };
        }
    }

    /// The alignment in bytes.
    pub fn alignment_of(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array(element, _) => self.alignment_of(*element),
            Type::Record(record) => self.record(*record).alignment,
            // On 32 bits, eight-byte numbers lie on four-byte bounds.
            _ => match (self.size_of(id).unwrap_or(1), self.model) {
                (size, DataModel::Ilp32) => size.min(4),
                (size, DataModel::Lp64) => size.min(16),
            },
        }
    }

    /// The type as C writes it, without a name: `unsigned int`, `struct s *`.
    pub fn display(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".to_string(),
            Type::Integer(kind) => {
                let name = match (kind.bits, self.model) {
                    (1, _) => return "_Bool".to_string(),
                    (..=8, _) if kind.signed => return "char".to_string(),
                    (..=8, _) => "char",
                    (..=16, _) => "short",
                    (..=32, _) => "int",
                    (..=64, DataModel::Lp64) => "long",
                    (..=64, DataModel::Ilp32) => "long long",
                    _ => "__int128",
                };
                match kind.signed {
                    true => name.to_string(),
                    false => format!("unsigned {name}"),
                }
            }
            Type::Floating(32) => "float".to_string(),
            Type::Floating(64) => "double".to_string(),
            Type::Floating(80) => "long double".to_string(),
            Type::Floating(_) => "__float128".to_string(),
            Type::Pointer(target) => match self.get(*target) {
                Type::Pointer(_) => format!("{}*", self.display(*target)),
                Type::Function { .. } => format!("pointer to {}", self.display(*target)),
                _ => format!("{} *", self.display(*target)),
            },
            Type::Array(element, Length::Fixed(length)) => format!("{}[{length}]", self.display(*element)),
            Type::Array(element, _) => format!("{}[]", self.display(*element)),
            Type::Record(record) => {
                let record = self.record(*record);
                if record.compound.is_some() {
                    return record.name.clone();
                }
                format!("{} {}", if record.is_union { "union" } else { "struct" }, record.name)
            }
            Type::Function { result, .. } => format!("function returning {}", self.display(*result)),
        }
    }
}
