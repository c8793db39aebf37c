//! Constructors of array terms, with the read-over-write simplifications that need no solver.

use super::{Operator, Sort, SortId, TermId, Terms};

impl Terms {
    /// The element of `array` at `index`.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let element = match self.sort_of_id(self.sort(array)) {
            Sort::Array(_, element) => element,
            _ => SortId::INT,
        };
        let mut base = array;
        loop {
            match (self.operator(base), self.arguments(base)) {
                (Operator::Store, &[inner, at, value]) => {
                    if at == index {
                        return value;
                    }
                    if !self.certainly_different(at, index) {
                        break;
                    }
                    base = inner;
                }
                (Operator::ConstantArray, &[value]) => return value,
                _ => break,
            }
        }
        self.intern(Operator::Select, &[base, index], element)
    }

    /// `array` with the element at `index` replaced by `value`.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let base = match (self.operator(array), self.arguments(array)) {
            (Operator::Store, [inner, at, _]) if *at == index => *inner,
            _ => array,
        };
        // Looked at last, so that building the result anew changes nothing any more.
        if self.operator(value) == Operator::Select && self.arguments(value) == [base, index] {
            return base;
        }
        self.intern(Operator::Store, &[base, index, value], self.sort(array))
    }

    /// The array of the given array sort that holds `value` everywhere.
    pub fn constant_array(&mut self, sort: SortId, value: TermId) -> TermId {
        self.intern(Operator::ConstantArray, &[value], sort)
    }

    /// Whether two terms differ whatever the variables are.
    fn certainly_different(&mut self, left: TermId, right: TermId) -> bool {
        self.sort(left) != SortId::BOOL && self.equal(left, right) == TermId::FALSE
    }
}
