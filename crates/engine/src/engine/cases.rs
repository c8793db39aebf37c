//! Interpolants by cases: where no conjunction of the store's consequences excludes what must not happen, and no disjunction
//! of what elimination leaves of it does.
//!
//! For two conjunctions of linear atoms that exclude each other, the multiples of Farkas, summed over one side, are an
//! interpolant. Disjunctions, disequalities and the ranges of integers are split first. A split on the side of the store
//! makes the interpolant a disjunction, one on the other side makes it a conjunction (McMillan's rules for resolution).

use super::kernel::Kernel;
use crate::solver::{FarkasTerm, Refutation, refute};
use crate::steps::elimination::flatten;
use crate::terms::{Comparison, LinearForm, Operator, Rational, SortId, TermId};
use num_traits::{One, Zero};

/// Which of the two conjunctions something belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// What holds.
    Store,
    /// What it excludes.
    Bad,
}

/// What to do with two conjunctions.
enum Advice {
    /// They exclude each other because of this.
    Interpolant(TermId),
    /// The formula at this position of a part is one of these.
    Split(Part, usize, Vec<TermId>),
    /// One of these, which is always the case, can be added to a part.
    Range(Part, [TermId; 2]),
    /// Nothing is known to do.
    GiveUp,
}

impl Kernel<'_> {
    /// A formula over variables of both that follows from `store` and excludes `bad`.
    pub fn interpolate_by_cases(&mut self, store: &[TermId], bad: &[TermId]) -> Option<TermId> {
        let bad_core = self.solver.minimal_core(&self.terms, store, bad)?;
        let bad: Vec<TermId> = bad_core.into_iter().map(|position| bad[position]).collect();
        let store_core = self.solver.minimal_core(&self.terms, &bad, store)?;
        let store: Vec<TermId> = store_core.into_iter().map(|position| store[position]).collect();
        let limits = self.limits();
        let mut cases = limits.interpolation_cases;
        self.interpolate(&store, &bad, limits.interpolation_depth, &mut cases)
    }

    fn interpolate(&mut self, store: &[TermId], bad: &[TermId], depth: u32, cases: &mut u32) -> Option<TermId> {
        let (store, bad) = self.relevant(&flatten(&self.terms, store), &flatten(&self.terms, bad))?;
        let (part, branches) = match self.next_step(&store, &bad) {
            Advice::Interpolant(formula) => return Some(formula),
            Advice::GiveUp => return None,
            Advice::Split(part, position, disjuncts) => {
                let mut rest = if part == Part::Store {
                    store.clone()
                } else {
                    bad.clone()
                };
                rest.remove(position);
                let with = |disjunct: &TermId| rest.iter().copied().chain([*disjunct]).collect();
                (part, disjuncts.iter().map(with).collect::<Vec<Vec<TermId>>>())
            }
            Advice::Range(part, halves) => {
                let rest = if part == Part::Store { &store } else { &bad };
                let with = |half: &TermId| rest.iter().copied().chain([*half]).collect();
                (part, halves.iter().map(with).collect())
            }
        };
        let depth = depth.checked_sub(1)?;
        let mut found = Vec::with_capacity(branches.len());
        for branch in branches {
            *cases = cases.checked_sub(1)?;
            found.push(match part {
                Part::Store => self.interpolate(&branch, &bad, depth, cases)?,
                Part::Bad => self.interpolate(&store, &branch, depth, cases)?,
            });
        }
        Some(match part {
            Part::Store => self.terms.or(&found),
            Part::Bad => self.terms.and(&found),
        })
    }

    /// What one conflict between the two involves: only that is worth splitting.
    fn relevant(&mut self, store: &[TermId], bad: &[TermId]) -> Option<(Vec<TermId>, Vec<TermId>)> {
        let all: Vec<TermId> = store.iter().chain(bad).copied().collect();
        let core = self.solver.quick_core(&self.terms, &all)?;
        let (of_store, of_bad): (Vec<usize>, Vec<usize>) = core.into_iter().partition(|place| *place < store.len());
        let chosen = |places: Vec<usize>| places.into_iter().map(|place| all[place]).collect();
        Some((chosen(of_store), chosen(of_bad)))
    }

    fn next_step(&mut self, store: &[TermId], bad: &[TermId]) -> Advice {
        if store.contains(&TermId::FALSE) {
            return Advice::Interpolant(TermId::FALSE);
        }
        if bad.contains(&TermId::FALSE) {
            return Advice::Interpolant(TermId::TRUE);
        }
        if let Some(formula) = self.opposite_literals(store, bad) {
            return Advice::Interpolant(formula);
        }
        let atoms: Vec<TermId> = store.iter().chain(bad).copied().collect();
        let linear: Vec<usize> = (0..atoms.len())
            .filter(|position| self.terms.linear_atom(atoms[*position]).is_some())
            .collect();
        let linear_atoms: Vec<TermId> = linear.iter().map(|position| atoms[*position]).collect();
        let refutation = refute(&self.terms, &linear_atoms);
        if let Refutation::Combination(combination) = &refutation {
            let of_store = |term: &&FarkasTerm| linear[term.position] < store.len();
            return match self.sum_of(combination.iter().filter(of_store)) {
                Some(formula) => Advice::Interpolant(formula),
                None => Advice::GiveUp,
            };
        }
        for (part, formulas) in [(Part::Bad, bad), (Part::Store, store)] {
            for (position, formula) in formulas.iter().enumerate() {
                if let Some(disjuncts) = self.disjuncts_of(*formula) {
                    return Advice::Split(part, position, disjuncts);
                }
            }
        }
        let Refutation::Fraction(variable, floor) = refutation else {
            return Advice::GiveUp;
        };
        let mut form = LinearForm::constant(-floor);
        form.terms.push((variable, Rational::one()));
        let below = self.terms.linear_formula(&form, Comparison::LessOrEqual, SortId::INT);
        let above = self.terms.not(below);
        // A variable of both may be split on either side; a conjunction is preferred.
        let part = match self.terms.variables_of_all(bad).contains(&variable) {
            true => Part::Bad,
            false => Part::Store,
        };
        Advice::Range(part, [below, above])
    }

    /// A formula and its negation among the conjuncts, which need not be linear: the interpolant that this gives.
    fn opposite_literals(&mut self, store: &[TermId], bad: &[TermId]) -> Option<TermId> {
        for formula in store {
            let negation = self.terms.not(*formula);
            if bad.contains(&negation) {
                return Some(*formula);
            }
            if store.contains(&negation) {
                return Some(TermId::FALSE);
            }
        }
        for formula in bad {
            let negation = self.terms.not(*formula);
            if bad.contains(&negation) {
                return Some(TermId::TRUE);
            }
        }
        None
    }

    /// What the atoms of one side, multiplied and added, say; `None` if one of them is not linear.
    fn sum_of<'t>(&mut self, combination: impl Iterator<Item = &'t FarkasTerm>) -> Option<TermId> {
        let mut sum = LinearForm::constant(Rational::zero());
        let mut comparison = Comparison::Equal;
        let mut sort = SortId::INT;
        for term in combination {
            let atom = self.terms.linear_atom(term.atom)?;
            sum = sum.add_scaled(&atom.form, &term.coefficient);
            if atom.comparison == Comparison::Less || comparison == Comparison::Equal {
                comparison = atom.comparison;
            }
            sort = self.terms.sort(self.terms.arguments(term.atom)[0]);
        }
        // An equality is more than what is needed; its half keeps interpolants weak.
        if comparison == Comparison::Equal {
            comparison = Comparison::LessOrEqual;
        }
        Some(self.terms.linear_formula(&sum, comparison, sort))
    }

    /// The cases of a formula that is not an atom the tableau can be told.
    fn disjuncts_of(&mut self, formula: TermId) -> Option<Vec<TermId>> {
        match self.terms.operator(formula) {
            Operator::Or => Some(self.terms.arguments(formula).to_vec()),
            Operator::Not => {
                let inner = self.terms.arguments(formula)[0];
                if self.terms.operator(inner) != Operator::Equal {
                    return None;
                }
                let [left, right] = *self.terms.arguments(inner) else {
                    return None;
                };
                let sort = self.terms.sort(left);
                if sort == SortId::BOOL {
                    let (not_left, not_right) = (self.terms.not(left), self.terms.not(right));
                    return Some(vec![
                        self.terms.and(&[left, not_right]),
                        self.terms.and(&[not_left, right]),
                    ]);
                }
                sort.is_numeric()
                    .then(|| vec![self.terms.less(left, right), self.terms.less(right, left)])
            }
            Operator::Equal => {
                let [left, right] = *self.terms.arguments(formula) else {
                    return None;
                };
                if self.terms.sort(left) != SortId::BOOL {
                    return None;
                }
                let (not_left, not_right) = (self.terms.not(left), self.terms.not(right));
                Some(vec![
                    self.terms.and(&[left, right]),
                    self.terms.and(&[not_left, not_right]),
                ])
            }
            _ => None,
        }
    }
}
