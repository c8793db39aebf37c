//! The program `clausal`: the command line over the library. Everything it does is in `cli`, and what that decides is in the
//! library.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run().into()
}
