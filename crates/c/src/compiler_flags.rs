//! Flags for the compiler that stand in a program's text (`#pragma GCC optimize`, `__attribute__((target("…")))`): which of them
//! leave every result as it is.

/// Whether flags for the optimizer, separated by commas, change no results: no wrapping overflows, no other floating-point
/// numbers or types.
pub(super) fn only_optimizes(flags: &str) -> bool {
    flags.split(',').all(|flag| {
        let flag = flag.trim().trim_start_matches('-');
        let is_level = flag.chars().all(|c| c.is_ascii_digit())
            || matches!(flag, "O" | "O0" | "O1" | "O2" | "O3" | "Os" | "Og" | "Oz");
        let name = flag.strip_prefix('f').unwrap_or(flag);
        let is_known = [
            "unroll-loops",
            "unroll-all-loops",
            "inline",
            "inline-functions",
            "tree-vectorize",
        ]
        .contains(&name);
        let is_without = name.starts_with("no-") && !CHANGES.iter().any(|word| name.contains(word));
        is_level || is_known || is_without
    })
}

/// Words in the names of flags that change results, whether they are turned on or off.
const CHANGES: &[&str] = &[
    "wrapv",
    "trapv",
    "math",
    "overflow",
    "signed",
    "zeros",
    "char",
    "short",
    "pack",
    "contract",
    "bitfields",
    "null",
];

/// Whether what is said of the machine changes no results: instructions that only move and compare, or calculate as all do.
/// With others (`fma`, `arch=…`), compilers put multiplications and additions together, which rounds once instead of twice.
pub(super) fn is_plain_target(target: &str) -> bool {
    target.split(',').all(|name| {
        let name = name.trim();
        let is_vector = ["mmx", "sse", "ssse3", "avx"]
            .iter()
            .any(|start| name.starts_with(start));
        (is_vector && !name.contains("512") && !name.contains("10"))
            || matches!(
                name,
                "default"
                    | "aes"
                    | "bmi"
                    | "bmi2"
                    | "lzcnt"
                    | "movbe"
                    | "pclmul"
                    | "popcnt"
                    | "rdrnd"
                    | "rdseed"
                    | "sha"
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_loops_change_nothing() {
        for flags in ["O2", "-O3", "3", "Os,no-inline", "-fno-tree-vectorize", "unroll-loops"] {
            assert!(only_optimizes(flags), "{flags}");
        }
        for flags in [
            "Ofast",
            "-ffast-math",
            "O2,fast-math",
            "wrapv",
            "-fno-signed-zeros",
            "no-math-errno",
            "short-enums",
            "unheard-of",
        ] {
            assert!(!only_optimizes(flags), "{flags}");
        }
    }

    #[test]
    fn contraction_changes_results() {
        for target in ["sse4.2", "avx2,bmi", "popcnt", "default"] {
            assert!(is_plain_target(target), "{target}");
        }
        for target in ["fma", "arch=haswell", "avx2,fma", "avx512f", "fpmath=387", "avx10.1"] {
            assert!(!is_plain_target(target), "{target}");
        }
    }
}
