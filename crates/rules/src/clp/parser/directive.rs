//! Declarations of sorts and of the sorts of predicates, and sorts as they are written.

use super::super::lexer::TokenKind;
use super::super::syntax::{self, Clause, Constructor, Declared, Name, SORT, SortExpression, SortKind, Span};
use super::{Parser, Result, expression};
use crate::diagnostics::Diagnostic;

/// What a directive may begin with: `pred` is another word for `sort`.
pub(super) const KEYWORDS: [&str; 3] = [SORT, "pred", "type"];

impl<'a> Parser<'a, 'a> {
    /// `:- sort p(int, real).` or `:- type colour ---> red ; green.`
    pub(super) fn directive(&mut self) -> Result<Clause<'a>> {
        let mark = self.advance().span;
        let keyword = self.token();
        let text = self.text(keyword.span);
        if keyword.kind != TokenKind::Name {
            return Err(self.unexpected("`sort`, `pred` or `type` after `:-`, or a head before it"));
        }
        if !KEYWORDS.contains(&text) {
            let span = mark.to(keyword.span).range();
            let diagnostic = Diagnostic::error(span, format!("unknown directive `{text}`"), "not understood");
            return Err(self.report(diagnostic.help(
                "the directives declare sorts, as in `:- sort p(int, real).` and `:- type colour ---> red ; green.`; \
                 a query begins with `?-`",
            )));
        }
        self.advance();
        if text == "type" {
            return self.type_declaration();
        }
        self.sorts_of_predicate()
    }

    fn sorts_of_predicate(&mut self) -> Result<Clause<'a>> {
        let name = self.name()?;
        if !name.quoted && syntax::is_reserved(name.text) {
            let diagnostic = Diagnostic::error(
                name.span.range(),
                format!("`{}` is built in and cannot be declared", name.text),
                "not a predicate",
            );
            return Err(self.report(diagnostic));
        }
        let mut arguments = Vec::new();
        if let Some(opening) = self.take(TokenKind::LeftParenthesis) {
            loop {
                arguments.push(self.declared_argument(arguments.is_empty())?);
                if self.take(TokenKind::Comma).is_none() {
                    break;
                }
            }
            self.close(TokenKind::RightParenthesis, opening, "`,` or `)`")?;
        }
        let span = name.span.to(self.previous().span);
        self.end("`.`")?;
        Ok(Clause::Declaration {
            name,
            arguments: self.arena.alloc_slice_copy(&arguments),
            span,
        })
    }

    fn declared_argument(&mut self, first: bool) -> Result<Declared<'a>> {
        if first && matches!(self.kind(), TokenKind::Integer | TokenKind::Minus) {
            let point = self.expression(expression::Level::Unary)?;
            return match point.integer_literal() {
                Some(_) => Ok(Declared::Point(point)),
                None => Err(self.unexpected("a sort")),
            };
        }
        self.sort_expression().map(Declared::Sort)
    }

    /// `tree ---> leaf ; node(left: tree, int, tree).`, after `:- type`.
    fn type_declaration(&mut self) -> Result<Clause<'a>> {
        let name = self.name()?;
        if !name.quoted && matches!(name.text, "int" | "real" | "bool" | "array" | "list") {
            let message = format!("`{}` is built in and cannot be declared", name.text);
            let diagnostic = Diagnostic::error(name.span.range(), message, "a sort already");
            return Err(self.report(diagnostic.help("choose another name for the sort")));
        }
        if self.kind() == TokenKind::LeftParenthesis {
            let diagnostic = Diagnostic::error(
                self.token().span.range(),
                "a declared sort has no parameters",
                "expected `--->`",
            );
            let help = "only `list(Element)` and `array(Index, Element)` have: declare a sort for each that is needed";
            return Err(self.report(diagnostic.unsupported().help(help)));
        }
        if self.take(TokenKind::LongArrow).is_none() {
            return Err(self.unexpected("`--->` and constructors, as in `:- type colour ---> red ; green.`"));
        }
        let mut constructors = vec![self.constructor()?];
        while self.take(TokenKind::Semicolon).is_some() {
            constructors.push(self.constructor()?);
        }
        self.end("`;` or `.`")?;
        Ok(Clause::Type {
            name,
            constructors: self.arena.alloc_slice_copy(&constructors),
        })
    }

    fn constructor(&mut self) -> Result<Constructor<'a>> {
        if !matches!(self.kind(), TokenKind::Name | TokenKind::Quoted) {
            return Err(self.unexpected("a constructor, as in `:- type colour ---> red ; green.`"));
        }
        let name = self.name()?;
        if !name.quoted && syntax::is_reserved(name.text) {
            let text = name.text;
            let message = format!("`{text}` is built in and cannot be a constructor");
            let diagnostic = Diagnostic::error(name.span.range(), message, "has a meaning already");
            return Err(self.report(diagnostic.help(format!("choose another name, or quote it everywhere: '{text}'"))));
        }
        let mut fields = Vec::new();
        if let Some(opening) = self.take(TokenKind::LeftParenthesis) {
            loop {
                fields.push(self.field()?);
                if self.take(TokenKind::Comma).is_none() {
                    break;
                }
            }
            self.close(TokenKind::RightParenthesis, opening, "`,` or `)`")?;
        }
        Ok(Constructor {
            name,
            fields: self.arena.alloc_slice_copy(&fields),
            span: name.span.to(self.previous().span),
        })
    }

    /// A sort, perhaps with the name of the field before it: `left: tree`.
    fn field(&mut self) -> Result<(Option<Name<'a>>, SortExpression<'a>)> {
        let named = matches!(self.kind(), TokenKind::Name | TokenKind::Quoted)
            && self.token_at(self.position + 1).kind == TokenKind::Colon;
        if !named {
            return Ok((None, self.sort_expression()?));
        }
        let name = self.name()?;
        if !name.quoted && syntax::is_reserved(name.text) {
            let message = format!("`{}` is built in and cannot be a field", name.text);
            let diagnostic = Diagnostic::error(name.span.range(), message, "has a meaning already");
            return Err(self.report(diagnostic.help("choose another name, or leave it out")));
        }
        self.advance();
        Ok((Some(name), self.sort_expression()?))
    }

    pub(super) fn sort_expression(&mut self) -> Result<SortExpression<'a>> {
        let token = self.token();
        if !matches!(token.kind, TokenKind::Name | TokenKind::Quoted) {
            return Err(self.unexpected("a sort"));
        }
        let kind = match self.text(token.span) {
            "int" => SortKind::Int,
            "real" => SortKind::Real,
            "bool" => SortKind::Bool,
            "array" => return self.nested(Self::array_sort),
            "list" => return self.nested(Self::list_sort),
            _ => SortKind::Named(self.name()?),
        };
        if !matches!(kind, SortKind::Named(_)) {
            self.advance();
        }
        Ok(SortExpression { kind, span: token.span })
    }

    fn array_sort(&mut self) -> Result<SortExpression<'a>> {
        let start = self.advance().span;
        let Some(opening) = self.take(TokenKind::LeftParenthesis) else {
            return Err(self.unexpected("`(`, as in `array(int, int)`"));
        };
        let index = self.sort_expression()?;
        if self.take(TokenKind::Comma).is_none() {
            return Err(self.unexpected("`,` and the sort of the elements"));
        }
        let element = self.sort_expression()?;
        self.close(TokenKind::RightParenthesis, opening, "`)`")?;
        let kind = SortKind::Array(self.arena.alloc(index), self.arena.alloc(element));
        Ok(self.written(start, kind))
    }

    fn list_sort(&mut self) -> Result<SortExpression<'a>> {
        let start = self.advance().span;
        let Some(opening) = self.take(TokenKind::LeftParenthesis) else {
            return Err(self.unexpected("`(`, as in `list(int)`"));
        };
        let element = self.sort_expression()?;
        self.close(TokenKind::RightParenthesis, opening, "`)`")?;
        let kind = SortKind::List(self.arena.alloc(element));
        Ok(self.written(start, kind))
    }

    fn written(&self, start: Span, kind: SortKind<'a>) -> SortExpression<'a> {
        let span = start.to(self.previous().span);
        SortExpression { kind, span }
    }
}
