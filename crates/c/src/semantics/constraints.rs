//! What C asks of expressions and types where nothing else would look: what is assigned to is a place and no value, and a type
//! is complete where its size counts, be it used or not. Compilers take nothing else.

use super::scopes::Entity;
use super::storage::FirstValue;
use super::{Checked, Reported, Semantics, Value};
use crate::program::{ExpressionKind, VariableId, VariableRole};
use crate::syntax::{self, ExpressionKind as Kind, Initializer, Name, Span, UnaryOperator};
use crate::types::{Length, Type, TypeId, Types};

impl<'a> Semantics<'a, '_> {
    /// Whether the type is a struct or union of which only the tag is known here.
    pub(super) fn is_incomplete(&self, kind: TypeId) -> bool {
        matches!(self.types.get(kind), Type::Record(record) if self.types.record(*record).fields.is_none())
            && !self.is_computed_record(kind)
    }

    /// An expression that is assigned to, changed, or whose address is taken: the result of a call, of a choice, of a cast or
    /// of another assignment is none of that, nor are its members. Their elements are places.
    pub(super) fn check_is_place(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<()> {
        let mut inner = self.selected(expression)?;
        loop {
            inner = match &inner.kind {
                Kind::Member(object, _) => self.selected(object)?,
                Kind::Unary(UnaryOperator::RealPart | UnaryOperator::ImaginaryPart, number) => self.selected(number)?,
                // What it chooses may be a place.
                Kind::Call(callee, _) if super::name_of(callee) == Some("__builtin_choose_expr") => return Ok(()),
                Kind::Call(..)
                | Kind::Conditional(..)
                | Kind::Assign(..)
                | Kind::Comma(..)
                | Kind::Cast(..)
                | Kind::StatementExpression(_)
                | Kind::ConvertVector(..)
                | Kind::VaArg(..) => break,
                _ => return Ok(()),
            };
        }
        let is_member = !std::ptr::eq(inner, expression);
        let help = is_member.then(|| "keep the value in a variable, and take the member of that".to_string());
        let label = match is_member {
            true => "a part of a value",
            false => "only a value",
        };
        let message = "this is not a place that could be assigned to";
        Err(self.error(expression.span, message, label, help))
    }

    /// The type of an expression that has no truth value and is no number, if that can be seen without evaluating it.
    fn kind_without_number(&self, expression: &syntax::Expression<'a>) -> Option<TypeId> {
        let kind = match &expression.kind {
            Kind::Name(name) => match self.scopes.find(name).map(|found| &found.what)? {
                Entity::Variable(variable) => self.variable(*variable).kind,
                _ => return None,
            },
            Kind::Call(callee, _) => {
                let Entity::Function(function) = self.scopes.find(super::name_of(callee)?)?.what else {
                    return None;
                };
                match *self.types.get(self.function(function).kind) {
                    Type::Function { result, .. } => result,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let is_plain_record = matches!(self.types.get(kind), Type::Record(_))
            && !self.is_complex(kind)
            && self.vector_of(kind).is_none()
            && !self.is_computed_record(kind);
        (is_plain_record || kind == Types::VOID).then_some(kind)
    }

    /// An operand that is looked at for whether it is zero, or cast to a number, though nobody wants the result.
    pub(super) fn check_number(&mut self, operand: &'a syntax::Expression<'a>) -> Checked<()> {
        let Some(kind) = self.kind_without_number(operand) else {
            return Ok(());
        };
        let shown = self.types.display(kind);
        let message = format!("a number or pointer is needed, not {shown}");
        let help = match kind {
            Types::VOID => "call it in a statement of its own",
            _ => "name the member that counts",
        };
        Err(self.error(operand.span, message, "has no truth value", Some(help.to_string())))
    }

    /// A variable as a statement of its own, or cast to `void`: it is a value, if one that nobody looks at.
    pub(super) fn check_named(&mut self, name: &str, span: Span) -> Checked<()> {
        let kind = match self.scopes.find(name).map(|found| &found.what) {
            Some(Entity::Variable(variable)) => self.variable(*variable).kind,
            _ => return Ok(()),
        };
        match self.is_incomplete(kind) {
            true => Err(self.incomplete(format!("`{name}`"), kind, span)),
            false => Ok(()),
        }
    }

    /// The result of a call is complete, or there is none.
    pub(super) fn check_result_type(&mut self, result: TypeId, span: Span) -> Checked<()> {
        match self.is_incomplete(result) {
            true => Err(self.incomplete("the result of this call".to_string(), result, span)),
            false => Ok(()),
        }
    }

    /// So is that of a function with a body.
    pub(super) fn check_defined_result(&mut self, result: TypeId, name: Name<'a>) -> Checked<()> {
        match self.is_incomplete(result) {
            true => Err(self.incomplete(format!("the result of `{}`", name.text), result, name.span)),
            false => Ok(()),
        }
    }

    /// What is given a value has a size, unless the value says it.
    pub(super) fn check_has_size(
        &mut self,
        name: Name<'a>,
        kind: TypeId,
        initializer: Option<&'a Initializer<'a>>,
    ) -> Checked<()> {
        match initializer.is_some() && self.is_incomplete(kind) {
            true => Err(self.incomplete(format!("`{}` is given a value and", name.text), kind, name.span)),
            false => Ok(()),
        }
    }

    fn incomplete(&mut self, what: String, kind: TypeId, span: Span) -> Reported {
        let shown = self.types.display(kind);
        let message = format!("{what} has the incomplete type {shown}");
        let help = Some(format!("say what is in {shown} before this"));
        self.error(span, message, "the type is only named here", help)
    }

    /// What the file defines is complete at its end.
    pub(super) fn check_globals_are_complete(&mut self) {
        for index in 0..self.variables.len() {
            let variable = &self.variables[index];
            let (kind, span) = (variable.kind, variable.span);
            let is_defined = variable.role == VariableRole::Global
                && self.initialized.get(&VariableId(index as u32)) != Some(&FirstValue::Elsewhere);
            if is_defined && span.start < self.end && self.is_incomplete(kind) {
                let message = format!("`{}`", self.variables[index].name);
                self.incomplete(message, kind, span);
            }
        }
    }

    /// The type of a choice between two pointers: one to `void` gives way to none but null, and what is volatile stays so.
    pub(super) fn common_pointer(&mut self, one: &Value, other: &Value) -> TypeId {
        let target = |kind| match *self.types.get(kind) {
            Type::Pointer(target) => target,
            _ => kind,
        };
        let targets = [target(one.c_type), target(other.c_type)];
        let [is_void, is_other_void] = targets.map(|target| target == Types::VOID);
        let chosen = match (self.is_null_constant(one), self.is_null_constant(other)) {
            (true, _) if is_void => return other.c_type,
            (_, true) if is_other_void => return one.c_type,
            _ if is_void || is_other_void => Types::VOID,
            (true, false) => targets[1],
            _ => self.composite(targets[0], targets[1]),
        };
        // The type of the address of a variable does not say it.
        let leads_to_volatile =
            |side: &Value| matches!(&side.kind, ExpressionKind::AddressOf(place) if self.is_volatile(place));
        let is_volatile = targets.iter().any(|target| self.types.is_volatile(*target))
            || leads_to_volatile(one)
            || leads_to_volatile(other);
        match is_volatile {
            true => {
                let chosen = self.types.volatile_of(chosen);
                self.types.pointer_to(chosen)
            }
            false => self.types.pointer_to(chosen),
        }
    }

    /// What two declarations of one thing, or two sides of a choice, say together: lengths of arrays and parameters that one of
    /// them leaves open are what the other says (C11 6.2.7). Of types that have nothing in common, the first one.
    pub(super) fn composite(&mut self, one: TypeId, other: TypeId) -> TypeId {
        match (self.types.get(one).clone(), self.types.get(other).clone()) {
            _ if one == other || self.types.is_volatile(one) || self.types.is_volatile(other) => one,
            (Type::Pointer(one), Type::Pointer(other)) => {
                let target = self.composite(one, other);
                self.types.pointer_to(target)
            }
            (Type::Array(element, length), Type::Array(again, other)) => {
                let element = self.composite(element, again);
                let length = match length {
                    Length::Unknown => other,
                    _ => length,
                };
                self.types.intern(Type::Array(element, length))
            }
            (Type::Function { .. }, Type::Function { .. }) if self.is_old(one) && self.functions_agree(one, other) => {
                other
            }
            _ => one,
        }
    }
}
