//! Numbers as polynomials of symbols between -1 and 1, with an error: what is the same in two numbers is seen to be the same.
//!
//! That a sum's terms take each other away is what intervals do not see. Coefficients are doubles; whatever is lost when they are
//! calculated, and terms that are too small or of too high a degree to be kept, goes to the error, rounded up.

use super::outward::{grid_of, power_of_two, product, product_up, quotient, sum, sum_down, sum_up};

/// A product of up to four symbols: their numbers from the greatest one down, sixteen bits each. No symbol has the number zero.
pub(super) type Monomial = u64;

/// A factor that is a symbol.
const FACTOR: u32 = 16;
/// More terms than this are not kept.
const MOST_TERMS: usize = 40;
/// A term of a product that is smaller than this part of it is an error, if it is not one symbol.
const NEGLIGIBLE: f64 = 1e-9;
/// How many symbols are set to their limits to find those of a polynomial.
const MOST_CORNERS: usize = 5;
/// What is not linear is looked at more closely if it is more than this part of all.
const SHARE_TO_LOOK_AT: f64 = 1.0 / 64.0;

/// The number is within `error` of the sum of the terms, and a multiple of two to the power of `grid`.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// The terms, in the order of their monomials; the constant has the monomial zero.
    terms: Vec<(Monomial, f64)>,
    pub error: f64,
    pub grid: Option<i32>,
}

fn factors(monomial: Monomial) -> impl Iterator<Item = u16> {
    (0..4)
        .map(move |position| (monomial >> (FACTOR * position)) as u16)
        .filter(|symbol| *symbol != 0)
}

/// The product of two monomials; `None` if there are too many factors.
fn times(one: Monomial, other: Monomial) -> Option<Monomial> {
    if one == 0 || other == 0 {
        return Some(one | other);
    }
    let mut all = [0u16; 8];
    let mut count = 0;
    for symbol in factors(one).chain(factors(other)) {
        all[count] = symbol;
        count += 1;
    }
    if count > 4 {
        return None;
    }
    all[..count].sort_unstable();
    let places = all[..count].iter().enumerate();
    Some(places.fold(0, |product, (position, symbol)| {
        product | u64::from(*symbol) << (FACTOR * position as u32)
    }))
}

/// How often a symbol is a factor.
fn power(monomial: Monomial, symbol: u16) -> u32 {
    factors(monomial).filter(|factor| *factor == symbol).count() as u32
}

/// The monomial without one factor, or all of them, that are this symbol.
fn without(monomial: Monomial, symbol: u16, most: u32) -> Monomial {
    let mut left = most;
    let mut product = 0;
    let mut position = 0;
    for factor in factors(monomial) {
        if factor == symbol && left > 0 {
            left -= 1;
            continue;
        }
        product |= u64::from(factor) << (FACTOR * position);
        position += 1;
    }
    product
}

fn is_linear(monomial: Monomial) -> bool {
    monomial >> FACTOR == 0
}

/// Whether a monomial is the square of another one.
fn is_square(monomial: Monomial) -> bool {
    factors(monomial).all(|symbol| power(monomial, symbol).is_multiple_of(2))
}

/// The terms in the order of their monomials, each monomial once; what is lost goes to the error.
fn collected(mut all: Vec<(Monomial, f64)>, error: &mut f64) -> Vec<(Monomial, f64)> {
    all.sort_unstable_by_key(|(monomial, _)| *monomial);
    let mut terms: Vec<(Monomial, f64)> = Vec::with_capacity(all.len());
    for (monomial, factor) in all {
        match terms.last_mut() {
            Some((last, known)) if *last == monomial => {
                let (both, lost) = sum(*known, factor);
                *known = both;
                *error = sum_up(*error, lost);
            }
            _ => terms.push((monomial, factor)),
        }
    }
    terms
}

impl Form {
    pub fn constant(number: f64) -> Form {
        Form {
            terms: vec![(0, number)],
            error: 0.0,
            grid: grid_of(number).or(Some(i32::MAX / 4)),
        }
    }

    /// The numbers between two limits: their middle, and a symbol.
    pub fn between(low: f64, high: f64, symbol: u16) -> Option<Form> {
        if low == high {
            return Some(Form::constant(low)).filter(|_| low.is_finite());
        }
        let middle = low / 2.0 + high / 2.0;
        let radius = sum_up(middle, -low).max(sum_up(high, -middle));
        Form {
            terms: vec![(0, middle), (u64::from(symbol), radius)],
            error: 0.0,
            grid: None,
        }
        .finite()
    }

    /// How many terms there are.
    pub fn length(&self) -> usize {
        self.terms.len()
    }

    pub fn on_grid(self, grid: Option<i32>) -> Form {
        Form { grid, ..self }
    }

    fn finite(self) -> Option<Form> {
        let is_finite = self.error.is_finite() && self.terms.iter().all(|(_, factor)| factor.is_finite());
        is_finite.then_some(self)
    }

    /// A symbol in the place of the error.
    pub fn with_symbol(mut self, symbol: u16) -> Form {
        if self.error > 0.0 && self.terms.len() < MOST_TERMS {
            let monomial = u64::from(symbol);
            let position = self.terms.partition_point(|(before, _)| *before < monomial);
            self.terms.insert(position, (monomial, self.error));
            self.error = 0.0;
        }
        self
    }

    pub fn plus(&self, other: &Form) -> Option<Form> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut error = sum_up(self.error, other.error);
        let (mut ours, mut theirs) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let next = match (ours.peek(), theirs.peek()) {
                (Some((one, _)), Some((two, _))) => one.cmp(two),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => break,
            };
            let of_ours = if next.is_le() { ours.next() } else { None };
            let of_theirs = if next.is_ge() { theirs.next() } else { None };
            let (monomial, factor) = match (of_ours, of_theirs) {
                (Some((monomial, one)), Some((_, two))) => {
                    let (factor, lost) = sum(*one, *two);
                    error = sum_up(error, lost);
                    (*monomial, factor)
                }
                (Some(only), None) | (None, Some(only)) => *only,
                (None, None) => break,
            };
            if factor != 0.0 || monomial == 0 {
                terms.push((monomial, factor));
            }
        }
        let grid = match (self.grid, other.grid) {
            (Some(one), Some(two)) => Some(one.min(two)),
            _ => None,
        };
        Form { terms, error, grid }.condensed().finite()
    }

    pub fn negated(&self) -> Form {
        let terms = self.terms.iter().map(|(monomial, factor)| (*monomial, -factor));
        Form {
            terms: terms.collect(),
            ..*self
        }
    }

    pub fn minus(&self, other: &Form) -> Option<Form> {
        self.plus(&other.negated())
    }

    pub fn times(&self, other: &Form) -> Option<Form> {
        let (ours, theirs) = (self.magnitude(), other.magnitude());
        let most = product_up(sum_up(ours, self.error), sum_up(theirs, other.error));
        let mut error = sum_up(
            product_up(sum_up(ours, self.error), other.error),
            product_up(theirs, self.error),
        );
        let mut all: Vec<(Monomial, f64)> = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (one, by) in &self.terms {
            for (two, with) in &other.terms {
                let (factor, lost) = product(*by, *with);
                error = sum_up(error, lost);
                match times(*one, *two) {
                    Some(monomial) if is_linear(monomial) || factor.abs() > most * NEGLIGIBLE => {
                        all.push((monomial, factor));
                    }
                    _ => error = sum_up(error, factor.abs()),
                }
            }
        }
        let terms = collected(all, &mut error);
        let grid = match (self.grid, other.grid) {
            (Some(one), Some(two)) => Some(one.saturating_add(two).min(i32::MAX / 4)),
            _ => None,
        };
        Form { terms, error, grid }.condensed().finite()
    }

    /// All by one number.
    pub fn scaled(&self, by: f64) -> Option<Form> {
        self.times(&Form::constant(by))
    }

    /// All divided by a number that is not zero.
    pub fn divided(&self, by: f64) -> Option<Form> {
        if by.abs() == power_of_two(super::outward::exponent_of(by)) && (1.0 / by).is_finite() {
            return self.scaled(1.0 / by);
        }
        let mut error = sum_up(self.error / by.abs(), self.error / by.abs() * f64::EPSILON);
        let mut terms = Vec::with_capacity(self.terms.len());
        for (monomial, factor) in &self.terms {
            let (factor, lost) = quotient(*factor, by);
            error = sum_up(error, lost);
            terms.push((*monomial, factor));
        }
        if self.error > 0.0 {
            error = error.next_up();
        }
        Form {
            terms,
            error,
            grid: None,
        }
        .finite()
    }

    /// With an error more.
    pub fn widened(mut self, by: f64) -> Option<Form> {
        self.error = sum_up(self.error, by);
        self.finite()
    }

    /// What all terms are together at most, without the error.
    fn magnitude(&self) -> f64 {
        let factors = self.terms.iter().map(|(_, factor)| factor.abs());
        factors.fold(0.0, sum_up)
    }

    /// Not more terms than are kept: the smallest ones are errors.
    fn condensed(mut self) -> Form {
        if self.terms.len() <= MOST_TERMS {
            return self;
        }
        let mut sizes: Vec<f64> = self.terms.iter().map(|(_, factor)| factor.abs()).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        let least = sizes[sizes.len() - MOST_TERMS * 3 / 4];
        let mut error = self.error;
        self.terms.retain(|(monomial, factor)| {
            let stays = *monomial == 0 || factor.abs() >= least;
            if !stays {
                error = sum_up(error, factor.abs());
            }
            stays
        });
        Form { error, ..self }
    }

    /// Between which numbers it is.
    pub fn limits(&self) -> (f64, f64) {
        let (low, high) = self.limits_at(MOST_CORNERS);
        let (low, high) = (sum_down(low, -self.error), sum_up(high, self.error));
        match self.grid {
            Some(grid) if (-1000..1000).contains(&grid) => {
                let unit = power_of_two(grid);
                let (least, most) = ((low / unit).ceil() * unit, (high / unit).floor() * unit);
                // Powers of two divide exactly where nothing is too small or too large.
                match least.is_finite() && most.is_finite() && least <= most {
                    true => (least, most),
                    false => (low, high),
                }
            }
            _ => (low, high),
        }
    }

    fn plain_limits(&self) -> (f64, f64) {
        let mut limits = (0.0, 0.0);
        for (monomial, factor) in &self.terms {
            let size = factor.abs();
            let (below, above) = match (*monomial == 0, is_square(*monomial)) {
                (true, _) => (*factor, *factor),
                (false, true) => (factor.min(0.0), factor.max(0.0)),
                (false, false) => (-size, size),
            };
            limits = (sum_down(limits.0, below), sum_up(limits.1, above));
        }
        limits
    }

    /// The limits of the polynomial. In a symbol that it rises or falls in, or is linear in, they are where that is at its own.
    fn limits_at(&self, corners: usize) -> (f64, f64) {
        let (low, high) = self.plain_limits();
        let Some(left) = corners.checked_sub(1) else {
            return (low, high);
        };
        for symbol in self.bent() {
            let is_straight = self.terms.iter().all(|(monomial, _)| power(*monomial, symbol) <= 1);
            if !is_straight {
                let slope = self.derivative(symbol);
                let (least, most) = slope.plain_limits();
                if sum_down(least, -slope.error) < 0.0 && sum_up(most, slope.error) > 0.0 {
                    continue;
                }
            }
            let (one, other) = (self.at(symbol, 1.0), self.at(symbol, -1.0));
            let at_limits = [one, other].map(|part| {
                let (low, high) = part.limits_at(left);
                (sum_down(low, -part.error), sum_up(high, part.error))
            });
            return (
                at_limits[0].0.min(at_limits[1].0).max(low),
                at_limits[0].1.max(at_limits[1].1).min(high),
            );
        }
        (low, high)
    }

    /// The symbols that are factors of products, those that matter most first; none if what is not linear is little.
    fn bent(&self) -> Vec<u16> {
        let mut weights: Vec<(u16, f64)> = Vec::new();
        let (mut bent, mut all) = (0.0, 0.0);
        for (monomial, factor) in self.terms.iter().filter(|(monomial, _)| *monomial != 0) {
            all += factor.abs();
            if is_linear(*monomial) {
                continue;
            }
            bent += factor.abs();
            for symbol in factors(*monomial) {
                match weights.iter_mut().find(|(known, _)| *known == symbol) {
                    Some((_, weight)) => *weight += factor.abs(),
                    None => weights.push((symbol, factor.abs())),
                }
            }
        }
        if bent <= SHARE_TO_LOOK_AT * all {
            return Vec::new();
        }
        weights.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        weights.into_iter().map(|(symbol, _)| symbol).collect()
    }

    /// How much each symbol is a factor of what is not linear, and of what is.
    pub fn weights(&self) -> impl Iterator<Item = (u16, f64, bool)> {
        self.terms.iter().flat_map(|(monomial, factor)| {
            factors(*monomial).map(move |symbol| (symbol, factor.abs(), is_linear(*monomial)))
        })
    }

    /// With a symbol at one of its limits; the errors of this are in the result alone.
    fn at(&self, symbol: u16, limit: f64) -> Form {
        self.mapped(symbol, |monomial, power| {
            let sign = if power % 2 == 1 { limit } else { 1.0 };
            Some((without(monomial, symbol, power), sign))
        })
    }

    /// The derivative by a symbol.
    fn derivative(&self, symbol: u16) -> Form {
        self.mapped(symbol, |monomial, power| {
            (power > 0).then(|| (without(monomial, symbol, 1), f64::from(power)))
        })
    }

    /// Each term as another one; the new error is only what is lost by that.
    fn mapped(&self, symbol: u16, map: impl Fn(Monomial, u32) -> Option<(Monomial, f64)>) -> Form {
        let mut error = 0.0;
        let mut all: Vec<(Monomial, f64)> = Vec::with_capacity(self.terms.len());
        for (monomial, factor) in &self.terms {
            if let Some((now, by)) = map(*monomial, power(*monomial, symbol)) {
                let (factor, lost) = product(*factor, by);
                error = sum_up(error, lost);
                all.push((now, factor));
            }
        }
        let terms = collected(all, &mut error);
        Form {
            terms,
            error,
            grid: None,
        }
    }
}
