//! What is printed and what is read in: the numbers that `printf` and its kin show, and unknown ones where `scanf` and its kin
//! are told to put them. Texts that are put together are in [`super::formats`].

use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::c::program::{InstructionKind, Numeric, UnknownSource};
use crate::c::syntax::{self, ExpressionKind as Kind, Span};

impl<'a> Semantics<'a, '_> {
    /// Prints the numbers among the arguments. Strings and pointers are left out.
    pub(super) fn print(&mut self, name: &'a str, arguments: Arguments<'a>, first: usize, span: Span) -> Checked<()> {
        let is_text = |argument: &syntax::Expression<'a>| matches!(argument.kind, Kind::String { .. });
        let format = arguments
            .iter()
            .rev()
            .find(|argument| is_text(argument))
            .map(|format| &format.kind);
        let reads_text = match format {
            Some(Kind::String { characters, .. }) => characters.contains(&u32::from(b's')),
            _ => true,
        };
        let (before, printed) = arguments.split_at(first.min(arguments.len()));
        match name {
            // It may be null.
            "perror" => self.discard_all(before)?,
            _ if before.iter().all(|argument| is_text(argument)) => self.discard_all(before)?,
            _ => self.read_texts(before)?,
        }
        let printed: Vec<&'a syntax::Expression<'a>> =
            printed.iter().copied().filter(|argument| !is_text(argument)).collect();
        let all = self.values_in_order(&printed)?;
        // `%n` writes. A format that is not written here may have it.
        let format = first.checked_sub(1).and_then(|position| arguments.get(position));
        let may_write = match format.map(|format| &format.kind) {
            Some(Kind::String { characters, .. }) => writes_count(characters),
            Some(_) => !is_plain_text(name),
            None => false,
        };
        if may_write {
            self.expose(name, all.iter().cloned(), span);
        }
        self.show(&all, reads_text, span);
        Ok(())
    }

    /// Shows the numbers among the values; of pointers, texts may be read.
    pub(super) fn show(&mut self, all: &[Value], reads_text: bool, span: Span) {
        let mut values = Vec::new();
        for value in all {
            if matches!(value.numeric, Numeric::Integer(_) | Numeric::Floating(_)) {
                values.push(self.promote(value.clone()));
            } else if value.numeric == Numeric::Pointer {
                self.evaluated(value.clone(), span);
                if reads_text {
                    self.check_text(value, span);
                }
            }
        }
        if !values.is_empty() {
            self.emit(InstructionKind::Print(values), span);
        }
    }

    /// Reads unknown numbers into where the arguments point.
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
        let reads_strings = match format.map(|format| &format.kind) {
            Some(Kind::String { characters, .. }) => characters.windows(2).any(|pair| match pair {
                [percent, next] => {
                    let next = char::from_u32(*next);
                    *percent == u32::from(b'%') && matches!(next, Some('s' | '[' | '0'..='9'))
                }
                _ => false,
            }),
            _ => true,
        };
        let pointers = self.values_in_order(targets)?;
        if reads_strings {
            self.check_written(name, &pointers, |_| true, span);
            self.expose(name, pointers.into_iter(), span);
            return match count {
                Some(count) => self.assume_between(count, (-1).into(), targets.len().into(), span),
                None => Ok(()),
            };
        }
        if let Some(count) = count {
            self.assume_between(count, (-1).into(), targets.len().into(), span)?;
        }
        for (position, (pointer, argument)) in pointers.into_iter().zip(targets).enumerate() {
            let target = self.dereference(pointer, argument.span)?;
            let source = UnknownSource::Call(name.to_string());
            let kind = InstructionKind::Unknown { target, source };
            let Some(count) = count else {
                self.emit(kind, span);
                continue;
            };
            // What comes after the last one that could be read is left as it was.
            let (reads, join) = (self.state.graph.new_block(), self.state.graph.new_block());
            let position = self.int_constant(position);
            let is_read = self.binary(syntax::BinaryOperator::Greater, count.clone(), position, span)?;
            self.branch_on(is_read, reads, join, span);
            self.state.graph.resume(reads);
            self.emit(kind, span);
            self.state.graph.goto(join, span);
            self.state.graph.resume(join);
        }
        Ok(())
    }
}

/// Functions that print a text as it is.
fn is_plain_text(name: &str) -> bool {
    matches!(
        name.strip_prefix("__builtin_").unwrap_or(name),
        "puts" | "fputs" | "putchar" | "fputc" | "perror"
    )
}

/// Whether a format has `%n`.
fn writes_count(format: &[u32]) -> bool {
    let mut characters = format.iter().filter_map(|c| char::from_u32(*c));
    while let Some(character) = characters.next() {
        if character != '%' {
            continue;
        }
        let conversion = characters.find(|c| {
            !matches!(
                c,
                '0'..='9' | '-' | '+' | ' ' | '#' | '\'' | '.' | '*' | '$' | 'h' | 'l' | 'j' | 'z' | 't' | 'L' | 'q'
            )
        });
        if conversion == Some('n') {
            return true;
        }
    }
    false
}
