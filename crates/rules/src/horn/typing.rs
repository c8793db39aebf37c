//! The checks an application of a theory function passes before a term is made: the sorts of its arguments, and limits on
//! the size of what comes out.

use super::formula::FormulaId;
use super::lexer::Span;
use super::problems::{Checked, Reported};
use super::reader::{Reader, Value};
use super::terms::Located;
use crate::diagnostics::Diagnostic;
use crate::terms::{LinearForm, Operator, Rational, Sort, SortId, TermId};

/// Numbers that calculation makes longer than this (in bits) are refused.
const MOST_BITS: u64 = 1 << 14;
/// Products of more factors are refused.
const MOST_FACTORS: usize = 256;

impl Reader<'_> {
    /// Counts the work of adding terms, and refuses sums of so many different fractions that their common denominator
    /// would fill the memory.
    pub fn check_sum(&mut self, operands: &[TermId], span: Span) -> Checked<()> {
        let (mut size, mut bits) = (0, 0);
        for operand in operands {
            if self.program.terms.sort(*operand) != SortId::REAL {
                size += self.program.terms.arguments(*operand).len() + 1;
                continue;
            }
            let form = self.program.terms.linear_form(*operand);
            size += form.terms.len() + 1;
            bits += coefficients(&form)
                .filter(|c| !c.is_integer())
                .map(|c| c.denom().bits())
                .sum::<u64>();
        }
        self.charge(size, span)?;
        self.check_bits(bits, span)
    }

    /// Counts the work of multiplying two terms.
    pub fn charge_product(&mut self, left: TermId, right: TermId, span: Span) -> Checked<()> {
        let terms = &self.program.terms;
        let (left, right) = (terms.linear_form(left), terms.linear_form(right));
        let bits = longest(&left) + longest(&right);
        // Sums are multiplied out only while the product stays small.
        let size = left.terms.len() + right.terms.len() + 64;
        // The cost of keeping fractions reduced grows with the square of their length.
        self.charge(size.saturating_mul(1 + (bits * bits / 1024) as usize), span)
    }

    /// Refuses products whose numbers or degrees would explode when they are multiplied again.
    pub fn check_product(&mut self, product: TermId, span: Span) -> Checked<TermId> {
        let form = self.program.terms.linear_form(product);
        let degree = |(term, _): &(TermId, Rational)| match self.program.terms.operator(*term) {
            Operator::Multiply => self.program.terms.arguments(*term).len(),
            _ => 1,
        };
        if form.terms.iter().map(degree).max().unwrap_or(0) > MOST_FACTORS {
            let label = format!("more than {MOST_FACTORS} factors");
            return Err(self.problems.unsupported(span, "product of too many factors", label));
        }
        self.check_bits(longest(&form), span)?;
        Ok(product)
    }

    fn check_bits(&mut self, bits: u64, span: Span) -> Checked<()> {
        if bits <= MOST_BITS {
            return Ok(());
        }
        let label = format!("calculated, it would have more than {MOST_BITS} bits");
        Err(self.problems.unsupported(span, "number too long", label))
    }

    /// Reading an array looks through the writes below it.
    pub fn charge_stores(&mut self, array: TermId, span: Span) -> Checked<()> {
        let (mut base, mut depth) = (array, 0);
        while let (Operator::Store, [inner, ..]) =
            (self.program.terms.operator(base), self.program.terms.arguments(base))
        {
            base = *inner;
            depth += 3;
        }
        self.charge(depth, span)
    }

    /// Checks the number of arguments of a declared function.
    pub fn check_count(&mut self, function: &str, given: usize, needed: usize, span: Span) -> Checked<()> {
        if given == needed {
            return Ok(());
        }
        let message = format!("wrong number of arguments for {function}");
        let label = format!("{given} given, {needed} needed");
        Err(self.problems.error(span, message, label))
    }

    pub fn sort_of(&self, value: Value) -> SortId {
        match value {
            Value::Term(term) => self.program.terms.sort(term),
            Value::Formula(_) => SortId::BOOL,
        }
    }

    pub fn are_formulas(&self, arguments: &[Located]) -> bool {
        arguments.iter().all(|(value, _)| self.sort_of(*value) == SortId::BOOL)
    }

    /// A Boolean value as a formula.
    pub fn formula(&mut self, (value, span): Located) -> Checked<FormulaId> {
        match value {
            Value::Formula(formula) => Ok(formula),
            Value::Term(_) => {
                let term = self.require_sort((value, span), SortId::BOOL)?;
                Ok(self.formulas.term(term, span))
            }
        }
    }

    /// A value as a term of the wanted sort.
    pub fn require_sort(&mut self, (value, span): Located, wanted: SortId) -> Checked<TermId> {
        let found = self.sort_of(value);
        match value {
            Value::Formula(formula) if wanted == SortId::BOOL => self.constraint((formula, true)),
            Value::Term(term) if found == wanted => Ok(term),
            Value::Term(term)
                if wanted == SortId::REAL
                    && found == SortId::INT
                    && self.program.terms.number_value(term).is_some() =>
            {
                Ok(self.program.terms.to_real(term))
            }
            _ => Err(self.sort_mismatch(wanted, found, span)),
        }
    }

    fn sort_mismatch(&mut self, wanted: SortId, found: SortId, span: Span) -> Reported {
        let (wanted_text, found_text) = (
            self.program.terms.smtlib_sort(wanted),
            self.program.terms.smtlib_sort(found),
        );
        let message = format!("expected a term of sort {wanted_text}, found one of sort {found_text}");
        let error = Diagnostic::error(span.range(), message, format!("this is of sort {found_text}"));
        self.problems.report(match (wanted, found) {
            (SortId::REAL, SortId::INT) => error.help("write `(to_real …)` to see an integer as a real number"),
            (SortId::INT, SortId::REAL) => error.help("write `(to_int …)` to round a real number down"),
            _ => error,
        })
    }

    /// Arguments of one numeric sort: the given one, or real if one of them is, or integer.
    pub fn numbers(&mut self, arguments: &[Located], sort: Option<SortId>) -> Checked<(Vec<TermId>, SortId)> {
        let real = arguments.iter().any(|(value, _)| self.sort_of(*value) == SortId::REAL);
        let sort = sort.unwrap_or(if real { SortId::REAL } else { SortId::INT });
        let mut operands = Vec::with_capacity(arguments.len());
        for argument in arguments {
            operands.push(self.require_sort(*argument, sort)?);
        }
        Ok((operands, sort))
    }

    /// Arguments of one sort, which is the first one's, but for constants that are promoted.
    pub fn same_sort(&mut self, arguments: &[Located]) -> Checked<Vec<TermId>> {
        let mut sorts = arguments.iter().map(|(value, _)| self.sort_of(*value));
        let first = sorts.next().unwrap_or(SortId::BOOL);
        let wanted = if first == SortId::INT && sorts.any(|sort| sort == SortId::REAL) {
            SortId::REAL
        } else {
            first
        };
        let mut operands = Vec::with_capacity(arguments.len());
        for argument in arguments {
            operands.push(self.require_sort(*argument, wanted)?);
        }
        Ok(operands)
    }

    pub fn array(&mut self, (value, span): Located) -> Checked<(TermId, SortId, SortId)> {
        let found = self.sort_of(value);
        match (value, self.program.terms.sort_of_id(found)) {
            (Value::Term(term), Sort::Array(index, element)) => Ok((term, index, element)),
            _ => {
                let found = self.program.terms.smtlib_sort(found);
                let message = format!("expected an array, found a term of sort {found}");
                Err(self.problems.error(span, message, "not an array"))
            }
        }
    }

    /// The error for a function that cannot be read: of a theory that is not supported, or unknown.
    pub fn refuse_function(&mut self, name: &str, span: Span) -> Reported {
        let feature = if name.starts_with("str.") || name.starts_with("re.") {
            "strings"
        } else if name.starts_with("fp.") || name == "to_fp" {
            "floating-point numbers"
        } else if name.starts_with("seq.") {
            "sequences"
        } else {
            match name {
                "lambda" => "functions written with `lambda`",
                "_" | "as" | "divisible" | "map" => "indexed and qualified names other than `(as const …)`",
                _ => return self.unknown(name, span),
            }
        };
        self.problems.refuse(
            feature,
            span,
            "terms are made of integers, reals, Booleans, arrays, bit-vectors and datatypes",
        )
    }
}

fn coefficients(form: &LinearForm) -> impl Iterator<Item = &Rational> {
    form.terms
        .iter()
        .map(|(_, coefficient)| coefficient)
        .chain(std::iter::once(&form.constant))
}

/// The length of the longest number in a form, in bits.
fn longest(form: &LinearForm) -> u64 {
    let lengths = coefficients(form).map(|value| value.numer().bits().max(value.denom().bits()));
    lengths.max().unwrap_or(0)
}
