//! The names of functions that mean something: tables for [`super::conventions`], a file for each kind.

mod compiler;
mod complex;
mod library;
mod mathematics;
mod verification;

use super::conventions::{BUILTIN_PREFIXES, Meaning};

/// Functions whose body, if the file has one, does not matter.
pub(in crate::semantics) const ALWAYS: &[(&str, Meaning)] = &[
    ("reach_error", Meaning::Fails),
    ("__VERIFIER_error", Meaning::Fails),
    ("__assert_fail", Meaning::Fails),
    ("__assert_perror_fail", Meaning::Fails),
    ("__assert_rtn", Meaning::Fails),
    ("BUGST_REPORT_TARGET_LOCATION_REACHED", Meaning::Fails),
];

/// Functions that mean this unless the file has a body for them.
pub(in crate::semantics) fn without_body() -> impl Iterator<Item = &'static (&'static str, Meaning)> {
    let tables = [
        verification::NAMES,
        library::NAMES,
        mathematics::NAMES,
        complex::NAMES,
        compiler::NAMES,
    ];
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
pub(in crate::semantics) fn is_declared_by_compiler(name: &str) -> bool {
    let is_own = BUILTIN_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || name.starts_with("__ESBMC_");
    is_own || DECLARED_BY_COMPILER.contains(&name)
}

/// Whether the result of a function that only the compiler declares is taken for an `int` here, though it is none.
pub(in crate::semantics) fn returns_no_int(name: &str) -> bool {
    WITHOUT_INT.contains(&name)
}

/// Functions with a meaning of their own that have no reason to change the error number: those on characters, numbers, texts and memory
/// that is there. POSIX wants it of `strerror`, too. Any other one may change it.
const LEAVE_ERRNO: &[&str] = &[
    "abs",
    "alloca",
    "basename",
    "bcopy",
    "bsearch",
    "bzero",
    "difftime",
    "dirname",
    "explicit_bzero",
    "ffs",
    "ffsl",
    "ffsll",
    "imaxabs",
    "isalnum",
    "isalpha",
    "isascii",
    "isblank",
    "iscntrl",
    "isdigit",
    "isfinite",
    "isfinitef",
    "isfinitel",
    "isgraph",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isinff",
    "isinfl",
    "isinf_sign",
    "isless",
    "islessequal",
    "islessgreater",
    "islower",
    "isnan",
    "isnanf",
    "isnanl",
    "isnormal",
    "isnormalf",
    "isnormall",
    "isprint",
    "ispunct",
    "isspace",
    "isunordered",
    "isupper",
    "iswalpha",
    "iswdigit",
    "iswlower",
    "iswspace",
    "iswupper",
    "isxdigit",
    "labs",
    "llabs",
    "memccpy",
    "memcpy",
    "memfrob",
    "memmem",
    "memmove",
    "mempcpy",
    "memset",
    "qsort",
    "rand",
    "rand_r",
    "random",
    "srand",
    "stpncpy",
    "strerror",
    "strlcat",
    "strlcpy",
    "strverscmp",
    "swab",
    "toascii",
    "tolower",
    "toupper",
    "towlower",
    "towupper",
    "va_copy",
    "va_end",
    "va_start",
];

/// Whether a function is one of the library, with a meaning of its own, that may change the error number.
pub(in crate::semantics) fn may_change_errno(name: &str) -> bool {
    let plain = super::models::without_prefix(name);
    let tables = [library::NAMES, mathematics::NAMES, complex::NAMES];
    let mut known = tables.into_iter().flatten();
    known.any(|(known, _)| *known == plain || *known == name) && !LEAVE_ERRNO.contains(&plain)
}

/// Whether it is a function of `math.h` with a result.
pub(in crate::semantics) fn is_mathematical(name: &str) -> bool {
    let plain = super::models::without_prefix(name);
    mathematics::NAMES.iter().any(|(known, _)| *known == plain)
}

/// Whether it is one of the streams that `stdio.h` declares: objects that the library has, so that the pointers to them are never
/// null.
pub fn is_stream(name: &str) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr")
}

/// Which argument of a function of the library is a stream that must be one.
pub(in crate::semantics) fn stream_argument(name: &str) -> Option<usize> {
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
pub fn is_of_mathematics(name: &str) -> bool {
    mathematics::NAMES.iter().any(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_error_number_alone_is_listed_by_name() {
        let is_known = |name: &str| {
            let mut tables = [library::NAMES, mathematics::NAMES].into_iter().flatten();
            tables.any(|(known, _)| *known == name)
        };
        for name in LEAVE_ERRNO {
            assert!(is_known(name) && !may_change_errno(name), "{name}");
        }
        // Some of these begin like others that leave it alone.
        for name in ["memalign", "malloc", "__builtin_malloc", "strtod", "strftime", "sqrt"] {
            assert!(may_change_errno(name), "{name}");
        }
    }
}
