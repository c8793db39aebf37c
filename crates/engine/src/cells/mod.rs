//! Arrays by their cells: what holds of every element, from what rules say of one that is chosen once and for all.
//!
//! A loop over an array has to be described by *for all*: every cell below the counter has been written. Instead of the array a
//! predicate here gets the index of one cell, any one, and the value that is in it; what is proved of these two holds of all
//! cells, because nothing was said of which it is. A rule then says of the new arrays' cell what it follows from: from the same
//! cell of the arrays before, and from those that the rule itself reads. So a rule has several atoms:
//!
//! ```text
//! p(I, A) :- I < N, p(I + 1, store(A, I, 0))              is read as
//! p'(I + 1, K, if K = I then 0 else V) :- I < N, p'(I, K, V), p'(I, I, W)
//! ```
//!
//! where `p'(I, K, V)` says that `p` may be reached with `I` and an array that has `V` at `K`. More runs are possible than before,
//! never fewer. If the error cannot be derived from these rules, which [`crate::relations`] finds out, what it knows of `p'` is an
//! invariant of `p` with the element in the place of `V`, for all `K`; the checker decides whether it is one. With two cells at a
//! time properties can be said that relate elements, such as an order. Of two cells the first has the smaller index, or both are one.
//!
//! Cells of several arrays that belong together need not have one index; [`origins`] counts them so that they do.
//!
//! What is looked for is first guessed:
//!
//! ```text
//! rules ──origins, said, views──► bounds: what indices and elements are compared with
//!   │                                   │
//!   └──runs──► states ──table─────────► candidates ──► relations: those that are inductive, and the search that begins with them
//!                  (parameters, equations, conditions, premises)
//! ```
//!
//! The seeds have no such step. Abstracting arrays to cells is by Monniaux and Gonnord (2016), and Bjørner, McMillan and
//! Rybalchenko (2013) solve for quantified invariants in the same way.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//!
//! let source = "
//!     ?- fill(0, N, A).
//!     fill(I, N, A) :- I < N, fill(I + 1, N, store(A, I, 7)).
//!     fill(I, N, A) :- I >= N, 0 =< J, J < N, select(A, J) \\= 7, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let outcome = clausal::cells::verify(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

mod bounds;
mod candidates;
mod conditions;
mod equations;
mod origins;
mod parameters;
mod premises;
mod rule;
mod runs;
mod said;
mod table;
mod views;

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, StopReason, Verdict};
use crate::evidence::{Certificate, CheckError, CheckLimits, Invariant, check_certificate};
use crate::relations;
use crate::rules::{PredicateId, Program};
use crate::steps::budget::{Budget, BudgetWatch};
use crate::steps::paths::along_paths;
use crate::terms::{SortId, Substitution, TermId, Terms};
use origins::{Origins, counted_from_origins};
use rule::rule_of_cells;
use std::time::Instant;

/// Verifies that no query of the program derives the error, by what it says of single cells of its arrays, and then of two
/// at a time. The answer is *safe* or unknown. Only rules with one atom in their body are taken.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    let started = Instant::now();
    let outcome = verify_by_cells(program, options);
    match outcome.verdict {
        Verdict::Unknown(StopReason::NotSupported(_)) => {
            let rest = Options {
                budget: options.budget.after(started.elapsed()),
                ..options.clone()
            };
            verify_by_pairs(program, &rest)
        }
        _ => outcome,
    }
}

/// [`verify`], by single cells alone.
pub fn verify_by_cells(program: &Program, options: &Options) -> Outcome {
    verify_by(program, options, 1)
}

/// [`verify`], by two cells at a time alone.
pub fn verify_by_pairs(program: &Program, options: &Options) -> Outcome {
    verify_by(program, options, 2)
}

fn verify_by(program: &Program, options: &Options, cells: usize) -> Outcome {
    let has_arrays = program.predicates().iter().any(|predicate| {
        let sorts = predicate.parameters.iter().map(|one| program.terms.sort(*one));
        sorts.into_iter().any(|sort| program.terms.index_sort(sort).is_some())
    });
    if !has_arrays || program.has_calls() {
        return unknown("programs without arrays, and calls, by cells");
    }
    let started = Instant::now();
    let prepared = on_deep_stack(|| {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        // What comes now waits for its turn.
        budget.advance(1);
        let counted = counted_from_origins(program);
        let (counted, origins) = match &counted {
            Some((counted, origins)) => (counted, origins),
            None => (program, &Origins::new()),
        };
        let abstraction = Abstraction::new(counted, origins, cells);
        // Random runs find their way along paths, while a search knows relations better as they are.
        let guesses = candidates::Candidates::new(&along_paths(counted), &abstraction, &budget);
        (abstraction, guesses)
    });
    let (abstraction, mut guesses) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => return engine::failed(failure),
    };
    // What is found is proved for the original, so the evidence for the abstraction need not be.
    let unchecked = Options {
        check_evidence: false,
        budget: options.budget.after(started.elapsed()),
        ..options.clone()
    };
    let mut outcome = relations::verify_with(&abstraction.program, &mut guesses, &unchecked);
    outcome.invariants.clear();
    outcome.tree = None;
    match outcome.verdict {
        Verdict::Safe(certificate) => {
            outcome.verdict =
                abstraction.concluded(program, certificate, options, &options.budget.after(started.elapsed()));
        }
        Verdict::Unsafe(_) => {
            let what = format!("properties of more than {cells} cells at a time, by cells");
            outcome.verdict = Verdict::Unknown(StopReason::NotSupported(what));
        }
        Verdict::Unknown(_) => {}
    }
    outcome
}

fn unknown(what: &str) -> Outcome {
    Outcome::unknown(StopReason::NotSupported(what.to_string()))
}

/// How a predicate's parameters become those of the abstraction: the scalars, and then for each cell its indices, one for each
/// sort of indices, and its values, one for each array.
#[derive(Clone, Debug, Default)]
struct Shape {
    /// The positions of parameters that stay.
    scalars: Vec<usize>,
    /// The sorts of indices.
    keys: Vec<SortId>,
    /// The positions of arrays, with which of the keys is theirs.
    arrays: Vec<(usize, usize)>,
}

impl Shape {
    fn new(terms: &Terms, parameters: &[TermId]) -> Shape {
        let mut shape = Shape::default();
        for (position, parameter) in parameters.iter().enumerate() {
            let Some(index) = terms.index_sort(terms.sort(*parameter)) else {
                shape.scalars.push(position);
                continue;
            };
            let key = shape.keys.iter().position(|sort| *sort == index).unwrap_or_else(|| {
                shape.keys.push(index);
                shape.keys.len() - 1
            });
            shape.arrays.push((position, key));
        }
        shape
    }
}

/// Which cells are followed.
#[derive(Clone, Copy, Debug)]
struct Followed {
    /// How many at a time.
    cells: usize,
    /// Whether they are two, of which the first has the smaller index, or the same one. Then every pair is looked at once.
    are_ordered: bool,
}

/// What a parameter of the abstraction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The original's parameter at this position.
    Scalar(usize),
    /// The index of a cell.
    Key(usize),
    /// The element, in a cell, of the array at this position.
    Element(usize, usize),
}

/// A program about cells, and what its parameters stand for.
struct Abstraction {
    program: Program,
    /// What each of its parameters is, in terms of the original's and the indices below.
    meanings: Vec<(TermId, TermId)>,
    /// What the parameters of each predicate are.
    parts: Vec<Vec<Part>>,
    shapes: Vec<Shape>,
    /// The indices, any ones.
    keys: Vec<TermId>,
    followed: Followed,
}

impl Abstraction {
    fn new(original: &Program, origins: &Origins, cells: usize) -> Abstraction {
        let mut program = Program::new();
        program.terms = original.terms.clone();
        let shapes: Vec<Shape> = original
            .predicates()
            .iter()
            .map(|predicate| Shape::new(&original.terms, &predicate.parameters))
            .collect();
        let with_arrays = || shapes.iter().filter(|shape| !shape.arrays.is_empty());
        let followed = Followed {
            cells,
            are_ordered: cells == 2 && with_arrays().all(|shape| shape.keys == [SortId::INT]),
        };
        let mut meanings = Vec::new();
        let mut parts = vec![Vec::new(); original.predicates().len()];
        // The same indices serve all predicates.
        let mut keys: Vec<(SortId, usize, TermId)> = Vec::new();
        for (index, (predicate, shape)) in original.predicates().iter().zip(&shapes).enumerate().skip(2) {
            let own_parts: &mut Vec<Part> = &mut parts[index];
            let terms = &mut program.terms;
            let mut declared: Vec<(String, SortId)> = Vec::new();
            let mut stand_for = Vec::new();
            for position in &shape.scalars {
                let parameter = predicate.parameters[*position];
                declared.push((terms.variable_name(parameter).to_string(), terms.sort(parameter)));
                stand_for.push(parameter);
                own_parts.push(Part::Scalar(*position));
            }
            let count = if shape.arrays.is_empty() { 0 } else { cells };
            for cell in 0..count {
                let mut own = Vec::new();
                for sort in &shape.keys {
                    let known = keys.iter().find(|(other, at, _)| other == sort && *at == cell);
                    let key = match known {
                        Some((.., key)) => *key,
                        None => {
                            let name = if cell == 0 {
                                "K".to_string()
                            } else {
                                format!("K{}", cell + 1)
                            };
                            let key = terms.fresh_variable(&name, *sort);
                            keys.push((*sort, cell, key));
                            key
                        }
                    };
                    declared.push((if cell == 0 { "K" } else { "L" }.to_string(), *sort));
                    stand_for.push(key);
                    own_parts.push(Part::Key(cell));
                    own.push(key);
                }
                for (position, key) in &shape.arrays {
                    let at = match origins.get(&(index, *position)) {
                        Some(origin) => origin.index(terms, &predicate.parameters, own[*key]),
                        None => own[*key],
                    };
                    let element = terms.select(predicate.parameters[*position], at);
                    let of = if cell == 0 { "K" } else { "L" };
                    let name = terms.variable_name(predicate.parameters[*position]);
                    declared.push((format!("{name}_{of}"), terms.sort(element)));
                    stand_for.push(element);
                    own_parts.push(Part::Element(*position, cell));
                }
            }
            let declared: Vec<(&str, SortId)> = declared.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
            let id = program.add_predicate(&predicate.name, predicate.point.as_deref(), &declared);
            meanings.extend(program.predicate(id).parameters.iter().copied().zip(stand_for));
        }
        for rule in original.rules() {
            if let Some(rule) = rule_of_cells(&mut program.terms, &shapes, followed, rule) {
                program.add_rule(rule);
            }
        }
        Abstraction {
            program,
            meanings,
            parts,
            shapes,
            followed,
            keys: keys.into_iter().map(|(.., key)| key).collect(),
        }
    }

    /// The verdict on the original that a certificate for the cells gives.
    fn concluded(&self, original: &Program, certificate: Certificate, options: &Options, budget: &Budget) -> Verdict {
        let mut terms = certificate.terms;
        let mut meaning = Substitution::new();
        for (parameter, stands_for) in &self.meanings {
            meaning.insert(&terms, *parameter, *stands_for);
        }
        let in_order = match self.keys[..] {
            [first, second] if self.followed.are_ordered => terms.less_or_equal(first, second),
            _ => TermId::TRUE,
        };
        // What can be derived of a cell is what the original can reach.
        let mut invariants = Vec::with_capacity(certificate.summaries.len());
        for summary in &certificate.summaries {
            let mut disjuncts = Vec::with_capacity(summary.disjuncts.len());
            for disjunct in &summary.disjuncts {
                let conjuncts = terms.substitute_all(disjunct, &meaning);
                // Nothing is known of two cells in the other order, nor has to be.
                let about_cells =
                    |terms: &Terms, one: &TermId| terms.variables(*one).iter().any(|v| self.keys.contains(v));
                let said = conjuncts.into_iter().map(|one| match about_cells(&terms, &one) {
                    true => terms.implies(in_order, one),
                    false => one,
                });
                disjuncts.push(said.collect());
            }
            invariants.push(Invariant {
                predicate: PredicateId::from_index(summary.predicate.index()),
                disjuncts,
            });
        }
        let certificate = Certificate {
            universal: self.keys.clone(),
            ..Certificate::new(terms, invariants)
        };
        let budget = BudgetWatch::start(budget, &options.cancellation);
        let limits = CheckLimits {
            query_resources: options.budget.query_resources,
            watch: Some(&budget),
        };
        match check_certificate(original, &certificate, limits) {
            Ok(_) => Verdict::Safe(certificate),
            Err(CheckError::Cancelled) => Verdict::Unknown(budget.interruption().unwrap_or(StopReason::Cancelled)),
            // The checker may look at other cells than the rules of the abstraction did.
            Err(error) => Verdict::Unknown(StopReason::SolverGaveUp(format!("checking the certificate: {error}"))),
        }
    }
}

#[cfg(test)]
mod tests;
