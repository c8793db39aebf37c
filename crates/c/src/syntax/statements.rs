//! The syntax of statements.

use super::{Declaration, Expression, FunctionDefinition, Name, Span};

/// A statement.
#[derive(Debug)]
pub struct Statement<'a> {
    /// What it is.
    pub kind: StatementKind<'a>,
    /// Its bytes.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Debug)]
pub enum StatementKind<'a> {
    /// `;`
    Empty,
    /// `expression;`
    Expression(&'a Expression<'a>),
    /// A declaration among statements.
    Declaration(&'a Declaration<'a>),
    /// GNU's nested function.
    NestedFunction(&'a FunctionDefinition<'a>),
    /// `{ … }`
    Block(&'a [&'a Statement<'a>]),
    /// `if`
    If {
        /// The condition.
        condition: &'a Expression<'a>,
        /// The branch taken when it holds.
        consequence: &'a Statement<'a>,
        /// The other one.
        alternative: Option<&'a Statement<'a>>,
    },
    /// `while`
    While {
        /// The condition.
        condition: &'a Expression<'a>,
        /// The body.
        body: &'a Statement<'a>,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: &'a Statement<'a>,
        /// The condition.
        condition: &'a Expression<'a>,
    },
    /// `for`
    For {
        /// An expression statement, a declaration, or an empty statement.
        initial: &'a Statement<'a>,
        /// The condition.
        condition: Option<&'a Expression<'a>>,
        /// What is done after each turn.
        step: Option<&'a Expression<'a>>,
        /// The body.
        body: &'a Statement<'a>,
    },
    /// `switch`
    Switch {
        /// What is compared.
        value: &'a Expression<'a>,
        /// The body, with [`StatementKind::Case`]s somewhere in it.
        body: &'a Statement<'a>,
    },
    /// `case first:`, GNU's `case first ... last:`
    Case {
        /// The value, or the first one.
        first: &'a Expression<'a>,
        /// The last one of a range.
        last: Option<&'a Expression<'a>>,
        /// The labelled statement.
        body: &'a Statement<'a>,
    },
    /// `default:`
    Default(&'a Statement<'a>),
    /// `name:`
    Label(Name<'a>, &'a Statement<'a>),
    /// `goto name;`
    Goto(Name<'a>),
    /// GNU's `goto *expression;`
    ComputedGoto(&'a Expression<'a>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return expression;`
    Return(Option<&'a Expression<'a>>),
    /// `asm (…);`
    Assembly(&'a Assembly<'a>),
}

impl<'a> Statement<'a> {
    /// The statements that this one consists of, in the order in which they are written; those of a function inside of a
    /// function belong to that.
    pub fn parts(&self) -> Vec<&'a Statement<'a>> {
        match &self.kind {
            StatementKind::Block(statements) => statements.to_vec(),
            StatementKind::If {
                consequence,
                alternative,
                ..
            } => std::iter::once(*consequence).chain(*alternative).collect(),
            StatementKind::For { initial, body, .. } => vec![*initial, *body],
            StatementKind::While { body, .. }
            | StatementKind::DoWhile { body, .. }
            | StatementKind::Switch { body, .. }
            | StatementKind::Case { body, .. }
            | StatementKind::Default(body)
            | StatementKind::Label(_, body) => vec![*body],
            StatementKind::Empty
            | StatementKind::Expression(_)
            | StatementKind::Declaration(_)
            | StatementKind::NestedFunction(_)
            | StatementKind::Goto(_)
            | StatementKind::ComputedGoto(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(_)
            | StatementKind::Assembly(_) => Vec::new(),
        }
    }
}

/// Inline assembly.
#[derive(Debug, Default)]
pub struct Assembly<'a> {
    /// The instructions; `None` for Microsoft's `__asm { … }`.
    pub template: Option<&'a [u32]>,
    /// Whether `volatile` is written.
    pub is_volatile: bool,
    /// Whether `goto` is written.
    pub is_goto: bool,
    /// Whether anything follows the template, if only a `:`.
    pub is_extended: bool,
    /// What the instructions set.
    pub outputs: &'a [AssemblyOperand<'a>],
    /// What they read.
    pub inputs: &'a [AssemblyOperand<'a>],
    /// What else they change: registers, `"memory"`.
    pub clobbers: &'a [&'a [u32]],
    /// Where they may jump.
    pub labels: &'a [Name<'a>],
}

/// `[name] "constraint" (expression)`
#[derive(Clone, Copy, Debug)]
pub struct AssemblyOperand<'a> {
    /// The name by which the template and other operands speak of it.
    pub name: Option<Name<'a>>,
    /// Where it may lie.
    pub constraint: &'a [u32],
    /// The operand.
    pub expression: &'a Expression<'a>,
}
