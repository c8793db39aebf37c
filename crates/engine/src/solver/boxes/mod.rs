//! Questions about floating-point numbers by intervals: what Z3 would look at bit by bit is often decided by the limits of values.
//!
//! A box has a [`Range`] for each variable. What operations make of ranges is calculated with the program's own rounding (`floats`),
//! and the formulas narrow the ranges (`narrowing`); what takes itself away in part is narrower as a polynomial with an error (`forms`); comparisons of the same numbers that do not agree need no ranges (`orders`). A box in which a formula cannot hold is done with; in every other one a point is
//! tried, by exact evaluation, and if that is no answer the box is cut in two. When no box is left, nothing satisfies the formulas.
//! The work is limited: what needs more boxes is left to Z3.

mod choices;
mod definitions;
mod floats;
mod forms;
mod narrowing;
mod orders;
mod ranges;
mod steps;
#[cfg(test)]
mod tests;

use crate::random::Generator;
use crate::terms::{Assignment, Operator, Sort, TermId, Terms, Value};
use choices::{any_of, halves, limit, middle, nearest_to_zero, size};
use definitions::{Definition, definitions_by};
use forms::Tightened;
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use ranges::{Range, of_equality, of_float_operation, of_integers, of_order, of_words};
use std::collections::BTreeSet;
pub(crate) use steps::Limits;

/// How many ranges of terms may be calculated for one question, at most and at least: less where this is in vain.
const WORK: [usize; 2] = [6_000_000, 200_000];
/// Questions with more terms than this are not asked here.
const MOST_TERMS: usize = 4_000;
/// How often the formulas narrow a box before it is cut.
const ROUNDS: usize = 6;
/// How many writes to an array are looked at for one element.
const MOST_WRITES: usize = 64;
/// A range of this [`size`] has numbers enough to be cut because it matters.
const WIDE: u64 = 8;
/// How many points are tried before anything is cut.
const POINTS: usize = 40;

/// What was found out.
pub(super) enum Decision {
    /// No values satisfy the formulas.
    Unsatisfiable,
    /// These do.
    Satisfiable(Assignment),
}

/// A term of the question; its arguments come before it.
struct Node {
    term: TermId,
    operator: Operator,
    sort: Sort,
    arguments: Vec<usize>,
}

/// A question.
struct Question<'t> {
    terms: &'t Terms,
    nodes: Vec<Node>,
    formulas: Vec<usize>,
    /// Those of the terms that are variables.
    variables: Vec<usize>,
    /// Comparisons of floating-point numbers.
    comparisons: Vec<usize>,
    /// Those of the variables that an equation is about.
    defined: BTreeSet<usize>,
    /// What variables are if equations hold, as perhaps they do.
    definitions: Vec<Definition>,
    /// Elements of arrays: the array, the index, and the element.
    elements: Vec<(usize, i128, usize)>,
    work: usize,
}

/// How much is done about the next question.
pub(super) struct Effort(usize);

impl Default for Effort {
    fn default() -> Self {
        Effort(WORK[0])
    }
}

impl Effort {
    /// Whether the formulas have a solution, if that is found out with little work.
    pub fn decide(&mut self, terms: &Terms, formulas: &[TermId]) -> Option<Decision> {
        let mut question = Question::new(terms, formulas)?;
        let decision = question.decided(self.0);
        self.0 = match decision {
            Some(_) => self.0.saturating_add(question.work),
            None => self.0 / 2,
        };
        self.0 = self.0.clamp(WORK[1], WORK[0]);
        decision
    }
}

impl<'t> Question<'t> {
    /// `None` if it is too large, or about what has no ranges.
    fn new(terms: &'t Terms, formulas: &[TermId]) -> Option<Question<'t>> {
        Question::with_others(terms, formulas, &[])
    }

    /// A question in which other terms have ranges, too.
    fn with_others(terms: &'t Terms, formulas: &[TermId], others: &[TermId]) -> Option<Question<'t>> {
        let formulas: Vec<TermId> = formulas.iter().flat_map(|formula| terms.conjuncts(*formula)).collect();
        let roots: Vec<TermId> = formulas.iter().chain(others).copied().collect();
        let mut order = terms.subterms(&roots);
        if order.len() > MOST_TERMS || !terms.has_only_arrays_by_numbers() {
            return None;
        }
        // Terms are made after their arguments.
        order.sort_unstable();
        let places: HashMap<TermId, usize> = order.iter().enumerate().map(|(index, term)| (*term, index)).collect();
        let place_of = |term: &TermId| places.get(term).copied();
        let mut nodes = Vec::with_capacity(order.len());
        for term in &order {
            nodes.push(Node {
                term: *term,
                operator: terms.operator(*term),
                sort: terms.sort_of_id(terms.sort(*term)),
                arguments: terms.arguments(*term).iter().map(place_of).collect::<Option<_>>()?,
            });
        }
        let is_variable = |index: &usize| matches!(nodes[*index].operator, Operator::Variable(_));
        let is_comparison = |index: &usize| {
            let is_float = matches!(nodes[*index].operator, Operator::Float(_));
            is_float && nodes[*index].sort == Sort::Bool && nodes[*index].arguments.len() == 2
        };
        let formulas: Vec<usize> = formulas.iter().map(place_of).collect::<Option<_>>()?;
        let equations = formulas
            .iter()
            .filter(|formula| nodes[**formula].operator == Operator::Equal);
        let (mut definitions, mut elements) = (Vec::new(), Vec::new());
        for (index, node) in nodes.iter().enumerate() {
            if let (Operator::Select, &[array, at]) = (node.operator, &node.arguments[..])
                && let Some(at) = terms.number_value(nodes[at].term)
            {
                elements.extend(at.to_integer().to_i128().map(|at| (array, at, index)));
            }
            definitions.extend(definitions_by(&nodes, index, &is_variable, terms));
        }
        let sides = equations.flat_map(|equation| nodes[*equation].arguments.iter().copied());
        Some(Question {
            terms,
            variables: (0..nodes.len()).filter(is_variable).collect(),
            defined: sides.filter(is_variable).collect(),
            definitions,
            elements,
            formulas,
            comparisons: (0..nodes.len()).filter(is_comparison).collect(),
            nodes,
            work: 0,
        })
    }

    fn decided(&mut self, most: usize) -> Option<Decision> {
        let whole: Vec<Range> = self.nodes.iter().map(|node| self.first_range(node)).collect();
        self.decided_within(whole, most)
    }

    /// The decision if all terms are in these ranges.
    fn decided_within(&mut self, mut whole: Vec<Range>, most: usize) -> Option<Decision> {
        if !self.narrowed(&mut whole) || !self.orders_agree(&whole) {
            return Some(Decision::Unsatisfiable);
        }
        if let Some(found) = self.by_points(&whole) {
            return Some(Decision::Satisfiable(found));
        }
        let calculates = self.calculates();
        let mut open = vec![whole];
        while let Some(mut ranges) = open.pop() {
            if !self.narrowed(&mut ranges) || !self.orders_agree(&ranges) {
                continue;
            }
            let mut influences = Vec::new();
            if calculates {
                let (found, forms) = self.tightened(&mut ranges);
                match found {
                    Tightened::Nowhere => continue,
                    Tightened::Narrower if !self.narrowed(&mut ranges) => continue,
                    _ => influences = self.influences(&ranges, &forms),
                }
            }
            if self.work > most {
                return None;
            }
            let middle = self.point(&ranges, middle);
            if self.satisfies(&middle) {
                return Some(Decision::Satisfiable(middle));
            }
            let Some((variable, parts)) = self.cut(&ranges, &influences) else {
                // A single point that evaluation has refused is done with; anything else is open.
                if !self.is_refuted(&ranges, &middle) {
                    return None;
                }
                continue;
            };
            for part in parts {
                let mut smaller = ranges.clone();
                smaller[variable] = part;
                open.push(smaller);
            }
        }
        Some(Decision::Unsatisfiable)
    }

    fn first_range(&self, node: &Node) -> Range {
        match (node.operator, self.terms.number_as_value(node.term)) {
            (Operator::True, _) => Range::YES,
            (Operator::False, _) => Range::NO,
            (_, Some(value)) => Range::of_value(&value, node.sort),
            _ => Range::of_sort(node.sort),
        }
    }

    /// Narrows the ranges by what the formulas say; false if they cannot hold.
    fn narrowed(&mut self, ranges: &mut Vec<Range>) -> bool {
        for _ in 0..ROUNDS {
            if !self.calculated(ranges) {
                return false;
            }
            let before: Vec<Range> = self.variables.iter().map(|variable| ranges[*variable]).collect();
            if !self
                .formulas
                .iter()
                .all(|formula| self.assert(*formula, true, ranges, narrowing::DEPTH))
            {
                return false;
            }
            if self
                .variables
                .iter()
                .zip(before)
                .all(|(variable, range)| ranges[*variable] == range)
            {
                break;
            }
        }
        true
    }

    /// Calculates where terms are from where variables are; false if one of them can be nowhere.
    fn calculated(&mut self, ranges: &mut [Range]) -> bool {
        self.work += self.nodes.len();
        for index in 0..self.nodes.len() {
            let calculated = self.range_of(index, ranges);
            ranges[index] = ranges[index].meet(calculated);
            if ranges[index].is_empty() {
                return false;
            }
        }
        true
    }

    /// Where a term is if its arguments are where they are.
    fn range_of(&self, index: usize, ranges: &[Range]) -> Range {
        let node = &self.nodes[index];
        let all = Range::of_sort(node.sort);
        let mut buffer = [Range::Any; 3];
        let many: Vec<Range>;
        let arguments: &[Range] = match buffer.get_mut(..node.arguments.len()) {
            Some(places) => {
                for (place, argument) in places.iter_mut().zip(&node.arguments) {
                    *place = ranges[*argument];
                }
                places
            }
            None => {
                many = node.arguments.iter().map(|argument| ranges[*argument]).collect();
                &many
            }
        };
        let first_sort = node.arguments.first().map(|first| self.nodes[*first].sort);
        match (node.operator, arguments) {
            (Operator::Variable(_) | Operator::Number(_) | Operator::True | Operator::False, _) => ranges[index],
            (Operator::Add | Operator::Multiply | Operator::IntegerDivide | Operator::Modulo, _)
                if node.sort == Sort::Int =>
            {
                of_integers(node.operator, arguments)
            }
            (Operator::IfThenElse, [condition, yes, no]) => match (condition.may_be(true), condition.may_be(false)) {
                (true, false) => *yes,
                (false, true) => *no,
                _ => yes.join(*no),
            },
            (Operator::Word(operator), _) => match first_sort {
                Some(Sort::Word(width)) => of_words(operator, arguments, width, all),
                _ => of_words(operator, arguments, 0, all),
            },
            (Operator::Float(operator), _) => match first_sort {
                Some(sort) => of_float_operation(operator, arguments, sort, all),
                None => all,
            },
            (Operator::Select, [_, at]) => self.element(node.arguments[0], *at, ranges, all),
            (Operator::Equal, [left, right]) => of_equality(*left, *right),
            (Operator::LessOrEqual, [left, right]) => of_order(*left, *right),
            (Operator::Not, [Range::Truth { no, yes }]) => Range::Truth { no: *yes, yes: *no },
            (Operator::And, _) => Range::Truth {
                yes: arguments.iter().all(|argument| argument.may_be(true)),
                no: arguments.iter().any(|argument| argument.may_be(false)),
            },
            (Operator::Or, _) => Range::Truth {
                yes: arguments.iter().any(|argument| argument.may_be(true)),
                no: arguments.iter().all(|argument| argument.may_be(false)),
            },
            _ => all,
        }
    }

    /// Where the element of an array at an index is: among what is written there, or may be.
    fn element(&self, array: usize, at: Range, ranges: &[Range], all: Range) -> Range {
        let mut found: Option<Range> = None;
        let mut add = |range: Range| {
            let joined = found.map_or(range, |others| others.join(range));
            found = Some(joined);
            joined
        };
        let mut current = array;
        for _ in 0..MOST_WRITES {
            let node = &self.nodes[current];
            match (node.operator, &node.arguments[..]) {
                (Operator::Store, [below, place, value]) => {
                    let same = of_equality(ranges[*place], at);
                    if same.may_be(true) {
                        let joined = add(ranges[*value]);
                        if !same.may_be(false) {
                            return joined;
                        }
                    }
                    current = *below;
                }
                (Operator::ConstantArray, [value]) => return add(ranges[*value]),
                _ => return self.known_element(current, at, ranges).map_or(all, add),
            }
        }
        all
    }

    /// Where an element of an array is of which nothing is known but where some of its elements are.
    fn known_element(&self, array: usize, at: Range, ranges: &[Range]) -> Option<Range> {
        let Range::Integer(indices) = at else { return None };
        let count = indices.high.checked_sub(indices.low)?;
        if !(0..MOST_WRITES as i128).contains(&count) {
            return None;
        }
        let element = |index: i128| {
            let mut elements = self.elements.iter();
            let found = elements.find(|(of, at, _)| *of == array && *at == index)?;
            Some(ranges[found.2])
        };
        let mut found = element(indices.low)?;
        for index in indices.low + 1..=indices.high {
            found = found.join(element(index)?);
        }
        Some(found)
    }

    /// Limits, the middle and pseudo-random numbers between them, tried as they are.
    fn by_points(&mut self, ranges: &[Range]) -> Option<Assignment> {
        let mut random = Generator(17);
        for round in 0..POINTS {
            let mut choose = |range: Range| match round {
                0 => middle(range),
                1 => limit(range, false),
                2 => limit(range, true),
                3 => nearest_to_zero(range),
                _ => any_of(range, &mut random),
            };
            let point = self.point(ranges, &mut choose);
            if self.satisfies(&point) {
                return Some(point);
            }
        }
        None
    }

    /// A value for each variable. An equation may give it one; otherwise it is chosen from its range.
    fn point(&self, ranges: &[Range], mut choose: impl FnMut(Range) -> Option<Value>) -> Assignment {
        let mut values = Assignment::new();
        for variable in &self.variables {
            let node = &self.nodes[*variable];
            let default = || self.terms.default_value(self.terms.sort(node.term));
            values.insert(node.term, choose(ranges[*variable]).unwrap_or_else(default));
        }
        for formula in &self.formulas {
            let node = &self.nodes[*formula];
            if let (Operator::Equal, [left, right]) = (node.operator, &node.arguments[..]) {
                for (variable, other) in [(*left, *right), (*right, *left)] {
                    let is_variable = matches!(self.nodes[variable].operator, Operator::Variable(_));
                    if is_variable && let Some(value) = self.terms.evaluate(self.nodes[other].term, &values) {
                        values.insert(self.nodes[variable].term, value);
                        break;
                    }
                }
            }
        }
        values
    }

    fn satisfies(&mut self, values: &Assignment) -> bool {
        self.work += self.nodes.len();
        let mut formulas = self.formulas.iter();
        formulas.all(|formula| self.terms.holds(self.nodes[*formula].term, values) == Some(true))
    }

    /// Whether the box is this one point, and evaluation says that it is no solution.
    fn is_refuted(&self, ranges: &[Range], values: &Assignment) -> bool {
        let mut variables = self.variables.iter();
        let is_point = variables.all(|variable| {
            let value = values.get(&self.nodes[*variable].term);
            match (ranges[*variable], value) {
                (Range::Float(floats), Some(Value::Float(value))) => floats.as_point() == Some(*value),
                (Range::Integer(integers), Some(Value::Number(value))) => {
                    integers.low == integers.high && value.to_integer() == BigInt::from(integers.low)
                }
                (Range::Truth { no, yes }, Some(Value::Bool(value))) => no != yes && *value == yes,
                _ => false,
            }
        });
        let mut formulas = self.formulas.iter();
        is_point && formulas.any(|formula| self.terms.holds(self.nodes[*formula].term, values) == Some(false))
    }

    /// The variable with the most values, and its range in two parts; `None` if none can be cut. What equations define follows
    /// from the others and is cut last. What is known to have an influence comes before all others.
    fn cut(&self, ranges: &[Range], influences: &[(usize, f64)]) -> Option<(usize, [Range; 2])> {
        let mut most: Option<(usize, f64)> = None;
        for (variable, influence) in influences {
            let is_wide =
                size(ranges[*variable]) >= WIDE && matches!(self.nodes[*variable].operator, Operator::Variable(_));
            if is_wide && *influence > most.map_or(0.0, |(_, most)| most) {
                most = Some((*variable, *influence));
            }
        }
        if let Some((variable, _)) = most
            && let Some(parts) = halves(ranges[variable])
        {
            return Some((variable, parts));
        }
        let sizes = self.variables.iter().map(|variable| {
            let size = size(ranges[*variable]);
            let follows = self.defined.contains(variable);
            (if follows { size.div_ceil(16) } else { size }, *variable)
        });
        let (_, variable) = sizes
            .filter(|(size, _)| *size > 0)
            .fold(None, |best, (size, variable)| match best {
                Some((most, _)) if most >= size => best,
                _ => Some((size, variable)),
            })?;
        Some((variable, halves(ranges[variable])?))
    }
}
