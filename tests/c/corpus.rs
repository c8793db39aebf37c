//! Other people's C programs: every text that gcc accepts, leniently, is parsed.
//!
//! The corpus is not part of the project. `CLAUSAL_CORPUS` names a folder with files `*.jsonl`, one `{"name": …, "text": …}`
//! a line; without it there is nothing to do. `CC` is the compiler that preprocesses and judges.

use bumpalo::Bump;
use clausal::c::parser::parse;
use clausal::diagnostics::render;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What is given to the compiler, and whether it was content, with what it wrote.
fn compiler(arguments: &[&str], text: &str) -> Option<String> {
    let program = std::env::var("CC").unwrap_or_else(|_| "gcc".to_string());
    let mut child = Command::new(program)
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a C compiler");
    let mut input = child.stdin.take().expect("its input");
    let text = text.to_string();
    // It may stop reading before the end.
    let writer = std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
    let output = child.wait_with_output().expect("its output");
    writer.join().expect("the writer");
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The text as the preprocessor leaves it; where headers are missing, without them.
fn preprocessed(text: &str) -> String {
    if !text.lines().any(|line| line.trim_start().starts_with('#')) {
        return text.to_string();
    }
    compiler(&["-E", "-w", "-x", "c"], text).unwrap_or_else(|| {
        let without_headers: Vec<&str> = text
            .lines()
            .map(|line| if line.contains("#include") { "" } else { line })
            .collect();
        compiler(&["-E", "-w", "-x", "c"], &without_headers.join("\n")).unwrap_or_else(|| text.to_string())
    })
}

fn is_accepted_by_compiler(text: &str) -> bool {
    ["-std=gnu89", "-std=gnu17"].iter().any(|standard| {
        compiler(
            &[standard, "-w", "-fpermissive", "-fsyntax-only", "-x", "cpp-output"],
            text,
        )
        .is_some()
    })
}

#[test]
fn what_a_compiler_accepts_is_parsed() {
    let Ok(folder) = std::env::var("CLAUSAL_CORPUS") else {
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(Path::new(&folder))
        .expect("the folder CLAUSAL_CORPUS")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let mut report = String::new();
    let mut wrong = Vec::new();
    for file in files {
        let (mut texts, mut parsed, mut warned, mut refused) = (0, 0, 0, 0);
        for line in std::fs::read_to_string(&file).expect("a file of the corpus").lines() {
            let task: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            let (name, text) = (task["name"].as_str().unwrap_or(""), task["text"].as_str().unwrap_or(""));
            if !name.ends_with(".c") && !name.ends_with(".i") {
                continue;
            }
            texts += 1;
            let text = preprocessed(text);
            let arena = Bump::new();
            let reading = parse(&arena, &text, false);
            parsed += u32::from(reading.product.is_some());
            warned += u32::from(reading.product.is_some() && !reading.diagnostics.is_empty());
            if reading.product.is_none() {
                let rendered = render(&reading.diagnostics, name, &text);
                // Only of these it matters what the compiler says, which takes much longer than to parse them.
                refused += u32::from(is_accepted_by_compiler(&text));
                report.push_str(&rendered);
            }
        }
        let set = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        // Other verifiers' and compilers' own tests have extensions that nobody else uses: they are refused with their place.
        if refused * 33 > texts + 33 {
            wrong.push(format!(
                "{set}: {refused} of {texts} texts are refused that the compiler accepts"
            ));
        }
        report.push_str(&format!(
            "{set}: {texts} texts, {parsed} parsed, {warned} of them with warnings, {refused} refused that the compiler accepts\n"
        ));
    }
    assert!(wrong.is_empty(), "{report}\n{}", wrong.join("\n"));
    // Shown by `cargo test -- --nocapture`.
    std::io::stderr().write_all(report.as_bytes()).expect("standard error");
}
