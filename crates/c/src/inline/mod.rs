//! Calls become copies of what they call: the program becomes one control-flow graph.
//!
//! Each copy has fresh instances of the function's parameters, locals and temporary variables. A call through a pointer
//! becomes a chain of comparisons with the addresses of the functions that the [points-to analysis](super::points_to) finds.
//! A function without a body is an unknown value, and may change what it gets pointers to. Functions that [recur](recursion),
//! and of which there would be [too many copies](size), have one copy each, and their calls [remain calls](procedures).

mod arguments;
mod call_graph;
mod calls;
mod copy;
mod procedures;
mod recursion;
mod size;

use super::flat::Note;
use super::options::Options;
use super::points_to::PointsTo;
use super::program::{
    Block, BlockId, Body, Callee, Expression, ExpressionKind, Function, FunctionId, Instruction, InstructionKind,
    Numeric, Place, PlaceBase, Program, Terminator, Variable, VariableId, VariableRole,
};
use super::syntax::Span;
use super::types::{Type, TypeId, Types};
use crate::diagnostics::Diagnostic;
use call_graph::CallGraph;
use calls::Call;
use hashbrown::{HashMap, HashSet};
use procedures::Procedure;
pub use procedures::escaping;
use std::collections::BTreeSet;

/// Which copy of a function something belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner {
    /// The function.
    pub function: u32,
    /// The copy, from 0.
    pub instance: u32,
}

/// Where an instance of a variable comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The copy it belongs to; `None` for globals.
    pub owner: Option<Owner>,
    /// The procedure of which each activation has a variable of its own; `None` if there is only one at a time.
    pub activation: Option<Activation>,
    /// Which variable of the program it is, if it is one.
    source: Option<VariableId>,
}

/// A function that recurs and whose calls remain calls, by the index in [`Inlined::entries`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Activation(pub u32);

/// A program without calls, but for those of functions that stay functions.
#[derive(Debug)]
pub struct Inlined {
    /// The last function is the entry and the only one with a body; the others stand for their addresses.
    pub program: Program,
    /// For each block, the copy it belongs to.
    pub owners: Vec<Owner>,
    /// For each variable, where it comes from.
    pub origins: Vec<Origin>,
    /// Where the calls that are left lead.
    pub entries: Vec<BlockId>,
    /// What has been given up.
    pub notes: Vec<Note>,
}

impl Inlined {
    /// The blocks.
    pub fn blocks(&self) -> &[Block] {
        let entry = self.program.functions.last().and_then(|entry| entry.body.as_ref());
        entry.map_or(&[], |body| &body.blocks)
    }
}

/// A copy of a function.
struct Context {
    owner: Owner,
    /// The copy with the call, and where the call is.
    caller: Option<(usize, Span)>,
    /// Where all that it does is shown, if its own text is not the program's: where the program calls it.
    shown: Option<Span>,
    /// What the call has behind the parameters.
    rest: Option<arguments::Rest>,
    /// The procedure that it is a part of.
    activation: Option<Activation>,
    variables: HashMap<VariableId, VariableId>,
}

/// A copy that is still to be made: its context, where it starts, and how it returns.
struct Pending {
    context: usize,
    entry: BlockId,
    after: Terminator,
}

struct Inliner<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    options: &'p Options,
    types: Types,
    variables: Vec<Variable>,
    origins: Vec<Origin>,
    globals: HashMap<VariableId, VariableId>,
    contexts: Vec<Context>,
    instances: Vec<u32>,
    /// How many copies have arguments behind their parameters, or could have.
    lists: u32,
    blocks: Vec<Block>,
    owners: Vec<Owner>,
    pending: Vec<Pending>,
    size: usize,
    /// For each function, whether its calls remain calls.
    kept: Vec<bool>,
    /// For each function, whether it may be called by what it calls.
    recurs: Vec<bool>,
    procedures: HashMap<FunctionId, Procedure>,
    entries: Vec<BlockId>,
    /// The variables that activations allocate, and the pointers to them by copy.
    boxed: &'p BTreeSet<VariableId>,
    boxes: HashMap<(usize, VariableId), VariableId>,
    notes: Vec<Note>,
    noted: HashSet<String>,
}

/// Replaces all calls but those of functions that recur or are too large. The variables in `boxed` are allocated by each activation of these, as
/// [`escaping`] says that they must.
pub fn inline(
    program: &Program,
    points_to: &PointsTo,
    boxed: &BTreeSet<VariableId>,
    options: &Options,
) -> Result<Inlined, Vec<Diagnostic>> {
    let graph = CallGraph::new(program, points_to);
    let mut kept = recursion::procedures(&graph);
    size::keep(program, &graph, options.copies, &mut kept);
    let mut inliner = Inliner {
        program,
        points_to,
        options,
        types: program.types.clone(),
        variables: Vec::new(),
        origins: Vec::new(),
        globals: HashMap::new(),
        contexts: Vec::new(),
        instances: vec![0; program.functions.len()],
        lists: 0,
        blocks: Vec::new(),
        owners: Vec::new(),
        pending: Vec::new(),
        size: 0,
        kept,
        recurs: graph.recurs,
        procedures: HashMap::new(),
        entries: Vec::new(),
        boxed,
        boxes: HashMap::new(),
        notes: Vec::new(),
        noted: HashSet::new(),
    };
    for function in &program.nesting {
        if inliner.recurs[function.0 as usize] {
            let span = program.functions[function.0 as usize].span;
            let message = "a function with a function inside that recurs cannot be translated";
            let refusal = Diagnostic::error(
                span.start as usize..span.end as usize,
                message,
                "it may be called again by what it calls",
            );
            return Err(vec![refusal.unsupported()]);
        }
    }
    let context = inliner.add_context(program.entry, None);
    let span = inliner
        .function(program.entry)
        .map_or(Span { start: 0, end: 0 }, |entry| entry.span);
    let entry = inliner.add_block(context, span);
    inliner.pending.push(Pending {
        context,
        entry,
        after: Terminator::Stop,
    });
    while let Some(pending) = inliner.pending.pop() {
        inliner.copy(&pending)?;
    }
    Ok(inliner.finish(entry, span))
}

impl<'p> Inliner<'p> {
    fn finish(self, entry: BlockId, span: Span) -> Inlined {
        let without_body = |function: &Function| Function {
            body: None,
            ..function.clone()
        };
        let mut functions: Vec<Function> = self.program.functions.iter().map(without_body).collect();
        functions.push(Function {
            name: String::new(),
            kind: Types::VOID,
            parameters: Vec::new(),
            result: None,
            body: Some(Body {
                blocks: self.blocks,
                entry,
            }),
            span,
            never_returns: false,
        });
        Inlined {
            program: Program {
                types: self.types,
                variables: self.variables,
                entry: FunctionId(functions.len() as u32 - 1),
                functions,
                is_part_of_others: self.program.is_part_of_others,
                is_called_by_others: self.program.is_called_by_others,
                replaceable: Vec::new(),
                nesting: Vec::new(),
                orders: Vec::new(),
                end: self.program.end,
                rounding: self
                    .program
                    .rounding
                    .and_then(|found| self.globals.get(&found).copied()),
            },
            owners: self.owners,
            origins: self.origins,
            entries: self.entries,
            notes: self.notes,
        }
    }

    fn function(&self, id: FunctionId) -> Option<&'p Function> {
        self.program.functions.get(id.0 as usize)
    }

    fn add_context(&mut self, function: FunctionId, caller: Option<(usize, Span)>) -> usize {
        let instance = self.instances.get_mut(function.0 as usize).map_or(0, |next| {
            *next += 1;
            *next - 1
        });
        let is_library = self
            .function(function)
            .is_some_and(|function| function.span.start >= self.program.end);
        let called = caller.map(|(caller, span)| self.contexts[caller].shown.unwrap_or(span));
        self.contexts.push(Context {
            owner: Owner {
                function: function.0,
                instance,
            },
            shown: called.filter(|_| is_library),
            rest: None,
            activation: caller.and_then(|(caller, _)| self.contexts[caller].activation),
            caller,
            variables: HashMap::new(),
        });
        self.contexts.len() - 1
    }

    fn add_block(&mut self, context: usize, span: Span) -> BlockId {
        self.blocks.push(Block {
            instructions: Vec::new(),
            terminator: Terminator::Stop,
            span,
            label: None,
        });
        self.owners.push(self.contexts[context].owner);
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn push(&mut self, block: BlockId, kind: InstructionKind, span: Span) {
        self.size += 1;
        self.blocks[block.0 as usize]
            .instructions
            .push(Instruction { kind, span });
    }

    fn end(&mut self, block: BlockId, terminator: Terminator, span: Span) {
        let block = &mut self.blocks[block.0 as usize];
        block.terminator = terminator;
        block.span = span;
    }

    /// The instance of a variable in a copy.
    fn variable(&mut self, context: usize, id: VariableId) -> VariableId {
        let Some(variable) = self.program.variables.get(id.0 as usize) else {
            return id;
        };
        let is_global = matches!(variable.role, VariableRole::Global | VariableRole::Literal);
        let known = match is_global {
            true => self.globals.get(&id),
            false => self.contexts[context].variables.get(&id),
        };
        if let Some(known) = known {
            return *known;
        }
        // A length is a scalar without a length of its own: this goes one level down.
        let length = variable
            .length
            .filter(|length| *length != id)
            .map(|length| self.variable(context, length));
        let (owner, activation) = match is_global {
            true => (None, None),
            false => (Some(self.contexts[context].owner), self.contexts[context].activation),
        };
        let mut copy = Variable {
            length,
            ..variable.clone()
        };
        if let Some(shown) = self.contexts[context].shown.filter(|_| !is_global) {
            copy.role = VariableRole::Temporary;
            copy.span = shown;
        }
        let source = Some(id);
        let origin = Origin {
            owner,
            activation,
            source,
        };
        let instance = self.add_variable(copy, origin);
        match is_global {
            true => self.globals.insert(id, instance),
            false => self.contexts[context].variables.insert(id, instance),
        };
        instance
    }

    fn add_variable(&mut self, variable: Variable, origin: Origin) -> VariableId {
        self.variables.push(variable);
        self.origins.push(origin);
        VariableId(self.variables.len() as u32 - 1)
    }

    /// Copies the blocks of a function that can be reached in it.
    fn copy(&mut self, pending: &Pending) -> Result<(), Vec<Diagnostic>> {
        let context = pending.context;
        let function = FunctionId(self.contexts[context].owner.function);
        let Some(body) = self.function(function).and_then(|function| function.body.as_ref()) else {
            return Ok(());
        };
        let mut copies: HashMap<BlockId, BlockId> = HashMap::new();
        let mut order = vec![body.entry];
        copies.insert(body.entry, pending.entry);
        let mut next = 0;
        let before = self.pending.len();
        let shown = self.contexts[context].shown;
        while let Some(old) = order.get(next).copied() {
            next += 1;
            let Some(block) = body.blocks.get(old.0 as usize) else {
                continue;
            };
            for successor in successors(&block.terminator) {
                if !copies.contains_key(&successor) {
                    let copy = self.add_block(context, shown.unwrap_or(block.span));
                    copies.insert(successor, copy);
                    order.push(successor);
                }
            }
            let mut current = copies[&old];
            let first = &mut self.blocks[current.0 as usize];
            first.span = shown.unwrap_or(block.span);
            first.label.clone_from(&block.label);
            for instruction in &block.instructions {
                current = self.instruction(context, current, instruction);
            }
            let terminator = match &block.terminator {
                Terminator::Goto(to) => Terminator::Goto(copies[to]),
                Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                } => Terminator::Branch {
                    condition: self.expression(context, condition),
                    then: copies[then],
                    otherwise: copies[otherwise],
                },
                Terminator::Switch {
                    value,
                    cases,
                    otherwise,
                } => Terminator::Switch {
                    value: self.expression(context, value),
                    cases: cases
                        .iter()
                        .map(|(low, high, to)| (low.clone(), high.clone(), copies[to]))
                        .collect(),
                    otherwise: copies[otherwise],
                },
                Terminator::Return => pending.after.clone(),
                Terminator::Call { .. } | Terminator::Stop | Terminator::Error(_) => block.terminator.clone(),
            };
            self.size += 1;
            self.end(current, terminator, shown.unwrap_or(block.span));
            if self.size > self.options.maximal_size {
                return Err(vec![self.too_large(context)]);
            }
        }
        // The first call is copied first.
        self.pending[before..].reverse();
        Ok(())
    }

    fn instruction(&mut self, context: usize, current: BlockId, instruction: &Instruction) -> BlockId {
        let span = self.contexts[context].shown.unwrap_or(instruction.span);
        let InstructionKind::Call {
            target,
            callee,
            kind,
            arguments,
        } = &instruction.kind
        else {
            match &instruction.kind {
                InstructionKind::StartArguments { list } => return self.start_arguments(context, current, list, span),
                InstructionKind::NextArgument { list, target } => {
                    return self.next_argument(context, current, [list, target], span);
                }
                _ => {}
            }
            let mut kind = self.renamed(context, &instruction.kind);
            if let InstructionKind::Expose { pointers, .. } = &mut kind {
                self.add_lists(context, current, pointers, span);
            }
            self.push(current, kind, span);
            return current;
        };
        let call = Call {
            kind: *kind,
            target: target.as_ref().map(|target| self.place(context, target)),
            arguments,
            span,
        };
        match callee {
            Callee::Function(function) => self.call(context, current, *function, &call),
            Callee::Address(pointer) => self.indirect_call(context, current, pointer, &call),
        }
    }

    fn note(&mut self, text: String, span: Span) {
        if self.noted.insert(text.clone()) {
            self.notes.push(Note { text, span });
        }
    }
}

/// A variable as a place.
pub fn variable_place(variable: VariableId, kind: TypeId) -> Place {
    Place {
        base: PlaceBase::Variable(variable),
        steps: Vec::new(),
        kind,
    }
}

/// The numbers of a type.
pub fn numeric(types: &Types, kind: TypeId) -> Numeric {
    match types.get(kind) {
        Type::Integer(kind) => Numeric::Integer(*kind),
        Type::Floating(bits) => Numeric::Floating(*bits),
        Type::Pointer(_) => Numeric::Pointer,
        _ => Numeric::Aggregate,
    }
}

/// Where a block may lead, but for returns from calls.
pub fn successors(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Goto(to) => vec![*to],
        Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { cases, otherwise, .. } => {
            let mut all: Vec<BlockId> = cases.iter().map(|(_, _, to)| *to).collect();
            all.push(*otherwise);
            all
        }
        Terminator::Call { entry, after } => vec![*entry, *after],
        Terminator::Return | Terminator::Stop | Terminator::Error(_) => Vec::new(),
    }
}
