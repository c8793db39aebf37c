//! Arguments behind the parameters: each copy of a function that takes them has variables for those of its call.
//!
//! A `va_list` is a number that says of which copy and how far it is, so that it can be handed on and copied like any other
//! value; `va_arg` compares it with all that it can be here. An argument that is not there, or has another type than is asked
//! for, is undefined behaviour; where compilers give the bits of the argument all the same, so does this.

use super::{Inliner, Origin, numeric};
use crate::options::Undefined;
use crate::passing::{Arrival, arrival, is_zero};
use crate::program::{
    BinaryOperator, BlockId, Effect, ErrorKind, Expression, ExpressionKind, InstructionKind, Numeric, Place, Reach,
    Terminator, UnknownSource, Variable, VariableId, VariableRole, Written,
};
use crate::syntax::Span;
use crate::types::{IntegerType, Type, TypeId, Types};
use hashbrown::HashSet;

/// So many arguments a call may have: lists count up to there.
const MOST_ARGUMENTS: usize = 4096;

/// The arguments of a copy behind its parameters.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    /// What lists begin with that go over them.
    start: u32,
    /// The arguments. Of a constant zero, that it is one.
    arguments: Vec<(VariableId, bool)>,
}

impl Inliner<'_> {
    /// The arguments behind the parameters are known elsewhere from now on.
    pub(super) fn expose_rest(
        &mut self,
        context: usize,
        block: BlockId,
        parameters: usize,
        arguments: &[Expression<Place>],
        span: Span,
    ) {
        let rest = arguments.iter().skip(parameters);
        let pointers: Vec<_> = rest.map(|argument| self.expression(context, argument)).collect();
        if !pointers.is_empty() {
            let kind = InstructionKind::Expose {
                what: String::new(),
                pointers,
                reach: Reach::Nothing,
            };
            self.push(block, kind, span);
        }
    }

    /// A copy gets the arguments behind its parameters.
    pub(super) fn pass_rest(
        &mut self,
        context: usize,
        callee: usize,
        block: BlockId,
        arguments: &[Expression<Place>],
        span: Span,
    ) {
        if arguments.len() >= MOST_ARGUMENTS || self.lists >= u32::MAX / (MOST_ARGUMENTS as u32) - 1 {
            return self.expose_rest(context, block, 0, arguments, span);
        }
        self.lists += 1;
        let start = self.lists * MOST_ARGUMENTS as u32;
        let mut passed = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            let value = self.expression(context, argument);
            let is_null = is_zero(&value);
            let copy = Variable::new(
                format!("argument{}", position + 1),
                value.c_type,
                VariableRole::Temporary,
                span,
            );
            let origin = Origin {
                owner: Some(self.contexts[callee].owner),
                activation: self.contexts[callee].activation,
                source: None,
            };
            let variable = self.add_variable(copy, origin);
            let target = super::variable_place(variable, value.c_type);
            self.push(block, InstructionKind::Assign { target, value }, span);
            passed.push((variable, is_null));
        }
        self.contexts[callee].rest = Some(Rest {
            start,
            arguments: passed,
        });
    }

    /// `va_start`
    pub(super) fn start_arguments(&mut self, context: usize, current: BlockId, list: &Place, span: Span) -> BlockId {
        let list = self.place(context, list);
        match self.contexts[context].rest.as_ref().map(|rest| rest.start) {
            Some(start) => {
                let value = number(start, list.kind);
                self.push(current, InstructionKind::Assign { target: list, value }, span);
            }
            None => self.unknown_arguments(current, span),
        }
        current
    }

    /// The arguments that lists may go over in a copy: those of its call and of the calls around it; and the outermost copy.
    fn lists_around(&self, context: usize) -> (Vec<Rest>, usize) {
        let mut lists = Vec::new();
        let mut outermost = context;
        loop {
            lists.extend(self.contexts[outermost].rest.clone());
            match self.contexts[outermost].caller {
                Some((caller, _)) => outermost = caller,
                None => return (lists, outermost),
            }
        }
    }

    /// Code that gets one of the values gets what is found in the lists there, too.
    pub(super) fn add_lists(
        &mut self,
        context: usize,
        block: BlockId,
        values: &mut Vec<Expression<Place>>,
        span: Span,
    ) {
        if !values.iter().any(|value| has_list(&self.types, value.c_type)) {
            return;
        }
        let (lists, outermost) = self.lists_around(context);
        if self.contexts[outermost].owner.function != self.program.entry.0 {
            return self.unknown_arguments(block, span);
        }
        for (variable, _) in lists.iter().flat_map(|rest| &rest.arguments) {
            values.push(self.read(*variable, self.variables[variable.0 as usize].kind));
        }
    }

    fn unknown_arguments(&mut self, block: BlockId, span: Span) {
        let what = "variable arguments of a function that calls itself".to_string();
        let effect = Effect::Anything;
        self.push(block, InstructionKind::Unsupported { what, effect }, span);
    }

    /// `va_arg`; gives the block where the run goes on.
    pub(super) fn next_argument(
        &mut self,
        context: usize,
        current: BlockId,
        [list, target]: [&Place; 2],
        span: Span,
    ) -> BlockId {
        let (list, target) = (self.place(context, list), self.place(context, target));
        let (lists, outermost) = self.lists_around(context);
        let is_whole = self.contexts[outermost].owner.function == self.program.entry.0;
        let after = self.add_block(context, span);
        let mut current = current;
        for rest in &lists {
            for (position, (variable, is_null)) in rest.arguments.iter().enumerate() {
                let place = rest.start + position as u32;
                let (then, otherwise) = (self.add_block(context, span), self.add_block(context, span));
                let condition = self.is_at(&list, place);
                let branch = Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                };
                self.end(current, branch, span);
                let value = number(place + 1, list.kind);
                let moved = InstructionKind::Assign {
                    target: list.clone(),
                    value,
                };
                self.push(then, moved, span);
                let then = self.give(then, *variable, *is_null, &target, span);
                if let Some(then) = then {
                    self.end(then, Terminator::Goto(after), span);
                }
                current = otherwise;
            }
        }
        if !is_whole {
            self.unknown_arguments(current, span);
            self.end(current, Terminator::Goto(after), span);
        } else if self.undefined(current, &target, span) {
            self.end(current, Terminator::Goto(after), span);
        }
        after
    }

    /// What was asked for is not there; whether the run goes on.
    fn undefined(&mut self, block: BlockId, target: &Place, span: Span) -> bool {
        if self.options.checks.uninitialized {
            self.end(block, Terminator::Error(ErrorKind::Uninitialized), span);
            return false;
        }
        if self.options.undefined == Undefined::Ends {
            self.end(block, Terminator::Stop, span);
            return false;
        }
        let source = UnknownSource::Uninitialized;
        let target = target.clone();
        self.push(block, InstructionKind::Unknown { target, source }, span);
        true
    }

    /// The target gets an argument; the block where the run goes on, if it does.
    fn give(
        &mut self,
        block: BlockId,
        variable: VariableId,
        is_null: bool,
        target: &Place,
        span: Span,
    ) -> Option<BlockId> {
        let kind = self.variables[variable.0 as usize].kind;
        let value = self.read(variable, kind);
        match self.arrival(kind, is_null, target.kind) {
            Arrival::Value => {
                self.assign(block, target.clone(), value, span);
                Some(block)
            }
            Arrival::LowerBits => {
                self.widen(block, target, value, UnknownSource::Uninitialized, span);
                Some(block)
            }
            Arrival::Unknown | Arrival::Missing => {
                let goes_on = self.undefined(block, target, span);
                goes_on.then_some(block)
            }
        }
    }

    /// The lower bits of the place get the value, the others any.
    pub(super) fn widen(
        &mut self,
        block: BlockId,
        target: &Place,
        value: Expression<Place>,
        source: UnknownSource,
        span: Span,
    ) {
        let unknown = InstructionKind::Unknown {
            target: target.clone(),
            source,
        };
        self.push(block, unknown, span);
        let whole = Expression {
            kind: ExpressionKind::Read(target.clone()),
            numeric: numeric(&self.types, target.kind),
            c_type: target.kind,
            written: Written::default(),
        };
        // A truth value is a whole byte.
        let value = match value.numeric {
            Numeric::Integer(IntegerType::BOOL) => {
                let byte = IntegerType { bits: 8, signed: false };
                let kind = self.types.integer(byte);
                converted(value, Numeric::Integer(byte), kind)
            }
            _ => value,
        };
        let lower = converted(whole, value.numeric, value.c_type);
        let same = truth(BinaryOperator::Equal, lower, value);
        self.push(block, InstructionKind::Assume(same), span);
    }

    /// What `va_arg` gives: it asks for no types that are promoted.
    fn arrival(&self, given: TypeId, is_null: bool, asked: TypeId) -> Arrival {
        let (given, asked) = (self.types.get(given), self.types.get(asked));
        match asked {
            Type::Integer(asked) if asked.bits < 32 => Arrival::Unknown,
            _ => arrival(&self.types, given, is_null, asked),
        }
    }

    fn is_at(&self, list: &Place, place: u32) -> Expression<Place> {
        let read = Expression {
            kind: ExpressionKind::Read(list.clone()),
            numeric: numeric(&self.types, list.kind),
            c_type: list.kind,
            written: Written::default(),
        };
        truth(BinaryOperator::Equal, read, number(place, list.kind))
    }
}

/// Whether a value of the type is a `va_list`, or leads to one.
fn has_list(types: &Types, kind: TypeId) -> bool {
    let mut waiting = vec![kind];
    let mut seen = HashSet::new();
    while let Some(kind) = waiting.pop() {
        match types.get(kind) {
            Type::Pointer(target) | Type::Array(target, _) => waiting.push(*target),
            Type::Record(record) if seen.insert(*record) => {
                let record = types.record(*record);
                if record.name == "__va_list_tag" {
                    return true;
                }
                waiting.extend(record.fields.iter().flatten().map(|field| field.kind));
            }
            _ => {}
        }
    }
    false
}

fn number(value: u32, kind: TypeId) -> Expression<Place> {
    Expression {
        kind: ExpressionKind::Integer(value.into()),
        numeric: Numeric::Integer(IntegerType {
            bits: 32,
            signed: false,
        }),
        c_type: kind,
        written: Written::default(),
    }
}

fn converted(value: Expression<Place>, numeric: Numeric, kind: TypeId) -> Expression<Place> {
    match value.numeric == numeric && value.c_type == kind {
        true => value,
        false => Expression {
            kind: ExpressionKind::Convert(Box::new(value)),
            numeric,
            c_type: kind,
            written: Written::default(),
        },
    }
}

fn truth(operator: BinaryOperator, left: Expression<Place>, right: Expression<Place>) -> Expression<Place> {
    Expression {
        kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
        numeric: Numeric::Integer(IntegerType::INT),
        c_type: Types::INT,
        written: Written::default(),
    }
}
