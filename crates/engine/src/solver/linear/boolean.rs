//! The Boolean side: literals, clauses, the trail of what is assigned and why, unit propagation, learning from conflicts.
//!
//! Every clause is valid by itself: it defines a variable, or follows from arithmetic, or from such clauses. What is assumed
//! is only ever *decided*, one assumption a level, so that nothing needs to be forgotten when an assumption is retracted.

/// A Boolean variable.
pub type Variable = u32;

/// A Boolean variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Literal(u32);

impl Literal {
    /// The literal that always holds.
    pub const TRUE: Literal = Literal(0);
    /// The literal that never holds.
    pub const FALSE: Literal = Literal(1);

    /// The variable itself.
    pub fn positive(variable: Variable) -> Literal {
        Literal(variable * 2)
    }

    /// Its variable.
    pub fn variable(self) -> Variable {
        self.0 / 2
    }

    /// Whether it is the negation of its variable.
    pub fn is_negated(self) -> bool {
        self.0 % 2 == 1
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Why a literal is assigned.
#[derive(Clone, Copy)]
enum Reason {
    /// It was decided or assumed.
    Decided,
    /// All other literals of the clause are false.
    Clause(u32),
    /// This literal implies it.
    Literal(Literal),
}

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Some other literal of the clause: while it is true, nothing needs to be done.
    blocker: Literal,
    /// Whether the blocker is the only other literal, so that the clause need not be looked at.
    binary: bool,
}

/// Literals that are all false although one of them must be true.
pub type FalseClause = Vec<Literal>;

/// The Boolean side of the solver.
pub struct Boolean {
    values: Vec<Option<bool>>,
    levels: Vec<u32>,
    reasons: Vec<Reason>,
    seen: Vec<bool>,
    watches: Vec<Vec<Watch>>,
    clauses: Vec<Vec<Literal>>,
    trail: Vec<Literal>,
    /// Where each level begins in the trail.
    level_starts: Vec<usize>,
    propagated: usize,
    /// Watches looked at so far.
    visited: u64,
}

impl Boolean {
    /// One variable, the true one.
    pub fn new() -> Boolean {
        let mut boolean = Boolean {
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            seen: Vec::new(),
            watches: Vec::new(),
            clauses: Vec::new(),
            trail: Vec::new(),
            level_starts: Vec::new(),
            propagated: 0,
            visited: 0,
        };
        let variable = boolean.add_variable();
        boolean.decide(Literal::positive(variable));
        boolean
    }

    /// A new variable.
    pub fn add_variable(&mut self) -> Variable {
        self.values.push(None);
        self.levels.push(0);
        self.reasons.push(Reason::Decided);
        self.seen.push(false);
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.values.len() as Variable - 1
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.values.len()
    }

    /// How many clauses there are.
    pub fn clauses(&self) -> usize {
        self.clauses.len()
    }

    /// The value of a literal.
    pub fn value(&self, literal: Literal) -> Option<bool> {
        self.values[literal.variable() as usize].map(|value| value != literal.is_negated())
    }

    /// How many watches of clauses were looked at so far.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// What is assigned, in order.
    pub fn trail(&self) -> &[Literal] {
        &self.trail
    }

    /// The current level.
    pub fn level(&self) -> usize {
        self.level_starts.len()
    }

    /// Opens a level.
    pub fn open_level(&mut self) {
        self.level_starts.push(self.trail.len());
    }

    /// Makes a literal true for no reason.
    pub fn decide(&mut self, literal: Literal) {
        self.assign(literal, Reason::Decided);
    }

    /// Makes a literal true, because another is.
    pub fn imply(&mut self, literal: Literal, reason: Literal) {
        self.assign(literal, Reason::Literal(reason));
    }

    fn assign(&mut self, literal: Literal, reason: Reason) {
        let variable = literal.variable() as usize;
        self.values[variable] = Some(!literal.is_negated());
        self.levels[variable] = self.level_starts.len() as u32;
        self.reasons[variable] = reason;
        self.trail.push(literal);
    }

    /// Goes back to a level.
    pub fn back_to(&mut self, level: usize) {
        let Some(start) = self.level_starts.get(level).copied() else {
            return;
        };
        self.level_starts.truncate(level);
        for literal in self.trail.drain(start..) {
            self.values[literal.variable() as usize] = None;
        }
        self.propagated = self.propagated.min(start);
    }

    /// Adds a clause, and assigns its only literal that is not false, if there is only one. The clause must not be false.
    pub fn add_clause(&mut self, mut clause: Vec<Literal>) {
        // The literals to watch come first: what is not false, then what became false last.
        clause.sort_by_key(|literal| match self.value(*literal) {
            Some(false) => (1, u32::MAX - self.levels[literal.variable() as usize]),
            _ => (0, 0),
        });
        let (first, second) = match clause[..] {
            [] => return,
            [only] => {
                if self.value(only).is_none() {
                    self.decide(only);
                }
                return;
            }
            [first, second, ..] => (first, second),
        };
        let id = self.clauses.len() as u32;
        for (watched, blocker) in [(first, second), (second, first)] {
            self.watches[(!watched).index()].push(Watch {
                clause: id,
                blocker,
                binary: clause.len() == 2,
            });
        }
        if self.value(second) == Some(false) && self.value(first).is_none() {
            self.assign(first, Reason::Clause(id));
        }
        self.clauses.push(clause);
    }

    /// Unit propagation to the end; a clause that became false.
    pub fn propagate(&mut self) -> Option<FalseClause> {
        while let Some(literal) = self.trail.get(self.propagated).copied() {
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[literal.index()]);
            let conflict = self.visit(!literal, &mut watches);
            self.watches[literal.index()] = watches;
            if let Some(clause) = conflict {
                return Some(self.clauses[clause as usize].clone());
            }
        }
        None
    }

    /// Visits the clauses that watch a literal that became false.
    fn visit(&mut self, gone: Literal, watches: &mut Vec<Watch>) -> Option<u32> {
        let (mut kept, mut next) = (0, 0);
        let mut conflict = None;
        while let Some(watch) = watches.get(next).copied() {
            next += 1;
            if self.value(watch.blocker) == Some(true) {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            if watch.binary {
                watches[kept] = watch;
                kept += 1;
                if self.value(watch.blocker).is_none() {
                    self.assign(watch.blocker, Reason::Clause(watch.clause));
                    continue;
                }
                conflict = Some(watch.clause);
                break;
            }
            let clause = &mut self.clauses[watch.clause as usize];
            if clause[0] == gone {
                clause.swap(0, 1);
            }
            let first = clause[0];
            let watch = Watch {
                blocker: first,
                ..watch
            };
            let values = &self.values;
            let is_false = |literal: Literal| values[literal.variable() as usize] == Some(literal.is_negated());
            let is_true = values[first.variable() as usize] == Some(!first.is_negated());
            if !is_true && let Some(position) = (2..clause.len()).find(|position| !is_false(clause[*position])) {
                clause.swap(1, position);
                let new = clause[1];
                self.watches[(!new).index()].push(watch);
                continue;
            }
            watches[kept] = watch;
            kept += 1;
            match self.value(first) {
                Some(true) => {}
                None => self.assign(first, Reason::Clause(watch.clause)),
                Some(false) => {
                    conflict = Some(watch.clause);
                    break;
                }
            }
        }
        while let Some(watch) = watches.get(next).copied() {
            watches[kept] = watch;
            kept += 1;
            next += 1;
        }
        watches.truncate(kept);
        self.visited += next as u64;
        conflict
    }

    /// The highest level of the literals.
    pub fn highest_level(&self, literals: &[Literal]) -> usize {
        let levels = literals.iter().map(|literal| self.levels[literal.variable() as usize]);
        levels.max().unwrap_or(0) as usize
    }

    /// The level at which a literal was assigned.
    pub fn level_of(&self, literal: Literal) -> usize {
        self.levels[literal.variable() as usize] as usize
    }

    /// The literals whose truth made this one true; none for a decision.
    fn antecedents(&self, literal: Literal) -> Vec<Literal> {
        match self.reasons[literal.variable() as usize] {
            Reason::Decided => Vec::new(),
            Reason::Literal(reason) => vec![reason],
            Reason::Clause(clause) => {
                let others = self.clauses[clause as usize].iter();
                others.filter(|other| **other != literal).map(|other| !*other).collect()
            }
        }
    }

    /// The decisions from which it follows that all of `clause` is false, latest first. (Those of level zero always hold.)
    pub fn decisions_behind(&mut self, clause: &[Literal]) -> Vec<Literal> {
        let mut decisions = Vec::new();
        let mut marked: Vec<Literal> = clause.iter().map(|literal| !*literal).collect();
        for literal in &marked {
            self.seen[literal.variable() as usize] = true;
        }
        let start = self.level_starts.first().copied().unwrap_or(self.trail.len());
        for position in (start..self.trail.len()).rev() {
            let literal = self.trail[position];
            if !self.seen[literal.variable() as usize] {
                continue;
            }
            let antecedents = self.antecedents(literal);
            if matches!(self.reasons[literal.variable() as usize], Reason::Decided) {
                decisions.push(literal);
            }
            for antecedent in antecedents {
                self.seen[antecedent.variable() as usize] = true;
                marked.push(antecedent);
            }
        }
        for literal in marked {
            self.seen[literal.variable() as usize] = false;
        }
        decisions
    }

    /// What is learned from a false clause whose highest level is the current one: a clause that is false, too, but for one
    /// literal once the trail is shortened to the level that is given with it.
    pub fn learn(&mut self, conflict: &[Literal]) -> (Vec<Literal>, usize) {
        let level = self.level() as u32;
        let mut learned: Vec<Literal> = Vec::new();
        let mut marked: Vec<Literal> = Vec::new();
        let mut open = 0;
        let mut pending: Vec<Literal> = conflict.iter().map(|literal| !*literal).collect();
        let mut position = self.trail.len();
        let asserting = loop {
            for literal in pending.drain(..) {
                let variable = literal.variable() as usize;
                if self.seen[variable] || self.levels[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                marked.push(literal);
                if self.levels[variable] == level {
                    open += 1;
                } else {
                    learned.push(!literal);
                }
            }
            // The latest of the current level that is involved.
            let current = loop {
                position -= 1;
                let literal = self.trail[position];
                if self.seen[literal.variable() as usize] {
                    break literal;
                }
            };
            open -= 1;
            if open == 0 {
                break !current;
            }
            pending = self.antecedents(current);
        };
        for literal in marked {
            self.seen[literal.variable() as usize] = false;
        }
        let back = self.highest_level(&learned);
        learned.push(asserting);
        (learned, back)
    }
}
