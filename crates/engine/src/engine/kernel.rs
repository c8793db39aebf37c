//! The kernel: what every step of a search reads, and the solver that it asks. It knows the program and nothing of the search:
//! states, marks, and interpolants are values that are handed to the functions that work on them, as the kernel is.

use super::limits::Limits;
use super::options::Options;
use super::state::Store;
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::solver::{Answer, LayeredSolver};
use crate::steps::projection::PrimedParameters;
use crate::steps::{BudgetWatch, StopReason, Target, TransitionId, Transitions};
use crate::terms::{SortId, Substitution, TermId, Terms};
use hashbrown::HashMap;

/// The services of a search.
pub(super) struct Kernel<'a> {
    pub program: &'a Program,
    pub options: &'a Options,
    pub budget: &'a BudgetWatch<'a>,
    pub graph: DependencyGraph,
    pub transitions: Transitions,
    pub terms: Terms,
    pub solver: LayeredSolver,
    pub primed: PrimedParameters,
    /// The local variables of stores, by sort and number.
    locals: HashMap<(SortId, u32), TermId>,
    /// For each transition: formulas over its target with its updates put in for the parameters.
    images: Vec<HashMap<TermId, TermId>>,
    /// The work of trial runs.
    pub ran: u64,
}

impl<'a> Kernel<'a> {
    /// A kernel for a program.
    pub fn new(program: &'a Program, options: &'a Options, budget: &'a BudgetWatch<'a>) -> Kernel<'a> {
        let mut terms = program.terms.clone();
        let transitions = Transitions::new(program, &mut terms);
        Kernel {
            program,
            options,
            budget,
            graph: DependencyGraph::new(program),
            transitions,
            terms,
            solver: LayeredSolver::new(options.budget.query_resources),
            primed: PrimedParameters::default(),
            locals: HashMap::new(),
            images: Vec::new(),
            ran: 0,
        }
    }

    /// Counts what has been done so far, and waits if others come first.
    pub fn count_work(&mut self) {
        self.budget.advance(self.solver.work().saturating_add(self.ran));
    }

    /// The numbers at which the search stops trying.
    pub fn limits(&self) -> &'a Limits {
        &self.options.limits
    }

    /// The parameters of a predicate.
    pub fn parameters(&self, predicate: PredicateId) -> &'a [TermId] {
        &self.program.predicate(predicate).parameters
    }

    /// The transitions of a predicate in the order of exploration: at a loop header the loop's body before its exits, so that
    /// what the body gives up is known when the exits are taken.
    pub fn rules_in_order(&self, predicate: PredicateId, is_header: bool) -> Vec<TransitionId> {
        let mut rules = self.transitions.of(predicate).to_vec();
        if is_header {
            rules.sort_by_key(|id| match self.transitions.get(*id).target {
                Target::Goal(target) => !self.graph.same_loop(predicate, target),
                Target::Error | Target::End => true,
            });
        }
        rules
    }

    /// Parameters to arguments.
    pub fn instance(&self, predicate: PredicateId, arguments: &[TermId]) -> Substitution {
        Substitution::of(&self.terms, self.parameters(predicate), arguments)
    }

    /// Parameters to a store's arguments, and a transition's local variables to ones that the store does not use yet.
    pub fn instantiation(&mut self, predicate: PredicateId, store: &Store, transition: TransitionId) -> Substitution {
        let mut substitution = self.instance(predicate, &store.arguments);
        let locals = self.transitions.get(transition).locals.clone();
        for (number, local) in (store.locals..).zip(locals) {
            let variable = self.local_variable(self.terms.sort(local), number);
            substitution.insert(&self.terms, local, variable);
        }
        substitution
    }

    /// The `number`-th local variable of a sort. Stores reuse them, so that equal stores have equal terms.
    pub fn local_variable(&mut self, sort: SortId, number: u32) -> TermId {
        let terms = &mut self.terms;
        let make = || terms.fresh_variable(&format!("_{number}"), sort);
        *self.locals.entry((sort, number)).or_insert_with(make)
    }

    /// A formula over the parameters of a transition's target as one over its own variables.
    pub fn image(&mut self, transition: TransitionId, target: PredicateId, formula: TermId) -> TermId {
        let index = transition.index();
        if self.images.len() <= index {
            self.images.resize_with(index + 1, HashMap::new);
        }
        if let Some(known) = self.images[index].get(&formula) {
            return *known;
        }
        let updates = &self.transitions.get(transition).updates;
        let substitution = Substitution::of(&self.terms, self.parameters(target), updates);
        let image = self.terms.substitute(formula, &substitution);
        self.images[index].insert(formula, image);
        image
    }

    /// `constraints` over a goal's arguments as conjuncts over its predicate's parameters: as strong as elimination can.
    pub fn project(&mut self, predicate: PredicateId, arguments: &[TermId], constraints: &[TermId]) -> Vec<TermId> {
        self.primed
            .project(&mut self.terms, self.program, predicate, arguments, constraints)
    }

    /// Whether `formula` follows from `store`; never true on a solver's unknown.
    pub fn entails(&mut self, store: &[TermId], formula: TermId) -> bool {
        if formula == TermId::TRUE || store.contains(&formula) {
            return true;
        }
        let negation = self.terms.not(formula);
        let answer = self.solver.check(&self.terms, store, &[negation]);
        // One step may ask thousands of these, and others must not wait for it longer than its share.
        self.count_work();
        answer == Answer::Unsatisfiable
    }

    /// Why the search stops when it fails to explain a goal of a predicate: the budget, if that is spent, or the solver.
    pub fn inexpressible(&self, predicate: PredicateId) -> StopReason {
        self.budget.interruption().unwrap_or_else(|| {
            let label = self.program.predicate_label(predicate);
            StopReason::SolverGaveUp(format!(
                "finding a formula that says why `{label}` cannot lead to the error here"
            ))
        })
    }

    /// The parameters of a loop header that some transition of its loop may change.
    pub fn changing_parameters(&self, predicate: PredicateId) -> Vec<TermId> {
        let parameters = &self.program.predicate(predicate).parameters;
        let mut changing = vec![false; parameters.len()];
        for index in 0..self.program.predicates().len() {
            let from = PredicateId::from_index(index);
            if !self.graph.same_loop(from, predicate) || !self.graph.is_reachable(from) {
                continue;
            }
            let own = &self.program.predicate(from).parameters;
            for id in self.transitions.of(from) {
                let transition = self.transitions.get(*id);
                let Target::Goal(target) = transition.target else {
                    continue;
                };
                if !self.graph.same_loop(target, predicate) {
                    continue;
                }
                // A parameter is unchanged if it is handed on at its own position; predicates of one loop usually share
                // the list of variables. Calling it changing when it is not costs candidates, nothing else.
                for (position, change) in changing.iter_mut().enumerate() {
                    *change |= transition.updates.get(position) != own.get(position);
                }
            }
        }
        let chosen = parameters.iter().zip(changing).filter(|(_, changes)| *changes);
        chosen.map(|(parameter, _)| *parameter).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Does something with a kernel for a program, which is CLP text.
    pub fn with_kernel<R>(text: &str, work: impl FnOnce(&mut Kernel) -> R) -> R {
        let program = crate::clp::read(text).product.expect("no mistake in it");
        let options = Options::default();
        let budget = BudgetWatch::start(&options.budget, &options.cancellation);
        work(&mut Kernel::new(&program, &options, &budget))
    }

    #[test]
    fn the_body_of_a_loop_comes_before_its_exits() {
        let text = "?- p(0). p(X) :- X > 9, error. p(X) :- X > 5, q(X). q(X) :- X < 0, error. p(X) :- X < 9, p(X + 1).";
        with_kernel(text, |kernel| {
            let all = (0..kernel.program.predicates().len()).map(PredicateId::from_index);
            let mut headers = all.filter(|predicate| kernel.graph.is_loop_header(*predicate));
            let header = headers.next().expect("a loop");
            let rules = kernel.rules_in_order(header, true);
            let targets: Vec<Target> = rules.iter().map(|rule| kernel.transitions.get(*rule).target).collect();
            assert_eq!(targets[0], Target::Goal(header));
            assert_eq!(targets[1], Target::Error);
        });
    }

    #[test]
    fn local_variables_are_reused_by_number_and_sort() {
        with_kernel("?- p(0). p(X) :- X > Y, p(Y).", |kernel| {
            let first = kernel.local_variable(SortId::INT, 0);
            assert_eq!(kernel.local_variable(SortId::INT, 0), first);
            assert_ne!(kernel.local_variable(SortId::INT, 1), first);
            assert_ne!(kernel.local_variable(SortId::REAL, 0), first);
        });
    }
}
