//! Functions inside of functions. Each program fails, or does not, when it is compiled and run; the answer is the same, or a
//! refusal.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "the_outer_variable_changes",
        Answer::Safe,
        false,
        "int f(int n) { int s = 0; void add(int k) { s += k * n; } add(1); add(2); return s; }
         int main(void) { if (f(3) != 9 || f(5) != 15) reach_error(); return 0; }",
    ),
    (
        "the_outer_variable_changes_not_so",
        Answer::Unsafe,
        true,
        "int f(int n) { int s = 0; void add(int k) { s += k * n; } add(1); add(2); return s; }
         int main(void) { if (f(3) == 9) reach_error(); return 0; }",
    ),
    (
        "handed_over_as_a_pointer",
        Answer::Safe,
        false,
        "static void each(int n, void (*f)(int)) { for (int i = 0; i < n; i++) f(i); }
         int sum(int n) { int s = 0; void add(int i) { s += i; } each(n, add); return s; }
         int main(void) { if (sum(4) != 6 || sum(3) != 3) reach_error(); return 0; }",
    ),
    (
        "handed_over_as_a_pointer_not_so",
        Answer::Unsafe,
        true,
        "static void each(int n, void (*f)(int)) { for (int i = 0; i < n; i++) f(i); }
         int sum(int n) { int s = 0; void add(int i) { s += i; } each(n, add); return s; }
         int main(void) { if (sum(4) == 6) reach_error(); return 0; }",
    ),
    (
        "inside_of_one_inside",
        Answer::Safe,
        false,
        "int f(int a) { int g(int b) { int h(int c) { return a * 100 + b * 10 + c; } a++; return h(b + 1); } int r = g(a + 1); return r + a; }
         int main(void) { if (f(1) != 223 + 2) reach_error(); return 0; }",
    ),
    (
        "the_inner_one_recurs",
        Answer::Safe,
        false,
        "int f(int n) { int calls = 0; int down(int k) { calls++; return k == 0 ? 0 : down(k - 1); } down(n); return calls; }
         int main(void) { if (f(3) != 4) reach_error(); return 0; }",
    ),
    (
        "the_outer_one_recurs",
        Answer::Refused,
        true,
        "int f(int n) { int own = n; int get(void) { return own; } if (n > 0) f(n - 1); return get(); }
         int main(void) { if (f(2) == 2) reach_error(); return 0; }",
    ),
    (
        "the_outer_one_recurs_through_a_pointer",
        Answer::Refused,
        true,
        "int f(int n, int (*g)(void)) { int own = n; int get(void) { return own; } return n == 0 ? g() : f(n - 1, n == 2 ? get : g); }
         int main(void) { if (f(2, 0) == 2) reach_error(); return 0; }",
    ),
    (
        "a_local_variable_hides_the_outer_one",
        Answer::Safe,
        false,
        "int main(void) { int x = 1; int f(void) { int x = 5; x++; return x; } if (f() != 6 || x != 1) reach_error(); return 0; }",
    ),
    (
        "in_an_order_that_is_open",
        Answer::Safe,
        false,
        "int main(void) { int x = 1; int f(void) { x = 5; return 0; } int g(void) { return x; }
           if (f() + g() > 5) reach_error(); return 0; }",
    ),
    (
        "changed_between_two_reads",
        Answer::Safe,
        false,
        "int main(void) { int x = 1; int f(void) { x += 5; return x; } int a = x; int b = f(); int c = x;
           if (a != 1 || b != 6 || c != 6) reach_error(); return 0; }",
    ),
    (
        "each_turn_has_a_variable_of_its_own",
        Answer::Safe,
        false,
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int t = 0; void up(void) { t += i; } up(); up(); s += t; }
           if (s != 6) reach_error(); return 0; }",
    ),
    (
        "beside_an_array_with_a_computed_length",
        Answer::Safe,
        false,
        "int f(int n) { int a[n]; int size(void) { return sizeof a; } int get(int i) { return a[i]; } a[1] = n; a[n - 1] = 7; n = 2; return size() + get(1); }
         int main(void) { if (f(3) != 15 || f(2) != 15 || f(6) != 30) reach_error(); return 0; }",
    ),
    (
        "beside_an_array_with_a_computed_length_not_so",
        Answer::Unsafe,
        true,
        "int f(int n) { int a[n]; int size(void) { return sizeof a; } int get(int i) { return a[i]; } a[1] = n; return size() + get(1); }
         int main(void) { f(2); if (f(3) == 15) reach_error(); return 0; }",
    ),
    (
        "each_turn_has_another_length",
        Answer::Safe,
        false,
        "int f(int n) { int s = 0; for (int k = 1; k <= n; k++) { int a[k][k + 1]; int last(void) { return a[k - 1][k] + sizeof a; } a[k - 1][k] = k; s += last(); } return s; }
         int main(void) { if (f(3) != 6 + 8 + 24 + 48) reach_error(); return 0; }",
    ),
    (
        "rows_of_a_computed_length_are_handed_in",
        Answer::Unsafe,
        true,
        "int f(int n) { int a[2][n]; int get(int r[2][n], int i) { return r[1][i]; } a[1][n - 1] = 5; return get(a, n - 1); }
         int main(void) { if (f(3) == 5) reach_error(); return 0; }",
    ),
    (
        "arrays_and_structs_of_the_outer_one",
        Answer::Unsafe,
        true,
        "int main(void) { int a[3] = { 1, 2, 3 }; struct { int k; } s = { 4 }; void turn(void) { int t = a[0]; a[0] = a[2]; a[2] = t; s.k++; }
           turn(); if (a[0] == 3 && a[2] == 1 && s.k == 5) reach_error(); return 0; }",
    ),
    (
        "a_name_that_means_something_elsewhere",
        Answer::Refused,
        true,
        "int main(void) { int n = 0; int abs(int k) { n++; return k; } abs(-1); if (n == 1) reach_error(); return 0; }",
    ),
    (
        "a_label_of_the_outer_one",
        Answer::Unsafe,
        true,
        "int f(int n) { __label__ one, two; void *which(int k) { switch (k) { case 1: return &&one; default: return &&two; } }
           goto *which(n); one: return 1; two: return 2; }
         int main(void) { if (f(1) == 1) reach_error(); return 0; }",
    ),
    (
        "a_label_of_the_outer_one_is_one_for_both",
        Answer::Safe,
        false,
        "int f(int n) { __label__ one, two; void *which(int k) { return k == 1 ? &&one : &&two; } void *own = &&one;
           if (which(1) != own || which(2) == own) reach_error(); goto *which(n); one: return 1; two: return 2; }
         int main(void) { if (f(1) != 1 || f(2) != 2) reach_error(); return 0; }",
    ),
    (
        "a_jump_out",
        Answer::Safe,
        false,
        "int f(int n) { __label__ out; int s = 1; int g(int k) { s = 2; if (k > 3) goto out; s = 3; return k; } s = g(n) + 10; return s; out: return s; }
         int main(void) { if (f(4) != 2 || f(3) != 13) reach_error(); return 0; }",
    ),
    (
        "a_jump_out_not_so",
        Answer::Unsafe,
        true,
        "int f(int n) { __label__ out; int s = 1; int g(int k) { s = 2; if (k > 3) goto out; s = 3; return k; } s = g(n) + 10; return s; out: return s; }
         int main(void) { if (f(4) == 2 && f(3) == 13) reach_error(); return 0; }",
    ),
    (
        "a_jump_out_leaves_what_the_call_was_for",
        Answer::Safe,
        false,
        "int main(void) { __label__ out; int x = 5; struct { int a, b; } s = { 6, 7 }; int g(void) { goto out; } x = g(); s.b = g(); reach_error();
           out: if (x != 5 || s.b != 7) reach_error(); return 0; }",
    ),
    (
        "a_jump_out_of_calls_inside_calls",
        Answer::Safe,
        false,
        "int f(int n) { __label__ out; int calls = 0; void down(int k) { calls++; if (k == 0) goto out; down(k - 1); calls += 100; }
           void first(void) { down(n); calls += 1000; } first(); return -1; out: return calls; }
         int main(void) { if (f(3) != 4 || f(0) != 1) reach_error(); return 0; }",
    ),
    (
        "a_jump_out_of_calls_inside_calls_not_so",
        Answer::Unsafe,
        true,
        "int f(int n) { __label__ out; int calls = 0; void down(int k) { calls++; if (k == 0) goto out; down(k - 1); calls += 100; }
           void first(void) { down(n); calls += 1000; } first(); return -1; out: return calls; }
         int main(void) { if (f(3) == 4) reach_error(); return 0; }",
    ),
    (
        "a_jump_out_of_two_functions",
        Answer::Safe,
        false,
        "int f(int n) { __label__ far; int s = 0; int g(int k) { __label__ near; int h(void) { if (k > 5) goto far; if (k > 2) goto near; return 1; }
           s += h(); return s; near: s += 20; return s + 1; } s += 100 * g(n); return s; far: return -n; }
         int main(void) { if (f(7) != -7 || f(3) != 2120 || f(1) != 101) reach_error(); return 0; }",
    ),
    (
        "a_jump_out_in_every_turn",
        Answer::Safe,
        false,
        "int main(void) { __label__ again; int n = 0, m = 0; void g(void) { n++; if (n < 5) goto again; }
           again: m++; g(); if (n != 5 || m != 5) reach_error(); return 0; }",
    ),
    (
        "a_jump_out_in_every_turn_not_so",
        Answer::Unsafe,
        true,
        "int main(void) { __label__ again; int n = 0, m = 0; void g(void) { n++; if (n < 5) goto again; }
           again: m++; g(); if (n == 5 && m == 5) reach_error(); return 0; }",
    ),
    (
        "a_jump_out_past_a_declaration",
        Answer::Safe,
        false,
        "int main(void) { __label__ out; int n = 0; void g(void) { n = 1; goto out; } g(); { int k = 3; n += k; out: k = n; if (k != 1) reach_error(); } return 0; }",
    ),
    (
        "a_jump_out_beside_an_operand",
        Answer::Refused,
        true,
        "int main(void) { __label__ out; int n = 0; int g(void) { goto out; } int h(void) { n = 1; return 0; } n = h() + g(); out: if (n == 1) reach_error(); return 0; }",
    ),
    (
        "a_jump_out_beside_an_error",
        Answer::Refused,
        true,
        "int main(void) { __label__ out; int g(void) { goto out; } int h(void) { reach_error(); return 0; } h() + g(); out: return 0; }",
    ),
    (
        "a_jump_out_by_address",
        Answer::Refused,
        true,
        "static void twice(void (*f)(void)) { f(); f(); }
         int main(void) { __label__ out; int n = 0; void g(void) { n++; if (n == 2) goto out; } twice(g); return 0; out: reach_error(); }",
    ),
    (
        "a_jump_out_beside_what_ends_a_scope",
        Answer::Refused,
        true,
        "static int ended; static void end(int *p) { ended++; }
         int main(void) { __label__ out; void g(void) { goto out; } { __attribute__((cleanup(end))) int x = 1; g(); } out: if (ended == 0) reach_error(); return 0; }",
    ),
    (
        "arguments_that_vary",
        Answer::Safe,
        false,
        "int main(void) { int calls = 0; int second(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);
           int v = __builtin_va_arg(l, int); __builtin_va_end(l); calls++; return v; }
           if (second(1, 42) != 42 || calls != 1) reach_error(); return 0; }",
    ),
];

#[test]
fn programs_are_answered_as_they_behave() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("c_nested_functions", PROGRAMS);
}
