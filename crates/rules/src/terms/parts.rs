//! What is inside of terms: the terms that they are built of, and their variables. All of it runs on explicit stacks.

use super::{Operator, TermId, Terms, WordOperator};
use hashbrown::HashSet;

impl Terms {
    /// Whether a formula compares two numbers or two words.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::{SortId, Terms};
    ///
    /// let mut terms = Terms::new();
    /// let (x, b) = (terms.fresh_variable("X", SortId::INT), terms.fresh_variable("B", SortId::BOOL));
    /// let two = terms.integer(2);
    /// let at_most = terms.less_or_equal(x, two);
    /// assert!(terms.is_comparison(at_most));
    /// assert!(!terms.is_comparison(b));
    /// ```
    pub fn is_comparison(&self, formula: TermId) -> bool {
        let first = self.arguments(formula).first();
        let compares = |argument: &TermId| {
            let sort = self.sort(*argument);
            match self.operator(formula) {
                Operator::Equal => sort.is_numeric() || self.width(sort).is_some(),
                Operator::Less | Operator::LessOrEqual => sort.is_numeric(),
                Operator::Word(operator) => matches!(
                    operator,
                    WordOperator::UnsignedLessOrEqual | WordOperator::SignedLessOrEqual
                ),
                _ => false,
            }
        };
        first.is_some_and(compares)
    }

    /// All terms in some terms, these among them, each once, by ascending id: what is inside of a term comes before it.
    pub fn subterms(&self, terms: &[TermId]) -> Vec<TermId> {
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut found = Vec::new();
        let mut stack = terms.to_vec();
        while let Some(current) = stack.pop() {
            if seen.insert(current) {
                found.push(current);
                stack.extend_from_slice(self.arguments(current));
            }
        }
        found.sort();
        found
    }

    /// Whether no variable of a term is foreign to `variables`.
    pub fn mentions_only(&self, term: TermId, variables: &[TermId]) -> bool {
        let mut seen = HashSet::new();
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            match self.operator(current) {
                Operator::Variable(_) if !variables.contains(&current) => return false,
                Operator::Variable(_) | Operator::Number(_) => {}
                // Atoms and sums are looked at again rather than remembered.
                Operator::And | Operator::Or | Operator::IfThenElse | Operator::Store if !seen.insert(current) => {}
                _ => stack.extend_from_slice(self.arguments(current)),
            }
        }
        true
    }

    /// Whether there are variables in a term.
    pub fn has_variables(&self, term: TermId) -> bool {
        self.variable_summary(term) != 0
    }

    /// The variables of a term, each once, by ascending id.
    pub fn variables(&self, term: TermId) -> Vec<TermId> {
        self.variables_of_all(&[term])
    }

    /// The variables of several terms, each once, by ascending id.
    pub fn variables_of_all(&self, terms: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut stack = terms.to_vec();
        while let Some(current) = stack.pop() {
            if self.variable_summary(current) == 0 || !seen.insert(current) {
                continue;
            }
            if self.is_variable(current) {
                found.push(current);
            }
            stack.extend_from_slice(self.arguments(current));
        }
        found.sort();
        found
    }
}
