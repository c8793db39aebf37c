//! What is made of the definition of the arguments for shells and for `man`.

use super::arguments::Arguments;
use super::exit::Exit;
use super::output;
use clap::{Args, CommandFactory};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub struct ManArguments {
    /// The folder for the pages: one for the program, one for each command
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// Prints a script that completes commands and options in a shell.
pub fn completions(arguments: &CompletionsArguments) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "clausal", &mut script);
    ended(output::print(&String::from_utf8_lossy(&script)))
}

/// Writes a manual page for the program and for each of its commands.
pub fn man(arguments: &ManArguments) -> Exit {
    ended(pages(arguments))
}

fn pages(arguments: &ManArguments) -> Result<(), String> {
    output::check_folder(&arguments.folder)?;
    output::make_folder(&arguments.folder)?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let shown = command.get_subcommands().filter(|each| !each.is_hide_set());
    let pages: Vec<clap::Command> = std::iter::once(command.clone()).chain(shown.cloned()).collect();
    for page in pages {
        let name = page
            .get_display_name()
            .unwrap_or_else(|| page.get_name())
            .replace(' ', "-");
        let mut text = Vec::new();
        // A page is the same whenever it is made: it has no date.
        let man = clap_mangen::Man::new(page.version(env!("CARGO_PKG_VERSION")).name(name.clone())).date("");
        man.render(&mut text).map_err(|error| format!("{name}: {error}"))?;
        let path = arguments.folder.join(format!("{name}.1"));
        output::write_file(&path, &String::from_utf8_lossy(&text))?;
    }
    Ok(())
}

fn ended(done: Result<(), String>) -> Exit {
    match done {
        Ok(()) => Exit::Success,
        Err(problem) => {
            output::complain(&format!("error: {problem}"));
            Exit::BadInput
        }
    }
}
