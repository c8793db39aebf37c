//! What can be said to `clausal svcomp`.

use super::arguments::seconds;
use super::c_arguments::CArguments;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "\
Prints `true`, `false(PROPERTY)` or `unknown`; why it is unknown is said on standard error. What means the same to everybody
is in SV-COMP's rules: a program file, a property file, a data model.

Exit codes: 0 true, 10 false, 20 unknown, 1 unknown because the program is refused, 2 wrong usage, 70 internal error.")]
pub struct SvcompArguments {
    /// The program: C (.c), which is preprocessed, or preprocessed C (.i)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The sizes of `long` and pointers
    #[arg(long, value_enum, default_value_t = DataModel::Ilp32)]
    pub data_model: DataModel,

    /// Write a witness of the verdict (SV-COMP, format 2.0)
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Try the invariants of this witness of correctness
    #[arg(long, value_name = "FILE")]
    pub hint: Option<PathBuf>,

    /// Answer `unknown` after this many seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Answer `unknown` when the process holds more memory than this [default: no limit]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    pub max_memory: Option<u64>,

    #[command(flatten)]
    pub c: CArguments,
}

/// SV-COMP's names for the sizes of `long` and pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DataModel {
    /// 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// 64 bits
    #[value(name = "LP64")]
    Lp64,
}
