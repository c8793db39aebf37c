//! Tests of certificates by k-induction: what they prove, what they do not, how they are saved and written.

use super::*;
use crate::random::Generator;
use crate::rules::{PredicateId, Program};

fn read(text: &str) -> Program {
    crate::clp::read(text).product.expect("no mistake in it")
}

/// Invariants of the predicate `name`, each disjunct written as the body of a rule over its parameters.
fn certificate(program: &Program, name: &str, depth: usize, disjuncts: &[&str]) -> Certificate {
    let mut terms = program.terms.clone();
    let index = program.predicates().iter().position(|predicate| predicate.name == name);
    let predicate = PredicateId::from_index(index.expect("it has the predicate"));
    let parameters = &program.predicate(predicate).parameters;
    let names: Vec<String> = parameters.iter().map(|p| terms.variable_name(*p).to_string()).collect();
    let formula =
        |text: &&str| vec![crate::infer::parse_formula(&mut terms, parameters, &names, text).expect("a formula")];
    let disjuncts = disjuncts.iter().map(formula).collect();
    Certificate {
        induction_depth: depth,
        ..Certificate::new(terms, vec![Invariant { predicate, disjuncts }])
    }
}

fn check(program: &Program, certificate: &Certificate) -> Result<CheckReport, CheckError> {
    check_certificate(program, certificate, CheckLimits::default())
}

const MACHINE: &str = "
    ?- m(8, 0).
    m(S, F) :- S = 8, m(23, F).
    m(S, F) :- S = 23, m(8, F).
    m(S, F) :- S =\\= 8, S =\\= 23, m(S, F + 1).
    m(S, F) :- F > 0, error.";

#[test]
fn what_holds_before_two_rules_counts_at_depth_two() {
    let program = read(MACHINE);
    let error = check(&program, &certificate(&program, "m", 1, &["F == 0"])).expect_err("one step is not enough");
    assert!(matches!(error, CheckError::Violated { .. }), "{error}");
    let proof = certificate(&program, "m", 2, &["F == 0"]);
    let report = check(&program, &proof).expect("two steps are");
    // The query, and four rules after each of four.
    assert_eq!(report.obligations, 17);
    let script = obligations_smtlib(&program, &proof).expect("well formed");
    assert_eq!(script.matches("(check-sat)").count(), 17);
    assert!(
        script.contains("of the invariant of m, reached by rule 3 (line 4), into that of m"),
        "{script}"
    );
}

#[test]
fn runs_shorter_than_the_depth_count() {
    // From 0 one comes to 7, and to 0 only from the query.
    let program = read("?- p(0). p(X) :- X = 0, p(7). p(X) :- X > 5, error.");
    for depth in 1..5 {
        let error =
            check(&program, &certificate(&program, "p", depth, &["X <= 5"])).expect_err("the program is unsafe");
        assert!(matches!(error, CheckError::Violated { .. }), "{depth}: {error}");
    }
    let error = check(&program, &certificate(&program, "p", 3, &["X <= 5"])).expect_err("as before");
    assert_eq!(
        error.to_string(),
        "rule 2 (line 1), `p(X) :- X = 0, p(7).`, from disjunct 1 of the invariant of `p`, `X =< 5`, reached by rule 1 (line 1), \
         into the invariant of `p` does not hold: consider X = 0"
    );
}

#[test]
fn the_depth_is_saved_and_limited() {
    let program = read(MACHINE);
    let proof = certificate(&program, "m", 2, &["F == 0"]);
    let text = save_certificate(&program, &proof).expect("well formed");
    assert!(text.contains("\"induction_depth\": 2"), "{text}");
    let saved = read_evidence(&program, &text).expect("just saved");
    let Evidence::Certificate(again) = saved.evidence else {
        panic!("a certificate was saved")
    };
    assert_eq!(check(&program, &again), check(&program, &proof));
    let ordinary = save_certificate(
        &program,
        &Certificate {
            induction_depth: 1,
            ..proof.clone()
        },
    )
    .expect("well formed");
    assert!(!ordinary.contains("induction_depth"), "{ordinary}");
    for (depth, words) in [
        (0, "its induction depth is 0"),
        (65, "its induction depth is 65"),
        (64, "too many sequences"),
    ] {
        let error = check(
            &program,
            &Certificate {
                induction_depth: depth,
                ..proof.clone()
            },
        )
        .expect_err("refused");
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// A random machine with a few states, an invariant of them, and what follows at a depth, by enumeration of paths.
struct Finite {
    starts: Vec<usize>,
    moves: Vec<(usize, usize)>,
    allowed: Vec<bool>,
}

impl Finite {
    const STATES: usize = 6;

    fn random(random: &mut Generator) -> Finite {
        let mut state = || random.below(Finite::STATES as u64) as usize;
        Finite {
            starts: vec![state()],
            moves: (0..7).map(|_| (state(), state())).collect(),
            allowed: (0..Finite::STATES).map(|_| state() < 4).collect(),
        }
    }

    fn program(&self) -> Program {
        let starts = self.starts.iter().map(|start| format!("?- p({start}).\n"));
        let moves = self
            .moves
            .iter()
            .map(|(from, to)| format!("p(X) :- X = {from}, p({to}).\n"));
        read(&starts.chain(moves).collect::<String>())
    }

    fn certificate(&self, program: &Program, depth: usize) -> Certificate {
        let allowed = (0..Finite::STATES).filter(|state| self.allowed[*state]);
        let texts: Vec<String> = allowed.map(|state| format!("X == {state}")).collect();
        certificate(
            program,
            "p",
            depth,
            &texts.iter().map(String::as_str).collect::<Vec<_>>(),
        )
    }

    /// Whether no path of `depth` moves, and none from a start that is shorter, leads out of what is allowed at its end only.
    fn is_k_inductive(&self, depth: usize) -> bool {
        let mut ends: Vec<usize> = (0..Finite::STATES).filter(|state| self.allowed[*state]).collect();
        let mut from_start = self.starts.clone();
        for _ in 1..depth {
            if from_start.iter().any(|state| !self.allowed[*state]) {
                return false;
            }
            from_start = self.after(&from_start);
            ends = self
                .after(&ends)
                .into_iter()
                .filter(|state| self.allowed[*state])
                .collect();
        }
        let all = [from_start, self.after(&ends)].concat();
        all.iter().all(|state| self.allowed[*state])
    }

    fn after(&self, states: &[usize]) -> Vec<usize> {
        let moves = self.moves.iter().filter(|(from, _)| states.contains(from));
        moves.map(|(_, to)| *to).collect()
    }
}

#[test]
fn the_checker_agrees_with_enumeration() {
    let mut random = Generator(11);
    let (mut accepted, mut deeper) = (0, 0);
    for _ in 0..150 {
        let finite = Finite::random(&mut random);
        let program = finite.program();
        for depth in 1..4 {
            let verdict = check(&program, &finite.certificate(&program, depth));
            let expected = finite.is_k_inductive(depth);
            assert_eq!(verdict.is_ok(), expected, "{:?} at {depth}: {verdict:?}", finite.moves);
            accepted += usize::from(expected);
            deeper += usize::from(expected && !finite.is_k_inductive(1));
        }
    }
    assert!(
        accepted > 30 && deeper > 5,
        "{accepted} accepted, {deeper} of them only by depth"
    );
}
