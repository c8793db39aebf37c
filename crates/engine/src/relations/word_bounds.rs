//! Guesses at the limits of machine words: as signed and as unsigned numbers they are compared with the constants of the program.
//!
//! What one model after another tells of words are bits as they happen to be; a program over words mostly keeps them between numbers that it
//! mentions. Which of these limits are inductive, [`super::offers`] finds out.

use super::offers::{Guesses, Offered};
use crate::rules::{PredicateId, Program, Rule};
use crate::terms::{Operator, TermId, Terms, WordOperator};
use hashbrown::HashSet;
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// Constants of a width that limits are guessed with, the least first.
const MOST_CONSTANTS: usize = 24;
/// Guesses about one predicate.
const MOST_OF_PREDICATE: usize = 600;

/// Limits of all words that predicates have.
pub(super) struct WordBounds {
    /// Predicates with their parameters that are words, and the width of each.
    words: Vec<(PredicateId, Vec<(TermId, u32)>)>,
    /// What words of a width are compared with.
    constants: BTreeMap<u32, BTreeSet<BigInt>>,
    /// What somebody else guesses, which comes first.
    guesses: Vec<Offered>,
    is_over: bool,
}

impl WordBounds {
    /// What a program mentions, and other guesses. `None` if it has no words.
    pub fn new(program: &Program, guesses: Vec<Offered>) -> Option<WordBounds> {
        let terms = &program.terms;
        let word = |parameter: &TermId| Some((*parameter, terms.width(terms.sort(*parameter))?));
        let predicates = program.predicates().iter().enumerate();
        let words = predicates.map(|(index, predicate)| {
            let words: Vec<(TermId, u32)> = predicate.parameters.iter().filter_map(word).collect();
            (PredicateId::from_index(index), words)
        });
        let words: Vec<(PredicateId, Vec<(TermId, u32)>)> = words.filter(|(_, words)| !words.is_empty()).collect();
        (!words.is_empty()).then(|| WordBounds {
            words,
            constants: constants(program),
            guesses,
            is_over: false,
        })
    }
}

impl Guesses for WordBounds {
    fn guess(&mut self, terms: &mut Terms, _stand: &HashSet<TermId>, _spend: &dyn Fn(u64) -> bool) -> Vec<Offered> {
        let mut offered = std::mem::take(&mut self.guesses);
        if std::mem::replace(&mut self.is_over, true) {
            return offered;
        }
        for (predicate, words) in &self.words {
            let first = offered.len();
            for (word, width) in words {
                for constant in self.constants.get(width).into_iter().flatten() {
                    let constant = terms.word(constant.clone(), *width);
                    for operator in [WordOperator::SignedLessOrEqual, WordOperator::UnsignedLessOrEqual] {
                        for sides in [[*word, constant], [constant, *word]] {
                            // The least and the greatest number are no limits.
                            let formula = terms.word_operation(operator, &sides, 0);
                            if let Some(formula) = formula.filter(|formula| *formula != TermId::TRUE)
                                && offered.len() - first < MOST_OF_PREDICATE
                            {
                                offered.push(Offered {
                                    predicate: *predicate,
                                    formula,
                                    implied_by: Vec::new(),
                                });
                            }
                        }
                    }
                }
            }
        }
        offered
    }
}

/// The constants that words are compared with or made of, and their negations, by width; only those that something is compared with where there are
/// many.
fn constants(program: &Program) -> BTreeMap<u32, BTreeSet<BigInt>> {
    let terms = &program.terms;
    let roots: Vec<TermId> = program.rules().iter().flat_map(Rule::terms).collect();
    let inside = terms.subterms(&roots);
    let constant = |term: TermId| {
        let width = terms.width(terms.sort(term))?;
        Some((width, terms.number_value(term)?.to_integer()))
    };
    let mut all: BTreeMap<u32, BTreeSet<BigInt>> = BTreeMap::new();
    let mut compared = all.clone();
    let add = |to: &mut BTreeMap<u32, BTreeSet<BigInt>>, term: TermId| {
        if let Some((width, value)) = constant(term) {
            let of_width = to.entry(width).or_default();
            let modulus = BigInt::from(1) << width;
            of_width.insert((&modulus - &value) % modulus);
            of_width.insert(value);
        }
    };
    for term in inside {
        add(&mut all, term);
        let is_comparison = matches!(
            terms.operator(term),
            Operator::Equal | Operator::Word(WordOperator::SignedLessOrEqual | WordOperator::UnsignedLessOrEqual)
        );
        if is_comparison {
            terms.arguments(term).iter().for_each(|side| add(&mut compared, *side));
        }
    }
    for (width, constants) in &mut all {
        if constants.len() > MOST_CONSTANTS {
            let compared = compared.remove(width).unwrap_or_default();
            *constants = compared.into_iter().take(MOST_CONSTANTS).collect();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::engine::{Options, Verdict};
    use crate::relations;

    /// A value that follows an input, by ten at most in a turn, through two predicates.
    const LIMITER: &str = "
        (set-logic HORN)
        (declare-fun ask ((_ BitVec 32)) Bool)
        (declare-fun turn ((_ BitVec 32) (_ BitVec 32)) Bool)
        (assert (ask #x00000000))
        (assert (forall ((Y (_ BitVec 32)) (X (_ BitVec 32)))
          (=> (and (ask Y) (bvsle #xffffff9c X) (bvsle X #x00000064)) (turn X Y))))
        (assert (forall ((Y (_ BitVec 32)) (X (_ BitVec 32))) (=> (and (turn X Y) (bvsgt X (bvadd Y #x0000000a))) (ask (bvadd Y #x0000000a)))))
        (assert (forall ((Y (_ BitVec 32)) (X (_ BitVec 32))) (=> (and (turn X Y) (bvslt X (bvsub Y #x0000000a))) (ask (bvsub Y #x0000000a)))))
        (assert (forall ((Y (_ BitVec 32)) (X (_ BitVec 32)))
          (=> (and (turn X Y) (bvsge X (bvsub Y #x0000000a)) (bvsle X (bvadd Y #x0000000a))) (ask X))))
        (assert (forall ((Y (_ BitVec 32))) (=> (and (ask Y) (bvsgt Y LIMIT)) false)))
        (check-sat)";

    #[test]
    fn a_value_stays_between_the_limits_of_what_it_follows() {
        let verdict = |limit: &str| {
            let program = crate::horn::read(&LIMITER.replace("LIMIT", limit))
                .product
                .expect("no mistake in it");
            relations::verify_by_word_bounds(&program, &Options::default()).verdict
        };
        assert!(matches!(verdict("#x00000064"), Verdict::Safe(_)));
        assert!(matches!(verdict("#x00000014"), Verdict::Unsafe(_)));
    }
}
