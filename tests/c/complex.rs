//! Complex numbers. Each program fails, or does not, when it is compiled and run; the answer is the same.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::Options;

const PROGRAMS: &[Case] = &[
    (
        "parts",
        Answer::Safe,
        false,
        "int main(void) { _Complex double z = 1.5 + 2.0i; __real__ z += 1; double *p = &__imag__ z; *p = -3;
         if (__real__ z != 2.5 || __imag__ z != -3 || sizeof z != 16 || __imag__ 4.0 != 0) reach_error(); return 0; }",
    ),
    (
        "parts_not_so",
        Answer::Unsafe,
        true,
        "int main(void) { _Complex double z = 1.5 + 2.0i; __real__ z += 1; if (__real__ z == 2.5) reach_error(); return 0; }",
    ),
    (
        "operators",
        Answer::Safe,
        false,
        "static _Complex double square(_Complex double z) { return z * z; }
         int main(void) { _Complex double z = square(1.5 + 2.0i); if (z != -1.75 + 6.0i || -z != 1.75 - 6.0i) reach_error();
         z = ~z; if (z != -1.75 - 6.0i) reach_error(); z -= 0.25; z /= 2; if (z != -1 - 3.0i) reach_error();
         z++; if (z != -3.0i || !z || z == 0) reach_error(); z = 2 * z; if (__imag__ z != -6) reach_error(); return 0; }",
    ),
    (
        "operators_not_so",
        Answer::Unsafe,
        true,
        "static _Complex double square(_Complex double z) { return z * z; }
         int main(void) { _Complex double z = square(1.5 + 2.0i); if (z == -1.75 + 6.0i) reach_error(); return 0; }",
    ),
    (
        "a_real_operand_has_no_imaginary_part",
        Answer::Safe,
        false,
        "int main(void) { _Complex double z; __real__ z = 1; __imag__ z = -0.0; z = z + 1.0; if (1 / __imag__ z > 0) reach_error();
         z = 2.0 - z; if (1 / __imag__ z < 0) reach_error(); return 0; }",
    ),
    (
        "a_number_that_is_made_complex_has_one",
        Answer::Unsafe,
        true,
        "int main(void) { _Complex double z; __real__ z = 1; __imag__ z = -0.0; z = z + (_Complex double)1.0;
         if (1 / __imag__ z > 0) reach_error(); return 0; }",
    ),
    (
        "conversions",
        Answer::Safe,
        false,
        "int main(void) { _Complex float f = 3; int i = 2.75 + 1.0i; _Bool b = 1.0i, c = 0.0i; double d = f;
         _Complex int k = 3 + 4i; k *= k; if (__real__ k != -7 || __imag__ k != 24) reach_error();
         if (i != 2 || !b || c || d != 3 || __imag__ f != 0 || f != 3) reach_error(); return 0; }",
    ),
    (
        "conversions_not_so",
        Answer::Unsafe,
        true,
        "int main(void) { _Bool b = 1.0i; int i = 2.75 + 1.0i; if (b && i == 2) reach_error(); return 0; }",
    ),
    (
        "conditions",
        Answer::Safe,
        false,
        "int main(void) { _Complex double z = 0, w = 2.0i; int n = 0; if (z) n++; if (w) n += 2; while (w) { w -= 1.0i; n += 4; }
         _Complex double v = n > 3 ? w : 1.0; if (n != 10 || v != 0 || (z || w) || !(z == w && !z)) reach_error(); return 0; }",
    ),
    (
        "conditions_not_so",
        Answer::Unsafe,
        true,
        "int main(void) { _Complex double w = 2.0i; int n = 0; while (w) { w -= 1.0i; n += 4; } if (n == 8) reach_error(); return 0; }",
    ),
    (
        "in_objects",
        Answer::Safe,
        false,
        "struct s { char c; _Complex float f; } s = { 1, 2 + 3.0fi }; static _Complex double a[3] = { 1, 2.0i };
         int main(void) { struct s t = s; _Complex double *p = a + 1; if (__imag__ t.f != 3 || *p != 2.0i || a[2] != 0) reach_error();
         *p = t.f; if (a[1] != 2 + 3.0i || __real__ a[0] != 1) reach_error(); return 0; }",
    ),
    (
        "in_objects_not_so",
        Answer::Unsafe,
        true,
        "static _Complex double a[3] = { 1, 2.0i }; int main(void) { if (a[1] == 2.0i) reach_error(); return 0; }",
    ),
    (
        "functions",
        Answer::Safe,
        false,
        "double creal(_Complex double); double cimag(_Complex double); _Complex double conj(_Complex double);
         int main(void) { _Complex double z = __builtin_complex(3.0, -4.0);
         if (creal(z) != 3 || cimag(conj(z)) != 4 || creal(5) != 5) reach_error(); return 0; }",
    ),
    (
        "functions_not_so",
        Answer::Unsafe,
        true,
        "double cimag(_Complex double); _Complex double conj(_Complex double);
         int main(void) { _Complex double z = __builtin_complex(3.0, -4.0); if (cimag(conj(z)) == 4) reach_error(); return 0; }",
    ),
    (
        "an_effect_happens_once",
        Answer::Safe,
        false,
        "int n; static _Complex double next(void) { n++; return n + 1.0i; }
         int main(void) { _Complex double z = -next(); if (n != 1 || __real__ z != -1) reach_error();
         z = (_Complex float)next() * 2.0; if (n != 2 || z != 4 + 2.0i) reach_error(); return 0; }",
    ),
    (
        "whole_numbers_by_a_real_one",
        Answer::Safe,
        false,
        "unsigned _Complex q(unsigned _Complex a, unsigned _Complex b) { return a / b; }
         int main(void) { _Complex int z = 43 - 20i; z /= 7; if (__real__ z != 6 || __imag__ z != -2) reach_error();
         unsigned _Complex u = q(100 + 50i, 9); if (__real__ u != 11 || __imag__ u != 5) reach_error(); return 0; }",
    ),
    (
        "whole_numbers_by_a_real_one_not_so",
        Answer::Unsafe,
        true,
        "int main(void) { _Complex int z = 43 - 20i; z /= 7; if (__real__ z == 6 && __imag__ z == -2) reach_error(); return 0; }",
    ),
];

#[test]
fn complex_numbers_are_what_c_says() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("complex", PROGRAMS);
}

/// How a quotient is rounded is up to the compiler's library, and so is what becomes of infinities that a product loses.
#[test]
fn quotients_are_not_calculated() {
    let programs = [
        "int main(void) { _Complex double z = 1.0 / (1.0 + 3.0i); if (__real__ z == 0.1) reach_error(); return 0; }",
        "int main(void) { _Complex double z = 1.0 / (1.0 + 3.0i); if (__real__ z != 0.1) reach_error(); return 0; }",
        "int main(void) { _Complex double z; __real__ z = 1e308 * 10; __imag__ z = 0; z *= 0.0 * (1.0 + 1.0i);
         if (__real__ z == __real__ z) reach_error(); return 0; }",
        "int main(void) { _Complex int z = 7 + 1i; z /= 2 + 1i; if (__real__ z == 3) reach_error(); return 0; }",
        "int main(void) { _Complex char z = 7; z += z; if (z == 14) reach_error(); return 0; }",
    ];
    for text in programs {
        let (found, why) = answer(text, &Options::default());
        assert_eq!(found, Answer::Refused, "{why}\n{text}");
    }
}
