//! Copies of instructions and expressions, over the instances of the variables.

use super::{Expression, ExpressionKind, Inliner, InstructionKind, Place, PlaceBase};
use crate::program::{Asked, Check, CopySource, Effect, PlaceStep, VariableId, Written};

impl Inliner<'_> {
    /// A variable as the base of a place.
    pub(super) fn base(&mut self, context: usize, variable: VariableId) -> PlaceBase {
        match self.box_of(context, variable) {
            Some(pointer) => PlaceBase::Dereference(Box::new(pointer)),
            None => PlaceBase::Variable(self.variable(context, variable)),
        }
    }

    pub(super) fn place(&mut self, context: usize, place: &Place) -> Place {
        let base = match &place.base {
            PlaceBase::Variable(variable) => self.base(context, *variable),
            PlaceBase::Dereference(pointer) => PlaceBase::Dereference(Box::new(self.expression(context, pointer))),
        };
        let mut steps = Vec::with_capacity(place.steps.len());
        for step in &place.steps {
            steps.push(match step {
                PlaceStep::Field(field) => PlaceStep::Field(*field),
                PlaceStep::Index(index) => PlaceStep::Index(Box::new(self.expression(context, index))),
            });
        }
        Place {
            base,
            steps,
            kind: place.kind,
        }
    }

    pub(super) fn expression(&mut self, context: usize, expression: &Expression<Place>) -> Expression<Place> {
        let kind = match &expression.kind {
            ExpressionKind::Integer(value) => ExpressionKind::Integer(value.clone()),
            ExpressionKind::Floating(value) => ExpressionKind::Floating(value.clone()),
            ExpressionKind::FunctionAddress(function) => ExpressionKind::FunctionAddress(*function),
            ExpressionKind::Read(place) => ExpressionKind::Read(self.place(context, place)),
            ExpressionKind::AddressOf(place) => ExpressionKind::AddressOf(Box::new(self.place(context, place))),
            ExpressionKind::Unary(operator, operand) => {
                ExpressionKind::Unary(*operator, Box::new(self.expression(context, operand)))
            }
            ExpressionKind::Binary(operator, left, right) => {
                let left = self.expression(context, left);
                let right = self.expression(context, right);
                ExpressionKind::Binary(*operator, Box::new(left), Box::new(right))
            }
            ExpressionKind::Convert(inner) => ExpressionKind::Convert(Box::new(self.expression(context, inner))),
            ExpressionKind::Fused(left, right, added) => {
                let [left, right, added] =
                    [left, right, added].map(|operand| Box::new(self.expression(context, operand)));
                ExpressionKind::Fused(left, right, added)
            }
            ExpressionKind::Conditional(condition, left, right) => {
                let condition = self.expression(context, condition);
                let left = self.expression(context, left);
                let right = self.expression(context, right);
                ExpressionKind::Conditional(Box::new(condition), Box::new(left), Box::new(right))
            }
        };
        Expression {
            kind,
            numeric: expression.numeric,
            c_type: expression.c_type,
            written: match self.contexts[context].shown {
                Some(_) => Written::default(),
                None => expression.written,
            },
        }
    }

    pub(super) fn renamed(&mut self, context: usize, instruction: &InstructionKind) -> InstructionKind {
        match instruction {
            InstructionKind::Assign { target, value } => InstructionKind::Assign {
                target: self.place(context, target),
                value: self.expression(context, value),
            },
            InstructionKind::Unknown { target, source } => InstructionKind::Unknown {
                target: self.place(context, target),
                source: source.clone(),
            },
            InstructionKind::Zero { target } => InstructionKind::Zero {
                target: self.place(context, target),
            },
            InstructionKind::Call { .. } => instruction.clone(),
            InstructionKind::Assume(condition) => InstructionKind::Assume(self.expression(context, condition)),
            InstructionKind::Allocate {
                target,
                element,
                count,
                zeroed,
                moved,
            } => InstructionKind::Allocate {
                target: self.place(context, target),
                element: *element,
                count: count.as_ref().map(|count| self.expression(context, count)),
                zeroed: *zeroed,
                moved: moved.as_ref().map(|old| self.expression(context, old)),
            },
            InstructionKind::Ask { target, asked } => InstructionKind::Ask {
                target: self.place(context, target),
                asked: Asked {
                    name: asked.name.clone(),
                    question: asked.question,
                    pointer: self.expression(context, &asked.pointer),
                    bytes: asked.bytes.as_ref().map(|bytes| self.expression(context, bytes)),
                },
            },
            InstructionKind::Free(pointer) => InstructionKind::Free(self.expression(context, pointer)),
            InstructionKind::Copy {
                target,
                source,
                element,
                count,
            } => InstructionKind::Copy {
                target: self.expression(context, target),
                source: match source {
                    CopySource::Zero => CopySource::Zero,
                    CopySource::Address(source) => CopySource::Address(self.expression(context, source)),
                },
                element: *element,
                count: self.expression(context, count),
            },
            InstructionKind::StartArguments { list } => InstructionKind::StartArguments {
                list: self.place(context, list),
            },
            InstructionKind::NextArgument { list, target } => InstructionKind::NextArgument {
                list: self.place(context, list),
                target: self.place(context, target),
            },
            InstructionKind::Print(values) => {
                InstructionKind::Print(values.iter().map(|value| self.expression(context, value)).collect())
            }
            InstructionKind::Expose { what, pointers, reach } => InstructionKind::Expose {
                what: what.clone(),
                pointers: pointers
                    .iter()
                    .map(|pointer| self.expression(context, pointer))
                    .collect(),
                reach: *reach,
            },
            InstructionKind::Check(check) => InstructionKind::Check(match check {
                Check::Bytes { pointer, bytes, writes } => Check::Bytes {
                    pointer: self.expression(context, pointer),
                    bytes: self.expression(context, bytes),
                    writes: *writes,
                },
                Check::Apart { one, other, bytes } => Check::Apart {
                    one: self.expression(context, one),
                    other: self.expression(context, other),
                    bytes: bytes.as_ref().map(|bytes| self.expression(context, bytes)),
                },
                Check::Length(length) => Check::Length(self.expression(context, length)),
                Check::Set(pointer) => Check::Set(self.expression(context, pointer)),
                Check::Text(pointer) => Check::Text(self.expression(context, pointer)),
                Check::Unmeasured(pointer) => Check::Unmeasured(self.expression(context, pointer)),
                Check::Begins(variable) => Check::Begins(self.variable(context, *variable)),
                Check::Ends(variable) => Check::Ends(self.variable(context, *variable)),
            }),
            InstructionKind::Unsupported { what, effect } => InstructionKind::Unsupported {
                what: what.clone(),
                effect: match effect {
                    Effect::Changes(changes) => {
                        Effect::Changes(changes.iter().map(|place| self.place(context, place)).collect())
                    }
                    Effect::Anything => Effect::Anything,
                },
            },
        }
    }
}
