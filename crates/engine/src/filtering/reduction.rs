//! Rules with less in them: without local variables that an equation determines, and without conditions on local variables that nothing else
//! depends on.

use crate::rules::Rule;
use crate::solver::{Answer, LayeredSolver};
use crate::steps::conjuncts::{Conjuncts, resolved};
use crate::terms::{Assignment, TermId, Terms};
use hashbrown::{HashMap, HashSet};

/// A rule with more conjuncts than this keeps what its equations say: each of them may be put into all others.
const MOST_CONJUNCTS: usize = 2_000;

/// A rule whose equations were solved for its local variables.
pub(super) struct Reduced {
    /// The head's arguments, as they were.
    pub head: Vec<TermId>,
    /// The conjuncts that are left.
    pub constraint: Vec<TermId>,
    /// The arguments of each atom of the body.
    pub body: Vec<Vec<TermId>>,
    /// What equations determine, in the order in which they were solved: a value may need those of later ones.
    pub solved: Vec<(TermId, TermId)>,
}

impl Reduced {
    /// As far as there is time. Of the equations that can be solved the first one comes first.
    pub fn new(terms: &mut Terms, rule: &Rule, is_over: &dyn Fn() -> bool) -> Reduced {
        let mut conjuncts = Conjuncts::new(terms, &rule.constraint);
        let of_head: HashSet<TermId> = terms.variables_of_all(&rule.head.arguments).into_iter().collect();
        let mut solved = Vec::new();
        while conjuncts.len() <= MOST_CONJUNCTS && !is_over() {
            let Some((variable, term)) = conjuncts.solve_first(terms, &|variable| !of_head.contains(&variable)) else {
                break;
            };
            conjuncts.replace(terms, variable, term);
            solved.push((variable, term));
        }
        let (_, solution) = resolved(terms, &solved);
        let atoms = rule.body.iter();
        let body = atoms
            .map(|atom| terms.substitute_all(&atom.arguments, &solution))
            .collect();
        Reduced {
            head: rule.head.arguments.clone(),
            constraint: conjuncts.into_formulas(),
            body,
            solved,
        }
    }
}

/// Leaves conditions out that are about local variables which occur in no atom and that some values meet; these values.
pub(super) fn leave_out(terms: &Terms, rule: &mut Rule, solver: &mut LayeredSolver) -> Assignment {
    let atoms = rule.body.iter().flat_map(|atom| atom.arguments.iter());
    let in_atoms: Vec<TermId> = rule.head.arguments.iter().chain(atoms).copied().collect();
    // What is in an atom, or in a condition with something that is.
    let needed = connected(terms, &rule.constraint, terms.variables_of_all(&in_atoms));
    let variables: Vec<Vec<TermId>> = rule.constraint.iter().map(|one| terms.variables(*one)).collect();
    let is_apart = |own: &Vec<TermId>| !own.is_empty() && !own.iter().any(|variable| needed.contains(variable));
    let apart: Vec<bool> = variables.iter().map(is_apart).collect();
    let conditions: Vec<TermId> = rule
        .constraint
        .iter()
        .zip(&apart)
        .filter(|(_, apart)| **apart)
        .map(|(condition, _)| *condition)
        .collect();
    if conditions.is_empty() {
        return Assignment::new();
    }
    let read = terms.variables_of_all(&conditions);
    let (answer, values) = solver.check_model(terms, &conditions, &[], &read);
    match (answer, values) {
        (Answer::Satisfiable, Some(values)) if read.iter().all(|variable| values.contains_key(variable)) => {
            let mut positions = apart.iter();
            rule.constraint.retain(|_| positions.next() != Some(&true));
            values
        }
        _ => Assignment::new(),
    }
}

/// These variables, and all that conditions join to them.
pub(super) fn connected(terms: &Terms, conditions: &[TermId], from: Vec<TermId>) -> HashSet<TermId> {
    let variables: Vec<Vec<TermId>> = conditions.iter().map(|one| terms.variables(*one)).collect();
    let mut conditions_of: HashMap<TermId, Vec<usize>> = HashMap::new();
    for (position, own) in variables.iter().enumerate() {
        for variable in own {
            conditions_of.entry(*variable).or_default().push(position);
        }
    }
    let mut connected: HashSet<TermId> = from.iter().copied().collect();
    let mut open = from;
    while let Some(variable) = open.pop() {
        for position in conditions_of.remove(&variable).unwrap_or_default() {
            let others = variables[position].iter().copied();
            open.extend(others.filter(|other| connected.insert(*other)));
        }
    }
    connected
}
