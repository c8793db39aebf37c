//! What `scanf` and its kin have read into variables, for the [harness](super): a call in whose place the recorded values are
//! assigned, so that it does not matter what the compiled program has on its standard input, nor whether the call is a
//! statement or a part of a condition.

use super::{ReadValue, Site, Writer, value};
use crate::c::program::UnknownSource;
use crate::c::syntax::Span;
use crate::terms::{Rational, Value};
use num_traits::ToPrimitive;

/// One call's result, if it was looked at, and what went into the first of its targets.
#[derive(Default)]
struct Reading {
    result: Option<Value>,
    into: Vec<Option<Value>>,
}

impl Writer<'_> {
    /// Puts in what was read into variables; the values that are left are those of other places, and of calls of which it is not
    /// known what went where.
    pub(super) fn scans(&mut self, mut read: Vec<ReadValue>) -> Vec<ReadValue> {
        let mut spans: Vec<Span> = Vec::new();
        for value in &read {
            if matches!(value.source, UnknownSource::ReadBy(_)) && !spans.contains(&value.place.span) {
                spans.push(value.place.span);
            }
        }
        spans.retain(|span| {
            let of_call: Vec<&ReadValue> = read.iter().filter(|value| value.place.span == *span).collect();
            self.scan(*span, &of_call)
        });
        read.retain(|value| !spans.contains(&value.place.span));
        read
    }

    fn scan(&mut self, span: Span, values: &[&ReadValue]) -> bool {
        let Some(call) = self.found.calls.get(&span).filter(|call| !call.has_effects) else {
            return false;
        };
        let first = match call.name.map(|name| name.trim_start_matches("__isoc99_")) {
            Some("scanf") => 1,
            Some("fscanf") => 2,
            _ => return false,
        };
        let targets = call.arguments.get(first..).unwrap_or_default();
        let Some(readings) = readings(values, targets.len()) else {
            return false;
        };
        let mut after = " : (".to_string();
        for (position, target) in targets.iter().enumerate() {
            let into = |reading: &Reading| reading.into.get(position).cloned();
            let is_read = readings.iter().map(|reading| truth(into(reading).is_some())).collect();
            let is_read = self.site(is_read);
            let read = self.site(readings.iter().filter_map(into).collect());
            let target = format!("*({})", self.piece(*target));
            after.push_str(&format!(
                "({} ? (clausal_ignored({target} = (__typeof__({target})){}), 0) : 0), ",
                value(is_read),
                value(read),
            ));
        }
        let results = self.site(readings.into_iter().map(|reading| reading.result).collect());
        after.push_str(&format!("(int){}))", value(results)));
        self.around(span, "(0 ? ".to_string(), after);
        true
    }

    fn site(&mut self, values: Vec<Option<Value>>) -> usize {
        self.sites.push(Site {
            is_pointer: false,
            values,
        });
        self.sites.len() - 1
    }
}

fn truth(is_true: bool) -> Option<Value> {
    Some(Value::Number(Rational::from_integer(i32::from(is_true).into())))
}

/// What each of the calls at a place has read; `None` if that cannot be told.
fn readings(values: &[&ReadValue], targets: usize) -> Option<Vec<Reading>> {
    let mut readings: Vec<Reading> = Vec::new();
    let has_results = values
        .iter()
        .any(|value| matches!(value.source, UnknownSource::Call(_)));
    for read in values {
        match read.source {
            UnknownSource::Call(_) => readings.push(Reading {
                result: read.value.clone(),
                into: Vec::new(),
            }),
            UnknownSource::ReadBy(_) if !matches!(read.value, Some(Value::Array(_))) => {
                let is_full = |reading: &Reading| !has_results && reading.into.len() == targets;
                if readings.last().is_none_or(is_full) {
                    readings.push(Reading::default());
                }
                readings.last_mut()?.into.push(read.value.clone());
            }
            _ => return None,
        }
    }
    // Without a result all targets are read into, and otherwise as many as it says.
    let expected = |reading: &Reading| match &reading.result {
        Some(Value::Number(number)) => number.to_integer().to_usize().unwrap_or(0),
        _ => targets,
    };
    readings
        .iter()
        .all(|reading| reading.into.len() == expected(reading))
        .then_some(readings)
}
