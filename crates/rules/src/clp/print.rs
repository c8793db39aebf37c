//! The printer: any program as text that reads as the same program.
//!
//! The text does not depend on ids, so printing what was read from a printed program gives the same text (but for the order
//! of operands where inner terms had to be named). It is put together from `names` (what predicates and variables are
//! called), `order` (in which order operands stand) and `declarations` (what has to
//! be said of sorts).

mod declarations;
mod names;
mod order;

use self::names::{PredicateName, VariableNames};
use super::names::written;
use super::sorts;
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::terms::{Operator, Sort, SortId, TermId, shown_terms, terms_to_name};
use hashbrown::HashMap;

/// Longer rules are broken into lines, one for each part of the body.
const LINE_WIDTH: usize = 100;

/// What stands for the queries of a program that has none: the language wants one, and this one starts nothing.
const NO_QUERY: &str = "?- false, error.\n";

/// A program as CLP text.
///
/// Reading the text gives the same rules again, with the same names as far as the language allows them: variables are renamed
/// where a name is not legal or not unique in its rule, predicates are quoted, and only renamed where two share a name.
/// Inner terms that are very deep or, in very large rules, shared are written as `T1 = …`, which changes the rule but not
/// its meaning. A program without a query is given one that starts nothing. Sorts are declared where the reader would infer others. Clauses with several atoms in their bodies are
/// written as they are, although the reader does not accept them yet.
///
/// ```
/// # use clausal_rules as clausal;
/// let source = "?- p(_, 1.5). p(A, X) :- (A[0] + A[2] < X ; \\+ X = 2), p(A, X - 1).";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// assert_eq!(clausal::clp::print(&program), "\
/// ?- p(_1, 1.5).
///
/// p(A, X) :- (X \\= 2.0 ; X > A[0] + A[2]), p(A, X - 1.0).
/// ");
/// ```
pub fn print(program: &Program) -> String {
    let names = names::of_predicates(program);
    let protected = first_uses_to_protect(program, &names);
    let mut clauses: Vec<Clause> = Vec::with_capacity(program.rules().len());
    for (index, rule) in program.rules().iter().enumerate() {
        clauses.push(
            Printer::new(program, &names, rule, &|predicate| {
                protected[predicate.index()] == Some(index)
            })
            .clause(),
        );
    }
    let readable: Vec<usize> = (0..clauses.len())
        .filter(|index| !clauses[*index].is_comment())
        .collect();
    let plain: String = readable.iter().map(|index| clauses[*index].text()).collect();
    let datatypes = declarations::of_datatypes(&program.terms);
    let mut inferred = declarations::infer(&format!("{datatypes}{plain}"), &names);
    let declared = declarations::of_predicates(program, &names, &inferred);
    if !declared.is_empty() {
        inferred = declarations::infer(&format!("{datatypes}{declared}{plain}"), &names);
    }
    let variables: Vec<Vec<(String, TermId)>> = readable
        .iter()
        .map(|index| std::mem::take(&mut clauses[*index].variables))
        .collect();
    let pins = declarations::of_variables(program, &variables, &inferred);
    for (index, pins) in readable.into_iter().zip(pins) {
        clauses[index].body.splice(0..0, pins);
    }
    let mut text = datatypes;
    if !text.is_empty() && !declared.is_empty() {
        text.push('\n');
    }
    text.push_str(&declared);
    let mut group = None;
    for (clause, rule) in clauses.iter().zip(program.rules()) {
        let name = &names[rule.head.predicate.index()].name;
        if group != Some(name) && !text.is_empty() {
            text.push('\n');
        }
        group = Some(name);
        text.push_str(&clause.text());
    }
    if clauses
        .iter()
        .all(|clause| clause.head.is_some() || clause.is_comment())
    {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(NO_QUERY);
    }
    text
}

/// A predicate without program points whose first argument is a number wherever it occurs would be read as one with points.
/// For each such predicate, by its index, the first rule in which it occurs: there the number is written differently.
fn first_uses_to_protect(program: &Program, names: &[PredicateName]) -> Vec<Option<usize>> {
    let mut first_use: Vec<Option<usize>> = vec![None; program.predicates().len()];
    let mut always_number = vec![true; program.predicates().len()];
    for (index, rule) in program.rules().iter().enumerate() {
        for atom in std::iter::once(&rule.head).chain(&rule.body) {
            let predicate = atom.predicate.index();
            first_use[predicate].get_or_insert(index);
            always_number[predicate] &= names[predicate].point.is_none()
                && atom.arguments.first().is_some_and(|first| {
                    program.terms.number_value(*first).is_some() && program.terms.sort(*first) == SortId::INT
                });
        }
    }
    let both = first_use.into_iter().zip(always_number);
    both.map(|(first, always)| first.filter(|_| always)).collect()
}

/// A clause as texts.
struct Clause {
    /// The head, or nothing for a query.
    head: Option<String>,
    /// Constraints and goals.
    body: Vec<String>,
    has_goal: bool,
    variables: Vec<(String, TermId)>,
}

impl Clause {
    /// A query without a goal says nothing, and cannot be read.
    fn is_comment(&self) -> bool {
        self.head.is_none() && !self.has_goal
    }

    fn text(&self) -> String {
        let (start, separator) = match &self.head {
            Some(head) if self.body.is_empty() => return format!("{head}.\n"),
            Some(head) => (format!("{head} :-"), "\n    "),
            None if self.is_comment() => return "% a query without a goal\n".to_string(),
            None => ("?-".to_string(), "\n   "),
        };
        let line = format!("{start} {}.\n", self.body.join(", "));
        if line.chars().count() <= LINE_WIDTH + 1 {
            return line;
        }
        let first = if self.head.is_some() { separator } else { " " };
        let rest = if self.head.is_some() {
            separator.to_string()
        } else {
            format!("{separator} ")
        };
        format!("{start}{first}{}.\n", self.body.join(&format!(",{rest}")))
    }
}

/// Prints one rule.
struct Printer<'p> {
    program: &'p Program,
    predicates: &'p [PredicateName],
    rule: &'p Rule,
    /// Whether the number in front must not look like a program point.
    is_protected: &'p dyn Fn(PredicateId) -> bool,
    /// The conjuncts that are written.
    constraints: Vec<TermId>,
    variables: Vec<(String, TermId)>,
    /// The names of variables, and of the terms that are written as something else than themselves.
    names: HashMap<TermId, String>,
    ranks: HashMap<TermId, usize>,
    /// The equations that define names.
    definitions: Vec<String>,
}

impl<'p> Printer<'p> {
    fn new(
        program: &'p Program,
        predicates: &'p [PredicateName],
        rule: &'p Rule,
        is_protected: &'p dyn Fn(PredicateId) -> bool,
    ) -> Printer<'p> {
        let mut printer = Printer {
            program,
            predicates,
            rule,
            is_protected,
            constraints: Vec::new(),
            variables: Vec::new(),
            names: HashMap::new(),
            ranks: HashMap::new(),
            definitions: Vec::new(),
        };
        printer.prepare();
        printer
    }

    fn prepare(&mut self) {
        let terms = &self.program.terms;
        let arguments: Vec<TermId> = std::iter::once(&self.rule.head)
            .chain(&self.rule.body)
            .flat_map(|atom| atom.arguments.iter().copied())
            .collect();
        let mut roots = arguments.clone();
        roots.extend(&self.rule.constraint);
        // Names of variables.
        let variables = terms.variables_of_all(&roots);
        let wanted: Vec<&str> = variables
            .iter()
            .map(|variable| terms.variable_name(*variable))
            .collect();
        let mut variable_names = VariableNames::default();
        let assigned = variable_names.assign(&wanted);
        self.variables = assigned.into_iter().zip(variables).collect();
        self.names = self
            .variables
            .iter()
            .map(|(name, variable)| (*variable, name.clone()))
            .collect();
        // The order: variables as the atoms name them, then by name.
        let mut position_of: HashMap<TermId, usize> = HashMap::new();
        for variable in arguments.iter().filter(|argument| terms.is_variable(**argument)) {
            let next = position_of.len();
            position_of.entry(*variable).or_insert(next);
        }
        let mut others: Vec<&(String, TermId)> = self
            .variables
            .iter()
            .filter(|(_, variable)| !position_of.contains_key(variable))
            .collect();
        others.sort();
        for (_, variable) in others {
            position_of.insert(*variable, position_of.len());
        }
        self.variables
            .sort_by_key(|(_, variable)| position_of.get(variable).copied());
        let shown = shown_terms(terms, &roots);
        let position = |variable| position_of.get(&variable).copied().unwrap_or(0);
        self.ranks = order::ranks(terms, &shown, &position);
        // What is written under another name.
        let to_name = terms_to_name(terms, &shown, &roots);
        let mut numbers = 1;
        let mut own_names: HashMap<TermId, String> = HashMap::new();
        for term in to_name {
            own_names.insert(term, variable_names.fresh("T", &mut numbers));
        }
        for term in shown {
            let own_name = own_names.remove(&term);
            let ascribed = self.ascription(term);
            if let Some(name) = own_name {
                let right = ascribed.unwrap_or_else(|| self.text(term));
                let is_formula = terms.sort(term) == SortId::BOOL;
                self.definitions.push(if is_formula {
                    format!("{name} = ({right})")
                } else {
                    format!("{name} = {right}")
                });
                self.names.insert(term, name);
            } else if let Some(text) = ascribed {
                self.names.insert(term, text);
            }
        }
        self.constraints = self.conjuncts();
    }

    /// A constant array does not show what it is indexed by, an empty list not what its elements would be.
    fn ascription(&self, term: TermId) -> Option<String> {
        let terms = &self.program.terms;
        let sort = terms.sort(term);
        let shows_integers = match (terms.operator(term), terms.sort_of_id(sort)) {
            (Operator::ConstantArray, Sort::Array(index, _)) => index == SortId::INT,
            (Operator::Construct(_), _) if terms.arguments(term).is_empty() => {
                terms.list_element(sort).is_none_or(|element| element == SortId::INT)
            }
            _ => true,
        };
        match shows_integers {
            false => Some(format!("sort({}, {})", self.text(term), sorts::sort_text(terms, sort))),
            true => None,
        }
    }

    /// The conjuncts to be written, conjunctions taken apart.
    fn conjuncts(&self) -> Vec<TermId> {
        let terms = &self.program.terms;
        let mut conjuncts = Vec::new();
        for formula in &self.rule.constraint {
            let mut parts = terms.conjuncts(*formula);
            parts.sort_by_key(|part| self.ranks.get(part));
            conjuncts.extend(parts);
        }
        conjuncts
    }

    fn text(&self, term: TermId) -> String {
        let name_of = |term: TermId| self.names.get(&term).cloned();
        let rank_of = |term: TermId| self.ranks.get(&term).copied().unwrap_or(0);
        self.program
            .terms
            .display_named(term, &name_of)
            .ordered(&rank_of)
            .naming(&written)
            .to_string()
    }

    /// A term that is an argument or a conjunct: the name of what must not be written as itself, otherwise itself.
    fn whole(&self, term: TermId) -> String {
        let ascribed = self.ascription(term).is_some();
        match self.names.get(&term) {
            Some(name) if ascribed => name.clone(),
            _ => self.text(term),
        }
    }

    fn clause(mut self) -> Clause {
        let is_query = self.rule.head.predicate == PredicateId::QUERY;
        let head = (!is_query).then(|| self.atom(&self.rule.head));
        let mut body = std::mem::take(&mut self.definitions);
        for constraint in &self.constraints {
            let text = self.whole(*constraint);
            let is_disjunction = self.program.terms.operator(*constraint) == Operator::Or;
            body.push(if is_disjunction { format!("({text})") } else { text });
        }
        for goal in &self.rule.body {
            body.push(self.atom(goal));
        }
        Clause {
            head,
            body,
            has_goal: !self.rule.body.is_empty(),
            variables: self.variables,
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        let name = &self.predicates[atom.predicate.index()];
        let mut arguments: Vec<String> = name.point.iter().cloned().collect();
        for (position, argument) in atom.arguments.iter().enumerate() {
            let text = self.whole(*argument);
            // A top-level conjunction or disjunction would be taken for several arguments.
            let loose = matches!(self.program.terms.operator(*argument), Operator::And | Operator::Or);
            let protected = position == 0 && (self.is_protected)(atom.predicate);
            arguments.push(match (loose, protected) {
                (true, _) => format!("({text})"),
                (_, true) => format!("sort({text}, int)"),
                _ => text,
            });
        }
        let written = name.written();
        if arguments.is_empty() {
            written
        } else {
            format!("{written}({})", arguments.join(", "))
        }
    }
}

#[cfg(test)]
mod tests;
