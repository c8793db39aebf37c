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

/// The query's constraint of a program, as it is displayed, and the sort of the first predicate's first parameter.
fn of_terms(source: &str) -> (String, String) {
    let program = program(source);
    let formulas = program.rules()[0].constraint.iter();
    let formulas: Vec<String> = formulas
        .map(|formula| program.terms.display(*formula).to_string())
        .collect();
    let sort = program.predicates().get(2).and_then(|first| first.parameters.first());
    let sort = sort.map_or(String::new(), |first| {
        crate::clp::sorts::sort_text(&program.terms, program.terms.sort(*first))
    });
    (formulas.join(" & "), sort)
}

#[test]
fn terms_are_compared_part_by_part() {
    let declared = ":- type tree ---> leaf ; node(left: tree, int, tree).\n?- ";
    for (constraint, expected) in [
        (
            "T = node(leaf, X, T2), T = node(A, 3, B), p(T)",
            "node(leaf, X, T2) = T & node(A, 3, B) = T",
        ),
        (
            "node(leaf, X, T) = node(A, 3, B), p(T), X = 3",
            "leaf = A & X = 3 & T = B & X = 3",
        ),
        ("node(A, 1, _) = leaf, p(A)", "false"),
        ("T = leaf, \\+ is_node(T), p(T)", "T = leaf & \\+ is_node(T)"),
        ("left(T) \\= T, node_2(T) > 3, p(T)", "T \\= left(T) & node_2(T) >= 4"),
    ] {
        let (found, sort) = of_terms(&format!("{declared}{constraint}.\np(leaf).\n"));
        let sorted = |text: &str| {
            let mut parts: Vec<String> = text.split(" & ").map(str::to_string).collect();
            parts.sort();
            parts
        };
        // Which side of an equality comes first is left to the table.
        let swapped = |text: &str| -> Vec<String> {
            let parts = sorted(text).into_iter().map(|part| match part.split_once(" = ") {
                Some((left, right)) if right < left => format!("{right} = {left}"),
                _ => part,
            });
            let mut parts: Vec<String> = parts.collect();
            parts.sort();
            parts
        };
        let differs = |text: &str| text.replace("left(T) \\= T", "T \\= left(T)");
        assert_eq!(swapped(&differs(&found)), swapped(expected), "{constraint}");
        assert_eq!(sort, "tree", "{constraint}");
    }
}

#[test]
fn sorts_of_terms_are_inferred() {
    for (source, expected) in [
        ("?- p([]). p([_ | T]) :- p(T).", "list(int)"),
        ("?- p([[true] | T], T). p(_, _).", "list(list(bool))"),
        ("?- p([red, X], X). p(_, green).", "list(red_sort)"),
        ("?- p(A), A[blue] = [1.5]. p(_).", "array(blue_sort, list(real))"),
        ("?- p(next(X)). p(next(zero)). p(X) :- p(next(X)).", "next_sort"),
        (":- type box ---> box(list(box)). ?- p(box([])). p(_).", "box"),
        (
            ":- pred p(list(array(bool, real))). ?- p(_). p(_).",
            "list(array(bool, real))",
        ),
    ] {
        assert_eq!(of_terms(source).1, expected, "{source}");
    }
}

#[test]
fn long_and_deep_terms_need_no_stack() {
    let run = || {
        let elements = vec!["1"; 100_000].join(", ");
        let long = program(&format!("?- p([{elements}]). p([_ | T]) :- p(T). p([]) :- error."));
        let text = crate::clp::print(&long);
        assert!(text.contains("?- p([1, 1, 1, 1, "), "{} bytes", text.len());
        assert_eq!(crate::clp::print(&program(&text)), text);
        // Variables bound to each other make sorts as deep as the text is long.
        let chain: Vec<String> = (0..3_000).map(|index| format!("X{} = [X{index}]", index + 1)).collect();
        let reading = read(&format!("?- {}, p(X0, X3000). p(_, _).", chain.join(", ")));
        assert!(reading.product.is_none());
        let pairs: Vec<String> = (0..60)
            .map(|index| format!("X{} = f{index}(X{index}, X{index})", index + 1))
            .collect();
        assert!(
            read(&format!("?- {}, p(X60). p(_).", pairs.join(", ")))
                .product
                .is_some()
        );
        let types: Vec<String> = (0..900)
            .map(|index| format!(":- type t{index} ---> e{index} ; c{index}(t{}).", index + 1))
            .collect();
        let all = format!(
            "{}\n:- type t900 ---> z.\n?- p(e0). p(c0(_)) :- error.",
            types.join("\n")
        );
        assert!(read(&all).product.is_some());
    };
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .expect("a thread");
    assert!(thread.join().is_ok());
}
