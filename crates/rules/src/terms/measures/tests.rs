//! Measures of values are what their equations say, and what is unfolded of them is true of every value.

use super::*;
use crate::random::Generator;
use crate::terms::{Assignment, SortId, Value};

/// Lists of integers, trees with lists of trees inside, natural numbers and lists of them.
fn datatypes(terms: &mut Terms) -> [SortId; 5] {
    let list = terms.declare_datatypes(&["list"])[0];
    terms.add_constructor(list, "nil", &[]);
    terms.add_constructor(list, "cons", &[("head", SortId::INT), ("tail", list)]);
    let sorts = terms.declare_datatypes(&["tree", "trees"]);
    let (tree, trees) = (sorts[0], sorts[1]);
    terms.add_constructor(tree, "leaf", &[]);
    let fields = [
        ("left", tree),
        ("value", SortId::INT),
        ("more", trees),
        ("other", SortId::INT),
        ("flag", SortId::BOOL),
    ];
    terms.add_constructor(tree, "node", &fields);
    terms.add_constructor(trees, "none", &[]);
    terms.add_constructor(trees, "some", &[("first", tree), ("rest", trees)]);
    let natural = terms.declare_datatypes(&["natural"])[0];
    terms.add_constructor(natural, "zero", &[]);
    terms.add_constructor(natural, "successor", &[("before", natural)]);
    let naturals = terms.declare_datatypes(&["naturals"])[0];
    terms.add_constructor(naturals, "no", &[]);
    terms.add_constructor(naturals, "one", &[("number", natural), ("others", naturals)]);
    [list, tree, trees, natural, naturals]
}

fn closed(terms: &mut Terms, sort: SortId, random: &mut Generator, depth: u64) -> TermId {
    if sort == SortId::INT {
        return terms.integer(random.below(7) as i64 - 3);
    }
    if sort == SortId::BOOL {
        return terms.boolean(random.below(2) == 0);
    }
    let constructors = terms.datatype(sort).expect("a datatype").constructors.clone();
    let constructor = constructors[usize::from(depth > 0 && random.below(4) > 0)];
    let fields = terms.constructor(constructor).fields.clone();
    let sorts: Vec<SortId> = fields.iter().map(|field| terms.field(*field).sort).collect();
    let arguments: Vec<TermId> = sorts
        .into_iter()
        .map(|sort| closed(terms, sort, random, depth.saturating_sub(1)))
        .collect();
    terms.construct(constructor, &arguments)
}

#[test]
fn measures_of_terms_are_those_of_their_values() {
    let mut terms = Terms::new();
    let mut random = Generator(5);
    for sort in datatypes(&mut terms) {
        for round in 0..150 {
            let term = closed(&mut terms, sort, &mut random, round % 6);
            let value = terms.evaluate(term, &Assignment::default()).expect("a value");
            for measure in Measure::ALL {
                let measured = terms.measure_of(measure, term);
                let by_equations = terms.evaluate(measured, &Assignment::default());
                let by_value = terms.measure_of_value(measure, &value);
                assert_eq!(by_equations, by_value, "{measure:?} of {}", terms.display(term));
            }
        }
    }
}

#[test]
fn what_is_unfolded_is_true() {
    let mut terms = Terms::new();
    let mut random = Generator(6);
    for sort in datatypes(&mut terms) {
        let whole = terms.fresh_variable("X", sort);
        let formulas: Vec<TermId> = Measure::ALL
            .iter()
            .map(|measure| terms.measure_of(*measure, whole))
            .collect();
        let unfolded = terms.unfoldings(&formulas);
        assert!(unfolded.len() > Measure::ALL.len());
        for round in 0..150 {
            let term = closed(&mut terms, sort, &mut random, round % 6);
            let value = terms.evaluate(term, &Assignment::default()).expect("a value");
            let values = Assignment::from_iter([(whole, value)]);
            for formula in &unfolded {
                // What speaks of fields that the term does not have has no value.
                let holds = terms.evaluate(*formula, &values);
                assert_ne!(holds, Some(Value::Bool(false)), "{}", terms.display(*formula));
            }
        }
    }
}

#[test]
fn equations_say_what_people_mean() {
    let mut terms = Terms::new();
    let [list, ..] = datatypes(&mut terms);
    let [nil, cons] = [0, 1].map(|index| terms.datatype(list).expect("a datatype").constructors[index]);
    let build = |terms: &mut Terms, numbers: &[i64]| {
        let mut built = terms.construct(nil, &[]);
        for number in numbers.iter().rev() {
            let number = terms.integer(*number);
            built = terms.construct(cons, &[number, built]);
        }
        built
    };
    for (numbers, expected) in [
        (&[][..], ["1", "1", "0", "0", "0", "0", "true"]),
        (&[-2, 5, 5], ["4", "4", "3", "8", "-2", "5", "true"]),
        (&[3, 1], ["3", "3", "2", "4", "1", "3", "false"]),
    ] {
        let term = build(&mut terms, numbers);
        let found = Measure::ALL.map(|measure| {
            let measured = terms.measure_of(measure, term);
            terms.display(measured).to_string()
        });
        assert_eq!(found, expected.map(str::to_string));
    }
    // A very long list is not written out where that would be nested as deeply.
    let long = build(&mut terms, &vec![1; 5_000]);
    let sum = terms.measure_of(Measure::Sum, long);
    assert_eq!(terms.display(sum).to_string(), "5000");
    let ascending = terms.measure_of(Measure::Ascending, long);
    assert_eq!(terms.operator(ascending), Operator::Measure(Measure::Ascending));
}
