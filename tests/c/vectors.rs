//! GNU's vectors. Each program fails, or does not, when it is compiled and run; the answer is the same.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::Options;

const PROGRAMS: &[Case] = &[
    (
        "elements",
        Answer::Safe,
        false,
        "typedef int v4 __attribute__((vector_size(16)));
         static v4 twice(v4 v) { return v + v; }
         int main(void) { v4 a = { 1, 2 }, b = twice(a) * 3 - 1; int i = 3; if (b[0] != 5 || b[1] != 11 || b[i] != -1) reach_error();
         b[i] += 4; int *p = &b[1]; *p = 7; p[1]++; if (b[3] != 3 || b[1] != 7 || b[2] != 0 || (a + b)[1] != 9) reach_error();
         if (sizeof b != 16 || _Alignof(v4) != 16) reach_error(); return 0; }",
    ),
    (
        "elements_not_so",
        Answer::Unsafe,
        true,
        "typedef int v4 __attribute__((vector_size(16)));
         static v4 twice(v4 v) { return v + v; }
         int main(void) { v4 a = { 1, 2 }, b = twice(a) * 3 - 1; int i = 3; if (b[0] != 5 || b[1] != 11 || b[i] != -1) reach_error();
         b[i] += 4; int *p = &b[1]; *p = 7; p[1]++; if (b[3] != 3 || b[1] != 7 || b[2] != 0 || (a + b)[1] != 8) reach_error();
         if (sizeof b != 16 || _Alignof(v4) != 16) reach_error(); return 0; }",
    ),
    (
        "unknown_elements",
        Answer::Safe,
        false,
        "typedef int v4 __attribute__((vector_size(16)));
         int main(int n, char **v) { if (n < 0 || n > 100) return 0; v4 a = { n, -n }, b = a * a; b[n & 3] = 5;
         if (b[n & 3] != 5 || ((n & 3) != 0 && b[0] != n * n)) reach_error(); return 0; }",
    ),
    (
        "unknown_elements_not_so",
        Answer::Unsafe,
        true,
        "typedef int v4 __attribute__((vector_size(16)));
         int main(int n, char **v) { if (n < 0 || n > 100) return 0; v4 a = { n, -n }, b = a * a; b[n & 3] = 5;
         if (b[n & 3] != 5 || ((n & 3) != 0 && b[0] != n * n || n >= 0)) reach_error(); return 0; }",
    ),
    (
        "comparisons",
        Answer::Safe,
        false,
        "typedef unsigned v2 __attribute__((vector_size(8))); typedef int s2 __attribute__((vector_size(8)));
         typedef double d2 __attribute__((vector_size(16))); typedef long l2 __attribute__((vector_size(16)));
         int main(void) { v2 a = { 1, -1 }; s2 c = a > 5, d = 5 > a; if (c[0] != 0 || c[1] != -1 || d[0] != -1) reach_error();
         d2 x = { 1.5, 0.0 / 0.0 }; l2 e = x == x, f = x <= 1.5; if (e[0] != -1 || e[1] != 0 || f[0] != -1) reach_error(); return 0; }",
    ),
    (
        "comparisons_not_so",
        Answer::Unsafe,
        true,
        "typedef unsigned v2 __attribute__((vector_size(8))); typedef int s2 __attribute__((vector_size(8)));
         typedef double d2 __attribute__((vector_size(16))); typedef long l2 __attribute__((vector_size(16)));
         int main(void) { v2 a = { 1, -1 }; s2 c = a > 5, d = 5 > a; if (c[0] != 0 || c[1] != -1 || d[0] != -1) reach_error();
         d2 x = { 1.5, 0.0 / 0.0 }; l2 e = x == x, f = x <= 1.5; if (e[0] != -1 || e[1] != 0 || f[0] != 1) reach_error(); return 0; }",
    ),
    (
        "narrow_elements_are_not_promoted",
        Answer::Safe,
        false,
        "typedef unsigned char b8 __attribute__((vector_size(8))); typedef signed char c4 __attribute__((vector_size(4)));
         int main(void) { b8 a = { 250, 1, 2 }; a += 10; if (a[0] != 4 || a[7] != 10) reach_error(); a = ~a >> 1; if (a[0] != 125) reach_error();
         c4 c = (c4){ -128, 127, 5 } % (signed char)3; if (c[0] != -2 || c[1] != 1) reach_error(); c = -c << 6;
         if (c[0] != -128 || c[1] != -64) reach_error(); return 0; }",
    ),
    (
        "narrow_elements_are_not_promoted_not_so",
        Answer::Unsafe,
        true,
        "typedef unsigned char b8 __attribute__((vector_size(8))); typedef signed char c4 __attribute__((vector_size(4)));
         int main(void) { b8 a = { 250, 1, 2 }; a += 10; if (a[0] != 4 || a[7] != 10) reach_error(); a = ~a >> 1; if (a[0] != 125) reach_error();
         c4 c = (c4){ -128, 127, 5 } % (signed char)3; if (c[0] == -2 || c[1] != 1) reach_error(); c = -c << 6;
         if (c[0] != -128 || c[1] != -64) reach_error(); return 0; }",
    ),
    (
        "a_number_for_all_elements",
        Answer::Safe,
        false,
        "typedef float f4 __attribute__((vector_size(16))); typedef long l2 __attribute__((vector_size(16)));
         int main(void) { f4 x = { 1, 2 }; x = 2 * x + 0.5f; if (x[1] != 4.5f || x[3] != 0.5f) reach_error(); char c = 3; l2 y = { 8, -8 };
         y = y / 3 + c; y >>= 1; if (y[0] != 2 || y[1] != 0) reach_error(); y = 1 << y; y++; --y; if (y[0] != 4) reach_error(); return 0; }",
    ),
    (
        "a_number_for_all_elements_not_so",
        Answer::Unsafe,
        true,
        "typedef float f4 __attribute__((vector_size(16))); typedef long l2 __attribute__((vector_size(16)));
         int main(void) { f4 x = { 1, 2 }; x = 2 * x + 0.5f; if (x[1] != 4.5f || x[3] != 0.5f) reach_error(); char c = 3; l2 y = { 8, -8 };
         y = y / 3 + c; y >>= 1; if (y[0] != 2 || y[1] != 1) reach_error(); y = 1 << y; y++; --y; if (y[0] != 4) reach_error(); return 0; }",
    ),
    (
        "casts_keep_bytes",
        Answer::Safe,
        false,
        "typedef unsigned char b8 __attribute__((vector_size(8))); typedef unsigned short h4 __attribute__((vector_size(8)));
         typedef int i2 __attribute__((vector_size(8))); typedef float f2 __attribute__((vector_size(8)));
         int main(void) { b8 b = { 1, 2, 3, 4, 5, 6, 7, 248 }; h4 h = (h4)b; i2 i = (i2)b; if (h[1] != 0x403 || i[1] != (int)0xf8070605) reach_error();
         long l = (long)i; if (l != (long)0xf807060504030201) reach_error(); b = (b8)(l + 1); if (b[0] != 2 || b[7] != 248) reach_error();
         f2 f = { 1.0f, -2.0f }; i = (i2)f; if (i[0] != 0x3f800000) reach_error(); f = (f2)(i & 0x7fffffff); if (f[1] != 2.0f) reach_error();
         h = (h4)f; if (h[1] != 0x3f80 || h[2] != 0) reach_error(); return 0; }",
    ),
    (
        "casts_keep_bytes_not_so",
        Answer::Unsafe,
        true,
        "typedef unsigned char b8 __attribute__((vector_size(8))); typedef unsigned short h4 __attribute__((vector_size(8)));
         typedef int i2 __attribute__((vector_size(8))); typedef float f2 __attribute__((vector_size(8)));
         int main(void) { b8 b = { 1, 2, 3, 4, 5, 6, 7, 248 }; h4 h = (h4)b; i2 i = (i2)b; if (h[1] != 0x403 || i[1] != (int)0xf8070605) reach_error();
         long l = (long)i; if (l != (long)0xf807060504030201) reach_error(); b = (b8)(l + 1); if (b[0] != 2 || b[7] != 248) reach_error();
         f2 f = { 1.0f, -2.0f }; i = (i2)f; if (i[0] != 0x3f800000) reach_error(); f = (f2)(i & 0x7fffffff); if (f[1] != 2.0f) reach_error();
         h = (h4)f; if (h[1] != 0x3f80 || h[2] != 1) reach_error(); return 0; }",
    ),
    (
        "shuffles",
        Answer::Safe,
        false,
        "typedef int v4 __attribute__((vector_size(16))); typedef int v2 __attribute__((vector_size(8)));
         int main(int n, char **v) { v4 a = { 1, 2, 3, 4 }, b = { 5, 6, 7, 8 }; v4 c = __builtin_shuffle(a, (v4){ 3, 2, 9, -1 });
         if (c[0] != 4 || c[2] != 2 || c[3] != 4) reach_error(); c = __builtin_shuffle(a, b, (v4){ 3, 4, 9, -1 });
         if (c[1] != 5 || c[2] != 2 || c[3] != 8) reach_error(); c = __builtin_shuffle(a, b, (v4){ n, n + 4 });
         if (c[0] != (n & 7) + 1 || c[1] != ((n + 4) & 7) + 1) reach_error(); v2 d = __builtin_shufflevector(a, b, 6, 1);
         if (d[0] != 7 || d[1] != 2) reach_error(); return 0; }",
    ),
    (
        "shuffles_not_so",
        Answer::Unsafe,
        true,
        "typedef int v4 __attribute__((vector_size(16))); typedef int v2 __attribute__((vector_size(8)));
         int main(int n, char **v) { v4 a = { 1, 2, 3, 4 }, b = { 5, 6, 7, 8 }; v4 c = __builtin_shuffle(a, (v4){ 3, 2, 9, -1 });
         if (c[0] != 4 || c[2] != 2 || c[3] != 4) reach_error(); c = __builtin_shuffle(a, b, (v4){ 3, 4, 9, -1 });
         if (c[1] != 5 || c[2] != 2 || c[3] != 8) reach_error(); c = __builtin_shuffle(a, b, (v4){ n, n + 4 });
         if (c[0] != (n & 7) + 1 || c[1] != ((n + 4) & 7) + 1) reach_error(); v2 d = __builtin_shufflevector(a, b, 6, 1);
         if (d[0] != 7 || d[1] == 2) reach_error(); return 0; }",
    ),
    (
        "conversions_of_elements",
        Answer::Safe,
        false,
        "typedef int v2 __attribute__((vector_size(8))); typedef double d2 __attribute__((vector_size(16)));
         typedef unsigned char c2 __attribute__((vector_size(2))); static d2 next(d2 *d) { *d += 1.5; return *d; }
         int main(void) { v2 a = { 300, -4 }; d2 d = __builtin_convertvector(a, d2); if (d[1] != -4.0) reach_error();
         a = __builtin_convertvector(next(&d), v2); if (a[0] != 301 || a[1] != -2 || d[1] != -2.5) reach_error();
         c2 c = __builtin_convertvector(a, c2); if (c[0] != 45 || c[1] != 254) reach_error(); return 0; }",
    ),
    (
        "conversions_of_elements_not_so",
        Answer::Unsafe,
        true,
        "typedef int v2 __attribute__((vector_size(8))); typedef double d2 __attribute__((vector_size(16)));
         typedef unsigned char c2 __attribute__((vector_size(2))); static d2 next(d2 *d) { *d += 1.5; return *d; }
         int main(void) { v2 a = { 300, -4 }; d2 d = __builtin_convertvector(a, d2); if (d[1] != -4.0) reach_error();
         a = __builtin_convertvector(next(&d), v2); if (a[0] != 301 || a[1] != -3 || d[1] != -2.5) reach_error();
         c2 c = __builtin_convertvector(a, c2); if (c[0] != 45 || c[1] != 254) reach_error(); return 0; }",
    ),
    (
        "parts_of_other_objects",
        Answer::Safe,
        false,
        "typedef long l2 __attribute__((vector_size(16))); struct s { char tag; l2 v; }; union u { l2 v; long a[2]; } w; l2 g = { 1, 2 };
         static void add(l2 *p, long d) { *p += d; (*p)[1]++; }
         int main(void) { add(&g, 10); struct s t = { 1, { 3, 4 } }, q = t; if (sizeof t != 32 || q.v[1] != 4 || g[1] != 13) reach_error();
         w.v = q.v + g; if (w.a[0] != 14 || w.a[1] != 17) reach_error(); w.a[1] = 5; if (w.v[1] != 5) reach_error();
         l2 rows[2] = { 1, 2, 3, 4 }, more[] = { g, { 9 } }; if (rows[1][0] != 3 || more[0][1] != 13 || more[1][1] || sizeof more != 32) reach_error();
         long *e = (long *)&rows[1]; e[1] = 8; if (rows[1][1] != 8) reach_error(); return 0; }",
    ),
    (
        "parts_of_other_objects_not_so",
        Answer::Unsafe,
        true,
        "typedef long l2 __attribute__((vector_size(16))); struct s { char tag; l2 v; }; union u { l2 v; long a[2]; } w; l2 g = { 1, 2 };
         static void add(l2 *p, long d) { *p += d; (*p)[1]++; }
         int main(void) { add(&g, 10); struct s t = { 1, { 3, 4 } }, q = t; if (sizeof t != 32 || q.v[1] != 4 || g[1] != 13) reach_error();
         w.v = q.v + g; if (w.a[0] != 14 || w.a[1] != 17) reach_error(); w.a[1] = 5; if (w.v[1] != 5) reach_error();
         l2 rows[2] = { 1, 2, 3, 4 }, more[] = { g, { 9 } }; if (rows[1][0] != 3 || more[0][1] != 13 || more[1][1] || sizeof more != 32) reach_error();
         long *e = (long *)&rows[1]; e[1] = 8; if (rows[1][1] != 4) reach_error(); return 0; }",
    ),
    (
        "numbers_as_vectors",
        Answer::Safe,
        false,
        "typedef int v2 __attribute__((vector_size(8))); int a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
         int main(void) { for (int i = 0; i < 8; i += 2) *(v2 *)&a[i] = *(v2 *)&a[i] * 2 + (v2){ 0, 1 }; if (a[2] != 6 || a[7] != 17) reach_error(); return 0; }",
    ),
    (
        "numbers_as_vectors_not_so",
        Answer::Unsafe,
        true,
        "typedef int v2 __attribute__((vector_size(8))); int a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
         int main(void) { for (int i = 0; i < 8; i += 2) *(v2 *)&a[i] = *(v2 *)&a[i] * 2 + (v2){ 0, 1 }; if (a[2] != 6 || a[7] != 16) reach_error(); return 0; }",
    ),
    (
        "one_that_may_change_at_any_time",
        Answer::Unsafe,
        false,
        "typedef int v4 __attribute__((vector_size(16)));
         volatile v4 v; int main(void) { v4 a = v; if (a[0] != 0) reach_error(); return 0; }",
    ),
    (
        "attributes_are_about_what_they_stand_on",
        Answer::Safe,
        false,
        "typedef int number; int a __attribute__((mode(QI))), b; number c __attribute__((mode(HI))); int *p __attribute__((vector_size(16))), q;
         __attribute__((mode(DI))) int d; _Complex float z __attribute__((mode(DC))); int __attribute__((mode(SI))) __attribute__((vector_size(8))) v;
         int f(int) __attribute__((vector_size(8))); int main(void) { b = 300; c = 70000;
         if (sizeof a != 1 || sizeof b != 4 || b != 300 || c != 4464 || sizeof *p != 16 || sizeof q != 4 || sizeof d != 8 || sizeof z != 16) reach_error();
         if (sizeof v != 8 || sizeof f(1) != 8) reach_error(); return 0; }",
    ),
    (
        "attributes_are_about_what_they_stand_on_not_so",
        Answer::Unsafe,
        true,
        "typedef int number; int a __attribute__((mode(QI))), b; number c __attribute__((mode(HI))); int *p __attribute__((vector_size(16))), q;
         __attribute__((mode(DI))) int d; _Complex float z __attribute__((mode(DC))); int __attribute__((mode(SI))) __attribute__((vector_size(8))) v;
         int f(int) __attribute__((vector_size(8))); int main(void) { b = 300; c = 70000;
         if (sizeof a != 1 || sizeof b != 1 || b != 300 || c != 4464 || sizeof *p != 16 || sizeof q != 4 || sizeof d != 8 || sizeof z != 16) reach_error();
         if (sizeof v != 8 || sizeof f(1) != 8) reach_error(); return 0; }",
    ),
];

#[test]
fn vectors_are_what_gcc_makes_of_them() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("vectors", PROGRAMS);
}

/// An element that leaves its type is an overflow, however narrow it is; and so on.
#[test]
fn checks_look_at_elements() {
    use clausal::c::options::Checks;
    let vector = "typedef signed char c4 __attribute__((vector_size(4)));";
    let programs = [
        (
            "int main(int n, char **v) { c4 a = { 127, (char)n }; a[0] -= n > 0; a = a + 1; return a[0]; }",
            Answer::Unsafe,
        ),
        (
            "int main(int n, char **v) { c4 a = { 126, 1 }; a = a + 1; return a[0]; }",
            Answer::Safe,
        ),
        (
            "int main(int n, char **v) { c4 a = { 1, 1, 1, 1 }, b = { 2, 1, 3 }; a = a / b; return a[0]; }",
            Answer::Unsafe,
        ),
        (
            "int main(int n, char **v) { c4 a = { 1 }; if (n < 5) return a[n & 3]; return a[n]; }",
            Answer::Unsafe,
        ),
        (
            "int main(int n, char **v) { c4 a = { 1 }; return a[n & 3]; }",
            Answer::Safe,
        ),
        (
            "int main(int n, char **v) { c4 a = { 1 }; a = a << (char)(n & 3); return a[0]; }",
            Answer::Safe,
        ),
    ];
    let options = Options {
        checks: Checks::UNDEFINED,
        ..Options::default()
    };
    for (text, expected) in programs {
        let text = format!("{vector} {text}");
        let (found, why) = answer(&text, &options);
        assert_eq!(found, expected, "{why}\n{text}");
    }
}

/// gcc rejects most of these, too.
#[test]
fn what_has_no_meaning_is_refused() {
    let vector =
        "typedef int v4 __attribute__((vector_size(16))); typedef unsigned u4 __attribute__((vector_size(16)));
         typedef float f4 __attribute__((vector_size(16))); v4 v; u4 u; f4 f;";
    for text in [
        "if (v) return 1;",
        "v = v ? v : v;",
        "v = !v;",
        "v = f;",
        "int x = (int)v;",
        "v = v + f;",
        "v = (v4){ v };",
        "f = f & f;",
        "v = u < v;",
        "v = __builtin_shuffle(v, f);",
        "v.x = 1;",
        "typedef int v3 __attribute__((vector_size(12))); v3 w;",
        "typedef int *p2 __attribute__((mode(V4SI))); p2 w;",
        "typedef long double e2 __attribute__((vector_size(32))); typedef long l4 __attribute__((vector_size(32))); l4 w = (l4)(e2){ 1 };",
    ] {
        let text = format!("{vector} int main(void) {{ {text} reach_error(); return 0; }}");
        let (found, why) = answer(&text, &Options::default());
        assert_eq!(found, Answer::Refused, "{why}\n{text}");
    }
}
