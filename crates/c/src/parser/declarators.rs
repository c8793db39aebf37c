//! Declarators: a name with what is derived around it; parameters; the types in casts.

use super::{NameKind, Parser, Result, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::{Token, TokenKind};
use crate::syntax::{
    Attribute, Declarator, Derivation, Name, Parameter, Parameters, Span, Specifiers, TypeName, TypeSpecifier,
};

/// How many pointers, arrays and functions one declarator may be derived by; types nest as deeply.
const DERIVATION_LIMIT: usize = 100;

/// What has been read of a declarator.
#[derive(Default)]
struct Parts<'a> {
    /// From the name outwards.
    derivations: Vec<Derivation<'a>>,
    /// Whether the pointer that the name is, or its elements are, is volatile.
    is_volatile: bool,
    attributes: Vec<Attribute<'a>>,
}

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Required,
    Optional,
    /// In a cast or `sizeof`.
    Forbidden,
}

impl<'a> Parser<'a> {
    pub(super) fn declarator(&mut self, naming: Naming) -> Result<&'a Declarator<'a>> {
        let start = self.here();
        let mut parts = Parts::default();
        self.enter()?;
        let name = self.declarator_parts(naming, &mut parts)?;
        self.leave();
        let Parts {
            derivations,
            is_volatile,
            attributes,
        } = parts;
        let span = match derivations.is_empty() && name.is_none() {
            true => Span { start, end: start },
            false => self.span_from(start),
        };
        if derivations.len() > DERIVATION_LIMIT {
            let error =
                Diagnostic::error(range(span), "the type is too complicated", "too many derivations").unsupported();
            let help = format!("up to {DERIVATION_LIMIT} pointers, arrays and functions may be around one name");
            return Err(self.error(error.help(help)));
        }
        Ok(self.arena.alloc(Declarator {
            name,
            derivations: self.slice(derivations),
            is_volatile,
            attributes: self.slice(attributes),
            span,
        }))
    }

    /// Reads a declarator, or one in parentheses inside another.
    fn declarator_parts(&mut self, naming: Naming, parts: &mut Parts<'a>) -> Result<Option<Name<'a>>> {
        let mut pointers = Vec::new();
        let mut is_last_volatile;
        loop {
            is_last_volatile = self.qualifiers(&mut parts.attributes)?.is_volatile;
            if is_last_volatile && let Some(last) = pointers.last_mut() {
                *last = Derivation::VolatilePointer;
            }
            match self.take(TokenKind::Star) {
                Some(_) if pointers.len() > DERIVATION_LIMIT => {}
                Some(_) => pointers.push(Derivation::Pointer),
                None => break,
            }
        }
        let mut name = None;
        match self.kind() {
            TokenKind::Identifier if naming != Naming::Forbidden => {
                name = Some(self.name());
                self.advance();
            }
            TokenKind::LeftParenthesis if self.begins_inner_declarator(naming) => {
                let opening = self.advance();
                self.enter()?;
                parts.attributes.append(&mut self.attributes()?);
                name = self.declarator_parts(naming, parts)?;
                self.leave();
                self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the declarator")?;
            }
            _ if naming == Naming::Required => return Err(self.unexpected("a name in the declaration")),
            _ => {}
        }
        loop {
            match self.kind() {
                TokenKind::LeftBracket => parts.derivations.push(self.array_suffix()?),
                TokenKind::LeftParenthesis => parts.derivations.push(self.function_suffix()?),
                _ => break,
            }
        }
        let is_outermost = || {
            parts
                .derivations
                .iter()
                .all(|step| matches!(step, Derivation::Array(_)))
        };
        parts.is_volatile |= !pointers.is_empty() && is_last_volatile && is_outermost();
        parts.derivations.extend(pointers.into_iter().rev());
        Ok(name)
    }

    /// A declarator with those attributes among the specifiers that make another type of what is declared.
    pub(super) fn declarator_of(&mut self, specifiers: &Specifiers<'a>, naming: Naming) -> Result<&'a Declarator<'a>> {
        let declarator = self.declarator(naming)?;
        let makes_type = |attribute: &&Attribute<'a>| attribute.is("mode") || attribute.is("vector_size");
        let mut all: Vec<_> = specifiers.attributes.iter().filter(makes_type).copied().collect();
        if all.is_empty() {
            return Ok(declarator);
        }
        all.extend(declarator.attributes.iter().copied());
        let attributes = self.slice(all);
        Ok(self.arena.alloc(Declarator {
            attributes,
            ..*declarator
        }))
    }

    /// The declarator with the attributes that stand behind it.
    pub(super) fn with_more(&self, declarator: &'a Declarator<'a>, more: Vec<Attribute<'a>>) -> &'a Declarator<'a> {
        if more.is_empty() {
            return declarator;
        }
        self.arena.alloc(Declarator {
            attributes: self.with_attributes(declarator.attributes, more),
            ..*declarator
        })
    }

    /// Whether the `(` at hand encloses a declarator, and not parameters.
    fn begins_inner_declarator(&self, naming: Naming) -> bool {
        match naming {
            Naming::Required => true,
            Naming::Optional | Naming::Forbidden => {
                let mut distance = 1;
                while matches!(
                    self.kind_ahead(distance),
                    TokenKind::Attribute | TokenKind::Declspec | TokenKind::Alignas | TokenKind::DroppedSpecifier
                ) {
                    if self.kind_ahead(distance) != TokenKind::DroppedSpecifier {
                        return true;
                    }
                    distance += 1;
                }
                match self.kind_ahead(distance) {
                    TokenKind::Star | TokenKind::LeftParenthesis | TokenKind::LeftBracket => true,
                    TokenKind::Identifier => naming == Naming::Optional && !self.begins_specifiers(distance),
                    _ => false,
                }
            }
        }
    }

    fn array_suffix(&mut self) -> Result<Derivation<'a>> {
        let opening = self.advance();
        self.enter()?;
        // `[static 3]`, `[const]`, `[*]` are for parameters, and say nothing that matters here.
        let mut attributes = Vec::new();
        self.qualifiers(&mut attributes)?;
        self.take(TokenKind::Static);
        self.qualifiers(&mut attributes)?;
        let size = match self.kind() {
            TokenKind::RightBracket => None,
            TokenKind::Star if self.kind_ahead(1) == TokenKind::RightBracket => {
                self.advance();
                None
            }
            _ => Some(self.expression()?),
        };
        self.expect_closing(TokenKind::RightBracket, opening, "`]` after the size of the array")?;
        self.leave();
        Ok(Derivation::Array(size))
    }

    fn function_suffix(&mut self) -> Result<Derivation<'a>> {
        let opening = self.advance();
        self.enter()?;
        let scopes = self.scopes.depth();
        self.scopes.open();
        let parameters = self.parameters(opening)?;
        self.scopes.close_to(scopes);
        self.leave();
        Ok(Derivation::Function(parameters))
    }

    /// What stands between the parentheses of a function declarator, and the closing one.
    fn parameters(&mut self, opening: Token) -> Result<Parameters<'a>> {
        let mut parameters = Parameters {
            declared: &[],
            identifiers: &[],
            is_variadic: false,
            is_unspecified: false,
        };
        if self.take(TokenKind::RightParenthesis).is_some() {
            parameters.is_unspecified = true;
            return Ok(parameters);
        }
        let is_list_of_names = self.kind() == TokenKind::Identifier
            && matches!(self.kind_ahead(1), TokenKind::Comma | TokenKind::RightParenthesis)
            && !self.begins_specifiers(0);
        if is_list_of_names {
            parameters.identifiers = self.parameter_names()?;
        } else {
            let mut declared = Vec::new();
            loop {
                if self.take(TokenKind::Ellipsis).is_some() {
                    parameters.is_variadic = true;
                    break;
                }
                declared.push(self.parameter()?);
                if self.take(TokenKind::Comma).is_none() {
                    break;
                }
            }
            let is_nothing = match declared.as_slice() {
                [only] => {
                    matches!(only.specifiers.kind, Some(TypeSpecifier::Void))
                        && only.declarator.name.is_none()
                        && only.declarator.derivations.is_empty()
                }
                _ => false,
            };
            if !is_nothing {
                parameters.declared = self.slice(declared);
            }
        }
        self.expect_closing(TokenKind::RightParenthesis, opening, "`,` or `)` after the parameter")?;
        Ok(parameters)
    }

    /// `a, b` in `f(a, b)`
    fn parameter_names(&mut self) -> Result<&'a [Name<'a>]> {
        let mut names = Vec::new();
        loop {
            // Very old programs end such a list with `...`.
            if !names.is_empty() && self.take(TokenKind::Ellipsis).is_some() {
                break;
            }
            names.push(self.name());
            self.require(TokenKind::Identifier, "the name of a parameter")?;
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        Ok(self.slice(names))
    }

    fn parameter(&mut self) -> Result<Parameter<'a>> {
        let is_single = matches!(self.kind_ahead(1), TokenKind::Comma | TokenKind::RightParenthesis);
        if self.kind() == TokenKind::Identifier && is_single {
            self.note_unknown_type(self.token());
        }
        let specifiers = self.specifiers()?;
        let declarator = self.declarator_of(&specifiers, Naming::Optional)?;
        if specifiers.span.start == specifiers.span.end && declarator.name.is_none() {
            return Err(self.unexpected("a parameter"));
        }
        let attributes = self.attributes()?;
        let declarator = self.with_more(declarator, attributes);
        if let Some(name) = declarator.name {
            self.declare(name.text, NameKind::Ordinary);
        }
        Ok(Parameter { specifiers, declarator })
    }

    /// Whether a type, as in a cast, begins here.
    pub(super) fn begins_type_name(&self) -> bool {
        self.begins_type_name_at(0)
    }

    pub(super) fn begins_type_name_at(&self, distance: usize) -> bool {
        self.begins_specifiers(distance) && self.kind_ahead(distance) != TokenKind::Extension
    }

    pub(super) fn type_name(&mut self) -> Result<&'a TypeName<'a>> {
        let start = self.here();
        self.enter()?;
        let specifiers = self.specifiers()?;
        if specifiers.span.start == specifiers.span.end {
            return Err(self.unexpected("a type"));
        }
        if specifiers.storage.is_some() {
            let span = specifiers.span;
            let message = "a storage class in a type that declares nothing";
            let error = Diagnostic::error(span.start as usize..span.end as usize, message, "leave it out");
            return Err(self.error(error));
        }
        let declarator = self.declarator_of(&specifiers, Naming::Forbidden)?;
        self.leave();
        Ok(self.arena.alloc(TypeName {
            specifiers,
            declarator,
            span: self.span_from(start),
        }))
    }
}
