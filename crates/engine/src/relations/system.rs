//! The rules as implications: what reaches a state, and what a call gives back, follow from what holds before.
//!
//! A rule `p(X̃) :- Ψ, q(Ỹ), r(Z̃)` says that `q` is reached from `p` under `Ψ`, and `r` from `p` once `q` has come back. What is
//! *reached* and what has *come back* are two different relations over a predicate's parameters, hence two [`Node`]s. Only
//! what the error depends on has nodes.

use crate::evidence::{Certificate, Invariant};
use crate::rules::{Atom, PredicateId, Program, Rule, RuleId};
use crate::steps::equations::SolvedRule;
use crate::steps::houdini::{self, Implication};
use crate::terms::{Substitution, TermId, Terms, Theory};
use hashbrown::{HashMap, HashSet};

/// The index of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(pub usize);

/// Which relation over a predicate's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// The arguments with which it is reached from a query.
    Reached,
    /// The arguments with which its derivation ends.
    Returned,
}

/// A relation that is looked for.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub predicate: PredicateId,
    pub role: Role,
    /// The predicate's parameters, over which formulas about the node are written.
    pub parameters: Vec<TermId>,
    /// The implications that conclude it.
    pub clauses: Vec<usize>,
}

/// What an implication assumes or concludes: that terms are in a relation.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    pub node: NodeId,
    pub arguments: Vec<TermId>,
    /// The arguments in the place of the parameters.
    pub instance: Substitution,
}

/// An implication.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    /// The rule that it comes from.
    pub rule: RuleId,
    pub premises: Vec<Occurrence>,
    pub constraint: Vec<TermId>,
    pub conclusion: Occurrence,
    /// All its variables: those of the rule that its equations are not solved for.
    pub variables: Vec<TermId>,
    /// The other variables of the rule and what they are, those that others need first.
    pub solved: Vec<(TermId, TermId)>,
}

/// Whether equations are solved before anything is asked of an implication.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Equations {
    /// Terms take the places of variables: what is projected becomes small.
    Solved,
    /// They stay: what is shared by several of them stays one variable to a solver, and is not put into all.
    Kept,
}

/// A rule, with its equations solved or not, and the variables that are left.
#[derive(Clone, Debug)]
struct Relation {
    id: RuleId,
    rule: SolvedRule,
    variables: Vec<TermId>,
}

impl Relation {
    fn new(terms: &mut Terms, id: RuleId, original: &Rule, equations: Equations) -> Relation {
        let rule = match equations {
            Equations::Solved => SolvedRule::new(terms, original),
            Equations::Kept => SolvedRule::unsolved(original),
        };
        // Those that vanish with what a solution makes true need values for a run all the same.
        let before = std::iter::once(&original.head).chain(&original.body);
        let after = std::iter::once(&rule.head).chain(&rule.body);
        let mut all: Vec<TermId> = before
            .chain(after)
            .flat_map(|atom| atom.arguments.iter().copied())
            .collect();
        all.extend(original.constraint.iter().chain(&rule.constraint));
        all.extend(rule.solved.iter().map(|(_, term)| *term));
        let mut variables = terms.variables_of_all(&all);
        let known: HashSet<TermId> = rule.solved.iter().map(|(variable, _)| *variable).collect();
        variables.retain(|variable| !known.contains(variable));
        Relation { id, rule, variables }
    }
}

/// All implications that the error depends on, or whatever is asked about.
#[derive(Debug)]
pub(crate) struct System {
    pub nodes: Vec<Node>,
    pub clauses: Vec<Clause>,
    /// The node of the error.
    pub error: NodeId,
}

impl System {
    /// The implications of a program's rules that the error depends on.
    pub fn new(program: &Program, terms: &mut Terms, equations: Equations) -> System {
        System::about(program, terms, equations, &[])
    }

    /// Those that the error depends on, or one of these relations.
    pub fn about(program: &Program, terms: &mut Terms, equations: Equations, roots: &[(PredicateId, Role)]) -> System {
        let rules: Vec<Relation> = program
            .rules()
            .iter()
            .enumerate()
            .map(|(index, rule)| Relation::new(terms, RuleId::from_index(index), rule, equations))
            .collect();
        let mut system = System {
            nodes: Vec::new(),
            clauses: Vec::new(),
            error: NodeId(0),
        };
        let mut ids = HashMap::new();
        let mut waiting = vec![(PredicateId::ERROR, Role::Reached)];
        system.node(program, &mut ids, PredicateId::ERROR, Role::Reached);
        for (predicate, role) in roots {
            if !ids.contains_key(&(*predicate, *role)) {
                system.node(program, &mut ids, *predicate, *role);
                waiting.push((*predicate, *role));
            }
        }
        // Backward from the error, so that nothing is there that does not matter.
        while let Some((predicate, role)) = waiting.pop() {
            for rule in &rules {
                system.conclude(program, terms, rule, (predicate, role), &mut ids, &mut waiting);
            }
        }
        system
            .clauses
            .sort_by_key(|clause| (clause.rule, clause.conclusion.node));
        for (index, clause) in system.clauses.iter().enumerate() {
            system.nodes[clause.conclusion.node.0].clauses.push(index);
        }
        system
    }

    fn node(
        &mut self,
        program: &Program,
        ids: &mut HashMap<(PredicateId, Role), NodeId>,
        predicate: PredicateId,
        role: Role,
    ) -> NodeId {
        *ids.entry((predicate, role)).or_insert_with(|| {
            self.nodes.push(Node {
                predicate,
                role,
                parameters: program.predicate(predicate).parameters.clone(),
                clauses: Vec::new(),
            });
            NodeId(self.nodes.len() - 1)
        })
    }

    /// Adds the implications of one rule that conclude the relation.
    fn conclude(
        &mut self,
        program: &Program,
        terms: &Terms,
        relation: &Relation,
        (predicate, role): (PredicateId, Role),
        ids: &mut HashMap<(PredicateId, Role), NodeId>,
        waiting: &mut Vec<(PredicateId, Role)>,
    ) {
        let rule = &relation.rule;
        let concluded: Vec<usize> = match role {
            Role::Reached => (0..rule.body.len())
                .filter(|position| rule.body[*position].predicate == predicate)
                .collect(),
            Role::Returned if rule.head.predicate == predicate => vec![rule.body.len()],
            Role::Returned => Vec::new(),
        };
        for position in concluded {
            let mut premises = Vec::new();
            let mut assume = |system: &mut System, atom: &Atom, role: Role| {
                let is_new = !ids.contains_key(&(atom.predicate, role));
                let node = system.node(program, ids, atom.predicate, role);
                if is_new {
                    waiting.push((atom.predicate, role));
                }
                premises.push(system.occurrence(terms, node, &atom.arguments));
            };
            if role == Role::Reached && rule.head.predicate != PredicateId::QUERY {
                assume(self, &rule.head, Role::Reached);
            }
            for atom in rule.body.iter().take(position) {
                assume(self, atom, Role::Returned);
            }
            let node = self.node(program, ids, predicate, role);
            let arguments = match role {
                Role::Reached => &rule.body[position].arguments,
                Role::Returned => &rule.head.arguments,
            };
            let conclusion = self.occurrence(terms, node, arguments);
            self.clauses.push(Clause {
                rule: relation.id,
                premises,
                constraint: rule.constraint.clone(),
                conclusion,
                variables: relation.variables.clone(),
                solved: rule.solved.clone(),
            });
        }
    }

    fn occurrence(&self, terms: &Terms, node: NodeId, arguments: &[TermId]) -> Occurrence {
        let parameters = &self.nodes[node.0].parameters;
        Occurrence {
            node,
            arguments: arguments.to_vec(),
            instance: Substitution::of(terms, parameters, arguments),
        }
    }

    /// The theory of all implications.
    pub fn theory(&self, terms: &Terms) -> Theory {
        let clauses = self.clauses.iter();
        let all = clauses.flat_map(|clause| {
            let occurrences = clause.premises.iter().chain([&clause.conclusion]);
            let arguments = occurrences.flat_map(|occurrence| &occurrence.arguments);
            clause.constraint.iter().chain(&clause.variables).chain(arguments)
        });
        Theory::of(terms, all.copied())
    }

    /// The implications, with nodes by their numbers, as [Houdini](crate::steps::houdini) takes them.
    pub fn implications(&self) -> Vec<Implication> {
        let occurrence = |of: &Occurrence| houdini::Occurrence {
            relation: of.node.0,
            instance: of.instance.clone(),
        };
        let clauses = self.clauses.iter();
        clauses
            .map(|clause| Implication {
                premises: clause.premises.iter().map(occurrence).collect(),
                constraint: clause.constraint.clone(),
                conclusion: occurrence(&clause.conclusion),
                variables: clause.variables.clone(),
            })
            .collect()
    }

    /// The parameters of each node, by its number.
    pub fn parameters(&self) -> Vec<Vec<TermId>> {
        self.nodes.iter().map(|node| node.parameters.clone()).collect()
    }

    /// The node that says where a predicate is reached, if the error depends on that.
    pub fn reached(&self, predicate: PredicateId) -> Option<NodeId> {
        let is_it = |node: &Node| (node.predicate, node.role) == (predicate, Role::Reached);
        self.nodes.iter().position(is_it).map(NodeId)
    }

    /// The certificate that says of each node what `invariant` does.
    pub fn certificate(&self, terms: &Terms, invariant: &dyn Fn(NodeId) -> Vec<TermId>) -> Certificate {
        let of = |role: Role| -> Vec<Invariant> {
            let nodes = self.nodes.iter().enumerate();
            let mut found: Vec<Invariant> = nodes
                .filter(|(_, node)| node.role == role && node.predicate != PredicateId::ERROR)
                .map(|(index, node)| Invariant {
                    predicate: node.predicate,
                    disjuncts: match invariant(NodeId(index)) {
                        conjuncts if conjuncts.contains(&TermId::FALSE) => Vec::new(),
                        conjuncts => vec![conjuncts],
                    },
                })
                .filter(|invariant| invariant.disjuncts.iter().all(|disjunct| !disjunct.is_empty()))
                .collect();
            found.sort_by_key(|invariant| invariant.predicate);
            found
        };
        Certificate {
            summaries: of(Role::Returned),
            ..Certificate::new(terms.clone(), of(Role::Reached))
        }
    }
}
