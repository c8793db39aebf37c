//! From assertions to clauses. An assertion is refuted by a set of *cubes*, conjunctions of a constraint, atoms that hold and
//! atoms that do not: the disjunctive normal form of its negation, as far as predicates are concerned (disjunctions without
//! predicates stay formulas, and quantifiers that are about no predicate and cannot be moved to the top are eliminated). Each cube is a clause: what holds is its body, what does not is its head. `orientation` makes rules of the
//! clauses.

use super::expression::Expression;
use super::formula::{AtomId, Formula, Polar};
use super::lexer::Span;
use super::problems::{Checked, Reported};
use super::reader::Reader;
use crate::diagnostics::Diagnostic;
use crate::rules::{Atom, PredicateId, Rule};
use crate::terms::{Substitution, TermId};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// Disjunctions of predicates are multiplied out to at most this many clauses.
const MOST_CLAUSES: usize = 4096;

/// A conjunction: one way in which an assertion could fail.
#[derive(Clone, Default, Debug)]
struct Cube {
    constraint: Vec<TermId>,
    body: Vec<AtomId>,
    head: Vec<AtomId>,
}

impl Cube {
    /// The conjunction of two cubes.
    fn and(&self, other: &Cube) -> Cube {
        let mut cube = self.clone();
        cube.constraint.extend(&other.constraint);
        cube.body.extend(&other.body);
        cube.head.extend(&other.head);
        cube
    }

    fn size(&self) -> usize {
        1 + self.constraint.len() + self.body.len() + self.head.len()
    }
}

impl<'a> Reader<'a> {
    /// Adds the rules of an assertion.
    pub fn assertion(&mut self, expression: Expression<'a>) -> Checked<()> {
        self.clauses(expression, false)
    }

    /// Adds the rules of a formula that must not be derivable, as z3's `query` states it.
    pub fn unreachable(&mut self, expression: Expression<'a>) -> Checked<()> {
        self.clauses(expression, true)
    }

    fn clauses(&mut self, expression: Expression<'a>, negated: bool) -> Checked<()> {
        self.formulas.clear();
        self.scope.clear();
        let value = self.value(expression)?;
        let formula = self.formula(value)?;
        let cubes = self.cubes((formula, negated), expression.span)?;
        for cube in cubes.iter() {
            self.add_clause(cube, expression.span)?;
        }
        Ok(())
    }

    /// The cubes of a formula, in the order of the text.
    fn cubes(&mut self, formula: Polar, assertion: Span) -> Checked<Rc<Vec<Cube>>> {
        let mut known: HashMap<Polar, Rc<Vec<Cube>>> = HashMap::new();
        let mut stack = vec![formula];
        while let Some(&(id, positive)) = stack.last() {
            if known.contains_key(&(id, positive)) {
                stack.pop();
                continue;
            }
            let cubes = if self.formulas.is_pure(id) {
                Rc::new(self.constraint_cube(&[(id, positive)], true)?)
            } else {
                match *self.formulas.formula(id) {
                    Formula::Atom(atom) => Rc::new(vec![if positive {
                        Cube {
                            body: vec![atom],
                            ..Cube::default()
                        }
                    } else {
                        Cube {
                            head: vec![atom],
                            ..Cube::default()
                        }
                    }]),
                    Formula::Not(inner) => match known.get(&(inner, !positive)) {
                        Some(cubes) => cubes.clone(),
                        None => {
                            stack.push((inner, !positive));
                            continue;
                        }
                    },
                    Formula::Quantified { universal, .. } if universal == positive => {
                        if self.formulas.has_predicates(id) {
                            let span = self.formulas.span(id);
                            return Err(self.quantifier_refused(span));
                        }
                        Rc::new(self.constraint_cube(&[(id, positive)], true)?)
                    }
                    Formula::Quantified { body, .. } => match known.get(&(body, positive)) {
                        Some(cubes) => cubes.clone(),
                        None => {
                            stack.push((body, positive));
                            continue;
                        }
                    },
                    _ => {
                        let parts = self.formulas.parts((id, positive));
                        self.charge(1 + parts.len() / 4, self.formulas.span(id))?;
                        let waiting = stack.len();
                        let needed = |part: &&Polar| !self.formulas.is_pure(part.0) && !known.contains_key(*part);
                        stack.extend(parts.iter().rev().filter(needed));
                        if stack.len() > waiting {
                            continue;
                        }
                        match self.formulas.is_conjunctive((id, positive)) {
                            Some(true) => Rc::new(self.product(&parts, &known, assertion)?),
                            _ => Rc::new(self.union(&parts, &known, assertion)?),
                        }
                    }
                }
            };
            known.insert((id, positive), cubes);
            stack.pop();
        }
        // The loop ends only when the formula itself is known.
        known.remove(&formula).ok_or(Reported)
    }

    /// The cubes of a conjunction or disjunction of pure formulas: one, or none if the constraint is false.
    fn constraint_cube(&mut self, parts: &[Polar], conjunction: bool) -> Checked<Vec<Cube>> {
        let mut terms = Vec::with_capacity(parts.len());
        for part in parts {
            terms.push(self.constraint(*part)?);
        }
        if !conjunction {
            terms = vec![self.program.terms.or(&terms)];
        }
        if terms.contains(&TermId::FALSE) {
            return Ok(Vec::new());
        }
        terms.retain(|term| *term != TermId::TRUE);
        Ok(vec![Cube {
            constraint: terms,
            ..Cube::default()
        }])
    }

    fn product(
        &mut self,
        parts: &[Polar],
        known: &HashMap<Polar, Rc<Vec<Cube>>>,
        assertion: Span,
    ) -> Checked<Vec<Cube>> {
        let mut product = vec![Cube::default()];
        for part in parts {
            let factor = match known.get(part) {
                Some(cubes) => cubes.clone(),
                None => Rc::new(self.constraint_cube(&[*part], true)?),
            };
            if let ([only], false) = (&factor[..], product.is_empty()) {
                // The usual case; extending in place keeps long conjunctions linear.
                self.charge(product.len() * only.size(), assertion)?;
                for cube in &mut product {
                    cube.constraint.extend(&only.constraint);
                    cube.body.extend(&only.body);
                    cube.head.extend(&only.head);
                }
                continue;
            }
            if product.len().saturating_mul(factor.len()) > MOST_CLAUSES {
                return Err(self.too_many_clauses(assertion));
            }
            let mut next = Vec::with_capacity(product.len() * factor.len());
            for left in &product {
                for right in factor.iter() {
                    self.charge(left.size() + right.size(), assertion)?;
                    next.push(left.and(right));
                }
            }
            product = next;
        }
        Ok(product)
    }

    fn union(&mut self, parts: &[Polar], known: &HashMap<Polar, Rc<Vec<Cube>>>, assertion: Span) -> Checked<Vec<Cube>> {
        let pure: Vec<Polar> = parts
            .iter()
            .filter(|part| self.formulas.is_pure(part.0))
            .copied()
            .collect();
        let mut cubes = if pure.is_empty() {
            Vec::new()
        } else {
            self.constraint_cube(&pure, false)?
        };
        for part in parts {
            let more = known.get(part).map_or(&[][..], |cubes| &cubes[..]);
            self.charge(more.iter().map(Cube::size).sum(), assertion)?;
            cubes.extend_from_slice(more);
        }
        Ok(cubes)
    }

    fn too_many_clauses(&mut self, assertion: Span) -> Reported {
        let message = format!("this assertion amounts to more than {MOST_CLAUSES} clauses");
        let label = "too many combinations of predicates";
        let error = Diagnostic::error(assertion.range(), message, label);
        self.problems.report(
            error
                .unsupported()
                .help("name the disjunctions that hold predicates by predicates of their own"),
        )
    }

    /// Adds the clause of a cube, unless the cube is impossible.
    fn add_clause(&mut self, cube: &Cube, assertion: Span) -> Checked<()> {
        let Some(constraint) = self.conjuncts(cube, assertion)? else {
            return Ok(());
        };
        let head = self.single(&cube.head, assertion)?;
        let mut body: Vec<Atom> = Vec::with_capacity(cube.body.len());
        for atom in &cube.body {
            let (atom, _) = self.formulas.atom(*atom);
            if !body.contains(atom) {
                body.push(atom.clone());
            }
        }
        if head.as_ref().is_some_and(|head| body.contains(head)) {
            return Ok(());
        }
        let clause = Rule {
            head: head.unwrap_or(Atom {
                predicate: PredicateId::ERROR,
                arguments: Vec::new(),
            }),
            constraint,
            body,
            location: Some(self.location(assertion)),
        };
        let clause = self.with_own_variables(clause);
        self.clauses.push((clause, assertion));
        Ok(())
    }

    /// The clause with variables no earlier one has: the clauses of one assertion share theirs, as do rules that use
    /// `declare-var`.
    fn with_own_variables(&mut self, mut rule: Rule) -> Rule {
        let terms = &mut self.program.terms;
        let mut everything = rule.constraint.clone();
        for atom in rule.body.iter().chain([&rule.head]) {
            everything.extend(&atom.arguments);
        }
        let variables = terms.variables_of_all(&everything);
        let mut renaming = Substitution::new();
        if variables.iter().any(|variable| self.used_variables.contains(variable)) {
            // All of them, so that their order stays that of the text.
            for variable in variables {
                let (name, sort) = (terms.variable_name(variable).to_string(), terms.sort(variable));
                let renamed = terms.fresh_variable(&name, sort);
                self.used_variables.insert(renamed);
                renaming.insert(terms, variable, renamed);
            }
        } else {
            self.used_variables.extend(variables);
        }
        if !renaming.is_empty() {
            rule.constraint = terms.substitute_all(&rule.constraint, &renaming);
            for atom in rule.body.iter_mut().chain([&mut rule.head]) {
                atom.arguments = terms.substitute_all(&atom.arguments, &renaming);
            }
        }
        rule
    }

    /// The conjuncts of a cube, each once, in the order of the text; `None` if they contradict each other on their face.
    fn conjuncts(&mut self, cube: &Cube, assertion: Span) -> Checked<Option<Vec<TermId>>> {
        let mut conjuncts = Vec::with_capacity(cube.constraint.len());
        let mut seen = HashSet::new();
        for part in &cube.constraint {
            for conjunct in self.program.terms.conjuncts(*part) {
                if seen.insert(conjunct) {
                    conjuncts.push(conjunct);
                }
            }
        }
        self.charge(conjuncts.len(), assertion)?;
        let possible = self.program.terms.and(&conjuncts) != TermId::FALSE;
        Ok(possible.then_some(conjuncts))
    }

    /// The one atom of a head, if there is one; several different ones are refused.
    fn single(&mut self, atoms: &[AtomId], assertion: Span) -> Checked<Option<Atom>> {
        let Some((first, rest)) = atoms.split_first() else {
            return Ok(None);
        };
        let (atom, place) = self.formulas.atom(*first).clone();
        let Some(other) = rest.iter().find(|other| self.formulas.atom(**other).0 != atom) else {
            return Ok(Some(atom));
        };
        let (other, other_place) = self.formulas.atom(*other).clone();
        let names = [&atom, &other].map(|atom| self.program.predicate(atom.predicate).name.clone());
        let message = "not a Horn clause: more than one predicate in the conclusion";
        let label = format!("`{}` may hold instead", names[1]);
        let note = format!("`{}` may hold", names[0]);
        let help = "a clause concludes one predicate or `false`";
        // Macros put atoms into assertions from elsewhere; then the assertion is what to point at.
        let inside = |place: Span| assertion.start <= place.start && place.end <= assertion.end;
        let error = if inside(place) && inside(other_place) {
            Diagnostic::error(other_place.range(), message, label).related(place.range(), note)
        } else {
            Diagnostic::error(assertion.range(), message, format!("{note}, {label}"))
        };
        Err(self.problems.report(error.help(help)))
    }

    /// The error for a quantifier whose variables cannot be variables of a rule.
    pub fn quantifier_refused(&mut self, span: Span) -> Reported {
        let error = Diagnostic::error(
            span.range(),
            "quantifier inside a clause",
            "cannot be moved to the top of the clause",
        );
        self.problems.report(error.help(
            "a clause may bind variables by `forall` around it, or by `exists` around a part of its body that is not negated",
        ))
    }
}
