//! Calls: the copy of the function that is called, or of all that a pointer may point to.

use super::{Inliner, Pending, numeric, variable_place};
use crate::c::options::Undefined;
use crate::c::points_to::locations::ObjectKind;
use crate::c::program::{
    BinaryOperator, BlockId, Effect, ErrorKind, Expression, ExpressionKind, FunctionId, InstructionKind, Numeric,
    Place, Terminator, UnknownSource, VariableId,
};
use crate::c::syntax::Span;
use crate::c::types::{IntegerType, TypeId, Types};

impl Inliner<'_> {
    /// A call of a known function; gives the block where the caller goes on.
    pub(super) fn call(
        &mut self,
        context: usize,
        current: BlockId,
        id: FunctionId,
        target: Option<Place>,
        arguments: &[Expression<Place>],
        span: Span,
    ) -> BlockId {
        let Some(function) = self.function(id) else {
            return current;
        };
        if function.body.is_none() {
            let text = format!(
                "`{}` has no body: its result is unknown and it changes nothing",
                function.name
            );
            self.note(text, span);
            if let Some(target) = target {
                let source = UnknownSource::Call(function.name.clone());
                self.push(current, InstructionKind::Unknown { target, source }, span);
            }
            return current;
        }
        if self.is_active(context, id) {
            return self.recursive_call(context, current, id, target, span);
        }
        let callee = self.add_context(id, Some((context, span)));
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let value = self.expression(context, argument);
            let parameter = self.variable(callee, *parameter);
            self.pass(current, parameter, value, span);
        }
        let entry = self.add_block(callee, function.span);
        let after = self.add_block(context, span);
        self.end(current, Terminator::Goto(entry), span);
        self.pending.push(Pending {
            context: callee,
            entry,
            after: Some(after),
        });
        if let Some(target) = target {
            match function.result {
                Some(result) => {
                    let result = self.variable(callee, result);
                    let kind = self.variables[result.0 as usize].kind;
                    let value = self.read(result, kind);
                    self.assign(after, target, value, span);
                }
                None => {
                    let source = UnknownSource::Uninitialized;
                    self.push(after, InstructionKind::Unknown { target, source }, span);
                }
            }
        }
        after
    }

    fn pass(&mut self, block: BlockId, parameter: VariableId, value: Expression<Place>, span: Span) {
        let kind = self.variables[parameter.0 as usize].kind;
        self.assign(block, variable_place(parameter, kind), value, span);
    }

    /// An assignment across a call, where the types may differ if the function was not declared.
    pub(super) fn assign(&mut self, block: BlockId, target: Place, value: Expression<Place>, span: Span) {
        let numeric = numeric(&self.types, target.kind);
        let kind = if numeric == value.numeric {
            InstructionKind::Assign { target, value }
        } else if numeric == Numeric::Aggregate || value.numeric == Numeric::Aggregate {
            InstructionKind::Unsupported {
                what: "a call with a struct where there is none in the definition".to_string(),
                effect: Effect::Changes(vec![target]),
            }
        } else {
            let value = Expression {
                kind: ExpressionKind::Convert(Box::new(value)),
                numeric,
                c_type: target.kind,
            };
            InstructionKind::Assign { target, value }
        };
        self.push(block, kind, span);
    }

    pub(super) fn read(&self, variable: VariableId, kind: TypeId) -> Expression<Place> {
        Expression {
            kind: ExpressionKind::Read(variable_place(variable, kind)),
            numeric: numeric(&self.types, kind),
            c_type: kind,
        }
    }

    pub(super) fn indirect_call(
        &mut self,
        context: usize,
        current: BlockId,
        pointer: &Expression<Place>,
        target: Option<Place>,
        arguments: &[Expression<Place>],
        span: Span,
    ) -> BlockId {
        let mut current = current;
        let mut callees = Vec::new();
        for location in self.points_to.targets(&self.program.types, pointer) {
            if let ObjectKind::Function(function) = self.points_to.locations.object(location).kind
                && !self.points_to.locations.is_somewhere(location)
            {
                callees.push(function);
            }
        }
        let Some(last) = callees.last().copied() else {
            if self.options.checks.null {
                current = self.call_of_nothing(context, current, pointer, span);
            }
            self.note(
                "this call goes through an unknown function pointer: its result is unknown".to_string(),
                span,
            );
            if let Some(target) = target {
                let source = UnknownSource::Outside;
                self.push(current, InstructionKind::Unknown { target, source }, span);
            }
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
            if is_last && ends.is_none() {
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
                if let (true, Some(ends)) = (is_last, &ends) {
                    self.end(otherwise, ends.clone(), span);
                }
                current = otherwise;
            }
            let returned = self.call(context, then, callee, target.clone(), arguments, span);
            self.end(returned, Terminator::Goto(after), span);
        }
        after
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
        };
        let operands = (Box::new(pointer.clone()), Box::new(address));
        Expression {
            kind: ExpressionKind::Binary(BinaryOperator::Equal, operands.0, operands.1),
            numeric: Numeric::Integer(IntegerType::INT),
            c_type: Types::INT,
        }
    }
}
