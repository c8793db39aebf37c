//! The inference: guess, refute, prove, in turn (seed 001, algorithms 2 to 4, and induction after them).
//!
//! States come from running the rules; what all states of a place have in common are the candidates there. Symbolic states
//! refute candidates; every refutation is a further state, and the candidates are guessed again. What stands is proved by
//! induction as far as possible. What is not proved is tried against deeper symbolic states, which may refute it after all.

use super::candidate::{Candidate, Kind, Shape};
use super::columns::Columns;
use super::expression::parse_term;
use super::guesses::{guesses, value_polynomials};
use super::hints;
use super::induction::Induction;
use super::options::Options;
use super::progressions::{progressions, ratios};
use super::sampling::{Effort, Runner, Samples};
use super::steps::{Step, steps};
use super::symbolic::{Judgement, SymbolicStates};
use super::unfold::{Preparation, Prepared, prepare};
use super::work::{GUESSES, QUESTION, Stop};
use crate::polynomials::Polynomial;
use crate::rules::{PredicateId, Program, RuleId};
use crate::solver::InterruptWatch;
use crate::steps::Transitions;
use crate::terms::{Rational, TermId, Terms};
use std::time::{Duration, Instant};

/// How certain an invariant is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// It is part of a set that holds by induction, over several steps if need be: it holds in every state that can be
    /// reached.
    Proved,
    /// It holds in every state that can be reached with so many rules, and in all states that were seen beyond.
    HoldsToDepth(usize),
    /// It holds in all states that were seen; no more is known.
    Seen,
}

/// An invariant that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundInvariant {
    /// What it says, over the columns of its place.
    pub shape: Shape,
    /// The same as a formula over the parameters of the place.
    pub formula: TermId,
    /// How certain it is.
    pub status: Status,
    /// How many steps at once the induction looks at that proves it, 1 for ordinary induction; 0 for what is not proved.
    pub induction_depth: usize,
}

impl FoundInvariant {
    /// The kind.
    pub fn kind(&self) -> Kind {
        self.shape.kind()
    }
}

/// What was found at a place.
#[derive(Clone, Debug)]
pub struct PlaceInvariants {
    /// The predicate, of [`Inference::program`].
    pub place: PredicateId,
    /// If it stands for the end of runs: the predicate whose rule ends there.
    pub exit_of: Option<PredicateId>,
    /// If it stands for calls that have come back: the predicate that was called.
    pub return_of: Option<PredicateId>,
    /// The terms that shapes are over: the parameters and the user's terms.
    pub columns: Vec<TermId>,
    /// The names of the parameters.
    pub names: Vec<String>,
    /// The invariants, the most telling ones first.
    pub invariants: Vec<FoundInvariant>,
    /// How many concrete states were seen.
    pub states: usize,
}

/// Figures of an inference.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct InferenceStatistics {
    /// Concrete states seen.
    pub states: usize,
    /// Symbolic states made, and the number of rules up to which all are known.
    pub symbolic_depth: usize,
    /// Candidates that were refuted by a symbolic state.
    pub refuted: usize,
    /// Rounds of guessing.
    pub rounds: usize,
    /// Seconds.
    pub seconds: f64,
}

/// The outcome.
#[derive(Clone, Debug)]
pub struct Inference {
    /// The program as it was looked at, with exits and the counter.
    pub program: Program,
    /// The terms of the program and of all formulas.
    pub terms: Terms,
    /// What was found, by place.
    pub places: Vec<PlaceInvariants>,
    /// The rules into the error (of `program`), and whether the proved invariants rule each out.
    pub assertions: Vec<(RuleId, bool)>,
    /// All formulas that were proved, before those that follow from others were removed: an inductive set.
    pub(super) inductive: Vec<(PredicateId, TermId)>,
    /// The same of calls that have come back, over the parameters of the predicates that are called.
    pub(super) summaries: Vec<(PredicateId, TermId)>,
    /// How many steps at once the induction has to look at that proves them together.
    pub(super) induction_depth: usize,
    /// The program without its rules into the error: what the inductive set is about.
    pub(super) without_errors: Program,
    /// The samples, for whoever wants to look further.
    pub(super) samples: Samples,
    /// Figures.
    pub statistics: InferenceStatistics,
}

/// When to stop.
pub(super) struct Deadline<'a> {
    pub end: Instant,
    pub options: &'a Options,
}

impl InterruptWatch for Deadline<'_> {
    fn should_stop(&self) -> bool {
        self.options.cancellation.is_cancelled() || Instant::now() >= self.end
    }
}

/// How often candidates are guessed again.
const ROUNDS: usize = 12;
/// Z3's units for one question to a symbolic state.
const SYMBOLIC_RESOURCES: u32 = 600_000;
/// The share of the time that questions to symbolic states may take, as a divisor.
const SYMBOLIC_SHARE: u32 = 4;
/// The share of the time after which bounds are not asked about with products any more, as a divisor.
const PRODUCTS_SHARE: u32 = 3;
/// The share of the time that induction over several steps may take, as a divisor.
const DEEPER_SHARE: u32 = 6;
/// A step of a run, and states of a place: more are not needed.
const EFFORT: Effort = Effort {
    runs: 0,
    steps: 400,
    states: 1500,
};

/// Infers invariants; the thread has a large stack, and queries are interrupted at the deadline.
pub(super) fn run(program: &Program, wanted: &[PredicateId], options: &Options, deadline: &Deadline<'_>) -> Inference {
    let started = Instant::now();
    let preparation = Preparation {
        wanted,
        count: options.count,
    };
    let Prepared {
        program,
        without_errors,
        exits,
        places,
    } = prepare(program, preparation);
    let mut terms = program.terms.clone();
    let transitions = Transitions::new(&program, &mut terms);
    let proof_steps = steps(&program, &mut terms, &transitions);
    let ratios = match options.kinds.contains(&Kind::Progression) {
        true => ratios(&program),
        false => Vec::new(),
    };
    let names: Vec<Vec<String>> = places
        .iter()
        .map(|place| names_of(&program, &exits, *place, options))
        .collect();
    let columns: Vec<Columns> = places
        .iter()
        .zip(&names)
        .map(|(place, names)| columns_of(&program, &mut terms, *place, names, options))
        .collect();
    let symbolic_deadline = started + options.time / SYMBOLIC_SHARE;
    let stop = |work: u64| {
        options.pace.advance(work, &options.cancellation);
        deadline.should_stop()
    };
    let mut search = Search {
        templates: hints::templates(&mut terms, &proof_steps, options),
        ratios,
        constants: hints::constants(&terms, proof_steps.iter().flat_map(|step| &step.guard)),
        samples: Samples::new(&program),
        runner: Runner::new(&program, &terms, &transitions, options.seed),
        symbolic: SymbolicStates::new(
            &program,
            &transitions,
            SYMBOLIC_RESOURCES,
            options.symbolic_states,
            Some(symbolic_deadline),
        ),
        statistics: InferenceStatistics::default(),
        program: &program,
        steps: &proof_steps,
        columns: &columns,
        terms,
        options,
        stop: &stop,
    };
    search.sample();
    let products_end = started + options.time / PRODUCTS_SHARE;
    let mut induction = Induction::new(&program, &proof_steps, &stop).with_products_until(products_end);
    let (candidates, proved, judgements) = search.settle(&mut induction);
    let depth = search.symbolic.depth();
    let open: Vec<bool> = judgements
        .iter()
        .map(|judgement| !matches!(judgement, Judgement::Refuted(_)))
        .collect();
    let end = deadline.end.min(Instant::now() + options.time / DEEPER_SHARE);
    let deeper_stop = || stop(QUESTION) || Instant::now() >= end;
    let deepest = options.induction_depth;
    let depths = induction.k_inductive(&mut search.terms, &candidates, &proved, &open, deepest, &deeper_stop);
    let mut found = Vec::new();
    for (columns, names) in columns.iter().zip(names) {
        let mut invariants = Vec::new();
        for (index, candidate) in candidates.iter().enumerate() {
            let shown = candidate.place == columns.place && candidate.shape != Shape::Auxiliary;
            if !shown || matches!(judgements[index], Judgement::Refuted(_)) {
                continue;
            }
            let status = match (&judgements[index], depths[index]) {
                (_, 1..) => Status::Proved,
                (Judgement::Holds, 0) => Status::HoldsToDepth(depth),
                _ => Status::Seen,
            };
            invariants.push(FoundInvariant {
                shape: candidate.shape.clone(),
                formula: candidate.formula,
                status,
                induction_depth: depths[index],
            });
        }
        found.push(PlaceInvariants {
            place: columns.place,
            exit_of: exits.iter().find(|(exit, _)| *exit == columns.place).map(|(_, of)| *of),
            return_of: None,
            columns: columns.indeterminates().terms().to_vec(),
            names,
            invariants,
            states: search.samples.at(columns.place).len(),
        });
    }
    let all = candidates.iter().zip(&depths);
    let inductive: Vec<(PredicateId, TermId)> = all
        .filter(|(_, depth)| **depth > 0)
        .map(|(candidate, _)| (candidate.place, candidate.formula))
        .collect();
    let mut statistics = search.statistics;
    statistics.symbolic_depth = depth;
    statistics.states = found.iter().map(|place| place.states).sum();
    let (mut terms, samples) = (search.terms, search.samples);
    let mut assertions: Vec<(RuleId, bool)> = Vec::new();
    for step in proof_steps.iter().filter(|step| step.target.is_none()) {
        let here = inductive.iter().filter(|(place, _)| *place == step.source);
        let store: Vec<TermId> = step
            .guard
            .iter()
            .copied()
            .chain(here.map(|(_, formula)| *formula))
            .collect();
        let excluded = induction.excludes(&mut terms, &store);
        match assertions.iter_mut().find(|(rule, _)| *rule == step.rule) {
            Some((_, all)) => *all &= excluded,
            None => assertions.push((step.rule, excluded)),
        }
    }
    for (place, columns) in found.iter_mut().zip(&columns) {
        place
            .invariants
            .retain(|found| found.status != Status::Seen || super::ranking::is_plausible(found));
        let values = value_polynomials(&terms, columns, samples.at(place.place));
        super::ranking::tidy(&mut terms, &mut induction, place, values);
    }
    statistics.seconds = started.elapsed().as_secs_f64();
    drop(induction);
    Inference {
        terms,
        places: found,
        assertions,
        inductive,
        summaries: Vec::new(),
        induction_depth: depths.iter().copied().max().unwrap_or(0).max(1),
        without_errors,
        samples,
        statistics,
        program: program.clone(),
    }
}

/// The names of the parameters of a place: those given for its predicate, or for the one that it is the exit of.
fn names_of(
    program: &Program,
    exits: &[(PredicateId, PredicateId)],
    place: PredicateId,
    options: &Options,
) -> Vec<String> {
    let of = exits.iter().find(|(exit, _)| *exit == place);
    names(program, place, of.map_or(place, |(_, of)| *of), options)
}

/// The names of the parameters of a place: those given for a predicate with the same ones, or their own.
pub(super) fn names(program: &Program, place: PredicateId, of: PredicateId, options: &Options) -> Vec<String> {
    let given = options.names.get(of.index()).and_then(Option::as_ref);
    let parameters = program.predicate(place).parameters.iter().enumerate();
    parameters
        .map(|(position, parameter)| {
            let own = || program.terms.variable_name(*parameter).to_string();
            given.and_then(|names| names.get(position)).cloned().unwrap_or_else(own)
        })
        .collect()
}

pub(super) fn columns_of(
    program: &Program,
    terms: &mut Terms,
    place: PredicateId,
    names: &[String],
    options: &Options,
) -> Columns {
    let parameters = program.predicate(place).parameters.clone();
    let mut further = Vec::new();
    for text in &options.further_terms {
        // A term that a place has no names for is left out there.
        if let Ok(term) = parse_term(terms, &parameters, names, text)
            && !parameters.contains(&term)
        {
            further.push(term);
        }
    }
    Columns::new(program, terms, place, &further)
}

/// What is known so far.
pub(super) struct Search<'a> {
    pub(super) program: &'a Program,
    pub(super) steps: &'a [Step],
    pub(super) terms: Terms,
    pub(super) columns: &'a [Columns],
    pub(super) options: &'a Options,
    pub(super) samples: Samples,
    pub(super) runner: Runner,
    pub(super) symbolic: SymbolicStates<'a>,
    pub(super) templates: Vec<(PredicateId, Polynomial)>,
    pub(super) ratios: Vec<i64>,
    pub(super) constants: Vec<Rational>,
    pub(super) statistics: InferenceStatistics,
    pub(super) stop: Stop<'a>,
}

impl Search<'_> {
    fn sample(&mut self) {
        let effort = Effort {
            runs: self.options.runs,
            ..EFFORT
        };
        self.runner.run(&mut self.samples, effort, self.stop);
        // Every place is to have a few symbolic states if that is possible cheaply.
        for _ in 0..6 {
            self.symbolic.deepen(&mut self.terms);
        }
    }

    fn guess(&mut self) -> Vec<Candidate> {
        self.statistics.rounds += 1;
        let mut candidates = Vec::new();
        for columns in self.columns {
            // With many columns a place takes seconds. What is found is true of states, however few places were looked at.
            if (self.stop)(GUESSES) {
                break;
            }
            let here = self.templates.iter().filter(|(place, _)| *place == columns.place);
            let forms: Vec<Polynomial> = here.map(|(_, form)| form.clone()).collect();
            let states = self.samples.at(columns.place);
            candidates.extend(guesses(
                &mut self.terms,
                columns,
                states,
                &forms,
                &self.constants,
                self.options,
            ));
            candidates.extend(progressions(&mut self.terms, columns, states, &self.ratios));
        }
        candidates.extend(self.conditional());
        candidates.extend(self.phases());
        candidates.extend(self.pulled_back(&candidates));
        candidates
    }

    /// What symbolic states say of the candidates that are not proved; new states are added to the samples.
    fn judge(&mut self, candidates: &[Candidate], proved: &[bool]) -> (Vec<Judgement>, bool) {
        let mut judgements = vec![Judgement::Undecided; candidates.len()];
        let mut learnt = false;
        for columns in self.columns {
            let open: Vec<usize> = (0..candidates.len())
                .filter(|index| candidates[*index].place == columns.place && !proved[*index])
                .filter(|index| !matches!(candidates[*index].shape.kind(), Kind::Auxiliary | Kind::Progression))
                .collect();
            if open.is_empty() || self.symbolic.count(columns.place) == 0 {
                continue;
            }
            (self.stop)(QUESTION * open.len() as u64);
            let asked: Vec<&Candidate> = open.iter().map(|index| &candidates[*index]).collect();
            let answers = self.symbolic.judge(&mut self.terms, columns.place, &asked);
            for (index, answer) in open.into_iter().zip(answers) {
                if let Judgement::Refuted(state) = &answer {
                    self.statistics.refuted += 1;
                    if let Some(state) = state
                        && self.samples.add(columns.place, state.clone())
                    {
                        learnt = true;
                        self.runner.run_from(&mut self.samples, EFFORT, columns.place, state);
                    }
                }
                judgements[index] = answer;
            }
        }
        (judgements, learnt)
    }

    /// Guesses, refutes and proves until nothing changes: the candidates, which of them are proved, and what is known of the
    /// others.
    fn settle(&mut self, induction: &mut Induction<'_>) -> (Vec<Candidate>, Vec<bool>, Vec<Judgement>) {
        let mut candidates = self.guess();
        for _ in 0..ROUNDS {
            let nothing = vec![false; candidates.len()];
            let mut proved = induction.inductive(&mut self.terms, &candidates, &nothing);
            if (self.stop)(0) {
                let unknown = vec![Judgement::Undecided; candidates.len()];
                return (candidates, proved, unknown);
            }
            let (mut judgements, mut learnt) = self.judge(&candidates, &proved);
            while !learnt && proved.iter().any(|proved| !proved) && self.symbolic.deepen(&mut self.terms) {
                (judgements, learnt) = self.judge(&candidates, &proved);
            }
            if !learnt {
                proved.resize(candidates.len(), false);
                return (candidates, proved, judgements);
            }
            candidates = self.guess();
        }
        let nothing = vec![false; candidates.len()];
        let proved = induction.inductive(&mut self.terms, &candidates, &nothing);
        let (judgements, _) = self.judge(&candidates, &proved);
        (candidates, proved, judgements)
    }
}

/// The time at which an inference that starts now must end.
pub(super) fn end(time: Duration) -> Instant {
    Instant::now() + time
}
