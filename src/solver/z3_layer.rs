//! The last layer: Z3, incremental, with a deterministic limit per query, and interruptible from another thread.

use super::z3_context::{model_value, resources};
use super::{Answer, Layer, Z3Translator};
use crate::terms::{Assignment, TermId, Terms};
use z3::ast::Bool;
use z3::{Params, SatResult, Solver};

/// The Z3 layer. It must stay on the thread that made it.
pub struct Z3Layer {
    solver: Solver,
    translator: Z3Translator,
    /// How many formulas in the current scopes Z3 could not be given, by scope; any makes a satisfiable answer unknown.
    untranslated: Vec<usize>,
}

impl Z3Layer {
    /// A layer that may spend `resource_limit` of Z3's units on a query; 0 means no limit.
    pub fn new(resource_limit: u32) -> Z3Layer {
        let solver = Solver::new();
        let mut parameters = Params::new();
        parameters.set_u32("random_seed", 0);
        parameters.set_u32("rlimit", resource_limit);
        solver.set_params(&parameters);
        Z3Layer {
            solver,
            translator: Z3Translator::new(),
            untranslated: vec![0],
        }
    }

    /// Z3's units spent on this thread so far, modulo 2³².
    pub(super) fn resources(&self) -> u32 {
        resources(&self.solver)
    }

    fn answer(&self, result: SatResult) -> Answer {
        match result {
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat if self.untranslated.iter().all(|count| *count == 0) => Answer::Satisfiable,
            _ => Answer::Unknown,
        }
    }
}

impl Layer for Z3Layer {
    fn push(&mut self) {
        self.solver.push();
        self.untranslated.push(0);
    }

    fn assume(&mut self, terms: &Terms, formula: TermId) {
        match self.translator.formula(terms, formula) {
            Some(formula) => self.solver.assert(&formula),
            None => {
                if let Some(count) = self.untranslated.last_mut() {
                    *count += 1;
                }
            }
        }
    }

    fn pop(&mut self, scopes: usize) {
        self.solver.pop(scopes as u32);
        self.untranslated.truncate(self.untranslated.len() - scopes);
    }

    fn check(&mut self, _terms: &Terms) -> Answer {
        self.answer(self.solver.check())
    }

    fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        let model = self.solver.get_model()?;
        let mut values = Assignment::new();
        for variable in variables {
            let translated = self.translator.term(terms, *variable)?;
            let value = model_value(terms, &model, &translated, terms.sort(*variable))?;
            values.insert(*variable, value);
        }
        Some(values)
    }

    fn core(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<Vec<usize>> {
        self.solver.push();
        let mut flags = Vec::with_capacity(assumptions.len());
        let mut translated = true;
        for assumption in assumptions {
            let flag = Bool::fresh_const("needed");
            match self.translator.formula(terms, *assumption) {
                Some(formula) => self.solver.assert(flag.implies(&formula)),
                None => translated = false,
            }
            flags.push(flag);
        }
        // A core may be read only after an unsatisfiable answer; when the rest alone is unsatisfiable it is empty.
        let core = (translated && self.solver.check_assumptions(&flags) == SatResult::Unsat)
            .then(|| self.solver.get_unsat_core());
        self.solver.pop(1);
        let core = core?;
        Some(
            (0..flags.len())
                .filter(|position| core.contains(&flags[*position]))
                .collect(),
        )
    }
}
