//! From syntax to transitions: what of a body is a constraint and what is a goal, and whether the clause is of a form that has
//! a meaning: no goal inside a formula or after `error`. What [`crate::rules::linearize`] cannot
//! make of the clauses together is put into words here too.

use super::advice;
use super::syntax::{Atom, Clause, Expression, Function, Kind, Span};
use super::types::{Meaning, Types};
use crate::diagnostics::Diagnostic;
use crate::rules::NotLinear;

/// A rule or a query, its body taken apart.
#[derive(Clone, Debug)]
pub(super) struct Transition<'a> {
    /// The head of a rule; a query has none.
    pub head: Option<Atom<'a>>,
    /// The conjuncts of the body that are constraints, in order.
    pub constraints: Vec<&'a Expression<'a>>,
    /// The atoms of the body, in order.
    pub goals: Vec<Atom<'a>>,
    /// The head, or the `?-`.
    pub place: Span,
    /// Where names stand that have no meaning there, which is reported.
    pub refused: Vec<Span>,
}

impl<'a> Transition<'a> {
    /// Calls `visit` with the atoms and constraints of the transition, in the order they were written as far as it matters:
    /// head, constraints, goals.
    pub fn for_each_expression(&self, visit: &mut dyn FnMut(&'a Expression<'a>)) {
        self.head
            .iter()
            .for_each(|head| head.arguments.iter().for_each(&mut *visit));
        self.constraints.iter().for_each(|constraint| visit(constraint));
        self.goals
            .iter()
            .for_each(|goal| goal.arguments.iter().for_each(&mut *visit));
    }
}

/// The transition that a clause describes; `None` for a declaration.
pub(super) fn transition<'a>(
    clause: &Clause<'a>,
    types: &Types<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Transition<'a>> {
    let (head, body, place) = match clause {
        Clause::Rule { head, body } => (Some(*head), *body, head.span),
        Clause::Query { mark, body } => (None, Some(*body), *mark),
        Clause::Declaration { .. } | Clause::Type { .. } => return None,
    };
    let mut transition = Transition {
        head,
        constraints: Vec::new(),
        goals: Vec::new(),
        place,
        refused: Vec::new(),
    };
    if let Some(body) = body {
        split(body, types, &mut transition);
    }
    if let Some(head) = transition.head.filter(|head| types.is_formula(head)) {
        let message = format!("`{}` asks something of a term and cannot be defined", head.name.text);
        let error = Diagnostic::error(head.span.range(), message, "not a predicate");
        diagnostics.push(error.help("a declared constructor has it as a field or a question: choose another name"));
    }
    let mut form = Form {
        types,
        refused: Vec::new(),
        diagnostics,
    };
    transition
        .constraints
        .iter()
        .for_each(|constraint| form.check(constraint, Context::Conjunct));
    for atom in transition.head.iter().chain(&transition.goals) {
        atom.arguments
            .iter()
            .for_each(|argument| form.check(argument, Context::Term));
    }
    transition.refused = form.refused;
    check_goals(&transition, diagnostics);
    Some(transition)
}

/// Puts the conjuncts of a body where they belong. Conjunctions nest as deeply as parentheses, which are limited.
fn split<'a>(body: &'a Expression<'a>, types: &Types<'a>, transition: &mut Transition<'a>) {
    match body.kind {
        Kind::All(parts) => parts.iter().for_each(|part| split(part, types, transition)),
        Kind::Atom(atom) if !types.is_formula(&atom) => transition.goals.push(atom),
        _ => transition.constraints.push(body),
    }
}

fn check_goals(transition: &Transition<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for goal in &transition.goals {
        if goal.is_error() && !goal.arguments.is_empty() {
            let error = Diagnostic::error(goal.span.range(), "`error` takes no arguments", "write `error`")
                .help("a predicate of this name that is not the error has to be quoted: 'error'(X)");
            diagnostics.push(error);
        }
    }
    match transition.goals[..] {
        [] if transition.head.is_none() => {
            let error = Diagnostic::error(
                transition.place.range(),
                "a query without a predicate",
                "nowhere to start",
            )
            .help("a query names the predicate from which derivations start: `?- X >= 0, p(X).`");
            diagnostics.push(error);
        }
        // `not(…)` and the like look like predicates; that they are unknown says it all.
        _ if transition
            .goals
            .iter()
            .any(|goal| matches!(goal.name.text, "not" | "and" | "or")) => {}
        _ => {
            let mut after_error = transition.goals.iter().skip_while(|goal| !goal.is_error());
            if let (Some(error), Some(next)) = (after_error.next(), after_error.next()) {
                let diagnostic = Diagnostic::error(
                    next.span.range(),
                    format!("`{}` after `error`", next.name.text),
                    "never derived",
                )
                .related(error.span.range(), "the derivation ends here")
                .help("`error` comes last, if at all");
                diagnostics.push(diagnostic);
            }
        }
    }
}

/// Why the rules cannot be made linear; there is a rule for each transition, in order.
pub(super) fn not_linear(transitions: &[Transition<'_>], reason: NotLinear) -> Option<Diagnostic> {
    match reason {
        NotLinear::Recursion { rule, atom } => {
            let transition = transitions.get(rule.index())?;
            let (call, last) = (transition.goals.get(atom)?, transition.goals.last()?);
            let what = match &transition.head {
                Some(head) if head.name.text == call.name.text => format!("`{}` calls itself", call.name.text),
                Some(head) => format!("`{}` leads back to `{}`", call.name.text, head.name.text),
                None => format!("`{}` calls itself", call.name.text),
            };
            let error = Diagnostic::error(
                call.span.range(),
                format!("recursion by a call that is not the last: {what}"),
                "called here",
            )
            .related(last.span.range(), "which is still to be derived then");
            Some(error.unsupported().help(
                "`read_with_calls` reads this, and all commands do; where only the last predicate of a body leads back to its head, calls are \
                 loops",
            ))
        }
        NotLinear::TooLarge { rule } => {
            let place = transitions.get(rule.index())?.place;
            let error = Diagnostic::error(
                place.range(),
                "calls within calls make too many copies of rules",
                "copied here when the limit was reached",
            );
            Some(
                error
                    .unsupported()
                    .help("a predicate is copied for each place that it returns to; call it from fewer places"),
            )
        }
    }
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Conjunct,
    Disjunction,
    Negation,
    Term,
}

struct Form<'d, 'a> {
    types: &'d Types<'a>,
    refused: Vec<Span>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a> Form<'_, 'a> {
    /// Reports every predicate inside an expression: goals have been taken out before, and inside of terms names construct.
    fn check(&mut self, expression: &Expression<'a>, context: Context) {
        let inner = match expression.kind {
            Kind::Atom(atom) if self.is_fine(&atom, context) => Context::Term,
            Kind::Atom(atom) => return self.report(&atom, context),
            Kind::Ascription(_, sort) => {
                self.types.check_sort(&sort, self.diagnostics);
                Context::Term
            }
            Kind::Any(_) if context != Context::Term => Context::Disjunction,
            Kind::Not(_) if context != Context::Term => Context::Negation,
            Kind::All(_) => context,
            _ => Context::Term,
        };
        expression.for_each_part(&mut |part| self.check(part, inner));
    }

    fn is_fine(&self, atom: &Atom<'a>, context: Context) -> bool {
        if context != Context::Term {
            return self.types.is_formula(atom);
        }
        let is_unknown = self.types.meaning(atom) == Meaning::Undeclared && !atom.name.quoted;
        let resembles = || {
            let functions = Function::ALL
                .iter()
                .filter(|(_, _, count)| *count == atom.arguments.len());
            advice::function(atom.name.text).is_some()
                || nearest(atom.name.text, functions.map(|(_, own, _)| *own)).is_some()
        };
        let is_misspelt = || is_unknown && !atom.arguments.is_empty() && resembles();
        !(atom.is_error() || is_misspelt())
    }

    fn report(&mut self, atom: &Atom<'_>, context: Context) {
        self.refused.push(atom.span);
        let name = atom.name.text;
        let span = atom.span.range();
        let diagnostic = match context {
            Context::Disjunction => Diagnostic::error(
                span,
                format!("the predicate `{name}` is inside a disjunction"),
                "not here",
            )
            .help("write one rule for each alternative"),
            Context::Negation => Diagnostic::error(span, format!("the predicate `{name}` is negated"), "not here")
                .help("only constraints can be negated: `\\+ (X > 0, Y > 0)`"),
            _ if atom.is_error() => Diagnostic::error(span, "`error` is not a value", "the error is no term")
                .help("a constructor of this name has to be quoted: 'error'"),
            _ => Diagnostic::error(span, format!("unknown function `{name}`"), "not a function")
                .help(self.alternative(name)),
        };
        self.diagnostics.push(diagnostic);
    }

    fn alternative(&self, name: &str) -> String {
        if let Some(advice) = advice::function(name) {
            return advice.to_string();
        }
        let names = Function::ALL.iter().map(|(_, own, _)| *own);
        match nearest(name, names) {
            Some(own) => {
                format!("did you mean `{own}`? A constructor of a name like this has to be declared or quoted")
            }
            None => "a constructor of this name has to be declared or quoted".to_string(),
        }
    }
}

/// The name that differs least from the given one, if it differs little; the first one of several.
pub(super) fn nearest<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.chars().count() / 3).max(1);
    others
        .map(|other| (strsim::damerau_levenshtein(name, other), other))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}
