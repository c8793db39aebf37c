//! Guesses at what holds whenever a rule may be used: what the states of runs under its guard have in common.
//!
//! A program whose threads take turns does one thing after another in a state that is told apart by variables with few values. What is known of
//! its other variables depends on what may be done next: where the third thread can run, the token is what the first one has got and two more.
//! So each rule's guard, and each part of it of one or two literals, is asked of the states that random runs have come to, at every predicate
//! that has the same variables (`steps/same_variables`), and what these states [have in common](super::columns) is guessed. Of a variable that is
//! only ever set to constants (`steps/control`) its values are something to have in common; others are numbers. Seed 001 infers in the same
//! way what holds at a location, which is a condition that programs with locations need not find.
//!
//! Most of that says the same thing in several ways: that two threads are not active at once follows from what the token is where each of them
//! is. So what follows from guesses before it is none, and equations come first.

use super::columns::{Columns, Wanted};
use super::offers::{Guesses, Offered};
use super::system::{Node, Role, System};
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::solver::{Answer, LINEAR_EFFORT, Layer, LinearLayer};
use crate::steps::rows::Rows;
use crate::steps::{ControlVariables, SameVariables, Transitions};
use crate::terms::{Assignment, Operator, Substitution, TermId, Terms, Value};
use hashbrown::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};

/// So many states agree before that is taken for more than an accident.
const SUPPORT: u32 = 4;
/// Inputs are large numbers, which span nothing but accidents where there are few of them.
const WANTED: Wanted = Wanted {
    together: 2,
    spare: 2,
    largest: 10_000,
};
/// The literals of one guard that are looked at, the first; and those of all, with their pairs.
const MOST_OF_GUARD: usize = 12;
const MOST_GUARDS: usize = 2_000;
/// Guesses about one predicate.
const MOST_OF_PREDICATE: usize = 2_000;
/// The work of asking whether a guess follows from others, beside what linear arithmetic looks at.
const QUESTION: u64 = 4;
/// So many states looked at are a unit of work.
const STATES: u64 = 128;

/// Guesses about what is reached.
pub(super) struct UnderGuards {
    tables: Vec<Table>,
}

/// The states of one predicate.
struct Table {
    predicate: PredicateId,
    columns: Columns,
    /// Conditions on them, each with the states in which it holds; those about control variables first, and of these the shortest.
    guards: Vec<(Vec<TermId>, Rows)>,
}

/// Literals about parameters of one predicate that some rule has together in its guard.
type Guard = (PredicateId, Vec<TermId>);

impl UnderGuards {
    /// What there is to look at: for each node states of its predicate, as values of the parameters. Nothing where no variable is set to
    /// constants alone.
    pub fn new(terms: &mut Terms, program: &Program, system: &System, states: &[Vec<Vec<Value>>]) -> UnderGuards {
        let transitions = Transitions::new(program, terms);
        let graph = DependencyGraph::new(program);
        let control = ControlVariables::new(program, &graph, &transitions, terms);
        let same = SameVariables::new(program, &transitions);
        let guards = guards(terms, program, &transitions);
        let mut tables = Vec::new();
        for (node, states) in system.nodes.iter().zip(states) {
            let rows: Vec<&Vec<Value>> = states.iter().collect();
            let control = control.of_loop(program, node.predicate);
            if node.role != Role::Reached || rows.len() as u32 <= SUPPORT || control.is_empty() {
                continue;
            }
            let guards = guards_at(terms, program, (&guards, &same), (node, &control), states);
            tables.push(Table::new(terms, node, &rows, &control, guards));
        }
        UnderGuards { tables }
    }
}

/// The parts of guards of one literal and of two, that are about parameters.
fn guards(terms: &Terms, program: &Program, transitions: &Transitions) -> BTreeSet<Guard> {
    let mut found = BTreeSet::new();
    for predicate in (0..program.predicates().len()).map(PredicateId::from_index) {
        let parameters = &program.predicate(predicate).parameters;
        for id in transitions.of(predicate) {
            let is_own = |literal: &TermId| {
                let variables = terms.variables(*literal);
                let is_atom = !matches!(terms.operator(*literal), Operator::And | Operator::Or);
                is_atom && !variables.is_empty() && variables.iter().all(|one| parameters.contains(one))
            };
            let guard = transitions.get(*id).guard.iter().copied();
            let guard: Vec<TermId> = guard.filter(is_own).take(MOST_OF_GUARD).collect();
            for (position, one) in guard.iter().enumerate() {
                found.insert((predicate, vec![*one]));
                let others = guard[position + 1..].iter();
                found.extend(others.map(|other| (predicate, vec![*one, *other])));
            }
            if found.len() > MOST_GUARDS {
                return found;
            }
        }
    }
    found
}

/// Those guards that can be asked at a node, each kind of states once.
fn guards_at(
    terms: &mut Terms,
    program: &Program,
    (guards, same): (&BTreeSet<Guard>, &SameVariables),
    (node, control): (&Node, &[TermId]),
    states: &[Vec<Value>],
) -> Vec<(Vec<TermId>, Rows)> {
    // Of two with the same states the one about control variables says what may be done there, and the other what is to be guessed.
    let rank = |terms: &Terms, literals: &[TermId]| {
        let is_calculated = |literal: &&TermId| !terms.variables(**literal).iter().all(|one| control.contains(one));
        (
            literals.iter().filter(is_calculated).count(),
            literals.len(),
            literals.to_vec(),
        )
    };
    let mut best: BTreeMap<Rows, (usize, usize, Vec<TermId>)> = BTreeMap::new();
    let assigned = |state: &Vec<Value>| node.parameters.iter().copied().zip(state.iter().cloned()).collect();
    let states: Vec<Assignment> = states.iter().map(assigned).collect();
    let mut holding: HashMap<TermId, Rows> = HashMap::new();
    for (predicate, literals) in guards {
        let own = &program.predicate(*predicate).parameters;
        let variables = terms.variables_of_all(literals);
        let there = variables.iter().map(|variable| {
            let position = own.iter().position(|parameter| parameter == variable)?;
            let position = same.position_in((*predicate, position), node.predicate)?;
            node.parameters.get(position).copied()
        });
        let Some(there) = there.collect::<Option<Vec<TermId>>>() else {
            continue;
        };
        let renaming = Substitution::of(terms, &variables, &there);
        let literals = terms.substitute_all(literals, &renaming);
        let mut of = |literal: TermId| -> Rows {
            let rows = holding.entry(literal);
            let holds = || Rows::of(states.iter().map(|state| terms.holds(literal, state) == Some(true)));
            rows.or_insert_with(holds).clone()
        };
        let all = Rows::of(states.iter().map(|_| true));
        let rows = literals.iter().fold(all, |rows, literal| rows.and(&of(*literal)));
        if !(SUPPORT..states.len() as u32).contains(&rows.count()) {
            continue;
        }
        let rank = rank(terms, &literals);
        match best.get_mut(&rows) {
            Some(known) if *known <= rank => {}
            Some(known) => *known = rank,
            None => drop(best.insert(rows, rank)),
        }
    }
    let mut found: Vec<_> = best.into_iter().map(|(rows, rank)| (rank, rows)).collect();
    found.sort();
    found
        .into_iter()
        .map(|((.., literals), rows)| (literals, rows))
        .collect()
}

impl Table {
    /// The states of a node, told apart by guards.
    fn new(
        terms: &mut Terms,
        node: &Node,
        rows: &[&Vec<Value>],
        control: &[TermId],
        guards: Vec<(Vec<TermId>, Rows)>,
    ) -> Table {
        let mut columns = Columns::new(terms, &node.parameters, rows, control);
        // A comparison that guards make can hold under another guard, too.
        for (literals, rows) in &guards {
            if let [literal] = literals[..]
                && columns.flags.iter().all(|(_, known)| known != rows)
            {
                columns.flags.push((literal, rows.clone()));
            }
        }
        Table {
            predicate: node.predicate,
            columns,
            guards,
        }
    }

    /// What states have in common, everywhere and under guards: which values there are, and then what is about numbers first.
    fn guesses(&self, terms: &mut Terms, spend: &dyn Fn(u64) -> bool) -> Vec<TermId> {
        let everywhere = (Vec::new(), Rows::of((0..self.columns.count).map(|_| true)));
        let mut guessed: HashMap<TermId, Vec<&Rows>> = HashMap::new();
        let (mut of_numbers, mut of_flags) = (Vec::new(), Vec::new());
        for (guard, rows) in std::iter::once(&everywhere).chain(&self.guards) {
            if of_numbers.len() + of_flags.len() >= MOST_OF_PREDICATE || spend(u64::from(rows.count()).div_ceil(STATES))
            {
                break;
            }
            let denied: Vec<TermId> = guard.iter().map(|literal| terms.not(*literal)).collect();
            for conclusion in self.columns.common(terms, rows, WANTED) {
                let known = guessed.entry(conclusion).or_default();
                let parts = [&denied[..], &[conclusion]].concat();
                let guess = terms.or(&parts);
                if guess == TermId::TRUE || known.iter().any(|wider| rows.is_within(wider)) {
                    continue;
                }
                // What a guard says of its own variables tells of no other guard's.
                let about = terms.variables(conclusion);
                if !terms.variables_of_all(guard).iter().any(|one| about.contains(one)) {
                    known.push(rows);
                }
                match self.columns.flags.iter().any(|(flag, _)| *flag == conclusion) {
                    true => of_flags.push(guess),
                    false => of_numbers.push(guess),
                }
            }
        }
        let domains = self.columns.domains.iter().copied();
        domains.chain(of_numbers).chain(of_flags).collect()
    }
}

impl Guesses for UnderGuards {
    fn guess(&mut self, terms: &mut Terms, _stand: &HashSet<TermId>, spend: &dyn Fn(u64) -> bool) -> Vec<Offered> {
        let mut offered = Vec::new();
        // All at once: what they have in common is seen in the first round.
        for table in std::mem::take(&mut self.tables) {
            let mut known = LinearLayer::default();
            for formula in table.guesses(terms, spend) {
                let before = known.effort();
                let denial = terms.not(formula);
                known.push();
                known.assume(terms, denial);
                // What linear arithmetic does not decide does not follow plainly.
                let follows = known.check(terms) == Answer::Unsatisfiable;
                known.pop(1);
                if spend(QUESTION + (known.effort() - before) / LINEAR_EFFORT) {
                    return Vec::new();
                }
                if !follows {
                    known.assume(terms, formula);
                    offered.push(Offered {
                        predicate: table.predicate,
                        formula,
                        implied_by: Vec::new(),
                    });
                }
            }
        }
        offered
    }
}

#[cfg(test)]
mod tests;
