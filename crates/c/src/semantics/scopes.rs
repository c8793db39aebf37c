//! What names mean where: variables, functions, `typedef`s and enumeration constants in one name space, tags of structs,
//! unions and enumerations in another, both with C's nested scopes.

use super::computed_records::Parts;
use crate::program::{FunctionId, VariableId};
use crate::syntax::Span;
use crate::types::{RecordId, TypeId};
use hashbrown::HashMap;
use num_bigint::BigInt;

/// What an ordinary name stands for.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    Variable(VariableId),
    Function(FunctionId),
    /// An enumeration constant, and its type.
    Constant(BigInt, TypeId),
    Typedef(TypeId),
    /// A variable whose size is computed, of which each member is a variable of its own.
    Parts(Parts),
}

/// What a tag stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    /// The integer type that the enumeration is.
    Enumeration(TypeId),
}

/// A name with the place of its declaration.
#[derive(Clone, Debug)]
pub(super) struct Declared<T> {
    pub(super) what: T,
    pub(super) span: Span,
    depth: usize,
}

/// All names that are in scope.
#[derive(Debug, Default)]
pub(super) struct Scopes<'a> {
    depth: usize,
    ordinary: HashMap<&'a str, Vec<Declared<Entity>>>,
    tags: HashMap<&'a str, Vec<Declared<Tag>>>,
    /// What only blocks have declared of what is known by its name in all of the program.
    linked: HashMap<&'a str, Declared<Entity>>,
    /// The names declared in each open scope beside the outermost, to forget them at its end.
    opened: Vec<Vec<(&'a str, bool)>>,
}

impl<'a> Scopes<'a> {
    /// Whether this is the outermost scope.
    pub(super) fn is_outermost(&self) -> bool {
        self.depth == 0
    }

    pub(super) fn open(&mut self) {
        self.depth += 1;
        self.opened.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        for (name, is_tag) in self.opened.pop().unwrap_or_default() {
            if is_tag {
                self.tags.get_mut(name).and_then(Vec::pop);
            } else {
                self.ordinary.get_mut(name).and_then(Vec::pop);
            }
        }
    }

    /// What the name stands for here.
    pub(super) fn find(&self, name: &str) -> Option<&Declared<Entity>> {
        self.ordinary.get(name).and_then(|list| list.last())
    }

    /// What the name stands for here, if it was declared in this very scope.
    pub(super) fn find_here(&self, name: &str) -> Option<&Declared<Entity>> {
        self.find(name).filter(|declared| declared.depth == self.depth)
    }

    /// What the name stands for at the outermost level.
    pub(super) fn find_outermost(&self, name: &str) -> Option<&Declared<Entity>> {
        let first = self.ordinary.get(name).and_then(|list| list.first());
        first.filter(|declared| declared.depth == 0)
    }

    /// What the linker knows by the name, be it declared outermost or in blocks alone.
    pub(super) fn find_linked(&self, name: &str) -> Option<&Declared<Entity>> {
        self.find_outermost(name).or_else(|| self.linked.get(name))
    }

    /// Notes what a block declares that the linker knows by its name; outside of the block nobody sees it.
    pub(super) fn link(&mut self, name: &'a str, what: Entity, span: Span) {
        let declared = Declared { what, span, depth: 0 };
        self.linked.insert(name, declared);
    }

    /// Declares a name in this scope. A declaration of it in the same scope is replaced.
    pub(super) fn declare(&mut self, name: &'a str, what: Entity, span: Span) {
        let depth = self.depth;
        let list = self.ordinary.entry(name).or_default();
        let declared = Declared { what, span, depth };
        match list.last_mut() {
            Some(last) if last.depth == depth => *last = declared,
            _ => {
                list.push(declared);
                if let Some(opened) = self.opened.last_mut() {
                    opened.push((name, false));
                }
            }
        }
    }

    /// Declares a name at the outermost level, below everything that hides it.
    pub(super) fn declare_outermost(&mut self, name: &'a str, what: Entity, span: Span) {
        let list = self.ordinary.entry(name).or_default();
        let declared = Declared { what, span, depth: 0 };
        match list.first_mut() {
            Some(first) if first.depth == 0 => *first = declared,
            _ => list.insert(0, declared),
        }
    }

    pub(super) fn find_tag(&self, name: &str) -> Option<&Declared<Tag>> {
        self.tags.get(name).and_then(|list| list.last())
    }

    pub(super) fn find_tag_here(&self, name: &str) -> Option<&Declared<Tag>> {
        self.find_tag(name).filter(|declared| declared.depth == self.depth)
    }

    pub(super) fn declare_tag(&mut self, name: &'a str, what: Tag, span: Span) {
        let depth = self.depth;
        self.tags.entry(name).or_default().push(Declared { what, span, depth });
        if let Some(opened) = self.opened.last_mut() {
            opened.push((name, true));
        }
    }

    /// The name in scope that is most like this one, for a suggestion.
    pub(super) fn nearest(&self, name: &str) -> Option<&'a str> {
        let visible = self.ordinary.iter().filter(|(_, list)| !list.is_empty());
        nearest(name, visible.map(|(name, _)| *name))
    }
}

/// The candidate that is most like the name, if one is like it at all.
pub(super) fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let scored = candidates.map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate));
    // The name itself breaks ties, for the candidates come in no particular order.
    let (distance, candidate) = scored.min()?;
    (distance < name.len() && distance <= 1 + name.len() / 4).then_some(candidate)
}
