//! Tests of the syntax tree: precedence, limits, recovery.

use super::*;

/// The tree of a constraint, fully parenthesized.
fn tree(source: &str) -> String {
    let arena = Bump::new();
    let text = format!("?- {source}, p.");
    let parsed = parse(&text, &arena);
    assert!(parsed.diagnostics.is_empty(), "{source}: {:?}", parsed.diagnostics);
    match parsed.clauses[..] {
        [Clause::Query { body, .. }] => match body.kind {
            Kind::All([first, ..]) => show(first),
            _ => panic!("{source} is not a conjunct"),
        },
        _ => panic!("{source} is not one query"),
    }
}

fn show(expression: &Expression<'_>) -> String {
    let mut parts = Vec::new();
    expression.for_each_part(&mut |part| parts.push(show(part)));
    match expression.kind {
        Kind::Variable(name) | Kind::Integer(name) | Kind::Real(name) => name.to_string(),
        Kind::Anonymous => "_".to_string(),
        Kind::Truth(value) => value.to_string(),
        Kind::Negative(_) => format!("-{}", parts.join("")),
        Kind::Sum(all) => {
            let signed = all
                .iter()
                .zip(parts)
                .map(|((sign, _), part)| format!("{sign:?} {part}"));
            format!("({})", signed.collect::<Vec<_>>().join(" "))
        }
        Kind::Product(_, rest) => {
            let tail = rest
                .iter()
                .zip(&parts[1..])
                .map(|((factor, _), part)| format!(" {factor:?} {part}"));
            format!("({}{})", parts[0], tail.collect::<String>())
        }
        Kind::Element(..) => format!("{}[{}]", parts[0], parts[1..].join("][")),
        Kind::List(_, tail) => {
            let rest = tail
                .and_then(|_| parts.pop())
                .map_or(String::new(), |rest| format!(" | {rest}"));
            format!("[{}{rest}]", parts.join(", "))
        }
        Kind::Apply(function, _) => format!("{function:?}({})", parts.join(", ")),
        Kind::Ascription(_, sort) => format!("{} : {:?}", parts[0], sort.kind),
        Kind::Comparison(relation, ..) => format!("({} {relation:?} {})", parts[0], parts[1]),
        Kind::Not(_) => format!("not {}", parts[0]),
        Kind::All(_) => format!("all({})", parts.join(", ")),
        Kind::Any(_) => format!("any({})", parts.join(", ")),
        Kind::Atom(atom) => format!("{}<{}>", atom.name.text, parts.join(", ")),
    }
}

#[test]
fn operators_bind_as_in_prolog() {
    for (source, expected) in [
        ("X + Y*Z = 1", "((Plus X Plus (Y Times Z)) Equal 1)"),
        ("X - Y - Z =< -1", "((Plus X Minus Y Minus Z) LessOrEqual -1)"),
        ("-X*Y > 0", "((-X Times Y) Greater 0)"),
        ("X*Y div 2 mod 3 = 1", "((X Times Y IntegerDivide 2 Modulo 3) Equal 1)"),
        ("X div (2*Y) = 1", "((X IntegerDivide (2 Times Y)) Equal 1)"),
        ("\\+ X = Y", "not (X Equal Y)"),
        ("\\+ \\+ B", "not not B"),
        ("(\\+ B) = C", "(not B Equal C)"),
        ("(A, B ; C)", "any(all(A, B), C)"),
        ("(A ; B ; C)", "any(A, B, C)"),
        ("A[I + 1][2] #\\= 3", "(A[(Plus I Plus 1)][2] NotEqual 3)"),
        ("select(store(A, 1, \\+ B), 2)", "Select(Store(A, 1, not B), 2)"),
        ("sort(X, real) > 1.5", "(X : Real Greater 1.5)"),
        ("ite((A, B), 1, _) is 2", "(IfThenElse(all(A, B), 1, _) Equal 2)"),
        ("'min'(1) = 'it''s'", "(min<1> Equal it's<>)"),
        ("[] = [X, Y + 1 | f(T)]", "([] Equal [X, (Plus Y Plus 1) | f<T>])"),
        ("[A, [B | C]][1] = a", "([A, [B | C]][1] Equal a<>)"),
    ] {
        assert_eq!(tree(source), expected, "{source}");
    }
}

#[test]
fn reading_goes_on_after_a_mistake() {
    let arena = Bump::new();
    let parsed = parse(
        "p(X) :- X >, q. q(X) :- X > 1.\nr(X) :- X > 2\ns(X) :- X > 3. :- sort t(int). ?- u.",
        &arena,
    );
    assert_eq!(parsed.diagnostics.len(), 2);
    assert_eq!(parsed.clauses.len(), 4);
    assert!(parsed.uncertain.covers("p") && parsed.uncertain.covers("r") && !parsed.uncertain.covers("q"));
    assert!(parsed.has_query && !parsed.is_cut_off);
}

#[test]
fn nesting_is_limited_whatever_it_is_made_of() {
    for (open, close) in [
        ("(", ")"),
        ("-", ""),
        ("abs(", ")"),
        ("A[", "]"),
        ("[", "]"),
        ("[1 | ", "]"),
        ("p(", ")"),
        ("ite(\\+ (1 + 2*(", ")), 1, 2)"),
        ("(B ; C, D = E + F*-(", "))"),
    ] {
        let nested = |levels: usize| format!("?- {}X{}, p.", open.repeat(levels), close.repeat(levels));
        let arena = Bump::new();
        let deep = nested(100_000);
        let parsed = parse(&deep, &arena);
        let messages: Vec<&str> = parsed
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.message.as_str())
            .collect();
        assert_eq!(messages, ["nesting too deep"], "{open}");
        let fine = nested(60);
        assert!(parse(&fine, &arena).diagnostics.is_empty(), "{open}");
    }
}
