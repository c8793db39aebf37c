//! Names as the language writes them: as they are, or in quotes.

use super::syntax;

/// The name of a predicate, a sort, a constructor or a field as it is written, quoted if it has to be.
pub(super) fn written(name: &str) -> String {
    if is_plain(name) && !syntax::is_reserved(name) {
        return name.to_string();
    }
    let mut quoted = String::from("'");
    for character in name.chars() {
        match character {
            '\'' => quoted.push_str("\\'"),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            other => quoted.push(other),
        }
    }
    quoted.push('\'');
    quoted
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '_')
}
