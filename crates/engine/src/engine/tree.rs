//! The exploration tree as data, for drawing: every state with its store, its marks, how it ended, and its interpolant
//! (the figures of seeds 003 and 004). All formulas are text already, so that a tree outlives the engine.

use serde::Serialize;

/// How a state of the tree ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All its rules were explored.
    Closed,
    /// Its store is unsatisfiable.
    Infeasible,
    /// No rule applies, or none that leads to the error.
    Terminal,
    /// Covered by its looping parent `by`.
    CoveredByAncestor {
        /// Index of the looping parent.
        by: usize,
    },
    /// Covered by the interpolant of `by`.
    CoveredByMemo {
        /// Index of the state whose interpolant it is.
        by: usize,
    },
    /// It is the error, and the counterexample was spurious.
    SpuriousError,
    /// It is the error, and the counterexample is real.
    Error,
    /// A restart at a header threw it away, or the search stopped before it was done.
    Abandoned,
}

/// The mark of a loop header's constraint in the annotation vector (seed 004, section on annotations).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Must be kept.
    Max,
    /// Must be deleted.
    Min,
    /// Neither.
    Neutral,
}

/// A constraint of a loop header with its mark.
#[derive(Clone, Debug, Serialize)]
pub struct MarkedConstraint {
    /// The constraint in CLP syntax.
    pub constraint: String,
    /// Its mark at the end.
    pub mark: Mark,
}

/// One state.
#[derive(Clone, Debug, Serialize)]
pub struct TreeNode {
    /// Index of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// The goal, for instance `loop(1, X + 1, Y)`.
    pub goal: String,
    /// The label of its predicate, for instance `loop(1)`.
    pub predicate: String,
    /// The rule that led here, in CLP syntax; empty for the root.
    pub rule: String,
    /// The line of that rule in its source, if known.
    pub line: Option<u32>,
    /// The constraints that the rule added to the store.
    pub added: Vec<String>,
    /// At a loop header: its candidate constraints with their marks.
    pub header: Option<Vec<MarkedConstraint>>,
    /// How it ended.
    pub ending: Ending,
    /// The interpolant over the predicate's parameters, once closed.
    pub interpolant: Option<String>,
}

/// The tree: nodes in the order in which they were made, so that a parent comes before its children.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ExplorationTree {
    /// The nodes; the first is the query.
    pub nodes: Vec<TreeNode>,
}
