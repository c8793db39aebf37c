//! Functions of the library that go over texts and memory, byte by byte: they become the loops that they are.

use super::conventions::Loop;
use super::{Checked, Semantics, Value};
use crate::c::program::{BinaryOperator, BlockId, ExpressionKind, InstructionKind, Numeric, Place, UnknownSource};
use crate::c::syntax::{self, ExpressionKind as Kind, Span};
use crate::c::types::{IntegerType, TypeId, Types};

type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

impl<'a> Semantics<'a, '_> {
    /// A call of such a function.
    pub(super) fn library_loop(
        &mut self,
        name: &'a str,
        what: Loop,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<Value> {
        let pointers = match what {
            Loop::Length { .. } | Loop::Find { .. } => 1,
            Loop::Compare { .. } | Loop::Copy { .. } => 2,
        };
        let bounded = match what {
            Loop::Length { bounded } | Loop::Compare { bounded, .. } => bounded,
            Loop::Find { bounded, .. } => bounded,
            Loop::Copy { .. } => false,
        };
        let more = usize::from(bounded) + usize::from(matches!(what, Loop::Find { .. }));
        self.argument_at(name, arguments, pointers + more - 1, span)?;
        if let (Loop::Length { bounded: false }, Some(Kind::String { characters, .. })) =
            (what, arguments.first().map(|argument| &argument.kind))
        {
            let length = characters.iter().position(|character| *character == 0);
            let size = self.size_type();
            return Ok(self.constant(length.unwrap_or(characters.len()), size));
        }
        let values = self.values_in_order(arguments)?;
        let byte = self.types.integer(IntegerType { bits: 8, signed: false });
        let bytes = self.types.pointer_to(byte);
        let mut texts = Vec::new();
        for value in values.iter().take(pointers) {
            let value = self.convert_implicitly(value.clone(), bytes, span)?;
            texts.push(self.kept(value, span));
        }
        let size = self.size_type();
        // A checked variant has the size of an object behind it.
        let bound = match values.get(pointers + more - 1).filter(|_| bounded) {
            Some(bound) => {
                let bound = self.convert_implicitly(bound.clone(), size, span)?;
                Some(self.kept(bound, span))
            }
            None => None,
        };
        let zero = self.constant(0, size);
        let index = self.saved(zero, span);
        match (what, texts.as_slice(), values.get(1)) {
            (Loop::Length { .. }, [text], _) => self.length(text, bound, index, span),
            (Loop::Compare { is_text, .. }, [one, other], _) => {
                self.comparison(name, [one, other], bound, is_text, index, span)
            }
            (Loop::Find { is_text, .. }, [text], Some(wanted)) => {
                let wanted = self.convert_implicitly(wanted.clone(), byte, span)?;
                let wanted = self.kept(wanted, span);
                let result = self.known_result(name);
                let kind = match self.numeric(result) {
                    Numeric::Pointer => result,
                    _ => self.types.pointer_to(Types::CHAR),
                };
                self.find(text, &wanted, bound, is_text, index, kind, span)
            }
            (Loop::Copy { appends }, [target, source], _) => {
                self.copy_text(target, source, appends, index, span)?;
                let first = values.into_iter().next().ok_or(super::Reported)?;
                let kind = self.types.pointer_to(Types::CHAR);
                let target = self.convert(target.clone(), first.c_type);
                match target.numeric {
                    Numeric::Pointer => Ok(target),
                    _ => Ok(self.convert(target, kind)),
                }
            }
            _ => Err(super::Reported),
        }
    }

    /// The value in a variable of its own, unless it is a constant.
    fn kept(&mut self, value: Value, span: Span) -> Value {
        if matches!(value.kind, ExpressionKind::Integer(_)) {
            return value;
        }
        let kind = value.c_type;
        let place = self.saved(value, span);
        self.typed(ExpressionKind::Read(place), kind)
    }

    /// The byte so far behind the pointer.
    fn byte_place(&mut self, text: &Value, index: &Place, span: Span) -> Checked<Place> {
        let distance = self.typed(ExpressionKind::Read(index.clone()), index.kind);
        let pointer = self.pointer_add(text.clone(), distance, span)?;
        self.dereference(pointer, span)
    }

    fn byte_at(&mut self, text: &Value, index: &Place, span: Span) -> Checked<Value> {
        let place = self.byte_place(text, index, span)?;
        let kind = place.kind;
        let value = self.typed(ExpressionKind::Read(place), kind);
        Ok(self.kept(value, span))
    }

    /// The head of a loop, which ends at the bound. Behind it is its body.
    fn head(&mut self, index: &Place, bound: Option<&Value>, end: BlockId, span: Span) -> BlockId {
        let head = self.state.graph.new_block();
        self.state.graph.fall_into(head, span);
        if let Some(bound) = bound {
            let body = self.state.graph.new_block();
            let index = self.typed(ExpressionKind::Read(index.clone()), index.kind);
            let goes_on = self.operation(BinaryOperator::Less, index, bound.clone(), Types::INT);
            self.branch_on(goes_on, body, end, span);
            self.state.graph.resume(body);
        }
        head
    }

    /// The end of the body: on to the next byte.
    fn next(&mut self, index: &Place, head: BlockId, span: Span) {
        let one = self.constant(1, index.kind);
        let before = self.typed(ExpressionKind::Read(index.clone()), index.kind);
        let after = self.operation(BinaryOperator::Add, before, one, index.kind);
        self.emit_assign(index.clone(), after, span);
        self.state.graph.goto(head, span);
    }

    /// Ends the block by whether two bytes, or numbers, are the same.
    fn branch_if_same(&mut self, one: &Value, other: &Value, then: BlockId, otherwise: BlockId, span: Span) {
        let same = self.operation(BinaryOperator::Equal, one.clone(), other.clone(), Types::INT);
        self.branch_on(same, then, otherwise, span);
    }

    fn length(&mut self, text: &Value, bound: Option<Value>, index: Place, span: Span) -> Checked<Value> {
        let (body, end) = (self.state.graph.new_block(), self.state.graph.new_block());
        let head = self.head(&index, bound.as_ref(), end, span);
        let byte = self.byte_at(text, &index, span)?;
        let zero = self.constant(0, byte.c_type);
        self.branch_if_same(&byte, &zero, end, body, span);
        self.state.graph.resume(body);
        self.next(&index, head, span);
        self.state.graph.resume(end);
        let kind = index.kind;
        Ok(self.typed(ExpressionKind::Read(index), kind))
    }

    /// Of the result, C says the sign.
    fn comparison(
        &mut self,
        name: &str,
        texts: [&Value; 2],
        bound: Option<Value>,
        is_text: bool,
        index: Place,
        span: Span,
    ) -> Checked<Value> {
        let result = self.unknown_value(Types::INT, UnknownSource::Call(name.to_string()), span);
        let zero = self.int_constant(0);
        let (same, differ) = (self.state.graph.new_block(), self.state.graph.new_block());
        let (equal, end) = (self.state.graph.new_block(), self.state.graph.new_block());
        let head = self.head(&index, bound.as_ref(), equal, span);
        let one = self.byte_at(texts[0], &index, span)?;
        let other = self.byte_at(texts[1], &index, span)?;
        self.branch_if_same(&one, &other, same, differ, span);
        self.state.graph.resume(same);
        if is_text {
            let on = self.state.graph.new_block();
            let null = self.constant(0, one.c_type);
            self.branch_if_same(&one, &null, equal, on, span);
            self.state.graph.resume(on);
        }
        self.next(&index, head, span);
        self.state.graph.resume(equal);
        let is_zero = self.operation(BinaryOperator::Equal, result.clone(), zero.clone(), Types::INT);
        self.emit(InstructionKind::Assume(is_zero), span);
        self.state.graph.goto(end, span);
        self.state.graph.resume(differ);
        let (less, greater) = (self.state.graph.new_block(), self.state.graph.new_block());
        let is_less = self.operation(BinaryOperator::Less, one, other, Types::INT);
        self.branch_on(is_less, less, greater, span);
        for (block, left, right) in [(less, result.clone(), zero.clone()), (greater, zero, result.clone())] {
            self.state.graph.resume(block);
            let sign = self.operation(BinaryOperator::Less, left, right, Types::INT);
            self.emit(InstructionKind::Assume(sign), span);
            self.state.graph.goto(end, span);
        }
        self.state.graph.resume(end);
        Ok(result)
    }

    #[allow(clippy::too_many_arguments, reason = "each says another thing of the search")]
    fn find(
        &mut self,
        text: &Value,
        wanted: &Value,
        bound: Option<Value>,
        is_text: bool,
        index: Place,
        kind: TypeId,
        span: Span,
    ) -> Checked<Value> {
        let target = self.temporary(kind, span);
        let (found, other) = (self.state.graph.new_block(), self.state.graph.new_block());
        let (missing, end) = (self.state.graph.new_block(), self.state.graph.new_block());
        let head = self.head(&index, bound.as_ref(), missing, span);
        let byte = self.byte_at(text, &index, span)?;
        self.branch_if_same(&byte, wanted, found, other, span);
        self.state.graph.resume(other);
        if is_text {
            let on = self.state.graph.new_block();
            let zero = self.constant(0, byte.c_type);
            self.branch_if_same(&byte, &zero, missing, on, span);
            self.state.graph.resume(on);
        }
        self.next(&index, head, span);
        self.state.graph.resume(found);
        let distance = self.typed(ExpressionKind::Read(index.clone()), index.kind);
        let place = self.pointer_add(text.clone(), distance, span)?;
        let place = self.convert(place, kind);
        self.emit_assign(target.clone(), place, span);
        self.state.graph.goto(end, span);
        self.state.graph.resume(missing);
        let null = self.constant(0, kind);
        self.emit_assign(target.clone(), null, span);
        self.state.graph.goto(end, span);
        self.state.graph.resume(end);
        Ok(self.typed(ExpressionKind::Read(target), kind))
    }

    /// `strcpy` and `strcat`
    fn copy_text(&mut self, target: &Value, source: &Value, appends: bool, index: Place, span: Span) -> Checked<()> {
        let zero = self.constant(0, index.kind);
        let to = self.saved(zero, span);
        if appends {
            self.length(target, None, to.clone(), span)?;
        }
        let (on, end) = (self.state.graph.new_block(), self.state.graph.new_block());
        let head = self.head(&index, None, end, span);
        let byte = self.byte_at(source, &index, span)?;
        let place = self.byte_place(target, &to, span)?;
        self.emit_assign(place, byte.clone(), span);
        let null = self.constant(0, byte.c_type);
        self.branch_if_same(&byte, &null, end, on, span);
        self.state.graph.resume(on);
        let one = self.constant(1, to.kind);
        let before = self.typed(ExpressionKind::Read(to.clone()), to.kind);
        let after = self.operation(BinaryOperator::Add, before, one, to.kind);
        self.emit_assign(to, after, span);
        self.next(&index, head, span);
        self.state.graph.resume(end);
        Ok(())
    }
}
