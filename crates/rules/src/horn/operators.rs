//! The functions of SMT-LIB's core, arithmetic and array theories: which there are, what sorts they take, and the terms they
//! make. Wherever reals are wanted an integer constant is taken for one, as CHC-COMP's files expect.

use super::floats::FloatFunction;
use super::formula::FormulaId;
use super::generics::{Constructed, Selected};
use super::lexer::Span;
use super::problems::{Checked, Reported};
use super::reader::{Reader, Value};
use super::terms::Located;
use super::words::WordFunction;
use crate::rules::PredicateId;
use crate::terms::{LinearForm, Rational, Sort, SortId, TermId};
use num_traits::{One, Zero};

/// What is applied to arguments.
pub(super) enum Application {
    Theory(Theory),
    /// A sum; `true` marks the arguments that are subtracted.
    Sum(Vec<bool>),
    Predicate(PredicateId),
    /// The index of a macro.
    Macro(usize),
    ConstantArray(SortId),
    Constructor(Constructed),
    Field(Selected),
    /// Whether a term was made by a constructor.
    Tester(Constructed),
    Word(WordFunction),
    Float(FloatFunction),
    /// The value of a `match` from those of its cases: the first whose condition holds.
    Cases(Vec<TermId>),
}

/// A function of the theories, except for sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Theory {
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    IfThenElse,
    Sum,
    Multiply,
    Divide,
    IntegerDivide,
    Modulo,
    Absolute,
    ToReal,
    ToInteger,
    IsInteger,
    LessOrEqual,
    Less,
    GreaterOrEqual,
    Greater,
    Select,
    Store,
}

impl Theory {
    /// The function of this name.
    pub fn of(name: &str) -> Option<Theory> {
        Some(match name {
            "not" => Theory::Not,
            "and" => Theory::And,
            "or" => Theory::Or,
            "xor" => Theory::Xor,
            "=>" | "implies" => Theory::Implies,
            "=" | "iff" => Theory::Equal,
            "distinct" => Theory::Distinct,
            "ite" => Theory::IfThenElse,
            "+" | "-" => Theory::Sum,
            "*" => Theory::Multiply,
            "/" => Theory::Divide,
            "div" => Theory::IntegerDivide,
            "mod" => Theory::Modulo,
            "abs" => Theory::Absolute,
            "to_real" => Theory::ToReal,
            "to_int" => Theory::ToInteger,
            "is_int" => Theory::IsInteger,
            "<=" => Theory::LessOrEqual,
            "<" => Theory::Less,
            ">=" => Theory::GreaterOrEqual,
            ">" => Theory::Greater,
            "select" => Theory::Select,
            "store" => Theory::Store,
            _ => return None,
        })
    }

    /// The least and, if there is one, the greatest number of arguments.
    fn arity(self) -> (usize, Option<usize>) {
        match self {
            Theory::Not | Theory::Absolute | Theory::ToReal | Theory::ToInteger | Theory::IsInteger => (1, Some(1)),
            Theory::Modulo | Theory::Select => (2, Some(2)),
            Theory::IfThenElse | Theory::Store => (3, Some(3)),
            Theory::And | Theory::Or => (0, None),
            Theory::Sum | Theory::Multiply => (1, None),
            _ => (2, None),
        }
    }
}

impl Reader<'_> {
    /// The value of an application.
    pub fn apply(&mut self, application: Application, arguments: &[Located], span: Span) -> Checked<Value> {
        match application {
            Application::Theory(function) => self.apply_theory(function, arguments, span),
            Application::Sum(signs) => Ok(Value::Term(self.sum(&signs, arguments, span)?)),
            Application::Predicate(predicate) => self.atom(predicate, arguments, span),
            Application::ConstantArray(sort) => {
                let (Sort::Array(_, element), [value]) = (self.program.terms.sort_of_id(sort), arguments) else {
                    let message = "`as const` needs an array sort";
                    return Err(self.problems.error(span, message, "not the sort of an array"));
                };
                let value = self.require_sort(*value, element)?;
                Ok(Value::Term(self.program.terms.constant_array(sort, value)))
            }
            Application::Constructor(constructor) => {
                Ok(Value::Term(self.apply_constructor(constructor, arguments, span)?))
            }
            Application::Field(field) => Ok(Value::Term(self.apply_field(field, arguments, span)?)),
            Application::Tester(constructor) => Ok(Value::Term(self.apply_tester(constructor, arguments, span)?)),
            Application::Word(function) => self.apply_word(function, arguments, span),
            Application::Float(function) => self.apply_float(function, arguments, span),
            Application::Cases(conditions) => self.first_case(&conditions, arguments, span),
            // Macros are called where tasks are made.
            Application::Macro(_) => Err(Reported),
        }
    }

    fn apply_theory(&mut self, function: Theory, arguments: &[Located], span: Span) -> Checked<Value> {
        let (least, most) = function.arity();
        if arguments.len() < least || most.is_some_and(|most| arguments.len() > most) {
            let wanted = if most == Some(least) {
                least.to_string()
            } else {
                format!("at least {least}")
            };
            let label = format!("{} given, {wanted} needed", arguments.len());
            return Err(self.problems.error(span, "wrong number of arguments", label));
        }
        let term = match (function, arguments) {
            (Theory::Equal, _) => return self.equality(arguments, span),
            (Theory::Distinct, _) => return self.distinct(arguments, span),
            (Theory::IfThenElse, [condition, left, right]) => {
                return self.if_then_else(*condition, *left, *right, span);
            }
            (Theory::Not | Theory::And | Theory::Or | Theory::Xor | Theory::Implies, _) => {
                return self.connective(function, arguments, span);
            }
            (Theory::LessOrEqual | Theory::Less | Theory::GreaterOrEqual | Theory::Greater, _) => {
                self.comparison(function, arguments, span)?
            }
            (Theory::Sum, _) => self.sum(&vec![false; arguments.len()], arguments, span)?,
            (Theory::Multiply, _) => {
                let (factors, _) = self.numbers(arguments, None)?;
                self.fold(&factors, span, |reader, product, factor| {
                    reader.charge_product(product, factor, span)?;
                    let product = reader.program.terms.multiply(product, factor);
                    reader.check_product(product, span)
                })?
            }
            (Theory::Divide, _) => {
                let (operands, _) = self.numbers(arguments, Some(SortId::REAL))?;
                self.fold(&operands, span, |reader, quotient, divisor| {
                    reader.charge_product(quotient, divisor, span)?;
                    let quotient = reader.program.terms.divide(quotient, divisor);
                    reader.check_product(quotient, span)
                })?
            }
            (Theory::IntegerDivide, _) => {
                let (operands, _) = self.numbers(arguments, Some(SortId::INT))?;
                self.fold(&operands, span, |reader, quotient, divisor| {
                    Ok(reader.program.terms.integer_divide(quotient, divisor))
                })?
            }
            (Theory::Modulo, [left, right]) => {
                let (left, right) = (
                    self.require_sort(*left, SortId::INT)?,
                    self.require_sort(*right, SortId::INT)?,
                );
                self.program.terms.modulo(left, right)
            }
            (Theory::Absolute, _) => {
                let (operands, _) = self.numbers(arguments, None)?;
                self.fold(&operands, span, |_, term, _| Ok(term))
                    .map(|term| self.program.terms.absolute(term))?
            }
            (Theory::ToReal, [argument]) => {
                let argument = self.require_sort(*argument, SortId::INT)?;
                self.program.terms.to_real(argument)
            }
            (Theory::ToInteger, [argument]) => {
                let argument = self.require_sort(*argument, SortId::REAL)?;
                self.program.terms.to_integer(argument)
            }
            (Theory::IsInteger, [argument]) => {
                let argument = self.require_sort(*argument, SortId::REAL)?;
                let floor = self.program.terms.to_integer(argument);
                let rounded = self.program.terms.to_real(floor);
                self.program.terms.equal(argument, rounded)
            }
            (Theory::Select, [array, index]) => {
                let (array, index_sort, _) = self.array(*array)?;
                let index = self.require_sort(*index, index_sort)?;
                self.charge_stores(array, span)?;
                self.program.terms.select(array, index)
            }
            (Theory::Store, [array, index, value]) => {
                let (array, index_sort, element_sort) = self.array(*array)?;
                let index = self.require_sort(*index, index_sort)?;
                let value = self.require_sort(*value, element_sort)?;
                self.program.terms.store(array, index, value)
            }
            // The numbers of arguments have been checked above.
            _ => return Err(Reported),
        };
        Ok(Value::Term(term))
    }

    /// Not, and, or, xor, implication: they stay formulas, because there may be predicates below.
    fn connective(&mut self, function: Theory, arguments: &[Located], span: Span) -> Checked<Value> {
        let mut parts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            parts.push(self.formula(*argument)?);
        }
        let formulas = &mut self.formulas;
        Ok(Value::Formula(match (function, &parts[..]) {
            (Theory::Not, [argument]) => formulas.not(*argument, span),
            (Theory::And, _) => formulas.and(parts, span),
            (Theory::Or, _) => formulas.or(parts, span),
            (Theory::Implies, [premises @ .., conclusion]) => {
                let mut disjuncts: Vec<_> = premises.iter().map(|premise| formulas.not(*premise, span)).collect();
                disjuncts.push(*conclusion);
                formulas.or(disjuncts, span)
            }
            (_, [first, rest @ ..]) => {
                let mut result = *first;
                for part in rest {
                    let equivalent = self.equivalence(result, *part, span)?;
                    result = self.formulas.not(equivalent, span);
                }
                result
            }
            (_, []) => return Err(Reported),
        }))
    }

    fn comparison(&mut self, function: Theory, arguments: &[Located], span: Span) -> Checked<TermId> {
        let (operands, _) = self.numbers(arguments, None)?;
        let mut conjuncts = Vec::with_capacity(operands.len());
        for pair in operands.windows(2) {
            let &[left, right] = pair else { continue };
            self.check_sum(&[left, right], span)?;
            let terms = &mut self.program.terms;
            conjuncts.push(match function {
                Theory::LessOrEqual => terms.less_or_equal(left, right),
                Theory::Less => terms.less(left, right),
                Theory::GreaterOrEqual => terms.less_or_equal(right, left),
                _ => terms.less(right, left),
            });
        }
        Ok(self.program.terms.and(&conjuncts))
    }

    /// `a = b = c …`, of any sort; over Booleans there may be predicates below.
    fn equality(&mut self, arguments: &[Located], span: Span) -> Checked<Value> {
        let mut conjuncts = Vec::with_capacity(arguments.len());
        if self.are_formulas(arguments) {
            for pair in arguments.windows(2) {
                let &[left, right] = pair else { continue };
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                conjuncts.push(self.equivalence(left, right, span)?);
            }
        } else {
            let operands = self.same_sort(arguments)?;
            for pair in operands.windows(2) {
                let &[left, right] = pair else { continue };
                self.check_sum(&[left, right], span)?;
                let equal = self.program.terms.equal(left, right);
                conjuncts.push(self.formulas.term(equal, span));
            }
        }
        Ok(Value::Formula(match conjuncts[..] {
            [only] => only,
            _ => self.formulas.and(conjuncts, span),
        }))
    }

    fn distinct(&mut self, arguments: &[Located], span: Span) -> Checked<Value> {
        if self.are_formulas(arguments) {
            let mut parts = Vec::with_capacity(arguments.len());
            for argument in arguments {
                parts.push(self.formula(*argument)?);
            }
            // Three truth values are never all different.
            let &[left, right] = &parts[..] else {
                return Ok(Value::Term(TermId::FALSE));
            };
            let equal = self.equivalence(left, right, span)?;
            return Ok(Value::Formula(self.formulas.not(equal, span)));
        }
        let operands = self.same_sort(arguments)?;
        let mut conjuncts = Vec::new();
        for (position, left) in operands.iter().enumerate() {
            for right in &operands[position + 1..] {
                self.charge(8, span)?;
                self.check_sum(&[*left, *right], span)?;
                conjuncts.push(self.program.terms.not_equal(*left, *right));
            }
        }
        Ok(Value::Term(self.program.terms.and(&conjuncts)))
    }

    fn if_then_else(&mut self, condition: Located, left: Located, right: Located, span: Span) -> Checked<Value> {
        if self.are_formulas(&[left, right]) {
            let condition = self.formula(condition)?;
            let (left, right) = (self.formula(left)?, self.formula(right)?);
            let otherwise = self.formulas.not(condition, span);
            let first = self.formulas.or(vec![otherwise, left], span);
            let second = self.formulas.or(vec![condition, right], span);
            return Ok(Value::Formula(self.formulas.and(vec![first, second], span)));
        }
        let condition = self.require_sort(condition, SortId::BOOL)?;
        let operands = self.same_sort(&[left, right])?;
        let &[left, right] = &operands[..] else {
            return Err(Reported);
        };
        Ok(Value::Term(self.program.terms.if_then_else(condition, left, right)))
    }

    /// The value of the first case whose condition holds; the last one's always does.
    fn first_case(&mut self, conditions: &[TermId], values: &[Located], span: Span) -> Checked<Value> {
        let Some(((mut value, mut place), earlier)) = values.split_last().map(|(last, earlier)| (*last, earlier))
        else {
            return Err(self
                .problems
                .error(span, "a `match` without cases", "nothing to choose from"));
        };
        for (condition, case) in conditions.iter().zip(earlier).rev() {
            value = self.if_then_else((Value::Term(*condition), span), *case, (value, place), span)?;
            place = span;
        }
        Ok(value)
    }

    /// `left = right` over formulas: an equality of terms where there are no predicates, otherwise two implications.
    fn equivalence(&mut self, left: FormulaId, right: FormulaId, span: Span) -> Checked<FormulaId> {
        if self.formulas.is_pure(left) && self.formulas.is_pure(right) {
            let (left, right) = (self.constraint((left, true))?, self.constraint((right, true))?);
            let equal = self.program.terms.equal(left, right);
            return Ok(self.formulas.term(equal, span));
        }
        let (not_left, not_right) = (self.formulas.not(left, span), self.formulas.not(right, span));
        let forward = self.formulas.or(vec![not_left, right], span);
        let backward = self.formulas.or(vec![not_right, left], span);
        Ok(self.formulas.and(vec![forward, backward], span))
    }

    fn sum(&mut self, signs: &[bool], arguments: &[Located], span: Span) -> Checked<TermId> {
        let (operands, sort) = self.numbers(arguments, None)?;
        self.check_sum(&operands, span)?;
        let mut sum = LinearForm::constant(Rational::zero());
        for (operand, negative) in operands.iter().zip(signs) {
            let form = self.program.terms.linear_form(*operand);
            let form = if *negative {
                form.scaled(&-Rational::one())
            } else {
                form
            };
            sum.constant += form.constant;
            sum.terms.extend(form.terms);
        }
        sum.terms.sort_by_key(|(term, _)| *term);
        sum.terms.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 += &later.1;
            }
            same
        });
        sum.terms.retain(|(_, coefficient)| !coefficient.is_zero());
        Ok(self.program.terms.linear_term(&sum, sort))
    }

    fn fold(
        &mut self,
        operands: &[TermId],
        span: Span,
        combine: impl Fn(&mut Self, TermId, TermId) -> Checked<TermId>,
    ) -> Checked<TermId> {
        let Some((first, rest)) = operands.split_first() else {
            return Err(self.problems.error(span, "wrong number of arguments", "none given"));
        };
        rest.iter()
            .try_fold(*first, |result, operand| combine(self, result, *operand))
    }
}
