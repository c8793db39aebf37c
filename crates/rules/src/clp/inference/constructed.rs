//! The sorts of what is constructed: terms of declared and of undeclared constructors, their fields, and lists.

use super::super::sorts::Node;
use super::super::syntax::{Atom, Expression, Span};
use super::super::types::Meaning;
use super::Inference;
use crate::diagnostics::Diagnostic;
use hashbrown::HashMap;

/// A constructor that no declaration mentions. It has the same sorts wherever it occurs.
#[derive(Clone, Debug)]
pub(in crate::clp) struct Undeclared<'a> {
    pub name: &'a str,
    /// The sort of what it makes.
    pub made: Node,
    pub fields: Vec<Node>,
    /// Where it occurs first.
    pub place: Span,
}

impl<'a> Inference<'_, 'a> {
    /// The sort of a list, `[]` or `[A, B | T]`.
    pub(super) fn list(
        &mut self,
        whole: &Expression<'a>,
        elements: &'a [Expression<'a>],
        tail: Option<&'a Expression<'a>>,
    ) -> Node {
        let element = self.table().unknown();
        let node = self.table().list(element, whole.span);
        self.literal(whole, node);
        for part in elements {
            self.require_sort(part, element);
        }
        if let Some(tail) = tail {
            self.require_sort(tail, node);
        }
        node
    }

    /// The sort of a name applied to terms.
    pub(super) fn constructed(&mut self, atom: &Atom<'a>) -> Node {
        let types = self.types;
        match types.meaning(atom) {
            Meaning::Constructor(index) => {
                let Some(constructor) = types.constructors.get(index) else {
                    return self.table().unknown();
                };
                self.check_count(atom, constructor.fields.len(), constructor.name.span);
                for (argument, field) in atom.arguments.iter().zip(&constructor.fields) {
                    let sort = self.table().written(&field.sort, types);
                    self.require_sort(argument, sort);
                }
                self.table().declared(constructor.made, types, atom.span)
            }
            Meaning::Field(index, position) => {
                self.whole(atom, index);
                let field = types.constructors.get(index).and_then(|one| one.fields.get(position));
                match field {
                    Some(field) => self.table().written(&field.sort, types),
                    None => self.table().unknown(),
                }
            }
            Meaning::IsMadeBy(index) => {
                self.whole(atom, index);
                self.table().boolean(atom.span)
            }
            Meaning::Head => {
                let element = self.table().unknown();
                self.of_list(atom, element);
                element
            }
            Meaning::Tail => {
                let element = self.table().unknown();
                self.of_list(atom, element)
            }
            Meaning::Undeclared => self.undeclared(atom),
        }
    }

    fn of_list(&mut self, atom: &Atom<'a>, element: Node) -> Node {
        let list = self.table().list(element, atom.span);
        self.check_count(atom, 1, atom.name.span);
        for argument in atom.arguments {
            self.require_sort(argument, list);
        }
        list
    }

    /// The one argument of a field or a question, which the constructor's sort has.
    fn whole(&mut self, atom: &Atom<'a>, constructor: usize) {
        let types = self.types;
        let Some(constructor) = types.constructors.get(constructor) else {
            return;
        };
        self.check_count(atom, 1, constructor.name.span);
        let sort = self.table().declared(constructor.made, types, atom.span);
        for argument in atom.arguments {
            self.require_sort(argument, sort);
        }
    }

    fn undeclared(&mut self, atom: &Atom<'a>) -> Node {
        let name = atom.name.text;
        let next = self.inferred.undeclared.len();
        let index = *self.inferred.undeclared_at.entry(name).or_insert(next);
        if index == next {
            let made = self.table().open(name, atom.span);
            let fields = atom.arguments.iter().map(|_| self.table().unknown()).collect();
            self.inferred.undeclared.push(Undeclared {
                name,
                made,
                fields,
                place: atom.span,
            });
        }
        let known = self.inferred.undeclared[index].clone();
        self.check_count(atom, known.fields.len(), known.place);
        for (argument, field) in atom.arguments.iter().zip(known.fields) {
            self.require_sort(argument, field);
        }
        known.made
    }

    fn check_count(&mut self, atom: &Atom<'a>, wanted: usize, declared: Span) {
        let found = atom.arguments.len();
        if found != wanted {
            let name = atom.name.text;
            let count = |count: usize| match count {
                0 => "no arguments".to_string(),
                1 => "1 argument".to_string(),
                _ => format!("{count} arguments"),
            };
            let message = format!("`{name}` is used with {}, but it has {wanted}", count(found));
            let mut error = Diagnostic::error(atom.span.range(), message, format!("{} here", count(found)));
            if declared != atom.span && declared != atom.name.span {
                error = error.related(declared.range(), format!("{} here", count(wanted)));
            }
            let help = "a constructor has the same number of arguments everywhere: give another one another name";
            self.diagnostics.push(error.help(help));
        }
    }

    /// Notes which undeclared constructors make which sort, once nothing changes any more.
    pub(super) fn finish(&mut self) {
        let mut makers: HashMap<Node, Vec<usize>> = HashMap::new();
        for index in 0..self.inferred.undeclared.len() {
            let made = self.inferred.undeclared[index].made;
            let made = self.table().find(made);
            makers.entry(made).or_default().push(index);
        }
        self.inferred.makers = makers;
    }
}
