//! Terms: hash-consed expressions over integers, reals, Booleans, arrays, machine words, floating-point numbers and
//! datatypes.
//!
//! Everything else in Clausal speaks in [`TermId`]s, 32-bit ids into one [`Terms`] table. Building a term through the
//! constructors normalizes it, so that equal constraints get equal ids: linear sums are sorted and reduced, `x < y` over
//! integers becomes `x - y =< -1`, negations are pushed to the atoms. An argument's id is always smaller than the id of
//! the term that holds it, which lets traversals run without recursion.
//!
//! ```
//! # use clausal_rules as clausal;
//! use clausal::terms::{SortId, Terms};
//! let mut terms = Terms::new();
//! let x = terms.fresh_variable("X", SortId::INT);
//! let zero = terms.integer(0);
//! let positive = terms.less(zero, x);
//! let one = terms.integer(1);
//! assert_eq!(positive, terms.less_or_equal(one, x));
//! assert_eq!(terms.display(positive).to_string(), "X >= 1");
//! ```

mod arithmetic;
mod arrays;
mod datatypes;
mod display;
mod evaluate;
mod float_exact;
mod float_orders;
mod float_rules;
mod float_value;
mod floats;
mod functions;
mod linear;
mod logic;
mod measures;
mod parts;
mod ranges;
mod rational;
mod recursion;
mod sharing;
mod smtlib;
mod sort;
mod substitute;
mod theory;
mod value_text;
mod values;
mod well_sorted;
mod words;

pub use datatypes::{Constructor, ConstructorId, Datatype, DatatypeId, Field, FieldId};
pub use display::TermDisplay;
pub(crate) use display::exact_decimal;
pub use evaluate::Assignment;
pub use float_value::{Float, FloatFormat};
pub use floats::float_operation_value;
pub use floats::{FloatOperator, Rounding};
pub use functions::{Function, FunctionId};
pub use functions::{Values, constructed};
pub use linear::{Comparison, LinearAtom, LinearForm};
pub use measures::Measure;
pub use measures::measure_name;
pub use ranges::{Range, ranges};
pub use rational::Rational;
pub use rational::exponent_of_two;
pub use sharing::{SharedTexts, displayed_parts, shown_terms, terms_to_name};
pub use smtlib::{SmtlibNames, smtlib_number, smtlib_symbol};
pub use smtlib::{smtlib_float, smtlib_function, smtlib_word};
pub use sort::{Sort, SortId};
pub use substitute::Substitution;
pub use theory::Theory;
pub use values::{ArrayValue, DatatypeValue, Value};
pub use well_sorted::check_sorts;
pub use words::WordOperator;
pub use words::word_value;

use hashbrown::{DefaultHashBuilder, HashTable};
use num_bigint::BigInt;
use std::hash::{BuildHasher, Hash, Hasher};

/// The id of a term inside one [`Terms`] table. Ids of different tables must not be mixed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(u32);

impl TermId {
    /// The constant `true`, in every table.
    pub const TRUE: TermId = TermId(0);
    /// The constant `false`, in every table.
    pub const FALSE: TermId = TermId(1);

    /// The id as an index, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of a number in the pool of a [`Terms`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NumberId(u32);

/// The id of a variable's name in a [`Terms`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VariableId(u32);

/// What a term does with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Operator {
    /// The constant true.
    True,
    /// The constant false.
    False,
    /// A number; its sort says whether it is an integer, a real, or the word or floating-point number with these bits.
    Number(NumberId),
    /// A variable.
    Variable(VariableId),
    /// A sum of at least two terms: `c·t` or `t` sorted by `t`, then at most one number.
    Add,
    /// Either a number times a term that is neither a sum nor a number, or a product of at least two such terms.
    Multiply,
    /// Real division by a term that is not a number.
    Divide,
    /// Integer division as in SMT-LIB (Euclidean: the remainder is never negative).
    IntegerDivide,
    /// The remainder of [`Operator::IntegerDivide`].
    Modulo,
    /// An integer seen as a real.
    ToReal,
    /// The largest integer that is not above a real.
    ToInteger,
    /// `if condition then a else b`, for numbers and arrays (over Booleans it becomes a formula).
    IfThenElse,
    /// The element of an array at an index.
    Select,
    /// An array with one element replaced.
    Store,
    /// An array with the same element everywhere; its sort is the term's.
    ConstantArray,
    /// What a constructor of a datatype makes of its arguments.
    Construct(ConstructorId),
    /// A field of a term of a datatype; unspecified where another constructor made it.
    Field(FieldId),
    /// Whether a term of a datatype was made by a constructor.
    IsMadeBy(ConstructorId),
    /// A measure of a term of a datatype.
    Measure(Measure),
    /// The value of a function that is defined in the table.
    Apply(FunctionId),
    /// An operation on machine words.
    Word(WordOperator),
    /// An operation on floating-point numbers.
    Float(FloatOperator),
    /// Equality. Over numbers: a sum without a constant part and a number. Otherwise two terms in the order of their ids.
    Equal,
    /// `sum =< number`, the sum without a constant part.
    LessOrEqual,
    /// `sum < number`, over reals only.
    Less,
    /// Negation of an equality, a Boolean variable, a Boolean part of an array or a datatype, a comparison of words or of floating-point
    /// numbers, or a question about a constructor or a class of numbers.
    Not,
    /// Conjunction of at least two formulas, sorted.
    And,
    /// Disjunction of at least two formulas, sorted.
    Or,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    operator: Operator,
    sort: SortId,
    first_argument: u32,
    argument_count: u32,
    /// A 64-bit summary of the variables inside: bit `v mod 64` for variable `v`.
    variables: u64,
    /// The negation, once it was made.
    negation: Option<TermId>,
}

/// The sorts that are there from the start, at the places that [`SortId`] has for them.
const BASIC_SORTS: [Sort; 3] = [Sort::Int, Sort::Real, Sort::Bool];

/// A table of hash-consed terms: equal terms have equal ids.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    arguments: Vec<TermId>,
    table: HashTable<u32>,
    numbers: Vec<Rational>,
    number_table: HashTable<u32>,
    variable_names: Vec<Box<str>>,
    sorts: Vec<Sort>,
    datatypes: datatypes::Datatypes,
    functions: Vec<Function>,
    hasher: DefaultHashBuilder,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    /// An empty table, but for the constants true and false.
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            arguments: Vec::new(),
            table: HashTable::new(),
            numbers: Vec::new(),
            number_table: HashTable::new(),
            variable_names: Vec::new(),
            sorts: BASIC_SORTS.to_vec(),
            datatypes: datatypes::Datatypes::default(),
            functions: Vec::new(),
            hasher: DefaultHashBuilder::default(),
        };
        terms.intern(Operator::True, &[], SortId::BOOL);
        terms.intern(Operator::False, &[], SortId::BOOL);
        terms
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: true and false are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The sort of arrays from `index` to `element`.
    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.interned_sort(Sort::Array(index, element))
    }

    fn interned_sort(&mut self, wanted: Sort) -> SortId {
        let found = self.sorts.iter().position(|sort| *sort == wanted);
        let position = found.unwrap_or_else(|| {
            self.sorts.push(wanted);
            self.sorts.len() - 1
        });
        SortId(position as u32)
    }

    /// Whether there are sorts but integers, real numbers and truth values.
    pub fn has_compound_sorts(&self) -> bool {
        self.sorts.len() > BASIC_SORTS.len()
    }

    /// What `id` stands for.
    pub fn sort_of_id(&self, id: SortId) -> Sort {
        self.sorts[id.0 as usize]
    }

    /// The sort of a term.
    pub fn sort(&self, term: TermId) -> SortId {
        self.nodes[term.index()].sort
    }

    /// The operator of a term.
    pub fn operator(&self, term: TermId) -> Operator {
        self.nodes[term.index()].operator
    }

    /// The arguments of a term.
    pub fn arguments(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        let first = node.first_argument as usize;
        &self.arguments[first..first + node.argument_count as usize]
    }

    /// The name of a variable; the empty string for any other term. Names need not be unique.
    pub fn variable_name(&self, term: TermId) -> &str {
        match self.operator(term) {
            Operator::Variable(id) => &self.variable_names[id.0 as usize],
            _ => "",
        }
    }

    /// Whether the term is a variable.
    pub fn is_variable(&self, term: TermId) -> bool {
        matches!(self.operator(term), Operator::Variable(_))
    }

    /// The value of a number term.
    pub fn number_value(&self, term: TermId) -> Option<&Rational> {
        match self.operator(term) {
            Operator::Number(id) => Some(&self.numbers[id.0 as usize]),
            _ => None,
        }
    }

    /// A new variable, different from all others even if the name is taken.
    pub fn fresh_variable(&mut self, name: &str, sort: SortId) -> TermId {
        let id = VariableId(self.variable_names.len() as u32);
        self.variable_names.push(name.into());
        self.intern(Operator::Variable(id), &[], sort)
    }

    /// A truth value.
    pub fn boolean(&self, value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }

    /// An integer.
    pub fn integer(&mut self, value: impl Into<BigInt>) -> TermId {
        self.number(Rational::from_integer(value.into()), SortId::INT)
    }

    /// A real number.
    pub fn real(&mut self, value: Rational) -> TermId {
        self.number(value, SortId::REAL)
    }

    /// A number of the given numeric sort, or the word or floating-point number with these bits. An integer term must be given an integral value.
    pub fn number(&mut self, value: Rational, sort: SortId) -> TermId {
        debug_assert!(sort == SortId::REAL || value.is_integer());
        let hash = self.hasher.hash_one(&value);
        let numbers = &self.numbers;
        let found = self
            .number_table
            .find(hash, |id| numbers[*id as usize] == value)
            .copied();
        let id = found.unwrap_or_else(|| {
            let id = self.numbers.len() as u32;
            self.numbers.push(value);
            let (numbers, hasher) = (&self.numbers, &self.hasher);
            self.number_table
                .insert_unique(hash, id, |id| hasher.hash_one(&numbers[*id as usize]));
            id
        });
        self.intern(Operator::Number(NumberId(id)), &[], sort)
    }

    /// The bit summary of the variables in `term`: if `summary & other == 0` they share none.
    pub(crate) fn variable_summary(&self, term: TermId) -> u64 {
        self.nodes[term.index()].variables
    }

    /// The term with this operator and these arguments, made if it is new. The constructors normalize before they call it.
    fn intern(&mut self, operator: Operator, arguments: &[TermId], sort: SortId) -> TermId {
        let hash = self.hash_node(operator, arguments, sort);
        let found = self
            .table
            .find(hash, |id| {
                let node = &self.nodes[*id as usize];
                node.operator == operator && node.sort == sort && self.arguments(TermId(*id)) == arguments
            })
            .copied();
        if let Some(id) = found {
            return TermId(id);
        }
        let id = self.nodes.len() as u32;
        let variables = match operator {
            Operator::Variable(variable) => 1u64 << (variable.0 % 64),
            _ => arguments
                .iter()
                .fold(0, |summary, argument| summary | self.variable_summary(*argument)),
        };
        self.nodes.push(Node {
            operator,
            sort,
            first_argument: self.arguments.len() as u32,
            argument_count: arguments.len() as u32,
            variables,
            negation: None,
        });
        self.arguments.extend_from_slice(arguments);
        // Rehashing needs the hash of every stored node; it is recomputed from the tables themselves.
        let (nodes, all_arguments, hasher) = (&self.nodes, &self.arguments, &self.hasher);
        self.table.insert_unique(hash, id, |id| {
            let node = &nodes[*id as usize];
            let first = node.first_argument as usize;
            hash_parts(
                hasher,
                node.operator,
                &all_arguments[first..first + node.argument_count as usize],
                node.sort,
            )
        });
        TermId(id)
    }

    fn hash_node(&self, operator: Operator, arguments: &[TermId], sort: SortId) -> u64 {
        hash_parts(&self.hasher, operator, arguments, sort)
    }
}

fn hash_parts(hasher: &DefaultHashBuilder, operator: Operator, arguments: &[TermId], sort: SortId) -> u64 {
    let mut state = hasher.build_hasher();
    operator.hash(&mut state);
    arguments.hash(&mut state);
    sort.hash(&mut state);
    state.finish()
}

#[cfg(test)]
mod datatypes_tests;
#[cfg(test)]
// The tests of the engine use the rest.
#[allow(dead_code)]
mod samples;
#[cfg(test)]
mod tests;
