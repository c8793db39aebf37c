//! `clausal svcomp`: one program, one property, one line as BenchExec's tool-info modules expect it, and a witness of either
//! verdict. Limits of time are no failures here: what is not decided is `unknown`.

use super::answer::{Answer, Failure, answer};
use super::c_arguments::{Machine, PropertyFile};
use super::c_input::CProgram;
use super::deadline::Deadline;
use super::exit::Exit;
use super::input::{Input, Kind, name_of, read_text};
use super::interrupt::Interrupt;
use super::output;
use super::svcomp_arguments::{DataModel, SvcompArguments};
use clausal::assistance::Assistance;
use clausal::c::options::Undefined;
use clausal::engine::{Cancellation, Options, StopReason, Verdict};
use clausal::source_level::{
    Method, Numbers, Verification, WitnessTask, c_hints, correctness_witness, json, read_correctness_witness,
    verify_c_by, violation_witness,
};
use std::time::SystemTime;

/// Runs the command.
pub fn run(arguments: SvcompArguments, interrupt: &Interrupt) -> Exit {
    let deadline = Deadline::after(arguments.timeout, interrupt);
    let (for_command, for_both) = (deadline.clone(), interrupt.clone());
    let found = answer(
        &deadline,
        &interrupt.cancellation,
        move || svcomp(&arguments, &for_both, &for_command),
        |reason| Ok(undecided(&reason)),
    );
    found.map_or_else(
        |failure| {
            let exit = failure.complain();
            // Whoever reads only the verdict is told that there is none.
            Answer::new("unknown\n".to_string(), exit).give()
        },
        Answer::give,
    )
}

fn undecided(reason: &StopReason) -> Answer {
    output::complain(&format!("note: {reason}"));
    Answer::new("unknown\n".to_string(), Exit::stopped(reason))
}

fn svcomp(arguments: &SvcompArguments, interrupt: &Interrupt, deadline: &Deadline) -> Result<Answer, Failure> {
    let program = load(arguments, deadline)?;
    let mut c = arguments.c.clone();
    c.machine = match arguments.data_model {
        DataModel::Ilp32 => Machine::Bits32,
        DataModel::Lp64 => Machine::Bits64,
    };
    let property: PropertyFile = c
        .property
        .clone()
        .ok_or_else(|| "there is no property: give --property FILE.prp".to_string())?;
    let claims = match &arguments.hint {
        Some(path) => {
            let name = name_of(path);
            read_correctness_witness(&read_text(path)?).map_err(|why| format!("{name}: {why}"))?
        }
        None => Vec::new(),
    };
    interrupt.arm();
    let options = program.options(&c, Undefined::Ends);
    let cancellation = Cancellation::default();
    let mut engine_options = Options {
        cancellation: cancellation.clone(),
        ..Options::default()
    };
    engine_options.budget.time = deadline.left();
    engine_options.budget.memory = arguments.max_memory.map(|megabytes| megabytes << 20);
    let places = program.places();
    let reading = verify_c_by(
        &program.text,
        &options,
        Method::Automatic,
        &engine_options,
        &|translation, options| {
            let hints = c_hints(translation, &claims, Numbers::Mathematical, &places);
            let verify =
                |program: &mut clausal::rules::Program, options: &Options| Assistance::Turns.verify(program, options);
            clausal::hints::verify(&mut translation.program, &hints, options, &verify).0
        },
    );
    program.complain(&reading.diagnostics, false);
    let verification = reading.product.ok_or_else(|| program.refusal(&reading.diagnostics))?;
    let content = read_text(&arguments.file)?;
    let specification = specification(&property);
    let task = WitnessTask {
        file: &program.name,
        content: content.as_bytes(),
        is_32_bit: arguments.data_model == DataModel::Ilp32,
        specification: &specification,
    };
    let (text, witness) = judged(&verification, task, &program);
    let exit = Exit::of(&verification.outcome);
    let written = match (&arguments.witness, witness) {
        (Some(path), Some(witness)) => output::write_file(path, &witness),
        _ => Ok(()),
    };
    Ok(Answer::new(text, exit).after_writing(written))
}

/// The program, in which lines are those of the file that is verified: a preprocessor's markers tell of others, which whoever
/// reads a witness does not have.
fn load(arguments: &SvcompArguments, deadline: &Deadline) -> Result<CProgram, Failure> {
    let is_preprocessed = arguments.file.extension().is_some_and(|extension| extension == "i");
    if is_preprocessed {
        let text = read_text(&arguments.file)?;
        return Ok(CProgram::new(name_of(&arguments.file), without_markers(&text)));
    }
    match Input::load(&arguments.file, Some(Kind::C), &arguments.c, deadline)? {
        Input::C(program) => Ok(program),
        Input::Rules(_) => Err(Failure::BadInput(
            "this is for C; `clausal verify` reads rules".to_string(),
        )),
    }
}

/// A text with spaces in the place of line markers.
fn without_markers(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let rest = line
            .trim_start()
            .strip_prefix('#')
            .map(|rest| rest.trim_start().trim_start_matches("line").trim_start());
        match rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit())) {
            true => line
                .chars()
                .map(|character| if character == '\n' { '\n' } else { ' ' })
                .collect(),
            false => line.to_string(),
        }
    });
    lines.collect()
}

/// The formula of a property as witnesses have it.
fn specification(property: &PropertyFile) -> String {
    let called = property
        .property
        .unreachable
        .iter()
        .map(|function| format!("G ! call({function}())"));
    let named = property
        .property
        .names
        .iter()
        .filter(|name| *name != "unreach-call")
        .map(|name| match name.as_str() {
            "no-overflow" => "G ! overflow".to_string(),
            other => format!("G {other}"),
        });
    called.chain(named).collect::<Vec<_>>().join(" && ")
}

/// The line, and the witness, if there is a verdict.
fn judged(verification: &Verification, task: WitnessTask<'_>, program: &CProgram) -> (String, Option<String>) {
    let (translation, places) = (&verification.translation, program.places());
    match &verification.outcome.verdict {
        Verdict::Safe(certificate) => {
            let witness = correctness_witness(task, SystemTime::now(), verification, certificate, &places);
            ("true\n".to_string(), Some(witness))
        }
        Verdict::Unsafe(derivation) => {
            let report = json(&program.name, verification, &program.text, &places);
            let fields: serde_json::Value = serde_json::from_str(&report).unwrap_or_default();
            let line = fields
                .get("property")
                .and_then(serde_json::Value::as_str)
                .unwrap_or("false");
            let witness = violation_witness(task, SystemTime::now(), translation, derivation, &places);
            (format!("{line}\n"), Some(witness))
        }
        Verdict::Unknown(reason) => (undecided(reason).text, None),
    }
}
