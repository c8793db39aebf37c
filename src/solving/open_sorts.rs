//! Sorts that a text leaves open (`declare-sort`). The rules have them as sorts with as many elements as there are integers, one of all the
//! structures in which the clauses could hold. A certificate says how they hold there, which is enough. A derivation of the error has to be
//! one in every structure: it is if one element will do for all that occur in it, since no structure is without elements.

use crate::evidence::{Derivation, replay};
use crate::horn::Spelling;
use crate::rules::Program;
use crate::terms::{ArrayValue, DatatypeValue, Rational, Sort, SortId, Terms, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The derivation with one element of each sort that is left open in the place of all others; `None` if that is not one.
pub(super) fn with_one_element(program: &Program, spelling: &Spelling, derivation: &Derivation) -> Option<Derivation> {
    let open: Vec<SortId> = spelling.open_sorts().iter().map(|open| open.sort).collect();
    let terms = &program.terms;
    let mut derivation = derivation.clone();
    for step in &mut derivation.steps {
        for (variable, value) in &mut step.values {
            *value = collapsed(terms, &open, value, terms.sort(*variable))?;
        }
    }
    replay(program, &derivation).is_ok().then_some(derivation)
}

/// A value with one element of each open sort. `None` for arrays with indices that may be such elements: where there are fewer of these, more
/// arrays are equal. Values
/// are not nested so deeply that the recursion were too deep.
fn collapsed(terms: &Terms, open: &[SortId], value: &Value, sort: SortId) -> Option<Value> {
    match value {
        Value::Datatype(made) => {
            let fields = &terms.constructor(made.constructor).fields;
            let mut arguments = Vec::with_capacity(fields.len());
            for (part, field) in made.arguments.iter().zip(fields) {
                arguments.push(match open.contains(&sort) {
                    true => Value::Number(Rational::from_integer(0.into())),
                    false => collapsed(terms, open, part, terms.field(*field).sort)?,
                });
            }
            Some(Value::Datatype(Arc::new(DatatypeValue::new(
                made.constructor,
                arguments,
            )?)))
        }
        Value::Array(array) => {
            let Sort::Array(index, element) = terms.sort_of_id(sort) else {
                return None;
            };
            if matches!(terms.sort_of_id(index), Sort::Datatype(_) | Sort::Array(..)) {
                return None;
            }
            let mut made = ArrayValue {
                default: collapsed(terms, open, &array.default, element)?,
                elements: BTreeMap::new(),
            };
            for (position, stored) in &array.elements {
                made = made.with(position.clone(), collapsed(terms, open, stored, element)?);
            }
            Some(Value::Array(Arc::new(made)))
        }
        Value::Bool(_) | Value::Float(_) | Value::Number(_) => Some(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Options, Verdict};
    use crate::horn::read_clauses;
    use crate::solving::{model, proof, solve};

    const DECLARED: &str = "(set-logic HORN) (declare-sort U 0) (declare-fun p (U U) Bool)
        (assert (forall ((x U) (y U)) (=> (and (= x x) (= y y)) (p x y))))";

    fn answered(query: &str) -> String {
        let source = format!("{DECLARED}\n{query}");
        let clauses = read_clauses(&source).product.expect("a well-formed text");
        match solve(&clauses, true, &Options::default()).verdict {
            Verdict::Safe(certificate) => model(&clauses, &certificate).expect("a model"),
            Verdict::Unsafe(derivation) => proof(&clauses, &derivation).expect("a proof"),
            Verdict::Unknown(reason) => reason.to_string(),
        }
    }

    #[test]
    fn an_error_must_not_need_two_elements() {
        let proof = answered("(assert (forall ((x U) (y U)) (=> (and (p x y) (= x y)) false)))");
        assert!(proof.contains("(declare-const U!element U)"), "{proof}");
        assert!(proof.contains("(p U!element U!element)"), "{proof}");
        // With a single element this holds.
        let reason = answered("(assert (forall ((x U) (y U)) (=> (p x y) (= x y))))");
        assert!(reason.contains("different elements"), "{reason}");
    }

    #[test]
    fn arrays_over_few_elements_may_be_alike() {
        let reason = answered(
            "(assert (forall ((x U) (a (Array U Int)))
                (=> (and (p x x) (= (select a x) 1)) (= a ((as const (Array U Int)) 1)))))",
        );
        assert!(reason.contains("different elements"), "{reason}");
    }

    #[test]
    fn models_say_what_the_elements_are() {
        let model = answered("(assert (forall ((x U) (y U)) (=> (and (p x y) (= x y) (distinct x y)) false)))");
        assert!(model.contains("(declare-datatypes ((U 0)) "), "{model}");
        assert!(model.contains("(define-fun p ((X1 U) (X2 U)) Bool"), "{model}");
    }
}
