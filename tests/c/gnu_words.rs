//! Words of GNU C and C11 that few programs use: functions of the compiler, labels of blocks, attributes, atomic types. Each program
//! fails, or does not, when it is compiled and run; the answer is the same.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::Options;

const PROGRAMS: &[Case] = &[
    (
        "whether_it_would_overflow",
        Answer::Safe,
        false,
        "struct { int w : 5; unsigned u : 3; } z; enum { A = __builtin_add_overflow_p(200, 100, (unsigned char)0) };
         int main(int x, char **v) { if (!__builtin_add_overflow_p(0x7fffffff, 1, 0) || __builtin_add_overflow_p(0x7fffffff, 1, 0u)) reach_error();
         if (!__builtin_sub_overflow_p(0, 1, 0u) || !__builtin_mul_overflow_p(300, 300, (short)0) || A != 1) reach_error();
         if (__builtin_add_overflow_p(10, 5, z.w) || !__builtin_add_overflow_p(10, 6, z.w) || !__builtin_add_overflow_p(3, 5, z.u)) reach_error();
         if (__builtin_mul_overflow_p(x, 2, 0) != (x > 0x3fffffff || x < -0x40000000)) reach_error();
         int n = 0; if (__builtin_add_overflow_p(1, 2, n++) || n != 1) reach_error(); return 0; }",
    ),
    (
        "whether_it_would_overflow_not_so",
        Answer::Unsafe,
        true,
        "struct { int w : 5; unsigned u : 3; } z; enum { A = __builtin_add_overflow_p(200, 100, (unsigned char)0) };
         int main(int x, char **v) { if (!__builtin_add_overflow_p(0x7fffffff, 1, 0) || __builtin_add_overflow_p(0x7fffffff, 1, 0u)) reach_error();
         if (!__builtin_sub_overflow_p(0, 1, 0u) || !__builtin_mul_overflow_p(300, 300, (short)0) || A != 1) reach_error();
         if (__builtin_add_overflow_p(10, 5, z.w) || !__builtin_add_overflow_p(10, 6, z.w) || !__builtin_add_overflow_p(3, 5, z.u)) reach_error();
         if (__builtin_mul_overflow_p(x, 2, 0) != (x > 0x3fffffff || x < -0x40000000)) reach_error();
         int n = 0; if (__builtin_add_overflow_p(1, 2, n++) || n != 0) reach_error(); return 0; }",
    ),
    (
        "signs_in_front",
        Answer::Safe,
        false,
        "int main(int x, char **v) { if (__builtin_clrsb(0) != 31 || __builtin_clrsb(-1) != 31 || __builtin_clrsb(1) != 30 || __builtin_clrsb(-2) != 30) reach_error();
         if (__builtin_clrsbl(-1L) != 63 || __builtin_clrsbll(1LL << 62) != 0 || __builtin_clrsb(0x80000000) != 0) reach_error(); x &= 15;
         if ((x >= 4 && x < 8 && __builtin_clrsb(x) != 28) || (x < 4 && x > 1 && __builtin_clrsb(-x - 1) != 29)) reach_error(); return 0; }",
    ),
    (
        "signs_in_front_not_so",
        Answer::Unsafe,
        true,
        "int main(int x, char **v) { if (__builtin_clrsb(0) != 31 || __builtin_clrsb(-1) != 31 || __builtin_clrsb(1) == 30 || __builtin_clrsb(-2) != 30) reach_error();
         if (__builtin_clrsbl(-1L) != 63 || __builtin_clrsbll(1LL << 62) != 0 || __builtin_clrsb(0x80000000) != 0) reach_error(); x &= 15;
         if ((x >= 4 && x < 8 && __builtin_clrsb(x) != 28) || (x < 4 && x > 1 && __builtin_clrsb(-x - 1) != 29)) reach_error(); return 0; }",
    ),
    (
        "labels_of_a_block",
        Answer::Safe,
        false,
        "static int f(int n) { int r = 0; { __label__ out; if (n > 3) goto out; r = 1; out: r += 10; }
         { __label__ out, in; if (n > 5) goto out; r += 2; goto in; out: r += 20; in:; } out: return r; if (n > 100) goto out; }
         int main(void) { int a = f(1), b = f(4), c = f(9); if (a != 13 || b != 12 || c != 30) reach_error(); return 0; }",
    ),
    (
        "labels_of_a_block_not_so",
        Answer::Unsafe,
        true,
        "static int f(int n) { int r = 0; { __label__ out; if (n > 3) goto out; r = 1; out: r += 10; }
         { __label__ out, in; if (n > 5) goto out; r += 2; goto in; out: r += 20; in:; } out: return r; if (n > 100) goto out; }
         int main(void) { int a = f(1), b = f(4), c = f(9); if (a != 13 || b != 12 || c != 12) reach_error(); return 0; }",
    ),
    (
        "attributes_that_nobody_knows",
        Answer::Safe,
        false,
        "struct __attribute__((some_tool(3))) s { int m __attribute__((__of_some_tool__(\"text\"))); };
         static int __attribute__((some_precision(\"high\"))) f(int n __attribute__((some_source))) { __attribute__((some_advice)); return n; }
         int main(void) { struct s s = { 3 } ; int k __attribute__((some_domain(1))) = f(s.m); if (k != 3) reach_error(); return 0; }",
    ),
    (
        "attributes_that_nobody_knows_not_so",
        Answer::Unsafe,
        true,
        "struct __attribute__((some_tool(3))) s { int m __attribute__((__of_some_tool__(\"text\"))); };
         static int __attribute__((some_precision(\"high\"))) f(int n __attribute__((some_source))) { __attribute__((some_advice)); return n; }
         int main(void) { struct s s = { 3 } ; int k __attribute__((some_domain(1))) = f(s.m); if (k == 3) reach_error(); return 0; }",
    ),
    (
        "more_values_than_places",
        Answer::Safe,
        false,
        "int main(void) { int row[2] = { 1, { 4, 5 } }, one = { 3, 4 }, all[][2] = { { 1, { 2, 3 } }, 4, 5 };
         if (row[0] != 1 || row[1] != 4 || one != 3 || all[0][1] != 2 || all[1][0] != 4) reach_error(); return 0; }",
    ),
    (
        "more_values_than_places_not_so",
        Answer::Unsafe,
        true,
        "int main(void) { int row[2] = { 1, { 4, 5 } }, one = { 3, 4 }, all[][2] = { { 1, { 2, 3 } }, 4, 5 };
         if (row[0] != 1 || row[1] != 5 || one != 3 || all[0][1] != 2 || all[1][0] != 4) reach_error(); return 0; }",
    ),
    (
        "atomic_structs_are_aligned",
        Answer::Safe,
        false,
        "struct two { char a, b; }; struct s { char c; _Atomic struct two x; }; typedef _Atomic struct { char a[16]; } at; struct t { char c; at x; };
         struct three { char a[3]; }; struct u { char c; _Atomic struct three x; }; struct w { char c; _Atomic(struct two) x[2]; };
         typedef _Atomic struct two name; struct z { char c; name x[2]; };
         int main(void) { if (sizeof(struct s) != 4 || sizeof(struct t) != 32 || sizeof(struct u) != 4 || sizeof(struct w) != 5 || sizeof(struct z) != 5) reach_error();
         if (_Alignof(at) != 16 || _Alignof(_Atomic struct two) != 2 || _Alignof(struct two) != 1) reach_error(); return 0; }",
    ),
    (
        "atomic_structs_are_aligned_not_so",
        Answer::Unsafe,
        true,
        "struct two { char a, b; }; struct s { char c; _Atomic struct two x; }; typedef _Atomic struct { char a[16]; } at; struct t { char c; at x; };
         struct three { char a[3]; }; struct u { char c; _Atomic struct three x; }; struct w { char c; _Atomic(struct two) x[2]; };
         int main(void) { if (sizeof(struct s) != 3 || sizeof(struct t) != 32 || sizeof(struct u) != 4 || sizeof(struct w) != 6) reach_error();
         if (_Alignof(at) != 16 || _Alignof(_Atomic struct two) != 2 || _Alignof(struct two) != 1) reach_error(); return 0; }",
    ),
];

#[test]
fn the_words_mean_what_gcc_has_them_mean() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("gnu_words", PROGRAMS);
}

/// What gcc says with `-m32`.
#[test]
fn atomic_numbers_of_eight_bytes_are_aligned_on_32_bits() {
    use clausal::c::types::DataModel;
    let options = Options {
        model: DataModel::Ilp32,
        ..Options::default()
    };
    let types = "typedef _Atomic long long ll; struct s { char c; ll x; }; struct t { char c; _Atomic double x; }; struct u { char c; long long x; };
         struct v { char c; ll x[2]; }; struct w { char c; _Atomic long long *x; };";
    let sizes = "sizeof(struct s) != 16 || sizeof(struct t) != 16 || sizeof(struct u) != 12 || sizeof(struct v) != 24 || sizeof(struct w) != 8";
    let alignments = "_Alignof(ll) != 8 || _Alignof(_Atomic double) != 8 || _Alignof(_Atomic(long long)) != 8 || _Alignof(long long) != 4";
    for (condition, expected) in [
        (format!("{sizes} || {alignments}"), Answer::Safe),
        ("sizeof(struct s) != 12".to_string(), Answer::Unsafe),
        ("_Alignof(_Atomic double) != 4".to_string(), Answer::Unsafe),
    ] {
        let text = format!("{types} int main(void) {{ if ({condition}) reach_error(); return 0; }}");
        let (found, why) = answer(&text, &options);
        assert_eq!(found, expected, "{why}\n{text}");
    }
}

/// Attributes that compilers give a meaning that is not modelled.
#[test]
fn attributes_that_compilers_know_are_refused() {
    for text in [
        "int f(void) __attribute__((overloadable)); int main(void) { reach_error(); return 0; }",
        "typedef float f4 __attribute__((ext_vector_type(4))); int main(void) { reach_error(); return 0; }",
        "__attribute__((interrupt)) void f(void *p) { } int main(void) { reach_error(); return 0; }",
        "int main(int n, char **v) { __attribute__((assume(n > 3))); reach_error(); return 0; }",
    ] {
        let (found, why) = answer(text, &Options::default());
        assert_eq!(found, Answer::Refused, "{why}\n{text}");
    }
}
