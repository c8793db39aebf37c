//! What is the compiler's own: choices by types, counts of bits, and flags in the text that give other results. Each program
//! here fails, or does not, when it is compiled and run; the answer is the same, or a refusal.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::Options;
use clausal::c::types::DataModel;

const PROGRAMS: &[Case] = &[
    (
        "pack_in_another_base",
        Answer::Safe,
        false,
        "#pragma pack(push, 0x1)\nstruct a { char c; int i; };\n#pragma pack(02)\nstruct b { char c; int i; };\n#pragma pack(pop)\nstruct c { char c; int i; };
         int main(void) { if (sizeof(struct a) != 5 || sizeof(struct b) != 6 || sizeof(struct c) != 8) reach_error(); return 0; }",
    ),
    (
        "pack_by_a_word_that_may_be_a_macro",
        Answer::Refused,
        false,
        "#pragma pack(push, bound)\nstruct a { char c; int i; };\n#pragma pack(pop)
         int main(void) { if (sizeof(struct a) != 8) reach_error(); return 0; }",
    ),
    (
        "pack_by_a_name",
        Answer::Safe,
        false,
        "#pragma pack(push, before)\n#pragma pack(1)\nstruct a { char c; int i; };\n#pragma pack(pop, before)\nstruct b { char c; int i; };
         int main(void) { if (sizeof(struct a) != 5 || sizeof(struct b) != 8) reach_error(); return 0; }",
    ),
    (
        "choice_by_type",
        Answer::Unsafe,
        true,
        "int main(void) { float f = 1; short s = 2; if (_Generic(f, int: 1, float: 2, default: 3) + _Generic(s + s, short: 10, int: 20) == 22) reach_error(); return 0; }",
    ),
    (
        "choice_of_others",
        Answer::Safe,
        false,
        "int main(void) { long x = 1; if (_Generic(x, int: 1, double: 2, default: 3) != 3) reach_error(); return 0; }",
    ),
    (
        "choice_of_a_function",
        Answer::Unsafe,
        true,
        "static int f(int x) { return x + 1; } static int g(double x) { return x * 2; } int main(void) { if (_Generic(1.5, int: f, double: g)(3.5) == 7) reach_error(); return 0; }",
    ),
    (
        "choice_is_a_place",
        Answer::Unsafe,
        true,
        "int main(void) { int a = 1, b = 2; _Generic(1u, int: a, unsigned: b) = 9; if (a == 1 && b == 9) reach_error(); return 0; }",
    ),
    (
        "choice_evaluates_one",
        Answer::Unsafe,
        true,
        "int main(void) { int a = 0; int r = _Generic((a = 5), int: a += 1, float: a += 10); if (a == 1 && r == 1) reach_error(); return 0; }",
    ),
    (
        "choice_between_kinds_of_char",
        Answer::Refused,
        true,
        "int main(void) { char c = 1; if (_Generic(c, signed char: 1, default: 2) == 2) reach_error(); return 0; }",
    ),
    (
        "choice_between_long_types",
        Answer::Refused,
        true,
        "int main(void) { if (_Generic(1L, long long: 1, default: 2) == 2) reach_error(); return 0; }",
    ),
    (
        "choice_by_what_is_const",
        Answer::Refused,
        true,
        "int main(void) { const char *p = 0; if (_Generic(p, char *: 1, default: 2) == 2) reach_error(); return 0; }",
    ),
    (
        "choice_between_enumerations",
        Answer::Refused,
        true,
        "enum e { A }; enum f { B }; int main(void) { enum e x = A; if (_Generic(x, enum f: 1, default: 2) == 2) reach_error(); return 0; }",
    ),
    (
        "types_that_agree",
        Answer::Unsafe,
        true,
        "int main(void) { int x, a[3]; if (__builtin_types_compatible_p(__typeof__(x), int) && !__builtin_types_compatible_p(__typeof__(a), __typeof__(&a[0])) && !__builtin_types_compatible_p(int, long)) reach_error(); return 0; }",
    ),
    (
        "types_that_may_agree",
        Answer::Refused,
        true,
        "int main(void) { if (!__builtin_types_compatible_p(long, long long)) reach_error(); return 0; }",
    ),
    (
        "alignment_of_a_function",
        Answer::Refused,
        true,
        "static int f(void) { return 1; } int main(void) { if (__alignof__(f) == 1) reach_error(); return 0; }",
    ),
    (
        "alignment_of_a_function_that_asks_for_it",
        Answer::Unsafe,
        true,
        "int f(void) __attribute__((aligned(64))); int f(void) { return 1; }
         int main(void) { if (__alignof__(f) == 64) reach_error(); return 0; }",
    ),
    (
        "name_of_the_function_has_a_size",
        Answer::Unsafe,
        true,
        "int main(void) { if (sizeof __func__ == 5 && sizeof(__FUNCTION__) == 5) reach_error(); return 0; }",
    ),
    (
        "bits_of_any_number",
        Answer::Unsafe,
        true,
        "static unsigned twice(unsigned x) { return x * 2; } int main(void) { unsigned x = twice(20); if (__builtin_popcount(x) == 2 && __builtin_ctz(x) == 3 && __builtin_clz(x) == 26 && __builtin_ffs(x) == 4 && __builtin_parity(x) == 0 && __builtin_bswap32(x) == 0x28000000u && __builtin_clzl(x) == 58) reach_error(); return 0; }",
    ),
    (
        "error_behind_the_zeros_of_zero",
        Answer::Unsafe,
        true,
        "static unsigned half(unsigned x) { return x / 2; } int main(void) { unsigned x = half(1); int zeros = __builtin_clz(x) + __builtin_ctzl(x); if (x == 0) reach_error(); return zeros; }",
    ),
    (
        "no_bit_is_set",
        Answer::Unsafe,
        true,
        "static int half(int x) { return x / 2; } int main(void) { if (__builtin_ffs(half(1)) == 0 && __builtin_popcountll(half(-2)) == 64) reach_error(); return 0; }",
    ),
    (
        "pragma_with_fast_arithmetic",
        Answer::Refused,
        false,
        "#pragma GCC optimize(\"-ffast-math\")\nint main(void) { volatile double n = __builtin_nan(\"\"); double m = n; if (m != m) reach_error(); return 0; }",
    ),
    (
        "pragma_with_a_level",
        Answer::Unsafe,
        true,
        "#pragma GCC optimize(\"O2\")\nint main(void) { reach_error(); return 0; }",
    ),
    (
        "pragma_that_contracts",
        Answer::Refused,
        true,
        "#pragma GCC target(\"arch=haswell\")\nint main(void) { reach_error(); return 0; }",
    ),
    (
        "machine_that_contracts",
        Answer::Refused,
        true,
        "__attribute__((target(\"fma\"))) static double f(double x) { return x; } int main(void) { if (f(1) == 1) reach_error(); return 0; }",
    ),
    (
        "machine_that_only_counts",
        Answer::Unsafe,
        true,
        "__attribute__((target(\"sse4.2\"))) static int f(int x) { return x; } int main(void) { if (f(1) == 1) reach_error(); return 0; }",
    ),
    (
        "variable_is_a_register",
        Answer::Refused,
        true,
        "register long pointer __asm__(\"rsp\"); int main(void) { if (pointer != 0) reach_error(); return 0; }",
    ),
    (
        "advice_has_the_type_long",
        Answer::Unsafe,
        true,
        "int main(void) { unsigned one = 1; if (__builtin_expect(-15, 0) / 7u == -2 && sizeof(__builtin_expect(1, 1)) == 8 && __builtin_expect(-1, 0) < one) reach_error(); return 0; }",
    ),
    (
        "advice_about_half",
        Answer::Unsafe,
        true,
        "int main(void) { if (!__builtin_expect(0.5, 1)) reach_error(); return 0; }",
    ),
    (
        "initializers_in_another_order",
        Answer::Refused,
        true,
        "static int n; static int next(void) { return ++n; } int main(void) { struct { int a, b; } s = { .b = next(), .a = next() }; if (s.a == 1) reach_error(); return 0; }",
    ),
    (
        "thread_ends",
        Answer::Safe,
        false,
        "void pthread_exit(void *) __attribute__((noreturn)); int main(void) { pthread_exit(0); reach_error(); return 0; }",
    ),
    (
        "atomics_through_pointers",
        Answer::Safe,
        false,
        "int main(void) { int v = 1, x = 5, y; __atomic_store(&v, &x, 0); __atomic_load(&v, &y, 0); if (v != 5 || y != 5) reach_error();
         x = 7; __atomic_exchange(&v, &x, &y, 0); if (v != 7 || x != 7 || y != 5) reach_error(); return 0; }",
    ),
    (
        "atomics_through_pointers_change",
        Answer::Unsafe,
        true,
        "int main(void) { int v = 1, x = 5; __atomic_store(&v, &x, 0); if (v != 1) reach_error(); return 0; }",
    ),
    (
        "type_of_the_value",
        Answer::Safe,
        false,
        "int main(void) { short s = 3; __auto_type t = s; __auto_type u = s + 1; int a[3] = { 7, 8, 9 }; __auto_type p = a;
         t += 65536; if (t != 3 || sizeof t != 2 || sizeof u != 4 || p[2] != 9 || sizeof p != sizeof (int *)) reach_error(); return 0; }",
    ),
    (
        "type_of_the_value_has_its_width",
        Answer::Unsafe,
        true,
        "int main(void) { unsigned char c = 255; __auto_type d = c; d++; if (d != 256) reach_error(); return 0; }",
    ),
    (
        "member_of_a_cast_to_a_union",
        Answer::Safe,
        false,
        "union u { int raw; struct { unsigned low : 8, high : 24; }; }; int main(void) { int x = 0x1234; if (((union u)x).low != 0x34 || ((union u)x).raw != x) reach_error(); return 0; }",
    ),
    (
        "member_of_a_cast_to_a_union_differs",
        Answer::Unsafe,
        true,
        "union u { int raw; struct { unsigned low : 8, high : 24; }; }; int main(void) { int x = 0x1234; if (((union u)x).high != 0x34) reach_error(); return 0; }",
    ),
    (
        "product_without_signs",
        Answer::Safe,
        false,
        "int main(void) { unsigned long x = -1ul, y; if (!__builtin_umull_overflow(x, 10, &y) || y != -10ul) reach_error();
         if (__builtin_umull_overflow(1ul << 60, 15, &y) || y != 15ul << 60) reach_error(); return 0; }",
    ),
    (
        "product_without_signs_fits",
        Answer::Unsafe,
        true,
        "int main(void) { unsigned long y; if (!__builtin_umull_overflow(1ul << 32, 1ul << 31, &y)) reach_error(); return 0; }",
    ),
    (
        "annotations_say_nothing",
        Answer::Unsafe,
        true,
        "int main(void) { int x __attribute__((annotate(\"kept\"))) = 3; if (x == 3) reach_error(); return 0; }",
    ),
    (
        "last_member_without_a_semicolon",
        Answer::Safe,
        false,
        "struct s { int a; unsigned b : 3 }; int main(void) { struct s s = { 1, 9 }; if (s.b != 1) reach_error(); return 0; }",
    ),
    (
        "last_member_without_a_semicolon_is_there",
        Answer::Unsafe,
        true,
        "struct s { int a; unsigned b : 3 }; int main(void) { struct s s = { 1, 3 }; if (s.b == 3) reach_error(); return 0; }",
    ),
    (
        "result_of_a_library_function",
        Answer::Safe,
        false,
        "double frexp(double, int *); int main(void) { int e; if (frexp(8.0, &e) != 0.5) reach_error(); return 0; }",
    ),
    (
        "operands_have_the_type_that_the_name_says",
        Answer::Unsafe,
        true,
        "int main(void) { int r; unsigned u; if (__builtin_uadd_overflow(-1, 2, &u) && u == 1 && !__builtin_sadd_overflow(5000000000, 1, &r) && r == 705032705) reach_error(); return 0; }",
    ),
    (
        "operands_have_their_own_types",
        Answer::Safe,
        false,
        "int main(void) { unsigned u; if (__builtin_add_overflow(-1, 2, &u) || u != 1) reach_error(); return 0; }",
    ),
    (
        "products_without_signs",
        Answer::Unsafe,
        true,
        "int main(void) { unsigned long long q; if (__builtin_umulll_overflow(-1, -1, &q) && q == 1 && !__builtin_umulll_overflow(4294967295u, 4294967297ull, &q) && q + 1 == 0) reach_error(); return 0; }",
    ),
];

#[test]
fn answers_are_right_or_refused() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("c_compiler", PROGRAMS);
}

/// On 32 bits, a number of eight bytes lies on a bound of four in a struct, and compilers prefer one of eight.
#[test]
fn alignments_on_32_bits_are_two() {
    let options = Options {
        model: DataModel::Ilp32,
        ..Options::default()
    };
    let answer_to = |condition: &str| {
        let text = format!("int main(void) {{ double d; if ({condition}) reach_error(); return 0; }}");
        answer(&text, &options).0
    };
    let kinds = [
        ("long long", 4, 8),
        ("double", 4, 8),
        ("double[2]", 4, 8),
        ("long", 4, 4),
        ("struct { double d; }", 4, 4),
    ];
    for (kind, least, preferred) in kinds {
        for (question, right) in [
            ("_Alignof", least),
            ("__alignof__", preferred),
            ("__alignof", preferred),
        ] {
            let found = [right, 12 - right].map(|number| answer_to(&format!("{question}({kind}) != {number}")));
            assert_eq!(found, [Answer::Safe, Answer::Unsafe], "{question}({kind})");
        }
    }
    assert_eq!(answer_to("__alignof__(d) != 8"), Answer::Refused);
}

/// Of zero, the number of zeros is left open, and the run goes on; where all that is undefined is asked for, it is refused.
#[test]
fn zeros_of_zero_are_any_number() {
    let text = "static unsigned half(unsigned x) { return x / 2; } int main(void) { unsigned x = half(1); if (__builtin_clz(x) > 31) reach_error(); return 0; }";
    assert_eq!(answer(text, &Options::default()).0, Answer::Refused);
    let others = "int __VERIFIER_nondet_int(void); int main(void) { unsigned x = __VERIFIER_nondet_int(); if (x && (__builtin_clz(x) > 31 || __builtin_ctz(x) > 31)) reach_error(); return 0; }";
    assert_eq!(answer(others, &Options::default()).0, Answer::Safe);
    let checked = Options {
        checks: clausal::c::options::Checks::named("undefined").expect("it is a check"),
        ..Options::default()
    };
    assert_eq!(answer(text, &checked).0, Answer::Refused);
}
