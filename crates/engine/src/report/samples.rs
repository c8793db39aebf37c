//! Outcomes made by hand, for the tests of the reports.

use crate::engine::{
    Ending, ExplorationTree, LoopInvariant, Mark, MarkedConstraint, Outcome, Statistics, StopReason, TreeNode, Verdict,
};
use crate::evidence::{Certificate, Derivation, Invariant, Step};
use crate::rules::{Atom, Location, PredicateId, Program, Rule};
use crate::terms::{Rational, SortId, TermId, Value};

/// Compares with `snapshots/report/NAME.snap`.
pub(super) fn assert_snapshot(name: &str, text: String) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/report");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn at(line: u32) -> Option<Location> {
    Some(Location { line, column: 1 })
}

fn error() -> Atom {
    Atom {
        predicate: PredicateId::ERROR,
        arguments: Vec::new(),
    }
}

fn number(value: i64) -> Value {
    Value::Number(Rational::from_integer(value.into()))
}

/// `loop(1, X, Y)` counts X up while Y stays; the error needs X < 0.
fn counter() -> (Program, PredicateId, TermId, TermId) {
    let mut program = Program::new();
    let head = program.add_predicate("loop", Some("1"), &[("X", SortId::INT), ("Y", SortId::INT)]);
    let unused = program.add_predicate("unused", None, &[("X", SortId::INT), ("X", SortId::REAL)]);
    let terms = &mut program.terms;
    let x = terms.fresh_variable("X", SortId::INT);
    let y = terms.fresh_variable("Y", SortId::INT);
    let z = terms.fresh_variable("Z", SortId::INT);
    let (zero, one) = (terms.integer(0), terms.integer(1));
    let next = terms.add(x, one);
    let (below, above) = (terms.less(x, y), terms.less(one, z));
    let negative = terms.less(x, zero);
    let header = |arguments: &[TermId]| Atom {
        predicate: head,
        arguments: arguments.to_vec(),
    };
    program.add_query(Vec::new(), header(&[zero, y]), at(1));
    for (constraint, body, line) in [
        (vec![below, above], vec![header(&[next, y])], 2),
        (vec![negative], vec![error()], 3),
        (Vec::new(), Vec::new(), 4),
    ] {
        program.add_rule(Rule {
            head: header(&[x, y]),
            constraint,
            body,
            location: at(line),
        });
    }
    program.add_rule(Rule {
        head: Atom {
            predicate: unused,
            arguments: vec![x, z],
        },
        constraint: Vec::new(),
        body: vec![error()],
        location: None,
    });
    (program, head, y, z)
}

fn statistics() -> Statistics {
    let mut statistics = Statistics {
        states: 12,
        infeasible: 3,
        subsumed_by_ancestor: 1,
        subsumed_by_memo: 2,
        unrollings: 1,
        depth: 7,
        interpolants: 4,
        seconds: 0.125,
        checking_seconds: 0.0625,
        ..Statistics::default()
    };
    statistics.solver.queries = 30;
    statistics.solver.syntactic.settled = 20;
    statistics.solver.linear.settled = 7;
    statistics.solver.z3.settled = 3;
    statistics
}

/// A safe outcome with one loop that was unrolled once, one disjunctive certificate, and one predicate that is never reached.
pub(super) fn safe() -> (Program, Outcome) {
    let (program, head, ..) = counter();
    let unused = PredicateId::from_index(head.index() + 1);
    let mut terms = program.terms.clone();
    let parameters = program.predicate(head).parameters.clone();
    let (zero, five) = (terms.integer(0), terms.integer(5));
    let nonnegative = terms.less_or_equal(zero, parameters[0]);
    let small = terms.less(parameters[0], five);
    let equal = terms.equal(parameters[0], parameters[1]);
    let either = terms.or(&[small, equal]);
    let certificate = Certificate::new(
        terms,
        vec![
            Invariant {
                predicate: head,
                disjuncts: vec![vec![nonnegative, either], vec![equal, nonnegative]],
            },
            Invariant {
                predicate: unused,
                disjuncts: Vec::new(),
            },
        ],
    );
    let outcome = Outcome {
        verdict: Verdict::Safe(certificate),
        statistics: statistics(),
        invariants: vec![
            LoopInvariant {
                predicate: head,
                formula: "X >= 0".to_string(),
                locked: vec!["X >= 0".to_string()],
            },
            LoopInvariant {
                predicate: head,
                formula: "X = Y".to_string(),
                locked: Vec::new(),
            },
        ],
        tree: None,
    };
    (program, outcome)
}

/// An unsafe outcome whose derivation takes `count` rounds of the loop. (The last step is not justified; reports show what
/// they are given.)
pub(super) fn counting_to(count: i64) -> (Program, Outcome) {
    let (program, head, y, z) = counter();
    let rules = program.rules_of(head).to_vec();
    let x = program.rule(rules[0]).head.arguments[0];
    let mut steps = vec![Step {
        rule: program.rules_of(PredicateId::QUERY)[0],
        values: vec![(y, number(count))],
    }];
    for round in 0..count {
        steps.push(Step {
            rule: rules[0],
            values: vec![(x, number(round)), (y, number(count)), (z, number(2 + round % 3))],
        });
    }
    steps.push(Step {
        rule: rules[1],
        values: vec![(x, number(count)), (y, number(count))],
    });
    let outcome = Outcome {
        verdict: Verdict::Unsafe(Derivation::new(steps)),
        statistics: statistics(),
        invariants: Vec::new(),
        tree: None,
    };
    (program, outcome)
}

/// An outcome without verdict.
pub(super) fn unknown(reason: StopReason) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown(reason),
        statistics: statistics(),
        invariants: Vec::new(),
        tree: None,
    }
}

/// A tree of states in a row.
pub(super) fn chain(length: usize) -> ExplorationTree {
    let nodes = (0..length).map(|index| state(index.checked_sub(1), "p(X)", 1, &["X >= 0"], Ending::Closed));
    ExplorationTree { nodes: nodes.collect() }
}

fn state(parent: Option<usize>, goal: &str, line: u32, added: &[&str], ending: Ending) -> TreeNode {
    TreeNode {
        parent,
        goal: goal.to_string(),
        predicate: goal.split('(').next().unwrap_or_default().to_string(),
        rule: String::new(),
        line: parent.map(|_| line),
        added: added.iter().map(|text| text.to_string()).collect(),
        header: None,
        ending,
        interpolant: None,
    }
}

/// The tree of seed 003's Fig. 1(b), with every kind of ending and mark.
pub(super) fn tree() -> ExplorationTree {
    let mark = |constraint: &str, mark| MarkedConstraint {
        constraint: constraint.to_string(),
        mark,
    };
    let mut nodes = vec![
        state(None, "?-", 1, &[], Ending::Closed),
        state(
            Some(0),
            "loop(Lock, Old, New)",
            1,
            &["Lock = 0", "New = Old + 1"],
            Ending::Closed,
        ),
        state(Some(1), "body(1, New, New)", 2, &["New \\= Old"], Ending::Closed),
        state(Some(2), "loop(1, New, New)", 3, &[], Ending::Closed),
        state(Some(3), "body(1, New, New)", 2, &["New \\= New"], Ending::Infeasible),
        state(Some(3), "exit(1)", 5, &["New = New"], Ending::Closed),
        state(Some(5), "error", 6, &["1 = 0"], Ending::Infeasible),
        state(
            Some(2),
            "loop(0, New, New + 1)",
            4,
            &[],
            Ending::CoveredByAncestor { by: 1 },
        ),
        state(Some(1), "exit(Lock)", 5, &["New = Old"], Ending::SpuriousError),
        state(
            Some(1),
            "exit(\"<&>\")",
            5,
            &["Old = Old + 1"],
            Ending::CoveredByMemo { by: 5 },
        ),
        state(Some(0), "done", 7, &[], Ending::Terminal),
        state(Some(0), "later", 8, &[], Ending::Abandoned),
        state(Some(0), "error", 9, &[], Ending::Error),
    ];
    nodes[1].header = Some(vec![
        mark("Lock = 0", Mark::Min),
        mark("New = Old + 1", Mark::Max),
        mark("Old >= 0", Mark::Neutral),
    ]);
    nodes[1].interpolant = Some("New = Old + 1".to_string());
    nodes[3].header = Some(vec![mark("Lock = 1", Mark::Max), mark("New = Old", Mark::Max)]);
    nodes[3].interpolant = Some("New = Old, Lock \\= 0".to_string());
    nodes[5].interpolant = Some("Lock \\= 0".to_string());
    nodes[2].rule = "body(Lock, Old, New) :- New \\= Old, loop(1, New, New).".to_string();
    ExplorationTree { nodes }
}
