//! What programs ask about the objects that their pointers point into: functions of CBMC and ESBMC, as their documents have
//! them. The answers follow from the layout of memory, in `memory/questions.rs`.

use super::known_calls::Arguments;
use super::scopes::Entity;
use super::{Checked, Semantics, Value};
use crate::program::{
    Asked, BinaryOperator, ExpressionKind, InstructionKind, Numeric, PlaceBase, Question, UnknownSource, VariableId,
};
use crate::syntax::Span;
use crate::types::{IntegerType, TypeId, Types};
use num_bigint::BigInt;

/// What such a function asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inquiry {
    /// One thing about its pointer.
    Plain(Question),
    /// Whether both pointers point into one object.
    SameObject,
    /// Whether so many bytes are there: none are everywhere.
    HasBytesOrNone,
}

impl<'a> Semantics<'a, '_> {
    /// The answer to what a function asks.
    pub(super) fn inquiry(
        &mut self,
        name: &str,
        inquiry: Inquiry,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<Value> {
        let wanted = match inquiry {
            Inquiry::SameObject | Inquiry::HasBytesOrNone | Inquiry::Plain(Question::HasBytes) => 2,
            Inquiry::Plain(_) => 1,
        };
        self.argument_at(name, arguments, wanted - 1, span)?;
        let mut values = self.values_in_order(arguments)?.into_iter();
        let (Some(first), second) = (values.next(), values.next()) else {
            return Err(super::Reported);
        };
        let first = self.address_asked_about(first, span)?;
        let answer = match (inquiry, second) {
            (Inquiry::SameObject, Some(second)) => {
                let second = self.address_asked_about(second, span)?;
                let one = self.ask(name, Question::Object, first, None, span);
                let other = self.ask(name, Question::Object, second, None, span);
                self.operation(BinaryOperator::Equal, one, other, Types::INT)
            }
            (Inquiry::HasBytesOrNone | Inquiry::Plain(Question::HasBytes), Some(bytes)) => {
                let size_type = self.size_type();
                let bytes = self.convert_implicitly(bytes, size_type, span)?;
                let bytes = self.saved_value(bytes, span);
                let has = self.ask(name, Question::HasBytes, first, Some(bytes.clone()), span);
                match inquiry {
                    Inquiry::HasBytesOrNone => {
                        let zero = self.constant(0, size_type);
                        let is_nothing = self.operation(BinaryOperator::Equal, bytes, zero, Types::INT);
                        let has = self.convert(has, Types::INT);
                        self.operation(BinaryOperator::BitOr, is_nothing, has, Types::INT)
                    }
                    _ => has,
                }
            }
            (Inquiry::Plain(question), _) => self.ask(name, question, first, None, span),
            _ => return Err(super::Reported),
        };
        // A program that declares it itself may have another type for it.
        match self.scopes.find(name).map(|found| &found.what) {
            Some(Entity::Function(_)) => {
                let kind = self.known_result(name);
                self.convert_implicitly(answer, kind, span)
            }
            _ => Ok(answer),
        }
    }

    /// `__ESBMC_init_object(pointer)`: all of the object that the pointer points into gets unknown values. `klee_make_symbolic(pointer, size,
    /// name)` does the same, and says how large the object has to be.
    pub(super) fn forgets_object(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let value = self.first_argument(name, arguments, span)?;
        let variable = match Self::without_casts(value).kind {
            ExpressionKind::AddressOf(place) => match place.base {
                PlaceBase::Variable(variable) => Some(variable),
                PlaceBase::Dereference(_) => None,
            },
            _ => None,
        };
        for argument in arguments.iter().skip(1) {
            self.discard(argument)?;
        }
        let size = match arguments.get(1) {
            Some(size) => Some(self.try_constant(size)?),
            None => None,
        };
        let is_whole = |variable: &VariableId| {
            let own = self.types.size_of(self.variable(*variable).kind);
            size.as_ref()
                .is_none_or(|said| said.is_some() && *said == own.map(BigInt::from))
        };
        match variable.filter(is_whole) {
            Some(variable) => {
                let target = self.variable_place(variable);
                let source = UnknownSource::Outside;
                self.emit(InstructionKind::Unknown { target, source }, span);
            }
            None => {
                let what = format!("`{name}` of a part of an object, or of what a pointer leads to");
                self.emit_anything(what, span);
            }
        }
        Ok(self.void_value())
    }

    fn ask(&mut self, name: &str, question: Question, pointer: Value, bytes: Option<Value>, span: Span) -> Value {
        let kind = self.type_of_answer(question);
        let target = self.temporary(kind, span);
        let asked = Asked {
            name: name.to_string(),
            question,
            pointer,
            bytes,
        };
        let ask = InstructionKind::Ask {
            target: target.clone(),
            asked,
        };
        self.emit(ask, span);
        self.typed(ExpressionKind::Read(target), kind)
    }

    fn address_asked_about(&mut self, value: Value, span: Span) -> Checked<Value> {
        match value.numeric {
            Numeric::Pointer => Ok(value),
            _ => {
                let kind = self.types.pointer_to(Types::VOID);
                self.convert_implicitly(value, kind, span)
            }
        }
    }

    fn type_of_answer(&mut self, question: Question) -> TypeId {
        let size = self.types.size_type();
        match question {
            Question::Offset => self.types.integer(IntegerType { signed: true, ..size }),
            Question::Object | Question::Size | Question::Elements => self.types.integer(size),
            Question::IsAllocated | Question::HasBytes => self.types.integer(IntegerType::BOOL),
        }
    }
}
