//! The last layer: Z3, incremental, with a deterministic limit per query, and interruptible from another thread.
//!
//! Questions with floating-point numbers are asked of a solver of their own, which sees nothing else: without scopes Z3 takes its
//! methods for whole problems, which make one propositional formula of everything and are many times as fast there.

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
    /// All formulas in the current scopes, and how many there are below each scope.
    formulas: Vec<Bool>,
    scopes: Vec<usize>,
    /// How many of the formulas have floating-point numbers in them, by scope.
    floating: Vec<usize>,
    /// The solver of the last question with floating-point numbers.
    whole: Option<Solver>,
    resource_limit: u32,
}

impl Z3Layer {
    /// A layer that may spend `resource_limit` of Z3's units on a query; 0 means no limit.
    pub fn new(resource_limit: u32) -> Z3Layer {
        Z3Layer {
            solver: limited(resource_limit),
            translator: Z3Translator::new(),
            untranslated: vec![0],
            formulas: Vec::new(),
            scopes: Vec::new(),
            floating: vec![0],
            whole: None,
            resource_limit,
        }
    }

    /// Z3's units spent on this thread so far, modulo 2³².
    pub(super) fn resources(&self) -> u32 {
        resources(&self.solver)
    }

    /// Whether there are floating-point numbers in what is asked.
    fn is_floating(&self) -> bool {
        self.floating.iter().any(|count| *count > 0)
    }

    /// Asks about these formulas alone.
    fn ask_whole<'f>(&self, formulas: impl Iterator<Item = &'f Bool>) -> (SatResult, Solver) {
        let solver = limited(self.resource_limit);
        for formula in formulas {
            solver.assert(formula);
        }
        (solver.check(), solver)
    }

    /// Some of these assumptions that suffice together with what is assumed: each is left out once, and stays out if it can.
    fn core_of_whole(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<Vec<usize>> {
        let mut formulas = Vec::with_capacity(assumptions.len());
        for assumption in assumptions {
            formulas.push(self.translator.formula(terms, *assumption)?);
        }
        let is_enough = |positions: &[usize]| {
            let chosen = positions.iter().filter_map(|position| formulas.get(*position));
            self.ask_whole(self.formulas.iter().chain(chosen)).0 == SatResult::Unsat
        };
        let mut needed: Vec<usize> = (0..formulas.len()).collect();
        if !is_enough(&needed) {
            return None;
        }
        let mut position = 0;
        for _ in 0..MOST_TRIALS {
            if position >= needed.len() {
                break;
            }
            let mut fewer = needed.clone();
            fewer.remove(position);
            match is_enough(&fewer) {
                true => needed = fewer,
                false => position += 1,
            }
        }
        Some(needed)
    }

    fn answer(&self, result: SatResult) -> Answer {
        match result {
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat if self.untranslated.iter().all(|count| *count == 0) => Answer::Satisfiable,
            _ => Answer::Unknown,
        }
    }
}

/// How many assumptions are left out to find a core where Z3 does not tell one.
const MOST_TRIALS: usize = 16;

/// A solver that may spend so many of Z3's units on a question.
fn limited(resource_limit: u32) -> Solver {
    let solver = Solver::new();
    let mut parameters = Params::new();
    parameters.set_u32("random_seed", 0);
    parameters.set_u32("rlimit", resource_limit);
    solver.set_params(&parameters);
    solver
}

impl Layer for Z3Layer {
    fn push(&mut self) {
        self.solver.push();
        self.untranslated.push(0);
        self.floating.push(0);
        self.scopes.push(self.formulas.len());
    }

    fn assume(&mut self, terms: &Terms, formula: TermId) {
        match self.translator.formula(terms, formula) {
            Some(translated) => {
                self.solver.assert(&translated);
                self.formulas.push(translated);
                if let Some(count) = self.floating.last_mut() {
                    *count += usize::from(terms.has_floats(formula));
                }
            }
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
        self.floating.truncate(self.floating.len() - scopes);
        for _ in 0..scopes {
            if let Some(length) = self.scopes.pop() {
                self.formulas.truncate(length);
            }
        }
    }

    fn check(&mut self, _terms: &Terms) -> Answer {
        self.whole = None;
        if !self.is_floating() {
            return self.answer(self.solver.check());
        }
        let (result, solver) = self.ask_whole(self.formulas.iter());
        self.whole = Some(solver);
        self.answer(result)
    }

    fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        let model = self.whole.as_ref().unwrap_or(&self.solver).get_model()?;
        let mut values = Assignment::new();
        for variable in variables {
            let translated = self.translator.term(terms, *variable)?;
            let value = model_value(terms, &model, &translated, terms.sort(*variable))?;
            values.insert(*variable, value);
        }
        Some(values)
    }

    fn core(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<Vec<usize>> {
        if self.is_floating() || assumptions.iter().any(|assumption| terms.has_floats(*assumption)) {
            return self.core_of_whole(terms, assumptions);
        }
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
