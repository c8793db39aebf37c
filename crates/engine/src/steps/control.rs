//! Control variables: parameters to which a loop assigns nothing but constants and other control variables, such as the
//! state of a state machine.
//!
//! They have finitely many values in the loop, so the engine's locks about them cannot unroll it for ever. Two things follow. What a header
//! had to lock about one of them is locked in its unrollings from the beginning: each of these would otherwise run into the
//! same spurious error and start anew. And what a spurious path asks of them alone is not offered as a candidate before
//! something is locked (`engine/locking`), as other formulas are at unrolled loops. To relations each of their values is
//! something to say of a state (`relations/under_guards`). The seeds have no such steps.

use super::{Target, Transitions};
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::terms::{TermId, Terms};

/// Which parameters of which predicates are control variables of their loops.
pub(crate) struct ControlVariables {
    of_predicate: Vec<Vec<bool>>,
}

impl ControlVariables {
    /// Finds them: what is assigned something else is none, nor is what is assigned one that is none, nor what does not
    /// change at all.
    pub fn new(
        program: &Program,
        graph: &DependencyGraph,
        transitions: &Transitions,
        terms: &Terms,
    ) -> ControlVariables {
        let predicates = program.predicates();
        let marks = || {
            predicates
                .iter()
                .map(|predicate| vec![false; predicate.parameters.len()])
        };
        let (mut computed, mut assigned): (Vec<Vec<bool>>, Vec<Vec<bool>>) = (marks().collect(), marks().collect());
        let mut copies: Vec<((usize, usize), (usize, usize))> = Vec::new();
        for source in 0..predicates.len() {
            let from = PredicateId::from_index(source);
            for id in transitions.of(from) {
                let transition = transitions.get(*id);
                let Target::Goal(target) = transition.target else {
                    continue;
                };
                if !graph.same_loop(from, target) {
                    continue;
                }
                for (position, update) in transition.updates.iter().enumerate() {
                    let own = &program.predicate(from).parameters;
                    if let Some(copied) = own.iter().position(|parameter| parameter == update) {
                        copies.push(((source, copied), (target.index(), position)));
                    } else if is_constant(terms, *update) {
                        assigned[target.index()][position] = true;
                    } else {
                        computed[target.index()][position] = true;
                    }
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for ((source, copied), (target, position)) in &copies {
                for marks in [&mut computed, &mut assigned] {
                    changed |= marks[*source][*copied] && !marks[*target][*position];
                    marks[*target][*position] |= marks[*source][*copied];
                }
            }
        }
        let pairs = computed.into_iter().zip(assigned);
        let of_parameters = |(computed, assigned): (Vec<bool>, Vec<bool>)| {
            let pairs = computed.into_iter().zip(assigned);
            pairs.map(|(computed, assigned)| assigned && !computed).collect()
        };
        ControlVariables {
            of_predicate: pairs.map(of_parameters).collect(),
        }
    }

    /// Those of a loop.
    pub fn of_loop(&self, program: &Program, predicate: PredicateId) -> Vec<TermId> {
        let parameters = program.predicate(predicate).parameters.iter();
        let of_loop = parameters.zip(&self.of_predicate[predicate.index()]);
        of_loop
            .filter(|(_, control)| **control)
            .map(|(parameter, _)| *parameter)
            .collect()
    }
}

fn is_constant(terms: &Terms, term: TermId) -> bool {
    matches!(term, TermId::TRUE | TermId::FALSE) || terms.number_value(term).is_some()
}
