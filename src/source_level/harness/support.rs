//! What a harness has around the program: how to compile it, the values, and functions that nobody has defined.

use super::super::path::error_text;
use super::super::places::Places;
use super::{Aim, REACHED};
use crate::c::options::Options;
use crate::c::program::ErrorKind;
use crate::c::syntax::Span;
use crate::c::types::DataModel;
use crate::c::{is_of_mathematics, library_has};
use crate::terms::{FloatFormat, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

/// A test that was not followed to its end stops after so many calls without a recorded value, for each of its steps and beside.
const CALLS_FACTOR: usize = 64;
const CALLS_MORE: usize = 10_000;

/// What the comment at the head of a harness says.
pub(super) struct Head<'h> {
    /// The program's file.
    pub name: &'h str,
    pub aim: &'h Aim,
    /// The error that the run ends in.
    pub error: Option<(Span, ErrorKind)>,
    /// How many steps the run has, unless it comes to the program's end or the error.
    pub unfinished: Option<usize>,
    /// Whether functions of `math.h` are called.
    pub needs_mathematics: bool,
}

/// The values read at one place, in order.
pub(super) struct Site {
    pub is_pointer: bool,
    pub values: Vec<Option<Value>>,
}

impl Site {
    /// Whether the values are floating-point numbers.
    pub fn is_floating(&self) -> bool {
        self.values.iter().flatten().any(|value| match value {
            Value::Array(array) => matches!(array.default, Value::Float(_)),
            value => matches!(value, Value::Float(_)),
        })
    }
}

impl Site {
    /// Whether the values that are floating-point numbers are numbers that `double` has.
    pub fn is_double(&self) -> bool {
        let is_double = |value: &Value| match value {
            Value::Float(float) => float.converted(FloatFormat::Double).converted(float.format()) == *float,
            _ => true,
        };
        self.values.iter().flatten().all(|value| match value {
            Value::Array(array) => is_double(&array.default) && array.elements.values().all(is_double),
            value => is_double(value),
        })
    }
}

const DECLARATIONS: &str = "\
unsigned long long clausal_value(int);
unsigned long long clausal_element(int, unsigned long);
int clausal_error(int);
int clausal_assume(int);
static int clausal_ignored();
";

const DECLARATIONS_OF_NUMBERS: &str = "\
double clausal_number(int);
double clausal_number_at(int, unsigned long);
";

const DEFINITIONS: &str = r#"
extern long clausal_write(int, const void *, unsigned long) __asm__("write");
extern void clausal_exit(int) __asm__("_exit");

int clausal_error(int reached) {
  if (!reached) return 0;
  clausal_write(2, "clausal: error reached\n", 23);
  clausal_exit(99);
  return 0;
}

int clausal_assume(int holds) {
  if (!holds) clausal_exit(0);
  return 1;
}

struct clausal_element { long long index; unsigned long long value; };
struct clausal_value { unsigned long long value; const struct clausal_element *elements; unsigned long count; };
struct clausal_site { const struct clausal_value *values; unsigned long count, next; };

static int clausal_ignored() { return 0; }
__attribute__((used)) static char clausal_object[1 << 16];
"#;

const ACCESS: &str = r#"
unsigned long long clausal_value(int number) {
  struct clausal_site *site = &clausal_sites[number];
  if (site->next < site->count) return site->values[site->next++].value;
  clausal_beyond();
  return 0;
}

unsigned long long clausal_element(int number, unsigned long index) {
  struct clausal_site *site = &clausal_sites[number];
  const struct clausal_value *value = &site->values[site->next];
  unsigned long i;
  if (site->next >= site->count) {
    clausal_beyond();
    return 0;
  }
  for (i = 0; i < value->count; i++)
    if (value->elements[i].index == (long long)index) return value->elements[i].value;
  return value->value;
}
"#;

/// Floating-point numbers are kept as the bits of a `double`.
const NUMBERS: &str = r#"
static double clausal_of_bits(unsigned long long bits) {
  union { unsigned long long bits; double number; } both;
  both.bits = bits;
  return both.number;
}

double clausal_number(int number) { return clausal_of_bits(clausal_value(number)); }
double clausal_number_at(int number, unsigned long index) { return clausal_of_bits(clausal_element(number, index)); }
"#;

const STUB: &str = r#"
__attribute__((used)) static long clausal_stub(void) __asm__("clausal_stub");
static long clausal_stub(void) { clausal_called(); return 0; }
"#;

/// The comment at the head, what stands before the program, and what stands behind it.
pub(super) fn support(
    head: &Head<'_>,
    options: &Options,
    sites: &[Site],
    stubs: &[&str],
    places: &Places<'_>,
) -> (String, String, String) {
    let mut definitions = DEFINITIONS.replace("99", &REACHED.to_string());
    for (number, site) in sites.iter().enumerate() {
        definitions.push_str(&tables(number, site));
    }
    definitions.push_str(&format!(
        "static struct clausal_site clausal_sites[{}] = {{\n",
        sites.len() + 1
    ));
    for (number, site) in sites.iter().enumerate() {
        definitions.push_str(&format!("  {{clausal_values_{number}, {}, 0}},\n", site.values.len()));
    }
    definitions.push_str("  {0, 0, 0}\n};\n");
    // Behind a run that was not followed to its end there are no values, and perhaps a loop that only a value would end. Calls on
    // the way whose values nobody uses are no reason to end, so their number is.
    definitions.push_str(&match head.unfinished {
        None => "static void clausal_beyond(void) {}\nstatic void clausal_called(void) {}\n".to_string(),
        Some(steps) => format!(
            "static void clausal_beyond(void) {{ clausal_exit(0); }}\n\
             static void clausal_called(void) {{\n  static unsigned long calls;\n  \
             if (++calls > {}) clausal_exit(0);\n}}\n",
            CALLS_MORE + CALLS_FACTOR * steps
        ),
    });
    definitions.push_str(ACCESS);
    if sites.iter().any(Site::is_floating) {
        definitions.push_str(NUMBERS);
    }
    if !stubs.is_empty() {
        definitions.push_str(STUB);
        for stub in stubs {
            // By the assembler: so it agrees with whatever the program declares.
            definitions.push_str(&format!("__asm__(\".globl {stub}\\n.set {stub}, clausal_stub\\n\");\n"));
        }
    }
    let mut declarations = DECLARATIONS.to_string();
    if sites.iter().any(Site::is_floating) {
        declarations.push_str(DECLARATIONS_OF_NUMBERS);
    }
    (head_text(head, options, places), declarations, definitions)
}

fn head_text(head: &Head<'_>, options: &Options, places: &Places<'_>) -> String {
    let width = if options.model == DataModel::Ilp32 { " -m32" } else { "" };
    let library = if head.needs_mathematics { " -lm" } else { "" };
    let name = head.name;
    let mut lines = vec![match head.aim {
        Aim::Error(_) => format!("A run of {name} into its error, written by clausal."),
        Aim::Lines(reached) => format!("A run of {name} that reaches {reached}, written by clausal."),
    }];
    match head.error {
        Some((span, kind)) if kind != ErrorKind::Reached => {
            let place = places.of(span);
            lines.push(format!(
                "The error has no place of its own in C ({place}: {}).",
                error_text(kind)
            ));
            lines.push(format!(
                "Compile and run it with gcc -w{width} -fsanitize=undefined,address FILE.c{library}"
            ));
        }
        error => {
            lines.push(format!(
                "Compile it with gcc -w -fwrapv{width} FILE.c{library} (old programs: add -std=gnu89) and run it{}",
                if error.is_some() { ":" } else { "." }
            ));
            if error.is_some() {
                lines.push(format!(
                    "it says \"clausal: error reached\" and exits with code {REACHED}."
                ));
            }
        }
    }
    if head.unfinished.is_some() {
        lines
            .push("It was not followed to its end: behind these lines it ends when it wants other values.".to_string());
    }
    format!("/* {} */\n", lines.join("\n   ").replace("*/", "*_/"))
}

/// The values of a place, and the elements of those that are arrays.
fn tables(number: usize, site: &Site) -> String {
    let mut text = String::new();
    let mut rows = Vec::new();
    for (position, value) in site.values.iter().enumerate() {
        rows.push(match value {
            Some(Value::Array(array)) => {
                let elements = array.elements.iter();
                let pairs: Vec<String> = elements
                    .map(|(index, value)| format!("{{{}, {}}}", plain(index), number_text(value, site.is_pointer)))
                    .collect();
                if !pairs.is_empty() {
                    text.push_str(&format!(
                        "static const struct clausal_element clausal_elements_{number}_{position}[] = {{{}}};\n",
                        pairs.join(", ")
                    ));
                }
                let elements = match pairs.is_empty() {
                    true => "0".to_string(),
                    false => format!("clausal_elements_{number}_{position}"),
                };
                let default = number_text(&array.default, site.is_pointer);
                format!("  {{{default}, {elements}, {}}}", pairs.len())
            }
            Some(value) => format!("  {{{}, 0, 0}}", number_text(value, site.is_pointer)),
            None => "  {0, 0, 0}".to_string(),
        });
    }
    format!(
        "{text}static const struct clausal_value clausal_values_{number}[] = {{\n{}\n}};\n",
        rows.join(",\n")
    )
}

/// A number as a constant of 64 bits. An address of the rules means nothing in a compiled program, but whether it is null does.
fn number_text(value: &Value, is_pointer: bool) -> String {
    let whole = match value {
        Value::Number(number) => number.floor().to_integer(),
        Value::Bool(value) => BigInt::from(u8::from(*value)),
        // By the bits of the `double` that has the same value.
        Value::Float(value) => BigInt::from(value.converted(FloatFormat::Double).bits()),
        Value::Array(_) | Value::Datatype(_) => BigInt::zero(),
    };
    if is_pointer {
        return match whole.is_zero() {
            true => "0".to_string(),
            false => "(unsigned long)clausal_object".to_string(),
        };
    }
    let size = BigInt::from(1) << 64;
    format!("{}ULL", whole.mod_floor(&size))
}

fn plain(index: &Value) -> String {
    match index {
        Value::Number(number) => {
            let whole = number.floor().to_integer();
            // No array of a program is so long.
            if whole.bits() > 62 {
                "-1".to_string()
            } else {
                format!("{whole}LL")
            }
        }
        _ => "0".to_string(),
    }
}

/// Whether a function comes with the C library, so that a definition here would stand in its way.
pub(super) fn library_function(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "_Exit",
        "_exit",
        "abort",
        "abs",
        "alloca",
        "calloc",
        "exit",
        "fclose",
        "fflush",
        "fgetc",
        "fopen",
        "fputc",
        "fputs",
        "fread",
        "free",
        "fwrite",
        "getc",
        "getchar",
        "gets",
        "labs",
        "llabs",
        "longjmp",
        "malloc",
        "perror",
        "putc",
        "putchar",
        "puts",
        "quick_exit",
        "rand",
        "random",
        "read",
        "realloc",
        "setjmp",
        "sigsetjmp",
        "sleep",
        "srand",
        "srandom",
        "time",
        "vfprintf",
        "vprintf",
        "vsnprintf",
        "write",
        "__assert_fail",
        "__isoc99_scanf",
        "__isoc99_sscanf",
    ];
    name.starts_with("__builtin_")
        || name.starts_with("__sync_")
        || name.starts_with("__atomic_")
        || NAMES.contains(&name)
        || library_has(name)
        || is_of_mathematics(name)
}
