//! Values that are worth trying as inputs: what the rules compare something with, bounds that they state, small numbers.

use super::Request;
use super::stated_bounds::{Bounds, stated_bound};
use crate::random::Generator;
use crate::rules::Program;
use crate::terms::{Float, FloatFormat, Operator, Rational, SortId, TermId, Terms, Value};
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_traits::Zero;

/// What is worth trying as an input.
pub(crate) struct InputValues {
    bounds: HashMap<TermId, Bounds>,
    /// The same, where rules that read a variable go different ways by its value.
    widest: HashMap<TermId, Bounds>,
    /// The numbers that occur in the program, in the order of their terms.
    constants: Vec<Rational>,
}

impl InputValues {
    /// What the rules of a program say about it.
    pub fn new(program: &Program) -> InputValues {
        let mut values = InputValues {
            bounds: HashMap::new(),
            widest: HashMap::new(),
            constants: Vec::new(),
        };
        for rule in program.rules() {
            for formula in &rule.constraint {
                for conjunct in program.terms.conjuncts(*formula) {
                    values.note(&program.terms, conjunct);
                }
            }
        }
        values
    }

    /// Notes bounds of single variables, and every constant that something is compared with.
    fn note(&mut self, terms: &Terms, formula: TermId) {
        let negated = terms.operator(formula) == Operator::Not;
        let atom = if negated { terms.arguments(formula)[0] } else { formula };
        let Some(linear) = terms.linear_atom(atom) else {
            return;
        };
        let constant = -linear.form.constant.clone();
        if !self.constants.contains(&constant) && self.constants.len() < 64 {
            self.constants.push(constant);
        }
        if let Some((variable, bound, is_upper)) = stated_bound(terms, formula) {
            self.widest.entry(variable).or_default().loosen(bound.clone(), is_upper);
            self.bounds.entry(variable).or_default().tighten(bound, is_upper);
        }
    }

    /// Between which integers an input is, as far as its rule says so of it alone.
    pub fn limits(&self, request: &Request) -> (Option<BigInt>, Option<BigInt>) {
        self.bounds
            .get(&request.variable)
            .map(Bounds::integers)
            .unwrap_or_default()
    }

    /// Between which integers an input is, whichever way is gone: from the smallest to the largest number that any rule states as a bound.
    pub fn widest_limits(&self, request: &Request) -> (Option<BigInt>, Option<BigInt>) {
        let stated = self.widest.get(&request.variable);
        stated.map(Bounds::integers).unwrap_or_default()
    }

    /// A value for an input: zeros in the first run, ones in the second, then a mixture.
    pub fn pick(&self, terms: &Terms, request: &Request, run: u64, generator: &mut Generator) -> Value {
        let sort = terms.sort(request.variable);
        if sort == SortId::BOOL {
            return Value::Bool(run > 0 && generator.next().is_multiple_of(2));
        }
        if let Some(format) = terms.float_format(sort) {
            return Value::Float(float_input(format, run, generator));
        }
        if !sort.is_numeric() {
            return terms.default_value(sort);
        }
        let bounds = self.bounds.get(&request.variable).cloned().unwrap_or_default();
        let number = |value: i64| Rational::from_integer(value.into());
        let mut value = match (run, generator.next() % 10) {
            (0, _) => Rational::zero(),
            (1, _) => number(1),
            (_, 0..=3) => number((generator.next() % 4) as i64),
            (_, 4..=5) => number((generator.next() % 41) as i64 - 20),
            (_, 6..=7) if !self.constants.is_empty() => {
                let chosen = &self.constants[generator.next() as usize % self.constants.len()];
                chosen + number((generator.next() % 3) as i64 - 1)
            }
            (_, 8) => bounds.lower.clone().unwrap_or_else(|| number(-1)),
            (_, 9) => bounds.upper.clone().unwrap_or_else(|| number(100)),
            _ => number((generator.next() % 1000) as i64),
        };
        if let Some(lower) = bounds.lower.filter(|lower| value < *lower) {
            value = lower;
        }
        if let Some(upper) = bounds.upper.filter(|upper| value > *upper) {
            value = upper;
        }
        match sort {
            SortId::INT => Value::Number(value.floor()),
            _ => Value::Number(value),
        }
    }
}

/// A floating-point number: small ones mostly, of the later runs some of special kinds.
fn float_input(format: FloatFormat, run: u64, generator: &mut Generator) -> Float {
    let small = generator.next() % 2001;
    let number = match (run, generator.next() % 8) {
        (0, _) => Rational::zero(),
        (1, _) => Rational::from_integer(1.into()),
        (_, 0) => return Float::nan(format),
        (_, 1) => return Float::infinity(format, small.is_multiple_of(2)),
        (_, 2) => {
            return Float::of_bits(
                format,
                u128::from(generator.next()) << 64 | u128::from(generator.next()),
            );
        }
        (_, 3 | 4) => Rational::new(small.into(), 8.into()),
        _ => Rational::from_integer((i128::from(small) - 1000).into()),
    };
    Float::nearest(format, &number)
}
