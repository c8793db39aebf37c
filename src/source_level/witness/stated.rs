//! Reading witnesses of correctness: the invariants that a tool states, whoever it is. They are claims, and nothing more.

use crate::source_level::c_hints::Claim;
use serde::Deserialize;

#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    #[serde(default)]
    content: Vec<Element>,
}

/// One of the content of an entry; other kinds of entries have other ones.
#[derive(Deserialize)]
struct Element {
    invariant: Option<Invariant>,
}

#[derive(Deserialize)]
struct Invariant {
    location: Location,
    value: serde_json::Value,
}

#[derive(Deserialize)]
struct Location {
    line: u32,
}

/// Reads a witness of correctness (SV-COMP, format 2.0): what it says of loops and other places.
///
/// ```
/// let text = "
/// - entry_type: invariant_set
///   content:
///   - invariant: {type: loop_invariant, location: {line: 5, function: main}, value: 'x <= n', format: c_expression}
/// ";
/// let claims = clausal::source_level::read_correctness_witness(text)?;
/// assert_eq!((claims[0].expression.as_str(), claims[0].place.as_str()), ("x <= n", "line 5"));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What is wrong with the text, with its line and column, if it is no such witness.
pub fn read_correctness_witness(text: &str) -> Result<Vec<Claim>, String> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
    let mut sets = entries
        .into_iter()
        .filter(|entry| entry.entry_type == "invariant_set")
        .peekable();
    if sets.peek().is_none() {
        return Err("it has no entry of the type `invariant_set`".to_string());
    }
    let invariants = sets
        .flat_map(|entry| entry.content)
        .filter_map(|element| element.invariant);
    let claim = |invariant: Invariant| Claim {
        // `1` may be written without quotes.
        expression: match invariant.value {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        },
        place: format!("line {}", invariant.location.line),
    };
    Ok(invariants.map(claim).collect())
}
