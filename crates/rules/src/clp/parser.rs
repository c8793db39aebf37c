//! The parser of CLP rules: clauses here, expressions in `expression`. By hand, one token of lookahead.
//!
//! A clause with a mistake is reported once and given up; reading goes on after its `.`, or where a line begins like a new
//! clause, so that one run reports several mistakes. Nesting is limited, so that no input can exhaust the stack.

mod directive;
mod expression;

use super::advice;
use super::lexer::{self, Token, TokenKind};
use super::syntax::{self, Atom, Clause, Expression, Kind, Name, Span};
use crate::diagnostics::Diagnostic;
use bumpalo::Bump;
use hashbrown::HashSet;

/// How many parentheses, function calls, indices, signs and negations may be inside one another.
pub(super) const NESTING_LIMIT: usize = 256;

/// What the parser makes of a text.
pub(super) struct Parsed<'a> {
    /// The clauses without a syntactic mistake.
    pub clauses: Vec<Clause<'a>>,
    /// What the clauses with mistakes may define.
    pub uncertain: Uncertain<'a>,
    /// Whether something began with `?-`, well-formed or not.
    pub has_query: bool,
    /// Whether the rest of the text is inside a comment that does not end.
    pub is_cut_off: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// Predicates of which it is not known whether they have rules, because of mistakes in the text.
#[derive(Default)]
pub(super) struct Uncertain<'a> {
    /// The heads of clauses that could not be read.
    pub names: HashSet<&'a str>,
    /// Whether it could be any predicate: a head could not be read, or the rest of the text is inside a comment.
    pub all: bool,
}

impl Uncertain<'_> {
    /// Whether a predicate of this name may have rules that were not understood.
    pub fn covers(&self, name: &str) -> bool {
        self.all || self.names.contains(name)
    }
}

/// Proof that the mistake at hand has been reported.
struct Reported;

type Result<T> = std::result::Result<T, Reported>;

struct Parser<'s, 'a> {
    source: &'s str,
    arena: &'a Bump,
    tokens: Vec<Token>,
    position: usize,
    depth: usize,
    diagnostics: Vec<Diagnostic>,
}

/// Parses a text into clauses that live in the arena.
pub(super) fn parse<'a>(source: &'a str, arena: &'a Bump) -> Parsed<'a> {
    let (tokens, diagnostics) = lexer::tokens(source);
    let mut parser = Parser {
        source,
        arena,
        tokens,
        position: 0,
        depth: 0,
        diagnostics,
    };
    let mut clauses = Vec::new();
    let is_cut_off = parser
        .diagnostics
        .iter()
        .any(|diagnostic| diagnostic.message == lexer::UNTERMINATED_COMMENT);
    let mut uncertain = Uncertain {
        names: HashSet::new(),
        all: is_cut_off,
    };
    while parser.kind() != TokenKind::EndOfText {
        let start = parser.position;
        parser.depth = 0;
        match parser.clause() {
            Ok(clause) => clauses.push(clause),
            Err(Reported) => {
                let first = parser.token_at(start);
                match first.kind {
                    TokenKind::Name => uncertain.names.extend([parser.text(first.span)]),
                    TokenKind::Query | TokenKind::If => {}
                    _ => uncertain.all = true,
                }
                parser.recover(start);
            }
        }
    }
    let has_query = parser.tokens.iter().any(|token| token.kind == TokenKind::Query);
    Parsed {
        clauses,
        uncertain,
        has_query,
        is_cut_off,
        diagnostics: parser.diagnostics,
    }
}

impl<'a> Parser<'a, 'a> {
    /// The token at a position; after the end, the last one again.
    fn token_at(&self, position: usize) -> Token {
        let token = self.tokens.get(position).or(self.tokens.last()).copied();
        token.unwrap_or(Token {
            kind: TokenKind::EndOfText,
            span: Span { start: 0, end: 0 },
        })
    }

    fn token(&self) -> Token {
        self.token_at(self.position)
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn previous(&self) -> Token {
        self.token_at(self.position.saturating_sub(1))
    }

    fn text(&self, span: Span) -> &'a str {
        self.source.get(span.range()).unwrap_or_default()
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        self.position += 1;
        token
    }

    fn take(&mut self, kind: TokenKind) -> Option<Token> {
        (self.kind() == kind).then(|| self.advance())
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diagnostics.push(diagnostic);
        Reported
    }

    /// Reports that something else should stand here, with the best advice there is for what does.
    fn unexpected(&mut self, expected: &str) -> Reported {
        let diagnostic = self.unexpected_diagnostic(expected);
        // What is no token has been reported by the lexer.
        if self.kind() != TokenKind::Unknown {
            self.diagnostics.push(diagnostic);
        }
        Reported
    }

    fn unexpected_diagnostic(&self, expected: &str) -> Diagnostic {
        let token = self.token();
        let text = self.text(token.span);
        let error = |found: &str| {
            Diagnostic::error(
                token.span.range(),
                format!("expected {expected}, found {found}"),
                format!("expected {expected}"),
            )
        };
        match token.kind {
            TokenKind::EndOfText => {
                let mut diagnostic = error("the end of the file");
                diagnostic.span = self.previous().span.after().range();
                diagnostic.help("every clause ends with a `.`")
            }
            TokenKind::Foreign | TokenKind::Bar | TokenKind::Colon | TokenKind::LongArrow => Diagnostic::error(
                token.span.range(),
                format!("`{text}` is not part of the language"),
                "not understood",
            )
            .help(advice::foreign(text)),
            TokenKind::Name if advice::word(text).is_some() => {
                error(&format!("`{text}`")).help(advice::word(text).unwrap_or_default())
            }
            TokenKind::End => {
                let next = self.token_at(self.position + 1);
                let glued = next.kind == TokenKind::Integer && next.span.start == token.span.end;
                match self.previous().kind {
                    _ if glued => error("`.`").help("a number begins with a digit: `0.5`"),
                    TokenKind::Comma => error("`.`").help("is there a comma too many before the `.`?"),
                    TokenKind::If => {
                        error("`.`").help("a rule without a body is written `head.`, or has `true` as its body")
                    }
                    _ => error("`.`"),
                }
            }
            TokenKind::LeftBracket => error("`[`").help("an element of an array is `A[I]`, a list stands by itself"),
            TokenKind::If => error("`:-`").help("is the `.` of the clause before it missing?"),
            TokenKind::Query => error("`?-`").help("is the `.` of the clause before it missing?"),
            TokenKind::RightParenthesis if expected.ends_with("`.`") => {
                error("`)`").help("there is no `(` that it closes")
            }
            TokenKind::Name
            | TokenKind::Quoted
            | TokenKind::Variable
            | TokenKind::Anonymous
            | TokenKind::Integer
            | TokenKind::Real
            | TokenKind::True
            | TokenKind::False
            | TokenKind::LeftParenthesis
            | TokenKind::Not
                if expected.contains("`,`") =>
            {
                error(&format!("`{text}`")).help("is a `,` missing before it?")
            }
            _ => error(&format!("`{text}`")),
        }
    }

    /// Whether a token is the first thing on its line and looks like the beginning of a clause.
    fn begins_clause(&self, position: usize) -> bool {
        let token = self.token_at(position);
        let first_on_line = self
            .source
            .get(..token.span.start)
            .is_some_and(|before| before.is_empty() || before.ends_with('\n'));
        first_on_line
            && match token.kind {
                TokenKind::Name | TokenKind::Quoted | TokenKind::Query => true,
                TokenKind::If => directive::KEYWORDS.contains(&self.text(self.token_at(position + 1).span)),
                _ => false,
            }
    }

    /// Skips to where the next clause seems to begin, at least one token.
    fn recover(&mut self, start: usize) {
        while self.kind() != TokenKind::EndOfText {
            if self.position > start && self.begins_clause(self.position) {
                return;
            }
            let skipped = self.advance();
            let next = self.token();
            let inside_number = next.kind == TokenKind::Integer && next.span.start == skipped.span.end;
            if skipped.kind == TokenKind::End && !inside_number {
                return;
            }
        }
    }

    fn clause(&mut self) -> Result<Clause<'a>> {
        match self.kind() {
            TokenKind::If => self.directive(),
            TokenKind::Query => {
                let mark = self.advance().span;
                let body = self.body()?;
                self.end("`,`, `;` or `.`")?;
                Ok(Clause::Query { mark, body })
            }
            TokenKind::Name | TokenKind::Quoted => {
                let head = self.head()?;
                if self.take(TokenKind::If).is_none() {
                    self.end("`:-` or `.`")?;
                    return Ok(Clause::Rule { head, body: None });
                }
                let body = self.body()?;
                self.end("`,`, `;` or `.`")?;
                Ok(Clause::Rule { head, body: Some(body) })
            }
            TokenKind::Variable => {
                let span = self.token().span;
                let text = self.text(span);
                let lower = text.trim_start_matches('_').to_ascii_lowercase();
                let diagnostic = Diagnostic::error(
                    span.range(),
                    format!("a clause cannot begin with the variable `{text}`"),
                    "expected a predicate",
                );
                Err(self.report(diagnostic.help(format!("predicates begin with a small letter: `{lower}`"))))
            }
            _ => {
                let mut diagnostic = self.unexpected_diagnostic("a rule, a query or a declaration");
                diagnostic
                    .help
                    .get_or_insert("a rule begins with a predicate: `p(X) :- X > 0, q(X).`".to_string());
                if self.kind() == TokenKind::Unknown {
                    Err(Reported)
                } else {
                    Err(self.report(diagnostic))
                }
            }
        }
    }

    fn body(&mut self) -> Result<&'a Expression<'a>> {
        let body = self.expression(expression::Level::Disjunction)?;
        Ok(self.arena.alloc(body))
    }

    /// The `.` of a clause.
    fn end(&mut self, expected: &str) -> Result<()> {
        if self.take(TokenKind::End).is_some() {
            return Ok(());
        }
        if self.begins_clause(self.position) {
            let place = self.previous().span.after();
            let next = self.token().span.range();
            let diagnostic = Diagnostic::error(place.range(), "missing `.`", "this clause has no end")
                .related(next, "a new clause seems to begin here")
                .help("end every clause with a `.`");
            return Err(self.report(diagnostic));
        }
        Err(self.unexpected(expected))
    }

    fn head(&mut self) -> Result<Atom<'a>> {
        let name = self.name()?;
        if !name.quoted && name.text == "error" {
            let diagnostic = Diagnostic::error(name.span.range(), "a rule cannot have `error` as its head", "not here")
                .help("derivations end in `error`: write `p(X) :- X < 0, error.` to say that `p` with a negative X is an error");
            return Err(self.report(diagnostic));
        }
        if !name.quoted && syntax::is_reserved(name.text) {
            let text = name.text;
            let diagnostic = Diagnostic::error(
                name.span.range(),
                format!("`{text}` is built in and cannot be defined"),
                "not a predicate",
            );
            return Err(self.report(diagnostic.help(format!("choose another name, or quote it everywhere: '{text}'"))));
        }
        let arguments = self.arguments()?;
        Ok(Atom {
            name,
            arguments,
            span: name.span.to(self.previous().span),
        })
    }

    fn name(&mut self) -> Result<Name<'a>> {
        let token = self.token();
        match token.kind {
            TokenKind::Name => {
                self.advance();
                Ok(Name {
                    text: self.text(token.span),
                    quoted: false,
                    span: token.span,
                })
            }
            TokenKind::Quoted => {
                self.advance();
                Ok(Name {
                    text: self.unquote(token.span)?,
                    quoted: true,
                    span: token.span,
                })
            }
            _ => Err(self.unexpected("a predicate")),
        }
    }

    /// The name inside quotes, escapes resolved.
    fn unquote(&mut self, span: Span) -> Result<&'a str> {
        let inside = Span {
            start: span.start + 1,
            end: span.end - 1,
        };
        let text = self.text(inside);
        if !text.contains(['\\', '\'']) {
            return Ok(text);
        }
        let mut name = String::with_capacity(text.len());
        let mut characters = text.char_indices();
        while let Some((position, character)) = characters.next() {
            match character {
                // The lexer lets a quote through only in front of another.
                '\'' => name.extend(characters.next().map(|(_, quote)| quote)),
                '\\' => match characters.next() {
                    Some((_, same @ ('\\' | '\''))) => name.push(same),
                    Some((_, 'n')) => name.push('\n'),
                    Some((_, 't')) => name.push('\t'),
                    Some((_, 'r')) => name.push('\r'),
                    other => {
                        let length = 1 + other.map_or(0, |(_, character)| character.len_utf8());
                        let start = inside.start + position;
                        let diagnostic =
                            Diagnostic::error(start..start + length, "unknown escape in a quoted name", "this one")
                                .help("the escapes are `\\\\`, `\\'`, `\\n`, `\\t` and `\\r`");
                        return Err(self.report(diagnostic));
                    }
                },
                other => name.push(other),
            }
        }
        Ok(self.arena.alloc_str(&name))
    }

    /// A closing bracket; if it is missing, the opening one is shown too.
    fn close(&mut self, kind: TokenKind, opening: Token, expected: &str) -> Result<Token> {
        if let Some(token) = self.take(kind) {
            return Ok(token);
        }
        // What does not belong to the language at all is not about brackets.
        if matches!(
            self.kind(),
            TokenKind::Unknown | TokenKind::Foreign | TokenKind::Bar | TokenKind::Colon | TokenKind::LongArrow
        ) {
            return Err(self.unexpected(expected));
        }
        let diagnostic = self.unexpected_diagnostic(expected);
        Err(self.report(diagnostic.related(opening.span.range(), "opened here")))
    }

    /// Runs a parser one level deeper, if there may be one more.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= NESTING_LIMIT {
            let diagnostic = Diagnostic::error(
                self.token().span.range(),
                "nesting too deep",
                format!("more than {NESTING_LIMIT} levels"),
            );
            return Err(self.report(diagnostic.unsupported().help("give inner terms a name: `T = …, p(T)`")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn make(&self, kind: Kind<'a>, span: Span) -> Expression<'a> {
        Expression { kind, span }
    }
}

#[cfg(test)]
mod tests;
