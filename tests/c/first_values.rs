//! What a list of values is for: designators, braces left out, unnamed structs, members of unions that take each other's place;
//! and other values that are known before a program runs.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "values_without_braces_behind_a_designator",
        Answer::Safe,
        false,
        "struct s { struct { int a, b; } in; int c[2]; }; int main(void) { struct s s = { .in = 1, 2, .c = 3, 4 };
         if (s.in.a != 1 || s.in.b != 2 || s.c[0] != 3 || s.c[1] != 4) reach_error(); }",
    ),
    (
        "elements_without_braces_behind_an_index",
        Answer::Safe,
        false,
        "struct s { int a, b; } s[] = { [1].b = 1, 2, [0] = 3, 4 }; int main(void) {
         if (sizeof s != 24 || s[0].a != 3 || s[0].b != 4 || s[1].a != 0 || s[1].b != 1 || s[2].a != 2) reach_error(); }",
    ),
    (
        "rows_without_braces_behind_an_index",
        Answer::Safe,
        false,
        "int main(void) { int x[2][3] = { 1, 2, 3, 4, 5, 6, [0] = 10, 11, [1][0] = 12 };
         if (x[0][0] != 10 || x[0][1] != 11 || x[1][0] != 12 || x[1][1] != 5) reach_error(); }",
    ),
    (
        "what_follows_a_member_of_an_unnamed_struct",
        Answer::Safe,
        false,
        "struct s { struct { int a, b; }; int c; }; int main(void) { struct s s = { .a = 1, 2, 3 };
         if (s.a != 1 || s.b != 2 || s.c != 3) reach_error(); }",
    ),
    (
        "an_unnamed_struct_in_a_union",
        Answer::Safe,
        false,
        "union u { struct { int a, b, c; }; int d; }; int main(void) { union u u = { .b = 7, 5 };
         if (u.a != 0 || u.b != 7 || u.c != 5) reach_error(); }",
    ),
    (
        "another_member_of_a_union_takes_the_place",
        Answer::Unsafe,
        true,
        "struct s { union { struct { int i, j; } one; struct { int i, j; } other; } u; }; int main(void) {
         struct s s = { .u.one.j = 3, .u.other.i = 7 }; if (s.u.one.i == 7 && s.u.one.j == 0) reach_error(); }",
    ),
    (
        "the_same_member_of_a_union_keeps_its_parts",
        Answer::Safe,
        false,
        "struct s { union { struct { int i, j; } one; struct { int i, j; } other; } u; }; int main(void) {
         struct s s = { .u.one.j = 3, .u.one.i = 7 }; if (s.u.one.i != 7 || s.u.one.j != 3) reach_error(); }",
    ),
    (
        "numbers_as_pointers_count_bytes",
        Answer::Safe,
        false,
        "int main(void) { int *a = (int *)0x10; long n = 3; a += 2;
         if (a != (int *)0x18 || (int *)0x20 - a != 2 || (long)(a + n) != 0x24) reach_error(); }",
    ),
    (
        "the_integer_part_of_a_constant",
        Answer::Safe,
        false,
        "enum { A = (int)2.9, B = (int)-2.9f }; int x[(int)3.5]; int main(void) {
         if (A != 2 || B != -2 || sizeof x != 12) reach_error(); }",
    ),
    (
        "long_characters_and_strange_escapes",
        Answer::Safe,
        false,
        "int main(void) { int a = 'abcde', b = L'ab', c = '\\xfff', d = \"\\j\"[0];
         if (a != 'bcde' || b != 'b' || c != -1 || d != 'j') reach_error(); }",
    ),
    (
        "a_length_that_was_said_before",
        Answer::Safe,
        false,
        "extern int x[10]; int x[] = { 1, 2, }; int main(void) { if (sizeof x != 40 || x[1] != 2) reach_error(); }",
    ),
    (
        "the_type_of_a_function",
        Answer::Unsafe,
        true,
        "int f(void); extern typeof(f) f; int f(void) { return 1; } extern typeof(f) g;
         int g(void) { return 2; } int main(void) { if (f() + g() == 3) reach_error(); }",
    ),
    (
        "a_declaration_of_ones_own_of_what_the_library_has",
        Answer::Unsafe,
        true,
        "int memcmp(char *p, char *q, long n); int main(void) { char a[] = \"ab\", b[] = \"ac\";
         if (memcmp(a, b, 1) == 0 && memcmp(a, b, 2) != 0) reach_error(); }",
    ),
    (
        "rows_of_variable_length",
        Answer::Refused,
        false,
        "int main(int argc, char **argv) { int n = 3; int x[5][n]; if (sizeof *x != 12) reach_error(); }",
    ),
    (
        "the_row_behind_one_of_variable_length",
        Answer::Refused,
        true,
        "int main(int argc, char **argv) { int n = 3; int x[2][n]; x[1][0] = 7; if (**(x + 1) == 7) reach_error(); }",
    ),
    (
        "behind_an_array_of_variable_length",
        Answer::Refused,
        false,
        "int main(int argc, char **argv) { int n = 3; int x[n]; if ((char *)(&x + 1) - (char *)x != 12) reach_error(); }",
    ),
    (
        "the_first_element_of_rows_of_variable_length",
        Answer::Unsafe,
        true,
        "int main(int argc, char **argv) { int n = 3; int x[2][n]; x[0][0] = 7; if (**x == 7) reach_error(); }",
    ),
];

#[test]
fn values_are_for_what_c_says() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("first_values", PROGRAMS);
}
