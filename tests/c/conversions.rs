//! Conversions that change a value where it is used as an index or a distance, values that the library takes from a narrow
//! range, and bit-fields of widths that no other type has. Each program fails, or does not, when it is compiled and run; the answer is the same, or a refusal.

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
    (
        "sum_of_a_wide_bit_field_that_leaves_it",
        Answer::Refused,
        false,
        "extern int getchar(void); struct S { long long s : 40; };
         int main(void) { struct S x; x.s = 549755813880 + (getchar() & 15); if (x.s + 1 == 549755813888) reach_error(); return 0; }",
    ),
    (
        "sums_of_wide_bit_fields_that_fit",
        Answer::Safe,
        false,
        "extern int getchar(void); struct S { long long s : 40, t : 33; };
         int main(void) { struct S x; x.s = 549755813880 + (getchar() & 7); x.t = -(x.s & 1);
           if (x.s > 549755813880 && x.s - 1 < 549755813880) reach_error(); if (x.s < 0 && -x.s > 0) reach_error();
           if (x.t * 2 / 2 != x.t) reach_error(); x.s--; if (x.s < 549755813879) reach_error(); return 0; }",
    ),
    (
        "wide_bit_field_that_is_counted_too_far",
        Answer::Refused,
        false,
        "struct S { long long s : 34; }; int main(void) { struct S x; int k = 0;
           for (x.s = 8589934590; x.s > 0 && k < 9; x.s++) k++; if (k == 9) reach_error(); return 0; }",
    ),
    (
        "negated_least_value_of_a_wide_bit_field",
        Answer::Refused,
        true,
        "extern int getchar(void); struct S { long long s : 40; };
         int main(void) { struct S x; x.s = -549755813888 * (getchar() != 1); if (-x.s > 0) reach_error(); return 0; }",
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
