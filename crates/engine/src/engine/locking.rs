//! What a cut learns of a spurious counterexample: rules for locking, asked one after another (seed 003, REFINEANDRESTART;
//! seed 004 on locking). A rule only says what is to be learnt; `annotation` changes the marks and `frontier` goes back.

use super::annotation::{Annotation, Lock};
use super::frontier::Frontier;
use super::ids::StateId;
use super::interpolation::{incoming_view, negations_that_follow, separate};
use super::kernel::Kernel;
use super::path::ErrorPath;
use crate::steps::{ControlVariables, StopReason};
use crate::terms::TermId;
use std::rc::Rc;

/// A path to the error that is unsatisfiable from the cut at position `conflict` with all its candidates restored, and
/// satisfiable from every cut before it.
pub(super) struct SpuriousPath {
    /// The path.
    pub path: ErrorPath,
    /// The cuts along it, the innermost first.
    pub cuts: Vec<StateId>,
    /// Where the conflict is.
    pub conflict: usize,
}

impl SpuriousPath {
    /// The cut in conflict.
    fn cut(&self) -> StateId {
        self.cuts[self.conflict]
    }

    /// The exact path from a cut to the error.
    fn suffix(&self, kernel: &mut Kernel, frontier: &Frontier, cut: StateId) -> Vec<TermId> {
        self.path.exact_from(kernel, frontier, cut).constraints
    }
}

/// A rule for locking.
pub(super) trait LockRule {
    /// The header that learns something of a spurious path, and what it learns; `None` if this rule has nothing new to say.
    fn learn(
        &self,
        kernel: &mut Kernel,
        frontier: &Frontier,
        spurious: &SpuriousPath,
    ) -> Result<Option<(StateId, Lock)>, StopReason> {
        let _ = (kernel, frontier, spurious);
        Ok(None)
    }

    /// Locks candidates of a header that was just made because of what its looping parent had to lock.
    fn lock_at_unrolling(&self, kernel: &Kernel, parent: &Annotation, header: StateId, frontier: &mut Frontier) {
        let _ = (kernel, parent, header, frontier);
    }
}

/// At a loop that was unrolled already, locking what the store happens to say would only unroll it again. So what the
/// property asks for is offered as a candidate first: formulas that exclude the path and follow from the store. The seeds
/// have no such step.
pub(super) struct Widening {
    /// What is about control variables alone need not be offered before something is locked: they have finitely many values.
    pub control: Rc<ControlVariables>,
}

impl LockRule for Widening {
    fn learn(
        &self,
        kernel: &mut Kernel,
        frontier: &Frontier,
        spurious: &SpuriousPath,
    ) -> Result<Option<(StateId, Lock)>, StopReason> {
        let cut = spurious.cut();
        let predicate = frontier.state(cut).predicate;
        let is_unrolling = frontier.looping_parents(predicate).iter().any(|parent| *parent < cut);
        if !is_unrolling {
            return Ok(None);
        }
        let suffix = spurious.suffix(kernel, frontier, cut);
        let view = incoming_view(kernel, frontier, cut);
        // Where no interpolant is found, the next rule may still find something to lock.
        let mut formulas = separate(kernel, &view, &suffix)
            .into_iter()
            .flatten()
            .collect::<Vec<TermId>>();
        formulas.extend(negations_that_follow(kernel, &view, &suffix));
        let control = self.control.of_loop(kernel.program, predicate);
        formulas.retain(|formula| {
            let variables = kernel.terms.variables(*formula);
            !variables.iter().all(|variable| control.contains(variable))
        });
        let Some(annotation) = frontier.annotation(cut) else {
            return Ok(None);
        };
        let is_new = formulas
            .iter()
            .any(|formula| annotation.is_new(&mut kernel.terms, *formula));
        Ok(is_new.then_some((cut, Lock::Offer(formulas))))
    }
}

/// Locks formulas that follow from the store and exclude the path (seed 003, REFINEANDRESTART, line 42).
pub(super) struct Interpolants;

impl LockRule for Interpolants {
    fn learn(
        &self,
        kernel: &mut Kernel,
        frontier: &Frontier,
        spurious: &SpuriousPath,
    ) -> Result<Option<(StateId, Lock)>, StopReason> {
        let cut = spurious.cut();
        let suffix = spurious.suffix(kernel, frontier, cut);
        let view = incoming_view(kernel, frontier, cut);
        let Some(interpolant) = separate(kernel, &view, &suffix) else {
            return Ok(None);
        };
        let locked = frontier.annotation(cut).map_or(&[][..], Annotation::locked);
        let is_new = interpolant.iter().any(|formula| !locked.contains(formula));
        Ok((cut != StateId::ROOT && is_new).then_some((cut, Lock::Formulas(interpolant))))
    }
}

/// Locks the candidates in a minimal core that were given up (seed 004). If none was, nothing that was given up at this cut
/// matters: the next cut inward forgot what its store knew, and learns that.
pub(super) struct Cores;

impl LockRule for Cores {
    fn learn(
        &self,
        kernel: &mut Kernel,
        frontier: &Frontier,
        spurious: &SpuriousPath,
    ) -> Result<Option<(StateId, Lock)>, StopReason> {
        let cut = spurious.cut();
        let path = spurious.suffix(kernel, frontier, cut);
        let preferred = frontier
            .annotation(cut)
            .map_or_else(Vec::new, Annotation::by_preference);
        let formulas = frontier
            .annotation(cut)
            .map_or_else(Vec::new, |annotation| annotation.formulas_at(&preferred));
        let Some(core) = kernel.solver.minimal_core(&kernel.terms, &path, &formulas) else {
            return Ok(None);
        };
        let core: Vec<usize> = core.into_iter().map(|index| preferred[index]).collect();
        let lockable = frontier
            .annotation(cut)
            .map_or_else(Vec::new, |annotation| annotation.lockable(&core));
        if !lockable.is_empty() {
            return Ok(Some((cut, Lock::Candidates(lockable))));
        }
        let Some(inner) = spurious.conflict.checked_sub(1).map(|position| spurious.cuts[position]) else {
            return Ok(None);
        };
        let suffix = spurious.suffix(kernel, frontier, inner);
        let view = incoming_view(kernel, frontier, inner);
        let lock = separate(kernel, &view, &suffix).map_or(Lock::WholeStore, Lock::Formulas);
        Ok(Some((inner, lock)))
    }
}

/// Locks at a new unrolling what it says about control variables of which its looping parent locked something. Without it
/// each unrolling runs into the same spurious error before it locks what its parent has locked. The seeds have no such step.
pub(super) struct ControlLocks {
    /// The control variables of each loop.
    pub control: Rc<ControlVariables>,
}

impl LockRule for ControlLocks {
    fn lock_at_unrolling(&self, kernel: &Kernel, parent: &Annotation, header: StateId, frontier: &mut Frontier) {
        let of_loop = self.control.of_loop(kernel.program, frontier.state(header).predicate);
        let locked = parent.max_formulas();
        let mut control = kernel.terms.variables_of_all(&locked);
        control.retain(|variable| of_loop.contains(variable));
        if let Some(annotation) = frontier.annotation_mut(header) {
            annotation.lock_neutral(|formula| match kernel.terms.variables(formula)[..] {
                [variable] => control.contains(&variable),
                _ => false,
            });
        }
    }
}
