//! The journal: a line for each run that has come to its end, appended and forced to the disk at once. Whatever ends this
//! process, at most the last line is torn, and a torn line is a run that was not done.

use super::rows::Row;
use super::shown;
use rustix::fs::{FlockOperation, flock};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The rows of earlier runs, and where further ones go.
pub struct Journal {
    path: PathBuf,
    file: File,
    rows: HashMap<String, Row>,
}

impl Journal {
    /// Opens a journal, or begins one. Only one process has it at a time.
    ///
    /// # Errors
    /// A message for people: the file cannot be used, belongs to another process, or is none of ours.
    pub fn open(path: &Path) -> Result<Journal, String> {
        let fail = |error: std::io::Error| format!("{}: {error}", shown(path));
        let options = &mut OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(fail)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)
            .map_err(|_| format!("{}: another `clausal bench` is writing it", shown(path)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fail)?;
        // What follows the last end of a line was being written when the process ended.
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        if end < bytes.len() {
            file.set_len(end as u64).map_err(fail)?;
        }
        let text = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default());
        let mut rows = HashMap::new();
        for (number, line) in text.lines().enumerate() {
            let row: Row = serde_json::from_str(line).map_err(|error| {
                let path = shown(path);
                format!("{path}:{}: this is no line of a journal ({error})\nhelp: name another folder with --output, or delete it", number + 1)
            })?;
            rows.insert(row.key.clone(), row);
        }
        Ok(Journal {
            path: path.to_path_buf(),
            file,
            rows,
        })
    }

    /// What came of a run earlier.
    pub fn row(&self, key: &str) -> Option<&Row> {
        self.rows.get(key)
    }

    /// Adds a row.
    ///
    /// # Errors
    /// It could not be written; nothing of it stays.
    pub fn append(&mut self, row: &Row) -> Result<(), String> {
        let fail = |error: std::io::Error| format!("{}: {error}", shown(&self.path));
        let text = serde_json::to_string(row).map_err(|error| format!("{}: {error}", shown(&self.path)))?;
        let before = self.file.metadata().map_err(fail)?.len();
        let written = self
            .file
            .write_all(format!("{text}\n").as_bytes())
            .and_then(|()| self.file.sync_data());
        written.map_err(|error| {
            // A torn line would be cut off when the journal is opened again; so is it where the disk is full.
            let _ = self.file.set_len(before);
            fail(error)
        })
    }
}

impl Drop for Journal {
    /// A process that is being started has the file as well until it is another program; nobody waits for that.
    fn drop(&mut self) {
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::samples;
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("clausal-journal-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder.join("journal.jsonl")
    }

    #[test]
    fn a_torn_line_is_a_run_that_was_not_done() {
        let path = folder("torn");
        let sample = samples::rows();
        let rows: Vec<&Row> = sample.finished().collect();
        let mut journal = Journal::open(&path).expect("a new journal");
        assert!(Journal::open(&path).is_err_and(|why| why.contains("another")));
        journal.append(rows[0]).expect("written");
        journal.append(rows[1]).expect("written");
        drop(journal);
        let text = std::fs::read_to_string(&path).expect("a text");
        for cut in [1, 20, text.lines().last().expect("a line").len()] {
            std::fs::write(&path, &text[..text.len() - cut]).expect("written");
            let mut journal = Journal::open(&path).expect("it is mended");
            assert_eq!(journal.row(&rows[0].key), Some(rows[0]));
            assert_eq!(journal.row(&rows[1].key), None);
            journal.append(rows[1]).expect("written");
            drop(journal);
            assert_eq!(std::fs::read_to_string(&path).expect("a text"), text);
        }
        std::fs::write(&path, "hello\n").expect("written");
        assert!(Journal::open(&path).is_err_and(|why| why.contains(":1: this is no line")));
        let _ = std::fs::remove_dir_all(path.parent().expect("a folder"));
    }
}
