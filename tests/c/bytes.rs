//! Unions whose members are integers that are written as one and read as another. Each program fails, or does not, when it is
//! compiled and run; the answer is the same, or a refusal. Most come twice: with what is there, and with something else.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "low_byte",
        Answer::Safe,
        false,
        "union u { unsigned i; unsigned char c[4]; };
         int main(void) { union u u; u.i = 0x11223344; if (u.c[0] != 0x44 || u.c[3] != 0x11) reach_error(); return 0; }",
    ),
    (
        "low_byte_not_high",
        Answer::Unsafe,
        true,
        "union u { unsigned i; unsigned char c[4]; };
         int main(void) { union u u; u.i = 0x11223344; if (u.c[0] != 0x11) reach_error(); return 0; }",
    ),
    (
        "arrays_of_numbers_compared",
        Answer::Safe,
        false,
        "int memcmp(const void *, const void *, unsigned long);
         int main(void) { int a[3] = { 1, 2, 3 }, b[3] = { 1, 2, 3 }; if (memcmp(a, b, sizeof a)) reach_error(); b[1] = 0x101;
         if (memcmp(a, b, sizeof a) <= 0 || memcmp(b, a, 2 * sizeof (int)) >= 0 || memcmp(a, b, 4) != 0) reach_error();
         short s[2][2] = { { -1, 0 }, { 5, 6 } }, t[2][2] = { { -1, 0 }, { 5, 7 } }; if (memcmp(s, t, sizeof s) >= 0) reach_error(); return 0; }",
    ),
    (
        "arrays_of_numbers_that_differ",
        Answer::Unsafe,
        true,
        "int memcmp(const void *, const void *, unsigned long);
         int main(void) { long a[2] = { 1, -2 }, b[2] = { 1, -3 }; if (memcmp(a, b, sizeof a) != 0) reach_error(); return 0; }",
    ),
    (
        "signed_byte",
        Answer::Safe,
        false,
        "union u { int i; signed char c[4]; };
         int main(void) { union u u; u.i = -2; if (u.c[0] != -2 || u.c[1] != -1 || u.c[3] != -1) reach_error(); return 0; }",
    ),
    (
        "signed_byte_is_not_unsigned",
        Answer::Unsafe,
        true,
        "union u { int i; signed char c[4]; };
         int main(void) { union u u; u.i = -2; if (u.c[0] != 254) reach_error(); return 0; }",
    ),
    (
        "register_with_bit_fields",
        Answer::Safe,
        false,
        "union reg { unsigned raw; struct { unsigned on : 1, mode : 3; int level : 6; unsigned : 4, count : 10; _Bool error : 1; unsigned rest : 7; } f; };
         int main(void) { union reg r; r.raw = 0; r.f.on = 1; r.f.mode = 5; r.f.level = -3; r.f.count = 1000; r.f.error = 1;
         if (r.raw != (1u | 5u << 1 | 61u << 4 | 1000u << 14 | 1u << 24)) reach_error(); r.raw = 0xfedcba98;
         if (r.f.on != 0 || r.f.mode != 4 || r.f.level != -23 || r.f.count != 882 || r.f.error != 0 || r.f.rest != 127) reach_error(); return 0; }",
    ),
    (
        "register_with_bit_fields_not_from_the_top",
        Answer::Unsafe,
        true,
        "union reg { unsigned raw; struct { unsigned on : 1, mode : 3, level : 28; } f; };
         int main(void) { union reg r; r.raw = 0; r.f.mode = 5; if (r.raw == 10) reach_error(); return 0; }",
    ),
    (
        "bits_between_stay",
        Answer::Safe,
        false,
        "union reg { unsigned short raw; struct { unsigned short a : 3, : 5, b : 8; } f; unsigned char c[2]; } r;
         int main(void) { r.raw = 0xffff; r.f.a = 0; r.f.b = 1; if (r.raw != 0x1f8 || r.c[0] != 0xf8) reach_error(); r.c[0] = 7;
         if (r.f.a != 7 || r.f.b != 1) reach_error(); return 0; }",
    ),
    (
        "bit_fields_of_any_values",
        Answer::Safe,
        false,
        "union reg { unsigned char raw; struct { unsigned char low : 4, high : 4; } f; };
         int main(int argc, char **v) { union reg r; unsigned char x = (unsigned char)(argc * 77); r.raw = x;
         if (r.f.low != x % 16 || r.f.high != x / 16) reach_error(); r.f.high = 3; if (r.raw != 48 + x % 16) reach_error(); return 0; }",
    ),
    (
        "a_bit_field_alone",
        Answer::Safe,
        false,
        "union u { int i; signed s : 31; unsigned char c; }; union u f(union u v) { v.c++; return v; }
         int main(void) { union u u; u.i = -1; if (u.s != -1) reach_error(); u.s = 5; if (u.i != (int)0x80000005) reach_error();
         u = f(u); if (u.s != 6) reach_error(); return 0; }",
    ),
    (
        "packed_bit_fields_across_bytes",
        Answer::Safe,
        false,
        "#pragma pack(1)
         union u { struct { unsigned a : 7, b : 11, c : 14; } f; unsigned char c[4]; };
         int main(void) { union u u; u.f.a = 0x55; u.f.b = 0x2aa; u.f.c = 0x1234;
         if (u.c[0] != 0x55 || u.c[1] != 0x55 || u.c[2] != 0xd1 || u.c[3] != 0x48) reach_error(); return 0; }",
    ),
    (
        "a_signed_bit",
        Answer::Unsafe,
        true,
        "union u { unsigned char raw; signed char bit : 1; };
         int main(void) { union u u; u.raw = 1; if (u.bit == -1) reach_error(); return 0; }",
    ),
    (
        "bytes_to_number",
        Answer::Safe,
        false,
        "union u { long long l; unsigned char c[8]; short s[4]; };
         int main(void) { union u u; u.l = 0; u.c[1] = 0x80; u.c[7] = 0xff;
           if (u.l != (long long)0xff00000000008000ull || u.s[0] != -32768 || u.s[3] != -256) reach_error(); return 0; }",
    ),
    (
        "bytes_to_number_not_so",
        Answer::Unsafe,
        true,
        "union u { long long l; unsigned char c[8]; short s[4]; };
         int main(void) { union u u; u.l = 0; u.c[1] = 0x80; u.c[7] = 0xff; if (u.s[0] == -32768) reach_error(); return 0; }",
    ),
    (
        "index_that_is_read",
        Answer::Safe,
        false,
        "union u { unsigned i; unsigned char c[4]; }; unsigned unknown(unsigned n) { static unsigned s = 7; s = s * 5 + 1; return s % n; }
         int main(void) { union u u; u.i = 0; unsigned k = unknown(4); u.c[k] = 1;
           if (u.i != 1u << (8 * k)) reach_error(); return 0; }",
    ),
    (
        "index_that_is_read_elsewhere",
        Answer::Unsafe,
        true,
        "union u { unsigned i; unsigned char c[4]; };
         int main(void) { union u u; u.i = 0; for (int k = 0; k < 4; k++) u.c[k] = k; if (u.i == 0x03020100) reach_error(); return 0; }",
    ),
    (
        "index_in_the_union",
        Answer::Safe,
        false,
        "union u { unsigned i; unsigned char c[4]; };
         int main(void) { union u u; u.i = 2; u.c[u.i] = 1; if (u.i != 0x10002) reach_error(); u.i = 1; u.c[u.c[0]] = 7;
           if (u.i != 0x701) reach_error(); return 0; }",
    ),
    (
        "members_of_a_struct",
        Answer::Safe,
        false,
        "union u { struct { unsigned short low, high; } p; unsigned w; };
         int main(void) { union u u; u.w = 5; u.p.high = 2; if (u.w != 0x20005 || u.p.low != 5) reach_error(); return 0; }",
    ),
    (
        "members_of_a_struct_the_other_way",
        Answer::Unsafe,
        true,
        "union u { struct { unsigned short low, high; } p; unsigned w; };
         int main(void) { union u u; u.w = 5; u.p.high = 2; if (u.w != 0x50002) reach_error(); return 0; }",
    ),
    (
        "union_that_is_copied",
        Answer::Safe,
        false,
        "union u { unsigned i; unsigned char c[4]; };
         int main(void) { union u u, v; u.i = 0x01020304; v = u; if (v.c[1] != 3) reach_error(); return 0; }",
    ),
    (
        "union_that_is_copied_and_changed",
        Answer::Unsafe,
        true,
        "union u { unsigned i; unsigned char c[4]; };
         int main(void) { union u u, v; u.i = 0x01020304; v = u; v.c[0] = 9; if (v.i != 0x01020304) reach_error(); return 0; }",
    ),
    (
        "union_in_a_struct_in_an_array",
        Answer::Safe,
        false,
        "struct s { int tag; union { unsigned i; unsigned short h; } u; } a[3];
         int main(void) { a[1].u.i = 0x10002; a[2].u.h = 7; if (a[1].u.h != 2 || a[2].u.i != 7 || a[0].u.h != 0) reach_error(); return 0; }",
    ),
    (
        "union_in_a_struct_in_an_array_not_so",
        Answer::Unsafe,
        true,
        "struct s { int tag; union { unsigned i; unsigned short h; } u; } a[3];
         int main(void) { a[1].u.i = 0x10002; if (a[1].u.h == 2) reach_error(); return 0; }",
    ),
    (
        "union_behind_a_pointer",
        Answer::Safe,
        false,
        "union u { unsigned i; unsigned char c[4]; }; union u g, h;
         void set(union u *p, unsigned x) { p->i = x; } int get(union u *p) { return p->c[0]; }
         int main(void) { set(&g, 0x105); set(&h, 0x206); if (get(&g) != 5 || get(&h) != 6) reach_error(); return 0; }",
    ),
    (
        "union_behind_a_pointer_to_a_byte",
        Answer::Unsafe,
        true,
        "union u { unsigned i; unsigned char c[4]; };
         int main(void) { union u u; u.i = 0; unsigned char *p = u.c; p[2] = 1; *p = 4; if (u.i == 0x10004) reach_error(); return 0; }",
    ),
    (
        "partly_written",
        Answer::Safe,
        false,
        "union u { unsigned long long l; unsigned i; };
         int main(void) { union u u; u.l = 0xffffffffffffffffull; u.i = 0; if (u.l != 0xffffffff00000000ull) reach_error(); return 0; }",
    ),
    (
        "partly_written_only",
        Answer::Unsafe,
        true,
        "union u { unsigned long long l; unsigned i; };
         int main(void) { union u u; u.l = 0xffffffffffffffffull; u.i = 0; if (u.l != 0) reach_error(); return 0; }",
    ),
    (
        "numbers_at_odd_places",
        Answer::Safe,
        false,
        "#pragma pack(push, 1)\nstruct p { unsigned char a; unsigned b; };\n#pragma pack(pop)\n
         union u { struct p p; unsigned char c[5]; unsigned short s; };
         int main(void) { union u u; u.p.a = 1; u.p.b = 0x05040302; if (u.c[4] != 5 || u.s != 0x201) reach_error(); return 0; }",
    ),
    (
        "memory_set_in_a_member",
        Answer::Safe,
        false,
        "void *memset(void *, int, unsigned long); union u { unsigned i; unsigned char c[4]; };
         int main(void) { union u u; u.i = 0x01020304; memset(u.c, 0, sizeof u.c); if (u.i != 0) reach_error(); return 0; }",
    ),
    (
        "memory_set_in_a_member_not",
        Answer::Unsafe,
        true,
        "void *memset(void *, int, unsigned long); union u { unsigned i; unsigned char c[4]; };
         int main(void) { union u u; u.i = 0x01020304; memset(u.c, 0, 3); if (u.i == 0x01000000) reach_error(); return 0; }",
    ),
    (
        "padding_of_a_copied_struct",
        Answer::Refused,
        false,
        "struct s { char a; int b; }; union u { struct s s; unsigned char c[8]; };
         int main(void) { struct s t; t.a = 1; t.b = 2; union u u; for (int i = 0; i < 8; i++) u.c[i] = 0; u.s = t;
           if (u.c[4] != 2 || u.c[1] == 300) reach_error(); return 0; }",
    ),
    (
        "truth_values_are_no_bytes",
        Answer::Refused,
        false,
        "union u { _Bool b; unsigned char c; };
         int main(void) { union u u; u.c = 1; if (!u.b) reach_error(); return 0; }",
    ),
    (
        "bytes_of_a_pointer",
        Answer::Refused,
        false,
        "union u { int *p; unsigned char c[8]; }; int x;
         int main(void) { union u u; u.p = &x; u.c[0] = u.c[0]; if (u.p != &x) reach_error(); return 0; }",
    ),
    (
        "bytes_of_no_type_are_set",
        Answer::Safe,
        false,
        "void *memset(void *, int, unsigned long); int n = 1; void set(void *p) { memset(p, 0, 2 * n); }
         int main(void) { char a[9] = \"xxxxxxxx\"; n = 3; set(a); for (int i = 0; i < 8; i++) if (a[i] != (i < 6 ? 0 : 'x')) reach_error(); return 0; }",
    ),
    (
        "bytes_of_no_type_are_set_not_so",
        Answer::Unsafe,
        true,
        "void *memset(void *, int, unsigned long); int n = 1; void set(void *p) { memset(p, 0, 2 * n); }
         int main(void) { char a[9] = \"xxxxxxxx\"; n = 3; set(a); if (a[5] == 0 && a[6] == 'x') reach_error(); return 0; }",
    ),
    (
        "large_members_of_a_union",
        Answer::Safe,
        false,
        "struct s { unsigned char a[100]; }; union { struct { struct s b; int c; } d; struct { int c; struct s b; } e; } v; struct s *p = &v.d.b, *q = &v.e.b;
         static struct s get(void) { return *p; }
         int main(void) { int i; for (i = 0; i < 100; i++) p->a[i] = i; if (q->a[3] != 7) reach_error(); *q = get(); for (i = 0; i < 100; i++) if (q->a[i] != i) reach_error(); return 0; }",
    ),
    (
        "large_members_of_a_union_not_so",
        Answer::Unsafe,
        true,
        "struct s { unsigned char a[100]; }; union { struct { struct s b; int c; } d; struct { int c; struct s b; } e; } v; struct s *p = &v.d.b, *q = &v.e.b;
         int main(void) { int i; for (i = 0; i < 100; i++) p->a[i] = i; if (q->a[3] == 7) reach_error(); return 0; }",
    ),
    (
        "a_union_is_filled",
        Answer::Safe,
        false,
        "void *memset(void *, int, unsigned long); union u { int i; short s[2]; unsigned char c[4]; };
         int main(void) { union u u; memset(&u, 0x7f, sizeof u); if (u.i != 0x7f7f7f7f || u.s[1] != 0x7f7f) reach_error(); return 0; }",
    ),
    (
        "a_union_is_filled_not_so",
        Answer::Unsafe,
        true,
        "void *memset(void *, int, unsigned long); union u { int i; short s[2]; unsigned char c[4]; };
         int main(void) { union u u; memset(&u, 0x7f, sizeof u); if (u.s[1] == 0x7f7f) reach_error(); return 0; }",
    ),
    (
        "bit_fields_are_filled",
        Answer::Safe,
        false,
        "void *memset(void *, int, unsigned long); struct s { unsigned a : 3, b : 7; int c; };
         int main(void) { struct s s; memset(&s, 0xff, sizeof s); if (s.a != 7 || s.b != 127 || s.c != -1) reach_error(); return 0; }",
    ),
    (
        "truth_values_are_filled",
        Answer::Unsafe,
        true,
        "void *memset(void *, int, unsigned long); int n = 1; struct s { _Bool d; char c; };
         int main(void) { struct s s; memset(&s, n, sizeof s); if (s.c == 1 && s.d) reach_error(); return 0; }",
    ),
];

#[test]
fn what_is_read_is_what_was_written() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_the_table_says() {
    assert_runs("c_bytes", PROGRAMS);
}
