//! How each alternative of the grammar is understood, shown by the smallest of many programs.
//!
//! An alternative that is in a program with the right verdicts is known to be understood; of a program with a wrong verdict
//! in which everything else is known so, it is the cause. The smallest programs are looked at first, for every alternative
//! a few, and only those in which it is the only one that is not known yet.

use super::grammar::Grammar;
use super::judge::{Finding, Judge};
use super::program::{self, Program};
use std::collections::{BTreeMap, BTreeSet};

/// How many programs are looked at for an alternative that is understood in the first ones.
const PROGRAMS: usize = 2;

/// A line for each alternative: how it is understood, its place, and the program that shows it.
///
/// # Errors
///
/// What the system says, and what is wrong with the grammar.
pub fn survey(
    grammar: &Grammar,
    judge: &Judge,
    numbers: std::ops::Range<u64>,
    only: Option<&str>,
    told: &mut dyn FnMut(&str, &str, &str, &Program),
) -> Result<BTreeMap<&'static str, u64>, String> {
    let mut pool: Vec<Program> = Vec::new();
    for number in numbers {
        pool.push(program::generate(grammar, number)?);
    }
    pool.sort_by_key(|made| (made.used.len(), made.text.len()));
    let mut with: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, made) in pool.iter().enumerate() {
        for used in &made.used {
            with.entry(used).or_default().push(index);
        }
    }
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut looked: BTreeMap<usize, Finding> = BTreeMap::new();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    let mut counts = BTreeMap::new();
    // Each round knows more, and can tell more causes from what they are with; the last one takes what there is.
    for strangers in [0, 0, 1, 3, usize::MAX] {
        for (alternative, places) in &with {
            if done.contains(alternative) || only.is_some_and(|only| !alternative.starts_with(only)) {
                continue;
            }
            let is_fit = |index: &&usize| {
                let others = pool[**index].used.iter().filter(|used| {
                    *used != alternative && !known.contains(used.as_str()) && !used.starts_with("units:")
                });
                others.count() <= strangers
            };
            let fit: Vec<usize> = places.iter().filter(is_fit).copied().take(PROGRAMS).collect();
            let mut told_as: Option<(&'static str, String, usize)> = None;
            for index in fit {
                let made = &pool[index];
                let finding = match looked.remove(&index) {
                    Some(finding) => finding,
                    None => judge.look(&made.text)?,
                };
                let (kind, why) = match &finding {
                    Finding::Right => ("right", String::new()),
                    Finding::LeftOut(why) => ("left out", why.clone()),
                    Finding::Undecided(why) => ("undecided", why.clone()),
                    Finding::Wrong(difference) if difference.failed => ("false SAFE", String::new()),
                    Finding::Wrong(_) => ("false UNSAFE", String::new()),
                };
                if matches!(finding, Finding::Right) {
                    known.extend(made.used.iter().map(String::as_str));
                }
                looked.insert(index, finding);
                let worse = told_as.as_ref().is_none_or(|(before, _, _)| rank(kind) > rank(before));
                if worse {
                    told_as = Some((kind, why, index));
                }
            }
            if let Some((kind, why, index)) = told_as {
                told(kind, alternative, &why, &pool[index]);
                *counts.entry(kind).or_default() += 1;
                done.insert(alternative);
            }
        }
    }
    Ok(counts)
}

fn rank(kind: &str) -> usize {
    ["left out", "undecided", "right", "false UNSAFE", "false SAFE"]
        .iter()
        .position(|other| *other == kind)
        .unwrap_or(0)
}
