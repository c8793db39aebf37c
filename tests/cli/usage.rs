//! Help, version, and wrong usage.

use super::support::Folder;

fn assert_snapshot(name: &str, text: String) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/cli");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn help_is_complete() {
    let folder = Folder::new("usage_help");
    for (name, arguments) in [
        ("help", &["--help"][..]),
        ("help_verify", &["verify", "--help"]),
        ("help_check", &["check", "--help"]),
        ("help_compress", &["compress", "--help"]),
        ("help_explore", &["explore", "--help"]),
        ("help_translate", &["translate", "--help"]),
        ("help_infer", &["infer", "--help"]),
        ("help_solve", &["solve", "--help"]),
    ] {
        assert_snapshot(name, folder.run(arguments).ended(0).output);
    }
}

#[test]
fn the_version_names_the_solver() {
    let run = Folder::new("usage_version").run(&["--version"]).ended(0);
    let expected = format!("clausal {} (Z3 ", env!("CARGO_PKG_VERSION"));
    assert!(run.output.starts_with(&expected), "{run:#?}");
}

#[test]
fn wrong_usage_is_bad_input() {
    let folder = Folder::new("usage_wrong");
    for arguments in [
        &[][..],
        &["frobnicate"],
        &["verify"],
        &["verify", "--timeout", "0", "a.clp"],
        &["verify", "--timeout", "soon", "a.clp"],
        &["verify", "--max-states", "-1", "a.clp"],
        &["verify", "--max-memory", "99999999999999", "a.clp"],
        &["verify", "--interpolation", "magic", "a.clp"],
        &["verify", "--json", "-q", "a.clp"],
        &["verify", "--from", "fortran", "a.clp"],
        &["verify", "-e", "x = 0;", "a.c"],
        &["verify", "--check", "everything", "a.c"],
        &["verify", "--machine", "16", "a.c"],
        &["check", "a.clp"],
        &["translate", "a.clp"],
    ] {
        let run = folder.run(arguments).ended(2);
        assert!(
            run.complaints.contains("Usage: ") || run.complaints.contains("error: "),
            "{run:#?}"
        );
        assert_eq!(run.output, "");
    }
}
