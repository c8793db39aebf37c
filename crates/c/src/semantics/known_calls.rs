//! Calls with a meaning of their own become instructions.

use super::conventions::{Meaning, Returns};
use super::error_numbers::UNKNOWN_ERRNO;
use super::memory_comparison::plain_name_of_model;
use super::models::UNKNOWN_RESULT;
use super::{Checked, Semantics, Value};
use crate::options::Output;
use crate::program::{ErrorKind, ExpressionKind, InstructionKind, Numeric, Place, Reach, Terminator, UnknownSource};
use crate::syntax::{self, Span};
use crate::types::{IntegerType, Type, Types};
use num_bigint::BigInt;
use num_traits::Zero;

pub(super) type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

impl<'a> Semantics<'a, '_> {
    /// A call of a function with a known meaning. Its value may have been put into the place, if one is given.
    pub(super) fn known_call(
        &mut self,
        name: &'a str,
        meaning: Meaning,
        arguments: Arguments<'a>,
        place: Option<&Place>,
        span: Span,
    ) -> Checked<Value> {
        match meaning {
            Meaning::Fails => self.ends(Terminator::Error(ErrorKind::Reached), arguments, span),
            Meaning::Ends => {
                self.discard_all(arguments)?;
                // There is one thread: when it ends, so does the program.
                if matches!(
                    self.symbols.symbol(name),
                    "exit" | "__builtin_exit" | "pthread_exit" | "thrd_exit"
                ) {
                    self.end_program(span);
                }
                let end = match self.symbols.symbol(name) {
                    "__builtin_unreachable" if self.options.checks.unreachable => {
                        Terminator::Error(ErrorKind::Unreachable)
                    }
                    _ => Terminator::Stop,
                };
                self.ends(end, &[], span)
            }
            Meaning::Asserts => self.assertion(name, arguments, true, span),
            Meaning::Refutes => {
                self.is_for_tracer = true;
                self.assertion(name, arguments, false, span)
            }
            Meaning::Assumes => {
                let value = self.first_argument(name, arguments, span)?;
                let value = self.require_scalar(value, span)?;
                self.emit(InstructionKind::Assume(value), span);
                Ok(self.void_value())
            }
            Meaning::Reads | Meaning::ReadsBetween(..) => {
                self.discard_all(arguments)?;
                let kind = self.known_result(name);
                if matches!(self.types.get(kind), Type::Void) {
                    return Ok(self.void_value());
                }
                let source = match name {
                    UNKNOWN_RESULT => plain_name_of_model(&self.state.name).to_string(),
                    _ => name.to_string(),
                };
                let value = self.unknown_into(place, kind, UnknownSource::Call(source), span);
                // A program that declares it with a type that lacks these numbers means another function.
                if let (Meaning::ReadsBetween(least, most), Numeric::Integer(kind)) = (meaning, value.numeric)
                    && kind.minimum() <= least.into()
                    && kind.maximum() >= most.into()
                {
                    self.assume_between(&value, least.into(), most.into(), span)?;
                }
                Ok(value)
            }
            Meaning::Forgets => self.forgets(name, arguments, span),
            Meaning::ForgetsObject => self.forgets_object(name, arguments, span),
            Meaning::ForgetsArray => self.forgets_array(name, arguments, span),
            Meaning::Advice => Ok(self.int_constant(0)),
            Meaning::Nothing => {
                self.discard_all(arguments)?;
                Ok(self.int_constant(0))
            }
            Meaning::IsLeftOpen => self.uninterpreted(name, arguments, span),
            Meaning::Asks(inquiry) => self.inquiry(name, inquiry, arguments, span),
            Meaning::Apart => self.apart(arguments, span),
            Meaning::ReadsBytes => self.reads(arguments, span),
            Meaning::WantsAddress => self.wants(arguments, span),
            Meaning::StartsArguments => {
                let list = self.argument_at(name, arguments, 0, span)?;
                self.discard_all(arguments.get(1..).unwrap_or_default())?;
                match self.place_of_list(list, span)? {
                    Some(list) => self.emit(InstructionKind::StartArguments { list }, span),
                    None => {
                        let target = self.place(list)?;
                        self.emit_unsupported("variable arguments", vec![target], span);
                    }
                }
                Ok(self.void_value())
            }
            Meaning::CopiesArguments => {
                let list = self.argument_at(name, arguments, 0, span)?;
                let from = self.argument_at(name, arguments, 1, span)?;
                let from = self.place_of_list(from, span)?;
                match (self.place_of_list(list, span)?, from) {
                    (Some(target), Some(from)) => {
                        let kind = from.kind;
                        let value = self.typed(ExpressionKind::Read(from), kind);
                        self.emit_assign(target, value, span);
                    }
                    _ => {
                        let target = self.place(list)?;
                        self.emit_unsupported("variable arguments", vec![target], span);
                    }
                }
                Ok(self.void_value())
            }
            Meaning::Determined => {
                self.read_texts(arguments)?;
                self.determined(name, span)
            }
            Meaning::Unevaluated => {
                for argument in arguments {
                    self.type_of(argument)?;
                }
                self.determined(name, span)
            }
            Meaning::Finds => self.finds(name, arguments, span),
            Meaning::Writes(positions, returns) => self.writes(name, arguments, positions, returns, span),
            Meaning::WritesFrom(first) => {
                if let Some(length) = self.formatted(name, arguments, span)? {
                    return Ok(length);
                }
                if let Some(count) = self.scanned(name, arguments, span)? {
                    return Ok(count);
                }
                let mut values = self.evaluated_in_order(arguments)?;
                if super::streams::only_reads_list(name, arguments) {
                    values = self.read_lists(name, values, span)?;
                }
                // What it writes, and how much, a format says.
                let mut pointers = values.iter().skip(first).map(|value| value.numeric);
                if self.options.checks.accesses() && pointers.any(|numeric| numeric == Numeric::Pointer) {
                    let what = "a check of memory that a library function writes".to_string();
                    self.emit_anything(what, span);
                }
                if name.ends_with("printf") {
                    // A text may say what they are.
                    self.tell(values.clone(), Reach::Reading, span);
                }
                self.expose(name, values.into_iter().skip(first), span);
                self.determined(name, span)
            }
            Meaning::Sorts | Meaning::Searches => self.ordering(name, meaning, arguments, span),
            Meaning::Buffers => {
                let values = self.evaluated_in_order(arguments)?;
                if !values.get(1).is_some_and(|buffer| self.is_null_constant(buffer)) {
                    let what = format!("`{name}` with a buffer of the program's");
                    self.emit_anything(what, span);
                }
                let kind = self.known_result(name);
                match self.types.get(kind) {
                    Type::Void => Ok(self.void_value()),
                    _ => Ok(self.unknown_value(kind, UnknownSource::Call(name.to_string()), span)),
                }
            }
            Meaning::Unseen => {
                self.discard_all(arguments)?;
                let what = format!("`{name}`");
                self.emit_anything(what, span);
                self.determined(name, span)
            }
            Meaning::Jumps => {
                let message = format!("`{name}` cannot be translated");
                Err(self.refuse(span, message, "jumps between functions are not followed", None))
            }
            Meaning::FirstArgument => {
                self.refuse_effects_in_advice(name, arguments)?;
                let value = self.first_argument(name, arguments, span)?;
                // The type is the one that the compiler declares the function with.
                let kind = match name {
                    "__builtin_expect" | "__builtin_expect_with_probability" => {
                        let long = self.long_type();
                        self.types.integer(long)
                    }
                    "__builtin_assume_aligned" => self.types.pointer_to(Types::VOID),
                    _ => return Ok(value),
                };
                self.convert_implicitly(value, kind, span)
            }
            Meaning::IsConstant => {
                let argument = self.argument_at(name, arguments, 0, span)?;
                let value = self.unevaluated(|semantics| semantics.value(argument))?;
                match (&value.kind, self.is_pure(argument)) {
                    (ExpressionKind::Integer(_) | ExpressionKind::Floating(_), true) => Ok(self.int_constant(1)),
                    // Where the compiler has to know at once, it has not found out yet.
                    (ExpressionKind::Read(place), true) if self.needs_constant && self.is_plain_variable(place) => {
                        Ok(self.int_constant(0))
                    }
                    // The compiler may find out, or it may not.
                    _ => self.determined(name, span),
                }
            }
            Meaning::Chooses => {
                let condition = self.argument_at(name, arguments, 0, span)?;
                let position = if self.integer_constant(condition)?.is_zero() {
                    2
                } else {
                    1
                };
                let chosen = self.argument_at(name, arguments, position, span)?;
                self.value(chosen)
            }
            Meaning::Builtin(builtin) => self.builtin(name, builtin, arguments, span),
            Meaning::Mathematics => self.mathematics(name, arguments, span),
            Meaning::SetsRounding => self.set_direction(name, arguments, span),
            Meaning::GetsRounding => self.get_direction(arguments),
            Meaning::Absolute => self.absolute(name, arguments, span),
            Meaning::Shuffles => self.shuffle(arguments, span),
            Meaning::ShufflesByConstants => self.shuffle_by_constants(arguments, span),
            Meaning::Complex => self.complex_function(name, arguments, span),
            Meaning::Allocates(allocator) => {
                self.refuse_alloca(name, span);
                self.untyped_allocation(name, allocator, arguments, span)
            }
            Meaning::Frees => {
                let value = self.first_argument(name, arguments, span)?;
                self.evaluated(value.clone(), span);
                let kind = self.types.pointer_to(Types::VOID);
                let value = match value.numeric {
                    Numeric::Integer(_) if self.options.checks.frees() => self.convert(value, kind),
                    _ => value,
                };
                if value.numeric == Numeric::Pointer {
                    self.count_freed(&value, span);
                    self.emit(InstructionKind::Free(value), span);
                }
                Ok(self.void_value())
            }
            Meaning::Fills => self.fill(name, arguments, span),
            Meaning::Clears => self.clear(name, arguments, span),
            Meaning::Copies => self.copy(name, arguments, span),
            Meaning::Prints(first) => {
                if let Some(count) = self.printed(name, arguments, first, span)? {
                    return Ok(count);
                }
                self.print(name, arguments, first, span)?;
                let result = self.determined(name, span)?;
                if self.options.output == Output::NeverFails && result.c_type == Types::INT {
                    self.assume_between(&result, 0.into(), IntegerType::INT.maximum(), span)?;
                }
                Ok(result)
            }
            Meaning::Scans(first) => {
                let source = UnknownSource::Call(name.to_string());
                let count = self.unknown_into(None, Types::INT, source, span);
                self.scan(name, arguments, first, Some(&count), span)?;
                Ok(count)
            }
        }
    }

    /// What comes after the first argument is for the compiler, which evaluates it or drops it.
    pub(super) fn refuse_effects_in_advice(&mut self, name: &str, arguments: Arguments<'a>) -> Checked<()> {
        for argument in arguments.iter().skip(1) {
            let (value, has_effects) = self.unevaluated_with_effects(|semantics| semantics.value(argument));
            value?;
            if has_effects {
                let what = format!("side effects in what `{name}` tells the compiler");
                self.emit_anything(what, argument.span);
            }
        }
        Ok(())
    }

    /// The result of a function that is told by its arguments, in a way that is not translated.
    pub(super) fn determined(&mut self, name: &str, span: Span) -> Checked<Value> {
        let kind = self.known_result(name);
        if matches!(self.types.get(kind), Type::Void) {
            return Ok(self.void_value());
        }
        let target = self.temporary(kind, span);
        let what = match name {
            UNKNOWN_ERRNO => "what a call makes of `errno`".to_string(),
            _ => format!("the result of `{name}`"),
        };
        match self.types.get(kind) {
            // The next call may change what is behind the address.
            Type::Pointer(_) => self.emit_anything(what, span),
            _ => {
                let source = UnknownSource::NotCalculated(what);
                let target = target.clone();
                self.emit(InstructionKind::Unknown { target, source }, span);
            }
        }
        Ok(self.typed(ExpressionKind::Read(target), kind))
    }

    /// A pointer into what the first argument points into, or null.
    fn finds(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let values = self.evaluated_in_order(arguments)?;
        let Some(first) = values
            .into_iter()
            .next()
            .filter(|first| first.numeric == Numeric::Pointer)
        else {
            return self.determined(name, span);
        };
        let target = self.temporary(first.c_type, span);
        self.emit_assign(target.clone(), first, span);
        self.emit_unsupported(format!("the result of `{name}`"), vec![target.clone()], span);
        let kind = target.kind;
        Ok(self.typed(ExpressionKind::Read(target), kind))
    }

    /// What these arguments point into changes.
    fn writes(
        &mut self,
        name: &'a str,
        arguments: Arguments<'a>,
        positions: &[usize],
        returns: Returns,
        span: Span,
    ) -> Checked<Value> {
        let values = self.evaluated_in_order(arguments)?;
        self.check_written(name, &values, |position| positions.contains(&position), span);
        let mark = self.state.graph.mark();
        let first = values.first().cloned();
        let limit = self.limit_of(name, &values);
        let (mut written, mut others) = (Vec::new(), Vec::new());
        for (position, value) in values.into_iter().enumerate() {
            match positions.contains(&position) {
                true => written.push(value),
                false if value.numeric == Numeric::Pointer => others.push(value),
                false => {}
            }
        }
        // What is written may be made of what is read.
        self.tell(others, Reach::Contents, span);
        self.expose(name, written.into_iter(), span);
        match (returns, first.filter(|first| first.numeric == Numeric::Pointer)) {
            (Returns::First, Some(first)) => Ok(self.settle(mark, first, span)),
            (Returns::FirstOrNull, Some(first)) => {
                let first = self.settle(mark, first, span);
                let source = UnknownSource::Failure(name.to_string());
                let fails = self.unknown_value(Types::INT, source, span);
                let null = self.constant(0, first.c_type);
                let kind = first.c_type;
                let choice = ExpressionKind::Conditional(Box::new(fails), Box::new(null), Box::new(first));
                Ok(self.typed(choice, kind))
            }
            (Returns::Input, _) => {
                let kind = self.known_result(name);
                if matches!(self.types.get(kind), Type::Void) {
                    return Ok(self.void_value());
                }
                let result = self.unknown_value(kind, UnknownSource::Call(name.to_string()), span);
                if let Some(mut limit) = limit {
                    limit.most = self.settle(mark, limit.most, span);
                    self.assume_limit(&result, limit, span)?;
                }
                Ok(result)
            }
            (Returns::First | Returns::FirstOrNull | Returns::Determined, _) => self.determined(name, span),
        }
    }

    /// A function of the library changes the objects that the pointers among the values point into.
    pub(super) fn expose(&mut self, name: &str, values: impl Iterator<Item = Value>, span: Span) {
        let pointers: Vec<Value> = values
            .filter(|value| value.numeric == Numeric::Pointer && !self.is_null_constant(value))
            .collect();
        if !pointers.is_empty() {
            let expose = InstructionKind::Expose {
                what: format!("`{name}`"),
                pointers,
                reach: Reach::Objects,
            };
            self.emit(expose, span);
        }
    }

    pub(super) fn ends(&mut self, terminator: Terminator, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        self.discard_all(arguments)?;
        self.state.graph.terminate(terminator, span);
        Ok(self.void_value())
    }

    pub(super) fn argument_at(
        &mut self,
        name: &str,
        arguments: Arguments<'a>,
        position: usize,
        span: Span,
    ) -> Checked<&'a syntax::Expression<'a>> {
        arguments.get(position).copied().ok_or_else(|| {
            let message = format!(
                "`{name}` needs at least {} arguments, but {} are given",
                position + 1,
                arguments.len()
            );
            self.error(span, message, "in this call", None)
        })
    }

    pub(super) fn first_argument(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let argument = self.argument_at(name, arguments, 0, span)?;
        self.value(argument)
    }

    /// The values of expressions that are evaluated one after another.
    pub(super) fn values_in_order(&mut self, expressions: &[&'a syntax::Expression<'a>]) -> Checked<Vec<Value>> {
        let mut values: Vec<Value> = Vec::with_capacity(expressions.len());
        let mut operands = self.operands();
        for expression in expressions {
            let mark = self.state.graph.mark();
            let value = self.value(expression)?;
            self.add_operand(&mut operands, &value);
            let earlier = std::mem::take(&mut values).into_iter();
            values = earlier
                .map(|earlier| self.settle(mark, earlier, expression.span))
                .collect();
            values.push(value);
            self.operands_end_here(&mut operands);
        }
        let span = expressions.first().map_or_else(Span::default, |first| first.span);
        self.unsequenced(operands, span);
        Ok(values)
    }

    /// The error is reached unless the argument is as `holds` says.
    fn assertion(&mut self, name: &str, arguments: Arguments<'a>, holds: bool, span: Span) -> Checked<Value> {
        let condition = self.argument_at(name, arguments, 0, span)?;
        let (good, bad) = (self.state.graph.new_block(), self.state.graph.new_block());
        let (then, otherwise) = if holds { (good, bad) } else { (bad, good) };
        self.branch(condition, then, otherwise)?;
        self.state.graph.resume(bad);
        self.state.graph.terminate(Terminator::Error(ErrorKind::Reached), span);
        self.state.graph.resume(good);
        Ok(self.void_value())
    }

    fn forgets(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let pointer = self.first_argument(name, arguments, span)?;
        let target = self.dereference(pointer, span)?;
        let source = UnknownSource::Outside;
        self.emit(InstructionKind::Unknown { target, source }, span);
        Ok(self.void_value())
    }

    fn forgets_array(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let pointer = self.first_argument(name, arguments, span)?;
        let count = self.argument_at(name, arguments, 1, span)?;
        self.discard(count)?;
        // What a pointer to fresh memory points to is unknown already; that is what the macro is written for.
        let Some(mut target) = Self::whole_array(&pointer) else {
            return Ok(self.void_value());
        };
        target.kind = self.kind_of_path(&target);
        let address = self.types.pointer_to(target.kind);
        let address = self.typed(ExpressionKind::AddressOf(Box::new(target.clone())), address);
        // `&a[0][0]` with the number of all elements.
        if let Some(mut outer) = Self::whole_array(&address) {
            outer.kind = self.kind_of_path(&outer);
            target = outer;
        }
        let source = UnknownSource::Outside;
        self.emit(InstructionKind::Unknown { target, source }, span);
        Ok(self.void_value())
    }

    fn absolute(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let value = self.first_argument(name, arguments, span)?;
        let kind = match name {
            "labs" | "__builtin_labs" => self.long_type(),
            "llabs" | "__builtin_llabs" => crate::types::IntegerType { bits: 64, signed: true },
            _ => crate::types::IntegerType::INT,
        };
        let kind = self.types.integer(kind);
        let value = self.convert_implicitly(value, kind, span)?;
        let zero = self.constant(0, kind);
        let is_negative = self.binary(syntax::BinaryOperator::Less, value.clone(), zero, span)?;
        let negated = self.unary(syntax::UnaryOperator::Minus, value.clone(), span)?;
        let choice = ExpressionKind::Conditional(Box::new(is_negative), Box::new(negated), Box::new(value));
        Ok(self.typed(choice, kind))
    }

    /// The run goes on only if the value is between these.
    pub(super) fn assume_between(&mut self, value: &Value, least: BigInt, most: BigInt, span: Span) -> Checked<()> {
        for (operator, bound) in [
            (syntax::BinaryOperator::GreaterOrEqual, least),
            (syntax::BinaryOperator::LessOrEqual, most),
        ] {
            let bound = self.int_constant(bound);
            let condition = self.binary(operator, value.clone(), bound, span)?;
            self.emit(InstructionKind::Assume(condition), span);
        }
        Ok(())
    }
}
