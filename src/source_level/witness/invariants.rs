//! What is proved of the loops of a C program, as a witness of correctness.

use super::{WitnessTask, document, quoted};
use std::fmt::Write;
use std::time::SystemTime;

/// An invariant of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessInvariant {
    /// The line of the loop, from 1.
    pub line: u32,
    /// The column of its keyword, from 1, if it is known.
    pub column: Option<usize>,
    /// The function it is written in.
    pub function: String,
    /// A C expression over the variables in scope there.
    pub expression: String,
}

/// A witness with the invariants of a program's loops; `created` is written into it.
///
/// ```
/// use clausal::source_level::{WitnessInvariant, WitnessTask, witness};
/// let task = WitnessTask { file: "sum.c", content: b"int main() {}", is_32_bit: false, specification: "G ! call(reach_error())" };
/// let invariant = WitnessInvariant {
///     line: 5,
///     column: None,
///     function: "main".to_string(),
///     expression: "x <= n".to_string(),
/// };
/// let text = witness(task, std::time::UNIX_EPOCH, &[invariant]);
/// assert!(text.contains("value: \"x <= n\""));
/// assert!(text.contains("creation_time: \"1970-01-01T00:00:00Z\""));
/// ```
pub fn witness(task: WitnessTask<'_>, created: SystemTime, invariants: &[WitnessInvariant]) -> String {
    let mut content = String::new();
    for invariant in invariants {
        let column = invariant
            .column
            .map_or(String::new(), |column| format!("        column: {column}\n"));
        // Writing into a string cannot fail.
        let _ = write!(
            content,
            "  - invariant:\n      type: loop_invariant\n      location:\n        file_name: {}\n        line: {}\n{column}        \
             function: {}\n      value: {}\n      format: c_expression\n",
            quoted(task.file),
            invariant.line,
            quoted(&invariant.function),
            quoted(&invariant.expression),
        );
    }
    document("invariant_set", task, created, &content)
}
