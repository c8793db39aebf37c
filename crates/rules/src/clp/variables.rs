//! Checks of variables that need no sorts: variables that occur once, and variables whose quantification would be ambiguous.
//!
//! A rule holds for all values of its variables, so a variable that occurs only in the body is "some value". Inside a negation
//! that reading would be surprising: does `\+ Y > X` say that some `Y`, or that no `Y` is greater? Such a variable is *unsafe* and
//! refused. A negated Boolean variable or array element is only another way to write `B = false`, and safe, and so is what a term is
//! asked for: `\+ is_leaf(T)`.

use super::clauses::Transition;
use super::syntax::{Expression, Function, Kind, Span};
use crate::diagnostics::Diagnostic;
use hashbrown::HashMap;

struct Occurrences {
    first: Span,
    count: usize,
    outside_negation: bool,
}

struct Collector<'a> {
    position: HashMap<&'a str, usize>,
    found: Vec<(&'a str, Occurrences)>,
    anonymous_in_negation: Vec<Span>,
}

/// Reports unsafe variables, and warns of variables that occur once.
pub(super) fn check(transition: &Transition<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut collector = Collector {
        position: HashMap::new(),
        found: Vec::new(),
        anonymous_in_negation: Vec::new(),
    };
    transition.for_each_expression(&mut |expression| collector.visit(expression, false));
    for span in &collector.anonymous_in_negation {
        diagnostics.push(unsafe_variable("_", *span));
    }
    for (name, occurrences) in &collector.found {
        let span = occurrences.first;
        if !occurrences.outside_negation {
            diagnostics.push(unsafe_variable(name, span));
        } else if occurrences.count == 1 && !name.starts_with('_') && !names_a_place(transition, span) {
            let warning = Diagnostic::warning(
                span.range(),
                format!("the variable `{name}` occurs only once"),
                "used nowhere else in this clause",
            );
            diagnostics.push(warning.help(format!("if any value will do, write `_{name}` or `_`")));
        }
    }
}

/// In a head, a variable names an argument whether the rule uses it or not; in a query `?- p(X).` it says what it should:
/// start from any value.
fn names_a_place(transition: &Transition<'_>, place: Span) -> bool {
    let holds = |span: Span| span.start <= place.start && place.end <= span.end;
    match &transition.head {
        Some(head) => holds(head.span),
        None => transition.goals.iter().any(|goal| holds(goal.span)),
    }
}

fn unsafe_variable(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        span.range(),
        format!("unsafe variable `{name}`: it occurs only inside a negation"),
        "for some value, or for all?",
    )
    .help("negate the comparison itself (`X =< Y` for `\\+ X > Y`), or use the variable outside the negation too")
}

impl<'a> Collector<'a> {
    fn visit(&mut self, expression: &'a Expression<'a>, negated: bool) {
        match expression.kind {
            Kind::Variable(name) => {
                let position = *self.position.entry(name).or_insert(self.found.len());
                if position == self.found.len() {
                    let first = expression.span;
                    let new = Occurrences {
                        first,
                        count: 0,
                        outside_negation: false,
                    };
                    self.found.push((name, new));
                }
                if let Some((_, occurrences)) = self.found.get_mut(position) {
                    occurrences.count += 1;
                    occurrences.outside_negation |= !negated;
                }
            }
            Kind::Anonymous if negated => self.anonymous_in_negation.push(expression.span),
            Kind::Not(inner) => {
                let literal = matches!(
                    inner.kind,
                    Kind::Variable(_)
                        | Kind::Anonymous
                        | Kind::Element(..)
                        | Kind::Apply(Function::Select, _)
                        | Kind::Atom(_)
                );
                self.visit(inner, negated || !literal);
            }
            _ => expression.for_each_part(&mut |part| self.visit(part, negated)),
        }
    }
}
