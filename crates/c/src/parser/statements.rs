//! Statements. Chains that only lean (labels before labels, `else if` after `else if`) are read in loops, not by recursion.

use super::declarations::Declared;
use super::{NameKind, Parser, Result, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::{Token, TokenKind};
use crate::syntax::{Expression, Name, Span, Statement, StatementKind};

/// What stands before a statement, with its place.
enum Prefix<'a> {
    Label(Name<'a>),
    Case(&'a Expression<'a>, Option<&'a Expression<'a>>),
    Default,
}

impl<'a> Parser<'a> {
    fn make(&self, start: u32, kind: StatementKind<'a>) -> &'a Statement<'a> {
        let span = self.span_from(start);
        self.arena.alloc(Statement { kind, span })
    }

    /// A statement, or a declaration where one may stand.
    pub(super) fn statement(&mut self) -> Result<&'a Statement<'a>> {
        self.enter()?;
        let outer = self.begin_chain();
        let mut prefixes = Vec::new();
        while let Some(prefix) = self.prefix()? {
            prefixes.push(prefix);
        }
        let is_end = matches!(self.kind(), TokenKind::RightBrace | TokenKind::EndOfText);
        let mut statement = if !prefixes.is_empty() && is_end {
            let start = self.here();
            let span = Span { start, end: start };
            let kind = StatementKind::Empty;
            &*self.arena.alloc(Statement { kind, span })
        } else {
            self.unlabelled_statement()?
        };
        for (start, prefix) in prefixes.into_iter().rev() {
            self.wrap()?;
            let kind = match prefix {
                Prefix::Label(name) => StatementKind::Label(name, statement),
                Prefix::Case(first, last) => StatementKind::Case {
                    first,
                    last,
                    body: statement,
                },
                Prefix::Default => StatementKind::Default(statement),
            };
            statement = self.make(start, kind);
        }
        self.end_chain(outer);
        self.leave();
        Ok(statement)
    }

    /// `name:`, `case value:` or `default:`
    fn prefix(&mut self) -> Result<Option<(u32, Prefix<'a>)>> {
        let start = self.here();
        let prefix = match self.kind() {
            TokenKind::Identifier if self.kind_ahead(1) == TokenKind::Colon => {
                let name = self.label_name();
                self.advance();
                self.advance();
                self.label_attributes()?;
                return Ok(Some((start, Prefix::Label(name))));
            }
            TokenKind::Case => {
                self.advance();
                let first = self.constant()?;
                let last = match self.take(TokenKind::Ellipsis) {
                    Some(_) => Some(self.constant()?),
                    None => None,
                };
                Prefix::Case(first, last)
            }
            TokenKind::Default => {
                self.advance();
                Prefix::Default
            }
            _ => return Ok(None),
        };
        let after = if matches!(prefix, Prefix::Default) {
            "`:` after `default`"
        } else {
            "`:` after the value of `case`"
        };
        self.require(TokenKind::Colon, after)?;
        Ok(Some((start, prefix)))
    }

    /// What a condition or a loop decides about.
    fn body(&mut self) -> Result<&'a Statement<'a>> {
        let statement = self.statement()?;
        if matches!(
            statement.kind,
            StatementKind::Declaration(_) | StatementKind::NestedFunction(_)
        ) {
            let message = "a declaration where a statement is needed";
            let error = Diagnostic::error(range(statement.span), message, "nothing could use it");
            return Err(self.error(error.help("put it in braces, with what uses it")));
        }
        Ok(statement)
    }

    fn unlabelled_statement(&mut self) -> Result<&'a Statement<'a>> {
        let start = self.here();
        let kind = match self.kind() {
            TokenKind::LeftBrace => return self.block(),
            TokenKind::Semicolon => {
                self.advance();
                StatementKind::Empty
            }
            TokenKind::If => return self.conditional_statement(),
            TokenKind::While => {
                self.advance();
                let condition = self.condition("while")?;
                let body = self.body()?;
                StatementKind::While { condition, body }
            }
            TokenKind::Do => self.do_statement()?,
            TokenKind::For => self.for_statement()?,
            TokenKind::Switch => {
                self.advance();
                let value = self.condition("switch")?;
                let body = self.body()?;
                StatementKind::Switch { value, body }
            }
            TokenKind::Goto => self.goto_statement()?,
            TokenKind::Break => {
                self.advance();
                self.expect_semicolon("`break`")?;
                StatementKind::Break
            }
            TokenKind::Continue => {
                self.advance();
                self.expect_semicolon("`continue`")?;
                StatementKind::Continue
            }
            TokenKind::Return => {
                self.advance();
                let value = match self.kind() {
                    TokenKind::Semicolon | TokenKind::RightBrace => None,
                    _ => Some(self.expression()?),
                };
                self.expect_semicolon("`return`")?;
                StatementKind::Return(value)
            }
            TokenKind::Assembly => StatementKind::Assembly(self.assembly()?),
            TokenKind::StaticAssert => {
                self.static_assertion()?;
                StatementKind::Empty
            }
            TokenKind::LocalLabels => {
                self.advance();
                loop {
                    let name = self.name();
                    self.require(TokenKind::Identifier, "the name of a label")?;
                    self.declare_label(name);
                    if self.take(TokenKind::Comma).is_none() {
                        break;
                    }
                }
                self.expect_semicolon("the labels")?;
                StatementKind::Empty
            }
            TokenKind::Attribute if self.skip_empty_attributes()? => StatementKind::Empty,
            _ if self.begins_declaration_statement() => match self.declaration()? {
                Declared::Declaration(declaration) => StatementKind::Declaration(declaration),
                Declared::Function(function) => StatementKind::NestedFunction(function),
            },
            _ => {
                let first = self.token();
                let expression = self.expression_in("a statement")?;
                if let Err(reported) = self.expect_semicolon("the expression") {
                    let advice = (first.kind == TokenKind::Identifier)
                        .then(|| self.misspelt_keyword(first))
                        .flatten();
                    return Err(self.advise(reported, advice));
                }
                StatementKind::Expression(expression)
            }
        };
        Ok(self.make(start, kind))
    }

    /// Attributes alone before `;` are GNU's `fallthrough`; elsewhere they begin a declaration, and are read with it.
    fn skip_empty_attributes(&mut self) -> Result<bool> {
        let (position, errors) = (self.position, self.errors.len());
        self.attributes_without_meaning()?;
        let is_empty = self.take(TokenKind::Semicolon).is_some();
        if !is_empty {
            self.position = position;
            self.errors.truncate(errors);
        }
        Ok(is_empty)
    }

    /// The attributes of a label; before a declaration they are the declaration's.
    fn label_attributes(&mut self) -> Result<()> {
        let (position, errors) = (self.position, self.errors.len());
        self.attributes_without_meaning()?;
        if self.begins_declaration_statement() {
            self.position = position;
            self.errors.truncate(errors);
        }
        Ok(())
    }

    fn begins_declaration_statement(&self) -> bool {
        self.begins_specifiers(0) || self.looks_like_declaration()
    }

    /// `( expression )` after a keyword
    fn condition(&mut self, keyword: &str) -> Result<&'a Expression<'a>> {
        let opening = self.require(TokenKind::LeftParenthesis, &format!("`(` after `{keyword}`"))?;
        let condition = self.expression()?;
        self.expect_closing(
            TokenKind::RightParenthesis,
            opening,
            &format!("`)` after the condition of `{keyword}`"),
        )?;
        Ok(condition)
    }

    /// `if`, with all `else if` that follow
    fn conditional_statement(&mut self) -> Result<&'a Statement<'a>> {
        let outer = self.begin_chain();
        let mut branches = Vec::new();
        let mut alternative = None;
        loop {
            let start = self.here();
            self.require(TokenKind::If, "`if`")?;
            let condition = self.condition("if")?;
            let consequence = self.body()?;
            branches.push((start, condition, consequence));
            if self.take(TokenKind::Else).is_none() {
                break;
            }
            if self.kind() != TokenKind::If {
                alternative = Some(self.body()?);
                break;
            }
        }
        let mut whole = None;
        for (start, condition, consequence) in branches.into_iter().rev() {
            self.wrap()?;
            let statement = self.make(
                start,
                StatementKind::If {
                    condition,
                    consequence,
                    alternative,
                },
            );
            alternative = Some(statement);
            whole = Some(statement);
        }
        self.end_chain(outer);
        match whole {
            Some(statement) => Ok(statement),
            None => Err(self.unexpected("`if`")),
        }
    }

    fn do_statement(&mut self) -> Result<StatementKind<'a>> {
        self.advance();
        let body = self.body()?;
        self.require(TokenKind::While, "`while` after the body of `do`")?;
        let condition = self.condition("while")?;
        self.expect_semicolon("`do … while (…)`")?;
        Ok(StatementKind::DoWhile { body, condition })
    }

    fn for_statement(&mut self) -> Result<StatementKind<'a>> {
        self.advance();
        let opening = self.require(TokenKind::LeftParenthesis, "`(` after `for`")?;
        let scopes = self.scopes.depth();
        self.scopes.open();
        let initial = self.for_initial()?;
        let condition = self.optional_expression(TokenKind::Semicolon)?;
        self.expect_closing(TokenKind::Semicolon, opening, "`;` after the condition of `for`")?;
        let step = self.optional_expression(TokenKind::RightParenthesis)?;
        self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the step of `for`")?;
        let body = self.body()?;
        self.scopes.close_to(scopes);
        Ok(StatementKind::For {
            initial,
            condition,
            step,
            body,
        })
    }

    fn for_initial(&mut self) -> Result<&'a Statement<'a>> {
        let start = self.here();
        self.enter()?;
        let kind = if self.take(TokenKind::Semicolon).is_some() {
            StatementKind::Empty
        } else if self.begins_declaration_statement() {
            match self.declaration()? {
                Declared::Declaration(declaration) => StatementKind::Declaration(declaration),
                Declared::Function(function) => StatementKind::NestedFunction(function),
            }
        } else {
            let expression = self.expression()?;
            self.require(TokenKind::Semicolon, "`;` after the first part of `for`")?;
            StatementKind::Expression(expression)
        };
        self.leave();
        Ok(self.make(start, kind))
    }

    fn optional_expression(&mut self, end: TokenKind) -> Result<Option<&'a Expression<'a>>> {
        if self.kind() == end {
            return Ok(None);
        }
        self.expression().map(Some)
    }

    fn goto_statement(&mut self) -> Result<StatementKind<'a>> {
        self.advance();
        if self.take(TokenKind::Star).is_some() {
            let target = self.expression()?;
            self.expect_semicolon("`goto`")?;
            return Ok(StatementKind::ComputedGoto(target));
        }
        let name = self.label_name();
        self.require(TokenKind::Identifier, "a label after `goto`")?;
        self.expect_semicolon("`goto`")?;
        Ok(StatementKind::Goto(name))
    }

    /// `{ … }`, with mistakes in one statement not hindering the next
    pub(super) fn block(&mut self) -> Result<&'a Statement<'a>> {
        let start = self.here();
        let opening = self.require(TokenKind::LeftBrace, "`{`")?;
        let scopes = self.scopes.depth();
        self.scopes.open();
        let mut statements = Vec::new();
        while self.kind() != TokenKind::RightBrace {
            if self.kind() == TokenKind::EndOfText {
                return Err(self.unclosed_block(opening));
            }
            let (position, depth, open) = (self.position, self.depth, self.scopes.depth());
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(_) => {
                    self.depth = depth;
                    self.scopes.close_to(open);
                    self.recover(position);
                }
            }
        }
        self.advance();
        self.scopes.close_to(scopes);
        self.local_labels.retain(|label| label.depth <= scopes);
        let statements = self.slice(statements);
        Ok(self.make(start, StatementKind::Block(statements)))
    }

    /// Reports a block that the text ends in; only the innermost one, for the others are not closed either.
    fn unclosed_block(&mut self, opening: Token) -> super::Reported {
        let message = "expected `}` at the end of the block, found the end of the text";
        if self.errors.iter().any(|error| error.message == message) {
            return super::Reported;
        }
        let end = self.previous().span.end as usize;
        let mut error = crate::diagnostics::Diagnostic::error(end..end, message, "expected `}`")
            .related(range(opening.span), "this `{` is not closed");
        if let Some(function) = self.function_at_margin {
            error = error.related(range(function), "is a `}` missing before this function?");
        }
        self.error(error)
    }

    /// Whether a name is a type here.
    pub(super) fn is_type(&self, name: &str) -> bool {
        self.scopes.get(name) == Some(NameKind::Type)
    }
}
