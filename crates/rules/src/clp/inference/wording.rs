//! What is said where sorts clash.

use super::super::sorts::{Conflict, Node, State};
use super::super::syntax::{Expression, Span};
use super::Inference;
use crate::diagnostics::Diagnostic;

impl<'a> Inference<'_, 'a> {
    pub(super) fn clash(
        &mut self,
        expression: &Expression<'a>,
        found: Node,
        expected: Node,
        conflict: Conflict,
        place: &str,
    ) {
        let span = expression.span;
        if conflict == Conflict::Endless {
            let what = match (self.table().state(found), self.table().state(expected)) {
                (State::List(_), _) | (_, State::List(_)) => "a list",
                _ => "an array",
            };
            let message = format!("{what} would have to contain itself");
            let error = Diagnostic::error(span.range(), message, "of which sort?");
            let help = format!("the element of {what} has another sort than the whole");
            self.diagnostics.push(error.help(help));
            return;
        }
        let (is, needed) = (self.table().describe(found), self.table().describe(expected));
        let mut error = Diagnostic::error(
            span.range(),
            format!("sort mismatch{place}: {is} where {needed} is needed"),
            format!("this is {is}"),
        );
        let mut shown: Vec<Span> = vec![span];
        for (node, text) in [(found, &is), (expected, &needed)] {
            if let Some(origin) = self.table().origin(node)
                && !shown.contains(&origin)
            {
                error = error.related(origin.range(), format!("{text} because of this"));
                shown.push(origin);
            }
        }
        if let Some(help) = conversion(&is, &needed) {
            error = error.help(help);
        } else if matches!(self.table().state(found), State::Open(_)) && needed == "a number" {
            error = error.help(
                "what is written like a function and is none makes a term; the functions are `min`, `max`, `abs`, `ite`, `real`, \
                 `floor`, `select`, `store` and `constant`",
            );
        }
        self.diagnostics.push(error);
    }
}

fn conversion(found: &str, needed: &str) -> Option<&'static str> {
    Some(match (found, needed) {
        ("an integer", "a real") => {
            "an integer `X` becomes a real by `real(X)`; integers are divided by `div`, reals by `/`"
        }
        ("a real", "an integer") => {
            "a real becomes an integer by `floor(X)`; reals are divided by `/`, integers by `div`"
        }
        ("a Boolean", "a number" | "an integer" | "a real") => "a Boolean becomes a number by `ite(B, 1, 0)`",
        (list, element) if list == format!("a `list({})`", basic(element)) => {
            "a list is not one of its elements: `[H | T]` is a list with the element `H` in front of the list `T`"
        }
        (element, list) if list == format!("a `list({})`", basic(element)) => {
            "an element is not a list: the list of one element is `[X]`; in `[H | T]`, `T` is a list"
        }
        ("a number" | "an integer" | "a real", "a Boolean") => {
            "a constraint is a comparison or a Boolean, as in `X \\= 0`"
        }
        (array, "a number") if array.contains("array") => {
            "arrays are compared by `=` and `\\=` only; an element of an array is `A[I]`"
        }
        _ => return None,
    })
}

/// The sort that is described by these words, if it is a basic one.
fn basic(description: &str) -> &'static str {
    match description {
        "an integer" | "a number" => "int",
        "a real" => "real",
        "a Boolean" => "bool",
        _ => "?",
    }
}
