//! Measures of terms of a datatype: functions that are defined by recursion (catamorphisms), for invariants that say how large or how
//! high something is, what its integers sum up to, between which bounds they are, and whether they ascend.
//!
//! The equations follow from the datatype: what a measure of a constructed term is comes from its *elements*, the fields that are
//! integers or natural numbers, which count by their size, and from the measures of its *parts*, the fields that lead back to the
//! datatype. What is known of a measure of a term whose constructor is not known are its [unfoldings](Terms::unfoldings), which are true
//! of every value.

mod definitions;
mod unfolding;
mod values;

use super::{ConstructorId, Operator, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};

/// Of terms with more constructors than this, only sums are written out.
const MOST_CONSTRUCTORS: usize = 200;

/// A function from terms of a datatype to integers or truth values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Measure {
    /// How many constructors of its own datatype, and of those that this one shares a recursion with, a term is made of.
    Size,
    /// How many of these constructors are inside of each other, at most.
    Height,
    /// How many elements there are.
    Elements,
    /// The sum of the elements.
    Sum,
    /// The least element; 0 where there is none.
    Minimum,
    /// The greatest element; 0 where there is none.
    Maximum,
    /// Whether no element is less than one before it.
    Ascending,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 7] = [
        Measure::Size,
        Measure::Height,
        Measure::Elements,
        Measure::Sum,
        Measure::Minimum,
        Measure::Maximum,
        Measure::Ascending,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Size => "size",
            Measure::Height => "height",
            Measure::Elements => "elements",
            Measure::Sum => "sum",
            Measure::Minimum => "minimum",
            Measure::Maximum => "maximum",
            Measure::Ascending => "ascending",
        }
    }

    /// Whether it is a sum over the constructors and elements of a term.
    pub fn is_sum(self) -> bool {
        matches!(self, Measure::Size | Measure::Elements | Measure::Sum)
    }

    /// The sort of its values.
    pub fn sort(self) -> SortId {
        match self {
            Measure::Ascending => SortId::BOOL,
            _ => SortId::INT,
        }
    }

    /// The measures of parts that its equations speak of, itself among them.
    fn needed(self) -> &'static [Measure] {
        match self {
            Measure::Size => &[Measure::Size],
            Measure::Height => &[Measure::Height],
            Measure::Elements => &[Measure::Elements],
            Measure::Sum => &[Measure::Sum],
            Measure::Minimum => &[Measure::Elements, Measure::Minimum],
            Measure::Maximum => &[Measure::Elements, Measure::Maximum],
            Measure::Ascending => &[
                Measure::Elements,
                Measure::Minimum,
                Measure::Maximum,
                Measure::Ascending,
            ],
        }
    }

    /// The least value, if there is one for every term.
    fn least(self) -> Option<i64> {
        match self {
            Measure::Size | Measure::Height => Some(1),
            Measure::Elements => Some(0),
            _ => None,
        }
    }
}

/// What a measure sees of a constructed term: elements, and parts with their measures.
#[derive(Clone, Copy)]
enum Item {
    Element(TermId),
    /// An element that is a natural number by its constructors: it counts by its size.
    Natural(TermId),
    Part(TermId),
}

impl Terms {
    /// What a measure sees of the fields of a constructor, given as terms.
    fn items(&self, constructor: ConstructorId, arguments: &[TermId]) -> Vec<Item> {
        let fields = self.constructor(constructor).fields.iter().zip(arguments);
        let items = fields.filter_map(|(field, argument)| match self.is_recurring(*field) {
            true => Some(Item::Part(*argument)),
            false if self.field(*field).sort == SortId::INT => Some(Item::Element(*argument)),
            false => self
                .is_natural(self.field(*field).sort)
                .then_some(Item::Natural(*argument)),
        });
        items.collect()
    }

    /// A measure of what a constructor makes, by its equation. `of` gives the measures of parts.
    pub fn equation(
        &mut self,
        measure: Measure,
        constructor: ConstructorId,
        arguments: &[TermId],
        of: &mut dyn FnMut(&mut Terms, Measure, TermId) -> TermId,
    ) -> TermId {
        let mut items = self.items(constructor, arguments);
        let with_elements = !matches!(measure, Measure::Size | Measure::Height | Measure::Elements);
        for item in items.iter_mut().filter(|_| with_elements) {
            if let Item::Natural(number) = *item {
                *item = Item::Element(of(self, Measure::Size, number));
            }
        }
        match measure {
            Measure::Size | Measure::Elements | Measure::Sum => {
                let mut sum = self.integer(i64::from(measure == Measure::Size));
                for item in items {
                    let summand = match (item, measure) {
                        (Item::Part(part), _) => of(self, measure, part),
                        (Item::Element(element), Measure::Sum) => element,
                        (Item::Element(_) | Item::Natural(_), Measure::Elements) => self.integer(1),
                        (Item::Element(_) | Item::Natural(_), _) => continue,
                    };
                    sum = self.add(sum, summand);
                }
                sum
            }
            Measure::Height => {
                let mut highest = None;
                for item in items {
                    let Item::Part(part) = item else { continue };
                    let height = of(self, Measure::Height, part);
                    highest = Some(highest.map_or(height, |other| self.maximum(other, height)));
                }
                let one = self.integer(1);
                highest.map_or(one, |highest| self.add(highest, one))
            }
            Measure::Minimum | Measure::Maximum => self.bound(measure, &items, of),
            Measure::Ascending => self.ascending(&items, of),
        }
    }

    /// Whether an item has no elements.
    fn is_empty_item(&mut self, item: Item, of: &mut dyn FnMut(&mut Terms, Measure, TermId) -> TermId) -> TermId {
        match item {
            Item::Element(_) | Item::Natural(_) => TermId::FALSE,
            Item::Part(part) => {
                let (elements, zero) = (of(self, Measure::Elements, part), self.integer(0));
                self.equal(elements, zero)
            }
        }
    }

    fn bound(
        &mut self,
        measure: Measure,
        items: &[Item],
        of: &mut dyn FnMut(&mut Terms, Measure, TermId) -> TermId,
    ) -> TermId {
        let mut all: Option<(TermId, TermId)> = None;
        for item in items {
            let empty = self.is_empty_item(*item, of);
            let value = match item {
                Item::Element(element) | Item::Natural(element) => *element,
                Item::Part(part) => of(self, measure, *part),
            };
            all = Some(match all {
                None => (empty, value),
                Some((none_before, before)) => {
                    let both = match measure {
                        Measure::Minimum => self.minimum(before, value),
                        _ => self.maximum(before, value),
                    };
                    let second = self.if_then_else(empty, before, both);
                    let chosen = self.if_then_else(none_before, value, second);
                    (self.and(&[none_before, empty]), chosen)
                }
            });
        }
        let zero = self.integer(0);
        all.map_or(zero, |(_, value)| value)
    }

    fn ascending(&mut self, items: &[Item], of: &mut dyn FnMut(&mut Terms, Measure, TermId) -> TermId) -> TermId {
        let mut conjuncts = Vec::new();
        for (position, later) in items.iter().enumerate() {
            if let Item::Part(part) = later {
                conjuncts.push(of(self, Measure::Ascending, *part));
            }
            for earlier in &items[..position] {
                let mut bounds = [TermId::TRUE; 2];
                for (bound, (item, measure)) in bounds
                    .iter_mut()
                    .zip([(*earlier, Measure::Maximum), (*later, Measure::Minimum)])
                {
                    *bound = match item {
                        Item::Element(element) | Item::Natural(element) => element,
                        Item::Part(part) => of(self, measure, part),
                    };
                }
                let in_order = self.less_or_equal(bounds[0], bounds[1]);
                let empty = [*earlier, *later].map(|item| self.is_empty_item(item, of));
                conjuncts.push(self.or(&[empty[0], empty[1], in_order]));
            }
        }
        self.and(&conjuncts)
    }

    /// A measure of a term of a datatype; as far as its constructors are known, by its equations.
    pub fn measure_of(&mut self, measure: Measure, term: TermId) -> TermId {
        if measure.is_sum() {
            return self.additive(measure, term);
        }
        let Some(constructed) = self.constructed_inside(term) else {
            return self.opaque(measure, term);
        };
        let mut known: HashMap<(Measure, TermId), TermId> = HashMap::new();
        for current in constructed {
            let Operator::Construct(constructor) = self.operator(current) else {
                continue;
            };
            let arguments = self.arguments(current).to_vec();
            for needed in measure.needed() {
                let mut of = |terms: &mut Terms, measure: Measure, part: TermId| match known.get(&(measure, part)) {
                    Some(value) => *value,
                    // A part whose constructor is not known, or the size of a natural number, which is a sum.
                    None => terms.measure_of(measure, part),
                };
                let value = self.equation(*needed, constructor, &arguments, &mut of);
                known.insert((*needed, current), value);
            }
        }
        match known.get(&(measure, term)) {
            Some(value) => *value,
            None => self.opaque(measure, term),
        }
    }

    /// The constructed terms that a term consists of, parts first; `None` if there are too many.
    fn constructed_inside(&self, term: TermId) -> Option<Vec<TermId>> {
        let mut found: HashSet<TermId> = HashSet::new();
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            let Operator::Construct(constructor) = self.operator(current) else {
                continue;
            };
            if found.len() > MOST_CONSTRUCTORS {
                return None;
            }
            if found.insert(current) {
                let fields = self.constructor(constructor).fields.iter().zip(self.arguments(current));
                stack.extend(
                    fields
                        .filter(|(field, _)| self.is_recurring(**field))
                        .map(|(_, part)| *part),
                );
            }
        }
        // Parts have smaller ids than what they are part of.
        let mut found: Vec<TermId> = found.into_iter().collect();
        found.sort();
        Some(found)
    }

    /// The measure of a term, as the application of a function.
    fn opaque(&mut self, measure: Measure, term: TermId) -> TermId {
        self.intern(Operator::Measure(measure), &[term], measure.sort())
    }

    /// A measure that sums up: on an explicit stack, for what is constructed may be nested as deeply as an input likes.
    fn additive(&mut self, measure: Measure, term: TermId) -> TermId {
        let (mut summands, mut counted) = (Vec::new(), 0i64);
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            let Operator::Construct(constructor) = self.operator(current) else {
                summands.push(self.opaque(measure, current));
                continue;
            };
            counted += i64::from(measure == Measure::Size);
            for item in self.items(constructor, self.arguments(current)) {
                match (item, measure) {
                    (Item::Part(part), _) => stack.push(part),
                    (Item::Element(element), Measure::Sum) => summands.push(element),
                    (Item::Natural(number), Measure::Sum) => summands.push(self.additive(Measure::Size, number)),
                    (Item::Element(_) | Item::Natural(_), Measure::Elements) => counted += 1,
                    (Item::Element(_) | Item::Natural(_), _) => {}
                }
            }
        }
        if counted > 0 || summands.is_empty() {
            summands.push(self.integer(counted));
        }
        self.sum(&summands, SortId::INT)
    }
}

/// What a measure of the terms of a datatype is called as a function.
pub fn measure_name(measure: Measure, datatype: &str) -> String {
    format!("{} of {datatype}", measure.name())
}

#[cfg(test)]
mod tests;
