//! Bit-fields beside each other in unions, and in objects that are seen as bytes: what has a sign and what has none are two numbers
//! of the same bits. Each program fails, or does not, when it is compiled and run.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

/// What a union of bit-fields has after any number was written to it.
macro_rules! union {
    ($rest:literal) => {
        concat!(
            "union { int whole; int s1 : 1; unsigned u1 : 1; signed char byte; int s3 : 3; unsigned u3 : 3; } b;
             int unknown(void) { static unsigned s = 5; s = s * 77 + 11; return s; }\n",
            $rest
        )
    };
}

const PROGRAMS: &[Case] = &[
    (
        "a_sign_makes_another_number",
        Answer::Safe,
        false,
        "union { int a : 3; unsigned b : 3; } u; int main(void) { u.a = -1; if (u.b != 7) reach_error(); u.b = 5; if (u.a != -3) reach_error(); return 0; }",
    ),
    (
        "a_sign_makes_another_number_not_so",
        Answer::Unsafe,
        true,
        "union { int a : 3; unsigned b : 3; } u; int main(void) { u.a = -1; if (u.b == 7) reach_error(); return 0; }",
    ),
    (
        "one_bit_is_the_sign",
        Answer::Safe,
        false,
        union!(
            "int main(void) { for (int i = 0; i < 9; i++) { b.whole = unknown(); if (b.s1 != -(b.whole & 1)) reach_error();
             if (b.u1 != (b.whole & 1)) reach_error(); if (b.s1 != 0 && b.s1 != -1) reach_error(); if ((b.u3 & 7) != (b.whole & 7)) reach_error(); } return 0; }"
        ),
    ),
    (
        "one_bit_is_the_sign_not_so",
        Answer::Unsafe,
        true,
        union!("int main(void) { b.whole = 7; if (b.s1 == -1) reach_error(); return 0; }"),
    ),
    (
        "one_bit_is_not_one",
        Answer::Safe,
        false,
        union!("int main(void) { b.whole = 7; if (b.s1 == 1) reach_error(); return 0; }"),
    ),
    (
        "one_bit_is_written",
        Answer::Safe,
        false,
        union!(
            "int main(void) { b.whole = 7; b.s1 = 0; if (b.whole != 6 || b.s3 != -2) reach_error(); b.s1 = -1; if (b.byte != 7 || b.u3 != 7) reach_error();
             b.s1 = 2; if (b.u1 != 0) reach_error(); b.u1 = 3; if (b.s1 != -1) reach_error(); b.byte = 2; if (b.s1 != 0) reach_error(); return 0; }"
        ),
    ),
    (
        "one_bit_is_written_not_so",
        Answer::Unsafe,
        true,
        union!("int main(void) { b.whole = 7; b.s1 = 0; b.s1 = -1; if (b.whole == 7) reach_error(); return 0; }"),
    ),
    (
        "one_bit_as_bytes",
        Answer::Safe,
        false,
        "struct { int a : 1; int b : 2; int c : 5; } s; int main(void) { unsigned char *p = (unsigned char *)&s; *p = 5;
         if (s.a != -1 || s.b != -2 || s.c != 0) reach_error(); s.a = 0; if (*p != 4) reach_error(); s.a = -1; if (*p != 5) reach_error(); return 0; }",
    ),
    (
        "one_bit_as_bytes_not_so",
        Answer::Unsafe,
        true,
        "struct { int a : 1; int b : 2; int c : 5; } s; int main(void) { unsigned char *p = (unsigned char *)&s; *p = 5;
         if (s.a == -1) reach_error(); return 0; }",
    ),
];

#[test]
fn programs_are_answered_as_they_behave() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("c_bit_fields", PROGRAMS);
}
