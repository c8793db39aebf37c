//! `clausal check` on witnesses (SV-COMP): a run is run again with the values that a witness of a violation has, and what a
//! witness of correctness states is proved, or not.

use super::answer::{Answer, Failure};
use super::arguments::CheckArguments;
use super::c_input::CProgram;
use super::compress_trace::given_by;
use super::exit::Exit;
use super::given_inputs::{Dealer, InputNames};
use super::input::name_of;
use super::interrupt::Interrupt;
use super::output;
use clausal::assistance::Assistance;
use clausal::c::options::{Allocation, Arithmetic, Calls, Options as COptions, Undefined, Untranslated};
use clausal::compress::Trace;
use clausal::engine::{Options, Verdict};
use clausal::execution::End;
use clausal::hints::{self, Standing};
use clausal::rules::RuleId;
use clausal::source_level::{
    Claim, Method, Numbers, c_hints, inputs_of, objection_to_run, read_correctness_witness, read_violation_witness,
    verify_c_by,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// A run of more rules than this is not followed to its end.
const MOST_STEPS: u64 = 10_000_000;

/// What came out.
#[derive(Serialize)]
struct Finding<'a> {
    file: &'a str,
    evidence: &'a str,
    kind: &'static str,
    accepted: bool,
    verdict: &'static str,
    reason: Option<String>,
    same_program: bool,
    checked: Option<usize>,
}

#[derive(Deserialize)]
struct Entry {
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    task: Option<About>,
}

#[derive(Deserialize)]
struct About {
    #[serde(default)]
    input_file_hashes: BTreeMap<String, String>,
}

/// Checks a witness about a C program.
pub fn check(
    arguments: &CheckArguments,
    program: &CProgram,
    text: &str,
    interrupt: &Interrupt,
    time: Option<Duration>,
) -> Result<Answer, Failure> {
    let evidence = name_of(&arguments.evidence);
    let same_program = is_about(text, &arguments.program);
    if !same_program {
        let other = format!(
            "{evidence} was written for another program, or another version of {}",
            program.name
        );
        if !arguments.force {
            return Err(format!("{other}\nhelp: --force checks it all the same").into());
        }
        output::complain(&format!("warning: {other}; it is checked because of --force"));
    }
    let (kind, judged) = match (read_violation_witness(text), read_correctness_witness(text)) {
        (Ok(run), _) => ("violation witness", violation(arguments, program, &run)?),
        (Err(_), Ok(claims)) => (
            "correctness witness",
            correctness(arguments, program, &claims, interrupt, time)?,
        ),
        (Err(why), Err(_)) => return Err(format!("{evidence}: this is no witness: {why}").into()),
    };
    let (verdict, exit, checked, reason) = match judged {
        Ok((verdict, exit, checked)) => (verdict, exit, Some(checked), None),
        Err((exit, reason)) => ("unknown", exit, None, Some(reason)),
    };
    let finding = Finding {
        file: &program.name,
        evidence: &evidence,
        kind,
        accepted: reason.is_none(),
        verdict,
        reason,
        same_program,
        checked,
    };
    let text = match arguments.json {
        true => {
            let text = serde_json::to_string(&finding);
            text.map_err(|error| format!("the finding cannot be written: {error}"))? + "\n"
        }
        false => for_people(&finding, exit),
    };
    Ok(Answer::new(text, exit))
}

fn for_people(finding: &Finding<'_>, exit: Exit) -> String {
    let checked = finding.checked.unwrap_or_default();
    let kind = finding.kind;
    match (&finding.reason, exit) {
        (None, Exit::Success) => format!("SAFE\nThe witness is confirmed; invariants proved: {checked}.\n"),
        (None, _) => format!("UNSAFE\nThe run of the witness reaches the error; rules applied: {checked}.\n"),
        (Some(reason), Exit::Unknown) => format!("UNKNOWN: the {kind} could not be checked: {reason}\n"),
        (Some(reason), _) => format!("REJECTED: the {kind} proves nothing: {reason}\n"),
    }
}

/// A verdict with what was counted, or how the process ends and why there is none.
type Judged = Result<(&'static str, Exit, usize), (Exit, String)>;

/// Whether one of the hashes is the file's; a witness without hashes is taken at its word.
fn is_about(text: &str, path: &std::path::Path) -> bool {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).unwrap_or_default();
    let about = entries.into_iter().filter_map(|entry| entry.metadata?.task);
    let hashes: Vec<String> = about.flat_map(|about| about.input_file_hashes.into_values()).collect();
    let Ok(content) = std::fs::read(path) else {
        return hashes.is_empty();
    };
    let own = Sha256::digest(&content).iter().fold(String::new(), |mut text, byte| {
        // Writing into a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    hashes.is_empty() || hashes.iter().any(|hash| hash.eq_ignore_ascii_case(&own))
}

fn violation(
    arguments: &CheckArguments,
    program: &CProgram,
    run: &clausal::source_level::RecordedRun,
) -> Result<Judged, Failure> {
    let mut why_not = None;
    for options in ways(arguments, program) {
        match followed(program, &options, run)? {
            Err(why) => {
                why_not.get_or_insert(why);
            }
            reached => return Ok(reached),
        }
    }
    Ok(Err(why_not.unwrap_or_else(|| {
        (Exit::InternalError, "there are no rules".to_string())
    })))
}

/// The rules on which a run is looked for, all of them exact. A witness does not say which allocations fail: none does, or,
/// where that counts, all. What is not translated only matters if the run comes there, which is rarer where what cannot affect the
/// property is left out; but which values are read in which copy of a function is only certain where all are.
fn ways(arguments: &CheckArguments, program: &CProgram) -> Vec<COptions> {
    let asked = COptions {
        calls: Calls::OnStack,
        untranslated: Untranslated::Fails,
        undefined: Undefined::Ends,
        ..program.options(&arguments.c, Undefined::Ends)
    };
    let failing = asked.allocation != Allocation::NeverFails && !program.leaves_failures_open(&arguments.c);
    let mut ways = Vec::new();
    for allocation in [Some(Allocation::NeverFails), failing.then_some(Allocation::MayFail)] {
        for slice in [Some(false), asked.slice.then_some(true)].into_iter().flatten() {
            ways.extend(allocation.map(|allocation| COptions {
                allocation,
                slice,
                ..asked.clone()
            }));
        }
    }
    ways
}

/// The verdict of a run with the values of a witness.
fn followed(
    program: &CProgram,
    options: &COptions,
    run: &clausal::source_level::RecordedRun,
) -> Result<Judged, Failure> {
    let translation = program.translation_for_paths(options, false)?;
    let names = InputNames::of_c(&translation, &program.places());
    let given = given_by(run, &names);
    let mut dealer = Dealer::new(&given);
    let rules = &translation.program;
    let inputs = inputs_of(&translation.map);
    let trace = Trace::record(
        rules,
        Some(&inputs),
        &mut |request| Some(dealer.answer(&names, &rules.terms, request)),
        MOST_STEPS,
    );
    let trace = match trace {
        Ok(trace) => trace,
        Err(error) => return Ok(Err((Exit::Unknown, error.to_string()))),
    };
    let taken: Vec<RuleId> = trace.steps.iter().map(|step| step.rule).collect();
    Ok(match &trace.end {
        End::Error => match objection_to_run(&translation, options, &taken) {
            Some(why) => Err((Exit::Refused, why)),
            None => Ok(("unsafe", Exit::Unsafe, trace.steps.len())),
        },
        End::StepLimit => Err((Exit::Unknown, format!("its run does not end within {MOST_STEPS} rules"))),
        _ => Err((
            Exit::Refused,
            "a run with its values does not reach the error".to_string(),
        )),
    })
}

fn correctness(
    arguments: &CheckArguments,
    program: &CProgram,
    claims: &[Claim],
    interrupt: &Interrupt,
    time: Option<Duration>,
) -> Result<Judged, Failure> {
    interrupt.arm();
    let options = program.options(&arguments.c, Undefined::Ends);
    let mut engine_options = Options {
        cancellation: interrupt.cancellation.clone(),
        ..Options::default()
    };
    engine_options.budget.time = time;
    let places = program.places();
    let numbers = match options.arithmetic {
        Arithmetic::Machine | Arithmetic::Wrapping => Numbers::OfC(options.model),
        Arithmetic::Ideal => Numbers::Mathematical,
    };
    // What is not proved of the last rules that were verified.
    let open: RefCell<Vec<String>> = RefCell::default();
    let proved = RefCell::new(0);
    let reading = verify_c_by(
        &program.text,
        &options,
        Method::Automatic,
        &engine_options,
        &|translation, options| {
            let mut hints = clausal::hints::Hints::default();
            let mut not_understood = Vec::new();
            for claim in claims {
                let of_claim = c_hints(translation, std::slice::from_ref(claim), numbers, &places);
                // A claim is about the loop on its line.
                let line = claim.place.trim_start_matches("line ");
                let here = of_claim.of_program.into_iter().filter(|hint| {
                    let source = translation
                        .map
                        .predicates
                        .get(hint.predicate.index())
                        .and_then(Option::as_ref);
                    source.is_some_and(|source| places.of(source.place.span).line.to_string() == line)
                });
                let before = hints.of_program.len();
                hints.of_program.extend(here);
                if hints.of_program.len() == before && claim.expression.trim() != "1" {
                    not_understood.push(format!("{}: `{}`", claim.place, claim.expression));
                }
            }
            let verify =
                |rules: &mut clausal::rules::Program, options: &Options| Assistance::Turns.verify(rules, options);
            let (outcome, standings) = hints::verify(&mut translation.program, &hints, options, &verify);
            let fared = || hints.of_program.iter().zip(&standings.of_program);
            let unproved = fared().filter(|(_, standing)| **standing == Standing::NotInductive);
            *open.borrow_mut() = unproved
                .map(|(hint, _)| hint.text.clone())
                .chain(not_understood)
                .collect();
            *proved.borrow_mut() = fared().filter(|(_, standing)| **standing == Standing::Lemma).count();
            outcome
        },
    );
    program.complain(&reading.diagnostics, false);
    let verification = reading.product.ok_or_else(|| program.refusal(&reading.diagnostics))?;
    let open = open.into_inner();
    Ok(match (&verification.outcome.verdict, open.first()) {
        (Verdict::Safe(_), None) => Ok(("safe", Exit::Success, proved.into_inner())),
        (Verdict::Safe(_), Some(first)) => {
            let why = format!("the program is safe, but it is not proved by induction that {first}");
            Err((Exit::Unknown, why))
        }
        (Verdict::Unsafe(_), _) => Err((Exit::Refused, "the program is not safe".to_string())),
        (Verdict::Unknown(reason), _) => Err((Exit::stopped(reason), reason.to_string())),
    })
}

/// Whether a file is a witness, by its name.
pub fn is_witness(arguments: &CheckArguments) -> bool {
    let extension = arguments.evidence.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["yml", "yaml"].contains(&extension.to_ascii_lowercase().as_str()))
}
