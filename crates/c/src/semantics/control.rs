//! Scopes of local variables, labels and jumps, `switch`.

use super::functions::{Destination, Exits, Label, Local, Switch};
use super::{Checked, Semantics};
use crate::parser::written;
use crate::program::{BlockId, ErrorKind, ExpressionKind, Numeric, Terminator, VariableId};
use crate::syntax::{self, Name, Span};
use crate::types::Type;
use num_bigint::BigInt;

impl<'a> Semantics<'a, '_> {
    pub(super) fn open_scope(&mut self) {
        self.scopes.open();
        let visible = self.state.visible;
        self.state.opened += 1;
        self.state.outer.push((self.state.opened, visible));
    }

    pub(super) fn close_scope(&mut self) {
        self.scopes.close();
        self.forget_block_prototypes();
        if let Some((_, visible)) = self.state.outer.pop() {
            let span = self.state.graph.last_span();
            self.call_scope_ends(visible, span);
            self.end_lives(visible, span);
            self.state.visible = visible;
        }
    }

    /// A local variable is declared here.
    pub(super) fn make_visible(&mut self, variable: VariableId) {
        let before = self.state.visible;
        let scope = self.state.outer.last().map(|(number, _)| *number);
        self.state.locals.push(Local {
            variable,
            before,
            scope,
        });
        self.state.visible = Some(self.state.locals.len() - 1);
    }

    pub(super) fn label(&mut self, name: Name<'a>) -> &mut Label {
        let graph = &mut self.state.graph;
        self.state.labels.entry(name.text).or_insert_with(|| Label {
            block: graph.new_block(),
            place: None,
            first_use: name.span,
            visible: None,
            scopes: Vec::new(),
        })
    }

    /// `name:`
    pub(super) fn define_label(&mut self, name: Name<'a>) {
        let visible = self.state.visible;
        let scopes = self.state.outer.iter().map(|(number, _)| *number).collect();
        let label = self.label(name);
        let block = label.block;
        if let Some(previous) = label.place {
            self.redeclared(written(name.text), name.span, previous);
            return;
        }
        label.place = Some(name.span);
        label.visible = visible;
        label.scopes = scopes;
        self.state.graph.fall_into(block, name.span);
        self.state.graph.set_label(block, written(name.text));
        self.all_begin(name.span);
        if self.conventions.is_error_label(written(name.text)) {
            self.state
                .graph
                .terminate(Terminator::Error(ErrorKind::Reached), name.span);
        }
    }

    /// Whether two labels stand at the same place: nothing is done between them.
    pub(super) fn are_at_one_place(&mut self, one: Name<'a>, other: Name<'a>) -> bool {
        let (one, other) = (self.label(one).block, self.label(other).block);
        self.state.graph.leads_at_once(one, other) || self.state.graph.leads_at_once(other, one)
    }

    /// Whether the label stands in this function.
    pub(super) fn is_placed(&self, name: Name<'a>) -> bool {
        let label = self.state.labels.get(name.text);
        label.is_some_and(|label| label.place.is_some())
    }

    /// `goto name;`
    pub(super) fn jump(&mut self, name: Name<'a>, span: Span) {
        let block = self.label(name).block;
        let first = self.depart(name.text, block, span);
        let last = match first == block {
            true => self.state.graph.current(),
            false => first,
        };
        self.note_jump(last, name.text, span);
        self.state.graph.goto(first, span);
        let visible = self.state.visible;
        self.state.jumps.push((visible, Destination::Label(name.text)));
    }

    /// Reports the labels that jumps lead to but that stand nowhere.
    pub(super) fn check_labels(&mut self) {
        let mut missing: Vec<(Span, &'a str)> = Vec::new();
        for (_, destination) in &self.state.jumps {
            if let Destination::Label(name) = destination
                && let Some(label) = self.state.labels.get(name)
                && label.place.is_none()
            {
                missing.push((label.first_use, name));
            }
        }
        missing.sort_by_key(|(span, _)| span.start);
        missing.dedup();
        for (span, name) in missing {
            if self.state.is_inside && self.jump_out(Name { text: name, span }) {
                continue;
            }
            let name = written(name);
            if self.state.is_inside {
                let message = format!("there is no label `{name}` in this function inside a function");
                self.refuse(span, message, "a jump out of it cannot be translated", None);
                continue;
            }
            let placed = self.state.labels.iter().filter(|(_, label)| label.place.is_some());
            let like = super::scopes::nearest(name, placed.map(|(name, _)| *name));
            let help = like.map(|like| format!("did you mean `{like}`?"));
            self.error(
                span,
                format!("there is no label `{name}` in this function"),
                "jumps nowhere",
                help,
            );
        }
    }

    /// `switch (value) body`
    pub(super) fn switch(
        &mut self,
        value: &'a syntax::Expression<'a>,
        body: &'a syntax::Statement<'a>,
        span: Span,
    ) -> Checked<()> {
        let number = self.value(value)?;
        if !matches!(number.numeric, Numeric::Integer(_)) || matches!(self.types.get(number.c_type), Type::Void) {
            let message = format!("a switch over {}", self.types.display(number.c_type));
            return Err(self.error(value.span, message, "must be an integer", None));
        }
        let number = self.promote(number);
        let number = self.evaluated_now(number, value.span);
        let head = self.state.graph.current();
        let (inside, end) = (self.state.graph.new_block(), self.state.graph.new_block());
        self.state.exits.push(Exits {
            break_to: end,
            continue_to: None,
            visible: self.state.visible,
        });
        self.state.switches.push(Switch {
            kind: number.c_type,
            cases: Vec::new(),
            default: None,
            visible: self.state.visible,
        });
        // What stands before the first case is never done.
        self.state.graph.resume(inside);
        self.substatement(body);
        self.state.graph.goto(end, span);
        self.state.exits.pop();
        let Some(switch) = self.state.switches.pop() else {
            return Ok(());
        };
        let cases = self.distinct_cases(switch.cases);
        let otherwise = switch.default.map_or(end, |default| default.0);
        let terminator = match &number.kind {
            ExpressionKind::Integer(constant) => {
                let case = cases.iter().find(|case| case.0 <= *constant && *constant <= case.1);
                Terminator::Goto(case.map_or(otherwise, |case| case.2))
            }
            _ => Terminator::Switch {
                value: number,
                cases,
                otherwise,
            },
        };
        self.state.graph.terminate_block(head, terminator, value.span);
        self.state.graph.resume(end);
        Ok(())
    }

    /// The cases without their places; what is there twice is reported.
    fn distinct_cases(&mut self, cases: Vec<(BigInt, BigInt, BlockId, Span)>) -> Vec<(BigInt, BigInt, BlockId)> {
        let mut order: Vec<usize> = (0..cases.len()).collect();
        order.sort_by(|one, other| cases[*one].0.cmp(&cases[*other].0));
        for pair in order.windows(2) {
            if let [one, other] = pair
                && cases[*one].1 >= cases[*other].0
            {
                let (first, second) = (cases[*one].3, cases[*other].3);
                let (first, second) = if first.start <= second.start {
                    (first, second)
                } else {
                    (second, first)
                };
                self.error_with(
                    second,
                    "this case is there twice",
                    "the same value again",
                    (first, "first here"),
                );
            }
        }
        cases
            .into_iter()
            .map(|(first, last, block, _)| (first, last, block))
            .collect()
    }

    /// `case first ... last:`
    pub(super) fn case(
        &mut self,
        first: &'a syntax::Expression<'a>,
        last: Option<&'a syntax::Expression<'a>>,
        span: Span,
    ) -> Checked<()> {
        let low = self.case_value(first)?;
        let high = match last {
            Some(last) => self.case_value(last)?,
            None => low.clone(),
        };
        if low > high {
            return Err(self.error(
                span,
                "a range of cases that is empty",
                "the first value is the greater one",
                None,
            ));
        }
        let block = self.state.graph.new_block();
        let visible = self.state.visible;
        let Some(switch) = self.state.switches.last_mut() else {
            return Err(self.error(span, "a case outside of a switch", "not expected here", None));
        };
        switch.cases.push((low, high, block, first.span));
        let from = switch.visible;
        self.state.jumps.push((from, Destination::Case(visible)));
        self.state.graph.fall_into(block, span);
        self.all_begin(span);
        Ok(())
    }

    fn case_value(&mut self, value: &'a syntax::Expression<'a>) -> Checked<BigInt> {
        let number = self.integer_constant(value)?;
        let kind = self.state.switches.last().map(|switch| switch.kind);
        match kind.map(|kind| self.numeric(kind)) {
            Some(Numeric::Integer(kind)) => Ok(super::conversions::wrap(&number, kind)),
            _ => Ok(number),
        }
    }

    /// `default:`
    pub(super) fn default_case(&mut self, span: Span) -> Checked<()> {
        let block = self.state.graph.new_block();
        let visible = self.state.visible;
        let Some(switch) = self.state.switches.last_mut() else {
            return Err(self.error(span, "a default outside of a switch", "not expected here", None));
        };
        let (from, previous) = (switch.visible, switch.default);
        if previous.is_some() {
            return Err(self.error(span, "a second default in the same switch", "here", None));
        }
        switch.default = Some((block, span));
        self.state.jumps.push((from, Destination::Case(visible)));
        self.state.graph.fall_into(block, span);
        self.all_begin(span);
        Ok(())
    }
}
