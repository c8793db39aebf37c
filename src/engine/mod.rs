//! The engine: explores the derivations of a program until it is proved safe or an error is found.

mod options;
mod outcome;
mod tree;

pub use options::{Budget, Cancellation, Interpolation, Options};
pub use outcome::{LoopInvariant, Outcome, Statistics, StopReason, Verdict};
pub use tree::{Ending, ExplorationTree, Mark, MarkedConstraint, TreeNode};
