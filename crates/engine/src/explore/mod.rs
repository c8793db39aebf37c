//! Compact symbolic execution (seed 002): symbolic execution in which a cycle is not executed again and again, but replaced by a
//! *template*, which describes the states after any number κ of iterations at once.
//!
//! ```text
//! context       the flowgraph: predicates are locations, transitions edges; classic execution of a path
//! cycles        Definition 1                     progressions, series   values after κ iterations
//! template      Algorithm 1, and s ◇ s'          defined                arrays written along a progression
//! joint         one template for several cycles  fixed                  counters with a value
//! quantified    ∀τ (0 ≤ τ < κ → …) without τ     solve                  `satisfiable`, and solutions
//! search        Algorithm 2                      cover                  states that others cover
//! run           a solution as a run              text, tree             for people
//! powers        geometric progressions           phases                 ways that come in a fixed order
//! attempts      one method after the other       coverage               runs along every edge
//! summaries     inner loops as single steps         certificate            a closed tree as evidence
//! ```
//!
//! The verdicts are those of the rest of the crate: an error comes with a derivation that evaluation has accepted; that there is
//! none is said only of a tree that is closed and has no failed leaf, and `certificate` writes it down for the checker.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::explore::{ExploreOptions, Finding, explore};
//! let source = "
//!     ?- I = 0, N < 1000000, count(I, N).
//!     count(I, N) :- I < N, count(I + 3, N).
//!     count(I, N) :- I >= N, I = 999998, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let exploration = explore(&program, &ExploreOptions::default());
//! // 999998 is no multiple of three; the loop is not unrolled to find that out.
//! let Finding::Unreachable(Ok(certificate)) = exploration.finding else { panic!("{:?}", exploration.finding) };
//! assert!(!certificate.symbolic.is_empty());
//! assert!(exploration.statistics.states < 10);
//! ```

mod assist;
mod attempts;
mod calls;
mod certificate;
mod context;
mod cover;
mod coverage;
mod cycles;
mod defined;
mod fixed;
mod joint;
mod options;
mod phases;
mod powers;
mod progressions;
mod quantified;
#[cfg(test)]
mod random_loops;
mod run;
mod search;
mod series;
mod solve;
mod state;
mod summaries;
mod target;
mod template;
mod text;
#[cfg(test)]
mod theorems;
mod tree;

pub use assist::{verify, verify_path_by_path};
pub use attempts::ExploreMethod;
pub use options::{ExploreOptions, Order};
pub use state::Location;
pub use target::{with_rules_as_target, with_target};
pub use text::{exploration_text, templates_text, tree_text};
pub use tree::{CompactEnding, CompactNode, CompactTree, TemplateText, WayOut};

use crate::deep_stack::{Failure, on_deep_stack};
use crate::evidence::{Certificate, Derivation};
use crate::rules::Program;
use crate::solver::{SolverStatistics, with_interrupts};
use crate::steps::BudgetWatch;
use crate::steps::StopReason;
use serde::Serialize;

/// What an exploration has found.
#[derive(Clone, Debug)]
pub enum Finding {
    /// The error is reached by this run, which evaluation has accepted.
    Reachable(Derivation),
    /// The tree is closed and has no failed leaf: no run reaches the error. With the certificate, which the checker has accepted, or
    /// why there is none.
    Unreachable(Result<Box<Certificate>, String>),
    /// Neither is known.
    Unknown(StopReason),
}

/// What an exploration cost.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ExploreStatistics {
    /// States in the tree.
    pub states: u64,
    /// Leaves of the tree.
    pub leaves: u64,
    /// Leaves that the solver could not decide.
    pub failed_leaves: u64,
    /// States that another one covers.
    pub covered: u64,
    /// Steps into an unsatisfiable condition.
    pub infeasible: u64,
    /// Cyclic paths that were looked at.
    pub cyclic_paths: u64,
    /// Those that are feasible.
    pub cycles: u64,
    /// Those that have a template.
    pub templates: u64,
    /// How often a template was used.
    pub applications: u64,
    /// The solver's queries by layer.
    pub solver: SolverStatistics,
    /// How often the program was explored, by one method or another. Counts of trees are those of the last attempt by
    /// `Exploration::method`; the solver's queries and the seconds are those of all attempts.
    pub attempts: u64,
    /// Seconds for templates.
    pub template_seconds: f64,
    /// Seconds altogether.
    pub seconds: f64,
}

/// Everything that an exploration returns.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// What was found.
    pub finding: Finding,
    /// What it cost.
    pub statistics: ExploreStatistics,
    /// The method of the attempt that decided, or of the first one.
    pub method: ExploreMethod,
    /// The templates, in the order of their locations.
    pub templates: Vec<TemplateText>,
    /// The tree.
    pub tree: CompactTree,
    /// If coverage was asked for: runs from a query, not all of them into the error, that together apply every rule that was
    /// reached.
    pub coverage: Vec<Derivation>,
}

impl Exploration {
    /// One that has found nothing, and why.
    pub fn nothing_found(reason: StopReason, options: &ExploreOptions) -> Exploration {
        Exploration {
            finding: Finding::Unknown(reason),
            statistics: ExploreStatistics::default(),
            method: ExploreMethod::chosen_by(options),
            templates: Vec::new(),
            tree: CompactTree::default(),
            coverage: Vec::new(),
        }
    }
}

/// Explores a program from its queries. Rules with calls are followed with what is still to be derived
/// [on a stack](crate::rules::Stacked), whose growth templates describe as that of any array: runs are those of the rules as they are, trees and
/// templates are about the stack, too.
///
/// Runs on a thread of its own with its own Z3 context. The same program and options give the same exploration, but for times
/// and what a limit of time cuts off.
pub fn explore(program: &Program, options: &ExploreOptions) -> Exploration {
    if let Err(problem) = program.validate() {
        return Exploration::nothing_found(StopReason::Malformed(problem.to_string()), options);
    }
    if program.has_calls() {
        return calls::explore_on_stack(program, options);
    }
    let run = || {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        with_interrupts(&budget, || attempts::explore_by_turns(program, options, &budget))
    };
    let reason = match on_deep_stack(run) {
        Ok(exploration) => return exploration,
        Err(Failure::Stopped) => StopReason::Internal("the exploration stopped unexpectedly".to_string()),
        Err(Failure::NotStarted(error)) => StopReason::NoThread(error.to_string()),
    };
    Exploration::nothing_found(reason, options)
}
