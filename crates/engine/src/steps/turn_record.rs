//! What each method did while methods went on in turns: for people who ask what was tried, and for those who set the shares.
//!
//! It is kept only where somebody asks for it, since who is cancelled after how much work depends on the machine.

use super::StopReason;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// What one method did in one course of the turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Which course, from 1: there are several where rules are read in several ways, such as words first as integers.
    pub course: u64,
    /// What the method is called.
    pub method: &'static str,
    /// The round in which it ended, from 0, each twice as long as the one before it; none for a look before the turns.
    pub round: Option<u32>,
    /// Its units of work, some six microseconds each; none for a look.
    pub work: Option<u64>,
    /// The processor time of its thread in seconds, where the system tells it.
    pub seconds: Option<f64>,
    /// What it came to.
    pub end: TurnEnd,
}

/// What a method came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// A proof.
    Safe,
    /// An error.
    Unsafe,
    /// No verdict, for this reason: [`StopReason::Cancelled`] where another method had decided.
    Unknown(StopReason),
    /// A look found nothing.
    Nothing,
}

/// A list of [`Turn`]s that all parts of a verification add to, if one is kept.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::Options;
/// use clausal::turns::{self, TurnEnd, TurnRecord};
///
/// let source = "?- l(0). l(X) :- X < 9, l(X + 1). l(X) :- X > 9, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let options = Options { record: TurnRecord::kept(), ..Options::default() };
/// turns::verify(&program, &options);
/// assert!(options.record.turns().iter().any(|turn| turn.end == TurnEnd::Safe));
/// ```
#[derive(Clone, Default)]
pub struct TurnRecord(Option<Arc<Mutex<Record>>>);

#[derive(Default)]
struct Record {
    courses: u64,
    turns: Vec<Turn>,
}

impl TurnRecord {
    /// A record that is kept. The default is not.
    pub fn kept() -> TurnRecord {
        TurnRecord(Some(Arc::default()))
    }

    /// What has been recorded so far: courses in the order in which they began, methods in the order in which they ended.
    pub fn turns(&self) -> Vec<Turn> {
        self.with(|record| record.turns.clone()).unwrap_or_default()
    }

    /// The number of a course that begins.
    pub(crate) fn begin(&self) -> u64 {
        let next = |record: &mut Record| {
            record.courses += 1;
            record.courses
        };
        self.with(next).unwrap_or_default()
    }

    /// Adds what a method did, if the record is kept.
    pub(crate) fn add(&self, turn: impl FnOnce() -> Turn) {
        self.with(|record| record.turns.push(turn()));
    }

    fn with<T>(&self, work: impl FnOnce(&mut Record) -> T) -> Option<T> {
        let record = self.0.as_ref()?;
        Some(work(&mut record.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl fmt::Debug for TurnRecord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(_) => write!(out, "TurnRecord({} turns)", self.turns().len()),
            None => write!(out, "TurnRecord(not kept)"),
        }
    }
}

/// The processor time of this thread so far, where the system tells it.
pub(crate) fn processor_seconds() -> Option<f64> {
    #[cfg(unix)]
    {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        #[expect(clippy::cast_precision_loss, reason = "seconds for people")]
        Some(now.tv_sec as f64 + now.tv_nsec as f64 / 1e9)
    }
    #[cfg(not(unix))]
    None
}
