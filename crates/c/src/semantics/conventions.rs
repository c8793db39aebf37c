//! The names by which programs fail, assume, end and read unknown values: those of SV-COMP, TRACER, the BUGST macros and the
//! C library, and the user's own. The tables are in [`super::names`].

use super::names::{ALWAYS, without_body};
use super::questions::Inquiry;
use super::uninterpreted::is_uninterpreted;
use crate::library::plain_name;
use crate::options::Options;
use crate::program::BinaryOperator;
use crate::types::{IntegerType, Type, TypeId, Types};

/// What a call of a function means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// The error is reached.
    Fails,
    /// The error is reached if the argument is zero.
    Asserts,
    /// The error is reached if the argument is not zero, the opposite of an assertion.
    Refutes,
    /// The run goes on only if the argument is not zero.
    Assumes,
    /// The run ends.
    Ends,
    /// An unknown value is read.
    Reads,
    /// An unknown value is read that is not below the first number and not above the second one.
    ReadsBetween(i32, i32),
    /// A stream gets memory of its own where the second argument is null; otherwise it uses what that points to, at any time.
    Buffers,
    /// What the first argument points to becomes unknown.
    Forgets,
    /// The object that the first argument points into becomes unknown.
    ForgetsObject,
    /// As many elements as the second argument says, from where the first one points, become unknown.
    ForgetsArray,
    /// Advice to a tool about the program, not a part of it: its arguments are not evaluated.
    Advice,
    /// Nothing happens but that the arguments are evaluated.
    Nothing,
    /// Nothing is known of it but that the same arguments have the same result.
    IsLeftOpen,
    /// Something is asked about the objects that pointers point into.
    Asks(Inquiry),
    /// So many bytes, as the third argument says, from the first and from the second one on have none in common.
    Apart,
    /// So many bytes, as the second argument says, are there from the first one on.
    ReadsBytes,
    /// The argument is an address, whether anything is accessed there or not.
    WantsAddress,
    /// `va_start`
    StartsArguments,
    /// `va_copy`
    CopiesArguments,
    /// Nothing happens; the result is told by the arguments and what they point to, in a way that is not translated.
    Determined,
    /// The arguments are not evaluated; the result is told by their types and objects, in a way that is not translated.
    Unevaluated,
    /// Nothing happens; the result is null or points into what the first argument points into.
    Finds,
    /// The objects that these arguments point into change.
    Writes(&'static [usize], Returns),
    /// All that arguments from this position on point to changes, as a format says.
    WritesFrom(usize),
    /// `qsort`
    Sorts,
    /// `bsearch`
    Searches,
    /// What it does reaches further than its arguments: it calls back, starts threads, keeps pointers.
    Unseen,
    /// Control leaves the function in a way that cannot be followed.
    Jumps,
    /// The value of the first argument.
    FirstArgument,
    /// Whether the argument, which is not evaluated, is a constant for the compiler.
    IsConstant,
    /// The second or the third argument, as the first says, which is a constant.
    Chooses,
    /// Something of the compiler's own.
    Builtin(Builtin),
    /// A function of `math.h`.
    Mathematics,
    /// `fesetround`
    SetsRounding,
    /// `fegetround`
    GetsRounding,
    /// The absolute value.
    Absolute,
    /// A function on complex numbers.
    Complex,
    /// `__builtin_shuffle`
    Shuffles,
    /// `__builtin_shufflevector`
    ShufflesByConstants,
    /// New memory; the arguments' meaning.
    Allocates(Allocator),
    /// New memory instead of old.
    /// The end of an object's life.
    Frees,
    /// `memset`
    Fills,
    /// `bzero`
    Clears,
    /// `memcpy`, `memmove`
    Copies,
    /// Values are printed: the arguments from this position on.
    Prints(usize),
    /// Unknown values are read into where the arguments from this position on point.
    Scans(usize),
}

/// What a function that writes memory returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Returns {
    /// Its first argument.
    First,
    /// Its first argument or null.
    FirstOrNull,
    /// What is told by the arguments.
    Determined,
    /// What the world outside says.
    Input,
}

/// Functions of the compiler's own that are translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    /// The number of something in the bits of a constant.
    Bits(BitCount),
    /// An operation whose result goes where the third argument points; the value says whether it does not fit.
    Overflow(BinaryOperator, Operands),
    /// Whether the result of an operation does not fit the type of the third argument.
    Overflows(BinaryOperator),
    /// `*p = *p op value`; the old value, or the new one.
    Update {
        /// The operation; `None` puts the value itself there.
        operator: Option<BinaryOperator>,
        /// Whether the result is inverted (`nand`).
        inverted: bool,
        /// Whether the old value is the result, and not the new one.
        old: bool,
    },
    /// `*p`
    Load,
    /// `*p = value`; without a second argument zero.
    Store,
    /// `*to = *p`
    LoadInto,
    /// `*p = *from`
    StoreFrom,
    /// `*to = *p`, and then `*p = *from`, which is read first.
    ExchangeThrough,
    /// The same as `Store` with the arguments the other way round.
    StoreBehind,
    /// `if (*p == old) *p = new`; whether that was so, or what was there.
    CompareAndSwap {
        /// Whether the truth value is the result.
        truth: bool,
    },
    /// The same with `*expected` as the old value, which gets what was there.
    CompareExchange {
        /// Whether the new value is where the third argument points.
        through: bool,
    },
}

/// What the operands are converted to before an operation is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operands {
    /// They have the types that they have.
    AsGiven,
    /// To a signed type, as a prototype does.
    Signed(Rank),
    /// To an unsigned type.
    Unsigned(Rank),
}

/// Types of integers, whose widths the data model says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rank {
    /// `int`
    Int,
    /// `long`
    Long,
    /// `long long`
    LongLong,
}

/// What is counted in the bits of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BitCount {
    /// Zeros before the first one.
    LeadingZeros,
    /// Zeros behind the last one.
    TrailingZeros,
    /// One more than that; zero of zero.
    FirstSet,
    /// The ones.
    Ones,
    /// Whether the number of ones is odd.
    Parity,
    /// The number with its bytes in the opposite order.
    SwappedBytes,
    /// How many bits behind the sign are like it.
    RedundantSigns,
}

impl Meaning {
    /// Whether it gives a pointer.
    pub(super) fn returns_pointer(self) -> bool {
        matches!(
            self,
            Meaning::Allocates(_)
                | Meaning::Searches
                | Meaning::Finds
                | Meaning::Writes(_, Returns::First | Returns::FirstOrNull)
        )
    }

    /// Whether it does not matter what the arguments are.
    pub(super) fn ignores_arguments(self) -> bool {
        matches!(
            self,
            Meaning::Fails
                | Meaning::Ends
                | Meaning::Reads
                | Meaning::ReadsBetween(..)
                | Meaning::Nothing
                | Meaning::Advice
                | Meaning::Determined
        )
    }
}

/// What the arguments of an allocating function are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Allocator {
    /// The number of bytes.
    Bytes,
    /// The number of elements and an element's size; the memory is zero.
    Elements,
    /// The number of bytes; the memory is zero.
    ZeroedBytes,
    /// Memory whose contents go over, and the number of bytes.
    Moved,
    /// The alignment, and the number of bytes.
    Aligned,
}

/// The usual names and the user's.
pub(super) struct Conventions<'o> {
    options: &'o Options,
}

impl<'o> Conventions<'o> {
    pub(super) fn new(options: &'o Options) -> Conventions<'o> {
        Conventions { options }
    }

    /// What a call of the function means, if it is not an ordinary one.
    pub(super) fn meaning(&self, name: &str, has_body: bool) -> Option<Meaning> {
        let listed = |names: &[String]| names.iter().any(|listed| listed == name);
        // The compiler's own name for a function means the same: `__builtin_abort`.
        let of_compiler = name.strip_prefix("__builtin_");
        let errors = &self.options.error_functions;
        if listed(errors) || of_compiler.is_some_and(|plain| errors.iter().any(|listed| listed == plain)) {
            return Some(Meaning::Fails);
        }
        if listed(&self.options.assume_functions) {
            return Some(Meaning::Assumes);
        }
        let always = find(ALWAYS.iter(), name);
        if always.is_some() || has_body {
            return always;
        }
        if let Some(meaning) = find(without_body(), name) {
            return Some(meaning);
        }
        if is_unknown_function(name) {
            return Some(Meaning::Reads);
        }
        if is_uninterpreted(name) {
            return Some(Meaning::IsLeftOpen);
        }
        // The C library's functions by the compiler's names for them, and by those that the headers give.
        let plain = plain_name(name);
        let checked = plain.strip_prefix("__").and_then(|plain| plain.strip_suffix("_chk"));
        let checked = checked.filter(|checked| checked.starts_with("mem") || checked.starts_with("str"));
        let of_library = find(without_body(), checked.unwrap_or(plain)).filter(|_| checked.unwrap_or(plain) != name);
        // Whatever else the compiler has is not known here.
        let is_builtin = BUILTIN_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || is_of_verifier(name);
        of_library.or_else(|| is_builtin.then_some(Meaning::Unseen))
    }

    /// Whether reaching the label is the error.
    pub(super) fn is_error_label(&self, label: &str) -> bool {
        label == "ERROR" || self.options.error_labels.iter().any(|listed| listed == label)
    }

    /// Whether an undeclared variable of this name is another unknown value at each read.
    pub(super) fn is_unknown_variable(&self, name: &str) -> bool {
        matches!(name, "__BLAST_NONDET" | "__NONDET__")
    }
}

/// What the names of the compiler's own functions begin with. One that is in no table is refused.
pub(super) const BUILTIN_PREFIXES: &[&str] = &[
    "__builtin_",
    "__sync_",
    "__atomic_",
    "__c11_atomic_",
    "__opencl_atomic_",
];

fn find<'a>(mut entries: impl Iterator<Item = &'a (&'static str, Meaning)>, name: &str) -> Option<Meaning> {
    entries.find(|entry| entry.0 == name).map(|entry| entry.1)
}

/// Whether another verifier has a function of this name with a meaning of its own, which none of the tables has.
pub(super) fn is_of_verifier(name: &str) -> bool {
    name.starts_with("__CPROVER_") || name.starts_with("__ESBMC_")
}

fn is_unknown_function(name: &str) -> bool {
    let numbered = |prefix: &str| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("nondet_")
        || numbered("nondet")
        || numbered("unknown")
        || matches!(name, "__NONDET__" | "__BLAST_NONDET")
}

/// The type that the name of an undeclared function such as `__VERIFIER_nondet_uint` gives to its result.
pub(super) fn type_by_name(types: &mut Types, name: &str) -> TypeId {
    let suffix = name
        .strip_prefix("__VERIFIER_nondet_")
        .or_else(|| name.strip_prefix("nondet_"));
    let word = types.word_bits();
    let integer = |bits, signed| IntegerType { bits, signed };
    let kind = match suffix.unwrap_or("int") {
        "bool" | "_Bool" => IntegerType::BOOL,
        "char" | "schar" | "S8" => integer(8, true),
        "uchar" | "u8" | "unsigned_char" => integer(8, false),
        "short" | "S16" => integer(16, true),
        "ushort" | "u16" | "unsigned_short" => integer(16, false),
        "uint" | "u32" | "unsigned" | "unsigned_int" => integer(32, false),
        "long" | "loff_t" | "ssize_t" => integer(word, true),
        "ulong" | "size_t" | "sector_t" | "unsigned_long" => integer(word, false),
        "longlong" => integer(64, true),
        "ulonglong" | "u64" => integer(64, false),
        "int128" => integer(128, true),
        "uint128" => integer(128, false),
        "float" => return types.intern(Type::Floating(32)),
        "double" => return types.intern(Type::Floating(64)),
        "pointer" | "pchar" | "malloc" => return types.pointer_to(Types::VOID),
        _ => integer(32, true),
    };
    types.integer(kind)
}
