//! Properties as SV-COMP writes them, in a file of their own: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use crate::c::options::{Checks, Options};
use serde::Deserialize;

/// What a property file asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Property {
    /// The function where programs start.
    pub entry: String,
    /// The names of its parts, as SV-COMP has them, in the order of the file: `unreach-call`, `valid-deref`, ….
    pub names: Vec<String>,
    /// The functions that must not be called.
    pub unreachable: Vec<String>,
}

/// That an error must not be reached.
pub(super) const UNREACHABLE: &str = "unreach-call";

/// Reads a property file.
///
/// ```
/// use clausal::source_level::read_property;
/// let property = read_property("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")?;
/// assert_eq!((property.entry.as_str(), &property.unreachable[..]), ("main", &["reach_error".to_string()][..]));
/// let property = read_property("CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n")?;
/// assert_eq!(property.names, ["valid-free", "valid-deref"]);
/// assert!(read_property("CHECK( init(main()), LTL(F end) )").is_err());
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What is wrong with the text, or which part of it is not verified here.
pub fn read_property(text: &str) -> Result<Property, String> {
    let mut property = Property::default();
    for (number, line) in text.lines().enumerate() {
        let written: String = line.chars().filter(|character| !character.is_whitespace()).collect();
        if written.is_empty() || written.starts_with("//") || written.starts_with('#') {
            continue;
        }
        read_line(&mut property, &written).map_err(|why| format!("line {}: {why}", number + 1))?;
    }
    match property.names.is_empty() {
        true => Err(
            "there is no property in it: one is written CHECK( init(main()), LTL(G ! call(reach_error())) )"
                .to_string(),
        ),
        false => Ok(property),
    }
}

fn read_line(property: &mut Property, written: &str) -> Result<(), String> {
    let parts = written.strip_prefix("CHECK(init(").and_then(|rest| {
        let (entry, formula) = rest.strip_suffix("))")?.split_once("),LTL(")?;
        Some((entry.strip_suffix("()").unwrap_or(entry), formula))
    });
    let Some((entry, formula)) = parts.filter(|(entry, _)| is_name(entry)) else {
        return Err("a property is written CHECK( init(main()), LTL(FORMULA) )".to_string());
    };
    if !property.names.is_empty() && property.entry != entry {
        return Err(format!(
            "one file starts in one function, not in `{}` and in `{entry}`",
            property.entry
        ));
    }
    property.entry = entry.to_string();
    let name = match formula {
        "G!overflow" => "no-overflow",
        "Gvalid-free" => "valid-free",
        "Gvalid-deref" => "valid-deref",
        "Gvalid-memtrack" => "valid-memtrack",
        "Gvalid-memcleanup" => "valid-memcleanup",
        "Fend" => return Err("termination (F end) is not verified".to_string()),
        "G!data-race" => {
            return Err("data races (G ! data-race) are not looked for: there are no threads here".to_string());
        }
        _ => {
            let called = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix(')'));
            let called = called.map(|function| function.strip_suffix("()").unwrap_or(function));
            let Some(function) = called.filter(|function| is_name(function)) else {
                return Err(format!(
                    "`{formula}` is no property that is verified: these are G ! call(FUNCTION()), G ! overflow, G valid-deref, \
                     G valid-free, G valid-memtrack and G valid-memcleanup"
                ));
            };
            property.unreachable.push(function.to_string());
            UNREACHABLE
        }
    };
    if !property.names.iter().any(|known| known == name) {
        property.names.push(name.to_string());
    }
    Ok(())
}

fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    starts && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}

impl Property {
    /// The options with what the property asks for.
    pub fn applied_to(&self, mut options: Options) -> Options {
        options.entry.clone_from(&self.entry);
        options.error_functions.extend(self.unreachable.iter().cloned());
        for name in &self.names {
            options.checks = options.checks.and(Checks::named(name).unwrap_or_default());
        }
        options.properties.clone_from(&self.names);
        options
    }
}

/// The first of these properties that no check and no error function stands for.
pub(super) fn unchecked(names: &[String]) -> Option<&String> {
    names
        .iter()
        .find(|name| *name != UNREACHABLE && Checks::named(name).is_none())
}

/// A task definition of BenchExec's, as SV-COMP's sets have them.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Task {
    /// The files of the program, relative to the definition.
    pub input_files: Files,
    /// What is to be verified.
    #[serde(default)]
    pub properties: Vec<TaskProperty>,
    /// How the program is to be understood.
    #[serde(default)]
    pub options: TaskOptions,
}

/// One file or several.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Files {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

/// A property of a task.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct TaskProperty {
    /// The property file, relative to the definition.
    pub property_file: String,
    /// Whether the property holds.
    pub expected_verdict: Option<bool>,
    /// Which part of it is violated.
    pub subproperty: Option<String>,
}

/// How the program of a task is to be understood.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct TaskOptions {
    /// The language; `C` if it is not given.
    pub language: Option<String>,
    /// `ILP32` or `LP64`.
    pub data_model: Option<String>,
}

/// Reads a task definition.
///
/// ```
/// use clausal::source_level::{Files, read_task};
/// let task = read_task("
/// format_version: '2.0'
/// input_files: 'jain_1.c'
/// properties:
///   - property_file: ../properties/unreach-call.prp
///     expected_verdict: true
/// options:
///   language: C
///   data_model: ILP32
/// ")?;
/// assert_eq!(task.input_files, Files::One("jain_1.c".to_string()));
/// assert_eq!(task.properties[0].expected_verdict, Some(true));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What is wrong with the text, with its line and column where that is known.
pub fn read_task(text: &str) -> Result<Task, String> {
    let task: Task = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
    let language = task.options.language.as_deref().unwrap_or("C");
    if language != "C" {
        return Err(format!("the program is in {language}; only C is verified"));
    }
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_verified_is_refused_by_name() {
        for (text, problem) in [
            ("", "there is no property in it"),
            ("CHECK( init(main()), LTL(G ! data-race) )", "line 1: data races"),
            ("\nCHECK( init(main()), LTL(F end) )", "line 2: termination"),
            (
                "CHECK( init(main()), LTL(G valid-everything) )",
                "line 1: `Gvalid-everything` is no property",
            ),
            ("CHECK( init(1()), LTL(G ! overflow) )", "line 1: a property is written"),
            (
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                "line 1: a property is written",
            ),
            (
                "CHECK(init(f()), LTL(G ! overflow))\nCHECK(init(g()), LTL(G ! overflow))",
                "line 2: one file starts in one function",
            ),
        ] {
            let error = read_property(text).expect_err("it is refused");
            assert!(error.starts_with(problem), "{error}");
        }
    }

    #[test]
    fn a_property_changes_options() {
        let text = "CHECK( init(start()), LTL(G ! call(fails())) )\nCHECK( init(start()), LTL(G ! overflow) )\n";
        let property = read_property(text).expect("it is one");
        let options = property.applied_to(Options::default());
        assert_eq!(
            (options.entry.as_str(), &options.error_functions[..]),
            ("start", &["fails".to_string()][..])
        );
        assert!(options.checks.overflow && !options.checks.bounds);
        assert_eq!(unchecked(&options.properties), None);
        assert_eq!(
            unchecked(&["valid-memtrack".to_string()]),
            Some(&"valid-memtrack".to_string())
        );
    }

    #[test]
    fn a_task_may_have_several_files_and_another_language() {
        let several = read_task("input_files:\n  - a.c\n  - b.c\n").expect("it is one");
        assert_eq!(
            several.input_files,
            Files::Several(vec!["a.c".to_string(), "b.c".to_string()])
        );
        assert!(
            read_task("input_files: a.java\noptions:\n  language: Java\n").is_err_and(|error| error.contains("Java"))
        );
        assert!(read_task("format_version: '2.0'").is_err());
    }
}
