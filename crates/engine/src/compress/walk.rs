//! Following a trace symbolically: what COMPRESSTRACE does between loops and CHECKSAFEINV behind one (seed 000, Fig. 3).
//!
//! A trace may be long, so a walk keeps of several bounds of one sum only the tightest. The states of seed 000 keep all.

use super::CompressError;
use super::symbolic::{Context, State, target_of};
use super::trace::TraceStep;
use crate::rules::PredicateId;
use crate::steps::elimination::flatten;
use crate::terms::{Operator, TermId};
use hashbrown::{HashMap, HashSet};
use std::ops::Range;

/// How many steps pass between two looks at whether to stop.
const POLL_INTERVAL: usize = 1024;

/// A state that moves along a trace.
pub(super) struct Walk {
    /// Where it is.
    pub state: State,
    /// Whether constraints that others imply are left out.
    keeps_tightest: bool,
    known: HashSet<TermId>,
    /// For each sum with an upper bound, the position of the bound in the store.
    bounds: HashMap<TermId, usize>,
}

impl Walk {
    /// A walk from the query.
    pub fn from_query() -> Walk {
        Walk::from(State {
            predicate: PredicateId::QUERY,
            arguments: Vec::new(),
            store: Vec::new(),
            locals: 0,
        })
    }

    /// A walk from a state.
    pub fn from(state: State) -> Walk {
        Walk {
            known: state.store.iter().copied().collect(),
            state,
            keeps_tightest: true,
            bounds: HashMap::new(),
        }
    }

    /// The same walk, but with every constraint kept, as evidence needs them.
    pub fn keeping_all(mut self) -> Walk {
        self.keeps_tightest = false;
        self
    }

    /// SYMSTEP along a step of a trace. The trace is an execution, so the step is feasible. With `pinned`, inputs have the
    /// values that they had then.
    pub fn advance(&mut self, context: &mut Context<'_>, step: &TraceStep, pinned: bool) {
        let transition = context.transition(step.transition);
        let values = if pinned { &step.inputs[..] } else { &[] };
        let (guard, arguments, mut locals) = context.instantiate(&self.state, &transition, values);
        for formula in flatten(&context.terms, &guard) {
            self.push(context, formula);
        }
        let mut definitions = Vec::new();
        self.state.arguments = context.abbreviate(arguments, &mut locals, &mut definitions);
        for formula in definitions {
            self.push(context, formula);
        }
        self.state.locals = locals;
        self.state.predicate = target_of(&transition);
    }

    /// Several steps in a row.
    pub fn follow(
        &mut self,
        context: &mut Context<'_>,
        steps: &[TraceStep],
        range: Range<usize>,
        pinned: bool,
    ) -> Result<(), CompressError> {
        for (count, step) in steps.get(range).unwrap_or_default().iter().enumerate() {
            if count % POLL_INTERVAL == POLL_INTERVAL - 1 {
                context.poll()?;
            }
            self.advance(context, step, pinned);
        }
        Ok(())
    }

    /// Adds formulas over the parameters of the state's predicate.
    pub fn assume(&mut self, context: &mut Context<'_>, formulas: &[TermId]) {
        for formula in formulas {
            let instance = context.instance(&self.state, *formula);
            for conjunct in flatten(&context.terms, &[instance]) {
                self.push(context, conjunct);
            }
        }
    }

    /// Whether the state implies formulas over its predicate's parameters, for certain.
    pub fn implies(&self, context: &mut Context<'_>, formulas: &[TermId]) -> bool {
        formulas.iter().all(|formula| {
            let wanted = context.instance(&self.state, *formula);
            context.entails(&self.state.store, wanted)
        })
    }

    fn push(&mut self, context: &Context<'_>, formula: TermId) {
        if !self.known.insert(formula) {
            return;
        }
        let terms = &context.terms;
        if self.keeps_tightest
            && terms.operator(formula) == Operator::LessOrEqual
            && let [sum, bound] = *terms.arguments(formula)
        {
            if let Some(position) = self.bounds.get(&sum).copied() {
                let old = self.state.store[position];
                let old_bound = terms.arguments(old).get(1).and_then(|old| terms.number_value(*old));
                if terms.number_value(bound) < old_bound {
                    self.state.store[position] = formula;
                }
                return;
            }
            self.bounds.insert(sum, self.state.store.len());
        }
        self.state.store.push(formula);
    }
}
