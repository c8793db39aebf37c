//! What is known of a program's relations: which of them are functions, and what is claimed of their parameters.

use super::definition;
use super::extraction::{self, Mode, Wanted};
use super::prover::{Prover, Stop};
use super::ways::{self, ways};
use crate::engine::StopReason;
use crate::evidence::can_be_quoted;
use crate::relations::{Clause, NodeId, System};
use crate::rules::Program;
use crate::steps::equations::solve;
use crate::terms::{FunctionId, SortId, Substitution, TermId, Terms};

/// What is known of a program's relations.
pub(super) struct Theory<'a> {
    program: &'a Program,
    system: &'a System,
    pub prover: Prover<'a>,
    modes: Vec<Option<Mode>>,
    /// What holds of each relation's parameters.
    pub claims: Vec<Vec<TermId>>,
}

impl<'a> Theory<'a> {
    pub fn new(program: &'a Program, system: &'a System, terms: Terms, stop: &'a Stop<'a>) -> Theory<'a> {
        Theory {
            program,
            system,
            prover: Prover::new(terms, stop),
            modes: vec![None; system.nodes.len()],
            claims: vec![Vec::new(); system.nodes.len()],
        }
    }

    /// Understands relations as functions, those first that others are defined by.
    pub fn understand(&mut self) -> Result<(), StopReason> {
        for (group, nodes) in components(self.system).into_iter().enumerate() {
            if nodes.iter().any(|node| is_goal(self.system, *node)) {
                continue;
            }
            let group = group as u32;
            self.bound(&nodes)?;
            if let [node] = nodes[..]
                && self.is_known_otherwise(node)?
            {
                continue;
            }
            let mut scored: Vec<(usize, Vec<Wanted>)> = Vec::new();
            for wanted in ways(self.system, &nodes) {
                scored.extend(self.faults(&nodes, &wanted).map(|faults| (faults, wanted)));
            }
            scored.sort_by_key(|(faults, _)| *faults);
            let mut wanted: Vec<Vec<Wanted>> = scored.into_iter().map(|(_, wanted)| wanted).collect();
            // Of a few values to be different is simpler than to be the other one.
            if let [node] = nodes[..] {
                let at = if self.is_recursive(node) { wanted.len() } else { 0 };
                wanted.insert(at, vec![Wanted::Different]);
            }
            let has_parameters = |node: &usize| !self.system.nodes[*node].parameters.is_empty();
            if nodes.iter().all(has_parameters) {
                wanted.push(vec![Wanted::Holds; nodes.len()]);
            }
            for wanted in wanted {
                let is_defined = match (&nodes[..], &wanted[..]) {
                    ([node], [Wanted::Different]) => self.differs(*node)?,
                    _ => self.define(&nodes, &wanted, group)?,
                };
                if is_defined {
                    break;
                }
            }
        }
        Ok(())
    }

    /// How far functions that are wanted are from a program in a language of functions, if there can be such functions.
    fn faults(&mut self, nodes: &[usize], wanted: &[Wanted]) -> Option<usize> {
        // Nothing of these is asked of the solver.
        let mut terms = self.prover.copied_terms();
        let faults = ways::faults(&mut terms, self.system, nodes, wanted, &mut self.modes);
        for node in nodes {
            self.modes[*node] = None;
        }
        faults
    }

    /// Whether the first parameter of a relation is of a recursive datatype.
    fn is_recursive(&self, node: usize) -> bool {
        let first = self.system.nodes[node].parameters.first();
        first.is_some_and(|first| self.prover.terms.is_recursive(self.prover.terms.sort(*first)))
    }

    /// Whether a relation is the function that its predicate is in the other role.
    fn is_known_otherwise(&mut self, node: usize) -> Result<bool, StopReason> {
        // What is reached and what is called go by one name, but need not be one predicate.
        let shape = |node: usize| {
            let of = &self.system.nodes[node];
            let sorts: Vec<SortId> = of.parameters.iter().map(|one| self.prover.terms.sort(*one)).collect();
            (&self.program.predicate(of.predicate).name, sorts)
        };
        let same = (0..self.modes.len())
            .find(|other| *other != node && self.modes[*other].is_some() && shape(*other) == shape(node));
        let Some(same) = same else {
            return Ok(false);
        };
        self.modes[node] = self.modes[same];
        let before = self.claims[node].clone();
        let claim = self.claim(node);
        self.claims[node].extend(claim);
        let holds = self.are_kept(&[node])?;
        if !holds {
            self.modes[node] = None;
            self.claims[node] = before;
        }
        Ok(holds)
    }

    /// Whether a relation of two terms of a sort holds of different ones only.
    fn differs(&mut self, node: usize) -> Result<bool, StopReason> {
        let &[left, right] = &self.system.nodes[node].parameters[..] else {
            return Ok(false);
        };
        if self.prover.terms.sort(left) != self.prover.terms.sort(right) {
            return Ok(false);
        }
        let claim = self.prover.terms.not_equal(left, right);
        self.claims[node].push(claim);
        let holds = self.are_kept(&[node])?;
        match holds {
            true => self.modes[node] = Some(Mode::Different),
            false => self.claims[node].retain(|other| *other != claim),
        }
        Ok(holds)
    }

    /// Defines functions for relations that are defined by each other, if there are any that they are within.
    fn define(&mut self, nodes: &[usize], wanted: &[Wanted], group: u32) -> Result<bool, StopReason> {
        let before = self.prover.copied_terms();
        let claims: Vec<Vec<TermId>> = nodes.iter().map(|node| self.claims[*node].clone()).collect();
        if self.try_define(nodes, wanted, group)? {
            return Ok(true);
        }
        self.prover.forget(before);
        for (node, claims) in nodes.iter().zip(claims) {
            self.modes[*node] = None;
            self.claims[*node] = claims;
        }
        Ok(false)
    }

    fn try_define(&mut self, nodes: &[usize], wanted: &[Wanted], group: u32) -> Result<bool, StopReason> {
        let mut functions = Vec::new();
        for (node, wanted) in nodes.iter().zip(wanted) {
            let of = &self.system.nodes[*node];
            let name = &quotable(&self.program.predicate(of.predicate).name);
            let is_taken = |one: &crate::terms::Function| one.name.split('!').next() == Some(name);
            let name = match self.prover.terms.functions().iter().any(is_taken) {
                true => format!("{name}.{node}"),
                false => name.clone(),
            };
            let mode = extraction::declared(&mut self.prover.terms, &name, &of.parameters, *wanted, group);
            self.modes[*node] = Some(mode);
            if let Mode::Output(_, function) | Mode::Holds(function) = mode {
                functions.push(function);
            }
        }
        let mut all_cases = Vec::new();
        for node in nodes {
            match extraction::cases(&mut self.prover.terms, self.system, *node, &self.modes) {
                Some(cases) => all_cases.push(cases),
                None => return Ok(false),
            }
        }
        if !definition::ends(&mut self.prover, &functions, &all_cases, group)? {
            return Ok(false);
        }
        for node in nodes {
            let claim = self.claim(*node);
            self.claims[*node].extend(claim);
        }
        self.are_kept(nodes)
    }

    /// What a relation's function says of its parameters.
    fn claim(&mut self, node: usize) -> Option<TermId> {
        let parameters = self.system.nodes[node].parameters.clone();
        match self.modes[node]? {
            Mode::Output(output, function) => {
                let given = parameters
                    .iter()
                    .enumerate()
                    .filter(|(position, _)| *position != output);
                let given: Vec<TermId> = given.map(|(_, parameter)| *parameter).collect();
                let value = self.prover.terms.call(function, &given)?;
                Some(self.prover.terms.equal(parameters[output], value))
            }
            Mode::Holds(function) => self.prover.terms.call(function, &parameters),
            Mode::Different => Some(self.prover.terms.not_equal(parameters[0], parameters[1])),
        }
    }

    /// What is claimed of what an implication assumes, and its constraint.
    fn assumed(&mut self, clause: &Clause) -> Vec<TermId> {
        let mut formulas = clause.constraint.clone();
        for premise in &clause.premises {
            let claims = &self.claims[premise.node.0];
            formulas.extend(self.prover.terms.substitute_all(claims, &premise.instance));
        }
        formulas
    }

    /// Whether the implications for relations keep what is claimed of them.
    fn are_kept(&mut self, nodes: &[usize]) -> Result<bool, StopReason> {
        for node in nodes {
            for claim in self.claims[*node].clone() {
                if !self.is_kept(*node, claim)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn is_kept(&mut self, node: usize, claim: TermId) -> Result<bool, StopReason> {
        let system = self.system;
        for clause in &system.nodes[node].clauses {
            let clause = &system.clauses[*clause];
            let mut formulas = self.assumed(clause);
            let concluded = self.prover.terms.substitute(claim, &clause.conclusion.instance);
            formulas.push(self.prover.terms.not(concluded));
            if !self.prover.excludes(formulas)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Claims of integers that they are not negative, where all implications keep that.
    fn bound(&mut self, nodes: &[usize]) -> Result<(), StopReason> {
        for node in nodes {
            for parameter in &self.system.nodes[*node].parameters {
                if self.prover.terms.sort(*parameter) == SortId::INT {
                    let zero = self.prover.terms.integer(0);
                    let claim = self.prover.terms.less_or_equal(zero, *parameter);
                    self.claims[*node].push(claim);
                }
            }
        }
        loop {
            let mut is_stable = true;
            for node in nodes {
                for claim in self.claims[*node].clone() {
                    if !self.is_kept(*node, claim)? {
                        self.claims[*node].retain(|other| *other != claim);
                        is_stable = false;
                    }
                }
            }
            if is_stable {
                return Ok(());
            }
        }
    }

    /// Relations that only say that there is an error have to be empty.
    pub fn deny(&mut self) {
        for node in 0..self.system.nodes.len() {
            let is_error = NodeId(node) == self.system.error;
            if is_goal(self.system, node) && !is_error {
                self.claims[node].push(TermId::FALSE);
            }
        }
    }

    /// What has to be shown of functions so that there is no error.
    pub fn goals(&mut self) -> Vec<TermId> {
        let system = self.system;
        let mut goals = Vec::new();
        for clause in &system.clauses {
            if !is_goal(system, clause.conclusion.node.0) {
                continue;
            }
            let formulas = self.assumed(clause);
            let terms = &mut self.prover.terms;
            let conjuncts: Vec<TermId> = formulas.iter().flat_map(|formula| terms.conjuncts(*formula)).collect();
            let rest = solve(terms, &conjuncts, &|_| false);
            let rest = terms.with_equations_put_in(&rest, &|_, _| true);
            let denied: Vec<TermId> = rest.iter().map(|formula| terms.not(*formula)).collect();
            let goal = terms.or(&denied);
            // Over variables of its own.
            let mut renamed = Substitution::new();
            for variable in terms.variables(goal) {
                let (name, sort) = (terms.variable_name(variable).to_string(), terms.sort(variable));
                let own = terms.fresh_variable(&name, sort);
                renamed.insert(terms, variable, own);
            }
            let goal = terms.substitute(goal, &renamed);
            if goal != TermId::TRUE && !goals.contains(&goal) {
                goals.push(goal);
            }
        }
        goals
    }

    /// The functions whose values are worth being compared: what holds has too few values for equations to say much.
    pub fn results(&self) -> Vec<FunctionId> {
        let mut functions = Vec::new();
        for mode in &self.modes {
            if let Some(Mode::Output(_, function)) = mode
                && !functions.contains(function)
            {
                functions.push(*function);
            }
        }
        functions
    }
}

/// Whether a relation says nothing but that there is an error.
pub(super) fn is_goal(system: &System, node: usize) -> bool {
    NodeId(node) == system.error || system.nodes[node].parameters.is_empty()
}

/// A name without what [could end the quotes](can_be_quoted) around it.
fn quotable(name: &str) -> String {
    let quoted = |c: char| if can_be_quoted(c) { c } else { '_' };
    name.chars().map(quoted).collect()
}

/// The relations that are defined by each other, those first that others are defined by.
pub(super) fn components(system: &System) -> Vec<Vec<usize>> {
    let count = system.nodes.len();
    let mut reaches = vec![vec![false; count]; count];
    for clause in &system.clauses {
        for premise in &clause.premises {
            reaches[clause.conclusion.node.0][premise.node.0] = true;
        }
    }
    for middle in 0..count {
        for from in 0..count {
            if reaches[from][middle] {
                let further = reaches[middle].clone();
                for (own, other) in reaches[from].iter_mut().zip(further) {
                    *own |= other;
                }
            }
        }
    }
    let mut done = vec![false; count];
    let mut found = Vec::new();
    while let Some(next) = (0..count).find(|node| {
        let is_ready = |other: &usize| done[*other] || !reaches[*node][*other] || reaches[*other][*node];
        !done[*node] && (0..count).all(|other| is_ready(&other))
    }) {
        let together: Vec<usize> = (0..count)
            .filter(|other| *other == next || reaches[next][*other] && reaches[*other][next])
            .collect();
        for node in &together {
            done[*node] = true;
        }
        found.push(together);
    }
    found
}
