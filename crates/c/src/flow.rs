//! The shape of a flat program's graph: an order of its blocks, predecessors, loops, post-dominators and control dependence;
//! and the walks over flat expressions that several passes need.

use super::flat::{
    FlatBlockId, FlatExpression, FlatInstruction, FlatInstructionKind, FlatProgram, FlatTerminator, FlatVariable, Leaf,
};
use super::procedures::Procedures;
use super::program::ExpressionKind;

impl FlatTerminator {
    /// Where it may go on in the same procedure; behind a call, that is.
    pub(crate) fn successors(&self) -> Vec<FlatBlockId> {
        match self {
            FlatTerminator::Goto(next) => vec![*next],
            FlatTerminator::Branch { then, otherwise, .. } if then == otherwise => vec![*then],
            FlatTerminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            FlatTerminator::Call { after, .. } => vec![*after],
            FlatTerminator::Return | FlatTerminator::Stop | FlatTerminator::Error(_) => Vec::new(),
        }
    }

    /// Where it may go on at all, but for returns: what it calls included.
    fn edges(&self) -> Vec<FlatBlockId> {
        let mut edges = self.successors();
        if let FlatTerminator::Call { entry, .. } = self {
            edges.push(*entry);
        }
        edges
    }

    /// The expressions in it: the condition, or the values of which an error tells.
    pub(crate) fn expressions(&self) -> &[FlatExpression] {
        match self {
            FlatTerminator::Branch { condition, .. } => std::slice::from_ref(condition),
            FlatTerminator::Error(failure) => &failure.values,
            FlatTerminator::Goto(_) | FlatTerminator::Call { .. } | FlatTerminator::Return | FlatTerminator::Stop => {
                &[]
            }
        }
    }

    /// The [expressions](Self::expressions), to be changed.
    pub(crate) fn expressions_mut(&mut self) -> &mut [FlatExpression] {
        match self {
            FlatTerminator::Branch { condition, .. } => std::slice::from_mut(condition),
            FlatTerminator::Error(failure) => &mut failure.values,
            FlatTerminator::Goto(_) | FlatTerminator::Call { .. } | FlatTerminator::Return | FlatTerminator::Stop => {
                &mut []
            }
        }
    }
}

impl FlatExpression {
    /// Calls the function with each operand; the index of an element is one.
    pub(crate) fn for_each_operand<'e>(&'e self, visit: &mut dyn FnMut(&'e FlatExpression)) {
        match &self.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Floating(_) | ExpressionKind::FunctionAddress(_) => {}
            ExpressionKind::Read(leaf) => leaf.for_each_index(visit),
            ExpressionKind::AddressOf(leaf) => leaf.for_each_index(visit),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => visit(operand),
            ExpressionKind::Binary(_, left, right) => {
                visit(left);
                visit(right);
            }
            ExpressionKind::Conditional(condition, consequence, alternative)
            | ExpressionKind::Fused(condition, consequence, alternative) => {
                visit(condition);
                visit(consequence);
                visit(alternative);
            }
        }
    }

    /// Calls the function with this expression and all inside it.
    pub(crate) fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e FlatExpression)) {
        let mut waiting = vec![self];
        while let Some(expression) = waiting.pop() {
            visit(expression);
            expression.for_each_operand(&mut |operand| waiting.push(operand));
        }
    }

    /// Whether the expression has at most so many nodes.
    pub(crate) fn has_at_most(&self, limit: usize) -> bool {
        let mut waiting = vec![self];
        let mut count = 0;
        while let Some(expression) = waiting.pop() {
            count += 1;
            if count > limit {
                return false;
            }
            expression.for_each_operand(&mut |operand| waiting.push(operand));
        }
        true
    }

    /// Calls the function with each variable that is read.
    pub(crate) fn for_each_variable(&self, visit: &mut dyn FnMut(FlatVariable)) {
        self.for_each_part(&mut |part| {
            if let ExpressionKind::Read(Leaf::Variable(variable) | Leaf::Element(variable, _)) = &part.kind {
                visit(*variable);
            }
        });
    }
}

impl Leaf {
    fn for_each_index<'e>(&'e self, visit: &mut dyn FnMut(&'e FlatExpression)) {
        if let Leaf::Element(_, index) = self {
            visit(index);
        }
    }
}

impl FlatInstruction {
    /// The expressions in it.
    pub(crate) fn expressions(&self) -> Vec<&FlatExpression> {
        match &self.kind {
            FlatInstructionKind::Assign(_, value) | FlatInstructionKind::Fill { value, .. } => vec![value],
            FlatInstructionKind::Store { index, value, .. } => vec![index, value],
            FlatInstructionKind::Assume(condition) | FlatInstructionKind::Defined(condition) => vec![condition],
            FlatInstructionKind::Print(values) => values.iter().collect(),
            FlatInstructionKind::CopyArray { .. }
            | FlatInstructionKind::Unknown(..)
            | FlatInstructionKind::Unsupported { .. } => Vec::new(),
        }
    }
}

impl FlatProgram {
    /// Calls the function with every expression and all inside them.
    pub(crate) fn for_each_expression<'e>(&'e self, visit: &mut dyn FnMut(&'e FlatExpression)) {
        for block in &self.blocks {
            for instruction in &block.instructions {
                for expression in instruction.expressions() {
                    expression.for_each_part(visit);
                }
            }
            for expression in block.terminator.expressions() {
                expression.for_each_part(visit);
            }
        }
    }
}

/// The graph's blocks that can be reached from the entry, and how they are connected. A call leads to what is called, and to
/// behind it.
pub(crate) struct Flow {
    order: Vec<FlatBlockId>,
    position: Vec<Option<usize>>,
    predecessors: Vec<Vec<FlatBlockId>>,
    loop_headers: Vec<bool>,
    /// What is called.
    pub procedures: Procedures,
}

impl Flow {
    /// The shape of a program's graph.
    pub fn new(program: &FlatProgram) -> Flow {
        let count = program.blocks.len();
        let mut flow = Flow {
            order: Vec::new(),
            position: vec![None; count],
            predecessors: vec![Vec::new(); count],
            loop_headers: vec![false; count],
            procedures: Procedures::default(),
        };
        if count == 0 {
            return flow;
        }
        // Depth first with an explicit stack; a block that is still on it when an edge leads to it heads a loop.
        let mut visited = vec![false; count];
        let mut active = vec![false; count];
        let mut stack = vec![(FlatBlockId(0), program.blocks[0].terminator.edges(), 0)];
        (visited[0], active[0]) = (true, true);
        while let Some((block, successors, next)) = stack.last_mut() {
            let Some(successor) = successors.get(*next).copied() else {
                active[block.0 as usize] = false;
                flow.order.push(*block);
                stack.pop();
                continue;
            };
            *next += 1;
            let index = successor.0 as usize;
            flow.predecessors[index].push(*block);
            if active[index] {
                flow.loop_headers[index] = true;
            }
            if !visited[index] {
                (visited[index], active[index]) = (true, true);
                stack.push((successor, program.blocks[index].terminator.edges(), 0));
            }
        }
        flow.order.reverse();
        for (position, block) in flow.order.iter().enumerate() {
            flow.position[block.0 as usize] = Some(position);
        }
        flow.procedures = Procedures::new(program, &flow.order);
        flow
    }

    /// The reachable blocks in reverse postorder: before its successors, but for the edges back to loop headers.
    pub fn order(&self) -> &[FlatBlockId] {
        &self.order
    }

    /// The position of a block in the order; `None` if it cannot be reached.
    pub fn position(&self, block: FlatBlockId) -> Option<usize> {
        self.position[block.0 as usize]
    }

    /// The reachable blocks that lead to a block.
    pub fn predecessors(&self, block: FlatBlockId) -> &[FlatBlockId] {
        &self.predecessors[block.0 as usize]
    }

    /// Whether an edge leads back to the block.
    pub fn is_loop_header(&self, block: FlatBlockId) -> bool {
        self.loop_headers[block.0 as usize]
    }

    /// Whether the edge goes backward in the order, closing a loop.
    pub fn is_back_edge(&self, from: FlatBlockId, to: FlatBlockId) -> bool {
        self.position(from) >= self.position(to)
    }

    /// The blocks from which one of the given ones can be reached, these included.
    pub fn reaching(&self, targets: &[FlatBlockId]) -> Vec<bool> {
        let mut reaching = vec![false; self.position.len()];
        let mut waiting = targets.to_vec();
        for target in targets {
            reaching[target.0 as usize] = true;
        }
        while let Some(block) = waiting.pop() {
            for predecessor in self.predecessors(block) {
                if !std::mem::replace(&mut reaching[predecessor.0 as usize], true) {
                    waiting.push(*predecessor);
                }
            }
        }
        reaching
    }
}

/// What each block is followed by on every way to the end.
pub(crate) struct PostDominators {
    /// The nearest such block, by block; `None` for the end itself, and where the end cannot be reached.
    immediate: Vec<Option<FlatBlockId>>,
}

impl PostDominators {
    /// The post-dominators of the blocks that can be reached.
    pub fn new(program: &FlatProgram, flow: &Flow) -> PostDominators {
        let end = program.blocks.len();
        // Depth first backward from the end, for an order in which post-dominators come first.
        let exits: Vec<usize> = flow
            .order()
            .iter()
            .filter(|block| program.blocks[block.0 as usize].terminator.successors().is_empty())
            .map(|block| block.0 as usize)
            .collect();
        let before = |node: usize| -> Vec<usize> {
            if node == end {
                return exits.clone();
            }
            let node = FlatBlockId(node as u32);
            let predecessors = flow.predecessors(node).iter().map(|block| block.0 as usize);
            // A call is followed by what is behind it, and not by what it calls.
            predecessors
                .filter(|block| program.blocks[*block].terminator.successors().contains(&node))
                .collect()
        };
        let mut number = vec![usize::MAX; end + 1];
        let mut postorder = Vec::new();
        let mut visited = vec![false; end + 1];
        visited[end] = true;
        let mut stack = vec![(end, before(end), 0)];
        while let Some((node, nexts, position)) = stack.last_mut() {
            let Some(next) = nexts.get(*position).copied() else {
                number[*node] = postorder.len();
                postorder.push(*node);
                stack.pop();
                continue;
            };
            *position += 1;
            if !std::mem::replace(&mut visited[next], true) {
                stack.push((next, before(next), 0));
            }
        }
        // Cooper, Harvey and Kennedy's iteration.
        let mut immediate: Vec<Option<usize>> = vec![None; end + 1];
        immediate[end] = Some(end);
        let mut changed = true;
        while changed {
            changed = false;
            for node in postorder.iter().rev().copied().filter(|node| *node != end) {
                let successors = program.blocks[node].terminator.successors();
                let mut nexts: Vec<usize> = successors.iter().map(|block| block.0 as usize).collect();
                if nexts.is_empty() {
                    nexts.push(end);
                }
                let known = nexts.into_iter().filter(|next| immediate[*next].is_some());
                let common = known.reduce(|mut a, mut b| {
                    while a != b {
                        let lower = if number[a] < number[b] { &mut a } else { &mut b };
                        *lower = immediate[*lower].unwrap_or(end);
                    }
                    a
                });
                if common.is_some() && immediate[node] != common {
                    immediate[node] = common;
                    changed = true;
                }
            }
        }
        PostDominators {
            immediate: immediate
                .into_iter()
                .take(end)
                .map(|next| next.filter(|next| *next != end).map(|next| FlatBlockId(next as u32)))
                .collect(),
        }
    }

    /// The nearest block on every way from here to the end.
    pub fn immediate(&self, block: FlatBlockId) -> Option<FlatBlockId> {
        self.immediate[block.0 as usize]
    }

    /// For each block, the branches that decide whether it is reached.
    pub fn controllers(&self, program: &FlatProgram, flow: &Flow) -> Vec<Vec<FlatBlockId>> {
        let mut controllers: Vec<Vec<FlatBlockId>> = vec![Vec::new(); program.blocks.len()];
        for block in flow.order() {
            let successors = program.blocks[block.0 as usize].terminator.successors();
            if successors.len() < 2 {
                continue;
            }
            let stop = self.immediate(*block);
            for successor in successors {
                let mut current = Some(successor);
                while current != stop {
                    let Some(reached) = current else { break };
                    let known = &mut controllers[reached.0 as usize];
                    // Both sides may meet below; from there on everything is known already.
                    if known.last() == Some(block) {
                        break;
                    }
                    known.push(*block);
                    current = self.immediate(reached);
                }
            }
        }
        controllers
    }
}
