//! Comparing with invariants that are known from elsewhere: whether what was found implies a formula.

use super::candidate::Shape;
use super::expression::parse_formula;
use super::ideal::{Ideal, IdealLimits};
use super::inference::{FoundInvariant, Inference, PlaceInvariants, Status};
use super::linearize::Linearizer;
use super::polynomial::{Indeterminates, Polynomial};
use crate::solver::{Answer, LayeredSolver};
use crate::terms::{Comparison, SortId, TermId, Terms};

/// Z3's units for one question.
const RESOURCES: u32 = 5_000_000;

impl Inference {
    /// Whether the invariants of a place imply a formula in C's notation: with what certainty, or `None` if they are not
    /// known to.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong with the formula.
    pub fn implies(&self, place: &PlaceInvariants, formula: &str) -> Result<Option<Status>, String> {
        let mut terms = self.terms.clone();
        let parameters = self.program.predicate(place.place).parameters.clone();
        let formula = parse_formula(&mut terms, &parameters, &place.names, formula)?;
        let proved = |found: &&FoundInvariant| found.status == Status::Proved;
        let certain: Vec<&FoundInvariant> = place.invariants.iter().filter(proved).collect();
        let all: Vec<&FoundInvariant> = place.invariants.iter().collect();
        for (known, status) in [(certain, Status::Proved), (all, Status::Seen)] {
            let conjuncts = terms.conjuncts(formula);
            if conjuncts
                .iter()
                .all(|conjunct| implied(&mut terms, &parameters, &known, *conjunct))
            {
                return Ok(Some(status));
            }
        }
        Ok(None)
    }
}

fn implied(terms: &mut Terms, parameters: &[TermId], known: &[&FoundInvariant], goal: TermId) -> bool {
    let equality = terms
        .linear_atom(goal)
        .filter(|linear| linear.comparison == Comparison::Equal);
    if let Some(linear) = equality {
        let sort = terms
            .arguments(goal)
            .first()
            .map_or(SortId::INT, |side| terms.sort(*side));
        let term = terms.linear_term(&linear.form, sort);
        let polynomial = Indeterminates::new(parameters).polynomial(terms, term);
        let generators = known.iter().filter_map(|found| match &found.shape {
            Shape::Equality(polynomial) => Some(polynomial.clone()),
            _ => None,
        });
        let generators: Vec<Polynomial> = generators.collect();
        let mut ideal = Ideal::new(generators, IdealLimits::default());
        if ideal.contains(&polynomial) {
            return true;
        }
        ideal.complete();
        if ideal.contains(&polynomial) {
            return true;
        }
    }
    let store: Vec<TermId> = known.iter().map(|found| found.formula).collect();
    let denial = terms.not(goal);
    let mut solver = LayeredSolver::new(RESOURCES);
    let mut linearizer = Linearizer::default();
    let linear_store = linearizer.all(terms, &store);
    let linear_denial = linearizer.formula(terms, denial);
    solver.check(terms, &linear_store, &[linear_denial]) == Answer::Unsatisfiable
        || solver.check(terms, &store, &[denial]) == Answer::Unsatisfiable
}
