//! `satisfiable` of seed 002: whether a path condition has a solution, with universal quantifiers over iterations.
//!
//! 1. Instances of the quantifiers at terms that occur are consequences of them: if they contradict the rest, the answer is no.
//! 2. Few iterations are tried: a model of the instances is tested by evaluating every iteration, and each iteration that fails
//!    becomes a new instance. A model that passes is a solution.
//! 3. What is left is given to Z3 with its quantifiers, and a limit.
//!
//! Nothing is concluded from a solver that gives up.

use super::context::Context;
use super::quantified::at;
use super::state::Quantified;
use crate::solver::{Answer, LimitedSolver, Z3Translator};
use crate::terms::{Assignment, Operator, Rational, TermId, Value};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::time::Instant;
use z3::ast::{Ast, Bool, Int, forall_const};
use z3::{SatResult, Solver};

/// How many iterations are tried, more and more; in the end any number.
const ITERATIONS: [Option<u32>; 5] = [Some(2), Some(10), Some(40), Some(400), None];
/// Up to so many iterations it is asked whether their instances exclude every number of iterations.
const FEW: u32 = 10;
/// So many instances are made at once, one for each iteration.
const WRITTEN_OUT: usize = 800;
/// More iterations than this are tried only where a solution is asked for.
const FOR_SOLUTIONS: u32 = 100;
/// How often a model is refuted for one number of iterations.
const ROUNDS: usize = 16;
/// How many instances are made of a quantifier at the terms that occur.
const OCCURRENCES: usize = 24;
/// How many refuting iterations become instances at once.
const REFUTATIONS: usize = 4;
/// More iterations than this are not evaluated.
const EVALUATED: u64 = 200_000;
/// How many iterations are evaluated between two looks at the limits.
const EVALUATED_BETWEEN_LOOKS: u64 = 256;
/// Z3's units for a query with quantifiers.
const QUANTIFIED_RESOURCES: u32 = 3_000_000;

/// What is known of a path condition.
#[derive(Clone, Debug)]
pub(super) enum Satisfiability {
    /// It has a solution; here it is, if one was asked for and can be written down exactly.
    Satisfiable(Option<Assignment>),
    /// It has none.
    Unsatisfiable,
    /// Nothing is known.
    Unknown,
}

/// What testing a model came to.
enum Tested {
    Holds,
    Refuted(Vec<TermId>),
    Unclear,
}

impl Context<'_> {
    /// Whether a conjunction has a solution.
    pub fn satisfiable(&mut self, facts: &[TermId], residual: &[Quantified]) -> Satisfiability {
        if facts.contains(&TermId::FALSE) {
            return Satisfiability::Unsatisfiable;
        }
        let simple = residual.is_empty() && !self.needs_care(facts);
        if !simple {
            return self.search_model(facts, residual, false);
        }
        match self.solver.check(&self.terms, facts, &[]) {
            Answer::Satisfiable => Satisfiability::Satisfiable(None),
            Answer::Unsatisfiable => Satisfiability::Unsatisfiable,
            Answer::Unknown => Satisfiability::Unknown,
        }
    }

    /// Whether a conjunction has a solution, and which; one with small values of the counters if possible.
    pub fn solution(&mut self, facts: &[TermId], residual: &[Quantified], counters: &[TermId]) -> Satisfiability {
        if facts.contains(&TermId::FALSE) {
            return Satisfiability::Unsatisfiable;
        }
        if !residual.is_empty() || self.needs_care(facts) {
            return self.search_model(facts, residual, true);
        }
        let variables = self.terms.variables_of_all(facts);
        for limit in [2u32, 30, 1000, 100_000] {
            if counters.is_empty() {
                break;
            }
            let small: Vec<TermId> = counters.iter().map(|counter| self.at_most(*counter, limit)).collect();
            let (answer, model) = self.solver.check_model(&self.terms, facts, &small, &variables);
            if answer == Answer::Satisfiable && model.is_some() {
                return Satisfiability::Satisfiable(model);
            }
        }
        match self.solver.check_model(&self.terms, facts, &[], &variables) {
            (Answer::Satisfiable, model) => Satisfiability::Satisfiable(model),
            (Answer::Unsatisfiable, _) => Satisfiability::Unsatisfiable,
            (Answer::Unknown, _) => Satisfiability::Unknown,
        }
    }

    /// Whether formulas have symbols with a meaning that the solver does not know.
    pub fn needs_care(&self, formulas: &[TermId]) -> bool {
        if self.powers.is_empty() && self.arrays.none_is_defined() {
            return false;
        }
        let variables = self.terms.variables_of_all(formulas);
        let known =
            |variable: &TermId| self.powers.contains_key(variable) || self.arrays.definition_of(*variable).is_some();
        variables.iter().any(known)
    }

    fn at_most(&mut self, term: TermId, limit: u32) -> TermId {
        let limit = self.terms.integer(limit);
        self.terms.less_or_equal(term, limit)
    }

    fn search_model(&mut self, facts: &[TermId], residual: &[Quantified], wants_model: bool) -> Satisfiability {
        let mut instances = self.instances_at_occurrences(facts, residual);
        let mut roots = facts.to_vec();
        roots.extend(residual.iter().flat_map(|quantified| quantified.body.iter().copied()));
        instances.extend(self.facts_of_powers(&roots));
        match self.solver.check(&self.terms, facts, &instances) {
            Answer::Unsatisfiable => return Satisfiability::Unsatisfiable,
            Answer::Unknown if residual.is_empty() => return Satisfiability::Unknown,
            _ => {}
        }
        roots.extend(residual.iter().map(|quantified| quantified.bound));
        let mut variables = self.terms.variables_of_all(&roots);
        variables.retain(|variable| !residual.iter().any(|quantified| quantified.variable == *variable));
        // A defined array that is not read element by element is one that the solver knows nothing of.
        let opaque = variables
            .iter()
            .any(|variable| self.arrays.definition_of(*variable).is_some());
        let mut settled = opaque;
        let mut written = 0;
        for limit in ITERATIONS {
            let many = limit.is_none_or(|limit| limit > FOR_SOLUTIONS);
            if settled || (many && !wants_model) || self.should_stop() {
                break;
            }
            if let Some(limit) = limit
                && residual.len() * limit as usize <= WRITTEN_OUT
            {
                for quantified in residual {
                    for iteration in written..limit {
                        let iteration = self.terms.integer(iteration);
                        instances.extend(self.instance(quantified, iteration));
                    }
                }
                written = limit;
            }
            let bounds: Vec<TermId> = residual.iter().map(|quantified| quantified.bound).collect();
            let small: Vec<TermId> = match limit {
                Some(limit) => bounds.into_iter().map(|bound| self.at_most(bound, limit)).collect(),
                None => Vec::new(),
            };
            for _ in 0..ROUNDS {
                if self.should_stop() {
                    settled = true;
                    break;
                }
                // The bounds come last, so that the solver keeps what it knows of the rest when they change.
                let extra: Vec<TermId> = instances.iter().chain(&small).copied().collect();
                let (answer, model) = self.solver.check_model(&self.terms, facts, &extra, &variables);
                let Some(mut model) = model.filter(|_| answer == Answer::Satisfiable) else {
                    // Without a model that can be read, more iterations will not help either.
                    settled = answer != Answer::Unsatisfiable;
                    break;
                };
                match self.test(facts, residual, &roots, &mut model) {
                    Tested::Holds => return Satisfiability::Satisfiable(Some(model)),
                    Tested::Refuted(more) => instances.extend(more),
                    Tested::Unclear => {
                        settled = true;
                        break;
                    }
                }
            }
            if residual.is_empty() {
                break;
            }
            // What the instances of few iterations exclude needs none of more.
            let few = limit.is_some_and(|limit| limit <= FEW);
            if few && !settled && self.solver.check(&self.terms, facts, &instances) == Answer::Unsatisfiable {
                return Satisfiability::Unsatisfiable;
            }
        }
        if self.solver.check(&self.terms, facts, &instances) == Answer::Unsatisfiable {
            return Satisfiability::Unsatisfiable;
        }
        match self.quantified_query(facts, residual, &instances) {
            Answer::Unsatisfiable => Satisfiability::Unsatisfiable,
            Answer::Satisfiable if !opaque && !wants_model && !self.needs_care(&roots) => {
                Satisfiability::Satisfiable(None)
            }
            _ => Satisfiability::Unknown,
        }
    }

    /// Evaluates everything under a model, every iteration included.
    fn test(&mut self, facts: &[TermId], residual: &[Quantified], roots: &[TermId], model: &mut Assignment) -> Tested {
        let Some(corrections) = self.correct_powers(roots, residual, model) else {
            return Tested::Unclear;
        };
        let mut refuting = Vec::new();
        for fact in facts {
            match self.terms.holds(*fact, model) {
                Some(true) => {}
                // Only a power can have another value than the solver believes.
                Some(false) if !corrections.is_empty() => refuting.extend(corrections.iter().copied()),
                _ => return Tested::Unclear,
            }
        }
        for quantified in residual {
            let Some(Value::Number(bound)) = self.terms.evaluate(quantified.bound, model) else {
                return Tested::Unclear;
            };
            if bound > Rational::from_integer(EVALUATED.into()) {
                return Tested::Unclear;
            }
            let mut refuted = 0;
            let mut iteration = BigInt::zero();
            let end = bound.to_integer();
            let mut evaluated: u64 = 0;
            while iteration < end && refuted < REFUTATIONS {
                evaluated += 1;
                if evaluated.is_multiple_of(EVALUATED_BETWEEN_LOOKS) && self.budget.interruption().is_some() {
                    return Tested::Unclear;
                }
                let value = Value::Number(Rational::from_integer(iteration.clone()));
                model.insert(quantified.variable, value);
                for conjunct in &quantified.body {
                    match self.terms.holds(*conjunct, model) {
                        Some(true) => {}
                        Some(false) => {
                            refuted += 1;
                            let term = self.terms.integer(iteration.clone());
                            refuting.extend(self.instance(quantified, term));
                            refuting.extend(corrections.iter().copied());
                        }
                        None => return Tested::Unclear,
                    }
                }
                iteration += BigInt::one();
            }
            model.remove(&quantified.variable);
        }
        refuting.sort();
        refuting.dedup();
        if refuting.is_empty() {
            return Tested::Holds;
        }
        Tested::Refuted(refuting)
    }

    /// `0 ≤ term < bound → body(term)`.
    fn instance(&mut self, quantified: &Quantified, term: TermId) -> Vec<TermId> {
        let zero = self.terms.integer(0);
        let (from, to) = (
            self.terms.less_or_equal(zero, term),
            self.terms.less(term, quantified.bound),
        );
        let inside = self.terms.and(&[from, to]);
        let body = at(&mut self.terms, &quantified.body, quantified.variable, term);
        let body = self.arrays.expand_all(&mut self.terms, &body);
        let mut instances: Vec<TermId> = Vec::new();
        for formula in body {
            let instance = self.terms.implies(inside, formula);
            if instance != TermId::TRUE {
                instances.push(instance);
            }
        }
        instances
    }

    /// Instances at the first and the last iteration, and where an element is read that the rest reads too.
    fn instances_at_occurrences(&mut self, facts: &[TermId], residual: &[Quantified]) -> Vec<TermId> {
        let ground = self.reads(facts);
        let mut instances = Vec::new();
        for quantified in residual {
            let (zero, one) = (self.terms.integer(0), self.terms.integer(1));
            let mut places = vec![zero, self.terms.subtract(quantified.bound, one)];
            for (array, index) in self.reads(&quantified.body) {
                let form = self.terms.linear_form(index);
                let slope = form.coefficient(quantified.variable);
                let mut rest = form.clone();
                rest.terms.retain(|(term, _)| *term != quantified.variable);
                let others: Vec<TermId> = rest.terms.iter().map(|(term, _)| *term).collect();
                let nested = self.terms.variables_of_all(&others).contains(&quantified.variable);
                if !slope.abs().is_one() || nested {
                    continue;
                }
                for (other, at) in &ground {
                    if *other == array {
                        let difference = self.terms.linear_form(*at).add_scaled(&rest, &-Rational::one());
                        let place = self
                            .terms
                            .linear_term(&difference.scaled(&slope), self.terms.sort(index));
                        places.push(place);
                    }
                }
            }
            let mut seen = Vec::new();
            for place in places {
                if seen.len() < OCCURRENCES && !seen.contains(&place) {
                    seen.push(place);
                    instances.extend(self.instance(quantified, place));
                }
            }
        }
        instances
    }

    /// The reads of arrays at integers, inside some formulas.
    pub fn reads(&self, roots: &[TermId]) -> Vec<(TermId, TermId)> {
        let mut reads = Vec::new();
        for current in self.terms.subterms(roots) {
            if let (Operator::Select, &[array, index]) = (self.terms.operator(current), self.terms.arguments(current))
                && self.terms.sort(index) == crate::terms::SortId::INT
            {
                reads.push((array, index));
            }
        }
        reads
    }

    /// Asks Z3 about the formulas as they are, with their quantifiers.
    fn quantified_query(&mut self, facts: &[TermId], residual: &[Quantified], instances: &[TermId]) -> Answer {
        if residual.is_empty() || self.should_stop() {
            return Answer::Unknown;
        }
        let started = Instant::now();
        let answer = self.ask_with_quantifiers(facts, residual, instances);
        self.solver.count_beside(answer, started.elapsed());
        answer
    }

    fn ask_with_quantifiers(&mut self, facts: &[TermId], residual: &[Quantified], instances: &[TermId]) -> Answer {
        let mut solver = LimitedSolver::new(Solver::new(), self.query_resources.min(QUANTIFIED_RESOURCES));
        let mut translator = Z3Translator::new();
        for formula in facts.iter().chain(instances) {
            match translator.formula(&self.terms, *formula) {
                Some(formula) => solver.assert(&formula),
                None => return Answer::Unknown,
            }
        }
        for quantified in residual {
            let body = self.terms.and(&quantified.body);
            let variable = translator
                .term(&self.terms, quantified.variable)
                .and_then(|term| term.as_int());
            let bound = translator
                .term(&self.terms, quantified.bound)
                .and_then(|term| term.as_int());
            let body = translator.formula(&self.terms, body);
            let (Some(variable), Some(bound), Some(body)) = (variable, bound, body) else {
                return Answer::Unknown;
            };
            let inside = Bool::and(&[variable.ge(Int::from_i64(0)), variable.lt(&bound)]);
            let bound_variables: [&dyn Ast; 1] = [&variable];
            solver.assert(forall_const(&bound_variables, &[], &inside.implies(&body)));
        }
        match solver.answer(&[]) {
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat => Answer::Satisfiable,
            SatResult::Unknown => Answer::Unknown,
        }
    }
}
