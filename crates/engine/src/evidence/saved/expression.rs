//! S-expressions: the syntax below SMT-LIB, read without recursion into a flat table.

use super::formula::FormulaError;
use std::ops::Range;

/// How deeply parentheses may be nested.
const NESTING_LIMIT: usize = 10_000;

/// The id of an expression in its [`Expressions`].
pub(super) type ExpressionId = usize;

/// One expression.
pub(super) enum Expression {
    /// A number or a symbol, as a range of the text; without the bars if `quoted`.
    Atom {
        /// Where it is.
        range: Range<usize>,
        /// Whether it was written between bars.
        quoted: bool,
    },
    /// Expressions between parentheses.
    List(Vec<ExpressionId>),
}

/// All expressions of a text.
pub(super) struct Expressions<'a> {
    text: &'a str,
    all: Vec<(Expression, usize)>,
}

impl<'a> Expressions<'a> {
    /// Reads a text that is one expression, and says which one it is.
    pub fn read(text: &'a str) -> Result<(Expressions<'a>, ExpressionId), FormulaError> {
        let mut expressions = Expressions { text, all: Vec::new() };
        let mut open: Vec<(usize, Vec<ExpressionId>)> = Vec::new();
        let mut root = None;
        let mut position = 0;
        while let Some(next) = text[position..].chars().next() {
            let start = position;
            position += next.len_utf8();
            if next.is_whitespace() {
                continue;
            }
            if root.is_some() {
                return Err(FormulaError::new(start, "expected the end of the formula"));
            }
            let read = match next {
                '(' if open.len() >= NESTING_LIMIT => {
                    let why = format!("the formula is nested deeper than {NESTING_LIMIT} levels");
                    return Err(FormulaError::new(start, why));
                }
                '(' => {
                    open.push((start, Vec::new()));
                    continue;
                }
                ')' => {
                    let Some((from, items)) = open.pop() else {
                        return Err(FormulaError::new(start, "unexpected `)`"));
                    };
                    expressions.add(Expression::List(items), from)
                }
                '|' => {
                    let Some(length) = text[position..].find('|') else {
                        return Err(FormulaError::new(start, "a quoted symbol is not closed"));
                    };
                    let range = position..position + length;
                    position += length + 1;
                    expressions.add(Expression::Atom { range, quoted: true }, start)
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || "()|;\"".contains(c);
                    position = text[start..].find(ends).map_or(text.len(), |length| start + length);
                    if position == start {
                        return Err(FormulaError::new(start, format!("unexpected `{next}`")));
                    }
                    let range = start..position;
                    expressions.add(Expression::Atom { range, quoted: false }, start)
                }
            };
            match open.last_mut() {
                Some((_, items)) => items.push(read),
                None => root = Some(read),
            }
        }
        match (root, open.pop()) {
            (Some(root), None) => Ok((expressions, root)),
            (_, Some((start, _))) => Err(FormulaError::new(start, "a parenthesis is not closed")),
            (None, None) => Err(FormulaError::new(0, "expected a formula")),
        }
    }

    fn add(&mut self, expression: Expression, position: usize) -> ExpressionId {
        self.all.push((expression, position));
        self.all.len() - 1
    }

    /// Where an expression starts.
    pub fn position(&self, id: ExpressionId) -> usize {
        self.all[id].1
    }

    /// The items of a list.
    pub fn list(&self, id: ExpressionId) -> Option<&[ExpressionId]> {
        match &self.all[id].0 {
            Expression::List(items) => Some(items),
            Expression::Atom { .. } => None,
        }
    }

    /// The text of an atom, and whether it was quoted.
    pub fn atom(&self, id: ExpressionId) -> Option<(&'a str, bool)> {
        match &self.all[id].0 {
            Expression::Atom { range, quoted } => Some((&self.text[range.clone()], *quoted)),
            Expression::List(_) => None,
        }
    }

    /// Whether the expression is this word, not quoted.
    pub fn is_word(&self, id: ExpressionId, word: &str) -> bool {
        self.atom(id) == Some((word, false))
    }
}
