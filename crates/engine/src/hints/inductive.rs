//! Which hints hold together by induction over one step, and what they make of the rules.

use super::{Hint, Standing};
use crate::rules::{Atom, Program};
use crate::steps::StopReason;
use crate::steps::houdini::{Houdini, Implication, Occurrence};
use crate::terms::{Substitution, TermId};

/// The largest part of the hints that every rule keeps: what they say of a head and the rule's constraint imply what they say of
/// its body. A question that the solver leaves open counts against the hint.
pub(super) fn inductive(
    program: &mut Program,
    hints: &[Hint],
    resources: u32,
    interrupted: &dyn Fn() -> Option<StopReason>,
) -> Vec<Standing> {
    let mut implications = Vec::new();
    for rule in program.rules() {
        let occurrence = |atom: &Atom| Occurrence {
            relation: atom.predicate.index(),
            instance: Substitution::of(
                &program.terms,
                &program.predicate(atom.predicate).parameters,
                &atom.arguments,
            ),
        };
        let atoms = std::iter::once(&rule.head).chain(&rule.body);
        let mut all: Vec<TermId> = atoms.flat_map(|atom| atom.arguments.iter().copied()).collect();
        all.extend(&rule.constraint);
        for atom in &rule.body {
            implications.push(Implication {
                premises: vec![occurrence(&rule.head)],
                constraint: rule.constraint.clone(),
                conclusion: occurrence(atom),
                variables: program.terms.variables_of_all(&all),
            });
        }
    }
    let mut houdini = Houdini::new(implications, resources);
    for hint in hints {
        houdini.believe(hint.predicate.index(), hint.formula);
    }
    let is_done = houdini.refute(&mut program.terms, &|_| interrupted()).is_ok();
    let standing = |position: usize| match is_done && houdini.stands(position) {
        true => Standing::Lemma,
        false => Standing::NotInductive,
    };
    (0..hints.len()).map(standing).collect()
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
