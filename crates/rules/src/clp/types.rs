//! The sorts that a text declares, `:- type tree ---> leaf ; node(left: tree, int, tree).`: their constructors, the fields of these,
//! and what a name stands for inside of a term.
//!
//! A field is a function of the whole, by its own name or, if it has none, that of its constructor and its position: `node_2(T)`.
//! `is_node(T)` asks for the constructor. A constructor belongs to one sort, with one number of fields.

use super::clauses::nearest;
use super::syntax::{Atom, Clause, Name, SortExpression, SortKind, Span};
use super::{DIAGNOSTIC_LIMIT, advice};
use crate::diagnostics::Diagnostic;
use hashbrown::HashMap;

/// A declared sort.
pub(super) struct Type<'a> {
    pub name: Name<'a>,
    /// Indices of [`Types::constructors`].
    pub constructors: Vec<usize>,
}

/// A constructor of a declared sort.
pub(super) struct Constructor<'a> {
    pub name: Name<'a>,
    /// An index of [`Types::list`].
    pub made: usize,
    pub fields: Vec<Field<'a>>,
}

/// A part of what a constructor makes.
pub(super) struct Field<'a> {
    pub name: String,
    pub sort: SortExpression<'a>,
}

/// What a name that is applied to terms stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A declared constructor, by its index.
    Constructor(usize),
    /// A field of a declared constructor, by its position.
    Field(usize, usize),
    /// Whether the constructor made it.
    IsMadeBy(usize),
    /// The first element of a list.
    Head,
    /// What follows the first element of a list.
    Tail,
    /// A constructor that is not declared.
    Undeclared,
}

/// All that a text declares.
#[derive(Default)]
pub(super) struct Types<'a> {
    pub list: Vec<Type<'a>>,
    pub constructors: Vec<Constructor<'a>>,
    index_of: HashMap<&'a str, usize>,
    constructor_of: HashMap<&'a str, usize>,
    function_of: HashMap<String, Meaning>,
}

impl<'a> Types<'a> {
    /// Collects the declarations and reports what is wrong with them.
    pub fn new(clauses: &[Clause<'a>], diagnostics: &mut Vec<Diagnostic>) -> Types<'a> {
        let mut types = Types::default();
        let declared = clauses.iter().filter_map(|clause| match clause {
            Clause::Type { name, constructors } => Some((*name, *constructors)),
            _ => None,
        });
        let mut accepted = Vec::new();
        for (name, constructors) in declared {
            let next = types.list.len();
            let known = *types.index_of.entry(name.text).or_insert(next);
            if let Some(other) = types.list.get(known) {
                diagnostics.push(twice("sort", name.text, name.span, other.name.span));
                continue;
            }
            let constructors_of = Vec::with_capacity(constructors.len());
            types.list.push(Type {
                name,
                constructors: constructors_of,
            });
            accepted.push((next, constructors));
        }
        for (made, constructors) in &accepted {
            for constructor in *constructors {
                types.add_constructor(*made, constructor, diagnostics);
            }
        }
        types.name_functions(diagnostics);
        for constructor in &types.constructors {
            for field in &constructor.fields {
                types.check_sort(&field.sort, diagnostics);
            }
        }
        for clause in clauses {
            if let Clause::Declaration { arguments, .. } = clause {
                for argument in *arguments {
                    if let super::syntax::Declared::Sort(sort) = argument {
                        types.check_sort(sort, diagnostics);
                    }
                }
            }
        }
        types.report_endless(diagnostics);
        types
    }

    fn add_constructor(
        &mut self,
        made: usize,
        declared: &super::syntax::Constructor<'a>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let name = declared.name;
        let next = self.constructors.len();
        let known = *self.constructor_of.entry(name.text).or_insert(next);
        if let Some(other) = self.constructors.get(known) {
            diagnostics.push(twice("constructor", name.text, declared.span, other.name.span));
            return;
        }
        let fields = declared.fields.iter().map(|(name, sort)| Field {
            name: name.map_or(String::new(), |name| name.text.to_string()),
            sort: *sort,
        });
        let fields = fields.collect();
        self.constructors.push(Constructor { name, made, fields });
        self.list[made].constructors.push(next);
    }

    /// Gives every field a name of its own, and lists what fields and questions are called.
    fn name_functions(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for (index, constructor) in self.constructors.iter().enumerate() {
            for (position, field) in constructor.fields.iter().enumerate() {
                if field.name.is_empty() {
                    continue;
                }
                let is_constructor = self.constructor_of.contains_key(field.name.as_str());
                let taken = self
                    .function_of
                    .insert(field.name.clone(), Meaning::Field(index, position));
                if taken.is_some() || is_constructor {
                    let message = format!("the name `{}` is declared twice", field.name);
                    let error = Diagnostic::error(field.sort.span.range(), message, "a field of this name");
                    diagnostics.push(error.help("give every field and every constructor a name of its own"));
                }
            }
        }
        for (index, constructor) in self.constructors.iter_mut().enumerate() {
            for (position, field) in constructor.fields.iter_mut().enumerate() {
                if field.name.is_empty() {
                    field.name = format!("{}_{}", constructor.name.text, position + 1);
                    while self.constructor_of.contains_key(field.name.as_str())
                        || self.function_of.contains_key(&field.name)
                    {
                        field.name.push('_');
                    }
                    self.function_of
                        .insert(field.name.clone(), Meaning::Field(index, position));
                }
            }
            let question = format!("is_{}", constructor.name.text);
            if !self.constructor_of.contains_key(question.as_str()) {
                self.function_of.entry(question).or_insert(Meaning::IsMadeBy(index));
            }
        }
    }

    /// The index of the sort of this name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.index_of.get(name).copied()
    }

    /// The place where a sort is declared.
    pub fn place(&self, index: usize) -> Span {
        self.list
            .get(index)
            .map_or(Span { start: 0, end: 0 }, |one| one.name.span)
    }

    /// Reports names of sorts that are not declared.
    pub fn check_sort(&self, sort: &SortExpression<'a>, diagnostics: &mut Vec<Diagnostic>) {
        match sort.kind {
            SortKind::Int | SortKind::Real | SortKind::Bool => {}
            SortKind::Array(index, element) => {
                self.check_sort(index, diagnostics);
                self.check_sort(element, diagnostics);
            }
            SortKind::List(element) => self.check_sort(element, diagnostics),
            SortKind::Named(name) if self.named(name.text).is_some() => {}
            SortKind::Named(name) => {
                let message = format!("unknown sort `{}`", name.text);
                let error = Diagnostic::error(sort.span.range(), message, "not a sort");
                let own = self.list.iter().take(DIAGNOSTIC_LIMIT).map(|one| one.name.text);
                diagnostics.push(match nearest(name.text, own) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help(advice::sort(name.text)),
                });
            }
        }
    }

    /// Whether an atom that stands among the constraints is a formula about a term, and no goal.
    pub fn is_formula(&self, atom: &Atom<'_>) -> bool {
        let is_function = |meaning| matches!(meaning, Meaning::Field(..) | Meaning::IsMadeBy(_));
        atom.arguments.len() == 1 && self.function_of.get(atom.name.text).copied().is_some_and(is_function)
    }

    /// What a name stands for inside of a term.
    pub fn meaning(&self, atom: &Atom<'_>) -> Meaning {
        let name = atom.name.text;
        if let Some(constructor) = self.constructor_of.get(name) {
            return Meaning::Constructor(*constructor);
        }
        if let Some(function) = self.function_of.get(name) {
            return *function;
        }
        match (name, atom.arguments) {
            ("head", [_]) if !atom.name.quoted => Meaning::Head,
            ("tail", [_]) if !atom.name.quoted => Meaning::Tail,
            _ => Meaning::Undeclared,
        }
    }

    /// Reports sorts all of whose values would have to be infinitely deep.
    fn report_endless(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut finite = vec![false; self.list.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.list.len() {
                let constructors = self.list[index].constructors.iter().map(|one| &self.constructors[*one]);
                let mut ways =
                    constructors.map(|one| one.fields.iter().all(|field| self.is_finite(&field.sort, &finite)));
                if !finite[index] && ways.any(|is_finite| is_finite) {
                    finite[index] = true;
                    changed = true;
                }
            }
        }
        for (one, _) in self.list.iter().zip(&finite).filter(|(_, finite)| !**finite) {
            let message = format!("the sort `{}` has no values", one.name.text);
            let error = Diagnostic::error(one.name.span.range(), message, "every value would be infinitely deep");
            diagnostics
                .push(error.help("add a constructor that needs no value of the same sort, such as an empty one"));
        }
    }

    fn is_finite(&self, sort: &SortExpression<'a>, finite: &[bool]) -> bool {
        match sort.kind {
            SortKind::Int | SortKind::Real | SortKind::Bool | SortKind::List(_) => true,
            SortKind::Array(_, element) => self.is_finite(element, finite),
            SortKind::Named(name) => self.named(name.text).is_none_or(|index| finite[index]),
        }
    }
}

fn twice(what: &str, name: &str, here: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        here.range(),
        format!("the {what} `{name}` is declared twice"),
        "once more",
    )
    .related(first.range(), "declared here already")
    .help(format!("give every {what} a name of its own"))
}
