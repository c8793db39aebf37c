//! What types decide: `_Generic`, and `__builtin_types_compatible_p`.
//!
//! The types here are those of values. They do not tell `char` from `signed char`, types of the same size such as `long` and
//! `long long`, an enumeration from its integer type, or what a `const` pointer points to: where that could decide, it is refused.

use super::{Checked, Semantics, Value};
use crate::syntax::{self, ExpressionKind, GenericChoice, Span, TypeName, TypeSpecifier};
use crate::types::{DataModel, Length, Type, TypeId, Types};

impl<'a> Semantics<'a, '_> {
    /// The expression itself, or what `_Generic` chooses.
    pub(super) fn selected(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<&'a syntax::Expression<'a>> {
        let mut expression = expression;
        while let ExpressionKind::Generic(control, choices) = &expression.kind {
            expression = self.choice_by_type(control, choices, expression.span)?;
        }
        Ok(expression)
    }

    fn choice_by_type(
        &mut self,
        control: &'a syntax::Expression<'a>,
        choices: &'a [GenericChoice<'a>],
        span: Span,
    ) -> Checked<&'a syntax::Expression<'a>> {
        let kind = self.unevaluated(|semantics| semantics.value(control))?.c_type;
        let mut found = None;
        for choice in choices {
            let Some(name) = choice.kind else { continue };
            let listed = self.named_type(name)?;
            // A type that is `volatile` is no value's.
            if listed != kind {
                continue;
            }
            if found.is_some() || !self.is_told_apart(kind) || self.may_be_enumeration(name) {
                return Err(self.undecided(kind, span));
            }
            found = Some(choice.value);
        }
        let is_bit_field = self.may_be_bit_field(control);
        let others = choices.iter().find(|choice| choice.kind.is_none());
        match found.or(others.map(|choice| choice.value)) {
            Some(value) if !is_bit_field && self.is_comparable(kind) => Ok(value),
            _ => Err(self.undecided(kind, span)),
        }
    }

    /// `__builtin_types_compatible_p (type, type)`
    pub(super) fn types_compatible(&mut self, names: [&'a TypeName<'a>; 2], span: Span) -> Checked<Value> {
        let mut kinds = [Types::INT; 2];
        for (kind, name) in kinds.iter_mut().zip(names) {
            let named = self.named_type(name)?;
            *kind = self.types.without_volatile(named);
        }
        let [one, other] = kinds;
        if one != other {
            let is_array = |kind: TypeId| matches!(self.types.get(kind), Type::Array(..));
            // Arrays of any length are compatible with those whose length is not said.
            let differ = match (is_array(one), is_array(other)) {
                (true, true) => self.differ_in_length(one, other),
                (false, false) => self.is_comparable(one) && self.is_comparable(other),
                _ => true,
            };
            return match differ {
                true => Ok(self.int_constant(0)),
                false => Err(self.undecided(one, span)),
            };
        }
        let are_enumerations = names.iter().all(|name| self.may_be_enumeration(name));
        match self.is_told_apart(one) && !are_enumerations {
            true => Ok(self.int_constant(1)),
            false => Err(self.undecided(one, span)),
        }
    }

    fn differ_in_length(&self, one: TypeId, other: TypeId) -> bool {
        match (self.types.get(one), self.types.get(other)) {
            (Type::Array(one, Length::Fixed(first)), Type::Array(other, Length::Fixed(second))) => {
                one == other && first != second
            }
            _ => false,
        }
    }

    /// Whether another type of values is never taken for this one: no two types of C are the same here.
    fn is_told_apart(&self, kind: TypeId) -> bool {
        match self.types.get(kind) {
            Type::Integer(integer) => {
                let is_doubled = match integer.bits {
                    8 => integer.signed,
                    32 => self.types.model() == DataModel::Ilp32,
                    64 => self.types.model() == DataModel::Lp64,
                    _ => false,
                };
                !is_doubled
            }
            Type::Floating(bits) => *bits < 80,
            Type::Record(_) => true,
            _ => false,
        }
    }

    /// Whether two different types of this kind are never compatible: they have no parts that are left open.
    fn is_comparable(&self, kind: TypeId) -> bool {
        match self.types.get(kind) {
            Type::Integer(_) | Type::Floating(_) | Type::Record(_) | Type::Void => true,
            Type::Pointer(target) => self.is_comparable(*target),
            _ => false,
        }
    }

    /// Whether a name may be that of an enumeration, which is compatible with its integer type, but with no other one.
    fn may_be_enumeration(&self, name: &TypeName<'a>) -> bool {
        !matches!(
            name.specifiers.kind,
            Some(
                TypeSpecifier::Bool
                    | TypeSpecifier::Char { .. }
                    | TypeSpecifier::Integer { .. }
                    | TypeSpecifier::Float
                    | TypeSpecifier::Double
                    | TypeSpecifier::Record { .. }
            )
        )
    }

    /// Whether an expression's type may be that of a bit-field, which compilers do not agree about.
    fn may_be_bit_field(&mut self, expression: &'a syntax::Expression<'a>) -> bool {
        match &expression.kind {
            ExpressionKind::Member(..) | ExpressionKind::PointerMember(..) => {
                let place = self.unevaluated(|semantics| semantics.place(expression));
                !place.is_ok_and(|place| self.bit_width(&place).is_none())
            }
            ExpressionKind::Comma(_, last) => self.may_be_bit_field(last),
            ExpressionKind::Assign(_, target, _) => self.may_be_bit_field(target),
            ExpressionKind::Unary(operator, operand) => {
                let is_step = matches!(
                    operator,
                    syntax::UnaryOperator::PreIncrement
                        | syntax::UnaryOperator::PreDecrement
                        | syntax::UnaryOperator::PostIncrement
                        | syntax::UnaryOperator::PostDecrement
                );
                is_step && self.may_be_bit_field(operand)
            }
            ExpressionKind::StatementExpression(_) | ExpressionKind::Generic(..) => true,
            _ => false,
        }
    }

    fn undecided(&mut self, kind: TypeId, span: Span) -> super::Reported {
        let message = format!(
            "a choice by the type {}, of which not all is known here",
            self.types.display(kind)
        );
        self.refuse(span, message, "cannot be translated", None)
    }
}
