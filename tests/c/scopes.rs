//! Where a name is in scope, and which of several things it names: what compiled programs do is what is said.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "tag_declared_anew",
        Answer::Unsafe,
        true,
        "struct t { int a; };
         int main(void) { struct t; struct u { struct t *p; }; struct t { long l[3]; }; if (sizeof *((struct u *)0)->p == 24) reach_error(); return 0; }",
    ),
    (
        "tag_declared_anew_as_another_kind",
        Answer::Unsafe,
        true,
        "struct t { int a; };
         int main(void) { union t; union t *p = 0; union t { long l[3]; int a; }; if (sizeof *p == 24) reach_error(); return 0; }",
    ),
    (
        "tag_not_declared_anew",
        Answer::Unsafe,
        true,
        "struct t { int a; };
         int main(void) { struct u { struct t *p; }; struct t { long l[3]; }; if (sizeof *((struct u *)0)->p == 4) reach_error(); return 0; }",
    ),
    (
        "tag_with_a_qualifier_is_not_declared_anew",
        Answer::Safe,
        false,
        "struct t { int a; };
         int main(void) { const struct t; struct t *p = 0; struct t { char c[3]; }; if (sizeof *p != 4 || sizeof(struct t) != 3) reach_error(); return 0; }",
    ),
    (
        "constant_of_a_condition",
        Answer::Unsafe,
        true,
        "int x = 1; int main(void) { if (sizeof(enum { x = 10 })) { } if (x == 1) reach_error(); return 0; }",
    ),
    (
        "constants_of_choices_and_loops",
        Answer::Safe,
        false,
        "int x = 1; int main(void) { if (sizeof(enum { x = 10 })) { if (x != 10) reach_error(); } if (x != 1) reach_error();
         while (sizeof(enum { x = 4 }) < 1) ; if (x != 1) reach_error();
         switch (sizeof(enum { x = 7 })) { case 4: if (x != 7) reach_error(); } if (x != 1) reach_error();
         do { } while (sizeof(enum { x = 7 }) < 1); if (x != 1) reach_error(); return 0; }",
    ),
    (
        "constants_of_what_is_chosen_or_repeated",
        Answer::Safe,
        false,
        "int x = 1; int main(void) { int n = 0; if (!n) (void)sizeof(enum { x = 9 }); if (x != 1) reach_error();
         if (n) ; else (void)sizeof(enum { x = 9 }); if (x != 1) reach_error();
         while (!n) n = sizeof(enum { x = 8 }); if (x != 1) reach_error();
         do n = sizeof(enum { x = 7 }); while (!n); if (x != 1) reach_error();
         switch (n) case 4: n = sizeof(enum { x = 6 }); if (x != 1) reach_error();
         for (n = 0; n < 1; n++) (void)sizeof(enum { x = 5 }); if (x != 1) reach_error(); return 0; }",
    ),
    (
        "struct_of_a_condition",
        Answer::Unsafe,
        true,
        "struct t { int a; };
         int main(void) { if (sizeof(struct t { char c[9]; }) == 9) { } if (sizeof(struct t) == 4) reach_error(); return 0; }",
    ),
    (
        "type_of_a_value_that_has_the_name",
        Answer::Unsafe,
        true,
        "int main(void) { int x = 3; { __auto_type x = x + 1; if (x == 4) reach_error(); } return 0; }",
    ),
    (
        "type_of_a_value_within_itself",
        Answer::Safe,
        false,
        "int main(void) { int x = ({ __auto_type one = 3; __auto_type other = ({ __auto_type one = 7; __auto_type other = one - 2; one + other; });
         one + other; }); if (x != 15) reach_error(); return 0; }",
    ),
    (
        "constants_in_terms_of_others_with_the_name",
        Answer::Safe,
        false,
        "enum { a = 5 }; int main(void) { { enum { a = a + 1, b = a }; if (a != 6 || b != 6) reach_error(); } if (a != 5) reach_error(); return 0; }",
    ),
];

#[test]
fn names_are_found_in_their_scope() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("scopes", PROGRAMS);
}
