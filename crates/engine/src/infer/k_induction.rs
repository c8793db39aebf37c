//! Proof by k-induction of what ordinary induction does not prove.
//!
//! A candidate stays as long as every chain of `k` steps into its place, and every shorter one from a query, establishes it,
//! given all candidates that are still there at the chain's source and in between. By induction over the length of runs
//! such a set holds in all states that can be reached. What is proved for a smaller `k` belongs to it for a larger one, so
//! one number is enough for the certificate of them all.
//!
//! Seed 001 checks its invariants against symbolic states, down to a depth (its algorithm 3). This proves them, where
//! `induction` does not.

use super::candidate::Candidate;
use super::chains::{Chain, chains};
use super::induction::{COMPOSED, Hypotheses, Induction};
use crate::rules::{PredicateId, Program};
use crate::solver::Answer;
use crate::terms::{Substitution, Terms};
use std::collections::BTreeMap;

/// A place with more chains than this is not looked at.
const CHAINS: usize = 96;

/// A set of candidates on the way to one that holds by k-induction.
struct Round<'a> {
    candidates: &'a [Candidate],
    alive: Vec<bool>,
    /// How often something was given up at a predicate.
    version: Vec<usize>,
}

impl Round<'_> {
    /// A number that changes when a hypothesis of a chain is given up.
    fn version_of(&self, chain: &Chain) -> usize {
        let between = chain.between.iter().map(|passage| self.version[passage.place.index()]);
        self.version[chain.step.source.index()] + between.sum::<usize>()
    }
}

impl Induction<'_> {
    /// For each candidate the smallest depth of induction that was found to prove it, 0 if none was. `proved` marks those
    /// that are inductive together, `open` what else is to be tried, up to the depth `deepest`. When `stop` says so, what is
    /// open stays so.
    pub fn k_inductive(
        &mut self,
        terms: &mut Terms,
        candidates: &[Candidate],
        proved: &[bool],
        open: &[bool],
        deepest: usize,
        stop: &dyn Fn() -> bool,
    ) -> Vec<usize> {
        let mut depths: Vec<usize> = proved.iter().map(|proved| usize::from(*proved)).collect();
        for depth in 2..=deepest {
            let mut places: Vec<PredicateId> = (0..candidates.len())
                .filter(|index| open[*index] && depths[*index] == 0)
                .map(|index| candidates[index].place)
                .collect();
            places.sort();
            places.dedup();
            let mut of_places: BTreeMap<PredicateId, Vec<Chain>> = BTreeMap::new();
            for place in places {
                if let Some(chains) = self.chains_into(terms, candidates, &depths, place, depth, stop) {
                    of_places.insert(place, chains);
                }
            }
            for nonlinear in [false, true] {
                let tried = |index: usize| open[index] && of_places.contains_key(&candidates[index].place);
                let alive = (0..candidates.len()).map(|index| depths[index] > 0 || tried(index));
                let mut round = Round {
                    candidates,
                    alive: alive.collect(),
                    version: vec![0; self.program.predicates().len()],
                };
                if !self.chain_fixpoint(terms, &mut round, &of_places, &depths, nonlinear, stop) {
                    return depths;
                }
                for (index, known) in depths.iter_mut().enumerate() {
                    if *known == 0 && round.alive[index] {
                        *known = depth;
                    }
                }
            }
        }
        depths
    }

    /// The chains into a place that what is proved does not exclude; `None` if there are too many.
    fn chains_into(
        &mut self,
        terms: &mut Terms,
        candidates: &[Candidate],
        depths: &[usize],
        place: PredicateId,
        depth: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Vec<Chain>> {
        let (program, steps) = (self.program, self.steps);
        let known: Vec<bool> = depths.iter().map(|depth| *depth > 0).collect();
        let mut possible = |terms: &mut Terms, chain: &Chain| {
            if stop() {
                return true;
            }
            let mut store = hypotheses(program, terms, candidates, &known, chain).formulas;
            store.extend(&chain.step.guard);
            let store = self.linearizer.linear_formulas(terms, &store);
            self.linear.check(terms, &store, &[]) != Answer::Unsatisfiable
        };
        chains(program, terms, steps, place, depth, CHAINS, &mut possible)
    }

    /// Gives up candidates until the rest holds by induction over the chains; false if it was stopped before that.
    fn chain_fixpoint(
        &mut self,
        terms: &mut Terms,
        round: &mut Round<'_>,
        of_places: &BTreeMap<PredicateId, Vec<Chain>>,
        depths: &[usize],
        nonlinear: bool,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        // For a place, one of its chains and a candidate there: the version of the hypotheses with which it was proved.
        let mut established: BTreeMap<(PredicateId, usize, usize), usize> = BTreeMap::new();
        loop {
            let mut changed = false;
            for (place, chains) in of_places {
                for (number, chain) in chains.iter().enumerate() {
                    if stop() {
                        return false;
                    }
                    let version = round.version_of(chain);
                    let goals: Vec<usize> = (0..round.candidates.len())
                        .filter(|goal| round.alive[*goal] && depths[*goal] == 0)
                        .filter(|goal| round.candidates[*goal].place == *place)
                        .filter(|goal| established.get(&(*place, number, *goal)) != Some(&version))
                        .collect();
                    if goals.is_empty() {
                        continue;
                    }
                    let known = hypotheses(self.program, terms, round.candidates, &round.alive, chain);
                    let failed = self.check(terms, &chain.step, round.candidates, &known, &goals, nonlinear);
                    for goal in goals {
                        if failed.contains(&goal) {
                            round.alive[goal] = false;
                            round.version[place.index()] += 1;
                            changed = true;
                        } else {
                            established.insert((*place, number, goal), version);
                        }
                    }
                }
            }
            if !changed {
                return true;
            }
        }
    }
}

/// What the candidates that are alive say at the source of a chain and at the places between.
fn hypotheses(
    program: &Program,
    terms: &mut Terms,
    candidates: &[Candidate],
    alive: &[bool],
    chain: &Chain,
) -> Hypotheses {
    let alive = || {
        candidates
            .iter()
            .zip(alive)
            .filter(|(_, alive)| **alive)
            .map(|(candidate, _)| candidate)
    };
    let mut known = Hypotheses::default();
    for candidate in alive().filter(|candidate| candidate.place == chain.step.source) {
        known.add(terms, candidate.formula, candidate.equality().cloned());
    }
    for passage in &chain.between {
        let parameters = &program.predicate(passage.place).parameters;
        let passed = Substitution::of(terms, parameters, &passage.arguments);
        let value = |column: u32| passage.polynomials.get(column as usize).cloned().unwrap_or_default();
        for candidate in alive().filter(|candidate| candidate.place == passage.place) {
            let formula = terms.substitute(candidate.formula, &passed);
            let composed = candidate
                .equality()
                .map(|polynomial| polynomial.compose(&value, COMPOSED));
            known.add(terms, formula, composed.flatten());
        }
    }
    known
}
