//! What declarations may not say: another type or another linkage than before, a value for a function, a value that is not
//! constant for what has one when the program starts. Compilers take none of it.

use super::scopes::Entity;
use super::{Checked, Semantics, Value};
use crate::program::{FunctionId, VariableId};
use crate::syntax::{
    Declaration, Declarator, Derivation, Encoding, Expression, ExpressionKind, InitializedDeclarator, Initializer,
    Name, Span, Specifiers, Storage, TypeSpecifier, UnaryOperator,
};
use crate::types::{Length, Type, TypeId};

/// The words of a declaration for its type, and, if it is a function, for those of its parameters.
pub(super) struct Words<'a> {
    said: Vec<Option<TypeSpecifier<'a>>>,
    span: Span,
}

impl<'a> Semantics<'a, '_> {
    /// The type that a global array of no length has because an earlier declaration says its length.
    pub(super) fn length_said_before(&self, name: Name<'a>, kind: TypeId) -> Option<TypeId> {
        let Type::Array(element, Length::Unknown) = *self.types.get(kind) else {
            return None;
        };
        let Entity::Variable(variable) = self.scopes.find_linked(name.text)?.what else {
            return None;
        };
        let known = self.variable(variable).kind;
        match *self.types.get(known) {
            Type::Array(other, Length::Fixed(_)) if other == element => Some(known),
            _ => None,
        }
    }

    /// A variable that was declared before is `static` in both declarations, or in none; but `extern` says the same again.
    pub(super) fn check_linkage(
        &mut self,
        storage: Option<Storage>,
        variable: VariableId,
        name: Name<'a>,
    ) -> Checked<()> {
        let known = self.variable(variable);
        let (is_external, previous) = (known.is_external, known.span);
        let message = match storage {
            Some(Storage::Static) if is_external => format!("`{}` is `static` here, but not before", name.text),
            None if !is_external => format!("`{}` is `static` before, but not here", name.text),
            _ => return Ok(()),
        };
        Err(self.error_with(name.span, message, "declared here", (previous, "declared before")))
    }

    /// A function that other files may call is not `static` later; one that is stays so, whatever later declarations say.
    /// So it is with the words for its type.
    pub(super) fn check_function_linkage(
        &mut self,
        function: FunctionId,
        specifiers: &Specifiers<'a>,
        declarator: &'a Declarator<'a>,
        name: Name<'a>,
    ) -> Checked<()> {
        if specifiers.storage == Some(Storage::Static)
            && let Some(previous) = self.external.get(&function).copied()
            && self.is_of_program(&[name.span, previous])
        {
            let message = format!("`{}` is `static` here, but not before", name.text);
            return Err(self.error_with(
                name.span,
                message,
                "leave `static` out, or say it before",
                (previous, "declared before"),
            ));
        }
        self.note_linkage(function, specifiers.storage, name.span);
        self.check_same_words(specifiers, declarator, name)
    }

    /// Keeps what a declaration says of who may call a function.
    pub(super) fn note_linkage(&mut self, function: FunctionId, storage: Option<Storage>, span: Span) {
        if storage == Some(Storage::Static) {
            self.internal.insert(function);
        } else if !self.internal.contains(&function) {
            self.external.entry(function).or_insert(span);
        }
    }

    fn is_of_program(&self, spans: &[Span]) -> bool {
        spans.iter().all(|span| span.start < self.end)
    }

    /// `char` and `signed char` are two types, and so are `long` and `long long`, though their values are the same.
    pub(super) fn check_same_words(
        &mut self,
        specifiers: &Specifiers<'a>,
        declarator: &'a Declarator<'a>,
        name: Name<'a>,
    ) -> Checked<()> {
        // They may say another type than the words do.
        if !specifiers.attributes.is_empty() || !declarator.attributes.is_empty() {
            return Ok(());
        }
        let mut said = vec![specifiers.kind];
        if let Some(Derivation::Function(parameters)) = declarator.derivations.first() {
            said.extend(parameters.declared.iter().map(|parameter| parameter.specifiers.kind));
        }
        let Some(before) = self.words.get(name.text) else {
            self.words.insert(name.text, Words { said, span: name.span });
            return Ok(());
        };
        let previous = before.span;
        let mut pairs = before.said.iter().zip(&said);
        let differs = pairs.any(|(one, other)| match (one, other) {
            (Some(TypeSpecifier::Char { signed }), Some(TypeSpecifier::Char { signed: again })) => signed != again,
            (Some(TypeSpecifier::Integer { size, .. }), Some(TypeSpecifier::Integer { size: again, .. })) => {
                size != again
            }
            _ => false,
        });
        if !differs || !self.is_of_program(&[name.span, previous]) {
            return Ok(());
        }
        let message = format!(
            "`{}` is declared with another type of the same size than before",
            name.text
        );
        Err(self.error_with(
            name.span,
            message,
            "say the same type as before",
            (previous, "declared before"),
        ))
    }

    /// A declaration of a function agrees with what blocks, whose declarations are forgotten, and the definition have said.
    pub(super) fn check_agreement(&mut self, function: FunctionId, name: Name<'a>, kind: TypeId) -> Checked<()> {
        let known = self.function(function);
        let defined = known.body.is_some().then_some((known.kind, known.span));
        let said = self.prototypes_of_blocks.get(&function).copied();
        for (before, previous) in said.into_iter().chain(defined) {
            if !self.functions_agree(before, kind) && self.is_of_program(&[name.span, previous]) {
                self.conflicting(name, before, kind, previous)?;
            }
        }
        Ok(())
    }

    /// Whether two declarations of a function say the same, as far as both say anything.
    pub(super) fn functions_agree(&self, one: TypeId, other: TypeId) -> bool {
        one == other
            || match (self.types.get(one), self.types.get(other)) {
                (
                    Type::Function {
                        result,
                        parameters,
                        open,
                    },
                    Type::Function {
                        result: again,
                        parameters: others,
                        open: is_open,
                    },
                ) => {
                    let mut pairs = parameters.iter().zip(others);
                    let is_old = self.is_old(one) || self.is_old(other);
                    let are_same = open == is_open && parameters.len() == others.len();
                    self.are_compatible(*result, *again)
                        && (is_old || are_same && pairs.all(|(one, other)| self.are_compatible(*one, *other)))
                }
                _ => false,
            }
    }

    /// Whether two types are the same but for lengths of arrays and parameters that one of them leaves open.
    pub(super) fn are_compatible(&self, one: TypeId, other: TypeId) -> bool {
        if one == other {
            return true;
        }
        if self.types.is_volatile(one) != self.types.is_volatile(other) {
            return false;
        }
        match (self.types.get(one), self.types.get(other)) {
            (Type::Pointer(one), Type::Pointer(other)) => self.are_compatible(*one, *other),
            (Type::Array(one, length), Type::Array(other, again)) => {
                let is_open = [length, again].iter().any(|length| !matches!(length, Length::Fixed(_)));
                (is_open || length == again) && self.are_compatible(*one, *other)
            }
            (Type::Function { .. }, Type::Function { .. }) => self.functions_agree(one, other),
            _ => false,
        }
    }

    /// A function has a body in the place of a value, and is known everywhere or in this file, not in a block.
    pub(super) fn check_function_declaration(
        &mut self,
        specifiers: &Specifiers<'a>,
        declared: &'a InitializedDeclarator<'a>,
    ) -> Checked<()> {
        let Some(name) = declared.declarator.name else {
            return Ok(());
        };
        if declared.initializer.is_some() {
            let message = format!("the function `{}` is given a value", name.text);
            let help =
                Some("a function has a body, in braces; a pointer to functions is declared with `(*name)`".to_string());
            return Err(self.error(name.span, message, "this declares a function", help));
        }
        if !self.scopes.is_outermost() && specifiers.storage == Some(Storage::Static) {
            let message = format!("the function `{}` is declared `static` in a block", name.text);
            let help = Some("declare it in front of the function, or leave `static` out".to_string());
            return Err(self.error(name.span, message, "only outside of functions", help));
        }
        Ok(())
    }

    /// `extern` in a block means a variable of a file: it has no value here, and no name of the block means another one.
    pub(super) fn check_extern_in_block(
        &mut self,
        name: Name<'a>,
        initializer: Option<&'a Initializer<'a>>,
    ) -> Checked<()> {
        if initializer.is_some() {
            let message = format!("`{}` is `extern` and is given a value in a block", name.text);
            let help = Some("give it its value where it is defined, outside of functions".to_string());
            return Err(self.error(name.span, message, "declared here", help));
        }
        let outermost = match self.scopes.find_linked(name.text).map(|found| &found.what) {
            Some(Entity::Variable(variable)) => Some(*variable),
            _ => None,
        };
        let here = self
            .scopes
            .find_here(name.text)
            .map(|found| (found.what.clone(), found.span));
        match here {
            Some((Entity::Variable(variable), _)) if Some(variable) == outermost => Ok(()),
            Some((_, previous)) => Err(self.redeclared(name.text, name.span, previous)),
            None => Ok(()),
        }
    }

    /// What is declared at the head of a loop is a variable of this loop.
    pub(super) fn check_loop_declaration(&mut self, declaration: &'a Declaration<'a>) -> Checked<()> {
        let what = match declaration.specifiers.storage {
            Some(Storage::Static) => "a `static` variable",
            Some(Storage::Extern) => "an `extern` variable",
            Some(Storage::Typedef) => "a type",
            _ => {
                let is_function = |declared: &&InitializedDeclarator<'a>| {
                    matches!(declared.declarator.derivations.first(), Some(Derivation::Function(_)))
                };
                match declaration.declarators.iter().any(|declared| is_function(&declared)) {
                    true => "a function",
                    false => return Ok(()),
                }
            }
        };
        let message = format!("{what} is declared at the head of a `for`");
        let help = Some("declare it in front of the loop".to_string());
        Err(self.error(
            declaration.specifiers.span,
            message,
            "only the loop's own variables",
            help,
        ))
    }

    /// The distance of two pointers is counted in elements of one size, and of one kind.
    pub(super) fn check_difference(&mut self, left: &Value, right: &Value, span: Span) -> Checked<()> {
        let [one, other] = [left, right].map(|operand| match *self.types.get(operand.c_type) {
            Type::Pointer(target) => self.types.without_volatile(target),
            _ => operand.c_type,
        });
        if let Type::Record(record) = self.types.get(one)
            && self.types.record(*record).fields.is_none()
        {
            let message = format!("a difference of pointers to {}", self.types.display(one));
            return Err(self.error(span, message, "the size of what they point to is not known", None));
        }
        let is_number = |kind: TypeId| matches!(self.types.get(kind), Type::Integer(_) | Type::Floating(_));
        if one != other && is_number(one) && is_number(other) {
            let [one, other] = [one, other].map(|kind| self.types.display(kind));
            let message = format!("a difference of a pointer to {one} and one to {other}");
            let help = Some("convert one of them first".to_string());
            return Err(self.error(span, message, "they count different elements", help));
        }
        Ok(())
    }

    /// A text begins an array of elements that are as wide as its characters.
    pub(super) fn check_text_fits(&mut self, element: TypeId, encoding: Encoding, span: Span) -> Checked<()> {
        let width = match encoding {
            Encoding::Bytes => 8,
            Encoding::Utf16 => 16,
            Encoding::Wide | Encoding::Utf32 => 32,
        };
        if matches!(self.types.get(element), Type::Integer(kind) if kind.bits == width) {
            return Ok(());
        }
        let message = format!("a text is given to an array of {}", self.types.display(element));
        Err(self.error(span, message, "its characters have another size", None))
    }

    /// Two declarations of a function that do not agree; those of the library give way to the program's.
    pub(super) fn conflicting(&mut self, name: Name<'a>, before: TypeId, now: TypeId, previous: Span) -> Checked<()> {
        let [before, now] = [before, now].map(|kind| self.types.display(kind));
        if [name.span, previous].iter().any(|span| span.start >= self.end) {
            let message = format!("`{}` is declared again as {now}", name.text);
            self.warn_once(name.span, message, "the later declaration counts");
            return Ok(());
        }
        let message = match now == before {
            true => format!("`{}` is declared with other parameters than before", name.text),
            false => format!("`{}` is declared as {now}, but as {before} before", name.text),
        };
        Err(self.error_with(name.span, message, "declared here", (previous, "declared before")))
    }

    /// What is cast is a value, and becomes one.
    pub(super) fn check_cast(&mut self, kind: TypeId, span: Span) -> Checked<()> {
        match self.types.get(kind) {
            Type::Function { .. } => {
                let help = Some("a pointer to such functions is written with `(*)`".to_string());
                Err(self.error(span, "something is cast to a function", "a function is no value", help))
            }
            Type::Record(record) if self.types.record(*record).fields.is_none() => {
                let message = format!("something is cast to the incomplete type {}", self.types.display(kind));
                Err(self.error(span, message, "the type is only named, never defined", None))
            }
            _ => Ok(()),
        }
    }

    /// What a variable has when the program starts is constant: nothing is called or changed for it, and no variable read that
    /// is not `const`.
    pub(super) fn check_constant_initializer(&mut self, initializer: &'a Initializer<'a>) {
        match initializer {
            Initializer::List(items, _) => {
                for item in *items {
                    self.check_constant_initializer(item.value);
                }
            }
            Initializer::Expression(expression) => {
                if let Some(span) = self.not_constant(expression) {
                    let message = "the value that a variable has when the program starts is not constant";
                    let help = Some("give it a constant here, and this value in a function".to_string());
                    self.error(span, message, "this is not known before", help);
                }
            }
        }
    }

    /// A part of an expression that no compiler takes for a constant. Where only one of several parts counts, none is looked at.
    fn not_constant(&self, expression: &'a Expression<'a>) -> Option<Span> {
        match &expression.kind {
            ExpressionKind::Name(name) => match self.scopes.find(name).map(|found| &found.what) {
                Some(Entity::Variable(variable)) => {
                    let variable = self.variable(*variable);
                    let is_read = self.types.is_scalar(variable.kind) && !variable.is_constant;
                    is_read.then_some(expression.span)
                }
                _ => None,
            },
            ExpressionKind::Call(callee, _) => {
                let is_defined = super::name_of(callee).is_some_and(|name| self.defined.contains(name));
                is_defined.then_some(expression.span)
            }
            ExpressionKind::Assign(..) => Some(expression.span),
            ExpressionKind::Unary(operator, operand) => match operator {
                UnaryOperator::AddressOf => None,
                _ => self.not_constant(operand),
            },
            ExpressionKind::Binary(_, left, right) => self.not_constant(left).or_else(|| self.not_constant(right)),
            ExpressionKind::Cast(_, operand) => self.not_constant(operand),
            _ => None,
        }
    }
}
