//! Programs that grow too large when calls are replaced by copies of what they call: some functions stay functions then, and the
//! answers are the same.

use clausal::c::options::Options as COptions;
use clausal::c::{Translation, translate};
use clausal::engine::{Options, Outcome, Verdict};
use clausal::source_level::{Method, verify_c};
use std::fmt::Write as _;

/// A chain of functions, each of which calls the next one twice: 2ⁿ copies. `last` is the body of the last one.
fn doubling(depth: usize, last: &str, main: &str) -> String {
    let mut text = format!(
        "extern int unknown(void);\nextern void reach_error(void);\nint balance, steps;\n\
         static int f{depth}(int x) {{ {last} }}\n"
    );
    for level in (0..depth).rev() {
        let next = level + 1;
        let _ = writeln!(
            text,
            "static int f{level}(int x) {{ int r; balance++; r = f{next}(x); if (r < 0) {{ balance--; return r; }} \
             r = f{next}(r); balance--; return r; }}"
        );
    }
    text + main
}

const MAIN: &str = "int main(void) { int first = unknown(), x = unknown(); if (first < 0 || first > 1000) return 0; \
                    balance = first; f0(x); if (balance != first) reach_error(); return 0; }\n";

fn translated(text: &str, copies: usize) -> Translation {
    let options = COptions {
        copies,
        ..COptions::default()
    };
    translate(text, &options).product.expect("it is translated")
}

fn verified(text: &str, copies: usize) -> Outcome {
    let options = COptions {
        copies,
        ..COptions::default()
    };
    let found = verify_c(text, &options, Method::Automatic, &Options::default());
    found.product.expect("it is translated").outcome
}

#[test]
fn the_rules_grow_with_the_text_and_not_with_the_copies() {
    let rules = |depth| {
        let text = doubling(depth, "if (x > 7) steps++; return x;", MAIN);
        translated(&text, 1_000).program.rules().len()
    };
    let (twenty, forty) = (rules(20), rules(40));
    assert!(forty < 3 * twenty, "{twenty} rules, {forty} rules");
}

#[test]
fn what_calls_leave_as_it_was_is_proved() {
    let text = doubling(40, "if (x > 7 && steps < 9) steps++; return x;", MAIN);
    assert!(matches!(verified(&text, 1_000).verdict, Verdict::Safe(_)));
}

#[test]
fn an_error_far_inside_is_found() {
    let text = doubling(40, "if (x == 77) balance = -1; return -1;", MAIN);
    assert!(matches!(verified(&text, 1_000).verdict, Verdict::Unsafe(_)));
}

#[test]
fn small_programs_have_copies_only() {
    let text = doubling(3, "return x;", MAIN);
    assert!(!translated(&text, COptions::default().copies).program.has_calls());
    assert!(translated(&text, 0).program.has_calls());
}

/// Programs, and whether the error is called.
const SAME_ANSWERS: [(&str, bool); 8] = [
    // Addresses of what the caller has.
    (
        "void reach_error(void); static void set(int *p, int v) { *p = v; } \
         int main(void) { int a = 1, b = 2; set(&a, 5); set(&b, 6); set(&a, a + b); \
         if (a != 11 || b != 6) reach_error(); return 0; }",
        false,
    ),
    (
        "void reach_error(void); static void set(int *p, int v) { *p = v; } \
         int main(void) { int a = 1, b = 2; set(&a, 5); set(&b, 6); set(&a, a + b); \
         if (a == 11 && b == 6) reach_error(); return 0; }",
        true,
    ),
    // A variable that is there once keeps its value, one of a call does not have the last call's.
    (
        "void reach_error(void); static int next(void) { static int n; int m = 0; m++; n++; return n * 10 + m; } \
         int main(void) { next(); next(); if (next() != 31) reach_error(); return 0; }",
        false,
    ),
    // The address of a variable goes on into another function that stays one.
    (
        "void reach_error(void); static void add(int *p) { *p += 1; } \
         static int twice(int x) { int y = x; add(&y); add(&y); return y; } \
         int main(void) { int a = twice(1), b = twice(a), c = twice(b); if (c != 7) reach_error(); return 0; }",
        false,
    ),
    // Arrays, and structs by value.
    (
        "void reach_error(void); struct pair { int a, b; }; \
         static struct pair swap(struct pair p) { struct pair q; q.a = p.b; q.b = p.a; return q; } \
         static int sum(int x) { int a[3]; a[0] = x; a[1] = 2 * x; a[2] = a[0] + a[1]; return a[2]; } \
         int main(void) { struct pair p = {1, 2}; p = swap(p); p = swap(p); p = swap(p); \
         if (p.a != 2 || p.b != 1 || sum(1) + sum(2) + sum(3) != 18) reach_error(); return 0; }",
        false,
    ),
    // What is allocated at one place is another object each time.
    (
        "void *malloc(unsigned long); void reach_error(void); \
         static int *make(int v) { int *p = malloc(sizeof *p); if (!p) return 0; *p = v; return p; } \
         int main(void) { int *a = make(1), *b = make(2), *c = make(3); \
         if (a && b && c && (a == b || *a != 1 || *b != 2 || *c != 3)) reach_error(); return 0; }",
        false,
    ),
    // The end of the run inside of a call, and functions that are called through pointers.
    (
        "void exit(int); void reach_error(void); static void stop(int x) { if (x) exit(0); } \
         static int one(int x) { stop(x); return 1; } static int two(int x) { stop(x); return 2; } \
         int main(void) { int (*f)(int) = one; int s = f(0); f = two; s += f(0); s += one(0); \
         if (s != 4) reach_error(); two(1); reach_error(); return 0; }",
        false,
    ),
    // Arguments behind the parameters are known to copies.
    (
        "void reach_error(void); \
         static int sum(int n, ...) { __builtin_va_list l; int s = 0; __builtin_va_start(l, n); \
         while (n--) s += __builtin_va_arg(l, int); __builtin_va_end(l); return s; } \
         static int three(int x) { return sum(3, x, x, x); } \
         int main(void) { if (three(1) + three(2) + three(3) != 18) reach_error(); return 0; }",
        false,
    ),
];

#[test]
fn with_calls_the_answers_are_those_of_copies() {
    for (text, is_unsafe) in SAME_ANSWERS {
        for copies in [0, COptions::default().copies] {
            match verified(text, copies).verdict {
                Verdict::Safe(_) => assert!(!is_unsafe, "{copies} copies: {text}"),
                Verdict::Unsafe(_) => assert!(is_unsafe, "{copies} copies: {text}"),
                Verdict::Unknown(why) => panic!("{copies} copies: {why}: {text}"),
            }
        }
    }
}
