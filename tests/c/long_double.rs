//! `long double` as x87 has it: 64 significant bits, 15 of exponent, 16 bytes. Each program fails, or does not, when it is compiled
//! and run; the answer is the same, or a refusal.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::Options;
use clausal::c::types::DataModel;

const PROGRAMS: &[Case] = &[
    (
        "sixty_four_bits",
        Answer::Safe,
        false,
        "int main(void) { long double x = 1, y = x + 0x1p-63L, z = x + 0x1p-64L; if (y == x || z != x) reach_error();
         if (x - 0x1p-64L == x || (double)y != 1 || 0.1L == 0.1 || 0.1L == (long double)0.1f) reach_error(); return 0; }",
    ),
    (
        "sixty_five_bits",
        Answer::Unsafe,
        true,
        "int main(void) { long double x = 18446744073709551615.0L; if (x + 2 == 18446744073709551617.0L) reach_error(); return 0; }",
    ),
    (
        "large_and_small",
        Answer::Safe,
        false,
        "int main(void) { long double x = 1.7976931348623157e308, y; y = x * x; if (y / x != x || y <= x) reach_error();
         long double least = 0x1p-16445L; if (!(least > 0) || least / 2 != 0 || 1 / (least / -2) > 0) reach_error();
         long double most = 0x1.fffffffffffffffep16383L; if (most + most <= most || most * 2 - most == most || (double)most <= 1e308) reach_error();
         return 0; }",
    ),
    (
        "size_and_alignment",
        Answer::Safe,
        false,
        "struct s { char c; long double x; }; int main(void) { if (sizeof(long double) != 16 || _Alignof(long double) != 16 || sizeof(struct s) != 32)
         reach_error(); long double a[3] = {1, 2, 3}, *p = a; p++; if (*p != 2 || p - a != 1) reach_error(); return 0; }",
    ),
    (
        "rounded_twice",
        Answer::Safe,
        false,
        // Half a unit of `double` and a little more: rounded to 64 bits first, and then to the even one.
        "int main(void) { double one = 1, half = 0x1.002p-53; double twice = (double)((long double)one + half); if (twice != 1) reach_error();
         if (one + half == 1) reach_error(); return 0; }",
    ),
    (
        "integers_fit",
        Answer::Safe,
        false,
        "int main(void) { unsigned long u = 18446744073709551615ul; long v = -9223372036854775807l - 1; long double x = u, y = v;
         if ((unsigned long)x != u || (long)y != v || x + 1 != 18446744073709551616.0L) reach_error();
         if ((int)-2.75L != -2 || (unsigned char)255.9L != 255) reach_error(); return 0; }",
    ),
    (
        "comparisons_and_zeros",
        Answer::Safe,
        false,
        "int main(void) { long double z = 0.0L, n = -z, q = z / z, i = 1 / z; if (z != n || 1 / n > 0 || q == q || !(i > 1e4000L)) reach_error();
         if (q < 1 || q >= 1 || !q || z) reach_error(); if (__builtin_signbit(n) == 0 || !__builtin_isnan(q) || !__builtin_isinf(-i)) reach_error();
         return 0; }",
    ),
    (
        "functions",
        Answer::Safe,
        false,
        "long double sqrtl(long double), floorl(long double), ceill(long double), truncl(long double), roundl(long double), rintl(long double);
         long double fabsl(long double), fmodl(long double, long double), fminl(long double, long double), fmaxl(long double, long double);
         long double copysignl(long double, long double), modfl(long double, long double *), frexpl(long double, int *), ldexpl(long double, int);
         long double remainderl(long double, long double), fmal(long double, long double, long double), nextafterl(long double, long double);
         long double fdiml(long double, long double), logbl(long double); int ilogbl(long double); long lrintl(long double); long lroundl(long double);
         int main(void) { long double whole; int e;
           if (sqrtl(2) != 1.41421356237309504880L || sqrtl(2) == 1.4142135623730951) reach_error();
           if (floorl(-2.5L) != -3 || ceill(-2.5L) != -2 || truncl(-2.5L) != -2 || roundl(-2.5L) != -3 || rintl(-2.5L) != -2) reach_error();
           if (fabsl(-3) != 3 || fmodl(-7.5L, 2) != -1.5L || fminl(1, 2) != 1 || fmaxl(1, 2) != 2 || copysignl(3, -1) != -3) reach_error();
           if (modfl(-2.25L, &whole) != -0.25L || whole != -2 || frexpl(10, &e) != 0.625L || e != 4 || ldexpl(0.75L, 3) != 6) reach_error();
           if (remainderl(7, 4) != -1 || fmal(3, 4, 5) != 17 || nextafterl(1, 2) != 1 + 0x1p-63L || fdiml(5, 3) != 2) reach_error();
           if (logbl(9) != 3 || ilogbl(0.25L) != -2 || lrintl(2.5L) != 2 || lroundl(2.5L) != 3) reach_error(); return 0; }",
    ),
    (
        "scaled_exactly",
        Answer::Safe,
        false,
        "double ldexp(double, int), logb(double), scalbn(double, int), scalbln(double, long); float ldexpf(float, int); int ilogb(double);
         int main(void) { if (ldexp(0.75, 4) != 12 || ldexp(1, -1074) <= 0 || ldexp(1, -1075) != 0 || ldexp(1, 1024) <= 1e308) reach_error();
           if (ldexp(3, -1075) != 0x1p-1073 || ldexpf(3, -150) != 0x1p-148f || scalbn(-5, 1) != -10 || scalbln(1, 1l << 40) <= 1e308) reach_error();
           if (logb(0x1p-1074) != -1074 || ilogb(1e300) != 996 || ilogb(0) != -2147483647 - 1 || logb(-0.0) >= -1e308) reach_error(); return 0; }",
    ),
    (
        "error_number_of_scaling",
        Answer::Refused,
        true,
        "int *__errno_location(void); double ldexp(double, int);
         int main(void) { if (ldexp(1, 5000) > 1e308 && *__errno_location() == 34) reach_error(); return 0; }",
    ),
    (
        "any_number",
        Answer::Safe,
        false,
        "long double __VERIFIER_nondet_long_double(void);\n#ifdef RUN\nlong double __VERIFIER_nondet_long_double(void) { return 7.5L; }\n#endif
         int main(void) { long double x = __VERIFIER_nondet_long_double(); if (x > 1 && x < 2 && !(x * 2 < 4.1L)) reach_error();
         double d = x; if (x >= 0 && d < 0) reach_error(); return 0; }",
    ),
    (
        "a_number_between",
        Answer::Unsafe,
        true,
        "long double __VERIFIER_nondet_long_double(void);\n#ifdef RUN\nlong double __VERIFIER_nondet_long_double(void) { return 1 + 0x1p-60L; }\n#endif
         int main(void) { long double x = __VERIFIER_nondet_long_double(); if (x > 1 && x < 1.0000000000000002) reach_error(); return 0; }",
    ),
    (
        "bytes_of_it",
        Answer::Refused,
        true,
        "int main(void) { long double x = 1; unsigned char *p = (unsigned char *)&x; if (p[9] == 0x3f) reach_error(); return 0; }",
    ),
    (
        "four_times_the_bits",
        Answer::Refused,
        true,
        "int main(void) { __float128 x = 1; if (x + 0x1p-100L != x) reach_error(); return 0; }",
    ),
];

/// The programs as they are read: their inputs are unknown.
fn read() -> Vec<Case> {
    let directives = |text: &'static str| match text.split_once("#ifdef RUN\n") {
        None => text,
        Some((before, rest)) => {
            let (_, rest) = rest.split_once("#endif\n").expect("the directives are there");
            Box::leak(format!("{before}{rest}").into_boxed_str())
        }
    };
    let programs = PROGRAMS.iter();
    programs
        .map(|(name, answer, fails, text)| (*name, *answer, *fails, directives(text)))
        .collect()
}

#[test]
fn programs_are_answered_as_they_behave() {
    assert_answers(&read());
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    let runs = |text: &str| -> &'static str { Box::leak(format!("#define RUN\n{text}").into_boxed_str()) };
    let programs: Vec<Case> = PROGRAMS
        .iter()
        .map(|(name, answer, fails, text)| (*name, *answer, *fails, runs(text)))
        .collect();
    assert_runs("c_long_double", &programs);
}

#[test]
fn it_has_twelve_bytes_where_words_have_four() {
    let options = Options {
        model: DataModel::Ilp32,
        ..Options::default()
    };
    let text = "struct s { char c; long double x; }; int main(void) { if (sizeof(long double) != 12 || sizeof(struct s) != 16) reach_error(); return 0; }";
    assert_eq!(answer(text, &options).0, Answer::Safe);
}
