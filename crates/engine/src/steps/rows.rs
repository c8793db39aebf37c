//! Sets of rows: in which of the states that were seen, or choices of cells in them, something holds.

/// A set of rows, by their numbers.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Rows(Vec<u64>);

impl Rows {
    /// The rows for which something holds.
    pub fn of(holds: impl Iterator<Item = bool>) -> Rows {
        let mut words = Vec::new();
        for (row, holds) in holds.enumerate() {
            if row.is_multiple_of(64) {
                words.push(0);
            }
            if let Some(word) = words.last_mut() {
                *word |= u64::from(holds) << (row % 64);
            }
        }
        Rows(words)
    }

    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub fn and(&self, other: &Rows) -> Rows {
        Rows(self.0.iter().zip(&other.0).map(|(one, other)| one & other).collect())
    }

    /// Whether each row is not in the set; with some beyond the last.
    pub fn complement(&self) -> impl Iterator<Item = bool> + '_ {
        let words = self.0.iter();
        words.flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 0))
    }

    pub fn contains(&self, row: usize) -> bool {
        self.0.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// The rows in the set, in their order.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|row| self.contains(*row))
    }

    /// Whether they have no row in common.
    pub fn excludes(&self, other: &Rows) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one & other == 0)
    }

    /// Whether all rows are among the others.
    pub fn is_within(&self, other: &Rows) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one & !other == 0)
    }
}
