//! That functions which a certificate defines by recursion exist: every call to a function of the same group leads to a smaller rank.
//!
//! Then a definition determines the function, and what it says is true of some function at least, so it may be taken for granted. What
//! is called on the way to another call is any value here; a definition that needs more is refused.

use super::lemmas::Obligation;
use crate::terms::{FunctionId, Operator, SortId, Substitution, TermId, Terms, check_sorts};
use hashbrown::HashSet;

/// A body with more ways to calls than this is refused.
const MOST_CALLS: usize = 400;
/// A certificate defines so many functions at most.
const MOST_FUNCTIONS: usize = 400;
/// A definition or a lemma of more terms than this is refused: how deep calls are inside is looked at term by term.
pub(super) const MOST_TERMS: usize = 3_000;

/// Checks the form of definitions: names of their own, bodies and ranks over parameters, and calls to groups that are not later ones.
pub(super) fn check_form(terms: &Terms) -> Result<(), String> {
    let functions = terms.functions();
    if functions.len() > MOST_FUNCTIONS {
        return Err("it defines too many functions".to_string());
    }
    let (mut names, mut visited) = (HashSet::new(), HashSet::new());
    let others: HashSet<String> = terms.datatype_names().into_iter().collect();
    for function in functions {
        let refused = |why: &str| Err(format!("the function `{}`: {why}", function.name));
        // With a mark that no name of a datatype's functions has to other tools, after quoting.
        if !function.name.contains('!') || others.contains(&function.name) || !names.insert(&function.name) {
            return refused("it needs a name of its own, with `!`");
        }
        // Texts for other solvers quote it; a name that ended its quotes could say anything there.
        if !function.name.chars().all(can_be_quoted) {
            return refused("its name cannot be quoted");
        }
        let mut parameters = HashSet::new();
        check_sorts(terms, &function.parameters, &mut visited)?;
        if !function
            .parameters
            .iter()
            .all(|one| terms.is_variable(*one) && parameters.insert(*one))
        {
            return refused("a parameter is not a variable of its own");
        }
        let bodies: Vec<TermId> = function.body.iter().chain(&function.ranks).copied().collect();
        check_sorts(terms, &bodies, &mut visited)?;
        if terms.subterms(&bodies).len() > MOST_TERMS {
            return refused("its definition is too large");
        }
        if function.body.is_some_and(|body| terms.sort(body) != function.sort)
            || function.ranks.iter().any(|rank| terms.sort(*rank) != SortId::INT)
        {
            return refused("its definition has another sort");
        }
        if !terms
            .variables_of_all(&bodies)
            .iter()
            .all(|one| parameters.contains(one))
        {
            return refused("its definition speaks of more than its parameters");
        }
        let calls = terms.applications(&bodies);
        if calls
            .iter()
            .any(|call| group(terms, *call).is_none_or(|group| group > function.group))
        {
            return refused("it calls a function of a later group");
        }
        if !terms.applications(&function.ranks).is_empty() {
            return refused("its rank calls a function");
        }
    }
    Ok(())
}

/// Whether a function's name may have this character.
pub(crate) fn can_be_quoted(c: char) -> bool {
    c != '|' && c != '\\' && !c.is_control() && !c.is_whitespace()
}

/// The group of the function that is called.
fn group(terms: &Terms, call: TermId) -> Option<u32> {
    let Operator::Apply(id) = terms.operator(call) else {
        return None;
    };
    terms.functions().get(id.index()).map(|function| function.group)
}

/// What has to be shown so that all recursion ends, by well-formed definitions.
pub(super) fn obligations(terms: &mut Terms) -> Result<Vec<Obligation>, String> {
    let mut all = Vec::new();
    for index in 0..terms.functions().len() {
        all.extend(of_function(terms, FunctionId::from_index(index))?);
    }
    Ok(all)
}

/// What has to be shown so that a function's recursion ends.
pub(crate) fn of_function(terms: &mut Terms, id: FunctionId) -> Result<Vec<Obligation>, String> {
    let Some(function) = terms.functions().get(id.index()).cloned() else {
        return Ok(Vec::new());
    };
    let Some(body) = function.body else {
        return Ok(Vec::new());
    };
    let mut walk = Walk {
        group: function.group,
        found: Vec::new(),
    };
    walk.calls(terms, body, &mut Vec::new());
    if walk.found.len() > MOST_CALLS {
        return Err(format!("the function `{}` has too many calls", function.name));
    }
    let mut obligations = Vec::new();
    for (mut formulas, call) in walk.found {
        let called = ranks_of(terms, call);
        if called.is_empty() || called.len() != function.ranks.len() {
            return Err(format!("the function `{}` recurs without a rank", function.name));
        }
        let descends = descends(terms, &function.ranks, &called);
        formulas.push(terms.not(descends));
        let unfolded = terms.unfoldings(&formulas);
        formulas.extend(unfolded);
        obligations.push(Obligation {
            text: format!("the recursion of `{}` into `{}`", function.name, terms.display(call)),
            formulas,
        });
    }
    Ok(obligations)
}

/// That the first of these integers that changes becomes smaller, and not negative.
pub(super) fn descends(terms: &mut Terms, ranks: &[TermId], called: &[TermId]) -> TermId {
    let zero = terms.integer(0);
    let (mut ways, mut same) = (Vec::new(), Vec::new());
    for (own, called) in ranks.iter().zip(called) {
        let (not_negative, smaller) = (terms.less_or_equal(zero, *called), terms.less(*called, *own));
        let way = [&same[..], &[not_negative, smaller]].concat();
        ways.push(terms.and(&way));
        same.push(terms.equal(*called, *own));
    }
    terms.or(&ways)
}

/// The ranks of a call.
fn ranks_of(terms: &mut Terms, call: TermId) -> Vec<TermId> {
    let Operator::Apply(id) = terms.operator(call) else {
        return Vec::new();
    };
    let Some(function) = terms.functions().get(id.index()) else {
        return Vec::new();
    };
    let (ranks, parameters) = (function.ranks.clone(), function.parameters.clone());
    let arguments = terms.arguments(call).to_vec();
    let substitution = Substitution::of(terms, &parameters, &arguments);
    terms.substitute_all(&ranks, &substitution)
}

/// The calls in a body to functions of its group, with the conditions under which their values matter.
struct Walk {
    group: u32,
    found: Vec<(Vec<TermId>, TermId)>,
}

impl Walk {
    /// As deep as formulas are nested.
    fn calls(&mut self, terms: &mut Terms, term: TermId, path: &mut Vec<TermId>) {
        if self.found.len() > MOST_CALLS || !self.recurs(terms, term) {
            return;
        }
        let arguments = terms.arguments(term).to_vec();
        match (terms.operator(term), &arguments[..]) {
            (Operator::IfThenElse, &[condition, left, right]) => {
                self.calls(terms, condition, path);
                let otherwise = terms.not(condition);
                for (holds, side) in [(condition, left), (otherwise, right)] {
                    path.push(holds);
                    self.calls(terms, side, path);
                    path.pop();
                }
            }
            (operator @ (Operator::And | Operator::Or), parts) => {
                // Those without recursion decide first: where one of them does, the others do not matter.
                let before = path.len();
                for part in parts {
                    if !self.recurs(terms, *part) {
                        path.push(match operator {
                            Operator::And => *part,
                            _ => terms.not(*part),
                        });
                    }
                }
                for part in parts {
                    self.calls(terms, *part, path);
                }
                path.truncate(before);
            }
            (_, arguments) => {
                for argument in arguments {
                    self.calls(terms, *argument, path);
                }
                if group(terms, term) == Some(self.group) {
                    self.found.push((path.clone(), term));
                }
            }
        }
    }

    fn recurs(&self, terms: &Terms, term: TermId) -> bool {
        let calls = terms.applications(&[term]);
        calls.into_iter().any(|call| group(terms, call) == Some(self.group))
    }
}
