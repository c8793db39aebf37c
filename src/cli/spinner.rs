//! The progress line: what is being done and for how long already, on a terminal only, and only if it takes a while.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_millis(700);
const TICK: Duration = Duration::from_millis(120);

/// A progress line; it goes away when this is dropped.
pub struct Spinner {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Spinner {
    /// Starts one that says what is being done.
    pub fn start(message: String) -> Spinner {
        if !std::io::stderr().is_terminal() {
            return Spinner { running: None };
        }
        let (stop, stopped) = channel();
        let draw = move || {
            if stopped.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let style = ProgressStyle::with_template("{spinner} {msg} {elapsed} (Ctrl-C stops)");
            let bar = ProgressBar::new_spinner()
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
                .with_message(message)
                .with_elapsed(PATIENCE);
            bar.enable_steady_tick(TICK);
            // Ends with a message or with the sender.
            let _ = stopped.recv();
            bar.finish_and_clear();
        };
        let thread = std::thread::Builder::new().spawn(draw);
        Spinner {
            running: thread.ok().map(|thread| (stop, thread)),
        }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}
