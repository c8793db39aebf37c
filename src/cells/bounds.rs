//! What a program compares: with which bounds indices are, and which elements with each other.
//!
//! A loop says by its condition how far it has come, and by its indices where it reads and writes. These terms, in what each
//! predicate knows, are what an invariant's ranges are made of: `n - 1 - i` is where bubble sort's sorted part begins, though it
//! stands in the condition of the inner loop alone. So what one rule says goes to the predicates before and after it, as far as these
//! have the parameters.

use super::{Shape, index_sort};
use crate::rules::{Atom, PredicateId, Program};
use crate::steps::equations::SolvedRule;
use crate::terms::{Comparison, LinearForm, Operator, Rational, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Constants up to this are left out of sums: what is close is tried anyway.
const SMALL: i64 = 4;
/// Larger numbers are the limits of types.
const LARGEST: i64 = 1_000_000;
/// How often what is known of one predicate is given to its neighbours.
const ROUNDS: usize = 4;
/// A bound has at most so many variables, and a comparison of elements so many parts.
const MOST_PARTS: usize = 3;
/// What weighs most is kept.
const MOST_BOUNDS: usize = 7;
const MOST_VALUES: usize = 14;

/// What a rule compares elements with: a sum of elements of arrays in cells, numbered, and of parameters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ValueForm {
    /// The positions of the arrays, the cells, and coefficients.
    pub elements: Vec<(usize, usize, i64)>,
    /// Positions of scalars, and coefficients.
    pub scalars: Vec<(usize, i64)>,
    pub constant: i64,
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
    /// Whether indices go up in one array where they go down in another.
    pub are_mirrored: bool,
}

/// What is known of a variable of a rule: it is a parameter and a constant.
type Known = HashMap<TermId, (usize, i64)>;

/// A rule in terms of what it has in common with a predicate.
struct View {
    predicate: PredicateId,
    arguments: Vec<TermId>,
    numbers: Known,
    /// Which parameter an array is.
    arrays: HashMap<TermId, usize>,
}

impl View {
    fn new(terms: &Terms, atom: &Atom) -> View {
        let (mut numbers, mut arrays) = (Known::new(), HashMap::new());
        for (position, argument) in atom.arguments.iter().enumerate() {
            if terms.sort(*argument) == SortId::INT {
                let form = terms.linear_form(*argument);
                if let ([(variable, one)], Some(shift)) = (&form.terms[..], integer(&form.constant))
                    && one.is_one()
                    && terms.is_variable(*variable)
                {
                    let closer = numbers
                        .get(variable)
                        .is_none_or(|(_, known): &(usize, i64)| known.abs() > shift.abs());
                    if closer {
                        numbers.insert(*variable, (position, -shift));
                    }
                }
            } else if index_sort(terms, terms.sort(*argument)).is_some() {
                arrays.entry(base(terms, *argument)).or_insert(position);
            }
        }
        View {
            predicate: atom.predicate,
            arguments: atom.arguments.clone(),
            numbers,
            arrays,
        }
    }

    /// A sum of variables as one of parameters; without constants that are close to none.
    fn bound(&self, terms: &Terms, form: &LinearForm) -> Option<Bound> {
        let mut bound = Bound {
            scalars: Vec::new(),
            constant: integer(&form.constant)?,
        };
        if form.terms.len() > MOST_PARTS {
            return None;
        }
        for (variable, coefficient) in &form.terms {
            let coefficient = integer(coefficient)?;
            let (position, shift) = *self.numbers.get(variable)?;
            debug_assert!(terms.is_variable(*variable), "only variables are known");
            add(&mut bound.scalars, position, coefficient);
            bound.constant = bound.constant.checked_add(shift.checked_mul(coefficient)?)?;
        }
        if bound.constant.abs() <= SMALL {
            bound.constant = 0;
        }
        (bound.constant.abs() <= LARGEST).then_some(bound)
    }

    /// A bound in this predicate's parameters as a sum of the rule's variables.
    fn form(&self, terms: &Terms, bound: &Bound) -> Option<LinearForm> {
        let mut form = LinearForm::constant(Rational::from_integer(bound.constant.into()));
        for (position, coefficient) in &bound.scalars {
            let argument = terms.linear_form(*self.arguments.get(*position)?);
            form = form.add_scaled(&argument, &Rational::from_integer((*coefficient).into()));
        }
        Some(form)
    }

    /// A comparison of elements in another view's parameters, in this one's.
    fn value(&self, terms: &Terms, from: &View, value: &ValueForm) -> Option<ValueForm> {
        let scalars = Bound {
            scalars: value.scalars.clone(),
            constant: value.constant,
        };
        let mut moved = self.comparison(&from.form(terms, &scalars)?)?;
        for (position, cell, coefficient) in &value.elements {
            let array = base(terms, *from.arguments.get(*position)?);
            moved.elements.push((*self.arrays.get(&array)?, *cell, *coefficient));
        }
        moved.elements.sort();
        Some(moved)
    }

    /// A sum of variables to be compared with elements: here constants count.
    fn comparison(&self, form: &LinearForm) -> Option<ValueForm> {
        let mut value = ValueForm {
            constant: integer(&form.constant)?,
            ..ValueForm::default()
        };
        for (variable, coefficient) in &form.terms {
            let coefficient = integer(coefficient)?;
            let (position, shift) = *self.numbers.get(variable)?;
            add(&mut value.scalars, position, coefficient);
            value.constant = value.constant.checked_add(shift.checked_mul(coefficient)?)?;
        }
        Some(value)
    }
}

fn add(scalars: &mut Vec<(usize, i64)>, position: usize, coefficient: i64) {
    match scalars.iter_mut().find(|(known, _)| *known == position) {
        Some((_, sum)) => *sum = sum.saturating_add(coefficient),
        None => scalars.push((position, coefficient)),
    }
    scalars.retain(|(_, sum)| *sum != 0);
    scalars.sort();
}

fn integer(value: &Rational) -> Option<i64> {
    value.is_integer().then(|| value.numer().to_i64()).flatten()
}

/// What is left of an array when stores are looked through.
fn base(terms: &Terms, array: TermId) -> TermId {
    let mut array = array;
    while let (Operator::Store, [inner, ..]) = (terms.operator(array), terms.arguments(array)) {
        array = *inner;
    }
    array
}

/// What has been found so far, with how often.
#[derive(Default)]
struct Found {
    bounds: Vec<(Bound, u32)>,
    values: Vec<(ValueForm, u32)>,
    strides: Vec<i64>,
    are_mirrored: bool,
}

impl Found {
    fn bound(&mut self, bound: Bound, weight: u32) {
        let is_close = |known: &Bound| known.scalars == bound.scalars && known.constant.abs_diff(bound.constant) <= 1;
        match self.bounds.iter_mut().find(|(known, _)| is_close(known)) {
            Some((_, sum)) => *sum += weight,
            None => self.bounds.push((bound, weight)),
        }
    }

    fn value(&mut self, mut value: ValueForm, weight: u32) {
        if value.elements.is_empty() || value.scalars.len() + value.elements.len() > MOST_PARTS {
            return;
        }
        let scalars = value.scalars.iter().map(|(_, coefficient)| *coefficient);
        let mut numbers = scalars.chain(value.elements.iter().map(|(.., coefficient)| *coefficient));
        // It has no negative.
        if value.constant == i64::MIN || numbers.any(|coefficient| coefficient == i64::MIN) {
            return;
        }
        value.elements.sort();
        if value.elements[0].2 < 0 {
            value
                .elements
                .iter_mut()
                .for_each(|(.., coefficient)| *coefficient = -*coefficient);
            value
                .scalars
                .iter_mut()
                .for_each(|(_, coefficient)| *coefficient = -*coefficient);
            value.constant = -value.constant;
        }
        match self.values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, sum)) => *sum += weight,
            None => self.values.push((value, weight)),
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
    for _ in 0..ROUNDS {
        for pair in &views {
            let [one, other] = &pair[..] else { continue };
            for (from, to) in [(one, other), (other, one)] {
                let (source, target) = (from.predicate.index(), to.predicate.index());
                let bounds = found[source].bounds.clone();
                for (bound, _) in bounds {
                    if let Some(moved) = from.form(&terms, &bound).and_then(|form| to.bound(&terms, &form)) {
                        found[target].bound(moved, 1);
                    }
                }
                for (value, _) in found[source].values.clone() {
                    if let Some(moved) = to.value(&terms, from, &value) {
                        found[target].value(moved, 1);
                    }
                }
                found[target].are_mirrored |= found[source].are_mirrored;
                let strides = found[source].strides.clone();
                let new = strides
                    .into_iter()
                    .filter(|stride| !found[target].strides.contains(stride));
                let new: Vec<i64> = new.collect();
                found[target].strides.extend(new);
            }
        }
    }
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
        }
        found.bound(Bound::default(), 2);
        found.bounds.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        found.values.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        Compared {
            bounds: found
                .bounds
                .into_iter()
                .map(|(bound, _)| bound)
                .take(MOST_BOUNDS)
                .collect(),
            values: found
                .values
                .into_iter()
                .map(|(value, _)| value)
                .take(MOST_VALUES)
                .collect(),
            strides: found.strides,
            are_mirrored: found.are_mirrored,
        }
    };
    found.into_iter().zip(shapes).map(of).collect()
}

/// What a rule says, over its variables.
struct Said {
    bounds: Vec<(LinearForm, u32)>,
    values: Vec<LinearForm>,
    /// The elements in `values`: which array in which cell.
    elements: HashMap<TermId, (TermId, usize)>,
    strides: Vec<i64>,
    are_mirrored: bool,
}

impl Said {
    fn new(terms: &mut Terms, rule: &SolvedRule, cells: usize) -> Said {
        let mut said = Said {
            bounds: Vec::new(),
            values: Vec::new(),
            elements: HashMap::new(),
            strides: Vec::new(),
            are_mirrored: false,
        };
        let mut roots: Vec<TermId> = rule.constraint.clone();
        let atoms = std::iter::once(&rule.head).chain(&rule.body);
        roots.extend(atoms.flat_map(|atom| &atom.arguments));
        let parts = parts(terms, &roots);
        let mut indices: Vec<LinearForm> = Vec::new();
        for part in &parts {
            let arguments = terms.arguments(*part).to_vec();
            if let (Operator::Select | Operator::Store, [_, index, ..]) = (terms.operator(*part), &arguments[..])
                && terms.sort(*index) == SortId::INT
            {
                let index = terms.linear_form(*index);
                if !indices.contains(&index) {
                    indices.push(index);
                }
            }
            if let (Operator::Store, &[_, _, value]) = (terms.operator(*part), &arguments[..])
                && terms.sort(value) == SortId::INT
            {
                // The element that is written is what is written.
                let (array, at) = (arguments[0], arguments[1]);
                let element = terms.select(base(terms, array), at);
                let (element, value) = (terms.linear_form(element), terms.linear_form(value));
                said.compares(terms, element.add_scaled(&value, &-Rational::one()), cells);
            }
            if let Some(atom) = terms.linear_atom(*part)
                && arguments.first().is_some_and(|side| terms.sort(*side) == SortId::INT)
            {
                let mut form = atom.form;
                // What is not at most something is at least one more.
                if atom.comparison == Comparison::LessOrEqual && form.constant.is_one() && form.terms.len() > 1 {
                    form.constant = Rational::zero();
                }
                said.compares(terms, form, cells);
            }
        }
        for index in &indices {
            let is_down = |form: &LinearForm| form.terms.iter().any(|(_, c)| c.is_negative());
            said.are_mirrored |= is_down(index);
            said.bounds.push((index.clone(), 3));
        }
        for argument in rule
            .head
            .arguments
            .iter()
            .chain(rule.body.iter().flat_map(|atom| &atom.arguments))
        {
            if terms.sort(*argument) == SortId::INT {
                let form = terms.linear_form(*argument);
                if let ([(_, one)], Some(step)) = (&form.terms[..], integer(&form.constant))
                    && one.is_one()
                    && (2..=4).contains(&step.abs())
                    && !said.strides.contains(&step.abs())
                {
                    said.strides.push(step.abs());
                }
            }
        }
        said
    }

    /// A sum is compared with zero: bounds for each variable in it, or a comparison of elements.
    fn compares(&mut self, terms: &mut Terms, form: LinearForm, cells: usize) {
        let selects: Vec<TermId> = form
            .terms
            .iter()
            .map(|(part, _)| *part)
            .filter(|part| terms.operator(*part) == Operator::Select)
            .collect();
        if selects.is_empty() {
            if form.terms.len() > MOST_PARTS || form.terms.iter().any(|(part, _)| !terms.is_variable(*part)) {
                return;
            }
            for (variable, coefficient) in &form.terms {
                if coefficient.is_one() || (-coefficient).is_one() {
                    let own = LinearForm {
                        terms: vec![(*variable, coefficient.clone())],
                        constant: Rational::zero(),
                    };
                    let rest = form.add_scaled(&own, &-Rational::one());
                    self.bounds.push((rest.scaled(&-coefficient), 1));
                    self.bounds.push((own.scaled(coefficient), 1));
                }
            }
            return;
        }
        let mut indices: Vec<TermId> = Vec::new();
        for select in &selects {
            let index = terms.arguments(*select)[1];
            if !indices.contains(&index) {
                indices.push(index);
            }
        }
        let placements: Vec<Vec<usize>> = match (indices.len(), cells) {
            (1, 1) => vec![vec![0]],
            (1, _) => vec![vec![0], vec![1]],
            (2, 2) => {
                let (first, second) = (terms.linear_form(indices[0]), terms.linear_form(indices[1]));
                let apart = second.add_scaled(&first, &-Rational::one());
                match apart.terms.is_empty() {
                    true if apart.constant.is_positive() => vec![vec![0, 1]],
                    true => vec![vec![1, 0]],
                    false => vec![vec![0, 1], vec![1, 0]],
                }
            }
            _ => return,
        };
        for cells in placements {
            let mut placed = LinearForm::constant(form.constant.clone());
            let mut parts = Vec::new();
            for (part, coefficient) in &form.terms {
                let arguments = terms.arguments(*part).to_vec();
                let is_select = terms.operator(*part) == Operator::Select;
                let cell = indices
                    .iter()
                    .position(|index| is_select && arguments.get(1) == Some(index));
                let part = match cell {
                    Some(cell) => {
                        let element = terms.fresh_variable("Element", terms.sort(*part));
                        self.elements.insert(element, (base(terms, arguments[0]), cells[cell]));
                        element
                    }
                    None => *part,
                };
                parts.push((part, coefficient.clone()));
            }
            parts.sort_by_key(|(part, _)| *part);
            placed.terms = parts;
            self.values.push(placed);
        }
    }

    /// What it says in terms of a predicate.
    fn told(&self, terms: &Terms, view: &View, found: &mut Found) {
        for (form, weight) in &self.bounds {
            if let Some(bound) = view.bound(terms, form) {
                found.bound(bound, *weight);
            }
        }
        for form in &self.values {
            let (elements, scalars): (Vec<_>, Vec<_>) = form
                .terms
                .iter()
                .cloned()
                .partition(|(part, _)| self.elements.contains_key(part));
            let rest = LinearForm {
                terms: scalars,
                constant: form.constant.clone(),
            };
            let Some(mut value) = view.comparison(&rest) else {
                continue;
            };
            let mut all = true;
            for (part, coefficient) in elements {
                let place = self
                    .elements
                    .get(&part)
                    .and_then(|(array, cell)| Some((*view.arrays.get(array)?, *cell)));
                match (place, integer(&coefficient)) {
                    (Some((position, cell)), Some(coefficient)) => value.elements.push((position, cell, coefficient)),
                    _ => all = false,
                }
            }
            if all {
                found.value(value, 2);
            }
        }
        for stride in &self.strides {
            if !found.strides.contains(stride) {
                found.strides.push(*stride);
            }
        }
        found.are_mirrored |= self.are_mirrored;
    }
}

/// All terms in some terms, in the order of their ids.
fn parts(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut seen: HashSet<TermId> = HashSet::new();
    let mut stack = roots.to_vec();
    let mut all = Vec::new();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            all.push(term);
            stack.extend(terms.arguments(term));
        }
    }
    all.sort();
    all
}
