//! Errors among runs in which every field has a value.
//!
//! What a field of a term is that another constructor made, nobody says: a proof holds whatever it is, and an error that needs it to
//! be something is none, for it may be something else. A solver takes what suits it all the same, so the first error that a search
//! comes to may rest on the head of an empty list, and the search ends with nothing. Here the rules say beside each field which
//! constructor they count on. That leaves runs out and adds none, so that an error of these rules is one of the program, which
//! [`replay`](crate::evidence::replay) decides; that there is none means nothing. The seeds have no datatypes.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//!
//! let source = "?- p([], 0). p(L, N) :- N < 3, p([N | L], N + 1). p(L, N) :- head(tail(L)) = 1, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let outcome = clausal::defined::verify(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Unsafe(_)));
//! ```

use crate::engine::{self, Options, Outcome, StopReason, Verdict};
use crate::relations;
use crate::rules::{Program, Rule};
use crate::terms::{Operator, TermId, Terms};
use hashbrown::HashSet;
use std::time::Instant;

/// Looks for an error among the runs in which every field has a value. The answer is *unsafe* or unknown, the latter at once where the
/// rules say of all fields that they have one.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    let Some(guarded) = guarded(program) else {
        return unknown("rules in which every field has a value");
    };
    let started = Instant::now();
    let mut outcome = relations::verify(&guarded, options);
    outcome.invariants.clear();
    outcome.tree = None;
    outcome.verdict = match outcome.verdict {
        Verdict::Unsafe(derivation) => {
            let rest = Options {
                budget: options.budget.after(started.elapsed()),
                ..options.clone()
            };
            engine::checked_verdict(program, Verdict::Unsafe(derivation), &rest)
        }
        Verdict::Safe(_) => return unknown("errors that need fields of other constructors"),
        unknown => unknown,
    };
    outcome
}

fn unknown(what: &str) -> Outcome {
    Outcome::unknown(StopReason::NotSupported(format!("{what}, by defined runs")))
}

/// The program with what its rules count on; `None` if they say all of it already.
fn guarded(program: &Program) -> Option<Program> {
    if program.terms.datatypes().is_empty() {
        return None;
    }
    let mut guarded = program.without_rules();
    let mut is_new = false;
    for rule in program.rules() {
        let mut own = rule.clone();
        for conjunct in &mut own.constraint {
            *conjunct = with_guards(&mut guarded.terms, *conjunct);
        }

        let atoms = rule.body.iter().chain([&rule.head]);
        let arguments: Vec<TermId> = atoms.flat_map(|atom| &atom.arguments).copied().collect();
        own.constraint.extend(guards(&mut guarded.terms, &arguments));
        let mut said = HashSet::new();
        let mut conjuncts = Vec::new();
        for conjunct in own.constraint {
            let parts = guarded.terms.conjuncts(conjunct);
            conjuncts.extend(parts.into_iter().filter(|part| said.insert(*part)));
        }
        is_new |= !is_all_there(&guarded.terms, rule, &conjuncts);
        own.constraint = conjuncts;
        guarded.add_rule(own);
    }
    is_new.then_some(guarded)
}

/// Whether the rule says all of these already.
fn is_all_there(terms: &Terms, rule: &Rule, conjuncts: &[TermId]) -> bool {
    let said = rule.constraint.iter().flat_map(|conjunct| terms.conjuncts(*conjunct));
    let said: HashSet<TermId> = said.collect();
    conjuncts.iter().all(|conjunct| said.contains(conjunct))
}

/// A formula that has to hold, with the guards of the fields that it needs then: each case of a disjunction with its own.
fn with_guards(terms: &mut Terms, formula: TermId) -> TermId {
    let parts = terms.arguments(formula).to_vec();
    match terms.operator(formula) {
        Operator::And => {
            let parts: Vec<TermId> = parts.into_iter().map(|part| with_guards(terms, part)).collect();
            terms.and(&parts)
        }
        Operator::Or => {
            let parts: Vec<TermId> = parts.into_iter().map(|part| with_guards(terms, part)).collect();
            terms.or(&parts)
        }
        _ => {
            let mut conjuncts = guards(terms, &[formula]);
            conjuncts.push(formula);
            terms.and(&conjuncts)
        }
    }
}

/// That the fields inside have values, but for those of which a condition says whether they are looked at.
fn guards(terms: &mut Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut guards = Vec::new();
    let mut seen = HashSet::new();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let arguments = terms.arguments(term).to_vec();
        match (terms.operator(term), &arguments[..]) {
            (Operator::IfThenElse, [condition, ..]) => stack.push(*condition),
            (Operator::Field(field), [whole]) => {
                let constructor = terms.field(field).constructor;
                guards.push(terms.is_made_by(constructor, *whole));
                stack.push(*whole);
            }
            _ => stack.extend(arguments),
        }
    }
    guards.retain(|guard| *guard != TermId::TRUE);
    guards.sort_unstable();
    guards.dedup();
    guards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::checked_verdict;

    fn verdict(source: &str) -> Verdict {
        checked_verdict(source, verify)
    }

    const FILLED: &str = "?- p([], 0). p(L, N) :- N < 3, p([N | L], N + 1).";

    #[test]
    fn errors_are_found_behind_fields_of_other_constructors() {
        for guilty in [
            "p(L, N) :- head(tail(L)) = 1, error.",
            "p(L, N) :- N = 2, q(head(L)). q(X) :- X = 1, error.",
            "p(L, N) :- (head(tail(tail(L))) = 7 ; head(L) = 2), error.",
        ] {
            let found = verdict(&format!("{FILLED} {guilty}"));
            assert!(matches!(found, Verdict::Unsafe(_)), "{guilty}: {found:?}");
        }
    }

    #[test]
    fn what_only_an_unspecified_value_makes_an_error_is_none() {
        for innocent in [
            "p(L, N) :- head(L) = 7, error.",
            "p(L, N) :- L = [], head(L) = 1, error.",
            "p(L, N) :- tail(L) = L, error.",
        ] {
            let found = verdict(&format!("{FILLED} {innocent}"));
            assert!(matches!(found, Verdict::Unknown(_)), "{innocent}: {found:?}");
        }
    }

    #[test]
    fn who_says_it_already_is_left_alone() {
        for source in [
            "?- p([], 0). p(L, N) :- is_cons(L), head(L) = 1, error.",
            "?- p([], 0). p([H | T], N) :- H = 1, error.",
            "?- p([], 0). p(L, N) :- ite(is_cons(L), head(L), 0) = 1, error.",
            "?- p(0). p(X) :- X > 1, error.",
        ] {
            let source = source.replace("is_cons(L)", "L \\= []");
            let program = crate::clp::read(&source).product.expect("no mistake in it");
            assert!(guarded(&program).is_none(), "{source}");
        }
    }

    #[test]
    fn in_turns_the_search_goes_on() {
        let found = checked_verdict(
            &format!("{FILLED} p(L, N) :- head(tail(L)) = 1, error."),
            crate::turns::verify,
        );
        assert!(matches!(found, Verdict::Unsafe(_)), "{found:?}");
        let found = checked_verdict(
            &format!("{FILLED} p(L, N) :- L = [], head(L) = 1, error."),
            crate::turns::verify,
        );
        assert!(matches!(found, Verdict::Unknown(_)), "{found:?}");
    }
}
