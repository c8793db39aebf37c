//! What cannot be translated exactly and is still there after slicing: refused, each place once, or approximated, or left to
//! the runs that come to it. Where the rest is approximated, only what has no approximation is left to them.

use super::super::arithmetic::format_of;
use super::super::flat::{
    Failure, FlatExpression, FlatInstruction, FlatInstructionKind, FlatProgram, FlatTerminator, Note,
};
use super::super::options::{Floats, Options, Untranslated};
use super::super::program::{Effect, ErrorKind, Numeric, UnknownSource};
use super::super::syntax::Span;
use crate::diagnostics::Diagnostic;
use std::collections::BTreeMap;

/// At most so many reasons are given.
const REASON_LIMIT: usize = 20;

/// Ends runs where they come to what cannot be translated, as the options say. The refusals are returned, so that they can be
/// given if a run gets there, and whether any of them could be approximated. A run that has not come to such a place yet is as the
/// program has it.
pub(super) fn leave_to_runs(program: &mut FlatProgram, options: &Options) -> (Vec<Diagnostic>, bool) {
    if options.untranslated == Untranslated::Refused {
        return (Vec::new(), false);
    }
    let (unsupported, _) = reasons(program, options.floats);
    let is_left = |is_bounded: bool| !(options.approximate && is_bounded);
    for block in &mut program.blocks {
        let is_unsupported = |instruction: &FlatInstruction| match &instruction.kind {
            FlatInstructionKind::Unsupported { effect, .. } => is_left(is_bounded(effect)),
            _ => false,
        };
        let Some(position) = block.instructions.iter().position(is_unsupported) else {
            continue;
        };
        let span = block.instructions[position].place.span;
        block.instructions.truncate(position);
        block.terminator = match options.untranslated {
            Untranslated::Ends => FlatTerminator::Stop,
            Untranslated::Fails | Untranslated::Refused => FlatTerminator::Error(Failure {
                written: Some(span),
                ..Failure::of(ErrorKind::NotTranslated)
            }),
        };
    }
    let left = unsupported
        .into_iter()
        .filter(|(_, (_, is_bounded))| is_left(*is_bounded));
    let mut is_approximable = false;
    let mut refused = Vec::new();
    for ((start, end), (what, is_bounded)) in left {
        is_approximable |= is_bounded;
        if refused.len() < REASON_LIMIT {
            refused.push(refusal(span(start, end), &what, is_bounded));
        }
    }
    (refused, is_approximable)
}

/// Refuses what cannot be translated, or replaces it by unknown values and says so.
pub(super) fn refuse_or_approximate(
    program: &mut FlatProgram,
    options: &Options,
) -> Result<Vec<Note>, Vec<Diagnostic>> {
    let (unsupported, floating) = reasons(program, options.floats);
    let floats_are_fine = options.floats == Floats::Real || options.approximate;
    let mut refused: Vec<(Span, &String, bool)> = Vec::new();
    for ((start, end), (what, is_bounded)) in &unsupported {
        // Where the run may end or go on anywhere, unknown values are no approximation.
        if !options.approximate || !is_bounded {
            refused.push((span(*start, *end), what, *is_bounded));
        }
    }
    let what_floats = "`__float128`".to_string();
    if !floats_are_fine {
        refused.extend(
            floating
                .iter()
                .map(|((start, end), ())| (span(*start, *end), &what_floats, true)),
        );
    }
    if !refused.is_empty() {
        return Err(refused
            .into_iter()
            .take(REASON_LIMIT)
            .map(|(span, what, is_bounded)| refusal(span, what, is_bounded))
            .collect());
    }
    for block in &mut program.blocks {
        let instructions = std::mem::take(&mut block.instructions);
        block.instructions = instructions.into_iter().flat_map(approximated).collect();
    }
    let mut notes: Vec<Note> = unsupported
        .into_iter()
        .map(|((start, end), (what, _))| Note {
            text: format!("any values are assumed for {what}"),
            span: span(start, end),
        })
        .collect();
    let text = match options.floats {
        Floats::Real => "floating-point numbers are taken for real numbers",
        Floats::Exact => "numbers of type `__float128` are approximated",
    };
    notes.extend(floating.into_keys().next().map(|(start, end)| Note {
        text: text.to_string(),
        span: span(start, end),
    }));
    Ok(notes)
}

fn span(start: u32, end: u32) -> Span {
    Span { start, end }
}

fn refusal(span: Span, what: &str, is_bounded: bool) -> Diagnostic {
    let range = span.start as usize..span.end as usize;
    let error = Diagnostic::error(
        range,
        format!("cannot translate {what}"),
        "this can affect the property",
    )
    .unsupported();
    if what == "`__float128`" {
        return error.help(
            "`float`, `double` and `long double` are calculated exactly; `--floats real` takes all of them for real numbers, which is an \
             approximation",
        );
    }
    if what.contains("which has no body") || what.contains("with what is known elsewhere of this file") {
        return error.help("`--external pure` assumes that functions without a body change nothing");
    }
    match is_bounded {
        true => error.help(
            "`--approximate` takes any values instead: the program may then be proved safe, but no error reported",
        ),
        false => error,
    }
}

type Places<T> = BTreeMap<(u32, u32), T>;

/// What is said of values that are not calculated, each place once. Errors that are found depend on them only if their runs
/// read them.
pub(super) fn not_calculated(program: &FlatProgram) -> Vec<Note> {
    let mut places = Places::new();
    for instruction in program.blocks.iter().flat_map(|block| &block.instructions) {
        if let FlatInstructionKind::Unknown(_, UnknownSource::NotCalculated(what)) = &instruction.kind {
            places.insert((instruction.place.span.start, instruction.place.span.end), what.clone());
        }
    }
    let notes = places.into_iter().map(|((start, end), what)| Note {
        text: format!("any value is assumed for {what}, within its limits"),
        span: span(start, end),
    });
    notes.collect()
}

/// Whether values are all that can be different behind something that is not translated.
fn is_bounded<P>(effect: &Effect<P>) -> bool {
    matches!(effect, Effect::Changes(_))
}

/// Every place once, in the order of the text: what is not supported, and where floating-point numbers are that have no exact
/// terms. Of the former, whether it only changes values.
fn reasons(program: &FlatProgram, floats: Floats) -> (Places<(String, bool)>, Places<()>) {
    let (mut unsupported, mut floating) = (Places::new(), Places::new());
    for block in &program.blocks {
        for instruction in &block.instructions {
            let place = (instruction.place.span.start, instruction.place.span.end);
            if let FlatInstructionKind::Unsupported { what, effect } = &instruction.kind {
                let is_bounded = is_bounded(effect);
                let reason = unsupported.entry(place).or_insert_with(|| (what.clone(), is_bounded));
                if reason.1 && !is_bounded {
                    *reason = (what.clone(), is_bounded);
                }
            }
            if instruction
                .expressions()
                .into_iter()
                .any(|expression| has_inexact(expression, floats))
                || sets_inexact(program, instruction, floats)
            {
                floating.insert(place, ());
            }
        }
        if let FlatTerminator::Branch { condition, .. } = &block.terminator
            && has_inexact(condition, floats)
        {
            floating.insert((block.place.span.start, block.place.span.end), ());
        }
    }
    (unsupported, floating)
}

/// Whether the numbers of a type are floating-point numbers without exact terms.
fn is_inexact(numeric: Numeric, floats: Floats) -> bool {
    matches!(numeric, Numeric::Floating(_)) && format_of(numeric, floats).is_none()
}

fn has_inexact(expression: &FlatExpression, floats: Floats) -> bool {
    let mut found = false;
    expression.for_each_part(&mut |part| found |= is_inexact(part.numeric, floats));
    found
}

fn sets_inexact(program: &FlatProgram, instruction: &FlatInstruction, floats: Floats) -> bool {
    match &instruction.kind {
        FlatInstructionKind::Unknown(variable, _) => is_inexact(program.variables[variable.0 as usize].numeric, floats),
        _ => false,
    }
}

/// Unknown values for whatever an unsupported instruction changes.
fn approximated(instruction: FlatInstruction) -> Vec<FlatInstruction> {
    match instruction.kind {
        FlatInstructionKind::Unsupported { effect, .. } => effect
            .changes()
            .to_vec()
            .into_iter()
            .map(|variable| FlatInstruction {
                kind: FlatInstructionKind::Unknown(variable, UnknownSource::Outside),
                place: instruction.place,
            })
            .collect(),
        kind => vec![FlatInstruction {
            kind,
            place: instruction.place,
        }],
    }
}
