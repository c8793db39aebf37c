//! One template for several cycles: an iteration goes along one of the cores, and an array says which. What all cores agree on
//! stays as it is for one core; where they differ, values are chosen by the array.
//!
//! How often each core was taken is a counter of its own. Where the cores change a variable by constants their effects commute, so
//! that its value is known from the counters alone, whatever the order: facts that the solver would otherwise have to find by
//! induction.

use super::context::Context;
use crate::terms::{SortId, TermId};

/// One iteration along a core.
pub(super) struct Turn {
    pub memory: Vec<TermId>,
    pub guards: Vec<TermId>,
}

/// An iteration along one of the cores.
pub(super) struct Joint {
    /// The array with the number of the core for each iteration, if there are several.
    pub choice: Option<TermId>,
    pub memory: Vec<TermId>,
    pub guards: Vec<TermId>,
}

/// Facts with symbols of their own.
pub(super) struct Counted {
    pub facts: Vec<TermId>,
    pub symbols: Vec<TermId>,
}

/// Joins iterations along different cores.
pub(super) fn join_turns(context: &mut Context, turns: &[Turn], iteration: TermId) -> Joint {
    if let [only] = turns {
        return Joint {
            choice: None,
            memory: only.memory.clone(),
            guards: only.guards.clone(),
        };
    }
    let terms = &mut context.terms;
    let sort = terms.array_sort(SortId::INT, SortId::INT);
    let choice = terms.fresh_variable("way", sort);
    let chosen = terms.select(choice, iteration);
    let mut guards: Vec<TermId> = Vec::new();
    let (zero, end) = (terms.integer(0), terms.integer(turns.len() as u64));
    guards.push(terms.less_or_equal(zero, chosen));
    guards.push(terms.less(chosen, end));
    let everywhere = |guard: &TermId| turns.iter().all(|turn| turn.guards.contains(guard));
    let mut taken = Vec::with_capacity(turns.len());
    for (number, turn) in turns.iter().enumerate() {
        let number = terms.integer(number as u64);
        let this = terms.equal(chosen, number);
        taken.push(this);
        for guard in &turn.guards {
            if everywhere(guard) {
                if !guards.contains(guard) {
                    guards.push(*guard);
                }
                continue;
            }
            guards.push(terms.implies(this, *guard));
        }
    }
    let width = turns.first().map_or(0, |turn| turn.memory.len());
    let mut memory = Vec::with_capacity(width);
    for position in 0..width {
        let mut values = turns.iter().map(|turn| turn.memory[position]).zip(&taken).rev();
        let last = values.next().map_or(TermId::TRUE, |(value, _)| value);
        memory.push(values.fold(last, |rest, (value, this)| terms.if_then_else(*this, value, rest)));
    }
    Joint {
        choice: Some(choice),
        memory,
        guards,
    }
}

/// What follows from how often each core is taken, for the values that are kept as histories.
pub(super) fn counted(
    context: &mut Context,
    parameters: &[TermId],
    turns: &[Turn],
    histories: &[(usize, TermId)],
    counter: TermId,
) -> Counted {
    let terms = &mut context.terms;
    let mut counted = Counted {
        facts: Vec::new(),
        symbols: Vec::new(),
    };
    let zero = terms.integer(0);
    let mut sum = zero;
    // In a template with several phases the counters have numbers already.
    let of_phase = terms.variable_name(counter).to_string();
    let point = if of_phase == "κ" { "" } else { "·" };
    for number in 0..turns.len() {
        let name = format!("{of_phase}{point}{}", super::state::superscript(number + 1));
        let count = terms.fresh_variable(&name, SortId::INT);
        counted.facts.push(terms.less_or_equal(zero, count));
        sum = terms.add(sum, count);
        counted.symbols.push(count);
    }
    counted.facts.push(terms.equal(sum, counter));
    for (position, history) in histories {
        let parameter = parameters[*position];
        let end = terms.select(*history, counter);
        if !terms.sort(parameter).is_numeric() {
            continue;
        }
        let mut total = Some(parameter);
        let mut outcomes = vec![terms.equal(end, parameter)];
        for (turn, count) in turns.iter().zip(&counted.symbols) {
            let after = turn.memory[*position];
            let step = terms.subtract(after, parameter);
            let constant = terms.number_value(step).is_some();
            total = match total {
                Some(total) if constant && terms.sort(parameter) == SortId::INT => {
                    let part = terms.multiply(step, *count);
                    Some(terms.add(total, part))
                }
                _ => None,
            };
            if terms.number_value(after).is_some() {
                outcomes.push(terms.equal(end, after));
            }
        }
        if let Some(total) = total {
            counted.facts.push(terms.equal(end, total));
        }
        let only_set = turns.iter().all(|turn| {
            let after = turn.memory[*position];
            after == parameter || terms.number_value(after).is_some()
        });
        if only_set {
            counted.facts.push(terms.or(&outcomes));
        }
    }
    counted
}
