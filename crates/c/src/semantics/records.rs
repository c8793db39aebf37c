//! Structs and unions: their declarations, and the search for members. Where members lie is worked out in `layout`.

use super::computed_records::ComputedLayout;
use super::layout::{Demand, Layout, Packing};
use super::scopes::{Tag, nearest};
use super::type_names::DEPTH_LIMIT;
use super::{Checked, Semantics};
use crate::syntax::{self, Declaration, Span};
use crate::types::{IntegerType, Length, RecordId, Type, TypeId};
use hashbrown::HashSet;
use num_traits::ToPrimitive;

/// A member found in a record: the indices of the fields on the way (more than one through unnamed members), each with its
/// type.
pub(super) struct Member {
    pub(super) path: Vec<(usize, TypeId)>,
}

impl<'a> Semantics<'a, '_> {
    /// The type of `struct tag { members }`, any part of which may be missing.
    pub(super) fn record_type(
        &mut self,
        is_union: bool,
        tag: Option<syntax::Name<'a>>,
        members: Option<&'a [&'a Declaration<'a>]>,
        packing: Packing<'a>,
        span: Span,
    ) -> Checked<TypeId> {
        let record = self.tagged_record(is_union, tag, members.is_some(), span)?;
        if let Some(members) = members {
            self.define_record(record, members, packing, span);
        }
        Ok(self.types.intern(Type::Record(record)))
    }

    fn tagged_record(
        &mut self,
        is_union: bool,
        tag: Option<syntax::Name<'a>>,
        is_definition: bool,
        span: Span,
    ) -> Checked<RecordId> {
        let Some(tag) = tag else {
            self.made_up += 1;
            return Ok(self.types.add_record(is_union, format!("<unnamed {}>", self.made_up)));
        };
        let found = match is_definition {
            true => self.scopes.find_tag_here(tag.text).cloned(),
            false => self.scopes.find_tag(tag.text).cloned(),
        };
        if let Some(found) = found {
            match found.what {
                Tag::Record(record) if self.types.record(record).is_union == is_union => {
                    if is_definition && self.types.record(record).fields.is_some() {
                        return Err(self.redeclared(tag.text, tag.span, found.span));
                    }
                    return Ok(record);
                }
                _ => return Err(self.redeclared(tag.text, span, found.span)),
            }
        }
        Ok(self.add_tagged_record(is_union, tag))
    }

    fn add_tagged_record(&mut self, is_union: bool, tag: syntax::Name<'a>) -> RecordId {
        let record = self.types.add_record(is_union, tag.text.to_string());
        self.scopes.declare_tag(tag.text, Tag::Record(record), tag.span);
        record
    }

    /// Declares a tag in this very scope, if it is not there yet.
    pub(super) fn tag_of_this_scope(&mut self, is_union: bool, tag: syntax::Name<'a>) {
        if self.scopes.find_tag_here(tag.text).is_some() {
            return;
        }
        self.add_tagged_record(is_union, tag);
    }

    fn define_record(
        &mut self,
        record: RecordId,
        members: &'a [&'a Declaration<'a>],
        packing: Packing<'a>,
        span: Span,
    ) {
        // A mistake in an attribute has been reported.
        let asked = self.asked_alignment(packing.attributes).ok().flatten().unwrap_or(1);
        let mut layout = Layout::new(self.types.record(record).is_union, packing.bound, asked);
        let mut computed = None;
        let mut names: HashSet<String> = HashSet::new();
        for declaration in members {
            let Ok(base) = self.specified_type_of_any_length(&declaration.specifiers) else {
                continue;
            };
            // A struct with a name of its own is only declared there, and is no member: so compilers have it.
            let is_nameless = matches!(
                declaration.specifiers.kind,
                Some(syntax::TypeSpecifier::Record { tag: None, .. })
            );
            if declaration.declarators.is_empty() && is_nameless {
                let size = self.types.size_of(base).unwrap_or(0);
                let plain = self.types.without_volatile(base);
                if computed.is_some() {
                    self.refuse_computed_length("", declaration.specifiers.span);
                }
                if let Ok(demand) = self.demand(&declaration.specifiers, None, base, packing) {
                    let demand = demand.volatile(plain != base);
                    layout.add(String::new(), plain, size, demand);
                }
            }
            for member in declaration.declarators {
                let layouts = (&mut layout, &mut computed);
                let added = self.add_member(layouts, &declaration.specifiers, base, member, packing);
                if let (Ok(()), Some(name)) = (added, member.declarator.name)
                    && !names.insert(name.text.to_string())
                {
                    self.error(
                        name.span,
                        format!("member `{}` is declared twice", name.text),
                        "here again",
                        None,
                    );
                }
            }
        }
        if let Some(computed) = computed {
            return self.end_computed_record(record, computed, span);
        }
        let (fields, size, alignment) = layout.finish();
        if size > u64::MAX >> 1 {
            self.error(span, "a struct that is too large", "no memory holds it", None);
        }
        let depths = fields.iter().map(|field| self.types.depth_of(field.kind));
        let depth = depths.max().unwrap_or(0);
        if depth > DEPTH_LIMIT {
            self.nested_too_deeply(span);
        }
        let record = self.types.record_mut(record);
        record.fields = Some(fields);
        record.size = size;
        record.alignment = alignment;
        record.depth = depth.min(DEPTH_LIMIT);
    }

    fn add_member(
        &mut self,
        (layout, computed): (&mut Layout, &mut Option<ComputedLayout>),
        specifiers: &syntax::Specifiers<'a>,
        base: TypeId,
        member: &'a syntax::InitializedDeclarator<'a>,
        packing: Packing<'a>,
    ) -> Checked<()> {
        let derived = self.derived_of_any_length(specifiers, base, member.declarator)?;
        let kind = derived.kind;
        let demand = self
            .demand(specifiers, Some(member.declarator), kind, packing)?
            .volatile(derived.is_volatile);
        let name = member.declarator.name.map_or("", |name| name.text).to_string();
        let span = member.declarator.span;
        let is_computed = computed.is_some() || !derived.lengths.is_empty() || self.is_computed_record(kind);
        if is_computed {
            let Some(name) = member.declarator.name.filter(|_| member.bit_width.is_none()) else {
                return Err(self.refuse_computed_length(&name, span));
            };
            return self.add_computed_member((layout, computed), (name, kind, demand), &derived.lengths);
        }
        if let Some(width) = member.bit_width {
            return self.add_bit_field(layout, name, kind, width, demand);
        }
        let size = match self.types.get(kind) {
            Type::Array(_, Length::Unknown) => Some(0),
            _ => self.types.size_of(kind),
        };
        let Some(size) = size.filter(|_| !matches!(self.types.get(kind), Type::Void | Type::Function { .. })) else {
            let message = format!("member `{name}` has the incomplete type {}", self.types.display(kind));
            let help = "a struct cannot contain itself; a pointer to it is meant, perhaps".to_string();
            return Err(self.error(span, message, "its size is not known here", Some(help)));
        };
        layout.add(name, kind, size, demand);
        Ok(())
    }

    fn add_bit_field(
        &mut self,
        layout: &mut Layout,
        name: String,
        kind: TypeId,
        width: &'a syntax::Expression<'a>,
        demand: Demand,
    ) -> Checked<()> {
        let Type::Integer(integer) = *self.types.get(kind) else {
            let message = format!("bit-field `{name}` has type {}", self.types.display(kind));
            return Err(self.error(width.span, message, "only integers have a width", None));
        };
        let value = self.integer_constant(width)?;
        let Some(bits) = value.to_u32().filter(|bits| *bits <= integer.bits) else {
            let message = format!("a bit-field of {value} bits in type {}", self.types.display(kind));
            return Err(self.error(width.span, message, "does not fit", None));
        };
        let unit = self.types.size_of(kind).unwrap_or(1);
        layout.add_bits(name, kind, unit, demand, bits);
        Ok(())
    }

    /// Finds a member by its name, through unnamed members.
    pub(super) fn find_member(&self, record: RecordId, name: &str) -> Option<Member> {
        let fields = self.types.record(record).fields.as_ref()?;
        if let Some(index) = fields.iter().position(|field| field.name == name && !name.is_empty()) {
            return Some(Member {
                path: vec![(index, fields[index].kind)],
            });
        }
        for (index, field) in fields.iter().enumerate().filter(|(_, field)| field.name.is_empty()) {
            if let Type::Record(inner) = *self.types.get(field.kind)
                && let Some(mut member) = self.find_member(inner, name)
            {
                member.path.insert(0, (index, field.kind));
                return Some(member);
            }
        }
        None
    }

    /// Finds the member that is written; the mistake if there is none.
    pub(super) fn member(&mut self, kind: TypeId, name: syntax::Name<'a>) -> Checked<Member> {
        let Type::Record(record) = *self.types.get(kind) else {
            let message = format!("`.{}` of something of type {}", name.text, self.types.display(kind));
            return Err(self.error(name.span, message, "only structs and unions have members", None));
        };
        if self.types.compound(kind).is_some() {
            let message = format!("`.{}` of something of type {}", name.text, self.types.display(kind));
            return Err(self.error(name.span, message, "only structs and unions have members", None));
        }
        if let Some(member) = self.find_member(record, name.text) {
            return Ok(member);
        }
        if self.computed_records.contains_key(&record) {
            return Err(self.refuse_computed_record(name.span));
        }
        let shown = self.types.display(kind);
        let Some(fields) = &self.types.record(record).fields else {
            let message = format!("the members of {shown} are not known");
            return Err(self.error(name.span, message, "the type is only named, never defined", None));
        };
        let like = nearest(name.text, fields.iter().map(|field| field.name.as_str()));
        let help = like.map(|like| format!("did you mean `{like}`?"));
        let message = format!("{shown} has no member `{}`", name.text);
        Err(self.unknown_name(name.span, message, "not a member", help))
    }

    /// The type that a bit-field's values wrap at.
    pub(super) fn bit_field_type(&self, kind: TypeId, width: u32) -> Option<IntegerType> {
        match *self.types.get(kind) {
            Type::Integer(integer) if integer != IntegerType::BOOL => Some(IntegerType {
                bits: width,
                signed: integer.signed,
            }),
            _ => None,
        }
    }
}
