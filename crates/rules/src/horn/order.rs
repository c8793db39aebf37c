//! An order of terms by what they look like rather than by when they were made.
//!
//! Terms sort the parts of sums and connectives by their ids, so the same formula can have its parts in another order in
//! another table. Text must not depend on that: what is printed, read and printed again has to stay the same.

use super::smtlib_text::VariableNames;
use crate::terms::{Comparison, LinearForm, Operator, Rational, TermId, Terms};
use hashbrown::HashMap;
use num_traits::{One, Signed};

/// The ranks of all terms below some roots.
pub(super) struct TextOrder {
    ranks: HashMap<TermId, u32>,
    /// All the terms, by rank: what is inside a term comes before it.
    pub sequence: Vec<TermId>,
}

/// What terms of one height are sorted by: the kind of term, then its content.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kind: u8,
    content: Content,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    Name(String),
    Number(Rational, bool),
    Parts(Vec<u32>),
    Linear(Vec<(u32, Rational)>, Rational),
}

impl TextOrder {
    /// The order of the terms below `roots`.
    pub fn new(terms: &Terms, roots: &[TermId], name_of: VariableNames) -> TextOrder {
        let mut reachable = terms.subterms(roots);
        let heights = heights(terms, &reachable);
        let height = |term: &TermId| heights.get(term).copied().unwrap_or(0);
        reachable.sort_by_key(|term| (height(term), *term));
        let mut order = TextOrder {
            ranks: HashMap::with_capacity(reachable.len()),
            sequence: Vec::with_capacity(reachable.len()),
        };
        for level in reachable.chunk_by(|left, right| height(left) == height(right)) {
            // Everything inside these terms is lower and has its rank already.
            let mut keyed: Vec<(Key, TermId)> = level
                .iter()
                .map(|term| (order.key(terms, *term, name_of), *term))
                .collect();
            keyed.sort();
            for (_, term) in keyed {
                order.ranks.insert(term, order.sequence.len() as u32);
                order.sequence.push(term);
            }
        }
        order
    }

    /// The place of a term in the order.
    pub fn rank(&self, term: TermId) -> u32 {
        self.ranks.get(&term).copied().unwrap_or(u32::MAX)
    }

    /// Terms sorted by rank.
    pub fn sorted(&self, terms: &[TermId]) -> Vec<TermId> {
        let mut sorted = terms.to_vec();
        sorted.sort_by_key(|term| self.rank(*term));
        sorted
    }

    /// A linear form with its terms sorted by rank.
    pub fn sorted_form(&self, mut form: LinearForm) -> LinearForm {
        form.terms.sort_by_key(|(term, _)| self.rank(*term));
        form
    }

    /// The linear form of an arithmetic atom, sorted; the sign of an equality does not depend on ids either.
    pub fn comparison(&self, terms: &Terms, atom: TermId) -> Option<(LinearForm, Comparison)> {
        let linear = terms.linear_atom(atom)?;
        let form = self.sorted_form(linear.form);
        let negative = form.terms.first().is_some_and(|(_, first)| first.is_negative());
        let form = match linear.comparison {
            Comparison::Equal if negative => form.scaled(&-Rational::one()),
            _ => form,
        };
        Some((form, linear.comparison))
    }

    fn key(&self, terms: &Terms, term: TermId, name_of: VariableNames) -> Key {
        let arguments = terms.arguments(term);
        let ranks = |parts: &[TermId]| Content::Parts(parts.iter().map(|part| self.rank(*part)).collect());
        let linear = |form: LinearForm| {
            let parts = form
                .terms
                .into_iter()
                .map(|(part, coefficient)| (self.rank(part), coefficient));
            // In a comparison the negated constant is the bound that people see.
            Content::Linear(parts.collect(), -form.constant)
        };
        let (kind, content) = match terms.operator(term) {
            Operator::True => (0, ranks(&[])),
            Operator::False => (1, ranks(&[])),
            Operator::Variable(_) => (2, Content::Name(name_of(term))),
            Operator::Number(_) => {
                let value = terms.number_value(term).cloned().unwrap_or_else(Rational::one);
                (
                    3,
                    Content::Number(value, terms.sort(term) == crate::terms::SortId::REAL),
                )
            }
            Operator::Add => (4, linear(self.sorted_form(terms.linear_form(term)))),
            Operator::Multiply if is_multiple(terms, term) => (5, linear(terms.linear_form(term))),
            Operator::Multiply => (6, ranks(&self.sorted(arguments))),
            Operator::Divide => (7, ranks(arguments)),
            Operator::IntegerDivide => (8, ranks(arguments)),
            Operator::Modulo => (9, ranks(arguments)),
            Operator::ToReal => (10, ranks(arguments)),
            Operator::ToInteger => (11, ranks(arguments)),
            Operator::IfThenElse => (12, ranks(arguments)),
            Operator::Select => (13, ranks(arguments)),
            Operator::Store => (14, ranks(arguments)),
            Operator::ConstantArray => {
                let value = arguments.first().map_or(0, |value| self.rank(*value));
                let sort = terms.smtlib_sort(terms.sort(term));
                (15, Content::Name(format!("{sort} {value:010}")))
            }
            Operator::Equal | Operator::LessOrEqual | Operator::Less => {
                match (self.comparison(terms, term), terms.operator(term)) {
                    (Some((form, _)), Operator::Equal) => (16, linear(form)),
                    (Some((form, _)), Operator::LessOrEqual) => (17, linear(form)),
                    (Some((form, _)), _) => (18, linear(form)),
                    (None, _) => (19, ranks(&self.sorted(arguments))),
                }
            }
            Operator::Not => (20, ranks(arguments)),
            Operator::And => (21, ranks(&self.sorted(arguments))),
            Operator::Or => (22, ranks(&self.sorted(arguments))),
            Operator::Construct(_)
            | Operator::Field(_)
            | Operator::IsMadeBy(_)
            | Operator::Measure(_)
            | Operator::Apply(_)
            | Operator::Word(_)
            | Operator::Float(_) => {
                let head = super::smtlib_text::function_name(terms, term);
                let parts = arguments.iter().map(|part| format!(" {:010}", self.rank(*part)));
                (23, Content::Name(head + &parts.collect::<String>()))
            }
        };
        Key { kind, content }
    }
}

/// Whether a term is a number times something.
pub(super) fn is_multiple(terms: &Terms, term: TermId) -> bool {
    let first = terms.arguments(term).first();
    terms.operator(term) == Operator::Multiply && first.is_some_and(|first| terms.number_value(*first).is_some())
}

/// How deep each term is. The depth of a sum must not depend on signs, which can differ between tables.
fn heights(terms: &Terms, ascending: &[TermId]) -> HashMap<TermId, u32> {
    let mut heights: HashMap<TermId, u32> = HashMap::with_capacity(ascending.len());
    for &term in ascending {
        let known = |part: &TermId| heights.get(part).copied().unwrap_or(0);
        let highest = |form: &LinearForm| form.terms.iter().map(|(part, _)| known(part)).max().unwrap_or(0);
        let height = match (terms.linear_atom(term), terms.operator(term)) {
            (Some(atom), _) => 3 + highest(&atom.form),
            (None, Operator::Add) => 2 + highest(&terms.linear_form(term)),
            _ => terms
                .arguments(term)
                .iter()
                .map(|part| known(part) + 1)
                .max()
                .unwrap_or(0),
        };
        heights.insert(term, height);
    }
    heights
}
