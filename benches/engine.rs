//! What the engine's single steps cost, and whole verifications: `cargo bench --bench engine`.
//!
//! The steps are those of searches that stand still in the middle (`clausal::engine::with_workbench`), of three kinds of
//! programs: a loop over a state machine, as the ssh programs of the papers are; locks that are taken and released; and
//! conditionals in a row. Criterion compares every run with the one before and says how sure it is of a difference.

use clausal::engine::{Options, verify, with_workbench};
use clausal::rules::Program;
use clausal::solver::{Answer, Layer, LinearLayer};
use clausal::terms::{SortId, TermId, Terms};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// A loop over the states of a machine; a flag counts how often it came through the middle, which it may do once.
fn machine(states: usize) -> String {
    let middle = states / 2;
    let mut rules = String::from("?- loop(0, 0).\n");
    for state in 0..states {
        let flag = if state == middle { "Flag + 1" } else { "Flag" };
        rules += &format!("loop(State, Flag) :- State = {state}, loop({}, {flag}).\n", state + 1);
        if state != middle {
            rules += &format!("loop(State, Flag) :- State = {state}, Flag > 1, error.\n");
        }
    }
    rules + &format!("loop(State, Flag) :- State = {states}, Flag > 1, error.\n")
}

/// In each turn any subset of the locks is taken, then released; none is released that was not taken.
fn locks(count: usize) -> String {
    let list = |held: &dyn Fn(usize) -> String| {
        let wanted = (0..count).map(|lock| format!("P{lock}"));
        wanted.chain((0..count).map(held)).collect::<Vec<String>>().join(", ")
    };
    let kept = list(&|lock| format!("L{lock}"));
    let with = |changed: usize, value: &str| {
        list(&|lock| match lock == changed {
            true => value.to_string(),
            false => format!("L{lock}"),
        })
    };
    let mut rules = format!("?- turn.\nturn :- take0({}).\n", list(&|_| "0".to_string()));
    for lock in 0..count {
        let next = if lock + 1 < count {
            format!("take{}", lock + 1)
        } else {
            "release0".to_string()
        };
        rules += &format!("take{lock}({kept}) :- P{lock} =\\= 0, {next}({}).\n", with(lock, "1"));
        rules += &format!("take{lock}({kept}) :- P{lock} = 0, {next}({kept}).\n");
    }
    for lock in 0..count {
        let next = |arguments: &str| match lock + 1 < count {
            true => format!("release{}({arguments})", lock + 1),
            false => "turn".to_string(),
        };
        rules += &format!("release{lock}({kept}) :- P{lock} =\\= 0, L{lock} =\\= 1, error.\n");
        rules += &format!(
            "release{lock}({kept}) :- P{lock} =\\= 0, L{lock} = 1, {}.\n",
            next(&with(lock, "0"))
        );
        rules += &format!("release{lock}({kept}) :- P{lock} = 0, {}.\n", next(&kept));
    }
    rules
}

/// `X` grows by one or stays, `count` times; it cannot exceed `count`.
fn diamonds(count: usize) -> String {
    let mut rules = String::from("?- p0(0).\n");
    for step in 0..count {
        rules += &format!("p{step}(X) :- Choice > 0, p{}(X + 1).\n", step + 1);
        rules += &format!("p{step}(X) :- Choice =< 0, p{}(X).\n", step + 1);
    }
    rules + &format!("p{count}(X) :- X > {count}, error.\n")
}

fn read(rules: &str) -> Program {
    clausal::clp::read(rules)
        .product
        .expect("the generators write correct rules")
}

/// The programs whose searches are stopped after some of their states.
fn searches() -> [(&'static str, Program, u64); 3] {
    [
        ("machine", read(&machine(20)), 400),
        ("locks", read(&locks(8)), 200),
        ("diamonds", read(&diamonds(80)), 150),
    ]
}

fn steps(criterion: &mut Criterion) {
    for (name, program, states) in searches() {
        let measured = with_workbench(&program, &Options::default(), states, |bench| {
            criterion.bench_function(&format!("reduce/{name}"), |timer| {
                timer.iter(|| black_box(bench.reduce()))
            });
            criterion.bench_function(&format!("subsume/{name}"), |timer| {
                timer.iter(|| black_box(bench.subsume()))
            });
            if bench.interpolate().is_some() {
                criterion.bench_function(&format!("interpolate/{name}"), |timer| {
                    timer.iter(|| black_box(bench.interpolate()));
                });
            }
            criterion.bench_function(&format!("look up/{name}"), |timer| {
                timer.iter(|| black_box(bench.look_up()))
            });
        });
        assert!(measured.is_some(), "the search of {name} ended before {states} states");
    }
}

/// A chain `x0 < x1 < … < xn` and a bound of both ends that contradicts it, or just does not.
fn chain(terms: &mut Terms, length: i64, contradiction: bool) -> Vec<TermId> {
    let variables: Vec<TermId> = (0..=length)
        .map(|i| terms.fresh_variable(&format!("x{i}"), SortId::INT))
        .collect();
    let mut formulas: Vec<TermId> = variables.windows(2).map(|pair| terms.less(pair[0], pair[1])).collect();
    let bound = terms.integer(if contradiction { length - 1 } else { length });
    let end = terms.add(variables[0], bound);
    formulas.push(terms.less_or_equal(variables[variables.len() - 1], end));
    formulas
}

fn simplex(criterion: &mut Criterion) {
    for length in [5, 20, 80] {
        for (name, contradiction, expected) in [
            ("satisfiable", false, Answer::Satisfiable),
            ("unsatisfiable", true, Answer::Unsatisfiable),
        ] {
            let mut terms = Terms::new();
            let formulas = chain(&mut terms, length, contradiction);
            criterion.bench_with_input(
                BenchmarkId::new(format!("simplex/{name}"), length),
                &length,
                |timer, _| {
                    timer.iter(|| {
                        let mut layer = LinearLayer::default();
                        for formula in &formulas {
                            layer.assume(&terms, *formula);
                        }
                        let answer = layer.check(&terms);
                        assert_eq!(answer, expected);
                    });
                },
            );
        }
    }
}

fn whole_programs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verify");
    group.sample_size(10);
    for (name, rules) in [
        ("machine", machine(20)),
        ("locks", locks(8)),
        ("diamonds", diamonds(80)),
    ] {
        let program = read(&rules);
        group.bench_function(name, |timer| timer.iter(|| verify(&program, &Options::default())));
    }
    group.finish();
}

criterion_group!(benches, steps, simplex, whole_programs);
criterion_main!(benches);
