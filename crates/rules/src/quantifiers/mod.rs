//! Quantifier elimination: formulas without a quantifier that mean what one with a quantifier means, exactly, for any values
//! of the other variables. No solver is asked.
//!
//! [`exists`] eliminates the variables of an existential quantifier; a universal one is the negation of that of the negation,
//! and of nested quantifiers the inner ones come first. What is cheap comes first:
//!
//! 1. a variable that does not occur is dropped: no sort is empty;
//! 2. disjunctions are taken apart, conjuncts without the variables are left out, and conjuncts that share none are treated
//!    each for itself (miniscoping);
//! 3. an equality that defines a variable, of any sort, is put in;
//! 4. a truth value has both values.
//!
//! What then holds the variables is made linear in them as far as that is exact (`preparation`: conditional terms by cases,
//! quotients and remainders of divisions by constants as variables of their own), and a real variable is replaced by the
//! points that decide (`reals`, by Loos and Weispfenning), an integer one, too (`integers`, by Cooper). Where nothing of that
//! is possible, because another variable is in the way or because arrays, words or datatypes are quantified over that only
//! some disjunct defines, disjunctions are multiplied out.
//!
//! There are formulas for which none of this helps: products of variables, elements of arrays at quantified indices.
//! There are others that would become too large, so that the work is counted ([`MOST_WORK`]). Nothing is said of those.

mod definitions;
mod integers;
mod literals;
mod preparation;
mod reals;

use crate::terms::{Operator, SortId, Substitution, TermId, Terms};
use hashbrown::HashMap;
use literals::holding;

/// How much work the elimination of one quantifier may be, in terms that are looked at or made.
pub const MOST_WORK: usize = 100_000;
/// Disjunctions and conjunctions that are taken apart nest at most this deep.
const DEEPEST: usize = 60;

/// What became of a quantified formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elimination {
    /// The formula without the quantifier, unless it was not found.
    pub formula: Option<TermId>,
    /// How much work it was to look for it, whether it was found or not.
    pub work: usize,
}

/// Eliminates an existential quantifier over some variables of a formula.
///
/// ```
/// # use clausal_rules as clausal;
/// use clausal::quantifiers::exists;
/// use clausal::terms::{SortId, Terms};
/// let mut terms = Terms::new();
/// let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
/// let two = terms.integer(2);
/// let double = terms.multiply(two, y);
/// let even = terms.equal(x, double);
/// let formula = exists(&mut terms, &[y], even).formula.expect("linear arithmetic");
/// assert_eq!(terms.display(formula).to_string(), "X mod 2 = 0");
/// ```
pub fn exists(terms: &mut Terms, variables: &[TermId], formula: TermId) -> Elimination {
    let mut eliminator = Eliminator {
        terms,
        work: 0,
        depth: 0,
    };
    let formula = eliminator.exists(variables, formula);
    Elimination {
        formula,
        work: eliminator.work,
    }
}

/// An elimination under way. Where a method returns nothing, there is nothing to be found, or it would be too much work.
struct Eliminator<'t> {
    terms: &'t mut Terms,
    work: usize,
    depth: usize,
}

impl Eliminator<'_> {
    /// Counts work against the limit.
    fn charge(&mut self, steps: usize) -> Option<()> {
        self.work = self.work.saturating_add(steps);
        (self.work <= MOST_WORK).then_some(())
    }

    /// How much work may still be done.
    fn room(&self) -> usize {
        MOST_WORK.saturating_sub(self.work)
    }

    /// A look at all of a formula.
    fn charge_for(&mut self, formula: TermId) -> Option<()> {
        let size = self.terms.subterms(&[formula]).len();
        self.charge(size)
    }

    /// The formula without the variables.
    fn exists(&mut self, variables: &[TermId], formula: TermId) -> Option<TermId> {
        let (mut variables, mut formula) = (variables.to_vec(), formula);
        variables.sort();
        loop {
            self.charge_for(formula)?;
            let inside = self.terms.variables(formula);
            variables.retain(|variable| inside.binary_search(variable).is_ok());
            if variables.is_empty() {
                return Some(formula);
            }
            if self.terms.operator(formula) == Operator::Or {
                let parts = self.terms.arguments(formula).to_vec();
                return self.any_of(&variables, &parts);
            }
            let conjuncts = self.terms.conjuncts(formula);
            if let Some((variable, value)) = definitions::definition(self.terms, &variables, &conjuncts) {
                let substitution = Substitution::of(self.terms, &[variable], &[value]);
                formula = self.terms.substitute(formula, &substitution);
                continue;
            }
            let components = definitions::components(self.terms, &variables, &conjuncts);
            if components.len() > 1 {
                return self.each_of(components);
            }
            if let Some(next) = self.by_values(&variables, formula) {
                formula = next;
                continue;
            }
            if let Some(prepared) = preparation::prepared(self.terms, &variables, formula) {
                formula = prepared.formula;
                variables.extend(prepared.variable);
                continue;
            }
            if let Some(next) = self.by_points(&variables, formula)? {
                formula = next;
                continue;
            }
            return self.by_cases(&variables, &conjuncts);
        }
    }

    /// The disjunction of formulas without the variables.
    fn any_of(&mut self, variables: &[TermId], parts: &[TermId]) -> Option<TermId> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut found = Vec::with_capacity(parts.len());
        for part in parts {
            found.push(self.exists(variables, *part)?);
            if found.last() == Some(&TermId::TRUE) {
                break;
            }
        }
        self.depth -= 1;
        Some(self.terms.or(&found))
    }

    /// The conjunction of formulas, each without its own variables.
    fn each_of(&mut self, components: Vec<(Vec<TermId>, Vec<TermId>)>) -> Option<TermId> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut found = Vec::with_capacity(components.len());
        for (variables, conjuncts) in components {
            let formula = self.terms.and(&conjuncts);
            found.push(self.exists(&variables, formula)?);
            if found.last() == Some(&TermId::FALSE) {
                break;
            }
        }
        self.depth -= 1;
        Some(self.terms.and(&found))
    }

    /// Both values of a variable that is a truth value.
    fn by_values(&mut self, variables: &[TermId], formula: TermId) -> Option<TermId> {
        let is_boolean = |variable: &&TermId| self.terms.sort(**variable) == SortId::BOOL;
        let variable = *variables.iter().find(is_boolean)?;
        let (about, others) = self.about(variable, formula);
        let cases = [TermId::TRUE, TermId::FALSE].map(|value| {
            let substitution = Substitution::of(self.terms, &[variable], &[value]);
            self.terms.substitute(about, &substitution)
        });
        let either = self.terms.or(&cases);
        Some(self.terms.and(&[others, either]))
    }

    /// The conjuncts in which a variable occurs, and the other ones.
    fn about(&mut self, variable: TermId, formula: TermId) -> (TermId, TermId) {
        let conjuncts = self.terms.conjuncts(formula);
        let holding = holding(self.terms, &conjuncts, &[variable]);
        let (about, others): (Vec<TermId>, Vec<TermId>) = conjuncts.iter().partition(|one| holding.contains(*one));
        (self.terms.and(&about), self.terms.and(&others))
    }

    /// The formula without one of the variables, by the points that decide: the one for which these are the least work, or one for which
    /// they are hardly any, a real one if there is one.
    fn by_points(&mut self, variables: &[TermId], formula: TermId) -> Option<Option<TermId>> {
        let mut conjuncts_of: HashMap<TermId, Vec<TermId>> = HashMap::new();
        for conjunct in self.terms.conjuncts(formula) {
            for variable in self.terms.variables(conjunct) {
                conjuncts_of.entry(variable).or_default().push(conjunct);
            }
        }
        for sort in [SortId::REAL, SortId::INT] {
            let mut best: Option<(usize, TermId, Points)> = None;
            for variable in variables {
                let Some(about) = conjuncts_of
                    .get(variable)
                    .filter(|_| self.terms.sort(*variable) == sort)
                else {
                    continue;
                };
                let about = self.terms.and(about);
                let size = self.terms.subterms(&[about]).len();
                self.charge(size)?;
                let points = match sort {
                    SortId::REAL => reals::points(self.terms, *variable, about).map(Points::Reals),
                    _ => integers::points(self.terms, *variable, variables, about).map(Points::Integers),
                };
                let Some(points) = points else {
                    continue;
                };
                let work = points.work(size);
                if work <= self.room() && best.as_ref().is_none_or(|(least, ..)| work < *least) {
                    best = Some((work, *variable, points));
                }
                if work <= size {
                    break;
                }
            }
            if let Some((work, variable, points)) = best {
                self.charge(work)?;
                let (about, others) = self.about(variable, formula);
                let without = match points {
                    Points::Reals(points) => points.put_in(self.terms, about),
                    Points::Integers(points) => points.put_in(self.terms, about),
                };
                return Some(Some(self.terms.and(&[others, without])));
            }
        }
        Some(None)
    }

    /// The formula without the variables, a disjunction in it multiplied out.
    fn by_cases(&mut self, variables: &[TermId], conjuncts: &[TermId]) -> Option<TermId> {
        let holding = holding(self.terms, conjuncts, variables);
        let is_split = |one: &TermId| self.terms.operator(*one) == Operator::Or && holding.contains(one);
        let at = conjuncts.iter().position(is_split)?;
        let mut parts = Vec::new();
        for disjunct in self.terms.arguments(conjuncts[at]).to_vec() {
            let mut case = conjuncts.to_vec();
            case[at] = disjunct;
            self.charge(case.len())?;
            parts.push(self.terms.and(&case));
        }
        self.any_of(variables, &parts)
    }
}

/// The points that decide about a variable.
enum Points {
    Reals(reals::Points),
    Integers(integers::Points),
}

impl Points {
    fn work(&self, size: usize) -> usize {
        match self {
            Points::Reals(points) => points.work(size),
            Points::Integers(points) => points.work(size),
        }
    }
}

#[cfg(test)]
mod tests;
