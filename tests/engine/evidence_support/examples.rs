//! Programs with hand-written certificates, each in a safe and in an unsafe variant that differ in one number.

use super::{Builder, certificate};
use clausal::evidence::Certificate;
use clausal::rules::{PredicateId, Program};
use clausal::terms::{Rational, SortId};

pub struct Example {
    pub name: &'static str,
    pub program: Program,
    pub certificate: Certificate,
}

/// A predicate and the disjuncts of its invariant, as formulas over its parameters.
type Annotation = (PredicateId, &'static [&'static [&'static str]]);

type Make = fn(bool) -> (Program, Vec<Annotation>);

/// All examples; the certificates of the unsafe variants are those of the safe ones.
pub fn examples(safe: bool) -> Vec<Example> {
    let all: [(&'static str, Make); 7] = [
        ("counter", counter),
        ("lockstep", lockstep),
        ("flag", flag),
        ("reals", reals),
        ("array", array),
        ("implication", implication),
        ("parity", parity),
    ];
    let make = |(name, make): &(&'static str, Make)| {
        let (program, invariants) = make(safe);
        let certificate = certificate(&program, &invariants);
        Example {
            name,
            program,
            certificate,
        }
    };
    all.iter().map(make).collect()
}

/// `?- p(0).  p(X) :- X < 6, p(X + 1).  p(X) :- X > 6, error.`
fn counter(safe: bool) -> (Program, Vec<Annotation>) {
    let mut b = Builder::new();
    let p = b.predicate("p", &[("X", SortId::INT)]);
    let x = b.variable("X", SortId::INT);
    let zero = b.integer(0);
    b.query((p, &[zero]), &[]);
    let next = b.plus(x, 1);
    let guard = b.compare(x, "<", 6);
    b.rule((p, &[x]), &[guard], (p, &[next]));
    let bad = b.compare(x, ">", if safe { 6 } else { 5 });
    b.error_if((p, &[x]), &[bad]);
    (b.program, vec![(p, &[&["(<= X 6)"]])])
}

/// `?- p(0, 0).  p(X, Y) :- p(X + 1, Y + 1).  p(X, Y) :- X >= 2, q(Y, X).  q(X, Y) :- X \= Y, error.`
fn lockstep(safe: bool) -> (Program, Vec<Annotation>) {
    let mut b = Builder::new();
    let parameters = [("X", SortId::INT), ("Y", SortId::INT)];
    let (p, q) = (b.predicate("p", &parameters), b.predicate("q", &parameters));
    let (x, y) = (b.variable("X", SortId::INT), b.variable("Y", SortId::INT));
    let zero = b.integer(0);
    b.query((p, &[zero, zero]), &[]);
    let (x_next, y_next) = (b.plus(x, 1), b.plus(y, if safe { 1 } else { 2 }));
    b.rule((p, &[x, y]), &[], (p, &[x_next, y_next]));
    let done = b.compare(x, ">=", 2);
    b.rule((p, &[x, y]), &[done], (q, &[y, x]));
    let different = b.program.terms.not_equal(x, y);
    b.error_if((q, &[x, y]), &[different]);
    (b.program, vec![(p, &[&["(= X Y)", "(>= X 0)"]]), (q, &[&["(= X Y)"]])])
}

/// `?- p(0, 0).  p(0, X) :- p(1, X + 4).  p(1, X) :- p(0, X - 4).  p(0, X) :- X \= 0, error.`
fn flag(safe: bool) -> (Program, Vec<Annotation>) {
    let mut b = Builder::new();
    let p = b.predicate("p", &[("F", SortId::INT), ("X", SortId::INT)]);
    let x = b.variable("X", SortId::INT);
    let (zero, one) = (b.integer(0), b.integer(1));
    b.query((p, &[zero, zero]), &[]);
    let (up, down) = (b.plus(x, 4), b.plus(x, if safe { -4 } else { -3 }));
    b.rule((p, &[zero, x]), &[], (p, &[one, up]));
    b.rule((p, &[one, x]), &[], (p, &[zero, down]));
    let bad = b.compare(x, "!=", 0);
    b.error_if((p, &[zero, x]), &[bad]);
    (
        b.program,
        vec![(p, &[&["(= F 0)", "(= X 0)"], &["(= F 1)", "(= X 4)"]])],
    )
}

/// `?- p(0.0).  p(R) :- R < 1, p(0.5*R + 0.25).  p(R) :- R >= 0.75, error.`
fn reals(safe: bool) -> (Program, Vec<Annotation>) {
    let mut b = Builder::new();
    let p = b.predicate("p", &[("R", SortId::REAL)]);
    let r = b.variable("R", SortId::REAL);
    let terms = &mut b.program.terms;
    let mut real = |numerator: i64, denominator: i64| terms.real(Rational::new(numerator.into(), denominator.into()));
    let (zero, quarter, half) = (real(0, 1), real(1, 4), real(1, 2));
    let limit = if safe { real(3, 4) } else { quarter };
    let scaled = terms.multiply(half, r);
    let next = terms.add(scaled, quarter);
    let bad = terms.less_or_equal(limit, r);
    b.query((p, &[zero]), &[]);
    let guard = b.compare(r, "<", 1);
    b.rule((p, &[r]), &[guard], (p, &[next]));
    b.error_if((p, &[r]), &[bad]);
    (b.program, vec![(p, &[&["(<= R (/ 1.0 2.0))"]])])
}

/// `?- p(A, 0).  p(A, I) :- I < 3, p(store(A, I, 1), I + 1).  p(A, I) :- I > 0, A[0] \= 1, error.`
fn array(safe: bool) -> (Program, Vec<Annotation>) {
    let mut b = Builder::new();
    let sort = b.program.terms.array_sort(SortId::INT, SortId::INT);
    let p = b.predicate("p", &[("A", sort), ("I", SortId::INT)]);
    let (a, i) = (b.variable("A", sort), b.variable("I", SortId::INT));
    let (zero, value) = (b.integer(0), b.integer(if safe { 1 } else { 2 }));
    b.query((p, &[a, zero]), &[]);
    let stored = b.program.terms.store(a, i, value);
    let (guard, next) = (b.compare(i, "<", 3), b.plus(i, 1));
    b.rule((p, &[a, i]), &[guard], (p, &[stored, next]));
    let first = b.program.terms.select(a, zero);
    let (started, bad) = (b.compare(i, ">", 0), b.compare(first, "!=", 1));
    b.error_if((p, &[a, i]), &[started, bad]);
    (
        b.program,
        vec![(p, &[&["(= I 0)"], &["(>= I 1)", "(= (select A 0) 1)"]])],
    )
}

/// `?- p(false, X).  p(B, X) :- X > 0, p(true, X).  p(true, X) :- p(true, X + 1).  p(B, X) :- B, X =< 0, error.`
fn implication(safe: bool) -> (Program, Vec<Annotation>) {
    let mut b = Builder::new();
    let p = b.predicate("p", &[("B", SortId::BOOL), ("X", SortId::INT)]);
    let (flag, x) = (b.variable("B", SortId::BOOL), b.variable("X", SortId::INT));
    let (yes, no) = (b.program.terms.boolean(true), b.program.terms.boolean(false));
    b.query((p, &[no, x]), &[]);
    let positive = b.compare(x, ">", if safe { 0 } else { -1 });
    b.rule((p, &[flag, x]), &[positive], (p, &[yes, x]));
    let next = b.plus(x, 1);
    b.rule((p, &[yes, x]), &[], (p, &[yes, next]));
    let bad = b.compare(x, "<=", 0);
    b.error_if((p, &[flag, x]), &[flag, bad]);
    (b.program, vec![(p, &[&["(or (not B) (> X 0))"]])])
}

/// `?- p(0).  p(X) :- p(X + 2).  p(X) :- X mod 2 = 1, error.`
fn parity(safe: bool) -> (Program, Vec<Annotation>) {
    let mut b = Builder::new();
    let p = b.predicate("p", &[("X", SortId::INT)]);
    let x = b.variable("X", SortId::INT);
    let (zero, two) = (b.integer(0), b.integer(2));
    b.query((p, &[zero]), &[]);
    let next = b.plus(x, if safe { 2 } else { 3 });
    b.rule((p, &[x]), &[], (p, &[next]));
    let remainder = b.program.terms.modulo(x, two);
    let odd = b.compare(remainder, "=", 1);
    b.error_if((p, &[x]), &[odd]);
    (b.program, vec![(p, &[&["(= (mod X 2) 0)"]])])
}
