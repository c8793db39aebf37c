//! Function definitions: parameters, result, body, and what is known only at the end of a body.

use super::checks::Leaving;
use super::computed_jumps::ComputedJump;
use super::graph::Graph;
use super::jumps_out::{JumpIn, JumpOut};
use super::scope_ends::Departure;
use super::scopes::Entity;
use super::{Checked, Semantics, nested_functions};
use crate::program::{
    BlockId, Body, ErrorKind, Function, FunctionId, Instruction, InstructionKind, Terminator, UnknownSource,
    VariableId, VariableRole,
};
use crate::syntax::{self, Derivation, FunctionDefinition, Span, StatementKind};
use crate::types::{Type, TypeId, Types};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;

/// The function that is being read.
#[derive(Default)]
pub(super) struct FunctionState<'a> {
    pub(super) graph: Graph,
    /// Its name; empty outside of functions.
    pub(super) name: String,
    pub(super) result: Option<VariableId>,
    /// Where `break` and `continue` lead, innermost last.
    pub(super) exits: Vec<Exits>,
    pub(super) switches: Vec<Switch>,
    pub(super) labels: HashMap<&'a str, Label>,
    /// The jumps, to see which declarations they pass by.
    pub(super) jumps: Vec<(Visible, Destination<'a>)>,
    /// The local variables.
    pub(super) locals: Vec<Local>,
    /// The last local variable that is visible.
    pub(super) visible: Visible,
    /// The open scopes, and what was visible outside of each.
    pub(super) outer: Vec<(ScopeNumber, Visible)>,
    /// How many scopes have been opened.
    pub(super) opened: ScopeNumber,
    /// The variables whose initializers are being read, and whether they are named there themselves.
    pub(super) initializing: Vec<(VariableId, bool)>,
    /// In how many expressions we are whose types alone are wanted.
    pub(super) aside: u32,
    /// Whether it is inside another one.
    pub(super) is_inside: bool,
    /// Whether there are functions inside, so that its variables are theirs, too.
    pub(super) has_functions_inside: bool,
    /// The parameters.
    pub(super) parameters: Vec<VariableId>,
    /// The functions to be called with the addresses of local variables when their scopes are left.
    pub(super) scope_ends: HashMap<VariableId, FunctionId>,
    /// The jumps that may leave such scopes.
    pub(super) departures: Vec<Departure<'a>>,
    /// The jumps that may end the lives of variables.
    pub(super) leaving: Vec<Leaving<'a>>,
    /// The labels whose addresses are taken, and the functions that stand for them.
    pub(super) label_addresses: Vec<(syntax::Name<'a>, FunctionId)>,
    /// Those of them that a function around has.
    pub(super) labels_around: Vec<(syntax::Name<'a>, FunctionId)>,
    pub(super) computed_jumps: Vec<ComputedJump>,
    /// The labels of functions around that are jumped to.
    pub(super) jumps_out: Vec<JumpOut<'a>>,
    /// The labels here that functions inside jump to.
    pub(super) jumps_in: Vec<JumpIn<'a>>,
    /// The functions declared in open scopes: in how many, and the type that each had before.
    pub(super) block_prototypes: Vec<(usize, FunctionId, TypeId)>,
}

/// A scope of a function: they are counted in the order in which they are opened.
pub(super) type ScopeNumber = u32;

/// A local variable.
pub(super) struct Local {
    pub(super) variable: VariableId,
    /// The one declared before it that is visible where it is declared.
    pub(super) before: Visible,
    /// The innermost scope that it is in.
    pub(super) scope: Option<ScopeNumber>,
}

/// The index of a local variable: it and those before it on its chain are visible.
pub(super) type Visible = Option<usize>;

/// Where a jump leads.
pub(super) enum Destination<'a> {
    Label(&'a str),
    Case(Visible),
}

pub(super) struct Exits {
    pub(super) break_to: BlockId,
    /// `None` for a `switch`.
    pub(super) continue_to: Option<BlockId>,
    /// What is visible outside of the loop or `switch`.
    pub(super) visible: Visible,
}

/// A `switch` whose body is being read.
pub(super) struct Switch {
    /// The type that its values and cases have.
    pub(super) kind: TypeId,
    pub(super) cases: Vec<(BigInt, BigInt, BlockId, Span)>,
    pub(super) default: Option<(BlockId, Span)>,
    pub(super) visible: Visible,
}

pub(super) struct Label {
    pub(super) block: BlockId,
    /// Where it stands; `None` as long as only jumps to it have been met.
    pub(super) place: Option<Span>,
    pub(super) first_use: Span,
    pub(super) visible: Visible,
    /// The scopes that it is in.
    pub(super) scopes: Vec<ScopeNumber>,
}

impl<'a> FunctionState<'a> {
    /// Whether this is outside of functions.
    pub(super) fn is_global(&self) -> bool {
        self.name.is_empty()
    }

    /// A jump to the label that passes by all declarations which are visible there.
    pub(super) fn jump_from_anywhere(&mut self, label: &'a str) {
        self.jumps.push((None, Destination::Label(label)));
    }
}

impl<'a> Semantics<'a, '_> {
    pub(super) fn function_definition(&mut self, definition: &'a FunctionDefinition<'a>) {
        // A mistake in the declaration leaves nothing to read the body with.
        let _: Checked<()> = self.definition_as(definition, None);
    }

    /// Reads a definition, as that of this function if one is given.
    pub(super) fn definition_as(
        &mut self,
        definition: &'a FunctionDefinition<'a>,
        function: Option<FunctionId>,
    ) -> Checked<()> {
        let declarator = definition.declarator;
        let Some((name, Derivation::Function(parameters))) = declarator.name.zip(declarator.derivations.first()) else {
            return Err(self.error(declarator.span, "a function without a name", "a name is missing", None));
        };
        let base = self.specified_type(&definition.specifiers)?;
        let kind = self.derived_type(base, declarator)?.kind;
        let Type::Function { result, .. } = *self.types.get(kind) else {
            return Err(self.error(
                declarator.span,
                "a body for something that is no function",
                "here",
                None,
            ));
        };
        let function = match function {
            Some(function) => function,
            None => {
                let function = self.declare_function(name, kind, true)?;
                let specifiers = &definition.specifiers;
                self.check_function_linkage(function, specifiers, declarator, name)?;
                function
            }
        };
        self.check_defined_result(result, name)?;
        let outside = std::mem::take(&mut self.state);
        self.state.name = name.text.to_string();
        self.state.is_inside = self.nested.contains(&function);
        self.state.has_functions_inside = nested_functions::are_in(definition.body);
        if self.state.has_functions_inside {
            self.nesting.push(function);
        }
        self.open_scope();
        let (declared, declared_names) = (parameters.declared, parameters.identifiers);
        let parameters = self.parameters(parameters, definition);
        for (position, parameter) in declared.iter().enumerate() {
            self.length_of_parameter(parameter.declarator, false);
            if let Some(variable) = parameters.get(position) {
                // A mistake in them has been reported.
                let _: Checked<()> = self.dimensions_of_parameter(*variable, parameter.declarator);
            }
        }
        for declaration in definition.parameter_declarations {
            for declared in declaration.declarators {
                self.length_of_parameter(declared.declarator, true);
            }
        }
        let kinds: Vec<TypeId> = parameters.iter().map(|id| self.variable(*id).kind).collect();
        let is_void = matches!(self.types.get(result), Type::Void);
        let result = (!is_void).then(|| self.add_variable("result", result, VariableRole::Temporary, name.span));
        self.state.result = result;
        self.state.parameters.clone_from(&parameters);
        parameters
            .iter()
            .for_each(|parameter| self.begins(*parameter, name.span));
        self.check_parameters(name.text, &parameters, name.span);
        self.adopt_parameters(function, parameters, declared_names.is_empty().then_some(kinds));
        self.functions[function.0 as usize].result = result;
        match &definition.body.kind {
            StatementKind::Block(statements) => statements.iter().for_each(|statement| self.statement(statement)),
            _ => self.statement(definition.body),
        }
        let end = Span {
            start: definition.span.end.saturating_sub(1),
            end: definition.span.end,
        };
        self.call_scope_ends(None, end);
        self.end_all_lives(end);
        // That is done.
        let scope_ends = std::mem::take(&mut self.state.scope_ends);
        self.close_scope();
        self.state.scope_ends = scope_ends;
        let mut body = self.finished_body(definition.span);
        if self.never_returns(name.text) {
            self.end_where_it_returns(&mut body);
        }
        self.functions[function.0 as usize].body = Some(body);
        let jumps = std::mem::take(&mut self.state.jumps_out);
        let labels = std::mem::take(&mut self.state.labels_around);
        self.state = outside;
        self.jump_in(function, jumps);
        self.state.label_addresses_inside(labels);
        Ok(())
    }

    /// It is undefined what happens when a function comes back that is declared not to.
    fn end_where_it_returns(&self, body: &mut Body) {
        for block in &mut body.blocks {
            if matches!(block.terminator, Terminator::Return) {
                block.terminator = match self.options.checks.unreachable {
                    true => Terminator::Error(ErrorKind::Unreachable),
                    false => Terminator::Stop,
                };
            }
        }
    }

    /// For calls through pointers. What runs when the program ends is not called there.
    pub(super) fn note_functions_that_never_return(&mut self) {
        for index in 0..self.functions.len() {
            let function = &self.functions[index];
            self.functions[index].never_returns =
                function.body.is_none() && self.symbols.destructors.is_empty() && self.never_returns(&function.name);
        }
    }

    /// The function's parameters as variables of its scope.
    fn parameters(
        &mut self,
        parameters: &'a syntax::Parameters<'a>,
        definition: &'a FunctionDefinition<'a>,
    ) -> Vec<VariableId> {
        let mut variables = Vec::new();
        for parameter in parameters.declared {
            let Ok(kind) = self.parameter(&parameter.specifiers, parameter.declarator) else {
                continue;
            };
            let span = parameter
                .declarator
                .name
                .map_or(parameter.specifiers.span, |name| name.span);
            let is_void = matches!(self.types.get(kind), Type::Void);
            if is_void && parameters.declared.len() == 1 && parameter.declarator.name.is_none() {
                continue;
            }
            variables.push(self.add_parameter(parameter.declarator.name, kind, span));
        }
        if !parameters.identifiers.is_empty() {
            let kinds = self.old_parameter_types(definition);
            for name in parameters.identifiers {
                let kind = kinds.get(name.text).copied().unwrap_or(Types::INT);
                variables.push(self.add_parameter(Some(*name), kind, name.span));
            }
        }
        variables
    }

    /// The length of an array that is a parameter says nothing, but it is evaluated; in an old definition, some compilers do not.
    fn length_of_parameter(&mut self, declarator: &'a syntax::Declarator<'a>, is_old: bool) {
        let Some(Derivation::Array(Some(length))) = declarator.derivations.first() else {
            return;
        };
        if is_old {
            let (_, has_effects) = self.unevaluated_with_effects(|semantics| semantics.value(length).map(drop));
            if has_effects {
                self.refuse_effects_in_type(length.span);
            }
            return;
        }
        // A mistake in it has been reported.
        let _: Checked<()> = self.discard(length);
    }

    /// The types given between the parentheses and the body of an old definition.
    fn old_parameter_types(&mut self, definition: &'a FunctionDefinition<'a>) -> HashMap<&'a str, TypeId> {
        let mut kinds = HashMap::new();
        for declaration in definition.parameter_declarations {
            for declared in declaration.declarators {
                let kind = self.parameter(&declaration.specifiers, declared.declarator);
                if let (Ok(kind), Some(name)) = (kind, declared.declarator.name) {
                    kinds.insert(name.text, kind);
                }
            }
        }
        kinds
    }

    pub(super) fn add_parameter(&mut self, name: Option<syntax::Name<'a>>, kind: TypeId, span: Span) -> VariableId {
        let variable = self.add_variable(
            name.map_or("unnamed", |name| name.text),
            kind,
            VariableRole::Parameter,
            span,
        );
        if let Some(name) = name {
            if let Some(previous) = self.scopes.find_here(name.text).map(|found| found.span) {
                self.redeclared(name.text, name.span, previous);
            }
            self.scopes.declare(name.text, Entity::Variable(variable), name.span);
        }
        let is_passed = self.types.is_scalar(kind) || matches!(self.types.get(kind), Type::Record(_));
        if !is_passed || self.is_incomplete(kind) {
            let message = format!("a parameter of type {}", self.types.display(kind));
            self.error(span, message, "nothing can be passed here", None);
        }
        variable
    }

    /// The definition's parameters are the function's, and their types, if there are any given, what its type says. An old
    /// definition says nothing of them to callers; a prototype before it does.
    pub(super) fn adopt_parameters(
        &mut self,
        function: FunctionId,
        parameters: Vec<VariableId>,
        kinds: Option<Vec<TypeId>>,
    ) {
        let function = function.0 as usize;
        if let (Type::Function { result, open, .. }, Some(parameters)) =
            (self.types.get(self.functions[function].kind).clone(), kinds)
        {
            let kind = self.types.intern(Type::Function {
                result,
                parameters,
                open,
            });
            self.functions[function].kind = kind;
        }
        self.functions[function].parameters = parameters;
    }

    pub(super) fn is_old(&self, kind: TypeId) -> bool {
        matches!(self.types.get(kind), Type::Function { parameters, open: true, .. } if parameters.is_empty())
    }

    /// A new function, of which no body has been seen.
    pub(super) fn add_function(&mut self, name: String, kind: TypeId, span: Span) -> FunctionId {
        self.functions.push(Function {
            name,
            kind,
            parameters: Vec::new(),
            result: None,
            body: None,
            span,
            never_returns: false,
        });
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// Declares a function at the outermost level, or finds it there.
    pub(super) fn declare_function(
        &mut self,
        name: syntax::Name<'a>,
        kind: TypeId,
        is_definition: bool,
    ) -> Checked<FunctionId> {
        let found = self.scopes.find_linked(name.text).cloned();
        let function = match found.as_ref().map(|found| &found.what) {
            None => self.add_function(name.text.to_string(), kind, name.span),
            Some(Entity::Function(function)) => *function,
            Some(_) => {
                let previous = found.map_or(name.span, |found| found.span);
                return Err(self.redeclared(name.text, name.span, previous));
            }
        };
        let is_known = found.is_some();
        let known = self.function(function);
        let (known_kind, known_span, has_body) = (known.kind, known.span, known.body.is_some());
        if is_definition && has_body {
            return Err(self.redefined(name, known_span));
        }
        if is_known {
            self.check_agreement(function, name, kind)?;
        }
        if is_known && !has_body {
            let agrees = self.functions_agree(known_kind, kind);
            if !agrees && !self.implicit.contains(&function) {
                self.conflicting(name, known_kind, kind, known_span)?;
            }
            if is_definition || !agrees || self.is_old(known_kind) {
                // An old definition does not take back what a prototype has said.
                if !agrees || !self.is_old(kind) {
                    self.functions[function.0 as usize].kind = kind;
                }
                self.functions[function.0 as usize].span = name.span;
            }
        }
        self.scopes
            .declare_outermost(name.text, Entity::Function(function), name.span);
        Ok(function)
    }

    /// Declares a function inside a block: what that says of its parameters is forgotten at the end of the block.
    pub(super) fn declare_in_block(&mut self, name: syntax::Name<'a>, kind: TypeId) -> Checked<FunctionId> {
        let known = match self.scopes.find_outermost(name.text).map(|found| &found.what) {
            Some(Entity::Function(function)) => Some(self.function(*function).kind),
            _ => None,
        };
        let function = self.declare_function(name, kind, false)?;
        self.prototypes_of_blocks.entry(function).or_insert((kind, name.span));
        let outside = known.or_else(|| match *self.types.get(kind) {
            Type::Function { result: Types::INT, .. } => Some(self.types.intern(Type::Function {
                result: Types::INT,
                parameters: Vec::new(),
                open: true,
            })),
            // Compilers take no call without a declaration that returns something else.
            _ => None,
        });
        if let Some(outside) = outside {
            self.state
                .block_prototypes
                .push((self.state.outer.len(), function, outside));
        }
        Ok(function)
    }

    /// The scope ends: functions declared there are what they were outside.
    pub(super) fn forget_block_prototypes(&mut self) {
        let depth = self.state.outer.len();
        while let Some((_, function, outside)) = self.state.block_prototypes.pop_if(|(scope, ..)| *scope >= depth) {
            self.functions[function.0 as usize].kind = outside;
        }
    }

    fn redefined(&mut self, name: syntax::Name<'a>, previous: Span) -> super::Reported {
        let message = format!("`{}` has two bodies", name.text);
        self.error_with(
            name.span,
            message,
            "defined here again",
            (previous, "first defined here"),
        )
    }

    /// The graph of the function that has been read to its end.
    pub(super) fn finished_body(&mut self, span: Span) -> Body {
        let end = Span {
            start: span.end.saturating_sub(1),
            end: span.end,
        };
        // Falling off the end returns a value that nobody should look at.
        if let Some(result) = self.state.result {
            if self.state.name == "main" {
                let place = self.variable_place(result);
                let zero = self.int_constant(0);
                if self.types.is_scalar(place.kind) {
                    let zero = self.convert(zero, place.kind);
                    self.emit_assign(place, zero, end);
                }
            } else {
                self.forget_result(result, end);
            }
        }
        self.refuse_computed_departures();
        self.settle_computed_jumps();
        self.check_labels();
        self.settle_jumps_in();
        self.settle_departures();
        self.settle_jumps();
        let bypassed = self.bypassed();
        let mut instructions = Vec::new();
        for variable in bypassed {
            let target = self.variable_place(variable);
            let source = UnknownSource::Uninitialized;
            let span = self.variable(variable).span;
            instructions.push(Instruction {
                kind: InstructionKind::Unknown { target, source },
                span,
            });
        }
        let mut graph = std::mem::take(&mut self.state.graph);
        graph.prepend(instructions);
        graph.finish(end)
    }

    pub(super) fn forget_result(&mut self, result: VariableId, span: Span) {
        let target = self.variable_place(result);
        let source = UnknownSource::Uninitialized;
        self.emit(InstructionKind::Unknown { target, source }, span);
    }

    /// The local variables that a jump makes visible without passing their declarations.
    fn bypassed(&self) -> Vec<VariableId> {
        let mut bypassed = Vec::new();
        let mut seen = HashSet::new();
        for (from, destination) in &self.state.jumps {
            let to = match destination {
                Destination::Label(name) => match self.state.labels.get(name) {
                    Some(label) => label.visible,
                    None => continue,
                },
                Destination::Case(visible) => *visible,
            };
            // Up both chains to where they meet: a variable is always declared after those before it on its chain.
            let (mut from, mut to) = (*from, to);
            while from != to {
                match to.filter(|_| to > from) {
                    Some(index) => {
                        let Local { variable, before, .. } = self.state.locals[index];
                        if seen.insert(variable) {
                            bypassed.push(variable);
                        }
                        to = before;
                    }
                    None => from = from.and_then(|index| self.state.locals[index].before),
                }
            }
        }
        bypassed.sort();
        bypassed
    }
}
