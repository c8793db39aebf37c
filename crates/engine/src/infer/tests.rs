//! What is reported as proved holds in every state that runs come through, and is accepted by the independent checker.

use super::sampling::{Effort, Runner, Samples};
use super::{Inference, Kind, Notation, Options, Status, infer};
use crate::evidence::{CheckError, CheckLimits};
use crate::random::Generator;
use crate::steps::{Budget, BudgetWatch, Cancellation, Transitions};
use crate::terms::{Assignment, Value};
use std::time::Duration;

fn inferred(source: &str, options: &Options) -> Inference {
    let program = crate::clp::read(source).product.expect("no mistake in it");
    infer(&program, &[], options).expect("it can be run")
}

fn proved(inference: &Inference, place: usize) -> Vec<String> {
    let place = &inference.places[place];
    let certain = place.invariants.iter().filter(|found| found.status == Status::Proved);
    certain
        .map(|found| inference.text(place, found, Notation::Clp))
        .collect()
}

/// The states of further runs, from other random numbers, in which something proved is false.
fn violations(inference: &Inference, seed: u64) -> Vec<String> {
    let program = &inference.program;
    let mut terms = inference.terms.clone();
    let transitions = Transitions::new(program, &mut terms);
    let mut samples = Samples::new(program);
    let effort = Effort {
        runs: 200,
        steps: 200,
        states: 2000,
    };
    Runner::new(program, &terms, &transitions, seed).run(&mut samples, effort, &|_| false);
    let mut found = Vec::new();
    for place in &inference.places {
        let parameters = &program.predicate(place.place).parameters;
        for state in samples.at(place.place) {
            let values: Assignment = parameters
                .iter()
                .copied()
                .zip(state.iter().cloned().map(Value::Number))
                .collect();
            for invariant in place.invariants.iter().filter(|found| found.status == Status::Proved) {
                if terms.holds(invariant.formula, &values) == Some(false) {
                    found.push(format!(
                        "{} in {state:?}",
                        inference.text(place, invariant, Notation::Clp)
                    ));
                }
            }
        }
    }
    found
}

fn accepted(inference: &Inference) {
    match inference.check(CheckLimits {
        query_resources: 2_000_000,
        watch: None,
    }) {
        Ok(_) | Err(CheckError::Undecided(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_loops_of_a_division_have_their_invariants() {
    let inference = inferred(
        include_str!("../../../../examples/infer/division.clp"),
        &Options::default(),
    );
    for place in 0..2 {
        let texts = proved(&inference, place);
        assert!(
            texts.contains(&"B = Y*A".to_string()) && texts.contains(&"X = Y*Q + R".to_string()),
            "{texts:?}"
        );
    }
    assert!(violations(&inference, 77).is_empty());
    accepted(&inference);
}

#[test]
fn the_sum_of_fifth_powers_has_its_polynomial() {
    let inference = inferred(
        include_str!("../../../../examples/infer/fifth_powers.clp"),
        &Options::default(),
    );
    let documented = "-2*Y*Y*Y*Y*Y*Y - 6*Y*Y*Y*Y*Y - 5*Y*Y*Y*Y + Y*Y + 12*X == 0";
    assert_eq!(
        inference.implies(&inference.places[0], &[], documented),
        Ok(Some(Status::Proved))
    );
    assert_eq!(inference.implies(&inference.places[0], &[], "X == Y"), Ok(None));
    accepted(&inference);
}

#[test]
fn iterations_are_told_by_cases() {
    let options = Options {
        count: true,
        ..Options::default()
    };
    let inference = inferred(include_str!("../../../../examples/infer/two_bounds.clp"), &options);
    let exit = inference
        .places
        .iter()
        .find(|place| place.exit_of.is_some())
        .expect("the loop ends");
    let inputs = super::complexity::inputs(&inference, exit);
    let counter = super::complexity::counter_column(exit, super::complexity::COUNTER).expect("it is counted");
    let (cases, complete) = super::complexity::iterations(&inference, exit, counter, &inputs, &[]);
    let texts: Vec<String> = cases
        .iter()
        .map(|case| case.text(&inference, exit, Notation::Clp))
        .collect();
    assert!(complete);
    assert_eq!(
        texts,
        ["iterations = 100 when M =< 0", "iterations = M + 100 when M >= 1"]
    );
}

#[test]
fn other_kinds_are_found() {
    let source = "
        ?- p(A, B, 1).
        p(A, B, C) :- A >= B, q(A, B, C, A).
        p(A, B, C) :- A < B, q(A, B, C, B).
        q(A, B, C, M) :- q(A, B, C + 4, M).";
    let options = Options {
        kinds: vec![Kind::Congruence, Kind::Extremum],
        ..Options::default()
    };
    let inference = inferred(source, &options);
    let texts = proved(&inference, 0);
    assert_eq!(texts, ["C mod 4 = 1", "M = max(A, B)"]);
}

/// A random loop over three variables with linear and sometimes quadratic updates.
fn random_program(random: &mut Generator) -> String {
    let term = |random: &mut Generator| {
        let names = ["X", "Y", "Z", "N"];
        let [a, b] = [random.below(4), random.below(4)].map(|index| names[index as usize]);
        match random.below(5) {
            0 => a.to_string(),
            1 => format!("{a} + {}", random.below(4)),
            2 => format!("{a} - {b}"),
            3 => format!("{a} + {b}"),
            _ => format!("{a} + {}*{b} + {}", random.below(3), random.below(3)),
        }
    };
    let start = [random.below(3), random.below(3), random.below(3)];
    let branches: Vec<String> = (0..2)
        .map(|branch| {
            let relation = if branch == 0 { "<" } else { ">=" };
            let [x, y, z] = [term(random), term(random), term(random)];
            format!("loop(X, Y, Z, N) :- X < N, Y {relation} Z, loop({x}, {y}, {z}, N).")
        })
        .collect();
    format!(
        "?- N >= 0, loop({}, {}, {}, N).\n{}\nloop(X, Y, Z, N) :- X >= N.",
        start[0],
        start[1],
        start[2],
        branches.join("\n")
    )
}

/// Infers for so many random programs and looks for runs that violate what is reported as proved.
fn nothing_proved_is_violated(programs: u64, seed: u64) {
    let mut random = Generator(seed);
    for round in 0..programs {
        let source = random_program(&mut random);
        let options = Options {
            runs: 60,
            symbolic_states: 12,
            terms: 30,
            time: Duration::from_secs(2),
            ..Options::default()
        };
        let inference = inferred(&source, &options);
        let found = violations(&inference, 1000 + round);
        assert!(found.is_empty(), "{source}\n{found:?}");
        accepted(&inference);
    }
}

/// Five programs, or as many as the environment variable `CLAUSAL_RANDOM_PROGRAMS` says: 120 take minutes.
#[test]
fn nothing_proved_is_violated_by_runs_of_random_programs() {
    let programs = match std::env::var("CLAUSAL_RANDOM_PROGRAMS") {
        Ok(number) => number.parse().expect("a number of programs"),
        Err(_) => 5,
    };
    nothing_proved_is_violated(programs, 2026);
}

/// A loop over a state that has three values by turns, one turn late, and a counter of what no such state leads to.
const MACHINE: &str = "
    ?- m(8, 8, 0).
    m(A, S, F) :- A = 8, m(S, 23, F).
    m(A, S, F) :- A = 23, m(S, 47, F).
    m(A, S, F) :- A = 47, m(S, 8, F).
    m(A, S, F) :- A =\\= 8, A =\\= 23, A =\\= 47, m(A, S, F + 1).";

#[test]
fn what_one_step_does_not_show_is_proved_by_several() {
    let without_faults = |inference: &Inference| {
        let found = inference.places[0].invariants.iter();
        let mut found = found.filter(|found| inference.text(&inference.places[0], found, Notation::Clp) == "F = 0");
        found.next().map(|found| (found.status, found.induction_depth))
    };
    for induction_depth in 1..=3 {
        let options = Options {
            induction_depth,
            ..Options::default()
        };
        let inference = inferred(MACHINE, &options);
        let (status, depth) = without_faults(&inference).expect("it is found");
        assert_eq!(status == Status::Proved, induction_depth == 3, "{status:?}");
        assert_eq!(depth, if induction_depth == 3 { 3 } else { 0 });
        assert!(inference.check(CheckLimits::default()).is_ok());
    }
}

/// A random machine: a state with few values that are far apart, perhaps delayed, and a counter in the other cases.
fn random_machine(random: &mut Generator) -> String {
    let values = [5, 11, 23, 47];
    let value = |random: &mut Generator| values[random.below(3) as usize];
    let delayed = random.below(2) == 0;
    let mut rules = vec![format!("?- m({}, {}, 0).", value(random), value(random))];
    let mut others = String::new();
    for state in &values[..3] {
        let next = match random.below(8) {
            0 => "A + 3".to_string(),
            _ => value(random).to_string(),
        };
        let arguments = if delayed {
            format!("S, {next}")
        } else {
            format!("{next}, A")
        };
        rules.push(format!("m(A, S, F) :- A = {state}, m({arguments}, F)."));
        others.push_str(&format!("A =\\= {state}, "));
    }
    let step = random.below(3);
    rules.push(format!("m(A, S, F) :- {others}m(S, A + {step}, F + 1)."));
    rules.join("\n")
}

#[test]
fn nothing_proved_is_violated_by_runs_of_random_machines() {
    let mut random = Generator(7);
    let mut deeper = 0;
    for round in 0..30 {
        let source = random_machine(&mut random);
        let options = Options {
            runs: 20,
            // So few that much is not refuted before it is tried.
            symbolic_states: 3,
            ..Options::default()
        };
        let inference = inferred(&source, &options);
        let found = violations(&inference, 1000 + round);
        assert!(found.is_empty(), "{source}\n{found:?}");
        assert!(inference.check(CheckLimits::default()).is_ok(), "{source}");
        deeper += usize::from(inference.induction_depth > 1);
    }
    assert!(deeper > 2, "{deeper} machines needed more than one step");
}

/// Where Z3's addresses are decides how it orders equations between products; without a limit it answered or went on for ever by chance.
#[test]
fn checking_equations_between_products_comes_to_an_end() {
    let source = "
        ?- m(11, 23, 0).
        m(A, S, F) :- A = 5, m(S, 11, F).
        m(A, S, F) :- A = 11, m(S, A + 3, F).
        m(A, S, F) :- A = 23, m(S, 5, F).
        m(A, S, F) :- A =\\= 5, A =\\= 11, A =\\= 23, m(S, A, F + 1).";
    let options = Options {
        runs: 20,
        symbolic_states: 3,
        ..Options::default()
    };
    let inference = inferred(source, &options);
    // A failure is to be one, and no check that goes on for ever.
    let budget = Budget {
        time: Some(Duration::from_secs(120)),
        ..Budget::default()
    };
    let cancellation = Cancellation::default();
    let watch = BudgetWatch::start(&budget, &cancellation);
    for _ in 0..8 {
        let limits = CheckLimits {
            watch: Some(&watch),
            ..CheckLimits::default()
        };
        assert!(inference.check(limits).is_ok());
    }
}
