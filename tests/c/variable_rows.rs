//! Arrays with several dimensions of which inner ones are computed. Each program fails, or does not, when it is compiled and run;
//! the answer is the same.

use crate::answers::{Answer, Case, assert_answers, assert_runs};

const PROGRAMS: &[Case] = &[
    (
        "a_matrix_is_a_parameter",
        Answer::Safe,
        false,
        "static void fill(int m, int n, int x[m][n]) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) x[i][j] = 10 * i + j; }
         int main(void) { int a[2][3], b[3][2]; fill(2, 3, a); fill(3, 2, b);
         if (a[1][0] != 10 || a[0][2] != 2 || b[1][0] != 10 || b[2][1] != 21) reach_error(); return 0; }",
    ),
    (
        "a_matrix_is_a_parameter_not_so",
        Answer::Unsafe,
        true,
        "static void fill(int m, int n, int x[m][n]) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) x[i][j] = 10 * i + j; }
         int main(void) { int a[2][3]; fill(2, 3, a); if (a[1][0] == 10 && a[0][2] == 2) reach_error(); return 0; }",
    ),
    (
        "the_dimension_is_that_at_the_call",
        Answer::Safe,
        false,
        "static int at(int n, int x[][n]) { n = 1; return x[1][1]; }
         int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; if (at(3, a) != 5) reach_error(); return 0; }",
    ),
    (
        "the_dimension_is_not_that_later",
        Answer::Unsafe,
        true,
        "static int at(int n, int x[][n]) { n = 1; return x[1][1]; }
         int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; if (at(3, a) != 3) reach_error(); return 0; }",
    ),
    (
        "handed_on_from_a_local_one",
        Answer::Safe,
        false,
        "static int sum(int n, int x[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += x[i][n - 1]; return s; }
         static int through(int n, int x[n][n]) { return sum(n, x); }
         int main(int argc, char **argv) { int n = 2; int a[n][n]; a[0][0] = 1; a[0][1] = 2; a[1][0] = 3; a[1][1] = 4;
         if (through(n, a) != 6) reach_error(); return 0; }",
    ),
    (
        "handed_on_from_a_local_one_not_so",
        Answer::Unsafe,
        true,
        "static int sum(int n, int x[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += x[i][n - 1]; return s; }
         int main(int argc, char **argv) { int n = 2; int a[n][n]; a[0][0] = 1; a[0][1] = 2; a[1][0] = 3; a[1][1] = 4;
         if (sum(n, a) == 6) reach_error(); return 0; }",
    ),
    (
        "rows_are_addresses",
        Answer::Safe,
        false,
        "static int last(int n, int *row) { return row[n - 1]; } static int second(int n, int x[2][n]) { return last(n, x[1]); }
         int main(int argc, char **argv) { int n = 3; int a[2][n]; for (int i = 0; i < 6; i++) a[i / 3][i % 3] = i;
         if (last(n, a[0]) != 2 || second(n, a) != 5 || a[1] - a[0] != 3 || !(a[0] < a[1])) reach_error(); return 0; }",
    ),
    (
        "rows_are_addresses_not_so",
        Answer::Unsafe,
        true,
        "static int last(int n, int *row) { return row[n - 1]; } static int second(int n, int x[2][n]) { return last(n, x[1]); }
         int main(int argc, char **argv) { int n = 3; int a[2][n]; for (int i = 0; i < 6; i++) a[i / 3][i % 3] = i;
         if (second(n, a) == 5) reach_error(); return 0; }",
    ),
    (
        "a_row_before_the_one_pointed_to",
        Answer::Safe,
        false,
        "static int before(int n, int x[][n]) { return x[-1][n - 1]; }
         int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; if (before(3, a + 1) != 3) reach_error(); return 0; }",
    ),
    (
        "a_row_before_the_one_pointed_to_not_so",
        Answer::Unsafe,
        true,
        "static int before(int n, int x[][n]) { return x[-1][n - 1]; }
         int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; if (before(3, a + 1) == 3) reach_error(); return 0; }",
    ),
    (
        "three_dimensions",
        Answer::Safe,
        false,
        "static int at(int m, int n, int x[][m][n]) { return x[1][0][1] + x[0][1][0]; }
         int main(void) { int a[2][2][3] = { { { 1, 2, 3 }, { 4, 5, 6 } }, { { 7, 8, 9 }, { 10, 11, 12 } } };
         if (at(2, 3, a) != 12) reach_error(); return 0; }",
    ),
];

#[test]
fn elements_are_where_c_says() {
    assert_answers(PROGRAMS);
}

#[test]
fn the_compiled_programs_do_what_is_said() {
    assert_runs("variable_rows", PROGRAMS);
}

/// Rows as a whole are not known: their sizes, and what is as far away as some of them.
#[test]
fn other_uses_of_rows_are_refused() {
    use crate::answers::answer;
    use clausal::c::options::Options;
    let bodies = [
        "if (sizeof *x != 4 * n) reach_error();",
        "if (*(x + 1)[0] == 3) reach_error();",
        "x++; if (x[0][0] == 3) reach_error();",
        "if (sizeof x[0] != 4 * n) reach_error();",
        "if (&x[1] - x == 2) reach_error();",
        "int y[n][n][n]; y[0][0][0] = 3; if ((*y)[0][0] == 3) reach_error();",
    ];
    for body in bodies {
        let text = format!(
            "static void f(int n, int x[][n]) {{ {body} }} int main(void) {{ int a[2][2] = {{ {{ 1, 2 }}, {{ 3, 4 }} }}; f(2, a); return 0; }}"
        );
        let (found, why) = answer(&text, &Options::default());
        assert_eq!(found, Answer::Refused, "{why}\n{text}");
    }
}
