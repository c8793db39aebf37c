//! What the rules made of C say about the C: for every rule the steps of the source it stands for, for every predicate its
//! place and what its parameters are. With it verdicts speak of lines, variables and the values read.

use super::program::{ErrorKind, Numeric, Program, UnknownSource, VariableRole};
use super::syntax::Span;
use super::types::IntegerType;
use crate::terms::TermId;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// The connection between rules and C.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The names of the functions, by the indices used in [`Place`].
    pub functions: Vec<String>,
    /// For each predicate, by its id's index. `None` for the query and the error.
    pub predicates: Vec<Option<PredicateSource>>,
    /// For each rule, by its id's index.
    pub rules: Vec<RuleSource>,
    /// Names that do not say by themselves which variable they mean.
    pub shared: SharedNames,
}

/// Names of several variables of the program, be they in the rules or not.
#[derive(Clone, Debug, Default)]
pub struct SharedNames {
    /// Names that several variables have, at most one in each function.
    pub between_functions: HashSet<String>,
    /// Names of variables that may be hidden, or not be in scope, in the function where they are.
    pub within_functions: HashSet<String>,
}

impl SharedNames {
    /// Those of a program. Which function a variable is declared in is told by the order of the text.
    pub fn of(program: &Program) -> SharedNames {
        let starts = program.functions.iter().filter(|function| function.body.is_some());
        let starts: Vec<u32> = starts.map(|function| function.span.start).collect();
        let mut known: HashMap<&str, Vec<u32>> = HashMap::new();
        let mut shared = SharedNames::default();
        for variable in &program.variables {
            let name = variable.name.as_str();
            let before = starts.iter().filter(|start| **start <= variable.span.start);
            let function = before.max().copied();
            match variable.role {
                VariableRole::Literal | VariableRole::Temporary => {}
                VariableRole::Local | VariableRole::Parameter => {
                    known.entry(name).or_default().push(function.unwrap_or_default());
                }
                // A static variable behind the first function may be in one.
                VariableRole::Global if !variable.is_external && function.is_some() => {
                    shared.within_functions.insert(name.to_string());
                }
                VariableRole::Global => known.entry(name).or_default().push(u32::MAX),
            }
        }
        for (name, mut functions) in known.into_iter().collect::<BTreeMap<_, _>>() {
            let count = functions.len();
            functions.sort_unstable();
            functions.dedup();
            if functions.len() < count || (count > 1 && functions.contains(&u32::MAX)) {
                shared.within_functions.insert(name.to_string());
            } else if count > 1 {
                shared.between_functions.insert(name.to_string());
            }
        }
        shared
    }

    /// Whether the name of a variable, as [`PredicateSource::variables`] has it, means that variable in C where the function's
    /// text says `plain`.
    pub fn is_clear(&self, name: &str, plain: &str, function: &str) -> bool {
        let root = plain.split(['.', '[']).next().unwrap_or(plain);
        let is_own = || name.strip_prefix(function).is_some_and(|rest| rest.starts_with("::"));
        !self.within_functions.contains(root) && (is_own() || !self.between_functions.contains(root))
    }
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
    /// The numbers that each of them ranges over; of an array, its elements.
    pub numerics: Vec<Numeric>,
    /// How many of them, at the end, stand for what is handed back when the function returns that the predicate is in.
    pub outputs: usize,
}

impl PredicateSource {
    /// The position and the type of the integer variable that C's text means by `plain` at this place; `names` are what the
    /// variables are called there. Nothing, if it could mean another one, or has another type.
    pub fn integer(
        &self,
        shared: &SharedNames,
        names: &[String],
        plain: &str,
        function: &str,
    ) -> Option<(usize, IntegerType)> {
        let position = names.iter().position(|other| other == plain)?;
        let Numeric::Integer(kind) = *self.numerics.get(position)? else {
            return None;
        };
        // What is calculated with wide bit-fields has types of their widths.
        let is_plain = kind.bits <= 32 || [64, 128].contains(&kind.bits);
        let is_clear = shared.is_clear(self.variables.get(position)?, plain, function);
        (is_plain && is_clear).then_some((position, kind))
    }
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
