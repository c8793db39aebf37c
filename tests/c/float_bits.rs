//! Floating-point numbers as their bits: in unions, through pointers of another type, and by `memcpy`. Each program fails, or does
//! not, when it is compiled and run; the answer is the same, or a refusal.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::{Floats, Options};

/// A program with unions of numbers and words, and inputs that the compiled one gets from a table.
macro_rules! program {
    ($rest:literal) => {
        concat!(
            "union single { float f; unsigned int u; int i; unsigned char b[4]; unsigned short h[2]; };
             union wide { double d; unsigned long u; struct { unsigned int low, high; } s; struct { unsigned long fraction : 52;
                 unsigned long exponent : 11; unsigned long sign : 1; } parts; };
             void *memcpy(void *, const void *, unsigned long);
             float input(void);\n#ifdef RUN\nfloat input(void) { static float x = 1; x *= -3; return x; }\n#endif\n",
            $rest
        )
    };
}

const PROGRAMS: &[Case] = &[
    (
        "bits_of_a_number",
        Answer::Safe,
        false,
        program!(
            "int main(void) { union single m; m.f = 1.5f; if (m.u != 0x3fc00000u || m.b[3] != 0x3f || m.h[1] != 0x3fc0) reach_error();
             m.f = -0.0f; if (m.i >= 0 || m.b[0]) reach_error(); m.f = 1e-45f; if (m.u != 1) reach_error();
             m.f = 3.40282346638528859811704183484516925440e+38f; if (m.u != 0x7f7fffff) reach_error(); return 0; }"
        ),
    ),
    (
        "bits_of_a_number_are_others",
        Answer::Unsafe,
        true,
        program!("int main(void) { union single m; m.f = 1.5f; if (m.u == 0x3fc00000u) reach_error(); return 0; }"),
    ),
    (
        "number_of_bits",
        Answer::Safe,
        false,
        program!(
            "int main(void) { union single m; m.u = 0x40490fdb; if (!(m.f > 3.1415925f && m.f < 3.141593f)) reach_error();
             m.u = 0x7f800000; if (m.f <= 1e38f) reach_error(); m.b[3] = 0xff; if (m.f >= -1e38f) reach_error();
             m.u = 0x80000000; if (m.f != 0 || 1 / m.f > 0) reach_error(); m.u = 1; if (!(m.f > 0)) reach_error(); return 0; }"
        ),
    ),
    (
        "bits_of_a_nan_that_are_written_stay",
        Answer::Safe,
        false,
        program!(
            "int main(void) { union single m; m.u = 0x7fa01234; if (m.f == m.f || m.u != 0x7fa01234) reach_error();
             m.u ^= 0x80000000u; if (m.u != 0xffa01234) reach_error(); union single n = m; if (n.u != m.u) reach_error(); return 0; }"
        ),
    ),
    (
        "bits_of_a_nan_that_is_calculated",
        Answer::Refused,
        false,
        program!(
            "int main(void) { union single m; float z = input() * 0; m.f = z / z; if (m.u != 0x7fc00000u && m.u != 0xffc00000u) reach_error();
             return 0; }"
        ),
    ),
    (
        "bits_of_a_nan_are_those_of_one",
        Answer::Safe,
        false,
        program!(
            "int main(void) { union single m; float z = input() * 0; m.f = z / z; if ((m.u & 0x7fffffff) <= 0x7f800000) reach_error();
             if (m.i != (int)m.u) reach_error(); return 0; }"
        ),
    ),
    (
        "classes_by_bits",
        Answer::Safe,
        false,
        program!(
            "static int is_nan(float x) { union single m; m.f = x; return (m.u & 0x7fffffff) > 0x7f800000; }
             static float absolute(float x) { union single m; m.f = x; m.u &= 0x7fffffff; return m.f; }
             int main(void) { float x = input(); if (is_nan(x) != (x != x)) reach_error(); if (absolute(x) < 0) reach_error();
             if (x > 2 && absolute(-x) != x) reach_error(); return 0; }"
        ),
    ),
    (
        "sign_by_bits_forgets_zero",
        Answer::Unsafe,
        true,
        program!(
            "int main(void) { union single m; m.f = input() * 0; if (m.f >= 0 && m.u >> 31) reach_error(); return 0; }"
        ),
    ),
    (
        "fields_of_a_double",
        Answer::Safe,
        false,
        program!(
            "int main(void) { union wide m; m.d = -6.5; if (!m.parts.sign || m.parts.exponent != 1025 || m.parts.fraction != 0xa000000000000ul)
             reach_error(); m.parts.sign = 0; m.parts.exponent++; if (m.d != 13) reach_error(); m.s.high = 0x3ff00000; m.s.low = 0;
             if (m.d != 1) reach_error(); return 0; }"
        ),
    ),
    (
        "through_a_pointer",
        Answer::Safe,
        false,
        program!(
            "int main(void) { float f = 1.5f; if (*(int *)&f != 0x3fc00000) reach_error(); *(int *)&f += 0x800000; if (f != 3) reach_error();
             f = f + 1; if (*(unsigned int *)&f != 0x40800000) reach_error(); return 0; }"
        ),
    ),
    (
        "through_a_pointer_to_bytes",
        Answer::Safe,
        false,
        program!(
            "int main(void) { double d[2] = {-2, 0.5}; unsigned char *p = (unsigned char *)d; if (p[7] != 0xc0 || p[15] != 0x3f || p[0]) reach_error();
             p[7] ^= 0x80; if (d[0] != 2 || d[1] != 0.5) reach_error(); return 0; }"
        ),
    ),
    (
        "by_memcpy",
        Answer::Safe,
        false,
        program!(
            "static unsigned int word(float f) { unsigned int u; memcpy(&u, &f, sizeof u); return u; }
             static double number(unsigned long u) { double d; memcpy(&d, &u, sizeof d); return d; }
             int main(void) { if (word(0.1f) != 0x3dcccccd || number(0x7fe0000000000000ul) != 8.98846567431158e307) reach_error();
             float x = input(); if (x > 1 && x < 2 && (word(x) <= 0x3f800000 || word(x) >= 0x40000000)) reach_error(); return 0; }"
        ),
    ),
    (
        "by_memcpy_not_so",
        Answer::Unsafe,
        true,
        program!(
            "int main(void) { float f = input(); unsigned int u; memcpy(&u, &f, sizeof u); if (u == 0xc0400000) reach_error(); return 0; }"
        ),
    ),
    (
        "bits_of_a_nan_by_memcpy",
        Answer::Safe,
        false,
        program!(
            "int main(void) { unsigned int u = 0x7f812345, v; float f; memcpy(&f, &u, 4); memcpy(&v, &f, 4); if (v != u || f == f) reach_error();
             return 0; }"
        ),
    ),
    (
        "an_inverse_root",
        Answer::Safe,
        false,
        program!(
            "int main(void) { float y = 4, x2 = y * 0.5f; int i = *(int *)&y; i = 0x5f3759df - (i >> 1); y = *(float *)&i;
             y = y * (1.5f - x2 * y * y); if (y < 0.499f || y > 0.501f) reach_error(); return 0; }"
        ),
    ),
    (
        "in_a_struct_that_is_copied",
        Answer::Safe,
        false,
        program!(
            "struct s { int tag; union single m; }; int main(void) { struct s a = {1, {2.0f}}, b; b = a; if (b.m.u != 0x40000000) reach_error();
             struct s c[2]; c[1] = b; c[1].m.u = 0x3f800000; if (c[1].m.f != 1 || b.m.f != 2) reach_error(); return 0; }"
        ),
    ),
    (
        "a_pointer_in_a_number",
        Answer::Refused,
        true,
        program!(
            "int main(void) { static int x = 1; union { double d; int *p; } m; m.p = &x; double d = m.d; m.p = 0; m.d = d; *m.p = 5;
             if (x == 5) reach_error(); return 0; }"
        ),
    ),
];

#[test]
fn programs_are_answered_as_they_behave() {
    let programs: Vec<Case> = PROGRAMS.to_vec();
    assert_answers(&without_directives(programs));
}

/// The programs as they are read: their inputs are unknown.
fn without_directives(programs: Vec<Case>) -> Vec<Case> {
    programs
        .into_iter()
        .map(|(name, answer, fails, text)| {
            let (before, rest) = text.split_once("#ifdef RUN\n").expect("the directives are there");
            let (_, rest) = rest.split_once("#endif\n").expect("the directives are there");
            let text: &'static str = Box::leak(format!("{before}{rest}").into_boxed_str());
            (name, answer, fails, text)
        })
        .collect()
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    let programs: Vec<Case> = PROGRAMS
        .iter()
        .map(|(name, answer, fails, text)| {
            let text: &'static str = Box::leak(format!("#define RUN\n{text}").into_boxed_str());
            (*name, *answer, *fails, text)
        })
        .collect();
    assert_runs("c_float_bits", &programs);
}

/// Where numbers are approximated, or have bits beside those of their value, bits are not told.
#[test]
fn what_has_no_exact_numbers_has_no_bits() {
    let real = Options {
        floats: Floats::Real,
        ..Options::default()
    };
    for (text, options) in [
        (
            "int main(void) { union { float f; int i; } m; m.f = 1; if (m.i != 0x3f800000) reach_error(); return 0; }",
            &real,
        ),
        (
            "int main(void) { union { long double f; long i[2]; } m; m.i[1] = -1; m.f = 1; if (m.i[1] >= 0) reach_error(); return 0; }",
            &Options::default(),
        ),
    ] {
        let (found, why) = answer(text, options);
        assert_eq!(found, Answer::Refused, "{why}\n{text}");
    }
}
