//! Model-based projection: of literals and a model, what they say of some variables alone, near the model.
//!
//! [`project`] gives literals over the variables that are kept that hold in the model and under each solution of which the
//! others can be chosen so that the given literals hold. There are finitely many answers for all models together as long as
//! arithmetic is linear: equations are solved, of the bounds of a variable the tightest one in the model takes its place, and
//! over integers with it how far the variable is from that bound, up to the least common multiple of what divides it. Only
//! where a variable sits inside something else (a product, an index) its value in the model is put in for it. Arrays, datatypes
//! and words are looked after before ([`super::structures`], [`super::words`]).

use super::structures::without_structures;
use super::words::without_words;
use crate::steps::equations::solve;
use crate::steps::model::Model;
use crate::terms::{Comparison, LinearForm, Operator, Rational, SortId, Substitution, TermId, Terms, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// A literal of linear arithmetic.
#[derive(Clone, Debug)]
enum Literal {
    /// A form compared with zero.
    Compared(LinearForm, Comparison, SortId),
    /// A multiple of the number; over integers.
    Divisible(BigInt, LinearForm),
}

impl Literal {
    fn form(&self) -> &LinearForm {
        match self {
            Literal::Compared(form, ..) | Literal::Divisible(_, form) => form,
        }
    }
}

/// What the literals say of the variables that `keep` accepts; `None` if something has no value in the model.
pub(super) fn project(
    terms: &mut Terms,
    literals: &[TermId],
    model: &mut Model,
    keep: &dyn Fn(TermId) -> bool,
) -> Option<Vec<TermId>> {
    let mut literals = match terms.has_compound_sorts() {
        true => {
            let literals = without_structures(terms, literals, model, keep)?;
            without_words(terms, literals, model, keep)?
        }
        false => solve(terms, literals, keep),
    };
    let mut kept = Vec::new();
    loop {
        let (done, rest): (Vec<TermId>, Vec<TermId>) = literals
            .into_iter()
            .partition(|literal| terms.variables(*literal).into_iter().all(keep));
        kept.extend(done);
        let mut arithmetic = Vec::new();
        let mut hidden = None;
        for literal in &rest {
            match linear(terms, *literal, model, keep, &mut arithmetic)? {
                Linear::Yes => {}
                Linear::Free => {}
                Linear::Hides(variable) => hidden = hidden.or(Some(variable)),
            }
        }
        if let Some(variable) = hidden {
            let value = model.value(terms, variable)?;
            let value = terms.value_term(&value, terms.sort(variable));
            let mut substitution = Substitution::new();
            substitution.insert(terms, variable, value);
            let replaced = terms.substitute_all(&rest, &substitution);
            literals = replaced;
            continue;
        }
        eliminate(terms, arithmetic, model, keep, &mut kept)?;
        break;
    }
    let mut flat: Vec<TermId> = Vec::new();
    for literal in kept {
        flat.extend(terms.conjuncts(literal));
    }
    flat.retain(|literal| *literal != TermId::TRUE);
    flat.sort();
    flat.dedup();
    Some(flat)
}

enum Linear {
    /// It is now among the arithmetic literals.
    Yes,
    /// It speaks of nothing but one Boolean variable that is not kept, which can be chosen.
    Free,
    /// A variable is inside something that cannot be looked into.
    Hides(TermId),
}

/// Puts a literal with the arithmetic ones, with what has been assumed of quotients and remainders in it.
fn linear(
    terms: &mut Terms,
    literal: TermId,
    model: &mut Model,
    keep: &dyn Fn(TermId) -> bool,
    arithmetic: &mut Vec<Literal>,
) -> Option<Linear> {
    let inner = match terms.operator(literal) {
        Operator::Not => terms.arguments(literal)[0],
        _ => literal,
    };
    if terms.is_variable(inner) {
        return Some(Linear::Free);
    }
    let hidden = |terms: &Terms| {
        let mut variables = terms.variables(literal).into_iter();
        variables.find(|variable| !keep(*variable)).map(Linear::Hides)
    };
    if inner != literal {
        return hidden(terms);
    }
    let Some(atom) = terms.linear_atom(literal) else {
        return hidden(terms);
    };
    let sort = terms.sort(terms.arguments(literal)[0]);
    let mut assumed = Vec::new();
    match pure(terms, &atom.form, model, keep, &mut assumed)? {
        Ok(form) => {
            arithmetic.push(Literal::Compared(form, atom.comparison, sort));
            arithmetic.extend(assumed);
            Some(Linear::Yes)
        }
        Err(variable) => Some(Linear::Hides(variable)),
    }
}

/// The form with variables that are not kept nowhere but alone; or one of them that is elsewhere.
fn pure(
    terms: &mut Terms,
    form: &LinearForm,
    model: &mut Model,
    keep: &dyn Fn(TermId) -> bool,
    assumed: &mut Vec<Literal>,
) -> Option<Result<LinearForm, TermId>> {
    let mut sum = LinearForm::constant(form.constant.clone());
    for (term, coefficient) in &form.terms {
        let foreign = terms.variables(*term).into_iter().find(|variable| !keep(*variable));
        let (true, Some(foreign)) = (!terms.is_variable(*term), foreign) else {
            let alone = LinearForm {
                terms: vec![(*term, Rational::one())],
                constant: Rational::zero(),
            };
            sum = sum.add_scaled(&alone, coefficient);
            continue;
        };
        let arguments = terms.arguments(*term).to_vec();
        let divisor = arguments
            .get(1)
            .and_then(|divisor| terms.number_value(*divisor))
            .cloned();
        let quotient = match terms.operator(*term) {
            Operator::Modulo => false,
            Operator::IntegerDivide => true,
            _ => return Some(Err(foreign)),
        };
        let Some(divisor) = divisor.filter(|divisor| !divisor.is_zero()) else {
            return Some(Err(foreign));
        };
        let dividend = terms.linear_form(arguments[0]);
        let dividend = match pure(terms, &dividend, model, keep, assumed)? {
            Ok(dividend) => dividend,
            Err(variable) => return Some(Err(variable)),
        };
        // In the model the remainder is r: assume that it is, and the quotient is (t - r)/k.
        let remainder = terms.modulo(arguments[0], arguments[1]);
        let Value::Number(remainder) = model.value(terms, remainder)? else {
            return None;
        };
        let minus = LinearForm::constant(-remainder.clone());
        let multiple = dividend.add_scaled(&minus, &Rational::one());
        assumed.push(Literal::Divisible(divisor.numer().abs(), multiple.clone()));
        sum = match quotient {
            true => sum.add_scaled(&multiple, &(coefficient / divisor)),
            false => sum.add_scaled(&LinearForm::constant(remainder), coefficient),
        };
    }
    Some(Ok(sum))
}

/// Eliminates the variables of arithmetic literals that are not kept.
fn eliminate(
    terms: &mut Terms,
    mut literals: Vec<Literal>,
    model: &mut Model,
    keep: &dyn Fn(TermId) -> bool,
    kept: &mut Vec<TermId>,
) -> Option<()> {
    loop {
        // The one that occurs least often next: it makes the fewest new literals.
        let mut counts: Vec<(TermId, usize)> = Vec::new();
        for literal in &literals {
            for (term, _) in &literal.form().terms {
                if terms.is_variable(*term) && !keep(*term) {
                    match counts.iter_mut().find(|(known, _)| known == term) {
                        Some((_, count)) => *count += 1,
                        None => counts.push((*term, 1)),
                    }
                }
            }
        }
        let Some((variable, _)) = counts.into_iter().min_by_key(|(variable, count)| (*count, *variable)) else {
            break;
        };
        let (about, mut others): (Vec<Literal>, Vec<Literal>) = literals
            .into_iter()
            .partition(|literal| !literal.form().coefficient(variable).is_zero());
        match terms.sort(variable) {
            SortId::REAL => real(variable, about, model, terms, &mut others)?,
            _ => project_integer(variable, about, model, terms, &mut others)?,
        }
        literals = others;
    }
    for literal in literals {
        let formula = match literal {
            Literal::Compared(form, comparison, sort) => terms.linear_formula(&form, comparison, sort),
            Literal::Divisible(divisor, form) => divisible(terms, &divisor, &form)?,
        };
        kept.push(formula);
    }
    Some(())
}

/// The formula that the form, over integers, is a multiple of the divisor.
fn divisible(terms: &mut Terms, divisor: &BigInt, form: &LinearForm) -> Option<TermId> {
    let scale = denominators(form);
    let modulus = divisor * &scale;
    let factor = Rational::from_integer(scale);
    let mut reduced = LinearForm::constant(Rational::zero());
    for (term, coefficient) in &form.terms {
        let coefficient = (coefficient * &factor).to_integer().mod_floor(&modulus);
        let alone = LinearForm {
            terms: vec![(*term, Rational::one())],
            constant: Rational::zero(),
        };
        reduced = reduced.add_scaled(&alone, &Rational::from_integer(coefficient));
    }
    let constant = (&form.constant * &factor).to_integer().mod_floor(&modulus);
    reduced.constant = Rational::from_integer(constant);
    let dividend = terms.linear_term(&reduced, SortId::INT);
    let modulus = terms.integer(modulus);
    let remainder = terms.modulo(dividend, modulus);
    let zero = terms.integer(0);
    Some(terms.equal(remainder, zero))
}

/// The least common multiple of the denominators in a form.
fn denominators(form: &LinearForm) -> BigInt {
    let constant = std::iter::once(&form.constant);
    let coefficients = form.terms.iter().map(|(_, coefficient)| coefficient);
    coefficients
        .chain(constant)
        .fold(BigInt::one(), |least, number| least.lcm(&number.denom()))
}

fn value_of(form: &LinearForm, model: &Model, terms: &Terms) -> Option<Rational> {
    let mut sum = form.constant.clone();
    for (term, coefficient) in &form.terms {
        let Value::Number(value) = model.value(terms, *term)? else {
            return None;
        };
        sum += coefficient * value;
    }
    Some(sum)
}

/// A bound of a variable: `variable ⋈ form`.
struct Bound {
    form: LinearForm,
    strict: bool,
}

/// What comparisons say of the variable: equations, lower and upper bounds.
fn bounds(variable: TermId, about: &[Literal]) -> (Vec<LinearForm>, Vec<Bound>, Vec<Bound>) {
    let (mut equations, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for literal in about {
        let Literal::Compared(form, comparison, _) = literal else {
            continue;
        };
        let coefficient = form.coefficient(variable);
        let mut rest = form.clone();
        rest.terms.retain(|(term, _)| *term != variable);
        let form = rest.scaled(&-coefficient.recip());
        let strict = *comparison == Comparison::Less;
        match (comparison, coefficient.is_negative()) {
            (Comparison::Equal, _) => equations.push(form),
            (_, true) => lower.push(Bound { form, strict }),
            (_, false) => upper.push(Bound { form, strict }),
        }
    }
    (equations, lower, upper)
}

fn compared(smaller: &LinearForm, larger: &LinearForm, strict: bool, sort: SortId) -> Literal {
    let form = smaller.add_scaled(larger, &-Rational::one());
    let comparison = if strict {
        Comparison::Less
    } else {
        Comparison::LessOrEqual
    };
    Literal::Compared(form, comparison, sort)
}

/// Eliminates a real variable.
fn real(variable: TermId, about: Vec<Literal>, model: &Model, terms: &Terms, others: &mut Vec<Literal>) -> Option<()> {
    let (equations, lower, upper) = bounds(variable, &about);
    if let Some(solution) = equations.first() {
        for literal in &about {
            if let Literal::Compared(form, comparison, sort) = literal {
                others.push(Literal::Compared(
                    replaced(form, variable, solution),
                    *comparison,
                    *sort,
                ));
            }
        }
        return Some(());
    }
    let mut tightest: Option<(Rational, usize)> = None;
    for (position, bound) in lower.iter().enumerate() {
        let value = value_of(&bound.form, model, terms)?;
        let is_tighter = tightest
            .as_ref()
            .is_none_or(|(least, other)| value > *least || (value == *least && bound.strict && !lower[*other].strict));
        if is_tighter {
            tightest = Some((value, position));
        }
    }
    let Some((_, tightest)) = tightest else {
        return Some(());
    };
    let chosen = &lower[tightest];
    for (position, bound) in lower.iter().enumerate() {
        if position != tightest {
            let strict = bound.strict && !chosen.strict;
            others.push(compared(&bound.form, &chosen.form, strict, SortId::REAL));
        }
    }
    for bound in &upper {
        others.push(compared(
            &chosen.form,
            &bound.form,
            bound.strict || chosen.strict,
            SortId::REAL,
        ));
    }
    Some(())
}

/// The form with another in the place of a variable.
fn replaced(form: &LinearForm, variable: TermId, solution: &LinearForm) -> LinearForm {
    let coefficient = form.coefficient(variable);
    let mut rest = form.clone();
    rest.terms.retain(|(term, _)| *term != variable);
    rest.add_scaled(solution, &coefficient)
}

/// Eliminates an integer variable.
fn project_integer(
    variable: TermId,
    about: Vec<Literal>,
    model: &Model,
    terms: &Terms,
    others: &mut Vec<Literal>,
) -> Option<()> {
    let (equations, lower, upper) = bounds(variable, &about);
    let divisibles: Vec<(BigInt, LinearForm)> = about
        .iter()
        .filter_map(|literal| match literal {
            Literal::Divisible(divisor, form) => {
                let scale = denominators(form);
                let factor = Rational::from_integer(scale.clone());
                Some((divisor * scale, form.scaled(&factor)))
            }
            Literal::Compared(..) => None,
        })
        .collect();
    let solution = match equations.first() {
        Some(solution) => solution.clone(),
        None => {
            if divisibles.is_empty() && (lower.is_empty() || upper.is_empty()) {
                return Some(());
            }
            let period = divisibles.iter().fold(BigInt::one(), |least, (divisor, form)| {
                let coefficient = form.coefficient(variable).to_integer();
                least.lcm(&(divisor / divisor.gcd(&coefficient)))
            });
            let Value::Number(value) = model.value(terms, variable)? else {
                return None;
            };
            match tightest(&lower, model, terms, true)?
                .or(tightest(&upper, model, terms, false)?.filter(|_| lower.is_empty()))
            {
                Some((bound, is_lower)) => {
                    // a·x = t + d for the distance d, which matters modulo a times the period only.
                    let scale = denominators(&bound);
                    let distance = (value - value_of(&bound, model, terms)?) * Rational::from_integer(scale.clone());
                    let whole = &scale * &period;
                    let distance = match is_lower {
                        true => distance.to_integer().mod_floor(&whole),
                        false => -((-distance.to_integer()).mod_floor(&whole)),
                    };
                    let distance = LinearForm::constant(Rational::new(distance, scale));
                    bound.add_scaled(&distance, &Rational::one())
                }
                None => LinearForm::constant(Rational::from_integer(value.to_integer().mod_floor(&period))),
            }
        }
    };
    let scale = denominators(&solution);
    if !scale.is_one() {
        // The variable is an integer, so what it equals is one.
        let whole = solution.scaled(&Rational::from_integer(scale.clone()));
        others.push(Literal::Divisible(scale, whole));
    }
    for literal in about {
        others.push(match literal {
            Literal::Compared(form, comparison, sort) => {
                Literal::Compared(replaced(&form, variable, &solution), comparison, sort)
            }
            Literal::Divisible(divisor, form) => Literal::Divisible(divisor, replaced(&form, variable, &solution)),
        });
    }
    others.retain(|literal| !literal.form().terms.is_empty() || matches!(literal, Literal::Compared(..)));
    Some(())
}

/// The bound that is the tightest one in the model, and whether it is a lower one.
fn tightest(bounds: &[Bound], model: &Model, terms: &Terms, is_lower: bool) -> Option<Option<(LinearForm, bool)>> {
    let mut best: Option<(Rational, &LinearForm)> = None;
    for bound in bounds {
        let value = value_of(&bound.form, model, terms)?;
        let is_tighter = best.as_ref().is_none_or(|(known, _)| match is_lower {
            true => value > *known,
            false => value < *known,
        });
        if is_tighter {
            best = Some((value, &bound.form));
        }
    }
    Some(best.map(|(_, form)| (form.clone(), is_lower)))
}
