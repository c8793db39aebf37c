//! Inputs that have few values, so that each can be tried: which rules read nothing else, and outside of loops, so that a run reads them
//! once.

use super::cell::Cell;
use super::plan::{Instruction, Plan};
use super::stated_bounds::{Bounds, stated_bound};
use crate::rules::{DependencyGraph, Program, Rule};
use crate::terms::{Rational, SortId, TermId, Terms, Value};
use hashbrown::HashMap;
use num_traits::ToPrimitive;

/// More values than this, or combinations of them, are not tried one by one: all those of sixteen bits, or of two bytes.
const MOST_COMBINATIONS: u64 = 1 << 16;

/// An input with its values: `count` of them, from `low` on.
#[derive(Clone, Debug)]
struct Span {
    slot: usize,
    variable: TermId,
    low: i128,
    count: u64,
}

/// The inputs of a rule, all of which have few values.
#[derive(Clone, Debug)]
pub(super) struct FewInputs {
    spans: Vec<Span>,
    /// How many combinations of values there are.
    pub combinations: u64,
}

impl FewInputs {
    /// For each rule its inputs, if they have few values together; `plans` are those of the rules.
    pub fn of_rules(program: &Program, plans: &[Plan]) -> Vec<Option<FewInputs>> {
        let graph = DependencyGraph::new(program);
        let rules = program.rules().iter().zip(plans);
        let few = rules.map(|(rule, plan)| {
            let head = rule.head.predicate;
            let mut next = graph.successors(head).iter();
            let repeats = next.any(|next| graph.same_loop(head, *next));
            if repeats {
                return None;
            }
            FewInputs::of_rule(&program.terms, rule, plan)
        });
        few.collect()
    }

    fn of_rule(terms: &Terms, rule: &Rule, plan: &Plan) -> Option<FewInputs> {
        let mut bounds: HashMap<TermId, Bounds> = HashMap::new();
        for literal in rule.constraint.iter().flat_map(|formula| terms.conjuncts(*formula)) {
            if let Some((variable, bound, is_upper)) = stated_bound(terms, literal) {
                bounds.entry(variable).or_default().tighten(bound, is_upper);
            }
        }
        let mut spans = Vec::new();
        let mut combinations: u64 = 1;
        for instruction in &plan.instructions {
            let (Instruction::Input(slot, variable) | Instruction::Unnamed(slot, variable)) = instruction else {
                continue;
            };
            let (Some(low), Some(high)) = bounds.get(variable)?.integers() else {
                return None;
            };
            if terms.sort(*variable) != SortId::INT {
                return None;
            }
            let (low, high) = (low.to_i128()?, high.to_i128()?);
            let count = u64::try_from(high.checked_sub(low)?.checked_add(1)?.max(0)).ok()?;
            combinations = combinations
                .checked_mul(count)
                .filter(|all| *all <= MOST_COMBINATIONS)?;
            spans.push(Span {
                slot: *slot,
                variable: *variable,
                low,
                count,
            });
        }
        (!spans.is_empty()).then_some(FewInputs { spans, combinations })
    }

    /// The inputs' values in the combination of this number.
    fn values(&self, combination: u64) -> impl Iterator<Item = (&Span, i128)> {
        let mut rest = combination;
        self.spans.iter().map_while(move |span| {
            // Where an input has no value at all, there are no combinations.
            let position = rest.checked_rem(span.count)?;
            rest /= span.count;
            Some((span, span.low + i128::from(position)))
        })
    }

    /// The value of the input of this slot in the combination of this number.
    pub fn value(&self, slot: usize, combination: u64) -> Option<Cell> {
        let mut values = self.values(combination);
        values.find_map(|(span, value)| (span.slot == slot).then_some(Cell::Integer(value)))
    }

    /// The values of the variables in the combination of this number.
    pub fn of_variables(&self, combination: u64) -> impl Iterator<Item = (TermId, Value)> {
        let number = |value: i128| Value::Number(Rational::from_integer(value.into()));
        self.values(combination)
            .map(move |(span, value)| (span.variable, number(value)))
    }
}
