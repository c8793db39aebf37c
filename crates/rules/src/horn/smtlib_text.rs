//! Terms as SMT-LIB text, for Horn clauses and certificates alike: exact numbers, quoted names, shared parts bound by `let`
//! so that the text is never exponentially longer than the term.

use super::names::{SymbolNames, write_symbol};
use super::order::{TextOrder, is_multiple};
use crate::terms::{
    Comparison, LinearForm, Operator, Rational, SortId, TermId, Terms, exact_decimal, smtlib_float, smtlib_function,
    smtlib_word,
};
use hashbrown::HashMap;
use num_traits::{One, Signed, Zero};
use std::borrow::Cow;

/// Names the variables of a term: unquoted, and different for different variables.
pub type VariableNames<'n> = &'n dyn Fn(TermId) -> String;

/// Parts that occur more than once get a name when they are made of more pieces than this.
const LARGEST_REPEATED: usize = 8;

/// A number as SMT-LIB text: `3`, `(- 3)`, and for reals `2.0`, `0.5`, `(/ 1.0 3.0)`.
pub fn write_number(value: &Rational, sort: SortId) -> String {
    let magnitude = value.abs();
    let text = if sort != SortId::REAL {
        magnitude.to_string()
    } else {
        exact_decimal(&magnitude).unwrap_or_else(|| format!("(/ {}.0 {}.0)", magnitude.numer(), magnitude.denom()))
    };
    if value.is_negative() {
        format!("(- {text})")
    } else {
        text
    }
}

/// The function of a datatype or of words at the root of a term, as SMT-LIB writes it.
pub(super) fn function_name(terms: &Terms, term: TermId) -> String {
    smtlib_function(terms, term, &write_symbol).unwrap_or_default()
}

/// A term as SMT-LIB text.
///
/// ```
/// # use clausal_rules as clausal;
/// use clausal::terms::{SortId, Terms};
/// let mut terms = Terms::new();
/// let (x, y) = (terms.fresh_variable("X", SortId::INT), terms.fresh_variable("Y'", SortId::INT));
/// let three = terms.integer(3);
/// let sum = terms.add(x, three);
/// let bound = terms.less_or_equal(y, sum);
/// let name_of = |variable| terms.variable_name(variable).to_string();
/// assert_eq!(clausal::horn::write_term(&terms, bound, &name_of), "(>= (+ X 3) |Y'|)");
/// ```
pub fn write_term(terms: &Terms, term: TermId, name_of: VariableNames) -> String {
    let names = SymbolNames::new();
    let writer = TermWriter::new(terms, &[term], name_of, &names);
    let mut text = String::new();
    let closing = writer.open_bindings(&mut text, " ");
    writer.write(term, &mut text);
    text.push_str(&closing);
    text
}

/// Writes several terms that share parts: first the `let`s that bind what they share, then any of them, then the closing
/// parentheses.
pub struct TermWriter<'t> {
    terms: &'t Terms,
    name_of: VariableNames<'t>,
    order: TextOrder,
    /// The shared terms in the order of their bindings, and the symbols they are bound to.
    shared: Vec<TermId>,
    symbols: HashMap<TermId, String>,
}

enum Piece {
    Text(Cow<'static, str>),
    Term(TermId),
}

impl<'t> TermWriter<'t> {
    /// A writer for terms below `roots`. The names it binds by `let` are neither variables of these terms nor in `taken`.
    pub fn new(
        terms: &'t Terms,
        roots: &[TermId],
        name_of: VariableNames<'t>,
        taken: &SymbolNames<'_>,
    ) -> TermWriter<'t> {
        let order = TextOrder::new(terms, roots, name_of);
        let mut writer = TermWriter {
            terms,
            name_of,
            order,
            shared: Vec::new(),
            symbols: HashMap::new(),
        };
        writer.share(roots, taken);
        writer
    }

    /// Writes the opening of the `let`s, each followed by `separator`; what has to close them is returned.
    pub fn open_bindings(&self, text: &mut String, separator: &str) -> String {
        for term in &self.shared {
            text.push_str(&format!("(let (({} ", self.symbol(*term)));
            self.write_pieces(self.pieces(*term), text);
            text.push_str("))");
            text.push_str(separator);
        }
        ")".repeat(self.shared.len())
    }

    /// Writes one of the roots, inside of the bindings.
    pub fn write(&self, term: TermId, text: &mut String) {
        self.write_pieces(vec![Piece::Term(term)], text);
    }

    /// Finds the parts that are large and occur more than once.
    fn share(&mut self, roots: &[TermId], taken: &SymbolNames<'_>) {
        let mut names = SymbolNames::inside(taken);
        let mut uses: HashMap<TermId, usize> = HashMap::new();
        for root in roots {
            *uses.entry(*root).or_default() += 1;
        }
        // From the outside in: a term is written only if something that is written uses it.
        for term in self.order.sequence.iter().rev() {
            if uses.contains_key(term) {
                for part in self.written_parts(*term) {
                    *uses.entry(part).or_default() += 1;
                }
            }
            if self.terms.is_variable(*term) {
                names.claim(&(self.name_of)(*term));
            }
        }
        let mut sizes: HashMap<TermId, usize> = HashMap::new();
        for term in &self.order.sequence {
            let size = |part: &TermId| sizes.get(part).copied().unwrap_or(1);
            let total = 1 + self.written_parts(*term).iter().map(size).sum::<usize>();
            let shared = total > LARGEST_REPEATED && uses.get(term).is_some_and(|count| *count > 1);
            sizes.insert(*term, if shared { 1 } else { total });
            if shared {
                self.shared.push(*term);
                let symbol = names.claim(&format!("shared{}", self.shared.len()));
                self.symbols.insert(*term, symbol);
            }
        }
    }

    fn symbol(&self, term: TermId) -> String {
        self.symbols
            .get(&term)
            .map(|name| write_symbol(name))
            .unwrap_or_default()
    }

    /// The terms that are written as parts of a term.
    fn written_parts(&self, term: TermId) -> Vec<TermId> {
        let pieces = self.pieces(term).into_iter();
        let parts = pieces.filter_map(|piece| match piece {
            Piece::Term(part) => Some(part),
            Piece::Text(_) => None,
        });
        parts.collect()
    }

    /// A stack of pieces instead of recursion: terms may be nested as deeply as an input likes.
    fn write_pieces(&self, mut stack: Vec<Piece>, text: &mut String) {
        stack.reverse();
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(content) => text.push_str(&content),
                Piece::Term(term) => match self.symbols.get(&term) {
                    Some(name) => text.push_str(&write_symbol(name)),
                    None => stack.extend(self.pieces(term).into_iter().rev()),
                },
            }
        }
    }

    fn pieces(&self, term: TermId) -> Vec<Piece> {
        let (terms, order) = (self.terms, &self.order);
        let arguments = terms.arguments(term);
        let sort = terms.sort(term);
        match terms.operator(term) {
            Operator::True => vec![text("true")],
            Operator::False => vec![text("false")],
            Operator::Variable(_) => vec![text(write_symbol(&(self.name_of)(term)))],
            Operator::Number(_) => {
                if let Some(float) = terms.float_constant(term) {
                    return vec![text(smtlib_float(float))];
                }
                let value = terms.number_value(term).cloned().unwrap_or_else(Rational::zero);
                vec![text(match terms.width(sort) {
                    Some(width) => smtlib_word(&value, width),
                    None => write_number(&value, sort),
                })]
            }
            Operator::Add => sum(&order.sorted_form(terms.linear_form(term)), sort),
            Operator::Multiply if is_multiple(terms, term) => sum(&terms.linear_form(term), sort),
            Operator::Multiply => call("*", &self.factors(arguments)),
            Operator::Divide => call("/", arguments),
            Operator::IntegerDivide => call("div", arguments),
            Operator::Modulo => call("mod", arguments),
            Operator::ToReal => call("to_real", arguments),
            Operator::ToInteger => call("to_int", arguments),
            Operator::IfThenElse => call("ite", arguments),
            Operator::Select => call("select", arguments),
            Operator::Store => call("store", arguments),
            Operator::ConstantArray => call_text(format!("((as const {})", terms.smtlib_sort(sort)), arguments),
            Operator::Equal | Operator::LessOrEqual | Operator::Less => match order.comparison(terms, term) {
                Some((form, comparison)) => {
                    let sort = arguments.first().map_or(SortId::INT, |left| terms.sort(*left));
                    compare(form, comparison, sort)
                }
                None => call("=", &order.sorted(arguments)),
            },
            Operator::Not => call("not", arguments),
            Operator::And => call("and", &order.sorted(arguments)),
            Operator::Or => call("or", &order.sorted(arguments)),
            Operator::Construct(_) if arguments.is_empty() => vec![text(function_name(terms, term))],
            Operator::Construct(_)
            | Operator::Field(_)
            | Operator::IsMadeBy(_)
            | Operator::Measure(_)
            | Operator::Apply(_)
            | Operator::Word(_) => call(&function_name(terms, term), arguments),
            Operator::Float(operator) => {
                let rounding = operator
                    .rounding()
                    .map(|rounding| format!(" {}", rounding.smtlib_name()));
                call(&(function_name(terms, term) + &rounding.unwrap_or_default()), arguments)
            }
        }
    }

    /// The factors of a product, the largest sums first: who reads the text multiplies from the left, and multiplies out
    /// only what is small, so sums too large for that must meet each other first.
    fn factors(&self, factors: &[TermId]) -> Vec<TermId> {
        let mut factors = factors.to_vec();
        factors.sort_by_key(|factor| {
            let size = match self.terms.operator(*factor) {
                Operator::Add => self.terms.linear_form(*factor).terms.len(),
                _ => 0,
            };
            (std::cmp::Reverse(size), self.order.rank(*factor))
        });
        factors
    }
}

fn text(content: impl Into<Cow<'static, str>>) -> Piece {
    Piece::Text(content.into())
}

fn call(function: &str, arguments: &[TermId]) -> Vec<Piece> {
    call_text(format!("({function}"), arguments)
}

fn call_text(opening: String, arguments: &[TermId]) -> Vec<Piece> {
    let mut pieces = vec![text(opening)];
    for argument in arguments {
        pieces.push(text(" "));
        pieces.push(Piece::Term(*argument));
    }
    pieces.push(text(")"));
    pieces
}

/// `(op a b …)`, or `a` alone.
fn joined(function: &str, mut parts: Vec<Vec<Piece>>) -> Vec<Piece> {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let mut pieces = vec![text(format!("({function}"))];
    for part in parts {
        pieces.push(text(" "));
        pieces.extend(part);
    }
    pieces.push(text(")"));
    pieces
}

/// The addends of a form with a positive sign and those with a negative one, all written positively.
fn addends(form: &LinearForm, sort: SortId) -> (Vec<Vec<Piece>>, Vec<Vec<Piece>>) {
    let (mut positive, mut negative) = (Vec::new(), Vec::new());
    for (term, coefficient) in &form.terms {
        let magnitude = coefficient.abs();
        let piece = if magnitude.is_one() {
            vec![Piece::Term(*term)]
        } else {
            let number = write_number(&magnitude, sort);
            vec![text(format!("(* {number} ")), Piece::Term(*term), text(")")]
        };
        let side = if coefficient.is_negative() {
            &mut negative
        } else {
            &mut positive
        };
        side.push(piece);
    }
    if !form.constant.is_zero() {
        let piece = vec![text(write_number(&form.constant.abs(), sort))];
        let side = if form.constant.is_negative() {
            &mut negative
        } else {
            &mut positive
        };
        side.push(piece);
    }
    (positive, negative)
}

fn sum(form: &LinearForm, sort: SortId) -> Vec<Piece> {
    let (positive, mut negative) = addends(form, sort);
    if negative.is_empty() {
        return joined("+", positive);
    }
    let first = if positive.is_empty() {
        let mut pieces = vec![text("(- ")];
        pieces.extend(negative.remove(0));
        pieces.push(text(")"));
        pieces
    } else {
        joined("+", positive)
    };
    let mut parts = vec![first];
    parts.extend(negative);
    joined("-", parts)
}

/// `form ⋈ 0` as a person writes it: nothing negative on either side, unless it is a number alone.
fn compare(form: LinearForm, comparison: Comparison, sort: SortId) -> Vec<Piece> {
    let flip = form.terms.first().is_some_and(|(_, first)| first.is_negative());
    let form = if flip { form.scaled(&-Rational::one()) } else { form };
    let symbol = match (comparison, flip) {
        (Comparison::Equal, _) => "=",
        (Comparison::LessOrEqual, false) => "<=",
        (Comparison::LessOrEqual, true) => ">=",
        (Comparison::Less, false) => "<",
        (Comparison::Less, true) => ">",
    };
    let constant = form.constant.clone();
    let linear = LinearForm {
        constant: Rational::zero(),
        ..form
    };
    let (mut left, mut right) = addends(&linear, sort);
    if right.is_empty() {
        right.push(vec![text(write_number(&-constant, sort))]);
    } else if !constant.is_zero() {
        let side = if constant.is_positive() { &mut left } else { &mut right };
        side.push(vec![text(write_number(&constant.abs(), sort))]);
    }
    joined(symbol, vec![joined("+", left), joined("+", right)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(terms: &Terms, term: TermId) -> String {
        write_term(terms, term, &|variable| terms.variable_name(variable).to_string())
    }

    #[test]
    fn numbers_are_exact() {
        let number = |numerator: i64, denominator: i64| Rational::new(numerator.into(), denominator.into());
        assert_eq!(write_number(&number(-3, 1), SortId::INT), "(- 3)");
        assert_eq!(write_number(&number(2, 1), SortId::REAL), "2.0");
        assert_eq!(write_number(&number(-1, 4), SortId::REAL), "(- 0.25)");
        assert_eq!(write_number(&number(-1, 3), SortId::REAL), "(- (/ 1.0 3.0))");
    }

    #[test]
    fn sums_and_comparisons_have_no_negative_coefficients() {
        let mut terms = Terms::new();
        let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
        let (two, three) = (terms.integer(2), terms.integer(3));
        let double = terms.multiply(two, y);
        let difference = terms.subtract(x, double);
        let difference = terms.subtract(difference, three);
        assert_eq!(written(&terms, difference), "(- X (* 2 Y) 3)");
        let negated = terms.negate(difference);
        assert_eq!(written(&terms, negated), "(- (+ (* 2 Y) 3) X)");
        let zero = terms.integer(0);
        let below = terms.less_or_equal(difference, zero);
        assert_eq!(written(&terms, below), "(<= X (+ (* 2 Y) 3))");
        let bound = terms.less(x, zero);
        assert_eq!(written(&terms, bound), "(<= X (- 1))");
        let different = terms.not_equal(y, negated);
        assert_eq!(written(&terms, different), "(not (= X (+ Y 3)))");
        let minus = terms.negate(x);
        assert_eq!(written(&terms, minus), "(- X)");
    }

    #[test]
    fn shared_parts_are_written_once() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(SortId::INT, SortId::INT);
        let array = terms.fresh_variable("shared1", sort);
        let mut term = terms.fresh_variable("I", SortId::INT);
        for _ in 0..200 {
            let element = terms.select(array, term);
            let sum = terms.add(element, term);
            term = terms.select(array, sum);
        }
        let text = written(&terms, term);
        assert!(text.len() < 20_000, "{} bytes", text.len());
        assert!(text.starts_with("(let ((shared1_1 "), "{}", &text[..60]);
    }

    #[test]
    fn the_order_of_making_does_not_matter() {
        let texts = [false, true].map(|reversed| {
            let mut terms = Terms::new();
            let mut names = ["X", "Y", "Z"];
            if reversed {
                names.reverse();
            }
            let mut variables = names.map(|name| terms.fresh_variable(name, SortId::INT));
            if reversed {
                variables.reverse();
            }
            let [x, y, z] = variables;
            let product = terms.multiply(y, x);
            let sum = terms.subtract(product, z);
            let first = terms.equal(sum, x);
            let second = terms.less(z, y);
            let either = terms.or(&[first, second]);
            written(&terms, either)
        });
        assert_eq!(texts[0], "(or (>= Y (+ Z 1)) (= (+ X Z) (* X Y)))");
        assert_eq!(texts[0], texts[1]);
    }
}
