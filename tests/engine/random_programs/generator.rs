//! Random linear programs as CLP text: small, with loops and nested loops, and about as often safe as not.
//!
//! The same seed gives the same text. Most programs follow a plan, a chain of counting loops whose bounds an error rule asks
//! about, because rules drawn without one hardly ever need an invariant; the rest of the rules is drawn freely.

use crate::random::Random;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Int,
    Real,
    Bool,
}

/// The text of the program with this number.
pub fn generate(seed: u64) -> String {
    Generator::new(seed).program()
}

struct Generator {
    random: Random,
    /// The sorts of the arguments of each predicate.
    predicates: Vec<Vec<Sort>>,
    /// Whether the predicates are written `p(1, …)`, `p(2, …)`.
    points: bool,
    text: String,
    rules: usize,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut random = Random::new(seed);
        let points = random.percent(40);
        let count = random.between(1, 4) as usize;
        let shared = random.between(1, 3);
        let predicates = (0..count)
            .map(|_| {
                let arity = if points { shared } else { random.between(1, 3) };
                let first = std::iter::once(Sort::Int);
                let others: Vec<Sort> = (1..arity)
                    .map(|_| match random.between(1, 10) {
                        1 => Sort::Bool,
                        2 => Sort::Real,
                        _ => Sort::Int,
                    })
                    .collect();
                first.chain(others).collect()
            })
            .collect();
        Generator {
            random,
            predicates,
            points,
            text: String::new(),
            rules: 0,
        }
    }

    fn program(mut self) -> String {
        let queries = if self.random.percent(10) { 2 } else { 1 };
        for _ in 0..queries {
            self.query();
        }
        let count = self.predicates.len();
        for predicate in 0..count {
            if self.random.percent(70) {
                self.counting_loop(predicate);
            } else {
                let target = (predicate + 1).min(count - 1);
                self.free_rule(predicate, target);
            }
        }
        // Back to an earlier predicate: nested loops, and loops over several predicates.
        if count > 1 && self.random.percent(30) {
            let target = self.random.between(0, count as i64 - 2) as usize;
            let source = self.random.between(target as i64 + 1, count as i64 - 1) as usize;
            self.free_rule(source, target);
        }
        let wanted = self.random.between(3, 7) as usize;
        while self.rules + 1 < wanted {
            let source = self.random.between(0, count as i64 - 1) as usize;
            let target = match self.random.between(1, 3) {
                1 => source,
                2 => (source + 1).min(count - 1),
                _ => self.random.between(0, source as i64) as usize,
            };
            self.free_rule(source, target);
        }
        if self.random.percent(8) {
            let guard = self.guard(0);
            self.rule(0, guard, None);
        }
        self.error_rule(count - 1);
        if self.random.percent(35) {
            let source = self.random.between(0, count as i64 - 1) as usize;
            self.error_rule(source);
        }
        self.text
    }

    fn query(&mut self) {
        let sorts = self.predicates[0].clone();
        let mut parts = Vec::new();
        for (position, sort) in sorts.iter().enumerate() {
            let name = variable(position);
            match sort {
                Sort::Int => {
                    let low = self.random.between(-1, 2);
                    match self.random.between(1, 20) {
                        1..=9 => parts.push(format!("{name} = {low}")),
                        10 => parts.push(format!("{name} >= {low}")),
                        _ => parts.push(format!(
                            "{name} >= {low}, {name} =< {}",
                            low + self.random.between(1, 3)
                        )),
                    }
                }
                Sort::Real => {
                    let half = self.half();
                    parts.push(format!("{name} = {half}"));
                }
                Sort::Bool if self.random.percent(50) => parts.push(format!("{name} = false")),
                Sort::Bool => {}
            }
        }
        let arguments: Vec<String> = (0..sorts.len()).map(variable).collect();
        let goal = self.atom(0, &arguments);
        parts.push(goal);
        writeln!(self.text, "?- {}.", parts.join(", ")).expect("a string takes all");
    }

    /// `p :- X < c, p(X + 1)` and `p :- X >= c, next`, with some disturbance of the other arguments.
    fn counting_loop(&mut self, predicate: usize) {
        let sorts = self.predicates[predicate].clone();
        let ints: Vec<usize> = (0..sorts.len()).filter(|p| sorts[*p] == Sort::Int).collect();
        let bound = match ints[..] {
            [_, second, ..] if self.random.percent(25) => variable(second),
            _ => self.random.between(1, 9).to_string(),
        };
        let up = self.random.percent(80);
        let (inside, outside, step) = if up {
            (
                format!("X < {bound}"),
                format!("X >= {bound}"),
                self.random.between(1, 2),
            )
        } else {
            (format!("X > -{}", 3), format!("X =< -{}", 3), -1)
        };
        let mut guard = vec![inside];
        let mut arguments = Vec::new();
        for (position, sort) in sorts.iter().enumerate() {
            arguments.push(match position {
                0 => format!("X + {step}").replace("+ -", "- "),
                _ if self.random.percent(50) => variable(position),
                _ => self.update(*sort, predicate, &mut guard),
            });
        }
        let again = (predicate, arguments);
        self.rule(predicate, guard, Some(again));
        let count = self.predicates.len();
        if predicate + 1 < count {
            let mut guard = if self.random.percent(85) {
                vec![outside]
            } else {
                Vec::new()
            };
            let arguments = self.arguments(predicate, predicate + 1, &mut guard);
            self.rule(predicate, guard, Some((predicate + 1, arguments)));
        }
    }

    fn free_rule(&mut self, source: usize, target: usize) {
        let mut guard = self.guard(source);
        let arguments = self.arguments(source, target, &mut guard);
        self.rule(source, guard, Some((target, arguments)));
    }

    fn error_rule(&mut self, source: usize) {
        let mut guard = Vec::new();
        let int = self.int_variable(source);
        let far = self.random.between(2, 12);
        guard.push(match self.random.between(1, 7) {
            1 | 2 => format!("{int} > {far}"),
            3 => format!("{int} < -{}", self.random.between(0, 4)),
            4 => format!("{int} \\= {}", self.random.between(0, 9)),
            5 => format!("{int} = {far}"),
            _ => self.comparison(source),
        });
        if self.random.percent(60) {
            let more = self.condition(source);
            guard.push(more);
        }
        let head = self.head(source);
        writeln!(self.text, "{head} :- {}, error.", guard.join(", ")).expect("a string takes all");
        self.rules += 1;
    }

    fn rule(&mut self, source: usize, guard: Vec<String>, body: Option<(usize, Vec<String>)>) {
        let mut head = self.head(source);
        let mut parts = guard;
        // Heads that are more than variables, as in Prolog.
        if self.random.percent(4) {
            let pattern = self.random.pick(&["2*X", "X + 1", "1", "0"]);
            let first = if self.points {
                format!("({}, X", source + 1)
            } else {
                "(X".to_string()
            };
            let changed = head.replacen(&first, &first.replace('X', pattern), 1);
            if pattern.contains('X') {
                head = changed;
            } else {
                parts.insert(0, format!("X = {pattern}"));
            }
        }
        if let Some((target, arguments)) = body {
            let atom = self.atom(target, &arguments);
            parts.push(atom);
        }
        if parts.is_empty() {
            writeln!(self.text, "{head}.").expect("a string takes all");
        } else {
            writeln!(self.text, "{head} :- {}.", parts.join(", ")).expect("a string takes all");
        }
        self.rules += 1;
    }

    fn head(&self, predicate: usize) -> String {
        let arguments: Vec<String> = (0..self.predicates[predicate].len()).map(variable).collect();
        self.atom(predicate, &arguments)
    }

    fn atom(&self, predicate: usize, arguments: &[String]) -> String {
        let all = arguments.join(", ");
        if self.points {
            format!("p({}, {all})", predicate + 1)
        } else {
            let names = ["first", "second", "third", "fourth"];
            format!("{}({all})", names[predicate])
        }
    }

    fn guard(&mut self, predicate: usize) -> Vec<String> {
        (0..self.random.between(0, 2))
            .map(|_| self.condition(predicate))
            .collect()
    }

    fn condition(&mut self, predicate: usize) -> String {
        match self.random.between(1, 20) {
            1 | 2 => {
                let (left, right) = (self.comparison(predicate), self.comparison(predicate));
                format!("({left} ; {right})")
            }
            3 => {
                let (left, right) = (self.comparison(predicate), self.comparison(predicate));
                format!("\\+ ({left}, {right})")
            }
            _ => self.comparison(predicate),
        }
    }

    fn comparison(&mut self, predicate: usize) -> String {
        let sorts = self.predicates[predicate].clone();
        let position = self.random.between(0, sorts.len() as i64 - 1) as usize;
        let name = variable(position);
        match sorts[position] {
            Sort::Bool if self.random.percent(50) => name,
            Sort::Bool => format!("\\+ {name}"),
            Sort::Real => {
                let relation = self.random.pick(&["<", "=<", ">", ">=", "\\="]);
                let half = self.half();
                format!("{name} {relation} {half}")
            }
            Sort::Int => self.int_comparison(predicate),
        }
    }

    fn int_comparison(&mut self, predicate: usize) -> String {
        let (left, right) = (self.int_variable(predicate), self.int_variable(predicate));
        let relation = self.random.pick(&["<", "=<", ">", ">=", "=", "\\=", "<", ">="]);
        let constant = self.random.between(-2, 8);
        match self.random.between(1, 16) {
            1 => format!(
                "{left} mod {} = {}",
                self.random.between(2, 3),
                self.random.between(0, 1)
            ),
            2 => format!("{left} div {} {relation} {constant}", self.random.between(2, 3)),
            3 => format!("max({left}, {right}) {relation} {constant}"),
            4 => format!("abs({left}) {relation} {constant}"),
            5 if left != right => format!("2*{left} - {right} {relation} {constant}"),
            6 | 7 if left != right => format!("{left} {relation} {right}"),
            8 if left != right => format!("{left} + {right} {relation} {constant}"),
            _ => format!("{left} {relation} {constant}"),
        }
    }

    fn int_variable(&mut self, predicate: usize) -> String {
        let sorts = &self.predicates[predicate];
        let ints: Vec<usize> = (0..sorts.len()).filter(|p| sorts[*p] == Sort::Int).collect();
        let choice = self.random.between(0, ints.len() as i64 - 1) as usize;
        variable(ints[choice])
    }

    /// Terms for the arguments of `target` over the variables of `source`; inputs add their bounds to the guard.
    fn arguments(&mut self, source: usize, target: usize, guard: &mut Vec<String>) -> Vec<String> {
        let (from, to) = (self.predicates[source].clone(), self.predicates[target].clone());
        to.iter()
            .enumerate()
            .map(|(position, sort)| {
                if from.get(position) == Some(sort) && self.random.percent(65) {
                    variable(position)
                } else {
                    self.update(*sort, source, guard)
                }
            })
            .collect()
    }

    fn update(&mut self, sort: Sort, source: usize, guard: &mut Vec<String>) -> String {
        match sort {
            Sort::Int => self.int_update(source, guard),
            Sort::Bool => match self.random.between(1, 4) {
                1 => "true".to_string(),
                2 => "false".to_string(),
                3 => format!("(X > {})", self.random.between(0, 5)),
                _ => {
                    let position = self.predicates[source].iter().position(|sort| *sort == Sort::Bool);
                    position.map_or("false".to_string(), |position| format!("\\+ {}", variable(position)))
                }
            },
            Sort::Real => {
                let position = self.predicates[source].iter().position(|sort| *sort == Sort::Real);
                let half = self.half();
                match position {
                    Some(position) if self.random.percent(70) => format!("{} + {half}", variable(position)),
                    _ if self.random.percent(20) => "real(X)".to_string(),
                    _ => half,
                }
            }
        }
    }

    fn int_update(&mut self, source: usize, guard: &mut Vec<String>) -> String {
        let (left, right) = (self.int_variable(source), self.int_variable(source));
        match self.random.between(1, 20) {
            1..=5 => format!("{left} + {}", self.random.between(1, 3)),
            6..=8 => format!("{left} - {}", self.random.between(1, 2)),
            9 | 10 => self.random.between(-1, 4).to_string(),
            11 => format!("{left} + {right}"),
            12 => format!("{left} - {right}"),
            13 => format!("{left} mod 3"),
            14 => format!("ite({left} > {right}, {right}, {left} + 1)"),
            15..=17 => {
                // A nondeterministic input. One of ten has no upper bound, and then the oracle can only find errors.
                let name = format!("In{}", guard.len());
                let low = self.random.between(-1, 1);
                guard.push(match self.random.between(1, 10) {
                    1 => format!("{name} >= {low}"),
                    _ => format!("{name} >= {low}, {name} =< {}", low + self.random.between(1, 2)),
                });
                if self.random.percent(50) {
                    format!("{left} + {name}")
                } else {
                    name
                }
            }
            _ => left,
        }
    }

    fn half(&mut self) -> String {
        self.random
            .pick(&["0.0", "0.5", "1.0", "1.5", "2.5", "-0.5"])
            .to_string()
    }
}

fn variable(position: usize) -> String {
    ["X", "Y", "Z"][position].to_string()
}
