//! Where members lie, and how objects are aligned: what attributes, `_Alignas` and `#pragma pack` say about it, as gcc has it
//! on x86.

use super::attributes::{AttributeMeaning, meaning};
use super::scopes::Entity;
use super::{Checked, Semantics, Value};
use crate::program::{FunctionId, PlaceStep};
use crate::syntax::{
    Alignment, Attribute, AttributeArgument, Declarator, Derivation, ExpressionKind, Name, Span, Specifiers, TypeName,
    TypeSpecifier,
};
use crate::types::{DataModel, Field, Type, TypeId};
use num_traits::ToPrimitive;

/// What `aligned` without a number means.
const GREATEST_ALIGNMENT: u64 = 16;

/// What a record says about the layout of its members.
#[derive(Clone, Copy)]
pub(super) struct Packing<'a> {
    pub(super) is_packed: bool,
    /// The greatest alignment of a member, from `#pragma pack`.
    pub(super) bound: Option<u64>,
    pub(super) attributes: &'a [Attribute<'a>],
}

/// What a member asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// The alignment of its type.
    natural: u64,
    /// The alignment that its declaration names.
    asked: Option<u64>,
    is_packed: bool,
    is_volatile: bool,
}

impl Demand {
    pub(super) fn is_volatile(self) -> bool {
        self.is_volatile
    }

    /// The same for a member that is volatile, or is not.
    pub(super) fn volatile(self, is_volatile: bool) -> Demand {
        Demand { is_volatile, ..self }
    }
}

impl<'a> Semantics<'a, '_> {
    /// The alignment that attributes ask for.
    pub(super) fn asked_alignment(&mut self, attributes: &'a [Attribute<'a>]) -> Checked<Option<u64>> {
        let mut asked = None;
        for attribute in attributes {
            let is_alignment = ["aligned", "align", "_Alignas", "alignas"];
            let is_order =
                attribute.is("scalar_storage_order") && meaning(attribute) == Some(AttributeMeaning::Refused);
            if attribute.is("warn_if_not_aligned") || attribute.is("ms_struct") || is_order {
                let message = format!("the attribute `{}` cannot be translated", attribute.name.text);
                return Err(self.refuse(attribute.span, message, "about the layout", None));
            }
            if !is_alignment.iter().any(|name| attribute.is(name)) {
                continue;
            }
            let alignment = match attribute.arguments {
                [] => Some(GREATEST_ALIGNMENT),
                [AttributeArgument::Expression(expression)] => self.integer_constant(expression)?.to_u64(),
                [AttributeArgument::Type(name)] => self.alignment_of_name(name)?.to_u64(),
                _ => None,
            };
            match alignment {
                Some(0) => {}
                Some(alignment) if alignment.is_power_of_two() && alignment <= 1 << 28 => {
                    asked = asked.max(Some(alignment));
                }
                _ => {
                    let message = "an alignment that is no power of two";
                    return Err(self.error(attribute.span, message, "in this declaration", None));
                }
            }
        }
        Ok(asked)
    }

    /// The alignment that a `typedef` gives to the type that it names, or the name of a type in `typeof`, if it says one.
    fn alignment_of_specifiers(&mut self, specifiers: &Specifiers<'a>) -> Checked<Option<u64>> {
        match specifiers.kind {
            Some(TypeSpecifier::Named(name)) => {
                let found = self.scopes.find(name.text).map(|found| found.span.start);
                Ok(found.and_then(|start| self.typedef_alignments.get(&start).copied()))
            }
            Some(TypeSpecifier::TypeofType(name)) => self.alignment_said(name),
            _ => Ok(None),
        }
    }

    /// The alignment that the name of a type says, by an attribute or by what it names.
    fn alignment_said(&mut self, name: &'a TypeName<'a>) -> Checked<Option<u64>> {
        let asked = self.asked_alignment(name.specifiers.attributes)?;
        let asked = asked.max(self.asked_alignment(name.declarator.attributes)?);
        let asked = match is_atomic(&name.specifiers) {
            true => {
                let kind = self.named_type(name)?;
                let atomic = self.atomic_alignment(&name.specifiers, name.declarator.derivations, kind);
                let named = self.alignment_of_specifiers(&name.specifiers)?;
                asked.max(atomic.map(|atomic| named.map_or(atomic, |named| named.max(atomic))))
            }
            false => asked,
        };
        let is_own = |step: &Derivation<'a>| matches!(step, Derivation::Array(_));
        match (asked, name.declarator.derivations.iter().all(is_own)) {
            (None, true) => self.alignment_of_specifiers(&name.specifiers),
            (None, false) => Ok(None),
            (Some(_), true) => Ok(asked),
            (Some(_), false) => {
                let message = "an alignment in the type of a pointer or function";
                Err(self.refuse(name.span, message, "cannot be translated", None))
            }
        }
    }

    /// Whether a name says that a struct is atomic.
    fn names_atomic_struct(&self, specifiers: &Specifiers<'a>) -> bool {
        let Some(TypeSpecifier::Named(name)) = specifiers.kind else {
            return false;
        };
        let found = self.scopes.find(name.text).map(|found| found.span.start);
        found.is_some_and(|start| self.atomic_structs.contains(&start))
    }

    /// The alignment of something atomic: it lies where one instruction gets all of it, if there is one. An array of structs does
    /// not, as gcc has it.
    fn atomic_alignment(
        &self,
        specifiers: &Specifiers<'a>,
        derivations: &[Derivation<'a>],
        mut kind: TypeId,
    ) -> Option<u64> {
        let mut is_own = derivations.iter().all(|step| matches!(step, Derivation::Array(_)));
        while let Type::Array(element, _) = self.types.get(kind) {
            kind = *element;
            is_own &= self.types.is_scalar(kind) || matches!(self.types.get(kind), Type::Array(..));
        }
        let size = self.types.size_of(kind).filter(|size| size.is_power_of_two());
        size.filter(|size| is_own && is_atomic(specifiers) && *size <= GREATEST_ALIGNMENT)
    }

    /// What a member or variable of the type asks for.
    pub(super) fn demand(
        &mut self,
        specifiers: &Specifiers<'a>,
        declarator: Option<&'a Declarator<'a>>,
        kind: TypeId,
        packing: Packing<'a>,
    ) -> Checked<Demand> {
        let (derivations, attributes) = declarator.map_or((&[][..], &[][..]), |declarator| {
            (declarator.derivations, declarator.attributes)
        });
        let is_own = derivations.iter().all(|step| matches!(step, Derivation::Array(_)));
        let is_plain = derivations.is_empty() || !self.names_atomic_struct(specifiers);
        let named = self.alignment_of_specifiers(specifiers)?.filter(|_| is_own && is_plain);
        let (first, second) = (
            self.asked_alignment(specifiers.attributes)?,
            self.asked_alignment(attributes)?,
        );
        let natural = named.unwrap_or_else(|| self.types.alignment_of(kind)).max(1);
        let atomic = self.atomic_alignment(specifiers, derivations, kind);
        let is_packed = |attributes: &[Attribute<'a>]| attributes.iter().any(|attribute| attribute.is("packed"));
        Ok(Demand {
            natural: atomic.map_or(natural, |atomic| natural.max(atomic)),
            asked: first.max(second),
            is_volatile: false,
            is_packed: packing.is_packed || is_packed(specifiers.attributes) || is_packed(attributes),
        })
    }

    /// The alignment of a variable, if its declaration says more than its type.
    pub(super) fn alignment_of_variable(
        &mut self,
        specifiers: &Specifiers<'a>,
        declarator: &'a Declarator<'a>,
        kind: TypeId,
    ) -> Checked<u64> {
        let plain = Packing {
            is_packed: false,
            bound: None,
            attributes: &[],
        };
        let demand = self.demand(specifiers, Some(declarator), kind, plain)?;
        let natural = self.types.alignment_of(kind).max(1);
        // Of a variable, unlike of a member, an attribute may ask for less than its type does.
        let alignment = demand.asked.unwrap_or(demand.natural);
        Ok(if alignment == natural { 0 } else { alignment })
    }

    /// Keeps what a `typedef` says about alignment.
    pub(super) fn note_alignment(
        &mut self,
        name: Name<'a>,
        specifiers: &Specifiers<'a>,
        declarator: &'a Declarator<'a>,
        kind: TypeId,
    ) -> Checked<()> {
        let asked = self.asked_alignment(specifiers.attributes)?;
        let asked = asked.max(self.asked_alignment(declarator.attributes)?);
        let atomic = self.atomic_alignment(specifiers, declarator.derivations, kind);
        let asked = asked.max(atomic.filter(|atomic| *atomic > self.types.alignment_of(kind)));
        if atomic.is_some() && !self.types.is_scalar(kind) {
            self.atomic_structs.insert(name.span.start);
        }
        let inherited = match declarator.derivations {
            [] => self.alignment_of_specifiers(specifiers)?,
            _ => None,
        };
        if let Some(alignment) = asked.or(inherited) {
            self.typedef_alignments.insert(name.span.start, alignment);
        }
        Ok(())
    }

    /// Keeps what a declaration says about the alignment of a function.
    pub(super) fn note_function_alignment(
        &mut self,
        function: FunctionId,
        specifiers: &Specifiers<'a>,
        declarator: &'a Declarator<'a>,
    ) -> Checked<()> {
        let asked = self.asked_alignment(specifiers.attributes)?;
        if let Some(alignment) = asked.max(self.asked_alignment(declarator.attributes)?) {
            let known = self.function_alignments.entry(function).or_insert(alignment);
            *known = alignment.max(*known);
        }
        Ok(())
    }

    /// `_Alignof (type)`, `__alignof__ (type)`, and either of an expression.
    pub(super) fn alignment(&mut self, name: &'a TypeName<'a>, asked: Alignment, span: Span) -> Checked<Value> {
        let kind = self.named_type(name)?;
        // On 32 bits compilers like to have these numbers on eight-byte bounds, but in structs they do not.
        let mut element = kind;
        while let Type::Array(inner, _) = self.types.get(element) {
            element = *inner;
        }
        let words = match self.types.model() == DataModel::Ilp32 && self.types.is_scalar(element) {
            true => self.types.size_of(element).unwrap_or(0) / 4,
            false => 1,
        };
        let is_of_object =
            matches!(name.specifiers.kind, Some(TypeSpecifier::TypeofExpression(operand)) if operand.span == name.span);
        let is_function = matches!(self.types.get(kind), Type::Function { .. });
        let alignment = match name.specifiers.kind {
            Some(TypeSpecifier::TypeofExpression(operand)) if is_of_object => {
                match self.alignment_of_object(operand)? {
                    Some(alignment) if is_function => {
                        let size = self.size_type();
                        return Ok(self.constant(alignment, size));
                    }
                    Some(alignment) => alignment,
                    None => self.alignment_of_name(name)?,
                }
            }
            _ if words == 2 && asked == Alignment::Preferred => self.alignment_of_name(name)?.max(8),
            _ => self.alignment_of_name(name)?,
        };
        if (words > 1 && is_of_object) || is_function {
            let message = format!("the alignment of {}", self.types.display(kind));
            return Err(self.refuse(span, message, "cannot be translated", None));
        }
        let size = self.size_type();
        Ok(self.constant(alignment, size))
    }

    fn alignment_of_name(&mut self, name: &'a TypeName<'a>) -> Checked<u64> {
        let kind = self.named_type(name)?;
        let said = self.alignment_said(name)?;
        Ok(said.unwrap_or_else(|| self.types.alignment_of(kind)))
    }

    /// The alignment of a variable or a member; `None` if it is that of its type.
    fn alignment_of_object(&mut self, operand: &'a crate::syntax::Expression<'a>) -> Checked<Option<u64>> {
        match &operand.kind {
            ExpressionKind::Name(name) => Ok(match self.scopes.find(name).map(|found| found.what.clone()) {
                Some(Entity::Variable(variable)) => {
                    let alignment = self.variable(variable).alignment;
                    (alignment > 0).then_some(alignment)
                }
                // Of others, compilers do not say the same.
                Some(Entity::Function(function)) => match self.function_alignments.get(&function) {
                    Some(alignment) => Some(*alignment),
                    None => {
                        let message = "the alignment of a function";
                        return Err(self.refuse(operand.span, message, "cannot be translated", None));
                    }
                },
                _ => None,
            }),
            ExpressionKind::Member(..) | ExpressionKind::PointerMember(..) => {
                let place = self.unevaluated(|semantics| semantics.place(operand))?;
                let Some(PlaceStep::Field(field)) = place.steps.last() else {
                    return Ok(None);
                };
                let record = self.kind_after(&place, place.steps.len() - 1);
                let Some(Type::Record(record)) = record.map(|record| self.types.get(record)) else {
                    return Ok(None);
                };
                let fields = self.types.record(*record).fields.as_deref().unwrap_or(&[]);
                Ok(fields.get(*field).map(|field| field.alignment))
            }
            _ => Ok(None),
        }
    }
}

/// Placing members one after another.
pub(super) struct Layout {
    is_union: bool,
    bound: Option<u64>,
    fields: Vec<Field>,
    /// The first free bit. Counted in bits, and until all members are there, a struct may be larger than any memory.
    position: u128,
    size: u128,
    alignment: u64,
}

impl Layout {
    /// No member yet. `bound` is what `#pragma pack` says, `asked` what the record's own attributes do.
    pub(super) fn new(is_union: bool, bound: Option<u64>, asked: u64) -> Layout {
        Layout {
            is_union,
            bound,
            fields: Vec::new(),
            position: 0,
            size: 0,
            alignment: asked,
        }
    }

    fn bounded(&self, alignment: u64) -> u64 {
        self.bound.map_or(alignment, |bound| alignment.min(bound))
    }

    /// The alignment of a member that asks for this and is no bit-field.
    pub(super) fn alignment_of(&self, demand: Demand) -> u64 {
        let asked = demand.asked.unwrap_or(1);
        self.bounded(match demand.is_packed {
            true => asked,
            false => demand.natural.max(asked),
        })
    }

    /// So many bytes are in use.
    pub(super) fn bytes(&self) -> u64 {
        u64::try_from(self.position.div_ceil(8)).unwrap_or(u64::MAX)
    }

    pub(super) fn alignment(&self) -> u64 {
        self.alignment
    }

    /// The members, if all of them are members of a struct that can be variables.
    pub(super) fn members_before(&self) -> Option<Vec<Field>> {
        let is_plain = |field: &Field| field.bit_width.is_none() && !field.name.is_empty() && !field.is_volatile;
        let are_plain = !self.is_union && self.fields.iter().all(is_plain) && self.position.is_multiple_of(8);
        are_plain.then(|| self.fields.clone())
    }

    pub(super) fn add(&mut self, name: String, kind: TypeId, size: u64, demand: Demand) {
        let alignment = self.alignment_of(demand);
        let start = if self.is_union { 0 } else { self.position.div_ceil(8) };
        let offset = start.next_multiple_of(u128::from(alignment));
        self.fields.push(Field {
            name,
            kind,
            offset: u64::try_from(offset).unwrap_or(u64::MAX),
            bit_offset: u64::try_from(offset * 8).unwrap_or(u64::MAX),
            bit_width: None,
            alignment,
            is_volatile: demand.is_volatile,
        });
        self.alignment = self.alignment.max(alignment);
        self.occupy((offset + u128::from(size)) * 8);
    }

    /// A bit-field may not lie in more units of its type than one, unless it is packed. Width 0 begins the next unit,
    /// whatever is packed.
    pub(super) fn add_bits(&mut self, name: String, kind: TypeId, unit: u64, demand: Demand, bits: u32) {
        let mut start = if self.is_union { 0 } else { self.position };
        let asked = demand.asked.unwrap_or(1);
        if bits == 0 {
            let alignment = u128::from(demand.natural.max(asked)) * 8;
            return self.occupy(start.next_multiple_of(alignment));
        }
        if demand.asked.is_some() {
            let alignment = self.bounded(asked);
            start = start.next_multiple_of(u128::from(alignment) * 8);
            self.alignment = self.alignment.max(alignment);
        }
        let (natural, unit) = (u128::from(demand.natural) * 8, u128::from(unit));
        if !demand.is_packed && self.bound.is_none() {
            let inside = start % natural + u128::from(bits);
            if inside.next_multiple_of(natural) > unit * 8 {
                start = start.next_multiple_of(natural);
            }
        }
        if !name.is_empty() {
            let alignment = match (self.bound, demand.is_packed) {
                (Some(bound), _) => demand.natural.min(bound),
                (None, true) => 1,
                (None, false) => demand.natural,
            };
            self.alignment = self.alignment.max(alignment);
            self.fields.push(Field {
                name,
                kind,
                offset: u64::try_from(start / 8 / unit * unit).unwrap_or(u64::MAX),
                bit_offset: u64::try_from(start).unwrap_or(u64::MAX),
                bit_width: Some(bits),
                alignment,
                is_volatile: demand.is_volatile,
            });
        }
        self.occupy(start + u128::from(bits));
    }

    fn occupy(&mut self, end: u128) {
        self.size = self.size.max(end.div_ceil(8));
        if !self.is_union {
            self.position = end;
        }
    }

    /// The members, the size and the alignment.
    pub(super) fn finish(self) -> (Vec<Field>, u64, u64) {
        let size = self.size.next_multiple_of(u128::from(self.alignment.max(1)));
        (self.fields, u64::try_from(size).unwrap_or(u64::MAX), self.alignment)
    }
}

/// Whether `_Atomic` is among the specifiers.
fn is_atomic(specifiers: &Specifiers<'_>) -> bool {
    specifiers
        .attributes
        .iter()
        .any(|attribute| attribute.name.text == "_Atomic")
}
