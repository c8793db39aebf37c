//! What the checkers take nothing for granted about: that a certificate speaks of the program's own terms, that formulas
//! are formulas over the parameters of their predicate, that atoms fit their predicates and values their sorts.
//!
//! Terms, programs and evidence can be put together freely through the library. Evidence about something else than the
//! program, or terms that no solver can be given, must lead to a refusal and neither to a panic nor to a verdict.

use super::{Certificate, Invariant};
use super::{definitions, symbolic};
use crate::rules::{PredicateId, Program, Rule};
use crate::terms::{Sort, SortId, TermId, Terms, Value, check_sorts};
use hashbrown::HashSet;
use num_traits::Signed;

/// Proofs by k-induction look at sequences of at most so many rules.
const DEEPEST_INDUCTION: usize = 64;

/// What each predicate has, if anything.
type OfPredicates<'a> = Vec<Option<&'a Invariant>>;

/// Checks a certificate against its program, which is well formed, and returns the invariant and the summary of each predicate
/// that has one.
pub(super) fn check_certificate_form<'a>(
    program: &Program,
    certificate: &'a Certificate,
) -> Result<(OfPredicates<'a>, OfPredicates<'a>), String> {
    check_same_terms(program, &certificate.terms)?;
    // Operators and sorts speak of datatypes by number.
    let (base, extended) = (&program.terms, &certificate.terms);
    let are_same = base.datatypes() == extended.datatypes()
        && base.constructors() == extended.constructors()
        && base.fields() == extended.fields();
    if !are_same {
        return Err("its datatypes are not the program's".to_string());
    }
    if !base.functions().is_empty() {
        return Err("the program has functions of its own".to_string());
    }
    definitions::check_form(extended)?;
    check_lemmas(program, certificate)?;
    if !(1..=DEEPEST_INDUCTION).contains(&certificate.induction_depth) {
        return Err(format!(
            "its induction depth is {}; it can be from 1 to {DEEPEST_INDUCTION}",
            certificate.induction_depth
        ));
    }
    if !certificate.summaries.is_empty() && certificate.induction_depth != 1 {
        return Err("it has summaries, but its induction depth is not 1".to_string());
    }
    let terms = &certificate.terms;
    let has_more = !certificate.invariants.is_empty()
        || !certificate.summaries.is_empty()
        || !certificate.universal.is_empty()
        || !certificate.lemmas.is_empty()
        || !terms.functions().is_empty()
        || certificate.induction_depth != 1;
    if certificate.all_runs.is_some() && (has_more || !certificate.symbolic.is_empty()) {
        return Err("it is about all runs, and has something else beside".to_string());
    }
    if !certificate.symbolic.is_empty() {
        if has_more {
            return Err("it is about symbolic states, and has something else beside".to_string());
        }
        symbolic::check_form(program, terms, &certificate.symbolic)?;
    }
    check_universal(program, certificate)?;
    let invariants = of_predicates(
        program,
        terms,
        &certificate.invariants,
        &certificate.universal,
        "invariant",
    )?;
    let summaries = of_predicates(program, terms, &certificate.summaries, &[], "summary")?;
    if [PredicateId::QUERY, PredicateId::ERROR]
        .iter()
        .any(|predicate| summaries[predicate.index()].is_some())
    {
        return Err("queries and the error have no summary".to_string());
    }
    // The invariants of these two are what the certificate is about, so it cannot choose them.
    let trivial = |disjunct: &Vec<TermId>| disjunct.iter().all(|conjunct| *conjunct == TermId::TRUE);
    let query = invariants[PredicateId::QUERY.index()];
    if query.is_some_and(|invariant| !invariant.disjuncts.iter().any(trivial)) {
        return Err("the invariant of the query: it can only be true".to_string());
    }
    if invariants[PredicateId::ERROR.index()].is_some_and(|invariant| !invariant.disjuncts.is_empty()) {
        return Err("the invariant of the error: it can only be false".to_string());
    }
    Ok((invariants, summaries))
}

/// Lemmas are formulas over variables of their own, by induction over one of them that has smaller values, or by integers over them.
fn check_lemmas(program: &Program, certificate: &Certificate) -> Result<(), String> {
    let terms = &certificate.terms;
    let mut visited = HashSet::new();
    for lemma in &certificate.lemmas {
        check_sorts(terms, &lemma.variables, &mut visited)?;
        check_sorts(terms, &[lemma.formula], &mut visited)?;
        if terms.subterms(&[lemma.formula]).len() > definitions::MOST_TERMS {
            return Err("a lemma is too large".to_string());
        }
        let is_own = |variable: &TermId| variable.index() >= program.terms.len() && terms.is_variable(*variable);
        let is_bound = |variable: &TermId| lemma.variables.contains(variable);
        if terms.sort(lemma.formula) != SortId::BOOL
            || !lemma.variables.iter().all(is_own)
            || !terms.variables(lemma.formula).iter().all(is_bound)
        {
            return Err("a lemma is not a formula over variables of its own".to_string());
        }
        let descends =
            |variable: TermId| terms.sort(variable) == SortId::INT || terms.datatype(terms.sort(variable)).is_some();
        let mut chosen = lemma.by.into_iter().chain(lemma.cases);
        if lemma.by.is_some() && lemma.by == lemma.cases || chosen.any(|by| !is_bound(&by) || !descends(by)) {
            return Err("a lemma is proved by induction over something that has no smaller values".to_string());
        }
        check_sorts(terms, &lemma.ranks, &mut visited)?;
        let is_rank = |rank: &TermId| {
            terms.sort(*rank) == SortId::INT
                && terms.applications(&[*rank]).is_empty()
                && terms.variables(*rank).iter().all(is_bound)
        };
        if lemma.by.is_some() && !lemma.ranks.is_empty() || !lemma.ranks.iter().all(is_rank) {
            return Err("a lemma is proved by ranks that are no integers over its variables".to_string());
        }
    }
    Ok(())
}

/// The universal variables are variables of their own, and what is said of them is one conjunction, by ordinary induction.
fn check_universal(program: &Program, certificate: &Certificate) -> Result<(), String> {
    let terms = &certificate.terms;
    let mut seen = HashSet::new();
    for variable in &certificate.universal {
        // What comes after the program's terms is in none of its rules.
        let is_own = variable.index() >= program.terms.len() && variable.index() < terms.len();
        if !is_own || !terms.is_variable(*variable) || !seen.insert(*variable) {
            return Err("what it holds for all values of is not a variable of its own".to_string());
        }
    }
    if certificate.universal.is_empty() {
        return Ok(());
    }
    if certificate.induction_depth != 1 {
        return Err("it has invariants for all values of a variable, but its induction depth is not 1".to_string());
    }
    if certificate
        .invariants
        .iter()
        .any(|invariant| invariant.disjuncts.len() > 1)
    {
        return Err("an invariant for all values of a variable has several disjuncts".to_string());
    }
    Ok(())
}

fn of_predicates<'a>(
    program: &Program,
    terms: &Terms,
    list: &'a [Invariant],
    universal: &[TermId],
    what: &str,
) -> Result<OfPredicates<'a>, String> {
    let mut found = vec![None; program.predicates().len()];
    let mut visited = HashSet::new();
    for invariant in list {
        let Some(entry) = found.get_mut(invariant.predicate.index()) else {
            return Err(format!(
                "it names the {what} of a predicate that the program does not have"
            ));
        };
        let label = program.predicate_label(invariant.predicate);
        if entry.replace(invariant).is_some() {
            return Err(format!("it names the {what} of `{label}` twice"));
        }
        check_invariant(program, terms, invariant, universal, &mut visited)
            .map_err(|why| format!("the {what} of `{label}`: {why}"))?;
    }
    Ok(found)
}

fn check_invariant(
    program: &Program,
    terms: &Terms,
    invariant: &Invariant,
    universal: &[TermId],
    visited: &mut HashSet<TermId>,
) -> Result<(), String> {
    let conjuncts: Vec<TermId> = invariant.disjuncts.iter().flatten().copied().collect();
    check_sorts(terms, &conjuncts, visited)?;
    if conjuncts.iter().any(|conjunct| terms.sort(*conjunct) != SortId::BOOL) {
        return Err("a conjunct is not a formula".to_string());
    }
    let parameters = &program.predicate(invariant.predicate).parameters;
    let stray = |variable: &&TermId| !parameters.contains(variable) && !universal.contains(variable);
    if let Some(stray) = terms.variables_of_all(&conjuncts).iter().find(stray) {
        return Err(format!(
            "`{}` is not a parameter of the predicate",
            terms.variable_name(*stray)
        ));
    }
    Ok(())
}

/// Checks that every term of the program's rules and parameters is the same term in `extended`.
fn check_same_terms(program: &Program, extended: &Terms) -> Result<(), String> {
    let base = &program.terms;
    let parameters = program
        .predicates()
        .iter()
        .flat_map(|predicate| predicate.parameters.iter().copied());
    let mut stack: Vec<TermId> = program.rules().iter().flat_map(Rule::terms).chain(parameters).collect();
    let mut visited = HashSet::new();
    while let Some(term) = stack.pop() {
        if !visited.insert(term) {
            continue;
        }
        let same = term.index() < extended.len()
            && base.operator(term) == extended.operator(term)
            && base.number_value(term) == extended.number_value(term)
            && base.arguments(term) == extended.arguments(term)
            && same_sort(base, extended, term);
        if !same {
            return Err("its terms are not the program's".to_string());
        }
        stack.extend_from_slice(base.arguments(term));
    }
    Ok(())
}

/// Whether a term has one and the same sort in two tables that both have the term.
fn same_sort(base: &Terms, extended: &Terms, term: TermId) -> bool {
    let mut stack = vec![(base.sort(term), extended.sort(term))];
    while let Some((left, right)) = stack.pop() {
        // Ids have to agree as well: the terms that contain this one mention them.
        let (first, second) = (base.sort_of_id(left), extended.sort_of_id(right));
        if left != right || first != second {
            return false;
        }
        if let (Sort::Array(i, e), Sort::Array(j, f)) = (first, second) {
            stack.extend([(i, j), (e, f)]);
        }
    }
    true
}

/// Whether a value is of the sort, and written in the one way that equal values share.
pub(super) fn value_fits(terms: &Terms, value: &Value, sort: SortId) -> bool {
    let mut stack = vec![(value, sort)];
    while let Some((value, sort)) = stack.pop() {
        let fits = match (value, terms.sort_of_id(sort)) {
            (Value::Bool(_), Sort::Bool) | (Value::Number(_), Sort::Real) => true,
            (Value::Number(number), Sort::Int) => number.is_integer(),
            (Value::Array(array), Sort::Array(index, element)) => {
                stack.push((&array.default, element));
                for (at, value) in &array.elements {
                    stack.push((at, index));
                    stack.push((value, element));
                }
                array.elements.values().all(|value| *value != array.default)
            }
            (Value::Number(number), Sort::Word(width)) => {
                let bits = number.numer();
                number.is_integer() && !bits.is_negative() && bits.bits() <= u64::from(width)
            }
            (Value::Float(value), Sort::Float(format)) => value.format() == format,
            (Value::Datatype(value), Sort::Datatype(_)) => {
                let constructor = terms.constructors().get(value.constructor.index());
                let fields = constructor.map_or(&[][..], |constructor| &constructor.fields);
                let sorts = fields.iter().map(|field| terms.field(*field).sort);
                stack.extend(value.arguments.iter().zip(sorts));
                let is_one_of_it = terms
                    .datatype(sort)
                    .is_some_and(|datatype| datatype.constructors.contains(&value.constructor));
                is_one_of_it && fields.len() == value.arguments.len()
            }
            _ => false,
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Whether a sort has arrays with finitely many indices inside. Two such arrays can be equal with different defaults, so
/// comparing their values is not exact.
pub(super) fn has_finite_index(terms: &Terms, sort: SortId) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        if !seen.insert(sort) {
            continue;
        }
        match terms.sort_of_id(sort) {
            Sort::Array(index, element) => {
                if may_be_finite(terms, index) {
                    return true;
                }
                stack.extend([index, element]);
            }
            Sort::Datatype(_) => stack.extend(field_sorts(terms, sort)),
            Sort::Int | Sort::Real | Sort::Bool | Sort::Word(_) | Sort::Float(_) => {}
        }
    }
    false
}

/// Whether a sort could have no more than one value: a datatype of a single constructor has no numbers in sight.
fn is_single(terms: &Terms, sort: SortId) -> bool {
    let constructors = terms.datatype(sort).map(|datatype| datatype.constructors.len());
    constructors == Some(1)
}

fn field_sorts(terms: &Terms, sort: SortId) -> Vec<SortId> {
    let constructors = terms.datatype(sort).map_or(&[][..], |datatype| &datatype.constructors);
    let fields = constructors.iter().flat_map(|id| &terms.constructor(*id).fields);
    fields.map(|field| terms.field(*field).sort).collect()
}

/// Whether a sort has finitely many values, or so many only that finite maps over them could be compared wrongly: maps that
/// differ from a default at as many places as anybody could write down are told apart rightly from 32 bits on.
fn may_be_finite(terms: &Terms, sort: SortId) -> bool {
    // Every sort inside has to be looked at: a datatype is infinite if one of its fields is, or if it holds itself.
    let mut inside: HashSet<SortId> = HashSet::new();
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        if !inside.insert(sort) {
            continue;
        }
        match terms.sort_of_id(sort) {
            Sort::Int | Sort::Real | Sort::Float(_) => return false,
            Sort::Word(width) if width >= 32 => return false,
            Sort::Bool | Sort::Word(_) => {}
            // There is one map into what has but one value. Other array sorts are finite only if indices and elements are.
            Sort::Array(_, element) if is_single(terms, element) => return true,
            Sort::Array(index, element) => stack.extend([index, element]),
            Sort::Datatype(_) => stack.extend(field_sorts(terms, sort)),
        }
    }
    // What is left are truth values, words and datatypes of them. Those that hold themselves are infinite.
    let holds_itself = |sort: &SortId| {
        let mut reached: HashSet<SortId> = HashSet::new();
        let mut stack = field_sorts(terms, *sort);
        while let Some(sort) = stack.pop() {
            if reached.insert(sort) {
                match terms.sort_of_id(sort) {
                    Sort::Array(index, element) => stack.extend([index, element]),
                    _ => stack.extend(field_sorts(terms, sort)),
                }
            }
        }
        reached.contains(sort)
    };
    !inside.iter().any(holds_itself)
}
