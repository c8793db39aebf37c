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

use super::search::{Edge, Ending, Node, Search};
use super::state::{Location, State};
use super::summaries::Summary;
use super::template::{Renewed, Template, inside};
use crate::evidence::{Certificate, ForAll, Inclusion, Successors, SymbolicState, SymbolicStep};
use crate::steps::TransitionId;
use crate::terms::{SortId, Substitution, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// More states than this are not written down.
const MOST_STATES: usize = 20_000;

/// The certificate of a tree that is closed and has no failed leaf, not yet checked; or why there is none.
pub(super) fn certificate(search: &mut Search) -> Result<Certificate, String> {
    if search.context.program.rules().iter().any(|rule| rule.body.len() > 1) {
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

/// A path through a loop, and what is at its end.
struct Path<'p> {
    edges: &'p [TransitionId],
    end: PathEnd,
}

#[derive(Clone, Copy)]
enum PathEnd {
    /// One more iteration of a phase, along one of its cores.
    Again { phase: usize, core: usize },
    /// A way out, to a node.
    Exit(usize),
}

/// A template that was used at a node.
struct Used<'u> {
    template: &'u Template,
    entered: &'u Renewed,
    /// The arrays that it defines, and those that stand for them.
    arrays: Vec<(TermId, TermId)>,
    /// The state after whole iterations.
    state: usize,
}

/// What the symbols of a transition's own variables are called in the states behind it.
type Renaming = Vec<(TermId, TermId)>;

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

    /// The states within a loop that a template was used for.
    fn write_loop(&mut self, node: usize, at: usize, template: &Rc<Template>, entered: &Renewed) -> Result<(), String> {
        let (after, arrays) = inside(&mut self.search.context, entered, template);
        let state = self.write_state(&after)?;
        let used = Used {
            template,
            entered,
            arrays,
            state,
        };
        let before = self.search.nodes[node].state.memory.clone();
        let values = self.not_yet(&used, &before)?;
        self.states[at].successors = Successors::Within(self.inclusion(at, state, &values));
        let mut paths: Vec<Path> = Vec::new();
        for (phase, of_phase) in template.phases.iter().enumerate() {
            for (core, edges) in of_phase.cores.iter().enumerate() {
                let end = PathEnd::Again { phase, core };
                paths.push(Path { edges, end });
            }
        }
        for child in self.children.get(&node).cloned().unwrap_or_default() {
            let Edge::Template(_, way, _) = &self.search.nodes[child].edge else {
                return Err("a loop is left by other than its ways out".to_string());
            };
            let exit = template.exits.get(*way).ok_or("a way out is missing")?;
            paths.push(Path {
                edges: &exit.path,
                end: PathEnd::Exit(child),
            });
        }
        let paths: Vec<&Path> = paths.iter().collect();
        self.write_paths(&used, state, &after, &paths, &mut Vec::new())
    }

    /// The steps from a state within a loop, after so many edges of some paths, and the states behind them. As deep as paths are long.
    fn write_paths(
        &mut self,
        used: &Used,
        at: usize,
        state: &State,
        paths: &[&Path],
        taken: &mut Vec<Renaming>,
    ) -> Result<(), String> {
        let depth = taken.len();
        let mut edges: Vec<TransitionId> = Vec::new();
        for path in paths {
            let edge = path.edges.get(depth).ok_or("a path begins with another")?;
            if !edges.contains(edge) {
                edges.push(*edge);
            }
        }
        let mut steps: Vec<(TransitionId, Entry)> = Vec::new();
        for edge in &edges {
            let edge = *edge;
            let (next, symbols) = self.search.context.step(state, edge);
            if next.condition.facts.contains(&TermId::FALSE) {
                continue;
            }
            let along = paths.iter().copied().filter(|path| path.edges[depth] == edge);
            let (ending, longer): (Vec<&Path>, Vec<&Path>) = along.partition(|path| path.edges.len() == depth + 1);
            let locals: Renaming = symbols.iter().map(|(local, symbol)| (*symbol, *local)).collect();
            for path in ending {
                let (target, values) = match path.end {
                    PathEnd::Again { phase, core } => {
                        let values = self.once_more(used, (phase, core), &next, taken, &locals)?;
                        (used.state, values)
                    }
                    PathEnd::Exit(child) => {
                        let Some(target) = self.of_node.get(&child).copied() else {
                            continue;
                        };
                        (target, self.left(used, child, taken, &locals)?)
                    }
                };
                steps.push((edge, (target, values)));
            }
            if !longer.is_empty() {
                let between = self.write_state(&next)?;
                steps.push((edge, (between, locals)));
                let own = symbols.iter().map(|(local, symbol)| (*local, *symbol));
                taken.push(own.collect());
                let written = self.write_paths(used, between, &next, &longer, taken);
                taken.pop();
                written?;
            }
        }
        let summaries = &self.search.context.summaries;
        let through: Vec<TransitionId> = edges
            .iter()
            .copied()
            .filter(|edge| summaries.contains_key(edge))
            .collect();
        if through.len() == edges.len() {
            return self.write_inner(at, state, &through, &steps);
        }
        if !through.is_empty() {
            return Err("an inner loop is gone through in one step and in many".to_string());
        }
        let steps = steps.iter().map(|(edge, entry)| self.step(*edge, at, entry));
        self.states[at].successors = Successors::Steps(steps.collect());
        Ok(())
    }

    /// The states within an inner loop that is a single step of an outer one: after κ iterations, of which there are no more than
    /// are determined. None of its edges has variables of its own.
    fn write_inner(
        &mut self,
        at: usize,
        state: &State,
        through: &[TransitionId],
        steps: &[(TransitionId, Entry)],
    ) -> Result<(), String> {
        let context = &mut self.search.context;
        let summaries: Vec<Summary> = through
            .iter()
            .filter_map(|edge| context.summaries.get(edge).cloned())
            .collect();
        let (Some(first), Location::Predicate(predicate)) = (summaries.first(), state.location) else {
            return Ok(());
        };
        let mut inner = state.clone();
        let name = inner.fresh_name("κ");
        let counter = context.terms.fresh_variable(&name, SortId::INT);
        let zero = context.terms.integer(0);
        let parameters = context.parameters(predicate);
        let mut here = Substitution::of(&context.terms, parameters, &state.memory);
        let count = context.terms.substitute(first.count, &here);
        here.insert(&context.terms, first.counter, counter);
        inner.memory = context.terms.substitute_all(&first.memory, &here);
        for bound in [
            context.terms.less_or_equal(zero, counter),
            context.terms.less_or_equal(counter, count),
        ] {
            context.assume(&mut inner.condition, bound);
        }
        let one = context.terms.integer(1);
        let counted = context.terms.add(counter, one);
        let within = self.write_state(&inner)?;
        self.states[at].successors = Successors::Within(self.inclusion(at, within, &vec![(counter, zero)]));
        let mut paths: Vec<(&[TransitionId], Vec<&Entry>)> = Vec::new();
        let again: Entry = (within, vec![(counter, counted)]);
        paths.push((&first.core, vec![&again]));
        for (edge, summary) in through.iter().zip(&summaries) {
            let entries = steps.iter().filter(|(other, _)| other == edge).map(|(_, entry)| entry);
            paths.push((&summary.path, entries.collect()));
        }
        self.write_inner_paths(within, &inner, &paths, 0)
    }

    /// The steps from a state within an inner loop, after so many edges of some paths, and the states behind them.
    fn write_inner_paths(
        &mut self,
        at: usize,
        state: &State,
        paths: &[(&[TransitionId], Vec<&Entry>)],
        depth: usize,
    ) -> Result<(), String> {
        let mut edges: Vec<TransitionId> = Vec::new();
        for (path, _) in paths {
            let edge = path.get(depth).ok_or("a path begins with another")?;
            if !edges.contains(edge) {
                edges.push(*edge);
            }
        }
        let mut steps = Vec::new();
        for edge in edges {
            let (next, _) = self.search.context.step(state, edge);
            if next.condition.facts.contains(&TermId::FALSE) {
                continue;
            }
            let along = paths.iter().filter(|(path, _)| path[depth] == edge).cloned();
            let (ending, longer): (Vec<_>, Vec<_>) = along.partition(|(path, _)| path.len() == depth + 1);
            for entry in ending.iter().flat_map(|(_, entries)| entries) {
                steps.push(self.step(edge, at, entry));
            }
            if !longer.is_empty() {
                let between = self.write_state(&next)?;
                steps.push(self.step(edge, at, &(between, Vec::new())));
                self.write_inner_paths(between, &next, &longer, depth + 1)?;
            }
        }
        self.states[at].successors = Successors::Steps(steps);
        Ok(())
    }

    /// The symbols of a loop that has just been entered with these values of the parameters.
    fn not_yet(&mut self, used: &Used, before: &[TermId]) -> Result<Renaming, String> {
        let mut values: Renaming = Vec::new();
        let zero = self.terms().integer(0);
        for (phase, applied) in used.template.phases.iter().zip(&used.entered.phases) {
            values.push((applied.counter, zero));
            for count in &phase.counts {
                values.push((self.renewed(used, *count), zero));
            }
            for (position, history) in &phase.histories {
                let history = self.renewed(used, *history);
                values.push((history, self.constant(history, before[*position])));
            }
        }
        self.hold(used, before, &mut values)?;
        Ok(values)
    }

    /// The symbols of a loop after one more iteration, whose edges but the last have given their own variables names; those of the
    /// last are the rule's own.
    fn once_more(
        &mut self,
        used: &Used,
        (number, core): (usize, usize),
        next: &State,
        taken: &[Renaming],
        last: &Renaming,
    ) -> Result<Renaming, String> {
        let named = {
            let (symbols, locals): (Vec<TermId>, Vec<TermId>) = last.iter().copied().unzip();
            Substitution::of(self.terms(), &symbols, &locals)
        };
        let after = self.terms().substitute_all(&next.memory, &named);
        let mut values: Renaming = Vec::new();
        let one = self.terms().integer(1);
        let phases = used.template.phases.iter().zip(&used.entered.phases).enumerate();
        for (position, (phase, applied)) in phases {
            if position > number {
                // Nothing has happened in what comes later.
                for (parameter, history) in &phase.histories {
                    let history = self.renewed(used, *history);
                    values.push((history, self.constant(history, after[*parameter])));
                }
            }
            if position != number {
                continue;
            }
            let counter = applied.counter;
            let counted = self.terms().add(counter, one);
            values.push((counter, counted));
            if let Some(choice) = applied.choice {
                let terms = self.terms();
                let way = terms.integer(core as u64);
                values.push((choice, terms.store(choice, counter, way)));
            }
            for (count, symbol) in phase.counts.iter().enumerate() {
                if count == core {
                    let symbol = self.renewed(used, *symbol);
                    values.push((symbol, self.terms().add(symbol, one)));
                }
            }
            for (parameter, history) in &phase.histories {
                let history = self.renewed(used, *history);
                values.push((history, self.terms().store(history, counted, after[*parameter])));
            }
            for input in applied.inputs.iter().filter(|input| input.core == core) {
                // In the last edge it is the rule's own variable.
                let read = match taken.get(input.step) {
                    Some(names) => names
                        .iter()
                        .find(|(local, _)| *local == input.local)
                        .map(|(_, name)| *name),
                    None => Some(input.local),
                };
                let read = read.ok_or("what an iteration reads has no name")?;
                values.push((input.array, self.terms().store(input.array, counter, read)));
            }
        }
        self.hold(used, &after, &mut values)?;
        Ok(values)
    }

    /// The symbols of a node behind a way out.
    fn left(&mut self, used: &Used, child: usize, taken: &[Renaming], last: &Renaming) -> Result<Renaming, String> {
        let Edge::Template(_, _, application) = self.search.nodes[child].edge.clone() else {
            return Err("a loop is left by other than its ways out".to_string());
        };
        let mut values: Renaming = Vec::new();
        for (step, symbols) in application.symbols.iter().enumerate() {
            for (local, symbol) in symbols {
                let value = match taken.get(step) {
                    Some(names) => names.iter().find(|(own, _)| own == local).map(|(_, name)| *name),
                    None => last.iter().find(|(_, own)| own == local).map(|(_, own)| *own),
                };
                values.extend(value.map(|value| (*symbol, value)));
            }
        }
        for (array, symbol) in application.arrays {
            let here = used.arrays.iter().find(|(other, _)| *other == array);
            let (_, here) = here.ok_or("an array that a loop defines is not there")?;
            values.push((symbol, *here));
        }
        Ok(values)
    }

    /// The arrays that a loop defines are what it holds.
    fn hold(&mut self, used: &Used, held: &[TermId], values: &mut Renaming) -> Result<(), String> {
        for (array, symbol) in &used.arrays {
            let position = used.template.memory.iter().position(|term| term == array);
            let position = position.ok_or("an array that a loop defines is not what it holds")?;
            values.push((*symbol, held[position]));
        }
        Ok(())
    }

    fn renewed(&mut self, used: &Used, symbol: TermId) -> TermId {
        self.terms().substitute(symbol, &used.entered.substitution)
    }

    fn constant(&mut self, array: TermId, value: TermId) -> TermId {
        let terms = self.terms();
        let sort = terms.sort(array);
        terms.constant_array(sort, value)
    }
}

/// Some value of a symbol's sort.
fn default_value(terms: &mut Terms, symbol: TermId) -> TermId {
    let sort = terms.sort(symbol);
    let value = terms.default_value(sort);
    terms.value_term(&value, sort)
}
