//! Real variables by virtual substitution, after Loos and Weispfenning: a formula over linear comparisons has a solution if
//! and only if one of finitely many points is one, the smallest of some interval on which it holds. Such an interval begins at a
//! number that some comparison names, just behind one, or nowhere. Seen from the other side, it ends so; the side with fewer
//! points is taken.

use super::literals::{Literal, Relation, literals, with_leaves};
use crate::terms::{Comparison, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_traits::Signed;

/// A point at which a formula is looked at, in the direction that was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Point {
    /// Below all numbers.
    Infinity,
    /// A number.
    At(TermId),
    /// Just above a number.
    Above(TermId),
}

/// The points for a variable of a formula.
pub(super) struct Points {
    /// The coefficient of the variable, or of its opposite, is one or minus one.
    literals: Vec<Literal>,
    points: Vec<Point>,
}

/// The points that decide about a variable, if the formula is linear in it.
pub(super) fn points(terms: &mut Terms, variable: TermId, formula: TermId) -> Option<Points> {
    let mut literals = literals(terms, variable, formula)?;
    for literal in &mut literals {
        literal.rest = literal.rest.scaled(&literal.coefficient.abs().recip());
        literal.coefficient = literal.coefficient.signum();
    }
    let upwards = Points {
        points: from_below(terms, &literals),
        literals: literals.clone(),
    };
    for literal in &mut literals {
        literal.coefficient = -&literal.coefficient;
    }
    let downwards = Points {
        points: from_below(terms, &literals),
        literals,
    };
    Some(if downwards.points.len() < upwards.points.len() {
        downwards
    } else {
        upwards
    })
}

/// The points at which an interval of solutions can begin.
fn from_below(terms: &mut Terms, literals: &[Literal]) -> Vec<Point> {
    let (mut points, mut seen) = (vec![Point::Infinity], HashSet::new());
    for literal in literals {
        let is_lower = literal.coefficient.is_negative();
        // The number at which the form is zero.
        let zero = literal.rest.scaled(&-&literal.coefficient);
        let zero = terms.linear_term(&zero, SortId::REAL);
        let point = match literal.relation {
            Relation::Zero => Point::At(zero),
            Relation::AtMost if is_lower => Point::At(zero),
            Relation::Below if is_lower => Point::Above(zero),
            Relation::NotZero => Point::Above(zero),
            _ => continue,
        };
        if seen.insert(point) {
            points.push(point);
        }
    }
    points
}

impl Points {
    /// How much work it is to put the points into a formula of this size.
    pub fn work(&self, size: usize) -> usize {
        self.points.len().saturating_mul(size)
    }

    /// The formula without the variable: it holds at one of the points.
    pub fn put_in(&self, terms: &mut Terms, formula: TermId) -> TermId {
        let mut found = Vec::with_capacity(self.points.len());
        for point in &self.points {
            let mut replaced = HashMap::new();
            for literal in &self.literals {
                replaced.insert(literal.leaf, at(terms, literal, point));
            }
            found.push(with_leaves(terms, formula, &replaced));
            if found.last() == Some(&TermId::TRUE) {
                break;
            }
        }
        terms.or(&found)
    }
}

/// A literal at a point.
fn at(terms: &mut Terms, literal: &Literal, point: &Point) -> TermId {
    let is_lower = literal.coefficient.is_negative();
    let (Point::At(number) | Point::Above(number)) = point else {
        return terms.boolean(match literal.relation {
            Relation::AtMost | Relation::Below => !is_lower,
            Relation::NotZero => true,
            _ => false,
        });
    };
    let number = terms.linear_form(*number);
    let form = literal.rest.add_scaled(&number, &literal.coefficient);
    let is_behind = matches!(point, Point::Above(_));
    let mut compared = |comparison| terms.linear_formula(&form, comparison, SortId::REAL);
    match literal.relation {
        Relation::Zero if is_behind => TermId::FALSE,
        Relation::NotZero if is_behind => TermId::TRUE,
        Relation::Zero => compared(Comparison::Equal),
        Relation::NotZero => {
            let equal = compared(Comparison::Equal);
            terms.not(equal)
        }
        // Just above the number the form is a little larger than at it, or, if the variable is subtracted, a little smaller.
        _ if is_behind && is_lower => compared(Comparison::LessOrEqual),
        _ if is_behind => compared(Comparison::Less),
        Relation::Below => compared(Comparison::Less),
        _ => compared(Comparison::LessOrEqual),
    }
}
