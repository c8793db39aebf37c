//! Numbers by which values of a search speak of states and memo entries.

/// The id of a state in the order of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct StateId(u32);

impl StateId {
    /// The query.
    pub const ROOT: StateId = StateId(0);

    /// The id of the state made after `count` others.
    pub fn after(count: usize) -> StateId {
        StateId(count as u32)
    }

    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of a memo entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct EntryId(u32);

impl EntryId {
    /// The id of the entry stored after `count` others.
    pub fn after(count: usize) -> EntryId {
        EntryId(count as u32)
    }

    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
