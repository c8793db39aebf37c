//! Programs that start elsewhere than in `main`: what other calls, which may have come before, have left behind.

use crate::answers::{Answer, answer};
use clausal::c::options::{EarlierCalls, Options};

/// What is said if nobody tells what came before, if nothing did, and if anything may have.
type Case = (&'static str, [Answer; 3], &'static str);

const UNSAID: [Answer; 3] = [Answer::Refused, Answer::Safe, Answer::Unsafe];
const SAFE: [Answer; 3] = [Answer::Safe; 3];
const UNSAFE: [Answer; 3] = [Answer::Unsafe; 3];

const PROGRAMS: &[Case] = &[
    (
        "called_for_the_second_time",
        UNSAID,
        "static int n; int f(void) { n++; if (n == 2) reach_error(); return 0; }",
    ),
    (
        "called_for_the_second_time_with_a_local",
        UNSAID,
        "int f(void) { static int n; n++; if (n == 2) reach_error(); return 0; }",
    ),
    (
        "set_by_another_function",
        UNSAID,
        "static int n; void set(int x) { n = x; } int f(void) { if (n == 5) reach_error(); return 0; }",
    ),
    (
        "set_in_another_file",
        UNSAID,
        "int n = 3; int f(void) { if (n != 3) reach_error(); return 0; }",
    ),
    (
        "set_through_a_pointer",
        UNSAID,
        "static int n; int *where(void) { return &n; } int f(void) { if (n) reach_error(); return 0; }",
    ),
    (
        "set_while_it_runs",
        UNSAFE,
        "int n; int f(int *p) { n = 1; *p = 2; if (n != 1) reach_error(); return 0; }",
    ),
    (
        "set_while_it_runs_through_a_pointer_from_before",
        UNSAID,
        "static int n; int *where(void) { return &n; } int f(int *p) { n = 1; *p = 2; if (n != 1) reach_error(); return 0; }",
    ),
    (
        "a_pointer_from_before",
        UNSAID,
        "static int a[2], *p = &a[1]; void back(void) { p = a; } int f(void) { a[0] = 1; *p = 2; if (a[0] != 1) reach_error(); return 0; }",
    ),
    (
        "an_element_set_before",
        UNSAID,
        "static int a[4]; void set(int i) { if (i >= 0 && i < 4) a[i] = 9; } int f(void) { if (a[3] == 9) reach_error(); return 0; }",
    ),
    (
        "a_member_set_before",
        UNSAID,
        "static struct { int k; char c; } s; void set(void) { s.k++; } int f(void) { if (s.k == 7) reach_error(); return 0; }",
    ),
    (
        "constants_stay",
        SAFE,
        "static const int t[3] = { 1, 2, 3 }; const int n = 2; int f(void) { if (t[n] != 3) reach_error(); return 0; }",
    ),
    (
        "what_nothing_writes_stays",
        SAFE,
        "static int n = 3; static int t[2] = { 4, 5 }; int f(void) { if (n + t[1] != 8) reach_error(); return 0; }",
    ),
    (
        "set_anew_by_each_call",
        SAFE,
        "static int n; int f(void) { n = 0; n++; if (n != 1) reach_error(); return 0; }",
    ),
    (
        "whatever_it_was",
        SAFE,
        "static unsigned n; int f(void) { unsigned before = n; n++; if (n == before) reach_error(); return 0; }",
    ),
    (
        "the_first_call_fails",
        UNSAFE,
        "static int n; int f(void) { if (n++ == 0) reach_error(); return 0; }",
    ),
];

#[test]
fn a_program_is_safe_if_it_is_after_any_calls_and_unsafe_if_the_first_one_fails() {
    let mut wrong = Vec::new();
    for (name, expected, text) in PROGRAMS {
        let cases = [EarlierCalls::Unsaid, EarlierCalls::None, EarlierCalls::Any];
        for (earlier_calls, expected) in cases.into_iter().zip(expected) {
            let options = Options {
                entry: "f".to_string(),
                earlier_calls,
                ..Options::default()
            };
            let (found, why) = answer(text, &options);
            if found != *expected {
                wrong.push(format!("{name}, {earlier_calls:?}: {found:?}, not {expected:?} {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn main_is_called_once() {
    let text = "static int n; int main(void) { n++; if (n == 2) reach_error(); return 0; }";
    assert_eq!(answer(text, &Options::default()).0, Answer::Safe);
}
