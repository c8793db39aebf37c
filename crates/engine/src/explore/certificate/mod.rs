//! A closed tree as a certificate: its states, and where a template was used also the states within the loop, with the values that
//! symbols take from one to the next. Seed 002 says of a template that it describes any number of iterations; here that is written
//! down as an induction over κ, which [the checker](crate::evidence::check_certificate) can follow: the loop is entered with κ = 0,
//! and a whole iteration leads from κ to κ + 1.
//!
//! What an iteration reads becomes the element κ of the array for what is read there, the way it goes that of the array of ways, and
//! the value of a history at κ + 1 is what the iteration makes of it. An array that the loop defines is the one that it holds.
//!
//! ```text
//! node, classic        its steps lead to its children
//! node, covered        within the node that covers it
//! node, template       within `loop`, κ = 0
//!   loop               along each core back to `loop`, κ + 1; along each way out to a child
//!     between          the states on these paths, one for each edge that several of them share
//!     inner loop       one that is a single step of these paths: the states after some of its iterations
//! ```
//!
//! `loops` writes what is within loops, `values` says what their symbols are.

mod loops;
mod values;

use super::search::{Edge, Ending, Node, Search};
use super::state::{Location, State};
use crate::evidence::{Certificate, ForAll, Inclusion, Successors, SymbolicState, SymbolicStep};
use crate::steps::TransitionId;
use crate::terms::{Substitution, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use values::Renaming;

/// More states than this are not written down.
const MOST_STATES: usize = 20_000;

/// The certificate of a tree that is closed and has no failed leaf, not yet checked; or why there is none.
pub(super) fn certificate(search: &mut Search) -> Result<Certificate, String> {
    if search.context.program.has_calls() {
        return Err("rules with calls are not followed".to_string());
    }
    if !search.context.powers.is_empty() {
        return Err("a progression is geometric".to_string());
    }
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for (position, node) in search.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children.entry(parent).or_default().push(position);
        }
    }
    let mut writer = Writer {
        search,
        children,
        states: Vec::new(),
        of_node: HashMap::new(),
    };
    writer.write_nodes()?;
    // Covered nodes lie in what others lie in, so the others come first.
    let is_covered = |node: &Node| matches!(node.ending, Ending::Covered(_));
    let (covered, others): (Vec<usize>, Vec<usize>) =
        (0..writer.search.nodes.len()).partition(|node| is_covered(&writer.search.nodes[*node]));
    for node in others.into_iter().chain(covered) {
        writer.write_successors(node)?;
    }
    let states = writer.states;
    Ok(Certificate::of_symbolic_states(search.context.terms.clone(), states))
}

/// A state that is entered, and the values of those of its symbols that change.
type Entry = (usize, Renaming);

struct Writer<'s, 'a> {
    search: &'s mut Search<'a>,
    children: HashMap<usize, Vec<usize>>,
    states: Vec<SymbolicState>,
    /// The states of the nodes.
    of_node: HashMap<usize, usize>,
}

impl Writer<'_, '_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.search.context.terms
    }

    fn write_nodes(&mut self) -> Result<(), String> {
        for position in 0..self.search.nodes.len() {
            let state = self.search.nodes[position].state.clone();
            if let Location::Predicate(_) = state.location {
                let written = self.write_state(&state)?;
                self.of_node.insert(position, written);
            }
        }
        Ok(())
    }

    /// The description of a state, without successors.
    fn write_state(&mut self, state: &State) -> Result<usize, String> {
        let Location::Predicate(predicate) = state.location else {
            return Err("a state is at no predicate".to_string());
        };
        if self.states.len() >= MOST_STATES {
            return Err(format!("there are more than {MOST_STATES} states"));
        }
        let context = &mut self.search.context;
        let condition: Vec<TermId> = state.condition.facts.iter().copied().collect();
        let mut quantified: Vec<ForAll> = Vec::new();
        for conjunct in &state.condition.residual {
            quantified.push(ForAll {
                variable: conjunct.variable,
                bound: Some(conjunct.bound),
                body: conjunct.body.clone(),
            });
        }
        let mut roots = [&state.memory[..], &condition].concat();
        for conjunct in &quantified {
            roots.extend(conjunct.bound);
            roots.extend(&conjunct.body);
        }
        // Arrays that are defined element by element, and those in their definitions.
        let mut defined: HashSet<TermId> = HashSet::new();
        while let Some(array) = {
            let inside = context.arrays.inside(&context.terms, &roots);
            inside.into_iter().find(|array| !defined.contains(array))
        } {
            defined.insert(array);
            let Some(definition) = context.arrays.definition_of(array) else {
                continue;
            };
            let read = context.terms.select(array, definition.index);
            let body = vec![context.terms.equal(read, definition.element)];
            roots.extend(&body);
            quantified.push(ForAll {
                variable: definition.index,
                bound: None,
                body,
            });
        }
        let bound: Vec<TermId> = quantified.iter().map(|conjunct| conjunct.variable).collect();
        let mut symbols = context.terms.variables_of_all(&roots);
        symbols.retain(|symbol| !bound.contains(symbol));
        self.states.push(SymbolicState {
            predicate,
            symbols,
            memory: state.memory.clone(),
            condition,
            quantified,
            successors: Successors::Steps(Vec::new()),
        });
        Ok(self.states.len() - 1)
    }

    fn write_successors(&mut self, node: usize) -> Result<(), String> {
        let Some(state) = self.of_node.get(&node).copied() else {
            return Ok(());
        };
        if let Some((template, entered)) = self.search.used.remove(&node) {
            return self.write_loop(node, state, &template, &entered);
        }
        if let Ending::Covered(by) = self.search.nodes[node].ending {
            self.states[state].successors = self.covered(node, by)?;
            return Ok(());
        }
        let mut steps = Vec::new();
        for child in self.children.get(&node).cloned().unwrap_or_default() {
            let Node { edge, .. } = &self.search.nodes[child];
            let Edge::Step(transition, symbols) = edge.clone() else {
                return Err("a state has other than classic steps".to_string());
            };
            let Some(target) = self.of_node.get(&child).copied() else {
                continue;
            };
            let renaming: Renaming = symbols.iter().map(|(local, symbol)| (*symbol, *local)).collect();
            steps.push(self.step(transition, state, &(target, renaming)));
        }
        self.states[state].successors = Successors::Steps(steps);
        Ok(())
    }

    /// A step into a state whose symbols keep their values, but for some.
    fn step(&mut self, transition: TransitionId, from: usize, (target, values): &Entry) -> SymbolicStep {
        SymbolicStep {
            rule: self.search.context.transition(transition).rule,
            into: self.inclusion(from, *target, values),
        }
    }

    /// Values for the symbols of a state: those given, others as they are, or any.
    fn inclusion(&mut self, from: usize, target: usize, values: &Renaming) -> Inclusion {
        let known: HashSet<TermId> = self.states[from].symbols.iter().copied().collect();
        let given: HashMap<TermId, TermId> = values.iter().copied().collect();
        let own = self.search.context.program.terms.len();
        let symbols = self.states[target].symbols.clone();
        let mut of_symbols = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let value = given.get(&symbol).copied().unwrap_or(symbol);
            let terms = self.terms();
            // What is not said of the state is any value; the rule's variables are the program's.
            let is_known = |variable: &TermId| variable.index() < own || known.contains(variable);
            let value = match terms.variables(value).iter().all(is_known) {
                true => value,
                false => default_value(terms, symbol),
            };
            of_symbols.push(value);
        }
        Inclusion {
            state: target,
            values: of_symbols,
        }
    }

    /// A covered node lies in the one that covers it, or in the loop that that one lies in.
    fn covered(&mut self, node: usize, by: usize) -> Result<Successors, String> {
        let missing = || "a state is covered by one that is not there".to_string();
        let Location::Predicate(predicate) = self.search.nodes[node].state.location else {
            return Err(missing());
        };
        let (from, mut target) = match (self.of_node.get(&node), self.of_node.get(&by)) {
            (Some(from), Some(target)) => (*from, *target),
            _ => return Err(missing()),
        };
        let parameters = self.search.context.parameters(predicate);
        let memory = self.search.nodes[node].state.memory.clone();
        let solutions = self
            .search
            .covers
            .solutions(predicate, by)
            .ok_or_else(missing)?
            .to_vec();
        let here = Substitution::of(self.terms(), parameters, &memory);
        let mut values: Renaming = Vec::with_capacity(solutions.len());
        for (symbol, solution) in solutions {
            values.push((symbol, self.terms().substitute(solution, &here)));
        }
        let mut inclusion = self.inclusion(from, target, &values);
        if let Successors::Within(outer) = self.states[target].successors.clone() {
            let symbols = self.states[target].symbols.clone();
            let inner = Substitution::of(self.terms(), &symbols, &inclusion.values);
            target = outer.state;
            inclusion = Inclusion {
                state: target,
                values: self.terms().substitute_all(&outer.values, &inner),
            };
        }
        Ok(Successors::Within(inclusion))
    }
}

/// Some value of a symbol's sort.
fn default_value(terms: &mut Terms, symbol: TermId) -> TermId {
    let sort = terms.sort(symbol);
    let value = terms.default_value(sort);
    terms.value_term(&value, sort)
}
