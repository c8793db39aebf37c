//! Random small programs with loops, for the properties that seed 002's theorems are tested as: loops in a row, a loop with two
//! ways through it, and a loop in a loop.

use proptest::prelude::*;

/// A loop of two locations: how its variables change, and what keeps it going at each of them.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    guards: [usize; 2],
    updates: [usize; 2],
    constants: [i64; 4],
}

pub(super) fn loops() -> impl Strategy<Value = Vec<Loop>> {
    let one = (
        [0..6usize, 0..6usize],
        [0..7usize, 0..7usize],
        [1..4i64, -2..5i64, -3..4i64, -2..3i64],
    );
    let one = one.prop_map(|(guards, updates, constants)| Loop {
        guards,
        updates,
        constants,
    });
    proptest::collection::vec(one, 1..3)
}

pub(super) fn text(loops: &[Loop]) -> String {
    let mut text = String::from("?- I >= -3, I =< 9, J >= -3, J =< 9, h0(I, J, N, A).\n");
    for (position, one) in loops.iter().enumerate() {
        let [c, d, e, f] = one.constants;
        let next = match position + 1 == loops.len() {
            true => "done".to_string(),
            false => format!("h{}", position + 1),
        };
        let update = |which: usize, name: &str, other: &str| match which {
            0 => name.to_string(),
            1 => format!("{name} + {c}"),
            2 => format!("{name} - {c}"),
            3 => e.to_string(),
            4 => format!("{other} + {f}"),
            5 => format!("-{name}"),
            _ => format!("{name} + {other}"),
        };
        let guard = |which: usize| match which {
            0 => ("I < N".to_string(), "I >= N".to_string()),
            1 => (format!("J \\= {d}"), format!("J = {d}")),
            2 => ("A[I] \\= N".to_string(), "A[I] = N".to_string()),
            3 => (format!("I + J =< {d}"), format!("I + J > {d}")),
            4 => (format!("J > {d}"), format!("J =< {d}")),
            _ => ("I =< 20".to_string(), "I > 20".to_string()),
        };
        let (first, second) = (guard(one.guards[0]), guard(one.guards[1]));
        let (i, j) = (update(one.updates[0], "I", "J"), update(one.updates[1], "J", "I"));
        text.push_str(&format!(
            "h{position}(I, J, N, A) :- {}, m{position}(I, J, N, A).\n\
             h{position}(I, J, N, A) :- {}, {next}(I, J, N, A).\n\
             m{position}(I, J, N, A) :- {}, h{position}({i}, {j}, N, A).\n\
             m{position}(I, J, N, A) :- {}, {next}(I, J, N, A).\n",
            first.0, first.1, second.0, second.1
        ));
    }
    text.push_str("done(I, J, N, A).\n");
    text
}

/// A loop with two ways through it: which is taken, and what each does to the two variables.
#[derive(Clone, Debug)]
pub(super) struct TwoWays {
    guard: usize,
    first: usize,
    steps: [i64; 2],
    updates: [usize; 2],
    constants: [i64; 3],
}

pub(super) fn two_ways() -> impl Strategy<Value = TwoWays> {
    let parts = (
        0..6usize,
        0..2usize,
        [0..4i64, 0..4i64],
        [0..6usize, 0..6usize],
        [1..4i64, -2..6i64, -3..4i64],
    );
    parts.prop_map(|(guard, first, steps, updates, constants)| TwoWays {
        guard,
        first,
        steps,
        updates,
        constants,
    })
}

pub(super) fn text_of_ways(ways: &TwoWays) -> String {
    let [c, d, e] = ways.constants;
    let (guard, otherwise) = match ways.guard {
        0 => ("I < M".to_string(), "I >= M".to_string()),
        1 => (format!("I =< {d}"), format!("I > {d}")),
        2 => (format!("I + J =< {d}"), format!("I + J > {d}")),
        3 => (format!("J \\= {d}"), format!("J = {d}")),
        4 => ("2*I < M + N".to_string(), "2*I >= M + N".to_string()),
        _ => (format!("J > {d}"), format!("J =< {d}")),
    };
    let stays = match ways.first {
        0 => ("I < N", "I >= N"),
        _ => ("I + J < N", "I + J >= N"),
    };
    let way = |which: usize| {
        let step = ways.steps[which];
        let second = match ways.updates[which] {
            0 => "J".to_string(),
            1 => format!("J + {c}"),
            2 => format!("J - {c}"),
            3 => e.to_string(),
            4 => "J + I".to_string(),
            _ => "-J".to_string(),
        };
        format!("h(I + {step}, {second}, N, M)")
    };
    format!(
        "?- I >= -3, I =< 9, J >= -3, J =< 9, h(I, J, N, M).\n\
         h(I, J, N, M) :- {}, m(I, J, N, M).\n\
         h(I, J, N, M) :- {}, done(I, J, N, M).\n\
         m(I, J, N, M) :- {guard}, {}.\n\
         m(I, J, N, M) :- {otherwise}, {}.\n\
         done(I, J, N, M).\n",
        stays.0,
        stays.1,
        way(0),
        way(1)
    )
}

/// A loop in a loop, small enough for the classic tree to be finite: how the inner one starts, how long it runs, what both do to S,
/// and how it is left.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    start: usize,
    bound: usize,
    updates: [usize; 2],
    constants: [i64; 2],
    exit: usize,
}

pub(super) fn nested() -> impl Strategy<Value = Nested> {
    let parts = (
        0..3usize,
        0..6usize,
        [0..4usize, 0..3usize],
        [1..4i64, -2..3i64],
        0..4usize,
    );
    parts.prop_map(|(start, bound, updates, constants, exit)| Nested {
        start,
        bound,
        updates,
        constants,
        exit,
    })
}

pub(super) fn text_of_nested(nested: &Nested) -> String {
    let [c, d] = nested.constants;
    let start = ["0", "I", "M - 2"][nested.start];
    let (left, right) = [
        ("J", "M"),
        ("J", "I + 1"),
        ("J", "3"),
        ("2*J", "M + 1"),
        ("J + I", "M"),
        ("J", "N"),
    ][nested.bound];
    let inner = [
        "S".to_string(),
        format!("S + {d}"),
        "S + J".to_string(),
        "S + M".to_string(),
    ];
    let outer = ["S".to_string(), "S + J".to_string(), format!("S - {d}")];
    let (stays, leaves) = match nested.exit {
        0 | 1 => (format!("{left} < {right}"), vec![format!("{left} >= {right}")]),
        2 => (
            format!("{left} < {right}, N > 1"),
            vec![format!("{left} >= {right}"), format!("{left} < {right}, N =< 1")],
        ),
        // Left before it has to be.
        _ => (format!("{left} < {right}"), vec![format!("{left} >= {right} - 1")]),
    };
    let (inner, outer) = (&inner[nested.updates[0]], &outer[nested.updates[1]]);
    let mut text = format!(
        "?- I >= 0, I =< 1, N =< 3, M >= -1, M =< 3, h(I, S, N, M).\n\
         h(I, S, N, M) :- I < N, k(I, {start}, S, N, M).\n\
         k(I, J, S, N, M) :- {stays}, k(I, J + {c}, {inner}, N, M).\n\
         h(I, S, N, M) :- I >= N, done(I, S, N, M).\n\
         done(I, S, N, M).\n"
    );
    for leaves in leaves {
        text.push_str(&format!("k(I, J, S, N, M) :- {leaves}, h(I + 1, {outer}, N, M).\n"));
    }
    text
}
