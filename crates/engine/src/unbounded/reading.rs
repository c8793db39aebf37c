//! Rules over machine words as rules over integers, which wrap around or not; what has to do with single bits may be anything.
//!
//! Without wrapping it is a guess at what the rules are meant to say, and even with it no translation: what is found out of the integers
//! proves nothing of the words until it has been told of them and checked there.
//!
//! Sums, products and what is cut off commute with wrapping around, so that it is written down only where a number is looked at: where it is
//! compared, or handed to a predicate.

use super::operations::{Integers, Overflow, Signs, commutes_with_wrapping, range, spread};
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::terms::{Operator, Sort, SortId, TermId, Terms, WordOperator};
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

/// A program over words, read as one over integers. Predicates and rules are at the same positions.
pub(super) struct Reading {
    /// The rules over integers. Their terms are those of the given program and more.
    pub program: Program,
    pub signs: Signs,
    /// Whether something of the rules may be anything in it.
    pub is_vague: bool,
    /// The integer that stands for each variable of the rules that is a word.
    pub integers: HashMap<TermId, TermId>,
}

impl Reading {
    /// Of a program over words, integers and truth values. `None` if there are no words, or something else.
    pub fn new(program: &Program, overflow: Overflow) -> Option<Reading> {
        let signs = signs(program)?;
        let mut own = Program::new();
        own.terms = program.terms.clone();
        for predicate in program.predicates().iter().skip(PredicateId::ERROR.index() + 1) {
            let terms = &program.terms;
            let parameters: Option<Vec<(&str, SortId)>> = predicate
                .parameters
                .iter()
                .map(|parameter| {
                    let sort = match terms.sort_of_id(terms.sort(*parameter)) {
                        Sort::Word(_) | Sort::Int => SortId::INT,
                        Sort::Bool => SortId::BOOL,
                        _ => return None,
                    };
                    Some((terms.variable_name(*parameter), sort))
                })
                .collect();
            own.add_predicate(&predicate.name, predicate.point.as_deref(), &parameters?);
        }
        let mut reader = Reader {
            over: Integers {
                terms: own.terms,
                signs,
                overflow,
                is_vague: false,
            },
            integers: HashMap::new(),
        };
        let mut rules = Vec::with_capacity(program.rules().len());
        for rule in program.rules() {
            rules.push(reader.rule(rule)?);
        }
        let is_vague = reader.over.is_vague;
        own.terms = reader.over.terms;
        for rule in rules {
            own.add_rule(rule);
        }
        Some(Reading {
            program: own,
            signs,
            is_vague,
            integers: reader.integers,
        })
    }
}

/// How the words of a program are compared more often; `None` if it has none.
fn signs(program: &Program) -> Option<Signs> {
    let terms = &program.terms;
    let roots: Vec<TermId> = program.rules().iter().flat_map(Rule::terms).collect();
    let (mut has_words, mut signed, mut unsigned) = (false, 0usize, 0usize);
    for term in terms.subterms(&roots) {
        has_words |= terms.width(terms.sort(term)).is_some();
        match terms.operator(term) {
            Operator::Word(WordOperator::SignedLessOrEqual) => signed += 1,
            Operator::Word(WordOperator::UnsignedLessOrEqual) => unsigned += 1,
            _ => {}
        }
    }
    let signs = if unsigned > signed {
        Signs::Unsigned
    } else {
        Signs::Signed
    };
    has_words.then_some(signs)
}

struct Reader {
    over: Integers,
    integers: HashMap<TermId, TermId>,
}

/// A term that has been read.
#[derive(Clone)]
struct Read {
    /// Before anything wraps around.
    whole: TermId,
    /// As it is looked at.
    wrapped: TermId,
    /// Of a word: where the whole number lies.
    range: Option<(BigInt, BigInt)>,
}

/// Numbers longer than so many of their words wrap around at once: those that commute with it could get as long as there is memory.
const MOST_LENGTHS: u64 = 8;
/// More turns around than this are not distinguished one by one.
const MOST_CASES: i64 = 3;

impl Reader {
    fn rule(&mut self, rule: &Rule) -> Option<Rule> {
        let roots: Vec<TermId> = rule.terms().collect();
        let mut read: HashMap<TermId, Read> = HashMap::new();
        let mut conditions = Vec::new();
        for term in self.over.terms.subterms(&roots) {
            let parts: Option<Vec<Read>> = self
                .over
                .terms
                .arguments(term)
                .iter()
                .map(|part| read.get(part).cloned())
                .collect();
            let own = self.read(term, &parts?, &mut conditions)?;
            read.insert(term, own);
        }
        let of = |terms: &[TermId]| -> Option<Vec<TermId>> {
            terms.iter().map(|term| Some(read.get(term)?.wrapped)).collect()
        };
        let atom = |atom: &Atom| {
            Some(Atom {
                predicate: atom.predicate,
                arguments: of(&atom.arguments)?,
            })
        };
        let mut constraint = of(&rule.constraint)?;
        constraint.extend(conditions);
        let constraint = constraint
            .iter()
            .flat_map(|one| self.over.terms.conjuncts(*one))
            .collect();
        Some(Rule {
            head: atom(&rule.head)?,
            constraint,
            body: rule.body.iter().map(atom).collect::<Option<_>>()?,
            location: rule.location,
        })
    }

    /// A term whose parts have been read, with conditions that it comes with.
    fn read(&mut self, term: TermId, parts: &[Read], conditions: &mut Vec<TermId>) -> Option<Read> {
        let operator = self.over.terms.operator(term);
        let commutes = commutes_with_wrapping(operator);
        let arguments = parts
            .iter()
            .map(|part| if commutes { part.whole } else { part.wrapped });
        let whole = self.term(term, &arguments.collect::<Vec<_>>())?;
        let Some(width) = self.over.terms.width(self.over.terms.sort(term)) else {
            return Some(Read {
                whole,
                wrapped: whole,
                range: None,
            });
        };
        let own = range(self.over.signs, width);
        let ranges: Vec<(BigInt, BigInt)> = parts.iter().filter_map(|part| part.range.clone()).collect();
        let (low, high) = match self.over.terms.number_value(whole) {
            Some(number) => (number.to_integer(), number.to_integer()),
            None => match commutes.then(|| spread(operator, &ranges)).flatten() {
                Some(spread) => spread,
                None => range(self.signs_of_result(term), width),
            },
        };
        let is_long = low.bits().max(high.bits()) > MOST_LENGTHS * u64::from(width);
        if self.over.overflow == Overflow::Ignored {
            let whole = if is_long { self.over.anything() } else { whole };
            return Some(Read {
                whole,
                wrapped: whole,
                range: Some(if is_long { own } else { (low, high) }),
            });
        }
        if self.over.terms.is_variable(term) {
            let (least, greatest) = (
                self.over.terms.integer(own.0.clone()),
                self.over.terms.integer(own.1.clone()),
            );
            conditions.push(self.over.terms.less_or_equal(least, whole));
            conditions.push(self.over.terms.less_or_equal(whole, greatest));
        }
        let wrapped = self.wrapped(whole, (&low, &high), width, conditions);
        Some(match is_long {
            true => Read {
                whole: wrapped,
                wrapped,
                range: Some(own),
            },
            false => Read {
                whole,
                wrapped,
                range: Some((low, high)),
            },
        })
    }

    /// Which numbers an operation gives that does not commute with wrapping.
    fn signs_of_result(&self, term: TermId) -> Signs {
        match self.over.terms.operator(term) {
            Operator::Word(WordOperator::SignedDivide | WordOperator::SignedRemainder) => Signs::Signed,
            _ => self.over.signs,
        }
    }

    /// A number between these as its word of this width has it.
    fn wrapped(
        &mut self,
        whole: TermId,
        (low, high): (&BigInt, &BigInt),
        width: u32,
        conditions: &mut Vec<TermId>,
    ) -> TermId {
        let (least, greatest) = range(self.over.signs, width);
        let modulus = BigInt::one() << width;
        let (first, last) = ((low - &least).div_floor(&modulus), (high - &least).div_floor(&modulus));
        if first == last && first.is_zero() {
            return whole;
        }
        if let Some(number) = self.over.terms.number_value(whole) {
            let value = (number.to_integer() - &least).mod_floor(&modulus) + least;
            return self.over.terms.integer(value);
        }
        let turns = &last - &first;
        if turns >= BigInt::from(MOST_CASES) {
            let turns = self.over.anything();
            let modulus = self.over.terms.integer(modulus);
            let around = self.over.terms.multiply(modulus, turns);
            let rest = self.over.terms.subtract(whole, around);
            let (least, greatest) = (self.over.terms.integer(least), self.over.terms.integer(greatest));
            conditions.push(self.over.terms.less_or_equal(least, rest));
            conditions.push(self.over.terms.less_or_equal(rest, greatest));
            return rest;
        }
        // From the largest numbers on.
        let mut turn = first.clone();
        let moved = |terms: &mut Terms, turn: &BigInt| {
            let by = terms.integer(turn * &modulus);
            terms.subtract(whole, by)
        };
        let mut result = moved(&mut self.over.terms, &turn);
        while turn < last {
            turn += 1;
            let from = self.over.terms.integer(&least + &turn * &modulus);
            let (is_there, there) = (
                self.over.terms.less_or_equal(from, whole),
                moved(&mut self.over.terms, &turn),
            );
            result = self.over.terms.if_then_else(is_there, there, result);
        }
        result
    }

    /// A term whose parts have been read. `None` if it is neither of words nor of integers nor a formula about them.
    fn term(&mut self, term: TermId, arguments: &[TermId]) -> Option<TermId> {
        let sort = self.over.terms.sort(term);
        let operator = self.over.terms.operator(term);
        match (self.over.terms.sort_of_id(sort), operator) {
            (Sort::Word(_), Operator::Variable(_)) => Some(self.integer_for(term)),
            (Sort::Word(width), Operator::Number(_)) => {
                let value = self.over.terms.number_value(term)?.to_integer();
                let value = match value > range(self.over.signs, width).1 {
                    true => value - (BigInt::one() << width),
                    false => value,
                };
                Some(self.over.terms.integer(value))
            }
            (Sort::Word(width), Operator::Word(operator)) => {
                let inner = self.over.terms.arguments(term).first().copied()?;
                let inner = self.over.terms.width(self.over.terms.sort(inner)).unwrap_or(width);
                Some(
                    self.over
                        .operation(operator, arguments, width, inner)
                        .unwrap_or_else(|| self.over.anything()),
                )
            }
            (Sort::Word(_), Operator::IfThenElse) => {
                let &[condition, one, other] = arguments else {
                    return None;
                };
                Some(self.over.terms.if_then_else(condition, one, other))
            }
            (Sort::Bool, Operator::Word(operator)) => {
                let inner = self.over.terms.arguments(term).first().copied()?;
                let width = self.over.terms.width(self.over.terms.sort(inner))?;
                let &[left, right] = arguments else { return None };
                let signs = match operator {
                    WordOperator::SignedLessOrEqual => Signs::Signed,
                    WordOperator::UnsignedLessOrEqual => Signs::Unsigned,
                    _ => return None,
                };
                let (left, right) = (
                    self.over.seen_as(signs, left, width),
                    self.over.seen_as(signs, right, width),
                );
                Some(self.over.terms.less_or_equal(left, right))
            }
            (Sort::Int, Operator::Word(WordOperator::ToInteger)) => {
                let inner = self.over.terms.arguments(term).first().copied()?;
                let width = self.over.terms.width(self.over.terms.sort(inner))?;
                Some(self.over.seen_as(Signs::Unsigned, *arguments.first()?, width))
            }
            (Sort::Int, Operator::Word(_)) => None,
            (Sort::Bool | Sort::Int, _) if self.over.terms.arguments(term) == arguments => Some(term),
            (Sort::Bool, Operator::Equal) => {
                let &[left, right] = arguments else { return None };
                Some(self.over.terms.equal(left, right))
            }
            (Sort::Bool | Sort::Int, _) => Some(self.over.terms.with_arguments(term, arguments)),
            _ => None,
        }
    }

    fn integer_for(&mut self, variable: TermId) -> TermId {
        if let Some(known) = self.integers.get(&variable) {
            return *known;
        }
        let name = self.over.terms.variable_name(variable).to_string();
        let integer = self.over.terms.fresh_variable(&name, SortId::INT);
        self.integers.insert(variable, integer);
        integer
    }
}
