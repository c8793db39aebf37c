//! What formulas say that variables are: calculated with values, which is faster than with terms, as [`super::by_values`] does with what is left
//! open.
//!
//! Every value follows from the formulas by itself: an equation has one variable left whose value is not known.

use crate::terms::{Assignment, Comparison, LinearAtom, Operator, Rational, SortId, TermId, Terms, Value};
use hashbrown::HashMap;
use num_traits::Zero;

/// So often a formula is looked at for one premise.
const MOST_LOOKS: usize = 1 << 12;

/// What formulas say.
pub(super) enum Point {
    /// They contradict each other.
    Impossible,
    /// These values, and what is left of the formulas.
    Known(Assignment, Vec<TermId>),
}

/// What a formula says of one variable.
enum Said {
    /// It holds.
    True,
    /// It does not.
    False,
    /// The variable has the value, if it holds.
    Is(TermId, Value),
    /// Too many values are not known yet.
    Nothing,
}

/// The linear equations that have been looked at before.
#[derive(Default)]
pub(super) struct Equations(HashMap<TermId, Option<LinearAtom>>);

impl Equations {
    /// What the formulas say together.
    pub fn point(&mut self, terms: &Terms, formulas: impl Iterator<Item = TermId>) -> Point {
        let mut known = Assignment::new();
        let mut open: Vec<TermId> = formulas.flat_map(|formula| terms.conjuncts(formula)).collect();
        let mut looks = 0;
        while !open.is_empty() {
            let before = open.len();
            let mut left = Vec::new();
            looks += before;
            if looks > MOST_LOOKS {
                break;
            }
            for formula in open {
                match self.said(terms, formula, &known) {
                    Said::True => {}
                    Said::False => return Point::Impossible,
                    Said::Is(variable, value) => drop(known.insert(variable, value)),
                    Said::Nothing => left.push(formula),
                }
            }
            open = left;
            if open.len() >= before {
                break;
            }
        }
        Point::Known(known, open)
    }

    fn said(&mut self, terms: &Terms, formula: TermId, known: &Assignment) -> Said {
        match terms.holds(formula, known) {
            Some(true) => return Said::True,
            Some(false) => return Said::False,
            None => {}
        }
        let arguments = terms.arguments(formula);
        match (terms.operator(formula), arguments) {
            (Operator::Variable(_), _) => Said::Is(formula, Value::Bool(true)),
            (Operator::Not, &[inner]) if terms.is_variable(inner) => Said::Is(inner, Value::Bool(false)),
            (Operator::Equal, &[left, right]) => {
                let is_open = |term: TermId| terms.is_variable(term) && !known.contains_key(&term);
                for (variable, other) in [(left, right), (right, left)] {
                    if is_open(variable)
                        && let Some(value) = terms.evaluate(other, known)
                    {
                        return Said::Is(variable, value);
                    }
                }
                let atom = self.0.entry(formula).or_insert_with(|| terms.linear_atom(formula));
                atom.as_ref().map_or(Said::Nothing, |atom| solved(terms, atom, known))
            }
            _ => Said::Nothing,
        }
    }
}

/// A linear equation with one variable whose value is not known.
fn solved(terms: &Terms, atom: &LinearAtom, known: &Assignment) -> Said {
    if atom.comparison != Comparison::Equal {
        return Said::Nothing;
    }
    let mut sum = atom.form.constant.clone();
    let mut unknown: Option<(TermId, &Rational)> = None;
    for (term, coefficient) in &atom.form.terms {
        match terms.evaluate(*term, known) {
            Some(Value::Number(value)) => sum += &value * coefficient,
            None if unknown.is_none() && terms.is_variable(*term) => unknown = Some((*term, coefficient)),
            _ => return Said::Nothing,
        }
    }
    let Some((variable, coefficient)) = unknown.filter(|(_, coefficient)| !coefficient.is_zero()) else {
        return Said::Nothing;
    };
    let value = -(&sum / coefficient);
    match terms.sort(variable) == SortId::INT && !value.is_integer() {
        true => Said::False,
        false => Said::Is(variable, Value::Number(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(terms: &Terms, formulas: &[TermId]) -> Point {
        Equations::default().point(terms, formulas.iter().copied())
    }

    #[test]
    fn values_follow_from_values() {
        let mut terms = Terms::new();
        let [x, y, z] = ["X", "Y", "Z"].map(|name| terms.fresh_variable(name, SortId::INT));
        let b = terms.fresh_variable("B", SortId::BOOL);
        let (two, three, seven) = (terms.integer(2), terms.integer(3), terms.integer(7));
        let is_three = terms.equal(x, three);
        let next = terms.add(x, two);
        let double = terms.add(y, y);
        let sum = terms.add(double, z);
        // z is told by x and y, 2y by x.
        let formulas = [
            terms.equal(sum, seven),
            terms.equal(next, double),
            terms.not(b),
            is_three,
        ];
        // 2y = 5 is true of no integer.
        assert!(matches!(point(&terms, &formulas), Point::Impossible));
        let is_four = terms.integer(4);
        let formulas = [formulas[0], formulas[1], formulas[2], terms.equal(x, is_four)];
        let bound = terms.less_or_equal(x, three);
        let Point::Known(known, left) = point(&terms, &formulas) else {
            panic!("all of them are known")
        };
        assert!(left.is_empty());
        let number = |value: i64| Some(Value::Number(Rational::from_integer(value.into())));
        assert_eq!(
            [x, y, z].map(|variable| known.get(&variable).cloned()),
            [4, 3, 1].map(number)
        );
        assert_eq!(known.get(&b), Some(&Value::Bool(false)));
        let open = |formulas: &[TermId]| match point(&terms, formulas) {
            Point::Known(_, left) => left,
            Point::Impossible => panic!("they do not contradict each other"),
        };
        assert_eq!(open(&formulas[..3]), formulas[..2]);
        let contradiction = [is_three, formulas[3]];
        assert!(matches!(point(&terms, &contradiction), Point::Impossible));
        assert_eq!(open(&[bound]), [bound]);
        assert!(open(&[is_three, bound]).is_empty());
        assert!(open(&[]).is_empty());
    }
}
