//! What happens in a derivation, in the order in which it happens in C: a rule that calls functions goes on when they have
//! returned, so that its steps are in several parts.

use crate::c::Translation;
use crate::c::source_map::StepKind;
use crate::evidence::Derivation;
use std::ops::Range;

/// A part of a step of a derivation, between calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// Which step of the derivation.
    pub step: usize,
    /// Which steps of the source of its rule.
    pub steps: Range<usize>,
    /// Which call it is in, by a number in the order of the calls; that of `main` is 0.
    pub call: usize,
    /// How many calls are open.
    pub depth: usize,
}

enum Work {
    Part(Part),
    /// An atom is derived; in a call of its own or in that with the number.
    Atom {
        call: Option<usize>,
        depth: usize,
    },
}

/// The parts of a derivation in their order.
pub(super) fn parts(translation: &Translation, derivation: &Derivation) -> Vec<Part> {
    let mut parts = Vec::new();
    // The calls that are on a stack, by their numbers; none of them is where the others are.
    let mut stack: Vec<usize> = Vec::new();
    let mut calls = 0;
    let mut next = 0;
    let mut work = vec![Work::Atom {
        call: Some(0),
        depth: 0,
    }];
    while let Some(current) = work.pop() {
        let (call, depth) = match current {
            Work::Part(part) => {
                split(translation, derivation, part, &mut stack, &mut calls, &mut parts);
                continue;
            }
            Work::Atom { call, depth } => (call, depth),
        };
        let Some(step) = derivation.steps.get(next) else {
            // The error: what would come afterwards does not happen.
            break;
        };
        let call = call.unwrap_or_else(|| {
            calls += 1;
            calls
        });
        let source = translation.map.rules.get(step.rule.index());
        let steps = source.map_or(&[][..], |source| &source.steps);
        let atoms = translation.program.rules().get(step.rule.index());
        let atoms = atoms.map_or(0, |rule| rule.body.len());
        let is_call = |step: &crate::c::source_map::Step| matches!(step.kind, StepKind::Call { .. });
        let ends: Vec<usize> = (0..steps.len()).filter(|position| is_call(&steps[*position])).collect();
        let mut todo = Vec::new();
        let mut start = 0;
        for end in &ends {
            todo.push(Work::Part(Part {
                step: next,
                steps: start..end + 1,
                call,
                depth,
            }));
            todo.push(Work::Atom {
                call: None,
                depth: depth + 1,
            });
            start = end + 1;
        }
        todo.push(Work::Part(Part {
            step: next,
            steps: start..steps.len(),
            call,
            depth,
        }));
        todo.extend((ends.len()..atoms).map(|_| Work::Atom {
            call: Some(call),
            depth,
        }));
        work.extend(todo.into_iter().rev());
        next += 1;
    }
    parts
}

/// Splits a part where calls that are on a stack begin and end.
fn split(
    translation: &Translation,
    derivation: &Derivation,
    part: Part,
    stack: &mut Vec<usize>,
    calls: &mut usize,
    parts: &mut Vec<Part>,
) {
    let rule = derivation.steps.get(part.step).map(|step| step.rule.index());
    let source = rule.and_then(|rule| translation.map.rules.get(rule));
    let mut start = part.steps.start;
    for position in part.steps.clone() {
        let kind = source.and_then(|source| Some(&source.steps.get(position)?.kind));
        if !matches!(kind, Some(StepKind::Enter { .. } | StepKind::Leave)) {
            continue;
        }
        parts.push(in_call(&part, start..position + 1, stack));
        start = position + 1;
        match kind {
            Some(StepKind::Leave) => {
                stack.pop();
            }
            _ => {
                *calls += 1;
                stack.push(*calls);
            }
        }
    }
    parts.push(in_call(&part, start..part.steps.end, stack));
}

fn in_call(part: &Part, steps: Range<usize>, stack: &[usize]) -> Part {
    Part {
        step: part.step,
        steps,
        call: stack.last().copied().unwrap_or(part.call),
        depth: part.depth + stack.len(),
    }
}
