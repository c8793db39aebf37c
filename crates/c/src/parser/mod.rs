//! The parser of C: tokens to the tree of `syntax`. By hand, by recursive descent; `docs/c-parser.md` says why.
//!
//! It accepts more than the standard does: GNU's extensions, old definitions and missing types, for real programs have them;
//! what a program means is decided later. What stands at the outermost level is read in `units`, declarations in
//! `declarations`, `specifiers`, `records` and `declarators`, statements in `statements`, expressions in `expressions`,
//! `operands` and `builtins`. Whether a name is a type is known from `scopes`, or guessed in `guesses`. After a mistake,
//! `recovery` looks for a place from which to go on, so that one run reports several.
//!
//! No input can exhaust the stack, neither here nor where trees are walked later: [`TREE_HEIGHT_LIMIT`] holds for trees that
//! nest and for those that only lean.

mod assembly;
mod attributes;
mod builtins;
mod declarations;
mod declarators;
mod expressions;
mod guesses;
mod initializers;
mod labels;
mod literals;
mod operands;
mod packing;
mod records;
mod recovery;
mod scopes;
mod specifiers;
mod statements;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree_text;
mod units;

pub(super) use labels::{is_of_block, written};

use super::lexer::{self, Token, TokenKind};
use super::syntax::{Name, Span, TranslationUnit};
use super::tokens::without_universal_names;
use crate::diagnostics::{Diagnostic, Reading, Severity};
use bumpalo::Bump;
use hashbrown::HashSet;
use scopes::{NameKind, Scopes};
use std::ops::Range;

/// What is said where reading is given up, so that what is missing behind it is no mistake.
const TOO_DEEP: &str = "nested too deeply";

/// How high a tree may be.
pub const TREE_HEIGHT_LIMIT: u32 = 1500;
/// How deep the parser may be inside itself; parentheses count too, though they leave no trace in a tree.
const NESTING_LIMIT: u32 = 700;
/// How many errors are reported for one text, and how many guesses.
const DIAGNOSTIC_LIMIT: usize = 20;
/// Longer texts are refused: their places would not fit into spans.
const TEXT_LIMIT: usize = 1 << 30;

/// Proof that the mistake at hand has been reported.
struct Reported;

type Result<T> = std::result::Result<T, Reported>;

struct Parser<'a> {
    source: &'a str,
    arena: &'a Bump,
    tokens: Vec<Token>,
    position: usize,
    /// Whether statements may stand outside functions, and `*` for an unknown value.
    snippet: bool,
    scopes: Scopes<'a>,
    /// How deep the parser is inside itself.
    depth: u32,
    /// How deep the deepest node below the node at hand is, counted from the outermost level.
    reach: u32,
    errors: Vec<Diagnostic>,
    /// The types that had to be guessed. In a text without mistakes `semantics` says which of them are unknown.
    guesses: Vec<Diagnostic>,
    /// A function that begins a line inside another one, where a `}` may be missing.
    function_at_margin: Option<Span>,
    packing: packing::Packing,
    mentioned: HashSet<&'a str>,
    local_labels: Vec<labels::LocalLabel<'a>>,
}

/// Parses preprocessed C. `snippet` allows statements outside functions, and `*` for an unknown value.
///
/// The product is there unless a diagnostic is an error. At most 20 errors are given, in the order of the text.
///
/// ```
/// # mod clausal { pub use clausal_c as c; pub use clausal_rules::*; }
/// use bumpalo::Bump;
/// use clausal::c::parser::parse;
///
/// let arena = Bump::new();
/// let reading = parse(&arena, "int main() { int x = 1 return x; }", false);
/// assert!(reading.product.is_none());
/// assert_eq!(reading.diagnostics[0].message, "expected `;` after the declaration, found `return`");
///
/// let reading = parse(&arena, "x = 0; while (*) x++;", true);
/// assert_eq!(reading.product.expect("no mistake in it").items.len(), 2);
/// ```
pub fn parse<'a>(arena: &'a Bump, text: &'a str, snippet: bool) -> Reading<TranslationUnit<'a>> {
    if text.len() > TEXT_LIMIT {
        let error = Diagnostic::error(0..0, "the text is too long", format!("{} bytes", text.len())).unsupported();
        return Reading {
            product: None,
            diagnostics: vec![error.help(format!("texts may have up to {TEXT_LIMIT} bytes"))],
        };
    }
    parse_from(arena, text, 0, snippet)
}

/// Parses what stands in the text from this byte on.
pub(super) fn parse_from<'a>(
    arena: &'a Bump,
    text: &'a str,
    start: u32,
    snippet: bool,
) -> Reading<TranslationUnit<'a>> {
    let (tokens, mut errors) = lexer::tokens(text, start, DIAGNOSTIC_LIMIT);
    let packing = packing::Packing::new(text, &mut errors);
    let mut parser = Parser {
        source: text,
        arena,
        tokens,
        position: 0,
        snippet,
        scopes: Scopes::default(),
        depth: 0,
        reach: 0,
        errors,
        guesses: Vec::new(),
        function_at_margin: None,
        packing,
        mentioned: HashSet::new(),
        local_labels: Vec::new(),
    };
    let unit = parser.unit();
    let has_errors = !parser.errors.is_empty();
    let mut diagnostics = parser.errors;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    diagnostics.truncate(DIAGNOSTIC_LIMIT);
    if has_errors {
        diagnostics.append(&mut parser.guesses);
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.severity == Severity::Warning));
    }
    Reading {
        product: (!has_errors).then_some(unit),
        diagnostics,
    }
}

/// A span as a diagnostic wants it.
fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

impl<'a> Parser<'a> {
    /// The token so many places ahead; after the end, the last one again.
    fn token_ahead(&self, distance: usize) -> Token {
        let token = self.tokens.get(self.position + distance).or(self.tokens.last());
        token.copied().unwrap_or(Token {
            kind: TokenKind::EndOfText,
            span: Span::default(),
        })
    }

    fn token(&self) -> Token {
        self.token_ahead(0)
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn kind_ahead(&self, distance: usize) -> TokenKind {
        self.token_ahead(distance).kind
    }

    /// The token before the one at hand.
    fn previous(&self) -> Token {
        let before = self.position.min(self.tokens.len()).saturating_sub(1);
        self.tokens.get(before).copied().unwrap_or(self.token())
    }

    /// The text of a token. A name has its letters in the place of their numbers (`\u00e9`): it is the same name.
    fn text(&self, span: Span) -> &'a str {
        let text = self.source.get(range(span)).unwrap_or_default();
        if !text.contains('\\') || text.contains(['"', '\'']) {
            return text;
        }
        without_universal_names(text).map_or(text, |name| self.arena.alloc_str(&name))
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::EndOfText {
            self.position += 1;
        }
        token
    }

    fn take(&mut self, kind: TokenKind) -> Option<Token> {
        (self.kind() == kind).then(|| self.advance())
    }

    /// The place where the token at hand begins.
    fn here(&self) -> u32 {
        self.token().span.start
    }

    /// From a place up to the end of what has been read.
    fn span_from(&self, start: u32) -> Span {
        let end = self.previous().span.end;
        Span {
            start,
            end: end.max(start),
        }
    }

    /// The name that the token at hand is.
    fn name(&self) -> Name<'a> {
        let span = self.token().span;
        Name {
            text: self.text(span),
            span,
        }
    }

    fn slice<T>(&self, items: Vec<T>) -> &'a [T] {
        self.arena.alloc_slice_fill_iter(items)
    }

    /// Goes one level down; [`Parser::leave`] comes back. After an error nobody needs to come back.
    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        self.reach = self.reach.max(self.depth);
        if self.depth > NESTING_LIMIT || self.reach > TREE_HEIGHT_LIMIT {
            return Err(self.too_deep());
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Begins what may be wrapped again and again, such as `a + b + c`. Gives what [`Parser::end_chain`] wants back.
    fn begin_chain(&mut self) -> u32 {
        std::mem::replace(&mut self.reach, self.depth)
    }

    /// Notes that all that has been read since the chain began is below one more node.
    fn wrap(&mut self) -> Result<()> {
        self.reach += 1;
        if self.reach > TREE_HEIGHT_LIMIT {
            return Err(self.too_deep());
        }
        Ok(())
    }

    fn end_chain(&mut self, outer: u32) {
        self.reach = self.reach.max(outer);
    }

    /// Gives up, for what comes next would have to be read inside something.
    fn too_deep(&mut self) -> Reported {
        let span = range(self.token().span);
        let error = Diagnostic::error(span, TOO_DEEP, "the nesting is too deep from here on").unsupported();
        self.error(error.help(format!(
            "up to {NESTING_LIMIT} levels of nesting are read, and chains of up to some {TREE_HEIGHT_LIMIT} operators: \
             split the expression or the function"
        )));
        self.give_up()
    }
}
