//! Rules as SMT-LIB Horn clauses: one assertion for each rule, in the form CHC-COMP prescribes.

use super::names::{SymbolNames, write_symbol};
use super::smtlib_text::TermWriter;
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::terms::TermId;
use hashbrown::HashMap;

/// Writes a program as constrained Horn clauses: satisfiable if and only if the program is safe.
///
/// The error becomes `false`, the query `true`. A rule without a body derives nothing and is left out. Of a body with several
/// atoms each is reached once those before it have come back, which is another relation over a predicate's arguments,
/// `p_returned`; for that a rule without a body is the base.
///
/// ```
/// # use clausal_rules as clausal;
/// use clausal::rules::{Atom, PredicateId, Program};
/// let mut program = Program::new();
/// let error = Atom { predicate: PredicateId::ERROR, arguments: Vec::new() };
/// program.add_query(Vec::new(), error, None);
/// assert_eq!(clausal::horn::print(&program), "(set-logic HORN)\n\n(assert (=> true false))\n\n(check-sat)\n");
/// ```
pub fn print(program: &Program) -> String {
    let mut names = SymbolNames::new();
    for name in program.terms.datatype_names() {
        names.claim(&name);
    }
    let predicates: Vec<String> = (0..program.predicates().len())
        .map(PredicateId::from_index)
        .map(|predicate| match predicate {
            PredicateId::QUERY | PredicateId::ERROR => String::new(),
            _ => write_symbol(&names.claim(&program.predicate_label(predicate))),
        })
        .collect();
    let returned: Vec<Option<String>> = returning(program)
        .into_iter()
        .enumerate()
        .map(|(index, returns)| {
            let label = program.predicate_label(PredicateId::from_index(index));
            returns.then(|| write_symbol(&names.claim(&format!("{label}_returned"))))
        })
        .collect();
    let mut text = String::from("(set-logic HORN)\n\n");
    let datatypes = program.terms.smtlib_datatypes();
    if !datatypes.is_empty() {
        text.push_str(&datatypes);
        text.push('\n');
    }
    for ((predicate, name), returned) in program.predicates().iter().zip(&predicates).zip(&returned).skip(2) {
        let sort = |parameter: &TermId| program.terms.smtlib_sort(program.terms.sort(*parameter));
        let sorts: Vec<String> = predicate.parameters.iter().map(sort).collect();
        for name in std::iter::once(name).chain(returned) {
            text.push_str(&format!("(declare-fun {name} ({}) Bool)\n", sorts.join(" ")));
        }
    }
    if predicates.len() > 2 {
        text.push('\n');
    }
    let printer = Printer {
        program,
        names: &names,
        predicates: &predicates,
        returned: &returned,
    };
    for rule in program.rules() {
        for (position, target) in rule.body.iter().enumerate() {
            printer.reached(rule, position, target, &mut text);
        }
        if returned.get(rule.head.predicate.index()).is_some_and(Option::is_some) {
            printer.returns(rule, &mut text);
        }
    }
    text.push_str("\n(check-sat)\n");
    text
}

/// The predicates that something waits for: the calls of bodies, and what these lead to.
fn returning(program: &Program) -> Vec<bool> {
    let mut returning = vec![false; program.predicates().len()];
    let mut waiting: Vec<PredicateId> = Vec::new();
    for rule in program.rules() {
        let calls = rule.body.split_last().map_or(&[][..], |(_, calls)| calls);
        waiting.extend(calls.iter().map(|call| call.predicate));
    }
    while let Some(predicate) = waiting.pop() {
        if predicate == PredicateId::ERROR || std::mem::replace(&mut returning[predicate.index()], true) {
            continue;
        }
        let rules = program.rules_of(predicate).iter();
        waiting.extend(rules.flat_map(|rule| program.rule(*rule).body.iter().map(|atom| atom.predicate)));
    }
    returning
}

struct Printer<'p> {
    program: &'p Program,
    names: &'p SymbolNames<'static>,
    predicates: &'p [String],
    /// The names of what has come back, where something waits for it.
    returned: &'p [Option<String>],
}

impl Printer<'_> {
    /// An atom of the body is reached from the head, when the atoms before it have come back.
    fn reached(&self, rule: &Rule, position: usize, target: &Atom, text: &mut String) {
        let mut premises = Vec::new();
        if rule.head.predicate != PredicateId::QUERY {
            premises.push((&rule.head, false));
        }
        premises.extend(rule.body.iter().take(position).map(|call| (call, true)));
        self.clause(&premises, &rule.constraint, (target, false), text);
    }

    /// The head comes back when the whole body has.
    fn returns(&self, rule: &Rule, text: &mut String) {
        if rule.body.iter().any(|atom| atom.predicate == PredicateId::ERROR) {
            return;
        }
        let premises: Vec<(&Atom, bool)> = rule.body.iter().map(|atom| (atom, true)).collect();
        self.clause(&premises, &rule.constraint, (&rule.head, true), text);
    }

    /// Writes an implication; with each atom, whether it has come back or is reached.
    fn clause(&self, premises: &[(&Atom, bool)], constraint: &[TermId], target: (&Atom, bool), text: &mut String) {
        let terms = &self.program.terms;
        let mut roots: Vec<TermId> = Vec::new();
        for (premise, _) in premises {
            roots.extend(&premise.arguments);
        }
        roots.extend(constraint);
        roots.extend(&target.0.arguments);
        let variables = terms.variables_of_all(&roots);
        let mut names = SymbolNames::inside(self.names);
        let mut name_of = HashMap::with_capacity(variables.len());
        for variable in &variables {
            name_of.insert(*variable, names.claim(terms.variable_name(*variable)));
        }
        let name_of = |variable: TermId| name_of.get(&variable).cloned().unwrap_or_default();
        let writer = TermWriter::new(terms, &roots, &name_of, self.names);
        text.push_str("(assert ");
        if !variables.is_empty() {
            let bound: Vec<String> = variables
                .iter()
                .map(|variable| {
                    let sort = terms.smtlib_sort(terms.sort(*variable));
                    format!("({} {sort})", write_symbol(&name_of(*variable)))
                })
                .collect();
            text.push_str(&format!("(forall ({})\n  ", bound.join(" ")));
        }
        let closing = writer.open_bindings(text, "\n  ");
        text.push_str("(=> ");
        let mut conditions: Vec<String> = premises.iter().map(|premise| self.atom(*premise, &writer)).collect();
        for conjunct in constraint {
            let mut condition = String::new();
            writer.write(*conjunct, &mut condition);
            conditions.push(condition);
        }
        match &conditions[..] {
            [] => text.push_str("true"),
            [only] => text.push_str(only),
            _ => text.push_str(&format!("(and {})", conditions.join(" "))),
        }
        text.push_str(if variables.is_empty() { " " } else { "\n    " });
        text.push_str(&self.atom(target, &writer));
        text.push(')');
        text.push_str(&closing);
        text.push_str(if variables.is_empty() { ")\n" } else { "))\n" });
    }

    fn atom(&self, (atom, has_returned): (&Atom, bool), writer: &TermWriter) -> String {
        if atom.predicate == PredicateId::ERROR {
            return "false".to_string();
        }
        let index = atom.predicate.index();
        let name = match has_returned {
            true => self.returned.get(index).and_then(Option::as_deref),
            false => self.predicates.get(index).map(String::as_str),
        };
        let name = name.unwrap_or_default();
        if atom.arguments.is_empty() {
            return name.to_string();
        }
        let mut text = format!("({name}");
        for argument in &atom.arguments {
            text.push(' ');
            writer.write(*argument, &mut text);
        }
        text.push(')');
        text
    }
}
