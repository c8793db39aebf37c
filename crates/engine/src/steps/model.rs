//! Values of variables, and what formulas are under them: evaluated once, however often one asks.

use crate::terms::{Assignment, Operator, SortId, TermId, Terms, Value};
use hashbrown::HashMap;

/// Values of variables, and of what has been evaluated under them.
pub(crate) struct Model {
    values: Assignment,
    /// Without a truth value where something has none.
    truths: HashMap<TermId, Option<bool>>,
}

impl Model {
    pub fn new(values: Assignment) -> Model {
        Model {
            values,
            truths: HashMap::new(),
        }
    }

    pub fn values(&self) -> &Assignment {
        &self.values
    }

    /// The value of a term; `None` if a variable has none or something is divided by zero.
    pub fn value(&self, terms: &Terms, term: TermId) -> Option<Value> {
        terms.evaluate(term, &self.values)
    }

    /// A variable that nothing has been evaluated with yet gets its value.
    pub fn insert(&mut self, variable: TermId, value: Value) {
        self.values.insert(variable, value);
    }

    /// A variable that stands for the term from now on has its value.
    pub fn define(&mut self, terms: &Terms, variable: TermId, term: TermId) -> Option<()> {
        let value = self.value(terms, term)?;
        self.values.insert(variable, value);
        Some(())
    }

    /// Whether a formula holds; `None` if that depends on something without a value.
    pub fn holds(&mut self, terms: &Terms, formula: TermId) -> Option<bool> {
        if let Some(known) = self.truths.get(&formula) {
            return *known;
        }
        let mut stack = vec![formula];
        while let Some(&current) = stack.last() {
            if self.truths.contains_key(&current) {
                stack.pop();
                continue;
            }
            let arguments = terms.arguments(current);
            let is_connective = match terms.operator(current) {
                Operator::And | Operator::Or | Operator::Not => true,
                Operator::Equal => arguments
                    .first()
                    .is_some_and(|first| terms.sort(*first) == SortId::BOOL),
                _ => false,
            };
            if !is_connective {
                let truth = terms.holds(current, &self.values);
                self.truths.insert(current, truth);
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(arguments.iter().filter(|argument| !self.truths.contains_key(*argument)));
            if stack.len() > before {
                continue;
            }
            let truths: Vec<Option<bool>> = arguments
                .iter()
                .map(|argument| self.truths.get(argument).copied().flatten())
                .collect();
            let absorbed = |by: bool| match truths.contains(&Some(by)) {
                true => Some(by),
                false => (!truths.contains(&None)).then_some(!by),
            };
            let truth = match (terms.operator(current), &truths[..]) {
                (Operator::And, _) => absorbed(false),
                (Operator::Or, _) => absorbed(true),
                (Operator::Not, [only]) => only.map(|truth| !truth),
                (_, [Some(left), Some(right)]) => Some(left == right),
                _ => None,
            };
            self.truths.insert(current, truth);
            stack.pop();
        }
        self.truths.get(&formula).copied().flatten()
    }
}
