//! Counterexamples: real or spurious, and at which cut a spurious one went wrong (seed 003, Fig. 2, lines 3 to 7).
//!
//! From the error outward, one cut after another is opened: the candidates that were given up there are restored, and inside
//! it the derivation is exact. At the first cut where the path becomes unsatisfiable there is a conflict: `locking` says what
//! that cut learns. If the path is satisfiable all the way from the query, the error is real.

use super::annotation::{Annotation, Lock};
use super::frontier::Frontier;
use super::ids::StateId;
use super::kernel::Kernel;
use super::locking::{LockRule, SpuriousPath};
use super::path::ErrorPath;
use crate::evidence::Derivation;
use crate::solver::Answer;
use crate::steps::StopReason;
use crate::terms::TermId;

/// What an error that was reached turns out to be.
pub(super) enum Judgement {
    /// The program derives it.
    Real(Derivation),
    /// Only the abstraction does, and this header learns that.
    Spurious(StateId, Lock),
}

/// Whether an error that was reached is real, and if not, who learns what; the rules for locking are asked in their order.
pub(super) fn judge(
    kernel: &mut Kernel,
    frontier: &Frontier,
    locks: &[Box<dyn LockRule>],
    path: ErrorPath,
) -> Result<Judgement, StopReason> {
    if let Some(derivation) = path.concrete_run(kernel, frontier) {
        return Ok(Judgement::Real(derivation));
    }
    let cuts = path.cuts(kernel, frontier);
    let last = cuts.len() - 1;
    // Sizes of the part that is made exact: doubling keeps a long derivation of unrolled loops affordable.
    let (mut satisfiable, mut probe) = (None, 0);
    let conflict = loop {
        let answer = restored(kernel, frontier, cuts[probe], path);
        if answer == Answer::Unsatisfiable {
            break first_conflict(kernel, frontier, &cuts, satisfiable, probe, path);
        }
        if probe == last {
            return real_error(kernel, frontier, answer, path).map(Judgement::Real);
        }
        satisfiable = Some(probe);
        probe = (2 * probe + 1).min(last);
    };
    let spurious = SpuriousPath { path, cuts, conflict };
    for rule in locks {
        if let Some((header, lock)) = rule.learn(kernel, frontier, &spurious)? {
            return Ok(Judgement::Spurious(header, lock));
        }
    }
    Err(StopReason::SolverGaveUp(
        "explaining a spurious counterexample".to_string(),
    ))
}

/// Whether the error can be reached from a cut with all its candidates restored and everything after it exact.
fn restored(kernel: &mut Kernel, frontier: &Frontier, cut: StateId, path: ErrorPath) -> Answer {
    let path = path.exact_from(kernel, frontier, cut);
    if path.constraints.contains(&TermId::FALSE) {
        return Answer::Unsatisfiable;
    }
    let candidates = frontier.annotation(cut).map_or_else(Vec::new, Annotation::restored);
    // One formula: a solver takes a hundred thousand at once far more easily than one after another.
    let path = kernel.terms.and(&path.constraints);
    kernel.solver.check(&kernel.terms, &candidates, &[path])
}

/// The smallest position in `cuts` where the path is unsatisfiable, between one where it is not and one where it is.
fn first_conflict(
    kernel: &mut Kernel,
    frontier: &Frontier,
    cuts: &[StateId],
    satisfiable: Option<usize>,
    unsatisfiable: usize,
    path: ErrorPath,
) -> usize {
    let mut low = satisfiable.map_or(0, |position| position + 1);
    let mut high = unsatisfiable;
    while low < high {
        let middle = low + (high - low) / 2;
        if restored(kernel, frontier, cuts[middle], path) == Answer::Unsatisfiable {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

fn real_error(
    kernel: &mut Kernel,
    frontier: &Frontier,
    answer: Answer,
    path: ErrorPath,
) -> Result<Derivation, StopReason> {
    let path = path.exact_from(kernel, frontier, StateId::ROOT);
    let variables = kernel.terms.variables_of_all(&path.constraints);
    let model = match answer {
        Answer::Satisfiable => {
            let whole = kernel.terms.and(&path.constraints);
            kernel.solver.check_model(&kernel.terms, &[], &[whole], &variables).1
        }
        Answer::Unsatisfiable | Answer::Unknown => None,
    };
    let derivation = model.and_then(|model| path.derivation(kernel, &model));
    derivation.ok_or_else(|| {
        kernel.budget.interruption().unwrap_or_else(|| {
            let what = "finding exact values for a possible counterexample";
            StopReason::SolverGaveUp(what.to_string())
        })
    })
}
