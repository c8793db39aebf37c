//! Programs with parameters that do not matter.

use super::*;
use crate::turns;

fn program(source: &str) -> Program {
    crate::clp::read_with_calls(source).product.expect("no mistake in it")
}

fn parameters_left(source: &str) -> Option<Vec<usize>> {
    let (program, options) = (program(source), Options::default());
    if !has_others(&program) {
        return None;
    }
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    let filtered = Filtered::new(&program, &options, &budget)?;
    let predicates = filtered.program.predicates().iter().skip(2);
    Some(predicates.map(|predicate| predicate.parameters.len()).collect())
}

/// A counter beside a table in which every turn notes something, and a call that is sent with it.
const NOTES: &str = "
    :- type call ---> call(sender: int, values: array(int, int)).
    ?- Table = constant(0), sender(Call) >= 1, select(values(Call), 0) = 7, turn(0, Table, Call).
    turn(I, Table, Call) :- I < 9, Next = Table, Now = I, turn(Now + 1, store(Next, I, select(values(Call), I)), Call).
    turn(I, _, _) :- I > LIMIT, error.";

#[test]
fn what_no_rule_looks_at_is_left_out() {
    assert_eq!(parameters_left(&NOTES.replace("LIMIT", "9")), Some(vec![1]));
    // Something is said of it, in a constraint, by a term in the head, or by a parameter that it is handed to.
    let looked_at = NOTES
        .replace("I > LIMIT", "Table[3] > 2, I > 9")
        .replace("turn(I, _,", "turn(I, Table,");
    assert_eq!(parameters_left(&looked_at), None);
    let numbers = "?- p(0, 0). p(X, Y) :- p(X + 1, Y + 2). p(X, _) :- X < 0, error.";
    assert_eq!(parameters_left(numbers), None);
    let twice = "?- p(A, A). p(A, B) :- q(A, B, A). q(A, A, _) :- error.";
    let twice = format!(":- sort p(array(int, int), array(int, int)).\n{twice}");
    assert_eq!(parameters_left(&twice), Some(vec![2, 2]));
}

#[test]
fn verdicts_are_about_the_program_that_was_given() {
    let (safe, failing) = (
        program(&NOTES.replace("LIMIT", "9")),
        program(&NOTES.replace("LIMIT", "8")),
    );
    let options = Options::default();
    for method in [engine::verify, turns::verify] {
        let Verdict::Safe(certificate) = verify_filtered(&safe, &options, &method).verdict else {
            panic!("the counter stops");
        };
        let limits = crate::evidence::CheckLimits {
            query_resources: 0,
            watch: None,
        };
        assert!(crate::evidence::check_certificate(&safe, &certificate, limits).is_ok());
        let Verdict::Unsafe(derivation) = verify_filtered(&failing, &options, &method).verdict else {
            panic!("the counter is nine at last");
        };
        assert_eq!(crate::evidence::replay(&failing, &derivation), Ok(()));
    }
}

#[test]
fn conditions_that_nothing_meets_stay() {
    let source = "
        :- type call ---> call(sender: int, values: array(int, int)).
        ?- sender(Call) >= 1, sender(Call) < 1, turn(0, Call).
        turn(I, Call) :- I >= 0, error.";
    let program = program(source);
    assert_eq!(parameters_left(source), Some(vec![1]));
    let outcome = verify_filtered(&program, &Options::default(), &engine::verify);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)));
}

#[test]
fn calls_are_filtered_and_their_derivations_completed() {
    let source = "
        :- type call ---> call(sender: int, values: array(int, int)).
        ?- sum(5, S, Call), S > 14, error.
        sum(N, 0, _) :- N =< 0.
        sum(N, N + S, Call) :- N > 0, sum(N - 1, S, call(sender(Call) + 1, values(Call))).";
    let program = program(source);
    assert_eq!(parameters_left(source), Some(vec![2]));
    let outcome = verify_filtered(&program, &Options::default(), &turns::verify);
    let Verdict::Unsafe(derivation) = outcome.verdict else {
        panic!("it is fifteen");
    };
    assert_eq!(crate::evidence::replay(&program, &derivation), Ok(()));
}

#[test]
fn what_runs_beside_the_numbers_is_left_out_and_found_again() {
    // The table is compared, but never with the counter.
    let source = "
        ?- Table = store(constant(0), 3, 5), turn(0, Table).
        turn(I, Table) :- I < 4, Next = store(Table, 3, Table[3] + 1), Next[3] > Table[3], Next[3] =< LIMIT, turn(I + 1, Next).
        turn(I, _) :- I >= 4, error.";
    let (failing, safe) = (source.replace("LIMIT", "9"), source.replace("LIMIT", "8"));
    assert_eq!(parameters_left(&failing), Some(vec![1]));
    let verdict = |source: &str| verify_filtered(&program(source), &Options::default(), &turns::verify).verdict;
    let Verdict::Unsafe(derivation) = verdict(&failing) else {
        panic!("it is nine after four turns");
    };
    assert_eq!(crate::evidence::replay(&program(&failing), &derivation), Ok(()));
    // Here the table is what matters, and the counter alone would fail.
    assert!(matches!(verdict(&safe), Verdict::Safe(_)));
}

#[test]
fn what_nobody_makes_anything_of_is_left_out() {
    // A log comes back from each call; it is made of the one before, and nobody reads it.
    let source = "
        ?- sum(5, S, Log), S > LIMIT, error.
        sum(N, 0, Log) :- N =< 0, Log = constant(0).
        sum(N, N + S, store(Log, N, S)) :- N > 0, sum(N - 1, S, Log).";
    assert_eq!(parameters_left(source.replace("LIMIT", "15").as_str()), Some(vec![2]));
    for (limit, fails) in [("14", true), ("15", false)] {
        let program = program(&source.replace("LIMIT", limit));
        match verify_filtered(&program, &Options::default(), &turns::verify).verdict {
            Verdict::Unsafe(derivation) => {
                assert_eq!((crate::evidence::replay(&program, &derivation), fails), (Ok(()), true))
            }
            verdict => assert!(matches!(verdict, Verdict::Safe(_)) && !fails, "{verdict:?}"),
        }
    }
}
