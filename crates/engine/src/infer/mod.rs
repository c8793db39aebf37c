//! `infer`: invariants from states, proved (seed 001, SymInfer).
//!
//! ```text
//! rules ──unfold──► places ──sampling──► states ──guesses──► candidates ──induction──► proved
//!                     │                    ▲                     │
//!                     └──symbolic states───┴──── refuted ◄───────┘ the others
//! ```
//!
//! - `unfold`: what lies between places where invariants are wanted is composed away; ends of runs and an iteration counter
//!   are added.
//! - `sampling`, `machine`: concrete states, by running the rules on random values.
//! - `symbolic`: symbolic states up to a depth, which refute candidates and give further states.
//! - `polynomials`, a folder of the crate: equalities, as the Gröbner basis of what vanishes on the states.
//! - `guesses`, `wide`, `columns`, `candidate`: all shapes of candidates.
//! - `auxiliary`, `phases`: conditions that are not shown, but that others are proved with.
//! - `induction`, `steps`, `ideal`, `linearize`: the strongest inductive subset.
//! - `k_induction`, `chains`: what else holds by induction over several steps at once.
//! - `calls`: the same for rules with calls: what holds when a predicate is called, and when its call has come back.
//! - `work`: what an inference counts, so that it can take turns with other searches.
//! - `ranking`, `render`: what is printed, and how.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::infer::{Notation, Options, Status, infer};
//!
//! // The square root: T = 2A + 1 and S = (A + 1)^2 at the loop.
//! let source = "
//!     ?- N >= 0, root(N, 0, 1, 1).
//!     root(N, A, S, T) :- S =< N, root(N, A + 1, S + T + 2, T + 2).
//!     root(N, A, S, T) :- S > N.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let inference = infer(&program, &[], &Options::default()).expect("it can be run");
//! let place = &inference.places[0];
//! let proved: Vec<String> = place
//!     .invariants
//!     .iter()
//!     .filter(|found| found.status == Status::Proved)
//!     .map(|found| inference.text(place, found, Notation::Clp))
//!     .collect();
//! assert!(proved.contains(&"T = 2*A + 1".to_string()), "{proved:?}");
//! assert!(proved.contains(&"S = A*A + 2*A + 1".to_string()), "{proved:?}");
//! ```

mod assist;
mod auxiliary;
mod calls;
mod candidate;
mod certificate;
mod chains;
mod columns;
mod comparison;
pub mod complexity;
mod divisibility;
mod expression;
mod guesses;
mod hints;
mod ideal;
mod induction;
mod inference;
mod k_induction;
mod linearize;
mod machine;
mod options;
mod phases;
mod progressions;
mod proof;
mod ranking;
mod render;
mod sampling;
mod steps;
mod symbolic;
#[cfg(test)]
mod tests;
mod unfold;
mod wide;
mod work;

pub use crate::polynomials::{Indeterminates, Monomial, Polynomial, State};
pub use assist::offer;
pub(crate) use assist::{offered, proved_of_calls};
pub use candidate::{Kind, Relation, Shape};
pub use expression::{parse_formula, parse_term};
pub use inference::{FoundInvariant, Inference, InferenceStatistics, PlaceInvariants, Status};
pub use options::Options;
pub(crate) use progressions::scales_back;
pub use render::Notation;

use crate::deep_stack::{Failure, on_deep_stack};
use crate::rules::{PredicateId, Program};
use crate::solver::with_interrupts;
use crate::terms::{SortId, TermId};
use inference::Deadline;

/// Infers invariants of a program at its loop headers, at the ends of its runs, and at the predicates wanted; of one with calls, at its
/// loop headers, and where calls have come back.
///
/// # Errors
///
/// A sentence, if the inference could not be run.
pub fn infer(program: &Program, wanted: &[PredicateId], options: &Options) -> Result<Inference, String> {
    program
        .validate()
        .map_err(|problem| format!("the program is malformed: {problem}"))?;
    let run = || {
        let deadline = Deadline {
            end: inference::end(options.time),
            options,
        };
        with_interrupts(&deadline, || match program.has_calls() {
            true => calls::run(program, options, &deadline),
            false => inference::run(program, wanted, options, &deadline),
        })
    };
    match on_deep_stack(run) {
        Ok(inference) => Ok(inference),
        Err(Failure::Stopped) => Err("the inference stopped unexpectedly".to_string()),
        Err(Failure::NotStarted(error)) => Err(format!("a thread could not be started: {error}")),
    }
}

impl Inference {
    /// The names of the parameters of a place that nothing is said of, as they are neither numbers nor truth values: arrays, lists and
    /// other terms, machine words, floating-point numbers.
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::infer::{Options, infer};
    ///
    /// let source = "?- p(0, []). p(N, L) :- N < 9, p(N + 1, [N | L]). p(N, L) :- N >= 9.";
    /// let program = clausal::clp::read(source).product.expect("no mistake in it");
    /// let inference = infer(&program, &[], &Options::default()).expect("it can be run");
    /// assert_eq!(inference.left_out(&inference.places[0]), ["L"]);
    /// ```
    pub fn left_out<'a>(&self, place: &'a PlaceInvariants) -> Vec<&'a str> {
        let parameters = self.program.predicate(place.place).parameters.iter();
        let is_left_out = |parameter: TermId| {
            let sort = self.program.terms.sort(parameter);
            !sort.is_numeric() && sort != SortId::BOOL
        };
        let named = parameters.zip(&place.names);
        let left_out = named.filter(|(parameter, _)| is_left_out(**parameter));
        left_out.map(|(_, name)| name.as_str()).collect()
    }

    /// The name of a column of a place.
    pub fn column_name(&self, place: &PlaceInvariants, column: u32) -> String {
        if let Some(name) = place.names.get(column as usize) {
            return name.clone();
        }
        match place.columns.get(column as usize) {
            Some(term) => {
                let name = |variable: TermId| {
                    let position = place.columns.iter().position(|other| *other == variable);
                    position.and_then(|position| place.names.get(position)).cloned()
                };
                format!("({})", self.terms.display_named(*term, &name))
            }
            None => String::new(),
        }
    }

    /// The values of the columns of a place in all states seen there.
    pub fn column_values(&self, place: &PlaceInvariants) -> Vec<State> {
        let parameters = self.program.predicate(place.place).parameters.len();
        let further = place.columns.get(parameters..).unwrap_or_default();
        let columns = columns::Columns::new(&self.program, &self.terms, place.place, further);
        let states = self.samples.at(place.place).iter();
        states
            .filter_map(|state| columns.values_in(&self.terms, state))
            .collect()
    }

    /// An invariant as text.
    pub fn text(&self, place: &PlaceInvariants, invariant: &FoundInvariant, notation: Notation) -> String {
        render::text(&invariant.shape, notation, &|column| self.column_name(place, column))
    }

    /// An invariant as an expression of C over the parameters of its place by these names; `None` if it speaks of one without
    /// a name, or of something that C has no expression for.
    pub fn c_expression(&self, invariant: &FoundInvariant, names: &[Option<String>]) -> Option<String> {
        let polynomial = match &invariant.shape {
            Shape::Equality(polynomial) | Shape::Inequality(polynomial) => polynomial,
            // What is left by C's `%` has the sign of the dividend.
            Shape::Congruence {
                dividend, remainder: 0, ..
            } => dividend,
            Shape::Congruence { .. } | Shape::Extremum { .. } | Shape::Progression { .. } | Shape::Auxiliary => {
                return None;
            }
        };
        let name = |column: u32| names.get(column as usize).cloned().flatten();
        let all = polynomial.variables().into_iter().all(|column| name(column).is_some());
        all.then(|| {
            let name_of = |column| name(column).unwrap_or_default();
            render::text(&invariant.shape, Notation::C, &name_of)
        })
    }
}
