//! Comparisons that may hold wherever a predicate is reached: those that the program itself makes, their negations, and that a
//! parameter is a word of the size that the program counts by.

use super::residues::Modulus;
use crate::rules::{Program, Rule};
use crate::terms::{Comparison, Operator, SortId, Substitution, TermId, Terms};
use hashbrown::HashSet;

/// So many are tried of each predicate, the first ones.
const MOST: usize = 60;

/// For each predicate comparisons of its parameters: those of the rules that lead to it or from it, those of other predicates whose
/// parameters are called the same, and those with the ends of words.
pub(super) fn comparisons(program: &mut Program, moduli: &[Modulus]) -> Vec<Vec<TermId>> {
    let mut found: Vec<Vec<TermId>> = vec![Vec::new(); program.predicates().len()];
    let mut seen: HashSet<(usize, TermId)> = HashSet::new();
    let mut add = |found: &mut Vec<Vec<TermId>>, predicate: usize, formula: TermId| {
        if found[predicate].len() < MOST && seen.insert((predicate, formula)) {
            found[predicate].push(formula);
        }
    };
    for rule in program.rules().to_vec() {
        for (predicate, formula) in of_rule(program, &rule) {
            add(&mut found, predicate, formula);
        }
    }
    let own = found.clone();
    for (predicate, formulas) in own.iter().enumerate() {
        for other in (0..own.len()).filter(|other| *other != predicate) {
            for formula in formulas {
                let same = same_of(program, *formula, (predicate, other));
                same.into_iter().for_each(|formula| add(&mut found, other, formula));
            }
        }
    }
    for index in 0..found.len() {
        let parameters = program
            .predicates()
            .get(index)
            .map(|predicate| predicate.parameters.clone());
        for parameter in parameters.unwrap_or_default() {
            for formula in word_ends(&mut program.terms, parameter, moduli) {
                add(&mut found, index, formula);
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

/// What a rule compares, said of the parameters of its head's and its body's predicates.
fn of_rule(program: &mut Program, rule: &Rule) -> Vec<(usize, TermId)> {
    let mut found = Vec::new();
    for atom in std::iter::once(&rule.head).chain(&rule.body) {
        let parameters = program.predicate(atom.predicate).parameters.clone();
        let terms = &mut program.terms;
        let passed = atom.arguments.iter().zip(&parameters);
        let passed = passed.filter(|(argument, _)| terms.is_variable(**argument));
        let (mut variables, mut parameters): (Vec<TermId>, Vec<TermId>) = passed.map(|(a, b)| (*a, *b)).unzip();
        // A variable that is passed twice is said to be the last of these parameters, and then the first.
        for _ in 0..2 {
            let instance = Substitution::of(terms, &variables, &parameters);
            for formula in terms.subterms(&rule.constraint) {
                if is_inequality(terms, formula) && terms.variables(formula).iter().all(|own| variables.contains(own)) {
                    let formula = terms.substitute(formula, &instance);
                    let negation = terms.not(formula);
                    found.extend([formula, negation].map(|formula| (atom.predicate.index(), formula)));
                }
            }
            variables.reverse();
            parameters.reverse();
        }
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

/// A comparison of one predicate's parameters as one of those of another that are called the same.
fn same_of(program: &mut Program, formula: TermId, (predicate, other): (usize, usize)) -> Option<TermId> {
    let of = |index: usize| program.predicates().get(index).map(|predicate| &predicate.parameters);
    let terms = &program.terms;
    let mut renamed = Vec::new();
    for variable in terms.variables(formula) {
        of(predicate)?.contains(&variable).then_some(())?;
        let is_same = |parameter: &&TermId| {
            terms.variable_name(**parameter) == terms.variable_name(variable)
                && terms.sort(**parameter) == terms.sort(variable)
        };
        renamed.push((variable, *of(other)?.iter().find(is_same)?));
    }
    let (from, to): (Vec<TermId>, Vec<TermId>) = renamed.into_iter().unzip();
    let instance = Substitution::of(&program.terms, &from, &to);
    Some(program.terms.substitute(formula, &instance))
}
