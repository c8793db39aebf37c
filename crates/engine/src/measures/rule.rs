//! One rule as what it says of measures: terms of recursive datatypes are replaced by their measures, by equations as far as their
//! constructors are known, and what cannot be said of these is left out.

use super::{Kind, Set, kind_of};
use crate::rules::{Atom, PredicateId, Rule};
use crate::terms::{ConstructorId, FieldId, Measure, Operator, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};

/// Of terms with more constructors than this, only measures that are sums are followed.
const MOST_CONSTRUCTORS: usize = 200;

/// One rule on its way to what it says of measures.
pub(super) struct RuleOfMeasures<'a> {
    terms: &'a mut Terms,
    kinds: &'a [Vec<Kind>],
    set: Set,
    /// Variables for what is not said.
    stand_ins: HashMap<TermId, TermId>,
    /// The measures of terms: of what is constructed by equations, of the others variables.
    values: HashMap<(Measure, TermId), TermId>,
    /// What is known of them.
    known: Vec<TermId>,
}

impl<'a> RuleOfMeasures<'a> {
    pub fn new(terms: &'a mut Terms, kinds: &'a [Vec<Kind>], set: Set) -> RuleOfMeasures<'a> {
        RuleOfMeasures {
            terms,
            kinds,
            set,
            stand_ins: HashMap::new(),
            values: HashMap::new(),
            known: Vec::new(),
        }
    }

    pub fn rule(mut self, rule: &Rule) -> Rule {
        let mut constraint = Vec::new();
        for formula in &rule.constraint {
            constraint.push(self.implied(*formula, true));
        }
        let head = self.atom(&rule.head);
        let body = rule.body.iter().map(|atom| self.atom(atom)).collect();
        constraint.append(&mut self.known);
        constraint.retain(|formula| *formula != TermId::TRUE);
        Rule {
            head,
            constraint,
            body,
            location: rule.location,
        }
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        let kinds = &self.kinds[atom.predicate.index()];
        let mut arguments = Vec::with_capacity(atom.arguments.len());
        for (argument, kind) in atom.arguments.iter().zip(kinds) {
            match kind {
                Kind::Kept => arguments.push(self.kept(*argument)),
                Kind::Measured => arguments.extend(self.measures(*argument).into_iter().map(|(_, value)| value)),
                Kind::Dropped => {}
            }
        }
        Atom {
            predicate: PredicateId::from_index(atom.predicate.index()),
            arguments,
        }
    }

    fn kind(&self, term: TermId) -> Kind {
        kind_of(self.terms, self.terms.sort(term))
    }

    /// Whether a term has others inside that do not stay.
    fn is_foreign(&self, term: TermId) -> bool {
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            if seen.insert(current) {
                if self.kind(current) != Kind::Kept {
                    return true;
                }
                stack.extend(self.terms.arguments(current));
            }
        }
        false
    }

    fn stand_in(&mut self, term: TermId, sort: SortId) -> TermId {
        if let Some(known) = self.stand_ins.get(&term) {
            return *known;
        }
        let name = match self.terms.is_variable(term) {
            true => self.terms.variable_name(term).to_string(),
            false => "Part".to_string(),
        };
        let variable = self.terms.fresh_variable(&name, sort);
        self.stand_ins.insert(term, variable);
        variable
    }

    /// The measures of a term of a recursive datatype.
    fn measures(&mut self, term: TermId) -> Vec<(Measure, TermId)> {
        let measures = self.set.measures(self.terms, self.terms.sort(term));
        if !measures
            .iter()
            .all(|measure| self.values.contains_key(&(*measure, term)))
        {
            self.evaluate(term);
        }
        let found = measures.into_iter().filter_map(|measure| {
            let value = self.values.get(&(measure, term))?;
            Some((measure, *value))
        });
        found.collect()
    }

    /// Whether what a measure sees of a field is itself measured: a part, or an element that counts by its size.
    fn is_measured(&self, field: FieldId) -> bool {
        self.terms.is_recurring(field) || self.terms.is_natural(self.terms.field(field).sort)
    }

    /// Finds values for the measures of a term and of all that it is constructed of.
    fn evaluate(&mut self, term: TermId) {
        let mut inside: HashSet<TermId> = HashSet::new();
        let mut stack = vec![term];
        let mut constructed = 0;
        while let Some(current) = stack.pop() {
            if !inside.insert(current) {
                continue;
            }
            if let Operator::Construct(constructor) = self.terms.operator(current) {
                constructed += 1;
                let fields = self.terms.constructor(constructor).fields.clone();
                for (field, argument) in fields.into_iter().zip(self.terms.arguments(current).to_vec()) {
                    if self.is_measured(field) {
                        stack.push(argument);
                    }
                }
            }
        }
        // Parts have smaller ids than what they are part of.
        let mut inside: Vec<TermId> = inside.into_iter().collect();
        inside.sort();
        for current in inside {
            for measure in self.set.measures(self.terms, self.terms.sort(current)) {
                if self.values.contains_key(&(measure, current)) {
                    continue;
                }
                match self.terms.operator(current) {
                    // Of very long terms, nothing is said that would be nested as deeply.
                    Operator::Construct(constructor) if measure.is_sum() || constructed <= MOST_CONSTRUCTORS => {
                        let arguments = self.terms.arguments(current).to_vec();
                        let value = self.by_equation(measure, constructor, &arguments);
                        self.values.insert((measure, current), value);
                    }
                    _ => self.choose(measure, current),
                }
            }
            if !matches!(self.terms.operator(current), Operator::Construct(_)) {
                self.branches(current);
            }
        }
    }

    /// A measure of what a constructor makes; those of its parts are known.
    fn by_equation(&mut self, measure: Measure, constructor: ConstructorId, arguments: &[TermId]) -> TermId {
        let fields = self.terms.constructor(constructor).fields.clone();
        let mut kept = Vec::with_capacity(arguments.len());
        for (field, argument) in fields.into_iter().zip(arguments) {
            let is_element = !self.terms.is_recurring(field) && self.terms.sort(*argument) == SortId::INT;
            kept.push(if is_element { self.kept(*argument) } else { *argument });
        }
        let values = &self.values;
        self.terms
            .equation(measure, constructor, &kept, &mut |terms, measure, part| {
                match values.get(&(measure, part)) {
                    Some(value) => *value,
                    // Nothing is said of it.
                    None => terms.fresh_variable("Part", measure.sort()),
                }
            })
    }

    /// A variable for a measure.
    fn choose(&mut self, measure: Measure, term: TermId) {
        let name = match self.terms.is_variable(term) {
            true => self.terms.variable_name(term).to_string(),
            false => "Part".to_string(),
        };
        let variable = self.terms.fresh_variable(&name, measure.sort());
        self.values.insert((measure, term), variable);
        let values = &self.values;
        let of = |measure: Measure| values.get(&(measure, term)).copied();
        let truth = self.terms.truth_of(measure, &of);
        self.known.extend(truth);
    }

    /// The measures of an `if` are those of one of its branches.
    fn branches(&mut self, term: TermId) {
        if let (Operator::IfThenElse, &[condition, left, right]) =
            (self.terms.operator(term), self.terms.arguments(term))
        {
            let sides = [(condition, true, left), (condition, false, right)].map(|(condition, holds, side)| {
                let condition = self.implied(condition, holds);
                let same = self.same_measures(term, side);
                self.terms.and(&[condition, same])
            });
            let either = self.terms.or(&sides);
            self.known.push(either);
        }
    }

    fn same_measures(&mut self, left: TermId, right: TermId) -> TermId {
        let (left, right) = (self.measures(left), self.measures(right));
        let pairs = left.into_iter().zip(right);
        let equal: Vec<TermId> = pairs
            .map(|((_, left), (_, right))| self.terms.equal(left, right))
            .collect();
        self.terms.and(&equal)
    }

    /// A term that stays, with variables for what is inside of it and does not.
    fn kept(&mut self, term: TermId) -> TermId {
        if !self.is_foreign(term) {
            return term;
        }
        // What reads from something that does not stay, outermost first.
        let mut readers: Vec<TermId> = Vec::new();
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            if !seen.insert(current) {
                continue;
            }
            let arguments = self.terms.arguments(current).to_vec();
            match arguments.iter().any(|argument| self.kind(*argument) != Kind::Kept) {
                true => readers.push(current),
                false => stack.extend(arguments),
            }
        }
        readers.sort();
        let mut done = HashMap::new();
        for reader in readers {
            let sort = self.terms.sort(reader);
            let variable = self.stand_in(reader, sort);
            done.insert(reader, variable);
        }
        self.terms.rewritten(term, &mut done, |_, _| None, |_, built| built)
    }

    /// What a formula, or its negation, says of measures. Formulas are as deeply nested as their readers allow, so is the recursion.
    fn implied(&mut self, formula: TermId, holds: bool) -> TermId {
        let arguments = self.terms.arguments(formula).to_vec();
        match (self.terms.operator(formula), &arguments[..]) {
            (Operator::Not, [inner]) => self.implied(*inner, !holds),
            (operator @ (Operator::And | Operator::Or), _) => {
                let parts: Vec<TermId> = arguments.iter().map(|part| self.implied(*part, holds)).collect();
                match (operator == Operator::And) == holds {
                    true => self.terms.and(&parts),
                    false => self.terms.or(&parts),
                }
            }
            (Operator::Equal, [left, right]) if self.terms.sort(*left) == SortId::BOOL => {
                let sides = [true, false].map(|truth| {
                    let left = self.implied(*left, truth);
                    let right = self.implied(*right, truth == holds);
                    self.terms.and(&[left, right])
                });
                self.terms.or(&sides)
            }
            (Operator::Equal, [left, right]) => match self.kind(*left) {
                Kind::Kept => self.literal(formula, holds),
                Kind::Dropped => TermId::TRUE,
                Kind::Measured => self.equality(*left, *right, holds),
            },
            (Operator::IsMadeBy(constructor), [whole]) => match self.kind(*whole) {
                Kind::Kept => self.literal(formula, holds),
                Kind::Dropped => TermId::TRUE,
                Kind::Measured => self.made(constructor, *whole, holds),
            },
            _ => self.literal(formula, holds),
        }
    }

    fn literal(&mut self, formula: TermId, holds: bool) -> TermId {
        let formula = self.kept(formula);
        match holds {
            true => formula,
            false => self.terms.not(formula),
        }
    }

    fn equality(&mut self, left: TermId, right: TermId, holds: bool) -> TermId {
        for (side, other) in [(left, right), (right, left)] {
            if let (Operator::Construct(constructor), []) = (self.terms.operator(side), self.terms.arguments(side)) {
                return self.made(constructor, other, holds);
            }
        }
        // Beside their measures, the parts of what is constructed are the parts of the other side, where that is constructed too; the
        // constructors of terms have seen to that.
        if holds {
            return self.same_measures(left, right);
        }
        // Different natural numbers have different sizes, which all sets have of them.
        match self.terms.is_natural(self.terms.sort(left)) {
            true => {
                let same = self.same_measures(left, right);
                self.terms.not(same)
            }
            false => TermId::TRUE,
        }
    }

    /// What a constructor says of the measures, or that it was another one.
    fn made(&mut self, constructor: ConstructorId, whole: TermId, holds: bool) -> TermId {
        let measures = self.measures(whole);
        let sort = self.terms.constructed_sort(constructor);
        let constructors = self.terms.datatype(sort).map(|datatype| datatype.constructors.clone());
        let possible = constructors.unwrap_or_default().into_iter();
        let possible: Vec<ConstructorId> = possible.filter(|other| (*other == constructor) == holds).collect();
        let mut ways = Vec::with_capacity(possible.len());
        for other in possible {
            let mut parts = Vec::new();
            for field in self.terms.constructor(other).fields.clone() {
                let part = self.terms.field_of(field, whole);
                if self.is_measured(field) {
                    self.measures(part);
                }
                parts.push(part);
            }
            let mut conjuncts = Vec::with_capacity(measures.len());
            for (measure, value) in &measures {
                let equation = self.by_equation(*measure, other, &parts);
                conjuncts.push(self.terms.equal(*value, equation));
            }
            ways.push(self.terms.and(&conjuncts));
        }
        self.terms.or(&ways)
    }
}
