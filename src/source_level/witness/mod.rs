//! Witnesses in the format 2.0 of SV-COMP, in which verifiers tell one another what they have found.
//!
//! `invariants` writes what is proved of loops, `correctness` what a certificate says of them, `violation` the values with which a run
//! reaches the error; `stated` and `recorded` read these, whoever wrote them. A witness is YAML. All texts are written double-quoted, for which JSON's escapes are YAML's.

mod correctness;
mod invariants;
mod recorded;
mod stated;
mod violation;

pub use correctness::correctness_witness;
pub use invariants::{WitnessInvariant, witness};
pub use recorded::{RecordedInput, RecordedPlace, RecordedRun, read_violation_witness};
pub use stated::read_correctness_witness;
pub use violation::violation_witness;

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a witness is about.
#[derive(Clone, Copy, Debug)]
pub struct WitnessTask<'a> {
    /// The file's name.
    pub file: &'a str,
    /// What is in it.
    pub content: &'a [u8],
    /// Whether pointers and `long` have 32 bits; otherwise they have 64.
    pub is_32_bit: bool,
    /// The property, as SV-COMP writes it.
    pub specification: &'a str,
}

/// The property that runs do not reach the error, as SV-COMP writes it.
pub const ERROR_IS_NOT_REACHED: &str = "G ! call(reach_error())";

/// A document with one entry: its head, and the content below it.
fn document(entry_type: &str, task: WitnessTask<'_>, created: SystemTime, content: &str) -> String {
    let hash = hexadecimal(&Sha256::digest(task.content));
    let created = timestamp(created);
    let content = match content.is_empty() {
        true => "  content: []\n".to_string(),
        false => format!("  content:\n{content}"),
    };
    let model = if task.is_32_bit { "ILP32" } else { "LP64" };
    let head = format!(
        "    creation_time: {}\n    producer:\n      name: Clausal\n      version: {}\n    task:\n      input_files:\n        \
         - {file}\n      input_file_hashes:\n        {file}: {hash}\n      specification: {}\n      data_model: {model}\n      \
         language: C\n",
        quoted(&created),
        quoted(env!("CARGO_PKG_VERSION")),
        quoted(task.specification),
        file = quoted(task.file),
        hash = quoted(&hash),
    );
    let uuid = identifier(&format!("{head}{content}"));
    format!(
        "- entry_type: {entry_type}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {}\n{head}{content}",
        quoted(&uuid)
    )
}

/// A UUID of version 8, whose bits the writer chooses: those of a hash, so that equal witnesses have equal identifiers.
fn identifier(text: &str) -> String {
    let mut digits: Vec<char> = hexadecimal(&Sha256::digest(text.as_bytes())).chars().take(32).collect();
    for (position, digit) in [(12, '8'), (16, '8')] {
        if let Some(own) = digits.get_mut(position) {
            *own = digit;
        }
    }
    let mut text = String::new();
    for (position, digit) in digits.into_iter().enumerate() {
        if [8, 12, 16, 20].contains(&position) {
            text.push('-');
        }
        text.push(digit);
    }
    text
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A text in double quotes.
fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_string()).to_string()
}

/// A time as ISO 8601 writes it, in UTC.
fn timestamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The year, month and day of a number of days since 1970. Years are counted from March, so that leap days come last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_written_in_utc() {
        let at = |seconds| timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    #[test]
    fn equal_witnesses_have_equal_identifiers() {
        let task = WitnessTask {
            file: "a \"b\".c",
            content: b"",
            is_32_bit: true,
            specification: ERROR_IS_NOT_REACHED,
        };
        let text = witness(task, UNIX_EPOCH, &[]);
        assert_eq!(text, witness(task, UNIX_EPOCH, &[]));
        assert!(text.contains("content: []") && text.contains("a \\\"b\\\".c"));
        // The hash of nothing.
        assert!(text.contains("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    }
}
