//! How C is to be understood: the choices that a user has.

use super::types::{DataModel, IntegerType};

/// Up to this many instructions calls are replaced by copies where rules are for runs alone.
const COPIES_FOR_RUNS: usize = 200;

/// The choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The sizes of the integer types.
    pub model: DataModel,
    /// What integers are.
    pub arithmetic: Arithmetic,
    /// What becomes of a run that has no defined behaviour.
    pub undefined: Undefined,
    /// The properties to check beside reachability of the error.
    pub checks: Checks,
    /// What globals without an initializer start with.
    pub globals: Globals,
    /// What floating-point numbers are.
    pub floats: Floats,
    /// Whether a construct that cannot be translated exactly is over-approximated, where that is possible, and not refused.
    pub approximate: bool,
    /// What becomes of a construct that cannot be translated and can affect the property, unless it is approximated.
    pub untranslated: Untranslated,
    /// Whether objects that are used at several types are seen as bytes from the start; else only if something is refused.
    pub bytes: bool,
    /// What one rule stands for.
    pub blocks: Blocks,
    /// What becomes of calls of functions that recur.
    pub calls: Calls,
    /// What functions without a body do.
    pub external: External,
    /// Whether `malloc` and its kin may return null.
    pub allocation: Allocation,
    /// Whether what is printed may fail to be written.
    pub output: Output,
    /// Whether what cannot affect the property is left out.
    pub slice: bool,
    /// Whether all variables of the source matter up to the end of runs, so that predicates have them as parameters, and the
    /// ends are predicates; for inference, which is to speak of all of them.
    pub keep_variables: bool,
    /// Whether printed values are kept in the rules ([`super::source_map::StepKind::Print`]); for comparing runs.
    pub keep_prints: bool,
    /// The function where the program starts.
    pub entry: String,
    /// Whether other calls may have come before it, where it is not `main`.
    pub earlier_calls: EarlierCalls,
    /// Further functions that mean failure, beside the usual ones.
    pub error_functions: Vec<String>,
    /// Further functions whose argument is assumed, beside the usual ones.
    pub assume_functions: Vec<String>,
    /// Further labels that mean failure, beside `ERROR`.
    pub error_labels: Vec<String>,
    /// Whether the text may be a snippet: statements without `main`, over variables that need not be declared.
    pub snippet: bool,
    /// The properties that are asked for, by the names that SV-COMP gives them; if there are none, any error counts.
    pub properties: Vec<String>,
    /// What the text rests on and does not say, such as inclusions that were left out: shown with the other assumptions.
    pub text_assumptions: Vec<String>,
    /// The number of instructions up to which all calls are replaced by copies of what they call. In a program that would have
    /// more, some functions stay functions, whose calls are dealt with as those of functions that recur.
    pub copies: usize,
    /// The number of instructions at which the translation gives up.
    pub maximal_size: usize,
}

/// What integers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arithmetic {
    /// C's: unsigned types wrap, conversions truncate, inputs are in range.
    #[default]
    Machine,
    /// C's as compilers have them with `-fwrapv`: signed types wrap, too, and that is no undefined behaviour.
    Wrapping,
    /// Integers without bounds, as in the papers: nothing wraps, and unknown values are any integers, those of unsigned types
    /// too (but for `_Bool`). Bit operations keep their meaning on numbers that fit.
    Ideal,
}

impl Arithmetic {
    /// Whether integers are those of a machine, with bounds.
    ///
    /// ```
    /// # mod clausal { pub use clausal_c as c; pub use clausal_rules::*; }
    /// use clausal::c::options::Arithmetic;
    /// assert!(Arithmetic::Wrapping.is_machine() && !Arithmetic::Ideal.is_machine());
    /// ```
    pub fn is_machine(self) -> bool {
        self != Arithmetic::Ideal
    }

    /// Whether results that are not in a type wrap round.
    pub(crate) fn wraps(self, kind: IntegerType) -> bool {
        self.is_machine() && (!kind.signed || self == Arithmetic::Wrapping)
    }
}

/// What becomes of a run without defined behaviour: a signed operation that leaves its type, an access outside an object,
/// a null pointer that is followed, a division by zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Undefined {
    /// It ends there, without the error. This is exact: the rules have the runs that the program has.
    #[default]
    Ends,
    /// It goes on with mathematical integers, unbounded arrays and any value for what cannot be read. The rules have all runs
    /// that the program has, and perhaps others: they suffice for SAFE, and are simpler.
    GoesOn,
}

/// What becomes of a construct that cannot be translated exactly and can affect the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Untranslated {
    /// The program is refused.
    #[default]
    Refused,
    /// A run that comes to it is in an error of its own ([`super::program::ErrorKind::NotTranslated`]). Rules without an error
    /// are safe, and an error of another kind is one of the program.
    Fails,
    /// A run that comes to it ends, without the error: for errors alone.
    Ends,
}

/// What becomes of calls of functions that recur.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// They are atoms of bodies with several: for reasoning about all runs.
    #[default]
    Atoms,
    /// There is a stack, and each rule leads to one predicate: for single runs.
    OnStack,
}

/// Which undefined behaviour is an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Signed operations that leave their type.
    pub overflow: bool,
    /// Accesses outside an object.
    pub bounds: bool,
    /// Divisions by zero.
    pub division_by_zero: bool,
    /// Null (and otherwise invalid) pointers that are followed, and called.
    pub null: bool,
    /// Null pointers that are handed to `memcpy` and its kin, even for no bytes: nothing is followed there.
    pub null_arguments: bool,
    /// Accesses to objects whose life is over: freed memory, variables whose block or function has been left.
    pub lifetime: bool,
    /// What is freed although it is not the start of allocated memory, or twice.
    pub free: bool,
    /// Writes to string literals and to objects that are `const`.
    pub literals: bool,
    /// Shifts by a distance that the type does not have, and of negative numbers to the left.
    pub shifts: bool,
    /// Reads of local variables that have no value yet.
    pub uninitialized: bool,
    /// Pointers that are moved out of their object, further than one past its end.
    pub pointer_arithmetic: bool,
    /// Runs that reach `__builtin_unreachable`.
    pub unreachable: bool,
    /// Conversions of floating-point numbers to integer types that do not have them.
    pub conversions: bool,
    /// Calls of `memcpy`, `strcpy` and other functions that copy with memory that overlaps.
    pub overlap: bool,
    /// Calls of functions as another type than their own.
    pub calls: bool,
    /// Allocated memory that is not freed when the program ends.
    pub cleanup: bool,
}

impl Checks {
    /// No check.
    pub const NONE: Checks = Checks {
        overflow: false,
        bounds: false,
        division_by_zero: false,
        null: false,
        null_arguments: false,
        lifetime: false,
        free: false,
        literals: false,
        shifts: false,
        uninitialized: false,
        pointer_arithmetic: false,
        unreachable: false,
        conversions: false,
        overlap: false,
        calls: false,
        cleanup: false,
    };
    /// What goes wrong with memory.
    pub const MEMORY: Checks = Checks {
        null_arguments: true,
        free: true,
        literals: true,
        ..Checks::DEREFERENCES
    };
    /// Everything that is undefined.
    pub const UNDEFINED: Checks = Checks {
        overflow: true,
        division_by_zero: true,
        shifts: true,
        uninitialized: true,
        pointer_arithmetic: true,
        unreachable: true,
        conversions: true,
        overlap: true,
        calls: true,
        ..Checks::MEMORY
    };
    /// What SV-COMP calls `valid-deref`.
    pub const DEREFERENCES: Checks = Checks {
        bounds: true,
        null: true,
        lifetime: true,
        ..Checks::NONE
    };

    /// What a name stands for, on the command line or, as `valid-deref`, `valid-free` and `no-overflow`, among the properties
    /// of SV-COMP. Its `valid-memtrack` is not looked for, nor is `valid-memcleanup`, which counts other ends than `cleanup`.
    pub fn named(name: &str) -> Option<Checks> {
        let mut checks = Checks::NONE;
        match name {
            "undefined" => checks = Checks::UNDEFINED,
            "memory" => checks = Checks::MEMORY,
            "valid-deref" => checks = Checks::DEREFERENCES,
            "overflow" | "no-overflow" => checks.overflow = true,
            "bounds" => checks.bounds = true,
            "div-by-zero" => checks.division_by_zero = true,
            "null" => (checks.null, checks.null_arguments) = (true, true),
            "lifetime" => checks.lifetime = true,
            "free" | "valid-free" => checks.free = true,
            "literals" => checks.literals = true,
            "shifts" => checks.shifts = true,
            "uninitialized" => checks.uninitialized = true,
            "pointer-arithmetic" => checks.pointer_arithmetic = true,
            "unreachable" => checks.unreachable = true,
            "conversions" => checks.conversions = true,
            "overlap" => checks.overlap = true,
            "calls" => checks.calls = true,
            "cleanup" => checks.cleanup = true,
            _ => return None,
        }
        Some(checks)
    }

    /// Whether anything is checked.
    pub fn any(self) -> bool {
        self != Checks::NONE
    }

    /// Whether something depends on what is freed.
    pub(crate) fn frees(self) -> bool {
        self.free || self.lifetime || self.cleanup
    }

    /// Whether accesses to memory are checked in some way.
    pub fn accesses(self) -> bool {
        self.bounds || self.null || self.lifetime || self.literals
    }

    /// Whether results of arithmetic are checked in some way.
    pub fn arithmetic(self) -> bool {
        self.overflow || self.division_by_zero || self.shifts || self.conversions
    }

    /// What one of the two checks.
    #[must_use]
    pub fn and(self, other: Checks) -> Checks {
        Checks {
            overflow: self.overflow || other.overflow,
            bounds: self.bounds || other.bounds,
            division_by_zero: self.division_by_zero || other.division_by_zero,
            null: self.null || other.null,
            null_arguments: self.null_arguments || other.null_arguments,
            lifetime: self.lifetime || other.lifetime,
            free: self.free || other.free,
            literals: self.literals || other.literals,
            shifts: self.shifts || other.shifts,
            uninitialized: self.uninitialized || other.uninitialized,
            pointer_arithmetic: self.pointer_arithmetic || other.pointer_arithmetic,
            unreachable: self.unreachable || other.unreachable,
            conversions: self.conversions || other.conversions,
            overlap: self.overlap || other.overlap,
            calls: self.calls || other.calls,
            cleanup: self.cleanup || other.cleanup,
        }
    }
}

/// What functions without a body do, if they are not known by their names. Their results are unknown values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum External {
    /// They may change whatever can be reached through the pointers that they are given, and call functions that they are
    /// given: refused where that matters. Without a pointer they change nothing.
    #[default]
    Refuse,
    /// They change nothing: an assumption.
    Pure,
}

/// Whether `malloc` and its kin may return null.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Allocation {
    /// They may, at each call; but a run in which one does may be taken for ended where it has undefined behaviour, and an
    /// error that needs one is no verdict. So what looks at the pointer is held to what it does then, and nothing else is.
    #[default]
    ByUse,
    /// They may, at each call.
    MayFail,
    /// There is always memory enough: an assumption.
    NeverFails,
}

/// Whether `printf` and its kin may fail to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Output {
    /// They may, at each call, as C says: what they return then is less than zero.
    #[default]
    MayFail,
    /// Whatever is printed is written: an assumption.
    NeverFails,
}

/// What globals without an initializer start with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Globals {
    /// Zero; but unknown values in a program that uses `_TRACER_abort` or `_ABORT`, for TRACER's programs mean it so.
    #[default]
    ByConvention,
    /// Zero, as C has it.
    Zero,
    /// Unknown values: they are inputs of the program.
    Unknown,
}

/// Whether functions of the file, or of others, may have been called before the one where the program starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EarlierCalls {
    /// Nobody says: for rules, none have. A verdict of safety about a program that starts elsewhere than in `main` is one that holds
    /// either way.
    #[default]
    Unsaid,
    /// None have: variables have the values that they are initialized with.
    None,
    /// Any may have: what they may have changed has unknown values.
    Any,
}

/// What floating-point numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Floats {
    /// `float` and `double` are IEEE 754's, `long double` is x87's, rounded to nearest; `__float128` is refused where it matters.
    #[default]
    Exact,
    /// Real numbers: an approximation, so that errors found are not reported as such.
    Real,
}

/// What one rule stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Blocks {
    /// A basic block and one branch at its end.
    Basic,
    /// A path between places where paths join.
    #[default]
    Joins,
    /// A path between loop headers, unless there would be too many.
    Loops,
}

impl Options {
    /// The same options, with calls of functions that recur on a stack.
    ///
    /// ```
    /// # mod clausal { pub use clausal_c as c; pub use clausal_rules::*; }
    /// use clausal::c::options::{Calls, Options};
    /// assert_eq!(Options::default().on_stack().calls, Calls::OnStack);
    /// ```
    pub fn on_stack(&self) -> Options {
        Options {
            calls: Calls::OnStack,
            ..self.clone()
        }
    }

    /// The same options with few copies of functions, for runs: one takes more steps then, which is nothing to it, and there are fewer rules.
    ///
    /// ```
    /// # mod clausal { pub use clausal_c as c; pub use clausal_rules::*; }
    /// use clausal::c::options::Options;
    /// assert!(Options::default().with_few_copies().copies < Options::default().copies);
    /// ```
    pub fn with_few_copies(&self) -> Options {
        Options {
            copies: self.copies.min(COPIES_FOR_RUNS),
            ..self.clone()
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            model: DataModel::default(),
            arithmetic: Arithmetic::default(),
            undefined: Undefined::default(),
            checks: Checks::default(),
            globals: Globals::default(),
            floats: Floats::default(),
            approximate: false,
            untranslated: Untranslated::default(),
            bytes: false,
            external: External::default(),
            allocation: Allocation::default(),
            output: Output::default(),
            calls: Calls::default(),
            blocks: Blocks::default(),
            slice: true,
            keep_variables: false,
            keep_prints: false,
            entry: "main".to_string(),
            earlier_calls: EarlierCalls::default(),
            error_functions: Vec::new(),
            assume_functions: Vec::new(),
            error_labels: Vec::new(),
            snippet: false,
            properties: Vec::new(),
            text_assumptions: Vec::new(),
            copies: 20_000,
            maximal_size: 400_000,
        }
    }
}
