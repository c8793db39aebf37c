//! Rules as SMT-LIB Horn clauses: one assertion for each rule, in the form CHC-COMP prescribes.

use super::names::{SymbolNames, write_symbol};
use super::smtlib_text::TermWriter;
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::terms::TermId;
use hashbrown::HashMap;

/// Writes a program as constrained Horn clauses: satisfiable if and only if the program is safe.
///
/// The error becomes `false`, the query `true`. A rule without a body derives nothing and is left out.
///
/// ```
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
    let mut text = String::from("(set-logic HORN)\n\n");
    let datatypes = program.terms.smtlib_datatypes();
    if !datatypes.is_empty() {
        text.push_str(&datatypes);
        text.push('\n');
    }
    for (predicate, name) in program.predicates().iter().zip(&predicates).skip(2) {
        let sort = |parameter: &TermId| program.terms.smtlib_sort(program.terms.sort(*parameter));
        let sorts: Vec<String> = predicate.parameters.iter().map(sort).collect();
        text.push_str(&format!("(declare-fun {name} ({}) Bool)\n", sorts.join(" ")));
    }
    if predicates.len() > 2 {
        text.push('\n');
    }
    let printer = Printer {
        program,
        names: &names,
        predicates: &predicates,
    };
    for rule in program.rules() {
        for target in &rule.body {
            printer.clause(rule, target, &mut text);
        }
    }
    text.push_str("\n(check-sat)\n");
    text
}

struct Printer<'p> {
    program: &'p Program,
    names: &'p SymbolNames<'static>,
    predicates: &'p [String],
}

impl Printer<'_> {
    fn clause(&self, rule: &Rule, target: &Atom, text: &mut String) {
        let terms = &self.program.terms;
        let mut roots = rule.head.arguments.clone();
        roots.extend(&rule.constraint);
        roots.extend(&target.arguments);
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
        let mut conditions = Vec::new();
        if rule.head.predicate != PredicateId::QUERY {
            conditions.push(self.atom(&rule.head, &writer));
        }
        for conjunct in &rule.constraint {
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

    fn atom(&self, atom: &Atom, writer: &TermWriter) -> String {
        if atom.predicate == PredicateId::ERROR {
            return "false".to_string();
        }
        let name = self.predicates.get(atom.predicate.index()).map_or("", String::as_str);
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
