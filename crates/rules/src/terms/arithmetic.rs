//! Constructors of numeric terms. Sums and products are kept as polynomials in a sorted normal form.

use super::{LinearForm, Operator, Rational, SortId, TermId, Terms};
use num_traits::{One, Zero};

/// Products of sums are multiplied out up to this many monomials; beyond, the sums stay factors.
const EXPANSION_LIMIT: usize = 64;

impl Terms {
    /// The sum of terms of one numeric sort.
    pub fn add(&mut self, left: TermId, right: TermId) -> TermId {
        let sum = self
            .linear_form(left)
            .add_scaled(&self.linear_form(right), &Rational::one());
        self.linear_term(&sum, self.sort(left))
    }

    /// The sum of any number of terms of one numeric sort, at least one.
    pub fn sum(&mut self, summands: &[TermId], sort: SortId) -> TermId {
        let mut constant = Rational::zero();
        let mut parts = Vec::with_capacity(summands.len());
        for summand in summands {
            let form = self.linear_form(*summand);
            constant += form.constant;
            parts.extend(form.terms);
        }
        self.linear_term(&LinearForm::collected(parts, constant), sort)
    }

    /// `left - right`.
    pub fn subtract(&mut self, left: TermId, right: TermId) -> TermId {
        let difference = self
            .linear_form(left)
            .add_scaled(&self.linear_form(right), &-Rational::one());
        self.linear_term(&difference, self.sort(left))
    }

    /// `-term`.
    pub fn negate(&mut self, term: TermId) -> TermId {
        let negated = self.linear_form(term).scaled(&-Rational::one());
        self.linear_term(&negated, self.sort(term))
    }

    /// The product of two terms of one numeric sort.
    pub fn multiply(&mut self, left: TermId, right: TermId) -> TermId {
        let sort = self.sort(left);
        let (a, b) = (self.linear_form(left), self.linear_form(right));
        if a.terms.is_empty() {
            return self.linear_term(&b.scaled(&a.constant), sort);
        }
        if b.terms.is_empty() {
            return self.linear_term(&a.scaled(&b.constant), sort);
        }
        // Once a sum is a factor of a product, further sums join it as factors: otherwise the outcome would depend on the
        // order in which the factors of one product meet.
        let (first, second) = (single_monomial(&a), single_monomial(&b));
        let (first_kept, second_kept) = (self.has_sum_factor(&first), self.has_sum_factor(&second));
        let too_large = (a.terms.len() + 1) * (b.terms.len() + 1) > EXPANSION_LIMIT;
        if too_large || (first_kept && second.is_none()) || (second_kept && first.is_none()) {
            let (x, c) = first.unwrap_or((left, Rational::one()));
            let (y, d) = second.unwrap_or((right, Rational::one()));
            let product = LinearForm {
                terms: vec![(self.product_of_factors(&[x, y], sort), c * d)],
                constant: Rational::zero(),
            };
            return self.linear_term(&product, sort);
        }
        let mut sum = LinearForm::constant(&a.constant * &b.constant);
        let scaled = a.scaled(&b.constant);
        sum = sum.add_scaled(&scaled, &Rational::one());
        sum.constant = &a.constant * &b.constant;
        let scaled = b.scaled(&a.constant);
        sum = sum.add_scaled(&scaled, &Rational::one());
        sum.constant = &a.constant * &b.constant;
        for (x, c) in &a.terms {
            for (y, d) in &b.terms {
                let product = self.product_of_factors(&[*x, *y], sort);
                let monomial = LinearForm {
                    terms: vec![(product, c * d)],
                    constant: Rational::zero(),
                };
                sum = sum.add_scaled(&monomial, &Rational::one());
            }
        }
        self.linear_term(&sum, sort)
    }

    /// Whether a monomial is a product in which a sum was kept as a factor.
    fn has_sum_factor(&self, monomial: &Option<(TermId, Rational)>) -> bool {
        monomial.as_ref().is_some_and(|(term, _)| {
            let mut factors = self.arguments(*term).iter();
            self.operator(*term) == Operator::Multiply && factors.any(|factor| self.operator(*factor) == Operator::Add)
        })
    }

    /// Whether a term is a product of terms none of which is a number.
    pub fn is_product(&self, term: TermId) -> bool {
        self.operator(term) == Operator::Multiply && self.number_value(self.arguments(term)[0]).is_none()
    }

    /// The product node of factors that are not numbers, nested products flattened.
    fn product_of_factors(&mut self, factors: &[TermId], sort: SortId) -> TermId {
        let mut flat = Vec::new();
        for factor in factors {
            match self.is_product(*factor) {
                true => flat.extend_from_slice(self.arguments(*factor)),
                false => flat.push(*factor),
            }
        }
        flat.sort();
        self.intern(Operator::Multiply, &flat, sort)
    }

    /// Real division. Dividing by zero stays as it is written: its value is unspecified, as in SMT-LIB.
    pub fn divide(&mut self, left: TermId, right: TermId) -> TermId {
        match self.number_value(right).cloned() {
            Some(value) if !value.is_zero() => {
                let quotient = self.linear_form(left).scaled(&value.recip());
                self.linear_term(&quotient, SortId::REAL)
            }
            _ => self.intern(Operator::Divide, &[left, right], SortId::REAL),
        }
    }

    /// Integer division as in SMT-LIB: rounded so that the remainder is not negative.
    pub fn integer_divide(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.number_value(left).cloned(), self.number_value(right).cloned()) {
            (_, Some(b)) if b.is_one() => left,
            (Some(a), Some(b)) if !b.is_zero() => {
                let (quotient, _) = a.euclidean_division(&b);
                self.number(quotient, SortId::INT)
            }
            (_, Some(b)) if !b.is_zero() => match self.multiples(left, &b) {
                None => self.intern(Operator::IntegerDivide, &[left, right], SortId::INT),
                Some((quotient, rest)) => {
                    let quotient = self.linear_term(&quotient, SortId::INT);
                    let rest = self.linear_term(&rest, SortId::INT);
                    let rest = self.integer_divide(rest, right);
                    self.add(quotient, rest)
                }
            },
            _ => self.intern(Operator::IntegerDivide, &[left, right], SortId::INT),
        }
    }

    /// The remainder that belongs to [`Terms::integer_divide`].
    pub fn modulo(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.number_value(left).cloned(), self.number_value(right).cloned()) {
            (_, Some(b)) if b.is_one() => self.integer(0),
            (Some(a), Some(b)) if !b.is_zero() => {
                let (_, remainder) = a.euclidean_division(&b);
                self.number(remainder, SortId::INT)
            }
            (_, Some(b)) if !b.is_zero() => match self.multiples(left, &b) {
                None => self.intern(Operator::Modulo, &[left, right], SortId::INT),
                Some((_, rest)) => {
                    let rest = self.linear_term(&rest, SortId::INT);
                    self.modulo(rest, right)
                }
            },
            _ => self.intern(Operator::Modulo, &[left, right], SortId::INT),
        }
    }

    /// A term as so many times a divisor and the rest, if parts of it are multiples of the divisor.
    fn multiples(&self, term: TermId, divisor: &Rational) -> Option<(LinearForm, LinearForm)> {
        let form = self.linear_form(term);
        let is_multiple = |number: &Rational| (number / divisor).is_integer();
        let (multiples, others): (Vec<_>, Vec<_>) = form.terms.into_iter().partition(|(_, by)| is_multiple(by));
        let is_constant_one = is_multiple(&form.constant);
        if multiples.is_empty() && (form.constant.is_zero() || !is_constant_one) {
            return None;
        }
        let (of_multiples, of_rest) = match is_constant_one {
            true => (form.constant, Rational::zero()),
            false => (Rational::zero(), form.constant),
        };
        let multiples = LinearForm {
            terms: multiples,
            constant: of_multiples,
        };
        let rest = LinearForm {
            terms: others,
            constant: of_rest,
        };
        Some((multiples.scaled(&divisor.recip()), rest))
    }

    /// An integer term seen as a real one.
    pub fn to_real(&mut self, term: TermId) -> TermId {
        match self.number_value(term).cloned() {
            Some(value) => self.real(value),
            None if self.sort(term) == SortId::REAL => term,
            None => self.intern(Operator::ToReal, &[term], SortId::REAL),
        }
    }

    /// The largest integer not above a real term.
    pub fn to_integer(&mut self, term: TermId) -> TermId {
        match self.number_value(term).cloned() {
            Some(value) => self.number(value.floor(), SortId::INT),
            None if self.sort(term) == SortId::INT => term,
            None if self.operator(term) == Operator::ToReal => self.arguments(term)[0],
            None => self.intern(Operator::ToInteger, &[term], SortId::INT),
        }
    }

    /// The smaller of two terms.
    pub fn minimum(&mut self, left: TermId, right: TermId) -> TermId {
        let condition = self.less_or_equal(left, right);
        self.if_then_else(condition, left, right)
    }

    /// The larger of two terms.
    pub fn maximum(&mut self, left: TermId, right: TermId) -> TermId {
        let condition = self.less_or_equal(left, right);
        self.if_then_else(condition, right, left)
    }

    /// The absolute value.
    pub fn absolute(&mut self, term: TermId) -> TermId {
        let zero = self.number(Rational::zero(), self.sort(term));
        let condition = self.less_or_equal(zero, term);
        let negated = self.negate(term);
        self.if_then_else(condition, term, negated)
    }
}

/// The term and the coefficient of a form that is one multiple of a term.
fn single_monomial(form: &LinearForm) -> Option<(TermId, Rational)> {
    match &form.terms[..] {
        [only] if form.constant.is_zero() => Some(only.clone()),
        _ => None,
    }
}
