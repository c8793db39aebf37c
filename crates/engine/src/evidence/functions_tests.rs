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
            lemmas,
            ..Certificate::new(self.terms, Vec::<Invariant>::new())
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
        ranks: Vec::new(),
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
        ranks: Vec::new(),
    };
    assert!(matches!(lists.checked(vec![lemma]), Err(CheckError::Malformed(_))));
}

/// A function from integers to integers, and its parameter.
fn on_integers(lists: &mut Lists) -> (FunctionId, TermId) {
    let id = lists.terms.declare_function("g!", &[SortId::INT], SortId::INT, 0);
    (id, lists.terms.functions()[id.index()].parameters[0])
}

/// Zero up to zero, then one more for each: what is given, if it is not negative.
fn counted(lists: &mut Lists, is_bounded: bool) -> FunctionId {
    let (g, n) = on_integers(lists);
    let (zero, one) = (lists.terms.integer(0), lists.terms.integer(1));
    let before = lists.terms.subtract(n, one);
    let below = lists.terms.call(g, &[before]).expect("declared");
    let (more, ends) = (lists.terms.add(below, one), lists.terms.less_or_equal(n, zero));
    let body = match is_bounded {
        true => lists.terms.if_then_else(ends, zero, more),
        false => more,
    };
    lists.terms.define_function(g, body, vec![n]);
    g
}

#[test]
fn integers_descend_only_where_they_are_not_negative() {
    let mut endless = lists();
    counted(&mut endless, false);
    is_unproved(endless.checked(Vec::new()), "the recursion of `g!`");

    // What holds of all that are not negative, and of no others.
    for is_plain in [false, true] {
        let mut lists = lists();
        let g = counted(&mut lists, true);
        let n = lists.terms.fresh_variable("N", SortId::INT);
        let (value, zero) = (lists.terms.call(g, &[n]).expect("declared"), lists.terms.integer(0));
        let formula = match is_plain {
            true => lists.terms.less_or_equal(zero, n),
            false => lists.terms.equal(value, n),
        };
        let lemma = Lemma {
            variables: vec![n],
            formula,
            by: Some(n),
            cases: None,
            ranks: Vec::new(),
        };
        is_unproved(lists.checked(vec![lemma]), "the lemma");
    }
}

#[test]
fn a_call_to_what_a_call_gives_descends_only_if_any_value_does() {
    let mut lists = lists();
    let (g, n) = on_integers(&mut lists);
    let [ten, eleven, hundred, bound] = [10, 11, 100, 101].map(|value| lists.terms.integer(value));
    let later = lists.terms.add(n, eleven);
    let inner = lists.terms.call(g, &[later]).expect("declared");
    let outer = lists.terms.call(g, &[inner]).expect("declared");
    let (ends, less) = (lists.terms.less(hundred, n), lists.terms.subtract(n, ten));
    let body = lists.terms.if_then_else(ends, less, outer);
    let rank = lists.terms.subtract(bound, n);
    lists.terms.define_function(g, body, vec![rank]);
    is_unproved(lists.checked(Vec::new()), "the recursion of `g!`");
}

#[test]
fn what_a_list_without_elements_has_behind_it_is_not_smaller() {
    let mut lists = lists();
    let (f, x) = lists.declared();
    let [_, cons] = lists.terms.list_constructors(lists.list).expect("a list");
    let tail = lists.terms.constructor(cons).fields[1];
    let tail = lists.terms.field_of(tail, x);
    let (below, one) = (lists.terms.call(f, &[tail]).expect("declared"), lists.terms.integer(1));
    let (body, rank) = (lists.terms.add(below, one), lists.size(x));
    lists.terms.define_function(f, body, vec![rank]);
    is_unproved(lists.checked(Vec::new()), "the recursion of `f!`");
}

#[test]
fn functions_that_call_each_other_descend_together() {
    let mut lists = lists();
    let [f, g] = ["f!", "g!"].map(|name| lists.terms.declare_function(name, &[lists.list], SortId::INT, 0));
    for (own, other) in [(f, g), (g, f)] {
        let x = lists.terms.functions()[own.index()].parameters[0];
        let called = lists.terms.call(other, &[x]).expect("declared");
        let one = lists.terms.integer(1);
        let (body, rank) = (lists.terms.add(called, one), lists.size(x));
        lists.terms.define_function(own, body, vec![rank]);
    }
    is_unproved(lists.checked(Vec::new()), "the recursion of");
}

#[test]
fn a_truth_value_that_is_its_own_opposite_does_not_exist() {
    let mut lists = lists();
    let p = lists.terms.declare_function("p!", &[lists.list], SortId::BOOL, 0);
    let x = lists.terms.functions()[p.index()].parameters[0];
    let [nil, _] = lists.terms.list_constructors(lists.list).expect("a list");
    let own = lists.terms.call(p, &[x]).expect("declared");
    let (opposite, is_empty) = (lists.terms.not(own), lists.terms.is_made_by(nil, x));
    let (body, rank) = (lists.terms.and(&[is_empty, opposite]), lists.size(x));
    lists.terms.define_function(p, body, vec![rank]);
    is_unproved(lists.checked(Vec::new()), "the recursion of `p!`");
}

#[test]
fn lemmas_are_shown_also_where_no_functions_are_defined() {
    let lists = lists();
    let lemma = Lemma {
        variables: Vec::new(),
        formula: TermId::FALSE,
        by: None,
        cases: None,
        ranks: Vec::new(),
    };
    is_unproved(lists.checked(vec![lemma]), "the lemma");
}

#[test]
fn lemmas_do_not_prove_themselves_or_those_before_them() {
    for is_false in [true, false] {
        let mut lists = lists();
        let induced = about_length(&mut lists, if is_false { 1 } else { 0 }, false, true);
        let plain = Lemma {
            by: None,
            ..induced.clone()
        };
        let result = lists.checked(vec![plain.clone(), induced, plain]);
        is_unproved(result, "the lemma");
    }
}

#[test]
fn what_holds_of_lists_with_the_same_elements_behind_is_no_induction() {
    let mut lists = lists();
    let f = length(&mut lists);
    let x = lists.terms.fresh_variable("X", lists.list);
    let [_, cons] = lists.terms.list_constructors(lists.list).expect("a list");
    let head = lists.terms.constructor(cons).fields[0];
    let head = lists.terms.fresh_variable("H", lists.terms.field(head).sort);
    let longer = lists.terms.construct(cons, &[head, x]);
    let [own, other] = [x, longer].map(|list| lists.terms.call(f, &[list]).expect("declared"));
    let formula = lists.terms.equal(own, other);
    let lemma = Lemma {
        variables: vec![x, head],
        formula,
        by: Some(x),
        cases: None,
        ranks: Vec::new(),
    };
    is_unproved(lists.checked(vec![lemma]), "the lemma");
}

#[test]
fn what_cannot_be_made_sense_of_is_refused() {
    // Names that would end the quotes around them.
    for name in [
        "f!| Int) Int) (assert false) (declare-fun |g",
        "f! g",
        "f!\\",
        "f!\n",
        "f",
    ] {
        let mut lists = lists();
        lists.terms.declare_function(name, &[lists.list], SortId::INT, 0);
        assert!(
            matches!(lists.checked(Vec::new()), Err(CheckError::Malformed(_))),
            "{name}"
        );
    }
    // Applied to something else than it is for.
    let mut odd = lists();
    let f = length(&mut odd);
    let zero = odd.terms.integer(0);
    let g = odd.terms.declare_function("g!", &[], SortId::INT, 1);
    let body = odd.terms.call(f, &[zero]).expect("declared");
    odd.terms.define_function(g, body, Vec::new());
    assert!(matches!(odd.checked(Vec::new()), Err(CheckError::Malformed(_))));
    // So large that looking at it would take long.
    let mut large = lists();
    let (f, of) = on_integers(&mut large);
    let mut body = of;
    for number in 0..4_000 {
        let limit = large.terms.integer(number);
        let (is_less, value) = (large.terms.less(of, limit), large.terms.add(of, limit));
        body = large.terms.if_then_else(is_less, value, body);
    }
    large.terms.define_function(f, body, Vec::new());
    assert!(matches!(large.checked(Vec::new()), Err(CheckError::Malformed(_))));
    // The same variable twice.
    let mut twice = lists();
    let mut lemma = about_length(&mut twice, 0, false, true);
    lemma.cases = lemma.by;
    assert!(matches!(twice.checked(vec![lemma]), Err(CheckError::Malformed(_))));
}

/// A lemma about the length of lists, by induction over these ranks.
fn by_ranks(lists: &mut Lists, bound: i64, ranks: &dyn Fn(&mut Lists, TermId) -> Vec<TermId>) -> Lemma {
    let lemma = about_length(lists, bound, false, false);
    let x = lemma.variables[0];
    Lemma {
        ranks: ranks(lists, x),
        ..lemma
    }
}

#[test]
fn ranks_have_to_descend_where_a_lemma_relies_on_itself() {
    let size = |lists: &mut Lists, x: TermId| vec![lists.size(x)];
    let mut right = lists();
    let lemma = by_ranks(&mut right, 0, &size);
    let result = right.checked(vec![lemma]);
    // What remains is that the program has an error.
    assert!(
        matches!(result, Err(CheckError::Violated { .. } | CheckError::Undecided(_))),
        "{result:?}"
    );
    // Not one that does not hold, and not by what stays the same, or gets larger.
    let mut wrong = lists();
    let lemma = by_ranks(&mut wrong, 1, &size);
    is_unproved(wrong.checked(vec![lemma]), "the lemma");
    let mut level = lists();
    let lemma = by_ranks(&mut level, 0, &|lists, _| vec![lists.terms.integer(5)]);
    is_unproved(level.checked(vec![lemma]), "the lemma");
    let mut rising = lists();
    let lemma = by_ranks(&mut rising, 0, &|lists, x| {
        let size = lists.size(x);
        vec![lists.terms.negate(size)]
    });
    is_unproved(rising.checked(vec![lemma]), "the lemma");
}

#[test]
fn ranks_are_integers_over_the_variables() {
    let malformed = |change: &dyn Fn(&mut Lists, &mut Lemma)| {
        let mut lists = lists();
        let mut lemma = about_length(&mut lists, 0, false, false);
        change(&mut lists, &mut lemma);
        assert!(matches!(lists.checked(vec![lemma]), Err(CheckError::Malformed(_))));
    };
    malformed(&|_, lemma| lemma.ranks = lemma.variables.clone());
    malformed(&|lists, lemma| lemma.ranks = vec![lists.terms.fresh_variable("N", SortId::INT)]);
    // With a function, and beside a variable.
    malformed(&|lists, lemma| {
        let call = lists.terms.applications(&[lemma.formula])[0];
        lemma.ranks = vec![call];
    });
    malformed(&|lists, lemma| {
        lemma.ranks = vec![lists.size(lemma.variables[0])];
        lemma.by = Some(lemma.variables[0]);
    });
}

/// What follows from one disjunct says nothing where another one holds: here the first is never true, and the program has an error.
#[test]
fn what_follows_from_one_disjunct_is_not_relied_on_in_another() {
    let source = "?- p(X). p(X) :- X*X = 152399025, X*X*X > 0, error.";
    let program = crate::clp::read(source).product.expect("no mistake in it");
    let mut terms = program.terms.clone();
    let same = terms.declare_function("same!", &[SortId::INT], SortId::INT, 0);
    let x = terms.functions()[same.index()].parameters[0];
    terms.define_function(same, x, Vec::new());
    let p = program.rules()[0].body[0].predicate;
    let parameter = program.predicate(p).parameters[0];
    let called = terms.call(same, &[parameter]).expect("declared");
    let (square, minus_one) = (terms.multiply(called, called), terms.integer(-1));
    let never = terms.equal(square, minus_one);
    let invariant = Invariant {
        predicate: p,
        disjuncts: vec![vec![never], Vec::new()],
    };
    let certificate = Certificate::new(terms, vec![invariant]);
    let result = check_certificate(&program, &certificate, CheckLimits::default()).map(|_| ());
    assert!(result.is_err(), "{result:?}");
}
