//! What is said of inputs that cannot be used.

use super::support::{Folder, HORN, SAFE, UNSAFE};

#[test]
fn standard_input_needs_a_language() {
    let folder = Folder::new("input_stdin");
    folder
        .run_with_input(&["verify", "--from", "clp", "-"], UNSAFE.as_bytes())
        .ended(10);
    folder
        .run_with_input(&["verify", "--from", "smt2", "-"], HORN.as_bytes())
        .ended(0);
    let run = folder
        .run_with_input(&["verify", "--from", "clp", "-"], b"?- p(X).\n")
        .ended(2);
    assert!(run.complaints.contains("<stdin>:1:4"), "{run:#?}");
    folder
        .run_with_input(&["verify", "-"], SAFE.as_bytes())
        .ended(2)
        .complained("error: standard input has no extension: say what it is with --from c, i, clp, smt2 or task\n");
    folder
        .run(&["verify", "--from", "clp", "-", "-"])
        .ended(2)
        .complained("error: standard input can be read only once\n");
}

#[test]
fn files_that_cannot_be_read_are_named_with_the_reason() {
    let folder = Folder::new("input_files");
    folder.write("file.txt", SAFE);
    folder.write("bad.clp", b"?- p(X).\n% gr\xc3\xbc\xc3\x9fe \xff\n");
    std::fs::create_dir(folder.path("folder.clp")).expect("it can be made");
    let large = std::fs::File::create(folder.path("large.clp")).expect("it can be made");
    large.set_len(200_000_001).expect("it can grow");
    for (name, complaint) in [
        ("missing.clp", "missing.clp: there is no such file"),
        ("folder.clp", "folder.clp: this is a directory: name the files in it"),
        (
            "large.clp",
            "large.clp: this is larger than 200 MB: nothing that large is read",
        ),
        (
            "bad.clp",
            "bad.clp:2:9: the byte 0xff is not valid UTF-8: save the file in that encoding",
        ),
        (
            "file.txt",
            "file.txt: the extension is none of .c, .i, .clp, .smt2 and .yml: say what the file is with --from c, i, clp, smt2 or task",
        ),
    ] {
        folder
            .run(&["verify", name])
            .ended(2)
            .complained(&format!("error: {complaint}\n"));
    }
    folder.run(&["verify", "--from", "clp", "file.txt"]).ended(0);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let folder = Folder::new("input_mark");
    folder.write("a.clp", format!("\u{feff}{SAFE}"));
    folder.run(&["verify", "a.clp"]).ended(0);
}

#[test]
fn mistakes_are_shown_with_their_line() {
    let folder = Folder::new("input_mistakes");
    folder.write("a.clp", "?- p(1).\np(X) :- X < 0, eror.\n");
    let run = folder.run(&["verify", "a.clp"]).ended(2);
    assert!(run.complaints.contains("a.clp:2:16"), "{run:#?}");
    assert!(run.complaints.contains("p(X) :- X < 0, eror."), "{run:#?}");
    assert_eq!(run.output, "");
    folder.write("a.smt2", "(set-logic HORN)\n(assert (foo))\n");
    let run = folder.run(&["verify", "a.smt2"]).ended(2);
    assert!(run.complaints.contains("a.smt2:2:"), "{run:#?}");
}

#[test]
fn quiet_leaves_warnings_out() {
    let folder = Folder::new("input_warnings");
    folder.write("a.clp", "?- p(1).\np(X) :- X < 0, error.\nunused(X) :- X < 0, error.\n");
    let run = folder.run(&["verify", "a.clp"]).ended(0);
    assert!(run.complaints.starts_with("warning: "), "{run:#?}");
    let run = folder.run(&["verify", "-q", "a.clp"]).ended(0);
    assert_eq!((run.output.as_str(), run.complaints.as_str()), ("SAFE\n", ""));
}
