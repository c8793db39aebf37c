//! The procedures of a flat program, which recur and are called: their blocks, where they return to, and what a call may change.
//!
//! A block belongs to one procedure, or to the part that the run begins in. Variables are there once in a run or once for each
//! activation; the latter a call leaves alone, as no other activation can get at them.

use super::flat::{FlatBlockId, FlatProgram, FlatTerminator};
use super::liveness::VariableSet;
use std::collections::BTreeMap;

/// A procedure.
#[derive(Clone, Debug)]
pub(crate) struct Procedure {
    /// Where it starts.
    pub entry: FlatBlockId,
    /// Its blocks that return.
    pub returns: Vec<FlatBlockId>,
    /// The blocks that call it, and where each goes on.
    pub calls: Vec<(FlatBlockId, FlatBlockId)>,
    /// What may be another value when it returns, of what is there once in a run.
    pub changes: VariableSet,
}

/// The procedures of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Procedures {
    /// Each procedure, in the order of their entries.
    pub all: Vec<Procedure>,
    /// For each block, the procedure it belongs to, if any.
    of_block: Vec<Option<usize>>,
    by_entry: BTreeMap<FlatBlockId, usize>,
}

impl Procedures {
    /// The procedures that the blocks in `order` call.
    pub fn new(program: &FlatProgram, order: &[FlatBlockId]) -> Procedures {
        let mut calls: BTreeMap<FlatBlockId, Vec<(FlatBlockId, FlatBlockId)>> = BTreeMap::new();
        for block in order {
            if let FlatTerminator::Call { entry, after } = program.blocks[block.0 as usize].terminator {
                calls.entry(entry).or_default().push((*block, after));
            }
        }
        let mut procedures = Procedures::default();
        if calls.is_empty() {
            return procedures;
        }
        procedures.of_block = vec![None; program.blocks.len()];
        for (number, (entry, calls)) in calls.into_iter().enumerate() {
            let mut procedure = Procedure {
                entry,
                returns: Vec::new(),
                calls,
                changes: VariableSet::new(program),
            };
            let mut waiting = vec![entry];
            while let Some(block) = waiting.pop() {
                if procedures.of_block[block.0 as usize].replace(number).is_some() {
                    continue;
                }
                let content = &program.blocks[block.0 as usize];
                if content.terminator == FlatTerminator::Return {
                    procedure.returns.push(block);
                }
                for instruction in &content.instructions {
                    for variable in instruction.kind.changes() {
                        if program.variables[variable.0 as usize].activation.is_none() {
                            procedure.changes.insert(*variable);
                        }
                    }
                }
                waiting.extend(content.terminator.successors());
            }
            procedure.returns.sort_unstable();
            procedures.by_entry.insert(entry, number);
            procedures.all.push(procedure);
        }
        procedures.add_changes_of_calls();
        procedures
    }

    /// What a procedure calls changes what that changes.
    fn add_changes_of_calls(&mut self) {
        let mut grows = true;
        while grows {
            grows = false;
            for callee in 0..self.all.len() {
                let changes = self.all[callee].changes.clone();
                for (block, _) in self.all[callee].calls.clone() {
                    if let Some(caller) = self.of_block(block) {
                        grows |= self.all[caller].changes.extend(&changes);
                    }
                }
            }
        }
    }

    /// The procedure that a block belongs to.
    pub fn of_block(&self, block: FlatBlockId) -> Option<usize> {
        self.of_block.get(block.0 as usize).copied().flatten()
    }

    /// The procedure that starts at a block.
    pub fn at(&self, entry: FlatBlockId) -> Option<usize> {
        self.by_entry.get(&entry).copied()
    }

    /// For each procedure, whether a call of it may come to a block of which this is so.
    pub fn reaching(&self, is_so: &dyn Fn(FlatBlockId) -> bool) -> Vec<bool> {
        let mut reaching = vec![false; self.all.len()];
        for (block, procedure) in self.of_block.iter().enumerate() {
            if let Some(procedure) = procedure {
                reaching[*procedure] |= is_so(FlatBlockId(block as u32));
            }
        }
        let mut grows = true;
        while grows {
            grows = false;
            for callee in 0..self.all.len() {
                for (block, _) in &self.all[callee].calls {
                    if let Some(caller) = self.of_block(*block)
                        && reaching[callee]
                        && !std::mem::replace(&mut reaching[caller], true)
                    {
                        grows = true;
                    }
                }
            }
        }
        reaching
    }
}
