//! GNU's labels as values: `&&label` is an address like that of a function, of which nothing is known but that each label has
//! its own (labels at one place may share theirs, and are refused); `goto *pointer;` compares it with those of the labels of its function whose addresses are taken. Another one leads
//! nowhere: the behaviour is undefined.

use super::functions::{FunctionState, Visible};
use super::{Checked, Semantics, Value};
use crate::parser::{is_of_block, written};
use crate::program::{BinaryOperator, BlockId, ExpressionKind, FunctionId, Place, Terminator};
use crate::syntax::{self, Name, Span};
use crate::types::{Type, Types};

/// A computed jump, whose labels are known at the end of the function.
pub(super) struct ComputedJump {
    block: BlockId,
    /// What it jumps to.
    target: Place,
    visible: Visible,
    pub(super) span: Span,
}

impl<'a> FunctionState<'a> {
    /// A function inside takes the addresses of these labels.
    pub(super) fn label_addresses_inside(&mut self, labels: Vec<(Name<'a>, FunctionId)>) {
        for (name, function) in labels {
            let is_known = self.label_addresses.iter().any(|(known, _)| known.text == name.text);
            if !is_known {
                self.label_addresses.push((name, function));
            }
        }
    }
}

impl<'a> Semantics<'a, '_> {
    /// `&&name`
    pub(super) fn label_address(&mut self, name: Name<'a>) -> Checked<Value> {
        if self.state.is_global() {
            return Err(self.error(
                name.span,
                "the address of a label outside of functions",
                "not in a function",
                None,
            ));
        }
        let known = self.state.label_addresses.iter();
        let known = known.filter(|(other, _)| other.text == name.text);
        let known = known.map(|(_, function)| *function).next();
        let around = self.labels_of_blocks.get(name.text).copied();
        if let (None, Some(function)) = (known, around) {
            self.state.label_addresses.push((name, function));
        }
        let function = match known.or(around) {
            Some(function) => function,
            None => {
                let kind = self.types.intern(Type::Function {
                    result: Types::VOID,
                    parameters: Vec::new(),
                    open: false,
                });
                let function = self.add_function(format!("&&{}", name.text), kind, name.span);
                self.state.label_addresses.push((name, function));
                if is_of_block(name.text) {
                    self.labels_of_blocks.insert(name.text, function);
                }
                function
            }
        };
        let kind = self.types.pointer_to(Types::VOID);
        Ok(self.typed(ExpressionKind::FunctionAddress(function), kind))
    }

    /// `goto *target;`
    pub(super) fn computed_jump(&mut self, target: &'a syntax::Expression<'a>, span: Span) -> Checked<()> {
        let value = self.value(target)?;
        let kind = self.types.pointer_to(Types::VOID);
        let value = self.convert_implicitly(value, kind, target.span)?;
        let place = self.temporary(kind, span);
        self.emit_assign(place.clone(), value, span);
        let block = self.state.graph.new_block();
        self.state.graph.goto(block, span);
        self.state.computed_jumps.push(ComputedJump {
            block,
            target: place,
            visible: self.state.visible,
            span,
        });
        Ok(())
    }

    /// When all labels are known, computed jumps become comparisons.
    pub(super) fn settle_computed_jumps(&mut self) {
        let mut addresses = std::mem::take(&mut self.state.label_addresses);
        if self.state.is_inside {
            // A function inside of another one may mean a label there, and hand its address back. Jumps lead to none of these.
            let is_around = |(name, _): &(Name<'a>, FunctionId)| is_of_block(name.text) && !self.is_placed(*name);
            let (around, own) = addresses.into_iter().partition(is_around);
            (self.state.labels_around, addresses) = (around, own);
        }
        for (position, (name, _)) in addresses.iter().enumerate() {
            if !self.is_placed(*name) {
                let what = format!(
                    "the address of `{}`, which is no label of this function,",
                    written(name.text)
                );
                self.refuse(
                    name.span,
                    format!("{what} is not supported"),
                    "perhaps one around it has it",
                    None,
                );
                continue;
            }
            // Whether these addresses are the same is up to the compiler.
            if addresses[..position]
                .iter()
                .any(|(other, _)| self.are_at_one_place(*name, *other))
            {
                let what = "addresses of several labels at one place";
                self.refuse(
                    name.span,
                    format!("{what} are not supported"),
                    "another one is here",
                    None,
                );
            }
        }
        let current = self.state.graph.current();
        for jump in std::mem::take(&mut self.state.computed_jumps) {
            let visible = std::mem::replace(&mut self.state.visible, jump.visible);
            self.state.graph.resume(jump.block);
            for (name, function) in &addresses {
                let graph = &mut self.state.graph;
                let (here, next) = (graph.new_block(), graph.new_block());
                let address = self.typed(ExpressionKind::FunctionAddress(*function), jump.target.kind);
                let target = self.typed(ExpressionKind::Read(jump.target.clone()), jump.target.kind);
                let is_here = ExpressionKind::Binary(BinaryOperator::Equal, Box::new(target), Box::new(address));
                let is_here = self.typed(is_here, Types::INT);
                self.branch_on(is_here, here, next, jump.span);
                self.state.graph.resume(here);
                self.jump(*name, jump.span);
                self.state.graph.resume(next);
            }
            if self.options.checks.null {
                let what = "a check of where a computed `goto` leads".to_string();
                self.emit_anything(what, jump.span);
            }
            self.state.graph.terminate(Terminator::Stop, jump.span);
            self.state.visible = visible;
        }
        self.state.graph.resume(current);
    }
}
