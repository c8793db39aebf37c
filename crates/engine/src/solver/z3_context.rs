//! Our terms as Z3's, translated lazily and once each, and Z3's values as ours. Z3's terms are never decoded.
//!
//! Z3 knows a datatype by its name, in a context that outlives our tables. So a datatype goes by a name that says all of its
//! declaration, and its constructors by their numbers in it.
//!
//! Z3's objects belong to the context of the thread that makes them, so a translator must stay on its thread.

use super::z3_floats::{FloatTemplates, float_constant, read_float};
use super::z3_words::word_term;
use crate::terms::{
    ArrayValue, ConstructorId, DatatypeValue, Operator, Rational, Sort, SortId, TermId, Terms, Value, measure_name,
};
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;
use z3::ast::{Array, Ast, BV, Bool, Dynamic, Int, Real};
use z3::datatype_builder::create_datatypes;
use z3::{DatatypeAccessor, DatatypeBuilder, DatatypeSort, DeclKind, FuncDecl, Model, Solver, StatisticsValue};

/// The oldest Z3 that works: before it, kinds of declarations came back wrong.
pub const Z3_MINIMUM: (u32, u32, u32) = (4, 13, 3);

/// Checks that the Z3 that is linked is new enough; the error says which one it is and what to do.
pub fn check_z3_version() -> Result<(), String> {
    let text = z3::full_version();
    let numbers: Vec<u32> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .take(3)
        .collect();
    let (major, minor, patch) = Z3_MINIMUM;
    match numbers[..] {
        [a, b, c] if (a, b, c) >= Z3_MINIMUM => Ok(()),
        _ => Err(format!(
            "the Z3 that is linked calls itself `{text}`, but {major}.{minor}.{patch} or newer is needed: \
             run `make setup` and build again"
        )),
    }
}

/// Z3's units spent on this thread so far, by this solver or another; the count begins again after 32 bits.
pub(super) fn resources(solver: &Solver) -> u32 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(count)) => count,
        _ => 0,
    }
}

/// A cache from our terms to Z3's.
#[derive(Default)]
pub struct Z3Translator {
    /// Of the terms that were met: many solvers are told little each, of a table that may have a million terms.
    cache: HashMap<TermId, Dynamic>,
    /// Whether a term was met that is no number and no truth value.
    met_others: bool,
    /// The datatypes that were met.
    datatypes: BTreeMap<SortId, DatatypeSort>,
    /// The operations on floating-point numbers that were met.
    floats: FloatTemplates,
}

impl Z3Translator {
    /// An empty cache.
    pub fn new() -> Z3Translator {
        Z3Translator::default()
    }

    /// Whether something else than numbers and truth values was met so far.
    pub(super) fn met_others(&self) -> bool {
        self.met_others
    }

    /// A formula as Z3's. `None` if Z3 refuses to make it.
    pub fn formula(&mut self, terms: &Terms, formula: TermId) -> Option<Bool> {
        self.term(terms, formula)?.as_bool()
    }

    /// A term as Z3's.
    pub fn term(&mut self, terms: &Terms, term: TermId) -> Option<Dynamic> {
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if self.cache.contains_key(&current) {
                stack.pop();
                continue;
            }
            self.met_others |= !matches!(terms.sort(current), SortId::INT | SortId::REAL | SortId::BOOL);
            let before = stack.len();
            let waiting = terms.arguments(current).iter();
            stack.extend(waiting.filter(|argument| !self.cache.contains_key(*argument)));
            if stack.len() > before {
                continue;
            }
            let arguments: Vec<Dynamic> = terms
                .arguments(current)
                .iter()
                .filter_map(|argument| self.cache.get(argument).cloned())
                .collect();
            let translated = self.translate(terms, current, &arguments)?;
            self.cache.insert(current, translated);
            stack.pop();
        }
        self.cache.get(&term).cloned()
    }

    /// The operation at the root of a term, over arguments that are Z3's terms already.
    pub(super) fn translate(&mut self, terms: &Terms, term: TermId, arguments: &[Dynamic]) -> Option<Dynamic> {
        let sort = terms.sort(term);
        let ints = || arguments.iter().map(Dynamic::as_int).collect::<Option<Vec<Int>>>();
        let reals = || arguments.iter().map(Dynamic::as_real).collect::<Option<Vec<Real>>>();
        let bools = || arguments.iter().map(Dynamic::as_bool).collect::<Option<Vec<Bool>>>();
        let over_integers = terms.arguments(term).first().map(|first| terms.sort(*first)) == Some(SortId::INT);
        Some(match terms.operator(term) {
            Operator::True => Bool::from_bool(true).into(),
            Operator::False => Bool::from_bool(false).into(),
            Operator::Number(_) => {
                if let Some(float) = terms.float_constant(term) {
                    return Some(float_constant(float));
                }
                let value = terms.number_value(term)?;
                if let Some(width) = terms.width(sort) {
                    return Some(BV::from_str(width, &value.numer().to_string())?.into());
                }
                if sort == SortId::INT {
                    Int::from_str(&value.numer().to_string()).ok()?.into()
                } else {
                    Real::from_rational_str(&value.numer().to_string(), &value.denom().to_string())?.into()
                }
            }
            Operator::Variable(_) => Dynamic::new_const(term.index() as u32, &self.z3_sort(terms, sort)?),
            Operator::Add if sort == SortId::INT => Int::add(&ints()?).into(),
            Operator::Add => Real::add(&reals()?).into(),
            Operator::Multiply if sort == SortId::INT => Int::mul(&ints()?).into(),
            Operator::Multiply => Real::mul(&reals()?).into(),
            Operator::Divide => match &reals()?[..] {
                [a, b] => a.div(b).into(),
                _ => return None,
            },
            Operator::IntegerDivide | Operator::Modulo => match (&ints()?[..], terms.operator(term)) {
                ([a, b], Operator::IntegerDivide) => a.div(b).into(),
                ([a, b], _) => a.modulo(b).into(),
                _ => return None,
            },
            Operator::ToReal => arguments.first()?.as_int()?.to_real().into(),
            Operator::ToInteger => arguments.first()?.as_real()?.to_int().into(),
            Operator::IfThenElse => match arguments {
                [condition, left, right] => condition.as_bool()?.ite(left, right),
                _ => return None,
            },
            Operator::Select => match arguments {
                [array, index] => array.as_array()?.select(index),
                _ => return None,
            },
            Operator::Store => match arguments {
                [array, index, value] => array.as_array()?.store(index, value).into(),
                _ => return None,
            },
            Operator::ConstantArray => match terms.sort_of_id(sort) {
                Sort::Array(index, _) => Array::const_array(&self.z3_sort(terms, index)?, arguments.first()?).into(),
                _ => return None,
            },
            Operator::Construct(constructor) => {
                let arguments: Vec<&dyn Ast> = arguments.iter().map(|argument| argument as &dyn Ast).collect();
                self.variant(terms, constructor)?.constructor.apply(&arguments)
            }
            Operator::Field(field) => {
                let field = terms.field(field);
                let variant = self.variant(terms, field.constructor)?;
                variant.accessors.get(field.position)?.apply(&[arguments.first()?])
            }
            Operator::IsMadeBy(constructor) => self.variant(terms, constructor)?.tester.apply(&[arguments.first()?]),
            // What is known of it is said by formulas.
            Operator::Measure(measure) => {
                let whole = terms.sort(*terms.arguments(term).first()?);
                let domain = self.z3_sort(terms, whole)?;
                let name = measure_name(measure, &unique_name(terms, whole));
                let range = self.z3_sort(terms, measure.sort())?;
                FuncDecl::new(name.as_str(), &[&domain], &range).apply(&[arguments.first()?])
            }
            Operator::Apply(id) => {
                let function = terms.functions().get(id.index())?;
                let parameters = function.parameters.iter();
                let sorts: Option<Vec<z3::Sort>> =
                    parameters.map(|one| self.z3_sort(terms, terms.sort(*one))).collect();
                let sorts = sorts?;
                let range = self.z3_sort(terms, sort)?;
                let arguments: Vec<&dyn Ast> = arguments.iter().map(|argument| argument as &dyn Ast).collect();
                let name = format!("function {}", function.name);
                FuncDecl::new(name.as_str(), &sorts.iter().collect::<Vec<_>>(), &range).apply(&arguments)
            }
            Operator::Word(operator) => word_term(operator, arguments, terms.width(sort))?,
            Operator::Float(_) => self.floats.term(terms, term, arguments)?,
            Operator::Equal => match (self.sides(terms, term), arguments) {
                (Some((left, right)), _) => left.eq(&right).into(),
                (None, [a, b]) => a.eq(b).into(),
                _ => return None,
            },
            Operator::LessOrEqual | Operator::Less => {
                let strict = terms.operator(term) == Operator::Less;
                if over_integers {
                    match &ints()?[..] {
                        [a, b] => if strict { a.lt(b) } else { a.le(b) }.into(),
                        _ => return None,
                    }
                } else {
                    match &reals()?[..] {
                        [a, b] => if strict { a.lt(b) } else { a.le(b) }.into(),
                        _ => return None,
                    }
                }
            }
            Operator::Not => arguments.first()?.as_bool()?.not().into(),
            Operator::And => Bool::and(&bools()?).into(),
            Operator::Or => Bool::or(&bools()?).into(),
        })
    }

    /// The two terms of an equation that says of their difference that it is zero: Z3 knows more about terms that are equal.
    fn sides(&self, terms: &Terms, equation: TermId) -> Option<(Dynamic, Dynamic)> {
        let [sum, zero] = *terms.arguments(equation) else {
            return None;
        };
        if terms.operator(sum) != Operator::Add || !terms.number_value(zero)?.is_zero() {
            return None;
        }
        let linear = terms.linear_atom(equation)?;
        let [(one, first), (other, second)] = linear.form.terms.as_slice() else {
            return None;
        };
        let is_difference = linear.form.constant.is_zero() && (first + second).is_zero();
        let translated = |term: TermId| self.cache.get(&term).cloned();
        is_difference.then_some(())?;
        Some((translated(*one)?, translated(*other)?))
    }

    /// A sort as Z3's.
    fn z3_sort(&mut self, terms: &Terms, sort: SortId) -> Option<z3::Sort> {
        // Nesting of array sorts is bounded by the front ends, so this recursion is too.
        Some(match terms.sort_of_id(sort) {
            Sort::Int => z3::Sort::int(),
            Sort::Real => z3::Sort::real(),
            Sort::Bool => z3::Sort::bool(),
            Sort::Word(width) => z3::Sort::bitvector(width),
            Sort::Float(format) => z3::Sort::float(format.exponent_bits(), format.significand_bits()),
            Sort::Array(index, element) => {
                z3::Sort::array(&self.z3_sort(terms, index)?, &self.z3_sort(terms, element)?)
            }
            Sort::Datatype(_) => {
                self.declare(terms, sort)?;
                self.datatypes.get(&sort)?.sort.clone()
            }
        })
    }

    fn variant(&mut self, terms: &Terms, constructor: ConstructorId) -> Option<&z3::DatatypeVariant> {
        let sort = terms.constructed_sort(constructor);
        self.declare(terms, sort)?;
        let constructors = &terms.datatype(sort)?.constructors;
        let position = constructors.iter().position(|other| *other == constructor)?;
        self.datatypes.get(&sort)?.variants.get(position)
    }

    /// Declares a datatype, and those that were declared together with it. `None` if one of them holds another inside of an
    /// array, which cannot be said here.
    fn declare(&mut self, terms: &Terms, sort: SortId) -> Option<()> {
        if self.datatypes.contains_key(&sort) {
            return Some(());
        }
        let group = terms.datatype(sort)?.group;
        let members: Vec<SortId> = terms
            .datatypes()
            .iter()
            .filter(|other| other.group == group)
            .map(|other| other.sort)
            .collect();
        let mut builders = Vec::with_capacity(members.len());
        for member in &members {
            let datatype = terms.datatype(*member)?;
            let name = unique_name(terms, *member);
            let mut builder = DatatypeBuilder::new(name.as_str());
            for (position, id) in datatype.constructors.iter().enumerate() {
                let mut fields = Vec::new();
                for (place, field) in terms.constructor(*id).fields.iter().enumerate() {
                    let sort = terms.field(*field).sort;
                    let accessor = match members.contains(&sort) {
                        true => DatatypeAccessor::datatype(unique_name(terms, sort).as_str()),
                        false if holds_one_of(terms, sort, &members) => return None,
                        false => DatatypeAccessor::sort(self.z3_sort(terms, sort)?),
                    };
                    fields.push((format!("{name}.{position}.{place}"), accessor));
                }
                let (names, accessors): (Vec<String>, Vec<DatatypeAccessor>) = fields.into_iter().unzip();
                let fields = names.iter().map(String::as_str).zip(accessors).collect();
                builder = builder.variant(&format!("{name}.{position}"), fields);
            }
            builders.push(builder);
        }
        for (member, made) in members.iter().zip(create_datatypes(builders)) {
            self.datatypes.insert(*member, made);
        }
        Some(())
    }
}

/// Whether an array sort has one of these sorts inside.
fn holds_one_of(terms: &Terms, sort: SortId, members: &[SortId]) -> bool {
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        if members.contains(&sort) {
            return true;
        }
        if let Sort::Array(index, element) = terms.sort_of_id(sort) {
            stack.extend([index, element]);
        }
    }
    false
}

/// A name that no other datatype has, in any table, but one that is declared in the same way: the texts of all declarations
/// that it needs.
fn unique_name(terms: &Terms, sort: SortId) -> String {
    let mut needed: Vec<SortId> = Vec::new();
    let mut stack = vec![sort];
    let mut text = String::new();
    while let Some(sort) = stack.pop() {
        match terms.sort_of_id(sort) {
            Sort::Array(index, element) => stack.extend([element, index]),
            Sort::Datatype(_) if !needed.contains(&sort) => {
                needed.push(sort);
                let Some(datatype) = terms.datatype(sort) else { continue };
                text.push_str(&format!("{}{{", terms.smtlib_sort(sort)));
                for id in &datatype.constructors {
                    text.push('(');
                    for field in terms.constructor(*id).fields.iter() {
                        text.push_str(&terms.smtlib_sort(terms.field(*field).sort));
                        text.push(' ');
                        stack.push(terms.field(*field).sort);
                    }
                    text.push(')');
                }
                text.push('}');
            }
            _ => {}
        }
    }
    text
}

/// The value of a Z3 term in a model, if it is one we can represent exactly (algebraic numbers and function-like arrays are
/// not).
pub(super) fn model_value(terms: &Terms, model: &Model, term: &Dynamic, sort: SortId) -> Option<Value> {
    let value = model.eval(term, true)?;
    read_value(terms, &value, sort)
}

fn read_value(terms: &Terms, value: &Dynamic, sort: SortId) -> Option<Value> {
    match terms.sort_of_id(sort) {
        Sort::Bool => Some(Value::Bool(value.as_bool()?.as_bool()?)),
        Sort::Int => match value.as_int()?.as_i64() {
            Some(small) => Some(Value::Number(Rational::from_integer(small.into()))),
            None => Some(Value::Number(read_number(&value.to_string())?)),
        },
        Sort::Real => match value.as_real()?.as_rational() {
            Some((numerator, denominator)) if denominator != 0 => {
                Some(Value::Number(Rational::new(numerator.into(), denominator.into())))
            }
            _ => Some(Value::Number(read_number(&value.to_string())?)),
        },
        Sort::Word(_) => Some(Value::Number(unsigned(&value.as_bv()?)?)),
        Sort::Float(format) => read_float(value, format).map(Value::Float),
        Sort::Array(index, element) => read_array(terms, value, index, element),
        Sort::Datatype(_) => read_constructed(terms, value, sort),
    }
}

/// Reads a value that is made by constructors. As deep as values may be nested, so is this recursion.
fn read_constructed(terms: &Terms, value: &Dynamic, sort: SortId) -> Option<Value> {
    if !value.is_app() {
        return None;
    }
    // The constructor's number is what its name ends with.
    let name = value.decl().name();
    let position: usize = name.rsplit('.').next()?.parse().ok()?;
    let constructor = *terms.datatype(sort)?.constructors.get(position)?;
    let fields = &terms.constructor(constructor).fields;
    let parts = value.children();
    if parts.len() != fields.len() {
        return None;
    }
    let mut arguments = Vec::with_capacity(parts.len());
    for (part, field) in parts.iter().zip(fields) {
        arguments.push(read_value(terms, part, terms.field(*field).sort)?);
    }
    Some(Value::Datatype(Arc::new(DatatypeValue::new(constructor, arguments)?)))
}

/// The value of a word in a model, as an unsigned number.
pub(super) fn word_value(model: &Model, word: &BV) -> Option<Rational> {
    unsigned(&model.eval(word, true)?)
}

fn unsigned(value: &BV) -> Option<Rational> {
    match value.as_u64() {
        Some(small) => Some(Rational::from_integer(small.into())),
        None => read_word(&value.to_string()),
    }
}

/// Reads Z3's notation of a word: `#x0f`, `#b101`.
fn read_word(text: &str) -> Option<Rational> {
    let (digits, radix) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => return None,
    };
    BigInt::parse_bytes(digits.as_bytes(), radix).map(Rational::from_integer)
}

/// Reads `store(... constant ...)`; anything else that Z3 uses for arrays is not read.
fn read_array(terms: &Terms, value: &Dynamic, index: SortId, element: SortId) -> Option<Value> {
    let mut writes = Vec::new();
    let mut current = value.clone();
    loop {
        if !current.is_app() {
            return None;
        }
        let children = current.children();
        match (current.decl().kind(), &children[..]) {
            (DeclKind::Store, [inner, at, stored]) => {
                writes.push((read_value(terms, at, index)?, read_value(terms, stored, element)?));
                current = inner.clone();
            }
            (DeclKind::ConstArray, [default]) => {
                let empty = ArrayValue {
                    default: read_value(terms, default, element)?,
                    elements: BTreeMap::new(),
                };
                // The outermost write was met first and must win, so they are replayed from the innermost.
                let array = writes
                    .into_iter()
                    .rev()
                    .fold(empty, |array, (at, stored)| array.with(at, stored));
                return Some(Value::Array(Arc::new(array)));
            }
            _ => return None,
        }
    }
}

/// Reads Z3's notation of a number of any size: `7`, `(- 7)`, `1.0`, `(/ 1.0 3.0)`, `(- (/ 1.0 3.0))`.
fn read_number(text: &str) -> Option<Rational> {
    let tokens: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c == '(' || c == ')')
        .filter(|token| !token.is_empty())
        .collect();
    let whole = |token: &str| BigInt::from_str(token.strip_suffix(".0").unwrap_or(token)).ok();
    match tokens[..] {
        [number] => Some(Rational::from_integer(whole(number)?)),
        ["-", number] => Some(Rational::from_integer(-whole(number)?)),
        ["/", numerator, denominator] => ratio(whole(numerator)?, whole(denominator)?),
        ["-", "/", numerator, denominator] | ["/", "-", numerator, denominator] => {
            ratio(-whole(numerator)?, whole(denominator)?)
        }
        _ => None,
    }
}

fn ratio(numerator: BigInt, denominator: BigInt) -> Option<Rational> {
    (denominator != BigInt::from(0)).then(|| Rational::new(numerator, denominator))
}
