//! Invariants in witnesses of correctness mean what they mean in C: numbers have types, which wrap, convert and overflow.

use crate::support::{Folder, SVCOMP};

const COUNTING: &str = "\
extern void reach_error(void);
int main(void) {
  unsigned long big = 18446744073709451000UL;
  unsigned n = 0;
  long long other = 0;
  while (n < 100000) {
    n++;
    big++;
    other += 2;
  }
  if (big != 18446744073709551000UL || other != 200000)
    reach_error();
  return 0;
}
";

fn witness(line: u32, invariant: &str) -> String {
    format!(
        "- entry_type: invariant_set\n  content:\n  - invariant: {{type: loop_invariant, location: {{file_name: a.c, \
         line: {line}, function: main}}, value: \"{invariant}\", format: c_expression}}\n"
    )
}

fn folder(name: &str, program: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.write("a.c", program);
    folder
}

fn code(folder: &Folder, line: u32, invariant: &str) -> Option<i32> {
    folder.write("w.yml", witness(line, invariant));
    let run = folder.run(&["check", "--property", "unreach.prp", "a.c", "w.yml"]);
    run.code
}

#[test]
fn an_invariant_of_another_tool_is_read_with_the_types_of_c() {
    let folder = folder("witness_types", COUNTING);
    for (invariant, expected) in [
        ("n <= 100000", 0),
        ("(long long)n <= 100000LL", 0),
        // Zero is one less than it by wrapping.
        ("n - 1 >= 0", 0),
        ("n - 1 <= 100000", 20),
        // The comparison is one of unsigned numbers, so that it never holds.
        ("n > -1", 20),
        // What is at least 2^63 is negative as a `long long`.
        ("(long long)big > 0", 20),
        // The sum leaves its type for some of the values that are known of `other` by its type.
        ("other + 1 > 0", 20),
    ] {
        assert_eq!(code(&folder, 6, invariant), Some(expected), "{invariant}");
    }
}

#[test]
fn a_name_that_could_mean_another_variable_is_not_understood() {
    let program = "\
extern void reach_error(void);
int main(void) {
  int x = 1, n = 0, m = 0;
  {
    int x = 2;
    while (n < 100000) { n += x - 1; m += x; }
  }
  if (x != 1 || m != 2 * n) reach_error();
  return 0;
}
";
    let folder = folder("witness_names", program);
    assert_eq!(code(&folder, 6, "x == 1"), Some(20));
    assert_eq!(code(&folder, 6, "n >= 0"), Some(0));
}

#[test]
fn what_long_long_does_not_hold_is_left_out_of_what_is_written() {
    let written = |name: &str, kind: &str| {
        let program = format!(
            "extern void reach_error(void);\nint main(void) {{\n  {kind} n = 0, m = 0;\n  \
             while (n < 100000) {{ n++; m += 2; }}\n  if (m != 2 * n) reach_error();\n  return 0;\n}}\n"
        );
        let folder = folder(name, &program);
        assert_eq!(folder.run(&SVCOMP).ended(0).output, "true\n");
        folder.read("w.yml").contains("(long long)m")
    };
    assert!(written("witness_of_int", "int"));
    assert!(written("witness_of_unsigned", "unsigned"));
    assert!(!written("witness_of_unsigned_long", "unsigned long"));
    assert!(!written("witness_of_int128", "__int128"));
}
