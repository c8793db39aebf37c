//! Hints about the loops of a C program: annotations in its text, and what witnesses of correctness say ([`super::witness`]).
//!
//! Whoever wrote a hint, and for which loop, it is tried on every loop where its variables are known: it is a candidate and no
//! assumption ([`crate::hints`]).

use super::c_formula::c_formula;
use super::c_meaning::c_meaning;
use super::invariants::{InvariantKind, names_at};
use super::places::Places;
use crate::c::types::DataModel;
use crate::c::{Translation, token_ranges};
use crate::hints::{Hint, Hints};
use crate::rules::PredicateId;
use crate::terms::TermId;

/// The function by which programs say what holds in a loop. It does nothing, and its argument is not evaluated.
const ANNOTATION: &str = "__clausal_invariant";

/// What somebody says of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// A C expression over the variables in scope.
    pub expression: String,
    /// Where it is said, for messages.
    pub place: String,
}

/// What a program says of its loops by calls of `__clausal_invariant`.
///
/// ```
/// use clausal::source_level::{Places, claims_in_text};
/// let text = "int main() {\n  int x = 0;\n  while (x < 9) { __clausal_invariant(x >= 0); x++; }\n}";
/// let claims = claims_in_text(text, &Places::new("a.c", text));
/// assert_eq!((claims[0].expression.as_str(), claims[0].place.as_str()), ("x >= 0", "a.c:3"));
/// ```
pub fn claims_in_text(text: &str, places: &Places<'_>) -> Vec<Claim> {
    if !text.contains(ANNOTATION) {
        return Vec::new();
    }
    let ranges = token_ranges(text);
    let token = |index: usize| {
        ranges
            .get(index)
            .and_then(|range| text.get(range.clone()))
            .unwrap_or_default()
    };
    let mut claims = Vec::new();
    for index in 0..ranges.len() {
        // Behind a type it is declared, not called.
        let is_call = token(index) == ANNOTATION
            && token(index + 1) == "("
            && index
                .checked_sub(1)
                .is_none_or(|before| ["{", "}", ";", ")", ":"].contains(&token(before)));
        if !is_call {
            continue;
        }
        let mut depth = 0_usize;
        let closing = (index + 1..ranges.len()).find(|position| {
            match token(*position) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some(closing) = closing else { break };
        let argument = text.get(ranges[index + 1].end..ranges[closing].start);
        claims.push(Claim {
            expression: argument.unwrap_or_default().trim().to_string(),
            place: places.at(ranges[index].start).to_string(),
        });
    }
    claims
}

/// What a program says of its loops in comments as ACSL has them: `/*@ loop invariant x >= 0; */`. The text is that before
/// preprocessing.
///
/// ```
/// use clausal::source_level::claims_in_comments;
/// let text = "int main() {\n  int x = 0;\n  /*@ loop invariant low: x >= 0;\n      loop assigns x; */\n  while (x < 9) x++;\n}";
/// let claims = claims_in_comments(text, "a.c");
/// assert_eq!((claims[0].expression.as_str(), claims[0].place.as_str()), ("x >= 0", "a.c:3"));
/// ```
pub fn claims_in_comments(text: &str, name: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (start, end_mark) in [("/*@", "*/"), ("//@", "\n")] {
        for (position, _) in text.match_indices(start) {
            let rest = &text[position + start.len()..];
            let comment = rest.find(end_mark).map_or(rest, |end| &rest[..end]);
            let mut offset = position + start.len();
            for clause in comment.split(';') {
                let trimmed = clause.trim_start_matches(|c: char| c.is_whitespace() || c == '@');
                if let Some(said) = trimmed.strip_prefix("loop invariant") {
                    let line = text[..offset + clause.len() - trimmed.len()].matches('\n').count() + 1;
                    claims.push(Claim {
                        expression: without_label(said.trim()).to_string(),
                        place: format!("{name}:{line}"),
                    });
                }
                offset += clause.len() + 1;
            }
        }
    }
    claims
}

/// A predicate of ACSL without its name.
fn without_label(said: &str) -> &str {
    match said.split_once(':') {
        Some((label, rest)) if !said.contains('?') && label.trim().chars().all(|c| c.is_alphanumeric() || c == '_') => {
            rest.trim()
        }
        _ => said,
    }
}

/// How the numbers in a claim are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// As mathematical ones, whatever their types: more is understood, and what is not so in C is found out as any wrong hint.
    Mathematical,
    /// As C has them. What is not understood exactly is left out.
    OfC(DataModel),
}

/// The hints that claims are, tried on every loop where their variables are known. Formulas are added to the program's table.
pub fn c_hints(translation: &mut Translation, claims: &[Claim], numbers: Numbers, places: &Places<'_>) -> Hints {
    let mut hints = Hints::default();
    for claim in claims {
        let before = hints.of_program.len();
        let mut reason = "there is no loop".to_string();
        for (index, source) in translation.map.predicates.iter().enumerate() {
            let Some(source) = source.as_ref().filter(|source| source.is_loop_header) else {
                continue;
            };
            let predicate = PredicateId::from_index(index);
            let parameters = translation.program.predicate(predicate).parameters.clone();
            let function = translation.map.functions.get(source.place.function as usize);
            let function = function.map_or("", String::as_str);
            let names = names_at(source, InvariantKind::Loop, function);
            let named = |name: &str| -> Option<TermId> {
                let position = names.iter().position(|other| other == name)?;
                parameters.get(position).copied()
            };
            let terms = &mut translation.program.terms;
            let formula = match numbers {
                Numbers::Mathematical => c_formula(terms, &named, &claim.expression),
                Numbers::OfC(model) => {
                    let integer = |name: &str| source.integer(&translation.map.shared, &names, name, function);
                    let typed = |name: &str| {
                        let (position, kind) = integer(name)?;
                        Some((*parameters.get(position)?, kind))
                    };
                    c_meaning(terms, &typed, model, &claim.expression)
                }
            };
            match formula {
                Ok(formula) => {
                    for conjunct in terms.conjuncts(formula) {
                        let name_of = |term: TermId| {
                            let position = parameters.iter().position(|parameter| *parameter == term)?;
                            names.get(position).map(|name| name.replace("[]", ""))
                        };
                        let shown = terms.display_named(conjunct, &name_of).in_c().to_string();
                        hints.of_program.push(Hint {
                            predicate,
                            formula: conjunct,
                            text: format!("{}: {shown}", places.of(source.place.span)),
                        });
                    }
                }
                Err(why) => reason = why,
            }
        }
        if hints.of_program.len() == before {
            hints
                .unused
                .push(format!("{}: `{}`: {reason}", claim.place, claim.expression));
        }
    }
    hints
}
