//! Rules as the paths through them: a rule for each [transition](super::transition), its equations solved and its disjunctions decided.
//!
//! Whoever runs rules on random inputs would have to guess how a formula is satisfied: `~G ; A = B`, with `G` said elsewhere, is satisfied by
//! no two arrays that are chosen at random. Along a path it says that one of the arrays is the other.

use super::transition::{Target, Transitions};
use crate::rules::{Atom, PredicateId, Program, Rule};

/// The program whose rules are the paths through the rules of this one, none of which has calls.
pub(crate) fn along_paths(program: &Program) -> Program {
    let mut paths = program.without_rules();
    let mut terms = program.terms.clone();
    let transitions = Transitions::new(program, &mut terms);
    paths.terms = terms;
    for (index, predicate) in program.predicates().iter().enumerate() {
        let head = PredicateId::from_index(index);
        for id in transitions.of(head) {
            let transition = transitions.get(*id);
            let rule = program.rule(transition.rule);
            let target = match transition.target {
                Target::Goal(target) => Some(target),
                Target::Error => Some(PredicateId::ERROR),
                Target::End => None,
            };
            let body = target.map(|predicate| Atom {
                predicate,
                arguments: transition.updates.clone(),
            });
            paths.add_rule(Rule {
                head: Atom {
                    predicate: head,
                    arguments: predicate.parameters.clone(),
                },
                constraint: transition.guard.clone(),
                body: body.into_iter().collect(),
                location: rule.location,
            });
        }
    }
    paths
}
