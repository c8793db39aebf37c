//! The search: what is asked about next, and what is learnt from the answers.
//!
//! An *obligation* is a cube of a node that would lead into the error; it asks whether the cube is reached in at most so many
//! steps, its level. [`Search::settle`] answers it: by facts it is reached; by a model of an implication it becomes a question
//! about one of the premises, a step earlier; or it is closed, and the reason is learnt as an entry of the memo table, as
//! general as it can be made ([`super::generalization`]). When the error is closed at one level, the next one begins. Entries
//! that hold a step longer are moved up, and when a level has none of its own left, those above are inductive.

use super::generalization::generalize;
use super::guards::{guarded, missing_guards};
use super::implicant::implicant;
use super::kernel::{ALWAYS, Fact, GaveUp, Kernel, Known, entries_below};
use super::projection::project;
use super::system::NodeId;
use crate::engine::StopReason;
use crate::solver::Answer;
use crate::steps::model::Model;
use crate::terms::TermId;
use hashbrown::HashSet;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How many steps more than twice its level an obligation may lead back.
const SLACK: usize = 3;

/// What leads into the error.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    pub node: NodeId,
    pub cube: Vec<TermId>,
    /// How many steps it is away from the error.
    pub depth: usize,
}

/// How a search ended.
pub(super) enum Found {
    /// The entries from this level on are inductive and exclude the error.
    Inductive(usize),
    /// The error is reached: by this fact.
    Reached(usize),
}

/// What became of an obligation.
pub(super) enum Settled {
    /// It is reached, by a fact.
    Reached(usize),
    /// It is not reached at its level, but up to this one.
    Closed(usize),
    /// Something else has to be known first.
    Asks(Obligation),
}

/// What leads to an obligation.
pub(super) enum Leading {
    /// It is reached: a new fact.
    Fact(usize),
    /// This would have to be reached a step earlier.
    Premise(Obligation),
    /// Nothing does, because of these literals.
    Nothing(HashSet<TermId>),
}

/// The obligations, those of low levels first; within a level those near the error, and of these the newest.
pub(super) struct Search<'w> {
    pub kernel: Kernel,
    queue: BTreeMap<(usize, usize, Reverse<u64>), Obligation>,
    /// Obligations that are closed at the highest level, to be asked about again at the next.
    later: Vec<Obligation>,
    made: u64,
    /// How many obligations were settled or asked about.
    pub states: u64,
    pub level: usize,
    /// Says why to stop, if there is a reason; given the number of obligations, the work, and the level.
    pub stop: &'w dyn Fn(u64, u64, u64) -> Option<StopReason>,
}

impl<'w> Search<'w> {
    pub fn new(kernel: Kernel, stop: &'w dyn Fn(u64, u64, u64) -> Option<StopReason>) -> Search<'w> {
        Search {
            kernel,
            queue: BTreeMap::new(),
            later: Vec::new(),
            made: 0,
            states: 0,
            level: 0,
            stop,
        }
    }

    /// Searches until the error is reached or excluded.
    pub fn run_out(&mut self) -> Result<Found, StopReason> {
        loop {
            if let Some(found) = self.run(u64::MAX)? {
                return Ok(found);
            }
        }
    }

    /// [`Search::run_out`], or until the kernel has done so much work in all: then the search can be gone on with.
    pub fn run(&mut self, most: u64) -> Result<Option<Found>, StopReason> {
        let error = self.kernel.system.error;
        loop {
            if self.queue.is_empty() {
                let root = Obligation {
                    node: error,
                    cube: Vec::new(),
                    depth: 0,
                };
                self.put(root, self.level);
                for obligation in std::mem::take(&mut self.later) {
                    self.put(obligation, self.level);
                }
            }
            loop {
                if self.kernel.work() >= most {
                    return Ok(None);
                }
                let Some(((level, ..), obligation)) = self.queue.pop_first() else {
                    break;
                };
                self.states += 1;
                if let Some(reason) = self.stopped() {
                    return Err(reason);
                }
                let settled = self
                    .settle(&obligation, level)
                    .map_err(|GaveUp| self.gave_up(obligation.node))?;
                match settled {
                    Settled::Reached(fact) if obligation.node == error => return Ok(Some(Found::Reached(fact))),
                    Settled::Reached(_) => {}
                    Settled::Closed(ALWAYS) => {}
                    Settled::Closed(up_to) if up_to >= self.level => {
                        if obligation.node != error {
                            self.later.push(obligation);
                        }
                    }
                    // Asked a step later, it leads further back; how far is limited, or one level would never end.
                    Settled::Closed(up_to) if obligation.depth + up_to > 2 * self.level + SLACK => {
                        self.later.push(obligation);
                    }
                    Settled::Closed(up_to) => self.put(obligation, up_to + 1),
                    Settled::Asks(premise) => {
                        self.put(obligation, level);
                        self.put(premise, level - 1);
                    }
                }
            }
            if let Some(level) = self.move_up().map_err(|GaveUp| self.gave_up(error))? {
                return Ok(Some(Found::Inductive(level)));
            }
            self.level += 1;
        }
    }

    /// Why to stop, if there is a reason.
    pub fn stopped(&self) -> Option<StopReason> {
        (self.stop)(self.states, self.kernel.work(), self.level as u64)
    }

    /// Why nothing is known of a node.
    pub fn gave_up(&self, node: NodeId) -> StopReason {
        let predicate = self.kernel.system.nodes[node.0].predicate;
        self.stopped()
            .unwrap_or_else(|| StopReason::SolverGaveUp(format!("a question about predicate {}", predicate.index())))
    }

    fn put(&mut self, obligation: Obligation, level: usize) {
        self.made += 1;
        self.queue
            .insert((level, obligation.depth, Reverse(self.made)), obligation);
    }

    /// Answers an obligation, or says what has to be known first.
    pub fn settle(&mut self, obligation: &Obligation, level: usize) -> Result<Settled, GaveUp> {
        if let Some(known) = self.subsumed(obligation, level) {
            return Ok(Settled::Closed(known));
        }
        if let Some(fact) = self.reached_by_facts(obligation)? {
            return Ok(Settled::Reached(fact));
        }
        let needed = match self.leading(obligation, level)? {
            Leading::Fact(fact) => return Ok(Settled::Reached(fact)),
            Leading::Premise(premise) => return Ok(Settled::Asks(premise)),
            Leading::Nothing(needed) => needed,
        };
        let whole = obligation.cube.iter().copied();
        let cube = whole.filter(|literal| needed.contains(literal)).collect();
        let cube = guarded(&self.kernel.terms, &obligation.cube, cube);
        let (cube, up_to) = generalize(
            &mut self.kernel,
            obligation.node,
            cube,
            &obligation.cube,
            level,
            self.level,
        )?;
        self.kernel.learn(obligation.node, cube, up_to);
        Ok(Settled::Closed(up_to))
    }

    /// What leads to an obligation, as far as is known a level below.
    pub fn leading(&mut self, obligation: &Obligation, level: usize) -> Result<Leading, GaveUp> {
        let mut needed: HashSet<TermId> = HashSet::new();
        for position in 0..self.kernel.system.nodes[obligation.node.0].clauses.len() {
            let clause = self.kernel.system.nodes[obligation.node.0].clauses[position];
            let premises = self.kernel.system.clauses[clause].premises.len();
            if level == 0 && premises > 0 {
                continue;
            }
            let cube = self.kernel.concluded(clause, &obligation.cube);
            let below = Known::Entries(entries_below(level));
            let mut known = vec![below; premises];
            if self.kernel.ask(clause, &known, &cube)? == Answer::Unsatisfiable {
                let core = self.kernel.core(clause, cube.len());
                needed.extend(core.into_iter().map(|position| obligation.cube[position]));
                continue;
            }
            // As many premises as possible are taken from what is reached; the first that is not is asked about.
            let mut model = self.defined_model(clause, &known, &cube)?;
            let mut reached = 0;
            while reached < premises {
                known[reached] = Known::Facts;
                if self.kernel.ask(clause, &known, &cube)? == Answer::Unsatisfiable {
                    known[reached] = below;
                    break;
                }
                model = self.defined_model(clause, &known, &cube)?;
                reached += 1;
            }
            let taken = self.facts_in(clause, reached, &mut model)?;
            return match reached == premises {
                true => self.reach(clause, taken, model).map(Leading::Fact),
                false => self
                    .premise(clause, &known, &taken, cube, model, obligation.depth)
                    .map(Leading::Premise),
            };
        }
        Ok(Leading::Nothing(needed))
    }

    /// A fact for the obligation, if an implication of several premises gives one from what is reached already: the first one
    /// that may conclude it would otherwise ask for its premises, though another one needs nothing more.
    fn reached_by_facts(&mut self, obligation: &Obligation) -> Result<Option<usize>, GaveUp> {
        // Models of facts about terms often take fields of other constructors, and nothing follows from those.
        if self.kernel.terms.has_compound_sorts() {
            return Ok(None);
        }
        for position in 0..self.kernel.system.nodes[obligation.node.0].clauses.len() {
            let clause = self.kernel.system.nodes[obligation.node.0].clauses[position];
            let premises = &self.kernel.system.clauses[clause].premises;
            let is_known = |node: NodeId| !self.kernel.facts_of[node.0].is_empty();
            if premises.len() < 2 || !premises.iter().all(|premise| is_known(premise.node)) {
                continue;
            }
            let known = vec![Known::Facts; premises.len()];
            let cube = self.kernel.concluded(clause, &obligation.cube);
            if self.kernel.ask(clause, &known, &cube)? == Answer::Satisfiable {
                let mut model = self.defined_model(clause, &known, &cube)?;
                let taken = self.facts_in(clause, known.len(), &mut model)?;
                return self.reach(clause, taken, model).map(Some);
            }
        }
        Ok(None)
    }

    /// Right after a satisfiable question: its model. If that takes some value for a field of another constructor, nothing follows
    /// from it, so one is looked for that does not.
    fn defined_model(&mut self, clause: usize, known: &[Known], cube: &[TermId]) -> Result<Model, GaveUp> {
        let mut model = self.kernel.step_model(clause)?;
        let mut formulas = self.kernel.system.clauses[clause].constraint.clone();
        formulas.extend(cube);
        formulas.retain(|formula| model.holds(&self.kernel.terms, *formula).is_none());
        if formulas.is_empty() {
            return Ok(model);
        }
        let mut extra = cube.to_vec();
        extra.extend(missing_guards(&mut self.kernel.terms, &formulas, &model));
        match self.kernel.try_to_ask(clause, known, &extra) {
            Answer::Satisfiable => self.kernel.step_model(clause),
            _ => Ok(model),
        }
    }

    /// The level up to which an entry closes the obligation by its looks.
    fn subsumed(&self, obligation: &Obligation, level: usize) -> Option<usize> {
        let entries = self.kernel.entries[obligation.node.0].iter();
        entries
            .filter(|entry| entry.level >= level)
            .filter(|entry| entry.cube.iter().all(|literal| obligation.cube.contains(literal)))
            .map(|entry| entry.level)
            .max()
    }

    /// Of each of the first premises a fact that holds in the model.
    fn facts_in(&mut self, clause: usize, reached: usize, model: &mut Model) -> Result<Vec<usize>, GaveUp> {
        let mut taken = Vec::with_capacity(reached);
        for premise in 0..reached {
            let node = self.kernel.system.clauses[clause].premises[premise].node;
            let mut found = None;
            for fact in self.kernel.facts_of[node.0].clone() {
                let formula = self.assumed(clause, premise, self.kernel.facts[fact].formula);
                if model.holds(&self.kernel.terms, formula) == Some(true) {
                    found = Some(fact);
                    break;
                }
            }
            taken.push(found.ok_or(GaveUp)?);
        }
        Ok(taken)
    }

    /// A formula over a node's parameters about the arguments of a premise.
    fn assumed(&mut self, clause: usize, premise: usize, formula: TermId) -> TermId {
        let instance = &self.kernel.system.clauses[clause].premises[premise].instance;
        self.kernel.terms.substitute(formula, instance)
    }

    /// The fact that an implication gives near the model, from facts for all its premises.
    fn reach(&mut self, clause: usize, premises: Vec<usize>, mut model: Model) -> Result<usize, GaveUp> {
        let mut formulas = self.kernel.system.clauses[clause].constraint.clone();
        for (position, fact) in premises.iter().enumerate() {
            let formula = self.assumed(clause, position, self.kernel.facts[*fact].formula);
            formulas.push(formula);
        }
        let conclusion = self.kernel.system.clauses[clause].conclusion.clone();
        let literals = self.seen_from(conclusion.node, &conclusion.arguments, formulas, &mut model)?;
        let formula = self.kernel.terms.and(&literals);
        Ok(self.kernel.reach(Fact {
            node: conclusion.node,
            formula,
            clause,
            premises,
        }))
    }

    /// What the first premise that is not taken from facts would have to be for the implication to conclude the cube.
    fn premise(
        &mut self,
        clause: usize,
        known: &[Known],
        taken: &[usize],
        cube: Vec<TermId>,
        mut model: Model,
        depth: usize,
    ) -> Result<Obligation, GaveUp> {
        let mut formulas = self.kernel.system.clauses[clause].constraint.clone();
        formulas.extend(cube);
        for (position, fact) in taken.iter().enumerate() {
            let formula = self.assumed(clause, position, self.kernel.facts[*fact].formula);
            formulas.push(formula);
        }
        // The premises after it are such as they are believed to be.
        for (position, known) in known.iter().enumerate().skip(taken.len() + 1) {
            let node = self.kernel.system.clauses[clause].premises[position].node;
            let Known::Entries(level) = *known else {
                continue;
            };
            let entries = self.kernel.entries[node.0].iter();
            let believed: Vec<TermId> = entries
                .filter(|entry| entry.level >= level)
                .map(|entry| entry.formula)
                .collect();
            for formula in believed {
                let formula = self.assumed(clause, position, formula);
                // One about a field of another constructor has no value here; the obligation can do without it.
                if model.holds(&self.kernel.terms, formula).is_some() {
                    formulas.push(formula);
                }
            }
        }
        let premise = self.kernel.system.clauses[clause].premises[taken.len()].clone();
        let cube = self.seen_from(premise.node, &premise.arguments, formulas, &mut model)?;
        Ok(Obligation {
            node: premise.node,
            cube,
            depth: depth + 1,
        })
    }

    /// What formulas about an implication's variables say of the arguments of one of its atoms, near the model.
    fn seen_from(
        &mut self,
        node: NodeId,
        arguments: &[TermId],
        formulas: Vec<TermId>,
        model: &mut Model,
    ) -> Result<Vec<TermId>, GaveUp> {
        let terms = &mut self.kernel.terms;
        let parameters = self.kernel.system.nodes[node.0].parameters.clone();
        let mut formulas = formulas;
        for (parameter, argument) in parameters.iter().zip(arguments) {
            model.define(terms, *parameter, *argument).ok_or(GaveUp)?;
            let equation = terms.equal(*parameter, *argument);
            formulas.push(equation);
        }
        let literals = implicant(terms, &formulas, model).ok_or(GaveUp)?;
        let keep = |variable: TermId| parameters.contains(&variable);
        project(terms, &literals, model, &keep).ok_or(GaveUp)
    }

    /// Moves entries up that hold a step longer. The level that has none of its own left, if there is one.
    fn move_up(&mut self) -> Result<Option<usize>, GaveUp> {
        for level in 1..=self.level {
            let mut stays = false;
            for node in 0..self.kernel.entries.len() {
                for position in 0..self.kernel.entries[node].len() {
                    let entry = &self.kernel.entries[node][position];
                    if entry.level != level {
                        continue;
                    }
                    if self.stopped().is_some() {
                        return Err(GaveUp);
                    }
                    let (cube, formula) = (entry.cube.clone(), entry.formula);
                    if super::blocking::blocked(&mut self.kernel, NodeId(node), &cube, level + 1)?.is_none() {
                        stays = true;
                        continue;
                    }
                    self.kernel.entries[node][position].level = level + 1;
                    self.kernel.tell(NodeId(node), formula, level + 1);
                }
            }
            if !stays {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// What the entries from a level on say of a node.
    pub fn frame_invariant(&self, node: NodeId, level: usize) -> Vec<TermId> {
        let entries = self.kernel.entries[node.0].iter();
        let mut formulas: Vec<TermId> = entries
            .filter(|entry| entry.level >= level)
            .map(|entry| entry.formula)
            .collect();
        formulas.sort();
        formulas.dedup();
        formulas
    }
}
