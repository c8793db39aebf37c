//! Comparing with invariants that are known from elsewhere: whether what was found implies a formula.

use super::candidate::Shape;
use super::complexity::Case;
use super::expression::parse_formula;
use super::ideal::{Ideal, IdealLimits};
use super::inference::{FoundInvariant, Inference, PlaceInvariants, Status};
use super::linearize::{Linearizer, is_tractable, tractable};
use super::steps::{Step, steps};
use crate::polynomials::{Indeterminates, Polynomial};
use crate::solver::{Answer, LayeredSolver};
use crate::steps::Transitions;
use crate::terms::{Comparison, SortId, Substitution, TermId, Terms};

/// Z3's units for one question.
const RESOURCES: u32 = 5_000_000;

impl Inference {
    /// Whether the invariants of a place, and cases of its iterations, imply a formula in C's notation: with what certainty,
    /// or `None` if they are not known to.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong with the formula.
    pub fn implies(&self, place: &PlaceInvariants, cases: &[Case], formula: &str) -> Result<Option<Status>, String> {
        let mut terms = self.terms.clone();
        let parameters = self.program.predicate(place.place).parameters.clone();
        let formula = parse_formula(&mut terms, &parameters, &place.names, formula)?;
        let proved = |found: &&FoundInvariant| found.status == Status::Proved;
        let certain: Vec<&FoundInvariant> = place.invariants.iter().filter(proved).collect();
        let all: Vec<&FoundInvariant> = place.invariants.iter().collect();
        for (found, status) in [(certain, Status::Proved), (all, Status::Seen)] {
            let mut known = Known::of(&found);
            for case in cases.iter().filter(|case| case.proved || status == Status::Seen) {
                known.formulas.extend(case.formula(&mut terms, &place.columns));
            }
            let conjuncts = terms.conjuncts(formula);
            if conjuncts
                .iter()
                .all(|conjunct| known.implies(&mut terms, &parameters, *conjunct))
            {
                return Ok(Some(status));
            }
        }
        Ok(None)
    }
}

/// Proves cases of iterations at one place: from what is proved there, or from what is proved before the last step.
pub(super) struct Comparer<'a> {
    inference: &'a Inference,
    place: &'a PlaceInvariants,
    terms: Terms,
    steps: Vec<Step>,
    proved: Known,
}

impl<'a> Comparer<'a> {
    /// For a place.
    pub fn new(inference: &'a Inference, place: &'a PlaceInvariants) -> Comparer<'a> {
        let certain = place.invariants.iter().filter(|found| found.status == Status::Proved);
        let mut terms = inference.terms.clone();
        let transitions = Transitions::new(&inference.program, &mut terms);
        let mut steps = steps(&inference.program, &mut terms, &transitions);
        steps.retain(|step| step.target == Some(place.place));
        Comparer {
            proved: Known::of(&certain.collect::<Vec<_>>()),
            inference,
            place,
            terms,
            steps,
        }
    }

    /// Whether the number of iterations is proved to be as a case says.
    pub fn proves(&mut self, case: &Case) -> bool {
        let Some(goal) = case.formula(&mut self.terms, &self.place.columns) else {
            return false;
        };
        let parameters = &self.inference.program.predicate(self.place.place).parameters;
        if self.proved.implies(&mut self.terms, parameters, goal) {
            return true;
        }
        let mut solver = LayeredSolver::new(RESOURCES);
        let mut linearizer = Linearizer::default();
        self.steps.iter().all(|step| {
            let before = self
                .inference
                .inductive
                .iter()
                .filter(|(place, _)| *place == step.source);
            let mut store = step.guard.clone();
            store.extend(before.map(|(_, formula)| *formula));
            let substitution = Substitution::of(&self.terms, parameters, &step.updates);
            let after = self.terms.substitute(goal, &substitution);
            store.push(self.terms.not(after));
            let linear = linearizer.linear_formulas(&mut self.terms, &store);
            solver.check(&self.terms, &linear, &[]) == Answer::Unsatisfiable
                || solver.check(&self.terms, &tractable(&self.terms, &store), &[]) == Answer::Unsatisfiable
        })
    }
}

/// What is known at a place.
struct Known {
    formulas: Vec<TermId>,
    equalities: Vec<Polynomial>,
}

impl Known {
    fn of(found: &[&FoundInvariant]) -> Known {
        let equality = |found: &&FoundInvariant| match &found.shape {
            Shape::Equality(polynomial) => Some(polynomial.clone()),
            _ => None,
        };
        Known {
            formulas: found.iter().map(|found| found.formula).collect(),
            equalities: found.iter().filter_map(equality).collect(),
        }
    }

    fn implies(&self, terms: &mut Terms, parameters: &[TermId], goal: TermId) -> bool {
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
            let mut ideal = Ideal::new(self.equalities.iter().cloned(), IdealLimits::default());
            if ideal.has_member(&polynomial) {
                return true;
            }
            ideal.complete();
            if ideal.has_member(&polynomial) {
                return true;
            }
        }
        let denial = terms.not(goal);
        let mut solver = LayeredSolver::new(RESOURCES);
        let mut linearizer = Linearizer::default();
        let linear_store = linearizer.linear_formulas(terms, &self.formulas);
        let linear_denial = linearizer.formula(terms, denial);
        solver.check(terms, &linear_store, &[linear_denial]) == Answer::Unsatisfiable
            || (is_tractable(terms, denial)
                && solver.check(terms, &tractable(terms, &self.formulas), &[denial]) == Answer::Unsatisfiable)
    }
}
