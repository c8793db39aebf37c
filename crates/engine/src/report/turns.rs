//! What was tried in turns: a table for people, and objects for machines.

use crate::engine::StopReason;
use crate::turns::{Turn, TurnEnd};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A table with a line for each method that had a turn, course by course, and the names of those that had none and of looks that found
/// nothing.
///
/// Rounds count from 0. Work is in units of some six microseconds, seconds are of the processor. The figures differ from run to run:
/// how much is done by a method that another one is ahead of depends on the machine.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::Options;
/// use clausal::report::turns_text;
/// use clausal::turns::{self, TurnRecord};
///
/// let source = "?- l(0). l(X) :- X < 9, l(X + 1). l(X) :- X > 9, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let options = Options { record: TurnRecord::kept(), ..Options::default() };
/// turns::verify(&program, &options);
/// assert!(turns_text(&options.record.turns()).starts_with("What was tried"));
/// ```
pub fn turns_text(turns: &[Turn]) -> String {
    let mut text = String::from("What was tried, in turns\n");
    let width = turns.iter().map(|turn| turn.method.len()).max().unwrap_or_default();
    let _ = writeln!(
        text,
        "  {:width$}  {:>5}  {:>11}  {:>7}",
        "method", "round", "work", "seconds"
    );
    let numbers: BTreeSet<u64> = turns.iter().map(|turn| turn.course).collect();
    for (place, number) in numbers.iter().enumerate() {
        if place > 0 {
            text.push_str("  then\n");
        }
        let in_course = || turns.iter().filter(|turn| turn.course == *number);
        let vain: Vec<&Turn> = in_course().filter(|turn| turn.end == TurnEnd::Nothing).collect();
        if !vain.is_empty() {
            let names: Vec<&str> = vain.iter().map(|turn| turn.method).collect();
            let seconds: f64 = vain.iter().filter_map(|turn| turn.seconds).sum();
            let _ = writeln!(text, "  looked in vain, {seconds:.2} s: {}", names.join(", "));
        }
        let (had_turns, had_none): (Vec<&Turn>, Vec<&Turn>) = in_course()
            .filter(|turn| turn.end != TurnEnd::Nothing)
            .partition(|turn| had_turn(turn));
        for turn in had_turns {
            let _ = writeln!(
                text,
                "  {:width$}  {:>5}  {:>11}  {:>7}  {}",
                turn.method,
                shown(turn.round),
                shown(turn.work),
                turn.seconds.map_or("-".to_string(), |seconds| format!("{seconds:.2}")),
                result(&turn.end),
            );
        }
        if !had_none.is_empty() {
            let names: Vec<&str> = had_none.iter().map(|turn| turn.method).collect();
            let _ = writeln!(text, "  without a turn: {}", names.join(", "));
        }
    }
    text
}

/// The same as a list of objects: `course`, `method`, `round`, `work`, `seconds` and `result`; what is not known is null.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::report::turns_json;
///
/// assert_eq!(turns_json(&[]), serde_json::json!([]));
/// ```
pub fn turns_json(turns: &[Turn]) -> Value {
    let object = |turn: &Turn| {
        json!({
            "course": turn.course,
            "method": turn.method,
            "round": turn.round,
            "work": turn.work,
            "seconds": turn.seconds,
            "result": result(&turn.end),
        })
    };
    turns.iter().map(object).collect()
}

/// Whether it did anything before another one had decided.
fn had_turn(turn: &Turn) -> bool {
    turn.work != Some(0) || turn.end != TurnEnd::Unknown(StopReason::Cancelled)
}

fn shown(number: Option<impl ToString>) -> String {
    number.map_or("-".to_string(), |number| number.to_string())
}

fn result(end: &TurnEnd) -> String {
    match end {
        TurnEnd::Safe => "SAFE".to_string(),
        TurnEnd::Unsafe => "UNSAFE".to_string(),
        TurnEnd::Unknown(StopReason::Cancelled) => "stopped".to_string(),
        TurnEnd::Unknown(reason) => reason.to_string(),
        TurnEnd::Nothing => "nothing".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(method: &'static str, work: u64, end: TurnEnd) -> Turn {
        Turn {
            course: 1,
            method,
            round: Some(2),
            work: Some(work),
            seconds: None,
            end,
        }
    }

    #[test]
    fn who_did_something_has_a_line_and_all_others_are_named() {
        let stopped = || TurnEnd::Unknown(StopReason::Cancelled);
        let look = Turn {
            seconds: Some(0.25),
            ..turn("samples", 0, TurnEnd::Nothing)
        };
        let turns = [
            look,
            turn("engine", 40, TurnEnd::Safe),
            turn("relations", 7, stopped()),
            turn("cells", 0, stopped()),
            Turn {
                course: 2,
                ..turn(
                    "phases",
                    0,
                    TurnEnd::Unknown(StopReason::NotSupported("loops".to_string())),
                )
            },
        ];
        let text = turns_text(&turns);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines[2], "looked in vain, 0.25 s: samples");
        assert_eq!(lines[3], "engine         2           40        -  SAFE");
        assert!(lines[4].ends_with("stopped"));
        assert_eq!(lines[5], "without a turn: cells");
        assert_eq!(lines[6], "then");
        assert!(lines[7].ends_with("not supported: loops"));
        assert_eq!(turns_json(&turns)[1]["result"], "SAFE");
    }
}
