//! Products of what is divided by numbers: with quotient and remainder in the place of the dividend they are multiplied out.
//!
//! From `P*P + R*Q = N*Q` a solver of nonlinear arithmetic has to find out that `P` is even where four divides `Q`. With `2*D + M` for `P`, and
//! the same for `Q`, that is a question of linear arithmetic about a few products. What is added follows from the formulas it is made of.

use crate::terms::{LinearForm, Operator, Rational, SortId, Substitution, TermId, Terms};
use num_traits::{One, Signed};

/// So many dividends, and so many formulas with products.
const MOST_DIVIDENDS: usize = 6;
const MOST_FORMULAS: usize = 60;

/// The formulas with products once more, with `c*(X div c) + X mod c` for each factor X that is divided by a number, and what these
/// quotients and remainders are.
pub(super) fn divided_out(terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
    let with_products: Vec<TermId> = formulas
        .iter()
        .copied()
        .filter(|formula| {
            terms
                .subterms(&[*formula])
                .into_iter()
                .any(|term| is_product(terms, term))
        })
        .take(MOST_FORMULAS)
        .collect();
    if with_products.is_empty() {
        return Vec::new();
    }
    let mut factors: Vec<TermId> = Vec::new();
    for term in terms.subterms(&with_products) {
        if is_product(terms, term) {
            let variables = terms
                .arguments(term)
                .iter()
                .filter(|factor| terms.is_variable(**factor));
            factors.extend(variables);
        }
    }
    // Whole dividends get names for quotient and remainder first, then their factors are replaced.
    let (mut named, mut replaced) = (Substitution::new(), Substitution::new());
    let (mut said, mut taken) = (Vec::new(), Vec::new());
    for term in terms.subterms(formulas) {
        let (Operator::IntegerDivide | Operator::Modulo, &[dividend, divisor]) =
            (terms.operator(term), terms.arguments(term))
        else {
            continue;
        };
        if terms
            .number_value(divisor)
            .is_none_or(|number| *number <= Rational::one())
        {
            continue;
        }
        let form = terms.linear_form(dividend);
        let single = form
            .terms
            .iter()
            .find(|(part, factor)| factor.abs().is_one() && factors.contains(part) && !taken.contains(part));
        let Some((variable, factor)) = single.cloned() else {
            continue;
        };
        if taken.len() == MOST_DIVIDENDS {
            break;
        }
        taken.push(variable);
        let whole = [terms.integer_divide(dividend, divisor), terms.modulo(dividend, divisor)];
        let names = ["Quotient", "Remainder"].map(|name| terms.fresh_variable(name, SortId::INT));
        for (name, part) in names.iter().zip(whole) {
            named.insert(terms, part, *name);
            said.push(terms.equal(*name, part));
        }
        let multiple = terms.multiply(divisor, names[0]);
        let sum = terms.add(multiple, names[1]);
        // The dividend is the factor times one or minus one, and something.
        let own = terms.linear_form(variable);
        let rest: LinearForm = form.add_scaled(&own, &-&factor);
        let value = terms
            .linear_form(sum)
            .add_scaled(&rest, &-Rational::one())
            .scaled(&factor);
        let value = terms.linear_term(&value, SortId::INT);
        replaced.insert(terms, variable, value);
    }
    if taken.is_empty() {
        return Vec::new();
    }
    for formula in with_products {
        let plain = terms.substitute(formula, &named);
        let divided = terms.substitute(plain, &replaced);
        if divided != formula && divided != TermId::TRUE {
            said.push(divided);
        }
    }
    said
}

/// Whether there are products in formulas.
pub(super) fn has_products(terms: &Terms, formulas: &[TermId]) -> bool {
    terms.subterms(formulas).into_iter().any(|term| is_product(terms, term))
}

/// Whether a term is a product of integers that are no numbers.
fn is_product(terms: &Terms, term: TermId) -> bool {
    terms.is_product(term) && terms.sort(term) == SortId::INT
}
