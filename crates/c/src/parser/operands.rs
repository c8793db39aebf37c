//! Operands: prefixes, casts, names and literals, and what follows them: calls, indices, members.

use super::expressions::follows_operand;
use super::{Parser, Result, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::TokenKind;
use crate::syntax::{Alignment, Expression, ExpressionKind, TypeName, UnaryOperator};

fn prefix(kind: TokenKind) -> Option<UnaryOperator> {
    Some(match kind {
        TokenKind::Plus => UnaryOperator::Plus,
        TokenKind::Minus => UnaryOperator::Minus,
        TokenKind::Tilde => UnaryOperator::BitNot,
        TokenKind::Exclamation => UnaryOperator::Not,
        TokenKind::Star => UnaryOperator::Dereference,
        TokenKind::Ampersand => UnaryOperator::AddressOf,
        TokenKind::Increment => UnaryOperator::PreIncrement,
        TokenKind::Decrement => UnaryOperator::PreDecrement,
        TokenKind::RealPart => UnaryOperator::RealPart,
        TokenKind::ImaginaryPart => UnaryOperator::ImaginaryPart,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    /// An operand with its prefixes.
    pub(super) fn operand(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        if let Some(operator) = prefix(self.kind()) {
            return self.prefixed(operator);
        }
        match self.kind() {
            TokenKind::Extension => {
                while self.take(TokenKind::Extension).is_some() {}
                self.enter()?;
                let operand = self.operand()?;
                self.leave();
                Ok(operand)
            }
            TokenKind::LeftParenthesis if self.begins_type_name_at(1) || self.looks_like_cast() => self.cast(),
            TokenKind::Sizeof => self.sizeof(),
            TokenKind::Alignof => self.alignof(Alignment::Least),
            TokenKind::PreferredAlignof => self.alignof(Alignment::Preferred),
            TokenKind::AndAnd if self.kind_ahead(1) == TokenKind::Identifier => {
                self.advance();
                let name = self.label_name();
                self.advance();
                Ok(self.node(start, ExpressionKind::LabelAddress(name)))
            }
            _ => {
                let outer = self.begin_chain();
                let primary = self.primary()?;
                let whole = self.suffixes(start, primary)?;
                self.end_chain(outer);
                Ok(whole)
            }
        }
    }

    fn prefixed(&mut self, operator: UnaryOperator) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        if self.snippet && operator == UnaryOperator::Dereference && follows_operand(self.kind()) {
            return Ok(self.node(start, ExpressionKind::Unknown));
        }
        self.enter()?;
        let operand = self.operand()?;
        self.leave();
        Ok(self.node(start, ExpressionKind::Unary(operator, operand)))
    }

    /// `(type) operand`, `(type) { … }`
    fn cast(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        if !self.begins_type_name_at(1) {
            self.note_unknown_type(self.token_ahead(1));
        }
        let outer = self.begin_chain();
        let name = self.parenthesized_type()?;
        let whole = if self.kind() == TokenKind::LeftBrace {
            self.compound_literal(start, name)?
        } else {
            self.enter()?;
            let operand = self.operand()?;
            self.leave();
            self.node(start, ExpressionKind::Cast(name, operand))
        };
        self.end_chain(outer);
        Ok(whole)
    }

    /// What follows the type in `(type) { … }`, inside a chain that began with the type.
    pub(super) fn compound_literal(&mut self, start: u32, name: &'a TypeName<'a>) -> Result<&'a Expression<'a>> {
        let initializer = self.initializer_list()?;
        let literal = self.node(start, ExpressionKind::CompoundLiteral(name, initializer));
        self.wrap()?;
        self.suffixes(start, literal)
    }

    fn primary(&mut self) -> Result<&'a Expression<'a>> {
        let token = self.token();
        let text = self.text(token.span);
        let start = token.span.start;
        match token.kind {
            TokenKind::Identifier => {
                if self.is_type(text) {
                    let error = Diagnostic::error(
                        range(token.span),
                        format!("`{text}` is a type, and cannot be computed with"),
                        "expected an expression",
                    );
                    return Err(self.error(error.help("a cast is written `(type) value`")));
                }
                self.advance();
                self.mentioned.insert(text);
                Ok(self.node(start, ExpressionKind::Name(text)))
            }
            TokenKind::Number => self.number(),
            TokenKind::Character => self.character(),
            TokenKind::String => self.string(),
            TokenKind::LeftParenthesis => {
                let opening = self.advance();
                self.enter()?;
                let inner = match self.kind() {
                    TokenKind::LeftBrace => {
                        let block = self.block()?;
                        self.node(start, ExpressionKind::StatementExpression(block))
                    }
                    _ => self.expression()?,
                };
                self.leave();
                self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the expression")?;
                Ok(inner)
            }
            TokenKind::VaArg => self.va_arg(),
            TokenKind::Offsetof => self.offsetof(),
            TokenKind::Generic => self.generic(),
            TokenKind::TypesCompatible => self.types_compatible(),
            TokenKind::ConvertVector => self.converted_vector(),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// What follows an operand.
    fn suffixes(&mut self, start: u32, primary: &'a Expression<'a>) -> Result<&'a Expression<'a>> {
        let mut whole = primary;
        loop {
            let token = self.token();
            let kind = match token.kind {
                TokenKind::LeftBracket => {
                    self.advance();
                    self.wrap()?;
                    self.enter()?;
                    let index = self.expression()?;
                    self.leave();
                    self.expect_closing(TokenKind::RightBracket, token, "`]` after the index")?;
                    ExpressionKind::Index(whole, index)
                }
                TokenKind::LeftParenthesis => {
                    self.wrap()?;
                    let arguments = self.arguments()?;
                    ExpressionKind::Call(whole, arguments)
                }
                TokenKind::Dot | TokenKind::Arrow => {
                    self.advance();
                    self.wrap()?;
                    let name = self.name();
                    let text = self.text(token.span);
                    self.require(TokenKind::Identifier, &format!("the name of a member after `{text}`"))?;
                    match token.kind {
                        TokenKind::Dot => ExpressionKind::Member(whole, name),
                        _ => ExpressionKind::PointerMember(whole, name),
                    }
                }
                TokenKind::Increment => {
                    self.advance();
                    self.wrap()?;
                    ExpressionKind::Unary(UnaryOperator::PostIncrement, whole)
                }
                TokenKind::Decrement => {
                    self.advance();
                    self.wrap()?;
                    ExpressionKind::Unary(UnaryOperator::PostDecrement, whole)
                }
                _ => return Ok(whole),
            };
            whole = self.node(start, kind);
        }
    }

    fn arguments(&mut self) -> Result<&'a [&'a Expression<'a>]> {
        let opening = self.advance();
        let mut arguments = Vec::new();
        if self.take(TokenKind::RightParenthesis).is_some() {
            return Ok(&[]);
        }
        loop {
            arguments.push(self.assignment()?);
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect_closing(TokenKind::RightParenthesis, opening, "`,` or `)` after the argument")?;
        Ok(self.slice(arguments))
    }
}
