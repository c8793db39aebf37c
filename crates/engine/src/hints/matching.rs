//! Which predicates of a program are those of an earlier version of it, and which parameters.
//!
//! Labels of C's predicates have numbers of lines in them, and every line that is put in moves all that come after it. So the labels of
//! both versions, in the order of their numbers, are aligned like the lines of two texts: as many as possible, with as many of their
//! variables as possible, and so that few lines move otherwise than those before them.

use crate::evidence::{EarlierInvariant, Successor};
use crate::rules::{PredicateId, Program};
use crate::terms::{SmtlibNames, TermId};
use hashbrown::HashMap;

/// Larger tables are not made, nor are more parameters compared for them: labels have to be the same then.
const LARGEST_TABLE: usize = 1 << 20;
const MOST_COMPARED: usize = 1 << 26;

/// What a pair of labels is worth, and what is taken off for each parameter of another name, and for a line that moves otherwise than the one before.
const PAIR: u32 = 1_000;
const OTHER_NAME: u32 = 10;
const MOST_OTHER_NAMES: u32 = 50;
const MOVED: u32 = 1;

/// A label without its numbers, and the numbers.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Label {
    numbers: Vec<u64>,
    pattern: String,
}

impl Label {
    fn of(text: &str) -> Label {
        let mut label = Label {
            numbers: Vec::new(),
            pattern: String::new(),
        };
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let begins = !label.pattern.ends_with(|last: char| last.is_alphanumeric());
            if let (true, Ok(number)) = (begins && digits > 0, rest[..digits].parse()) {
                label.numbers.push(number);
                label.pattern.push('#');
                rest = &rest[digits..];
            } else {
                label.pattern.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        label
    }
}

/// A predicate of either version.
struct Named {
    label: Label,
    /// Where it was found.
    index: usize,
    /// Its parameters: name and sort.
    parameters: Vec<(String, String)>,
    /// The same as numbers, which are those of names and sorts, in ascending order.
    numbered: Vec<usize>,
}

/// Numbers for the parameters of both versions, the same for the same name and sort.
fn number(both: [&mut Vec<Named>; 2]) {
    let mut numbers: HashMap<(String, String), usize> = HashMap::new();
    for named in both.into_iter().flatten() {
        let parameters = named.parameters.iter().map(|parameter| {
            let next = numbers.len();
            *numbers.entry(parameter.clone()).or_insert(next)
        });
        named.numbered = parameters.collect();
        named.numbered.sort_unstable();
    }
}

/// How many numbers of one ascending list are not in another one.
fn missing(from: &[usize], other: &[usize]) -> usize {
    let mut other = other.iter().peekable();
    let is_missing = |number: &&usize| {
        while other.next_if(|next| next < number).is_some() {}
        other.peek() != Some(number)
    };
    from.iter().filter(is_missing).count()
}

/// A label without its numbers, those of lines among them.
pub(super) fn without_numbers(label: &str) -> String {
    Label::of(label).pattern
}

/// What the predicates of an earlier version are in the program, as far as that can be told.
pub(super) fn successors(program: &Program, earlier: &[EarlierInvariant]) -> Vec<Option<Successor>> {
    let mut before: Vec<Named> = Vec::new();
    for (index, invariant) in earlier.iter().enumerate() {
        before.push(Named {
            label: Label::of(&invariant.label),
            index,
            parameters: invariant.parameters.clone(),
            numbered: Vec::new(),
        });
    }
    // Of several with one label the position tells.
    before.sort_by(|left, right| {
        let position = |named: &Named| (earlier[named.index].index, named.index);
        left.label
            .cmp(&right.label)
            .then_with(|| position(left).cmp(&position(right)))
    });
    let mut now: Vec<Named> = Vec::new();
    for index in 0..program.predicates().len() {
        let id = PredicateId::from_index(index);
        if id != PredicateId::QUERY && id != PredicateId::ERROR {
            now.push(Named {
                label: Label::of(&program.predicate_label(id)),
                index,
                parameters: named_parameters(program, id),
                numbered: Vec::new(),
            });
        }
    }
    now.sort_by(|left, right| left.label.cmp(&right.label).then(left.index.cmp(&right.index)));
    number([&mut before, &mut now]);
    let mut found: Vec<Option<Successor>> = vec![None; earlier.len()];
    for (old, new) in pairs(&before, &now) {
        let (old, new) = (&before[old], &now[new]);
        let predicate = PredicateId::from_index(new.index);
        let names = names_now(program, predicate, &old.parameters);
        found[old.index] = Some(Successor { predicate, names });
    }
    found
}

/// The parameters of a predicate by the names that they had in an earlier version of it, as far as these can be told.
pub(super) fn names_now(program: &Program, id: PredicateId, earlier: &[(String, String)]) -> Vec<(String, TermId)> {
    let parameters = &program.predicate(id).parameters;
    let found = positions(earlier, &named_parameters(program, id))
        .into_iter()
        .zip(earlier);
    let named = found.filter_map(|(position, (name, _))| Some((name.clone(), *parameters.get(position?)?)));
    named.collect()
}

/// The parameters of a predicate as a saved certificate has them.
fn named_parameters(program: &Program, id: PredicateId) -> Vec<(String, String)> {
    let parameters = &program.predicate(id).parameters;
    let names = SmtlibNames::new(&program.terms, parameters);
    let sort = |parameter| program.terms.smtlib_sort(program.terms.sort(parameter));
    parameters
        .iter()
        .map(|parameter| (names.get(*parameter).to_string(), sort(*parameter)))
        .collect()
}

/// For each parameter of the earlier version the position of the one that it is now: that of its name and sort; of the others of a sort each in its
/// turn, if there are as many.
fn positions(before: &[(String, String)], now: &[(String, String)]) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = before.iter().map(|old| now.iter().position(|new| new == old)).collect();
    let is_taken = |position: &usize| found.contains(&Some(*position));
    let free: Vec<usize> = (0..now.len()).filter(|position| !is_taken(position)).collect();
    let open: Vec<usize> = (0..before.len())
        .filter(|position| found[*position].is_none())
        .collect();
    let mut sorts: Vec<&String> = open.iter().map(|position| &before[*position].1).collect();
    sorts.sort();
    sorts.dedup();
    for sort in sorts {
        let of_sort = |from: &[usize], all: &[(String, String)]| -> Vec<usize> {
            let positions = from.iter().copied();
            positions.filter(|position| all[*position].1 == *sort).collect()
        };
        let (old, new) = (of_sort(&open, before), of_sort(&free, now));
        if old.len() == new.len() {
            old.into_iter().zip(new).for_each(|(old, new)| found[old] = Some(new));
        }
    }
    found
}

/// The end of an alignment, and what it is worth.
#[derive(Clone, Copy, Default)]
struct End {
    worth: u32,
    pair: Option<(usize, usize)>,
}

/// The best alignment of two sequences of predicates, as pairs of positions.
fn pairs(before: &[Named], now: &[Named]) -> Vec<(usize, usize)> {
    let (rows, columns) = (before.len(), now.len());
    let widest = before.iter().chain(now).map(|named| named.numbered.len()).max();
    let entries = rows.saturating_mul(columns);
    if entries > LARGEST_TABLE || entries.saturating_mul(widest.unwrap_or_default()) > MOST_COMPARED {
        let same = |old: &Named| now.iter().position(|new| new.label == old.label);
        let found = before.iter().enumerate();
        return found.filter_map(|(old, named)| Some((old, same(named)?))).collect();
    }
    let line = |named: &Named| named.label.numbers.first().copied().unwrap_or_default();
    // The best that uses so many of each, and for each pair what comes before it.
    let mut best = vec![End::default(); (rows + 1) * (columns + 1)];
    let mut earlier: HashMap<(usize, usize), (usize, usize)> = HashMap::new();
    // By how far lines move: the best that ends with such a pair. At first they do not.
    let unmoved = End {
        worth: MOVED,
        pair: None,
    };
    let mut of_move: HashMap<i128, End> = HashMap::from_iter([(0, unmoved)]);
    for (row, old) in before.iter().enumerate() {
        let mut ends: Vec<(i128, End)> = Vec::new();
        for (column, new) in now.iter().enumerate() {
            let at = |row: usize, column: usize| row * (columns + 1) + column;
            let mut here = best[at(row, column + 1)];
            let left = best[at(row + 1, column)];
            if left.worth > here.worth {
                here = left;
            }
            if old.label.pattern == new.label.pattern {
                let others = u32::try_from(missing(&old.numbered, &new.numbered)).unwrap_or(u32::MAX);
                let gain = PAIR - OTHER_NAME * others.min(MOST_OTHER_NAMES);
                let moved = i128::from(line(new)) - i128::from(line(old));
                let mut from = best[at(row, column)];
                from.worth = from.worth.saturating_sub(MOVED);
                let follows = |end: &&End| end.pair.is_none_or(|(_, other)| other < column);
                if let Some(same) = of_move.get(&moved).filter(follows)
                    && same.worth >= from.worth
                {
                    from = *same;
                }
                let worth = from.worth + gain;
                if let Some(pair) = from.pair {
                    earlier.insert((row, column), pair);
                }
                let end = End {
                    worth,
                    pair: Some((row, column)),
                };
                ends.push((moved, end));
                if worth > here.worth {
                    here = end;
                }
            }
            best[at(row + 1, column + 1)] = here;
        }
        for (moved, end) in ends {
            let known = of_move.entry(moved).or_default();
            if end.worth > known.worth {
                *known = end;
            }
        }
    }
    let mut found = Vec::new();
    let mut last = best.last().and_then(|end| end.pair);
    while let Some(pair) = last {
        found.push(pair);
        last = earlier.get(&pair).copied();
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(before: &[(&str, &[&str])], now: &[(&str, &[&str])]) -> Vec<(usize, usize)> {
        let named = |list: &[(&str, &[&str])]| -> Vec<Named> {
            let all = list.iter().enumerate();
            all.map(|(index, (label, names))| Named {
                label: Label::of(label),
                index,
                parameters: names.iter().map(|name| (name.to_string(), "Int".to_string())).collect(),
                numbered: Vec::new(),
            })
            .collect()
        };
        let (mut before, mut now) = (named(before), named(now));
        number([&mut before, &mut now]);
        pairs(&before, &now)
    }

    #[test]
    fn labels_are_patterns_with_numbers() {
        let label = Label::of("is_P1_triggered_135_b2_3");
        assert_eq!(
            (label.pattern.as_str(), &label.numbers[..]),
            ("is_P1_triggered_#_b2_#", &[135, 3][..])
        );
        assert_eq!(Label::of("loop(1, 20)").numbers, [1, 20]);
        assert_eq!(Label::of("größe_99999999999999999999").numbers, Vec::<u64>::new());
        assert_eq!(without_numbers("main_5"), without_numbers("main_17"));
    }

    #[test]
    fn lines_move_together() {
        // The second has no invariant before; what moves by two like the others is the third.
        let before: [(&str, &[&str]); 3] = [("f_4", &["X"]), ("f_9", &["X"]), ("f_20", &["X"])];
        let now: [(&str, &[&str]); 4] = [("f_6", &["X"]), ("f_8", &["X"]), ("f_11", &["X"]), ("f_22", &["X"])];
        assert_eq!(aligned(&before, &now), [(0, 0), (1, 2), (2, 3)]);
        // None moves, and the first has no invariant before.
        let now: [(&str, &[&str]); 4] = [("f_3", &["X"]), ("f_4", &["X"]), ("f_9", &["X"]), ("f_20", &["X"])];
        assert_eq!(aligned(&before, &now), [(0, 1), (1, 2), (2, 3)]);
        let now: [(&str, &[&str]); 4] = [("f_4", &["X"]), ("f_9", &["X"]), ("f_20", &["X"]), ("f_25", &["X"])];
        assert_eq!(aligned(&before, &now), [(0, 0), (1, 1), (2, 2)]);
        // A new line between them.
        let now: [(&str, &[&str]); 3] = [("f_4", &["X"]), ("f_10", &["X"]), ("f_21", &["X"])];
        assert_eq!(aligned(&before, &now), [(0, 0), (1, 1), (2, 2)]);
        // Variables say more than lines.
        let now: [(&str, &[&str]); 2] = [("f_4", &["Y"]), ("f_7", &["X"])];
        assert_eq!(aligned(&before[..1], &now), [(0, 1)]);
    }

    #[test]
    fn parameters_are_found_by_name_and_then_in_their_order() {
        let list = |names: &[(&str, &str)]| -> Vec<(String, String)> {
            names
                .iter()
                .map(|(name, sort)| (name.to_string(), sort.to_string()))
                .collect()
        };
        let before = list(&[("X", "Int"), ("B", "Bool"), ("Y", "Int")]);
        let now = list(&[("Y", "Int"), ("Z", "Int"), ("C", "Bool"), ("D", "Bool")]);
        assert_eq!(positions(&before, &now), [Some(1), None, Some(0)]);
    }
}
