//! What of an invariant is needed: less to check, and less to read.
//!
//! From the error backward: what excludes it, by the core of the question whether it does not, and then what each of these rests
//! on. What is found so rests on itself alone, so it is an invariant, too.

use super::kernel::Kernel;
use super::system::{Clause, NodeId};
use crate::engine::StopReason;
use crate::solver::{Answer, QuestionSolver};
use crate::terms::TermId;
use hashbrown::HashSet;

/// What is spent at most on one question, in Z3's units.
const RESOURCES: u32 = 2_000_000;

/// The part of an invariant, of formulas for each node, that is needed to exclude the error; all of it if that is not found out.
pub(super) fn trimmed(
    kernel: &mut Kernel,
    invariant: Vec<Vec<TermId>>,
    stop: &dyn Fn(u64) -> Option<StopReason>,
) -> Vec<Vec<TermId>> {
    let mut needed: HashSet<(NodeId, TermId)> = HashSet::new();
    let mut asked: Vec<Option<Asked>> = kernel.system.clauses.iter().map(|_| None).collect();
    let error = kernel.system.error;
    let mut waiting = vec![(error, TermId::FALSE)];
    while let Some((node, formula)) = waiting.pop() {
        for clause in kernel.system.nodes[node.0].clauses.clone() {
            if stop(kernel.work()).is_some() {
                return invariant;
            }
            let found = match rests_on(kernel, &mut asked, &invariant, clause, formula, Some(&needed)) {
                Some(found) => found,
                None => match rests_on(kernel, &mut asked, &invariant, clause, formula, None) {
                    Some(found) => found,
                    None => return invariant,
                },
            };
            waiting.extend(found.into_iter().filter(|one| needed.insert(*one)));
        }
    }
    let keep = |(node, formulas): (usize, Vec<TermId>)| -> Vec<TermId> {
        let formulas = formulas.into_iter();
        formulas
            .filter(|formula| needed.contains(&(NodeId(node), *formula)))
            .collect()
    };
    invariant.into_iter().enumerate().map(keep).collect()
}

/// What asks an implication, made when it is asked first.
struct Asked {
    solver: QuestionSolver,
    /// What the invariant says of the premises: of which node, the formula, and the instance.
    assumed: Vec<(NodeId, TermId, TermId)>,
}

impl Asked {
    fn new(kernel: &mut Kernel, invariant: &[Vec<TermId>], clause: usize) -> Asked {
        let mut solver = QuestionSolver::new(kernel.theory, RESOURCES);
        let Clause {
            constraint, premises, ..
        } = &kernel.system.clauses[clause];
        constraint.iter().for_each(|part| solver.assert(&kernel.terms, *part));
        let mut assumed = Vec::new();
        for premise in premises {
            let formulas = &invariant[premise.node.0];
            let instances = kernel.terms.substitute_all(formulas, &premise.instance);
            let pairs = formulas.iter().zip(instances);
            assumed.extend(pairs.map(|(formula, instance)| (premise.node, *formula, instance)));
        }
        Asked { solver, assumed }
    }
}

/// The formulas about its premises for which an implication leads into a formula; those that are needed already if there
/// are some to begin with.
fn rests_on(
    kernel: &mut Kernel,
    asked: &mut [Option<Asked>],
    invariant: &[Vec<TermId>],
    clause: usize,
    formula: TermId,
    among: Option<&HashSet<(NodeId, TermId)>>,
) -> Option<Vec<(NodeId, TermId)>> {
    let concluded = kernel.concluded(clause, &[formula]);
    let mut assumptions: Vec<TermId> = concluded.iter().map(|instance| kernel.terms.not(*instance)).collect();
    let own = assumptions.len();
    let asked = asked[clause].get_or_insert_with(|| Asked::new(kernel, invariant, clause));
    let is_wanted =
        |(node, known, _): &&(NodeId, TermId, TermId)| among.is_none_or(|among| among.contains(&(*node, *known)));
    let wanted: Vec<&(NodeId, TermId, TermId)> = asked.assumed.iter().filter(is_wanted).collect();
    assumptions.extend(wanted.iter().map(|(.., instance)| *instance));
    kernel.questions += 1;
    match asked.solver.check(&kernel.terms, &assumptions) {
        Answer::Unsatisfiable => {
            let core = asked.solver.core().into_iter();
            let meanings = core.filter_map(|position| wanted.get(position.checked_sub(own)?));
            Some(meanings.map(|(node, known, _)| (*node, *known)).collect())
        }
        _ => None,
    }
}
