//! Z3 with formulas that hold for single questions: each has a flag, and a question names the flags that are on.
//!
//! What [`Z3Layer`](super::Z3Layer) does with scopes is for stores that grow and shrink along a derivation. Where many small
//! questions are asked about one large formula, scopes would throw away what Z3 has learnt about it; flags keep it.

use super::z3_context::{model_value, resources};
use super::z3_layer::SHARE_OF_MIXED;
use super::{Answer, LimitedSolver, Z3Translator};
use crate::terms::{Assignment, Operator, SortId, TermId, Terms, Theory};
use std::collections::BTreeMap;
use z3::ast::Bool;
use z3::{SatResult, Solver};

/// A solver that must stay on the thread that made it.
pub struct AssumptionSolver {
    solver: LimitedSolver,
    translator: Z3Translator,
    /// The flag of each formula that was ever assumed.
    flags: BTreeMap<TermId, Bool>,
    /// Whether Z3 has been set up for arithmetic alone. What is of another theory it does not understand then.
    is_arithmetic: bool,
    /// Whether Z3 was given everything that was asserted; if not, a satisfiable answer is none.
    is_complete: bool,
    /// Whether integers become words in it, or words integers, which Z3 seldom decides.
    is_mixed: bool,
    /// The flags of the last question.
    asked: Vec<Bool>,
    /// What Z3 may spend on a question.
    limit: u32,
}

impl AssumptionSolver {
    /// A solver for formulas of a theory that may spend `resource_limit` of Z3's units on a question; 0 means no limit.
    pub fn new(theory: Theory, resource_limit: u32) -> AssumptionSolver {
        // Z3 sets itself up for a theory that it knows of before: without what others need, it is twice as fast and more.
        let logic = match theory {
            Theory::LinearIntegers => Solver::new_for_logic("QF_LIA"),
            Theory::LinearReals => Solver::new_for_logic("QF_LRA"),
            Theory::General => None,
        };
        let logic_is_known = logic.is_some();
        let solver = LimitedSolver::new(logic.unwrap_or_default(), resource_limit);
        // Inside of a scope Z3 is incremental from the first question on; outside it would begin with tactics for whole problems.
        solver.push();
        AssumptionSolver {
            is_arithmetic: logic_is_known,
            solver,
            translator: Z3Translator::new(),
            flags: BTreeMap::new(),
            is_complete: true,
            is_mixed: false,
            asked: Vec::new(),
            limit: resource_limit,
        }
    }

    /// How many formulas have a flag. They stay for ever, so a solver with many is better made anew.
    pub fn flags(&self) -> usize {
        self.flags.len()
    }

    /// Z3's units spent on this thread so far, by this solver or another; the count begins again after 32 bits.
    pub fn resources(&self) -> u32 {
        resources(&self.solver)
    }

    /// From now on the formula holds.
    pub fn assert(&mut self, terms: &Terms, formula: TermId) {
        self.is_mixed |= terms.mixes_words_and_integers(formula);
        match self.translator.formula(terms, formula) {
            Some(formula) => self.solver.assert(&formula),
            None => self.is_complete = false,
        }
    }

    /// Decides everything asserted together with the assumptions.
    pub fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        self.check_within(terms, assumptions, self.limit)
    }

    /// [`AssumptionSolver::check`] with another limit for this question.
    pub fn check_within(&mut self, terms: &Terms, assumptions: &[TermId], limit: u32) -> Answer {
        let limit = match self.is_mixed && limit > 0 {
            true => (limit / SHARE_OF_MIXED).max(1),
            false => limit,
        };
        self.asked.clear();
        for assumption in assumptions {
            let Some(flag) = self.flag(terms, *assumption) else {
                return Answer::Unknown;
            };
            self.asked.push(flag);
        }
        match self.solver.answer_within(limit, &self.asked) {
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat if self.is_complete && !(self.is_arithmetic && self.translator.met_others()) => {
                Answer::Satisfiable
            }
            _ => Answer::Unknown,
        }
    }

    /// A formula that is a Boolean variable, or the negation of one, is its own flag.
    fn flag(&mut self, terms: &Terms, formula: TermId) -> Option<Bool> {
        let negated = (terms.operator(formula) == Operator::Not).then(|| terms.arguments(formula)[0]);
        if terms.is_variable(negated.unwrap_or(formula)) {
            return self.translator.formula(terms, formula);
        }
        if let Some(flag) = self.flags.get(&formula) {
            return Some(flag.clone());
        }
        self.is_mixed |= terms.mixes_words_and_integers(formula);
        let translated = self.translator.formula(terms, formula)?;
        let flag = Bool::fresh_const("on");
        self.solver.assert(flag.implies(&translated));
        self.flags.insert(formula, flag.clone());
        Some(flag)
    }

    /// Right after an unsatisfiable check: the positions of some assumptions that suffice for it; perhaps none.
    pub fn core(&self) -> Vec<usize> {
        let core = self.solver.get_unsat_core();
        (0..self.asked.len())
            .filter(|position| core.contains(&self.asked[*position]))
            .collect()
    }

    /// Right after a satisfiable check: values of the variables; `None` if one of them has no exact value.
    pub fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        let model = self.solver.get_model()?;
        let mut values = Assignment::new();
        for variable in variables {
            let translated = self.translator.term(terms, *variable)?;
            let sort: SortId = terms.sort(*variable);
            values.insert(*variable, model_value(terms, &model, &translated, sort)?);
        }
        Some(values)
    }
}
