//! How C is to be understood, as it is said on the command line.

use super::input::read_text;
use clap::{Args, ValueEnum};
use clausal::c::options;
use clausal::c::types::DataModel;
use clausal::source_level::{Property, read_property};
use std::path::PathBuf;

/// The options for C. They mean nothing for rules.
#[derive(Args, Clone, Debug)]
pub struct CArguments {
    /// A folder with files to include; may be repeated
    #[arg(short = 'I', long, value_name = "DIR", help_heading = "C")]
    pub include_dir: Vec<PathBuf>,

    /// A macro for the preprocessor; may be repeated
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]", help_heading = "C")]
    pub define: Vec<String>,

    /// What becomes of an `#include` whose file is not there
    #[arg(long, value_enum, default_value_t = MissingIncludes::Refuse, help_heading = "C")]
    pub missing_includes: MissingIncludes,

    /// The sizes of `long` and pointers, in bits
    #[arg(long, value_enum, default_value_t = Machine::Bits64, help_heading = "C")]
    pub machine: Machine,

    /// What integers are [default: machine, for snippets ideal]
    #[arg(long, value_enum, help_heading = "C")]
    pub arith: Option<Arithmetic>,

    /// Further properties to check, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PROPERTY", help_heading = "C")]
    pub check: Vec<Check>,

    /// The property to verify, in a file as SV-COMP writes them
    #[arg(long, value_name = "FILE.prp", value_parser = property_file, help_heading = "C")]
    pub property: Option<PropertyFile>,

    /// What becomes of a run at undefined behaviour [default: ends; verify tries goes-on first]
    #[arg(long, value_enum, help_heading = "C")]
    pub undefined: Option<Undefined>,

    /// What globals without an initializer start with [default: zero, in TRACER's programs unknown]
    #[arg(long, value_enum, help_heading = "C")]
    pub globals: Option<Globals>,

    /// What floating-point numbers are
    #[arg(long, value_enum, default_value_t = Floats::Exact, help_heading = "C")]
    pub floats: Floats,

    /// Over-approximate what cannot be translated exactly; then there is no UNSAFE
    #[arg(long, help_heading = "C")]
    pub approximate: bool,

    /// What functions without a body do with the memory that they get pointers to
    #[arg(long, value_enum, default_value_t = External::Refuse, help_heading = "C")]
    pub external: External,

    /// Assume that `malloc` and its kin never return null
    #[arg(long, conflicts_with = "malloc_may_fail", help_heading = "C")]
    pub malloc_never_null: bool,

    /// Count errors that need `malloc` to return null, also by way of undefined behaviour
    #[arg(long, help_heading = "C")]
    pub malloc_may_fail: bool,

    /// Assume that `printf` and its kin always write what they print
    #[arg(long, help_heading = "C")]
    pub output_never_fails: bool,

    /// What one rule stands for
    #[arg(long, value_enum, default_value_t = Blocks::Joins, help_heading = "C")]
    pub blocks: Blocks,

    /// Replace calls by copies of what they call up to this many instructions; in larger programs some functions stay functions
    #[arg(long, value_name = "N", default_value_t = options::Options::default().copies, help_heading = "C")]
    pub copies: usize,

    /// Keep what cannot affect the property
    #[arg(long, help_heading = "C")]
    pub no_slice: bool,

    /// The function where the program starts
    #[arg(long, value_name = "NAME", default_value = "main", help_heading = "C")]
    pub entry: String,

    /// Whether other calls may have come before the entry's, if it is not `main` [default: none; verify looks at both]
    #[arg(long, value_enum, help_heading = "C")]
    pub earlier_calls: Option<EarlierCalls>,

    /// A function that means failure; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "C")]
    pub error_function: Vec<String>,

    /// A function whose argument is assumed; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "C")]
    pub assume_function: Vec<String>,

    /// A label that means failure; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "C")]
    pub error_label: Vec<String>,
}

impl CArguments {
    /// What all the names after `--check` stand for together.
    fn checks(&self) -> options::Checks {
        let named = self.check.iter().map(|check| check.checks());
        named.fold(options::Checks::NONE, options::Checks::and)
    }

    /// The options for the library; `undefined` is what holds where nothing is said about it.
    pub fn options(&self, snippet: bool, undefined: options::Undefined) -> options::Options {
        let arithmetic = match (self.arith, snippet) {
            (Some(Arithmetic::Machine), _) | (None, false) => options::Arithmetic::Machine,
            (Some(Arithmetic::Wrapping), _) => options::Arithmetic::Wrapping,
            (Some(Arithmetic::Ideal), _) | (None, true) => options::Arithmetic::Ideal,
        };
        let options = options::Options {
            model: match self.machine {
                Machine::Bits64 => DataModel::Lp64,
                Machine::Bits32 => DataModel::Ilp32,
            },
            arithmetic,
            undefined: match self.undefined {
                Some(Undefined::Ends) => options::Undefined::Ends,
                Some(Undefined::GoesOn) => options::Undefined::GoesOn,
                None => undefined,
            },
            checks: self.checks(),
            globals: match self.globals {
                None => options::Globals::ByConvention,
                Some(Globals::Zero) => options::Globals::Zero,
                Some(Globals::Unknown) => options::Globals::Unknown,
            },
            floats: match self.floats {
                Floats::Exact => options::Floats::Exact,
                Floats::Real => options::Floats::Real,
            },
            approximate: self.approximate,
            allocation: match (self.malloc_never_null, self.malloc_may_fail) {
                (true, _) => options::Allocation::NeverFails,
                (false, true) => options::Allocation::MayFail,
                (false, false) => options::Allocation::ByUse,
            },
            output: match self.output_never_fails {
                true => options::Output::NeverFails,
                false => options::Output::MayFail,
            },
            external: match self.external {
                External::Refuse => options::External::Refuse,
                External::Pure => options::External::Pure,
            },
            blocks: match self.blocks {
                Blocks::Basic => options::Blocks::Basic,
                Blocks::Joins => options::Blocks::Joins,
                Blocks::Loops => options::Blocks::Loops,
            },
            copies: self.copies,
            slice: !self.no_slice,
            entry: self.entry.clone(),
            earlier_calls: match self.earlier_calls {
                None => options::EarlierCalls::Unsaid,
                Some(EarlierCalls::None) => options::EarlierCalls::None,
                Some(EarlierCalls::Any) => options::EarlierCalls::Any,
            },
            error_functions: self.error_function.clone(),
            assume_functions: self.assume_function.clone(),
            error_labels: self.error_label.clone(),
            snippet,
            ..options::Options::default()
        };
        match &self.property {
            Some(file) => file.property.applied_to(options),
            None => options,
        }
    }
}

/// A property, and the file it comes from.
#[derive(Clone, Debug)]
pub struct PropertyFile {
    pub path: PathBuf,
    pub property: Property,
}

/// Reads a property file.
pub fn property_file(name: &str) -> Result<PropertyFile, String> {
    let path = PathBuf::from(name);
    let text = read_text(&path)?;
    let property = read_property(&text).map_err(|why| format!("{name}: {why}"))?;
    Ok(PropertyFile { path, property })
}

/// What becomes of an inclusion that finds nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MissingIncludes {
    /// It is an error
    Refuse,
    /// It is left out; what it would declare is unknown
    Ignore,
}

/// What functions without a body do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum External {
    /// They may change it: refused where that matters
    Refuse,
    /// They change nothing: an assumption, which is printed with the verdict
    Pure,
}

/// Sizes of `long` and pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Machine {
    /// `long` and pointers have 64 bits
    #[value(name = "64")]
    Bits64,
    /// `long` and pointers have 32 bits
    #[value(name = "32")]
    Bits32,
}

/// What integers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Arithmetic {
    /// Those of C: unsigned types wrap, conversions truncate
    Machine,
    /// Those of compilers with `-fwrapv`: signed types wrap, too
    Wrapping,
    /// Integers without bounds
    Ideal,
}

/// Properties beside reaching the error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Check {
    /// Everything below
    Undefined,
    /// bounds, null, lifetime, free and literals
    Memory,
    /// No signed operation leaves its type
    #[value(alias = "no-overflow")]
    Overflow,
    /// No access is outside its object
    Bounds,
    /// Nothing is divided by zero
    DivByZero,
    /// No null pointer is followed or called
    Null,
    /// Nothing is used after it was freed or its block was left
    Lifetime,
    /// Only what was allocated is freed, and only once
    #[value(alias = "valid-free")]
    Free,
    /// No string literal is written, and no object that is const
    Literals,
    /// No shift is by a negative or too large distance, or of a negative number to the left
    Shifts,
    /// No local variable is read before it has a value
    Uninitialized,
    /// No pointer is moved out of its object
    PointerArithmetic,
    /// No run reaches __builtin_unreachable
    Unreachable,
    /// No floating-point number is converted to an integer type that does not have it
    Conversions,
    /// memcpy is not given memory that overlaps
    Overlap,
    /// No function is called as another type than its own
    Calls,
    /// All that was allocated has been freed when the program ends
    Cleanup,
    /// bounds, null and lifetime: SV-COMP's property of this name
    ValidDeref,
}

impl Check {
    fn checks(self) -> options::Checks {
        let mut checks = options::Checks::NONE;
        match self {
            Check::Undefined => return options::Checks::UNDEFINED,
            Check::Memory => return options::Checks::MEMORY,
            Check::ValidDeref => return options::Checks::DEREFERENCES,
            Check::Overflow => checks.overflow = true,
            Check::Bounds => checks.bounds = true,
            Check::DivByZero => checks.division_by_zero = true,
            Check::Null => (checks.null, checks.null_arguments) = (true, true),
            Check::Lifetime => checks.lifetime = true,
            Check::Free => checks.free = true,
            Check::Literals => checks.literals = true,
            Check::Shifts => checks.shifts = true,
            Check::Uninitialized => checks.uninitialized = true,
            Check::PointerArithmetic => checks.pointer_arithmetic = true,
            Check::Unreachable => checks.unreachable = true,
            Check::Conversions => checks.conversions = true,
            Check::Overlap => checks.overlap = true,
            Check::Calls => checks.calls = true,
            Check::Cleanup => checks.cleanup = true,
        }
        checks
    }
}

/// What becomes of a run without defined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Undefined {
    /// It ends, without the error
    Ends,
    /// It goes on, with mathematical integers and arrays without bounds
    GoesOn,
}

/// What globals without an initializer start with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Globals {
    /// With zero
    Zero,
    /// With unknown values, as inputs
    Unknown,
}

/// Whether other calls may have come before the entry's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EarlierCalls {
    /// It is the first one: variables have the values that they are initialized with
    None,
    /// There may be any: variables have unknown values, but those that nothing changes
    Any,
}

/// What floating-point numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Floats {
    /// IEEE 754's, as the machine has them; `__float128` is refused
    Exact,
    /// Real numbers, an approximation
    Real,
}

/// What one rule stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Blocks {
    /// A basic block
    Basic,
    /// A path between places where paths join
    Joins,
    /// A path between loops
    Loops,
}

#[cfg(test)]
mod tests {
    use super::Check;
    use clap::ValueEnum;
    use clausal::c::options::Checks;

    #[test]
    fn checks_have_the_names_that_the_library_knows() {
        for check in Check::value_variants() {
            let value = check.to_possible_value().expect("none is hidden");
            for name in value.get_name_and_aliases() {
                assert_eq!(Checks::named(name), Some(check.checks()), "{name}");
            }
        }
    }
}
