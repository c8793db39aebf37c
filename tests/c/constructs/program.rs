//! Programs with unusual constructs, by number: a few functions made from the grammar, whose results are observed.
//!
//! A line `OBSERVE(k, o);` is a place where a value is observed. [`Check`] says what stands there when the program is
//! verified.

use super::grammar::Grammar;
use crate::random::Random;
use std::fmt::Write;

/// What headers declare, as far as the grammar uses it; the last one is included for types.
const HEADERS: [(&str, &str); 22] = [
    ("assert.h", "assert"),
    (
        "ctype.h",
        "isdigit isalpha isspace isupper islower isalnum ispunct isxdigit isprint iscntrl toupper tolower",
    ),
    ("errno.h", "errno"),
    ("fcntl.h", "open"),
    ("math.h", "fabs modf frexp sqrt"),
    ("pthread.h", "pthread_create pthread_join pthread_t"),
    ("setjmp.h", "setjmp longjmp jmp_buf"),
    ("signal.h", "signal raise"),
    ("stdarg.h", "va_arg va_list"),
    ("stddef.h", "offsetof wchar_t"),
    ("stdint.h", "intptr_t"),
    (
        "stdio.h",
        "printf sprintf snprintf sscanf fprintf puts putchar perror fflush FILE fopen tmpfile stdout stderr",
    ),
    (
        "stdlib.h",
        "malloc calloc realloc free abort exit atexit on_exit qsort bsearch atoi atol strtol strtoul strtod abs labs \
         div ldiv rand srand getenv alloca",
    ),
    (
        "string.h",
        "memset memcpy memmove memcmp memchr mempcpy memccpy memfrob strlen strnlen strcpy strncpy strcat strncat \
         strcmp strncmp strchr strrchr strstr strpbrk strspn strcspn strtok strdup strndup stpcpy strsep ffs",
    ),
    ("strings.h", "bzero bcopy strcasecmp"),
    ("sys/stat.h", "stat S_ISDIR"),
    ("sys/types.h", "pthread_t"),
    ("time.h", "time clock clock_gettime time_t"),
    ("unistd.h", "read write close pipe usleep isatty getcwd swab"),
    ("wchar.h", "wcslen wmemset"),
    ("stdbool.h", "bool"),
    ("limits.h", "INT_MAX"),
];

/// Headers whose functions gcc knows, or that are called without a declaration.
const UNNEEDED: [&str; 5] = ["ctype.h", "math.h", "stdlib.h", "string.h", "strings.h"];

/// What is defined in the program itself where it is used.
const HELPERS: [(&str, &str); 12] = [
    (
        "opaque",
        "static int opaque(int x) { int n = __VERIFIER_nondet_int(); return n == x ? n : x; }",
    ),
    ("sign", "static int sign(int x) { return x < 0 ? -1 : x > 0; }"),
    (
        "return_first",
        "static long long return_first(long long x, int y) { return x; }",
    ),
    (
        "va_set",
        "static int va_set(int n, ...) { va_list a; va_start(a, n); *va_arg(a, int *) = 41; va_end(a); return n; }",
    ),
    (
        "va_pointer",
        "static int *va_pointer(int n, ...) { va_list a; va_start(a, n); int *p = va_arg(a, int *); va_end(a); return p; }",
    ),
    (
        "va_sum",
        "static int va_sum(int n, ...) { va_list a; int s = 0; va_start(a, n); while (n-- > 0) s += va_arg(a, int); va_end(a); return s; }",
    ),
    (
        "va_mixed",
        "static long va_mixed(int n, ...) { va_list a; va_start(a, n); long s = va_arg(a, long); s = s * 10 + va_arg(a, int); va_end(a); return s; }",
    ),
    (
        "va_call",
        "static int va_call(int n, ...) { va_list a; va_start(a, n); void (*f)(void) = va_arg(a, void (*)(void)); f(); va_end(a); return n; }",
    ),
    ("aligned_char", "typedef char aligned_char __attribute__((aligned(8)));"),
    (
        "unaligned_long",
        "typedef long unaligned_long __attribute__((aligned(2)));",
    ),
    ("atomic_flag_local", "typedef char atomic_flag_local;"),
    ("__VERIFIER_nondet_int", "extern int __VERIFIER_nondet_int(void);"),
];

/// A program, and the alternatives of the grammar that it is made of.
pub struct Program {
    pub text: String,
    pub used: Vec<String>,
}

/// Reads the grammar.
///
/// # Errors
///
/// Where it is not understood.
pub fn grammar() -> Result<Grammar, String> {
    Grammar::read(&[
        ("values", include_str!("grammar/values.txt")),
        ("effects", include_str!("grammar/effects.txt")),
        ("contexts", include_str!("grammar/contexts.txt")),
        ("pointers", include_str!("grammar/pointers.txt")),
        ("layout", include_str!("grammar/layout.txt")),
        ("library", include_str!("grammar/library.txt")),
        ("control", include_str!("grammar/control.txt")),
        ("units", include_str!("grammar/units.txt")),
    ])
}

/// The program with this number.
///
/// # Errors
///
/// What is wrong with the grammar.
pub fn generate(grammar: &Grammar, number: u64) -> Result<Program, String> {
    let mut random = Random::new(number);
    let mut names = 0;
    let count = match random.between(1, 10) {
        1..=6 => 1,
        7..=9 => 2,
        _ => 3,
    };
    let (mut top, mut functions, mut main, mut used) = (String::new(), String::new(), String::new(), Vec::new());
    for unit in 1..=count {
        let made = grammar.expand("unit", &mut random, &mut names)?;
        for line in &made.top {
            let _ = writeln!(top, "{line}");
        }
        let lines: Vec<&String> = made.before.iter().chain(&made.body).collect();
        if random.percent(30) {
            let _ = writeln!(main, "    long long o{unit} = 0;\n    {{\n        long long r = 0;");
            for line in lines {
                let _ = writeln!(main, "        {line}");
            }
            let _ = writeln!(main, "        o{unit} = r;\n    }}");
        } else {
            let _ = writeln!(functions, "static long long unit_{unit}(void) {{\n    long long r = 0;");
            for line in lines {
                let _ = writeln!(functions, "    {line}");
            }
            let _ = writeln!(functions, "    return r;\n}}");
            let _ = writeln!(main, "    long long o{unit} = unit_{unit}();");
        }
        let _ = writeln!(main, "    OBSERVE({unit}, o{unit});");
        used.extend(made.used);
    }
    let body = format!("{top}{functions}int main(void) {{\n{main}    return 0;\n}}\n");
    let mut helpers = String::new();
    for (name, text) in HELPERS.iter().rev() {
        if mentions(&body, name) || mentions(&helpers, name) {
            // What a helper needs stands before it.
            helpers.push_str(text);
            helpers.push('\n');
        }
    }
    let helpers: String = match mentions(&helpers, "__VERIFIER_nondet_int") {
        true => helpers,
        false if mentions(&helpers, "opaque") => format!("{}\n{helpers}", HELPERS[HELPERS.len() - 1].1),
        false => helpers,
    };
    let mut text = String::new();
    let whole = format!("{helpers}{body}");
    let undeclared = random.percent(15);
    for (header, declared) in HEADERS {
        let needed = declared.split_whitespace().any(|name| mentions(&whole, name));
        if needed && !(undeclared && UNNEEDED.contains(&header)) {
            let _ = writeln!(text, "#include <{header}>");
        }
    }
    if !text.is_empty() {
        text.insert_str(0, "#define _GNU_SOURCE\n");
    }
    text.push_str("extern void reach_error(void);\n");
    text.push_str(&whole);
    used.sort();
    used.dedup();
    Ok(Program { text, used })
}

/// Whether a text has the name as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.match_indices(name).any(|(at, _)| {
        let before = at.checked_sub(1).map(|before| text.as_bytes()[before]);
        let behind = text.as_bytes().get(at + name.len());
        !before.is_some_and(is_name) && !behind.copied().is_some_and(is_name)
    })
}

/// What is asked about a program that has been run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Whether it calls the error by itself.
    AsItIs,
    /// Whether it gets to the place of this number.
    Reached(i64),
    /// Whether the value at the place is the one that it is.
    Equal(i64, i64),
    /// Whether the value at the place is another one.
    Different(i64, i64),
}

impl Check {
    /// The checks for what was observed, each with whether the error is reached in it.
    pub fn all(text: &str, observed: &[(i64, i64)], failed: bool) -> Vec<(Check, bool)> {
        if failed {
            return vec![(Check::AsItIs, true)];
        }
        let places = text
            .lines()
            .filter_map(|line| observation(line).map(|(place, _)| place));
        places
            .flat_map(|place| match observed.iter().find(|(other, _)| *other == place) {
                Some((_, value)) => vec![
                    (Check::Equal(place, *value), true),
                    (Check::Different(place, *value), false),
                ],
                None => vec![(Check::Reached(place), false)],
            })
            .collect()
    }

    /// The text in which the error is what is asked about.
    pub fn text(self, text: &str) -> String {
        let lines = text.lines().filter_map(|line| {
            let Some((place, value)) = observation(line) else {
                return Some(line.to_string());
            };
            match self {
                Check::Reached(here) if here == place => Some("    reach_error();".to_string()),
                Check::Equal(here, wanted) if here == place => {
                    Some(format!("    if ({value} == {}) reach_error();", literal(wanted)))
                }
                Check::Different(here, wanted) if here == place => {
                    Some(format!("    if ({value} != {}) reach_error();", literal(wanted)))
                }
                _ => None,
            }
        });
        lines.map(|line| line + "\n").collect()
    }
}

fn literal(value: i64) -> String {
    match value {
        i64::MIN => "(-9223372036854775807LL - 1)".to_string(),
        _ => format!("{value}LL"),
    }
}

/// The number and the value of a line `OBSERVE(k, o);`.
fn observation(line: &str) -> Option<(i64, &str)> {
    let inner = line.trim().strip_prefix("OBSERVE(")?.strip_suffix(");")?;
    let (place, value) = inner.split_once(", ")?;
    Some((place.parse().ok()?, value))
}
