//! Datatypes: what is simplified, which have values, and what fields of other constructors come to.

use super::samples::Samples;
use super::*;
use std::sync::Arc;

fn constructors(terms: &Terms, sort: SortId) -> Vec<ConstructorId> {
    terms.datatype(sort).expect("a datatype").constructors.clone()
}

#[test]
fn fields_and_testers_of_what_is_constructed_are_known() {
    let mut terms = Terms::new();
    let list = Samples::new(&mut terms).list;
    let [nil, cons] = constructors(&terms, list)[..] else {
        panic!("two constructors");
    };
    let [head, tail] = terms.constructor(cons).fields[..] else {
        panic!("two fields");
    };
    let x = terms.fresh_variable("X", SortId::INT);
    let xs = terms.fresh_variable("Xs", list);
    let whole = terms.construct(cons, &[x, xs]);
    assert_eq!(terms.field_of(head, whole), x);
    assert_eq!(terms.field_of(tail, whole), xs);
    assert_eq!(terms.is_made_by(cons, whole), TermId::TRUE);
    assert_eq!(terms.is_made_by(nil, whole), TermId::FALSE);
    // The head of an empty list is anything: it must not be simplified.
    let empty = terms.construct(nil, &[]);
    let unknown = terms.field_of(head, empty);
    assert_eq!(terms.operator(unknown), Operator::Field(head));
    // A list put together from its own parts is the list only if it is not empty.
    let (first, rest) = (terms.field_of(head, xs), terms.field_of(tail, xs));
    let again = terms.construct(cons, &[first, rest]);
    assert_ne!(again, xs);
    // To be made by a constructor without fields is to be that constant.
    let is_empty = terms.is_made_by(nil, xs);
    assert_eq!(is_empty, terms.equal(xs, empty));
}

#[test]
fn a_record_is_what_its_parts_make() {
    let mut terms = Terms::new();
    let record = Samples::new(&mut terms).record;
    let made = constructors(&terms, record)[0];
    let whole = terms.fresh_variable("R", record);
    let other = terms.fresh_variable("S", record);
    let fields = terms.constructor(made).fields.clone();
    let parts: Vec<TermId> = fields.iter().map(|field| terms.field_of(*field, whole)).collect();
    assert_eq!(terms.construct(made, &parts), whole);
    assert_eq!(terms.is_made_by(made, whole), TermId::TRUE);
    let foreign = terms.field_of(fields[2], other);
    let mixed = terms.construct(made, &[parts[0], parts[1], foreign]);
    assert_ne!(mixed, whole);
}

#[test]
fn equality_is_part_by_part() {
    let mut terms = Terms::new();
    let samples = Samples::new(&mut terms);
    let [nil, cons] = constructors(&terms, samples.list)[..] else {
        panic!("two constructors");
    };
    let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
    let [xs, ys] = ["Xs", "Ys"].map(|name| terms.fresh_variable(name, samples.list));
    let (left, right) = (terms.construct(cons, &[x, xs]), terms.construct(cons, &[y, ys]));
    let parts = [terms.equal(x, y), terms.equal(xs, ys)];
    assert_eq!(terms.equal(left, right), terms.and(&parts));
    assert_eq!(terms.equal(left, left), TermId::TRUE);
    let empty = terms.construct(nil, &[]);
    assert_eq!(terms.equal(left, empty), TermId::FALSE);
    let (one, two) = (terms.integer(1), terms.integer(2));
    let (first, second) = (terms.construct(cons, &[one, xs]), terms.construct(cons, &[two, xs]));
    assert_eq!(terms.equal(first, second), TermId::FALSE);
    // Truth values are equal if they are equivalent.
    let made = constructors(&terms, samples.record)[0];
    let (memory, sort) = {
        let field = terms.constructor(made).fields[0];
        let sort = terms.field(field).sort;
        (terms.fresh_variable("A", sort), sort)
    };
    let [b, c] = ["B", "C"].map(|name| terms.fresh_variable(name, SortId::BOOL));
    let (left, right) = (
        terms.construct(made, &[memory, x, b]),
        terms.construct(made, &[memory, x, c]),
    );
    assert_eq!(terms.equal(left, right), terms.equal(b, c));
    // Arrays that are written to in different ways may be equal all the same.
    let (zero, seven) = (terms.integer(0), terms.integer(7));
    let zeros = terms.constant_array(sort, zero);
    let sevens = terms.constant_array(sort, seven);
    let (left, right) = (
        terms.construct(made, &[zeros, x, b]),
        terms.construct(made, &[sevens, x, b]),
    );
    let holds = terms.equal(left, right);
    assert_ne!(
        terms.holds(holds, &Assignment::from([(x, terms.default_value(SortId::INT))])),
        Some(true)
    );
}

#[test]
fn long_lists_are_compared_without_recursion() {
    let mut terms = Terms::new();
    let list = Samples::new(&mut terms).list;
    let [nil, cons] = constructors(&terms, list)[..] else {
        panic!("two constructors");
    };
    let built = |terms: &mut Terms, last: i64| {
        let mut whole = terms.construct(nil, &[]);
        for number in 0..100_000 {
            let number = terms.integer(if number == 0 { last } else { number });
            whole = terms.construct(cons, &[number, whole]);
        }
        whole
    };
    let (left, right) = (built(&mut terms, 1), built(&mut terms, 2));
    assert_eq!(terms.equal(left, right), TermId::FALSE);
    // So deep a value is none.
    assert_eq!(terms.evaluate(left, &Assignment::new()), None);
    let mut short = terms.construct(nil, &[]);
    for number in 0..9_000 {
        let number = terms.integer(number);
        short = terms.construct(cons, &[number, short]);
    }
    let value = terms.evaluate(short, &Assignment::new()).expect("not too deep");
    assert_eq!(terms.value_term(&value, list), short);
}

#[test]
fn every_datatype_has_a_default_value() {
    let mut terms = Terms::new();
    let samples = Samples::new(&mut terms);
    let shown = |terms: &Terms, sort| terms.display_value(&terms.default_value(sort));
    assert_eq!(shown(&terms, samples.color), "red");
    assert_eq!(shown(&terms, samples.record), "made([0, …], 0, false)");
    assert_eq!(shown(&terms, samples.list), "nil");
    assert_eq!(shown(&terms, samples.tree), "leaf(red)");
    assert_eq!(shown(&terms, samples.forest), "empty");
    // The constructor that needs another datatype comes first, and that one is declared later in the same group.
    let both = terms.declare_datatypes(&["even", "odd"]);
    terms.add_constructor(both[0], "after_odd", &[("before_even", both[1])]);
    terms.add_constructor(both[1], "after_even", &[("before_odd", both[0])]);
    terms.add_constructor(both[0], "zero", &[]);
    assert_eq!(shown(&terms, both[1]), "after_even(zero)");
    let trees = terms.array_sort(SortId::INT, both[1]);
    let holder = terms.declare_datatypes(&["holder"])[0];
    terms.add_constructor(holder, "holding", &[("trees", trees), ("name", samples.color)]);
    assert_eq!(shown(&terms, holder), "holding([after_even(zero), …], red)");
    let holders = terms.array_sort(samples.color, holder);
    let value = terms.default_value(holders);
    let term = terms.value_term(&value, holders);
    assert_eq!(terms.sort(term), holders);
}

#[test]
fn inhabited_are_those_with_finite_values() {
    let mut terms = Terms::new();
    let group = |terms: &Terms, sort| terms.datatype(sort).expect("a datatype").group;
    let endless = terms.declare_datatypes(&["endless"])[0];
    terms.add_constructor(endless, "more", &[("rest", endless)]);
    assert!(!terms.are_inhabited(group(&terms, endless)));
    let both = terms.declare_datatypes(&["a", "b"]);
    terms.add_constructor(both[0], "of_b", &[("b", both[1])]);
    terms.add_constructor(both[1], "of_a", &[("a", both[0])]);
    assert!(!terms.are_inhabited(group(&terms, both[0])));
    terms.add_constructor(both[1], "end", &[("n", SortId::INT)]);
    assert!(terms.are_inhabited(group(&terms, both[0])));
    let samples = Samples::new(&mut terms);
    for sort in [samples.color, samples.record, samples.list, samples.tree] {
        assert!(terms.are_inhabited(group(&terms, sort)));
    }
}

#[test]
fn a_field_of_another_constructor_has_no_value() {
    let mut terms = Terms::new();
    let list = Samples::new(&mut terms).list;
    let [nil, cons] = constructors(&terms, list)[..] else {
        panic!("two constructors");
    };
    let head = terms.constructor(cons).fields[0];
    let xs = terms.fresh_variable("Xs", list);
    let first = terms.field_of(head, xs);
    let one = terms.integer(1);
    let is_one = terms.equal(first, one);
    let not_one = terms.not(is_one);
    let is_nil = terms.is_made_by(nil, xs);
    let is_cons = terms.is_made_by(cons, xs);
    let empty = Assignment::from([(xs, terms.default_value(list))]);
    for undefined in [first, is_one, not_one] {
        assert_eq!(terms.evaluate(undefined, &empty), None);
    }
    // A guard decides, on whichever side it is; and what is undefined does not, even against its own negation.
    for (formula, expected) in [
        (terms.and(&[is_cons, is_one]), Some(false)),
        (terms.and(&[is_nil, is_one]), None),
        (terms.or(&[is_nil, not_one]), Some(true)),
        (terms.or(&[is_cons, not_one]), None),
        (terms.if_then_else(is_cons, is_one, is_nil), Some(true)),
        (terms.if_then_else(is_one, is_nil, is_nil), Some(true)),
    ] {
        assert_eq!(terms.holds(formula, &empty), expected, "{}", terms.display(formula));
    }
    // Large formulas are evaluated in another way.
    let mut parts = vec![is_nil, is_one];
    for _ in 0..100 {
        let x = terms.fresh_variable("X", SortId::BOOL);
        parts.push(x);
    }
    let mut values = empty.clone();
    for part in &parts[2..] {
        values.insert(*part, Value::Bool(true));
    }
    let all = terms.and(&parts);
    assert_eq!(terms.holds(all, &values), None);
    values.insert(parts[50], Value::Bool(false));
    assert_eq!(terms.holds(all, &values), Some(false));
    let any = terms.or(&[is_one, all, is_cons]);
    assert_eq!(terms.holds(any, &values), None);
}

/// A number in unary, made of this one.
fn successors(constructor: ConstructorId, of: &Value, count: usize) -> Value {
    let next = |value: Value, _| {
        Value::Datatype(Arc::new(
            DatatypeValue::new(constructor, vec![value]).expect("not deep"),
        ))
    };
    (0..count).fold(of.clone(), next)
}

#[test]
fn values_are_the_same_wherever_they_are_in_memory() {
    let mut terms = Terms::new();
    let natural = terms.declare_datatypes(&["natural"])[0];
    terms.add_constructor(natural, "none", &[]);
    terms.add_constructor(natural, "next", &[("before", natural)]);
    let [none, one] = constructors(&terms, natural)[..] else {
        panic!("two constructors");
    };
    let zero = Value::Datatype(Arc::new(DatatypeValue::new(none, Vec::new()).expect("not deep")));
    let numbers: Vec<Value> = (0..40).map(|count| successors(one, &zero, count)).collect();
    for (left, own) in numbers.iter().enumerate() {
        for (right, other) in numbers.iter().enumerate() {
            assert_eq!(own.cmp(other), left.cmp(&right));
            assert_eq!(own == other, left == right);
        }
        assert_eq!(own, &successors(one, &zero, left));
        assert_eq!(own.depth() as usize, left + 1);
    }
    let shared = [successors(one, &numbers[30], 1), successors(one, &numbers[30], 1)];
    assert!(shared[0] == shared[1] && shared[0] == numbers[31] && shared[0] < numbers[32]);
}
