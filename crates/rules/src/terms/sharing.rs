//! Terms are graphs, texts are trees: what is shared would be written again and again, and the nesting might be deeper than the
//! language can read. Here it is decided which inner terms of a text are given a name of their own, `T1 = …`: the printer of rules
//! uses it, and the texts of rules and conjunctions in reports and errors. Texts of ordinary size are left as they are.

use super::{Operator, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};

/// A text that needs more nodes than this when it is written as trees has its shared terms named.
const SIZE_LIMIT: u64 = 20_000;
/// Shared terms smaller than this are written again.
const WORTH_NAMING: u64 = 8;
/// A term of this height is named. Every term nests the text by at most two levels, of which the parser accepts 256.
const HEIGHT_LIMIT: usize = 64;

/// The terms to be named, parts first. `shown` are the terms of the text, parts first; `roots` those written in full.
pub fn terms_to_name(terms: &Terms, shown: &[TermId], roots: &[TermId]) -> Vec<TermId> {
    let mut uses: HashMap<TermId, u32> = HashMap::new();
    let mut size_of: HashMap<TermId, u64> = HashMap::new();
    let mut height_of: HashMap<TermId, usize> = HashMap::new();
    let parts_of: Vec<Vec<TermId>> = shown.iter().map(|term| displayed_parts(terms, *term)).collect();
    for part in parts_of.iter().flatten().chain(roots) {
        *uses.entry(*part).or_insert(0) += 1;
    }
    for (term, parts) in shown.iter().zip(&parts_of) {
        let size = parts
            .iter()
            .map(|part| size_of.get(part).copied().unwrap_or(1))
            .fold(1, u64::saturating_add);
        size_of.insert(*term, size);
    }
    let total = roots
        .iter()
        .map(|root| size_of.get(root).copied().unwrap_or(1))
        .fold(0, u64::saturating_add);
    let mut named = Vec::new();
    for (term, parts) in shown.iter().zip(&parts_of) {
        // The text of a list is not nested along the list.
        let is_list = terms.list_constructors(terms.sort(*term)).is_some();
        let levels = |(position, part): (usize, &TermId)| {
            let is_tail = is_list && position == 1 && matches!(terms.operator(*part), Operator::Construct(_));
            height_of.get(part).copied().unwrap_or(0) + usize::from(!is_tail)
        };
        let height = parts.iter().enumerate().map(levels).max().unwrap_or(0);
        let size = parts
            .iter()
            .map(|part| size_of.get(part).copied().unwrap_or(1))
            .fold(1, u64::saturating_add);
        let shared = total > SIZE_LIMIT && size >= WORTH_NAMING && uses.get(term).is_some_and(|uses| *uses > 1);
        let is_name = (shared || height >= HEIGHT_LIMIT) && can_be_named(terms, *term);
        // Where a name stands for it, the term is as small as a variable.
        height_of.insert(*term, if is_name { 0 } else { height });
        size_of.insert(*term, if is_name { 1 } else { size });
        if is_name {
            named.push(*term);
        }
    }
    named
}

/// The text of `A \= B` does not show the equality inside the negation.
fn can_be_named(terms: &Terms, term: TermId) -> bool {
    !matches!(terms.operator(term), Operator::Variable(_) | Operator::Number(_))
}

/// The parts of a term as they are displayed: of arithmetic, the terms that have coefficients.
pub fn displayed_parts(terms: &Terms, term: TermId) -> Vec<TermId> {
    let arguments = terms.arguments(term);
    match (terms.operator(term), arguments) {
        (Operator::Add, _) => atoms_of(terms, term),
        (Operator::Multiply, [first, _]) if terms.number_value(*first).is_some() => atoms_of(terms, term),
        (Operator::Equal | Operator::LessOrEqual | Operator::Less, [left, _]) if terms.sort(*left).is_numeric() => {
            atoms_of(terms, *left)
        }
        (Operator::Not, [inner]) if terms.operator(*inner) == Operator::Equal => displayed_parts(terms, *inner),
        _ => arguments.to_vec(),
    }
}

fn atoms_of(terms: &Terms, sum: TermId) -> Vec<TermId> {
    terms.linear_form(sum).terms.into_iter().map(|(term, _)| term).collect()
}

/// All terms that displaying `roots` shows, each once, parts before what they are part of.
pub fn shown_terms(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut open: HashMap<TermId, bool> = HashMap::new();
    let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
    while let Some(&current) = stack.last() {
        match open.get(&current) {
            None => {
                open.insert(current, false);
                let waiting = displayed_parts(terms, current)
                    .into_iter()
                    .filter(|part| !open.contains_key(part));
                stack.extend(waiting.collect::<Vec<_>>());
            }
            Some(false) => {
                open.insert(current, true);
                found.push(current);
                stack.pop();
            }
            Some(true) => {
                stack.pop();
            }
        }
    }
    found
}

/// Terms as texts in which what is large and shared is written once.
pub struct SharedTexts<'a> {
    terms: &'a Terms,
    names: HashMap<TermId, String>,
    /// `T1 = …`, each after those that it mentions; empty for texts of ordinary size.
    pub definitions: Vec<String>,
}

impl Terms {
    /// The texts of these terms, which are to stand beside each other. Takes time in the size of the graph, not of the trees.
    pub(crate) fn shared_texts(&self, roots: &[TermId]) -> SharedTexts<'_> {
        let shown = shown_terms(self, roots);
        let to_name = terms_to_name(self, &shown, roots);
        let mut texts = SharedTexts {
            terms: self,
            names: HashMap::new(),
            definitions: Vec::new(),
        };
        let is_variable = |term: &&TermId| self.is_variable(**term);
        let taken = shown.iter().filter(is_variable);
        let taken: HashSet<&str> = taken.map(|variable| self.variable_name(*variable)).collect();
        let mut names = (1u64..).map(|number| format!("T{number}"));
        for term in to_name {
            let Some(name) = names.find(|name| !taken.contains(name.as_str())) else {
                break;
            };
            let text = texts.text(term);
            let is_formula = self.sort(term) == SortId::BOOL;
            let definition = if is_formula {
                format!("{name} = ({text})")
            } else {
                format!("{name} = {text}")
            };
            texts.definitions.push(definition);
            texts.names.insert(term, name);
        }
        texts
    }

    /// A conjunction in CLP syntax, `true` if it is empty.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::{SortId, Terms};
    ///
    /// let mut terms = Terms::new();
    /// let x = terms.fresh_variable("X", SortId::INT);
    /// let (zero, three) = (terms.integer(0), terms.integer(3));
    /// let (low, high) = (terms.less_or_equal(zero, x), terms.less_or_equal(x, three));
    /// assert_eq!(terms.conjunction_text(&[low, high]), "X >= 0, X =< 3");
    /// assert_eq!(terms.conjunction_text(&[]), "true");
    /// ```
    pub fn conjunction_text(&self, formulas: &[TermId]) -> String {
        if formulas.is_empty() {
            return "true".to_string();
        }
        let mut texts = self.shared_texts(formulas);
        let mut all = std::mem::take(&mut texts.definitions);
        all.extend(formulas.iter().map(|formula| texts.conjunct(*formula)));
        all.join(", ")
    }
}

impl SharedTexts<'_> {
    /// One of the terms.
    pub fn text(&self, term: TermId) -> String {
        let name_of = |part: TermId| self.names.get(&part).cloned();
        self.terms.display_named(term, &name_of).to_string()
    }

    /// One of the terms as it stands in a conjunction.
    pub fn conjunct(&self, formula: TermId) -> String {
        let text = self.text(formula);
        let is_loose = self.terms.operator(formula) == Operator::Or;
        if is_loose { format!("({text})") } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_written_once() {
        let mut terms = Terms::new();
        let mut parity = terms.fresh_variable("T1", SortId::BOOL);
        for place in 0..60 {
            let bit = terms.fresh_variable(&format!("B{place}"), SortId::BOOL);
            let (even, odd) = (terms.not(parity), terms.not(bit));
            let (one, other) = (terms.and(&[parity, odd]), terms.and(&[even, bit]));
            parity = terms.or(&[one, other]);
        }
        // As a tree it has 2^60 leaves.
        let text = terms.conjunction_text(&[parity]);
        assert!(text.len() < 10_000, "{}", text.len());
        let (first, rest) = text.split_once(", T3 = ").expect("there are definitions");
        assert!(first.starts_with("T2 = ("), "the variable has the first name: {first}");
        assert!(!rest.contains("T2 = "));
        let small = terms.fresh_variable("X", SortId::BOOL);
        assert_eq!(terms.conjunction_text(&[small]), "X");
    }
}
