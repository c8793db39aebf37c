//! Terms as text, in the syntax of CLP rules or of C. One renderer serves reports, certificates and the printer of rules, so
//! that what is read in a proof can be pasted back into a program.

mod constructed;

use super::{Comparison, FloatOperator, LinearForm, Operator, Rational, Sort, SortId, TermId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::fmt;

/// A term that prints itself, made by [`Terms::display`].
#[derive(Clone, Copy)]
pub struct TermDisplay<'a> {
    terms: &'a Terms,
    term: TermId,
    name_of: Option<&'a dyn Fn(TermId) -> Option<String>>,
    rank_of: Option<&'a dyn Fn(TermId) -> usize>,
    written: Option<&'a dyn Fn(&str) -> String>,
    symbols: &'static Symbols,
}

/// How operators are written.
struct Symbols {
    equal: &'static str,
    not_equal: &'static str,
    less_or_equal: &'static str,
    greater_or_equal: &'static str,
    conjunction: &'static str,
    disjunction: &'static str,
    negation: &'static str,
    /// Whether `if … then … else` is written with `?` and `:`.
    conditional: bool,
    /// Whether Euclidean division and its remainder are calls: C's `/` and `%` round otherwise.
    division_by_call: bool,
}

const CLP: Symbols = Symbols {
    equal: " = ",
    not_equal: " \\= ",
    less_or_equal: " =< ",
    greater_or_equal: " >= ",
    conjunction: ", ",
    disjunction: " ; ",
    negation: "\\+ ",
    conditional: false,
    division_by_call: false,
};

const C: Symbols = Symbols {
    equal: " == ",
    not_equal: " != ",
    less_or_equal: " <= ",
    greater_or_equal: " >= ",
    conjunction: " && ",
    disjunction: " || ",
    negation: "!",
    conditional: true,
    division_by_call: true,
};

const MATHEMATICS: Symbols = Symbols {
    equal: " = ",
    not_equal: " ≠ ",
    less_or_equal: " ≤ ",
    greater_or_equal: " ≥ ",
    conjunction: " ∧ ",
    disjunction: " ∨ ",
    negation: "¬",
    conditional: false,
    division_by_call: false,
};

/// How tightly the surroundings bind: a looser term inside them needs parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Disjunction,
    Conjunction,
    Comparison,
    Sum,
    Product,
    Argument,
}

enum Piece {
    Text(String),
    Term(TermId, Binding),
}

impl Terms {
    /// The term as text, variables by their names.
    pub fn display(&self, term: TermId) -> TermDisplay<'_> {
        TermDisplay {
            terms: self,
            term,
            name_of: None,
            rank_of: None,
            written: None,
            symbols: &CLP,
        }
    }

    /// The term as text, with `name_of` naming the variables it has a name for. A name that it has for another term stands
    /// for that term wherever it is a proper part of this one.
    pub fn display_named<'a>(&'a self, term: TermId, name_of: &'a dyn Fn(TermId) -> Option<String>) -> TermDisplay<'a> {
        TermDisplay {
            terms: self,
            term,
            name_of: Some(name_of),
            rank_of: None,
            written: None,
            symbols: &CLP,
        }
    }
}

impl<'a> TermDisplay<'a> {
    /// The same text, with the names of constructors, of fields and of questions about constructors as `written` has them.
    pub fn naming(mut self, written: &'a dyn Fn(&str) -> String) -> TermDisplay<'a> {
        self.written = Some(written);
        self
    }

    /// The same text but for the order of operands that may be swapped: they stand by ascending rank, not by their ids.
    /// Ids depend on what was built before; a rank that does not makes texts comparable across tables.
    pub fn ordered(mut self, rank_of: &'a dyn Fn(TermId) -> usize) -> TermDisplay<'a> {
        self.rank_of = Some(rank_of);
        self
    }

    /// The text in the notation of mathematics: `x ≤ 3 ∧ y ≠ 0`.
    pub fn in_mathematics(mut self) -> TermDisplay<'a> {
        self.symbols = &MATHEMATICS;
        self
    }

    /// The text in C's syntax: `x <= 3 && y != 0`. What C has no operator for is a call: `mod(x, 4)`, `div(x, 4)`.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// let mut terms = clausal::terms::Terms::new();
    /// let x = terms.fresh_variable("x", clausal::terms::SortId::INT);
    /// let three = terms.integer(3);
    /// let (at_most, other) = (terms.less_or_equal(x, three), terms.not_equal(x, three));
    /// let both = terms.and(&[at_most, other]);
    /// assert_eq!(terms.display(both).in_c().to_string(), "x <= 3 && x != 3");
    /// ```
    pub fn in_c(mut self) -> TermDisplay<'a> {
        self.symbols = &C;
        self
    }
}

impl fmt::Display for TermDisplay<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A stack of pieces instead of recursion: terms may be nested as deeply as an input likes.
        let mut stack = vec![Piece::Term(self.term, Binding::Disjunction)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.write_str(&text)?,
                Piece::Term(term, binding) => {
                    let name = if term == self.term { None } else { self.name(term) };
                    match name {
                        Some(name) => out.write_str(&name)?,
                        None => stack.extend(self.pieces(term, binding).into_iter().rev()),
                    }
                }
            }
        }
        Ok(())
    }
}

impl TermDisplay<'_> {
    fn pieces(&self, term: TermId, binding: Binding) -> Vec<Piece> {
        let terms = self.terms;
        let arguments = terms.arguments(term);
        let call = |name: &str| {
            let mut pieces = vec![text(name), text("(")];
            pieces.extend(self.separated(arguments, ", ", Binding::Comparison));
            pieces.push(text(")"));
            pieces
        };
        let (own, pieces) = match terms.operator(term) {
            Operator::True => return vec![text("true")],
            Operator::False => return vec![text("false")],
            Operator::Variable(_) => return vec![text(self.variable(term))],
            Operator::Number(_) => {
                let value = terms.number_value(term).cloned().unwrap_or_else(Rational::zero);
                let own = if value.is_negative() {
                    Binding::Sum
                } else {
                    Binding::Argument
                };
                if let Some(float) = terms.float_constant(term) {
                    return vec![text(float.to_string())];
                }
                (own, vec![text(number_text(&value, terms.sort(term)))])
            }
            Operator::Add => (
                Binding::Sum,
                self.sum(&self.sorted_form(terms.linear_form(term)), terms.sort(term)),
            ),
            Operator::Multiply => match (terms.number_value(arguments[0]), arguments) {
                (Some(_), _) => (
                    Binding::Sum,
                    self.sum(&self.sorted_form(terms.linear_form(term)), terms.sort(term)),
                ),
                // A factor `A div B` needs parentheses: the operators bind equally and to the left.
                _ => (
                    Binding::Product,
                    self.separated(&self.sorted(arguments), "*", Binding::Argument),
                ),
            },
            Operator::Divide => (Binding::Product, self.separated(arguments, " / ", Binding::Argument)),
            Operator::IntegerDivide if self.symbols.division_by_call => (Binding::Argument, call("div")),
            Operator::Modulo if self.symbols.division_by_call => (Binding::Argument, call("mod")),
            Operator::IntegerDivide => (Binding::Product, self.separated(arguments, " div ", Binding::Argument)),
            Operator::Modulo => (Binding::Product, self.separated(arguments, " mod ", Binding::Argument)),
            Operator::ToReal => (Binding::Argument, call("real")),
            Operator::ToInteger => (Binding::Argument, call("floor")),
            Operator::IfThenElse if self.symbols.conditional => (
                Binding::Argument,
                vec![
                    text("("),
                    Piece::Term(arguments[0], Binding::Comparison),
                    text(" ? "),
                    Piece::Term(arguments[1], Binding::Comparison),
                    text(" : "),
                    Piece::Term(arguments[2], Binding::Comparison),
                    text(")"),
                ],
            ),
            Operator::IfThenElse => (Binding::Argument, call("ite")),
            Operator::Select if terms.is_variable(arguments[0]) => (
                Binding::Argument,
                vec![
                    text(self.variable(arguments[0])),
                    text("["),
                    Piece::Term(arguments[1], Binding::Sum),
                    text("]"),
                ],
            ),
            Operator::Select => (Binding::Argument, call("select")),
            Operator::Store => (Binding::Argument, call("store")),
            Operator::ConstantArray => (Binding::Argument, call("constant")),
            Operator::Construct(_) if terms.list_constructors(terms.sort(term)).is_some() => {
                (Binding::Argument, self.list(term))
            }
            Operator::Construct(constructor) if arguments.is_empty() => (
                Binding::Argument,
                vec![text(self.function(&terms.constructor(constructor).name))],
            ),
            Operator::Construct(constructor) => (
                Binding::Argument,
                call(&self.function(&terms.constructor(constructor).name)),
            ),
            Operator::Field(field) => (Binding::Argument, call(&self.field(field))),
            Operator::IsMadeBy(constructor) => self.question(constructor, arguments[0]),
            Operator::Measure(measure) => (Binding::Argument, call(measure.name())),
            Operator::Apply(id) => {
                let name = terms.functions().get(id.index()).map_or("", |function| &function.name);
                (Binding::Argument, call(&self.function(name)))
            }
            Operator::Word(_) => (Binding::Argument, call(&word_call(terms, term))),
            Operator::Float(operator) => (Binding::Argument, call(&float_call(terms, term, operator))),
            Operator::Equal | Operator::LessOrEqual | Operator::Less => {
                (Binding::Comparison, self.comparison(term, false))
            }
            Operator::Not if terms.operator(arguments[0]) == Operator::Equal => {
                (Binding::Comparison, self.comparison(arguments[0], true))
            }
            Operator::Not => (
                Binding::Comparison,
                vec![
                    text(self.symbols.negation),
                    Piece::Term(arguments[0], Binding::Argument),
                ],
            ),
            Operator::And => (
                Binding::Conjunction,
                self.separated(&self.sorted(arguments), self.symbols.conjunction, Binding::Comparison),
            ),
            Operator::Or => (
                Binding::Disjunction,
                self.separated(&self.sorted(arguments), self.symbols.disjunction, Binding::Conjunction),
            ),
        };
        if own >= binding {
            return pieces;
        }
        let mut wrapped = vec![text("(")];
        wrapped.extend(pieces);
        wrapped.push(text(")"));
        wrapped
    }

    fn name(&self, term: TermId) -> Option<String> {
        self.name_of.and_then(|name_of| name_of(term))
    }

    fn variable(&self, term: TermId) -> String {
        self.name(term)
            .unwrap_or_else(|| self.terms.variable_name(term).to_string())
    }

    /// Operands that may be swapped, in the order in which they are shown.
    fn sorted(&self, parts: &[TermId]) -> Vec<TermId> {
        let mut parts = parts.to_vec();
        if let Some(rank_of) = self.rank_of {
            parts.sort_by_key(|part| rank_of(*part));
        }
        parts
    }

    fn sorted_form(&self, mut form: LinearForm) -> LinearForm {
        if let Some(rank_of) = self.rank_of {
            form.terms.sort_by_key(|(term, _)| rank_of(*term));
        }
        form
    }

    fn separated(&self, parts: &[TermId], separator: &str, binding: Binding) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(2 * parts.len());
        for (position, part) in parts.iter().enumerate() {
            if position > 0 {
                pieces.push(text(separator));
            }
            pieces.push(Piece::Term(*part, binding));
        }
        pieces
    }

    /// An equality or inequality the way a person writes it: no negative coefficients, the first term on the left.
    fn comparison(&self, atom: TermId, negated: bool) -> Vec<Piece> {
        let arguments = self.terms.arguments(atom);
        let sort = self.terms.sort(arguments[0]);
        let (equal, not_equal) = (self.symbols.equal, self.symbols.not_equal);
        let Some(linear) = self.terms.linear_atom(atom) else {
            let sides = self.sorted(arguments);
            return self.separated(&sides, if negated { not_equal } else { equal }, Binding::Sum);
        };
        let comparison = linear.comparison;
        let form = self.sorted_form(linear.form);
        let flip = form.terms.first().is_some_and(|(_, first)| first.is_negative());
        let symbol = match (comparison, negated, flip) {
            (Comparison::Equal, false, _) => equal,
            (Comparison::Equal, true, _) => not_equal,
            (Comparison::LessOrEqual, _, false) => self.symbols.less_or_equal,
            (Comparison::LessOrEqual, _, true) => self.symbols.greater_or_equal,
            (Comparison::Less, _, false) => " < ",
            (Comparison::Less, _, true) => " > ",
        };
        let form = if flip { negated_form(form) } else { form };
        let (mut left, mut right) = (
            LinearForm::constant(Rational::zero()),
            LinearForm::constant(-form.constant.clone()),
        );
        for (term, coefficient) in form.terms {
            if coefficient.is_negative() {
                right.terms.push((term, -coefficient));
            } else {
                left.terms.push((term, coefficient));
            }
        }
        let mut pieces = self.sum(&left, sort);
        pieces.push(text(symbol));
        pieces.extend(self.sum(&right, sort));
        pieces
    }

    fn sum(&self, form: &LinearForm, sort: SortId) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (term, coefficient) in &form.terms {
            let magnitude = coefficient.abs();
            let bare = magnitude.is_one() && !(pieces.is_empty() && coefficient.is_negative());
            match (pieces.is_empty(), coefficient.is_negative()) {
                (true, true) => pieces.push(text("-")),
                (true, false) => {}
                (false, true) => pieces.push(text(" - ")),
                (false, false) => pieces.push(text(" + ")),
            }
            if !magnitude.is_one() {
                pieces.push(text(format!("{}*", number_text(&magnitude, sort))));
            }
            // After a leading sign or a coefficient, only a product of plain factors means the same without parentheses.
            let plain = self.terms.operator(*term) == Operator::Multiply
                && self
                    .terms
                    .arguments(*term)
                    .iter()
                    .all(|factor| self.terms.operator(*factor) != Operator::Add);
            pieces.push(Piece::Term(
                *term,
                if bare || plain {
                    Binding::Product
                } else {
                    Binding::Argument
                },
            ));
        }
        if pieces.is_empty() {
            pieces.push(text(number_text(&form.constant, sort)));
        } else if !form.constant.is_zero() {
            let sign = if form.constant.is_negative() { " - " } else { " + " };
            pieces.push(text(format!("{sign}{}", number_text(&form.constant.abs(), sort))));
        }
        pieces
    }
}

/// What an operation on words is called: SMT-LIB's name, with the widths that it needs.
fn word_call(terms: &Terms, term: TermId) -> String {
    let name = super::smtlib_function(terms, term, &|name| name.to_string()).unwrap_or_default();
    let plain = name.trim_start_matches("(_ ").trim_end_matches(')');
    plain.replace(' ', "_")
}

/// What an operation on floating-point numbers is called: SMT-LIB's name without its prefix, with what the result is where that
/// is not seen from the arguments.
fn float_call(terms: &Terms, term: TermId, operator: FloatOperator) -> String {
    let sort = terms.sort_of_id(terms.sort(term));
    match (operator, sort) {
        (FloatOperator::RoundToIntegral(rounding), _) => format!("fp.round_{}", rounding.smtlib_name()),
        (FloatOperator::OfBits, Sort::Float(format)) => format!("fp.of_bits_{}", format.width()),
        (FloatOperator::OfSigned, Sort::Float(format)) => format!("fp.of_signed_{}", format.width()),
        (FloatOperator::OfUnsigned, Sort::Float(format)) => format!("fp.of_unsigned_{}", format.width()),
        (FloatOperator::Convert, Sort::Float(format)) => format!("fp.to_{}", format.width()),
        (_, Sort::Word(width)) => format!("{}_{width}", operator.smtlib_name()),
        _ => operator.smtlib_name().to_string(),
    }
}

/// The form times minus one, in the same order.
fn negated_form(mut form: LinearForm) -> LinearForm {
    form.terms
        .iter_mut()
        .for_each(|(_, coefficient)| *coefficient = -coefficient.clone());
    form.constant = -form.constant;
    form
}

fn text(content: impl Into<String>) -> Piece {
    Piece::Text(content.into())
}

/// A number in CLP syntax: reals always show a point, and are decimals where that is exact.
fn number_text(value: &Rational, sort: SortId) -> String {
    if sort != SortId::REAL {
        return value.to_string();
    }
    exact_decimal(value).unwrap_or_else(|| format!("{}.0/{}.0", value.numer(), value.denom()))
}

pub(crate) fn exact_decimal(value: &Rational) -> Option<String> {
    let (two, five, ten) = (BigInt::from(2), BigInt::from(5), BigInt::from(10));
    let mut rest = value.denom().clone();
    let mut digits = 0usize;
    while !rest.is_one() {
        let common = rest.gcd(&ten);
        if common.is_one() || digits > 40 {
            return None;
        }
        rest /= if common == ten { ten.clone() } else { common.clone() };
        debug_assert!(common == two || common == five || common == ten);
        digits += 1;
    }
    if digits == 0 {
        return Some(format!("{}.0", value.numer()));
    }
    let scaled = value * Rational::from_integer(ten.pow(digits as u32));
    let padded = format!("{:0>width$}", scaled.numer().abs(), width = digits + 1);
    let (whole, fraction) = padded.split_at(padded.len() - digits);
    let sign = if value.is_negative() { "-" } else { "" };
    Some(format!("{sign}{whole}.{fraction}"))
}
