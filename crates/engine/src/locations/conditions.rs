//! Conditions that say in which phase a loop is: what its rules distinguish, and what a run makes true at most once, or false.
//!
//! `if (x < 50) y = y + 1; else y = y - 1` with an `x` that only grows has two phases, and neither is hard to understand: what has to be
//! said of both together is a disjunction. Such conditions are found as Sharma, Dillig, Dillig and Aiken's splitter predicates (2011)
//! are, by asking whether an iteration can change them, and in which direction. What no iteration changes tells two cases apart in which a
//! loop is from the beginning.
//!
//! A loop may have several predicates. What is called the same in each is the same variable, as it is in programs that were
//! translated from others; where it is not, a condition seems to change in both directions, and nothing is split.

use super::split::{Located, split};
use crate::rules::{Atom, DependencyGraph, PredicateId, Program, Rule};
use crate::solver::{Answer, QuestionSolver};
use crate::steps::budget::BudgetWatch;
use crate::terms::{Substitution, TermId, Terms, Theory};
use hashbrown::HashSet;

/// Of a loop's conditions so many are used, the first ones. Loops have two or three phases, and those that end are one more.
const MOST_CONDITIONS: usize = 6;
/// So many conditions of a loop are asked about.
const MOST_ASKED: usize = 24;
/// Loops of more predicates are not looked at.
const MOST_PREDICATES: usize = 16;
/// What the questions about all conditions may cost, in the units of turns.
const WORK: u64 = 20_000;
/// What Z3 may spend on one question, in its own units.
const RESOURCES: u32 = 200_000;

/// The program with a predicate for each phase of its loops; `None` if these have one only, or too many, or there are calls. Adds the work
/// of it.
pub(crate) fn phased(program: &Program, watch: &BudgetWatch<'_>, work: &mut u64) -> Option<Located> {
    if program.has_calls() {
        return None;
    }
    let mut terms = program.terms.clone();
    let mut conditions = vec![Vec::new(); program.predicates().len()];
    let most = *work + WORK;
    for predicates in loops(program) {
        let own = Loop { program, predicates };
        for condition in own.phases(&mut terms, most, work) {
            for predicate in &own.predicates {
                conditions[predicate.index()].extend(own.at(&mut terms, condition, *predicate));
            }
        }
        watch.advance(*work);
        if *work > most || watch.interruption().is_some() {
            return None;
        }
    }
    split(program, terms, conditions, watch, work)
}

/// The predicates of each loop that is not too long.
fn loops(program: &Program) -> Vec<Vec<PredicateId>> {
    let graph = DependencyGraph::new(program);
    let all = || (0..program.predicates().len()).map(PredicateId::from_index);
    let mut loops: Vec<Vec<PredicateId>> = Vec::new();
    let headers = all().filter(|predicate| graph.is_reachable(*predicate) && graph.is_loop_header(*predicate));
    for header in headers {
        if !loops.iter().flatten().any(|known| graph.same_loop(*known, header)) {
            let members = all().filter(|other| graph.is_reachable(*other) && graph.same_loop(*other, header));
            // Conditions are said of the header first.
            loops.push(
                std::iter::once(header)
                    .chain(members.filter(|other| *other != header))
                    .collect(),
            );
        }
    }
    loops.retain(|predicates| predicates.len() <= MOST_PREDICATES);
    loops
}

/// A loop with its header first; its conditions are formulas over the parameters of that.
struct Loop<'p> {
    program: &'p Program,
    predicates: Vec<PredicateId>,
}

impl Loop<'_> {
    /// The conditions that iterations change in one direction at most, until there was so much work.
    fn phases(&self, terms: &mut Terms, most: u64, work: &mut u64) -> Vec<TermId> {
        let is_inside = |atom: &Atom| self.predicates.contains(&atom.predicate);
        let rules = self.program.rules().iter();
        let inside: Vec<&Rule> = rules.filter(|rule| is_inside(&rule.head)).collect();
        let is_iteration = |rule: &&&Rule| rule.body.iter().any(is_inside);
        let iterations: Vec<&Rule> = inside.iter().filter(is_iteration).copied().collect();
        let mut found = Vec::new();
        for condition in self.distinguished(terms, &inside) {
            if found.len() == MOST_CONDITIONS || *work > most {
                break;
            }
            let negation = terms.not(condition);
            let mut can = |from: TermId, to: TermId| {
                let mut rules = iterations.iter();
                rules.any(|rule| self.can_change(terms, rule, (from, to), work))
            };
            let alternates = can(negation, condition) && can(condition, negation);
            if !alternates {
                found.push(condition);
            }
        }
        found
    }

    /// The comparisons of parameters in these rules, each once, in the order in which they are met.
    fn distinguished(&self, terms: &mut Terms, rules: &[&Rule]) -> Vec<TermId> {
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut found = Vec::new();
        for rule in rules {
            let (known, named): (Vec<TermId>, Vec<TermId>) = self
                .same_variables(terms, rule.head.predicate)
                .into_iter()
                .map(|(of_header, position)| (rule.head.arguments[position], of_header))
                .filter(|(argument, _)| terms.is_variable(*argument))
                .unzip();
            let instance = Substitution::of(terms, &known, &named);
            for formula in terms.subterms(&rule.constraint) {
                let own = terms.variables(formula);
                let is_known = !own.is_empty() && own.iter().all(|variable| known.contains(variable));
                if !is_known || !terms.is_comparison(formula) {
                    continue;
                }
                let condition = terms.substitute(formula, &instance);
                let negation = terms.not(condition);
                if !seen.contains(&negation) && seen.insert(condition) {
                    found.push(condition);
                }
                if found.len() == MOST_ASKED {
                    return found;
                }
            }
        }
        found
    }

    /// The parameters of the header that another predicate has, too, with their positions there.
    fn same_variables(&self, terms: &Terms, predicate: PredicateId) -> Vec<(TermId, usize)> {
        let own = &self.program.predicate(predicate).parameters;
        let of_header = self.predicates.first().into_iter();
        let of_header = of_header.flat_map(|header| &self.program.predicate(*header).parameters);
        let same = |parameter: &TermId| {
            own.iter().position(|other| {
                let names = [parameter, other].map(|variable| terms.variable_name(*variable));
                other == parameter || (names[0] == names[1] && terms.sort(*other) == terms.sort(*parameter))
            })
        };
        of_header
            .filter_map(|parameter| Some((*parameter, same(parameter)?)))
            .collect()
    }

    /// What a condition says of an atom of the loop; `None` if this has not all variables for it.
    fn of_atom(
        &self,
        terms: &mut Terms,
        condition: TermId,
        predicate: PredicateId,
        arguments: &[TermId],
    ) -> Option<TermId> {
        let same = self.same_variables(terms, predicate);
        let is_known = |variable: &TermId| same.iter().any(|(parameter, _)| parameter == variable);
        if !terms.variables(condition).iter().all(is_known) {
            return None;
        }
        let (parameters, arguments): (Vec<TermId>, Vec<TermId>) = same
            .iter()
            .map(|(parameter, position)| (*parameter, arguments[*position]))
            .unzip();
        let instance = Substitution::of(terms, &parameters, &arguments);
        Some(terms.substitute(condition, &instance))
    }

    /// A condition as a formula over the parameters of a predicate.
    fn at(&self, terms: &mut Terms, condition: TermId, predicate: PredicateId) -> Option<TermId> {
        let parameters = self.program.predicate(predicate).parameters.clone();
        self.of_atom(terms, condition, predicate, &parameters)
    }

    /// Whether a rule may come from where one condition holds to where another one does. It may if nobody knows.
    fn can_change(&self, terms: &mut Terms, rule: &Rule, (from, to): (TermId, TermId), work: &mut u64) -> bool {
        let Some(next) = rule.body.iter().find(|atom| self.predicates.contains(&atom.predicate)) else {
            return false;
        };
        let before = self.of_atom(terms, from, rule.head.predicate, &rule.head.arguments);
        let after = self.of_atom(terms, to, next.predicate, &next.arguments);
        let (Some(before), Some(after)) = (before, after) else {
            return true;
        };
        let mut formulas = rule.constraint.clone();
        formulas.extend([before, after]);
        let theory = Theory::of(terms, formulas.iter().copied());
        let mut solver = QuestionSolver::new(theory, RESOURCES);
        for formula in &formulas {
            solver.assert(terms, *formula);
        }
        let answer = solver.check(terms, &[]);
        *work += solver.work();
        answer != Answer::Unsatisfiable
    }
}
