//! `struct`, `union` and `enum`.

use super::{NameKind, Parser, Result};
use crate::lexer::{Token, TokenKind};
use crate::syntax::{Declaration, Expression, InitializedDeclarator, Name, TypeSpecifier};

impl<'a> Parser<'a> {
    /// `struct tag { … }`, or a part of it
    pub(super) fn record(&mut self) -> Result<TypeSpecifier<'a>> {
        let is_union = self.advance().kind == TokenKind::Union;
        let mut attributes = self.attributes()?;
        let tag = self.tag();
        attributes.append(&mut self.attributes()?);
        let mut members = None;
        let mut end = self.here();
        if let Some(opening) = self.take(TokenKind::LeftBrace) {
            self.enter()?;
            let list = self.members(opening)?;
            members = Some(self.slice(list));
            end = self.previous().span.start;
            self.leave();
            attributes.append(&mut self.attributes()?);
        } else if tag.is_none() {
            let what = if is_union { "union" } else { "struct" };
            return Err(self.unexpected(&format!("a name or `{{` after `{what}`")));
        }
        Ok(TypeSpecifier::Record {
            is_union,
            tag,
            members,
            is_packed: attributes.iter().any(|attribute| attribute.is("packed")),
            packing: self.packing.at(end),
            attributes: self.slice(attributes),
        })
    }

    fn tag(&mut self) -> Option<Name<'a>> {
        let name = self.name();
        self.take(TokenKind::Identifier).map(|_| name)
    }

    fn members(&mut self, opening: Token) -> Result<Vec<&'a Declaration<'a>>> {
        let mut members = Vec::new();
        loop {
            match self.kind() {
                TokenKind::RightBrace => {
                    self.advance();
                    return Ok(members);
                }
                TokenKind::EndOfText => {
                    self.expect_closing(TokenKind::RightBrace, opening, "`}` after the members")?;
                }
                TokenKind::Semicolon => {
                    self.advance();
                }
                TokenKind::StaticAssert => self.static_assertion()?,
                _ => {
                    let (start, depth) = (self.position, self.depth);
                    match self.member() {
                        Ok(member) => members.push(member),
                        Err(_) => {
                            self.depth = depth;
                            self.recover(start);
                        }
                    }
                }
            }
        }
    }

    /// `specifiers declarator : width, …;`
    fn member(&mut self) -> Result<&'a Declaration<'a>> {
        let start = self.here();
        let specifiers = self.specifiers()?;
        if specifiers.span.start == specifiers.span.end && self.kind() != TokenKind::Identifier {
            return Err(self.unexpected("a member or `}`"));
        }
        let mut declarators = Vec::new();
        while self.kind() != TokenKind::Semicolon {
            let declarator = self.declarator_of(&specifiers, super::declarators::Naming::Optional)?;
            let bit_width = match self.take(TokenKind::Colon) {
                Some(_) => Some(self.constant()?),
                None => None,
            };
            let attributes = self.attributes()?;
            let declarator = self.with_more(declarator, attributes);
            declarators.push(InitializedDeclarator {
                declarator,
                initializer: None,
                bit_width,
            });
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        // Compilers take the last member without one.
        if self.kind() != TokenKind::RightBrace || declarators.is_empty() {
            self.expect_semicolon("the member")?;
        }
        Ok(self.arena.alloc(Declaration {
            specifiers,
            declarators: self.slice(declarators),
            span: self.span_from(start),
        }))
    }

    /// `enum tag { name = value, … }`, or a part of it
    pub(super) fn enumeration(&mut self) -> Result<TypeSpecifier<'a>> {
        self.advance();
        let mut attributes = self.attributes()?;
        let tag = self.tag();
        let Some(opening) = self.take(TokenKind::LeftBrace) else {
            return match tag {
                Some(_) => Ok(TypeSpecifier::Enum {
                    tag,
                    constants: None,
                    is_packed: false,
                    attributes: self.slice(attributes),
                }),
                None => Err(self.unexpected("a name or `{` after `enum`")),
            };
        };
        self.enter()?;
        let mut constants: Vec<(Name<'a>, Option<&'a Expression<'a>>)> = Vec::new();
        while self.kind() != TokenKind::RightBrace {
            let name = self.name();
            self.require(TokenKind::Identifier, "a name or `}` in the enumeration")?;
            self.attributes_without_meaning()?;
            let value = match self.take(TokenKind::Assign) {
                Some(_) => Some(self.constant()?),
                None => None,
            };
            self.declare(name.text, NameKind::Ordinary);
            constants.push((name, value));
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect_closing(TokenKind::RightBrace, opening, "`,` or `}` after the constant")?;
        self.leave();
        attributes.append(&mut self.attributes()?);
        Ok(TypeSpecifier::Enum {
            tag,
            constants: Some(self.slice(constants)),
            is_packed: attributes.iter().any(|attribute| attribute.is("packed")),
            attributes: self.slice(attributes),
        })
    }
}
