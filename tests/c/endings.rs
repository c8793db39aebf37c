//! What is called at the end: of the scope of a local variable (`cleanup`), and of the program (`atexit`). Each program fails, or
//! does not, when it is compiled and run; the answer is the same.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::Options;

const PROGRAMS: &[Case] = &[
    (
        "a_block_ends",
        Answer::Safe,
        false,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         int main(void) { { int x __attribute__((cleanup(end))) = 1, y __attribute__((cleanup(end))) = 2; x += 4; }
         if (n != 2 || seen[0] != 2 || seen[1] != 5) reach_error(); for (int i __attribute__((cleanup(end))) = 0; i < 2; i++) seen[n++] = 9;
         if (n != 5 || seen[3] != 9 || seen[4] != 2) reach_error(); return 0; }",
    ),
    (
        "a_block_ends_not_so",
        Answer::Unsafe,
        true,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         int main(void) { { int x __attribute__((cleanup(end))) = 1, y __attribute__((cleanup(end))) = 2; x += 4; }
         if (n != 2 || seen[0] != 1 || seen[1] != 5) reach_error(); for (int i __attribute__((cleanup(end))) = 0; i < 2; i++) seen[n++] = 9;
         if (n != 5 || seen[3] != 9 || seen[4] != 2) reach_error(); return 0; }",
    ),
    (
        "a_loop_is_left",
        Answer::Safe,
        false,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         int main(void) { for (int i = 0; i < 3; i++) { int z __attribute__((cleanup(end))) = i; if (i == 1) continue; if (i == 2) break; seen[n++] = 7; }
         if (n != 4 || seen[0] != 7 || seen[1] != 0 || seen[2] != 1 || seen[3] != 2) reach_error();
         n = 0; switch (3) { int k __attribute__((cleanup(end))); case 3: k = 8; seen[n++] = 6; } if (n != 2 || seen[1] != 8) reach_error(); return 0; }",
    ),
    (
        "a_loop_is_left_not_so",
        Answer::Unsafe,
        true,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         int main(void) { for (int i = 0; i < 3; i++) { int z __attribute__((cleanup(end))) = i; if (i == 1) continue; if (i == 2) break; seen[n++] = 7; }
         if (n != 3 || seen[0] != 7 || seen[1] != 0 || seen[2] != 1 || seen[3] != 2) reach_error();
         n = 0; switch (3) { int k __attribute__((cleanup(end))); case 3: k = 8; seen[n++] = 6; } if (n != 2 || seen[1] != 8) reach_error(); return 0; }",
    ),
    (
        "a_jump_leaves",
        Answer::Safe,
        false,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         static int again(void) { int i = 0; back:; int x __attribute__((cleanup(end))) = i; if (i++ < 2) goto back; return x; }
         static int out(void) { int y __attribute__((cleanup(end))) = 5; { int z __attribute__((cleanup(end))) = 6; goto end; } end: seen[n++] = 50; return y; }
         int main(void) { int k = again(); if (k != 2 || n != 3 || seen[0] != 0 || seen[1] != 1 || seen[2] != 2) reach_error();
         n = 0; k = out(); if (k != 5 || n != 3 || seen[0] != 6 || seen[1] != 50 || seen[2] != 5) reach_error(); return 0; }",
    ),
    (
        "a_jump_leaves_not_so",
        Answer::Unsafe,
        true,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         static int again(void) { int i = 0; back:; int x __attribute__((cleanup(end))) = i; if (i++ < 2) goto back; return x; }
         static int out(void) { int y __attribute__((cleanup(end))) = 5; { int z __attribute__((cleanup(end))) = 6; goto end; } end: seen[n++] = 50; return y; }
         int main(void) { int k = again(); if (k != 2 || n != 3 || seen[0] != 0 || seen[1] != 1 || seen[2] != 2) reach_error();
         n = 0; k = out(); if (k != 5 || n != 3 || seen[0] != 6 || seen[1] != 5 || seen[2] != 5) reach_error(); return 0; }",
    ),
    (
        "the_result_is_known_before",
        Answer::Safe,
        false,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         static int f(void) { int x __attribute__((cleanup(end))) = 3; return x + n; } struct s { int a[2]; };
         static struct s g(void) { struct s s = { { 1, 2 } }; __attribute__((cleanup(end))) int x = 4; return s; }
         int main(void) { int k = f(), q = ({ int x __attribute__((cleanup(end))) = 5; x; }); if (k != 3 || q != 5 || n != 2) reach_error();
         struct s s = g(); if (s.a[1] != 2 || n != 3) reach_error(); return 0; }",
    ),
    (
        "the_result_is_known_before_not_so",
        Answer::Unsafe,
        true,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         static int f(void) { int x __attribute__((cleanup(end))) = 3; return x + n; } struct s { int a[2]; };
         static struct s g(void) { struct s s = { { 1, 2 } }; __attribute__((cleanup(end))) int x = 4; return s; }
         int main(void) { int k = f(), q = ({ int x __attribute__((cleanup(end))) = 5; x; }); if (k != 3 || q != 100 || n != 2) reach_error();
         struct s s = g(); if (s.a[1] != 2 || n != 3) reach_error(); return 0; }",
    ),
    (
        "exit_ends_no_block",
        Answer::Safe,
        false,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         void exit(int); static void at_end(void) { if (n != 0) reach_error(); } int atexit(void (*)(void));
         int main(int k, char **v) { atexit(at_end); int x __attribute__((cleanup(end))) = 3; if (k >= 0) exit(0); return 0; }",
    ),
    (
        "exit_ends_no_block_not_so",
        Answer::Unsafe,
        true,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         void exit(int); static void at_end(void) { if (n != 1) reach_error(); } int atexit(void (*)(void));
         int main(int k, char **v) { atexit(at_end); int x __attribute__((cleanup(end))) = 3; if (k >= 0) exit(0); return 0; }",
    ),
    (
        "what_is_called_at_the_end",
        Answer::Safe,
        false,
        "void exit(int); int atexit(void (*)(void)); int n;
         static void first(void) { if (n != 3) reach_error(); n++; } static void later(void) { if (n != 2) reach_error(); n++; }
         static void second(void) { n++; atexit(later); } static void third(void) { if (n != 0) reach_error(); n++; }
         __attribute__((destructor)) static void last(void) { if (n != 4) reach_error(); } static void quit(int k) { if (k > 3) exit(0); }
         int main(int k, char **v) { if (atexit(first)) reach_error(); atexit(second); atexit(third); quit(k); return 0; }",
    ),
    (
        "what_is_called_at_the_end_not_so",
        Answer::Unsafe,
        true,
        "void exit(int); int atexit(void (*)(void)); int n;
         static void first(void) { if (n != 3) reach_error(); n++; } static void later(void) { if (n != 2) reach_error(); n++; }
         static void second(void) { n++; atexit(later); } static void third(void) { if (n != 0) reach_error(); n++; }
         __attribute__((destructor)) static void last(void) { if (n == 4) reach_error(); } static void quit(int k) { if (k > 3) exit(0); }
         int main(int k, char **v) { if (atexit(first)) reach_error(); atexit(second); atexit(third); quit(k); return 0; }",
    ),
    (
        "aborted",
        Answer::Safe,
        false,
        "void abort(void); int atexit(void (*)(void)); static void end(void) { reach_error(); } int main(void) { atexit(end); abort(); }",
    ),
    (
        "as_often_as_it_is_asked",
        Answer::Unsafe,
        true,
        "int atexit(void (*)(void)); int n; static void end(void) { if (++n == 3) reach_error(); }
         int main(void) { for (int i = 0; i < 3; i++) atexit(end); return 0; }",
    ),
    (
        "too_often",
        Answer::Refused,
        true,
        "int atexit(void (*)(void)); int n; static void end(void) { if (++n == 40) reach_error(); }
         int main(void) { for (int i = 0; i < 40; i++) atexit(end); return 0; }",
    ),
    (
        "by_a_function_that_is_not_there",
        Answer::Safe,
        false,
        "static void end(int *p); int main(void) { int x __attribute__((cleanup(end))) = 1; return 0; } static void end(int *p) { if (*p != 1) reach_error(); }",
    ),
    (
        "two_for_one_variable",
        Answer::Refused,
        true,
        "static void fine(int *p) { } static void wrong(int *p) { reach_error(); }
         int main(void) { __attribute__((cleanup(wrong))) int x __attribute__((cleanup(fine))); return 0; }",
    ),
    (
        "a_computed_jump",
        Answer::Refused,
        true,
        "int seen[20], n; static void end(int *p) { seen[n++] = *p; *p = 100; }
         int main(void) { void *t[] = { &&a, &&b }; { int x __attribute__((cleanup(end))) = 1; goto *t[1]; } a: return 0; b: if (n == 0) reach_error(); return 0; }",
    ),
];

#[test]
fn all_is_called_in_its_turn() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("endings", PROGRAMS);
}

/// The variable lives as long as something is called with its address, and no longer.
#[test]
fn lives_end_behind_the_calls() {
    use clausal::c::options::Checks;
    let options = Options {
        checks: Checks::MEMORY,
        ..Options::default()
    };
    let end = "int *kept; static void end(int *p) { (*p)++; kept = p; }";
    let programs = [
        (
            "int main(int k, char **v) { { int x __attribute__((cleanup(end))) = 1; if (k > 2) goto out; } out: return 0; }",
            Answer::Safe,
        ),
        (
            "static int f(void) { int x __attribute__((cleanup(end))) = 1; return x; } int main(void) { return f(); }",
            Answer::Safe,
        ),
        (
            "int main(int k, char **v) { { int x __attribute__((cleanup(end))) = 1; if (k > 2) goto out; } out: return *kept; }",
            Answer::Unsafe,
        ),
        (
            "static int f(void) { int x __attribute__((cleanup(end))) = 1; return x; } int main(void) { f(); return *kept; }",
            Answer::Unsafe,
        ),
    ];
    for (text, expected) in programs {
        let text = format!("{end} {text}");
        let (found, why) = answer(&text, &options);
        assert_eq!(found, expected, "{why}\n{text}");
    }
}
