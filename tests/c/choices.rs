//! The types of choices between pointers, and of what is declared in several ways. Each program fails, or does not, when it is
//! compiled and run; the answer is the same.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "choice_between_a_pointer_and_one_to_void",
        Answer::Unsafe,
        true,
        "extern int getchar(void); int main(void) { int a[3] = { 1, 2, 3 }; void *v = a; int *p = a;
         if ((char *)((getchar() != 1 ? p : v) + 1) - (char *)a == 1) reach_error(); return 0; }",
    ),
    (
        "choice_with_the_one_to_void_first",
        Answer::Safe,
        false,
        "extern int getchar(void); int main(void) { int a[3] = { 1, 2, 3 }; void *v = a; int *p = a;
         if ((char *)((getchar() == 1 ? v : p) + 2) - (char *)a != 2) reach_error(); return 0; }",
    ),
    (
        "size_of_what_a_choice_points_to",
        Answer::Safe,
        false,
        "int main(void) { int a[3]; void *v = a; int *p = a; if (sizeof(*(1 ? p : v)) != 1) reach_error();
         if (sizeof(*(1 ? p : (int *)0)) != 4) reach_error(); return 0; }",
    ),
    (
        "null_gives_way_to_the_other_type",
        Answer::Safe,
        false,
        "extern int getchar(void); int main(void) { int a[3] = { 1, 2, 3 }; int *p = a; int c = getchar() != 1;
         if (c && (char *)((c ? p : (void *)0) + 1) - (char *)a != 4) reach_error();
         if (c && (char *)((c ? p : 0) + 1) - (char *)a != 4) reach_error(); return 0; }",
    ),
    (
        "choice_between_arrays_with_and_without_a_length",
        Answer::Safe,
        false,
        "extern int t[]; int t[5]; int main(void) { int (*p)[5] = &t; int (*q)[] = &t;
         if (sizeof(*(1 ? q : p)) != 20 || sizeof(*(1 ? p : q)) != 20) reach_error(); return 0; }",
    ),
    (
        "choice_with_something_volatile",
        Answer::Unsafe,
        false,
        "volatile int v = 1; int w = 1; int main(void) { int c = v != 7; if (*(c ? &w : &v) == 5) reach_error(); return 0; }",
    ),
    (
        "declarations_that_leave_open_what_others_say",
        Answer::Safe,
        false,
        "int f(int (*p)[]); int f(int (*p)[3]) { return (*p)[2]; } int g(int (*p)()); int g(int (*p)(int)) { return p(1); }
         int h(int x) { return x + 1; } extern int (*e)[]; int a[3] = { 1, 2, 3 }; int (*e)[3] = &a;
         int main(void) { if (f(&a) != 3 || g(h) != 2 || sizeof *e != 12) reach_error(); return 0; }",
    ),
    (
        "external_variable_of_several_blocks",
        Answer::Unsafe,
        true,
        "int set(void) { extern int level; level = 4; return 0; } int get(void) { extern int level; return level; }
         int level = 1; int main(void) { set(); if (get() == 4 && level == 4) reach_error(); return 0; }",
    ),
    (
        "cast_to_a_union_that_nobody_wants",
        Answer::Safe,
        false,
        "union u { int i; float f; }; int main(void) { int x = 1; (union u)(x++); (void)(x++, x); (int)(char)x++; if (x != 4) reach_error(); return 0; }",
    ),
    (
        "static_function_by_another_name_before_its_body",
        Answer::Unsafe,
        true,
        "extern int other(int) __attribute__((alias(\"real\"))); int test(void) { return other(1); }
         static int real(int x) { return x + 4; } int main(void) { if (test() == 5) reach_error(); return 0; }",
    ),
    (
        "type_by_another_word_and_an_attribute",
        Answer::Safe,
        false,
        "extern int wide __attribute__((mode(DI))); long wide = 5; static int f(void); extern int f(void); static int f(void) { return 1; }
         int main(void) { int f(void); if (wide != 5 || sizeof wide != 8 || f() != 1) reach_error(); return 0; }",
    ),
    (
        "elements_of_a_result",
        Answer::Safe,
        false,
        "struct s { int a[2]; }; struct s f(void) { struct s s = { { 1, 2 } }; return s; }
         int main(void) { const int *p = &f().a[0]; (void)p; if (f().a[1] != 2) reach_error(); return 0; }",
    ),
];

#[test]
fn programs_are_answered_as_they_behave() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("c_choices", PROGRAMS);
}
