//! The names by which programs fail, assume, end and read unknown values: those of SV-COMP, TRACER, the BUGST macros and the
//! C library, and the user's own.

use crate::c::options::Options;
use crate::c::types::{IntegerType, Type, TypeId, Types};

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
    /// What the first argument points to becomes unknown.
    Forgets,
    /// As many elements as the second argument says, from where the first one points, become unknown.
    ForgetsArray,
    /// Nothing happens: advice to a tool, or what has no effect on values.
    Nothing,
    /// Control leaves the function in a way that cannot be followed.
    Jumps,
    /// The value of the first argument.
    FirstArgument,
    /// 0: nothing is known to be constant.
    NotConstant,
    /// The absolute value.
    Absolute,
    /// New memory; the arguments' meaning.
    Allocates(Allocator),
    /// New memory instead of old.
    Reallocates,
    /// The end of an object's life.
    Frees,
    /// `memset`
    Fills,
    /// `memcpy`, `memmove`
    Copies,
    /// Values are printed: the arguments from this position on.
    Prints(usize),
    /// Unknown values are read into where the arguments from this position on point.
    Scans(usize),
    /// A string is written where the first argument points.
    WritesString,
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
}

/// Functions whose body, if the file has one, does not matter.
const ALWAYS: &[(&str, Meaning)] = &[
    ("reach_error", Meaning::Fails),
    ("__VERIFIER_error", Meaning::Fails),
    ("__assert_fail", Meaning::Fails),
    ("__assert_perror_fail", Meaning::Fails),
    ("__assert_rtn", Meaning::Fails),
    ("BUGST_REPORT_TARGET_LOCATION_REACHED", Meaning::Fails),
];

/// Functions that mean this unless the file has a body for them.
const WITHOUT_BODY: &[(&str, Meaning)] = &[
    ("error", Meaning::Fails),
    ("errorFn", Meaning::Fails),
    ("__assert", Meaning::Fails),
    ("__VERIFIER_assert", Meaning::Asserts),
    ("assert", Meaning::Asserts),
    ("sassert", Meaning::Asserts),
    ("static_assert", Meaning::Nothing),
    ("_TRACER_abort", Meaning::Refutes),
    ("_ABORT", Meaning::Refutes),
    ("__VERIFIER_assume", Meaning::Assumes),
    ("_TRACER_assume", Meaning::Assumes),
    ("assume", Meaning::Assumes),
    ("assume_abort_if_not", Meaning::Assumes),
    ("__builtin_assume", Meaning::Assumes),
    ("abort", Meaning::Ends),
    ("exit", Meaning::Ends),
    ("_exit", Meaning::Ends),
    ("_Exit", Meaning::Ends),
    ("quick_exit", Meaning::Ends),
    ("__builtin_abort", Meaning::Ends),
    ("__builtin_unreachable", Meaning::Ends),
    ("__builtin_trap", Meaning::Ends),
    ("BUGST_TERMINATE_WHOLE_PROGRAM_ANALYSIS", Meaning::Ends),
    ("BUGST_DEATH_END", Meaning::Ends),
    ("BUGST_ARBITRARY_INT", Meaning::Reads),
    ("BUGST_IGNORE_UNINITIALISED_INT", Meaning::Forgets),
    ("_TRACER_make_symbolic", Meaning::Forgets),
    ("BUGST_IGNORE_UNINITIALISED_INT_ARRAY", Meaning::ForgetsArray),
    ("_TRACER_abstract", Meaning::Nothing),
    ("_SLICE", Meaning::Nothing),
    ("__VERIFIER_atomic_begin", Meaning::Nothing),
    ("__VERIFIER_atomic_end", Meaning::Nothing),
    ("__builtin_va_start", Meaning::Nothing),
    ("__builtin_va_end", Meaning::Nothing),
    ("__builtin_va_copy", Meaning::Nothing),
    ("va_start", Meaning::Nothing),
    ("va_end", Meaning::Nothing),
    ("va_copy", Meaning::Nothing),
    ("__builtin_prefetch", Meaning::Nothing),
    ("srand", Meaning::Nothing),
    ("fflush", Meaning::Nothing),
    ("setjmp", Meaning::Jumps),
    ("_setjmp", Meaning::Jumps),
    ("sigsetjmp", Meaning::Jumps),
    ("__sigsetjmp", Meaning::Jumps),
    ("longjmp", Meaning::Jumps),
    ("siglongjmp", Meaning::Jumps),
    ("__builtin_setjmp", Meaning::Jumps),
    ("__builtin_longjmp", Meaning::Jumps),
    ("__builtin_expect", Meaning::FirstArgument),
    ("__builtin_constant_p", Meaning::NotConstant),
    ("abs", Meaning::Absolute),
    ("labs", Meaning::Absolute),
    ("llabs", Meaning::Absolute),
    ("__builtin_abs", Meaning::Absolute),
    ("rand", Meaning::Reads),
    ("random", Meaning::Reads),
    ("malloc", Meaning::Allocates(Allocator::Bytes)),
    ("__builtin_malloc", Meaning::Allocates(Allocator::Bytes)),
    ("kmalloc", Meaning::Allocates(Allocator::Bytes)),
    ("__kmalloc", Meaning::Allocates(Allocator::Bytes)),
    ("vmalloc", Meaning::Allocates(Allocator::Bytes)),
    ("ldv_malloc", Meaning::Allocates(Allocator::Bytes)),
    ("alloca", Meaning::Allocates(Allocator::Bytes)),
    ("__builtin_alloca", Meaning::Allocates(Allocator::Bytes)),
    ("kzalloc", Meaning::Allocates(Allocator::ZeroedBytes)),
    ("vzalloc", Meaning::Allocates(Allocator::ZeroedBytes)),
    ("calloc", Meaning::Allocates(Allocator::Elements)),
    ("__builtin_calloc", Meaning::Allocates(Allocator::Elements)),
    ("kcalloc", Meaning::Allocates(Allocator::Elements)),
    ("realloc", Meaning::Reallocates),
    ("free", Meaning::Frees),
    ("kfree", Meaning::Frees),
    ("vfree", Meaning::Frees),
    ("__builtin_free", Meaning::Frees),
    ("memset", Meaning::Fills),
    ("__builtin_memset", Meaning::Fills),
    ("memcpy", Meaning::Copies),
    ("memmove", Meaning::Copies),
    ("__builtin_memcpy", Meaning::Copies),
    ("__builtin_memmove", Meaning::Copies),
    ("printf", Meaning::Prints(1)),
    ("vprintf", Meaning::Prints(1)),
    ("fprintf", Meaning::Prints(2)),
    ("puts", Meaning::Prints(1)),
    ("fputs", Meaning::Prints(2)),
    ("putchar", Meaning::Prints(0)),
    ("fputc", Meaning::Prints(0)),
    ("perror", Meaning::Prints(1)),
    ("printk", Meaning::Prints(1)),
    ("scanf", Meaning::Scans(1)),
    ("fscanf", Meaning::Scans(2)),
    ("__isoc99_scanf", Meaning::Scans(1)),
    ("strcpy", Meaning::WritesString),
    ("strncpy", Meaning::WritesString),
    ("strcat", Meaning::WritesString),
    ("strncat", Meaning::WritesString),
    ("sprintf", Meaning::WritesString),
    ("snprintf", Meaning::WritesString),
    ("gets", Meaning::WritesString),
    ("fgets", Meaning::WritesString),
];

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
        if listed(&self.options.error_functions) {
            return Some(Meaning::Fails);
        }
        if listed(&self.options.assume_functions) {
            return Some(Meaning::Assumes);
        }
        let find = |table: &[(&str, Meaning)]| table.iter().find(|entry| entry.0 == name).map(|entry| entry.1);
        let always = find(ALWAYS);
        if always.is_some() || has_body {
            return always;
        }
        find(WITHOUT_BODY).or_else(|| is_unknown_function(name).then_some(Meaning::Reads))
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

fn is_unknown_function(name: &str) -> bool {
    let numbered = |prefix: &str| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("nondet_")
        || numbered("nondet")
        || numbered("unknown")
        || matches!(name, "__NONDET__" | "__BLAST_NONDET" | "read")
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
