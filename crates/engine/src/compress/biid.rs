//! LOOPINV_BIID (seed 000, Fig. 4): which candidates are invariant through every path of a loop, by symbolic execution.
//!
//! The paths from the header are explored depth first on an explicit stack. Where one comes back, the candidates that do not
//! hold there are given up; that is repeated until nothing is given up any more. A loop inside gets an invariant of its own
//! first, in the same way, and is left again from there.
//!
//! Against path explosion (the seed's remark (A)) every state that was explored leaves an *interpolant*: formulas that it
//! implies and that suffice for all that was found below it (`interpolation`). A state that implies the interpolant of an
//! earlier one at the same predicate is not explored. The interpolants are also what the Hoare triples of the proof are made
//! of (remark (B)): each is what one place of the loop needs.

use super::CompressError;
use super::sources::{Representation, candidates};
use super::symbolic::{Context, State, target_of};
use crate::rules::PredicateId;
use crate::steps::OfferedCandidates;
use crate::steps::{Transition, TransitionId};
use crate::terms::TermId;
use hashbrown::HashMap;

/// How BIID proceeds.
#[derive(Clone, Copy)]
pub(super) struct Method<'o> {
    /// How the states of inner loops are offered.
    pub representation: Representation,
    /// What others offer at inner loops.
    pub offered: &'o OfferedCandidates,
    /// At most so many states are explored for one loop.
    pub states: usize,
}

/// What a place of a loop needs, and what follows from it: the annotation of a node of the symbolic execution tree.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The predicate.
    pub predicate: PredicateId,
    /// Formulas over its parameters.
    pub literals: Vec<TermId>,
    /// What each transition leads to from here; those that leave the loop are not among them.
    pub triples: Vec<(TransitionId, Post)>,
    is_closed: bool,
    owner: u32,
}

/// The postcondition of a triple.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Post {
    /// That of an entry.
    Entry(usize),
    /// The transition is infeasible.
    False,
    /// What holds where the loop is left.
    Exit,
}

/// A place where a loop is left, and formulas over its parameters that are to hold there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    /// The predicate.
    pub predicate: PredicateId,
    /// The formulas.
    pub formulas: Vec<TermId>,
}

/// An invariant of a loop and its proof.
#[derive(Clone, Debug)]
pub(super) struct LoopInvariant {
    /// The candidates that were believed: an invariant.
    pub believed: Vec<TermId>,
    /// What the goals needed of it.
    pub needed: Vec<TermId>,
    /// What holds of what was to hold where the loop is left, if that was asked.
    pub exit: Option<Exit>,
    /// The symbolic execution tree, the header first.
    pub entries: Vec<Entry>,
}

/// A state that is being explored.
pub(super) struct Frame {
    pub state: State,
    /// What the transitions explored so far need: formulas over the predicate's parameters.
    pub requirement: Vec<TermId>,
    /// ⟦σ⟧, once it was asked for.
    pub evaluation: Option<Vec<TermId>>,
    header: Option<OpenHeader>,
    order: Vec<TransitionId>,
    next: usize,
    triples: Vec<(TransitionId, Post)>,
    entry: usize,
    by: Option<TransitionId>,
    /// The loop that may not be left.
    scope: usize,
}

struct OpenHeader {
    /// The loop.
    number: usize,
    /// What is believed at the header.
    believed: Vec<TermId>,
    /// Those of them that have to hold again.
    goals: Vec<TermId>,
    has_changed: bool,
    /// Whether the invariant is still sought, so that the loop is not left.
    is_inside: bool,
    visit: u32,
}

/// The exploration of one loop.
pub(super) struct Exploration<'c, 'a, 'o> {
    pub context: &'c mut Context<'a>,
    method: Method<'o>,
    /// The loop.
    number: usize,
    exit: Option<Exit>,
    frames: Vec<Frame>,
    entries: Vec<Entry>,
    of_predicate: HashMap<PredicateId, Vec<usize>>,
    visits: u32,
    explored: usize,
}

/// Why an exploration does not go on: nothing is wrong, but no invariant is found.
pub(super) enum Halt {
    /// A formula that is needed cannot be expressed, or the limit of states is reached.
    GivenUp,
    /// Somebody has asked for it.
    Error(CompressError),
}

impl From<CompressError> for Halt {
    fn from(error: CompressError) -> Halt {
        Halt::Error(error)
    }
}

/// Explores a loop from the beliefs, giving up those of the goals that do not hold again. With all beliefs as goals this is
/// LOOPINV_BIID. With an exit, those of its formulas are given up that do not hold whenever the loop is left there. `None` if
/// it is too much, or the reasons cannot be expressed.
pub(super) fn loop_invariant(
    context: &mut Context<'_>,
    number: usize,
    believed: &[TermId],
    goals: &[TermId],
    exit: Option<Exit>,
    method: Method<'_>,
) -> Result<Option<LoopInvariant>, CompressError> {
    let mut exploration = Exploration {
        context,
        method,
        number,
        exit,
        frames: Vec::new(),
        entries: Vec::new(),
        of_predicate: HashMap::new(),
        visits: 0,
        explored: 0,
    };
    match exploration.run(number, believed, goals) {
        Ok(found) => Ok(Some(found)),
        Err(Halt::GivenUp) => Ok(None),
        Err(Halt::Error(error)) => Err(error),
    }
}

impl Exploration<'_, '_, '_> {
    fn run(&mut self, number: usize, believed: &[TermId], goals: &[TermId]) -> Result<LoopInvariant, Halt> {
        self.open_header(number, believed.to_vec(), goals.to_vec(), None, number)?;
        loop {
            let Some(top) = self.frames.last_mut() else {
                return Err(Halt::GivenUp);
            };
            if let Some(transition) = top.order.get(top.next).copied() {
                top.next += 1;
                self.follow(transition)?;
                continue;
            }
            if self.goes_on_at_header() {
                continue;
            }
            let Some(frame) = self.frames.pop() else {
                return Err(Halt::GivenUp);
            };
            if self.frames.is_empty() {
                return Ok(self.finish(frame));
            }
            self.close(frame)?;
        }
    }

    /// A header's paths are all explored: whether they have to be explored again.
    fn goes_on_at_header(&mut self) -> bool {
        let parent_scope = self.frames.len().checked_sub(2).map(|parent| self.frames[parent].scope);
        let visit = self.visits;
        let Some(frame) = self.frames.last_mut() else {
            return false;
        };
        let Some(header) = frame.header.as_mut() else {
            return false;
        };
        if header.has_changed {
            header.has_changed = false;
        } else if let (true, Some(scope)) = (header.is_inside, parent_scope) {
            // An inner loop, whose invariant is found: now its exits are explored, too.
            header.is_inside = false;
            header.visit = visit;
            self.visits += 1;
            frame.scope = scope;
        } else {
            return false;
        }
        let (predicate, believed) = (frame.state.predicate, header.believed.clone());
        frame.state = self.context.at_header(predicate, &believed);
        frame.requirement.clear();
        frame.triples.clear();
        frame.evaluation = None;
        frame.next = 0;
        true
    }

    fn finish(&mut self, frame: Frame) -> LoopInvariant {
        let believed = frame.header.map(|header| header.believed).unwrap_or_default();
        let mut entries = std::mem::take(&mut self.entries);
        if let Some(root) = entries.first_mut() {
            root.literals.clone_from(&believed);
            root.triples = frame.triples;
        }
        LoopInvariant {
            believed,
            needed: frame.requirement,
            exit: self.exit.take(),
            entries,
        }
    }

    /// Stores the interpolant of a state that is explored, and what it means for the state before.
    fn close(&mut self, frame: Frame) -> Result<(), Halt> {
        let predicate = frame.state.predicate;
        let owner = self.owner(predicate);
        let literals = match frame.header {
            Some(header) => header.believed,
            None => frame.requirement,
        };
        let entry = &mut self.entries[frame.entry];
        entry.literals.clone_from(&literals);
        entry.triples = frame.triples;
        entry.is_closed = true;
        entry.owner = owner;
        self.of_predicate.entry(predicate).or_default().push(frame.entry);
        if let Some(by) = frame.by {
            self.lead_to(by, &literals, frame.entry)?;
        }
        Ok(())
    }

    /// A transition of the topmost state leads to what an entry is about.
    fn lead_to(&mut self, by: TransitionId, literals: &[TermId], entry: usize) -> Result<(), Halt> {
        let transition = self.context.transition(by);
        for literal in literals {
            self.require(&transition, *literal)?;
        }
        if let Some(top) = self.frames.last_mut() {
            top.triples.push((by, Post::Entry(entry)));
        }
        Ok(())
    }

    /// The visit of the innermost open loop header whose loop a predicate is in: what is learnt there holds for that visit.
    fn owner(&self, predicate: PredicateId) -> u32 {
        let headers = self.frames.iter().rev().filter_map(|frame| frame.header.as_ref());
        let mut around = headers.filter(|header| self.context.loops.numbered(header.number).includes(predicate));
        around.next().map_or(0, |header| header.visit)
    }

    /// Explores one transition of the topmost state.
    fn follow(&mut self, id: TransitionId) -> Result<(), Halt> {
        let Some(top) = self.frames.last() else {
            return Err(Halt::GivenUp);
        };
        let transition = self.context.transition(id);
        let target = target_of(&transition);
        let scope = top.scope;
        let is_exit = scope == self.number && self.exit.as_ref().is_some_and(|exit| exit.predicate == target);
        if !is_exit && !self.context.loops.numbered(scope).includes(target) {
            return Ok(());
        }
        let state = top.state.clone();
        let (guard, arguments, mut locals) = self.context.instantiate(&state, &transition, &[]);
        let mut store = state.store.clone();
        let is_possible = self.context.extend_store(&mut store, &guard).is_some();
        if !is_possible || self.context.is_unsatisfiable(&state.store, &store[state.store.len()..]) {
            self.explain_infeasible(&transition)?;
            if let Some(top) = self.frames.last_mut() {
                top.triples.push((id, Post::False));
            }
            return Ok(());
        }
        let arguments = self.context.abbreviate(arguments, &mut locals, &mut store);
        let reached = State {
            predicate: target,
            arguments,
            store,
            locals,
        };
        if is_exit {
            return self.leave(id, &transition, &reached);
        }
        let is_header = |frame: &Frame| frame.header.is_some() && frame.state.predicate == target;
        if let Some(header) = self.frames.iter().rposition(is_header) {
            return self.come_back(id, &transition, &reached, header);
        }
        if let Some(entry) = self.covering(&reached) {
            let literals = self.entries[entry].literals.clone();
            return self.lead_to(id, &literals, entry);
        }
        match self.context.loops.headed_by(target) {
            Some(number) => {
                let state = self.context.evaluation(&reached);
                let method = self.method;
                let believed = candidates(self.context, target, &state, method.representation, method.offered);
                self.open_header(number, believed.clone(), believed, Some(id), number)
            }
            None => self.open(reached, None, Some(id), scope),
        }
    }

    /// REMOVENONINV, and what it takes for the others to hold again.
    fn come_back(
        &mut self,
        id: TransitionId,
        transition: &Transition,
        reached: &State,
        header: usize,
    ) -> Result<(), Halt> {
        let Some(goals) = self.frames[header].header.as_ref().map(|open| open.goals.clone()) else {
            return Err(Halt::GivenUp);
        };
        for goal in goals {
            let wanted = self.context.instance(reached, goal);
            if self.context.entails(&reached.store, wanted) {
                self.require(transition, goal)?;
                continue;
            }
            let Some(open) = self.frames[header].header.as_mut() else {
                return Err(Halt::GivenUp);
            };
            if !open.is_inside {
                return Err(Halt::GivenUp);
            }
            open.goals.retain(|other| *other != goal);
            open.believed.retain(|other| *other != goal);
            open.has_changed = true;
        }
        let entry = self.frames[header].entry;
        if let Some(top) = self.frames.last_mut() {
            top.triples.push((id, Post::Entry(entry)));
        }
        Ok(())
    }

    /// The loop is left: what does not hold here is given up, and the rest must go on holding.
    fn leave(&mut self, id: TransitionId, transition: &Transition, reached: &State) -> Result<(), Halt> {
        let formulas = self.exit.as_ref().map(|exit| exit.formulas.clone()).unwrap_or_default();
        for formula in formulas {
            let wanted = self.context.instance(reached, formula);
            if self.context.entails(&reached.store, wanted) {
                self.require(transition, formula)?;
            } else if let Some(exit) = &mut self.exit {
                exit.formulas.retain(|other| *other != formula);
            }
        }
        self.top()?.triples.push((id, Post::Exit));
        Ok(())
    }

    /// An earlier state whose interpolant this one implies.
    fn covering(&mut self, reached: &State) -> Option<usize> {
        let owner = self.owner(reached.predicate);
        let known = self.of_predicate.get(&reached.predicate)?.clone();
        known.into_iter().rev().find(|position| {
            let entry = &self.entries[*position];
            if !entry.is_closed || entry.owner != owner {
                return false;
            }
            let literals = entry.literals.clone();
            literals.iter().all(|literal| {
                let wanted = self.context.instance(reached, *literal);
                self.context.entails(&reached.store, wanted)
            })
        })
    }

    fn open_header(
        &mut self,
        number: usize,
        believed: Vec<TermId>,
        goals: Vec<TermId>,
        by: Option<TransitionId>,
        scope: usize,
    ) -> Result<(), Halt> {
        let predicate = self.context.loops.numbered(number).header;
        let state = self.context.at_header(predicate, &believed);
        let header = OpenHeader {
            number,
            believed,
            goals,
            has_changed: false,
            is_inside: true,
            visit: self.visits,
        };
        self.visits += 1;
        self.open(state, Some(header), by, scope)
    }

    fn open(
        &mut self,
        state: State,
        header: Option<OpenHeader>,
        by: Option<TransitionId>,
        scope: usize,
    ) -> Result<(), Halt> {
        self.context.poll()?;
        self.explored += 1;
        if self.explored > self.method.states {
            return Err(Halt::GivenUp);
        }
        let entry = self.entries.len();
        self.entries.push(Entry {
            predicate: state.predicate,
            literals: Vec::new(),
            triples: Vec::new(),
            is_closed: false,
            owner: 0,
        });
        let order = self.context.transitions.of(state.predicate).to_vec();
        self.frames.push(Frame {
            state,
            requirement: Vec::new(),
            evaluation: None,
            header,
            order,
            next: 0,
            triples: Vec::new(),
            entry,
            by,
            scope,
        });
        Ok(())
    }

    /// The topmost state.
    pub fn top(&mut self) -> Result<&mut Frame, Halt> {
        self.frames.last_mut().ok_or(Halt::GivenUp)
    }
}
