//! Completions, manual pages, colours.

use crate::support::{Folder, SAFE, UNSAFE};

#[test]
fn completions_and_manual_pages_know_every_command() {
    let folder = Folder::new("shell_pages");
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.run(&["completions", shell]).ended(0).output;
        assert!(script.contains("verify") && script.contains("save-evidence"), "{shell}");
    }
    folder.run(&["man", "pages"]).ended(0);
    let page = folder.read("pages/clausal-verify.1");
    assert!(page.starts_with(".") && page.contains("hint"), "{page}");
    let overview = folder.read("pages/clausal.1");
    for command in ["verify", "solve", "translate", "svcomp", "man"] {
        assert!(overview.contains(command), "{command}");
        assert!(
            folder.path("pages").join(format!("clausal-{command}.1")).exists(),
            "{command}"
        );
    }
}

#[test]
fn colours_are_for_those_who_want_them() {
    let folder = Folder::new("shell_colors");
    folder.write("a.clp", SAFE);
    folder.write("b.clp", UNSAFE);
    folder.write("c.clp", "?- p(1).\np(X) :- X < 0, eror.\n");
    let plain = folder.run(&["verify", "-q", "a.clp", "b.clp", "c.clp"]);
    assert!(!plain.output.contains('\u{1b}') && !plain.complaints.contains('\u{1b}'));
    let colored = folder.run(&["verify", "-q", "--color", "always", "a.clp", "b.clp", "c.clp"]);
    assert!(
        colored.output.contains("a.clp: \u{1b}[1m\u{1b}[32mSAFE\u{1b}[0m"),
        "{colored:?}"
    );
    assert!(colored.complaints.contains("\u{1b}[31merror\u{1b}[0m"), "{colored:?}");
    // Files and objects for machines have no colours.
    let object = folder.run(&["--color", "always", "verify", "--json", "--proof", "a.proof", "a.clp"]);
    assert!(!object.output.contains('\u{1b}') && !folder.read("a.proof").contains('\u{1b}'));
}

#[test]
fn several_files_at_once_are_told_of_in_their_order() {
    let folder = Folder::new("shell_jobs");
    for number in 0..6 {
        folder.write(&format!("{number}.clp"), if number % 2 == 0 { SAFE } else { UNSAFE });
    }
    folder.write("6.clp", "?- p(1).\np(X) :- X < 0, eror.\n");
    folder.write("7.clp", SAFE);
    let files: Vec<String> = (0..8).map(|number| format!("{number}.clp")).collect();
    let with = |jobs: &str| {
        let mut arguments = vec!["verify", "-q", "--jobs", jobs];
        arguments.extend(files.iter().map(String::as_str));
        let run = folder.run(&arguments);
        (run.code, run.output, run.complaints)
    };
    let one = with("1");
    assert_eq!(one.0, Some(2));
    assert_eq!(with("3"), one);
    assert_eq!(with("20"), one);
}

#[test]
fn every_refusal_is_an_object_for_machines() {
    let folder = Folder::new("shell_objects");
    folder.write("c.clp", "?- p(1).\np(X) :- X < 0, eror.\n");
    for command in ["verify", "explore", "infer", "compress"] {
        let run = folder.run(&[command, "--json", "c.clp"]).ended(2);
        assert_eq!(run.json()["verdict"], "malformed", "{command}");
        assert_eq!(run.json()["errors"][0]["line"], 2, "{command}");
    }
    let run = folder.run(&["check", "--json", "c.clp", "none.json"]).ended(2);
    assert_eq!(run.json()["verdict"], "malformed");
    folder.write("a.clp", SAFE);
    folder.write("h.clp", "loop(X, Y) :- X >= 0. loop(X, Y) :- X < 7.");
    let run = folder.run(&["verify", "--json", "--hint", "h.clp", "a.clp"]).ended(0);
    let hints = &run.json()["hints"];
    assert_eq!((&hints[0]["used"], &hints[1]["used"]), (&true.into(), &false.into()));
}
