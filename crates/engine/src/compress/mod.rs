//! Trace generalization by loop compression (seed 000).
//!
//! A [`Trace`] is one execution. [`compress`] replaces iterations of its loops by loop invariants that are *safe*: what the
//! trace implied at its end, its target, the compressed trace still implies. So the compressed trace stands for all
//! executions that imply the target in the same way, however often they go through the loops, and is short enough to be read.
//!
//! ```text
//! trace       executions, recorded                           loops      which loops there are, how they are nested
//! algorithm   COMPRESSTRACE, CHECKSAFEINV                     walk       following a trace symbolically
//! biid        LOOPINV_BIID, with interpolation                sources    where candidates for invariants come from
//! generalize  GENERALIZE                                     symbolic   symbolic states, SYMSTEP, ⟦σ⟧
//! proof       Hoare triples, as a program with a certificate that `evidence` checks; coq writes it for Coq
//! listing     a compressed trace in words; text, html
//! ```
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::compress::{Options, Target, Trace, compress};
//! use clausal::terms::{Rational, Value};
//!
//! // The seed's first example, run with n = 100. The last rule says what the target is.
//! let source = "
//!     ?- N >= 0, loop(0, 0, N).
//!     loop(I, J, N) :- I =\\= N, loop(I + 1, J + 2, N).
//!     loop(I, J, N) :- I = N, target(J, N).
//!     target(J, N) :- J >= N, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let hundred = Value::Number(Rational::from_integer(100.into()));
//! let trace = Trace::record(&program, None, &mut |_| Some(hundred.clone()), 10_000).expect("it can be run");
//! assert_eq!(trace.steps.len(), 103);
//!
//! let compressed = compress(&program, &trace, &Target::Error, &Options::default()).expect("it implies its target");
//! let [invariant] = &compressed.invariants[..] else { panic!("one loop, one invariant") };
//! let text = compressed.terms.display(invariant.formulas[0]).to_string();
//! assert_eq!((invariant.formulas.len(), text.as_str()), (1, "I =< J"));
//! // The query, the invariant, and the exit of the loop.
//! assert_eq!(compressed.items.len(), 3);
//! ```

mod algorithm;
mod biid;
mod coq;
mod generalize;
mod html;
mod interpolation;
mod listing;
mod loops;
mod options;
mod proof;
mod random;
mod sources;
mod symbolic;
mod text;
mod trace;
mod walk;

pub use biid::Exit;
pub use coq::coq;
pub use html::html;
pub use listing::{ExitText, InvariantText, Line, Listing, RuleWording, Statement, TripleText, Unrolled, Wording};
pub use options::{CompressError, InputValues, Options, Target};
pub use proof::{Origin, Proof, Triple};
pub use random::RandomInputs;
pub use sources::{CandidateSource, Header, Representation};
pub use text::{text, triples_text};
pub use trace::{Trace, TraceError, TraceStep};

use crate::deep_stack::{Failure, on_deep_stack};
use crate::evidence::{CheckLimits, CheckReport, check_certificate};
use crate::rules::{PredicateId, Program};
use crate::solver::{InterruptWatch, with_interrupts};
use crate::terms::{TermId, Terms};
use algorithm::{Part, Task};
use biid::LoopInvariant;
use options::Watch;
use proof::Proved;
use std::ops::Range;
use std::time::Instant;
use symbolic::Context;

/// A part of a compressed trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// The step of the trace with this number, counted from 0.
    Step(usize),
    /// The invariant with this number, counted from 0, in the place of iterations of a loop.
    Invariant(usize),
}

/// A loop invariant in a compressed trace.
#[derive(Clone, Debug)]
pub struct TraceInvariant {
    /// The header of the loop, over whose parameters the formulas are.
    pub header: PredicateId,
    /// What BIID has found.
    pub discovered: Vec<TermId>,
    /// What generalization has left of it.
    pub formulas: Vec<TermId>,
    /// Where the compressed trace goes on, and what holds there, if that is not at the header: the loop was left somewhere
    /// else, and how does not matter.
    pub exit: Option<Exit>,
    /// The steps of the trace that it stands for.
    pub covers: Range<usize>,
    /// The proof that it is invariant.
    pub triples: Vec<Triple>,
}

/// A compressed trace.
#[derive(Clone, Debug)]
pub struct Compression {
    /// The terms of all formulas; those of the program are among them.
    pub terms: Terms,
    /// The compressed trace.
    pub items: Vec<Item>,
    /// Its invariants, in order.
    pub invariants: Vec<TraceInvariant>,
    /// What it implies: formulas over the parameters of `target_predicate`.
    pub target: Vec<TermId>,
    /// The predicate of the goal at the end.
    pub target_predicate: PredicateId,
    /// Seconds of the whole, with the proof and its check.
    pub seconds: f64,
    /// How many steps of the trace lead to the target; what follows is not part of the matter.
    pub length: usize,
    /// How often loops had to be unrolled, by their headers.
    pub unrolled: Vec<(PredicateId, usize)>,
    /// Whether inputs have the values that they had in the execution, because the target is not implied otherwise.
    pub inputs_as_read: bool,
    /// The compressed trace as a program, and the proof.
    pub proof: Proof,
    /// What the checker has said of the proof; `None` if it was not asked.
    pub checked: Option<CheckReport>,
}

/// Compresses a trace (seed 000, COMPRESSTRACE).
///
/// The work is done on a thread of its own. The result is the same in every run.
///
/// # Errors
/// See [`CompressError`].
pub fn compress(
    program: &Program,
    trace: &Trace,
    target: &Target,
    options: &Options,
) -> Result<Compression, CompressError> {
    if program.has_calls() {
        return Err(CompressError::NotSupported(
            "a rule with several body atoms".to_string(),
        ));
    }
    let run = || {
        let watch = Watch::start(options);
        with_interrupts(&watch, || run(program, trace, target, options, &watch))
    };
    match on_deep_stack(run) {
        Ok(result) => result,
        Err(Failure::Stopped) => Err(CompressError::Internal(
            "the compression stopped unexpectedly".to_string(),
        )),
        Err(Failure::NotStarted(error)) => Err(CompressError::NotSupported(format!(
            "a thread could not be started: {error}"
        ))),
    }
}

fn run(
    program: &Program,
    trace: &Trace,
    target: &Target,
    options: &Options,
    watch: &dyn InterruptWatch,
) -> Result<Compression, CompressError> {
    let started = Instant::now();
    let mut context = Context::new(program, options.query_resources, watch);
    let task = Task::new(&mut context, trace, target, options.inputs)?;
    let compressed = algorithm::compress_trace(&mut context, &task, options)?;
    let mut parts = compressed.parts;
    let discovered: Vec<Vec<TermId>> = parts.iter().filter_map(discovered_in).collect();
    if options.generalize {
        generalize::generalize(&mut context, &task, options, &mut parts)?;
    }
    let proved = prove_all(&mut context, options, &parts)?;
    let proof = proof::prove(&mut context, &task, &proved)?;
    let checked = match options.check {
        true => Some(checked(&proof, options, watch)?),
        false => None,
    };
    let mut items = Vec::with_capacity(parts.len());
    let mut count = 0;
    for part in &parts {
        items.push(match part {
            Part::Step(position) => Item::Step(*position),
            Part::Invariant(_) => {
                count += 1;
                Item::Invariant(count - 1)
            }
        });
    }
    let invariants = proved
        .iter()
        .zip(discovered)
        .map(|(proved, discovered)| TraceInvariant {
            header: proved.header,
            discovered,
            formulas: proved.proof.believed.clone(),
            exit: proved.proof.exit.clone(),
            covers: proved.covers.clone(),
            triples: proof::triples(&context, &proved.proof),
        });
    Ok(Compression {
        items,
        invariants: invariants.collect(),
        seconds: started.elapsed().as_secs_f64(),
        length: task.steps.len(),
        target_predicate: task.target_predicate,
        inputs_as_read: task.pinned,
        target: task.target,
        unrolled: compressed.unrolled,
        proof,
        checked,
        terms: context.terms,
    })
}

fn discovered_in(part: &Part) -> Option<Vec<TermId>> {
    match part {
        Part::Invariant(found) => Some(found.invariant.clone()),
        Part::Step(_) => None,
    }
}

/// The trees that prove the invariants as they are in the end.
fn prove_all(context: &mut Context<'_>, options: &Options, parts: &[Part]) -> Result<Vec<Proved>, CompressError> {
    let mut proved = Vec::new();
    for part in parts {
        let Part::Invariant(found) = part else {
            continue;
        };
        let method = algorithm::method(options, found.representation);
        let invariant = &found.invariant;
        let proof = biid::loop_invariant(context, found.number, invariant, invariant, found.exit.clone(), method)?;
        let is_same = |proof: &LoopInvariant| proof.believed == *invariant && proof.exit == found.exit;
        let Some(proof) = proof.filter(is_same) else {
            return Err(CompressError::Internal(
                "an invariant cannot be proved again".to_string(),
            ));
        };
        proved.push(Proved {
            header: context.loops.numbered(found.number).header,
            covers: found.covers.clone(),
            number: found.number,
            proof,
        });
    }
    Ok(proved)
}

/// What the checker of certificates says, which knows nothing of the search.
fn checked(proof: &Proof, options: &Options, watch: &dyn InterruptWatch) -> Result<CheckReport, CompressError> {
    let limits = CheckLimits {
        query_resources: options.query_resources,
        watch: Some(watch),
    };
    check_certificate(&proof.program, &proof.certificate, limits).map_err(|error| match watch.should_stop() {
        true => CompressError::Stopped,
        false => CompressError::Internal(format!("the proof is not accepted: {error}")),
    })
}
