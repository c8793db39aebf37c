//! The predicates of a text: which there are, whether they carry a program point, what is declared of them, and what is used
//! without being there.
//!
//! A predicate is known by its name and its number of arguments. If its first argument is an integer literal wherever the
//! predicate occurs, that literal is a program point: there is one signature for each, without that argument.

use super::clauses::{Transition, nearest};
use super::parser::Uncertain;
use super::syntax::{Atom, Clause, Declared, Expression, Name, SortKind, Span};
use super::{DIAGNOSTIC_LIMIT, advice};
use crate::diagnostics::Diagnostic;
use hashbrown::HashMap;

/// A predicate as the rules will know it.
#[derive(Debug)]
pub(super) struct Signature<'a> {
    pub name: &'a str,
    pub point: Option<String>,
    /// The number of arguments without the program point.
    pub arity: usize,
    /// The arguments of the first head, without the program point.
    pub first_head: Option<&'a [Expression<'a>]>,
    /// Where the predicate occurs first.
    pub place: Span,
    /// Sorts of the arguments, if they are declared.
    pub declared: Option<&'a [Declared<'a>]>,
    group: usize,
}

/// An atom in terms of signatures.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use<'a> {
    /// An index of [`Signatures::list`]; `None` for the error.
    pub signature: Option<usize>,
    /// The arguments without the program point.
    pub arguments: &'a [Expression<'a>],
}

/// All occurrences of one name with one number of arguments.
struct Group<'a> {
    name: &'a str,
    arity: usize,
    first_head: Option<Span>,
    first_goal: Option<Span>,
    /// The first occurrence whose first argument is not an integer literal.
    not_a_point: Option<Span>,
    declarations: Vec<Declaration<'a>>,
}

#[derive(Clone, Copy)]
struct Declaration<'a> {
    arguments: &'a [Declared<'a>],
    span: Span,
}

impl Group<'_> {
    fn is_unused(&self) -> bool {
        self.first_head.is_none() && self.first_goal.is_none()
    }
}

/// The signatures of a text.
pub(super) struct Signatures<'a> {
    pub list: Vec<Signature<'a>>,
    groups: Vec<Group<'a>>,
    group_of: HashMap<(&'a str, usize), usize>,
    signature_of: HashMap<(usize, Option<String>), usize>,
    declared_at: HashMap<(usize, Option<String>), Span>,
}

impl<'a> Signatures<'a> {
    /// Collects the signatures, and reports predicates that are not there and declarations that do not fit. Names in
    /// `uncertain` may belong to clauses that could not be read: nothing is said about them.
    pub fn new(
        clauses: &[Clause<'a>],
        transitions: &[Transition<'a>],
        uncertain: &Uncertain<'a>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Signatures<'a> {
        let mut signatures = Signatures {
            list: Vec::new(),
            groups: Vec::new(),
            group_of: HashMap::new(),
            signature_of: HashMap::new(),
            declared_at: HashMap::new(),
        };
        for transition in transitions {
            for (atom, is_head) in transition
                .head
                .iter()
                .map(|head| (head, true))
                .chain(transition.goals.iter().map(|goal| (goal, false)))
            {
                signatures.note(atom, is_head);
            }
        }
        for clause in clauses {
            if let Clause::Declaration { name, arguments, span } = clause {
                signatures.declare(*name, arguments, *span, diagnostics);
            }
        }
        signatures.report_missing(uncertain, diagnostics);
        signatures.check_declarations(uncertain, diagnostics);
        for transition in transitions {
            for atom in transition.head.iter().chain(&transition.goals) {
                signatures.enter(atom, transition.head.is_some_and(|head| head.span == atom.span));
            }
        }
        signatures.enter_declared();
        signatures
    }

    /// What an atom refers to.
    pub fn resolve(&self, atom: &Atom<'a>) -> Option<Use<'a>> {
        if atom.is_error() {
            return Some(Use {
                signature: None,
                arguments: &[],
            });
        }
        let group = *self.group_of.get(&(atom.name.text, atom.arguments.len()))?;
        let (point, arguments) = self.point_of(group, atom);
        let signature = *self.signature_of.get(&(group, point))?;
        Some(Use {
            signature: Some(signature),
            arguments,
        })
    }

    /// The index of the group, which is made if it is new.
    fn group(&mut self, name: &'a str, arity: usize) -> usize {
        let next = self.groups.len();
        let position = *self.group_of.entry((name, arity)).or_insert(next);
        if position == next {
            self.groups.push(Group {
                name,
                arity,
                first_head: None,
                first_goal: None,
                not_a_point: None,
                declarations: Vec::new(),
            });
        }
        position
    }

    fn note(&mut self, atom: &Atom<'a>, is_head: bool) {
        if atom.is_error() {
            return;
        }
        let literal = atom
            .arguments
            .first()
            .is_some_and(|first| first.integer_literal().is_some());
        let position = self.group(atom.name.text, atom.arguments.len());
        let group = &mut self.groups[position];
        let first = if is_head {
            &mut group.first_head
        } else {
            &mut group.first_goal
        };
        first.get_or_insert(atom.span);
        if !literal {
            group.not_a_point.get_or_insert(atom.span);
        }
    }

    fn declare(
        &mut self,
        name: Name<'a>,
        arguments: &'a [Declared<'a>],
        span: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let group = self.group(name.text, arguments.len());
        let first = *self
            .declared_at
            .entry((group, declared_point(arguments)))
            .or_insert(span);
        if first != span {
            let error = Diagnostic::error(span.range(), format!("`{}` is declared twice", name.text), "once more")
                .related(first.range(), "declared here already");
            diagnostics.push(error.help("remove one of the declarations"));
            return;
        }
        self.groups[group].declarations.push(Declaration { arguments, span });
    }

    /// Goals without rules and declarations.
    fn report_missing(&self, uncertain: &Uncertain<'a>, diagnostics: &mut Vec<Diagnostic>) {
        let missing = self.groups.iter().filter(|group| {
            group.first_head.is_none() && group.declarations.is_empty() && !uncertain.covers(group.name)
        });
        // Each costs a look at all others, and nobody reads more than will be shown.
        for group in missing.take(DIAGNOSTIC_LIMIT) {
            let Some(goal) = group.first_goal else { continue };
            let name = group.name;
            if let Some(other) = self.other_arity(group) {
                let place = other.first_head.or(other.declarations.first().map(|first| first.span));
                let mut error = Diagnostic::error(
                    goal.range(),
                    format!(
                        "`{name}` is used with {}, but it has {}",
                        count(group.arity),
                        other.arity
                    ),
                    format!("{} here", count(group.arity)),
                );
                if let Some(place) = place {
                    error = error.related(place.range(), format!("{} here", count(other.arity)));
                }
                diagnostics.push(error.help("give every occurrence of a predicate the same number of arguments"));
                continue;
            }
            let error = Diagnostic::error(
                goal.range(),
                format!("unknown predicate `{name}`"),
                "no rule has this head",
            );
            diagnostics.push(self.with_alternative(error, group));
        }
    }

    /// A group of the same name that has rules or a declaration.
    fn other_arity(&self, group: &Group<'a>) -> Option<&Group<'a>> {
        self.groups.iter().find(|other| {
            other.name == group.name
                && other.arity != group.arity
                && (other.first_head.is_some() || !other.declarations.is_empty())
        })
    }

    fn with_alternative(&self, error: Diagnostic, group: &Group<'a>) -> Diagnostic {
        if let Some(advice) = advice::function(group.name).or(advice::word(group.name)) {
            return error.help(advice);
        }
        if group.arity == 0 && nearest(group.name, std::iter::once("error")).is_some() {
            return error.help("did you mean `error`?");
        }
        let defined = self.groups.iter().filter(|other| other.first_head.is_some());
        if let Some(name) = nearest(group.name, defined.map(|other| other.name)) {
            let place = self
                .groups
                .iter()
                .find(|other| other.name == name)
                .and_then(|other| other.first_head);
            let error = error.help(format!("did you mean `{name}`?"));
            return match place {
                Some(place) => error.related(place.range(), format!("`{name}` is defined here")),
                None => error,
            };
        }
        let sorts = vec!["int"; group.arity].join(", ");
        let declaration = if sorts.is_empty() {
            String::new()
        } else {
            format!("({sorts})")
        };
        error.help(format!(
            "add a rule for it; if derivations may end there, declare it: `:- sort {}{declaration}.`",
            group.name
        ))
    }

    fn check_declarations(&self, uncertain: &Uncertain<'a>, diagnostics: &mut Vec<Diagnostic>) {
        let mut unused = 0;
        for group in &self.groups {
            if group.is_unused() && !uncertain.covers(group.name) && unused < DIAGNOSTIC_LIMIT {
                unused += 1;
                diagnostics.extend(group.declarations.first().map(|first| self.unused(group, first)));
            }
            for declaration in &group.declarations {
                check_point(group, declaration, diagnostics);
            }
        }
    }

    fn unused(&self, group: &Group<'a>, declaration: &Declaration<'a>) -> Diagnostic {
        let name = group.name;
        let mut others = self
            .groups
            .iter()
            .filter(|other| other.name == name && other.arity != group.arity);
        match others.find_map(|other| Some((other, other.first_head.or(other.first_goal)?))) {
            Some((other, place)) => Diagnostic::error(
                declaration.span.range(),
                format!(
                    "`{name}` is declared with {}, but it has {}",
                    count(group.arity),
                    other.arity
                ),
                format!("{} here", count(group.arity)),
            )
            .related(place.range(), format!("{} here", count(other.arity)))
            .help("declare a sort for each argument"),
            None => Diagnostic::warning(
                declaration.span.range(),
                format!("`{name}` is declared, but never used"),
                "no rule mentions it",
            ),
        }
    }

    fn has_points(&self, group: usize) -> bool {
        let group = &self.groups[group];
        let declared = || {
            group
                .declarations
                .iter()
                .any(|one| declared_point(one.arguments).is_some())
        };
        group.arity > 0 && group.not_a_point.is_none() && (!group.is_unused() || declared())
    }

    fn point_of(&self, group: usize, atom: &Atom<'a>) -> (Option<String>, &'a [Expression<'a>]) {
        match atom.arguments {
            [first, rest @ ..] if self.has_points(group) => (first.integer_literal(), rest),
            all => (None, all),
        }
    }

    fn enter(&mut self, atom: &Atom<'a>, is_head: bool) {
        let Some(&group) = self.group_of.get(&(atom.name.text, atom.arguments.len())) else {
            return;
        };
        if atom.is_error() {
            return;
        }
        let (point, arguments) = self.point_of(group, atom);
        let signature = self.signature(group, point, arguments.len(), atom.span);
        if is_head {
            signature.first_head.get_or_insert(arguments);
        }
    }

    fn enter_declared(&mut self) {
        let mut general = vec![None; self.groups.len()];
        for (group, general) in general.iter_mut().enumerate() {
            let has_points = self.has_points(group);
            for position in 0..self.groups[group].declarations.len() {
                let Declaration { arguments, span } = self.groups[group].declarations[position];
                match (declared_point(arguments), arguments) {
                    (Some(point), [_, rest @ ..]) => {
                        self.signature(group, Some(point), rest.len(), span).declared = Some(rest);
                    }
                    (None, [_, rest @ ..]) if has_points => *general = Some(rest),
                    _ => self.signature(group, None, arguments.len(), span).declared = Some(arguments),
                }
            }
        }
        // A declaration without a point speaks of all points that have none of their own.
        for signature in &mut self.list {
            if let Some(rest) = general[signature.group] {
                signature.declared.get_or_insert(rest);
            }
        }
    }

    fn signature(&mut self, group: usize, point: Option<String>, arity: usize, place: Span) -> &mut Signature<'a> {
        let next = self.list.len();
        let position = *self.signature_of.entry((group, point.clone())).or_insert(next);
        if position == next {
            self.list.push(Signature {
                name: self.groups[group].name,
                point,
                arity,
                first_head: None,
                place,
                declared: None,
                group,
            });
        }
        &mut self.list[position]
    }
}

/// Whether a declaration and the uses agree on there being a program point.
fn check_point(group: &Group<'_>, declaration: &Declaration<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let name = group.name;
    match (declaration.arguments.first(), group.not_a_point) {
        (Some(Declared::Point(point)), Some(other)) => diagnostics.push(
            Diagnostic::error(
                point.span.range(),
                format!("the first argument of `{name}` is not a program point"),
                "declared as a program point",
            )
            .related(other.range(), "not an integer literal here")
            .help("declare its sort: `int` in place of the number"),
        ),
        (Some(Declared::Sort(sort)), None) if !matches!(sort.kind, SortKind::Int) && !group.is_unused() => {
            diagnostics.push(
                Diagnostic::error(
                    sort.span.range(),
                    format!("the first argument of `{name}` is a program point, an integer"),
                    "declared differently",
                )
                .help("write `int`: wherever the predicate occurs, its first argument is an integer"),
            );
        }
        _ => {}
    }
}

fn declared_point(arguments: &[Declared<'_>]) -> Option<String> {
    match arguments.first() {
        Some(Declared::Point(point)) => point.integer_literal(),
        _ => None,
    }
}

fn count(arity: usize) -> String {
    match arity {
        0 => "no arguments".to_string(),
        1 => "1 argument".to_string(),
        _ => format!("{arity} arguments"),
    }
}
