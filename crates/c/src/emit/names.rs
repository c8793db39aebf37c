//! Names of predicates and parameters: after function and line, after the C variable.

use super::super::flat::{FlatProgram, SourcePlace};
use hashbrown::{HashMap, HashSet};

/// The names of a program's variables, each different, as the language of rules wants them.
pub(super) fn of_variables(program: &FlatProgram) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut names = Vec::with_capacity(program.variables.len());
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for variable in &program.variables {
        let base = capitalized(&variable.name);
        let mut name = base.clone();
        while !taken.insert(name.clone()) {
            let number = numbers.entry(base.clone()).or_insert(1);
            *number += 1;
            name = format!("{base}_{number}");
        }
        names.push(name);
    }
    names
}

/// The name with a capital letter in front and nothing but letters, digits and underscores.
fn capitalized(name: &str) -> String {
    let mut legal = String::new();
    for character in name.replace("::", "_").replace("->", "_").chars() {
        match character {
            'a'..='z' if legal.is_empty() => legal.push(character.to_ascii_uppercase()),
            // A name that begins with an underscore means that nobody needs it.
            '_' if legal.is_empty() => {}
            '0'..='9' if legal.is_empty() => legal.extend(['V', character]),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => legal.push(character),
            _ if legal.ends_with('_') || legal.is_empty() => {}
            _ => legal.push('_'),
        }
    }
    let trimmed = legal.trim_end_matches('_');
    if trimmed.is_empty() {
        "V".to_string()
    } else {
        trimmed.to_string()
    }
}

/// Gives each predicate a name.
#[derive(Default)]
pub(super) struct PredicateNames {
    taken: HashSet<String>,
}

impl PredicateNames {
    /// `main_12`; `main_12_b` for the next one on the line; `f_12_2` in the second copy of a function.
    pub fn name(&mut self, function: &str, place: SourcePlace, line: u32) -> String {
        let mut base = format!("{function}_{line}");
        if place.instance > 0 {
            base = format!("{base}_{}", u64::from(place.instance) + 1);
        }
        let mut name = base.clone();
        let mut number = 1u32;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{}", letters(number));
        }
        name
    }
}

/// 1 is `a`, 26 is `z`, 27 is `aa`.
fn letters(number: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = number;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_readable() {
        assert_eq!(capitalized("x"), "X");
        assert_eq!(capitalized("main::x"), "Main_x");
        assert_eq!(capitalized("s.next"), "S_next");
        assert_eq!(capitalized("__state"), "State");
        assert_eq!(capitalized("a[]"), "A");
        assert_eq!(capitalized("42"), "V42");
        assert_eq!(letters(2), "b");
        assert_eq!(letters(27), "aa");
    }
}
