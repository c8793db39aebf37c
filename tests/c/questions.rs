//! What programs ask about the objects that their pointers point into, by the names that CBMC and ESBMC have for it. The answers
//! are those that the documents of the two say.

use crate::answers::{Answer, answer};
use clausal::c::options::{Checks, Options};

/// Programs by what is said about them, with the checks of memory.
const PROGRAMS: &[(Answer, &str)] = &[
    // How far from the start.
    (
        Answer::Safe,
        "long __CPROVER_POINTER_OFFSET(const void *); struct s { char c; int i[3]; } s; int a[5];
         int main(void) { int *p = a + 2; char *q = (char *)p; int k = 2; if (__CPROVER_POINTER_OFFSET(p) != 8) reach_error();
         if (__CPROVER_POINTER_OFFSET(&s.i[k]) != 12 || __CPROVER_POINTER_OFFSET(q + 1) != 9) reach_error();
         if (__CPROVER_POINTER_OFFSET(a - 1) != -4 || __CPROVER_POINTER_OFFSET((void *)0) != 0) reach_error(); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int a[5]; int main(void) { int *p = a + 2; if (__ESBMC_POINTER_OFFSET(p) != 2) reach_error(); return 0; }",
    ),
    // Which object.
    (
        Answer::Safe,
        "int a[5], b; int main(void) { if (__ESBMC_POINTER_OBJECT(a) != __ESBMC_POINTER_OBJECT(a + 3)) reach_error();
         if (__ESBMC_POINTER_OBJECT(a) == __ESBMC_POINTER_OBJECT(&b) || __ESBMC_POINTER_OBJECT(0) != 0) reach_error();
         if (!__CPROVER_same_object(a, &a[4]) || __CPROVER_same_object(a, &b)) reach_error(); return 0; }",
    ),
    (
        Answer::Safe,
        "void *malloc(unsigned long); int main(void) { char *p = 0, *q = 0; for (int i = 0; i < 2; i++) { q = p; p = malloc(1); if (!p) return 0; }
         if (__ESBMC_same_object(p, q)) reach_error(); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int a[5]; int main(void) { if (__ESBMC_same_object(a, a + 1)) reach_error(); return 0; }",
    ),
    // Which number that is, nobody says.
    (
        Answer::Refused,
        "int a[5]; int main(void) { if (__ESBMC_POINTER_OBJECT(a) == 4096) reach_error(); return 0; }",
    ),
    // How large.
    (
        Answer::Safe,
        "void *malloc(unsigned long); unsigned long __CPROVER_OBJECT_SIZE(const void *); int n[3];
         int main(void) { long x; char *p = malloc(7); if (!p) return 0; if (__CPROVER_OBJECT_SIZE(n + 1) != 12 || __CPROVER_OBJECT_SIZE(&x) != 8) reach_error();
         if (__CPROVER_OBJECT_SIZE(p) != 7 || __CPROVER_OBJECT_SIZE(0) != 0) reach_error(); return 0; }",
    ),
    (
        Answer::Safe,
        "int n[3]; char c[10]; int main(void) { if (__ESBMC_get_object_size(n) != 3 || __ESBMC_get_object_size(c + 2) != 10) reach_error(); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int n[3]; int main(void) { if (__ESBMC_get_object_size(n) == 3) reach_error(); return 0; }",
    ),
    // Whether it is allocated.
    (
        Answer::Safe,
        "void *malloc(unsigned long); int main(void) { int x; char *p = malloc(7); if (__CPROVER_DYNAMIC_OBJECT(&x) || __CPROVER_DYNAMIC_OBJECT(0)) reach_error();
         if (p && !__CPROVER_DYNAMIC_OBJECT(p)) reach_error(); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int main(void) { int x; if (!__CPROVER_DYNAMIC_OBJECT(&x)) reach_error(); return 0; }",
    ),
    // Whether so much is there.
    (
        Answer::Safe,
        "int main(void) { int a[4]; char *p = (char *)&a[2]; if (!__CPROVER_r_ok(p, 8) || __CPROVER_w_ok(p, 9) || !__CPROVER_rw_ok(a, 16)) reach_error();
         if (__CPROVER_r_ok(0, 0) || !__ESBMC_r_ok(0, 0) || __ESBMC_r_ok(0, 1)) reach_error(); return 0; }",
    ),
    (
        Answer::Safe,
        "void *malloc(unsigned long); unsigned nondet_uint(void); int main(void) { unsigned n = nondet_uint(), k = nondet_uint(); if (n == 0 || k > n) return 0;
         char *p = malloc(n); if (!p) return 0; if (!__ESBMC_r_ok(p, k)) reach_error(); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int nondet_int(void); int main(void) { char a[10], b[5]; char *p = nondet_int() ? a : b; if (!__ESBMC_r_ok(p, 6)) reach_error(); return 0; }",
    ),
    // Of what is gone the documents say nothing.
    (
        Answer::Refused,
        "void *malloc(unsigned long); void free(void *); int main(void) { char *p = malloc(4); if (!p) return 0; free(p); if (__CPROVER_r_ok(p, 1)) reach_error(); return 0; }",
    ),
    // A name that nobody here knows is no unknown function.
    (
        Answer::Refused,
        "int main(void) { if (__CPROVER_is_cyclic(0)) reach_error(); return 0; }",
    ),
    // What is left open has one result for the same arguments.
    (
        Answer::Safe,
        "int __CPROVER_uninterpreted_f(int); int main(void) { int x = 3, y = 3; if (__CPROVER_uninterpreted_f(x) != __CPROVER_uninterpreted_f(y)) reach_error(); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int __CPROVER_uninterpreted_f(int); int main(void) { if (__CPROVER_uninterpreted_f(3) != __CPROVER_uninterpreted_f(4)) reach_error(); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int main(void) { int v[4]; v[3] = 5; __ESBMC_init_object(v); if (v[3] != 5) reach_error(); return 0; }",
    ),
    (
        Answer::Safe,
        "int main(void) { int v[4], w = 1; v[3] = 5; __ESBMC_init_object(v); if (w != 1) reach_error(); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int main(void) { int x = 1; klee_make_symbolic(&x, sizeof x, \"x\"); klee_assume(x > 3); klee_assert(x != 7); return 0; }",
    ),
    (
        Answer::Safe,
        "int main(void) { int x = 1, y = 2; klee_make_symbolic(&x, sizeof x, \"x\"); klee_assume(x > 3); klee_assert(x > y); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int main(void) { int x, y = 2; klee_make_symbolic(&x, sizeof x, (y = 3, \"x\")); klee_assert(y == 2); return 0; }",
    ),
    (
        Answer::Refused,
        "int main(void) { int x[2] = { 1, 2 }; klee_make_symbolic(x, sizeof x[0], \"x\"); klee_assert(x[0] == 1); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int main(void) { struct { int a; char b[2]; } s = { 1, { 2, 3 } }; klee_make_symbolic(&s, sizeof s, \"s\"); klee_assert(s.a != 9 || s.b[1] != 4); return 0; }",
    ),
    (
        Answer::Safe,
        "int main(void) { char b[4], c[4]; __ESBMC_memset(b, 7, 4); __ESBMC_memcpy(c, b, 4); if (c[3] != 7) reach_error(); return 0; }",
    ),
    (
        Answer::Unsafe,
        "int main(void) { char b[4]; __ESBMC_memset(b, 7, 4); if (b[3] == 7) reach_error(); return 0; }",
    ),
];

#[test]
fn answers_are_those_of_the_documents() {
    let options = Options {
        checks: Checks {
            bounds: true,
            null: true,
            lifetime: true,
            ..Checks::default()
        },
        ..Options::default()
    };
    let mut wrong = Vec::new();
    for (expected, text) in PROGRAMS {
        let (found, why) = answer(text, &options);
        if found != *expected {
            wrong.push(format!("{found:?}, not {expected:?} {why}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether what is local is still there, only the check of lives tells.
#[test]
fn lives_have_to_be_followed() {
    let text = "int main(void) { char a[4]; char *p = a; if (!__CPROVER_r_ok(p, 4)) reach_error(); return 0; }";
    let (found, why) = answer(text, &Options::default());
    assert_eq!(found, Answer::Refused);
    assert!(
        why.contains("`__CPROVER_r_ok`") && why.contains("--check lifetime"),
        "{why}"
    );
}
