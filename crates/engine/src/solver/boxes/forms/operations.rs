//! The forms of what operations make of terms.

use super::outward::{product_up, sum_down, sum_up};
use super::*;
use crate::solver::boxes::ranges::of_equality;

/// A bound of a float that is rounded is this much greater than one of the result, as a part of it, and more.
const ROUNDED: f64 = 1.0 / (1 << 20) as f64;

impl Question<'_> {
    /// The form of a finite number that is not a variable, by its arguments' forms.
    pub(super) fn made_form(&self, index: usize, ranges: &[Range], forms: &mut Forms) -> Option<Form> {
        let node = &self.nodes[index];
        let argument = |position: usize| forms.of[*node.arguments.get(position)?].as_ref();
        match (node.operator, node.sort) {
            (Operator::IfThenElse, _) => {
                let (yes, no) = (argument(1), argument(2));
                match ranges[*node.arguments.first()?] {
                    Range::YES => yes.cloned(),
                    Range::NO => no.cloned(),
                    _ => {
                        let (yes, no) = (yes?, no?);
                        let grid = match (yes.grid, no.grid) {
                            (Some(one), Some(other)) => Some(one.min(other)),
                            _ => None,
                        };
                        let (sum, half) = (yes.plus(no)?.scaled(0.5)?, yes.minus(no)?.scaled(0.5)?);
                        let symbol = forms.symbol(None)?;
                        let either = Form::between(-1.0, 1.0, symbol)?;
                        Some(sum.plus(&half.times(&either)?)?.on_grid(grid))
                    }
                }
            }
            (Operator::Select, _) => {
                let &[mut array, at] = &node.arguments[..] else {
                    return None;
                };
                while let (Operator::Store, &[below, place, value]) =
                    (self.nodes[array].operator, &self.nodes[array].arguments[..])
                {
                    match of_equality(ranges[place], ranges[at]) {
                        Range::YES => return forms.of[value].clone(),
                        Range::NO => array = below,
                        _ => return None,
                    }
                }
                None
            }
            (Operator::Add | Operator::Multiply, Sort::Int) => {
                let mut made = argument(0)?.clone();
                for position in 1..node.arguments.len() {
                    let next = argument(position)?;
                    made = match node.operator {
                        Operator::Add => made.plus(next)?,
                        _ => made.times(next)?,
                    };
                }
                Some(made.on_grid(Some(0)))
            }
            (Operator::IntegerDivide, Sort::Int) => {
                let (dividend, divisor) = (argument(0)?, argument(1)?.limits());
                if divisor.0 != divisor.1 || divisor.0 < 1.0 || divisor.0 > LARGEST as f64 {
                    return None;
                }
                // What is cut off is less than one by one part of the divisor at least.
                let most = sum_up(1.0, -(1.0 / divisor.0).next_down());
                let quotient = dividend.divided(divisor.0)?;
                let rest = Form::between(-most, 0.0, forms.symbol(None)?)?;
                Some(quotient.plus(&rest)?.on_grid(Some(0)))
            }
            (Operator::Word(WordOperator::ToInteger), _) => {
                let Sort::Word(width) = self.nodes[*node.arguments.first()?].sort else {
                    return None;
                };
                moved_between(argument(0)?, 0.0, width)
            }
            (Operator::Float(operator), Sort::Float(format)) => {
                let made = self.of_floats(operator, index, ranges, forms)?;
                match made {
                    Made::Exact(form) => Some(form),
                    Made::Rounded(form) => rounded(form, format, ranges[index]),
                }
            }
            _ => None,
        }
    }

    /// What an operation makes of floating-point numbers, or of words.
    fn of_floats(&self, operator: FloatOperator, index: usize, ranges: &[Range], forms: &mut Forms) -> Option<Made> {
        use FloatOperator as Is;
        let node = &self.nodes[index];
        let argument = |position: usize| forms.of[*node.arguments.get(position)?].as_ref();
        let first = argument(0)?;
        // By the form and by the range, whichever is narrower.
        let limits = |position: usize| {
            let (low, high) = argument(position)?.limits();
            let (least, most) = numbers(ranges[*node.arguments.get(position)?])?;
            Some((low.max(least), high.min(most)))
        };
        Some(match operator {
            Is::Add => Made::Rounded(first.plus(argument(1)?)?),
            Is::Subtract => Made::Rounded(first.minus(argument(1)?)?),
            Is::Multiply => Made::Rounded(first.times(argument(1)?)?),
            Is::FusedMultiplyAdd => Made::Rounded(first.times(argument(1)?)?.plus(argument(2)?)?),
            Is::Divide => {
                let divisor = argument(1)?;
                let (low, high) = limits(1)?;
                Made::Rounded(match low == high {
                    true if low != 0.0 => first.divided(low)?,
                    _ => first.times(&reciprocal(divisor, (low, high))?)?,
                })
            }
            Is::SquareRoot => Made::Rounded(root(first, limits(0)?)?),
            Is::Convert => Made::Rounded(first.clone()),
            Is::Negate => Made::Exact(first.negated()),
            Is::Absolute => match first.limits() {
                (low, _) if low >= 0.0 => Made::Exact(first.clone()),
                (_, high) if high <= 0.0 => Made::Exact(first.negated()),
                _ => return None,
            },
            Is::Minimum | Is::Maximum => {
                let other = argument(1)?;
                let (low, high) = first.minus(other)?.limits();
                let is_first = match operator {
                    Is::Minimum if high <= 0.0 => true,
                    Is::Minimum if low >= 0.0 => false,
                    Is::Maximum if low >= 0.0 => true,
                    Is::Maximum if high <= 0.0 => false,
                    _ => return None,
                };
                Made::Exact(if is_first { first } else { other }.clone())
            }
            Is::RoundToIntegral(direction) => {
                let (low, high) = rest(direction, first);
                integral(first.clone(), low, high, forms).map(Made::Exact)?
            }
            Is::OfSigned | Is::OfUnsigned => {
                let Sort::Word(width) = self.nodes[*node.arguments.first()?].sort else {
                    return None;
                };
                let least = if operator == Is::OfSigned {
                    -power_of_two(width as i32 - 1)
                } else {
                    0.0
                };
                Made::Rounded(moved_between(first, least, width)?)
            }
            _ => return None,
        })
    }

    /// The form of an integer that a word is, modulo the number of words.
    pub(super) fn word_form(&self, index: usize, ranges: &[Range], forms: &mut Forms) -> Option<Form> {
        let node = &self.nodes[index];
        let argument = |position: usize| forms.of[*node.arguments.get(position)?].as_ref();
        let made = match node.operator {
            Operator::Word(WordOperator::OfInteger) => argument(0).cloned(),
            Operator::Word(WordOperator::Add) => argument(0).zip(argument(1)).and_then(|(one, other)| one.plus(other)),
            Operator::Word(WordOperator::Subtract) => {
                argument(0).zip(argument(1)).and_then(|(one, other)| one.minus(other))
            }
            Operator::Word(WordOperator::Multiply) => {
                argument(0).zip(argument(1)).and_then(|(one, other)| one.times(other))
            }
            Operator::Word(WordOperator::Negate) => argument(0).map(Form::negated),
            Operator::Word(WordOperator::SignExtend) => {
                let Sort::Word(width) = self.nodes[*node.arguments.first()?].sort else {
                    return None;
                };
                argument(0).and_then(|form| moved_between(form, -power_of_two(width as i32 - 1), width))
            }
            Operator::Float(operator @ (FloatOperator::ToSigned | FloatOperator::ToUnsigned)) => {
                let Sort::Word(width) = node.sort else { return None };
                let number = argument(0).cloned();
                let (low, high) = match operator {
                    FloatOperator::ToSigned => (-power_of_two(width as i32 - 1), power_of_two(width as i32 - 1)),
                    _ => (0.0, power_of_two(width as i32)),
                };
                // What no word is, may be any word.
                let inside = |form: &Form| {
                    let (least, most) = form.limits();
                    least >= low && most < high
                };
                number.filter(inside).and_then(|form| {
                    let (low, high) = rest(crate::terms::Rounding::TowardZero, &form);
                    integral(form, low, high, forms)
                })
            }
            _ => None,
        };
        match made {
            Some(form) => Some(forms.symbolic(form)),
            None => {
                let Range::Word(integers) = ranges[index] else {
                    return None;
                };
                let (low, high) = numbers(Range::Integer(integers))?;
                let symbol = forms.symbol(Some(index))?;
                Some(Form::between(low, high, symbol)?.on_grid(Some(0)))
            }
        }
    }
}

/// A real number, and whether it is rounded to be the result.
enum Made {
    Exact(Form),
    Rounded(Form),
}

/// The nearest number of a format, which is in a range of finite numbers.
fn rounded(form: Form, format: FloatFormat, range: Range) -> Option<Form> {
    let precision = format.significand_bits() as i32;
    let least = least_exponent(format);
    let (low, high) = form.limits();
    let (below, above) = numbers(range)?;
    // The number is as near to its result as the result's neighbour, or nearer.
    let result = below.abs().max(above.abs());
    let of_result = sum_up(
        product_up(result, 1.0 + ROUNDED),
        power_of_two(least).max(f64::from_bits(1)),
    );
    let most = low.abs().max(high.abs()).min(of_result);
    if !most.is_finite() {
        return None;
    }
    if let Some(grid) = form.grid
        && grid >= least
        && most <= power_of_two(grid.saturating_add(precision).min(1023))
    {
        return Some(form);
    }
    // A number that is rounded is a multiple of what it was one of, and the result of the least unit.
    let grid = form.grid.map_or(least, |grid| grid.max(least));
    let half_unit = power_of_two((exponent_of(most) - precision).max(least - 1)).max(f64::from_bits(1));
    Some(form.widened(half_unit)?.on_grid(Some(grid)))
}

/// One divided by a number that is not zero: a line, and how far the reciprocal is from it.
fn reciprocal(form: &Form, (low, high): (f64, f64)) -> Option<Form> {
    if low > high || (low <= 0.0 && high >= 0.0) {
        return None;
    }
    if high < 0.0 {
        return Some(reciprocal(&form.negated(), (-high, -low))?.negated());
    }
    let slope = (1.0 / low) / high;
    if !slope.is_finite() || slope < 1e-200 || low < 1e-100 || high > 1e100 {
        return None;
    }
    // 1/x + slope * x has its least value at the root of 1/slope, its greatest one at a limit.
    let above = |limit: f64| sum_up((1.0 / limit).next_up(), product_up(slope, limit));
    let greatest = above(low).max(above(high));
    let least = 2.0 * slope.sqrt().next_down();
    line(form, -slope, least, greatest)
}

/// The square root of a number that is not negative: a line, and how far the root is from it.
fn root(form: &Form, (low, high): (f64, f64)) -> Option<Form> {
    if low < 0.0 || high <= low || high > 1e200 {
        return None;
    }
    let slope = 1.0 / (low.sqrt() + high.sqrt());
    if !slope.is_finite() || slope < 1e-100 {
        return None;
    }
    // The root minus slope * x has its greatest value, a quarter of 1/slope, in the middle, its least one at a limit.
    let below = |limit: f64| sum_down(limit.sqrt().next_down().max(0.0), -product_up(slope, limit));
    let least = below(low).min(below(high));
    let greatest = (0.25 / slope).next_up();
    line(form, slope, least, greatest)
}

/// `slope` times a number, and something between two limits.
fn line(form: &Form, slope: f64, least: f64, greatest: f64) -> Option<Form> {
    let middle = least / 2.0 + greatest / 2.0;
    let error = sum_up(greatest, -middle).max(sum_up(middle, -least));
    let made = form.scaled(slope)?.plus(&Form::constant(middle))?;
    Some(made.widened(error)?.on_grid(None))
}

/// What rounding to an integer may add to a number.
fn rest(direction: crate::terms::Rounding, form: &Form) -> (f64, f64) {
    use crate::terms::Rounding::{Down, NearestAway, NearestEven, TowardZero, Up};
    if form.grid.is_some_and(|grid| grid >= 0) {
        return (0.0, 0.0);
    }
    // Less than one by a unit at least, if there is one.
    let most = match form.grid {
        Some(grid) if (-50..0).contains(&grid) => 1.0 - power_of_two(grid),
        _ => 1.0,
    };
    let (low, high) = form.limits();
    match direction {
        Down => (-most, 0.0),
        Up => (0.0, most),
        TowardZero if low >= 0.0 => (-most, 0.0),
        TowardZero if high <= 0.0 => (0.0, most),
        TowardZero => (-most, most),
        NearestEven | NearestAway => (-0.5, 0.5),
    }
}

/// An integer: a number, and what is added to it.
fn integral(form: Form, low: f64, high: f64, forms: &mut Forms) -> Option<Form> {
    let made = match low == high {
        true => form,
        false => form.plus(&Form::between(low, high, forms.symbol(None)?)?)?,
    };
    let grid = form_grid(&made);
    Some(made.on_grid(grid))
}

fn form_grid(form: &Form) -> Option<i32> {
    Some(form.grid.map_or(0, |grid| grid.max(0)))
}

/// The integer that a word stands for which is not less than the least one, if all that the form may be are moved by the same number.
fn moved_between(form: &Form, least: f64, width: u32) -> Option<Form> {
    if width > 64 {
        return None;
    }
    let count = power_of_two(width as i32);
    let (low, high) = form.limits();
    let turns = ((low - least) / count).floor();
    let moved = form.minus(&Form::constant(turns * count))?.on_grid(Some(0));
    let (low, high) = (sum_down(low, -turns * count), sum_up(high, -turns * count));
    (low >= least && high < least + count && turns.abs() < 1e6).then_some(moved)
}
