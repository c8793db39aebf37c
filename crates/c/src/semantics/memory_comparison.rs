//! `memcmp` of arrays of numbers that are larger than a byte: number by number, where it is plainly of whole ones.

use super::{Checked, Semantics, Value};
use crate::syntax;
use crate::syntax::Span;
use crate::types::{IntegerType, Type, TypeId};

/// What the library calls the comparison of elements of a type.
const COMPARE: &str = "__clausal_compare";

/// The function of the library that a model stands for.
pub(super) fn plain_name_of_model(name: &str) -> &str {
    match name {
        COMPARE => "memcmp",
        _ => name,
    }
}

impl<'a> Semantics<'a, '_> {
    /// The result, if it is such a call.
    pub(super) fn compared_memory(
        &mut self,
        callee: &syntax::Expression<'a>,
        arguments: &'a [&'a syntax::Expression<'a>],
        span: Span,
    ) -> Checked<Option<Value>> {
        let name = super::name_of(callee).map(|name| self.name_in_library(name));
        let [one, other, _] = arguments else { return Ok(None) };
        if name != Some("memcmp") || !self.library.contains_key("memcmp") {
            return Ok(None);
        }
        let kinds = self.unevaluated(|semantics| [one, other].map(|argument| semantics.compared_as(argument)));
        let [Some(element), Some(same)] = kinds else {
            return Ok(None);
        };
        if element != same {
            return Ok(None);
        }
        let [one, other, bytes] = self.three_arguments("memcmp", arguments, span)?;
        let pointers = [one, other].map(|pointer| {
            self.check_block(&pointer, &bytes, false, span);
            let plain = Self::without_casts(pointer);
            self.pointer_to_first(plain)
        });
        let Some(count) = self.elements_of_bytes(&bytes, element) else {
            let what = "`memcmp` of a number of bytes that is not plainly that of whole numbers".to_string();
            let target = self.temporary(crate::types::Types::INT, span);
            self.emit_unsupported(what, vec![target.clone()], span);
            return Ok(Some(self.read(target, span)?));
        };
        let arguments = pointers.into_iter().chain([count]).collect();
        Ok(self.call_of_elements(COMPARE, element, arguments, span))
    }

    /// The integer type that an argument points to, if its numbers have several bytes.
    fn compared_as(&mut self, argument: &'a syntax::Expression<'a>) -> Option<TypeId> {
        let value = Self::without_casts(self.value(argument).ok()?);
        let pointer = self.pointer_to_first(value);
        let Type::Pointer(element) = *self.types.get(pointer.c_type) else {
            return None;
        };
        let is_number = matches!(
            self.types.get(element),
            Type::Integer(IntegerType { bits: 16 | 32 | 64, .. })
        );
        is_number.then_some(element)
    }
}
