//! Places: which line of which file a byte of a preprocessed text comes from, as its line markers tell.

use crate::c::lines::LineMap;
use crate::c::syntax::Span;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourceLine {
    /// The file's name, as the line markers or the caller have it.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.line)
    }
}

/// The lines of a text.
#[derive(Clone, Debug)]
pub struct Places<'t> {
    text: &'t str,
    name: Arc<str>,
    lines: LineMap<'t>,
}

impl<'t> Places<'t> {
    /// The lines of a text; `name` is its file as long as no line marker says otherwise.
    ///
    /// ```
    /// use clausal::source_level::Places;
    /// let text = "int x;\n# 7 \"other.h\"\nint y;\n";
    /// let places = Places::new("main.i", text);
    /// assert_eq!(places.at(0).to_string(), "main.i:1");
    /// assert_eq!(places.at(text.find('y').unwrap_or(0)).to_string(), "other.h:7");
    /// ```
    pub fn new(name: &str, text: &'t str) -> Places<'t> {
        Places {
            text,
            name: name.into(),
            lines: LineMap::new(text),
        }
    }

    /// The line that a byte is on.
    pub fn at(&self, position: usize) -> SourceLine {
        let location = self.lines.location(position);
        SourceLine {
            file: location.file.map_or_else(|| self.name.clone(), Into::into),
            line: u32::try_from(location.line).unwrap_or(u32::MAX),
        }
    }

    /// The column of a byte, from 1, in the text itself.
    pub fn column(&self, position: usize) -> usize {
        self.lines.location(position).column
    }

    /// The line that a span begins on.
    pub fn of(&self, span: Span) -> SourceLine {
        self.at(span.start as usize)
    }

    /// The bytes in a file's own text that a span of this text was copied from: those of the same columns of that line, if
    /// they are the same bytes. What a macro has made is not found there.
    pub fn in_original(&self, span: Range<usize>, file: &str, original: &str) -> Option<Range<usize>> {
        let text = self.text;
        let place = self.at(span.start);
        if *place.file != *file {
            return None;
        }
        let start = text.get(..span.start)?.rfind('\n').map_or(0, |newline| newline + 1);
        let copied = text.get(start..)?.split('\n').next()?;
        let (line_start, line) = line_of(original, place.line)?;
        let column = span.start - start;
        // Indentation is all that a preprocessor changes where it changes nothing else.
        let column = match line == copied.trim_end_matches('\r') || line == copied {
            true => column,
            false => {
                let piece = text.get(span.clone())?.split('\n').next()?;
                let mut found = line.match_indices(piece);
                let first = found.next().filter(|_| !piece.is_empty())?.0;
                found.next().is_none().then_some(first)?
            }
        };
        let first = line_start + column;
        let range = first..first + span.len();
        let same = original.get(range.clone()) == text.get(span);
        same.then_some(range)
    }
}

/// A line of a text, and where it starts.
fn line_of(text: &str, number: u32) -> Option<(usize, &str)> {
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if index + 1 == number as usize {
            return Some((start, line.trim_end_matches(['\n', '\r'])));
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_set_the_line_and_keep_the_file() {
        let text = "# 1 \"a.c\"\nint x;\n#line 20\nint y;\n# 3 \"b.h\" 1 3\nint z;\n#pragma once\nint w;\n";
        let places = Places::new("a.i", text);
        let at = |name: &str| places.at(text.find(name).expect("it is there")).to_string();
        let found = [at("x;"), at("y;"), at("z;"), at("w;")];
        assert_eq!(found, ["a.c:1", "a.c:20", "b.h:3", "b.h:5"]);
    }

    #[test]
    fn what_was_copied_is_found_in_the_original() {
        let original = "#define N 3\nint x = N;\n  int y = 4;\n";
        let text = "# 1 \"a.c\"\n\nint x = 3;\n  int y = 4;\n";
        let places = Places::new("a.c", text);
        let span_of = |piece: &str| {
            let start = text.find(piece).expect("it is there");
            start..start + piece.len()
        };
        let found = |piece: &str| places.in_original(span_of(piece), "a.c", original);
        assert_eq!(found("y = 4").map(|range| &original[range]), Some("y = 4"));
        assert_eq!(found("int x").map(|range| &original[range]), Some("int x"));
        assert_eq!(found("3"), None);
    }
}
