//! `clausal verify` on C: verdicts in C's terms.

use super::arguments::VerifyArguments;
use super::c_input::CProgram;
use super::exit::Exit;
use super::interrupt::Interrupt;
use super::output;
use super::spinner::Spinner;
use super::verify::{engine_options, explanation, heading, not_written, write_files};
use clausal::assistance::Assistance;
use clausal::c::options::Undefined;
use clausal::diagnostics::Reading;
use clausal::engine::Verdict;
use clausal::report;
use clausal::source_level::{Method, SourceWording, findings, harness, json, rests_on, verify_c_by, violation_witness};
use std::time::SystemTime;

/// Verifies one program.
pub fn verify(
    arguments: &VerifyArguments,
    interrupt: &Interrupt,
    input: &CProgram,
    position: usize,
) -> Result<Exit, String> {
    let options = input.options(&arguments.c, Undefined::Ends);
    let method = match arguments.c.undefined {
        Some(_) => Method::AsTold,
        None => Method::Automatic,
    };
    interrupt.arm();
    let spinner = Spinner::start(format!("Verifying {}", input.name));
    let Reading { product, diagnostics } = verify_c_by(
        &input.text,
        &options,
        method,
        &engine_options(arguments, interrupt),
        &|program, options| Assistance::from(arguments.assist).verify(program, options),
    );
    drop(spinner);
    input.complain(&diagnostics, !arguments.quiet);
    let Some(verification) = product else {
        return Ok(Exit::BadInput);
    };
    let places = input.places();
    let (program, outcome) = (&verification.translation.program, &verification.outcome);

    // What was found is printed even if a file cannot be written.
    let mut written = write_files(arguments, &input.name, program, outcome);
    if let Some(path) = &arguments.harness {
        match harness(&input.name, &verification, &input.text, &places) {
            Ok(text) => written = written.and(output::write_file(path, &text)),
            Err(error) => not_written(path, &error.to_string()),
        }
    }
    if let Some(path) = &arguments.witness {
        match &outcome.verdict {
            Verdict::Unsafe(derivation) => {
                let task = input.witness_task(&options);
                let translation = &verification.translation;
                let text = violation_witness(task, SystemTime::now(), translation, derivation, &places);
                written = written.and(output::write_file(path, &text));
            }
            _ => not_written(
                path,
                "only an UNSAFE has a witness; `clausal infer --witness` writes invariants",
            ),
        }
    }
    let text = if arguments.json {
        format!("{}\n", json(&input.name, &verification, &input.text, &places))
    } else if arguments.quiet {
        for line in rests_on(&verification, &places) {
            output::complain(&format!("note: {line}"));
        }
        let (_, label) = heading(arguments, &input.name, position);
        format!("{label}{}\n", report::verdict_line(outcome))
    } else {
        let (separator, label) = heading(arguments, &input.name, position);
        let found = findings(&verification, &input.text, &places);
        let mut shown = format!("{separator}{label}{found}\n{}\n", report::summary(&outcome.statistics));
        if arguments.explain {
            let wording = SourceWording {
                translation: &verification.translation,
                text: &input.text,
                places: &places,
            };
            shown.push_str(&explanation(interrupt, program, outcome, &wording));
        }
        shown
    };
    output::print(&text)?;
    written?;
    Ok(Exit::of(outcome))
}
