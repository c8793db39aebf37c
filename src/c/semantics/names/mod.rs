//! The names of functions that mean something: tables for [`super::conventions`], a file for each kind.

mod compiler;
mod library;
mod mathematics;
mod verification;

use super::conventions::{BUILTIN_PREFIXES, Meaning};

/// Functions whose body, if the file has one, does not matter.
pub(in crate::c::semantics) const ALWAYS: &[(&str, Meaning)] = &[
    ("reach_error", Meaning::Fails),
    ("__VERIFIER_error", Meaning::Fails),
    ("__assert_fail", Meaning::Fails),
    ("__assert_perror_fail", Meaning::Fails),
    ("__assert_rtn", Meaning::Fails),
    ("BUGST_REPORT_TARGET_LOCATION_REACHED", Meaning::Fails),
];

/// Functions that mean this unless the file has a body for them.
pub(in crate::c::semantics) fn without_body() -> impl Iterator<Item = &'static (&'static str, Meaning)> {
    let tables = [verification::NAMES, library::NAMES, mathematics::NAMES, compiler::NAMES];
    tables.into_iter().flatten()
}

/// Functions that compilers declare themselves where a program calls them without a declaration; others return an `int` then. Of
/// the names known here and functions that are written in C, these are those for which it makes a difference.
const DECLARED_BY_COMPILER: &[&str] = &[
    "alloca",
    "bcmp",
    "calloc",
    "frexp",
    "frexpf",
    "frexpl",
    "imaxabs",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "malloc",
    "memchr",
    "memcmp",
    "mempcpy",
    "modf",
    "modff",
    "modfl",
    "nextafter",
    "nextafterf",
    "realloc",
    "remainder",
    "remainderf",
    "remquo",
    "rindex",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strcspn",
    "strdup",
    "strftime",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strndup",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "toascii",
    "tolower",
    "toupper",
];

/// Those among them whose result has another type than is taken here for one that nobody declares.
const WITHOUT_INT: &[&str] = &["frexpl", "imaxabs", "mempcpy", "modfl", "remquo", "stpncpy", "strftime"];

/// Whether compilers declare a function themselves.
pub(in crate::c::semantics) fn is_declared_by_compiler(name: &str) -> bool {
    let is_own = BUILTIN_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || name.starts_with("__ESBMC_");
    is_own || DECLARED_BY_COMPILER.contains(&name)
}

/// Whether the result of a function that only the compiler declares is taken for an `int` here, though it is none.
pub(in crate::c::semantics) fn returns_no_int(name: &str) -> bool {
    WITHOUT_INT.contains(&name)
}

/// Whether a function is one of the library, with a meaning of its own, that may change the error number. Those that have no
/// reason to are functions on characters, numbers, texts and memory that is there, and POSIX wants it of `strerror`, too.
pub(in crate::c::semantics) fn may_change_errno(name: &str) -> bool {
    let plain = super::models::without_prefix(name);
    let tables = [library::NAMES, mathematics::NAMES];
    let is_known = tables
        .into_iter()
        .flatten()
        .any(|(known, _)| *known == plain || *known == name);
    let is_harmless = match plain {
        "strtod" | "strtof" | "strtold" | "strcoll" | "strxfrm" | "strftime" => false,
        "abs" | "labs" | "llabs" | "imaxabs" | "rand" | "random" | "srand" | "rand_r" | "alloca" | "bzero"
        | "explicit_bzero" | "bcopy" | "swab" | "qsort" | "bsearch" | "basename" | "dirname" | "difftime" => true,
        _ => {
            let families = ["va_", "is", "to", "str", "mem", "ffs"];
            families.into_iter().any(|family| plain.starts_with(family)) || plain == "stpncpy"
        }
    };
    is_known && !is_harmless
}

/// Whether it is one of the streams that `stdio.h` declares: objects that the library has, so that the pointers to them are never
/// null.
pub(crate) fn is_stream(name: &str) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr")
}

/// Which argument of a function of the library is a stream that must be one.
pub(in crate::c::semantics) fn stream_argument(name: &str) -> Option<usize> {
    let plain = name.strip_prefix("__builtin_").or_else(|| name.strip_prefix("_IO_"));
    let plain = plain.unwrap_or(name);
    match plain.strip_suffix("_unlocked").unwrap_or(plain) {
        "fclose" | "fprintf" | "vfprintf" | "fscanf" | "vfscanf" | "fwprintf" | "vfwprintf" | "fwscanf"
        | "vfwscanf" => Some(0),
        "fgetc" | "getc" | "getw" | "fgetwc" | "getwc" | "feof" | "ferror" | "clearerr" | "fileno" | "rewind" => {
            Some(0)
        }
        "ftell" | "ftello" | "fseek" | "fseeko" | "fgetpos" | "fsetpos" | "setbuf" | "setvbuf" | "setlinebuf" => {
            Some(0)
        }
        "fputc" | "putc" | "putw" | "fputwc" | "putwc" | "ungetc" | "ungetwc" | "fputs" | "fputws" => Some(1),
        "fgets" | "fgetws" | "freopen" | "getline" => Some(2),
        "fread" | "fwrite" | "getdelim" => Some(3),
        _ => None,
    }
}

/// Whether a function is one of `math.h`.
pub(crate) fn is_of_mathematics(name: &str) -> bool {
    mathematics::NAMES.iter().any(|(known, _)| *known == name)
}
