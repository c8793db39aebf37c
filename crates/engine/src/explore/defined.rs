//! Arrays that are defined element by element, `B = λj. element(j)`: what a loop that writes `A[i]`, `A[i + 1]`, … leaves
//! behind. The solver never sees such an array: whatever reads it reads the element's definition instead.

use super::quantified::rewrite;
use crate::terms::{Operator, SortId, Substitution, TermId, Terms};
use hashbrown::HashMap;

/// Chains of writes and choices longer than this are not looked through.
const LONGEST_CHAIN: usize = 4000;
/// Choices between arrays nested deeper than this are not looked through.
const DEEPEST_CHOICE: usize = 12;

/// `λ index. element`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    pub index: TermId,
    pub element: TermId,
}

/// The arrays that are defined so far.
#[derive(Clone, Default, Debug)]
pub(super) struct DefinedArrays {
    definitions: HashMap<TermId, Definition>,
}

impl DefinedArrays {
    /// A new array with this definition.
    pub fn define(&mut self, terms: &mut Terms, name: &str, sort: SortId, definition: Definition) -> TermId {
        let array = terms.fresh_variable(name, sort);
        self.definitions.insert(array, definition);
        array
    }

    /// Whether there is none.
    pub fn none_is_defined(&self) -> bool {
        self.definitions.is_empty()
    }

    /// The definition of an array.
    pub fn definition_of(&self, array: TermId) -> Option<Definition> {
        self.definitions.get(&array).copied()
    }

    /// The defined arrays in some terms, by ascending id.
    pub fn inside(&self, terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
        if self.definitions.is_empty() {
            return Vec::new();
        }
        let mut variables = terms.variables_of_all(roots);
        variables.retain(|variable| self.definitions.contains_key(variable));
        variables
    }

    /// The term with every read of a defined array replaced by what stands there.
    pub fn expand(&self, terms: &mut Terms, term: TermId) -> TermId {
        if self.inside(terms, &[term]).is_empty() {
            return term;
        }
        rewrite(
            terms,
            term,
            &mut |terms, part| match (terms.operator(part), terms.arguments(part)) {
                (Operator::Select, &[array, index]) => self.read(terms, array, index, DEEPEST_CHOICE),
                _ => None,
            },
        )
    }

    /// [`DefinedArrays::expand`] for several terms.
    pub fn expand_all(&self, terms: &mut Terms, all: &[TermId]) -> Vec<TermId> {
        all.iter().map(|term| self.expand(terms, *term)).collect()
    }

    /// The element at an index, if a defined array decides it.
    fn read(&self, terms: &mut Terms, array: TermId, index: TermId, depth: usize) -> Option<TermId> {
        if depth == 0 || self.inside(terms, &[array]).is_empty() {
            return None;
        }
        let mut writes = Vec::new();
        let mut current = array;
        let innermost = loop {
            if writes.len() > LONGEST_CHAIN {
                return None;
            }
            match (terms.operator(current), terms.arguments(current)) {
                (Operator::Store, &[inner, at, value]) => {
                    writes.push((at, value));
                    current = inner;
                }
                (Operator::IfThenElse, &[condition, left, right]) => {
                    let left = self.read_or_select(terms, left, index, depth - 1);
                    let right = self.read_or_select(terms, right, index, depth - 1);
                    break terms.if_then_else(condition, left, right);
                }
                _ => match self.definition_of(current) {
                    Some(definition) => {
                        let mut substitution = Substitution::new();
                        substitution.insert(terms, definition.index, index);
                        break terms.substitute(definition.element, &substitution);
                    }
                    None => break terms.select(current, index),
                },
            }
        };
        let element = writes.into_iter().rev().fold(innermost, |element, (at, value)| {
            let same = terms.equal(at, index);
            terms.if_then_else(same, value, element)
        });
        Some(element)
    }

    fn read_or_select(&self, terms: &mut Terms, array: TermId, index: TermId, depth: usize) -> TermId {
        match self.read(terms, array, index, depth) {
            Some(element) => element,
            None => terms.select(array, index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_sees_the_writes_and_then_the_definition() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(SortId::INT, SortId::INT);
        let [i, j, k] = ["i", "j", "k"].map(|name| terms.fresh_variable(name, SortId::INT));
        let two = terms.integer(2);
        let double = terms.multiply(two, j);
        let mut arrays = DefinedArrays::default();
        let definition = Definition {
            index: j,
            element: double,
        };
        let b = arrays.define(&mut terms, "B", sort, definition);
        let written = terms.store(b, k, i);
        let read = terms.select(written, i);
        let expanded = arrays.expand(&mut terms, read);
        assert_eq!(terms.display(expanded).to_string(), "ite(i = k, i, 2*i)");
    }
}
