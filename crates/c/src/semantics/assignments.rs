//! Assignments, `++` and `--`, and expressions whose value nobody wants.

use super::conventions::Meaning;
use super::{Checked, Semantics, Value};
use crate::program::{ExpressionKind, InstructionKind, Numeric, Place, UnknownSource};
use crate::syntax::{self, ExpressionKind as Kind, Span, UnaryOperator};
use crate::types::Type;

impl<'a> Semantics<'a, '_> {
    /// `left = right` or `left operator= right`; the place that has been assigned.
    pub(super) fn assign(
        &mut self,
        operator: Option<syntax::BinaryOperator>,
        left: &'a syntax::Expression<'a>,
        right: &'a syntax::Expression<'a>,
        span: Span,
    ) -> Checked<Place> {
        let mut operands = self.operands();
        let place = self.check_is_place(left).and_then(|()| self.place(left));
        if let Ok(place) = &place {
            self.add_operand_place(&mut operands, place);
        }
        if super::name_of(left).is_some_and(|name| leaves_write(right, name)) {
            let what = "two changes of one variable in an order that C leaves open".to_string();
            self.emit_anything(what, span);
        }
        let mark = self.state.graph.mark();
        let Ok(place) = place else {
            // For the mistakes on the right side.
            self.discard(right)?;
            return Err(super::Reported);
        };
        let Some(operator) = operator else {
            let is_direct = Self::whole_variable(&place).is_some() || self.is_pure(right) || self.only_reads(right);
            if is_direct {
                if !operands.are_quiet() && self.is_pure(right) {
                    let value = self.value(right)?;
                    self.add_operand(&mut operands, &value);
                    self.unsequenced(operands, span);
                }
                // What a check finds may as well be on the left.
                let at = if self.options.checks.any() { span } else { right.span };
                self.check_constant(&place, span);
                self.assign_from_at(place.clone(), right, at)?;
                return Ok(place);
            }
            let value = self.assigned_from(&place, right)?;
            self.add_operand(&mut operands, &value);
            let place = self.settle_place(mark, place, left.span);
            self.unsequenced(operands, span);
            self.check_constant(&place, span);
            self.store(place.clone(), value, span)?;
            return Ok(place);
        };
        // As compilers have it: what is there is read when the right side is known.
        let value = self.value(right)?;
        self.add_operand(&mut operands, &value);
        let place = self.settle_place(mark, place, left.span);
        self.unsequenced(operands, span);
        let before = self.read(place.clone(), left.span)?;
        let value = self.binary(operator, before, value, span)?;
        self.check_constant(&place, span);
        self.store(place.clone(), value, span)?;
        Ok(place)
    }

    /// Whether the expression is a call that gives an unknown value and changes nothing.
    fn only_reads(&self, expression: &syntax::Expression<'a>) -> bool {
        match &expression.kind {
            Kind::Call(callee, arguments) => {
                let reads = matches!(
                    self.known_meaning(callee),
                    Some((_, Meaning::Reads | Meaning::ReadsBetween(..)))
                );
                reads && arguments.iter().all(|argument| self.is_pure(argument))
            }
            Kind::Unknown => true,
            _ => false,
        }
    }

    /// The value for a place, from an expression that may be an allocation.
    fn assigned_from(&mut self, place: &Place, right: &'a syntax::Expression<'a>) -> Checked<Value> {
        match self.allocation_of_type(right, place.kind)? {
            Some(value) => Ok(value),
            None => self.value(right),
        }
    }

    /// Assigns the expression's value to the place. Calls and unknown values go there without a detour.
    pub(super) fn assign_from(&mut self, place: Place, right: &'a syntax::Expression<'a>) -> Checked<()> {
        self.assign_from_at(place, right, right.span)
    }

    /// The same, for an assignment that is written there.
    fn assign_from_at(&mut self, place: Place, right: &'a syntax::Expression<'a>, at: Span) -> Checked<()> {
        let span = right.span;
        if self.bit_width(&place).is_none() {
            match &right.kind {
                Kind::Call(callee, arguments) => {
                    if self.allocate_into(&place, right)? {
                        return Ok(());
                    }
                    let value = self.call_value(callee, arguments, Some(&place), span)?;
                    // The call may have put its result there already.
                    if matches!(&value.kind, ExpressionKind::Read(read) if *read == place) {
                        return Ok(());
                    }
                    return self.store(place, value, span);
                }
                Kind::Cast(_, operand)
                    if self.is_allocation(operand)
                        && self.cast_matches(right, &place)?
                        && self.allocate_into(&place, operand)? =>
                {
                    return Ok(());
                }
                Kind::Unknown if matches!(self.types.get(place.kind), Type::Integer(_)) => {
                    let source = UnknownSource::Outside;
                    self.emit(InstructionKind::Unknown { target: place, source }, span);
                    return Ok(());
                }
                _ => {}
            }
        }
        let value = self.value(right)?;
        self.store(place, value, at)
    }

    fn cast_matches(&mut self, cast: &'a syntax::Expression<'a>, place: &Place) -> Checked<bool> {
        match &cast.kind {
            Kind::Cast(name, _) => Ok(self.named_type(name)? == place.kind),
            _ => Ok(false),
        }
    }

    /// The value of an assignment: that of its left side afterwards. Constants are seen through.
    pub(super) fn assigned_value(
        &mut self,
        place: Place,
        right: &'a syntax::Expression<'a>,
        span: Span,
    ) -> Checked<Value> {
        if matches!(right.kind, Kind::Integer(_) | Kind::Character(_)) && self.bit_width(&place).is_none() {
            // `a = b = 0` assigns 0 to both. Compound assignments do not come here with the right side's value.
            if let Some(value) = self.last_assigned_constant(&place) {
                return Ok(value);
            }
        }
        if self.types.is_scalar(place.kind) && self.is_volatile(&place) && self.bit_width(&place).is_none() {
            // What has just been written is its value; reading it again would be another read.
            let kind = self.types.without_volatile(place.kind);
            return Ok(self.typed(ExpressionKind::Read(place), kind));
        }
        self.read(place, span)
    }

    /// The constant that the last instruction assigned to the place.
    fn last_assigned_constant(&self, place: &Place) -> Option<Value> {
        match self.state.graph.last()? {
            InstructionKind::Assign { target, value }
                if target == place && matches!(value.kind, ExpressionKind::Integer(_)) =>
            {
                Some(value.clone())
            }
            _ => None,
        }
    }

    /// `++place` and the like; the value if it is wanted.
    pub(super) fn step(
        &mut self,
        operator: UnaryOperator,
        operand: &'a syntax::Expression<'a>,
        is_wanted: bool,
        span: Span,
    ) -> Checked<Option<Value>> {
        self.check_is_place(operand)?;
        let place = self.place(operand)?;
        let mut before = self.read(place.clone(), span)?;
        let is_postfix = matches!(operator, UnaryOperator::PostIncrement | UnaryOperator::PostDecrement);
        if is_postfix && is_wanted {
            let saved = self.saved(before, span);
            let kind = saved.kind;
            before = self.typed(ExpressionKind::Read(saved), kind);
        }
        let operation = match operator {
            UnaryOperator::PreIncrement | UnaryOperator::PostIncrement => syntax::BinaryOperator::Add,
            _ => syntax::BinaryOperator::Subtract,
        };
        let one = self.int_constant(1);
        let after = self.binary(operation, before.clone(), one, span)?;
        self.check_constant(&place, span);
        self.store(place.clone(), after, span)?;
        Ok(match (is_wanted, is_postfix) {
            (false, _) => None,
            (true, true) => Some(before),
            (true, false) => Some(self.read(place, span)?),
        })
    }

    /// Evaluates an expression for its side effects alone.
    pub(super) fn discard(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<()> {
        let span = expression.span;
        match &expression.kind {
            Kind::String { .. } => Ok(()),
            Kind::Comma(left, right) => {
                let checked = self.discard(left);
                self.discard(right).and(checked)
            }
            Kind::Assign(operator, left, right) => self.assign(*operator, left, right, span).map(drop),
            Kind::Unary(
                operator @ (UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement),
                operand,
            ) => self.step(*operator, operand, false, span).map(drop),
            Kind::Call(callee, arguments) => self.call_for_effect(callee, arguments, span),
            Kind::Cast(name, operand) => {
                let kind = self.named_type(name)?;
                self.check_cast(kind, span)?;
                match self.types.get(kind) {
                    Type::Void => self.discard(operand),
                    Type::Record(_) => {
                        let value = self.value(expression)?;
                        self.evaluated(value, span);
                        Ok(())
                    }
                    _ => {
                        self.check_number(operand)?;
                        self.discard(operand)
                    }
                }
            }
            Kind::Unary(UnaryOperator::Not, operand) => {
                self.check_number(operand)?;
                self.discard(operand)
            }
            Kind::And(left, right) if !self.is_pure(right) => {
                self.check_number(right)?;
                self.discard_side(left, Some(right), None)
            }
            Kind::Or(left, right) if !self.is_pure(right) => {
                self.check_number(right)?;
                self.discard_side(left, None, Some(right))
            }
            Kind::Conditional(condition, Some(consequence), alternative)
                if !self.is_pure(consequence) || !self.is_pure(alternative) =>
            {
                self.discard_side(condition, Some(consequence), Some(alternative))
            }
            Kind::StatementExpression(block) if !self.is_startup && !self.state.is_global() => {
                self.statement(block);
                Ok(())
            }
            Kind::Name(name) if self.scopes.find(name).is_some() && !self.options.checks.uninitialized => {
                self.check_named(name, span)
            }
            _ => {
                let value = self.value(expression)?;
                self.evaluated(value, span);
                Ok(())
            }
        }
    }

    /// Evaluates one of two expressions, or neither, for its side effects.
    fn discard_side(
        &mut self,
        condition: &'a syntax::Expression<'a>,
        consequence: Option<&'a syntax::Expression<'a>>,
        alternative: Option<&'a syntax::Expression<'a>>,
    ) -> Checked<()> {
        let graph = &mut self.state.graph;
        let (then, otherwise, join) = (graph.new_block(), graph.new_block(), graph.new_block());
        let mut checked = self.branch(condition, then, otherwise);
        for (block, side) in [(then, consequence), (otherwise, alternative)] {
            self.state.graph.resume(block);
            if let Some(side) = side {
                checked = self.discard(side).and(checked);
            }
            self.state.graph.goto(join, condition.span);
        }
        self.state.graph.resume(join);
        checked
    }

    /// Puts an unknown value into the place, directly if it has the type of the value.
    pub(super) fn unknown_into(
        &mut self,
        place: Option<&Place>,
        kind: crate::types::TypeId,
        source: UnknownSource,
        span: Span,
    ) -> Value {
        match place {
            Some(place) if place.kind == kind && self.numeric(kind) != Numeric::Aggregate => {
                let target = place.clone();
                self.emit(InstructionKind::Unknown { target, source }, span);
                self.typed(ExpressionKind::Read(place.clone()), kind)
            }
            _ => self.unknown_value(kind, source, span),
        }
    }
}

/// Whether the variable is changed by an expression, and that may happen when its value is known already: not before a sequence
/// point inside of it (C11 6.5).
fn leaves_write(expression: &syntax::Expression<'_>, name: &str) -> bool {
    let is_it = |operand: &syntax::Expression<'_>| super::name_of(operand) == Some(name);
    match &expression.kind {
        Kind::Unary(operator, operand) => {
            let is_step = matches!(
                operator,
                UnaryOperator::PreIncrement
                    | UnaryOperator::PreDecrement
                    | UnaryOperator::PostIncrement
                    | UnaryOperator::PostDecrement
            );
            (is_step && is_it(operand)) || leaves_write(operand, name)
        }
        Kind::Assign(_, left, right) => is_it(left) || leaves_write(left, name) || leaves_write(right, name),
        Kind::Binary(_, left, right) | Kind::Index(left, right) => {
            leaves_write(left, name) || leaves_write(right, name)
        }
        Kind::And(_, last) | Kind::Or(_, last) | Kind::Comma(_, last) => leaves_write(last, name),
        Kind::Conditional(_, consequence, alternative) => {
            consequence.is_some_and(|consequence| leaves_write(consequence, name)) || leaves_write(alternative, name)
        }
        Kind::Cast(_, operand) | Kind::Member(operand, _) | Kind::PointerMember(operand, _) => {
            leaves_write(operand, name)
        }
        _ => false,
    }
}
