//! `clausal compress`: traces, with loop invariants in the place of iterations.

use super::arguments::extension;
use super::c_input::CProgram;
use super::compress_arguments::{Candidates, CompressArguments, Known};
use super::exit::Exit;
use super::given_inputs::{Dealer, Given, InputNames};
use super::input::Input;
use super::interrupt::Interrupt;
use super::output;
use super::spinner::Spinner;
use clausal::c::Translation;
use clausal::c::options::{Blocks, Undefined};
use clausal::clp;
use clausal::compress::{
    CompressError, Compression, InputValues, Listing, Options, Origin, RandomInputs, Representation, RuleWording,
    Target, Trace, Wording, compress, coq, html, text, triples_text,
};
use clausal::diagnostics::Reading;
use clausal::engine::{self, Outcome, Verdict, verify};
use clausal::evidence::obligations_smtlib;
use clausal::execution::{End, Request};
use clausal::report;
use clausal::rules::{PredicateId, Program};
use clausal::source_level::{Method, SourceWording, TARGET_FUNCTION, inputs_of, verify_c, with_target};
use clausal::terms::{TermId, Value};
use std::path::Path;

/// How many runs with pseudo-random inputs are tried.
const RANDOM_RUNS: u64 = 200;

/// Why there is nothing to print.
enum Failure {
    /// The input is bad; the text says how, or it was said already.
    BadInput(Option<String>),
    /// There is no trace, or it cannot be compressed.
    NoTrace(String),
    /// A fault of this program.
    Internal(String),
}

impl From<String> for Failure {
    fn from(problem: String) -> Failure {
        Failure::BadInput(Some(problem))
    }
}

/// Runs the command.
pub fn run(arguments: &CompressArguments, interrupt: &Interrupt) -> Exit {
    let (exit, problem) = match run_on(arguments, interrupt) {
        Ok(()) => return Exit::Success,
        Err(Failure::BadInput(problem)) => (Exit::BadInput, problem),
        Err(Failure::NoTrace(problem)) => (Exit::Unknown, Some(problem)),
        Err(Failure::Internal(problem)) => (Exit::InternalError, Some(problem)),
    };
    if let Some(problem) = problem {
        output::complain(&format!("error: {problem}"));
    }
    exit
}

fn run_on(arguments: &CompressArguments, interrupt: &Interrupt) -> Result<(), Failure> {
    for path in [&arguments.html, &arguments.coq, &arguments.smt2, &arguments.rules]
        .into_iter()
        .flatten()
    {
        output::check_target(path)?;
    }
    if arguments.coq.as_ref().is_some_and(|path| !is_coq_name(path)) {
        return Err(
            "the name of a file for Coq is letters, digits and underscores, and ends in .v"
                .to_string()
                .into(),
        );
    }
    let mut given = Given::default();
    given.add_arguments(&arguments.input)?;
    if let Some(path) = &arguments.inputs {
        given.add_file(path)?;
    }
    let input = arguments.program.load(&arguments.c)?;
    interrupt.arm();
    match input {
        Input::Rules(rules) => {
            let program = rules.program(true).ok_or(Failure::BadInput(None))?;
            let program = match &arguments.target {
                None => program,
                Some(target) => {
                    let text = rules_with_target(arguments, &program, &given, target)?;
                    rules.with_more(&text).ok_or(Failure::BadInput(None))?
                }
            };
            let names = InputNames::of_rules();
            let trace = match wants_counterexample(arguments) {
                true => counterexample(arguments, interrupt, &program, &rules.name)?,
                false => executed(arguments, &program, None, &names, &given)?,
            };
            let wording = RuleWording { program: &program };
            finish(arguments, interrupt, &rules.name, &program, &trace, &wording)
        }
        Input::C(program) => run_on_c(arguments, interrupt, program, &given),
    }
}

/// Coq makes a module's name of the file's.
fn is_coq_name(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let is_name = stem
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || character == '_');
    let starts = stem.chars().next().is_some_and(|first| first.is_ascii_alphabetic());
    is_name && starts && extension(path).as_deref() == Some("v")
}

fn wants_counterexample(arguments: &CompressArguments) -> bool {
    arguments.input.is_empty() && arguments.inputs.is_none() && arguments.random.is_none()
}

fn run_on_c(
    arguments: &CompressArguments,
    interrupt: &Interrupt,
    mut input: CProgram,
    given: &Given,
) -> Result<(), Failure> {
    let mut options = input.options(&arguments.c, Undefined::GoesOn);
    // Finer blocks give a trace with one condition in a rule, and more places for interpolants.
    options.blocks = Blocks::Basic;
    if let Some(target) = &arguments.target {
        match with_target(&input.text, target, &options.entry, input.is_snippet) {
            Ok(text) => input.text = text,
            Err(diagnostics) => {
                input.complain(&diagnostics, true);
                return Err(Failure::BadInput(None));
            }
        }
        options.error_functions.push(TARGET_FUNCTION.to_string());
    }
    let (translation, trace) = if wants_counterexample(arguments) {
        let method = match arguments.c.undefined {
            Some(_) => Method::AsTold,
            None => Method::Automatic,
        };
        let spinner = Spinner::start(format!("Verifying {}", input.name));
        let Reading { product, diagnostics } =
            verify_c(&input.text, &options, method, &engine_options(arguments, interrupt));
        drop(spinner);
        input.complain(&diagnostics, true);
        let verification = product.ok_or(Failure::BadInput(None))?;
        let trace = trace_of(&verification.translation.program, &verification.outcome)?;
        (verification.translation, trace)
    } else {
        let translation = input.translation(&options, true).ok_or(Failure::BadInput(None))?;
        let names = InputNames::of_c(&translation);
        let inputs_of = inputs_of(&translation.map);
        let trace = executed(arguments, &translation.program, Some(&inputs_of), &names, given)?;
        (translation, trace)
    };
    let places = input.places();
    let wording = SourceWording {
        translation: &translation,
        text: &input.text,
        places: &places,
    };
    let Translation { program, .. } = &translation;
    finish(arguments, interrupt, &input.name, program, &trace, &wording)
}

fn engine_options(arguments: &CompressArguments, interrupt: &Interrupt) -> engine::Options {
    let mut options = engine::Options {
        cancellation: interrupt.cancellation.clone(),
        ..engine::Options::default()
    };
    options.budget.time = arguments.timeout;
    options
}

fn counterexample(
    arguments: &CompressArguments,
    interrupt: &Interrupt,
    program: &Program,
    name: &str,
) -> Result<Trace, Failure> {
    let spinner = Spinner::start(format!("Verifying {name}"));
    let outcome = verify(program, &engine_options(arguments, interrupt));
    drop(spinner);
    trace_of(program, &outcome)
}

fn trace_of(program: &Program, outcome: &Outcome) -> Result<Trace, Failure> {
    match &outcome.verdict {
        Verdict::Unsafe(derivation) => {
            Trace::of_derivation(program, derivation).map_err(|error| Failure::Internal(error.to_string()))
        }
        _ => Err(Failure::NoTrace(format!(
            "there is no counterexample to compress ({}): give inputs with --input or --random",
            report::verdict_line(outcome)
        ))),
    }
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
        trace.map_err(|error| Failure::Internal(error.to_string()))
    };
    if let Some(seed) = arguments.random {
        for run in 0..RANDOM_RUNS {
            let random = RandomInputs::new(program, seed, run);
            let trace = record(&mut |request| Some(random.pick(program, request)))?;
            if trace.end == End::Error {
                return Ok(trace);
            }
        }
        return Err(Failure::NoTrace(format!(
            "none of {RANDOM_RUNS} runs with pseudo-random inputs reaches the target"
        )));
    }
    let known = names.all();
    for name in given.names() {
        if !known.is_empty() && !known.iter().any(|other| other == name) {
            return Err(format!("the program reads no input `{name}`; it reads {}", known.join(", ")).into());
        }
    }
    let mut dealer = Dealer::new(given);
    let trace = record(&mut |request| Some(dealer.answer(names, &program.terms, request)))?;
    match &trace.end {
        End::Error => Ok(trace),
        End::StepLimit => Err(Failure::NoTrace(format!(
            "the run does not end within {} rules (--max-steps)",
            arguments.max_steps
        ))),
        End::Stuck(why) => Err(Failure::NoTrace(format!("the run cannot go on: {why}"))),
        End::Ended | End::OutOfInputs => Err(Failure::NoTrace(match arguments.target {
            Some(_) => "with these inputs the run does not get to the target, or the target is false there".to_string(),
            None => {
                "the run does not reach the error: give other inputs, or a target of your own with --target".to_string()
            }
        })),
    }
}

/// The text of a rule that makes the target the error where a run with the given inputs ends.
fn rules_with_target(
    arguments: &CompressArguments,
    program: &Program,
    given: &Given,
    target: &str,
) -> Result<String, Failure> {
    let names = InputNames::of_rules();
    let mut dealer = Dealer::new(given);
    let mut inputs = |request: &Request| Some(dealer.answer(&names, &program.terms, request));
    let trace = Trace::record(program, None, &mut inputs, arguments.max_steps);
    let trace = trace.map_err(|error| Failure::Internal(error.to_string()))?;
    let last = trace.steps.last().and_then(|step| program.rule(step.rule).body.first());
    let Some(last) = last.filter(|atom| atom.predicate != PredicateId::ERROR) else {
        return Err(Failure::NoTrace(
            "the run does not end at a goal that could have a target".to_string(),
        ));
    };
    let predicate = program.predicate(last.predicate);
    let parameters = predicate
        .parameters
        .iter()
        .map(|parameter| program.terms.variable_name(*parameter).to_string());
    let arguments: Vec<String> = predicate.point.clone().into_iter().chain(parameters).collect();
    let head = match arguments.is_empty() {
        true => predicate.name.clone(),
        false => format!("{}({})", predicate.name, arguments.join(", ")),
    };
    Ok(format!("\n{head} :- {target}, error.\n"))
}

fn finish(
    arguments: &CompressArguments,
    interrupt: &Interrupt,
    name: &str,
    program: &Program,
    trace: &Trace,
    wording: &dyn Wording,
) -> Result<(), Failure> {
    let options = Options {
        representation: match arguments.candidates {
            Candidates::Plain => Representation::Plain,
            Candidates::Slackened => Representation::Slackened,
            Candidates::Closed => Representation::Closed,
        },
        inputs: match arguments.known {
            Known::Automatic => InputValues::Automatic,
            Known::Conditions => InputValues::Symbolic,
            Known::Values => InputValues::AsRead,
        },
        generalize: !arguments.no_generalize,
        time: arguments.timeout,
        cancellation: interrupt.cancellation.clone(),
        ..Options::default()
    };
    let spinner = Spinner::start(format!("Compressing {name}"));
    let compression = compress(program, trace, &Target::Error, &options);
    drop(spinner);
    let compression = compression.map_err(|error| match error {
        CompressError::Internal(_) => Failure::Internal(error.to_string()),
        error => Failure::NoTrace(error.to_string()),
    })?;
    let listing = Listing::new(program, trace, &compression, wording);
    // What was found is printed even if a file cannot be written.
    let written = write_files(arguments, name, &compression, &listing, wording);
    let mut shown = match arguments.json {
        true => format!("{}\n", listing.json(name)),
        false => text(&listing),
    };
    if arguments.proof {
        shown.push('\n');
        shown.push_str(&triples_text(&listing));
    }
    output::print(&shown)?;
    written.map_err(Failure::from)
}

fn write_files(
    arguments: &CompressArguments,
    name: &str,
    compression: &Compression,
    listing: &Listing,
    wording: &dyn Wording,
) -> Result<(), String> {
    let proof = &compression.proof;
    if let Some(path) = &arguments.html {
        output::write_file(path, &html(name, listing))?;
    }
    if let Some(path) = &arguments.coq {
        let describe = |origin: &Origin| match origin {
            Origin::Steps(steps) => format!("steps {} to {} of the trace", steps.start + 1, steps.end),
            Origin::Loop { rule, .. } => {
                let statements = wording.statements(*rule);
                let texts: Vec<String> = statements
                    .iter()
                    .map(|statement| format!("{}: {}", statement.place, statement.text))
                    .collect();
                texts.join("; ")
            }
            Origin::Target => "the target".to_string(),
        };
        match coq(proof, &describe) {
            Ok(text) => output::write_file(path, &text)?,
            Err(why) => output::complain(&format!("note: {} is not written: {why}", path.display())),
        }
    }
    if let Some(path) = &arguments.smt2 {
        let obligations = obligations_smtlib(&proof.program, &proof.certificate);
        let text = obligations.map_err(|error| format!("the obligations cannot be written: {error}"))?;
        output::write_file(path, &text)?;
    }
    if let Some(path) = &arguments.rules {
        output::write_file(path, &clp::print(&proof.program))?;
    }
    Ok(())
}
