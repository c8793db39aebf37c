//! Functions that recur: the answer is never the opposite of what the compiled program does.
//!
//! `c_recursion/programs` has small programs without inputs, each for something that is easily mixed up between calls that are
//! open at once: variables, addresses, arrays, jumps. gcc tells what they do. They are verified as they are, with calls on a
//! stack as a short look, and by their rules with several atoms alone. Examples with inputs are in `examples/c`.

// A skipped test says so.
#![allow(clippy::print_stdout)]

use clausal::c::options::{Options as COptions, Undefined};
use clausal::c::translate;
use clausal::diagnostics::render;
use clausal::engine::{Budget, Options, Outcome, Verdict};
use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::source_level::{Method, Places, findings, verify_c};
use clausal::turns;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Programs that must be decided.
const DECIDED: [&str; 8] = [
    "address-of-caller",
    "array-handed-on",
    "exit",
    "jumps",
    "local-after-call",
    "local-after-call-not",
    "main-recurs",
    "static-local",
];

/// Programs whose rules with several atoms are verified as well: without arrays, which these are slow with.
const BY_RULES: [&str; 9] = [
    "callback",
    "exit",
    "jumps",
    "local-after-call",
    "local-after-call-not",
    "main-recurs",
    "parameter-changed",
    "static-local",
    "too-few-arguments",
];

/// Enough for what must be decided; the others may be given up.
fn limited() -> Options {
    Options {
        budget: Budget {
            states: Some(300),
            time: Some(Duration::from_secs(20)),
            ..Budget::default()
        },
        ..Options::default()
    }
}

/// The exit code of the compiled program; `None` where there is no gcc.
fn run(name: &str, path: &Path) -> Option<i32> {
    Command::new("gcc").arg("--version").output().ok()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_recursion");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let error = folder.join("error.c");
    fs::write(&error, "void exit(int); void reach_error(void) { exit(99); }\n").expect("a file can be written");
    let program = folder.join(name);
    let mut command = Command::new("gcc");
    command
        .args(["-w", "-O0"])
        .arg(path)
        .arg(&error)
        .arg("-o")
        .arg(&program);
    let compiled = command.output().expect("gcc runs");
    let complaint = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{name}: {complaint}");
    Command::new(&program).output().expect("it runs").status.code()
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/recursion/programs");
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    paths
}

/// Whether an outcome says that the error is reached; nothing if it says nothing.
fn says_unsafe(outcome: &Outcome) -> Option<bool> {
    match outcome.verdict {
        Verdict::Safe(_) => Some(false),
        Verdict::Unsafe(_) => Some(true),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn no_answer_is_the_opposite_of_what_the_program_does() {
    let mut failures = Vec::new();
    for path in programs() {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a text");
        let Some(code) = run(&name, &path) else {
            println!("skipped {name}: there is no gcc");
            continue;
        };
        let reading = verify_c(&text, &COptions::default(), Method::Automatic, &limited());
        let said = reading
            .product
            .as_ref()
            .and_then(|verification| says_unsafe(&verification.outcome));
        if said.is_some_and(|is_unsafe| is_unsafe != (code == 99)) || said.is_none() && DECIDED.contains(&&*name) {
            let why = render(&reading.diagnostics, &name, &text);
            failures.push(format!(
                "{name} exits with {code}, and is called unsafe: {said:?} {why}"
            ));
        }
        if !BY_RULES.contains(&&*name) {
            continue;
        }
        let options = COptions {
            undefined: Undefined::Ends,
            ..COptions::default()
        };
        let Some(translation) = translate(&text, &options).product else {
            continue;
        };
        let outcome = turns::verify(&translation.program, &limited());
        if says_unsafe(&outcome).is_some_and(|is_unsafe| is_unsafe != (code == 99)) {
            failures.push(format!("{name} exits with {code}, but not its rules"));
        }
        match &outcome.verdict {
            Verdict::Safe(certificate) => {
                let checked = check_certificate(&translation.program, certificate, CheckLimits::default());
                assert!(checked.is_ok(), "{name}: {checked:?}");
            }
            Verdict::Unsafe(derivation) => assert_eq!(replay(&translation.program, derivation), Ok(()), "{name}"),
            Verdict::Unknown(_) => {}
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn rules(text: &str) -> String {
    let reading = translate(text, &COptions::default());
    let translation = reading
        .product
        .unwrap_or_else(|| panic!("{}", render(&reading.diagnostics, "a.c", text)));
    clausal::clp::print(&translation.program)
}

#[test]
fn a_function_is_a_predicate_over_what_it_reads_and_hands_back() {
    let text = "
void reach_error(void);
int nondet_int(void);
static int calls, unread;
static int fib(int n, int unused) {
  calls++;
  unread++;
  if (n < 2) return n;
  return fib(n - 1, 0) + fib(n - 2, 1);
}
int main(void) {
  int n = nondet_int();
  int number = fib(n, 2);
  if (calls < number) reach_error();
}
";
    let rules = rules(text);
    assert!(
        rules.contains("fib_5(Calls, Fib_n, Calls_then, Fib_result) :-"),
        "{rules}"
    );
    assert!(!rules.contains("Unread") && !rules.contains("Unused"), "{rules}");
}

#[test]
fn an_error_in_a_call_is_reached_whatever_comes_behind_it() {
    let text = "
void reach_error(void);
void exit(int);
static void down(int n) { if (n == 0) reach_error(); down(n - 1); exit(0); }
int main(void) { down(3); exit(0); }
";
    let reading = verify_c(text, &COptions::default(), Method::Automatic, &limited());
    let verification = reading.product.expect("it is C");
    assert!(matches!(verification.outcome.verdict, Verdict::Unsafe(_)));
    let shown = findings(&verification, text, &Places::new("a.c", text));
    assert!(
        shown.contains("n == 0 is true\n") && shown.contains("the error is reached\n"),
        "{shown}"
    );
}

#[test]
fn horn_clauses_of_procedures_mean_the_same() {
    let program = |wanted: &str| {
        format!(
            "void reach_error(void);\nint nondet_int(void);\n\
             static int open;\n\
             static int down(int n) {{ open++; int below = n > 0 ? down(n - 1) : 0; open--; return below + 1; }}\n\
             int main(void) {{ int n = nondet_int(); int depth = down(n); if ({wanted}) reach_error(); }}\n"
        )
    };
    for (wanted, is_unsafe) in [("depth == 3", true), ("depth < 1", false), ("open != 0", false)] {
        let text = program(wanted);
        let translation = translate(&text, &COptions::default()).product.expect("it is C");
        let clauses = clausal::horn::print(&translation.program);
        assert!(clauses.contains("_returned"), "{clauses}");
        let reading = clausal::horn::read_with_calls(&clauses);
        let read = reading
            .product
            .unwrap_or_else(|| panic!("{}", render(&reading.diagnostics, "a.smt2", &clauses)));
        for program in [&translation.program, &read] {
            let outcome = turns::verify(program, &limited());
            assert_eq!(says_unsafe(&outcome), Some(is_unsafe), "{wanted}\n{clauses}");
        }
    }
}

/// Stars and single characters over a text of four that is read: where the pattern is found, and how often it is tried.
const MATCHER: &str = "
void reach_error(void);
int nondet_int(void);
struct item { unsigned char kind; char letter; };
static int here(const struct item *pattern, const char *text);
static int fits(struct item item, char letter) {
  switch (item.kind) {
    case 1: return letter >= '0' && letter <= '9';
    default: return item.letter == letter;
  }
}
static int star(struct item item, const struct item *pattern, const char *text) {
  do {
    if (here(pattern, text)) return 1;
  } while (*text != 0 && fits(item, *text++));
  return 0;
}
static int here(const struct item *pattern, const char *text) {
  do {
    if (pattern[0].kind == 0) return 1;
    if (pattern[1].kind == 3) return star(pattern[0], pattern + 2, text);
  } while (*text != 0 && fits(*pattern++, *text++));
  return 0;
}
static const struct item *read(const char *pattern) {
  static struct item items[8];
  int count = 0;
  while (*pattern && count < 7) {
    items[count].kind = *pattern == '#' ? 1 : *pattern == '*' ? 3 : 2;
    items[count].letter = *pattern++;
    count++;
  }
  items[count].kind = 0;
  return items;
}
int main(void) {
  char text[5];
  for (int i = 0; i < 4; i++) text[i] = (char)nondet_int();
  text[4] = 0;
  const struct item *pattern = read(\"k#*x\");
  int place = 0;
  while (text[place] && !here(pattern, text + place)) place++;
  if (place == 1 && text[1] && text[2] == '7' && text[3] == 'x') reach_error();
}
";

#[test]
fn errors_behind_conditions_on_several_characters_are_found_by_runs() {
    let reading = verify_c(MATCHER, &COptions::default(), Method::Automatic, &limited());
    let verification = reading.product.expect("it is C");
    let outcome = &verification.outcome;
    assert_eq!(says_unsafe(outcome), Some(true), "{:?}", outcome.verdict);
}
