//! What every way of exploring rules is made of: the engine, `explore`, `compress` and `infer` take the same steps and stand
//! on this floor, none of them on another.
//!
//! ```text
//! transition    rules, solved for their own variables       differences   bounds and differences that constraints imply
//! elimination   variables out of conjunctions               equalities    equalities and their halves
//! conjuncts     those of a rule while equations are solved
//! projection    what a store says about parameters          offered       candidates that one analysis offers another
//! budget        what a run may cost, and why it has stopped pace         turns of several searches
//! affine_space  points that span a space, and its equations taken        transitions taken with values
//! houdini       which formulas every rule keeps, together   model        values, and formulas under them
//! composition   rules composed along paths
//! rows          sets of states that were seen               paths        a rule for each way through a rule
//! control       parameters that a loop sets to constants       same_variables parameters that are one variable
//! turn_record   what methods in turns did
//! ```

pub(crate) mod affine_space;
pub(crate) mod budget;
pub(crate) mod composition;
pub(crate) mod conjuncts;
mod control;
pub(crate) mod differences;
pub(crate) mod elimination;
pub(crate) mod equalities;
pub(crate) mod equations;
pub(crate) mod houdini;
pub(crate) mod model;
mod offered;
pub(crate) mod pace;
pub(crate) mod paths;
pub(crate) mod projection;
pub(crate) mod rows;
mod same_variables;
pub(crate) mod taken;
pub(crate) mod transition;
mod turn_record;

pub(crate) use budget::BudgetWatch;
pub use budget::{Budget, Cancellation, StopReason};
pub(crate) use control::ControlVariables;
pub use offered::OfferedCandidates;
pub use pace::Pace;
pub(crate) use same_variables::SameVariables;
pub(crate) use transition::{Target, Transition, TransitionId, Transitions};
pub(crate) use turn_record::processor_seconds;
pub use turn_record::{Turn, TurnEnd, TurnRecord};
