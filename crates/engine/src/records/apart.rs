//! A program whose records are taken apart: its parameters, and its rules.
//!
//! A rule's variable that is a record is what the constructor makes of new variables, which the rule's terms then see through; the arguments of
//! atoms are their fields. So the values of the two programs correspond one to one.

use crate::rules::{Atom, Program, Rule};
use crate::terms::{ConstructorId, SortId, Substitution, TermId, Terms};

/// Records that are nested deeper, or have more parts, stay.
const MOST_PARTS: usize = 64;

/// A program without records as parameters, and what its parameters and variables are of the original's. Predicates and rules keep their
/// ids, and what is no record its variables.
pub(crate) struct Apart {
    pub program: Program,
    /// Each new parameter with the part, a term over a parameter of the original.
    pub parts: Substitution,
    /// Of each rule, what the variables of the original that are records are made of in the new one.
    pub(super) made: Vec<Substitution>,
}

impl Apart {
    /// The program with its records taken apart; nothing if it has none.
    pub fn new(original: &Program) -> Option<Apart> {
        let of_parameters = original.predicates().iter().flat_map(|predicate| &predicate.parameters);
        let mut sorts = of_parameters.map(|parameter| original.terms.sort(*parameter));
        if !sorts.any(|sort| constructor_of(&original.terms, sort).is_some()) {
            return None;
        }
        let mut terms = original.terms.clone();
        let mut parts = Substitution::new();
        let mut parameters = Vec::with_capacity(original.predicates().len());
        for predicate in original.predicates() {
            let mut own = Vec::with_capacity(predicate.parameters.len());
            for parameter in &predicate.parameters {
                let from = own.len();
                taken_apart(&mut terms, *parameter, &mut own);
                for part in &mut own[from..] {
                    if part != parameter {
                        let named = terms.fresh_variable(original.terms.variable_name(*parameter), terms.sort(*part));
                        parts.insert(&terms, named, *part);
                        *part = named;
                    }
                }
            }
            parameters.push(own);
        }
        let mut program = original.with_parameters(parameters);
        program.terms = terms;
        let mut made = Vec::with_capacity(original.rules().len());
        for rule in original.rules() {
            let (rule, records) = with_parts(&mut program.terms, rule);
            program.add_rule(rule);
            made.push(records);
        }
        Some(Apart { program, parts, made })
    }
}

/// The constructor of a record, if the sort is one: the only one of a datatype that does not hold itself, with some fields and not too many
/// parts.
fn constructor_of(terms: &Terms, sort: SortId) -> Option<ConstructorId> {
    let (mut parts, mut stack) = (0, vec![sort]);
    while let Some(current) = stack.pop() {
        parts += 1;
        if let Some(constructor) = only_constructor(terms, current) {
            let fields = &terms.constructor(constructor).fields;
            stack.extend(fields.iter().map(|field| terms.field(*field).sort));
        }
        if parts + stack.len() > MOST_PARTS {
            return None;
        }
    }
    only_constructor(terms, sort)
}

fn only_constructor(terms: &Terms, sort: SortId) -> Option<ConstructorId> {
    let datatype = terms.datatype(sort).filter(|_| !terms.is_recursive(sort))?;
    match datatype.constructors[..] {
        [only] if !terms.constructor(only).fields.is_empty() => Some(only),
        _ => None,
    }
}

/// The parts of a term, itself if it is no record.
fn taken_apart(terms: &mut Terms, term: TermId, parts: &mut Vec<TermId>) {
    // As deep as records are nested, which is limited.
    let Some(constructor) = constructor_of(terms, terms.sort(term)) else {
        parts.push(term);
        return;
    };
    for field in terms.constructor(constructor).fields.clone() {
        let part = terms.field_of(field, term);
        taken_apart(terms, part, parts);
    }
}

/// What the constructors of a record make of new variables.
fn made_of_variables(terms: &mut Terms, name: &str, sort: SortId) -> TermId {
    let Some(constructor) = constructor_of(terms, sort) else {
        return terms.fresh_variable(name, sort);
    };
    let fields = terms.constructor(constructor).fields.clone();
    let mut arguments = Vec::with_capacity(fields.len());
    for field in fields {
        let sort = terms.field(field).sort;
        arguments.push(made_of_variables(terms, name, sort));
    }
    terms.construct(constructor, &arguments)
}

/// A rule with its records taken apart, and what its variables that are records are made of.
fn with_parts(terms: &mut Terms, rule: &Rule) -> (Rule, Substitution) {
    let all: Vec<TermId> = rule.terms().collect();
    let mut made = Substitution::new();
    for variable in terms.variables_of_all(&all) {
        let sort = terms.sort(variable);
        if constructor_of(terms, sort).is_some() {
            let name = terms.variable_name(variable).to_string();
            let record = made_of_variables(terms, &name, sort);
            made.insert(terms, variable, record);
        }
    }
    let mut atom = |atom: &Atom| {
        let mut arguments = Vec::new();
        for argument in terms.substitute_all(&atom.arguments, &made) {
            taken_apart(terms, argument, &mut arguments);
        }
        Atom {
            predicate: atom.predicate,
            arguments,
        }
    };
    let head = atom(&rule.head);
    let body = rule.body.iter().map(atom).collect();
    let apart = Rule {
        head,
        constraint: terms.substitute_all(&rule.constraint, &made),
        body,
        location: rule.location,
    };
    (apart, made)
}

#[cfg(test)]
mod tests;
