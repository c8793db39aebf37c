//! Names for the linker and what runs before and after `main`: each program here fails, or does not, when it is compiled and
//! run; the answer is the same, or a refusal.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::Options;

const PROGRAMS: &[Case] = &[
    (
        "alias_of_variable",
        Answer::Unsafe,
        true,
        r#"int x = 1; extern int y __attribute__((alias("x"))); int main(void) { y = 7; if (x == 7) reach_error(); return 0; }"#,
    ),
    (
        "alias_before_variable",
        Answer::Unsafe,
        true,
        r#"extern int y __attribute__((alias("x"))); int x = 4; int main(void) { if (y == 4) reach_error(); return 0; }"#,
    ),
    (
        "alias_of_static",
        Answer::Unsafe,
        true,
        r#"static int x = 1; extern int y __attribute__((alias("x"))); int main(void) { int *p = &y; *p = 5; if (x == 5) reach_error(); return 0; }"#,
    ),
    (
        "alias_of_array",
        Answer::Unsafe,
        true,
        r#"int x[3] = { 1, 2, 3 }; extern int y[3] __attribute__((alias("x"))); int main(void) { y[1] = 5; if (x[1] == 5) reach_error(); return 0; }"#,
    ),
    (
        "alias_of_another_type",
        Answer::Refused,
        true,
        r#"int x = 1; extern unsigned y __attribute__((alias("x"))); int main(void) { y = 5; if (x == 5) reach_error(); return 0; }"#,
    ),
    (
        "alias_has_one_address",
        Answer::Unsafe,
        true,
        r#"int f(void) { return 3; } int g(void) __attribute__((alias("f"))); int main(void) { int (*p)(void) = f, (*q)(void) = g; if (p == q) reach_error(); return 0; }"#,
    ),
    (
        "name_of_variable",
        Answer::Unsafe,
        true,
        r#"int x = 1; extern int y __asm__("x"); int main(void) { y = 7; if (x == 7) reach_error(); return 0; }"#,
    ),
    (
        "exit_by_another_name",
        Answer::Safe,
        false,
        r#"void leave(int) __asm__("exit"); int main(void) { leave(0); reach_error(); return 0; }"#,
    ),
    (
        "priority_of_another_base",
        Answer::Safe,
        false,
        r#"static int n; __attribute__((constructor(0x70))) static void a(void) { n = n * 10 + 1; }
         __attribute__((constructor(0200))) static void b(void) { n = n * 10 + 2; }
         __attribute__((constructor(111u))) static void c(void) { n = n * 10 + 3; } int main(void) { if (n != 312) reach_error(); return 0; }"#,
    ),
    (
        "priority_that_is_calculated",
        Answer::Refused,
        true,
        r#"enum { last = 150 }; static int n; __attribute__((constructor(last))) static void a(void) { n = n * 10 + 1; }
         __attribute__((constructor(140))) static void b(void) { n = n * 10 + 2; } int main(void) { if (n == 21) reach_error(); return 0; }"#,
    ),
    (
        "priority_of_those_without_one",
        Answer::Safe,
        false,
        r#"static int n; __attribute__((constructor)) static void a(void) { n = n * 10 + 1; }
         __attribute__((constructor(65535))) static void b(void) { n = n * 10 + 2; } int main(void) { if (n != 12) reach_error(); return 0; }"#,
    ),
    (
        "priority_in_a_later_declaration",
        Answer::Refused,
        true,
        r#"static int n; static void a(void); __attribute__((constructor(101))) static void a(void) { n = n * 10 + 1; }
         __attribute__((constructor(140))) static void b(void) { n = n * 10 + 2; } int main(void) { if (n == 21) reach_error(); return 0; }"#,
    ),
    (
        "constructors_as_they_are_defined",
        Answer::Safe,
        false,
        r#"static int n; static void a(void) __attribute__((constructor)); static void b(void) __attribute__((constructor));
         static void b(void) { n = n * 10 + 2; } static void a(void) { n = n * 10 + 1; } int main(void) { if (n != 21) reach_error(); return 0; }"#,
    ),
    (
        "destructors_as_they_are_defined",
        Answer::Unsafe,
        true,
        r#"static int n; static void a(void) __attribute__((destructor)); static void b(void) __attribute__((destructor));
         static void b(void) { if (n) reach_error(); } static void a(void) { n = 1; } int main(void) { return 0; }"#,
    ),
    (
        "constructor_by_another_name",
        Answer::Safe,
        false,
        r#"static int n; void f(void) { n++; } void g(void) __attribute__((alias("f"), constructor)); int main(void) { if (n) reach_error(); return 0; }"#,
    ),
    (
        "own_function_under_a_name_of_the_library",
        Answer::Unsafe,
        true,
        r#"int mine(const char *) __asm__("atoi"); int mine(const char *s) { return 99; } int atoi(const char *);
         int main(void) { if (atoi("1") == 99) reach_error(); return 0; }"#,
    ),
    (
        "pragma_weak",
        Answer::Refused,
        true,
        r#"#pragma weak nobody
extern void nobody(void); int main(void) { if (!nobody) reach_error(); return 0; }"#,
    ),
    (
        "ends_of_section",
        Answer::Refused,
        true,
        r#"__attribute__((section("tab"), used)) static int a = 1; __attribute__((section("tab"), used)) static int b = 2; extern int __start_tab[], __stop_tab[]; int main(void) { if (__stop_tab - __start_tab == 2) reach_error(); return 0; }"#,
    ),
    (
        "section_that_is_run",
        Answer::Refused,
        true,
        r#"void f(void) { reach_error(); } __attribute__((section(".init_array"), used)) void (*p)(void) = f; int main(void) { return 0; }"#,
    ),
    (
        "destructor",
        Answer::Unsafe,
        true,
        r#"__attribute__((destructor)) void d(void) { reach_error(); } int main(void) { return 0; }"#,
    ),
    (
        "destructor_at_exit",
        Answer::Unsafe,
        true,
        r#"void exit(int); void d(void) __attribute__((destructor)); int g; int main(void) { g = 4; exit(0); } void d(void) { if (g == 4) reach_error(); }"#,
    ),
    (
        "destructor_without_exit",
        Answer::Safe,
        false,
        r#"void _Exit(int) __attribute__((noreturn)); __attribute__((destructor)) void d(void) { reach_error(); } int main(void) { _Exit(0); }"#,
    ),
    (
        "destructors_in_order",
        Answer::Unsafe,
        true,
        r#"int s; __attribute__((destructor(102))) void a(void) { s = 1; } __attribute__((destructor(101))) void b(void) { if (s == 1) reach_error(); } int main(void) { return 0; }"#,
    ),
    (
        "destructors_of_one_order",
        Answer::Unsafe,
        true,
        r#"int s; __attribute__((destructor)) void a(void) { if (s == 1) reach_error(); } __attribute__((destructor)) void b(void) { s = 1; } int main(void) { return 0; }"#,
    ),
    (
        "constructor_and_destructor",
        Answer::Unsafe,
        true,
        r#"int g; __attribute__((constructor, destructor)) void d(void) { if (g++ == 1) reach_error(); } int main(void) { return 0; }"#,
    ),
    (
        "size_of_function",
        Answer::Unsafe,
        true,
        r#"int main(void) { if (sizeof(main) == 1) reach_error(); return 0; }"#,
    ),
];

#[test]
fn names_for_the_linker_are_followed_or_refused() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("symbols", PROGRAMS);
}

#[test]
fn two_names_of_another_files_variable_are_one() {
    let text =
        r#"extern int a __asm__("z"), b __asm__("z"); int main(void) { a = 3; if (b == 3) reach_error(); return 0; }"#;
    assert_eq!(answer(text, &Options::default()).0, Answer::Unsafe);
}

#[test]
fn callers_of_the_entry_may_hand_over_functions() {
    let options = Options {
        entry: "f".to_string(),
        ..Options::default()
    };
    let text =
        "int g; void set(void) { g = 1; } int f(void (*a)(void)) { g = 0; a(); if (g) reach_error(); return 0; }";
    assert_eq!(answer(text, &options).0, Answer::Refused);
    let text = "int f(void (*a)(void)) { a(); return 0; }";
    assert_eq!(answer(text, &options).0, Answer::Refused);
}

#[test]
fn an_error_function_has_the_compilers_name_too() {
    let options = Options {
        error_functions: vec!["abort".to_string()],
        ..Options::default()
    };
    let text = "int main(void) { __builtin_abort(); return 0; }";
    assert_eq!(answer(text, &options).0, Answer::Unsafe);
}
