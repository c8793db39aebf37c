//! Options of an exploration: limits, and the choices that seed 002 leaves open.

use crate::steps::{Budget, Cancellation, Pace};

/// How a program is explored.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// When to give up. Unrollings are not counted here.
    pub budget: Budget,
    /// Whether cycles are replaced by templates. Default: true. Without, it is classic symbolic execution.
    pub templates: bool,
    /// Whether the cycles of one location get a template together, and values that follow no progression are kept as histories.
    /// Default: true. Without, templates are those of the paper's Algorithm 1, and of its simple extensions.
    pub joint: bool,
    /// Which state comes next. Default: directed. The paper explores breadth first.
    pub order: Order,
    /// Whether a state that another one covers is left out. Default: true. It is not in the paper; without it, the leaves are
    /// those of the paper's trees.
    pub covering: bool,
    /// Whether states are explored that cannot lead to the error. Default: false.
    pub whole: bool,
    /// Whether to go on after an error. Default: false.
    pub every_error: bool,
    /// Whether runs are kept that together apply every rule that is reached. Default: false.
    pub coverage: bool,
    /// Whether a program that is not decided after a while is explored by other methods, too, in turns: with a template for each
    /// cycle, depth first, and without templates. Default: true. It means nothing where templates or joint ones are turned off,
    /// or every error or coverage is wanted, because then one certain tree is.
    pub alternatives: bool,
    /// Whether a closed tree is written down as a certificate and checked. Default: true.
    pub certify: bool,
    /// Whether the tree and the templates are kept in the outcome, as text. Default: true. Terms may be long, so that writing them takes
    /// longer than finding them.
    pub keep_tree: bool,
    /// How many iterations are tried where the solver could not decide a state behind a template. Default: 8.
    pub retries: u32,
    /// Stops the exploration from another thread.
    pub cancellation: Cancellation,
    /// Waits for other searches about the same question. Default: it does not.
    pub pace: Pace,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        ExploreOptions {
            budget: Budget {
                query_resources: 4_000_000,
                ..Budget::default()
            },
            templates: true,
            joint: true,
            order: Order::Directed,
            covering: true,
            whole: false,
            every_error: false,
            coverage: false,
            alternatives: true,
            certify: true,
            keep_tree: true,
            retries: 8,
            cancellation: Cancellation::default(),
            pace: Pace::default(),
        }
    }
}

/// The order in which states are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The states that are the fewest steps away from the query first, as in the paper.
    BreadthFirst,
    /// The successors of a state before its siblings.
    DepthFirst,
    /// In turns the state that waits longest, and the one at the location that is the fewest rules away from the error.
    #[default]
    Directed,
}
