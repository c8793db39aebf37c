//! What is printed: the numbers that `printf` and its kin show, also by lists of arguments. Texts that are put together are in
//! [`super::formats`], what is read in is in [`super::scanning`].

use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::program::{Effect, InstructionKind, Numeric, Place, PlaceStep, Reach};
use crate::syntax::{self, ExpressionKind as Kind, Span};
use crate::types::Type;

impl<'a> Semantics<'a, '_> {
    /// Prints the numbers among the arguments. Strings and pointers are left out.
    pub(super) fn print(&mut self, name: &'a str, arguments: Arguments<'a>, first: usize, span: Span) -> Checked<()> {
        let is_text = |argument: &syntax::Expression<'a>| matches!(argument.kind, Kind::String { .. });
        let (before, printed) = arguments.split_at(first.min(arguments.len()));
        match name {
            // It may be null.
            "perror" => {
                for value in self.values_in_order(before)? {
                    self.check_text_unless_null(value, span)?;
                }
            }
            _ if before.iter().all(|argument| is_text(argument)) => self.discard_all(before)?,
            _ => self.read_texts(before)?,
        }
        let known = first.checked_sub(1).and_then(|position| arguments.get(position));
        let readings = known
            .and_then(|format| readings(format))
            .filter(|_| !is_plain_text(name));
        let reading_at = |position: usize| match &readings {
            Some(readings) => readings.get(position).copied().unwrap_or(Reading::Value),
            None => Reading::Unmeasured,
        };
        let (printed, taken): (Vec<&'a syntax::Expression<'a>>, Vec<Reading>) = printed
            .iter()
            .enumerate()
            .filter(|(_, argument)| !is_text(argument))
            .map(|(position, argument)| (*argument, reading_at(position)))
            .unzip();
        let mut all = self.values_in_order(&printed)?;
        if !only_reads_list(name, arguments) {
            self.check_printed(&all, &taken, span);
        }
        if only_reads_list(name, arguments) {
            all = self.read_lists(name, all, span)?;
        }
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
        // Addresses that are printed may be read in again.
        let shows_addresses = match format.map(|format| &format.kind) {
            Some(Kind::String { characters, .. }) => characters.contains(&u32::from(b'p')),
            Some(_) => !is_plain_text(name),
            None => false,
        };
        let word = self.types.word_bits();
        let is_shown = |value: &&Value| match value.numeric {
            Numeric::Pointer => shows_addresses,
            Numeric::Integer(kind) => kind.bits >= word,
            _ => false,
        };
        self.tell(all.iter().filter(is_shown).cloned().collect(), Reach::Reading, span);
        self.show(&all, span);
        Ok(())
    }

    /// Checks what is read behind the pointers among the printed values.
    fn check_printed(&mut self, values: &[Value], taken: &[Reading], span: Span) {
        let pointers = values.iter().zip(taken);
        for (value, reading) in pointers.filter(|(value, _)| value.numeric == Numeric::Pointer) {
            match reading {
                Reading::Text => self.check_text(value, span),
                Reading::Unmeasured => self.check_unmeasured(value, span),
                Reading::Value => {}
            }
        }
    }

    /// Shows the numbers among the values.
    pub(super) fn show(&mut self, all: &[Value], span: Span) {
        let mut values = Vec::new();
        for value in all {
            if matches!(value.numeric, Numeric::Integer(_) | Numeric::Floating(_)) {
                values.push(self.promote(value.clone()));
            } else if value.numeric == Numeric::Pointer {
                self.evaluated(value.clone(), span);
            }
        }
        if !values.is_empty() {
            self.emit(InstructionKind::Print(values), span);
        }
    }

    /// The number by which a `va_list` says where it is; `None` where it is another type.
    pub(super) fn place_of_list(&mut self, list: &'a syntax::Expression<'a>, span: Span) -> Checked<Option<Place>> {
        let value = self.value(list)?;
        self.place_in_list(value, span)
    }

    /// The same for a value.
    pub(super) fn place_in_list(&mut self, value: Value, span: Span) -> Checked<Option<Place>> {
        let Type::Pointer(record) = *self.types.get(value.c_type) else {
            return Ok(None);
        };
        let Type::Record(id) = *self.types.get(record) else {
            return Ok(None);
        };
        let record = self.types.record(id);
        let field = record.fields.as_ref().and_then(|fields| fields.first());
        let Some(kind) = field.filter(|field| field.name == "place").map(|field| field.kind) else {
            return Ok(None);
        };
        let mut place = self.dereference(value, span)?;
        place.steps.push(PlaceStep::Field(0));
        place.kind = kind;
        Ok(Some(place))
    }

    /// What `vprintf` and its kin take from lists; the values that are none. Where a list is then, nobody may ask.
    pub(super) fn read_lists(&mut self, name: &str, values: Vec<Value>, span: Span) -> Checked<Vec<Value>> {
        let mut others = Vec::new();
        for value in values {
            match self.place_in_list(value.clone(), span)? {
                Some(place) => {
                    let what = format!("a list of arguments that `{name}` has read");
                    let effect = Effect::Changes(vec![place]);
                    self.emit(InstructionKind::Unsupported { what, effect }, span);
                }
                None => others.push(value),
            }
        }
        Ok(others)
    }
}

/// What a directive reads of its argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    /// The argument, and nothing that it points to.
    Value,
    /// The text behind it, up to its end.
    Text,
    /// Memory behind it, nobody here says how much.
    Unmeasured,
}

/// What a format that is written there reads of the arguments behind it, one by one; `None` if it is not, or counts them itself.
fn readings(format: &syntax::Expression<'_>) -> Option<Vec<Reading>> {
    let Kind::String { characters, .. } = &format.kind else {
        return None;
    };
    let mut readings = Vec::new();
    let mut characters = characters.iter().map(|c| char::from_u32(*c).unwrap_or('\0'));
    while let Some(character) = characters.next() {
        if character == '\0' {
            break;
        }
        if character != '%' {
            continue;
        }
        // A precision is the most that is read; of wide characters a text consists of others.
        let mut is_plain = true;
        loop {
            match characters.next()? {
                '*' => readings.push(Reading::Value),
                '.' | 'l' => is_plain = false,
                '0'..='9' | '-' | '+' | ' ' | '#' | '\'' | 'h' | 'j' | 'z' | 't' | 'L' | 'q' => {}
                '%' => break,
                's' if is_plain => {
                    readings.push(Reading::Text);
                    break;
                }
                's' | 'S' => {
                    readings.push(Reading::Unmeasured);
                    break;
                }
                '$' => return None,
                _ => {
                    readings.push(Reading::Value);
                    break;
                }
            }
        }
    }
    Some(readings)
}

/// Functions that print a text as it is.
fn is_plain_text(name: &str) -> bool {
    matches!(
        name.strip_prefix("__builtin_").unwrap_or(name),
        "puts" | "fputs" | "putchar" | "fputc" | "perror"
    )
}

/// Whether it prints a list of arguments by a format that is written there and writes nothing.
pub(super) fn only_reads_list(name: &str, arguments: Arguments<'_>) -> bool {
    let mut formats = arguments.iter().filter_map(|argument| match &argument.kind {
        Kind::String { characters, .. } => Some(characters),
        _ => None,
    });
    let name = super::models::without_prefix(name);
    name.starts_with('v') && name.ends_with("printf") && formats.next_back().is_some_and(|format| !writes_count(format))
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
