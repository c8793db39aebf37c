//! What has to hold of functions, proved with lemmas that are looked for: equations between terms that hold on samples, from small ones
//! to larger ones, each proved by induction with those before it.

use super::exploration::{Exploration, sample};
use super::instances::Instances;
use super::polynomials;
use super::prover::{Established, Prover};
use super::speculation::Speculation;
use crate::engine::StopReason;
use crate::random::Generator;
use crate::relations::Pools;
use crate::terms::{FunctionId, TermId, Value, Values};

/// Values on which goals are tried before anything is proved.
const SAMPLES: usize = 300;
/// Terms of lemmas have no larger sizes.
const LARGEST: usize = 9;
/// With terms of this size, equations under a condition are guessed as well.
const CONDITIONAL: usize = 4;
/// After so many new lemmas what they are for is tried again.
const LEMMAS: usize = 3;

/// Whether goals hold of functions, which are proved with lemmas about these if need be.
pub(super) fn follow(
    prover: &mut Prover<'_>,
    mut goals: Vec<TermId>,
    functions: &[FunctionId],
    pools: &Pools,
) -> Result<bool, StopReason> {
    if goals.iter().any(|goal| is_refuted(prover, *goal, pools)) {
        return Ok(false);
    }
    for function in functions {
        prover.bound(*function)?;
    }
    let mut speculation = Speculation::default();
    if polynomials::follow(prover, &goals, functions, pools)? {
        return Ok(true);
    }
    if settle(prover, &mut goals)? || speculate(prover, &mut speculation, pools, &mut goals)? {
        return Ok(true);
    }
    if functions.is_empty() {
        return Ok(false);
    }
    let mut exploration = Exploration::new(&mut prover.terms, pools, functions);
    let mut open: Vec<TermId> = Vec::new();
    let (mut proved, mut tried) = (Instances::default(), Instances::default());
    let mut since = 0;
    for size in 1..=LARGEST {
        let before = prover.lemmas.len();
        let mut guesses = exploration.next(prover)?;
        if size == CONDITIONAL {
            guesses.extend(exploration.conditional(&mut prover.terms));
        }
        // What is more general first; of its instances nothing is to be learned.
        let mut waiting: Vec<TermId> = Vec::new();
        for guess in guesses {
            let terms = &prover.terms;
            if !proved.cover(terms, guess.formula) && !tried.cover(terms, guess.formula) {
                tried.add(terms, guess.formula);
                waiting.push(guess.formula);
            }
        }
        loop {
            let mut is_new = false;
            let mut left = Vec::new();
            for formula in waiting {
                if proved.cover(&prover.terms, formula) {
                    continue;
                }
                match prover.establish(formula)? {
                    Established::Already => {}
                    Established::Not => left.push(formula),
                    Established::Anew => {
                        is_new = true;
                        proved.add(&prover.terms, formula);
                        since += 1;
                        if since >= LEMMAS {
                            since = 0;
                            if settle(prover, &mut goals)? {
                                return Ok(true);
                            }
                        }
                    }
                }
            }
            if !is_new {
                open.extend(left);
                break;
            }
            // What was not proved may be, with what was since.
            waiting = std::mem::take(&mut open);
            waiting.extend(left);
        }
        let is_more = prover.lemmas.len() > before;
        if is_more && (settle(prover, &mut goals)? || speculate(prover, &mut speculation, pools, &mut goals)?) {
            return Ok(true);
        }
        since = 0;
    }
    Ok(false)
}

/// Whether a formula does not hold of some small values.
pub(super) fn is_refuted(prover: &mut Prover<'_>, formula: TermId, pools: &Pools) -> bool {
    let terms = &prover.terms;
    let variables = terms.variables(formula);
    let (mut random, mut values) = (Generator(7), Values::default());
    let is_refuted = (0..SAMPLES).any(|_| {
        let sample = sample(terms, pools, &variables, &mut random);
        values.of(terms, formula, &sample) == Some(Value::Bool(false))
    });
    prover.work += values.calculated / 4;
    is_refuted
}

/// Proves goals with lemmas that their inductions need; whether none is left.
fn speculate(
    prover: &mut Prover<'_>,
    speculation: &mut Speculation,
    pools: &Pools,
    goals: &mut Vec<TermId>,
) -> Result<bool, StopReason> {
    let mut left = Vec::new();
    for goal in std::mem::take(goals) {
        if !speculation.follows(prover, pools, goal)? {
            left.push(goal);
        }
    }
    *goals = left;
    Ok(goals.is_empty())
}

/// Proves those goals that can be; whether none is left.
pub(super) fn settle(prover: &mut Prover<'_>, goals: &mut Vec<TermId>) -> Result<bool, StopReason> {
    let mut left = Vec::new();
    for goal in std::mem::take(goals) {
        if prover.establish(goal)? == Established::Not {
            left.push(goal);
        }
    }
    *goals = left;
    Ok(goals.is_empty())
}
