//! Which datatypes recur, and how: what their fields lead back to.

use super::{ConstructorId, FieldId, SortId, Terms};
use hashbrown::HashSet;

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

    /// Whether values of the datatype, or those that it shares a recursion with, have fields that are integers, or natural numbers by their
    /// constructors.
    pub fn has_elements(&self, sort: SortId) -> bool {
        let together = |made: SortId| self.leads_to(sort, made) && self.leads_to(made, sort);
        let mut fields = self.fields().iter().filter(|field| {
            let own = self.constructed_sort(field.constructor);
            field.sort == SortId::INT || self.is_natural(field.sort) && !self.leads_to(field.sort, own)
        });
        fields.any(|field| together(self.constructed_sort(field.constructor)))
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
}
