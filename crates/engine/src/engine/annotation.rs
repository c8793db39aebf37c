//! Annotation vectors: the candidates for a loop's invariant at one of its headers, each with its mark (seed 004, section on
//! annotations).
//!
//! Nothing outside this file changes a mark. The marks of one candidate go this way:
//!
//! ```text
//!            give_up                 lock
//!   neutral ─────────► min ────────────────────► max        keep: neutral to max
//!      ▲                │  forget
//!      └──── restore ───┘ ────────► forgotten
//! ```
//!
//! What exploration believes at the header, the *min interpretation*, is everything but min (and forgotten). Max is never
//! left, so what is locked makes progress; forgotten is never left either. Positions never change, because requirements
//! speak of candidates by their positions.

use crate::steps::equalities::halves;
use crate::terms::{TermId, Terms};

/// The mark of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// Believed until something speaks against it.
    Neutral,
    /// Given up.
    Min,
    /// Locked.
    Max,
    /// Given up, and no longer implied by the store in which the header was reached: a restart must not believe it again.
    Forgotten,
}

/// Whether an equality of numbers is one candidate or two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Equalities {
    /// As it is (seed 003).
    Whole,
    /// Slackened into two inequalities, of which one may be given up (seed 004).
    Halved,
}

/// One entry of the vector.
#[derive(Clone, Debug)]
struct Candidate {
    formula: TermId,
    mark: Mark,
    /// The other half, if this is half of a slackened equality.
    partner: Option<usize>,
}

/// What a conflict teaches the header that it belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Lock {
    /// These candidates, which were given up, are needed.
    Candidates(Vec<usize>),
    /// These formulas, which follow from the header's store, are needed, whether they are candidates yet or not.
    Formulas(Vec<TermId>),
    /// These formulas, which follow from the header's store, are worth trying as candidates before anything is locked.
    Offer(Vec<TermId>),
    /// Nothing that could be believed at this header suffices: its store has to go on as it is.
    WholeStore,
    /// Nothing. The header believes less than when its first branches were closed, and is explored again: a revision.
    Nothing,
}

/// The annotation vector of a loop header.
#[derive(Clone, Debug)]
pub(super) struct Annotation {
    candidates: Vec<Candidate>,
    equalities: Equalities,
    /// What was locked to exclude spurious counterexamples, in this order.
    locked: Vec<TermId>,
}

impl Annotation {
    /// A vector without candidates: nothing is believed.
    pub fn new(equalities: Equalities) -> Annotation {
        Annotation {
            candidates: Vec::new(),
            equalities,
            locked: Vec::new(),
        }
    }

    /// Adds a formula as a neutral candidate, or as two if it is an equality to be halved. One that is there already keeps
    /// its mark. Returns the positions.
    pub fn offer(&mut self, terms: &mut Terms, formula: TermId) -> Vec<usize> {
        let parts = self.parts(terms, formula);
        let before = self.candidates.len();
        let positions: Vec<usize> = parts.iter().map(|part| self.position_or_new(*part)).collect();
        if let [upper, lower] = positions[..] {
            self.candidates[upper].partner = Some(lower);
            // One that was there on its own may be given up on its own.
            if lower >= before {
                self.candidates[lower].partner = Some(upper);
            }
        }
        positions
    }

    /// Whether [`Annotation::offer`] would add a candidate.
    pub fn is_new(&self, terms: &mut Terms, formula: TermId) -> bool {
        let parts = self.parts(terms, formula);
        parts.iter().any(|part| self.position(*part).is_none())
    }

    fn parts(&self, terms: &mut Terms, formula: TermId) -> Vec<TermId> {
        match self.equalities {
            Equalities::Whole => vec![formula],
            Equalities::Halved => halves(terms, formula).map_or_else(|| vec![formula], Vec::from),
        }
    }

    fn position(&self, formula: TermId) -> Option<usize> {
        let is_it = |candidate: &Candidate| candidate.formula == formula && candidate.mark != Mark::Forgotten;
        self.candidates.iter().position(is_it)
    }

    fn position_or_new(&mut self, formula: TermId) -> usize {
        self.position(formula).unwrap_or_else(|| {
            self.candidates.push(Candidate {
                formula,
                mark: Mark::Neutral,
                partner: None,
            });
            self.candidates.len() - 1
        })
    }

    /// How many candidates there are, forgotten ones included.
    pub fn size(&self) -> usize {
        self.candidates.len()
    }

    /// The formula at a position.
    pub fn formula(&self, position: usize) -> TermId {
        self.candidates[position].formula
    }

    /// The formulas at some positions.
    pub fn formulas_at(&self, positions: &[usize]) -> Vec<TermId> {
        positions.iter().map(|position| self.formula(*position)).collect()
    }

    /// The mark at a position; `None` beyond the end.
    pub fn mark(&self, position: usize) -> Option<Mark> {
        self.candidates.get(position).map(|candidate| candidate.mark)
    }

    /// The min interpretation: what exploration believes here, locked candidates first.
    pub fn believed(&self) -> impl Iterator<Item = TermId> + '_ {
        let marked = |mark: Mark| {
            let candidates = self.candidates.iter().filter(move |candidate| candidate.mark == mark);
            candidates.map(|candidate| candidate.formula)
        };
        marked(Mark::Max).chain(marked(Mark::Neutral))
    }

    /// Whether the candidate at a position is believed.
    pub fn is_believed(&self, position: usize) -> bool {
        matches!(self.mark(position), Some(Mark::Max | Mark::Neutral))
    }

    /// Positions of what is believed, in their order.
    pub fn believed_positions(&self) -> Vec<usize> {
        self.positions(|position| self.is_believed(position))
    }

    /// Positions of what is believed, locked candidates first: a minimal core keeps earlier ones.
    pub fn locked_first(&self) -> Vec<usize> {
        let mut positions = self.believed_positions();
        positions.sort_by_key(|position| self.candidates[*position].mark != Mark::Max);
        positions
    }

    /// Positions of what is given up and not forgotten.
    pub fn given_up_positions(&self) -> Vec<usize> {
        self.positions(|position| self.mark(position) == Some(Mark::Min))
    }

    /// Every candidate that is not forgotten: what the header would say if nothing had been given up.
    pub fn restored(&self) -> Vec<TermId> {
        self.formulas_at(&self.positions(|position| self.mark(position) != Some(Mark::Forgotten)))
    }

    /// Positions of everything that is not forgotten in the order in which a core should prefer them: what is believed, then
    /// halves of equalities of which the other half is believed, then the rest.
    pub fn by_preference(&self) -> Vec<usize> {
        let class = |position: &usize| match self.candidates[*position].mark {
            Mark::Max => 0,
            Mark::Neutral => 1,
            _ if self.partner(*position).is_some_and(|partner| self.is_believed(partner)) => 2,
            _ => 3,
        };
        let mut positions = self.positions(|position| self.mark(position) != Some(Mark::Forgotten));
        positions.sort_by_key(class);
        positions
    }

    /// The formulas that are max.
    pub fn max_formulas(&self) -> Vec<TermId> {
        self.formulas_at(&self.positions(|position| self.mark(position) == Some(Mark::Max)))
    }

    /// What was locked here to exclude spurious counterexamples.
    pub fn locked(&self) -> &[TermId] {
        &self.locked
    }

    /// Neutral to min, all of them; false, and nothing changed, if one is locked.
    pub fn give_up(&mut self, positions: &[usize]) -> bool {
        if positions.iter().any(|position| self.mark(*position) == Some(Mark::Max)) {
            return false;
        }
        self.change(positions, Mark::Neutral, Mark::Min);
        true
    }

    /// Min to forgotten.
    pub fn forget(&mut self, positions: &[usize]) {
        self.change(positions, Mark::Min, Mark::Forgotten);
    }

    /// Neutral to max, because what was closed needs it (nothing is locked by that).
    pub fn keep(&mut self, positions: &[usize]) {
        self.change(positions, Mark::Neutral, Mark::Max);
    }

    /// Neutral to max, where a formula is wanted, as if a spurious counterexample had asked for it.
    pub fn lock_neutral(&mut self, wanted: impl Fn(TermId) -> bool) {
        for position in self.positions(|position| self.mark(position) == Some(Mark::Neutral)) {
            if wanted(self.formula(position)) {
                self.lock(position);
            }
        }
    }

    /// Those of some positions that a conflict can lock: what is min. Of an equality that was given up whole, both halves.
    pub fn lockable(&self, positions: &[usize]) -> Vec<usize> {
        let given_up = |position: &usize| self.mark(*position) == Some(Mark::Min);
        let mut found = Vec::new();
        for position in positions.iter().copied().filter(given_up) {
            for half in self.partner(position).filter(given_up).into_iter().chain([position]) {
                if !found.contains(&half) {
                    found.push(half);
                }
            }
        }
        found
    }

    /// What a conflict teaches: it is locked or offered, and what was given up is believed again. A revision teaches nothing,
    /// and keeps what was given up.
    pub fn learn(&mut self, terms: &mut Terms, lesson: &Lock) {
        match lesson {
            Lock::Candidates(positions) => positions.iter().for_each(|position| self.lock(*position)),
            Lock::Formulas(formulas) => {
                for formula in formulas {
                    self.record(*formula);
                    for position in self.offer(terms, *formula) {
                        self.candidates[position].mark = Mark::Max;
                    }
                }
            }
            Lock::Offer(formulas) => {
                for formula in formulas {
                    self.offer(terms, *formula);
                }
            }
            Lock::WholeStore => {}
            Lock::Nothing => return,
        }
        let all = self.positions(|_| true);
        self.change(&all, Mark::Min, Mark::Neutral);
    }

    fn lock(&mut self, position: usize) {
        if matches!(self.mark(position), Some(Mark::Min | Mark::Neutral)) {
            self.candidates[position].mark = Mark::Max;
            self.record(self.candidates[position].formula);
        }
    }

    fn record(&mut self, formula: TermId) {
        if !self.locked.contains(&formula) {
            self.locked.push(formula);
        }
    }

    fn change(&mut self, positions: &[usize], from: Mark, to: Mark) {
        for position in positions {
            if self.mark(*position) == Some(from) {
                self.candidates[*position].mark = to;
            }
        }
    }

    fn partner(&self, position: usize) -> Option<usize> {
        self.candidates[position].partner
    }

    fn positions(&self, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.candidates.len())
            .filter(|position| wanted(*position))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{SortId, TermId};
    use proptest::prelude::*;

    /// `X = 0`, `X = 1`, … : equalities, so that halving them matters.
    fn equalities(terms: &mut Terms, count: i64) -> Vec<TermId> {
        let x = terms.fresh_variable("X", SortId::INT);
        (0..count)
            .map(|number| {
                let number = terms.integer(number);
                terms.equal(x, number)
            })
            .collect()
    }

    #[test]
    fn a_half_that_was_given_up_is_locked_with_its_partner_if_that_was_given_up_too() {
        let mut terms = Terms::new();
        let formulas = equalities(&mut terms, 1);
        let mut annotation = Annotation::new(Equalities::Halved);
        assert_eq!(annotation.offer(&mut terms, formulas[0]), [0, 1]);
        assert!(annotation.give_up(&[0]));
        assert_eq!(annotation.lockable(&[0]), [0]);
        assert!(annotation.give_up(&[1]));
        assert_eq!(annotation.lockable(&[0]), [1, 0]);
        annotation.learn(&mut terms, &Lock::Candidates(vec![1, 0]));
        assert_eq!(annotation.mark(0), Some(Mark::Max));
        assert!(!annotation.give_up(&[0, 1]));
        assert_eq!(annotation.locked().len(), 2);
    }

    #[test]
    fn what_is_forgotten_is_no_candidate_and_may_be_offered_anew() {
        let mut terms = Terms::new();
        let formulas = equalities(&mut terms, 1);
        let mut annotation = Annotation::new(Equalities::Whole);
        annotation.offer(&mut terms, formulas[0]);
        assert!(!annotation.is_new(&mut terms, formulas[0]));
        assert!(annotation.give_up(&[0]));
        annotation.forget(&[0]);
        annotation.learn(&mut terms, &Lock::WholeStore);
        assert_eq!(annotation.mark(0), Some(Mark::Forgotten));
        assert!(annotation.restored().is_empty() && annotation.is_new(&mut terms, formulas[0]));
        assert_eq!(annotation.offer(&mut terms, formulas[0]), [1]);
    }

    /// What may be done to a vector; numbers are taken modulo what there is.
    #[derive(Clone, Debug)]
    enum Change {
        Offer(usize),
        GiveUp(Vec<usize>),
        Forget(Vec<usize>),
        Keep(Vec<usize>),
        LockNeutral(usize),
        Conflict(Vec<usize>),
        LockFormula(usize),
        OfferInConflict(usize),
        Revise,
    }

    fn change() -> impl Strategy<Value = Change> {
        let places = || prop::collection::vec(0usize..12, 0..4);
        prop_oneof![
            (0usize..6).prop_map(Change::Offer),
            places().prop_map(Change::GiveUp),
            places().prop_map(Change::Forget),
            places().prop_map(Change::Keep),
            (0usize..6).prop_map(Change::LockNeutral),
            places().prop_map(Change::Conflict),
            (0usize..6).prop_map(Change::LockFormula),
            (0usize..6).prop_map(Change::OfferInConflict),
            Just(Change::Revise),
        ]
    }

    fn apply(terms: &mut Terms, annotation: &mut Annotation, formulas: &[TermId], change: &Change) -> Option<Lock> {
        let size = annotation.size();
        let within = |positions: &[usize]| -> Vec<usize> { positions.iter().copied().filter(|p| *p < size).collect() };
        let lesson = match change {
            Change::Offer(formula) => {
                annotation.offer(terms, formulas[*formula]);
                None
            }
            Change::GiveUp(positions) => {
                let before: Vec<_> = (0..size).map(|position| annotation.mark(position)).collect();
                let positions = within(positions);
                let refused = !annotation.give_up(&positions);
                let locked = positions.iter().any(|position| before[*position] == Some(Mark::Max));
                assert_eq!(refused, locked);
                if refused {
                    assert!((0..size).all(|position| annotation.mark(position) == before[position]));
                }
                None
            }
            Change::Forget(positions) => {
                annotation.forget(&within(positions));
                None
            }
            Change::Keep(positions) => {
                annotation.keep(&within(positions));
                None
            }
            Change::LockNeutral(formula) => {
                annotation.lock_neutral(|candidate| candidate == formulas[*formula]);
                None
            }
            Change::Conflict(positions) => Some(Lock::Candidates(annotation.lockable(&within(positions)))),
            Change::LockFormula(formula) => Some(Lock::Formulas(vec![formulas[*formula]])),
            Change::OfferInConflict(formula) => Some(Lock::Offer(vec![formulas[*formula]])),
            Change::Revise => Some(Lock::Nothing),
        };
        if let Some(lesson) = &lesson {
            annotation.learn(terms, lesson);
        }
        lesson
    }

    fn may_become(before: Mark, after: Mark, lesson: Option<&Lock>) -> bool {
        match (before, after) {
            (Mark::Max, _) => after == Mark::Max,
            (Mark::Forgotten, _) => after == Mark::Forgotten,
            // Only a conflict takes back what was given up; a revision does not.
            (Mark::Min, Mark::Neutral | Mark::Max) => lesson.is_some_and(|lesson| *lesson != Lock::Nothing),
            (Mark::Min, _) => true,
            (Mark::Neutral, _) => after != Mark::Forgotten,
        }
    }

    proptest! {
        #[test]
        fn every_sequence_of_changes_keeps_the_invariants(
            halved in any::<bool>(),
            changes in prop::collection::vec(change(), 0..40),
        ) {
            let mut terms = Terms::new();
            let formulas = equalities(&mut terms, 6);
            let equalities = if halved { Equalities::Halved } else { Equalities::Whole };
            let mut annotation = Annotation::new(equalities);
            for change in &changes {
                let before: Vec<(TermId, Option<Mark>)> = (0..annotation.size())
                    .map(|position| (annotation.formula(position), annotation.mark(position)))
                    .collect();
                let lesson = apply(&mut terms, &mut annotation, &formulas, change);
                for (position, (formula, mark)) in before.iter().enumerate() {
                    prop_assert_eq!(annotation.formula(position), *formula);
                    let (Some(mark), Some(after)) = (*mark, annotation.mark(position)) else {
                        panic!("a position was lost");
                    };
                    prop_assert!(may_become(mark, after, lesson.as_ref()), "{:?} to {:?}", mark, after);
                }
                if lesson.is_some_and(|lesson| lesson != Lock::Nothing) {
                    prop_assert!(annotation.given_up_positions().is_empty());
                }
                let marks = (0..annotation.size()).map(|position| annotation.mark(position));
                let believed = marks.filter(|mark| matches!(mark, Some(Mark::Max | Mark::Neutral))).count();
                prop_assert_eq!(annotation.believed().count(), believed);
                prop_assert_eq!(annotation.believed_positions().len(), believed);
                prop_assert_eq!(annotation.locked_first().len(), believed);
                let mut remembered = annotation.restored();
                prop_assert_eq!(annotation.by_preference().len(), remembered.len());
                remembered.sort();
                remembered.dedup();
                prop_assert_eq!(annotation.by_preference().len(), remembered.len(), "a candidate is there twice");
            }
        }
    }
}
