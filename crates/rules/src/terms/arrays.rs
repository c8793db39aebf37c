//! Constructors of array terms, with the read-over-write simplifications that need no solver.

use super::{Operator, Sort, SortId, TermId, Terms};

impl Terms {
    /// The sort of the indices, if the sort is one of arrays.
    pub fn index_sort(&self, sort: SortId) -> Option<SortId> {
        match self.sort_of_id(sort) {
            Sort::Array(index, _) => Some(index),
            _ => None,
        }
    }

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

    /// The same array with the elements that are stored at numbers in the order of these, the least innermost, each once, and
    /// none that is what a constant array below has anyway: of arrays of values, the same ones are the same term.
    pub fn with_ordered_stores(&mut self, array: TermId) -> TermId {
        let mut stored: Vec<(TermId, TermId)> = Vec::new();
        let mut base = array;
        let mut is_ordered = true;
        while let (Operator::Store, &[inner, index, value]) = (self.operator(base), self.arguments(base)) {
            let Some(number) = self.number_value(index) else {
                break;
            };
            let last = stored.last().and_then(|(last, _)| self.number_value(*last));
            is_ordered &= last.is_none_or(|last| number < last);
            stored.push((index, value));
            base = inner;
        }
        let default = match (self.operator(base), self.arguments(base)) {
            (Operator::ConstantArray, &[value]) => Some(value),
            _ => None,
        };
        if is_ordered && stored.iter().all(|(_, value)| Some(*value) != default) {
            return array;
        }
        // Of several at one index the outermost counts, which comes first and stays there.
        stored.sort_by(|(one, _), (other, _)| self.number_value(*one).cmp(&self.number_value(*other)));
        stored.dedup_by(|(later, _), (first, _)| later == first);
        for (index, value) in stored {
            if Some(value) != default {
                base = self.store(base, index, value);
            }
        }
        base
    }

    /// Whether two terms differ whatever the variables are.
    fn certainly_different(&mut self, left: TermId, right: TermId) -> bool {
        if self.number_value(left).is_some() && self.number_value(right).is_some() {
            return left != right;
        }
        self.sort(left) != SortId::BOOL && self.equal(left, right) == TermId::FALSE
    }
}
