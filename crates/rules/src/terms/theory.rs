//! The theory that formulas belong to: a solver that knows it from the beginning decides much faster.

use super::{Operator, SortId, TermId, Terms};
use hashbrown::HashSet;

/// What formulas are about, beside truth values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Linear arithmetic of integers, with quotients and remainders by numbers.
    LinearIntegers,
    /// Linear arithmetic of reals.
    LinearReals,
    /// Something else, or several of these.
    General,
}

impl Theory {
    /// The theory of some terms and all that is in them.
    pub fn of(terms: &Terms, all: impl IntoIterator<Item = TermId>) -> Theory {
        let (mut integers, mut reals) = (false, false);
        let mut stack: Vec<TermId> = all.into_iter().collect();
        let mut seen: HashSet<TermId> = HashSet::new();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.sort(term) {
                SortId::INT => integers = true,
                SortId::REAL => reals = true,
                SortId::BOOL => {}
                _ => return Theory::General,
            }
            let arguments = terms.arguments(term);
            let is_number = |argument: &TermId| matches!(terms.operator(*argument), Operator::Number(_));
            let is_linear = match terms.operator(term) {
                Operator::Multiply => arguments.len() == 2 && arguments.iter().any(is_number),
                Operator::IntegerDivide | Operator::Modulo => arguments.get(1).is_some_and(is_number),
                Operator::Divide => false,
                _ => true,
            };
            if !is_linear || (integers && reals) {
                return Theory::General;
            }
            stack.extend(arguments);
        }
        match reals {
            true => Theory::LinearReals,
            false => Theory::LinearIntegers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_term_of_another_kind_makes_it_general() {
        let mut terms = Terms::new();
        let (x, y) = (
            terms.fresh_variable("X", SortId::INT),
            terms.fresh_variable("Y", SortId::INT),
        );
        let r = terms.fresh_variable("R", SortId::REAL);
        let b = terms.fresh_variable("B", SortId::BOOL);
        let three = terms.integer(3);
        let tripled = terms.multiply(x, three);
        let remainder = terms.modulo(tripled, three);
        let product = terms.multiply(x, y);
        let array = terms.array_sort(SortId::INT, SortId::INT);
        let array = terms.fresh_variable("A", array);
        let element = terms.select(array, x);
        assert_eq!(Theory::of(&terms, []), Theory::LinearIntegers);
        assert_eq!(Theory::of(&terms, [b, remainder, y]), Theory::LinearIntegers);
        assert_eq!(Theory::of(&terms, [b, r]), Theory::LinearReals);
        assert_eq!(Theory::of(&terms, [x, r]), Theory::General);
        assert_eq!(Theory::of(&terms, [x, product]), Theory::General);
        let less = terms.less_or_equal(element, y);
        assert_eq!(Theory::of(&terms, [less]), Theory::General);
    }
}
