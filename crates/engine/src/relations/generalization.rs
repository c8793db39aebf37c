//! Why a cube is not reached, as generally as possible: with fewer literals, and with one bound in the place of several.
//!
//! What is tried, in this order: only what was needed; equations as two bounds, and those between records as what they say of fields; literals left out one by one; of the bounds
//! that remain a sum with small factors, as Farkas' lemma would have it, found by looking for one that tells the cube from
//! states that are reached. Of what is excluded for good only literals are left out.

use super::blocking::{Blocked, blocked, sample};
use super::clusters::guided;
use super::guards::guarded;
use super::hull::beside_facts;
use super::kernel::{ALWAYS, GaveUp, Kernel};
use super::system::NodeId;
use super::witnesses::Sought;
use crate::solver::{Answer, Layer, LinearLayer};
use crate::terms::{Comparison, FieldId, LinearForm, Operator, Rational, SortId, TermId, Terms, Value};
use num_traits::{One, Signed, Zero};

/// How many states are compared with before no sum is found.
const MOST_SAMPLES: usize = 12;
/// The largest factor of a bound in a sum is tried up to these in turn.
const FACTORS: [i64; 3] = [1, 3, 12];
/// How many questions about literals to leave out are answered with no before no more are asked.
const MOST_FAILURES: usize = 12;

/// A cube that has the given one in it, is blocked, and at which level. `needed` is what closed the whole cube.
pub(super) fn generalize(
    kernel: &mut Kernel,
    node: NodeId,
    needed: Vec<TermId>,
    whole: &[TermId],
    level: usize,
    highest: usize,
) -> Result<(Vec<TermId>, usize), GaveUp> {
    if let Some(beside) = beside_facts(kernel, node, whole, level)? {
        let up_to = highest_of(kernel, node, &beside, level, highest)?;
        return Ok((beside, up_to));
    }
    let sought = Sought::seek(kernel, node, level, whole);
    let mut cube = match sought.blocked(kernel, &needed)? {
        Some(core) => core,
        None => whole.to_vec(),
    };
    if level == ALWAYS {
        // What is excluded for good stays so. Bounds in the place of others are for entries that are to hold a step longer: they were half of
        // the questions about predicates that had been composed away, and made no entry fewer.
        return Ok((with_fewer(kernel, sought, cube)?, ALWAYS));
    }
    let slack = slackened(kernel, &cube);
    if slack.len() > cube.len()
        && let Some(core) = sought.blocked(kernel, &slack)?
    {
        cube = core;
    }
    cube = with_fewer(kernel, sought, cube)?;
    cube = with_one_bound(kernel, sought, cube)?;
    cube = guided(kernel, sought, cube)?;
    let up_to = highest_of(kernel, node, &cube, level, highest)?;
    Ok((cube, up_to))
}

/// The highest level at which a cube is known to be blocked, which it is at `level`.
fn highest_of(
    kernel: &mut Kernel,
    node: NodeId,
    cube: &[TermId],
    level: usize,
    highest: usize,
) -> Result<usize, GaveUp> {
    if blocked(kernel, node, cube, ALWAYS)?.is_some() {
        return Ok(ALWAYS);
    }
    let mut up_to = level;
    while up_to < highest && blocked(kernel, node, cube, up_to + 1)?.is_some() {
        up_to += 1;
    }
    Ok(up_to)
}

/// Leaves literals out as long as the rest is blocked.
fn with_fewer(kernel: &mut Kernel, sought: Sought, cube: Vec<TermId>) -> Result<Vec<TermId>, GaveUp> {
    let mut kept = cube;
    let mut failures = 0;
    let mut tried: Vec<TermId> = Vec::new();
    while failures < MOST_FAILURES {
        let Some(position) = kept.iter().position(|literal| !tried.contains(literal)) else {
            break;
        };
        tried.push(kept[position]);
        let mut rest = kept.clone();
        rest.remove(position);
        let rest = guarded(&kernel.terms, &kept, rest);
        if rest.len() == kept.len() || sought.rejects(kernel, &rest) {
            continue;
        }
        match sought.blocked(kernel, &rest)? {
            Some(core) => kept = core,
            None => failures += 1,
        }
    }
    Ok(kept)
}

/// One bound in the place of several, if their sum with some factors is enough.
fn with_one_bound(kernel: &mut Kernel, sought: Sought, cube: Vec<TermId>) -> Result<Vec<TermId>, GaveUp> {
    let (bounds, others): (Vec<TermId>, Vec<TermId>) =
        cube.iter().copied().partition(|literal| kernel.is_comparison(*literal));
    let sorts: Vec<SortId> = bounds
        .iter()
        .map(|bound| kernel.terms.sort(kernel.terms.arguments(*bound)[0]))
        .collect();
    let Some(sort) = sorts.first().copied() else {
        return Ok(cube);
    };
    if bounds.len() < 2 || sorts.iter().any(|other| *other != sort) {
        return Ok(cube);
    }
    let forms: Vec<(LinearForm, bool)> = bounds
        .iter()
        .filter_map(|bound| kernel.terms.linear_atom(*bound))
        .map(|atom| (atom.form, atom.comparison == Comparison::Less))
        .collect();
    let mut samples: Vec<Vec<Rational>> = Vec::new();
    while samples.len() < MOST_SAMPLES {
        let Some(factors) = factors(&samples, forms.len()) else {
            return Ok(cube);
        };
        let mut sum = LinearForm::constant(Rational::zero());
        let mut strict = false;
        for ((form, is_strict), factor) in forms.iter().zip(&factors) {
            if !factor.is_zero() {
                sum = sum.add_scaled(form, factor);
                strict |= is_strict;
            }
        }
        let comparison = if strict {
            Comparison::Less
        } else {
            Comparison::LessOrEqual
        };
        let bound = kernel.terms.linear_formula(&sum, comparison, sort);
        let mut candidate = others.clone();
        candidate.push(bound);
        match sample(kernel, sought.node, &candidate, sought.level)? {
            Blocked::Yes(_) if sought.rejects(kernel, &candidate) => return Ok(cube),
            Blocked::Yes(_) => return Ok(candidate),
            Blocked::Unknown => return Ok(cube),
            Blocked::No { clause } => {
                // The state that is concluded does not satisfy some bound; the next sum has to see that.
                let arguments = kernel.system.clauses[clause].conclusion.instance.clone();
                let model = kernel.step_model(clause)?;
                let mut values = Vec::with_capacity(forms.len());
                for (form, _) in &forms {
                    let term = kernel.terms.linear_term(form, sort);
                    let term = kernel.terms.substitute(term, &arguments);
                    match model.value(&kernel.terms, term) {
                        Some(Value::Number(value)) => values.push(value),
                        _ => return Ok(cube),
                    }
                }
                if !values.iter().any(Rational::is_positive) || samples.contains(&values) {
                    return Ok(cube);
                }
                samples.push(values);
            }
        }
    }
    Ok(cube)
}

/// Small factors, none negative, with which the values of every sample have a positive sum.
fn factors(samples: &[Vec<Rational>], count: usize) -> Option<Vec<Rational>> {
    if samples.is_empty() {
        return Some(vec![Rational::one(); count]);
    }
    let mut terms = crate::terms::Terms::new();
    let variables: Vec<TermId> = (0..count).map(|_| terms.fresh_variable("F", SortId::INT)).collect();
    let mut solver = LinearLayer::default();
    for sample in samples {
        let mut sum = LinearForm::constant(Rational::zero());
        for (variable, value) in variables.iter().zip(sample) {
            let alone = LinearForm {
                terms: vec![(*variable, Rational::one())],
                constant: Rational::zero(),
            };
            sum = sum.add_scaled(&alone, &-value.clone());
        }
        let positive = terms.linear_formula(&sum, Comparison::Less, SortId::INT);
        solver.assume(&terms, positive);
    }
    let zero = terms.integer(0);
    for variable in &variables {
        let least = terms.less_or_equal(zero, *variable);
        solver.assume(&terms, least);
    }
    for largest in FACTORS {
        let largest = terms.integer(largest);
        solver.push();
        for variable in &variables {
            let most = terms.less_or_equal(*variable, largest);
            solver.assume(&terms, most);
        }
        if solver.check(&terms) != Answer::Satisfiable {
            solver.pop(1);
            continue;
        }
        let values = solver.model(&terms, &variables)?;
        let found: Option<Vec<Rational>> = variables
            .iter()
            .map(|variable| match values.get(variable) {
                Some(Value::Number(number)) => Some(number.clone()),
                _ => None,
            })
            .collect();
        return found;
    }
    None
}

/// Equations over numbers as two bounds each, so that one may be given up without the other, and equations between records as those of their
/// fields: two records are seldom told apart by all that they have.
fn slackened(kernel: &mut Kernel, cube: &[TermId]) -> Vec<TermId> {
    let terms = &mut kernel.terms;
    let mut slack = Vec::with_capacity(cube.len());
    let mut open: Vec<TermId> = cube.iter().rev().copied().collect();
    while let Some(literal) = open.pop() {
        let (Operator::Equal, &[left, right]) = (terms.operator(literal), terms.arguments(literal)) else {
            slack.push(literal);
            continue;
        };
        let sort = terms.sort(left);
        if sort.is_numeric() && sort != SortId::BOOL {
            slack.push(terms.less_or_equal(left, right));
            slack.push(terms.less_or_equal(right, left));
        } else if let Some(fields) = record_fields(terms, sort) {
            for field in fields.into_iter().rev() {
                let (one, other) = (terms.field_of(field, left), terms.field_of(field, right));
                let equal = terms.equal(one, other);
                if equal != TermId::TRUE {
                    open.push(equal);
                }
            }
        } else {
            slack.push(literal);
        }
    }
    slack
}

/// The fields of a sort whose values are made by one constructor, of parts that are no such values again, nor truth values: that two of those are
/// equal is no literal.
fn record_fields(terms: &Terms, sort: SortId) -> Option<Vec<FieldId>> {
    let [constructor] = terms.datatype(sort)?.constructors[..] else {
        return None;
    };
    let fields = &terms.constructor(constructor).fields;
    let are_compared = fields.iter().all(|field| terms.field(*field).sort != SortId::BOOL);
    (!fields.is_empty() && are_compared && !terms.is_recursive(sort)).then(|| fields.clone())
}
