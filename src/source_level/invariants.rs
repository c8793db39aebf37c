//! Loop invariants at the lines of the C program, over its variables and in its syntax.

use super::names::told_apart;
use super::places::{Places, SourceLine};
use crate::c::Translation;
use crate::evidence::Certificate;
use crate::rules::PredicateId;
use crate::terms::{Operator, TermId};

/// What holds whenever a loop is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceInvariant {
    /// The loop.
    pub place: SourceLine,
    /// The function it is written in.
    pub function: String,
    /// The disjuncts, of which one holds at a time; each is a conjunction in C's syntax. None at all says that the loop is
    /// never reached.
    pub disjuncts: Vec<String>,
}

/// The invariants of the loops of a program that is proved safe, in the order of the text.
pub fn invariants_of(
    translation: &Translation,
    certificate: &Certificate,
    places: &Places<'_>,
) -> Vec<SourceInvariant> {
    let mut found = Vec::new();
    for (index, source) in translation.map.predicates.iter().enumerate() {
        let Some(source) = source.as_ref().filter(|source| source.is_loop_header) else {
            continue;
        };
        let predicate = PredicateId::from_index(index);
        let Some(entry) = certificate.invariants.iter().find(|entry| entry.predicate == predicate) else {
            continue;
        };
        let parameters = &translation.program.predicate(predicate).parameters;
        let function = translation.map.functions.get(source.place.function as usize);
        let names = told_apart(&source.variables, function.map_or("", String::as_str));
        let name_of = |term: TermId| {
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
                place: places.of(source.place.span),
                function: function.cloned().unwrap_or_default(),
                disjuncts: entry.disjuncts.iter().map(disjunct).collect(),
            },
        ));
    }
    found.sort_by_key(|(place, _)| (place.span.start, place.instance));
    found.into_iter().map(|(_, invariant)| invariant).collect()
}
