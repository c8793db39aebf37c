//! `clausal bench`: many tasks, each in a process of its own with limits, and reports on what came of them.
//!
//! The data goes one way:
//!
//! ```text
//!  folder, .set, .yml ──► tasks ──► plan ──► pool ──► rows ──► report: CSV, JSON, a page
//!                                   ▲          │
//!                      tools (command lines)   ├── process: one run, its group killed for certain
//!                                              ├── watchdog: kills what is left if this process is killed
//!                                              └── journal: every row at once, read again when resumed
//! ```
//!
//! Nothing here knows what is verified: a run is a command, and what it prints is its verdict (`verdict`).

mod journal;
mod plan;
mod pool;
mod process;
pub mod report;
mod rows;
mod strays;
mod tasks;
mod tools;
mod verdict;
pub mod watchdog;

use journal::Journal;
pub use rows::Rows;
use std::path::{Path, PathBuf};
use std::time::Duration;
pub use tools::Tool;

/// What is to be run.
pub struct Settings {
    /// Folders, task sets, task definitions, programs.
    pub inputs: Vec<PathBuf>,
    /// Of several properties of a task only the one in a file of this name.
    pub property: Option<String>,
    /// The columns.
    pub tools: Vec<Tool>,
    /// Seconds by the clock that a run may take.
    pub time: Duration,
    /// Bytes that the processes of a run may hold together.
    pub memory: Option<u64>,
    /// How many runs go on at once.
    pub jobs: usize,
    /// Where the journal and the reports are.
    pub folder: PathBuf,
}

/// What came of it.
pub struct Finished {
    /// Every run that has come to its end, in the order of the tasks.
    pub rows: Rows,
    /// How many runs are still to be done, because someone asked to stop.
    pub left: usize,
}

/// The name of the journal in the folder of the results.
pub const JOURNAL: &str = "journal.jsonl";

/// Runs what the journal does not have yet. `should_stop` is asked often; `tell` is told what happens.
///
/// # Errors
/// What is wrong with the inputs, or with the folder of the results.
pub fn run(
    settings: &Settings,
    should_stop: &(dyn Fn() -> bool + Sync),
    tell: &mut dyn FnMut(&str),
) -> Result<Finished, String> {
    if settings.memory.is_some() && !strays::are_seen() {
        return Err("--max-memory needs /proc, which is not there".to_string());
    }
    let found = tasks::find(&settings.inputs, settings.property.as_deref())?;
    for note in &found.notes {
        tell(&format!("note: {note}"));
    }
    let plan = plan::plan(&found.tasks, settings)?;
    let mut journal = Journal::open(&settings.folder.join(JOURNAL))?;
    let mut rows = Rows::new(&plan, &settings.tools, settings.time);
    let mut todo = Vec::new();
    for (position, job) in plan.iter().enumerate() {
        match journal.row(&job.key) {
            Some(row) => rows.put(position, row.clone()),
            None => todo.push((position, job)),
        }
    }
    if todo.len() < plan.len() {
        let done = plan.len() - todo.len();
        tell(&format!("Resumed: {done} of {} runs are in the journal.", plan.len()));
    }
    let total = todo.len();
    let mut done = 0;
    let mut problem = None;
    pool::run(&todo, settings, should_stop, &mut |position, row| {
        done += 1;
        tell(&format!("[{done}/{total}] {}", row.line()));
        if let Err(error) = journal.append(&row) {
            problem = Some(error);
        }
        rows.put(position, row);
        // Without a journal what is done is lost, so nothing more is begun.
        problem.is_none()
    })?;
    match problem {
        Some(problem) => Err(problem),
        None => Ok(Finished {
            left: plan.len() - rows.finished().count(),
            rows,
        }),
    }
}

/// A path as it stands in reports.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
