//! Expressions: their values, with side effects as instructions in C's order.

use super::scopes::Entity;
use super::{Checked, Semantics, Value};
use crate::lexer::is_name_of_function;
use crate::program::{
    BinaryOperator, BlockId, ExpressionKind, InstructionKind, Numeric, Terminator, UnknownSource, Written,
};
use crate::syntax::{self, ExpressionKind as Kind, Span, UnaryOperator};
use crate::types::{Compound, Type, TypeId, Types};

impl<'a> Semantics<'a, '_> {
    /// The value of an expression. Its side effects have been emitted; what is returned has none.
    pub(super) fn value(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<Value> {
        let mut value = self.computed(expression)?;
        let is_plain = matches!(expression.kind, Kind::Name(_) | Kind::Integer(_) | Kind::Floating(_));
        if !is_plain && value.written.0.is_none() {
            value.written = Written(Some(expression.span));
        }
        Ok(value)
    }

    fn computed(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<Value> {
        let span = expression.span;
        match &expression.kind {
            Kind::Name(name) => self.named_value(name, span),
            Kind::Integer(text) => self.integer_literal(text, span),
            Kind::Floating(text) => self.floating_literal(text, span),
            Kind::Character(value) => Ok(self.int_constant(*value)),
            Kind::Unary(UnaryOperator::AddressOf, operand) => self.address_value(operand, span),
            Kind::Unary(
                operator @ (UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement),
                operand,
            ) => {
                let value = self.step(*operator, operand, true, span)?;
                Ok(value.unwrap_or_else(|| self.void_value()))
            }
            Kind::Unary(UnaryOperator::Dereference, _)
            | Kind::String { .. }
            | Kind::Index(..)
            | Kind::Member(..)
            | Kind::PointerMember(..)
            | Kind::CompoundLiteral(..) => {
                if let Some(row) = self.row_of_several_dimensions(expression)? {
                    return Ok(row);
                }
                let place = self.place(expression)?;
                self.read(place, span)
            }
            Kind::Unary(operator, operand) => {
                let value = self.value(operand)?;
                self.unary(*operator, value, span)
            }
            Kind::Binary(operator, left, right) => {
                let mut operands = self.operands();
                let unsettled = self.value(left)?;
                self.add_operand(&mut operands, &unsettled);
                let mark = self.state.graph.mark();
                let right_value = self.value(right)?;
                self.add_operand(&mut operands, &right_value);
                let left_value = self.settle(mark, unsettled, left.span);
                // Whichever call comes first gives the first of two results that may change places.
                if !(is_commutative(*operator) && self.are_same_call(left, right)) {
                    self.unsequenced(operands, span);
                }
                self.binary(*operator, left_value, right_value, span)
            }
            Kind::And(left, right) => self.connective(expression, BinaryOperator::And, left, right),
            Kind::Or(left, right) => self.connective(expression, BinaryOperator::Or, left, right),
            Kind::Assign(operator, left, right) => {
                let place = self.assign(*operator, left, right, span)?;
                self.assigned_value(place, right, span)
            }
            Kind::Comma(left, right) => {
                self.discard(left)?;
                self.value(right)
            }
            Kind::Conditional(condition, consequence, alternative) => {
                self.conditional(condition, *consequence, alternative, span)
            }
            Kind::Cast(name, operand) => self.cast(name, operand, span),
            Kind::Call(callee, arguments) => self.call_value(callee, arguments, None, span),
            Kind::SizeofExpression(operand) => {
                if let Some(size) = self.size_of_parts(operand) {
                    return Ok(size);
                }
                let kind = match self.type_of_function(operand) {
                    Some(kind) => kind,
                    None => self.type_of(operand)?,
                };
                if let Some(length) = self.variable_length_of(operand) {
                    return Ok(self.variable_size(kind, length));
                }
                self.size_constant(kind, span)
            }
            Kind::SizeofType(name) => {
                let base = self.specified_type_of_any_length(&name.specifiers)?;
                let derived = self.derived_of_any_length(&name.specifiers, base, name.declarator)?;
                self.size_by_lengths(&derived, span)
            }
            Kind::AlignofType(name, asked) => self.alignment(name, *asked, span),
            Kind::Offsetof(name, designators) => self.offset_of(name, designators),
            Kind::Generic(..) => {
                let chosen = self.selected(expression)?;
                self.value(chosen)
            }
            Kind::TypesCompatible(one, other) => self.types_compatible([one, other], span),
            Kind::ConvertVector(operand, name) => self.vector_of_numbers(operand, name, span),
            Kind::VaArg(list, name) => {
                let kind = self.named_type(name)?;
                let target = self.temporary(kind, span);
                match self.place_of_list(list, span)? {
                    Some(list) => {
                        let target = target.clone();
                        self.emit(InstructionKind::NextArgument { list, target }, span);
                    }
                    None => self.emit_unsupported("variable arguments", vec![target.clone()], span),
                }
                Ok(self.typed(ExpressionKind::Read(target), kind))
            }
            Kind::StatementExpression(block) => self.statement_expression(block),
            Kind::LabelAddress(name) => self.label_address(*name),
            Kind::Unknown => Ok(self.unknown_value(Types::INT, UnknownSource::Outside, span)),
        }
    }

    pub(super) fn size_type(&mut self) -> TypeId {
        let kind = self.types.size_type();
        self.types.integer(kind)
    }

    fn named_value(&mut self, name: &'a str, span: Span) -> Checked<Value> {
        match self.scopes.find(name).map(|found| found.what.clone()) {
            Some(Entity::Constant(number, kind)) => Ok(self.constant(number, kind)),
            Some(Entity::Function(function)) => {
                self.note_weak_use(name, span);
                let kind = self.function(function).kind;
                let kind = self.types.pointer_to(kind);
                let function = self.behind_other_name(name, span).unwrap_or(function);
                self.valued.insert(function);
                Ok(self.typed(ExpressionKind::FunctionAddress(function), kind))
            }
            Some(Entity::Parts(_)) => Err(self.refuse_computed_record(span)),
            Some(Entity::Typedef(_)) => Err(self.error(
                span,
                format!("`{name}` is a type, not a value"),
                "a value is needed",
                None,
            )),
            Some(Entity::Variable(variable)) => {
                self.note_weak_use(name, span);
                let place = self.place_by_name(variable);
                self.read(place, span)
            }
            None if self.conventions.is_unknown_variable(name) => {
                Ok(self.unknown_value(Types::INT, UnknownSource::Outside, span))
            }
            None if self.defined.contains(name) => {
                // The address of a function that is defined further down.
                let function = self.implicit_function(name, span);
                let kind = self.function(function).kind;
                let kind = self.types.pointer_to(kind);
                Ok(self.typed(ExpressionKind::FunctionAddress(function), kind))
            }
            None if name == "NULL" => {
                let kind = self.types.pointer_to(Types::VOID);
                Ok(self.constant(0, kind))
            }
            None if matches!(name, "true" | "false") => Ok(self.int_constant(u8::from(name == "true"))),
            None => {
                let place = self.named_place(name, span)?;
                self.read(place, span)
            }
        }
    }

    fn address_value(&mut self, operand: &'a syntax::Expression<'a>, span: Span) -> Checked<Value> {
        if let Some(name) = super::name_of(operand) {
            let is_function = match self.scopes.find(name) {
                Some(found) => matches!(found.what, Entity::Function(_)),
                None => self.defined.contains(name),
            };
            if is_function {
                return self.named_value(name, span);
            }
        }
        self.check_is_place(operand)?;
        let place = self.place(operand)?;
        if matches!(self.types.get(place.kind), Type::Function { .. }) {
            return self.read(place, span);
        }
        if self.has_variable_rows(&place) {
            return Err(self.refuse_variable_rows(span));
        }
        self.address_of(place, span)
    }

    /// `left && right`, `left || right`
    fn connective(
        &mut self,
        whole: &'a syntax::Expression<'a>,
        operator: BinaryOperator,
        left: &'a syntax::Expression<'a>,
        right: &'a syntax::Expression<'a>,
    ) -> Checked<Value> {
        if self.is_pure(right) {
            let left_value = self.value(left)?;
            let left_value = self.condition(left_value, left.span)?;
            let (here, aside) = self.step_aside();
            let right_value = self.value(right)?;
            let right_value = self.condition(right_value, right.span)?;
            if self.state.graph.is_untouched(aside) {
                self.state.graph.resume(here);
                return Ok(self.operation(operator, left_value, right_value, Types::INT));
            }
            // It did something after all, which is done behind the left side alone.
            let (decided, join) = (self.state.graph.new_block(), self.state.graph.new_block());
            let target = self.temporary(Types::INT, whole.span);
            let zero = self.constant(0, right_value.c_type);
            let truth = self.binary(syntax::BinaryOperator::NotEqual, right_value, zero, right.span)?;
            self.emit_assign(target.clone(), truth, whole.span);
            self.state.graph.goto(join, whole.span);
            self.state.graph.resume(here);
            let (then, otherwise, value) = match operator {
                BinaryOperator::And => (aside, decided, 0),
                _ => (decided, aside, 1),
            };
            self.branch_on(left_value, then, otherwise, left.span);
            self.state.graph.resume(decided);
            let value = self.int_constant(value);
            self.emit_assign(target.clone(), value, whole.span);
            self.state.graph.goto(join, whole.span);
            self.state.graph.resume(join);
            return Ok(self.typed(ExpressionKind::Read(target), Types::INT));
        }
        let (holds, fails, join) = self.three_blocks();
        self.branch(whole, holds, fails)?;
        let target = self.temporary(Types::INT, whole.span);
        for (block, number) in [(holds, 1), (fails, 0)] {
            self.state.graph.resume(block);
            let value = self.int_constant(number);
            self.emit_assign(target.clone(), value, whole.span);
            self.state.graph.goto(join, whole.span);
        }
        self.state.graph.resume(join);
        Ok(self.typed(ExpressionKind::Read(target), Types::INT))
    }

    /// Goes on in a new block that nothing leads to yet. The block before, and the new one.
    fn step_aside(&mut self) -> (BlockId, BlockId) {
        let here = self.state.graph.current();
        let aside = self.state.graph.new_block();
        self.state.graph.resume(aside);
        (here, aside)
    }

    pub(super) fn three_blocks(&mut self) -> (BlockId, BlockId, BlockId) {
        let graph = &mut self.state.graph;
        (graph.new_block(), graph.new_block(), graph.new_block())
    }

    /// Ends the current block by a branch on the expression. Connectives with side effects become several branches.
    pub(super) fn branch(
        &mut self,
        condition: &'a syntax::Expression<'a>,
        then: BlockId,
        otherwise: BlockId,
    ) -> Checked<()> {
        match &condition.kind {
            Kind::And(left, right) if !self.is_pure(right) => {
                let middle = self.state.graph.new_block();
                let checked = self.branch(left, middle, otherwise);
                self.state.graph.resume(middle);
                self.branch(right, then, otherwise).and(checked)
            }
            Kind::Or(left, right) if !self.is_pure(right) => {
                let middle = self.state.graph.new_block();
                let checked = self.branch(left, then, middle);
                self.state.graph.resume(middle);
                self.branch(right, then, otherwise).and(checked)
            }
            Kind::And(left, right) if !self.is_pure(left) => {
                let middle = self.state.graph.new_block();
                let checked = self.branch(left, middle, otherwise);
                self.state.graph.resume(middle);
                self.branch(right, then, otherwise).and(checked)
            }
            Kind::Or(left, right) if !self.is_pure(left) => {
                let middle = self.state.graph.new_block();
                let checked = self.branch(left, then, middle);
                self.state.graph.resume(middle);
                self.branch(right, then, otherwise).and(checked)
            }
            Kind::Unary(UnaryOperator::Not, operand) if !self.is_pure(operand) => self.branch(operand, otherwise, then),
            Kind::Comma(left, right) => {
                let checked = self.discard(left);
                self.branch(right, then, otherwise).and(checked)
            }
            _ => {
                let value = self.value(condition);
                let value = value.and_then(|value| self.condition(value, condition.span));
                // After a mistake both ways are read on.
                let value = value.unwrap_or_else(|_| {
                    let place = self.temporary(Types::INT, condition.span);
                    self.typed(ExpressionKind::Read(place), Types::INT)
                });
                self.branch_on(value, then, otherwise, condition.span);
                Ok(())
            }
        }
    }

    /// Ends the current block by a branch on a value; a constant one leads one way only.
    pub(super) fn branch_on(&mut self, condition: Value, then: BlockId, otherwise: BlockId, span: Span) {
        let terminator = match &condition.kind {
            ExpressionKind::Integer(_) if self.is_null_constant(&condition) => Terminator::Goto(otherwise),
            ExpressionKind::Integer(_) => Terminator::Goto(then),
            _ => Terminator::Branch {
                condition,
                then,
                otherwise,
            },
        };
        self.state.graph.terminate(terminator, span);
    }

    fn conditional(
        &mut self,
        condition: &'a syntax::Expression<'a>,
        consequence: Option<&'a syntax::Expression<'a>>,
        alternative: &'a syntax::Expression<'a>,
        span: Span,
    ) -> Checked<Value> {
        let (then, otherwise, join) = self.three_blocks();
        let both_pure = consequence.is_none_or(|consequence| self.is_pure(consequence)) && self.is_pure(alternative);
        if both_pure || consequence.is_none() {
            let number = self.value(condition)?;
            let condition_value = self.condition(number.clone(), condition.span)?;
            let here = self.state.graph.current();
            self.state.graph.resume(then);
            let one = match consequence {
                Some(consequence) if both_pure => self.value(consequence)?,
                _ => number,
            };
            if both_pure {
                let one_end = self.state.graph.current();
                let mut is_choice = self.state.graph.is_untouched(then);
                self.state.graph.resume(otherwise);
                let other = self.value(alternative)?;
                let other_end = self.state.graph.current();
                is_choice &= self.state.graph.is_untouched(otherwise);
                self.state.graph.resume(here);
                let kind = self.common_type(&one, &other, span)?;
                if is_choice && self.types.is_scalar(kind) {
                    let one = self.convert(one, kind);
                    let other = self.convert(other, kind);
                    return Ok(self.choice(condition_value, one, other, kind));
                }
                self.branch_on(condition_value, then, otherwise, condition.span);
                return self.join_sides([(one_end, one), (other_end, other)], join, span);
            }
            self.state.graph.resume(here);
            self.branch_on(condition_value, then, otherwise, condition.span);
            self.state.graph.resume(otherwise);
            let other = self.value(alternative)?;
            let end = self.state.graph.current();
            return self.join_sides([(then, one), (end, other)], join, span);
        }
        let checked = self.branch(condition, then, otherwise);
        self.state.graph.resume(then);
        let one = match consequence {
            Some(consequence) => self.value(consequence),
            None => Ok(self.void_value()),
        };
        let one_end = self.state.graph.current();
        self.state.graph.resume(otherwise);
        let other = self.value(alternative);
        let other_end = self.state.graph.current();
        checked?;
        self.join_sides([(one_end, one?), (other_end, other?)], join, span)
    }

    /// Leads two blocks with a value each to one where the value is in a temporary variable.
    fn join_sides(&mut self, sides: [(BlockId, Value); 2], join: BlockId, span: Span) -> Checked<Value> {
        let kind = self.common_type(&sides[0].1, &sides[1].1, span)?;
        let is_void = matches!(self.types.get(kind), Type::Void);
        let target = (!is_void).then(|| self.temporary(kind, span));
        for (block, value) in sides {
            self.state.graph.resume(block);
            if let Some(target) = &target {
                let value = match self.is_complex(kind) {
                    true => self.convert_complex(value, kind, span)?,
                    false => self.convert(value, kind),
                };
                self.emit_assign(target.clone(), value, span);
            }
            self.state.graph.goto(join, span);
        }
        self.state.graph.resume(join);
        Ok(match target {
            Some(target) => self.typed(ExpressionKind::Read(target), kind),
            None => self.void_value(),
        })
    }

    pub(super) fn choice(&mut self, condition: Value, one: Value, other: Value, kind: TypeId) -> Value {
        match &condition.kind {
            ExpressionKind::Integer(_) if self.is_null_constant(&condition) => other,
            ExpressionKind::Integer(_) => one,
            _ => {
                let choice = ExpressionKind::Conditional(Box::new(condition), Box::new(one), Box::new(other));
                self.typed(choice, kind)
            }
        }
    }

    /// The type of `c ? one : other`.
    fn common_type(&mut self, one: &Value, other: &Value, span: Span) -> Checked<TypeId> {
        if let Some(part) = self.common_part(one.c_type, other.c_type) {
            return Ok(self.types.compound_type(Compound::Complex(part)));
        }
        let kinds = (self.types.get(one.c_type).clone(), self.types.get(other.c_type).clone());
        Ok(match kinds {
            (Type::Void, _) | (_, Type::Void) => Types::VOID,
            (Type::Integer(left), Type::Integer(right)) => self.types.integer(left.common(right)),
            (Type::Floating(left), Type::Floating(right)) => self.types.intern(Type::Floating(left.max(right))),
            (Type::Floating(_) | Type::Pointer(_), Type::Integer(_)) => one.c_type,
            (Type::Integer(_), Type::Floating(_) | Type::Pointer(_)) => other.c_type,
            (Type::Pointer(_), Type::Pointer(_)) => self.common_pointer(one, other),
            (Type::Record(left), Type::Record(right)) if left == right => one.c_type,
            _ => {
                let (one, other) = (self.types.display(one.c_type), self.types.display(other.c_type));
                let message = format!("a choice between {one} and {other}");
                return Err(self.error(span, message, "the types do not agree", None));
            }
        })
    }

    fn cast(
        &mut self,
        name: &'a syntax::TypeName<'a>,
        operand: &'a syntax::Expression<'a>,
        span: Span,
    ) -> Checked<Value> {
        let kind = self.named_type(name)?;
        self.check_cast(kind, span)?;
        match self.types.get(kind) {
            Type::Void => {
                self.discard(operand)?;
                return Ok(self.void_value());
            }
            Type::Record(_) if self.vector_of(kind).is_some() => {}
            Type::Pointer(_) => {
                if let Some(value) = self.allocation_of_type(operand, kind)? {
                    return Ok(value);
                }
            }
            Type::Record(_) => {
                let value = self.value(operand)?;
                if value.c_type == kind {
                    return Ok(value);
                }
                if let Some(value) = self.union_cast(&value, kind, span)? {
                    return Ok(value);
                }
                return self.convert_implicitly(value, kind, span);
            }
            _ => {}
        }
        let value = self.value(operand)?;
        if let Some(vector) = self.vector_cast(&value, kind, span)? {
            return Ok(vector);
        }
        if value.numeric == Numeric::Pointer && matches!(self.types.get(kind), Type::Floating(_)) {
            return Err(self.error(span, "a pointer is cast to a floating-point type", "not allowed", None));
        }
        self.convert_implicitly(value, kind, span)
    }

    /// The type of an expression, which is not evaluated.
    pub(super) fn type_of(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<TypeId> {
        let expression = self.selected(expression)?;
        // Names are frequent enough to spare them the detour.
        if let Some(name) = super::name_of(expression)
            && let Some(Entity::Variable(variable)) = self.scopes.find(name).map(|found| &found.what)
        {
            return Ok(self.variable(*variable).kind);
        }
        let (kind, has_effects) = self.unevaluated_with_effects(|semantics| match &expression.kind {
            Kind::Unary(UnaryOperator::Dereference, _)
            | Kind::String { .. }
            | Kind::Index(..)
            | Kind::Member(..)
            | Kind::PointerMember(..)
            | Kind::CompoundLiteral(..) => Ok(semantics.place(expression)?.kind),
            Kind::Name(name) if is_name_of_function(name) => Ok(semantics.place(expression)?.kind),
            _ => Ok(semantics.value(expression)?.c_type),
        });
        // Where the size is computed, so is the expression.
        if let Ok(kind) = kind
            && has_effects
            && self.is_variably_modified(kind)
        {
            self.refuse_effects_in_type(expression.span);
        }
        kind
    }
}

/// Whether the operands of an operator may change places.
fn is_commutative(operator: syntax::BinaryOperator) -> bool {
    use syntax::BinaryOperator::{Add, BitAnd, BitOr, BitXor, Equal, Multiply, NotEqual};
    matches!(operator, Add | Multiply | BitAnd | BitOr | BitXor | Equal | NotEqual)
}
