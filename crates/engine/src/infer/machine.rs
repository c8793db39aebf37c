//! Rules run on concrete states: each transition is compiled once into a list of instructions over machine numbers.
//!
//! Sampling runs millions of steps, so numbers are fractions of 128 bits; where they do not suffice, or something has no
//! value (a division by zero, an array), the step cannot be taken, and the run ends there. Fewer states are sampled then;
//! nothing else depends on it.

use crate::steps::{Target, Transition};
use crate::terms::{Operator, Rational, SortId, TermId, Terms};
use hashbrown::HashMap;
use num_integer::Integer;
use num_traits::ToPrimitive;

/// A fraction in lowest terms; truth values are one and zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Number {
    numerator: i128,
    denominator: i128,
}

/// Beyond this, numbers are given up: they could not be multiplied any more.
const LARGEST: i128 = 1 << 120;

impl Number {
    pub const ZERO: Number = Number::of_integer(0);
    pub const ONE: Number = Number::of_integer(1);

    pub const fn of_integer(value: i128) -> Number {
        Number {
            numerator: value,
            denominator: 1,
        }
    }

    fn truth(value: bool) -> Number {
        if value { Number::ONE } else { Number::ZERO }
    }

    fn new(numerator: i128, denominator: i128) -> Option<Number> {
        if denominator == 1 {
            return (numerator.abs() < LARGEST).then_some(Number::of_integer(numerator));
        }
        if denominator == 0 {
            return None;
        }
        let common = numerator.gcd(&denominator) * denominator.signum();
        let (numerator, denominator) = (numerator / common, denominator / common);
        (numerator.abs() < LARGEST && denominator < LARGEST).then_some(Number { numerator, denominator })
    }

    fn plus(self, other: Number) -> Option<Number> {
        if self.denominator == 1 && other.denominator == 1 {
            return Number::new(self.numerator.checked_add(other.numerator)?, 1);
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Number::new(
            left.checked_add(right)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    fn times(self, other: Number) -> Option<Number> {
        Number::new(
            self.numerator.checked_mul(other.numerator)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    fn over(self, other: Number) -> Option<Number> {
        Number::new(
            self.numerator.checked_mul(other.denominator)?,
            self.denominator.checked_mul(other.numerator)?,
        )
    }

    fn is_less(self, other: Number) -> Option<bool> {
        let left = self.numerator.checked_mul(other.denominator)?;
        Some(left < other.numerator.checked_mul(self.denominator)?)
    }

    /// The number as an exact fraction of any size.
    pub fn rational(self) -> Rational {
        Rational::new(self.numerator.into(), self.denominator.into())
    }

    /// A fraction as a machine number, if it is one.
    pub fn of(value: &Rational) -> Option<Number> {
        Number::new(value.numer().to_i128()?, value.denom().to_i128()?)
    }
}

/// What computes the value of a slot from those of earlier slots.
#[derive(Clone, Debug)]
enum Instruction {
    Constant(Number),
    Input(usize),
    Sum(Vec<usize>),
    Product(Vec<usize>),
    Divide(usize, usize),
    IntegerDivide(usize, usize),
    Modulo(usize, usize),
    Floor(usize),
    Choose(usize, usize, usize),
    Equal(usize, usize),
    LessOrEqual(usize, usize),
    Less(usize, usize),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    /// The slot has no value.
    None,
}

/// A transition, compiled.
#[derive(Clone, Debug)]
pub(super) struct CompiledTransition {
    /// Where it leads.
    pub target: Target,
    /// The sorts of the values that it leaves open.
    pub open: Vec<SortId>,
    instructions: Vec<Instruction>,
    /// Slots that must be true, each with the number of instructions that it needs.
    guards: Vec<(usize, usize)>,
    updates: Vec<usize>,
}

impl CompiledTransition {
    /// Compiles a transition of a predicate with these parameters.
    pub fn new(terms: &Terms, parameters: &[TermId], transition: &Transition) -> CompiledTransition {
        let mut compiler = Compiler {
            terms,
            inputs: parameters.iter().chain(&transition.locals).copied().collect(),
            slots: HashMap::new(),
            instructions: Vec::new(),
        };
        let mut guards = Vec::new();
        for guard in &transition.guard {
            let slot = compiler.slot(*guard);
            guards.push((slot, compiler.instructions.len()));
        }
        let updates = transition.updates.iter().map(|term| compiler.slot(*term)).collect();
        CompiledTransition {
            target: transition.target,
            open: transition.locals.iter().map(|local| terms.sort(*local)).collect(),
            instructions: compiler.instructions,
            guards,
            updates,
        }
    }

    /// The arguments of the next goal; `None` if the transition cannot be taken. `inputs` are the values of the parameters
    /// and then those left open; `slots` is room that is used again.
    pub fn run(&self, inputs: &[Number], slots: &mut Vec<Option<Number>>) -> Option<Vec<Number>> {
        slots.clear();
        for (guard, needed) in &self.guards {
            for instruction in self.instructions.get(slots.len()..*needed).unwrap_or_default() {
                slots.push(execute(instruction, inputs, slots));
            }
            if slots.get(*guard).copied().flatten() != Some(Number::ONE) {
                return None;
            }
        }
        for instruction in self.instructions.get(slots.len()..).unwrap_or_default() {
            slots.push(execute(instruction, inputs, slots));
        }
        self.updates
            .iter()
            .map(|slot| slots.get(*slot).copied().flatten())
            .collect()
    }
}

struct Compiler<'a> {
    terms: &'a Terms,
    inputs: Vec<TermId>,
    slots: HashMap<TermId, usize>,
    instructions: Vec<Instruction>,
}

impl Compiler<'_> {
    fn slot(&mut self, term: TermId) -> usize {
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if self.slots.contains_key(&current) {
                stack.pop();
                continue;
            }
            let arguments = self.terms.arguments(current);
            let before = stack.len();
            stack.extend(arguments.iter().filter(|argument| !self.slots.contains_key(*argument)));
            if stack.len() > before {
                continue;
            }
            let inner: Vec<usize> = arguments.iter().filter_map(|a| self.slots.get(a).copied()).collect();
            self.instructions.push(self.instruction(current, inner));
            self.slots.insert(current, self.instructions.len() - 1);
            stack.pop();
        }
        self.slots.get(&term).copied().unwrap_or_default()
    }

    fn instruction(&self, term: TermId, inner: Vec<usize>) -> Instruction {
        match (self.terms.operator(term), &inner[..]) {
            (Operator::True, _) => Instruction::Constant(Number::ONE),
            (Operator::False, _) => Instruction::Constant(Number::ZERO),
            (Operator::Number(_), _) => match self.terms.number_value(term).and_then(Number::of) {
                Some(value) => Instruction::Constant(value),
                None => Instruction::None,
            },
            (Operator::Variable(_), _) => match self.inputs.iter().position(|input| *input == term) {
                Some(position) => Instruction::Input(position),
                None => Instruction::None,
            },
            (Operator::Add, _) => Instruction::Sum(inner),
            (Operator::Multiply, _) => Instruction::Product(inner),
            (Operator::Divide, [a, b]) => Instruction::Divide(*a, *b),
            (Operator::IntegerDivide, [a, b]) => Instruction::IntegerDivide(*a, *b),
            (Operator::Modulo, [a, b]) => Instruction::Modulo(*a, *b),
            (Operator::ToReal, [a]) => Instruction::Sum(vec![*a]),
            (Operator::ToInteger, [a]) => Instruction::Floor(*a),
            (Operator::IfThenElse, [c, a, b]) => Instruction::Choose(*c, *a, *b),
            (Operator::Equal, [a, b]) => Instruction::Equal(*a, *b),
            (Operator::LessOrEqual, [a, b]) => Instruction::LessOrEqual(*a, *b),
            (Operator::Less, [a, b]) => Instruction::Less(*a, *b),
            (Operator::Not, [a]) => Instruction::Not(*a),
            (Operator::And, _) => Instruction::And(inner),
            (Operator::Or, _) => Instruction::Or(inner),
            _ => Instruction::None,
        }
    }
}

fn execute(instruction: &Instruction, inputs: &[Number], slots: &[Option<Number>]) -> Option<Number> {
    let value = |slot: &usize| slots.get(*slot).copied().flatten();
    match instruction {
        Instruction::Constant(number) => Some(*number),
        Instruction::Input(position) => inputs.get(*position).copied(),
        Instruction::Sum(parts) => parts.iter().try_fold(Number::ZERO, |sum, part| sum.plus(value(part)?)),
        Instruction::Product(parts) => parts
            .iter()
            .try_fold(Number::ONE, |product, part| product.times(value(part)?)),
        Instruction::Divide(a, b) => value(a)?.over(value(b)?),
        Instruction::IntegerDivide(a, b) => euclidean(value(a)?, value(b)?).map(|(quotient, _)| quotient),
        Instruction::Modulo(a, b) => euclidean(value(a)?, value(b)?).map(|(_, remainder)| remainder),
        Instruction::Floor(a) => value(a).map(|a| Number::of_integer(a.numerator.div_euclid(a.denominator))),
        Instruction::Choose(condition, a, b) => value(if value(condition)? == Number::ONE { a } else { b }),
        Instruction::Equal(a, b) => Some(Number::truth(value(a)? == value(b)?)),
        Instruction::LessOrEqual(a, b) => value(b)?.is_less(value(a)?).map(|more| Number::truth(!more)),
        Instruction::Less(a, b) => value(a)?.is_less(value(b)?).map(Number::truth),
        Instruction::Not(a) => value(a).map(|a| Number::truth(a == Number::ZERO)),
        Instruction::And(parts) => decide(parts, &value, Number::ZERO),
        Instruction::Or(parts) => decide(parts, &value, Number::ONE),
        Instruction::None => None,
    }
}

/// A connective: one part with the absorbing value decides, even if others have none.
fn decide(parts: &[usize], value: &dyn Fn(&usize) -> Option<Number>, absorbing: Number) -> Option<Number> {
    if parts.iter().any(|part| value(part) == Some(absorbing)) {
        return Some(absorbing);
    }
    let all = parts.iter().all(|part| value(part).is_some());
    all.then(|| Number::truth(absorbing == Number::ZERO))
}

fn euclidean(a: Number, b: Number) -> Option<(Number, Number)> {
    if a.denominator != 1 || b.denominator != 1 || b.numerator == 0 {
        return None;
    }
    let quotient = a.numerator.checked_div_euclid(b.numerator)?;
    let remainder = a.numerator.checked_rem_euclid(b.numerator)?;
    Some((Number::of_integer(quotient), Number::of_integer(remainder)))
}
