//! The command line: reads files, calls the library, prints what it returns. No logic of verification
//! lives here; what is here is about files, terminals, signals and exit codes.

mod answer;
mod arguments;
#[cfg(unix)]
mod bench;
#[cfg(unix)]
mod bench_arguments;
mod c_arguments;
mod c_input;
mod check;
mod check_witness;
mod color;
mod compress;
mod compress_arguments;
mod compress_trace;
mod deadline;
mod exit;
mod explore;
mod explore_arguments;
mod given_inputs;
mod hints;
mod infer;
mod input;
mod interrupt;
mod iterations;
mod other_headers;
mod output;
mod preprocess;
mod shell;
mod solve;
mod spinner;
mod svcomp;
mod svcomp_arguments;
mod task;
mod translate;
mod verify;
mod verify_c;

use arguments::{Arguments, Command};
use clap::Parser;
use clap::error::ErrorKind;
use clausal::solver::check_z3_version;
pub use exit::Exit;
use interrupt::Interrupt;

/// Runs the command that the process was started with.
pub fn run() -> Exit {
    // Given by `clausal bench` to itself, and by nobody else, so that it is no command among others.
    #[cfg(unix)]
    if let [_, command, mark] = std::env::args().collect::<Vec<String>>().as_slice()
        && command == crate::bench::watchdog::COMMAND
    {
        crate::bench::watchdog::watch(mark);
        return Exit::Success;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // A reader that has gone away is no reason to complain.
            let _ = error.print();
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Success,
                _ => Exit::BadInput,
            };
        }
    };
    color::choose(arguments.color);
    if let Err(problem) = check_z3_version() {
        output::complain(&format!("error: {problem}"));
        return Exit::InternalError;
    }
    match arguments.command {
        Command::Verify(arguments) => verify::run(arguments, &Interrupt::install()),
        Command::Explore(arguments) => explore::run(arguments, &Interrupt::install()),
        Command::Check(arguments) => check::run(arguments, &Interrupt::install()),
        Command::Infer(arguments) => infer::run(arguments, &Interrupt::install()),
        Command::Compress(arguments) => compress::run(arguments, &Interrupt::install()),
        Command::Solve(arguments) => solve::run(arguments, &Interrupt::install()),
        Command::Translate(arguments) => translate::run(arguments, &Interrupt::install()),
        #[cfg(unix)]
        Command::Bench(arguments) => bench::run(arguments, &Interrupt::install()),
        Command::Svcomp(arguments) => svcomp::run(arguments, &Interrupt::install()),
        Command::Completions(arguments) => shell::completions(&arguments),
        Command::Man(arguments) => shell::man(&arguments),
    }
}
