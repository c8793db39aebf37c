//! Unions with members whose bytes are not followed: what was written last can be read, and anything else is refused. Each program
//! fails, or does not, when it is compiled and run.

use crate::answers::{Answer, Case, answer, assert_answers, assert_runs};
use clausal::c::options::{Checks, Options};

/// A program that has a tag beside each union, and says which members it reads.
macro_rules! tagged {
    ($rest:literal) => {
        concat!(
            "struct v { int tag; union { unsigned char c; int *p; double d; struct { char *name; int n; } s; } u; };
             int unknown(void) { static unsigned s = 5; s = s * 77 + 11; return s >> 3 & 1; } int x = 7; char name[3] = \"ab\";\n",
            $rest
        )
    };
}

const PROGRAMS: &[Case] = &[
    (
        "number_or_pointer",
        Answer::Safe,
        false,
        tagged!(
            "int main(void) { struct v v; v.tag = unknown(); if (v.tag) v.u.c = 200; else v.u.p = &x;
             if (v.tag ? v.u.c != 200 : *v.u.p != 7) reach_error(); return 0; }"
        ),
    ),
    (
        "number_or_pointer_not_so",
        Answer::Unsafe,
        true,
        tagged!(
            "int main(void) { struct v v; v.tag = 1; if (v.tag) v.u.c = 200; else v.u.p = &x; if (v.u.c == 200) reach_error();
             return 0; }"
        ),
    ),
    (
        "the_other_member",
        Answer::Refused,
        true,
        tagged!(
            "int main(void) { struct v v; v.u.p = 0; v.u.d = 1.5; if (v.u.p != 0) reach_error(); return 0; }"
        ),
    ),
    (
        "elements_by_value",
        Answer::Safe,
        false,
        tagged!(
            "int get(struct v v) { return v.tag == 1 ? v.u.c : v.tag == 2 ? *v.u.p : v.u.s.n; }
             int main(void) { static struct v a[3]; a[0].tag = 1; a[0].u.c = 5; a[1].tag = 2; a[1].u.p = &x; a[2].u.s.n = 9;
               struct v b[3]; b[0] = a[2]; b[1] = a[1]; b[2] = a[0];
               if (get(b[0]) != 9 || get(b[1]) != 7 || get(b[2]) != 5) reach_error(); return 0; }"
        ),
    ),
    (
        "elements_by_value_not_so",
        Answer::Unsafe,
        true,
        tagged!(
            "int get(struct v v) { return v.tag == 1 ? v.u.c : v.tag == 2 ? *v.u.p : v.u.s.n; }
             int main(void) { static struct v a[3]; a[0].tag = 1; a[0].u.c = 5; a[1].tag = 2; a[1].u.p = &x; a[2].u.s.n = 9;
               struct v b[3]; b[0] = a[2]; b[1] = a[1]; b[2] = a[0]; if (get(b[1]) == 7) reach_error(); return 0; }"
        ),
    ),
    (
        "a_copy_has_what_was_written_last",
        Answer::Refused,
        true,
        tagged!(
            "int main(void) { struct v a, b; a.u.p = &x; a.u.d = 0; b = a; if (b.u.p != &x) reach_error(); return 0; }"
        ),
    ),
    (
        "an_old_copy_is_gone",
        Answer::Refused,
        true,
        tagged!(
            "int main(void) { struct v a, b; a.u.d = 0; b.u.p = &x; b = a; if (b.u.p != &x) reach_error(); return 0; }"
        ),
    ),
    (
        "members_of_a_struct_one_by_one",
        Answer::Safe,
        false,
        tagged!(
            "int main(void) { struct v a; a.u.d = 2.5; a.u.s.n = 3; a.u.s.name = name;
               if (a.u.s.n != 3 || a.u.s.name[1] != 'b') reach_error(); return 0; }"
        ),
    ),
    (
        "a_number_beside_what_is_written_stays",
        Answer::Unsafe,
        true,
        tagged!(
            "int main(void) { struct v a; a.u.s.n = 3; a.u.c = 1; if (a.u.s.n == 3) reach_error(); return 0; }"
        ),
    ),
    (
        "zeros_are_zeros_for_all",
        Answer::Safe,
        false,
        tagged!("struct v g; int main(void) { if (g.u.p != 0 || g.u.d != 0 || g.u.s.n != 0) reach_error(); return 0; }"),
    ),
    (
        "through_a_pointer_to_a_member",
        Answer::Safe,
        false,
        tagged!(
            "int main(void) { struct v a, b; struct v *p = unknown() ? &a : &b; a.u.p = &x; b.u.p = &x; unsigned char *c = &p->u.c;
               *c = 4; struct v *q = p == &a ? &b : &a; if (p->u.c != 4 || *q->u.p != 7) reach_error(); return 0; }"
        ),
    ),
    (
        "through_a_pointer_the_other_is_gone",
        Answer::Refused,
        true,
        tagged!(
            "int main(void) { struct v a, b; struct v *p = unknown() ? &a : &b; a.u.p = &x; b.u.p = &x; unsigned char *c = &p->u.c;
               *c = *c + 1; if (a.u.p != &x || b.u.p != &x) reach_error(); return 0; }"
        ),
    ),
    (
        "allocated_each_time",
        Answer::Safe,
        false,
        tagged!(
            "void *malloc(unsigned long); int main(void) { int s = 0;
               for (int i = 0; i < 4; i++) { struct v *p = malloc(sizeof *p); if (!p) return 0; p->tag = i & 1;
                 if (p->tag) p->u.p = &x; else p->u.c = i; s += p->tag ? *p->u.p : p->u.c; }
               if (s != 16) reach_error(); return 0; }"
        ),
    ),
    (
        "integers_stay_bytes_of_each_other",
        Answer::Safe,
        false,
        "union u { unsigned i; unsigned char b[4]; void *p; double d; };
         int main(void) { union u u; u.d = 1; u.i = 0x11223344; u.b[1] = 0x55; if (u.i != 0x11225544) reach_error(); return 0; }",
    ),
    (
        "bytes_beside_a_pointer_are_not_known",
        Answer::Refused,
        true,
        "union u { unsigned long i; unsigned char b[8]; void *p; };
         int main(void) { union u u; u.i = 0; u.p = &u; u.b[1] = 0x55; if (u.i != 0x5500) reach_error(); return 0; }",
    ),
    (
        "in_a_function_that_recurs",
        Answer::Safe,
        false,
        tagged!(
            "int sum(int n) { struct v v; int s; if (n == 0) return 0; v.tag = n & 1; if (v.tag) v.u.p = &x; else v.u.c = n;
               s = sum(n - 1); return s + (v.tag ? *v.u.p : v.u.c); }
             int main(void) { if (sum(3) != 16) reach_error(); return 0; }"
        ),
    ),
    (
        "nothing_is_written_yet",
        Answer::Refused,
        false,
        tagged!(
            "int main(void) { struct v a; int k = unknown(); if (k > 1) a.u.p = &x; if (k > 2) { a.u.d = 1; if (a.u.d == 1) reach_error(); }
               if (k <= 1 && a.u.p == &x && a.u.d == 1) reach_error(); return 0; }"
        ),
    ),
    (
        "a_struct_into_a_member",
        Answer::Safe,
        false,
        "struct s { char *p; long n; }; union u { struct s s; double d; }; char c = 'x';
         int main(void) { union u u; u.d = 1; struct s s = { &c, 5 }; u.s = s; struct s t = u.s; if (*t.p != 'x' || t.n != 5) reach_error();
           return 0; }",
    ),
    (
        "a_struct_out_of_the_wrong_member",
        Answer::Refused,
        true,
        "struct s { char *p; long n; }; union u { struct s s; double d; }; char c = 'x';
         int main(void) { union u u; struct s s = { &c, 5 }; u.s = s; u.d = 1; struct s t = u.s; if (t.p != &c) reach_error();
           return 0; }",
    ),
    // An integer and a pointer of one size.
    (
        "a_number_to_calculate_with_beside_a_pointer",
        Answer::Safe,
        false,
        "struct v { int tag; union { long n; int *p; } u; }; int x = 2; int unknown(void) { static unsigned s = 5; s = s * 77 + 11; return s >> 3 & 1; }
         long get(struct v *v) { return v->tag ? v->u.n * 2 : *v->u.p; }
         int main(void) { struct v a, b; a.tag = 1; a.u.n = 20; b.tag = 0; b.u.p = &x; struct v *p = unknown() ? &a : &b;
           if (get(p) != (p == &a ? 40 : 2) || get(&a) + get(&b) != 42) reach_error(); return 0; }",
    ),
    (
        "a_number_to_calculate_with_that_is_an_address",
        Answer::Refused,
        true,
        "union u { long n; int *p; }; int main(void) { int x[2] = {1, 2}; union u u; u.p = x; u.n = u.n + 4; *u.p = 5;
           if (x[1] == 5) reach_error(); return 0; }",
    ),
    // What is read as another member may be an address that nobody has followed.
    (
        "an_address_out_of_the_wrong_struct",
        Answer::Refused,
        true,
        "struct s { long a; char *p; }; union u { struct s s; struct { int *q; long b; } r; };
         int main(void) { static int x = 1; union u u; u.r.q = &x; struct s t = u.s; *(int *)t.a = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "a_struct_through_a_pointer_into_the_union",
        Answer::Refused,
        true,
        "struct s { long a; char *p; }; union u { struct s s; struct { int *q; long b; } r; }; struct s copy(struct s *p) { return *p; }
         int main(void) { static int x = 1; union u u; u.r.q = &x; struct s t = copy(&u.s); *(int *)t.a = 5; if (x == 5) reach_error();
           return 0; }",
    ),
    (
        "bytes_in_a_struct",
        Answer::Refused,
        true,
        "struct s { unsigned char a[8]; }; union u { struct s s; int *q; };
         int main(void) { static int x = 1; union u u; u.q = &x; struct s t = u.s; unsigned long l = 0;
           for (int i = 7; i >= 0; i--) l = l << 8 | t.a[i]; *(int *)l = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "a_struct_with_bit_fields",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); struct s { long a; int b : 3; }; union u { struct s s; int *q; };
         int main(void) { static int x = 1; union u u; u.q = &x; struct s t; memcpy(&t, &u.s, sizeof t); *(int *)t.a = 5;
           if (x == 5) reach_error(); return 0; }",
    ),
    (
        "bytes_copied_out_of_a_number",
        Answer::Unsafe,
        true,
        "void *memcpy(void *, const void *, unsigned long); union u { unsigned char b[8]; double d; } u;
         int main(void) { unsigned char x[8]; u.b[1] = 0; u.d = 1.5; memcpy(x, u.b, 8); if (x[7] != 0) reach_error(); return 0; }",
    ),
    (
        "a_member_of_a_union_that_was_copied_by_its_size",
        Answer::Refused,
        true,
        "void *memcpy(void *, const void *, unsigned long); unsigned long two(void) { static int n = 1; return ++n; }
         union u { unsigned char b[8]; int *q; };
         int main(void) { static int x = 1; static union u u[3], v[3]; u[1].q = &x; memcpy(v, u, two() * sizeof *u); unsigned long l = 0;
           for (int i = 7; i >= 0; i--) l = l << 8 | v[1].b[i]; *(int *)l = 5; if (x == 5) reach_error(); return 0; }",
    ),
    (
        "unions_in_a_union",
        Answer::Safe,
        false,
        "union a { int x; short y; }; union b { union a f; union a g; } b;
         int main(void) { b.f.x = 5; b.g.x = 7; if (b.f.x != 7 || b.f.y != 7) reach_error(); b.g.y = 9; if (b.f.x != 9) reach_error(); return b.g.y; }",
    ),
    (
        "unions_in_a_union_not_so",
        Answer::Unsafe,
        true,
        "union a { int x; short y; }; union b { union a f; union a g; } b;
         int main(void) { b.f.x = 5; b.g.x = 7; int r = b.g.y; if (b.f.x == 7) reach_error(); return r; }",
    ),
    (
        "unions_in_a_union_that_is_declared_first",
        Answer::Unsafe,
        true,
        "union b; union a { int x; short y; }; union b { union a f; struct { short s; union a g; } h; } b;
         int main(void) { b.f.x = -1; b.h.g.y = 0; if (b.f.x == 0xffff) return 0; if (b.f.y == -1) reach_error(); return b.h.g.x; }",
    ),
];

/// With `--check uninitialized`.
#[test]
fn bytes_that_another_member_has_are_no_missing_value() {
    let options = Options {
        checks: Checks {
            uninitialized: true,
            ..Checks::NONE
        },
        ..Options::default()
    };
    for (members, set, read, expected) in [
        ("int i; float f;", "u.f = 2", "u.i", Answer::Refused),
        ("int i; struct { short a, b; } s;", "u.i = 3", "u.s.b", Answer::Refused),
        ("int i; short s[2];", "u.s[0] = u.s[1] = 1", "u.i", Answer::Refused),
        ("int i; float f;", "u.i = 2", "u.i", Answer::Safe),
        ("int i; unsigned n;", "u.i = 2", "u.n", Answer::Safe),
        ("int i; float f;", "", "u.i", Answer::Unsafe),
    ] {
        let text = format!("int main(void) {{ union {{ {members} }} u; {set}; return {read}; }}");
        let (found, why) = answer(&text, &options);
        assert_eq!(found, expected, "{text} {why}");
    }
}

#[test]
fn programs_are_answered_as_they_behave() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("c_tagged_unions", PROGRAMS);
}
