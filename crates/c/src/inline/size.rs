//! Which functions stay functions because the program would be too large otherwise.
//!
//! A program in which each call is replaced by a copy grows exponentially with the depth of its calls. Copies are better as long
//! as there is room for them: each knows where it is called from, and rules without calls are what most methods are best at. So
//! functions stay functions only in a program that has more instructions than [`Options::copies`](super::Options::copies), and
//! no more of them than it takes: first the one whose copies make up most of the program. What takes or gives back pointers, or
//! allocates, comes last, as a copy says better what they point to.

use super::Inliner;
use super::call_graph::CallGraph;
use crate::diagnostics::Diagnostic;
use crate::graphs::components;
use crate::program::{Function, FunctionId, InstructionKind, Program};
use crate::syntax::Span;
use crate::types::{Type, TypeId};

/// Adds to the functions that stay functions.
pub(super) fn keep(program: &Program, graph: &CallGraph, limit: usize, kept: &mut [bool]) {
    let weights: Vec<u64> = program.functions.iter().map(weight).collect();
    let may_stay = may_stay(program, graph);
    let is_plain = plain(program, graph);
    loop {
        let copies = Copies::new(graph, &weights, kept);
        if copies.total <= limit as u64 {
            return;
        }
        let saved = |function: usize| (copies.number[function].saturating_sub(1)).saturating_mul(copies.size[function]);
        // One that saves next to nothing is not worth being a function.
        let is_worth_it = |function: &usize| {
            may_stay[*function] && !kept[*function] && saved(*function).saturating_mul(100) > copies.total
        };
        let candidates: Vec<usize> = graph.order.iter().copied().filter(is_worth_it).collect();
        let plain = candidates.iter().filter(|function| is_plain[**function]);
        // The first of equals: deterministic, and callers come first.
        let largest = |one: &usize, other: &usize| saved(*one).cmp(&saved(*other)).then(other.cmp(one));
        let Some(chosen) = plain
            .copied()
            .max_by(largest)
            .or_else(|| candidates.iter().copied().max_by(largest))
        else {
            return;
        };
        kept[chosen] = true;
    }
}

impl Inliner<'_> {
    /// The refusal of a program that is too large all the same, with the calls that lead to where the limit was reached.
    pub(super) fn too_large(&self, context: usize) -> Diagnostic {
        let range = |span: Span| span.start as usize..span.end as usize;
        let name = |index: usize| {
            let function = FunctionId(self.contexts[index].owner.function);
            self.function(function).map_or("", |function| function.name.as_str())
        };
        let mut chain = vec![name(context)];
        let mut calls = Vec::new();
        let mut current = self.contexts[context].caller;
        while let Some((caller, span)) = current {
            chain.push(name(caller));
            calls.push(span);
            current = self.contexts[caller].caller;
        }
        chain.reverse();
        let span = self
            .function(FunctionId(self.contexts[context].owner.function))
            .map(|function| function.span);
        let mut diagnostic = Diagnostic::error(
            range(span.unwrap_or(Span { start: 0, end: 0 })),
            format!(
                "the program has more than {} instructions when calls are replaced by what they call",
                self.options.maximal_size
            ),
            format!("reached in the calls {}", chain.join(" → ")),
        )
        .help("make the program smaller, or raise the limit")
        .unsupported();
        for call in calls.into_iter().take(8) {
            diagnostic = diagnostic.related(range(call), "called here");
        }
        diagnostic
    }
}

/// What copies there are if some functions stay functions.
struct Copies {
    /// For each function, of how many instructions a copy is, with the copies in it.
    size: Vec<u64>,
    /// For each function, how many copies there are.
    number: Vec<u64>,
    /// How many instructions all functions and copies have together.
    total: u64,
}

impl Copies {
    fn new(graph: &CallGraph, weights: &[u64], kept: &[bool]) -> Copies {
        // What recurs is kept, so each group is one function, and each is behind those that have copies of it.
        let copied = |callees: &Vec<usize>| callees.iter().copied().filter(|callee| !kept[*callee]).collect();
        let copied: Vec<Vec<usize>> = graph.callees.iter().map(copied).collect();
        let mut is_called = vec![false; kept.len()];
        graph.order.iter().for_each(|function| is_called[*function] = true);
        let order: Vec<usize> = components(&copied, &is_called).into_iter().flatten().collect();
        let entry = graph.order.first();
        let mut size = weights.to_vec();
        for function in order.iter().rev() {
            let inside = graph.calls[*function].iter().filter(|callee| !kept[**callee]);
            size[*function] = inside.fold(weights[*function], |sum, callee| sum.saturating_add(size[*callee]));
        }
        let mut number = vec![0u64; weights.len()];
        let mut total = 0u64;
        for function in &order {
            if Some(function) == entry || kept[*function] {
                number[*function] = 1;
                total = total.saturating_add(size[*function]);
            }
            for callee in graph.calls[*function].iter().filter(|callee| !kept[**callee]) {
                number[*callee] = number[*callee].saturating_add(number[*function]);
            }
        }
        Copies { size, number, total }
    }
}

/// The instructions of a function, with the ends of its blocks.
fn weight(function: &Function) -> u64 {
    let blocks = function.body.iter().flat_map(|body| &body.blocks);
    blocks.map(|block| block.instructions.len() as u64 + 1).sum()
}

/// For each function, whether it may stay one. What is inside of another function needs the copy of that, and arguments behind the
/// parameters are known to copies only.
fn may_stay(program: &Program, graph: &CallGraph) -> Vec<bool> {
    let mut may_stay = vec![true; program.functions.len()];
    may_stay[program.entry.0 as usize] = false;
    for function in graph.called_by(&program.nesting) {
        may_stay[function] = false;
    }
    let uses_lists = |kind: &InstructionKind| {
        matches!(
            kind,
            InstructionKind::StartArguments { .. } | InstructionKind::NextArgument { .. }
        )
    };
    for function in having(program, graph, &uses_lists) {
        may_stay[function] = false;
    }
    may_stay
}

/// For each function, whether it and what it calls allocate nothing, and it takes and gives back no pointers.
fn plain(program: &Program, graph: &CallGraph) -> Vec<bool> {
    let is_number = |kind: TypeId| {
        matches!(
            program.types.get(kind),
            Type::Void | Type::Integer(_) | Type::Floating(_)
        )
    };
    let mut plain: Vec<bool> = program
        .functions
        .iter()
        .map(|function| match program.types.get(function.kind) {
            Type::Function { result, parameters, .. } => {
                is_number(*result) && parameters.iter().all(|parameter| is_number(*parameter))
            }
            _ => false,
        })
        .collect();
    let allocates =
        |kind: &InstructionKind| matches!(kind, InstructionKind::Allocate { .. } | InstructionKind::Free(_));
    for function in having(program, graph, &allocates) {
        plain[function] = false;
    }
    plain
}

/// The functions that have such an instruction, or may call one that has.
fn having(program: &Program, graph: &CallGraph, is_such: &dyn Fn(&InstructionKind) -> bool) -> Vec<usize> {
    let has = |function: &usize| {
        let blocks = program.functions[*function].body.iter().flat_map(|body| &body.blocks);
        let mut instructions = blocks.flat_map(|block| &block.instructions);
        instructions.any(|instruction| is_such(&instruction.kind))
    };
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.functions.len()];
    for (function, callees) in graph.callees.iter().enumerate() {
        for callee in callees {
            callers[*callee].push(function);
        }
    }
    let mut waiting: Vec<usize> = (0..program.functions.len()).filter(has).collect();
    let mut found = vec![false; program.functions.len()];
    while let Some(function) = waiting.pop() {
        if !std::mem::replace(&mut found[function], true) {
            waiting.extend_from_slice(&callers[function]);
        }
    }
    (0..found.len()).filter(|function| found[*function]).collect()
}
