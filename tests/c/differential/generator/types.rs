//! The types of generated C programs, and how they are written.

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    /// How it is written.
    pub name: &'static str,
    /// Its width; 1 for `_Bool`.
    pub bits: u32,
    /// Whether it has negative values.
    pub signed: bool,
    /// What follows `__VERIFIER_nondet_` in the function that gives an unknown value of it.
    pub input: &'static str,
}

impl Integer {
    /// A value to calculate with in place: of this type, and so small where C calculates with an `int` instead that nothing
    /// overflows, for gcc's sanitizer does not look where the result is made narrower.
    pub fn operand(&self, text: &str) -> String {
        match self.bits < 32 {
            true => format!("({}) ({text}) % 1000", self.name),
            false => format!("({}) ({text})", self.name),
        }
    }
}

const fn integer(name: &'static str, bits: u32, signed: bool, input: &'static str) -> Integer {
    Integer {
        name,
        bits,
        signed,
        input,
    }
}

pub const INT: Integer = integer("int", 32, true, "int");
pub const UNSIGNED: Integer = integer("unsigned int", 32, false, "uint");
pub const CHAR: Integer = integer("char", 8, true, "char");
pub const UNSIGNED_LONG: Integer = integer("unsigned long", 64, false, "ulong");
pub const BOOL: Integer = integer("_Bool", 1, false, "bool");
pub const LONG_LONG: Integer = integer("long long", 64, true, "longlong");

/// All of them; the usual ones more often.
pub const INTEGERS: [Integer; 18] = [
    INT,
    INT,
    INT,
    INT,
    UNSIGNED,
    UNSIGNED,
    BOOL,
    CHAR,
    integer("signed char", 8, true, "char"),
    integer("unsigned char", 8, false, "uchar"),
    integer("short", 16, true, "short"),
    integer("unsigned short", 16, false, "ushort"),
    integer("long", 64, true, "long"),
    UNSIGNED_LONG,
    LONG_LONG,
    integer("unsigned long long", 64, false, "ulonglong"),
    integer("u8", 8, false, "uchar"),
    integer("word", 32, true, "int"),
];

/// The names among them that are not C's own.
pub const TYPEDEFS: &str = "typedef unsigned char u8;\ntypedef int word;\n";

impl Integer {
    /// What promotion makes of it.
    pub fn promoted(self) -> Integer {
        if self.bits < 32 { INT } else { self }
    }

    /// The common type of two operands.
    pub fn common(self, other: Integer) -> Integer {
        let (left, right) = (self.promoted(), other.promoted());
        if left.bits > right.bits || (left.bits == right.bits && !left.signed) {
            left
        } else {
            right
        }
    }
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    Integer(Integer),
    /// The enumeration with this index.
    Enumeration(usize),
    /// The struct or union with this index.
    Record(usize),
    Array(Box<Type>, usize),
    /// A pointer that is always valid, to so many elements.
    Pointer {
        target: Box<Type>,
        elements: usize,
        /// Whether what it points to is only read.
        constant: bool,
    },
}

impl Type {
    /// A pointer to one thing.
    pub fn pointer(target: Type) -> Type {
        Type::Pointer {
            target: Box::new(target),
            elements: 1,
            constant: false,
        }
    }
}

/// An enumeration.
pub struct Enumeration {
    /// Its tag.
    pub name: String,
    /// The names of its values, least first.
    pub values: Vec<String>,
    /// Whether one of them is negative: this decides whether the type is signed.
    pub negative: bool,
}

/// A member of a record.
#[derive(Clone)]
pub struct Field {
    pub name: String,
    pub kind: Type,
    /// The width of a bit-field.
    pub width: Option<u32>,
}

/// A struct or union.
pub struct Record {
    /// How the type is written: `struct S1`, or the name of a `typedef`.
    pub name: String,
    pub fields: Vec<Field>,
    pub is_union: bool,
}
