//! A rule on its way to what it says of cells.

use super::{Followed, Shape};
use crate::rules::{Atom, PredicateId, Rule};
use crate::steps::equations::SolvedRule;
use crate::terms::{Operator, Sort, SortId, TermId, Terms};
use hashbrown::HashMap;

/// How many atoms a rule has at most. Those that are left out say more of what comes before; without them less is known.
const MOST_ATOMS: usize = 10;

/// What a rule says of the cells, in the other direction: what holds of the head's arrays gives what holds of the body's, so the
/// abstraction derives what is reached. `None` if the rule leads nowhere.
pub(super) fn rule_of_cells(terms: &mut Terms, shapes: &[Shape], followed: Followed, rule: &Rule) -> Option<Rule> {
    let cells = followed.cells;
    let solved = SolvedRule::new(terms, rule);
    let target = solved.body.first()?;
    let mut reader = Reader {
        terms,
        values: HashMap::new(),
        indices: Vec::new(),
        stand_ins: HashMap::new(),
        equalities: false,
        followed,
        reached: Vec::new(),
    };
    // Which cells are looked at has to be known before it can be said what equal arrays have in common.
    reader.formulas(&solved.constraint);
    reader.scalars(&shapes[rule.head.predicate.index()], &solved.head.arguments);
    let keys: Vec<Vec<TermId>> = (0..cells)
        .map(|cell| reader.keys(&shapes[target.predicate.index()], cell))
        .collect();
    reader.reached = keys.concat();
    reader.cells_of(&shapes[target.predicate.index()], &target.arguments, &keys);
    reader.equalities = true;
    let mut constraint = reader.formulas(&solved.constraint);
    let reached = reader.cells_of(&shapes[target.predicate.index()], &target.arguments, &keys);
    let mut body = Vec::new();
    if rule.head.predicate != PredicateId::QUERY {
        let shape = &shapes[rule.head.predicate.index()];
        for keys in reader.choices(shape, &keys, cells) {
            body.push(Atom {
                predicate: rule.head.predicate,
                arguments: reader.cells_of(shape, &solved.head.arguments, &keys),
            });
        }
    }
    constraint.extend(reader.functionality());
    constraint.extend(reader.order(&keys));
    constraint.retain(|formula| *formula != TermId::TRUE);
    let reached = Atom {
        predicate: target.predicate,
        arguments: reached,
    };
    let head = match target.predicate == PredicateId::ERROR {
        true => {
            body.push(reached);
            Atom {
                predicate: PredicateId::QUERY,
                arguments: Vec::new(),
            }
        }
        false => reached,
    };
    Some(Rule {
        head,
        constraint,
        body,
        location: rule.location,
    })
}

/// Reads arrays at indices.
struct Reader<'a> {
    terms: &'a mut Terms,
    /// The variables for elements, by the array and the index; arrays here are what is left when stores are looked through.
    values: HashMap<(TermId, TermId), TermId>,
    /// The indices that have been looked at, in their order.
    indices: Vec<TermId>,
    /// Variables for what is not said, and the indices at which arrays differ.
    stand_ins: HashMap<TermId, TermId>,
    /// Whether equal arrays are compared at the indices, which are all known then.
    equalities: bool,
    followed: Followed,
    /// The indices of the cells that are reached, which are in their order.
    reached: Vec<TermId>,
}

impl Reader<'_> {
    /// Indices for a cell of a predicate that is reached.
    fn keys(&mut self, shape: &Shape, cell: usize) -> Vec<TermId> {
        let name = if cell == 0 { "K" } else { "L" };
        let keys: Vec<TermId> = shape
            .keys
            .iter()
            .map(|sort| self.terms.fresh_variable(name, *sort))
            .collect();
        for key in &keys {
            self.look_at(*key);
        }
        keys
    }

    fn look_at(&mut self, index: TermId) {
        if !self.indices.contains(&index) {
            self.indices.push(index);
        }
    }

    fn scalars(&mut self, shape: &Shape, arguments: &[TermId]) -> Vec<TermId> {
        let positions = shape.scalars.iter();
        positions.map(|position| self.scalar(arguments[*position])).collect()
    }

    /// The arguments of the abstraction's atom: the scalars, and the cells with these keys.
    fn cells_of(&mut self, shape: &Shape, arguments: &[TermId], keys: &[Vec<TermId>]) -> Vec<TermId> {
        let mut all = self.scalars(shape, arguments);
        if shape.arrays.is_empty() {
            return all;
        }
        let cells: Vec<Vec<TermId>> = keys
            .iter()
            .map(|keys| {
                let values = shape.arrays.iter();
                let values = values.map(|(position, key)| self.element(arguments[*position], keys[*key]));
                keys.iter().copied().chain(values.collect::<Vec<_>>()).collect()
            })
            .collect();
        match &cells[..] {
            [first, second] if self.followed.are_ordered => {
                // The cell with the smaller index is the first one.
                let in_order = match self.reached[..] == [first[0], second[0]] {
                    true => TermId::TRUE,
                    false => self.terms.less_or_equal(first[0], second[0]),
                };
                for (ones, others) in [(first, second), (second, first)] {
                    for (one, other) in ones.iter().zip(others) {
                        let chosen = self.terms.if_then_else(in_order, *one, *other);
                        all.push(chosen);
                    }
                }
            }
            _ => all.extend(cells.into_iter().flatten()),
        }
        all
    }

    /// That the indices of the cells that are reached are in their order.
    fn order(&mut self, keys: &[Vec<TermId>]) -> Option<TermId> {
        match keys {
            [first, second] if self.followed.are_ordered => match (&first[..], &second[..]) {
                ([first, ..], [second, ..]) => Some(self.terms.less_or_equal(*first, *second)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The cells at which the head's arrays are looked at: those that are followed, and those that the rule reads.
    fn choices(&mut self, shape: &Shape, keys: &[Vec<TermId>], cells: usize) -> Vec<Vec<Vec<TermId>>> {
        if shape.arrays.is_empty() {
            return vec![Vec::new()];
        }
        // For each sort of indices, what there is; some index where nothing is looked at.
        let mut of_sort: Vec<Vec<TermId>> = Vec::new();
        for sort in &shape.keys {
            let mut found: Vec<TermId> = keys.iter().flatten().copied().collect();
            found.extend(&self.indices);
            found.retain(|index| self.terms.sort(*index) == *sort);
            let mut distinct: Vec<TermId> = Vec::new();
            found.into_iter().for_each(|index| {
                if !distinct.contains(&index) {
                    distinct.push(index);
                }
            });
            while distinct.len() < cells {
                // One cell may be both where they are only in order; elsewhere nothing is said of another one.
                let another = match distinct.first() {
                    Some(only) if self.followed.are_ordered => *only,
                    _ => self.terms.fresh_variable("K", *sort),
                };
                distinct.push(another);
            }
            of_sort.push(distinct);
        }
        let most = of_sort.iter().map(Vec::len).max().unwrap_or(1);
        let at = |position: usize| -> Vec<TermId> {
            // Sorts with fewer indices look at their first one again.
            of_sort
                .iter()
                .map(|found| *found.get(position).unwrap_or(&found[0]))
                .collect()
        };
        let mut choices: Vec<Vec<Vec<TermId>>> = Vec::new();
        match cells {
            1 => choices.extend((0..most).map(|position| vec![at(position)])),
            _ => {
                for sum in 1..2 * most {
                    for first in 0..most.min(sum + 1) {
                        let second = sum - first;
                        // In order, each pair is looked at once.
                        if second < most && (first < second || first > second && !self.followed.are_ordered) {
                            choices.push(vec![at(first), at(second)]);
                        }
                    }
                }
            }
        }
        choices.truncate(MOST_ATOMS);
        choices
    }

    /// That an array has one value at equal indices.
    fn functionality(&mut self) -> Vec<TermId> {
        let mut cells: Vec<(TermId, TermId, TermId)> = self
            .values
            .iter()
            .map(|((array, index), value)| (*array, *index, *value))
            .collect();
        cells.sort();
        let mut said = Vec::new();
        for (position, (array, index, value)) in cells.iter().enumerate() {
            for (other_array, other_index, other_value) in &cells[position + 1..] {
                if array == other_array {
                    let same = self.terms.equal(*index, *other_index);
                    let equal = self.terms.equal(*value, *other_value);
                    said.push(self.terms.implies(same, equal));
                }
            }
        }
        said
    }

    /// The element of an array at an index, which is about cells already.
    fn element(&mut self, array: TermId, index: TermId) -> TermId {
        let arguments = self.terms.arguments(array).to_vec();
        match (self.terms.operator(array), &arguments[..]) {
            (Operator::Store, &[inner, at, value]) => {
                let at = self.scalar(at);
                let here = self.terms.equal(at, index);
                let value = self.scalar(value);
                match here {
                    TermId::TRUE => value,
                    _ => {
                        let inner = self.element(inner, index);
                        self.terms.if_then_else(here, value, inner)
                    }
                }
            }
            (Operator::ConstantArray, &[value]) => self.scalar(value),
            (Operator::IfThenElse, &[condition, left, right]) => {
                let condition = self.scalar(condition);
                let (left, right) = (self.element(left, index), self.element(right, index));
                self.terms.if_then_else(condition, left, right)
            }
            _ => {
                if let Some(value) = self.values.get(&(array, index)) {
                    return *value;
                }
                let sort = match self.terms.sort_of_id(self.terms.sort(array)) {
                    Sort::Array(_, element) => element,
                    _ => SortId::INT,
                };
                self.look_at(index);
                let value = self.terms.fresh_variable("V", sort);
                self.values.insert((array, index), value);
                value
            }
        }
    }

    /// A term that is no array, about cells. What compares arrays inside of it is left open.
    fn scalar(&mut self, term: TermId) -> TermId {
        let arguments = self.terms.arguments(term).to_vec();
        if arguments.is_empty() {
            return term;
        }
        if let (Operator::Select, &[array, index]) = (self.terms.operator(term), &arguments[..]) {
            let index = self.scalar(index);
            return self.element(array, index);
        }
        let has_arrays = |terms: &Terms, one: &TermId| matches!(terms.sort_of_id(terms.sort(*one)), Sort::Array(..));
        if arguments.iter().any(|argument| has_arrays(self.terms, argument)) {
            return self.stand_in(term, self.terms.sort(term));
        }
        let replaced: Vec<TermId> = arguments.iter().map(|argument| self.scalar(*argument)).collect();
        match replaced == arguments {
            true => term,
            false => self.terms.with_arguments(term, &replaced),
        }
    }

    fn stand_in(&mut self, term: TermId, sort: SortId) -> TermId {
        if let Some(known) = self.stand_ins.get(&term) {
            return *known;
        }
        let variable = self.terms.fresh_variable("Part", sort);
        self.stand_ins.insert(term, variable);
        variable
    }

    fn formulas(&mut self, formulas: &[TermId]) -> Vec<TermId> {
        formulas.iter().map(|formula| self.implied(*formula, true)).collect()
    }

    /// What a formula, or its negation, says of cells. Formulas are as deeply nested as their readers allow, so is the recursion.
    fn implied(&mut self, formula: TermId, holds: bool) -> TermId {
        let arguments = self.terms.arguments(formula).to_vec();
        match (self.terms.operator(formula), &arguments[..]) {
            (Operator::Not, [inner]) => self.implied(*inner, !holds),
            (operator @ (Operator::And | Operator::Or), _) => {
                let parts: Vec<TermId> = arguments.iter().map(|part| self.implied(*part, holds)).collect();
                match (operator == Operator::And) == holds {
                    true => self.terms.and(&parts),
                    false => self.terms.or(&parts),
                }
            }
            (Operator::Equal, &[left, right]) => match self.terms.sort_of_id(self.terms.sort(left)) {
                Sort::Array(index, _) => self.equality(formula, (left, right), index, holds),
                _ => self.literal(formula, holds),
            },
            _ => self.literal(formula, holds),
        }
    }

    fn literal(&mut self, formula: TermId, holds: bool) -> TermId {
        let formula = self.scalar(formula);
        match holds {
            true => formula,
            false => self.terms.not(formula),
        }
    }

    /// Equal arrays have equal elements wherever one looks; different ones differ somewhere.
    fn equality(&mut self, formula: TermId, (left, right): (TermId, TermId), index: SortId, holds: bool) -> TermId {
        if !holds {
            let at = self.stand_in(formula, index);
            let (left, right) = (self.element(left, at), self.element(right, at));
            let equal = self.terms.equal(left, right);
            return self.terms.not(equal);
        }
        if !self.equalities {
            return TermId::TRUE;
        }
        let mut parts = Vec::new();
        for at in self.indices.clone() {
            if self.terms.sort(at) == index {
                let (left, right) = (self.element(left, at), self.element(right, at));
                parts.push(self.terms.equal(left, right));
            }
        }
        self.terms.and(&parts)
    }
}
