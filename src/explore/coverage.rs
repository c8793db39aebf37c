//! Coverage: runs that together go along every edge of a tree, for a suite of tests.

use super::run::run_to;
use super::search::{Edge, Ending, Search};
use super::solve::Satisfiability;
use crate::engine::transition::TransitionId;
use crate::evidence::Derivation;
use crate::terms::TermId;

impl Search<'_> {
    /// Runs that together apply every rule on the tree's edges.
    pub fn coverage(&mut self) -> Vec<Derivation> {
        let mut covered = vec![false; self.context.program.rules().len()];
        let mut runs = Vec::new();
        for position in 0..self.nodes.len() {
            let node = &self.nodes[position];
            let steps = match &node.edge {
                Edge::Root | Edge::Fixed => continue,
                Edge::Step(step, _) => vec![*step],
                Edge::Template(template, way, _) => {
                    let exit = template.exits.get(*way).map_or(&[][..], |exit| &exit.path);
                    template.cores.iter().flatten().chain(exit).copied().collect()
                }
            };
            let rule_of = |step: &TransitionId| self.context.transitions.get(*step).rule.index();
            let decided = !matches!(node.ending, Ending::Failed);
            if !decided || steps.iter().all(|step| covered[rule_of(step)]) {
                continue;
            }
            let state = node.state.clone();
            let mut facts: Vec<TermId> = state.condition.facts.iter().copied().collect();
            let residual: Vec<_> = state.condition.residual.iter().cloned().collect();
            let counters: Vec<TermId> = state.counters.iter().copied().collect();
            // A run that goes round a loop shows more than one that does not.
            let mut answer = Satisfiability::Unknown;
            if let (Edge::Template(..), Some(last)) = (&self.nodes[position].edge, counters.last()) {
                let one = self.context.terms.integer(1);
                facts.push(self.context.terms.less_or_equal(one, *last));
                answer = self.context.solution(&facts, &residual, &counters);
                facts.pop();
            }
            if !matches!(answer, Satisfiability::Satisfiable(Some(_))) {
                answer = self.context.solution(&facts, &residual, &counters);
            }
            let Satisfiability::Satisfiable(Some(model)) = answer else {
                continue;
            };
            let Some(run) = run_to(&self.context, &self.nodes, position, &model) else {
                continue;
            };
            let new = run.steps.iter().any(|step| !covered[step.rule.index()]);
            for step in &run.steps {
                covered[step.rule.index()] = true;
            }
            if new {
                runs.push(run);
            }
        }
        runs
    }
}
