//! Calls: whom they mean, their arguments and results.

use super::conventions::{Meaning, type_by_name};
use super::names::{is_declared_by_compiler, returns_no_int};
use super::scopes::Entity;
use super::unsequenced::Operands;
use super::{Checked, Semantics, Value};
use crate::program::{Callee, ExpressionKind, FunctionId, InstructionKind, Numeric, Place, Terminator};
use crate::syntax::{self, Span};
use crate::types::{Type, TypeId};

type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

impl<'a> Semantics<'a, '_> {
    /// The value of a call. If a place is given that takes such a value as it is, the call may put it there itself; then the
    /// value is what that place holds.
    pub(super) fn call_value(
        &mut self,
        callee: &'a syntax::Expression<'a>,
        arguments: Arguments<'a>,
        place: Option<&Place>,
        span: Span,
    ) -> Checked<Value> {
        let callee = self.selected(callee)?;
        let value = self.result_of_call(callee, arguments, place, span)?;
        self.change_errno(callee, span)?;
        Ok(value)
    }

    fn result_of_call(
        &mut self,
        callee: &'a syntax::Expression<'a>,
        arguments: Arguments<'a>,
        place: Option<&Place>,
        span: Span,
    ) -> Checked<Value> {
        if let Some(name) = super::name_of(callee) {
            self.check_stream(name, arguments)?;
        }
        if let Some((name, meaning)) = self.known_meaning(callee) {
            return match self.is_cut(name, meaning) {
                false => self.known_call(name, meaning, arguments, place, span),
                true => {
                    self.known_call(name, meaning, arguments, None, span)?;
                    self.cut_result(name, span)
                }
            };
        }
        if let Some(length) = self.length_of_literal(callee, arguments) {
            return Ok(length);
        }
        if let Some(result) = self.compared_memory(callee, arguments, span)? {
            return Ok(result);
        }
        let operands = self.operands();
        let (callee, kind) = self.callee(callee)?;
        let (result, arguments) = self.arguments(&callee, kind, arguments, operands, span)?;
        if matches!(self.types.get(result), Type::Void) {
            let is_last = self.is_last_call(&callee);
            let call = InstructionKind::Call {
                target: None,
                callee,
                kind,
                arguments,
            };
            self.emit(call, span);
            if is_last {
                return self.ends_after_call(span);
            }
            return Ok(self.void_value());
        }
        let target = match place {
            Some(place) if place.kind == result => place.clone(),
            _ => self.temporary(result, span),
        };
        let call = InstructionKind::Call {
            target: Some(target.clone()),
            callee,
            kind,
            arguments,
        };
        self.emit(call, span);
        Ok(self.typed(ExpressionKind::Read(target), result))
    }

    /// A call whose result nobody wants.
    pub(super) fn call_for_effect(
        &mut self,
        callee: &'a syntax::Expression<'a>,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<()> {
        self.effect_of_call(callee, arguments, span)?;
        self.change_errno(callee, span)
    }

    fn effect_of_call(
        &mut self,
        callee: &'a syntax::Expression<'a>,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<()> {
        if let Some(name) = super::name_of(callee) {
            self.check_stream(name, arguments)?;
        }
        if let Some((name, meaning)) = self.known_meaning(callee) {
            if meaning == Meaning::Absolute && self.options.checks.any() {
                let value = self.known_call(name, meaning, arguments, None, span)?;
                self.evaluated(value, span);
                return Ok(());
            }
            if matches!(
                meaning,
                Meaning::Reads | Meaning::ReadsBetween(..) | Meaning::Mathematics | Meaning::Absolute
            ) {
                return self.discard_all(arguments);
            }
            if meaning == Meaning::Determined {
                return self.read_texts(arguments);
            }
            if meaning == Meaning::FirstArgument {
                self.refuse_effects_in_advice(name, arguments)?;
                return self.discard_all(arguments.get(..1).unwrap_or_default());
            }
            return match meaning {
                Meaning::IsConstant | Meaning::Unevaluated => Ok(()),
                Meaning::Prints(first) => self.print(name, arguments, first, span),
                Meaning::Scans(first) => self.scan(name, arguments, first, None, span),
                _ => self.known_call(name, meaning, arguments, None, span).map(drop),
            };
        }
        let operands = self.operands();
        let (callee, kind) = self.callee(callee)?;
        let (_, arguments) = self.arguments(&callee, kind, arguments, operands, span)?;
        let is_last = self.is_last_call(&callee);
        let call = InstructionKind::Call {
            target: None,
            callee,
            kind,
            arguments,
        };
        self.emit(call, span);
        if is_last {
            self.ends_after_call(span)?;
        }
        Ok(())
    }

    /// Whether a call of the function, which has no body, does not come back.
    fn is_last_call(&self, callee: &Callee) -> bool {
        let Callee::Function(function) = callee else {
            return false;
        };
        let name = self.function(*function).name.as_str();
        let is_elsewhere = !self.has_body(*function) && !self.has_stand_in(*function);
        is_elsewhere && self.never_returns(name)
    }

    /// A function that does not come back may end the program as `exit` does.
    fn ends_after_call(&mut self, span: Span) -> Checked<Value> {
        self.end_program(span);
        self.ends(Terminator::Stop, &[], span)
    }

    /// Whether the function is declared not to come back, and is no other name for another one.
    pub(super) fn never_returns(&self, name: &str) -> bool {
        self.symbols.never_return.contains(name) && !self.symbols.others.contains_key(name)
    }

    pub(super) fn discard_all(&mut self, arguments: Arguments<'a>) -> Checked<()> {
        let mut checked = Ok(());
        for argument in arguments {
            checked = self.discard(argument).and(checked);
        }
        checked
    }

    /// What a call by this name means, if it has a meaning of its own.
    pub(super) fn known_meaning(&self, callee: &syntax::Expression<'a>) -> Option<(&'a str, Meaning)> {
        let name = super::name_of(callee)?;
        // A variable of that name is called like any other pointer.
        if !matches!(
            self.scopes.find(name).map(|found| &found.what),
            None | Some(Entity::Function(_))
        ) {
            return None;
        }
        self.meaning_of(name).map(|meaning| (name, meaning))
    }

    /// Whether the result of a known function is another value than the function returns, as the program declares it with another
    /// type, or not at all: then it is an `int`, unless the compiler has a declaration itself.
    fn is_cut(&self, name: &str, meaning: Meaning) -> bool {
        match self.scopes.find(name).map(|found| &found.what) {
            Some(Entity::Function(function)) => match self.types.get(self.function(*function).kind) {
                Type::Function { result, .. } => meaning.returns_pointer() && self.numeric(*result) != Numeric::Pointer,
                _ => false,
            },
            Some(_) => false,
            None if is_declared_by_compiler(name) => returns_no_int(name),
            None => meaning.returns_pointer(),
        }
    }

    /// What is left of such a result.
    fn cut_result(&mut self, name: &str, span: Span) -> Checked<Value> {
        let kind = self.known_result(name);
        if matches!(self.types.get(kind), Type::Void) {
            return Ok(self.void_value());
        }
        let target = self.temporary(kind, span);
        let what = format!("the result of `{name}` as {}", self.types.display(kind));
        // It may be an address all the same, which whoever takes it for a number knows nothing of.
        self.emit_anything(what, span);
        Ok(self.typed(ExpressionKind::Read(target), kind))
    }

    /// The type of the result of a function that is known by its name.
    pub(super) fn known_result(&mut self, name: &str) -> TypeId {
        if let Some(Entity::Function(function)) = self.scopes.find(name).map(|found| &found.what)
            && let Type::Function { result, .. } = *self.types.get(self.function(*function).kind)
        {
            return result;
        }
        type_by_name(&mut self.types, name)
    }

    /// What is called, and its type.
    fn callee(&mut self, callee: &'a syntax::Expression<'a>) -> Checked<(Callee, TypeId)> {
        if let Some(name) = super::name_of(callee).map(|name| self.name_in_library(name)) {
            if let Some(Entity::Variable(variable)) = self.scopes.find(name).map(|found| &found.what)
                && self.volatile.contains(variable)
            {
                let what = "a call through a pointer that may change at any time".to_string();
                self.emit_anything(what, callee.span);
            }
            match self.scopes.find(name).map(|found| found.what.clone()) {
                Some(Entity::Function(function)) => {
                    self.note_weak_use(name, callee.span);
                    return Ok((Callee::Function(function), self.function(function).kind));
                }
                None => {
                    let function = self.implicit_function(name, callee.span);
                    self.note_linkage(function, None, callee.span);
                    return Ok((Callee::Function(function), self.function(function).kind));
                }
                _ => {}
            }
        }
        let value = self.value(callee)?;
        let Type::Pointer(target) = *self.types.get(value.c_type) else {
            return Err(self.not_a_function(callee.span, value.c_type));
        };
        if !matches!(self.types.get(target), Type::Function { .. }) {
            return Err(self.not_a_function(callee.span, value.c_type));
        }
        match value.kind {
            ExpressionKind::FunctionAddress(function) => Ok((Callee::Function(function), target)),
            _ => Ok((Callee::Address(value), target)),
        }
    }

    fn not_a_function(&mut self, span: Span, kind: TypeId) -> super::Reported {
        let message = format!(
            "something of type {} is called like a function",
            self.types.display(kind)
        );
        self.error(span, message, "not a function", None)
    }

    /// A function that is called without a declaration: it takes anything and returns an `int`.
    pub(super) fn implicit_function(&mut self, name: &'a str, span: Span) -> FunctionId {
        if self.library.contains_key(name)
            && is_declared_by_compiler(name)
            && let Some(function) = self.declare_from_library(name, span)
        {
            return function;
        }
        let result = type_by_name(&mut self.types, name);
        let kind = self.types.intern(Type::Function {
            result,
            parameters: Vec::new(),
            open: true,
        });
        if !self.defined.contains(name) {
            self.warn(
                span,
                format!("`{name}` is called without a declaration"),
                "taken to return an `int`",
            );
        }
        let function = self.add_function(name.to_string(), kind, span);
        self.implicit.insert(function);
        self.scopes.declare_outermost(name, Entity::Function(function), span);
        function
    }

    /// The type of the result, and the arguments as the parameters take them.
    fn arguments(
        &mut self,
        callee: &Callee,
        kind: TypeId,
        arguments: Arguments<'a>,
        mut operands: Operands,
        span: Span,
    ) -> Checked<(TypeId, Vec<Value>)> {
        let Type::Function {
            result,
            parameters,
            open,
        } = self.types.get(kind).clone()
        else {
            return Err(self.not_a_function(span, kind));
        };
        self.check_result_type(result, span)?;
        let has_body = match callee {
            Callee::Function(function) => self.has_body(*function) || self.has_stand_in(*function),
            Callee::Address(_) => true,
        };
        self.add_callee(&mut operands, callee);
        let count = arguments.len();
        if count < parameters.len() || (count > parameters.len() && !open) {
            self.wrong_count(callee, parameters.len(), count, has_body, span)?;
        }
        if !has_body {
            let exposed = self.exposed(callee, arguments, &parameters, span)?;
            return Ok((result, exposed));
        }
        let mut values: Vec<Value> = Vec::with_capacity(count);
        let mut checked = Ok(());
        for (position, argument) in arguments.iter().enumerate() {
            let mark = self.state.graph.mark();
            match self.argument(argument, parameters.get(position).copied()) {
                Ok(value) => {
                    // The definition may have fewer parameters.
                    let value = self.evaluated_now(value, argument.span);
                    self.add_operand(&mut operands, &value);
                    let earlier = std::mem::take(&mut values);
                    let settled = earlier.into_iter().map(|value| self.settle(mark, value, argument.span));
                    values = settled.collect();
                    values.push(value);
                    self.operands_end_here(&mut operands);
                }
                Err(reported) => checked = Err(reported),
            }
        }
        checked?;
        self.unsequenced(operands, span);
        self.check_arguments(callee, &values, &parameters, span);
        Ok((result, values))
    }

    fn argument(&mut self, argument: &'a syntax::Expression<'a>, parameter: Option<TypeId>) -> Checked<Value> {
        if let Some(kind) = parameter
            && let Some(value) = self.allocation_of_type(argument, kind)?
        {
            return Ok(value);
        }
        let value = self.value(argument)?;
        match parameter {
            Some(kind) => self.convert_implicitly(value, kind, argument.span),
            None => Ok(match value.numeric {
                Numeric::Floating(32) => {
                    let double = self.types.intern(Type::Floating(64));
                    self.convert(value, double)
                }
                _ => self.promote(value),
            }),
        }
    }

    fn wrong_count(
        &mut self,
        callee: &Callee,
        expected: usize,
        given: usize,
        has_body: bool,
        span: Span,
    ) -> Checked<()> {
        let plural = if expected == 1 { "" } else { "s" };
        let (name, place) = match callee {
            Callee::Function(function) => {
                let function = self.function(*function);
                (format!("`{}`", function.name), Some(function.span))
            }
            Callee::Address(_) => ("the function".to_string(), None),
        };
        let message = format!("{name} takes {expected} argument{plural}, but {given} are given");
        if !has_body {
            // Its arguments have no effect whatever they are.
            self.warn(span, message, "in this call");
            return Ok(());
        }
        Err(match place {
            Some(place) => self.error_with(span, message, "in this call", (place, "declared here")),
            None => self.error(span, message, "in this call", None),
        })
    }
}
