//! What can be said to `clausal bench`.

use super::arguments::seconds;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "\
Every run is a process group of its own, killed as a whole at the limit. What is done is in OUTPUT/journal.jsonl at once: the
same command goes on where it was stopped or killed. OUTPUT gets results.csv, results.json and index.html (quantile and
scatter plots, and a table).

Exit codes: 0 everything was run, 1 some verdict is not the expected one, 2 wrong usage or a file that cannot be used,
20 it was stopped before everything was run.")]
pub struct BenchArguments {
    /// Folders, BenchExec's lists of tasks (.set) and task definitions (.yml), or programs
    #[arg(required = true, value_name = "TASKS")]
    pub inputs: Vec<PathBuf>,

    /// A further command to run on each task, such as 'z3 {file}'. There are also {task}, {property}, {data_model}, {bits} and
    /// {timeout}. Its verdict is the first line SAFE, UNSAFE, UNKNOWN, sat, unsat, unknown, true or false. May be repeated
    #[arg(long, value_name = "COMMAND")]
    pub against: Vec<String>,

    /// Of tasks with several properties, only the one whose file is called so
    #[arg(long, value_name = "NAME.prp")]
    pub property: Option<String>,

    /// Kill a run after this many seconds by the clock
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "10")]
    pub timeout: Duration,

    /// Kill a run whose processes hold more memory than this together [default: no limit]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    pub max_memory: Option<u64>,

    /// How many runs go on at once
    #[arg(short, long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,

    /// The folder for the journal and the reports
    #[arg(short, long, value_name = "DIR", default_value = "bench-results")]
    pub output: PathBuf,

    /// Print only what it adds up to
    #[arg(short, long)]
    pub quiet: bool,

    /// Arguments for `clausal verify`
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub own: Vec<String>,
}
