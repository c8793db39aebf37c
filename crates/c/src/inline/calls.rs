//! Calls: the copy of the function that is called, or of all that a pointer may point to.

use super::{Inliner, Pending, numeric, variable_place};
use crate::options::{External, Undefined};
use crate::passing::{Arrival, Passing, passing};
use crate::points_to::locations::ObjectKind;
use crate::program::{
    BinaryOperator, BlockId, Callee, Effect, ErrorKind, Expression, ExpressionKind, FunctionId, InstructionKind,
    Numeric, Place, Reach, Terminator, UnknownSource, VariableId, Written,
};
use crate::syntax::Span;
use crate::types::{IntegerType, TypeId, Types};

/// A call that is replaced.
pub(super) struct Call<'c> {
    /// The type of function as which it is called.
    pub(super) kind: TypeId,
    /// Where the result goes, in the copy with the call.
    pub(super) target: Option<Place>,
    /// The arguments, as the program has them.
    pub(super) arguments: &'c [Expression<Place>],
    /// Where the call is.
    pub(super) span: Span,
}

impl Inliner<'_> {
    /// A call of a known function; gives the block where the caller goes on.
    pub(super) fn call(&mut self, context: usize, current: BlockId, id: FunctionId, call: &Call<'_>) -> BlockId {
        let Call {
            kind, arguments, span, ..
        } = *call;
        let target = call.target.clone();
        let Some(function) = self.function(id) else {
            return current;
        };
        if function.body.is_none() {
            let mut pointers = Vec::new();
            if self.options.external == External::Refuse {
                for argument in arguments {
                    pointers.push(self.expression(context, argument));
                }
                self.add_lists(context, current, &mut pointers, span);
            }
            let what = match pointers.is_empty() {
                true => "",
                false => " but what its arguments lead to",
            };
            self.note(
                format!(
                    "`{}` has no body: its result is unknown, and the file that has it changes nothing of this one{what}",
                    function.name
                ),
                span,
            );
            // Whoever is believed to change nothing knows what it is given all the same.
            let told: Vec<_> = match self.options.external {
                External::Refuse => Vec::new(),
                _ => arguments
                    .iter()
                    .map(|argument| self.expression(context, argument))
                    .collect(),
            };
            let told: Vec<_> = told
                .into_iter()
                .filter(|argument| !matches!(argument.numeric, Numeric::Floating(_)))
                .collect();
            if !told.is_empty() {
                let call = InstructionKind::Call {
                    target: None,
                    callee: Callee::Function(id),
                    kind,
                    arguments: told,
                };
                self.push(current, call, span);
            }
            self.change_others(current, &format!("`{}`", function.name), span);
            if !pointers.is_empty() {
                let what = format!("what `{}` does, which has no body and may change memory", function.name);
                self.expose(current, what, pointers, span);
            }
            if let Some(target) = target {
                let source = UnknownSource::Call(function.name.clone());
                self.push(current, InstructionKind::Unknown { target, source }, span);
            }
            if function.never_returns {
                self.end(current, Terminator::Stop, span);
                return self.add_block(context, span);
            }
            return current;
        }
        let passing = passing(self.program, kind, function, arguments);
        if let Some(why) = &passing.disagreement {
            let how = format!("a call of `{}` with {why}", function.name);
            if self.options.checks.calls {
                self.note(how, span);
                self.end(current, Terminator::Error(ErrorKind::Call), span);
                return self.add_block(context, span);
            }
            if !passing.is_bounded {
                let effect = Effect::Anything;
                self.push(current, InstructionKind::Unsupported { what: how, effect }, span);
            } else {
                self.note(format!("{how} passes values as the machine does"), span);
            }
        }
        if self.kept[id.0 as usize] {
            self.expose_rest(context, current, function.parameters.len(), arguments, span);
            return self.procedure_call(context, current, id, call, &passing);
        }
        let callee = self.add_context(id, Some((context, span)));
        for (position, (parameter, arrival)) in function.parameters.iter().zip(&passing.parameters).enumerate() {
            let value = arguments
                .get(position)
                .map(|argument| self.expression(context, argument));
            let place = self.parameter_place(callee, *parameter);
            let what = || format!("argument {} of this call of `{}`", position + 1, function.name);
            self.arrive(current, place, *arrival, value, span, &what);
        }
        self.pass_rest(
            context,
            callee,
            current,
            arguments.get(function.parameters.len()..).unwrap_or_default(),
            span,
        );
        let entry = self.add_block(callee, self.contexts[callee].shown.unwrap_or(function.span));
        let after = self.add_block(context, span);
        self.end(current, Terminator::Goto(entry), span);
        self.pending.push(Pending {
            context: callee,
            entry,
            after: Terminator::Goto(after),
        });
        self.take_result(after, target, callee, id, &passing, span);
        after
    }

    /// What a call gives back, if anybody wants it.
    pub(super) fn take_result(
        &mut self,
        after: BlockId,
        target: Option<Place>,
        callee: usize,
        id: FunctionId,
        passing: &Passing,
        span: Span,
    ) {
        let (Some(target), Some(function)) = (target, self.function(id)) else {
            return;
        };
        let value = function.result.map(|result| {
            let result = self.variable(callee, result);
            self.read(result, self.variables[result.0 as usize].kind)
        });
        let what = || format!("the result of this call of `{}`", function.name);
        self.arrive(after, target, passing.result, value, span, &what);
    }

    /// Code that is not there may change what there is besides this file.
    fn change_others(&mut self, block: BlockId, who: &str, span: Span) {
        if self.options.external == External::Refuse {
            let kind = InstructionKind::Expose {
                what: format!("what {who} does with what is known elsewhere of this file"),
                pointers: Vec::new(),
                reach: Reach::Others,
            };
            self.push(block, kind, span);
        }
    }

    /// Code that is not there gets these values.
    fn expose(&mut self, block: BlockId, what: String, pointers: Vec<Expression<Place>>, span: Span) {
        let reach = Reach::Everything;
        self.push(block, InstructionKind::Expose { what, pointers, reach }, span);
    }

    /// A parameter of a copy.
    pub(super) fn parameter_place(&mut self, callee: usize, parameter: VariableId) -> Place {
        let instance = self.variable(callee, parameter);
        Place {
            base: self.base(callee, parameter),
            ..variable_place(instance, self.variables[instance.0 as usize].kind)
        }
    }

    /// The place gets what arrives of the value that is handed over. `what` says which one it is.
    pub(super) fn arrive(
        &mut self,
        block: BlockId,
        target: Place,
        arrival: Arrival,
        value: Option<Expression<Place>>,
        span: Span,
        what: &dyn Fn() -> String,
    ) {
        match (arrival, value) {
            (Arrival::Value, Some(value)) => self.assign(block, target, value, span),
            (Arrival::LowerBits, Some(value)) => {
                let source = UnknownSource::NotCalculated(format!("the upper half of {}", what()));
                self.widen(block, &target, value, source, span);
            }
            _ => {
                // What is no number may be an address of anything, and whoever follows it does so.
                if !matches!(
                    numeric(&self.types, target.kind),
                    Numeric::Integer(_) | Numeric::Floating(_)
                ) {
                    let (what, effect) = (what(), Effect::Anything);
                    self.push(block, InstructionKind::Unsupported { what, effect }, span);
                }
                let source = UnknownSource::NotCalculated(what());
                self.push(block, InstructionKind::Unknown { target, source }, span);
            }
        }
    }

    /// An assignment across a call.
    pub(super) fn assign(&mut self, block: BlockId, target: Place, value: Expression<Place>, span: Span) {
        let numeric = numeric(&self.types, target.kind);
        let value = match numeric == value.numeric {
            true => value,
            false => Expression {
                kind: ExpressionKind::Convert(Box::new(value)),
                numeric,
                c_type: target.kind,
                written: Written::default(),
            },
        };
        self.push(block, InstructionKind::Assign { target, value }, span);
    }

    pub(super) fn read(&self, variable: VariableId, kind: TypeId) -> Expression<Place> {
        Expression {
            kind: ExpressionKind::Read(variable_place(variable, kind)),
            numeric: numeric(&self.types, kind),
            c_type: kind,
            written: Written::default(),
        }
    }

    pub(super) fn indirect_call(
        &mut self,
        context: usize,
        current: BlockId,
        pointer: &Expression<Place>,
        call: &Call<'_>,
    ) -> BlockId {
        let span = call.span;
        let mut current = current;
        let mut callees = Vec::new();
        let mut is_outside = false;
        // Made by arithmetic on the address of a function.
        let mut is_mixed = false;
        for location in self.points_to.targets(&self.program.types, pointer) {
            match self.points_to.locations.object(location).kind {
                ObjectKind::Outside => is_outside = true,
                ObjectKind::Function(_) if self.points_to.locations.is_somewhere(location) => is_mixed = true,
                ObjectKind::Function(function) => callees.push(function),
                ObjectKind::Variable(_) | ObjectKind::Allocated(_) => {}
            }
        }
        let is_unknown = is_outside || is_mixed;
        let is_outside = is_outside && !is_mixed;
        let Some(last) = callees.last().copied() else {
            if self.options.checks.null {
                current = self.call_of_nothing(context, current, pointer, span);
            }
            self.unknown_call(context, current, is_outside, call);
            return current;
        };
        let pointer = self.expression(context, pointer);
        let ends = match (self.options.checks.null, self.options.undefined) {
            (true, _) => Some(Terminator::Error(ErrorKind::NullPointer)),
            (false, Undefined::Ends) => Some(Terminator::Stop),
            (false, Undefined::GoesOn) => None,
        };
        let after = self.add_block(context, span);
        for callee in callees {
            let then = self.add_block(context, span);
            let is_last = callee == last;
            if is_last && ends.is_none() && !is_unknown {
                self.end(current, Terminator::Goto(then), span);
            } else {
                let otherwise = self.add_block(context, span);
                let condition = self.is_function(&pointer, callee);
                let branch = Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                };
                self.end(current, branch, span);
                if is_last && is_unknown {
                    self.unknown_call(context, otherwise, is_outside, call);
                    self.end(otherwise, Terminator::Goto(after), span);
                } else if let (true, Some(ends)) = (is_last, &ends) {
                    self.end(otherwise, ends.clone(), span);
                }
                current = otherwise;
            }
            let returned = self.call(context, then, callee, call);
            self.end(returned, Terminator::Goto(after), span);
        }
        after
    }

    /// A call through a pointer from outside, or from nobody knows where.
    fn unknown_call(&mut self, context: usize, block: BlockId, is_outside: bool, call: &Call<'_>) {
        let Call { arguments, span, .. } = *call;
        let is_pure = self.options.external == External::Pure;
        // It may lead back to a function of the program whose address is known elsewhere.
        let is_outside = is_outside && !self.points_to.locations.shows_functions();
        let text = match is_pure || arguments.is_empty() && is_outside {
            true => {
                "this call goes through an unknown function pointer: its result is unknown and it changes nothing of this file"
            }
            false => "this call goes through an unknown function pointer: its result is unknown",
        };
        self.note(text.to_string(), span);
        let what = "a call through an unknown function pointer".to_string();
        self.change_others(block, &what, span);
        if !is_pure && !is_outside {
            let effect = Effect::Anything;
            self.push(block, InstructionKind::Unsupported { what, effect }, span);
        } else if !is_pure && !arguments.is_empty() {
            let pointers = arguments
                .iter()
                .map(|argument| self.expression(context, argument))
                .collect();
            self.expose(block, what, pointers, span);
        }
        if let Some(target) = call.target.clone() {
            let source = UnknownSource::Outside;
            self.push(block, InstructionKind::Unknown { target, source }, span);
        }
    }

    /// A call through a pointer to no known function: the error if it is null, and otherwise nobody can tell.
    fn call_of_nothing(
        &mut self,
        context: usize,
        current: BlockId,
        pointer: &Expression<Place>,
        span: Span,
    ) -> BlockId {
        let pointer = self.expression(context, pointer);
        let null = Expression {
            kind: ExpressionKind::Integer(0.into()),
            ..pointer.clone()
        };
        let (fails, goes_on) = (self.add_block(context, span), self.add_block(context, span));
        self.end(fails, Terminator::Error(ErrorKind::NullPointer), span);
        let branch = Terminator::Branch {
            condition: Expression {
                kind: ExpressionKind::Binary(BinaryOperator::Equal, Box::new(pointer), Box::new(null)),
                numeric: Numeric::Integer(IntegerType::INT),
                c_type: Types::INT,
                written: Written::default(),
            },
            then: fails,
            otherwise: goes_on,
        };
        self.end(current, branch, span);
        let what = "a check of a call through an unknown function pointer".to_string();
        let effect = Effect::Anything;
        self.push(goes_on, InstructionKind::Unsupported { what, effect }, span);
        goes_on
    }

    fn is_function(&self, pointer: &Expression<Place>, function: FunctionId) -> Expression<Place> {
        let address = Expression {
            kind: ExpressionKind::FunctionAddress(function),
            numeric: Numeric::Pointer,
            c_type: pointer.c_type,
            written: Written::default(),
        };
        let operands = (Box::new(pointer.clone()), Box::new(address));
        Expression {
            kind: ExpressionKind::Binary(BinaryOperator::Equal, operands.0, operands.1),
            numeric: Numeric::Integer(IntegerType::INT),
            c_type: Types::INT,
            written: Written::default(),
        }
    }
}
