//! Model-based projection of arrays and datatypes: literals without variables of these sorts that are not kept.
//!
//! A variable of a datatype is taken apart as in the model: what its constructor makes of new variables for the fields. Of arrays,
//! what is read and written is looked at: whether indices are equal is taken from the model and said by literals, an equation
//! with writes on one side is solved for the array below them, inequality is that of one element, and an array that is only read
//! any more is a new variable for each element. (For arrays the idea is Komuravelli, Bjørner, Gurfinkel and McMillan's, 2015.)
//! New variables are not kept either; those of numbers are left for [`super::projection`].

use crate::steps::equations::solve;
use crate::steps::model::Model;
use crate::terms::{Operator, Rational, Sort, SortId, Substitution, TermId, Terms, Value};
use hashbrown::{HashMap, HashSet};
use num_traits::One;

/// After so many steps what is left gets its values.
const MOST_STEPS: usize = 2_000;

/// Which variables stay.
type Keep<'a> = &'a dyn Fn(TermId) -> bool;

/// Literals that hold in the model and imply the given ones, without variables of arrays and datatypes but those that are kept;
/// equations are solved for the others as far as they go. `None` if something has no value in the model.
pub(super) fn without_structures(
    terms: &mut Terms,
    literals: &[TermId],
    model: &mut Model,
    keep: Keep<'_>,
) -> Option<Vec<TermId>> {
    let mut structures = Structures {
        literals: solve(terms, literals, keep),
        split: HashSet::new(),
    };
    for _ in 0..MOST_STEPS {
        if structures.step(terms, model, keep)? {
            structures.literals = solve(terms, &structures.literals, keep);
            continue;
        }
        let Some(variable) = structures.variable(terms, keep) else {
            return Some(structures.literals);
        };
        structures.valued(terms, variable, model)?;
    }
    while let Some(variable) = structures.variable(terms, keep) {
        structures.valued(terms, variable, model)?;
    }
    Some(structures.literals)
}

struct Structures {
    literals: Vec<TermId>,
    /// The literals from which what they say of an element has been taken.
    split: HashSet<TermId>,
}

impl Structures {
    /// Does one thing that brings the literals nearer to what is wanted; false if there is nothing left to do.
    fn step(&mut self, terms: &mut Terms, model: &mut Model, keep: Keep<'_>) -> Option<bool> {
        if self.variable(terms, keep).is_none() && !self.has_split(terms, keep) {
            return Some(false);
        }
        for position in 0..self.literals.len() {
            let literal = self.literals[position];
            if !is_foreign(terms, literal, keep) {
                continue;
            }
            if let Some(parts) = self.parts(terms, literal, model, keep)? {
                self.literals.swap_remove(position);
                self.literals.extend(parts);
                return Some(true);
            }
        }
        if self.read_written(terms, model, keep)? || self.solve_writes(terms, model, keep)? {
            return Some(true);
        }
        let variables = self.foreign_structures(terms, keep);
        for variable in &variables {
            if terms.datatype(terms.sort(*variable)).is_some() {
                self.construct(terms, *variable, model)?;
                return Some(true);
            }
        }
        for variable in variables {
            if self.only_read(terms, variable, model)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether a literal could be taken apart although no variable of a structure is left that is not kept.
    fn has_split(&self, terms: &Terms, keep: Keep<'_>) -> bool {
        self.literals.iter().any(|literal| {
            let atom = match terms.operator(*literal) {
                Operator::Not => terms.arguments(*literal)[0],
                _ => *literal,
            };
            let is_structured = |term: &TermId| is_structure(terms, terms.sort(*term));
            is_foreign(terms, *literal, keep) && terms.arguments(atom).iter().any(is_structured)
        })
    }

    /// Variables of arrays and datatypes that are not kept.
    fn foreign_structures(&self, terms: &Terms, keep: Keep<'_>) -> Vec<TermId> {
        let all = terms.variables_of_all(&self.literals).into_iter();
        all.filter(|variable| !keep(*variable) && is_structure(terms, terms.sort(*variable)))
            .collect()
    }

    fn variable(&self, terms: &Terms, keep: Keep<'_>) -> Option<TermId> {
        self.foreign_structures(terms, keep).first().copied()
    }

    fn put_in(&mut self, terms: &mut Terms, variable: TermId, term: TermId) {
        let mut substitution = Substitution::new();
        substitution.insert(terms, variable, term);
        let replaced = terms.substitute_all(&self.literals, &substitution);
        self.literals.clear();
        for literal in replaced {
            self.literals.extend(terms.conjuncts(literal));
        }
    }

    /// The variable gets its value.
    fn valued(&mut self, terms: &mut Terms, variable: TermId, model: &Model) -> Option<()> {
        let value = model.value(terms, variable)?;
        let value = terms.value_term(&value, terms.sort(variable));
        self.put_in(terms, variable, value);
        Some(())
    }

    /// The variable is what its constructor makes of new variables.
    fn construct(&mut self, terms: &mut Terms, variable: TermId, model: &mut Model) -> Option<()> {
        let Value::Datatype(value) = model.value(terms, variable)? else {
            return None;
        };
        let fields = terms.constructor(value.constructor).fields.clone();
        let mut arguments = Vec::with_capacity(fields.len());
        for (field, part) in fields.into_iter().zip(&value.arguments) {
            arguments.push(new_variable(terms, terms.field(field).sort, part.clone(), model));
        }
        let whole = terms.construct(value.constructor, &arguments);
        self.put_in(terms, variable, whole);
        Some(())
    }

    /// The literals that a literal about whole structures amounts to in the model, if it is one.
    fn parts(
        &mut self,
        terms: &mut Terms,
        literal: TermId,
        model: &mut Model,
        keep: Keep<'_>,
    ) -> Option<Option<Vec<TermId>>> {
        let (atom, negated) = match terms.operator(literal) {
            Operator::Not => (terms.arguments(literal)[0], true),
            _ => (literal, false),
        };
        let (Operator::Equal, &[left, right]) = (terms.operator(atom), terms.arguments(atom)) else {
            return Some(None);
        };
        let sort = terms.sort(left);
        if !is_structure(terms, sort) {
            return Some(None);
        }
        let is_array = matches!(terms.sort_of_id(sort), Sort::Array(..));
        match (is_array, negated) {
            (true, true) => element_differs(terms, left, right, model),
            (true, false) => Some(self.elements(terms, literal, left, right, keep)),
            (false, true) => part_differs(terms, left, right, model).map(Some),
            (false, false) => parts_are_equal(terms, left, right, model),
        }
    }

    /// What an equation of arrays says of elements that are not kept; the literal itself stays.
    fn elements(
        &mut self,
        terms: &mut Terms,
        literal: TermId,
        left: TermId,
        right: TermId,
        keep: Keep<'_>,
    ) -> Option<Vec<TermId>> {
        if !self.split.insert(literal) {
            return None;
        }
        let mut found = Vec::new();
        for (side, other) in [(left, right), (right, left)] {
            let arguments = terms.arguments(side).to_vec();
            let (index, value) = match (terms.operator(side), &arguments[..]) {
                (Operator::Store, [_, index, value]) => (*index, *value),
                (Operator::ConstantArray, [value]) => {
                    let Sort::Array(index, _) = terms.sort_of_id(terms.sort(side)) else {
                        continue;
                    };
                    let zero = terms.default_value(index);
                    (terms.value_term(&zero, index), *value)
                }
                _ => continue,
            };
            let variables = terms.variables(value);
            let occurs = |variable: &TermId| terms.variables(other).contains(variable);
            if !is_foreign(terms, value, keep) || variables.iter().any(occurs) {
                continue;
            }
            let read = terms.select(other, index);
            // An equivalence is left to the array as a whole.
            if terms.sort(read) != SortId::BOOL {
                found.push(terms.equal(read, value));
            }
        }
        if found.is_empty() {
            return None;
        }
        found.push(literal);
        Some(found)
    }

    /// An element that is read of an array just written to: whether it is the one written is taken from the model.
    fn read_written(&mut self, terms: &mut Terms, model: &mut Model, keep: Keep<'_>) -> Option<bool> {
        let Some(read) = first_literal(terms, &self.literals, |terms, term| {
            let is_read =
                terms.operator(term) == Operator::Select && terms.operator(terms.arguments(term)[0]) == Operator::Store;
            is_read && is_foreign(terms, term, keep)
        }) else {
            return Some(false);
        };
        let [array, index] = *terms.arguments(read) else {
            return None;
        };
        let [below, at, value] = *terms.arguments(array) else {
            return None;
        };
        let is_same = model.value(terms, at)? == model.value(terms, index)?;
        let replacement = if is_same { value } else { terms.select(below, index) };
        self.replace(terms, read, replacement);
        let said = match is_same {
            true => same(terms, at, index, model)?,
            false => different(terms, at, index, model)?,
        };
        self.literals.extend(said);
        Some(true)
    }

    fn replace(&mut self, terms: &mut Terms, term: TermId, replacement: TermId) {
        let mut done = HashMap::from([(term, replacement)]);
        let literals = std::mem::take(&mut self.literals);
        for literal in literals {
            let replaced = terms.rewritten(literal, &mut done, |_, _| None, |_, built| built);
            self.literals.extend(terms.conjuncts(replaced));
        }
    }

    /// Solves an equation with writes over an array on one side for that array: it is the other side with other elements where it
    /// was written to.
    fn solve_writes(&mut self, terms: &mut Terms, model: &mut Model, keep: Keep<'_>) -> Option<bool> {
        for position in 0..self.literals.len() {
            let literal = self.literals[position];
            let (Operator::Equal, &[left, right]) = (terms.operator(literal), terms.arguments(literal)) else {
                continue;
            };
            for (side, other) in [(left, right), (right, left)] {
                let (base, writes) = writes(terms, side);
                let is_wanted = terms.is_variable(base) && !keep(base) && !writes.is_empty();
                let mentions = |term: TermId| terms.variables(term).contains(&base);
                if !is_wanted || mentions(other) || writes.iter().any(|(index, _)| mentions(*index)) {
                    continue;
                }
                self.literals.swap_remove(position);
                let Value::Array(value) = model.value(terms, base)? else {
                    return None;
                };
                let mut solution = other;
                let mut indices: Vec<TermId> = Vec::new();
                // The last write to an element counts.
                for (index, written) in writes {
                    let at = model.value(terms, index)?;
                    let mut earlier = None;
                    for known in &indices {
                        if model.value(terms, *known)? == at {
                            earlier = Some(*known);
                        }
                    }
                    if let Some(known) = earlier {
                        self.literals.extend(same(terms, known, index, model)?);
                        continue;
                    }
                    for known in indices.clone() {
                        self.literals.extend(different(terms, known, index, model)?);
                    }
                    indices.push(index);
                    let read = terms.select(other, index);
                    self.literals.extend(same(terms, read, written, model)?);
                    let before = new_variable(terms, terms.sort(written), value.get(&at).clone(), model);
                    solution = terms.store(solution, index, before);
                }
                self.put_in(terms, base, solution);
                return Some(true);
            }
        }
        Some(false)
    }

    /// An array that is only read gets a new variable for each element that is.
    fn only_read(&mut self, terms: &mut Terms, array: TermId, model: &mut Model) -> Option<bool> {
        let mut reads: Vec<TermId> = Vec::new();
        let mut seen = HashSet::new();
        let mut stack = self.literals.clone();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match (terms.operator(term), terms.arguments(term)) {
                (Operator::Select, &[read, index]) if read == array => {
                    reads.push(term);
                    stack.push(index);
                }
                (_, arguments) if arguments.contains(&array) => return Some(false),
                (_, arguments) => stack.extend(arguments),
            }
        }
        // Inner ones first; an index with another element of the array inside is looked at when that is gone.
        reads.sort();
        reads.retain(|read| !terms.variables(terms.arguments(*read)[1]).contains(&array));
        if reads.is_empty() {
            return Some(false);
        }
        let mut known: Vec<(Value, TermId, TermId)> = Vec::new();
        let mut done = HashMap::new();
        let mut said = Vec::new();
        for read in reads {
            let index = terms.arguments(read)[1];
            let at = model.value(terms, index)?;
            if let Some((_, other, element)) = known.iter().find(|(value, ..)| *value == at) {
                done.insert(read, *element);
                said.extend(same(terms, *other, index, model)?);
                continue;
            }
            for (_, other, _) in &known {
                said.extend(different(terms, *other, index, model)?);
            }
            let value = model.value(terms, read)?;
            let element = new_variable(terms, terms.sort(read), value, model);
            done.insert(read, element);
            known.push((at, index, element));
        }
        let literals = std::mem::take(&mut self.literals);
        for literal in literals {
            let replaced = terms.rewritten(literal, &mut done, |_, _| None, |_, built| built);
            self.literals.extend(terms.conjuncts(replaced));
        }
        self.literals.extend(said);
        Some(true)
    }
}

fn is_structure(terms: &Terms, sort: SortId) -> bool {
    matches!(terms.sort_of_id(sort), Sort::Array(..) | Sort::Datatype(_))
}

fn is_foreign(terms: &Terms, term: TermId, keep: Keep<'_>) -> bool {
    terms.variables(term).into_iter().any(|variable| !keep(variable))
}

fn new_variable(terms: &mut Terms, sort: SortId, value: Value, model: &mut Model) -> TermId {
    let variable = terms.fresh_variable("Part", sort);
    model.insert(variable, value);
    variable
}

/// The base of writes, and the writes, the last one first.
fn writes(terms: &Terms, array: TermId) -> (TermId, Vec<(TermId, TermId)>) {
    let (mut base, mut writes) = (array, Vec::new());
    while let (Operator::Store, &[inner, index, value]) = (terms.operator(base), terms.arguments(base)) {
        writes.push((index, value));
        base = inner;
    }
    (base, writes)
}

/// The first term inside of the literals that is wanted, an inner one before those around it.
fn first_literal(terms: &Terms, literals: &[TermId], wanted: impl Fn(&Terms, TermId) -> bool) -> Option<TermId> {
    terms.subterms(literals).into_iter().find(|term| wanted(terms, *term))
}

/// Literals that say that two terms are equal, which they are in the model.
fn same(terms: &mut Terms, left: TermId, right: TermId, model: &mut Model) -> Option<Vec<TermId>> {
    if terms.sort(left) == SortId::BOOL {
        return [left, right]
            .map(|side| truth(terms, side, model))
            .into_iter()
            .collect();
    }
    let equal = terms.equal(left, right);
    Some(terms.conjuncts(equal))
}

/// Literals that say that two terms differ, which they do in the model.
fn different(terms: &mut Terms, left: TermId, right: TermId, model: &mut Model) -> Option<Vec<TermId>> {
    let sort = terms.sort(left);
    if sort == SortId::BOOL {
        return [left, right]
            .map(|side| truth(terms, side, model))
            .into_iter()
            .collect();
    }
    if sort.is_numeric() {
        let less = terms.less(left, right);
        return Some(vec![match model.holds(terms, less)? {
            true => less,
            false => terms.less(right, left),
        }]);
    }
    let literal = terms.not_equal(left, right);
    Some(terms.conjuncts(literal))
}

/// The formula or its negation, whichever holds in the model.
fn truth(terms: &mut Terms, formula: TermId, model: &mut Model) -> Option<TermId> {
    let holds = model.holds(terms, formula)?;
    Some(if holds { formula } else { terms.not(formula) })
}

/// Terms of a datatype that are equal, one of them constructed: their parts are.
fn parts_are_equal(terms: &mut Terms, left: TermId, right: TermId, model: &mut Model) -> Option<Option<Vec<TermId>>> {
    let (constructor, made, other) = match (terms.operator(left), terms.operator(right)) {
        (Operator::Construct(constructor), _) => (constructor, left, right),
        (_, Operator::Construct(constructor)) => (constructor, right, left),
        _ => return Some(None),
    };
    let mut parts = vec![terms.is_made_by(constructor, other)];
    let fields = terms.constructor(constructor).fields.clone();
    // A constant is equal to what it is; there are no parts to look at.
    if fields.is_empty() {
        return Some(None);
    }
    for (field, argument) in fields.into_iter().zip(terms.arguments(made).to_vec()) {
        let part = terms.field_of(field, other);
        parts.extend(same(terms, part, argument, model)?);
    }
    Some(Some(parts))
}

/// Terms of a datatype that differ: by their constructors, or in a part.
fn part_differs(terms: &mut Terms, left: TermId, right: TermId, model: &mut Model) -> Option<Vec<TermId>> {
    let (Value::Datatype(first), Value::Datatype(second)) = (model.value(terms, left)?, model.value(terms, right)?)
    else {
        return None;
    };
    let mut parts = vec![
        terms.is_made_by(first.constructor, left),
        terms.is_made_by(second.constructor, right),
    ];
    if first.constructor == second.constructor {
        let mut arguments = first.arguments.iter().zip(&second.arguments);
        let position = arguments.position(|(left, right)| left != right)?;
        let field = *terms.constructor(first.constructor).fields.get(position)?;
        let (left, right) = (terms.field_of(field, left), terms.field_of(field, right));
        parts.extend(different(terms, left, right, model)?);
    }
    Some(parts)
}

/// Arrays that differ: in an element whose index is a new variable.
fn element_differs(terms: &mut Terms, left: TermId, right: TermId, model: &mut Model) -> Option<Option<Vec<TermId>>> {
    let (Value::Array(first), Value::Array(second)) = (model.value(terms, left)?, model.value(terms, right)?) else {
        return None;
    };
    let Sort::Array(index, _) = terms.sort_of_id(terms.sort(left)) else {
        return None;
    };
    let mut indices: Vec<&Value> = first.elements.keys().chain(second.elements.keys()).collect();
    indices.sort();
    let found = indices.iter().find(|at| first.get(at) != second.get(at));
    let at = match found {
        Some(at) => Some((*at).clone()),
        None => beyond(terms, index, &indices),
    };
    let Some(at) = at.filter(|at| first.get(at) != second.get(at)) else {
        return Some(None);
    };
    let at = new_variable(terms, index, at, model);
    let (left, right) = (terms.select(left, at), terms.select(right, at));
    different(terms, left, right, model).map(Some)
}

/// A value of the sort that is none of these, which are sorted; of sorts where one is found easily.
fn beyond(terms: &Terms, sort: SortId, values: &[&Value]) -> Option<Value> {
    let one = Rational::one();
    match (terms.sort_of_id(sort), values.last()) {
        (Sort::Datatype(_) | Sort::Array(..) | Sort::Bool, Some(_)) => None,
        (Sort::Word(width), Some(Value::Number(last))) => {
            let next = last + &one;
            (next.numer().bits() <= u64::from(width)).then_some(Value::Number(next))
        }
        (_, Some(Value::Number(last))) => Some(Value::Number(last + &one)),
        (_, _) => Some(terms.default_value(sort)),
    }
}
