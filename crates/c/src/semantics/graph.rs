//! Building a function's control-flow graph: blocks, marks in them, and the clean-up at the end.

use crate::program::{Block, BlockId, Body, ExpressionKind, Instruction, InstructionKind, Terminator};
use crate::syntax::Span;
use hashbrown::HashSet;
use num_traits::Zero;

/// A graph under construction. What is added after the end of a block can never be done and is dropped.
#[derive(Debug)]
pub(super) struct Graph {
    blocks: Vec<Draft>,
    current: BlockId,
}

#[derive(Debug)]
struct Draft {
    instructions: Vec<Instruction>,
    terminator: Option<Terminator>,
    span: Span,
    label: Option<String>,
}

/// A position in a graph: everything added later comes after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    block: BlockId,
    instruction: usize,
    blocks: usize,
}

impl Default for Graph {
    fn default() -> Self {
        Graph::new()
    }
}

impl Graph {
    /// A graph with one block, which is the entry.
    pub(super) fn new() -> Graph {
        let mut graph = Graph {
            blocks: Vec::new(),
            current: BlockId(0),
        };
        graph.new_block();
        graph
    }

    /// All instructions so far.
    pub(super) fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.blocks.iter().flat_map(|block| &block.instructions)
    }

    /// A graph that has been finished, to be changed.
    pub(super) fn of(body: Body) -> Graph {
        let draft = |block: Block| Draft {
            instructions: block.instructions,
            terminator: Some(block.terminator),
            span: block.span,
            label: block.label,
        };
        Graph {
            blocks: body.blocks.into_iter().map(draft).collect(),
            current: body.entry,
        }
    }

    /// The block with the number, if there are so many.
    pub(super) fn block(&self, number: usize) -> Option<BlockId> {
        (number < self.blocks.len()).then_some(BlockId(number as u32))
    }

    /// Where the first instruction of a kind is in a block.
    pub(super) fn position_in(&self, block: BlockId, is_meant: impl Fn(&InstructionKind) -> bool) -> Option<usize> {
        let mut instructions = self.blocks[block.0 as usize].instructions.iter();
        instructions.position(|instruction| is_meant(&instruction.kind))
    }

    /// Whether the instruction is the last thing that is done before the function returns.
    pub(super) fn returns_behind(&self, block: BlockId, position: usize) -> bool {
        let block = &self.blocks[block.0 as usize];
        block.terminator == Some(Terminator::Return) && position + 1 == block.instructions.len()
    }

    /// What comes behind an instruction becomes a block of its own; how the run gets there is left open.
    pub(super) fn split_behind(&mut self, block: BlockId, position: usize) -> BlockId {
        let rest = self.new_block();
        let draft = &mut self.blocks[block.0 as usize];
        let (instructions, terminator) = (draft.instructions.split_off(position + 1), draft.terminator.take());
        let span = draft.span;
        let behind = &mut self.blocks[rest.0 as usize];
        (behind.instructions, behind.terminator, behind.span) = (instructions, terminator, span);
        if self.current == block {
            self.current = rest;
        }
        rest
    }

    /// The last instruction of a block.
    pub(super) fn last_mut(&mut self, block: BlockId) -> Option<&mut Instruction> {
        self.blocks[block.0 as usize].instructions.last_mut()
    }

    /// Adds an instruction at the beginning of a block.
    pub(super) fn insert_first(&mut self, block: BlockId, kind: InstructionKind, span: Span) {
        let instructions = &mut self.blocks[block.0 as usize].instructions;
        instructions.insert(0, Instruction { kind, span });
    }

    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.push(Draft {
            instructions: Vec::new(),
            terminator: None,
            span: Span::default(),
            label: None,
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// The block where instructions are added.
    pub(super) fn current(&self) -> BlockId {
        self.current
    }

    /// Goes on in another block.
    pub(super) fn resume(&mut self, block: BlockId) {
        self.current = block;
    }

    pub(super) fn set_label(&mut self, block: BlockId, label: &str) {
        self.blocks[block.0 as usize].label = Some(label.to_string());
    }

    /// Whether nothing is done between the two blocks.
    pub(super) fn leads_at_once(&self, from: BlockId, to: BlockId) -> bool {
        let mut current = from;
        // No way without a repetition is longer.
        for _ in 0..self.blocks.len() {
            if current == to {
                return true;
            }
            let block = &self.blocks[current.0 as usize];
            match block.terminator {
                Some(Terminator::Goto(next)) if block.instructions.is_empty() => current = next,
                _ => return false,
            }
        }
        false
    }

    pub(super) fn emit(&mut self, kind: InstructionKind, span: Span) {
        let block = &mut self.blocks[self.current.0 as usize];
        if block.terminator.is_none() {
            block.instructions.push(Instruction { kind, span });
        }
    }

    /// Whether the current block has not ended yet.
    pub(super) fn is_open(&self) -> bool {
        self.blocks[self.current.0 as usize].terminator.is_none()
    }

    /// Adds an instruction at the end of a block, before it goes on to the next one.
    pub(super) fn append(&mut self, block: BlockId, kind: InstructionKind, span: Span) {
        let instructions = &mut self.blocks[block.0 as usize].instructions;
        instructions.push(Instruction { kind, span });
    }

    /// Ends the current block, if it has not ended already.
    pub(super) fn terminate(&mut self, terminator: Terminator, span: Span) {
        let current = self.current;
        self.terminate_block(current, terminator, span);
    }

    pub(super) fn terminate_block(&mut self, block: BlockId, terminator: Terminator, span: Span) {
        let block = &mut self.blocks[block.0 as usize];
        if block.terminator.is_none() {
            block.terminator = Some(terminator);
            block.span = span;
        }
    }

    pub(super) fn goto(&mut self, target: BlockId, span: Span) {
        self.terminate(Terminator::Goto(target), span);
    }

    /// Ends the current block by going on to a new one, and resumes there.
    pub(super) fn fall_into(&mut self, target: BlockId, span: Span) {
        self.goto(target, span);
        self.resume(target);
    }

    /// The last instruction of the current block.
    pub(super) fn last(&self) -> Option<&InstructionKind> {
        let block = &self.blocks[self.current.0 as usize];
        block.instructions.last().map(|instruction| &instruction.kind)
    }

    /// The source of the last instruction of the current block.
    pub(super) fn last_span(&self) -> Span {
        let block = &self.blocks[self.current.0 as usize];
        block
            .instructions
            .last()
            .map_or(block.span, |instruction| instruction.span)
    }

    /// Whether nothing has been added to the block, and it has not been left.
    pub(super) fn is_untouched(&self, block: BlockId) -> bool {
        let draft = &self.blocks[block.0 as usize];
        self.current == block && draft.instructions.is_empty() && draft.terminator.is_none()
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            block: self.current,
            instruction: self.blocks[self.current.0 as usize].instructions.len(),
            blocks: self.blocks.len(),
        }
    }

    /// What has been added after the mark.
    pub(super) fn since(&self, mark: Mark) -> impl Iterator<Item = &Instruction> {
        let tail = self.blocks[mark.block.0 as usize]
            .instructions
            .iter()
            .skip(mark.instruction);
        let later = self.blocks.iter().skip(mark.blocks);
        tail.chain(later.flat_map(|block| block.instructions.iter()))
    }

    /// What a run may come to behind the mark: the instructions, and the ends of blocks. Conditions that are constants are
    /// decided.
    pub(super) fn reached_since(&self, mark: Mark) -> (Vec<&Instruction>, Vec<&Terminator>) {
        let (mut instructions, mut ends) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        let mut work = vec![mark.block];
        while let Some(id) = work.pop() {
            let block = &self.blocks[id.0 as usize];
            if !seen.insert(id) {
                continue;
            }
            let before = if id == mark.block { mark.instruction } else { 0 };
            instructions.extend(block.instructions.iter().skip(before));
            let Some(terminator) = &block.terminator else { continue };
            ends.push(terminator);
            match terminator {
                Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                } => match &condition.kind {
                    ExpressionKind::Integer(number) if number.is_zero() => work.push(*otherwise),
                    ExpressionKind::Integer(_) => work.push(*then),
                    _ => work.extend([*then, *otherwise]),
                },
                _ => work.extend(successors(terminator)),
            }
        }
        (instructions, ends)
    }

    /// Adds an instruction at the mark, before everything that has been added after it.
    pub(super) fn insert(&mut self, mark: Mark, kind: InstructionKind, span: Span) {
        let instructions = &mut self.blocks[mark.block.0 as usize].instructions;
        let at = mark.instruction.min(instructions.len());
        instructions.insert(at, Instruction { kind, span });
    }

    /// Adds instructions at the very start.
    pub(super) fn prepend(&mut self, mut instructions: Vec<Instruction>) {
        if let Some(entry) = self.blocks.first_mut() {
            instructions.append(&mut entry.instructions);
            entry.instructions = instructions;
        }
    }

    /// The body. Blocks that have not ended return; blocks that cannot be reached are dropped, chains become one block.
    pub(super) fn finish(mut self, end: Span) -> Body {
        for block in &mut self.blocks {
            if block.terminator.is_none() {
                block.terminator = Some(Terminator::Return);
                block.span = end;
            }
        }
        let blocks: Vec<Block> = self.blocks.into_iter().map(Draft::into_block).collect();
        compact(merge(thread(blocks)))
    }
}

impl Draft {
    fn into_block(self) -> Block {
        Block {
            instructions: self.instructions,
            terminator: self.terminator.unwrap_or(Terminator::Return),
            span: self.span,
            label: self.label,
        }
    }
}

/// Leads edges past blocks that do nothing and have no name.
fn thread(mut blocks: Vec<Block>) -> Vec<Block> {
    let mut skips: Vec<Option<BlockId>> = blocks.iter().map(skipped_to).collect();
    for block in &mut blocks {
        for target in successors_mut(&mut block.terminator) {
            *target = resolve(&mut skips, *target);
        }
    }
    blocks
}

/// Where a chain of blocks to skip leads. Every block on the way is remembered to lead there at once.
fn resolve(skips: &mut [Option<BlockId>], start: BlockId) -> BlockId {
    let mut chain = Vec::new();
    let mut target = start;
    while let Some(next) = skips[target.0 as usize].take() {
        chain.push(target);
        target = next;
    }
    // A block met again on the way has been taken out, so that a cycle (an endless loop) ends at one of its blocks.
    for block in chain {
        skips[block.0 as usize] = (block != target).then_some(target);
    }
    target
}

fn skipped_to(block: &Block) -> Option<BlockId> {
    match block.terminator {
        Terminator::Goto(target) if block.instructions.is_empty() && block.label.is_none() => Some(target),
        _ => None,
    }
}

/// Joins every block to its only predecessor where that does nothing but go on to it.
fn merge(mut blocks: Vec<Block>) -> Vec<Block> {
    let reachable = reachable(&blocks);
    let mut predecessors = vec![0_usize; blocks.len()];
    if let Some(entry) = predecessors.first_mut() {
        *entry = 1;
    }
    for block in blocks.iter().zip(&reachable).filter(|(_, reachable)| **reachable) {
        for target in successors(&block.0.terminator) {
            predecessors[target.0 as usize] += 1;
        }
    }
    for index in 0..blocks.len() {
        if !reachable[index] {
            continue;
        }
        while let Terminator::Goto(target) = blocks[index].terminator {
            let target = target.0 as usize;
            if target == index || predecessors[target] != 1 || blocks[target].label.is_some() {
                break;
            }
            let instructions = std::mem::take(&mut blocks[target].instructions);
            let terminator = std::mem::replace(&mut blocks[target].terminator, Terminator::Stop);
            let span = blocks[target].span;
            blocks[index].instructions.extend(instructions);
            blocks[index].terminator = terminator;
            blocks[index].span = span;
        }
    }
    blocks
}

/// Drops what cannot be reached.
fn compact(blocks: Vec<Block>) -> Body {
    let reachable = reachable(&blocks);
    let mut renumbered = vec![BlockId(0); blocks.len()];
    let mut next = 0;
    for (index, number) in renumbered.iter_mut().enumerate() {
        *number = BlockId(next);
        next += u32::from(reachable[index]);
    }
    let mut kept = Vec::with_capacity(next as usize);
    for (index, mut block) in blocks.into_iter().enumerate() {
        if reachable[index] {
            for target in successors_mut(&mut block.terminator) {
                *target = renumbered[target.0 as usize];
            }
            kept.push(block);
        }
    }
    Body {
        blocks: kept,
        entry: BlockId(0),
    }
}

fn reachable(blocks: &[Block]) -> Vec<bool> {
    let mut reached = vec![false; blocks.len()];
    let mut work = vec![0_usize];
    while let Some(index) = work.pop() {
        if let Some(seen) = reached.get_mut(index).filter(|seen| !**seen) {
            *seen = true;
            work.extend(successors(&blocks[index].terminator).map(|target| target.0 as usize));
        }
    }
    reached
}

fn successors(terminator: &Terminator) -> impl Iterator<Item = BlockId> {
    let mut targets = Vec::new();
    match terminator {
        Terminator::Goto(target) => targets.push(*target),
        Terminator::Branch { then, otherwise, .. } => targets.extend([*then, *otherwise]),
        Terminator::Switch { cases, otherwise, .. } => {
            targets.extend(cases.iter().map(|case| case.2));
            targets.push(*otherwise);
        }
        Terminator::Call { entry, after } => targets.extend([*entry, *after]),
        Terminator::Return | Terminator::Stop | Terminator::Error(_) => {}
    }
    targets.into_iter()
}

fn successors_mut(terminator: &mut Terminator) -> Vec<&mut BlockId> {
    match terminator {
        Terminator::Goto(target) => vec![target],
        Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
        Terminator::Switch { cases, otherwise, .. } => {
            let cases = cases.iter_mut().map(|case| &mut case.2);
            cases.chain(std::iter::once(otherwise)).collect()
        }
        Terminator::Call { entry, after } => vec![entry, after],
        Terminator::Return | Terminator::Stop | Terminator::Error(_) => Vec::new(),
    }
}
