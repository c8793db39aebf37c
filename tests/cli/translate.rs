//! `clausal translate`: rules in other languages.

use super::support::{Folder, HORN, SAFE, UNSAFE};

#[test]
fn a_translation_has_the_verdict_of_its_source() {
    let folder = Folder::new("translate_verdict");
    folder.write("safe.clp", SAFE);
    folder.write("unsafe.clp", UNSAFE);
    folder.write("horn.smt2", HORN);
    for (source, code) in [("safe.clp", 0), ("unsafe.clp", 10), ("horn.smt2", 0)] {
        for (target, extension) in [("clp", "clp"), ("smt2", "smt2")] {
            let translated = format!("{source}.{extension}");
            folder
                .run(&["translate", "--to", target, source, "-o", &translated])
                .ended(0);
            folder.run(&["verify", &translated]).ended(code);
        }
    }
}

#[test]
fn without_a_file_the_translation_is_printed() {
    let folder = Folder::new("translate_print");
    let arguments = ["translate", "--from", "clp", "--to", "clp", "-"];
    let run = folder.run_with_input(&arguments, UNSAFE.as_bytes()).ended(0);
    assert!(run.output.contains("loop(X) :- X =< 2, loop(X + 1)."), "{run:#?}");
    let to_output = [&arguments[..], &["-o", "-"]].concat();
    assert_eq!(
        folder.run_with_input(&to_output, UNSAFE.as_bytes()).ended(0).output,
        run.output
    );
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[test]
fn the_graph_of_the_rules_marks_loop_headers() {
    let folder = Folder::new("translate_dot");
    folder.write("a.clp", SAFE);
    let run = folder.run(&["translate", "--to", "dot", "a.clp"]).ended(0);
    assert!(run.output.starts_with("digraph rules {"), "{run:#?}");
    assert!(run.output.contains("loop header"), "{run:#?}");
}

#[test]
fn what_cannot_be_translated_leaves_no_file() {
    let folder = Folder::new("translate_bad");
    folder.write("a.clp", "?- p(");
    folder
        .run(&["translate", "--to", "smt2", "a.clp", "-o", "a.smt2"])
        .ended(2);
    assert_eq!(folder.names(), ["a.clp"]);
}
