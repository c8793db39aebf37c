//! Z3's solver with a limit for each question, which is asked in pieces where others wait.
//!
//! Searches that [take turns](crate::steps::Pace) count their work between questions. During a question of some seconds others would not have
//! their turn, and an answer that one of them has would have to wait. So where there are turns, a question first gets a small part of its limit,
//! then four times as much, and so on, and each piece is counted before the next one begins. Whether a question is decided does not depend
//! on that: the last piece is the whole limit.

use super::interrupt::{Interruption, answer_of, turns_of_this_thread};
use super::work::work_of;
use std::ops::Deref;
use z3::ast::Bool;
use z3::{Params, SatResult, Solver};

/// The first piece, in Z3's units: some fifty milliseconds of an ordinary machine.
const FIRST_PIECE: u32 = 300_000;
/// Each piece is so many times the one before it: a question that takes all of its limit takes a third more.
const GROWTH: u32 = 4;
/// So many equations Z3 replaces by simpler ones when it looks for consequences of products. What it spends on one is not counted, and
/// numbers grow with each. Of forty orders of a question about three numbers all are decided in a second so, and one or more are open after ten
/// seconds with twice as many.
const MOST_SIMPLIFIED: u32 = 500;

/// A solver that spends no more than a limit on a question.
pub struct LimitedSolver {
    solver: Solver,
    /// What Z3 may spend on a question, in its units; 0 means no limit.
    limit: u32,
    /// What it has been told that it may.
    told: u32,
}

impl Deref for LimitedSolver {
    type Target = Solver;

    fn deref(&self) -> &Solver {
        &self.solver
    }
}

impl LimitedSolver {
    /// A solver that is deterministic and may spend so many of Z3's units on a question; 0 means no limit.
    pub fn new(solver: Solver, limit: u32) -> LimitedSolver {
        let mut parameters = Params::new();
        parameters.set_u32("random_seed", 0);
        parameters.set_u32("rlimit", limit);
        parameters.set_u32("arith.nl.grobner_max_simplified", MOST_SIMPLIFIED);
        solver.set_params(&parameters);
        LimitedSolver {
            solver,
            limit,
            told: limit,
        }
    }

    /// Whether what it holds can be true together with the assumptions.
    pub fn answer(&mut self, assumptions: &[Bool]) -> SatResult {
        self.answer_within(self.limit, assumptions)
    }

    /// [`LimitedSolver::answer`] with another limit for this question.
    pub fn answer_within(&mut self, limit: u32, assumptions: &[Bool]) -> SatResult {
        let turns = turns_of_this_thread().filter(|_| limit > 0);
        let mut piece = match &turns {
            Some(_) => FIRST_PIECE.min(limit),
            None => limit,
        };
        loop {
            self.tell(piece);
            let answer = answer_of(&self.solver, assumptions);
            if answer != SatResult::Unknown || piece == limit || !self.is_out_of_resources() {
                return answer;
            }
            let goes_on = turns.as_ref().is_some_and(|wait| wait(work_of(u64::from(piece))));
            if !goes_on || Interruption::of_this_thread().is_raised() {
                return answer;
            }
            piece = piece.saturating_mul(GROWTH).min(limit);
        }
    }

    fn tell(&mut self, limit: u32) {
        if self.told != limit {
            let mut parameters = Params::new();
            parameters.set_u32("rlimit", limit);
            self.solver.set_params(&parameters);
            self.told = limit;
        }
    }

    /// Whether the last answer is *unknown* because the limit was reached.
    fn is_out_of_resources(&self) -> bool {
        let reason = self.solver.get_reason_unknown();
        reason.is_none_or(|reason| reason.contains("resource") || reason.contains("cancel"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::interrupt::{InterruptWatch, Turns, with_interrupts};
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex};
    use z3::ast::Int;

    /// Notes what it is told, and says stop after so many pieces.
    struct Noting(Arc<Mutex<Vec<u64>>>, u64);

    impl InterruptWatch for Noting {
        fn should_stop(&self) -> bool {
            false
        }

        fn turns(&self) -> Option<Turns> {
            let (told, left) = (self.0.clone(), AtomicU64::new(self.1));
            Some(Arc::new(move |work| {
                told.lock().map(|mut told| told.push(work)).ok();
                left.fetch_sub(1, Ordering::Relaxed) > 1
            }))
        }
    }

    /// A question that is not decided within its limit, in pieces.
    fn pieces(most: u64) -> Vec<u64> {
        let told = Arc::default();
        let answer = with_interrupts(&Noting(Arc::clone(&told), most), || {
            let mut solver = LimitedSolver::new(Solver::new(), 4_000_000);
            // No cube is the sum of two.
            let names = ["x", "y", "z"];
            let [x, y, z] = names.map(Int::new_const);
            for one in [&x, &y, &z] {
                solver.assert(one.gt(Int::from_i64(0)));
            }
            let cube = |one: &Int| Int::mul(&[one, one, one]);
            solver.assert((cube(&x) + cube(&y)).eq(cube(&z)));
            solver.answer(&[])
        });
        assert_eq!(answer, SatResult::Unknown);
        told.lock().map(|told| told.clone()).unwrap_or_default()
    }

    #[test]
    fn long_questions_are_asked_in_pieces_until_nobody_wants_more() {
        assert_eq!(pieces(9), [10_000, 40_000]);
        assert_eq!(pieces(1), [10_000]);
    }

    #[test]
    fn solvers_of_every_logic_take_their_limits() {
        for logic in ["QF_LIA", "QF_LRA", "QF_BV"] {
            let solver = Solver::new_for_logic(logic).expect("Z3 knows it");
            let mut solver = LimitedSolver::new(solver, 50_000);
            // Eleven pigeons do not fit into ten holes, which takes resolution long.
            let sits = |pigeon: u32, hole: u32| Bool::new_const(format!("{logic}_{pigeon}_{hole}"));
            for pigeon in 0..11 {
                let holes: Vec<Bool> = (0..10).map(|hole| sits(pigeon, hole)).collect();
                solver.assert(Bool::or(&holes));
                for other in 0..pigeon {
                    for hole in 0..10 {
                        solver.assert(Bool::or(&[sits(pigeon, hole).not(), sits(other, hole).not()]));
                    }
                }
            }
            assert_eq!(solver.answer(&[]), SatResult::Unknown, "{logic}");
        }
    }
}
