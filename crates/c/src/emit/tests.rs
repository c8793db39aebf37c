//! What C becomes under the different options, from the text to the printed rules.

use super::super::options::{Arithmetic, Blocks, Checks, Floats, Options, Undefined};
use super::super::program::ErrorKind;
use super::super::source_map::StepKind;
use super::super::{Translation, translate};
use crate::diagnostics::render;
use clausal_rules::clp;

fn translated(text: &str, options: &Options) -> Translation {
    let reading = translate(text, options);
    let shown = render(&reading.diagnostics, "test.c", text);
    reading.product.unwrap_or_else(|| panic!("{shown}"))
}

/// The rules of a snippet, without the query and the entry.
fn rules(text: &str, options: &Options) -> Vec<String> {
    let options = Options {
        snippet: true,
        ..options.clone()
    };
    let printed = clp::print(&translated(text, &options).program);
    let joined = printed.replace(",\n    ", ", ").replace(":-\n    ", ":- ");
    let lines = joined
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("?-"));
    lines.map(str::to_string).collect()
}

fn check(name: &str, rules: &[String]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/c-emit");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, rules.join("\n")));
}

fn goes_on() -> Options {
    Options {
        undefined: Undefined::GoesOn,
        ..Options::default()
    }
}

#[test]
fn a_loop_is_two_rules() {
    let text = "x = 0; while (x < n) x++; assert(x == n);";
    check("loop_goes_on", &rules(text, &goes_on()));
    check("loop_ends", &rules(text, &Options::default()));
}

#[test]
fn unsigned_sums_wrap_by_cases() {
    let text = "unsigned x, y; y = x + 1; while (*) y = y + x; assert(y != 7);";
    check("unsigned_sums", &rules(text, &goes_on()));
    let ideal = Options {
        arithmetic: Arithmetic::Ideal,
        ..goes_on()
    };
    check("unsigned_sums_ideal", &rules(text, &ideal));
}

#[test]
fn a_loop_that_might_not_end_is_kept() {
    let counted = "for (i = 0; i < 10; i++) y = y + i; assert(x > 0);";
    assert_eq!(rules(counted, &goes_on()).len(), 1);
    let endless = "while (i != 10) i = i + 3; assert(x > 0);";
    assert_eq!(rules(endless, &goes_on()).len(), 3);
    // Nobody knows the step, so that it might be zero.
    let unknown_step = "for (i = 0; i < 10; i = i + z) y = y + i; assert(x > 0);";
    assert_eq!(rules(unknown_step, &goes_on()).len(), 3);
}

#[test]
fn what_only_affects_itself_goes() {
    let text = "if (a > 3) b = 1; else b = 2; c = b * 7; if (x > 5) assert(x > 6);";
    let rules = rules(text, &goes_on());
    assert_eq!(rules.len(), 1);
    assert!(
        rules[0].ends_with("X >= 6, X =< 6, error.") || rules[0].ends_with("X = 6, error."),
        "{rules:?}"
    );
    let all = Options {
        slice: false,
        blocks: Blocks::Basic,
        ..goes_on()
    };
    assert!(self::rules(text, &all).len() > 5);
}

#[test]
fn undefined_runs_end_or_are_errors() {
    let text = "int x, y, z; z = x / y; assert(z != 1);";
    check("division", &rules(text, &Options::default()));
    let checked = Options {
        checks: Checks {
            overflow: true,
            division_by_zero: true,
            ..Checks::default()
        },
        ..goes_on()
    };
    let text = "int x, y, z; z = x / y;";
    let found = rules(text, &checked);
    check("division_checked", &found);
    let options = Options {
        snippet: true,
        ..checked
    };
    let map = translated(text, &options).map;
    let steps = map.rules.iter().flat_map(|rule| &rule.steps);
    let errors: Vec<ErrorKind> = steps
        .filter_map(|step| match step.kind {
            StepKind::Error { kind, .. } => Some(kind),
            _ => None,
        })
        .collect();
    assert_eq!(errors, [ErrorKind::DivisionByZero, ErrorKind::Overflow]);
}

#[test]
fn blocks_decide_what_a_rule_is() {
    let text = "x = 0; if (a > 0) x = 1; if (b > 0) x = x + 2; while (*) x = x + c; assert(x != 9);";
    let counts = [Blocks::Basic, Blocks::Joins, Blocks::Loops].map(|blocks| {
        let options = Options { blocks, ..goes_on() };
        rules(text, &options).len()
    });
    assert!(counts[0] > counts[1], "{counts:?}");
    assert_eq!(counts[2], 6);
}

#[test]
fn many_paths_get_more_predicates() {
    let diamonds: String = (0..40)
        .map(|number| format!("if (a{number} > 0) x = x + {number};\n"))
        .collect();
    for blocks in [Blocks::Basic, Blocks::Joins, Blocks::Loops] {
        let options = Options { blocks, ..goes_on() };
        let found = rules(&format!("x = 0; {diamonds} assert(x != 9);"), &options);
        assert!(found.len() < 600, "{blocks:?}: {}", found.len());
    }
}

#[test]
fn quadruple_numbers_are_refused_where_they_matter() {
    let text = "int main(void) { __float128 d = 0.5; int x = d > 0.25; if (x) { ERROR: ; } return 0; }";
    let reading = translate(text, &Options::default());
    assert!(reading.product.is_none());
    assert_eq!(reading.diagnostics[0].message, "cannot translate `__float128`");
    let double = text.replace("__float128", "double");
    let unused = text.replace("if (x)", "if (0)");
    for text in [double, unused] {
        assert!(translated(&text, &Options::default()).approximations.is_empty());
    }
    let reals = Options {
        floats: Floats::Real,
        ..Options::default()
    };
    let translation = translated(text, &reals);
    assert_eq!(translation.approximations.len(), 1);
    assert!(clp::print(&translation.program).contains("error"));
}

#[test]
fn a_program_without_an_error_is_still_a_program() {
    let translation = translated("int main(void) { return 0; }", &Options::default());
    assert!(
        translation
            .notes
            .iter()
            .any(|note| note.text.starts_with("no error can be reached"))
    );
    assert_eq!(translation.program.rules().len(), 2);
}

#[test]
fn inputs_are_recorded_in_order() {
    let text = "int f(void); int g(void);
        int main(void) { int x = f(); int y = g(); if (x > y) { ERROR: ; } return 0; }";
    let map = translated(text, &Options::default()).map;
    let steps = map.rules.iter().flat_map(|rule| &rule.steps);
    let sources: Vec<String> = steps
        .filter_map(|step| match &step.kind {
            StepKind::Input { source, .. } => Some(format!("{source:?}")),
            _ => None,
        })
        .collect();
    assert_eq!(sources, ["Call(\"f\")", "Call(\"g\")"]);
}

#[test]
fn predicates_are_named_after_function_and_line() {
    let text = "extern int n;
int f(int m) {
    int i = 0;
    while (i < m) i++;
    return i;
}
int main(void) {
    int a = f(n);
    int b = f(a);
    if (a != b) { ERROR: ; }
    return 0;
}";
    let program = translated(text, &Options::default()).program;
    let names: Vec<&str> = program
        .predicates()
        .iter()
        .map(|predicate| predicate.name.as_str())
        .collect();
    assert!(names.contains(&"f_4") && names.contains(&"f_4_2"), "{names:?}");
}
