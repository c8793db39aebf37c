//! Functions that calculate: which polynomial of the numbers that their arguments stand for gives the number that their result stands for.
//!
//! Natural numbers stand for their size, integers for themselves, and terms of a datatype that is a chain of constructors for what Horner's
//! scheme makes of it, with a factor and a summand for each constructor: such *numerals* are binary numbers, among others. The factors are
//! guessed: those are taken with which different terms stand for different numbers and most functions are polynomials. A polynomial is the
//! one that samples agree with, and is proved as a lemma, by induction over the ranks by which the function's recursion ends. Then an
//! equation between functions is one between polynomials.

use super::exploration::{counters, grown};
use super::fitting::{Fitting, MOST_ROWS};
use super::proof::settle;
use super::prover::{Established, Prover};
use crate::engine::StopReason;
use crate::evidence::Depth;
use crate::random::Generator;
use crate::relations::Pools;
use crate::terms::{
    ConstructorId, FunctionId, Measure, Operator, Rational, SortId, Substitution, TermId, Terms, Value, Values,
};

/// Polynomials are looked for up to this degree, and up to this one when numerals are chosen.
const DEGREE: u32 = 3;
const DEGREE_OF_NUMERALS: u32 = 2;
/// Functions of more arguments are not looked at.
const MOST_ARGUMENTS: usize = 5;
/// Samples are so many constructors deep, and integers in them less than this.
const SAMPLE_DEPTH: usize = 4;
const INTEGERS: u64 = 6;
/// Factors of numerals are up to this; summands of constructors with and without a part less than these.
const FACTOR: u32 = 3;
const SUMMANDS: [u32; 2] = [3, 4];
/// A datatype of numerals has so many constructors at most.
const MOST_CONSTRUCTORS: usize = 4;
/// So many values, or numbers in polynomials, cost as much as a unit of work.
const VALUES: u64 = 12;
const NUMBERS: u64 = 400;

/// What each constructor adds to the number of its part, and by how much that is multiplied.
type Weights = Vec<(ConstructorId, [u32; 2])>;

/// The numbers that terms of a sort stand for.
#[derive(Clone)]
struct Numbers {
    sort: SortId,
    /// For terms of a datatype.
    weights: Weights,
    /// What gives the number of a numeral.
    function: Option<FunctionId>,
}

/// Some runs of a function: what it was given, and what came of that.
struct Runs {
    function: FunctionId,
    rows: Vec<(Vec<Value>, Value)>,
}

/// Whether goals follow from lemmas that say of functions which polynomials they are; where not, nothing has been learned.
pub(super) fn follow(
    prover: &mut Prover<'_>,
    goals: &[TermId],
    functions: &[FunctionId],
    pools: &Pools,
) -> Result<bool, StopReason> {
    let Some((runs, mut numbers)) = prepared(prover, functions, pools) else {
        return Ok(false);
    };
    prover.poll()?;
    let learned = prover.mark();
    let mut open: Vec<SortId> = Vec::new();
    for one in &runs {
        for sort in sorts(&prover.terms, one.function) {
            if !numbers.iter().any(|known| known.sort == sort) && !open.contains(&sort) {
                open.push(sort);
            }
        }
    }
    for sort in open {
        if let Some(weights) = numerals(prover, sort, &runs, &numbers)? {
            let function = defined(&mut prover.terms, sort, &weights);
            numbers.push(Numbers {
                sort,
                weights,
                function: Some(function),
            });
        }
    }
    let mut polynomials = Vec::new();
    for one in &runs {
        if let Some(formula) = polynomial(prover, one, &numbers) {
            polynomials.push((one.function, formula));
        }
    }
    prover.poll()?;
    // Where a goal is about other functions as well, equations between polynomials do not prove it.
    let mut calls = prover.terms.applications(goals).into_iter();
    let are_covered = calls.len() > 0
        && calls.all(|call| {
            let mut functions = polynomials.iter().map(|(function, _)| Operator::Apply(*function));
            functions.any(|function| function == prover.terms.operator(call))
        });
    if are_covered {
        for function in numbers.iter().filter_map(|one| one.function) {
            about_numerals(prover, function)?;
        }
        for (function, formula) in polynomials {
            by_ranks(prover, formula, function)?;
        }
        for goal in goals.iter() {
            bridge(prover, *goal, &numbers)?;
        }
        let mut left = goals.to_vec();
        if settle(prover, &mut left)? {
            return Ok(true);
        }
    }
    prover.return_to(learned);
    Ok(false)
}

/// Runs of the functions, those first that others call, and the sorts of which it is known what their terms stand for.
fn prepared(prover: &mut Prover<'_>, functions: &[FunctionId], pools: &Pools) -> Option<(Vec<Runs>, Vec<Numbers>)> {
    let terms = &prover.terms;
    let mut numbers = vec![Numbers {
        sort: SortId::INT,
        weights: Vec::new(),
        function: None,
    }];
    for datatype in terms.datatypes() {
        if terms.is_natural(datatype.sort) {
            let weights = datatype.constructors.iter().map(|one| (*one, [1, 1])).collect();
            numbers.push(Numbers {
                sort: datatype.sort,
                weights,
                function: None,
            });
        }
    }
    let mut order: Vec<FunctionId> = functions.to_vec();
    order.retain(|id| {
        let mut sorts = sorts(terms, *id).into_iter();
        let parameters = terms.functions()[id.index()].parameters.len();
        parameters <= MOST_ARGUMENTS
            && sorts.all(|sort| numbers.iter().any(|known| known.sort == sort) || is_chain(terms, sort))
    });
    order.sort_by_key(|id| terms.functions()[id.index()].group);
    let (mut values, mut random) = (Values::default(), Generator(11));
    let mut all = Vec::new();
    for function in order {
        let parameters: Vec<SortId> = sorts(terms, function);
        let Some((_, given)) = parameters.split_last() else {
            continue;
        };
        let counting = counters(terms, function);
        let mut rows = Vec::new();
        for _ in 0..MOST_ROWS {
            let arguments: Option<Vec<Value>> = (given.iter().enumerate())
                .map(|(position, sort)| match *sort {
                    SortId::INT => {
                        let number = random.below(INTEGERS) as i64;
                        let below = if counting.contains(&position) { 0 } else { 2 };
                        Some(Value::Number(Rational::from(number - below)))
                    }
                    sort => grown(terms, pools, sort, SAMPLE_DEPTH, &mut random),
                })
                .collect();
            if let Some(arguments) = arguments
                && let Some(value) = values.applied(terms, function, arguments.clone())
            {
                rows.push((arguments, value));
            }
        }
        all.push(Runs { function, rows });
    }
    prover.work += values.calculated / VALUES;
    (!all.is_empty()).then_some((all, numbers))
}

/// The sorts of a function's arguments, and of its value.
fn sorts(terms: &Terms, id: FunctionId) -> Vec<SortId> {
    let function = &terms.functions()[id.index()];
    let given = function.parameters.iter().map(|one| terms.sort(*one));
    given.chain([function.sort]).collect()
}

/// Whether terms of a sort are chains: each constructor has one part, which is of the sort, or none.
fn is_chain(terms: &Terms, sort: SortId) -> bool {
    let Some(datatype) = terms.datatype(sort) else {
        return false;
    };
    let of = |id: &ConstructorId| &terms.constructor(*id).fields;
    let is_link = |id: &ConstructorId| match &of(id)[..] {
        [] => true,
        [part] => terms.field(*part).sort == sort,
        _ => false,
    };
    datatype.constructors.len() <= MOST_CONSTRUCTORS
        && datatype.constructors.iter().all(is_link)
        && datatype.constructors.iter().any(|id| of(id).len() == 1)
}

impl Numbers {
    /// The number that a value stands for.
    fn of_value(&self, value: &Value) -> Option<Rational> {
        let mut chain = Vec::new();
        let mut current = value;
        loop {
            match current {
                Value::Number(number) if chain.is_empty() => return Some(number.clone()),
                Value::Datatype(whole) => {
                    let weights = self.weights.iter().find(|(id, _)| *id == whole.constructor);
                    chain.push(weights?.1);
                    match whole.arguments.first() {
                        Some(part) => current = part,
                        None => break,
                    }
                }
                _ => return None,
            }
        }
        // The innermost has no part to multiply.
        let mut number = Rational::from(0);
        for [summand, factor] in chain.into_iter().rev() {
            let scaled = &number * &Rational::from(i64::from(factor));
            number = &scaled + &Rational::from(i64::from(summand));
        }
        Some(number)
    }

    /// The number that a term stands for, as a term.
    fn of_term(&self, terms: &mut Terms, term: TermId) -> Option<TermId> {
        match (self.sort, self.function) {
            (SortId::INT, _) => Some(term),
            (_, None) => Some(terms.measure_of(Measure::Size, term)),
            (_, Some(function)) => terms.call(function, &[term]),
        }
    }
}

/// The numbers of a function's arguments and values in its runs, and of which sorts they are.
fn numbered(terms: &Terms, runs: &Runs, numbers: &[Numbers]) -> Option<Vec<(Vec<Rational>, Rational)>> {
    let all = sorts(terms, runs.function).into_iter();
    let of: Option<Vec<&Numbers>> = all
        .map(|sort| numbers.iter().find(|known| known.sort == sort))
        .collect();
    let of = of?;
    let (result, given) = of.split_last()?;
    let row = |(arguments, value): &(Vec<Value>, Value)| {
        let pairs = given.iter().zip(arguments);
        let arguments: Option<Vec<Rational>> = pairs.map(|(one, value)| one.of_value(value)).collect();
        Some((arguments?, result.of_value(value)?))
    };
    runs.rows.iter().map(row).collect()
}

/// The weights with which different terms of a sort have different numbers, and most functions are polynomials; `None` if none is.
fn numerals(
    prover: &mut Prover<'_>,
    sort: SortId,
    runs: &[Runs],
    numbers: &[Numbers],
) -> Result<Option<Weights>, StopReason> {
    let terms = &prover.terms;
    if !is_chain(terms, sort) {
        return Ok(None);
    }
    let mut values: Vec<&Value> = Vec::new();
    for one in runs {
        let own = sorts(terms, one.function);
        for (arguments, result) in &one.rows {
            let all = arguments.iter().chain([result]).zip(&own);
            values.extend(all.filter(|(_, of)| **of == sort).map(|(value, _)| value));
        }
    }
    values.sort();
    values.dedup();
    let mut work = 0;
    let mut best: Option<(usize, Weights)> = None;
    for weights in all_weights(terms, sort) {
        let candidate = Numbers {
            sort,
            weights,
            function: None,
        };
        let mut seen: Vec<Rational> = values.iter().filter_map(|value| candidate.of_value(value)).collect();
        work += seen.len() as u64;
        seen.sort();
        if seen.windows(2).any(|pair| pair[0] == pair[1]) {
            continue;
        }
        let known: Vec<Numbers> = numbers.iter().cloned().chain([candidate]).collect();
        let mut score = 0;
        for one in runs {
            let is_about = sorts(terms, one.function).contains(&sort);
            if let Some(rows) = numbered(terms, one, &known).filter(|_| is_about) {
                let mut fitting = Fitting::new(&rows);
                score += usize::from(fitting.polynomial(DEGREE_OF_NUMERALS).is_some());
                work += fitting.work;
            }
        }
        if score > best.as_ref().map_or(0, |(most, _)| *most)
            && let Some(weights) = known.last().map(|one| one.weights.clone())
        {
            best = Some((score, weights));
        }
    }
    prover.work += work / NUMBERS;
    prover.poll()?;
    Ok(best.map(|(_, weights)| weights))
}

/// All weights that are tried, the smallest first.
fn all_weights(terms: &Terms, sort: SortId) -> Vec<Weights> {
    let constructors = terms.datatype(sort).map_or(&[][..], |one| &one.constructors);
    let mut all: Vec<Weights> = vec![Vec::new()];
    for id in constructors {
        let has_part = !terms.constructor(*id).fields.is_empty();
        let factors = if has_part { 1..=FACTOR } else { 1..=1 };
        let choices: Vec<[u32; 2]> = factors
            .flat_map(|factor| (0..SUMMANDS[usize::from(!has_part)]).map(move |summand| [summand, factor]))
            .collect();
        let longer = all.iter().flat_map(|weights| {
            let one = |choice: &[u32; 2]| [&weights[..], &[(*id, *choice)]].concat();
            choices.iter().map(one).collect::<Vec<Weights>>()
        });
        all = longer.collect();
    }
    all.sort_by_key(|weights| {
        weights
            .iter()
            .map(|(_, [summand, factor])| summand + factor)
            .sum::<u32>()
    });
    all
}

/// The function that gives the number of a numeral.
fn defined(terms: &mut Terms, sort: SortId, weights: &Weights) -> FunctionId {
    let count = terms.functions().len();
    // Nothing that is defined calls it.
    let group = terms.functions().iter().map(|one| one.group + 1).max().unwrap_or(0);
    let id = terms.declare_function(&format!("number!{count}"), &[sort], SortId::INT, group);
    let parameter = terms.functions()[id.index()].parameters[0];
    let mut body = None;
    for (constructor, [summand, factor]) in weights.iter().rev() {
        let mut value = terms.integer(*summand);
        if let Some(field) = terms.constructor(*constructor).fields.first().copied() {
            let part = terms.field_of(field, parameter);
            if let Some(number) = terms.call(id, &[part]) {
                let factor = terms.integer(*factor);
                let scaled = terms.multiply(factor, number);
                value = terms.add(value, scaled);
            }
        }
        body = Some(match body {
            None => value,
            Some(others) => {
                let made = terms.is_made_by(*constructor, parameter);
                terms.if_then_else(made, value, others)
            }
        });
    }
    let rank = terms.measure_of(Measure::Size, parameter);
    if let Some(body) = body {
        terms.define_function(id, body, vec![rank]);
    }
    id
}

/// Learns that numbers of numerals are not negative, positive at best, and that those of different ones are different.
fn about_numerals(prover: &mut Prover<'_>, function: FunctionId) -> Result<(), StopReason> {
    let sort = prover
        .terms
        .sort(prover.terms.functions()[function.index()].parameters[0]);
    let one = prover.terms.fresh_variable("n1", sort);
    let other = prover.terms.fresh_variable("n2", sort);
    let (Some(first), Some(second)) = (
        prover.terms.call(function, &[one]),
        prover.terms.call(function, &[other]),
    ) else {
        return Ok(());
    };
    for least in [1, 0] {
        let least = prover.terms.integer(least);
        let bound = prover.terms.less_or_equal(least, first);
        if prover.establish(bound)? != Established::Not {
            break;
        }
    }
    let (differ, same) = (prover.terms.not_equal(first, second), prover.terms.equal(one, other));
    let injective = prover.terms.or(&[differ, same]);
    prover.establish(injective)?;
    Ok(())
}

/// That a function is the polynomial that its runs agree with, for counters that are not negative.
fn polynomial(prover: &mut Prover<'_>, runs: &Runs, numbers: &[Numbers]) -> Option<TermId> {
    let rows = numbered(&prover.terms, runs, numbers)?;
    let mut fitting = Fitting::new(&rows);
    let found = fitting.polynomial(DEGREE);
    prover.work += fitting.work / NUMBERS;
    let found = found?;
    let terms = &mut prover.terms;
    let counting = counters(terms, runs.function);
    let of = terms.functions()[runs.function.index()].clone();
    let (mut own, mut given, mut said) = (Vec::new(), Vec::new(), Vec::new());
    let zero = terms.integer(0);
    for (position, parameter) in of.parameters.iter().enumerate() {
        let sort = terms.sort(*parameter);
        let variable = terms.fresh_variable(&format!("y{}", position + 1), sort);
        own.push(variable);
        let known = numbers.iter().find(|known| known.sort == sort)?;
        given.push(known.of_term(terms, variable)?);
        if counting.contains(&position) {
            said.push(terms.less(variable, zero));
        }
    }
    let call = terms.call(runs.function, &own)?;
    let known = numbers.iter().find(|known| known.sort == of.sort)?;
    let value = known.of_term(terms, call)?;
    let mut sum = Vec::new();
    for (powers, coefficient) in &found.parts {
        let mut product = terms.number(coefficient.clone(), SortId::INT);
        for (number, power) in given.iter().zip(powers) {
            for _ in 0..*power {
                product = terms.multiply(product, *number);
            }
        }
        sum.push(product);
    }
    let sum = terms.sum(&sum, SortId::INT);
    let multiple = terms.number(found.multiple, SortId::INT);
    let value = terms.multiply(multiple, value);
    said.push(terms.equal(value, sum));
    Some(terms.or(&said))
}

/// Learns what can be proved of a function by induction over its ranks
fn by_ranks(prover: &mut Prover<'_>, formula: TermId, function: FunctionId) -> Result<(), StopReason> {
    let calls = prover.terms.applications(&[formula]);
    let Some(call) = calls
        .into_iter()
        .find(|call| prover.terms.operator(*call) == Operator::Apply(function))
    else {
        return Ok(());
    };
    let of = prover.terms.functions()[function.index()].clone();
    let arguments = prover.terms.arguments(call).to_vec();
    let own = Substitution::of(&prover.terms, &of.parameters, &arguments);
    let ranks = prover.terms.substitute_all(&of.ranks, &own);
    if let Some(lemma) = prover.proves_by_ranks(formula, &ranks, &Depth::ALL)? {
        prover.learn(lemma);
    }
    Ok(())
}

/// Learns of each equation between numerals in a goal that it follows from the one between their numbers: lemmas are relied on where
/// goals speak of what they are about.
fn bridge(prover: &mut Prover<'_>, goal: TermId, numbers: &[Numbers]) -> Result<(), StopReason> {
    for part in prover.terms.subterms(&[goal]) {
        let (Operator::Equal, &[left, right]) = (prover.terms.operator(part), prover.terms.arguments(part)) else {
            continue;
        };
        let sort = prover.terms.sort(left);
        let Some(known) = numbers
            .iter()
            .find(|known| known.sort == sort && known.sort != SortId::INT)
        else {
            continue;
        };
        let terms = &mut prover.terms;
        let (Some(first), Some(second)) = (known.of_term(terms, left), known.of_term(terms, right)) else {
            continue;
        };
        let (differ, same) = (terms.not_equal(first, second), terms.equal(left, right));
        let formula = terms.or(&[differ, same]);
        if let Some(lemma) = prover.proves(formula, None, None, &Depth::ALL)? {
            prover.learn(lemma);
        }
    }
    Ok(())
}
