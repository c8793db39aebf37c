//! Places: which line of which file a byte of a preprocessed text comes from, as its line markers tell.

use crate::c::lines::LineMap;
use crate::c::syntax::Span;
use crate::c::token_ranges;
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
    original: Option<Original<'t>>,
}

/// The text of the file before it was preprocessed.
#[derive(Clone, Debug)]
struct Original<'t> {
    text: &'t str,
    /// Where its lines begin.
    starts: Vec<usize>,
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
            original: None,
        }
    }

    /// The same, with the file's text before it was preprocessed: columns are those that its author knows.
    ///
    /// ```
    /// use clausal::source_level::Places;
    /// let text = "# 1 \"a.c\"\nint x = 3;\n";
    /// let places = Places::new("a.c", text).with_original("int /* why */ x  =  3;\n");
    /// assert_eq!(places.column(text.find('x').unwrap()), 15);
    /// ```
    pub fn with_original(self, original: &'t str) -> Places<'t> {
        let newlines = original.match_indices('\n').map(|(position, _)| position + 1);
        Places {
            original: Some(Original {
                text: original,
                starts: std::iter::once(0).chain(newlines).collect(),
            }),
            ..self
        }
    }

    /// The preprocessed text.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// The line that a byte is on.
    pub fn at(&self, position: usize) -> SourceLine {
        let location = self.lines.location(position);
        SourceLine {
            file: location.file.map_or_else(|| self.name.clone(), Into::into),
            line: u32::try_from(location.line).unwrap_or(u32::MAX),
        }
    }

    /// The column of a byte, in characters from 1: in the file before it was preprocessed if that is known and the byte was
    /// copied from there, or else in the text itself.
    pub fn column(&self, position: usize) -> usize {
        let in_text = || self.lines.location(position).column;
        let Some((original, range)) = self.original.as_ref().zip(self.in_original(position..position + 1)) else {
            return in_text();
        };
        let line = original.starts.partition_point(|start| *start <= range.start);
        let start = line.checked_sub(1).and_then(|index| original.starts.get(index));
        let before = start.and_then(|start| original.text.get(*start..range.start));
        before.map_or_else(in_text, |before| before.chars().count() + 1)
    }

    /// Whether a byte comes from a header of the system's.
    pub fn is_system(&self, position: usize) -> bool {
        self.lines.is_system(position)
    }

    /// The line that a span begins on.
    pub fn of(&self, span: Span) -> SourceLine {
        self.at(span.start as usize)
    }

    /// The line of the file before it was preprocessed that a byte comes from, without its indentation.
    pub fn original_line(&self, position: usize) -> Option<Range<usize>> {
        let original = self.original.as_ref()?;
        let place = self.at(position);
        let start = *original.starts.get((place.line as usize).checked_sub(1)?)?;
        let line = original.text.get(start..)?.split('\n').next()?;
        let indentation = line.len() - line.trim_start().len();
        let is_own = *place.file == *self.name && !line.trim().is_empty();
        is_own.then(|| start + indentation..start + line.trim_end().len())
    }

    /// The bytes in the file before it was preprocessed that a span of this text was copied from, up to the end of the line.
    /// White space and comments need not be the same; what a macro has made is not found there.
    pub fn in_original(&self, span: Range<usize>) -> Option<Range<usize>> {
        let original = self.original.as_ref()?;
        let place = self.at(span.start);
        if *place.file != *self.name {
            return None;
        }
        let start = self
            .text
            .get(..span.start)?
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let copied = self.text.get(start..)?.split('\n').next()?;
        let line_start = *original.starts.get((place.line as usize).checked_sub(1)?)?;
        let line = original.text.get(line_start..)?.split('\n').next()?;
        let (first, end) = (span.start - start, (span.end - start).min(copied.len()));
        let range = match line.trim_end_matches('\r') == copied.trim_end_matches('\r') {
            true => first..end,
            false => same_tokens(copied, line, first..end)?,
        };
        Some(line_start + range.start..line_start + range.end)
    }
}

/// The bytes of a line that have the tokens which another one has at a range, if they are the same tokens from the beginning up
/// to there, or from there up to the end, or if they are nowhere else on the line.
fn same_tokens(copied: &str, line: &str, range: Range<usize>) -> Option<Range<usize>> {
    let (from, to) = (token_ranges(copied), token_ranges(line));
    let of_copied = |index: usize| from.get(index).and_then(|token| copied.get(token.clone()));
    let of_line = |index: usize| to.get(index).and_then(|token| line.get(token.clone()));
    let first = from.iter().position(|token| token.contains(&range.start))?;
    let last = from.iter().rposition(|token| token.start < range.end)?.max(first);
    let before = (0..from.len().min(to.len()))
        .take_while(|index| of_copied(*index) == of_line(*index))
        .count();
    let is_same_at = |position: usize| {
        (first..=last)
            .enumerate()
            .all(|(offset, index)| of_copied(index) == of_line(position + offset))
    };
    let position = if last < before {
        first
    } else {
        // As many behind it as there are behind it in the other one.
        let behind = from.len() - first;
        let aligned = to.len().checked_sub(behind);
        let rest =
            aligned.filter(|start| (0..behind).all(|offset| of_copied(first + offset) == of_line(start + offset)));
        match rest {
            Some(start) => start,
            None => {
                let mut found = (0..to.len()).filter(|position| is_same_at(*position));
                let only = found.next()?;
                found.next().is_none().then_some(only)?
            }
        }
    };
    let (start, end) = (to.get(position)?, to.get(position + last - first)?);
    let inside = range.start - from.get(first)?.start;
    Some(start.start + inside..end.end.max(start.start + inside))
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
        let places = Places::new("a.c", text).with_original(original);
        let span_of = |piece: &str| {
            let start = text.find(piece).expect("it is there");
            start..start + piece.len()
        };
        let found = |piece: &str| places.in_original(span_of(piece));
        assert_eq!(found("y = 4").map(|range| &original[range]), Some("y = 4"));
        assert_eq!(found("int x").map(|range| &original[range]), Some("int x"));
        assert_eq!(found("3"), None);
    }

    #[test]
    fn comments_and_white_space_need_not_be_the_same() {
        let original = "int x  =  1; /* one */ int y = TWO; int z; // end\n";
        let text = "# 1 \"a.c\"\nint x = 1; int y = (1 + 1); int z;\n";
        let places = Places::new("a.c", text).with_original(original);
        let column = |piece: &str| places.column(text.find(piece).expect("it is there"));
        assert_eq!([column("1;"), column("y"), column("z")], [11, 28, 41]);
        let start = text.find("y = ").expect("it is there");
        let range = places.in_original(start..start + 3).map(|range| &original[range]);
        assert_eq!(range, Some("y ="));
    }
}
