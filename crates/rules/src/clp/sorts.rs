//! Sorts while they are inferred: nodes that stand for a sort, known or not yet, made equal by unification.
//!
//! Sorts have sorts inside of them (arrays, lists), and no sort contains itself: where a variable would have to be a list of itself,
//! unification fails. Sorts that are nested too deeply or too large are refused, so that they can be walked by recursion elsewhere.

use super::names::written;
use super::syntax::{SortExpression, SortKind, Span};
use super::types::Types;
use crate::terms::{Sort, SortId, Terms};
use hashbrown::{HashMap, HashSet};

/// How deeply sorts may contain sorts.
pub(super) const DEPTH_LIMIT: usize = 64;
/// How many sorts a sort may be written with.
const SIZE_LIMIT: usize = 250;

/// A sort, perhaps not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Node(u32);

/// What is known of a sort.
#[derive(Clone, Copy, Debug)]
pub(super) enum State<'a> {
    Link(Node),
    Unknown,
    /// An integer or a real.
    Numeric,
    Int,
    Real,
    Bool,
    Array(Node, Node),
    List(Node),
    /// A declared sort, by its index and its name.
    Declared(usize, &'a str),
    /// What constructors make that are not declared; the name of the first of them.
    Open(&'a str),
}

/// Why two sorts cannot be made equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conflict {
    Different,
    /// A sort would have to contain itself, or others beyond [`DEPTH_LIMIT`].
    Endless,
}

/// A table of sorts to be inferred.
#[derive(Default)]
pub(super) struct SortTable<'a> {
    states: Vec<State<'a>>,
    /// The place in the text that made the sort what it is.
    origins: Vec<Option<Span>>,
}

impl<'a> SortTable<'a> {
    fn add(&mut self, state: State<'a>, origin: Option<Span>) -> Node {
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

    /// Arrays.
    pub fn array(&mut self, index: Node, element: Node, origin: Span) -> Node {
        self.add(State::Array(index, element), Some(origin))
    }

    /// Lists.
    pub fn list(&mut self, element: Node, origin: Span) -> Node {
        self.add(State::List(element), Some(origin))
    }

    /// A declared sort.
    pub fn declared(&mut self, index: usize, types: &Types<'a>, origin: Span) -> Node {
        let name = types.list.get(index).map_or("", |one| one.name.text);
        self.add(State::Declared(index, name), Some(origin))
    }

    /// A sort that is known by its constructors alone.
    pub fn open(&mut self, constructor: &'a str, origin: Span) -> Node {
        self.add(State::Open(constructor), Some(origin))
    }

    /// A sort as it is written in the text. Names of sorts that there are not have been reported.
    pub fn written(&mut self, sort: &SortExpression<'a>, types: &Types<'a>) -> Node {
        match sort.kind {
            SortKind::Int => self.int(sort.span),
            SortKind::Real => self.real(sort.span),
            SortKind::Bool => self.boolean(sort.span),
            SortKind::Array(index, element) => {
                let (index, element) = (self.written(index, types), self.written(element, types));
                self.array(index, element, sort.span)
            }
            SortKind::List(element) => {
                let element = self.written(element, types);
                self.list(element, sort.span)
            }
            SortKind::Named(name) => match types.named(name.text) {
                Some(index) => self.declared(index, types, sort.span),
                None => self.unknown(),
            },
        }
    }

    /// The node that stands for all that were made equal to this one.
    pub fn find(&mut self, node: Node) -> Node {
        let mut current = node;
        while let State::Link(next) = self.states[current.0 as usize] {
            if let State::Link(after) = self.states[next.0 as usize] {
                self.states[current.0 as usize] = State::Link(after);
            }
            current = next;
        }
        current
    }

    /// What is known of a sort; never a link.
    pub fn state(&mut self, node: Node) -> State<'a> {
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
        use State::{Array, Bool, Declared, Int, List, Numeric, Open, Real, Unknown};
        let mut compared: HashSet<(Node, Node)> = HashSet::new();
        let mut stack = vec![(left, right)];
        while let Some((left, right)) = stack.pop() {
            let (a, b) = (self.find(left), self.find(right));
            // Sorts share parts: the same two are not compared again.
            if a == b || !compared.insert((a, b)) {
                continue;
            }
            match (self.state(a), self.state(b)) {
                (Unknown, Array(..) | List(_)) => self.bind(a, b)?,
                (Array(..) | List(_), Unknown) => self.bind(b, a)?,
                (Unknown, _) | (Numeric, Numeric | Int | Real) => self.link(a, b),
                (_, Unknown) | (Int | Real, Numeric) => self.link(b, a),
                (Int, Int) | (Real, Real) | (Bool, Bool) | (Open(_), Open(_)) => self.link(b, a),
                (Declared(first, _), Declared(second, _)) if first == second => self.link(b, a),
                (Array(i, e), Array(j, f)) => stack.extend([(e, f), (i, j)]),
                (List(e), List(f)) => stack.push((e, f)),
                _ => return Err(Conflict::Different),
            }
        }
        Ok(())
    }

    fn bind(&mut self, unknown: Node, whole: Node) -> Result<(), Conflict> {
        let mut seen: HashSet<Node> = HashSet::new();
        let mut stack = vec![whole];
        while let Some(node) = stack.pop() {
            let node = self.find(node);
            if node == unknown || seen.len() > SIZE_LIMIT {
                return Err(Conflict::Endless);
            }
            if seen.insert(node) {
                stack.extend(self.inner(node));
            }
        }
        self.link(unknown, whole);
        Ok(())
    }

    fn inner(&mut self, node: Node) -> Vec<Node> {
        match self.state(node) {
            State::Array(index, element) => vec![index, element],
            State::List(element) => vec![element],
            _ => Vec::new(),
        }
    }

    /// Whether sorts contain sorts beyond what is allowed.
    pub fn is_too_large(&mut self, node: Node) -> bool {
        self.size(node, DEPTH_LIMIT, &mut HashMap::new()).is_none()
    }

    /// How many sorts it takes to write the sort; `None` if it is too large.
    fn size(&mut self, node: Node, depth: usize, known: &mut HashMap<(Node, usize), usize>) -> Option<usize> {
        let node = self.find(node);
        if let Some(size) = known.get(&(node, depth)) {
            return Some(*size);
        }
        let mut size = 1usize;
        for inner in self.inner(node) {
            size = size.saturating_add(self.size(inner, depth.checked_sub(1)?, known)?);
        }
        known.insert((node, depth), size);
        (size <= SIZE_LIMIT).then_some(size)
    }

    /// The sort in words, with an article.
    pub fn describe(&mut self, node: Node) -> String {
        match self.state(node) {
            State::Array(..) if self.is_known(node) => format!("an `{}`", self.text(node)),
            State::Array(..) => "an array".to_string(),
            State::List(_) if self.is_known(node) => format!("a `{}`", self.text(node)),
            State::List(element) if matches!(self.state(element), State::Numeric) => "a list of numbers".to_string(),
            State::List(_) => "a list".to_string(),
            State::Declared(_, name) => format!("a term of sort `{name}`"),
            State::Open(constructor) => format!("a term like `{constructor}`"),
            State::Numeric => "a number".to_string(),
            State::Int => "an integer".to_string(),
            State::Real => "a real".to_string(),
            State::Bool => "a Boolean".to_string(),
            _ => "any value".to_string(),
        }
    }

    /// Whether nothing about a sort is left open.
    fn is_known(&mut self, node: Node) -> bool {
        !self.is_too_large(node)
            && match self.state(node) {
                State::Unknown | State::Numeric => false,
                _ => self.inner(node).into_iter().all(|inner| self.is_known(inner)),
            }
    }

    /// The sort as it is written; what is not known is an integer.
    pub fn text(&mut self, node: Node) -> String {
        if self.is_too_large(node) {
            return "array".to_string();
        }
        match self.state(node) {
            State::Real => "real".to_string(),
            State::Bool => "bool".to_string(),
            State::Array(index, element) => format!("array({}, {})", self.text(index), self.text(element)),
            State::List(element) => format!("list({})", self.text(element)),
            State::Declared(_, name) => written(name),
            State::Open(constructor) => written(constructor),
            _ => "int".to_string(),
        }
    }
}

/// A sort of terms as it is written. The language has no floating-point numbers: their name is for readers of proofs.
pub(super) fn sort_text(terms: &Terms, sort: SortId) -> String {
    enum Part {
        Text(&'static str),
        Sort(SortId),
    }
    let mut text = String::new();
    let mut stack = vec![Part::Sort(sort)];
    while let Some(part) = stack.pop() {
        let sort = match part {
            Part::Text(part) => {
                text.push_str(part);
                continue;
            }
            Part::Sort(sort) => sort,
        };
        match terms.sort_of_id(sort) {
            Sort::Int => text.push_str("int"),
            Sort::Real => text.push_str("real"),
            Sort::Bool => text.push_str("bool"),
            Sort::Array(index, element) => {
                text.push_str("array(");
                stack.extend([
                    Part::Text(")"),
                    Part::Sort(element),
                    Part::Text(", "),
                    Part::Sort(index),
                ]);
            }
            Sort::Word(width) => text.push_str(&format!("word({width})")),
            Sort::Float(format) => text.push_str(&format!("float({})", format.width())),
            Sort::Datatype(_) => match terms.list_element(sort) {
                Some(element) => {
                    text.push_str("list(");
                    stack.extend([Part::Text(")"), Part::Sort(element)]);
                }
                None => text.push_str(
                    &terms
                        .datatype(sort)
                        .map_or(String::new(), |datatype| written(&datatype.name)),
                ),
            },
        }
    }
    text
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
    }

    #[test]
    fn no_array_contains_itself() {
        let mut table = SortTable::default();
        let (index, element) = (table.int(HERE), table.unknown());
        let array = table.array(index, element, HERE);
        assert_eq!(table.unify(array, element), Err(Conflict::Endless));
        let mut inner = element;
        for _ in 0..=DEPTH_LIMIT {
            inner = table.array(index, inner, HERE);
        }
        assert!(table.is_too_large(inner));
    }

    #[test]
    fn sorts_that_share_their_parts_cost_no_more_for_it() {
        let mut table = SortTable::default();
        let mut sides = [table.unknown(), table.unknown()];
        for _ in 0..DEPTH_LIMIT / 2 {
            sides = sides.map(|side| table.array(side, side, HERE));
        }
        assert_eq!(table.unify(sides[0], sides[1]), Ok(()));
        assert!(table.is_too_large(sides[0]));
    }
}
