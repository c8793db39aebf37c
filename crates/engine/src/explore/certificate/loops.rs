//! The states within a loop that a template was used for: along each core back to where it began, with κ one greater, along each way
//! out to a node of the tree, and the states between.

use super::values::{Renaming, Used};
use super::{Entry, Writer};
use crate::evidence::Successors;
use crate::explore::search::Edge;
use crate::explore::state::{Location, State, subscript};
use crate::explore::summaries::Summary;
use crate::explore::template::{Renewed, Template, inside};
use crate::steps::TransitionId;
use crate::terms::{SortId, Substitution, TermId};

/// A path through a loop, and what is at its end.
struct Path<'p> {
    edges: &'p [TransitionId],
    end: PathEnd,
}

#[derive(Clone, Copy)]
enum PathEnd {
    /// One more iteration of a phase, along one of its cores.
    Again(usize, usize),
    /// A way out, to a node.
    Exit(usize),
}

/// A loop that a template was used for.
struct Loop<'u> {
    used: Used<'u>,
    /// The state after whole iterations.
    state: usize,
}

impl Writer<'_, '_> {
    /// The states within a loop that a template was used for.
    pub fn write_loop(&mut self, node: usize, at: usize, template: &Template, entered: &Renewed) -> Result<(), String> {
        let (after, arrays) = inside(&mut self.search.context, entered, template);
        let state = self.write_state(&after)?;
        let used = Used {
            template,
            entered,
            arrays,
        };
        let before = self.search.nodes[node].state.memory.clone();
        let values = used.not_yet(self.terms(), &before)?;
        self.states[at].successors = Successors::Within(self.inclusion(at, state, &values));
        let mut paths: Vec<Path> = Vec::new();
        for (phase, of_phase) in template.phases.iter().enumerate() {
            for (core, edges) in of_phase.cores.iter().enumerate() {
                let end = PathEnd::Again(phase, core);
                paths.push(Path { edges, end });
            }
        }
        for child in self.children.get(&node).cloned().unwrap_or_default() {
            let Edge::Template(_, way, _) = &self.search.nodes[child].edge else {
                return Err("a loop is left by other than its ways out".to_string());
            };
            let exit = template.exits.get(*way).ok_or("a way out is missing")?;
            paths.push(Path {
                edges: &exit.path,
                end: PathEnd::Exit(child),
            });
        }
        let paths: Vec<&Path> = paths.iter().collect();
        let within = Loop { used, state };
        self.write_paths(&within, state, &after, &paths, &mut Vec::new())
    }

    /// The steps from a state within a loop, after so many edges of some paths, and the states behind them. As deep as paths are long.
    fn write_paths(
        &mut self,
        within: &Loop,
        at: usize,
        state: &State,
        paths: &[&Path],
        taken: &mut Vec<Renaming>,
    ) -> Result<(), String> {
        let depth = taken.len();
        let mut edges: Vec<TransitionId> = Vec::new();
        for path in paths {
            let edge = path.edges.get(depth).ok_or("a path begins with another")?;
            if !edges.contains(edge) {
                edges.push(*edge);
            }
        }
        let mut steps: Vec<(TransitionId, Entry)> = Vec::new();
        for edge in &edges {
            let edge = *edge;
            let (next, symbols) = self.search.context.step(state, edge);
            if next.condition.facts.contains(&TermId::FALSE) {
                continue;
            }
            let along = paths.iter().copied().filter(|path| path.edges[depth] == edge);
            let (ending, longer): (Vec<&Path>, Vec<&Path>) = along.partition(|path| path.edges.len() == depth + 1);
            let locals: Renaming = symbols.iter().map(|(local, symbol)| (*symbol, *local)).collect();
            let mut own = Substitution::new();
            for (symbol, local) in &locals {
                own.insert(self.terms(), *symbol, *local);
            }
            for path in ending {
                let (target, values) = match path.end {
                    PathEnd::Again(phase, core) => {
                        let after = self.terms().substitute_all(&next.memory, &own);
                        let values = within.used.once_more(self.terms(), (phase, core), &after, taken)?;
                        (within.state, values)
                    }
                    PathEnd::Exit(child) => {
                        let Some(target) = self.of_node.get(&child).copied() else {
                            continue;
                        };
                        let Edge::Template(_, _, application) = &self.search.nodes[child].edge else {
                            return Err("a loop is left by other than its ways out".to_string());
                        };
                        (target, within.used.left(application, taken)?)
                    }
                };
                steps.push((edge, (target, values)));
            }
            if !longer.is_empty() {
                let between = self.write_state(&next)?;
                steps.push((edge, (between, locals)));
                taken.push(symbols);
                let written = self.write_paths(within, between, &next, &longer, taken);
                taken.pop();
                written?;
            }
        }
        let summaries = &self.search.context.summaries;
        let through: Vec<TransitionId> = edges
            .iter()
            .copied()
            .filter(|edge| summaries.contains_key(edge))
            .collect();
        if through.len() == edges.len() {
            return self.write_inner(at, state, &through, &steps);
        }
        if !through.is_empty() {
            return Err("an inner loop is gone through in one step and in many".to_string());
        }
        let steps = steps.iter().map(|(edge, entry)| self.step(*edge, at, entry));
        self.states[at].successors = Successors::Steps(steps.collect());
        Ok(())
    }

    /// The states within an inner loop that is a single step of an outer one: after κ iterations, of which there are no more than
    /// are determined. None of its edges has variables of its own.
    fn write_inner(
        &mut self,
        at: usize,
        state: &State,
        through: &[TransitionId],
        steps: &[(TransitionId, Entry)],
    ) -> Result<(), String> {
        let context = &mut self.search.context;
        let summaries: Vec<Summary> = through
            .iter()
            .filter_map(|edge| context.summaries.get(edge).cloned())
            .collect();
        let (Some(first), Location::Predicate(predicate)) = (summaries.first(), state.location) else {
            return Ok(());
        };
        let mut inner = state.clone();
        let number = u32::try_from(inner.counters.len() + 1).unwrap_or(u32::MAX);
        let name = format!("κ{}", subscript(number));
        let counter = context.terms.fresh_variable(&name, SortId::INT);
        let zero = context.terms.integer(0);
        let parameters = context.parameters(predicate);
        let mut here = Substitution::of(&context.terms, parameters, &state.memory);
        let count = context.terms.substitute(first.count, &here);
        here.insert(&context.terms, first.counter, counter);
        inner.memory = context.terms.substitute_all(&first.memory, &here);
        for bound in [
            context.terms.less_or_equal(zero, counter),
            context.terms.less_or_equal(counter, count),
        ] {
            context.assume(&mut inner.condition, bound);
        }
        let one = context.terms.integer(1);
        let counted = context.terms.add(counter, one);
        let within = self.write_state(&inner)?;
        self.states[at].successors = Successors::Within(self.inclusion(at, within, &vec![(counter, zero)]));
        let mut paths: Vec<(&[TransitionId], Vec<&Entry>)> = Vec::new();
        let again: Entry = (within, vec![(counter, counted)]);
        paths.push((&first.core, vec![&again]));
        for (edge, summary) in through.iter().zip(&summaries) {
            let entries = steps.iter().filter(|(other, _)| other == edge).map(|(_, entry)| entry);
            paths.push((&summary.path, entries.collect()));
        }
        self.write_inner_paths(within, &inner, &paths, 0)
    }

    /// The steps from a state within an inner loop, after so many edges of some paths, and the states behind them.
    fn write_inner_paths(
        &mut self,
        at: usize,
        state: &State,
        paths: &[(&[TransitionId], Vec<&Entry>)],
        depth: usize,
    ) -> Result<(), String> {
        let mut edges: Vec<TransitionId> = Vec::new();
        for (path, _) in paths {
            let edge = path.get(depth).ok_or("a path begins with another")?;
            if !edges.contains(edge) {
                edges.push(*edge);
            }
        }
        let mut steps = Vec::new();
        for edge in edges {
            let (next, _) = self.search.context.step(state, edge);
            if next.condition.facts.contains(&TermId::FALSE) {
                continue;
            }
            let along = paths.iter().filter(|(path, _)| path[depth] == edge).cloned();
            let (ending, longer): (Vec<_>, Vec<_>) = along.partition(|(path, _)| path.len() == depth + 1);
            for entry in ending.iter().flat_map(|(_, entries)| entries) {
                steps.push(self.step(edge, at, entry));
            }
            if !longer.is_empty() {
                let between = self.write_state(&next)?;
                steps.push(self.step(edge, at, &(between, Vec::new())));
                self.write_inner_paths(between, &next, &longer, depth + 1)?;
            }
        }
        self.states[at].successors = Successors::Steps(steps);
        Ok(())
    }
}
