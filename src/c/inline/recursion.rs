//! Recursive calls, which are not followed: what they may change becomes unknown.

use super::effects::Effects;
use super::{Inliner, Origin, variable_place};
use crate::c::program::{
    BlockId, Effect, ErrorKind, FunctionId, InstructionKind, Place, Terminator, Variable, VariableId, VariableRole,
};
use crate::c::syntax::Span;
use crate::c::types::Types;

impl Inliner<'_> {
    /// Whether the function is being called in this copy already.
    pub(super) fn is_active(&self, context: usize, function: FunctionId) -> bool {
        let mut current = Some(context);
        while let Some(index) = current {
            let context = &self.contexts[index];
            if context.owner.function == function.0 {
                return true;
            }
            current = context.caller.map(|(caller, _)| caller);
        }
        false
    }

    /// What a recursive call may change is unknown, and so is whether it reaches the error or comes back.
    pub(super) fn recursive_call(
        &mut self,
        context: usize,
        current: BlockId,
        id: FunctionId,
        target: Option<Place>,
        span: Span,
    ) -> BlockId {
        let effects = self
            .effects
            .take()
            .unwrap_or_else(|| Effects::new(self.program, self.points_to));
        let name = self.function(id).map_or("", |function| &function.name);
        let mut changes: Vec<Place> = target.into_iter().collect();
        for changed in effects.changed(id) {
            if let Some(instance) = self.visible(context, changed) {
                let kind = self.variables[instance.0 as usize].kind;
                changes.push(variable_place(instance, kind));
            }
        }
        // What the checks look for may be in any function.
        let ends = match self.options.checks.any() {
            true => Some(Terminator::Error(ErrorKind::Reached)),
            false => effects.ends(id),
        };
        self.effects = Some(effects);
        let what = format!("a recursive call of `{name}`");
        let Some(ends) = ends else {
            let effect = Effect::Changes(changes);
            self.push(current, InstructionKind::Unsupported { what, effect }, span);
            return current;
        };
        // Whether it comes back depends on a value that cannot be computed here: so it refuses the program if it matters.
        let flag = VariableId(self.variables.len() as u32);
        self.variables.push(Variable {
            name: format!("{name}_ends"),
            kind: Types::INT,
            role: VariableRole::Temporary,
            span,
            length: None,
            alignment: 0,
            is_external: false,
        });
        self.origins.push(Origin {
            owner: Some(self.contexts[context].owner),
        });
        changes.push(variable_place(flag, Types::INT));
        let effect = Effect::Changes(changes);
        self.push(current, InstructionKind::Unsupported { what, effect }, span);
        let (then, otherwise) = (self.add_block(context, span), self.add_block(context, span));
        self.end(then, ends, span);
        let condition = self.read(flag, Types::INT);
        let branch = Terminator::Branch {
            condition,
            then,
            otherwise,
        };
        self.end(current, branch, span);
        otherwise
    }

    /// The instance of a variable that the active calls know.
    fn visible(&self, context: usize, variable: VariableId) -> Option<VariableId> {
        if let Some(global) = self.globals.get(&variable) {
            return Some(*global);
        }
        let mut current = Some(context);
        while let Some(index) = current {
            if let Some(instance) = self.contexts[index].variables.get(&variable) {
                return Some(*instance);
            }
            current = self.contexts[index].caller.map(|(caller, _)| caller);
        }
        None
    }
}
