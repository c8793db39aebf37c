//! A proof as a witness of correctness: what the certificate says of loops, as far as C expressions say it.
//!
//! A witness that states something false is worse than one that states nothing, so what is not certain to mean the same in C is
//! left out: loops of functions that may be there several times (an invariant is about one of them), `do` and `goto` (whose
//! invariants witnesses have elsewhere), variables that are not the loop's own function's, and what reads otherwise when it is
//! read back as C has it (numbers that `long long` does not hold, addresses, names that may mean another variable).

use super::{WitnessInvariant, WitnessTask, witness};
use crate::c::source_map::PredicateSource;
use crate::c::token_ranges;
use crate::evidence::Certificate;
use crate::source_level::c_formula::c_formula;
use crate::source_level::c_meaning::c_meaning;
use crate::source_level::invariants::{InvariantKind, SourceInvariant, invariants_of, names_at};
use crate::source_level::places::Places;
use crate::source_level::verification::Verification;
use crate::terms::{SortId, TermId, Terms};
use std::time::SystemTime;

/// Longer ones help nobody.
const LONGEST: usize = 4_000;

/// A witness of a proof of safety; `created` is written into it.
///
/// ```
/// use clausal::c::options::Options;
/// use clausal::engine::Verdict;
/// use clausal::source_level::{Method, Places, WitnessTask, correctness_witness, read_correctness_witness, verify_c};
///
/// let text = "void reach_error(void);\n\
///             int main(void) { int n = 0, m = 0;\n\
///             while (n < 1000) { n++; m += 2; }\n\
///             if (m != 2*n) reach_error(); return 0; }\n";
/// let reading = verify_c(text, &Options::default(), Method::Automatic, &clausal::engine::Options::default());
/// let verification = reading.product.expect("it is C");
/// let Verdict::Safe(certificate) = &verification.outcome.verdict else { panic!("it is safe") };
/// let specification = "G ! call(reach_error())";
/// let task = WitnessTask { file: "two.c", content: text.as_bytes(), is_32_bit: false, specification };
/// let places = Places::new("two.c", text);
/// let written = correctness_witness(task, std::time::UNIX_EPOCH, &verification, certificate, &places);
/// let claims = read_correctness_witness(&written).expect("it is a witness");
/// assert!(claims[0].expression.contains("(long long)m"), "{written}");
/// ```
pub fn correctness_witness(
    task: WitnessTask<'_>,
    created: SystemTime,
    verification: &Verification,
    certificate: &Certificate,
    places: &Places<'_>,
) -> String {
    let mut said: Vec<WitnessInvariant> = Vec::new();
    for invariant in invariants_of(&verification.translation, certificate, places) {
        if let Some(invariant) = stated(&invariant, task, verification, places) {
            said.push(invariant);
        }
    }
    witness(task, created, &said)
}

/// An invariant as a witness has it, if it can be said there.
fn stated(
    invariant: &SourceInvariant,
    task: WitnessTask<'_>,
    verification: &Verification,
    places: &Places<'_>,
) -> Option<WitnessInvariant> {
    let is_sayable = invariant.kind == InvariantKind::Loop
        && invariant.universal.is_empty()
        && invariant.function == verification.options.entry
        && *invariant.place.file == *task.file;
    let source = loop_source(invariant, verification, places)?;
    let column = keyword(places.text(), source.place.span.start as usize).map(|position| places.column(position))?;
    let disjuncts = invariant.disjuncts.iter().map(|text| {
        let wide = in_wide_integers(text)?;
        is_read_back(text, &wide, source, verification, &invariant.function).then_some(wide)
    });
    let disjuncts: Option<Vec<String>> = disjuncts.collect();
    let disjuncts = disjuncts.filter(|texts| !texts.is_empty())?;
    let expression = match disjuncts.as_slice() {
        [only] => only.clone(),
        several => {
            let several = several.iter().map(|text| format!("({text})"));
            several.collect::<Vec<_>>().join(" || ")
        }
    };
    let says_something = expression != "1" && expression.len() <= LONGEST;
    (is_sayable && says_something).then(|| WitnessInvariant {
        line: invariant.place.line,
        column: Some(column),
        function: invariant.function.clone(),
        expression,
    })
}

/// The loop, if it is the only one on its line.
fn loop_source<'v>(
    invariant: &SourceInvariant,
    verification: &'v Verification,
    places: &Places<'_>,
) -> Option<&'v PredicateSource> {
    let sources = verification.translation.map.predicates.iter().flatten();
    let here = sources.filter(|source| source.is_loop_header && places.of(source.place.span) == invariant.place);
    let mut here: Vec<&PredicateSource> = here.collect();
    here.dedup_by_key(|source| source.place.span.start);
    match here[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Whether what is written means in C what the invariant says of mathematical integers.
fn is_read_back(
    said: &str,
    written: &str,
    source: &PredicateSource,
    verification: &Verification,
    function: &str,
) -> bool {
    let (map, options) = (&verification.translation.map, &verification.options);
    let names = names_at(source, InvariantKind::Loop, function);
    let mut terms = Terms::new();
    let variables: Vec<TermId> = names
        .iter()
        .map(|name| terms.fresh_variable(name, SortId::INT))
        .collect();
    let variable = |name: &str| variables.get(names.iter().position(|other| other == name)?).copied();
    let typed = |name: &str| {
        let (position, kind) = source.integer(&map.shared, &names, name, function)?;
        Some((*variables.get(position)?, kind))
    };
    let meant = c_formula(&mut terms, &variable, said);
    meant.is_ok() && meant == c_meaning(&mut terms, &typed, options.model, written)
}

/// Where the keyword is of the loop whose keyword or condition begins at a position.
fn keyword(text: &str, start: usize) -> Option<usize> {
    let line = text.get(..start)?.rfind('\n').map_or(0, |end| end + 1);
    let indentation = text.get(line..)?.find(|character: char| !character.is_whitespace())?;
    let position = line + indentation;
    let rest = text.get(position..)?;
    let word = ["while", "for"].into_iter().find(|word| {
        let behind = rest
            .strip_prefix(word)
            .and_then(|rest| rest.trim_start().chars().next());
        behind == Some('(')
    })?;
    // Up to the condition there is the parenthesis, and for `for` what comes before the first semicolon.
    let between = text.get(position..start).unwrap_or_default();
    let is_condition = match word {
        "while" => between
            .trim_start_matches(word)
            .chars()
            .all(|character| " \t(".contains(character)),
        _ => between.matches(';').count() <= 1,
    };
    // The end of a `do` loop looks like a `while` loop without a body.
    let mut depth = 0_usize;
    let closing = rest.char_indices().find(|(_, character)| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *character == ')' && depth == 0
    });
    let behind = rest.get(closing?.0 + 1..)?.trim_start();
    (is_condition && !behind.starts_with(';')).then_some(position)
}

/// An expression whose numbers are so wide that sums are those of integers: names and literals become `long long`, which all
/// C compilers have; nothing, if there is something else than sums, comparisons and connectives in it.
fn in_wide_integers(text: &str) -> Option<String> {
    const SIGNS: [&str; 16] = [
        "+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "!", "&&", "||", "(", ")", ".", "?",
    ];
    let ranges = token_ranges(text);
    let tokens: Vec<&str> = ranges.iter().filter_map(|range| text.get(range.clone())).collect();
    let mut wide = String::new();
    let (mut position, mut end) = (0, 0);
    while let Some(token) = tokens.get(position) {
        let range = ranges.get(position)?;
        wide.push_str(text.get(end..range.start)?);
        end = range.end;
        let is_name = token.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if is_name {
            let mut path = (*token).to_string();
            while let (Some(&"."), Some(member)) = (tokens.get(position + 1), tokens.get(position + 2)) {
                path.push_str(&format!(".{member}"));
                position += 2;
                end = ranges.get(position)?.end;
            }
            let is_called = tokens.get(position + 1) == Some(&"(");
            if is_called {
                return None;
            }
            wide.push_str(&format!("(long long){path}"));
        } else if token.starts_with(|first: char| first.is_ascii_digit()) {
            // What is larger has another type than it seems.
            token.parse::<u32>().ok()?;
            let is_whole = text.trim() == *token;
            wide.push_str(token);
            wide.push_str(if is_whole { "" } else { "LL" });
        } else if SIGNS.contains(token) {
            wide.push_str(token);
        } else {
            return None;
        }
        position += 1;
    }
    (end == text.trim_end().len() || text.get(end..)?.trim().is_empty()).then_some(wide)
}

#[cfg(test)]
mod tests {
    use super::{in_wide_integers, keyword};

    #[test]
    fn a_keyword_is_found_before_its_condition_and_no_other() {
        let at = |text: &str, mark: &str| keyword(text, text.find(mark).expect("it is there"));
        assert_eq!(at("x;\n  while (x < n) { }", "x < n"), Some(5));
        assert_eq!(at("x;\n  while (x < n) { }", "while"), Some(5));
        assert_eq!(at("for (i = 0; i < n; i++) f(i);", "i < n"), Some(0));
        assert_eq!(at("for (i = 0; i < n; i++) { while_(i); }", "while_"), None);
        assert_eq!(at("do { x++; }\nwhile (x < n);", "x < n"), None);
        assert_eq!(at("do { x++; } while (x < n);", "x < n"), None);
        assert_eq!(at("if (a) while (x < n) { }", "x < n"), None);
        assert_eq!(at("again: x++;", "x"), None);
    }

    #[test]
    fn only_what_means_the_same_in_c_is_said() {
        let wide = |text| in_wide_integers(text);
        assert_eq!(wide("2*x == y").as_deref(), Some("2LL*(long long)x == (long long)y"));
        assert_eq!(
            wide("s.next >= -1 && !(a < 3)").as_deref(),
            Some("(long long)s.next >= -1LL && !((long long)a < 3LL)")
        );
        assert_eq!(wide("1").as_deref(), Some("1"));
        for unsaid in [
            "a[k] == 0",
            "g::i < 3",
            "i~3 < 3",
            "x % 2 == 0",
            "x <= 5000000000",
            "f(x) > 0",
            "\\old(x) == x",
            "x / 2 > 1",
        ] {
            assert_eq!(wide(unsaid), None, "{unsaid}");
        }
    }
}
