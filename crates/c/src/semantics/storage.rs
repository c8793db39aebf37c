//! Where execution starts: every global gets its first value, then the program's entry function is called.

use super::functions::FunctionState;
use super::names::is_stream;
use super::scopes::{Entity, nearest};
use super::{Checked, Semantics, Value};
use crate::options::Globals;
use crate::program::{
    BinaryOperator, Callee, ExpressionKind, Function, FunctionId, Instruction, InstructionKind, Terminator,
    UnknownSource, VariableId, VariableRole,
};
use crate::syntax::{self, Span};
use crate::types::{Length, Type, TypeId, Types};
use hashbrown::HashSet;

/// What a global starts with, if not with zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FirstValue {
    /// What its initializer says.
    Given,
    /// Whatever another file says.
    Elsewhere,
    /// Anything: an undeclared variable of a snippet.
    Unknown,
}

/// The function of the library that calls what `atexit` was given.
const RUN_AT_EXIT: &str = "__clausal_run_at_exit";

impl<'a> Semantics<'a, '_> {
    /// The function where execution starts.
    pub(super) fn entry_function(&mut self) -> Checked<FunctionId> {
        let main = self.main_function()?;
        let span = self.function(main).span;
        self.prepare_cleanup(span);
        let mut instructions = self.first_values();
        instructions.append(&mut self.literals);
        self.state = FunctionState {
            graph: std::mem::take(&mut self.startup),
            name: "_start".to_string(),
            ..FunctionState::default()
        };
        self.state.graph.prepend(instructions);
        // Not even where other globals are inputs are those unknown that nobody sees.
        for variable in [self.not_freed, self.rounding].into_iter().flatten() {
            let target = self.variable_place(variable);
            let zero = self.zero(target.kind);
            self.emit_assign(target, zero, span);
        }
        for name in self.symbols.constructors.clone() {
            self.call_in_passing(name);
        }
        self.earlier_calls();
        let arguments = self.main_arguments(main, span);
        let call = InstructionKind::Call {
            target: None,
            callee: Callee::Function(main),
            kind: self.function(main).kind,
            arguments,
        };
        self.emit(call, span);
        self.end_program(span);
        self.state.graph.terminate(Terminator::Stop, span);
        let body = std::mem::take(&mut self.state.graph).finish(span);
        let kind = self.types.intern(Type::Function {
            result: Types::VOID,
            parameters: Vec::new(),
            open: false,
        });
        self.functions.push(Function {
            name: "_start".to_string(),
            kind,
            parameters: Vec::new(),
            result: None,
            body: Some(body),
            span,
            never_returns: false,
        });
        Ok(FunctionId(self.functions.len() as u32 - 1))
    }

    /// What runs when `main` returns or `exit` is called.
    pub(super) fn end_program(&mut self, span: Span) {
        // Where the library has it, the program uses `atexit`.
        if self.library.contains_key(RUN_AT_EXIT) && self.library_call(RUN_AT_EXIT, Vec::new(), span).is_err() {
            let what = "what is called when the program ends".to_string();
            self.emit_anything(what, span);
        }
        for name in self.symbols.destructors.clone() {
            self.call_in_passing(name);
        }
        self.check_cleanup(span);
    }

    /// A call of a function that nobody has written at this place.
    fn call_in_passing(&mut self, name: &'a str) {
        let found = self.scopes.find_outermost(name).map(|found| found.what.clone());
        let function = match found {
            Some(Entity::Function(function)) => function,
            _ => self.implicit_function(name, Span::default()),
        };
        let (span, kind) = (self.function(function).span, self.function(function).kind);
        let parameters = match self.types.get(kind) {
            Type::Function { parameters, .. } => parameters.clone(),
            _ => Vec::new(),
        };
        // Some libraries tell it what they tell `main`.
        let mut arguments = Vec::new();
        for parameter in parameters {
            let target = self.temporary(parameter, span);
            let source = UnknownSource::Outside;
            self.emit(
                InstructionKind::Unknown {
                    target: target.clone(),
                    source,
                },
                span,
            );
            arguments.push(self.typed(ExpressionKind::Read(target), parameter));
        }
        let call = InstructionKind::Call {
            target: None,
            callee: Callee::Function(function),
            kind,
            arguments,
        };
        self.emit(call, span);
    }

    /// Keeps which variables are declared only.
    pub(super) fn note_what_is_elsewhere(&mut self) {
        for (index, variable) in self.variables.iter_mut().enumerate() {
            let id = VariableId(index as u32);
            // Nothing but the program gives the library's streams other values.
            variable.is_elsewhere =
                self.initialized.get(&id) == Some(&FirstValue::Elsewhere) && !is_stream(&variable.name);
        }
    }

    /// Whether others have pointers to the globals that they can name.
    pub(super) fn is_part_of_others(&self) -> bool {
        let is_elsewhere = |variable: &VariableId| self.initialized.get(variable) == Some(&FirstValue::Elsewhere);
        let mut variables = (0..self.variables.len() as u32).map(VariableId);
        self.snippet_main.is_none() && self.options.entry != "main"
            || variables.any(|id| is_elsewhere(&id) && self.holds_pointer(self.variable(id).kind))
    }

    /// Whether others may have pointers to functions that they can name.
    pub(super) fn is_called_by_others(&self) -> bool {
        let is_elsewhere = |variable: &VariableId| self.initialized.get(variable) == Some(&FirstValue::Elsewhere);
        let mut variables = (0..self.variables.len() as u32).map(VariableId);
        let entry = self.options.entry.as_str();
        let mut callees = self.symbols.external_functions.iter();
        // The entry itself is a function that others call, and so is whatever it declares.
        self.snippet_main.is_none() && entry != "main"
            || callees.any(|name| *name != entry)
                && variables.any(|id| is_elsewhere(&id) && self.leads_to_function(self.variable(id).kind))
    }

    /// Whether something of the type is a pointer to a function, or leads to one.
    fn leads_to_function(&self, kind: TypeId) -> bool {
        let mut waiting = vec![kind];
        let mut seen = HashSet::new();
        while let Some(kind) = waiting.pop() {
            match self.types.get(kind) {
                Type::Function { .. } => return true,
                Type::Pointer(target) | Type::Array(target, _) => waiting.push(*target),
                Type::Record(record) if seen.insert(*record) => {
                    let fields = self.types.record(*record).fields.iter().flatten();
                    waiting.extend(fields.map(|field| field.kind));
                }
                _ => {}
            }
        }
        false
    }

    fn main_function(&mut self) -> Checked<FunctionId> {
        if let Some(main) = self.snippet_main {
            return Ok(main);
        }
        let options = self.options;
        let name = options.entry.as_str();
        let found = self.scopes.find_outermost(name).map(|found| found.what.clone());
        if let Some(Entity::Function(function)) = found
            && self.function(function).body.is_some()
        {
            return Ok(function);
        }
        if self.defined.contains(name) {
            // Its definition was wrong, which has been said.
            return Err(super::Reported);
        }
        let with_body = self.functions.iter().filter(|function| function.body.is_some());
        let like = nearest(name, with_body.map(|function| function.name.as_str()));
        let help = match like {
            Some(like) => format!("did you mean `{like}`? say so with --entry {like}"),
            None => "say where the program starts with --entry FUNCTION".to_string(),
        };
        Err(self.error(
            Span::default(),
            format!("no function `{name}`"),
            "the file does not define it",
            Some(help),
        ))
    }

    /// The zeros and unknown values that globals start with.
    fn first_values(&mut self) -> Vec<Instruction> {
        let mut instructions = Vec::new();
        let unknown = match self.options.globals {
            Globals::Zero => false,
            Globals::Unknown => true,
            Globals::ByConvention => self.is_for_tracer,
        };
        let mut streams = Vec::new();
        for index in 0..self.variables.len() {
            let id = VariableId(index as u32);
            let variable = self.variable(id);
            // One of which the length is computed has elements from its declaration on.
            if variable.role != VariableRole::Global || variable.length.is_some() {
                continue;
            }
            let span = variable.span;
            // An array that nothing has completed has one element.
            if let Type::Array(element, Length::Unknown) = *self.types.get(variable.kind)
                && !self.initialized.contains_key(&id)
            {
                self.variables[index].kind = self.types.intern(Type::Array(element, Length::Fixed(1)));
            }
            let variable = self.variable(id);
            let is_scalar = self.types.is_scalar(variable.kind);
            let target = self.variable_place(id);
            let kind = match self.initialized.get(&id) {
                Some(FirstValue::Given) if is_scalar => continue,
                None if unknown => {
                    if self.options.globals == Globals::ByConvention {
                        let what = "globals without an initializer are taken for inputs, as TRACER's programs mean it";
                        self.warn_once(span, what, "the first of them; `--globals zero` makes them zero");
                    }
                    InstructionKind::Unknown {
                        target,
                        source: UnknownSource::Uninitialized,
                    }
                }
                Some(FirstValue::Given) | None if !is_scalar => InstructionKind::Zero { target },
                None => {
                    let value = self.zero(target.kind);
                    InstructionKind::Assign { target, value }
                }
                _ => InstructionKind::Unknown {
                    target,
                    source: UnknownSource::Outside,
                },
            };
            instructions.push(Instruction { kind, span });
            if self.initialized.get(&id) == Some(&FirstValue::Elsewhere) && is_stream(&self.variable(id).name) {
                let kind = self.is_there(id, &streams);
                instructions.push(Instruction { kind, span });
                streams.push(id);
            }
        }
        instructions
    }

    /// A stream, whose pointer has any value so far, gets one that is not null and not that of another stream. An assumption
    /// would keep what nobody uses.
    fn is_there(&mut self, stream: VariableId, others: &[VariableId]) -> InstructionKind {
        let target = self.variable_place(stream);
        // One of so many numbers is none of theirs.
        let value = self.int_constant(others.len() + 1);
        let mut value = self.convert(value, target.kind);
        for number in 1..=others.len() {
            let number = self.int_constant(number);
            let number = self.convert(number, target.kind);
            value = self.unless_taken(number, others, value);
        }
        let read = self.typed(ExpressionKind::Read(target.clone()), target.kind);
        let free = self.unless_taken(read.clone(), others, value.clone());
        let choice = ExpressionKind::Conditional(Box::new(read), Box::new(free), Box::new(value));
        let value = self.typed(choice, target.kind);
        InstructionKind::Assign { target, value }
    }

    /// The value if no stream has it, and else the other one.
    fn unless_taken(&mut self, value: Value, streams: &[VariableId], otherwise: Value) -> Value {
        let mut chosen = value.clone();
        for stream in streams {
            let place = self.variable_place(*stream);
            let kind = place.kind;
            let taken = self.typed(ExpressionKind::Read(place), kind);
            let same = ExpressionKind::Binary(BinaryOperator::Equal, Box::new(value.clone()), Box::new(taken));
            let same = self.typed(same, Types::INT);
            let choice = ExpressionKind::Conditional(Box::new(same), Box::new(otherwise.clone()), Box::new(chosen));
            chosen = self.typed(choice, value.c_type);
        }
        chosen
    }

    /// Zero of a scalar type.
    pub(super) fn zero(&mut self, kind: TypeId) -> Value {
        let zero = self.int_constant(0);
        self.convert(zero, kind)
    }

    /// What the environment passes to the first function: nobody knows.
    fn main_arguments(&mut self, main: FunctionId, span: Span) -> Vec<Value> {
        let parameters = self.function(main).parameters.clone();
        let mut arguments: Vec<Value> = Vec::new();
        for parameter in parameters {
            let kind = self.variable(parameter).kind;
            let position = arguments.len();
            let value = match (self.types.get(kind), position) {
                (&Type::Pointer(element), 1) if self.options.entry == "main" && self.types.is_scalar(element) => {
                    self.argument_strings(kind, element, arguments.first().cloned(), span)
                }
                _ => self.unknown_value(kind, UnknownSource::Outside, span),
            };
            if position == 0 && matches!(self.types.get(kind), Type::Integer(_)) && self.options.entry == "main" {
                // The number of arguments.
                let zero = self.int_constant(0);
                let condition = self.binary(syntax::BinaryOperator::GreaterOrEqual, value.clone(), zero, span);
                if let Ok(condition) = condition {
                    self.emit(InstructionKind::Assume(condition), span);
                }
            }
            arguments.push(value);
        }
        arguments
    }

    /// `argv`: an array of so many unknown pointers, and a null pointer behind them.
    fn argument_strings(&mut self, kind: TypeId, element: TypeId, count: Option<Value>, span: Span) -> Value {
        let target = self.temporary(kind, span);
        let size = self.size_type();
        let one = self.constant(1, size);
        let count = count.map(|count| self.convert(count, size));
        let length = count.clone();
        let length = length.map(|count| self.operation(crate::program::BinaryOperator::Add, count, one, size));
        let allocation = InstructionKind::Allocate {
            target: target.clone(),
            element,
            count: length,
            zeroed: false,
            moved: None,
        };
        self.emit(allocation, span);
        let strings = self.typed(crate::program::ExpressionKind::Read(target), kind);
        if let Some(count) = count
            && matches!(self.types.get(element), Type::Pointer(_))
        {
            // That the others are from outside is said of the first one; which of them it is makes no difference there.
            if let Ok(target) = self.dereference(strings.clone(), span) {
                let source = UnknownSource::Outside;
                self.emit(InstructionKind::Unknown { target, source }, span);
            }
            let end = self.pointer_add(strings.clone(), count, span);
            if let Ok(end) = end.and_then(|end| self.dereference(end, span)) {
                let null = self.zero(element);
                self.emit_assign(end, null, span);
            }
        }
        strings
    }
}
