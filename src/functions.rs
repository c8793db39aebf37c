//! Relations that are functions: what a call comes back with as a function of what it was given, and what is proved of such functions
//! by induction.
//!
//! Rules over lists, trees and numbers made of constructors are mostly programs in a language of functions, written as relations: `append`
//! has one result for each two lists. Here each relation that the error depends on is understood as a function, if it can be ([`extraction`]), and
//! that it is within that function is proved rule by rule. Then the error says that some terms differ, or that something holds of them, and what
//! excludes it is a statement about functions, which is proved by induction along the structure of what it is about. Where the statement alone
//! is not enough, lemmas are looked for ([`proof`]): equations between terms that hold on samples ([`exploration`]), from small ones to
//! larger ones, each proved by induction with those before it.
//!
//! The certificate says of each call that its result is the function's, defines the functions, and has the lemmas; the checker proves
//! that the recursion of each function ends, each lemma, and each rule. The seeds have no such step. To explore theories from small equations to
//! larger ones is known from programs that prove properties of functional programs (Claessen, Johansson, Rosén and Smallbone 2013).
//!
//! ```
//! use clausal::engine::{Options, Verdict};
//!
//! // The reverse of a reversed list is the list.
//! let source = "(set-logic HORN)
//!     (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
//!     (declare-fun append (list list list) Bool)
//!     (declare-fun reverse (list list) Bool)
//!     (assert (forall ((Y list)) (append nil Y Y)))
//!     (assert (forall ((H Int) (X list) (Y list) (Z list)) (=> (append X Y Z) (append (cons H X) Y (cons H Z)))))
//!     (assert (reverse nil nil))
//!     (assert (forall ((H Int) (X list) (Y list) (Z list))
//!         (=> (and (reverse X Y) (append Y (cons H nil) Z)) (reverse (cons H X) Z))))
//!     (assert (forall ((X list) (Y list) (Z list)) (=> (and (reverse X Y) (reverse Y Z) (not (= X Z))) false)))";
//! let program = clausal::horn::read_with_calls(source).product.expect("a well-formed text");
//! let outcome = clausal::functions::verify(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

mod exploration;
mod extraction;
mod proof;
mod prover;

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, StopReason, Verdict};
use crate::evidence::{CheckError, CheckLimits, can_be_quoted, check_certificate};
use crate::relations::{Clause, Equations, NodeId, Pools, System};
use crate::rules::Program;
use crate::solver::with_interrupts;
use crate::steps::budget::BudgetWatch;
use crate::steps::equations::solve;
use crate::terms::{FunctionId, SortId, Substitution, TermId, Terms};
use extraction::{Case, Mode, Wanted};
use prover::{Prover, Stop};

/// Programs of more relations are not looked at.
const MOST_NODES: usize = 80;

/// Verifies that no query of the program derives the error, by what calls give back as functions of what they are given. The answer is
/// *safe* or unknown.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    let terms = &program.terms;
    if !terms.datatypes().iter().any(|one| terms.is_recursive(one.sort)) {
        return Outcome::unknown(StopReason::NotSupported(
            "programs without recursive datatypes, by functions".to_string(),
        ));
    }
    let run = || {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        let verdict = with_interrupts(&budget, || verified(program, options, &budget));
        let mut outcome = Outcome::unknown(StopReason::Cancelled);
        outcome.statistics.seconds = budget.seconds();
        outcome.verdict = verdict.unwrap_or_else(Verdict::Unknown);
        outcome
    };
    on_deep_stack(run).unwrap_or_else(engine::failed)
}

fn verified(program: &Program, options: &Options, budget: &BudgetWatch<'_>) -> Result<Verdict, StopReason> {
    let stop = |work: u64| {
        budget.advance(work);
        budget.exhausted(0, 0)
    };
    let mut terms = program.terms.clone();
    let system = System::new(program, &mut terms, Equations::Solved);
    if system.nodes.len() > MOST_NODES {
        return Err(unsupported("programs of many predicates"));
    }
    let pools = Pools::new(&terms, &system);
    let mut theory = Theory::new(program, &system, terms, &stop);
    theory.understand()?;
    theory.deny();
    let (goals, results) = (theory.goals(), theory.results());
    if !proof::follow(&mut theory.prover, goals, &results, &pools)? {
        return Err(unsupported("what does not follow from lemmas about functions"));
    }
    let invariant = |NodeId(node): NodeId| theory.claims[node].clone();
    let mut certificate = system.certificate(&theory.prover.terms, &invariant);
    certificate.lemmas = theory.prover.lemmas;
    let limits = CheckLimits {
        query_resources: options.budget.query_resources,
        watch: Some(budget),
    };
    match check_certificate(program, &certificate, limits) {
        Ok(_) => Ok(Verdict::Safe(certificate)),
        Err(CheckError::Cancelled) => Err(budget.interruption().unwrap_or(StopReason::Cancelled)),
        Err(error) => Err(StopReason::SolverGaveUp(format!("checking the certificate: {error}"))),
    }
}

fn unsupported(what: &str) -> StopReason {
    StopReason::NotSupported(format!("{what}, by functions"))
}

/// What is known of a program's relations.
struct Theory<'a> {
    program: &'a Program,
    system: &'a System,
    prover: Prover<'a>,
    modes: Vec<Option<Mode>>,
    /// What holds of each relation's parameters.
    claims: Vec<Vec<TermId>>,
}

impl<'a> Theory<'a> {
    fn new(program: &'a Program, system: &'a System, terms: Terms, stop: &'a Stop<'a>) -> Theory<'a> {
        Theory {
            program,
            system,
            prover: Prover::new(terms, stop),
            modes: vec![None; system.nodes.len()],
            claims: vec![Vec::new(); system.nodes.len()],
        }
    }

    /// Understands relations as functions, those first that others are defined by.
    fn understand(&mut self) -> Result<(), StopReason> {
        for (group, nodes) in components(self.system).into_iter().enumerate() {
            if nodes.iter().any(|node| self.is_goal(*node)) {
                continue;
            }
            let group = group as u32;
            self.bound(&nodes)?;
            if let [node] = nodes[..]
                && self.is_known_otherwise(node)?
            {
                continue;
            }
            let arities: Vec<usize> = nodes
                .iter()
                .map(|node| self.system.nodes[*node].parameters.len())
                .collect();
            let least = arities.iter().copied().min().unwrap_or(0);
            let mut wanted: Vec<Vec<Wanted>> = Vec::new();
            if least > 1 {
                wanted.push(vec![Wanted::Output(0); nodes.len()]);
                wanted.push(arities.iter().map(|arity| Wanted::Output(arity - 1)).collect());
                if let [arity] = arities[..] {
                    wanted.extend((1..arity - 1).map(|position| vec![Wanted::Output(position)]));
                }
            }
            let mut scored: Vec<(usize, Vec<Wanted>)> = Vec::new();
            for wanted in wanted {
                scored.extend(self.checks(&nodes, &wanted).map(|checks| (checks, wanted)));
            }
            scored.sort_by_key(|(checks, _)| *checks);
            let mut wanted: Vec<Vec<Wanted>> = scored.into_iter().map(|(_, wanted)| wanted).collect();
            // Of a few values to be different is simpler than to be the other one.
            if let [node] = nodes[..] {
                let at = if self.is_recursive(node) { wanted.len() } else { 0 };
                wanted.insert(at, vec![Wanted::Different]);
            }
            if least > 0 {
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

    /// How many checks there are in the cases of functions that are wanted, if there can be such functions.
    fn checks(&mut self, nodes: &[usize], wanted: &[Wanted]) -> Option<usize> {
        let before = self.prover.terms.clone();
        let mut all = Some(0);
        for (node, wanted) in nodes.iter().zip(wanted) {
            let parameters = &self.system.nodes[*node].parameters;
            self.modes[*node] = Some(extraction::declared(&mut self.prover.terms, "", parameters, *wanted, 0));
        }
        for node in nodes {
            let cases = extraction::cases(&mut self.prover.terms, self.system, *node, &self.modes);
            let checks = cases.map(|cases| extraction::checks(&self.prover.terms, &cases));
            all = all.zip(checks).map(|(all, checks)| all + checks);
        }
        for node in nodes {
            self.modes[*node] = None;
        }
        // Nothing of these has been asked of the solver.
        self.prover.terms = before;
        all
    }

    /// Whether the first parameter of a relation is of a recursive datatype.
    fn is_recursive(&self, node: usize) -> bool {
        let first = self.system.nodes[node].parameters.first();
        first.is_some_and(|first| self.prover.terms.is_recursive(self.prover.terms.sort(*first)))
    }

    /// Whether a relation says nothing but that there is an error.
    fn is_goal(&self, node: usize) -> bool {
        NodeId(node) == self.system.error || self.system.nodes[node].parameters.is_empty()
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
        let before = self.prover.terms.clone();
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
        if !self.ends(&functions, all_cases, group)? {
            return Ok(false);
        }
        for node in nodes {
            let claim = self.claim(*node);
            self.claims[*node].extend(claim);
        }
        self.are_kept(nodes)
    }

    /// Defines functions so that their recursion ends, if it does; or else so that it ends where numbers are negative, where what is
    /// derived needs them not to be.
    fn ends(&mut self, functions: &[FunctionId], all_cases: Vec<Vec<Case>>, group: u32) -> Result<bool, StopReason> {
        let mut ranks = Vec::new();
        for function in functions {
            let parameters = self.prover.terms.functions()[function.index()].parameters.clone();
            ranks.push(extraction::ranks(&mut self.prover.terms, &parameters));
        }
        let mut are_exhaustive = Vec::new();
        for cases in &all_cases {
            let mut open = Vec::new();
            for case in cases {
                let holds = self.prover.terms.and(&case.conditions);
                open.push(self.prover.terms.not(holds));
            }
            are_exhaustive.push(self.prover.excludes(open)?);
        }
        // One without recursion needs no rank.
        let most = ranks.iter().map(Vec::len).max().unwrap_or(0).max(1);
        // It is simpler to leave the condition of the last case out, but harder to see then that recursion ends.
        for is_short in [true, false] {
            if is_short && !are_exhaustive.contains(&true) {
                continue;
            }
            let mut bodies = Vec::new();
            for (cases, is_exhaustive) in all_cases.iter().zip(&are_exhaustive) {
                match extraction::body(&mut self.prover.terms, cases, *is_exhaustive && is_short, group) {
                    Some(body) => bodies.push(body),
                    None => return Ok(false),
                }
            }
            for choice in 0..most {
                let of = |ranks: &Vec<Vec<TermId>>| ranks.get(choice).or(ranks.first()).cloned().unwrap_or_default();
                let own: Vec<Vec<TermId>> = ranks.iter().map(of).collect();
                if self.end_by(functions, &bodies, &own)? {
                    return Ok(true);
                }
            }
        }
        let ([function], [cases]) = (functions, &all_cases[..]) else {
            return Ok(false);
        };
        let parameters = self.prover.terms.functions()[function.index()].parameters.clone();
        for parameter in parameters {
            if self.prover.terms.sort(parameter) != SortId::INT {
                continue;
            }
            let guarded = extraction::guarded(&mut self.prover.terms, cases, *function, parameter);
            let body = extraction::body(&mut self.prover.terms, &guarded, false, group);
            if let Some(body) = body
                && self.end_by(functions, &[body], &[vec![parameter]])?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the recursion of these definitions ends by these ranks.
    fn end_by(
        &mut self,
        functions: &[FunctionId],
        bodies: &[TermId],
        ranks: &[Vec<TermId>],
    ) -> Result<bool, StopReason> {
        for ((function, body), rank) in functions.iter().zip(bodies).zip(ranks) {
            self.prover.terms.define_function(*function, *body, rank.clone());
        }
        for function in functions {
            if !self.prover.ends(*function)? {
                return Ok(false);
            }
        }
        Ok(true)
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
    fn deny(&mut self) {
        for node in 0..self.system.nodes.len() {
            let is_error = NodeId(node) == self.system.error;
            if self.is_goal(node) && !is_error {
                self.claims[node].push(TermId::FALSE);
            }
        }
    }

    /// What has to be shown of functions so that there is no error.
    fn goals(&mut self) -> Vec<TermId> {
        let system = self.system;
        let mut goals = Vec::new();
        for clause in &system.clauses {
            if !self.is_goal(clause.conclusion.node.0) {
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
    fn results(&self) -> Vec<FunctionId> {
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

/// A name without what [could end the quotes](can_be_quoted) around it.
fn quotable(name: &str) -> String {
    let quoted = |c: char| if can_be_quoted(c) { c } else { '_' };
    name.chars().map(quoted).collect()
}

/// The relations that are defined by each other, those first that others are defined by.
fn components(system: &System) -> Vec<Vec<usize>> {
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

#[cfg(test)]
mod tests;
