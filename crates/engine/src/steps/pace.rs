//! Turns: several searches about one question go on by the same pace, whatever the machine does meanwhile.
//!
//! Work is counted, not timed, and given in rounds; each round allows twice what the one before it did. Those that are furthest
//! behind go on, as many as there are processors: nobody waits for a search that is busy with one long step as long as a processor
//! is free. Which of them answers first does not depend on how many run at once, nor on how fast: the answer of the lowest round
//! counts, and in a round that of the first search in order. So an answer waits until no other search can have one that
//! comes before it.

use super::Cancellation;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a search that waits goes without looking whether it is cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// Where a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// It has work left, in this round.
    Active { round: u32 },
    /// It has ended, in this round, with an answer or without.
    Ended { round: u32, decided: bool },
}

struct Board {
    standings: Vec<Standing>,
}

/// What the searches of one question share.
struct Table {
    board: Mutex<Board>,
    changed: Condvar,
    /// What each may do in the round in which it begins, and which that is.
    shares: Vec<Share>,
    /// How many may run at once.
    jobs: usize,
}

/// What a search may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// The units of work in its first round.
    pub work: u64,
    /// Its first round.
    pub from: u32,
    /// What it may do beside that, from the beginning on.
    pub ahead: u64,
}

impl Share {
    /// The first round, from the given one on, in which so much work leaves something to do.
    fn round(self, total: u64, from: u32) -> u32 {
        let mut round = from;
        while total >= self.until(round) && round < u32::MAX {
            round += 1;
        }
        round
    }

    /// What it may do by the end of a round.
    pub(crate) fn until(self, round: u32) -> u64 {
        let of_rounds = match round.checked_sub(self.from) {
            Some(later) => self.work.saturating_mul(1u64.checked_shl(later).unwrap_or(u64::MAX)),
            None => 0,
        };
        of_rounds.saturating_add(self.ahead)
    }
}

/// The seat of one search at the table of its question; without a table it goes on as it likes.
#[derive(Clone, Default)]
pub struct Pace(Option<Seat>);

#[derive(Clone)]
struct Seat {
    table: Arc<Table>,
    index: usize,
    /// What it has done so far, over all parts of its search.
    done: Arc<AtomicU64>,
    /// What of that was counted early, and has not been told by the search itself yet.
    early: Arc<AtomicU64>,
    /// How far it may go before it has to look at the table.
    allowed: Arc<AtomicU64>,
}

impl fmt::Debug for Pace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(seat) => write!(out, "Pace({} of {})", seat.index, seat.table.shares.len()),
            None => write!(out, "Pace(free)"),
        }
    }
}

impl Pace {
    /// The seats of searches that take turns, so many at once.
    pub(crate) fn seats(shares: Vec<Share>, jobs: usize) -> Vec<Pace> {
        Pace::seats_until(shares, jobs, None)
    }

    /// The same, for so many rounds if there is a number: as if somebody behind the last seat had decided in that round, so that the
    /// place of the answer that counts is no seat's if nobody else has one by then.
    pub(crate) fn seats_until(shares: Vec<Share>, jobs: usize, last: Option<u32>) -> Vec<Pace> {
        let begins = |share: &Share| Standing::Active {
            round: share.round(0, 0),
        };
        let end = last.map(|round| Standing::Ended { round, decided: true });
        let table = Arc::new(Table {
            board: Mutex::new(Board {
                standings: shares.iter().map(begins).chain(end).collect(),
            }),
            changed: Condvar::new(),
            jobs: jobs.max(1),
            shares,
        });
        let seat = |index| Seat {
            table: table.clone(),
            index,
            done: Arc::new(AtomicU64::new(0)),
            early: Arc::new(AtomicU64::new(0)),
            allowed: Arc::new(AtomicU64::new(0)),
        };
        (0..table.shares.len()).map(|index| Pace(Some(seat(index)))).collect()
    }

    /// A seat for a search whose question has been decided already: its answer counts if it takes no more than so much work,
    /// and it is cancelled where it takes more.
    pub(crate) fn against_a_decision(work: u64) -> Pace {
        let share = |work| Share {
            work,
            from: 0,
            ahead: 0,
        };
        let mut seats = Pace::seats(vec![share(work.max(1)), share(1)], 2);
        let decided = seats.pop().and_then(|seat| seat.end(true));
        debug_assert_eq!(decided, None, "who decides first waits for those before it");
        seats.pop().unwrap_or_default()
    }

    /// Counts work, and waits if it is more than this search may do by now. It returns early when the search is cancelled,
    /// which it is here when another one's answer has come to count.
    pub(crate) fn advance(&self, work: u64, cancellation: &Cancellation) {
        let Some(seat) = &self.0 else { return };
        let known = seat.early.load(Ordering::Relaxed).min(work);
        seat.early.fetch_sub(known, Ordering::Relaxed);
        self.count(work - known, cancellation);
    }

    fn count(&self, work: u64, cancellation: &Cancellation) {
        let Some(seat) = &self.0 else { return };
        let total = seat.done.fetch_add(work, Ordering::Relaxed) + work;
        if total < seat.allowed.load(Ordering::Relaxed) {
            return;
        }
        let table = &seat.table;
        let mut board = table.board();
        let share = table.shares[seat.index];
        if let Standing::Active { round } = board.standings[seat.index] {
            let now = share.round(total, round);
            if now > round {
                board.standings[seat.index] = Standing::Active { round: now };
                table.changed.notify_all();
            }
        }
        loop {
            // Another one's answer comes before any of this search: it is over.
            if board.is_late(seat.index) {
                cancellation.cancel();
            }
            if cancellation.is_cancelled() {
                return;
            }
            let standing = board.standings[seat.index];
            if let Standing::Active { round } = standing
                && board.before(round, seat.index) < table.jobs
            {
                seat.allowed.store(share.until(round), Ordering::Relaxed);
                return;
            }
            board = table
                .changed
                .wait_timeout(board, LOOK)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(board, _)| board);
        }
    }

    /// Counts work that the search will count itself once what it is busy with is over.
    pub(crate) fn advance_early(&self, work: u64, cancellation: &Cancellation) {
        self.count(work, cancellation);
        if let Some(seat) = &self.0 {
            seat.early.fetch_add(work, Ordering::Relaxed);
        }
    }

    /// The round that it is in, or has ended in, and its work so far.
    pub(crate) fn progress(&self) -> Option<(u32, u64)> {
        let seat = self.0.as_ref()?;
        let (Standing::Active { round } | Standing::Ended { round, .. }) = seat.table.board().standings[seat.index];
        Some((round, seat.done.load(Ordering::Relaxed)))
    }

    /// Whether it is kept at all.
    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// The search has ended. Returns the index of the search whose answer counts, once that is certain.
    pub(crate) fn end(&self, decided: bool) -> Option<usize> {
        let seat = self.0.as_ref()?;
        let mut board = seat.table.board();
        if let Standing::Active { round } = board.standings[seat.index] {
            board.standings[seat.index] = Standing::Ended { round, decided };
        }
        seat.table.changed.notify_all();
        board.winner()
    }

    /// The index of the search whose answer counts, if that is certain by now.
    pub(crate) fn winner(&self) -> Option<usize> {
        self.0.as_ref()?.table.board().winner()
    }
}

impl Table {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Board {
    /// How many active searches come before this place.
    fn before(&self, round: u32, index: usize) -> usize {
        let standings = self.standings.iter().enumerate();
        let is_before = |(other, standing): &(usize, &Standing)| match standing {
            Standing::Active { round: its } => (*its, *other) < (round, index),
            Standing::Ended { .. } => false,
        };
        standings.filter(is_before).count()
    }

    /// The place of the first answer so far.
    fn first_decided(&self) -> Option<(u32, usize)> {
        let decided = self
            .standings
            .iter()
            .enumerate()
            .filter_map(|(index, standing)| match standing {
                Standing::Ended { round, decided: true } => Some((*round, index)),
                _ => None,
            });
        decided.min()
    }

    /// Whether the search can have no answer that counts any more.
    fn is_late(&self, index: usize) -> bool {
        match (self.standings[index], self.first_decided()) {
            (Standing::Active { round }, Some(first)) => first < (round, index),
            _ => false,
        }
    }

    fn winner(&self) -> Option<usize> {
        let (round, first) = self.first_decided()?;
        (self.before(round, first) == 0).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each may do.
    const SHARE: Share = Share {
        work: 10,
        from: 0,
        ahead: 0,
    };

    #[test]
    fn work_that_was_counted_early_is_not_counted_again() {
        let seats = Pace::seats(vec![SHARE; 2], 2);
        let cancellation = Cancellation::default();
        let round = |pace: &Pace| match &pace.0 {
            Some(seat) => seat.table.board().standings[seat.index],
            None => Standing::Active { round: 0 },
        };
        seats[0].advance_early(25, &cancellation);
        assert_eq!(round(&seats[0]), Standing::Active { round: 2 });
        seats[0].advance(25, &cancellation);
        assert_eq!(round(&seats[0]), Standing::Active { round: 2 });
        // What goes on for long is late once another one has decided.
        seats[1].end(true);
        assert!(!cancellation.is_cancelled());
        seats[0].advance_early(30, &cancellation);
        assert!(cancellation.is_cancelled());
    }

    /// Runs searches that decide after so much work, or never within a hundred thousand units.
    fn race(work: &[Option<u64>], jobs: usize) -> Option<usize> {
        let shares = vec![SHARE; work.len()];
        let seats = Pace::seats(shares, jobs);
        let flags: Vec<Cancellation> = seats.iter().map(|_| Cancellation::default()).collect();
        std::thread::scope(|scope| {
            for (index, seat) in seats.iter().enumerate() {
                let flags = &flags;
                scope.spawn(move || {
                    seat.advance(0, &flags[index]);
                    let limit = work[index].unwrap_or(100_000);
                    for _ in 0..limit {
                        if flags[index].is_cancelled() {
                            break;
                        }
                        seat.advance(1, &flags[index]);
                    }
                    let decided = work[index].is_some() && !flags[index].is_cancelled();
                    if seat.end(decided).is_some() {
                        flags.iter().for_each(Cancellation::cancel);
                    }
                });
            }
        });
        seats[0].winner()
    }

    #[test]
    fn the_lowest_round_wins_and_in_a_round_the_first_in_order() {
        for jobs in 1..4 {
            assert_eq!(race(&[Some(500), Some(30)], jobs), Some(1), "{jobs}");
            assert_eq!(race(&[Some(35), Some(21)], jobs), Some(0), "{jobs}");
            assert_eq!(race(&[None, Some(5_000), Some(90_000)], jobs), Some(1), "{jobs}");
            assert_eq!(race(&[None, None], jobs), None, "{jobs}");
        }
    }

    #[test]
    fn against_a_decision_only_little_work_counts() {
        for (work, is_cancelled) in [(9, false), (10, true)] {
            let cancellation = Cancellation::default();
            let pace = Pace::against_a_decision(10);
            pace.advance(work, &cancellation);
            assert_eq!(cancellation.is_cancelled(), is_cancelled, "{work}");
            // Who is cancelled has no answer.
            assert_eq!(pace.end(!is_cancelled), Some(usize::from(is_cancelled)), "{work}");
        }
    }

    #[test]
    fn who_begins_later_waits() {
        let share = |from| Share {
            work: 10,
            from,
            ahead: 0,
        };
        let shares = vec![share(0), share(2)];
        let seats = Pace::seats(shares, 2);
        let never = Cancellation::default();
        assert_eq!(seats[1].0.as_ref().map(|seat| seat.table.shares[1].until(1)), Some(0));
        // The other one ends without an answer, so this one need not wait for it.
        assert_eq!(seats[0].end(false), None);
        seats[1].advance(5, &never);
        assert_eq!(seats[1].end(true), Some(1));
    }

    /// The first search is busy with one long step; the others go on meanwhile, and the answer is the same as without it.
    #[test]
    fn nobody_waits_for_a_long_step_while_a_processor_is_free() {
        let seats = Pace::seats(vec![SHARE; 2], 2);
        let never = Cancellation::default();
        seats[0].advance(0, &never);
        // Ten rounds further than the first one.
        seats[1].advance(10_000, &never);
        assert_eq!(seats[1].end(true), None);
        // When its step ends, it has done less than the other one, so it may still come before it.
        let own = Cancellation::default();
        seats[0].advance(500, &own);
        assert!(!own.is_cancelled());
        seats[0].advance(20_000, &own);
        assert!(own.is_cancelled());
        assert_eq!(seats[0].end(false), Some(1));
    }
}
