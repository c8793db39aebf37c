//! Statements.

use super::functions::Exits;
use super::{Checked, Semantics};
use crate::program::{BlockId, Terminator};
use crate::syntax::{self, Span, Statement, StatementKind};
use crate::types::Type;

impl<'a> Semantics<'a, '_> {
    /// Reads a statement. Mistakes are reported and the reading goes on.
    pub(super) fn statement(&mut self, statement: &'a Statement<'a>) {
        let span = statement.span;
        // What is wrong has been reported.
        let _: Checked<()> = match &statement.kind {
            StatementKind::Empty => Ok(()),
            StatementKind::Expression(expression) => self.discard(expression),
            StatementKind::Declaration(declaration) => {
                self.local_declaration(declaration);
                Ok(())
            }
            StatementKind::NestedFunction(definition) => self.nested_function(definition),
            StatementKind::Block(statements) => {
                self.open_scope();
                statements.iter().for_each(|statement| self.statement(statement));
                self.close_scope();
                Ok(())
            }
            StatementKind::If {
                condition,
                consequence,
                alternative,
            } => self.as_block(|this| this.if_statement(condition, consequence, *alternative, span)),
            StatementKind::While { condition, body } => self.as_block(|this| this.while_statement(condition, body)),
            StatementKind::DoWhile { body, condition } => self.as_block(|this| this.do_statement(body, condition)),
            StatementKind::For {
                initial,
                condition,
                step,
                body,
            } => self.as_block(|this| this.for_statement(initial, *condition, *step, body, span)),
            StatementKind::Switch { value, body } => self.as_block(|this| this.switch(value, body, span)),
            StatementKind::Case { first, last, body } => {
                let checked = self.case(first, *last, first.span);
                self.statement(body);
                checked
            }
            StatementKind::Default(body) => {
                let place = Span {
                    start: span.start,
                    end: span.end.min(span.start.saturating_add(7)),
                };
                let checked = self.default_case(place);
                self.statement(body);
                checked
            }
            StatementKind::Label(name, body) => {
                self.define_label(*name);
                self.statement(body);
                Ok(())
            }
            StatementKind::Goto(name) => {
                self.jump(*name, span);
                Ok(())
            }
            StatementKind::ComputedGoto(target) => self.computed_jump(target, span),
            StatementKind::Break => self.leave(span, |exits| Some(exits.break_to), "break"),
            StatementKind::Continue => self.leave(span, |exits| exits.continue_to, "continue"),
            StatementKind::Return(value) => self.return_statement(*value, span),
            StatementKind::Assembly(assembly) => self.assembly(assembly, span),
        };
    }

    /// A choice, a loop, and what is chosen or repeated are blocks, with or without braces (C11 6.8.4, 6.8.5).
    fn as_block(&mut self, inside: impl FnOnce(&mut Self) -> Checked<()>) -> Checked<()> {
        self.open_scope();
        let checked = inside(self);
        self.close_scope();
        checked
    }

    /// A statement that another one chooses or repeats.
    pub(super) fn substatement(&mut self, statement: &'a Statement<'a>) {
        let _: Checked<()> = self.as_block(|this| {
            this.statement(statement);
            Ok(())
        });
    }

    fn if_statement(
        &mut self,
        condition: &'a syntax::Expression<'a>,
        consequence: &'a Statement<'a>,
        alternative: Option<&'a Statement<'a>>,
        span: Span,
    ) -> Checked<()> {
        let graph = &mut self.state.graph;
        let (then, join) = (graph.new_block(), graph.new_block());
        let otherwise = if alternative.is_some() { graph.new_block() } else { join };
        let checked = self.branch(condition, then, otherwise);
        self.state.graph.resume(then);
        self.substatement(consequence);
        self.state.graph.goto(join, span);
        if let Some(alternative) = alternative {
            self.state.graph.resume(otherwise);
            self.substatement(alternative);
            self.state.graph.goto(join, span);
        }
        self.state.graph.resume(join);
        checked
    }

    /// The body of a loop, with its `break` and `continue`.
    fn loop_body(&mut self, body: &'a Statement<'a>, break_to: BlockId, continue_to: BlockId) {
        self.state.exits.push(Exits {
            break_to,
            continue_to: Some(continue_to),
            visible: self.state.visible,
        });
        self.substatement(body);
        self.state.exits.pop();
    }

    fn while_statement(&mut self, condition: &'a syntax::Expression<'a>, body: &'a Statement<'a>) -> Checked<()> {
        let graph = &mut self.state.graph;
        let (head, inside, end) = (graph.new_block(), graph.new_block(), graph.new_block());
        self.state.graph.fall_into(head, condition.span);
        let checked = self.branch(condition, inside, end);
        self.state.graph.resume(inside);
        self.loop_body(body, end, head);
        self.state.graph.goto(head, condition.span);
        self.state.graph.resume(end);
        checked
    }

    fn do_statement(&mut self, body: &'a Statement<'a>, condition: &'a syntax::Expression<'a>) -> Checked<()> {
        let graph = &mut self.state.graph;
        let (inside, test, end) = (graph.new_block(), graph.new_block(), graph.new_block());
        self.state.graph.fall_into(inside, body.span);
        self.loop_body(body, end, test);
        self.state.graph.fall_into(test, condition.span);
        let checked = self.branch(condition, inside, end);
        self.state.graph.resume(end);
        checked
    }

    fn for_statement(
        &mut self,
        initial: &'a Statement<'a>,
        condition: Option<&'a syntax::Expression<'a>>,
        step: Option<&'a syntax::Expression<'a>>,
        body: &'a Statement<'a>,
        span: Span,
    ) -> Checked<()> {
        if let StatementKind::Declaration(declaration) = initial.kind {
            self.check_loop_declaration(declaration)?;
        }
        self.statement(initial);
        let graph = &mut self.state.graph;
        let (head, inside, next, end) = (
            graph.new_block(),
            graph.new_block(),
            graph.new_block(),
            graph.new_block(),
        );
        let place = condition.map_or(span, |condition| condition.span);
        self.state.graph.fall_into(head, place);
        let mut checked = match condition {
            Some(condition) => self.branch(condition, inside, end),
            None => {
                self.state.graph.goto(inside, place);
                Ok(())
            }
        };
        self.state.graph.resume(inside);
        self.loop_body(body, end, next);
        self.state.graph.fall_into(next, step.map_or(place, |step| step.span));
        if let Some(step) = step {
            checked = self.discard(step).and(checked);
        }
        self.state.graph.goto(head, place);
        self.state.graph.resume(end);
        checked
    }

    /// `break` or `continue`
    fn leave(&mut self, span: Span, target: impl Fn(&Exits) -> Option<BlockId>, word: &str) -> Checked<()> {
        let found = self
            .state
            .exits
            .iter()
            .rev()
            .find_map(|exits| Some((target(exits)?, exits.visible)));
        match found {
            Some((target, visible)) => {
                self.call_scope_ends(visible, span);
                self.end_lives(visible, span);
                self.state.graph.goto(target, span);
                Ok(())
            }
            None => Err(self.error(
                span,
                format!("`{word}` outside of a loop"),
                "there is nothing to leave",
                None,
            )),
        }
    }

    fn return_statement(&mut self, value: Option<&'a syntax::Expression<'a>>, span: Span) -> Checked<()> {
        let mut checked = Ok(());
        match (self.state.result, value) {
            (Some(result), Some(value)) => {
                let place = self.variable_place(result);
                checked = self.assign_from(place, value);
                self.check_result(result, span);
            }
            (None, Some(value)) => {
                let (span, value) = (value.span, self.value(value));
                let kind = value.map(|value| {
                    let kind = value.c_type;
                    self.evaluated(value, span);
                    kind
                });
                if kind.is_ok_and(|kind| !matches!(self.types.get(kind), Type::Void)) {
                    self.warn(
                        span,
                        "a value is returned from a function that returns none",
                        "nobody gets it",
                    );
                }
            }
            (Some(result), None) => self.forget_result(result, span),
            (None, None) => {}
        }
        self.call_scope_ends(None, span);
        self.end_all_lives(span);
        self.state.graph.terminate(Terminator::Return, span);
        checked
    }
}
