//! All rules of a program, from the queries on, with a predicate for each combination of values that Boolean parameters come to.

use super::specialization::{Limits, cases, divided};
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::solver::with_interrupts;
use crate::steps::Cancellation;
use crate::steps::budget::{Budget, BudgetWatch};
use crate::steps::composition::Part;
use crate::terms::SortId;
use hashbrown::HashMap;
use std::collections::VecDeque;

/// So many locations a program has at most. Programs of some hundred lines have fewer, and data has more.
const MOST_LOCATIONS: usize = 400;
/// So many rules may come from one rule at one location. A statement leads to a few places.
const FOLLOWERS: usize = 24;
/// So many rules there are at most.
const MOST_RULES: usize = 2_000;
/// What finding the locations may cost in all, in the units of turns.
const WORK: u64 = 60_000;
/// What Z3 may spend on one question, in its own units; those that are asked here are small.
const RESOURCES: u32 = 200_000;

/// A program with explicit locations, and what of it is what of the one that it was made from.
pub(crate) struct Located {
    /// The program: a predicate for each location.
    pub program: Program,
    /// For each rule the one that it is a case of, and what the variables of that are in it.
    pub(super) parts: Vec<Part>,
    /// For each predicate which one it was, and the values of its Boolean parameters in their order.
    pub(super) locations: Vec<(PredicateId, Vec<bool>)>,
}

/// The program with explicit locations; `None` if it has none that are hidden in Boolean parameters, or too many, or calls.
pub(crate) fn located(program: &Program, budget: &Budget, cancellation: &Cancellation) -> Option<Located> {
    let has_control = program.predicates().iter().any(|predicate| {
        let mut parameters = predicate.parameters.iter();
        parameters.any(|parameter| program.terms.sort(*parameter) == SortId::BOOL)
    });
    if !has_control || program.rules().iter().any(|rule| rule.body.len() > 1) {
        return None;
    }
    let watch = BudgetWatch::start(budget, cancellation);
    with_interrupts(&watch, || split(program, &watch))
}

fn split(program: &Program, watch: &BudgetWatch<'_>) -> Option<Located> {
    let mut own = Program::new();
    own.terms = program.terms.clone();
    let mut splitting = Splitting {
        program,
        located: Located {
            program: own,
            parts: Vec::new(),
            locations: [PredicateId::QUERY, PredicateId::ERROR]
                .map(|predicate| (predicate, Vec::new()))
                .to_vec(),
        },
        known: HashMap::new(),
        waiting: VecDeque::from([PredicateId::QUERY]),
    };
    let limits = Limits {
        resources: RESOURCES,
        followers: FOLLOWERS,
    };
    let mut work = 0;
    while let Some(location) = splitting.waiting.pop_front() {
        let (predicate, values) = splitting.located.locations.get(location.index())?.clone();
        for id in program.rules_of(predicate) {
            let rule = (id.index(), program.rule(*id));
            let terms = &mut splitting.located.program.terms;
            let found = cases(terms, rule, &values, &limits, &mut work)?;
            for case in found {
                let body = match case.body {
                    None => Vec::new(),
                    Some((next, arguments, values)) => vec![Atom {
                        predicate: splitting.location(next, values)?,
                        arguments,
                    }],
                };
                let own = Rule {
                    head: Atom {
                        predicate: location,
                        arguments: case.head,
                    },
                    constraint: case.constraint,
                    body,
                    location: rule.1.location,
                };
                splitting.located.program.add_rule(own);
                splitting.located.parts.push(case.part);
            }
            let too_much = work > WORK || splitting.located.parts.len() > MOST_RULES;
            if too_much || watch.interruption().is_some() {
                return None;
            }
        }
    }
    Some(splitting.located)
}

struct Splitting<'p> {
    program: &'p Program,
    located: Located,
    known: HashMap<(PredicateId, Vec<bool>), PredicateId>,
    /// Locations whose rules are not there yet.
    waiting: VecDeque<PredicateId>,
}

impl Splitting<'_> {
    /// The predicate of a location; `None` if there are too many.
    fn location(&mut self, predicate: PredicateId, values: Vec<bool>) -> Option<PredicateId> {
        if predicate == PredicateId::ERROR || predicate == PredicateId::QUERY {
            return Some(predicate);
        }
        let key = (predicate, values);
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        if self.known.len() >= MOST_LOCATIONS {
            return None;
        }
        let (_, values) = &key;
        let original = self.program.predicate(predicate);
        let (_, others) = divided(&self.program.terms, &original.parameters);
        let parameters: Vec<(&str, SortId)> = others
            .iter()
            .map(|parameter| {
                let terms = &self.program.terms;
                (terms.variable_name(*parameter), terms.sort(*parameter))
            })
            .collect();
        let bits: String = values.iter().map(|value| if *value { '1' } else { '0' }).collect();
        let name = match &original.point {
            Some(point) => format!("{}_{point}_{bits}", original.name),
            None => format!("{}_{bits}", original.name),
        };
        let location = self.located.program.add_predicate(&name, None, &parameters);
        self.located.locations.push(key.clone());
        self.known.insert(key, location);
        self.waiting.push_back(location);
        Some(location)
    }
}
