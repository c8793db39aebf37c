//! Which types fit: as what an object can be accessed.

use crate::types::{RecordId, Type, TypeId, Types};

/// What an object can be accessed as: objects and accesses of one class fit. Two classes more tell apart what pointers from
/// outside, of which only the type is known, are followed as.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Class {
    /// An integer or a pointer of so many bits.
    Number(u32),
    /// A pointer to data, and one to a function.
    Address {
        /// Whether it points to a function.
        of_function: bool,
    },
    /// A floating-point number of so many bits.
    Floating(u32),
    /// A struct or union.
    Record(RecordId),
    /// Any function.
    Function,
    /// Only this type.
    Other(TypeId),
}

impl Class {
    pub(super) fn of(types: &Types, kind: TypeId) -> Class {
        match types.get(kind) {
            Type::Integer(integer) => Class::Number(integer.bits),
            Type::Pointer(_) => Class::Number(types.word_bits()),
            Type::Record(record) => Class::Record(*record),
            Type::Function { .. } => Class::Function,
            Type::Floating(bits) => Class::Floating(*bits),
            _ => Class::Other(kind),
        }
    }

    /// The class of what a pointer to the type points to, if nothing else is known of the pointer.
    pub(super) fn by_type(types: &Types, kind: TypeId) -> Class {
        match types.get(kind) {
            Type::Pointer(target) => Class::Address {
                of_function: matches!(types.get(*target), Type::Function { .. }),
            },
            _ => Class::of(types, kind),
        }
    }
}

/// Whether an object of one type can be accessed as one of the other: the same type, or numbers of one width.
pub fn compatible(types: &Types, object: TypeId, access: TypeId) -> bool {
    Class::of(types, object) == Class::of(types, access)
}
