//! `clausal bench`: what was said on the command line to what `crate::bench` does, and the reports into their files.

use super::bench_arguments::BenchArguments;
use super::exit::Exit;
use super::interrupt::Interrupt;
use super::output;
use crate::bench::{self, Finished, Settings, Tool, report};

/// Runs the command.
pub fn run(arguments: BenchArguments, interrupt: &Interrupt) -> Exit {
    match benchmark(&arguments, interrupt) {
        Ok(exit) => exit,
        Err(problem) => {
            output::complain(&format!("error: {problem}"));
            Exit::BadInput
        }
    }
}

fn benchmark(arguments: &BenchArguments, interrupt: &Interrupt) -> Result<Exit, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
    let mut tools = vec![Tool::own(&program, &arguments.own)];
    for command in &arguments.against {
        let tool = Tool::other(command, &tools)?;
        tools.push(tool);
    }
    output::check_folder(&arguments.output)?;
    output::make_folder(&arguments.output)?;
    let settings = Settings {
        inputs: arguments.inputs.clone(),
        property: arguments.property.clone(),
        tools,
        time: arguments.timeout,
        memory: arguments.max_memory.map(|megabytes| megabytes << 20),
        jobs: arguments.jobs.get(),
        folder: arguments.output.clone(),
    };
    interrupt.arm();
    let should_stop = || interrupt.cancellation.is_cancelled();
    let finished = bench::run(&settings, &should_stop, &mut |line| {
        if !arguments.quiet {
            output::complain(line);
        }
    })?;
    let Finished { rows, left } = &finished;
    output::write_file(&arguments.output.join("results.csv"), &report::csv(rows)?)?;
    output::write_file(&arguments.output.join("results.json"), &report::json(rows, *left))?;
    output::write_file(&arguments.output.join("index.html"), &report::html(rows, *left))?;
    output::print(&report::text(rows))?;
    if *left > 0 {
        output::complain(&format!(
            "Stopped; {left} runs are left. The same command goes on with them."
        ));
        return Ok(Exit::Unknown);
    }
    Ok(if rows.any_wrong() { Exit::Refused } else { Exit::Success })
}
