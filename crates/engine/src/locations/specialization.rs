//! One rule where it is known which of the formulas hold that say where its head is: which of them can hold in the next goal, and
//! what the rule says for each of these steps.

use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::solver::{Answer, QuestionSolver};
use crate::steps::composition::Part;
use crate::terms::{Operator, Substitution, TermId, Terms, Theory, Value};
use hashbrown::HashSet;

/// What one rule says of one step from known values to known values.
pub(super) struct Case {
    /// The rule's constraint, over variables of its own.
    pub constraint: Vec<TermId>,
    /// What is left of the head's arguments.
    pub head: Vec<TermId>,
    /// The predicate of its body, what is left of its arguments, and the values of the others; none where the derivation ends.
    pub body: Option<(PredicateId, Vec<TermId>, Vec<bool>)>,
    /// The rule that it is a case of.
    pub part: Part,
}

/// What splitting a rule may cost.
pub(super) struct Limits {
    /// Z3's units for one question.
    pub resources: u32,
    /// How many values may follow one another in one rule.
    pub followers: usize,
}

/// What says where a run is.
pub(super) struct Control<'p> {
    /// The program.
    pub program: &'p Program,
    /// For each predicate formulas over its parameters; those that are parameters say nothing else.
    pub formulas: Vec<Vec<TermId>>,
}

impl Control<'_> {
    /// The formulas of a predicate with these arguments, and the arguments that say something else.
    pub fn divided(
        &self,
        terms: &mut Terms,
        predicate: PredicateId,
        arguments: &[TermId],
    ) -> (Vec<TermId>, Vec<TermId>) {
        let parameters = &self.program.predicate(predicate).parameters;
        let control = self.formulas.get(predicate.index()).map_or(&[][..], Vec::as_slice);
        let instance = Substitution::of(terms, parameters, arguments);
        let others = parameters.iter().zip(arguments);
        let others = others.filter(|(parameter, _)| !control.contains(parameter));
        let others = others.map(|(_, argument)| *argument).collect();
        (terms.substitute_all(control, &instance), others)
    }
}

/// The steps of a rule at this position from where these formulas of its head's hold or not, and the work of finding them. `None` if
/// there are too many, or a question was not answered.
pub(super) fn cases(
    terms: &mut Terms,
    control: &Control<'_>,
    (position, rule): (usize, &Rule),
    values: &[bool],
    limits: &Limits,
    work: &mut u64,
) -> Option<Vec<Case>> {
    let mut of_head = Known::default();
    let (fixed, head) = control.divided(terms, rule.head.predicate, &rule.head.arguments);
    of_head.fix(terms, &fixed, values);
    let Some(constraint) = of_head.applied(terms, &rule.constraint) else {
        return Some(Vec::new());
    };
    let (asked, others) = match rule.body.first() {
        Some(atom) => control.divided(terms, atom.predicate, &atom.arguments),
        None => (Vec::new(), Vec::new()),
    };
    let asked = terms.substitute_all(&asked, &of_head.substitution);
    let followers = followers(terms, &constraint, &asked, limits, work)?;
    let mut cases = Vec::with_capacity(followers.len());
    for next in followers {
        let mut known = of_head.clone();
        known.fix(terms, &asked, &next);
        let Some(constraint) = known.applied(terms, &constraint) else {
            continue;
        };
        cases.push(case(
            terms,
            (position, rule),
            &known,
            constraint,
            (&head, &others),
            next,
        ));
    }
    Some(cases)
}

/// The case with variables of its own.
fn case(
    terms: &mut Terms,
    (position, rule): (usize, &Rule),
    known: &Known,
    constraint: Vec<TermId>,
    (head, others): (&[TermId], &[TermId]),
    next: Vec<bool>,
) -> Case {
    let atoms = std::iter::once(&rule.head).chain(&rule.body);
    let mentioned = atoms.flat_map(|atom: &Atom| &atom.arguments).chain(&rule.constraint);
    let variables = terms.variables_of_all(&mentioned.copied().collect::<Vec<_>>());
    let mut renaming = known.substitution.clone();
    for variable in variables.iter().copied() {
        if renaming.get(variable).is_none() {
            let (name, sort) = (terms.variable_name(variable).to_string(), terms.sort(variable));
            let fresh = terms.fresh_variable(&name, sort);
            renaming.insert(terms, variable, fresh);
        }
    }
    let own = |terms: &mut Terms, formulas: &[TermId]| terms.substitute_all(formulas, &renaming);
    Case {
        constraint: own(terms, &constraint),
        head: own(terms, head),
        body: rule.body.first().map(|atom| (atom.predicate, own(terms, others), next)),
        part: Part {
            rule: position,
            variables: variables
                .into_iter()
                .map(|variable| (variable, terms.substitute(variable, &renaming)))
                .collect(),
        },
    }
}

/// All values that these formulas can have together where the constraint holds.
fn followers(
    terms: &mut Terms,
    constraint: &[TermId],
    asked: &[TermId],
    limits: &Limits,
    work: &mut u64,
) -> Option<Vec<Vec<bool>>> {
    let theory = Theory::of(terms, constraint.iter().chain(asked).copied());
    let variables = terms.variables_of_all(asked);
    let mut solver = QuestionSolver::new(theory, limits.resources);
    for formula in constraint {
        solver.assert(terms, *formula);
    }
    let mut found = Vec::new();
    loop {
        let answer = solver.check(terms, &[]);
        match answer {
            Answer::Unsatisfiable => break,
            Answer::Unknown => return None,
            Answer::Satisfiable if found.len() >= limits.followers => return None,
            Answer::Satisfiable => {}
        }
        let model = solver.model(terms, &variables)?;
        let mut values = Vec::with_capacity(asked.len());
        let mut differs = Vec::with_capacity(asked.len());
        for formula in asked {
            let Value::Bool(value) = terms.evaluate(*formula, &model)? else {
                return None;
            };
            values.push(value);
            differs.push(if value { terms.not(*formula) } else { *formula });
        }
        found.push(values);
        let differs = terms.or(&differs);
        solver.assert(terms, differs);
    }
    *work += solver.work();
    // The order in which models are met says nothing.
    found.sort();
    Some(found)
}

/// What is known of the formulas that say where a rule's head and its body are.
#[derive(Clone, Default)]
struct Known {
    /// Of those that are variables.
    substitution: Substitution,
    /// Of the others: formulas that hold.
    formulas: Vec<TermId>,
}

impl Known {
    /// Adds which of these formulas hold.
    fn fix(&mut self, terms: &mut Terms, formulas: &[TermId], values: &[bool]) {
        for (formula, value) in formulas.iter().zip(values) {
            let formula = terms.substitute(*formula, &self.substitution);
            let constant = terms.boolean(*value);
            if terms.is_variable(formula) {
                self.substitution.insert(terms, formula, constant);
            } else {
                self.formulas.push(if *value { formula } else { terms.not(formula) });
            }
        }
    }

    /// The constraint with what is known put in, and made simpler; `None` if it is false then.
    fn applied(&self, terms: &mut Terms, constraint: &[TermId]) -> Option<Vec<TermId>> {
        let all: Vec<TermId> = constraint.iter().chain(&self.formulas).copied().collect();
        let all = terms.substitute_all(&all, &self.substitution);
        decided(terms, &all)
    }
}

/// The conjuncts, those that are disjunctions last and without what the others exclude; `None` if one of them is false.
fn decided(terms: &mut Terms, formulas: &[TermId]) -> Option<Vec<TermId>> {
    let (mut facts, mut holds) = (Vec::new(), HashSet::new());
    let mut waiting: Vec<TermId> = Vec::new();
    for formula in formulas {
        waiting.extend(terms.conjuncts(*formula));
    }
    loop {
        let mut open = Vec::with_capacity(waiting.len());
        for formula in &waiting {
            if terms.operator(*formula) != Operator::Or {
                if holds.insert(*formula) {
                    facts.push(*formula);
                }
                continue;
            }
            let mut disjuncts = terms.arguments(*formula).to_vec();
            if disjuncts.iter().any(|disjunct| holds.contains(disjunct)) {
                continue;
            }
            disjuncts.retain(|disjunct| {
                let mut parts = terms.conjuncts(*disjunct).into_iter();
                !parts.any(|part| holds.contains(&terms.not(part)))
            });
            let left = terms.or(&disjuncts);
            open.extend(terms.conjuncts(left));
        }
        if holds.contains(&TermId::FALSE) {
            return None;
        }
        if open == waiting {
            facts.extend(open);
            return Some(facts);
        }
        waiting = open;
    }
}
