//! Texts out: to the terminal, where a reader may go away at any time, and to files, which are written whole or not at all.

use super::color::painted_complaint;
use super::input::explain;
use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// How many names are tried for a temporary file.
const ATTEMPTS: u32 = 100;

/// Prints to standard output. It is no error if nobody reads it any more.
pub fn print(text: &str) -> Result<(), String> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("standard output: {}", explain(&error))),
        _ => Ok(()),
    }
}

thread_local! {
    /// Where complaints of this thread go, if not to standard error.
    static COLLECTED: RefCell<Option<Complaints>> = const { RefCell::new(None) };
}

/// What several files that are worked on at once have to complain about, so that it can be printed file by file.
#[derive(Clone, Default)]
pub struct Complaints(Arc<Mutex<Vec<String>>>);

impl Complaints {
    /// From now on complaints of this thread are kept.
    pub fn collect_here(&self) {
        COLLECTED.with(|collected| *collected.borrow_mut() = Some(self.clone()));
    }

    /// Prints what was kept so far.
    pub fn print(&self) {
        let kept = self.0.lock().map(|mut kept| std::mem::take(&mut *kept));
        kept.unwrap_or_default().iter().for_each(|text| complain(text));
    }
}

/// Prints a line to standard error; if even that is closed, there is nobody left to tell.
pub fn complain(text: &str) {
    let collected = COLLECTED.with(|collected| collected.borrow().clone());
    if let Some(Complaints(kept)) = collected
        && let Ok(mut kept) = kept.lock()
    {
        kept.push(text.to_string());
        return;
    }
    let _ = writeln!(std::io::stderr().lock(), "{}", painted_complaint(text));
}

/// A line of JSON, an object, with one more field; any other text as it is.
pub fn with_field(line: String, name: &str, value: serde_json::Value) -> String {
    match serde_json::from_str(line.trim_end()) {
        Ok(serde_json::Value::Object(mut fields)) => {
            fields.insert(name.to_string(), value);
            format!("{}\n", serde_json::Value::Object(fields))
        }
        _ => line,
    }
}

/// Whether a file could be written here, as far as can be told without doing it: asked before long work.
pub fn check_target(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("{}: this is a directory", path.display()));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(format!("{}: there is no folder {}", path.display(), folder.display()));
    }
    Ok(())
}

/// Whether a folder is there or could be made here, as far as can be told without doing it.
pub fn check_folder(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Ok(());
    }
    if path.exists() {
        return Err(format!("{}: this is a file; name a folder", path.display()));
    }
    check_target(path)
}

/// Makes the folders that a file is to be in, unless they are there.
pub fn make_folders_for(path: &Path) -> Result<(), String> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {}", folder.display(), explain(&error)))
}

/// Makes a folder unless it is there.
pub fn make_folder(path: &Path) -> Result<(), String> {
    match fs::create_dir(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(format!("{}: {}", path.display(), explain(&error)))
        }
        _ => Ok(()),
    }
}

/// Writes a file so that at no time a half-written one is seen: into a temporary file beside it, which then takes its place.
pub fn write_file(path: &Path, text: &str) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("{}: {}", path.display(), explain(&error));
    // The file behind a symbolic link is what is meant, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        // A device or a pipe cannot be replaced, only written to.
        let mut file = OpenOptions::new().write(true).open(&target).map_err(fail)?;
        return file.write_all(text.as_bytes()).map_err(fail);
    }
    let (temporary, mut file) = create_beside(&target).map_err(fail)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| {
        if let Some(metadata) = existing {
            fs::set_permissions(&temporary, metadata.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&temporary, &target)
    });
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        fail(error)
    })
}

fn create_beside(target: &Path) -> std::io::Result<(PathBuf, File)> {
    let name = target
        .file_name()
        .ok_or_else(|| std::io::Error::new(ErrorKind::InvalidInput, "this is not the name of a file"))?;
    let mut attempt = 0;
    loop {
        let mut temporary = OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let path = folder_of(target).join(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt < ATTEMPTS => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
