//! Sorts: the types of terms. Interned beside the terms, so that a sort is a 32-bit id.

use super::{DatatypeId, FloatFormat};

/// The id of a sort inside one [`Terms`](super::Terms).
///
/// The three basic sorts have the same id everywhere; the others are made with
/// [`Terms::array_sort`](super::Terms::array_sort), [`Terms::word_sort`](super::Terms::word_sort),
/// [`Terms::float_sort`](super::Terms::float_sort) and
/// [`Terms::declare_datatypes`](super::Terms::declare_datatypes).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortId(pub(super) u32);

impl SortId {
    /// Unbounded integers.
    pub const INT: SortId = SortId(0);
    /// Real numbers (every value that is ever computed is rational).
    pub const REAL: SortId = SortId(1);
    /// Truth values.
    pub const BOOL: SortId = SortId(2);

    /// Whether terms of this sort can be added and compared.
    pub fn is_numeric(self) -> bool {
        self == SortId::INT || self == SortId::REAL
    }
}

/// What a [`SortId`] stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Unbounded integers.
    Int,
    /// Real numbers.
    Real,
    /// Truth values.
    Bool,
    /// Total maps from the first sort to the second.
    Array(SortId, SortId),
    /// Bit-vectors of so many bits.
    Word(u32),
    /// Floating-point numbers of a format.
    Float(FloatFormat),
    /// What the constructors of a datatype make.
    Datatype(DatatypeId),
}
