//! States that a program comes to on random inputs, made small: what candidates are guessed from.
//!
//! Loops over a thousand elements say no more about cells than loops over six, and the programs that have them are mostly the same
//! for any bound. So large numbers become small ones before anything is run, numbers close to each other staying so. What holds in
//! such states is a guess about the original, and proved like any other.

use crate::execution::{Machine, Progress};
use crate::random::Generator;
use crate::rules::{PredicateId, Program, Rule};
use crate::steps::budget::BudgetWatch;
use crate::terms::{ArrayValue, Rational, Sort, SortId, TermId, Terms, Value};
use hashbrown::HashMap;
use num_traits::ToPrimitive;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Numbers from here to there are made small.
const LARGE: i64 = 12;
const LARGEST: i64 = 1_000_000;
/// Numbers at most so far from the last one of a group belong to it.
const CLOSE: i64 = 4;
/// What the first group's first number becomes, and how far the groups are from one another then.
const SMALL: i64 = 5;
const APART: i64 = 3;
/// How many runs there are, of how many steps, and how many states of a predicate are kept.
const RUNS: usize = 360;
const STEPS: usize = 400;
const STATES: usize = 260;
/// How many steps are taken in all.
const ALL_STEPS: usize = 60_000;
/// How often a rule is tried that reads inputs.
const ATTEMPTS: usize = 6;

/// Which numbers become which.
#[derive(Clone, Debug, Default)]
pub(super) struct Scale {
    /// The first number of each group, the last, and what the first becomes.
    groups: Vec<(i64, i64, i64)>,
}

impl Scale {
    fn new(program: &Program) -> Scale {
        let mut numbers: BTreeSet<i64> = BTreeSet::new();
        let roots: Vec<TermId> = program.rules().iter().flat_map(terms_of).collect();
        for term in program.terms.subterms(&roots) {
            let value = program.terms.number_value(term).filter(|value| value.is_integer());
            let size = value.and_then(|value| value.numer().to_i64()?.checked_abs());
            numbers.extend(size.filter(|size| (LARGE..=LARGEST).contains(size)));
        }
        let mut scale = Scale::default();
        let mut next = SMALL;
        for number in numbers {
            match scale.groups.last_mut() {
                Some((_, last, _)) if number - *last <= CLOSE => {
                    next += number - *last;
                    *last = number;
                }
                _ => {
                    scale.groups.push((number, number, next));
                    next += APART;
                }
            }
        }
        scale
    }

    /// What a number becomes. One that is not in the program, but close to one, becomes what is as close.
    pub fn of(&self, number: i64) -> i64 {
        let size = number.saturating_abs();
        let near = |first: i64, last: i64| size >= first - CLOSE && size <= last + CLOSE;
        let group = self.groups.iter().find(|(first, last, _)| near(*first, *last));
        match group {
            Some((first, _, small)) if size >= LARGE => (small + (size - first)) * number.signum(),
            _ => number,
        }
    }

    /// The program with small numbers.
    fn applied(&self, program: &Program) -> Program {
        let mut small = program.clone();
        let mut done: HashMap<TermId, TermId> = HashMap::new();
        let rules = small.rules().to_vec();
        let mut replaced = Program::new();
        replaced.terms = std::mem::take(&mut small.terms);
        for predicate in program.predicates().iter().skip(2) {
            let parameters = predicate.parameters.iter();
            let declared: Vec<(String, SortId)> = parameters
                .map(|one| (program.terms.variable_name(*one).to_string(), program.terms.sort(*one)))
                .collect();
            let declared: Vec<(&str, SortId)> = declared.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
            replaced.add_predicate(&predicate.name, predicate.point.as_deref(), &declared);
        }
        for mut rule in rules {
            let atoms = std::iter::once(&mut rule.head).chain(&mut rule.body);
            let terms = atoms.flat_map(|atom| &mut atom.arguments).chain(&mut rule.constraint);
            for term in terms {
                *term = replaced
                    .terms
                    .rewritten(*term, &mut done, |_, _| None, |terms, part| self.number(terms, part));
            }
            replaced.add_rule(rule);
        }
        replaced
    }

    fn number(&self, terms: &mut Terms, part: TermId) -> TermId {
        let value = terms.number_value(part).filter(|value| value.is_integer());
        let sort = terms.sort(part);
        match value.and_then(|value| value.numer().to_i64()) {
            Some(value) if sort == SortId::INT && self.of(value) != value => terms.integer(self.of(value)),
            _ => part,
        }
    }
}

fn terms_of(rule: &Rule) -> Vec<TermId> {
    let atoms = std::iter::once(&rule.head).chain(&rule.body);
    let arguments = atoms.flat_map(|atom| atom.arguments.iter().copied());
    arguments.chain(rule.constraint.iter().copied()).collect()
}

/// The states that were seen at each predicate, and how numbers were made small for them.
pub(super) struct Runs {
    pub states: Vec<Vec<Vec<Value>>>,
    pub scale: Scale,
}

/// Runs a program on random inputs, always the same ones.
pub(super) fn run(program: &Program, budget: &BudgetWatch<'_>) -> Runs {
    let scale = Scale::new(program);
    let small = scale.applied(program);
    let mut seen: Vec<BTreeSet<Vec<Value>>> = vec![BTreeSet::new(); program.predicates().len()];
    let mut states: Vec<Vec<Vec<Value>>> = vec![Vec::new(); program.predicates().len()];
    let mut steps = 0;
    let mut choice = Generator(1);
    for run in 0..RUNS {
        if steps > ALL_STEPS || budget.interruption().is_some() {
            break;
        }
        // A step is worth about a unit of work.
        budget.advance(steps as u64);
        let mut inputs = Inputs::new(run);
        let mut machine = Machine::new(&small, None);
        let mut visits: Vec<u64> = vec![0; program.predicates().len()];
        for _ in 0..STEPS {
            steps += 1;
            let mut is_applied = false;
            for _ in 0..ATTEMPTS {
                let first = choice.below(8) as usize;
                let progress = machine.step_from(first, &mut |request| {
                    Some(inputs.value(&small.terms, small.terms.sort(request.variable)))
                });
                is_applied = matches!(progress, Progress::Applied(_));
                if is_applied {
                    break;
                }
            }
            let at = machine.predicate();
            if !is_applied || at == PredicateId::ERROR {
                break;
            }
            let index = at.index();
            visits[index] += 1;
            if states[index].len() < STATES && choice.below(visits[index].min(10)) < 2 {
                let values = machine.arguments();
                let is_whole = values.len() == program.predicate(at).parameters.len();
                if is_whole && seen[index].insert(values.clone()) {
                    states[index].push(values);
                }
            }
        }
    }
    Runs { states, scale }
}

/// How the inputs of a run are chosen.
struct Inputs {
    random: Generator,
    kind: usize,
    last: i64,
}

impl Inputs {
    fn new(run: usize) -> Inputs {
        let mut random = Generator(run as u64 * 2 + 77);
        Inputs {
            kind: run % 6,
            last: random.below(5) as i64,
            random,
        }
    }

    fn number(&mut self) -> i64 {
        let mut within = |low: i64, high: i64| low + self.random.below((high - low + 1).unsigned_abs()) as i64;
        self.last = match self.kind {
            0 => within(0, 4),
            1 => within(-2, 7),
            2 => self.last + within(0, 2),
            3 => self.last - within(-1, 1),
            4 => within(0, 1) * within(1, 5),
            _ => within(-9, 9),
        };
        self.last
    }

    fn value(&mut self, terms: &Terms, sort: SortId) -> Value {
        match terms.sort_of_id(sort) {
            Sort::Int => Value::Number(Rational::from_integer(self.number().into())),
            Sort::Bool => Value::Bool(self.random.below(2) == 0),
            Sort::Array(SortId::INT, element) if matches!(terms.sort_of_id(element), Sort::Int | Sort::Bool) => {
                let mut array = ArrayValue {
                    default: self.value(terms, element),
                    elements: Default::default(),
                };
                for index in -1..10i64 {
                    let index = Value::Number(Rational::from_integer(index.into()));
                    array = array.with(index, self.value(terms, element));
                }
                Value::Array(Arc::new(array))
            }
            _ => terms.default_value(sort),
        }
    }
}

/// The whole number that a value is, if it is a small one; truth values are one and zero.
pub(super) fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) if number.is_integer() => {
            number.numer().to_i64().filter(|value| value.abs() < LARGEST * LARGEST)
        }
        Value::Bool(holds) => Some(i64::from(*holds)),
        _ => None,
    }
}
