//! Random programs over arrays, of numbers and of values of a datatype, against an oracle of its own: all runs, one state after
//! another. Nothing of it is shared with the library. What is read is between bounds, so that where arrays begin with one value
//! everywhere, the oracle sees all runs, and knows of both verdicts whether they are right; where they begin with anything, it sees
//! some, and an error that it finds is one.

use crate::asked::asked;
use crate::random::Random;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::time::Duration;

/// With more states than this, runs are not all seen.
const MOST_STATES: usize = 3_000;

/// What is read is from 0 up to this.
const MOST_READ: i64 = 2;

/// A number in a rule.
#[derive(Clone, Debug)]
enum Number {
    Constant(i64),
    /// The counter and so much more.
    Counter(i64),
    /// The other number.
    Other,
    /// What the rule reads.
    Read,
    /// What is inside of the element that the rule takes apart.
    Inside,
    /// An element of the array of numbers.
    Element(Box<Number>),
}

/// An element of the array of cells.
#[derive(Clone, Debug)]
enum Cell {
    None,
    Some(Number),
    At(Number),
}

#[derive(Clone, Debug)]
enum Guard {
    Compared(Number, &'static str, Number),
    Cells(Cell, &'static str, Cell),
    /// Whether writing a number changes nothing: arrays are compared as a whole.
    Unchanged(&'static str, Number, Number),
}

#[derive(Clone, Debug)]
struct Rule {
    from: usize,
    guards: Vec<Guard>,
    reads: bool,
    /// Where an element is that has to have a number inside.
    taken_apart: Option<Number>,
    /// Where it leads, with which numbers, and what is written; into the error without.
    to: Option<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    to: usize,
    counter: Number,
    other: Number,
    number: Option<(Number, Number)>,
    cell: Option<(Number, Cell)>,
}

struct Start {
    counter: i64,
    /// What all elements are at first; anything if it is not said.
    numbers: Option<i64>,
    cells: Option<Option<i64>>,
}

/// An array: what all elements are, and those that are not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Array<T> {
    default: T,
    elements: BTreeMap<i64, T>,
}

impl<T: Clone + PartialEq> Array<T> {
    fn all(default: T) -> Array<T> {
        let elements = BTreeMap::new();
        Array { default, elements }
    }

    fn get(&self, index: i64) -> T {
        self.elements.get(&index).unwrap_or(&self.default).clone()
    }

    fn with(&self, index: i64, value: T) -> Array<T> {
        let mut changed = self.clone();
        match value == self.default {
            true => changed.elements.remove(&index),
            false => changed.elements.insert(index, value),
        };
        changed
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    at: usize,
    counter: i64,
    other: i64,
    numbers: Array<i64>,
    cells: Array<Option<i64>>,
}

/// What the runs of a program show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observed {
    /// One of them ends in the error.
    Error,
    /// None does, and these are all.
    None,
    /// None of those that were seen does.
    Open,
}

/// A random program as a text, and what its runs show.
pub struct RandomProgram {
    pub text: String,
    pub observed: Observed,
}

/// The program of a seed.
pub fn generate(seed: u64) -> RandomProgram {
    let random = &mut Random::new(seed);
    let predicates = random.between(1, 3) as usize;
    let numbers = random.percent(70).then(|| random.between(0, 2));
    let inside = random.percent(40).then(|| random.between(0, 1));
    let start = Start {
        counter: random.between(0, 1),
        numbers,
        cells: random.percent(80).then_some(inside),
    };
    let mut rules = Vec::new();
    for from in 0..predicates {
        // Something like a loop that counts up, a way on, and a way into the error.
        rules.push(rule(random, from, Some((from, true))));
        if random.percent(40) {
            let counts = random.percent(70);
            rules.push(rule(random, from, Some((from, counts))));
        }
        if from + 1 < predicates {
            rules.push(rule(random, from, Some((from + 1, false))));
        }
        if from + 1 == predicates || random.percent(30) {
            rules.push(rule(random, from, None));
        }
    }
    let sorts = "(int, int, array(int, int), array(int, cell))";
    let mut lines = vec![":- type cell ---> none ; some(int).".to_string()];
    lines.extend((0..predicates).map(|predicate| format!(":- pred p{predicate}{sorts}.")));
    lines.push(start.to_string());
    lines.extend(rules.iter().map(Rule::to_string));
    RandomProgram {
        text: lines.join("\n"),
        observed: observe(&start, &rules),
    }
}

/// A rule that leads to a predicate, counting on or not, or into the error.
fn rule(random: &mut Random, from: usize, to: Option<(usize, bool)>) -> Rule {
    let reads = random.percent(35);
    let taken_apart = random.percent(25).then(|| index(random));
    let known = Known {
        reads,
        inside: taken_apart.is_some(),
    };
    let limit = Number::Constant(random.between(1, 4));
    let mut guards = Vec::new();
    match to {
        Some((_, true)) => guards.push(Guard::Compared(Number::Counter(0), "<", limit)),
        _ if random.percent(60) => guards.push(Guard::Compared(Number::Counter(0), ">=", limit)),
        _ => {}
    }
    for _ in 0..random.between(0, 1) + i64::from(to.is_none()) {
        guards.push(guard(random, known));
    }
    let step = to.map(|(to, counts)| Step {
        to,
        counter: match counts {
            true => Number::Counter(1),
            false if random.percent(70) => Number::Constant(0),
            false => Number::Counter(0),
        },
        other: match random.percent(50) {
            true => Number::Other,
            false => number(random, known),
        },
        number: random.percent(60).then(|| (index(random), number(random, known))),
        cell: random.percent(50).then(|| {
            let cell = match random.percent(75) {
                true => Cell::Some(number(random, known)),
                false => Cell::None,
            };
            (index(random), cell)
        }),
    });
    Rule {
        from,
        guards,
        reads,
        taken_apart,
        to: step,
    }
}

/// Which variables a rule has beside those of its head.
#[derive(Clone, Copy)]
struct Known {
    reads: bool,
    inside: bool,
}

fn index(random: &mut Random) -> Number {
    match random.between(0, 5) {
        0 => Number::Constant(random.between(0, 2)),
        1 => Number::Other,
        2 => Number::Counter(-1),
        _ => Number::Counter(0),
    }
}

fn number(random: &mut Random, known: Known) -> Number {
    match random.between(0, 7) {
        0 if known.reads => Number::Read,
        1 | 2 if known.inside => Number::Inside,
        0..=2 => Number::Constant(random.between(0, 3)),
        3 => Number::Counter(random.between(-1, 1)),
        4 => Number::Other,
        5 if known.reads => Number::Read,
        _ => Number::Element(Box::new(index(random))),
    }
}

fn guard(random: &mut Random, known: Known) -> Guard {
    let equality = random.pick(&["=", "\\="]);
    match random.between(0, 9) {
        0..=2 => {
            let other = match random.between(0, 2) {
                0 => Cell::None,
                1 => Cell::Some(number(random, known)),
                _ => Cell::At(index(random)),
            };
            Guard::Cells(Cell::At(index(random)), equality, other)
        }
        3 => Guard::Unchanged(equality, index(random), number(random, known)),
        _ => {
            let relation = random.pick(&["=", "\\=", "<", "=<", ">", ">="]);
            let element = Number::Element(Box::new(index(random)));
            Guard::Compared(element, relation, number(random, known))
        }
    }
}

/// What the runs show.
fn observe(start: &Start, rules: &[Rule]) -> Observed {
    let is_all = start.numbers.is_some() && start.cells.is_some();
    let (zero, nothing) = (Array::all(0), Array::all(None));
    let some_numbers = [Array::all(1), zero.with(0, 2).with(1, 1).with(2, -1), zero];
    let some_cells = [nothing.with(0, Some(1)).with(1, Some(2)), Array::all(Some(0)), nothing];
    let numbers = start.numbers.map_or(some_numbers.to_vec(), |all| vec![Array::all(all)]);
    let cells = start.cells.map_or(some_cells.to_vec(), |all| vec![Array::all(all)]);
    let mut stack: Vec<State> = Vec::new();
    for numbers in &numbers {
        for cells in &cells {
            stack.extend((0..=MOST_READ).map(|other| State {
                at: 0,
                counter: start.counter,
                other,
                numbers: numbers.clone(),
                cells: cells.clone(),
            }));
        }
    }
    let mut seen: HashSet<State> = HashSet::new();
    while let Some(state) = stack.pop() {
        if seen.len() > MOST_STATES {
            return Observed::Open;
        }
        if !seen.insert(state.clone()) {
            continue;
        }
        for rule in rules.iter().filter(|rule| rule.from == state.at) {
            for read in 0..=(if rule.reads { MOST_READ } else { 0 }) {
                match rule.applied(&state, read) {
                    Applied::Not => {}
                    Applied::Error => return Observed::Error,
                    Applied::To(next) => stack.push(next),
                }
            }
        }
    }
    if is_all { Observed::None } else { Observed::Open }
}

enum Applied {
    Not,
    Error,
    To(State),
}

/// A state and the values of what a rule has beside it.
struct Values<'a> {
    state: &'a State,
    read: i64,
    inside: i64,
}

impl Values<'_> {
    fn number(&self, number: &Number) -> i64 {
        match number {
            Number::Constant(value) => *value,
            Number::Counter(more) => self.state.counter + more,
            Number::Other => self.state.other,
            Number::Read => self.read,
            Number::Inside => self.inside,
            Number::Element(index) => self.state.numbers.get(self.number(index)),
        }
    }

    fn cell(&self, cell: &Cell) -> Option<i64> {
        match cell {
            Cell::None => None,
            Cell::Some(inside) => Some(self.number(inside)),
            Cell::At(index) => self.state.cells.get(self.number(index)),
        }
    }

    fn holds(&self, guard: &Guard) -> bool {
        match guard {
            Guard::Compared(left, relation, right) => {
                let (left, right) = (self.number(left), self.number(right));
                match *relation {
                    "=" => left == right,
                    "\\=" => left != right,
                    "<" => left < right,
                    "=<" => left <= right,
                    ">" => left > right,
                    _ => left >= right,
                }
            }
            Guard::Cells(left, relation, right) => (self.cell(left) == self.cell(right)) == (*relation == "="),
            Guard::Unchanged(relation, index, value) => {
                let numbers = &self.state.numbers;
                let written = numbers.with(self.number(index), self.number(value));
                (written == *numbers) == (*relation == "=")
            }
        }
    }
}

impl Rule {
    fn applied(&self, state: &State, read: i64) -> Applied {
        let mut values = Values { state, read, inside: 0 };
        if let Some(index) = &self.taken_apart {
            match state.cells.get(values.number(index)) {
                Some(inside) => values.inside = inside,
                None => return Applied::Not,
            }
        }
        if !self.guards.iter().all(|guard| values.holds(guard)) {
            return Applied::Not;
        }
        let Some(step) = &self.to else {
            return Applied::Error;
        };
        let mut next = State {
            at: step.to,
            counter: values.number(&step.counter),
            other: values.number(&step.other),
            ..state.clone()
        };
        if let Some((index, value)) = &step.number {
            next.numbers = state.numbers.with(values.number(index), values.number(value));
        }
        if let Some((index, cell)) = &step.cell {
            next.cells = state.cells.with(values.number(index), values.cell(cell));
        }
        Applied::To(next)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Constant(value) => write!(out, "{value}"),
            Number::Counter(0) => write!(out, "I"),
            Number::Counter(more) if *more < 0 => write!(out, "I - {}", -more),
            Number::Counter(more) => write!(out, "I + {more}"),
            Number::Other => write!(out, "X"),
            Number::Read => write!(out, "R"),
            Number::Inside => write!(out, "V"),
            Number::Element(index) => write!(out, "A[{index}]"),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::None => write!(out, "none"),
            Cell::Some(inside) => write!(out, "some({inside})"),
            Cell::At(index) => write!(out, "C[{index}]"),
        }
    }
}

impl Guard {
    fn text(&self) -> String {
        match self {
            Guard::Compared(left, relation, right) => format!("{left} {relation} {right}"),
            Guard::Cells(left, relation, right) => format!("{left} {relation} {right}"),
            Guard::Unchanged(relation, index, value) => format!("store(A, {index}, {value}) {relation} A"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut body = Vec::new();
        if self.reads {
            body.push(format!("R >= 0, R =< {MOST_READ}"));
        }
        body.extend(self.taken_apart.iter().map(|index| format!("C[{index}] = some(V)")));
        body.extend(self.guards.iter().map(Guard::text));
        body.push(match &self.to {
            None => "error".to_string(),
            Some(step) => {
                let numbers = match &step.number {
                    Some((index, value)) => format!("store(A, {index}, {value})"),
                    None => "A".to_string(),
                };
                let cells = match &step.cell {
                    Some((index, cell)) => format!("store(C, {index}, {cell})"),
                    None => "C".to_string(),
                };
                format!("p{}({}, {}, {numbers}, {cells})", step.to, step.counter, step.other)
            }
        });
        write!(out, "p{}(I, X, A, C) :- {}.", self.from, body.join(", "))
    }
}

impl fmt::Display for Start {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "?- X >= 0, X =< {MOST_READ}, ")?;
        if let Some(all) = self.numbers {
            write!(out, "A = constant({all}), ")?;
        }
        match self.cells {
            Some(Some(inside)) => write!(out, "C = constant(some({inside})), ")?,
            Some(None) => write!(out, "C = constant(none), ")?,
            None => {}
        }
        write!(out, "p0({}, X, A, C).", self.counter)
    }
}

/// What is said of a program in so much time: what its runs show, and whether it is safe, if that is known.
///
/// # Errors
///
/// A text for people that says what disagrees.
pub fn compare(seed: u64, time: Duration) -> Result<(Observed, Option<bool>), String> {
    let random = generate(seed);
    let (_, is_safe) = asked(seed, &random.text, time)?;
    match (is_safe, random.observed) {
        (Some(true), Observed::Error) => Err(format!("seed {seed}: safe, but it has an error\n{}", random.text)),
        (Some(false), Observed::None) => Err(format!("seed {seed}: unsafe, but no run fails\n{}", random.text)),
        _ => Ok((random.observed, is_safe)),
    }
}
