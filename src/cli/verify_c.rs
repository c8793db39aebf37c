//! `clausal verify` on C: verdicts in C's terms.

use super::answer::{Answer, Failure};
use super::c_input::CProgram;
use super::exit::Exit;
use super::hints::GivenHints;
use super::output;
use super::verify::{Task, engine_options, explanation, heading, not_written, with_turns, write_files};
use clausal::assistance::Assistance;
use clausal::c::options::Undefined;
use clausal::diagnostics::Reading;
use clausal::engine::Verdict;
use clausal::report;
use clausal::source_level::{
    Method, SourceWording, claims_in_comments, claims_in_text, findings, harness, json, premises_line, verify_c_by,
    violation_witness,
};
use std::time::SystemTime;

/// Verifies one program.
pub fn verify(task: &Task, input: &CProgram) -> Result<Answer, Failure> {
    let arguments = &task.arguments;
    let options = input.options(&arguments.c, Undefined::Ends);
    let method = match arguments.c.undefined {
        Some(_) => Method::AsTold,
        None => Method::Automatic,
    };
    let (hints, places) = (GivenHints::read(&arguments.hint, task.kept.as_deref())?, input.places());
    let mut claims = claims_in_text(&input.text, &places);
    claims.extend(claims_in_comments(input.as_written(), &input.name));
    task.interrupt.arm();
    let (engine_options, assistance) = (engine_options(task), Assistance::from(arguments.assist));
    let Reading { product, diagnostics } = verify_c_by(
        &input.text,
        &options,
        method,
        &engine_options,
        &|translation, options| hints.verify_c(translation, (&claims, &places), options, assistance),
    );
    hints.report(arguments.quiet)?;
    input.complain(&diagnostics, !arguments.quiet);
    let verification = product.ok_or_else(|| input.refusal(&diagnostics))?;
    let (program, outcome) = (&verification.translation.program, &verification.outcome);

    // What was found is printed even if a file cannot be written.
    let mut written = write_files(task, &input.name, program, outcome);
    if let Some(path) = &arguments.harness {
        match harness(&input.name, &verification, &input.text, &places) {
            Ok(text) => written = written.and(output::write_file(path, &text)),
            Err(error) => not_written(path, &error.to_string()),
        }
    }
    if let Some(path) = &arguments.witness {
        match &outcome.verdict {
            Verdict::Unsafe(derivation) => {
                let about = input.witness_task(&options);
                let translation = &verification.translation;
                let text = violation_witness(about, SystemTime::now(), translation, derivation, &places);
                written = written.and(output::write_file(path, &text));
            }
            _ => not_written(
                path,
                "only an UNSAFE has a witness; `clausal infer --witness` writes invariants",
            ),
        }
    }
    let text = if arguments.json {
        let object = json(&input.name, &verification, &input.text, &places);
        hints.told(format!("{object}\n"), true)
    } else if arguments.quiet {
        let (_, label) = heading(arguments, &input.name, task.position);
        let premises = premises_line(&verification, &places).map_or(String::new(), |line| format!("  {line}\n"));
        format!("{label}{}\n{premises}", report::verdict_line(outcome))
    } else {
        let (separator, label) = heading(arguments, &input.name, task.position);
        let found = findings(&verification, &input.text, &places);
        let mut shown = format!("{separator}{label}{found}\n{}\n", report::summary(&outcome.statistics));
        if arguments.explain {
            let wording = SourceWording {
                translation: &verification.translation,
                text: &input.text,
                places: &places,
            };
            shown.push_str(&explanation(&task.interrupt, program, outcome, &wording));
        }
        shown
    };
    let text = with_turns(text, arguments, &engine_options.record);
    let found = match &outcome.verdict {
        Verdict::Safe(_) => Some(true),
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown(_) => None,
    };
    if let (true, Some(expected), Some(found)) = (arguments.expect, input.expected, found)
        && expected != found
    {
        written = written.and(Err(format!("{}: the task definition expects `{expected}`", input.name)));
    }
    Ok(Answer::new(text, Exit::of(outcome)).after_writing(written))
}
