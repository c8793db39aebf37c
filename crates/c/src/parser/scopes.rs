//! What names mean while parsing: whether a name is a type decides how C is read. Ordinary names shadow types.

use hashbrown::HashMap;

/// What a name is, as far as the parser cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameKind {
    /// A `typedef`, or a name that can only be one.
    Type,
    /// A variable, function, parameter or constant.
    Ordinary,
}

/// The names that are declared where the parser is.
#[derive(Default)]
pub(super) struct Scopes<'a> {
    names: HashMap<&'a str, NameKind>,
    /// What each scope has hidden, to be put back at its end.
    hidden: Vec<(&'a str, Option<NameKind>)>,
    /// For each scope that is open, where in `hidden` it begins.
    starts: Vec<usize>,
}

impl<'a> Scopes<'a> {
    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.starts.len()
    }

    pub fn open(&mut self) {
        self.starts.push(self.hidden.len());
    }

    /// Closes scopes until only so many are open.
    pub fn close_to(&mut self, depth: usize) {
        while self.starts.len() > depth {
            let start = self.starts.pop().unwrap_or(0);
            while self.hidden.len() > start {
                match self.hidden.pop() {
                    Some((name, Some(kind))) => self.names.insert(name, kind),
                    Some((name, None)) => self.names.remove(name),
                    None => break,
                };
            }
        }
    }

    pub fn declare(&mut self, name: &'a str, kind: NameKind) {
        let before = self.names.insert(name, kind);
        if !self.starts.is_empty() && before != Some(kind) {
            self.hidden.push((name, before));
        }
    }

    /// Declares at the outermost level a name that nothing declares.
    pub fn declare_outermost(&mut self, name: &'a str, kind: NameKind) {
        self.names.entry(name).or_insert(kind);
    }

    pub fn get(&self, name: &str) -> Option<NameKind> {
        self.names.get(name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_shadow_types_until_the_scope_ends() {
        let mut scopes = Scopes::default();
        scopes.declare("T", NameKind::Type);
        scopes.open();
        scopes.declare("T", NameKind::Ordinary);
        scopes.declare("x", NameKind::Ordinary);
        scopes.open();
        scopes.declare("T", NameKind::Type);
        scopes.declare("T", NameKind::Ordinary);
        assert_eq!(scopes.get("T"), Some(NameKind::Ordinary));
        assert_eq!(scopes.depth(), 2);
        scopes.declare_outermost("U", NameKind::Type);
        scopes.close_to(0);
        assert_eq!(scopes.get("T"), Some(NameKind::Type));
        assert_eq!(scopes.get("U"), Some(NameKind::Type));
        assert_eq!(scopes.get("x"), None);
    }
}
