//! Counterexamples: real or spurious, and what a spurious one teaches (seed 003,
//! REFINEANDRESTART; seed 004 on locking).
//!
//! From the error outward, one cut after another is opened: the candidates that were given up there are restored, and inside
//! it the derivation is exact. At the first cut where the path becomes unsatisfiable, the restored candidates in a minimal
//! core are locked (max) and the search resumes at that header, not at the last choice. If the path is satisfiable all the
//! way from the query, the error is real.

use super::candidates;
use super::search::Search;
use super::state::{Header, StateId, Status};
use super::tree::Mark;
use crate::evidence::{Derivation, Step};
use crate::rules::PredicateId;
use crate::solver::Answer;
use crate::steps::StopReason;
use crate::steps::{Target, Transition, TransitionId};
use crate::terms::{Assignment, Substitution, TermId, Value};
use std::rc::Rc;

/// Local variables of exact paths are numbered from here, apart from those of stores.
const EXACT_LOCALS: u32 = 1 << 31;

/// A derivation from a cut to the error without abstraction in between.
struct ExactPath {
    /// Conjuncts over the cut's parameters and the local variables.
    constraints: Vec<TermId>,
    /// Each step's transition and the variables that stand for its locals.
    steps: Vec<(TransitionId, Vec<TermId>)>,
}

impl Search<'_> {
    /// The error was reached by `transition` from `source`: the derivation if it is real; `None` if it was spurious and the
    /// search was set back.
    pub fn refine(&mut self, source: StateId, transition: TransitionId) -> Result<Option<Derivation>, StopReason> {
        let store = self.outgoing(source);
        let error = self.add_state(source, transition, PredicateId::ERROR, store, None, Status::Error);
        if let Some(derivation) = self.concrete_run(source, transition) {
            return Ok(Some(derivation));
        }
        let cuts = self.cuts_above(source);
        let last = cuts.len() - 1;
        // Sizes of the part that is made exact: doubling keeps a long derivation of unrolled loops affordable.
        let (mut satisfiable, mut probe) = (None, 0);
        let conflict = loop {
            let answer = self.restored(cuts[probe], source, transition);
            if answer == Answer::Unsatisfiable {
                break self.first_conflict(&cuts, satisfiable, probe, source, transition);
            }
            if probe == last {
                return self.real_error(answer, source, transition);
            }
            satisfiable = Some(probe);
            probe = (2 * probe + 1).min(last);
        };
        self.states[error.index()].status = Status::SpuriousError;
        self.statistics.restarts += 1;
        self.learn(&cuts, conflict, source, transition)?;
        Ok(None)
    }

    /// The cut of a state, the cut of that cut's store, and so on to the query.
    fn cuts_above(&self, source: StateId) -> Vec<StateId> {
        let mut cuts = vec![self.outgoing(source).cut];
        while let Some(last) = cuts.last().copied()
            && last != StateId::ROOT
        {
            cuts.push(self.states[last.index()].incoming.cut);
        }
        cuts
    }

    /// Whether the error can be reached from a cut with all its candidates restored and everything after it exact.
    fn restored(&mut self, cut: StateId, source: StateId, transition: TransitionId) -> Answer {
        let path = self.exact_path(cut, source, transition);
        if path.constraints.contains(&TermId::FALSE) {
            return Answer::Unsatisfiable;
        }
        let header = self.states[cut.index()].header.iter();
        let candidates: Vec<TermId> = header
            .flat_map(|header| header.candidates.iter().map(|candidate| candidate.formula))
            .collect();
        // One formula: a solver takes a hundred thousand at once far more easily than one after another.
        let path = self.terms.and(&path.constraints);
        self.solver.check(&self.terms, &candidates, &[path])
    }

    /// The smallest position in `cuts` where the path is unsatisfiable, between one where it is not and one where it is.
    fn first_conflict(
        &mut self,
        cuts: &[StateId],
        satisfiable: Option<usize>,
        unsatisfiable: usize,
        source: StateId,
        transition: TransitionId,
    ) -> usize {
        let mut low = satisfiable.map_or(0, |position| position + 1);
        let mut high = unsatisfiable;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.restored(cuts[middle], source, transition) == Answer::Unsatisfiable {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// The transitions from a state below which `source` lies to the error.
    fn transitions_from(&self, start: StateId, source: StateId, last: TransitionId) -> Vec<TransitionId> {
        let mut transitions = vec![last];
        let mut current = source;
        while current != start {
            let state = &self.states[current.index()];
            let (Some(parent), Some(transition)) = (state.parent, state.transition) else {
                break;
            };
            transitions.push(transition);
            current = parent;
        }
        transitions.reverse();
        transitions
    }

    /// Tries to run into the error with values picked step by step. If it works, no query about the whole path is needed.
    fn concrete_run(&mut self, source: StateId, last: TransitionId) -> Option<Derivation> {
        let mut point = Assignment::new();
        let mut steps = Vec::new();
        for id in self.transitions_from(StateId::ROOT, source, last) {
            let transition = Rc::clone(self.transitions.get(id));
            point = self.extend_point(&point, &transition)?;
            steps.push(self.step(&transition, &point)?);
            point = self.point_after(&transition, &point)?;
        }
        Some(Derivation { steps })
    }

    /// The exact derivation from a cut through `source` to the error.
    fn exact_path(&mut self, cut: StateId, source: StateId, last: TransitionId) -> ExactPath {
        let transitions = self.transitions_from(cut, source, last);
        let mut predicate = self.states[cut.index()].predicate;
        let mut arguments = self.program.predicate(predicate).parameters.clone();
        let mut next_local = EXACT_LOCALS;
        let mut path = ExactPath {
            constraints: Vec::new(),
            steps: Vec::with_capacity(transitions.len()),
        };
        for id in transitions {
            let transition = Rc::clone(self.transitions.get(id));
            let parameters = &self.program.predicate(predicate).parameters;
            let mut substitution = Substitution::of(&self.terms, parameters, &arguments);
            let mut locals = Vec::with_capacity(transition.locals.len());
            for local in &transition.locals {
                let variable = self.local_variable(self.terms.sort(*local), next_local);
                next_local += 1;
                substitution.insert(&self.terms, *local, variable);
                locals.push(variable);
            }
            let guards = self.terms.substitute_all(&transition.guard, &substitution);
            path.constraints
                .extend(guards.into_iter().filter(|guard| *guard != TermId::TRUE));
            let updated = self.terms.substitute_all(&transition.updates, &substitution);
            let (short, definitions) = self.abbreviate(updated, &mut next_local);
            arguments = short;
            path.constraints.extend(definitions);
            path.steps.push((id, locals));
            if let Target::Goal(target) = transition.target {
                predicate = target;
            }
        }
        path
    }

    /// Locks at the cut in conflict what excludes the path, and resumes there.
    fn learn(
        &mut self,
        cuts: &[StateId],
        conflict: usize,
        source: StateId,
        transition: TransitionId,
    ) -> Result<(), StopReason> {
        let cut = cuts[conflict];
        if self.widen(cut, source, transition) {
            self.restart(cut);
            return Ok(());
        }
        if self.policy.locks_interpolants && self.lock_interpolant(cut, source, transition) {
            self.restart(cut);
            return Ok(());
        }
        let path = self.exact_path(cut, source, transition);
        let (positions, formulas) = self.by_preference(cut);
        let core = self.solver.minimal_core(&self.terms, &path.constraints, &formulas);
        let Some(core) = core else {
            return Err(StopReason::SolverGaveUp(
                "explaining a spurious counterexample".to_string(),
            ));
        };
        let core: Vec<usize> = core.into_iter().map(|position| positions[position]).collect();
        if self.lock(cut, &core) {
            self.restart(cut);
            return Ok(());
        }
        // Nothing that was given up at this cut matters: the next cut inward forgot what its store knew.
        let Some(inner) = conflict.checked_sub(1).map(|position| cuts[position]) else {
            return Err(StopReason::SolverGaveUp(
                "explaining a spurious counterexample".to_string(),
            ));
        };
        let suffix = self.exact_path(inner, source, transition).constraints;
        let view = self.incoming_view(inner);
        match self.separate(&view, &suffix) {
            Some(literals) => self.add_locked(inner, &literals),
            None => {
                self.restart(inner);
                self.remove_cut(inner);
                return Ok(());
            }
        }
        self.restart(inner);
        Ok(())
    }

    /// At a loop that was unrolled already, locking what the store happens to say would only unroll it again. So what the
    /// property asks for is offered as a candidate first: formulas that exclude this path and follow from the store. False
    /// if there is none that is new.
    fn widen(&mut self, cut: StateId, source: StateId, transition: TransitionId) -> bool {
        let predicate = self.states[cut.index()].predicate;
        let is_unrolling = self.looping_parents(predicate).iter().any(|parent| *parent < cut);
        if !self.policy.widening || !is_unrolling {
            return false;
        }
        let suffix = self.exact_path(cut, source, transition).constraints;
        let view = self.incoming_view(cut);
        let mut literals = self.separate(&view, &suffix).unwrap_or_default();
        literals.extend(self.negations_that_follow(&view, &suffix));
        // What is about control variables alone need not be offered before something is locked: they have finitely many values.
        let control = self.control_variables(predicate);
        literals.retain(|literal| !candidates::is_about(&self.terms, *literal, &control));
        let Some(mut header) = self.states[cut.index()].header.take() else {
            return false;
        };
        let before = header.candidates.len();
        for literal in literals {
            candidates::add(&mut self.terms, &mut header, literal, self.policy.slackening);
        }
        let widened = header.candidates.len() > before;
        self.states[cut.index()].header = Some(header);
        widened
    }

    /// Locks formulas that follow from the store and exclude the path (seed 003, REFINEANDRESTART, line 42). False if there
    /// are none, or none that is new.
    fn lock_interpolant(&mut self, cut: StateId, source: StateId, transition: TransitionId) -> bool {
        let suffix = self.exact_path(cut, source, transition).constraints;
        let view = self.incoming_view(cut);
        let interpolant = self.separate(&view, &suffix).unwrap_or_default();
        let locked = self.locked.get(&cut);
        let is_new = |literal: &TermId| locked.is_none_or(|locked| !locked.contains(literal));
        if cut == StateId::ROOT || !interpolant.iter().any(is_new) {
            return false;
        }
        self.add_locked(cut, &interpolant);
        true
    }

    /// A cut's candidates with the believed ones first, then halves of equalities of which the other half is believed, then
    /// the rest: a minimal core drops the later ones first.
    fn by_preference(&self, cut: StateId) -> (Vec<usize>, Vec<TermId>) {
        let Some(header) = &self.states[cut.index()].header else {
            return (Vec::new(), Vec::new());
        };
        let class = |position: &usize| {
            let candidate = &header.candidates[*position];
            match candidate.mark {
                Mark::Max => 0,
                Mark::Neutral => 1,
                Mark::Min if candidate.partner.is_some_and(|partner| header.is_believed(partner)) => 2,
                Mark::Min => 3,
            }
        };
        let mut positions: Vec<usize> = (0..header.candidates.len()).collect();
        positions.sort_by_key(class);
        let formulas = positions
            .iter()
            .map(|position| header.candidates[*position].formula)
            .collect();
        (positions, formulas)
    }

    /// Marks max those of `core` that are min; false if none is. Of an equality given up whole, both halves are locked.
    fn lock(&mut self, cut: StateId, core: &[usize]) -> bool {
        let Some(header) = self.states[cut.index()].header.as_mut() else {
            return false;
        };
        let min: Vec<usize> = core
            .iter()
            .copied()
            .filter(|position| header.candidates[*position].mark == Mark::Min)
            .collect();
        let locked = self.locked.entry(cut).or_default();
        for position in &min {
            let partner = header.candidates[*position].partner;
            let given_up = partner.filter(|partner| header.candidates[*partner].mark == Mark::Min);
            for position in given_up.into_iter().chain([*position]) {
                header.candidates[position].mark = Mark::Max;
                locked.push(header.candidates[position].formula);
            }
        }
        !min.is_empty()
    }

    fn add_locked(&mut self, cut: StateId, literals: &[TermId]) {
        let Some(mut header) = self.states[cut.index()].header.take() else {
            return;
        };
        self.locked.entry(cut).or_default().extend_from_slice(literals);
        for literal in literals {
            for position in candidates::add(&mut self.terms, &mut header, *literal, self.policy.slackening) {
                header.candidates[position].mark = Mark::Max;
            }
        }
        self.states[cut.index()].header = Some(header);
    }

    /// Resumes at a header after a conflict: what was learnt below is forgotten, and what was given up is believed again.
    fn restart(&mut self, header: StateId) {
        self.memo.drop_dependents(header);
        if let Some(Header { candidates }) = self.states[header.index()].header.as_mut() {
            for candidate in candidates.iter_mut().filter(|candidate| candidate.mark == Mark::Min) {
                candidate.mark = Mark::Neutral;
            }
        }
        self.resume_at(header);
    }

    /// Resumes at a header that believes less than when its first branches were closed.
    pub fn revise(&mut self, header: StateId) {
        self.statistics.revisions += 1;
        self.resume_at(header);
    }

    fn resume_at(&mut self, header: StateId) {
        while let Some(frame) = self.stack.last_mut() {
            if frame.state == header {
                frame.next = 0;
                frame.requirement = Default::default();
                frame.infeasible.clear();
                return;
            }
            let abandoned = frame.state;
            self.pop_frame();
            self.memo.drop_dependents(abandoned);
            self.states[abandoned.index()].status = Status::Abandoned;
        }
    }

    /// Leaves a header without abstraction: its store goes on, and every visit of the loop from here is a state of its own.
    fn remove_cut(&mut self, header: StateId) {
        if let Some(frame) = self.pop_frame() {
            self.states[header.index()].header = None;
            self.stack.push(frame);
        }
    }

    fn real_error(
        &mut self,
        answer: Answer,
        source: StateId,
        transition: TransitionId,
    ) -> Result<Option<Derivation>, StopReason> {
        let path = self.exact_path(StateId::ROOT, source, transition);
        let variables = self.terms.variables_of_all(&path.constraints);
        let (_, model) = match answer {
            Answer::Satisfiable => {
                let whole = self.terms.and(&path.constraints);
                self.solver.check_model(&self.terms, &[], &[whole], &variables)
            }
            _ => (answer, None),
        };
        let derivation = model.and_then(|model| self.derivation(&path, &model));
        match derivation {
            Some(derivation) => Ok(Some(derivation)),
            None => Err(self.budget.interruption().unwrap_or_else(|| {
                let what = "finding exact values for a possible counterexample";
                StopReason::SolverGaveUp(what.to_string())
            })),
        }
    }

    /// The derivation along a path under a model of its constraints, by evaluation.
    fn derivation(&self, path: &ExactPath, model: &Assignment) -> Option<Derivation> {
        let mut steps = Vec::with_capacity(path.steps.len());
        let mut point = Assignment::new();
        for (id, variables) in &path.steps {
            let transition = self.transitions.get(*id);
            for (local, variable) in transition.locals.iter().zip(variables) {
                let value = model.get(variable).cloned();
                point.insert(
                    *local,
                    value.unwrap_or_else(|| self.terms.default_value(self.terms.sort(*local))),
                );
            }
            steps.push(self.step(transition, &point)?);
            point = self.point_after(transition, &point)?;
        }
        Some(Derivation { steps })
    }

    /// The values of a rule's variables at a point, which has values of its parameters and the transition's own variables.
    fn step(&self, transition: &Transition, point: &Assignment) -> Option<Step> {
        let rule = self.program.rule(transition.rule);
        let mut mentioned = rule.constraint.clone();
        mentioned.extend_from_slice(&rule.head.arguments);
        mentioned.extend(rule.body.iter().flat_map(|atom| atom.arguments.iter().copied()));
        let mut values: Vec<(TermId, Value)> = Vec::new();
        for variable in self.terms.variables_of_all(&mentioned) {
            let solved = transition.solution.iter().find(|(solved, _)| *solved == variable);
            let value = match (solved, point.get(&variable)) {
                (Some((_, term)), _) => self.terms.evaluate(*term, point)?,
                (None, Some(value)) => value.clone(),
                (None, None) => self.terms.default_value(self.terms.sort(variable)),
            };
            values.push((variable, value));
        }
        Some(Step {
            rule: transition.rule,
            values,
        })
    }

    /// The values of the target's parameters after a transition was taken at a point.
    fn point_after(&self, transition: &Transition, point: &Assignment) -> Option<Assignment> {
        let Target::Goal(target) = transition.target else {
            return Some(Assignment::new());
        };
        let parameters = &self.program.predicate(target).parameters;
        let values = transition
            .updates
            .iter()
            .map(|update| self.terms.evaluate(*update, point));
        parameters
            .iter()
            .copied()
            .zip(values)
            .map(|(parameter, value)| Some((parameter, value?)))
            .collect()
    }
}
