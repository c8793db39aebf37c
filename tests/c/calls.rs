//! Calls of functions as another type than their own, or without a prototype: what C defines is translated, and what arrives for
//! sure where C leaves it undefined; anything else is no verdict, and all of it is found by `--check calls`.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::{Checks, Options as COptions};

/// What C defines.
const DEFINED: &[Case] = &[
    (
        "float_of_an_old_definition",
        Answer::Safe,
        false,
        "float f(x) float x; { return x * 2; } int main(void) { if (f(1.5) != 3) reach_error(); return 0; }",
    ),
    (
        "narrow_parameters_of_an_old_definition",
        Answer::Safe,
        false,
        "int f(c, d) char c; short d; { return c + d; }
         int main(void) { if (f(300, 70000) != 44 + 4464) reach_error(); return 0; }",
    ),
    (
        "prototype_before_an_old_definition",
        Answer::Safe,
        false,
        "int f(long); int f(x) long x; { return x == -1; } int main(void) { if (!f(-1)) reach_error(); return 0; }",
    ),
    (
        "prototype_with_a_float_before_an_old_definition",
        Answer::Safe,
        false,
        "int f(float); int f(x) float x; { return x; } int main(void) { if (f(3) != 3) reach_error(); return 0; }",
    ),
    (
        "prototype_in_a_block",
        Answer::Unsafe,
        true,
        "int g(void) { extern int f(long); return f(-1); } int f(long x) { return x == -1; }
         int main(void) { if (g()) reach_error(); return 0; }",
    ),
    (
        "prototype_that_comes_later",
        Answer::Safe,
        false,
        "int g(void) { return f(7L); } int f(long x) { return x == 7; }
         int main(void) { if (!g()) reach_error(); return 0; }",
    ),
    (
        "sign_that_does_not_matter",
        Answer::Safe,
        false,
        "int f(unsigned a) { return a == 7; } int main(void) { int (*q)() = f; if (!q(7)) reach_error(); return 0; }",
    ),
    (
        "pointers_of_several_types",
        Answer::Safe,
        false,
        "int *f(int *a) { return a; }
         int main(void) { int x; void *(*q)(void *) = (void *)f; if (q(&x) != &x) reach_error(); return 0; }",
    ),
];

/// What C does not define, with the answer if nothing is checked.
const UNDEFINED: &[(&str, Answer, &str)] = &[
    (
        "int_for_a_long",
        Answer::Refused,
        "int g(void) { return f(-1); } int f(long x) { return x == -1; } int main(void) { if (!g()) reach_error(); return 0; }",
    ),
    (
        "lower_half_of_a_long",
        Answer::Safe,
        "int g(void) { return f(-1); } int f(long x) { return (int)x == -1; } int main(void) { if (!g()) reach_error(); return 0; }",
    ),
    (
        "int_for_a_double",
        Answer::Refused,
        "int f(double x) { return x == 2; } int main(void) { int (*p)() = (int (*)())f; if (!p(2)) reach_error(); return 0; }",
    ),
    (
        "int_behind_a_double_that_is_an_int",
        Answer::Refused,
        "int f(double a, int b) { return b; }
         int main(void) { int (*q)(int, int) = (void *)f; if (q(1, 2) != 2) reach_error(); return 0; }",
    ),
    (
        "int_before_a_double_that_is_an_int",
        Answer::Safe,
        "int f(int a, double b) { return a; }
         int main(void) { int (*q)(int, int) = (void *)f; if (q(1, 2) != 1) reach_error(); return 0; }",
    ),
    (
        "prototype_in_another_block",
        Answer::Refused,
        "int g() { extern int f(long); return f(-1); } int h() { return f(-1); } int f(long x) { return x == -1; }
         int main() { if (!g() || !h()) reach_error(); return 0; }",
    ),
    (
        "too_few_arguments",
        Answer::Refused,
        "int f(int a, int b) { return b == 0; }
         int main(void) { int (*p)(int) = (int (*)(int))f; if (!p(1)) reach_error(); return 0; }",
    ),
    (
        "too_many_arguments",
        Answer::Safe,
        "int f(int n) { return n; } int main(void) { int (*q)() = f; if (q(1, 2, 3) != 1) reach_error(); return 0; }",
    ),
    (
        "too_few_arguments_of_a_function_that_recurs",
        Answer::Refused,
        "int f(int n, int m) { return n ? f(n - 1, m) : m == 77; }
         int main(void) { int (*q)(int) = (void *)f; if (q(3)) reach_error(); return 0; }",
    ),
    (
        "long_as_the_int_that_is_its_lower_half",
        Answer::Unsafe,
        "long f(void) { return 1L << 32; } int main(void) { int (*p)(void) = (int (*)(void))f; if (!p()) reach_error(); return 0; }",
    ),
    (
        "int_as_a_long",
        Answer::Refused,
        "int f(void) { return -1; }
         int main(void) { long (*p)(void) = (long (*)(void))f; if (p() != -1) reach_error(); return 0; }",
    ),
    (
        "double_as_an_int",
        Answer::Refused,
        "double f(void) { return 1; } int main(void) { int (*p)(void) = (int (*)(void))f; if (p() != 1) reach_error(); return 0; }",
    ),
    (
        "nothing_as_an_int",
        Answer::Refused,
        "void f(int a) {} int main(void) { int (*q)(int) = (void *)f; int r = q(1); if (r == 12345) reach_error(); return 0; }",
    ),
    (
        "struct_as_an_int",
        Answer::Refused,
        "struct s { int a[10]; }; struct s f(int x) { struct s r = {{ x }}; return r; }
         int main(void) { int (*p)(int) = (int (*)(int))f; p(1); reach_error(); return 0; }",
    ),
    (
        "struct_for_a_long",
        Answer::Refused,
        "struct p { int x, y; }; int f(struct p a) { return a.x; }
         int main(void) { int (*q)(long) = (void *)f; if (q(2) != 2) reach_error(); return 0; }",
    ),
    (
        "number_as_a_truth_value",
        Answer::Refused,
        "_Bool f(_Bool n) { return n; } int main(void) { int (*q)(int) = (void *)f; if (q(2) != 1) reach_error(); return 0; }",
    ),
    (
        "number_for_the_truth_value_of_an_old_definition",
        Answer::Refused,
        "int f(b) _Bool b; { return b; } int main(void) { int (*q)(long) = (void *)f; if (q(2) != 1) reach_error(); return 0; }",
    ),
    (
        "double_behind_the_parameters_that_nobody_announces",
        Answer::Refused,
        "typedef __builtin_va_list va_list;
         int f(int n, ...) { va_list a; __builtin_va_start(a, n); double r = __builtin_va_arg(a, double); __builtin_va_end(a); return r; }
         int main(void) { int (*q)(int, double) = (void *)f; if (q(1, 7) != 7) reach_error(); return 0; }",
    ),
    (
        "function_pointer_that_does_not_arrive",
        Answer::Refused,
        "int z; void g(void) { z = 1; } void (*keep)(void) = g; int f(int a, void (*p)(void)) { p(); return a; }
         int main(void) { int (*q)(int) = (void *)f; q(1); if (z) reach_error(); return 0; }",
    ),
];

#[test]
fn what_is_defined_is_translated() {
    assert_answers(DEFINED);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("calls", DEFINED);
}

#[test]
fn what_does_not_arrive_is_not_known() {
    let mut wrong = Vec::new();
    for (name, expected, text) in UNDEFINED {
        let (found, why) = answer(text, &COptions::default());
        if found != *expected {
            wrong.push(format!("{name}: {found:?}, not {expected:?} {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_undefined_is_found() {
    let checking = COptions {
        checks: Checks::named("calls").expect("a check has this name"),
        ..COptions::default()
    };
    let mut wrong = Vec::new();
    for (name, _, text) in UNDEFINED {
        let (found, why) = answer(text, &checking);
        if found != Answer::Unsafe {
            wrong.push(format!("{name}: {found:?} {why}"));
        }
    }
    for (name, expected, _, text) in DEFINED {
        let (found, why) = answer(text, &checking);
        if found != *expected {
            wrong.push(format!("{name}: {found:?}, not {expected:?} {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
