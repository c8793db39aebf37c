//! Names of variables as their author wrote them. In rules they have the function they belong to and numbers where several
//! would be the same (`main::i~3`, `f::x#2`); at one place of the program mostly one of them can be meant.

use hashbrown::HashMap;

/// The name of a variable without the function it belongs to, if that is this one, and without numbers.
pub(super) fn plain(name: &str, function: &str) -> String {
    let own = name.strip_prefix(function).and_then(|rest| rest.strip_prefix("::"));
    let mut plain = String::new();
    let mut rest = own.unwrap_or(name);
    while let Some(position) = rest.find(['~', '#']) {
        let (before, number) = rest.split_at(position);
        plain.push_str(before);
        rest = number
            .get(1..)
            .unwrap_or_default()
            .trim_start_matches(|c: char| c.is_ascii_digit());
    }
    plain.push_str(rest);
    plain
}

/// The names of variables that are spoken of together: those of several that would be the same stay as they are.
pub(super) fn told_apart(names: &[String], function: &str) -> Vec<String> {
    let short: Vec<String> = names.iter().map(|name| plain(name, function)).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    for name in &short {
        *count.entry(name).or_default() += 1;
    }
    let is_only = |name: &str| count.get(name) == Some(&1);
    let chosen = names.iter().zip(&short);
    chosen
        .map(|(long, short)| if is_only(short) { short.clone() } else { long.clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_can_be() {
        assert_eq!(plain("main::i~3", "main"), "i");
        assert_eq!(plain("f::s#2.next[]", "f"), "s.next[]");
        assert_eq!(plain("g::i", "f"), "g::i");
        let names = ["main::i~3", "main::j#2", "main::i", "x"].map(str::to_string);
        assert_eq!(told_apart(&names, "main"), ["main::i~3", "j", "main::i", "x"]);
    }
}
