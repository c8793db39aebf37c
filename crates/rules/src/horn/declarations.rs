//! Datatypes that are used before they are declared. SMT-LIB wants it the other way round, but Solidity's checker, for one, declares an array of
//! arrays before the inner one; what is meant is plain. So such declarations are read first. And what is declared together need not belong
//! together: a record of an array of records is one of two datatypes, neither of which holds itself.

use super::expression::{Command, Expression};
use super::lexer::Span;
use crate::graphs;
use hashbrown::HashMap;

/// A datatype as it is declared: its name, its parameters, and its constructors.
pub(super) type Declared<'a> = (&'a str, Span, &'a [Expression<'a>], &'a [Expression<'a>]);

/// The commands in an order in which datatypes come before those that are made of them, where there is one; otherwise as they are.
pub(super) fn in_order<'a>(commands: Vec<Command<'a>>) -> Vec<Command<'a>> {
    let mut declares: HashMap<&'a str, usize> = HashMap::new();
    for (position, command) in commands.iter().enumerate() {
        for name in declared(command) {
            declares.entry(name).or_insert(position);
        }
    }
    let mut order = Vec::with_capacity(commands.len());
    let mut is_placed = vec![false; commands.len()];
    for start in 0..commands.len() {
        // Each with the position of the next of its symbols that is looked at; a circle is left as it is.
        let mut path = vec![(start, needed(&commands[start]))];
        while let Some((position, symbols)) = path.last_mut() {
            let position = *position;
            let Some(symbol) = symbols.pop() else {
                path.pop();
                if !std::mem::replace(&mut is_placed[position], true) {
                    order.push(position);
                }
                continue;
            };
            if let Some(before) = declares.get(symbol).copied()
                && !is_placed[before]
                && !path.iter().any(|(other, _)| *other == before)
            {
                path.push((before, needed(&commands[before])));
            }
        }
    }
    let command = |position: usize| commands.get(position).copied();
    order.into_iter().filter_map(command).collect()
}

/// The names of the datatypes that a command declares.
fn declared<'a>(command: &Command<'a>) -> Vec<&'a str> {
    let name = |expression: &Expression<'a>| match expression.symbol() {
        Some(name) => Some(name),
        None => expression.application().map(|(name, _)| name),
    };
    match command.expression.application() {
        Some(("declare-datatype", [declared, ..])) => declared.symbol().into_iter().collect(),
        Some(("declare-datatypes", [names, bodies])) => {
            // In the older syntax the names are with the constructors.
            let (names, bodies) = (names.list().unwrap_or_default(), bodies.list().unwrap_or_default());
            let is_older = names.iter().all(|one| one.symbol().is_some());
            if is_older { bodies } else { names }.iter().filter_map(name).collect()
        }
        _ => Vec::new(),
    }
}

/// Datatypes without parameters that are declared together, in groups of those that are made of each other, each after those that it is
/// made of; otherwise in their order.
pub(super) fn groups<'a>(declared: &[Declared<'a>]) -> Vec<Vec<Declared<'a>>> {
    let places: HashMap<&str, usize> = declared.iter().enumerate().map(|(place, one)| (one.0, place)).collect();
    let needs = declared.iter().map(|(.., constructors)| {
        let symbols = constructors.iter().flat_map(|constructor| constructor.symbols());
        symbols.filter_map(|symbol| places.get(symbol).copied()).collect()
    });
    let group = |nodes: Vec<usize>| {
        nodes
            .into_iter()
            .filter_map(|node| declared.get(node).copied())
            .collect()
    };
    graphs::groups(&needs.collect::<Vec<_>>())
        .into_iter()
        .map(group)
        .collect()
}

/// The symbols that a declaration of datatypes mentions.
fn needed<'a>(command: &Command<'a>) -> Vec<&'a str> {
    match declared(command).is_empty() {
        true => Vec::new(),
        false => command.expression.symbols(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn datatypes_are_declared_in_any_order() {
        let text = |declarations: &str| {
            format!(
                "(set-logic HORN) {declarations} (declare-fun p (Outer) Bool)
                 (assert (forall ((X Outer)) (=> (= (size (select (rows X) 0)) 3) (p X))))
                 (assert (forall ((X Outer)) (=> (and (p X) (> (size (select (rows X) 0)) 3)) false)))
                 (check-sat)"
            )
        };
        let row = "(declare-datatypes ((Row 0)) (((row (cells (Array Int Int))))))";
        let inner = "(declare-datatypes ((Inner 0)) (((inner (only Row) (size Int)))))";
        let outer = "(declare-datatypes ((Outer 0)) (((outer (rows (Array Int Inner)) (count Int)))))";
        for order in [
            [row, inner, outer],
            [outer, row, inner],
            [outer, inner, row],
            [inner, outer, row],
        ] {
            assert!(
                crate::horn::read(&text(&order.join(" "))).product.is_some(),
                "{order:?}"
            );
        }
        let together =
            "(declare-datatypes ((Outer 0) (Inner 0) (Row 0)) (((outer (rows (Array Int Inner)) (count Int)))
            ((inner (only Row) (size Int))) ((row (cells (Array Int Int))))))";
        assert!(crate::horn::read(&text(together)).product.is_some());
        let themselves = "(declare-datatypes ((Outer 0) (Inner 0)) (((outer (rows (Array Int Inner)) (count Int)))
            ((inner (of Outer) (size Int)))))";
        assert!(crate::horn::read(&text(themselves)).product.is_none());
        let circle = "(declare-datatype Outer ((outer (rows (Array Int Inner))))) (declare-datatype Inner ((inner (size Int) (of Outer))))";
        assert!(crate::horn::read(&text(circle)).product.is_none());
    }
}
