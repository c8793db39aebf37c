//! Declarations of variables, functions and `typedef`s, global and local.

use super::scopes::Entity;
use super::storage::FirstValue;
use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, InstructionKind, Place, UnknownSource, VariableId, VariableRole};
use crate::syntax::{
    Declaration, Derivation, Expression, InitializedDeclarator, Initializer, Name, Span, Specifiers, Storage,
    TypeSpecifier,
};
use crate::types::{Length, Type, TypeId};

impl<'a> Semantics<'a, '_> {
    /// A declaration at the outermost level.
    pub(super) fn global_declaration(&mut self, declaration: &'a Declaration<'a>) {
        let Ok(base) = self.base_type(declaration) else {
            return self.declare_in_vain(declaration);
        };
        for declared in declaration.declarators {
            // What is wrong has been reported; the other names are declared all the same.
            let _: Checked<()> = self.global_declarator(&declaration.specifiers, base, declared);
        }
    }

    /// The type of a declaration's specifiers, which may be that of the value: `__auto_type`.
    fn base_type(&mut self, declaration: &'a Declaration<'a>) -> Checked<TypeId> {
        if has_type_of_value(&declaration.specifiers)
            && let [declared] = declaration.declarators
            && declared.declarator.derivations.is_empty()
            && let Some(Initializer::Expression(expression)) = declared.initializer
        {
            self.check_attributes(declaration.specifiers.attributes);
            let kind = self.unevaluated(|semantics| semantics.value(expression))?.c_type;
            return Ok(match declaration.specifiers.is_volatile {
                true => self.types.volatile_of(kind),
                false => kind,
            });
        }
        self.declare_tag_anew(declaration);
        self.specified_type_of_any_length(&declaration.specifiers)
    }

    /// `struct tag;` alone is a type of its own in this scope, whatever the tag is outside (C11 6.7.2.3, 7); with a storage
    /// class or a qualifier, compilers have it say nothing.
    fn declare_tag_anew(&mut self, declaration: &Declaration<'a>) {
        let specifiers = &declaration.specifiers;
        let says_no_more = declaration.declarators.is_empty()
            && specifiers.storage.is_none()
            && !specifiers.is_const
            && !specifiers.is_volatile;
        if let Some(TypeSpecifier::Record {
            is_union,
            tag: Some(tag),
            members: None,
            ..
        }) = specifiers.kind
            && says_no_more
        {
            self.tag_of_this_scope(is_union, tag);
        }
    }

    /// After a mistake in the type: the names count as declared, so that their uses are not reported too.
    fn declare_in_vain(&mut self, declaration: &'a Declaration<'a>) {
        for name in declaration
            .declarators
            .iter()
            .filter_map(|declared| declared.declarator.name)
        {
            self.warned.insert(format!("undeclared `{}`", name.text));
        }
    }

    fn global_declarator(
        &mut self,
        specifiers: &Specifiers<'a>,
        base: TypeId,
        declared: &'a InitializedDeclarator<'a>,
    ) -> Checked<()> {
        let Some(name) = declared.declarator.name else {
            return Ok(());
        };
        let kind = self.derived_type(base, declared.declarator).inspect_err(|_| {
            self.warned.insert(format!("undeclared `{}`", name.text));
        })?;
        if !kind.lengths.is_empty() {
            let help = Some("only arrays inside functions may have a computed length".to_string());
            return Err(self.error(
                declared.declarator.span,
                "an array without a constant length",
                "declared globally",
                help,
            ));
        }
        if specifiers.storage == Some(Storage::Typedef) {
            self.note_alignment(name, specifiers, declared.declarator, kind.kind)?;
            let kind = match kind.is_volatile {
                true => self.types.volatile_of(kind.kind),
                false => kind.kind,
            };
            return self.declare_typedef(name, kind);
        }
        if matches!(self.types.get(kind.kind), Type::Function { .. }) {
            self.check_function_declaration(specifiers, declared)?;
            let function = self.declare_function(name, kind.kind, false)?;
            self.check_function_linkage(function, specifiers, declared.declarator, name)?;
            self.note_constant_parameters(function, declared.declarator);
            self.note_function_alignment(function, specifiers, declared.declarator)?;
            self.check_other_names(name.text, true);
            return Ok(());
        }
        if specifiers.storage == Some(Storage::Register) {
            let message = format!("`{}` is a register, which more than this program changes", name.text);
            return Err(self.refuse(name.span, message, "cannot be translated", None));
        }
        if let Some(variable) = self.variable_behind_other_name(specifiers, declared, name, kind.kind)? {
            return self.note_qualities(specifiers, declared, variable, kind.is_volatile);
        }
        self.check_has_size(name, kind.kind, declared.initializer)?;
        let variable = self.global_variable(specifiers, name, kind.kind, declared.initializer)?;
        self.check_same_words(specifiers, declared.declarator, name)?;
        self.note_qualities(specifiers, declared, variable, kind.is_volatile)?;
        self.check_other_names(name.text, false);
        let Some(initializer) = declared.initializer else {
            return Ok(());
        };
        if self.initialized.get(&variable) == Some(&FirstValue::Given) {
            return Err(self.redeclared(name.text, name.span, self.variable(variable).span));
        }
        self.initialized.insert(variable, FirstValue::Given);
        self.initialize_global(variable, initializer)
    }

    pub(super) fn declare_typedef(&mut self, name: Name<'a>, kind: TypeId) -> Checked<()> {
        if let Some(found) = self.scopes.find_here(name.text) {
            let (what, previous) = (found.what.clone(), found.span);
            match what {
                Entity::Typedef(before) if before == kind => {}
                Entity::Typedef(_) => {
                    self.warn_once(
                        name.span,
                        format!("`{}` is another type before", name.text),
                        "the later one counts",
                    );
                }
                _ => return Err(self.redeclared(name.text, name.span, previous)),
            }
        }
        self.scopes.declare(name.text, Entity::Typedef(kind), name.span);
        Ok(())
    }

    /// The variable that a global declaration gives another name, if their types agree.
    fn variable_behind_other_name(
        &mut self,
        specifiers: &Specifiers<'a>,
        declared: &InitializedDeclarator<'a>,
        name: Name<'a>,
        kind: TypeId,
    ) -> Checked<Option<VariableId>> {
        let Some((of, _)) = self.symbols.others.get(name.text).copied() else {
            return Ok(None);
        };
        if of.is_empty() || declared.initializer.is_some() {
            return Ok(None);
        }
        let of = Name {
            text: of,
            span: name.span,
        };
        let variable = match self.scopes.find_linked(of.text).map(|found| found.what.clone()) {
            Some(Entity::Variable(variable)) if self.variable(variable).kind == kind => variable,
            Some(_) => return Ok(None),
            None => self.global_variable(specifiers, of, kind, None)?,
        };
        self.variables[variable.0 as usize].is_external |= specifiers.storage != Some(Storage::Static);
        self.scopes.declare(name.text, Entity::Variable(variable), name.span);
        Ok(Some(variable))
    }

    /// The variable of a global declaration, which may have been declared before.
    fn global_variable(
        &mut self,
        specifiers: &Specifiers<'a>,
        name: Name<'a>,
        kind: TypeId,
        initializer: Option<&'a Initializer<'a>>,
    ) -> Checked<VariableId> {
        let kind = match (initializer, self.length_said_before(name, kind)) {
            (_, Some(known)) => known,
            (Some(initializer), None) => self.completed(kind, initializer)?,
            (None, None) => kind,
        };
        let is_elsewhere = specifiers.storage == Some(Storage::Extern) && initializer.is_none();
        if let Some(found) = self.scopes.find_linked(name.text).cloned() {
            let Entity::Variable(variable) = found.what else {
                return Err(self.redeclared(name.text, name.span, found.span));
            };
            self.scopes.declare(name.text, found.what, found.span);
            self.merge_types(variable, kind, name, found.span)?;
            self.check_linkage(specifiers.storage, variable, name)?;
            if !is_elsewhere && self.initialized.get(&variable) == Some(&FirstValue::Elsewhere) {
                self.initialized.remove(&variable);
            }
            return Ok(variable);
        }
        if !is_elsewhere {
            self.require_complete(kind, name)?;
        }
        let variable = self.add_variable(name.text, kind, VariableRole::Global, name.span);
        self.variables[variable.0 as usize].is_external = specifiers.storage != Some(Storage::Static);
        if is_elsewhere {
            self.initialized.insert(variable, FirstValue::Elsewhere);
        }
        self.scopes.declare(name.text, Entity::Variable(variable), name.span);
        Ok(variable)
    }

    /// A later declaration may complete an array.
    fn merge_types(&mut self, variable: VariableId, kind: TypeId, name: Name<'a>, previous: Span) -> Checked<()> {
        let before = self.variable(variable).kind;
        let merged = match (self.types.get(before), self.types.get(kind)) {
            _ if before == kind => before,
            (Type::Array(one, Length::Unknown), Type::Array(other, _)) if one == other => kind,
            (Type::Array(one, _), Type::Array(other, Length::Unknown)) if one == other => before,
            _ if self.are_compatible(before, kind) => self.composite(before, kind),
            _ => return Err(self.redeclared(name.text, name.span, previous)),
        };
        self.variables[variable.0 as usize].kind = merged;
        Ok(())
    }

    fn require_complete(&mut self, kind: TypeId, name: Name<'a>) -> Checked<()> {
        let is_complete = match self.types.get(kind) {
            Type::Void => false,
            // A tentative definition that nothing completes has one element; at least it may be completed.
            Type::Array(..) => true,
            // So may a struct, as long as nobody looks inside.
            Type::Record(record) => self.scopes.is_outermost() || self.types.record(*record).fields.is_some(),
            _ => true,
        };
        if is_complete {
            return Ok(());
        }
        if self.is_computed_record(kind) {
            return Err(self.refuse_computed_record(name.span));
        }
        let message = format!("`{}` has the incomplete type {}", name.text, self.types.display(kind));
        self.warned.insert(format!("undeclared `{}`", name.text));
        Err(self.error(name.span, message, "nothing can be stored in it", None))
    }

    /// Keeps what the declaration says of the variable beside its type: its alignment, and whether it is volatile.
    fn note_qualities(
        &mut self,
        specifiers: &Specifiers<'a>,
        declared: &'a InitializedDeclarator<'a>,
        variable: VariableId,
        is_volatile: bool,
    ) -> Checked<()> {
        let kind = self.variable(variable).kind;
        let alignment = self.alignment_of_variable(specifiers, declared.declarator, kind)?;
        let known = &mut self.variables[variable.0 as usize].alignment;
        *known = alignment.max(*known);
        let mut derivations = declared.declarator.derivations.iter();
        if specifiers.is_const && derivations.all(|step| matches!(step, Derivation::Array(_))) {
            self.variables[variable.0 as usize].is_constant = true;
        }
        if is_volatile || self.is_changed_by_library(specifiers, declared) {
            self.volatile.insert(variable);
        }
        Ok(())
    }

    /// Whether a function of the library changes the variable of another file, which it gives no address of.
    fn is_changed_by_library(&self, specifiers: &Specifiers<'a>, declared: &InitializedDeclarator<'a>) -> bool {
        let is_elsewhere = specifiers.storage == Some(Storage::Extern) && declared.initializer.is_none();
        let name = declared.declarator.name.map_or("", |name| name.text);
        is_elsewhere && matches!(name, "optarg" | "optind" | "optopt" | "opterr") && !self.defined.contains("getopt")
    }

    /// Gives a global or static variable its first value when the program starts.
    fn initialize_global(&mut self, variable: VariableId, initializer: &'a Initializer<'a>) -> Checked<()> {
        let place = self.variable_place(variable);
        let is_scalar = self.types.is_scalar(place.kind);
        std::mem::swap(&mut self.state.graph, &mut self.startup);
        self.is_startup = true;
        self.check_constant_initializer(initializer);
        let checked = self.initialize(place, initializer, !is_scalar);
        self.is_startup = false;
        std::mem::swap(&mut self.state.graph, &mut self.startup);
        checked
    }

    /// A declaration in a function.
    pub(super) fn local_declaration(&mut self, declaration: &'a Declaration<'a>) {
        let Ok(base) = self.base_type(declaration) else {
            return self.declare_in_vain(declaration);
        };
        for declared in declaration.declarators {
            let _: Checked<()> = self.local_declarator(&declaration.specifiers, base, declared);
        }
    }

    fn local_declarator(
        &mut self,
        specifiers: &Specifiers<'a>,
        base: TypeId,
        declared: &'a InitializedDeclarator<'a>,
    ) -> Checked<()> {
        let Some(name) = declared.declarator.name else {
            return Ok(());
        };
        let derived = self.derived_of_any_length(specifiers, base, declared.declarator);
        let derived = derived.inspect_err(|_| {
            self.warned.insert(format!("undeclared `{}`", name.text));
        })?;
        let kind = derived.kind;
        if specifiers.storage == Some(Storage::Typedef) && !derived.lengths.is_empty() {
            return self.declare_measured_typedef(name, derived);
        }
        let is_fixed = matches!(
            specifiers.storage,
            Some(Storage::Typedef | Storage::Static | Storage::Extern)
        );
        if is_fixed && !derived.lengths.is_empty() {
            let message = "an array without a constant length";
            return Err(self.refuse(
                declared.declarator.span,
                message,
                "only plain local arrays may be so",
                None,
            ));
        }
        if specifiers.storage == Some(Storage::Typedef) {
            self.note_alignment(name, specifiers, declared.declarator, kind)?;
            let kind = match derived.is_volatile {
                true => self.types.volatile_of(kind),
                false => kind,
            };
            return self.declare_typedef(name, kind);
        }
        self.check_no_other_name(specifiers, declared.declarator);
        if matches!(self.types.get(kind), Type::Function { .. }) {
            self.check_function_declaration(specifiers, declared)?;
            let here = self.scopes.find_here(name.text);
            if let Some(found) = here.filter(|found| !matches!(found.what, Entity::Function(_))) {
                return Err(self.redeclared(name.text, name.span, found.span));
            }
            let function = self.declare_in_block(name, kind)?;
            self.check_function_linkage(function, specifiers, declared.declarator, name)?;
            self.note_said_in_block(name.text, specifiers, declared.declarator);
            self.note_constant_parameters(function, declared.declarator);
            self.scopes.declare(name.text, Entity::Function(function), name.span);
            return Ok(());
        }
        if specifiers.storage == Some(Storage::Extern) {
            self.check_extern_in_block(name, declared.initializer)?;
            let variable = self.local_extern(name, kind)?;
            self.check_same_words(specifiers, declared.declarator, name)?;
            return self.note_qualities(specifiers, declared, variable, derived.is_volatile);
        }
        let previous = self.scopes.find_here(name.text).map(|found| found.span);
        if let Some(previous) = previous {
            return Err(self.redeclared(name.text, name.span, previous));
        }
        if self.is_computed_record(kind) {
            return self.declare_parts(kind, specifiers, declared, name);
        }
        let kind = match declared.initializer {
            Some(initializer) => self.completed(kind, initializer)?,
            None => kind,
        };
        self.require_complete(kind, name)?;
        if specifiers.storage == Some(Storage::Static) {
            let shown = format!("{}::{}", self.state.name, name.text);
            let variable = self.add_variable(shown, kind, VariableRole::Global, name.span);
            self.scopes.declare(name.text, Entity::Variable(variable), name.span);
            self.note_qualities(specifiers, declared, variable, derived.is_volatile)?;
            return match declared.initializer {
                Some(initializer) => {
                    self.initialized.insert(variable, FirstValue::Given);
                    self.initialize_global(variable, initializer)
                }
                None => Ok(()),
            };
        }
        let variable = self.add_variable(name.text, kind, VariableRole::Local, name.span);
        self.measure(variable, &derived.lengths, name)?;
        // A name whose type is that of its value is not there yet in this value.
        let is_there_after = has_type_of_value(specifiers);
        if !is_there_after {
            self.scopes.declare(name.text, Entity::Variable(variable), name.span);
        }
        self.note_qualities(specifiers, declared, variable, derived.is_volatile)?;
        self.make_visible(variable);
        self.begins(variable, name.span);
        let target = self.variable_place(variable);
        let checked = self.first_value(declared, variable, target, name);
        if is_there_after {
            self.scopes.declare(name.text, Entity::Variable(variable), name.span);
        }
        self.note_scope_end(variable, specifiers, declared.declarator)
            .and(checked)
    }

    /// What a local variable has at first.
    fn first_value(
        &mut self,
        declared: &'a InitializedDeclarator<'a>,
        variable: VariableId,
        target: Place,
        name: Name<'a>,
    ) -> Checked<()> {
        match declared.initializer {
            Some(initializer) if self.options.checks.uninitialized => {
                // If it is named there itself, it has no value until then.
                let before = self.state.graph.current();
                let begins = self.state.graph.new_block();
                self.state.graph.fall_into(begins, name.span);
                self.state.initializing.push((variable, false));
                let initialized = self.initialize(target.clone(), initializer, false);
                if self.state.initializing.pop().is_some_and(|(_, is_named)| is_named) {
                    let source = UnknownSource::Uninitialized;
                    let unknown = InstructionKind::Unknown { target, source };
                    self.state.graph.append(before, unknown, name.span);
                }
                initialized
            }
            Some(initializer) => self.initialize(target, initializer, false),
            None => {
                // What the library does not initialize is what C leaves open.
                let is_open = self.options.checks.uninitialized && name.span.start >= self.end;
                let source = match is_open {
                    true => UnknownSource::Outside,
                    false => UnknownSource::Uninitialized,
                };
                self.emit(InstructionKind::Unknown { target, source }, name.span);
                Ok(())
            }
        }
    }

    /// The place of a variable that the text names here, perhaps in its own initializer.
    pub(super) fn place_by_name(&mut self, variable: VariableId) -> Place {
        let mut initializing = self.state.initializing.iter_mut();
        if let Some((_, is_named)) = initializing.find(|(declared, _)| *declared == variable) {
            *is_named = true;
        }
        self.variable_place(variable)
    }

    /// Keeps the number of elements of a variable-length array, and its inner dimensions.
    pub(super) fn measure(
        &mut self,
        variable: VariableId,
        lengths: &[&'a Expression<'a>],
        name: Name<'a>,
    ) -> Checked<()> {
        let size_type = self.size_type();
        let mut total: Option<Value> = None;
        let mut dimensions = Vec::new();
        for mut value in self.lengths_in_order(lengths)? {
            if total.is_some() && !matches!(value.kind, ExpressionKind::Integer(_)) {
                let shown = format!("{}.dimension{}", name.text, dimensions.len() + 2);
                value = self.kept_length(shown, value, name.span).1;
            }
            if total.is_some() {
                dimensions.push(value.clone());
            }
            total = Some(match total {
                Some(total) => self.operation(BinaryOperator::Multiply, total, value, size_type),
                None => value,
            });
        }
        let Some(total) = total else {
            return Ok(());
        };
        let count = self.kept_length(format!("{}.length", name.text), total, name.span).0;
        self.variables[variable.0 as usize].length = Some(count);
        if !dimensions.is_empty() {
            self.dimensions.insert(variable, dimensions);
        }
        Ok(())
    }

    fn local_extern(&mut self, name: Name<'a>, kind: TypeId) -> Checked<VariableId> {
        let variable = match self.scopes.find_linked(name.text).cloned() {
            Some(found) => match found.what {
                Entity::Variable(variable) => {
                    self.merge_types(variable, kind, name, found.span)?;
                    variable
                }
                _ => return Err(self.redeclared(name.text, name.span, found.span)),
            },
            None => {
                let variable = self.add_variable(name.text, kind, VariableRole::Global, name.span);
                self.variables[variable.0 as usize].is_external = true;
                self.initialized.insert(variable, FirstValue::Elsewhere);
                self.scopes.link(name.text, Entity::Variable(variable), name.span);
                variable
            }
        };
        self.scopes.declare(name.text, Entity::Variable(variable), name.span);
        Ok(variable)
    }
}

/// Whether the type is that of the value, as `__auto_type` says.
fn has_type_of_value(specifiers: &Specifiers<'_>) -> bool {
    matches!(specifiers.kind, Some(TypeSpecifier::Other(name)) if name.text == "__auto_type")
}
