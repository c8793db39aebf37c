//! What is not translated does no harm where no run comes to it, and labels as values. Each program fails, or does not, when
//! it is compiled and run; the answer is the same, or a refusal.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "behind_a_condition_that_does_not_hold",
        Answer::Safe,
        false,
        "int main(void) { int x = 3, r = 1; if (x > 5) __asm__(\"xchg %0, %1\" : \"+r\"(x), \"+r\"(r)); if (r != 1) reach_error(); return 0; }",
    ),
    (
        "behind_a_condition_that_holds",
        Answer::Refused,
        false,
        "int main(void) { int x = 6, r = 6; if (x > 5) __asm__(\"xchg %0, %1\" : \"+r\"(x), \"+r\"(r)); if (r != 6) reach_error(); return 0; }",
    ),
    (
        "an_error_before_it",
        Answer::Unsafe,
        true,
        "int main(void) { int x = 6, r = 1; if (x > 5) reach_error();
           __asm__(\"xchg %0, %1\" : \"+r\"(x), \"+r\"(r)); if (r != 1) reach_error(); return 0; }",
    ),
    (
        "an_error_beside_it",
        Answer::Unsafe,
        true,
        "int main(void) { int r = 1; for (int i = 0; i < 9; i++) {
             if (i == 7) reach_error(); if (i == 8) __asm__(\"xchg %0, %0\" : \"+r\"(r)); }
           if (r != 1) reach_error(); return 0; }",
    ),
    (
        "a_union_by_its_tag",
        Answer::Safe,
        false,
        "struct v { int is_pointer; union { int *p; long l; } u; }; int x = 4;
         static long value(struct v *v) { if (v->is_pointer) return *v->u.p; return 7; }
         int main(void) { struct v a; a.is_pointer = 1; a.u.p = &x; if (value(&a) != 4) reach_error(); return 0; }",
    ),
    (
        "computed_jump",
        Answer::Safe,
        false,
        "static int run(const char *code) {
           static void *const steps[] = { &&stop, &&one, &&two }; int r = 0;
           goto *steps[(int)*code++];
           one: r += 1; goto *steps[(int)*code++];
           two: r *= 2; goto *steps[(int)*code++];
           stop: return r; }
         int main(void) { static const char code[] = { 1, 2, 1, 2, 0 }; if (run(code) != 6) reach_error(); return 0; }",
    ),
    (
        "two_labels_at_one_place",
        Answer::Refused,
        false,
        "int main(void) { void *p = &&one, *q = &&two; one: ; two: if (0) goto *p; if (p != q && p == q) reach_error(); return 0; }",
    ),
    (
        "computed_jump_with_another_result",
        Answer::Unsafe,
        true,
        "static int run(const char *code) {
           static void *const steps[] = { &&stop, &&one, &&two }; int r = 0;
           goto *steps[(int)*code++];
           one: r += 1; goto *steps[(int)*code++];
           two: r *= 2; goto *steps[(int)*code++];
           stop: return r; }
         int main(void) { static const char code[] = { 2, 1, 1, 2, 0 }; if (run(code) == 4) reach_error(); return 0; }",
    ),
    (
        "label_in_a_variable",
        Answer::Safe,
        false,
        "int main(int argc, char **argv) { void *p = &&small; if (argc > 3) p = &&large; goto *p;
           large: if (argc <= 3) reach_error(); return 0; small: if (argc > 3) reach_error(); return 0; }",
    ),
    (
        "label_in_a_variable_the_other_one",
        Answer::Unsafe,
        true,
        "int main(int argc, char **argv) { void *p = &&small; if (argc < 3) p = &&large; goto *p;
           small: return 0; large: reach_error(); return 0; }",
    ),
    (
        "distance_of_labels",
        Answer::Refused,
        false,
        "int main(void) { int d = &&b - &&a; goto *(&&a + d); a: reach_error(); b: return 0; }",
    ),
];

#[test]
fn only_what_is_reached_counts() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_the_table_says() {
    assert_runs("c_reached", PROGRAMS);
}
