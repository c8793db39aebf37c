//! The syntax tree of CLP rules, as the parser builds it and before anything has a sort or a meaning.
//!
//! Every node lives in one `bumpalo::Bump` and owns nothing outside it, so a tree of any shape is dropped at once, without
//! recursion. Chains of operators (`A + B + …`, `A, B, …`) are one node with many operands: the depth of a tree is bounded by
//! the parser's limit on nesting, not by the length of the input, which is what lets the later passes recurse over it.

use std::ops::Range;

/// A place in the source: byte offsets, the end exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// The span from here to the end of `last`.
    pub fn to(self, last: Span) -> Span {
        Span {
            start: self.start,
            end: last.end.max(self.start),
        }
    }

    /// The empty span right after this one.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            end: self.end,
        }
    }

    /// The span as diagnostics want it.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A predicate's name, quotes and escapes resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    pub text: &'a str,
    /// A quoted name never has a special meaning: `'error'` and `'min'` are ordinary predicates.
    pub quoted: bool,
    pub span: Span,
}

/// A predicate applied to arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom<'a> {
    pub name: Name<'a>,
    pub arguments: &'a [Expression<'a>],
    pub span: Span,
}

impl Atom<'_> {
    /// Whether this is the error atom, whatever arguments it was given by mistake.
    pub fn is_error(&self) -> bool {
        !self.name.quoted && self.name.text == "error"
    }
}

/// A term or a formula: the syntax does not tell them apart, the sorts do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expression<'a> {
    pub kind: Kind<'a>,
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'a> {
    Variable(&'a str),
    /// `_`, a different variable each time.
    Anonymous,
    /// Digits. Where reals are wanted it stands for a real.
    Integer(&'a str),
    /// Digits, a point, digits.
    Real(&'a str),
    Truth(bool),
    Negative(&'a Expression<'a>),
    /// At least two operands; the sign of the first is plus.
    Sum(&'a [(Sign, Expression<'a>)]),
    /// The first operand, then at least one more.
    Product(&'a Expression<'a>, &'a [(Factor, Expression<'a>)]),
    /// `A[I][J]`: an array and at least one index.
    Element(&'a Expression<'a>, &'a [Expression<'a>]),
    Apply(Function, &'a [Expression<'a>]),
    /// `[A, B | T]`: elements, and the list that follows them; without it, none does.
    List(&'a [Expression<'a>], Option<&'a Expression<'a>>),
    /// `sort(E, real)`: the expression, which must have that sort.
    Ascription(&'a Expression<'a>, SortExpression<'a>),
    Comparison(Relation, &'a Expression<'a>, &'a Expression<'a>),
    Not(&'a Expression<'a>),
    /// At least two formulas, all of which hold.
    All(&'a [Expression<'a>]),
    /// At least two formulas, one of which holds.
    Any(&'a [Expression<'a>]),
    /// A predicate, or inside of a term a constructor, a field or a question about a constructor.
    Atom(Atom<'a>),
}

/// How an operand enters a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Plus,
    Minus,
}

/// How an operand enters a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Factor {
    Times,
    Divide,
    IntegerDivide,
    Modulo,
}

/// A comparison; the other spellings are resolved by the lexer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A built-in function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Minimum,
    Maximum,
    Absolute,
    IfThenElse,
    Real,
    Floor,
    Select,
    Store,
    Constant,
}

impl Function {
    /// Every function with its name and its number of arguments.
    pub const ALL: [(Function, &'static str, usize); 9] = [
        (Function::Minimum, "min", 2),
        (Function::Maximum, "max", 2),
        (Function::Absolute, "abs", 1),
        (Function::IfThenElse, "ite", 3),
        (Function::Real, "real", 1),
        (Function::Floor, "floor", 1),
        (Function::Select, "select", 2),
        (Function::Store, "store", 3),
        (Function::Constant, "constant", 1),
    ];

    /// The function of this name, with its number of arguments.
    pub fn named(name: &str) -> Option<(Function, usize)> {
        let found = Function::ALL.iter().find(|(_, own, _)| *own == name)?;
        Some((found.0, found.2))
    }
}

/// The name by which an expression is given its sort: `sort(E, real)`, and that of a directive.
pub(super) const SORT: &str = "sort";

/// Whether a name means something by itself, so that a predicate of that name has to be quoted.
pub(super) fn is_reserved(name: &str) -> bool {
    matches!(name, "true" | "false" | "error" | "div" | "mod" | "is" | SORT) || Function::named(name).is_some()
}

/// A sort as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct SortExpression<'a> {
    pub kind: SortKind<'a>,
    pub span: Span,
}

/// What a written sort is.
#[derive(Clone, Copy, Debug)]
pub(super) enum SortKind<'a> {
    Int,
    Real,
    Bool,
    Array(&'a SortExpression<'a>, &'a SortExpression<'a>),
    List(&'a SortExpression<'a>),
    /// A sort that the text declares.
    Named(Name<'a>),
}

/// One clause, up to and with its `.`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clause<'a> {
    /// `head :- body.`, or a fact, whose body is empty.
    Rule {
        head: Atom<'a>,
        body: Option<&'a Expression<'a>>,
    },
    /// `?- body.`; the span is that of `?-`.
    Query { mark: Span, body: &'a Expression<'a> },
    /// `:- sort name(argument, …).`, also with `pred`.
    Declaration {
        name: Name<'a>,
        arguments: &'a [Declared<'a>],
        span: Span,
    },
    /// `:- type name ---> constructor ; ….`
    Type {
        name: Name<'a>,
        constructors: &'a [Constructor<'a>],
    },
}

/// A constructor of a declared sort.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constructor<'a> {
    pub name: Name<'a>,
    /// What it is made of, with names if they have any.
    pub fields: &'a [(Option<Name<'a>>, SortExpression<'a>)],
    pub span: Span,
}

/// What a declaration says of an argument.
#[derive(Clone, Copy, Debug)]
pub(super) enum Declared<'a> {
    /// The program point the declaration is about.
    Point(Expression<'a>),
    Sort(SortExpression<'a>),
}

impl<'a> Expression<'a> {
    /// Calls `visit` with each direct part of the expression, in the order of the text.
    pub fn for_each_part(&self, visit: &mut dyn FnMut(&'a Expression<'a>)) {
        match self.kind {
            Kind::Variable(_) | Kind::Anonymous | Kind::Integer(_) | Kind::Real(_) | Kind::Truth(_) => {}
            Kind::Negative(part) | Kind::Not(part) | Kind::Ascription(part, _) => visit(part),
            Kind::Sum(parts) => parts.iter().for_each(|(_, part)| visit(part)),
            Kind::Product(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, part)| visit(part));
            }
            Kind::Element(first, rest) => {
                visit(first);
                rest.iter().for_each(visit);
            }
            Kind::Comparison(_, left, right) => {
                visit(left);
                visit(right);
            }
            Kind::List(parts, tail) => {
                parts.iter().for_each(&mut *visit);
                tail.iter().for_each(|tail| visit(tail));
            }
            Kind::Apply(_, parts) | Kind::All(parts) | Kind::Any(parts) => parts.iter().for_each(visit),
            Kind::Atom(atom) => atom.arguments.iter().for_each(visit),
        }
    }

    /// The number if the expression is an integer literal, perhaps negative, in its shortest form.
    pub fn integer_literal(&self) -> Option<String> {
        match self.kind {
            Kind::Integer(digits) => Some(shortest(digits).to_string()),
            Kind::Negative(part) => match part.kind {
                Kind::Integer(digits) if shortest(digits) == "0" => Some("0".to_string()),
                Kind::Integer(digits) => Some(format!("-{}", shortest(digits))),
                _ => None,
            },
            _ => None,
        }
    }
}

fn shortest(digits: &str) -> &str {
    match digits.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    }
}
