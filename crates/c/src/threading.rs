//! Edges led past what need not be done there: blocks that do nothing, and branches that the way to them decides.
//!
//! A function that answers a question sets a flag on several ways and comes back on one, and its caller asks for the flag at once. Inlined,
//! the ways join for nothing: each knows what becomes of it. Led on from where the flag is set, they leave out a state, and
//! a parameter for the flag, and what cannot follow from what.

use super::definedness::is_always_defined;
use super::flat::{FlatBlock, FlatBlockId, FlatInstruction, FlatInstructionKind, FlatProgram, FlatTerminator};
use super::flow::Flow;
use super::ranges::{Ranges, State, block_states};

/// More instructions before a branch are not repeated on each way to it, nor are more blocks.
const MOST_REPEATED: usize = 4;

/// Leads edges past blocks that do nothing.
pub(crate) fn thread_jumps(program: &mut FlatProgram) {
    let targets: Vec<FlatBlockId> = (0..program.blocks.len())
        .map(|index| {
            // A cycle of jumps is left as it is, after so many steps as it may have.
            let mut current = FlatBlockId(index as u32);
            for _ in 0..program.blocks.len() {
                let block = &program.blocks[current.0 as usize];
                match block.terminator {
                    FlatTerminator::Goto(next) if block.instructions.is_empty() && next != current => current = next,
                    _ => break,
                }
            }
            current
        })
        .collect();
    for block in &mut program.blocks {
        for_each_edge(&mut block.terminator, &mut |next| *next = targets[next.0 as usize]);
    }
}

fn for_each_edge(terminator: &mut FlatTerminator, action: &mut dyn FnMut(&mut FlatBlockId)) {
    match terminator {
        FlatTerminator::Goto(next) => action(next),
        FlatTerminator::Branch { then, otherwise, .. } => [then, otherwise].into_iter().for_each(action),
        FlatTerminator::Call { entry, after } => [entry, after].into_iter().for_each(action),
        FlatTerminator::Return | FlatTerminator::Stop | FlatTerminator::Error(_) => {}
    }
}

/// Leads edges past branches that are decided by what holds on each edge to them: their ways join there for nothing.
///
/// Where only some edges decide, all stay: a place that is come to behind a branch and past it makes rules that are composed twice, and those of the
/// next such place four times. So do loop headers: rules begin there.
pub(crate) fn thread_decided(program: &mut FlatProgram, ranges: &Ranges<'_>) {
    let flow = Flow::new(program);
    let states = block_states(ranges, program, &flow);
    let mut ways: Vec<Vec<(FlatBlockId, Option<Way>)>> = vec![Vec::new(); program.blocks.len()];
    let mut passed: Vec<bool> = (0..program.blocks.len())
        .map(|index| !flow.is_loop_header(FlatBlockId(index as u32)))
        .collect();
    for (index, state) in states.at.iter().enumerate() {
        let block = &program.blocks[index];
        let Some(state) = state
            .clone()
            .and_then(|state| through(ranges, state, &block.instructions))
        else {
            continue;
        };
        let edges = match &block.terminator {
            FlatTerminator::Goto(next) => vec![(*next, Some(state))],
            FlatTerminator::Branch {
                condition,
                then,
                otherwise,
            } => [(*then, true), (*otherwise, false)]
                .map(|(next, holds)| (next, ranges.refine(&state, condition, holds)))
                .into(),
            FlatTerminator::Call { .. } => {
                block
                    .terminator
                    .successors()
                    .iter()
                    .for_each(|next| passed[next.0 as usize] = false);
                continue;
            }
            _ => continue,
        };
        for (next, state) in edges {
            let Some(state) = state else {
                ways[index].push((next, None));
                continue;
            };
            let way = Way::past(ranges, (program, &flow), next, state);
            passed[next.0 as usize] &= way.is_some();
            ways[index].push((next, way));
        }
    }
    for (index, ways) in ways.into_iter().enumerate() {
        let is_passed = |(next, way): (FlatBlockId, Option<Way>)| way.filter(|_| passed[next.0 as usize]);
        lead(program, index, ways.into_iter().map(is_passed).collect());
    }
}

/// What holds after instructions, if any run is left.
fn through(ranges: &Ranges<'_>, state: State, instructions: &[FlatInstruction]) -> Option<State> {
    let mut kinds = instructions.iter().map(|instruction| &instruction.kind);
    kinds.try_fold(state, |state, kind| ranges.after(state, kind))
}

/// A way past a branch.
#[derive(Clone)]
struct Way {
    /// What is done on it.
    instructions: Vec<FlatInstruction>,
    /// Where it leads.
    target: FlatBlockId,
}

impl Way {
    /// The way on from an edge to a block on which this holds, if it leads to a branch that is decided there, little is done before, and no
    /// other ways join it.
    fn past(
        ranges: &Ranges<'_>,
        (program, flow): (&FlatProgram, &Flow),
        next: FlatBlockId,
        state: State,
    ) -> Option<Way> {
        let (mut next, mut state) = (next, state);
        let mut instructions = Vec::new();
        for step in 0..=MOST_REPEATED {
            if step > 0 && flow.predecessors(next).len() > 1 {
                return None;
            }
            let block = program
                .blocks
                .get(next.0 as usize)
                .filter(|_| !flow.is_loop_header(next))?;
            let mut kinds = block.instructions.iter().map(|instruction| &instruction.kind);
            let is_repeatable = instructions.len() + block.instructions.len() <= MOST_REPEATED
                && kinds.all(|kind| matches!(kind, FlatInstructionKind::Assign(..)));
            if !is_repeatable {
                return None;
            }
            state = through(ranges, state, &block.instructions)?;
            instructions.extend(block.instructions.iter().cloned());
            match &block.terminator {
                FlatTerminator::Goto(after) => next = *after,
                FlatTerminator::Branch {
                    condition,
                    then,
                    otherwise,
                } if is_always_defined(condition) => {
                    let may_hold = |holds: bool| ranges.refine(&state, condition, holds).is_some();
                    let target = match (may_hold(true), may_hold(false)) {
                        (true, false) => *then,
                        (false, true) => *otherwise,
                        _ => return None,
                    };
                    return Some(Way { instructions, target });
                }
                _ => return None,
            }
        }
        None
    }
}

/// Leads the edges of a block on.
fn lead(program: &mut FlatProgram, index: usize, ways: Vec<Option<Way>>) {
    let place = program.blocks[index].place;
    let mut targets = Vec::new();
    for way in ways {
        let Some(Way { instructions, target }) = way else {
            targets.push(None);
            continue;
        };
        if matches!(program.blocks[index].terminator, FlatTerminator::Goto(_)) {
            program.blocks[index].instructions.extend(instructions);
            targets.push(Some(target));
        } else if instructions.is_empty() {
            targets.push(Some(target));
        } else {
            targets.push(Some(FlatBlockId(program.blocks.len() as u32)));
            program.blocks.push(FlatBlock {
                place: instructions.first().map_or(place, |first| first.place),
                instructions,
                terminator: FlatTerminator::Goto(target),
                label: None,
            });
        }
    }
    let mut targets = targets.into_iter();
    for_each_edge(&mut program.blocks[index].terminator, &mut |next| {
        *next = targets.next().flatten().unwrap_or(*next);
    });
}

#[cfg(test)]
mod tests {
    use crate::options::Options;
    use crate::translate;

    /// The parameters' names in the rules of a loop that asks a function so, and counts by its answer.
    fn names(function: &str) -> String {
        let source = format!(
            "void reach_error(void); int unknown(void); {function}
             int main(void) {{
                 int n = unknown();
                 while (n != 100) {{
                     int a = unknown();
                     if (asked(a)) n++; else n = n + 2;
                     if (n > 150) reach_error();
                 }}
             }}"
        );
        let translation = translate(&source, &Options::default()).product.expect("it is C");
        let program = &translation.program;
        let parameters = program.predicates().iter().flat_map(|predicate| &predicate.parameters);
        let names = parameters.map(|parameter| program.terms.variable_name(*parameter).to_string());
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_flag_that_is_known_on_each_way_is_no_state() {
        let known = names(
            "static int asked(int a) {
                 int answer;
                 if (a == 1) { answer = 1; goto out; }
                 if (a == 7) { answer = 1; goto out; }
                 answer = 0;
                 out: return answer;
             }",
        );
        assert!(!known.to_lowercase().contains("answer"), "{known}");
    }

    #[test]
    fn one_that_is_not_known_on_each_stays() {
        let open = names("static int asked(int a) { int answer = unknown(); if (a == 1) answer = 1; return answer; }");
        assert!(open.to_lowercase().contains("answer"), "{open}");
    }
}
