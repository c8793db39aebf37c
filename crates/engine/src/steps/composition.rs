//! Rules composed along paths: what lies between places that matter is unfolded into the rules that lead to it.
//!
//! A rule that reduces to a predicate between places is replaced by its compositions with the rules of that predicate. What can be
//! derived at the places stays the same. Each composed rule remembers the rules that it is made of, and what their variables
//! are in it, so that a derivation by composed rules is one by the original ones.

use crate::rules::{Atom, PredicateId, Rule};
use crate::terms::{Assignment, Substitution, TermId, Terms, Value};
use hashbrown::HashMap;

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

impl Part {
    /// The values of its variables, by ascending variable, where those of the composed rule have these; `None` if something cannot be
    /// evaluated. What is left of the composed rule without a value may have any, and gets one.
    pub fn values(&self, terms: &Terms, composed: &mut Assignment) -> Option<Vec<(TermId, Value)>> {
        let mut values: Vec<(TermId, Value)> = Vec::with_capacity(self.variables.len());
        for (variable, term) in &self.variables {
            for unknown in terms.variables(*term) {
                let default = || terms.default_value(terms.sort(unknown));
                composed.entry(unknown).or_insert_with(default);
            }
            values.push((*variable, terms.evaluate(*term, composed)?));
        }
        values.sort_by_key(|(variable, _)| *variable);
        Some(values)
    }
}

/// Where rules are composed, and how far.
pub(crate) struct Paths<'a> {
    rules: &'a [Rule],
    /// The positions of each predicate's rules.
    of: HashMap<PredicateId, Vec<usize>>,
    /// Whether a rule that reduces to this predicate is not composed with those that follow it.
    ends: &'a dyn Fn(PredicateId) -> bool,
    /// How many composed rules one predicate may have.
    most: usize,
}

impl<'a> Paths<'a> {
    /// Paths through these rules up to predicates at which they end, at most so many from one predicate.
    pub fn new(rules: &'a [Rule], ends: &'a dyn Fn(PredicateId) -> bool, most: usize) -> Paths<'a> {
        let mut of: HashMap<PredicateId, Vec<usize>> = HashMap::new();
        for (position, rule) in rules.iter().enumerate() {
            of.entry(rule.head.predicate).or_default().push(position);
        }
        Paths { rules, of, ends, most }
    }

    fn of(&self, predicate: PredicateId) -> &[usize] {
        self.of.get(&predicate).map_or(&[], Vec::as_slice)
    }

    /// The composed rules of one predicate, or the predicate at which there are too many. `keeps` says whether a composed rule is worth
    /// having: one that no values satisfy is not.
    pub fn compose(
        &self,
        terms: &mut Terms,
        source: PredicateId,
        keeps: &mut dyn FnMut(&Terms, &Rule) -> bool,
    ) -> Result<Vec<Composed>, PredicateId> {
        let mut done = Vec::new();
        let first = self.of(source).iter().rev();
        let mut waiting: Vec<Composed> = first
            .map(|position| alone(terms, *position, &self.rules[*position]))
            .collect();
        while let Some(composed) = waiting.pop() {
            let next = composed.rule.body.first().map(|atom| atom.predicate);
            let Some(next) = next.filter(|next| !(self.ends)(*next)) else {
                done.push(composed);
                continue;
            };
            let followers = self.of(next);
            if done.len() + waiting.len() + followers.len() > self.most {
                return Err(next);
            }
            for position in followers.iter().rev() {
                if let Some(longer) = append(terms, &composed, *position, &self.rules[*position])
                    && keeps(terms, &longer.rule)
                {
                    waiting.push(longer);
                }
            }
        }
        Ok(done)
    }
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
