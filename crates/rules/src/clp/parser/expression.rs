//! Expressions, by precedence climbing. From loosest to tightest: `;`, `,`, `\+`, comparisons (which do not chain), `+ -`,
//! `* / div mod`, the sign `-`, indexing `A[I]`.

use super::super::lexer::{Token, TokenKind};
use super::super::syntax::{Atom, Expression, Factor, Function, Kind, Relation, SORT, Sign, Span};
use super::{Parser, Result};
use crate::diagnostics::Diagnostic;

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub(super) enum Level {
    Disjunction,
    Conjunction,
    Negation,
    Comparison,
    Sum,
    Product,
    Unary,
}

fn level_of(kind: TokenKind) -> Option<Level> {
    Some(match kind {
        TokenKind::Semicolon => Level::Disjunction,
        TokenKind::Comma => Level::Conjunction,
        TokenKind::Plus | TokenKind::Minus => Level::Sum,
        _ if relation_of(kind).is_some() => Level::Comparison,
        _ if factor_of(kind).is_some() => Level::Product,
        _ => return None,
    })
}

fn relation_of(kind: TokenKind) -> Option<Relation> {
    Some(match kind {
        TokenKind::Equal => Relation::Equal,
        TokenKind::NotEqual => Relation::NotEqual,
        TokenKind::Less => Relation::Less,
        TokenKind::LessOrEqual => Relation::LessOrEqual,
        TokenKind::Greater => Relation::Greater,
        TokenKind::GreaterOrEqual => Relation::GreaterOrEqual,
        _ => return None,
    })
}

fn sign_of(kind: TokenKind) -> Option<Sign> {
    match kind {
        TokenKind::Plus => Some(Sign::Plus),
        TokenKind::Minus => Some(Sign::Minus),
        _ => None,
    }
}

fn factor_of(kind: TokenKind) -> Option<Factor> {
    Some(match kind {
        TokenKind::Times => Factor::Times,
        TokenKind::Divide => Factor::Divide,
        TokenKind::IntegerDivide => Factor::IntegerDivide,
        TokenKind::Modulo => Factor::Modulo,
        _ => return None,
    })
}

impl<'a> Parser<'a, 'a> {
    /// An expression of operators that bind at least as tightly as `least`.
    pub(super) fn expression(&mut self, least: Level) -> Result<Expression<'a>> {
        let mut left = self.operand(least)?;
        while let Some(level) = level_of(self.kind()).filter(|level| *level >= least) {
            left = match level {
                Level::Comparison => self.comparison(left)?,
                Level::Sum => self.sum(left)?,
                Level::Product => self.product(left)?,
                Level::Conjunction => {
                    let parts = self.chain(left, TokenKind::Comma, Level::Negation)?;
                    self.spanning(left, Kind::All(parts))
                }
                _ => {
                    let parts = self.chain(left, TokenKind::Semicolon, Level::Conjunction)?;
                    self.spanning(left, Kind::Any(parts))
                }
            };
        }
        Ok(left)
    }

    /// An expression from the start of its first part to the last token read.
    fn spanning(&self, first: Expression<'a>, kind: Kind<'a>) -> Expression<'a> {
        self.make(kind, first.span.to(self.previous().span))
    }

    fn chain(&mut self, first: Expression<'a>, separator: TokenKind, level: Level) -> Result<&'a [Expression<'a>]> {
        let mut parts = vec![first];
        while self.take(separator).is_some() {
            parts.push(self.expression(level)?);
        }
        Ok(self.arena.alloc_slice_copy(&parts))
    }

    fn comparison(&mut self, left: Expression<'a>) -> Result<Expression<'a>> {
        let Some(relation) = relation_of(self.kind()) else {
            return Err(self.unexpected("a comparison"));
        };
        self.advance();
        let right = self.expression(Level::Sum)?;
        if relation_of(self.kind()).is_some() {
            return self.complain(
                "comparisons cannot be chained",
                "a second comparison",
                Some("write each by itself: `0 =< X, X < N`"),
            );
        }
        let kind = Kind::Comparison(relation, self.arena.alloc(left), self.arena.alloc(right));
        Ok(self.spanning(left, kind))
    }

    fn sum(&mut self, left: Expression<'a>) -> Result<Expression<'a>> {
        let mut parts = vec![(Sign::Plus, left)];
        while let Some(sign) = sign_of(self.kind()) {
            self.advance();
            parts.push((sign, self.expression(Level::Product)?));
        }
        Ok(self.spanning(left, Kind::Sum(self.arena.alloc_slice_copy(&parts))))
    }

    fn product(&mut self, left: Expression<'a>) -> Result<Expression<'a>> {
        let mut rest = Vec::new();
        while let Some(factor) = factor_of(self.kind()) {
            self.advance();
            rest.push((factor, self.expression(Level::Unary)?));
        }
        let kind = Kind::Product(self.arena.alloc(left), self.arena.alloc_slice_copy(&rest));
        Ok(self.spanning(left, kind))
    }

    /// What is wrong at the next token. What is put together for it is kept out of the functions that recurse with the nesting, whose
    /// frames have to be small.
    #[cold]
    #[inline(never)]
    fn complain(&mut self, message: &str, label: &str, help: Option<&str>) -> Result<Expression<'a>> {
        let diagnostic = Diagnostic::error(self.token().span.range(), message, label);
        Err(self.report(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }))
    }

    #[cold]
    #[inline(never)]
    fn complain_of_arity(
        &mut self,
        (text, span): (&str, Span),
        function: Function,
        (wanted, found): (usize, usize),
    ) -> Result<Expression<'a>> {
        let plural = if wanted == 1 { "" } else { "s" };
        let diagnostic = Diagnostic::error(
            span.range(),
            format!("`{text}` takes {wanted} argument{plural}, not {found}"),
            "wrong number of arguments",
        )
        .help(format!(
            "`{text}` is a built-in function: {}; a predicate of this name has to be quoted",
            usage(function)
        ));
        Err(self.report(diagnostic))
    }

    #[cold]
    #[inline(never)]
    fn complain_of_applied_variable(&mut self, token: Token) -> Result<Expression<'a>> {
        let text = self.text(token.span);
        let lower = text.trim_start_matches('_').to_ascii_lowercase();
        let diagnostic = Diagnostic::error(
            token.span.range(),
            format!("the variable `{text}` cannot be applied to arguments"),
            "expected a predicate or a function",
        );
        Err(self.report(diagnostic.help(format!(
            "predicates begin with a small letter: `{lower}(…)`; an element of an array is `{text}[…]`"
        ))))
    }

    /// An operand with its prefix operators.
    fn operand(&mut self, least: Level) -> Result<Expression<'a>> {
        match self.kind() {
            TokenKind::Minus => {
                let start = self.advance().span;
                let inner = self.nested(|parser| parser.operand(Level::Unary))?;
                Ok(self.make(Kind::Negative(self.arena.alloc(inner)), start.to(inner.span)))
            }
            TokenKind::Not if least > Level::Negation => {
                let help = "put parentheses around it: `B = (\\+ C)`";
                self.complain(
                    "a negation cannot be an operand as it stands",
                    "needs parentheses",
                    Some(help),
                )
            }
            TokenKind::Not => {
                let start = self.advance().span;
                let inner = self.nested(|parser| parser.expression(Level::Negation))?;
                Ok(self.make(Kind::Not(self.arena.alloc(inner)), start.to(inner.span)))
            }
            TokenKind::Plus => self.complain("a sign `+` is not needed", "remove it", None),
            _ => self.element(),
        }
    }

    /// An operand with the indices after it.
    fn element(&mut self) -> Result<Expression<'a>> {
        let base = self.primary()?;
        let mut indices = Vec::new();
        while let Some(opening) = self.take(TokenKind::LeftBracket) {
            indices.push(self.nested(|parser| parser.expression(Level::Negation))?);
            self.close(TokenKind::RightBracket, opening, "`]`")?;
        }
        if indices.is_empty() {
            return Ok(base);
        }
        let kind = Kind::Element(self.arena.alloc(base), self.arena.alloc_slice_copy(&indices));
        Ok(self.spanning(base, kind))
    }

    fn primary(&mut self) -> Result<Expression<'a>> {
        let token = self.token();
        let text = self.text(token.span);
        let kind = match token.kind {
            TokenKind::Variable if self.token_at(self.position + 1).kind == TokenKind::LeftParenthesis => {
                return self.complain_of_applied_variable(token);
            }
            TokenKind::Variable => Kind::Variable(text),
            TokenKind::Anonymous => Kind::Anonymous,
            TokenKind::Integer => Kind::Integer(text),
            TokenKind::Real => Kind::Real(text),
            TokenKind::True => Kind::Truth(true),
            TokenKind::False => Kind::Truth(false),
            TokenKind::LeftParenthesis => return self.parenthesized(),
            TokenKind::LeftBracket => return self.list(),
            TokenKind::Name | TokenKind::Quoted => return self.application(),
            _ => return Err(self.unexpected("a constraint or a term")),
        };
        self.advance();
        Ok(self.make(kind, token.span))
    }

    fn parenthesized(&mut self) -> Result<Expression<'a>> {
        let opening = self.advance();
        let inner = self.nested(|parser| parser.expression(Level::Disjunction))?;
        let closing = self.close(TokenKind::RightParenthesis, opening, "`)` or an operator")?;
        Ok(self.make(inner.kind, opening.span.to(closing.span)))
    }

    /// `[]`, `[A, B]` or `[A, B | T]`. Its length is not limited: no step behind this one recurs along a list.
    fn list(&mut self) -> Result<Expression<'a>> {
        let opening = self.advance();
        if let Some(closing) = self.take(TokenKind::RightBracket) {
            return Ok(self.make(Kind::List(&[], None), opening.span.to(closing.span)));
        }
        let (elements, tail) = self.nested(|parser| {
            let mut elements = vec![parser.expression(Level::Negation)?];
            while parser.take(TokenKind::Comma).is_some() {
                elements.push(parser.expression(Level::Negation)?);
            }
            let tail = match parser.take(TokenKind::Bar) {
                Some(_) => Some(parser.expression(Level::Negation)?),
                None => None,
            };
            Ok((elements, tail))
        })?;
        let expected = if tail.is_some() { "`]`" } else { "`,`, `|` or `]`" };
        let closing = self.close(TokenKind::RightBracket, opening, expected)?;
        let tail = tail.map(|tail| &*self.arena.alloc(tail));
        let kind = Kind::List(self.arena.alloc_slice_copy(&elements), tail);
        Ok(self.make(kind, opening.span.to(closing.span)))
    }

    /// A predicate, a constructor or a function with its arguments.
    fn application(&mut self) -> Result<Expression<'a>> {
        let name = self.name()?;
        if !name.quoted && name.text == SORT {
            return self.ascription(name.span);
        }
        let function = Function::named(name.text).filter(|_| !name.quoted);
        let arguments = self.arguments()?;
        let span = name.span.to(self.previous().span);
        let Some((function, wanted)) = function else {
            return Ok(self.make(Kind::Atom(Atom { name, arguments, span }), span));
        };
        if arguments.len() != wanted {
            return self.complain_of_arity((name.text, span), function, (wanted, arguments.len()));
        }
        Ok(self.make(Kind::Apply(function, arguments), span))
    }

    /// `sort(E, real)`, after its name.
    fn ascription(&mut self, start: Span) -> Result<Expression<'a>> {
        let Some(opening) = self.take(TokenKind::LeftParenthesis) else {
            return Err(self.unexpected("`(`, as in `sort(X, real)`"));
        };
        let inner = self.nested(|parser| parser.expression(Level::Negation))?;
        if self.take(TokenKind::Comma).is_none() {
            return Err(self.unexpected("`,` and a sort"));
        }
        let sort = self.sort_expression()?;
        let closing = self.close(TokenKind::RightParenthesis, opening, "`)`")?;
        Ok(self.make(Kind::Ascription(self.arena.alloc(inner), sort), start.to(closing.span)))
    }

    /// The arguments in parentheses, if there are any.
    pub(super) fn arguments(&mut self) -> Result<&'a [Expression<'a>]> {
        let Some(opening) = self.take(TokenKind::LeftParenthesis) else {
            return Ok(&[]);
        };
        if let Some(closing) = self.take(TokenKind::RightParenthesis) {
            let span = opening.span.to(closing.span).range();
            let diagnostic = Diagnostic::error(span, "empty argument list", "nothing between the parentheses");
            return Err(self.report(diagnostic.help("a predicate without arguments is written without parentheses")));
        }
        let arguments = self.nested(|parser| parser.argument_list(opening))?;
        Ok(self.arena.alloc_slice_copy(&arguments))
    }

    fn argument_list(&mut self, opening: Token) -> Result<Vec<Expression<'a>>> {
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.expression(Level::Negation)?);
            if self.take(TokenKind::Comma).is_some() {
                continue;
            }
            if self.kind() == TokenKind::Semicolon {
                let diagnostic = Diagnostic::error(
                    self.token().span.range(),
                    "a disjunction cannot be an argument as it stands",
                    "needs parentheses",
                )
                .help("put parentheses around it: `ite((A ; B), X, Y)`");
                return Err(self.report(diagnostic));
            }
            self.close(TokenKind::RightParenthesis, opening, "`,` or `)`")?;
            return Ok(arguments);
        }
    }
}

fn usage(function: Function) -> &'static str {
    match function {
        Function::Minimum => "`min(A, B)`, the smaller",
        Function::Maximum => "`max(A, B)`, the larger",
        Function::Absolute => "`abs(A)`, the absolute value",
        Function::IfThenElse => "`ite(Condition, A, B)`, A if the condition holds, otherwise B",
        Function::Real => "`real(X)`, the integer X as a real",
        Function::Floor => "`floor(X)`, the largest integer not above the real X",
        Function::Select => "`select(A, I)`, the element of A at I",
        Function::Store => "`store(A, I, V)`, A with V at I",
        Function::Constant => "`constant(V)`, the array with V everywhere",
    }
}
