//! From the syntax tree to the [typed program](super::program): names are resolved, expressions typed and freed of their side
//! effects, statements become control-flow graphs, and calls with a known meaning become instructions.
//!
//! Mistakes are reported and the reading goes on, so that one run shows them all. What C compilers accept with a shrug
//! (implicit declarations, old definitions, harmless conflicts) is accepted here with a warning; what they do not, such as a
//! function of two types, is a mistake here, too.

mod aggregates;
mod agreement;
mod allocation;
mod assembly;
mod assignments;
mod attributes;
mod builtins;
mod calls;
mod checks;
mod cleanup;
mod comparisons;
#[cfg(test)]
mod completeness;
mod complex;
mod computed_jumps;
mod computed_records;
mod constants;
mod constraints;
mod control;
mod conventions;
mod conversions;
mod declarations;
mod displaced;
mod earlier_calls;
mod effects;
mod enumerations;
mod error_numbers;
#[cfg(test)]
mod every_kind;
mod exposed;
mod expressions;
mod footprints;
mod formats;
mod functions;
mod graph;
mod initializers;
mod jumps_out;
mod known_calls;
mod layout;
mod literals;
mod long_double;
mod mathematics;
mod measured_types;
mod memory_blocks;
mod memory_comparison;
mod models;
mod modes;
mod names;
mod nested_functions;
mod never_null;
mod operators;
mod overflows;
mod places;
mod questions;
mod records;
mod rounding;
mod scanning;
mod scope_ends;
mod scopes;
mod selection;
mod snippets;
mod stand_ins;
mod statements;
mod storage;
mod streams;
mod symbols;
#[cfg(test)]
mod tests;
mod transfers;
mod type_names;
mod uninterpreted;
mod unsequenced;
mod variable_rows;
mod vector_builtins;
mod vectors;

pub use names::{is_of_mathematics, is_stream};

use super::library::functions_for as library_of;
use super::options::Options;
use super::orders::OpenOrder;
use super::program::{
    self, Effect, Function, FunctionId, Instruction, Place, Program, Variable, VariableId, VariableRole,
};
use super::syntax::{self, Item, Span, TranslationUnit};
use super::types::{RecordId, TypeId, Types};
use crate::diagnostics::{Diagnostic, Reading, Severity};
use bumpalo::Bump;
use conventions::Conventions;
use functions::FunctionState;
use graph::Graph;
use hashbrown::{HashMap, HashSet};
use scopes::Scopes;
use std::ops::Range;
use symbols::Symbols;
use unsequenced::Unsettled;

/// How many errors are reported, and how many warnings. More would not be read.
const DIAGNOSTIC_LIMIT: usize = 20;

/// Something is wrong and has been reported.
#[derive(Debug)]
struct Reported;

/// What could be made of a part of the tree, unless it was wrong.
type Checked<T> = Result<T, Reported>;

/// An expression without side effects.
type Value = program::Expression<Place>;

/// Works out the meaning of a file or snippet.
///
/// The product is missing if and only if there are errors among the diagnostics. Warnings say what was accepted leniently
/// and what was assumed; there are at most 20 of each.
///
/// ```
/// # mod clausal { pub use clausal_c as c; pub use clausal_rules::*; }
/// use bumpalo::Bump;
/// use clausal::c::{options::Options, parser::parse, semantics::lower};
///
/// let arena = Bump::new();
/// let unit = parse(&arena, "int main() { int x = 1; x += y; return x; }", false).product.expect("well-formed");
/// let reading = lower(&unit, &Options::default());
/// assert!(reading.product.is_none());
/// assert_eq!(reading.diagnostics[0].message, "`y` is not declared");
/// ```
pub fn lower(unit: &TranslationUnit<'_>, options: &Options) -> Reading<Program> {
    let arena = Bump::new();
    let library = library_of(&arena, unit, options);
    let mut semantics = Semantics::new(unit, &library, options, &arena);
    semantics.unit(unit);
    semantics.library(&library);
    semantics.finish()
}

/// Everything that is known while the tree is read.
struct Semantics<'a, 'o> {
    options: &'o Options,
    /// For trees of calls that the file does not have.
    arena: &'a Bump,
    /// What the linker is told.
    symbols: Symbols<'a>,
    /// Functions that are used as values.
    valued: HashSet<FunctionId>,
    /// The arrays that stand for functions that are left open.
    left_open: HashMap<&'a str, VariableId>,
    /// How many allocations have not been freed, if that is checked ([`cleanup`]).
    not_freed: Option<VariableId>,
    /// The direction in which numbers are rounded, if the program may change it ([`rounding`]).
    rounding: Option<VariableId>,
    /// Parameters, by their positions, through which a function only reads, as its declaration says.
    reads_only: HashMap<FunctionId, Vec<usize>>,
    conventions: Conventions<'o>,
    /// The functions of the library that the program uses and does not have.
    library: HashMap<&'a str, &'a syntax::FunctionDefinition<'a>>,
    /// Those of the library's functions that go over elements of any type, and for which types they are needed.
    of_elements: HashMap<&'a str, &'a syntax::FunctionDefinition<'a>>,
    instances: Vec<models::Instance<'a>>,
    /// Where the program's text ends, and the library's begins.
    end: u32,
    types: Types,
    variables: Vec<Variable>,
    functions: Vec<Function>,
    scopes: Scopes<'a>,
    diagnostics: Vec<Diagnostic>,
    /// How many errors there have been, reported or not.
    errors: usize,
    warnings: usize,
    /// Whether something that may be right was refused as a whole.
    has_refused: bool,
    /// Whether what is read is done when the program starts.
    is_startup: bool,
    /// The functions that have a body somewhere in the file.
    defined: HashSet<&'a str>,
    /// The functions inside of others, and those that these are in.
    nested: HashSet<FunctionId>,
    nesting: Vec<FunctionId>,
    /// Calls of these may end by a jump to a label of a function around.
    leaving: HashSet<FunctionId>,
    /// The functions that stand for labels that a block has for itself, by their names.
    labels_of_blocks: HashMap<&'a str, FunctionId>,
    /// Whether something is called when a scope is left.
    has_scope_ends: bool,
    /// The function that is being read.
    state: FunctionState<'a>,
    /// Whether a constant is needed where something is being evaluated.
    needs_constant: bool,
    /// What gives the globals their values.
    startup: Graph,
    /// What fills the string literals.
    literals: Vec<Instruction>,
    /// Their places by their characters and what these are, with where in `literals` they begin to be filled.
    known_literals: HashMap<(Vec<u32>, syntax::Encoding), (Place, usize)>,
    /// How many temporary variables and literals there are, for their names.
    made_up: usize,
    volatile: HashSet<VariableId>,
    /// What `typedef`s say about alignment, by where their names are declared.
    typedef_alignments: HashMap<u32, u64>,
    /// The `typedef` names of atomic structs, by where they are declared.
    atomic_structs: HashSet<u32>,
    /// What attributes say about the alignment of functions.
    function_alignments: HashMap<FunctionId, u64>,
    /// The inner dimensions of variable-length arrays with several.
    dimensions: HashMap<VariableId, Vec<Value>>,
    /// The lengths of arrays of variable length that a `typedef` names, by where its name is declared.
    typedef_lengths: HashMap<u32, &'a [&'a syntax::Expression<'a>]>,
    /// The structs whose size is computed.
    computed_records: HashMap<RecordId, computed_records::ComputedRecord>,
    /// The globals whose first value the file gives, or that live elsewhere; the others are zero.
    initialized: HashMap<VariableId, storage::FirstValue>,
    /// Functions that were used before anything declared them.
    implicit: HashSet<FunctionId>,
    /// The first declaration of each function that other files may call, and the functions that they may not.
    external: HashMap<FunctionId, Span>,
    internal: HashSet<FunctionId>,
    /// What a block says first of the parameters of a function.
    prototypes_of_blocks: HashMap<FunctionId, (TypeId, Span)>,
    /// The words by which declarations outside of functions, and `extern` ones, say their types.
    words: HashMap<&'a str, agreement::Words<'a>>,
    /// Variables whose address is taken somewhere before.
    addressed: HashSet<VariableId>,
    /// Where the order of operands is open, and may matter.
    unsettled: Vec<Unsettled>,
    /// Where it depends on what pointers point to.
    orders: Vec<OpenOrder>,
    /// The type `va_list`, once it has been met.
    argument_list: Option<TypeId>,
    /// Whether undeclared names are variables.
    is_snippet: bool,
    /// The function that a snippet's statements have become.
    snippet_main: Option<FunctionId>,
    /// Whether the program uses the conventions of TRACER, by which globals start with unknown values.
    is_for_tracer: bool,
    /// What has been warned of once and is not mentioned again.
    warned: HashSet<String>,
}

impl<'a, 'o> Semantics<'a, 'o> {
    fn new(
        unit: &TranslationUnit<'a>,
        library: &TranslationUnit<'a>,
        options: &'o Options,
        arena: &'a Bump,
    ) -> Semantics<'a, 'o> {
        let symbols = Symbols::new(unit);
        let (mut library, of_elements) = models::by_name(library);
        // Where the file has a function of its own under the linker's name, that is meant.
        library.retain(|name, _| !symbols.others.contains_key(name));
        let mut defined: HashSet<&'a str> = library.keys().copied().collect();
        let mut is_snippet = options.snippet;
        for item in &unit.items {
            match item {
                Item::Function(definition) => defined.extend(definition.declarator.name.map(|name| name.text)),
                Item::Statement(_) => is_snippet = true,
                Item::Declaration(_) | Item::Assembly(..) => {}
            }
        }
        defined.extend(symbols.others.keys());
        Semantics {
            options,
            arena,
            symbols,
            valued: HashSet::new(),
            left_open: HashMap::new(),
            not_freed: None,
            rounding: None,
            reads_only: HashMap::new(),
            conventions: Conventions::new(options),
            library,
            of_elements,
            instances: Vec::new(),
            end: unit.end,
            types: Types::new(options.model),
            variables: Vec::new(),
            functions: Vec::new(),
            scopes: Scopes::default(),
            diagnostics: Vec::new(),
            errors: 0,
            has_refused: false,
            warnings: 0,
            is_startup: false,
            defined,
            state: FunctionState::default(),
            needs_constant: false,
            startup: Graph::new(),
            literals: Vec::new(),
            known_literals: HashMap::new(),
            made_up: 0,
            volatile: HashSet::new(),
            typedef_alignments: HashMap::new(),
            atomic_structs: HashSet::new(),
            function_alignments: HashMap::new(),
            dimensions: HashMap::new(),
            typedef_lengths: HashMap::new(),
            computed_records: HashMap::new(),
            initialized: HashMap::new(),
            implicit: HashSet::new(),
            external: HashMap::new(),
            internal: HashSet::new(),
            prototypes_of_blocks: HashMap::new(),
            words: HashMap::new(),
            addressed: HashSet::new(),
            nested: HashSet::new(),
            nesting: Vec::new(),
            leaving: HashSet::new(),
            labels_of_blocks: HashMap::new(),
            has_scope_ends: false,
            unsettled: Vec::new(),
            orders: Vec::new(),
            argument_list: None,
            is_snippet,
            snippet_main: None,
            is_for_tracer: false,
            warned: HashSet::new(),
        }
    }

    fn unit(&mut self, unit: &TranslationUnit<'a>) {
        if self.is_snippet && !self.defined.contains(self.options.entry.as_str()) {
            return self.snippet(unit);
        }
        self.refuse_unclear_turns();
        if unit.mentioned.contains("fesetround") {
            self.follow_rounding();
        }
        for item in &unit.items {
            match item {
                Item::Function(definition) => self.function_definition(definition),
                Item::Declaration(declaration) => self.global_declaration(declaration),
                Item::Assembly(assembly, span) => self.file_assembly(assembly, *span),
                Item::Statement(statement) => {
                    self.error(
                        statement.span,
                        "a statement outside of functions",
                        "not expected here",
                        Some(format!(
                            "statements alone are the body of `{0}`; but there is a function `{0}` already",
                            self.options.entry
                        )),
                    );
                }
            }
        }
    }

    fn finish(mut self) -> Reading<Program> {
        self.check_globals_are_complete();
        self.stand_in_for_all();
        let entry = self.entry_function();
        self.note_functions_that_never_return();
        self.settle_orders();
        self.note_comparisons();
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        let failed = self
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error);
        self.note_what_is_elsewhere();
        let is_part_of_others = self.is_part_of_others();
        let is_called_by_others = self.is_called_by_others();
        let replaceable = self.symbols.replaceable.iter();
        let replaceable = replaceable.map(|(name, span)| (name.to_string(), *span)).collect();
        let product = entry.ok().filter(|_| !failed).map(|entry| Program {
            replaceable,
            is_part_of_others,
            is_called_by_others,
            nesting: self.nesting,
            orders: self.orders,
            end: self.end,
            types: self.types,
            variables: self.variables,
            functions: self.functions,
            entry,
            rounding: self.rounding,
        });
        Reading {
            product,
            diagnostics: self.diagnostics,
        }
    }

    /// Reports an error. The result is for `?` and `return`.
    fn error(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: Option<String>,
    ) -> Reported {
        let mut diagnostic = Diagnostic::error(range(span), message, label);
        diagnostic.help = help;
        self.report(diagnostic);
        Reported
    }

    /// Reports something that may be right, but is not translated. The result is for `?` and `return`.
    fn refuse(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: Option<String>,
    ) -> Reported {
        let mut diagnostic = Diagnostic::error(range(span), message, label).unsupported();
        diagnostic.help = help;
        self.report(diagnostic);
        self.has_refused = true;
        Reported
    }

    /// Reports a name that nothing declares, unless something was refused before: that may have declared it.
    fn unknown_name(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: Option<String>,
    ) -> Reported {
        match self.has_refused {
            true => Reported,
            false => self.error(span, message, label, help),
        }
    }

    /// Reports an error that another place has to do with.
    fn error_with(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        related: (Span, &str),
    ) -> Reported {
        self.report(Diagnostic::error(range(span), message, label).related(range(related.0), related.1));
        Reported
    }

    /// Keeps a diagnostic, unless there are enough of its kind. At least the first error is kept.
    fn report(&mut self, diagnostic: Diagnostic) {
        let kept = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *kept += 1;
        if *kept <= DIAGNOSTIC_LIMIT {
            self.diagnostics.push(diagnostic);
        }
    }

    fn warn(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) {
        self.report(Diagnostic::warning(range(span), message, label));
    }

    /// Warns unless the same has been said before.
    fn warn_once(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) {
        let message = message.into();
        if self.warned.insert(message.clone()) {
            self.warn(span, message, label);
        }
    }

    fn add_variable(&mut self, name: impl Into<String>, kind: TypeId, role: VariableRole, span: Span) -> VariableId {
        let role = match role {
            VariableRole::Local | VariableRole::Parameter if self.state.has_functions_inside => VariableRole::Global,
            role => role,
        };
        self.variables.push(Variable::new(name.into(), kind, role, span));
        VariableId(self.variables.len() as u32 - 1)
    }

    /// A new variable for a value inside an expression.
    fn temporary(&mut self, kind: TypeId, span: Span) -> Place {
        self.made_up += 1;
        let name = format!("t{}", self.made_up);
        let variable = self.add_variable(name, kind, VariableRole::Temporary, span);
        self.variable_place(variable)
    }

    fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    fn variable_place(&self, id: VariableId) -> Place {
        Place {
            base: program::PlaceBase::Variable(id),
            steps: Vec::new(),
            kind: self.variable(id).kind,
        }
    }

    fn emit(&mut self, kind: program::InstructionKind, span: Span) {
        self.state.graph.emit(kind, span);
    }

    /// Emits an assignment; the value must have the target's type.
    fn emit_assign(&mut self, target: Place, value: Value, span: Span) {
        self.emit(program::InstructionKind::Assign { target, value }, span);
    }

    /// Emits something of which nobody can tell what it does.
    fn emit_anything(&mut self, what: impl Into<String>, span: Span) {
        let what = what.into();
        let effect = Effect::Anything;
        self.emit(program::InstructionKind::Unsupported { what, effect }, span);
    }

    /// Emits something without an exact meaning that changes these places and has no other effect.
    fn emit_unsupported(&mut self, what: impl Into<String>, changes: Vec<Place>, span: Span) {
        let what = what.into();
        let effect = Effect::Changes(changes);
        self.emit(program::InstructionKind::Unsupported { what, effect }, span);
    }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// The name of a called function, if it is called by its name.
fn name_of<'a>(expression: &syntax::Expression<'a>) -> Option<&'a str> {
    match &expression.kind {
        syntax::ExpressionKind::Name(name) => Some(name),
        _ => None,
    }
}
