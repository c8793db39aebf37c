//! What cannot be translated exactly may be approximated: a program that is safe whatever it does is SAFE then, and one that fails when it
//! is compiled and run never is.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
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

/// What is not translated exactly, and what is proved all the same, since it does not matter which values it leaves behind.
const WITHOUT_OPTIONS: &[Case] = &[
    (
        "count_by_an_address",
        Answer::Safe,
        false,
        "int main(int argc, char **argv) { int x = 0, k = 0; unsigned long u = (unsigned long)&x; u ^= 0x55;
         for (int i = 0; i < argc; i++) if (u > 77 && k < argc) k++; if (k > argc) reach_error(); return 0; }",
    ),
    (
        "count_by_an_address_that_is_too_large",
        Answer::Refused,
        true,
        "int main(int argc, char **argv) { int x = 0, k = 0; unsigned long u = (unsigned long)&x; u ^= 0x55;
         for (int i = 0; i < argc; i++) if (u > 77) k++; if (k >= argc) reach_error(); return 0; }",
    ),
    (
        "write_to_one_of_two_objects",
        Answer::Refused,
        true,
        "int main(int argc, char **argv) { int x = 0; unsigned long u = (unsigned long)&x; int y = 0; int *p = &y; if (argc > 0) p = &x;
         u ^= 0x55; u ^= 0x55; *(int *)u = 0; if (argc > 0) *p = 1; if (x == 1) reach_error(); return 0; }",
    ),
    (
        "anything_where_a_run_gets_that_is_no_matter_of_values",
        Answer::Refused,
        true,
        PROGRAMS[5].3,
    ),
];

#[test]
fn what_holds_for_any_values_is_proved_without_an_option() {
    assert_answers(WITHOUT_OPTIONS);
}

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
    assert_runs("approximations_by_themselves", WITHOUT_OPTIONS);
}
