//! From clauses to rules: which way each clause is run.
//!
//! A linear clause `φ ∧ p(x) → q(y)` is run in the direction of the implication, as the transition `p(X̃) :- φ, q(Ỹ)`; so derivations
//! begin with the facts and end in `false`, the error. Of several predicates in a body one is run in this way, the *spine*:
//! the one that depends on the conclusion, as the state of a transition system does, or else the first. The others are calls
//! on the way, which are derived in the other direction, from the conclusion to the facts: `φ ∧ p(x) ∧ r(z) → q(y)` is
//! `p(X̃) :- φ, r(Z̃), q(Ỹ)`, and for `r` there are rules `r(Z̃) :- ψ, s(…), …`, one for each clause that concludes it. [`linearize`]
//! makes that linear, unless more than one predicate of a body depends on the conclusion.
//!
//! If all clauses are linear, each becomes a rule. Otherwise only those do that `false` depends on, by spines or by calls.

use super::given::{Clauses, Declared, Direction, Origin};
use super::lexer::Span;
use super::problems::Problems;
use super::reader::{Global, Reader};
use crate::diagnostics::Diagnostic;
use crate::rules::{Atom, DependencyGraph, NotLinear, PredicateId, Program, Rule, copies_loops, linearize};
use hashbrown::{HashMap, HashSet};

/// So many loops that are called may be copied for their callers.
const MOST_LOOPS: usize = 1;

impl Reader<'_> {
    /// The rules of the clauses. Those that cannot be made linear are kept with their calls, or refused.
    pub fn into_rules(self, keep_calls: bool) -> (Program, Problems) {
        let (program, mut problems) = (self.program, self.problems);
        let mut orientation = Orientation::new(program, &self.clauses);
        orientation.run();
        let Orientation {
            mut program, origins, ..
        } = orientation;
        // Loops that are called are summarized where calls can be kept; over lists and trees each single one is, for a summary says how
        // their measures depend on each other.
        let terms = &program.terms;
        let is_recursive = terms
            .datatypes()
            .iter()
            .any(|datatype| terms.is_recursive(datatype.sort));
        let least = if is_recursive { 1 } else { MOST_LOOPS + 1 };
        if keep_calls && copies_loops(&program, least) {
            return (program, problems);
        }
        if let Err(reason) = linearize(&mut program)
            && !keep_calls
        {
            problems.report(refusal(reason, &program, &origins, &self.clauses));
        }
        (program, problems)
    }
}

impl Reader<'_> {
    /// The rules of the clauses with their calls, and what was made of what.
    pub fn into_clauses(self) -> (Clauses, Problems) {
        let declared: Vec<PredicateId> = self
            .declared
            .iter()
            .filter_map(|name| match self.globals.get(name) {
                Some((Global::Predicate(predicate), _)) => Some(*predicate),
                _ => None,
            })
            .collect();
        let locations: Vec<_> = self.clauses.iter().map(|(_, span)| self.location(*span)).collect();
        let spelling = self.spelling();
        let mut orientation = Orientation::new(self.program, &self.clauses);
        let reached = orientation.run();
        let declared = declared.into_iter().map(|predicate| Declared {
            predicate,
            is_reached: reached.as_ref().is_none_or(|reached| reached.contains(&predicate)),
            called: orientation.called.get(&predicate).copied(),
        });
        let declared = declared.collect();
        let origins = orientation.origins.iter().map(|(clause, direction)| Origin {
            clause: *clause,
            location: locations.get(*clause).copied(),
            direction: *direction,
        });
        let clauses = Clauses {
            declared,
            origins: origins.collect(),
            program: orientation.program,
            questions: self.questions,
            spelling,
        };
        (clauses, self.problems)
    }
}

struct Orientation<'c> {
    program: Program,
    clauses: &'c [(Rule, Span)],
    /// What each predicate is derived from.
    dependencies: DependencyGraph,
    /// The clauses that conclude each predicate.
    concluding: HashMap<PredicateId, Vec<usize>>,
    /// The predicates as they are called, and those whose rules are still to be made.
    called: HashMap<PredicateId, PredicateId>,
    waiting: Vec<PredicateId>,
    /// The clause that each rule comes from, and which way it is run.
    origins: Vec<(usize, Direction)>,
}

impl<'c> Orientation<'c> {
    fn new(program: Program, clauses: &'c [(Rule, Span)]) -> Orientation<'c> {
        // Run backwards, every clause leads from its conclusion to its body, and the query to what `false` needs.
        let mut backwards = program.clone();
        let mut concluding: HashMap<PredicateId, Vec<usize>> = HashMap::new();
        for (index, (clause, _)) in clauses.iter().enumerate() {
            concluding.entry(clause.head.predicate).or_default().push(index);
            let mut rule = clause.clone();
            if rule.head.predicate == PredicateId::ERROR {
                rule.head.predicate = PredicateId::QUERY;
            }
            backwards.add_rule(rule);
        }
        Orientation {
            dependencies: DependencyGraph::new(&backwards),
            program,
            clauses,
            concluding,
            called: HashMap::new(),
            waiting: Vec::new(),
            origins: Vec::new(),
        }
    }

    /// Makes the rules. Returns which predicates are reached, unless all are.
    fn run(&mut self) -> Option<HashSet<PredicateId>> {
        let needed = match self.clauses.iter().all(|(clause, _)| clause.body.len() <= 1) {
            true => None,
            false => Some(self.spines()),
        };
        for (index, (clause, _)) in self.clauses.iter().enumerate() {
            if needed
                .as_ref()
                .is_none_or(|needed| needed.contains(&clause.head.predicate))
            {
                self.transition(index, clause);
            }
        }
        while let Some(predicate) = self.waiting.pop() {
            for index in self.concluding.get(&predicate).cloned().unwrap_or_default() {
                self.definition(index, predicate);
            }
        }
        needed
    }

    /// The predicates that lead to `false` by spines alone.
    fn spines(&self) -> HashSet<PredicateId> {
        let mut found = HashSet::new();
        let mut stack = vec![PredicateId::ERROR];
        while let Some(predicate) = stack.pop() {
            if found.insert(predicate) {
                let concluding = self.concluding.get(&predicate).into_iter().flatten();
                stack.extend(concluding.filter_map(|index| Some(self.spine(&self.clauses[*index].0)?.1)));
            }
        }
        found
    }

    /// The position of a clause's spine and its predicate; facts have none.
    fn spine(&self, clause: &Rule) -> Option<(usize, PredicateId)> {
        let conclusion = clause.head.predicate;
        let depends = |atom: &Atom| self.dependencies.same_loop(conclusion, atom.predicate);
        let position = clause.body.iter().position(depends).unwrap_or(0);
        Some((position, clause.body.get(position)?.predicate))
    }

    /// Adds a clause as a transition from its spine to its conclusion.
    fn transition(&mut self, index: usize, clause: &Rule) {
        let spine = self.spine(clause).map(|(position, _)| position);
        let mut rule = clause.clone();
        rule.head = match spine.and_then(|position| clause.body.get(position)) {
            Some(atom) => atom.clone(),
            None => Atom {
                predicate: PredicateId::QUERY,
                arguments: Vec::new(),
            },
        };
        let others = clause
            .body
            .iter()
            .enumerate()
            .filter(|(position, _)| Some(*position) != spine);
        rule.body = others.map(|(_, atom)| self.call(atom)).collect();
        rule.body.push(clause.head.clone());
        self.program.add_rule(rule);
        self.origins.push((index, Direction::Forward));
    }

    /// Adds a clause as a rule that derives its conclusion, `predicate`, where that is called.
    fn definition(&mut self, index: usize, predicate: PredicateId) {
        let (clause, _) = &self.clauses[index];
        let mut rule = clause.clone();
        rule.head = self.call(&clause.head);
        let (last, first): (Vec<&Atom>, Vec<&Atom>) = clause
            .body
            .iter()
            .partition(|atom| self.dependencies.same_loop(predicate, atom.predicate));
        rule.body = first.into_iter().chain(last).map(|atom| self.call(atom)).collect();
        self.program.add_rule(rule);
        self.origins.push((index, Direction::Backward));
    }

    /// The atom as a call.
    fn call(&mut self, atom: &Atom) -> Atom {
        let predicate = match self.called.get(&atom.predicate) {
            Some(called) => *called,
            None => {
                let original = self.program.predicate(atom.predicate).clone();
                let terms = &self.program.terms;
                let parameters = original.parameters.iter();
                let parameters: Vec<_> = parameters
                    .map(|parameter| (terms.variable_name(*parameter).to_string(), terms.sort(*parameter)))
                    .collect();
                let parameters: Vec<_> = parameters.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
                let called = self.program.add_predicate(&original.name, None, &parameters);
                self.called.insert(atom.predicate, called);
                self.waiting.push(atom.predicate);
                called
            }
        };
        Atom {
            predicate,
            arguments: atom.arguments.clone(),
        }
    }
}

/// What to say about clauses that cannot be made linear.
fn refusal(
    reason: NotLinear,
    program: &Program,
    origins: &[(usize, Direction)],
    clauses: &[(Rule, Span)],
) -> Diagnostic {
    let (NotLinear::Recursion { rule, .. } | NotLinear::TooLarge { rule }) = reason;
    let origin = origins.get(rule.index()).and_then(|(origin, _)| clauses.get(*origin));
    let span = origin.map_or(0..0, |(_, span)| span.range());
    match reason {
        NotLinear::Recursion { rule, atom } => {
            let name = |atom: &Atom| program.predicate(atom.predicate).name.clone();
            let rule = program.rule(rule);
            let conclusion = name(&rule.head);
            let others = rule.body.iter().skip(atom).map(|atom| format!("`{}`", name(atom)));
            let others: Vec<String> = others.collect();
            Diagnostic::error(
                span,
                "nonlinear recursion: several predicates of the body depend on the conclusion",
                format!("`{conclusion}` depends on {}, which depend on it", others.join(" and ")),
            )
            .unsupported()
            .help("`read_with_calls` reads this, and all commands do; where only one predicate of a body depends on the conclusion, the \
                 others may be loops")
        }
        NotLinear::TooLarge { .. } => Diagnostic::error(
            span,
            "clauses with several predicates need too many copies of clauses",
            "copied here when the limit was reached",
        )
        .unsupported()
        .help("a predicate is copied for each place that it is needed at; use it in fewer bodies"),
    }
}
