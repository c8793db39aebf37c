//! The C library: functions written in C, in the folder `libc`, that a program gets as if they were its own where it uses them
//! and has none by their names.
//!
//! Their text stands behind the program's, as it were: what comes from them is known by its place. [`super::inline`] gives their
//! copies the place of the call, so that nobody sees that text. Names that begin with `__clausal_` are theirs alone.

use super::options::Options;
use super::parser::parse_from;
use super::syntax::{Derivation, Item, TranslationUnit};
use bumpalo::Bump;
use hashbrown::HashSet;

/// The texts. What is defined together stands without an empty line in it, and empty lines are between definitions.
const FILES: [&str; 9] = [
    include_str!("../../../libc/ctype.c"),
    include_str!("../../../libc/string.c"),
    include_str!("../../../libc/stdlib.c"),
    include_str!("../../../libc/memory.c"),
    include_str!("../../../libc/stdio.c"),
    include_str!("../../../libc/scanning.c"),
    include_str!("../../../libc/math.c"),
    include_str!("../../../libc/wchar.c"),
    include_str!("../../../libc/time.c"),
];

/// What formats are made of.
const FORMATTED: &[&str] = &[
    "__clausal_put_text",
    "__clausal_put_character",
    "__clausal_put_signed",
    "__clausal_put_end",
];

/// What finds the parts of a format in a text.
const SCANNED: &[&str] = &[
    "__clausal_scan_space",
    "__clausal_scan_character",
    "__clausal_scan_any",
    "__clausal_scan_word",
    "__clausal_scan_number",
    "__clausal_scanned_number",
    "__clausal_scanned_text",
    "__clausal_scan_result",
];

/// What reads a text up to its end, where that is checked.
pub(super) const TEXT_READER: &str = "__clausal_read_text";

/// What functions of the library are made of that are not there themselves.
const PARTS: &[(&str, &[&str])] = &[
    ("memcpy", &["__clausal_copy"]),
    ("memmove", &["__clausal_copy"]),
    ("memset", &["__clausal_fill", "__clausal_clear"]),
    ("bzero", &["__clausal_clear"]),
    ("sprintf", FORMATTED),
    ("snprintf", FORMATTED),
    ("printf", FORMATTED),
    ("fprintf", FORMATTED),
    ("sscanf", SCANNED),
    ("scanf", &["__clausal_read_word"]),
    ("fscanf", &["__clausal_read_word"]),
    ("qsort", &["__clausal_sort", "__clausal_sort_records"]),
    ("bsearch", &["__clausal_search"]),
    ("memcmp", &["__clausal_compare"]),
    ("atexit", &["__clausal_run_at_exit"]),
    ("__errno_location", &["__clausal_change_errno"]),
];

/// The type of the elements, in the text of those.
pub(super) const ELEMENT: &str = "__clausal_element";

/// What the library's functions on characters rest on: that nobody has chosen another locale.
const OF_LOCALE: &str = include_str!("../../../libc/ctype.c");

/// What rests on types that headers declare with these functions.
const OF_HEADERS: [&str; 2] = [
    include_str!("../../../libc/wchar.c"),
    include_str!("../../../libc/time.c"),
];

/// A definition: what it defines, its text, and the file.
struct Definition {
    name: &'static str,
    text: &'static str,
    file: &'static str,
}

/// The functions that a program uses and does not have, with all that they need. The tree is empty if there are none.
pub(super) fn functions_for<'a>(arena: &'a Bump, unit: &TranslationUnit<'_>, options: &Options) -> TranslationUnit<'a> {
    let nothing = TranslationUnit {
        items: Vec::new(),
        mentioned: HashSet::new(),
        end: unit.end,
    };
    let definitions: Vec<Definition> = FILES.iter().flat_map(|file| definitions(file)).collect();
    let taken = taken(unit, options);
    let has_locale = unit.mentioned.contains("setlocale") || unit.mentioned.contains("uselocale");
    let declared = declared(unit);
    let is_free = |definition: &Definition| {
        let is_without_header = OF_HEADERS.contains(&definition.file) && !declared.contains(definition.name);
        !(taken.contains(definition.name) || has_locale && definition.file == OF_LOCALE || is_without_header)
    };
    let mut is_used: Vec<bool> = definitions
        .iter()
        .map(|definition| {
            let is_checked = definition.name == TEXT_READER && options.checks.accesses();
            is_free(definition) && (is_checked || is_wanted(unit, definition.name))
        })
        .collect();
    let mut open: Vec<usize> = (0..definitions.len()).filter(|index| is_used[*index]).collect();
    if open.is_empty() {
        return nothing;
    }
    while let Some(user) = open.pop() {
        for word in words(definitions[user].text) {
            let needed = definitions.iter().position(|definition| definition.name == word);
            if let Some(needed) = needed.filter(|needed| !is_used[*needed] && is_free(&definitions[*needed])) {
                is_used[needed] = true;
                open.push(needed);
            }
        }
    }
    let mut text = " ".repeat(unit.end as usize);
    for (definition, _) in definitions.iter().zip(is_used).filter(|(_, is_used)| *is_used) {
        text.push('\n');
        text.push_str(definition.text);
    }
    let text = arena.alloc_str(&text);
    parse_from(arena, text, unit.end, false).product.unwrap_or(nothing)
}

/// Whether a function without a body does here what it does in the library.
pub fn has(name: &str) -> bool {
    let mut definitions = FILES.iter().flat_map(|file| definitions(file));
    definitions.any(|definition| definition.name == name) || PARTS.iter().any(|(maker, _)| *maker == name)
}

/// The name of the library for what the compiler and the headers call so.
pub(super) fn plain_name(name: &str) -> &str {
    let prefixes = ["__builtin_", "__isoc99_", "__isoc23_"];
    prefixes
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .or_else(|| name_of_esbmc(name))
        .unwrap_or(name)
}

/// What ESBMC's functions on memory are called in the library.
fn name_of_esbmc(name: &str) -> Option<&str> {
    let plain = name.strip_prefix("__ESBMC_")?;
    matches!(plain, "memset" | "memcpy" | "memmove" | "memcmp" | "memchr").then_some(plain)
}

/// Whether a program uses a function, or one that is made of it.
fn is_wanted(unit: &TranslationUnit<'_>, name: &str) -> bool {
    let mut makers = PARTS.iter().filter(|(_, parts)| parts.contains(&name));
    is_mentioned(unit, name) || makers.any(|(maker, _)| is_mentioned(unit, maker))
}

fn is_mentioned(unit: &TranslationUnit<'_>, name: &str) -> bool {
    let with_prefix = |prefix: &str| unit.mentioned.contains(format!("{prefix}{name}").as_str());
    let prefixes = ["__builtin_", "__isoc99_", "__isoc23_"];
    let is_esbmc = || name_of_esbmc(&format!("__ESBMC_{name}")).is_some() && with_prefix("__ESBMC_");
    unit.mentioned.contains(name) || prefixes.into_iter().any(with_prefix) || is_esbmc()
}

/// The names that mean something else in this program.
fn taken<'u>(unit: &'u TranslationUnit<'_>, options: &'u Options) -> HashSet<&'u str> {
    let mut taken = HashSet::new();
    for item in &unit.items {
        match item {
            Item::Function(definition) => taken.extend(definition.declarator.name.map(|name| name.text)),
            Item::Declaration(declaration) => {
                let names = declaration.declarators.iter().filter_map(|declared| {
                    let is_function = matches!(declared.declarator.derivations.first(), Some(Derivation::Function(_)));
                    declared.declarator.name.filter(|_| !is_function)
                });
                taken.extend(names.map(|name| name.text));
            }
            Item::Assembly(..) | Item::Statement(_) => {}
        }
    }
    let given = [&options.error_functions, &options.assume_functions];
    taken.extend(given.into_iter().flatten().map(String::as_str));
    taken
}

/// The functions that the program declares.
fn declared<'u>(unit: &'u TranslationUnit<'_>) -> HashSet<&'u str> {
    let mut declared = HashSet::new();
    for item in &unit.items {
        if let Item::Declaration(declaration) = item {
            let names = declaration
                .declarators
                .iter()
                .filter_map(|declared| declared.declarator.name);
            declared.extend(names.map(|name| name.text));
        }
    }
    declared
}

/// The definitions of a file.
fn definitions(file: &'static str) -> impl Iterator<Item = Definition> {
    let mut start = 0;
    let mut pieces = Vec::new();
    for (end, _) in file.match_indices("\n\n") {
        // Inside of a function lines are indented.
        if file.get(end + 2..).is_some_and(|rest| !rest.starts_with(' ')) {
            pieces.extend(file.get(start..end));
            start = end + 2;
        }
    }
    pieces.extend(file.get(start..));
    pieces.into_iter().filter_map(move |piece| {
        // A comment may stand before it; the one at the head of the file stands alone.
        let text = match piece.strip_prefix("/*") {
            Some(commented) => commented.split_once("*/")?.1.trim_start(),
            None => piece,
        };
        let head = text.split(['(', '=', '[', ';']).next()?;
        let name = words(head).last()?;
        Some(Definition { name, text, file })
    })
}

/// The words of a text.
fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| !word.is_empty())
}
