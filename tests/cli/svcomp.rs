//! `clausal svcomp`: verdicts as BenchExec reads them, and witnesses that `clausal check` confirms.

use crate::support::{Folder, SVCOMP};

const SAFE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0;
  if (n < 0 || n > 1000)
    return 0;
  while (x < n) {
    x++;
    y += 2;
  }
  if (y != 2 * x)
    reach_error();
  return 0;
}
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.write("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    folder
}

#[test]
fn a_safe_program_is_true_and_its_witness_is_confirmed() {
    let folder = folder("svcomp_safe");
    folder.write("a.c", SAFE);
    assert_eq!(folder.run(&SVCOMP).ended(0).output, "true\n");
    let witness = folder.read("w.yml");
    assert!(
        witness.contains("entry_type: invariant_set") && witness.contains("line: 7\n        column: 3\n"),
        "{witness}"
    );
    let check = folder
        .run(&["check", "--property", "unreach.prp", "a.c", "w.yml"])
        .ended(0);
    assert!(check.output.starts_with("SAFE\nThe witness is confirmed"), "{check:?}");
    // A wrong invariant is not confirmed, and a witness of another program is refused.
    folder.write("wrong.yml", witness.replace("value: \"", "value: \"x == 3 && "));
    let check = folder
        .run(&["check", "--property", "unreach.prp", "a.c", "wrong.yml"])
        .ended(20);
    assert!(check.output.contains("it is not proved by induction that"), "{check:?}");
    folder.write("a.c", SAFE.replace("1000", "999"));
    let check = folder
        .run(&["check", "--property", "unreach.prp", "a.c", "w.yml"])
        .ended(2);
    assert!(check.complaints.contains("another version of a.c"), "{check:?}");
    folder
        .run(&["check", "--force", "--property", "unreach.prp", "a.c", "w.yml"])
        .ended(0);
}

#[test]
fn an_error_is_false_with_its_property_and_its_witness_runs_into_it() {
    let folder = folder("svcomp_unsafe");
    let text = SAFE.replace("y += 2", "y += 3");
    folder.write("a.c", &text);
    let of = |file: &str, property: &str| {
        let mut task = SVCOMP;
        (task[2], task[7]) = (property, file);
        folder.run(&task)
    };
    assert_eq!(of("a.c", "unreach.prp").ended(10).output, "false(unreach-call)\n");
    folder
        .run(&["check", "--property", "unreach.prp", "a.c", "w.yml"])
        .ended(10);
    let witness = folder.read("w.yml");
    folder.write("other.yml", witness.replace("result == ", "result == -"));
    let check = folder
        .run(&["check", "--property", "unreach.prp", "a.c", "other.yml"])
        .ended(1);
    assert!(check.output.starts_with("REJECTED: the violation witness"), "{check:?}");
    // Lines are those of the file, whatever a preprocessor's markers say.
    folder.write("b.i", format!("# 1 \"other.c\"\n# 77 \"other.c\"\n{text}"));
    assert_eq!(of("b.i", "unreach.prp").ended(10).output, "false(unreach-call)\n");
    assert!(folder.read("w.yml").contains("line: 6\n"), "{}", folder.read("w.yml"));
    folder.write(
        "o.c",
        "int __VERIFIER_nondet_int(void); int main(void) { int x = __VERIFIER_nondet_int(); return x + 1; }\n",
    );
    assert_eq!(of("o.c", "overflow.prp").ended(10).output, "false(no-overflow)\n");
    assert!(folder.read("w.yml").contains("specification: \"G ! overflow\""));
}

#[test]
fn what_is_not_decided_is_unknown() {
    let folder = folder("svcomp_unknown");
    folder.write(
        "a.c",
        "void reach_error(void); int main(void) { asm(\"nop\" : : : \"memory\"); x y; }\n",
    );
    let run = folder.run(&["svcomp", "--property", "unreach.prp", "a.c"]);
    assert_eq!((run.code, run.output.as_str()), (Some(2), "unknown\n"));
    let run = folder.run(&["svcomp", "a.c"]);
    assert_eq!((run.code, run.output.as_str()), (Some(2), "unknown\n"));
    assert!(run.complaints.contains("there is no property"), "{run:?}");
}
