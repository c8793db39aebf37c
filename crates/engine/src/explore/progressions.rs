//! Values after any number of iterations (seed 002, Algorithm 1, lines 3 to 18): what a variable holds after κ iterations of a
//! cycle, as a term over what the variables held before the first one.
//!
//! Beside the arithmetic and geometric progressions of the paper and values defined through known ones there are progressions
//! modulo a number (C's unsigned integers), sums of progressions (polynomials), and arrays that are written along a progression.
//! Unknown values that the cycle reads are elements of an array with one element for each iteration.

use super::context::Context;
use super::defined::Definition;
use super::series::sum_of_powers;
use crate::terms::{LinearForm, Operator, Rational, Sort, SortId, Substitution, TermId};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// What a variable holds after κ iterations.
#[derive(Clone, Copy, Debug)]
pub(super) enum Closed {
    /// A term over the parameters before the first iteration, κ and the inputs.
    Term(TermId),
    /// The array with this element at each index.
    Array(Definition, SortId),
}

/// The values of all parameters after κ iterations, as far as they are found.
pub(super) struct Progressions {
    parameters: Vec<TermId>,
    /// κ.
    counter: TermId,
    /// The number of the iteration that the memory and the inputs are of, from zero.
    iteration: TermId,
    closed: Vec<Option<Closed>>,
}

impl Progressions {
    /// Nothing is known yet. `iteration` is the number of the iteration that memories and inputs are of.
    pub fn new(parameters: &[TermId], counter: TermId, iteration: TermId) -> Progressions {
        Progressions {
            parameters: parameters.to_vec(),
            counter,
            iteration,
            closed: vec![None; parameters.len()],
        }
    }

    /// Finds what it can. `memory` is that after one iteration, over the parameters before it and the inputs of iteration
    /// `iteration`.
    pub fn find_all(&mut self, context: &mut Context, memory: &[TermId]) {
        loop {
            let mut changed = false;
            for (position, after) in memory.iter().enumerate() {
                if self.closed[position].is_none() {
                    self.closed[position] = self.closed_form(context, self.parameters[position], *after);
                    changed |= self.closed[position].is_some();
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Says what a parameter holds after κ iterations.
    pub fn know(&mut self, position: usize, value: TermId) {
        self.closed[position] = Some(Closed::Term(value));
    }

    /// A parameter whose value was not found: one that depends on itself, if there is one, because others may follow from it.
    pub fn next_unknown(&self, context: &Context, memory: &[TermId]) -> Option<usize> {
        let unknown = || (0..self.closed.len()).filter(|position| self.closed[*position].is_none());
        let depends_on_itself = |position: &usize| {
            context
                .terms
                .variables(memory[*position])
                .contains(&self.parameters[*position])
        };
        unknown().find(depends_on_itself).or_else(|| unknown().next())
    }

    /// The memory after `count` iterations; a parameter whose value was not found stays a symbol.
    pub fn after(&self, context: &mut Context, count: TermId) -> Vec<TermId> {
        let mut substitution = Substitution::new();
        substitution.insert(&context.terms, self.counter, count);
        let mut memory = Vec::with_capacity(self.parameters.len());
        for (parameter, closed) in self.parameters.iter().zip(&self.closed) {
            memory.push(match closed {
                None => *parameter,
                Some(Closed::Term(term)) => context.terms.substitute(*term, &substitution),
                Some(Closed::Array(definition, sort)) => {
                    let element = context.terms.substitute(definition.element, &substitution);
                    let definition = Definition { element, ..*definition };
                    let name = context.terms.variable_name(*parameter).to_string();
                    context
                        .arrays
                        .define(&mut context.terms, &format!("{name}′"), *sort, definition)
                }
            });
        }
        memory
    }

    /// A term of one iteration, at the iteration with this number.
    pub fn at_iteration(&self, context: &mut Context, term: TermId, number: TermId) -> TermId {
        let memory = self.after(context, number);
        let mut substitution = Substitution::of(&context.terms, &self.parameters, &memory);
        substitution.insert(&context.terms, self.iteration, number);
        let at = context.terms.substitute(term, &substitution);
        context.arrays.expand(&mut context.terms, at)
    }

    /// Whether the values of all parameters in a term are known, but perhaps that of `except`.
    fn is_known(&self, context: &Context, term: TermId, except: Option<TermId>) -> bool {
        let variables = context.terms.variables(term);
        self.parameters
            .iter()
            .zip(&self.closed)
            .all(|(parameter, closed)| closed.is_some() || Some(*parameter) == except || !variables.contains(parameter))
    }

    fn closed_form(&self, context: &mut Context, parameter: TermId, after: TermId) -> Option<Closed> {
        if parameter == after {
            return Some(Closed::Term(parameter));
        }
        let sort = context.terms.sort(parameter);
        if sort.is_numeric() {
            let found = self
                .arithmetic(context, parameter, after)
                .or_else(|| self.geometric(context, parameter, after))
                .or_else(|| self.modular(context, parameter, after))
                .or_else(|| self.summed(context, parameter, after));
            if let Some(term) = found {
                return Some(Closed::Term(term));
            }
        }
        if let Some(closed) = self.written(context, parameter, after) {
            return Some(closed);
        }
        let mentions_itself = context.terms.variables(after).contains(&parameter);
        if mentions_itself || !self.is_known(context, after, None) {
            return None;
        }
        Some(Closed::Term(self.last_iteration(context, parameter, after)))
    }

    /// `ite(κ > 0, after at the last iteration, parameter)`.
    fn last_iteration(&self, context: &mut Context, parameter: TermId, after: TermId) -> TermId {
        let one = context.terms.integer(1);
        let last = context.terms.subtract(self.counter, one);
        let value = self.at_iteration(context, after, last);
        let some = context.terms.less_or_equal(one, self.counter);
        context.terms.if_then_else(some, value, parameter)
    }

    /// κ as a term of a numeric sort.
    fn counter_of(&self, context: &mut Context, sort: SortId) -> TermId {
        match sort {
            SortId::REAL => context.terms.to_real(self.counter),
            _ => self.counter,
        }
    }

    /// `parameter + c`, with a number c.
    fn arithmetic(&self, context: &mut Context, parameter: TermId, after: TermId) -> Option<TermId> {
        let step = context.terms.subtract(after, parameter);
        context.terms.number_value(step)?;
        let counter = self.counter_of(context, context.terms.sort(parameter));
        let total = context.terms.multiply(step, counter);
        Some(context.terms.add(parameter, total))
    }

    /// `parameter · c`, with a number c.
    fn geometric(&self, context: &mut Context, parameter: TermId, after: TermId) -> Option<TermId> {
        let form = context.terms.linear_form(after);
        let [(only, factor)] = &form.terms[..] else {
            return None;
        };
        if *only != parameter || !form.constant.is_zero() || !factor.is_integer() {
            return None;
        }
        let terms = &mut context.terms;
        if (-factor).is_one() {
            let (zero, two) = (terms.integer(0), terms.integer(2));
            let remainder = terms.modulo(self.counter, two);
            let even = terms.equal(remainder, zero);
            let negated = terms.negate(parameter);
            return Some(terms.if_then_else(even, parameter, negated));
        }
        if terms.sort(parameter) != SortId::INT {
            return None;
        }
        let powers = context.powers_of(&factor.to_integer());
        let power = context.terms.select(powers, self.counter);
        Some(context.terms.multiply(parameter, power))
    }

    /// `(parameter + c) mod m`, with numbers.
    fn modular(&self, context: &mut Context, parameter: TermId, after: TermId) -> Option<TermId> {
        let (Operator::Modulo, &[sum, modulus]) = (context.terms.operator(after), context.terms.arguments(after))
        else {
            return None;
        };
        context.terms.number_value(modulus)?;
        let total = self.arithmetic(context, parameter, sum)?;
        let terms = &mut context.terms;
        let one = terms.integer(1);
        let some = terms.less_or_equal(one, self.counter);
        let value = terms.modulo(total, modulus);
        Some(terms.if_then_else(some, value, parameter))
    }

    /// `parameter + r`, where r is a polynomial in the number of the iteration.
    fn summed(&self, context: &mut Context, parameter: TermId, after: TermId) -> Option<TermId> {
        let step = context.terms.subtract(after, parameter);
        let mentions_itself = context.terms.variables(step).contains(&parameter);
        if mentions_itself || context.terms.sort(parameter) != SortId::INT || !self.is_known(context, step, None) {
            return None;
        }
        let at = self.at_iteration(context, step, self.iteration);
        let total = sum_of_powers(&mut context.terms, at, self.iteration, self.counter)?;
        Some(context.terms.add(parameter, total))
    }

    /// An array that is written once or several times in each iteration, along progressions with a common step.
    fn written(&self, context: &mut Context, parameter: TermId, after: TermId) -> Option<Closed> {
        let sort = context.terms.sort(parameter);
        let Sort::Array(SortId::INT, _) = context.terms.sort_of_id(sort) else {
            return None;
        };
        if !self.is_known(context, after, Some(parameter)) {
            return None;
        }
        let mut writes = Vec::new();
        let mut current = after;
        while let (Operator::Store, &[inner, index, value]) =
            (context.terms.operator(current), context.terms.arguments(current))
        {
            writes.push((index, value));
            current = inner;
        }
        if current != parameter || writes.is_empty() {
            return None;
        }
        // Where and what is written in iteration τ. Reads of the array itself have to be of elements that no iteration has
        // written before; then the symbol of the array, which stands for what it was before the first iteration, is right.
        let mut along: Vec<(LinearForm, TermId)> = Vec::new();
        let mut step: Option<Rational> = None;
        for (index, value) in writes {
            let index = self.at_iteration(context, index, self.iteration);
            let form = context.terms.linear_form(index);
            let slope = form.coefficient(self.iteration);
            let mut rest = form;
            rest.terms.retain(|(term, _)| *term != self.iteration);
            let others: Vec<TermId> = rest.terms.iter().map(|(term, _)| *term).collect();
            let nested = context.terms.variables_of_all(&others);
            let same = step.as_ref().is_none_or(|step| *step == slope);
            if nested.contains(&self.iteration) || nested.contains(&parameter) || !slope.is_integer() || !same {
                return None;
            }
            step = Some(slope);
            let value = self.at_iteration(context, value, self.iteration);
            along.push((rest, value));
        }
        let step = step.filter(|step| !step.is_zero())?;
        let all_apart = (0..along.len())
            .all(|first| (0..first).all(|second| never_meet(&along[first].0, &along[second].0, &step) == Some(true)));
        if !all_apart {
            return None;
        }
        for (_, value) in &along {
            self.reads_are_untouched(context, parameter, *value, &along, &step)?;
        }
        let index = context.terms.fresh_variable("j", SortId::INT);
        let mut element = context.terms.select(parameter, index);
        for (start, value) in along.into_iter().rev() {
            let (number, mut inside) = self.iteration_of(context, index, &start, &step);
            let terms = &mut context.terms;
            let zero = terms.integer(0);
            inside.push(terms.less_or_equal(zero, number));
            inside.push(terms.less(number, self.counter));
            let inside = terms.and(&inside);
            let mut substitution = Substitution::new();
            substitution.insert(terms, self.iteration, number);
            let value = terms.substitute(value, &substitution);
            element = terms.if_then_else(inside, value, element);
        }
        Some(Closed::Array(Definition { index, element }, sort))
    }

    /// The iteration in which an index is written, and what else has to be the case.
    fn iteration_of(
        &self,
        context: &mut Context,
        index: TermId,
        start: &LinearForm,
        step: &Rational,
    ) -> (TermId, Vec<TermId>) {
        let terms = &mut context.terms;
        let start = terms.linear_term(start, SortId::INT);
        let distance = terms.subtract(index, start);
        if step.is_one() {
            return (distance, Vec::new());
        }
        if (-step).is_one() {
            return (terms.negate(distance), Vec::new());
        }
        let (zero, step) = (terms.integer(0), terms.number(step.clone(), SortId::INT));
        let remainder = terms.modulo(distance, step);
        let divisible = terms.equal(remainder, zero);
        (terms.integer_divide(distance, step), vec![divisible])
    }

    /// Nothing if the array is mentioned in a value otherwise than by reading what has not been written yet.
    fn reads_are_untouched(
        &self,
        context: &mut Context,
        array: TermId,
        value: TermId,
        writes: &[(LinearForm, TermId)],
        step: &Rational,
    ) -> Option<()> {
        let mut stack = vec![value];
        let mut seen = hashbrown::HashSet::new();
        while let Some(current) = stack.pop() {
            if !seen.insert(current) {
                continue;
            }
            if current == array {
                return None;
            }
            match (context.terms.operator(current), context.terms.arguments(current)) {
                (Operator::Select, &[read, index]) if read == array => {
                    let mut place = context.terms.linear_form(index);
                    if place.coefficient(self.iteration) != *step {
                        return None;
                    }
                    place.terms.retain(|(term, _)| *term != self.iteration);
                    for (start, _) in writes {
                        let ahead = place.add_scaled(start, &-Rational::one());
                        if !ahead.terms.is_empty() {
                            return None;
                        }
                        let meets = (ahead.constant.clone() / step).is_integer();
                        let earlier = (ahead.constant / step).is_negative();
                        if meets && earlier {
                            return None;
                        }
                    }
                    stack.push(index);
                }
                (_, arguments) => stack.extend_from_slice(arguments),
            }
        }
        Some(())
    }
}

/// Whether two progressions with one step never meet; nothing if it depends on the parameters.
fn never_meet(first: &LinearForm, second: &LinearForm, step: &Rational) -> Option<bool> {
    let distance = first.add_scaled(second, &-Rational::one());
    distance
        .terms
        .is_empty()
        .then(|| !(distance.constant / step).is_integer())
}

impl Context<'_> {
    /// The array of the powers of a number.
    fn powers_of(&mut self, base: &BigInt) -> TermId {
        let mut known: Vec<TermId> = self
            .powers
            .iter()
            .filter(|(_, other)| *other == base)
            .map(|(array, _)| *array)
            .collect();
        known.sort();
        if let Some(array) = known.first() {
            return *array;
        }
        let sort = self.terms.array_sort(SortId::INT, SortId::INT);
        let array = self.terms.fresh_variable(&format!("{base}^"), sort);
        self.powers.insert(array, base.clone());
        array
    }
}
