//! Coverage: runs that together go along every edge of a tree, for a suite of tests.
//!
//! A test should run to its end, so a run that is to go along an edge is taken to a leaf below it if that is possible. Of a
//! template, every core is to be gone along: in the first iteration, in the last one, or in any. Where no way out of a template
//! is known to be possible, as in a loop without end, a run may end in the middle of a core.

use super::run::run_to;
use super::search::{Edge, Ending, Node, Search};
use super::solve::Satisfiability;
use super::state::{Location, Quantified};
use super::template::{Template, enter, exit_along, leave};
use crate::evidence::Derivation;
use crate::terms::{SortId, TermId};
use std::rc::Rc;

/// What a run is to go along: rules, and what has to hold beside the condition of a state, the easier choice first.
struct Wanted {
    rules: Vec<usize>,
    choices: Vec<Vec<TermId>>,
}

/// The runs that were found, and which rules they apply.
struct Covering {
    covered: Vec<bool>,
    runs: Vec<Derivation>,
}

impl Covering {
    /// Keeps a run if it applies a rule that no other does.
    fn keep_run(&mut self, run: Option<Derivation>) {
        let Some(run) = run else { return };
        let new = run.steps.iter().any(|step| !self.covered[step.rule.index()]);
        for step in &run.steps {
            self.covered[step.rule.index()] = true;
        }
        if new {
            self.runs.push(run);
        }
    }
}

impl Search<'_> {
    /// Runs that together apply every rule on the tree's edges.
    pub fn coverage(&mut self) -> Vec<Derivation> {
        let mut covering = Covering {
            covered: vec![false; self.context.program.rules().len()],
            runs: Vec::new(),
        };
        self.along_edges(&mut covering);
        self.along_cores(&mut covering);
        covering.runs
    }

    /// Runs along the edges of the tree.
    fn along_edges(&mut self, covering: &mut Covering) {
        let leaves = self.leaves_below();
        for (position, leaf) in leaves.into_iter().enumerate() {
            if matches!(self.nodes[position].ending, Ending::Failed) {
                continue;
            }
            for wanted in self.wanted(position) {
                if wanted.rules.iter().all(|rule| covering.covered[*rule]) {
                    continue;
                }
                if self.context.budget.interruption().is_some() {
                    return;
                }
                let leaf = leaf.filter(|leaf| *leaf != position);
                let ends = leaf.into_iter().chain([position]);
                let ends = ends.flat_map(|end| wanted.choices.iter().map(move |choice| (end, choice)));
                let mut found = None;
                for (end, choice) in ends {
                    found = self.run_along(end, choice);
                    if found.is_some() {
                        break;
                    }
                }
                covering.keep_run(found);
            }
        }
    }

    /// Runs that end in a core, one more iteration after those that the core's template counts.
    fn along_cores(&mut self, covering: &mut Covering) {
        for position in 0..self.nodes.len() {
            let node = &self.nodes[position];
            let Location::Predicate(predicate) = node.state.location else {
                continue;
            };
            let is_expanded = matches!(node.ending, Ending::Expanded | Ending::Endless);
            let state = node.state.clone();
            let template = match is_expanded && self.context.budget.interruption().is_none() {
                true => self.choose(position, predicate, &state),
                false => None,
            };
            let Some(template) = template else { continue };
            for core in template.cores() {
                for length in (1..=core.len()).rev() {
                    let rule = self.context.transition(core[length - 1]).rule.index();
                    if covering.covered[rule] || self.context.budget.interruption().is_some() {
                        continue;
                    }
                    let path = core[..length].to_vec();
                    let exit = exit_along(&mut self.context, template.entry, path, &template.memory);
                    let Some(exit) = exit else { continue };
                    let template = Template {
                        exits: vec![exit],
                        ..(*template).clone()
                    };
                    let entered = enter(&mut self.context, &state, &template);
                    let (state, application) = leave(&mut self.context, &entered, &template.exits[0]);
                    // It is a node for as long as it takes to find the run.
                    self.nodes.push(Node {
                        parent: Some(position),
                        edge: Edge::Template(Rc::new(template), 0, application),
                        state,
                        ending: Ending::Waiting,
                    });
                    let found = self.run_along(self.nodes.len() - 1, &[]);
                    self.nodes.pop();
                    covering.keep_run(found);
                }
            }
        }
    }

    /// For each node the first leaf below it at which a run is over.
    fn leaves_below(&self) -> Vec<Option<usize>> {
        let mut leaves = vec![None; self.nodes.len()];
        // Children come after their parents.
        for (position, node) in self.nodes.iter().enumerate().rev() {
            if matches!(node.ending, Ending::End | Ending::Error) {
                leaves[position] = Some(position);
            }
            if let (Some(parent), Some(leaf)) = (node.parent, leaves[position]) {
                leaves[parent] = Some(leaf);
            }
        }
        leaves
    }

    /// What is to be gone along from a node's parent to it.
    fn wanted(&mut self, position: usize) -> Vec<Wanted> {
        let rule = |search: &Search, step| search.context.transitions.get(step).rule.index();
        match self.nodes[position].edge.clone() {
            Edge::Root | Edge::Fixed => Vec::new(),
            Edge::Step(step, _) => vec![Wanted {
                rules: vec![rule(self, step)],
                choices: vec![Vec::new()],
            }],
            Edge::Template(template, way, application) => {
                let mut wanted = Vec::new();
                let (zero, one) = (self.context.terms.integer(0), self.context.terms.integer(1));
                let mut total = zero;
                for (phase, applied) in template.phases.iter().zip(&application.phases) {
                    let terms = &mut self.context.terms;
                    total = terms.add(total, applied.counter);
                    let some = terms.less_or_equal(one, applied.counter);
                    let last = terms.subtract(applied.counter, one);
                    for (number, core) in phase.cores.iter().enumerate() {
                        let rules = core.iter().map(|step| rule(self, *step)).collect();
                        let mut choices = Vec::new();
                        let terms = &mut self.context.terms;
                        match applied.choice {
                            None => choices.push(vec![some]),
                            Some(choice) => {
                                let any = terms.fresh_variable("τ", SortId::INT);
                                let (from, to) = (terms.less_or_equal(zero, any), terms.less(any, applied.counter));
                                let number = terms.integer(number as u64);
                                for (iteration, inside) in
                                    [(zero, vec![some]), (last, vec![some]), (any, vec![from, to])]
                                {
                                    let taken = terms.select(choice, iteration);
                                    let this = terms.equal(taken, number);
                                    choices.push(inside.into_iter().chain([this]).collect());
                                }
                            }
                        }
                        wanted.push(Wanted { rules, choices });
                    }
                }
                let some = self.context.terms.less_or_equal(one, total);
                let exit = template.exits.get(way).map_or(&[][..], |exit| &exit.path);
                // A run that goes round a loop shows more than one that does not.
                wanted.push(Wanted {
                    rules: exit.iter().map(|step| rule(self, *step)).collect(),
                    choices: vec![vec![some], Vec::new()],
                });
                wanted
            }
        }
    }

    /// A run to a node on which something holds beside.
    fn run_along(&mut self, node: usize, beside: &[TermId]) -> Option<Derivation> {
        let state = self.nodes[node].state.clone();
        let mut facts: Vec<TermId> = state.condition.facts.iter().copied().collect();
        facts.extend_from_slice(beside);
        let residual: Vec<Quantified> = state.condition.residual.iter().cloned().collect();
        let counters: Vec<TermId> = state.counters.iter().copied().collect();
        match self.context.solution(&facts, &residual, &counters) {
            Satisfiability::Satisfiable(Some(model)) => run_to(&self.context, &self.nodes, node, &model),
            _ => None,
        }
    }
}
