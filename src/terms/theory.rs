//! The theory that all terms of a table belong to: a solver that knows it from the beginning decides much faster.

use super::{Operator, SortId, TermId, Terms};

/// What all terms of a table are about, beside truth values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Theory {
    /// Linear arithmetic of integers, with quotients and remainders by numbers.
    LinearIntegers,
    /// Linear arithmetic of reals.
    LinearReals,
    /// Something else, or several of these.
    General,
}

/// What has been seen of a table's terms so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    integers: bool,
    reals: bool,
    nonlinear: bool,
}

impl Terms {
    /// The theory of all terms that were made so far.
    pub(crate) fn theory(&self) -> Theory {
        let Seen {
            integers,
            reals,
            nonlinear,
        } = self.seen;
        match (nonlinear || self.has_compound_sorts(), integers, reals) {
            (false, _, false) => Theory::LinearIntegers,
            (false, false, true) => Theory::LinearReals,
            _ => Theory::General,
        }
    }

    /// Notes what a new term is about.
    pub(super) fn note(&mut self, operator: Operator, arguments: &[TermId], sort: SortId) {
        let is_number = |argument: &TermId| matches!(self.operator(*argument), Operator::Number(_));
        let is_linear = match operator {
            // Numbers alone say nothing: they are made for many reasons.
            Operator::Number(_) => return,
            Operator::Multiply => arguments.len() == 2 && arguments.iter().any(is_number),
            Operator::IntegerDivide | Operator::Modulo => arguments.get(1).is_some_and(is_number),
            Operator::Divide | Operator::ToReal | Operator::ToInteger => false,
            _ => true,
        };
        self.seen.nonlinear |= !is_linear;
        match sort {
            SortId::INT => self.seen.integers = true,
            SortId::REAL => self.seen.reals = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Rational;
    use num_traits::Zero;

    #[test]
    fn a_table_is_as_general_as_what_was_made_in_it() {
        let mut terms = Terms::new();
        let zero = terms.number(Rational::zero(), SortId::REAL);
        assert_eq!(terms.theory(), Theory::LinearIntegers);
        let x = terms.fresh_variable("X", SortId::REAL);
        terms.less(x, zero);
        assert_eq!(terms.theory(), Theory::LinearReals);
        terms.fresh_variable("I", SortId::INT);
        assert_eq!(terms.theory(), Theory::General);

        let mut terms = Terms::new();
        let (x, y) = (
            terms.fresh_variable("X", SortId::INT),
            terms.fresh_variable("Y", SortId::INT),
        );
        let three = terms.integer(3);
        let sum = terms.multiply(x, three);
        terms.modulo(sum, three);
        assert_eq!(terms.theory(), Theory::LinearIntegers);
        terms.multiply(x, y);
        assert_eq!(terms.theory(), Theory::General);
    }

    #[test]
    fn what_is_no_number_is_general() {
        let mut terms = Terms::new();
        let array = terms.array_sort(SortId::INT, SortId::INT);
        terms.fresh_variable("A", array);
        assert_eq!(terms.theory(), Theory::General);
    }
}
