//! Tests of guesses under guards: they hold of what runs come to, none follows plainly from others, and threads that take turns are proved by them.

use super::*;
use crate::engine::{Options, Verdict};
use crate::relations::kernel::Kernel;
use crate::relations::witnesses::{TO_GUESS, from_runs};

/// Threads in a ring that hand a token on: each adds one to it, and the first, which has begun with some number, finds `expected` more. `0` is a
/// thread that can run, and each has to be begun once before it takes part.
fn ring(threads: usize, expected: usize) -> String {
    let each = |letter: &str| {
        (0..threads)
            .map(|thread| format!("{letter}{thread}"))
            .collect::<Vec<String>>()
    };
    let (states, begun) = (each("S"), each("B"));
    // What a rule leads to, with these in the place of what is there.
    let with = |changes: &[(&str, &str)], token: &str, first: &str| {
        let changed = |name: &String| match changes.iter().find(|(of, _)| of == name) {
            Some((_, to)) => (*to).to_string(),
            None => name.clone(),
        };
        let all: Vec<String> = states.iter().chain(&begun).map(changed).collect();
        format!("({}, {token}, {first})", all.join(", "))
    };
    let here = with(&[], "T", "F");
    let mut rules = vec![format!("?- at0({}).", vec!["0"; 2 * threads + 2].join(", "))];
    for thread in 0..threads {
        let next = (thread + 1) % threads;
        let [own, following, own_begun] = [format!("S{thread}"), format!("S{next}"), format!("B{thread}")];
        let waits = [(own.as_str(), "1"), (own_begun.as_str(), "1")];
        let hands_on = [&waits[..], &[(following.as_str(), "0")]].concat();
        let mut rule = |body: String| rules.push(format!("at{thread}{here} :- {body}."));
        rule(format!("{own} >= 1, at{next}{here}"));
        rule(format!("{own} = 0, Skips = 0, at{next}{here}"));
        if thread == 0 {
            let begins = with(&hands_on, "Any", "Any");
            rule(format!("{own} = 0, {own_begun} = 0, at{next}{begins}"));
            rule(format!(
                "{own} = 0, {own_begun} = 1, T = F + {expected}, at{next}{begins}"
            ));
            rule(format!("{own} = 0, {own_begun} = 1, T \\= F + {expected}, error"));
        } else {
            rule(format!(
                "{own} = 0, {own_begun} = 0, at{next}{}",
                with(&waits, "T", "F")
            ));
            rule(format!(
                "{own} = 0, {own_begun} = 1, at{next}{}",
                with(&hands_on, "T + 1", "F")
            ));
        }
    }
    rules.join("\n")
}

fn program(source: &str) -> Program {
    crate::clp::read(source).product.expect("no mistake in it")
}

/// States of predicates, as values of their parameters.
type Seen = Vec<(PredicateId, Vec<Vec<Value>>)>;

/// The kernel of a program's rules, and the states that runs come to.
fn seen(program: &Program) -> (Kernel, Seen) {
    let kernel = Kernel::new(program, 0);
    let (seen, _) = from_runs(program, &kernel.system, TO_GUESS, &mut |_| false);
    let of_nodes = kernel.system.nodes.iter().zip(&seen);
    let states = of_nodes.map(|(node, seen)| (node.predicate, seen.values(&node.parameters)));
    let states = states.collect();
    (kernel, states)
}

#[test]
fn guesses_hold_of_all_states_and_none_follows_from_those_before() {
    let program = program(&ring(4, 3));
    let (mut kernel, states) = seen(&program);
    let mut guesses = UnderGuards::new(&program, states.clone());
    let offered = guesses.guess(&mut kernel.terms, &HashSet::new(), &|_| false);
    let mut equations_under_guards = 0;
    for (node, (_, states)) in kernel.system.nodes.iter().zip(&states) {
        let mut before = LinearLayer::default();
        for one in offered.iter().filter(|one| one.predicate == node.predicate) {
            let text = kernel.terms.display(one.formula).to_string();
            for state in states {
                let state = node.parameters.iter().copied().zip(state.iter().cloned()).collect();
                assert_eq!(kernel.terms.holds(one.formula, &state), Some(true), "{text}");
            }
            equations_under_guards += usize::from(text.contains("T = F + 1") && text.contains(" ; "));
            let denial = kernel.terms.not(one.formula);
            before.push();
            before.assume(&kernel.terms, denial);
            assert_ne!(before.check(&kernel.terms), Answer::Unsatisfiable, "{text}");
            before.pop(1);
            before.assume(&kernel.terms, one.formula);
        }
    }
    assert!(
        equations_under_guards >= 4,
        "the token of the second thread, at each place"
    );
    let more = guesses.guess(&mut kernel.terms, &HashSet::new(), &|_| false);
    assert!(more.is_empty(), "one round is all");
}

#[test]
fn threads_in_a_ring_are_proved_by_what_holds_where_each_can_run() {
    for threads in [2, 5] {
        let right = crate::relations::verify_under_guards(&program(&ring(threads, threads - 1)), &Options::default());
        let Verdict::Safe(certificate) = right.verdict else {
            panic!("{:?}", right.verdict)
        };
        assert_eq!(certificate.induction_depth, 1);
        assert!(right.statistics.states < 10, "no search was needed");
        let wrong = crate::relations::verify_under_guards(&program(&ring(threads, threads)), &Options::default());
        assert!(!matches!(wrong.verdict, Verdict::Safe(_)));
    }
}

#[test]
fn nothing_is_guessed_where_nothing_is_set_to_constants() {
    let program = program("?- p(0, 0). p(X, Y) :- X < 9, p(X + 1, Y + 2). p(X, Y) :- X >= 9, Y =\\= 18, error.");
    let outcome = crate::relations::verify_under_guards(&program, &Options::default());
    assert!(matches!(outcome.verdict, Verdict::Unknown(_)), "{:?}", outcome.verdict);
}

#[test]
fn who_may_not_spend_more_guesses_nothing() {
    let program = program(&ring(3, 2));
    let (mut kernel, states) = seen(&program);
    let mut guesses = UnderGuards::new(&program, states);
    assert!(guesses.guess(&mut kernel.terms, &HashSet::new(), &|_| true).is_empty());
}
