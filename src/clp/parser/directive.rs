//! Declarations of sorts, and sorts as they are written.

use super::super::syntax::{self, Clause, Declared, SORT, SortExpression, SortKind};
use super::super::{advice, lexer::TokenKind};
use super::{Parser, Result, expression};
use crate::diagnostics::Diagnostic;

impl<'a> Parser<'a, 'a> {
    /// `:- sort p(int, real).`
    pub(super) fn directive(&mut self) -> Result<Clause<'a>> {
        let mark = self.advance().span;
        let keyword = self.token();
        if keyword.kind != TokenKind::Name || self.text(keyword.span) != SORT {
            if keyword.kind != TokenKind::Name {
                return Err(self.unexpected("`sort` after `:-`, or a head before it"));
            }
            let text = self.text(keyword.span);
            let span = mark.to(keyword.span).range();
            let diagnostic = Diagnostic::error(span, format!("unknown directive `{text}`"), "not understood");
            return Err(self
                .report(diagnostic.help(
                    "the only directive declares sorts, as in `:- sort p(int, real).`; a query begins with `?-`",
                )));
        }
        self.advance();
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

    pub(super) fn sort_expression(&mut self) -> Result<SortExpression<'a>> {
        let token = self.token();
        if token.kind != TokenKind::Name {
            return Err(self.unexpected("a sort"));
        }
        let text = self.text(token.span);
        let kind = match text {
            "int" => SortKind::Int,
            "real" => SortKind::Real,
            "bool" => SortKind::Bool,
            "array" => return self.nested(Self::array_sort),
            _ => {
                let diagnostic = Diagnostic::error(token.span.range(), format!("unknown sort `{text}`"), "not a sort");
                return Err(self.report(diagnostic.help(advice::sort(text))));
            }
        };
        self.advance();
        Ok(SortExpression { kind, span: token.span })
    }

    fn array_sort(&mut self) -> Result<SortExpression<'a>> {
        let start = self.advance().span;
        let Some(opening) = self.take(TokenKind::LeftParenthesis) else {
            return Err(self.unexpected("`(`, as in `array(int, int)`"));
        };
        let index = self.sort_expression()?;
        if !matches!(index.kind, SortKind::Int | SortKind::Real) {
            let diagnostic = Diagnostic::error(
                index.span.range(),
                "an array is indexed by integers or reals",
                "this cannot be an index",
            );
            return Err(self.report(diagnostic.help("write `array(int, …)` or `array(real, …)`")));
        }
        if self.take(TokenKind::Comma).is_none() {
            return Err(self.unexpected("`,` and the sort of the elements"));
        }
        let element = self.sort_expression()?;
        self.close(TokenKind::RightParenthesis, opening, "`)`")?;
        Ok(SortExpression {
            kind: SortKind::Array(self.arena.alloc(index), self.arena.alloc(element)),
            span: start.to(self.previous().span),
        })
    }
}
