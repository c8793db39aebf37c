//! `clausal translate`: C as rules, rules in another language.

use super::answer::{Answer, Failure, Refusal, answer};
use super::arguments::seconds;
use super::c_arguments::CArguments;
use super::c_input::CProgram;
use super::deadline::Deadline;
use super::exit::Exit;
use super::input::{Input, ProgramArguments, is_standard_input};
use super::interrupt::Interrupt;
use super::output;
use clap::{Args, ValueEnum};
use clausal::c::options::Undefined;
use clausal::rules::Program;
use clausal::{clp, horn, report};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct TranslateArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// What to write: rules, SMT-LIB HORN, or the graph of the rules for Graphviz
    #[arg(long, value_enum)]
    pub to: Target,

    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Give up after this many seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<Duration>,

    #[command(flatten)]
    pub c: CArguments,
}

/// What rules can be translated to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Target {
    /// CLP rules
    Clp,
    /// SMT-LIB HORN
    Smt2,
    /// A graph for Graphviz
    Dot,
}

/// Runs the command.
pub fn run(arguments: TranslateArguments, interrupt: &Interrupt) -> Exit {
    let deadline = Deadline::after(arguments.timeout, interrupt);
    let for_command = deadline.clone();
    let found = answer(
        &deadline,
        &interrupt.cancellation,
        move || translate(&arguments, &for_command),
        |reason| Err(Failure::stopped("nothing is translated", &reason)),
    );
    found.map_or_else(|failure| failure.complain(), Answer::give)
}

fn translate(arguments: &TranslateArguments, deadline: &Deadline) -> Result<Answer, Failure> {
    // `-o -` is standard output, as `-` is standard input.
    let file = arguments.output.as_deref().filter(|path| !is_standard_input(path));
    if let Some(path) = file {
        output::check_target(path)?;
    }
    let input = arguments.program.load(&arguments.c, deadline)?;
    let program = match &input {
        Input::Rules(rules) => rules.program(true),
        Input::C(program) => of_c(program, arguments),
    }?;
    if let (Target::Clp, Some(what)) = (arguments.to, clp::inexpressible(&program)) {
        let why = format!("CLP rules cannot have {what}; write them as SMT-LIB (`--to smt2`)");
        return Err(Failure::Unsupported(why));
    }
    let text = match arguments.to {
        Target::Clp => clp::print(&program),
        Target::Smt2 => horn::print(&program),
        Target::Dot => report::rules_dot(&program),
    };
    match file {
        Some(path) => {
            output::write_file(path, &text)?;
            Ok(Answer::new(String::new(), Exit::Success))
        }
        None => Ok(Answer::new(text, Exit::Success)),
    }
}

/// The rules of a C program, exact unless told otherwise. How it was understood is said on standard error.
fn of_c(input: &CProgram, arguments: &TranslateArguments) -> Result<Program, Refusal> {
    let options = input.options(&arguments.c, Undefined::Ends);
    let translation = input.translation(&options, true)?;
    let places = input.places();
    for note in &translation.approximations {
        output::complain(&format!("note: {}: approximated: {}", places.of(note.span), note.text));
    }
    for note in &translation.notes {
        output::complain(&format!("note: {}: {}", places.of(note.span), note.text));
    }
    Ok(translation.program)
}
