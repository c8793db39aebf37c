//! The values that a run has read, and running with them again.

use crate::c::Translation;
use crate::c::program::{Numeric, UnknownSource};
use crate::c::source_map::{Place, SourceMap, StepKind};
use crate::evidence::Derivation;
use crate::execution::{End, Request, run};
use crate::rules::Program;
use crate::terms::{ArrayValue, Assignment, Rational, Sort, TermId, Terms, Value};
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;
use std::collections::VecDeque;
use std::sync::Arc;

/// A run on other rules may take so many times the steps of the first one, as there may be more rules to the same way.
const STEPS_FACTOR: u64 = 64;
const STEPS_MORE: u64 = 100_000;

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
    for step in &derivation.steps {
        let Some(source) = translation.map.rules.get(step.rule.index()) else {
            continue;
        };
        if !source
            .steps
            .iter()
            .any(|step| matches!(step.kind, StepKind::Input { .. }))
        {
            continue;
        }
        let values: Assignment = step.values.iter().cloned().collect();
        for step in &source.steps {
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

/// Runs the other rules for the same program with the values that a derivation has read. A value that these rules read and
/// the derivation does not have is zero: any value is one that the program may read. The run into the error, if it gets
/// there.
pub(super) fn run_again(from: &Translation, derivation: &Derivation, to: &Translation) -> Option<Derivation> {
    let mut recorded: HashMap<(Place, String), VecDeque<Option<Value>>> = HashMap::new();
    for read in values_read(from, derivation) {
        recorded
            .entry((read.place, read.variable))
            .or_default()
            .push_back(read.value);
    }
    let asked = asked(&to.program, &to.map);
    let mut inputs = |request: &Request| {
        let terms = &to.program.terms;
        let sort = terms.sort_of_id(terms.sort(request.variable));
        let Some((key, numeric)) = asked.get(&(request.rule.index(), request.variable)) else {
            return Some(terms.default_value(terms.sort(request.variable)));
        };
        let value = recorded.get_mut(key).and_then(VecDeque::pop_front).flatten();
        let value = value.unwrap_or_else(|| terms.default_value(terms.sort(request.variable)));
        Some(in_range(terms, value, sort, *numeric))
    };
    let limit = STEPS_MORE.saturating_add((derivation.steps.len() as u64).saturating_mul(STEPS_FACTOR));
    let finished = run(&to.program, Some(&inputs_of(&to.map)), &mut inputs, limit);
    (finished.end == End::Error).then_some(finished.derivation)
}

type Asked = HashMap<(usize, TermId), ((Place, String), Numeric)>;

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
