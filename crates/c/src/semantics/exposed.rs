//! Calls of functions without a body: which arguments they could change something through, and which only tell them addresses.

use super::{Checked, Semantics, Value};
use crate::options::External;
use crate::program::{Callee, ExpressionKind, FunctionId, InstructionKind, Numeric, Reach};
use crate::syntax::{self, Span};
use crate::types::{Type, TypeId};

type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

impl<'a> Semantics<'a, '_> {
    /// Of the arguments for a function without a body, those through which it could change something. They are all evaluated.
    pub(super) fn exposed(
        &mut self,
        callee: &Callee,
        arguments: Arguments<'a>,
        parameters: &[TypeId],
        span: Span,
    ) -> Checked<Vec<Value>> {
        let is_pure = self.options.external == External::Pure;
        if is_pure && self.never_null(callee).is_none() {
            self.discard_all(arguments)?;
            return Ok(Vec::new());
        }
        let reads_only = match callee {
            Callee::Function(function) => self.reads_only.get(function).cloned().unwrap_or_default(),
            Callee::Address(_) => Vec::new(),
        };
        let values = self.values_in_order(arguments)?;
        for (position, (value, argument)) in values.iter().zip(arguments).enumerate() {
            self.evaluated(value.clone(), argument.span);
            if let Some(parameter) = parameters.get(position) {
                self.check_wanted(callee, value, *parameter, argument.span);
            }
        }
        self.check_arguments(callee, &values, parameters, span);
        if is_pure {
            return Ok(Vec::new());
        }
        let word = self.types.word_bits();
        let mut exposed = Vec::new();
        let mut only_read = Vec::new();
        for (position, value) in values.into_iter().enumerate() {
            let may_be_address = match value.numeric {
                Numeric::Pointer => true,
                Numeric::Aggregate => !matches!(self.types.get(value.c_type), Type::Void),
                Numeric::Integer(kind) => kind.bits >= word,
                Numeric::Floating(_) => false,
            };
            let is_constant = matches!(value.kind, ExpressionKind::Integer(_));
            if may_be_address && !is_constant {
                match reads_only.contains(&position) {
                    true => only_read.push(value),
                    false => exposed.push(value),
                }
            }
        }
        // What it gives back, now or later, may point there, as with `strchr`.
        self.tell(only_read, Reach::Reading, span);
        self.may_have_freed(callee, !exposed.is_empty(), span);
        Ok(exposed)
    }

    /// These addresses, or those that are found there, may come back as something else. Nothing changes by that.
    pub(super) fn tell(&mut self, mut values: Vec<Value>, reach: Reach, span: Span) {
        values.retain(|value| match value.numeric {
            Numeric::Pointer => !self.is_null_constant(value),
            Numeric::Integer(_) => !matches!(value.kind, ExpressionKind::Integer(_)),
            Numeric::Aggregate => true,
            Numeric::Floating(_) => false,
        });
        if !values.is_empty() {
            let known = InstructionKind::Expose {
                what: String::new(),
                pointers: values,
                reach,
            };
            self.emit(known, span);
        }
    }

    /// Notes which parameters of a function point to what is `const` and has no pointers of its own in it.
    pub(super) fn note_constant_parameters(&mut self, function: FunctionId, declarator: &syntax::Declarator<'a>) {
        let Some(syntax::Derivation::Function(parameters)) = declarator.derivations.first() else {
            return;
        };
        let Type::Function { parameters: kinds, .. } = self.types.get(self.function(function).kind).clone() else {
            return;
        };
        let mut reads_only = Vec::new();
        for (position, (parameter, kind)) in parameters.declared.iter().zip(kinds).enumerate() {
            let Type::Pointer(target) = *self.types.get(kind) else {
                continue;
            };
            let is_plain = matches!(
                parameter.declarator.derivations,
                [syntax::Derivation::Pointer | syntax::Derivation::Array(_)]
            );
            if is_plain && parameter.specifiers.is_const && !self.has_pointers(target) {
                reads_only.push(position);
            }
        }
        self.reads_only.insert(function, reads_only);
    }

    /// Whether a value of the type has a pointer in it, or may have.
    fn has_pointers(&self, kind: TypeId) -> bool {
        match self.types.get(kind) {
            Type::Void | Type::Integer(_) | Type::Floating(_) => false,
            Type::Pointer(_) | Type::Function { .. } => true,
            Type::Array(element, _) => self.has_pointers(*element),
            Type::Record(record) => match &self.types.record(*record).fields {
                Some(fields) => fields.iter().any(|field| self.has_pointers(field.kind)),
                None => true,
            },
        }
    }
}
