//! A flat program: one control-flow graph without pointers and structs, over scalar variables and arrays of numbers.
//!
//! `inline` has put the functions' bodies in the place of the calls, but for those that recur; `memory` has given every object its variables and
//! made pointers numbers. What is left is C's arithmetic, which `lowering` turns into exact integer terms. The passes in
//! between (`slicing`, `simplify`, `assigned_anyway`, `threading`, and what they ask: `ranges`, `liveness`) work on this form.

use super::program::{Effect, ErrorKind, Expression, Numeric, UnknownSource};
use super::syntax::Span;
use std::collections::BTreeSet;

/// The id of a variable in a [`FlatProgram`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlatVariable(pub u32);

/// The index of a block in a [`FlatProgram`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlatBlockId(pub u32);

/// A program as one control-flow graph.
#[derive(Clone, Debug, Default)]
pub struct FlatProgram {
    /// Its variables.
    pub variables: Vec<VariableInfo>,
    /// Its blocks; the first one is the entry. Nothing is known of the variables there.
    pub blocks: Vec<FlatBlock>,
    /// What has been given up on the way and concerns the user whether it is sliced away or not.
    pub notes: Vec<Note>,
    /// Where calls are on a [stack](super::stacking), how many are open.
    pub open_calls: Option<FlatVariable>,
    /// Whether objects are allocated in any number, so that arrays hold them and their addresses are counted.
    pub counts_objects: bool,
    /// The functions whose text is the [library](super::library)'s, by the numbers that places have.
    pub library: BTreeSet<u32>,
}

/// A remark on how the program was understood, such as "`f` has no body: its result is unknown".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The remark, a sentence without a full stop.
    pub text: String,
    /// What it is about.
    pub span: Span,
}

/// The remark on a program in which there is nothing to reach, whatever else was understood of it.
pub const NO_ERROR: &str = "no error can be reached: there is no error location, or none that a run can get to";

/// What is known about a flat variable.
#[derive(Clone, PartialEq, Debug)]
pub struct VariableInfo {
    /// A name to show: that of the C variable, with `.field`s and, where several would be the same, the function:
    /// `x`, `s.next`, `main::x`.
    pub name: String,
    /// Its numbers, or those of its elements.
    pub numeric: Numeric,
    /// Whether it is an array (indexed by integers, unbounded in both directions).
    pub is_array: bool,
    /// Whether it was made by the translation and has no name in the source.
    pub is_temporary: bool,
    /// Whether it is (a part of) a global variable.
    pub is_global: bool,
    /// The procedure of which each activation has one of its own, by a number; `None` if there is only one in a run.
    pub activation: Option<u32>,
}

/// What a flat expression reads.
#[derive(Clone, PartialEq, Debug)]
pub enum Leaf {
    /// A scalar variable.
    Variable(FlatVariable),
    /// The element of an array at an index.
    Element(FlatVariable, Box<FlatExpression>),
}

/// An expression over flat variables. `AddressOf` and `FunctionAddress` do not occur; pointers are integers that never wrap
/// ([`Numeric::Pointer`]), and `PointerAdd` has become `Add` and `Multiply` on them.
pub type FlatExpression = Expression<Leaf>;

impl From<ErrorKind> for Failure {
    fn from(kind: ErrorKind) -> Failure {
        Failure::of(kind)
    }
}

/// Instructions that are done one after another.
#[derive(Clone, Debug)]
pub struct FlatBlock {
    /// What is done.
    pub instructions: Vec<FlatInstruction>,
    /// Where it goes on.
    pub terminator: FlatTerminator,
    /// Where it is.
    pub place: SourcePlace,
    /// The label written before it, if any.
    pub label: Option<String>,
}

/// Where something of a flat program comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourcePlace {
    /// The bytes of the source.
    pub span: Span,
    /// The function it is written in, an index into the [`super::program::Program::functions`].
    pub function: u32,
    /// The inlined copy of this function it belongs to, from 0 in the order of inlining.
    pub instance: u32,
}

/// How a flat block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum FlatTerminator {
    /// Always on to the block.
    Goto(FlatBlockId),
    /// By a condition, which holds when it is not zero.
    Branch {
        /// The condition.
        condition: FlatExpression,
        /// Where it goes on when the condition holds.
        then: FlatBlockId,
        /// Where it goes on otherwise.
        otherwise: FlatBlockId,
    },
    /// A call of what starts at `entry`. It begins an activation of its own: nothing is known of the variables that this has
    /// for itself, all others are as they were. After its [`Return`](FlatTerminator::Return) the caller's own variables are
    /// what they were, and all others are as the callee left them.
    Call {
        /// Where the callee starts.
        entry: FlatBlockId,
        /// Where the caller goes on.
        after: FlatBlockId,
    },
    /// Back to behind the call.
    Return,
    /// The run ends without an error.
    Stop,
    /// The run ends with the error.
    Error(Failure),
}

/// An error, and how it comes about.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What it is about, if more can be said than the kind: a sentence with `{}` where the values belong.
    pub text: Option<String>,
    /// The values in the text.
    pub values: Vec<FlatExpression>,
    /// Where the part of the statement is that fails, if that is known.
    pub written: Option<Span>,
}

impl Failure {
    /// An error of which nothing but the kind is known.
    pub fn of(kind: ErrorKind) -> Failure {
        Failure {
            kind,
            text: None,
            values: Vec::new(),
            written: None,
        }
    }

    /// An error that the text describes, with these values.
    pub fn about(kind: ErrorKind, text: String, values: Vec<FlatExpression>) -> Failure {
        Failure {
            kind,
            text: Some(text),
            values,
            written: None,
        }
    }
}

/// A flat instruction with its source.
#[derive(Clone, Debug)]
pub struct FlatInstruction {
    /// What is done.
    pub kind: FlatInstructionKind,
    /// Where it comes from.
    pub place: SourcePlace,
}

/// What is done.
#[derive(Clone, PartialEq, Debug)]
pub enum FlatInstructionKind {
    /// A scalar variable gets a value (of its type).
    Assign(FlatVariable, FlatExpression),
    /// The element of an array gets a value.
    Store {
        /// The array.
        array: FlatVariable,
        /// Which element.
        index: FlatExpression,
        /// The value.
        value: FlatExpression,
    },
    /// An array becomes a copy of another.
    CopyArray {
        /// The array that changes.
        target: FlatVariable,
        /// The other one.
        source: FlatVariable,
    },
    /// All elements of an array become this value (an expression without elements of arrays).
    Fill {
        /// The array.
        array: FlatVariable,
        /// The value.
        value: FlatExpression,
    },
    /// A scalar variable gets an unknown value of its type; or all elements of an array do.
    Unknown(FlatVariable, UnknownSource),
    /// The run goes on only if the condition is not zero.
    Assume(FlatExpression),
    /// The run goes on only if the condition is not zero, or else the program has no defined behaviour: an object's bounds,
    /// a valid pointer, a divisor that is not zero. With the check for this kind of error the block has a branch instead.
    Defined(FlatExpression),
    /// A printed value.
    Print(Vec<FlatExpression>),
    /// What has no exact meaning here, and what it may do.
    Unsupported {
        /// What it is: the end of the sentence "cannot translate …".
        what: String,
        /// What it may do.
        effect: Effect<FlatVariable>,
    },
}

impl FlatInstructionKind {
    /// The variables and arrays that may have other values afterwards.
    pub fn changes(&self) -> &[FlatVariable] {
        match self {
            FlatInstructionKind::Assign(variable, _)
            | FlatInstructionKind::Store { array: variable, .. }
            | FlatInstructionKind::CopyArray { target: variable, .. }
            | FlatInstructionKind::Fill { array: variable, .. }
            | FlatInstructionKind::Unknown(variable, _) => std::slice::from_ref(variable),
            FlatInstructionKind::Unsupported { effect, .. } => effect.changes(),
            FlatInstructionKind::Assume(_) | FlatInstructionKind::Defined(_) | FlatInstructionKind::Print(_) => &[],
        }
    }
}
