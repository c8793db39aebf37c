//! `clausal check`: checks saved evidence again, without the engine.

use super::arguments::CheckArguments;
use super::exit::Exit;
use super::input::{Input, name_of, read_text};
use super::interrupt::Interrupt;
use super::output;
use super::spinner::Spinner;
use clausal::evidence::{
    CheckError, CheckLimits, Evidence, SavedError, SavedEvidence, check_certificate, read_evidence, replay,
};
use clausal::rules::Program;
use serde::Serialize;

/// What came out.
#[derive(Serialize)]
struct Finding {
    file: String,
    evidence: String,
    kind: &'static str,
    accepted: bool,
    verdict: &'static str,
    reason: Option<String>,
    /// Proof obligations of a certificate, steps of a derivation.
    checked: Option<usize>,
    #[serde(skip)]
    exit: Exit,
}

/// Runs the command.
pub fn run(arguments: &CheckArguments, interrupt: &Interrupt) -> Exit {
    match check(arguments, interrupt) {
        Ok(exit) => exit,
        Err(problem) => {
            output::complain(&format!("error: {problem}"));
            Exit::BadInput
        }
    }
}

fn check(arguments: &CheckArguments, interrupt: &Interrupt) -> Result<Exit, String> {
    let input = Input::load(&arguments.program, arguments.from, &arguments.c)?;
    let name = name_of(&arguments.evidence);
    let text = read_text(&arguments.evidence)?;
    let input_name = match &input {
        Input::Rules(rules) => rules.name.clone(),
        Input::C(program) => program.name.clone(),
    };
    let programs = match &input {
        Input::Rules(rules) => rules.program_with_calls(true).into_iter().collect(),
        Input::C(program) => program
            .verified_translations(&arguments.c)
            .into_iter()
            .map(|(_, translation)| translation.program)
            .collect(),
    };
    let Some((program, saved)) = matching(programs, &text) else {
        return Ok(Exit::BadInput);
    };
    let SavedEvidence { evidence, same_program } =
        saved.map_err(|error| format!("{name}: {error}\nhelp: is this evidence for {input_name}?"))?;
    if !same_program {
        let hint = match &input {
            Input::Rules(_) => "",
            Input::C(_) => "; for C, give the options that `clausal verify` had",
        };
        output::complain(&format!(
            "warning: {name} was saved for another program, or another version of {input_name}{hint}"
        ));
    }
    interrupt.arm();
    let spinner = Spinner::start(format!("Checking {name}"));
    let mut finding = judge(&program, &evidence, interrupt);
    drop(spinner);
    finding.file = input_name;
    finding.evidence = name;
    output::print(&if arguments.json {
        // Only maps with keys that are not text cannot be written, and there are none.
        format!("{}\n", serde_json::to_string(&finding).unwrap_or_default())
    } else {
        for_people(&finding)
    })?;
    Ok(finding.exit)
}

/// The program that the evidence names, and the evidence read against it; the first program if it names none of them.
fn matching(programs: Vec<Program>, text: &str) -> Option<(Program, Result<SavedEvidence, SavedError>)> {
    let mut first = None;
    for program in programs {
        let saved = read_evidence(&program, text);
        if saved.as_ref().is_ok_and(|saved| saved.same_program) {
            return Some((program, saved));
        }
        first.get_or_insert((program, saved));
    }
    first
}

fn judge(program: &Program, evidence: &Evidence, interrupt: &Interrupt) -> Finding {
    let (kind, result) = match evidence {
        Evidence::Certificate(certificate) => {
            let limits = CheckLimits {
                watch: Some(interrupt),
                ..CheckLimits::default()
            };
            let result = match check_certificate(program, certificate, limits) {
                Ok(report) => Ok(("safe", Exit::Success, report.obligations)),
                Err(error @ (CheckError::Undecided(_) | CheckError::Cancelled)) => {
                    Err((Exit::Unknown, error.to_string()))
                }
                Err(error) => Err((Exit::BadInput, error.to_string())),
            };
            ("certificate", result)
        }
        Evidence::Derivation(derivation) => {
            let result = match replay(program, derivation) {
                Ok(()) => Ok(("unsafe", Exit::Unsafe, derivation.steps.len())),
                Err(error) => Err((Exit::BadInput, error.to_string())),
            };
            ("derivation", result)
        }
    };
    let (verdict, exit, checked, reason) = match result {
        Ok((verdict, exit, checked)) => (verdict, exit, Some(checked), None),
        Err((exit, reason)) => ("unknown", exit, None, Some(reason)),
    };
    Finding {
        file: String::new(),
        evidence: String::new(),
        kind,
        accepted: reason.is_none(),
        verdict,
        reason,
        checked,
        exit,
    }
}

fn for_people(finding: &Finding) -> String {
    match (&finding.reason, finding.kind, finding.checked.unwrap_or_default()) {
        (None, "certificate", checked) => format!("SAFE\nThe certificate proves it; obligations checked: {checked}.\n"),
        (None, _, checked) => format!("UNSAFE\nThe derivation reaches the error; steps replayed: {checked}.\n"),
        (Some(reason), kind, _) if finding.exit == Exit::Unknown => {
            format!("UNKNOWN: the {kind} could not be checked: {reason}\n")
        }
        (Some(reason), kind, _) => format!("REJECTED: the {kind} proves nothing: {reason}\n"),
    }
}
