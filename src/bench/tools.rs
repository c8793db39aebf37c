//! What is run for a task: a command with places for what belongs to the task.

use super::tasks::Task;
use std::path::Path;
use std::time::Duration;

/// A column of the results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// How it is called in reports.
    pub name: String,
    /// The words of the command; `{file}` and the like stand for what belongs to the task.
    words: Vec<String>,
    /// What else the outcome depends on: which build of the command this is.
    version: String,
    /// Words that are there only if the task has a property, in the place of the word `{property?}`.
    with_property: Vec<String>,
}

/// The places that a command may have, and what stands for them.
pub const PLACES: &str = "{file} (the program), {task} (its task definition, or else the program), {property} (the property \
                          file), {data_model} (ILP32 or LP64), {bits} (32 or 64), {timeout} (seconds)";

impl Tool {
    /// `clausal verify` of the program that runs, with further arguments.
    pub fn own(program: &Path, arguments: &[String]) -> Tool {
        let mut words = vec![
            program.to_string_lossy().into_owned(),
            "verify".to_string(),
            "--quiet".to_string(),
        ];
        words.extend(arguments.iter().cloned());
        words.push("{property?}".to_string());
        words.push("{task}".to_string());
        let metadata = program.metadata().ok();
        let changed = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
        let length = metadata.as_ref().map(std::fs::Metadata::len);
        Tool {
            name: "clausal".to_string(),
            words,
            version: format!("{length:?} {changed:?}"),
            with_property: vec!["--property".to_string(), "{property}".to_string()],
        }
    }

    /// Any other command, as a shell would split it into words (there is no shell: no variables, no pipes).
    ///
    /// # Errors
    /// A quotation that does not end, no word at all, or a place that is none.
    pub fn other(text: &str, taken: &[Tool]) -> Result<Tool, String> {
        let words = shlex::split(text).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| format!("`{text}` is no command: a quotation does not end, or it is empty"))?;
        for word in &words {
            if let Some(place) = unknown_place(word) {
                return Err(format!(
                    "`{{{place}}}` in `{text}` stands for nothing; there are {PLACES}"
                ));
            }
        }
        if !words
            .iter()
            .any(|word| word.contains("{file}") || word.contains("{task}"))
        {
            return Err(format!(
                "`{text}` does not say where the program goes: write {{file}} there"
            ));
        }
        let program = words.first().map(String::as_str).unwrap_or_default();
        let base = Path::new(program)
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let base = base.unwrap_or_else(|| program.to_string());
        let mut name = base.clone();
        let mut number = 2;
        while taken.iter().any(|tool| tool.name == name) {
            name = format!("{base}-{number}");
            number += 1;
        }
        Ok(Tool {
            name,
            words,
            version: String::new(),
            with_property: Vec::new(),
        })
    }

    /// The command for a task.
    pub fn command(&self, task: &Task, time: Duration) -> Vec<String> {
        let property = task.property.as_deref().map(super::shown);
        let mut words = Vec::new();
        for word in &self.words {
            match (word.as_str(), &property) {
                ("{property?}", Some(_)) => words.extend(self.with_property.iter()),
                ("{property?}", None) => {}
                _ => words.push(word),
            }
        }
        let data_model = task.data_model.as_deref().unwrap_or("LP64");
        let bits = if data_model == "ILP32" { "32" } else { "64" };
        let places = [
            ("file", super::shown(&task.program)),
            ("task", super::shown(&task.file)),
            ("property", property.clone().unwrap_or_default()),
            ("data_model", data_model.to_string()),
            ("bits", bits.to_string()),
            ("timeout", time.as_secs_f64().to_string()),
        ];
        words.into_iter().map(|word| filled(word, &places)).collect()
    }

    /// The command as it was given, for reports.
    pub fn text(&self) -> String {
        let words = self.words.iter().filter(|word| *word != "{property?}");
        shlex::try_join(words.map(String::as_str)).unwrap_or_default()
    }

    /// What else the outcome depends on.
    pub fn version(&self) -> &str {
        &self.version
    }
}

/// The parts of a word between braces, and around them.
fn filled(word: &str, places: &[(&str, String)]) -> String {
    let (mut text, mut rest) = (String::new(), word);
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        match after.split_once('}').and_then(|(name, after)| {
            let (_, value) = places.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        }) {
            Some((value, after)) => {
                text.push_str(value);
                rest = after;
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}

/// The first name in braces that stands for nothing. Braces around anything but a name are the command's own.
fn unknown_place(word: &str) -> Option<&str> {
    const KNOWN: [&str; 6] = ["file", "task", "property", "data_model", "bits", "timeout"];
    let names = word.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0));
    names
        .filter(|name| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'))
        .find(|name| !KNOWN.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn task(property: Option<&str>) -> Task {
        Task {
            name: "t".to_string(),
            file: PathBuf::from("t.yml"),
            program: PathBuf::from("a b.c"),
            property: property.map(PathBuf::from),
            data_model: Some("ILP32".to_string()),
            expected: None,
        }
    }

    #[test]
    fn places_are_filled_in_and_words_stay_words() {
        let tool = Tool::other("z3 -T:{timeout} '{file}' --model={bits} {}", &[]).expect("a command");
        let command = tool.command(&task(None), Duration::from_secs(3));
        assert_eq!(command, ["z3", "-T:3", "a b.c", "--model=32", "{}"]);
        let again = Tool::other("/usr/bin/z3 {file}", std::slice::from_ref(&tool)).expect("a command");
        assert_eq!(again.name, "z3-2");
    }

    #[test]
    fn the_property_is_named_only_if_there_is_one() {
        let own = Tool::own(Path::new("/bin/clausal"), &["--no-check".to_string()]);
        let words = own.command(&task(Some("p.prp")), Duration::from_secs(1));
        assert_eq!(
            words[1..],
            ["verify", "--quiet", "--no-check", "--property", "p.prp", "t.yml"]
        );
        assert_eq!(own.command(&task(None), Duration::from_secs(1)).len(), 5);
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for wrong in ["", "z3 'x", "z3", "z3 {file} {seconds}"] {
            assert!(Tool::other(wrong, &[]).is_err(), "{wrong}");
        }
    }
}
