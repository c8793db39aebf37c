//! The syntax tree of C that the parser builds and `semantics` reads: what was written, not yet what it means.
//!
//! Trees live in an arena (`bumpalo`) and are dropped as a whole. Names are slices of the source text; every node that a
//! diagnostic may point to has its bytes. Parentheses, comments and line markers leave no trace here.

mod operators;
mod statements;

pub use operators::{Alignment, BinaryOperator, UnaryOperator};
pub use statements::{Assembly, AssemblyOperand, Statement, StatementKind};

use hashbrown::HashSet;

/// Bytes of the source text, from `start` up to but not including `end`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// A name where it is written.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    /// The name.
    pub text: &'a str,
    /// Where it is.
    pub span: Span,
}

/// A file, or a snippet.
#[derive(Debug)]
pub struct TranslationUnit<'a> {
    /// What stands at the outermost level.
    pub items: Vec<Item<'a>>,
    /// The names that expressions use, whatever they stand for.
    pub mentioned: HashSet<&'a str>,
    /// Where the text ends.
    pub end: u32,
}

/// What can stand at the outermost level.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// A function with a body.
    Function(&'a FunctionDefinition<'a>),
    /// Anything else that declares names; also `struct s { … };` alone.
    Declaration(&'a Declaration<'a>),
    /// `asm (…);` outside of functions.
    Assembly(&'a Assembly<'a>, Span),
    /// A statement of a snippet; only where the parser was asked to accept snippets.
    Statement(&'a Statement<'a>),
}

/// `__attribute__ ((name (arguments)))`; `_Alignas`, `__declspec` and the `asm` behind a declarator are kept as such too.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// The name as it is written, perhaps with underscores around it.
    pub name: Name<'a>,
    /// What stands in the parentheses behind it.
    pub arguments: &'a [AttributeArgument<'a>],
    /// The attribute.
    pub span: Span,
}

impl Attribute<'_> {
    /// Whether this is the attribute, which may be written with underscores around it.
    pub fn is(&self, name: &str) -> bool {
        self.plain_name() == name
    }

    /// The name without underscores around it.
    pub fn plain_name(&self) -> &str {
        let name = self.name.text;
        let inner = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
        inner.unwrap_or(name)
    }
}

/// An argument of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum AttributeArgument<'a> {
    /// An expression; a word is a name, whether it is declared or not.
    Expression(&'a Expression<'a>),
    /// A type, as in `_Alignas (int)`.
    Type(&'a TypeName<'a>),
    /// What is neither.
    Other(Span),
}

/// Qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Qualifiers {
    /// `volatile`
    pub is_volatile: bool,
    /// `const`
    pub is_const: bool,
}

/// `specifiers declarator { … }`.
#[derive(Debug)]
pub struct FunctionDefinition<'a> {
    /// What stands before the name.
    pub specifiers: Specifiers<'a>,
    /// The name and the parameters; its outermost derivation is a function.
    pub declarator: &'a Declarator<'a>,
    /// The declarations of a K&R definition's parameters, between `)` and `{`.
    pub parameter_declarations: &'a [&'a Declaration<'a>],
    /// The body, a [`StatementKind::Block`].
    pub body: &'a Statement<'a>,
    /// The whole definition.
    pub span: Span,
}

/// `specifiers declarator = initializer, … ;`
#[derive(Debug)]
pub struct Declaration<'a> {
    /// What stands before the names.
    pub specifiers: Specifiers<'a>,
    /// The names declared; perhaps none.
    pub declarators: &'a [InitializedDeclarator<'a>],
    /// The whole declaration.
    pub span: Span,
}

/// `declarator = initializer`.
#[derive(Debug)]
pub struct InitializedDeclarator<'a> {
    /// The name and its derivations.
    pub declarator: &'a Declarator<'a>,
    /// What it starts with.
    pub initializer: Option<&'a Initializer<'a>>,
    /// The width of a bit-field, in a member's declaration.
    pub bit_width: Option<&'a Expression<'a>>,
}

/// What stands before the names in a declaration. Of the qualifiers, `volatile` is kept, for such a variable may change by
/// itself, and `const`, for what a parameter points to is not written by a function that says so.
#[derive(Debug)]
pub struct Specifiers<'a> {
    /// `typedef`, `static`, …
    pub storage: Option<Storage>,
    /// The type; `None` where there is none (implicit `int`).
    pub kind: Option<TypeSpecifier<'a>>,
    /// Whether `volatile` is among them.
    pub is_volatile: bool,
    /// Whether `const` is among them.
    pub is_const: bool,
    /// The attributes among them, which are about all the names.
    pub attributes: &'a [Attribute<'a>],
    /// The specifiers; the place of the next token, empty, where there are none.
    pub span: Span,
}

/// Storage classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// The type in specifiers.
#[derive(Clone, Copy, Debug)]
pub enum TypeSpecifier<'a> {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// `char`; `signed` is `None` for a plain one.
    Char {
        /// `signed char` or `unsigned char`, if one of them is written.
        signed: Option<bool>,
    },
    /// The other integer types.
    Integer {
        /// Which size.
        size: IntegerSize,
        /// Whether `unsigned` is absent.
        signed: bool,
    },
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`, `__float80`
    LongDouble,
    /// `__float128`, `_Float128`
    Quadruple,
    /// A `typedef` name.
    Named(Name<'a>),
    /// `struct s`, `struct s { … }`, `union …`
    Record {
        /// Whether `union` is written.
        is_union: bool,
        /// Its tag.
        tag: Option<Name<'a>>,
        /// Its members, if they are written here.
        members: Option<&'a [&'a Declaration<'a>]>,
        /// Whether it has the attribute `packed`.
        is_packed: bool,
        /// The greatest alignment of its members, if `#pragma pack` says one.
        packing: Option<u64>,
        /// All its attributes.
        attributes: &'a [Attribute<'a>],
    },
    /// `enum e`, `enum e { … }`
    Enum {
        /// Its tag.
        tag: Option<Name<'a>>,
        /// Its constants with their values, if they are written here.
        constants: Option<&'a [(Name<'a>, Option<&'a Expression<'a>>)]>,
        /// Whether it has the attribute `packed`: then its type is the smallest that holds its constants.
        is_packed: bool,
        /// All its attributes.
        attributes: &'a [Attribute<'a>],
    },
    /// `typeof (expression)`
    TypeofExpression(&'a Expression<'a>),
    /// `typeof (type)`
    TypeofType(&'a TypeName<'a>),
    /// `__builtin_va_list`
    VaList,
    /// `_Complex` and the type of the parts
    Complex(&'a TypeSpecifier<'a>),
    /// What has no meaning here.
    Other(Name<'a>),
}

/// The sizes of integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntegerSize {
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `long long`
    LongLong,
    /// `__int128`
    Int128,
}

/// A name with what is derived from the specifiers' type.
#[derive(Debug)]
pub struct Declarator<'a> {
    /// The name; absent in a [`TypeName`] and in unnamed parameters.
    pub name: Option<Name<'a>>,
    /// From the name outwards: `int *a[3]` is an array (first) of pointers (second) to `int`.
    pub derivations: &'a [Derivation<'a>],
    /// Whether `volatile` follows the `*` of the pointer that is declared, or of which an array is declared.
    pub is_volatile: bool,
    /// The attributes before, inside and behind it, with the name that `asm ("…")` gives it.
    pub attributes: &'a [Attribute<'a>],
    /// The declarator.
    pub span: Span,
}

/// One step of a declarator.
#[derive(Clone, Copy, Debug)]
pub enum Derivation<'a> {
    /// `*`
    Pointer,
    /// `* volatile`
    VolatilePointer,
    /// `[size]`, `[]`
    Array(Option<&'a Expression<'a>>),
    /// `(parameters)`
    Function(Parameters<'a>),
}

/// The parameters of a function declarator.
#[derive(Clone, Copy, Debug)]
pub struct Parameters<'a> {
    /// `(int x, char *)`; `(void)` gives an empty list.
    pub declared: &'a [Parameter<'a>],
    /// The names of `f(a, b)` in a K&R definition.
    pub identifiers: &'a [Name<'a>],
    /// Whether `...` follows.
    pub is_variadic: bool,
    /// Whether nothing at all is said about them: `()`.
    pub is_unspecified: bool,
}

/// One parameter.
#[derive(Debug)]
pub struct Parameter<'a> {
    /// What stands before the name.
    pub specifiers: Specifiers<'a>,
    /// Perhaps a name, and derivations.
    pub declarator: &'a Declarator<'a>,
}

/// A type in a cast or `sizeof`.
#[derive(Debug)]
pub struct TypeName<'a> {
    /// What stands before the derivations.
    pub specifiers: Specifiers<'a>,
    /// A declarator without a name.
    pub declarator: &'a Declarator<'a>,
    /// The whole.
    pub span: Span,
}

/// What a variable starts with.
#[derive(Debug)]
pub enum Initializer<'a> {
    /// `= expression`
    Expression(&'a Expression<'a>),
    /// `= { … }`
    List(&'a [InitializerItem<'a>], Span),
}

/// One item of an initializer list.
#[derive(Debug)]
pub struct InitializerItem<'a> {
    /// `.member`, `[index]` before `=`; old GNU's `member:` too.
    pub designators: &'a [Designator<'a>],
    /// The value.
    pub value: &'a Initializer<'a>,
}

/// Which part an item of an initializer list is about.
#[derive(Clone, Copy, Debug)]
pub enum Designator<'a> {
    /// `.member`
    Member(Name<'a>),
    /// `[index]`
    Index(&'a Expression<'a>),
    /// GNU's `[first ... last]`
    Range(&'a Expression<'a>, &'a Expression<'a>),
}

/// An expression.
#[derive(Debug)]
pub struct Expression<'a> {
    /// What it is.
    pub kind: ExpressionKind<'a>,
    /// Its bytes.
    pub span: Span,
}

/// What the elements of a string literal are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// `"…"` and `u8"…"`: characters of bytes.
    Bytes,
    /// `L"…"`: code points as `wchar_t`.
    Wide,
    /// `u"…"`: numbers of 16 bits.
    Utf16,
    /// `U"…"`: code points as unsigned numbers.
    Utf32,
}

/// The kinds of expressions.
#[derive(Debug)]
pub enum ExpressionKind<'a> {
    /// A variable, function or enumeration constant.
    Name(&'a str),
    /// An integer literal as it is written, with its suffix.
    Integer(&'a str),
    /// A floating literal as it is written, with its suffix.
    Floating(&'a str),
    /// A character literal: its value as an `int`.
    Character(i64),
    /// String literals, joined, with escapes resolved and without the final zero.
    String {
        /// The bytes, or the code points.
        characters: &'a [u32],
        /// What its elements are.
        encoding: Encoding,
    },
    /// `operand operator`, `operator operand` with one operand
    Unary(UnaryOperator, &'a Expression<'a>),
    /// `left operator right`, without `&&`, `||`, `,` and assignments
    Binary(BinaryOperator, &'a Expression<'a>, &'a Expression<'a>),
    /// `left && right`
    And(&'a Expression<'a>, &'a Expression<'a>),
    /// `left || right`
    Or(&'a Expression<'a>, &'a Expression<'a>),
    /// `left = right`, `left op= right`
    Assign(Option<BinaryOperator>, &'a Expression<'a>, &'a Expression<'a>),
    /// `left, right`
    Comma(&'a Expression<'a>, &'a Expression<'a>),
    /// `condition ? consequence : alternative`; GNU leaves the consequence out.
    Conditional(&'a Expression<'a>, Option<&'a Expression<'a>>, &'a Expression<'a>),
    /// `(type) operand`
    Cast(&'a TypeName<'a>, &'a Expression<'a>),
    /// `(type) { … }`
    CompoundLiteral(&'a TypeName<'a>, &'a Initializer<'a>),
    /// `array[index]`
    Index(&'a Expression<'a>, &'a Expression<'a>),
    /// `operand.member`
    Member(&'a Expression<'a>, Name<'a>),
    /// `operand->member`
    PointerMember(&'a Expression<'a>, Name<'a>),
    /// `callee(arguments)`
    Call(&'a Expression<'a>, &'a [&'a Expression<'a>]),
    /// `sizeof expression`
    SizeofExpression(&'a Expression<'a>),
    /// `sizeof (type)`
    SizeofType(&'a TypeName<'a>),
    /// `_Alignof (type)`, `__alignof__ (type)`
    AlignofType(&'a TypeName<'a>, Alignment),
    /// `__builtin_offsetof(type, member)`; the place is written like an access below the type.
    Offsetof(&'a TypeName<'a>, &'a [Designator<'a>]),
    /// `_Generic(control, type: value, default: value)`
    Generic(&'a Expression<'a>, &'a [GenericChoice<'a>]),
    /// `__builtin_types_compatible_p(type, type)`
    TypesCompatible(&'a TypeName<'a>, &'a TypeName<'a>),
    /// `__builtin_convertvector(operand, type)`
    ConvertVector(&'a Expression<'a>, &'a TypeName<'a>),
    /// `__builtin_va_arg(list, type)`
    VaArg(&'a Expression<'a>, &'a TypeName<'a>),
    /// GNU's `({ … })`: a block whose last expression statement is the value
    StatementExpression(&'a Statement<'a>),
    /// GNU's `&&label`; refused later
    LabelAddress(Name<'a>),
    /// `*` as an unknown value, in snippets: `while (*)`, `x = *;`
    Unknown,
}

/// A choice of `_Generic`.
#[derive(Clone, Copy, Debug)]
pub struct GenericChoice<'a> {
    /// The type that it is for; `None` for `default`.
    pub kind: Option<&'a TypeName<'a>>,
    /// What is chosen.
    pub value: &'a Expression<'a>,
}
