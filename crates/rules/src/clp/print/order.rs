//! An order of terms that depends on what they are and not on their ids, so that the same rule is printed the same way
//! whichever table it lives in: small terms before large ones, variables in the order of the rule's atoms.

use crate::terms::{Operator, Rational, SortId, TermId, Terms, displayed_parts, smtlib_function};
use hashbrown::HashMap;
use num_traits::Signed;

/// What two terms are compared by. The ranks of parts stand for the parts.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    height: usize,
    kind: u8,
    /// Of a function that is no operator of the language, which one.
    name: String,
    parts: Vec<usize>,
    numbers: Vec<Rational>,
}

/// Ranks of the terms of `shown`, the result of [`shown_terms`](crate::terms::shown_terms). `position_of` gives the places of the variables.
pub(super) fn ranks(terms: &Terms, shown: &[TermId], position_of: &dyn Fn(TermId) -> usize) -> HashMap<TermId, usize> {
    let mut height_of: HashMap<TermId, usize> = HashMap::new();
    let mut by_height: Vec<Vec<TermId>> = Vec::new();
    for term in shown {
        let parts = displayed_parts(terms, *term);
        let height = parts
            .iter()
            .filter_map(|part| height_of.get(part))
            .max()
            .map_or(0, |highest| highest + 1);
        height_of.insert(*term, height);
        if by_height.len() <= height {
            by_height.resize(height + 1, Vec::new());
        }
        by_height[height].push(*term);
    }
    let mut rank_of: HashMap<TermId, usize> = HashMap::new();
    for (height, level) in by_height.into_iter().enumerate() {
        let mut level: Vec<(Key, TermId)> = level
            .into_iter()
            .map(|term| (key(terms, term, height, &rank_of, position_of), term))
            .collect();
        level.sort();
        for (_, term) in level {
            rank_of.insert(term, rank_of.len());
        }
    }
    rank_of
}

fn key(
    terms: &Terms,
    term: TermId,
    height: usize,
    rank_of: &HashMap<TermId, usize>,
    position_of: &dyn Fn(TermId) -> usize,
) -> Key {
    let rank = |part: &TermId| rank_of.get(part).copied().unwrap_or(0);
    let arguments = terms.arguments(term);
    let swapped = |arguments: &[TermId]| {
        let mut ranks: Vec<usize> = arguments.iter().map(rank).collect();
        ranks.sort();
        (ranks, Vec::new())
    };
    let (kind, (parts, numbers)) = match (terms.operator(term), arguments) {
        (Operator::Variable(_), _) => (0, (vec![position_of(term)], Vec::new())),
        (Operator::Number(_), _) => {
            let is_real = usize::from(terms.sort(term) == SortId::REAL);
            (
                1,
                (vec![is_real], terms.number_value(term).cloned().into_iter().collect()),
            )
        }
        (Operator::False, _) => (2, (Vec::new(), Vec::new())),
        (Operator::True, _) => (3, (Vec::new(), Vec::new())),
        (Operator::Add, _) => (4, linear(terms, term, &rank, false)),
        (Operator::Multiply, [first, _]) if terms.number_value(*first).is_some() => {
            (4, linear(terms, term, &rank, false))
        }
        (Operator::Multiply, _) => (5, swapped(arguments)),
        (Operator::Divide, _) => (6, (arguments.iter().map(rank).collect(), Vec::new())),
        (Operator::IntegerDivide, _) => (7, (arguments.iter().map(rank).collect(), Vec::new())),
        (Operator::Modulo, _) => (8, (arguments.iter().map(rank).collect(), Vec::new())),
        (Operator::ToReal, _) => (9, (arguments.iter().map(rank).collect(), Vec::new())),
        (Operator::ToInteger, _) => (10, (arguments.iter().map(rank).collect(), Vec::new())),
        (Operator::IfThenElse, _) => (11, (arguments.iter().map(rank).collect(), Vec::new())),
        (Operator::Select, _) => (12, (arguments.iter().map(rank).collect(), Vec::new())),
        (Operator::Store, _) => (13, (arguments.iter().map(rank).collect(), Vec::new())),
        (Operator::ConstantArray, _) => (14, (arguments.iter().map(rank).collect(), Vec::new())),
        (Operator::Equal, _) => (15, comparison(terms, term, &rank)),
        (Operator::Not, [inner]) if terms.operator(*inner) == Operator::Equal => (16, comparison(terms, *inner, &rank)),
        (Operator::LessOrEqual, _) => (17, comparison(terms, term, &rank)),
        (Operator::Less, _) => (18, comparison(terms, term, &rank)),
        (Operator::Not, _) => (19, swapped(arguments)),
        (Operator::And, _) => (20, swapped(arguments)),
        (Operator::Or, _) => (21, swapped(arguments)),
        _ => (22, (arguments.iter().map(rank).collect(), Vec::new())),
    };
    let name = match kind {
        22 => smtlib_function(terms, term, &|name| name.to_string()).unwrap_or_default(),
        _ => String::new(),
    };
    Key {
        height,
        kind,
        name,
        parts,
        numbers,
    }
}

/// A comparison by its linear form; the sign of an equality is not part of it.
fn comparison(terms: &Terms, atom: TermId, rank: &dyn Fn(&TermId) -> usize) -> (Vec<usize>, Vec<Rational>) {
    match terms.arguments(atom) {
        [left, right] if terms.sort(*left).is_numeric() => {
            let is_equality = terms.operator(atom) == Operator::Equal;
            let (parts, mut numbers) = linear(terms, *left, rank, is_equality);
            let flipped = is_equality && linear(terms, *left, rank, false).1 != numbers;
            let bound = terms.number_value(*right).cloned();
            numbers.extend(bound.map(|bound| if flipped { -bound } else { bound }));
            (parts, numbers)
        }
        sides => {
            let mut parts: Vec<usize> = sides.iter().map(rank).collect();
            parts.sort();
            (parts, Vec::new())
        }
    }
}

/// The parts of a linear form by rank, then the coefficients and the constant; perhaps with the first one made positive.
fn linear(
    terms: &Terms,
    sum: TermId,
    rank: &dyn Fn(&TermId) -> usize,
    make_positive: bool,
) -> (Vec<usize>, Vec<Rational>) {
    let form = terms.linear_form(sum);
    let mut pairs: Vec<(usize, Rational)> = form
        .terms
        .iter()
        .map(|(term, factor)| (rank(term), factor.clone()))
        .collect();
    pairs.sort();
    let flip = make_positive && pairs.first().is_some_and(|(_, first)| first.is_negative());
    let (parts, mut numbers): (Vec<usize>, Vec<Rational>) = pairs.into_iter().unzip();
    numbers.push(form.constant);
    if flip {
        numbers.iter_mut().for_each(|number| *number = -number.clone());
    }
    (parts, numbers)
}
