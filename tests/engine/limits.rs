//! Limits: long derivations, budgets, cancellation, and that a run repeats itself exactly.

use clausal::engine::{Budget, Options, Outcome, StopReason, Verdict, verify};
use clausal::evidence::replay;
use clausal::rules::{Atom, PredicateId, Program, Rule};
use clausal::terms::SortId;

/// A chain of predicates, each of which adds a number between one and two to its argument.
fn chain(length: usize) -> Program {
    let mut program = Program::new();
    let names: Vec<PredicateId> = (0..=length)
        .map(|i| program.add_predicate("s", Some(&i.to_string()), &[("X", SortId::INT)]))
        .collect();
    let atom = |predicate, argument| Atom {
        predicate,
        arguments: vec![argument],
    };
    let [x, y] = ["X", "Y"].map(|name| program.terms.fresh_variable(name, SortId::INT));
    let [one, two, end] = [1, 2, length].map(|value| program.terms.integer(value));
    let next = program.terms.add(x, y);
    let bounds = vec![program.terms.less_or_equal(one, y), program.terms.less_or_equal(y, two)];
    program.add_query(vec![], atom(names[0], one), None);
    for pair in names.windows(2) {
        let (head, body) = (atom(pair[0], x), vec![atom(pair[1], next)]);
        program.add_rule(Rule {
            head,
            constraint: bounds.clone(),
            body,
            location: None,
        });
    }
    let beyond = program.terms.less(end, x);
    let error = Atom {
        predicate: PredicateId::ERROR,
        arguments: vec![],
    };
    program.add_rule(Rule {
        head: atom(names[length], x),
        constraint: vec![beyond],
        body: vec![error],
        location: None,
    });
    program
}

fn endless() -> Program {
    let source = "?- l(0).\nl(X) :- X < 100000000, l(X + 1).\nl(X) :- X >= 100000000, error.\n";
    clausal::clp::read(source).product.expect("a program")
}

fn stopped(budget: Budget) -> Outcome {
    verify(
        &endless(),
        &Options {
            budget,
            ..Options::default()
        },
    )
}

#[test]
fn a_derivation_of_100_000_steps_is_found_and_replayed() {
    let program = chain(100_000);
    let outcome = verify(&program, &Options::default());
    let Verdict::Unsafe(derivation) = &outcome.verdict else {
        panic!("{:?}", outcome.statistics)
    };
    assert_eq!(derivation.length(), 100_002);
    assert_eq!(replay(&program, derivation), Ok(()));
}

#[test]
fn budgets_end_a_run_with_their_reason() {
    let of_states = stopped(Budget {
        states: Some(50),
        ..Budget::default()
    });
    assert!(matches!(of_states.verdict, Verdict::Unknown(StopReason::States)));
    assert!(of_states.statistics.states >= 50 && of_states.statistics.states < 60);
    let of_unrollings = stopped(Budget {
        unrollings: Some(5),
        ..Budget::default()
    });
    assert!(matches!(
        of_unrollings.verdict,
        Verdict::Unknown(StopReason::Unrollings)
    ));
    assert_eq!(of_unrollings.statistics.unrollings, 6);
    let of_memory = stopped(Budget {
        memory: Some(1),
        ..Budget::default()
    });
    if cfg!(target_os = "linux") {
        assert!(matches!(of_memory.verdict, Verdict::Unknown(StopReason::Memory)));
    }
    let of_time = stopped(Budget {
        time: Some(std::time::Duration::ZERO),
        ..Budget::default()
    });
    assert!(matches!(of_time.verdict, Verdict::Unknown(StopReason::Time)));
}

#[test]
fn cancelling_from_another_thread_ends_the_run() {
    let options = Options::default();
    let cancellation = options.cancellation.clone();
    let outcome = std::thread::scope(|scope| {
        let run = scope.spawn(|| verify(&endless(), &options));
        cancellation.cancel();
        run.join().expect("the run ends")
    });
    assert!(matches!(outcome.verdict, Verdict::Unknown(StopReason::Cancelled)));
}

#[test]
fn a_query_that_the_solver_gives_up_is_no_verdict() {
    let source = "?- p(X, Y, Z).\np(X, Y, Z) :- X*X*X + Y*Y*Y + Z*Z*Z = 114, error.\n";
    let program = clausal::clp::read(source).product.expect("a program");
    let budget = Budget {
        query_resources: 50_000,
        ..Budget::default()
    };
    let outcome = verify(
        &program,
        &Options {
            budget,
            ..Options::default()
        },
    );
    assert!(
        matches!(outcome.verdict, Verdict::Unknown(StopReason::SolverGaveUp(_))),
        "{:?}",
        outcome.verdict
    );
}

#[test]
fn the_same_input_gives_the_same_proof_alone_and_beside_others() {
    let source = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/clp-programs/safe/000-nested.clp"));
    let program = clausal::clp::read(&source.expect("the file is there"))
        .product
        .expect("a program");
    let proof = || {
        let outcome = verify(&program, &Options::default());
        (
            clausal::report::proof(&program, &outcome),
            outcome.statistics.states,
            outcome.statistics.solver.queries,
        )
    };
    let alone = proof();
    let beside: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..2).map(|_| scope.spawn(proof)).collect();
        runs.into_iter().map(|run| run.join().expect("the run ends")).collect()
    });
    assert!(beside.iter().all(|other| *other == alone));
}

/// Programs that are none, and what is said of them.
fn malformed() -> Vec<(Program, &'static str)> {
    let atom = |predicate, arguments| Atom { predicate, arguments };
    let mut unknown_goal = Program::new();
    unknown_goal.add_query(vec![], atom(PredicateId::from_index(7), vec![]), None);
    let mut unknown_head = Program::new();
    unknown_head.add_rule(Rule {
        head: atom(PredicateId::from_index(1 << 20), vec![]),
        constraint: vec![],
        body: vec![],
        location: None,
    });
    let mut wrong_arity = chain(1);
    let one = wrong_arity.terms.integer(1);
    wrong_arity.add_query(vec![], atom(PredicateId::from_index(2), vec![one, one]), None);
    let mut foreign_term = chain(1);
    let last = {
        let mut larger = foreign_term.terms.clone();
        (0..1000)
            .map(|value| larger.integer(value + 10))
            .last()
            .expect("there are some")
    };
    foreign_term.add_query(vec![], atom(PredicateId::from_index(2), vec![last]), None);
    let mut no_formula = chain(1);
    no_formula.add_query(vec![one], atom(PredicateId::from_index(2), vec![one]), None);
    vec![
        (unknown_goal, "rule 1 names a predicate that the program does not have"),
        (unknown_head, "rule 1 names a predicate that the program does not have"),
        (wrong_arity, "are not of the number and sorts of its parameters"),
        (foreign_term, "it has a term that is not in its table"),
        (no_formula, "its constraint has a part that is not a formula"),
    ]
}

#[test]
fn a_malformed_program_is_an_error_value_at_once() {
    for (program, problem) in malformed() {
        let found = [
            verify(&program, &Options::default()),
            clausal::recursion::verify(&program, &Options::default()),
        ];
        for outcome in found {
            let Verdict::Unknown(StopReason::Malformed(why)) = &outcome.verdict else {
                panic!("{:?}", outcome.verdict);
            };
            assert!(why.contains(problem), "{why}");
        }
        let exploration = clausal::explore::explore(&program, &clausal::explore::ExploreOptions::default());
        let finding = format!("{:?}", exploration.finding);
        assert!(finding.contains("Malformed"), "{finding}");
        let steps = Vec::new();
        assert!(replay(&program, &clausal::evidence::Derivation::new(steps)).is_err());
    }
}
