//! Expressions with two or more operands, by precedence climbing. Chains of operators are read in loops.

use super::{Parser, Result};
use crate::lexer::TokenKind;
use crate::syntax::{BinaryOperator, Expression, ExpressionKind};

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Operator(BinaryOperator),
    And,
    Or,
}

/// The operator that a token is, and how strongly it binds.
fn infix(kind: TokenKind) -> Option<(Infix, u32)> {
    use BinaryOperator::*;
    let (operator, strength) = match kind {
        TokenKind::OrOr => return Some((Infix::Or, 1)),
        TokenKind::AndAnd => return Some((Infix::And, 2)),
        TokenKind::Bar => (BitOr, 3),
        TokenKind::Caret => (BitXor, 4),
        TokenKind::Ampersand => (BitAnd, 5),
        TokenKind::EqualEqual => (Equal, 6),
        TokenKind::NotEqual => (NotEqual, 6),
        TokenKind::Less => (Less, 7),
        TokenKind::LessOrEqual => (LessOrEqual, 7),
        TokenKind::Greater => (Greater, 7),
        TokenKind::GreaterOrEqual => (GreaterOrEqual, 7),
        TokenKind::ShiftLeft => (ShiftLeft, 8),
        TokenKind::ShiftRight => (ShiftRight, 8),
        TokenKind::Plus => (Add, 9),
        TokenKind::Minus => (Subtract, 9),
        TokenKind::Star => (Multiply, 10),
        TokenKind::Slash => (Divide, 10),
        TokenKind::Percent => (Remainder, 10),
        _ => return None,
    };
    Some((Infix::Operator(operator), strength))
}

/// Whether a token stands between operands, or ends an expression.
pub(super) fn follows_operand(kind: TokenKind) -> bool {
    use TokenKind::*;
    // `*`, `&`, `+` and `-` begin operands as well, and are taken for that.
    let begins_operand = matches!(kind, Star | Ampersand | Plus | Minus);
    matches!(
        kind,
        RightParenthesis | RightBracket | RightBrace | Semicolon | Comma | Colon | Question | Assign | EndOfText
    ) || (infix(kind).is_some() && !begins_operand)
}

impl<'a> Parser<'a> {
    pub(super) fn node(&self, start: u32, kind: ExpressionKind<'a>) -> &'a Expression<'a> {
        let span = self.span_from(start);
        self.arena.alloc(Expression { kind, span })
    }

    /// An expression, with commas.
    pub(super) fn expression(&mut self) -> Result<&'a Expression<'a>> {
        self.expression_in("an expression")
    }

    /// The same, where `expected` is what is missing if there is none.
    pub(super) fn expression_in(&mut self, expected: &str) -> Result<&'a Expression<'a>> {
        let start = self.here();
        let outer = self.begin_chain();
        let is_label = self.kind() == TokenKind::AndAnd && self.kind_ahead(1) == TokenKind::Identifier;
        if follows_operand(self.kind()) && !is_label {
            return Err(self.unexpected(expected));
        }
        let mut left = self.assignment()?;
        while self.take(TokenKind::Comma).is_some() {
            self.wrap()?;
            let right = self.assignment()?;
            left = self.node(start, ExpressionKind::Comma(left, right));
        }
        self.end_chain(outer);
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.enter()?;
        let outer = self.begin_chain();
        let mut left = self.conditional()?;
        let token = self.token();
        if matches!(token.kind, TokenKind::Assign | TokenKind::AssignOperation) {
            let operator = assigned(self.text(token.span));
            self.advance();
            self.wrap()?;
            let right = self.assignment()?;
            left = self.node(start, ExpressionKind::Assign(operator, left, right));
        }
        self.end_chain(outer);
        self.leave();
        Ok(left)
    }

    /// An expression without commas and assignments, such as a constant.
    pub(super) fn constant(&mut self) -> Result<&'a Expression<'a>> {
        self.enter()?;
        let value = self.conditional()?;
        self.leave();
        Ok(value)
    }

    fn conditional(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        let outer = self.begin_chain();
        let mut whole = self.binary(1)?;
        if self.take(TokenKind::Question).is_some() {
            self.wrap()?;
            let consequence = match self.kind() {
                TokenKind::Colon => None,
                _ => Some(self.expression()?),
            };
            self.require(TokenKind::Colon, "`:` after the first value of `? :`")?;
            let alternative = self.constant()?;
            whole = self.node(start, ExpressionKind::Conditional(whole, consequence, alternative));
        }
        self.end_chain(outer);
        Ok(whole)
    }

    /// Operands joined by operators that bind at least so strongly.
    fn binary(&mut self, least: u32) -> Result<&'a Expression<'a>> {
        let start = self.here();
        let outer = self.begin_chain();
        let mut left = self.operand()?;
        while let Some((operator, strength)) = infix(self.kind()) {
            if strength < least {
                break;
            }
            self.advance();
            self.wrap()?;
            self.enter()?;
            let right = self.binary(strength + 1)?;
            self.leave();
            let kind = match operator {
                Infix::Operator(operator) => ExpressionKind::Binary(operator, left, right),
                Infix::And => ExpressionKind::And(left, right),
                Infix::Or => ExpressionKind::Or(left, right),
            };
            left = self.node(start, kind);
        }
        self.end_chain(outer);
        Ok(left)
    }
}

/// The operator in `op=`.
fn assigned(text: &str) -> Option<BinaryOperator> {
    use BinaryOperator::*;
    Some(match text {
        "+=" => Add,
        "-=" => Subtract,
        "*=" => Multiply,
        "/=" => Divide,
        "%=" => Remainder,
        "<<=" => ShiftLeft,
        ">>=" => ShiftRight,
        "&=" => BitAnd,
        "|=" => BitOr,
        "^=" => BitXor,
        _ => return None,
    })
}
