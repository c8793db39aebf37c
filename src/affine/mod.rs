//! Affine relations: linear equations between the parameters of a predicate, and such modulo the size of words and small primes, which
//! hold wherever it is reached.
//!
//! The smallest affine space with every point that a predicate is reached at is computed from the queries on (Karr, 1976; modulo
//! powers of primes as Müller-Olm and Seidl do, 2005). A step is a question: is there a way by this rule from inside the space of its head to
//! outside the space of its body? Each answer enlarges that, by a dimension at least, so there are not many, and nothing that
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

use crate::rules::{PredicateId, Program, Rule};
use crate::solver::{Answer, QuestionSolver};
use crate::steps::budget::BudgetWatch;
use crate::terms::{Assignment, Operator, SortId, Substitution, TermId, Terms, Theory, Value};
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

/// What holds of the parameters of a program's predicates.
pub(crate) struct AffineRelations {
    /// None where a predicate is not reached.
    of_predicate: Vec<Option<Known>>,
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
    /// Computes them; `None` if that is too much work, a question was not answered, or there are calls. Adds the work of it.
    pub fn of(program: &mut Program, watch: &BudgetWatch<'_>, work: &mut u64) -> Option<AffineRelations> {
        if program.has_calls() {
            return None;
        }
        let moduli = moduli(program);
        let hulls = empty_hulls(program, &moduli)?.into_iter();
        let known = hulls.zip(comparisons(program, &moduli));
        let mut analysis = Analysis {
            first: known.map(|(hulls, comparisons)| Known { hulls, comparisons }).collect(),
            relations: AffineRelations {
                of_predicate: vec![None; program.predicates().len()],
            },
            most: *work + WORK,
            work,
        };
        *analysis.relations.of_predicate.get_mut(PredicateId::QUERY.index())? = Some(Known::default());
        let mut waiting = VecDeque::from([PredicateId::QUERY]);
        while let Some(predicate) = waiting.pop_front() {
            for id in program.rules_of(predicate).to_vec() {
                let rule = program.rule(id).clone();
                let grown = analysis.follow(program, &rule)?;
                waiting.extend(grown.filter(|target| !waiting.contains(target)));
                watch.advance(*analysis.work);
                if watch.interruption().is_some() {
                    return None;
                }
            }
        }
        Some(analysis.relations)
    }

    /// What holds wherever the predicate is reached: formulas over its parameters, *false* where it is not.
    pub fn formulas(&self, terms: &mut Terms, predicate: PredicateId) -> Vec<TermId> {
        match self.of_predicate.get(predicate.index()) {
            Some(Some(known)) => known.formulas(terms),
            Some(None) => vec![TermId::FALSE],
            None => Vec::new(),
        }
    }

    /// Whether the predicate may be reached.
    pub fn is_reached(&self, predicate: PredicateId) -> bool {
        self.of_predicate.get(predicate.index()).is_none_or(Option::is_some)
    }

    /// How many dimensions the points of a predicate have: of its parameters of each sort, and of these modulo each prime, together.
    pub fn dimensions(&self, predicate: PredicateId) -> usize {
        let known = self.of_predicate.get(predicate.index()).and_then(Option::as_ref);
        known.map_or(0, |known| known.hulls.iter().map(Hull::dimensions).sum())
    }
}

/// For each predicate the hulls of no points; `None` if one has too many parameters.
fn empty_hulls(program: &Program, moduli: &[Modulus]) -> Option<Vec<Vec<Hull>>> {
    let of_sort = |parameters: &[TermId], sort: SortId| -> Option<Hull> {
        let own = parameters.iter().copied();
        let own: Vec<TermId> = own.filter(|own| program.terms.sort(*own) == sort).collect();
        Hull::new(&program.terms, sort, own, moduli)
    };
    let mut hulls = Vec::with_capacity(program.predicates().len());
    for predicate in program.predicates() {
        let parameters = &predicate.parameters;
        if parameters.len() > MOST_PARAMETERS {
            return None;
        }
        let sorts: BTreeSet<SortId> = parameters
            .iter()
            .map(|parameter| program.terms.sort(*parameter))
            .collect();
        hulls.push(sorts.into_iter().filter_map(|sort| of_sort(parameters, sort)).collect());
    }
    Some(hulls)
}

/// What is counted modulo: powers of two at which a program wraps round, which it mentions as such, and the primes that divide what it
/// divides or multiplies by, or counts by.
fn moduli(program: &Program) -> Vec<Modulus> {
    let terms = &program.terms;
    let formulas: Vec<TermId> = program
        .rules()
        .iter()
        .flat_map(|rule| {
            let atoms = std::iter::once(&rule.head).chain(&rule.body);
            atoms.flat_map(|atom| &atom.arguments).chain(&rule.constraint).copied()
        })
        .collect();
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
    /// Adds what a rule comes to from where its head may be; its body's predicate if less is known of that then. `None` if that is
    /// too much work, or a question was not answered.
    fn follow(&mut self, program: &mut Program, rule: &Rule) -> Option<Option<PredicateId>> {
        let Some(next) = rule.body.first() else {
            return Some(None);
        };
        let target = next.predicate;
        let own = program.predicate(rule.head.predicate).parameters.clone();
        let parameters = program.predicate(target).parameters.clone();
        let terms = &mut program.terms;
        let before = Substitution::of(terms, &own, &rule.head.arguments);
        let after = Substitution::of(terms, &parameters, &next.arguments);
        let inside = self.relations.formulas(terms, rule.head.predicate);
        let mut formulas = terms.substitute_all(&inside, &before);
        formulas.extend(&rule.constraint);
        let arguments = next.arguments.iter().copied();
        let theory = Theory::of(terms, formulas.iter().copied().chain(arguments));
        let variables = terms.variables_of_all(&[&formulas[..], &next.arguments[..]].concat());
        let mut solver = QuestionSolver::new(theory, RESOURCES);
        for formula in &formulas {
            solver.assert(terms, *formula);
        }
        let mut has_grown = false;
        loop {
            let holds = self.relations.formulas(terms, target);
            let holds = terms.substitute_all(&holds, &after);
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
            let mut values = Vec::with_capacity(parameters.len());
            for (parameter, argument) in parameters.iter().zip(&next.arguments) {
                values.push((*parameter, terms.evaluate(*argument, &model)?));
            }
            let values = values.into_iter().collect();
            let known = self.relations.of_predicate.get_mut(target.index())?;
            let is_first = known.is_none();
            let known = known.get_or_insert_with(|| self.first[target.index()].clone());
            if !known.add(terms, &values)? && !is_first {
                return None;
            }
            has_grown = true;
        }
        *self.work += solver.work();
        Some(has_grown.then_some(target))
    }
}
