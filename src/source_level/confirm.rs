//! The values that a run has read, and running with them again.

use super::order::parts;
use crate::c::Translation;
use crate::c::program::{Numeric, UnknownSource};
use crate::c::source_map::{Place, SourceMap, StepKind};
use crate::evidence::Derivation;
use crate::execution::{End, Machine, Progress, Request};
use crate::leaps::Recorder;
use crate::rules::{Program, RuleId};
use crate::terms::{ArrayValue, Assignment, Float, Rational, Sort, TermId, Terms, Value};
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;
use std::sync::Arc;

/// A run on other rules may take so many times the steps of the first one, as there may be more rules to the same way.
const STEPS_FACTOR: u64 = 64;
const STEPS_MORE: u64 = 100_000;
/// How many steps pass between two questions whether to stop.
const STEPS_BETWEEN_LOOKS: u64 = 256;

/// An unknown value that a run has read.
#[derive(Clone, Debug)]
pub struct ReadValue {
    /// Where.
    pub place: Place,
    /// The C name of the variable that got it.
    pub variable: String,
    /// Where it comes from.
    pub source: UnknownSource,
    /// Its type, or that of the elements.
    pub numeric: Numeric,
    /// The value; `None` where any would do.
    pub value: Option<Value>,
}

/// The inputs of each rule, by the rule's index, in the order in which they are read: for [`run`](crate::execution::run).
pub fn inputs_of(map: &SourceMap) -> Vec<Vec<TermId>> {
    let inputs = |rule: &crate::c::source_map::RuleSource| {
        let of_step = |step: &crate::c::source_map::Step| match &step.kind {
            StepKind::Input { value, .. } => Some(*value),
            _ => None,
        };
        rule.steps.iter().filter_map(of_step).collect()
    };
    map.rules.iter().map(inputs).collect()
}

/// The unknown values that a derivation has read, in order.
pub fn values_read(translation: &Translation, derivation: &Derivation) -> Vec<ReadValue> {
    let mut read = Vec::new();
    for part in parts(translation, derivation) {
        let step = &derivation.steps[part.step];
        let Some(source) = translation.map.rules.get(step.rule.index()) else {
            continue;
        };
        let steps = &source.steps[part.steps];
        if !steps.iter().any(|step| matches!(step.kind, StepKind::Input { .. })) {
            continue;
        }
        let values: Assignment = step.values.iter().cloned().collect();
        for step in steps {
            if let StepKind::Input {
                variable,
                source,
                value,
                numeric,
            } = &step.kind
            {
                read.push(ReadValue {
                    place: step.place,
                    variable: variable.clone(),
                    source: source.clone(),
                    numeric: *numeric,
                    value: translation.program.terms.evaluate(*value, &values),
                });
            }
        }
    }
    read
}

/// The error that a run on other rules for the same program reaches when it reads the values that a derivation has read;
/// `None` if it does not reach one, or comes to what is not translated. Values that the derivation does not have are zero.
pub fn follow(from: &Translation, derivation: &Derivation, to: &Translation) -> Option<Derivation> {
    match run_again(from, derivation, to, &|| false) {
        Again::Error(again) => again
            .steps
            .last()
            .is_some_and(|last| !to.is_untranslated(last.rule))
            .then_some(again),
        Again::Undefined(_) | Again::Endless | Again::Otherwise => None,
    }
}

/// What came of a run with the values of another one.
pub(super) enum Again {
    /// It has reached the error.
    Error(Derivation),
    /// It has read the same values and ended before, after the place: by undefined behaviour, which is all that the two
    /// programs differ in.
    Undefined(Option<Place>),
    /// It has read the same values and gone on for longer than the first one.
    Endless,
    /// It has read other values, or has not been followed: nothing is known.
    Otherwise,
}

/// Runs the other rules for the same program with the values that a derivation has read. A value that these rules read and
/// the derivation does not have is zero: any value is one that the program may read. It is given up when `stop` says so.
pub(super) fn run_again(
    from: &Translation,
    derivation: &Derivation,
    to: &Translation,
    stop: &dyn Fn() -> bool,
) -> Again {
    let limit = STEPS_MORE.saturating_add((derivation.steps.len() as u64).saturating_mul(STEPS_FACTOR));
    run_with(&recorded(values_read(from, derivation)), limit, to, stop)
}

/// Values read, by where and into what, in order.
pub(super) fn recorded(read: Vec<ReadValue>) -> HashMap<Key, Vec<Option<Value>>> {
    let mut recorded: HashMap<Key, Vec<Option<Value>>> = HashMap::new();
    for read in read {
        let key = (read.place, read.variable);
        recorded.entry(key).or_default().push(read.value);
    }
    recorded
}

/// Runs rules with recorded values, for at most so many steps, and not when `stop` says so.
pub(super) fn run_with(
    recorded: &HashMap<Key, Vec<Option<Value>>>,
    limit: u64,
    to: &Translation,
    stop: &dyn Fn() -> bool,
) -> Again {
    // With several atoms in a body, what is handed back is not known yet where it is spoken of.
    if to.program.has_calls() {
        return Again::Otherwise;
    }
    let asked = asked(&to.program, &to.map);
    let terms = &to.program.terms;
    let inputs_of = inputs_of(&to.map);
    let mut machine = Machine::new(&to.program, Some(&inputs_of));
    let mut again = Recorder::new(&to.program);
    // How many of a place's values are used up, and what the rules of the current goal have asked for.
    let mut used: HashMap<Key, usize> = HashMap::new();
    let mut requests: Vec<(RuleId, Key)> = Vec::new();
    let mut is_same = true;
    for step in 0..limit {
        if step.is_multiple_of(STEPS_BETWEEN_LOOKS) && stop() {
            return Again::Otherwise;
        }
        requests.clear();
        let progress = machine.step(&mut |request: &Request| {
            let sort = terms.sort(request.variable);
            let default = terms.default_value(sort);
            let Some((key, numeric)) = asked.get(&(request.rule.index(), request.variable)) else {
                return Some(default);
            };
            let before = requests
                .iter()
                .filter(|(rule, other)| *rule == request.rule && other == key)
                .count();
            let position = used.get(key).copied().unwrap_or(0) + before;
            requests.push((request.rule, key.clone()));
            let value = recorded
                .get(key)
                .and_then(|values| values.get(position).cloned().flatten());
            let value = value.unwrap_or(default);
            let possible = in_range(terms, value.clone(), terms.sort_of_id(sort), *numeric);
            is_same &= possible == value;
            Some(possible)
        });
        match progress {
            Progress::Applied(rule) => {
                for (_, key) in requests.iter().filter(|(asking, _)| *asking == rule) {
                    *used.entry(key.clone()).or_default() += 1;
                }
                again.record(&mut machine, rule);
            }
            Progress::Ended(End::Error) => return Again::Error(again.into_derivation()),
            Progress::Ended(End::Ended) if is_same => return Again::Undefined(last_place(again.derivation(), &to.map)),
            Progress::Ended(_) => return Again::Otherwise,
        }
    }
    match is_same {
        true => Again::Endless,
        false => Again::Otherwise,
    }
}

/// The place at which a derivation into the error ends.
pub(super) fn last_place(derivation: &Derivation, map: &SourceMap) -> Option<Place> {
    let mut steps = derivation.steps.iter().rev();
    steps.find_map(|step| Some(map.rules.get(step.rule.index())?.steps.last()?.place))
}

/// What tells reads apart: the place, and what is read into.
pub(super) type Key = (Place, String);

type Asked = HashMap<(usize, TermId), (Key, Numeric)>;

/// What each input of each rule stands for.
fn asked(program: &Program, map: &SourceMap) -> Asked {
    let mut asked = HashMap::new();
    for (index, rule) in map.rules.iter().enumerate().take(program.rules().len()) {
        for step in &rule.steps {
            if let StepKind::Input {
                variable,
                value,
                numeric,
                ..
            } = &step.kind
            {
                asked.insert((index, *value), ((step.place, variable.clone()), *numeric));
            }
        }
    }
    asked
}

/// The value brought into the range of its type, and made one of its sort.
fn in_range(terms: &Terms, value: Value, sort: Sort, numeric: Numeric) -> Value {
    match (value, sort) {
        (Value::Number(number), Sort::Int) => Value::Number(wrapped(&number, numeric)),
        (Value::Number(number), Sort::Real) => Value::Number(number),
        (Value::Number(number), Sort::Float(format)) => Value::Float(Float::nearest(format, &number)),
        (Value::Array(array), Sort::Array(_, element)) if terms.sort_of_id(element) == Sort::Int => {
            let wrap = |value: &Value| match value {
                Value::Number(number) => Value::Number(wrapped(number, numeric)),
                other => other.clone(),
            };
            let default = wrap(&array.default);
            let elements = array
                .elements
                .iter()
                .map(|(index, element)| (index.clone(), wrap(element)));
            let elements = elements.filter(|(_, element)| *element != default).collect();
            Value::Array(Arc::new(ArrayValue { default, elements }))
        }
        (value, _) => value,
    }
}

fn wrapped(number: &Rational, numeric: Numeric) -> Rational {
    let whole = number.floor().to_integer();
    let Numeric::Integer(kind) = numeric else {
        return Rational::from_integer(whole);
    };
    let (minimum, maximum) = (kind.minimum(), kind.maximum());
    if minimum <= whole && whole <= maximum {
        return Rational::from_integer(whole);
    }
    let size: BigInt = &maximum - &minimum + 1;
    let offset = if size.is_zero() {
        whole
    } else {
        (whole - &minimum).mod_floor(&size) + &minimum
    };
    Rational::from_integer(offset)
}
