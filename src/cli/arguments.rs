//! What can be said on the command line.

#[cfg(unix)]
use super::bench_arguments::BenchArguments;
use super::c_arguments::CArguments;
use super::color::Color;
use super::compress_arguments::CompressArguments;
use super::explore_arguments::ExploreArguments;
use super::input::Kind;
use super::shell::{CompletionsArguments, ManArguments};
use super::svcomp_arguments::SvcompArguments;
use super::translate::TranslateArguments;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clausal::assistance::Assistance;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

const EXIT_CODES: &str = "\
Exit codes: 0 safe (or done), 10 unsafe, 20 unknown, 1 refused (something in the program cannot be treated),
2 malformed input or wrong usage, 70 internal error. With several files the worst counts, from the worst: 70, 2, 1, 10, 20, 0.";

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let solver = z3::full_version().trim();
    format!(
        "{} (Z3 {})",
        env!("CARGO_PKG_VERSION"),
        solver.strip_prefix("Z3 ").unwrap_or(solver)
    )
});

/// Proves programs safe or shows how they fail: C or constraint logic programming rules in, proven verdicts out.
#[derive(Parser, Debug)]
#[command(name = "clausal", version = VERSION.as_str(), after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours; the variable NO_COLOR turns them off on a terminal
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Verify that the error cannot be reached
    Verify(VerifyArguments),
    /// Explore by compact symbolic execution: is an error, or a place, reached, and by which inputs?
    Explore(ExploreArguments),
    /// Check evidence that `verify --save-evidence` saved
    Check(CheckArguments),
    /// Infer invariants at loops and ends of runs, and prove them
    Infer(InferArguments),
    /// Compress a trace: loop invariants in the place of iterations, with proofs
    Compress(CompressArguments),
    /// Solve Horn clauses as their solvers do: `sat`, `unsat` or `unknown`, a model, a proof
    Solve(SolveArguments),
    /// Write C as rules, or rules in another language
    Translate(TranslateArguments),
    /// Run many tasks with limits, also beside other commands: CSV, JSON, and a page with plots
    #[cfg(unix)]
    Bench(BenchArguments),
    /// Verify one C program as SV-COMP asks for it: a line with the verdict, and a witness
    Svcomp(SvcompArguments),
    /// Print a script that completes commands and options in a shell
    Completions(CompletionsArguments),
    /// Write the manual pages
    Man(ManArguments),
}

#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES)]
pub struct VerifyArguments {
    /// Files with C or rules; `-` reads standard input
    #[arg(required_unless_present = "snippet", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// C statements instead of files, over integers that need not be declared; `*` is an unknown value
    #[arg(short = 'e', long, value_name = "C", conflicts_with_all = ["files", "from"])]
    pub snippet: Option<String>,

    /// The language of the files [default: by extension]
    #[arg(long, value_enum)]
    pub from: Option<Kind>,

    /// Print one line of JSON for each file instead of text
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,

    /// Print the verdict and a line about what it rests on, and no warnings
    #[arg(short, long)]
    pub quiet: bool,

    /// How many files are verified at once; the output is the same for any number
    #[arg(short, long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,

    /// Compare the verdict with the one that a task definition expects: another one is an error
    #[arg(long)]
    pub expect: bool,

    /// Show the path into an error compressed: loop invariants in the place of iterations that do not matter
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub explain: bool,

    /// Show what each method did that took turns: rounds, work, processor time, and what it came to
    #[arg(long, conflicts_with = "quiet")]
    pub turns: bool,

    /// Give up on a file after this many seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    /// Give up when the process holds more memory than this [default: no limit]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..1 << 40), help_heading = "Limits")]
    pub max_memory: Option<u64>,

    /// Give up after this many states [default: no limit]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_states: Option<u64>,

    /// Give up after this many loop unrollings [default: no limit]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_unrollings: Option<u64>,

    /// Z3's resource units for one query [default: 20000000, some seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Limits")]
    pub query_resources: Option<u32>,

    /// How loops are treated
    #[arg(long, value_enum, default_value_t = Strategy::Minimax, help_heading = "Method")]
    pub strategy: Strategy,

    /// What helps the engine
    #[arg(long, value_enum, default_value_t = Assist::Turns, help_heading = "Method")]
    pub assist: Assist,

    /// How dead ends are turned into interpolants
    #[arg(long, value_enum, default_value_t = Interpolation::WeakestPrecondition, help_heading = "Method")]
    pub interpolation: Interpolation,

    /// Try invariants that this file proposes: rules like `loop(X) :- X >= 0.` (.clp), evidence saved for an earlier version
    /// of the program (.json), a witness of correctness (.yml). May be given several times
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    pub hint: Vec<PathBuf>,

    /// Keep the evidence about each file in this folder, and start from what is there about an earlier version
    #[arg(long, value_name = "FOLDER", conflicts_with = "snippet", help_heading = "Method")]
    pub proofs: Option<PathBuf>,

    /// Do not check the evidence before giving the verdict
    #[arg(long, help_heading = "Method")]
    pub no_check: bool,

    /// Draw the exploration tree; the extension .dot, .svg or .html says how
    #[arg(long, value_name = "FILE", value_parser = tree_file, help_heading = "Files to write (for one input)")]
    pub tree: Option<TreeFile>,

    /// Write the proof as text that is the same in every run
    #[arg(long, value_name = "FILE", help_heading = "Files to write (for one input)")]
    pub proof: Option<PathBuf>,

    /// Save the certificate or the derivation as JSON, for `clausal check`
    #[arg(long, value_name = "FILE", help_heading = "Files to write (for one input)")]
    pub save_evidence: Option<PathBuf>,

    /// Write the certificate's proof obligations as SMT-LIB, for any SMT solver
    #[arg(long, value_name = "FILE", help_heading = "Files to write (for one input)")]
    pub smt2: Option<PathBuf>,

    /// Write a C program that runs into the error that was found
    #[arg(long, value_name = "FILE.c", help_heading = "Files to write (for one input)")]
    pub harness: Option<PathBuf>,

    /// Write the values with which C runs into the error as a witness of the violation (SV-COMP, format 2.0)
    #[arg(long, value_name = "FILE", help_heading = "Files to write (for one input)")]
    pub witness: Option<PathBuf>,

    #[command(flatten)]
    pub c: CArguments,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 the certificate proves the program safe, 10 the derivation reaches the error,
20 the solver cannot decide, or not in time, 1 the evidence is rejected or the program refused, 2 malformed input or
wrong usage, 70 internal error.")]
pub struct CheckArguments {
    /// The program; `-` reads standard input
    pub program: PathBuf,

    /// The evidence, or a witness (.yml, SV-COMP's format 2.0) about C
    #[arg(value_name = "EVIDENCE.json")]
    pub evidence: PathBuf,

    /// The language of the program [default: by extension]
    #[arg(long, value_enum)]
    pub from: Option<Kind>,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,

    /// Check evidence that was saved for another program, or for another version of this one
    #[arg(long)]
    pub force: bool,

    /// Give up after this many seconds [default: no limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<Duration>,

    #[command(flatten)]
    pub c: CArguments,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 there is an answer for each check-sat, which may be unknown, 1 the script is refused (something in it
cannot be treated), 2 malformed input or wrong usage (the answer is unknown, standard error says why), 70 internal error.")]
pub struct SolveArguments {
    /// A script in SMT-LIB's logic HORN; `-` reads standard input
    #[arg(value_name = "FILE.smt2")]
    pub file: PathBuf,

    /// After `sat`, print a definition of each predicate, as for `(get-model)`
    #[arg(long)]
    pub model: bool,

    /// After `unsat`, print the derivation of `false`, as for `(get-proof)`
    #[arg(long)]
    pub proof: bool,

    /// Answer `unknown` after this many seconds [default: what the script sets as :timeout, or no limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Answer `unknown` when the process holds more memory than this [default: no limit]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    pub max_memory: Option<u64>,
}

#[derive(Args, Debug)]
pub struct InferArguments {
    /// The file with the program; `-` reads standard input
    pub file: PathBuf,

    /// The language of the file [default: by extension]
    #[arg(long, value_enum)]
    pub from: Option<Kind>,

    /// Where: a line, a mark [L] in the text, or the name of a predicate [default: every loop header and exit]
    #[arg(long, value_name = "PLACE")]
    pub at: Vec<String>,

    /// The kinds to look for, separated by commas [default: eq,oct,mod,geo]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub kinds: Vec<InvariantKind>,

    /// The highest degree of equalities [default: as high as 200 monomials allow, at most 6]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=12))]
    pub degree: Option<u32>,

    /// The largest bound of an inequality, beside the numbers in the program
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub bound: i64,

    /// A further term to speak of, such as 'n / m'
    #[arg(long, value_name = "TERM", allow_hyphen_values = true)]
    pub term: Vec<String>,

    /// Bound also what the conditions of errors speak of
    #[arg(long)]
    pub goal_directed: bool,

    /// A formula to compare with: whether what is found at each place implies it (with --json)
    #[arg(long, value_name = "FORMULA", requires = "json", allow_hyphen_values = true)]
    pub implies: Vec<String>,

    /// Count the iterations of loops, and say how many there are
    #[arg(long)]
    pub count: bool,

    /// Solve for this variable at the ends of runs: a counter that the program has itself
    #[arg(long, value_name = "NAME")]
    pub solve: Option<String>,

    /// The most steps that induction looks at at once; 1 is ordinary induction
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub induction_depth: u8,

    /// Let the independent checker prove anew what was proved
    #[arg(long)]
    pub certify: bool,

    /// Write what was proved of the loops of a C program as a witness (SV-COMP, format 2.0)
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Try nothing more after this many seconds [default: 30]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Print one line of JSON instead of text
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,

    /// Print no warnings
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten)]
    pub c: CArguments,
}

/// Other methods in the engine's service.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Assist {
    /// Nothing
    None,
    /// Invariants inferred from states, as `clausal infer` finds them
    Infer,
    /// A search for errors first that jumps over loops, as `clausal explore` does
    Templates,
    /// Templates and then invariants, if a loop is unrolled again and again
    Auto,
    /// The rules followed as relations, not as paths
    Relations,
    /// Induction over several steps of the rules as relations, and the shortest way into an error
    Induction,
    /// One state after another, for programs that run by themselves
    States,
    /// All runs to their end, for programs that run by themselves for long
    Runs,
    /// Arrays by single cells and then by pairs, for what holds of all elements
    Cells,
    /// Relations as functions, for what is proved of lists and trees by induction
    Functions,
    /// Loops split into phases, with the linear equations that hold in each
    Phases,
    /// Invariants inferred of loops that multiply, offered to relations
    Products,
    /// Runs with inputs that are tried, and changed where they lead to something new, for errors behind texts
    Trials,
    /// All methods in turns: the engine, relations, induction, phases, products, and what is for datatypes and arrays
    Turns,
}

impl From<Assist> for Assistance {
    fn from(assist: Assist) -> Assistance {
        match assist {
            Assist::Auto => Assistance::Automatic,
            Assist::Relations => Assistance::Relations,
            Assist::Induction => Assistance::Induction,
            Assist::States => Assistance::States,
            Assist::Runs => Assistance::Runs,
            Assist::Cells => Assistance::Cells,
            Assist::Functions => Assistance::Functions,
            Assist::Phases => Assistance::Phases,
            Assist::Products => Assistance::Products,
            Assist::Trials => Assistance::Trials,
            Assist::Turns => Assistance::Turns,
            Assist::None => Assistance::None,
            Assist::Infer => Assistance::Inference,
            Assist::Templates => Assistance::Templates,
        }
    }
}

/// The kinds of invariants, by the names used on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum InvariantKind {
    /// Polynomial equalities
    Eq,
    /// Bounds of variables, of sums and differences of two, and of what the program compares
    Oct,
    /// Remainders that are always the same
    Mod,
    /// Comparisons with the smaller or larger of two
    Minmax,
    /// Variables that are a number or another one times a power
    Geo,
}

impl From<InvariantKind> for clausal::infer::Kind {
    fn from(kind: InvariantKind) -> Self {
        match kind {
            InvariantKind::Eq => clausal::infer::Kind::Equality,
            InvariantKind::Oct => clausal::infer::Kind::Inequality,
            InvariantKind::Mod => clausal::infer::Kind::Congruence,
            InvariantKind::Minmax => clausal::infer::Kind::Extremum,
            InvariantKind::Geo => clausal::infer::Kind::Progression,
        }
    }
}

/// How loops are treated, by the names used on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Strategy {
    /// Abstract with what is invariant, unroll where a conflict demands it
    Minimax,
    /// The same with the constraints of the loop headers as they are
    RefineRestart,
    /// Unroll exactly, deeper and deeper, until the interpolants are invariant
    IterativeDeepening,
}

impl From<Strategy> for clausal::engine::Strategy {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Minimax => clausal::engine::Strategy::Minimax,
            Strategy::RefineRestart => clausal::engine::Strategy::RefineRestart,
            Strategy::IterativeDeepening => clausal::engine::Strategy::IterativeDeepening,
        }
    }
}

/// How interpolants are found, by the names used on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Interpolation {
    /// The weakest precondition that a literal or a core expresses
    WeakestPrecondition,
    /// Minimal unsatisfiable cores of the store
    Cores,
}

impl From<Interpolation> for clausal::engine::Interpolation {
    fn from(interpolation: Interpolation) -> Self {
        match interpolation {
            Interpolation::WeakestPrecondition => clausal::engine::Interpolation::WeakestPrecondition,
            Interpolation::Cores => clausal::engine::Interpolation::Cores,
        }
    }
}

/// A file for the exploration tree.
#[derive(Clone, Debug)]
pub struct TreeFile {
    pub path: PathBuf,
    pub format: TreeFormat,
}

/// How the exploration tree can be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeFormat {
    Dot,
    Svg,
    Html,
}

fn tree_file(text: &str) -> Result<TreeFile, String> {
    let path = PathBuf::from(text);
    let format = match extension(&path).as_deref() {
        Some("dot" | "gv") => TreeFormat::Dot,
        Some("svg") => TreeFormat::Svg,
        Some("html" | "htm") => TreeFormat::Html,
        _ => return Err("the name must end in .dot, .svg or .html".to_string()),
    };
    Ok(TreeFile { path, format })
}

/// The extension of a path in lower case.
pub fn extension(path: &Path) -> Option<String> {
    path.extension()
        .and_then(|extension| extension.to_str())
        .map(str::to_ascii_lowercase)
}

/// A duration in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    match Duration::try_from_secs_f64(number) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("expected a positive number of seconds".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn seconds_are_positive_and_finite() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "x", "0", "-1", "nan", "inf", "1e99"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_extension_says_how_to_draw() {
        assert_eq!(tree_file("a/b.SVG").map(|file| file.format), Ok(TreeFormat::Svg));
        assert!(tree_file("svg").is_err());
    }
}
