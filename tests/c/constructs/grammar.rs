//! Texts made from a grammar: what the random programs with unusual constructs are written in.
//!
//! The files in `grammar/` say `name:` and then, behind `- `, what the name may stand for; lines indented by two spaces go on.
//!
//! | in an alternative | is |
//! | --- | --- |
//! | `{{name}}`, `{{name key=text key=text}}` | one of the alternatives of the name, which sees `$key` as the text |
//! | `{{key:=name}}` | nothing; from here on `$key` is one of the alternatives of the name |
//! | `{{2..9}}` | a number |
//! | `@x` | a name of its own, the same all through the alternative |
//! | a line that begins with `^` | a line at file scope |
//! | a line that begins with `<` | a line at the beginning of the function |

use crate::random::Random;
use std::collections::BTreeMap;

/// How deep alternatives may stand in one another; below, the first one is taken, which has to be a plain one.
const DEPTH_LIMIT: usize = 7;

/// An alternative, and where it is written.
struct Alternative {
    place: String,
    lines: Vec<String>,
}

/// The alternatives of each name.
pub struct Grammar {
    names: BTreeMap<String, Vec<Alternative>>,
}

/// What a name was expanded to.
#[derive(Default)]
pub struct Expansion {
    /// Lines at file scope.
    pub top: Vec<String>,
    /// Lines at the beginning of the function.
    pub before: Vec<String>,
    /// Lines in their place.
    pub body: Vec<String>,
    /// The alternatives that were taken.
    pub used: Vec<String>,
}

type Scope = BTreeMap<String, String>;

impl Grammar {
    /// Reads the files of a grammar, each with its name.
    ///
    /// # Errors
    ///
    /// The place of a line that belongs to nothing, and names that stand for nothing.
    pub fn read(files: &[(&str, &str)]) -> Result<Grammar, String> {
        let mut names: BTreeMap<String, Vec<Alternative>> = BTreeMap::new();
        for (file, text) in files {
            let mut current: Option<&mut Vec<Alternative>> = None;
            for (index, line) in text.lines().enumerate() {
                let place = format!("{file}:{}", index + 1);
                if line.trim().is_empty() || line.starts_with('#') {
                    continue;
                }
                if let Some(name) = line.strip_suffix(':').filter(|name| !name.starts_with(['-', ' '])) {
                    current = Some(names.entry(name.to_string()).or_default());
                } else if let (Some(first), Some(alternatives)) = (line.strip_prefix("- "), current.as_mut()) {
                    let lines = vec![first.to_string()];
                    alternatives.push(Alternative { place, lines });
                } else if let (Some(next), Some(alternative)) =
                    (line.strip_prefix("  "), current.as_mut().and_then(|all| all.last_mut()))
                {
                    alternative.lines.push(next.to_string());
                } else {
                    return Err(format!("{place}: this line belongs to nothing"));
                }
            }
        }
        Ok(Grammar { names })
    }

    /// Where each alternative is written.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.names
            .values()
            .flatten()
            .map(|alternative| alternative.place.as_str())
    }

    /// The text of the alternative at a place, on one line.
    pub fn text(&self, place: &str) -> Option<String> {
        let mut all = self.names.values().flatten();
        let found = all.find(|alternative| alternative.place == place)?;
        Some(found.lines.join(" "))
    }

    /// Expands a name.
    ///
    /// # Errors
    ///
    /// A name that stands for nothing, or a text that is not understood.
    pub fn expand(&self, name: &str, random: &mut Random, names: &mut usize) -> Result<Expansion, String> {
        let mut expander = Expander {
            grammar: self,
            random,
            names,
            result: Expansion::default(),
        };
        let body = expander.name(name, &Scope::new(), 0)?;
        let mut result = expander.result;
        result.body = body.lines().map(str::to_string).collect();
        Ok(result)
    }
}

struct Expander<'a> {
    grammar: &'a Grammar,
    random: &'a mut Random,
    names: &'a mut usize,
    result: Expansion,
}

impl Expander<'_> {
    fn name(&mut self, name: &str, scope: &Scope, depth: usize) -> Result<String, String> {
        let unknown = || format!("`{name}` stands for nothing");
        let alternatives = self.grammar.names.get(name).ok_or_else(unknown)?;
        let last = if depth < DEPTH_LIMIT { alternatives.len() } else { 1 };
        let alternative = &alternatives[self.random.between(0, last as i64 - 1) as usize];
        self.result.used.push(alternative.place.clone());
        *self.names += 1;
        let mut scope = scope.clone();
        scope.insert("@".to_string(), self.names.to_string());
        let mut body = Vec::new();
        for line in &alternative.lines {
            let (kind, line) = match line.as_bytes().first() {
                Some(b'^' | b'<') if line.get(1..2) == Some(" ") => line.split_at(2),
                _ => ("", line.as_str()),
            };
            let text = self.text(line, &mut scope, depth)?;
            match kind {
                "^ " => self.result.top.push(text),
                "< " => self.result.before.push(text),
                _ if text.is_empty() => {}
                _ => body.push(text),
            }
        }
        Ok(body.join("\n"))
    }

    /// A text with everything in it expanded.
    fn text(&mut self, text: &str, scope: &mut Scope, depth: usize) -> Result<String, String> {
        let mut result = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '@', '$']) {
            result.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(inner) = rest.strip_prefix("{{") {
                let end = closing(inner).ok_or_else(|| format!("`{text}` does not close its braces"))?;
                result.push_str(&self.hole(&inner[..end], scope, depth)?);
                rest = &inner[end + 2..];
                continue;
            }
            let length = rest[1..].bytes().take_while(u8::is_ascii_alphanumeric).count();
            let (word, behind) = rest.split_at(1 + length);
            match word.as_bytes() {
                [b'@', _, ..] => result.push_str(&format!("{}_{}", &word[1..], scope["@"])),
                [b'$', first, ..] if first.is_ascii_alphabetic() => {
                    let unset = || format!("`{word}` in `{text}` is not set");
                    result.push_str(scope.get(&word[1..]).ok_or_else(unset)?);
                }
                _ => result.push_str(word),
            }
            rest = behind;
        }
        result.push_str(rest);
        Ok(result)
    }

    /// What stands for `{{inner}}`.
    fn hole(&mut self, inner: &str, scope: &mut Scope, depth: usize) -> Result<String, String> {
        if let Some((low, high)) = inner.split_once("..")
            && let (Ok(low), Ok(high)) = (low.parse(), high.parse())
        {
            return Ok(self.random.between(low, high).to_string());
        }
        if let Some((key, name)) = inner.split_once(":=") {
            let value = self.hole(name, scope, depth)?;
            scope.insert(key.to_string(), value);
            return Ok(String::new());
        }
        let (name, arguments) = inner.split_once(' ').unwrap_or((inner, ""));
        let mut nested = scope.clone();
        for (key, value) in settings(arguments) {
            let value = self.text(value, scope, depth + 1)?;
            nested.insert(key.to_string(), value);
        }
        self.name(name, &nested, depth + 1)
    }
}

/// Where the braces that are open are closed.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("{{") {
            (open, at) = (open + 1, at + 2);
        } else if text[at..].starts_with("}}") {
            if open == 0 {
                return Some(at);
            }
            (open, at) = (open - 1, at + 2);
        } else {
            at += 1;
        }
    }
    None
}

/// `key=text key=text`, where a text ends before the next ` key=` outside of braces.
fn settings(text: &str) -> Vec<(&str, &str)> {
    let mut starts = Vec::new();
    let mut open = 0_i32;
    for (at, byte) in text.bytes().enumerate() {
        open += i32::from(byte == b'{') - i32::from(byte == b'}');
        let begins = at == 0 || text.as_bytes()[at - 1] == b' ';
        let key = text[at..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        let assigned = text[at + key..].starts_with('=') && !text[at + key..].starts_with("==");
        let apart = !text[at + key..].starts_with("= ");
        if open == 0 && begins && key > 0 && assigned && apart {
            starts.push((at, at + key));
        }
    }
    let ends = starts.iter().skip(1).map(|(start, _)| start - 1).chain([text.len()]);
    let pairs = starts.iter().zip(ends);
    pairs
        .map(|((start, key), end)| (&text[*start..*key], &text[key + 1..end]))
        .collect()
}
