//! What is spelled in more than one way or measured when the program runs: characters and strings of other widths, names with
//! letters by their numbers, sizes of types with computed lengths, what is constant; and library functions of nothing.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "wide_character_below_zero",
        Answer::Unsafe,
        true,
        r"int main(void) { if (L'\xffffffff' == -1) reach_error(); return 0; }",
    ),
    (
        "character_of_32_bits_is_unsigned",
        Answer::Safe,
        false,
        "int main(void) { if (U'\\xffffffff' < 0 || U'a' - 'b' < 0) reach_error(); return 0; }",
    ),
    (
        "character_of_16_bits",
        Answer::Safe,
        false,
        "int main(void) { if (u'\\xffff' != 65535 || sizeof u'a' != 2 || u'a' != 97 || u\"\\x1234\"[0] != u'\\x1234') reach_error(); return 0; }",
    ),
    (
        "character_of_16_bits_is_no_int",
        Answer::Unsafe,
        true,
        "int main(void) { if (sizeof u'a' != sizeof 'a') reach_error(); return 0; }",
    ),
    (
        "number_that_is_no_decimal_one",
        Answer::Safe,
        false,
        "int main(void) { if (50.0d != 50.0 || sizeof 1.5d != sizeof (double)) reach_error(); return 0; }",
    ),
    (
        "wide_string_with_a_character_below_zero",
        Answer::Unsafe,
        true,
        r#"int main(void) { if (L"\xffffffff"[0] < 0) reach_error(); return 0; }"#,
    ),
    (
        "string_of_32_bits_is_unsigned",
        Answer::Safe,
        false,
        r#"int main(void) { if (U"\xffffffff"[0] < 0 || U"a"[0] - 'b' < 0) reach_error(); return 0; }"#,
    ),
    (
        "string_of_16_bits",
        Answer::Safe,
        false,
        r#"int main(void) { if (sizeof(u"ab") != 6 || u"\xffff"[0] != 65535) reach_error(); return 0; }"#,
    ),
    (
        "narrow_string_beside_one_of_16_bits",
        Answer::Safe,
        false,
        r#"int main(void) { unsigned short s[] = u"a" "bc"; if (sizeof s != 8 || s[2] != 'c') reach_error(); return 0; }"#,
    ),
    (
        "name_with_a_letter_by_its_number",
        Answer::Unsafe,
        true,
        r"int main(void) { int \u00e9t\u00E9 = 3, a\U000000e9 = 4; if (été == 3 && aé == 4) reach_error(); return 0; }",
    ),
    (
        "size_of_a_computed_length",
        Answer::Safe,
        false,
        "int main(void) { int n = 3; if (sizeof(int[n]) != 12 || sizeof(char[n][n + 1]) != 12) reach_error(); return 0; }",
    ),
    (
        "size_that_counts",
        Answer::Unsafe,
        true,
        "int main(void) { int n = 3; unsigned long size = sizeof(int[n++]); if (size == 12 && n == 4) reach_error(); return 0; }",
    ),
    (
        "size_that_counts_and_is_not_used",
        Answer::Unsafe,
        true,
        "int main(void) { int n = 3; (void)sizeof(int[n++]); if (n == 4) reach_error(); return 0; }",
    ),
    (
        "size_that_is_not_reached",
        Answer::Safe,
        false,
        "int main(void) { int n = 3; if (n == 3 || sizeof(int[n++])) if (n != 3) reach_error(); return 0; }",
    ),
    (
        "variable_where_a_constant_is_needed",
        Answer::Safe,
        false,
        "int y; int z = __builtin_choose_expr(!__builtin_constant_p(y), 3, 4);
         int main(void) { if (z != 3) reach_error(); return 0; }",
    ),
    (
        "sorting_and_searching_nothing",
        Answer::Safe,
        false,
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         int compare(const void *a, const void *b) { reach_error(); return 0; }
         int main(void) { qsort(0, 0, 4, compare); if (bsearch(\"\", 0, 0, 4, compare)) reach_error(); return 0; }",
    ),
    (
        "aligned_memory",
        Answer::Safe,
        false,
        "void *aligned_alloc(unsigned long, unsigned long);
         int main(void) { int *p = aligned_alloc(16, 32); if (p) { p[7] = 3; if (p[7] != 3) reach_error(); } return 0; }",
    ),
    (
        "streams_that_differ",
        Answer::Safe,
        false,
        "extern struct _IO_FILE *stdin, *stdout, *stderr;
         int main(void) { if (stdin == stdout || stdout == stderr || stdin == stderr) reach_error(); return 0; }",
    ),
];

#[test]
fn answers_are_those_of_compiled_programs() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("spellings", PROGRAMS);
}
