//! Large blocks: rules composed along the paths between loop headers, before they are followed as relations.
//!
//! Each predicate between two headers needs entries of its own, learnt one level after another, though nothing about it is
//! worth knowing by itself. With rules for whole paths a program has the levels of its loops. What the entries of the headers make
//! of the other predicates is found at the end ([`super::completion`]); a derivation is one by the original rules.

use super::kernel::QUESTION;
use crate::evidence::{Derivation, Repetition, Step};
use crate::rules::{DependencyGraph, PredicateId, Program, Rule, RuleId};
use crate::solver::{Answer, LINEAR_EFFORT, Layer, LinearLayer};
use crate::steps::composition::{Composed, Part, Paths};
use crate::terms::{Assignment, Terms};

/// How many rules may start at one predicate once they are composed.
const MOST_PATHS: usize = 256;
/// A predicate that several rules lead to is kept if so many paths start there: they would be copied for each of these rules.
const PATHS_FROM_JOIN: usize = 16;
/// How many rules at most become one. Each is a part of formulas that are put into formulas.
const MOST_PARTS: usize = 64;
/// How often a predicate at which there are too many paths becomes a place before nothing is composed.
const ATTEMPTS: usize = 8;

/// A program of composed rules.
pub(super) struct Composition {
    /// The same predicates with fewer rules; those between places have none.
    pub program: Program,
    /// For each rule what it is made of.
    parts: Vec<Vec<Part>>,
    /// For each predicate whether it is a place.
    places: Vec<bool>,
    /// The work that composing has cost.
    pub work: u64,
}

/// The program with rules composed between loop headers; `None` where there is nothing to compose, or rules have calls, or it is time
/// to stop, as `is_over` says when it is given the work.
pub(super) fn composed(program: &Program, is_over: &dyn Fn(u64) -> bool) -> Option<Composition> {
    if program.has_calls() {
        return None;
    }
    let graph = DependencyGraph::new(program);
    let matters = |predicate: PredicateId| graph.is_reachable(predicate) && graph.reaches_error(predicate);
    let mut places = places(program, &graph);
    let mut feasibility = Feasibility {
        work: 0,
        is_over,
        has_stopped: false,
    };
    for _ in 0..ATTEMPTS {
        let mut all = (0..places.len()).map(PredicateId::from_index);
        if all.all(|predicate| places[predicate.index()] || !matters(predicate)) {
            return None;
        }
        match with_places(program, &places, &matters, &mut feasibility) {
            _ if feasibility.has_stopped => return None,
            Ok(composition) => return Some(composition),
            // Rules that end there were not counted.
            Err(crowded) => places[crowded.index()] = true,
        }
    }
    None
}

/// Which predicates stay: queries, the error, loop headers, and joins with many paths.
fn places(program: &Program, graph: &DependencyGraph) -> Vec<bool> {
    let count = program.predicates().len();
    let mut places: Vec<bool> = (0..count)
        .map(PredicateId::from_index)
        .map(|id| id == PredicateId::ERROR || id == PredicateId::QUERY || graph.is_loop_header(id))
        .collect();
    let mut leading = vec![0_usize; count];
    for atom in program.rules().iter().flat_map(|rule| &rule.body) {
        leading[atom.predicate.index()] += 1;
    }
    // How many paths begin at each predicate, and how many rules the longest has.
    let mut paths: Vec<usize> = vec![1; count];
    let mut parts: Vec<usize> = vec![1; count];
    for predicate in followers_first(graph, count) {
        let index = predicate.index();
        let successors = graph.successors(predicate);
        let number = |places: &[bool], paths: &[usize]| -> usize {
            let each = successors.iter().map(|next| match places[next.index()] {
                true => 1,
                false => paths[next.index()],
            });
            each.fold(0, usize::saturating_add)
        };
        while number(&places, &paths) > MOST_PATHS {
            let open = successors.iter().filter(|next| !places[next.index()]);
            match open.max_by_key(|next| paths[next.index()]) {
                Some(next) => places[next.index()] = true,
                None => break,
            }
        }
        paths[index] = number(&places, &paths);
        let open = successors.iter().filter(|next| !places[next.index()]);
        parts[index] = 1 + open.map(|next| parts[next.index()]).max().unwrap_or(0);
        if (leading[index] > 1 && paths[index] > PATHS_FROM_JOIN) || parts[index] >= MOST_PARTS {
            places[index] = true;
        }
    }
    places
}

/// The predicates that are reachable, each behind those that it leads to but for loops.
fn followers_first(graph: &DependencyGraph, count: usize) -> Vec<PredicateId> {
    let mut order = Vec::new();
    let mut seen = vec![false; count];
    seen[PredicateId::QUERY.index()] = true;
    let mut stack = vec![(PredicateId::QUERY, 0)];
    while let Some((current, position)) = stack.last_mut() {
        match graph.successors(*current).get(*position) {
            Some(next) => {
                *position += 1;
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push((*next, 0));
                }
            }
            None => {
                order.push(*current);
                stack.pop();
            }
        }
    }
    order
}

/// The composed program, or the predicate at which there are too many paths.
fn with_places(
    program: &Program,
    places: &[bool],
    matters: &dyn Fn(PredicateId) -> bool,
    feasibility: &mut Feasibility<'_>,
) -> Result<Composition, PredicateId> {
    let mut result = program.without_rules();
    let mut parts = Vec::new();
    let ends = |next: PredicateId| places[next.index()] || !matters(next);
    let paths = Paths::new(program.rules(), &ends, MOST_PATHS);
    let mut keeps = |terms: &Terms, rule: &Rule| feasibility.is_possible(terms, rule);
    let sources = (0..places.len()).map(PredicateId::from_index);
    for source in sources.filter(|source| places[source.index()] && matters(*source)) {
        for Composed { rule, parts: of } in paths.compose(&mut result.terms, source, &mut keeps)? {
            if rule.body.iter().any(|atom| matters(atom.predicate)) {
                result.add_rule(rule);
                parts.push(of);
            }
        }
    }
    Ok(Composition {
        program: result,
        parts,
        places: places.to_vec(),
        work: feasibility.work,
    })
}

/// What is asked of rules while they are composed.
struct Feasibility<'w> {
    work: u64,
    is_over: &'w dyn Fn(u64) -> bool,
    has_stopped: bool,
}

impl Feasibility<'_> {
    /// Whether linear arithmetic finds nothing against a rule. Once it is time to stop, none is worth having.
    fn is_possible(&mut self, terms: &Terms, rule: &Rule) -> bool {
        if self.has_stopped {
            return false;
        }
        let mut solver = LinearLayer::default();
        for formula in &rule.constraint {
            solver.assume(terms, *formula);
        }
        let answer = solver.check(terms);
        self.work += QUESTION + solver.effort() / LINEAR_EFFORT;
        self.has_stopped = (self.is_over)(self.work);
        answer != Answer::Unsatisfiable
    }
}

impl Composition {
    /// Whether a predicate is a place, at which composed rules begin and end.
    pub fn is_place(&self, predicate: PredicateId) -> bool {
        self.places.get(predicate.index()).copied().unwrap_or(true)
    }

    /// A derivation by composed rules as one by those that they are made of; `None` if a value is missing.
    pub fn expanded(&self, derivation: &Derivation) -> Option<Derivation> {
        let terms = &self.program.terms;
        let mut steps = Vec::new();
        // Where the parts of each step begin, and of what comes after the last.
        let mut starts = Vec::with_capacity(derivation.steps.len() + 1);
        for step in &derivation.steps {
            starts.push(steps.len());
            let mut values: Assignment = step.values.iter().cloned().collect();
            for part in self.parts.get(step.rule.index())? {
                steps.push(Step {
                    rule: RuleId::from_index(part.rule),
                    values: part.values(terms, &mut values)?,
                });
            }
        }
        starts.push(steps.len());
        let moved = |repetition: &Repetition| {
            let at = *starts.get(repetition.at)?;
            Some(Repetition {
                at,
                length: starts.get(repetition.at + repetition.length)? - at,
                times: repetition.times,
            })
        };
        let repetitions = derivation.repetitions.iter().map(moved).collect::<Option<_>>()?;
        Some(Derivation { steps, repetitions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Verdict};
    use crate::evidence::{CheckLimits, check_certificate, replay};
    use crate::relations::verify;

    fn read(source: &str) -> Program {
        crate::clp::read(source).product.expect("no mistake in it")
    }

    /// A loop whose body branches twice and joins again; the sum is at most twice, or three times, the number of turns.
    fn branching(most: i64) -> Program {
        read(&format!(
            "?- N >= 0, turn(0, 0, N).
             turn(I, S, N) :- I < N, first(I, S, B, N).
             first(I, S, B, N) :- B > 0, second(I, S + 1, N).
             first(I, S, B, N) :- B =< 0, second(I, S, N).
             second(I, S, N) :- C > 0, last(I, S + 1, N).
             second(I, S, N) :- C =< 0, last(I, S + 2, N).
             last(I, S, N) :- turn(I + 1, S, N).
             turn(I, S, N) :- I >= N, S > {most} * N, error."
        ))
    }

    #[test]
    fn only_loop_headers_keep_rules() {
        let composition = composed(&branching(3), &|_| false).expect("there is something to compose");
        let of_turn = composition.program.rules().len();
        // The query, four ways round the loop, and the way out.
        assert_eq!(of_turn, 6);
        assert!(composed(&composition.program, &|_| false).is_none());
    }

    #[test]
    fn impossible_paths_are_left_out() {
        let program = read(
            "?- p(0).
             p(X) :- X > 0, q(X).
             p(X) :- X =< 0, r(X).
             q(X) :- r(X).
             r(X) :- X < 0, error.
             r(X) :- X >= 0, p(X + 1).",
        );
        let composition = composed(&program, &|_| false).expect("there is something to compose");
        let texts: Vec<String> = composition
            .program
            .rules()
            .iter()
            .map(|rule| composition.program.rule_text(rule))
            .collect();
        // A number above zero is not below it.
        assert_eq!(
            texts.iter().filter(|text| text.contains("error")).count(),
            1,
            "{texts:?}"
        );
    }

    #[test]
    fn what_was_composed_away_gets_invariants_again() {
        let program = branching(3);
        let outcome = verify(&program, &Options::default());
        let Verdict::Safe(certificate) = outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        let accepted = check_certificate(&program, &certificate, CheckLimits::default());
        assert!(accepted.is_ok(), "{accepted:?}");
        let named: Vec<&str> = certificate
            .invariants
            .iter()
            .map(|invariant| program.predicate(invariant.predicate).name.as_str())
            .collect();
        assert!(named.contains(&"turn") && named.contains(&"second"), "{named:?}");
    }

    #[test]
    fn derivations_are_by_the_original_rules() {
        let program = branching(2);
        let outcome = verify(&program, &Options::default());
        let Verdict::Unsafe(derivation) = outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        assert!(replay(&program, &derivation).is_ok());
        // The query, four rules for each turn, and the way out.
        assert_eq!(derivation.steps.len() % 4, 2);
    }

    #[test]
    fn long_chains_become_paths_of_some_rules_each() {
        let mut source = "?- p0(0).\n".to_string();
        for at in 0..1000 {
            source.push_str(&format!("p{at}(X) :- p{}(X + 1).\n", at + 1));
        }
        source.push_str("p1000(X) :- X < 1000, error.");
        let program = read(&source);
        let composition = composed(&program, &|_| false).expect("there is something to compose");
        let longest = composition.parts.iter().map(Vec::len).max();
        assert!(longest.is_some_and(|longest| longest <= MOST_PARTS), "{longest:?}");
        assert!(composition.program.rules().len() < 30);
        // Without any time there is none.
        assert!(composed(&program, &|_| true).is_none());
    }
}
