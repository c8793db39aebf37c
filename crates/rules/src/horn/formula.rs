//! The Boolean skeleton of an assertion: connectives over predicates, quantifiers and constraints.
//!
//! Connectives are kept here rather than built as terms at once, for two reasons: predicates are no terms, and terms flatten
//! nested conjunctions, which must happen once for the whole nest instead of once for each level of it. The part of a
//! skeleton without predicates becomes a term by [`Reader::constraint`], which eliminates the quantifiers in it.

use super::lexer::Span;
use super::problems::Checked;
use super::reader::Reader;
use crate::quantifiers;
use crate::rules::Atom;
use crate::terms::TermId;
use hashbrown::{HashMap, HashSet};

/// The id of a formula in a [`Formulas`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct FormulaId(u32);

/// The id of an atom in a [`Formulas`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct AtomId(u32);

/// A formula and whether it is meant positively; `false` stands for its negation.
pub(super) type Polar = (FormulaId, bool);

/// A node of the skeleton.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    /// A formula over theory terms.
    Term(TermId),
    /// An application of a predicate.
    Atom(AtomId),
    /// A negation; its argument is never a negation itself.
    Not(FormulaId),
    /// A conjunction.
    And(Vec<FormulaId>),
    /// A disjunction.
    Or(Vec<FormulaId>),
    /// A quantified formula whose variables are unique already.
    Quantified {
        universal: bool,
        variables: Vec<TermId>,
        body: FormulaId,
    },
}

struct Node {
    formula: Formula,
    span: Span,
    content: Content,
}

/// What is inside of a formula, from what can be a term as it is to what cannot be one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Content {
    /// Neither predicates nor quantifiers.
    Pure,
    /// Quantifiers, no predicates.
    Quantifiers,
    /// Predicates.
    Predicates,
}

/// The skeleton of one assertion: a graph, because `let` shares.
#[derive(Default)]
pub(super) struct Formulas {
    nodes: Vec<Node>,
    atoms: Vec<(Atom, Span)>,
    constraints: HashMap<Polar, TermId>,
}

impl Formulas {
    /// Forgets everything, before the next assertion.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.atoms.clear();
        self.constraints.clear();
    }

    fn add(&mut self, formula: Formula, span: Span, content: Content) -> FormulaId {
        self.nodes.push(Node { formula, span, content });
        FormulaId((self.nodes.len() - 1) as u32)
    }

    /// A constraint.
    pub fn term(&mut self, term: TermId, span: Span) -> FormulaId {
        self.add(Formula::Term(term), span, Content::Pure)
    }

    /// An application of a predicate.
    pub fn apply(&mut self, atom: Atom, span: Span) -> FormulaId {
        self.atoms.push((atom, span));
        let id = AtomId((self.atoms.len() - 1) as u32);
        self.add(Formula::Atom(id), span, Content::Predicates)
    }

    /// The negation of a formula.
    pub fn not(&mut self, formula: FormulaId, span: Span) -> FormulaId {
        match *self.formula(formula) {
            Formula::Not(inner) => inner,
            _ => {
                let content = self.content(formula);
                self.add(Formula::Not(formula), span, content)
            }
        }
    }

    /// The conjunction of formulas.
    pub fn and(&mut self, parts: Vec<FormulaId>, span: Span) -> FormulaId {
        let content = self.content_of_all(&parts);
        self.add(Formula::And(parts), span, content)
    }

    /// The disjunction of formulas.
    pub fn or(&mut self, parts: Vec<FormulaId>, span: Span) -> FormulaId {
        let content = self.content_of_all(&parts);
        self.add(Formula::Or(parts), span, content)
    }

    /// A quantified formula.
    pub fn quantified(&mut self, universal: bool, variables: Vec<TermId>, body: FormulaId, span: Span) -> FormulaId {
        let content = self.content(body).max(Content::Quantifiers);
        let formula = Formula::Quantified {
            universal,
            variables,
            body,
        };
        self.add(formula, span, content)
    }

    fn content(&self, id: FormulaId) -> Content {
        self.nodes[id.0 as usize].content
    }

    fn content_of_all(&self, parts: &[FormulaId]) -> Content {
        let contents = parts.iter().map(|part| self.content(*part));
        contents.max().unwrap_or(Content::Pure)
    }

    /// The node of a formula.
    pub fn formula(&self, id: FormulaId) -> &Formula {
        &self.nodes[id.0 as usize].formula
    }

    /// Where a formula was written.
    pub fn span(&self, id: FormulaId) -> Span {
        self.nodes[id.0 as usize].span
    }

    /// An application of a predicate and where it was written.
    pub fn atom(&self, id: AtomId) -> &(Atom, Span) {
        &self.atoms[id.0 as usize]
    }

    /// Whether there are neither predicates nor quantifiers in a formula.
    pub fn is_pure(&self, id: FormulaId) -> bool {
        self.content(id) == Content::Pure
    }

    /// Whether there are predicates in a formula.
    pub fn has_predicates(&self, id: FormulaId) -> bool {
        self.content(id) == Content::Predicates
    }

    /// A quantifier, as whether it is universal, with the variables of those like it right inside of it, and what they are about.
    fn quantifier(&self, id: FormulaId) -> Option<(bool, Vec<TermId>, FormulaId)> {
        let (mut kind, mut all, mut current) = (None, Vec::new(), id);
        while let Formula::Quantified {
            universal,
            variables,
            body,
        } = self.formula(current)
        {
            if *kind.get_or_insert(*universal) != *universal {
                break;
            }
            all.extend(variables);
            current = *body;
        }
        Some((kind?, all, current))
    }

    /// Whether a formula, taken with its polarity, is a conjunction; `None` if it is no connective.
    pub fn is_conjunctive(&self, (id, positive): Polar) -> Option<bool> {
        match self.formula(id) {
            Formula::And(_) => Some(positive),
            Formula::Or(_) => Some(!positive),
            _ => None,
        }
    }

    /// The parts of a conjunction or disjunction, nested ones of the same kind taken apart, each part once, in the order
    /// of the text.
    pub fn parts(&self, formula: Polar) -> Vec<Polar> {
        let kind = self.is_conjunctive(formula);
        let (mut parts, mut seen, mut stack) = (Vec::new(), HashSet::new(), vec![formula]);
        while let Some((id, positive)) = stack.pop() {
            if !seen.insert((id, positive)) {
                continue;
            }
            match self.formula(id) {
                Formula::Not(inner) => stack.push((*inner, !positive)),
                Formula::And(children) | Formula::Or(children) if self.is_conjunctive((id, positive)) == kind => {
                    stack.extend(children.iter().rev().map(|child| (*child, positive)));
                }
                _ => parts.push((id, positive)),
            }
        }
        parts
    }

    /// Some predicate inside a formula, or a quantifier around one.
    fn impurity(&self, formula: FormulaId) -> Option<FormulaId> {
        let mut stack = vec![formula];
        while let Some(id) = stack.pop() {
            if !self.has_predicates(id) {
                continue;
            }
            match self.formula(id) {
                Formula::And(children) | Formula::Or(children) => {
                    stack.extend(children.iter().find(|child| self.has_predicates(**child)));
                }
                Formula::Not(inner) => stack.push(*inner),
                _ => return Some(id),
            }
        }
        None
    }
}

impl Reader<'_> {
    /// The term of a formula or of its negation, without quantifiers; an error if there is a predicate inside, or a quantifier
    /// that cannot be eliminated.
    pub fn constraint(&mut self, formula: Polar) -> Checked<TermId> {
        if let Some(culprit) = self.formulas.impurity(formula.0) {
            return Err(self.impure(culprit));
        }
        let mut stack = vec![formula];
        while let Some(&(id, positive)) = stack.last() {
            if self.formulas.constraints.contains_key(&(id, positive)) {
                stack.pop();
                continue;
            }
            let term = match *self.formulas.formula(id) {
                Formula::Term(term) if positive => term,
                Formula::Term(term) => self.program.terms.not(term),
                Formula::Not(inner) => match self.formulas.constraints.get(&(inner, !positive)) {
                    Some(term) => *term,
                    None => {
                        stack.push((inner, !positive));
                        continue;
                    }
                },
                Formula::Quantified { .. } => {
                    if let Some(inner) = self.without_quantifier(id)? {
                        stack.push(inner);
                    }
                    continue;
                }
                _ => {
                    let parts = self.formulas.parts((id, positive));
                    self.charge(1 + parts.len() / 4, self.formulas.span(id))?;
                    let waiting = stack.len();
                    let known = &self.formulas.constraints;
                    // Reversed, so that terms are made in the order of the text.
                    stack.extend(parts.iter().rev().filter(|part| !known.contains_key(*part)));
                    if stack.len() > waiting {
                        continue;
                    }
                    let parts: Vec<TermId> = parts.iter().filter_map(|part| known.get(part).copied()).collect();
                    let sizes = parts.iter().map(|part| self.program.terms.arguments(*part).len());
                    let flattened: usize = sizes.sum();
                    self.charge(flattened / 4, self.formulas.span(id))?;
                    match self.formulas.is_conjunctive((id, positive)) {
                        Some(true) => self.program.terms.and(&parts),
                        _ => self.program.terms.or(&parts),
                    }
                }
            };
            self.formulas.constraints.insert((id, positive), term);
            stack.pop();
        }
        // The loop ends only when the formula itself is known.
        Ok(self.formulas.constraints.get(&formula).copied().unwrap_or(TermId::TRUE))
    }

    /// Enters the constraints that a quantified formula and its negation are, or returns what has to become a constraint before.
    fn without_quantifier(&mut self, id: FormulaId) -> Checked<Option<Polar>> {
        let Some((universal, variables, body)) = self.formulas.quantifier(id) else {
            return Ok(None);
        };
        // What holds for all is what does not fail for any.
        let inner = (body, !universal);
        let Some(term) = self.formulas.constraints.get(&inner).copied() else {
            return Ok(Some(inner));
        };
        let elimination = quantifiers::exists(&mut self.program.terms, &variables, term);
        let span = self.formulas.span(id);
        self.charge(elimination.work, span)?;
        let Some(some) = elimination.formula else {
            return Err(self.quantifier_refused(span));
        };
        let none = self.program.terms.not(some);
        self.formulas.constraints.insert((id, !universal), some);
        self.formulas.constraints.insert((id, universal), none);
        Ok(None)
    }

    fn impure(&mut self, culprit: FormulaId) -> super::problems::Reported {
        let span = self.formulas.span(culprit);
        match self.formulas.formula(culprit) {
            Formula::Atom(_) => self.problems.error(
                span,
                "predicate inside a term",
                "must stand where a clause has its atoms",
            ),
            _ => self.quantifier_refused(span),
        }
    }
}
