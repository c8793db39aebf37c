//! Sort inference: one walk over all transitions, which gives every predicate, variable and literal its sort, and reports
//! where sorts clash. A predicate has one list of sorts in the whole text; what nothing determines is an integer. Constructors that
//! are not declared make one sort together wherever their terms meet.

mod constructed;
mod wording;

use super::clauses::Transition;
use super::signatures::Signatures;
use super::sorts::{DEPTH_LIMIT, Node, SortTable};
use super::syntax::{Atom, Declared, Expression, Factor, Function, Kind, Relation, Span};
use super::types::Types;
use crate::diagnostics::Diagnostic;
use hashbrown::HashMap;

pub(super) use constructed::Undeclared;

/// What inference found out.
pub(super) struct Inferred<'a> {
    pub table: SortTable<'a>,
    /// For each signature, the sorts of its arguments.
    pub parameters: Vec<Vec<Node>>,
    /// For each transition, its variables in the order in which they occur.
    pub variables: Vec<Vec<(&'a str, Node)>>,
    /// The sorts of integer literals, anonymous variables, lists and constant arrays, by where their expression starts.
    literals: HashMap<usize, Node>,
    /// The constructors that are not declared, in the order in which they occur.
    undeclared: Vec<Undeclared<'a>>,
    undeclared_at: HashMap<&'a str, usize>,
    /// Those that make a sort, by its node.
    makers: HashMap<Node, Vec<usize>>,
}

impl<'a> Inferred<'a> {
    /// The sort of a literal, an anonymous variable, a list or a constant array.
    pub fn literal(&self, expression: &Expression<'_>) -> Option<Node> {
        self.literals.get(&expression.span.start).copied()
    }

    /// The sorts of everything, in the order of the text as far as it has one.
    pub fn all_nodes(&self) -> Vec<Node> {
        let mut literals: Vec<(usize, Node)> = self.literals.iter().map(|(place, node)| (*place, *node)).collect();
        literals.sort();
        let parameters = self.parameters.iter().flatten().copied();
        let variables = self.variables.iter().flatten().map(|(_, node)| *node);
        let made = self.undeclared.iter().map(|one| one.made);
        let literals = literals.into_iter().map(|(_, node)| node);
        parameters.chain(variables).chain(made).chain(literals).collect()
    }

    /// The undeclared constructors that make the sort of a node.
    pub fn constructors_of(&mut self, node: Node) -> Vec<Undeclared<'a>> {
        let node = self.table.find(node);
        let found = self.makers.get(&node).into_iter().flatten();
        found.filter_map(|index| self.undeclared.get(*index)).cloned().collect()
    }
}

/// Infers all sorts.
pub(super) fn infer<'a>(
    transitions: &[Transition<'a>],
    signatures: &Signatures<'a>,
    types: &Types<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Inferred<'a> {
    let mut table = SortTable::default();
    let parameters = signatures
        .list
        .iter()
        .map(|signature| {
            let declared = signature.declared.unwrap_or_default();
            let sort_of = |table: &mut SortTable<'a>, position: usize| match declared.get(position) {
                Some(Declared::Sort(sort)) => table.written(sort, types),
                _ => table.unknown(),
            };
            (0..signature.arity)
                .map(|position| sort_of(&mut table, position))
                .collect()
        })
        .collect();
    let mut inference = Inference {
        signatures,
        types,
        inferred: Inferred {
            table,
            parameters,
            variables: Vec::with_capacity(transitions.len()),
            literals: HashMap::new(),
            undeclared: Vec::new(),
            undeclared_at: HashMap::new(),
            makers: HashMap::new(),
        },
        position_of: HashMap::new(),
        variables: Vec::new(),
        refused: Vec::new(),
        diagnostics,
    };
    for transition in transitions {
        inference.transition(transition);
    }
    inference.finish();
    inference.inferred
}

struct Inference<'i, 'a> {
    signatures: &'i Signatures<'a>,
    types: &'i Types<'a>,
    inferred: Inferred<'a>,
    /// The variables of the current transition.
    position_of: HashMap<&'a str, usize>,
    variables: Vec<(&'a str, Node)>,
    /// Where names of the current transition stand that have no meaning there.
    refused: Vec<Span>,
    diagnostics: &'i mut Vec<Diagnostic>,
}

impl<'a> Inference<'_, 'a> {
    fn table(&mut self) -> &mut SortTable<'a> {
        &mut self.inferred.table
    }

    fn transition(&mut self, transition: &Transition<'a>) {
        self.position_of.clear();
        self.refused.clone_from(&transition.refused);
        if let Some(head) = &transition.head {
            self.atom(head);
        }
        for constraint in &transition.constraints {
            let boolean = self.table().boolean(constraint.span);
            self.require_sort(constraint, boolean);
        }
        for goal in &transition.goals {
            self.atom(goal);
        }
        let variables = std::mem::take(&mut self.variables);
        for (name, node) in &variables {
            if self.table().is_too_large(*node) {
                let error = Diagnostic::error(
                    transition.place.range(),
                    format!("the sort of `{name}` has sorts inside sorts, more than {DEPTH_LIMIT} deep or too many"),
                    "in this clause",
                );
                self.diagnostics.push(error);
                break;
            }
        }
        self.inferred.variables.push(variables);
    }

    fn atom(&mut self, atom: &Atom<'a>) {
        let Some(found) = self.signatures.resolve(atom) else {
            return;
        };
        let Some(signature) = found.signature else { return };
        let hidden = atom.arguments.len() - found.arguments.len();
        for (position, argument) in found.arguments.iter().enumerate() {
            let Some(expected) = self
                .inferred
                .parameters
                .get(signature)
                .and_then(|all| all.get(position))
                .copied()
            else {
                continue;
            };
            let actual = self.sort(argument);
            if let Err(conflict) = self.table().unify(actual, expected) {
                let place = format!(" in argument {} of `{}`", position + 1 + hidden, atom.name.text);
                self.clash(argument, actual, expected, conflict, &place);
            }
        }
    }

    /// The sort of an expression; its parts are checked.
    fn sort(&mut self, expression: &Expression<'a>) -> Node {
        let span = expression.span;
        match expression.kind {
            Kind::Variable(name) => self.variable(name),
            Kind::Anonymous => {
                let node = self.table().unknown();
                self.literal(expression, node)
            }
            Kind::Integer(_) => {
                let node = self.table().numeric(span);
                self.literal(expression, node)
            }
            Kind::Real(_) => self.table().real(span),
            Kind::Truth(_) => self.table().boolean(span),
            Kind::Negative(part) => {
                let numeric = self.table().numeric(span);
                self.require_sort(part, numeric);
                numeric
            }
            Kind::Sum(parts) => {
                let numeric = self.table().numeric(span);
                parts.iter().for_each(|(_, part)| self.require_sort(part, numeric));
                numeric
            }
            Kind::Product(first, rest) => self.product(first, rest),
            Kind::Element(array, indices) => {
                let mut node = self.sort(array);
                let mut read = *array;
                for index in indices {
                    node = self.element(&read, node, index);
                    read.span = read.span.to(index.span);
                }
                node
            }
            Kind::Apply(function, arguments) => self.application(expression, function, arguments),
            Kind::Ascription(part, sort) => {
                let types = self.types;
                let node = self.table().written(&sort, types);
                self.require_sort(part, node);
                node
            }
            Kind::Comparison(relation, left, right) => {
                let node = match relation {
                    Relation::Equal | Relation::NotEqual => self.sort(left),
                    _ => {
                        let numeric = self.table().numeric(span);
                        self.require_sort(left, numeric);
                        numeric
                    }
                };
                self.require_sort(right, node);
                self.table().boolean(span)
            }
            Kind::Not(part) => {
                let boolean = self.table().boolean(span);
                self.require_sort(part, boolean);
                boolean
            }
            Kind::All(parts) | Kind::Any(parts) => {
                let boolean = self.table().boolean(span);
                parts.iter().for_each(|part| self.require_sort(part, boolean));
                boolean
            }
            Kind::List(elements, tail) => self.list(expression, elements, tail),
            // What has been reported may be of any sort.
            Kind::Atom(atom) if self.refused.contains(&atom.span) => self.table().unknown(),
            Kind::Atom(atom) => self.constructed(&atom),
        }
    }

    fn variable(&mut self, name: &'a str) -> Node {
        let next = self.variables.len();
        let position = *self.position_of.entry(name).or_insert(next);
        if let Some((_, node)) = self.variables.get(position) {
            return *node;
        }
        let node = self.table().unknown();
        self.variables.push((name, node));
        node
    }

    fn literal(&mut self, expression: &Expression<'a>, node: Node) -> Node {
        self.inferred.literals.insert(expression.span.start, node);
        node
    }

    fn product(&mut self, first: &Expression<'a>, rest: &[(Factor, Expression<'a>)]) -> Node {
        // What has been read so far, as an expression for messages.
        let mut left = *first;
        let mut node = self.sort(first);
        for (factor, right) in rest {
            let span = left.span.to(right.span);
            let wanted = match factor {
                Factor::Times => self.table().numeric(span),
                Factor::Divide => self.table().real(span),
                Factor::IntegerDivide | Factor::Modulo => self.table().int(span),
            };
            self.meet(&left, node, wanted);
            self.require_sort(right, wanted);
            left.span = span;
            node = wanted;
        }
        node
    }

    fn element(&mut self, array: &Expression<'a>, sort: Node, index: &Expression<'a>) -> Node {
        let span = array.span.to(index.span);
        let (index_sort, element) = (self.table().unknown(), self.table().unknown());
        let wanted = self.table().array(index_sort, element, span);
        self.meet(array, sort, wanted);
        let found = self.sort(index);
        if let Err(conflict) = self.table().unify(found, index_sort) {
            self.clash(index, found, index_sort, conflict, " in an index");
        }
        element
    }

    fn application(&mut self, expression: &Expression<'a>, function: Function, arguments: &[Expression<'a>]) -> Node {
        let span = expression.span;
        match (function, arguments) {
            (Function::Minimum | Function::Maximum | Function::Absolute, parts) => {
                let numeric = self.table().numeric(span);
                parts.iter().for_each(|part| self.require_sort(part, numeric));
                numeric
            }
            (Function::IfThenElse, [condition, left, right]) => {
                let boolean = self.table().boolean(condition.span);
                self.require_sort(condition, boolean);
                let node = self.sort(left);
                self.require_sort(right, node);
                node
            }
            (Function::Real, [part]) => {
                let int = self.table().int(span);
                self.require_sort(part, int);
                self.table().real(span)
            }
            (Function::Floor, [part]) => {
                let real = self.table().real(span);
                self.require_sort(part, real);
                self.table().int(span)
            }
            (Function::Select, [array, index]) => {
                let sort = self.sort(array);
                self.element(array, sort, index)
            }
            (Function::Store, [array, index, value]) => {
                let sort = self.sort(array);
                let element = self.element(array, sort, index);
                self.require_sort(value, element);
                sort
            }
            (Function::Constant, [value]) => {
                let element = self.sort(value);
                let index = self.table().unknown();
                let node = self.table().array(index, element, span);
                self.literal(expression, node)
            }
            // The parser has counted the arguments.
            _ => self.table().unknown(),
        }
    }

    fn require_sort(&mut self, expression: &Expression<'a>, expected: Node) {
        let found = self.sort(expression);
        self.meet(expression, found, expected);
    }

    fn meet(&mut self, expression: &Expression<'a>, found: Node, expected: Node) {
        if let Err(conflict) = self.table().unify(found, expected) {
            self.clash(expression, found, expected, conflict, "");
        }
    }
}
