//! Side effects in unusual places, sizes and alignments, what library functions do to memory: each program here fails, or does
//! not, when it is compiled and run; the answer is the same, or a refusal.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "size_with_effect",
        Answer::Unsafe,
        true,
        r#"int main(void) { int x = 0; (void)sizeof(int[x++ + 1]); if (x == 1) reach_error(); return 0; }"#,
    ),
    (
        "size_of_comma",
        Answer::Unsafe,
        true,
        r#"int main(void) { int x = 0; (void)sizeof(char[(x = 3, 1)]); if (x == 3) reach_error(); return 0; }"#,
    ),
    (
        "size_in_typedef",
        Answer::Unsafe,
        true,
        r#"int main(void) { int x = 0; { typedef int t[(x = 3, 1)]; } if (x == 3) reach_error(); return 0; }"#,
    ),
    (
        "size_in_typeof",
        Answer::Refused,
        true,
        r#"int main(void) { int x = 0; { __typeof__(int[({ x = 3; 1; })]) t; (void)t; } if (x == 3) reach_error(); return 0; }"#,
    ),
    (
        "size_behind_pointer",
        Answer::Refused,
        true,
        r#"int main(void) { int x = 0; { int (*p)[(x = 3, 1)] = 0; (void)p; } if (x == 3) reach_error(); return 0; }"#,
    ),
    (
        "size_in_cast",
        Answer::Refused,
        true,
        r#"int main(void) { int x = 0; (void)(int (*)[(x = 3, 1)])0; if (x == 3) reach_error(); return 0; }"#,
    ),
    (
        "size_of_array",
        Answer::Unsafe,
        true,
        r#"int main(void) { int x = 0; { int a[(x = 3, 1)]; (void)a; } if (x == 3) reach_error(); return 0; }"#,
    ),
    (
        "size_of_parameter",
        Answer::Unsafe,
        true,
        r#"int x; void f(int a[x++]) {} int main(void) { f(0); if (x == 1) reach_error(); return 0; }"#,
    ),
    (
        "size_of_old_parameter",
        Answer::Refused,
        false,
        r#"int x; void f(a) int a[x++]; {} int main(void) { f(0); if (x) reach_error(); return 0; }"#,
    ),
    (
        "size_in_prototype",
        Answer::Safe,
        false,
        r#"int x; int main(void) { void f(int a[x++]); if (x == 1) reach_error(); return 0; }"#,
    ),
    (
        "size_that_is_not_reached",
        Answer::Safe,
        false,
        r#"int main(void) { int x = 0; if (x) (void)sizeof(int[x++ + 1]); if (x) reach_error(); return 0; }"#,
    ),
    (
        "size_behind_connective",
        Answer::Safe,
        false,
        r#"int main(void) { int x = 0; if (x && sizeof(int[(x = 3, 1)])) x = 2; if (x) reach_error(); return 0; }"#,
    ),
    (
        "constant_with_effect",
        Answer::Unsafe,
        true,
        r#"int main(void) { int x = 0; int r = __builtin_constant_p(5) && (x = 1, 1); if (x) reach_error(); return r; }"#,
    ),
    (
        "expected_with_effect",
        Answer::Refused,
        false,
        r#"int main(void) { int x = 0; (void)__builtin_expect(1, x++); if (x) reach_error(); return 0; }"#,
    ),
    (
        "expected",
        Answer::Unsafe,
        true,
        r#"int main(void) { int x = 0; if (__builtin_expect(x++, 1)) x = 5; if (x == 1) reach_error(); return 0; }"#,
    ),
    (
        "object_size",
        Answer::Safe,
        false,
        r#"int main(void) { char a[4]; int x = 0; (void)__builtin_object_size(&a[x++], 0); if (x) reach_error(); return 0; }"#,
    ),
    (
        "address_of_weak",
        Answer::Refused,
        true,
        r#"extern int w __attribute__((weak)); int main(void) { if ((long)&w == 0) reach_error(); return 0; }"#,
    ),
    (
        "alignment_of_variable",
        Answer::Unsafe,
        true,
        r#"int v __attribute__((aligned(2))); int main(void) { if (__alignof__(v) == 2) reach_error(); return 0; }"#,
    ),
    (
        "alignment_of_variable_of_typedef",
        Answer::Unsafe,
        true,
        r#"typedef int t __attribute__((aligned(8))); t v; int main(void) { if (__alignof__(v) == 8) reach_error(); return 0; }"#,
    ),
    (
        "alignment_in_the_name_of_a_type",
        Answer::Unsafe,
        true,
        r#"int main(void) { if (_Alignof(int __attribute__((aligned(16)))) == 16) reach_error(); return 0; }"#,
    ),
    (
        "alignment_of_a_member_by_the_name_of_a_type",
        Answer::Unsafe,
        true,
        r#"struct s { char c; _Alignas(int __attribute__((aligned(16)))) int x; }; int main(void) { if (sizeof(struct s) == 32) reach_error(); return 0; }"#,
    ),
    (
        "alignment_of_a_member_by_typeof",
        Answer::Unsafe,
        true,
        r#"struct s { char c; __typeof__(int __attribute__((aligned(16)))) x; }; int main(void) { if (sizeof(struct s) == 32) reach_error(); return 0; }"#,
    ),
    (
        "bit_field_as_int",
        Answer::Refused,
        false,
        r#"struct s { int x : 12, y : 8; }; int main(void) { struct s s = { -1, -1 }; if (*(int *)&s == -1) reach_error(); return 0; }"#,
    ),
    (
        "random_number",
        Answer::Safe,
        false,
        r#"int rand(void); int main(void) { if (rand() < 0) reach_error(); return 0; }"#,
    ),
    (
        "compound_assignment_of_call",
        Answer::Unsafe,
        true,
        r#"int x = 2; int f(void) { x |= 128; return 1; } int main(void) { x |= f(); if (x == 131) reach_error(); return 0; }"#,
    ),
    (
        "argument_that_is_a_pointer",
        Answer::Unsafe,
        true,
        r#"void f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); int *p = __builtin_va_arg(a, int *); *p += 5; __builtin_va_end(a); } int main(void) { int x = 0; f(1, &x); if (x == 5) reach_error(); return 0; }"#,
    ),
    (
        "argument_taken_for_a_struct",
        Answer::Unsafe,
        true,
        r#"static int *f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); int *p = __builtin_va_arg(a, int *); __builtin_va_end(a); return p; } int main(void) { int x = 7; ((struct { int m; } *)f(1, &x))->m = 75; if (x == 75) reach_error(); return 0; }"#,
    ),
    (
        "argument_that_is_the_error",
        Answer::Refused,
        true,
        r#"static int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); void (*p)(void) = __builtin_va_arg(a, void (*)(void)); p(); __builtin_va_end(a); return n; } int main(void) { return f(1, reach_error); }"#,
    ),
    (
        "size_of_argument_list",
        Answer::Unsafe,
        true,
        r#"int main(void) { if (sizeof(__builtin_va_list) == 24) reach_error(); return 0; }"#,
    ),
    (
        "initializer_taken_back",
        Answer::Refused,
        false,
        r#"int main(void) { int x = 2; struct { int a, b; } s = { (x = 4, 1), .a = 1 }; if (x == 4) reach_error(); return s.a - 1; }"#,
    ),
    (
        "initializer_of_range",
        Answer::Refused,
        true,
        r#"int main(void) { int x = 0; int a[4] = { [0 ... 3] = x++ }; if (x == 1 && a[3] == 0) reach_error(); return 0; }"#,
    ),
    (
        "bytes_of_pointer",
        Answer::Refused,
        true,
        r#"int main(void) { int x = 1, *q = &x, *p; for (int i = 0; i < (int)sizeof p; i++) ((char *)&p)[i] = ((char *)&q)[i]; *(char *)p = 68; if (x == 68) reach_error(); return 0; }"#,
    ),
    (
        "memset_over_members",
        Answer::Unsafe,
        true,
        r#"struct s { int a, b; } s; void *memset(void *, int, unsigned long); int main(void) { s.b = 5; memset(&s.a, 0, 8); if (s.b == 0) reach_error(); return 0; }"#,
    ),
    (
        "memset_over_arrays",
        Answer::Refused,
        true,
        r#"struct s { char a[4], b[4]; } s; void *memset(void *, int, unsigned long); int main(void) { memset(s.a, 1, 8); if (s.b[0] == 1) reach_error(); return 0; }"#,
    ),
    (
        "memset_through_pointer",
        Answer::Refused,
        true,
        r#"struct s { char a[4]; int b; } s; void *memset(void *, int, unsigned long); int main(void) { char *p = s.a; memset(p, 1, 7); if (s.b == 0x010101) reach_error(); return 0; }"#,
    ),
    (
        "memset_by_unknown_size",
        Answer::Unsafe,
        true,
        r#"struct s { short a, b; } s; void *memset(void *, int, unsigned long); int main(int c, char **v) { unsigned long n = 4; if (c > 3) n = 2; memset(&s.a, 0xff, n); if (s.b == -1) reach_error(); return 0; }"#,
    ),
    (
        "memcpy_over_members",
        Answer::Unsafe,
        true,
        r#"struct s { int a, b; } s; void *memcpy(void *, const void *, unsigned long); int main(void) { int t[2] = { 1, 2 }; memcpy(&s.a, t, sizeof t); if (s.b == 2) reach_error(); return 0; }"#,
    ),
    (
        "memcpy_of_a_member",
        Answer::Unsafe,
        true,
        r#"struct s { int a[2], b; } s; void *memcpy(void *, const void *, unsigned long); int main(void) { int t[2] = { 1, 2 }; memcpy(s.a, t, sizeof t); if (s.a[1] == 2) reach_error(); return 0; }"#,
    ),
    (
        "memcpy_of_some_of_a_member",
        Answer::Unsafe,
        true,
        r#"struct s { int b, a[4]; } s; void *memcpy(void *, const void *, unsigned long); int main(int c, char **v) { int t[2] = { 1, 2 }; if (c >= 1 && c <= 2) memcpy(&s.a[c], t, sizeof t); if (s.a[2] == 2) reach_error(); return 0; }"#,
    ),
    (
        "volatile_behind_connective",
        Answer::Unsafe,
        true,
        r#"int main(int c, char **v) { int x = 1; int *volatile q = &x; int *volatile *pp = c > 5 ? &q : 0; if (!(pp && *pp)) reach_error(); return 0; }"#,
    ),
    (
        "distance_in_bytes",
        Answer::Unsafe,
        true,
        r#"struct s { char c; short m; char last; }; int main(void) { struct s a[2]; if ((char *)&a[1] - (char *)&a[0] == 6) reach_error(); return 0; }"#,
    ),
    (
        "distance_of_members",
        Answer::Unsafe,
        true,
        r#"struct s { char c, b, d; }; int main(int c, char **v) { struct s a[2]; struct s *p = c > 9 ? &a[1] : &a[0]; if (&p->d - &p->c == 2) reach_error(); return 0; }"#,
    ),
    (
        "pointer_moved_back_by_unsigned",
        Answer::Unsafe,
        true,
        r#"char b[100]; int main(void) { unsigned u = 5; char *p = &b[10]; *(p - u) = 1; p -= 3u; *p = 2; if (b[5] == 1 && b[7] == 2) reach_error(); return 0; }"#,
    ),
    (
        "distance_of_single_members",
        Answer::Unsafe,
        true,
        r#"struct s { char c, d; }; int main(void) { struct s a[4]; char *p = &a[2].c, *q = &a[0].c; if (p - q == 4) reach_error(); return 0; }"#,
    ),
    (
        "large_struct",
        Answer::Unsafe,
        true,
        r#"union u { int a; char b[(1L << 62) - 256]; }; int main(void) { if (sizeof(union u) == (1L << 62) - 256) reach_error(); return 0; }"#,
    ),
    (
        "length_of_text",
        Answer::Unsafe,
        true,
        r#"unsigned long strlen(const char *); int main(void) { char a[8] = "abc"; a[1] = 0; if (strlen(a) == 1) reach_error(); return 0; }"#,
    ),
    (
        "comparison_of_texts",
        Answer::Safe,
        false,
        r#"int strcmp(const char *, const char *); int main(void) { char a[4] = "ab", b[4] = "ac"; if (strcmp(a, b) >= 0 || strcmp(b, a) <= 0 || strcmp(a, a) != 0) reach_error(); return 0; }"#,
    ),
    (
        "comparison_of_bytes",
        Answer::Safe,
        false,
        r#"int memcmp(const void *, const void *, unsigned long); int main(void) { char a[4] = "a\0b", b[4] = "a\0c"; if (memcmp(a, b, 3) >= 0 || memcmp(a, b, 2)) reach_error(); return 0; }"#,
    ),
    (
        "comparison_without_signs",
        Answer::Safe,
        false,
        r#"int strcmp(const char *, const char *); int main(void) { char a[2] = { (char)200 }, b[2] = { 100 }; if (strcmp(a, b) <= 0) reach_error(); return 0; }"#,
    ),
    (
        "comparison_of_some",
        Answer::Safe,
        false,
        r#"int strncmp(const char *, const char *, unsigned long); int main(void) { if (strncmp("abc", "abd", 2) || strncmp("ab", "ab", 9) || !strncmp("abc", "abd", 3)) reach_error(); return 0; }"#,
    ),
    (
        "character_in_text",
        Answer::Unsafe,
        true,
        r#"char *strchr(const char *, int); int main(void) { char a[] = "hello"; char *p = strchr(a, 0x100 + 108); *p = 7; if (a[2] == 7 && !strchr(a, 120) && *strchr(a, 0) == 0) reach_error(); return 0; }"#,
    ),
    (
        "byte_in_memory",
        Answer::Safe,
        false,
        r#"void *memchr(const void *, int, unsigned long); int main(void) { char a[] = "hello"; if (memchr(a, 108, 2) || memchr(a, 108, 3) != a + 2) reach_error(); return 0; }"#,
    ),
    (
        "copy_of_text",
        Answer::Unsafe,
        true,
        r#"char *strcpy(char *, const char *), *strcat(char *, const char *); int main(void) { char a[9] = "xxxxxxxx"; char *p = a; char *q = strcat(strcpy(p++, "ab"), "cd"); if (q == a && a[3] == 100 && a[4] == 0 && a[5] == 120) reach_error(); return 0; }"#,
    ),
    (
        "copy_beside",
        Answer::Safe,
        false,
        r#"char *strcpy(char *, const char *); struct s { char a[4]; int b; } s; int main(void) { s.b = 3; strcpy(s.a, "abc"); if (s.b != 3) reach_error(); return 0; }"#,
    ),
    (
        "label_before_value",
        Answer::Unsafe,
        true,
        r#"int main(void) { switch (({ goto l; l: 2; })) { case 1 ... 3: reach_error(); } return 0; }"#,
    ),
    (
        "label_before_index",
        Answer::Unsafe,
        true,
        r#"int main(void) { int a[4] = { 1, 2, 3, 4 }; if (a[({ goto l; l: 2; })] == 3) reach_error(); return 0; }"#,
    ),
    (
        "registers_change_places",
        Answer::Unsafe,
        true,
        r#"int main(void) { int a = 1, b = 2; __asm__("" : "=r"(a), "=r"(b) : "0"(b), "1"(a)); if (a == 2 && b == 1) reach_error(); return 0; }"#,
    ),
    (
        "memory_goes_through_nothing",
        Answer::Safe,
        false,
        r#"int main(void) { int a = 1, b[2] = { 2, 3 }; __asm__ volatile("" : "=m"(a) : "m"(a)); __asm__ volatile("" : "=m"(b[1]) : "m"(b[1]));
         if (a != 1 || b[0] != 2 || b[1] != 3) reach_error(); return 0; }"#,
    ),
    (
        "memory_goes_through_nothing_not_so",
        Answer::Unsafe,
        true,
        r#"int main(void) { int a = 1; __asm__ volatile("" : "=m"(a) : "m"(a)); if (a == 1) reach_error(); return 0; }"#,
    ),
    (
        "shift_into_sign",
        Answer::Unsafe,
        true,
        r#"int main(void) { unsigned char c = 200; int x = c << 24; if (x < 0) reach_error(); return 0; }"#,
    ),
    (
        "shift_of_negative",
        Answer::Unsafe,
        true,
        r#"int main(void) { int x = -3; if ((x << 2) == -12) reach_error(); return 0; }"#,
    ),
    (
        "shift_out_of_long",
        Answer::Unsafe,
        true,
        r#"int main(void) { long x = 3; x <<= 63; if (x == (long)(1ul << 63)) reach_error(); return 0; }"#,
    ),
    (
        "shift_of_constant",
        Answer::Unsafe,
        true,
        r#"enum { A = 1 << 31 }; int main(void) { if (A < 0) reach_error(); return 0; }"#,
    ),
    (
        "equal_literals",
        Answer::Unsafe,
        true,
        r#"int main(void) { const char *a = "xy", *b = "xy"; if (a == b) reach_error(); return 0; }"#,
    ),
    (
        "part_of_copied_struct",
        Answer::Refused,
        false,
        r#"struct I { int a, b; }; struct S { struct I x; }; int main(void) { struct I i = { 1, 2 }; struct S s = { .x = i, .x.b = 7 }; if (s.x.a == 1 && s.x.b == 7) reach_error(); return 0; }"#,
    ),
    (
        "order_of_objects",
        Answer::Refused,
        true,
        r#"int a, b; int main(void) { if (&a < &b || &b < &a) reach_error(); return 0; }"#,
    ),
    (
        "half_of_an_address",
        Answer::Refused,
        true,
        r#"int g; int main(void) { unsigned l = (unsigned)(unsigned long)&g; int *p = (int *)(unsigned long)l; if (p == &g) return 0; reach_error(); return 0; }"#,
    ),
    (
        "struct_that_is_only_declared_in_another",
        Answer::Unsafe,
        true,
        r#"struct I { int a; }; struct S { struct I; struct J { int c; }; int b; }; int main(void) { if (sizeof(struct S) == 4) reach_error(); return 0; }"#,
    ),
    (
        "negative_number_in_a_pointer",
        Answer::Unsafe,
        true,
        r#"int main(void) { long k = -12; void *p = (void *)k; k = 0; if ((long)p == -12 && (int)p == -12) reach_error(); return 0; }"#,
    ),
    (
        "constant_in_a_pointer",
        Answer::Safe,
        false,
        r#"int main(void) { void *p = (void *)0x100000005; if ((int)p != 5 || (long)p != 0x100000005) reach_error(); return 0; }"#,
    ),
    (
        "pointer_that_says_what_went_wrong",
        Answer::Safe,
        false,
        r#"static void *get(int n) { return n ? (void *)(long)-n : &get; } int main(void) { void *p = get(5); if ((unsigned long)p < -4095ul || (long)p != -5) reach_error(); return 0; }"#,
    ),
    (
        "written_constant",
        Answer::Refused,
        false,
        r#"static const int c = 1; int main(void) { *(int *)&c = 2; if (c != 1) reach_error(); return 0; }"#,
    ),
    (
        "written_literal",
        Answer::Refused,
        false,
        r#"int main(void) { char *p = "abc"; p[0] = 'x'; if (p[0] == 'x') reach_error(); return 0; }"#,
    ),
    (
        "rows_of_two_structs",
        Answer::Refused,
        true,
        r#"struct S { int a; int buf[4]; } a[2]; int main(void) { if (a[1].buf - a[0].buf == 5) reach_error(); return 0; }"#,
    ),
    (
        "rows_copied",
        Answer::Safe,
        false,
        "void *memcpy(void *, const void *, unsigned long); int main(void) { int m[2][2] = {{1, 2}, {3, 4}}, n[2][2], all[4];
         memcpy(n, m, sizeof m); memcpy(all, n, sizeof n); if (n[1][0] != 3 || all[3] != 4) reach_error(); return 0; }",
    ),
    (
        "a_row_that_was_copied",
        Answer::Unsafe,
        true,
        "void *memcpy(void *, const void *, unsigned long); int main(void) { int m[3][2] = {{1, 2}, {3, 4}, {5, 6}};
         memcpy(m[0], m[2], sizeof m[0]); memcpy(m + 1, m, sizeof m[0]); if (m[1][1] == 6) reach_error(); return 0; }",
    ),
];

#[test]
fn effects_are_translated_or_refused() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("effects", PROGRAMS);
}
