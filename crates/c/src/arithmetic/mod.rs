//! C's arithmetic as integer terms, exactly.
//!
//! An expression becomes a term together with the interval of its values. Signed operations are mathematical, with an
//! [`Obligation`] where the result may leave its type; unsigned ones wrap around, by cases where that is at most a few
//! times, and with `mod` otherwise. Bit operations (`bits`) are quotients and remainders where few of these say it, and operations
//! on machine words otherwise. A value that is one thing or another gets a variable of its own, defined by a disjunction: the engine splits those, which serves it better than
//! conditional terms.

mod bits;
mod division;
mod floats;
mod real;
#[cfg(test)]
mod tests;
mod truth;
mod wrapping;

pub(crate) use bits::has_words;
pub(crate) use floats::{format_of, sort_of_numeric};
pub(crate) use truth::Truth;
use wrapping::Wrapped;

use super::flat::{FlatExpression, FlatVariable, Leaf};
use super::options::{Checks, Floats, Undefined};
use super::program::{BinaryOperator, ErrorKind, ExpressionKind, Numeric, UnaryOperator};
use super::ranges::{Interval, Ranges, State};
use super::syntax::Span;
use crate::terms::{FloatOperator, Operator, Rational, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;
use num_traits::One;

/// The terms that variables have.
pub(crate) type Values = im::OrdMap<FlatVariable, TermId>;

/// A term for a value.
#[derive(Clone, Debug)]
pub(crate) struct Lowered {
    /// The term.
    pub term: TermId,
    /// Its values.
    pub interval: Interval,
    /// How many of the lowest bits are zero for certain.
    pub zero_bits: u64,
}

/// What must hold for an operation to be defined.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    /// What must hold, and its negation.
    pub condition: Truth,
    /// What it is if it does not.
    pub kind: ErrorKind,
    /// What can be said of it then: a sentence with `{}` where the values belong.
    pub text: &'static str,
    /// The values in the text.
    pub values: Vec<TermId>,
    /// Where the operation is written, if that is known.
    pub written: Option<Span>,
}

/// A conjunct of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Conjunct {
    /// The formula.
    pub formula: TermId,
    /// The variable that it defines, if it is there only for that.
    pub defines: Option<TermId>,
}

/// What has come up while expressions of one path became terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// Conjuncts, in order.
    pub conjuncts: Vec<Conjunct>,
    /// The defined variables, each with a term for its value without other defined variables.
    pub definitions: Vec<(TermId, TermId)>,
    /// What variables that are 0 or 1 say.
    truths: HashMap<TermId, Truth>,
    /// What values that were brought into their types were before.
    wrapped: HashMap<TermId, Wrapped>,
    /// Values of variables to which nothing is assigned that may have left its type.
    in_their_types: HashSet<TermId>,
    /// The variables that were defined by cases: conditions and values.
    by_cases: HashMap<Vec<(TermId, TermId)>, TermId>,
    /// Conditions of definedness that nobody has looked at yet.
    pub obligations: Vec<Obligation>,
}

/// What becomes of what C leaves open.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// The intervals.
    pub ranges: &'a Ranges<'a>,
    /// What becomes of undefined runs.
    pub undefined: Undefined,
    /// What floating-point numbers are.
    pub floats: Floats,
    /// Whether obligations are wanted.
    pub obligations: bool,
    /// Whether the program has operations on words: these are decided where integers have bounds.
    pub has_words: bool,
    /// What is an error, and does not only end the run.
    pub checks: Checks,
    /// Whether the array may hold values of which nothing is said elsewhere.
    pub is_unknown_array: &'a dyn Fn(FlatVariable) -> bool,
    /// Whether something is assigned to a variable, by its number, that may have left its type.
    pub may_overflow: &'a [bool],
}

/// Makes terms of the expressions at one place.
pub(crate) struct Lowering<'a> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// The rules of the game.
    pub rules: Rules<'a>,
    /// The variables' terms.
    pub values: &'a Values,
    /// The variables' intervals.
    pub state: State,
    /// What comes up.
    pub record: &'a mut Record,
    /// Under which conditions the present part of the expression is evaluated.
    context: Vec<Truth>,
    /// How many of these conditions have narrowed the intervals.
    refinements: usize,
    /// Where the present part of the expression is written.
    written: Option<Span>,
}

impl<'a> Lowering<'a> {
    /// For expressions at a place where the variables have these terms and intervals.
    pub fn new(
        terms: &'a mut Terms,
        rules: Rules<'a>,
        values: &'a Values,
        state: State,
        record: &'a mut Record,
    ) -> Lowering<'a> {
        Lowering {
            terms,
            rules,
            values,
            state,
            record,
            context: Vec::new(),
            refinements: 0,
            written: None,
        }
    }

    /// The term of an expression.
    pub fn value(&mut self, expression: &FlatExpression) -> Lowered {
        let outer = self.written;
        self.written = expression.written.0.or(outer);
        let lowered = self.part(expression);
        self.written = outer;
        lowered
    }

    fn part(&mut self, expression: &FlatExpression) -> Lowered {
        match &expression.kind {
            ExpressionKind::Integer(value) => match expression.numeric {
                Numeric::Floating(_) => {
                    let number = Rational::from_integer(value.clone());
                    self.floating(&number, expression.numeric)
                }
                _ => self.number(value.clone()),
            },
            ExpressionKind::Floating(value) => self.floating(value, expression.numeric),
            ExpressionKind::Read(Leaf::Variable(variable)) => self.variable(*variable),
            ExpressionKind::Read(Leaf::Element(array, index)) => {
                let index = self.value(index);
                self.element(*array, index.term)
            }
            // These do not occur in flat programs.
            ExpressionKind::AddressOf(_) | ExpressionKind::FunctionAddress(_) => self.number(BigInt::from(0)),
            ExpressionKind::Unary(UnaryOperator::Not, _) => self.truth_value(expression),
            ExpressionKind::Unary(UnaryOperator::Float(FloatOperator::OfBits), operand) => {
                let operand = self.value(operand);
                self.float_of_bits(&operand, expression.numeric)
            }
            ExpressionKind::Unary(operator, operand) => {
                let is_floating = matches!(operand.numeric, Numeric::Floating(_));
                let operand = self.value(operand);
                match is_floating {
                    true => self.float_unary(*operator, &operand, expression.numeric),
                    false => self.unary(*operator, &operand, expression.numeric),
                }
            }
            ExpressionKind::Binary(operator, ..) if operator.is_truth() => self.truth_value(expression),
            ExpressionKind::Binary(operator, left, right) => {
                let (a, b) = (self.value(left), self.value(right));
                match expression.numeric {
                    Numeric::Floating(_) => self.float_binary(*operator, &a, &b),
                    _ => self.binary(*operator, &a, &b, expression.numeric),
                }
            }
            ExpressionKind::Convert(operand) => self.convert(operand, expression.numeric),
            ExpressionKind::Fused(left, right, added) => {
                let operands = [left, right, added].map(|operand| self.value(operand));
                self.fused(&operands)
            }
            ExpressionKind::Conditional(condition, consequence, alternative) => {
                self.conditional([condition, consequence, alternative], expression.numeric)
            }
        }
    }

    fn number(&mut self, value: BigInt) -> Lowered {
        let zero_bits = value.trailing_zeros().unwrap_or(u64::MAX);
        Lowered {
            term: self.terms.integer(value.clone()),
            interval: Interval::point(value),
            zero_bits,
        }
    }

    fn variable(&mut self, variable: FlatVariable) -> Lowered {
        let numeric = self.rules.ranges.variable(variable).numeric;
        if let Numeric::Floating(_) = numeric {
            let known = self.values.get(&variable).copied();
            return match known {
                Some(term) => unbounded(term),
                None => self.floating(&Rational::default(), numeric),
            };
        }
        let interval = self.rules.ranges.get(&self.state, variable);
        if let Some(value) = interval.as_point() {
            return self.number(value.clone());
        }
        let term = match self.values.get(&variable) {
            Some(term) => *term,
            None => self.terms.integer(0),
        };
        match self.terms.number_value(term).filter(|value| value.is_integer()) {
            Some(value) if self.terms.sort(term) == SortId::INT => {
                let value = value.to_integer();
                self.number(value)
            }
            _ => {
                if self.rules.may_overflow.get(variable.0 as usize) == Some(&false) {
                    self.record.in_their_types.insert(term);
                }
                lowered(term, interval)
            }
        }
    }

    fn element(&mut self, array: FlatVariable, index: TermId) -> Lowered {
        let interval = self.rules.ranges.get(&self.state, array);
        let Some(values) = self.values.get(&array).copied() else {
            let numeric = self.rules.ranges.variable(array).numeric;
            return match numeric {
                Numeric::Floating(_) => self.floating(&Rational::default(), numeric),
                _ => self.number(BigInt::from(0)),
            };
        };
        let term = self.terms.select(values, index);
        let numeric = self.rules.ranges.variable(array).numeric;
        if (self.rules.is_unknown_array)(array)
            && self.terms.operator(term) == Operator::Select
            && let Some(range) = self.rules.input_range(numeric)
        {
            for formula in self.inside(term, &range, &Interval::all()) {
                self.fact(formula);
            }
        }
        lowered(term, interval)
    }

    /// Adds a conjunct, unless it is there.
    fn fact(&mut self, formula: TermId) {
        let known = self.record.conjuncts.iter().any(|conjunct| conjunct.formula == formula);
        if formula != TermId::TRUE && !known {
            self.record.conjuncts.push(Conjunct { formula, defines: None });
        }
    }

    /// The bounds of `range` that values of the interval `known` may violate.
    pub fn inside(&mut self, term: TermId, range: &Interval, known: &Interval) -> Vec<TermId> {
        let mut formulas = Vec::new();
        if let Some(low) = &range.low
            && known.low.as_ref().is_none_or(|known| known < low)
        {
            let low = self.terms.integer(low.clone());
            formulas.push(self.terms.less_or_equal(low, term));
        }
        if let Some(high) = &range.high
            && known.high.as_ref().is_none_or(|known| known > high)
        {
            let high = self.terms.integer(high.clone());
            formulas.push(self.terms.less_or_equal(term, high));
        }
        formulas
    }

    /// The text and values tell how it is if the condition fails.
    fn oblige(&mut self, yes: TermId, kind: ErrorKind, text: &'static str, values: &[TermId]) {
        if !self.rules.obligations || yes == TermId::TRUE {
            return;
        }
        let no = self.terms.not(yes);
        let mut condition = Truth { yes, no };
        for outer in self.context.iter().rev() {
            condition = Truth {
                yes: self.terms.or(&[outer.no, condition.yes]),
                no: self.terms.and(&[outer.yes, condition.no]),
            };
        }
        self.record.obligations.push(Obligation {
            condition,
            kind,
            text,
            values: values.to_vec(),
            written: self.written,
        });
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Lowered, numeric: Numeric) -> Lowered {
        let minuend = match (operator, numeric) {
            (UnaryOperator::BitNot, Numeric::Integer(kind)) if !kind.signed => kind.maximum(),
            (UnaryOperator::BitNot, _) => -BigInt::one(),
            _ => BigInt::from(0),
        };
        let minuend = self.number(minuend);
        let difference = self.sum(BinaryOperator::Subtract, [&minuend, operand], numeric);
        Lowered {
            zero_bits: 0,
            ..difference
        }
    }

    fn binary(&mut self, operator: BinaryOperator, a: &Lowered, b: &Lowered, numeric: Numeric) -> Lowered {
        let keeps_zero_bits = matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract);
        let zero_bits = match operator {
            BinaryOperator::Multiply => a.zero_bits.saturating_add(b.zero_bits),
            _ if keeps_zero_bits => a.zero_bits.min(b.zero_bits),
            _ => 0,
        };
        let raw = self.rules.ranges.binary(operator, &a.interval, &b.interval, numeric);
        let result = match operator {
            BinaryOperator::Add
            | BinaryOperator::PointerAdd
            | BinaryOperator::Subtract
            | BinaryOperator::PointerDifference
            | BinaryOperator::Multiply => self.sum(operator, [a, b], numeric),
            BinaryOperator::Divide => self.quotient(a, b, raw, numeric),
            BinaryOperator::Remainder => self.remainder(a, b, raw, numeric),
            BinaryOperator::ShiftLeft => return self.shift_left(a, b, raw, numeric),
            BinaryOperator::ShiftRight => self.shift_right(a, b, raw, numeric),
            BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor => {
                return self.bit_operation(operator, a, b, raw, numeric);
            }
            // Truth values have been dealt with.
            _ => lowered(a.term, raw),
        };
        Lowered { zero_bits, ..result }
    }

    /// Brings a result into its type: an obligation if it is signed, wrapped if it is not.
    fn settle(&mut self, term: TermId, raw: Interval, numeric: Numeric) -> Lowered {
        let Numeric::Integer(kind) = numeric else {
            return lowered(term, raw);
        };
        if !self.is_machine() {
            return lowered(term, raw);
        }
        if self.rules.ranges.arithmetic().wraps(kind) {
            return self.wrap(term, raw, kind);
        }
        let range = Interval::of_type(kind);
        let bounds = self.inside(term, &range, &raw);
        let inside = self.terms.and(&bounds);
        let text = "a signed operation overflows: {} is no value of its type, whose values are {} to {}";
        let [least, greatest] = [kind.minimum(), kind.maximum()].map(|bound| self.terms.integer(bound));
        self.oblige(inside, ErrorKind::Overflow, text, &[term, least, greatest]);
        lowered(term, self.rules.ranges.settled(&raw, numeric))
    }

    fn is_machine(&self) -> bool {
        self.rules.ranges.arithmetic().is_machine()
    }

    /// A term for a value that depends on conditions of which exactly one holds.
    pub fn by_cases(&mut self, name: &str, cases: &[(TermId, TermId)]) -> TermId {
        let possible: Vec<(TermId, TermId)> = cases
            .iter()
            .copied()
            .filter(|(condition, _)| *condition != TermId::FALSE)
            .collect();
        let possible = self.with_context(possible);
        let Some((last, rest)) = possible.split_last() else {
            return self.terms.integer(0);
        };
        if rest.iter().all(|(_, value)| *value == last.1) {
            return last.1;
        }
        // What was told apart before on the path is not told apart again.
        if let Some(variable) = self.record.by_cases.get(&possible) {
            return *variable;
        }
        let mut explicit = self.record.without_definitions(self.terms, last.1);
        for (condition, value) in rest.iter().rev() {
            let condition = self.record.without_definitions(self.terms, *condition);
            let value = self.record.without_definitions(self.terms, *value);
            explicit = self.terms.if_then_else(condition, value, explicit);
        }
        let variable = self.terms.fresh_variable(name, self.terms.sort(last.1));
        self.record.by_cases.insert(possible.clone(), variable);
        let disjuncts: Vec<TermId> = possible
            .iter()
            .map(|(condition, value)| {
                let equation = self.terms.equal(variable, *value);
                self.terms.and(&[*condition, equation])
            })
            .collect();
        let formula = self.terms.or(&disjuncts);
        self.record.conjuncts.push(Conjunct {
            formula,
            defines: Some(variable),
        });
        self.record.definitions.push((variable, explicit));
        variable
    }

    /// Cases that hold everywhere, of cases that hold where the present part of the expression is evaluated. Intervals that
    /// are narrower there leave cases out that occur elsewhere, and a definition is a conjunct of the whole rule.
    fn with_context(&mut self, cases: Vec<(TermId, TermId)>) -> Vec<(TermId, TermId)> {
        let is_everything = match cases.as_slice() {
            [] | [_] => true,
            [(first, _), (second, _)] => self.terms.not(*first) == *second,
            _ => false,
        };
        let one_value = cases
            .iter()
            .all(|(_, value)| cases.first().is_some_and(|(_, first)| value == first));
        if self.refinements == 0 || is_everything || one_value {
            return cases;
        }
        let (yes, no): (Vec<TermId>, Vec<TermId>) = self.context.iter().map(|truth| (truth.yes, truth.no)).unzip();
        let (here, elsewhere) = (self.terms.and(&yes), self.terms.or(&no));
        let nothing = match cases.first().map(|(_, value)| self.terms.sort(*value)) {
            Some(sort) => {
                let value = self.terms.default_value(sort);
                self.terms.value_term(&value, sort)
            }
            None => self.terms.integer(0),
        };
        let mut everywhere = vec![(elsewhere, nothing)];
        for (condition, value) in cases {
            everywhere.push((self.terms.and(&[here, condition]), value));
        }
        everywhere
    }

    fn convert(&mut self, operand: &FlatExpression, to: Numeric) -> Lowered {
        match (operand.numeric, to) {
            (_, Numeric::Integer(kind)) if kind.bits == 1 => {
                let truth = self.truth(operand);
                self.truth_number(truth)
            }
            (Numeric::Floating(_), Numeric::Integer(kind)) => {
                let operand = self.value(operand);
                self.integer_of_float(&operand, kind)
            }
            (Numeric::Floating(_), _) => {
                let operand = self.value(operand);
                self.float_to_float(&operand, to)
            }
            (from, Numeric::Floating(_)) => {
                let operand = self.value(operand);
                self.float_of_integer(&operand, from, to)
            }
            (Numeric::Pointer, Numeric::Integer(kind)) if kind.bits >= 32 => self.value(operand),
            (_, Numeric::Integer(kind)) if self.is_machine() => {
                let value = self.value(operand);
                let zero_bits = value.zero_bits.min(u64::from(kind.bits));
                let wrapped = self.converted(&value, kind);
                Lowered { zero_bits, ..wrapped }
            }
            _ => self.value(operand),
        }
    }

    fn conditional(&mut self, parts: [&FlatExpression; 3], numeric: Numeric) -> Lowered {
        let [condition, consequence, alternative] = parts;
        let truth = self.truth(condition);
        let first = self.under(condition, true, truth, |lowering| lowering.value(consequence));
        let second = self.under(condition, false, truth, |lowering| lowering.value(alternative));
        match truth.decided() {
            Some(true) => return first,
            Some(false) => return second,
            None => {}
        }
        let term = self.by_cases("Choice", &[(truth.yes, first.term), (truth.no, second.term)]);
        let interval = match numeric {
            Numeric::Floating(_) => Interval::all(),
            _ => first.interval.join(&second.interval),
        };
        Lowered {
            term,
            interval,
            zero_bits: first.zero_bits.min(second.zero_bits),
        }
    }
}

impl Rules<'_> {
    /// What is said of unknown values of a type; `None` for nothing.
    pub fn input_range(&self, numeric: Numeric) -> Option<Interval> {
        let Numeric::Integer(kind) = numeric else {
            return None;
        };
        let ideal = !self.ranges.arithmetic().is_machine();
        let large = !self.ranges.arithmetic().wraps(kind) && kind.bits >= 32;
        let left_out = ideal || (large && self.undefined == Undefined::GoesOn && !self.has_words);
        (kind.bits == 1 || !left_out).then(|| Interval::of_type(kind))
    }
}

impl Record {
    /// The term with the defined variables replaced by what they are.
    pub fn without_definitions(&self, terms: &mut Terms, term: TermId) -> TermId {
        if self.definitions.is_empty() {
            return term;
        }
        let mut substitution = crate::terms::Substitution::new();
        for (variable, value) in &self.definitions {
            substitution.insert(terms, *variable, *value);
        }
        terms.substitute(term, &substitution)
    }
}

/// A term of which nothing is known but its interval.
fn lowered(term: TermId, interval: Interval) -> Lowered {
    Lowered {
        term,
        interval,
        zero_bits: 0,
    }
}

/// A term of which nothing is known.
fn unbounded(term: TermId) -> Lowered {
    lowered(term, Interval::all())
}
