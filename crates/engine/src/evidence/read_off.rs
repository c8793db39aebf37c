//! What can be read off a conjunction without a solver: its members, the bounds that it sets to linear forms, and
//! disjunctions that something of this implies.
//!
//! Nearly all obligations of a certificate are of that kind: a rule changes little, and what it leaves alone stays true. It
//! only ever says that something follows; what cannot be read off is for the solver.

use crate::terms::{Comparison, Operator, Rational, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_traits::Signed;

/// The position of a linear form among those that were met.
type FormId = u32;

/// A bound, and whether it is strict.
type Bound = (Rational, bool);

/// An arithmetic atom or the negation of an equality: where the value of a form lies, or which value it does not have.
#[derive(Clone)]
struct Range {
    form: FormId,
    lower: Option<Bound>,
    upper: Option<Bound>,
    excluded: Option<Rational>,
}

/// Atoms as ranges, worked out once each.
#[derive(Default)]
pub(super) struct Ranges {
    forms: HashMap<Vec<(TermId, Rational)>, FormId>,
    of: HashMap<TermId, Option<Range>>,
}

impl Ranges {
    fn get(&mut self, terms: &Terms, formula: TermId) -> Option<Range> {
        if let Some(known) = self.of.get(&formula) {
            return known.clone();
        }
        let range = self.read(terms, formula);
        self.of.insert(formula, range.clone());
        range
    }

    fn read(&mut self, terms: &Terms, formula: TermId) -> Option<Range> {
        let negated = terms.operator(formula) == Operator::Not;
        let atom = if negated {
            *terms.arguments(formula).first()?
        } else {
            formula
        };
        let linear = terms.linear_atom(atom)?;
        let (_, first) = linear.form.terms.first()?;
        let turned = first.is_negative();
        let form = if turned {
            linear.form.scaled(&Rational::MINUS_ONE)
        } else {
            linear.form
        };
        let count = self.forms.len() as FormId;
        let bound = -form.constant;
        let mut range = Range {
            form: *self.forms.entry(form.terms).or_insert(count),
            lower: None,
            upper: None,
            excluded: None,
        };
        match (linear.comparison, negated, turned) {
            (Comparison::Equal, true, _) => range.excluded = Some(bound),
            (Comparison::Equal, false, _) => {
                range.lower = Some((bound.clone(), false));
                range.upper = Some((bound, false));
            }
            (_, true, _) => return None,
            (comparison, false, true) => range.lower = Some((bound, comparison == Comparison::Less)),
            (comparison, false, false) => range.upper = Some((bound, comparison == Comparison::Less)),
        }
        Some(range)
    }
}

/// A formula that may follow, worked out so that it can be asked about often.
pub(super) struct Question {
    formula: TermId,
    /// How many disjuncts it has, itself being the only one if it is no disjunction.
    parts: usize,
    /// The ranges of the disjuncts that have one.
    ranges: Vec<Range>,
}

impl Question {
    /// Whether `formula` follows.
    pub fn new(terms: &Terms, ranges: &mut Ranges, formula: TermId) -> Question {
        let parts = match terms.operator(formula) {
            Operator::Or => terms.arguments(formula),
            _ => &[formula],
        };
        Question {
            formula,
            parts: parts.len(),
            ranges: parts.iter().filter_map(|part| ranges.get(terms, *part)).collect(),
        }
    }
}

/// What is known of the value of a form.
#[derive(Default)]
struct Known {
    lower: Option<Bound>,
    upper: Option<Bound>,
    excluded: Vec<Rational>,
}

impl Known {
    fn note(&mut self, range: Range) {
        if let Some(bound) = range.lower
            && !is_at_least(&self.lower, &bound)
        {
            self.lower = Some(bound);
        }
        if let Some(bound) = range.upper
            && !is_at_most(&self.upper, &bound)
        {
            self.upper = Some(bound);
        }
        self.excluded.extend(range.excluded);
    }

    fn is_empty(&self) -> bool {
        let only = |value: &Rational| self.upper.as_ref().is_some_and(|(high, _)| high == value);
        let excluded = |(low, _): &Bound| only(low) && self.excluded.contains(low);
        leaves_nothing(&self.lower, &self.upper) || self.lower.as_ref().is_some_and(excluded)
    }

    /// Whether no value that is still possible is in a range.
    fn excludes(&self, range: &Range) -> bool {
        let is_value = |value: &Rational| {
            let is_bound = |bound: &Option<Bound>| bound.as_ref().is_some_and(|(bound, _)| bound == value);
            is_bound(&self.lower) && is_bound(&self.upper)
        };
        let is_excluded = match (&range.lower, &range.upper) {
            (Some((low, _)), Some((high, _))) => low == high && self.excluded.contains(low),
            _ => false,
        };
        is_excluded
            || range.excluded.as_ref().is_some_and(is_value)
            || leaves_nothing(&range.lower, &self.upper)
            || leaves_nothing(&self.lower, &range.upper)
    }

    fn implies(&self, range: &Range) -> bool {
        let apart = |value: &Rational| {
            let above = self
                .lower
                .as_ref()
                .is_some_and(|(low, strict)| low > value || (*strict && low == value));
            let below = self
                .upper
                .as_ref()
                .is_some_and(|(high, strict)| high < value || (*strict && high == value));
            above || below || self.excluded.contains(value)
        };
        range.lower.as_ref().is_none_or(|bound| is_at_least(&self.lower, bound))
            && range.upper.as_ref().is_none_or(|bound| is_at_most(&self.upper, bound))
            && range.excluded.as_ref().is_none_or(apart)
    }
}

/// Whether no value is above the one bound and below the other.
fn leaves_nothing(lower: &Option<Bound>, upper: &Option<Bound>) -> bool {
    match (lower, upper) {
        (Some((low, low_strict)), Some((high, high_strict))) => {
            low > high || (low == high && (*low_strict || *high_strict))
        }
        _ => false,
    }
}

/// Whether a lower bound is as strong as another.
fn is_at_least(known: &Option<Bound>, bound: &Bound) -> bool {
    let as_strong = |(low, strict): &Bound| *low > bound.0 || (*low == bound.0 && (*strict || !bound.1));
    known.as_ref().is_some_and(as_strong)
}

/// Whether an upper bound is as strong as another.
fn is_at_most(known: &Option<Bound>, bound: &Bound) -> bool {
    let as_strong = |(high, strict): &Bound| *high < bound.0 || (*high == bound.0 && (*strict || !bound.1));
    known.as_ref().is_some_and(as_strong)
}

/// A conjunction, ready to be asked what follows from it.
pub(super) struct Facts<'a> {
    terms: &'a Terms,
    members: HashSet<TermId>,
    disjunctions: Vec<TermId>,
    known: HashMap<FormId, Known>,
    is_contradictory: bool,
}

impl<'a> Facts<'a> {
    /// The conjunction of `formulas`.
    pub fn new(terms: &'a Terms, ranges: &mut Ranges, formulas: impl Iterator<Item = TermId>) -> Facts<'a> {
        let mut facts = Facts {
            terms,
            members: HashSet::new(),
            disjunctions: Vec::new(),
            known: HashMap::new(),
            is_contradictory: false,
        };
        for formula in formulas {
            if !facts.members.insert(formula) {
                continue;
            }
            facts.is_contradictory |= formula == TermId::FALSE;
            if terms.operator(formula) == Operator::Or {
                facts.disjunctions.push(formula);
            } else if let Some(range) = ranges.get(terms, formula) {
                let known = facts.known.entry(range.form).or_default();
                known.note(range);
                facts.is_contradictory |= known.is_empty();
            }
        }
        facts
    }

    /// Whether it cannot hold.
    pub fn is_contradictory(&self) -> bool {
        self.is_contradictory
    }

    /// Whether it plainly implies a formula; false proves nothing.
    pub fn implies(&self, question: &Question) -> bool {
        let within = |range: &Range| self.known.get(&range.form).is_some_and(|known| known.implies(range));
        if self.members.contains(&question.formula) || question.ranges.iter().any(within) {
            return true;
        }
        if self.terms.operator(question.formula) != Operator::Or {
            return false;
        }
        let disjuncts = self.terms.arguments(question.formula);
        let weaker = |stronger: &TermId| is_subset(self.terms.arguments(*stronger), disjuncts);
        disjuncts.iter().any(|disjunct| self.members.contains(disjunct)) || self.disjunctions.iter().any(weaker)
    }

    /// Whether it plainly excludes a formula; false proves nothing.
    pub fn excludes(&self, question: &Question) -> bool {
        let outside = |range: &Range| self.known.get(&range.form).is_some_and(|known| known.excludes(range));
        question.ranges.len() == question.parts && question.ranges.iter().all(outside)
    }
}

/// Whether all of `part` is in `whole`; both are sorted, as the arguments of disjunctions are.
fn is_subset(part: &[TermId], whole: &[TermId]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|wanted| rest.any(|found| found == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::SortId;

    fn follows(assumed: &[TermId], formula: TermId, terms: &Terms) -> bool {
        let mut ranges = Ranges::default();
        let facts = Facts::new(terms, &mut ranges, assumed.iter().copied());
        let question = Question::new(terms, &mut ranges, formula);
        facts.implies(&question)
    }

    #[test]
    fn bounds_follow_from_stronger_bounds_of_the_same_form() {
        let mut terms = Terms::new();
        let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
        let [two, three, four] = [2, 3, 4].map(|value| terms.integer(value));
        let is_three = terms.equal(x, three);
        let at_most_four = terms.less_or_equal(x, four);
        let at_least_two = terms.less_or_equal(two, x);
        let not_four = terms.not_equal(x, four);
        let difference = terms.subtract(x, y);
        let apart = terms.less(difference, two);
        let weaker = terms.less(difference, three);
        for formula in [at_most_four, at_least_two, not_four] {
            assert!(follows(&[is_three], formula, &terms));
            assert!(!follows(&[formula], is_three, &terms));
        }
        assert!(!follows(&[at_most_four], not_four, &terms));
        let mut ranges = Ranges::default();
        let is_four = terms.equal(x, four);
        let facts = Facts::new(&terms, &mut ranges, [is_three].into_iter());
        for (formula, excluded) in [(is_four, true), (is_three, false), (at_most_four, false)] {
            assert_eq!(facts.excludes(&Question::new(&terms, &mut ranges, formula)), excluded);
        }
        assert!(follows(&[apart], weaker, &terms) && !follows(&[weaker], apart, &terms));
        let either = terms.or(&[not_four, apart]);
        let any = terms.or(&[not_four, apart, at_least_two]);
        assert!(follows(&[either], any, &terms) && !follows(&[any], either, &terms));
        assert!(follows(&[is_three], either, &terms));
        assert!(follows(&[not_four, is_three], is_three, &terms));
    }

    #[test]
    fn what_excludes_itself_is_seen() {
        let mut terms = Terms::new();
        let x = terms.fresh_variable("X", SortId::REAL);
        let three = terms.real(Rational::from(3));
        let (below, above) = (terms.less(x, three), terms.less_or_equal(three, x));
        let contradictory = |formulas: &[TermId]| {
            Facts::new(&terms, &mut Ranges::default(), formulas.iter().copied()).is_contradictory()
        };
        assert!(contradictory(&[below, above]) && !contradictory(&[below]) && contradictory(&[TermId::FALSE]));
    }
}
