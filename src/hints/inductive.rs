//! Which hints hold together by induction over one step, and what they make of the rules.

use super::{Hint, Standing};
use crate::rules::{Atom, PredicateId, Program, RuleId};
use crate::solver::{Answer, LayeredSolver};
use crate::terms::{Substitution, TermId};

/// The largest part of the hints that every rule keeps: what they say of a head and the rule's constraint imply what they say of
/// its body. A question that the solver leaves open counts against the hint.
pub(super) fn inductive(
    program: &mut Program,
    hints: &[Hint],
    resources: u32,
    interrupted: &dyn Fn() -> bool,
) -> Vec<Standing> {
    let mut is_kept = vec![true; hints.len()];
    let mut solver = LayeredSolver::new(resources);
    loop {
        let before = is_kept.clone();
        for index in 0..program.rules().len() {
            let rule = program.rule(RuleId::from_index(index)).clone();
            if !rule.body.iter().any(|atom| speaks_of(hints, &is_kept, atom.predicate)) {
                continue;
            }
            let mut store = rule.constraint.clone();
            store.extend(
                instances(program, hints, &is_kept, &rule.head)
                    .into_iter()
                    .map(|(_, formula)| formula),
            );
            for atom in &rule.body {
                for (hint, formula) in instances(program, hints, &is_kept, atom) {
                    let negation = program.terms.not(formula);
                    is_kept[hint] = solver.check(&program.terms, &store, &[negation]) == Answer::Unsatisfiable;
                }
            }
            if interrupted() {
                return vec![Standing::NotInductive; hints.len()];
            }
        }
        if is_kept == before {
            break;
        }
    }
    let standing = |kept: bool| if kept { Standing::Lemma } else { Standing::NotInductive };
    is_kept.into_iter().map(standing).collect()
}

fn speaks_of(hints: &[Hint], is_kept: &[bool], predicate: PredicateId) -> bool {
    let kept = hints.iter().zip(is_kept).filter(|(_, kept)| **kept);
    kept.into_iter().any(|(hint, _)| hint.predicate == predicate)
}

/// What the hints that are left say of an atom, each with its position among the hints.
fn instances(program: &mut Program, hints: &[Hint], is_kept: &[bool], atom: &Atom) -> Vec<(usize, TermId)> {
    let parameters = program.predicate(atom.predicate).parameters.clone();
    let substitution = Substitution::of(&program.terms, &parameters, &atom.arguments);
    let of_atom = hints.iter().enumerate();
    let of_atom = of_atom.filter(|(index, hint)| is_kept[*index] && hint.predicate == atom.predicate);
    of_atom
        .map(|(index, hint)| (index, program.terms.substitute(hint.formula, &substitution)))
        .collect()
}

/// The program with what the lemmas say of its head in each rule. Rules and predicates keep their ids, derivations stay derivations.
pub(super) fn strengthened(program: &Program, lemmas: &[&Hint]) -> Program {
    let mut strengthened = program.without_rules();
    for rule in program.rules() {
        let mut rule = rule.clone();
        let parameters = &program.predicate(rule.head.predicate).parameters;
        let substitution = Substitution::of(&program.terms, parameters, &rule.head.arguments);
        for lemma in lemmas.iter().filter(|lemma| lemma.predicate == rule.head.predicate) {
            let known = strengthened.terms.substitute(lemma.formula, &substitution);
            let new = strengthened.terms.conjuncts(known);
            let new: Vec<TermId> = new.into_iter().filter(|part| !rule.constraint.contains(part)).collect();
            rule.constraint.extend(new);
        }
        strengthened.add_rule(rule);
    }
    strengthened
}
