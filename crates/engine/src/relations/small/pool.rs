//! Small values of each sort, for what rules leave open.

use crate::random::Generator;
use crate::relations::system::System;
use crate::terms::{DatatypeValue, Rational, Sort, SortId, TermId, Terms, Value};
use hashbrown::HashMap;
use num_traits::One;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Numbers that are tried, those more often that are there more often.
const NUMBERS: [i64; 10] = [0, 1, 2, 0, 1, 2, 3, 4, -1, 6];
/// Numbers of the rules are tried if they are no larger than this.
const LARGEST: i64 = 64;
/// So many values of a datatype are tried.
const OF_DATATYPE: usize = 24;
/// How deep constructors are nested in them.
const DEPTH: usize = 4;

/// Values to choose from.
pub(crate) struct Pools {
    numbers: Vec<Value>,
    /// Larger numbers of the rules.
    large: BTreeSet<Rational>,
    of_datatypes: HashMap<SortId, Vec<Value>>,
}

impl Pools {
    pub fn new(terms: &Terms, system: &System) -> Pools {
        let number = |number: i64| Value::Number(Rational::from_integer(number.into()));
        let mut numbers: Vec<Value> = NUMBERS.into_iter().map(number).collect();
        let mut roots: Vec<TermId> = Vec::new();
        for clause in &system.clauses {
            let occurrences = clause.premises.iter().chain([&clause.conclusion]);
            roots.extend(occurrences.flat_map(|occurrence| &occurrence.arguments));
            roots.extend(&clause.constraint);
        }
        let limit = Rational::from_integer(LARGEST.into());
        let mut large = BTreeSet::new();
        for term in terms.subterms(&roots) {
            let Some(value) = terms.number_value(term).filter(|value| value.is_integer()) else {
                continue;
            };
            if *value > limit || *value < -limit.clone() {
                large.insert(value.clone());
            } else if !numbers.contains(&Value::Number(value.clone())) {
                numbers.push(Value::Number(value.clone()));
            }
        }
        let mut pools = Pools {
            numbers,
            large,
            of_datatypes: HashMap::new(),
        };
        let mut random = Generator(3);
        for _ in 0..DEPTH {
            pools.deepen(terms, &mut random);
        }
        pools
    }

    /// Adds values of each datatype that are made of those that are known.
    fn deepen(&mut self, terms: &Terms, random: &mut Generator) {
        for datatype in terms.datatypes() {
            let mut made = self.of_datatypes.get(&datatype.sort).cloned().unwrap_or_default();
            let most = (made.len() + OF_DATATYPE / DEPTH).max(datatype.constructors.len());
            for constructor in &datatype.constructors {
                let fields = &terms.constructor(*constructor).fields;
                let tries = if fields.is_empty() { 1 } else { OF_DATATYPE };
                for _ in 0..tries {
                    if made.len() >= most {
                        break;
                    }
                    let arguments: Option<Vec<Value>> = fields
                        .iter()
                        .map(|field| self.choose(terms, terms.field(*field).sort, random))
                        .collect();
                    let value = arguments.and_then(|arguments| DatatypeValue::new(*constructor, arguments));
                    if let Some(value) = value.map(|value| Value::Datatype(Arc::new(value)))
                        && !made.contains(&value)
                    {
                        made.push(value);
                    }
                }
            }
            if !made.is_empty() {
                self.of_datatypes.insert(datatype.sort, made);
            }
        }
    }

    /// The integers, each once, in the order in which they come.
    pub fn small_numbers(&self) -> Vec<Value> {
        let mut each = Vec::new();
        for number in &self.numbers {
            if !each.contains(number) {
                each.push(number.clone());
            }
        }
        each
    }

    /// So many integers: the small ones, those of the rules with their neighbours, and then one after another.
    pub fn numbers_in_order(&self, count: usize) -> Vec<Value> {
        let mut each = self.small_numbers();
        let one = Rational::one();
        let around = self
            .large
            .iter()
            .flat_map(|number| [number.clone(), number - &one, number + &one]);
        each.extend(around.map(Value::Number));
        let mut known: BTreeSet<Value> = each.iter().cloned().collect();
        let counted = (0..).map(|number: i64| Value::Number(number.into()));
        let more = counted.filter(|number| known.insert(number.clone()));
        each.extend(more.take(count.saturating_sub(self.numbers.len() + 3 * self.large.len())));
        each
    }

    /// Some value of a sort; none if none is known.
    pub fn choose(&self, terms: &Terms, sort: SortId, random: &mut Generator) -> Option<Value> {
        let any =
            |values: &[Value], random: &mut Generator| values.get(random.below(values.len() as u64) as usize).cloned();
        match terms.sort_of_id(sort) {
            Sort::Int => any(&self.numbers, random),
            Sort::Bool => Some(Value::Bool(random.below(2) == 0)),
            Sort::Datatype(_) => any(self.of_datatypes.get(&sort)?, random),
            _ => Some(terms.default_value(sort)),
        }
    }
}
