//! Solvers as programs of their own, where the machine has them: oracles that share no code with Clausal.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The solvers found, each with the arguments that make it read a script from its input.
pub fn solvers() -> Vec<(PathBuf, &'static [&'static str])> {
    let configured = std::env::var_os("CLAUSAL_Z3_BINARY").map(PathBuf::from);
    let prepared = Path::new(env!("CARGO_MANIFEST_DIR")).join(".z3/bin/z3");
    let z3 = configured
        .into_iter()
        .chain([prepared, PathBuf::from("z3")])
        .find(|path| works(path));
    let cvc5 = Some(PathBuf::from("cvc5")).filter(|path| works(path));
    let z3 = z3.map(|path| (path, ["-in"].as_slice()));
    let cvc5 = cvc5.map(|path| (path, ["--lang=smt2", "--incremental", "-"].as_slice()));
    z3.into_iter().chain(cvc5).collect()
}

fn works(path: &Path) -> bool {
    let run = Command::new(path)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    run.is_ok_and(|status| status.success())
}

/// The answers to a script, a line each. Expected statuses are taken out, as a wrong one is an error to some solvers.
pub fn answers(solver: &(PathBuf, &[&str]), script: &str) -> Vec<String> {
    let script = script.replace("(set-info :status unsat)\n", "");
    let mut child = Command::new(&solver.0)
        .args(solver.1)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the solver was found before");
    child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(script.as_bytes())
        .expect("the solver reads");
    let output = child.wait_with_output().expect("the solver ends");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_string)
        .collect()
}
