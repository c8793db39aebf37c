//! Side effects: which expressions have none, and keeping values that a later side effect would change.

use super::graph::Mark;
use super::scopes::Entity;
use super::{Semantics, Value};
use crate::program::{Effect, VariableId};
use crate::program::{ExpressionKind, Instruction, InstructionKind, Place, PlaceBase, PlaceStep, VariableRole};
use crate::syntax::{self, Span};
use crate::types::Type;
use hashbrown::HashSet;

/// What instructions may change.
#[derive(Default)]
struct Changes {
    variables: HashSet<VariableId>,
    /// Whether anything is written through a pointer or by a called function.
    memory: bool,
    any: bool,
}

impl Changes {
    fn add(&mut self, instruction: &Instruction) {
        self.any = true;
        match &instruction.kind {
            InstructionKind::Assign { target, .. }
            | InstructionKind::Unknown { target, .. }
            | InstructionKind::Zero { target }
            | InstructionKind::Ask { target, .. }
            | InstructionKind::Allocate { target, .. } => self.place(target),
            InstructionKind::Call { target, .. } => {
                self.memory = true;
                target.iter().for_each(|target| self.place(target));
            }
            InstructionKind::StartArguments { list } => self.place(list),
            InstructionKind::NextArgument { list, target } => {
                self.place(list);
                self.place(target);
            }
            InstructionKind::Expose { reach, .. } => self.memory |= reach.changes(),
            InstructionKind::Copy { .. } => self.memory = true,
            InstructionKind::Unsupported { effect, .. } => match effect {
                Effect::Changes(places) => places.iter().for_each(|target| self.place(target)),
                Effect::Anything => self.memory = true,
            },
            InstructionKind::Assume(_)
            | InstructionKind::Free(_)
            | InstructionKind::Print(_)
            | InstructionKind::Check(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        match place.base {
            PlaceBase::Variable(variable) => {
                self.variables.insert(variable);
            }
            PlaceBase::Dereference(_) => self.memory = true,
        }
    }
}

impl<'a> Semantics<'a, '_> {
    /// Whether evaluating the expression gives a value and does nothing else.
    pub(super) fn is_pure(&self, expression: &syntax::Expression<'a>) -> bool {
        use syntax::ExpressionKind as Kind;
        use syntax::UnaryOperator as Unary;
        match &expression.kind {
            Kind::Name(name) => match self.scopes.find(name).map(|found| &found.what) {
                Some(Entity::Variable(variable)) => !self.volatile.contains(variable),
                Some(_) => true,
                None => !self.conventions.is_unknown_variable(name),
            },
            Kind::Unary(Unary::PreIncrement | Unary::PreDecrement | Unary::PostIncrement | Unary::PostDecrement, _) => {
                false
            }
            Kind::Unary(_, operand) => self.is_pure(operand),
            // What is evaluated for nothing is an instruction where there are checks.
            Kind::Comma(..) if self.options.checks.any() => false,
            Kind::Cast(name, _) if self.options.checks.any() && self.is_void(name) => false,
            Kind::Binary(_, left, right)
            | Kind::And(left, right)
            | Kind::Or(left, right)
            | Kind::Comma(left, right)
            | Kind::Index(left, right) => self.is_pure(left) && self.is_pure(right),
            Kind::Conditional(condition, consequence, alternative) => {
                self.is_pure(condition)
                    && consequence.is_none_or(|consequence| self.is_pure(consequence))
                    && self.is_pure(alternative)
            }
            Kind::Cast(_, operand) | Kind::ConvertVector(operand, _) => self.is_pure(operand),
            // The lengths in it are evaluated.
            Kind::SizeofType(name) => name.declarator.derivations.iter().all(|derivation| match derivation {
                syntax::Derivation::Array(Some(length)) => self.is_pure(length),
                _ => true,
            }),
            Kind::Member(operand, _) | Kind::PointerMember(operand, _) => self.is_pure(operand),
            Kind::Call(callee, arguments) => {
                let harmless = super::name_of(callee).is_some_and(|name| name == "__builtin_expect");
                harmless && arguments.iter().all(|argument| self.is_pure(argument))
            }
            Kind::Assign(..)
            | Kind::CompoundLiteral(..)
            | Kind::VaArg(..)
            | Kind::StatementExpression(_)
            | Kind::Generic(..)
            | Kind::Unknown => false,
            Kind::Integer(_)
            | Kind::Floating(_)
            | Kind::Character(_)
            | Kind::String { .. }
            | Kind::SizeofExpression(_)
            | Kind::AlignofType(..)
            | Kind::Offsetof(..)
            | Kind::TypesCompatible(..)
            | Kind::LabelAddress(_) => true,
        }
    }

    /// Whether a type is plainly `void`.
    fn is_void(&self, name: &syntax::TypeName<'a>) -> bool {
        let is_void = match &name.specifiers.kind {
            Some(syntax::TypeSpecifier::Void) => true,
            Some(syntax::TypeSpecifier::Named(name)) => matches!(
                self.scopes.find(name.text).map(|found| &found.what),
                Some(Entity::Typedef(kind)) if matches!(self.types.get(*kind), Type::Void)
            ),
            _ => false,
        };
        is_void && name.declarator.derivations.is_empty()
    }

    /// Does something only to learn of its result, such as a type: what it adds to the graph is never done.
    pub(super) fn unevaluated<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.unevaluated_with_effects(work).0
    }

    /// The same, and whether anything would have been done: found from what the work has added to the graph, not from what
    /// is known about expressions.
    pub(super) fn unevaluated_with_effects<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let here = self.state.graph.current();
        let literals = self.literals.len();
        // A block that nothing leads to.
        let aside = self.state.graph.new_block();
        self.state.graph.resume(aside);
        self.state.aside += 1;
        let result = work(self);
        self.state.aside = self.state.aside.saturating_sub(1);
        let has_effects = !self.state.graph.is_untouched(aside);
        self.literals.truncate(literals);
        self.state.graph.resume(here);
        (result, has_effects)
    }

    /// The value as it was at the mark, where it was complete: what has been emitted since may have changed what it reads,
    /// and then it is saved in a temporary variable there.
    pub(super) fn settle(&mut self, mark: Mark, value: Value, span: Span) -> Value {
        let changes = self.changes_since(mark);
        if !changes.any || !self.value_depends(&value, &changes) {
            return value;
        }
        self.save_at(mark, value, span)
    }

    /// The place as it was at the mark: its indices and pointers are saved there if they may have changed.
    pub(super) fn settle_place(&mut self, mark: Mark, mut place: Place, span: Span) -> Place {
        let changes = self.changes_since(mark);
        if !changes.any {
            return place;
        }
        if let PlaceBase::Dereference(pointer) = &mut place.base
            && self.value_depends(pointer, &changes)
        {
            **pointer = self.save_at(mark, (**pointer).clone(), span);
        }
        for step in &mut place.steps {
            if let PlaceStep::Index(index) = step
                && self.value_depends(index, &changes)
            {
                **index = self.save_at(mark, (**index).clone(), span);
            }
        }
        place
    }

    fn save_at(&mut self, mark: Mark, value: Value, span: Span) -> Value {
        let kind = value.c_type;
        let target = self.temporary(kind, span);
        let assignment = InstructionKind::Assign {
            target: target.clone(),
            value,
        };
        self.state.graph.insert(mark, assignment, span);
        self.typed(ExpressionKind::Read(target), kind)
    }

    fn changes_since(&self, mark: Mark) -> Changes {
        let mut changes = Changes::default();
        self.state
            .graph
            .since(mark)
            .for_each(|instruction| changes.add(instruction));
        changes
    }

    fn value_depends(&self, value: &Value, changes: &Changes) -> bool {
        match &value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Floating(_) | ExpressionKind::FunctionAddress(_) => false,
            ExpressionKind::Read(place) => self.content_depends(place, changes) || self.path_depends(place, changes),
            ExpressionKind::AddressOf(place) => self.path_depends(place, changes),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => {
                self.value_depends(operand, changes)
            }
            ExpressionKind::Binary(_, left, right) => {
                self.value_depends(left, changes) || self.value_depends(right, changes)
            }
            ExpressionKind::Conditional(condition, consequence, alternative)
            | ExpressionKind::Fused(condition, consequence, alternative) => [condition, consequence, alternative]
                .into_iter()
                .any(|part| self.value_depends(part, changes)),
        }
    }

    fn content_depends(&self, place: &Place, changes: &Changes) -> bool {
        match place.base {
            PlaceBase::Variable(variable) => {
                let is_shared =
                    self.variable(variable).role == VariableRole::Global || self.addressed.contains(&variable);
                changes.variables.contains(&variable) || (changes.memory && is_shared)
            }
            // A pointer may point to any of the variables that change, if their address is taken.
            PlaceBase::Dereference(_) => {
                changes.memory
                    || changes.variables.iter().any(|variable| {
                        self.variable(*variable).role == VariableRole::Global || self.addressed.contains(variable)
                    })
            }
        }
    }

    fn path_depends(&self, place: &Place, changes: &Changes) -> bool {
        let base = match &place.base {
            PlaceBase::Dereference(pointer) => self.value_depends(pointer, changes),
            PlaceBase::Variable(_) => false,
        };
        base || place.steps.iter().any(|step| match step {
            PlaceStep::Index(index) => self.value_depends(index, changes),
            PlaceStep::Field(_) => false,
        })
    }
}
