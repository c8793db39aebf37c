//! A C program with its meaning worked out: every name resolved, every expression typed and free of side effects, control
//! flow as basic blocks. `semantics` makes it of the syntax tree; `inline` and `memory` turn it into a [flat
//! program](super::flat), without calls and pointers.
//!
//! Side effects inside expressions have become instructions in C's order (for unsequenced ones, from left to right), with
//! temporary variables for the values in between. `&&`, `||` and `?:` are expressions where their operands have no side
//! effects, and branches otherwise.
//!
//! What has no exact meaning here is an [`InstructionKind::Unsupported`], which says its [`Effect`]: it refuses the program
//! only if it is still there when everything that cannot affect the property has been sliced away.

mod expressions;
mod questions;

pub use expressions::{
    BinaryOperator, Expression, ExpressionKind, Numeric, Place, PlaceBase, PlaceStep, UnaryOperator, Written,
};

pub use questions::{Asked, Question};

use super::orders::OpenOrder;
use super::syntax::Span;
use super::types::{TypeId, Types};
use num_bigint::BigInt;

/// The id of a variable in a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VariableId(pub u32);

/// The id of a function in a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);

/// The index of a block in a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its types.
    pub types: Types,
    /// All its variables: global, local, parameters, temporary ones, string literals.
    pub variables: Vec<Variable>,
    /// All its functions, with and without bodies.
    pub functions: Vec<Function>,
    /// The function where execution starts: it initializes the globals and calls `main`.
    pub entry: FunctionId,
    /// Whether what is outside of the file has pointers of its own to the globals that other files can name: if execution
    /// starts elsewhere than in `main`, or a pointer is defined in another file.
    pub is_part_of_others: bool,
    /// Whether what is outside of the file may also have the addresses of its functions: if execution starts elsewhere than in
    /// `main`, or a pointer to functions is defined in another file.
    pub is_called_by_others: bool,
    /// Functions with functions inside: what is local in them is there once, as they do not recur.
    pub nesting: Vec<FunctionId>,
    /// Operands whose order C leaves open, and which may conflict; none once that is [settled](super::orders).
    pub orders: Vec<OpenOrder>,
    /// Where the program's own text ends. What is behind that comes from the [library](super::library).
    pub end: u32,
    /// The names that this file defines as long as no other one does (`weak`), and where that is said.
    pub replaceable: Vec<(String, Span)>,
    /// Where the direction is in which numbers are rounded, if the program may change it: zero is that of the nearest number.
    pub rounding: Option<VariableId>,
}

impl Program {
    /// The blocks of all functions with bodies.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        let bodies = self.functions.iter().filter_map(|function| function.body.as_ref());
        bodies.flat_map(|body| &body.blocks)
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; made up for temporary ones and string literals.
    pub name: String,
    /// Its type.
    pub kind: TypeId,
    /// Where it lives.
    pub role: VariableRole,
    /// Where it is declared.
    pub span: Span,
    /// For an array of [`super::types::Length::Variable`] length, the variable that holds its number of elements.
    pub length: Option<VariableId>,
    /// Its alignment in bytes; zero if it is that of its type.
    pub alignment: u64,
    /// Whether other files can name it: a global that is not `static`.
    pub is_external: bool,
    /// Whether functions that have been called before the program's start may have handed its address to anybody.
    pub is_shared: bool,
    /// Whether it is declared `const`, so that nothing may write it but its initializer.
    pub is_constant: bool,
    /// Whether it is declared only: another file defines it, and the functions there may change it.
    pub is_elsewhere: bool,
}

impl Variable {
    /// One of which nothing else is said: this program declares it, and nobody else names it.
    pub(crate) fn new(name: String, kind: TypeId, role: VariableRole, span: Span) -> Variable {
        Variable {
            name,
            kind,
            role,
            span,
            length: None,
            alignment: 0,
            is_external: false,
            is_shared: false,
            is_constant: false,
            is_elsewhere: false,
        }
    }
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableRole {
    /// One for the whole run: globals and static locals.
    Global,
    /// A string literal: an array of characters, filled by the entry function.
    Literal,
    /// One for each call of the function.
    Local,
    /// A parameter.
    Parameter,
    /// A temporary one, for a value inside an expression, or a function's result.
    Temporary,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: TypeId,
    /// Its parameters.
    pub parameters: Vec<VariableId>,
    /// Where `return` puts its value; `None` for `void`.
    pub result: Option<VariableId>,
    /// What it does; `None` for one without a body that nothing is known about.
    pub body: Option<Body>,
    /// Where it is declared.
    pub span: Span,
    /// Whether it has no body and is known not to come back from a call.
    pub never_returns: bool,
}

/// The control-flow graph of a function.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// Where it starts.
    pub entry: BlockId,
}

/// Instructions that are done one after another.
#[derive(Clone, Debug)]
pub struct Block {
    /// What is done.
    pub instructions: Vec<Instruction>,
    /// Where it goes on.
    pub terminator: Terminator,
    /// The source of the terminator; also where the block is said to be if it has no instructions.
    pub span: Span,
    /// The label written before it, if any.
    pub label: Option<String>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    /// Always on to the block.
    Goto(BlockId),
    /// By a condition, which holds when it is not zero.
    Branch {
        /// The condition.
        condition: Expression<Place>,
        /// Where it goes on when the condition holds.
        then: BlockId,
        /// Where it goes on otherwise.
        otherwise: BlockId,
    },
    /// By the first value that is equal; a `switch`.
    Switch {
        /// What is compared.
        value: Expression<Place>,
        /// Ranges of values, both ends included, and where each leads. They do not overlap.
        cases: Vec<(BigInt, BigInt, BlockId)>,
        /// Where everything else leads.
        otherwise: BlockId,
    },
    /// A call of what starts at `entry`, of which nothing but the end is known here; only in inlined programs.
    Call {
        /// Where the callee starts.
        entry: BlockId,
        /// Where the caller goes on when it returns.
        after: BlockId,
    },
    /// Back to the caller.
    Return,
    /// The run ends without an error: `exit`, `abort`, a false assumption.
    Stop,
    /// The run ends with the error.
    Error(ErrorKind),
}

/// What kind of error it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ErrorKind {
    /// The error function or label is reached, an assertion fails.
    Reached,
    /// A signed operation leaves its type (`--check overflow`).
    Overflow,
    /// An array is accessed outside its bounds (`--check bounds`).
    Bounds,
    /// A division by zero (`--check div-by-zero`).
    DivisionByZero,
    /// A pointer without an object is followed or called (`--check null`).
    NullPointer,
    /// Memory is accessed after it was freed (`--check lifetime`).
    UseAfterFree,
    /// A variable is accessed through a pointer after its block or function was left (`--check lifetime`).
    Dangling,
    /// What is freed is not the start of allocated memory (`--check free`).
    InvalidFree,
    /// Memory is freed twice (`--check free`).
    DoubleFree,
    /// A string literal is written, or an object that is `const` (`--check literals`).
    LiteralWrite,
    /// A shift without a defined result (`--check shifts`).
    Shift,
    /// A variable is read that has no value yet (`--check uninitialized`).
    Uninitialized,
    /// A pointer leaves its object (`--check pointer-arithmetic`).
    PointerArithmetic,
    /// `__builtin_unreachable` is reached, or the end of a function that never returns (`--check unreachable`).
    Unreachable,
    /// A floating-point number is converted to an integer type that does not have it (`--check conversions`).
    Conversion,
    /// Something is reached that is not translated; the program may be right.
    NotTranslated,
    /// `memcpy`, `strcpy` or another function that copies is given memory that overlaps (`--check overlap`).
    Overlap,
    /// A function is called as another type than its own (`--check calls`).
    Call,
    /// The program ends, and something that it allocated was not freed (`--check cleanup`).
    NotFreed,
}

impl ErrorKind {
    /// The name that SV-COMP gives to the property that is violated, if it has one.
    pub fn property(self) -> Option<&'static str> {
        match self {
            ErrorKind::Reached => Some("unreach-call"),
            ErrorKind::Overflow => Some("no-overflow"),
            ErrorKind::Bounds | ErrorKind::NullPointer | ErrorKind::UseAfterFree | ErrorKind::Dangling => {
                Some("valid-deref")
            }
            ErrorKind::InvalidFree | ErrorKind::DoubleFree => Some("valid-free"),
            ErrorKind::DivisionByZero
            | ErrorKind::LiteralWrite
            | ErrorKind::Shift
            | ErrorKind::Uninitialized
            | ErrorKind::PointerArithmetic
            | ErrorKind::Unreachable
            | ErrorKind::Conversion
            | ErrorKind::NotTranslated
            | ErrorKind::Overlap
            | ErrorKind::Call
            | ErrorKind::NotFreed => None,
        }
    }
}

/// An instruction with its source.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What is done.
    pub kind: InstructionKind,
    /// Where it is written.
    pub span: Span,
}

/// What is done.
#[derive(Clone, PartialEq, Debug)]
pub enum InstructionKind {
    /// `target = value`; the value has the target's type. Structs too: then the value is a [`ExpressionKind::Read`].
    Assign {
        /// What changes.
        target: Place,
        /// The value.
        value: Expression<Place>,
    },
    /// The whole target gets unknown values: of its type for `Input`, anything for uninitialized variables.
    Unknown {
        /// What changes.
        target: Place,
        /// Why it is not known.
        source: UnknownSource,
    },
    /// Every byte of the target becomes zero.
    Zero {
        /// What changes.
        target: Place,
    },
    /// A call; calls that have a meaning of their own (`assume`, `malloc`, …) have become other instructions.
    Call {
        /// Where the result goes.
        target: Option<Place>,
        /// What is called.
        callee: Callee,
        /// The type of function as which it is called; its own may be another one.
        kind: TypeId,
        /// The arguments, converted to the parameters' types where these are known. Struct arguments are
        /// [`ExpressionKind::Read`].
        arguments: Vec<Expression<Place>>,
    },
    /// The run goes on only if the condition is not zero.
    Assume(Expression<Place>),
    /// New memory; `target` gets its address.
    Allocate {
        /// The pointer.
        target: Place,
        /// The type of the elements, as far as the cast or the target tells.
        element: TypeId,
        /// How many elements, if the size is a multiple of the element's (`n * sizeof (T)`).
        count: Option<Expression<Place>>,
        /// Whether it is filled with zeros.
        zeroed: bool,
        /// The memory whose contents go over, as far as both go (`realloc`); null for none.
        moved: Option<Expression<Place>>,
    },
    /// The end of an allocated object's life.
    Free(Expression<Place>),
    /// `memset`, `memcpy`, `memmove` of whole elements: `count` elements.
    Copy {
        /// The address of the first target element.
        target: Expression<Place>,
        /// The address of the first source element.
        source: CopySource,
        /// The type of the elements.
        element: TypeId,
        /// How many.
        count: Expression<Place>,
    },
    /// `va_start`: the list begins with what this call has behind the parameters. When calls are replaced, that is known.
    StartArguments {
        /// The number by which a list says where it is.
        list: Place,
    },
    /// `va_arg`
    NextArgument {
        /// The number by which a list says where it is.
        list: Place,
        /// What gets the argument.
        target: Place,
    },
    /// `target` gets the answer to a question about a pointer.
    Ask {
        /// What gets the answer.
        target: Place,
        /// The question.
        asked: Asked,
    },
    /// A printed value; it matters only when runs are compared.
    Print(Vec<Expression<Place>>),
    /// Code that is not there to be read gets pointers: what lies behind them may change, in a way that nobody knows.
    Expose {
        /// What it is: the end of the sentence "cannot translate …".
        what: String,
        /// The pointers. Numbers may be addresses too.
        pointers: Vec<Expression<Place>>,
        /// How far it may go.
        reach: Reach,
    },
    /// What only checks need to know; there is none unless one is asked for.
    Check(Check),
    /// What has no exact meaning here.
    Unsupported {
        /// What it is: the end of the sentence "cannot translate …".
        what: String,
        /// What it may do.
        effect: Effect<Place>,
    },
}

/// How far code that gets a pointer may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// It changes nothing now, but from then on it knows the addresses.
    Nothing,
    /// It knows the addresses from then on, and may hand them back, but never changes what is there: it got pointers to `const`.
    Reading,
    /// It changes nothing, but puts the addresses that it finds in the objects where they may be read as anything.
    Contents,
    /// The objects that the pointers point into, and no others: a function of the library. Addresses in them may be read as anything
    /// from then on.
    Objects,
    /// Whatever is found by following pointers from there, functions to call included.
    Everything,
    /// What other files have of their own: the variables that they define, and memory that this file does not show. It gets no
    /// pointers.
    Others,
}

impl Reach {
    /// Whether something may change at once.
    pub fn changes(self) -> bool {
        !matches!(self, Reach::Nothing | Reach::Reading | Reach::Contents)
    }
}

/// What only checks need to know.
#[derive(Clone, PartialEq, Debug)]
pub enum Check {
    /// So many bytes from here on are accessed at once. This is there without checks too: members of structs are looked at
    /// one by one.
    Bytes {
        /// The address of the first one.
        pointer: Expression<Place>,
        /// How many there are.
        bytes: Expression<Place>,
        /// Whether they are written.
        writes: bool,
    },
    /// So many bytes from here on and from there on have none in common.
    Apart {
        /// The address of the first ones.
        one: Expression<Place>,
        /// The address of the others.
        other: Expression<Place>,
        /// How many there are, each time; `None` if nobody says.
        bytes: Option<Expression<Place>>,
    },
    /// An array gets so many elements.
    Length(Expression<Place>),
    /// A function is handed this address that wants one, however few bytes it accesses there.
    Set(Expression<Place>),
    /// The characters from here on are read up to a zero.
    Text(Expression<Place>),
    /// Memory from here on is accessed, nobody knows how far.
    Unmeasured(Expression<Place>),
    /// The life of a local variable begins.
    Begins(VariableId),
    /// The life of a local variable is over.
    Ends(VariableId),
}

/// What something may do that has no exact meaning here. There is no default: whoever meets such a construct has to say it,
/// and who does not know says [`Effect::Anything`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect<P> {
    /// These places may change; everything else stays as it is, and the run goes on behind it.
    Changes(Vec<P>),
    /// Everything may change, and the run may end or go on anywhere. No slicing removes it: where it can be reached, the
    /// program is refused.
    Anything,
}

impl<P> Effect<P> {
    /// The places that are said to change.
    pub fn changes(&self) -> &[P] {
        match self {
            Effect::Changes(places) => places,
            Effect::Anything => &[],
        }
    }
}

/// Where [`InstructionKind::Copy`] takes its values.
#[derive(Clone, PartialEq, Debug)]
pub enum CopySource {
    /// Zeros.
    Zero,
    /// From this address.
    Address(Expression<Place>),
}

/// Why a value is not known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum UnknownSource {
    /// The result of a function without a body.
    Call(String),
    /// What a call of this function of the library reads into memory, which is not its result.
    ReadBy(String),
    /// Whether a call of this function of the library fails: zero if it does not. Its result follows from that.
    Failure(String),
    /// The variable was declared without a value.
    Uninitialized,
    /// Whether an allocating function has memory left: zero if it returns null.
    Allocation,
    /// `*` in a snippet, a volatile variable, and what else is read from outside.
    Outside,
    /// What this text says has a value that is not calculated here. Any value is taken for it, which is an approximation.
    NotCalculated(String),
}

/// What is called.
#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// This function.
    Function(FunctionId),
    /// The function with this address.
    Address(Expression<Place>),
}
