//! Recursive datatypes by measures: what a program says of how large or how high its lists, trees and numbers are, of the sums and the
//! bounds of their elements, and of their order.
//!
//! Many properties of programs over lists and trees follow from such measures alone: `append` adds lengths, what is inserted makes a
//! tree larger by one, and a list stays sorted. So each parameter of a recursive datatype becomes some integers and truth values, its
//! [measures](crate::terms::Measure), and the rules say of these what they said of the terms, as far as it can be said (more runs may be
//! possible then, never fewer). If that program is safe, its certificate with measures in the place of the variables is one for the
//! original, which the checker decides. Otherwise nothing is known. Where a datatype is the natural numbers, with zero and a successor,
//! nothing is lost by its size.
//!
//! Which measures are followed together is fixed in three sets, from the cheapest to what sorting needs; each is a method of its own in
//! [`crate::turns`]. The seeds have no such step; functions on terms that are defined by their recursion are known as catamorphisms.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//!
//! let source = "(set-logic HORN)
//!     (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
//!     (declare-fun append (list list list) Bool)
//!     (assert (forall ((Y list)) (append nil Y Y)))
//!     (assert (forall ((H Int) (X list) (Y list) (Z list)) (=> (append X Y Z) (append (cons H X) Y (cons H Z)))))
//!     (assert (forall ((X list)) (=> (append X (cons 1 nil) X) false)))";
//! let program = clausal::horn::read_with_calls(source).product.expect("a well-formed text");
//! let outcome = clausal::measures::verify_by_size(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

mod rule;

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, StopReason, Verdict};
use crate::evidence::{Certificate, CheckError, CheckLimits, Invariant, check_certificate};
use crate::records::Apart;
use crate::relations;
use crate::rules::Program;
use crate::steps::budget::{Budget, BudgetWatch};
use crate::terms::{ConstructorId, Measure, Sort, SortId, Substitution, TermId, Terms};
use hashbrown::HashSet;
use rule::RuleOfMeasures;
use std::time::Instant;

/// Verifies that no query of the program derives the error, by what it says of sizes. The answer is *safe* or unknown.
pub fn verify_by_size(program: &Program, options: &Options) -> Outcome {
    verify(program, options, Set::Size)
}

/// [`verify_by_size`], with heights, if there is anything like a tree, and with sums, if anything recursive has integers inside.
pub fn verify_by_sum(program: &Program, options: &Options) -> Outcome {
    verify(program, options, Set::Sum)
}

/// [`verify_by_size`], with the order of integers inside of lists and trees in the place of sizes, and their bounds.
pub fn verify_by_order(program: &Program, options: &Options) -> Outcome {
    verify(program, options, Set::Order)
}

/// Which measures are followed together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Size,
    Sum,
    Order,
}

impl Set {
    /// The measures of a sort. What has no elements has none but its size and its height.
    fn measures(self, terms: &Terms, sort: SortId) -> Vec<Measure> {
        match self {
            Set::Order if terms.has_elements(sort) => vec![
                Measure::Elements,
                Measure::Minimum,
                Measure::Maximum,
                Measure::Ascending,
            ],
            Set::Sum => {
                let mut measures = vec![Measure::Size];
                let constructors = terms.datatype(sort).map_or(&[][..], |datatype| &datatype.constructors);
                let parts = |id: &ConstructorId| {
                    let fields = terms.constructor(*id).fields.iter();
                    fields.filter(|field| terms.is_recurring(**field)).count()
                };
                if constructors.iter().any(|id| parts(id) > 1) {
                    measures.push(Measure::Height);
                }
                if terms.has_elements(sort) {
                    measures.push(Measure::Sum);
                }
                measures
            }
            Set::Size | Set::Order => vec![Measure::Size],
        }
    }
}

fn verify(program: &Program, options: &Options, set: Set) -> Outcome {
    let terms = &program.terms;
    let mut recursive = terms.datatypes().iter().filter(|one| terms.is_recursive(one.sort));
    // Without anything but sizes to follow, the first set is enough.
    if !recursive.any(|one| set == Set::Size || set.measures(terms, one.sort) != [Measure::Size]) {
        return unknown("programs without recursive datatypes that have them, by measures");
    }
    let started = Instant::now();
    let abstracted = || match Apart::new(program) {
        Some(apart) => Abstraction::new(&apart.program, set).of_parts(&apart.parts),
        None => Abstraction::new(program, set),
    };
    let abstraction = match on_deep_stack(abstracted) {
        Ok(abstraction) => abstraction,
        Err(failure) => return engine::failed(failure),
    };
    let mut outcome = relations::verify_by_regularities(&abstraction.program, options);
    outcome.invariants.clear();
    outcome.tree = None;
    outcome.verdict = match outcome.verdict {
        Verdict::Safe(certificate) => {
            let rest = options.budget.after(started.elapsed());
            abstraction.concluded(program, certificate, options, &rest)
        }
        Verdict::Unsafe(_) => Verdict::Unknown(StopReason::NotSupported(
            "properties of datatypes that do not follow from measures, by measures".to_string(),
        )),
        unknown => unknown,
    };
    outcome
}

fn unknown(what: &str) -> Outcome {
    Outcome::unknown(StopReason::NotSupported(what.to_string()))
}

/// What becomes of terms of a sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// They stay.
    Kept,
    /// Their measures take their place.
    Measured,
    /// They have recursive datatypes inside; nothing is said of them.
    Dropped,
}

/// A program about measures, and how its parameters come from those of the original.
struct Abstraction {
    program: Program,
    /// Each parameter of the new program, with the original's, and of which measure it is the value.
    parameters: Vec<(TermId, TermId, Option<Measure>)>,
}

impl Abstraction {
    fn new(original: &Program, set: Set) -> Abstraction {
        let mut program = Program::new();
        program.terms = original.terms.clone();
        let kinds: Vec<Vec<Kind>> = original
            .predicates()
            .iter()
            .map(|predicate| {
                let sorts = predicate.parameters.iter().map(|one| original.terms.sort(*one));
                sorts.map(|sort| kind_of(&original.terms, sort)).collect()
            })
            .collect();
        let mut parameters = Vec::new();
        for (predicate, kinds) in original.predicates().iter().zip(&kinds).skip(2) {
            let mut declared: Vec<(&str, SortId)> = Vec::new();
            let mut origins = Vec::new();
            for (parameter, kind) in predicate.parameters.iter().zip(kinds) {
                let (name, sort) = (
                    original.terms.variable_name(*parameter),
                    original.terms.sort(*parameter),
                );
                match kind {
                    Kind::Kept => {
                        declared.push((name, sort));
                        origins.push((*parameter, None));
                    }
                    Kind::Measured => {
                        for measure in set.measures(&original.terms, sort) {
                            declared.push((name, measure.sort()));
                            origins.push((*parameter, Some(measure)));
                        }
                    }
                    Kind::Dropped => {}
                }
            }
            let id = program.add_predicate(&predicate.name, predicate.point.as_deref(), &declared);
            let own = program.predicate(id).parameters.iter().zip(origins);
            parameters.extend(own.map(|(own, (origin, measure))| (*own, origin, measure)));
        }
        for rule in original.rules() {
            let rule = RuleOfMeasures::new(&mut program.terms, &kinds, set).rule(rule);
            program.add_rule(rule);
        }
        Abstraction { program, parameters }
    }

    /// The same, of a program whose parameters are parts of another one's.
    fn of_parts(mut self, parts: &Substitution) -> Abstraction {
        for (_, origin, _) in &mut self.parameters {
            *origin = parts.get(*origin).unwrap_or(*origin);
        }
        self
    }

    /// The verdict on the original that a certificate for the measures gives.
    fn concluded(&self, original: &Program, certificate: Certificate, options: &Options, budget: &Budget) -> Verdict {
        let mut terms = certificate.terms;
        let mut measures = Substitution::new();
        for (parameter, origin, measure) in &self.parameters {
            let value = match measure {
                Some(measure) => terms.measure_of(*measure, *origin),
                None => *origin,
            };
            measures.insert(&terms, *parameter, value);
        }
        let mut of_original = |invariants: Vec<Invariant>| -> Vec<Invariant> {
            let translated = invariants.into_iter().map(|invariant| {
                let disjuncts = invariant.disjuncts.iter();
                let disjuncts = disjuncts
                    .map(|conjuncts| terms.substitute_all(conjuncts, &measures))
                    .collect();
                Invariant { disjuncts, ..invariant }
            });
            translated.collect()
        };
        let (invariants, summaries) = (of_original(certificate.invariants), of_original(certificate.summaries));
        let certificate = Certificate {
            summaries,
            induction_depth: certificate.induction_depth,
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
            // What is unfolded of measures may be too little for a conclusion that holds.
            Err(error) => Verdict::Unknown(StopReason::SolverGaveUp(format!("checking the certificate: {error}"))),
        }
    }
}

fn kind_of(terms: &Terms, sort: SortId) -> Kind {
    if terms.datatype(sort).is_some() && terms.is_recursive(sort) {
        return Kind::Measured;
    }
    let mut seen: HashSet<SortId> = HashSet::new();
    let mut stack = vec![sort];
    while let Some(inner) = stack.pop() {
        if !seen.insert(inner) {
            continue;
        }
        if inner != sort && terms.is_recursive(inner) {
            return Kind::Dropped;
        }
        match terms.sort_of_id(inner) {
            Sort::Array(index, element) => stack.extend([index, element]),
            Sort::Datatype(_) => {
                let constructors = terms.datatype(inner).map_or(&[][..], |datatype| &datatype.constructors);
                let fields = constructors.iter().flat_map(|id| &terms.constructor(*id).fields);
                stack.extend(fields.map(|field| terms.field(*field).sort));
            }
            Sort::Int | Sort::Real | Sort::Bool | Sort::Word(_) | Sort::Float(_) => {}
        }
    }
    Kind::Kept
}

#[cfg(test)]
mod tests;
