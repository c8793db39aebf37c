//! Memory that may not be there, and memory that is moved: what looks at the pointer is held to what it does; what does not is
//! taken to have memory. Each program fails, or does not, when it is compiled and run.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "nothing_looks",
        Answer::Safe,
        false,
        "void *malloc(unsigned long); int main(void) { int *p = malloc(4 * sizeof *p); for (int i = 0; i < 4; i++) p[i] = i;
           if (p[3] != 3) reach_error(); return 0; }",
    ),
    (
        "nothing_looks_and_it_fails",
        Answer::Unsafe,
        true,
        "void *malloc(unsigned long); int main(void) { int *p = malloc(4 * sizeof *p); for (int i = 0; i < 4; i++) p[i] = i;
           if (p[3] != 2) reach_error(); return 0; }",
    ),
    (
        "what_is_looked_at_is_followed",
        Answer::Safe,
        false,
        "void *malloc(unsigned long); int main(void) { int *p = malloc(sizeof *p); int there = 0; if (p) { *p = 5; there = 1; }
           if (there && *p != 5) reach_error(); return 0; }",
    ),
    // The error needs an allocation to fail, which the compiled program does not see: no verdict.
    (
        "an_error_without_memory",
        Answer::Refused,
        false,
        "void *malloc(unsigned long); int main(void) { int *p = malloc(sizeof *p); if (!p) reach_error(); return 0; }",
    ),
    // A flag tells of it by way of another pointer.
    (
        "looked_at_through_a_copy",
        Answer::Refused,
        false,
        "void *malloc(unsigned long); int main(void) { int *p = malloc(sizeof *p); int *q = p; int *none = 0;
           if (q == none) reach_error(); return 0; }",
    ),
    (
        "looked_at_as_a_number",
        Answer::Refused,
        false,
        "void *malloc(unsigned long); int main(void) { int *p = malloc(sizeof *p); unsigned long n = (unsigned long)p;
           if (n == 0) reach_error(); return 0; }",
    ),
    (
        "looked_at_behind_a_call_that_recurs",
        Answer::Refused,
        false,
        "void *malloc(unsigned long); int *make(int n) { if (n) return make(n - 1); return malloc(sizeof(int)); }
         int main(void) { int *p = make(2); if (!p) reach_error(); return 0; }",
    ),
    (
        "looked_at_in_the_next_turn",
        Answer::Refused,
        false,
        "void *malloc(unsigned long); int main(void) { int *p = (int *)1; for (int i = 0; i < 2; i++) {
           if (!p) reach_error(); p = malloc(sizeof *p); } return 0; }",
    ),
    (
        "moved_to_more",
        Answer::Safe,
        false,
        "void *malloc(unsigned long); void *realloc(void *, unsigned long);
         int main(void) { int *p = malloc(2 * sizeof *p); p[0] = 1; p[1] = 2; p = realloc(p, 4 * sizeof *p); p[2] = 3;
           if (p[0] != 1 || p[1] != 2 || p[2] != 3) reach_error(); return 0; }",
    ),
    (
        "moved_to_more_and_it_fails",
        Answer::Unsafe,
        true,
        "void *malloc(unsigned long); void *realloc(void *, unsigned long);
         int main(void) { int *p = malloc(2 * sizeof *p); p[0] = 1; p[1] = 2; p = realloc(p, 4 * sizeof *p);
           if (p[0] + p[1] == 3) reach_error(); return 0; }",
    ),
    (
        "moved_in_a_loop",
        Answer::Safe,
        false,
        "void *realloc(void *, unsigned long); void free(void *);
         int main(void) { int *p = 0, n = 0, room = 0;
           for (int i = 0; i < 9; i++) { if (n == room) { room = room ? 2 * room : 1; int *q = realloc(p, room * sizeof *q);
               if (!q) { free(p); return 1; } p = q; } p[n++] = i * i; }
           for (int i = 0; i < 9; i++) if (p[i] != i * i) reach_error();
           free(p); return 0; }",
    ),
    (
        "moved_in_a_loop_and_it_fails",
        Answer::Unsafe,
        true,
        "void *realloc(void *, unsigned long); void free(void *);
         int main(void) { int *p = 0, n = 0, room = 0;
           for (int i = 0; i < 9; i++) { if (n == room) { room = room ? 2 * room : 1; int *q = realloc(p, room * sizeof *q);
               if (!q) { free(p); return 1; } p = q; } p[n++] = i * i; }
           for (int i = 0; i < 9; i++) if (p[i] == 49) reach_error();
           free(p); return 0; }",
    ),
    (
        "moved_to_less",
        Answer::Safe,
        false,
        "void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); struct s { int a; char b[3]; };
         int main(void) { struct s *p = calloc(3, sizeof *p), *q; if (!p) return 1; p[0].a = 4; p[1].b[2] = 7;
           q = realloc(p, 2 * sizeof *q); if (!q) return p[0].a == 4 ? 1 : (reach_error(), 2);
           if (q[0].a != 4 || q[1].b[2] != 7 || q[1].b[0] != 0) reach_error(); return 0; }",
    ),
    (
        "pointers_are_moved",
        Answer::Unsafe,
        true,
        "void *malloc(unsigned long); void *realloc(void *, unsigned long);
         int main(void) { int a = 1, b = 2; int **p = malloc(2 * sizeof *p); p[0] = &a; p[1] = &b;
           p = realloc(p, 3 * sizeof *p); p[2] = p[1]; *p[2] = 9; if (b == 9 && *p[0] == 1) reach_error(); return 0; }",
    ),
    (
        "moved_as_another_type",
        Answer::Refused,
        false,
        "void *malloc(unsigned long); void *realloc(void *, unsigned long);
         int main(void) { int *p = malloc(2 * sizeof *p); p[0] = 1; p[1] = 0; short *q = realloc(p, 4 * sizeof *q);
           if (q[0] != 1 || q[1] != 0) reach_error(); return 0; }",
    ),
    (
        "more_than_can_be_counted",
        Answer::Safe,
        false,
        "void *calloc(unsigned long, unsigned long); int main(void) { if (calloc(-1ul, 2)) reach_error(); return 0; }",
    ),
    (
        "more_than_can_be_counted_by_variables",
        Answer::Safe,
        false,
        "void *calloc(unsigned long, unsigned long);
         static char *grow(unsigned long n, unsigned long each) { return calloc(n, each); }
         int main(void) { int none = 0; if (grow(-1, 2) || grow(1ul << 32, 1ul << 32)) reach_error();
           char *p = grow(4, none); (void)p; return 0; }",
    ),
    (
        "more_elements_than_can_be_counted",
        Answer::Unsafe,
        true,
        "void *calloc(unsigned long, unsigned long); static int *grow(int n) { return calloc(n, sizeof(int)); }
         int main(void) { int *p = grow(-1), *q = grow(2); if (!p) { if (!q || q[1] == 0) reach_error(); } return 0; }",
    ),
];

#[test]
fn answers_are_right_or_refused() {
    assert_answers(PROGRAMS);
}

#[test]
fn compiled_programs_do_what_the_table_says() {
    assert_runs("allocations", PROGRAMS);
}
