//! A proof of safety from what was inferred: where it excludes all errors, it is an invariant of the program.
//!
//! What is inferred is about loop headers and ends of runs. Between these predicates get what leads to nothing that is excluded: that
//! each of their rules that applies leads to where the next invariant holds.

use super::inference::{Inference, PlaceInvariants, Status};
use crate::evidence::{Certificate, Invariant};
use crate::graphs::groups;
use crate::rules::{PredicateId, Program, Rule};
use crate::terms::{Substitution, TermId, Terms};

/// So many formulas are said of predicates between places.
const MOST_FORMULAS: usize = 4_000;

/// What is to be said of a place.
type Formulas<'a> = &'a dyn Fn(&PlaceInvariants) -> Vec<TermId>;

impl Inference {
    /// Whether something that was proved speaks of functions, which only certificates define.
    pub(crate) fn recurs(&self) -> bool {
        let mut proved = self.inductive.iter();
        proved.any(|(_, formula)| !self.terms.applications(&[*formula]).is_empty())
    }

    /// Certificates that the program, of which this was inferred, is safe: of what is shown, and of all that was proved, which may be
    /// needed; none if what was proved by one step does not exclude all errors. Whoever relies on one checks it.
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::evidence::{CheckLimits, check_certificate};
    /// use clausal::infer::{Options, infer};
    ///
    /// // What is halved was doubled before, so that nothing is lost.
    /// let source = "
    ///     ?- N >= 1, up(N, 1).
    ///     up(N, P) :- P =< N, up(N, 2*P).
    ///     up(N, P) :- P > N, down(P).
    ///     down(P) :- P > 1, down(P div 2).
    ///     down(P) :- P > 1, P mod 2 = 1, error.";
    /// let program = clausal::clp::read(source).product.expect("no mistake in it");
    /// let options = Options { induction_depth: 1, ..Options::default() };
    /// let inference = infer(&program, &[], &options).expect("it can be run");
    /// let certificates = inference.certificates(&program);
    /// assert!(check_certificate(&program, &certificates[0], CheckLimits::default()).is_ok());
    /// ```
    pub fn certificates(&self, program: &Program) -> Vec<Certificate> {
        let excluded = self.assertions.iter().all(|(_, excluded)| *excluded);
        if program.has_calls() || self.induction_depth > 1 || !excluded {
            return Vec::new();
        }
        let shown = |place: &PlaceInvariants| {
            let proved = place.invariants.iter().filter(|found| found.status == Status::Proved);
            proved.map(|found| found.formula).collect()
        };
        let all = |place: &PlaceInvariants| {
            let here = self.inductive.iter().filter(|(other, _)| *other == place.place);
            here.map(|(_, formula)| *formula).collect()
        };
        let ways: [Formulas<'_>; 2] = [&shown, &all];
        ways.into_iter()
            .filter_map(|of| self.certificate(program, of))
            .collect()
    }

    /// The certificate of formulas at places; `None` if too much is to be said between them.
    fn certificate(&self, program: &Program, of: Formulas<'_>) -> Option<Certificate> {
        let mut terms = self.terms.clone();
        let count = program.predicates().len();
        let mut formulas: Vec<Option<Vec<TermId>>> = vec![None; count];
        formulas[PredicateId::ERROR.index()] = Some(vec![TermId::FALSE]);
        for place in self.places.iter().filter(|place| place.place.index() < count) {
            let inferred = &self.program.predicate(place.place).parameters;
            let original = &program.predicate(place.place).parameters;
            let renaming = Substitution::of(&terms, inferred, original);
            formulas[place.place.index()] = Some(terms.substitute_all(&of(place), &renaming));
        }
        let mut needs: Vec<Vec<usize>> = vec![Vec::new(); count];
        for rule in program.rules() {
            let head = rule.head.predicate.index();
            if formulas[head].is_none() {
                needs[head].extend(rule.body.iter().map(|atom| atom.predicate.index()));
            }
        }
        let mut count_between = 0;
        for predicate in groups(&needs).into_iter().flatten() {
            if formulas[predicate].is_some() || predicate == PredicateId::QUERY.index() {
                continue;
            }
            let id = PredicateId::from_index(predicate);
            let mut own = Vec::new();
            for rule in program.rules().iter().filter(|rule| rule.head.predicate == id) {
                own.extend(leads_on(program, &mut terms, &formulas, rule)?);
            }
            own.retain(|formula| *formula != TermId::TRUE);
            count_between += own.len();
            if count_between > MOST_FORMULAS {
                return None;
            }
            formulas[predicate] = Some(own);
        }
        let said = formulas.into_iter().enumerate().map(|(index, formulas)| Invariant {
            predicate: PredicateId::from_index(index),
            disjuncts: vec![formulas.unwrap_or_default()],
        });
        let is_said = |one: &Invariant| one.predicate != PredicateId::ERROR && !one.disjuncts[0].is_empty();
        Some(Certificate::new(terms, said.filter(is_said).collect()))
    }
}

/// That a rule does not apply, or leads to where the formulas hold, over the parameters of its head; nothing of formulas about what the
/// rule leaves open, which may follow from its constraint. `None` where the next formulas are not known.
fn leads_on(
    program: &Program,
    terms: &mut Terms,
    formulas: &[Option<Vec<TermId>>],
    rule: &Rule,
) -> Option<Vec<TermId>> {
    let [atom] = &rule.body[..] else {
        return Some(Vec::new());
    };
    let next = formulas[atom.predicate.index()].as_ref()?;
    let from = &program.predicate(atom.predicate).parameters;
    let to_next = Substitution::of(terms, from, &atom.arguments);
    let next = terms.substitute_all(next, &to_next);
    let parameters = &program.predicate(rule.head.predicate).parameters;
    let mut renaming = Substitution::new();
    let mut conditions = rule.constraint.clone();
    for (argument, parameter) in rule.head.arguments.iter().zip(parameters) {
        if terms.is_variable(*argument) && renaming.get(*argument).is_none() {
            renaming.insert(terms, *argument, *parameter);
        } else {
            conditions.push(terms.equal(*argument, *parameter));
        }
    }
    let conditions = terms.substitute_all(&conditions, &renaming);
    let next = terms.substitute_all(&next, &renaming);
    let is_open = |terms: &Terms, formula: TermId| {
        let variables = terms.variables(formula);
        variables.iter().any(|variable| !parameters.contains(variable))
    };
    // Without a condition on what is open more is demanded.
    let mut not_taken = Vec::new();
    for condition in conditions {
        if !is_open(terms, condition) {
            not_taken.push(terms.not(condition));
        }
    }
    let closed: Vec<TermId> = next.into_iter().filter(|formula| !is_open(terms, *formula)).collect();
    let either = |formula: TermId| terms.or(&[&not_taken[..], &[formula]].concat());
    Some(closed.into_iter().map(either).collect())
}
