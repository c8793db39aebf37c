//! `clausal translate`: rules in another language.

use super::arguments::{Target, TranslateArguments};
use super::exit::Exit;
use super::input::{Input, is_standard_input};
use super::output;
use clausal::{clp, horn, report};

/// Runs the command.
pub fn run(arguments: &TranslateArguments) -> Exit {
    match translate(arguments) {
        Ok(exit) => exit,
        Err(problem) => {
            output::complain(&format!("error: {problem}"));
            Exit::BadInput
        }
    }
}

fn translate(arguments: &TranslateArguments) -> Result<Exit, String> {
    // `-o -` is standard output, as `-` is standard input.
    let file = arguments.output.as_deref().filter(|path| !is_standard_input(path));
    if let Some(path) = file {
        output::check_target(path)?;
    }
    let input = Input::load(&arguments.file, arguments.from)?;
    let Some(program) = input.program(true) else {
        return Ok(Exit::BadInput);
    };
    let text = match arguments.to {
        Target::Clp => clp::print(&program),
        Target::Smt2 => horn::print(&program),
        Target::Dot => report::rules_dot(&program),
    };
    match file {
        Some(path) => output::write_file(path, &text)?,
        None => output::print(&text)?,
    }
    Ok(Exit::Success)
}
