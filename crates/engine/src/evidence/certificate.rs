//! Certificates: inductive invariants, one for each predicate, that exclude the error, and summaries of what calls give back; or
//! symbolic states that no rule leaves; or the claim that all runs come to an end without it.

use super::SymbolicState;
use super::symbolic::subject;
use crate::rules::{PredicateId, Program};
use crate::terms::{TermId, Terms};
use std::borrow::Cow;

/// What holds whenever a predicate is reached: a disjunction of conjunctions over the predicate's parameters.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The predicate.
    pub predicate: PredicateId,
    /// The disjuncts, each a list of conjuncts. No disjunct at all means that the predicate is never reached.
    pub disjuncts: Vec<Vec<TermId>>,
}

/// A formula that holds for all values of its variables, by the definitions of functions and the lemmas before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lemma {
    /// The variables.
    pub variables: Vec<TermId>,
    /// What holds of them.
    pub formula: TermId,
    /// The variable over whose values it is proved by induction: along the structure of a datatype, or from an integer to smaller ones that
    /// are not negative. Without one it follows from what is known.
    pub by: Option<TermId>,
    /// Another variable of a datatype, whose constructors are cases.
    pub cases: Option<TermId>,
    /// Integers over the variables by which it is proved where it is not by one of the variables: it may be relied on for values of the
    /// variables of which the first integer that changes becomes smaller, and not negative. So functions whose recursion ends for the
    /// same reason are followed.
    pub ranks: Vec<TermId>,
}

/// A proof that no query derives the error.
///
/// It proves the program safe if every query's constraint implies the invariant of its goal, every rule leads from the
/// invariant of its head into that of its body, and no rule leads from an invariant to the error. A predicate that has no
/// entry has the invariant true.
///
/// With an [induction depth](Certificate::induction_depth) of `k` it is a proof by *k-induction*: what has to lead into an
/// invariant is not every rule from the invariant of its head, but every sequence of `k` rules on which the invariants hold
/// before each, and every shorter one that begins with a query. What can be derived satisfies the invariants all the same,
/// by induction over the length of derivations.
///
/// Where a rule has several atoms in its body, what is after a call may rely on the *summary* of the called predicate: what
/// holds of its arguments when its derivation has come to its end. Summaries have to be proved, too: every rule for a predicate
/// leads from its invariant, by way of the summaries of the atoms of its body, to its summary. Both hold of all derivations
/// then, by induction over their length.
///
/// Invariants and summaries may speak of functions that [the terms](Certificate::terms) define by recursion: that what a call gives back is a function of what it was given. The
/// checker proves that each recursion ends, and then that the [lemmas](Certificate::lemmas) hold, by induction.
///
/// A program that does one thing only needs no invariants: with [`all_runs`](Certificate::all_runs) the proof is that its runs
/// are over soon, and the checker runs them.
///
/// With [symbolic states](Certificate::symbolic) in the place of invariants, each describes some states of a predicate, and says where the rules lead from
/// there: a closed tree of compact symbolic execution (seed 002). They are about single paths: of a program with calls, about the one with its
/// [calls on a stack](crate::rules::Stacked).
///
/// With [universal variables](Certificate::universal) an invariant speaks of all their values: `fill(I, A)` has the invariant *for
/// all K: K < 0, K >= I or A at K is 0*. Whoever relies on it may choose values, and has to prove it for any.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The program's terms, and after them those of the invariants; the program's ids are valid in it.
    pub terms: Terms,
    /// The invariants, by ascending predicate.
    pub invariants: Vec<Invariant>,
    /// What holds when the derivation of a predicate has ended, by ascending predicate; true for those that have no entry.
    pub summaries: Vec<Invariant>,
    /// Variables that are no parameters: what holds of a predicate's parameters holds for all their values. An invariant with one of
    /// them has one disjunct; summaries have none of them, and the induction depth is 1.
    pub universal: Vec<TermId>,
    /// What is true of the functions that [the terms](Certificate::terms) define, each proved with the ones before it.
    pub lemmas: Vec<Lemma>,
    /// How many rules in sequence an obligation looks at. 1 is ordinary induction.
    pub induction_depth: usize,
    /// If there are any, the certificate has nothing else: descriptions of states, the first one that of the query, so that every rule
    /// leads from each into others of them, and none into the error.
    pub symbolic: Vec<SymbolicState>,
    /// If there is a number here, the certificate has nothing else: all runs of the program end, or come back to where they were,
    /// within so many steps in all, and none of them comes to the error.
    pub all_runs: Option<u64>,
}

impl Certificate {
    /// A proof by induction over one step, with these terms and invariants and nothing else.
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::evidence::{Certificate, CheckLimits, check_certificate};
    /// use clausal::rules::Program;
    /// // No rules at all: everything may be true of every predicate.
    /// let program = Program::new();
    /// let certificate = Certificate::new(program.terms.clone(), vec![]);
    /// assert!(check_certificate(&program, &certificate, CheckLimits::default()).is_ok());
    /// ```
    pub fn new(terms: Terms, invariants: Vec<Invariant>) -> Certificate {
        Certificate {
            terms,
            invariants,
            summaries: Vec::new(),
            universal: Vec::new(),
            lemmas: Vec::new(),
            induction_depth: 1,
            symbolic: Vec::new(),
            all_runs: None,
        }
    }

    /// A proof by symbolic states, the first one that of the query.
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::evidence::{Certificate, CheckLimits, check_certificate};
    /// use clausal::evidence::{Inclusion, Successors, SymbolicState, SymbolicStep};
    /// use clausal::rules::{PredicateId, RuleId};
    /// use clausal::terms::SortId;
    /// let source = "?- loop(0). loop(X) :- loop(X + 2). loop(X) :- X = 7, error.";
    /// let program = clausal::clp::read(source).product.expect("no mistake in it");
    /// let mut terms = program.terms.clone();
    /// let (zero, one, two) = (terms.integer(0), terms.integer(1), terms.integer(2));
    /// // κ times round: X = 2*κ, and 2*κ is never 7.
    /// let times = terms.fresh_variable("κ", SortId::INT);
    /// let (memory, once_more) = (terms.multiply(two, times), terms.add(times, one));
    /// let step = |rule, value| SymbolicStep {
    ///     rule: RuleId::from_index(rule),
    ///     into: Inclusion { state: 1, values: vec![value] },
    /// };
    /// let state = |predicate, symbols, memory, steps| SymbolicState {
    ///     predicate: PredicateId::from_index(predicate),
    ///     symbols,
    ///     memory,
    ///     condition: vec![],
    ///     quantified: vec![],
    ///     successors: Successors::Steps(steps),
    /// };
    /// let states = vec![
    ///     state(PredicateId::QUERY.index(), vec![], vec![], vec![step(0, zero)]),
    ///     state(2, vec![times], vec![memory], vec![step(1, once_more)]),
    /// ];
    /// let certificate = Certificate::of_symbolic_states(terms, states);
    /// let report = check_certificate(&program, &certificate, CheckLimits::default()).expect("it is closed");
    /// assert_eq!(report.obligations, 3);
    /// ```
    pub fn of_symbolic_states(terms: Terms, states: Vec<SymbolicState>) -> Certificate {
        Certificate {
            symbolic: states,
            ..Certificate::new(terms, Vec::new())
        }
    }

    /// Whether it says what holds of predicates: not if it is about [symbolic states](Certificate::symbolic) or [all runs](Certificate::all_runs).
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::evidence::Certificate;
    /// use clausal::terms::Terms;
    /// assert!(Certificate::new(Terms::new(), vec![]).has_invariants());
    /// assert!(!Certificate::of_all_runs(Terms::new(), 12).has_invariants());
    /// ```
    pub fn has_invariants(&self) -> bool {
        self.symbolic.is_empty() && self.all_runs.is_none()
    }

    /// The program that the certificate speaks of: with [symbolic states](Certificate::symbolic) of a program that has calls, the one with
    /// its [calls on a stack](crate::rules::Stacked); else the program itself.
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::explore::{ExploreOptions, Finding, explore};
    /// let source = "?- p(2, X), X > 3, error. p(N, X) :- N =< 0, X = 0. p(N, X) :- N > 0, p(N - 1, Y), q(Y, X). q(Y, X) :- X = Y + 1.";
    /// let program = clausal::clp::read_with_calls(source).product.expect("no mistake in it");
    /// let exploration = explore(&program, &ExploreOptions::default());
    /// let Finding::Unreachable(Ok(certificate)) = exploration.finding else { panic!("it is closed") };
    /// assert!(program.has_calls() && !certificate.subject(&program).has_calls());
    /// ```
    pub fn subject<'p>(&self, program: &'p Program) -> Cow<'p, Program> {
        match self.symbolic.is_empty() {
            true => Cow::Borrowed(program),
            false => subject(program),
        }
    }

    /// A proof by running the program: all its runs are over after so many steps in all.
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::evidence::{Certificate, CheckLimits, check_certificate};
    /// let source = "?- X = 0, loop(X). loop(X) :- X < 1000, loop(X + 1). loop(X) :- X > 1000, error.";
    /// let program = clausal::clp::read(source).product.expect("no mistake in it");
    /// let check = |steps| {
    ///     let certificate = Certificate::of_all_runs(program.terms.clone(), steps);
    ///     check_certificate(&program, &certificate, CheckLimits::default())
    /// };
    /// assert_eq!(check(2000).expect("it runs").steps, 1002);
    /// assert!(check(500).is_err());
    /// ```
    pub fn of_all_runs(terms: Terms, steps: u64) -> Certificate {
        Certificate {
            all_runs: Some(steps),
            ..Certificate::new(terms, Vec::new())
        }
    }
}
