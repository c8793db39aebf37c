//! Lemmas from inductions that are stuck: what is left to show in a case, by definitions and with the hypothesis put in, is often an instance
//! of a lemma that has an induction of its own.
//!
//! What is left is made more general, by a variable in the place of a term that is on both sides, tried on samples, and proved like any guess,
//! or by what its own induction leaves, so deep. Like guesses from samples, nothing here has to be right.

use super::instances::{Instances, is_instance};
use super::normalization::{Normalization, oriented, size};
use super::proof::is_refuted;
use super::prover::{Established, Prover};
use crate::engine::StopReason;
use crate::relations::Pools;
use crate::terms::{Operator, SortId, Substitution, TermId, Terms};
use hashbrown::HashMap;

/// Inductions for lemmas of lemmas are nested so deep.
const DEPTH: usize = 4;
/// Lemmas that are tried for one goal, and for one induction.
const MOST: usize = 40;
const OF_INDUCTION: usize = 10;
/// Terms of lemmas have no more parts than this.
const LARGEST: usize = 24;

/// The lemmas that were looked for.
#[derive(Default)]
pub(super) struct Speculation {
    /// What was not proved, with how many lemmas and how deep.
    failed: HashMap<TermId, (usize, usize)>,
    /// What was tried, to see what is an instance of it.
    tried: Instances,
    /// What is being proved.
    open: Vec<TermId>,
    /// How many lemmas may still be tried.
    left: usize,
    /// Variables of each sort, for lemmas.
    variables: HashMap<SortId, Vec<TermId>>,
}

impl Speculation {
    /// Whether a goal follows with lemmas that its inductions need.
    pub fn follows(&mut self, prover: &mut Prover<'_>, pools: &Pools, goal: TermId) -> Result<bool, StopReason> {
        self.left = MOST;
        self.tried.clear();
        for depth in 1..=DEPTH {
            if self.proves(prover, pools, goal, depth)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn proves(
        &mut self,
        prover: &mut Prover<'_>,
        pools: &Pools,
        goal: TermId,
        depth: usize,
    ) -> Result<bool, StopReason> {
        let known = (prover.lemmas.len(), depth);
        if let Some((lemmas, deep)) = self.failed.get(&goal)
            && *lemmas == known.0
            && *deep >= depth
        {
            return Ok(false);
        }
        if prover.establish(goal)? != Established::Not {
            return Ok(true);
        }
        if depth > 0 {
            for guess in self.guesses(prover, goal) {
                if self.left == 0 {
                    break;
                }
                // What is more general has been tried, or is being proved.
                let is_known = self.failed.contains_key(&guess);
                if self.open.contains(&guess) || !is_known && self.tried.cover(&prover.terms, guess) {
                    continue;
                }
                if is_refuted(prover, guess, pools) {
                    continue;
                }
                self.tried.add(&prover.terms, guess);
                self.left -= 1;
                let before = prover.lemmas.len();
                self.open.push(guess);
                let is_proved = self.proves(prover, pools, guess, depth - 1)?;
                self.open.pop();
                let is_new = is_proved && prover.lemmas.len() > before;
                if is_new && prover.establish(goal)? != Established::Not {
                    return Ok(true);
                }
            }
        }
        self.failed.insert(goal, (prover.lemmas.len(), depth));
        Ok(false)
    }

    /// What inductions for a goal leave to show, the smallest first.
    fn guesses(&mut self, prover: &mut Prover<'_>, goal: TermId) -> Vec<TermId> {
        let Some((conditions, equation)) = parted(&mut prover.terms, goal) else {
            return Vec::new();
        };
        let mut deciding = prover.deciding(goal);
        deciding.retain(|variable| prover.terms.datatype(prover.terms.sort(*variable)).is_some());
        let lemmas: Vec<TermId> = prover.lemmas.iter().map(|lemma| lemma.formula).collect();
        let terms = &mut prover.terms;
        let mut normalization = Normalization::new(terms, &lemmas);
        let mut found: Vec<(usize, TermId)> = Vec::new();
        for by in &deciding {
            for (made, parts) in constructions(terms, *by) {
                let replaced = Substitution::of(terms, &[*by], &[made]);
                let mut rules = Vec::new();
                for part in parts {
                    let to_part = Substitution::of(terms, &[*by], &[part]);
                    let hypothesis = terms.substitute(equation, &to_part);
                    let ways = oriented(terms, hypothesis);
                    rules.extend(ways.into_iter().map(|(from, to)| (part, from, to)));
                }
                let case = terms.substitute(equation, &replaced);
                let own = terms.substitute_all(&conditions, &replaced);
                let mut cases = vec![(case, own.clone())];
                for other in deciding.iter().filter(|other| *other != by) {
                    for (made, _) in constructions(terms, *other) {
                        let replaced = Substitution::of(terms, &[*other], &[made]);
                        cases.push((terms.substitute(case, &replaced), terms.substitute_all(&own, &replaced)));
                    }
                }
                for (case, conditions) in cases {
                    for rest in residuals(terms, &mut normalization, case, &rules) {
                        for guess in self.generalized(terms, rest, &conditions) {
                            let size = size(terms, guess);
                            if size <= LARGEST && guess != goal && !found.iter().any(|(_, known)| *known == guess) {
                                found.push((size, guess));
                            }
                        }
                    }
                }
            }
        }
        prover.work += normalization.unfolded as u64;
        found.sort_by_key(|(size, guess)| (*size, *guess));
        found.truncate(OF_INDUCTION);
        found.into_iter().map(|(_, guess)| guess).collect()
    }

    /// An equation with variables in the place of terms that are on both sides, and as it is, for any values of its variables.
    fn generalized(&mut self, terms: &mut Terms, equation: TermId, conditions: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        for (mut equation, mut conditions) in [
            common_replaced(terms, equation, conditions),
            (equation, conditions.to_vec()),
        ] {
            let order = order_of_variables(terms, equation);
            let replaced: Vec<TermId> = order.iter().map(|one| self.variable(terms, &order, *one)).collect();
            let renaming = Substitution::of(terms, &order, &replaced);
            conditions.retain(|condition| {
                let inside = terms.variables(*condition);
                let is_kept =
                    terms.operator(*condition) == Operator::Equal || terms.applications(&[*condition]).is_empty();
                is_kept && !inside.is_empty() && inside.iter().all(|one| order.contains(one))
            });
            equation = terms.substitute(equation, &renaming);
            let mut said = vec![equation];
            for condition in terms.substitute_all(&conditions, &renaming) {
                said.push(terms.not(condition));
            }
            let guess = terms.or(&said);
            // Of what is not taken apart by cases, nothing is to be learned.
            let has_fields = terms
                .subterms(&[guess])
                .into_iter()
                .any(|part| matches!(terms.operator(part), Operator::Field(_)));
            if guess != TermId::TRUE && guess != TermId::FALSE && !has_fields && !found.contains(&guess) {
                found.push(guess);
            }
        }
        found
    }

    /// The variable of lemmas in the place of this one among those of an equation.
    fn variable(&mut self, terms: &mut Terms, order: &[TermId], variable: TermId) -> TermId {
        let sort = terms.sort(variable);
        let before = order.iter().take_while(|other| **other != variable);
        let rank = before.filter(|other| terms.sort(**other) == sort).count();
        let of_sort = self.variables.entry(sort).or_default();
        while of_sort.len() <= rank {
            of_sort.push(terms.fresh_variable(&format!("w{}", of_sort.len() + 1), sort));
        }
        of_sort[rank]
    }
}

/// The premises and the equation of a formula that says one under conditions.
fn parted(terms: &mut Terms, formula: TermId) -> Option<(Vec<TermId>, TermId)> {
    let parts = match terms.operator(formula) {
        Operator::Or => terms.arguments(formula).to_vec(),
        _ => vec![formula],
    };
    let (mut conditions, mut equation) = (Vec::new(), None);
    for part in parts {
        let positive = as_equation(terms, part);
        match (positive, equation) {
            (Some(positive), None) => equation = Some(positive),
            (Some(_), Some(_)) => return None,
            (None, _) => conditions.push(terms.not(part)),
        }
    }
    Some((conditions, equation?))
}

/// A literal that says that two terms are equal, or that one of two values is not the other.
fn as_equation(terms: &mut Terms, literal: TermId) -> Option<TermId> {
    if terms.operator(literal) == Operator::Equal && !terms.applications(&[literal]).is_empty() {
        return Some(literal);
    }
    let (Operator::Not, &[inner]) = (terms.operator(literal), terms.arguments(literal)) else {
        return None;
    };
    let (Operator::Equal, &[left, right]) = (terms.operator(inner), terms.arguments(inner)) else {
        return None;
    };
    for (constant, term) in [(left, right), (right, left)] {
        let Operator::Construct(constructor) = terms.operator(constant) else {
            continue;
        };
        let of = terms.datatype(terms.sort(term))?.constructors.clone();
        let is_constant = of.iter().all(|one| terms.constructor(*one).fields.is_empty());
        if let (&[one, other], true, Operator::Apply(_)) = (&of[..], is_constant, terms.operator(term)) {
            let opposite = if one == constructor { other } else { one };
            let opposite = terms.construct(opposite, &[]);
            return Some(terms.equal(term, opposite));
        }
    }
    None
}

/// What each constructor makes of new variables, with those that are of the variable's sort.
fn constructions(terms: &mut Terms, variable: TermId) -> Vec<(TermId, Vec<TermId>)> {
    let sort = terms.sort(variable);
    let constructors = terms.datatype(sort).map_or(Vec::new(), |one| one.constructors.clone());
    let mut made = Vec::new();
    for constructor in constructors {
        let fields = terms.constructor(constructor).fields.clone();
        let sorts: Vec<SortId> = fields.iter().map(|field| terms.field(*field).sort).collect();
        let parts: Vec<TermId> = sorts.iter().map(|sort| terms.fresh_variable("p", *sort)).collect();
        let whole = terms.construct(constructor, &parts);
        made.push((
            whole,
            parts.into_iter().filter(|part| terms.sort(*part) == sort).collect(),
        ));
    }
    made
}

/// What is left of a case, by definitions and with the hypotheses for parts put in; nothing where that is all.
fn residuals(
    terms: &mut Terms,
    normalization: &mut Normalization,
    case: TermId,
    rules: &[(TermId, TermId, TermId)],
) -> Vec<TermId> {
    let mut found = Vec::new();
    let normal = normalization.normal(terms, case);
    let mut open = terms.conjuncts(normal);
    let branches: Vec<TermId> = open
        .iter()
        .flat_map(|one| branches(terms, normalization, *one))
        .collect();
    open.extend(branches);
    for equation in open {
        if terms.operator(equation) != Operator::Equal {
            continue;
        }
        let mut own = Vec::new();
        let mut is_settled = false;
        for (part, from, to) in rules {
            for inside in terms.subterms(&[equation]) {
                let mut bindings = vec![(*part, *part)];
                if !is_instance(terms, *from, inside, &mut bindings) {
                    continue;
                }
                let (variables, values): (Vec<TermId>, Vec<TermId>) = bindings.into_iter().unzip();
                let instance = Substitution::of(terms, &variables, &values);
                let by = terms.substitute(*to, &instance);
                let replaced = replaced(terms, equation, inside, by);
                let rest = normalization.normal(terms, replaced);
                is_settled |= rest == TermId::TRUE;
                own.extend(terms.conjuncts(rest));
            }
        }
        if !is_settled {
            own.push(equation);
            for rest in own {
                if terms.operator(rest) == Operator::Equal && !found.contains(&rest) {
                    found.push(rest);
                }
                let inner = stripped(terms, rest);
                found.extend(inner.filter(|inner| !found.contains(inner)));
            }
        }
    }
    found
}

/// An equation around which both sides are the same.
fn stripped(terms: &mut Terms, equation: TermId) -> Option<TermId> {
    let (Operator::Equal, &[left, right]) = (terms.operator(equation), terms.arguments(equation)) else {
        return None;
    };
    if terms.operator(left) != terms.operator(right) || terms.is_variable(left) {
        return None;
    }
    let pairs = terms.arguments(left).iter().zip(terms.arguments(right));
    let different: Vec<(TermId, TermId)> = pairs
        .filter(|(one, other)| one != other)
        .map(|(a, b)| (*a, *b))
        .collect();
    match different[..] {
        [(one, other)] => Some(terms.equal(one, other)),
        _ => None,
    }
}

/// The equation with the cases of an application in its place, where none of them is decided.
fn branches(terms: &mut Terms, normalization: &mut Normalization, equation: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    for call in terms.applications(&[equation]) {
        let Some(body) = terms.unfolded(call) else { continue };
        let mut leaves = vec![body];
        let mut values = Vec::new();
        while let Some(leaf) = leaves.pop() {
            match (terms.operator(leaf), terms.arguments(leaf)) {
                (Operator::IfThenElse, &[condition, left, right]) => {
                    let condition = normalization.normal(terms, condition);
                    // Which constructor made something is for other cases.
                    match (condition, terms.operator(condition)) {
                        (TermId::TRUE, _) => leaves.push(left),
                        (TermId::FALSE, _) => leaves.push(right),
                        (_, Operator::IsMadeBy(_) | Operator::Not | Operator::And) => {
                            values.clear();
                            break;
                        }
                        _ => leaves.extend([left, right]),
                    }
                }
                _ => values.push(leaf),
            }
        }
        for value in values {
            let with = replaced(terms, equation, call, value);
            let with = normalization.normal(terms, with);
            found.extend(terms.conjuncts(with));
        }
    }
    found
}

/// A formula with a term in the place of another one.
fn replaced(terms: &mut Terms, formula: TermId, from: TermId, to: TermId) -> TermId {
    let substitution = Substitution::of(terms, &[from], &[to]);
    terms.substitute(formula, &substitution)
}

/// An equation and conditions with variables in the place of the largest applications that are on both sides.
fn common_replaced(terms: &mut Terms, equation: TermId, conditions: &[TermId]) -> (TermId, Vec<TermId>) {
    let (mut equation, mut conditions) = (equation, conditions.to_vec());
    loop {
        let &[left, right] = terms.arguments(equation) else {
            return (equation, conditions);
        };
        let (inside, others) = (terms.subterms(&[left]), terms.subterms(&[right]));
        let mut common: Vec<TermId> = inside.into_iter().filter(|term| others.contains(term)).collect();
        common.retain(|term| !terms.applications(&[*term]).is_empty() && *term != left && *term != right);
        let Some(largest) = common.into_iter().max_by_key(|term| size(terms, *term)) else {
            return (equation, conditions);
        };
        let variable = terms.fresh_variable("g", terms.sort(largest));
        equation = replaced(terms, equation, largest, variable);
        for condition in &mut conditions {
            *condition = replaced(terms, *condition, largest, variable);
        }
        if terms.operator(equation) != Operator::Equal {
            return (equation, conditions);
        }
    }
}

/// The variables of a term, in the order in which they come.
fn order_of_variables(terms: &Terms, term: TermId) -> Vec<TermId> {
    let mut order = Vec::new();
    let mut stack = vec![term];
    while let Some(current) = stack.pop() {
        if terms.is_variable(current) && !order.contains(&current) {
            order.push(current);
        }
        stack.extend(terms.arguments(current).iter().rev());
    }
    order
}
