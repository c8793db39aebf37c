//! For tests of programs: verdicts as assertions, and proofs as snapshots.
//!
//! Whoever writes verification goals keeps them in tests. [`assert_safe!`](crate::assert_safe) and
//! [`assert_unsafe!`](crate::assert_unsafe) verify, with everything Clausal has, and say why it is otherwise;
//! [`proof_snapshot!`](crate::proof_snapshot) compares the proof, an invariant a line, with the one that was reviewed, by the crate `insta`,
//! which the tests depend on themselves. Texts are the same in every run and on every machine.
//!
//! ```
//! use clausal::testing::{c, horn};
//!
//! let proved = clausal::assert_safe!("?- loop(0). loop(X) :- X < 10, loop(X + 1). loop(X) :- X > 10, error.");
//! assert!(proved.proof().contains("X =< 10"));
//! clausal::assert_unsafe!(c("int main() { int x = 0; while (x < 5) x++; if (x == 5) reach_error(); }"));
//! clausal::assert_safe!(horn("(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 1))
//!     (assert (forall ((x Int)) (=> (p x) (p (+ x 2))))) (assert (not (p 0)))"));
//! ```

use crate::c::options::Options as COptions;
use crate::diagnostics::{Reading, render};
use crate::engine::{Options, Outcome, Verdict};
use crate::report;
use crate::rules::Program;
use crate::source_level::{Method, Places, findings, verify_c_by};
use crate::{clp, horn as smtlib, turns};

/// A text to verify, in one of the languages.
#[derive(Clone, Copy, Debug)]
pub enum Source<'t> {
    /// CLP rules; what a plain text is taken for.
    Clp(&'t str),
    /// SMT-LIB's logic HORN.
    Horn(&'t str),
    /// C, which needs no preprocessor.
    C(&'t str),
}

impl<'t> From<&'t str> for Source<'t> {
    fn from(text: &'t str) -> Source<'t> {
        Source::Clp(text)
    }
}

impl<'t> From<&'t String> for Source<'t> {
    fn from(text: &'t String) -> Source<'t> {
        Source::Clp(text)
    }
}

/// A text in C.
pub fn c(text: &str) -> Source<'_> {
    Source::C(text)
}

/// A text in SMT-LIB's logic HORN.
pub fn horn(text: &str) -> Source<'_> {
    Source::Horn(text)
}

/// What was found out about a text.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The rules that the evidence is about.
    pub program: Program,
    /// The outcome.
    pub outcome: Outcome,
    report: String,
}

impl Verified {
    /// The verdict, the invariants or the path, and of a proof the whole certificate; the same text in every run.
    pub fn proof(&self) -> String {
        let certificate = report::proof(&self.program, &self.outcome);
        let of_certificate = certificate.split_once("\nCertificate:").map(|(_, rest)| rest);
        of_certificate.map_or_else(
            || self.report.clone(),
            |rest| format!("{}\nCertificate:{rest}", self.report),
        )
    }

    /// The verdict, and the invariants or the path.
    pub fn report(&self) -> &str {
        &self.report
    }
}

/// Verifies a text, by all methods in turns.
///
/// # Errors
///
/// The diagnostics, drawn with the lines underlined, if it is no program.
pub fn verified<'t>(source: impl Into<Source<'t>>, options: &Options) -> Result<Verified, String> {
    let of_rules = |name: &str, text: &str, reading: Reading<Program>| {
        let Reading { product, diagnostics } = reading;
        let program = product.ok_or_else(|| render(&diagnostics, name, text))?;
        let outcome = turns::verify(&program, options);
        let report = report::findings(&program, &outcome);
        Ok(Verified {
            program,
            outcome,
            report,
        })
    };
    match source.into() {
        Source::Clp(text) => of_rules("program.clp", text, clp::read_with_calls(text)),
        Source::Horn(text) => of_rules("program.smt2", text, smtlib::read_with_calls(text)),
        Source::C(text) => {
            let by_turns = |translation: &mut crate::c::Translation, options: &Options| {
                turns::verify(&translation.program, options)
            };
            let reading = verify_c_by(text, &COptions::default(), Method::Automatic, options, &by_turns);
            let Reading { product, diagnostics } = reading;
            let verification = product.ok_or_else(|| render(&diagnostics, "program.c", text))?;
            let report = findings(&verification, text, &Places::new("program.c", text));
            Ok(Verified {
                program: verification.translation.program,
                outcome: verification.outcome,
                report,
            })
        }
    }
}

/// [`verified`], if the verdict is the expected one; otherwise what to say in a test that fails.
///
/// # Errors
///
/// The diagnostics, or the verdict and the reasons for it.
pub fn expected<'t>(source: impl Into<Source<'t>>, safe: bool) -> Result<Verified, String> {
    let verified = verified(source, &Options::default())?;
    let wanted = match verified.outcome.verdict {
        Verdict::Safe(_) => safe,
        Verdict::Unsafe(_) => !safe,
        Verdict::Unknown(_) => false,
    };
    match wanted {
        true => Ok(verified),
        false => {
            let expected = if safe { "SAFE" } else { "UNSAFE" };
            Err(format!("expected {expected}, found\n{}", verified.report))
        }
    }
}

/// Verifies a text and panics, with the path into the error or the reason, unless it is safe. Returns the
/// [`Verified`](crate::testing::Verified).
// Panicking is how a test fails: it happens in the tests that use this, and nowhere in this crate.
#[macro_export]
macro_rules! assert_safe {
    ($source:expr) => {
        match $crate::testing::expected($source, true) {
            Ok(verified) => verified,
            Err(why) => panic!("{why}"),
        }
    };
}

/// Verifies a text and panics, with the invariants or the reason, unless its error is reached. Returns the
/// [`Verified`](crate::testing::Verified).
// Panicking is how a test fails: it happens in the tests that use this, and nowhere in this crate.
#[macro_export]
macro_rules! assert_unsafe {
    ($source:expr) => {
        match $crate::testing::expected($source, false) {
            Ok(verified) => verified,
            Err(why) => panic!("{why}"),
        }
    };
}

/// Verifies a text and compares its proof, or its path into the error, with a snapshot, by the crate `insta` of the tests: everything behind the
/// source is handed on to `insta::assert_snapshot!`, such as `@"…"` for one inside the test.
///
/// ```
/// clausal::proof_snapshot!("?- p(0). p(X) :- X < 3, p(X + 1). p(X) :- X < 0, error.", @r"
/// SAFE
///
/// Loop invariants
///   p(X), line 1
///       X >= 0
///
/// Certificate: what holds whenever a predicate is reached
///   p(X)
///       X >= 0
/// ");
/// ```
// Panicking is how a test fails: it happens in the tests that use this, and nowhere in this crate.
#[macro_export]
macro_rules! proof_snapshot {
    ($source:expr $(, $($rest:tt)*)?) => {
        match $crate::testing::verified($source, &$crate::engine::Options::default()) {
            Ok(verified) => insta::assert_snapshot!(verified.proof() $(, $($rest)*)?),
            Err(why) => panic!("{why}"),
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_otherwise_is_said() {
        let safe = "?- p(0). p(X) :- X < 3, p(X + 1). p(X) :- X < 0, error.";
        let why = expected(safe, false).expect_err("it is safe");
        assert!(why.starts_with("expected UNSAFE, found\nSAFE\n"), "{why}");
        let why = expected("?- p(1). p(X) :- X > 0, error.", true).expect_err("it is unsafe");
        assert!(why.contains("Derivation of the error"), "{why}");
        let why = expected("?- p(1). p(X) :- eror.", true).expect_err("it is no program");
        assert!(why.contains("program.clp:1:18"), "{why}");
        let why = expected(c("int main() { x = 1; }"), true).expect_err("it is no program");
        assert!(why.contains("program.c:1:14"), "{why}");
    }
}
