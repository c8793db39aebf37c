//! Parts of derivations that are done many times over. A run of a hundred million turns of a loop is evidence like any other; where all its
//! numbers change evenly, two of its turns say what happens in the others, and what these must satisfy is one question about the
//! number of the turn. So a path with a counter κ, as seed 002 (section 2) has them, can be written down and checked.

use super::{Derivation, Program, Step};
use crate::terms::{Assignment, Rational, SortId, Substitution, TermId, Terms, Value};
use hashbrown::HashMap;
use num_bigint::BigInt;

/// Turns of a cycle that a derivation does not write down.
///
/// The rules of the `length` steps from `at` on are those of the `length` steps before. Between these two turns there are so many
/// others by the same rules, and from each turn to the next every number changes by the same amount; what is no number is the same in all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// The position of the step that comes after the turns left out.
    pub at: usize,
    /// How many steps a turn has.
    pub length: usize,
    /// How many turns are left out.
    pub times: u64,
}

/// What must hold so that turns of a cycle follow one another.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The number of a turn, an integer; the first turn that is written down is number 0.
    pub counter: TermId,
    /// What must hold of it: that the turn can be taken, and leads to where the next one begins.
    pub conditions: Vec<TermId>,
    /// The values of each step of a turn, terms with the counter.
    pub steps: Vec<Vec<(TermId, TermId)>>,
}

impl Repetition {
    /// The turns between two that are written down, which are number 0 and number `times + 1`. The conditions must hold for the numbers from
    /// 0 to `times`. The values of the first turn must be of the sorts of their variables.
    ///
    /// `terms` are those of the program, with what is made here.
    ///
    /// # Errors
    ///
    /// Why there are no such turns: the steps are not there, go by other rules, do not come back to where they began, or do not change evenly.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::rules::{Repetition, RuleId, Step};
    /// use clausal::terms::Value;
    ///
    /// let program = clausal::clp::read("?- p(0). p(X) :- X < 1000, p(X + 2). p(X) :- X > 999, error.").product.expect("no mistake in it");
    /// let mut terms = program.terms.clone();
    /// let rule = RuleId::from_index(1);
    /// let x = program.rule(rule).head.arguments[0];
    /// let turn = |value: i64| Step { rule, values: vec![(x, Value::Number(clausal::terms::Rational::from_integer(value.into())))] };
    /// let repetition = Repetition { at: 1, length: 1, times: 498 };
    /// let turns = repetition.turns(&program, &mut terms, &[turn(0), turn(998)]).expect("it changes by 2");
    /// assert_eq!(terms.display(turns.steps[0][0].1).to_string(), "2*turn");
    /// assert!(repetition.turns(&program, &mut terms, &[turn(0), turn(999)]).is_err());
    /// ```
    pub fn turns(&self, program: &Program, terms: &mut Terms, steps: &[Step]) -> Result<Turns, String> {
        let first = self
            .at
            .checked_sub(self.length)
            .and_then(|start| steps.get(start..self.at));
        let last = self.at.checked_add(self.length).and_then(|end| steps.get(self.at..end));
        let (Some(first), Some(last)) = (first, last) else {
            return Err("the turns before and after those left out are not there".to_string());
        };
        turns(program, terms, first, last, &(BigInt::from(self.times) + 1))
    }
}

impl Turns {
    /// The steps of the turn with a number, by the rules of the first one; `None` if a value is not calculated.
    pub fn turn(&self, terms: &Terms, first: &[Step], number: u64) -> Option<Vec<Step>> {
        let number = self.number(number);
        let steps = first.iter().zip(&self.steps).map(|(step, values)| {
            let value = |(variable, term): &(TermId, TermId)| Some((*variable, terms.evaluate(*term, &number)?));
            let values = values.iter().map(value).collect::<Option<_>>()?;
            Some(Step {
                rule: step.rule,
                values,
            })
        });
        steps.collect()
    }

    /// The counter's value in the turn with a number.
    pub fn number(&self, number: u64) -> Assignment {
        let number = Value::Number(Rational::from_integer(number.into()));
        [(self.counter, number)].into_iter().collect()
    }
}

impl Derivation {
    /// The derivation with every step written down, if these are not more than so many; `None` if they are, or there are no such turns.
    pub fn expanded(&self, program: &Program, most: u64) -> Option<Derivation> {
        if self.length() > most {
            return None;
        }
        let mut terms = program.terms.clone();
        let mut steps = Vec::new();
        let mut written = 0;
        for repetition in &self.repetitions {
            steps.extend_from_slice(self.steps.get(written..repetition.at)?);
            written = repetition.at;
            let first = &self.steps[repetition.at.checked_sub(repetition.length)?..repetition.at];
            let turns = repetition.turns(program, &mut terms, &self.steps).ok()?;
            for number in 1..=repetition.times {
                steps.extend(turns.turn(&terms, first, number)?);
            }
        }
        steps.extend_from_slice(self.steps.get(written..)?);
        Some(Derivation::new(steps))
    }
}

/// The turns that lead evenly from one to the one so many turns later.
pub fn turns(
    program: &Program,
    terms: &mut Terms,
    first: &[Step],
    later: &[Step],
    distance: &BigInt,
) -> Result<Turns, String> {
    if first.is_empty() || first.len() != later.len() {
        return Err("a turn has no steps".to_string());
    }
    let counter = terms.fresh_variable("turn", SortId::INT);
    let next = {
        let one = terms.integer(1);
        terms.add(counter, one)
    };
    let mut steps = Vec::with_capacity(first.len());
    let mut conditions = Vec::new();
    // The substitutions that make a step of the turn, and of the next turn, of a rule.
    let mut of_turn = Vec::with_capacity(first.len());
    for (one, other) in first.iter().zip(later) {
        if one.rule != other.rule || one.rule.index() >= program.rules().len() {
            return Err("the turns go by other rules".to_string());
        }
        let values = even_values(program, terms, one, other, distance, counter)?;
        let (variables, values_of): (Vec<TermId>, Vec<TermId>) = values.iter().copied().unzip();
        of_turn.push(Substitution::of(terms, &variables, &values_of));
        steps.push(values);
    }
    let following = Substitution::of(terms, &[counter], &[next]);
    for (position, step) in first.iter().enumerate() {
        let rule = program.rule(step.rule);
        let is_last = position + 1 == first.len();
        let after = if is_last { 0 } else { position + 1 };
        let head = &program.rule(first[after].rule).head;
        let [atom] = &rule.body[..] else {
            return Err("a rule of the turns has not one body atom".to_string());
        };
        if atom.predicate != head.predicate || atom.arguments.len() != head.arguments.len() {
            return Err("the turns do not come back to where they begin".to_string());
        }
        conditions.extend(terms.substitute_all(&rule.constraint, &of_turn[position]));
        let given = terms.substitute_all(&atom.arguments, &of_turn[position]);
        let mut taken = terms.substitute_all(&head.arguments, &of_turn[after]);
        if is_last {
            taken = terms.substitute_all(&taken, &following);
        }
        for (given, taken) in given.into_iter().zip(taken) {
            conditions.push(terms.equal(given, taken));
        }
    }
    conditions.retain(|condition| *condition != TermId::TRUE);
    Ok(Turns {
        counter,
        conditions,
        steps,
    })
}

/// The values of the variables of a step, by the number of the turn.
fn even_values(
    program: &Program,
    terms: &mut Terms,
    first: &Step,
    later: &Step,
    distance: &BigInt,
    counter: TermId,
) -> Result<Vec<(TermId, TermId)>, String> {
    let roots: Vec<TermId> = program.rule(first.rule).terms().collect();
    let ends: HashMap<TermId, &Value> = later
        .values
        .iter()
        .map(|(variable, value)| (*variable, value))
        .collect();
    let starts: HashMap<TermId, &Value> = first
        .values
        .iter()
        .map(|(variable, value)| (*variable, value))
        .collect();
    let mut values = Vec::new();
    for variable in program.terms.variables_of_all(&roots) {
        let (Some(start), Some(end)) = (starts.get(&variable), ends.get(&variable)) else {
            return Err(format!("`{}` has no value", program.terms.variable_name(variable)));
        };
        let sort = program.terms.sort(variable);
        let begin = terms.value_term(start, sort);
        if start == end {
            values.push((variable, begin));
            continue;
        }
        let change = match (start, end) {
            (Value::Number(start), Value::Number(end)) if sort == SortId::INT => {
                Some((end - start) / Rational::from_integer(distance.clone()))
            }
            _ => None,
        };
        let Some(change) = change.filter(Rational::is_integer) else {
            let name = program.terms.variable_name(variable);
            return Err(format!("`{name}` does not change evenly from turn to turn"));
        };
        let change = terms.number(change, SortId::INT);
        let changed = terms.multiply(change, counter);
        values.push((variable, terms.add(begin, changed)));
    }
    Ok(values)
}
