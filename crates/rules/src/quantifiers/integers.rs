//! Integer variables after Cooper: a formula over linear comparisons and divisibilities has a solution if and only if one of
//! finitely many points is one.
//!
//! All coefficients of the variable are made the same, their least common multiple: then the formula is about that multiple `y` of
//! it, which has to be one. With the period `δ`, a common multiple of all divisors, `y - δ` satisfies the same divisibilities. So from a solution
//! one can go down by `δ` again and again, either for ever (then the formula holds for some remainder where all lower bounds
//! fail) or until some literal stops it: a lower bound `b ≤ y` with `b ≤ y < b + δ`, an equality at `y`, or a disequality at `y - δ`. Seen from
//! the other side, one goes up; the side with fewer points is taken.
//!
//! Where a conjunct says that `y + s` is a multiple of `d`, as there is always one that says so of `y`, only each `d`-th point has to be looked
//! at. The first of them behind a bound is written with a remainder, unless that would hold another variable that is
//! to be eliminated, for which the remainder would be a new variable, and so on.

use super::literals::{Literal, Relation, compared, holding, literals, multiple, remainder_of, with_leaves};
use crate::terms::{Comparison, LinearForm, Rational, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Numbers of more bits are not calculated with: common multiples can become much larger than what they are made of.
const MOST_BITS: u64 = 1 << 14;

/// Behind a bound that is a number, so many points are looked at one by one: they are numbers, and what is said of them is simpler
/// than what is said of remainders.
const FEW: usize = 8;

/// Points at which a formula is looked at, in the direction that was chosen; each of them is the first of some, at a distance
/// of the step, or all of them.
struct Row {
    first: First,
    count: usize,
    step: BigInt,
    /// Literals that hold at all of them, the way they were chosen.
    known: Vec<TermId>,
    /// Whether all of them are known to be multiples of the factor.
    are_multiples: bool,
}

/// The first point of a row.
enum First {
    /// A number with this remainder, below all bounds.
    Infinity(LinearForm),
    /// A number.
    At(LinearForm),
}

/// How a literal ends solutions at the number for which its form is zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    /// There.
    At,
    /// A period behind it.
    Behind,
    /// There or less than a period behind it.
    From,
}

/// The points for a variable of a formula.
pub(super) struct Points {
    /// The coefficient of the multiple of the variable, or of its opposite, is one or minus one.
    literals: Vec<Literal>,
    /// How many times the variable is what the formula is looked at for.
    factor: BigInt,
    rows: Vec<Row>,
}

/// The points that decide about a variable of a formula, if that is linear in it. `variables` are all that are to be eliminated.
pub(super) fn points(terms: &mut Terms, variable: TermId, variables: &[TermId], formula: TermId) -> Option<Points> {
    let mut literals = literals(terms, variable, formula)?;
    let mut factor = BigInt::one();
    for literal in &literals {
        factor = factor.lcm(&literal.coefficient.to_integer());
        if factor.bits() > MOST_BITS {
            return None;
        }
    }
    let mut period = factor.clone();
    for literal in &mut literals {
        let times = Rational::from_integer(factor.clone()) / literal.coefficient.abs();
        literal.rest = literal.rest.scaled(&times);
        literal.coefficient = literal.coefficient.signum();
        if let Relation::Multiple(divisor) | Relation::NoMultiple(divisor) = &mut literal.relation {
            *divisor *= times.to_integer();
            period = period.lcm(divisor);
            if period.bits() > MOST_BITS {
                return None;
            }
        }
    }
    let conjuncts: HashSet<TermId> = terms.conjuncts(formula).into_iter().collect();
    let waiting: Vec<TermId> = variables.iter().copied().filter(|other| *other != variable).collect();
    let waiting = holding(terms, &[formula], &waiting);
    let [upwards, downwards] = [false, true].map(|is_mirrored| {
        let mut literals = literals.clone();
        for literal in literals.iter_mut().filter(|_| is_mirrored) {
            literal.coefficient = -&literal.coefficient;
        }
        let view = View {
            literals: &literals,
            conjuncts: &conjuncts,
            waiting: &waiting,
            factor: &factor,
            period: &period,
        };
        let rows = view.rows(terms)?;
        Some(Points {
            literals,
            factor: factor.clone(),
            rows,
        })
    });
    match (upwards, downwards) {
        (Some(up), Some(down)) if down.count() < up.count() => Some(down),
        (Some(up), _) => Some(up),
        (None, down) => down,
    }
}

/// A formula in one direction.
struct View<'f> {
    literals: &'f [Literal],
    /// The literals that have to hold.
    conjuncts: &'f HashSet<TermId>,
    /// Terms with variables that are still to be eliminated.
    waiting: &'f HashSet<TermId>,
    factor: &'f BigInt,
    period: &'f BigInt,
}

impl View<'_> {
    /// The number for which the form of a literal is zero.
    fn root(literal: &Literal) -> LinearForm {
        literal.rest.scaled(&-&literal.coefficient)
    }

    /// Whether a literal is a lower bound.
    fn is_lower(literal: &Literal) -> bool {
        literal.relation == Relation::AtMost && literal.coefficient.is_negative()
    }

    /// The rows of points at which solutions can end when one goes down; `None` if they are too many to be counted.
    fn rows(&self, terms: &mut Terms) -> Option<Vec<Row>> {
        let has_to_hold = |literal: &&Literal| self.conjuncts.contains(&literal.leaf);
        let one_point = |form: LinearForm| Row {
            first: First::At(form),
            count: 1,
            step: BigInt::one(),
            known: Vec::new(),
            are_multiples: false,
        };
        let equalities = self
            .literals
            .iter()
            .filter(|literal| literal.relation == Relation::Zero);
        if let Some(equality) = equalities.clone().find(has_to_hold) {
            return Some(vec![one_point(Self::root(equality))]);
        }
        let (divisor, remainder, said) = self.congruence();
        let count = (self.period / &divisor).to_usize()?;
        let mut rows = Vec::new();
        if !self
            .literals
            .iter()
            .filter(|one| Self::is_lower(one))
            .any(|one| has_to_hold(&one))
        {
            rows.push(Row {
                first: First::Infinity(remainder.clone()),
                count,
                step: divisor.clone(),
                known: Vec::new(),
                are_multiples: false,
            });
        }
        let mut seen = HashSet::new();
        for literal in self.literals {
            let zero = Self::root(literal);
            let kind = match literal.relation {
                Relation::Zero => Kind::At,
                Relation::NotZero => Kind::Behind,
                Relation::AtMost if Self::is_lower(literal) => Kind::From,
                _ => continue,
            };
            if !seen.insert((terms.linear_term(&zero, SortId::INT), kind)) {
                continue;
            }
            match kind {
                Kind::At => rows.push(one_point(zero)),
                Kind::Behind => {
                    let mut behind = zero;
                    behind.constant += Rational::from_integer(self.period.clone());
                    rows.push(one_point(behind));
                }
                Kind::From => {
                    rows.push(match self.first_behind(terms, &zero, &divisor, &remainder) {
                        Some(first) => Row {
                            first: First::At(first),
                            count,
                            step: divisor.clone(),
                            known: [Some(literal.leaf), said].into_iter().flatten().collect(),
                            are_multiples: said.is_none(),
                        },
                        None => Row {
                            first: First::At(zero),
                            count: self.period.to_usize()?,
                            step: BigInt::one(),
                            known: vec![literal.leaf],
                            are_multiples: false,
                        },
                    });
                }
            }
        }
        Some(rows)
    }

    /// The largest number by which all solutions are known to be congruent to a form, the form, and the literal that says so, unless it
    /// is that solutions are multiples of the factor.
    fn congruence(&self) -> (BigInt, LinearForm, Option<TermId>) {
        let mut best = (self.factor.clone(), LinearForm::constant(Rational::zero()), None);
        for literal in self.literals {
            match &literal.relation {
                Relation::Multiple(divisor) if *divisor > best.0 && self.conjuncts.contains(&literal.leaf) => {
                    best = (divisor.clone(), Self::root(literal), Some(literal.leaf));
                }
                _ => {}
            }
        }
        best
    }

    /// The least number from `bound` on that is congruent to `remainder` by `divisor`, if there is nothing in it that has to go.
    fn first_behind(
        &self,
        terms: &mut Terms,
        bound: &LinearForm,
        divisor: &BigInt,
        remainder: &LinearForm,
    ) -> Option<LinearForm> {
        if divisor.is_one() {
            return Some(bound.clone());
        }
        let difference = remainder.add_scaled(bound, &-Rational::one());
        if difference.terms.iter().any(|(term, _)| self.waiting.contains(term)) {
            return None;
        }
        let are_few = self.period.to_usize().is_some_and(|period| period <= FEW);
        if bound.terms.is_empty() && !difference.terms.is_empty() && are_few {
            return None;
        }
        let more = remainder_of(terms, &difference, divisor);
        Some(bound.add_scaled(&terms.linear_form(more), &Rational::one()))
    }
}

impl Points {
    fn count(&self) -> usize {
        let counts = self.rows.iter().map(|row| row.count);
        counts.fold(0, usize::saturating_add)
    }

    /// How much work it is to put the points into a formula of this size.
    pub fn work(&self, size: usize) -> usize {
        let digits = usize::try_from(self.factor.bits() / 64).unwrap_or(usize::MAX);
        self.count().saturating_mul(size).saturating_mul(digits + 1)
    }

    /// The formula without the variable: it holds at one of the points.
    pub fn put_in(&self, terms: &mut Terms, formula: TermId) -> TermId {
        let mut found = Vec::new();
        for row in &self.rows {
            let is_infinite = matches!(row.first, First::Infinity(_));
            let (First::Infinity(first) | First::At(first)) = &row.first;
            let mut point = first.clone();
            for _ in 0..row.count {
                let mut replaced = HashMap::new();
                for literal in &self.literals {
                    let value = match row.known.contains(&literal.leaf) {
                        true => TermId::TRUE,
                        false => at(terms, literal, &point, is_infinite),
                    };
                    replaced.insert(literal.leaf, value);
                }
                let holds = with_leaves(terms, formula, &replaced);
                let is_multiple = match row.are_multiples {
                    true => TermId::TRUE,
                    false => multiple(terms, &point, &self.factor),
                };
                let holds = terms.and(&[holds, is_multiple]);
                if holds == TermId::TRUE {
                    return holds;
                }
                found.push(holds);
                point.constant += Rational::from_integer(row.step.clone());
            }
        }
        terms.or(&found)
    }
}

/// A literal at a point, or below all bounds at the remainder that the point has.
fn at(terms: &mut Terms, literal: &Literal, point: &LinearForm, is_infinite: bool) -> TermId {
    let form = literal.rest.add_scaled(point, &literal.coefficient);
    let is_lower = literal.coefficient.is_negative();
    match &literal.relation {
        Relation::Multiple(divisor) => multiple(terms, &form, divisor),
        Relation::NoMultiple(divisor) => {
            let multiple = multiple(terms, &form, divisor);
            terms.not(multiple)
        }
        Relation::Zero if is_infinite => TermId::FALSE,
        Relation::NotZero if is_infinite => TermId::TRUE,
        _ if is_infinite => terms.boolean(!is_lower),
        Relation::Zero => compared(terms, &form, Comparison::Equal),
        Relation::NotZero => {
            let equal = compared(terms, &form, Comparison::Equal);
            terms.not(equal)
        }
        _ => compared(terms, &form, Comparison::LessOrEqual),
    }
}
