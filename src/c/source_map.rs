//! What the rules made of C say about the C: for every rule the steps of the source it stands for, for every predicate its
//! place and what its parameters are. With it verdicts speak of lines, variables and the values read.

use super::program::{ErrorKind, Numeric, UnknownSource};
use super::syntax::Span;
use crate::terms::TermId;

/// The connection between rules and C.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The names of the functions, by the indices used in [`Place`].
    pub functions: Vec<String>,
    /// For each predicate, by its id's index. `None` for the query and the error.
    pub predicates: Vec<Option<PredicateSource>>,
    /// For each rule, by its id's index.
    pub rules: Vec<RuleSource>,
}

/// A place in a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The bytes in the text that was translated.
    pub span: Span,
    /// The function it is written in.
    pub function: u32,
    /// The inlined copy of this function it belongs to, as in [`super::flat::SourcePlace`]: the same place in another copy is
    /// reached at other times.
    pub instance: u32,
}

/// What a predicate stands for.
#[derive(Clone, Debug)]
pub struct PredicateSource {
    /// Where it is.
    pub place: Place,
    /// Whether it is a loop header, so that a formula about it is a loop invariant.
    pub is_loop_header: bool,
    /// Whether it is where a function starts that is called, so that a formula about it is a contract.
    pub is_entry: bool,
    /// The C name of each parameter, such as `x`, `main::x`, `s.next`, `a[]` for a whole array; in the order of the
    /// predicate's parameters.
    pub variables: Vec<String>,
    /// How many of them, at the end, stand for what is handed back when the function returns that the predicate is in.
    pub outputs: usize,
}

/// What a rule stands for: the steps of the source, in order.
#[derive(Clone, Debug, Default)]
pub struct RuleSource {
    /// The steps.
    pub steps: Vec<Step>,
    /// The rule's variables that stand for a value inside an expression (a wrapped sum, a truth value), each with a term for
    /// it over the head's variables and the inputs.
    pub definitions: Vec<(TermId, TermId)>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it is written.
    pub place: Place,
    /// What happens.
    pub kind: StepKind,
}

/// What happens at a step. Terms are over the rule's variables, so that a derivation gives them values.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// A variable gets a value.
    Assign {
        /// The C name of the variable; with the element's index evaluated, if any: `a[…]`.
        variable: String,
        /// The index, for an element of an array.
        index: Option<TermId>,
        /// The value.
        value: TermId,
    },
    /// An unknown value is read.
    Input {
        /// The C name of the variable.
        variable: String,
        /// Where the value comes from.
        source: UnknownSource,
        /// A variable of the rule, which is free but for its range. Of array sort for arrays.
        value: TermId,
        /// The type of the value, or of the elements.
        numeric: Numeric,
    },
    /// A condition is decided.
    Condition {
        /// Whether it holds.
        holds: bool,
    },
    /// Values are printed.
    Print(Vec<TermId>),
    /// A function is called: what happens in the next atom of the rule's body comes here.
    Call {
        /// Its index in [`SourceMap::functions`].
        function: u32,
        /// The arguments that matter, by the names of the parameters.
        arguments: Vec<(String, TermId)>,
    },
    /// A function is called, where calls are on a stack: what happens in it comes next, in this rule and others.
    Enter {
        /// Its index in [`SourceMap::functions`].
        function: u32,
        /// The arguments that matter, by the names of the parameters.
        arguments: Vec<(String, TermId)>,
    },
    /// A function has returned, where calls are on a stack.
    Leave,
    /// The function returns.
    Return {
        /// The result, if it matters.
        result: Option<TermId>,
    },
    /// The error.
    Error {
        /// What kind of error it is.
        kind: ErrorKind,
        /// What it is about, if more can be said than the kind: a sentence with `{}` where the values belong.
        text: Option<String>,
        /// The values in the text.
        values: Vec<TermId>,
        /// Where the part of the statement is that fails, if that is known.
        written: Option<Span>,
    },
}
