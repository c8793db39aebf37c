//! Tests of the meaning of texts: the rules they are read as.

use crate::clp::read;
use crate::diagnostics::{Severity, render};
use crate::rules::{PredicateId, Program};
use crate::terms::{Sort, SortId, TermId};
use num_traits::Signed;

fn program(source: &str) -> Program {
    let reading = read(source);
    let remarks = render(&reading.diagnostics, "test.clp", source);
    reading.product.unwrap_or_else(|| panic!("{source}\n{remarks}"))
}

/// The constraint of the query of `?- constraint, p.`
fn constraint(source: &str) -> String {
    let program = program(&format!(":- sort p. ?- {source}, p."));
    let formulas: Vec<String> = program.rules()[0]
        .constraint
        .iter()
        .map(|formula| program.terms.display(*formula).to_string())
        .collect();
    formulas.join(" & ")
}

fn sorts(program: &Program, name: &str) -> Vec<SortId> {
    let predicate = program
        .predicates()
        .iter()
        .find(|predicate| predicate.name == name)
        .expect("the predicate");
    predicate
        .parameters
        .iter()
        .map(|parameter| program.terms.sort(*parameter))
        .collect()
}

#[test]
fn rules_become_transitions() {
    let program = program(
        "?- X >= 0, p(1, X).
         p(1, X) :- X < 3, p(2, X + 1).
         p(2, X) :-
             X > 5, error.
         p(2, _).",
    );
    assert_eq!(program.rules().len(), 4);
    let labels: Vec<String> = (2..program.predicates().len())
        .map(|index| program.predicate_label(PredicateId::from_index(index)))
        .collect();
    assert_eq!(labels, ["p(1)", "p(2)"]);
    let [query, first, second, fact] = program.rules() else {
        panic!("four rules")
    };
    assert_eq!(query.head.predicate, PredicateId::QUERY);
    assert_eq!(program.rule_text(first), "p(1, X) :- X =< 2, p(2, X + 1).");
    assert_eq!(second.body[0].predicate, PredicateId::ERROR);
    assert!(fact.body.is_empty() && fact.constraint.is_empty());
    let places: Vec<(u32, u32)> = program
        .rules()
        .iter()
        .filter_map(|rule| rule.location)
        .map(|place| (place.line, place.column))
        .collect();
    assert_eq!(places, [(1, 1), (2, 10), (3, 10), (5, 10)]);
}

#[test]
fn program_points_are_integers_wherever_the_predicate_occurs() {
    let points = program("?- p(007, X), X > 0. p(7, X) :- p(-1, X).");
    let found: Vec<Option<&str>> = points.predicates()[2..]
        .iter()
        .map(|predicate| predicate.point.as_deref())
        .collect();
    assert_eq!(found, [Some("7"), Some("-1")]);
    let ordinary = program("?- p(1, 2). p(X, Y) :- X < Y, p(X + 1, Y).");
    assert_eq!(ordinary.predicates()[2].parameters.len(), 2);
    assert_eq!(ordinary.predicates()[2].point, None);
}

#[test]
fn parameters_are_called_as_in_the_first_head() {
    let program = program("?- p(1, 2, 3, 4, 5). p(X, X, 3, _Y, A) :- p(X, A, A, 1, 1). q(Z) :- error.");
    let names: Vec<&str> = program.predicates()[2]
        .parameters
        .iter()
        .map(|parameter| program.terms.variable_name(*parameter))
        .collect();
    assert_eq!(names, ["X", "B", "C", "D", "A"]);
}

#[test]
fn constraints_mean_what_they_say() {
    for (source, expected) in [
        ("X #< 3", "X =< 2"),
        ("X is 3", "X = 3"),
        ("X =\\= 3", "X \\= 3"),
        ("X #\\= 3", "X \\= 3"),
        ("X >= 0, \\+ (X > 1, X < 5)", "X >= 0 & X =< 1 ; X >= 5"),
        ("(X < 1 ; X > 5)", "X =< 0 ; X >= 6"),
        ("X - 2*X + 3 - 1 = 0*Y", "X = 2"),
        ("7 div -2 = X", "X = -3"),
        ("-7 mod 2 = X", "X = 1"),
        ("X = 1.0/3.0", "X = 1.0/3.0"),
        ("X / 2 = 1", "X = 2.0"),
        ("X = 10/4", "X = 2.5"),
        ("X = abs(-3) + min(1, 2) + max(1, 2)", "X = 6"),
        ("X = ite(1 < 2, 3, 4)", "X = 3"),
        ("X = floor(2.5)", "X = 2"),
        ("X = real(2) + 0.5", "X = 2.5"),
        ("X = store(constant(0), 3, 7)[3]", "X = 7"),
        ("X = select(constant(5), Y)", "X = 5"),
        ("B = true, C = false", "B & \\+ C"),
        ("B = (X > 1)", "B = (X >= 2)"),
        ("X = 00012345678901234567890", "X = 12345678901234567890"),
        ("sort(X, real) = 1", "X = 1.0"),
        ("A = B, sort(A, array(real, bool)) = A", "A = B"),
        ("true, 1 < 2", ""),
        ("1 > 2", "false"),
    ] {
        assert_eq!(constraint(source), expected, "{source}");
    }
}

#[test]
fn sorts_come_from_wherever_they_are_known() {
    let program = program(
        "?- p(A, B, C, D).
         p(A, B, C, D) :- A[C + 0.5] = 1, \\+ B, p(A, B, C, D).
         p(_, B, _, D) :- q(B, D).
         q(B, D) :- D = D, B, error.",
    );
    let found = sorts(&program, "p");
    assert_eq!(
        program.terms.sort_of_id(found[0]),
        Sort::Array(SortId::REAL, SortId::INT)
    );
    assert_eq!(found[1..], [SortId::BOOL, SortId::REAL, SortId::INT]);
    assert_eq!(sorts(&program, "q"), [SortId::BOOL, SortId::INT]);
}

#[test]
fn anonymous_variables_are_different() {
    let program = program("?- p(_, _). p(X, Y) :- X > Y, error.");
    let goal = &program.rules()[0].body[0];
    assert_ne!(goal.arguments[0], goal.arguments[1]);
    assert_eq!(program.atom_text(goal), "p(_1, _2)");
}

#[test]
fn long_chains_cost_no_more_than_their_length() {
    let count = 20_000;
    let variables: Vec<String> = (0..count).map(|index| format!("X{index}")).collect();
    for (operator, limit) in [(" + ", 3 * count), ("*", 3 * count)] {
        let source = format!(":- sort p. ?- {} = 1, p.", variables.join(operator));
        let program = program(&source);
        assert!(
            program.terms.len() < limit + 10 * count,
            "{operator}: {} terms",
            program.terms.len()
        );
    }
    let repeated = vec!["X"; count].join("*");
    let product = program(&format!(":- sort p. ?- {repeated} = 1, p."));
    assert!(product.terms.len() < 200);
    for connective in [", ", " ; "] {
        let parts: Vec<String> = variables.iter().map(|name| format!("{name} > 0")).collect();
        let source = format!(":- sort p. ?- ({}), p.", parts.join(connective));
        assert!(read(&source).product.is_some());
    }
}

#[test]
fn warnings_do_not_prevent_reading() {
    let reading = read("?- p(X). p(X) :- Y > 0, error. dead(X) :- X > 0, dead(X - 1).");
    let messages: Vec<(&str, Severity)> = reading
        .diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.message.as_str(), diagnostic.severity))
        .collect();
    assert!(reading.product.is_some());
    assert_eq!(
        messages,
        [
            ("the variable `Y` occurs only once", Severity::Warning),
            ("`dead` is never reached", Severity::Warning),
        ]
    );
}

#[test]
fn numbers_are_read_exactly() {
    let program = program(":- sort p(real, int). ?- p(0.125, -340282366920938463463374607431768211456).");
    let goal = &program.rules()[0].body[0];
    let value = |term: TermId| program.terms.number_value(term).cloned().expect("a number");
    assert_eq!(value(goal.arguments[0]).to_string(), "1/8");
    assert!(value(goal.arguments[1]).is_negative());
    assert_eq!(
        program.atom_text(goal),
        "p(0.125, -340282366920938463463374607431768211456)"
    );
}

#[test]
fn deeply_nested_input_fits_a_small_stack() {
    let shapes = [
        ("(B ; C, D = E + F*-(", "))"),
        ("ite(X > 0, 1 + 2*abs(", "), 3)"),
        ("\\+ (B, (C ; ", "))"),
    ];
    let run = move || {
        for (open, close) in shapes {
            // As deep as the parser allows: halve until it does.
            let mut levels = 256;
            loop {
                let nested = format!("{}X{}", open.repeat(levels), close.repeat(levels));
                let reading = read(&format!(":- sort p. ?- X = {nested}, p."));
                if reading
                    .diagnostics
                    .iter()
                    .all(|diagnostic| diagnostic.message != "nesting too deep")
                {
                    break;
                }
                levels = levels * 9 / 10;
            }
            assert!(levels >= 60);
        }
    };
    let thread = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(run)
        .expect("a thread");
    assert!(thread.join().is_ok());
}
