//! Calls of procedures on the paths that become rules.

use super::super::flat::{
    FlatBlockId, FlatInstruction, FlatInstructionKind, FlatTerminator, FlatVariable, SourcePlace,
};
use super::super::program::{ExpressionKind, UnknownSource};
use super::super::source_map::StepKind;
use super::Emission;
use super::paths::{End, Path, constrain, step};
use crate::rules::Atom;
use crate::terms::TermId;
use num_traits::Signed;

impl Emission<'_> {
    /// Where calls are on a stack, tells of an instruction that makes it larger or smaller.
    pub(super) fn note_stack(&mut self, path: &mut Path, instruction: &FlatInstruction, terminator: &FlatTerminator) {
        let FlatInstructionKind::Assign(variable, value) = &instruction.kind else {
            return;
        };
        if self.source.open_calls != Some(*variable) {
            return;
        }
        let ExpressionKind::Binary(_, _, by) = &value.kind else {
            return;
        };
        let is_smaller = matches!(&by.kind, ExpressionKind::Integer(by) if by.is_negative());
        let kind = match (is_smaller, terminator) {
            (false, FlatTerminator::Goto(entry)) => {
                let function = self.source.blocks[entry.0 as usize].place.function;
                let arguments = self.arguments_of(path, function);
                StepKind::Enter { function, arguments }
            }
            _ => StepKind::Leave,
        };
        path.steps.push(step(instruction.place, kind));
    }

    /// The arguments of a call, as far as they matter: what is in the registers of the function.
    fn arguments_of(&mut self, path: &mut Path, function: u32) -> Vec<(String, TermId)> {
        let prefix = self.functions.get(function as usize).map(|name| format!("{name}::"));
        let prefix = prefix.unwrap_or_default();
        let mut arguments = Vec::new();
        for (index, info) in self.source.variables.iter().enumerate() {
            let Some(name) = info.name.strip_prefix(prefix.as_str()).filter(|_| info.is_temporary) else {
                continue;
            };
            if let Some(value) = path
                .values
                .get(&FlatVariable(index as u32))
                .filter(|_| name != "result")
            {
                let value = path.record.without_definitions(&mut self.program.terms, *value);
                arguments.push((name.to_string(), value));
            }
        }
        arguments
    }

    /// A call of a procedure. If no error can be reached in it, the path goes on behind it with what it hands back. If one can,
    /// the path ends at the call, so that nothing that comes afterwards decides whether it is entered.
    pub(super) fn call(
        &mut self,
        mut path: Path,
        entry: FlatBlockId,
        after: FlatBlockId,
        place: SourcePlace,
        waiting: &mut Vec<Path>,
    ) {
        let (Some(procedure), Some(predicate)) = (self.flow.procedures.at(entry), self.predicates[entry.0 as usize])
        else {
            return;
        };
        let parameters = self.parameters[entry.0 as usize].clone().unwrap_or_default();
        let mut arguments = Vec::new();
        let function = self.source.blocks[entry.0 as usize].place.function;
        let shown = self.arguments_of(&mut path, function);
        for parameter in parameters {
            let info = &self.source.variables[parameter.0 as usize];
            if info.activation.is_some() {
                // Read in the procedure before it is set.
                let name = info.name.clone();
                let numeric = info.numeric;
                let (value, bounds) = self.input(parameter, false);
                for bound in bounds {
                    constrain(&mut path, bound);
                }
                let kind = StepKind::Input {
                    variable: name,
                    source: UnknownSource::Uninitialized,
                    value,
                    numeric,
                };
                path.steps.push(step(self.source.blocks[entry.0 as usize].place, kind));
                arguments.push(value);
                continue;
            }
            arguments.push(self.argument(&path, parameter));
        }
        let kind = StepKind::Call {
            function,
            arguments: shown,
        };
        path.steps.push(step(place, kind));
        for output in self.outputs[procedure].clone() {
            let is_known = path.values.contains_key(&output);
            let value = self.input(output, is_known).0;
            path.values.insert(output, value);
            arguments.push(value);
        }
        path.calls.push(Atom { predicate, arguments });
        let behind = self
            .states
            .behind_call(&self.ranges, &self.flow, procedure, &path.state);
        if self.may_fail[procedure] {
            return self.finish(path, End::Goal(after));
        }
        if let Some(state) = behind {
            path.state = state;
            self.arrive(path, after, waiting);
        }
    }
}
