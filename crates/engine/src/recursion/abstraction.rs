//! Linear rules that have a derivation wherever the program has one: one atom of each body is followed, and in the place of the
//! others are their summaries.

use crate::rules::{Atom, DependencyGraph, PredicateId, Program, Rule, RuleId, until_error};
use crate::terms::{Substitution, TermId, Terms};
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// What is known of calls that have come back: conjuncts over the parameters of each predicate.
#[derive(Clone, Debug)]
pub(super) struct Summaries {
    /// The conjuncts, by predicate.
    pub conjuncts: Vec<Vec<TermId>>,
}

impl Summaries {
    /// Nothing is known.
    pub fn new(program: &Program) -> Summaries {
        Summaries {
            conjuncts: vec![Vec::new(); program.predicates().len()],
        }
    }

    /// How much is known.
    pub fn size(&self) -> usize {
        self.conjuncts.iter().map(Vec::len).sum()
    }

    /// What is known of the arguments of an atom.
    pub fn of(&self, program: &Program, terms: &mut Terms, atom: &Atom) -> Vec<TermId> {
        instance(program, terms, atom, &self.conjuncts[atom.predicate.index()])
    }
}

/// Formulas over a predicate's parameters, about the arguments of an atom.
pub(super) fn instance(program: &Program, terms: &mut Terms, atom: &Atom, formulas: &[TermId]) -> Vec<TermId> {
    let parameters = &program.predicate(atom.predicate).parameters;
    let substitution = Substitution::of(terms, parameters, &atom.arguments);
    terms.substitute_all(formulas, &substitution)
}

/// Where a rule of an abstraction comes from.
pub(super) struct Origin {
    /// The rule of the program.
    pub rule: RuleId,
    /// The position of the atom that is followed; facts have none.
    pub followed: Option<usize>,
    /// How many atoms of the body have come back, but for the one followed.
    pub assumed: usize,
    /// The program's variables, and those in their place.
    pub variables: Vec<(TermId, TermId)>,
}

/// Linear rules, and where each comes from; the query that a question begins with comes from nowhere.
pub(super) struct Abstraction {
    /// The rules; the predicates are the program's.
    pub program: Program,
    /// Their origins, in order.
    pub origins: Vec<Option<Origin>>,
    /// The predicates that the question is about: the one asked about, and those it needs.
    pub concerned: Vec<PredicateId>,
}

/// The question whether the error can be reached.
pub(super) fn of_error(
    program: &Program,
    graph: &DependencyGraph,
    summaries: &Summaries,
    terms: &Terms,
) -> Abstraction {
    let mut builder = Builder::new(program, summaries, terms);
    for (index, rule) in program.rules().iter().enumerate() {
        let body = until_error(&rule.body);
        for (position, atom) in body.iter().enumerate() {
            if graph.reaches_error(atom.predicate) || atom.predicate == PredicateId::ERROR {
                let known = builder.known(&body[..position]);
                builder.add(RuleId::from_index(index), Some(position), position, known);
            }
        }
    }
    builder.abstraction
}

/// The question whether a predicate can come back with arguments that satisfy a condition over its parameters. `doubtful` are
/// conditions under which calls are followed rather than replaced by their summaries, where there is a choice.
pub(super) fn of_success(
    program: &Program,
    graph: &DependencyGraph,
    summaries: &Summaries,
    terms: &Terms,
    (predicate, condition): (PredicateId, &[TermId]),
    doubtful: &BTreeMap<PredicateId, TermId>,
) -> Abstraction {
    let mut builder = Builder::new(program, summaries, terms);
    builder.start(predicate, condition);
    let mut seen: HashSet<PredicateId> = HashSet::from([predicate]);
    let mut waiting = vec![predicate];
    while let Some(called) = waiting.pop() {
        builder.abstraction.concerned.push(called);
        for id in program.rules_of(called) {
            let body = &program.rule(*id).body;
            // No call comes back from the error.
            if body.iter().any(|atom| atom.predicate == PredicateId::ERROR) {
                continue;
            }
            builder.add_success(graph, *id, doubtful);
            waiting.extend(body.iter().map(|atom| atom.predicate).filter(|next| seen.insert(*next)));
        }
    }
    builder.abstraction
}

struct Builder<'a> {
    original: &'a Program,
    summaries: &'a Summaries,
    abstraction: Abstraction,
}

impl<'a> Builder<'a> {
    fn new(original: &'a Program, summaries: &'a Summaries, terms: &Terms) -> Builder<'a> {
        let mut program = original.without_rules();
        program.terms = terms.clone();
        Builder {
            original,
            summaries,
            abstraction: Abstraction {
                program,
                origins: Vec::new(),
                concerned: Vec::new(),
            },
        }
    }

    fn terms(&mut self) -> &mut Terms {
        &mut self.abstraction.program.terms
    }

    /// What the summaries say about atoms.
    fn known(&mut self, atoms: &[Atom]) -> Vec<TermId> {
        let terms = &mut self.abstraction.program.terms;
        let known = atoms
            .iter()
            .flat_map(|atom| self.summaries.of(self.original, terms, atom));
        known.collect()
    }

    /// Adds the query that calls a predicate under a condition.
    fn start(&mut self, predicate: PredicateId, condition: &[TermId]) {
        let parameters = self.original.predicate(predicate).parameters.clone();
        let terms = self.terms();
        let arguments: Vec<TermId> = parameters
            .iter()
            .map(|parameter| {
                let name = terms.variable_name(*parameter).to_string();
                terms.fresh_variable(&name, terms.sort(*parameter))
            })
            .collect();
        let atom = Atom { predicate, arguments };
        let constraint = instance(self.original, &mut self.abstraction.program.terms, &atom, condition);
        self.abstraction.program.add_query(constraint, atom, None);
        self.abstraction.origins.push(None);
    }

    /// Adds what becomes of a rule where it is asked whether a call can come back.
    fn add_success(&mut self, graph: &DependencyGraph, id: RuleId, doubtful: &BTreeMap<PredicateId, TermId>) {
        let rule = self.original.rule(id);
        let mut known = self.known(&rule.body);
        let head = rule.head.predicate;
        if rule.body.is_empty() {
            self.add(id, None, 0, known);
            return;
        }
        for (position, atom) in rule.body.iter().enumerate() {
            let Some(condition) = doubtful.get(&atom.predicate) else {
                continue;
            };
            let holds = instance(self.original, &mut self.abstraction.program.terms, atom, &[*condition]);
            self.add(id, Some(position), rule.body.len(), [&known[..], &holds].concat());
            let fails = holds.into_iter().map(|holds| self.abstraction.program.terms.not(holds));
            known.extend(fails);
        }
        // None is doubtful: any will do. One that recurs is more likely to say something.
        let recurs = |atom: &Atom| graph.same_loop(head, atom.predicate);
        let position = rule.body.iter().rposition(recurs).unwrap_or(rule.body.len() - 1);
        self.add(id, Some(position), rule.body.len(), known);
    }

    /// Adds a rule in which only one atom is followed, with variables of its own. Where none is, the call has come back, which
    /// is the error here.
    fn add(&mut self, id: RuleId, followed: Option<usize>, assumed: usize, known: Vec<TermId>) {
        let rule = self.original.rule(id);
        let next = match followed {
            Some(position) => rule.body[position].clone(),
            None => Atom {
                predicate: PredicateId::ERROR,
                arguments: Vec::new(),
            },
        };
        let constraint: Vec<TermId> = rule.constraint.iter().copied().chain(known).collect();
        if constraint.contains(&TermId::FALSE) {
            return;
        }
        let roots: Vec<TermId> = [&rule.head.arguments[..], &constraint, &next.arguments].concat();
        let terms = self.terms();
        let mut renaming = Substitution::new();
        let mut variables = Vec::new();
        for variable in terms.variables_of_all(&roots) {
            let name = terms.variable_name(variable).to_string();
            let fresh = terms.fresh_variable(&name, terms.sort(variable));
            renaming.insert(terms, variable, fresh);
            variables.push((variable, fresh));
        }
        let renamed = Rule {
            head: Atom {
                predicate: rule.head.predicate,
                arguments: terms.substitute_all(&rule.head.arguments, &renaming),
            },
            constraint: terms.substitute_all(&constraint, &renaming),
            body: vec![Atom {
                predicate: next.predicate,
                arguments: terms.substitute_all(&next.arguments, &renaming),
            }],
            location: rule.location,
        };
        self.abstraction.program.add_rule(renamed);
        self.abstraction.origins.push(Some(Origin {
            rule: id,
            followed,
            assumed,
            variables,
        }));
    }
}
