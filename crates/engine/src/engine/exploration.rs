//! The exploration tree of a search, as text that outlives it.

use super::annotation::Mark;
use super::frontier::Frontier;
use super::kernel::Kernel;
use super::memo::Memo;
use super::state::{State, Status};
use super::tree::{self, Ending, ExplorationTree, MarkedConstraint, TreeNode};
use crate::steps::elimination::flatten;
use crate::steps::equalities::join_halves;
use crate::terms::{TermId, Terms};

/// The tree as it is now.
pub(super) fn tree_of(kernel: &mut Kernel, frontier: &Frontier, memo: &Memo) -> ExplorationTree {
    let states = frontier.states().iter();
    let nodes = states.map(|state| node_of(kernel, frontier, memo, state)).collect();
    ExplorationTree { nodes }
}

fn node_of(kernel: &mut Kernel, frontier: &Frontier, memo: &Memo, state: &State) -> TreeNode {
    let program = kernel.program;
    let rule = state
        .origin
        .map(|(_, id)| program.rule(kernel.transitions.get(id).rule));
    let added = added_by_rule(kernel, frontier, state);
    let interpolant = match state.status {
        Status::Closed(entry) => {
            let formulas = memo.entry(entry).requirement.formulas();
            let formulas = join_halves(&mut kernel.terms, &formulas);
            Some(kernel.terms.conjunction_text(&formulas))
        }
        _ => None,
    };
    TreeNode {
        parent: state.origin.map(|(parent, _)| parent.index()),
        goal: goal_text(kernel, state),
        predicate: program.predicate_label(state.predicate),
        rule: rule.map_or_else(String::new, |rule| program.rule_text(rule)),
        line: rule.and_then(|rule| rule.location).map(|location| location.line),
        added: added
            .iter()
            .map(|formula| kernel.terms.display(*formula).to_string())
            .collect(),
        header: state.origin.and_then(|_| marked_constraints(&kernel.terms, state)),
        ending: ending(state.status),
        interpolant,
    }
}

/// The goal with its arguments. A state without a store of its own has no arguments to show.
fn goal_text(kernel: &Kernel, state: &State) -> String {
    let predicate = kernel.program.predicate(state.predicate);
    let arguments = match state.annotation {
        Some(_) => &predicate.parameters,
        None => &state.incoming.arguments,
    };
    let arguments = arguments.iter().map(|term| kernel.terms.display(*term).to_string());
    let parts: Vec<String> = predicate.point.clone().into_iter().chain(arguments).collect();
    if parts.is_empty() || is_unreached(state.status) {
        kernel.program.predicate_label(state.predicate)
    } else {
        format!("{}({})", predicate.name, parts.join(", "))
    }
}

fn is_unreached(status: Status) -> bool {
    matches!(status, Status::Infeasible | Status::Error | Status::SpuriousError)
}

/// The constraints that the last rule added to the store.
fn added_by_rule(kernel: &mut Kernel, frontier: &Frontier, state: &State) -> Vec<TermId> {
    let Some((source, transition)) = state.origin else {
        return Vec::new();
    };
    let store = frontier.outgoing(kernel.program, source);
    if is_unreached(state.status) {
        let substitution = kernel.instantiation(frontier.state(source).predicate, &store, transition);
        let guard = kernel.transitions.get(transition).guard.clone();
        let guard = kernel.terms.substitute_all(&guard, &substitution);
        return flatten(&kernel.terms, &guard);
    }
    let known = store.guards.len().min(state.incoming.guards.len());
    state.incoming.guards.iter().skip(known).copied().collect()
}

/// The candidates of a loop header with their marks, but for those that are forgotten.
fn marked_constraints(terms: &Terms, state: &State) -> Option<Vec<MarkedConstraint>> {
    let annotation = state.annotation.as_ref()?;
    let marked = (0..annotation.size()).filter_map(|position| {
        let mark = match annotation.mark(position)? {
            Mark::Max => tree::Mark::Max,
            Mark::Min => tree::Mark::Min,
            Mark::Neutral => tree::Mark::Neutral,
            Mark::Forgotten => return None,
        };
        Some(MarkedConstraint {
            constraint: terms.display(annotation.formula(position)).to_string(),
            mark,
        })
    });
    Some(marked.collect())
}

fn ending(status: Status) -> Ending {
    match status {
        Status::Closed(_) => Ending::Closed,
        Status::Infeasible => Ending::Infeasible,
        Status::Terminal => Ending::Terminal,
        Status::CoveredByAncestor(by) => Ending::CoveredByAncestor { by: by.index() },
        Status::CoveredByMemo(by) => Ending::CoveredByMemo { by: by.index() },
        Status::SpuriousError => Ending::SpuriousError,
        Status::Error => Ending::Error,
        Status::Open | Status::Abandoned => Ending::Abandoned,
    }
}
