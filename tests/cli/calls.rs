//! Every command on rules that recur through calls.

use super::support::Folder;

/// A call for each number up to the first one, and as many returns; the error is behind forty of both if the sum may be as large.
fn counting(bound: &str) -> String {
    format!(
        "?- N =< 40, up(N, 0, S), S > {bound}, error.
up(N, I, S) :- I >= N, S = 0.
up(N, I, S) :- I < N, up(N, I + 1, T), increased(T, S).
increased(T, S) :- S = T + 1.
"
    )
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("safe.clp", counting("40"));
    folder.write("unsafe.clp", counting("39"));
    folder
}

#[test]
fn translations_have_the_verdict_of_the_rules() {
    let folder = folder("calls_translate");
    for (source, code) in [("safe.clp", 0), ("unsafe.clp", 10)] {
        for target in ["clp", "smt2"] {
            let translated = format!("{source}.{target}");
            folder
                .run(&["translate", "--to", target, source, "-o", &translated])
                .ended(0);
            folder.run(&["verify", &translated]).ended(code);
        }
        let dot = folder.run(&["translate", "--to", "dot", source]).ended(0).output;
        assert!(dot.contains("increased"), "{dot}");
    }
}

#[test]
fn what_is_explored_is_checked_again() {
    let folder = folder("calls_explore");
    let explore = ["explore", "--save-evidence", "e.json", "--proof", "p.txt"];
    let run = folder.run(&[&explore[..], &["unsafe.clp"]].concat()).ended(10);
    assert!(run.output.contains("2 templates for 2 cycles used 2 times"), "{run:#?}");
    assert!(run.output.contains("up(40, 1, 39)"), "{run:#?}");
    folder.run(&["check", "unsafe.clp", "e.json"]).ended(10);
    folder.run(&["check", "safe.clp", "e.json"]).ended(2);
    let closed = ["--no-templates", "--smt2", "o.smt2", "safe.clp"];
    folder.run(&[&explore[..], &closed].concat()).ended(0);
    assert!(
        folder
            .read("p.txt")
            .contains("with what is still to be derived on a stack")
    );
    assert!(folder.read("o.smt2").contains("(check-sat)"));
    folder.run(&["check", "safe.clp", "e.json"]).ended(0);
    folder.run(&["check", "--force", "unsafe.clp", "e.json"]).ended(1);
}

#[test]
fn a_derivation_with_calls_is_compressed() {
    let folder = folder("calls_compress");
    let run = folder.run(&["compress", "unsafe.clp"]).ended(0);
    let says = |line: &str| assert!(run.output.contains(line), "{run:#?}");
    says("up         up(N, I, S) :- N >= I + 1, up(N, I + 1, T), increased(T, S).");
    says("return     go on with increased");
    folder
        .run(&["verify", "--save-evidence", "e.json", "unsafe.clp"])
        .ended(10);
    folder.run(&["compress", "--trace", "e.json", "unsafe.clp"]).ended(0);
}

#[test]
fn invariants_of_calls_and_of_what_they_give_back_are_inferred() {
    let folder = folder("calls_infer");
    let run = folder
        .run(&["infer", "--certify", "--timeout", "600", "safe.clp"])
        .ended(0);
    let says = |line: &str| assert!(run.output.contains(line), "{run:#?}");
    says("\nreturn of up\n");
    says("    proved  N*S = I*S + S*S\n");
    says("    proved  S >= 0\n");
    says("1 of 1 rules into the error excluded");
    says("certificate accepted");
    let named = folder
        .run(&["infer", "--at", "increased", "--timeout", "600", "safe.clp"])
        .ended(0);
    assert!(
        named.output.starts_with("return of increased\n    proved  S = T + 1\n"),
        "{named:#?}"
    );
}

#[test]
fn functions_of_c_that_recur_are_explored_and_inferred() {
    let folder = Folder::new("calls_c");
    let text = "int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  int d = down(n);
  if (d == 20) reach_error();
}
";
    folder.write("a.c", text);
    let run = folder.run(&["explore", "--save-evidence", "e.json", "a.c"]).ended(10);
    assert!(run.output.contains("[20] n = 1"), "{run:#?}");
    folder.run(&["check", "a.c", "e.json"]).ended(10);
    let run = folder.run(&["infer", "--timeout", "600", "a.c"]).ended(0);
    assert!(run.output.contains("a.c:1: return of calls"), "{run:#?}");
    // By a counterexample of any rules, and by inputs.
    for more in [&[][..], &["--input", "n=20"]] {
        let run = folder.run(&[&["compress"], more, &["a.c"]].concat()).ended(0);
        assert!(run.output.contains("down(n - 1)"), "{run:#?}");
    }
}

/// It calls itself and reads nothing: the states of its run are few, with the calls on a stack.
#[test]
fn a_mistake_is_found_in_a_parser_that_runs_by_itself() {
    let parser = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/c/long/parser.c");
    let run = folder("calls_parser").run(&["verify", parser, "-DBUG2"]).ended(10);
    assert!(run.output.contains("parser.depth == 0 is false"), "{run:#?}");
}
