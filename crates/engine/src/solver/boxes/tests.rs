//! Whatever values satisfy formulas are in the boxes that these narrow, and no question is answered against its values.

use super::floats::{Floats, place};
use super::ranges::Integers;
use super::*;
use crate::terms::{Float, FloatFormat, FloatOperator, SortId, WordOperator};
use crate::test_support::samples::{float_value, value};
use num_integer::Integer;

/// A random question: terms, their variables, and how formulas are made of them.
struct Random {
    terms: Terms,
    random: Generator,
    format: FloatFormat,
    variables: Vec<TermId>,
}

impl Random {
    fn new(seed: u64) -> Random {
        let mut terms = Terms::new();
        let format = [FloatFormat::Single, FloatFormat::Double][(seed % 2) as usize];
        let sort = terms.float_sort(format);
        let mut variables: Vec<TermId> = ["X", "Y", "Z"]
            .iter()
            .map(|name| terms.fresh_variable(name, sort))
            .collect();
        variables.push(terms.fresh_variable("I", SortId::INT));
        variables.push(terms.fresh_variable("J", SortId::INT));
        variables.push(terms.fresh_variable("B", SortId::BOOL));
        Random {
            terms,
            random: Generator(seed),
            format,
            variables,
        }
    }

    fn float(&mut self, format: FloatFormat, depth: u32) -> TermId {
        let sort = self.terms.float_sort(format);
        if depth == 0 {
            let fitting: Vec<TermId> = self
                .variables
                .iter()
                .copied()
                .filter(|one| self.terms.sort(*one) == sort)
                .collect();
            if !fitting.is_empty() && self.random.below(3) > 0 {
                return fitting[self.random.below(fitting.len() as u64) as usize];
            }
            return self.terms.float(float_value(format, &mut self.random));
        }
        if self.random.below(8) == 0 {
            let (condition, yes, no) = (
                self.formula(depth - 1),
                self.float(format, depth - 1),
                self.float(format, depth - 1),
            );
            return self.terms.if_then_else(condition, yes, no);
        }
        loop {
            let operator = FloatOperator::ALL[self.random.below(FloatOperator::ALL.len() as u64) as usize];
            let arguments: Vec<TermId> = match operator {
                FloatOperator::OfSigned | FloatOperator::OfUnsigned => {
                    let integer = self.integer(depth - 1);
                    let width = [8, 16, 32, 64][self.random.below(4) as usize];
                    let word = self.terms.word_operation(WordOperator::OfInteger, &[integer], width);
                    vec![word.expect("an integer")]
                }
                FloatOperator::Convert => {
                    let other = [FloatFormat::Single, FloatFormat::Double][self.random.below(2) as usize];
                    vec![self.float(other, depth - 1)]
                }
                _ => (0..operator.arity()).map(|_| self.float(format, depth - 1)).collect(),
            };
            if let Some(made) = self.terms.float_operation(operator, &arguments, sort) {
                return made;
            }
        }
    }

    fn integer(&mut self, depth: u32) -> TermId {
        let choice = self.random.below(6);
        match choice {
            _ if depth == 0 => match choice {
                0 | 1 => self.terms.integer(self.random.below(300) as i64 - 100),
                2 | 3 => self.variables[3],
                _ => self.variables[4],
            },
            0 => {
                let float = self.float(self.format, depth - 1);
                let width = [8, 32][self.random.below(2) as usize];
                let sort = self.terms.word_sort(width);
                let operator = [FloatOperator::ToSigned, FloatOperator::ToUnsigned][self.random.below(2) as usize];
                let word = self.terms.float_operation(operator, &[float], sort).expect("a float");
                let half = self.terms.word(BigInt::from(1) << (width - 1), width);
                let moved = self
                    .terms
                    .word_operation(WordOperator::Add, &[word, half], width)
                    .expect("words");
                self.terms
                    .word_operation(WordOperator::ToInteger, &[moved], 0)
                    .expect("a word")
            }
            1 => {
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                self.terms.multiply(left, right)
            }
            2 | 3 => {
                let divisor = self.terms.integer(1 + self.random.below(20) as i64);
                let left = self.integer(depth - 1);
                match choice {
                    2 => self.terms.modulo(left, divisor),
                    _ => self.terms.integer_divide(left, divisor),
                }
            }
            _ => {
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                self.terms.add(left, right)
            }
        }
    }

    fn formula(&mut self, depth: u32) -> TermId {
        if depth > 0 && self.random.below(2) == 0 {
            let parts = [self.formula(depth - 1), self.formula(depth - 1)];
            return match self.random.below(3) {
                0 => self.terms.not(parts[0]),
                1 => self.terms.and(&parts),
                _ => self.terms.or(&parts),
            };
        }
        let format = self.format;
        match self.random.below(6) {
            0 => {
                let (left, right) = (self.integer(depth), self.integer(depth));
                match self.random.below(2) {
                    0 => self.terms.equal(left, right),
                    _ => self.terms.less_or_equal(left, right),
                }
            }
            1 => self.variables[5],
            2 => {
                let (left, right) = (self.float(format, depth), self.float(format, depth));
                self.terms.equal(left, right)
            }
            3 => loop {
                let operator = FloatOperator::ALL[self.random.below(FloatOperator::ALL.len() as u64) as usize];
                let float = self.float(format, depth);
                if let Some(made) = self.terms.float_operation(operator, &[float], SortId::BOOL) {
                    return made;
                }
            },
            _ => {
                use FloatOperator::{Equal, Less, LessOrEqual};
                let operator = [Less, LessOrEqual, Equal][self.random.below(3) as usize];
                let sides = [self.float(format, depth), self.float(format, depth)];
                let made = self.terms.float_operation(operator, &sides, SortId::BOOL);
                made.expect("two floats")
            }
        }
    }

    fn values(&mut self) -> Assignment {
        let variables = self.variables.clone();
        let values = variables.iter().map(|variable| {
            let sort = self.terms.sort(*variable);
            (*variable, value(&self.terms, sort, &mut self.random, 0))
        });
        values.collect()
    }

    /// Formulas that these values satisfy.
    fn satisfied(&mut self, values: &Assignment) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let formula = self.formula(2);
            match self.terms.holds(formula, values) {
                Some(true) => formulas.push(formula),
                Some(false) => {
                    let opposite = self.terms.not(formula);
                    formulas.push(opposite);
                }
                // An operation is open.
                None => {}
            }
        }
        formulas
    }
}

fn question<'t>(terms: &'t Terms, formulas: &[TermId]) -> Question<'t> {
    Question::new(terms, formulas).expect("not too large")
}

fn contains(range: Range, value: &Value, width: Option<u32>) -> bool {
    match (range, value) {
        (Range::Truth { no, yes }, Value::Bool(truth)) => {
            if *truth {
                yes
            } else {
                no
            }
        }
        (Range::Integer(integers), Value::Number(number)) => {
            let number = number.to_integer();
            (integers.low == i128::MIN || BigInt::from(integers.low) <= number)
                && (integers.high == i128::MAX || number <= BigInt::from(integers.high))
        }
        (Range::Word(words), Value::Number(number)) => {
            let count = BigInt::from(1) << width.unwrap_or(0);
            let number: BigInt = number.to_integer();
            let low = BigInt::from(words.low);
            let first = &low + (number - &low).mod_floor(&count);
            first <= BigInt::from(words.high)
        }
        (Range::Float(floats), Value::Float(float)) if float.is_nan() => floats.nan,
        (Range::Float(floats), Value::Float(float)) => (floats.low..=floats.high).contains(&place(*float)),
        (Range::Any, _) => true,
        _ => false,
    }
}

/// A range around a value.
fn around(value: &Value, random: &mut Generator) -> Range {
    match value {
        Value::Bool(truth) if random.below(2) == 0 => Range::of_truth(*truth),
        Value::Bool(_) => Range::of_sort(Sort::Bool),
        Value::Float(float) => {
            let mut floats = Floats::point(*float);
            for _ in 0..random.below(3) {
                floats.add(float_value(float.format(), random));
            }
            Range::Float(floats)
        }
        Value::Number(number) => {
            let mut low = Integers::point(&number.to_integer());
            let high = low.plus(Integers {
                low: 0,
                high: i128::from(random.below(40)),
            });
            low.low -= i128::from(random.below(40));
            Range::Integer(low.join(high))
        }
        _ => Range::Any,
    }
}

#[test]
fn values_are_where_ranges_say() {
    for seed in 0..5_000 {
        let mut made = Random::new(seed);
        let values = made.values();
        let formulas = made.satisfied(&values);
        let question = question(&made.terms, &formulas);
        let mut ranges: Vec<Range> = question.nodes.iter().map(|node| question.first_range(node)).collect();
        for variable in &question.variables {
            let node = &question.nodes[*variable];
            ranges[*variable] = around(&values[&node.term], &mut made.random);
        }
        let check = |ranges: &[Range], what: &str| {
            for (node, range) in question.nodes.iter().zip(ranges) {
                let Some(value) = made.terms.evaluate(node.term, &values) else {
                    continue;
                };
                let width = made.terms.width(made.terms.sort(node.term));
                assert!(
                    contains(*range, &value, width),
                    "{what}, seed {seed}: {} is {} and not in {range:?}",
                    made.terms.display(node.term),
                    made.terms.display_value(&value)
                );
            }
        };
        for index in 0..question.nodes.len() {
            ranges[index] = question.range_of(index, &ranges);
        }
        check(&ranges, "calculated");
        let mut question = Question::new(&made.terms, &formulas).expect("not too large");
        assert!(question.narrowed(&mut ranges), "seed {seed}: narrowed to nothing");
        check(&ranges, "narrowed");
    }
}

#[test]
fn answers_agree_with_evaluation() {
    let (mut decided, mut refuted) = (0, 0);
    for seed in 0..400 {
        let mut made = Random::new(seed + 100_000);
        let formulas: Vec<TermId> = (0..1 + made.random.below(4)).map(|_| made.formula(2)).collect();
        match Effort(100_000).decide(&made.terms, &formulas) {
            Some(Decision::Satisfiable(values)) => {
                decided += 1;
                let holds = |formula: &TermId| made.terms.holds(*formula, &values) == Some(true);
                assert!(formulas.iter().all(holds), "seed {seed}");
            }
            Some(Decision::Unsatisfiable) => {
                refuted += 1;
                for _ in 0..200 {
                    let values = made.values();
                    let holds = |formula: &TermId| made.terms.holds(*formula, &values) == Some(true);
                    assert!(!formulas.iter().all(holds), "seed {seed}: {values:?}");
                }
            }
            None => {}
        }
    }
    assert!(decided > 100 && refuted > 20, "{decided} and {refuted}");
}

/// `x ∈ [0, 1]` and `y = x * x - x / 2 + 0.1` leave `y` above zero: boxes have to be cut for that.
#[test]
fn boxes_are_cut_until_a_bound_is_proved() {
    let mut terms = Terms::new();
    let sort = terms.float_sort(FloatFormat::Double);
    let x = terms.fresh_variable("X", sort);
    let number = |terms: &mut Terms, value: f64| terms.float(Float::from(value));
    let [zero, one, half, tenth] = [0.0, 1.0, 0.5, 0.1].map(|value| number(&mut terms, value));
    let mut operation = |operator, left, right| terms.float_operation(operator, &[left, right], sort).expect("floats");
    let square = operation(FloatOperator::Multiply, x, x);
    let linear = operation(FloatOperator::Multiply, x, half);
    let difference = operation(FloatOperator::Subtract, square, linear);
    let sum = operation(FloatOperator::Add, difference, tenth);
    let mut less = |left, right| {
        let made = terms.float_operation(FloatOperator::LessOrEqual, &[left, right], SortId::BOOL);
        made.expect("floats")
    };
    let bounds = [less(zero, x), less(x, one), less(sum, zero)];
    assert!(matches!(
        Effort::default().decide(&terms, &bounds),
        Some(Decision::Unsatisfiable)
    ));
    assert!(matches!(
        Effort::default().decide(&terms, &bounds[..2]),
        Some(Decision::Satisfiable(_))
    ));
}

/// An integer with few values that becomes a `double` and an integer again is looked at value by value.
#[test]
fn integers_with_few_values_are_tried() {
    let mut terms = Terms::new();
    let x = terms.fresh_variable("X", SortId::INT);
    let (double, word) = (terms.float_sort(FloatFormat::Double), terms.word_sort(64));
    let bits = terms
        .word_operation(WordOperator::OfInteger, &[x], 64)
        .expect("an integer");
    let float = terms
        .float_operation(FloatOperator::OfSigned, &[bits], double)
        .expect("a word");
    let back = terms
        .float_operation(FloatOperator::ToSigned, &[float], word)
        .expect("a float");
    let back = terms
        .word_operation(WordOperator::ToInteger, &[back], 0)
        .expect("a word");
    let limit = 1i64 << 53;
    let [low, high, odd] = [limit, limit + 2, limit + 1].map(|value| terms.integer(value));
    let formulas = [
        terms.less_or_equal(low, x),
        terms.less_or_equal(x, high),
        terms.equal(back, odd),
    ];
    assert!(matches!(
        Effort::default().decide(&terms, &formulas),
        Some(Decision::Unsatisfiable)
    ));
}
