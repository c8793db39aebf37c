//! Calls with a meaning of their own become instructions.

use super::conventions::Meaning;
use super::{Checked, Semantics, Value};
use crate::c::program::{
    Effect, ErrorKind, ExpressionKind, InstructionKind, Numeric, Place, Terminator, UnknownSource,
};
use crate::c::syntax::{self, ExpressionKind as Kind, Span};
use crate::c::types::{Type, Types};

type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

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
            Meaning::Ends => self.ends(Terminator::Stop, arguments, span),
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
            Meaning::Reads => {
                self.discard_all(arguments)?;
                let kind = self.known_result(name);
                if matches!(self.types.get(kind), Type::Void) {
                    return Ok(self.void_value());
                }
                Ok(self.unknown_into(place, kind, UnknownSource::Call(name.to_string()), span))
            }
            Meaning::Forgets => self.forgets(name, arguments, span),
            Meaning::ForgetsArray => self.forgets_array(name, arguments, span),
            // The arguments are advice about the program, not part of it.
            Meaning::Nothing => Ok(self.int_constant(0)),
            Meaning::Jumps => {
                let message = format!("`{name}` cannot be translated");
                Err(self.error(span, message, "jumps between functions are not followed", None))
            }
            Meaning::FirstArgument => {
                let value = self.first_argument(name, arguments, span)?;
                self.discard_all(arguments.get(1..).unwrap_or_default())?;
                Ok(value)
            }
            Meaning::NotConstant => {
                self.discard_all(arguments)?;
                Ok(self.int_constant(0))
            }
            Meaning::Absolute => self.absolute(name, arguments, span),
            Meaning::Allocates(allocator) => {
                self.refuse_alloca(name, span);
                self.untyped_allocation(allocator, arguments, span)
            }
            Meaning::Reallocates => {
                self.discard_all(arguments)?;
                let kind = self.types.pointer_to(Types::VOID);
                let target = self.temporary(kind, span);
                self.emit_unsupported("`realloc`", vec![target.clone()], span);
                Ok(self.typed(ExpressionKind::Read(target), kind))
            }
            Meaning::Frees => {
                let value = self.first_argument(name, arguments, span)?;
                let kind = self.types.pointer_to(Types::VOID);
                let value = match value.numeric {
                    Numeric::Integer(_) if self.options.checks.free => self.convert(value, kind),
                    _ => value,
                };
                if value.numeric == Numeric::Pointer {
                    self.emit(InstructionKind::Free(value), span);
                }
                Ok(self.void_value())
            }
            Meaning::Fills => self.fill(name, arguments, span),
            Meaning::Copies => self.copy(name, arguments, span),
            Meaning::Prints(first) => {
                self.print(arguments, first, span)?;
                Ok(self.unknown_into(place, Types::INT, UnknownSource::Call(name.to_string()), span))
            }
            Meaning::Scans(first) => {
                self.scan(name, arguments, first, span)?;
                Ok(self.unknown_into(place, Types::INT, UnknownSource::Call(name.to_string()), span))
            }
            Meaning::WritesString => {
                let pointer = self.first_argument(name, arguments, span)?;
                self.discard_all(arguments.get(1..).unwrap_or_default())?;
                let target = self.dereference(pointer.clone(), span)?;
                self.emit_unsupported(format!("`{name}`"), vec![target], span);
                Ok(pointer)
            }
        }
    }

    fn ends(&mut self, terminator: Terminator, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
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
        for expression in expressions {
            let mark = self.state.graph.mark();
            let value = self.value(expression)?;
            let earlier = std::mem::take(&mut values).into_iter();
            values = earlier
                .map(|earlier| self.settle(mark, earlier, expression.span))
                .collect();
            values.push(value);
        }
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
            "labs" => self.long_type(),
            "llabs" => crate::c::types::IntegerType { bits: 64, signed: true },
            _ => crate::c::types::IntegerType::INT,
        };
        let kind = self.types.integer(kind);
        let value = self.convert_implicitly(value, kind, span)?;
        let zero = self.constant(0, kind);
        let is_negative = self.binary(syntax::BinaryOperator::Less, value.clone(), zero, span)?;
        let negated = self.unary(syntax::UnaryOperator::Minus, value.clone(), span)?;
        let choice = ExpressionKind::Conditional(Box::new(is_negative), Box::new(negated), Box::new(value));
        Ok(self.typed(choice, kind))
    }

    /// Prints the numbers among the arguments. Strings and pointers are left out.
    pub(super) fn print(&mut self, arguments: Arguments<'a>, first: usize, span: Span) -> Checked<()> {
        let is_text = |argument: &syntax::Expression<'a>| matches!(argument.kind, Kind::String { .. });
        let format = arguments
            .iter()
            .rev()
            .find(|argument| is_text(argument))
            .map(|format| &format.kind);
        let reads_text = match format {
            Some(Kind::String { characters, .. }) => characters.contains(&u32::from(b's')),
            _ => true,
        };
        let (before, printed) = arguments.split_at(first.min(arguments.len()));
        self.discard_all(before)?;
        let printed: Vec<&'a syntax::Expression<'a>> =
            printed.iter().copied().filter(|argument| !is_text(argument)).collect();
        let mut values = Vec::new();
        for value in self.values_in_order(&printed)? {
            if matches!(value.numeric, Numeric::Integer(_) | Numeric::Floating(_)) {
                values.push(self.promote(value));
            } else if value.numeric == Numeric::Pointer {
                self.evaluated(value.clone(), span);
                if reads_text {
                    self.check_text(&value, span);
                }
            }
        }
        if !values.is_empty() {
            self.emit(InstructionKind::Print(values), span);
        }
        Ok(())
    }

    /// Reads unknown numbers into where the arguments point.
    pub(super) fn scan(&mut self, name: &'a str, arguments: Arguments<'a>, first: usize, span: Span) -> Checked<()> {
        let format = first.checked_sub(1).and_then(|position| arguments.get(position));
        let reads_strings = match format.map(|format| &format.kind) {
            Some(Kind::String { characters, .. }) => characters.windows(2).any(|pair| match pair {
                [percent, next] => {
                    let next = char::from_u32(*next);
                    *percent == u32::from(b'%') && matches!(next, Some('s' | '[' | '0'..='9'))
                }
                _ => false,
            }),
            _ => true,
        };
        for argument in arguments.iter().skip(first) {
            let pointer = self.value(argument)?;
            let target = self.dereference(pointer, argument.span)?;
            let instruction = match reads_strings {
                true => InstructionKind::Unsupported {
                    what: format!("`{name}` of strings"),
                    effect: Effect::Changes(vec![target]),
                },
                false => InstructionKind::Unknown {
                    target,
                    source: UnknownSource::Call(name.to_string()),
                },
            };
            self.emit(instruction, span);
        }
        Ok(())
    }
}
