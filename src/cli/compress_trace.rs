//! The trace that `clausal compress` starts from: a counterexample that the engine finds, a run with given or pseudo-random
//! inputs, or a run that was recorded before, by `clausal` or as a witness by another verifier.

use super::answer::Failure;
use super::c_input::CProgram;
use super::compress_arguments::CompressArguments;
use super::given_inputs::{Dealer, Given, InputNames};
use super::input::{name_of, read_text};
use super::interrupt::Interrupt;
use super::output;
use clausal::c::Translation;
use clausal::c::options::Options;
use clausal::compress::{RandomInputs, Trace, TraceError};
use clausal::diagnostics::Reading;
use clausal::engine::{self, Outcome, Verdict, verify};
use clausal::evidence::{Derivation, Evidence, read_evidence};
use clausal::execution::{End, Request};
use clausal::recursion;
use clausal::report;
use clausal::rules::{Program, Stacked};
use clausal::source_level::{Method, RecordedPlace, RecordedRun, follow, inputs_of, read_violation_witness, verify_c};
use clausal::terms::{TermId, Value};
use std::path::Path;

/// How many runs with pseudo-random inputs are tried.
const RANDOM_RUNS: u64 = 200;

/// The trace of rules: of those with their calls on a stack, if there are calls.
pub fn trace_of_rules(
    arguments: &CompressArguments,
    interrupt: &Interrupt,
    (program, stacked): (&Program, Option<&Stacked>),
    name: &str,
    given: &Given,
) -> Result<Trace, Failure> {
    let on_paths = stacked.map_or(program, Stacked::program);
    let as_run = |derivation: Derivation| match stacked {
        None => Ok(derivation),
        Some(stacked) => stacked
            .run(program, &derivation)
            .ok_or_else(|| Failure::Nothing("the derivation has too many steps".to_string())),
    };
    if let Some(path) = &arguments.trace {
        let text = read_text(path)?;
        if !is_evidence(&text) {
            return Err(format!("{}: a witness is about C; rules have saved evidence", name_of(path)).into());
        }
        let (derivation, same_program) = saved_derivation(program, path, &text)?;
        if !same_program {
            return Err(of_another_program(path, name));
        }
        return trace_of_saved(path, on_paths, &as_run(derivation)?);
    }
    match wants_counterexample(arguments) {
        true => {
            let outcome = match program.has_calls() {
                true => recursion::verify(program, &engine_options(arguments, interrupt)),
                false => verify(program, &engine_options(arguments, interrupt)),
            };
            trace_of_derivation(on_paths, &as_run(counterexample(outcome)?)?)
        }
        false => executed(arguments, on_paths, None, &InputNames::of_rules(), given),
    }
}

/// The trace of C, and the rules that it is about.
pub fn trace_of_c(
    arguments: &CompressArguments,
    interrupt: &Interrupt,
    input: &CProgram,
    options: &mut Options,
    given: &Given,
) -> Result<(Translation, Trace), Failure> {
    if let Some(path) = &arguments.trace {
        let text = read_text(path)?;
        return match is_evidence(&text) {
            true => of_saved_derivation(arguments, input, options, path, &text),
            false => of_witness(arguments, input, options, path, &text),
        };
    }
    if !wants_counterexample(arguments) {
        let translation = input.translation_for_paths(options, true)?;
        return run_of_c(arguments, input, translation, given);
    }
    let method = match arguments.c.undefined {
        Some(_) => Method::AsTold,
        None => Method::Automatic,
    };
    let engine_options = engine_options(arguments, interrupt);
    let Reading { product, diagnostics } = verify_c(&input.text, options, method, &engine_options);
    input.complain(&diagnostics, true);
    let verification = product.ok_or_else(|| input.refusal(&diagnostics))?;
    let (from, derivation) = (verification.translation, counterexample(verification.outcome)?);
    if !from.program.has_calls() {
        let trace = trace_of_derivation(&from.program, &derivation)?;
        return Ok((from, trace));
    }
    let to = input.translation_for_paths(&verification.options, false)?;
    let again = follow(&from, &derivation, &to);
    let again =
        again.ok_or_else(|| Failure::Nothing("the run into the error is none with calls on a stack".to_string()))?;
    let trace = trace_of_derivation(&to.program, &again)?;
    Ok((to, trace))
}

fn wants_counterexample(arguments: &CompressArguments) -> bool {
    arguments.input.is_empty() && arguments.inputs.is_none() && arguments.random.is_none()
}

/// A run of C with given or pseudo-random inputs.
fn run_of_c(
    arguments: &CompressArguments,
    input: &CProgram,
    translation: Translation,
    given: &Given,
) -> Result<(Translation, Trace), Failure> {
    let names = InputNames::of_c(&translation, &input.places());
    let inputs_of = inputs_of(&translation.map);
    let trace = executed(arguments, &translation.program, Some(&inputs_of), &names, given)?;
    Ok((translation, trace))
}

/// Whether a recorded run is evidence, which is JSON, or a witness.
fn is_evidence(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

fn of_another_program(path: &Path, name: &str) -> Failure {
    Failure::BadInput(format!(
        "{} was saved for another program than {name}, or another version of it; for C, give the options that it was verified with",
        name_of(path)
    ))
}

/// A derivation that was saved, and whether it was saved for this program.
fn saved_derivation(program: &Program, path: &Path, text: &str) -> Result<(Derivation, bool), Failure> {
    let name = name_of(path);
    let saved = read_evidence(program, text).map_err(|error| format!("{name}: {error}"))?;
    match saved.evidence {
        Evidence::Derivation(derivation) => Ok((derivation, saved.same_program)),
        Evidence::Certificate(_) => {
            Err(format!("{name} is a proof that no run reaches the error, so there is no trace in it").into())
        }
    }
}

/// The run of a saved derivation, on rules with finer blocks than those that it was found with.
fn of_saved_derivation(
    arguments: &CompressArguments,
    input: &CProgram,
    options: &mut Options,
    path: &Path,
    text: &str,
) -> Result<(Translation, Trace), Failure> {
    let possible = input.verified_translations(&arguments.c)?;
    let mut problem = None;
    for (found_with, from) in possible {
        let derivation = match saved_derivation(&from.program, path, text) {
            Ok((derivation, true)) => derivation,
            Ok((_, false)) => continue,
            // It may fit the other rules.
            Err(why) => {
                problem.get_or_insert(why);
                continue;
            }
        };
        options.undefined = found_with.undefined;
        return on_rules(input, options, |to| {
            let again = follow(&from, &derivation, to);
            again.map_or(Err(not_reached(path)), |again| {
                trace_of_saved(path, &to.program, &again)
            })
        });
    }
    Err(problem.unwrap_or_else(|| of_another_program(path, &input.name)))
}

/// The run that a witness tells of.
fn of_witness(
    arguments: &CompressArguments,
    input: &CProgram,
    options: &mut Options,
    path: &Path,
    text: &str,
) -> Result<(Translation, Trace), Failure> {
    let name = name_of(path);
    let run = read_violation_witness(text).map_err(|why| {
        format!("{name} is neither evidence nor a witness of a violation (SV-COMP, format 2.0): {why}")
    })?;
    if !run.not_understood.is_empty() {
        output::complain(&format!(
            "note: {name}: no value is taken from {}",
            run.not_understood.join(", ")
        ));
    }
    on_rules(input, options, |to| {
        let names = InputNames::of_c(to, &input.places());
        let given = given_by(&run, &names);
        let inputs_of = inputs_of(&to.map);
        executed(arguments, &to.program, Some(&inputs_of), &names, &given)
    })
}

/// Tries the rules with what cannot matter sliced away, and if the run is another one then, all rules: which values are read
/// in which copy of a function may depend on what was sliced away.
fn on_rules(
    input: &CProgram,
    options: &mut Options,
    run: impl Fn(&Translation) -> Result<Trace, Failure>,
) -> Result<(Translation, Trace), Failure> {
    let sliced = input.translation_for_paths(options, false)?;
    match run(&sliced) {
        Err(Failure::Nothing(_)) if options.slice => {
            options.slice = false;
            let whole = input.translation_for_paths(options, false)?;
            run(&whole).map(|trace| (whole, trace))
        }
        other => other.map(|trace| (sliced, trace)),
    }
}

fn not_reached(path: &Path) -> Failure {
    Failure::Nothing(format!(
        "the run of {} does not reach the error in these rules",
        name_of(path)
    ))
}

/// The recorded values by the names that inputs go by here. What is read nowhere here was sliced away, or is no input.
pub fn given_by(run: &RecordedRun, names: &InputNames) -> Given {
    let mut given = Given::default();
    for input in &run.inputs {
        let possible = match &input.place {
            RecordedPlace::Call { line, column } => {
                let exact = column.map(|column| format!("@{line}:{column}"));
                exact.into_iter().chain([format!("@{line}")]).collect::<Vec<_>>()
            }
            RecordedPlace::Variable { function, name } => {
                let exact = function.as_ref().map(|function| format!("{function}::{name}"));
                exact.into_iter().chain([name.clone()]).collect()
            }
        };
        if let Some(name) = possible.into_iter().find(|name| names.has(name)) {
            given.push(name, input.value.clone());
        }
    }
    given
}

fn engine_options(arguments: &CompressArguments, interrupt: &Interrupt) -> engine::Options {
    let mut options = engine::Options {
        cancellation: interrupt.cancellation.clone(),
        ..engine::Options::default()
    };
    options.budget.time = arguments.timeout;
    options
}

/// The derivation of the error that was found.
fn counterexample(outcome: Outcome) -> Result<Derivation, Failure> {
    match outcome.verdict {
        Verdict::Unsafe(derivation) => Ok(derivation),
        _ => Err(Failure::Nothing(format!(
            "there is no counterexample to compress ({}): give inputs with --input or --random",
            report::verdict_line(&outcome)
        ))),
    }
}

fn trace_of_derivation(program: &Program, derivation: &Derivation) -> Result<Trace, Failure> {
    Trace::of_derivation(program, derivation).map_err(|error| Failure::Internal(error.to_string()))
}

/// Why a run gives no trace.
pub fn unrecorded(error: TraceError) -> Failure {
    match error.is_undetermined {
        true => Failure::Nothing(error.to_string()),
        false => Failure::Internal(error.to_string()),
    }
}

/// The trace of a derivation from a file, which anybody may have written.
fn trace_of_saved(path: &Path, program: &Program, derivation: &Derivation) -> Result<Trace, Failure> {
    let trace = Trace::of_derivation(program, derivation);
    trace.map_err(|error| Failure::BadInput(format!("{}: {error}", name_of(path))))
}

/// The trace of a run with given or pseudo-random inputs.
fn executed(
    arguments: &CompressArguments,
    program: &Program,
    inputs_of: Option<&[Vec<TermId>]>,
    names: &InputNames,
    given: &Given,
) -> Result<Trace, Failure> {
    let record = |inputs: &mut dyn FnMut(&Request) -> Option<Value>| {
        let trace = Trace::record(program, inputs_of, inputs, arguments.max_steps);
        trace.map_err(unrecorded)
    };
    if let Some(seed) = arguments.random {
        for run in 0..RANDOM_RUNS {
            let random = RandomInputs::new(program, seed, run);
            let trace = record(&mut |request| Some(random.pick(program, request)))?;
            if trace.end == End::Error {
                return Ok(trace);
            }
        }
        return Err(Failure::Nothing(format!(
            "none of {RANDOM_RUNS} runs with pseudo-random inputs reaches the target"
        )));
    }
    let known = names.all();
    for name in given.names() {
        if !known.is_empty() && !names.has(name) {
            return Err(format!("the program reads no input `{name}`; it reads {}", known.join(", ")).into());
        }
    }
    let mut dealer = Dealer::new(given);
    let trace = record(&mut |request| Some(dealer.answer(names, &program.terms, request)))?;
    match &trace.end {
        End::Error => Ok(trace),
        End::StepLimit => Err(Failure::Nothing(format!(
            "the run does not end within {} rules (--max-steps)",
            arguments.max_steps
        ))),
        End::Stuck(why) => Err(Failure::Nothing(format!("the run cannot go on: {why}"))),
        End::Ended | End::OutOfInputs => Err(Failure::Nothing(match arguments.target {
            Some(_) => "with these inputs the run does not get to the target, or the target is false there".to_string(),
            None => {
                "the run does not reach the error: give other inputs, or a target of your own with --target".to_string()
            }
        })),
    }
}
