//! One run: a command in a process group of its own, with limits, of which nothing is left when it is over.

use super::strays;
use super::watchdog::Watchdog;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself, with this exit code.
    Exit(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// Its time was up.
    Time,
    /// It held too much memory.
    Memory,
    /// Someone asked to stop.
    Stopped,
    /// It could not be started.
    NotStarted(String),
}

/// What was seen of a run.
#[derive(Debug)]
pub struct Ran {
    pub end: End,
    pub time: Duration,
    pub cpu: Duration,
    /// The most memory seen, in bytes.
    pub memory: u64,
    pub output: String,
    pub complaints: String,
}

/// What a run may use.
pub struct Limits {
    pub time: Duration,
    pub memory: Option<u64>,
}

/// How often limits are looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// How long a run that is asked to end may take for it.
const GRACE: Duration = Duration::from_millis(300);

/// How long outputs are waited for when all processes are gone.
const LAST_OUTPUT: Duration = Duration::from_secs(2);

/// What is kept of an output: more is read, and forgotten.
const KEPT: usize = 1 << 20;

/// Runs a command. `mark` is known to no other run.
pub fn run(
    command: &[String],
    mark: &str,
    limits: &Limits,
    should_stop: &dyn Fn() -> bool,
    watchdog: &Watchdog,
) -> Ran {
    let not_started = |why: String| Ran {
        end: End::NotStarted(why),
        time: Duration::ZERO,
        cpu: Duration::ZERO,
        memory: 0,
        output: String::new(),
        complaints: String::new(),
    };
    let Some((program, arguments)) = command.split_first() else {
        return not_started("there is no command".to_string());
    };
    let start = Instant::now();
    let spawned = Command::new(program)
        .args(arguments)
        .env(strays::MARK, mark)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => return not_started(format!("{program} cannot be started: {error}")),
    };
    let group = Pid::from_child(&child);
    watchdog.begun(group);
    let output = collect(child.stdout.take());
    let complaints = collect(child.stderr.take());
    let ended = ending_of(group);
    let mut seen = 0;
    let killed = loop {
        match ended.recv_timeout(BETWEEN_LOOKS.min(limits.time.saturating_sub(start.elapsed()))) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if limits.memory.is_some() {
            seen = seen.max(strays::memory(mark));
        }
        if should_stop() {
            break Some(End::Stopped);
        }
        if start.elapsed() >= limits.time {
            break Some(End::Time);
        }
        if limits.memory.is_some_and(|limit| seen > limit) {
            break Some(End::Memory);
        }
    };
    if killed.is_some() {
        // Tools that have children of their own, or files to tidy up, may do so.
        let _ = kill_process_group(group, Signal::TERM);
        let _ = ended.recv_timeout(GRACE);
    }
    // The first process has not been waited for, so nobody else can have its number yet, and the group is still its.
    let _ = kill_process_group(group, Signal::KILL);
    strays::kill(mark);
    let time = start.elapsed();
    let waited = child.wait4();
    watchdog.ended(group);
    let (status, cpu, memory) = match &waited {
        Ok(used) => {
            let usage = &used.rusage;
            (Some(used.status), usage.utime + usage.stime, usage.maxrss)
        }
        Err(_) => (None, Duration::ZERO, 0),
    };
    let own_end = || match status {
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => End::Exit(code),
            (None, Some(signal)) => End::Signal(signal),
            (None, None) => End::NotStarted("it ended in no known way".to_string()),
        },
        None => End::NotStarted("it could not be waited for".to_string()),
    };
    Ran {
        end: killed.unwrap_or_else(own_end),
        time,
        cpu,
        memory: seen.max(memory),
        output: output.recv_timeout(LAST_OUTPUT).unwrap_or_default(),
        complaints: complaints.recv_timeout(LAST_OUTPUT).unwrap_or_default(),
    }
}

/// Says when a process has ended, without waiting for it in the sense of the system: its number stays taken.
fn ending_of(process: Pid) -> Receiver<()> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(process), options).is_err_and(|error| error == rustix::io::Errno::INTR) {}
        let _ = sender.send(());
    });
    receiver
}

/// Reads everything from a pipe, and keeps the beginning and the end of it.
fn collect(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        let mut buffer = [0; 1 << 14];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let mut new = buffer.get(..count).unwrap_or_default();
            let room = (KEPT - head.len()).min(new.len());
            head.extend_from_slice(new.get(..room).unwrap_or_default());
            new = new.get(room..).unwrap_or_default();
            tail.extend_from_slice(new);
            if tail.len() > 2 * KEPT {
                tail.drain(..tail.len() - KEPT);
            }
        }
        head.extend(tail);
        let _ = sender.send(String::from_utf8_lossy(&head).into_owned());
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, time: u64, memory: Option<u64>) -> Ran {
        let command = ["sh", "-c", script].map(str::to_string);
        let mark = format!("test-{}-{:?}", std::process::id(), std::thread::current().id());
        let limits = Limits {
            time: Duration::from_millis(time),
            memory,
        };
        let ran = run(&command, &mark, &limits, &|| false, &Watchdog::none());
        assert_eq!(strays::memory(&mark), 0, "nothing is left of it");
        ran
    }

    #[test]
    fn how_a_run_ends_is_seen() {
        let ran = shell("echo out; echo err >&2; exit 3", 60_000, None);
        assert_eq!(
            (ran.end, ran.output.as_str(), ran.complaints.as_str()),
            (End::Exit(3), "out\n", "err\n")
        );
        assert_eq!(shell("kill -SEGV $$", 60_000, None).end, End::Signal(11));
        let missing = run(
            &["no such command".to_string()],
            "x",
            &Limits {
                time: GRACE,
                memory: None,
            },
            &|| false,
            &Watchdog::none(),
        );
        assert!(matches!(missing.end, End::NotStarted(_)));
    }

    #[test]
    fn nothing_is_left_of_a_run_whatever_it_does() {
        // Children in the background, deaf to the polite signal, and in a session of their own.
        let script = "trap '' TERM; sleep 600 & setsid sleep 600 & (setsid sh -c 'trap \"\" TERM; sleep 600; sleep 600' &) ; sleep 600";
        assert_eq!(shell(script, 300, None).end, End::Time);
        let ran = shell("sleep 600 & setsid sleep 600 & echo done", 60_000, None);
        assert_eq!((ran.end, ran.output.as_str()), (End::Exit(0), "done\n"));
    }

    #[test]
    fn memory_is_limited_and_output_is_not_kept_without_end() {
        if strays::are_seen() {
            let hungry = "x=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 600";
            assert_eq!(shell(hungry, 60_000, Some(100 << 20)).end, End::Memory);
        }
        let ran = shell("head -c 20000000 /dev/zero; echo end", 60_000, None);
        assert!(ran.output.len() <= 3 * KEPT && ran.output.ends_with("end\n"));
    }
}
