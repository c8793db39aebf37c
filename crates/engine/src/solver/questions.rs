//! Many small questions about one formula that stays: linear arithmetic answers them as long as it can, and then Z3 does.
//!
//! A question to Z3 costs a tenth of a millisecond before Z3 has thought about anything, which is several times what a question about
//! an explicit path needs. Linear arithmetic keeps what it has learnt, as Z3 does, and begins at once. Where it leaves one question
//! after another open, the formulas are too large for it, and Z3 is asked alone from then on.

use super::work::{LINEAR_EFFORT, Z3Meter};
use super::{Answer, AssumptionSolver, Layer, LinearLayer};
use crate::terms::{Assignment, TermId, Terms, Theory};

/// So many questions may linear arithmetic leave open, and one more for each so many that it has answered, before it is not asked
/// any more: what it thinks about in vain is then more than what Z3 would need for all.
const MOST_OPEN: u64 = 8;
const ANSWERED_FOR_ONE: u64 = 20;

/// A solver that must stay on the thread that made it.
pub struct QuestionSolver {
    theory: Theory,
    limit: u32,
    /// What holds, in the order in which it was asserted.
    asserted: Vec<TermId>,
    linear: Option<Linear>,
    /// What linear arithmetic had looked at when it was given up.
    past_effort: u64,
    /// Made once it is needed, with how many of the formulas it has been told.
    z3: Option<(AssumptionSolver, usize)>,
    /// Whether the last answer is linear arithmetic's.
    is_linear: bool,
    /// How many questions there were.
    questions: u64,
    /// Where Z3's count of its units stood when it was asked first.
    z3_before: u32,
}

/// What a question costs, beside what it makes linear arithmetic and Z3 look at, in units of work.
const QUESTION: u64 = 8;

/// Linear arithmetic, and how it has fared.
struct Linear {
    layer: LinearLayer,
    /// Whether the last question is still assumed.
    is_asked: bool,
    answered: u64,
    open: u64,
}

impl QuestionSolver {
    /// A solver for formulas of a theory, of which Z3 may spend `resource_limit` units on a question; 0 means no limit.
    pub fn new(theory: Theory, resource_limit: u32) -> QuestionSolver {
        let linear = match theory {
            Theory::LinearIntegers | Theory::LinearReals => Some(Linear {
                layer: LinearLayer::default(),
                is_asked: false,
                answered: 0,
                open: 0,
            }),
            Theory::General => None,
        };
        QuestionSolver {
            theory,
            limit: resource_limit,
            asserted: Vec::new(),
            linear,
            past_effort: 0,
            z3: None,
            is_linear: false,
            questions: 0,
            z3_before: 0,
        }
    }

    /// How many formulas Z3 keeps of questions that have been asked. They stay for ever, so a solver with many is better made anew.
    pub fn flags(&self) -> usize {
        self.z3.as_ref().map_or(0, |(solver, _)| solver.flags())
    }

    /// How many formulas were asserted.
    pub fn asserted(&self) -> usize {
        self.asserted.len()
    }

    /// Whether linear arithmetic has given the last answer.
    pub fn is_linear(&self) -> bool {
        self.is_linear
    }

    /// Z3's units spent on this thread so far, if this solver has asked it.
    pub fn resources(&self) -> Option<u32> {
        self.z3.as_ref().map(|(solver, _)| solver.resources())
    }

    /// Where Z3's count of its units on this thread stood when this solver asked it first.
    pub(crate) fn began(&self) -> u32 {
        self.z3_before
    }

    /// What linear arithmetic has looked at so far.
    pub fn linear_effort(&self) -> u64 {
        let now = self.linear.as_ref().map_or(0, |linear| linear.layer.effort());
        self.past_effort + now
    }

    /// What the questions so far have cost, in the units of work that methods take turns by.
    pub(crate) fn work(&self) -> u64 {
        let z3 = self.resources().map_or(0, |now| Z3Meter::new(self.z3_before).work(now));
        QUESTION * self.questions + self.linear_effort() / LINEAR_EFFORT + z3
    }

    /// From now on the formula holds.
    pub fn assert(&mut self, terms: &Terms, formula: TermId) {
        if let Some(linear) = &mut self.linear {
            linear.forget_question();
            linear.layer.assume(terms, formula);
        }
        self.asserted.push(formula);
    }

    /// Decides everything asserted together with the assumptions.
    pub fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        self.check_within(terms, assumptions, self.limit)
    }

    /// [`QuestionSolver::check`] with another limit of Z3's units for this question.
    pub fn check_within(&mut self, terms: &Terms, assumptions: &[TermId], limit: u32) -> Answer {
        self.questions += 1;
        if let Some(linear) = &mut self.linear {
            let answer = linear.check(terms, assumptions);
            if answer != Answer::Unknown {
                self.is_linear = true;
                return answer;
            }
            if linear.open > MOST_OPEN + linear.answered / ANSWERED_FOR_ONE {
                self.past_effort += linear.layer.effort();
                self.linear = None;
            }
        }
        self.is_linear = false;
        if self.z3.is_none() {
            let solver = AssumptionSolver::new(self.theory, self.limit);
            self.z3_before = solver.resources();
            self.z3 = Some((solver, 0));
        }
        let Some((solver, told)) = &mut self.z3 else {
            return Answer::Unknown;
        };
        for formula in &self.asserted[*told..] {
            solver.assert(terms, *formula);
        }
        *told = self.asserted.len();
        solver.check_within(terms, assumptions, limit)
    }

    /// Right after an unsatisfiable check: the positions of some assumptions that suffice for it; perhaps none.
    pub fn core(&self) -> Vec<usize> {
        match (&self.linear, &self.z3) {
            (Some(linear), _) if self.is_linear => {
                let conflict = linear.layer.conflict().into_iter();
                conflict
                    .filter_map(|position| position.checked_sub(self.asserted.len()))
                    .collect()
            }
            (_, Some((solver, _))) => solver.core(),
            _ => Vec::new(),
        }
    }

    /// Right after a satisfiable check: values of the variables; `None` if one of them has no exact value.
    pub fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        match (&mut self.linear, &mut self.z3) {
            (Some(linear), _) if self.is_linear => linear.layer.model(terms, variables),
            (_, Some((solver, _))) => solver.model(terms, variables),
            _ => None,
        }
    }
}

impl Linear {
    fn forget_question(&mut self) {
        if std::mem::take(&mut self.is_asked) {
            self.layer.pop(1);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        self.forget_question();
        self.layer.push();
        self.is_asked = true;
        for assumption in assumptions {
            self.layer.assume(terms, *assumption);
        }
        let answer = self.layer.check(terms);
        match answer {
            Answer::Unknown => self.open += 1,
            _ => self.answered += 1,
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::SortId;

    /// A solver that knows `X + Y =< 4`, and three assumptions: `X >= 2`, `Y >= 1`, `Y >= 3`.
    fn bounded(terms: &mut Terms, theory: Theory) -> (QuestionSolver, [TermId; 2], [TermId; 3]) {
        let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
        let sum = terms.add(x, y);
        let four = terms.integer(4);
        let known = terms.less_or_equal(sum, four);
        let at_least = |terms: &mut Terms, least: i64, variable: TermId| {
            let least = terms.integer(least);
            terms.less_or_equal(least, variable)
        };
        let assumptions = [(2, x), (1, y), (3, y)].map(|(least, variable)| at_least(terms, least, variable));
        let mut solver = QuestionSolver::new(theory, 0);
        solver.assert(terms, known);
        (solver, [x, y], assumptions)
    }

    #[test]
    fn both_solvers_give_the_same_answers_with_cores_of_the_assumptions_alone() {
        for theory in [Theory::LinearIntegers, Theory::General] {
            let mut terms = Terms::new();
            let (mut solver, variables, [two, one, three]) = bounded(&mut terms, theory);
            assert_eq!(solver.check(&terms, &[two, one]), Answer::Satisfiable);
            let model = solver.model(&terms, &variables).expect("there are values");
            assert_eq!(terms.holds(two, &model), Some(true));
            assert_eq!(terms.holds(one, &model), Some(true));
            assert_eq!(solver.check(&terms, &[one, three, two]), Answer::Unsatisfiable);
            assert_eq!(solver.core(), vec![1, 2]);
            // What is asserted later is known to the next question, what was assumed before is not.
            solver.assert(&terms, three);
            assert_eq!(solver.check(&terms, &[one]), Answer::Satisfiable);
            assert_eq!(solver.check(&terms, &[one, two]), Answer::Unsatisfiable);
            assert_eq!(solver.core(), vec![1]);
            assert_eq!(solver.resources().is_some(), theory == Theory::General);
        }
    }

    #[test]
    fn what_linear_arithmetic_leaves_open_goes_to_z3() {
        let mut terms = Terms::new();
        let (mut solver, [x, y], [two, ..]) = bounded(&mut terms, Theory::LinearIntegers);
        let product = terms.multiply(x, y);
        let twelve = terms.integer(-12);
        let product = terms.less(product, twelve);
        assert_eq!(solver.check(&terms, &[two]), Answer::Satisfiable);
        assert!(solver.resources().is_none());
        for _ in 0..MOST_OPEN + 2 {
            // Z3 was told that there are no products here, so that it must not answer either; but it is asked.
            assert_ne!(solver.check(&terms, &[two, product]), Answer::Unsatisfiable);
        }
        assert!(solver.resources().is_some());
        assert!(solver.linear.is_none());
        assert_eq!(solver.check(&terms, &[two]), Answer::Satisfiable);
    }
}
