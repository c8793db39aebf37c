//! `typedef`s of arrays of variable length: their lengths are evaluated where the name is declared (C11 6.7.8, 3), and are those of
//! whatever is declared with it. The type itself says nothing of them, so that names of such types are refused wherever nobody looks
//! for the lengths.

use super::scopes::Entity;
use super::type_names::Derived;
use super::{Checked, Semantics};
use crate::syntax::{Declarator, Derivation, Expression, ExpressionKind, Name, Specifiers, TypeSpecifier};
use crate::types::{Length, Type, TypeId};

impl<'a> Semantics<'a, '_> {
    /// The lengths of the array of variable length that specifiers name.
    pub(super) fn lengths_of_typedef(&self, specifiers: &Specifiers<'a>) -> Option<&'a [&'a Expression<'a>]> {
        let Some(TypeSpecifier::Named(name)) = specifiers.kind else {
            return None;
        };
        let found = self.scopes.find(name.text)?;
        self.typedef_lengths.get(&found.span.start).copied()
    }

    /// The type of specifiers, for those who ask for the lengths of a `typedef`, too.
    pub(super) fn specified_type_of_any_length(&mut self, specifiers: &Specifiers<'a>) -> Checked<TypeId> {
        let found = match (self.lengths_of_typedef(specifiers), specifiers.kind) {
            (Some(_), Some(TypeSpecifier::Named(name))) => self.scopes.find(name.text).map(|found| &found.what),
            _ => None,
        };
        match found {
            Some(Entity::Typedef(kind)) if !specifiers.is_volatile && specifiers.attributes.is_empty() => Ok(*kind),
            _ => self.specified_type(specifiers),
        }
    }

    /// What a declarator makes of such a type: arrays of it have its lengths behind their own.
    pub(super) fn derived_of_any_length(
        &mut self,
        specifiers: &Specifiers<'a>,
        base: TypeId,
        declarator: &'a Declarator<'a>,
    ) -> Checked<Derived<'a>> {
        let Some(inner) = self.lengths_of_typedef(specifiers) else {
            return self.derived_type(base, declarator);
        };
        let written = declarator.derivations.iter().map(|step| match step {
            Derivation::Array(Some(size)) => Some(*size),
            _ => None,
        });
        let written: Option<Vec<&'a Expression<'a>>> = written.collect();
        let element = match *self.types.get(base) {
            Type::Array(element, Length::Variable) if declarator.attributes.is_empty() => Some(element),
            _ => None,
        };
        let (Some(mut lengths), Some(element)) = (written, element) else {
            return Err(self.refuse_variable_rows(declarator.span));
        };
        lengths.extend(inner);
        Ok(Derived {
            kind: self.types.intern(Type::Array(element, Length::Variable)),
            lengths,
            is_volatile: false,
        })
    }

    /// Declares a `typedef` of an array of variable length.
    pub(super) fn declare_measured_typedef(&mut self, name: Name<'a>, derived: Derived<'a>) -> Checked<()> {
        if derived.is_volatile || self.state.aside > 0 {
            return Err(self.refuse_variable_rows(name.span));
        }
        let mut lengths = Vec::with_capacity(derived.lengths.len());
        let values = self.lengths_in_order(&derived.lengths)?;
        for (value, written) in values.into_iter().zip(&derived.lengths) {
            // A name that nobody can write.
            let shown = format!("{}.length{}", name.text, lengths.len() + 1);
            let variable = self.kept_length(shown.clone(), value, written.span).0;
            let text: &'a str = self.arena.alloc_str(&shown);
            self.scopes.declare(text, Entity::Variable(variable), written.span);
            let length: &'a Expression<'a> = self.arena.alloc(Expression {
                kind: ExpressionKind::Name(text),
                span: written.span,
            });
            lengths.push(length);
        }
        self.declare_typedef(name, derived.kind)?;
        self.typedef_lengths
            .insert(name.span.start, self.arena.alloc_slice_copy(&lengths));
        Ok(())
    }
}
