//! Structs with arrays as members of which the length is computed. Each program fails, or does not, when it is compiled and run; the
//! answer is the same, or a refusal.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "sizes",
        Answer::Safe,
        false,
        "int f(int n) { typedef struct { int c[n + 2]; } t; n = 0; return sizeof(t) * 3; }
         int g(int n) { struct s { char c; short h; char w[n]; int i; char last; }; return sizeof(struct s); }
         int h(int n) { struct s { char w[n]; _Alignas(16) char a; long l[n + 1]; } x; return sizeof x + sizeof x.w; }
         int main(void) { if (f(20) != 264) reach_error(); if (g(1) != 16 || g(4) != 16 || g(5) != 20 || g(0) != 12) reach_error();
         if (h(1) != 49 || h(16) != 24 + 136 + 16) reach_error(); return 0; }",
    ),
    (
        "sizes_not_so",
        Answer::Unsafe,
        true,
        "int g(int n) { struct s { char c; short h; char w[n]; int i; char last; }; return sizeof(struct s); }
         int main(void) { if (g(5) == 20) reach_error(); return 0; }",
    ),
    (
        "members",
        Answer::Safe,
        false,
        "int f(int n) { struct { char first; __attribute__((aligned(16))) struct t { short c; } a[n]; int b[n], last; } s, r; int sum = 0;
           for (int i = 0; i < n; i++) { s.a[i].c = i; s.b[i] = 10 * i; r.b[i] = 1; } s.first = 1; s.last = n; r.last = 7;
           for (int i = 0; i < n; i++) sum += s.a[i].c + s.b[i]; return sum + s.first + s.last; }
         int main(void) { if (f(4) != 66 + 5 || f(1) != 2) reach_error(); return 0; }",
    ),
    (
        "members_not_so",
        Answer::Unsafe,
        true,
        "int f(int n) { struct { int a[n]; int last; } s; s.last = 3; s.a[n - 1] = 4; return s.last + s.a[n - 1]; }
         int main(void) { if (f(4) == 7) reach_error(); return 0; }",
    ),
    (
        "addresses_of_members",
        Answer::Safe,
        false,
        "int sum(int *p, int n) { int s = 0; while (n > 0) s += p[--n]; return s; }
         int f(int n) { struct { int a[n]; int k; } s; for (int i = 0; i < n; i++) s.a[i] = i; int *p = &s.k; *p = 5; return sum(s.a, n) + s.k; }
         int main(void) { if (f(4) != 11) reach_error(); return 0; }",
    ),
    (
        "offsets",
        Answer::Safe,
        false,
        "long f(int n, int i, int j) { typedef int t[n]; struct s { int a; t b[n]; short c[n + 1], d; }; n = 1;
           return i < 0 ? __builtin_offsetof(struct s, d) : __builtin_offsetof(struct s, b[i][j]); }
         int main(void) { if (f(5, 2, 3) != 56 || f(5, 5, 5) != 124 || f(1, 0, 0) != 4 || f(5, -1, 0) != 4 + 100 + 12) reach_error(); return 0; }",
    ),
    (
        "offsets_of_elements_of_other_structs",
        Answer::Safe,
        false,
        "struct in { short x, y[3]; }; struct s { char c; struct in a[4][2]; int last; };
         unsigned long f(int i, int j, int k) { return __builtin_offsetof(struct s, a[i][j].y[k]); }
         unsigned long g(long i) { return __builtin_offsetof(struct s, a[1][i]); }
         int main(void) { if (f(1, 1, 2) != 2 + 24 + 2 + 4 || f(0, 0, 0) != 4) reach_error();
         if (g(-1) != 2 + 16 - 8 || g(-3) != -6ul) reach_error(); return 0; }",
    ),
    (
        "offsets_not_so",
        Answer::Unsafe,
        true,
        "long f(int n, int i, int j) { typedef int t[n]; struct s { int a; t b[n]; }; return __builtin_offsetof(struct s, b[i][j]); }
         int main(void) { if (f(5, 2, 3) == 56) reach_error(); return 0; }",
    ),
    (
        "names_of_arrays",
        Answer::Safe,
        false,
        "int f(int n) { typedef int t[n++], u[2][n]; t x; t y[2]; u z; x[n - 2] = 3; y[1][n - 2] = 4; z[1][n - 1] = 5; int had = n; n = 0;
           return sizeof x + 100 * sizeof y + 10000 * sizeof(t) + sizeof z + sizeof(u) + x[had - 2] + y[1][had - 2] + z[1][had - 1]; }
         int main(void) { if (f(3) != 12 + 2400 + 120000 + 32 + 32 + 12) reach_error(); return 0; }",
    ),
    (
        "names_of_arrays_not_so",
        Answer::Unsafe,
        true,
        "int f(int n) { typedef int t[n]; n = 0; t x; x[1] = 3; return sizeof x + x[1]; } int main(void) { if (f(3) == 15) reach_error(); return 0; }",
    ),
    (
        "a_name_of_arrays_that_is_hidden",
        Answer::Safe,
        false,
        "int f(int n) { typedef int t[n]; int s = sizeof(t); { typedef int t[n + 1]; t x; s += sizeof x; } t y; return s + sizeof y; }
         int main(void) { if (f(3) != 12 + 16 + 12) reach_error(); return 0; }",
    ),
    (
        "a_pointer_to_arrays_by_their_name",
        Answer::Refused,
        true,
        "int f(int n) { typedef int t[n]; int a[6] = { 1, 2, 3, 4, 5, 6 }; t *p = (t *)a; p++; return (*p)[0]; } int main(void) { if (f(3) == 4) reach_error(); return 0; }",
    ),
    (
        "copied",
        Answer::Refused,
        true,
        "int f(int n) { struct { int a[n]; } s, r; s.a[1] = 3; r = s; return r.a[1]; } int main(void) { if (f(2) == 3) reach_error(); return 0; }",
    ),
    (
        "behind_a_pointer",
        Answer::Refused,
        true,
        "int f(void *p, int n) { struct s { int a[n]; } *q = p; q = q + 1; return q->a[0]; }
         int main(void) { int a[4] = { 1, 2, 3, 4 }; if (f(a, 2) == 3) reach_error(); return 0; }",
    ),
    (
        "one_in_another",
        Answer::Refused,
        true,
        "int f(int n) { struct s { int a[n]; }; struct { struct s s; int k; } r; r.k = 1; return sizeof r; }
         int main(void) { if (f(2) == 12) reach_error(); return 0; }",
    ),
    (
        "an_array_of_them",
        Answer::Refused,
        true,
        "int f(int n) { struct s { int a[n]; } r[2]; return sizeof r; } int main(void) { if (f(2) == 16) reach_error(); return 0; }",
    ),
    (
        "a_union",
        Answer::Refused,
        true,
        "int f(int n) { union { int a[n]; int k; } u; u.k = 1; return u.a[0]; } int main(void) { if (f(2) == 1) reach_error(); return 0; }",
    ),
    (
        "beside_bit_fields",
        Answer::Refused,
        true,
        "int f(int n) { struct { int k : 3; int a[n]; } s; s.k = 3; return s.k + sizeof s; } int main(void) { if (f(2) == 15) reach_error(); return 0; }",
    ),
];

#[test]
fn programs_are_answered_as_they_behave() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("c_computed_records", PROGRAMS);
}
