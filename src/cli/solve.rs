//! `clausal solve`: answers Horn clauses the way their solvers do, for tools that call one.
//!
//! Standard output holds answers only: `sat`, `unsat` or `unknown` for each `(check-sat)`, and what was asked for after it. Reasons
//! and diagnostics go to standard error. The exit code is 0 whenever there was an answer, *unknown* among them.

use super::arguments::SolveArguments;
use super::deadline::Deadline;
use super::exit::Exit;
use super::input::{name_of, read_text};
use super::interrupt::Interrupt;
use super::output;
use super::spinner::Spinner;
use clausal::diagnostics::{Reading, Severity, render};
use clausal::engine::{Budget, Options, Outcome, StopReason, Verdict};
use clausal::horn::{self, Clauses, Request};
use clausal::solving::{model, proof, solve};

/// Runs the command.
pub fn run(arguments: &SolveArguments, interrupt: &Interrupt) -> Exit {
    let name = name_of(&arguments.file);
    let text = match read_text(&arguments.file) {
        Ok(text) => text,
        Err(problem) => {
            output::complain(&format!("error: {problem}"));
            return Exit::BadInput;
        }
    };
    let Reading {
        product,
        mut diagnostics,
    } = horn::read_clauses(&text);
    diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
    if !diagnostics.is_empty() {
        output::complain(render(&diagnostics, &name, &text).trim_end());
    }
    let refused = match &product {
        Some(clauses) if clauses.questions.has_query => {
            output::complain(&format!(
                "error: {name}: `(query …)` asks z3 whether something can be derived, the opposite of `(check-sat)`: \
                 assert that it implies `false` instead, or use `clausal verify`"
            ));
            true
        }
        Some(_) => false,
        None => true,
    };
    let (shown, exit) = match product {
        Some(clauses) if !refused => answers(arguments, interrupt, &clauses),
        _ => ("unknown\n".to_string(), Exit::BadInput),
    };
    if let Err(problem) = output::print(&shown) {
        output::complain(&format!("error: {problem}"));
        return Exit::BadInput;
    }
    exit
}

/// What is printed for a script, and how the process ends then.
fn answers(arguments: &SolveArguments, interrupt: &Interrupt, clauses: &Clauses) -> (String, Exit) {
    let requests = &clauses.questions.requests;
    let wants_model = arguments.model || requests.contains(&Request::Model);
    let wants_proof = arguments.proof || requests.contains(&Request::Proof);
    let outcome = match requests.contains(&Request::Satisfiable) {
        true => outcome(arguments, interrupt, clauses, wants_model || wants_proof),
        false => Outcome::unknown(StopReason::NotSupported("nothing was asked".to_string())),
    };
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
            proof(clauses, derivation).ok_or("the derivation has no steps of clauses")
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
    let exit = match Exit::of(&outcome) {
        Exit::InternalError => Exit::InternalError,
        _ => Exit::Success,
    };
    (text, exit)
}

fn outcome(arguments: &SolveArguments, interrupt: &Interrupt, clauses: &Clauses, keep_calls: bool) -> Outcome {
    let time = arguments.timeout.or(clauses.questions.timeout);
    let deadline = Deadline::after(time, interrupt);
    interrupt.arm();
    let _spinner = Spinner::start("Solving".to_string());
    let default = Budget::default();
    let options = Options {
        budget: Budget {
            time: deadline.left(),
            memory: arguments.max_memory.map(|megabytes| megabytes << 20),
            ..default
        },
        ..Options::default()
    };
    let (cancellation, clauses) = (options.cancellation.clone(), clauses.clone());
    let found = deadline.wait_for(&cancellation, move || solve(&clauses, keep_calls, &options));
    found.unwrap_or_else(Outcome::unknown)
}
