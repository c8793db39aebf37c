//! What cannot be translated exactly and is still there after slicing: refused, each place once, or approximated.

use super::super::flat::{
    FlatExpression, FlatInstruction, FlatInstructionKind, FlatProgram, FlatTerminator, FlatVariable, Note,
};
use super::super::options::{Floats, Options};
use super::super::program::{Effect, Numeric, UnknownSource};
use super::super::syntax::Span;
use crate::diagnostics::Diagnostic;
use std::collections::BTreeMap;

/// At most so many reasons are given.
const REASON_LIMIT: usize = 20;

/// Refuses what cannot be translated, or replaces it by unknown values and says so.
pub(super) fn refuse_or_approximate(
    program: &mut FlatProgram,
    options: &Options,
) -> Result<Vec<Note>, Vec<Diagnostic>> {
    let (unsupported, floating) = reasons(program);
    let floats_are_fine = options.floats == Floats::Real || options.approximate;
    let mut refused: Vec<(Span, &String)> = Vec::new();
    if !options.approximate {
        refused.extend(
            unsupported
                .iter()
                .map(|((start, end), what)| (span(*start, *end), what)),
        );
    }
    let what_floats = "floating-point numbers".to_string();
    if !floats_are_fine {
        refused.extend(
            floating
                .iter()
                .map(|((start, end), ())| (span(*start, *end), &what_floats)),
        );
    }
    if !refused.is_empty() {
        return Err(refused
            .into_iter()
            .take(REASON_LIMIT)
            .map(|(span, what)| refusal(span, what))
            .collect());
    }
    let all = program.variables.len();
    for block in &mut program.blocks {
        let instructions = std::mem::take(&mut block.instructions);
        block.instructions = instructions
            .into_iter()
            .flat_map(|instruction| approximated(instruction, all))
            .collect();
    }
    let mut notes: Vec<Note> = unsupported
        .into_iter()
        .map(|((start, end), what)| Note {
            text: format!("any values are assumed for {what}"),
            span: span(start, end),
        })
        .collect();
    notes.extend(floating.into_keys().next().map(|(start, end)| Note {
        text: "floating-point numbers are taken for real numbers".to_string(),
        span: span(start, end),
    }));
    Ok(notes)
}

fn span(start: u32, end: u32) -> Span {
    Span { start, end }
}

fn refusal(span: Span, what: &str) -> Diagnostic {
    let range = span.start as usize..span.end as usize;
    let error = Diagnostic::error(
        range,
        format!("cannot translate {what}"),
        "this can affect the property",
    );
    match what.starts_with("floating") {
        true => error.help("`--floats real` takes them for real numbers, which is an approximation"),
        false => error.help(
            "`--approximate` takes any values instead: the program may then be proved safe, but no error reported",
        ),
    }
}

type Places<T> = BTreeMap<(u32, u32), T>;

/// Every place once, in the order of the text: what is not supported, and where floating-point numbers are.
fn reasons(program: &FlatProgram) -> (Places<String>, Places<()>) {
    let (mut unsupported, mut floating) = (Places::new(), Places::new());
    for block in &program.blocks {
        for instruction in &block.instructions {
            let place = (instruction.place.span.start, instruction.place.span.end);
            if let FlatInstructionKind::Unsupported { what, .. } = &instruction.kind {
                unsupported.entry(place).or_insert_with(|| what.clone());
            }
            if instruction.expressions().into_iter().any(has_floating) || sets_floating(program, instruction) {
                floating.insert(place, ());
            }
        }
        if let FlatTerminator::Branch { condition, .. } = &block.terminator
            && has_floating(condition)
        {
            floating.insert((block.place.span.start, block.place.span.end), ());
        }
    }
    (unsupported, floating)
}

fn has_floating(expression: &FlatExpression) -> bool {
    let mut found = false;
    expression.for_each_part(&mut |part| found |= matches!(part.numeric, Numeric::Floating(_)));
    found
}

fn sets_floating(program: &FlatProgram, instruction: &FlatInstruction) -> bool {
    match &instruction.kind {
        FlatInstructionKind::Unknown(variable, _) => {
            matches!(program.variables[variable.0 as usize].numeric, Numeric::Floating(_))
        }
        _ => false,
    }
}

/// Unknown values for whatever an unsupported instruction changes, which may be `all` variables.
fn approximated(instruction: FlatInstruction, all: usize) -> Vec<FlatInstruction> {
    match instruction.kind {
        FlatInstructionKind::Unsupported { effect, .. } => changed_by(effect, all)
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

fn changed_by(effect: Effect<FlatVariable>, all: usize) -> Vec<FlatVariable> {
    match effect {
        Effect::Changes(variables) => variables,
        Effect::Anything => (0..all as u32).map(FlatVariable).collect(),
    }
}
