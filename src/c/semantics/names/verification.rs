//! Names by which programs say what is to be verified: those of SV-COMP, TRACER, the BUGST macros and assertions, and what ends a run.

use crate::c::semantics::conventions::Meaning;
use crate::c::semantics::models::UNKNOWN_RESULT;

/// Functions that fail, assert, assume, read unknown values or end the run.
pub(super) const NAMES: &[(&str, Meaning)] = &[
    ("error", Meaning::Fails),
    ("errorFn", Meaning::Fails),
    ("__assert", Meaning::Fails),
    ("__VERIFIER_assert", Meaning::Asserts),
    ("assert", Meaning::Asserts),
    ("sassert", Meaning::Asserts),
    ("static_assert", Meaning::Advice),
    ("_TRACER_abort", Meaning::Refutes),
    ("_ABORT", Meaning::Refutes),
    ("__VERIFIER_assume", Meaning::Assumes),
    ("_TRACER_assume", Meaning::Assumes),
    ("assume", Meaning::Assumes),
    ("assume_abort_if_not", Meaning::Assumes),
    ("__ESBMC_assert", Meaning::Asserts),
    ("__ESBMC_assume", Meaning::Assumes),
    ("__CPROVER_assert", Meaning::Asserts),
    ("__CPROVER_assume", Meaning::Assumes),
    ("klee_assert", Meaning::Asserts),
    ("klee_assume", Meaning::Assumes),
    ("abort", Meaning::Ends),
    ("exit", Meaning::Ends),
    ("_exit", Meaning::Ends),
    ("_Exit", Meaning::Ends),
    ("quick_exit", Meaning::Ends),
    ("BUGST_TERMINATE_WHOLE_PROGRAM_ANALYSIS", Meaning::Ends),
    ("BUGST_DEATH_END", Meaning::Ends),
    (UNKNOWN_RESULT, Meaning::Reads),
    ("BUGST_ARBITRARY_INT", Meaning::Reads),
    ("BUGST_IGNORE_UNINITIALISED_INT", Meaning::Forgets),
    ("_TRACER_make_symbolic", Meaning::Forgets),
    ("BUGST_IGNORE_UNINITIALISED_INT_ARRAY", Meaning::ForgetsArray),
    ("_TRACER_abstract", Meaning::Advice),
    ("_SLICE", Meaning::Advice),
    ("__VERIFIER_atomic_begin", Meaning::Nothing),
    ("__VERIFIER_atomic_end", Meaning::Nothing),
];
