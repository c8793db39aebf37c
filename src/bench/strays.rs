//! Which processes belong to a run, whatever group or session they have moved to: a mark in the environment, which children
//! inherit, is read in `/proc`. Where there is no `/proc`, only the group is known.

use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

/// The variable with the mark.
pub const MARK: &str = "CLAUSAL_BENCH_RUN";

/// How often processes are looked for that begin others while they are being killed.
const ROUNDS: usize = 50;

/// Whether processes can be looked at here.
pub fn are_seen() -> bool {
    fs::metadata("/proc/self/environ").is_ok()
}

/// Kills every process whose mark begins so, until there is none.
pub fn kill(mark: &str) {
    for _ in 0..ROUNDS {
        let found = marked(mark);
        if found.is_empty() {
            return;
        }
        for pid in found {
            let _ = kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// The memory that processes with this mark hold together, in bytes.
pub fn memory(mark: &str) -> u64 {
    marked(mark).into_iter().filter_map(resident).sum()
}

/// The processes whose mark begins so and that have not ended.
fn marked(mark: &str) -> Vec<Pid> {
    let wanted = format!("{MARK}={mark}");
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
    // What has ended and was not waited for yet has no environment any more.
    let has_mark = |pid: &Pid| {
        let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| starts(entry, &wanted))
    };
    pids.filter(has_mark).collect()
}

/// Whether an entry is this mark, or one with more parts behind it.
fn starts(entry: &[u8], wanted: &str) -> bool {
    let rest = entry.strip_prefix(OsStr::new(wanted).as_bytes());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// The memory of a process. Pages that several share count for each of them.
fn resident(pid: Pid) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
