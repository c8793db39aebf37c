//! The turns that a derivation does not write down: that they can be taken one after the other is proved by a fresh solver, as a
//! certificate's obligations are.

use super::Derivation;
use crate::rules::Program;
use crate::solver::{Answer, Layer, Z3Layer};
use crate::terms::{TermId, Terms};

/// Z3's resource units for one question; some seconds of an ordinary machine.
const QUERY_RESOURCES: u32 = 20_000_000;

/// What is still to be checked of the repetitions of a derivation.
pub(super) struct Repetitions<'d> {
    program: &'d Program,
    derivation: &'d Derivation,
    next: usize,
    /// The program's terms, and the solver for them, once there is something to prove.
    prover: Option<(Terms, Z3Layer)>,
}

impl<'d> Repetitions<'d> {
    pub fn new(program: &'d Program, derivation: &'d Derivation) -> Repetitions<'d> {
        Repetitions {
            program,
            derivation,
            next: 0,
            prover: None,
        }
    }

    /// Whether turns are left out before a step, which then have been proved to lead from the step before to this one. The steps
    /// before have been checked, and the values of this one are of the right sorts.
    pub fn leads_to(&mut self, step: usize) -> Result<bool, String> {
        let repetition = match self.derivation.repetitions.get(self.next) {
            Some(repetition) if repetition.at == step => repetition,
            _ => return Ok(false),
        };
        self.next += 1;
        let program = self.program;
        let begin = || (program.terms.clone(), Z3Layer::new(QUERY_RESOURCES));
        let (terms, solver) = self.prover.get_or_insert_with(begin);
        let turns = repetition.turns(program, terms, &self.derivation.steps)?;
        let (zero, most) = (terms.integer(0), terms.integer(repetition.times));
        let within = [
            terms.less_or_equal(zero, turns.counter),
            terms.less_or_equal(turns.counter, most),
        ];
        // A repetition that is not proved ends the replay, so that nothing is left of it in the solver.
        solver.push();
        for bound in within {
            solver.assume(terms, bound);
        }
        for condition in turns.conditions {
            let denial = terms.not(condition);
            if !is_refuted(solver, terms, denial) {
                let text = terms.display(condition);
                return Err(format!("`{text}` is not known to hold in all of them"));
            }
        }
        solver.pop(1);
        Ok(true)
    }

    /// What is wrong if there are repetitions that no step comes after, or that are not in their order.
    pub fn left(&self) -> Option<String> {
        let left = self.derivation.repetitions.len() > self.next;
        left.then(|| "they are not in the order of the steps".to_string())
    }
}

fn is_refuted(solver: &mut Z3Layer, terms: &Terms, formula: TermId) -> bool {
    solver.push();
    solver.assume(terms, formula);
    let answer = solver.check(terms);
    solver.pop(1);
    answer == Answer::Unsatisfiable
}
