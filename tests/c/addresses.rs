//! Addresses that become something else on their way: bytes, halves, floating-point numbers, other members of unions, arguments of
//! code that is not there. What is done with them at the other end is done to the object, or the program is refused. And addresses
//! in one object, of parts and behind them, that are compared.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::{Checks, Options};
use clausal::c::types::DataModel;

const PROGRAMS: &[Case] = &[
    (
        "bytes_by_memcpy",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); int main(void) { int x = 1, *p = &x, *q; char bytes[8];
         memcpy(bytes, &p, 8); memcpy(&q, bytes, 8); *q = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "function_in_bytes",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); int main(void) { void (*p)(void) = reach_error, (*q)(void);
         char bytes[8]; memcpy(bytes, &p, 8); memcpy(&q, bytes, 8); q(); return 0; }",
    ),
    (
        "struct_read_as_another",
        Answer::Refused,
        true,
        "struct a { long number; }; struct b { int *pointer; };
         int main(void) { int x = 1; struct b b = {&x}; struct a a = *(struct a *)&b; *(int *)a.number = 5;
         if (x == 5) reach_error(); return 0; }",
    ),
    (
        "function_in_a_struct_read_as_another",
        Answer::Refused,
        true,
        "struct a { long number; }; struct b { void (*call)(void); };
         int main(void) { struct b b = {reach_error}; struct a a = *(struct a *)&b; ((void (*)(void))a.number)(); }",
    ),
    (
        "in_a_floating_point_number",
        Answer::Refused,
        true,
        "int main(void) { int x = 1; double d; *(int **)&d = &x; **(int **)&d = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "as_a_floating_point_number",
        Answer::Refused,
        true,
        "int main(void) { int x; double d = (double)(long)&x; if (d > 1e6) reach_error(); return 0; }",
    ),
    (
        "halves_of_a_member",
        Answer::Refused,
        true,
        "union u { int *pointer; unsigned half[2]; }; int main(void) { static int x = 1; union u u; u.pointer = &x;
         *(int *)((unsigned long)u.half[1] << 32 | u.half[0]) = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "upper_half_of_a_number",
        Answer::Refused,
        true,
        "union u { unsigned long number; unsigned half[2]; };
         int main(void) { int x; union u u; u.number = (unsigned long)&x; if (u.half[1]) reach_error(); return 0; }",
    ),
    (
        "halves_of_a_number",
        Answer::Refused,
        true,
        "union u { unsigned long number; unsigned half[2]; };
         int main(void) { static int x = 1; union u u, v; u.number = (unsigned long)&x; v.half[0] = u.half[0];
         v.half[1] = u.half[1]; *(int *)v.number = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "compared_half",
        Answer::Refused,
        true,
        "struct s { union { long all; int half; } u; }; static int x;
         int main(void) { struct s s; s.u.all = (long)&x; if (s.u.half == (int)(long)&x) reach_error(); return 0; }",
    ),
    (
        "numbers_in_such_a_union",
        Answer::Unsafe,
        true,
        "union u { unsigned long number; unsigned half[2]; };
         int main(void) { union u u; u.number = 5ul << 32; if (u.half[1] == 5) reach_error(); return 0; }",
    ),
    (
        "less_than_a_variable",
        Answer::Refused,
        true,
        "int main(void) { int x; unsigned long n = 100000; n += 1; if (n < (unsigned long)&x) reach_error(); return 0; }",
    ),
    (
        "less_than_a_member",
        Answer::Refused,
        true,
        "struct s { long limit; };
         int main(void) { int x; struct s s = {100000}; if ((long)&x > s.limit) reach_error(); return 0; }",
    ),
    (
        "greater_than_zero",
        Answer::Unsafe,
        true,
        "int main(void) { int x; if ((long)&x > 0) reach_error(); return 0; }",
    ),
    (
        "through_assembly",
        Answer::Refused,
        true,
        "int main(void) { static int x = 1; unsigned long a = (unsigned long)&x, b;
         __asm__(\"mov %1, %0\" : \"=r\"(b) : \"r\"(a)); *(int *)b = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "distance_between_objects",
        Answer::Refused,
        true,
        "int main(void) { static int x = 1, y = 2; long distance = (long)&x - (long)&y;
         *(int *)((char *)&y + distance) = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "distance_inside_an_object",
        Answer::Unsafe,
        true,
        "int main(void) { static int a[4]; int *p = a, *q = a + 2; *(p + (q - p)) = 9; if (a[2] == 9) reach_error(); return 0; }",
    ),
    (
        "members_that_are_one_number",
        Answer::Unsafe,
        true,
        "union w { union w *pointer; long number; };
         int main(void) { union w a[2]; a[0].number = 3; a[1].pointer = &a[0]; a[1].pointer->number = 7;
         if (a[0].number == 7) reach_error(); return 0; }",
    ),
    (
        "function_moved_by_nothing",
        Answer::Refused,
        true,
        "static void nothing(void) {} static void fail(void) { reach_error(); }
         int main(int count, char **strings) { void (*call)(void) = nothing; long k = count;
         if (count == 1) call = (void (*)(void))((long)fail + k - k); call(); return 0; }",
    ),
    (
        "copied_into_a_number",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); static int x = 1;
         int main(void) { int *p = &x; long number; memcpy(&number, &p, 8); *(int *)number = 5; if (x == 5) reach_error(); }",
    ),
    (
        "copied_into_another_struct",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); struct a { long kind; int *p; }; struct b { long kind; long q; };
         static int x = 1; int main(void) { struct a a = {1, &x}; struct b b; memcpy(&b, &a, sizeof b); *(int *)b.q = 5;
         if (x == 5) reach_error(); }",
    ),
    (
        "copied_into_a_smaller_struct",
        Answer::Refused,
        true,
        "void *memmove(void *, const void *, unsigned long); struct a { int *p; int k; }; struct b { void *q; int k; };
         int main(void) { int x = 1; struct a a = {&x, 1}; struct b b; memmove(&b, &a, sizeof b); *(int *)b.q = 5;
         if (x == 5) reach_error(); }",
    ),
    (
        "copied_from_a_struct_into_an_array",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); struct a { long kind; void (*call)(void); };
         int main(void) { struct a a = {1, reach_error}; long b[2]; memcpy(b, &a, sizeof b); ((void (*)(void))b[1])(); }",
    ),
    (
        "copied_into_bytes_of_a_struct",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); struct a { char bytes[8]; };
         int main(void) { static int x = 1; int *p = &x, *q; struct a a, b; memcpy(&a, &p, 8); b = a; memcpy(&q, &b, 8); *q = 5;
         if (x == 5) reach_error(); }",
    ),
    (
        "copied_by_another_function",
        Answer::Refused,
        true,
        "void bcopy(const void *, void *, unsigned long); int main(void) { int x = 1, *p = &x; long number;
         bcopy(&p, &number, 8); *(int *)number = 5; if (x == 5) reach_error(); }",
    ),
    (
        "copied_inside_one_object",
        Answer::Refused,
        true,
        "void *mempcpy(void *, const void *, unsigned long); struct s { int *p; char bytes[8]; long number; };
         int main(void) { static int x = 1; static struct s s; s.p = &x; mempcpy(s.bytes, &s.p, 8); mempcpy(&s.number, s.bytes, 8);
         *(int *)s.number = 5; if (x == 5) reach_error(); }",
    ),
    (
        "written_and_read_again",
        Answer::Refused,
        true,
        "typedef struct file FILE; FILE *tmpfile(void); void rewind(FILE *); int fprintf(FILE *, const char *, ...);
         int fscanf(FILE *, const char *, ...);
         int main(void) { static int x = 1; void *q; FILE *f = tmpfile(); if (!f) return 0; fprintf(f, \"%p\", (void *)&x); rewind(f);
         if (fscanf(f, \"%p\", &q) == 1) { *(int *)q = 5; if (x == 5) reach_error(); } }",
    ),
    (
        "function_in_a_text",
        Answer::Refused,
        true,
        "int sprintf(char *, const char *, ...); int sscanf(const char *, const char *, ...);
         int main(void) { char text[40]; void *q; sprintf(text, \"%p\", (void *)reach_error);
         if (sscanf(text, \"%p\", &q) == 1) ((void (*)(void))q)(); }",
    ),
    (
        "numbers_copied_into_a_struct",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); struct a { int x, y; };
         int main(void) { int b[2] = {1, 2}; struct a a; memcpy(&a, b, sizeof a); if (a.y == 2) reach_error(); }",
    ),
];

/// What is behind a part may be where the next one begins, or behind the whole, or in what nobody uses.
const COMPARED: &[Case] = &[
    (
        "behind_the_whole_and_behind_its_last_member",
        Answer::Unsafe,
        true,
        "struct s { char c; int z[2]; }; int main(void) { struct s s, *p = &s;
         if ((void *)(p + 1) == (void *)(p->z + 2)) reach_error(); }",
    ),
    (
        "behind_the_whole_and_behind_its_first_member",
        Answer::Safe,
        false,
        "struct e { int i; char c; }; struct s { struct e e; char d; }; int main(void) { struct s s, *p = &s;
         if ((void *)(p + 1) == (void *)(&p->e + 1)) reach_error(); }",
    ),
    (
        "behind_the_whole_and_its_second_member",
        Answer::Safe,
        false,
        "struct s { int i; char c; }; int main(void) { static struct s s; struct s *p = &s;
         if ((unsigned long)(p + 1) == (unsigned long)&p->c) reach_error(); }",
    ),
    (
        "behind_a_struct_and_the_next_member",
        Answer::Unsafe,
        true,
        "struct e { int i; char c; }; struct s { struct e e; char d[3]; }; int main(void) { struct s s;
         void *next = s.d; if ((void *)(&s.e + 1) != next) return 0; reach_error(); }",
    ),
    (
        "behind_an_array_and_behind_the_struct_of_it",
        Answer::Safe,
        false,
        "struct t { char text[2]; }; struct s { int i; struct t t; char d; }; int main(void) { struct s s, *p = &s;
         if ((unsigned long)(&p->t.text + 1) != (unsigned long)(&p->t + 1)) reach_error(); }",
    ),
    (
        "padding_lies_in_between",
        Answer::Safe,
        false,
        "struct s { char c; int i; }; int main(void) { struct s s; if ((void *)(&s.c + 1) == (void *)&s.i) reach_error(); }",
    ),
    (
        "nothing_is_no_part",
        Answer::Safe,
        false,
        "struct s { char c; int z[2]; }; int main(int argc, char **argv) { struct s s, *p = argc > 9 ? &s : 0; int *q = argc > 9 ? s.z : 0;
         if (p) p = p + 1; if (q) q = q + 2; if ((void *)p != (void *)q) reach_error(); }",
    ),
    (
        "members_of_a_union_have_different_steps",
        Answer::Safe,
        false,
        "union u { int a[2]; short b[4]; }; int main(void) { union u u;
         if ((void *)(u.a + 1) == (void *)(u.b + 1) || (void *)(u.a + 1) != (void *)(u.b + 2)) reach_error(); }",
    ),
    (
        "a_member_of_one_struct_comes_before_another_one_of_the_next",
        Answer::Safe,
        false,
        "struct s { int a, b; }; int main(int argc, char **argv) { static struct s s[3], t; int *p = &s[1].a, *q = &s[0].b;
         if (argc > 9) p = &t.a, q = &t.b; else if (!(q < p)) reach_error(); }",
    ),
    (
        "an_array_in_an_array_of_structs",
        Answer::Refused,
        false,
        "struct s { long l; int *p; int z[2]; }; int main(void) { static struct s s[3];
         if ((void *)(s + 1) != (void *)(s[0].z + 2)) reach_error(); }",
    ),
    (
        "an_array_in_an_array_of_structs_of_integers",
        Answer::Safe,
        false,
        "struct s { long l; int z[2]; }; int main(void) { static struct s s[3];
         if ((void *)(s + 1) != (void *)(s[0].z + 2)) reach_error(); }",
    ),
];

/// How far one address is from another, as a number that wraps where it is unsigned.
const DISTANCES: &[Case] = &[
    (
        "back_from_a_counted_place",
        Answer::Unsafe,
        true,
        "int main(void) { int a[10]; unsigned long x = (unsigned long)a; for (int i = 0; i < 3; i++) x += 4;
         unsigned long y = x; x -= 4; if (x - y == -4) reach_error(); return 0; }",
    ),
    (
        "back_from_a_counted_place_and_no_other",
        Answer::Safe,
        false,
        "int main(void) { int a[10]; unsigned long x = (unsigned long)a; for (int i = 0; i < 3; i++) x += 4;
         unsigned long y = x; x -= 4; if (x - y != -4) reach_error(); return 0; }",
    ),
    (
        "back_to_any_element",
        Answer::Unsafe,
        true,
        "int __VERIFIER_nondet_int(void) { return 4; } int main(void) { int a[10], i = __VERIFIER_nondet_int();
         if (i < 0 || i > 4) return 0; int *p = a + i, *q = a + 5;
         if ((unsigned long)p - (unsigned long)q == (unsigned long)-4) reach_error(); return 0; }",
    ),
    (
        "quotient_of_a_distance_back",
        Answer::Unsafe,
        true,
        "int main(void) { int a[10], *p = a + 3, *q = a + 5; if (((unsigned long)p - (unsigned long)q) / 4 > 100) reach_error();
         return 0; }",
    ),
    (
        "rest_of_a_distance_back",
        Answer::Safe,
        false,
        "int main(void) { int a[10], *p = a + 3, *q = a + 5; if (((unsigned long)p - (unsigned long)q) % 16 != 8) reach_error();
         return 0; }",
    ),
    (
        "distance_back_as_floating_point",
        Answer::Unsafe,
        true,
        "int main(void) { int a[10], *p = a + 3, *q = a + 5; double d = (unsigned long)p - (unsigned long)q; if (d == 0x1p64)
         reach_error(); return 0; }",
    ),
    (
        "signed_distance_back",
        Answer::Safe,
        false,
        "int main(void) { int a[10], *p = a + 3, *q = a + 5; long d = (long)p - (long)q; if (d != -8) reach_error(); return 0; }",
    ),
];

#[test]
fn distances_of_addresses_wrap_as_numbers_do() {
    assert_answers(DISTANCES);
}

#[test]
fn the_compiled_distances_say_the_same() {
    assert_runs("address_distances", DISTANCES);
}

#[test]
fn addresses_in_one_object_are_compared_by_their_bytes() {
    assert_answers(COMPARED);
}

#[test]
fn the_compiled_comparisons_say_the_same() {
    assert_runs("addresses_compared", COMPARED);
}

#[test]
fn addresses_are_followed_or_refused() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("addresses", PROGRAMS);
}

#[test]
fn addresses_of_32_bits_are_handed_on_as_signed_numbers_or_refused() {
    let programs = [
        "int main(int argc, char *argv[]) { int *a = malloc(4); if (!a) return 0; int x = (int)a, *b = (int *)x;
         if (a == b) reach_error(); *a = 1; return 0; }",
        "int same(int x) { return x; } int main(int argc, char *argv[]) { int *a = malloc(4); if (!a) return 0;
         int *b = (int *)same((int)a); if (a == b) reach_error(); *a = 1; return 0; }",
        "int main(int argc, char *argv[]) { int *a = malloc(4); if (!a) return 0; unsigned x = (unsigned)a; int y = (int)x;
         if ((int *)y == a) reach_error(); *a = 1; return 0; }",
    ];
    let plain = Options {
        model: DataModel::Ilp32,
        ..Options::default()
    };
    let checked = Options {
        checks: Checks {
            bounds: true,
            ..Checks::default()
        },
        ..plain.clone()
    };
    for program in programs {
        let text = format!("void *malloc(unsigned);\n{program}");
        assert_eq!(answer(&text, &plain).0, Answer::Unsafe, "{program}");
        assert_eq!(answer(&text, &checked).0, Answer::Refused, "{program}");
    }
}

/// A pointer into one of two objects, of which nobody knows how large the first one is.
#[test]
fn elements_far_from_the_first_one_are_of_the_same_object() {
    let text = "void *calloc(unsigned, unsigned); void *malloc(unsigned); unsigned input(void);
        int main(void) { unsigned n = input(); if (n > 100000) return 0; int *a = calloc(n, 4), *b = malloc(4);
        int *p = input() ? a : b; if (a && b && n > 70000 && p == a) { p[70000] = 5; if (a[70000] == 5) reach_error(); } return 0; }";
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let text = match model {
            DataModel::Lp64 => text
                .replacen("(unsigned, unsigned)", "(unsigned long, unsigned long)", 1)
                .replacen("malloc(unsigned)", "malloc(unsigned long)", 1),
            _ => text.to_string(),
        };
        let options = Options {
            model,
            ..Options::default()
        };
        assert_eq!(answer(&text, &options).0, Answer::Unsafe);
    }
}

/// Systems promise memory that they do not have, so that an allocation of any size may be there.
#[test]
fn allocations_of_any_size_are_made() {
    let text = "void *malloc(unsigned long); unsigned long input(void);
        int main(void) { char *last = malloc(1); if (!last) return 0; while (input()) { unsigned long n = input(); char *p = malloc(n);
        if (!p) return 0; if (n > (1UL << 40)) reach_error(); p[0] = 1; last = p; } return *last; }";
    assert_eq!(answer(text, &Options::default()).0, Answer::Unsafe);
}
