//! Which terms are equal by equations that are assumed: classes of terms, closed under congruence and the constructors' being injective, and
//! the instances of patterns among them.
//!
//! It serves the choice of instances only: what is chosen has to be right by itself.

use super::lemmas::Depth;
use crate::terms::{Operator, SortId, TermId, Terms};
use hashbrown::HashMap;
use num_traits::{One, Zero};
use std::cell::Cell;

/// Matches of one pattern are no more than these.
const MOST_MATCHES: usize = 120;
/// So many steps all matching among the same classes takes at most: patterns of a certificate may be as bad as anybody likes.
const MOST_STEPS: usize = 200_000;

/// What variables of a pattern stand for.
pub(super) type Bindings = Vec<(TermId, TermId)>;

/// Classes of equal terms.
pub(super) struct Classes {
    positions: HashMap<TermId, usize>,
    /// All terms, by ascending id.
    all: Vec<TermId>,
    class: Vec<usize>,
    /// The positions of a class's terms.
    members: Vec<Vec<usize>>,
    /// The steps that are left for matching.
    left: Cell<usize>,
}

impl Classes {
    /// Of the terms in formulas that hold.
    pub fn new(terms: &Terms, formulas: &[TermId]) -> Classes {
        let mut roots = formulas.to_vec();
        roots.extend([TermId::TRUE, TermId::FALSE]);
        let all = terms.subterms(&roots);
        let mut classes = Classes {
            positions: all
                .iter()
                .enumerate()
                .map(|(position, term)| (*term, position))
                .collect(),
            class: (0..all.len()).collect(),
            members: (0..all.len()).map(|position| vec![position]).collect(),
            left: Cell::new(MOST_STEPS),
            all,
        };
        for formula in formulas {
            classes.assume(terms, *formula);
        }
        classes.close(terms);
        classes
    }

    fn assume(&mut self, terms: &Terms, formula: TermId) {
        self.unite(formula, TermId::TRUE);
        match (terms.operator(formula), terms.arguments(formula)) {
            (Operator::Not, &[inner]) => self.unite(inner, TermId::FALSE),
            (Operator::Equal, &[left, right]) if !terms.sort(left).is_numeric() => self.unite(left, right),
            (Operator::Equal, &[left, right]) => {
                self.unite(left, right);
                // A difference that is zero.
                let form = terms.linear_form(left);
                let is_zero = terms.number_value(right).is_some_and(|value| value.is_zero());
                if let ([(one, factor), (other, opposite)], true) = (&form.terms[..], is_zero)
                    && (factor + opposite).is_zero()
                    && (factor * factor).is_one()
                {
                    self.unite(*one, *other);
                }
            }
            _ => {}
        }
    }

    fn unite(&mut self, one: TermId, other: TermId) {
        let (Some(one), Some(other)) = (self.of(one), self.of(other)) else {
            return;
        };
        if one != other {
            let (into, from) = (one.min(other), one.max(other));
            let moved = std::mem::take(&mut self.members[from]);
            for member in &moved {
                self.class[*member] = into;
            }
            self.members[into].extend(moved);
        }
    }

    fn close(&mut self, terms: &Terms) {
        loop {
            let mut united: Vec<(TermId, TermId)> = Vec::new();
            let mut seen: HashMap<(Operator, SortId, Vec<usize>), TermId> = HashMap::new();
            for term in &self.all {
                let arguments = terms.arguments(*term);
                if arguments.is_empty() {
                    continue;
                }
                let classes: Vec<usize> = arguments.iter().filter_map(|argument| self.of(*argument)).collect();
                let known = *seen
                    .entry((terms.operator(*term), terms.sort(*term), classes))
                    .or_insert(*term);
                if self.of(known) != self.of(*term) {
                    united.push((known, *term));
                }
            }
            for members in &self.members {
                let made = members.iter().map(|member| self.all[*member]);
                let mut made = made.filter(|term| matches!(terms.operator(*term), Operator::Construct(_)));
                let Some(first) = made.next() else { continue };
                for other in made.filter(|other| terms.operator(*other) == terms.operator(first)) {
                    let pairs = terms.arguments(first).iter().zip(terms.arguments(other));
                    united.extend(
                        pairs
                            .map(|(one, other)| (*one, *other))
                            .filter(|(a, b)| self.of(*a) != self.of(*b)),
                    );
                }
            }
            if united.is_empty() {
                return;
            }
            for (one, other) in united {
                self.unite(one, other);
            }
        }
    }

    fn of(&self, term: TermId) -> Option<usize> {
        self.positions.get(&term).map(|position| self.class[*position])
    }

    /// A term that is equal and constructed, if there is one, the value of a formula, or else, so deep, a term that is conditional.
    pub fn decided(&self, terms: &Terms, term: TermId, depth: Depth) -> Option<TermId> {
        let members = self.members[self.of(term)?].iter().map(|member| self.all[*member]);
        let rank = |term: &TermId| match terms.operator(*term) {
            Operator::Construct(_) | Operator::Number(_) | Operator::True | Operator::False => Some(0),
            Operator::IfThenElse if depth == Depth::Conditional => Some(1),
            _ => None,
        };
        let ranked = members.filter_map(|term| Some((rank(&term)?, term)));
        ranked.min().map(|(_, term)| term)
    }

    /// Whether two terms are in one class.
    fn are_equal(&self, one: TermId, other: TermId) -> bool {
        one == other || self.of(one).is_some() && self.of(one) == self.of(other)
    }

    /// Ways to match a pattern with any application, each a class once, beginning from some bindings.
    pub fn instances(&self, terms: &Terms, variables: &[TermId], pattern: TermId, from: &Bindings) -> Vec<Bindings> {
        let mut found = Vec::new();
        for term in &self.all {
            if terms.operator(*term) == terms.operator(pattern) && found.len() < MOST_MATCHES {
                self.arguments(terms, variables, pattern, *term, from, &mut found);
            }
        }
        self.each_once(found)
    }

    /// Bindings that differ by more than equal terms.
    fn each_once(&self, found: Vec<Bindings>) -> Vec<Bindings> {
        let mut kept: Vec<Bindings> = Vec::new();
        for bindings in found {
            let is_known = kept.iter().any(|other| {
                other.len() == bindings.len()
                    && other.iter().all(|(variable, term)| {
                        bindings
                            .iter()
                            .any(|(own, bound)| own == variable && self.are_equal(*bound, *term))
                    })
            });
            if !is_known {
                kept.push(bindings);
            }
        }
        kept
    }

    /// Matches the arguments of a pattern with those of a term that has its operator.
    fn arguments(
        &self,
        terms: &Terms,
        variables: &[TermId],
        pattern: TermId,
        term: TermId,
        from: &Bindings,
        found: &mut Vec<Bindings>,
    ) {
        let (parts, others) = (terms.arguments(pattern), terms.arguments(term));
        if parts.len() != others.len() || terms.sort(pattern) != terms.sort(term) {
            return;
        }
        let mut ways = vec![from.clone()];
        for (part, other) in parts.iter().zip(others) {
            let mut longer = Vec::new();
            for bindings in &ways {
                self.with(terms, variables, *part, *other, bindings, &mut longer);
            }
            longer.truncate(MOST_MATCHES);
            ways = longer;
        }
        found.extend(ways);
    }

    /// Matches a pattern with a term or what is equal to it. Patterns are as deep as lemmas are written.
    fn with(
        &self,
        terms: &Terms,
        variables: &[TermId],
        pattern: TermId,
        term: TermId,
        bindings: &Bindings,
        found: &mut Vec<Bindings>,
    ) {
        match self.left.get().checked_sub(1) {
            Some(left) => self.left.set(left),
            None => return,
        }
        if variables.contains(&pattern) {
            match bindings.iter().find(|(variable, _)| *variable == pattern) {
                Some((_, bound)) if self.are_equal(*bound, term) => found.push(bindings.clone()),
                Some(_) => {}
                None if terms.sort(pattern) == terms.sort(term) => {
                    let mut own = bindings.clone();
                    own.push((pattern, term));
                    found.push(own);
                }
                None => {}
            }
            return;
        }
        if self.are_equal(pattern, term) && !terms.variables(pattern).iter().any(|one| variables.contains(one)) {
            found.push(bindings.clone());
            return;
        }
        let Some(class) = self.of(term) else { return };
        for member in &self.members[class] {
            let member = self.all[*member];
            if terms.operator(member) == terms.operator(pattern) && !terms.arguments(member).is_empty() {
                self.arguments(terms, variables, pattern, member, bindings, found);
            }
        }
    }
}
