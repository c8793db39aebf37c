//! COMPRESSTRACE and CHECKSAFEINV (seed 000, Fig. 3).
//!
//! The trace is followed symbolically. At every loop header BIID looks for an invariant; if the rest of the trace, taken from
//! the invariant instead of from the state, still implies the target, the iterations are replaced by it. Otherwise the loop
//! is unrolled once, which is nothing but following the trace, and the next visit of the header is another chance.

use super::biid::{Exit, LoopInvariant, Method, loop_invariant};
use super::sources::{Representation, candidates};
use super::symbolic::{Context, target_of};
use super::trace::{Trace, TraceStep};
use super::walk::Walk;
use super::{CompressError, InputValues, Options};
use crate::rules::PredicateId;
use crate::steps::Target as Leads;
use crate::terms::{Assignment, TermId, Value};
use std::ops::Range;

/// So many visits of a header in a row are all tried; behind them, one whenever their number has doubled. A loop that could
/// not be compressed so often hardly ever can.
const TRIED_VISITS: usize = 64;

/// A part of a compressed trace.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// The step of the trace with this number.
    Step(usize),
    /// A loop invariant in the place of iterations.
    Invariant(Found),
}

/// An invariant that was found for iterations of a trace.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The loop.
    pub number: usize,
    /// The steps that it stands for.
    pub covers: Range<usize>,
    /// The formulas over the header's parameters.
    pub invariant: Vec<TermId>,
    /// Where the loop is left, if the steps from the header to there are left out, too.
    pub exit: Option<Exit>,
    /// In which form the loop's states were looked at.
    pub representation: Representation,
}

impl Found {
    /// Where the compressed trace goes on, and what is known there.
    pub fn end(&self, context: &Context<'_>) -> Exit {
        self.exit.clone().unwrap_or_else(|| Exit {
            predicate: context.loops.numbered(self.number).header,
            formulas: self.invariant.clone(),
        })
    }
}

/// A trace with the formula it implies.
pub(super) struct Task<'t> {
    pub steps: &'t [TraceStep],
    trace: &'t Trace,
    /// The target: formulas over the parameters of the predicate reached.
    pub target: Vec<TermId>,
    /// What is known there beside, because it belongs to the trace: the condition under which a loop was left.
    pub assumed: Vec<TermId>,
    /// That predicate.
    pub target_predicate: PredicateId,
    /// Whether inputs have the values that they had in the execution.
    pub pinned: bool,
    /// For each step that starts at the header of a loop, the last visit of it before the loop is left; otherwise the step.
    last_visit: Vec<u32>,
}

impl<'t> Task<'t> {
    /// The part of a trace that leads to the target.
    pub fn new(
        context: &mut Context<'_>,
        trace: &'t Trace,
        target: &super::Target,
        inputs: InputValues,
    ) -> Result<Task<'t>, CompressError> {
        let Ending {
            length,
            target,
            assumed,
        } = match target {
            super::Target::Error => before_error(context, trace)?,
            super::Target::Formula(formulas) => Ending {
                length: trace.steps.len(),
                target: formulas.clone(),
                assumed: Vec::new(),
            },
        };
        let steps = &trace.steps[..length];
        let last = steps.last().ok_or(CompressError::NoTarget)?;
        let transition = context.transition(last.transition);
        let Leads::Goal(target_predicate) = transition.target else {
            return Err(CompressError::NoTarget);
        };
        let mut task = Task {
            steps,
            trace,
            target,
            assumed,
            target_predicate,
            pinned: inputs == InputValues::AsRead,
            last_visit: last_visits(context, steps, target_predicate),
        };
        if !task.is_implied(context)? {
            if inputs != InputValues::Automatic {
                return Err(CompressError::TargetNotImplied);
            }
            task.pinned = true;
            if !task.is_implied(context)? {
                return Err(CompressError::TargetNotImplied);
            }
        }
        Ok(task)
    }

    /// Whether the whole trace implies the target.
    fn is_implied(&self, context: &mut Context<'_>) -> Result<bool, CompressError> {
        let mut walk = Walk::from_query();
        self.follow(context, &mut walk, 0..self.steps.len())?;
        Ok(walk.implies(context, &self.target))
    }

    /// Follows some steps; at the end of the trace, what is assumed there holds.
    pub fn follow(&self, context: &mut Context<'_>, walk: &mut Walk, steps: Range<usize>) -> Result<(), CompressError> {
        let is_end = steps.end == self.steps.len();
        walk.follow(context, self.steps, steps, self.pinned)?;
        if is_end {
            walk.assume(context, &self.assumed);
        }
        Ok(())
    }

    /// Whether the steps imply formulas if they start from an invariant.
    pub fn leads_to(
        &self,
        context: &mut Context<'_>,
        header: PredicateId,
        invariant: &[TermId],
        steps: Range<usize>,
        wanted: &[TermId],
    ) -> Result<bool, CompressError> {
        let mut walk = Walk::from(context.at_header(header, invariant));
        self.follow(context, &mut walk, steps)?;
        Ok(walk.implies(context, wanted))
    }

    /// CHECKSAFEINV.
    fn is_safe(
        &self,
        context: &mut Context<'_>,
        header: PredicateId,
        invariant: &[TermId],
        exit: usize,
    ) -> Result<bool, CompressError> {
        self.leads_to(context, header, invariant, exit..self.steps.len(), &self.target)
    }

    /// Leaves out what the execution itself refutes at some visit of the header: it cannot be invariant.
    fn not_refuted(
        &self,
        context: &Context<'_>,
        header: PredicateId,
        range: Range<usize>,
        mut formulas: Vec<TermId>,
    ) -> Vec<TermId> {
        let parameters = &context.program.predicate(header).parameters;
        let visits = self.trace.visits.iter();
        for visit in visits.filter(|visit| range.contains(&visit.position)) {
            let step = &self.trace.steps[visit.position];
            if context.program.rule(step.rule).head.predicate != header {
                continue;
            }
            let values: Assignment = parameters.iter().copied().zip(visit.values.iter().cloned()).collect();
            formulas.retain(|formula| context.terms.holds(*formula, &values) != Some(false));
        }
        formulas
    }
}

/// Where a trace implies its target.
struct Ending {
    length: usize,
    target: Vec<TermId>,
    assumed: Vec<TermId>,
}

/// The trace up to the last condition before the error, and this condition: what the failed property denies. The part of it
/// by which a loop is left or gone on with is no target but a step of the trace.
fn before_error(context: &mut Context<'_>, trace: &Trace) -> Result<Ending, CompressError> {
    for (length, step) in trace.steps.iter().enumerate().rev() {
        let transition = context.transition(step.transition);
        let is_last = length + 1 == trace.steps.len();
        if is_last && transition.target != Leads::Error {
            return Err(CompressError::NoError);
        }
        if transition.guard.is_empty() {
            continue;
        }
        let values: Assignment = step.inputs.iter().cloned().collect();
        let parts = at_header(context, predicate_of(context, step), &transition.guard);
        let mut instances = |formulas: &[TermId]| -> Vec<TermId> {
            let instances = formulas.iter().map(|formula| with_values(context, *formula, &values));
            instances.filter(|formula| *formula != TermId::TRUE).collect()
        };
        let (mut target, leaving) = (instances(&parts.others), instances(&parts.leaving));
        let mut assumed = instances(&parts.staying);
        match target.is_empty() {
            true => target = leaving,
            false => assumed.extend(leaving),
        }
        if target.is_empty() {
            target = std::mem::take(&mut assumed);
        }
        if length > 0 && !target.is_empty() {
            return Ok(Ending {
                length,
                target,
                assumed,
            });
        }
    }
    Err(CompressError::NoTarget)
}

fn predicate_of(context: &Context<'_>, step: &TraceStep) -> PredicateId {
    context.program.rule(step.rule).head.predicate
}

/// The parts of a condition at a place, which may be the header of a loop.
#[derive(Default)]
struct AtHeader {
    /// Those by which the loop is left: together they exclude every way to go on in it, and none can be done without.
    leaving: Vec<TermId>,
    /// Those that hold on every way to go on in it.
    staying: Vec<TermId>,
    /// The others.
    others: Vec<TermId>,
}

fn at_header(context: &mut Context<'_>, place: PredicateId, condition: &[TermId]) -> AtHeader {
    let mut parts = AtHeader {
        others: condition.to_vec(),
        ..AtHeader::default()
    };
    let Some(number) = context.loops.headed_by(place) else {
        return parts;
    };
    let mut ways: Vec<Vec<TermId>> = Vec::new();
    for id in context.transitions.of(place).to_vec() {
        let transition = context.transition(id);
        if matches!(transition.target, Leads::Goal(next) if context.loops.numbered(number).includes(next)) {
            ways.push(transition.guard.clone());
        }
    }
    let excluded = |context: &mut Context<'_>, formulas: &[TermId]| {
        let mut ways = ways.iter();
        ways.all(|way| context.is_unsatisfiable(way, formulas))
    };
    if ways.is_empty() || !excluded(context, condition) {
        return parts;
    }
    parts.leaving = condition.to_vec();
    for formula in condition {
        let without: Vec<TermId> = parts.leaving.iter().copied().filter(|other| other != formula).collect();
        if excluded(context, &without) {
            parts.leaving = without;
        }
    }
    parts.others.clear();
    for formula in condition {
        if parts.leaving.contains(formula) {
            continue;
        }
        let denied = context.terms.not(*formula);
        match excluded(context, &[denied]) {
            true => parts.staying.push(*formula),
            false => parts.others.push(*formula),
        }
    }
    parts
}

fn with_values(context: &mut Context<'_>, formula: TermId, values: &Assignment) -> TermId {
    let terms = &mut context.terms;
    let mut substitution = crate::terms::Substitution::new();
    for variable in terms.variables(formula) {
        let constant = match values.get(&variable) {
            Some(Value::Bool(value)) => terms.boolean(*value),
            Some(Value::Number(value)) => {
                let sort = terms.sort(variable);
                terms.number(value.clone(), sort)
            }
            _ => continue,
        };
        substitution.insert(terms, variable, constant);
    }
    terms.substitute(formula, &substitution)
}

fn last_visits(context: &Context<'_>, steps: &[TraceStep], end: PredicateId) -> Vec<u32> {
    let position = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    let mut last: Vec<u32> = (0..steps.len()).map(position).collect();
    // The loops that the walk, from the end, is inside of, with the last visit of the header.
    let mut inside: Vec<(usize, u32)> = Vec::new();
    if let Some(number) = context.loops.headed_by(end) {
        inside.push((number, position(steps.len())));
    }
    for (index, step) in steps.iter().enumerate().rev() {
        let predicate = context.program.rule(step.rule).head.predicate;
        inside.retain(|(number, _)| context.loops.numbered(*number).includes(predicate));
        if let Some(number) = context.loops.headed_by(predicate) {
            match inside.iter().find(|(other, _)| *other == number) {
                Some((_, visit)) => last[index] = *visit,
                None => inside.push((number, position(index))),
            }
        }
    }
    last
}

/// What COMPRESSTRACE made of a trace, before generalization.
pub(super) struct Compressed {
    /// The compressed trace.
    pub parts: Vec<Part>,
    /// For each loop that had to be unrolled, by its header, how often.
    pub unrolled: Vec<(PredicateId, usize)>,
}

/// COMPRESSTRACE but for the generalization at its end.
pub(super) fn compress_trace(
    context: &mut Context<'_>,
    task: &Task<'_>,
    options: &Options,
) -> Result<Compressed, CompressError> {
    let mut walk = Walk::from_query();
    let mut compressed = Compressed {
        parts: Vec::new(),
        unrolled: Vec::new(),
    };
    let mut visits: Vec<usize> = vec![0; context.program.predicates().len()];
    let mut position = 0;
    while position < task.steps.len() {
        context.poll()?;
        let predicate = walk.state.predicate;
        let exit = task.last_visit[position] as usize;
        if let Some(number) = context.loops.headed_by(predicate).filter(|_| exit > position) {
            let count = &mut visits[predicate.index()];
            *count += 1;
            let is_tried = *count <= TRIED_VISITS || count.is_power_of_two();
            let found = match is_tried {
                true => safe_invariant(context, task, options, &walk, number, position..exit)?,
                false => None,
            };
            if let Some(found) = found {
                *count = 0;
                let end = found.end(context);
                walk = Walk::from(context.at_header(end.predicate, &end.formulas));
                position = found.covers.end;
                compressed.parts.push(Part::Invariant(found));
                continue;
            } else {
                match compressed.unrolled.iter_mut().find(|(header, _)| *header == predicate) {
                    Some((_, times)) => *times += 1,
                    None => compressed.unrolled.push((predicate, 1)),
                }
            }
        }
        compressed.parts.push(Part::Step(position));
        walk.advance(context, &task.steps[position], task.pinned);
        position += 1;
    }
    Ok(compressed)
}

/// An invariant of a loop from the state where it is entered, if one is found that is safe: the strongest, in the simplest
/// representation that says as much behind the loop.
fn safe_invariant(
    context: &mut Context<'_>,
    task: &Task<'_>,
    options: &Options,
    walk: &Walk,
    number: usize,
    covers: Range<usize>,
) -> Result<Option<Found>, CompressError> {
    let header = walk.state.predicate;
    let exit = covers.end;
    let state = context.evaluation(&walk.state);
    let found = |invariant: Vec<TermId>, representation: Representation| Found {
        number,
        covers: covers.clone(),
        invariant,
        exit: None,
        representation,
    };
    let offered_in = |context: &mut Context<'_>, representation: Representation| {
        let offered = candidates(context, header, &state, representation, &options.offered);
        task.not_refuted(context, header, covers.start..exit + 1, offered)
    };
    let invariant_of = |context: &mut Context<'_>, offered: &[TermId], representation: Representation| {
        let found = loop_invariant(context, number, offered, offered, None, method(options, representation))?;
        Ok::<_, CompressError>(found.map(|LoopInvariant { believed, .. }| believed))
    };
    let strongest = options.representation;
    let offered = offered_in(context, strongest);
    // What is not safe with all that could be invariant cannot become safe by giving some of it up.
    if !task.is_safe(context, header, &offered, exit)? {
        return Ok(None);
    }
    let Some(best) = invariant_of(context, &offered, strongest)? else {
        return Ok(None);
    };
    if best != offered && !task.is_safe(context, header, &best, exit)? {
        return Ok(None);
    }
    for simpler in [Representation::Plain, Representation::Slackened] {
        if simpler >= strongest {
            break;
        }
        let offered = offered_in(context, simpler);
        let Some(invariant) = invariant_of(context, &offered, simpler)? else {
            continue;
        };
        // Behind the loop the invariant is met by the condition under which it is left. If it then says as much as the other
        // one, it is safe as well.
        let mut behind = invariant.clone();
        match task.steps.get(exit) {
            Some(step) => behind.extend_from_slice(&context.transition(step.transition).guard),
            None => behind.extend_from_slice(&task.assumed),
        }
        if best.iter().all(|formula| context.entails(&behind, *formula)) {
            return without_last_turn(context, task, options, found(invariant, simpler)).map(Some);
        }
    }
    without_last_turn(context, task, options, found(best, strongest)).map(Some)
}

/// Leaves out the steps from the last visit of the header to where the loop is left, too, if that is safe. In the seed loops
/// are left at their headers; in C, as often as not, somewhere else.
fn without_last_turn(
    context: &mut Context<'_>,
    task: &Task<'_>,
    options: &Options,
    found: Found,
) -> Result<Found, CompressError> {
    let start = found.covers.end;
    let members = context.loops.numbered(found.number).clone();
    let leads_out = |step: &TraceStep| !members.includes(target_of(context.transitions.get(step.transition)));
    let Some(turn) = task.steps.iter().skip(start).position(leads_out) else {
        return Ok(found);
    };
    let end = start + turn + 1;
    if turn == 0 {
        return Ok(found);
    }
    let mut walk = Walk::from(context.at_header(members.header, &found.invariant));
    walk.follow(context, task.steps, start..end, task.pinned)?;
    let predicate = walk.state.predicate;
    let state = context.evaluation(&walk.state);
    let formulas = candidates(context, predicate, &state, found.representation, &options.offered);
    let (invariant, exit) = (&found.invariant, Exit { predicate, formulas });
    let method = method(options, found.representation);
    let proof = loop_invariant(context, found.number, invariant, invariant, Some(exit), method)?;
    let Some(exit) = proof
        .filter(|proof| proof.believed == *invariant)
        .and_then(|proof| proof.exit)
    else {
        return Ok(found);
    };
    if !task.leads_to(context, predicate, &exit.formulas, end..task.steps.len(), &task.target)? {
        return Ok(found);
    }
    Ok(Found {
        covers: found.covers.start..end,
        exit: Some(exit),
        ..found
    })
}

/// How BIID proceeds under some options.
pub(super) fn method(options: &Options, representation: Representation) -> Method<'_> {
    Method {
        representation,
        offered: &options.offered,
        states: options.states,
    }
}
