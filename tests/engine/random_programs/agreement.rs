//! Compares what is said of one random program: by the oracle, by the engine in both ways and twice, by the checkers of the
//! evidence, and by the engine about the program after it was printed and read, in both languages.

use super::generator::generate;
use super::oracle::{Limits, Observation, observe};
use clausal::engine::{Interpolation, Options, Outcome, StopReason, Verdict, verify};
use clausal::evidence::{CheckLimits, check_certificate, replay, save_certificate, save_derivation};
use clausal::rules::Program;
use clausal::{clp, diagnostics, horn};
use std::time::Duration;

/// What is compared.
#[derive(Clone, Copy)]
pub struct Comparison {
    /// The most states of a verification.
    pub states: u64,
    /// The most unrollings of loops in it.
    pub unrollings: u64,
    /// The most time of a verification; a limit makes verdicts depend on the machine.
    pub time: Option<Duration>,
    /// How much the oracle runs.
    pub limits: Limits,
    /// Whether the evidence is checked once more than the engine does by itself.
    pub recheck: bool,
    /// Whether the program is verified again: the same, printed and read, and exported and read.
    pub again: bool,
}

/// What was said of a program.
pub struct Agreement {
    /// The program.
    pub program: Program,
    /// The oracle's word.
    pub observed: &'static str,
    /// The engine's, with its default interpolation and with cores.
    pub verdicts: [&'static str; 2],
    /// Why the engine gave none.
    pub reasons: Vec<String>,
    /// The longest verification, in seconds.
    pub seconds: f64,
}

/// Compares all that is said of the program of a seed.
///
/// # Errors
///
/// A text for people that says what disagrees.
pub fn compare(seed: u64, comparison: Comparison) -> Result<Agreement, String> {
    let text = generate(seed);
    compare_text(&text, comparison).map_err(|why| format!("seed {seed}: {why}\n{text}"))
}

fn compare_text(text: &str, comparison: Comparison) -> Result<Agreement, String> {
    let reading = clp::read(text);
    let Some(program) = reading.product else {
        return Err(diagnostics::render(&reading.diagnostics, "random.clp", text));
    };
    let observation = observe(&program, comparison.limits);
    if let Observation::Unsafe(derivation) = &observation {
        replay(&program, derivation).map_err(|error| format!("the oracle's run is not accepted: {error}"))?;
    }
    let observed = observation_label(&observation);
    let mut agreement = Agreement {
        program,
        observed,
        verdicts: [""; 2],
        reasons: Vec::new(),
        seconds: 0.0,
    };
    let methods = [Interpolation::WeakestPrecondition, Interpolation::Cores];
    for (position, method) in methods.into_iter().enumerate() {
        let outcome =
            verified(&agreement.program, comparison, method, observed).map_err(|why| format!("{method:?}: {why}"))?;
        agreement.verdicts[position] = label(&outcome);
        agreement.seconds = agreement.seconds.max(outcome.statistics.seconds);
        if let Verdict::Unknown(reason) = &outcome.verdict {
            agreement.reasons.push(reason.to_string());
        }
        if comparison.again {
            again(&agreement.program, comparison, method, &outcome, observed)
                .map_err(|why| format!("{method:?}: {why}"))?;
        }
    }
    no_contradiction(agreement.verdicts[0], agreement.verdicts[1])?;
    Ok(agreement)
}

fn options(comparison: Comparison, interpolation: Interpolation) -> Options {
    let mut options = Options {
        interpolation,
        ..Options::default()
    };
    options.budget.states = Some(comparison.states);
    options.budget.unrollings = Some(comparison.unrollings);
    options.budget.time = comparison.time;
    options.budget.query_resources = 2_000_000;
    options
}

/// The outcome of a verification whose evidence is accepted and whose verdict does not contradict the oracle.
fn verified(
    program: &Program,
    comparison: Comparison,
    method: Interpolation,
    observed: &'static str,
) -> Result<Outcome, String> {
    let outcome = verify(program, &options(comparison, method));
    match &outcome.verdict {
        Verdict::Safe(certificate) if comparison.recheck => {
            check_certificate(program, certificate, CheckLimits::default())
                .map_err(|error| format!("the certificate is rejected: {error}"))?;
        }
        Verdict::Unsafe(derivation) => {
            replay(program, derivation).map_err(|error| format!("the derivation is rejected: {error}"))?;
        }
        Verdict::Unknown(StopReason::EvidenceRejected(why)) => return Err(format!("rejected evidence: {why}")),
        Verdict::Safe(_) | Verdict::Unknown(_) => {}
    }
    no_contradiction(observed, label(&outcome))?;
    Ok(outcome)
}

/// The same program again, and the program after printing and reading.
fn again(
    program: &Program,
    comparison: Comparison,
    method: Interpolation,
    outcome: &Outcome,
    observed: &'static str,
) -> Result<(), String> {
    let second = verified(program, comparison, method, observed)?;
    let (first, second) = (fingerprint(program, outcome)?, fingerprint(program, &second)?);
    if first != second && comparison.time.is_none() {
        return Err(format!("two runs differ:\n{first}\n{second}"));
    }
    let printed = clp::print(program);
    let horn_text = horn::print(program);
    for (name, text, reading) in [
        ("CLP", &printed, clp::read(&printed)),
        ("HORN", &horn_text, horn::read(&horn_text)),
    ] {
        let Some(copy) = reading.product else {
            let why = diagnostics::render(&reading.diagnostics, name, text);
            return Err(format!("the {name} text cannot be read: {why}"));
        };
        let verdict = label(&verified(&copy, comparison, method, observed)?);
        // Reading may change the order of conjuncts, and with it where the budget ends: one unknown is no disagreement.
        no_contradiction(label(outcome), verdict).map_err(|why| format!("through {name}: {why}"))?;
    }
    Ok(())
}

/// All of an outcome that must not change from run to run.
fn fingerprint(program: &Program, outcome: &Outcome) -> Result<String, String> {
    let evidence = match &outcome.verdict {
        Verdict::Safe(certificate) => save_certificate(program, certificate).map_err(|error| error.to_string())?,
        Verdict::Unsafe(derivation) => save_derivation(program, derivation).map_err(|error| error.to_string())?,
        Verdict::Unknown(reason) => reason.to_string(),
    };
    let mut statistics = outcome.statistics.clone();
    statistics.seconds = 0.0;
    statistics.checking_seconds = 0.0;
    statistics.solver.syntactic.seconds = 0.0;
    statistics.solver.linear.seconds = 0.0;
    statistics.solver.z3.seconds = 0.0;
    Ok(format!("{evidence}\n{statistics:?}"))
}

/// Fails if one says safe and the other unsafe.
pub fn no_contradiction(first: &str, second: &str) -> Result<(), String> {
    match (first, second) {
        ("safe", "unsafe") | ("unsafe", "safe") => Err(format!("{first} here and {second} there")),
        _ => Ok(()),
    }
}

fn label(outcome: &Outcome) -> &'static str {
    match &outcome.verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    }
}

fn observation_label(observation: &Observation) -> &'static str {
    match observation {
        Observation::Safe => "safe",
        Observation::Unsafe(_) => "unsafe",
        Observation::Unknown => "unknown",
    }
}
