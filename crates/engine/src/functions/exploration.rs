//! Guesses at equations between terms: terms of functions and constructors, from small ones to larger ones, that have the same values on
//! samples.
//!
//! Of terms that have the same values, only the first is used in larger ones. So what is made stays small, and each equation that
//! is guessed says something of it.

use super::prover::Prover;
use crate::engine::StopReason;
use crate::random::Generator;
use crate::relations::Pools;
use crate::terms::{
    Assignment, ConstructorId, FunctionId, Operator, Rational, SortId, Substitution, TermId, Terms, Value, Values,
    constructed,
};
use hashbrown::HashSet;
use num_traits::Signed;
use std::collections::BTreeMap;

/// Assignments on which terms are compared.
const SAMPLES: usize = 48;
/// Variables of a sort that recurs, and of another one.
const VARIABLES: [usize; 2] = [3, 2];
/// Terms that are kept for larger ones.
const MOST_TERMS: usize = 2_500;
/// Terms that are looked at for one size.
const MOST_OF_SIZE: usize = 12_000;
/// Equations that are guessed for one size.
const MOST_EQUATIONS: usize = 400;
/// How many constructors are inside of each other in samples, and in elements of these.
const DEPTH: usize = 6;
const ELEMENT: usize = 3;
/// Samples that satisfy a condition, so that an equation is guessed under it.
const SUPPORT: usize = 6;
/// Conditions and terms in conditional equations have no larger sizes, and so many are guessed.
const CONDITION: usize = 3;
const SIDE: usize = 4;
const MOST_CONDITIONAL: usize = 160;
/// So many values cost as much as a unit of work.
const VALUES: u64 = 12;

/// What makes larger terms of smaller ones.
#[derive(Clone, Copy)]
enum Maker {
    Function(FunctionId),
    Constructor(ConstructorId),
    Sum,
}

/// A term with its values on the samples.
struct Sampled {
    term: TermId,
    sort: SortId,
    size: usize,
    values: Vec<Value>,
}

/// All terms so far.
pub(super) struct Exploration {
    counters: Counters,
    has_numbers: bool,
    samples: Vec<Assignment>,
    makers: Vec<(Maker, Vec<SortId>, SortId)>,
    terms: Vec<Sampled>,
    /// The first term of each sort with these values.
    classes: BTreeMap<(SortId, Vec<Value>), usize>,
    variables: Vec<TermId>,
    values: Values,
    seen: HashSet<TermId>,
    size: usize,
    work: u64,
}

/// A guess: terms that seem to be equal.
pub(super) struct Guess {
    pub formula: TermId,
    pub cost: usize,
}

impl Exploration {
    pub fn new(terms: &mut Terms, pools: &Pools, functions: &[FunctionId]) -> Exploration {
        let mut makers = Vec::new();
        let mut sorts: Vec<SortId> = Vec::new();
        for id in functions {
            let function = &terms.functions()[id.index()];
            let parameters: Vec<SortId> = function.parameters.iter().map(|one| terms.sort(*one)).collect();
            sorts.extend(&parameters);
            sorts.push(function.sort);
            makers.push((Maker::Function(*id), parameters, function.sort));
        }
        sorts.sort();
        sorts.dedup();
        for sort in &sorts {
            let constructors = terms.datatype(*sort).map_or(&[][..], |datatype| &datatype.constructors);
            for id in constructors {
                let fields = terms.constructor(*id).fields.iter();
                let fields = fields.map(|field| terms.field(*field).sort).collect();
                makers.push((Maker::Constructor(*id), fields, *sort));
            }
        }
        let counters = Counters::new(terms, functions);
        let has_numbers = counters.are_there() || functions.iter().any(|id| returns_numbers(terms, *id));
        if has_numbers {
            makers.push((Maker::Sum, vec![SortId::INT; 2], SortId::INT));
        }
        let made_of = makers
            .iter()
            .filter(|(maker, _, _)| matches!(maker, Maker::Constructor(_)));
        let elements: Vec<SortId> = made_of.flat_map(|(_, parts, _)| parts.clone()).collect();
        // Elements of what is constructed need variables as well.
        for (_, parts, _) in &makers {
            sorts.extend(parts);
        }
        sorts.sort();
        sorts.dedup();
        let mut variables = Vec::new();
        for sort in sorts {
            let constructors = terms.datatype(sort).map_or(&[][..], |datatype| &datatype.constructors);
            let is_enumeration =
                !constructors.is_empty() && constructors.iter().all(|id| terms.constructor(*id).fields.is_empty());
            // Of a few values each is a term; elements are more than these.
            if is_enumeration && !elements.contains(&sort) || sort == SortId::BOOL {
                continue;
            }
            let count = VARIABLES[usize::from(!terms.is_recursive(sort))];
            for position in 0..count {
                variables.push(terms.fresh_variable(&format!("v{}", position + 1), sort));
            }
        }
        let mut random = Generator(5);
        let mut samples = Vec::with_capacity(SAMPLES);
        for _ in 0..SAMPLES {
            let mut taken = sample(terms, pools, &variables, &mut random);
            if counters.are_there() {
                taken.values_mut().for_each(make_natural);
            }
            samples.push(taken);
        }
        Exploration {
            counters,
            has_numbers,
            samples,
            makers,
            terms: Vec::new(),
            classes: BTreeMap::new(),
            variables,
            values: Values::default(),
            seen: HashSet::new(),
            size: 0,
            work: 0,
        }
    }

    /// Terms of the next size, and what seems to be true of them.
    pub fn next(&mut self, prover: &mut Prover<'_>) -> Result<Vec<Guess>, StopReason> {
        self.size += 1;
        let mut guesses = Vec::new();
        if self.size == 1 {
            self.begin(&mut prover.terms, &mut guesses);
        }
        let mut looked_at = 0;
        for (maker, parts, sort) in self.makers.clone() {
            if parts.is_empty() || parts.len() >= self.size + usize::from(matches!(maker, Maker::Constructor(_))) {
                continue;
            }
            for tuple in self.tuples(&parts, self.size - 1) {
                looked_at += 1;
                if looked_at > MOST_OF_SIZE || guesses.len() > MOST_EQUATIONS {
                    break;
                }
                let Some(made) = self.made(&mut prover.terms, maker, &tuple, sort) else {
                    continue;
                };
                self.add(&mut prover.terms, made, &mut guesses);
            }
            prover.work += std::mem::take(&mut self.work) / VALUES;
            prover.poll()?;
        }
        let terms = &prover.terms;
        guesses.sort_by_key(|guess| {
            (
                guess.cost,
                std::cmp::Reverse(terms.variables(guess.formula).len()),
                guess.formula,
            )
        });
        Ok(guesses)
    }

    /// What seems to be true where a term of few values has one of them.
    pub fn conditional(&mut self, terms: &mut Terms) -> Vec<Guess> {
        let mut guesses = Vec::new();
        for (position, condition) in self.terms.iter().enumerate() {
            let constructors = terms
                .datatype(condition.sort)
                .map_or(Vec::new(), |one| one.constructors.clone());
            let is_constant = |id: &ConstructorId| terms.constructor(*id).fields.is_empty();
            let is_choice = constructors.len() == 2 && constructors.iter().all(is_constant);
            if condition.size > CONDITION || !is_choice || !terms.has_variables(condition.term) {
                continue;
            }
            for constructor in constructors {
                let Some(value) = constructed(constructor, Vec::new()) else {
                    continue;
                };
                let rows: Vec<usize> = (0..SAMPLES).filter(|row| condition.values[*row] == value).collect();
                if rows.len() < SUPPORT || rows.len() == SAMPLES {
                    continue;
                }
                let constant = terms.construct(constructor, &[]);
                let holds = terms.equal(condition.term, constant);
                self.agreeing(terms, position, holds, &rows, &mut guesses);
            }
        }
        guesses.sort_by_key(|guess| (guess.cost, guess.formula));
        guesses.truncate(MOST_CONDITIONAL);
        guesses
    }

    /// Terms that have the same values in these rows, and not in all.
    fn agreeing(&self, terms: &mut Terms, condition: usize, holds: TermId, rows: &[usize], guesses: &mut Vec<Guess>) {
        let given = terms.variables(holds);
        let mut first: BTreeMap<(SortId, Vec<&Value>), usize> = BTreeMap::new();
        for (position, sampled) in self.terms.iter().enumerate() {
            if sampled.size > SIDE || position == condition {
                continue;
            }
            let values = rows.iter().map(|row| &sampled.values[*row]).collect();
            let known = *first.entry((sampled.sort, values)).or_insert(position);
            if known == position {
                continue;
            }
            let known = &self.terms[known];
            let both = terms.variables_of_all(&[known.term, sampled.term]);
            if !given.iter().all(|variable| both.contains(variable)) {
                continue;
            }
            let (otherwise, same) = (terms.not(holds), terms.equal(known.term, sampled.term));
            guesses.push(Guess {
                formula: terms.or(&[otherwise, same]),
                cost: known.size + sampled.size + self.terms[condition].size,
            });
        }
    }

    /// Variables, constants and constructors without fields.
    fn begin(&mut self, terms: &mut Terms, guesses: &mut Vec<Guess>) {
        for variable in self.variables.clone() {
            let values: Option<Vec<Value>> = self
                .samples
                .iter()
                .map(|sample| sample.get(&variable).cloned())
                .collect();
            let sort = terms.sort(variable);
            let sampled = values.map(|values| Sampled {
                term: variable,
                sort,
                size: 1,
                values,
            });
            if let Some(sampled) = sampled {
                self.add(terms, sampled, guesses);
            }
        }
        for number in 0..=1 {
            if self.has_numbers {
                let value = Value::Number(Rational::from_integer(number.into()));
                let sampled = Sampled {
                    term: terms.integer(number),
                    sort: SortId::INT,
                    size: 1,
                    values: vec![value; SAMPLES],
                };
                self.add(terms, sampled, guesses);
            }
        }
        for (maker, parts, sort) in self.makers.clone() {
            if let (Maker::Constructor(constructor), true) = (maker, parts.is_empty())
                && let Some(value) = constructed(constructor, Vec::new())
            {
                let sampled = Sampled {
                    term: terms.construct(constructor, &[]),
                    sort,
                    size: 1,
                    values: vec![value; SAMPLES],
                };
                self.add(terms, sampled, guesses);
            }
        }
    }

    /// Terms of these sorts whose sizes have this sum.
    fn tuples(&self, sorts: &[SortId], total: usize) -> Vec<Vec<usize>> {
        let mut found: Vec<(Vec<usize>, usize)> = vec![(Vec::new(), 0)];
        for (position, sort) in sorts.iter().enumerate() {
            let left = sorts.len() - position - 1;
            let mut longer = Vec::new();
            for (tuple, size) in &found {
                for (index, sampled) in self.terms.iter().enumerate() {
                    let sum = size + sampled.size;
                    let fits = if left == 0 { sum == total } else { sum + left <= total };
                    if sampled.sort == *sort && fits {
                        longer.push(([&tuple[..], &[index]].concat(), sum));
                    }
                }
                if longer.len() > MOST_OF_SIZE {
                    break;
                }
            }
            found = longer;
        }
        found.into_iter().map(|(tuple, _)| tuple).collect()
    }

    fn made(&mut self, terms: &mut Terms, maker: Maker, tuple: &[usize], sort: SortId) -> Option<Sampled> {
        let arguments: Vec<TermId> = tuple.iter().map(|index| self.terms[*index].term).collect();
        let term = match maker {
            Maker::Function(id) => terms.call(id, &arguments)?,
            Maker::Constructor(id) => terms.construct(id, &arguments),
            Maker::Sum => terms.add(arguments[0], arguments[1]),
        };
        if self.terms.iter().any(|known| known.term == term) {
            return None;
        }
        let mut values = Vec::with_capacity(SAMPLES);
        for sample in 0..SAMPLES {
            let parts: Vec<Value> = tuple
                .iter()
                .map(|index| self.terms[*index].values[sample].clone())
                .collect();
            self.work += 1;
            let before = self.values.calculated;
            let value = match maker {
                Maker::Function(id) => self.values.applied(terms, id, parts),
                Maker::Constructor(id) => constructed(id, parts),
                Maker::Sum => match &parts[..] {
                    [Value::Number(one), Value::Number(other)] => Some(Value::Number(one + other)),
                    _ => None,
                },
            };
            self.work += self.values.calculated - before;
            values.push(value?);
        }
        Some(Sampled {
            term,
            sort,
            size: self.size,
            values,
        })
    }

    /// Keeps a term that is the first with its values, or guesses that it is the same as that one.
    fn add(&mut self, terms: &mut Terms, made: Sampled, guesses: &mut Vec<Guess>) {
        let key = (made.sort, made.values.clone());
        if let Some(known) = self.classes.get(&key) {
            let known = &self.terms[*known];
            let formula = terms.equal(known.term, made.term);
            let formula = self.canonical(terms, known.term, made.term, formula);
            let formula = self.counters.guarded(terms, formula);
            if formula != TermId::TRUE && terms.has_variables(formula) && self.seen.insert(formula) {
                guesses.push(Guess {
                    formula,
                    cost: known.size + made.size,
                });
            }
            return;
        }
        if self.terms.len() < MOST_TERMS {
            self.classes.insert(key, self.terms.len());
            self.terms.push(made);
        }
    }

    /// An equation with its variables in the order in which they come.
    fn canonical(&self, terms: &mut Terms, left: TermId, right: TermId, formula: TermId) -> TermId {
        let mut order = Vec::new();
        let mut stack = vec![left, right];
        while let Some(current) = stack.pop() {
            if terms.is_variable(current) && !order.contains(&current) {
                order.push(current);
            }
            stack.extend(terms.arguments(current).iter().rev());
        }
        let mut substitution = Substitution::new();
        for variable in &order {
            let sort = terms.sort(*variable);
            let rank = order.iter().take_while(|other| *other != variable);
            let rank = rank.filter(|other| terms.sort(**other) == sort).count();
            let mut of_sort = self.variables.iter().filter(|other| terms.sort(**other) == sort);
            if let Some(replaced) = of_sort.nth(rank) {
                substitution.insert(terms, *variable, *replaced);
            }
        }
        terms.substitute(formula, &substitution)
    }
}

fn returns_numbers(terms: &Terms, id: FunctionId) -> bool {
    terms
        .functions()
        .get(id.index())
        .is_some_and(|one| one.sort == SortId::INT)
}

fn make_natural(value: &mut Value) {
    if let Value::Number(number) = value {
        *number = number.abs();
    }
}

/// Integers that count how often functions recur: what is said of them is said of natural numbers only.
struct Counters(Vec<(FunctionId, Vec<usize>)>);

/// Which arguments of a function are integers that count how often it recurs.
pub(super) fn counters(terms: &Terms, id: FunctionId) -> Vec<usize> {
    let Some(function) = terms.functions().get(id.index()) else {
        return Vec::new();
    };
    let ranked = terms.variables_of_all(&function.ranks);
    let parameters = function.parameters.iter().enumerate();
    let counting = parameters.filter(|(_, one)| terms.sort(**one) == SortId::INT && ranked.contains(one));
    counting.map(|(position, _)| position).collect()
}

impl Counters {
    fn new(terms: &Terms, functions: &[FunctionId]) -> Counters {
        let mut found = Vec::new();
        for id in functions {
            let positions = counters(terms, *id);
            if !positions.is_empty() {
                found.push((*id, positions));
            }
        }
        Counters(found)
    }

    fn are_there(&self) -> bool {
        !self.0.is_empty()
    }

    /// A formula for counters that are not negative.
    fn guarded(&self, terms: &mut Terms, formula: TermId) -> TermId {
        let mut counting = Vec::new();
        for call in terms.applications(&[formula]) {
            for (id, positions) in &self.0 {
                if terms.operator(call) == Operator::Apply(*id) {
                    let arguments = positions.iter().filter_map(|at| terms.arguments(call).get(*at));
                    let inside = arguments.flat_map(|argument| terms.variables(*argument));
                    counting.extend(inside.filter(|one| terms.sort(*one) == SortId::INT));
                }
            }
        }
        counting.sort();
        counting.dedup();
        let zero = terms.integer(0);
        let mut said = vec![formula];
        for variable in counting {
            said.push(terms.less(variable, zero));
        }
        terms.or(&said)
    }
}

/// Some value for each variable.
pub(super) fn sample(terms: &Terms, pools: &Pools, variables: &[TermId], random: &mut Generator) -> Assignment {
    let value = |variable: &TermId| Some((*variable, grown(terms, pools, terms.sort(*variable), DEPTH, random)?));
    variables.iter().filter_map(value).collect()
}

/// A value of a sort, of a datatype so many constructors deep at most.
pub(super) fn grown(terms: &Terms, pools: &Pools, sort: SortId, depth: usize, random: &mut Generator) -> Option<Value> {
    let Some(datatype) = terms.datatype(sort) else {
        return pools.choose(terms, sort, random);
    };
    let recurs = |id: &ConstructorId| {
        let fields = terms.constructor(*id).fields.iter();
        fields.filter(|field| terms.is_recurring(**field)).count()
    };
    // What recurs is taken twice as often, as long as there is room for it.
    let mut choices = Vec::new();
    for id in &datatype.constructors {
        match (recurs(id), depth) {
            (0, _) => choices.push(*id),
            (_, 0) => {}
            _ => choices.extend([*id, *id]),
        }
    }
    let chosen = *choices.get(random.below(choices.len() as u64) as usize)?;
    let depth = depth.saturating_sub(recurs(&chosen).max(1));
    let mut parts = Vec::new();
    for field in &terms.constructor(chosen).fields {
        let inner = if terms.is_recurring(*field) {
            depth
        } else {
            depth.min(ELEMENT)
        };
        parts.push(grown(terms, pools, terms.field(*field).sort, inner, random)?);
    }
    constructed(chosen, parts)
}
