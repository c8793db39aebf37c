//! From terms to literals and columns.
//!
//! What is not linear becomes a column or a literal of its own, which may have any value: an unsatisfiable answer is then
//! still right, and a satisfiable one is checked by evaluation. Quotients and remainders by numbers, `if` over numbers and
//! the floor of a real are exact: fresh columns with the constraints that define them.

use super::boolean::Literal;
use super::number::Delta;
use super::search::Search;
use super::simplex::Column;
use crate::terms::{Comparison, Operator, Rational, SortId, TermId, Terms};
use hashbrown::HashMap;
use num_traits::{One, Signed, Zero};

/// `Σ coefficient·column + constant`.
#[derive(Clone, Default)]
struct Sum {
    entries: Vec<(Column, Rational)>,
    constant: Option<Rational>,
}

/// What was encoded so far.
#[derive(Default)]
pub struct Encoding {
    literals: HashMap<TermId, Literal>,
    columns: HashMap<TermId, Column>,
    forms: HashMap<Vec<(Column, Rational)>, Column>,
    /// Quotient and remainder by dividend and divisor.
    divisions: HashMap<(TermId, Rational), (Column, Column)>,
    /// Terms that contain something opaque.
    inexact: HashMap<TermId, ()>,
}

impl Encoding {
    /// The column of a variable or of a term that is treated as one.
    pub fn column(&self, term: TermId) -> Option<Column> {
        self.columns.get(&term).copied()
    }

    /// The literal of a formula.
    pub fn literal(&self, formula: TermId) -> Option<Literal> {
        self.literals.get(&formula).copied()
    }

    /// Whether a formula was encoded without loss.
    pub fn is_exact(&self, formula: TermId) -> bool {
        !self.inexact.contains_key(&formula)
    }
}

impl Search {
    /// The literal of a formula.
    pub fn encode(&mut self, terms: &Terms, formula: TermId) -> Literal {
        let mut stack = vec![formula];
        while let Some(&current) = stack.last() {
            if self.is_encoded(current) {
                stack.pop();
                continue;
            }
            let waiting = self.waiting_for(terms, current);
            if waiting.is_empty() {
                self.encode_one(terms, current);
                stack.pop();
            } else {
                stack.extend(waiting);
            }
        }
        self.encoding.literal(formula).unwrap_or(Literal::TRUE)
    }

    fn is_encoded(&self, term: TermId) -> bool {
        self.encoding.literals.contains_key(&term) || self.encoding.columns.contains_key(&term)
    }

    /// The parts of a term that must be encoded before it.
    fn waiting_for(&self, terms: &Terms, term: TermId) -> Vec<TermId> {
        let mut parts = parts_of(terms, term);
        parts.retain(|part| !self.is_encoded(*part));
        parts
    }

    fn encode_one(&mut self, terms: &Terms, term: TermId) {
        let exact = parts_of(terms, term).iter().all(|part| self.encoding.is_exact(*part));
        if !exact || is_opaque(terms, term) {
            self.encoding.inexact.insert(term, ());
        }
        if terms.sort(term) == SortId::BOOL {
            let literal = self.formula(terms, term);
            self.encoding.literals.insert(term, literal);
        } else {
            let column = self.numeric(terms, term);
            self.encoding.columns.insert(term, column);
        }
    }

    fn literals_of(&self, terms: &[TermId]) -> Vec<Literal> {
        terms.iter().filter_map(|term| self.encoding.literal(*term)).collect()
    }

    fn formula(&mut self, terms: &Terms, term: TermId) -> Literal {
        let literals = self.literals_of(terms.arguments(term));
        match (terms.operator(term), &literals[..]) {
            (Operator::True, _) => Literal::TRUE,
            (Operator::False, _) => Literal::FALSE,
            (Operator::Not, [only]) => !*only,
            (Operator::And, _) => self.formulas.conjunction(&mut self.boolean, literals),
            (Operator::Or, _) => self.formulas.disjunction(&mut self.boolean, literals),
            (Operator::Equal, [left, right]) => {
                let both = self.formulas.conjunction(&mut self.boolean, vec![*left, *right]);
                let none = self.formulas.conjunction(&mut self.boolean, vec![!*left, !*right]);
                self.formulas.disjunction(&mut self.boolean, vec![both, none])
            }
            _ => match terms.linear_atom(term) {
                Some(atom) => {
                    let mut sum = Sum::default();
                    for (part, coefficient) in &atom.form.terms {
                        self.add_part(terms, &mut sum, *part, coefficient);
                    }
                    sum.add_constant(&atom.form.constant);
                    self.compare(sum, atom.comparison)
                }
                None => self.formulas.free(&mut self.boolean),
            },
        }
    }

    /// Adds `coefficient·part` to a sum; the part must be encoded.
    fn add_part(&self, terms: &Terms, sum: &mut Sum, part: TermId, coefficient: &Rational) {
        if terms.operator(part) == Operator::ToReal {
            self.add_term(terms, sum, terms.arguments(part)[0], coefficient);
        } else if let Some(column) = self.encoding.column(part) {
            sum.add(column, coefficient);
        }
    }

    /// Adds `coefficient·term` to a sum; the term's parts must be encoded.
    fn add_term(&self, terms: &Terms, sum: &mut Sum, term: TermId, coefficient: &Rational) {
        let form = terms.linear_form(term);
        for (part, factor) in &form.terms {
            // No deeper: what is under a `ToReal` is over integers, where there is no other.
            self.add_part(terms, sum, *part, &(factor * coefficient));
        }
        sum.add_constant(&(&form.constant * coefficient));
    }

    /// The literal of `sum ⋈ 0`.
    fn compare(&mut self, sum: Sum, comparison: Comparison) -> Literal {
        let constant = sum.constant.unwrap_or(Rational::ZERO);
        let mut entries = sum.entries;
        entries.retain(|(_, coefficient)| !coefficient.is_zero());
        let Some((_, first)) = entries.first() else {
            let holds = match comparison {
                Comparison::Equal => constant.is_zero(),
                Comparison::LessOrEqual => !constant.is_positive(),
                Comparison::Less => constant.is_negative(),
            };
            return if holds { Literal::TRUE } else { Literal::FALSE };
        };
        let flipped = first.is_negative();
        let mut factor = Rational::normalizing_factor(entries.iter().map(|(_, coefficient)| coefficient));
        if flipped {
            factor = -&factor;
        }
        if !factor.is_one() {
            for (_, coefficient) in &mut entries {
                *coefficient *= &factor;
            }
        }
        let bound = -(constant * &factor);
        let column = self.form_column(entries);
        let (boolean, simplex, formulas) = (&mut self.boolean, &self.simplex, &mut self.formulas);
        // `c < f` is `c + ε =< f`, and over integers the bounds are rounded to this side of it.
        let slope = match comparison {
            Comparison::Equal => return formulas.equality(boolean, simplex, column, bound),
            Comparison::LessOrEqual => Rational::ZERO,
            Comparison::Less => Rational::ONE,
        };
        if flipped {
            formulas.at_least(boolean, simplex, column, Delta { main: bound, slope })
        } else {
            let slope = -&slope;
            formulas.at_most(boolean, simplex, column, Delta { main: bound, slope })
        }
    }

    /// The column of a normalized form.
    fn form_column(&mut self, entries: Vec<(Column, Rational)>) -> Column {
        if let [(column, _)] = entries[..] {
            return column;
        }
        if let Some(column) = self.encoding.forms.get(&entries) {
            return *column;
        }
        let integral = entries.iter().all(|(column, _)| self.simplex.is_integral(*column));
        let column = self.simplex.add_form(entries.clone(), integral);
        self.encoding.forms.insert(entries, column);
        column
    }

    /// The column of a numeric term that is no sum.
    fn numeric(&mut self, terms: &Terms, term: TermId) -> Column {
        let column = self.simplex.add_variable(terms.sort(term) == SortId::INT);
        let arguments = terms.arguments(term);
        match (terms.operator(term), arguments) {
            (Operator::IfThenElse, [condition, left, right]) => {
                let condition = self.encoding.literal(*condition).unwrap_or(Literal::TRUE);
                let then = self.equals(terms, column, *left);
                let otherwise = self.equals(terms, column, *right);
                for (when, what) in [(condition, then), (!condition, otherwise)] {
                    let definition = self.formulas.disjunction(&mut self.boolean, vec![!when, what]);
                    self.require(definition);
                }
            }
            (Operator::IntegerDivide | Operator::Modulo, [dividend, divisor]) => {
                let Some(divisor) = nonzero(terms, *divisor) else {
                    return column;
                };
                let modulo = terms.operator(term) == Operator::Modulo;
                return self.division(terms, *dividend, &divisor, modulo, column);
            }
            (Operator::ToInteger, [real]) => {
                // 0 =< real - column < 1
                let mut sum = Sum::default();
                self.add_term(terms, &mut sum, *real, &Rational::ONE);
                sum.add(column, &-&Rational::ONE);
                let mut below = sum.clone();
                below.add_constant(&-&Rational::ONE);
                let below = self.compare(below, Comparison::Less);
                self.require(below);
                let above = self.compare(sum.negated(), Comparison::LessOrEqual);
                self.require(above);
            }
            _ => {}
        }
        column
    }

    /// The quotient or the remainder of a division, which have their columns in common: `dividend = divisor·quotient +
    /// remainder`. The column `new` becomes the first of them that is asked for.
    fn division(&mut self, terms: &Terms, dividend: TermId, divisor: &Rational, modulo: bool, new: Column) -> Column {
        let known = self.encoding.divisions.get(&(dividend, divisor.clone()));
        if let Some((quotient, remainder)) = known {
            return if modulo { *remainder } else { *quotient };
        }
        let other = self.simplex.add_variable(true);
        let (quotient, remainder) = if modulo { (other, new) } else { (new, other) };
        let divisions = &mut self.encoding.divisions;
        divisions.insert((dividend, divisor.clone()), (quotient, remainder));
        let mut sum = Sum::default();
        self.add_term(terms, &mut sum, dividend, &Rational::ONE);
        sum.add(quotient, &-divisor);
        sum.add(remainder, &-&Rational::ONE);
        let definition = self.compare(sum, Comparison::Equal);
        self.require(definition);
        self.require_between(remainder, &(divisor.abs() - Rational::ONE));
        new
    }

    fn require_between(&mut self, column: Column, greatest: &Rational) {
        let (boolean, simplex, formulas) = (&mut self.boolean, &self.simplex, &mut self.formulas);
        let low = formulas.at_least(boolean, simplex, column, Delta::ZERO);
        let high = formulas.at_most(boolean, simplex, column, Delta::exactly(greatest.clone()));
        self.require(low);
        self.require(high);
    }

    /// The literal of `column = term`.
    fn equals(&mut self, terms: &Terms, column: Column, term: TermId) -> Literal {
        let mut sum = Sum::default();
        self.add_term(terms, &mut sum, term, &Rational::ONE);
        sum.add(column, &-&Rational::ONE);
        self.compare(sum, Comparison::Equal)
    }
}

impl Sum {
    fn add(&mut self, column: Column, coefficient: &Rational) {
        match self.entries.binary_search_by_key(&column, |(other, _)| *other) {
            Ok(place) => {
                let old = &mut self.entries[place].1;
                *old += coefficient;
            }
            Err(place) => self.entries.insert(place, (column, coefficient.clone())),
        }
    }

    fn add_constant(&mut self, constant: &Rational) {
        let old = self.constant.take().unwrap_or(Rational::ZERO);
        self.constant = Some(old + constant);
    }

    fn negated(&self) -> Sum {
        Sum {
            entries: self.entries.iter().map(|(column, c)| (*column, -c)).collect(),
            constant: self.constant.as_ref().map(|constant| -constant),
        }
    }
}

/// A divisor by which quotients are defined.
fn nonzero(terms: &Terms, divisor: TermId) -> Option<Rational> {
    let value = terms.number_value(divisor)?;
    (!value.is_zero()).then(|| value.clone())
}

/// The terms that must have literals or columns before a term has one.
fn parts_of(terms: &Terms, term: TermId) -> Vec<TermId> {
    if is_opaque(terms, term) {
        return Vec::new();
    }
    let arguments = terms.arguments(term);
    match terms.operator(term) {
        Operator::Not | Operator::And | Operator::Or => arguments.to_vec(),
        Operator::Equal if terms.sort(arguments[0]) == SortId::BOOL => arguments.to_vec(),
        Operator::Equal | Operator::Less | Operator::LessOrEqual => summands(terms, arguments),
        Operator::IfThenElse => {
            let mut parts = summands(terms, &arguments[1..]);
            parts.push(arguments[0]);
            parts
        }
        Operator::IntegerDivide | Operator::Modulo | Operator::ToInteger => summands(terms, &arguments[..1]),
        _ => Vec::new(),
    }
}

/// What sums are made of.
fn summands(terms: &Terms, sums: &[TermId]) -> Vec<TermId> {
    let mut parts = Vec::new();
    for sum in sums {
        for (part, _) in terms.linear_form(*sum).terms {
            if terms.operator(part) == Operator::ToReal {
                let inner = terms.linear_form(terms.arguments(part)[0]);
                parts.extend(inner.terms.into_iter().map(|(part, _)| part));
            } else {
                parts.push(part);
            }
        }
    }
    parts
}

/// Whether nothing is known here of a term but its name.
fn is_opaque(terms: &Terms, term: TermId) -> bool {
    let arguments = terms.arguments(term);
    match terms.operator(term) {
        Operator::Multiply | Operator::Divide | Operator::Select => true,
        Operator::Construct(_)
        | Operator::Field(_)
        | Operator::IsMadeBy(_)
        | Operator::Measure(_)
        | Operator::Apply(_)
        | Operator::Word(_)
        | Operator::Float(_) => true,
        Operator::IfThenElse => !terms.sort(term).is_numeric(),
        Operator::IntegerDivide | Operator::Modulo => nonzero(terms, arguments[1]).is_none(),
        Operator::Equal => {
            let sort = terms.sort(arguments[0]);
            !sort.is_numeric() && sort != SortId::BOOL
        }
        _ => false,
    }
}
