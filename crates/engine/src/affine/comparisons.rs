//! Comparisons that may hold wherever a relation does: those that the rules themselves make, their negations, and that a
//! parameter is a word of the size that the program counts by.

use super::arguments;
use super::residues::Modulus;
use crate::steps::houdini::{Implication, Occurrence};
use crate::terms::{Comparison, Operator, SortId, Substitution, TermId, Terms};
use hashbrown::HashSet;

/// So many are tried of each predicate, the first ones.
const MOST: usize = 60;

/// For each relation comparisons of its parameters: those of the implications that conclude or use it, those of other relations whose
/// parameters are called the same, and those with the ends of words.
pub(super) fn comparisons(
    terms: &mut Terms,
    parameters: &[Vec<TermId>],
    implications: &[Implication],
    moduli: &[Modulus],
) -> Vec<Vec<TermId>> {
    let mut found: Vec<Vec<TermId>> = vec![Vec::new(); parameters.len()];
    let mut seen: HashSet<(usize, TermId)> = HashSet::new();
    let mut add = |found: &mut Vec<Vec<TermId>>, relation: usize, formula: TermId| {
        if found[relation].len() < MOST && seen.insert((relation, formula)) {
            found[relation].push(formula);
        }
    };
    for implication in implications {
        for occurrence in implication.premises.iter().chain([&implication.conclusion]) {
            let compared = of_occurrence(terms, parameters, implication, occurrence);
            compared
                .into_iter()
                .for_each(|formula| add(&mut found, occurrence.relation, formula));
        }
    }
    let own = found.clone();
    for (relation, formulas) in own.iter().enumerate() {
        for other in (0..own.len()).filter(|other| *other != relation) {
            for formula in formulas {
                let same = same_of(terms, *formula, &parameters[relation], &parameters[other]);
                same.into_iter().for_each(|formula| add(&mut found, other, formula));
            }
        }
    }
    for (relation, parameters) in parameters.iter().enumerate() {
        for parameter in parameters {
            for formula in word_ends(terms, *parameter, moduli) {
                add(&mut found, relation, formula);
            }
        }
    }
    found
}

/// That an integer is no less than the least word, and no more than the largest ones.
fn word_ends(terms: &mut Terms, parameter: TermId, moduli: &[Modulus]) -> Vec<TermId> {
    let words = moduli.iter().filter(|modulus| modulus.is_word());
    if terms.sort(parameter) != SortId::INT || words.clone().next().is_none() {
        return Vec::new();
    }
    let zero = terms.integer(0);
    let mut ends = vec![terms.less_or_equal(zero, parameter)];
    for word in words {
        let most = terms.integer(word.value() - 1);
        ends.push(terms.less_or_equal(parameter, most));
    }
    ends
}

/// What an implication compares, said of the parameters of a relation that it is about.
fn of_occurrence(
    terms: &mut Terms,
    parameters: &[Vec<TermId>],
    implication: &Implication,
    occurrence: &Occurrence,
) -> Vec<TermId> {
    let mut found = Vec::new();
    let arguments = arguments(terms, parameters, occurrence);
    let passed = arguments.iter().zip(&parameters[occurrence.relation]);
    let passed = passed.filter(|(argument, _)| terms.is_variable(**argument));
    let (mut variables, mut parameters): (Vec<TermId>, Vec<TermId>) = passed.map(|(a, b)| (*a, *b)).unzip();
    // A variable that is passed twice is said to be the last of these parameters, and then the first.
    for _ in 0..2 {
        let instance = Substitution::of(terms, &variables, &parameters);
        for formula in terms.subterms(&implication.constraint) {
            if is_inequality(terms, formula) && terms.variables(formula).iter().all(|own| variables.contains(own)) {
                let formula = terms.substitute(formula, &instance);
                let negation = terms.not(formula);
                found.extend([formula, negation]);
            }
        }
        variables.reverse();
        parameters.reverse();
    }
    found
}

/// Whether the formula compares what is not calculated. Equations are found without being guessed.
fn is_inequality(terms: &Terms, formula: TermId) -> bool {
    match terms.linear_atom(formula) {
        Some(atom) => {
            let mut variables = atom.form.terms.iter().map(|(term, _)| *term);
            atom.comparison != Comparison::Equal && variables.all(|term| terms.is_variable(term))
        }
        None => terms.is_comparison(formula) && terms.operator(formula) != Operator::Equal,
    }
}

/// A comparison of one relation's parameters as one of those of another that are called the same.
fn same_of(terms: &mut Terms, formula: TermId, own: &[TermId], others: &[TermId]) -> Option<TermId> {
    let mut renamed = Vec::new();
    for variable in terms.variables(formula) {
        own.contains(&variable).then_some(())?;
        let is_same = |parameter: &&TermId| {
            terms.variable_name(**parameter) == terms.variable_name(variable)
                && terms.sort(**parameter) == terms.sort(variable)
        };
        renamed.push((variable, *others.iter().find(is_same)?));
    }
    let (from, to): (Vec<TermId>, Vec<TermId>) = renamed.into_iter().unzip();
    let instance = Substitution::of(terms, &from, &to);
    Some(terms.substitute(formula, &instance))
}
