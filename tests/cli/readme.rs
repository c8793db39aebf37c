//! The README's first goal does what the README says.

use super::support::Folder;

const README: &str = include_str!("../../README.md");

/// The content of the README's fenced blocks in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let opening = format!("\n```{language}\n");
    let after = README.split(opening.as_str()).skip(1);
    after.filter_map(|rest| rest.split("\n```").next()).collect()
}

#[test]
fn the_first_goal_is_proved_as_shown() {
    let folder = Folder::new("readme");
    let program = blocks("prolog")[0];
    let texts = blocks("text");
    folder.write("first.clp", program);
    let output = folder.run(&["verify", "first.clp"]).ended(0).output;
    let shown = texts[0]
        .strip_prefix("$ clausal verify first.clp\n")
        .expect("it begins so");
    // The last line says what it cost, which may change.
    let (found, _) = shown.rsplit_once("\n\n").expect("the cost is set apart");
    assert!(output.starts_with(found), "{output}");

    folder.write(
        "second.clp",
        program.replace("Sum < 0", "Sum < 10").replace("10000", "3"),
    );
    let output = folder.run(&["verify", "second.clp"]).ended(10).output;
    assert!(output.starts_with(texts[1]), "{output}");
}

#[test]
fn c_is_verified_as_shown() {
    let folder = Folder::new("readme_c");
    folder.write("account.c", blocks("c")[0]);
    let output = folder.run(&["verify", "account.c"]).ended(10).output;
    let texts = blocks("text");
    let (command, shown) = texts[2].split_once('\n').expect("there is a command");
    assert_eq!(command, "$ clausal verify account.c");
    let (found, _) = shown.rsplit_once("\n\n").expect("the cost is set apart");
    assert!(output.starts_with(found), "{output}");

    let (command, shown) = texts[3].split_once('\n').expect("there is a command");
    let snippet = command.split('\'').nth(1).expect("it is quoted");
    let output = folder.run(&["verify", "-e", snippet]).ended(0).output;
    let (found, _) = shown.rsplit_once("\n\n").expect("the cost is set apart");
    assert!(output.starts_with(found), "{output}");
}

#[test]
fn invariants_are_inferred_as_shown() {
    let folder = Folder::new("readme_infer");
    folder.write("triangle.c", include_str!("../../examples/infer/triangle.c"));
    let output = folder.run(&["infer", "triangle.c"]).ended(0).output;
    let shown = blocks("text")[4];
    let mut lines = output.lines();
    assert!(shown.lines().all(|line| lines.any(|other| other == line)), "{output}");
}

#[test]
fn the_commands_work() {
    let folder = Folder::new("readme_commands");
    folder.write("first.clp", blocks("prolog")[0]);
    let commands: Vec<&str> = blocks("sh").into_iter().flat_map(str::lines).collect();
    let ours = commands
        .iter()
        .filter(|line| line.starts_with("clausal") && !line.contains('*'));
    for line in ours {
        let words = line.split('#').next().unwrap_or_default().split_whitespace().skip(1);
        folder.run(&words.collect::<Vec<&str>>()).ended(0);
    }
}
