//! The words that all reports share: verdicts, places of rules, formulas over a predicate's parameters, goals with values.

use crate::engine::{Outcome, StopReason, Verdict};
use crate::evidence::{Certificate, Invariant, Step};
use crate::rules::{Atom, PredicateId, Program, RuleId};
use crate::terms::{Assignment, Operator, TermId, Terms};
use hashbrown::HashSet;

/// The verdict as one lower-case word: `safe`, `unsafe` or `unknown`.
pub fn verdict_word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    }
}

/// The verdict as the first line of a report: `SAFE`, `UNSAFE`, or `UNKNOWN` with the reason.
pub fn verdict_line(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Safe(_) => "SAFE".to_string(),
        Verdict::Unsafe(_) => "UNSAFE".to_string(),
        Verdict::Unknown(reason) => format!("UNKNOWN: {reason}"),
    }
}

/// What someone who got no verdict can do about it.
pub fn advice(reason: &StopReason) -> &'static str {
    match reason {
        StopReason::Time => "allow more time (--timeout, or `Budget::time`)",
        StopReason::Memory => "allow more memory (--max-memory, or `Budget::memory`)",
        StopReason::NoThread(_) => "allow more memory (a few gigabytes of address space), or run less beside it",
        StopReason::States => "allow more states (--max-states, or `Budget::states`)",
        StopReason::Unrollings => {
            "allow more unrollings (--max-unrollings, or `Budget::unrollings`); if their number grows with the limit, \
             add the invariant that is missing to the query or to a rule"
        }
        StopReason::Cancelled => "run it again and let it finish",
        StopReason::SolverGaveUp(_) => {
            "allow the solver more work for one query (--query-resources, or `Budget::query_resources`), or replace \
             products of variables, div and mod by linear constraints where that is possible"
        }
        StopReason::Inexact(_) => {
            "rewrite what was approximated so that it can be translated exactly, or look at the run with --undefined ends"
        }
        StopReason::NotSupported(_) => "rewrite the rules without it",
        StopReason::Malformed(_) => "make each atom fit its predicate, and each term its sort",
        StopReason::EvidenceRejected(_) | StopReason::Internal(_) => {
            "nothing was proved; please report this with the program that shows it"
        }
    }
}

/// The line of a rule, if it came from a text.
pub(super) fn rule_line(program: &Program, rule: RuleId) -> Option<u32> {
    program.rule(rule).location.map(|location| location.line)
}

/// The line where a predicate's rules begin.
pub(super) fn predicate_line(program: &Program, predicate: PredicateId) -> Option<u32> {
    program
        .rules_of(predicate)
        .iter()
        .find_map(|rule| rule_line(program, *rule))
}

/// Where a rule stands, for people: its line, or its number among the rules if it came from no text.
pub(super) fn place(program: &Program, rule: RuleId) -> String {
    match rule_line(program, rule) {
        Some(line) => format!("line {line}"),
        None => format!("rule {}", rule.index() + 1),
    }
}

/// Names for a predicate's parameters under which formulas about it can be read: different parameters, different names.
pub(super) fn parameter_names(program: &Program, predicate: PredicateId) -> Vec<(TermId, String)> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut names = Vec::new();
    for parameter in &program.predicate(predicate).parameters {
        let wanted = match program.terms.variable_name(*parameter) {
            "" => "_",
            name => name,
        };
        let candidates = (1..).map(|number| match number {
            1 => wanted.to_string(),
            _ => format!("{wanted}_{number}"),
        });
        for name in candidates {
            if taken.insert(name.clone()) {
                names.push((*parameter, name));
                break;
            }
        }
    }
    names
}

/// Names for the variables that an invariant holds for all values of, as far as it mentions them, beside those of the parameters.
pub(super) fn universal_names(
    certificate: &Certificate,
    invariant: &Invariant,
    parameters: &[(TermId, String)],
) -> Vec<(TermId, String)> {
    let terms = &certificate.terms;
    let conjuncts: Vec<TermId> = invariant.disjuncts.iter().flatten().copied().collect();
    let mentioned = terms.variables_of_all(&conjuncts);
    let mut named: Vec<(TermId, String)> = Vec::new();
    for variable in certificate
        .universal
        .iter()
        .filter(|variable| mentioned.contains(variable))
    {
        let wanted = terms.variable_name(*variable);
        let mut name = wanted.to_string();
        let mut number = 1;
        while parameters.iter().chain(&named).any(|(_, other)| *other == name) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        named.push((*variable, name));
    }
    named
}

/// A predicate applied to texts: `p(1, X, 3)`.
pub(super) fn atom(program: &Program, predicate: PredicateId, arguments: impl Iterator<Item = String>) -> String {
    let predicate = program.predicate(predicate);
    let all: Vec<String> = predicate.point.clone().into_iter().chain(arguments).collect();
    if all.is_empty() {
        predicate.name.clone()
    } else {
        format!("{}({})", predicate.name, all.join(", "))
    }
}

/// A conjunction in CLP syntax, the variables named as told.
pub(super) fn conjunction(terms: &Terms, conjuncts: &[TermId], names: &[(TermId, String)]) -> String {
    if conjuncts.is_empty() {
        return "true".to_string();
    }
    let name_of = |variable| {
        let found = names.iter().find(|(named, _)| *named == variable);
        found.map(|(_, name)| name.clone())
    };
    let texts: Vec<String> = conjuncts
        .iter()
        .map(|conjunct| {
            let text = terms.display_named(*conjunct, &name_of).to_string();
            // A comma binds more tightly than a semicolon.
            if conjuncts.len() > 1 && terms.operator(*conjunct) == Operator::Or {
                format!("({text})")
            } else {
                text
            }
        })
        .collect();
    texts.join(", ")
}

/// The goal that is derived after a step, with values for its arguments: what the next step begins with, or else the body.
pub(super) fn goal_reached(program: &Program, step: &Step, next: Option<&Step>) -> String {
    let (step, goal) = match next {
        Some(next) => (next, Some(&program.rule(next.rule).head)),
        None => {
            let mut body = program.rule(step.rule).body.iter();
            (
                step,
                body.find(|atom| atom.predicate == PredicateId::ERROR)
                    .or(program.rule(step.rule).body.first()),
            )
        }
    };
    let values: Assignment = step.values.iter().cloned().collect();
    match goal {
        Some(goal) => atom(
            program,
            goal.predicate,
            argument_values(program, goal, &values).into_iter(),
        ),
        // The end of a call after which the error comes.
        None => program.predicate_label(PredicateId::ERROR),
    }
}

fn argument_values(program: &Program, atom: &Atom, values: &Assignment) -> Vec<String> {
    atom.arguments
        .iter()
        .map(|argument| match program.terms.evaluate(*argument, values) {
            Some(value) => program.terms.display_value(&value),
            None => "?".to_string(),
        })
        .collect()
}

/// The values that a step chose for variables which neither its head nor its body shows: the inputs of the run.
pub(super) fn chosen_values(program: &Program, step: &Step) -> Vec<String> {
    let rule = program.rule(step.rule);
    let mut shown: Vec<TermId> = Vec::new();
    for atom in std::iter::once(&rule.head).chain(&rule.body) {
        shown.extend(program.terms.variables_of_all(&atom.arguments));
    }
    step.values
        .iter()
        .filter(|(variable, _)| !shown.contains(variable))
        .map(|(variable, value)| {
            let value = program.terms.display_value(value);
            format!("{} = {value}", program.terms.variable_name(*variable))
        })
        .collect()
}
