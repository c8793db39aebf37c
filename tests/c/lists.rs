//! Lists of arguments, and formats that say what happens to what is in them.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::Options as COptions;

const PROGRAMS: &[Case] = &[
    (
        "count_by_vprintf",
        Answer::Refused,
        true,
        "int vprintf(const char *, __builtin_va_list);
         static void print(const char *format, ...) { __builtin_va_list list; __builtin_va_start(list, format); vprintf(format, list); __builtin_va_end(list); }
         int main(void) { int n = 0; print(\"ab%n\", &n); if (n == 2) reach_error(); return 0; }",
    ),
    (
        "count_by_a_format_that_is_written_there",
        Answer::Refused,
        true,
        "int vprintf(const char *, __builtin_va_list);
         static void print(int k, ...) { __builtin_va_list list; __builtin_va_start(list, k); vprintf(\"ab%n\", list); __builtin_va_end(list); }
         int main(void) { int n = 0; print(1, &n); if (n == 2) reach_error(); return 0; }",
    ),
    (
        "number_by_vsscanf",
        Answer::Refused,
        true,
        "int vsscanf(const char *, const char *, __builtin_va_list);
         static void scan(const char *text, ...) { __builtin_va_list list; __builtin_va_start(list, text); vsscanf(text, \"%d\", list); __builtin_va_end(list); }
         int main(void) { int n = 0; scan(\"7\", &n); if (n == 7) reach_error(); return 0; }",
    ),
    (
        "list_that_has_been_read",
        Answer::Refused,
        true,
        "int vprintf(const char *, __builtin_va_list);
         static int second(int k, ...) { __builtin_va_list list; __builtin_va_start(list, k); vprintf(\"%d\", list); int n = __builtin_va_arg(list, int);
         __builtin_va_end(list); return n; }
         int main(void) { if (second(1, 3, 4) == 4) reach_error(); return 0; }",
    ),
    (
        "list_that_is_started_again",
        Answer::Unsafe,
        true,
        "int vprintf(const char *, __builtin_va_list);
         static int first(int k, ...) { __builtin_va_list list; __builtin_va_start(list, k); vprintf(\"%d\", list); __builtin_va_end(list);
         __builtin_va_start(list, k); int n = __builtin_va_arg(list, int); __builtin_va_end(list); return n; }
         int main(void) { if (first(1, 3, 4) == 3) reach_error(); return 0; }",
    ),
    (
        "printed_number",
        Answer::Safe,
        false,
        "int vprintf(const char *, __builtin_va_list);
         static void print(int k, ...) { __builtin_va_list list; __builtin_va_start(list, k); vprintf(\"%d\", list); __builtin_va_end(list); }
         int main(void) { int n = 0; print(1, n); if (n) reach_error(); return 0; }",
    ),
    (
        "count_by_scanf",
        Answer::Refused,
        true,
        "int scanf(const char *, ...);
         int main(void) { int n = 5, count = scanf(\"%n\", &n); if (count == 0 && n == 0) reach_error(); return 0; }",
    ),
];

/// What `scanf` puts somewhere, which depends on what there is to be read.
const FORMATS: &[(&str, Answer)] = &[
    ("%d", Answer::Safe),
    ("%3d", Answer::Safe),
    ("%hs", Answer::Refused),
    ("%ls", Answer::Refused),
    ("%[a-z]", Answer::Refused),
    ("%2c", Answer::Refused),
    ("%*[a-z]", Answer::Refused),
    ("%*s%d", Answer::Safe),
];

#[test]
fn lists_are_followed_or_refused() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("lists", PROGRAMS);
}

#[test]
fn what_scanf_reads_is_one_number_or_refused() {
    for (format, expected) in FORMATS {
        // Of what is read, nothing reaches beyond the first element.
        let text = format!(
            "int scanf(const char *, ...);
             int main(void) {{ int into[4] = {{0}}; scanf(\"{format}\", into); if (into[1]) reach_error(); return 0; }}"
        );
        let (found, why) = answer(&text, &COptions::default());
        assert_eq!(found, *expected, "{format}: {why}");
    }
}
