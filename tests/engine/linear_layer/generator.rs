//! Random formulas over integers, reals and truth values, by seed: linear but for a few, with coefficients small and huge.

use clausal::terms::{SortId, TermId, Terms};
use num_bigint::BigInt;

/// A small generator of numbers, so that a seed says everything (SplitMix64).
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Whether something that happens so often of a hundred times happens.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Formulas over some variables.
pub struct Generator {
    /// The source of all choices.
    pub random: Random,
    /// The table of the formulas.
    pub terms: Terms,
    integers: Vec<TermId>,
    reals: Vec<TermId>,
    booleans: Vec<TermId>,
    huge: bool,
}

impl Generator {
    /// Variables of each sort, chosen by the seed.
    pub fn new(seed: u64) -> Generator {
        let mut random = Random(seed);
        let mut terms = Terms::new();
        let count = 1 + random.below(4);
        let mut make = |sort| -> Vec<TermId> { (0..count).map(|_| terms.fresh_variable("V", sort)).collect() };
        let (integers, reals, booleans) = (make(SortId::INT), make(SortId::REAL), make(SortId::BOOL));
        let huge = random.chance(10);
        Generator {
            random,
            terms,
            integers,
            reals,
            booleans,
            huge,
        }
    }

    fn coefficient(&mut self) -> BigInt {
        let small = BigInt::from(self.random.below(11)) - 5;
        if self.huge && self.random.chance(40) {
            small * (BigInt::from(self.random.next()) + BigInt::from(10).pow(self.random.below(40) as u32))
        } else if self.random.chance(5) {
            small * 97
        } else {
            small
        }
    }

    fn pick(&mut self, from: &[TermId]) -> TermId {
        from[self.random.below(from.len() as u64) as usize]
    }

    fn integer_atom(&mut self, depth: u32) -> TermId {
        let variables = self.integers.clone();
        let variable = self.pick(&variables);
        match self.random.below(40) {
            0 if depth > 0 => {
                let sum = self.integer_sum(depth - 1);
                let divisor = self.terms.integer(self.random.below(9) as i64 - 4);
                self.terms.integer_divide(sum, divisor)
            }
            1 if depth > 0 => {
                let sum = self.integer_sum(depth - 1);
                let divisor = self.terms.integer(self.random.below(9) as i64 - 4);
                self.terms.modulo(sum, divisor)
            }
            2 if depth > 0 => {
                let condition = self.formula(depth - 1);
                let (left, right) = (self.integer_sum(depth - 1), self.integer_sum(depth - 1));
                self.terms.if_then_else(condition, left, right)
            }
            3 if depth > 0 => {
                let real = self.real_sum(depth - 1);
                self.terms.to_integer(real)
            }
            4 if self.random.chance(10) => {
                let other = self.pick(&variables);
                self.terms.multiply(variable, other)
            }
            _ => variable,
        }
    }

    fn integer_sum(&mut self, depth: u32) -> TermId {
        let constant = self.coefficient() * 3;
        let mut sum = self.terms.integer(constant);
        for _ in 0..1 + self.random.below(3) {
            let atom = self.integer_atom(depth);
            let coefficient = self.coefficient();
            let coefficient = self.terms.integer(coefficient);
            let product = self.terms.multiply(coefficient, atom);
            sum = self.terms.add(sum, product);
        }
        sum
    }

    fn real_sum(&mut self, depth: u32) -> TermId {
        let variables = self.reals.clone();
        let constant = self.coefficient();
        let mut sum = self.terms.real(constant.into());
        for _ in 0..1 + self.random.below(3) {
            let atom = if depth > 0 && self.random.chance(8) {
                let integer = self.integer_sum(depth - 1);
                self.terms.to_real(integer)
            } else {
                self.pick(&variables)
            };
            let coefficient = self.coefficient();
            let coefficient = self.terms.real(coefficient.into());
            let product = self.terms.multiply(coefficient, atom);
            sum = self.terms.add(sum, product);
        }
        sum
    }

    fn comparison(&mut self, depth: u32) -> TermId {
        let (left, right) = if self.random.chance(60) {
            (self.integer_sum(depth), self.terms.integer(0))
        } else {
            (self.real_sum(depth), self.terms.real(BigInt::from(0).into()))
        };
        match self.random.below(10) {
            0..3 => self.terms.less_or_equal(left, right),
            3..6 => self.terms.less(right, left),
            6..8 => self.terms.equal(left, right),
            _ => self.terms.not_equal(left, right),
        }
    }

    /// A formula, nested no deeper than `depth`.
    pub fn formula(&mut self, depth: u32) -> TermId {
        if depth > 0 && self.random.chance(30) {
            let count = 2 + self.random.below(3);
            let parts: Vec<TermId> = (0..count).map(|_| self.formula(depth - 1)).collect();
            return if self.random.chance(60) {
                self.terms.or(&parts)
            } else {
                self.terms.and(&parts)
            };
        }
        if self.random.chance(10) {
            let booleans = self.booleans.clone();
            let variable = self.pick(&booleans);
            if self.random.chance(20) {
                let other = self.formula(depth.saturating_sub(1));
                return self.terms.equal(variable, other);
            }
            return if self.random.chance(50) {
                variable
            } else {
                self.terms.not(variable)
            };
        }
        self.comparison(depth)
    }
}
