//! A [`Program`] as text, for tests and for people who look for a mistake: types are left out where C leaves them out.

use super::program::{
    BinaryOperator, Block, Callee, Check, CopySource, Effect, Expression, ExpressionKind, FunctionId, InstructionKind,
    Numeric, Place, PlaceBase, PlaceStep, Program, Terminator, UnaryOperator, UnknownSource, VariableId,
};
use super::types::{Type, TypeId};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for function in &self.functions {
            let parameters: Vec<String> = function.parameters.iter().map(|id| self.declared(*id)).collect();
            let parameters = parameters.join(", ");
            match &function.body {
                None => writeln!(f, "{}({parameters});", function.name)?,
                Some(body) => {
                    let result = function.result.map(|id| format!(" -> {}", self.declared(id)));
                    writeln!(f, "{}({parameters}){} {{", function.name, result.unwrap_or_default())?;
                    for (index, block) in body.blocks.iter().enumerate() {
                        self.block(f, index, block)?;
                    }
                    writeln!(f, "}}")?;
                }
            }
        }
        Ok(())
    }
}

impl Program {
    /// A place as C would write it.
    pub fn place_text(&self, place: &Place) -> String {
        let mut text = match &place.base {
            PlaceBase::Variable(id) => self.name(*id).to_string(),
            PlaceBase::Dereference(pointer) => format!("(*{})", self.expression_text(pointer)),
        };
        let mut kind = match &place.base {
            PlaceBase::Variable(id) => self.variables.get(id.0 as usize).map(|variable| variable.kind),
            PlaceBase::Dereference(pointer) => match self.types.get(pointer.c_type) {
                Type::Pointer(target) => Some(*target),
                _ => None,
            },
        };
        for step in &place.steps {
            let (shown, next) = self.step(kind, step);
            text.push_str(&shown);
            kind = next;
        }
        text
    }

    fn step(&self, kind: Option<TypeId>, step: &PlaceStep) -> (String, Option<TypeId>) {
        match (step, kind.map(|kind| self.types.get(kind))) {
            (PlaceStep::Field(index), Some(Type::Record(record))) => {
                let fields = self.types.record(*record).fields.as_ref();
                match fields.and_then(|fields| fields.get(*index)) {
                    Some(field) if !field.name.is_empty() => (format!(".{}", field.name), Some(field.kind)),
                    Some(field) => (format!(".{index}"), Some(field.kind)),
                    None => (format!(".{index}"), None),
                }
            }
            (PlaceStep::Field(index), _) => (format!(".{index}"), None),
            (PlaceStep::Index(index), Some(Type::Array(element, _))) => {
                (format!("[{}]", self.expression_text(index)), Some(*element))
            }
            (PlaceStep::Index(index), _) => (format!("[{}]", self.expression_text(index)), None),
        }
    }

    /// An expression as C would write it; conversions are shown as casts.
    pub fn expression_text(&self, expression: &Expression<Place>) -> String {
        match &expression.kind {
            ExpressionKind::Integer(number) => match expression.numeric {
                Numeric::Integer(kind) if !kind.signed && kind.bits >= 32 => format!("{number}u"),
                _ => number.to_string(),
            },
            ExpressionKind::Floating(number) => format!("{number}.0"),
            ExpressionKind::Read(place) => self.place_text(place),
            ExpressionKind::AddressOf(place) => format!("&{}", self.place_text(place)),
            ExpressionKind::FunctionAddress(id) => format!("&{}", self.function_name(*id)),
            ExpressionKind::Unary(operator, operand) => {
                let sign = match operator {
                    UnaryOperator::Negate => "-",
                    UnaryOperator::BitNot => "~",
                    UnaryOperator::Not => "!",
                    UnaryOperator::Float(operator) => operator.smtlib_name(),
                };
                format!("{sign}{}", self.operand(operand))
            }
            ExpressionKind::Binary(operator, left, right) => {
                format!("{} {} {}", self.operand(left), sign(*operator), self.operand(right))
            }
            ExpressionKind::Convert(operand) => {
                format!("({}){}", self.types.display(expression.c_type), self.operand(operand))
            }
            ExpressionKind::Fused(left, right, added) => format!(
                "fma({}, {}, {})",
                self.operand(left),
                self.operand(right),
                self.operand(added)
            ),
            ExpressionKind::Conditional(condition, consequence, alternative) => format!(
                "{} ? {} : {}",
                self.operand(condition),
                self.operand(consequence),
                self.operand(alternative)
            ),
        }
    }

    fn operand(&self, expression: &Expression<Place>) -> String {
        let text = self.expression_text(expression);
        match expression.kind {
            ExpressionKind::Binary(..) | ExpressionKind::Conditional(..) => format!("({text})"),
            _ => text,
        }
    }

    fn declared(&self, id: VariableId) -> String {
        let kind = self
            .variables
            .get(id.0 as usize)
            .map(|variable| self.types.display(variable.kind));
        let (kind, name) = (kind.unwrap_or_default(), self.name(id));
        match kind.ends_with('*') {
            true => format!("{kind}{name}"),
            false => format!("{kind} {name}"),
        }
    }

    fn name(&self, id: VariableId) -> &str {
        self.variables.get(id.0 as usize).map_or("?", |variable| &variable.name)
    }

    fn function_name(&self, id: FunctionId) -> &str {
        self.functions.get(id.0 as usize).map_or("?", |function| &function.name)
    }

    fn list(&self, expressions: &[Expression<Place>]) -> String {
        let expressions: Vec<String> = expressions.iter().map(|one| self.expression_text(one)).collect();
        expressions.join(", ")
    }

    fn block(&self, f: &mut Formatter<'_>, index: usize, block: &Block) -> fmt::Result {
        match &block.label {
            Some(label) => writeln!(f, "  {index} ({label}):")?,
            None => writeln!(f, "  {index}:")?,
        }
        for instruction in &block.instructions {
            writeln!(f, "    {}", self.instruction_text(&instruction.kind))?;
        }
        writeln!(f, "    {}", self.terminator_text(&block.terminator))
    }

    /// An instruction on one line.
    pub fn instruction_text(&self, instruction: &InstructionKind) -> String {
        match instruction {
            InstructionKind::Assign { target, value } => {
                format!("{} = {}", self.place_text(target), self.expression_text(value))
            }
            InstructionKind::Unknown { target, source } => {
                let source = match source {
                    UnknownSource::Call(name) => format!("{name}()"),
                    UnknownSource::ReadBy(name) => format!("what {name}() reads"),
                    UnknownSource::Failure(name) => format!("whether {name}() fails"),
                    UnknownSource::Uninitialized => "uninitialized".to_string(),
                    UnknownSource::Allocation => "the memory left".to_string(),
                    UnknownSource::Outside => "outside".to_string(),
                    UnknownSource::NotCalculated(what) => what.clone(),
                };
                format!("{} = unknown from {source}", self.place_text(target))
            }
            InstructionKind::StartArguments { list } => format!("start arguments {}", self.place_text(list)),
            InstructionKind::NextArgument { list, target } => {
                format!(
                    "{} = next argument of {}",
                    self.place_text(target),
                    self.place_text(list)
                )
            }
            InstructionKind::Zero { target } => format!("zero {}", self.place_text(target)),
            InstructionKind::Call {
                target,
                callee,
                arguments,
                kind: _,
            } => {
                let callee = match callee {
                    Callee::Function(id) => self.function_name(*id).to_string(),
                    Callee::Address(pointer) => format!("(*{})", self.expression_text(pointer)),
                };
                let target = target.as_ref().map(|target| format!("{} = ", self.place_text(target)));
                format!("{}{callee}({})", target.unwrap_or_default(), self.list(arguments))
            }
            InstructionKind::Assume(condition) => format!("assume {}", self.expression_text(condition)),
            InstructionKind::Allocate {
                target,
                element,
                count,
                zeroed,
                moved,
            } => {
                let count = count
                    .as_ref()
                    .map_or("?".to_string(), |count| self.expression_text(count));
                let zeroed = if *zeroed { "zeroed " } else { "" };
                let element = self.types.display(*element);
                let moved = moved
                    .as_ref()
                    .map_or(String::new(), |old| format!(" from {}", self.expression_text(old)));
                format!("{} = new {zeroed}{element}[{count}]{moved}", self.place_text(target))
            }
            InstructionKind::Free(pointer) => format!("free {}", self.expression_text(pointer)),
            InstructionKind::Copy {
                target,
                source,
                element,
                count,
            } => {
                let source = match source {
                    CopySource::Zero => "zeros".to_string(),
                    CopySource::Address(source) => self.expression_text(source),
                };
                let (target, count) = (self.expression_text(target), self.expression_text(count));
                format!(
                    "copy {count} of {} to {target} from {source}",
                    self.types.display(*element)
                )
            }
            InstructionKind::Ask { target, asked } => {
                let arguments: Vec<String> = [&asked.pointer]
                    .into_iter()
                    .chain(&asked.bytes)
                    .map(|argument| self.expression_text(argument))
                    .collect();
                let (target, arguments) = (self.place_text(target), arguments.join(", "));
                format!("{target} = ask {} ({arguments}) [{:?}]", asked.name, asked.question)
            }
            InstructionKind::Print(values) => format!("print {}", self.list(values)),
            InstructionKind::Expose { what, pointers, reach } => {
                format!("expose {} to {what} [{reach:?}]", self.list(pointers))
            }
            InstructionKind::Check(check) => self.check_text(check),
            InstructionKind::Unsupported {
                what,
                effect: Effect::Anything,
            } => format!("unsupported {what} [anything]"),
            InstructionKind::Unsupported {
                what,
                effect: Effect::Changes(changes),
            } => {
                let changes: Vec<String> = changes.iter().map(|place| self.place_text(place)).collect();
                format!("unsupported {what} [{}]", changes.join(", "))
            }
        }
    }

    fn check_text(&self, check: &Check) -> String {
        match check {
            Check::Bytes { pointer, bytes, writes } => {
                let how = if *writes { "writable" } else { "readable" };
                let (pointer, bytes) = (self.expression_text(pointer), self.expression_text(bytes));
                format!("check {how} {bytes} bytes at {pointer}")
            }
            Check::Apart { one, other, bytes } => {
                let [one, other] = [one, other].map(|part| self.expression_text(part));
                let bytes = bytes
                    .as_ref()
                    .map_or("all".to_string(), |bytes| self.expression_text(bytes));
                format!("check {bytes} bytes apart at {one} and {other}")
            }
            Check::Length(length) => format!("check length {}", self.expression_text(length)),
            Check::Set(pointer) => format!("check not null {}", self.expression_text(pointer)),
            Check::Text(pointer) => format!("check text at {}", self.expression_text(pointer)),
            Check::Unmeasured(pointer) => format!("check memory at {}", self.expression_text(pointer)),
            Check::Begins(variable) => format!("begins {}", self.name(*variable)),
            Check::Ends(variable) => format!("ends {}", self.name(*variable)),
        }
    }

    fn terminator_text(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Goto(target) => format!("goto {}", target.0),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => format!(
                "if {} goto {} else {}",
                self.expression_text(condition),
                then.0,
                otherwise.0
            ),
            Terminator::Switch {
                value,
                cases,
                otherwise,
            } => {
                let mut text = format!("switch {}", self.expression_text(value));
                for (first, last, target) in cases {
                    // Writing to a string cannot fail.
                    let _ = match first == last {
                        true => write!(text, ", {first}: {}", target.0),
                        false => write!(text, ", {first}..{last}: {}", target.0),
                    };
                }
                format!("{text}, else: {}", otherwise.0)
            }
            Terminator::Call { entry, after } => format!("call {} then {}", entry.0, after.0),
            Terminator::Return => "return".to_string(),
            Terminator::Stop => "stop".to_string(),
            Terminator::Error(kind) => format!("error {kind:?}"),
        }
    }
}

fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
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
        BinaryOperator::PointerAdd => "+p",
        BinaryOperator::PointerDifference => "-p",
    }
}
