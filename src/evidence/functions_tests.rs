//! Certificates with functions that do not exist, and lemmas that do not hold, must be refused.

use super::{Certificate, CheckError, CheckLimits, Invariant, Lemma, check_certificate};
use crate::rules::Program;
use crate::terms::{FunctionId, SortId, TermId, Terms};

/// A program that has an error, about lists.
struct Lists {
    program: Program,
    list: SortId,
    terms: Terms,
}

fn lists() -> Lists {
    let source = "?- length(X, N), N = 1, error. length([], 0). length([_ | T], N) :- length(T, M), N = M + 1.";
    let program = crate::clp::read_with_calls(source).product.expect("no mistake in it");
    let list = program.terms.datatypes()[0].sort;
    let terms = program.terms.clone();
    Lists { program, list, terms }
}

impl Lists {
    /// A function from lists to integers.
    fn declared(&mut self) -> (FunctionId, TermId) {
        let id = self.terms.declare_function("f!", &[self.list], SortId::INT, 0);
        (id, self.terms.functions()[id.index()].parameters[0])
    }

    fn size(&mut self, list: TermId) -> TermId {
        self.terms.measure_of(crate::terms::Measure::Size, list)
    }

    /// What the checker says, with everything excluded by the lemmas or not.
    fn checked(self, lemmas: Vec<Lemma>) -> Result<(), CheckError> {
        let certificate = Certificate {
            terms: self.terms,
            invariants: Vec::<Invariant>::new(),
            summaries: Vec::new(),
            universal: Vec::new(),
            lemmas,
            induction_depth: 1,
        };
        check_certificate(&self.program, &certificate, CheckLimits::default()).map(|_| ())
    }
}

fn is_unproved(result: Result<(), CheckError>, what: &str) {
    match result {
        Err(CheckError::Unproved(why)) => assert!(why.contains(what), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_function_that_is_one_more_than_itself_does_not_exist() {
    let mut lists = lists();
    let (f, x) = lists.declared();
    let (own, one) = (lists.terms.call(f, &[x]).expect("declared"), lists.terms.integer(1));
    let (body, rank) = (lists.terms.add(own, one), lists.size(x));
    lists.terms.define_function(f, body, vec![rank]);
    is_unproved(lists.checked(Vec::new()), "the recursion of `f!`");
}

#[test]
fn recursion_without_a_rank_or_into_a_later_group_is_refused() {
    let mut one = lists();
    let (f, x) = one.declared();
    let own = one.terms.call(f, &[x]).expect("declared");
    one.terms.define_function(f, own, Vec::new());
    assert!(matches!(one.checked(Vec::new()), Err(CheckError::Malformed(_))));

    let mut two = lists();
    let (f, x) = two.declared();
    let later = two.terms.declare_function("g!", &[two.list], SortId::INT, 1);
    let called = two.terms.call(later, &[x]).expect("declared");
    let rank = two.size(x);
    two.terms.define_function(f, called, vec![rank]);
    assert!(matches!(two.checked(Vec::new()), Err(CheckError::Malformed(_))));
}

#[test]
fn functions_of_one_name_are_refused() {
    let mut lists = lists();
    lists.declared();
    lists.declared();
    assert!(matches!(lists.checked(Vec::new()), Err(CheckError::Malformed(_))));
}

/// The length of a list, as a function.
fn length(lists: &mut Lists) -> FunctionId {
    let (f, x) = lists.declared();
    let [nil, cons] = lists.terms.list_constructors(lists.list).expect("a list");
    let tail = lists.terms.constructor(cons).fields[1];
    let tail = lists.terms.field_of(tail, x);
    let (below, one, zero) = (
        lists.terms.call(f, &[tail]).expect("declared"),
        lists.terms.integer(1),
        lists.terms.integer(0),
    );
    let (longer, is_empty) = (lists.terms.add(below, one), lists.terms.is_made_by(nil, x));
    let body = lists.terms.if_then_else(is_empty, zero, longer);
    let rank = lists.size(x);
    lists.terms.define_function(f, body, vec![rank]);
    f
}

/// That the length of every list is this, or at least this.
fn about_length(lists: &mut Lists, bound: i64, is_exact: bool, is_induced: bool) -> Lemma {
    let f = length(lists);
    let x = lists.terms.fresh_variable("X", lists.list);
    let (value, bound) = (lists.terms.call(f, &[x]).expect("declared"), lists.terms.integer(bound));
    Lemma {
        variables: vec![x],
        formula: match is_exact {
            true => lists.terms.equal(value, bound),
            false => lists.terms.less_or_equal(bound, value),
        },
        by: is_induced.then_some(x),
        cases: None,
    }
}

#[test]
fn lemmas_hold_by_induction_or_not_at_all() {
    // What remains is that the program has an error.
    let mut right = lists();
    let lemma = about_length(&mut right, 0, false, true);
    let result = right.checked(vec![lemma]);
    assert!(
        matches!(result, Err(CheckError::Violated { .. } | CheckError::Undecided(_))),
        "{result:?}"
    );

    // It does not follow without.
    let mut plain = lists();
    let lemma = about_length(&mut plain, 0, false, false);
    is_unproved(plain.checked(vec![lemma]), "the lemma");

    for (bound, is_exact) in [(1, false), (0, true), (2, true)] {
        let mut wrong = lists();
        let lemma = about_length(&mut wrong, bound, is_exact, true);
        is_unproved(wrong.checked(vec![lemma]), "the lemma");
    }
}

#[test]
fn lemmas_are_not_about_the_program() {
    let mut lists = lists();
    let parameter = lists.program.predicates()[2].parameters[0];
    let formula = lists.terms.equal(parameter, parameter);
    let lemma = Lemma {
        variables: vec![parameter],
        formula,
        by: None,
        cases: None,
    };
    assert!(matches!(lists.checked(vec![lemma]), Err(CheckError::Malformed(_))));
}
