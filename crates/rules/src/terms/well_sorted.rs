//! Whether terms are in their table and well sorted throughout. The constructors see to it, but ids are numbers that anyone
//! can make, and tables can be mixed up.

use super::floats::float_sorts_fit;
use super::words::word_sorts_fit;
use super::{Operator, Sort, SortId, TermId, Terms, WordOperator};
use hashbrown::HashSet;
use num_bigint::BigInt;
use num_traits::Signed;

/// Checks that the terms are in the table and well sorted throughout; `visited` holds those known to be.
pub fn check_sorts(terms: &Terms, roots: &[TermId], visited: &mut HashSet<TermId>) -> Result<(), String> {
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !visited.insert(term) {
            continue;
        }
        if term.index() >= terms.len() {
            return Err("it has a term that is not in its table".to_string());
        }
        if !is_well_sorted(terms, term) {
            return Err(format!("`{}` is ill sorted", terms.display(term)));
        }
        stack.extend_from_slice(terms.arguments(term));
    }
    Ok(())
}

/// Whether the arguments of a term have the sorts that its operator needs.
fn is_well_sorted(terms: &Terms, term: TermId) -> bool {
    let sort = terms.sort(term);
    let arguments: Vec<SortId> = terms
        .arguments(term)
        .iter()
        .map(|argument| terms.sort(*argument))
        .collect();
    let all = |wanted: SortId| arguments.iter().all(|argument| *argument == wanted);
    match (terms.operator(term), &arguments[..]) {
        (Operator::True | Operator::False, []) => sort == SortId::BOOL,
        (Operator::Number(_), []) => {
            let integral = terms.number_value(term).is_some_and(|value| value.is_integer());
            let fits = |width: u32| {
                let value = terms.number_value(term).map(|value| value.numer());
                value.is_some_and(|value| !value.is_negative() && value.bits() <= u64::from(width))
            };
            if terms.float_format(sort).is_some() {
                let bits = terms.float_constant(term).map(|float| BigInt::from(float.bits()));
                return integral && bits == terms.number_value(term).map(|value| value.numer());
            }
            sort == SortId::REAL || (integral && (sort == SortId::INT || terms.width(sort).is_some_and(fits)))
        }
        (Operator::Variable(_), []) => true,
        (Operator::Add | Operator::Multiply, [_, _, ..]) => sort.is_numeric() && all(sort),
        (Operator::Divide, [_, _]) => sort == SortId::REAL && all(SortId::REAL),
        (Operator::IntegerDivide | Operator::Modulo, [_, _]) => sort == SortId::INT && all(SortId::INT),
        (Operator::ToReal, [argument]) => sort == SortId::REAL && *argument == SortId::INT,
        (Operator::ToInteger, [argument]) => sort == SortId::INT && *argument == SortId::REAL,
        (Operator::IfThenElse, [condition, left, right]) => {
            *condition == SortId::BOOL && *left == sort && *right == sort
        }
        (Operator::Select, [array, index]) => terms.sort_of_id(*array) == Sort::Array(*index, sort),
        (Operator::Store, [array, index, value]) => {
            *array == sort && terms.sort_of_id(sort) == Sort::Array(*index, *value)
        }
        (Operator::ConstantArray, [value]) => {
            matches!(terms.sort_of_id(sort), Sort::Array(_, element) if element == *value)
        }
        (Operator::Construct(id), arguments) => terms.constructors().get(id.index()).is_some_and(|constructor| {
            let fields = constructor.fields.iter().map(|field| terms.field(*field).sort);
            terms.constructed_sort(id) == sort && fields.eq(arguments.iter().copied())
        }),
        (Operator::Field(id), [whole]) => {
            let field = terms.fields().get(id.index());
            field.is_some_and(|field| field.sort == sort && terms.constructed_sort(field.constructor) == *whole)
        }
        (Operator::IsMadeBy(id), [whole]) => {
            sort == SortId::BOOL && id.index() < terms.constructors().len() && terms.constructed_sort(id) == *whole
        }
        (Operator::Apply(id), arguments) => terms.functions().get(id.index()).is_some_and(|function| {
            let parameters = function.parameters.iter().map(|parameter| terms.sort(*parameter));
            function.sort == sort && parameters.eq(arguments.iter().copied())
        }),
        (Operator::Measure(measure), [whole]) => sort == measure.sort() && terms.datatype(*whole).is_some(),
        (Operator::Word(operator), arguments) => {
            let widths: Vec<Option<u32>> = arguments.iter().map(|argument| terms.width(*argument)).collect();
            let result = terms.width(sort);
            let is_right_result = match operator {
                WordOperator::UnsignedLessOrEqual | WordOperator::SignedLessOrEqual => sort == SortId::BOOL,
                WordOperator::ToInteger => sort == SortId::INT,
                _ => result.is_some(),
            };
            is_right_result && word_sorts_fit(operator, &widths, arguments.first().copied(), result.unwrap_or(0))
        }
        (Operator::Float(operator), arguments) => {
            let arguments: Vec<Sort> = arguments.iter().map(|argument| terms.sort_of_id(*argument)).collect();
            float_sorts_fit(operator, &arguments, terms.sort_of_id(sort))
        }
        (Operator::Equal, [left, right]) => sort == SortId::BOOL && left == right,
        (Operator::LessOrEqual | Operator::Less, [left, right]) => {
            sort == SortId::BOOL && left == right && left.is_numeric()
        }
        (Operator::Not, [_]) | (Operator::And | Operator::Or, [_, _, ..]) => sort == SortId::BOOL && all(SortId::BOOL),
        _ => false,
    }
}
