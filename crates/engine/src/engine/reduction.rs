//! Goal reduction: the store behind a transition, whether it can be satisfied, and a point that shows that it can (the step
//! of the derivation trees in seed 003, section 2).
//!
//! A *witness* comes with most goals: values of its parameters that its store allows. Where a witness of the source can be
//! carried through the transition, no query is needed at all.

use super::frontier::Frontier;
use super::ids::StateId;
use super::kernel::Kernel;
use super::state::Store;
use crate::rules::PredicateId;
use crate::solver::Answer;
use crate::steps::{Target, Transition, TransitionId};
use crate::terms::{Assignment, Substitution, TermId, Value};
use std::rc::Rc;
use std::sync::Arc;

/// What reducing a goal by a transition gave.
pub(super) enum Reduct {
    /// The new store is unsatisfiable.
    Infeasible,
    /// A goal or the error, with a witness if one is known.
    Feasible(Store, Option<Arc<Assignment>>),
}

/// Reduces a state by a transition: the new store, unless it is unsatisfiable.
pub(super) fn reduce(kernel: &mut Kernel, frontier: &Frontier, source: StateId, transition: TransitionId) -> Reduct {
    let store = frontier.outgoing(kernel.program, source);
    let substitution = kernel.instantiation(frontier.state(source).predicate, &store, transition);
    let transition = Rc::clone(kernel.transitions.get(transition));
    let guards = kernel.terms.substitute_all(&transition.guard, &substitution);
    if guards.contains(&TermId::FALSE) {
        return Reduct::Infeasible;
    }
    let arguments = kernel.terms.substitute_all(&transition.updates, &substitution);
    let target = match transition.target {
        Target::Goal(predicate) => Some(predicate),
        Target::Error | Target::End => None,
    };
    let point = frontier.state(source).witness.clone();
    let mut witness = point.and_then(|point| carried_witness(kernel, &point, &transition, target));
    if witness.is_none() {
        let believed = frontier.believed(&store);
        let (answer, model) = kernel
            .solver
            .check_values(&kernel.terms, &believed, &guards, &arguments);
        if answer == Answer::Unsatisfiable {
            return Reduct::Infeasible;
        }
        witness = model.and_then(|model| values_at(kernel, target, &arguments, &model));
    }
    let mut locals = store.locals + transition.locals.len() as u32;
    let (arguments, definitions) = abbreviate(kernel, arguments, &mut locals);
    let mut new_guards = store.guards.clone();
    for guard in guards.into_iter().chain(definitions) {
        let repeated = new_guards.len() <= kernel.limits().guards_compared && new_guards.contains(&guard);
        if guard != TermId::TRUE && !repeated {
            new_guards.push_back(guard);
        }
    }
    let reduct = Store {
        cut: store.cut,
        guards: new_guards,
        arguments,
        locals,
    };
    Reduct::Feasible(reduct, witness)
}

/// Long sums among arguments as new local variables, with the equations that define them. Without it, a derivation that
/// adds an input at every step would carry a sum as long as itself.
pub(super) fn abbreviate(
    kernel: &mut Kernel,
    arguments: Vec<TermId>,
    next_local: &mut u32,
) -> (Vec<TermId>, Vec<TermId>) {
    let mut definitions = Vec::new();
    let short = arguments
        .into_iter()
        .map(|argument| {
            if kernel.terms.arguments(argument).len() <= kernel.limits().summands {
                return argument;
            }
            let variable = kernel.local_variable(kernel.terms.sort(argument), *next_local);
            *next_local += 1;
            definitions.push(kernel.terms.equal(variable, argument));
            variable
        })
        .collect();
    (short, definitions)
}

/// A witness of the reduct that extends the source's. That settles feasibility without asking about the store, however
/// long it is.
fn carried_witness(
    kernel: &mut Kernel,
    point: &Assignment,
    transition: &Transition,
    target: Option<PredicateId>,
) -> Option<Arc<Assignment>> {
    if transition.locals.is_empty() {
        let holds = |formula: &TermId| kernel.terms.holds(*formula, point) == Some(true);
        let all = transition.guard.iter().all(holds);
        return all
            .then(|| values_at(kernel, target, &transition.updates, point))
            .flatten();
    }
    let extended = extend_point(kernel, point, transition)?;
    values_at(kernel, target, &transition.updates, &extended)
}

/// A point with values of the transition's own variables that satisfy its guard there, if some are found.
pub(super) fn extend_point(kernel: &mut Kernel, point: &Assignment, transition: &Transition) -> Option<Assignment> {
    let values = as_terms(kernel, point)?;
    let guard = kernel.terms.substitute_all(&transition.guard, &values);
    let (answer, model) = kernel
        .solver
        .check_model(&kernel.terms, &[], &guard, &transition.locals);
    let mut extended = model.filter(|_| answer == Answer::Satisfiable)?;
    extended.extend(point.iter().map(|(variable, value)| (*variable, value.clone())));
    Some(extended)
}

/// The substitution of a point's values for its variables; `None` if one of them is an array or of a datatype.
fn as_terms(kernel: &mut Kernel, point: &Assignment) -> Option<Substitution> {
    let terms = &mut kernel.terms;
    let mut substitution = Substitution::new();
    let mut variables: Vec<&TermId> = point.keys().collect();
    variables.sort();
    for variable in variables {
        let term = match point.get(variable)? {
            Value::Bool(value) => terms.boolean(*value),
            Value::Number(value) => terms.number(value.clone(), terms.sort(*variable)),
            Value::Float(value) => terms.float(*value),
            Value::Array(_) | Value::Datatype(_) => return None,
        };
        substitution.insert(terms, *variable, term);
    }
    Some(substitution)
}

/// The values of the target's parameters when the arguments are evaluated at a point.
fn values_at(
    kernel: &Kernel,
    target: Option<PredicateId>,
    arguments: &[TermId],
    point: &Assignment,
) -> Option<Arc<Assignment>> {
    // The error and the end have no parameters; an empty witness says that they are reached.
    let parameters = target.map_or(&[][..], |target| kernel.parameters(target));
    let values: Option<Vec<Value>> = arguments
        .iter()
        .map(|term| kernel.terms.evaluate(*term, point))
        .collect();
    Some(Arc::new(parameters.iter().copied().zip(values?).collect()))
}
