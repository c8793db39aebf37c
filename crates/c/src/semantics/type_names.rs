//! Types from what is written: specifiers, and the pointers, arrays and functions derived in declarators.

use super::layout::Packing;
use super::scopes::Entity;
use super::{Checked, Reported, Semantics};
use crate::program::VariableRole;
use crate::syntax::{self, Declarator, Derivation, IntegerSize, Span, Specifiers, Storage, TypeName, TypeSpecifier};
use crate::types::{Compound, DataModel, Field, IntegerType, Length, Type, TypeId, Types};
use hashbrown::HashMap;
use num_traits::{Signed, ToPrimitive};

/// How deeply types may be nested: what walks them is recursive, and no program comes near it.
pub(super) const DEPTH_LIMIT: u32 = 1_000;

/// What a declarator makes of a type.
pub(super) struct Derived<'a> {
    pub(super) kind: TypeId,
    /// The dimensions of a variable-length array, to be computed where it is declared; else none. Its type has one dimension
    /// for all of them.
    pub(super) lengths: Vec<&'a syntax::Expression<'a>>,
    /// Whether what is declared is volatile, or its elements are. The type does not say it.
    pub(super) is_volatile: bool,
}

impl<'a> Semantics<'a, '_> {
    /// The type of specifiers; a volatile one if they say so.
    pub(super) fn specified_type(&mut self, specifiers: &Specifiers<'a>) -> Checked<TypeId> {
        let kind = self.specified_plain_type(specifiers)?;
        Ok(match specifiers.is_volatile {
            true => self.types.volatile_of(kind),
            false => kind,
        })
    }

    /// The type of specifiers. Structs, unions and enumerations written there are declared.
    fn specified_plain_type(&mut self, specifiers: &Specifiers<'a>) -> Checked<TypeId> {
        self.check_attributes(specifiers.attributes);
        let Some(kind) = specifiers.kind else {
            if specifiers.storage == Some(syntax::Storage::Typedef) || specifiers.span.start == specifiers.span.end {
                return Ok(Types::INT);
            }
            self.warn_once(specifiers.span, "no type is given", "`int` is meant, it seems");
            return Ok(Types::INT);
        };
        Ok(match kind {
            TypeSpecifier::Void => Types::VOID,
            TypeSpecifier::Bool => Types::BOOL,
            TypeSpecifier::Char { .. }
            | TypeSpecifier::Integer { .. }
            | TypeSpecifier::Float
            | TypeSpecifier::Double
            | TypeSpecifier::LongDouble
            | TypeSpecifier::Quadruple => self.number_type(kind).unwrap_or(Types::INT),
            TypeSpecifier::Named(name) => match self.scopes.find(name.text).map(|found| found.what.clone()) {
                Some(Entity::Typedef(_)) if self.lengths_of_typedef(specifiers).is_some() => {
                    return Err(self.refuse_variable_rows(name.span));
                }
                Some(Entity::Typedef(kind)) => kind,
                _ => self.header_type(name)?,
            },
            TypeSpecifier::Record {
                is_union,
                tag,
                members,
                is_packed,
                packing,
                attributes,
            } => {
                self.check_attributes(attributes);
                let packing = Packing {
                    is_packed,
                    bound: packing,
                    attributes,
                };
                self.record_type(is_union, tag, members, packing, specifiers.span)?
            }
            TypeSpecifier::Enum {
                tag,
                constants,
                is_packed,
                attributes,
            } => {
                self.check_attributes(attributes);
                self.enumeration_type(tag, constants, is_packed)?
            }
            TypeSpecifier::TypeofExpression(expression) => {
                let kind = match self.type_of_function(expression) {
                    Some(kind) => kind,
                    None => self.type_of(expression)?,
                };
                self.refuse_variable_typeof(kind, expression.span)?
            }
            TypeSpecifier::TypeofType(name) => {
                let kind = self.named_type(name)?;
                self.refuse_variable_typeof(kind, specifiers.span)?
            }
            TypeSpecifier::VaList => self.argument_list(),
            TypeSpecifier::Complex(part) => match self.number_type(*part) {
                Some(part) => self.types.compound_type(Compound::Complex(part)),
                None => {
                    let message = "complex numbers with parts that are no numbers of C";
                    return Err(self.refuse(specifiers.span, message, "cannot be translated", None));
                }
            },
            TypeSpecifier::Other(name) => {
                let message = match name.text.trim_matches('_') {
                    "BitInt" | "ExtInt" => "integers of a number of bits of their own are not translated".to_string(),
                    _ => format!("`{}` is no type that is known here", name.text),
                };
                return Err(self.refuse(name.span, message, "cannot be translated", None));
            }
        })
    }

    /// A type of numbers that words of the language name, but `_Bool`.
    fn number_type(&mut self, kind: TypeSpecifier<'a>) -> Option<TypeId> {
        let number = match kind {
            TypeSpecifier::Char { signed } => Type::Integer(IntegerType {
                bits: 8,
                signed: signed.unwrap_or(true),
            }),
            TypeSpecifier::Integer { size, signed } => Type::Integer(IntegerType {
                bits: self.integer_bits(size),
                signed,
            }),
            TypeSpecifier::Float => Type::Floating(32),
            TypeSpecifier::Double => Type::Floating(64),
            TypeSpecifier::LongDouble => Type::Floating(80),
            TypeSpecifier::Quadruple => Type::Floating(128),
            _ => return None,
        };
        Some(self.types.intern(number))
    }

    fn integer_bits(&self, size: IntegerSize) -> u32 {
        match size {
            IntegerSize::Short => 16,
            IntegerSize::Int => 32,
            IntegerSize::Long => self.types.word_bits(),
            IntegerSize::LongLong => 64,
            IntegerSize::Int128 => 128,
        }
    }

    /// `va_list` of gcc on x86. Here its first member says where the list is; the rest is not used.
    fn argument_list(&mut self) -> TypeId {
        if self.types.model() == DataModel::Ilp32 {
            return self.types.pointer_to(Types::CHAR);
        }
        if let Some(known) = self.argument_list {
            return known;
        }
        let bytes = self.types.intern(Type::Array(Types::CHAR, Length::Fixed(20)));
        let place = self.types.integer(IntegerType {
            bits: 32,
            signed: false,
        });
        let field = |name: &str, kind, offset, alignment| Field {
            name: name.to_string(),
            kind,
            offset,
            bit_offset: offset * 8,
            bit_width: None,
            alignment,
            is_volatile: false,
        };
        let fields = vec![field("place", place, 0, 8), field("rest", bytes, 4, 1)];
        let record = self.types.add_record(false, "__va_list_tag".to_string());
        let defined = self.types.record_mut(record);
        defined.fields = Some(fields);
        defined.size = 24;
        defined.alignment = 8;
        defined.depth = 1;
        let element = self.types.intern(Type::Record(record));
        let list = self.types.intern(Type::Array(element, Length::Fixed(1)));
        self.argument_list = Some(list);
        list
    }

    /// A type that a header would have declared: those that everybody knows. Any other is an error, once for each name.
    fn header_type(&mut self, name: syntax::Name<'a>) -> Checked<TypeId> {
        let word = self.types.word_bits();
        let integer = |bits, signed| Some(IntegerType { bits, signed });
        let known = match name.text {
            "size_t" | "uintptr_t" => integer(word, false),
            "ssize_t" | "ptrdiff_t" | "intptr_t" | "off_t" | "time_t" => integer(word, true),
            "int8_t" => integer(8, true),
            "uint8_t" | "u_char" | "uchar" => integer(8, false),
            "int16_t" => integer(16, true),
            "uint16_t" | "u_short" | "ushort" => integer(16, false),
            "int32_t" | "pid_t" | "wchar_t" => integer(32, true),
            "uint32_t" | "u_int" | "uint" => integer(32, false),
            "int64_t" | "intmax_t" => integer(64, true),
            "uint64_t" | "uintmax_t" => integer(64, false),
            "ulong" | "u_long" => integer(word, false),
            "bool" => Some(IntegerType::BOOL),
            _ => None,
        };
        let kind = match known {
            Some(kind) => self.types.integer(kind),
            // Nothing is known of what is in it, and nobody looks.
            None if name.text == "FILE" => Types::INT,
            None => {
                let message = format!("unknown type `{}`", name.text);
                if !self.warned.insert(message.clone()) {
                    return Err(Reported);
                }
                let help = "is the header that declares it missing, or `typedef`?".to_string();
                let label = "nothing declares it; it must be a type";
                return Err(self.unknown_name(name.span, message, label, Some(help)));
            }
        };
        let shown = self.types.display(kind);
        let message = format!("type `{}` is not declared", name.text);
        self.warn_once(name.span, message, format!("taken for {shown}, as its header has it"));
        Ok(kind)
    }

    /// Reports a name that is declared twice with different meanings.
    pub(super) fn redeclared(&mut self, name: &str, span: Span, previous: Span) -> Reported {
        let message = format!("`{name}` is declared twice");
        self.error_with(span, message, "here again", (previous, "first declared here"))
    }

    /// The type of a [`TypeName`].
    pub(super) fn named_type(&mut self, name: &TypeName<'a>) -> Checked<TypeId> {
        let base = self.specified_type(&name.specifiers)?;
        let derived = self.derived_type(base, name.declarator)?;
        for length in derived.lengths {
            let (_, has_effects) = self.unevaluated_with_effects(|semantics| semantics.value(length).map(drop));
            if has_effects {
                self.refuse_effects_in_type(length.span);
            }
        }
        Ok(derived.kind)
    }

    /// A size in a type is evaluated with it, but types are looked at as often as it takes.
    pub(super) fn refuse_effects_in_type(&mut self, span: Span) {
        let what = "side effects in the size of an array type".to_string();
        self.emit_anything(what, span);
    }

    fn refuse_variable_typeof(&mut self, kind: TypeId, span: Span) -> Checked<TypeId> {
        match self.is_variably_modified(kind) {
            true => Err(self.refuse_variable_rows(span)),
            false => Ok(kind),
        }
    }

    /// The size of an array of variable length is known where it is declared, and not from its type.
    pub(super) fn refuse_variable_rows(&mut self, span: Span) -> Reported {
        let message = "the size of a part of an array of variable length cannot be translated";
        self.refuse(span, message, "known by its name alone", None)
    }

    /// Whether there is an array of variable length in the type, but for members of structs.
    pub(super) fn is_variably_modified(&self, mut kind: TypeId) -> bool {
        loop {
            kind = match *self.types.get(kind) {
                Type::Array(_, Length::Variable) => return true,
                Type::Array(inner, _) | Type::Pointer(inner) => inner,
                _ => return false,
            }
        }
    }

    /// The type that a declarator derives from the specifiers' type.
    pub(super) fn derived_type(&mut self, base: TypeId, declarator: &Declarator<'a>) -> Checked<Derived<'a>> {
        self.check_attributes(declarator.attributes);
        let base = self.attributed_type(base, declarator.attributes, declarator.derivations)?;
        self.derived_from(base, declarator.derivations, declarator.span)
    }

    fn derived_from(&mut self, base: TypeId, derivations: &'a [Derivation<'a>], span: Span) -> Checked<Derived<'a>> {
        let arrays = derivations
            .iter()
            .take_while(|step| matches!(step, Derivation::Array(_)))
            .count();
        let mut kind = base;
        let mut is_variable = false;
        for (position, derivation) in derivations.iter().enumerate().rev() {
            if self.types.depth_of(kind) >= DEPTH_LIMIT {
                return Err(self.nested_too_deeply(span));
            }
            kind = match derivation {
                Derivation::Pointer => self.types.pointer_to(kind),
                Derivation::VolatilePointer => {
                    let pointer = self.types.pointer_to(kind);
                    self.types.volatile_of(pointer)
                }
                Derivation::Array(size) => {
                    self.require_object(kind, span)?;
                    let count = self.array_length(*size, kind)?;
                    is_variable |= count == Length::Variable;
                    if count == Length::Variable && position >= arrays {
                        let message = "a pointer to an array of variable length cannot be translated";
                        return Err(self.refuse(span, message, "in this declaration", None));
                    }
                    self.types.intern(Type::Array(kind, count))
                }
                Derivation::Function(parameters) => {
                    if matches!(self.types.get(kind), Type::Function { .. } | Type::Array(..)) {
                        let message = format!("a function cannot return {}", self.types.display(kind));
                        return Err(self.error(span, message, "in this declaration", None));
                    }
                    let result = self.types.without_volatile(kind);
                    self.function_type(result, parameters)?
                }
            };
        }
        let is_volatile = self.types.is_volatile(kind);
        let kind = self.types.without_volatile(kind);
        if !is_variable {
            let lengths = Vec::new();
            return Ok(Derived {
                kind,
                lengths,
                is_volatile,
            });
        }
        let (dimensions, rest) = derivations.split_at(arrays);
        let element = self.derived_from(base, rest, span)?.kind;
        let kind = self.types.intern(Type::Array(element, Length::Variable));
        let sizes = dimensions.iter().map(|step| match step {
            Derivation::Array(Some(size)) => Some(*size),
            _ => None,
        });
        match sizes.collect::<Option<Vec<_>>>() {
            Some(lengths) => Ok(Derived {
                kind,
                lengths,
                is_volatile,
            }),
            None => Err(self.error(
                span,
                "an array with a dimension that is not given",
                "in this declaration",
                None,
            )),
        }
    }

    pub(super) fn nested_too_deeply(&mut self, span: Span) -> Reported {
        let help = format!("types may be nested {DEPTH_LIMIT} deep, `typedef`s seen through");
        self.refuse(span, "the type is nested too deeply", "in this declaration", Some(help))
    }

    fn require_object(&mut self, kind: TypeId, span: Span) -> Checked<()> {
        let is_object = match self.types.get(kind) {
            Type::Void | Type::Function { .. } => false,
            Type::Record(record) => self.types.record(*record).fields.is_some(),
            _ => true,
        };
        if is_object {
            return Ok(());
        }
        if self.is_computed_record(kind) {
            return Err(self.refuse_computed_record(span));
        }
        let message = format!("an array cannot have elements of type {}", self.types.display(kind));
        Err(self.error(span, message, "in this declaration", None))
    }

    fn array_length(&mut self, size: Option<&'a syntax::Expression<'a>>, element: TypeId) -> Checked<Length> {
        let Some(size) = size else {
            return Ok(Length::Unknown);
        };
        let (value, kind) = self.try_typed_constant(size)?;
        if !matches!(self.types.get(kind), Type::Integer(_)) {
            let message = format!("the number of elements of an array is {}", self.types.display(kind));
            return Err(self.error(size.span, message, "must be an integer", None));
        }
        let Some(value) = value else {
            return Ok(Length::Variable);
        };
        if value.is_negative() {
            return Err(self.error(
                size.span,
                format!("an array of {value} elements"),
                "must not be negative",
                None,
            ));
        }
        let count = value.to_u64();
        let bytes = count.and_then(|count| self.types.size_of(element).unwrap_or(1).checked_mul(count));
        match (count, bytes) {
            // As in gcc: no object is larger than half the address space.
            (Some(count), Some(bytes)) if bytes <= (u64::MAX >> 1) => Ok(Length::Fixed(count)),
            _ => Err(self.error(
                size.span,
                format!("an array of {value} elements is too large"),
                "no memory holds it",
                None,
            )),
        }
    }

    fn function_type(&mut self, result: TypeId, parameters: &syntax::Parameters<'a>) -> Checked<TypeId> {
        let mut kinds = Vec::with_capacity(parameters.declared.len());
        let sizes_matter = parameters.declared.iter().any(|parameter| {
            let inner = parameter.declarator.derivations.iter().skip(1);
            inner
                .into_iter()
                .any(|derivation| matches!(derivation, Derivation::Array(Some(_))))
        });
        let mut names: HashMap<&str, Span> = HashMap::new();
        for name in parameters
            .declared
            .iter()
            .filter_map(|parameter| parameter.declarator.name)
        {
            if let Some(previous) = names.insert(name.text, name.span) {
                return Err(self.redeclared(name.text, name.span, previous));
            }
        }
        // Tags declared among parameters live no longer than the declarator.
        self.scopes.open();
        for parameter in parameters.declared {
            match self.parameter(&parameter.specifiers, parameter.declarator) {
                Ok(kind) => {
                    kinds.push(kind);
                    // Sizes of later parameters may be computed from it.
                    if let Some(name) = parameter.declarator.name.filter(|_| sizes_matter) {
                        let variable = self.add_variable(name.text, kind, VariableRole::Parameter, name.span);
                        self.scopes.declare(name.text, Entity::Variable(variable), name.span);
                    }
                }
                Err(reported) => {
                    self.scopes.close();
                    return Err(reported);
                }
            }
        }
        self.scopes.close();
        if kinds == [Types::VOID] {
            kinds.clear();
        }
        Ok(self.types.intern(Type::Function {
            result,
            parameters: kinds,
            open: parameters.is_variadic || parameters.is_unspecified || !parameters.identifiers.is_empty(),
        }))
    }

    /// The type of a parameter. The size of an array that is one says nothing.
    pub(super) fn parameter(&mut self, specifiers: &Specifiers<'a>, declarator: &'a Declarator<'a>) -> Checked<TypeId> {
        self.check_attributes(declarator.attributes);
        if specifiers.storage.is_some_and(|storage| storage != Storage::Register) {
            let message = "a parameter is declared `static`, `extern`, `auto` or `typedef`";
            return Err(self.error(specifiers.span, message, "a parameter is its function's own", None));
        }
        let base = self.specified_type(specifiers)?;
        let base = self.attributed_type(base, declarator.attributes, declarator.derivations)?;
        if let Some((Derivation::Array(_), rest)) = declarator.derivations.split_first() {
            let element = self.derived_from(base, rest, declarator.span)?;
            self.require_object(element.kind, declarator.span)?;
            let kind = match element.is_volatile {
                true => self.types.volatile_of(element.kind),
                false => element.kind,
            };
            return Ok(self.types.pointer_to(kind));
        }
        let kind = self.derived_from(base, declarator.derivations, declarator.span)?.kind;
        Ok(self.decayed(kind))
    }

    /// Arrays and functions as values are pointers.
    pub(super) fn decayed(&mut self, kind: TypeId) -> TypeId {
        match *self.types.get(kind) {
            Type::Array(element, _) => self.types.pointer_to(element),
            Type::Function { .. } => self.types.pointer_to(kind),
            _ => kind,
        }
    }

    /// The type of the elements of a string: `char`, `wchar_t`, `char16_t` or `char32_t`.
    pub(super) fn character_type(&mut self, encoding: syntax::Encoding) -> TypeId {
        match encoding {
            syntax::Encoding::Bytes => Types::CHAR,
            syntax::Encoding::Wide => Types::INT,
            syntax::Encoding::Utf16 => self.types.integer(IntegerType {
                bits: 16,
                signed: false,
            }),
            syntax::Encoding::Utf32 => self.types.integer(IntegerType::UNSIGNED_INT),
        }
    }

    /// The width of `long`.
    pub(super) fn long_type(&self) -> IntegerType {
        let bits = match self.types.model() {
            DataModel::Lp64 => 64,
            DataModel::Ilp32 => 32,
        };
        IntegerType { bits, signed: true }
    }
}
