//! Records taken apart: parameters of a datatype that has one constructor and does not hold itself become parameters for its fields.
//!
//! A pair of a list and a number is no list, and what is measured of it is measured of its parts: a rule's variable of such a sort is what the
//! constructor makes of new variables, which its terms then see through. The values of the two programs correspond one to one.

use crate::rules::{Atom, Program, Rule};
use crate::terms::{ConstructorId, SortId, Substitution, TermId, Terms};

/// Records that are nested deeper, or have more parts, stay.
const MOST_PARTS: usize = 64;

/// A program without records as parameters, and what its parameters are of the original's.
pub(super) struct Apart {
    pub program: Program,
    /// Each parameter with the part, a term over a parameter of the original.
    pub parts: Substitution,
}

impl Apart {
    /// The program with its records taken apart; nothing if it has none.
    pub fn new(original: &Program) -> Option<Apart> {
        let of_parameters = original.predicates().iter().flat_map(|predicate| &predicate.parameters);
        let mut sorts = of_parameters.map(|parameter| original.terms.sort(*parameter));
        if !sorts.any(|sort| constructor_of(&original.terms, sort).is_some()) {
            return None;
        }
        let mut program = Program::new();
        program.terms = original.terms.clone();
        let mut parts = Substitution::new();
        for predicate in original.predicates().iter().skip(2) {
            let (mut own, mut names) = (Vec::new(), Vec::new());
            for parameter in &predicate.parameters {
                taken_apart(&mut program.terms, *parameter, &mut own);
                names.resize(own.len(), original.terms.variable_name(*parameter));
            }
            let declared: Vec<(&str, SortId)> = names
                .into_iter()
                .zip(&own)
                .map(|(name, part)| (name, program.terms.sort(*part)))
                .collect();
            let id = program.add_predicate(&predicate.name, predicate.point.as_deref(), &declared);
            for (parameter, part) in program.predicate(id).parameters.iter().zip(own) {
                parts.insert(&program.terms, *parameter, part);
            }
        }
        for rule in original.rules() {
            let rule = with_parts(&mut program.terms, rule);
            program.add_rule(rule);
        }
        Some(Apart { program, parts })
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

/// A rule with its records taken apart.
fn with_parts(terms: &mut Terms, rule: &Rule) -> Rule {
    let atoms = std::iter::once(&rule.head).chain(&rule.body);
    let mut all: Vec<TermId> = atoms.flat_map(|atom| &atom.arguments).copied().collect();
    all.extend(&rule.constraint);
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
    let constraint = terms.substitute_all(&rule.constraint, &made);
    Rule {
        head,
        constraint,
        body,
        location: rule.location,
    }
}

#[cfg(test)]
mod tests;
