//! What is true of measures of terms whose constructors are not known: for the checker of certificates, which knows nothing else of them.

use super::Measure;
use crate::terms::{Operator, TermId, Terms};
use hashbrown::HashSet;

/// How often measures of parts are unfolded again.
const DEEPEST_UNFOLDING: usize = 2;
/// So many natural numbers are compared with each other.
const MOST_COMPARED: usize = 16;

impl Terms {
    /// What is true of the measures that formulas speak of: by which constructor a term was made says how they come from those of its
    /// parts, and those of the parts are unfolded as well, so many levels deep as most conclusions need.
    pub fn unfoldings(&mut self, formulas: &[TermId]) -> Vec<TermId> {
        let mut unfolded: HashSet<(Measure, TermId)> = HashSet::new();
        let mut found = Vec::new();
        let mut subjects = self.measured_terms(formulas);
        self.tell_apart(&subjects, &mut found);
        for _ in 0..=DEEPEST_UNFOLDING {
            subjects.retain(|subject| unfolded.insert(*subject));
            let start = found.len();
            for (measure, subject) in std::mem::take(&mut subjects) {
                self.unfold(measure, subject, &mut found);
            }
            subjects = self.measured_terms(&found[start..]);
        }
        // What was not unfolded is within its bounds all the same.
        for (measure, subject) in subjects {
            if unfolded.insert((measure, subject)) {
                let bounds = self.bounds_of(measure, subject);
                found.extend(bounds);
            }
        }
        found
    }

    /// Different natural numbers have different sizes.
    fn tell_apart(&mut self, subjects: &[(Measure, TermId)], found: &mut Vec<TermId>) {
        let sized = subjects.iter().filter(|(measure, _)| *measure == Measure::Size);
        let naturals: Vec<TermId> = sized
            .map(|(_, subject)| *subject)
            .filter(|subject| self.is_natural(self.sort(*subject)))
            .take(MOST_COMPARED)
            .collect();
        for (position, left) in naturals.iter().enumerate() {
            for right in &naturals[position + 1..] {
                if self.sort(*left) == self.sort(*right) {
                    let first = self.measure_of(Measure::Size, *left);
                    let second = self.measure_of(Measure::Size, *right);
                    let (same_size, same) = (self.equal(first, second), self.equal(*left, *right));
                    found.push(self.implies(same_size, same));
                }
            }
        }
    }

    /// What is true of a measure whatever the term: its least value, and that no minimum is above the maximum. `of` gives the values of
    /// the measures of the term that are known.
    pub fn truth_of(&mut self, measure: Measure, of: &dyn Fn(Measure) -> Option<TermId>) -> Option<TermId> {
        let value = of(measure)?;
        match (measure, measure.least()) {
            (Measure::Maximum, _) => {
                let least = of(Measure::Minimum)?;
                Some(self.less_or_equal(least, value))
            }
            (_, Some(least)) => {
                let least = self.integer(least);
                Some(self.less_or_equal(least, value))
            }
            _ => None,
        }
    }

    pub(super) fn bounds_of(&mut self, measure: Measure, subject: TermId) -> Option<TermId> {
        let mut values = vec![(measure, self.measure_of(measure, subject))];
        if measure == Measure::Maximum {
            values.push((Measure::Minimum, self.measure_of(Measure::Minimum, subject)));
        }
        let of = |wanted: Measure| values.iter().find(|(own, _)| *own == wanted).map(|(_, value)| *value);
        self.truth_of(measure, &of)
    }

    fn unfold(&mut self, measure: Measure, subject: TermId, found: &mut Vec<TermId>) {
        found.extend(self.bounds_of(measure, subject));
        let value = self.measure_of(measure, subject);
        let constructors = self
            .datatype(self.sort(subject))
            .map(|datatype| datatype.constructors.clone());
        for constructor in constructors.unwrap_or_default() {
            let fields = self.constructor(constructor).fields.clone();
            let fields: Vec<TermId> = fields.into_iter().map(|field| self.field_of(field, subject)).collect();
            let equation = self.equation(measure, constructor, &fields, &mut |terms, measure, part| {
                terms.measure_of(measure, part)
            });
            let equal = self.equal(value, equation);
            let made = self.is_made_by(constructor, subject);
            found.push(self.implies(made, equal));
        }
    }

    /// The measures of terms that formulas speak of, each once, by ascending id of the term.
    pub(super) fn measured_terms(&self, formulas: &[TermId]) -> Vec<(Measure, TermId)> {
        let mut found = Vec::new();
        for term in self.subterms(formulas) {
            if let Operator::Measure(measure) = self.operator(term) {
                found.extend(self.arguments(term).iter().map(|whole| (measure, *whole)));
            }
        }
        found.sort_by_key(|(measure, term)| (*term, *measure));
        found
    }
}
