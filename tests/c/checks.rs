//! The C programs in `examples/c/checks`: what `--check` looks for is found in each of `unsafe`, at its line and with its
//! values, and in none of `safe`. The compiler's own checks find the same, where they look for it.

// A skipped test says so.
#![allow(clippy::print_stdout)]

use clausal::c::options::{Checks, Options as COptions};
use clausal::diagnostics::render;
use clausal::engine::{Budget, Options, Verdict};
use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::report::verdict_line;
use clausal::source_level::{Method, Places, Verification, findings, harness, verify_c};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

struct Example {
    name: String,
    text: String,
    checks: Checks,
}

fn examples(folder: &str) -> Vec<Example> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/c/checks")
        .join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    let examples: Vec<Example> = paths.iter().map(|path| example(path)).collect();
    assert!(!examples.is_empty());
    examples
}

fn example(path: &Path) -> Example {
    let text = fs::read_to_string(path).expect("the program can be read");
    let names = said(&text, "check").expect("the first line says what is checked");
    let checks = names
        .split(',')
        .map(|name| Checks::named(name).expect("a check has this name"));
    let checks = checks.fold(Checks::NONE, Checks::and);
    let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
    Example { name, text, checks }
}

/// What a comment `// key: …` says.
fn said<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("// "));
    lines
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
        .next()
}

fn verified(example: &Example) -> Verification {
    let options = Options {
        budget: Budget {
            time: Some(Duration::from_secs(120)),
            ..Budget::default()
        },
        ..Options::default()
    };
    let c_options = COptions {
        checks: example.checks,
        ..COptions::default()
    };
    let reading = verify_c(&example.text, &c_options, Method::Automatic, &options);
    reading
        .product
        .unwrap_or_else(|| panic!("{}", render(&reading.diagnostics, &example.name, &example.text)))
}

#[test]
fn what_is_looked_for_is_found() {
    let mut failures = Vec::new();
    for example in examples("unsafe") {
        let verification = verified(&example);
        let Verdict::Unsafe(derivation) = &verification.outcome.verdict else {
            failures.push(format!("{}: {}", example.name, verdict_line(&verification.outcome)));
            continue;
        };
        assert_eq!(replay(&verification.translation.program, derivation), Ok(()));
        let places = Places::new(&example.name, &example.text);
        let shown = findings(&verification, &example.text, &places);
        let wanted = said(&example.text, "finds").expect("the second line says what is found");
        let is_found = |line: &str| {
            // `name:line:column: text`
            let told = line.trim_start().strip_prefix(&format!("{}:", example.name));
            told.and_then(|told| told.split_once(':')).is_some_and(|(line, rest)| {
                let text = rest.split_once(": ").map_or("", |(_, text)| text);
                format!("{line}: {text}") == wanted
            })
        };
        if !shown.lines().any(is_found) {
            failures.push(format!("{}: not at {wanted}\n{shown}", example.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn nothing_is_found_where_there_is_nothing() {
    let mut failures = Vec::new();
    for example in examples("safe") {
        let verification = verified(&example);
        let Verdict::Safe(certificate) = &verification.outcome.verdict else {
            let places = Places::new(&example.name, &example.text);
            failures.push(format!(
                "{}: {}",
                example.name,
                findings(&verification, &example.text, &places)
            ));
            continue;
        };
        let checked = check_certificate(&verification.translation.program, certificate, CheckLimits::default());
        assert!(checked.is_ok(), "{}: {checked:?}", example.name);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Calls of functions whose meaning is known, each with an argument that cannot be evaluated. What such a function makes of it is
/// nothing that matters here, or nothing at all.
const ARGUMENTS: &[&str] = &[
    "read(a[i], buffer, 1)",
    "pread(1, buffer, 1, a[i])",
    "fread(buffer, 1, 1, files[i])",
    "dprintf(1, \"%d\", a[i])",
    "sprintf(buffer, \"x\", a[i])",
    "printf(\"x\", a[i])",
    "snprintf(buffer, 4, \"%d\", 7, a[i])",
    "free(texts[i])",
    "strtod(texts[i], 0)",
    "setvbuf(files[0], 0, a[i], 1)",
    "ldexp(1.0, a[i])",
    "__sync_bool_compare_and_swap(&number, 1, a[i])",
    "ioctl(1, a[i], 1)",
    "waitpid(1, a, a[i])",
    "read(a[i])",
];

/// What is checked is checked wherever it is evaluated, also in what a function of the library is handed.
#[test]
fn arguments_of_the_library_are_evaluated() {
    let mut wrong = Vec::new();
    for call in ARGUMENTS {
        let text = format!(
            "typedef struct stream FILE; long read(); long pread(); unsigned long fread(); int dprintf(int, const char *, ...);
             int sprintf(char *, const char *, ...); int snprintf(char *, unsigned long, const char *, ...);
             int printf(const char *, ...); void free(void *); double strtod(const char *, char **); int setvbuf();
             double ldexp(double, int); int ioctl(); int waitpid(); int a[10], number; char buffer[10]; char *texts[2]; FILE *files[2];
             int main(void) {{ int i = 10; {call}; return 0; }}"
        );
        let example = Example {
            name: (*call).to_string(),
            text,
            checks: Checks::named("bounds").expect("it is a check"),
        };
        if !matches!(verified(&example).outcome.verdict, Verdict::Unsafe(_)) {
            wrong.push(*call);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Statements with a division by zero in what is not translated, or not all of it; nothing depends on what they make of it.
const UNTRANSLATED: &[&str] = &[
    "(char *)a + 7 / z;",
    "call((char *)a + 7 / z);",
    "v = (long)p * (7 / z);",
    "v = (long)p ^ 7 / z;",
    "v = (char)(long)(p + 7 / z);",
    "v = (float)(long)(p + 7 / z);",
    "v = -(long)(p + 7 / z);",
    "v = *(int *)((char *)a + 7 / z);",
    "*(short *)((char *)a + 7 / z) = 1;",
    "*(float *)a = 7 / z;",
    "v = (p + 7 / z) < &x;",
    "v = (char *)(p + 7 / z) - (char *)&number;",
    "number.f = 1; v = number.i[7 / z];",
    "t = *(struct t *)((char *)a + 7 / z);",
    "*(struct t *)((char *)a + 7 / z) = t;",
    "memcpy(&number, a + 7 / z, 7);",
    "memcpy(&number, a, (7 / z) & 1);",
    "memset((char *)&t + 7 / z, 0, 3);",
    "if ((long)p * (7 / z)) v = 1;",
];

/// What is not translated is evaluated all the same.
#[test]
fn what_is_not_translated_is_evaluated() {
    let mut wrong = Vec::new();
    for (check, operation) in [
        ("div-by-zero", "7 / z"),
        ("overflow", "(most + 1)"),
        ("shifts", "(1 << (z - 1))"),
    ] {
        for statement in UNTRANSLATED {
            let statement = statement.replace("7 / z", operation);
            let text = format!(
                "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); void call(const char *);
                 int x, v, a[10], *p = a; union {{ float f; int i[2]; }} number; struct t {{ int x; short y; }} t;
                 int main(void) {{ int z = x, most = 2147483647; {statement} return 0; }}"
            );
            let example = Example {
                name: statement,
                text,
                checks: Checks::named(check).expect("it is a check"),
            };
            if !matches!(verified(&example).outcome.verdict, Verdict::Unsafe(_)) {
                wrong.push(format!("{check}: {}", example.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs that calculate with numbers that may be addresses, or parts of them, and make nothing of the result; each fails in some run.
const CALCULATED: &[(&str, &str)] = &[
    (
        "div-by-zero",
        "int unknown(void); int main(void) { int x; long a = (long)&x; if (unknown()) a = 0; long r = 1 / a; return 0; }",
    ),
    (
        "overflow",
        "int unknown(void); int main(void) { int x; long a = (long)&x; long r = a * (1L << 62) * 2; return 0; }",
    ),
    (
        "overflow",
        "int unknown(void); int main(void) { int n = unknown(); char b[4]; memcpy(b, &n, 4); int m; memcpy(&m, b, 4); m + 1; return 0; }",
    ),
    (
        "overflow",
        "int main(void) { short s[2] = { -1, 0x7fff }; int m = *(int *)s; m + 1; return 0; }",
    ),
    (
        "overflow",
        "int main(void) { short s[2] = { 0, -32768 }; int m = *(int *)s; -m; return 0; }",
    ),
    (
        "shifts",
        "int unknown(void); int main(void) { int n = unknown(); char b[4]; memcpy(b, &n, 4); int m; memcpy(&m, b, 4); 1 << m; return 0; }",
    ),
    (
        "pointer-arithmetic",
        "struct s { char c; int i; }; int main(void) { struct s s; char *p = (char *)&s.i; p += sizeof s; return 0; }",
    ),
];

/// Programs with a branch that decides about nothing but has an operation in its condition, and whether one of them has an error.
const CONDITIONS: &[(&str, bool, &str)] = &[
    (
        "overflow",
        true,
        "int n = unknown(), x = n % 5; if (x == 77) return 1; x = n; if (x + 1 > 2) n = 3; return 0;",
    ),
    (
        "overflow",
        false,
        "int n = unknown() % 9, x = 2147483647; if (n == 77) return 1; x = n; if (x + 1 > 2) n = 3; return 0;",
    ),
    (
        "div-by-zero",
        true,
        "int n = unknown(), x = n | 1; if (x == 77) return 1; x = n; if (10 / x) {} return 0;",
    ),
    (
        "div-by-zero",
        false,
        "int n = unknown(), x = (n & 6) + 1; if (10 / x > 3) {} return 0;",
    ),
    (
        "shifts",
        true,
        "int n = unknown(), x = 3; while (n > 0 && n < 40) { x = n; n++; if (1 << x) {} } return 0;",
    ),
    (
        "div-by-zero",
        true,
        "int n = unknown(), x = 1; x = n; for (int i = 0; i < 10 / x; i++) {} return 0;",
    ),
    (
        "div-by-zero",
        true,
        "int n = unknown(), x = 1; x = n; (void)(10 / x && n); return 0;",
    ),
];

#[test]
fn conditions_that_decide_about_nothing_are_checked() {
    for (check, is_wrong, body) in CONDITIONS {
        let text = format!("int unknown(void); int main(void) {{ {body} }}");
        let example = Example {
            name: body.to_string(),
            checks: Checks::named(check).expect("it is a check"),
            text,
        };
        match verified(&example).outcome.verdict {
            Verdict::Unsafe(_) => assert!(is_wrong, "{check}: {body}"),
            Verdict::Safe(_) => assert!(!is_wrong, "{check}: {body}"),
            unknown => panic!("{check}: {body}: {unknown:?}"),
        }
    }
}

/// An operation that is not translated is not checked: that is a refusal, if its value matters or not.
#[test]
fn what_is_not_calculated_is_not_safe() {
    for (check, text) in CALCULATED {
        let options = COptions {
            checks: Checks::named(check).expect("it is a check"),
            ..COptions::default()
        };
        let text = format!("void *memcpy(void *, const void *, unsigned long);\n{text}");
        let reading = verify_c(&text, &options, Method::Automatic, &Options::default());
        let is_safe = |found: Verification| matches!(found.outcome.verdict, Verdict::Safe(_));
        assert!(!reading.product.is_some_and(is_safe), "{check}: {text}");
    }
}

/// Programs in which code that is not translated may give a variable its first value, or may not.
const FILLED: &[&str] = &[
    "long read(int, void *, unsigned long); int main(void) { int x; return read(0, &x, 4) == 4 ? x : 0; }",
    "void get(int *); int main(void) { int x; get(&x); return x; }",
    "void *memset(void *, int, unsigned long); void fill(void *p) { memset(p, -1, 4); }
     int main(void) { struct { int a; short b; } x; fill(&x); return x.a; }",
    "int main(void) { int x; asm(\"\" : \"=m\"(x)); return x; }",
    "int scanf(const char *, ...); int main(void) { int x, y = 0; scanf(\"%d %d\", &x, &y); return y == 5 ? x : 0; }",
];

#[test]
fn what_others_may_have_filled_is_no_missing_value() {
    for text in FILLED {
        let checks = Checks::named("uninitialized").expect("a check has this name");
        let options = COptions {
            checks,
            ..COptions::default()
        };
        let reading = verify_c(text, &options, Method::Automatic, &Options::default());
        let is_unsafe = |found: Verification| matches!(found.outcome.verdict, Verdict::Unsafe(_));
        assert!(!reading.product.is_some_and(is_unsafe), "{text}");
    }
}

/// Compiles a program with the compiler's checks and runs it; whether it complains. `None` without such a compiler.
fn complains(name: &str, text: &str) -> Option<bool> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("checks");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    fs::write(&source, text).expect("the program can be written");
    let mut compile = Command::new("gcc");
    compile.args(["-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    let output = compile.arg(&source).arg("-o").arg(&program).output().ok()?;
    if !output.status.success() {
        return None;
    }
    let mut run = Command::new(&program);
    // What is not freed is another matter.
    let output = run
        .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1")
        .output()
        .ok()?;
    Some(!output.stderr.is_empty())
}

#[test]
fn the_compiled_programs_fail() {
    let mut failures = Vec::new();
    for example in examples("unsafe") {
        if example.text.contains("// Not noticed when compiled") {
            continue;
        }
        let verification = verified(&example);
        let places = Places::new(&example.name, &example.text);
        let written = harness(&example.name, &verification, &example.text, &places).expect("there is one");
        match complains(&example.name, &written) {
            Some(true) => {}
            Some(false) => failures.push(example.name),
            None => {
                println!("skipped: there is no gcc with sanitizers");
                return;
            }
        }
    }
    assert!(failures.is_empty(), "not noticed: {}", failures.join(", "));
}

/// The overflow makes the lower bits of the product no number of their type, which is no reason to leave the run out.
#[test]
fn an_overflow_is_found_below_an_operation_on_words() {
    let text = "int input(void); int main(void) { unsigned char c = input(); unsigned u = input(); if (c < 6 || c > 7 || u > 1) return 0;
        int v = -715827883; return u & (unsigned)(v * c); }";
    let options = COptions {
        checks: Checks::named("overflow").expect("a check has this name"),
        ..COptions::default()
    };
    let reading = verify_c(text, &options, Method::Automatic, &Options::default());
    let verification = reading.product.expect("it is C");
    assert!(
        matches!(verification.outcome.verdict, Verdict::Unsafe(_)),
        "{:?}",
        verification.outcome.verdict
    );
}
