//! Two readings of C, and which one gives the verdict: rules in which runs go on after undefined behaviour, and rules in which they
//! end there.
//!
//! The first rules are simpler and have all runs that the program has, so that it is safe if they are. What they call an error counts
//! only if the second ones, which have exactly the program's runs, come to it as well. Either may be the one that can be proved:
//! a counter without a bound wraps round in the first and never does in the second. So both get a part of the time, the first the larger
//! one, but where there are floating-point numbers or objects in any number.

use super::admission::admitted;
use super::allocations::{self, WithMemory};
use super::confirm::{Again, run_again};
use super::places::Places;
use super::verification::{Method, Verification, failed, translated, with};
use crate::c::Translation;
use crate::c::options::{Arithmetic, Options as COptions, Undefined};
use crate::c::syntax::Span;
use crate::diagnostics::{Diagnostic, Reading};
use crate::engine::{Options, Outcome, Statistics, StopReason, Verdict};
use crate::enumeration::{Ahead, looked_ahead};
use crate::evidence::{fingerprint, replay};
use crate::terms::Sort;
use crate::turns::error_by_trials;
use std::time::{Duration, Instant};

/// Functions that stay functions are first looked at run by run, with their calls on a stack, for so many states and at most this part
/// of the time: that finds errors behind few runs, where nobody asks for more than values. So are runs beside those that come to
/// what is not translated.
const ERRORS_STATES: u64 = 2_000;
const ERRORS_SHARE: u32 = 4;

/// Where there is much time or no limit, calls on a stack are looked at for so long: what is found at all is mostly found soon, and rules
/// with calls come to the same errors.
const ON_STACK: Duration = Duration::from_secs(2);

/// They are not where they make more rules than this, for each return leads to each call.
const MOST_RULES_ON_STACK: usize = 1_000;

/// A run of more steps than this is not repeated with its calls on a stack: rules with calls come to the same error sooner.
const MOST_STEPS_ON_STACK: usize = 500;

/// Where objects are allocated in any number, runs that go on after undefined behaviour are looked at for this part of the time, or for
/// so long where there is much or no limit: what a pointer leads to then is hard to know, and what is undefined first is mostly found
/// soon. Of lists and trees the other reading proves in a second what this one proves in three or not at all.
const GOING_ON_SHARE: u32 = 10;
const GOING_ON: Duration = Duration::from_secs(1);

/// Where there is much time or no limit, both are looked at for so long, or this part of the time, before the rest is for the other reading.
const SECOND_LOOK: Duration = Duration::from_secs(30);
const SECOND_LOOK_SHARE: u32 = 3;

/// Elsewhere the rules in which runs end get this part of the time, or those in which they go on where there are floating-point numbers.
const EXACT_SHARE: u32 = 5;

/// Where there is more time than this, or no limit, both get a short look first.
const LONG: Duration = Duration::from_secs(60);
const SHORT_LOOK: Duration = Duration::from_secs(20);

/// What is asked about a text, where it is settled how the program starts.
pub(super) struct Question<'a> {
    pub(super) text: &'a str,
    pub(super) c_options: &'a COptions,
    pub(super) method: Method,
    /// What the engine may use, translation included.
    pub(super) options: &'a Options,
    /// How rules are verified.
    pub(super) verify: &'a dyn Fn(&mut Translation, &Options) -> Outcome,
}

/// Options for a first or last look at runs that fail soon.
pub(super) fn for_errors_alone(mut options: Options) -> Options {
    options.budget.time = options.budget.time.map(|time| time / ERRORS_SHARE);
    let states = options.budget.states.unwrap_or(u64::MAX);
    options.budget.states = Some(states.min(ERRORS_STATES));
    options
}

impl Question<'_> {
    /// The verdict about the rules that the options make of the text.
    pub(super) fn answer(&self) -> Reading<Verification> {
        let started = Instant::now();
        // What is checked has to be defined before.
        let automatic = self.method == Method::Automatic && !self.c_options.checks.any();
        let options = match automatic {
            true => with(self.c_options, Undefined::GoesOn),
            false => self.c_options.clone(),
        };
        let (translation, diagnostics) = match translated(self.text, &options) {
            Ok(translated) => translated,
            Err(diagnostics) => return failed(diagnostics),
        };
        let asked = Asked {
            question: self,
            started,
            automatic,
            open_allocations: automatic && allocations::are_open(&translation, self.c_options),
        };
        if asked.open_allocations
            && let Some(found) = allocations::by_runs(self.text, self.c_options, &asked.rest())
        {
            return admitted(found, diagnostics);
        }
        if translation.program.has_calls()
            && let Some(found) = asked.on_stack(&options, translation.program.rules().len(), &diagnostics)
        {
            return found;
        }
        let mut attempt = Verification {
            outcome: without_verdict(),
            translation,
            options,
        };
        if attempt.options.undefined == Undefined::Ends {
            attempt.outcome = (self.verify)(&mut attempt.translation, &asked.rest());
            return admitted(attempt, diagnostics);
        }
        asked.in_both_readings(attempt, diagnostics)
    }
}

/// A question while it is answered.
struct Asked<'a> {
    question: &'a Question<'a>,
    started: Instant,
    /// Whether both readings may give a verdict.
    automatic: bool,
    /// Whether it is open what a failing allocation means.
    open_allocations: bool,
}

/// The rules in which runs end, with what is to be said of them.
struct Exact {
    verification: Verification,
    diagnostics: Vec<Diagnostic>,
}

impl Exact {
    fn is_decided(&self) -> bool {
        self.verification.outcome.is_decided()
    }

    fn add_cost(&mut self, other: &Verification) {
        add_cost(&mut self.verification.outcome.statistics, &other.outcome.statistics);
    }
}

impl Asked<'_> {
    /// The engine's options for what is left of the time: translating counts toward the limit.
    fn rest(&self) -> Options {
        let mut rest = self.question.options.clone();
        rest.budget.time = rest
            .budget
            .time
            .map(|limit| limit.saturating_sub(self.started.elapsed()));
        rest
    }

    fn is_over(&self) -> bool {
        let options = self.question.options;
        let over = options.budget.time.is_some_and(|limit| self.started.elapsed() >= limit);
        over || options.cancellation.is_cancelled()
    }

    fn look_at(&self, attempt: &mut Verification, options: &Options) {
        let outcome = (self.question.verify)(&mut attempt.translation, options);
        let before = std::mem::replace(&mut attempt.outcome, outcome);
        add_cost(&mut attempt.outcome.statistics, &before.statistics);
    }

    fn with_memory(&self) -> WithMemory {
        let verify = |translation: &mut Translation| (self.question.verify)(translation, &self.rest());
        allocations::with_memory(self.question.text, self.question.c_options, &verify)
    }

    /// The verdict on a program with functions that recur, and so many rules with calls, if a run of it or a few runs with a stack of calls
    /// show it.
    fn on_stack(&self, options: &COptions, rules: usize, diagnostics: &[Diagnostic]) -> Option<Reading<Verification>> {
        let question = self.question;
        let with_stack = |options: &COptions| {
            let options = options.on_stack();
            let (translation, _) = translated(question.text, &options).ok()?;
            let are_few = translation.program.rules().len() <= MOST_RULES_ON_STACK;
            are_few.then_some((translation, options))
        };
        let as_asked = match rules <= MOST_RULES_ON_STACK {
            true => with_stack(options),
            false => None,
        };
        let (translation, stacked) = as_asked.or_else(|| with_stack(&options.with_few_copies()))?;
        let copies = stacked.copies;
        // A program that runs by itself needs no more than its run. A run that fails is written down, however long that takes.
        let ahead = match self.open_allocations {
            true => Ahead::Open,
            false => looked_ahead(&translation.program, &self.rest()),
        };
        let mut options = for_errors_alone(self.rest());
        let fails = matches!(ahead, Ahead::Fails(_));
        match ahead {
            Ahead::Proved(outcome) => {
                let alone = Verification {
                    outcome: *outcome,
                    translation,
                    options: stacked,
                };
                return Some(admitted(alone, diagnostics.to_vec()));
            }
            Ahead::Fails(_) => options.budget.time = self.rest().budget.time.map(|time| time / 2),
            Ahead::Open => options.budget.time = Some(options.budget.time.map_or(ON_STACK, |time| time.min(ON_STACK))),
        }
        // What reads texts and calls itself is a few conditions on single characters away from its errors, which are found by trying; each
        // is many questions about arrays otherwise.
        let verify = |translation: &mut Translation, options: &Options| {
            let by_itself = fails.then(|| looked_ahead(&translation.program, options));
            match by_itself {
                Some(Ahead::Fails(outcome)) if outcome.is_decided() => *outcome,
                _ => {
                    let found = error_by_trials(&translation.program, options);
                    found.unwrap_or_else(|| (question.verify)(translation, options))
                }
            }
        };
        let on_stack = COptions {
            copies,
            ..question.c_options.on_stack()
        };
        let few = Question {
            c_options: &on_stack,
            options: &options,
            verify: &verify,
            ..*question
        };
        // Errors that are found on the stack are real ones; that there are none is left to the rules with calls.
        let has_error = |found: &Verification| matches!(found.outcome.verdict, Verdict::Unsafe(_));
        Some(few.answer()).filter(|found| found.product.as_ref().is_some_and(has_error))
    }

    /// The rules in which runs end.
    fn exact(&self) -> Result<Exact, Vec<Diagnostic>> {
        let options = with(self.question.c_options, Undefined::Ends);
        let (translation, diagnostics) = translated(self.question.text, &options)?;
        let verification = Verification {
            outcome: without_verdict(),
            translation,
            options,
        };
        Ok(Exact {
            verification,
            diagnostics,
        })
    }

    /// The verdict by the two readings in turn, `going_on` being the first.
    fn in_both_readings(&self, mut going_on: Verification, diagnostics: Vec<Diagnostic>) -> Reading<Verification> {
        let counts_objects = going_on.translation.counts_objects;
        let mut exact = match self.automatic {
            true => self.exact().ok(),
            false => None,
        };
        // Where the readings are the same, all of the time is for one.
        let differs = |exact: &Exact| {
            fingerprint(&exact.verification.translation.program) != fingerprint(&going_on.translation.program)
        };
        let limit = self.rest().budget.time;
        let rules = &going_on.translation.program;
        let slices = if !exact.as_ref().is_some_and(differs) {
            vec![(Undefined::GoesOn, None)]
        } else if !counts_objects && rules.is_about(|sort| matches!(sort, Sort::Float(_))) {
            slices_about_floats(limit)
        } else {
            slices(limit, counts_objects)
        };
        let mut gave_up = false;
        for (reading, limit) in slices {
            let mut options = self.rest();
            options.budget.time = options.budget.time.into_iter().chain(limit).min();
            match (reading, &mut exact) {
                (Undefined::GoesOn, _) => {
                    self.look_at(&mut going_on, &options);
                    match &going_on.outcome.verdict {
                        Verdict::Unsafe(_) => return self.by_exact_rules(going_on, exact, diagnostics),
                        Verdict::Unknown(StopReason::Time) => {}
                        Verdict::Unknown(StopReason::SolverGaveUp(_)) => gave_up = true,
                        // A limit is a limit.
                        Verdict::Safe(_) | Verdict::Unknown(_) => return admitted(going_on, diagnostics),
                    }
                }
                (Undefined::Ends, Some(exact)) => self.look_at(&mut exact.verification, &options),
                (Undefined::Ends, None) => {}
            }
            if gave_up || exact.as_ref().is_some_and(Exact::is_decided) {
                break;
            }
        }
        match exact {
            // Fewer runs are sometimes easier to reason about.
            Some(mut exact) if gave_up => {
                self.look_at(&mut exact.verification, &self.rest());
                exact.add_cost(&going_on);
                self.told_by(exact, None, diagnostics)
            }
            Some(mut exact) if counts_objects || exact.is_decided() => {
                exact.add_cost(&going_on);
                self.told_by(exact, None, diagnostics)
            }
            _ => admitted(going_on, diagnostics),
        }
    }

    /// The verdict where runs that go on come to an error.
    fn by_exact_rules(
        &self,
        going_on: Verification,
        exact: Option<Exact>,
        diagnostics: Vec<Diagnostic>,
    ) -> Reading<Verification> {
        let mut exact = match exact.map_or_else(|| self.exact(), Ok) {
            Ok(exact) => exact,
            Err(diagnostics) => return failed(diagnostics),
        };
        // What has several atoms in a body is run with its calls on a stack, which is written down with each of many steps.
        // Where nobody else may be asked about the rules in which runs end, it is all that there is.
        let is_repeated = match &going_on.outcome.verdict {
            Verdict::Unsafe(derivation) => derivation.steps.len() <= MOST_STEPS_ON_STACK || !self.automatic,
            _ => false,
        };
        let stacked = match is_repeated && exact.verification.translation.program.has_calls() {
            true => {
                let options = exact.verification.options.on_stack();
                let stacked = translated(self.question.text, &options).ok();
                stacked.map(|(translation, _)| (translation, options))
            }
            false => None,
        };
        let translation = stacked
            .as_ref()
            .map_or(&exact.verification.translation, |(translation, _)| translation);
        let again = match &going_on.outcome.verdict {
            Verdict::Unsafe(derivation) => {
                run_again(&going_on.translation, derivation, translation, &|| self.is_over())
            }
            _ => Again::Otherwise,
        };
        let undefined = match again {
            Again::Error(derivation) if replay(&translation.program, &derivation).is_ok() => {
                if let Some((translation, options)) = stacked {
                    exact.verification.translation = translation;
                    exact.verification.options = options;
                }
                exact.verification.outcome = going_on.outcome;
                exact.verification.outcome.verdict = Verdict::Unsafe(derivation);
                return self.told_by(exact, None, diagnostics);
            }
            Again::Undefined(place) if self.automatic && self.fails_wrapping(&going_on) => {
                Some(place.map(|place| place.span))
            }
            Again::Undefined(_) | Again::Error(_) | Again::Endless | Again::Otherwise => None,
        };
        if !self.automatic {
            let mut going_on = going_on;
            going_on.outcome.verdict = Verdict::Unknown(StopReason::Inexact(
                "the error found is in a run that goes on after undefined behaviour".to_string(),
            ));
            return admitted(going_on, diagnostics);
        }
        self.look_at(&mut exact.verification, &self.rest());
        exact.add_cost(&going_on);
        self.told_by(exact, undefined, diagnostics)
    }

    /// Whether the run into an error is not known to miss it where signed integers wrap round, which is what most compilers make of an
    /// overflow. A counter that is right as long as it does not leave its type is mostly right then, too.
    fn fails_wrapping(&self, going_on: &Verification) -> bool {
        let options = COptions {
            arithmetic: Arithmetic::Wrapping,
            ..going_on.options.clone()
        };
        let (Verdict::Unsafe(derivation), Arithmetic::Machine) =
            (&going_on.outcome.verdict, going_on.options.arithmetic)
        else {
            return true;
        };
        let Ok((translation, _)) = translated(self.question.text, &options) else {
            return true;
        };
        let again = run_again(&going_on.translation, derivation, &translation, &|| self.is_over());
        !matches!(again, Again::Undefined(_) | Again::Endless)
    }

    /// The verdict about the rules in which runs end, `undefined` being where a run that comes to the error otherwise has
    /// undefined behaviour, if that is known.
    fn told_by(
        &self,
        exact: Exact,
        undefined: Option<Option<Span>>,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Reading<Verification> {
        let Exact {
            verification: mut exact,
            diagnostics: mut more,
        } = exact;
        more.retain(|diagnostic| !diagnostics.contains(diagnostic));
        diagnostics.append(&mut more);
        if self.open_allocations {
            exact = allocations::settled(exact, || self.with_memory());
        }
        if let (Verdict::Safe(_), Some(place)) = (&exact.outcome.verdict, undefined) {
            if self.open_allocations && matches!(self.with_memory(), WithMemory::Safe) {
                allocations::rest_on_premise(&mut exact);
                return admitted(exact, diagnostics);
            }
            // What a compiler makes of such a run is anybody's guess; often enough it reaches the error.
            let place = place.map_or(String::new(), |span| {
                let line = Places::new("", self.question.text).of(span).line;
                format!(" near line {line}")
            });
            exact.outcome.verdict = Verdict::Unknown(StopReason::Inexact(format!(
                "the error is reached by runs with undefined behaviour{place}; the program is safe if such runs count as ended \
                 (--undefined ends; --check undefined shows the behaviour)"
            )));
        }
        admitted(exact, diagnostics)
    }
}

/// Which reading has how much of the time, one after the other; nothing stands for all that is left.
fn slices(limit: Option<Duration>, counts_objects: bool) -> Vec<(Undefined, Option<Duration>)> {
    use Undefined::{Ends, GoesOn};
    if counts_objects {
        let look = limit.map_or(GOING_ON, |limit| GOING_ON.min(limit / GOING_ON_SHARE));
        let mut slices = vec![(GoesOn, Some(look))];
        if limit.is_none_or(|limit| limit > LONG) {
            let second = limit.map_or(SECOND_LOOK, |limit| SECOND_LOOK.min(limit / SECOND_LOOK_SHARE));
            slices.extend([(Ends, Some(second)), (GoesOn, Some(second))]);
        }
        slices.push((Ends, None));
        return slices;
    }
    match limit {
        Some(limit) if limit <= LONG => vec![(GoesOn, Some(limit - limit / EXACT_SHARE)), (Ends, None)],
        Some(limit) => {
            let looks = SHORT_LOOK + SHORT_LOOK / EXACT_SHARE;
            let rest = limit.saturating_sub(looks);
            vec![
                (GoesOn, Some(SHORT_LOOK)),
                (Ends, Some(SHORT_LOOK / EXACT_SHARE)),
                (GoesOn, Some(rest - rest / EXACT_SHARE)),
                (Ends, None),
            ]
        }
        None => vec![
            (GoesOn, Some(SHORT_LOOK)),
            (Ends, Some(SHORT_LOOK / EXACT_SHARE)),
            (GoesOn, Some(LONG * EXACT_SHARE)),
            (Ends, Some(LONG)),
            (GoesOn, None),
        ],
    }
}

/// The same where there are floating-point numbers: after a short look the other reading comes first. A conversion to an integer that is out of its
/// range, or an index that is made of one, leaves open so much where runs go on that each question is hard, and nothing is simpler for it; but errors
/// that such runs come to, for which there is no SAFE, are mostly found at once.
fn slices_about_floats(limit: Option<Duration>) -> Vec<(Undefined, Option<Duration>)> {
    use Undefined::{Ends, GoesOn};
    let most = SHORT_LOOK / EXACT_SHARE;
    match limit {
        Some(limit) => {
            let look = most.min(limit / EXACT_SHARE);
            let rest = limit - look;
            vec![
                (GoesOn, Some(look)),
                (Ends, Some(rest - rest / EXACT_SHARE)),
                (GoesOn, None),
            ]
        }
        None => vec![
            (GoesOn, Some(most)),
            (Ends, Some(SHORT_LOOK)),
            (GoesOn, Some(SHORT_LOOK)),
            (Ends, Some(LONG * EXACT_SHARE)),
            (GoesOn, None),
        ],
    }
}

/// Adds what an attempt has cost that did not give the verdict.
fn add_cost(statistics: &mut Statistics, other: &Statistics) {
    statistics.seconds += other.seconds;
    statistics.checking_seconds += other.checking_seconds;
}

fn without_verdict() -> Outcome {
    Outcome::unknown(StopReason::Cancelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: &str = "unsigned int unknown(void); void reach_error(void);
        int main(void) { int twice = 0; unsigned int n = 0;
            while (unknown()) { twice += 2; n++; if (twice != 2 * n) reach_error(); } return 0; }";

    fn answered(undefined: Undefined, open: Undefined) -> Verification {
        let c_options = with(&COptions::default(), undefined);
        let question = Question {
            text: COUNTS,
            c_options: &c_options,
            method: Method::Automatic,
            options: &Options::default(),
            verify: &|translation, options| {
                let rules = |undefined| {
                    let (translation, _) = translated(COUNTS, &with(&COptions::default(), undefined)).expect("it is C");
                    fingerprint(&translation.program)
                };
                match fingerprint(&translation.program) == rules(open) {
                    true => Outcome::unknown(StopReason::Time),
                    false => crate::engine::verify(&translation.program, options),
                }
            },
        };
        question.answer().product.expect("it is C")
    }

    #[test]
    fn the_exact_reading_gets_its_part_where_the_other_one_is_open() {
        let found = answered(Undefined::Ends, Undefined::GoesOn);
        assert!(
            matches!(found.outcome.verdict, Verdict::Safe(_)),
            "{:?}",
            found.outcome.verdict
        );
        assert_eq!(found.options.undefined, Undefined::Ends);
    }

    /// Compiled, it comes to the error: the conversion gives the least integer. Runs that end there do not.
    #[test]
    fn an_error_behind_a_conversion_out_of_range_is_seen_before_the_exact_rules_are_safe() {
        let text = "double unknown(void); void reach_error(void);
            int main(void) { double x = unknown(); int i = (int)x; if (x > 3e9 && i < 5) reach_error(); return 0; }";
        let question = Question {
            text,
            c_options: &COptions::default(),
            method: Method::Automatic,
            options: &Options::default(),
            verify: &|translation, options| crate::turns::verify(&translation.program, options),
        };
        let found = question.answer().product.expect("it is C").outcome.verdict;
        assert!(matches!(found, Verdict::Unknown(_)), "{found:?}");
    }

    #[test]
    fn parts_of_the_time_are_all_of_it() {
        for (seconds, counts_objects) in [1, 10, 60, 61, 90, 900]
            .into_iter()
            .flat_map(|one| [(one, false), (one, true)])
        {
            let limit = Duration::from_secs(seconds);
            let parts = slices(Some(limit), counts_objects);
            let given: Duration = parts.iter().filter_map(|(_, part)| *part).sum();
            assert!(given < limit);
            assert_eq!(parts.last(), Some(&(Undefined::Ends, None)));
            let parts = slices_about_floats(Some(limit));
            let given: Duration = parts.iter().filter_map(|(_, part)| *part).sum();
            assert!(given < limit && parts[1].1.is_some_and(|exact| exact > limit / 2));
            assert_eq!(parts.last(), Some(&(Undefined::GoesOn, None)));
        }
        assert_eq!(slices(None, false).last(), Some(&(Undefined::GoesOn, None)));
    }
}
