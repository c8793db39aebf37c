//! Whether a cube is blocked: a level is enough for it if no implication concludes a state in it from what is believed one level
//! below, *where the cube itself has not been reached before*. The denial of the cube need only be inductive relative to what is
//! believed (as in IC3).

use super::guards::guarded;
use super::kernel::{GaveUp, Kernel, Known, entries_below};
use super::system::NodeId;
use crate::solver::Answer;
use crate::terms::TermId;

/// If the cube is blocked at the level: the literals that were needed for it.
pub(super) fn blocked(
    kernel: &mut Kernel,
    node: NodeId,
    cube: &[TermId],
    level: usize,
) -> Result<Option<Vec<TermId>>, GaveUp> {
    Ok(match sample(kernel, node, cube, level)? {
        Blocked::Yes(core) => Some(core),
        Blocked::No { .. } | Blocked::Unknown => None,
    })
}

/// Whether a cube is.
pub(super) enum Blocked {
    /// It is; these literals suffice.
    Yes(Vec<TermId>),
    /// This implication concludes a state in it.
    No { clause: usize },
    /// It would take too long to find out.
    Unknown,
}

/// Asks all implications that conclude states of the node whether they conclude one in the cube.
pub(super) fn sample(kernel: &mut Kernel, node: NodeId, cube: &[TermId], level: usize) -> Result<Blocked, GaveUp> {
    let denial = kernel.denial(cube);
    let mut needed = vec![false; cube.len()];
    let clauses = kernel.system.nodes[node.0].clauses.clone();
    for clause in clauses {
        let premises = kernel.system.clauses[clause].premises.len();
        if level == 0 && premises > 0 {
            continue;
        }
        let mut extra = kernel.concluded(clause, cube);
        let concluded = extra.len();
        let mut is_unchanged = false;
        for premise in 0..premises {
            if kernel.system.clauses[clause].premises[premise].node == node {
                let instance = &kernel.system.clauses[clause].premises[premise].instance;
                is_unchanged |= kernel.terms.substitute_all(cube, instance) == extra[..concluded];
                let not_before = kernel.terms.substitute(denial, instance);
                extra.push(not_before);
            }
        }
        // Nor does it change any part of the cube, so that this is true of what is needed of it, too.
        if is_unchanged {
            continue;
        }
        let known = vec![Known::Entries(entries_below(level)); premises];
        match kernel.try_to_ask(clause, &known, &extra) {
            Answer::Unsatisfiable => {}
            Answer::Satisfiable => return Ok(Blocked::No { clause }),
            Answer::Unknown => return Ok(Blocked::Unknown),
        }
        for position in kernel.core(clause, cube.len()) {
            needed[position] = true;
        }
    }
    let kept = cube.iter().zip(&needed).filter(|(_, needed)| **needed);
    let core: Vec<TermId> = kept.map(|(literal, _)| *literal).collect();
    let core = guarded(&kernel.terms, cube, core);
    // The denial of fewer literals says less of the premises, so the core has to be asked about for itself.
    if core.len() == cube.len() {
        return Ok(Blocked::Yes(core));
    }
    match sample(kernel, node, &core, level)? {
        Blocked::Yes(core) => Ok(Blocked::Yes(core)),
        Blocked::No { .. } | Blocked::Unknown => Ok(Blocked::Yes(cube.to_vec())),
    }
}
