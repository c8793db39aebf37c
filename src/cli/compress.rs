//! `clausal compress`: traces, with loop invariants in the place of iterations.

use super::answer::{Answer, Failure, answer, give};
use super::arguments::extension;
use super::c_input::CProgram;
use super::compress_arguments::{Candidates, CompressArguments, CompressAssist, Known};
use super::compress_trace::{trace_of_c, trace_of_rules, unrecorded};
use super::deadline::Deadline;
use super::exit::Exit;
use super::given_inputs::{Dealer, Given, InputNames};
use super::input::Input;
use super::interrupt::Interrupt;
use super::output;
use super::spinner::Spinner;
use clausal::c::options::{Blocks, Undefined};
use clausal::clp;
use clausal::compress::{
    CompressError, Compression, InputValues, Listing, Options, Origin, Representation, RuleWording, Target, Trace,
    Wording, compress, coq, html, text, triples_text,
};
use clausal::engine::OfferedCandidates;
use clausal::evidence::obligations_smtlib;
use clausal::execution::Request;
use clausal::infer;
use clausal::rules::{PredicateId, Program, Stacked};
use clausal::source_level::{SourceWording, TARGET_FUNCTION, with_target};
use clausal::terms::TermId;
use std::path::Path;

/// Runs the command.
pub fn run(arguments: CompressArguments, interrupt: &Interrupt) -> Exit {
    let deadline = Deadline::after(arguments.timeout, interrupt);
    let (json, name) = (arguments.json, arguments.program.name());
    let spinner = Spinner::start(format!("Compressing a trace of {name}"));
    let (for_command, for_both) = (deadline.clone(), interrupt.clone());
    let found = answer(
        &deadline,
        &interrupt.cancellation,
        move || run_on(&arguments, &for_both, &for_command),
        |reason| Err(Failure::stopped("nothing is compressed", &reason)),
    );
    drop(spinner);
    give(found, json, &name)
}

fn run_on(arguments: &CompressArguments, interrupt: &Interrupt, deadline: &Deadline) -> Result<Answer, Failure> {
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
    let input = arguments.program.load(&arguments.c, deadline)?;
    interrupt.arm();
    match input {
        Input::Rules(rules) => {
            let program = rules.program(true)?;
            let program = match &arguments.target {
                None => program,
                Some(target) => {
                    let text = rules_with_target(arguments, &program, &given, target)?;
                    let program = rules.with_more(&text)?;
                    check_target(&program)?;
                    program
                }
            };
            let stacked = program.has_calls().then(|| Stacked::new(&program));
            let trace = trace_of_rules(arguments, interrupt, (&program, stacked.as_ref()), &rules.name, &given)?;
            let (mut program, with_calls) = match &stacked {
                None => (program, None),
                Some(stacked) => (stacked.program().clone(), Some(program)),
            };
            let offered = offered(arguments, interrupt, &mut program)?;
            let wording = RuleWording {
                program: &program,
                with_calls: with_calls.as_ref(),
            };
            finish(arguments, interrupt, &rules.name, &program, &trace, &offered, &wording)
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

fn run_on_c(
    arguments: &CompressArguments,
    interrupt: &Interrupt,
    mut input: CProgram,
    given: &Given,
) -> Result<Answer, Failure> {
    let mut options = input.options(&arguments.c, Undefined::GoesOn);
    // Finer blocks give a trace with one condition in a rule, and more places for interpolants.
    options.blocks = Blocks::Basic;
    if let Some(target) = &arguments.target {
        match with_target(&input.text, target, &options.entry, input.is_snippet) {
            Ok(text) => input.text = text,
            Err(diagnostics) => {
                input.complain(&diagnostics, true);
                return Err(input.refusal(&diagnostics).into());
            }
        }
        options.error_functions.push(TARGET_FUNCTION.to_string());
    }
    let (mut translation, trace) = trace_of_c(arguments, interrupt, &input, &mut options, given)?;
    let offered = offered(arguments, interrupt, &mut translation.program)?;
    let places = input.places();
    let wording = SourceWording {
        translation: &translation,
        text: &input.text,
        places: &places,
    };
    finish(
        arguments,
        interrupt,
        &input.name,
        &translation.program,
        &trace,
        &offered,
        &wording,
    )
}

/// The candidates that help BIID; their terms are added to the program's table.
fn offered(
    arguments: &CompressArguments,
    interrupt: &Interrupt,
    program: &mut Program,
) -> Result<OfferedCandidates, Failure> {
    let Some(CompressAssist::Infer) = arguments.assist else {
        return Ok(OfferedCandidates::default());
    };
    let default = infer::Options::default();
    let options = infer::Options {
        time: arguments
            .timeout
            .map_or(default.time, |time| default.time.min(time / 2)),
        cancellation: interrupt.cancellation.clone(),
        // What is offered is tested by one step.
        induction_depth: 1,
        ..default
    };
    let (extended, offered) = infer::offer(program, &options)?;
    *program = extended;
    Ok(offered)
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
    let trace = trace.map_err(unrecorded)?;
    let last = trace.steps.last().and_then(|step| program.rule(step.rule).body.first());
    let Some(last) = last.filter(|atom| atom.predicate != PredicateId::ERROR) else {
        return Err(Failure::Nothing(
            "the run does not end at a goal that could have a target".to_string(),
        ));
    };
    let predicate = program.predicate(last.predicate);
    // Without rules the parameters have no names of their own: those of the last goal are what the user has written.
    let has_rules = !program.rules_of(last.predicate).is_empty();
    let named = |(parameter, argument): (&TermId, &TermId)| {
        let shown = match has_rules || !program.terms.is_variable(*argument) {
            true => *parameter,
            false => *argument,
        };
        program.terms.variable_name(shown).to_string()
    };
    let parameters = predicate.parameters.iter().zip(&last.arguments).map(named);
    let arguments: Vec<String> = predicate.point.clone().into_iter().chain(parameters).collect();
    let head = match arguments.is_empty() {
        true => predicate.name.clone(),
        false => format!("{}({})", predicate.name, arguments.join(", ")),
    };
    Ok(format!("\n{head} :- {target}, error.\n"))
}

/// Refuses a target, which is the last rule, that speaks of something else than the goal that it is about.
fn check_target(program: &Program) -> Result<(), Failure> {
    let Some(rule) = program.rules().last() else {
        return Ok(());
    };
    let known = program.terms.variables_of_all(&rule.head.arguments);
    let names = |variables: &[TermId]| {
        let names = variables.iter().map(|variable| program.terms.variable_name(*variable));
        names.collect::<Vec<_>>().join(", ")
    };
    let mut unknown = program.terms.variables_of_all(&rule.constraint);
    unknown.retain(|variable| !known.contains(variable));
    match unknown.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "the run ends at `{}`, where the target cannot speak of {}, only of {}",
            program.predicate(rule.head.predicate).name,
            names(&unknown),
            names(&known)
        )
        .into()),
    }
}

fn finish(
    arguments: &CompressArguments,
    interrupt: &Interrupt,
    name: &str,
    program: &Program,
    trace: &Trace,
    offered: &OfferedCandidates,
    wording: &dyn Wording,
) -> Result<Answer, Failure> {
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
        offered: offered.clone(),
        generalize: !arguments.no_generalize,
        time: arguments.timeout,
        cancellation: interrupt.cancellation.clone(),
        ..Options::default()
    };
    let compression = compress(program, trace, &Target::Error, &options);
    let compression = compression.map_err(|error| match error {
        CompressError::Internal(_) => Failure::Internal(error.to_string()),
        error => Failure::Nothing(error.to_string()),
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
    if !arguments.json {
        shown.push_str(&format!("\n{:.2} s\n", listing.seconds));
    }
    Ok(Answer::new(shown, Exit::Success).after_writing(written))
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
