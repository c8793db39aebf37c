//! What was found out about a C program, as text for people: stable, without times.

use super::invariants::{InvariantKind, SourceInvariant, names_at, readable_invariants};
use super::path::{PathLine, path_of};
use super::places::Places;
use super::verification::Verification;
use crate::c::Translation;
use crate::c::flat::{NO_ERROR, Note};
use crate::c::options::{Allocation, Arithmetic, EarlierCalls, External, Output};
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
        Verdict::Unknown(reason) => {
            let mut advice = advice(reason).to_string();
            if let Some(place) = stuck_at(verification, places) {
                out.push_str(&format!("\nStuck at\n  {place}\n"));
                advice.push_str("; or say in it what holds there, with `__clausal_invariant(…)`");
            }
            out.push_str(&format!("\nWhat to do: {advice}.\n"));
        }
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

/// The loop that was unrolled again and again, and what an invariant of it could be about.
fn stuck_at(verification: &Verification, places: &Places<'_>) -> Option<String> {
    let header = verification.outcome.stuck_at()?;
    let map = &verification.translation.map;
    let source = map.predicates.get(header.index())?.as_ref()?;
    let function = map.functions.get(source.place.function as usize)?;
    let variables = names_at(source, InvariantKind::Loop, function).join(", ");
    let place = places.of(source.place.span);
    Some(format!(
        "{place}: in {function}: unrolled again and again; what matters there: {variables}"
    ))
}

/// How the program was understood where C or the program leaves it open.
pub(super) fn assumptions(verification: &Verification, places: &Places<'_>) -> Vec<String> {
    let options = &verification.options;
    let mut lines = Vec::new();
    if options.arithmetic == Arithmetic::Ideal {
        lines.push("integers have no bounds (--arith machine for those of C)".to_string());
    }
    if options.arithmetic == Arithmetic::Wrapping {
        lines.push("signed integers wrap round, as with `-fwrapv`".to_string());
    }
    if matches!(verification.outcome.verdict, Verdict::Safe(_)) && !options.checks.any() {
        lines.push("undefined behaviour is no error in itself (--check looks for it)".to_string());
    }
    lines.extend(of_this_program(verification, places));
    lines
}

/// What was assumed that is not the meaning of an option: about this program, and nothing that holds for every other.
fn of_this_program(verification: &Verification, places: &Places<'_>) -> Vec<String> {
    let noted = |note: &Note| format!("{}: {}", places.of(note.span), note.text);
    let translation = &verification.translation;
    let approximated = translation.approximations.iter();
    let approximated = approximated.map(|note| format!("approximated: {}", noted(note)));
    let of_text = verification.options.text_assumptions.iter().cloned();
    let mut chosen = Vec::new();
    if verification.options.external == External::Pure {
        chosen.push("functions without a body change nothing (--external pure)".to_string());
    }
    // An error with memory enough is one whatever allocations do.
    match (verification.options.allocation, &verification.outcome.verdict) {
        (Allocation::NeverFails, Verdict::Safe(_) | Verdict::Unknown(_)) => {
            chosen.push("allocating functions never return null (--malloc-never-null)".to_string());
        }
        (Allocation::MayFail, Verdict::Unsafe(_)) => {
            chosen.push("allocating functions may return null (--malloc-may-fail)".to_string());
        }
        _ => {}
    }
    if verification.options.output == Output::NeverFails {
        chosen.push("what is printed is always written (--output-never-fails)".to_string());
    }
    // What is safe after any calls, and what fails at the first one, rests on nothing.
    match (verification.options.earlier_calls, &verification.outcome.verdict) {
        (EarlierCalls::None, Verdict::Safe(_)) => {
            chosen.push("the entry's call is the first one (--earlier-calls none)".to_string());
        }
        (EarlierCalls::Any, Verdict::Unsafe(_)) => {
            chosen.push("other calls may have come before the entry's (--earlier-calls any)".to_string());
        }
        _ => {}
    }
    if let (Some(note), Verdict::Safe(_)) = (&translation.unchecked, &verification.outcome.verdict) {
        chosen.push(noted(note));
    }
    // That no error is left says why there is little to say, and nothing that might be otherwise.
    let (remarks, notes): (Vec<&Note>, Vec<&Note>) = translation.notes.iter().partition(|note| note.text == NO_ERROR);
    chosen
        .into_iter()
        .chain(of_text)
        .chain(approximated)
        .chain(notes.into_iter().chain(remarks).map(noted))
        .collect()
}

/// One line about what a verdict on this program rests on, for those who want to see the verdict alone; none if it rests on
/// nothing but the options.
pub fn premises_line(verification: &Verification, places: &Places<'_>) -> Option<String> {
    let mut premises = of_this_program(verification, places).into_iter();
    let first = premises.next()?;
    Some(match premises.len() {
        0 => format!("rests on: {first}"),
        others => format!("rests on: {first}; and {others} more (see without --quiet)"),
    })
}

fn write_invariants(out: &mut String, verification: &Verification, certificate: &Certificate, places: &Places<'_>) {
    let (invariants, left_out) = readable_invariants(&verification.translation, certificate, places);
    let (loops, contracts): (Vec<_>, Vec<_>) = invariants
        .into_iter()
        .partition(|invariant| invariant.kind == InvariantKind::Loop);
    write_section(out, "Loop invariants", &loops);
    write_section(out, "Functions that recur", &contracts);
    if left_out > 0 {
        out.push_str(&format!(
            "\n{left_out} {} too long to be shown (--save-evidence keeps all)\n",
            if left_out == 1 {
                "invariant is"
            } else {
                "invariants are"
            }
        ));
    }
}

fn write_section(out: &mut String, heading: &str, invariants: &[SourceInvariant]) {
    if invariants.is_empty() {
        return;
    }
    out.push_str(&format!("\n{heading}\n"));
    for invariant in invariants {
        let what = match invariant.kind {
            InvariantKind::Loop => "in",
            InvariantKind::Precondition => "before each call of",
            InvariantKind::Postcondition => "after each call of",
        };
        out.push_str(&format!("  {}: {what} {}\n", invariant.place, invariant.function));
        if !invariant.universal.is_empty() {
            out.push_str(&format!("      for all {}:\n", invariant.universal.join(", ")));
        }
        if invariant.disjuncts.is_empty() {
            out.push_str("      never reached\n");
        }
        for (position, disjunct) in invariant.disjuncts.iter().enumerate() {
            let separator = if position == 0 { "  " } else { "||" };
            out.push_str(&format!("    {separator} {disjunct}\n"));
        }
    }
}

/// How deep in calls something happens; nothing outside of them.
fn depth_text(depth: usize) -> String {
    match depth {
        0 => String::new(),
        depth => format!("[{depth}] "),
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
            // A finding is told by its column as well.
            PathLine::Event(event) if event.error.is_some() => {
                out.push_str(&format!(
                    "  {}:{}: {}{}\n",
                    event.place,
                    event.column,
                    depth_text(event.depth),
                    event.text
                ));
            }
            PathLine::Event(event) => {
                let depth = depth_text(event.depth);
                out.push_str(&format!("  {}: {depth}{}\n", event.place, event.text));
            }
            PathLine::Turns(count) => out.push_str(&format!("  … {count} more turns\n")),
        }
    }
    out
}
