//! Task definitions of BenchExec's: which file, which property, which sizes of integers.

use super::c_arguments::{CArguments, Machine, PropertyFile, property_file};
use super::input::{Kind, read_text};
use clausal::source_level::{Files, TaskProperty, read_task};
use std::path::{Path, PathBuf};

/// What a task definition says.
pub struct ChosenTask {
    /// The program.
    pub file: PathBuf,
    /// Whether it is preprocessed.
    pub kind: Kind,
    /// How it is to be understood.
    pub arguments: CArguments,
    /// Whether the property is said to hold.
    pub expected: Option<bool>,
}

/// Reads a task definition. What is said on the command line chooses among its properties; the error is a message for people.
pub fn load_task(path: &Path, name: &str, arguments: &CArguments) -> Result<ChosenTask, String> {
    let task = read_task(&read_text(path)?).map_err(|why| format!("{name}: this is no task definition: {why}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = match &task.input_files {
        Files::One(file) => file,
        Files::Several(files) => match &files[..] {
            [file] => file,
            _ => {
                let count = files.len();
                return Err(format!(
                    "{name}: the program is in {count} files; only one file can be verified"
                ));
            }
        },
    };
    let mut arguments = arguments.clone();
    if let Some(model) = &task.options.data_model {
        arguments.machine = match model.as_str() {
            "ILP32" => Machine::Bits32,
            "LP64" => Machine::Bits64,
            _ => return Err(format!("{name}: the data model `{model}` is neither ILP32 nor LP64")),
        };
    }
    let entry = chosen(&task.properties, arguments.property.as_ref(), name)?;
    if let (Some(entry), None) = (entry, &arguments.property) {
        let file = folder.join(&entry.property_file);
        arguments.property = Some(property_file(&file.to_string_lossy()).map_err(|why| format!("{name}: {why}"))?);
    }
    let kind = match Path::new(file).extension().and_then(|extension| extension.to_str()) {
        Some("i") => Kind::I,
        _ => Kind::C,
    };
    Ok(ChosenTask {
        file: folder.join(file),
        kind,
        arguments,
        expected: entry.and_then(|entry| entry.expected_verdict),
    })
}

/// The property of a task that is wanted: the one that is named, or the only one.
fn chosen<'t>(
    properties: &'t [TaskProperty],
    wanted: Option<&PropertyFile>,
    name: &str,
) -> Result<Option<&'t TaskProperty>, String> {
    let file_name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    match (wanted, properties) {
        (Some(wanted), _) => Ok(properties
            .iter()
            .find(|entry| file_name(Path::new(&entry.property_file)) == file_name(&wanted.path))),
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some(only)),
        (None, several) => {
            let files: Vec<&str> = several.iter().map(|entry| entry.property_file.as_str()).collect();
            Err(format!(
                "{name}: there are several properties in it: choose one with --property ({})",
                files.join(", ")
            ))
        }
    }
}
