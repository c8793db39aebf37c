//! Rules with calls: what holds of a predicate's arguments when it is called, and when its call has come back. Seed 001 infers the
//! postconditions of procedures from their traces in the same way; here procedures may recur.
//!
//! States are small facts of the relations *reached* and *returned* ([`crate::relations`]), which evaluation finds; what they have in common
//! are candidates of all [shapes](super::Shape); and the strongest part of these that all rules keep, calls by what they come back with, is
//! proved ([Houdini](crate::steps::houdini)). Symbolic states refute nothing here: what is not proved was only seen.

use super::candidate::{Candidate, Kind, Shape};
use super::columns::Columns;
use super::guesses::{guesses, value_polynomials};
use super::hints;
use super::induction::Induction;
use super::inference::{
    Deadline, FoundInvariant, Inference, InferenceStatistics, PlaceInvariants, Status, columns_of, names,
};
use super::options::Options;
use super::ranking;
use super::sampling::Samples;
use crate::polynomials::State;
use crate::relations::{Equations, Role, System, small_facts};
use crate::rules::{Atom, DependencyGraph, PredicateId, Program, RuleId};
use crate::solver::InterruptWatch;
use crate::steps::StopReason;
use crate::steps::houdini::Houdini;
use crate::terms::{Rational, SortId, Substitution, TermId, Terms, Value};
use num_traits::{One, Zero};
use std::cell::Cell;
use std::time::Instant;

/// What is spent at most on one question, in Z3's units.
const RESOURCES: u32 = 1_500_000;

/// A relation and where what is found of it stands.
struct Place {
    /// Its number in the system.
    node: usize,
    /// The predicate of the relation.
    of: PredicateId,
    role: Role,
    /// The predicate of the output's program: the same, or what stands for calls that have come back.
    shown: PredicateId,
    columns: Columns,
    names: Vec<String>,
}

/// Infers what holds where predicates are called and come back; the thread has a large stack, and queries are interrupted at the deadline.
pub(super) fn run(program: &Program, options: &Options, deadline: &Deadline<'_>) -> Inference {
    let started = Instant::now();
    let spent = Cell::new(0);
    let stop = |work: u64| {
        options
            .pace
            .advance(work.saturating_sub(spent.replace(work)), &options.cancellation);
        deadline.should_stop()
    };
    let without_errors = program.without_errors();
    let mut terms = without_errors.terms.clone();
    let system = System::about(&without_errors, &mut terms, Equations::Solved, &wanted(program));
    let facts = small_facts(&terms, &system, &stop);
    let mut shown = without_errors.clone();
    shown.terms = terms.clone();
    let nodes = system.nodes.iter().enumerate();
    let nodes: Vec<_> = nodes.filter(|(_, node)| node.predicate != PredicateId::ERROR).collect();
    let twins = nodes
        .iter()
        .map(|(_, node)| twin(&mut shown, node.predicate, node.role));
    let twins: Vec<PredicateId> = twins.collect();
    terms = shown.terms.clone();
    let mut samples = Samples::new(&shown);
    let mut places = Vec::new();
    for ((index, node), shown_as) in nodes.into_iter().zip(twins) {
        for values in facts.facts_of(index) {
            samples.add(shown_as, state(values));
        }
        let names = names(&shown, shown_as, node.predicate, options);
        places.push(Place {
            node: index,
            of: node.predicate,
            role: node.role,
            shown: shown_as,
            columns: columns_of(&shown, &mut terms, shown_as, &names, options),
            names,
        });
    }
    let constants = hints::constants(&terms, program.rules().iter().flat_map(|rule| &rule.constraint));
    let mut candidates: Vec<(usize, Candidate)> = Vec::new();
    for (index, place) in places.iter().enumerate() {
        if stop(0) {
            break;
        }
        let states = samples.at(place.shown);
        let here = guesses(&mut terms, &place.columns, states, &[], &constants, options);
        candidates.extend(here.into_iter().map(|candidate| (index, candidate)));
    }
    let claims = candidates.iter().map(|(at, candidate)| {
        let place = &places[*at];
        let parameters = &shown.predicate(place.shown).parameters;
        let renaming = Substitution::of(&terms, parameters, &system.nodes[place.node].parameters);
        (place.node, is_simple(candidate), candidate.formula, renaming)
    });
    let claims: Vec<Claim> = claims.collect();
    let proved = proved(&mut terms, &system, &claims, &|work| {
        stop(work).then_some(StopReason::Time)
    });
    let mut induction = Induction::new(&shown, &[], &stop);
    let mut found = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let mut invariants = Vec::new();
        for ((_, candidate), is_proved) in candidates.iter().zip(&proved).filter(|((at, _), _)| *at == index) {
            invariants.push(FoundInvariant {
                shape: candidate.shape.clone(),
                formula: candidate.formula,
                status: if *is_proved { Status::Proved } else { Status::Seen },
                induction_depth: usize::from(*is_proved),
            });
        }
        let mut described = PlaceInvariants {
            place: place.shown,
            exit_of: None,
            return_of: (place.role == Role::Returned).then_some(place.of),
            columns: place.columns.indeterminates().terms().to_vec(),
            names: place.names.clone(),
            invariants,
            states: samples.at(place.shown).len(),
        };
        // Facts are small, and so are their bounds.
        described.invariants.retain(|found| {
            found.status != Status::Seen || found.kind() != Kind::Inequality && ranking::is_plausible(found)
        });
        let values = value_polynomials(&terms, &place.columns, samples.at(place.shown));
        ranking::tidy(&mut terms, &mut induction, &mut described, values);
        found.push(described);
    }
    let over_parameters = |terms: &mut Terms, role: Role| -> Vec<(PredicateId, TermId)> {
        let proved = candidates.iter().zip(&proved).filter(|(_, proved)| **proved);
        let here = proved.filter(|((at, _), _)| places[*at].role == role);
        let formulas: Vec<_> = here
            .map(|((at, candidate), _)| (&places[*at], candidate.formula))
            .collect();
        let renamed = formulas.into_iter().map(|(place, formula)| {
            let parameters = &program.predicate(place.of).parameters;
            let renaming = Substitution::of(terms, &shown.predicate(place.shown).parameters, parameters);
            (place.of, terms.substitute(formula, &renaming))
        });
        renamed.collect()
    };
    let inductive = over_parameters(&mut terms, Role::Reached);
    let summaries = over_parameters(&mut terms, Role::Returned);
    let assertions = excluded(program, &mut terms, &mut induction, &inductive, &summaries);
    drop(induction);
    let statistics = InferenceStatistics {
        states: found.iter().map(|place| place.states).sum(),
        rounds: 1,
        seconds: started.elapsed().as_secs_f64(),
        ..InferenceStatistics::default()
    };
    Inference {
        terms,
        places: found,
        assertions,
        inductive,
        summaries,
        induction_depth: 1,
        without_errors,
        samples,
        statistics,
        program: shown,
    }
}

/// The relations that somebody wants to know about: what loops are reached with, and what calls come back with.
fn wanted(program: &Program) -> Vec<(PredicateId, Role)> {
    let graph = DependencyGraph::new(program);
    let own = (2..program.predicates().len()).map(PredicateId::from_index);
    let reached = own.filter(|predicate| graph.is_reachable(*predicate) && graph.is_loop_header(*predicate));
    let mut wanted: Vec<_> = reached.map(|predicate| (predicate, Role::Reached)).collect();
    for rule in program.rules() {
        let calls = rule.body.iter().rev().skip(1);
        wanted.extend(calls.map(|atom| (atom.predicate, Role::Returned)));
    }
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

/// The predicate by which a relation is shown: for calls that have come back one of its own, with the same parameters.
fn twin(shown: &mut Program, of: PredicateId, role: Role) -> PredicateId {
    if role == Role::Reached {
        return of;
    }
    let parameters = shown.predicate(of).parameters.iter();
    let named = parameters.map(|parameter| {
        (
            shown.terms.variable_name(*parameter).to_string(),
            shown.terms.sort(*parameter),
        )
    });
    let parameters: Vec<(String, SortId)> = named.collect();
    let parameters: Vec<(&str, SortId)> = parameters.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
    let name = format!("return of {}", shown.predicate_label(of));
    shown.add_predicate(&name, None, &parameters)
}

/// Values as a state: truth values are one and zero, and what is no number is left out by the columns.
fn state(values: &[Value]) -> State {
    let number = |value: &Value| match value {
        Value::Number(number) => number.clone(),
        Value::Bool(true) => Rational::one(),
        Value::Bool(false) | Value::Float(_) | Value::Array(_) | Value::Datatype(_) => Rational::zero(),
    };
    values.iter().map(number).collect()
}

/// A candidate: its relation, whether it is simple, and what it says, with the relation's parameters for its own.
type Claim = (usize, bool, TermId, Substitution);

fn is_simple(candidate: &Candidate) -> bool {
    match &candidate.shape {
        Shape::Equality(polynomial) => polynomial.degree() <= 1,
        _ => true,
    }
}

/// Which claims are inductive together: first of those that are simple, then of all.
fn proved(terms: &mut Terms, system: &System, claims: &[Claim], stop: &dyn Fn(u64) -> Option<StopReason>) -> Vec<bool> {
    let mut houdini = Houdini::new(system.implications(), RESOURCES);
    let mut positions: Vec<Option<usize>> = vec![None; claims.len()];
    let mut proved = vec![false; claims.len()];
    for simple in [true, false] {
        if !simple {
            houdini.begin_again();
        }
        for (position, (node, is_simple, formula, renaming)) in positions.iter_mut().zip(claims) {
            if *is_simple == simple {
                let formula = terms.substitute(*formula, renaming);
                *position = Some(houdini.believe(*node, formula));
            }
        }
        // What was proved before stays so.
        if houdini.refute(terms, stop).is_err() {
            break;
        }
        let stands = |position: &Option<usize>| position.is_some_and(|position| houdini.stands(position));
        proved = positions.iter().map(stands).collect();
    }
    proved
}

/// The rules into the error, and whether what was proved rules each out.
fn excluded(
    program: &Program,
    terms: &mut Terms,
    induction: &mut Induction<'_>,
    reached: &[(PredicateId, TermId)],
    returned: &[(PredicateId, TermId)],
) -> Vec<(RuleId, bool)> {
    let known = |terms: &mut Terms, atom: &Atom, formulas: &[(PredicateId, TermId)]| -> Vec<TermId> {
        let instance = Substitution::of(terms, &program.predicate(atom.predicate).parameters, &atom.arguments);
        let here = formulas.iter().filter(|(predicate, _)| *predicate == atom.predicate);
        here.map(|(_, formula)| terms.substitute(*formula, &instance)).collect()
    };
    let mut assertions = Vec::new();
    for (index, rule) in program.rules().iter().enumerate() {
        let Some(error) = rule.body.iter().position(|atom| atom.predicate == PredicateId::ERROR) else {
            continue;
        };
        let mut store = rule.constraint.clone();
        store.extend(known(terms, &rule.head, reached));
        for atom in &rule.body[..error] {
            store.extend(known(terms, atom, returned));
        }
        assertions.push((RuleId::from_index(index), induction.excludes(terms, &store)));
    }
    assertions
}
