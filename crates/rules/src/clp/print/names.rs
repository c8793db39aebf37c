//! Names that the language can read: of predicates, each with its own or quoted, and of the variables of a rule.

use super::super::names::written;
use crate::rules::{PredicateId, Program};
use hashbrown::{HashMap, HashSet};

/// How a predicate is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct PredicateName {
    /// The name without quotes.
    pub name: String,
    /// The program point, an integer.
    pub point: Option<String>,
    /// The number of arguments, with the program point.
    pub arity: usize,
    /// Whether this is the error atom itself.
    pub is_error: bool,
}

impl PredicateName {
    /// The name as it is written, quoted if it has to be.
    pub fn written(&self) -> String {
        if self.is_error {
            return self.name.clone();
        }
        written(&self.name)
    }
}

/// How each predicate is written, by its index: as it is called, unless two would be taken for one.
pub(super) fn of_predicates(program: &Program) -> Vec<PredicateName> {
    let mut points: HashMap<(String, usize), Vec<bool>> = HashMap::new();
    let mut taken: HashSet<PredicateName> = HashSet::new();
    let mut names: Vec<Option<PredicateName>> = vec![None; program.predicates().len()];
    // A predicate with points and one without them cannot share a name and a number of arguments.
    let mut claim = |name: PredicateName| {
        let kinds = points.entry((name.name.clone(), name.arity)).or_default();
        let fits = kinds.iter().all(|has_point| *has_point == name.point.is_some());
        if !fits || !taken.insert(name.clone()) {
            return None;
        }
        if kinds.is_empty() {
            kinds.push(name.point.is_some());
        }
        Some(name)
    };
    for round in 0..2 {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for (index, predicate) in program.predicates().iter().enumerate() {
            if names[index].is_some() {
                continue;
            }
            let point = predicate.point.clone().filter(|point| is_integer(point));
            let name = match &predicate.point {
                Some(text) if point.is_none() => format!("{}@{text}", predicate.name),
                _ => predicate.name.clone(),
            };
            let mut wanted = PredicateName {
                arity: predicate.parameters.len() + usize::from(point.is_some()),
                name,
                point,
                is_error: index == PredicateId::ERROR.index(),
            };
            // The query and the error are not written like predicates, so they share no name with one.
            let is_special = index <= PredicateId::ERROR.index();
            if round == 0 {
                names[index] = if is_special { Some(wanted) } else { claim(wanted) };
                continue;
            }
            // In the second round only those whose name was taken are left.
            let base = wanted.name.clone();
            let number = numbers.entry(base.clone()).or_insert(1);
            while names[index].is_none() {
                *number += 1;
                wanted.name = format!("{base}_{number}");
                names[index] = claim(wanted.clone());
            }
        }
    }
    names.into_iter().flatten().collect()
}

/// Whether a text is an integer literal in its shortest form.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = digits.starts_with('0') && text != "0";
    !digits.is_empty() && !leading_zero && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The names of a rule's variables.
#[derive(Default)]
pub(super) struct VariableNames {
    taken: HashSet<String>,
}

impl VariableNames {
    /// Legal and distinct names for variables, in the same order. A name that is legal stays, if no variable before has it.
    pub fn assign(&mut self, wanted: &[&str]) -> Vec<String> {
        let mut names: Vec<Option<String>> = Vec::with_capacity(wanted.len());
        for name in wanted {
            let free = is_variable(name) && self.taken.insert(name.to_string());
            names.push(free.then(|| name.to_string()));
        }
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let pairs = names.into_iter().zip(wanted);
        pairs
            .map(|(name, wanted)| {
                name.unwrap_or_else(|| {
                    let base = legal(wanted);
                    let number = numbers.entry(base.clone()).or_insert(0);
                    self.numbered(&base, number)
                })
            })
            .collect()
    }

    /// A name that no variable of the rule has.
    pub fn fresh(&mut self, base: &str, number: &mut usize) -> String {
        self.numbered(base, number)
    }

    /// The base itself if the number is zero, it can be used and is free; otherwise the base with the next free number.
    fn numbered(&mut self, base: &str, number: &mut usize) -> String {
        loop {
            let name = match *number {
                0 => base.to_string(),
                number if base.ends_with(|last: char| last.is_ascii_digit()) => format!("{base}_{number}"),
                number => format!("{base}{number}"),
            };
            *number += 1;
            if is_variable(&name) && self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

fn is_variable(name: &str) -> bool {
    let begins = name.starts_with(|first: char| first.is_ascii_uppercase() || first == '_');
    begins
        && name != "_"
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// The name with what is not allowed replaced; it may be `_`, which stands for no variable in particular.
fn legal(name: &str) -> String {
    let replaced: String = name
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() {
                character
            } else {
                '_'
            }
        })
        .collect();
    match replaced.chars().next() {
        Some(first) if first.is_ascii_lowercase() => {
            let rest: String = replaced.chars().skip(1).collect();
            format!("{}{rest}", first.to_ascii_uppercase())
        }
        Some(first) if first.is_ascii_digit() => format!("V{replaced}"),
        Some(_) => replaced,
        None => "V".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_become_legal_and_distinct() {
        let names = VariableNames::default().assign(&["x", "X", "x!1", "_", "_", "0a", "", "X", "Größe", "_1"]);
        assert_eq!(names, ["X1", "X", "X_1", "_2", "_3", "V0a", "V", "X2", "Gr__e", "_1"]);
    }

    #[test]
    fn predicates_keep_their_names_unless_two_would_be_one() {
        let mut program = Program::new();
        let int = crate::terms::SortId::INT;
        for (name, point, arity) in [
            ("p", None, 2),
            ("p", Some("1"), 1),
            ("p", Some("2"), 2),
            ("p_2", None, 2),
            ("error", None, 0),
            ("x y'", Some("here"), 0),
            ("min", None, 1),
        ] {
            program.add_predicate(name, point, &vec![("X", int); arity]);
        }
        let written: Vec<String> = of_predicates(&program)
            .iter()
            .map(|name| format!("{}/{}", name.written(), name.arity))
            .collect();
        let expected = [
            "query/0",
            "error/0",
            "p/2",
            "p_3/2",
            "p/3",
            "p_2/2",
            "'error'/0",
            "'x y\\'@here'/0",
            "'min'/1",
        ];
        assert_eq!(written, expected);
    }
}
