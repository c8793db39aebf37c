//! Proofs that clauses have no model: ground resolution steps, each of which derives an atom without variables from atoms that
//! have been derived, by one clause of the text with values for its variables. The last step derives `false`.
//!
//! ```text
//! (proof
//!   (step s1 (loop 0) :assertion "3:5" :with () :premises ())
//!   (step s2 false :assertion "5:5" :with ((X 0)) :premises (s1))
//! )
//! ```
//!
//! Where the text leaves sorts open (`declare-sort`), a constant comes first for each, any element of the sort.
//!
//! A step is right if its assertion and its premises imply what it derives, which any solver sees at once.

use crate::evidence::Derivation;
use crate::horn::{Clauses, Direction, write_number, write_symbol};
use crate::rules::{Atom, PredicateId, Rule};
use crate::terms::{Assignment, Sort, SortId, Terms, Value, smtlib_float, smtlib_word};

/// A rule of the derivation whose atoms have not all been derived.
struct Open<'p> {
    /// The position of its step in the derivation.
    step: usize,
    rule: &'p Rule,
    direction: Direction,
    /// How many atoms of its body have to be derived before it derives something itself.
    calls: usize,
    /// The steps of the proof that derive its premises.
    premises: Vec<usize>,
    /// How many of these calls have been derived.
    derived: usize,
}

/// Longer derivations are not written as proofs.
const MOST_STEPS: u64 = 3_000_000;

/// The proof that a derivation gives. `None` if it is not one for these rules, or has more than three million steps.
pub fn proof(clauses: &Clauses, derivation: &Derivation) -> Option<String> {
    let expanded = derivation.expanded(&clauses.program, MOST_STEPS)?;
    let derivation = &expanded;
    let mut text = String::from("(proof\n");
    let mut count = 0;
    let mut open: Vec<Open<'_>> = Vec::new();
    // The step that has derived where the run is.
    let mut reached: Option<usize> = None;
    for (position, step) in derivation.steps.iter().enumerate() {
        let rule = clauses.program.rule(step.rule);
        let direction = clauses.origins.get(step.rule.index())?.direction;
        let (calls, premises) = match direction {
            Direction::Forward => (rule.body.len().checked_sub(1)?, reached.take().into_iter().collect()),
            Direction::Backward => (rule.body.len(), Vec::new()),
        };
        open.push(Open {
            step: position,
            rule,
            direction,
            calls,
            premises,
            derived: 0,
        });
        // What has all its premises derives something, which may be the last premise of what called it.
        while let Some(last) = open.pop() {
            if last.derived < last.calls {
                open.push(last);
                break;
            }
            count += 1;
            let conclusion = match last.direction {
                Direction::Forward => last.rule.body.last()?,
                Direction::Backward => &last.rule.head,
            };
            text.push_str(&written_step(clauses, derivation, &last, conclusion, count)?);
            match last.direction {
                Direction::Forward => reached = Some(count),
                Direction::Backward => {
                    let caller = open.last_mut()?;
                    caller.premises.push(count);
                    caller.derived += 1;
                }
            }
        }
    }
    text.push_str(")\n");
    let mut text = clauses.spelling.spelled(&text);
    for open in clauses.spelling.open_sorts() {
        text = open.with_constant(&text);
        text = text.replacen('\n', &format!("\n  {}\n", open.constant()), 1);
    }
    Some(text)
}

fn written_step(
    clauses: &Clauses,
    derivation: &Derivation,
    done: &Open<'_>,
    conclusion: &Atom,
    number: usize,
) -> Option<String> {
    let terms = &clauses.program.terms;
    let step = derivation.steps.get(done.step)?;
    let values: Assignment = step.values.iter().cloned().collect();
    let with: Vec<String> = step
        .values
        .iter()
        .map(|(variable, value)| {
            let name = write_symbol(&terms.variable_name(*variable).replace(['|', '\\'], "_"));
            format!("({name} {})", written_value(terms, value, terms.sort(*variable)))
        })
        .collect();
    let premises: Vec<String> = done.premises.iter().map(|premise| format!("s{premise}")).collect();
    let place = clauses.origins.get(step.rule.index())?.location;
    let place = place.map_or_else(String::new, |place| format!("{}:{}", place.line, place.column));
    Some(format!(
        "  (step s{number} {} :assertion \"{place}\" :with ({}) :premises ({}))\n",
        ground_atom(clauses, conclusion, &values)?,
        with.join(" "),
        premises.join(" ")
    ))
}

/// An atom of the text without variables.
fn ground_atom(clauses: &Clauses, atom: &Atom, values: &Assignment) -> Option<String> {
    if atom.predicate == PredicateId::ERROR {
        return Some("false".to_string());
    }
    let terms = &clauses.program.terms;
    let atom = clauses.declared_atom(atom);
    let name = write_symbol(&clauses.program.predicate(atom.predicate).name);
    let mut arguments = Vec::with_capacity(atom.arguments.len());
    for argument in &atom.arguments {
        let value = terms.evaluate(*argument, values)?;
        arguments.push(written_value(terms, &value, terms.sort(*argument)));
    }
    Some(match arguments.is_empty() {
        true => name,
        false => format!("({name} {})", arguments.join(" ")),
    })
}

/// A value as SMT-LIB writes it; an array as one that is the same everywhere, with elements stored into it. Values are not nested so
/// deeply that the recursion were too deep.
fn written_value(terms: &Terms, value: &Value, sort: SortId) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Float(value) => smtlib_float(*value),
        Value::Number(number) => match terms.width(sort) {
            Some(width) => smtlib_word(number, width),
            None => write_number(number, sort),
        },
        Value::Datatype(value) => {
            let constructor = terms.constructor(value.constructor);
            let name = write_symbol(&constructor.name);
            let parts = value.arguments.iter().zip(&constructor.fields);
            let parts = parts.map(|(part, field)| written_value(terms, part, terms.field(*field).sort));
            let parts: Vec<String> = parts.collect();
            match parts.is_empty() {
                true => name,
                false => format!("({name} {})", parts.join(" ")),
            }
        }
        Value::Array(array) => {
            let Sort::Array(index, element) = terms.sort_of_id(sort) else {
                return String::new();
            };
            let default = written_value(terms, &array.default, element);
            let mut text = format!("((as const {}) {default})", terms.smtlib_sort(sort));
            for (position, stored) in &array.elements {
                let position = written_value(terms, position, index);
                text = format!("(store {text} {position} {})", written_value(terms, stored, element));
            }
            text
        }
    }
}
