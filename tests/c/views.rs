//! Objects of which the bytes are used: as characters, as numbers of another size, as another struct. Each program fails, or does
//! not, when it is compiled and run; the answer is the same. Most come twice: with what is there, and with something else.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::{Checks, Options, Undefined};

const PROGRAMS: &[Case] = &[
    (
        "bytes_of_a_number",
        Answer::Safe,
        false,
        "int main(void) { unsigned x = 0x12345678; unsigned char *p = (unsigned char *)&x; x++;
         if (p[0] != 0x79 || p[1] != 0x56 || p[2] != 0x34 || p[3] != 0x12) reach_error(); return 0; }",
    ),
    (
        "bytes_of_a_number_the_other_way_round",
        Answer::Unsafe,
        true,
        "int main(void) { unsigned x = 0x12345678; unsigned char *p = (unsigned char *)&x;
         if (p[0] != 0x12) reach_error(); return 0; }",
    ),
    (
        "bytes_that_are_written",
        Answer::Safe,
        false,
        "int main(void) { int x = -1; char *p = (char *)&x; *p = 0; p[2] = 1; if (x != (int)0xff01ff00) reach_error();
         for (int i = 0; i < 4; i++) p[i] = i; if (x != 0x03020100) reach_error(); return 0; }",
    ),
    (
        "bytes_that_are_written_show",
        Answer::Unsafe,
        true,
        "int main(void) { int x = -1; char *p = (char *)&x; *p = 0; if (x == -1) return 0; reach_error(); return 0; }",
    ),
    (
        "signed_numbers_from_bytes",
        Answer::Safe,
        false,
        "int main(void) { unsigned char b[8] __attribute__((aligned(8))) = { 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
         if (*(int *)b != -2 || *(long *)b != -2 || *(short *)(b + 2) != -1 || *(unsigned short *)b != 0xfffe) reach_error();
         *(short *)(b + 6) = 0x1234; if (b[6] != 0x34 || b[7] != 0x12) reach_error(); return 0; }",
    ),
    (
        "signed_numbers_from_bytes_not_unsigned",
        Answer::Unsafe,
        true,
        "int main(void) { unsigned char b[4] __attribute__((aligned(4))) = { 0xfe, 0xff, 0xff, 0xff };
         if (*(int *)b > 0) return 0; reach_error(); return 0; }",
    ),
    (
        "what_other_files_may_find",
        Answer::Safe,
        false,
        "int number; int *p = &number; float *q = (float *)&number; struct s { int n; } *r = (struct s *)&number; struct s t = { 7 };
         int main(void) { *p = 1; *q = 0; if (*p) reach_error(); *r = t; if (number != 7) reach_error(); return 0; }",
    ),
    (
        "what_other_files_may_find_changes",
        Answer::Unsafe,
        true,
        "int number; int *p = &number; float *q = (float *)&number;
         int main(void) { *p = 1; *q = 0; if (!*p) reach_error(); return 0; }",
    ),
    (
        "truth_values_are_bytes",
        Answer::Safe,
        false,
        "struct a { char c; _Bool b; }; struct d { char c; _Bool b; int n; };
         int main(void) { _Bool v = 1; char *p = (char *)&v; p[0] = 0; if (v) reach_error(); *p = 1; if (!v) reach_error();
         struct d d = { 1, 1, 5 }; struct a *q = (struct a *)&d; if (!q->b || q->c != 1) reach_error(); q->b = 0;
         if (d.b || d.n != 5) reach_error(); return 0; }",
    ),
    (
        "truth_values_are_bytes_not_so",
        Answer::Unsafe,
        true,
        "int main(void) { _Bool v = 1; char *p = (char *)&v; p[0] = 0; if (!v) reach_error(); return 0; }",
    ),
    (
        "beyond_a_member",
        Answer::Safe,
        false,
        "void *memcpy(void *, const void *, unsigned long); struct a { char x[1], y[5], z[1]; } a = { { 9 }, { 0 }, { 8 } };
         int main(void) { memcpy(a.y, \"HELLO\", 6); if (a.z[0] != 0 || a.y[4] != 'O' || a.x[0] != 9) reach_error(); return 0; }",
    ),
    (
        "beyond_a_member_not_so",
        Answer::Unsafe,
        true,
        "void *memcpy(void *, const void *, unsigned long); struct a { char x[1], y[5], z[1]; } a = { { 9 }, { 0 }, { 8 } };
         int main(void) { memcpy(a.y, \"HELLO\", 6); if (a.z[0] == 0) reach_error(); return 0; }",
    ),
    (
        "allocated_by_a_size_in_a_variable",
        Answer::Safe,
        false,
        "void *malloc(unsigned long); struct s { int a, b; };
         int main(void) { unsigned n = sizeof(struct s) * 2; struct s *p = malloc(n); if (!p) return 0; char *c = (char *)p;
         for (unsigned i = 0; i < n; i++) c[i] = 1; c[9] = 2; if (p[0].b != 0x01010101 || p[1].a != 0x01010201) reach_error(); return 0; }",
    ),
    (
        "allocated_by_a_size_in_a_variable_not_so",
        Answer::Unsafe,
        true,
        "void *malloc(unsigned long); struct s { int a, b; };
         int main(void) { unsigned n = sizeof(struct s) * 2; struct s *p = malloc(n); if (!p) return 0; char *c = (char *)p;
         for (unsigned i = 0; i < n; i++) c[i] = 1; c[9] = 2; if (p[1].a == 0x01010201) reach_error(); return 0; }",
    ),
    (
        "bit_fields_beside_bits_of_nobody",
        Answer::Safe,
        false,
        "struct f { int x : 12, y : 8; }; int main(void) { struct f s; unsigned char *p = (unsigned char *)&s;
         for (int i = 0; i < 4; i++) p[i] = 0; s.x = -1; s.y = -1; unsigned v = *(unsigned *)&s; if ((v & 0xfffff) != 0xfffff) reach_error();
         p[1] = 0x21; p[2] = 3; if (s.x != 0x1ff || s.y != 0x32) reach_error(); struct f t = s; if (t.y != 0x32) reach_error(); return 0; }",
    ),
    (
        "bit_fields_beside_bits_of_nobody_not_so",
        Answer::Unsafe,
        true,
        "struct f { int x : 12, y : 8; }; struct f s; int main(void) { unsigned char *p = (unsigned char *)&s;
         p[0] = 0xff; p[1] = 0x21; p[2] = 3; if (s.x == 0x1ff && s.y == 0x32) reach_error(); return 0; }",
    ),
    (
        "a_struct_as_its_beginning",
        Answer::Safe,
        false,
        "struct a { int i, j; }; struct b { int i, j, k; };
         int main(void) { struct b b = { 1, 2, 3 }; struct a *p = (struct a *)&b; p->j += 5; struct a c = *p;
         if (b.j != 7 || c.i != 1 || c.j != 7 || b.k != 3) reach_error(); return 0; }",
    ),
    (
        "a_struct_as_its_beginning_changes",
        Answer::Unsafe,
        true,
        "struct a { int i, j; }; struct b { int i, j, k; };
         int main(void) { struct b b = { 1, 2, 3 }; struct a *p = (struct a *)&b; p->j += 5; if (b.j != 2) reach_error(); return 0; }",
    ),
    (
        "members_by_their_offsets",
        Answer::Safe,
        false,
        "struct s { char c; int i; short h[2]; };
         int main(void) { struct s s; char *p = (char *)&s; *(int *)(p + 4) = 77; *(short *)(p + 10) = -3; p[0] = 'x';
         if (s.i != 77 || s.h[1] != -3 || s.c != 'x') reach_error(); return 0; }",
    ),
    (
        "members_by_other_offsets",
        Answer::Unsafe,
        true,
        "struct s { char c; int i; short h[2]; };
         int main(void) { struct s s = { 0 }; char *p = (char *)&s; *(short *)(p + 8) = -3; if (s.h[1] != -3) reach_error(); return 0; }",
    ),
    (
        "bit_fields_as_bytes",
        Answer::Safe,
        false,
        "struct f { unsigned a : 3, b : 7, c : 13; int d : 9; };
         int main(void) { struct f f = { 0 }; unsigned char *p = (unsigned char *)&f; f.a = 5; f.b = 0x55; f.c = 0x1abc; f.d = -200;
         unsigned x = p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
         if (x != (5u | 0x55u << 3 | 0x1abcu << 10 | (512u - 200u) << 23)) reach_error();
         p[1] = 0; if (f.a != 5 || f.b != 21 || f.c != (0x1abc & ~0x3f) || f.d != -200) reach_error(); return 0; }",
    ),
    (
        "bit_fields_as_bytes_have_neighbours",
        Answer::Unsafe,
        true,
        "struct f { unsigned a : 3, b : 7, c : 6; }; int main(void) { struct f f = { 1, 2, 3 }; unsigned char *p = (unsigned char *)&f;
         p[0] = 0; if (f.b == 2) return 0; reach_error(); return 0; }",
    ),
    (
        "elements_of_an_array_as_bytes",
        Answer::Safe,
        false,
        "int main(void) { int a[4] = { 1, 2, 3, 4 }; char *p = (char *)(a + 1); int *q = (int *)(p + 4);
         if (*q != 3 || q - a != 2 || (char *)q - (char *)a != 8 || q[1] != 4 || !(p < (char *)q)) reach_error();
         *p = 9; if (a[1] != 9) reach_error(); return 0; }",
    ),
    (
        "elements_of_an_array_as_bytes_differ",
        Answer::Unsafe,
        true,
        "int main(void) { int a[4] = { 1, 2, 3, 4 }; char *p = (char *)(a + 1); int *q = (int *)(p + 4); if (q == a + 2) reach_error(); return *q; }",
    ),
    (
        "allocated_numbers_as_bytes",
        Answer::Safe,
        false,
        "void *malloc(unsigned long); int main(void) { int *a = malloc(3 * sizeof (int)); if (!a) return 0; a[0] = 1; a[1] = 0x0102; a[2] = 5;
         unsigned char *p = (unsigned char *)a; if (p[4] != 2 || p[5] != 1 || p[8] != 5) reach_error(); p[1] = 1; if (a[0] != 257) reach_error(); return 0; }",
    ),
    (
        "bytes_that_nobody_knows",
        Answer::Safe,
        false,
        "int get(void) { return 1234567; } int main(void) { int x = get(), y = 0; char *p = (char *)&x, *q = (char *)&y;
         for (unsigned i = 0; i < sizeof x; i++) q[i] = p[i]; if (x != y) reach_error(); return 0; }",
    ),
    (
        "a_pointer_to_either_of_two",
        Answer::Safe,
        false,
        "int n; int main(void) { int x = 0x0101; short h[2] = { 3, 4 }; char *p = n ? (char *)&x : (char *)h; p++; *p += 1; p++;
         if (*p != (n ? 0 : 4) || h[0] != (n ? 3 : 259)) reach_error(); return 0; }",
    ),
    (
        "a_text_as_numbers",
        Answer::Safe,
        false,
        "int main(void) { char s[8] __attribute__((aligned(4))) = \"abcdefg\"; unsigned *p = (unsigned *)s;
         if (p[0] != 0x64636261 || p[1] != 0x00676665) reach_error(); p[1] = 0; if (s[3] != 'd' || s[4]) reach_error(); return 0; }",
    ),
    (
        "number_over_elements_that_an_initializer_has_added",
        Answer::Refused,
        true,
        "struct s { int n; char rest[]; }; static struct s x = { 1, \"abcdefg\" };
         int main(void) { *(long *)(void *)&x = 5; if (x.n == 5) reach_error(); return 0; }",
    ),
    (
        "copy_of_elements_that_an_initializer_has_added",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); struct s { int n; char rest[]; }; static struct s x = { 1, \"abcdefg\" };
         int main(void) { char b[12]; memcpy(b, &x, 12); if (b[4] == 'a') reach_error(); return 0; }",
    ),
];

#[test]
fn bytes_are_what_the_machine_has() {
    assert_answers(PROGRAMS);
}

#[test]
fn gcc_agrees_about_bytes() {
    assert_runs("c_views", PROGRAMS);
}

/// Where runs go on, they get behind it, so that there is no verdict by default.
#[test]
fn a_run_that_ends_does_so_at_a_copy_of_more_bytes_than_any_object_has() {
    let text = |bytes: usize| {
        format!(
            "extern void reach_error(void); void *memcpy(void *, const void *, unsigned long); void *malloc(unsigned long);
             struct p {{ int n; int data[1]; int last; }};
             int main(void) {{ long from = 7; struct p *p = malloc(sizeof *p); if (!p) return 0;
             memcpy(&p->data[0], &from, {bytes}); reach_error(); return 0; }}"
        )
    };
    let options = Options {
        undefined: Undefined::Ends,
        ..Options::default()
    };
    let ends = clausal::c::translate(&text(16), &options)
        .product
        .expect("it is translated");
    let outcome = clausal::engine::verify(&ends.program, &clausal::engine::Options::default());
    assert!(matches!(outcome.verdict, clausal::engine::Verdict::Safe(_)));
    assert_eq!(answer(&text(16), &Options::default()).0, Answer::Refused);
    // There are as many as that.
    assert_eq!(answer(&text(8), &Options::default()).0, Answer::Unsafe);
}

/// With the checks of memory, bytes outside of an object are errors, and what may not be aligned is refused.
#[test]
fn accesses_of_bytes_are_checked() {
    let options = Options {
        checks: Checks {
            bounds: true,
            null: true,
            lifetime: true,
            ..Checks::default()
        },
        ..Options::default()
    };
    let programs = [
        (
            "int main(void) { int x = 5; char *p = (char *)&x; return p[3] + p[1]; }",
            Answer::Safe,
        ),
        (
            "int main(void) { int x = 5; char *p = (char *)&x; return p[1] + p[4]; }",
            Answer::Unsafe,
        ),
        (
            "int main(void) { int x[2] = { 1, 2 }; char *p = (char *)x; return p[1] + *(int *)(p + 8); }",
            Answer::Unsafe,
        ),
        (
            "int main(void) { int x[2] = { 1, 2 }; char *p = (char *)x; return p[1] + *(int *)(p + 2); }",
            Answer::Refused,
        ),
        (
            "struct a { int i, j; }; int main(void) { short h[6] __attribute__((aligned(4))) = { 1, 2 }; struct a *p = (struct a *)(h + 4); return p->i; }",
            Answer::Refused,
        ),
    ];
    for (text, expected) in programs {
        let (found, why) = answer(text, &options);
        assert_eq!(found, expected, "{why}\n{text}");
    }
}

/// What is not made of integers and narrower floating-point numbers alone is not seen as bytes; bits that belong to no member have no
/// value when members beside them were written, and a truth value has two.
#[test]
fn addresses_long_doubles_and_loose_bits_have_no_bytes() {
    let programs = [
        "int main(void) { long double f = 1; unsigned char *p = (unsigned char *)&f; if (p[9] != 0x3f) reach_error(); return 0; }",
        "int main(void) { int x; int *q = &x; unsigned char *p = (unsigned char *)&q; if (p[1]) reach_error(); return 0; }",
        "struct f { int a : 12, b : 8; }; int main(void) { struct f f = { -1, -1 }; if (*(int *)&f == -1) reach_error(); return 0; }",
        "int main(void) { _Bool b = 1; char *p = (char *)&b; *p = 2; if (b) reach_error(); return 0; }",
    ];
    for text in programs {
        let (found, why) = answer(text, &Options::default());
        assert_eq!(found, Answer::Refused, "{why}\n{text}");
    }
}

/// What is between members when a struct has been copied, nobody knows.
#[test]
fn padding_has_no_value_after_a_copy() {
    let text = "struct s { char c; int i; }; int main(void) { struct s a, b; unsigned char *p = (unsigned char *)&a, *q = (unsigned char *)&b;
        p[0] = 1; p[1] = 7; a.i = 5; b = a; if (q[0] != 1 || b.i != 5) reach_error(); if (q[1] == 7) reach_error(); return 0; }";
    assert_eq!(answer(text, &Options::default()).0, Answer::Refused);
}
