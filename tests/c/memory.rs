//! Pointers, the layout of structs and addresses: the answer is never the opposite of what the compiled program does.
//!
//! `c_memory/programs` has small programs without inputs, each for a construct that is easily dropped or misread. gcc tells
//! what they do. Refusing one is allowed, but not for those in [`UNDERSTOOD`].

// A skipped test says so.
#![allow(clippy::print_stdout)]

use clausal::c::options::Options as COptions;
use clausal::engine::{Options, Verdict};
use clausal::source_level::{Method, verify_c};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs that must not be refused.
const UNDERSTOOD: [&str; 10] = [
    "volatile-pointer",
    "aligned-member",
    "pragma-pack",
    "alignment-of-objects",
    "aligned-address",
    "difference-of-addresses",
    "difference-of-addresses-not",
    "null-member",
    "length-of-parameter",
    "order-of-members",
];

/// What is said of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Safe,
    Unsafe,
    Unknown,
    Refused,
}

fn answer(text: &str, options: &COptions) -> (Answer, String) {
    let reading = verify_c(text, options, Method::Automatic, &Options::default());
    let Some(verification) = reading.product else {
        return (Answer::Refused, format!("{:?}", reading.diagnostics));
    };
    let answer = match verification.outcome.verdict {
        Verdict::Safe(_) => Answer::Safe,
        Verdict::Unsafe(_) => Answer::Unsafe,
        Verdict::Unknown(_) => Answer::Unknown,
    };
    (answer, String::new())
}

/// Compiles the files into one program and runs it; its exit code. `None` where there is no gcc.
fn run(name: &str, files: &[PathBuf]) -> Option<i32> {
    Command::new("gcc").arg("--version").output().ok()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_memory");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let error = folder.join("error.c");
    let text = "void exit(int); void reach_error(void) { exit(99); }\n";
    if fs::read_to_string(&error).is_ok_and(|known| known == text) || fs::write(&error, text).is_ok() {
        let program = folder.join(name);
        let compiled = Command::new("gcc")
            .args(["-w", "-O0"])
            .args(files)
            .arg(&error)
            .arg("-o")
            .arg(&program)
            .output()
            .expect("gcc runs");
        assert!(
            compiled.status.success(),
            "{name}: {}",
            String::from_utf8_lossy(&compiled.stderr)
        );
        return Command::new(&program).output().expect("it runs").status.code();
    }
    None
}

#[test]
fn no_answer_is_the_opposite_of_what_the_program_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/memory/programs");
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    let mut failures = Vec::new();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a text");
        let (answer, why) = answer(&text, &COptions::default());
        let Some(code) = run(&name, std::slice::from_ref(&path)) else {
            println!("skipped {name}: there is no gcc");
            continue;
        };
        let is_wrong = match code {
            99 => answer == Answer::Safe,
            _ => answer == Answer::Unsafe,
        };
        if is_wrong || answer == Answer::Refused && UNDERSTOOD.contains(&name.as_str()) {
            failures.push(format!("{name} exits with {code}, and the answer is {answer:?} {why}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Programs that another file, or whoever calls the entry function, can make fail. What code that is not seen has written is no certain value: where the
/// error rests on it, nothing is said.
#[test]
fn pointers_from_elsewhere_may_point_to_what_is_known_there() {
    let programs = [
        (
            "main",
            "extern void reach_error(void); extern int *p; int g;
             int main(void) { if (p == &g) { *p = 5; if (g == 5) reach_error(); } return 0; }",
            Answer::Unsafe,
        ),
        (
            "main",
            "extern void reach_error(void); extern int *p; int g;
             int main(void) { g = 0; *p = 5; if (g == 5) reach_error(); return 0; }",
            Answer::Unsafe,
        ),
        (
            "main",
            "extern void reach_error(void); int *get(void); int g; int *known = &g;
             int main(void) { *get() = 5; if (g == 5) reach_error(); return 0; }",
            Answer::Unsafe,
        ),
        (
            "main",
            "extern void reach_error(void); void keep(int *); int *get(void);
             int main(void) { int x = 0; keep(&x); *get() = 5; if (x == 5) reach_error(); return 0; }",
            Answer::Unsafe,
        ),
        (
            "main",
            "extern void reach_error(void); struct s { int *p; }; void keep(struct s *); int *get(void);
             int main(void) { int x = 0; struct s s = { &x }; keep(&s); *get() = 5; if (x == 5) reach_error(); return 0; }",
            Answer::Unsafe,
        ),
        (
            "main",
            "extern void reach_error(void); int get(void); void keep(int *);
             int main(void) { int x = 0; keep(&x); *(int *)(long)get() = 5; if (x == 5) reach_error(); return 0; }",
            Answer::Unsafe,
        ),
        (
            "f",
            "extern void reach_error(void); int g;
             int f(int *p) { g = 0; *p = 1; if (g == 1) reach_error(); return 0; }",
            Answer::Unsafe,
        ),
        (
            "f",
            "extern void reach_error(void); struct s { int a, b; }; struct s g;
             int f(int *p) { g.b = 0; *p = 1; if (g.b == 1) reach_error(); return 0; }",
            Answer::Unsafe,
        ),
        (
            "f",
            "extern void reach_error(void); int g;
             int f(char *p) { g = 0; *p = 1; if (g == 1) reach_error(); return 0; }",
            Answer::Refused,
        ),
        (
            "f",
            "extern void reach_error(void);
             int f(int *p, int *q) { *q = 0; *p = 1; if (*q == 1) reach_error(); return 0; }",
            Answer::Unsafe,
        ),
        (
            "f",
            "extern void reach_error(void);
             int f(char *q, int *p) { *p = 0; *q = 1; if (*p == 1) reach_error(); return 0; }",
            Answer::Refused,
        ),
        (
            "f",
            "extern void reach_error(void); struct s { int a, b; };
             int f(struct s *p, int *q) { p->b = 0; *q = 1; if (p->b == 1) reach_error(); return 0; }",
            Answer::Unsafe,
        ),
    ];
    for (entry, text, expected) in programs {
        let options = COptions {
            entry: entry.to_string(),
            ..COptions::default()
        };
        let (answer, why) = answer(text, &options);
        assert_eq!(answer, expected, "{why}\n{text}");
    }
}

/// A pointer that never got out is known to nobody else.
#[test]
fn pointers_from_elsewhere_do_not_point_to_what_nobody_knows() {
    let text = "extern void reach_error(void); int *get(void);
        int main(void) { int x = 0; int *p = &x; *get() = 5; if (*p != 0) reach_error(); return 0; }";
    assert_eq!(answer(text, &COptions::default()).0, Answer::Safe);
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

const TYPES: [(&str, u64); 9] = [
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("int", 32),
    ("unsigned int", 32),
    ("long", 64),
    ("long long", 64),
    ("int *", 0),
    ("double", 0),
];

const ATTRIBUTES: [&str; 5] = [
    "__attribute__((aligned(2)))",
    "__attribute__((aligned(8)))",
    "__attribute__((packed))",
    "__attribute__((packed, aligned(4)))",
    "__attribute__((__aligned__))",
];

/// A struct or union with a number, and the expressions that tell its layout.
fn record(numbers: &mut Numbers, number: usize) -> (String, Vec<String>) {
    let mut text = String::new();
    let packs = numbers.below(5) == 0;
    if packs {
        let bound = numbers.one_of(&["1", "2", "4", "8"]);
        writeln!(text, "#pragma pack(push, {bound})").expect("a string takes all");
    }
    let word = if numbers.below(6) == 0 { "union" } else { "struct" };
    let mut measured = vec![
        format!("sizeof({word} r{number})"),
        format!("_Alignof({word} r{number})"),
    ];
    writeln!(text, "{word} r{number} {{").expect("a string takes all");
    for member in 0..1 + numbers.below(6) {
        let (kind, bits) = TYPES[numbers.below(TYPES.len() as u64) as usize];
        let attribute = match numbers.below(4) {
            0 => numbers.one_of(&ATTRIBUTES),
            _ => "",
        };
        let declared = match numbers.below(8) {
            0 | 1 if bits > 0 => format!("  {kind} m{member} : {} {attribute};", 1 + numbers.below(bits)),
            2 if bits > 0 => format!("  {kind} : {};", numbers.below(bits)),
            3 if number > 0 => {
                let inner = numbers.below(number as u64);
                measured.push(format!("__builtin_offsetof({word} r{number}, m{member})"));
                format!("  RECORD{inner} m{member} {attribute};")
            }
            4 => {
                measured.push(format!("__builtin_offsetof({word} r{number}, m{member}[1])"));
                format!("  {kind} m{member}[3] {attribute};")
            }
            5 => {
                measured.push(format!("__builtin_offsetof({word} r{number}, m{member})"));
                format!("  odd{} m{member} {attribute};", numbers.below(3))
            }
            _ => {
                measured.push(format!("__builtin_offsetof({word} r{number}, m{member})"));
                measured.push(format!("__alignof__((({word} r{number} *)0)->m{member})"));
                format!("  {kind} m{member} {attribute};")
            }
        };
        writeln!(text, "{declared}").expect("a string takes all");
    }
    let attribute = match numbers.below(4) {
        0 => numbers.one_of(&ATTRIBUTES),
        _ => "",
    };
    writeln!(text, "}} {attribute};\ntypedef {word} r{number} RECORD{number};").expect("a string takes all");
    if packs {
        text.push_str("#pragma pack(pop)\n");
    }
    (text, measured)
}

#[test]
fn random_records_are_laid_out_as_gcc_does() {
    let mut numbers = Numbers(1);
    let mut declarations = String::from(
        "typedef int odd0 __attribute__((aligned(16)));\ntypedef long odd1 __attribute__((aligned(2)));\n\
         typedef char odd2 __attribute__((aligned(4)));\n",
    );
    let mut measured = Vec::new();
    for number in 0..300 {
        let (text, more) = record(&mut numbers, number);
        declarations.push_str(&text);
        measured.extend(more);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_layout");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join("layout.c");
    let mut program = format!("int printf(const char *, ...);\n{declarations}int main(void) {{\n");
    for expression in &measured {
        writeln!(program, "printf(\"%lu\\n\", (unsigned long)({expression}));").expect("a string takes all");
    }
    program.push_str("return 0; }\n");
    fs::write(&path, program).expect("it can be written");
    let executable = folder.join("layout");
    let Ok(compiled) = Command::new("gcc")
        .arg("-w")
        .arg(&path)
        .arg("-o")
        .arg(&executable)
        .output()
    else {
        println!("skipped: there is no gcc");
        return;
    };
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let output = Command::new(&executable).output().expect("it runs").stdout;
    let values: Vec<String> = String::from_utf8_lossy(&output).lines().map(str::to_string).collect();
    assert_eq!(values.len(), measured.len());
    // All at once; where they differ, one after another says which.
    let differs = |pairs: &[(&String, &String)]| {
        let mut text = format!("extern void reach_error(void);\n{declarations}int main(void) {{\n");
        for (expression, value) in pairs {
            writeln!(text, "if (({expression}) != {value}) reach_error();").expect("a string takes all");
        }
        text.push_str("return 0; }\n");
        answer(&text, &COptions::default())
    };
    let pairs: Vec<(&String, &String)> = measured.iter().zip(&values).collect();
    let mut wrong = Vec::new();
    let mut waiting = vec![&pairs[..]];
    while let Some(part) = waiting.pop() {
        let (answer, why) = differs(part);
        match part {
            _ if answer == Answer::Safe => {}
            [(expression, value)] => wrong.push(format!("{expression} is {value}: {answer:?} {why}")),
            _ => {
                let (left, right) = part.split_at(part.len() / 2);
                waiting.extend([left, right]);
            }
        }
        if wrong.len() > 5 {
            break;
        }
    }
    assert!(wrong.is_empty(), "{}\n{declarations}", wrong.join("\n"));
}
