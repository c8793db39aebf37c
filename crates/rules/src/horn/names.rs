//! Names in SMT-LIB text: which are taken by the theories, how to make names unique, and when a name needs bars.

use super::lexer::is_simple_symbol;
use hashbrown::HashSet;

/// The symbols that SMT-LIB or common solvers give a fixed meaning, as far as a Horn text could run into them.
pub(super) const THEORY_SYMBOLS: [&str; 49] = [
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "=",
    "distinct",
    "ite",
    "iff",
    "implies",
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "rem",
    "abs",
    "to_real",
    "to_int",
    "is_int",
    "<=",
    "<",
    ">=",
    ">",
    "select",
    "store",
    "const",
    "let",
    "forall",
    "exists",
    "lambda",
    "match",
    "as",
    "par",
    "_",
    "!",
    "Int",
    "Real",
    "Bool",
    "Array",
    "String",
    "RegLan",
    "Seq",
    "BitVec",
    "assert",
    "divisible",
];

/// A supply of names that differ from each other and from SMT-LIB's own symbols.
///
/// ```
/// # use clausal_rules as clausal;
/// use clausal::horn::SymbolNames;
/// let mut names = SymbolNames::new();
/// assert_eq!(names.claim("X"), "X");
/// assert_eq!(names.claim("X"), "X_1");
/// assert_eq!(names.claim("select"), "select_1");
/// ```
#[derive(Clone, Default, Debug)]
pub struct SymbolNames<'p> {
    outer: Option<&'p SymbolNames<'p>>,
    taken: HashSet<String>,
}

impl<'p> SymbolNames<'p> {
    /// A supply in which nothing is taken but the symbols of SMT-LIB.
    pub fn new() -> SymbolNames<'static> {
        SymbolNames::default()
    }

    /// A supply for a scope inside another: what is claimed here stays free there.
    pub fn inside(outer: &'p SymbolNames<'p>) -> SymbolNames<'p> {
        SymbolNames {
            outer: Some(outer),
            taken: HashSet::new(),
        }
    }

    /// Claims a name like the wanted one: the name itself if it is free, otherwise with a number behind it. Characters that
    /// no symbol can hold are replaced.
    pub fn claim(&mut self, wanted: &str) -> String {
        let allowed = |character: char| (' '..='~').contains(&character) && character != '|' && character != '\\';
        let mut name: String = wanted.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        if name.is_empty() {
            name.push('_');
        }
        let mut candidate = name.clone();
        let mut number = 0usize;
        while self.is_taken(&candidate) {
            number += 1;
            candidate = format!("{name}_{number}");
        }
        self.taken.insert(candidate.clone());
        candidate
    }

    fn is_taken(&self, name: &str) -> bool {
        let mut scope = Some(self);
        while let Some(names) = scope {
            if names.taken.contains(name) {
                return true;
            }
            scope = names.outer;
        }
        THEORY_SYMBOLS.contains(&name)
    }
}

/// A name as SMT-LIB writes it: between bars unless it is a simple symbol. The name must hold neither bars nor
/// backslashes, as those from [`SymbolNames`] do not.
///
/// ```
/// # use clausal_rules as clausal;
/// assert_eq!(clausal::horn::write_symbol("p(1)"), "|p(1)|");
/// ```
pub fn write_symbol(name: &str) -> String {
    if is_simple_symbol(name) {
        name.to_string()
    } else {
        format!("|{name}|")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_scopes_avoid_outer_names_and_no_name_breaks_the_text() {
        let mut outer = SymbolNames::new();
        outer.claim("p");
        let mut inner = SymbolNames::inside(&outer);
        assert_eq!(inner.claim("p"), "p_1");
        assert_eq!(inner.claim("a|b\\c\u{e9}\n"), "a_b_c__");
        assert_eq!(inner.claim(""), "__1");
        assert_eq!(write_symbol("__1"), "__1");
        assert_eq!(write_symbol("X'"), "|X'|");
    }
}
