//! Whether a program is one: rules can be put together freely through the library, so whatever works on a program asks first.

use super::Program;
use crate::terms::{SortId, TermId, check_sorts};
use hashbrown::HashSet;
use std::fmt;

/// Why a program is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(String);

impl fmt::Display for Malformed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl std::error::Error for Malformed {}

impl Program {
    /// Checks that atoms fit their predicates, that constraints are formulas, and that every term is well sorted.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::rules::{Atom, PredicateId, Program};
    ///
    /// let mut program = Program::new();
    /// let goal = Atom { predicate: PredicateId::from_index(7), arguments: vec![] };
    /// program.add_query(vec![], goal, None);
    /// let error = program.validate().expect_err("there are only two predicates");
    /// assert_eq!(error.to_string(), "rule 1 names a predicate that the program does not have");
    /// ```
    pub fn validate(&self) -> Result<(), Malformed> {
        self.problem().map_or(Ok(()), |problem| Err(Malformed(problem)))
    }

    fn problem(&self) -> Option<String> {
        let terms = &self.terms;
        let mut visited = HashSet::new();
        for predicate in self.predicates() {
            if let Err(why) = check_sorts(terms, &predicate.parameters, &mut visited) {
                return Some(format!("predicate `{}`: {why}", predicate.name));
            }
        }
        for (index, rule) in self.rules().iter().enumerate() {
            let number = index + 1;
            for atom in std::iter::once(&rule.head).chain(&rule.body) {
                let Some(predicate) = self.predicates().get(atom.predicate.index()) else {
                    return Some(format!(
                        "rule {number} names a predicate that the program does not have"
                    ));
                };
                if let Err(why) = check_sorts(terms, &atom.arguments, &mut visited) {
                    return Some(format!("rule {number}: {why}"));
                }
                let fits = |(argument, parameter): (&TermId, &TermId)| terms.sort(*argument) == terms.sort(*parameter);
                if atom.arguments.len() != predicate.parameters.len()
                    || !atom.arguments.iter().zip(&predicate.parameters).all(fits)
                {
                    return Some(format!(
                        "rule {number}: the arguments of `{}` are not of the number and sorts of its parameters",
                        self.predicate_label(atom.predicate)
                    ));
                }
            }
            if let Err(why) = check_sorts(terms, &rule.constraint, &mut visited) {
                return Some(format!("rule {number}: {why}"));
            }
            if rule.constraint.iter().any(|part| terms.sort(*part) != SortId::BOOL) {
                return Some(format!(
                    "rule {number}: its constraint has a part that is not a formula"
                ));
            }
        }
        None
    }
}
