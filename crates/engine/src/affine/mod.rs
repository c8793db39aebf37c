//! Affine relations: linear equations between the parameters of a predicate, and such modulo the size of words and small primes, which
//! hold wherever it is reached, or whenever a call of it has come back.
//!
//! The smallest affine space with every point of such a relation is computed from the queries and facts on (Karr, 1976; modulo
//! powers of primes as Müller-Olm and Seidl do, 2005). A step is a question: is there a way by this implication from inside the spaces of
//! its premises to outside the space of its conclusion? Each answer enlarges that, by a dimension at least, so there are not many, and nothing that
//! guards or cases say of a step is lost (symbolic abstraction: Reps, Sagiv and Yorsh, 2004). `x < 100` before and `100 <= x + 1` after
//! is the point 100. What the program compares is kept as long as it holds, too: without bounds a counter of 32 bits may wrap
//! round, and nothing is left of an equation. The engine has its own equations, for candidates (`engine/affine`): these are of whole loops at once and cost no
//! question, but do not see guards.
//!
//! ```text
//! residues      vectors modulo a power of a prime
//! hull          what the points of a predicate span, and what holds of all of these
//! comparisons   what the program compares, said of each predicate
//! ```

mod comparisons;
mod hull;
mod residues;
#[cfg(test)]
mod tests;

use crate::solver::{Answer, QuestionSolver};
use crate::steps::budget::BudgetWatch;
use crate::steps::houdini::{Implication, Occurrence};
use crate::terms::{Assignment, Operator, SortId, TermId, Terms, Theory, Value};
use comparisons::comparisons;
use hull::Hull;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};
use residues::Modulus;
use std::collections::{BTreeSet, VecDeque};

/// More parameters of a predicate than this are too many.
const MOST_PARAMETERS: usize = 24;
/// More numbers than this are not counted modulo.
const MOST_MODULI: usize = 3;
/// Primes that programs count by.
const PRIMES: [u64; 5] = [2, 3, 5, 7, 11];
/// What is added is how far a counter goes in one step if it is no more than this.
const MOST_STEP: u64 = 12;
/// The widths of words whose arithmetic wraps round, in bits.
const WIDTHS: [u32; 4] = [8, 16, 32, 64];
/// What finding them may cost, in the units of turns.
const WORK: u64 = 100_000;
/// What Z3 may spend on one question, in its own units.
const RESOURCES: u32 = 2_000_000;

/// What holds of the parameters of relations.
pub(crate) struct AffineRelations {
    /// None where a relation holds nowhere.
    of_relation: Vec<Option<Known>>,
}

/// What is known of the points at which a predicate is reached.
#[derive(Clone, Default)]
struct Known {
    hulls: Vec<Hull>,
    /// Comparisons that hold of all of them.
    comparisons: Vec<TermId>,
}

impl Known {
    /// Adds a point; whether less is known then. `None` if a value is missing.
    fn add(&mut self, terms: &Terms, point: &Assignment) -> Option<bool> {
        let mut is_less = false;
        for hull in &mut self.hulls {
            is_less |= hull.add(point)?;
        }
        let before = self.comparisons.len();
        self.comparisons
            .retain(|formula| terms.evaluate(*formula, point) == Some(Value::Bool(true)));
        Some(is_less || self.comparisons.len() < before)
    }

    fn formulas(&self, terms: &mut Terms) -> Vec<TermId> {
        let mut formulas: Vec<TermId> = self.hulls.iter().flat_map(|hull| hull.formulas(terms)).collect();
        formulas.extend(&self.comparisons);
        formulas
    }
}

impl AffineRelations {
    /// Computes them of the relations with these parameters, the smallest for which the implications are true; `None` if that is too
    /// much work, or a question was not answered. Adds the work of it.
    pub fn of(
        terms: &mut Terms,
        parameters: &[Vec<TermId>],
        implications: &[Implication],
        watch: &BudgetWatch<'_>,
        work: &mut u64,
    ) -> Option<AffineRelations> {
        let moduli = moduli(terms, parameters, implications);
        let hulls = empty_hulls(terms, parameters, &moduli)?.into_iter();
        let known = hulls.zip(comparisons(terms, parameters, implications, &moduli));
        let mut analysis = Analysis {
            first: known.map(|(hulls, comparisons)| Known { hulls, comparisons }).collect(),
            relations: AffineRelations {
                of_relation: vec![None; parameters.len()],
            },
            most: *work + WORK,
            work,
        };
        let is_fact = |implication: &&Implication| implication.premises.is_empty();
        let uses = |implication: &&Implication, relation: usize| {
            implication.premises.iter().any(|premise| premise.relation == relation)
        };
        let mut next: Vec<&Implication> = implications.iter().filter(is_fact).collect();
        let mut waiting = VecDeque::new();
        loop {
            for implication in next {
                let conclusion = implication.conclusion.relation;
                if analysis.follow(terms, parameters, implication)? && !waiting.contains(&conclusion) {
                    waiting.push_back(conclusion);
                }
                watch.advance(*analysis.work);
                if watch.interruption().is_some() {
                    return None;
                }
            }
            let Some(relation) = waiting.pop_front() else {
                return Some(analysis.relations);
            };
            next = implications.iter().filter(|other| uses(other, relation)).collect();
        }
    }

    /// What holds wherever the relation does: formulas over its parameters, *false* where it holds nowhere.
    pub fn formulas(&self, terms: &mut Terms, relation: usize) -> Vec<TermId> {
        match self.of_relation.get(relation) {
            Some(Some(known)) => known.formulas(terms),
            Some(None) => vec![TermId::FALSE],
            None => Vec::new(),
        }
    }

    /// Whether the relation may hold anywhere.
    pub fn is_reached(&self, relation: usize) -> bool {
        self.of_relation.get(relation).is_none_or(Option::is_some)
    }

    /// How many dimensions the points of a relation have: of its parameters of each sort, and of these modulo each prime, together.
    pub fn dimensions(&self, relation: usize) -> usize {
        let known = self.of_relation.get(relation).and_then(Option::as_ref);
        known.map_or(0, |known| known.hulls.iter().map(Hull::dimensions).sum())
    }
}

/// For each relation the hulls of no points; `None` if one has too many parameters.
fn empty_hulls(terms: &Terms, parameters: &[Vec<TermId>], moduli: &[Modulus]) -> Option<Vec<Vec<Hull>>> {
    let of_sort = |parameters: &[TermId], sort: SortId| -> Option<Hull> {
        let own = parameters.iter().copied();
        let own: Vec<TermId> = own.filter(|own| terms.sort(*own) == sort).collect();
        Hull::new(terms, sort, own, moduli)
    };
    let mut hulls = Vec::with_capacity(parameters.len());
    for parameters in parameters {
        if parameters.len() > MOST_PARAMETERS {
            return None;
        }
        let sorts: BTreeSet<SortId> = parameters.iter().map(|parameter| terms.sort(*parameter)).collect();
        hulls.push(sorts.into_iter().filter_map(|sort| of_sort(parameters, sort)).collect());
    }
    Some(hulls)
}

/// What is counted modulo: powers of two at which rules wrap round, which they mention as such, and the primes that divide what they
/// divide or multiply by, or count by.
fn moduli(terms: &mut Terms, parameters: &[Vec<TermId>], implications: &[Implication]) -> Vec<Modulus> {
    let mut formulas = Vec::new();
    for implication in implications {
        for occurrence in implication.premises.iter().chain([&implication.conclusion]) {
            formulas.extend(arguments(terms, parameters, occurrence));
        }
        formulas.extend(&implication.constraint);
    }
    let (mut widths, mut primes) = (BTreeSet::new(), BTreeSet::new());
    for term in terms.subterms(&formulas) {
        let number = |term: TermId| terms.number_value(term).map(|number| number.to_integer().abs());
        if let Some(number) = number(term) {
            // The largest number of a word, or the one behind it.
            let is_end = |width: &&u32| number == BigInt::one() << **width || &number + 1u8 == BigInt::one() << **width;
            widths.extend(WIDTHS.iter().find(is_end));
        }
        let (is_factor, is_sum) = match terms.operator(term) {
            Operator::Multiply | Operator::IntegerDivide | Operator::Modulo => (true, false),
            operator => (false, operator == Operator::Add),
        };
        let numbers = terms.arguments(term).iter();
        let numbers = numbers.filter_map(|argument| number(*argument)?.to_u64());
        for factor in numbers.filter(|number| is_factor || (is_sum && *number <= MOST_STEP)) {
            primes.extend(PRIMES.iter().filter(|prime| factor > 0 && factor % **prime == 0));
        }
    }
    if !widths.is_empty() {
        primes.remove(&2);
    }
    let words = widths.into_iter().map(|exponent| (2, exponent));
    let primes = primes.into_iter().map(|prime: u64| (u128::from(prime), 1));
    let moduli = words.chain(primes).take(MOST_MODULI);
    moduli.map(|(prime, exponent)| Modulus { prime, exponent }).collect()
}

/// What is known so far.
struct Analysis<'w> {
    /// What is known of each predicate before its first point.
    first: Vec<Known>,
    relations: AffineRelations,
    work: &'w mut u64,
    most: u64,
}

impl Analysis<'_> {
    /// Adds what an implication comes to from where its premises may be; whether less is known of the conclusion then. `None` if that is
    /// too much work, or a question was not answered.
    fn follow(&mut self, terms: &mut Terms, parameters: &[Vec<TermId>], implication: &Implication) -> Option<bool> {
        let is_reached = |premise: &Occurrence| self.relations.is_reached(premise.relation);
        if !implication.premises.iter().all(is_reached) {
            return Some(false);
        }
        let target = implication.conclusion.relation;
        let after = &implication.conclusion.instance;
        let mut formulas = Vec::new();
        for premise in &implication.premises {
            let inside = self.relations.formulas(terms, premise.relation);
            formulas.extend(terms.substitute_all(&inside, &premise.instance));
        }
        formulas.extend(&implication.constraint);
        let arguments = arguments(terms, parameters, &implication.conclusion);
        let theory = Theory::of(terms, formulas.iter().chain(&arguments).copied());
        let variables = terms.variables_of_all(&[&formulas[..], &arguments[..]].concat());
        let mut solver = QuestionSolver::new(theory, RESOURCES);
        for formula in &formulas {
            solver.assert(terms, *formula);
        }
        let mut has_grown = false;
        loop {
            let holds = self.relations.formulas(terms, target);
            let holds = terms.substitute_all(&holds, after);
            let fails: Vec<TermId> = holds.into_iter().map(|formula| terms.not(formula)).collect();
            let outside = terms.or(&fails);
            if outside == TermId::FALSE {
                break;
            }
            match solver.check(terms, &[outside]) {
                Answer::Unsatisfiable => break,
                Answer::Satisfiable if *self.work + solver.work() <= self.most => {}
                Answer::Satisfiable | Answer::Unknown => return None,
            }
            let model = solver.model(terms, &variables)?;
            let mut values = Vec::with_capacity(arguments.len());
            for (parameter, argument) in parameters[target].iter().zip(&arguments) {
                values.push((*parameter, terms.evaluate(*argument, &model)?));
            }
            let values = values.into_iter().collect();
            let known = self.relations.of_relation.get_mut(target)?;
            let is_first = known.is_none();
            let known = known.get_or_insert_with(|| self.first[target].clone());
            if !known.add(terms, &values)? && !is_first {
                return None;
            }
            has_grown = true;
        }
        *self.work += solver.work();
        Some(has_grown)
    }
}

/// What an occurrence of a relation is about.
fn arguments(terms: &mut Terms, parameters: &[Vec<TermId>], occurrence: &Occurrence) -> Vec<TermId> {
    let own = parameters.get(occurrence.relation).map_or(&[][..], Vec::as_slice);
    terms.substitute_all(own, &occurrence.instance)
}
