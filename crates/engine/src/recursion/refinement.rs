//! The loop: ask whether the error can be reached, and ask of each call on the way whether it comes back so, until there is a
//! proof or a derivation.

use super::abstraction::{self, Abstraction, Summaries};
use super::derivations::{Call, MOST_STEPS, Tree};
use super::path::{PathStep, needed, path_of};
use crate::engine::{self, Options, Outcome, Statistics, StopReason, Verdict};
use crate::evidence::{Certificate, Derivation, Invariant, Step};
use crate::rules::{Atom, DependencyGraph, PredicateId, Program};
use crate::terms::{Assignment, TermId, Terms, Value};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

/// A question about a call may explore so many states; one in general, that is: less.
const STATES_OF_A_CALL: u64 = 5_000;
const STATES_IN_GENERAL: u64 = 1_500;

/// When nothing more can be found out, these limits are raised, up to so many times.
const MOST_PATIENCE: u64 = 512;

/// A condition that could not be excluded is tried again when summaries have grown by this part, an eighth, and one.
const MORE_BY: usize = 8;

/// A call is asked about so often in a row, as the calls inside it are found not to come back.
const MOST_RETRIES: usize = 8;

/// Of conditions with more parts only the whole is tried.
const MOST_PARTS: usize = 8;

/// What a conjunct of a question costs before anything is asked, in units of some six microseconds: rules that say what hundreds of calls
/// do not give back take longer to prepare than to explore.
const CONJUNCT: u64 = 2;

/// Calls inside calls are looked at to this depth.
const DEEPEST_CALL: usize = 400;

/// What came of a call.
enum Answer {
    /// It comes back.
    Comes(Rc<Tree>),
    /// It does not, as the summaries say now.
    Never,
    /// A call on the way does not come back, as the summaries say now.
    Learned,
    /// Neither could be shown.
    GaveUp(StopReason),
    /// It is being asked about already.
    Open,
}

/// Why there are no derivations of the calls of a path.
enum Failure {
    /// Something was learned, so that the path may not be one any more.
    Learned,
    /// This call could not be decided.
    GaveUp(StopReason),
    /// A call is being asked about already.
    Open,
}

pub(super) struct Refinement<'a> {
    program: &'a Program,
    graph: DependencyGraph,
    options: &'a Options,
    started: Instant,
    /// The program's terms, and those of the summaries.
    terms: Terms,
    summaries: Summaries,
    comes_back: BTreeMap<Call, Rc<Tree>>,
    /// How much was known when a condition was tried in vain the last time.
    attempts: HashMap<(PredicateId, Vec<TermId>), usize>,
    /// The calls that are being looked at, each inside the one before.
    open: Vec<(PredicateId, TermId)>,
    /// By how much the limits of single questions are multiplied.
    patience: u64,
    statistics: Statistics,
}

impl<'a> Refinement<'a> {
    pub fn new(program: &'a Program, options: &'a Options) -> Refinement<'a> {
        Refinement {
            program,
            graph: DependencyGraph::new(program),
            options,
            started: Instant::now(),
            terms: program.terms.clone(),
            summaries: Summaries::new(program),
            comes_back: BTreeMap::new(),
            attempts: HashMap::new(),
            open: Vec::new(),
            patience: 1,
            statistics: Statistics::default(),
        }
    }

    pub fn run(mut self) -> Outcome {
        loop {
            let abstraction = abstraction::of_error(self.program, &self.graph, &self.summaries, &self.terms);
            let outcome = self.ask(&abstraction, None);
            let verdict = match outcome.verdict {
                Verdict::Safe(certificate) => Some(Verdict::Safe(self.certificate(certificate))),
                Verdict::Unsafe(derivation) => match self.realized(&abstraction, &derivation) {
                    Some(Verdict::Unknown(StopReason::SolverGaveUp(_))) if self.patience < MOST_PATIENCE => {
                        self.patience *= 8;
                        self.attempts.clear();
                        None
                    }
                    verdict => verdict,
                },
                Verdict::Unknown(reason) => Some(Verdict::Unknown(reason)),
            };
            if let Some(verdict) = verdict {
                return Outcome {
                    verdict,
                    statistics: self.statistics,
                    invariants: outcome.invariants,
                    tree: outcome.tree,
                };
            }
        }
    }

    /// Asks the engine, within what is left of the limits.
    fn ask(&mut self, abstraction: &Abstraction, states: Option<u64>) -> Outcome {
        let mut options = self.options.clone();
        options.check_evidence = false;
        options.keep_tree &= states.is_none();
        let budget = &mut options.budget;
        budget.time = budget.time.map(|limit| limit.saturating_sub(self.started.elapsed()));
        let left = budget.states.map(|limit| limit.saturating_sub(self.statistics.states));
        budget.states = match (left, states) {
            (Some(left), Some(states)) => Some(left.min(states)),
            (left, states) => left.or(states),
        };
        let left = budget
            .unrollings
            .map(|limit| limit.saturating_sub(self.statistics.unrollings));
        budget.unrollings = left;
        let rules = abstraction.program.rules().iter();
        let conjuncts: usize = rules.map(|rule| 1 + rule.constraint.len()).sum();
        self.options
            .pace
            .advance(CONJUNCT * conjuncts as u64, &self.options.cancellation);
        let outcome = engine::verify(&abstraction.program, &options);
        self.statistics.add(&outcome.statistics);
        outcome
    }

    /// Why to stop now, if there is a reason.
    fn interruption(&self) -> Option<StopReason> {
        let budget = &self.options.budget;
        if self.options.cancellation.is_cancelled() {
            return Some(StopReason::Cancelled);
        }
        if budget.time.is_some_and(|limit| self.started.elapsed() >= limit) {
            return Some(StopReason::Time);
        }
        let over = budget.states.is_some_and(|limit| self.statistics.states >= limit);
        over.then_some(StopReason::States)
    }

    /// The certificate of the program: invariants for what can lead to the error, and the summaries.
    fn certificate(&self, proof: Certificate) -> Certificate {
        let relevant = |invariant: &Invariant| self.graph.reaches_error(invariant.predicate);
        let with_summary = self
            .summaries
            .conjuncts
            .iter()
            .enumerate()
            .filter(|(_, all)| !all.is_empty());
        let summaries = with_summary.map(|(index, conjuncts)| Invariant {
            predicate: PredicateId::from_index(index),
            disjuncts: vec![conjuncts.clone()],
        });
        Certificate {
            summaries: summaries.collect(),
            ..Certificate::new(proof.terms, proof.invariants.into_iter().filter(relevant).collect())
        }
    }

    /// A verdict if an error of the abstraction is one of the program, or nothing more can be found out.
    fn realized(&mut self, abstraction: &Abstraction, derivation: &Derivation) -> Option<Verdict> {
        let mut path = path_of(abstraction, derivation);
        let mut steps = Vec::new();
        for index in 0..path.len() {
            let trees = match self.calls(&mut path, &[], index) {
                Ok(trees) => trees,
                Err(Failure::GaveUp(reason)) => return Some(Verdict::Unknown(reason)),
                Err(Failure::Learned | Failure::Open) => return None,
            };
            steps.push(self.step(&path[index]));
            let all: usize = trees.iter().map(|tree| tree.steps).sum();
            if all.saturating_add(steps.len()) > MOST_STEPS {
                let reason = "a derivation of more than a million steps".to_string();
                return Some(Verdict::Unknown(StopReason::NotSupported(reason)));
            }
            trees.iter().for_each(|tree| tree.write(&mut steps));
        }
        Some(Verdict::Unsafe(Derivation::new(steps)))
    }

    /// A step with a value for every variable of its rule.
    fn step(&self, path: &PathStep) -> Step {
        let variables = self.variables(path);
        let value = |variable: &TermId| {
            let given = path.values.get(variable).cloned();
            let value = given.unwrap_or_else(|| self.terms.default_value(self.terms.sort(*variable)));
            (*variable, value)
        };
        Step {
            rule: path.rule,
            values: variables.iter().map(value).collect(),
        }
    }

    fn variables(&self, path: &PathStep) -> Vec<TermId> {
        let rule = self.program.rule(path.rule);
        let arguments = std::iter::once(&rule.head)
            .chain(&rule.body)
            .flat_map(|atom| &atom.arguments);
        let roots: Vec<TermId> = arguments.chain(&rule.constraint).copied().collect();
        self.terms.variables_of_all(&roots)
    }

    /// The trees of those atoms of a step that are not followed. Values that they give to variables are added to the path.
    fn calls(&mut self, path: &mut [PathStep], start: &[TermId], step: usize) -> Result<Vec<Rc<Tree>>, Failure> {
        let mut trees = Vec::new();
        for position in 0..path[step].assumed {
            let atom = self.program.rule(path[step].rule).body[position].clone();
            if Some(position) == path[step].followed {
                continue;
            }
            let values = self.arguments(&atom, &mut path[step].values);
            let general = self.needed(path, start, (step, position));
            match self.call(atom.predicate, values, general) {
                Answer::Comes(tree) => {
                    for (argument, value) in atom.arguments.iter().zip(&tree.arguments) {
                        if self.terms.is_variable(*argument) {
                            path[step].values.entry(*argument).or_insert_with(|| value.clone());
                        }
                    }
                    trees.push(tree);
                }
                Answer::Never | Answer::Learned => return Err(Failure::Learned),
                Answer::GaveUp(reason) => return Err(Failure::GaveUp(reason)),
                Answer::Open => return Err(Failure::Open),
            }
        }
        Ok(trees)
    }

    /// What a path needs of a call; what elimination makes on the way is forgotten.
    fn needed(&mut self, path: &[PathStep], start: &[TermId], atom: (usize, usize)) -> Option<Vec<TermId>> {
        let (mut terms, shared) = (self.terms.clone(), self.terms.len());
        let condition = needed(self.program, &mut terms, &self.summaries, path, start, atom)?;
        let copied = condition
            .into_iter()
            .map(|part| self.terms.copied_from(&terms, shared, part));
        Some(copied.collect())
    }

    /// The values of an atom's arguments. An argument that is a variable without a value may have any, if it is an argument only
    /// once; other variables are given one here.
    fn arguments(&self, atom: &Atom, values: &mut Assignment) -> Vec<Option<Value>> {
        for argument in &atom.arguments {
            let is_repeated = atom.arguments.iter().filter(|other| *other == argument).count() > 1;
            if is_repeated || !self.terms.is_variable(*argument) {
                for variable in self.terms.variables(*argument) {
                    let default = || self.terms.default_value(self.terms.sort(variable));
                    values.entry(variable).or_insert_with(default);
                }
            }
        }
        let arguments = atom.arguments.iter();
        arguments
            .map(|argument| self.terms.evaluate(*argument, values))
            .collect()
    }

    /// Whether a call comes back with these values; `general` is a condition that they satisfy, and that had better be excluded as
    /// a whole.
    fn call(&mut self, predicate: PredicateId, values: Vec<Option<Value>>, general: Option<Vec<TermId>>) -> Answer {
        let known: Option<Vec<Value>> = values.iter().cloned().collect();
        if let Some(tree) = known.and_then(|values| self.comes_back.get(&(predicate, values))) {
            return Answer::Comes(tree.clone());
        }
        if let Some(condition) = general
            && self.exclude_in_general(predicate, &condition)
        {
            return Answer::Never;
        }
        let Some(condition) = self.exactly(predicate, &values) else {
            return Answer::GaveUp(StopReason::NotSupported(
                "calls with arrays or terms of datatypes that have to be tried one by one".to_string(),
            ));
        };
        if self.open.len() >= DEEPEST_CALL {
            return self.gave_up(predicate);
        }
        let exactly = self.terms.and(&condition);
        if self.open.contains(&(predicate, exactly)) {
            return Answer::Open;
        }
        self.open.push((predicate, exactly));
        let alone = BTreeMap::from([(predicate, exactly)]);
        let mut answer = Answer::Learned;
        for _ in 0..MOST_RETRIES {
            answer = self.come_back(predicate, &condition, &alone);
            if matches!(answer, Answer::Open) {
                // Then it must not be answered without what it needs.
                let together = self.open_calls();
                answer = self.come_back(predicate, &condition, &together);
                if matches!(answer, Answer::Open) {
                    // Asking again would be the same question.
                    answer = self.gave_up(predicate);
                }
            }
            if !matches!(answer, Answer::Learned) {
                break;
            }
        }
        self.open.pop();
        answer
    }

    /// Whether some part of a condition can be excluded, and with it the condition; then the summaries say so now.
    ///
    /// A weaker condition is a stronger hypothesis about the calls inside the call, so it may be provable where the whole is
    /// not. Truth values often say which case of several a predicate stands for, and are kept.
    fn exclude_in_general(&mut self, predicate: PredicateId, condition: &[TermId]) -> bool {
        let is_case = |terms: &Terms, conjunct: TermId| terms.linear_atom(conjunct).is_none();
        let (cases, others): (Vec<TermId>, Vec<TermId>) = condition
            .iter()
            .copied()
            .partition(|conjunct| is_case(&self.terms, *conjunct));
        let mut parts = vec![condition.to_vec()];
        if others.len() > 1 && others.len() <= MOST_PARTS {
            parts.extend(others.iter().map(|one| [&cases[..], &[*one]].concat()));
            if others.len() > 2 {
                let without = |one: &TermId| condition.iter().copied().filter(|other| other != one).collect();
                parts.extend(others.iter().map(without));
            }
        }
        parts.into_iter().any(|part| self.exclude(predicate, &part))
    }

    /// Whether no call comes back under the condition; then the summaries say so now.
    fn exclude(&mut self, predicate: PredicateId, condition: &[TermId]) -> bool {
        let known = self.summaries.size();
        let last = self.attempts.get(&(predicate, condition.to_vec()));
        if last.is_some_and(|last| known < last + 1 + last / MORE_BY) {
            return false;
        }
        self.attempts.insert((predicate, condition.to_vec()), known);
        let together = self.terms.and(condition);
        let doubtful = BTreeMap::from([(predicate, together)]);
        let abstraction = self.abstraction_of(predicate, condition, &doubtful);
        match self.ask(&abstraction, Some(STATES_IN_GENERAL * self.patience)).verdict {
            Verdict::Safe(proof) => self.learn(&abstraction, proof),
            _ => false,
        }
    }

    fn abstraction_of(
        &self,
        predicate: PredicateId,
        condition: &[TermId],
        doubtful: &BTreeMap<PredicateId, TermId>,
    ) -> Abstraction {
        let (program, graph) = (self.program, &self.graph);
        abstraction::of_success(
            program,
            graph,
            &self.summaries,
            &self.terms,
            (predicate, condition),
            doubtful,
        )
    }

    /// The calls that are being looked at, one formula for each predicate.
    fn open_calls(&mut self) -> BTreeMap<PredicateId, TermId> {
        let mut calls: BTreeMap<PredicateId, Vec<TermId>> = BTreeMap::new();
        for (predicate, exactly) in &self.open {
            calls.entry(*predicate).or_default().push(*exactly);
        }
        let together = calls
            .into_iter()
            .map(|(predicate, calls)| (predicate, self.terms.or(&calls)));
        together.collect()
    }

    fn gave_up(&self, predicate: PredicateId) -> Answer {
        let name = self.program.predicate_label(predicate);
        let reason = StopReason::SolverGaveUp(format!("finding out what calls of `{name}` give back"));
        Answer::GaveUp(self.interruption().unwrap_or(reason))
    }

    /// The condition that parameters have the values; `None` if a value cannot be written as a term.
    fn exactly(&mut self, predicate: PredicateId, values: &[Option<Value>]) -> Option<Vec<TermId>> {
        let parameters = self.program.predicate(predicate).parameters.clone();
        let mut condition = Vec::with_capacity(values.len());
        for (parameter, value) in parameters.into_iter().zip(values) {
            let sort = self.terms.sort(parameter);
            let value = match value {
                Some(Value::Bool(value)) => self.terms.boolean(*value),
                Some(Value::Number(number)) => self.terms.number(number.clone(), sort),
                Some(Value::Float(value)) => self.terms.float(*value),
                Some(Value::Array(_) | Value::Datatype(_)) => return None,
                None => continue,
            };
            condition.push(self.terms.equal(parameter, value));
        }
        Some(condition)
    }

    /// Whether a call comes back under a condition that is all but a single call.
    fn come_back(
        &mut self,
        predicate: PredicateId,
        condition: &[TermId],
        doubtful: &BTreeMap<PredicateId, TermId>,
    ) -> Answer {
        let abstraction = self.abstraction_of(predicate, condition, doubtful);
        let derivation = match self.ask(&abstraction, Some(STATES_OF_A_CALL * self.patience)).verdict {
            Verdict::Safe(proof) => {
                return match self.learn(&abstraction, proof) {
                    true => Answer::Never,
                    false => self.gave_up(predicate),
                };
            }
            Verdict::Unknown(_) => return self.gave_up(predicate),
            Verdict::Unsafe(derivation) => derivation,
        };
        let mut path = path_of(&abstraction, &derivation);
        let mut below: Option<Rc<Tree>> = None;
        // From the end, so that the tree of what is followed is there when it is needed.
        for index in (0..path.len()).rev() {
            let mut parts = match self.calls(&mut path, condition, index) {
                Ok(parts) => parts,
                Err(Failure::Learned) => return Answer::Learned,
                Err(Failure::GaveUp(reason)) => return Answer::GaveUp(reason),
                Err(Failure::Open) => return Answer::Open,
            };
            if let (Some(position), Some(tree)) = (path[index].followed, below.take()) {
                parts.insert(position, tree);
            }
            let step = self.step(&path[index]);
            let values: Assignment = step.values.iter().cloned().collect();
            let head = self.program.rule(step.rule).head.clone();
            let arguments = head
                .arguments
                .iter()
                .map(|argument| self.terms.evaluate(*argument, &values));
            let Some(arguments) = arguments.collect::<Option<Vec<Value>>>() else {
                return Answer::GaveUp(StopReason::SolverGaveUp("on a division by zero".to_string()));
            };
            let steps = parts.iter().fold(1usize, |sum, part| sum.saturating_add(part.steps));
            let tree = Rc::new(Tree {
                arguments: arguments.clone(),
                rule: step.rule,
                values: step.values,
                parts,
                steps,
            });
            self.comes_back.insert((head.predicate, arguments), tree.clone());
            below = Some(tree);
        }
        match below {
            Some(tree) => Answer::Comes(tree),
            None => Answer::GaveUp(StopReason::SolverGaveUp("on a call without a rule".to_string())),
        }
    }

    /// Adds to the summaries what a proof says: no call comes back from where its invariants hold. Whether that is new.
    fn learn(&mut self, abstraction: &Abstraction, proof: Certificate) -> bool {
        let before = self.summaries.size();
        let shared = self.terms.len();
        for predicate in abstraction.concerned.iter().copied() {
            let invariant = proof
                .invariants
                .iter()
                .find(|invariant| invariant.predicate == predicate);
            // Without an invariant no state leads anywhere.
            let everywhere = vec![Vec::new()];
            let disjuncts = invariant.map_or(&everywhere, |invariant| &invariant.disjuncts);
            for disjunct in disjuncts {
                // Only what is needed of the table that the proof filled.
                let copied = |conjunct: &TermId| self.terms.copied_from(&proof.terms, shared, *conjunct);
                let conjuncts: Vec<TermId> = disjunct.iter().map(copied).collect();
                let holds = self.terms.and(&conjuncts);
                let excluded = self.terms.not(holds);
                let summary = &mut self.summaries.conjuncts[predicate.index()];
                if excluded != TermId::TRUE && !summary.contains(&excluded) {
                    summary.push(excluded);
                }
            }
        }
        self.summaries.size() > before
    }
}
