//! What cannot be translated exactly may be approximated: a program that is safe whatever it does is SAFE then, and one that fails when it
//! is compiled and run never is.

use crate::answers::{Answer, Case, answer, assert_runs};
use clausal::c::options::Options as COptions;

const PROGRAMS: &[Case] = &[
    (
        "bytes_of_an_address_that_is_followed",
        Answer::Refused,
        true,
        "struct two { int *p; int *q; }; int main(void) { struct two s; int x = 0, y = 0; s.p = &x; s.q = &y;
         unsigned char *b = (unsigned char *)&s; for (int i = 0; i < 8; i++) b[i + 8] = b[i];
         *s.q = 1; if (x == 1) reach_error(); return 0; }",
    ),
    (
        "halves_of_an_address",
        Answer::Refused,
        true,
        "union u { int *p; struct { int low, high; } halves; };
         int main(void) { union u a, b; int x = 0, y = 0; b.p = &y; a.p = &x; b.halves = a.halves; *b.p = 1; if (x == 1) reach_error(); return 0; }",
    ),
    (
        "address_through_a_mask",
        Answer::Refused,
        true,
        "int main(void) { int x = 0; unsigned long u = (unsigned long)&x; u ^= 0x55; u ^= 0x55; *(int *)u = 1; if (x == 1) reach_error(); return 0; }",
    ),
    (
        "choice_by_an_address",
        Answer::Safe,
        false,
        "int main(void) { int x = 0; unsigned long u = (unsigned long)&x; u ^= 0x55; int k = u > 77 ? 1 : 2; if (k > 2) reach_error(); return 0; }",
    ),
    // A handler may be called at any time: that is no matter of values.
    (
        "anything_where_no_run_gets",
        Answer::Safe,
        false,
        "void (*signal(int, void (*)(int)))(int); int called; static void set(int s) { called = s; }
         int main(void) { int x = 0, n = 0; unsigned long u = (unsigned long)&x; u ^= 0x55; while (n < 10) n++;
         if (n != 10) signal(2, set); int k = u > 77 ? 1 : 2; if (k > 2 || called) reach_error(); return 0; }",
    ),
    (
        "anything_where_a_run_gets",
        Answer::Refused,
        true,
        "void (*signal(int, void (*)(int)))(int); int raise(int); int called; static void set(int s) { called = s; }
         int main(void) { int x = 0, n = 0; unsigned long u = (unsigned long)&x; u ^= 0x55; while (n < 10) n++;
         if (n == 10) signal(2, set); raise(2); int k = u > 77 ? 1 : 2; if (k > 2 || called) reach_error(); return 0; }",
    ),
];

#[test]
fn approximations_are_safe_only_where_programs_are() {
    let options = COptions {
        approximate: true,
        ..COptions::default()
    };
    for (name, expected, _, text) in PROGRAMS {
        let (found, why) = answer(text, &options);
        assert_eq!(found, *expected, "{name}: {why}");
    }
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("approximations", PROGRAMS);
}
