//! What has to be said of sorts so that a printed program is read with the sorts it has: the text is given to the reader's own
//! inference, and wherever that finds something else, a declaration is added.

use super::super::names::written;
use super::super::{clauses, inference, parser, signatures, sorts, types};
use super::names::PredicateName;
use crate::rules::{PredicateId, Program};
use crate::terms::{TermId, Terms};
use bumpalo::Bump;
use hashbrown::{HashMap, HashSet};

/// What the reader would infer from a text.
pub(super) struct Inferred {
    /// For each predicate, by its index, the sorts of its arguments; `None` if the text does not mention it.
    predicates: Vec<Option<Vec<String>>>,
    /// For each clause that is not a declaration, its variables and their sorts.
    variables: Vec<HashMap<String, String>>,
}

/// Reads a text as far as the sorts; that other checks might fail is of no interest.
pub(super) fn infer(text: &str, names: &[PredicateName]) -> Inferred {
    let arena = Bump::new();
    let parsed = parser::parse(text, &arena);
    let mut ignored = Vec::new();
    let types = types::Types::new(&parsed.clauses, &mut ignored);
    let transitions: Vec<_> = parsed
        .clauses
        .iter()
        .filter_map(|clause| clauses::transition(clause, &types, &mut ignored))
        .collect();
    let signatures = signatures::Signatures::new(&parsed.clauses, &transitions, &parsed.uncertain, &mut ignored);
    let inference::Inferred {
        mut table,
        parameters,
        variables,
        ..
    } = inference::infer(&transitions, &signatures, &types, &mut ignored);
    let mut found: HashMap<(&str, Option<&str>, usize), Vec<String>> = HashMap::new();
    for (signature, nodes) in signatures.list.iter().zip(parameters) {
        let sorts = nodes.into_iter().map(|node| table.text(node)).collect();
        found.insert((signature.name, signature.point.as_deref(), signature.arity), sorts);
    }
    Inferred {
        predicates: names
            .iter()
            .map(|name| {
                let arity = name.arity - usize::from(name.point.is_some());
                found.remove(&(name.name.as_str(), name.point.as_deref(), arity))
            })
            .collect(),
        variables: variables
            .into_iter()
            .map(|all| {
                all.into_iter()
                    .map(|(name, node)| (name.to_string(), table.text(node)))
                    .collect()
            })
            .collect(),
    }
}

/// The declarations of all datatypes but lists, a line each, by name: their ids depend on the table.
pub(super) fn of_datatypes(terms: &Terms) -> String {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for datatype in terms.datatypes().iter().filter(|datatype| !datatype.is_list) {
        let constructors = datatype.constructors.iter().map(|id| {
            let constructor = terms.constructor(*id);
            let fields = constructor.fields.iter().map(|field| {
                let field = terms.field(*field);
                format!("{}: {}", written(&field.name), sorts::sort_text(terms, field.sort))
            });
            let fields: Vec<String> = fields.collect();
            match fields.is_empty() {
                true => written(&constructor.name),
                false => format!("{}({})", written(&constructor.name), fields.join(", ")),
            }
        });
        let constructors: Vec<String> = constructors.collect();
        let line = format!(
            ":- type {} ---> {}.\n",
            written(&datatype.name),
            constructors.join(" ; ")
        );
        lines.push((&datatype.name, line));
    }
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The declarations the program needs, a line each.
pub(super) fn of_predicates(program: &Program, names: &[PredicateName], inferred: &Inferred) -> String {
    // The reader wants a rule or a declaration for every name and number of arguments.
    let mut defined: HashSet<(&str, usize)> = HashSet::new();
    for rule in program.rules() {
        let name = &names[rule.head.predicate.index()];
        defined.insert((name.name.as_str(), name.arity));
    }
    let mut text = String::new();
    for predicate in occurring(program) {
        let name = &names[predicate.index()];
        let parameters = &program.predicate(predicate).parameters;
        let sorts: Vec<String> = parameters
            .iter()
            .map(|parameter| sorts::sort_text(&program.terms, program.terms.sort(*parameter)))
            .collect();
        let known = inferred.predicates[predicate.index()].as_ref() == Some(&sorts);
        if known && !defined.insert((name.name.as_str(), name.arity)) {
            continue;
        }
        text.push_str(&format!(":- sort {}", name.written()));
        let arguments: Vec<String> = name.point.iter().cloned().chain(sorts).collect();
        if !arguments.is_empty() {
            text.push_str(&format!("({})", arguments.join(", ")));
        }
        text.push_str(".\n");
    }
    text
}

/// The predicates that some rule mentions, in the order in which the rules do; not the query and the error.
fn occurring(program: &Program) -> Vec<PredicateId> {
    let mut seen = vec![false; program.predicates().len()];
    let atoms = program
        .rules()
        .iter()
        .flat_map(|rule| std::iter::once(&rule.head).chain(&rule.body));
    let mut predicates: Vec<PredicateId> = atoms.map(|atom| atom.predicate).collect();
    predicates.retain(|predicate| {
        predicate.index() > PredicateId::ERROR.index() && !std::mem::replace(&mut seen[predicate.index()], true)
    });
    predicates
}

/// For each printed clause, the constraints that give its variables the sorts they have.
///
/// `variables` has, for each clause, its variables and their names.
pub(super) fn of_variables(
    program: &Program,
    variables: &[Vec<(String, TermId)>],
    inferred: &Inferred,
) -> Vec<Vec<String>> {
    // If the reader did not find every clause, nothing can be left to it.
    let complete = variables.len() == inferred.variables.len();
    let mut pins = Vec::with_capacity(variables.len());
    for (clause, all) in variables.iter().enumerate() {
        let mut own = Vec::new();
        for (name, variable) in all {
            let sort = sorts::sort_text(&program.terms, program.terms.sort(*variable));
            let found = inferred
                .variables
                .get(clause)
                .filter(|_| complete)
                .and_then(|found| found.get(name));
            if found != Some(&sort) && (complete || sort != "int") {
                own.push(format!("{name} = sort({name}, {sort})"));
            }
        }
        pins.push(own);
    }
    pins
}
