//! The functions of datatypes and of machine words in saved formulas, as [`Terms::smtlib`] writes them.

use crate::terms::{Function, FunctionId, Measure, Operator, SortId, TermId, Terms, WordOperator, measure_name};
use num_bigint::BigInt;
use num_traits::Num;

/// The largest width of a word.
const WIDEST: u32 = 1 << 15;

/// The function of a name applied to terms, if it is one of a datatype or of words and they have the sorts that it needs.
pub(super) fn apply_function(terms: &mut Terms, name: &str, arguments: &[TermId]) -> Option<TermId> {
    constructed(terms, name, arguments)
        .or_else(|| field(terms, name, arguments))
        .or_else(|| measure(terms, name, arguments))
        .or_else(|| called(terms, name, arguments))
        .or_else(|| word(terms, name, arguments))
}

fn constructed(terms: &mut Terms, name: &str, arguments: &[TermId]) -> Option<TermId> {
    let fits = |terms: &Terms, position: usize| {
        let constructor = &terms.constructors()[position];
        let sorts = constructor.fields.iter().map(|field| terms.field(*field).sort);
        constructor.name == name && sorts.eq(arguments.iter().map(|argument| terms.sort(*argument)))
    };
    let position = (0..terms.constructors().len()).find(|position| fits(terms, *position))?;
    let id = constructor_id(terms, position)?;
    Some(terms.construct(id, arguments))
}

/// The id of a constructor by its index.
fn constructor_id(terms: &Terms, index: usize) -> Option<crate::terms::ConstructorId> {
    let ids = terms.datatypes().iter().flat_map(|datatype| &datatype.constructors);
    ids.copied().find(|id| id.index() == index)
}

fn field(terms: &mut Terms, name: &str, arguments: &[TermId]) -> Option<TermId> {
    let [whole] = *arguments else { return None };
    let datatype = terms.datatype(terms.sort(whole))?;
    let fields = datatype
        .constructors
        .iter()
        .flat_map(|id| &terms.constructor(*id).fields);
    let field = fields.copied().find(|field| terms.field(*field).name == name)?;
    Some(terms.field_of(field, whole))
}

fn measure(terms: &mut Terms, name: &str, arguments: &[TermId]) -> Option<TermId> {
    let [whole] = *arguments else { return None };
    let datatype = terms.datatype(terms.sort(whole))?;
    let mut measures = Measure::ALL.into_iter();
    let measure = measures.find(|measure| measure_name(*measure, &datatype.name) == name)?;
    Some(terms.measure_of(measure, whole))
}

fn called(terms: &mut Terms, name: &str, arguments: &[TermId]) -> Option<TermId> {
    let fits = |function: &Function| {
        let parameters = function.parameters.iter().map(|parameter| terms.sort(*parameter));
        function.name == name && parameters.eq(arguments.iter().map(|argument| terms.sort(*argument)))
    };
    let index = terms.functions().iter().position(fits)?;
    terms.call(FunctionId::from_index(index), arguments)
}

fn word(terms: &mut Terms, name: &str, arguments: &[TermId]) -> Option<TermId> {
    let operator = WordOperator::named(name)?;
    let widths: Option<Vec<u32>> = arguments
        .iter()
        .map(|argument| terms.width(terms.sort(*argument)))
        .collect();
    let widths = widths?;
    let width = match operator {
        WordOperator::Concatenate => widths.iter().try_fold(0u32, |sum, width| sum.checked_add(*width))?,
        _ => *widths.first()?,
    };
    (width <= WIDEST).then(|| terms.word_operation(operator, arguments, width))?
}

/// A function with indices, `(_ name index …)`, applied to terms; `None` if there is none or the sorts do not fit.
pub(super) fn apply_indexed(terms: &mut Terms, name: &str, indices: &[&str], arguments: &[TermId]) -> Option<TermId> {
    let [argument] = *arguments else { return None };
    if let ("is", [constructor]) = (name, indices) {
        let datatype = terms.datatype(terms.sort(argument))?;
        let ids = datatype.constructors.clone();
        let id = ids.into_iter().find(|id| terms.constructor(*id).name == *constructor)?;
        return Some(terms.is_made_by(id, argument));
    }
    let numbers: Option<Vec<u32>> = indices.iter().map(|index| index.parse().ok()).collect();
    let (operator, width) = match (name, &numbers?[..]) {
        ("extract", [high, low]) => {
            let width = high.checked_sub(*low)?.checked_add(1)?;
            (WordOperator::Extract(*low), width)
        }
        ("sign_extend", [by]) => {
            let from = terms.width(terms.sort(argument))?;
            (WordOperator::SignExtend, from.checked_add(*by)?)
        }
        ("int2bv", [width]) if terms.sort(argument) == SortId::INT => (WordOperator::OfInteger, *width),
        _ => return None,
    };
    (width <= WIDEST).then(|| terms.word_operation(operator, arguments, width))?
}

/// A literal like `#x0f` or `#b101`.
pub(super) fn word_literal(terms: &mut Terms, text: &str) -> Option<TermId> {
    let (radix, bits) = match text.get(..2)? {
        "#x" => (16, 4),
        "#b" => (2, 1),
        _ => return None,
    };
    let digits = &text[2..];
    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = BigInt::from_str_radix(digits, radix).ok()?;
    (is_plain && width <= WIDEST).then(|| terms.word(value, width))
}

/// A constructor without fields, by its name.
pub(super) fn constant(terms: &mut Terms, name: &str) -> Option<TermId> {
    let term = constructed(terms, name, &[])?;
    matches!(terms.operator(term), Operator::Construct(_)).then_some(term)
}
