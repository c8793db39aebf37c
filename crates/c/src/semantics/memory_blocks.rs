//! `memset`, `memcpy` and `memmove`: whole elements are copied or become zero.

use super::allocation::may_wrap;
use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, CopySource, ExpressionKind, InstructionKind, Numeric, Place, PlaceStep, Reach};
use crate::syntax::{self, Span};
use crate::types::{IntegerType, Length, Type, TypeId};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// How many elements are filled one by one.
const MOST_SINGLE_ELEMENTS: u64 = 4096;

/// What the library calls these functions where the number of elements is not known before.
const COPY: &str = "__clausal_copy";
const CLEAR: &str = "__clausal_clear";
const FILL: &str = "__clausal_fill";

type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

impl<'a> Semantics<'a, '_> {
    /// `memset(target, byte, bytes)`
    pub(super) fn fill(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let values = self.three_arguments(name, arguments, span)?;
        self.filled(name, values, span)
    }

    /// `bzero(target, bytes)`
    pub(super) fn clear(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        self.argument_at(name, arguments, 1, span)?;
        let mut values = self.evaluated_in_order(arguments)?.into_iter();
        let (Some(target), Some(bytes)) = (values.next(), values.next()) else {
            return Err(super::Reported);
        };
        let size = self.size_type();
        let bytes = self.convert_implicitly(bytes, size, span)?;
        let zero = self.int_constant(0);
        self.filled(name, [target, zero, bytes], span)?;
        Ok(self.void_value())
    }

    /// So many bytes from the target on become this one.
    fn filled(&mut self, name: &str, values: [Value; 3], span: Span) -> Checked<Value> {
        let [target, byte, bytes] = values;
        let pointer = Self::without_casts(target.clone());
        self.check_block(&pointer, &bytes, true, span);
        let place = self.dereference(pointer.clone(), span)?;
        if self.is_null_constant(&byte) {
            if let Some(place) = self.place_of_size(&pointer, &place, &bytes) {
                self.emit(InstructionKind::Zero { target: place }, span);
                return Ok(target);
            }
            let count = self.elements_of_bytes(&bytes, place.kind);
            if let Some(count) = count
                .clone()
                .filter(|count| !matches!(count.kind, ExpressionKind::Integer(_)))
                && self
                    .call_of_elements(CLEAR, place.kind, vec![pointer.clone(), count], span)
                    .is_some()
            {
                return Ok(target);
            }
            // So many bytes of something that has no type here are cleared one by one.
            let is_void = matches!(self.types.get(place.kind), Type::Void);
            let is_known = |count: &Value| !is_void || matches!(count.kind, ExpressionKind::Integer(_));
            if let Some(count) = count.filter(is_known) {
                let fill = InstructionKind::Copy {
                    target: pointer,
                    source: CopySource::Zero,
                    element: place.kind,
                    count,
                };
                self.emit(fill, span);
                return Ok(target);
            }
        }
        let count = match &bytes.kind {
            ExpressionKind::Integer(number) => number.to_u64().filter(|count| *count <= MOST_SINGLE_ELEMENTS),
            _ => None,
        };
        if let (Some(count), Some(1), true) = (count, self.types.size_of(place.kind), self.types.is_scalar(place.kind))
        {
            let value = self.convert_implicitly(byte, place.kind, span)?;
            for index in 0..count {
                let index = self.int_constant(index);
                let element = self.pointer_add(pointer.clone(), index, span)?;
                let element = self.dereference(element, span)?;
                self.emit_assign(element, value.clone(), span);
            }
            return Ok(target);
        }
        if let Type::Integer(integer) = *self.types.get(place.kind)
            && integer != IntegerType::BOOL
            && let Some(count) = self.elements_of_bytes(&bytes, place.kind)
            && !is_few(&count)
        {
            let value = self.repeated_byte(byte.clone(), integer, span)?;
            let value = self.convert(value, place.kind);
            if self
                .call_of_elements(FILL, place.kind, vec![pointer.clone(), value, count], span)
                .is_some()
            {
                return Ok(target);
            }
        }
        let is_plain = self.elements_of_bytes(&bytes, place.kind).is_some();
        if (!is_plain || matches!(self.types.get(place.kind), Type::Void))
            && self.place_of_size(&pointer, &place, &bytes).is_none()
        {
            return self.fill_bytes([pointer, byte, bytes], span).map(|()| target);
        }
        if let Some(whole) = self.place_of_size(&pointer, &place, &bytes)
            && self
                .bytes_parts(whole.kind)
                .is_some_and(|parts| parts <= MOST_SINGLE_ELEMENTS)
        {
            self.fill_place(whole, &byte, span)?;
            return Ok(target);
        }
        let what = match (self.elements_of_bytes(&bytes, place.kind), self.bytes_parts(place.kind)) {
            (Some(count), Some(parts)) => {
                let count = match &count.kind {
                    ExpressionKind::Integer(number) => number.to_u64(),
                    _ => None,
                };
                if let Some(count) = count.filter(|count| count.saturating_mul(parts) <= MOST_SINGLE_ELEMENTS) {
                    for index in 0..count {
                        let index = self.int_constant(index);
                        let element = self.pointer_add(pointer.clone(), index, span)?;
                        let element = self.dereference(element, span)?;
                        self.fill_place(element, &byte, span)?;
                    }
                    return Ok(target);
                }
                format!(
                    "`{name}` of more than {MOST_SINGLE_ELEMENTS} elements, or of an unknown number, but with zeros"
                )
            }
            // Of unions and bit-fields the bytes are seen, where they can be.
            (Some(_), None)
                if !self.any_part(place.kind, |kind, _| {
                    matches!(kind, Type::Pointer(_) | Type::Floating(_))
                }) =>
            {
                return self.fill_bytes([pointer, byte, bytes], span).map(|()| target);
            }
            (Some(_), None) => format!(
                "`{name}` of `{}` with other bytes than zeros",
                self.types.display(place.kind)
            ),
            (None, _) => self.no_multiple(name, place.kind),
        };
        self.change_object(what, pointer, span);
        Ok(target)
    }

    /// Sets so many bytes one after the other, whatever they are of.
    fn fill_bytes(&mut self, [pointer, byte, bytes]: [Value; 3], span: Span) -> Checked<()> {
        let single = self.types.integer(IntegerType { bits: 8, signed: false });
        let kind = self.types.pointer_to(single);
        let (pointer, byte) = (
            self.convert(pointer, kind),
            self.convert_implicitly(byte, single, span)?,
        );
        let arguments = vec![pointer.clone(), byte, bytes];
        if self.call_of_elements(FILL, single, arguments, span).is_none() {
            self.change_object("`memset` of bytes".to_string(), pointer, span);
        }
        Ok(())
    }

    /// Changes what the pointer points into, in a way that is not translated.
    fn change_object(&mut self, what: String, pointer: Value, span: Span) {
        let expose = InstructionKind::Expose {
            what,
            pointers: vec![pointer],
            reach: Reach::Objects,
        };
        self.emit(expose, span);
    }

    fn no_multiple(&self, name: &str, element: TypeId) -> String {
        let shown = self.types.display(element);
        format!("`{name}` of a number of bytes that is not plainly a multiple of the size of `{shown}`")
    }

    /// How many numbers a value of the type consists of, if each is told by its bytes: no `_Bool`, bit-field, pointer or union.
    fn bytes_parts(&self, kind: TypeId) -> Option<u64> {
        match self.types.get(kind) {
            Type::Integer(integer) if *integer != IntegerType::BOOL => Some(1),
            Type::Array(element, Length::Fixed(length)) => self.bytes_parts(*element)?.checked_mul(*length),
            Type::Record(record) if !self.types.record(*record).is_union => {
                let fields = self.types.record(*record).fields.as_ref()?.iter();
                fields.into_iter().try_fold(0_u64, |sum, field| match field.bit_width {
                    Some(_) => None,
                    None => sum.checked_add(self.bytes_parts(field.kind)?),
                })
            }
            _ => None,
        }
    }

    /// Sets every byte of a place that consists of [such numbers](Self::bytes_parts).
    fn fill_place(&mut self, place: Place, byte: &Value, span: Span) -> Checked<()> {
        match *self.types.get(place.kind) {
            Type::Array(_, Length::Fixed(length)) => {
                for index in 0..length {
                    let index = self.int_constant(index);
                    let element = self.element_place(place.clone(), index);
                    self.fill_place(element, byte, span)?;
                }
                Ok(())
            }
            Type::Record(record) => {
                let fields = self.types.record(record).fields.clone().unwrap_or_default();
                for (index, field) in fields.into_iter().enumerate() {
                    let mut part = place.clone();
                    part.steps.push(PlaceStep::Field(index));
                    part.kind = field.kind;
                    self.fill_place(part, byte, span)?;
                }
                Ok(())
            }
            Type::Integer(integer) => {
                let value = self.repeated_byte(byte.clone(), integer, span)?;
                let value = self.convert(value, place.kind);
                self.emit_assign(place, value, span);
                Ok(())
            }
            _ => Err(self.no_place(span)),
        }
    }

    /// The number all of whose bytes are this one.
    fn repeated_byte(&mut self, byte: Value, kind: IntegerType, span: Span) -> Checked<Value> {
        let unsigned = |bits| IntegerType { bits, signed: false };
        let (single, all) = (self.types.integer(unsigned(8)), self.types.integer(unsigned(kind.bits)));
        let byte = self.convert_implicitly(byte, single, span)?;
        let byte = self.convert(byte, all);
        let pattern = unsigned(kind.bits).maximum() / 255;
        let pattern = self.constant(pattern, all);
        Ok(match Self::fold_binary(BinaryOperator::Multiply, &byte, &pattern) {
            Some(number) => self.constant(number, all),
            None => self.operation(BinaryOperator::Multiply, byte, pattern, all),
        })
    }

    /// `__clausal_apart(one, other, bytes)`, by which the library says what its functions want.
    pub(super) fn apart(&mut self, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let values = self.values_in_order(arguments)?;
        if let [one, other, bytes] = &values[..]
            && one.numeric == Numeric::Pointer
            && other.numeric == Numeric::Pointer
        {
            self.check_apart(one, other, Some(bytes), span);
        }
        Ok(self.void_value())
    }

    /// `__clausal_reads(pointer, bytes)`: so many bytes have to be there, whatever is read of them.
    pub(super) fn reads(&mut self, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let values = self.values_in_order(arguments)?;
        if let [pointer, bytes] = &values[..]
            && pointer.numeric == Numeric::Pointer
        {
            self.check_set(pointer, span);
            if self.options.checks.bounds {
                self.check_bytes(pointer, bytes, false, span);
            }
        }
        Ok(self.void_value())
    }

    /// `__clausal_wants(pointer)`: null has no meaning there, even if nothing is read.
    pub(super) fn wants(&mut self, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        for value in self.values_in_order(arguments)? {
            self.check_set(&value, span);
        }
        Ok(self.void_value())
    }

    /// `memcpy(target, source, bytes)`
    pub(super) fn copy(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let [target, source, bytes] = self.three_arguments(name, arguments, span)?;
        self.check_block(&target, &bytes, true, span);
        self.check_block(&source, &bytes, false, span);
        if !self.symbols.symbol(name).contains("memmove") {
            self.check_apart(&target, &source, Some(&bytes), span);
        }
        let (to, from) = self.alike(Self::without_casts(target.clone()), Self::without_casts(source));
        let (to, from) = (self.pointer_to_first(to), self.pointer_to_first(from));
        let place = self.dereference(to.clone(), span)?;
        let read = self.dereference(from.clone(), span)?;
        let same = place.kind == read.kind && !matches!(self.types.get(place.kind), Type::Void | Type::Array(..));
        match self.elements_of_bytes(&bytes, place.kind).filter(|_| same) {
            Some(count) if matches!(&count.kind, ExpressionKind::Integer(number) if *number == BigInt::from(1)) => {
                let kind = place.kind;
                let value = self.typed(ExpressionKind::Read(read), kind);
                self.emit_assign(place, value, span);
            }
            Some(count) if !matches!(count.kind, ExpressionKind::Integer(_)) && self.of_elements.contains_key(COPY) => {
                let kind = place.kind;
                let arguments = vec![to.clone(), from.clone(), count];
                if self.call_of_elements(COPY, kind, arguments, span).is_none() {
                    self.change_by(format!("`{name}`"), to, from, span);
                }
            }
            Some(count) => {
                let copy = InstructionKind::Copy {
                    target: to,
                    source: CopySource::Address(from),
                    element: place.kind,
                    count,
                };
                self.emit(copy, span);
            }
            None if same && self.copy_first_fields(&place, &read, &bytes, span) => {}
            None if !same && self.copy_bits([&place, &read].map(|place| place.kind), [&to, &from], &bytes, span)? => {}
            None => {
                let what = match same {
                    true => self.no_multiple(name, place.kind),
                    false => {
                        let [to, from] = [place.kind, read.kind].map(|kind| self.types.display(kind));
                        format!("`{name}` from `{from}` to `{to}`")
                    }
                };
                self.change_by(what, to, from, span);
            }
        }
        Ok(target)
    }

    /// A number that becomes one of another type by its bits: these are written as an integer. Says whether it is such a copy.
    fn copy_bits(&mut self, kinds: [TypeId; 2], pointers: [&Value; 2], bytes: &Value, span: Span) -> Checked<bool> {
        let size = match &bytes.kind {
            ExpressionKind::Integer(size) => size.to_u64().filter(|size| matches!(size, 1 | 2 | 4 | 8)),
            _ => None,
        };
        let is_number = |kind: &TypeId| match self.types.get(*kind) {
            Type::Integer(integer) => *integer != IntegerType::BOOL,
            kind => matches!(kind, Type::Floating(_)),
        };
        let Some(size) = size.filter(|_| kinds.iter().all(is_number)) else {
            return Ok(false);
        };
        if kinds.iter().any(|kind| self.types.size_of(*kind) != Some(size)) {
            return Ok(false);
        }
        let bits = u32::try_from(8 * size).unwrap_or(64);
        let word = self.types.integer(IntegerType { bits, signed: false });
        let pointer = self.types.pointer_to(word);
        let [to, from] = pointers.map(|value| self.convert(value.clone(), pointer));
        let (place, read) = (self.dereference(to, span)?, self.dereference(from, span)?);
        let value = self.typed(ExpressionKind::Read(read), word);
        self.emit_assign(place, value, span);
        Ok(true)
    }

    /// Changes what the first pointer points into by what is behind the second one, in a way that is not translated: addresses that
    /// are there may be read here, as whatever they are read as.
    fn change_by(&mut self, what: String, to: Value, from: Value, span: Span) {
        self.tell(vec![from], Reach::Contents, span);
        self.change_object(what, to, span);
    }

    pub(super) fn three_arguments(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<[Value; 3]> {
        self.argument_at(name, arguments, 2, span)?;
        let values = self.evaluated_in_order(arguments)?;
        let mut values = values.into_iter();
        match (values.next(), values.next(), values.next()) {
            (Some(one), Some(two), Some(bytes)) => {
                let size = self.size_type();
                Ok([one, two, self.convert_implicitly(bytes, size, span)?])
            }
            _ => Err(super::Reported),
        }
    }

    /// Two pointers to the same type: a pointer to bytes is taken for what the other one is.
    fn alike(&mut self, to: Value, from: Value) -> (Value, Value) {
        match (self.points_to_bytes(&to), self.points_to_bytes(&from)) {
            (true, false) => {
                let kind = from.c_type;
                (self.convert(to, kind), from)
            }
            (_, true) => {
                let kind = to.c_type;
                (to, self.convert(from, kind))
            }
            (false, false) => (to, from),
        }
    }

    /// A pointer to a row, as one to its first element.
    pub(super) fn pointer_to_first(&mut self, mut pointer: Value) -> Value {
        while let Type::Pointer(row) = *self.types.get(pointer.c_type)
            && let Type::Array(element, _) = *self.types.get(row)
        {
            let kind = self.types.pointer_to(element);
            pointer = self.convert(pointer, kind);
        }
        pointer
    }

    fn points_to_bytes(&self, pointer: &Value) -> bool {
        match self.types.get(pointer.c_type) {
            Type::Pointer(target) => {
                matches!(
                    self.types.get(*target),
                    Type::Void | Type::Integer(IntegerType { bits: 8, .. })
                )
            }
            _ => false,
        }
    }

    /// Copies the fields of a struct that lie in its first bytes; `false` if the end is not between two of them.
    fn copy_first_fields(&mut self, place: &Place, read: &Place, bytes: &Value, span: Span) -> bool {
        let (ExpressionKind::Integer(bytes), Type::Record(record)) = (&bytes.kind, self.types.get(place.kind)) else {
            return false;
        };
        let record = self.types.record(*record);
        let (Some(bytes), Some(fields), false) = (bytes.to_u64(), &record.fields, record.is_union) else {
            return false;
        };
        // What is behind the struct is copied, too.
        if self.types.size_of(place.kind).is_none_or(|size| bytes > size) {
            return false;
        }
        let mut copied = Vec::new();
        for (index, field) in fields.iter().enumerate().filter(|(_, field)| field.offset < bytes) {
            let end = self
                .types
                .size_of(field.kind)
                .and_then(|size| field.offset.checked_add(size));
            if end.is_none_or(|end| end > bytes) || matches!(self.types.get(field.kind), Type::Array(..)) {
                return false;
            }
            copied.push((index, field.kind));
        }
        for (index, kind) in copied {
            let [target, source] = [place, read].map(|object| {
                let mut part = object.clone();
                part.steps.push(PlaceStep::Field(index));
                part.kind = kind;
                part
            });
            let value = self.typed(ExpressionKind::Read(source), kind);
            self.emit_assign(target, value, span);
        }
        true
    }

    /// The pointer before it was cast, as arguments of type `void *` are.
    pub(super) fn without_casts(mut pointer: Value) -> Value {
        loop {
            match pointer.kind {
                ExpressionKind::Convert(inner) if inner.numeric == Numeric::Pointer => pointer = *inner,
                _ => return pointer,
            }
        }
    }

    /// The array that a pointer is the first element of.
    pub(super) fn whole_array(pointer: &Value) -> Option<Place> {
        let ExpressionKind::AddressOf(first) = &pointer.kind else {
            return None;
        };
        let mut array = (**first).clone();
        match array.steps.pop()? {
            PlaceStep::Index(index) if matches!(&index.kind, ExpressionKind::Integer(number) if *number == BigInt::ZERO) => {
                Some(array)
            }
            _ => None,
        }
    }

    /// The place that the pointer points to, or the array whose first element that is, if it has exactly this size.
    fn place_of_size(&mut self, pointer: &Value, place: &Place, bytes: &Value) -> Option<Place> {
        let ExpressionKind::Integer(bytes) = &bytes.kind else {
            return None;
        };
        let bytes = bytes.to_u64()?;
        let mut candidate = place.clone();
        let mut pointer = pointer.clone();
        loop {
            if !matches!(self.types.get(candidate.kind), Type::Void)
                && self.types.size_of(candidate.kind) == Some(bytes)
            {
                return Some(candidate);
            }
            let mut array = Self::whole_array(&pointer)?;
            array.kind = self.kind_of_path(&array);
            candidate = array.clone();
            let kind = self.types.pointer_to(array.kind);
            pointer = self.typed(ExpressionKind::AddressOf(Box::new(array)), kind);
        }
    }

    /// The number of elements in so many bytes, if they are plainly a multiple. What may have wrapped round is divided: that is
    /// still a multiple of a power of two.
    pub(super) fn elements_of_bytes(&mut self, bytes: &Value, element: TypeId) -> Option<Value> {
        let count = self.elements(bytes, element)?;
        let size = self.types.size_of(element)?;
        match (may_wrap(bytes), size.is_power_of_two()) {
            (true, true) if size > 1 => {
                let (kind, size) = (bytes.c_type, self.constant(size, bytes.c_type));
                Some(self.operation(BinaryOperator::Divide, bytes.clone(), size, kind))
            }
            (true, false) => None,
            _ => Some(count),
        }
    }

    /// The number of elements in so many bytes, if it is plain and nothing wraps.
    pub(super) fn elements(&mut self, bytes: &Value, element: TypeId) -> Option<Value> {
        if matches!(
            self.types.get(element),
            Type::Array(_, Length::Unknown | Length::Variable) | Type::Function { .. }
        ) {
            return None;
        }
        let size = self.types.size_of(element).filter(|size| *size > 0)?;
        if size == 1 {
            return Some(bytes.clone());
        }
        let divided = |number: &BigInt| {
            let size = BigInt::from(size);
            ((number % &size) == BigInt::ZERO).then(|| number / size)
        };
        match &bytes.kind {
            ExpressionKind::Integer(number) => divided(number).map(|count| self.constant(count, bytes.c_type)),
            ExpressionKind::Binary(BinaryOperator::Multiply, left, right) => {
                let (factor, other) = match (&left.kind, &right.kind) {
                    (ExpressionKind::Integer(number), _) => (number, right),
                    (_, ExpressionKind::Integer(number)) => (number, left),
                    // `a * (b * size)`
                    _ => {
                        let (left, right) = (left.clone(), right.clone());
                        let kind = bytes.c_type;
                        let operator = BinaryOperator::Multiply;
                        return match self.elements(&right, element) {
                            Some(count) => Some(self.operation(operator, *left, count, kind)),
                            None => {
                                let count = self.elements(&left, element)?;
                                Some(self.operation(operator, count, *right, kind))
                            }
                        };
                    }
                };
                let count = divided(factor)?;
                if count == BigInt::from(1) {
                    return Some((**other).clone());
                }
                let count = self.constant(count, bytes.c_type);
                let other = (**other).clone();
                Some(self.operation(BinaryOperator::Multiply, other, count, bytes.c_type))
            }
            ExpressionKind::Convert(inner) if matches!(inner.numeric, Numeric::Integer(_)) => {
                let inner = (**inner).clone();
                let count = self.elements(&inner, element)?;
                Some(self.convert(count, bytes.c_type))
            }
            _ => None,
        }
    }
}

/// Whether it is a constant number of elements that are filled one by one.
fn is_few(count: &Value) -> bool {
    match &count.kind {
        ExpressionKind::Integer(number) => number.to_u64().is_some_and(|count| count <= MOST_SINGLE_ELEMENTS),
        _ => false,
    }
}
