//! GNU's `__label__`: labels that a block has for itself. They get names that no other label can have.

use super::Parser;
use crate::syntax::Name;

/// What stands between the name that is written and the number that tells it from others.
const MARK: char = '#';

/// A label that a block has for itself.
pub(super) struct LocalLabel<'a> {
    /// How many scopes are open where it is declared.
    pub(super) depth: usize,
    written: &'a str,
    own: &'a str,
}

impl<'a> Parser<'a> {
    /// A label is declared for the innermost block.
    pub(super) fn declare_label(&mut self, name: Name<'a>) {
        let own = format!("{}{MARK}{}", name.text, name.span.start);
        self.local_labels.push(LocalLabel {
            depth: self.scopes.depth(),
            written: name.text,
            own: self.arena.alloc_str(&own),
        });
    }

    /// The label whose name is at hand.
    pub(super) fn label_name(&self) -> Name<'a> {
        let name = self.name();
        let mut known = self.local_labels.iter().rev();
        match known.find(|label| label.written == name.text) {
            Some(label) => Name {
                text: label.own,
                ..name
            },
            None => name,
        }
    }
}

/// Whether a block has the label for itself.
pub fn is_of_block(name: &str) -> bool {
    name.contains(MARK)
}

/// The name of a label as it is written.
pub fn written(name: &str) -> &str {
    name.split(MARK).next().unwrap_or(name)
}
