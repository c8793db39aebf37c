//! What an invariant of composed rules makes of the predicates that were composed away.
//!
//! The entries of the places hold always, so whatever leads to one of the excluded states by the original rules is excluded, too:
//! backward from the places each cube between them is closed for good, with a reason as general as the search finds. Between
//! places there are no loops, so this ends.

use super::composition::Composition;
use super::kernel::{ALWAYS, GaveUp, Kernel};
use super::search::{Leading, Obligation, Search, Settled};
use super::system::NodeId;
use crate::engine::StopReason;
use crate::evidence::Certificate;
use crate::rules::Program;
use crate::terms::TermId;

/// Says why to stop, if there is a reason; given the number of obligations, the work, and the level.
type Stop<'a> = &'a dyn Fn(u64, u64, u64) -> Option<StopReason>;

/// The certificate for a program of which the composed rules have an invariant: formulas for each node of their kernel.
pub(super) fn completed(
    program: &Program,
    composition: &Composition,
    composed: Kernel,
    invariant: &[Vec<TermId>],
    (limit, stop): (u32, Stop<'_>),
) -> Result<Certificate, StopReason> {
    let mut original = program.clone();
    original.terms = composed.terms;
    let mut kernel = Kernel::new(&original, limit);
    kernel.ran = composed.ran;
    let mut excluded = vec![Obligation {
        node: kernel.system.error,
        cube: Vec::new(),
        depth: 0,
    }];
    for (node, formulas) in composed.system.nodes.iter().zip(invariant) {
        let same = kernel
            .system
            .nodes
            .iter()
            .position(|other| other.predicate == node.predicate);
        let Some(same) = same.map(NodeId) else {
            continue;
        };
        for formula in formulas {
            let negation = kernel.terms.not(*formula);
            let cube = kernel.terms.conjuncts(negation);
            kernel.learn(same, cube.clone(), ALWAYS);
            excluded.push(Obligation {
                node: same,
                cube,
                depth: 0,
            });
        }
    }
    let mut search = Search::new(kernel, stop);
    for obligation in excluded {
        loop {
            match search.leading(&obligation, ALWAYS) {
                Ok(Leading::Nothing(_)) => break,
                Ok(Leading::Premise(premise)) => close(&mut search, composition, premise)?,
                Ok(Leading::Fact(_)) | Err(GaveUp) => return Err(search.gave_up(obligation.node)),
            }
        }
    }
    let kernel = &search.kernel;
    let formulas = |node: NodeId| search.frame_invariant(node, ALWAYS);
    Ok(kernel.system.certificate(&kernel.terms, &formulas))
}

/// Closes what leads to a place, and all that leads to it.
fn close(search: &mut Search<'_>, composition: &Composition, obligation: Obligation) -> Result<(), StopReason> {
    let mut stack = vec![obligation];
    while let Some(obligation) = stack.last().cloned() {
        search.states += 1;
        if let Some(reason) = search.stopped() {
            return Err(reason);
        }
        let is_place = composition.is_place(search.kernel.system.nodes[obligation.node.0].predicate);
        match search.settle(&obligation, ALWAYS) {
            Ok(Settled::Closed(_)) => {
                stack.pop();
            }
            // A place excludes all that it has to already.
            Ok(Settled::Asks(premise)) if !is_place => stack.push(premise),
            Ok(Settled::Asks(_) | Settled::Reached(_)) | Err(GaveUp) => {
                return Err(search.gave_up(obligation.node));
            }
        }
    }
    Ok(())
}
