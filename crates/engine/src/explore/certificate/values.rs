//! Which values the symbols of a loop have when it is entered, after one more iteration, and behind a way out.

use crate::explore::template::{Application, Renewed, Template};
use crate::terms::{TermId, Terms};

/// Symbols with what stands for them: a transition's own variables and what they are called in the states behind it, or the values
/// that symbols have.
pub(super) type Renaming = Vec<(TermId, TermId)>;

/// A template that was used at a node.
pub(super) struct Used<'u> {
    pub template: &'u Template,
    pub entered: &'u Renewed,
    /// The arrays that it defines, and those that stand for them.
    pub arrays: Vec<(TermId, TermId)>,
}

impl Used<'_> {
    /// The symbols of a loop that has just been entered with these values of the parameters.
    pub fn not_yet(&self, terms: &mut Terms, before: &[TermId]) -> Result<Renaming, String> {
        let mut values: Renaming = Vec::new();
        let zero = terms.integer(0);
        for (phase, applied) in self.template.phases.iter().zip(&self.entered.phases) {
            values.push((applied.counter, zero));
            for count in &phase.counts {
                values.push((self.renewed(terms, *count), zero));
            }
            for (position, history) in &phase.histories {
                let history = self.renewed(terms, *history);
                values.push((history, constant(terms, history, before[*position])));
            }
        }
        self.hold(before, &mut values)?;
        Ok(values)
    }

    /// The symbols of a loop after one more iteration of a phase, along one of its cores, which leads to these values of the
    /// parameters. The edges but the last have given their own variables names; those of the last are the rule's own.
    pub fn once_more(
        &self,
        terms: &mut Terms,
        (number, core): (usize, usize),
        after: &[TermId],
        taken: &[Renaming],
    ) -> Result<Renaming, String> {
        let mut values: Renaming = Vec::new();
        let one = terms.integer(1);
        for (position, (phase, applied)) in self.template.phases.iter().zip(&self.entered.phases).enumerate() {
            if position > number {
                // Nothing has happened in what comes later.
                for (parameter, history) in &phase.histories {
                    let history = self.renewed(terms, *history);
                    values.push((history, constant(terms, history, after[*parameter])));
                }
            }
            if position != number {
                continue;
            }
            let counter = applied.counter;
            let counted = terms.add(counter, one);
            values.push((counter, counted));
            if let Some(choice) = applied.choice {
                let way = terms.integer(core as u64);
                values.push((choice, terms.store(choice, counter, way)));
            }
            if let Some(count) = phase.counts.get(core) {
                let count = self.renewed(terms, *count);
                values.push((count, terms.add(count, one)));
            }
            for (parameter, history) in &phase.histories {
                let history = self.renewed(terms, *history);
                values.push((history, terms.store(history, counted, after[*parameter])));
            }
            for input in applied.inputs.iter().filter(|input| input.core == core) {
                let read = named(taken, input.step, input.local).ok_or("what an iteration reads has no name")?;
                values.push((input.array, terms.store(input.array, counter, read)));
            }
        }
        self.hold(after, &mut values)?;
        Ok(values)
    }

    /// The symbols of a node behind a way out.
    pub fn left(&self, application: &Application, taken: &[Renaming]) -> Result<Renaming, String> {
        let mut values: Renaming = Vec::new();
        for (step, symbols) in application.symbols.iter().enumerate() {
            for (local, symbol) in symbols {
                values.extend(named(taken, step, *local).map(|value| (*symbol, value)));
            }
        }
        for (array, symbol) in &application.arrays {
            let here = self.arrays.iter().find(|(other, _)| other == array);
            let (_, here) = here.ok_or("an array that a loop defines is not there")?;
            values.push((*symbol, *here));
        }
        Ok(values)
    }

    /// The arrays that a loop defines are what it holds.
    fn hold(&self, held: &[TermId], values: &mut Renaming) -> Result<(), String> {
        for (array, symbol) in &self.arrays {
            let position = self.template.memory.iter().position(|term| term == array);
            let position = position.ok_or("an array that a loop defines is not what it holds")?;
            values.push((*symbol, held[position]));
        }
        Ok(())
    }

    /// What stands for a symbol of the template.
    fn renewed(&self, terms: &mut Terms, symbol: TermId) -> TermId {
        terms.substitute(symbol, &self.entered.substitution)
    }
}

/// What a transition's own variable is called after some edges: in the last one it is the rule's own.
fn named(taken: &[Renaming], step: usize, local: TermId) -> Option<TermId> {
    match taken.get(step) {
        Some(names) => names.iter().find(|(own, _)| *own == local).map(|(_, name)| *name),
        None => Some(local),
    }
}

fn constant(terms: &mut Terms, array: TermId, value: TermId) -> TermId {
    let sort = terms.sort(array);
    terms.constant_array(sort, value)
}
