//! Tail calls are jumps: what such functions give back is what gcc's programs give back, whatever else they do.

use clausal::c::options::Options as COptions;
use clausal::c::translate;
use clausal::engine::{Budget, Options, Verdict};
use clausal::source_level::{Method, verify_c};
use std::time::Duration;

const DECLARATIONS: &str = "extern void reach_error(void); extern int nondet_int(void);\n";

/// A program text, an expression and its value, and whether all calls become jumps or copies.
const CASES: [(&str, &str, i64, bool); 14] = [
    // Arguments are known before a parameter changes.
    (
        "int f(int a, int b, int n) { if (n == 0) return a * 10 + b; return f(b, a, n - 1); }",
        "f(1, 2, 3)",
        21,
        true,
    ),
    // What is handed over is converted to the parameter's type.
    (
        "int f(unsigned char c, int n) { if (n == 0) return c; return f(c + 100, n - 1); }",
        "f(200, 1)",
        44,
        true,
    ),
    (
        "int f(int n, long sum) { return n == 0 ? sum : f(n - 1, sum + n); }",
        "f(10, 0L)",
        55,
        true,
    ),
    // What comes back is converted on its way, each time.
    (
        "int f(int n) { if (n == 0) return 300; return (unsigned char)f(n - 1); }",
        "f(2)",
        44,
        false,
    ),
    (
        "int f(int n) { if (n == 0) return 300; unsigned char r = f(n - 1); return r; }",
        "f(1)",
        44,
        false,
    ),
    // What comes back is kept, and handed on as it is.
    (
        "int f(int n) { if (n == 0) return 300; int r = f(n - 1); return r; }",
        "f(2)",
        300,
        true,
    ),
    // What comes back is dropped.
    (
        "int f(int n) { if (n > 0) { f(n - 1); return 1; } return 2; }",
        "f(2)",
        1,
        false,
    ),
    // Something is done behind the call.
    (
        "int g; void f(int n) { if (n > 0) { f(n - 1); g = n; } }",
        "(f(3), g)",
        3,
        false,
    ),
    (
        "int g; void f(int n) { g = 10 * g + n; if (n > 1) f(n - 1); }",
        "(f(3), g)",
        321,
        true,
    ),
    // Each call has variables of its own, whose addresses are known.
    (
        "int f(int n, int *p) { int x = n; if (n == 0) return *p; return f(n - 1, &x); }",
        "f(3, 0)",
        1,
        false,
    ),
    // Those of callers are handed on.
    (
        "void f(int *i, int *s) { if (*i > 0) { *s += *i; (*i)--; f(i, s); } } int g(int n) { int s = 0; f(&n, &s); return s + n; }",
        "g(4)",
        10,
        true,
    ),
    // Structs are handed over as they are.
    (
        "struct s { int a, b; }; int f(struct s s, int n) { struct s t = { s.b, s.a + s.b }; if (n == 0) return s.a; return f(t, n - 1); }",
        "f((struct s) { 0, 1 }, 10)",
        55,
        true,
    ),
    // A variable that is static is there once.
    (
        "int f(int n) { static int calls; calls++; if (n == 0) return calls; return f(n - 1); }",
        "(f(3), f(0))",
        5,
        true,
    ),
    // By another name, through a pointer: a call all the same.
    (
        "int f(int n); int (*p)(int) = f; int f(int n) { if (n == 0) return 7; return p(n - 1); }",
        "f(3)",
        7,
        false,
    ),
];

fn verdict(text: &str) -> Verdict {
    let options = Options {
        budget: Budget {
            time: Some(Duration::from_secs(20)),
            ..Budget::default()
        },
        ..Options::default()
    };
    let reading = verify_c(text, &COptions::default(), Method::Automatic, &options);
    let verification = reading.product.unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    verification.outcome.verdict
}

#[test]
fn functions_that_call_themselves_last_give_back_what_they_do() {
    for (text, expression, value, _) in CASES {
        let program = |comparison: &str| {
            format!(
                "{DECLARATIONS}{text}\nint main(void) {{ int r = {expression}; if (r {comparison} {value}) reach_error(); }}"
            )
        };
        assert!(matches!(verdict(&program("!=")), Verdict::Safe(_)), "{text}");
        assert!(matches!(verdict(&program("==")), Verdict::Unsafe(_)), "{text}");
    }
}

#[test]
fn what_needs_nothing_of_its_caller_is_a_loop() {
    for (text, expression, value, is_loop) in CASES {
        let program = format!(
            "{DECLARATIONS}{text}\nint main(void) {{ int r = {expression}; if (r == {value}) reach_error(); }}"
        );
        let translation = translate(&program, &COptions::default()).product.expect("it is C");
        assert_eq!(translation.program.has_calls(), !is_loop, "{text}");
    }
}

/// A variable without a value has none that an earlier call gave it.
#[test]
fn a_call_knows_nothing_of_the_variables_of_the_one_before() {
    let text = format!(
        "{DECLARATIONS}int f(int n) {{ int t; if (n > 0) {{ t = 5; return f(n - 1); }} return t; }}
         int main(void) {{ if (f(1) != 5) reach_error(); }}"
    );
    assert!(!matches!(verdict(&text), Verdict::Safe(_)));
}

/// Loops as functions that are handed the addresses of what they change: as strong as the loops.
#[test]
fn what_is_invariant_is_found_as_of_a_loop() {
    let text = |error: &str| {
        format!(
            "{DECLARATIONS}
             void inner(int *w, int *x, int *z, int *y) {{
               if (nondet_int()) {{ if (*w % 2 == 1) (*x)++; if (*z % 2 == 0) (*y)++; inner(w, x, z, y); }}
             }}
             void outer(int *w, int *x, int *z, int *y) {{
               if (nondet_int()) {{ inner(w, x, z, y); *z = *x + *y; *w = *z + 1; outer(w, x, z, y); }}
             }}
             int main(void) {{ int w = 1, z = 0, x = 0, y = 0; outer(&w, &x, &z, &y); if ({error}) reach_error(); }}"
        )
    };
    assert!(matches!(verdict(&text("x != y")), Verdict::Safe(_)));
    assert!(matches!(verdict(&text("x == 2")), Verdict::Unsafe(_)));
}
