//! Long lines as they are shown: what other programs write may be one line of a million characters, of which a reader wants to see what a
//! remark is about.

use super::floor_boundary;
use codespan_reporting::files::{Error, Files};
use std::ops::Range;

/// A line of more bytes than this is not shown as a whole.
const LONGEST: usize = 240;
/// So many bytes beside what a remark is about are shown of it.
const BESIDE: usize = 60;
/// And so many of what it is about.
const WITHIN: usize = 120;
/// What stands for what is left out.
const LEFT_OUT: &str = "…";

/// A line of the text that is shown.
struct Line {
    /// Where it begins in the source, and in what is shown.
    source: usize,
    shown: usize,
    /// What is shown of it, in bytes of the source.
    window: Range<usize>,
    /// The characters of the line that are left out before.
    before: usize,
}

/// A source text with long lines cut down to what is around a place in each.
pub(super) struct ShownText<'a> {
    name: &'a str,
    text: String,
    lines: Vec<Line>,
}

impl<'a> ShownText<'a> {
    /// The text for remarks about `spans`, of which the first in a line counts most.
    pub fn new(name: &'a str, source: &str, spans: &[Range<usize>]) -> ShownText<'a> {
        let mut shown = ShownText {
            name,
            text: String::new(),
            lines: Vec::new(),
        };
        let mut start = 0;
        for line in source.split_inclusive('\n') {
            shown.add(source, start..start + line.len(), spans);
            start += line.len();
        }
        // Behind the last line break there is a line, too.
        if source.is_empty() || source.ends_with('\n') {
            shown.add(source, start..start, spans);
        }
        shown
    }

    fn add(&mut self, source: &str, line: Range<usize>, spans: &[Range<usize>]) {
        let shown = self.text.len();
        let content = source[line.clone()].trim_end_matches(['\n', '\r']).len();
        let end = line.start + content;
        let mut window = line.start..end;
        if content > LONGEST {
            let first = spans.iter().find(|span| line.contains(&span.start));
            let about = first.map_or(line.start..line.start, |span| {
                span.start..span.end.min(span.start + WITHIN)
            });
            window.start = floor_boundary(source, about.start.saturating_sub(BESIDE).max(line.start));
            window.end = floor_boundary(source, (about.end + BESIDE).min(end)).max(window.start);
        }
        if window.start > line.start {
            self.text.push_str(LEFT_OUT);
        }
        self.text.push_str(&source[window.clone()]);
        if window.end < end {
            self.text.push_str(LEFT_OUT);
        }
        self.text.push_str(&source[end..line.end]);
        self.lines.push(Line {
            source: line.start,
            shown,
            before: source[line.start..window.start].chars().count(),
            window,
        });
    }

    /// Where bytes of the source are in what is shown.
    pub fn span(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.position(span.start);
        start..self.position(span.end).max(start)
    }

    fn position(&self, byte: usize) -> usize {
        let index = self.lines.partition_point(|line| line.source <= byte).saturating_sub(1);
        let Some(line) = self.lines.get(index) else { return 0 };
        let mark = if line.before > 0 { LEFT_OUT.len() } else { 0 };
        // A line break stays where it is, behind what is shown.
        let inside = byte.clamp(line.window.start, line.window.end) - line.window.start;
        line.shown + mark + inside
    }

    fn line(&self, index: usize) -> Result<&Line, Error> {
        self.lines.get(index).ok_or(Error::LineTooLarge {
            given: index,
            max: self.lines.len().saturating_sub(1),
        })
    }
}

impl<'a> Files<'a> for ShownText<'_> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.name)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.text)
    }

    fn line_index(&'a self, (): (), byte: usize) -> Result<usize, Error> {
        Ok(self.lines.partition_point(|line| line.shown <= byte).saturating_sub(1))
    }

    /// The column in the source, not in what is shown of it.
    fn column_number(&'a self, (): (), index: usize, byte: usize) -> Result<usize, Error> {
        let line = self.line(index)?;
        let shown = self.text.get(line.shown..byte.min(self.text.len())).unwrap_or_default();
        let mark = usize::from(line.before > 0);
        Ok(line.before + shown.chars().count().saturating_sub(mark) + 1)
    }

    fn line_range(&'a self, (): (), index: usize) -> Result<Range<usize>, Error> {
        let start = self.line(index)?.shown;
        let end = self.lines.get(index + 1).map_or(self.text.len(), |next| next.shown);
        Ok(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Diagnostic, render};

    #[test]
    fn of_a_long_line_what_the_remark_is_about_is_shown() {
        let source = format!("short\n{}wrong{}\nend", "é".repeat(500), "z".repeat(100_000));
        let at = source.find("wrong").expect("it is there");
        let text = render(
            &[Diagnostic::error(at..at + 5, "this is wrong", "here")],
            "a.txt",
            &source,
        );
        assert!(text.len() < 1000, "{text}");
        assert!(text.contains("a.txt:2:501"), "{text}");
        assert!(text.contains("2 │ …é") && text.contains("z…"), "{text}");
        assert!(text.contains("^^^^^ here"), "{text}");
    }

    #[test]
    fn what_goes_on_for_long_is_cut_and_short_lines_are_whole() {
        let source = format!("one two\n{}", "x".repeat(1000));
        let text = render(&[Diagnostic::error(8..900, "too long", "all of it")], "a.txt", &source);
        assert!(text.contains("a.txt:2:1") && text.contains("x…"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 300), "{text}");
        let text = render(&[Diagnostic::error(4..7, "no", "here")], "a.txt", &source);
        assert!(text.contains("1 │ one two"), "{text}");
    }
}
