//! The decision procedure: assumptions first, one level each; then propagation, the tableau, and splits until everything
//! that is assumed holds in the tableau's assignment, or a conflict among the assumptions alone is found.

use super::boolean::{Boolean, FalseClause, Literal, Variable};
use super::encode::Encoding;
use super::formulas::{Formulas, Kind};
use super::justify::Progress;
use super::number::Delta;
use super::simplex::{Feasibility, Simplex};
use crate::solver::Answer;
use crate::solver::interrupt::Interruption;

/// What it costs to tell the tableau of a bound, in things that are looked at.
const BOUND: u64 = 4;

/// How much one query may cost. All of these are counts, so that answers do not depend on the machine.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Conflicts.
    pub conflicts: u32,
    /// Splits of the range of an integer.
    pub branches: u32,
    /// Coefficients touched by the tableau.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            conflicts: 1_000,
            branches: 200,
            work: 2_000_000,
        }
    }
}

/// The next step once everything that follows is assigned.
pub enum Decision {
    /// Try this.
    Try(Literal),
    /// A conflict was found instead.
    Conflict(FalseClause),
    /// Values were moved: the tableau is to be checked again.
    Moved,
    /// Nothing is left to decide.
    Done,
    /// The limits are reached.
    GiveUp,
}

/// The state of the procedure. Everything but what is on the trail is valid for good.
pub struct Search {
    pub boolean: Boolean,
    pub simplex: Simplex,
    pub formulas: Formulas,
    pub encoding: Encoding,
    pub limits: Limits,
    /// What was looked at in deciding what to do next, and by the tableau in earlier queries.
    pub looked_at: u64,
    /// Splits of integer ranges in the current query.
    pub branches: u32,
    /// Equalities that are false, and how long the trail was then.
    pub false_equalities: Vec<(Variable, usize)>,
    /// What defines columns, and so holds always.
    pub definitions: Vec<Literal>,
    /// Disjunctions and conjunctions that hold because of parts of them, and the level at which they do.
    pub justified: Vec<(Variable, usize)>,
    pub is_justified: Vec<bool>,
    pub progress: Progress,
    /// How much of the trail the tableau was told of.
    asserted: usize,
    /// The assumptions that are decided, one a level.
    placed: Vec<Literal>,
    /// After an unsatisfiable answer: positions of assumptions that exclude each other.
    core: Vec<usize>,
    /// Whether the impossible happened, after which no answer is given.
    is_broken: bool,
    interruption: Interruption,
}

impl Search {
    /// A procedure that knows nothing yet.
    pub fn new(limits: Limits) -> Search {
        Search {
            boolean: Boolean::new(),
            simplex: Simplex::default(),
            formulas: Formulas::new(),
            encoding: Encoding::default(),
            limits,
            looked_at: 0,
            branches: 0,
            false_equalities: Vec::new(),
            definitions: Vec::new(),
            justified: Vec::new(),
            is_justified: Vec::new(),
            progress: Progress::default(),
            asserted: 0,
            placed: Vec::new(),
            core: Vec::new(),
            is_broken: false,
            interruption: Interruption::of_this_thread(),
        }
    }

    /// Makes a literal true for good.
    pub fn require(&mut self, literal: Literal) {
        self.back_to(0);
        self.boolean.add_clause(vec![literal]);
        if matches!(self.formulas.kind(literal.variable()), Kind::Or(_)) {
            self.definitions.push(literal);
        }
    }

    fn back_to(&mut self, level: usize) {
        self.boolean.back_to(level);
        let length = self.boolean.trail().len();
        self.simplex.retract(length);
        self.asserted = self.asserted.min(length);
        while self.false_equalities.last().is_some_and(|(_, stamp)| *stamp >= length) {
            self.false_equalities.pop();
        }
        while let Some((variable, _)) = self.justified.pop_if(|(_, justified_at)| *justified_at > level) {
            self.is_justified[variable as usize] = false;
        }
        self.progress.back_to(level);
        self.placed.truncate(level);
    }

    /// Decides the conjunction of the assumptions.
    pub fn solve(&mut self, assumptions: &[Literal]) -> Answer {
        if self.is_broken {
            return Answer::Unknown;
        }
        let common = self.placed.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        self.back_to(common);
        self.is_justified.resize(self.boolean.variables(), false);
        self.looked_at += std::mem::take(&mut self.simplex.work);
        self.branches = 0;
        let mut conflicts = 0;
        loop {
            if self.interruption.is_raised() {
                return Answer::Unknown;
            }
            let conflict = match self.propagate() {
                Some(conflict) => Some(conflict),
                None => match self.next(assumptions) {
                    Err(answer) => return answer,
                    Ok(conflict) => conflict,
                },
            };
            let Some(conflict) = conflict else {
                continue;
            };
            conflicts += 1;
            let level = self.boolean.highest_level(&conflict);
            if level == 0 {
                // Definitions and learned clauses always have a model; without assumptions nothing can be wrong.
                self.is_broken = true;
                return Answer::Unknown;
            }
            if level <= assumptions.len() {
                self.core = self.assumptions_behind(&conflict);
                self.back_to(level - 1);
                return Answer::Unsatisfiable;
            }
            if conflicts > self.limits.conflicts {
                return Answer::Unknown;
            }
            self.back_to(level);
            let (learned, back) = self.boolean.learn(&conflict);
            self.back_to(back);
            self.boolean.add_clause(learned);
        }
    }

    /// Assumes, checks or decides one thing: a conflict, nothing, or the answer.
    fn next(&mut self, assumptions: &[Literal]) -> Result<Option<FalseClause>, Answer> {
        if let Some(literal) = assumptions.get(self.boolean.level()).copied() {
            match self.boolean.value(literal) {
                Some(false) => {
                    self.core = self.assumptions_behind(&[literal]);
                    let position = self.boolean.level();
                    self.core.push(position);
                    return Err(Answer::Unsatisfiable);
                }
                Some(true) => self.boolean.open_level(),
                None => {
                    self.boolean.open_level();
                    self.boolean.decide(literal);
                }
            }
            self.placed.push(literal);
            return Ok(None);
        }
        match self.simplex.check(self.limits.work) {
            Feasibility::Infeasible(conflict) => {
                return Ok(Some(conflict.into_iter().map(|(literal, _)| !literal).collect()));
            }
            Feasibility::GaveUp => return Err(Answer::Unknown),
            Feasibility::Feasible => {}
        }
        match self.decision() {
            Decision::Try(literal) => {
                self.boolean.open_level();
                self.boolean.decide(literal);
                self.placed.push(literal);
            }
            Decision::Conflict(conflict) => return Ok(Some(conflict)),
            Decision::Moved => {}
            Decision::Done => return Err(Answer::Satisfiable),
            Decision::GiveUp => return Err(Answer::Unknown),
        }
        Ok(None)
    }

    /// What to decide next, right after the tableau was found feasible.
    fn decision(&mut self) -> Decision {
        self.is_justified.resize(self.boolean.variables(), false);
        if let Some(literal) = self.unjustified() {
            return Decision::Try(literal);
        }
        match self.split_integer() {
            Decision::Done => self.split_disequality(),
            other => other,
        }
    }

    /// A side to try for a column that has a value which a disequality excludes.
    fn split_disequality(&mut self) -> Decision {
        for (variable, _) in &self.false_equalities {
            if let Kind::Equality {
                column,
                value,
                at_most,
                at_least,
            } = self.formulas.kind(*variable)
                && self.simplex.value(*column) == Delta::exactly(value.clone())
            {
                let open = [*at_most, *at_least];
                let open = open.into_iter().find(|literal| self.boolean.value(*literal).is_none());
                return match open {
                    Some(literal) => Decision::Try(!literal),
                    // Both sides are assigned and the tableau would know.
                    None => Decision::GiveUp,
                };
            }
        }
        Decision::Done
    }

    /// Unit propagation, with the tableau told of bounds and telling of bounds that they imply.
    fn propagate(&mut self) -> Option<FalseClause> {
        loop {
            if let Some(conflict) = self.boolean.propagate() {
                return Some(conflict);
            }
            let literal = self.boolean.trail().get(self.asserted).copied()?;
            let stamp = self.asserted;
            self.asserted += 1;
            self.looked_at += 1;
            if let Some((column, side, bound)) = self.formulas.bound_of(&self.simplex, literal) {
                self.looked_at += BOUND;
                match self.simplex.assert_bound(column, side, bound.clone(), literal, stamp) {
                    Ok(true) => self.formulas.imply(&mut self.boolean, column, side, &bound, literal),
                    Ok(false) => {}
                    Err(conflict) => return Some(conflict.into_iter().map(|(literal, _)| !literal).collect()),
                }
            } else if literal.is_negated() && matches!(self.formulas.kind(literal.variable()), Kind::Equality { .. }) {
                self.false_equalities.push((literal.variable(), stamp));
            }
        }
    }

    /// Positions of assumptions from which it follows that all of `clause` is false.
    fn assumptions_behind(&mut self, clause: &[Literal]) -> Vec<usize> {
        let decisions = self.boolean.decisions_behind(clause);
        let levels = decisions.into_iter().map(|decision| self.boolean.level_of(decision));
        // Level zero is nobody's, and every other level that is asked about here is an assumption's.
        levels.map(|level| level.saturating_sub(1)).collect()
    }

    /// The core of the last unsatisfiable answer.
    pub fn core(&self) -> &[usize] {
        &self.core
    }

    /// How many watches, coefficients and parts of formulas were looked at so far.
    pub fn effort(&self) -> u64 {
        self.boolean.visited() + self.looked_at + self.simplex.work
    }

    /// How much there is in memory, in clauses, variables and columns.
    pub fn size(&self) -> usize {
        self.boolean.clauses() + self.boolean.variables() + self.simplex.len()
    }

    /// What is assumed and decided, one literal a level.
    pub fn placed(&self) -> &[Literal] {
        &self.placed
    }
}
