//! Which tasks there are: what folders, lists of BenchExec's (`.set`) and task definitions (`.yml`) name, in a fixed order.

use super::shown;
use clausal::source_level::{Files, read_task};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders inside folders are looked into so deep: a link that leads back must not be followed for ever.
const DEEPEST: usize = 40;

/// One question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// How it is called in reports.
    pub name: String,
    /// The task definition, or the program if there is none.
    pub file: PathBuf,
    /// The program.
    pub program: PathBuf,
    /// The property file.
    pub property: Option<PathBuf>,
    /// `ILP32` or `LP64`.
    pub data_model: Option<String>,
    /// Whether the property holds, if that is known.
    pub expected: Option<bool>,
}

/// The tasks, and what was left out.
#[derive(Default, Debug)]
pub struct Found {
    pub tasks: Vec<Task>,
    pub notes: Vec<String>,
}

/// Finds the tasks; each file counts once, however often it is named.
///
/// # Errors
/// A message for people: a file that is not there, a definition that cannot be read, no task at all.
pub fn find(inputs: &[PathBuf], property: Option<&str>) -> Result<Found, String> {
    let mut finder = Finder {
        found: Found::default(),
        seen: BTreeSet::new(),
        property,
    };
    for input in inputs {
        finder.input(input)?;
    }
    match finder.found.tasks.is_empty() {
        true => Err(format!(
            "there are no tasks in {}: programs end in .c, .i, .clp or .smt2, task definitions in .yml, lists of them in .set",
            inputs.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", ")
        )),
        false => Ok(finder.found),
    }
}

struct Finder<'a> {
    found: Found,
    seen: BTreeSet<PathBuf>,
    property: Option<&'a str>,
}

impl Finder<'_> {
    fn input(&mut self, path: &Path) -> Result<(), String> {
        if path.is_dir() {
            return self.folder(path);
        }
        match extension(path) {
            "set" => self.set(path),
            "yml" | "yaml" => self.definition(path),
            _ if path.is_file() => self.program(path),
            _ => Err(format!("{}: there is no such file", shown(path))),
        }
    }

    /// Task definitions in a folder count, and programs only if there are none: a definition says more of its program.
    fn folder(&mut self, folder: &Path) -> Result<(), String> {
        let mut files = Vec::new();
        collect(folder, DEEPEST, &mut files)?;
        let definitions: Vec<&PathBuf> = files.iter().filter(|file| extension(file) == "yml").collect();
        let (mut others, before) = (0, self.found.tasks.len());
        for definition in &definitions {
            match is_definition(definition) {
                true => self.definition(definition)?,
                false => others += 1,
            }
        }
        if others > 0 {
            let name = shown(folder);
            let note =
                format!("{name}: {others} files that end in .yml are no task definitions (they have no `input_files`)");
            self.found.notes.push(note);
        }
        if self.found.tasks.len() > before || definitions.len() > others {
            return Ok(());
        }
        let programs = files
            .iter()
            .filter(|file| ["c", "i", "clp", "smt2"].contains(&extension(file)));
        programs.into_iter().try_for_each(|file| self.program(file))
    }

    /// A list of patterns, one a line, relative to the list.
    fn set(&mut self, path: &Path) -> Result<(), String> {
        let text = read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = || format!("{}:{}", shown(path), number + 1);
            let escaped = glob::Pattern::escape(&folder.to_string_lossy());
            let pattern = Path::new(&escaped).join(line);
            let matching = glob::glob(&pattern.to_string_lossy())
                .map_err(|error| format!("{}: `{line}` is no pattern: {error}", place()))?;
            let mut files: Vec<PathBuf> = matching.filter_map(Result::ok).collect();
            files.sort();
            if files.is_empty() {
                self.found.notes.push(format!("{}: nothing matches `{line}`", place()));
            }
            for file in files {
                match extension(&file) {
                    "set" => return Err(format!("{}: a list names tasks, not other lists", place())),
                    _ => self.input(&file)?,
                }
            }
        }
        Ok(())
    }

    /// A task for each property that is wanted and whose verdict is said; properties that are only said to be there are asked
    /// for if they are named.
    fn definition(&mut self, path: &Path) -> Result<(), String> {
        if !self.is_new(path) {
            return Ok(());
        }
        let name = shown(path);
        let task = match read_task(&read(path)?) {
            Ok(task) => task,
            Err(why) => {
                self.found.notes.push(format!("{name}: left out: {why}"));
                return Ok(());
            }
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let program = match &task.input_files {
            Files::One(file) => folder.join(file),
            Files::Several(files) => match files.as_slice() {
                [file] => folder.join(file),
                _ => {
                    let count = files.len();
                    self.found
                        .notes
                        .push(format!("{name}: left out: the program is in {count} files"));
                    return Ok(());
                }
            },
        };
        let of_property = |property: Option<PathBuf>, expected, is_one_of_many: bool| {
            let label = property.as_deref().and_then(Path::file_stem).filter(|_| is_one_of_many);
            Task {
                name: match label {
                    Some(label) => format!("{name} {}", label.to_string_lossy()),
                    None => name.clone(),
                },
                file: path.to_path_buf(),
                program: program.clone(),
                property,
                data_model: task.options.data_model.clone(),
                expected,
            }
        };
        if task.properties.is_empty() && self.property.is_none() {
            self.found.tasks.push(of_property(None, None, false));
            return Ok(());
        }
        let wanted = |file: &str| match self.property {
            Some(wanted) => Path::new(file).file_name().is_some_and(|name| name == wanted),
            None => true,
        };
        let entries: Vec<_> = task
            .properties
            .iter()
            .filter(|each| wanted(&each.property_file))
            .collect();
        let tasks = entries.iter().map(|entry| {
            let file = folder.join(&entry.property_file);
            of_property(Some(file), entry.expected_verdict, entries.len() > 1)
        });
        self.found.tasks.extend(tasks);
        Ok(())
    }

    fn program(&mut self, path: &Path) -> Result<(), String> {
        if !self.is_new(path) {
            return Ok(());
        }
        let expected = match extension(path) {
            "smt2" => status(&read(path)?),
            _ => of_folder(path),
        };
        self.found.tasks.push(Task {
            name: shown(path),
            file: path.to_path_buf(),
            program: path.to_path_buf(),
            property: None,
            data_model: None,
            expected,
        });
        Ok(())
    }

    fn is_new(&mut self, path: &Path) -> bool {
        self.seen
            .insert(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()))
    }
}

/// All files in a folder and those in it, sorted.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", shown(folder)))?;
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        let is_hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() {
            if depth > 0 && !is_hidden {
                collect(&path, depth - 1, files)?;
            }
        } else if !is_hidden {
            files.push(path);
        }
    }
    Ok(())
}

fn extension(path: &Path) -> &str {
    path.extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
}

fn is_definition(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().any(|line| line.starts_with("input_files:"))
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", shown(path)))
}

/// What SMT-LIB says of its own answer; clauses that are satisfiable are a safe program.
fn status(text: &str) -> Option<bool> {
    let (_, rest) = text.split_once(":status")?;
    match rest.trim_start().split([')', ' ', '\n']).next()? {
        "sat" => Some(true),
        "unsat" => Some(false),
        _ => None,
    }
}

/// A program in a folder that is called after a verdict is said to have it.
fn of_folder(path: &Path) -> Option<bool> {
    let mut folders = path.parent()?.components().rev();
    folders.find_map(|folder| match folder.as_os_str().to_str()? {
        "safe" => Some(true),
        "unsafe" => Some(false),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_is_said_by_folders_and_by_smtlib() {
        assert_eq!(of_folder(Path::new("a/safe/b/c.clp")), Some(true));
        assert_eq!(of_folder(Path::new("a/unsafe/c.clp")), Some(false));
        assert_eq!(of_folder(Path::new("safe.clp")), None);
        assert_eq!(status("(set-info :status unsat)"), Some(false));
        assert_eq!(status("(set-info :status sat)(check-sat)"), Some(true));
        assert_eq!(status("(set-info :status unknown)"), None);
    }
}
