//! S-expressions: the tree of parentheses, in an arena. Reading runs on an explicit stack, so that nesting costs no more than
//! the text does.

use super::lexer::{Span, Token};
use super::problems::Problems;
use crate::diagnostics::Diagnostic;
use bumpalo::Bump;
use logos::Logos;

/// A piece of the text: an atom or a parenthesized list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expression<'a> {
    pub kind: Kind<'a>,
    pub span: Span,
}

/// What an [`Expression`] is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'a> {
    /// A symbol, without the bars if it was written with them.
    Symbol(&'a str),
    Numeral(&'a str),
    Decimal(&'a str),
    /// A literal like `#x0f` or `#b101`.
    BitVector(&'a str),
    String,
    /// A keyword such as `:named`; only commands and annotations have them, and there it is skipped.
    Keyword,
    List(&'a [Expression<'a>]),
}

impl<'a> Expression<'a> {
    /// The name, if this is a symbol.
    pub fn symbol(self) -> Option<&'a str> {
        match self.kind {
            Kind::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The elements, if this is a list.
    pub fn list(self) -> Option<&'a [Expression<'a>]> {
        match self.kind {
            Kind::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// The name and the rest of a list that starts with a symbol.
    pub fn application(self) -> Option<(&'a str, &'a [Expression<'a>])> {
        let (head, arguments) = self.list()?.split_first()?;
        Some((head.symbol()?, arguments))
    }

    /// All symbols inside, in no particular order.
    pub fn symbols(self) -> Vec<&'a str> {
        let (mut found, mut stack) = (Vec::new(), vec![self]);
        while let Some(expression) = stack.pop() {
            found.extend(expression.symbol());
            stack.extend_from_slice(expression.list().unwrap_or(&[]));
        }
        found
    }
}

/// A list at the top level of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Command<'a> {
    pub expression: Expression<'a>,
    /// Whether something inside could not be read, which has been reported.
    pub damaged: bool,
}

/// The commands of a text.
pub(super) fn read_all<'a>(source: &'a str, arena: &'a Bump, problems: &mut Problems) -> Vec<Command<'a>> {
    let mut commands = Vec::new();
    // The elements of all open lists, one after the other; `open` says where each list begins.
    let mut elements: Vec<Expression<'a>> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    // Whether a quotation that is never closed has swallowed parentheses.
    let mut quoted = false;
    let mut damaged = false;
    let mut outside = false;
    let mut lexer = Token::lexer(source);
    while let Some(token) = lexer.next() {
        if problems.is_full() {
            break;
        }
        let span = Span {
            start: lexer.span().start,
            end: lexer.span().end,
        };
        let text = lexer.slice();
        let kind = match token {
            Ok(Token::Open) => {
                outside = false;
                open.push((span.start, elements.len()));
                continue;
            }
            Ok(Token::Close) => {
                let Some((start, first)) = open.pop() else {
                    problems.error(span, "unmatched closing parenthesis", "nothing is open here");
                    continue;
                };
                let list = arena.alloc_slice_copy(&elements[first..]);
                elements.truncate(first);
                let expression = Expression {
                    kind: Kind::List(list),
                    span: Span { start, end: span.end },
                };
                if open.is_empty() {
                    commands.push(Command { expression, damaged });
                    damaged = false;
                } else {
                    elements.push(expression);
                }
                continue;
            }
            Ok(Token::Symbol) => Kind::Symbol(text),
            Ok(Token::QuotedSymbol) => Kind::Symbol(text.trim_matches('|')),
            Ok(Token::Numeral) => Kind::Numeral(text),
            Ok(Token::Decimal) => Kind::Decimal(text),
            Ok(Token::BitVector) => Kind::BitVector(text),
            Ok(Token::String) => Kind::String,
            Ok(Token::Keyword) => Kind::Keyword,
            Ok(Token::MalformedNumber) => {
                damaged = true;
                let error = Diagnostic::error(span.range(), "malformed number", "neither a number nor a symbol")
                    .help("a symbol that starts with a digit is written between bars: |1st|");
                problems.report(error);
                continue;
            }
            Err(()) => {
                damaged = true;
                quoted |= text.starts_with(['|', '"']);
                problems.report(lexical_error(text, span.start));
                continue;
            }
        };
        if open.is_empty() {
            // Said once for a stretch of text: a file of another kind has little else.
            if !std::mem::replace(&mut outside, true) {
                problems.error(span, "expected a command", "commands start with a parenthesis");
            }
        } else {
            elements.push(Expression { kind, span });
        }
    }
    if let Some((start, _)) = open.first()
        && !quoted
    {
        let error = Diagnostic::error(*start..start + 1, "unclosed parenthesis", "opened here, never closed");
        problems.report(error.help("the text ends inside this command"));
    }
    commands
}

/// The error for text that is no token, drawn under its first character only: the rest may be most of the file.
fn lexical_error(text: &str, start: usize) -> Diagnostic {
    let first = text.chars().next().unwrap_or(' ');
    let (message, label, help) = match first {
        '|' => ("unclosed quoted symbol", "opened here", "close it with another bar"),
        '"' => ("unclosed string", "opened here", "close it with another quotation mark"),
        _ => (
            "unexpected character",
            "no part of a symbol, number or string",
            "a symbol with other characters is written between bars: |a b|",
        ),
    };
    Diagnostic::error(start..start + first.len_utf8(), message, label).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_nesting_is_read_without_recursion() {
        let depth = 100_000;
        let source = format!("{}x{}", "(".repeat(depth), ")".repeat(depth));
        let (arena, mut problems) = (Bump::new(), Problems::default());
        let commands = read_all(&source, &arena, &mut problems);
        assert!(problems.finish(()).diagnostics.is_empty());
        assert_eq!(commands.len(), 1);
        assert_eq!(commands[0].expression.symbols(), ["x"]);
    }

    #[test]
    fn a_bad_character_damages_its_command_only() {
        let (arena, mut problems) = (Bump::new(), Problems::default());
        let commands = read_all("(a { b) (|c d|)", &arena, &mut problems);
        assert!(!problems.finish(()).diagnostics.is_empty());
        assert_eq!(
            commands.iter().map(|command| command.damaged).collect::<Vec<_>>(),
            [true, false]
        );
        assert_eq!(commands[1].expression.symbols(), ["c d"]);
    }
}
