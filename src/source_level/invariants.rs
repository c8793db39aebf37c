//! Loop invariants at the lines of the C program, over its variables and in its syntax; of functions that recur, what holds
//! where they are called, and what holds where they have returned.

use super::names::told_apart;
use super::places::{Places, SourceLine};
use crate::c::Translation;
use crate::c::source_map::PredicateSource;
use crate::evidence::{Certificate, Invariant};
use crate::rules::PredicateId;
use crate::terms::{Operator, TermId};

/// When an invariant holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InvariantKind {
    /// Whenever the loop is reached.
    Loop,
    /// Whenever the function is called.
    Precondition,
    /// Whenever the function has returned; `\old(x)` is what `x` was when it was called, as in ACSL.
    Postcondition,
}

/// What holds whenever a loop is reached, a function called, or a call has come back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceInvariant {
    /// Which of these.
    pub kind: InvariantKind,
    /// The loop, or the function.
    pub place: SourceLine,
    /// The function it is written in.
    pub function: String,
    /// Integers for all values of which it holds: indices of elements.
    pub universal: Vec<String>,
    /// The disjuncts, of which one holds at a time; each is a conjunction in C's syntax. None at all says that the loop is
    /// never reached.
    pub disjuncts: Vec<String>,
}

/// The names of a predicate's parameters; the last ones are what is handed back.
pub(super) fn names_at(source: &PredicateSource, kind: InvariantKind, function: &str) -> Vec<String> {
    let (before, after) = source
        .variables
        .split_at(source.variables.len() - source.outputs.min(source.variables.len()));
    let mut names = told_apart(before, function);
    let after_names = told_apart(after, function);
    if kind == InvariantKind::Postcondition {
        for (name, written) in names.iter_mut().zip(before) {
            if after.contains(written) {
                *name = format!("\\old({name})");
            }
        }
    }
    names.extend(after_names);
    names
}

/// Names like `k` for the variables for all values of which an invariant holds, as far as it mentions them.
fn universal_names(certificate: &Certificate, invariant: &Invariant, names: &[String]) -> Vec<(TermId, String)> {
    let terms = &certificate.terms;
    let conjuncts: Vec<TermId> = invariant.disjuncts.iter().flatten().copied().collect();
    let mentioned = terms.variables_of_all(&conjuncts);
    let variables = certificate
        .universal
        .iter()
        .filter(|variable| mentioned.contains(variable));
    // Names of C that the program does not have there: k, l, m, … and then k2, ….
    let is_free = |name: &String| !names.iter().any(|other| other.replace("[]", "") == *name);
    let mut free = (1u32..).flat_map(|number| {
        ["k", "l", "m", "n"].map(|letter| match number {
            1 => letter.to_string(),
            _ => format!("{letter}{number}"),
        })
    });
    variables
        .filter_map(|variable| Some((*variable, free.find(is_free)?)))
        .collect()
}

/// Invariants of more parts than this tell nobody anything: where a program runs by itself, they are all states that it comes to.
const MOST_PARTS: usize = 4_000;

/// The invariants of the loops and functions of a program that is proved safe, in the order of the text, but for those that are
/// too long for anybody to read.
pub fn invariants_of(
    translation: &Translation,
    certificate: &Certificate,
    places: &Places<'_>,
) -> Vec<SourceInvariant> {
    readable_invariants(translation, certificate, places).0
}

/// Whether the invariant has more parts than are shown.
fn is_too_long(certificate: &Certificate, invariant: &Invariant) -> bool {
    let mut open: Vec<TermId> = Vec::new();
    let mut parts = 0;
    for conjuncts in &invariant.disjuncts {
        open.extend(conjuncts);
        while let Some(term) = open.pop() {
            parts += 1;
            if parts > MOST_PARTS {
                return true;
            }
            open.extend(certificate.terms.arguments(term));
        }
    }
    false
}

/// The invariants that are short enough to be read, and how many others there are.
pub(super) fn readable_invariants(
    translation: &Translation,
    certificate: &Certificate,
    places: &Places<'_>,
) -> (Vec<SourceInvariant>, usize) {
    let mut found = Vec::new();
    let mut left_out = 0;
    for (index, source) in translation.map.predicates.iter().enumerate() {
        let Some(source) = source.as_ref() else { continue };
        let predicate = PredicateId::from_index(index);
        let invariants = certificate.invariants.iter();
        let invariants = invariants.filter(|_| source.is_loop_header || source.is_entry);
        let reached = match source.is_entry {
            true => InvariantKind::Precondition,
            false => InvariantKind::Loop,
        };
        let summaries = certificate.summaries.iter().filter(|_| source.is_entry);
        let entries = invariants.map(|entry| (reached, entry));
        let entries = entries.chain(summaries.map(|entry| (InvariantKind::Postcondition, entry)));
        for (kind, entry) in entries.filter(|(_, entry)| entry.predicate == predicate) {
            if is_too_long(certificate, entry) {
                left_out += 1;
                continue;
            }
            let parameters = &translation.program.predicate(predicate).parameters;
            let function = translation.map.functions.get(source.place.function as usize);
            let names = names_at(source, kind, function.map_or("", String::as_str));
            let universal = universal_names(certificate, entry, &names);
            let name_of = |term: TermId| {
                if let Some((_, name)) = universal.iter().find(|(variable, _)| *variable == term) {
                    return Some(name.clone());
                }
                let position = parameters.iter().position(|parameter| *parameter == term)?;
                // An array is `a[]` as a parameter; in a formula its element is `a[i]`.
                names.get(position).map(|name| name.replace("[]", ""))
            };
            let terms = &certificate.terms;
            let conjunct = |term: &TermId, several: bool| {
                let text = terms.display_named(*term, &name_of).in_c().to_string();
                match several && terms.operator(*term) == Operator::Or {
                    true => format!("({text})"),
                    false => text,
                }
            };
            let disjunct = |conjuncts: &Vec<TermId>| {
                let texts: Vec<String> = conjuncts
                    .iter()
                    .map(|term| conjunct(term, conjuncts.len() > 1))
                    .collect();
                match texts.is_empty() {
                    true => "1".to_string(),
                    false => texts.join(" && "),
                }
            };
            found.push((
                source.place,
                SourceInvariant {
                    kind,
                    place: places.of(source.place.span),
                    function: function.cloned().unwrap_or_default(),
                    universal: universal.iter().map(|(_, name)| name.clone()).collect(),
                    disjuncts: entry.disjuncts.iter().map(disjunct).collect(),
                },
            ));
        }
    }
    found.sort_by_key(|(place, invariant)| (place.span.start, place.instance, invariant.kind));
    (found.into_iter().map(|(_, invariant)| invariant).collect(), left_out)
}
