//! Rules composed along paths: what lies between places that matter is unfolded into the rules that lead to it.
//!
//! A rule that reduces to a predicate between places is replaced by its compositions with the rules of that predicate. What can be
//! derived at the places stays the same. Each composed rule remembers the rules that it is made of, and what their variables
//! are in it, so that a derivation by composed rules is one by the original ones.

use crate::rules::{Atom, PredicateId, Rule};
use crate::terms::{Substitution, TermId, Terms};

/// A rule that stands for several, one after another.
#[derive(Clone, Debug)]
pub(crate) struct Composed {
    pub rule: Rule,
    pub parts: Vec<Part>,
}

/// One of the rules that a composed one stands for.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Its position among the rules that were composed.
    pub rule: usize,
    /// Its variables and what they are in the composed rule.
    pub variables: Vec<(TermId, TermId)>,
}

/// Where rules are composed, and how far.
pub(crate) struct Paths<'a> {
    pub rules: &'a [Rule],
    /// Whether a rule that reduces to this predicate is not composed with those that follow it.
    pub ends: &'a dyn Fn(PredicateId) -> bool,
    /// Whether a composed rule is worth having: one that no values satisfy is not.
    pub keeps: &'a mut dyn FnMut(&Terms, &Rule) -> bool,
    /// How many composed rules one predicate may have.
    pub most: usize,
}

/// The composed rules of one predicate, or the predicate at which there are too many.
pub(crate) fn compose(
    terms: &mut Terms,
    paths: &mut Paths<'_>,
    source: PredicateId,
) -> Result<Vec<Composed>, PredicateId> {
    let rules = paths.rules;
    let of = |predicate: PredicateId| {
        let all = rules.iter().enumerate();
        all.filter(move |(_, rule)| rule.head.predicate == predicate)
    };
    let mut done = Vec::new();
    let mut waiting: Vec<Composed> = of(source)
        .map(|(position, rule)| alone(terms, position, rule))
        .collect();
    waiting.reverse();
    while let Some(composed) = waiting.pop() {
        let next = composed.rule.body.first().map(|atom| atom.predicate);
        let Some(next) = next.filter(|next| !(paths.ends)(*next)) else {
            done.push(composed);
            continue;
        };
        if done.len() + waiting.len() + of(next).count() > paths.most {
            return Err(next);
        }
        let followers: Vec<(usize, &Rule)> = of(next).collect();
        for (position, follower) in followers.into_iter().rev() {
            if let Some(longer) = append(terms, &composed, position, follower)
                && (paths.keeps)(terms, &longer.rule)
            {
                waiting.push(longer);
            }
        }
    }
    Ok(done)
}

/// A rule that stands for itself.
fn alone(terms: &Terms, position: usize, rule: &Rule) -> Composed {
    let variables = terms.variables_of_all(&mentioned(rule));
    Composed {
        rule: rule.clone(),
        parts: vec![Part {
            rule: position,
            variables: variables.into_iter().map(|variable| (variable, variable)).collect(),
        }],
    }
}

fn mentioned(rule: &Rule) -> Vec<TermId> {
    let mut mentioned: Vec<TermId> = rule.head.arguments.clone();
    mentioned.extend(&rule.constraint);
    mentioned.extend(rule.body.iter().flat_map(|atom| &atom.arguments));
    mentioned
}

/// A rule followed by another, whose variables are renamed apart; `None` if that is clearly impossible.
fn append(terms: &mut Terms, first: &Composed, position: usize, second: &Rule) -> Option<Composed> {
    let atom = first.rule.body.first()?;
    let mut renaming = Substitution::new();
    let mut constraint = first.rule.constraint.clone();
    let variables = terms.variables_of_all(&mentioned(second));
    // A head argument that is a variable is replaced by what it is called with; nothing is left to be equated.
    let mut equations = Vec::new();
    for (formal, actual) in second.head.arguments.iter().zip(&atom.arguments) {
        if terms.is_variable(*formal) && renaming.get(*formal).is_none() {
            renaming.insert(terms, *formal, *actual);
        } else {
            equations.push((*formal, *actual));
        }
    }
    for variable in variables.iter().copied() {
        if renaming.get(variable).is_none() {
            let (name, sort) = (terms.variable_name(variable).to_string(), terms.sort(variable));
            let fresh = terms.fresh_variable(&name, sort);
            renaming.insert(terms, variable, fresh);
        }
    }
    for (formal, actual) in equations {
        let formal = terms.substitute(formal, &renaming);
        constraint.push(terms.equal(formal, actual));
    }
    constraint.extend(terms.substitute_all(&second.constraint, &renaming));
    if constraint.contains(&TermId::FALSE) {
        return None;
    }
    let mut body = Vec::with_capacity(second.body.len());
    for atom in &second.body {
        body.push(Atom {
            predicate: atom.predicate,
            arguments: terms.substitute_all(&atom.arguments, &renaming),
        });
    }
    let mut parts = first.parts.clone();
    parts.push(Part {
        rule: position,
        variables: variables
            .into_iter()
            .map(|variable| (variable, terms.substitute(variable, &renaming)))
            .collect(),
    });
    Some(Composed {
        rule: Rule {
            head: first.rule.head.clone(),
            constraint,
            body,
            location: first.rule.location,
        },
        parts,
    })
}
