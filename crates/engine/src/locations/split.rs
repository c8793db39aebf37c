//! All rules of a program, from the queries on, with a predicate for each combination of what says where a run is.

use super::specialization::{Control, Limits, cases};
use crate::deep_stack::on_deep_stack;
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::solver::with_interrupts;
use crate::steps::Cancellation;
use crate::steps::budget::{Budget, BudgetWatch};
use crate::steps::composition::Part;
use crate::terms::{SortId, TermId, Terms};
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
    /// For each predicate which one it was, and which of the formulas hold that say where it is.
    pub(super) locations: Vec<(PredicateId, Vec<bool>)>,
    /// For each predicate of the original these formulas, over its parameters.
    pub(super) control: Vec<Vec<TermId>>,
}

/// The program with a predicate for each combination of Boolean parameters; `None` if it has none, or too many, or calls.
pub(crate) fn located(program: &Program, budget: &Budget, cancellation: &Cancellation) -> Option<Located> {
    let of_predicate = |parameters: &[TermId]| -> Vec<TermId> {
        let parameters = parameters.iter().copied();
        let control = parameters.filter(|parameter| program.terms.sort(*parameter) == SortId::BOOL);
        control.collect()
    };
    let predicates = program.predicates().iter();
    let control = predicates
        .map(|predicate| of_predicate(&predicate.parameters))
        .collect();
    let watch = BudgetWatch::start(budget, cancellation);
    let found = on_deep_stack(|| {
        with_interrupts(&watch, || {
            split(program, program.terms.clone(), control, &watch, &mut 0)
        })
    });
    found.ok().flatten()
}

/// The program with a predicate for each combination of these formulas over its predicates' parameters, in these terms, which are the
/// program's and more. `None` if there are none, or too many combinations, or calls. Adds the work of it.
pub(super) fn split(
    program: &Program,
    terms: Terms,
    control: Vec<Vec<TermId>>,
    watch: &BudgetWatch<'_>,
    work: &mut u64,
) -> Option<Located> {
    if control.iter().all(Vec::is_empty) || program.has_calls() {
        return None;
    }
    let mut own = Program::new();
    own.terms = terms;
    let mut splitting = Splitting {
        control: Control {
            program,
            formulas: control.clone(),
        },
        located: Located {
            program: own,
            parts: Vec::new(),
            locations: [PredicateId::QUERY, PredicateId::ERROR]
                .map(|predicate| (predicate, Vec::new()))
                .to_vec(),
            control,
        },
        known: HashMap::new(),
        waiting: VecDeque::from([PredicateId::QUERY]),
    };
    let limits = Limits {
        resources: RESOURCES,
        followers: FOLLOWERS,
    };
    let most = *work + WORK;
    while let Some(location) = splitting.waiting.pop_front() {
        let (predicate, values) = splitting.located.locations.get(location.index())?.clone();
        for id in program.rules_of(predicate) {
            let rule = (id.index(), program.rule(*id));
            let terms = &mut splitting.located.program.terms;
            let found = cases(terms, &splitting.control, rule, &values, &limits, work)?;
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
            watch.advance(*work);
            let too_much = *work > most || splitting.located.parts.len() > MOST_RULES;
            if too_much || watch.interruption().is_some() {
                return None;
            }
        }
    }
    Some(splitting.located)
}

impl Located {
    /// The predicate of the original program that this one is a location of.
    pub fn original_predicate(&self, location: PredicateId) -> Option<PredicateId> {
        self.locations.get(location.index()).map(|(predicate, _)| *predicate)
    }
}

struct Splitting<'p> {
    control: Control<'p>,
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
        let program = self.control.program;
        let original = program.predicate(predicate);
        let own = &mut self.located.program;
        let (_, others) = self.control.divided(&mut own.terms, predicate, &original.parameters);
        let parameters: Vec<(&str, SortId)> = others
            .iter()
            .map(|parameter| {
                let terms = &program.terms;
                (terms.variable_name(*parameter), terms.sort(*parameter))
            })
            .collect();
        let bits: String = values.iter().map(|value| if *value { '1' } else { '0' }).collect();
        let name = match &original.point {
            Some(point) => format!("{}_{point}_{bits}", original.name),
            None => format!("{}_{bits}", original.name),
        };
        let location = own.add_predicate(&name, None, &parameters);
        self.located.locations.push(key.clone());
        self.known.insert(key, location);
        self.waiting.push_back(location);
        Some(location)
    }
}
