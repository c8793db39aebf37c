//! `clausal solve`: answers Horn clauses the way their solvers do, for tools that call one.
//!
//! Standard output holds answers only: `sat`, `unsat` or `unknown` for each `(check-sat)`, and what was asked for after it. Reasons
//! and diagnostics go to standard error. The exit code is 0 whenever there was an answer, *unknown* among them.

use super::answer::{Answer, Failure, Refusal};
use super::arguments::SolveArguments;
use super::deadline::Deadline;
use super::exit::Exit;
use super::input::{name_of, read_text};
use super::interrupt::Interrupt;
use super::output;
use super::spinner::Spinner;
use clausal::diagnostics::{Reading, Severity, line_and_column, render};
use clausal::engine::{Budget, Cancellation, Options, Outcome, StopReason, Verdict};
use clausal::horn::{self, Clauses, Request};
use clausal::solving::{model, proof, solve};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs the command.
pub fn run(arguments: SolveArguments, interrupt: &Interrupt) -> Exit {
    let started = Instant::now();
    let _spinner = Spinner::start("Solving".to_string());
    let deadline = Deadline::after(arguments.timeout, interrupt);
    let arguments = Arc::new(arguments);
    let for_reading = arguments.clone();
    let read = deadline.wait_for(&interrupt.cancellation, move || read_text(&for_reading.file));
    let text = match read {
        Ok(Ok(text)) => text,
        Ok(Err(problem)) => return no_answer(&Failure::from(problem)),
        Err(reason) => {
            output::complain(&format!("unknown: {reason}"));
            return Answer::new("unknown\n".to_string(), Exit::Success).give();
        }
    };
    let name = name_of(&arguments.file);
    let stages = match horn::stages(&text) {
        Ok(stages) => stages,
        Err(error) => {
            output::complain(render(&[error], &name, &text).trim_end());
            return Answer::new("unknown\n".to_string(), Exit::BadInput).give();
        }
    };
    interrupt.arm();
    let mut worst = Exit::Success;
    for stage in 0..stages.count() {
        // The time of the first question includes reading.
        let started = if stage == 0 { started } else { Instant::now() };
        worst = worst.max(answer_one(
            &arguments,
            (&name, stages.text(stage)),
            interrupt,
            (&deadline, started),
        ));
        if worst > Exit::Success {
            break;
        }
    }
    worst
}

/// Says why there is no answer.
fn no_answer(failure: &Failure) -> Exit {
    let exit = failure.complain();
    Answer::new("unknown\n".to_string(), exit).give()
}

/// Answers one question of the script, given the limit of all and when this one began.
fn answer_one(
    arguments: &Arc<SolveArguments>,
    (name, text): (&str, String),
    interrupt: &Interrupt,
    (deadline, started): (&Deadline, Instant),
) -> Exit {
    let name = name.to_string();
    let read = deadline.wait_for(&interrupt.cancellation, move || read(&name, &text));
    let clauses = match read {
        Ok(Ok(clauses)) => clauses,
        Ok(Err(failure)) => return no_answer(&failure),
        Err(reason) => {
            output::complain(&format!("unknown: {reason}"));
            return Answer::new("unknown\n".to_string(), Exit::Success).give();
        }
    };
    let of_script = Deadline::since(started, clauses.questions.timeout, interrupt);
    let deadline = if arguments.timeout.is_some() {
        deadline
    } else {
        &of_script
    };
    let clauses = Arc::new(clauses);
    let (for_solving, question, left) = (arguments.clone(), clauses.clone(), deadline.left());
    let cancellation = Cancellation::default();
    let own = cancellation.clone();
    let found = deadline.wait_for(&cancellation, move || {
        let outcome = outcome(&for_solving, own, left, &question);
        answers(&for_solving, &question, &outcome)
    });
    found
        .unwrap_or_else(|reason| answers(arguments, &clauses, &Outcome::unknown(reason)))
        .give()
}

/// The clauses in a text, the errors in which are shown.
fn read(name: &str, text: &str) -> Result<Clauses, Failure> {
    let Reading {
        product,
        mut diagnostics,
    } = horn::read_clauses(text);
    diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
    if !diagnostics.is_empty() {
        output::complain(render(&diagnostics, name, text).trim_end());
    }
    let clauses = product.ok_or_else(|| {
        Refusal::of(&diagnostics, |position| {
            let (line, column) = line_and_column(text, position);
            (name.to_string(), line, column)
        })
    })?;
    match clauses.questions.has_query {
        false => Ok(clauses),
        true => Err(Failure::Unsupported(format!(
            "{name}: `(query …)` asks z3 whether something can be derived, the opposite of `(check-sat)`: \
             assert that it implies `false` instead, or use `clausal verify`"
        ))),
    }
}

/// What is printed for a script, and how the process ends then.
fn answers(arguments: &SolveArguments, clauses: &Clauses, outcome: &Outcome) -> Answer {
    let requests = &clauses.questions.requests;
    let answer = match &outcome.verdict {
        Verdict::Safe(_) => "sat",
        Verdict::Unsafe(_) => "unsat",
        Verdict::Unknown(reason) => {
            if requests.contains(&Request::Satisfiable) {
                output::complain(&format!("unknown: {reason}"));
            }
            "unknown"
        }
    };
    let evidence = |model_wanted: bool, proof_wanted: bool| match &outcome.verdict {
        Verdict::Safe(certificate) if model_wanted => {
            model(clauses, certificate).ok_or("the proof is by induction over several steps and gives no model")
        }
        Verdict::Unsafe(derivation) if proof_wanted => {
            proof(clauses, derivation).ok_or("the derivation has more steps than are written as a proof")
        }
        _ if model_wanted && !proof_wanted => Err("there is a model only of clauses that are satisfiable"),
        _ if proof_wanted && !model_wanted => Err("there is a proof only of clauses that are not satisfiable"),
        _ => Ok(String::new()),
    };
    let or_error = |result: Result<String, &str>| result.unwrap_or_else(|why| format!("(error \"{why}\")\n"));
    let mut text = String::new();
    for request in requests {
        match request {
            Request::Satisfiable => {
                text.push_str(&format!("{answer}\n"));
                // What the command line asks for follows the answer that it fits.
                let fits = |verdict: &str, wanted: bool, request: &Request| {
                    wanted && answer == verdict && !requests.contains(request)
                };
                let model = fits("sat", arguments.model, &Request::Model);
                let proof = fits("unsat", arguments.proof, &Request::Proof);
                text.push_str(&or_error(evidence(model, proof)));
            }
            Request::Model => text.push_str(&or_error(evidence(true, false))),
            Request::Proof => text.push_str(&or_error(evidence(false, true))),
            Request::Echo(quoted) => {
                let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                text.push_str(&inside.unwrap_or(quoted).replace("\"\"", "\""));
                text.push('\n');
            }
        }
    }
    let exit = match Exit::of(outcome) {
        Exit::InternalError => Exit::InternalError,
        _ => Exit::Success,
    };
    Answer::new(text, exit)
}

fn outcome(
    arguments: &SolveArguments,
    cancellation: Cancellation,
    time: Option<Duration>,
    clauses: &Clauses,
) -> Outcome {
    let requests = &clauses.questions.requests;
    if !requests.contains(&Request::Satisfiable) {
        return Outcome::unknown(StopReason::NotSupported("nothing was asked".to_string()));
    }
    let wants_model = arguments.model || requests.contains(&Request::Model);
    let wants_proof = arguments.proof || requests.contains(&Request::Proof);
    let options = Options {
        budget: Budget {
            time,
            memory: arguments.max_memory.map(|megabytes| megabytes << 20),
            ..Budget::default()
        },
        cancellation,
        ..Options::default()
    };
    solve(clauses, wants_model || wants_proof, &options)
}
