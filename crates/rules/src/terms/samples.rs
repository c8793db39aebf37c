//! For tests: datatypes, random values of all sorts, and random terms over given variables.

use crate::random::Generator;
use crate::terms::{
    ArrayValue, Assignment, DatatypeValue, Float, FloatFormat, FloatOperator, Rational, Sort, SortId, TermId, Terms,
    Value, WordOperator,
};
use num_bigint::BigInt;
use num_traits::One;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Datatypes of every kind.
pub struct Samples {
    /// Three constants.
    pub color: SortId,
    /// One constructor: an array of integers, an integer and a truth value.
    pub record: SortId,
    /// Lists of integers.
    pub list: SortId,
    /// Trees with forests as children …
    pub tree: SortId,
    /// … which are lists of trees.
    pub forest: SortId,
}

impl Samples {
    /// Declares them.
    pub fn new(terms: &mut Terms) -> Samples {
        let int = SortId::INT;
        let color = terms.declare_datatypes(&["color"])[0];
        for name in ["red", "green", "blue"] {
            terms.add_constructor(color, name, &[]);
        }
        let memory = terms.array_sort(int, int);
        let record = terms.declare_datatypes(&["record"])[0];
        let fields = [("memory", memory), ("size", int), ("full", SortId::BOOL)];
        terms.add_constructor(record, "made", &fields);
        let list = terms.declare_datatypes(&["list"])[0];
        terms.add_constructor(list, "nil", &[]);
        terms.add_constructor(list, "cons", &[("head", int), ("tail", list)]);
        let both = terms.declare_datatypes(&["tree", "forest"]);
        let (tree, forest) = (both[0], both[1]);
        terms.add_constructor(tree, "leaf", &[("label", color)]);
        terms.add_constructor(tree, "node", &[("weight", int), ("children", forest)]);
        terms.add_constructor(forest, "empty", &[]);
        terms.add_constructor(forest, "grow", &[("first", tree), ("rest", forest)]);
        Samples {
            color,
            record,
            list,
            tree,
            forest,
        }
    }
}

/// A word: often one at an edge.
pub fn word_value(width: u32, random: &mut Generator) -> BigInt {
    let all = BigInt::one() << width;
    match random.below(7) {
        0 => BigInt::from(0),
        1 => BigInt::one() % &all,
        2 => &all - 1,
        3 => &all >> 1,
        4 => (&all >> 1) - 1,
        5 => BigInt::from(random.below(u64::from(width) + 2)) % &all,
        _ => (BigInt::from(random.next()) * BigInt::from(random.next())) % &all,
    }
}

/// A floating-point number: often one of a special kind, or close to an integer.
pub fn float_value(format: FloatFormat, random: &mut Generator) -> Float {
    let edges = [
        0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        f64::INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::from(f32::MIN_POSITIVE),
        f64::from(f32::MAX),
        2147483648.0,
        16777217.0,
    ];
    let value = match random.below(5) {
        0 => edges[random.below(edges.len() as u64) as usize],
        1 => random.below(4000) as f64 / 8.0 - 250.0,
        2 => random.below(1000) as f64 * 1e-3,
        3 => f64::from(f32::from_bits(random.next() as u32)),
        _ => return Float::of_bits(format, u128::from(random.next()) << 64 | u128::from(random.next())),
    };
    let signed = if random.below(3) == 0 { -value } else { value };
    Float::from(signed).converted(format)
}

/// A value of the sort.
pub fn value(terms: &Terms, sort: SortId, random: &mut Generator, depth: u32) -> Value {
    match terms.sort_of_id(sort) {
        Sort::Bool => Value::Bool(random.below(2) == 0),
        Sort::Int => Value::Number(Rational::from_integer((random.below(7) as i64 - 3).into())),
        Sort::Real => Value::Number(Rational::new((random.below(9) as i64 - 4).into(), 2.into())),
        Sort::Word(width) => Value::Number(Rational::from_integer(word_value(width, random))),
        Sort::Float(format) => Value::Float(float_value(format, random)),
        Sort::Array(index, element) => {
            let mut array = ArrayValue {
                default: value(terms, element, random, depth),
                elements: BTreeMap::new(),
            };
            for _ in 0..random.below(3) {
                array = array.with(value(terms, index, random, depth), value(terms, element, random, depth));
            }
            Value::Array(Arc::new(array))
        }
        Sort::Datatype(_) if depth == 0 => terms.default_value(sort),
        Sort::Datatype(_) => {
            let constructors = &terms.datatype(sort).expect("a datatype").constructors;
            let constructor = constructors[random.below(constructors.len() as u64) as usize];
            let fields = &terms.constructor(constructor).fields;
            let parts = fields
                .iter()
                .map(|field| value(terms, terms.field(*field).sort, random, depth - 1));
            let whole = DatatypeValue::new(constructor, parts.collect()).expect("not deep");
            Value::Datatype(Arc::new(whole))
        }
    }
}

/// Values of all the variables.
pub fn assignment(terms: &Terms, variables: &[TermId], random: &mut Generator) -> Assignment {
    let values = variables.iter();
    values
        .map(|variable| (*variable, value(terms, terms.sort(*variable), random, 3)))
        .collect()
}

/// A random term of the sort over the variables.
pub fn term(terms: &mut Terms, variables: &[TermId], sort: SortId, random: &mut Generator, depth: u32) -> TermId {
    let same: Vec<TermId> = variables
        .iter()
        .copied()
        .filter(|one| terms.sort(*one) == sort)
        .collect();
    if depth == 0 || random.below(4) == 0 {
        if !same.is_empty() && random.below(5) != 0 {
            return same[random.below(same.len() as u64) as usize];
        }
        let value = value(terms, sort, random, 1);
        return terms.value_term(&value, sort);
    }
    let depth = depth - 1;
    // A part of something: an element of an array, or a field.
    if random.below(3) == 0 {
        let mut parts: Vec<TermId> = Vec::new();
        for variable in variables {
            match terms.sort_of_id(terms.sort(*variable)) {
                Sort::Array(_, element) if element == sort => parts.push(*variable),
                Sort::Datatype(_) => parts.push(*variable),
                _ => {}
            }
        }
        if !parts.is_empty() {
            let whole = parts[random.below(parts.len() as u64) as usize];
            if let Sort::Array(index, _) = terms.sort_of_id(terms.sort(whole)) {
                let array = term(terms, variables, terms.sort(whole), random, depth);
                let index = term(terms, variables, index, random, depth);
                return terms.select(array, index);
            }
            let datatype = terms.datatype(terms.sort(whole)).expect("a datatype").clone();
            let mut fields = Vec::new();
            for constructor in &datatype.constructors {
                fields.extend(terms.constructor(*constructor).fields.clone());
            }
            fields.retain(|field| terms.field(*field).sort == sort);
            if !fields.is_empty() {
                let field = fields[random.below(fields.len() as u64) as usize];
                let part = terms.field_of(field, whole);
                if random.below(8) == 0 {
                    return part;
                }
                let constructor = terms.field(field).constructor;
                let is_made = terms.is_made_by(constructor, whole);
                let other = term(terms, variables, sort, random, depth);
                if sort == SortId::BOOL {
                    return terms.and(&[is_made, part]);
                }
                return terms.if_then_else(is_made, part, other);
            }
        }
    }
    if sort != SortId::BOOL && random.below(8) == 0 {
        let condition = formula(terms, variables, random, depth);
        let left = term(terms, variables, sort, random, depth);
        let right = term(terms, variables, sort, random, depth);
        return terms.if_then_else(condition, left, right);
    }
    match terms.sort_of_id(sort) {
        Sort::Bool => formula(terms, variables, random, depth),
        Sort::Int | Sort::Real => {
            let left = term(terms, variables, sort, random, depth);
            let right = term(terms, variables, sort, random, depth);
            match random.below(2) {
                0 => terms.add(left, right),
                _ => terms.subtract(left, right),
            }
        }
        Sort::Word(width) => word_term(terms, variables, width, random, depth),
        Sort::Float(_) => {
            let left = term(terms, variables, sort, random, depth);
            let right = term(terms, variables, sort, random, depth);
            let operator = [FloatOperator::Add, FloatOperator::Subtract][random.below(2) as usize];
            terms
                .float_operation(operator, &[left, right], sort)
                .expect("sorts that fit")
        }
        Sort::Array(index, element) => {
            if random.below(5) == 0 {
                let default = term(terms, variables, element, random, depth);
                return terms.constant_array(sort, default);
            }
            let array = term(terms, variables, sort, random, depth);
            let at = term(terms, variables, index, random, depth);
            let stored = term(terms, variables, element, random, depth);
            terms.store(array, at, stored)
        }
        Sort::Datatype(_) => {
            let constructors = terms.datatype(sort).expect("a datatype").constructors.clone();
            let constructor = constructors[random.below(constructors.len() as u64) as usize];
            let fields = terms.constructor(constructor).fields.clone();
            let mut arguments = Vec::new();
            for field in fields {
                let sort = terms.field(field).sort;
                arguments.push(term(terms, variables, sort, random, depth));
            }
            terms.construct(constructor, &arguments)
        }
    }
}

fn word_term(terms: &mut Terms, variables: &[TermId], width: u32, random: &mut Generator, depth: u32) -> TermId {
    let sort = terms.word_sort(width);
    let made = match random.below(8) {
        0 if width > 1 => {
            let low = 1 + random.below(u64::from(width) - 1) as u32;
            let (high_sort, low_sort) = (terms.word_sort(width - low), terms.word_sort(low));
            let parts = [
                term(terms, variables, high_sort, random, depth),
                term(terms, variables, low_sort, random, depth),
            ];
            terms.word_operation(WordOperator::Concatenate, &parts, width)
        }
        1 => {
            let low = random.below(5) as u32;
            let wider = terms.word_sort(width + low + random.below(3) as u32);
            let whole = term(terms, variables, wider, random, depth);
            terms.word_operation(WordOperator::Extract(low), &[whole], width)
        }
        2 => {
            let narrower = terms.word_sort(1 + random.below(u64::from(width)) as u32);
            let part = term(terms, variables, narrower, random, depth);
            terms.word_operation(WordOperator::SignExtend, &[part], width)
        }
        3 => {
            let integer = match random.below(2) {
                0 => term(terms, variables, SortId::INT, random, depth),
                _ => {
                    let word = term(terms, variables, sort, random, depth);
                    terms
                        .word_operation(WordOperator::ToInteger, &[word], 0)
                        .expect("an integer")
                }
            };
            terms.word_operation(WordOperator::OfInteger, &[integer], width)
        }
        _ => {
            let all = WordOperator::OF_ONE_WIDTH;
            let operator = all[random.below(all.len() as u64) as usize];
            let mut arguments = Vec::new();
            for _ in 0..operator.arity() {
                arguments.push(term(terms, variables, sort, random, depth));
            }
            terms.word_operation(operator, &arguments, width)
        }
    };
    made.expect("sorts that fit")
}

/// A random formula over the variables.
pub fn formula(terms: &mut Terms, variables: &[TermId], random: &mut Generator, depth: u32) -> TermId {
    if depth > 0 && random.below(2) == 0 {
        let parts: Vec<TermId> = (0..2 + random.below(2))
            .map(|_| formula(terms, variables, random, depth - 1))
            .collect();
        return match random.below(3) {
            0 => terms.not(parts[0]),
            1 => terms.and(&parts),
            _ => terms.or(&parts),
        };
    }
    let sort = terms.sort(variables[random.below(variables.len() as u64) as usize]);
    let left = term(terms, variables, sort, random, depth);
    let right = term(terms, variables, sort, random, depth);
    let atom = match terms.sort_of_id(sort) {
        Sort::Int | Sort::Real if random.below(2) == 0 => terms.less_or_equal(left, right),
        Sort::Word(_) if random.below(3) > 0 => {
            let operator = match random.below(2) {
                0 => WordOperator::UnsignedLessOrEqual,
                _ => WordOperator::SignedLessOrEqual,
            };
            terms
                .word_operation(operator, &[left, right], 0)
                .expect("sorts that fit")
        }
        Sort::Float(_) if random.below(3) > 0 => {
            let operator =
                [FloatOperator::Less, FloatOperator::LessOrEqual, FloatOperator::Equal][random.below(3) as usize];
            terms
                .float_operation(operator, &[left, right], SortId::BOOL)
                .expect("sorts that fit")
        }
        Sort::Datatype(_) if random.below(3) == 0 => {
            let constructors = &terms.datatype(sort).expect("a datatype").constructors;
            let constructor = constructors[random.below(constructors.len() as u64) as usize];
            terms.is_made_by(constructor, left)
        }
        _ => terms.equal(left, right),
    };
    match random.below(3) {
        0 => terms.not(atom),
        _ => atom,
    }
}
