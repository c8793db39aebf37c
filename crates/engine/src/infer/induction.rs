//! Proof by induction: the strongest subset of the candidates that is inductive together (Houdini).
//!
//! A candidate stays as long as every step into its place establishes it, given all candidates at the step's source that
//! are still there. An obligation is tried, cheapest first:
//!
//! 1. an equality, by reducing what it becomes under the step modulo the equalities at the source and in the guard
//!    ([`super::ideal`]): exact, and enough for most nonlinear loops;
//! 2. by a linear solver to which products are unknowns of their own: what holds for any values holds for the products;
//! 3. by Z3's nonlinear arithmetic, within a limit.
//!
//! What none of these proves is given up; it may hold all the same.

use super::candidate::{Candidate, Shape};
use super::divisibility::is_impossible;
use super::ideal::{Ideal, IdealLimits};
use super::linearize::{Linearizer, is_tractable, tractable};
use super::progressions::{first_level, one_level};
use super::steps::Step;
use super::work::{QUESTION, Stop};
use crate::polynomials::Polynomial;
use crate::rules::{PredicateId, Program};
use crate::solver::{Answer, LayeredSolver};
use crate::terms::{Comparison, Rational, Substitution, TermId, Terms};
use num_traits::One;
use std::collections::BTreeMap;
use std::time::Instant;

/// Z3's units for a linear and for a nonlinear query: fractions of a second.
const LINEAR_RESOURCES: u32 = 1_500_000;
const NONLINEAR_RESOURCES: u32 = 1_500_000;
/// The same where an answer makes the output shorter and nothing else.
const CURSORY_RESOURCES: u32 = 150_000;
/// An equality becomes a polynomial of at most this many monomials under a step, or it is not looked at.
pub(super) const COMPOSED: usize = 3000;
/// Equalities up to this degree are simple.
const SIMPLE_DEGREE: u32 = 2;
/// Longer equalities are not given to solvers as hypotheses.
const SHORT: usize = 14;

/// A prover for one program.
pub(super) struct Induction<'a> {
    pub(super) program: &'a Program,
    pub(super) steps: &'a [Step],
    pub(super) linear: LayeredSolver,
    nonlinear: LayeredSolver,
    cursory: LayeredSolver,
    pub(super) linearizer: Linearizer,
    stop: Stop<'a>,
    /// When questions about products end; what they have not proved by then is open.
    products_until: Option<Instant>,
}

/// A set of candidates on the way to an inductive one.
struct Round<'a> {
    candidates: &'a [Candidate],
    alive: Vec<bool>,
    /// How often something was given up at a predicate.
    version: Vec<usize>,
    /// For a step and a candidate at its target: the version of the source at which the step was proved.
    proved: BTreeMap<(usize, usize), usize>,
}

impl Round<'_> {
    fn at(&self, place: PredicateId) -> Vec<usize> {
        let here = |index: &usize| self.alive[*index] && self.candidates[*index].place == place;
        (0..self.candidates.len()).filter(here).collect()
    }
}

/// What is known before a step, over its variables.
#[derive(Default)]
pub(super) struct Hypotheses {
    /// As formulas, but for equalities so long that solvers gain nothing from them.
    pub formulas: Vec<TermId>,
    /// Polynomials that are zero.
    equalities: Vec<Polynomial>,
    /// Applications of functions that hold, of which the formulas have the first level.
    applications: Vec<TermId>,
}

impl Hypotheses {
    /// Adds a formula; `equality` is what it says is zero, if it says that.
    pub fn add(&mut self, terms: &mut Terms, formula: TermId, equality: Option<Polynomial>) {
        let plain = first_level(terms, formula);
        if plain != formula {
            self.applications.push(formula);
        }
        if equality
            .as_ref()
            .is_none_or(|polynomial| polynomial.term_count() <= SHORT)
        {
            self.formulas.push(plain);
        }
        self.equalities.extend(equality);
    }
}

impl<'a> Induction<'a> {
    /// A prover over the steps of a program. When `stop` says so, everything open is given up.
    pub fn new(program: &'a Program, steps: &'a [Step], stop: Stop<'a>) -> Induction<'a> {
        Induction {
            program,
            steps,
            linear: LayeredSolver::new(LINEAR_RESOURCES),
            nonlinear: LayeredSolver::new(NONLINEAR_RESOURCES),
            cursory: LayeredSolver::new(CURSORY_RESOURCES),
            linearizer: Linearizer::default(),
            stop,
            products_until: None,
        }
    }

    /// The same prover, which asks no more about products from then on.
    pub fn with_products_until(self, end: Instant) -> Induction<'a> {
        Induction {
            products_until: Some(end),
            ..self
        }
    }

    /// Which candidates belong to the strongest inductive subset that can be proved. Those marked in `base` are known to be
    /// inductive together.
    pub fn inductive(&mut self, terms: &mut Terms, candidates: &[Candidate], base: &[bool]) -> Vec<bool> {
        let mut proved = base.to_vec();
        let simple = |candidate: &Candidate| match &candidate.shape {
            Shape::Equality(polynomial) => polynomial.degree() <= SIMPLE_DEGREE && polynomial.term_count() <= SHORT,
            Shape::Auxiliary => false,
            _ => true,
        };
        // What is simple is proved by simple means first, so that it is there however long the rest takes.
        for (only_simple, nonlinear) in [(true, false), (false, false), (false, true)] {
            let tried = |index: usize| proved[index] || !only_simple || simple(&candidates[index]);
            let alive: Vec<bool> = (0..candidates.len()).map(tried).collect();
            if alive == proved {
                continue;
            }
            let mut round = Round {
                candidates,
                alive,
                version: vec![0; self.program.predicates().len()],
                proved: BTreeMap::new(),
            };
            if self.fixpoint(terms, &mut round, &proved, nonlinear) {
                proved = round.alive;
            }
        }
        proved
    }

    /// Gives up candidates until the rest is inductive; false if it was stopped before that.
    fn fixpoint(&mut self, terms: &mut Terms, round: &mut Round<'_>, base: &[bool], nonlinear: bool) -> bool {
        loop {
            let mut changed = false;
            for index in 0..self.steps.len() {
                let is_late = || self.products_until.is_some_and(|until| Instant::now() >= until);
                if (self.stop)(QUESTION) || nonlinear && is_late() {
                    return false;
                }
                let step = &self.steps[index];
                let Some(target) = step.target else {
                    continue;
                };
                let version = round.version[step.source.index()];
                let mut goals = round.at(target);
                goals.retain(|goal| !base[*goal] && round.proved.get(&(index, *goal)) != Some(&version));
                if goals.is_empty() {
                    continue;
                }
                let mut known = Hypotheses::default();
                for hypothesis in round.at(step.source) {
                    let candidate = &round.candidates[hypothesis];
                    known.add(terms, candidate.formula, candidate.equality().cloned());
                }
                let failed = self.check(terms, step, round.candidates, &known, &goals, nonlinear);
                for goal in goals {
                    if failed.contains(&goal) {
                        round.alive[goal] = false;
                        round.version[target.index()] += 1;
                        changed = true;
                    } else {
                        round.proved.insert((index, goal), version);
                    }
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// The goals that a step does not establish, as far as can be told.
    pub(super) fn check(
        &mut self,
        terms: &mut Terms,
        step: &Step,
        candidates: &[Candidate],
        known: &Hypotheses,
        goals: &[usize],
        nonlinear: bool,
    ) -> Vec<usize> {
        let Some(target) = step.target else {
            return Vec::new();
        };
        let parameters = &self.program.predicate(target).parameters;
        let substitution = Substitution::of(terms, parameters, &step.updates);
        let mut open: Vec<(usize, TermId)> = Vec::new();
        for goal in goals {
            let formula = terms.substitute(candidates[*goal].formula, &substitution);
            if formula != TermId::TRUE {
                open.push((*goal, formula));
            }
        }
        let (recurring, open): (Vec<_>, Vec<_>) = open
            .into_iter()
            .partition(|(_, formula)| !terms.applications(&[*formula]).is_empty());
        let mut failed = self.check_recurring(terms, step, known, &recurring);
        let mut store = step.guard.clone();
        store.extend(&known.formulas);
        // What is established so says something to the others.
        for (goal, formula) in recurring {
            if !failed.contains(&goal) {
                store.push(first_level(terms, formula));
            }
        }
        failed.extend(self.check_plain(terms, step, candidates, (&known.equalities, store), open, nonlinear));
        failed
    }

    /// The goals with functions inside that a step does not establish, by the functions' definitions.
    fn check_recurring(
        &mut self,
        terms: &mut Terms,
        step: &Step,
        known: &Hypotheses,
        goals: &[(usize, TermId)],
    ) -> Vec<usize> {
        let mut store = step.guard.clone();
        store.extend(known.formulas.iter().chain(&known.applications));
        let mut failed = Vec::new();
        for (goal, formula) in goals {
            let denial = terms.not(*formula);
            let all = [&store[..], &[denial]].concat();
            let said = one_level(terms, &all);
            let known = self.linearizer.linear_formulas(terms, &[&store[..], &said].concat());
            let denial = self.linearizer.formula(terms, denial);
            if self.linear.check(terms, &known, &[denial]) != Answer::Unsatisfiable {
                failed.push(*goal);
            }
        }
        failed
    }

    /// The same of goals without functions, each given as it is after the step.
    fn check_plain(
        &mut self,
        terms: &mut Terms,
        step: &Step,
        candidates: &[Candidate],
        (equalities, store): (&[Polynomial], Vec<TermId>),
        mut open: Vec<(usize, TermId)>,
        nonlinear: bool,
    ) -> Vec<usize> {
        if open.is_empty() {
            return Vec::new();
        }
        let mut ideal = Ideal::new(equalities.iter().chain(&step.zero).cloned(), IdealLimits::default());
        open.retain(|(goal, _)| !follows(step, &ideal, &candidates[*goal]));
        if open.is_empty() {
            return Vec::new();
        }

        let linear_store = self.linearizer.linear_formulas(terms, &store);
        let linear_goals: Vec<(usize, TermId)> = open
            .iter()
            .map(|(goal, formula)| (*goal, self.linearizer.formula(terms, *formula)))
            .collect();
        let unproved = prove(&mut self.linear, terms, &linear_store, linear_goals);
        open.retain(|(goal, _)| unproved.contains(goal));
        if open.is_empty() {
            return Vec::new();
        }

        if open.iter().any(|(goal, _)| candidates[*goal].equality().is_some()) {
            if is_impossible(terms, step, equalities) {
                return Vec::new();
            }
            let mut generators: Vec<Polynomial> = equalities.iter().chain(&step.zero).cloned().collect();
            generators.extend(self.implied_equalities(terms, step, &linear_store));
            let inverses = step.nonzero.iter().enumerate().map(|(position, polynomial)| {
                // What is not zero has an inverse; the new variable stands for it.
                let inverse = Polynomial::variable((1 << 20) + position as u32);
                polynomial.times(&inverse).minus(&Polynomial::constant(Rational::one()))
            });
            for further in [Vec::new(), inverses.collect()] {
                generators.extend(further);
                ideal = Ideal::new(generators.iter().cloned(), IdealLimits::default());
                open.retain(|(goal, _)| !follows(step, &ideal, &candidates[*goal]));
                if open.iter().all(|(goal, _)| candidates[*goal].equality().is_none()) {
                    break;
                }
                ideal.complete();
                open.retain(|(goal, _)| !follows(step, &ideal, &candidates[*goal]));
            }
        }
        if nonlinear && !open.is_empty() {
            let store = tractable(terms, &store);
            let (asked, others): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, goal)| is_tractable(terms, *goal));
            let unproved = prove(&mut self.nonlinear, terms, &store, asked.clone());
            open = asked;
            open.retain(|(goal, _)| unproved.contains(goal));
            open.extend(others);
        }
        open.into_iter().map(|(goal, _)| goal).collect()
    }

    /// Inequalities of the guard that can only hold with equality: at the exit of `while (c < k)` under `c <= k`, `c = k`.
    fn implied_equalities(&mut self, terms: &mut Terms, step: &Step, store: &[TermId]) -> Vec<Polynomial> {
        let mut implied = Vec::new();
        // What they number anew must have the same number in all of them.
        let mut indeterminates = step.indeterminates.clone();
        for formula in &step.guard {
            let Some(linear) = terms.linear_atom(*formula) else {
                continue;
            };
            if linear.comparison != Comparison::LessOrEqual {
                continue;
            }
            let sort = terms.arguments(*formula).first().map(|side| terms.sort(*side));
            let Some(sort) = sort else {
                continue;
            };
            let strict = terms.linear_formula(&linear.form, Comparison::Less, sort);
            let strict = self.linearizer.formula(terms, strict);
            if self.linear.check(terms, store, &[strict]) == Answer::Unsatisfiable {
                let term = terms.linear_term(&linear.form, sort);
                implied.push(indeterminates.polynomial(terms, term));
            }
        }
        implied
    }

    /// Whether nothing satisfies all of these: the guard of a step into the error, and what is known before it.
    pub fn excludes(&mut self, terms: &mut Terms, store: &[TermId]) -> bool {
        let store: Vec<TermId> = store.iter().map(|formula| first_level(terms, *formula)).collect();
        let store = &store[..];
        let linear_store = self.linearizer.linear_formulas(terms, store);
        self.linear.check(terms, &linear_store, &[]) == Answer::Unsatisfiable
            || self.nonlinear.check(terms, &tractable(terms, store), &[]) == Answer::Unsatisfiable
    }

    /// Whether some formulas about one place imply another, as far as can be told cheaply, and before the time is up; with
    /// products, if they matter.
    pub fn implied(&mut self, terms: &mut Terms, known: &[TermId], formula: TermId) -> bool {
        if (self.stop)(QUESTION) {
            return false;
        }
        let store = self.linearizer.linear_formulas(terms, known);
        let denial = terms.not(formula);
        let linear_denial = self.linearizer.formula(terms, denial);
        if self.linear.check(terms, &store, &[linear_denial]) == Answer::Unsatisfiable {
            return true;
        }
        let products = store != known || linear_denial != denial;
        let asked = products && is_tractable(terms, denial);
        asked && self.cursory.check(terms, &tractable(terms, known), &[denial]) == Answer::Unsatisfiable
    }
}

/// Whether an equality holds after a step because of the equalities before it.
fn follows(step: &Step, ideal: &Ideal, candidate: &Candidate) -> bool {
    let Some(polynomial) = candidate.equality() else {
        return false;
    };
    let update = |variable: u32| {
        step.update_polynomials
            .get(variable as usize)
            .cloned()
            .unwrap_or_default()
    };
    let composed = polynomial.compose(&update, COMPOSED);
    composed.is_some_and(|goal| ideal.has_member(&goal))
}

/// The goals that the store is not proved to imply.
fn prove(solver: &mut LayeredSolver, terms: &mut Terms, store: &[TermId], goals: Vec<(usize, TermId)>) -> Vec<usize> {
    let mut unproved = Vec::new();
    let mut open = goals;
    while !open.is_empty() {
        let denials: Vec<TermId> = open.iter().map(|(_, formula)| terms.not(*formula)).collect();
        let some_fails = terms.or(&denials);
        let mut all = store.to_vec();
        all.push(some_fails);
        let variables = terms.variables_of_all(&all);
        match solver.check_model(terms, store, &[some_fails], &variables) {
            (Answer::Unsatisfiable, _) => break,
            (Answer::Satisfiable, Some(values)) => {
                let before = open.len();
                open.retain(|(goal, formula)| {
                    let holds = terms.holds(*formula, &values) == Some(true);
                    if !holds {
                        unproved.push(*goal);
                    }
                    holds
                });
                if open.len() == before {
                    unproved.extend(open.drain(..).map(|(goal, _)| goal));
                }
            }
            _ if open.len() == 1 => unproved.extend(open.drain(..).map(|(goal, _)| goal)),
            _ => {
                // Too much at once: one by one.
                for (goal, formula) in std::mem::take(&mut open) {
                    let denial = terms.not(formula);
                    if solver.check(terms, store, &[denial]) != Answer::Unsatisfiable {
                        unproved.push(goal);
                    }
                }
            }
        }
    }
    unproved
}

#[cfg(test)]
mod tests {
    use super::super::steps::Partial;
    use super::*;
    use crate::rules::RuleId;
    use crate::terms::SortId;

    /// `A =< X =< A` and `B =< Y =< B` say that X = A and Y = B. Nothing of that says that X = Y.
    #[test]
    fn implied_equalities_share_one_numbering() {
        let mut program = Program::new();
        let q = program.add_predicate("q", None, &[("X", SortId::INT), ("Y", SortId::INT)]);
        let parameters = program.predicate(q).parameters.clone();
        let mut terms = program.terms.clone();
        let [a, b, x, y] = ["A", "B", "X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
        let mut guard = Vec::new();
        for (first, second) in [(a, x), (b, y)] {
            guard.push(terms.less_or_equal(first, second));
            guard.push(terms.less_or_equal(second, first));
        }
        let partial = Partial {
            guard,
            updates: vec![x, y],
        };
        let ends = (PredicateId::QUERY, Some(q));
        let steps = [Step::new(&mut terms, &[], ends, RuleId::from_index(0), partial)];
        let difference = Polynomial::variable(0).minus(&Polynomial::variable(1));
        let candidate = Candidate {
            place: q,
            shape: Shape::Equality(difference),
            formula: terms.equal(parameters[0], parameters[1]),
            over_parameters: true,
        };
        let never = |_| false;
        let mut induction = Induction::new(&program, &steps, &never);
        assert_eq!(induction.inductive(&mut terms, &[candidate], &[false]), [false]);
    }
}
