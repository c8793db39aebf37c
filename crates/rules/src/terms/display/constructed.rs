//! What is constructed as text: lists, and the names of constructors and fields.

use super::{Binding, Piece, TermDisplay, text};
use crate::terms::{ConstructorId, FieldId, Operator, TermId};

impl TermDisplay<'_> {
    /// A list as people write it, `[A, B | T]`: as far as its constructors go and no name stands for the rest.
    pub(super) fn list(&self, whole: TermId) -> Vec<Piece> {
        let mut pieces = vec![text("[")];
        let mut rest = whole;
        loop {
            let own_name = if rest == whole { None } else { self.name(rest) };
            match (self.terms.operator(rest), self.terms.arguments(rest)) {
                (Operator::Construct(_), []) if own_name.is_none() => break,
                (Operator::Construct(_), [head, tail]) if own_name.is_none() => {
                    if rest != whole {
                        pieces.push(text(", "));
                    }
                    pieces.push(Piece::Term(*head, Binding::Comparison));
                    rest = *tail;
                }
                _ => {
                    pieces.push(text(" | "));
                    pieces.push(Piece::Term(rest, Binding::Comparison));
                    break;
                }
            }
        }
        pieces.push(text("]"));
        pieces
    }

    /// Whether a constructor made a term: `is_node(T)`, but `L \= []` of lists.
    pub(super) fn question(&self, constructor: ConstructorId, whole: TermId) -> (Binding, Vec<Piece>) {
        if self.terms.list_constructors(self.terms.sort(whole)).is_some() {
            let not_empty = text(format!("{}[]", self.symbols.not_equal));
            return (Binding::Comparison, vec![Piece::Term(whole, Binding::Sum), not_empty]);
        }
        let name = self.function(&format!("is_{}", self.terms.constructor(constructor).name));
        let pieces = vec![
            text(format!("{name}(")),
            Piece::Term(whole, Binding::Comparison),
            text(")"),
        ];
        (Binding::Argument, pieces)
    }

    /// The name of a constructor or a question as it is written.
    pub(super) fn function(&self, name: &str) -> String {
        self.written.map_or_else(|| name.to_string(), |written| written(name))
    }

    pub(super) fn field(&self, field: FieldId) -> String {
        let field = self.terms.field(field);
        let whole = self.terms.constructed_sort(field.constructor);
        match (self.terms.list_constructors(whole), field.position) {
            (Some(_), 0) => "head".to_string(),
            (Some(_), _) => "tail".to_string(),
            (None, _) => self.function(&field.name),
        }
    }
}
