//! `clausal check`: checks saved evidence again, without the engine.

use super::answer::{Answer, Failure, Refusal, answer, give};
use super::arguments::CheckArguments;
use super::check_witness::{self, is_witness};
use super::deadline::Deadline;
use super::exit::Exit;
use super::input::{self, Input, name_of, read_text};
use super::interrupt::Interrupt;
use super::output;
use super::spinner::Spinner;
use clausal::c::Translation;
use clausal::c::options::{EarlierCalls, Options, Undefined, Untranslated};
use clausal::evidence::{
    CheckError, CheckLimits, Evidence, SavedError, SavedEvidence, check_certificate, read_evidence, replay,
};
use clausal::rules::Program;
use clausal::source_level::{objection_to_error, objection_to_failure, objection_to_proof};
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
    /// Whether the evidence was saved for this very program.
    same_program: bool,
    /// Proof obligations of a certificate, steps of a derivation or of all runs.
    checked: Option<usize>,
    /// Whether it is all runs that were checked.
    #[serde(skip)]
    is_run: bool,
    #[serde(skip)]
    exit: Exit,
}

/// Runs the command.
pub fn run(arguments: CheckArguments, interrupt: &Interrupt) -> Exit {
    let deadline = Deadline::after(arguments.timeout, interrupt);
    let (program, evidence) = (name_of(&arguments.program), name_of(&arguments.evidence));
    let file = program.clone();
    let spinner = Spinner::start(format!("Checking {evidence}"));
    let (json, for_command, for_both) = (arguments.json, deadline.clone(), interrupt.clone());
    let found = answer(
        &deadline,
        &interrupt.cancellation,
        move || check(&arguments, &for_both, &for_command),
        |why| {
            let finding = Finding {
                file: program,
                evidence,
                kind: "evidence",
                accepted: false,
                verdict: "unknown",
                reason: Some(why.to_string()),
                same_program: true,
                checked: None,
                is_run: false,
                exit: Exit::stopped(&why),
            };
            shown(&finding, json)
        },
    );
    drop(spinner);
    give(found, json, &file)
}

fn check(arguments: &CheckArguments, interrupt: &Interrupt, deadline: &Deadline) -> Result<Answer, Failure> {
    let input = Input::load(&arguments.program, arguments.from, &arguments.c, deadline)?;
    let name = name_of(&arguments.evidence);
    let text = read_text(&arguments.evidence)?;
    if is_witness(arguments) {
        return match &input {
            Input::C(program) => check_witness::check(arguments, program, &text, interrupt, deadline.left()),
            Input::Rules(_) => Err(format!("{name}: a witness is about C; rules have saved evidence").into()),
        };
    }
    let input_name = match &input {
        Input::Rules(rules) => rules.name.clone(),
        Input::C(program) => program.name.clone(),
    };
    let candidates = match &input {
        Input::Rules(rules) => of_rules(rules)?,
        Input::C(program) => {
            let asked = Asked {
                options: program.options(&arguments.c, Undefined::Ends),
                leaves_failures_open: program.leaves_failures_open(&arguments.c),
            };
            program
                .verified_translations(&arguments.c)?
                .into_iter()
                .map(|(options, translation)| Candidate::of_c(&asked, options, translation))
                .collect()
        }
    };
    let Some((candidate, saved)) = matching(candidates, &text) else {
        return Err(Failure::Internal("there are no rules".to_string()));
    };
    let SavedEvidence { evidence, same_program } =
        saved.map_err(|error| format!("{name}: {error}\nhelp: is this evidence for {input_name}?"))?;
    if !same_program {
        let other = format!("{name} was saved for another program, or another version of {input_name}");
        if !arguments.force {
            let hint = match &input {
                Input::Rules(_) => "",
                Input::C(_) => "; for C, give the options that `clausal verify` had",
            };
            return Err(format!("{other}\nhelp: --force checks it all the same{hint}").into());
        }
        output::complain(&format!("warning: {other}; it is checked because of --force"));
    }
    interrupt.arm();
    let mut finding = judge(&candidate, &evidence, interrupt);
    finding.same_program = same_program;
    finding.file = input_name;
    finding.evidence = name;
    shown(&finding, arguments.json)
}

/// The rules that saved evidence may be about: with calls, as `verify` takes them, or without, as the others do.
fn of_rules(rules: &input::Rules) -> Result<Vec<Candidate>, Refusal> {
    let with_calls = rules.program_with_calls(true)?;
    let without_calls = match with_calls.has_calls() {
        true => Some(rules.program(false)?),
        false => None,
    };
    Ok([with_calls]
        .into_iter()
        .chain(without_calls)
        .map(Candidate::exact)
        .collect())
}

fn shown(finding: &Finding, json: bool) -> Result<Answer, Failure> {
    let text = match json {
        true => {
            let text =
                serde_json::to_string(finding).map_err(|error| format!("the finding cannot be written: {error}"))?;
            format!("{text}\n")
        }
        false => for_people(finding),
    };
    Ok(Answer::new(text, finding.exit))
}

/// What the arguments ask about C.
struct Asked {
    options: Options,
    leaves_failures_open: bool,
}

/// Rules that evidence may be about.
struct Candidate {
    rules: Rules,
    /// Why the rules have runs that the program does not have, if they have.
    inexact: Option<String>,
    /// Why the rules lack runs that the program has, so that nothing is proved safe, if they do.
    incomplete: Option<String>,
}

enum Rules {
    /// Rules that are the program.
    AsGiven(Box<Program>),
    /// Rules made of C.
    OfC {
        translation: Box<Translation>,
        options: Box<Options>,
        /// Whether it is open if an allocation that fails counts.
        leaves_failures_open: bool,
    },
}

impl Candidate {
    /// Rules that are the program.
    fn exact(program: Program) -> Candidate {
        Candidate {
            rules: Rules::AsGiven(Box::new(program)),
            inexact: None,
            incomplete: None,
        }
    }

    /// Rules made of C. They have more runs than the program if something was approximated, if runs go on where C says nothing
    /// any more, or if earlier calls may have left anything although nobody `asked` for that; and fewer if runs end where
    /// something is not translated, or if the entry's call is the first one or no allocation fails although nobody said so.
    fn of_c(asked: &Asked, options: Options, translation: Translation) -> Candidate {
        let taken = (asked.options.earlier_calls == EarlierCalls::Unsaid).then_some(options.earlier_calls);
        let inexact = match options.undefined {
            Undefined::GoesOn => Some("runs go on in them after undefined behaviour".to_string()),
            Undefined::Ends if taken == Some(EarlierCalls::Any) => {
                Some("other calls come before the entry's in them (--earlier-calls any)".to_string())
            }
            Undefined::Ends => None,
        };
        let incomplete = if options.untranslated == Untranslated::Ends && !translation.refused.is_empty() {
            Some("runs end in its rules where something is not translated".to_string())
        } else if taken == Some(EarlierCalls::None) {
            Some("the entry's call is the first one in its rules (--earlier-calls none)".to_string())
        } else if asked.options.undefined != options.undefined && options.undefined == Undefined::Ends {
            Some("runs end in its rules at undefined behaviour (--undefined ends)".to_string())
        } else if asked.options.allocation != options.allocation {
            Some("no allocation fails in its rules (--malloc-never-null)".to_string())
        } else {
            objection_to_proof(&options)
        };
        Candidate {
            inexact,
            incomplete,
            rules: Rules::OfC {
                translation: Box::new(translation),
                leaves_failures_open: asked.leaves_failures_open,
                options: Box::new(options),
            },
        }
    }

    fn program(&self) -> &Program {
        match &self.rules {
            Rules::AsGiven(program) => program,
            Rules::OfC { translation, .. } => &translation.program,
        }
    }

    /// Why such evidence, though it is right about the rules, says nothing about the program, if it does not.
    fn objection(&self, evidence: &Evidence) -> Option<String> {
        let derivation = match evidence {
            Evidence::Certificate(_) => return self.incomplete.clone(),
            Evidence::Derivation(derivation) => derivation,
        };
        if let Some(why) = &self.inexact {
            return Some(format!(
                "it is a run of rules that have runs which the program does not have: {why}"
            ));
        }
        let Rules::OfC {
            translation,
            options,
            leaves_failures_open,
        } = &self.rules
        else {
            return None;
        };
        objection_to_error(translation, options, derivation).or_else(|| {
            let open = leaves_failures_open.then(|| objection_to_failure(translation, derivation));
            open.flatten()
        })
    }
}

/// The rules that the evidence names, and the evidence read against them. The same rules may be made in several ways, as where
/// no run of a program comes to undefined behaviour: then it is the way in which the evidence says something about the program.
/// If the evidence names none of them, it is the first that it can be read against and that it would say something about, or
/// else the first that it can be read against, or the first.
fn matching(candidates: Vec<Candidate>, text: &str) -> Option<(Candidate, Result<SavedEvidence, SavedError>)> {
    candidates
        .into_iter()
        .map(|candidate| {
            let saved = read_evidence(candidate.program(), text);
            (candidate, saved)
        })
        .min_by_key(|(candidate, saved)| match saved {
            Ok(saved) => (
                false,
                !saved.same_program,
                candidate.objection(&saved.evidence).is_some(),
            ),
            Err(_) => (true, true, true),
        })
}

fn judge(candidate: &Candidate, evidence: &Evidence, interrupt: &Interrupt) -> Finding {
    let program = candidate.program();
    let refused = |why: String| Err((Exit::Refused, why));
    let (kind, result) = match (evidence, candidate.objection(evidence)) {
        (Evidence::Certificate(_), Some(why)) => ("certificate", refused(why)),
        (Evidence::Certificate(certificate), None) => {
            let limits = CheckLimits {
                watch: Some(interrupt),
                ..CheckLimits::default()
            };
            let result = match check_certificate(program, certificate, limits) {
                Ok(report) => Ok(("safe", Exit::Success, report.obligations.max(report.steps as usize))),
                Err(error @ (CheckError::Undecided(_) | CheckError::Cancelled)) => {
                    Err((Exit::Unknown, error.to_string()))
                }
                Err(error @ CheckError::Internal(_)) => Err((Exit::InternalError, error.to_string())),
                Err(error) => refused(error.to_string()),
            };
            ("certificate", result)
        }
        (Evidence::Derivation(derivation), objection) => {
            let result = match (replay(program, derivation), objection) {
                (Err(error), _) => refused(error.to_string()),
                (Ok(()), Some(why)) => refused(why),
                (Ok(()), None) => Ok(("unsafe", Exit::Unsafe, derivation.length() as usize)),
            };
            ("derivation", result)
        }
    };
    let (verdict, exit, checked, reason) = match result {
        Ok((verdict, exit, checked)) => (verdict, exit, Some(checked), None),
        Err((exit, reason)) => ("unknown", exit, None, Some(reason)),
    };
    let is_run = matches!(evidence, Evidence::Certificate(certificate) if certificate.all_runs.is_some());
    Finding {
        file: String::new(),
        evidence: String::new(),
        is_run,
        kind,
        accepted: reason.is_none(),
        verdict,
        reason,
        same_program: true,
        checked,
        exit,
    }
}

fn for_people(finding: &Finding) -> String {
    let forced = match finding.same_program {
        true => "",
        false => "The evidence was saved for another program.\n",
    };
    let checked = finding.checked.unwrap_or_default();
    let text = match (&finding.reason, finding.kind) {
        (None, _) if finding.is_run => format!("SAFE\nAll runs are over, without an error; steps: {checked}.\n"),
        (None, "certificate") => format!("SAFE\nThe certificate proves it; obligations checked: {checked}.\n"),
        (None, _) => format!("UNSAFE\nThe derivation reaches the error; steps replayed: {checked}.\n"),
        (Some(reason), kind) if finding.exit == Exit::Unknown => {
            format!("UNKNOWN: the {kind} could not be checked: {reason}\n")
        }
        (Some(reason), kind) if finding.exit == Exit::InternalError => {
            format!("UNKNOWN: the {kind} could not be checked: internal error: {reason}\n")
        }
        (Some(reason), kind) => format!("REJECTED: the {kind} proves nothing: {reason}\n"),
    };
    format!("{text}{forced}")
}
