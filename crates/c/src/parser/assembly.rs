//! Inline assembly: `asm volatile goto ("template" : outputs : inputs : clobbers : labels);`, and Microsoft's `__asm { … }`.

use super::{Parser, Result};
use crate::lexer::TokenKind;
use crate::syntax::{Assembly, AssemblyOperand, ExpressionKind, Name};

impl<'a> Parser<'a> {
    /// An `asm` statement, or one at the outermost level.
    pub(super) fn assembly(&mut self) -> Result<&'a Assembly<'a>> {
        self.advance();
        let mut assembly = Assembly::default();
        loop {
            match self.kind() {
                TokenKind::Volatile => assembly.is_volatile = true,
                TokenKind::Goto => assembly.is_goto = true,
                TokenKind::DroppedSpecifier | TokenKind::Const => {}
                TokenKind::LeftParenthesis => {
                    self.assembly_parts(&mut assembly)?;
                    self.expect_semicolon("`asm (…)`")?;
                    break;
                }
                TokenKind::LeftBrace => {
                    let start = self.position;
                    self.recover(start);
                    break;
                }
                _ => return Err(self.unexpected("`(` after `asm`")),
            }
            self.advance();
        }
        Ok(self.arena.alloc(assembly))
    }

    fn assembly_parts(&mut self, assembly: &mut Assembly<'a>) -> Result<()> {
        let opening = self.advance();
        assembly.template = Some(self.assembly_string("the template of `asm`")?);
        if self.take(TokenKind::Colon).is_some() {
            assembly.is_extended = true;
            assembly.outputs = self.assembly_operands()?;
            if self.take(TokenKind::Colon).is_some() {
                assembly.inputs = self.assembly_operands()?;
            }
            if self.take(TokenKind::Colon).is_some() {
                let mut clobbers = Vec::new();
                while self.kind() == TokenKind::String {
                    clobbers.push(self.assembly_string("a register")?);
                    if self.take(TokenKind::Comma).is_none() {
                        break;
                    }
                }
                assembly.clobbers = self.slice(clobbers);
            }
            if self.take(TokenKind::Colon).is_some() {
                assembly.labels = self.assembly_labels()?;
            }
        }
        self.expect_closing(TokenKind::RightParenthesis, opening, "`:` or `)` in `asm`")?;
        Ok(())
    }

    fn assembly_string(&mut self, what: &str) -> Result<&'a [u32]> {
        if self.kind() != TokenKind::String {
            return Err(self.unexpected(what));
        }
        Ok(match self.string()?.kind {
            ExpressionKind::String { characters, .. } => characters,
            _ => &[],
        })
    }

    /// `[name] "constraint" (expression), …`
    fn assembly_operands(&mut self) -> Result<&'a [AssemblyOperand<'a>]> {
        let mut operands = Vec::new();
        while matches!(self.kind(), TokenKind::LeftBracket | TokenKind::String) {
            let mut name = None;
            if let Some(bracket) = self.take(TokenKind::LeftBracket) {
                name = Some(self.name());
                self.require(TokenKind::Identifier, "the name of an operand")?;
                self.expect_closing(TokenKind::RightBracket, bracket, "`]` after the operand's name")?;
            }
            let constraint = self.assembly_string("the constraint of an operand")?;
            let opening = self.require(TokenKind::LeftParenthesis, "`(` after the constraint")?;
            self.enter()?;
            let expression = self.expression()?;
            self.leave();
            self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the operand")?;
            operands.push(AssemblyOperand {
                name,
                constraint,
                expression,
            });
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        Ok(self.slice(operands))
    }

    fn assembly_labels(&mut self) -> Result<&'a [Name<'a>]> {
        let mut labels = Vec::new();
        while self.kind() == TokenKind::Identifier {
            labels.push(self.label_name());
            self.advance();
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        Ok(self.slice(labels))
    }
}
