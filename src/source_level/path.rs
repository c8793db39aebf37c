//! The path of a counterexample: what happens at which line, with the repetitions of loops folded.

use super::names::plain;
use super::order::{Part, parts};
use super::places::{Places, SourceLine};
use crate::c::Translation;
use crate::c::program::{ErrorKind, UnknownSource};
use crate::c::source_map::{Step, StepKind};
use crate::c::syntax::Span;
use crate::evidence::{Derivation, Repetition};
use crate::rules::PredicateId;
use crate::terms::{Assignment, TermId, Value};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// A loop with more turns than this is folded.
const TURNS: usize = 5;
/// So many turns are shown before the fold; after it, one.
const FIRST_TURNS: usize = 2;
/// A condition's text is cut here.
const CONDITION_WIDTH: usize = 60;

/// Something that happens on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathEvent {
    /// Where.
    pub place: SourceLine,
    /// The column there, from 1.
    pub column: usize,
    /// The function it is written in.
    pub function: String,
    /// How many calls of functions that recur are open.
    pub depth: usize,
    /// What: `x = 3`, `x < n is true`, `__VERIFIER_nondet_int() = 5`.
    pub text: String,
    /// The value, if it is one that the program read from outside.
    pub read: Option<String>,
    /// What kind of error it is, if it is one.
    pub error: Option<ErrorKind>,
}

/// A line of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathLine {
    /// Something happens.
    Event(PathEvent),
    /// So many more turns of a loop are left out.
    Turns(usize),
}

/// The path that a derivation takes through the program whose text this is.
pub fn path_of(translation: &Translation, derivation: &Derivation, text: &str, places: &Places<'_>) -> Vec<PathLine> {
    let parts = parts(translation, derivation);
    // A loop is one in one call; the same in another call is another one.
    let headers: Vec<Option<Header>> = parts
        .iter()
        .map(|part| {
            let step = derivation.steps.get(part.step).filter(|_| part.steps.start == 0)?;
            let predicate = translation.program.rules().get(step.rule.index())?.head.predicate;
            let source = translation.map.predicates.get(predicate.index())?.as_ref()?;
            source.is_loop_header.then_some((predicate, part.call))
        })
        .collect();
    let mut left_out = left_out(derivation, &parts, &headers);
    let mut lines = Vec::new();
    // Ranges of parts, and folds between them, still to be shown; the next one last. The flag tells that the range begins
    // with a visit of a header whose turns have been told apart already.
    let mut work = vec![Work::Steps(0..parts.len(), false)];
    while let Some(next) = work.pop() {
        let (range, divided) = match next {
            Work::Turns(count) => {
                lines.push(PathLine::Turns(count));
                continue;
            }
            Work::Steps(range, divided) => (range, divided),
        };
        match turns(&headers, &range, divided) {
            Some(visits) => work.extend(folded(range, &visits, &headers, &mut left_out).into_iter().rev()),
            None => {
                for position in range {
                    if let Some((_, turns)) = left_out.remove(&position) {
                        lines.push(PathLine::Turns(turns));
                    }
                    events(translation, derivation, &parts[position], text, places, &mut lines);
                }
            }
        }
    }
    lines
}

/// A loop header, and the call that it is visited in.
type Header = (PredicateId, usize);

/// The turns that a derivation does not write down: by the part that comes after them, the loop and how many turns of it they are.
type LeftOut = BTreeMap<usize, (Header, usize)>;

fn left_out(derivation: &Derivation, parts: &[Part], headers: &[Option<Header>]) -> LeftOut {
    let begin = |step: usize| parts.partition_point(|part| part.step < step);
    let turns = |repetition: &Repetition| {
        let position = begin(repetition.at);
        let written = &headers[begin(repetition.at.saturating_sub(repetition.length))..position];
        let header = written.iter().flatten().next()?;
        let visits = written.iter().filter(|other| **other == Some(*header)).count();
        let times = usize::try_from(repetition.times).unwrap_or(usize::MAX);
        Some((position, (*header, times.saturating_mul(visits))))
    };
    derivation.repetitions.iter().filter_map(turns).collect()
}

enum Work {
    Steps(Range<usize>, bool),
    Turns(usize),
}

/// The visits of the first loop header that is visited several times in a range.
fn turns(headers: &[Option<Header>], range: &Range<usize>, divided: bool) -> Option<Vec<usize>> {
    let start = range.start + usize::from(divided);
    // Of each header the first visit, once there is a second one.
    let mut first: HashMap<Header, usize> = HashMap::new();
    let again = (start..range.end).filter_map(|position| {
        let before = *first.entry(headers[position]?).or_insert(position);
        (before != position).then_some(before)
    });
    let begin = again.min()?;
    // The last visit leaves the loop.
    Some(
        (begin..range.end)
            .filter(|other| headers[*other] == headers[begin])
            .collect(),
    )
}

fn folded(range: Range<usize>, visits: &[usize], headers: &[Option<Header>], left_out: &mut LeftOut) -> Vec<Work> {
    let mut work = Vec::new();
    if let Some(first) = visits.first() {
        work.push(Work::Steps(range.start..*first, false));
    }
    let count = visits.len() - 1;
    for (turn, pair) in visits.windows(2).enumerate() {
        if count <= TURNS || turn < FIRST_TURNS || turn == count - 1 {
            work.push(Work::Steps(pair[0]..pair[1], true));
        } else if turn == FIRST_TURNS {
            let hidden = visits[FIRST_TURNS]..=visits[count - 1];
            let positions: Vec<usize> = left_out.range(hidden).map(|(position, _)| *position).collect();
            let more = positions.into_iter().filter_map(|position| left_out.remove(&position));
            let of_loop = more.filter(|(header, _)| headers[visits[0]] == Some(*header));
            let more = of_loop.fold(0usize, |sum, (_, turns)| sum.saturating_add(turns));
            work.push(Work::Turns(more.saturating_add(count - FIRST_TURNS - 1)));
        }
    }
    if let Some(last) = visits.last() {
        work.push(Work::Steps(*last..range.end, true));
    }
    work
}

fn events(
    translation: &Translation,
    derivation: &Derivation,
    part: &Part,
    text: &str,
    places: &Places<'_>,
    lines: &mut Vec<PathLine>,
) {
    let step = &derivation.steps[part.step];
    let Some(source) = translation.map.rules.get(step.rule.index()) else {
        return;
    };
    let values: Assignment = step.values.iter().cloned().collect();
    let mut allocation = None;
    for step in &source.steps[part.steps.clone()] {
        match step.kind {
            StepKind::Input {
                source: UnknownSource::Allocation | UnknownSource::Failure(_),
                ..
            } => allocation = Some(step.place.span),
            // What is done with the answer is no condition of the program's.
            StepKind::Condition { .. } if allocation == Some(step.place.span) => continue,
            _ => {}
        }
        let value = |term: TermId| translation.program.terms.evaluate(term, &values);
        let function = translation.map.functions.get(step.place.function as usize);
        let functions = &translation.map.functions;
        let Some((what, read)) = describe(step, &value, text, function.map_or("", String::as_str), functions) else {
            continue;
        };
        let (error, written) = match step.kind {
            StepKind::Error { kind, written, .. } => (Some(kind), written),
            _ => (None, None),
        };
        let span = written.unwrap_or(step.place.span);
        lines.push(PathLine::Event(PathEvent {
            place: places.of(span),
            column: places.column(span.start as usize),
            function: function.cloned().unwrap_or_default(),
            depth: part.depth,
            text: what,
            read,
            error,
        }));
    }
}

/// What happens at a step, and the value if one is read from outside.
fn describe(
    step: &Step,
    value: &dyn Fn(TermId) -> Option<Value>,
    text: &str,
    function: &str,
    functions: &[String],
) -> Option<(String, Option<String>)> {
    let shown = |term: TermId| value(term).map_or("?".to_string(), |value| value_text(&value));
    Some(match &step.kind {
        StepKind::Assign { variable, index, value } => {
            let variable = plain(variable, function);
            let variable = match index {
                Some(index) => element_name(&variable, &shown(*index)),
                None => variable,
            };
            (format!("{variable} = {}", shown(*value)), None)
        }
        StepKind::Input {
            variable,
            source,
            value: term,
            ..
        } => {
            let read = value(*term).map_or("any value".to_string(), |value| value_text(&value));
            let what = match source {
                UnknownSource::Call(function) => format!("{function}() = {read}"),
                UnknownSource::ReadBy(by) => format!("{} = {read} (read by {by}())", plain(variable, function)),
                UnknownSource::Failure(by) => {
                    let result = if read == "0" { "does not fail" } else { "fails" };
                    return Some((format!("{by}() {result}"), None));
                }
                UnknownSource::Uninitialized => format!("{} = {read} (uninitialized)", plain(variable, function)),
                UnknownSource::Allocation => {
                    let result = if read == "0" { "returns null" } else { "has memory" };
                    return Some((format!("{} {result}", source_text(text, step.place.span)), None));
                }
                UnknownSource::NotCalculated(what) => format!("{what} = {read} (not calculated)"),
                UnknownSource::Outside => format!("{} = {read} (from outside)", source_text(text, step.place.span)),
            };
            (what, Some(read))
        }
        StepKind::Condition { holds } => (format!("{} is {holds}", source_text(text, step.place.span)), None),
        StepKind::Print(terms) => {
            let values: Vec<String> = terms.iter().map(|term| shown(*term)).collect();
            (format!("prints {}", values.join(", ")), None)
        }
        StepKind::Leave => return None,
        StepKind::Call {
            function: called,
            arguments,
        }
        | StepKind::Enter {
            function: called,
            arguments,
        } => {
            let arguments = arguments.iter();
            let arguments: Vec<String> = arguments
                .map(|(name, value)| format!("{name} = {}", shown(*value)))
                .collect();
            let called = functions.get(*called as usize).map_or("", String::as_str);
            (format!("calls {called}({})", arguments.join(", ")), None)
        }
        StepKind::Return { result } => match result {
            Some(result) => (format!("{function} returns {}", shown(*result)), None),
            None => (format!("{function} returns"), None),
        },
        StepKind::Error { kind, text, values, .. } => {
            let told = text
                .as_ref()
                .map(|text| filled(text, &mut values.iter().map(|value| shown(*value))));
            (told.unwrap_or_else(|| error_text(*kind).to_string()), None)
        }
    })
}

/// `a[]` or `a` with its index put in.
pub(super) fn element_name(variable: &str, index: &str) -> String {
    match variable.split_once("[]") {
        Some((before, after)) => format!("{before}[{index}]{after}"),
        None => format!("{variable}[{index}]"),
    }
}

/// What kind of error it is, for people.
pub(super) fn error_text(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Reached => "the error is reached",
        ErrorKind::Overflow => "a signed operation overflows",
        ErrorKind::Bounds => "an access is outside its object",
        ErrorKind::DivisionByZero => "a division by zero",
        ErrorKind::NullPointer => "a pointer that points to nothing is followed",
        ErrorKind::UseAfterFree => "memory is used after it was freed",
        ErrorKind::Dangling => "a variable is used whose block or function has been left",
        ErrorKind::InvalidFree => "what is freed is not the start of allocated memory",
        ErrorKind::DoubleFree => "memory is freed twice",
        ErrorKind::LiteralWrite => "what cannot be changed is written",
        ErrorKind::Shift => "a shift has no defined result",
        ErrorKind::Uninitialized => "a variable is read that has no value",
        ErrorKind::PointerArithmetic => "a pointer leaves its object",
        ErrorKind::Unreachable => "what is said not to be reached is reached",
        ErrorKind::Conversion => "a floating-point number is converted to an integer type that does not have it",
        ErrorKind::NotTranslated => "what is not translated is reached",
        ErrorKind::Overlap => "memory that overlaps is copied",
        ErrorKind::Call => "a function is called as another type than its own",
        ErrorKind::NotFreed => "the program ends, and memory that it allocated has not been freed",
    }
}

/// A text with its values put in.
fn filled(text: &str, values: &mut dyn Iterator<Item = String>) -> String {
    let mut parts = text.split("{}");
    let mut filled = parts.next().unwrap_or_default().to_string();
    for part in parts {
        filled.push_str(&values.next().unwrap_or_else(|| "?".to_string()));
        filled.push_str(part);
    }
    filled
}

/// A value in C's terms; of an array, the elements from 0 on and then the rest, or those that differ from it.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::Array(array) => {
            if let Some(places) = array.from_zero() {
                let places: String = places
                    .into_iter()
                    .map(|value| format!("{}, ", value_text(value)))
                    .collect();
                return format!("{{{places}{}, …}}", value_text(&array.default));
            }
            let elements = array.elements.iter();
            let mut parts: Vec<String> = elements
                .map(|(index, value)| format!("[{index}] = {}", value_text(value)))
                .collect();
            parts.push(format!("otherwise {}", value_text(&array.default)));
            format!("{{{}}}", parts.join(", "))
        }
        other => other.to_string(),
    }
}

/// The text at a span on one line, without the line markers of the preprocessor, cut if it is long.
pub(super) fn source_text(text: &str, span: Span) -> String {
    let piece = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let lines = piece.lines().filter(|line| !line.trim_start().starts_with('#'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let line = words.join(" ");
    if line.chars().count() <= CONDITION_WIDTH {
        return line;
    }
    let cut: String = line.chars().take(CONDITION_WIDTH).collect();
    format!("{cut}…")
}
