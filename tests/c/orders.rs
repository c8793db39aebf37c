//! Operands and arguments whose order C leaves open. Where the order matters, nothing is said; where it does not, the answer is
//! that of any order.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "arguments_change_one_variable",
        Answer::Refused,
        true,
        r#"int g = 1; int twice(void) { g *= 2; return g; } int more(void) { g += 3; return g; }
        int f(int a, int b) { return a * 100 + b; }
        int main(void) { if (f(twice(), more()) != 205) reach_error(); return 0; }"#,
    ),
    (
        "arguments_of_statement_expressions",
        Answer::Refused,
        true,
        r#"int f(int a, int b) { return a * 10 + b; }
        int main(void) { int i = 1; int r = f(({ i++; i; }), ({ i *= 3; i; })); if (r != 26) reach_error(); return 0; }"#,
    ),
    (
        "argument_reads_what_another_changes",
        Answer::Refused,
        true,
        r#"int g = 1; int next(void) { return ++g; } int f(int a, int b) { return a * 10 + b; }
        int main(void) { if (f(next(), g) != 22) reach_error(); return 0; }"#,
    ),
    (
        "through_a_pointer",
        Answer::Refused,
        true,
        r#"int set(int *p) { *p = 5; return 1; } int get(int *p) { return *p; } int f(int a, int b) { return a * 10 + b; }
        int main(void) { int x = 1; if (f(set(&x), get(&x)) != 15) reach_error(); return 0; }"#,
    ),
    (
        "an_increment_beside_a_call",
        Answer::Safe,
        false,
        r#"int a[4] = { 1, 2, 3, 4 }, n; int up(void) { return ++n; }
        int main(void) { a[n++] = up(); if (n != 2 || a[n] != 3 || a[0] + a[1] != 2 && a[0] + a[1] != 4) reach_error(); return 0; }"#,
    ),
    (
        "an_increment_beside_a_call_not_so",
        Answer::Refused,
        true,
        r#"int a[4] = { 1, 2, 3, 4 }, n; int up(void) { return ++n; } int main(void) { a[n++] = up(); if (a[0] == 2 || a[1] == 1) reach_error(); return 0; }"#,
    ),
    (
        "two_calls_in_either_order",
        Answer::Safe,
        false,
        r#"int n = 1; int one(void) { n++; return 1; } int other(int k) { n *= k; return 2; }
        int main(void) { int k = 2; if (one() + other(k) != 3 || n < 3 || n > 4) reach_error(); return 0; }"#,
    ),
    (
        "two_calls_with_an_argument_that_one_changes",
        Answer::Refused,
        false,
        r#"int n = 1; int one(void) { n++; return 1; } int other(int k) { n *= k; return 2; }
        int main(void) { if (one() + other(n) != 3 || n < 2) reach_error(); return 0; }"#,
    ),
    (
        "a_call_between_a_read_and_a_write",
        Answer::Refused,
        false,
        r#"int n = 1; int one(void) { n += 5; return 1; }
        int main(void) { int r = ({ int t = n; n = t + 1; 2; }) + one(); if (r != 3 || n != 7) reach_error(); return 0; }"#,
    ),
    (
        "an_error_whatever_the_order",
        Answer::Unsafe,
        true,
        r#"int n = 1; int one(void) { n++; return 1; } int other(void) { n *= 2; return 2; } int main(void) { if (one() + other() == 3) reach_error(); return n; }"#,
    ),
    (
        "by_a_pointer_to_a_function",
        Answer::Refused,
        true,
        r#"int g; int up(void) { return ++g; } int (*p)(void) = up; int f(int a, int b) { return a * 10 + b; }
        int main(void) { if (f(p(), p()) != 12) reach_error(); return 0; }"#,
    ),
    (
        "operands",
        Answer::Refused,
        false,
        r#"int g = 1; int up(void) { return ++g; } int main(void) { if (up() - up() != -1) reach_error(); return 0; }"#,
    ),
    (
        "a_static_variable",
        Answer::Refused,
        false,
        r#"int up(void) { static int n; return ++n; }
        int main(void) { if (up() * 10 + up() != 12) reach_error(); return 0; }"#,
    ),
    (
        "the_place_of_an_assignment",
        Answer::Refused,
        false,
        r#"int a[3], i; int up(void) { i = 2; return 7; } int main(void) { a[i] = up(); if (a[0] != 7) reach_error(); return 0; }"#,
    ),
    (
        "members_of_a_union",
        Answer::Refused,
        false,
        r#"union { int i; short s[2]; unsigned u; } v; int set(void) { v.s[0] = 7; return 1; }
        int main(void) { v.i = 1; if (v.i + set() != 2) reach_error(); return 0; }"#,
    ),
    (
        "members_of_a_union_behind_a_pointer",
        Answer::Refused,
        false,
        r#"union u { int i; short s; }; int set(union u *p) { p->s = 7; return 1; } int get(union u *p) { return p->i; }
        int main(void) { union u v; v.i = 1; if (get(&v) + set(&v) != 2) reach_error(); return 0; }"#,
    ),
    (
        "an_index_that_changes",
        Answer::Refused,
        false,
        r#"int main(void) { int a[3] = { 5, 5, 5 }, i = 0; a[i++] = i; if (a[0] != 0 && a[0] != 1) reach_error(); return 0; }"#,
    ),
    (
        "a_pointer_that_moves",
        Answer::Refused,
        false,
        r#"int main(void) { int a[3] = { 5, 6, 7 }, *p = a; *p++ = *p; if (a[0] != 5 && a[0] != 6) reach_error(); return 0; }"#,
    ),
    (
        "pointers_that_move_apart",
        Answer::Safe,
        false,
        r#"int main(void) { int a[3] = { 5, 6, 7 }, b[3], *p = a, *q = b, i = 0; *q++ = *p++; b[++i] = a[2];
        if (b[0] != 5 || b[1] != 7) reach_error(); return 0; }"#,
    ),
    (
        "changed_twice",
        Answer::Refused,
        false,
        r#"int main(void) { int i = 1; i = i++ + 1; if (i != 2) reach_error(); return 0; }"#,
    ),
    (
        "exit_or_error",
        Answer::Refused,
        false,
        r#"void exit(int);
        int leave(void) { exit(0); } int fail(void) { reach_error(); return 1; }
        int main(void) { return leave() + fail(); }"#,
    ),
    (
        "both_add_to_one_variable",
        Answer::Safe,
        false,
        r#"int n; int one(void) { n++; return 1; } int other(void) { n += 2; return 2; }
        int main(void) { if (one() + other() != 3 || n != 3) reach_error(); return 0; }"#,
    ),
    (
        "one_adds_and_one_doubles",
        Answer::Refused,
        false,
        r#"int n = 1; int one(void) { n++; return 1; } int other(void) { n *= 2; return 2; }
        int main(void) { if (one() + other() != 3 || n != 4) reach_error(); return 0; }"#,
    ),
    (
        "apart",
        Answer::Safe,
        false,
        r#"int g, h; int one(void) { return ++g; } int other(void) { return ++h; } int f(int a, int b) { return a * 10 + b; }
        int main(void) { if (f(one(), other()) != 11) reach_error(); return 0; }"#,
    ),
    (
        "apart_and_wrong",
        Answer::Unsafe,
        true,
        r#"int g, h; int one(void) { return ++g; } int other(void) { return ++h; } int f(int a, int b) { return a * 10 + b; }
        int main(void) { if (f(one(), other()) == 11) reach_error(); return 0; }"#,
    ),
    (
        "only_reading",
        Answer::Safe,
        false,
        r#"int g = 4; int half(void) { return g / 2; } int twice(void) { return g * 2; }
        int main(void) { if (half() + twice() != 10) reach_error(); return 0; }"#,
    ),
    (
        "recursion_without_shared_variables",
        Answer::Safe,
        false,
        r#"int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int main(void) { if (fib(7) != 13) reach_error(); return 0; }"#,
    ),
    (
        "members_are_told_apart",
        Answer::Safe,
        false,
        r#"struct s { int a, b; }; int one(struct s *s) { return s->a = 1; } int other(struct s *s) { return s->b = 2; }
        int f(int a, int b) { return a * 10 + b; }
        int main(void) { struct s s; if (f(one(&s), other(&s)) != 12) reach_error(); return 0; }"#,
    ),
    (
        "an_argument_saved_before_a_call",
        Answer::Safe,
        false,
        r#"int first(const char *s) { return s[0]; } void put(int **p) { *p = 0; }
        int f(int *t, char *w, int n, int **r) { *r = t; return n; }
        int main(void) { int *root = 0, *found = 0; char word[4] = "abc"; put(&root);
        if (f(root, word, first(word), &found) != 'a') reach_error(); return 0; }"#,
    ),
    (
        "pointers_to_different_variables",
        Answer::Safe,
        false,
        r#"int set(int *p) { *p = 5; return 1; } int get(int *p) { return *p; } int f(int a, int b) { return a * 10 + b; }
        int main(void) { int x = 1, y = 2; if (f(set(&x), get(&y)) != 12) reach_error(); return 0; }"#,
    ),
    (
        "pointers_to_different_variables_by_a_table",
        Answer::Safe,
        false,
        r#"int x, y, z[2]; int *const t[2] = { &x, &y }; int up(void) { return ++*t[0]; } int more(void) { return z[1] += 2; }
        int main(void) { if (up() * 10 + more() != 12) reach_error(); return 0; }"#,
    ),
    (
        "pointers_that_may_meet",
        Answer::Refused,
        true,
        r#"int x = 1, y = 2; int set(int *p) { *p = 5; return 1; } int get(int *p) { return *p; } int f(int a, int b) { return a * 10 + b; }
        int main(int argc, char **v) { int *p = argc > 5 ? &y : &x; if (f(set(p), get(&x)) == 11) reach_error(); return 0; }"#,
    ),
    (
        "an_element_that_a_pointer_is_moved_to",
        Answer::Refused,
        false,
        r#"int t[2] = { 1, 2 }; int set(int *p) { p[1] = 5; return 1; } int f(int a, int b) { return a * 10 + b; }
        int main(void) { if (f(set(t), t[1]) != 12) reach_error(); return 0; }"#,
    ),
    (
        "a_place_that_a_call_leaves_as_it_is",
        Answer::Safe,
        false,
        r#"struct list { int *items; int count, made; }; int store[4];
        int make(struct list *l) { if (l->items == 0) l->items = store; if (l->count > 3) l->count = 0; return ++l->made; }
        int main(void) { struct list l = { store, 2, 6 }, *p = &l; p->items[p->count] = make(p);
        if (store[2] != 7 || p->items[p->count] + make(p) != 15) reach_error(); return 0; }"#,
    ),
    (
        "a_place_that_a_call_changes",
        Answer::Refused,
        true,
        r#"struct list { int items[4]; int count, made; };
        int make(struct list *l) { l->count++; return ++l->made; }
        int main(void) { struct list l = { { 0 }, 1, 6 }, *p = &l; p->items[p->count] = make(p);
        if (l.items[2] != 7) reach_error(); return 0; }"#,
    ),
    (
        "changed_there_and_back",
        Answer::Refused,
        true,
        r#"int x = 1; int up(void) { x++; return 0; } int down(void) { x--; return 0; } int f(int a, int b, int c) { return a + b * 10 + c; }
        int main(void) { if (f(up(), x, down()) != 10) reach_error(); return 0; }"#,
    ),
    (
        "two_values_changed_against_each_other",
        Answer::Refused,
        false,
        r#"int x = 1, y = 1; int shift(void) { x--; y++; return 0; } int f(int a, int b) { return a * 10 + b; }
        int main(void) { if (f(x + y, shift()) != 20) reach_error(); return 0; }"#,
    ),
    (
        "assigned_the_value_that_it_has",
        Answer::Refused,
        false,
        r#"int one(void) { return 1; } int main(void) { int x = 1; int r = x + (x = one()); if (r != 2) reach_error(); return 0; }"#,
    ),
    (
        "one_call_twice",
        Answer::Safe,
        false,
        r#"int stack[4] = { 1, 2, 3, 4 }, n = 4; int pop(void) { return stack[--n]; }
        int main(void) { if (pop() + pop() != 7 || pop() * pop() != 2) reach_error(); return 0; }"#,
    ),
    (
        "one_call_twice_where_it_matters",
        Answer::Refused,
        false,
        r#"int stack[4] = { 1, 2, 3, 4 }, n = 4; int pop(void) { return stack[--n]; }
        int main(void) { if (pop() - pop() != 1) reach_error(); return 0; }"#,
    ),
    (
        "one_call_twice_with_what_it_changes",
        Answer::Refused,
        false,
        r#"int g = 1; int up(int by) { g += by; return g; } int main(void) { if (up(g) + up(g) != 6) reach_error(); return 0; }"#,
    ),
    (
        "numbers_in_strings",
        Answer::Safe,
        false,
        r#"int atoi(const char *); int main(void) { const char *a = "12", *b = " -30x"; if (atoi(a) + atoi(b) != -18) reach_error(); return 0; }"#,
    ),
    (
        "elements_with_constant_indices",
        Answer::Safe,
        false,
        r#"int main(void) { int a[2] = { 1, 2 }; int r = a[1] + a[0]--; if (r != 3 || a[0] != 0) reach_error(); return 0; }"#,
    ),
    (
        "one_element",
        Answer::Refused,
        false,
        r#"int main(void) { int a[2] = { 1, 2 }; int r = a[0] + a[0]--; if (r < 0) reach_error(); return a[r]; }"#,
    ),
    (
        "never_evaluated",
        Answer::Safe,
        false,
        r#"int main(void) { int n = 3; int r = n + (0 && n++) + (1 || ++n); if (r != 4 || n != 3) reach_error(); return 0; }"#,
    ),
    (
        "compound_assignment_reads_last",
        Answer::Safe,
        false,
        r#"int g = 1; int f(void) { g = 5; return 2; } int main(void) { g += f(); if (g != 7) reach_error(); return 0; }"#,
    ),
    (
        "in_an_order_that_c_gives",
        Answer::Safe,
        false,
        r#"int g; int up(void) { return ++g; }
        int main(void) { int i = 1; i = (i++, i + 1); if (i != 3) reach_error();
        if ((up(), up()) != 2 || (up() && up() != 4)) reach_error(); return 0; }"#,
    ),
    (
        "where_it_does_not_matter",
        Answer::Safe,
        false,
        r#"int g, x; int up(void) { return ++g; } void show(int a, int b) { x = a + b; }
        int main(int c, char **v) { int k = c; if (k > 5) k = 5; if (k > 5) { show(up(), up()); reach_error(); } return 0; }"#,
    ),
];

#[test]
fn orders_that_c_leaves_open_are_not_chosen() {
    assert_answers(PROGRAMS);
}

#[test]
fn these_programs_fail_or_not_when_they_are_compiled() {
    assert_runs("orders", PROGRAMS);
}
