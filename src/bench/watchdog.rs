//! A second process that outlives this one: when this one is gone, however it was killed, it kills what is left of the runs.
//!
//! It is told on its standard input which groups there are. The end of that input is the end of this process, which no signal
//! can keep from being noticed.

use super::strays;
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;

/// The name of the command, which only this program gives itself.
pub const COMMAND: &str = "bench-watchdog";

/// The process, seen from the one that it watches.
pub struct Watchdog {
    process: Option<(Child, Mutex<ChildStdin>)>,
}

impl Watchdog {
    /// Starts one, for runs whose marks begin with `mark`.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(program: &Path, mark: &str) -> Result<Watchdog, String> {
        let fail = |error: std::io::Error| format!("{}: {error}", program.display());
        let mut child = Command::new(program)
            .args([COMMAND, mark])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C in a terminal is for everything in the foreground group.
            .process_group(0)
            .spawn()
            .map_err(fail)?;
        let input = child.stdin.take().ok_or("the watchdog has no input")?;
        Ok(Watchdog {
            process: Some((child, Mutex::new(input))),
        })
    }

    /// None: for tests.
    #[cfg(test)]
    pub fn none() -> Watchdog {
        Watchdog { process: None }
    }

    /// A run has begun.
    pub fn begun(&self, group: Pid) {
        self.tell('+', group);
    }

    /// Nothing of a run is left.
    pub fn ended(&self, group: Pid) {
        self.tell('-', group);
    }

    fn tell(&self, sign: char, group: Pid) {
        if let Some((_, input)) = &self.process
            && let Ok(mut input) = input.lock()
        {
            // Without a watchdog runs are still killed by this process.
            let _ = writeln!(input, "{sign}{}", group.as_raw_nonzero());
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        if let Some((mut child, input)) = self.process.take() {
            drop(input);
            let _ = child.wait();
        }
    }
}

/// What the second process does.
pub fn watch(mark: &str) {
    let mut groups = BTreeSet::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let (sign, number) = line.split_at(line.len().min(1));
        let Ok(number) = number.parse::<i32>() else { continue };
        match sign {
            "+" => groups.insert(number),
            _ => groups.remove(&number),
        };
    }
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    strays::kill(mark);
}
