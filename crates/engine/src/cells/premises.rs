//! Which conditions together exclude some rows: the premises of a guess.

use super::conditions::Condition;
use crate::steps::rows::Rows;

/// Rows that a condition has to hold in.
pub(super) const SUPPORT: u32 = 4;
/// Of the rows that are to be excluded so many are looked at first.
const SAMPLE: usize = 192;
/// So many pairs of sets of rows are compared for a unit of work.
const COMPARISONS: u64 = 8192;

/// Where guesses are made.
pub(super) struct Context {
    /// What holds there.
    pub set: Vec<Condition>,
    /// The rows in which it does.
    pub rows: Rows,
    /// The conditions that say something more, with their rows there.
    pub conditions: Vec<(Condition, Rows)>,
}

impl Context {
    pub fn new(set: Vec<Condition>, rows: Rows, conditions: &[(Condition, Rows)]) -> Context {
        let total = rows.count();
        let mut own: Vec<(Condition, Rows)> = Vec::new();
        for (condition, within) in conditions {
            let within = within.and(&rows);
            let says_more = (SUPPORT..total).contains(&within.count());
            if says_more && own.iter().all(|(_, known)| *known != within) {
                own.push((condition.clone(), within));
            }
        }
        Context {
            set,
            rows,
            conditions: own,
        }
    }
}

/// All smallest sets of up to three conditions that exclude the rows that fail, with their own rows; some of them if that
/// was too much to [`spend`](crate::relations::Guesses).
pub(super) fn premises(context: &Context, fails: &Rows, spend: &dyn Fn(u64) -> bool) -> Vec<(Vec<usize>, Rows)> {
    if fails.is_empty() {
        return vec![(Vec::new(), context.rows.clone())];
    }
    let conditions = &context.conditions;
    // What excludes not even a part of them need not be looked at closely.
    let failing: Vec<usize> = fails.positions().collect();
    let step = failing.len().div_ceil(SAMPLE);
    let sample: Vec<usize> = failing.into_iter().step_by(step).collect();
    let of_sample = |rows: &Rows| Rows::of(sample.iter().map(|row| rows.contains(*row)));
    let mut found: Vec<(Vec<usize>, Rows)> = Vec::new();
    let mut open: Vec<(usize, Rows)> = Vec::new();
    for (position, (_, rows)) in conditions.iter().enumerate() {
        let left = of_sample(rows);
        match left.is_empty() && rows.excludes(fails) {
            true => found.push((vec![position], rows.clone())),
            false => open.push((position, left)),
        }
    }
    for (at, (one, left_by_one)) in open.iter().enumerate() {
        let pairs_left = (open.len() - at).pow(2) as u64;
        if spend(1 + pairs_left / COMPARISONS) {
            break;
        }
        let mut pairs: Vec<(usize, &Rows, Rows)> = Vec::new();
        let with_one = conditions[*one].1.and(fails);
        for (other, left_by_other) in &open[at + 1..] {
            let rows = &conditions[*other].1;
            match left_by_one.excludes(left_by_other) && with_one.excludes(rows) {
                true => {
                    let both = conditions[*one].1.and(rows);
                    if both.count() >= SUPPORT {
                        found.push((vec![*one, *other], both));
                    }
                }
                false => pairs.push((*other, left_by_other, left_by_one.and(left_by_other))),
            }
        }
        for (index, (second, left_by_second, left)) in pairs.iter().enumerate() {
            for (third, left_by_third, _) in &pairs[index + 1..] {
                // Two of them that suffice are found already.
                if !left.excludes(left_by_third) || left_by_second.excludes(left_by_third) {
                    continue;
                }
                let rows = conditions[*one]
                    .1
                    .and(&conditions[*second].1)
                    .and(&conditions[*third].1);
                if rows.count() >= SUPPORT && rows.excludes(fails) {
                    found.push((vec![*one, *second, *third], rows));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::conditions::Relation;
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_looking_for_premises_costs_is_counted_and_limited() {
        // One row fails, which the last condition excludes.
        let rows = |holds: fn(usize) -> bool| Rows::of((0..64).map(holds));
        let condition = |column: usize, rows: Rows| (Condition::new(vec![(column, 1)], 0, 0, Relation::Equal), rows);
        let conditions = [
            condition(0, rows(|row| row % 2 == 0)),
            condition(1, rows(|row| row % 3 == 0)),
            condition(2, rows(|row| row % 5 == 0 && row != 30)),
        ];
        let context = Context::new(Vec::new(), rows(|_| true), &conditions);
        let fails = rows(|row| row == 30);
        let spent = Cell::new(0);
        let found = premises(&context, &fails, &|units| {
            spent.set(spent.get() + units);
            false
        });
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, [2]);
        assert!(spent.get() > 0);
        // Two rows fail, which the last condition excludes, and so do the first two together.
        let fails = rows(|row| row == 2 || row == 3);
        let chosen = |is_over: bool| {
            let found = premises(&context, &fails, &|_| is_over).into_iter();
            found.map(|(chosen, _)| chosen).collect::<Vec<_>>()
        };
        assert_eq!(chosen(false), [vec![2], vec![0, 1]]);
        assert_eq!(chosen(true), [vec![2]]);
    }
}
