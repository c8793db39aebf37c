//! Files that are written, and readers that go away.

use super::support::{Folder, Run, SAFE, UNSAFE};
use std::process::Stdio;

#[test]
fn every_file_that_was_asked_for_is_written_and_nothing_else() {
    let folder = Folder::new("output_files");
    folder.write("a.clp", SAFE);
    for tree in ["t.dot", "t.svg", "t.html"] {
        folder.run(&["verify", "a.clp", "--tree", tree]).ended(0);
    }
    let files = ["--proof", "p.txt", "--save-evidence", "e.json", "--smt2", "o.smt2"];
    folder.run(&[&["verify", "a.clp"], &files[..]].concat()).ended(0);
    assert_eq!(
        folder.names(),
        ["a.clp", "e.json", "o.smt2", "p.txt", "t.dot", "t.html", "t.svg"]
    );
    assert!(folder.read("t.dot").starts_with("digraph"));
    assert!(folder.read("t.svg").starts_with("<svg "));
    assert!(folder.read("t.html").starts_with("<!doctype html>"));
    assert!(folder.read("o.smt2").contains("(check-sat)"));
    assert!(folder.read("p.txt").contains("\nCertificate: "));
}

#[test]
fn a_proof_is_the_same_in_every_run() {
    let folder = Folder::new("output_stable");
    for (program, code) in [(SAFE, 0), (UNSAFE, 10)] {
        folder.write("a.clp", program);
        for proof in ["first", "second"] {
            let tree = format!("{proof}.svg");
            folder
                .run(&["verify", "a.clp", "--proof", proof, "--tree", &tree])
                .ended(code);
        }
        assert_eq!(folder.read("first"), folder.read("second"));
        assert_eq!(folder.read("first.svg"), folder.read("second.svg"));
    }
}

#[test]
fn without_evidence_an_older_file_stays_as_it_is() {
    let folder = Folder::new("output_none");
    folder.write("a.clp", UNSAFE);
    folder.write("o.smt2", "older");
    let run = folder.run(&["verify", "a.clp", "--smt2", "o.smt2"]).ended(10);
    assert_eq!(
        run.complaints,
        "note: o.smt2 is not written: only a proof of safety has obligations\n"
    );
    assert_eq!(folder.read("o.smt2"), "older");
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let folder = Folder::new("output_refused");
    folder.write("a.clp", SAFE);
    for (name, complaint) in [
        ("none/p.txt", "none/p.txt: there is no folder none"),
        (".", ".: this is a directory"),
    ] {
        let run = folder.run(&["verify", "a.clp", "--proof", name]).ended(2);
        run.complained(&format!("error: {complaint}\n"));
    }
    let run = folder.run(&["verify", "a.clp", "--tree", "t.png"]).ended(2);
    assert!(run.complaints.contains("must end in .dot, .svg or .html"), "{run:#?}");
    folder
        .run(&["verify", "a.clp", "a.clp", "--proof", "p"])
        .ended(2)
        .complained(
            "error: --tree, --proof, --save-evidence, --smt2, --harness and --witness write one file: give one input with them\n",
        );
    assert_eq!(folder.names(), ["a.clp"]);
}

#[test]
#[cfg(unix)]
fn links_and_permissions_survive_and_devices_are_not_replaced() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = Folder::new("output_links");
    folder.write("a.clp", SAFE);
    folder.write("real", "");
    std::fs::set_permissions(folder.path("real"), PermissionsExt::from_mode(0o640)).expect("they can be set");
    symlink("real", folder.path("link")).expect("it can be made");
    folder.run(&["verify", "a.clp", "--proof", "link"]).ended(0);
    let link = std::fs::symlink_metadata(folder.path("link")).expect("it is there");
    assert!(link.is_symlink() && folder.read("real").starts_with("SAFE"));
    let real = std::fs::metadata(folder.path("real")).expect("it is there");
    assert_eq!(real.permissions().mode() & 0o777, 0o640);
    folder.run(&["verify", "a.clp", "--proof", "/dev/null"]).ended(0);
    let device = std::fs::metadata("/dev/null").expect("it is there");
    assert!(device.file_type().is_char_device());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new("output_pipe");
    folder.write("a.clp", UNSAFE);
    for arguments in [&["verify", "a.clp"][..], &["verify", "--json", "a.clp"], &["--help"]] {
        let mut command = folder.command(arguments);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let run = Run::of(child.wait_with_output().expect("it ends"));
        let run = run.ended(if arguments[0] == "verify" { 10 } else { 0 });
        assert_eq!(run.complaints, "");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let folder = Folder::new("output_full");
    folder.write("a.clp", SAFE);
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let run = folder
        .command(&["verify", "a.clp"])
        .stdout(full)
        .output()
        .expect("it starts");
    let run = Run::of(run).ended(2);
    assert!(run.complaints.starts_with("error: standard output: "), "{run:#?}");
}
