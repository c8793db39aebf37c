//! Templates (seed 002, Algorithm 1): for each way out of a cycle the state after any number κ of iterations and the step that
//! leaves it, and their composition with the state that enters the cycle.

use super::context::{Context, Symbols};
use super::cycles::{Answered, Cycle, guards_are_satisfiable};
use super::defined::Definition;
use super::joint::{Turn, counted, join_turns};
use super::progressions::Progressions;
use super::state::{Location, Quantified, State, subscript, superscript};
use crate::rules::PredicateId;
use crate::steps::TransitionId;
use crate::steps::elimination::flatten;
use crate::terms::{SortId, Substitution, TermId};

/// A template. Its terms are over the parameters of the entry, the κ and τ of its phases, and symbols of its own.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub entry: PredicateId,
    /// What is gone through one after the other; mostly one phase.
    pub phases: Vec<Phase>,
    /// Other symbols of its own: histories of values, and how often each core is taken.
    pub symbols: Vec<TermId>,
    /// The memory after all phases.
    pub memory: Vec<TermId>,
    /// What has to hold beside.
    pub facts: Vec<TermId>,
    pub exits: Vec<TemplateExit>,
}

impl Template {
    /// The cores of all phases.
    pub fn cores(&self) -> impl Iterator<Item = &Vec<TransitionId>> {
        self.phases.iter().flat_map(|phase| &phase.cores)
    }
}

/// Any number of iterations along some cores.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// The cores that an iteration goes along one of.
    pub cores: Vec<Vec<TransitionId>>,
    /// κ.
    pub counter: TermId,
    /// τ.
    pub iteration: TermId,
    /// With several cores: the array that says which one each iteration takes.
    pub choice: Option<TermId>,
    /// The unknown values that an iteration reads.
    pub inputs: Vec<Input>,
    /// The values that are kept as histories: the parameter's position, and the array with a value for each iteration.
    pub histories: Vec<(usize, TermId)>,
    /// With several cores: how often each is taken.
    pub counts: Vec<TermId>,
    /// What has to hold in iteration τ.
    pub body: Vec<TermId>,
}

/// An unknown value that every iteration reads anew: an array with one element for each iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    /// Which core, and which edge of it, reads it.
    pub core: usize,
    pub step: usize,
    /// The transition's own variable.
    pub local: TermId,
    pub array: TermId,
}

/// A way out of a cycle.
#[derive(Clone, Debug)]
pub(super) struct TemplateExit {
    /// The edges after the last whole iteration.
    pub path: Vec<TransitionId>,
    pub location: Location,
    pub memory: Vec<TermId>,
    pub guards: Vec<TermId>,
    /// For each edge the symbols of its transition's own variables.
    pub symbols: Vec<Symbols>,
}

/// How often an applied template was gone through, and what it read.
#[derive(Clone, Debug)]
pub(super) struct Application {
    pub phases: Vec<AppliedPhase>,
    /// For each edge after the last whole iteration the symbols of its transition's own variables.
    pub symbols: Vec<Symbols>,
    /// The arrays that the template defines, and those that stand for them here.
    pub arrays: Vec<(TermId, TermId)>,
}

/// The symbols of a phase of an applied template.
#[derive(Clone, Debug)]
pub(super) struct AppliedPhase {
    pub counter: TermId,
    pub choice: Option<TermId>,
    pub inputs: Vec<Input>,
}

/// The template of cycles with one entry, in phases, of which a run goes through the earlier ones first; nothing if its
/// computation fails. With `extended`, there may be several cycles in a phase, and values that follow no progression are kept as
/// histories.
pub(super) fn compute(context: &mut Context, phases: &[Vec<Cycle>], extended: bool) -> Option<Template> {
    let entry = phases.first()?.first()?.entry;
    let parameters = context.parameters(entry);
    let mut template = Template {
        entry,
        phases: Vec::with_capacity(phases.len()),
        symbols: Vec::new(),
        memory: parameters.to_vec(),
        facts: Vec::new(),
        exits: Vec::new(),
    };
    for (number, cycles) in phases.iter().enumerate() {
        let name = match phases.len() {
            1 => "κ".to_string(),
            _ => format!("κ{}", superscript(number + 1)),
        };
        let computed = compute_phase(context, cycles, &name, extended)?;
        // Definitions of arrays are no part of the terms, so that what is before them cannot be put in.
        let mut roots = computed.memory.clone();
        roots.extend(computed.phase.body.iter().chain(&computed.facts));
        if phases.len() > 1 && !context.arrays.inside(&context.terms, &roots).is_empty() {
            return None;
        }
        let before = Substitution::of(&context.terms, parameters, &template.memory);
        let mut phase = computed.phase;
        let body = context.terms.substitute_all(&phase.body, &before);
        phase.body = flatten(&context.terms, &body);
        let facts = context.terms.substitute_all(&computed.facts, &before);
        template.facts.extend(flatten(&context.terms, &facts));
        template.memory = context.terms.substitute_all(&computed.memory, &before);
        template.symbols.extend(computed.symbols);
        template.phases.push(phase);
    }
    template.exits = exits(context, &phases.concat(), &template.memory);
    Some(template)
}

/// A phase, the memory after it, and what has to hold beside, over the parameters before it.
pub(super) struct ComputedPhase {
    pub phase: Phase,
    pub memory: Vec<TermId>,
    pub facts: Vec<TermId>,
    pub symbols: Vec<TermId>,
}

/// Any number of iterations along some cycles, κ by this name.
pub(super) fn compute_phase(
    context: &mut Context,
    cycles: &[Cycle],
    name: &str,
    extended: bool,
) -> Option<ComputedPhase> {
    let entry = cycles.first()?.entry;
    let counter = context.terms.fresh_variable(name, SortId::INT);
    let iteration = context.terms.fresh_variable("τ", SortId::INT);
    let mut inputs = Vec::new();
    let mut turns = Vec::with_capacity(cycles.len());
    for (core, cycle) in cycles.iter().enumerate() {
        turns.push(one_turn(context, cycle, core, iteration, &mut inputs));
    }
    let parameters = context.parameters(entry);
    let joint = join_turns(context, &turns, iteration);
    let mut progressions = Progressions::new(parameters, counter, iteration);
    progressions.find_all(context, &joint.memory);
    let mut histories = Vec::new();
    while let Some(position) = progressions.next_unknown(context, &joint.memory) {
        if !extended {
            return None;
        }
        let parameter = parameters[position];
        let sort = context.terms.sort(parameter);
        let sort = context.terms.array_sort(SortId::INT, sort);
        let name = format!("{}*", context.terms.variable_name(parameter));
        let history = context.terms.fresh_variable(&name, sort);
        let value = context.terms.select(history, counter);
        progressions.know(position, value);
        progressions.find_all(context, &joint.memory);
        histories.push((position, history));
    }
    let mut body = Vec::with_capacity(joint.guards.len());
    for guard in &joint.guards {
        body.push(progressions.at_iteration(context, *guard, iteration));
    }
    let mut facts = Vec::new();
    let (zero, one) = (context.terms.integer(0), context.terms.integer(1));
    for (position, history) in &histories {
        // H[0] is the value before, H[τ + 1] what iteration τ makes of H[τ].
        let first = context.terms.select(*history, zero);
        facts.push(context.terms.equal(first, parameters[*position]));
        let next = context.terms.add(iteration, one);
        let next = context.terms.select(*history, next);
        let after = progressions.at_iteration(context, joint.memory[*position], iteration);
        body.push(context.terms.equal(next, after));
    }
    let mut symbols: Vec<TermId> = histories.iter().map(|(_, history)| *history).collect();
    let mut counts = Vec::new();
    if turns.len() > 1 {
        let counted = counted(context, parameters, &turns, &histories, counter);
        facts.extend(counted.facts);
        symbols.extend(&counted.symbols);
        counts = counted.symbols;
    }
    let body = flatten(&context.terms, &body);
    let after = progressions.after(context, counter);
    let phase = Phase {
        cores: cycles.iter().map(|cycle| cycle.core.clone()).collect(),
        counter,
        iteration,
        choice: joint.choice,
        inputs,
        histories,
        counts,
        body,
    };
    Some(ComputedPhase {
        phase,
        memory: after,
        facts: flatten(&context.terms, &facts),
        symbols,
    })
}

/// One iteration along a core, its inputs being elements of arrays.
fn one_turn(context: &mut Context, cycle: &Cycle, core: usize, iteration: TermId, inputs: &mut Vec<Input>) -> Turn {
    let once = context.execute_path(cycle.entry, &cycle.core, &mut str::to_string);
    let mut as_elements = Substitution::new();
    for (step, symbols) in once.symbols.iter().enumerate() {
        for (local, symbol) in symbols {
            let sort = context.terms.sort(*symbol);
            let sort = context.terms.array_sort(SortId::INT, sort);
            let name = context.terms.variable_name(*local).to_string();
            let array = context.terms.fresh_variable(&name, sort);
            let element = context.terms.select(array, iteration);
            as_elements.insert(&context.terms, *symbol, element);
            inputs.push(Input {
                core,
                step,
                local: *local,
                array,
            });
        }
    }
    let guards = context.terms.substitute_all(&once.guards, &as_elements);
    Turn {
        memory: context.terms.substitute_all(&once.memory, &as_elements),
        guards: flatten(&context.terms, &guards),
    }
}

/// The ways out of the cores: every path that begins as a core does and leaves all of them with its last edge.
fn exits(context: &mut Context, cycles: &[Cycle], after: &[TermId]) -> Vec<TemplateExit> {
    let mut paths: Vec<Vec<TransitionId>> = Vec::new();
    for cycle in cycles {
        for (position, edge) in &cycle.exits {
            let mut path = cycle.core[..*position].to_vec();
            path.push(*edge);
            let goes_on = cycles.iter().any(|other| other.core.starts_with(&path));
            if !goes_on && !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    let mut exits = Vec::new();
    for path in paths {
        let Some(cycle) = cycles.first() else { break };
        exits.extend(exit_along(context, cycle.entry, path, after));
    }
    exits
}

/// The way out along a path from the entry, if it is one that can be taken.
pub(super) fn exit_along(
    context: &mut Context,
    entry: PredicateId,
    path: Vec<TransitionId>,
    after: &[TermId],
) -> Option<TemplateExit> {
    let left = context.execute_path(entry, &path, &mut str::to_string);
    // One whose feasibility is not known stays: whether it can be taken is asked again where the template is used.
    if guards_are_satisfiable(context, &left) == Answered::No {
        return None;
    }
    let substitution = Substitution::of(&context.terms, context.parameters(entry), after);
    let memory = context.terms.substitute_all(&left.memory, &substitution);
    let memory = context.arrays.expand_all(&mut context.terms, &memory);
    let guards = context.terms.substitute_all(&left.guards, &substitution);
    let guards = context.arrays.expand_all(&mut context.terms, &guards);
    Some(TemplateExit {
        path,
        location: left.location,
        memory,
        guards: flatten(&context.terms, &guards),
        symbols: left.symbols,
    })
}

/// What is new in an application of a template, whichever way out is taken.
pub(super) struct Renewed {
    /// The state in the loop, its memory still that before it.
    pub state: State,
    /// What stands for the template's symbols and the parameters of its entry.
    pub substitution: Substitution,
    pub phases: Vec<AppliedPhase>,
}

/// The state after any number of whole iterations of an applied template, and the arrays that stand for those that it defines.
pub(super) fn inside(context: &mut Context, entered: &Renewed, template: &Template) -> (State, Vec<(TermId, TermId)>) {
    let mut state = entered.state.clone();
    let mut substitution = entered.substitution.clone();
    let arrays = define_anew(context, &mut state, &mut substitution, &template.memory);
    let memory = context.terms.substitute_all(&template.memory, &substitution);
    state.memory = context.arrays.expand_all(&mut context.terms, &memory);
    (state, arrays)
}

/// Arrays that the loop has defined are defined anew over what the state holds.
fn define_anew(
    context: &mut Context,
    state: &mut State,
    substitution: &mut Substitution,
    roots: &[TermId],
) -> Vec<(TermId, TermId)> {
    let mut renewed = Vec::new();
    for array in context.arrays.inside(&context.terms, roots) {
        if let Some(definition) = context.arrays.definition_of(array) {
            let element = context.terms.substitute(definition.element, substitution);
            let element = context.arrays.expand(&mut context.terms, element);
            let wanted = context.terms.variable_name(array).to_string();
            let name = state.fresh_name(&wanted);
            let sort = context.terms.sort(array);
            let definition = Definition { element, ..definition };
            let fresh = context.arrays.define(&mut context.terms, &name, sort, definition);
            substitution.insert(&context.terms, array, fresh);
            renewed.push((array, fresh));
        }
    }
    renewed
}

/// The state that enters a template's cycle, with counters and inputs of its own (Algorithm 2, lines 12 and 13).
pub(super) fn enter(context: &mut Context, state: &State, template: &Template) -> Renewed {
    let mut state = state.clone();
    let mut substitution = Substitution::of(&context.terms, context.parameters(template.entry), &state.memory);
    let mut phases = Vec::with_capacity(template.phases.len());
    for phase in &template.phases {
        let name = match state.counters.len() {
            0 => "κ".to_string(),
            count => format!("κ{}", subscript(u32::try_from(count + 1).unwrap_or(u32::MAX))),
        };
        let counter = context.terms.fresh_variable(&name, SortId::INT);
        substitution.insert(&context.terms, phase.counter, counter);
        state.counters.push_back(counter);
        let choice = phase
            .choice
            .map(|choice| renewed(context, &mut state, &mut substitution, choice));
        phases.push(AppliedPhase {
            counter,
            choice,
            inputs: Vec::with_capacity(phase.inputs.len()),
        });
    }
    for symbol in &template.symbols {
        renewed(context, &mut state, &mut substitution, *symbol);
    }
    let zero = context.terms.integer(0);
    for (phase, applied) in template.phases.iter().zip(&mut phases) {
        for input in &phase.inputs {
            let array = renewed(context, &mut state, &mut substitution, input.array);
            applied.inputs.push(Input { array, ..*input });
        }
        // κ ≥ 0 ∧ ∀τ (0 ≤ τ < κ → …)
        let natural = context.terms.less_or_equal(zero, applied.counter);
        context.assume(&mut state.condition, natural);
        let body = context.terms.substitute_all(&phase.body, &substitution);
        let body = context.arrays.expand_all(&mut context.terms, &body);
        let quantified = Quantified {
            variable: phase.iteration,
            bound: applied.counter,
            body: flatten(&context.terms, &body),
        };
        context.assume_for_all(&mut state.condition, quantified);
    }
    let facts = context.terms.substitute_all(&template.facts, &substitution);
    for fact in context.arrays.expand_all(&mut context.terms, &facts) {
        context.assume(&mut state.condition, fact);
    }
    Renewed {
        state,
        substitution,
        phases,
    }
}

/// A symbol of a template's own, new for this application.
fn renewed(context: &mut Context, state: &mut State, substitution: &mut Substitution, symbol: TermId) -> TermId {
    let name = state.fresh_name(context.terms.variable_name(symbol));
    let fresh = context.terms.fresh_variable(&name, context.terms.sort(symbol));
    substitution.insert(&context.terms, symbol, fresh);
    fresh
}

/// The state after a way out of a template's cycle (Algorithm 2, line 15).
pub(super) fn leave(context: &mut Context, entered: &Renewed, exit: &TemplateExit) -> (State, Application) {
    let mut state = entered.state.clone();
    let mut substitution = entered.substitution.clone();
    let mut renewed = Vec::with_capacity(exit.symbols.len());
    for symbols in &exit.symbols {
        let mut of_step = Vec::with_capacity(symbols.len());
        for (local, symbol) in symbols {
            let name = state.fresh_name(context.terms.variable_name(*local));
            let fresh = context.terms.fresh_variable(&name, context.terms.sort(*symbol));
            substitution.insert(&context.terms, *symbol, fresh);
            of_step.push((*local, fresh));
        }
        renewed.push(of_step);
    }
    let roots = [&exit.memory[..], &exit.guards].concat();
    let arrays = define_anew(context, &mut state, &mut substitution, &roots);
    let memory = context.terms.substitute_all(&exit.memory, &substitution);
    state.memory = context.arrays.expand_all(&mut context.terms, &memory);
    state.location = exit.location;
    let guards = context.terms.substitute_all(&exit.guards, &substitution);
    for guard in context.arrays.expand_all(&mut context.terms, &guards) {
        context.assume(&mut state.condition, guard);
    }
    for phase in &entered.phases {
        if let Some(value) = context.only_value(&state.condition, phase.counter) {
            state = context.with_counter(&state, phase.counter, &value);
        }
    }
    let application = Application {
        phases: entered.phases.clone(),
        symbols: renewed,
        arrays,
    };
    (state, application)
}
