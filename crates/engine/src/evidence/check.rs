//! The certificate checker: proves every verification condition anew in a fresh solver.
//!
//! It shares terms, rules and the Z3 layer with the engine and nothing else, and believes nothing that the certificate
//! says. An obligation counts as proved only if it can be read off the formulas or Z3 finds its negation unsatisfiable;
//! `unknown` proves nothing.

use super::Certificate;
use super::by_values::Values;
use super::conditions::{Condition, Conditions, Premise};
use super::describe::{reached_text, rule_place, rule_text};
use super::lemmas::{Depth, Obligation};
use super::read_off::{Facts, Question, Ranges};
use super::symbolic::SymbolicConditions;
use crate::execution::{Reading, RunLimits, Unfinished, all_runs};
use crate::rules::{Program, RuleId};
use crate::solver::{Answer, InterruptWatch, Layer, Z3Layer, with_interrupts};
use crate::terms::{Assignment, TermId, Terms, Value};
use hashbrown::HashMap;
use serde::Serialize;
use std::fmt;

/// A step of a symbolic state is asked about as a whole with this part of the limit, before each of its conclusions alone has all of it: what takes
/// longer as a whole may take twenty times as long by chance.
const WHOLE_PART: u32 = 16;

/// Limits of a check.
#[derive(Clone, Copy)]
pub struct CheckLimits<'a> {
    /// Z3's resource units for one obligation; 0 means no limit. Default: 20 million, some seconds of an ordinary machine.
    pub query_resources: u32,
    /// Says when to stop, also in the middle of an obligation. Default: never.
    pub watch: Option<&'a dyn InterruptWatch>,
}

impl Default for CheckLimits<'_> {
    fn default() -> Self {
        CheckLimits {
            query_resources: 20_000_000,
            watch: None,
        }
    }
}

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CheckReport {
    /// Rules that lead somewhere.
    pub rules: usize,
    /// Obligations: one for each such rule and disjunct of its head's invariant; by k-induction one for each way to reach the
    /// head as well.
    pub obligations: usize,
    /// Obligations that could be read off the formulas.
    pub read_off: usize,
    /// Obligations that Z3 discharged.
    pub solved: usize,
    /// Steps that were taken, if the proof is that [all runs](Certificate::all_runs) are over.
    pub steps: u64,
}

/// The step of a proof that an error is about.
#[derive(Clone, PartialEq, Debug)]
pub struct ProofStep {
    /// The rule.
    pub rule: RuleId,
    /// Which disjunct of the invariant of the rule's head, from 0.
    pub disjunct: usize,
    /// Everything there is to say about the step, in CLP syntax.
    pub text: String,
}

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Debug)]
pub enum CheckError {
    /// The certificate is not one for this program, or one of the two cannot be made sense of.
    Malformed(String),
    /// A rule leads out of the invariants.
    Violated {
        /// The step that the certificate gets wrong.
        step: ProofStep,
        /// Values of the rule's variables for which it is wrong, where the solver has exact ones.
        witness: Option<Vec<(TermId, Value)>>,
        /// The witness as text; empty if there is none.
        example: String,
    },
    /// Something about a function that the certificate defines is not proved.
    Unproved(String),
    /// The solver could not decide a step, so it is not proved.
    Undecided(ProofStep),
    /// The check was stopped.
    Cancelled,
    /// The checker has contradicted itself, so that nothing is proved: a mistake in this crate.
    Internal(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Malformed(why) => write!(out, "{why}"),
            CheckError::Violated { step, example, .. } => {
                write!(out, "{} does not hold", step.text)?;
                if !example.is_empty() {
                    write!(out, ": consider {example}")?;
                }
                Ok(())
            }
            CheckError::Undecided(step) => {
                write!(
                    out,
                    "the solver cannot decide whether {} holds; allow it more resources",
                    step.text
                )
            }
            CheckError::Unproved(what) => write!(out, "{what} is not proved"),
            CheckError::Cancelled => write!(out, "the check of the certificate was cancelled"),
            CheckError::Internal(what) => write!(out, "{what}"),
        }
    }
}

impl std::error::Error for CheckError {}

/// Checks that the certificate proves the program safe.
///
/// # Errors
///
/// The first reason why it does not: see [`CheckError`].
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::evidence::{Certificate, CheckLimits, Invariant, check_certificate};
/// use clausal::rules::{Atom, PredicateId, Program, Rule};
/// use clausal::terms::SortId;
///
/// // ?- X = 0, p(X).   p(X) :- p(X + 1).   p(X) :- X < 0, error.
/// let mut program = Program::new();
/// let p = program.add_predicate("p", None, &[("X", SortId::INT)]);
/// let parameter = program.predicate(p).parameters[0];
/// let x = program.terms.fresh_variable("X", SortId::INT);
/// let (zero, one) = (program.terms.integer(0), program.terms.integer(1));
/// let (next, negative) = (program.terms.add(x, one), program.terms.less(x, zero));
/// let atom = |predicate, arguments| Atom { predicate, arguments };
/// let rule = |constraint, body| Rule { head: atom(p, vec![x]), constraint, body: vec![body], location: None };
/// program.add_query(vec![], atom(p, vec![zero]), None);
/// program.add_rule(rule(vec![], atom(p, vec![next])));
/// program.add_rule(rule(vec![negative], atom(PredicateId::ERROR, vec![])));
///
/// let mut terms = program.terms.clone();
/// let invariant = terms.less_or_equal(zero, parameter);
/// let invariants = vec![Invariant { predicate: p, disjuncts: vec![vec![invariant]] }];
/// let certificate = Certificate::new(terms, invariants);
/// let report = check_certificate(&program, &certificate, CheckLimits::default()).expect("it is inductive");
/// assert_eq!(report.obligations, 3);
///
/// let empty = Certificate { invariants: vec![], ..certificate };
/// let error = check_certificate(&program, &empty, CheckLimits::default()).expect_err("true does not exclude the error");
/// assert!(error.to_string().contains("p(X) :- X =< -1, error."));
/// ```
pub fn check_certificate(
    program: &Program,
    certificate: &Certificate,
    limits: CheckLimits<'_>,
) -> Result<CheckReport, CheckError> {
    let program = certificate.subject(program);
    match limits.watch {
        Some(watch) => with_interrupts(watch, || check_all(&program, certificate, limits)),
        None => check_all(&program, certificate, limits),
    }
}

fn check_all(program: &Program, certificate: &Certificate, limits: CheckLimits<'_>) -> Result<CheckReport, CheckError> {
    let conditions = Conditions::new(program, certificate).map_err(CheckError::Malformed)?;
    if let Some(steps) = certificate.all_runs {
        return run_all(program, steps, limits);
    }
    let mut checker = Checker {
        conditions,
        solver: Z3Layer::new(limits.query_resources),
        limits,
        ranges: Ranges::default(),
        report: CheckReport::default(),
        faults: None,
    };
    if !certificate.symbolic.is_empty() {
        checker.check_symbolic(certificate)?;
        return Ok(checker.report);
    }
    checker.check_functions(certificate)?;
    for index in 0..program.rules().len() {
        checker.check_rule(RuleId::from_index(index))?;
    }
    Ok(checker.report)
}

/// A step that a certificate gets wrong.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StepFault {
    /// The rule.
    pub rule: RuleId,
    /// Values of its variables for which it leads out of the invariants, where the solver has exact ones.
    pub witness: Option<Assignment>,
}

/// What a certificate without functions gets wrong about some rules, each of its disjuncts on its own; of the rules behind the one with which it is so
/// many, nothing.
///
/// # Errors
///
/// Every other reason why it proves nothing, as [`check_certificate`] has it.
pub(crate) fn faults_of(
    program: &Program,
    certificate: &Certificate,
    rules: &[RuleId],
    (most, limits): (usize, CheckLimits<'_>),
) -> Result<Vec<StepFault>, CheckError> {
    let mut checker = Checker {
        conditions: Conditions::new(program, certificate).map_err(CheckError::Malformed)?,
        solver: Z3Layer::new(limits.query_resources),
        limits,
        ranges: Ranges::default(),
        report: CheckReport::default(),
        faults: Some(Vec::new()),
    };
    for rule in rules {
        checker.check_rule(*rule)?;
        if checker.faults.as_ref().is_some_and(|faults| faults.len() >= most) {
            break;
        }
    }
    Ok(checker.faults.unwrap_or_default())
}

/// Runs the program, with inputs that may be anything, or else with each of their values: no solver is asked.
fn run_all(program: &Program, steps: u64, limits: CheckLimits<'_>) -> Result<CheckReport, CheckError> {
    let run = |reading: Reading| {
        all_runs(program, reading, RunLimits::of_steps(steps), &mut |_| {
            poll(limits).is_err()
        })
    };
    let taken = match run(Reading::Anything) {
        Err(why @ Unfinished::Stopped) => Err(why),
        Err(why) => run(Reading::EachValue).map_err(|other| match other {
            Unfinished::NoFewInputs => why,
            other => other,
        }),
        Ok(steps) => Ok(steps),
    };
    match taken {
        Ok(steps) => Ok(CheckReport {
            steps,
            ..CheckReport::default()
        }),
        Err(Unfinished::Stopped) => Err(CheckError::Cancelled),
        Err(why) => Err(CheckError::Unproved(format!(
            "that all runs end within {steps} steps without an error ({why})"
        ))),
    }
}

struct Checker<'a> {
    conditions: Conditions<'a>,
    solver: Z3Layer,
    limits: CheckLimits<'a>,
    ranges: Ranges,
    report: CheckReport,
    /// What is wrong so far, where the first such step does not end the check.
    faults: Option<Vec<StepFault>>,
}

impl Checker<'_> {
    /// That a rule leads from the invariant of its head into those of its body, and to its summary.
    fn check_rule(&mut self, rule: RuleId) -> Result<(), CheckError> {
        let conditions = self.conditions.of_rule(rule);
        if let Some(fault) = self.conditions.fault() {
            return Err(CheckError::Internal(fault.to_string()));
        }
        self.report.rules += usize::from(!conditions.is_empty());
        conditions
            .iter()
            .try_for_each(|condition| self.check_condition(condition))
    }

    /// That the functions exist which the certificate defines, and that its lemmas hold of them.
    fn check_functions(&mut self, certificate: &Certificate) -> Result<(), CheckError> {
        let (solver, report, limits) = (&mut self.solver, &mut self.report, self.limits);
        let mut shown = |terms: &Terms, obligation: &Obligation| {
            poll(limits)?;
            report.obligations += 1;
            let is_shown = obligation.is_shown(terms, solver);
            report.solved += usize::from(is_shown);
            poll(limits)?;
            Ok(is_shown)
        };
        match self.conditions.of_functions(certificate, &Depth::ALL, &mut shown)? {
            Ok(None) => Ok(()),
            Ok(Some(what)) => Err(CheckError::Unproved(what)),
            Err(why) => Err(CheckError::Malformed(why)),
        }
    }

    /// That no rule leads out of the symbolic states.
    fn check_symbolic(&mut self, certificate: &Certificate) -> Result<(), CheckError> {
        let program = self.conditions.program;
        let (report, limits) = (&mut self.report, self.limits);
        let mut solver = Z3Layer::new(limits.query_resources.div_ceil(WHOLE_PART));
        let mut shown = |terms: &Terms, obligation: &Obligation| {
            poll(limits)?;
            report.obligations += 1;
            let is_plain = obligation.formulas.contains(&TermId::FALSE);
            let is_shown = obligation.is_shown(terms, &mut solver)
                || obligation.is_shown_by_cases(terms, &mut Z3Layer::new(limits.query_resources));
            poll(limits)?;
            report.read_off += usize::from(is_plain);
            report.solved += usize::from(!is_plain);
            match is_shown {
                true => Ok(()),
                false => Err(CheckError::Unproved(obligation.text.clone())),
            }
        };
        let conditions = SymbolicConditions::new(program, &certificate.symbolic);
        conditions.obligations(&mut self.conditions.terms, &mut shown)?;
        self.report.rules = program.rules().iter().filter(|rule| !rule.body.is_empty()).count();
        Ok(())
    }

    fn check_condition(&mut self, condition: &Condition) -> Result<(), CheckError> {
        self.report.obligations += condition.premises.len();
        let open = self.open_premises(condition)?;
        self.report.read_off += condition.premises.len() - open.len();
        if open.is_empty() {
            return self.poll();
        }
        // What all premises share is asserted once; each premise then costs one small scope. A conclusion that it plainly
        // excludes is denied anyway, and there are often hundreds.
        self.solver.push();
        self.assume(&condition.constraint);
        for (premise, possible) in open {
            self.poll()?;
            self.solver.push();
            self.assume(&condition.premises[premise].formulas);
            for conclusion in possible {
                self.assume(&condition.denial[conclusion..=conclusion]);
            }
            let answer = self.solver.check(&self.conditions.terms);
            match answer {
                Answer::Unsatisfiable => {}
                Answer::Satisfiable => self.violated(condition, premise)?,
                Answer::Unknown => self.check_alone(condition, premise)?,
            }
            self.solver.pop(1);
            self.report.solved += 1;
        }
        self.solver.pop(1);
        Ok(())
    }

    /// The premises whose obligations cannot be read off, each with the conclusions that it does not plainly exclude.
    fn open_premises(&mut self, condition: &Condition) -> Result<Vec<(usize, Vec<usize>)>, CheckError> {
        let mut values = Values::new(&mut self.conditions.terms, condition);
        let mut index = None;
        let mut open = Vec::new();
        for (position, premise) in condition.premises.iter().enumerate() {
            self.poll()?;
            let calculated = |values: &mut Values| values.hold(&mut self.conditions.terms, condition, position);
            if values.as_mut().is_some_and(calculated) {
                continue;
            }
            let index =
                index.get_or_insert_with(|| ConclusionIndex::new(&self.conditions.terms, &mut self.ranges, condition));
            let assumed = condition.constraint.iter().chain(&premise.formulas).copied();
            let facts = Facts::new(&self.conditions.terms, &mut self.ranges, assumed);
            if !facts.is_contradictory() && !index.some_follows(&facts) {
                open.push((position, index.possible(&facts)));
            }
        }
        Ok(open)
    }

    /// Asks a solver that sees nothing but this obligation: without scopes Z3 may use more of its methods.
    fn check_alone(&mut self, condition: &Condition, premise: usize) -> Result<(), CheckError> {
        self.poll()?;
        self.solver.pop(2);
        let shared = std::mem::replace(&mut self.solver, Z3Layer::new(self.limits.query_resources));
        self.assume(&condition.constraint);
        self.assume(&condition.denial);
        self.assume(&condition.premises[premise].formulas);
        match self.solver.check(&self.conditions.terms) {
            Answer::Unsatisfiable => {}
            Answer::Satisfiable => self.violated(condition, premise)?,
            Answer::Unknown => {
                self.poll()?;
                return Err(CheckError::Undecided(self.step(condition, premise)));
            }
        }
        self.solver = shared;
        self.solver.push();
        self.assume(&condition.constraint);
        self.solver.push();
        Ok(())
    }

    fn assume(&mut self, formulas: &[TermId]) {
        for formula in formulas {
            self.solver.assume(&self.conditions.terms, *formula);
        }
    }

    fn poll(&self) -> Result<(), CheckError> {
        poll(self.limits)
    }

    /// Right after the solver found the obligation's negation satisfiable: the certificate proves nothing.
    fn violated(&mut self, condition: &Condition, premise: usize) -> Result<(), CheckError> {
        let terms = &self.conditions.terms;
        let rule = self.conditions.program.rule(condition.rule);
        let variables = terms.variables_of_all(&rule.terms().collect::<Vec<_>>());
        let witness = self.solver.model(terms, &variables);
        if let Some(faults) = &mut self.faults {
            let rule = condition.rule;
            faults.push(StepFault { rule, witness });
            return Ok(());
        }
        let witness = witness.map(|values| {
            let value = |variable: &TermId| Some((*variable, values.get(variable)?.clone()));
            variables.iter().filter_map(value).collect::<Vec<_>>()
        });
        let example = witness
            .as_deref()
            .map(|witness| example(terms, witness))
            .unwrap_or_default();
        Err(CheckError::Violated {
            step: self.step(condition, premise),
            witness,
            example,
        })
    }

    fn step(&self, condition: &Condition, premise: usize) -> ProofStep {
        let program = self.conditions.program;
        let rule = condition.rule;
        let Premise {
            disjunct, reached_by, ..
        } = &condition.premises[premise];
        let disjunct = *disjunct;
        let head = program.predicate_label(program.rule(rule).head.predicate);
        let text = format!(
            "{}, `{}`, from disjunct {} of the invariant of `{head}`, `{}`{}, into {}",
            rule_place(program, rule),
            rule_text(program, rule),
            disjunct + 1,
            self.conditions.premise_text(rule, disjunct),
            reached_text(program, reached_by),
            condition.target.text(program),
        );
        ProofStep { rule, disjunct, text }
    }
}

fn poll(limits: CheckLimits<'_>) -> Result<(), CheckError> {
    match limits.watch {
        Some(watch) if watch.should_stop() => Err(CheckError::Cancelled),
        _ => Ok(()),
    }
}

fn example(terms: &Terms, witness: &[(TermId, Value)]) -> String {
    let texts: Vec<String> = witness
        .iter()
        .map(|(variable, value)| format!("{} = {}", terms.variable_name(*variable), terms.display_value(value)))
        .collect();
    texts.join(", ")
}

/// The conclusions of a condition, each as positions among their distinct conjuncts.
struct ConclusionIndex {
    conjuncts: Vec<Question>,
    conclusions: Vec<Vec<usize>>,
    /// Positions of conclusions, by the conjunct that is rarest in them.
    groups: Vec<(usize, Vec<usize>)>,
    /// Whether one of them has no conjunct, so that it always holds.
    has_true: bool,
}

impl ConclusionIndex {
    fn new(terms: &Terms, ranges: &mut Ranges, condition: &Condition) -> ConclusionIndex {
        let mut positions: HashMap<TermId, usize> = HashMap::new();
        let mut conjuncts = Vec::new();
        let mut uses: Vec<usize> = Vec::new();
        let mut position = |formula: &TermId| {
            let position = *positions.entry(*formula).or_insert_with(|| {
                conjuncts.push(Question::new(terms, ranges, *formula));
                uses.push(0);
                uses.len() - 1
            });
            uses[position] += 1;
            position
        };
        let conclusions = condition.conclusions.iter();
        let conclusions: Vec<Vec<usize>> = conclusions
            .map(|conclusion| conclusion.iter().map(&mut position).collect())
            .collect();
        let mut group_of: HashMap<usize, usize> = HashMap::new();
        let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut has_true = false;
        for (number, conclusion) in conclusions.iter().enumerate() {
            let Some(rarest) = conclusion.iter().copied().min_by_key(|conjunct| uses[*conjunct]) else {
                has_true = true;
                continue;
            };
            let group = *group_of.entry(rarest).or_insert_with(|| {
                groups.push((rarest, Vec::new()));
                groups.len() - 1
            });
            groups[group].1.push(number);
        }
        ConclusionIndex {
            conjuncts,
            conclusions,
            groups,
            has_true,
        }
    }

    /// Whether some conclusion plainly follows.
    fn some_follows(&self, facts: &Facts) -> bool {
        if self.has_true {
            return true;
        }
        let follows: Vec<bool> = self.conjuncts.iter().map(|conjunct| facts.implies(conjunct)).collect();
        let holds = |number: &usize| self.conclusions[*number].iter().all(|conjunct| follows[*conjunct]);
        let mut groups = self.groups.iter();
        groups.any(|(rarest, numbers)| follows[*rarest] && numbers.iter().any(holds))
    }

    /// The positions of conclusions that are not plainly excluded.
    fn possible(&self, facts: &Facts) -> Vec<usize> {
        let excluded: Vec<bool> = self.conjuncts.iter().map(|conjunct| facts.excludes(conjunct)).collect();
        let open = |number: &usize| !self.conclusions[*number].iter().any(|conjunct| excluded[*conjunct]);
        (0..self.conclusions.len()).filter(open).collect()
    }
}
