//! The size of terms of a datatype: a function that is defined by recursion, for invariants that say how large something is.
//!
//! The size of what a constructor makes is one more than the sizes of those parts that recur: of the same datatype, or of one that
//! leads back to it. So a list of trees has its length and one more, whatever the trees are. What is known of the size of a term
//! whose constructor is not known are its [unfoldings](Terms::size_unfoldings), which are true of every value.

use super::evaluate::Value;
use super::{ConstructorId, FieldId, Operator, Rational, SortId, TermId, Terms};
use hashbrown::HashSet;

/// How often sizes of parts are unfolded again.
const DEEPEST_UNFOLDING: usize = 2;
/// So many natural numbers are compared with each other.
const MOST_COMPARED: usize = 16;

impl Terms {
    /// Whether a field leads back to the datatype whose field it is.
    pub fn is_recurring(&self, field: FieldId) -> bool {
        let own = self.constructed_sort(self.field(field).constructor);
        self.leads_to(self.field(field).sort, own)
    }

    /// Whether values of the datatype may hold others of it.
    pub fn is_recursive(&self, sort: SortId) -> bool {
        let constructors = self.datatype(sort).map_or(&[][..], |datatype| &datatype.constructors);
        let mut fields = constructors.iter().flat_map(|id| &self.constructor(*id).fields);
        fields.any(|field| self.leads_to(self.field(*field).sort, sort))
    }

    /// Whether the datatype is the natural numbers, a zero and a successor: values of the same size are the same.
    pub fn is_natural(&self, sort: SortId) -> bool {
        let constructors = self.datatype(sort).map_or(&[][..], |datatype| &datatype.constructors);
        let fields = |id: &ConstructorId| &self.constructor(*id).fields[..];
        let is_successor = |id: &ConstructorId| matches!(fields(id), [only] if self.field(*only).sort == sort);
        constructors.len() == 2
            && constructors.iter().any(|id| fields(id).is_empty())
            && constructors.iter().any(is_successor)
    }

    /// Whether a value of the one datatype may be, or hold, one of the other.
    fn leads_to(&self, from: SortId, to: SortId) -> bool {
        let mut seen: HashSet<SortId> = HashSet::new();
        let mut stack = vec![from];
        while let Some(sort) = stack.pop() {
            if sort == to {
                return true;
            }
            let Some(datatype) = self.datatype(sort).filter(|_| seen.insert(sort)) else {
                continue;
            };
            let fields = datatype
                .constructors
                .iter()
                .flat_map(|id| &self.constructor(*id).fields);
            stack.extend(fields.map(|field| self.field(*field).sort));
        }
        false
    }

    /// The size of a term of a datatype.
    pub fn size_of(&mut self, term: TermId) -> TermId {
        // On an explicit stack: what is constructed may be nested as deeply as an input likes.
        let (mut parts, mut constructed) = (Vec::new(), 0i64);
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            let Operator::Construct(constructor) = self.operator(current) else {
                parts.push(self.intern(Operator::Size, &[current], SortId::INT));
                continue;
            };
            constructed += 1;
            let fields = self.constructor(constructor).fields.clone();
            for (field, argument) in fields.into_iter().zip(self.arguments(current).to_vec()) {
                if self.is_recurring(field) {
                    stack.push(argument);
                }
            }
        }
        if constructed > 0 {
            parts.push(self.integer(constructed));
        }
        self.sum(&parts, SortId::INT)
    }

    /// The size of a value.
    pub(super) fn size_of_value(&self, value: &Value) -> Option<Rational> {
        let mut size = 0u64;
        let mut stack = vec![value];
        while let Some(value) = stack.pop() {
            let Value::Datatype(value) = value else { return None };
            size += 1;
            let fields = &self.constructor(value.constructor).fields;
            let parts = fields.iter().zip(&value.arguments);
            stack.extend(
                parts
                    .filter(|(field, _)| self.is_recurring(**field))
                    .map(|(_, part)| part),
            );
        }
        Some(Rational::from_integer(size.into()))
    }

    /// What is true of the sizes that formulas speak of: by which constructor a term was made says how its size comes from those of
    /// its parts, and those of the parts are unfolded as well, so many levels deep as most conclusions need.
    pub fn size_unfoldings(&mut self, formulas: &[TermId]) -> Vec<TermId> {
        let mut unfolded: HashSet<TermId> = HashSet::new();
        let mut found = Vec::new();
        let mut subjects = self.sized(formulas);
        self.tell_apart(&subjects, &mut found);
        for _ in 0..=DEEPEST_UNFOLDING {
            subjects.retain(|subject| unfolded.insert(*subject));
            let start = found.len();
            for subject in std::mem::take(&mut subjects) {
                self.unfold(subject, &mut found);
            }
            subjects = self.sized(&found[start..]);
        }
        // What was not unfolded has at least one constructor all the same.
        for subject in subjects {
            if unfolded.insert(subject) {
                found.push(self.has_a_constructor(subject));
            }
        }
        found
    }

    /// Different natural numbers have different sizes.
    fn tell_apart(&mut self, subjects: &[TermId], found: &mut Vec<TermId>) {
        let all = subjects.iter().copied();
        let naturals: Vec<TermId> = all
            .filter(|subject| self.is_natural(self.sort(*subject)))
            .take(MOST_COMPARED)
            .collect();
        for (position, left) in naturals.iter().enumerate() {
            for right in &naturals[position + 1..] {
                if self.sort(*left) == self.sort(*right) {
                    let (first, second) = (self.size_of(*left), self.size_of(*right));
                    let (same_size, same) = (self.equal(first, second), self.equal(*left, *right));
                    found.push(self.implies(same_size, same));
                }
            }
        }
    }

    fn has_a_constructor(&mut self, subject: TermId) -> TermId {
        let (size, one) = (self.size_of(subject), self.integer(1));
        self.less_or_equal(one, size)
    }

    fn unfold(&mut self, subject: TermId, found: &mut Vec<TermId>) {
        found.push(self.has_a_constructor(subject));
        let size = self.size_of(subject);
        let constructors = self
            .datatype(self.sort(subject))
            .map(|datatype| datatype.constructors.clone());
        for constructor in constructors.unwrap_or_default() {
            let mut parts = vec![self.integer(1)];
            for field in self.constructor(constructor).fields.clone() {
                if self.is_recurring(field) {
                    let part = self.field_of(field, subject);
                    parts.push(self.size_of(part));
                }
            }
            let sum = self.sum(&parts, SortId::INT);
            let equal = self.equal(size, sum);
            let made = self.is_made_by(constructor, subject);
            found.push(self.implies(made, equal));
        }
    }

    /// The terms whose sizes formulas speak of, each once, by ascending id.
    pub(super) fn sized(&self, formulas: &[TermId]) -> Vec<TermId> {
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut found = Vec::new();
        let mut stack = formulas.to_vec();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                if self.operator(term) == Operator::Size {
                    found.extend(self.arguments(term));
                }
                stack.extend(self.arguments(term));
            }
        }
        found.sort();
        found
    }
}
