//! What must hold for any program and any inputs: the compressed trace implies the target, contains the trace that it was made
//! of, and is not longer.

use super::support::number;
use clausal::compress::{Item, Options, Target, Trace, compress};
use clausal::execution::{End, run};
use clausal::rules::Program;
use clausal::terms::{Assignment, Value};
use proptest::prelude::*;
use std::fmt::Write;

/// A statement on the variables A, B and C, inputs R.
#[derive(Clone, Debug)]
enum Statement {
    Update(usize, String),
    Branch(String, Box<Statement>, Box<Statement>),
    Loop(i64, Vec<Statement>),
    /// Leaves the innermost loop, if there is one.
    Leave(String),
}

const VARIABLES: [&str; 3] = ["A", "B", "C"];

fn expression() -> impl Strategy<Value = String> {
    let variable = prop::sample::select(VARIABLES.to_vec());
    (variable.clone(), variable, -2i64..3, 0usize..4).prop_map(|(x, y, k, shape)| match shape {
        0 => format!("{x} + {y}"),
        1 => format!("{x} + {k}"),
        2 => format!("{x} - {y}"),
        _ => k.to_string(),
    })
}

/// A condition that depends on the variables: one that does not is no target.
fn condition() -> impl Strategy<Value = String> {
    (0usize..3, 1usize..3, -3i64..4, 0usize..4).prop_map(|(x, further, k, shape)| {
        let (x, y) = (VARIABLES[x], VARIABLES[(x + further) % 3]);
        match shape {
            0 => format!("{x} < {y}"),
            1 => format!("{x} < {k}"),
            2 => format!("{x} >= {k}"),
            _ => format!("{x} >= {y} + {k}"),
        }
    })
}

fn statement() -> impl Strategy<Value = Statement> {
    let update = (0usize..3, expression()).prop_map(|(variable, value)| Statement::Update(variable, value));
    let leaf = prop_oneof![
        4 => update,
        1 => (0usize..3).prop_map(|variable| Statement::Update(variable, "R".to_string())),
        1 => condition().prop_map(Statement::Leave),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            (condition(), inner.clone(), inner.clone()).prop_map(|(condition, yes, no)| Statement::Branch(
                condition,
                Box::new(yes),
                Box::new(no)
            )),
            (0i64..7, prop::collection::vec(inner, 1..4)).prop_map(|(bound, body)| Statement::Loop(bound, body)),
        ]
    })
}

/// Rules from place to place; I1, I2 … count the turns of loops, N is an input that some of them depend on.
struct Writer {
    rules: String,
    places: usize,
    /// Where the loops around are left.
    exits: Vec<usize>,
}

impl Writer {
    fn place(&mut self) -> usize {
        self.places += 1;
        self.places
    }

    fn goal(&self, place: usize, changes: &[(&str, &str)]) -> String {
        let all = ["A", "B", "C", "N", "I1", "I2", "I3"];
        let arguments: Vec<&str> = all
            .iter()
            .map(|name| {
                changes
                    .iter()
                    .find(|(changed, _)| changed == name)
                    .map_or(*name, |(_, value)| *value)
            })
            .collect();
        format!("p{place}({})", arguments.join(", "))
    }

    fn rule(&mut self, from: usize, condition: &str, to: usize, changes: &[(&str, &str)]) {
        let (head, body) = (self.goal(from, &[]), self.goal(to, changes));
        let _ = writeln!(self.rules, "{head} :- {condition}{body}.");
    }

    fn write(&mut self, statement: &Statement, from: usize, depth: usize) -> usize {
        match statement {
            Statement::Update(variable, value) => {
                let to = self.place();
                // The name R is not that of a parameter, so its value is an input.
                let condition = if value == "R" { "R >= -5, R =< 5, " } else { "" };
                self.rule(from, condition, to, &[(VARIABLES[*variable], value)]);
                to
            }
            Statement::Leave(condition) => {
                let Some(exit) = self.exits.last().copied() else {
                    return from;
                };
                let to = self.place();
                self.rule(from, &format!("{condition}, "), exit, &[]);
                self.rule(from, &format!("\\+ ({condition}), "), to, &[]);
                to
            }
            Statement::Branch(condition, yes, no) => {
                let (first, second) = (self.place(), self.place());
                self.rule(from, &format!("{condition}, "), first, &[]);
                self.rule(from, &format!("\\+ ({condition}), "), second, &[]);
                let (first, second) = (self.write(yes, first, depth), self.write(no, second, depth));
                let to = self.place();
                self.rule(first, "", to, &[]);
                self.rule(second, "", to, &[]);
                to
            }
            Statement::Loop(bound, body) => {
                let counter = ["I1", "I2", "I3"][depth.min(2)];
                let limit = if bound % 2 == 0 {
                    "N".to_string()
                } else {
                    bound.to_string()
                };
                let (header, inside, to) = (self.place(), self.place(), self.place());
                self.exits.push(to);
                self.rule(from, "", header, &[(counter, "0")]);
                self.rule(header, &format!("{counter} < {limit}, "), inside, &[]);
                let mut end = inside;
                for statement in body {
                    // Deeper loops would share a counter.
                    if depth < 2 || !matches!(statement, Statement::Loop(..)) {
                        end = self.write(statement, end, depth + 1);
                    }
                }
                self.exits.pop();
                let next = format!("{counter} + 1");
                self.rule(end, "", header, &[(counter, &next)]);
                self.rule(header, &format!("{counter} >= {limit}, "), to, &[]);
                to
            }
        }
    }
}

/// A program that is in the error at its end if the target holds there.
fn program_text(statements: &[Statement], target: &str) -> String {
    let mut writer = Writer {
        rules: String::new(),
        places: 0,
        exits: Vec::new(),
    };
    let mut place = 0;
    for statement in statements {
        place = writer.write(statement, place, 0);
    }
    let end = writer.goal(place, &[]);
    format!(
        "?- N >= 0, p0(0, 0, 0, N, 0, 0, 0).\n{}{end} :- {target}, error.\n",
        writer.rules
    )
}

fn read(text: &str) -> Program {
    clausal::clp::read(text)
        .product
        .unwrap_or_else(|| panic!("no mistake in it:\n{text}"))
}

/// The inputs of a run: N first, then small numbers.
fn inputs(seed: i64, turns: i64) -> impl FnMut(&clausal::execution::Request) -> Option<Value> {
    move |request| {
        Some(match request.position {
            Some(0) => number(turns),
            position => number((position.unwrap_or(0) as i64 * 7 + seed).rem_euclid(11) - 5),
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn compressed_traces_imply_the_target_and_contain_the_trace(
        statements in prop::collection::vec(statement(), 1..5),
        seed in 0i64..11,
        turns in 0i64..9,
        targets in prop::collection::vec(condition(), 6),
    ) {
        // Of each condition either it or its negation holds at the end.
        for target in targets.iter().take(2) {
            let negated = format!("\\+ ({target})");
            for target in [target, &negated] {
                let text = program_text(&statements, target);
                let program = read(&text);
                let trace = Trace::record(&program, None, &mut inputs(seed, turns), 20_000).expect("it can be run");
                if trace.end != End::Error {
                    continue;
                }
                let options = Options { states: 2_000, ..Options::default() };
                let compression = compress(&program, &trace, &Target::Error, &options)
                    .unwrap_or_else(|error| panic!("{error}\n{text}"));
                prop_assert!(compression.checked.is_some());
                prop_assert!(compression.items.len() <= compression.length);
                contains(&program, &compression, seed, turns);
            }
        }
    }
}

/// Every step of the run is a step of the compressed trace, or at an invariant that holds there.
fn contains(program: &Program, compression: &clausal::compress::Compression, seed: i64, turns: i64) {
    let finished = run(program, None, &mut inputs(seed, turns), 20_000);
    let steps = &finished.derivation.steps;
    let mut position = 0;
    for item in &compression.items {
        match item {
            Item::Step(step) => {
                assert_eq!(*step, position);
                position += 1;
            }
            Item::Invariant(number) => {
                let invariant = &compression.invariants[*number];
                assert_eq!(invariant.covers.start, position);
                let visits = invariant.covers.start..=invariant.covers.end;
                for step in steps.get(visits).unwrap_or_default() {
                    let head = &program.rule(step.rule).head;
                    if head.predicate != invariant.header {
                        continue;
                    }
                    let values: Assignment = step.values.iter().cloned().collect();
                    let parameters = program.predicate(head.predicate).parameters.iter();
                    let known: Assignment = parameters
                        .zip(&head.arguments)
                        .filter_map(|(parameter, argument)| {
                            Some((*parameter, program.terms.evaluate(*argument, &values)?))
                        })
                        .collect();
                    for formula in invariant.discovered.iter().chain(&invariant.formulas) {
                        assert_eq!(compression.terms.holds(*formula, &known), Some(true));
                    }
                }
                position = invariant.covers.end;
            }
        }
    }
    assert_eq!(position, compression.length);
}
