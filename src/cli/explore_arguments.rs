//! What can be said to `clausal explore`.

use super::arguments::{extension, seconds};
use super::c_arguments::CArguments;
use super::input::ProgramArguments;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 unreachable (or done), 10 reachable, 20 unknown, 1 bad input or usage, 70 internal error."
)]
pub struct ExploreArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// What is to be reached: a predicate `p` or `p(1)`, for C a line [default: every error]
    #[arg(long, value_name = "PLACE")]
    pub target: Option<String>,

    /// List what is reached, and the inputs that reach it, instead of looking for an error
    #[arg(long, conflicts_with = "target")]
    pub coverage: bool,

    /// Print one line of JSON instead of text
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,

    /// Print the verdict alone, and no warnings
    #[arg(short, long)]
    pub quiet: bool,

    /// Give up after this many seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    /// Give up after this many states [default: no limit]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_states: Option<u64>,

    /// Z3's resource units for one query [default: 4000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Limits")]
    pub query_resources: Option<u32>,

    /// Execute every iteration of every loop: classic symbolic execution
    #[arg(long, help_heading = "Method")]
    pub no_templates: bool,

    /// Explore states again whose concrete states others have already
    #[arg(long, help_heading = "Method")]
    pub no_covering: bool,

    /// Explore what cannot lead to the error, too
    #[arg(long, help_heading = "Method")]
    pub whole: bool,

    /// One template for each cycle, and none where a value follows no progression
    #[arg(long, help_heading = "Method")]
    pub no_joint: bool,

    /// Stay with this method, also where others may decide what it does not
    #[arg(long, help_heading = "Method")]
    pub no_alternatives: bool,

    /// Which state comes next
    #[arg(long, value_enum, default_value_t = Order::Directed, help_heading = "Method")]
    pub order: Order,

    /// Write the templates and the tree; the extension .txt, .dot, .svg or .html says how
    #[arg(long, value_name = "FILE", value_parser = tree_file, help_heading = "Files to write")]
    pub tree: Option<TreeFile>,

    /// Write the run into the error, or the symbolic states that no rule leaves, as text that is the same in every run
    #[arg(long, value_name = "FILE", help_heading = "Files to write")]
    pub proof: Option<PathBuf>,

    /// Save the run into the error, or the symbolic states, as JSON, for `clausal check`
    #[arg(long, value_name = "FILE", help_heading = "Files to write")]
    pub save_evidence: Option<PathBuf>,

    /// Write what has to be proved of the symbolic states as SMT-LIB, for any SMT solver
    #[arg(long, value_name = "FILE", help_heading = "Files to write")]
    pub smt2: Option<PathBuf>,

    /// Write a C program that runs into the error that was found; with --coverage, a folder of C programs that are tests, which
    /// together reach every line listed
    #[arg(
        long,
        value_name = "FILE.c|FOLDER",
        conflicts_with = "target",
        help_heading = "Files to write"
    )]
    pub harness: Option<PathBuf>,

    #[command(flatten)]
    pub c: CArguments,
}

/// In which order states are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Order {
    /// The fewest steps away from the query first
    Breadth,
    /// Successors before siblings
    Depth,
    /// In turns the one that waits longest and the one nearest to the error
    Directed,
}

/// A file for the tree.
#[derive(Clone, Debug)]
pub struct TreeFile {
    pub path: PathBuf,
    pub format: TreeFormat,
}

/// How the tree can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeFormat {
    Text,
    Dot,
    Svg,
    Html,
}

fn tree_file(text: &str) -> Result<TreeFile, String> {
    let path = PathBuf::from(text);
    let format = match extension(&path).as_deref() {
        Some("txt") => TreeFormat::Text,
        Some("dot" | "gv") => TreeFormat::Dot,
        Some("svg") => TreeFormat::Svg,
        Some("html" | "htm") => TreeFormat::Html,
        _ => return Err("the name must end in .txt, .dot, .svg or .html".to_string()),
    };
    Ok(TreeFile { path, format })
}
