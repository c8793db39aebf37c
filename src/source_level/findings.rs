//! What was found out about a C program, as text for people: stable, without times.

use super::invariants::invariants_of;
use super::path::{PathLine, path_of};
use super::places::Places;
use super::verify::Verification;
use crate::c::Translation;
use crate::c::flat::Note;
use crate::c::options::Arithmetic;
use crate::engine::Verdict;
use crate::evidence::{Certificate, Derivation};
use crate::report::{advice, verdict_line};

/// More lines of a path than twice this are cut in the middle.
const LINES_AT_EACH_END: usize = 100;

/// The verdict, then the loop invariants or the path into the error in C's terms, and what was assumed.
pub fn findings(verification: &Verification, text: &str, places: &Places<'_>) -> String {
    let mut out = format!("{}\n", verdict_line(&verification.outcome));
    match &verification.outcome.verdict {
        Verdict::Safe(certificate) => write_invariants(&mut out, verification, certificate, places),
        Verdict::Unsafe(derivation) => {
            out.push_str(&path_text(&verification.translation, derivation, text, places));
        }
        Verdict::Unknown(reason) => out.push_str(&format!("\nWhat to do: {}.\n", advice(reason))),
    }
    let assumed = assumptions(verification, places);
    if !assumed.is_empty() {
        out.push_str("\nUnderstood so\n");
        for line in assumed {
            out.push_str(&format!("  {line}\n"));
        }
    }
    out
}

/// How the program was understood where C or the program leaves it open.
pub(super) fn assumptions(verification: &Verification, places: &Places<'_>) -> Vec<String> {
    let options = &verification.options;
    let mut lines = Vec::new();
    if options.arithmetic == Arithmetic::Ideal {
        lines.push("integers have no bounds (--arith machine for those of C)".to_string());
    }
    if matches!(verification.outcome.verdict, Verdict::Safe(_)) && !options.checks.any() {
        lines.push("undefined behaviour is no error in itself (--check looks for it)".to_string());
    }
    let noted = |note: &Note| format!("{}: {}", places.of(note.span), note.text);
    let translation = &verification.translation;
    lines.extend(
        translation
            .approximations
            .iter()
            .map(|note| format!("approximated: {}", noted(note))),
    );
    lines.extend(translation.notes.iter().map(noted));
    lines
}

fn write_invariants(out: &mut String, verification: &Verification, certificate: &Certificate, places: &Places<'_>) {
    let invariants = invariants_of(&verification.translation, certificate, places);
    if invariants.is_empty() {
        return;
    }
    out.push_str("\nLoop invariants\n");
    for invariant in invariants {
        out.push_str(&format!("  {}: in {}\n", invariant.place, invariant.function));
        if invariant.disjuncts.is_empty() {
            out.push_str("      never reached\n");
        }
        for (position, disjunct) in invariant.disjuncts.iter().enumerate() {
            let separator = if position == 0 { "  " } else { "||" };
            out.push_str(&format!("    {separator} {disjunct}\n"));
        }
    }
}

/// The path to the error, with its heading.
pub(super) fn path_text(translation: &Translation, derivation: &Derivation, text: &str, places: &Places<'_>) -> String {
    let mut out = "\nThe path to the error\n".to_string();
    let lines = path_of(translation, derivation, text, places);
    let omitted = match lines.len() > 2 * LINES_AT_EACH_END {
        true => LINES_AT_EACH_END..lines.len() - LINES_AT_EACH_END,
        false => lines.len()..lines.len(),
    };
    for (position, line) in lines.iter().enumerate() {
        if position == omitted.start {
            out.push_str(&format!("  … {} more lines\n", omitted.len()));
        }
        if omitted.contains(&position) {
            continue;
        }
        match line {
            PathLine::Event(event) => {
                let column = event.error.map_or(String::new(), |error| format!(":{}", error.column));
                out.push_str(&format!("  {}{column}: {}\n", event.place, event.text));
            }
            PathLine::Turns(count) => out.push_str(&format!("  … {count} more turns\n")),
        }
    }
    out
}
