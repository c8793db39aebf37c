//! What rules are like, which decides who has a turn and how much of it.

use crate::rules::{Program, Rule};
use crate::terms::{Operator, Rational, Sort, TermId, exponent_of_two};

/// Rules with fewer disjunctions and conditional terms than this are paths, or a few. C's rules have up to nine; of 140 Horn files that other
/// tools emit, seventy have none to five, and the others 12 to 600.
pub(super) const RELATION: usize = 12;

/// A remainder by two to this number is what is left where arithmetic wraps round, and no look at bits.
const MOST_SHIFTED: u32 = 32;

/// The most disjunctions and conditional terms in one rule: how far it is from being a path.
pub(super) fn choices(program: &Program) -> usize {
    let is_choice = |term: &TermId| matches!(program.terms.operator(*term), Operator::Or | Operator::IfThenElse);
    let of_rule = |constraint: &[TermId]| {
        let inside = program.terms.subterms(constraint).into_iter();
        inside.filter(is_choice).count()
    };
    let rules = program.rules().iter();
    rules.map(|rule| of_rule(&rule.constraint)).max().unwrap_or(0)
}

/// Whether rules are about arrays, words or floating-point numbers, so that questions about them are work for Z3.
pub(super) fn needs_costly_questions(program: &Program) -> bool {
    program.is_about(|sort| matches!(sort, Sort::Array(..) | Sort::Word(_) | Sort::Float(_)))
}

/// Whether integers are looked at bit by bit, or taken apart.
pub(super) fn is_about_bits(program: &Program) -> bool {
    looks_at_bits(program) || takes_bits_apart(program)
}

/// Whether quotients or remainders by small powers of two are taken, as by whoever shifts integers.
fn takes_bits_apart(program: &Program) -> bool {
    let terms = &program.terms;
    let roots: Vec<TermId> = program.rules().iter().flat_map(Rule::terms).collect();
    let by_power = |term: &TermId| match (terms.operator(*term), terms.arguments(*term)) {
        (Operator::IntegerDivide | Operator::Modulo, [_, divisor]) => {
            let divisor = terms.number_value(*divisor).map(Rational::to_integer);
            let exponent = divisor.and_then(|divisor| exponent_of_two(&divisor));
            exponent.is_some_and(|exponent| (1..MOST_SHIFTED).contains(&exponent))
        }
        _ => false,
    };
    terms.subterms(&roots).iter().any(by_power)
}

/// Whether integers are looked at bit by bit.
pub(super) fn looks_at_bits(program: &Program) -> bool {
    let mut formulas = program.rules().iter().flat_map(Rule::terms);
    formulas.any(|formula| program.terms.mixes_words_and_integers(formula))
}
