//! The C library in C: the models beside the real functions, and what is said of programs that use them. Each program here
//! fails, or does not, when it is compiled and run; the answer is the same, or a refusal.

// Not every test uses everything; a skipped one says so.
#![allow(clippy::print_stdout)]

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::{Checks, Options as COptions, Output};
use std::path::Path;
use std::process::Command;

const PROGRAMS: &[Case] = &[
    (
        "error_number_of_a_number",
        Answer::Safe,
        false,
        "int *__errno_location(void); long strtol(const char *, char **, int);
         int main(void) { if (*__errno_location() != 0) reach_error(); *__errno_location() = 5;
           if (strtol(\"12\", 0, 10) != 12 || *__errno_location() != 5) reach_error();
           strtol(\"99999999999999999999\", 0, 10); if (*__errno_location() != 34) reach_error(); return 0; }",
    ),
    (
        "wide_texts",
        Answer::Safe,
        false,
        "typedef int wchar_t; wchar_t *wcscpy(wchar_t *, const wchar_t *), *wcscat(wchar_t *, const wchar_t *), *wcschr(const wchar_t *, wchar_t); unsigned long wcslen(const wchar_t *); int wcscmp(const wchar_t *, const wchar_t *);
         int main(void) { wchar_t a[8] = L\"abc\", b[8]; wcscpy(b, a); wcscat(b, L\"de\");
           if (wcslen(b) != 5 || wcscmp(a, b) >= 0 || wcschr(b, 'd') != b + 3 || b[5]) reach_error(); return 0; }",
    ),
    (
        "wide_texts_not_so",
        Answer::Unsafe,
        true,
        "typedef int wchar_t; wchar_t *wcscpy(wchar_t *, const wchar_t *), *wcscat(wchar_t *, const wchar_t *), *wcschr(const wchar_t *, wchar_t); unsigned long wcslen(const wchar_t *); int wcscmp(const wchar_t *, const wchar_t *);
         int main(void) { wchar_t a[8] = L\"abc\", b[8]; wcscpy(b, a); if (wcslen(b) == 3) reach_error(); return 0; }",
    ),
    (
        "the_time_is_what_is_stored",
        Answer::Safe,
        false,
        "long time(long *); int main(void) { long s, r = time(&s); if (s != r) reach_error(); return 0; }",
    ),
    (
        "error_number_of_the_program",
        Answer::Unsafe,
        true,
        "int *__errno_location(void); static int fail(void) { *__errno_location() = 22; return -1; }
         int main(void) { if (fail() < 0 && *__errno_location() == 22) reach_error(); return 0; }",
    ),
    (
        "error_number_after_a_function_of_the_library",
        Answer::Refused,
        true,
        "int *__errno_location(void); typedef struct stream FILE; FILE *fopen(const char *, const char *); int fputc(int, FILE *);
         extern FILE *stdin; int main(void) { if (fputc('x', stdin) < 0 && *__errno_location() == 9) reach_error(); return 0; }",
    ),
    (
        "error_number_after_a_function_without_a_body",
        Answer::Refused,
        false,
        "int *__errno_location(void); int close(int);
         int main(void) { *__errno_location() = 0; close(0); if (*__errno_location() == 77) reach_error(); return 0; }",
    ),
    (
        "error_number_after_an_allocation",
        Answer::Refused,
        true,
        "int *__errno_location(void); void *malloc(unsigned long);
         int main(void) { char *p = malloc(1ul << 62); if (!p && *__errno_location() == 12) reach_error(); return 0; }",
    ),
    (
        "error_number_after_an_allocation_at_an_alignment",
        Answer::Refused,
        true,
        "int *__errno_location(void); void *memalign(unsigned long, unsigned long);
         int main(void) { char *p = memalign(16, 1ul << 62); if (!p && *__errno_location() == 12) reach_error(); return 0; }",
    ),
    (
        "error_number_that_is_saved",
        Answer::Safe,
        false,
        "int *__errno_location(void); void free(void *); void *malloc(unsigned long); void perror(const char *);
         int main(void) { void *p = malloc(4); *__errno_location() = 3; int saved = *__errno_location(); free(p); perror(0);
           *__errno_location() = saved; if (*__errno_location() != 3) reach_error(); return 0; }",
    ),
    (
        "arguments_end_with_a_null_pointer",
        Answer::Safe,
        false,
        "int main(int argc, char **argv) { int n = 0; char **p = argv; while (argv[n]) n++; while (*p) p++;
           if (n > argc || argv[argc] || p != argv + n) reach_error(); return 0; }",
    ),
    (
        "arguments_that_are_read",
        Answer::Unsafe,
        true,
        "int main(int argc, char **argv) { if (argc > 0 && argv[0][0] != '!') reach_error(); return 0; }",
    ),
    (
        "arguments_that_are_set",
        Answer::Unsafe,
        true,
        "int main(int argc, char **argv) { if (argc < 1) return 0; argv[0] = \"x\"; char **end = argv + argc;
           if (argv[0][0] == 'x' && *end == 0) reach_error(); return 0; }",
    ),
    (
        "how_much_is_printed",
        Answer::Safe,
        false,
        "int printf(const char *, ...); int main(void) { int n = printf(\"ab%3u%%%c\\n\", 5u, 'x');
           if (n >= 0 && n != 8) reach_error(); return 0; }",
    ),
    (
        "how_much_is_printed_not_so",
        Answer::Unsafe,
        true,
        "int printf(const char *, ...); int main(void) { int n = printf(\"ab%3u%%%c\\n\", 5u, 'x');
           if (n == 8) reach_error(); return 0; }",
    ),
    (
        "printing_may_fail",
        Answer::Refused,
        false,
        "int printf(const char *, ...); int main(void) { if (printf(\"x\") != 1) reach_error(); return 0; }",
    ),
    (
        "characters",
        Answer::Safe,
        false,
        "int isalpha(int), isspace(int), toupper(int);
         int main(void) { if (!isalpha('q') || isalpha('1') || isspace('x') || toupper('b') != 'B') reach_error(); return 0; }",
    ),
    (
        "a_true_character_is_no_certain_number",
        Answer::Unsafe,
        true,
        "int isalpha(int); int main(void) { if (isalpha('q') != 1) reach_error(); return 0; }",
    ),
    (
        "numbers",
        Answer::Safe,
        false,
        "int atoi(const char *); long strtol(const char *, char **, int);
         int main(void) { char *e; const char *s = \"-12x\"; if (atoi(s) != -12 || strtol(s, &e, 10) != -12 || *e != 'x') reach_error();
         if (strtol(\"0x1f\", 0, 0) != 31) reach_error(); return 0; }",
    ),
    (
        "number_with_mistake",
        Answer::Unsafe,
        true,
        "int atoi(const char *); int main(void) { if (atoi(\" 7 \") == 7) reach_error(); return 0; }",
    ),
    (
        "copied_text",
        Answer::Safe,
        false,
        "typedef unsigned long size_t; char *strncpy(char *, const char *, size_t); int strcmp(const char *, const char *);
         int main(void) { char b[8]; strncpy(b, \"abc\", 8); if (b[7] != 0 || strcmp(b, \"abc\") != 0) reach_error(); return 0; }",
    ),
    (
        "words_of_a_text",
        Answer::Unsafe,
        true,
        "char *strtok(char *, const char *); int main(void) { char b[] = \"a b\"; strtok(b, \" \");
         if (*strtok(0, \" \") == 'b') reach_error(); return 0; }",
    ),
    (
        "division_with_remainder",
        Answer::Safe,
        false,
        "typedef struct { int quot, rem; } div_t; div_t div(int, int);
         int main(void) { div_t d = div(-7, 2); if (d.quot != -3 || d.rem != -1) reach_error(); return 0; }",
    ),
    (
        "sorted",
        Answer::Unsafe,
        true,
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
         int main(void) { int a[4] = { 3, 1, 2, 1 }; qsort(a, 4, sizeof(int), order);
         if (a[0] == 1 && a[1] == 1 && a[3] == 3) reach_error(); return 0; }",
    ),
    (
        "found",
        Answer::Unsafe,
        true,
        "void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
         int main(void) { int a[4] = { 1, 2, 3, 5 }, k = 5; if (bsearch(&k, a, 4, sizeof(int), order) == a + 3) reach_error(); return 0; }",
    ),
    (
        "computed_size",
        Answer::Unsafe,
        true,
        "void *memcpy(void *, const void *, unsigned long); int main(int argc, char **argv) {
         int a[3] = { 7, 8, 9 }, b[3] = { 0 }, n = argc > 50 ? 1 : 2; memcpy(b, a, n * sizeof(int)); if (b[1] == 8 && b[2] == 0) reach_error(); return 0; }",
    ),
    (
        "written_text",
        Answer::Unsafe,
        true,
        "int sprintf(char *, const char *, ...); int main(void) { char b[20]; int n = sprintf(b, \"%d:%-3s|%02x\", -5, \"a\", 11u);
         if (n == 9 && b[0] == '-' && b[4] == ' ' && b[6] == '|' && b[8] == 'b' && b[9] == 0) reach_error(); return 0; }",
    ),
    (
        "written_numbers_of_so_many_digits",
        Answer::Safe,
        false,
        "int sprintf(char *, const char *, ...); int main(void) { char b[40]; int n = sprintf(b, \"%.3d|%06.2x|%.0u|%+-4.1i|\", -5, 171, 0u, 0);
         const char *t = \"-005|    ab||+0  |\"; if (n != 18) reach_error(); for (int i = 0; i <= n; i++) if (b[i] != t[i]) reach_error(); return 0; }",
    ),
    (
        "written_numbers_of_so_many_digits_not_so",
        Answer::Unsafe,
        true,
        "int sprintf(char *, const char *, ...); int main(void) { char b[40]; sprintf(b, \"%06.2x\", 171); if (b[0] == ' ' && b[4] == 'a') reach_error(); return 0; }",
    ),
    (
        "read_text_not_so",
        Answer::Unsafe,
        true,
        "int sscanf(const char *, const char *, ...); int main(void) { int h, m; char r[3];
         if (sscanf(\"9:05pm\", \"%d:%d%2s\", &h, &m, r) == 3 && h == 9 && m == 5 && r[0] == 'p' && r[2] == 0) reach_error(); return 0; }",
    ),
    (
        "read_words_have_no_space_in_them",
        Answer::Safe,
        false,
        "int scanf(const char *, ...); int main(void) { char w[4] = \"ab\"; if (scanf(\"%3s\", w) != 1) return 0;
         for (int i = 0; w[i]; i++) if (i > 2 || w[i] == ' ' || w[i] == '\\n') reach_error(); if (w[0] == 0) reach_error(); return 0; }",
    ),
    (
        "nothing_is_read_behind_what_cannot_be_read",
        Answer::Safe,
        false,
        "int scanf(const char *, ...); int main(void) { char w[4] = \"\"; int n = 0; scanf(\"%3s %d\", w, &n); if (n == 5 && w[0] == 0) reach_error(); return 0; }",
    ),
    (
        "text_that_does_not_fit",
        Answer::Unsafe,
        true,
        "int snprintf(char *, unsigned long, const char *, ...); int main(void) { char b[3]; if (snprintf(b, 3, \"%d\", 1234) == 4 && b[1] == '2' && b[2] == 0) reach_error(); return 0; }",
    ),
    (
        "a_function_of_its_own_counts",
        Answer::Unsafe,
        true,
        "typedef unsigned long size_t; static size_t strnlen(const char *s, size_t n) { return 99; }
         int main(void) { if (strnlen(\"a\", 5) == 99) reach_error(); return 0; }",
    ),
    (
        "another_thing_by_the_name",
        Answer::Unsafe,
        true,
        "static int index = 3; int main(void) { if (index == 3) reach_error(); return 0; }",
    ),
    (
        "copied_list_that_was_read_before",
        Answer::Safe,
        false,
        "int f(int n, ...) { __builtin_va_list l, k; __builtin_va_start(l, n); int a = __builtin_va_arg(l, int);
         __builtin_va_copy(k, l); int b = __builtin_va_arg(l, int); return a * 100 + b * 10 + __builtin_va_arg(k, int); }
         int main(void) { if (f(0, 7, 8) != 788) reach_error(); return 0; }",
    ),
    (
        "what_getopt_says",
        Answer::Unsafe,
        true,
        "extern int optind; int getopt(int, char *const *, const char *);
         int main(int argc, char **argv) { char *args[] = { argv[0], \"-a\", 0 }; int before = optind; getopt(2, args, \"a\");
         if (optind != before) reach_error(); return 0; }",
    ),
    (
        "how_often_sorting_compares",
        Answer::Refused,
        false,
        "typedef unsigned long size_t; void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); int calls;
         int order(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
         int main(void) { int a[] = { 5, 4, 3, 2, 1 }; qsort(a, 5, sizeof a[0], order); if (calls == 10) reach_error();
         return 0; }",
    ),
    (
        "how_often_sorting_compares_does_not_matter",
        Answer::Unsafe,
        true,
        "typedef unsigned long size_t; void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); int calls;
         int order(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
         int main(void) { int a[] = { 3, 1, 2 }; qsort(a, 3, sizeof a[0], order); if (a[0] == 1) reach_error(); return 0; }",
    ),
    (
        "what_searching_compares_last",
        Answer::Refused,
        true,
        "typedef unsigned long size_t; int last; int order(const void *a, const void *b) { last = *(const int *)b;
         return *(const int *)a - *(const int *)b; }
         void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
         int main(void) { int a[] = { 1, 2, 3, 4, 5 }, k = 9; bsearch(&k, a, 5, sizeof a[0], order);
         if (last == 5) reach_error(); return 0; }",
    ),
    (
        "error_in_a_comparison",
        Answer::Refused,
        false,
        "typedef unsigned long size_t; void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
         int order(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b;
         if (x == 1 && y == 4) reach_error(); return x - y; }
         int main(void) { int a[] = { 1, 2, 3, 4 }; qsort(a, 4, sizeof a[0], order); return 0; }",
    ),
    (
        "another_function_by_the_name",
        Answer::Refused,
        false,
        "int div(int, int); int main(int argc, char **argv) { if (argc > 99 && div(7, 2) != 3) reach_error(); return 0; }",
    ),
    (
        "through_a_pointer",
        Answer::Unsafe,
        true,
        "typedef unsigned long size_t; size_t strlen(const char *); size_t (*length)(const char *) = strlen;
         int main(void) { if (length(\"abc\") == 3) reach_error(); return 0; }",
    ),
    (
        "by_the_name_of_the_compiler",
        Answer::Unsafe,
        true,
        "int main(void) { char b[4] = \"xyz\"; if (__builtin_strchr(b, 'y') == b + 1) reach_error(); return 0; }",
    ),
    (
        "variable_arguments",
        Answer::Safe,
        false,
        "static int sum(int n, ...) { __builtin_va_list l, m; int s = 0; __builtin_va_start(l, n); __builtin_va_copy(m, l);
         while (n-- > 0) s += __builtin_va_arg(l, int); s += 100 * __builtin_va_arg(m, int); __builtin_va_end(l); return s; }
         int main(void) { if (sum(3, 1, 2, 3) != 106 || sum(1, 5) != 505) reach_error(); return 0; }",
    ),
    (
        "list_handed_on",
        Answer::Unsafe,
        true,
        "typedef __builtin_va_list list; static long last(const char *f, list l) { long r = 0; for (; *f; f++)
         r = *f == 'd' ? __builtin_va_arg(l, int) : *__builtin_va_arg(l, char *); return r; }
         static long call(const char *f, ...) { list l; __builtin_va_start(l, f); long r = last(f, l); __builtin_va_end(l); return r; }
         int main(void) { if (call(\"dsd\", 1, \"q\", 3) == 3 && call(\"ds\", 1, \"q\") == 'q') reach_error(); return 0; }",
    ),
    (
        "arguments_of_an_alias",
        Answer::Refused,
        true,
        "int first(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return __builtin_va_arg(l, int); }
         int other(int n, ...) __attribute__((alias(\"first\")));
         int main(void) { if (other(1, 7) == 7) reach_error(); return 0; }",
    ),
    (
        "arguments_of_a_call_that_recurs",
        Answer::Refused,
        true,
        "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int v = __builtin_va_arg(l, int);
         return n == 0 ? v : f(n - 1, v + 1); } int main(void) { if (f(2, 5) == 7) reach_error(); return 0; }",
    ),
];

#[test]
fn programs_are_answered_as_they_behave() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("c_library", PROGRAMS);
}

#[test]
fn what_equal_elements_become_is_not_taken_for_certain() {
    let text = "struct s { int k, v; }; void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
        int order(const void *a, const void *b) { return ((const struct s *)a)->k - ((const struct s *)b)->k; }
        int main(void) { struct s a[2] = { { 1, 1 }, { 1, 2 } }; qsort(a, 2, sizeof *a, order); if (a[0].v != 1) reach_error(); return 0; }";
    assert_eq!(answer(text, &COptions::default()).0, Answer::Unsafe);
}

#[test]
fn output_that_never_fails_is_an_assumption() {
    let printed = |condition: &str| {
        format!(
            "int printf(const char *, ...); int puts(const char *); unsigned nondet_uint(void);
             int main(void) {{ int n = printf(\"%x\", nondet_uint()); if ({condition}) reach_error(); return 0; }}"
        )
    };
    let assumed = COptions {
        output: Output::NeverFails,
        ..COptions::default()
    };
    for (condition, may_fail, never_fails) in [
        ("n < 1 || n > 8", Answer::Refused, Answer::Safe),
        ("n != 8", Answer::Unsafe, Answer::Unsafe),
        ("puts(\"x\") < 0", Answer::Refused, Answer::Safe),
        ("puts(\"x\") > 1", Answer::Refused, Answer::Refused),
    ] {
        let text = printed(condition);
        assert_eq!(answer(&text, &COptions::default()).0, may_fail, "{condition}");
        assert_eq!(answer(&text, &assumed).0, never_fails, "{condition}");
    }
}

#[test]
fn a_text_that_is_too_long_is_found_where_it_is_copied() {
    let options = COptions {
        checks: Checks {
            bounds: true,
            ..Checks::default()
        },
        ..COptions::default()
    };
    let program = |text: &str| {
        format!("char *strcpy(char *, const char *); int main(void) {{ char b[4]; strcpy(b, \"{text}\"); return 0; }}")
    };
    assert_eq!(answer(&program("abcd"), &options).0, Answer::Unsafe);
    assert_eq!(answer(&program("abc"), &options).0, Answer::Safe);
}

#[test]
fn null_for_no_bytes_is_no_dereference() {
    let text = "void *memcpy(void *, const void *, unsigned long);
        int main(void) { char b[4], *p = 0; memcpy(b, p, 0); return 0; }";
    for (name, expected) in [("null", Answer::Unsafe), ("valid-deref", Answer::Safe)] {
        let options = COptions {
            checks: Checks::named(name).expect("it is one"),
            ..COptions::default()
        };
        assert_eq!(answer(text, &options).0, expected, "{name}");
    }
}

#[test]
fn the_models_do_what_the_library_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_library_beside");
    let compiled = Command::new("gcc")
        .args(["-w", "-O1", "-o"])
        .arg(&program)
        .arg(root.join("tests/c/library_beside.c"))
        .arg("-lm")
        .output();
    let Ok(compiled) = compiled else {
        println!("skipped: there is no gcc");
        return;
    };
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let said = Command::new(&program).output().expect("it runs").stdout;
    assert_eq!(String::from_utf8_lossy(&said), "the same\n");
}
