//! Formats of `printf` and its kin that are written where they are used: what each directive makes is put together by functions
//! of the library, so that the text that `sprintf` writes, and how long it is, are known.

use super::scopes::Entity;
use super::{Checked, Semantics, Value};
use crate::options::Output;
use crate::program::{BinaryOperator, ExpressionKind, Numeric, UnknownSource};
use crate::syntax::{self, ExpressionKind as Kind, Span};
use crate::types::{IntegerType, Type, Types};
use num_bigint::BigInt;
use std::iter::Peekable;

type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

/// Longer texts between directives are not put in character by character.
const MOST_CHARACTERS: usize = 256;

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Character(u8),
    Directive(Directive),
}

/// What a directive says.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Directive {
    conversion: char,
    /// `' '` to the right, `'0'` with zeros, `'-'` to the left.
    fill: char,
    /// What stands before a positive number, or zero.
    plus: u8,
    width: u32,
    precision: Option<u32>,
    /// The bits of the argument, if it is a number.
    bits: u32,
}

/// The parts of a format; `None` if there is something else in it than what is put together here.
fn parts(format: &[u32], word: u32) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let bytes: Option<Vec<u8>> = format.iter().map(|c| u8::try_from(*c).ok()).collect();
    let bytes = bytes?;
    let mut rest = bytes.iter().copied().take_while(|byte| *byte != 0).peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            parts.push(Part::Character(byte));
            continue;
        }
        let mut directive = Directive {
            conversion: ' ',
            fill: ' ',
            plus: 0,
            width: 0,
            precision: None,
            bits: 32,
        };
        while let Some(flag) = rest.next_if(|byte| matches!(byte, b'-' | b'0' | b'+' | b' ')) {
            match flag {
                b'-' => directive.fill = '-',
                b'0' if directive.fill != '-' => directive.fill = '0',
                b'+' => directive.plus = b'+',
                b' ' if directive.plus == 0 => directive.plus = b' ',
                _ => {}
            }
        }
        directive.width = number(&mut rest);
        if rest.next_if_eq(&b'.').is_some() {
            directive.precision = Some(number(&mut rest));
        }
        let mut length = Vec::new();
        while let Some(letter) = rest.next_if(|byte| matches!(byte, b'h' | b'l' | b'z' | b'j' | b't' | b'q')) {
            length.push(letter);
        }
        directive.bits = match length.as_slice() {
            b"" => 32,
            b"h" => 16,
            b"hh" => 8,
            b"l" | b"z" | b"t" => word,
            b"ll" | b"j" | b"q" => 64,
            _ => return None,
        };
        let conversion = char::from(rest.next()?);
        directive.conversion = conversion;
        let is_known = match conversion {
            '%' => directive.width == 0 && directive.precision.is_none(),
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => true,
            'c' => length.is_empty() && directive.precision.is_none() && directive.fill != '0',
            's' => length.is_empty() && directive.fill != '0',
            _ => false,
        };
        if !is_known || directive.width > 1000 || directive.precision > Some(1000) && conversion != 's' {
            return None;
        }
        // Zeros on the left are what the precision asks for alone.
        if conversion != 's' && directive.precision.is_some() && directive.fill == '0' {
            directive.fill = ' ';
        }
        parts.push(match conversion {
            '%' => Part::Character(b'%'),
            _ => Part::Directive(directive),
        });
    }
    let characters = parts.iter().filter(|part| matches!(part, Part::Character(_))).count();
    (characters <= MOST_CHARACTERS).then_some(parts)
}

/// The number at hand; zero if there is none.
fn number(rest: &mut Peekable<impl Iterator<Item = u8>>) -> u32 {
    let mut value = 0_u32;
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
    }
    value
}

impl<'a> Semantics<'a, '_> {
    /// `sprintf` and `snprintf` with a format that is written as the argument: the text, and its length as the value. `None`
    /// if there is something in it that is not known, or not what the arguments are; then nothing has been done.
    pub(super) fn formatted(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Option<Value>> {
        let position = match super::models::without_prefix(name) {
            "sprintf" => 1,
            "snprintf" => 2,
            _ => return Ok(None),
        };
        let Some(parts) = self.known_format(arguments, position)? else {
            return Ok(None);
        };
        let mut values = self.evaluated_in_order(arguments)?.into_iter();
        let size = self.size_type();
        let Some(target) = values.next() else { return Ok(None) };
        let text = self.types.pointer_to(Types::CHAR);
        let target = self.convert_implicitly(target, text, span)?;
        let all = self.constant(self.types.size_type().maximum(), size);
        let length = match (position, values.next()) {
            (2, Some(length)) => {
                values.next();
                self.convert_implicitly(length, size, span)?
            }
            _ => all,
        };
        let target = self.in_variable(target, span);
        let length = self.in_variable(length, span);
        // What fits before the end.
        let (one, zero) = (self.constant(1, size), self.constant(0, size));
        let room = self.operation(BinaryOperator::Subtract, length.clone(), one, size);
        let is_some = self.operation(BinaryOperator::NotEqual, length.clone(), zero.clone(), Types::INT);
        let choice = ExpressionKind::Conditional(Box::new(is_some), Box::new(room), Box::new(zero.clone()));
        let room = self.typed(choice, size);
        let room = self.in_variable(room, span);
        let at = self.put_parts(&parts, (&target, &room), values, true, span)?;
        self.library_call("__clausal_put_end", vec![target, length, at.clone()], span)?;
        let result = self.convert(at, Types::INT);
        Ok(Some(result))
    }

    /// What `printf` and `fprintf` return, whose format is the argument before the position: how many characters there are, or
    /// less than zero where they cannot be written, which is not calculated. `None` if the format is not one of those that are
    /// put together; then nothing has been done.
    pub(super) fn printed(
        &mut self,
        name: &'a str,
        arguments: Arguments<'a>,
        first: usize,
        span: Span,
    ) -> Checked<Option<Value>> {
        if !matches!(super::models::without_prefix(name), "printf" | "fprintf") {
            return Ok(None);
        }
        let Some(position) = first.checked_sub(1) else {
            return Ok(None);
        };
        let Some(parts) = self.known_format(arguments, position)? else {
            return Ok(None);
        };
        let (before, given) = arguments.split_at(first);
        self.read_texts(before.get(..position).unwrap_or_default())?;
        let values = self.evaluated_in_order(given)?;
        self.show(&values, span);
        let text = self.types.pointer_to(Types::CHAR);
        let size = self.size_type();
        let (nowhere, nothing) = (self.constant(0, text), self.constant(0, size));
        let at = self.put_parts(&parts, (&nowhere, &nothing), values.into_iter(), false, span)?;
        let count = self.convert(at, Types::INT);
        let result = self.saved(count, span);
        if self.options.output == Output::NeverFails {
            return Ok(Some(self.typed(ExpressionKind::Read(result), Types::INT)));
        }
        let (failed, join) = (self.state.graph.new_block(), self.state.graph.new_block());
        let source = UnknownSource::Failure(name.to_string());
        let fails = self.unknown_value(Types::INT, source, span);
        self.branch_on(fails, failed, join, span);
        self.state.graph.resume(failed);
        let source = UnknownSource::NotCalculated(format!("the result of a `{name}` that fails"));
        let error = self.unknown_value(Types::INT, source, span);
        self.assume_between(&error, IntegerType::INT.minimum(), (-1).into(), span)?;
        self.emit_assign(result.clone(), error, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(join);
        Ok(Some(self.typed(ExpressionKind::Read(result), Types::INT)))
    }

    /// The parts of the format at the position, if all of them are put together here from the arguments behind it.
    fn known_format(&mut self, arguments: Arguments<'a>, position: usize) -> Checked<Option<Vec<Part>>> {
        let Some(Kind::String { characters, .. }) = arguments.get(position).map(|format| &format.kind) else {
            return Ok(None);
        };
        let Some(parts) = parts(characters, self.types.word_bits()) else {
            return Ok(None);
        };
        let directives: Vec<&Directive> = parts
            .iter()
            .filter_map(|part| match part {
                Part::Directive(directive) => Some(directive),
                Part::Character(_) => None,
            })
            .collect();
        let given = arguments.get(position + 1..).unwrap_or_default();
        if given.len() < directives.len() || !self.library.contains_key("__clausal_put") {
            return Ok(None);
        }
        let mut kinds = Vec::new();
        for argument in given {
            kinds.push(self.type_of(argument)?);
        }
        for (directive, kind) in directives.iter().zip(&kinds) {
            let fits = match (directive.conversion, self.numeric(*kind)) {
                ('s', Numeric::Pointer) => true,
                ('s', Numeric::Aggregate) => matches!(self.types.get(*kind), Type::Array(..)),
                ('s', _) => false,
                (_, Numeric::Integer(integer)) => (integer.bits > 32) == (directive.bits > 32) && integer.bits <= 64,
                _ => false,
            };
            if !fits {
                return Ok(None);
            }
        }
        Ok(Some(parts))
    }

    /// Puts the parts one after another into a text with room for so many characters: how many there are.
    fn put_parts(
        &mut self,
        parts: &[Part],
        (target, room): (&Value, &Value),
        mut values: impl Iterator<Item = Value>,
        is_apart: bool,
        span: Span,
    ) -> Checked<Value> {
        let size = self.size_type();
        let mut at = self.constant(0, size);
        for part in parts {
            let mut given = vec![target.clone(), room.clone(), at.clone()];
            let function = match part {
                Part::Character(byte) => {
                    given.push(self.int_constant(u32::from(*byte)));
                    "__clausal_put"
                }
                Part::Directive(directive) => {
                    // There are as many as directives.
                    let Some(value) = values.next() else { return Ok(at) };
                    if directive.conversion == 's' && is_apart {
                        self.check_apart(target, &value, None, span);
                    }
                    self.put_directive(directive, value, &mut given)
                }
            };
            let next = self.library_call(function, given, span)?;
            at = self.in_variable(next, span);
        }
        Ok(at)
    }

    /// The function that puts what a directive makes, and its further arguments.
    fn put_directive(&mut self, directive: &Directive, value: Value, given: &mut Vec<Value>) -> &'static str {
        let fill = self.int_constant(directive.fill as u32);
        let width = self.int_constant(directive.width);
        let least = self.int_constant(directive.precision.unwrap_or(1));
        let integer = |signed| IntegerType {
            bits: directive.bits,
            signed,
        };
        match directive.conversion {
            's' => {
                let size = self.size_type();
                let most = match directive.precision {
                    Some(precision) => BigInt::from(precision),
                    None => self.types.size_type().maximum(),
                };
                let most = self.constant(most, size);
                given.extend([value, most, fill, width]);
                "__clausal_put_text"
            }
            'c' => {
                given.extend([value, fill, width]);
                "__clausal_put_character"
            }
            'd' | 'i' => {
                let narrow = self.types.integer(integer(true));
                let value = self.convert(value, narrow);
                let plus = self.int_constant(directive.plus);
                given.extend([value, plus, fill, width, least]);
                "__clausal_put_signed"
            }
            conversion => {
                let narrow = self.types.integer(integer(false));
                let value = self.convert(value, narrow);
                let base = match conversion {
                    'u' => 10,
                    'o' => 8,
                    _ => 16,
                };
                let letter = if conversion == 'X' { 'A' } else { 'a' };
                let (sign, base, letter) = (
                    self.int_constant(0),
                    self.int_constant(base),
                    self.int_constant(letter as u32),
                );
                given.extend([value, sign, base, letter, fill, width, least]);
                "__clausal_put_number"
            }
        }
    }

    /// The value in a variable of its own, unless it is a constant.
    pub(super) fn in_variable(&mut self, value: Value, span: Span) -> Value {
        if matches!(value.kind, ExpressionKind::Integer(_)) {
            return value;
        }
        let kind = value.c_type;
        let place = self.saved(value, span);
        self.typed(ExpressionKind::Read(place), kind)
    }

    /// A call of a function of the library by its name there.
    pub(super) fn library_call(&mut self, name: &'static str, arguments: Vec<Value>, span: Span) -> Checked<Value> {
        let known = match self.scopes.find_outermost(name).map(|found| &found.what) {
            Some(Entity::Function(function)) => Some(*function),
            _ => None,
        };
        let Some(function) = known.or_else(|| self.declare_from_library(name, span)) else {
            return Err(self.error(span, format!("`{name}` is not there"), "called here", None));
        };
        self.call_of_model(function, arguments, span).ok_or(super::Reported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: &str, word: u32) -> Option<Vec<Part>> {
        let characters: Vec<u32> = format.chars().map(u32::from).collect();
        parts(&characters, word)
    }

    #[test]
    fn directives_are_understood_or_refused() {
        let parts = read("a%-5ld%%", 64).expect("a known directive");
        let directive = Directive {
            conversion: 'd',
            fill: '-',
            plus: 0,
            width: 5,
            precision: None,
            bits: 64,
        };
        assert_eq!(
            parts,
            [Part::Character(b'a'), Part::Directive(directive), Part::Character(b'%')]
        );
        for (word, bits) in [(64, 64), (32, 32)] {
            let parts = read("%lu", word).expect("a known directive");
            assert!(matches!(&parts[..], [Part::Directive(directive)] if directive.bits == bits));
        }
        for unknown in ["%f", "%*d", "%n", "%p", "%", "%.1001d", "%.3c", "%ls", "%#x", "%a"] {
            assert_eq!(read(unknown, 64), None, "{unknown}");
        }
    }
}
