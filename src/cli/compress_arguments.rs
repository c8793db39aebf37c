//! What can be said to `clausal compress`.

use super::c_arguments::CArguments;
use super::input::ProgramArguments;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "\
Without --input, --inputs, --random and --trace the trace is a counterexample that `verify` finds.
Exit codes: 0 compressed, 20 no trace that implies the target, 1 bad input or usage, 70 internal error.")]
pub struct CompressArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Values for inputs, such as n=10,y=1:2:3; the last one of a variable is repeated, and the others are zero
    #[arg(long, value_name = "NAME=VALUES", value_delimiter = ',', help_heading = "Trace")]
    pub input: Vec<String>,

    /// A file with a line `name = values` for each input
    #[arg(long, value_name = "FILE", help_heading = "Trace")]
    pub inputs: Option<PathBuf>,

    /// Pseudo-random inputs; several runs are tried until one reaches the target
    #[arg(long, value_name = "SEED", conflicts_with_all = ["input", "inputs"], help_heading = "Trace")]
    pub random: Option<u64>,

    /// A recorded run: what `verify --save-evidence` or `explore --save-evidence` wrote, or a witness of a violation that some
    /// verifier wrote (SV-COMP, format 2.0)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "inputs", "random", "target"], help_heading = "Trace")]
    pub trace: Option<PathBuf>,

    /// What holds at the end of the trace: a formula over the program's variables; in C at the label TARGET, if there is one
    /// [default: the negation of the property that fails]
    #[arg(long, value_name = "FORMULA", help_heading = "Trace")]
    pub target: Option<String>,

    /// The longest trace, in rules
    #[arg(long, value_name = "N", default_value_t = 10_000_000, help_heading = "Trace")]
    pub max_steps: u64,

    /// Give up after this many seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = super::arguments::seconds, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    /// The forms in which states are offered as invariants: as they are; equalities as inequalities; with what follows from
    /// several constraints
    #[arg(long, value_enum, default_value_t = Candidates::Closed, help_heading = "Method")]
    pub candidates: Candidates,

    /// What helps to find invariants
    #[arg(long, value_enum, help_heading = "Method")]
    pub assist: Option<CompressAssist>,

    /// What is known of inputs along the trace
    #[arg(long, value_enum, default_value_t = Known::Automatic, help_heading = "Method")]
    pub known: Known,

    /// Leave the invariants as strong as they were found
    #[arg(long, help_heading = "Method")]
    pub no_generalize: bool,

    /// Print the Hoare triples, too
    #[arg(long)]
    pub proof: bool,

    /// Print one line of JSON instead of text
    #[arg(long, conflicts_with = "proof")]
    pub json: bool,

    /// Write the compressed trace as a page with the iterations folded
    #[arg(long, value_name = "FILE", help_heading = "Files to write")]
    pub html: Option<PathBuf>,

    /// Write the proof for Coq
    #[arg(long, value_name = "FILE.v", help_heading = "Files to write")]
    pub coq: Option<PathBuf>,

    /// Write the proof obligations as SMT-LIB
    #[arg(long, value_name = "FILE", help_heading = "Files to write")]
    pub smt2: Option<PathBuf>,

    /// Write the compressed trace as rules, whose runs are the traces it stands for
    #[arg(long, value_name = "FILE.clp", help_heading = "Files to write")]
    pub rules: Option<PathBuf>,

    #[command(flatten)]
    pub c: CArguments,
}

/// The forms in which states are offered, by the names used on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Candidates {
    /// As they are
    Plain,
    /// Equalities as two inequalities
    Slackened,
    /// Besides, bounds and differences that follow
    Closed,
}

/// What is known of inputs, by the names used on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Known {
    /// The conditions on them; their values if the target is not implied otherwise
    Automatic,
    /// The conditions on them
    Conditions,
    /// Their values
    Values,
}

/// What helps to find the invariants of a trace's loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CompressAssist {
    /// Invariants of the program inferred from its states, as `clausal infer` finds them
    Infer,
}
