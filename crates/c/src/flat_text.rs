//! Flat programs as text, for tests and for looking at them.

use super::flat::{
    FlatBlock, FlatExpression, FlatInstructionKind, FlatProgram, FlatTerminator, FlatVariable, Leaf, VariableInfo,
};
use super::program::{BinaryOperator, Effect, ExpressionKind, Numeric, UnaryOperator, UnknownSource};
use std::fmt;

impl fmt::Display for FlatProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for info in &self.variables {
            let array = if info.is_array { "[]" } else { "" };
            writeln!(f, "var {}{array}: {}", info.name, numeric(info.numeric))?;
        }
        for (index, block) in self.blocks.iter().enumerate() {
            self.block(f, index, block)?;
        }
        for note in &self.notes {
            writeln!(f, "note: {}", note.text)?;
        }
        Ok(())
    }
}

fn numeric(numeric: Numeric) -> String {
    match numeric {
        Numeric::Integer(kind) => format!("{}{}", if kind.signed { 'i' } else { 'u' }, kind.bits),
        Numeric::Pointer => "pointer".to_string(),
        Numeric::Floating(bits) => format!("f{bits}"),
        Numeric::Aggregate => "aggregate".to_string(),
    }
}

impl FlatProgram {
    fn block(&self, f: &mut fmt::Formatter<'_>, index: usize, block: &FlatBlock) -> fmt::Result {
        match &block.label {
            Some(label) => writeln!(f, "{index}: {label}")?,
            None => writeln!(f, "{index}:")?,
        }
        for instruction in &block.instructions {
            write!(f, "  ")?;
            self.instruction(f, &instruction.kind)?;
            writeln!(f)?;
        }
        match &block.terminator {
            FlatTerminator::Goto(to) => writeln!(f, "  goto {}", to.0),
            FlatTerminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                writeln!(f, "  if {} goto {} else {}", self.shown(condition), then.0, otherwise.0)
            }
            FlatTerminator::Call { entry, after } => writeln!(f, "  call {} then {}", entry.0, after.0),
            FlatTerminator::Return => writeln!(f, "  return"),
            FlatTerminator::Stop => writeln!(f, "  stop"),
            FlatTerminator::Error(failure) => match &failure.text {
                None => writeln!(f, "  error {:?}", failure.kind),
                Some(text) => {
                    let values: Vec<String> = failure
                        .values
                        .iter()
                        .map(|value| self.shown(value).to_string())
                        .collect();
                    writeln!(f, "  error {:?}: {text} ({})", failure.kind, values.join(", "))
                }
            },
        }
    }

    fn instruction(&self, f: &mut fmt::Formatter<'_>, instruction: &FlatInstructionKind) -> fmt::Result {
        match instruction {
            FlatInstructionKind::Assign(target, value) => {
                write!(f, "{} = {}", self.name(*target), self.shown(value))
            }
            FlatInstructionKind::Store { array, index, value } => {
                write!(
                    f,
                    "{}[{}] = {}",
                    self.name(*array),
                    self.shown(index),
                    self.shown(value)
                )
            }
            FlatInstructionKind::CopyArray { target, source } => {
                write!(f, "{}[*] = {}[*]", self.name(*target), self.name(*source))
            }
            FlatInstructionKind::Fill { array, value } => {
                write!(f, "{}[*] = {}", self.name(*array), self.shown(value))
            }
            FlatInstructionKind::Unknown(target, source) => {
                let source = match source {
                    UnknownSource::Call(name) => name.as_str(),
                    UnknownSource::ReadBy(name) => return write!(f, "{} = ? read by {name}", self.name(*target)),
                    UnknownSource::Failure(name) => return write!(f, "{} = ? failure of {name}", self.name(*target)),
                    UnknownSource::Uninitialized => "uninitialized",
                    UnknownSource::Allocation => "memory left",
                    UnknownSource::Outside => "outside",
                    UnknownSource::NotCalculated(what) => what.as_str(),
                };
                write!(f, "{} = ? {source}", self.name(*target))
            }
            FlatInstructionKind::Assume(condition) => write!(f, "assume {}", self.shown(condition)),
            FlatInstructionKind::Defined(condition) => write!(f, "defined {}", self.shown(condition)),
            FlatInstructionKind::Print(values) => {
                let values: Vec<String> = values.iter().map(|value| self.shown(value)).collect();
                write!(f, "print {}", values.join(", "))
            }
            FlatInstructionKind::Unsupported {
                what,
                effect: Effect::Anything,
            } => write!(f, "unsupported {what}: does anything"),
            FlatInstructionKind::Unsupported {
                what,
                effect: Effect::Changes(changes),
            } => {
                let names: Vec<&str> = changes.iter().map(|variable| self.name(*variable)).collect();
                write!(f, "unsupported {what}: changes {}", names.join(", "))
            }
        }
    }

    fn name(&self, variable: FlatVariable) -> &str {
        let info: Option<&VariableInfo> = self.variables.get(variable.0 as usize);
        info.map_or("?", |info| &info.name)
    }

    /// The expression with all parentheses.
    fn shown(&self, expression: &FlatExpression) -> String {
        match &expression.kind {
            ExpressionKind::Integer(value) => value.to_string(),
            ExpressionKind::Floating(value) => value.to_string(),
            ExpressionKind::Read(Leaf::Variable(variable)) => self.name(*variable).to_string(),
            ExpressionKind::Read(Leaf::Element(array, index)) => {
                format!("{}[{}]", self.name(*array), self.shown(index))
            }
            ExpressionKind::AddressOf(_) | ExpressionKind::FunctionAddress(_) => "&?".to_string(),
            ExpressionKind::Unary(operator, operand) => {
                let sign = match operator {
                    UnaryOperator::Negate => "-",
                    UnaryOperator::BitNot => "~",
                    UnaryOperator::Not => "!",
                    UnaryOperator::Float(operator) => operator.smtlib_name(),
                };
                format!("{sign}{}", self.shown(operand))
            }
            ExpressionKind::Binary(operator, left, right) => {
                format!("({} {} {})", self.shown(left), sign(*operator), self.shown(right))
            }
            ExpressionKind::Convert(inner) => format!("{}({})", numeric(expression.numeric), self.shown(inner)),
            ExpressionKind::Fused(left, right, added) => {
                format!(
                    "fma({}, {}, {})",
                    self.shown(left),
                    self.shown(right),
                    self.shown(added)
                )
            }
            ExpressionKind::Conditional(condition, left, right) => {
                format!(
                    "({} ? {} : {})",
                    self.shown(condition),
                    self.shown(left),
                    self.shown(right)
                )
            }
        }
    }
}

fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add | BinaryOperator::PointerAdd => "+",
        BinaryOperator::Subtract | BinaryOperator::PointerDifference => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::BitOr => "|",
        BinaryOperator::BitXor => "^",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessOrEqual => "<=",
        BinaryOperator::And => "&&",
        BinaryOperator::Or => "||",
    }
}
