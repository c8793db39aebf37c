//! Lemmas about functions that a certificate defines: proved by induction, and relied on for instances that are chosen here.
//!
//! A lemma holds for all values of its variables. What it says of those that formulas speak of is found by matching: the applications
//! in it that mention all of its variables are patterns. Whatever is chosen, nothing wrong is proved; with too few instances a step
//! that is right is not proved.
//!
//! By induction over a variable of a datatype, a lemma is proved for what each constructor makes of parts; it may be relied on for these parts
//! and theirs. By induction over an integer, it may be relied on for smaller ones that are not negative; by ranks, for values of all variables
//! of which the first rank that changes is smaller, and not negative.

use super::Lemma;
use super::congruence::{Bindings, Classes};
use super::definitions;
use super::products::multiplied_out;
use crate::solver::{Answer, Layer, Z3Layer};
use crate::terms::{Operator, SortId, Substitution, TermId, Terms};
use hashbrown::HashSet;

/// How often instances lead to others.
const ROUNDS: usize = 3;
/// Instances for one obligation.
const MOST_INSTANCES: usize = 160;
/// So many levels deep definitions are looked at where their cases are not known.
const DEPTH: usize = 1;
/// How often applications to what is equal to constructed terms are looked at for others.
const UNFOLDINGS: usize = 4;
/// With more formulas than this, nothing is added by definitions.
const MOST_FORMULAS: usize = 600;
/// By ranks, constructors of variables are told apart in so many cases at most.
const MOST_CASES: usize = 64;
/// Patterns have so many parts at most.
const MOST_PARTS: usize = 3;

/// How far definitions are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// Only where their cases are known.
    Known,
    /// Into applications to what is constructed.
    Constructed,
    /// Also into applications to what is conditional, case by case.
    Conditional,
}

impl Depth {
    /// What is tried, in this order.
    pub const ALL: [Depth; 3] = [Depth::Known, Depth::Constructed, Depth::Conditional];
}

/// Formulas that have to be unsatisfiable together.
pub(crate) struct Obligation {
    /// What they are about.
    pub text: String,
    /// The formulas.
    pub formulas: Vec<TermId>,
}

impl Obligation {
    /// Whether they are.
    pub fn is_shown(&self, terms: &Terms, solver: &mut Z3Layer) -> bool {
        if self.formulas.contains(&TermId::FALSE) {
            return true;
        }
        is_refuted(terms, &self.formulas, solver)
    }

    /// Whether they are, by cases: what the longest disjunction among them says is looked at part by part. What is denied of a conclusion is such a
    /// disjunction, and a solver that has to find out which part matters may be lost where each is plain.
    pub fn is_shown_by_cases(&self, terms: &Terms, solver: &mut Z3Layer) -> bool {
        let cases = |formula: TermId| match terms.operator(formula) {
            Operator::Or => terms.arguments(formula).len(),
            _ => 0,
        };
        let longest = (0..self.formulas.len()).max_by_key(|position| cases(self.formulas[*position]));
        let Some(longest) = longest.filter(|position| cases(self.formulas[*position]) > 0) else {
            return self.is_shown(terms, solver);
        };
        solver.push();
        let others = (0..self.formulas.len()).filter(|position| *position != longest);
        for position in others {
            solver.assume(terms, self.formulas[position]);
        }
        let mut parts = terms.arguments(self.formulas[longest]).iter();
        let are_shown = parts.all(|part| is_refuted(terms, &[*part], solver));
        solver.pop(1);
        are_shown
    }
}

/// Whether the formulas are unsatisfiable together with what the solver assumes.
fn is_refuted(terms: &Terms, formulas: &[TermId], solver: &mut Z3Layer) -> bool {
    solver.push();
    for formula in formulas {
        solver.assume(terms, *formula);
    }
    let answer = solver.check(terms);
    solver.pop(1);
    answer == Answer::Unsatisfiable
}

/// What holds for all values of some variables.
#[derive(Clone)]
pub(crate) struct Known {
    variables: Vec<TermId>,
    formula: TermId,
    /// Of each pattern the parts, which have all variables together.
    patterns: Vec<Vec<TermId>>,
    /// By induction, only for what is smaller.
    below: Below,
}

/// What a hypothesis may be relied on for.
#[derive(Clone)]
enum Below {
    /// For everything: it is no hypothesis.
    All,
    /// For values of a variable that are smaller than itself.
    Variable(TermId),
    /// For values of the variables with smaller ranks.
    Ranks(Vec<TermId>),
}

impl Known {
    /// What a lemma says.
    pub fn new(terms: &Terms, lemma: &Lemma) -> Known {
        let patterns = patterns(terms, &lemma.variables, lemma.formula);
        Known {
            variables: lemma.variables.clone(),
            formula: lemma.formula,
            patterns,
            below: Below::All,
        }
    }
}

/// The patterns by which a formula's variables are found: each side of an equation that has all of them, or else any applications.
fn patterns(terms: &Terms, variables: &[TermId], formula: TermId) -> Vec<Vec<TermId>> {
    let covers = |term: TermId| {
        let inside = terms.variables(term);
        variables.iter().all(|variable| inside.contains(variable))
    };
    let is_call = |term: TermId| matches!(terms.operator(term), Operator::Apply(_));
    let mut found: Vec<Vec<TermId>> = Vec::new();
    if let (Operator::Equal, &[left, right]) = (terms.operator(formula), terms.arguments(formula)) {
        let sides = [left, right].into_iter().filter(|side| is_call(*side) && covers(*side));
        found.extend(sides.map(|side| vec![side]));
    }
    if !found.is_empty() {
        return found;
    }
    let calls = terms.applications(&[formula]);
    let single = calls.iter().filter(|call| covers(**call));
    found.extend(single.map(|call| vec![*call]));
    if !found.is_empty() {
        return found;
    }
    // Together, those first that have most.
    let mut parts: Vec<TermId> = Vec::new();
    let mut open: Vec<TermId> = variables.to_vec();
    while !open.is_empty() && parts.len() < MOST_PARTS {
        let fresh = |call: &&TermId| {
            let inside = terms.variables(**call);
            open.iter().filter(|variable| inside.contains(variable)).count()
        };
        let Some(best) = calls.iter().rev().max_by_key(fresh).filter(|best| fresh(best) > 0) else {
            return Vec::new();
        };
        parts.push(*best);
        let inside = terms.variables(*best);
        open.retain(|variable| !inside.contains(variable));
    }
    match open.is_empty() && !parts.is_empty() {
        true => vec![parts],
        false => Vec::new(),
    }
}

/// What follows from definitions and lemmas about the applications in formulas.
pub(crate) fn consequences(terms: &mut Terms, formulas: &[TermId], known: &[Known], depth: Depth) -> Vec<TermId> {
    // So that patterns find what equations say; equivalences stay as they are.
    let mut all = terms.with_equations_put_in(formulas, &|terms, variable| terms.sort(variable) != SortId::BOOL);
    let start = all.len();
    let (mut told, mut said) = (HashSet::new(), HashSet::new());
    let mut instances = 0;
    for _ in 0..ROUNDS {
        let classes = defined(terms, &mut all, &mut told, depth);
        let mut new = Vec::new();
        for lemma in known {
            for pattern in &lemma.patterns {
                let mut found: Vec<Bindings> = vec![Vec::new()];
                for part in pattern {
                    let longer = found
                        .iter()
                        .flat_map(|bindings| classes.instances(terms, &lemma.variables, *part, bindings));
                    found = longer.take(MOST_INSTANCES).collect();
                }
                for bindings in found {
                    new.extend(instance(terms, lemma, &bindings));
                }
            }
        }
        let before = all.len();
        for formula in new {
            if formula != TermId::TRUE && instances < MOST_INSTANCES && said.insert(formula) {
                instances += 1;
                all.extend(terms.conjuncts(formula));
            }
        }
        if all.len() == before {
            break;
        }
    }
    defined(terms, &mut all, &mut told, depth);
    let products = multiplied_out(terms, &all);
    all.extend(products);
    all.split_off(start)
}

/// Adds what definitions say of the applications in formulas, also of those to terms that are equal to constructed or conditional ones.
fn defined(terms: &mut Terms, all: &mut Vec<TermId>, told: &mut HashSet<TermId>, depth: Depth) -> Classes {
    let levels = |levels: usize| (depth != Depth::Known).then_some(levels);
    let new = terms.definitions(all, levels(DEPTH), told);
    all.extend(new);
    for _ in 0..UNFOLDINGS {
        let classes = Classes::new(terms, all);
        let mut made = Vec::new();
        for call in terms.applications(all) {
            let Operator::Apply(function) = terms.operator(call) else {
                continue;
            };
            let arguments = terms.arguments(call).to_vec();
            let plain: Vec<TermId> = arguments
                .iter()
                .map(|argument| classes.decided(terms, *argument, depth).unwrap_or(*argument))
                .collect();
            if plain != arguments {
                made.extend(terms.call(function, &plain));
            }
        }
        let new = terms.definitions(&made, levels(0), told);
        if new.is_empty() || all.len() > MOST_FORMULAS {
            return classes;
        }
        all.extend(new);
    }
    Classes::new(terms, all)
}

/// What a lemma says of these values; for a hypothesis, under the condition that it may be relied on.
fn instance(terms: &mut Terms, lemma: &Known, bindings: &Bindings) -> Option<TermId> {
    let mut substitution = Substitution::new();
    for (variable, term) in bindings {
        substitution.insert(terms, *variable, *term);
    }
    let formula = terms.substitute(lemma.formula, &substitution);
    let smaller = match &lemma.below {
        Below::All => return Some(formula),
        Below::Variable(below) => {
            let (_, value) = bindings.iter().find(|(variable, _)| variable == below)?;
            smaller(terms, *value, *below)?
        }
        Below::Ranks(ranks) => {
            let called = terms.substitute_all(ranks, &substitution);
            definitions::descends(terms, ranks, &called)
        }
    };
    Some(terms.implies(smaller, formula))
}

/// Under which condition a value is smaller than another one, if it is known to be under any.
fn smaller(terms: &mut Terms, value: TermId, than: TermId) -> Option<TermId> {
    if terms.sort(than) == SortId::INT {
        let zero = terms.integer(0);
        let (not_negative, less) = (terms.less_or_equal(zero, value), terms.less(value, than));
        return Some(terms.and(&[not_negative, less]));
    }
    let (mut conditions, mut current) = (Vec::new(), value);
    while current != than {
        let (Operator::Field(field), &[whole]) = (terms.operator(current), terms.arguments(current)) else {
            return None;
        };
        let constructor = terms.field(field).constructor;
        conditions.push(terms.is_made_by(constructor, whole));
        current = whole;
    }
    (value != than).then(|| terms.and(&conditions))
}

/// What has to be shown for a lemma, given those before it: one obligation after another, as long as they are shown. Whether all are.
pub(crate) fn obligations<E>(
    terms: &mut Terms,
    lemma: &Lemma,
    earlier: &[Known],
    depths: &[Depth],
    shown: &mut dyn FnMut(&Terms, Obligation) -> Result<bool, E>,
) -> Result<bool, E> {
    let mut known = earlier.to_vec();
    // What is shown in each case, and what is assumed.
    let mut cases: Vec<(TermId, Vec<TermId>)> = vec![(lemma.formula, Vec::new())];
    if !lemma.ranks.is_empty() {
        known.push(Known {
            below: Below::Ranks(lemma.ranks.clone()),
            ..Known::new(terms, lemma)
        });
    }
    if let Some(variable) = lemma.by {
        known.push(Known {
            below: Below::Variable(variable),
            ..Known::new(terms, lemma)
        });
        cases = split(terms, cases, variable);
        // Patterns need not find the very parts.
        for (_, assumed) in &mut cases {
            for field in parts_made(terms, assumed, variable) {
                let replaced = Substitution::of(terms, &[variable], &[field]);
                assumed.push(terms.substitute(lemma.formula, &replaced));
            }
        }
    }
    if let Some(variable) = lemma.cases {
        cases = split(terms, cases, variable);
    }
    if !lemma.ranks.is_empty() {
        // What functions are in each case is known then, whatever they choose by.
        for variable in lemma.variables.iter().filter(|one| Some(**one) != lemma.cases) {
            let constructors = terms
                .datatype(terms.sort(*variable))
                .map_or(1, |of| of.constructors.len());
            if cases.len() * constructors <= MOST_CASES {
                cases = split(terms, cases, *variable);
            }
        }
    }
    for (goal, mut assumed) in cases {
        assumed.push(terms.not(goal));
        let mut is_shown = false;
        for depth in depths {
            let mut formulas = assumed.clone();
            let more = consequences(terms, &formulas, &known, *depth);
            formulas.extend(more);
            let unfolded = terms.unfoldings(&formulas);
            formulas.extend(unfolded);
            let text = format!("the lemma `{}`", terms.display(lemma.formula));
            is_shown = shown(terms, Obligation { text, formulas })?;
            if is_shown {
                break;
            }
        }
        if !is_shown {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Cases by the constructors of a variable, which takes the form of what each of them makes; one case where it is of no datatype.
fn split(terms: &mut Terms, cases: Vec<(TermId, Vec<TermId>)>, variable: TermId) -> Vec<(TermId, Vec<TermId>)> {
    let Some(datatype) = terms.datatype(terms.sort(variable)) else {
        return cases;
    };
    let constructors = datatype.constructors.clone();
    let mut found = Vec::new();
    for (goal, assumed) in cases {
        for constructor in &constructors {
            let fields = terms.constructor(*constructor).fields.clone();
            let fields: Vec<TermId> = fields
                .into_iter()
                .map(|field| terms.field_of(field, variable))
                .collect();
            let whole = terms.construct(*constructor, &fields);
            let replaced = Substitution::of(terms, &[variable], &[whole]);
            let goal = terms.substitute(goal, &replaced);
            let mut own = terms.substitute_all(&assumed, &replaced);
            // The parts belong to what was made so.
            own.push(terms.is_made_by(*constructor, variable));
            found.push((goal, own));
        }
    }
    found
}

/// The parts of a variable that are of its sort, by the constructor that is assumed.
fn parts_made(terms: &mut Terms, assumed: &[TermId], variable: TermId) -> Vec<TermId> {
    let sort = terms.sort(variable);
    let constructors = terms
        .datatype(sort)
        .map_or(Vec::new(), |datatype| datatype.constructors.clone());
    let mut parts = Vec::new();
    for constructor in constructors {
        if assumed.contains(&terms.is_made_by(constructor, variable)) {
            let fields = terms.constructor(constructor).fields.clone();
            let fields = fields.into_iter().filter(|field| terms.field(*field).sort == sort);
            let fields: Vec<_> = fields.collect();
            parts.extend(fields.into_iter().map(|field| terms.field_of(field, variable)));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_shown_only_together() {
        let mut terms = Terms::new();
        let (x, y) = (
            terms.fresh_variable("X", SortId::INT),
            terms.fresh_variable("Y", SortId::INT),
        );
        let [zero, one] = [0, 1].map(|value| terms.integer(value));
        let (is_low, is_high) = (terms.less(x, zero), terms.less(one, x));
        let (equal, other) = (terms.equal(x, zero), terms.equal(y, one));
        let either = terms.or(&[is_low, is_high]);
        let shown = |terms: &Terms, formulas: Vec<TermId>| {
            let text = String::new();
            let obligation = Obligation { text, formulas };
            let solver = &mut Z3Layer::new(0);
            let by_cases = obligation.is_shown_by_cases(terms, solver);
            assert_eq!(by_cases, obligation.is_shown(terms, solver));
            by_cases
        };
        assert!(shown(&terms, vec![equal, either]));
        assert!(shown(&terms, vec![either, equal]));
        assert!(!shown(&terms, vec![either, other]));
        // One case is not excluded.
        let open = terms.or(&[is_low, other]);
        assert!(!shown(&terms, vec![equal, open]));
        let no_cases = [terms.less(x, y), terms.less(y, x)].to_vec();
        assert!(shown(&terms, no_cases));
    }
}
