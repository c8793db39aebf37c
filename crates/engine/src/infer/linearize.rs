//! Nonlinear formulas as linear ones: every product of variables, and every division by one, becomes an unknown of its own.
//!
//! The formula then says less, so what it refutes is refuted, and a linear solver decides it quickly.

use crate::terms::{Operator, SortId, Substitution, TermId, Terms};
use hashbrown::{HashMap, HashSet};

/// The unknowns that stand for products.
#[derive(Clone, Debug, Default)]
pub(super) struct Linearizer {
    unknowns: HashMap<TermId, TermId>,
}

impl Linearizer {
    /// A formula with unknowns for its products.
    pub fn formula(&mut self, terms: &mut Terms, formula: TermId) -> TermId {
        let products = nonlinear_parts(terms, formula);
        if products.is_empty() {
            return formula;
        }
        let mut substitution = Substitution::new();
        for product in products {
            let unknown = match self.unknowns.get(&product) {
                Some(unknown) => *unknown,
                None => {
                    let unknown = terms.fresh_variable("product", terms.sort(product));
                    self.unknowns.insert(product, unknown);
                    unknown
                }
            };
            substitution.insert(terms, product, unknown);
        }
        terms.substitute(formula, &substitution)
    }

    /// Several formulas, and that squares are not negative.
    pub fn linear_formulas(&mut self, terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
        let mut result: Vec<TermId> = formulas.iter().map(|formula| self.formula(terms, *formula)).collect();
        let mut squares: Vec<TermId> = Vec::new();
        for formula in formulas {
            for product in nonlinear_parts(terms, *formula) {
                if is_square(terms, product) && !squares.contains(&product) {
                    squares.push(product);
                }
            }
        }
        for square in squares {
            if let Some(unknown) = self.unknowns.get(&square).copied() {
                let zero = if terms.sort(square) == SortId::INT {
                    terms.integer(0)
                } else {
                    terms.real(num_traits::Zero::zero())
                };
                result.push(terms.less_or_equal(zero, unknown));
            }
        }
        result
    }
}

/// Z3's nonlinear arithmetic is asked about products of at most so many factors. With more it computes roots of bounds with
/// millions of digits, during which neither limits nor interruptions count.
const FACTORS: usize = 3;

/// The formulas that Z3's nonlinear arithmetic may be asked about.
pub(super) fn tractable(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut chosen = formulas.to_vec();
    chosen.retain(|formula| is_tractable(terms, *formula));
    chosen
}

/// Whether Z3's nonlinear arithmetic may be asked about a formula.
pub(super) fn is_tractable(terms: &Terms, formula: TermId) -> bool {
    let mut products = nonlinear_parts(terms, formula).into_iter();
    products.all(|product| terms.arguments(product).len() <= FACTORS)
}

/// The outermost parts of a formula that are not linear, in the order of their ids.
fn nonlinear_parts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let arguments = terms.arguments(term);
        let number = |position: usize| {
            arguments
                .get(position)
                .is_some_and(|part| terms.number_value(*part).is_some())
        };
        let nonlinear = match terms.operator(term) {
            Operator::Multiply => terms.is_product(term),
            Operator::Divide | Operator::IntegerDivide | Operator::Modulo => !number(1),
            _ => false,
        };
        if nonlinear {
            found.push(term);
        } else {
            stack.extend_from_slice(arguments);
        }
    }
    found.sort();
    found
}

/// Whether every factor of a product occurs an even number of times.
fn is_square(terms: &Terms, product: TermId) -> bool {
    let factors = terms.arguments(product);
    terms.operator(product) == Operator::Multiply
        && factors.iter().all(|factor| {
            factors
                .iter()
                .filter(|other| *other == factor)
                .count()
                .is_multiple_of(2)
        })
}
