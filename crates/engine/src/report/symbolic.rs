//! Symbolic states as text: each with what it describes, and below it where the rules lead. Seed 002's templates are read here as
//! states that a rule leads back into, with κ one greater.

use super::wording;
use crate::evidence::{Certificate, ForAll, Inclusion, Successors};
use crate::rules::Program;
use crate::terms::{TermId, Terms};

/// The symbolic states of a certificate.
pub(super) fn write_states(text: &mut String, program: &Program, certificate: &Certificate) {
    let terms = &certificate.terms;
    let subject = certificate.subject(program);
    let stack = match program.has_calls() {
        true => ", with what is still to be derived on a stack",
        false => "",
    };
    let program = &*subject;
    text.push_str(&format!(
        "\nCertificate: symbolic states, out of which no rule leads{stack}\n"
    ));
    for (position, state) in certificate.symbolic.iter().enumerate() {
        let memory = state.memory.iter().map(|term| terms.display(*term).to_string());
        let atom = wording::atom(program, state.predicate, memory);
        text.push_str(&format!("  {position}  {atom}\n"));
        for conjunct in &state.condition {
            text.push_str(&format!("       {}\n", terms.display(*conjunct)));
        }
        for conjunct in &state.quantified {
            text.push_str(&format!("       {}\n", for_all(terms, conjunct)));
        }
        match &state.successors {
            Successors::Within(inclusion) => {
                text.push_str(&format!("     lies in {}\n", into(terms, certificate, inclusion)));
            }
            Successors::Steps(steps) => {
                for step in steps {
                    let place = wording::place(program, step.rule);
                    let into = into(terms, certificate, &step.into);
                    text.push_str(&format!("     {place}: into {into}\n"));
                }
            }
        }
    }
}

fn for_all(terms: &Terms, conjunct: &ForAll) -> String {
    let variable = terms.variable_name(conjunct.variable);
    let body: Vec<String> = conjunct
        .body
        .iter()
        .map(|one| terms.display(*one).to_string())
        .collect();
    let body = body.join(", ");
    match conjunct.bound {
        Some(bound) => format!("for all 0 =< {variable} < {}: {body}", terms.display(bound)),
        None => format!("for all {variable}: {body}"),
    }
}

/// The state that something lies in, and the values of its symbols that are not what they were.
fn into(terms: &Terms, certificate: &Certificate, inclusion: &Inclusion) -> String {
    let symbols = certificate
        .symbolic
        .get(inclusion.state)
        .map(|state| &state.symbols[..]);
    let pairs = symbols.unwrap_or_default().iter().zip(&inclusion.values);
    let texts = pairs
        .map(|(symbol, value): (&TermId, &TermId)| (terms.variable_name(*symbol), terms.display(*value).to_string()));
    let changed: Vec<String> = texts
        .filter(|(symbol, value)| symbol != value)
        .map(|(symbol, value)| format!("{symbol} = {value}"))
        .collect();
    match changed.is_empty() {
        true => inclusion.state.to_string(),
        false => format!("{} with {}", inclusion.state, changed.join(", ")),
    }
}
