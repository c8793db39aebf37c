//! Every run that is to be done: tasks by tools. A run has a key, which tells whether a row of an earlier journal is its outcome.

use super::tasks::Task;
use super::{Settings, shown};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A run that is to be done.
#[derive(Debug)]
pub struct Job {
    /// The task.
    pub task: Task,
    /// Which of the tools.
    pub tool: usize,
    /// A hash of everything that the outcome depends on: the files' contents, the command, the limits.
    pub key: String,
}

/// The runs, task by task.
///
/// # Errors
/// A file that cannot be read.
pub fn plan(tasks: &[Task], settings: &Settings) -> Result<Vec<Job>, String> {
    let mut digests = Digests::default();
    let mut jobs = Vec::new();
    for task in tasks {
        let mut about = Sha256::new();
        for path in [Some(&task.file), Some(&task.program), task.property.as_ref()] {
            about.update(path.map(|path| digests.of(path)).transpose()?.unwrap_or_default());
        }
        for (tool, column) in settings.tools.iter().enumerate() {
            let mut key = about.clone();
            let command = column.command(task, settings.time);
            let limits = format!("{:?} {:?}", settings.time, settings.memory);
            for part in command
                .iter()
                .map(String::as_str)
                .chain([column.version(), column.name.as_str(), &limits])
            {
                key.update(part.as_bytes());
                key.update([0]);
            }
            jobs.push(Job {
                task: task.clone(),
                tool,
                key: hex(&key.finalize()),
            });
        }
    }
    Ok(jobs)
}

/// Contents by path, each read once: one property file belongs to many tasks.
#[derive(Default)]
struct Digests(BTreeMap<PathBuf, Vec<u8>>);

impl Digests {
    fn of(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        if let Some(known) = self.0.get(path) {
            return Ok(known.clone());
        }
        let content = std::fs::read(path).map_err(|error| format!("{}: {error}", shown(path)))?;
        let digest = Sha256::digest(&content).to_vec();
        self.0.insert(path.to_path_buf(), digest.clone());
        Ok(digest)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
