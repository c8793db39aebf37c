//! Several runs at once: each thread takes the next job and hands its row over.

use super::Settings;
use super::plan::Job;
use super::process::{self, End, Limits};
use super::rows::Row;
use super::verdict;
use super::watchdog::Watchdog;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Does the jobs; `take` gets each row with the position of its job in the plan, one after another, and says whether to go on.
/// What is going on when someone asks to stop is killed, and has no row.
///
/// # Errors
/// The runs could not be watched over.
pub fn run(
    jobs: &[(usize, &Job)],
    settings: &Settings,
    should_stop: &(dyn Fn() -> bool + Sync),
    take: &mut dyn FnMut(usize, Row) -> bool,
) -> Result<(), String> {
    if jobs.is_empty() {
        return Ok(());
    }
    let program = std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
    // No other process has this mark: a number of a process comes again, but not within the same nanosecond.
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    let mark = format!("{}-{}", std::process::id(), now.as_nanos());
    let watchdog = Watchdog::start(&program, &mark)?;
    let (next, given_up) = (AtomicUsize::new(0), AtomicBool::new(false));
    let is_over = || given_up.load(Ordering::Relaxed) || should_stop();
    let (sender, rows) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.min(jobs.len()) {
            let (sender, next, is_over, mark, watchdog) = (sender.clone(), &next, &is_over, &mark, &watchdog);
            scope.spawn(move || {
                while !is_over() {
                    let taken = next.fetch_add(1, Ordering::Relaxed);
                    let Some((position, job)) = jobs.get(taken) else { break };
                    let row = row_of(job, settings, &format!("{mark}/{position}"), is_over, watchdog);
                    if let Some(row) = row
                        && sender.send((*position, row)).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (position, row) in rows {
            if !take(position, row) {
                given_up.store(true, Ordering::Relaxed);
            }
        }
    });
    Ok(())
}

fn row_of(job: &Job, settings: &Settings, mark: &str, is_over: &dyn Fn() -> bool, watchdog: &Watchdog) -> Option<Row> {
    let tool = settings.tools.get(job.tool)?;
    let limits = Limits {
        time: settings.time,
        memory: settings.memory,
    };
    let ran = process::run(
        &tool.command(&job.task, settings.time),
        mark,
        &limits,
        is_over,
        watchdog,
    );
    if ran.end == End::Stopped {
        return None;
    }
    let (status, detail) = verdict::judge(&ran.end, &ran.output, &ran.complaints);
    Some(Row {
        key: job.key.clone(),
        task: job.task.name.clone(),
        tool: tool.name.clone(),
        status,
        expected: job.task.expected,
        seconds: ran.time.as_secs_f64(),
        cpu_seconds: ran.cpu.as_secs_f64(),
        memory: ran.memory,
        detail,
    })
}
