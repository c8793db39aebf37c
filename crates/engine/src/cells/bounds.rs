//! What a program compares: with which bounds indices are, and which elements with each other.
//!
//! A loop says by its condition how far it has come, and by its indices where it reads and writes. These terms, in what each
//! predicate knows, are what an invariant's ranges are made of: `n - 1 - i` is where bubble sort's sorted part begins, though it
//! stands in the condition of the inner loop alone. So what one rule says goes to the predicates before and after it, as far as these
//! have the parameters.

use super::Shape;
use super::said::Said;
use super::views::View;
use crate::rules::{PredicateId, Program};
use crate::steps::equations::SolvedRule;
use crate::terms::Terms;

/// Constants up to this are left out of sums: what is close is tried anyway.
pub(super) const SMALL: i64 = 4;
/// Larger numbers are the limits of types.
pub(super) const LARGEST: i64 = 1_000_000;
/// How often what is known of one predicate is given to its neighbours.
const ROUNDS: usize = 4;
/// A bound has at most so many variables, and a comparison of elements so many parts.
pub(super) const MOST_PARTS: usize = 3;
/// So many comparisons of elements are found at one predicate: with each turn of a loop that is followed back a constant is another one.
const MOST_FOUND: usize = 120;
/// What weighs most is kept.
const MOST_BOUNDS: usize = 9;
const MOST_VALUES: usize = 14;

/// What a rule compares elements with: a sum of elements of arrays in cells, numbered, of the cells' indices, and of parameters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ValueForm {
    /// The positions of the arrays, the cells, and coefficients.
    pub elements: Vec<(usize, usize, i64)>,
    /// The cells of indices, and coefficients.
    pub keys: Vec<(usize, i64)>,
    /// Positions of scalars, and coefficients.
    pub scalars: Vec<(usize, i64)>,
    pub constant: i64,
}

impl ValueForm {
    /// How many numbers are added in it.
    fn parts(&self) -> usize {
        self.elements.len() + self.keys.len() + self.scalars.len()
    }

    /// The same comparison with zero, in order and with its first element counted positively.
    pub fn normalized(mut self) -> ValueForm {
        self.elements.sort();
        self.keys.sort();
        self.scalars.sort();
        if self.elements.first().is_some_and(|(.., by)| *by < 0) {
            let keys = self.keys.iter_mut().map(|(_, by)| by);
            let scalars = self.scalars.iter_mut().map(|(_, by)| by);
            let all = self.elements.iter_mut().map(|(.., by)| by).chain(keys).chain(scalars);
            all.for_each(|by| *by = by.saturating_neg());
            self.constant = self.constant.saturating_neg();
        }
        self
    }
}

/// A bound: a sum of parameters by their positions, and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Bound {
    pub scalars: Vec<(usize, i64)>,
    pub constant: i64,
}

/// What is compared at one predicate.
#[derive(Clone, Debug, Default)]
pub(super) struct Compared {
    pub bounds: Vec<Bound>,
    pub values: Vec<ValueForm>,
    /// By how much indices go up at once, where it is more than one.
    pub strides: Vec<i64>,
    /// How long the rows are where an index is that of a row and a place in it.
    pub rows: Vec<i64>,
    /// Whether indices go up in one array where they go down in another.
    pub are_mirrored: bool,
}

/// What has been found so far, with how often.
#[derive(Default)]
pub(super) struct Found {
    bounds: Vec<(Bound, u32)>,
    values: Vec<(ValueForm, u32)>,
    pub strides: Vec<i64>,
    pub rows: Vec<i64>,
    pub are_mirrored: bool,
}

impl Found {
    pub fn bound(&mut self, bound: Bound, weight: u32) {
        let is_close = |known: &Bound| known.scalars == bound.scalars && known.constant.abs_diff(bound.constant) <= 1;
        match self.bounds.iter_mut().find(|(known, _)| is_close(known)) {
            Some((_, sum)) => *sum += weight,
            None => self.bounds.push((bound, weight)),
        }
    }

    pub fn value(&mut self, value: ValueForm, weight: u32) {
        if value.elements.is_empty() || value.parts() > MOST_PARTS {
            return;
        }
        let value = value.normalized();
        let count = self.values.len();
        match self.values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, sum)) => *sum += weight,
            None if count < MOST_FOUND => self.values.push((value, weight)),
            None => {}
        }
    }

    /// What follows for others where an element is said to be a sum: `c = a + b` and `c > 0` compare `a + b`, too.
    fn compose(&mut self) {
        let values = self.values.clone();
        for (sum, _) in values.iter().filter(|(sum, _)| sum.elements.len() > 1) {
            for (at, (position, cell, by)) in sum.elements.iter().enumerate() {
                for (other, _) in values.iter().filter(|(other, _)| other.parts() == 1) {
                    if other.elements == [(*position, *cell, 1)] && by.abs() == 1 {
                        let mut rest = sum.clone();
                        rest.elements.remove(at);
                        rest.constant = rest.constant.saturating_sub(by.saturating_mul(other.constant));
                        self.value(rest, 0);
                    }
                }
            }
        }
    }
}

/// What each predicate of a program compares, over as many cells as are followed.
pub(super) fn compared(program: &Program, shapes: &[Shape], cells: usize) -> Vec<Compared> {
    let mut terms = program.terms.clone();
    let mut found: Vec<Found> = program.predicates().iter().map(|_| Found::default()).collect();
    let mut views = Vec::new();
    for rule in program.rules() {
        let solved = SolvedRule::new(&mut terms, rule);
        let own: Vec<View> = std::iter::once(&solved.head)
            .chain(solved.body.first())
            .filter(|atom| !matches!(atom.predicate, PredicateId::QUERY | PredicateId::ERROR))
            .map(|atom| View::new(&terms, atom))
            .collect();
        let said = Said::new(&mut terms, &solved, cells);
        for view in &own {
            said.told(&terms, view, &mut found[view.predicate.index()]);
        }
        views.push(own);
    }
    spread(&terms, &views, &mut found);
    spread_values(&terms, &views, &mut found);
    found.iter_mut().for_each(Found::compose);
    spread_values(&terms, &views, &mut found);
    let of = |(found, shape): (Found, &Shape)| {
        let mut found = found;
        if shape.arrays.is_empty() {
            return Compared::default();
        }
        if cells == 2 {
            for (position, _) in &shape.arrays {
                let order = ValueForm {
                    elements: vec![(*position, 0, 1), (*position, 1, -1)],
                    ..ValueForm::default()
                };
                found.value(order, 0);
            }
            // Arrays that are compared somewhere may be alike anywhere.
            for (value, weight) in found.values.clone() {
                if let ([(one, _, by), (other, _, of)], [], []) =
                    (&value.elements[..], &value.keys[..], &value.scalars[..])
                    && one != other
                    && *of == -by
                {
                    for (first, second) in [(0, 0), (1, 1), (0, 1), (1, 0)] {
                        let elements = vec![(*one, first, *by), (*other, second, *of)];
                        found.value(
                            ValueForm {
                                elements,
                                ..value.clone()
                            },
                            weight,
                        );
                    }
                }
            }
        }
        found.bound(Bound::default(), 2);
        // The number of a row may be compared elsewhere than where its length is said.
        for (bound, weight) in found.bounds.clone() {
            if let [(position, 1)] = bound.scalars[..] {
                for length in found.rows.clone() {
                    let scalars = vec![(position, length)];
                    found.bound(Bound { scalars, constant: 0 }, weight.min(1));
                }
            }
        }
        let most = MOST_BOUNDS + 4 * found.rows.len().min(1);
        // Numbers alone are mostly the limits of what varies.
        let is_number = |bound: &Bound| bound.scalars.is_empty() && bound.constant != 0;
        found
            .bounds
            .sort_by_key(|(bound, weight)| (is_number(bound), std::cmp::Reverse(*weight)));
        found.values.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        Compared {
            bounds: found.bounds.into_iter().map(|(bound, _)| bound).take(most).collect(),
            values: found
                .values
                .into_iter()
                .map(|(value, _)| value)
                .take(MOST_VALUES)
                .collect(),
            strides: found.strides,
            rows: found.rows,
            are_mirrored: found.are_mirrored,
        }
    };
    found.into_iter().zip(shapes).map(of).collect()
}

/// Pairs of neighbours, by turns in both directions: what is known of the first is given to the second.
fn neighbours(views: &[Vec<View>]) -> impl Iterator<Item = (&View, &View)> {
    let pairs = (0..ROUNDS).flat_map(move |_| views).filter_map(|pair| match &pair[..] {
        [one, other] => Some([(one, other), (other, one)]),
        _ => None,
    });
    pairs.flatten()
}

/// Gives what is known of predicates to their neighbours, but for comparisons of elements.
fn spread(terms: &Terms, views: &[Vec<View>], found: &mut [Found]) {
    for (from, to) in neighbours(views) {
        let (source, target) = (from.predicate.index(), to.predicate.index());
        for (bound, _) in found[source].bounds.clone() {
            if let Some(moved) = from.form(terms, &bound).and_then(|form| to.bound(terms, &form)) {
                // What a predicate says itself weighs more than what comes from others.
                found[target].bound(moved, 0);
            }
        }
        found[target].are_mirrored |= found[source].are_mirrored;
        for stride in found[source].strides.clone() {
            add_once(&mut found[target].strides, stride);
        }
        for row in found[source].rows.clone() {
            add_once(&mut found[target].rows, row);
        }
    }
}

/// The same of comparisons of elements.
fn spread_values(terms: &Terms, views: &[Vec<View>], found: &mut [Found]) {
    for (from, to) in neighbours(views) {
        let (source, target) = (from.predicate.index(), to.predicate.index());
        for (value, _) in found[source].values.clone() {
            if let Some(moved) = to.value(terms, from, &value) {
                found[target].value(moved, 1);
            }
        }
    }
}

/// Adds what is not there yet.
pub(super) fn add_once<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
