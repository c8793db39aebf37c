//! Systematic changes of certificates.

use clausal::evidence::{Certificate, Invariant};
use clausal::rules::Program;
use clausal::terms::{Comparison, Rational, Substitution, TermId, Terms};
use num_traits::One;

/// Certificates that differ from the given one in one place, each with what was done.
pub fn mutants(program: &Program, certificate: &Certificate) -> Vec<(String, Certificate)> {
    let mut found = Vec::new();
    for (position, invariant) in certificate.invariants.iter().enumerate() {
        let label = program.predicate_label(invariant.predicate);
        let mut keep = |what: String, terms: Terms, disjuncts: Option<Vec<Vec<TermId>>>| {
            let mut invariants = certificate.invariants.clone();
            match disjuncts {
                Some(disjuncts) => invariants[position].disjuncts = disjuncts,
                None => drop(invariants.remove(position)),
            }
            found.push((
                format!("{label}: {what}"),
                Certificate {
                    terms,
                    invariants,
                    ..certificate.clone()
                },
            ));
        };
        keep("no invariant".to_string(), certificate.terms.clone(), None);
        keep("false".to_string(), certificate.terms.clone(), Some(Vec::new()));
        for (d, disjunct) in invariant.disjuncts.iter().enumerate() {
            let mut without = invariant.disjuncts.clone();
            without.remove(d);
            keep(format!("drop disjunct {d}"), certificate.terms.clone(), Some(without));
            for (c, conjunct) in disjunct.iter().enumerate() {
                let mut without = invariant.disjuncts.clone();
                without[d].remove(c);
                keep(
                    format!("drop conjunct {d}.{c}"),
                    certificate.terms.clone(),
                    Some(without),
                );
                for (what, terms, formula) in changes(&certificate.terms, *conjunct) {
                    let mut changed = invariant.disjuncts.clone();
                    changed[d][c] = formula;
                    keep(format!("{d}.{c} {what}"), terms, Some(changed));
                }
            }
        }
    }
    found.extend(swaps(program, certificate));
    found
}

/// The conjunct with another constant, coefficient or comparison, and its negation.
fn changes(terms: &Terms, conjunct: TermId) -> Vec<(String, Terms, TermId)> {
    let mut found = Vec::new();
    let mut keep = |what: &str, change: &dyn Fn(&mut Terms) -> TermId| {
        let mut changed = terms.clone();
        let formula = change(&mut changed);
        let text = changed.display(formula).to_string();
        if formula != conjunct {
            found.push((format!("{what}: {text}"), changed, formula));
        }
    };
    keep("negated", &|terms| terms.not(conjunct));
    let Some(atom) = terms.linear_atom(conjunct) else {
        return found;
    };
    let sort = terms.sort(terms.arguments(conjunct)[0]);
    for offset in [-1, 1] {
        let mut form = atom.form.clone();
        form.constant += Rational::from_integer(offset.into());
        keep("constant", &|terms| terms.linear_formula(&form, atom.comparison, sort));
        for index in 0..atom.form.terms.len() {
            let mut form = atom.form.clone();
            form.terms[index].1 += Rational::from_integer(offset.into());
            form.terms
                .retain(|(_, coefficient)| *coefficient != Rational::from_integer(0.into()));
            keep("coefficient", &|terms| {
                terms.linear_formula(&form, atom.comparison, sort)
            });
        }
    }
    for comparison in [Comparison::Equal, Comparison::LessOrEqual, Comparison::Less] {
        keep("comparison", &|terms| {
            terms.linear_formula(&atom.form, comparison, sort)
        });
        let flipped = atom.form.scaled(&-Rational::one());
        keep("comparison", &|terms| terms.linear_formula(&flipped, comparison, sort));
    }
    found
}

/// The invariants of any two predicates of equal sorts exchanged.
fn swaps(program: &Program, certificate: &Certificate) -> Vec<(String, Certificate)> {
    let mut found = Vec::new();
    for first in 0..certificate.invariants.len() {
        for second in first + 1..certificate.invariants.len() {
            let mut mutant = certificate.clone();
            let (a, b) = (
                certificate.invariants[first].clone(),
                certificate.invariants[second].clone(),
            );
            mutant.invariants[first].disjuncts = renamed(program, &mut mutant.terms, &b, &a);
            mutant.invariants[second].disjuncts = renamed(program, &mut mutant.terms, &a, &b);
            found.push((format!("swap {first} and {second}"), mutant));
        }
    }
    found
}

fn renamed(program: &Program, terms: &mut Terms, from: &Invariant, to: &Invariant) -> Vec<Vec<TermId>> {
    let (old, new) = (
        &program.predicate(from.predicate).parameters,
        &program.predicate(to.predicate).parameters,
    );
    let substitution = Substitution::of(terms, old, new);
    from.disjuncts
        .iter()
        .map(|disjunct| terms.substitute_all(disjunct, &substitution))
        .collect()
}
