//! What one rule says of indices and of elements, over its own variables.

use super::bounds::{Found, MOST_PARTS, add_once};
use super::views::{View, base, integer};
use crate::steps::equations::SolvedRule;
use crate::terms::{Comparison, LinearForm, Operator, Rational, SortId, TermId, Terms};
use hashbrown::HashMap;
use num_traits::{One, Signed, Zero};

/// What a rule says, over its variables.
pub(super) struct Said {
    bounds: Vec<(LinearForm, u32)>,
    values: Vec<LinearForm>,
    /// The elements in `values`: which array in which cell.
    elements: HashMap<TermId, (TermId, usize)>,
    /// The indices of cells in `values`.
    keys: HashMap<TermId, usize>,
    /// What is compared with zero and has no elements in it.
    comparisons: Vec<LinearForm>,
    strides: Vec<i64>,
    rows: Vec<i64>,
    are_mirrored: bool,
}

impl Said {
    pub fn new(terms: &mut Terms, rule: &SolvedRule, cells: usize) -> Said {
        let mut said = Said {
            bounds: Vec::new(),
            values: Vec::new(),
            elements: HashMap::new(),
            keys: HashMap::new(),
            comparisons: Vec::new(),
            strides: Vec::new(),
            rows: Vec::new(),
            are_mirrored: false,
        };
        let mut roots: Vec<TermId> = rule.constraint.clone();
        let atoms = std::iter::once(&rule.head).chain(&rule.body);
        roots.extend(atoms.flat_map(|atom| &atom.arguments));
        let parts = terms.subterms(&roots);
        let mut indices: Vec<LinearForm> = Vec::new();
        let mut stored: Vec<(LinearForm, LinearForm)> = Vec::new();
        for part in &parts {
            let arguments = terms.arguments(*part).to_vec();
            if let (Operator::Select | Operator::Store, [_, index, ..]) = (terms.operator(*part), &arguments[..])
                && terms.sort(*index) == SortId::INT
            {
                let index = terms.linear_form(*index);
                add_once(&mut indices, index);
            }
            if let (Operator::Store, &[_, _, value]) = (terms.operator(*part), &arguments[..])
                && terms.sort(value) == SortId::INT
            {
                // The element that is written is what is written.
                let (array, at) = (arguments[0], arguments[1]);
                let element = terms.select(base(terms, array), at);
                let (element, value) = (terms.linear_form(element), terms.linear_form(value));
                stored.push((element.clone(), value.clone()));
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
        // What is written into two places is the same in both.
        for (at, (one, value)) in stored.iter().enumerate() {
            for (other, _) in stored[at + 1..].iter().filter(|(_, same)| same == value) {
                said.compares(terms, one.add_scaled(other, &-Rational::one()), cells);
            }
        }
        said.index_bounds(terms, &indices);
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
                {
                    add_once(&mut said.strides, step.abs());
                }
            }
        }
        said
    }

    /// Bounds for indices: the indices that are looked at, and what these come to where a variable in them is at its own bound.
    fn index_bounds(&mut self, terms: &Terms, indices: &[LinearForm]) {
        let mut places: Vec<LinearForm> = indices.to_vec();
        for index in indices {
            self.are_mirrored |= index.terms.iter().any(|(_, by)| by.is_negative());
            self.bounds.push((index.clone(), 3));
            for (variable, by) in &index.terms {
                if let Some(length) = integer(by).filter(|by| *by > 1 && index.terms.len() > 1) {
                    add_once(&mut self.rows, length);
                    let row = LinearForm {
                        terms: vec![(*variable, by.clone())],
                        constant: Rational::zero(),
                    };
                    self.bounds.push((row.clone(), 3));
                    add_once(&mut places, row);
                }
            }
        }
        for place in &places {
            for comparison in &self.comparisons {
                for (variable, by) in &comparison.terms {
                    let own = place.terms.iter().find(|(other, _)| other == variable);
                    let Some(ratio) = own.map(|(_, own)| own / by).filter(Rational::is_integer) else {
                        continue;
                    };
                    let mut comparison = comparison.clone();
                    // A step further is a row further: what is close to a bound is meant to be there.
                    if !ratio.is_one() && !(-&ratio).is_one() {
                        comparison.constant = Rational::zero();
                    }
                    let bound = place.add_scaled(&comparison, &-ratio);
                    if bound.terms.len() <= MOST_PARTS && bound.terms.iter().all(|(part, _)| terms.is_variable(*part)) {
                        self.bounds.push((bound, 2));
                    }
                }
            }
        }
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
            add_once(&mut self.comparisons, form.clone());
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
            for (index, cell) in indices.iter().zip(&cells) {
                if let Some(by_key) = self.by_key(terms, &placed, *index, *cell) {
                    self.values.push(by_key);
                }
            }
            self.values.push(placed);
        }
    }

    /// What is compared with an element, by the index of the cell in which it is: `a[i] > 2 * i` says `a[k] > 2 * k` of the cell.
    fn by_key(&mut self, terms: &mut Terms, form: &LinearForm, index: TermId, cell: usize) -> Option<LinearForm> {
        let index = terms.linear_form(index);
        let is_plain = |(part, by): &&(TermId, Rational)| {
            terms.is_variable(*part) && (by.is_one() || (-by).is_one()) && !form.coefficient(*part).is_zero()
        };
        let (variable, by) = index.terms.iter().find(is_plain)?;
        // The variable is the index without the rest, or the negative of that.
        let key = terms.fresh_variable("Key", SortId::INT);
        self.keys.insert(key, cell);
        let key = LinearForm {
            terms: vec![(key, Rational::one())],
            constant: Rational::zero(),
        };
        let apart = key.add_scaled(&index, &-Rational::one());
        Some(form.add_scaled(&apart, &(form.coefficient(*variable) * by)))
    }

    /// What it says in terms of a predicate.
    pub fn told(&self, terms: &Terms, view: &View, found: &mut Found) {
        for (form, weight) in &self.bounds {
            if let Some(bound) = view.bound(terms, form) {
                found.bound(bound, *weight);
            }
        }
        for form in &self.values {
            let (elements, others): (Vec<_>, Vec<_>) = form
                .terms
                .iter()
                .cloned()
                .partition(|(part, _)| self.elements.contains_key(part));
            let (keys, scalars): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|(part, _)| self.keys.contains_key(part));
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
            for (part, coefficient) in keys {
                match (self.keys.get(&part), integer(&coefficient)) {
                    (Some(cell), Some(coefficient)) => value.keys.push((*cell, coefficient)),
                    _ => all = false,
                }
            }
            if all {
                found.value(value, 2);
            }
        }
        for stride in &self.strides {
            add_once(&mut found.strides, *stride);
        }
        for row in &self.rows {
            add_once(&mut found.rows, *row);
        }
        found.are_mirrored |= self.are_mirrored;
    }
}
