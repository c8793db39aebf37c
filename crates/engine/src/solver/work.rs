//! Work, counted rather than timed, so that searches can take turns in the same way on every machine.
//!
//! The unit is what a query costs that is settled at a glance, with what a search does around it: some six microseconds of an
//! ordinary machine. Linear arithmetic counts what it looks at, Z3 counts itself.

use super::SolverStatistics;

/// What a query that linear arithmetic is asked costs beyond others, however small it is.
const LINEAR: u64 = 4;
/// How many watches, coefficients and parts of formulas linear arithmetic looks at for one unit. Queries on C come to three or
/// four units more by it, those on rules over fifty arguments to two hundred.
pub(crate) const LINEAR_EFFORT: u64 = 128;
/// How many of Z3's units cost as much as one.
const Z3_UNITS: u64 = 30;

/// Reads Z3's count of its own work, which has 32 bits and begins again at zero.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Z3Meter {
    before: u32,
    spent: u64,
}

impl Z3Meter {
    /// A meter that begins where the count stands.
    pub fn new(now: u32) -> Z3Meter {
        Z3Meter { before: now, spent: 0 }
    }

    /// Z3's units since the beginning, given where the count stands; it has to be read before that has gone round twice.
    pub fn read(&mut self, now: u32) -> u64 {
        self.spent += u64::from(now.wrapping_sub(self.before));
        self.before = now;
        self.spent
    }

    /// What has been read so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The same as work.
    pub fn worked(&self) -> u64 {
        work_of(self.spent)
    }

    /// The same as work.
    pub fn work(&mut self, now: u32) -> u64 {
        work_of(self.read(now))
    }
}

/// So many of Z3's units as work.
pub(super) fn work_of(units: u64) -> u64 {
    units / Z3_UNITS
}

/// The work of queries, given the effort of linear arithmetic, but for what Z3 counts.
pub(super) fn of_queries(statistics: &SolverStatistics, linear_effort: u64) -> u64 {
    statistics.queries + LINEAR * statistics.linear.asked + linear_effort / LINEAR_EFFORT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_goes_on_where_the_count_begins_again() {
        let mut meter = Z3Meter::new(u32::MAX - 9);
        assert_eq!(meter.read(u32::MAX), 9);
        assert_eq!(meter.read(20), 30);
        assert_eq!(meter.read(20), 30);
        assert_eq!(meter.work(80), 3);
    }
}
