//! Colours: verdicts on standard output, and what errors and warnings begin with on standard error. Texts are made without
//! colours and painted when they are printed, so that files and reports have none.

use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Style};
use std::io::IsTerminal;
use std::sync::OnceLock;

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal, unless the variable NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static CHOSEN: OnceLock<Color> = OnceLock::new();

/// Says once what was chosen on the command line.
pub fn choose(color: Color) {
    let _ = CHOSEN.set(color);
}

/// A text for standard output.
pub fn painted_answer(text: &str) -> String {
    match is_wanted(std::io::stdout().is_terminal()) {
        true => by_lines(text, verdict),
        false => text.to_string(),
    }
}

/// A text for standard error.
pub fn painted_complaint(text: &str) -> String {
    match is_wanted(std::io::stderr().is_terminal()) {
        true => by_lines(text, complaint),
        false => text.to_string(),
    }
}

fn is_wanted(is_terminal: bool) -> bool {
    let is_unwanted = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    match CHOSEN.get().copied().unwrap_or_default() {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && !is_unwanted() && !is_dumb(),
    }
}

fn by_lines(text: &str, painted: fn(&str) -> Option<String>) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let content = line.trim_end_matches('\n');
        let end = line.get(content.len()..).unwrap_or_default();
        painted(content).map_or_else(|| line.to_string(), |content| content + end)
    });
    lines.collect()
}

/// A line that says the verdict, behind the name of a file if there are several.
fn verdict(line: &str) -> Option<String> {
    let word_at = |word: &str| {
        let at = if line.starts_with(word) {
            0
        } else {
            line.find(&format!(": {word}"))? + 2
        };
        let rest = line.get(at + word.len()..)?;
        (rest.is_empty() || rest.starts_with(':')).then_some(at)
    };
    // Indented lines, and objects for machines, say something else.
    if line.starts_with([' ', '{']) {
        return None;
    }
    let words = [
        ("SAFE", AnsiColor::Green),
        ("UNSAFE", AnsiColor::Red),
        ("UNKNOWN", AnsiColor::Yellow),
    ];
    let (at, word, color) = words
        .iter()
        .find_map(|(word, color)| Some((word_at(word)?, word, color)))?;
    let (before, after) = (line.get(..at)?, line.get(at + word.len()..)?);
    Some(format!("{before}{}{after}", in_style(word, color.on_default().bold())))
}

/// What a message begins with, and the marks below a line that is shown.
fn complaint(line: &str) -> Option<String> {
    let words = [
        ("error", AnsiColor::Red),
        ("warning", AnsiColor::Yellow),
        ("note", AnsiColor::Cyan),
        ("help", AnsiColor::Cyan),
        ("hint", AnsiColor::Cyan),
    ];
    let found = words
        .iter()
        .find(|(word, _)| line.strip_prefix(word).is_some_and(|rest| rest.starts_with(':')));
    if let Some((word, color)) = found {
        let rest = line.get(word.len()..)?;
        return Some(format!("{}{rest}", in_style(word, color.on_default().bold())));
    }
    let marks = line.find('^').filter(|at| {
        let before = line.get(..*at).unwrap_or_default();
        before.chars().all(|character| " │|".contains(character))
    })?;
    let (before, after) = (line.get(..marks)?, line.get(marks..)?);
    Some(format!("{before}{}", in_style(after, AnsiColor::Red.on_default())))
}

fn in_style(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_painted_and_nothing_that_looks_like_them() {
        assert_eq!(verdict("SAFE").as_deref(), Some("\u{1b}[1m\u{1b}[32mSAFE\u{1b}[0m"));
        assert!(verdict("a.c: UNSAFE").is_some_and(|line| line.starts_with("a.c: \u{1b}[1m\u{1b}[31mUNSAFE")));
        assert!(verdict("UNKNOWN: the time is up").is_some_and(|line| line.ends_with("\u{1b}[0m: the time is up")));
        for other in [
            "  SAFE",
            "SAFETY",
            "{\"verdict\": \"SAFE\"}",
            "UNSAFETY: x",
            "Loop invariants",
        ] {
            assert_eq!(verdict(other), None, "{other}");
        }
    }

    #[test]
    fn texts_stay_the_same_but_for_the_colours() {
        let text = "error: no\n  │\n  │  ^^^ here\nhelp: do\n\nerrors: 3\n";
        let painted = by_lines(text, complaint);
        assert_eq!(painted.matches("\u{1b}[0m").count(), 3);
        let mut plain = String::new();
        let mut rest = painted.as_str();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = after.split_once('m').map_or("", |(_, after)| after);
        }
        assert_eq!(plain + rest, text);
    }
}
