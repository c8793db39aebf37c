//! Sorts while they are inferred: nodes that stand for a sort, known or not yet, made equal by unification.
//!
//! The index of an array is an integer or a real, never an array, so a sort is a chain: arrays of arrays of … and a basic sort at
//! the end. Unification follows the chain in a loop, and chains are limited in length.

use super::syntax::{SortExpression, SortKind, Span};
use crate::terms::{Sort, SortId, Terms};

/// How deeply arrays may contain arrays.
pub(super) const ARRAY_LIMIT: usize = 64;

/// A sort, perhaps not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node(u32);

#[derive(Clone, Copy, Debug)]
enum State {
    Link(Node),
    Unknown,
    /// An integer or a real.
    Numeric,
    Int,
    Real,
    Bool,
    Array(Node, Node),
}

/// Why two sorts cannot be made equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conflict {
    Different,
    /// An array would have to contain itself, or contain arrays beyond [`ARRAY_LIMIT`].
    Endless,
}

/// A table of sorts to be inferred.
#[derive(Default)]
pub(super) struct SortTable {
    states: Vec<State>,
    /// The place in the text that made the sort what it is.
    origins: Vec<Option<Span>>,
}

impl SortTable {
    fn add(&mut self, state: State, origin: Option<Span>) -> Node {
        self.states.push(state);
        self.origins.push(origin);
        Node(self.states.len() as u32 - 1)
    }

    /// A sort of which nothing is known.
    pub fn unknown(&mut self) -> Node {
        self.add(State::Unknown, None)
    }

    /// Integers or reals, because of what stands at `origin`.
    pub fn numeric(&mut self, origin: Span) -> Node {
        self.add(State::Numeric, Some(origin))
    }

    /// Integers.
    pub fn int(&mut self, origin: Span) -> Node {
        self.add(State::Int, Some(origin))
    }

    /// Reals.
    pub fn real(&mut self, origin: Span) -> Node {
        self.add(State::Real, Some(origin))
    }

    /// Truth values.
    pub fn boolean(&mut self, origin: Span) -> Node {
        self.add(State::Bool, Some(origin))
    }

    /// Arrays. The index must not be an unknown sort or an array.
    pub fn array(&mut self, index: Node, element: Node, origin: Span) -> Node {
        self.add(State::Array(index, element), Some(origin))
    }

    /// A sort as it is written in the text.
    pub fn written(&mut self, sort: &SortExpression<'_>) -> Node {
        match sort.kind {
            SortKind::Int => self.int(sort.span),
            SortKind::Real => self.real(sort.span),
            SortKind::Bool => self.boolean(sort.span),
            SortKind::Array(index, element) => {
                let (index, element) = (self.written(index), self.written(element));
                self.array(index, element, sort.span)
            }
        }
    }

    fn find(&mut self, node: Node) -> Node {
        let mut current = node;
        while let State::Link(next) = self.states[current.0 as usize] {
            if let State::Link(after) = self.states[next.0 as usize] {
                self.states[current.0 as usize] = State::Link(after);
            }
            current = next;
        }
        current
    }

    fn state(&mut self, node: Node) -> State {
        let root = self.find(node);
        self.states[root.0 as usize]
    }

    fn link(&mut self, from: Node, to: Node) {
        self.states[from.0 as usize] = State::Link(to);
    }

    /// The place that made the sort what it is.
    pub fn origin(&mut self, node: Node) -> Option<Span> {
        let root = self.find(node);
        self.origins[root.0 as usize]
    }

    /// Makes two sorts equal.
    pub fn unify(&mut self, left: Node, right: Node) -> Result<(), Conflict> {
        use State::{Array, Bool, Int, Numeric, Real, Unknown};
        let (mut left, mut right) = (left, right);
        for _ in 0..=ARRAY_LIMIT {
            let (a, b) = (self.find(left), self.find(right));
            if a == b {
                return Ok(());
            }
            match (self.state(a), self.state(b)) {
                (Unknown, Array(..)) => return self.bind(a, b),
                (Array(..), Unknown) => return self.bind(b, a),
                (Unknown, _) | (Numeric, Numeric | Int | Real) => self.link(a, b),
                (_, Unknown) | (Int | Real, Numeric) => self.link(b, a),
                (Int, Int) | (Real, Real) | (Bool, Bool) => self.link(b, a),
                (Array(i, e), Array(j, f)) => {
                    let (i, j) = (self.find(i), self.find(j));
                    match (self.state(i), self.state(j)) {
                        _ if i == j => {}
                        (Numeric, _) => self.link(i, j),
                        (_, Numeric) => self.link(j, i),
                        (Int, Int) | (Real, Real) => {}
                        _ => return Err(Conflict::Different),
                    }
                    (left, right) = (e, f);
                    continue;
                }
                _ => return Err(Conflict::Different),
            }
            return Ok(());
        }
        Err(Conflict::Endless)
    }

    fn bind(&mut self, unknown: Node, array: Node) -> Result<(), Conflict> {
        let mut current = array;
        for _ in 0..=ARRAY_LIMIT {
            match self.state(current) {
                State::Array(_, element) => current = element,
                _ if self.find(current) == unknown => return Err(Conflict::Endless),
                _ => {
                    self.link(unknown, array);
                    return Ok(());
                }
            }
        }
        Err(Conflict::Endless)
    }

    /// The indices of an array of arrays, from the outside, and what is inside; `None` beyond [`ARRAY_LIMIT`].
    fn chain(&mut self, node: Node) -> Option<(Vec<Node>, Node)> {
        let (mut indices, mut current) = (Vec::new(), node);
        while let State::Array(index, element) = self.state(current) {
            if indices.len() == ARRAY_LIMIT {
                return None;
            }
            indices.push(index);
            current = element;
        }
        Some((indices, current))
    }

    /// Whether arrays contain arrays beyond [`ARRAY_LIMIT`].
    pub fn is_too_deep(&mut self, node: Node) -> bool {
        self.chain(node).is_none()
    }

    /// The sort; what is not known is an integer.
    pub fn resolve(&mut self, node: Node, terms: &mut Terms) -> SortId {
        let Some((indices, last)) = self.chain(node) else {
            return SortId::INT;
        };
        let mut sort = self.basic(last);
        for index in indices.into_iter().rev() {
            let index = self.basic(index);
            sort = terms.array_sort(index, sort);
        }
        sort
    }

    fn basic(&mut self, node: Node) -> SortId {
        match self.state(node) {
            State::Real => SortId::REAL,
            State::Bool => SortId::BOOL,
            _ => SortId::INT,
        }
    }

    /// The sort in words, with an article.
    pub fn describe(&mut self, node: Node) -> String {
        match self.state(node) {
            State::Array(..) if self.is_known(node) => format!("an `{}`", self.text(node)),
            State::Array(..) => "an array".to_string(),
            State::Numeric => "a number".to_string(),
            State::Int => "an integer".to_string(),
            State::Real => "a real".to_string(),
            State::Bool => "a Boolean".to_string(),
            _ => "any value".to_string(),
        }
    }

    /// Whether nothing about an array is left open.
    fn is_known(&mut self, node: Node) -> bool {
        self.chain(node).is_some_and(|(indices, last)| {
            let mut all = indices.into_iter().chain([last]);
            all.all(|node| !matches!(self.state(node), State::Unknown | State::Numeric))
        })
    }

    /// The sort as it is written; what is not known is an integer.
    pub fn text(&mut self, node: Node) -> String {
        let Some((indices, last)) = self.chain(node) else {
            return "array".to_string();
        };
        let mut text = basic_text(self.basic(last)).to_string();
        for index in indices.into_iter().rev() {
            text = format!("array({}, {text})", basic_text(self.basic(index)));
        }
        text
    }
}

fn basic_text(sort: SortId) -> &'static str {
    match sort {
        SortId::REAL => "real",
        SortId::BOOL => "bool",
        _ => "int",
    }
}

/// A sort of terms as it is written.
pub(super) fn sort_text(terms: &Terms, sort: SortId) -> String {
    let (mut prefix, mut depth, mut current) = (String::new(), 0, sort);
    while let Sort::Array(index, element) = terms.sort_of_id(current) {
        prefix.push_str(&format!("array({}, ", sort_name(terms, index)));
        depth += 1;
        current = element;
    }
    format!("{prefix}{}{}", sort_name(terms, current), ")".repeat(depth))
}

/// The language has no arrays as indices, and neither words, floating-point numbers nor datatypes: their names are for readers of proofs.
fn sort_name(terms: &Terms, sort: SortId) -> String {
    match terms.sort_of_id(sort) {
        Sort::Int => "int".to_string(),
        Sort::Real => "real".to_string(),
        Sort::Bool => "bool".to_string(),
        Sort::Array(..) => "array".to_string(),
        Sort::Word(width) => format!("word({width})"),
        Sort::Float(format) => format!("float({})", format.width()),
        Sort::Datatype(_) => terms
            .datatype(sort)
            .map_or(String::new(), |datatype| datatype.name.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Span = Span { start: 0, end: 1 };

    #[test]
    fn numbers_become_what_they_meet() {
        let mut table = SortTable::default();
        let (number, real, int) = (table.numeric(HERE), table.real(HERE), table.int(HERE));
        let unknown = table.unknown();
        assert_eq!(table.unify(unknown, number), Ok(()));
        assert_eq!(table.unify(number, real), Ok(()));
        assert_eq!(table.text(unknown), "real");
        assert_eq!(table.unify(unknown, int), Err(Conflict::Different));
        let boolean = table.boolean(HERE);
        let number = table.numeric(HERE);
        assert_eq!(table.unify(boolean, number), Err(Conflict::Different));
    }

    #[test]
    fn arrays_unify_index_and_element() {
        let mut table = SortTable::default();
        let (index, element, other_element) = (table.numeric(HERE), table.unknown(), table.boolean(HERE));
        let real = table.real(HERE);
        let left = table.array(index, element, HERE);
        let right = table.array(real, other_element, HERE);
        assert_eq!(table.unify(left, right), Ok(()));
        assert_eq!(table.text(left), "array(real, bool)");
        let mut terms = Terms::new();
        let sort = table.resolve(left, &mut terms);
        assert_eq!(sort_text(&terms, sort), "array(real, bool)");
    }

    #[test]
    fn no_array_contains_itself() {
        let mut table = SortTable::default();
        let (index, element) = (table.int(HERE), table.unknown());
        let array = table.array(index, element, HERE);
        assert_eq!(table.unify(array, element), Err(Conflict::Endless));
        let mut inner = element;
        for _ in 0..=ARRAY_LIMIT {
            inner = table.array(index, inner, HERE);
        }
        assert!(table.is_too_deep(inner));
    }
}
