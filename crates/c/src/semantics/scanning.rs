//! What `scanf` and its kin read by formats that are written where they are used: unknown numbers and words from a stream, and
//! what `sscanf` finds in a text, by functions of the library.

use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::program::{ExpressionKind, InstructionKind, Numeric, UnknownSource};
use crate::syntax::{self, ExpressionKind as Kind, Span};
use crate::types::{IntegerType, Type, TypeId, Types};

/// A part of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Space,
    Character(u8),
    /// What is read and not kept.
    Skipped,
    Directive(Directive),
}

/// What a directive reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Directive {
    conversion: char,
    /// How many characters at most.
    width: Option<u32>,
    /// The bits of a number.
    bits: u32,
}

impl Directive {
    fn is_decimal(self) -> bool {
        matches!(self.conversion, 'd' | 'u')
    }

    fn is_word(self) -> bool {
        self.conversion == 's'
    }
}

/// The parts of a format; `None` if there is something else in it than what is read here.
fn parts(format: &[u32], word: u32) -> Option<Vec<Part>> {
    let bytes: Option<Vec<u8>> = format.iter().map(|c| u8::try_from(*c).ok()).collect();
    let bytes = bytes?;
    let mut rest = bytes.iter().copied().take_while(|byte| *byte != 0).peekable();
    let mut parts = Vec::new();
    while let Some(byte) = rest.next() {
        if byte.is_ascii_whitespace() || byte == 0x0b {
            parts.push(Part::Space);
            continue;
        }
        if byte != b'%' {
            parts.push(Part::Character(byte));
            continue;
        }
        let is_skipped = rest.next_if_eq(&b'*').is_some();
        let mut width = None;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            let value: u32 = width.unwrap_or(0);
            width = Some(value.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?);
        }
        let mut length = Vec::new();
        while let Some(letter) = rest.next_if(|byte| matches!(byte, b'h' | b'l' | b'z' | b'j' | b't' | b'q' | b'L')) {
            length.push(letter);
        }
        let bits = match length.as_slice() {
            b"" => 32,
            b"h" => 16,
            b"hh" => 8,
            b"l" | b"z" | b"t" => word,
            b"ll" | b"j" | b"q" | b"L" => 64,
            _ => return None,
        };
        let conversion = char::from(rest.next()?);
        let is_plain = length.is_empty() && width != Some(0);
        let is_known = match conversion {
            '%' => is_plain && width.is_none() && !is_skipped,
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' | 'a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => width != Some(0),
            's' => is_plain,
            'c' => is_plain && width.is_none_or(|width| width == 1),
            _ => false,
        };
        if !is_known {
            return None;
        }
        let directive = Directive {
            conversion,
            width,
            bits,
        };
        match (conversion, is_skipped) {
            ('%', _) => parts.extend([Part::Space, Part::Character(b'%')]),
            (_, true) => parts.push(Part::Skipped),
            (_, false) => parts.push(Part::Directive(directive)),
        }
    }
    Some(parts)
}

impl<'a> Semantics<'a, '_> {
    /// Reads unknown numbers and words into where the arguments point.
    /// If `count` is given, it is the result: how many there were, or less than zero.
    pub(super) fn scan(
        &mut self,
        name: &'a str,
        arguments: Arguments<'a>,
        first: usize,
        count: Option<&Value>,
        span: Span,
    ) -> Checked<()> {
        let (before, targets) = arguments.split_at(first.min(arguments.len()));
        self.discard_all(before)?;
        let format = first.checked_sub(1).and_then(|position| arguments.get(position));
        let directives = self.directives(format.copied(), targets)?;
        let pointers = self.values_in_order(targets)?;
        let Some(directives) = directives else {
            self.check_written(name, &pointers, |_| true, span);
            self.expose(name, pointers.into_iter(), span);
            return match count {
                Some(count) => self.assume_between(count, (-1).into(), targets.len().into(), span),
                None => Ok(()),
            };
        };
        if let Some(count) = count {
            self.assume_between(count, (-1).into(), targets.len().into(), span)?;
        }
        let end = self.state.graph.new_block();
        for (position, ((pointer, argument), directive)) in
            pointers.into_iter().zip(targets).zip(directives).enumerate()
        {
            if count.is_none() && !directive.is_word() && !self.options.checks.uninitialized {
                // Any number may be the old one, too, if there is one.
                self.scan_one(name, pointer, argument.span, directive, span)?;
                continue;
            }
            let reads = self.state.graph.new_block();
            // What comes after the first one that cannot be read is left as it was.
            match count {
                Some(count) => {
                    let position = self.int_constant(position);
                    let is_read = self.binary(syntax::BinaryOperator::Greater, count.clone(), position, span)?;
                    self.branch_on(is_read, reads, end, span);
                }
                None => {
                    let fails = self.unknown_value(Types::INT, UnknownSource::Failure(name.to_string()), span);
                    self.branch_on(fails, end, reads, span);
                }
            }
            self.state.graph.resume(reads);
            self.scan_one(name, pointer, argument.span, directive, span)?;
        }
        self.state.graph.fall_into(end, span);
        Ok(())
    }

    /// Reads something unknown into where the pointer points.
    fn scan_one(&mut self, name: &str, pointer: Value, at: Span, directive: Directive, span: Span) -> Checked<()> {
        if directive.is_word() {
            let text = self.types.pointer_to(Types::CHAR);
            let target = self.convert_implicitly(pointer, text, span)?;
            let size = self.size_type();
            let most = match directive.width {
                Some(width) => self.constant(width, size),
                None => self.constant(self.types.size_type().maximum(), size),
            };
            self.library_call("__clausal_read_word", vec![target, most], span)?;
            return Ok(());
        }
        let target = self.dereference(pointer, at)?;
        let source = match directive.width {
            // Numbers of so many digits are fewer.
            Some(_) if directive.conversion != 'c' => {
                UnknownSource::NotCalculated(format!("a number of limited length that `{name}` reads"))
            }
            _ => UnknownSource::ReadBy(name.to_string()),
        };
        self.emit(InstructionKind::Unknown { target, source }, span);
        Ok(())
    }

    /// What is read into where the arguments point; `None` if that is not known.
    fn directives(
        &mut self,
        format: Option<&'a syntax::Expression<'a>>,
        targets: Arguments<'a>,
    ) -> Checked<Option<Vec<Directive>>> {
        let Some(Kind::String { characters, .. }) = format.map(|format| &format.kind) else {
            return Ok(None);
        };
        let Some(parts) = parts(characters, self.types.word_bits()) else {
            return Ok(None);
        };
        let directives = directives_of(&parts);
        if targets.len() < directives.len() {
            return Ok(None);
        }
        for (directive, target) in directives.iter().zip(targets) {
            if !directive.is_word() {
                continue;
            }
            let kind = self.type_of(target)?;
            if !self.is_text(kind) || !self.library.contains_key("__clausal_read_word") {
                return Ok(None);
            }
        }
        Ok(Some(directives))
    }

    /// Whether the type is a pointer to characters, or an array of them.
    fn is_text(&self, kind: TypeId) -> bool {
        match *self.types.get(kind) {
            Type::Pointer(element) | Type::Array(element, _) => {
                matches!(self.numeric(element), Numeric::Integer(IntegerType { bits: 8, .. }))
            }
            _ => false,
        }
    }

    /// `sscanf` with a format that is written as the argument and has decimal numbers, words and characters: the number of what
    /// it finds as the value. `None` if there is something else; then nothing has been done.
    pub(super) fn scanned(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Option<Value>> {
        if super::models::without_prefix(name) != "sscanf" || !self.library.contains_key("__clausal_scan_space") {
            return Ok(None);
        }
        let Some((Kind::String { characters, .. }, targets)) =
            arguments.get(1).map(|format| &format.kind).zip(arguments.get(2..))
        else {
            return Ok(None);
        };
        let Some(parts) = parts(characters, self.types.word_bits()) else {
            return Ok(None);
        };
        let directives = directives_of(&parts);
        if targets.len() < directives.len() || parts.contains(&Part::Skipped) {
            return Ok(None);
        }
        for (directive, target) in directives.iter().zip(targets) {
            let kind = self.type_of(target)?;
            let fits = match *self.types.get(kind) {
                _ if directive.is_word() || directive.conversion == 'c' => self.is_text(kind),
                Type::Pointer(element) | Type::Array(element, _) if directive.is_decimal() => {
                    matches!(self.numeric(element), Numeric::Integer(integer) if integer.bits == directive.bits)
                }
                _ => false,
            };
            if !fits {
                return Ok(None);
            }
        }
        let mut values = self.values_in_order(arguments)?.into_iter();
        let Some(text) = values.next() else { return Ok(None) };
        let kind = self.types.pointer_to(Types::CHAR);
        let text = self.convert_implicitly(text, kind, span)?;
        let text = self.in_variable(text, span);
        let mut targets = values.skip(1);
        let zero = self.int_constant(0);
        let count = self.saved(zero.clone(), span);
        let mut at = zero;
        for part in parts {
            at = match part {
                Part::Space => self.scan_step("__clausal_scan_space", [&text, &at], None, span)?,
                Part::Character(byte) => {
                    let wanted = self.int_constant(u32::from(byte));
                    self.scan_step("__clausal_scan_character", [&text, &at], Some(wanted), span)?
                }
                Part::Skipped => at,
                Part::Directive(directive) => {
                    let Some(target) = targets.next() else { return Ok(None) };
                    self.find_one(directive, [&text, &at], target, &count, span)?
                }
            };
        }
        let found = self.typed(ExpressionKind::Read(count), Types::INT);
        let result = self.library_call("__clausal_scan_result", vec![at, found], span)?;
        Ok(Some(result))
    }

    /// The place in the text behind what a function of the library looks for.
    fn scan_step(
        &mut self,
        function: &'static str,
        [text, at]: [&Value; 2],
        wanted: Option<Value>,
        span: Span,
    ) -> Checked<Value> {
        let mut given = vec![text.clone(), at.clone()];
        given.extend(wanted);
        let next = self.library_call(function, given, span)?;
        Ok(self.in_variable(next, span))
    }

    /// What a directive finds goes into where the target points; the place behind it.
    fn find_one(
        &mut self,
        directive: Directive,
        [text, at]: [&Value; 2],
        target: Value,
        count: &crate::program::Place,
        span: Span,
    ) -> Checked<Value> {
        let width = i32::try_from(directive.width.unwrap_or(u32::MAX)).unwrap_or(i32::MAX);
        let width = self.int_constant(width);
        let begin = match directive.conversion {
            'c' => at.clone(),
            _ => self.scan_step("__clausal_scan_space", [text, at], None, span)?,
        };
        let function = match directive.conversion {
            'c' => "__clausal_scan_any",
            's' => "__clausal_scan_word",
            _ => "__clausal_scan_number",
        };
        let behind = self.scan_step(function, [text, &begin], Some(width.clone()), span)?;
        let zero = self.int_constant(0);
        let is_found = self.binary(syntax::BinaryOperator::GreaterOrEqual, behind.clone(), zero, span)?;
        let (found, join) = (self.state.graph.new_block(), self.state.graph.new_block());
        self.branch_on(is_found, found, join, span);
        self.state.graph.resume(found);
        match directive.is_decimal() {
            true => {
                let number = self.library_call(
                    "__clausal_scanned_number",
                    vec![text.clone(), begin, behind.clone()],
                    span,
                )?;
                let target = self.dereference(target, span)?;
                let number = self.convert(number, target.kind);
                self.emit_assign(target, number, span);
            }
            false => {
                let kind = self.types.pointer_to(Types::CHAR);
                let target = self.convert_implicitly(target, kind, span)?;
                let ends = self.int_constant(i32::from(directive.is_word()));
                let given = vec![target, text.clone(), begin, behind.clone(), ends];
                self.library_call("__clausal_scanned_text", given, span)?;
            }
        }
        let (known, one) = (
            self.typed(ExpressionKind::Read(count.clone()), Types::INT),
            self.int_constant(1),
        );
        let more = self.operation(crate::program::BinaryOperator::Add, known, one, Types::INT);
        self.emit_assign(count.clone(), more, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(join);
        Ok(behind)
    }
}

fn directives_of(parts: &[Part]) -> Vec<Directive> {
    let directives = parts.iter().filter_map(|part| match part {
        Part::Directive(directive) => Some(*directive),
        _ => None,
    });
    directives.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: &str) -> Option<Vec<Part>> {
        let characters: Vec<u32> = format.chars().map(u32::from).collect();
        parts(&characters, 64)
    }

    #[test]
    fn formats_are_understood_or_refused() {
        let directive = |conversion, width, bits| {
            Part::Directive(Directive {
                conversion,
                width,
                bits,
            })
        };
        let found = read("%3ld-%*d\n%s%%").expect("known directives");
        let expected = [
            directive('d', Some(3), 64),
            Part::Character(b'-'),
            Part::Skipped,
            Part::Space,
            directive('s', None, 32),
            Part::Space,
            Part::Character(b'%'),
        ];
        assert_eq!(found, expected);
        for unknown in ["%[a-z]", "%n", "%p", "%ls", "%3c", "%", "%0d", "%*[a]"] {
            assert_eq!(read(unknown), None, "{unknown}");
        }
    }
}
