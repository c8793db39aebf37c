//! Chains: steps that follow each other, composed into one, for induction over several at once.
//!
//! What is composed is the rules backwards from a place: its chains of length `k` are all sequences of `k` steps that end
//! there, and all shorter ones that begin with a query. Whoever reaches the place has come along one of them.

use super::steps::{Partial, Step, polynomials};
use crate::polynomials::Polynomial;
use crate::rules::{PredicateId, Program};
use crate::terms::{Substitution, TermId, Terms};

/// Steps composed into one.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The whole as one step.
    pub step: Step,
    /// The places between, in order.
    pub between: Vec<Passage>,
}

/// A place that a chain comes through.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    /// The place.
    pub place: PredicateId,
    /// With which arguments: terms over the variables of the chain.
    pub arguments: Vec<TermId>,
    /// The same as polynomials over the indeterminates of the chain; zero for what is no number.
    pub polynomials: Vec<Polynomial>,
}

/// All chains of this length that end at a place; `None` if there are more than `most`. Those that are not `possible` are
/// left out.
pub(super) fn chains(
    program: &Program,
    terms: &mut Terms,
    steps: &[Step],
    place: PredicateId,
    length: usize,
    most: usize,
    possible: &mut dyn FnMut(&mut Terms, &Chain) -> bool,
) -> Option<Vec<Chain>> {
    let last = steps.iter().filter(|step| step.target == Some(place));
    let mut all: Vec<Chain> = last
        .map(|step| Chain {
            step: step.clone(),
            between: Vec::new(),
        })
        .collect();
    for _ in 1..length {
        let mut longer = Vec::new();
        for chain in all {
            if chain.step.source == PredicateId::QUERY {
                longer.push(chain);
                continue;
            }
            for first in steps.iter().filter(|step| step.target == Some(chain.step.source)) {
                let composed = prepended(program, terms, first, &chain);
                longer.extend(composed.filter(|composed| possible(terms, composed)));
                if longer.len() > most {
                    return None;
                }
            }
        }
        all = longer;
    }
    Some(all)
}

/// A chain with a step before it; `None` if that is clearly impossible.
fn prepended(program: &Program, terms: &mut Terms, first: &Step, chain: &Chain) -> Option<Chain> {
    let parameters = &program.predicate(first.source).parameters;
    // The step may be in the chain already: what it leaves open is open anew.
    let mut renaming = Substitution::new();
    let mentioned: Vec<TermId> = first.guard.iter().chain(&first.updates).copied().collect();
    for variable in terms.variables_of_all(&mentioned) {
        if !parameters.contains(&variable) {
            let (name, sort) = (terms.variable_name(variable).to_string(), terms.sort(variable));
            let fresh = terms.fresh_variable(&name, sort);
            renaming.insert(terms, variable, fresh);
        }
    }
    let guard = terms.substitute_all(&first.guard, &renaming);
    let arguments = terms.substitute_all(&first.updates, &renaming);
    let meeting = chain.step.source;
    let passed = Substitution::of(terms, &program.predicate(meeting).parameters, &arguments);
    let rest = Partial {
        guard: chain.step.guard.clone(),
        updates: chain.step.updates.clone(),
    };
    let composed = rest.with(terms, &passed, &guard)?;
    let mut places = vec![(meeting, arguments)];
    for passage in &chain.between {
        places.push((passage.place, terms.substitute_all(&passage.arguments, &passed)));
    }
    let ends = (first.source, chain.step.target);
    let mut step = Step::new(terms, parameters, ends, chain.step.rule, composed);
    let between = places.into_iter().map(|(place, arguments)| Passage {
        place,
        polynomials: polynomials(terms, &mut step.indeterminates, &arguments),
        arguments,
    });
    let between = between.collect();
    Some(Chain { step, between })
}
