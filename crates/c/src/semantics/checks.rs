//! What only checks need to know of a program: expressions whose value nobody wants are evaluated all the same, the bytes that
//! library functions access, and where the lives of local variables begin and end. Without a check that asks for it nothing of
//! it is made, but that a run which writes a `const` object ends.

use super::functions::{Local, Visible};
use super::{Checked, Semantics, Value};
use crate::options::Undefined;
use crate::program::{
    BinaryOperator, BlockId, Callee, Check, ErrorKind, ExpressionKind, InstructionKind, Numeric, Place, PlaceBase,
    PlaceStep, Terminator, UnaryOperator, VariableId,
};
use crate::syntax::{self, Span};
use crate::types::{Type, TypeId, Types};
use std::collections::BTreeSet;

impl<'a> Semantics<'a, '_> {
    /// Nobody wants the value, but a check may find something wrong with it.
    pub(super) fn evaluated(&mut self, value: Value, span: Span) {
        let is_void = matches!(self.types.get(value.c_type), Type::Void | Type::Function { .. });
        if self.options.checks.any() && !is_void && self.may_fail(&value) {
            self.saved(value, span);
        }
    }

    /// The values of expressions that are evaluated one after another, whether they are looked at afterwards or not.
    pub(super) fn evaluated_in_order(&mut self, expressions: &[&'a syntax::Expression<'a>]) -> Checked<Vec<Value>> {
        let values = self.values_in_order(expressions)?;
        for (value, expression) in values.iter().zip(expressions) {
            self.evaluated(value.clone(), expression.span);
        }
        Ok(values)
    }

    /// The value, evaluated here and now if something may be wrong with it.
    pub(super) fn evaluated_now(&mut self, value: Value, span: Span) -> Value {
        if !self.options.checks.any() || !self.may_fail(&value) {
            return value;
        }
        let kind = value.c_type;
        let place = self.saved(value, span);
        self.typed(ExpressionKind::Read(place), kind)
    }

    /// Whether there is anything in a value that a check may find fault with.
    fn may_fail(&self, value: &Value) -> bool {
        match &value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Floating(_) | ExpressionKind::FunctionAddress(_) => false,
            ExpressionKind::Read(place) => self.options.checks.uninitialized || self.place_may_fail(place),
            ExpressionKind::AddressOf(place) => self.place_may_fail(place),
            ExpressionKind::Unary(operator, operand) => *operator == UnaryOperator::Negate || self.may_fail(operand),
            ExpressionKind::Convert(operand) => self.may_fail(operand),
            ExpressionKind::Binary(operator, left, right) => {
                let is_harmless = operator.is_truth()
                    || matches!(
                        operator,
                        BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor
                    );
                !is_harmless || self.may_fail(left) || self.may_fail(right)
            }
            ExpressionKind::Conditional(condition, left, right) | ExpressionKind::Fused(condition, left, right) => {
                [condition, left, right].into_iter().any(|part| self.may_fail(part))
            }
        }
    }

    fn place_may_fail(&self, place: &Place) -> bool {
        let is_index = |step: &PlaceStep| matches!(step, PlaceStep::Index(_));
        matches!(place.base, PlaceBase::Dereference(_)) || place.steps.iter().any(is_index)
    }

    /// So many bytes are accessed at once.
    pub(super) fn check_bytes(&mut self, pointer: &Value, bytes: &Value, writes: bool, span: Span) {
        let check = Check::Bytes {
            pointer: pointer.clone(),
            bytes: bytes.clone(),
            writes,
        };
        self.emit(InstructionKind::Check(check), span);
    }

    /// The same for functions that want an address even where there is no byte to access.
    pub(super) fn check_block(&mut self, pointer: &Value, bytes: &Value, writes: bool, span: Span) {
        self.check_set(pointer, span);
        self.check_bytes(pointer, bytes, writes, span);
    }

    /// A function such as `memcpy` is handed an address. C17 has no meaning for a null pointer, even of no bytes, and compilers
    /// conclude from the call that it is none.
    pub(super) fn check_set(&mut self, pointer: &Value, span: Span) {
        if self.options.checks.null_arguments {
            self.emit(InstructionKind::Check(Check::Set(pointer.clone())), span);
        }
    }

    /// The same for an argument that need not be of a pointer type, such as a zero.
    pub(super) fn check_address(&mut self, value: Value, span: Span) {
        if matches!(value.numeric, Numeric::Pointer | Numeric::Integer(_)) {
            let kind = self.types.pointer_to(Types::VOID);
            let pointer = match value.numeric {
                Numeric::Pointer => value,
                _ => self.convert(value, kind),
            };
            self.check_set(&pointer, span);
        }
    }

    /// A function of the library is handed a stream, which must be one.
    pub(super) fn check_stream(&mut self, name: &str, arguments: &'a [&'a syntax::Expression<'a>]) -> Checked<()> {
        let is_library = self.library.contains_key(name) || !self.defined.contains(name);
        let is_library = is_library && self.options.checks.null_arguments;
        let position = super::names::stream_argument(name).filter(|_| is_library);
        let Some(stream) = position.and_then(|position| arguments.get(position)) else {
            return Ok(());
        };
        match self.is_pure(stream) {
            true => {
                let value = self.value(stream)?;
                let is_there = self.require_scalar(value, stream.span)?;
                let (there, missing) = (self.state.graph.new_block(), self.state.graph.new_block());
                self.branch_on(is_there, there, missing, stream.span);
                self.state.graph.resume(missing);
                let error = Terminator::Error(ErrorKind::NullPointer);
                self.state.graph.terminate(error, stream.span);
                self.state.graph.resume(there);
            }
            // It is evaluated with the call, and only once.
            false => {
                let what = "a check of a stream that is not a plain value".to_string();
                self.emit_anything(what, stream.span);
            }
        }
        Ok(())
    }

    /// So many bytes from here on and from there on have none in common.
    pub(super) fn check_apart(&mut self, one: &Value, other: &Value, bytes: Option<&Value>, span: Span) {
        if self.options.checks.overlap {
            let check = Check::Apart {
                one: one.clone(),
                other: other.clone(),
                bytes: bytes.cloned(),
            };
            self.emit(InstructionKind::Check(check), span);
        }
    }

    /// An object that is `const` is written, as `*(int *)&x` allows it. What pointers lead to is known later.
    pub(super) fn check_constant(&mut self, place: &Place, span: Span) {
        if let PlaceBase::Variable(variable) = place.base
            && self.variable(variable).is_constant
        {
            match (self.options.checks.literals, self.options.undefined) {
                (true, _) => self
                    .state
                    .graph
                    .terminate(Terminator::Error(ErrorKind::LiteralWrite), span),
                (false, Undefined::Ends) => self.state.graph.terminate(Terminator::Stop, span),
                (false, Undefined::GoesOn) => {}
            }
        }
    }

    /// An array gets so many elements.
    pub(super) fn check_length(&mut self, length: &Value, span: Span) {
        if self.options.checks.bounds && !self.state.is_global() {
            self.emit(InstructionKind::Check(Check::Length(length.clone())), span);
        }
    }

    /// The text behind the pointer is read up to its end.
    pub(super) fn check_text(&mut self, pointer: &Value, span: Span) {
        if self.options.checks.accesses() {
            let text = self.types.pointer_to(Types::CHAR);
            let pointer = self.convert(pointer.clone(), text);
            self.emit(InstructionKind::Check(Check::Text(pointer)), span);
        }
    }

    /// Memory behind the pointer is read, nobody says how much.
    pub(super) fn check_unmeasured(&mut self, pointer: &Value, span: Span) {
        if self.options.checks.accesses() {
            self.emit(InstructionKind::Check(Check::Unmeasured(pointer.clone())), span);
        }
    }

    /// The same for a text that need not be there.
    pub(super) fn check_text_unless_null(&mut self, pointer: Value, span: Span) -> Checked<()> {
        if !self.options.checks.accesses() {
            self.evaluated(pointer, span);
            return Ok(());
        }
        let is_there = self.require_scalar(pointer.clone(), span)?;
        let (there, missing, join) = self.three_blocks();
        self.branch_on(is_there, there, missing, span);
        self.state.graph.resume(there);
        self.check_text(&pointer, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(missing);
        self.state.graph.goto(join, span);
        self.state.graph.resume(join);
        Ok(())
    }

    /// Evaluates the arguments of a function of the library that reads the texts among them.
    pub(super) fn read_texts(&mut self, arguments: &'a [&'a syntax::Expression<'a>]) -> Checked<()> {
        if !self.options.checks.accesses() {
            return self.discard_all(arguments);
        }
        let values = self.values_in_order(arguments)?;
        for (value, argument) in values.into_iter().zip(arguments) {
            if self.pointed_size(&value) == Some(1) {
                self.check_text(&value, argument.span);
            } else {
                self.evaluated(value, argument.span);
            }
        }
        Ok(())
    }

    /// A function of the library writes what some of its arguments point to: as many bytes as it is told, or one object. How much
    /// others write is not known.
    pub(super) fn check_written(
        &mut self,
        name: &str,
        values: &[Value],
        is_written: impl Fn(usize) -> bool,
        span: Span,
    ) {
        if !self.options.checks.accesses() {
            return;
        }
        // Where the memory is, and the arguments whose product is the number of bytes.
        let told: Option<(usize, &[usize])> = match self.symbols.symbol(name) {
            "fgets" | "getcwd" | "gethostname" | "getrandom" | "getentropy" => Some((0, &[1])),
            "read" | "pread" | "pread64" | "recv" | "recvfrom" | "readlink" => Some((1, &[2])),
            "fread" | "fread_unlocked" => Some((0, &[1, 2])),
            _ => None,
        };
        let takes_null = NULL_IS_FINE.contains(&self.symbols.symbol(name));
        let size_type = self.size_type();
        for (position, value) in values.iter().enumerate() {
            let is_null = self.is_null_constant(value);
            if !is_written(position) || is_null && takes_null || value.numeric != Numeric::Pointer {
                continue;
            }
            if takes_null && !matches!(value.kind, ExpressionKind::AddressOf(_)) {
                self.emit(InstructionKind::Check(Check::Unmeasured(value.clone())), span);
                continue;
            }
            let factors = told.filter(|(at, _)| *at == position).map(|(_, factors)| factors);
            let factors = factors.map(|factors| factors.iter().filter_map(|factor| values.get(*factor)).cloned());
            let bytes = match (factors, self.pointed_size(value)) {
                (Some(factors), _) => factors.reduce(|one, other| {
                    let (one, other) = (self.convert(one, size_type), self.convert(other, size_type));
                    self.operation(BinaryOperator::Multiply, one, other, size_type)
                }),
                (None, Some(2..)) if told.is_none() => {
                    self.pointed_size(value).map(|size| self.constant(size, size_type))
                }
                _ => None,
            };
            match bytes {
                Some(bytes) if matches!(bytes.numeric, Numeric::Integer(_)) => {
                    let bytes = self.convert(bytes, size_type);
                    self.check_bytes(value, &bytes, true, span);
                }
                _ => self.emit(InstructionKind::Check(Check::Unmeasured(value.clone())), span),
            }
        }
    }

    /// A function of the library is handed an object that it reads.
    pub(super) fn check_wanted(&mut self, callee: &Callee, value: &Value, parameter: TypeId, span: Span) {
        let Callee::Function(function) = callee else { return };
        let name = self.function(*function).name.as_str();
        if !self.options.checks.accesses() || !READERS.contains(&name) || self.numeric(parameter) != Numeric::Pointer {
            return;
        }
        let pointer = self.convert(value.clone(), parameter);
        match self.pointed_size(&pointer) {
            Some(1) => self.check_text(&pointer, span),
            Some(size) => {
                let size_type = self.size_type();
                let bytes = self.constant(size, size_type);
                self.check_bytes(&pointer, &bytes, false, span);
            }
            None => {}
        }
    }

    /// The size of what a pointer points to by its type, if it has one.
    fn pointed_size(&self, value: &Value) -> Option<u64> {
        match *self.types.get(value.c_type) {
            Type::Pointer(target) if !matches!(self.types.get(target), Type::Void) => self.types.size_of(target),
            _ => None,
        }
    }

    /// The life of a local variable begins.
    pub(super) fn begins(&mut self, variable: VariableId, span: Span) {
        if self.options.checks.lifetime && !self.state.is_global() {
            self.emit(InstructionKind::Check(Check::Begins(variable)), span);
        }
    }

    /// All local variables that are visible are alive, however control has come here.
    pub(super) fn all_begin(&mut self, span: Span) {
        for variable in self.left(self.state.visible, None) {
            self.begins(variable, span);
        }
    }

    /// The lives of the variables that are visible here, but not there, end.
    pub(super) fn end_lives(&mut self, there: Visible, span: Span) {
        if !self.options.checks.lifetime {
            return;
        }
        for variable in self.left(self.state.visible, there) {
            self.emit(InstructionKind::Check(Check::Ends(variable)), span);
        }
    }

    /// The function is left.
    pub(super) fn end_all_lives(&mut self, span: Span) {
        self.end_lives(None, span);
        self.end_parameters(span);
    }

    /// The lives of the parameters end.
    pub(super) fn end_parameters(&mut self, span: Span) {
        if self.options.checks.lifetime {
            for variable in self.state.parameters.clone() {
                self.emit(InstructionKind::Check(Check::Ends(variable)), span);
            }
        }
    }

    /// A jump leaves the block, for a label that may come later.
    pub(super) fn note_jump(&mut self, block: BlockId, name: &'a str, span: Span) {
        if self.options.checks.lifetime && self.state.graph.is_open() {
            self.state.leaving.push((block, self.state.visible, name, span));
        }
    }

    /// When all labels are known, each jump ends the lives of the variables whose blocks it leaves, and of arrays of variable
    /// length that are not declared yet where it leads.
    pub(super) fn settle_jumps(&mut self) {
        for (block, from, name, span) in std::mem::take(&mut self.state.leaving) {
            let Some(label) = self.state.labels.get(name) else {
                continue;
            };
            let ended = self.left_where(from, label.visible, |local| {
                let is_open = local.scope.is_none_or(|scope| label.scopes.contains(&scope));
                !is_open || self.variable(local.variable).length.is_some()
            });
            for variable in ended {
                let ends = InstructionKind::Check(Check::Ends(variable));
                self.state.graph.append(block, ends, span);
            }
        }
    }

    /// The variables that are visible from one place and not from another, the last one first.
    pub(super) fn left(&self, from: Visible, to: Visible) -> Vec<VariableId> {
        self.left_where(from, to, |_| true)
    }

    /// Those of them that are chosen.
    fn left_where(&self, from: Visible, to: Visible, is_chosen: impl Fn(&Local) -> bool) -> Vec<VariableId> {
        let mut kept = BTreeSet::new();
        let mut next = to;
        while let Some(index) = next {
            kept.insert(index);
            next = self.state.locals[index].before;
        }
        let mut left = Vec::new();
        let mut next = from;
        while let Some(index) = next.filter(|index| !kept.contains(index)) {
            let local = &self.state.locals[index];
            left.extend(is_chosen(local).then_some(local.variable));
            next = local.before;
        }
        left
    }
}

/// Functions of the library that only read what they are given, and have no other meaning here.
const READERS: &[&str] = &[
    "getenv",
    "asctime",
    "ctime",
    "gmtime",
    "localtime",
    "mktime",
    "timegm",
    "timespec_get",
    "system",
    "remove",
    "unlink",
    "fopen",
    "atol",
    "atoll",
    "atof",
];

/// Functions of the library that write through a pointer unless it is null.
const NULL_IS_FINE: &[&str] = &[
    "time",
    "wait",
    "waitpid",
    "wait4",
    "select",
    "gettimeofday",
    "setitimer",
    "sigprocmask",
    "wcstombs",
    "mbstowcs",
    "mbtowc",
    "wctomb",
    "getcwd",
    "snprintf",
    "vsnprintf",
    "recvfrom",
    "nanosleep",
    "sigaction",
    "clock_getres",
    "fcntl",
    "ioctl",
    "asprintf",
];

/// A jump out of blocks: where it is, what is visible there, and the label.
pub(super) type Leaving<'a> = (BlockId, Visible, &'a str, Span);
