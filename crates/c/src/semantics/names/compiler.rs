//! Names that the compiler has of its own: `__builtin_…`, `__sync_…`, `__atomic_…`.

use crate::program::BinaryOperator;
use crate::semantics::conventions::{Allocator, BitCount, Builtin, Meaning, Operands, Rank};

const fn overflow(operator: BinaryOperator, operands: Operands) -> Meaning {
    Meaning::Builtin(Builtin::Overflow(operator, operands))
}

/// Functions of the compiler.
pub(super) const NAMES: &[(&str, Meaning)] = &[
    ("__builtin_assume", Meaning::Assumes),
    ("__builtin_unreachable", Meaning::Ends),
    ("__builtin_trap", Meaning::Ends),
    ("__builtin_complex", Meaning::Complex),
    ("__builtin_shuffle", Meaning::Shuffles),
    ("__builtin_shufflevector", Meaning::ShufflesByConstants),
    ("__builtin_va_start", Meaning::StartsArguments),
    ("__builtin_va_end", Meaning::Nothing),
    ("__builtin_va_copy", Meaning::CopiesArguments),
    ("__builtin_prefetch", Meaning::Nothing),
    ("__builtin_setjmp", Meaning::Jumps),
    ("__builtin_longjmp", Meaning::Jumps),
    ("__builtin_expect", Meaning::FirstArgument),
    ("__builtin_constant_p", Meaning::IsConstant),
    ("__builtin_object_size", Meaning::Unevaluated),
    ("__builtin_dynamic_object_size", Meaning::Unevaluated),
    ("__builtin_frame_address", Meaning::Determined),
    ("__builtin_return_address", Meaning::Determined),
    ("__builtin_extract_return_addr", Meaning::Determined),
    ("__builtin_classify_type", Meaning::Unevaluated),
    ("__builtin_stack_save", Meaning::Determined),
    ("__builtin_cpu_supports", Meaning::Determined),
    ("__builtin_cpu_is", Meaning::Determined),
    (
        "__builtin_clrsb",
        Meaning::Builtin(Builtin::Bits(BitCount::RedundantSigns)),
    ),
    (
        "__builtin_clrsbl",
        Meaning::Builtin(Builtin::Bits(BitCount::RedundantSigns)),
    ),
    (
        "__builtin_clrsbll",
        Meaning::Builtin(Builtin::Bits(BitCount::RedundantSigns)),
    ),
    (
        "__builtin_add_overflow_p",
        Meaning::Builtin(Builtin::Overflows(BinaryOperator::Add)),
    ),
    (
        "__builtin_sub_overflow_p",
        Meaning::Builtin(Builtin::Overflows(BinaryOperator::Subtract)),
    ),
    (
        "__builtin_mul_overflow_p",
        Meaning::Builtin(Builtin::Overflows(BinaryOperator::Multiply)),
    ),
    ("__builtin_powi", Meaning::Determined),
    ("__builtin_powif", Meaning::Determined),
    ("__builtin_stack_restore", Meaning::Nothing),
    ("__builtin___clear_cache", Meaning::Nothing),
    ("__builtin_cpu_init", Meaning::Nothing),
    ("__sync_synchronize", Meaning::Nothing),
    ("__atomic_thread_fence", Meaning::Nothing),
    ("__atomic_signal_fence", Meaning::Nothing),
    ("__builtin_expect_with_probability", Meaning::FirstArgument),
    ("__builtin_assume_aligned", Meaning::FirstArgument),
    ("__builtin_speculation_safe_value", Meaning::FirstArgument),
    ("__builtin_choose_expr", Meaning::Chooses),
    ("__builtin_alloca_with_align", Meaning::Allocates(Allocator::Bytes)),
    ("__builtin_nontemporal_load", Meaning::Builtin(Builtin::Load)),
    ("__builtin_nontemporal_store", Meaning::Builtin(Builtin::StoreBehind)),
    ("__atomic_load", Meaning::Builtin(Builtin::LoadInto)),
    ("__atomic_store", Meaning::Builtin(Builtin::StoreFrom)),
    (
        "__atomic_compare_exchange",
        Meaning::Builtin(Builtin::CompareExchange { through: true }),
    ),
    ("__atomic_exchange", Meaning::Builtin(Builtin::ExchangeThrough)),
    ("__builtin_clz", Meaning::Builtin(Builtin::Bits(BitCount::LeadingZeros))),
    (
        "__builtin_clzl",
        Meaning::Builtin(Builtin::Bits(BitCount::LeadingZeros)),
    ),
    (
        "__builtin_clzll",
        Meaning::Builtin(Builtin::Bits(BitCount::LeadingZeros)),
    ),
    (
        "__builtin_ctz",
        Meaning::Builtin(Builtin::Bits(BitCount::TrailingZeros)),
    ),
    (
        "__builtin_ctzl",
        Meaning::Builtin(Builtin::Bits(BitCount::TrailingZeros)),
    ),
    (
        "__builtin_ctzll",
        Meaning::Builtin(Builtin::Bits(BitCount::TrailingZeros)),
    ),
    ("__builtin_ffs", Meaning::Builtin(Builtin::Bits(BitCount::FirstSet))),
    ("__builtin_ffsl", Meaning::Builtin(Builtin::Bits(BitCount::FirstSet))),
    ("__builtin_ffsll", Meaning::Builtin(Builtin::Bits(BitCount::FirstSet))),
    ("__builtin_popcount", Meaning::Builtin(Builtin::Bits(BitCount::Ones))),
    ("__builtin_popcountl", Meaning::Builtin(Builtin::Bits(BitCount::Ones))),
    ("__builtin_popcountll", Meaning::Builtin(Builtin::Bits(BitCount::Ones))),
    ("__builtin_parity", Meaning::Builtin(Builtin::Bits(BitCount::Parity))),
    ("__builtin_parityl", Meaning::Builtin(Builtin::Bits(BitCount::Parity))),
    ("__builtin_parityll", Meaning::Builtin(Builtin::Bits(BitCount::Parity))),
    (
        "__builtin_bswap16",
        Meaning::Builtin(Builtin::Bits(BitCount::SwappedBytes)),
    ),
    (
        "__builtin_bswap32",
        Meaning::Builtin(Builtin::Bits(BitCount::SwappedBytes)),
    ),
    (
        "__builtin_bswap64",
        Meaning::Builtin(Builtin::Bits(BitCount::SwappedBytes)),
    ),
    (
        "__builtin_add_overflow",
        overflow(BinaryOperator::Add, Operands::AsGiven),
    ),
    (
        "__builtin_sadd_overflow",
        overflow(BinaryOperator::Add, Operands::Signed(Rank::Int)),
    ),
    (
        "__builtin_saddl_overflow",
        overflow(BinaryOperator::Add, Operands::Signed(Rank::Long)),
    ),
    (
        "__builtin_saddll_overflow",
        overflow(BinaryOperator::Add, Operands::Signed(Rank::LongLong)),
    ),
    (
        "__builtin_uadd_overflow",
        overflow(BinaryOperator::Add, Operands::Unsigned(Rank::Int)),
    ),
    (
        "__builtin_uaddl_overflow",
        overflow(BinaryOperator::Add, Operands::Unsigned(Rank::Long)),
    ),
    (
        "__builtin_uaddll_overflow",
        overflow(BinaryOperator::Add, Operands::Unsigned(Rank::LongLong)),
    ),
    (
        "__builtin_sub_overflow",
        overflow(BinaryOperator::Subtract, Operands::AsGiven),
    ),
    (
        "__builtin_ssub_overflow",
        overflow(BinaryOperator::Subtract, Operands::Signed(Rank::Int)),
    ),
    (
        "__builtin_ssubl_overflow",
        overflow(BinaryOperator::Subtract, Operands::Signed(Rank::Long)),
    ),
    (
        "__builtin_ssubll_overflow",
        overflow(BinaryOperator::Subtract, Operands::Signed(Rank::LongLong)),
    ),
    (
        "__builtin_usub_overflow",
        overflow(BinaryOperator::Subtract, Operands::Unsigned(Rank::Int)),
    ),
    (
        "__builtin_usubl_overflow",
        overflow(BinaryOperator::Subtract, Operands::Unsigned(Rank::Long)),
    ),
    (
        "__builtin_usubll_overflow",
        overflow(BinaryOperator::Subtract, Operands::Unsigned(Rank::LongLong)),
    ),
    (
        "__builtin_mul_overflow",
        overflow(BinaryOperator::Multiply, Operands::AsGiven),
    ),
    (
        "__builtin_smul_overflow",
        overflow(BinaryOperator::Multiply, Operands::Signed(Rank::Int)),
    ),
    (
        "__builtin_smull_overflow",
        overflow(BinaryOperator::Multiply, Operands::Signed(Rank::Long)),
    ),
    (
        "__builtin_smulll_overflow",
        overflow(BinaryOperator::Multiply, Operands::Signed(Rank::LongLong)),
    ),
    (
        "__builtin_umul_overflow",
        overflow(BinaryOperator::Multiply, Operands::Unsigned(Rank::Int)),
    ),
    (
        "__builtin_umull_overflow",
        overflow(BinaryOperator::Multiply, Operands::Unsigned(Rank::Long)),
    ),
    (
        "__builtin_umulll_overflow",
        overflow(BinaryOperator::Multiply, Operands::Unsigned(Rank::LongLong)),
    ),
    (
        "__sync_fetch_and_add",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::Add),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__atomic_fetch_add",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::Add),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__sync_add_and_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::Add),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__atomic_add_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::Add),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__sync_fetch_and_sub",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::Subtract),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__atomic_fetch_sub",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::Subtract),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__sync_sub_and_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::Subtract),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__atomic_sub_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::Subtract),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__sync_fetch_and_or",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitOr),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__atomic_fetch_or",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitOr),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__sync_or_and_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitOr),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__atomic_or_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitOr),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__sync_fetch_and_and",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitAnd),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__atomic_fetch_and",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitAnd),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__sync_and_and_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitAnd),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__atomic_and_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitAnd),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__sync_fetch_and_xor",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitXor),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__atomic_fetch_xor",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitXor),
            inverted: false,
            old: true,
        }),
    ),
    (
        "__sync_xor_and_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitXor),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__atomic_xor_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitXor),
            inverted: false,
            old: false,
        }),
    ),
    (
        "__sync_fetch_and_nand",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitAnd),
            inverted: true,
            old: true,
        }),
    ),
    (
        "__atomic_fetch_nand",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitAnd),
            inverted: true,
            old: true,
        }),
    ),
    (
        "__sync_nand_and_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitAnd),
            inverted: true,
            old: false,
        }),
    ),
    (
        "__atomic_nand_fetch",
        Meaning::Builtin(Builtin::Update {
            operator: Some(BinaryOperator::BitAnd),
            inverted: true,
            old: false,
        }),
    ),
    (
        "__sync_lock_test_and_set",
        Meaning::Builtin(Builtin::Update {
            operator: None,
            inverted: false,
            old: true,
        }),
    ),
    (
        "__atomic_exchange_n",
        Meaning::Builtin(Builtin::Update {
            operator: None,
            inverted: false,
            old: true,
        }),
    ),
    ("__sync_lock_release", Meaning::Builtin(Builtin::Store)),
    ("__atomic_store_n", Meaning::Builtin(Builtin::Store)),
    ("__atomic_load_n", Meaning::Builtin(Builtin::Load)),
    (
        "__sync_bool_compare_and_swap",
        Meaning::Builtin(Builtin::CompareAndSwap { truth: true }),
    ),
    (
        "__sync_val_compare_and_swap",
        Meaning::Builtin(Builtin::CompareAndSwap { truth: false }),
    ),
    (
        "__atomic_compare_exchange_n",
        Meaning::Builtin(Builtin::CompareExchange { through: false }),
    ),
];
