//! Floating-point numbers as Z3's, and Z3's as ours.
//!
//! Not every operation has a function of its own in the bindings, so all are made in one way: an operation is read once as SMT-LIB
//! writes it, over names, and the arguments take the names' places.

use crate::terms::{Float, FloatFormat, FloatOperator, Operator, SortId, TermId, Terms, smtlib_float, smtlib_function};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use z3::Solver;
use z3::ast::{Ast, Dynamic};

/// Operations that were read, over names.
#[derive(Default)]
pub(super) struct FloatTemplates {
    read: BTreeMap<(FloatOperator, SortId, SortId), Template>,
}

/// An operation over names.
struct Template {
    operation: Dynamic,
    names: Vec<Dynamic>,
}

impl FloatTemplates {
    /// The operation at the root of a term, over arguments that are Z3's terms already.
    pub fn term(&mut self, terms: &Terms, term: TermId, arguments: &[Dynamic]) -> Option<Dynamic> {
        let Operator::Float(operator) = terms.operator(term) else {
            return None;
        };
        let key = (operator, terms.sort(*terms.arguments(term).first()?), terms.sort(term));
        let template = match self.read.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(template(terms, term, operator)?),
        };
        let places: Vec<(&Dynamic, &Dynamic)> = template.names.iter().zip(arguments).collect();
        Some(template.operation.substitute(&places))
    }
}

/// Reads `(operation direction argument0 argument1 …)`, as the first argument of a predicate that has the names as the others.
fn template(terms: &Terms, term: TermId, operator: FloatOperator) -> Option<Template> {
    let (mut declarations, mut sorts, mut names) = (String::new(), String::new(), String::new());
    for (position, argument) in terms.arguments(term).iter().enumerate() {
        let sort = terms.smtlib_sort(terms.sort(*argument));
        declarations.push_str(&format!("(declare-const argument{position} {sort})"));
        sorts.push_str(&format!(" {sort}"));
        names.push_str(&format!(" argument{position}"));
    }
    let function = smtlib_function(terms, term, &|name| name.to_string())?;
    let call = match operator {
        // Z3 leaves the bits of a NaN open.
        FloatOperator::ToBits => {
            let format = terms.float_format(terms.sort(*terms.arguments(term).first()?))?;
            let (nan, width) = (Float::nan(format).bits(), format.width());
            format!("(ite (fp.isNaN{names}) (_ bv{nan} {width}) ({function}{names}))")
        }
        _ => {
            let rounding = operator.rounding().map_or("", |rounding| rounding.smtlib_name());
            format!("({function} {rounding}{names})")
        }
    };
    let result = terms.smtlib_sort(terms.sort(term));
    let solver = Solver::new();
    solver.from_string(format!(
        "{declarations}(declare-fun operation ({result}{sorts}) Bool)(assert (operation {call}{names}))"
    ));
    let mut parts = solver.get_assertions().first()?.children();
    (parts.len() == 1 + operator.arity()).then(|| {
        let operation = parts.remove(0);
        Template {
            operation,
            names: parts,
        }
    })
}

/// A value as Z3's.
pub(super) fn float_constant(value: Float) -> Dynamic {
    use z3::ast::Float as Z3Float;
    match value.format() {
        FloatFormat::Single if value.is_nan() => Z3Float::nan32().into(),
        FloatFormat::Double if value.is_nan() => Z3Float::nan64().into(),
        // A value of the narrower format is one of the wider.
        FloatFormat::Single => Z3Float::from_f32(value.as_double() as f32).into(),
        FloatFormat::Double => Z3Float::from_f64(value.as_double()).into(),
        FloatFormat::Extended => of_text(value),
    }
}

/// A value of a format that the bindings make no numbers of, read from its text.
fn of_text(value: Float) -> Dynamic {
    let format = value.format();
    let (exponent, significand) = (format.exponent_bits(), format.significand_bits());
    let solver = Solver::new();
    solver.from_string(format!(
        "(declare-fun value ((_ FloatingPoint {exponent} {significand})) Bool)(assert (value {}))",
        smtlib_float(value)
    ));
    let parts = solver
        .get_assertions()
        .into_iter()
        .flat_map(|assertion| assertion.children());
    // A name of its own is any value.
    let unknown = || z3::ast::Float::fresh_const("value", exponent, significand).into();
    parts.last().unwrap_or_else(unknown)
}

/// The value of a constant of Z3's.
pub(super) fn read_float(value: &Dynamic, format: FloatFormat) -> Option<Float> {
    let float = value.as_float()?;
    if float.is_nan().simplify().as_bool()? {
        return Some(Float::nan(format));
    }
    // Words of more bits than sixty-four are read in halves.
    let (bits, width) = (float.to_ieee_bv(), format.width());
    let low = bits.extract(width.min(64) - 1, 0).simplify().as_u64()?;
    let high = match width > 64 {
        true => bits.extract(width - 1, 64).simplify().as_u64()?,
        false => 0,
    };
    Some(Float::of_bits(format, u128::from(high) << 64 | u128::from(low)))
}
