//! Random conjunctions through the linear layer, beside Z3: `cargo run --release --example linear_layer -- COUNT SEED`.
//!
//! Every answer must be Z3's, every model must satisfy what was asked, every core must be unsatisfiable, and every
//! combination of Farkas must be a contradiction. It ends with the counts, or at the first seed where something is wrong.
#![allow(clippy::print_stdout)]

use clausal::solver::{Answer, Layer, LinearLayer, Z3Layer, is_contradiction};
use clausal::terms::{SortId, TermId, Terms};
use num_bigint::BigInt;
use std::process::ExitCode;

/// A small generator of numbers, so that a seed says everything (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Formulas over some variables.
struct Generator {
    random: Random,
    terms: Terms,
    integers: Vec<TermId>,
    reals: Vec<TermId>,
    booleans: Vec<TermId>,
    huge: bool,
}

impl Generator {
    fn new(seed: u64) -> Generator {
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

    fn formula(&mut self, depth: u32) -> TermId {
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

#[derive(Default)]
struct Counts {
    conjunctions: u64,
    satisfiable: u64,
    unsatisfiable: u64,
    unknown: u64,
    only_here: u64,
    cores: u64,
    combinations: u64,
}

/// One table of terms and a walk of pushes and pops over it.
fn walk(seed: u64, counts: &mut Counts) -> Result<(), String> {
    let mut generator = Generator::new(seed);
    let mut linear = LinearLayer::default();
    let mut oracle = Z3Layer::new(200_000);
    let mut assumed: Vec<TermId> = Vec::new();
    for step in 0..12 {
        while !assumed.is_empty() && generator.random.chance(30) {
            let count = 1 + generator.random.below(assumed.len() as u64) as usize;
            linear.pop(count);
            oracle.pop(count);
            assumed.truncate(assumed.len() - count);
        }
        for _ in 0..1 + generator.random.below(3) {
            let depth = generator.random.below(4) as u32;
            let formula = generator.formula(depth);
            linear.push();
            linear.assume(&generator.terms, formula);
            oracle.push();
            oracle.assume(&generator.terms, formula);
            assumed.push(formula);
        }
        let here = || format!("seed {seed}, step {step}");
        check(&generator.terms, &mut linear, &mut oracle, &assumed, counts).map_err(|what| {
            let shown: Vec<String> = assumed
                .iter()
                .map(|f| generator.terms.display(*f).to_string())
                .collect();
            format!("{}: {what}\n{}", here(), shown.join("\n"))
        })?;
    }
    Ok(())
}

fn check(
    terms: &Terms,
    linear: &mut LinearLayer,
    oracle: &mut Z3Layer,
    assumed: &[TermId],
    counts: &mut Counts,
) -> Result<(), String> {
    counts.conjunctions += 1;
    match linear.check(terms) {
        Answer::Unknown => counts.unknown += 1,
        Answer::Satisfiable => {
            counts.satisfiable += 1;
            let variables = terms.variables_of_all(assumed);
            let values = linear.model(terms, &variables).ok_or("no model")?;
            // Evaluation is all it takes: a model that satisfies everything leaves Z3 nothing to say.
            for formula in assumed {
                if terms.holds(*formula, &values) == Some(false) {
                    return Err(format!("the model violates {}", terms.display(*formula)));
                }
                if terms.holds(*formula, &values).is_none() && oracle.check(terms) == Answer::Unsatisfiable {
                    return Err("satisfiable, but not for Z3".to_string());
                }
            }
        }
        Answer::Unsatisfiable => {
            counts.unsatisfiable += 1;
            match oracle.check(terms) {
                Answer::Satisfiable => return Err("unsatisfiable, but not for Z3".to_string()),
                Answer::Unknown => counts.only_here += 1,
                Answer::Unsatisfiable => {}
            }
            let mut alone = Z3Layer::new(200_000);
            for position in linear.conflict() {
                alone.assume(terms, assumed[position]);
            }
            counts.cores += 1;
            if alone.check(terms) == Answer::Satisfiable {
                return Err(format!("the core {:?} is satisfiable", linear.conflict()));
            }
            if let Some(combination) = linear.farkas(terms) {
                counts.combinations += 1;
                if !is_contradiction(terms, &combination) {
                    return Err("the combination is no contradiction".to_string());
                }
                let belongs = |position: usize, atom| terms.conjuncts(assumed[position]).contains(&atom);
                if !combination.iter().all(|part| belongs(part.position, part.atom)) {
                    return Err("the combination is of other atoms".to_string());
                }
            }
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (Some(Ok(count)), Some(Ok(first))) = (arguments.next(), arguments.next()) else {
        println!("usage: linear_layer COUNT SEED");
        return ExitCode::FAILURE;
    };
    let mut counts = Counts::default();
    let mut seed = first;
    while counts.conjunctions < count {
        if let Err(what) = walk(seed, &mut counts) {
            println!("{what}");
            return ExitCode::FAILURE;
        }
        seed += 1;
    }
    println!(
        "{} conjunctions (seeds {first} to {}): {} satisfiable, {} unsatisfiable ({} of them beyond Z3's limit), {} left to Z3; \
         {} cores and {} combinations checked",
        counts.conjunctions,
        seed - 1,
        counts.satisfiable,
        counts.unsatisfiable,
        counts.only_here,
        counts.unknown,
        counts.cores,
        counts.combinations
    );
    ExitCode::SUCCESS
}
