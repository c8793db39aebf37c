//! Pragmas. `#pragma pack`: how far apart the members of structs may be at most, at each place of a text. Other pragmas that change what
//! a program means are errors.

use crate::compiler_flags::{is_plain_target, only_optimizes};
use crate::diagnostics::Diagnostic;
use crate::integer_literals::integer_literal;
use crate::lexer;
use crate::syntax::Span;
use crate::types::DataModel;
use num_traits::ToPrimitive;

/// The bounds of alignment that pragmas set.
#[derive(Default)]
pub(super) struct Packing {
    /// From which byte on which bound holds.
    changes: Vec<(u32, Option<u64>)>,
}

impl Packing {
    /// Reads the pragmas of a text; what they say that is not understood is an error.
    pub(super) fn new(source: &str, errors: &mut Vec<Diagnostic>) -> Packing {
        let mut packing = Packing::default();
        if !source.contains("pragma") {
            return packing;
        }
        let mut current = None;
        let mut saved: Vec<(Option<String>, Option<u64>)> = Vec::new();
        let mut unsettled: Vec<(String, Span)> = Vec::new();
        for span in lexer::directives(source) {
            let line = source.get(span.start as usize..span.end as usize).unwrap_or_default();
            let words = words(line);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words[..] {
                ["#", "pragma", "pack", "(", ref arguments @ .., ")"] => {
                    let arguments: Vec<&str> = arguments.iter().copied().filter(|word| *word != ",").collect();
                    // What stands in the place of a bound may be a macro, which only the compiler itself expands here, unless
                    // it is named again.
                    match arguments[..] {
                        ["push", name] if number(name).is_none() => unsettled.push((name.to_string(), span)),
                        ["pop", name] => unsettled.retain(|(unsettled, _)| unsettled != name),
                        _ => {}
                    }
                    match pack(&arguments, current, &mut saved) {
                        Some(bound) => current = bound,
                        None => errors.push(unknown(span)),
                    }
                    packing.changes.push((span.start, current));
                }
                ["#", "pragma", "pack", ..] | ["#", "pragma", "scalar_storage_order" | "ms_struct", ..] => {
                    errors.push(unknown(span));
                }
                ["#", "pragma", "weak" | "redefine_extname", ..] => errors.push(other_name(span)),
                ["#", "pragma", "GCC", "optimize", ..] if !says_flags(line, only_optimizes) => errors.push(flag(span)),
                ["#", "pragma", "GCC", "target", ..] if !says_flags(line, is_plain_target) => errors.push(flag(span)),
                ["#", "pragma", "float_control" | "fenv_access" | "fp_contract", ..]
                | ["#", "pragma", "clang", "fp", ..] => errors.push(rounding(span)),
                ["#", "pragma", "STDC", "FENV_ROUND", ..] | ["#", "pragma", "STDC", "FENV_ACCESS", "ON", ..] => {
                    errors.push(rounding(span));
                }
                _ => {}
            }
        }
        errors.extend(unsettled.into_iter().map(|(_, span)| unknown(span)));
        packing
    }

    /// The bound at a byte.
    pub(super) fn at(&self, byte: u32) -> Option<u64> {
        let next = self.changes.partition_point(|(start, _)| *start <= byte);
        self.changes.get(next.checked_sub(1)?)?.1
    }
}

/// The bound that a pragma sets; `None` if it is not understood.
fn pack(
    arguments: &[&str],
    current: Option<u64>,
    saved: &mut Vec<(Option<String>, Option<u64>)>,
) -> Option<Option<u64>> {
    match arguments {
        [] => Some(None),
        ["push", rest @ ..] => {
            let (name, bound) = match rest {
                [] => (None, current),
                [last] => match number(last) {
                    Some(bound) => (None, bound),
                    None => (Some(last.to_string()), current),
                },
                [name, last] => (Some(name.to_string()), number(last)?),
                _ => return None,
            };
            saved.push((name, current));
            Some(bound)
        }
        ["pop"] => Some(saved.pop().map_or(current, |(_, bound)| bound)),
        ["pop", name] => {
            let at = saved.iter().rposition(|(saved, _)| saved.as_deref() == Some(*name))?;
            let (_, bound) = saved.get(at)?.clone();
            saved.truncate(at);
            Some(bound)
        }
        [bound] => number(bound),
        _ => None,
    }
}

/// A bound: zero is none.
fn number(word: &str) -> Option<Option<u64>> {
    let (number, _) = integer_literal(word, DataModel::default()).ok()?;
    match number.to_u64() {
        Some(0) => Some(None),
        Some(bound @ (1 | 2 | 4 | 8 | 16)) => Some(Some(bound)),
        _ => None,
    }
}

/// The words and signs of a line.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for character in line.chars() {
        let is_letter = character.is_alphanumeric() || character == '_';
        match words.last_mut() {
            Some(last) if is_letter && is_open => last.push(character),
            _ if character.is_whitespace() => {}
            _ => words.push(character.to_string()),
        }
        is_open = is_letter;
    }
    words
}

/// A pragma that gives something another name, or says that it may be missing.
fn other_name(span: Span) -> Diagnostic {
    let range = span.start as usize..span.end as usize;
    let message = "a pragma about names for the linker";
    Diagnostic::error(range, message, "cannot be translated")
        .unsupported()
        .help("`__attribute__((weak))` and `__asm__(\"name\")` say it, too")
}

/// Whether such flags, and nothing else, stand there in quotation marks. A level may be a number; a word is a macro.
fn says_flags(line: &str, is_harmless: fn(&str) -> bool) -> bool {
    let is_known = |word: &String| matches!(word.as_str(), "pragma" | "GCC" | "optimize" | "target");
    let is_word = |word: &&String| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    line.split('"').enumerate().all(|(index, piece)| match index % 2 {
        0 => words(piece).iter().filter(is_word).all(is_known),
        _ => is_harmless(piece),
    })
}

fn flag(span: Span) -> Diagnostic {
    let range = span.start as usize..span.end as usize;
    let message = "a pragma with flags for the compiler that may give other results";
    Diagnostic::error(range, message, "cannot be translated")
        .unsupported()
        .help("levels such as `O2`, and names of vector instructions, are known to change nothing")
}

fn rounding(span: Span) -> Diagnostic {
    let range = span.start as usize..span.end as usize;
    Diagnostic::error(
        range,
        "a pragma about the rounding of floating-point numbers",
        "cannot be translated",
    )
    .unsupported()
    .help("numbers are rounded to the nearest value, the even one of two")
}

fn unknown(span: Span) -> Diagnostic {
    let range = span.start as usize..span.end as usize;
    Diagnostic::error(
        range,
        "a pragma about the layout of structs that is not known",
        "cannot be translated",
    )
    .unsupported()
    .help("known are `#pragma pack(n)`, `pack()`, `pack(push)`, `pack(push, n)` and `pack(pop)`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_known_only_where_they_are_written() {
        let says = |line: &str| says_flags(line, only_optimizes);
        assert!(says(r#"#pragma GCC optimize("O2")"#) && says(r#"#pragma GCC optimize (3, "unroll-loops")"#));
        assert!(!says(r#"#pragma GCC optimize("wrapv")"#) && !says(r#"#pragma GCC optimize("O2", "ffast-math")"#));
        assert!(!says("#pragma GCC optimize(FLAGS)") && !says(r#"#pragma GCC optimize("O2", FLAGS)"#));
    }
}
