//! Counterexamples among small values: relations that compute something are run as programs on all small inputs, from smaller ones to larger ones.
//!
//! What a relation calculates is read off its implications ([`super::extraction`]) and not proved: what is found is a derivation, which is replayed.

use super::extraction::{Mode, Wanted};
use super::prover::Prover;
use super::theory::{components, is_goal};
use super::ways::{faults, ways};
use crate::engine::StopReason;
use crate::evidence::Derivation;
use crate::relations::{Calculation, Given, MATCHES, System};
use crate::terms::Terms;

/// Inputs have so many constructors and numbers at most, and so many at first.
const SIZES: usize = 14;

/// A derivation of the error within so many units of work.
pub(super) fn refuted(prover: &mut Prover<'_>, system: &System, most: u64) -> Result<Option<Derivation>, StopReason> {
    let given = given(&prover.terms, system);
    let terms = prover.terms.clone();
    let before = prover.work;
    let mut reason = None;
    let mut stop = |tried: u64| {
        let done = tried / MATCHES;
        prover.work = before + done;
        reason = prover.poll().err();
        reason.is_some() || done > most
    };
    let mut calculation = Calculation::new(&terms, system, given, &mut stop);
    let mut found = None;
    for size in 1..=SIZES {
        found = calculation.error(size);
        if found.is_some() || calculation.is_stopped() {
            break;
        }
    }
    match reason {
        Some(reason) => Err(reason),
        None => Ok(found),
    }
}

/// What each relation is given where it calculates something, as far as its implications show that.
fn given(terms: &Terms, system: &System) -> Vec<Option<Given>> {
    // What is declared here is looked at only.
    let mut terms = terms.clone();
    let mut modes: Vec<Option<Mode>> = vec![None; system.nodes.len()];
    for nodes in components(system) {
        if nodes.iter().any(|node| is_goal(system, *node)) {
            continue;
        }
        let mut all = ways(system, &nodes);
        all.push(vec![Wanted::Holds; nodes.len()]);
        let scored = all.into_iter().filter_map(|wanted| {
            let faults = faults(&mut terms, system, &nodes, &wanted, &mut modes)?;
            // Whether something holds is asked where nothing is calculated.
            Some((wanted.contains(&Wanted::Holds), faults, wanted))
        });
        let best = scored.min_by_key(|(holds, faults, _)| (*holds, *faults));
        if let Some((_, _, wanted)) = best {
            faults(&mut terms, system, &nodes, &wanted, &mut modes);
        }
    }
    let given = |node: usize| {
        let calculated = match modes[node] {
            _ if is_goal(system, node) => None,
            Some(Mode::Output(output, _)) => Some(output),
            Some(Mode::Holds(_) | Mode::Different) => None,
            None => return None,
        };
        Some(Given::but(system.nodes[node].parameters.len(), calculated))
    };
    (0..system.nodes.len()).map(given).collect()
}
