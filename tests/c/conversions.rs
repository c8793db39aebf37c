//! Conversions that change a value where it is used as an index or a distance, and values that the library takes from a
//! narrow range. Each program fails, or does not, when it is compiled and run; the answer is the same, or a refusal.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "index_cut_to_a_byte",
        Answer::Safe,
        false,
        "int main(void) { int a[5] = { 1, 2, 3, 4, 5 }; int i = 257; if (a[(unsigned char)i] != 2) reach_error(); return 0; }",
    ),
    (
        "index_cut_to_a_byte_not_so",
        Answer::Unsafe,
        true,
        "int main(void) { int a[5] = { 1, 2, 3, 4, 5 }; int i = 257; if (a[(unsigned char)i] == 2) reach_error(); return 0; }",
    ),
    (
        "index_cut_to_an_int",
        Answer::Unsafe,
        true,
        "int main(void) { int a[5] = { 1, 2, 3, 4, 5 }; long i = 4294967297; if (a[(int)i] == 2) reach_error(); return 0; }",
    ),
    (
        "negative_index_made_of_a_byte",
        Answer::Unsafe,
        true,
        "int main(void) { int a[5] = { 1, 2, 3, 4, 5 }; int *m = a + 2; int i = 255; if (m[(signed char)i] == 2) reach_error(); return 0; }",
    ),
    (
        "character_as_an_index",
        Answer::Safe,
        false,
        "int main(void) { int a[256]; for (int i = 0; i < 256; i++) a[i] = i; char c = 200;
           if (a[(unsigned char)c] != 200) reach_error(); return 0; }",
    ),
    (
        "written_where_the_cut_index_is",
        Answer::Unsafe,
        true,
        "int main(void) { int a[5] = { 0 }; long i = 65538; a[(short)i] = 7; if (a[2] == 7) reach_error(); return 0; }",
    ),
    (
        "member_by_a_cut_index",
        Answer::Unsafe,
        true,
        "struct S { int x; short y[4]; }; int main(void) { struct S s[2] = { { 1, { 2, 3, 4, 5 } }, { 6, { 7, 8, 9, 10 } } }; int i = 257;
           if (s[(unsigned char)i].y[(char)i] == 8) reach_error(); return 0; }",
    ),
    (
        "pointer_moved_by_a_cut_distance",
        Answer::Unsafe,
        true,
        "int main(void) { int a[5] = { 1, 2, 3, 4, 5 }; int *p = a + 3; int i = 254; if (*(p + (signed char)i) == 2) reach_error(); return 0; }",
    ),
    (
        "character_that_was_read",
        Answer::Safe,
        false,
        "extern int getchar(void); int main(void) { int c = getchar(); if (c < -1 || c > 255) reach_error(); return 0; }",
    ),
    (
        "end_of_what_is_read",
        Answer::Unsafe,
        true,
        "extern int getchar(void); int main(void) { int c = getchar(); if (c != (unsigned char)c) reach_error(); return 0; }",
    ),
];

#[test]
fn programs_are_answered_as_they_behave() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("c_conversions", PROGRAMS);
}
