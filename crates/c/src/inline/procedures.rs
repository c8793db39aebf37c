//! Calls that remain calls, of functions that recur or would make the program too large.
//!
//! A procedure has one copy of its function's body, behind an entry of its own, and *registers*: a variable for each
//! parameter, into which a caller writes an argument and from which the entry takes it, and one for the result. Registers and
//! globals are the same for all calls. If the function does not recur, so are all other variables of the copy: there is one call
//! of it at a time, as of a copy in a loop. Of one that recurs, and of what is inlined into it, they are there once for each
//! *activation*. A call begins a new activation, about whose variables nothing is known, and the caller's are what they were
//! when it comes back.
//!
//! That is exact for a variable whose address stays in its activation. The address of another one, which a global, a register
//! or another memory may hold, does not say whose variable it is; such a variable is *boxed*: each activation allocates it
//! anew, and keeps the pointer.

use super::calls::Call;
use super::{Activation, Inlined, Inliner, Origin, Pending, variable_place};
use crate::passing::Passing;
use crate::points_to::PointsTo;
use crate::points_to::locations::ObjectKind;
use crate::program::{
    BlockId, Effect, Expression, ExpressionKind, FunctionId, InstructionKind, Numeric, Place, Terminator,
    UnknownSource, Variable, VariableId, VariableRole, Written,
};
use crate::syntax::Span;
use std::collections::BTreeSet;

/// A function whose calls remain calls.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    context: usize,
    /// Where its calls lead.
    entry: BlockId,
    /// The registers of its parameters.
    arguments: Vec<VariableId>,
}

impl Inliner<'_> {
    /// A call of a procedure; gives the block where the caller goes on.
    pub(super) fn procedure_call(
        &mut self,
        context: usize,
        current: BlockId,
        id: FunctionId,
        call: &Call<'_>,
        passing: &Passing,
    ) -> BlockId {
        let span = call.span;
        let Procedure {
            context: callee,
            entry,
            arguments: registers,
        } = self.procedure(id, self.contexts[context].shown.unwrap_or(span));
        let name = self.function(id).map_or("", |function| function.name.as_str());
        for (position, (register, arrival)) in registers.into_iter().zip(&passing.parameters).enumerate() {
            let argument = call.arguments.get(position);
            let value = argument.map(|argument| self.expression(context, argument));
            let place = variable_place(register, self.variables[register.0 as usize].kind);
            let what = || format!("argument {} of this call of `{name}`", position + 1);
            self.arrive(current, place, *arrival, value, span, &what);
        }
        let after = self.add_block(context, span);
        self.end(current, Terminator::Call { entry, after }, span);
        self.take_result(after, call.target.clone(), callee, id, passing, span);
        after
    }

    /// The procedure of a function, made at its first call.
    fn procedure(&mut self, id: FunctionId, called: Span) -> Procedure {
        if let Some(known) = self.procedures.get(&id) {
            return known.clone();
        }
        let context = self.add_context(id, None);
        let activation = Activation(self.entries.len() as u32);
        self.contexts[context].activation = self.recurs[id.0 as usize].then_some(activation);
        let function = self.function(id);
        let mut span = function.map_or(Span { start: 0, end: 0 }, |function| function.span);
        if span.start >= self.program.end {
            self.contexts[context].shown = Some(called);
            span = called;
        }
        let parameters = function.map_or(&[][..], |function| &function.parameters);
        let name = function.map_or("", |function| function.name.as_str());
        let entry = self.add_block(context, span);
        self.entries.push(entry);
        let mut arguments = Vec::new();
        for parameter in parameters {
            let Some(original) = self.program.variables.get(parameter.0 as usize) else {
                continue;
            };
            arguments.push(self.add_variable(
                Variable {
                    name: format!("{name}::{}", original.name),
                    role: VariableRole::Temporary,
                    ..original.clone()
                },
                Origin {
                    owner: Some(self.contexts[context].owner),
                    activation: None,
                    source: None,
                },
            ));
        }
        // What is returned is in a register too: between its `return` and the caller nothing else can happen.
        if let Some(result) = function.and_then(|function| function.result)
            && let Some(original) = self.program.variables.get(result.0 as usize)
        {
            let register = self.add_variable(
                Variable {
                    name: format!("{name}::result"),
                    ..original.clone()
                },
                Origin {
                    owner: Some(self.contexts[context].owner),
                    activation: None,
                    source: None,
                },
            );
            self.contexts[context].variables.insert(result, register);
            self.forget(entry, register, span);
        }
        let procedure = Procedure {
            context,
            entry,
            arguments: arguments.clone(),
        };
        self.procedures.insert(id, procedure.clone());
        for (parameter, register) in parameters.iter().zip(arguments) {
            let kind = self.variables[register.0 as usize].kind;
            let value = self.read(register, kind);
            let place = self.parameter_place(context, *parameter);
            self.assign(entry, place, value, span);
        }
        let start = self.add_block(context, span);
        self.end(entry, Terminator::Goto(start), span);
        self.pending.push(Pending {
            context,
            entry: start,
            after: Terminator::Return,
        });
        procedure
    }

    /// The pointer to a variable of a copy, if activations allocate it.
    pub(super) fn box_of(&mut self, context: usize, id: VariableId) -> Option<Expression<Place>> {
        let activation = self.contexts[context].activation?;
        if !self.boxed.contains(&id) {
            return None;
        }
        let instance = self.variable(context, id);
        self.origins[instance.0 as usize].activation?;
        let variable = self.variables[instance.0 as usize].clone();
        let pointer_type = self.types.pointer_to(variable.kind);
        if let Some(pointer) = self.boxes.get(&(context, id)) {
            return Some(self.read(*pointer, pointer_type));
        }
        let pointer = self.add_variable(
            Variable::new(
                format!("address_of_{}", variable.name),
                pointer_type,
                VariableRole::Temporary,
                variable.span,
            ),
            Origin {
                source: None,
                ..self.origins[instance.0 as usize]
            },
        );
        self.boxes.insert((context, id), pointer);
        let entry = self.entries[activation.0 as usize];
        let checks = self.options.checks;
        let obstacle = match variable.length.is_some() || self.types.size_of(variable.kind).is_none() {
            true => Some("an array of variable length"),
            false if checks.lifetime || checks.free => Some("a variable whose life is checked"),
            false => None,
        };
        if let Some(obstacle) = obstacle {
            let what = format!(
                "`{}`, {obstacle} in a function that recurs, where its address may outlast the call",
                variable.name
            );
            let effect = Effect::Anything;
            self.push(entry, InstructionKind::Unsupported { what, effect }, variable.span);
        }
        let size = self.types.size_type();
        let count = Expression {
            kind: ExpressionKind::Integer(1.into()),
            numeric: Numeric::Integer(size),
            c_type: self.types.integer(size),
            written: Written::default(),
        };
        let allocation = InstructionKind::Allocate {
            target: variable_place(pointer, pointer_type),
            element: variable.kind,
            count: Some(count),
            zeroed: false,
            moved: None,
        };
        self.push(entry, allocation, variable.span);
        Some(self.read(pointer, pointer_type))
    }

    fn forget(&mut self, block: BlockId, variable: VariableId, span: Span) {
        let kind = self.variables[variable.0 as usize].kind;
        let target = variable_place(variable, kind);
        let source = UnknownSource::Uninitialized;
        self.push(block, InstructionKind::Unknown { target, source }, span);
    }
}

/// The variables of the program, there once for each activation, whose addresses may get out of their activations.
pub fn escaping(inlined: &Inlined, points_to: &PointsTo) -> BTreeSet<VariableId> {
    let locations = &points_to.locations;
    let activation = |kind: ObjectKind| match kind {
        ObjectKind::Variable(variable) => inlined.origins[variable.0 as usize].activation,
        _ => None,
    };
    let mut found = BTreeSet::new();
    let mut escapes = |kind: ObjectKind| {
        if let ObjectKind::Variable(variable) = kind {
            found.extend(inlined.origins[variable.0 as usize].source);
        }
    };
    for (holder, target) in points_to.all() {
        let (holder, target) = (locations.object(holder).kind, locations.object(target).kind);
        let own = activation(target);
        if own.is_some() && activation(holder) != own {
            escapes(target);
        }
    }
    for object in &locations.objects {
        if activation(object.kind).is_some() && locations.is_visible(object.root) {
            escapes(object.kind);
        }
    }
    found
}
