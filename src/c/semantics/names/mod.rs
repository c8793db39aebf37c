//! The names of functions that mean something: tables for [`super::conventions`], a file for each kind.

mod compiler;
mod library;
mod mathematics;
mod verification;

use super::conventions::Meaning;

/// Functions whose body, if the file has one, does not matter.
pub(in crate::c::semantics) const ALWAYS: &[(&str, Meaning)] = &[
    ("reach_error", Meaning::Fails),
    ("__VERIFIER_error", Meaning::Fails),
    ("__assert_fail", Meaning::Fails),
    ("__assert_perror_fail", Meaning::Fails),
    ("__assert_rtn", Meaning::Fails),
    ("BUGST_REPORT_TARGET_LOCATION_REACHED", Meaning::Fails),
];

/// Functions that mean this unless the file has a body for them.
pub(in crate::c::semantics) fn without_body() -> impl Iterator<Item = &'static (&'static str, Meaning)> {
    let tables = [verification::NAMES, library::NAMES, mathematics::NAMES, compiler::NAMES];
    tables.into_iter().flatten()
}
