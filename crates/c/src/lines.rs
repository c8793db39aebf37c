//! The lines of a text: those that a backslash continues, joined; and where the bytes of a preprocessed text come from, the
//! files and lines that its line markers (`# 12 "file.c"`, `#line 12 "file.c"`) name.

use super::lexer;
use hashbrown::HashMap;

/// The text with the lines joined that a backslash at their end continues, as the preprocessor does before anything else;
/// `None` if there are none. It is as long as before: what is joined moves together, and the empty lines follow behind it, so
/// that later lines keep their numbers and later bytes their places.
///
/// ```
/// # mod clausal { pub use clausal_c as c; pub use clausal_rules::*; }
/// let joined = clausal::c::with_joined_lines("in\\\nt x;\nint y;").unwrap();
/// assert_eq!(joined, "int x; \n\nint y;");
/// ```
pub fn with_joined_lines(text: &str) -> Option<String> {
    let mut lines = text.split('\n').peekable();
    let mut joined = String::with_capacity(text.len());
    // What was taken out of the line at hand.
    let mut behind = String::new();
    let mut is_changed = false;
    while let Some(line) = lines.next() {
        let is_last = lines.peek().is_none();
        // White space between the backslash and the end of the line does not count.
        let end = line.trim_end_matches([' ', '\t', '\r', '\u{b}', '\u{c}']);
        match end.strip_suffix('\\') {
            Some(continued) if !is_last => {
                joined.push_str(continued);
                behind.extend(std::iter::repeat_n(' ', line.len() - continued.len()));
                behind.push('\n');
                is_changed = true;
            }
            _ => {
                joined.push_str(line);
                joined.push_str(&std::mem::take(&mut behind));
                if !is_last {
                    joined.push('\n');
                }
            }
        }
    }
    is_changed.then_some(joined)
}

/// The files and lines of a text.
///
/// ```
/// # mod clausal { pub use clausal_c as c; pub use clausal_rules::*; }
/// use clausal::c::lines::LineMap;
///
/// let text = "int x;\n# 7 \"lock.c\"\nint y;\n";
/// let lines = LineMap::new(text);
/// let place = lines.location(text.find("int y").unwrap_or(0));
/// assert_eq!((place.file, place.line, place.column), (Some("lock.c"), 7, 1));
/// assert_eq!(lines.location(4).to_string(), "1:5");
/// ```
#[derive(Clone, Debug)]
pub struct LineMap<'t> {
    text: &'t str,
    /// Where each line of the text begins.
    starts: Vec<usize>,
    markers: Vec<Marker>,
    files: Vec<String>,
    indices: HashMap<String, usize>,
}

/// On lines that are longer, columns count bytes: counting characters takes time.
const COUNTED_LENGTH: usize = 10_000;

/// What a line marker says about the lines after it.
#[derive(Clone, Copy, Debug)]
struct Marker {
    /// The index of the first line of the text that it is about.
    first: usize,
    /// The number of that line in its file.
    line: usize,
    /// The index of the file's name; `None` before any marker names one.
    file: Option<usize>,
    /// Whether the file is one of the system's headers.
    is_system: bool,
}

/// A place in a source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location<'m> {
    /// The file, if a line marker names one; otherwise it is the text's own.
    pub file: Option<&'m str>,
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters, from 1; on lines of more than 10,000 bytes, in bytes.
    pub column: usize,
}

impl std::fmt::Display for Location<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.file {
            Some(file) => write!(formatter, "{file}:{}:{}", self.line, self.column),
            None => write!(formatter, "{}:{}", self.line, self.column),
        }
    }
}

impl<'t> LineMap<'t> {
    /// Reads the line markers of a text.
    pub fn new(text: &'t str) -> LineMap<'t> {
        let mut map = LineMap {
            text,
            starts: std::iter::once(0)
                .chain(text.match_indices('\n').map(|(position, _)| position + 1))
                .collect(),
            markers: Vec::new(),
            files: Vec::new(),
            indices: HashMap::new(),
        };
        for directive in lexer::directives(text) {
            let line = text.get(directive.start as usize..directive.end as usize);
            map.add(line.unwrap_or_default(), directive.end as usize);
        }
        map
    }

    /// Notes what a directive says that ends at a place, if it is a line marker.
    fn add(&mut self, directive: &str, end: usize) {
        let words = directive.trim_start_matches(['#', '%', ':']).trim_start();
        let words = words.strip_prefix("line").unwrap_or(words).trim_start();
        let length = words.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = words.split_at(length);
        let Ok(line) = number.parse() else { return };
        let named = rest.trim_start().strip_prefix('"').map(file_name);
        let last = self.markers.last();
        let (file, is_system) = match named {
            // Behind the name, a 3 says that the file is the system's.
            Some((name, flags)) => (
                Some(self.file_index(name)),
                flags.split_whitespace().any(|flag| flag == "3"),
            ),
            None => (
                last.and_then(|marker| marker.file),
                last.is_some_and(|marker| marker.is_system),
            ),
        };
        let first = self.line_index(end) + 1;
        self.markers.push(Marker {
            first,
            line,
            file,
            is_system,
        });
    }

    fn file_index(&mut self, name: String) -> usize {
        if let Some(index) = self.indices.get(&name) {
            return *index;
        }
        let index = self.files.len();
        self.files.push(name.clone());
        self.indices.insert(name, index);
        index
    }

    fn line_index(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte).saturating_sub(1)
    }

    /// What the last marker before a line says, the line given by its index.
    fn marker_of(&self, index: usize) -> Option<&Marker> {
        let before = self.markers.partition_point(|marker| marker.first <= index);
        self.markers.get(before.checked_sub(1)?)
    }

    /// Whether a byte of the text comes from a header of the system's.
    pub fn is_system(&self, byte: usize) -> bool {
        let marker = self.marker_of(self.line_index(byte));
        marker.is_some_and(|marker| marker.is_system)
    }

    /// Where a byte of the text comes from.
    pub fn location(&self, byte: usize) -> Location<'_> {
        let index = self.line_index(byte);
        let start = self.starts.get(index).copied().unwrap_or(0);
        let mut end = byte.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = self.text.get(start..end).unwrap_or_default();
        let column = match before.len() > COUNTED_LENGTH {
            true => before.len() + 1,
            false => before.chars().count() + 1,
        };
        match self.marker_of(index) {
            Some(marker) => Location {
                file: marker.file.and_then(|file| self.files.get(file)).map(String::as_str),
                line: marker.line.saturating_add(index - marker.first),
                column,
            },
            None => Location {
                file: None,
                line: index + 1,
                column,
            },
        }
    }
}

/// The name up to the closing quote, its escapes resolved, and what is behind it.
fn file_name(quoted: &str) -> (String, &str) {
    let mut name = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => name.extend(characters.next()),
            _ => name.push(character),
        }
    }
    (name, characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, what: &str) -> String {
        let position = text.find(what).expect("what is looked for");
        LineMap::new(text).location(position).to_string()
    }

    #[test]
    fn markers_say_where_the_next_line_is() {
        let text = "a\n# 10 \"x \\\"y\\\".c\" 2 3\nb\n  c\n#line 3\nd\n#pragma once\ne\n# 1 \"z.h\"\nf";
        for (what, place_there) in [
            ("a\n", "1:1"),
            ("b\n", "x \"y\".c:10:1"),
            ("c\n", "x \"y\".c:11:3"),
            ("d\n", "x \"y\".c:3:1"),
            ("e\n#", "x \"y\".c:5:1"),
            ("f", "z.h:1:1"),
        ] {
            let position = text.rfind(what).expect("what is looked for");
            assert_eq!(LineMap::new(text).location(position).to_string(), place_there, "{what}");
        }
    }

    #[test]
    fn continued_lines_are_joined_where_they_are() {
        for (text, expected) in [
            ("a\\\nb c\nd", "ab c \n\nd"),
            ("\"x\\\r\ny\" // z\\ \n w\n", "\"xy\" // z w  \n  \n\n"),
            ("a\\\nb\\\nc", "abc \n \n"),
        ] {
            let joined = with_joined_lines(text).expect("something is continued");
            assert_eq!(joined, expected, "{text:?}");
            assert_eq!(joined.len(), text.len(), "{text:?}");
        }
        for text in ["", "a\nb", "a\\", "'\\n'"] {
            assert_eq!(with_joined_lines(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_looks_like_a_marker_in_a_comment_is_none() {
        assert_eq!(place("/*\n# 10 \"x.c\"\n*/ b", "b"), "3:4");
    }

    #[test]
    fn headers_of_the_system_are_known() {
        let text = "# 1 \"a.c\"\na\n# 5 \"/usr/include/x 3.h\" 1 3 4\nb\n#line 7\nc\n# 2 \"a.c\" 2\nd";
        let map = LineMap::new(text);
        let found = ["a\n", "b\n", "c\n", "d"].map(|what| map.is_system(text.rfind(what).expect("it is there")));
        assert_eq!(found, [false, true, true, false]);
    }

    #[test]
    fn no_place_is_too_far() {
        let map = LineMap::new("ä\n# 99999999999999999999999 \"a\"\n# 18446744073709551615 \"b\"\n\nx");
        assert_eq!(map.location(1).to_string(), "1:1");
        assert_eq!(map.location(2).to_string(), "1:2");
        assert_eq!(map.location(usize::MAX).line, usize::MAX);
    }
}
