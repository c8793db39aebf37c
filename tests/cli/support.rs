//! Running the program in a folder of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Counts up to a bound with an invariant that excludes the error.
pub const SAFE: &str = "\
?- X = 0, Y = 0, loop(X, Y).
loop(X, Y) :- X < 10000, loop(X + 1, Y + X).
loop(X, Y) :- X >= 10000, Y < 0, error.
";

/// Reaches the error after three rounds.
pub const UNSAFE: &str = "\
?- X = 0, loop(X).
loop(X) :- X < 3, loop(X + 1).
loop(X) :- X >= 3, error.
";

/// Reaches the error only after so many rounds that nobody waits for it.
pub const ENDLESS: &str = "\
?- X = 0, loop(X, 7).
loop(X, Y) :- X < 100000000000, Z > 0, loop(X + 1, (75 * Y + Z) mod 65537).
loop(X, Y) :- X < 100000000000, Z =< 0, loop(X + 2, (75 * Y + Z) mod 65537).
loop(X, Y) :- X >= 100000000000, error.
";

/// A Horn problem that is satisfiable, thus safe.
pub const HORN: &str = "\
(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (inv x) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 0)) false)))
(check-sat)
";

/// How a benchmark asks about `a.c`: whether it reaches the error, with a witness in `w.yml`.
pub const SVCOMP: [&str; 8] = [
    "svcomp",
    "--property",
    "unreach.prp",
    "--data-model",
    "LP64",
    "--witness",
    "w.yml",
    "a.c",
];

/// A folder of its own for a test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the test's folder can be made");
        Folder(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the test's file can be written");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("it can be read")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clausal"));
        command.current_dir(&self.0).args(arguments).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().expect("the program can be started"))
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program can be started");
        let mut pipe = child.stdin.take().expect("it has a standard input");
        // It may refuse its arguments without reading anything.
        let _ = pipe.write_all(input);
        drop(pipe);
        Run::of(child.wait_with_output().expect("it ends"))
    }
}

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub output: String,
    pub complaints: String,
}

impl Run {
    pub fn of(output: Output) -> Run {
        Run {
            code: output.status.code(),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            complaints: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts that the run ended with this code.
    pub fn ended(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Asserts what standard error is, and that standard output is empty.
    pub fn complained(self, complaint: &str) {
        assert_eq!((self.complaints.as_str(), self.output.as_str()), (complaint, ""));
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}
