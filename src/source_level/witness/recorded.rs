//! Reading witnesses of violations: the values that a run has read, and where.
//!
//! Of the waypoints to follow, what a call returned (`\\result == 5`) and assumptions on variables (`x == 5 && y == 2`) say so;
//! all else helps a search, but a run needs values alone. Whether a run with them fails is for the run to show.

use crate::terms::Rational;
use num_bigint::BigInt;
use num_traits::Num;
use serde::Deserialize;

/// Where a recorded value was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordedPlace {
    /// By a call whose closing parenthesis is there.
    Call {
        /// The line, from 1.
        line: u32,
        /// The column, from 1, if the witness tells it.
        column: Option<u32>,
    },
    /// Into a variable.
    Variable {
        /// The function that the variable belongs to, if the witness tells it.
        function: Option<String>,
        /// Its name.
        name: String,
    },
}

/// A value that a run has read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedInput {
    /// Where.
    pub place: RecordedPlace,
    /// The value.
    pub value: Rational,
}

/// What a witness tells of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedRun {
    /// The values in the order of reading.
    pub inputs: Vec<RecordedInput>,
    /// Constraints that say more, or something else, than which value was read.
    pub not_understood: Vec<String>,
}

#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    #[serde(default)]
    content: Vec<Element>,
}

/// One of the content of an entry; other kinds of entries have other ones.
#[derive(Deserialize)]
struct Element {
    #[serde(default)]
    segment: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    waypoint: Waypoint,
}

#[derive(Deserialize)]
struct Waypoint {
    #[serde(rename = "type")]
    kind: String,
    action: String,
    location: Location,
    constraint: Option<Constraint>,
}

#[derive(Deserialize)]
struct Location {
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

#[derive(Deserialize)]
struct Constraint {
    value: String,
}

/// Reads a witness of a violation (SV-COMP, format 2.0).
///
/// ```
/// use clausal::source_level::{RecordedPlace, read_violation_witness};
/// let text = "
/// - entry_type: violation_sequence
///   content:
///   - segment:
///     - waypoint: {type: assumption, action: follow, location: {line: 4, function: main}, constraint: {value: 'x == -3'}}
///   - segment:
///     - waypoint: {type: target, action: follow, location: {line: 9}}
/// ";
/// let run = read_violation_witness(text)?;
/// assert_eq!(run.inputs[0].value.to_string(), "-3");
/// let place = RecordedPlace::Variable { function: Some("main".to_string()), name: "x".to_string() };
/// assert_eq!(run.inputs[0].place, place);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What is wrong with the text, with its line and column, if it is no such witness.
pub fn read_violation_witness(text: &str) -> Result<RecordedRun, String> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
    let Some(entry) = entries
        .into_iter()
        .find(|entry| entry.entry_type == "violation_sequence")
    else {
        return Err("it has no entry of the type `violation_sequence`".to_string());
    };
    let mut run = RecordedRun::default();
    for step in entry.content.into_iter().flat_map(|element| element.segment) {
        let Waypoint {
            kind,
            action,
            location,
            constraint,
        } = step.waypoint;
        let Some(constraint) = constraint.filter(|_| action == "follow") else {
            continue;
        };
        let is_call = kind == "function_return";
        if !is_call && kind != "assumption" {
            continue;
        }
        for conjunct in constraint.value.split("&&") {
            match equation(conjunct) {
                Some((name, value)) if (name == RESULT) == is_call => run.inputs.push(RecordedInput {
                    place: match is_call {
                        true => RecordedPlace::Call {
                            line: location.line,
                            column: location.column,
                        },
                        false => RecordedPlace::Variable {
                            function: location.function.clone(),
                            name: name.to_string(),
                        },
                    },
                    value,
                }),
                _ => run.not_understood.push(conjunct.trim().to_string()),
            }
        }
    }
    Ok(run)
}

/// What a call returned, in a constraint.
const RESULT: &str = "\\result";

/// A name and the number it is equal to.
fn equation(text: &str) -> Option<(&str, Rational)> {
    let (left, right) = text.split_once("==")?;
    let [left, right] = [left, right].map(|side| side.trim_matches(|character: char| " \t()".contains(character)));
    let is_name = |text: &str| {
        let name = text.strip_prefix('\\').unwrap_or(text);
        let mut characters = name.chars();
        characters
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_')
            && characters.all(|character| character.is_alphanumeric() || character == '_')
    };
    match (is_name(left), is_name(right)) {
        (true, false) => Some((left, number(right)?)),
        (false, true) => Some((right, number(left)?)),
        _ => None,
    }
}

/// A number as C writes it.
fn number(text: &str) -> Option<Rational> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits.trim_start()),
        None => (1, text),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => Rational::from_integer(BigInt::from_str_radix(digits, 16).ok()?),
        None => digits.parse().ok()?,
    };
    Some(value * Rational::from_integer(sign.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(kind: &str, constraint: &str) -> String {
        format!(
            "- entry_type: violation_sequence\n  content:\n  - segment:\n    - waypoint:\n        type: {kind}\n        \
             action: follow\n        location: {{file_name: a.c, line: 3, column: 9}}\n        constraint: {{value: '{constraint}'}}\n"
        )
    }

    #[test]
    fn values_are_found_in_either_form() {
        let read = |kind: &str, constraint: &str| {
            let run = read_violation_witness(&segment(kind, constraint)).expect("it is a witness");
            let values = run.inputs.iter().map(|input| input.value.to_string());
            (values.collect::<Vec<_>>().join(" "), run.not_understood.len())
        };
        assert_eq!(read("function_return", "(\\result == 0x1FUL)"), ("31".to_string(), 0));
        assert_eq!(read("function_return", "- 5 == \\result"), ("-5".to_string(), 0));
        assert_eq!(read("assumption", "(x == 5) && (y_1 == (-2))"), ("5 -2".to_string(), 0));
        assert_eq!(read("assumption", "x > 5 && x == y && y == 1"), ("1".to_string(), 2));
        assert_eq!(read("branching", "true"), (String::new(), 0));
        // An assumption says nothing of a call.
        assert_eq!(read("assumption", "\\result == 1"), (String::new(), 1));
    }

    #[test]
    fn what_is_no_witness_is_an_error() {
        for text in [
            "",
            "- entry_type: invariant_set\n  content: []\n",
            "{",
            "- 3",
            "a: &a [*a, *a]",
        ] {
            assert!(read_violation_witness(text).is_err(), "{text}");
        }
        let nested = "[".repeat(100_000);
        assert!(read_violation_witness(&nested).is_err());
        let missing = segment("assumption", "x == 1").replace("line: 3, ", "");
        let why = read_violation_witness(&missing).expect_err("it has no line");
        assert!(why.contains("line"), "{why}");
    }
}
