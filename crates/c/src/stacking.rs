//! Calls of procedures by an explicit stack: a program without procedures that has the same runs.
//!
//! A call puts what the caller's activation has for itself into arrays, at the number of calls that are open, and beside it the
//! number of the call; a return takes it from there, and goes on behind the call that it finds. What comes of it can be run
//! step by step, for no rule waits for another. To reason about all runs it is of little use, as it takes what is known of all
//! elements of the stack.

use super::flat::{
    FlatBlock, FlatBlockId, FlatExpression, FlatInstruction, FlatInstructionKind, FlatProgram, FlatTerminator,
    FlatVariable, Leaf, SourcePlace, VariableInfo,
};
use super::flow::Flow;
use super::liveness::{Everything, VariableSet, live_at_start};
use super::memory::build;
use super::program::{BinaryOperator, Expression, ExpressionKind, Numeric, UnknownSource, Written};
use super::syntax::Span;
use super::types::Types;
use crate::diagnostics::Diagnostic;
use hashbrown::HashMap;

/// Replaces the calls of all procedures.
///
/// # Errors
/// An array would have to be put on the stack.
pub(crate) fn stack(program: &mut FlatProgram) -> Result<(), Vec<Diagnostic>> {
    let flow = Flow::new(program);
    if flow.procedures.all.is_empty() {
        return Ok(());
    }
    let everything = Everything {
        observed: &|_, _| true,
        at_the_end: None,
    };
    let live = live_at_start(program, &flow, &everything);
    let depth = add_variable(program, "calls", false, Numeric::Pointer);
    program.open_calls = Some(depth);
    let mut stacking = Stacking {
        depth,
        returns: add_variable(program, "return_to", true, Numeric::Pointer),
        saved: HashMap::new(),
        program,
    };
    let start = stacking.assignment(stacking.depth, build::address(0), FlatBlockId(0));
    stacking.program.blocks[0].instructions.insert(0, start);
    let mut number = 0u64;
    for procedure in &flow.procedures.all {
        let mut sites = Vec::new();
        for (block, after) in &procedure.calls {
            let own = stacking.own(&live[after.0 as usize])?;
            let fresh = stacking.own_of(&live[procedure.entry.0 as usize]);
            stacking.call(*block, procedure.entry, &own, &fresh, number);
            sites.push((number, *after, own));
            number += 1;
        }
        for block in &procedure.returns {
            stacking.return_to(*block, &sites);
        }
    }
    Ok(())
}

fn add_variable(program: &mut FlatProgram, name: &str, is_array: bool, numeric: Numeric) -> FlatVariable {
    let mut free = name.to_string();
    while program.variables.iter().any(|variable| variable.name == free) {
        free.push('~');
    }
    program.variables.push(VariableInfo {
        name: free,
        numeric,
        is_array,
        is_temporary: true,
        is_global: false,
        activation: None,
    });
    FlatVariable(program.variables.len() as u32 - 1)
}

struct Stacking<'p> {
    program: &'p mut FlatProgram,
    /// How many calls are open.
    depth: FlatVariable,
    /// For each of them, its number.
    returns: FlatVariable,
    /// For each variable of an activation, what it is in those that wait.
    saved: HashMap<FlatVariable, FlatVariable>,
}

impl Stacking<'_> {
    /// Those of the variables that an activation has for itself.
    fn own_of(&self, live: &VariableSet) -> Vec<FlatVariable> {
        let is_own = |variable: &FlatVariable| self.info(*variable).activation.is_some();
        live.iter().filter(is_own).collect()
    }

    /// The same, if they can be put on a stack.
    fn own(&self, live: &VariableSet) -> Result<Vec<FlatVariable>, Vec<Diagnostic>> {
        let own = self.own_of(live);
        match own.iter().find(|variable| self.info(**variable).is_array) {
            None => Ok(own),
            Some(array) => {
                let name = &self.info(*array).name;
                let problem = format!("cannot put `{name}` on a stack: it is an array in a function that recurs");
                Err(vec![Diagnostic::error(0..0, problem, "in this program").unsupported()])
            }
        }
    }

    fn info(&self, variable: FlatVariable) -> &VariableInfo {
        &self.program.variables[variable.0 as usize]
    }

    fn place(&self, block: FlatBlockId) -> SourcePlace {
        self.program.blocks[block.0 as usize].place
    }

    fn read(&self, variable: FlatVariable) -> FlatExpression {
        build::variable(variable, self.info(variable).numeric, Types::INT)
    }

    fn element(&self, array: FlatVariable) -> FlatExpression {
        Expression {
            kind: ExpressionKind::Read(Leaf::Element(array, Box::new(self.read(self.depth)))),
            numeric: self.info(array).numeric,
            c_type: Types::INT,
            written: Written::default(),
        }
    }

    fn instruction(&self, kind: FlatInstructionKind, block: FlatBlockId) -> FlatInstruction {
        let place = self.place(block);
        FlatInstruction { kind, place }
    }

    fn assignment(&self, variable: FlatVariable, value: FlatExpression, block: FlatBlockId) -> FlatInstruction {
        self.instruction(FlatInstructionKind::Assign(variable, value), block)
    }

    fn store(&self, array: FlatVariable, value: FlatExpression, block: FlatBlockId) -> FlatInstruction {
        let index = self.read(self.depth);
        self.instruction(FlatInstructionKind::Store { array, index, value }, block)
    }

    /// The array that a variable is kept in.
    fn kept_in(&mut self, variable: FlatVariable) -> FlatVariable {
        if let Some(known) = self.saved.get(&variable) {
            return *known;
        }
        let (name, numeric) = (
            format!("{}_of_calls", self.info(variable).name),
            self.info(variable).numeric,
        );
        let array = add_variable(self.program, &name, true, numeric);
        self.saved.insert(variable, array);
        array
    }

    fn call(
        &mut self,
        block: FlatBlockId,
        entry: FlatBlockId,
        own: &[FlatVariable],
        fresh: &[FlatVariable],
        number: u64,
    ) {
        let mut added = vec![self.store(self.returns, build::address(number), block)];
        for variable in own {
            let array = self.kept_in(*variable);
            added.push(self.store(array, self.read(*variable), block));
        }
        let deeper = build::offset(self.read(self.depth), &1.into());
        added.push(self.assignment(self.depth, deeper, block));
        for variable in fresh {
            let unknown = FlatInstructionKind::Unknown(*variable, UnknownSource::Uninitialized);
            added.push(self.instruction(unknown, entry));
        }
        let block = &mut self.program.blocks[block.0 as usize];
        block.instructions.extend(added);
        block.terminator = FlatTerminator::Goto(entry);
    }

    /// Takes back what the caller had, whichever call it was.
    fn return_to(&mut self, block: FlatBlockId, sites: &[(u64, FlatBlockId, Vec<FlatVariable>)]) {
        let shallower = build::offset(self.read(self.depth), &(-1).into());
        let assignment = self.assignment(self.depth, shallower, block);
        self.program.blocks[block.0 as usize].instructions.push(assignment);
        let mut current = block;
        for (position, (number, after, own)) in sites.iter().enumerate() {
            let mut restored = Vec::new();
            for variable in own {
                let array = self.kept_in(*variable);
                restored.push(self.assignment(*variable, self.element(array), block));
            }
            let then = self.add_block(restored, FlatTerminator::Goto(*after), block);
            if position + 1 == sites.len() {
                self.program.blocks[current.0 as usize].terminator = FlatTerminator::Goto(then);
                return;
            }
            let otherwise = self.add_block(Vec::new(), FlatTerminator::Stop, block);
            let is_it = build::compare(
                BinaryOperator::Equal,
                self.element(self.returns),
                build::address(*number),
            );
            self.program.blocks[current.0 as usize].terminator = FlatTerminator::Branch {
                condition: is_it,
                then,
                otherwise,
            };
            current = otherwise;
        }
    }

    fn add_block(
        &mut self,
        instructions: Vec<FlatInstruction>,
        terminator: FlatTerminator,
        of: FlatBlockId,
    ) -> FlatBlockId {
        let mut place = self.place(of);
        // Nothing of it is written down.
        place.span = Span {
            start: place.span.start,
            end: place.span.start,
        };
        self.program.blocks.push(FlatBlock {
            instructions,
            terminator,
            place,
            label: None,
        });
        FlatBlockId(self.program.blocks.len() as u32 - 1)
    }
}
