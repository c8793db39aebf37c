//! What the language cannot say: machine words and floating-point numbers.
//! Rules read from SMT-LIB or C have them; they are not to be written as CLP.

use crate::rules::Program;
use crate::terms::{Sort, SortId, TermId, Terms};
use hashbrown::HashSet;

/// The first sort of the program that the language has no name for, in words; `None` if [`print`](super::print) writes the
/// program as it is.
///
/// ```
/// # use clausal_rules as clausal;
/// let source = "(set-logic HORN)(declare-fun p ((_ BitVec 8)) Bool)(assert (p #x01))(check-sat)";
/// let program = clausal::horn::read(source).product.expect("no mistake in it");
/// assert_eq!(clausal::clp::inexpressible(&program).as_deref(), Some("bit-vectors: `(_ BitVec 8)`"));
/// ```
pub fn inexpressible(program: &Program) -> Option<String> {
    let terms = &program.terms;
    let mut seen_sorts = HashSet::new();
    let parameters = program.predicates().iter().flat_map(|predicate| &predicate.parameters);
    let mut roots: Vec<TermId> = parameters.copied().collect();
    for rule in program.rules() {
        let atoms = std::iter::once(&rule.head).chain(&rule.body);
        roots.extend(atoms.flat_map(|atom| &atom.arguments));
        roots.extend(&rule.constraint);
    }
    for term in terms.subterms(&roots) {
        let sort = terms.sort(term);
        if seen_sorts.insert(sort)
            && let Some(what) = foreign(terms, sort)
        {
            return Some(what);
        }
    }
    None
}

fn foreign(terms: &Terms, sort: SortId) -> Option<String> {
    let mut seen: HashSet<SortId> = HashSet::new();
    let mut stack = vec![sort];
    while let Some(current) = stack.pop() {
        if !seen.insert(current) {
            continue;
        }
        let what = match terms.sort_of_id(current) {
            Sort::Int | Sort::Real | Sort::Bool => continue,
            Sort::Array(index, element) => {
                stack.extend([element, index]);
                continue;
            }
            Sort::Datatype(_) => {
                let constructors = terms
                    .datatype(current)
                    .map_or(&[][..], |datatype| &datatype.constructors);
                let fields = constructors.iter().flat_map(|id| &terms.constructor(*id).fields);
                stack.extend(fields.map(|field| terms.field(*field).sort));
                continue;
            }
            Sort::Word(_) => "bit-vectors",
            Sort::Float(_) => "floating-point numbers",
        };
        return Some(format!("{what}: `{}`", terms.smtlib_sort(current)));
    }
    None
}
