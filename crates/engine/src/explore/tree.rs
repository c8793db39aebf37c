//! The compact tree and the templates as data, all formulas as text, so that they outlive the exploration.

use super::search::{Edge, Ending, Node, Search};
use super::state::{Conjunct, Location, Quantified};
use super::template::Template;
use crate::rules::{PredicateId, Program};
use crate::steps::TransitionId;
use crate::terms::{TermId, Terms};
use serde::Serialize;

/// How a node of the compact tree ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactEnding {
    /// Its successors are in the tree.
    Expanded,
    /// It was not explored: the exploration stopped before.
    Unexplored,
    /// It is the error.
    Error,
    /// It is the end of a run.
    End,
    /// No rule applies.
    Stuck,
    /// No run leaves the loop of its template.
    Endless,
    /// The solver could not decide whether it is feasible.
    Failed,
    /// Everything reached from it is reached from the node `by`.
    Covered {
        /// The index of that node.
        by: usize,
    },
}

/// A node.
#[derive(Clone, Debug, Serialize)]
pub struct CompactNode {
    /// Index of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// The label of its predicate, `error`, or `end`.
    pub location: String,
    /// The index of its predicate.
    pub predicate: Option<usize>,
    /// The lines of the rules that led here from the parent, for a template those after its last whole iteration.
    pub lines: Vec<u32>,
    /// Whether a template led here.
    pub by_template: bool,
    /// The symbolic memory: each parameter with its value.
    pub memory: Vec<(String, String)>,
    /// The conjuncts of the path condition that the parent's does not have.
    pub added: Vec<String>,
    /// How it ended.
    pub ending: CompactEnding,
}

/// The compact tree: nodes in the order in which they were made, so that a parent comes before its children.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CompactTree {
    /// The nodes; the first is the query.
    pub nodes: Vec<CompactNode>,
}

/// A template.
#[derive(Clone, Debug, Serialize)]
pub struct TemplateText {
    /// The label of the location where its cycle begins.
    pub entry: String,
    /// The index of the predicate.
    pub predicate: usize,
    /// For each core the labels of its locations, from the entry back to it.
    pub cores: Vec<Vec<String>>,
    /// How many of these cores each phase has; a phase comes after those before it.
    pub phases: Vec<usize>,
    /// The lines of the rules on the cores.
    pub lines: Vec<u32>,
    /// The memory after κ iterations.
    pub memory: Vec<(String, String)>,
    /// The path condition of κ iterations.
    pub condition: Vec<String>,
    /// The ways out.
    pub ways_out: Vec<WayOut>,
}

/// A way out of a template's cycle.
#[derive(Clone, Debug, Serialize)]
pub struct WayOut {
    /// The label of where it leads.
    pub location: String,
    /// The index of that predicate.
    pub predicate: Option<usize>,
    /// The memory there.
    pub memory: Vec<(String, String)>,
    /// What has to hold beside the path condition of the iterations.
    pub condition: Vec<String>,
}

/// The tree of a search.
pub(super) fn tree(search: &Search) -> CompactTree {
    let nodes = search.nodes.iter().map(|node| compact(search, node)).collect();
    CompactTree { nodes }
}

/// The templates of a search.
pub(super) fn templates(search: &Search) -> Vec<TemplateText> {
    search
        .all_templates()
        .map(|template| described(search, template))
        .collect()
}

fn compact(search: &Search, node: &Node) -> CompactNode {
    let program = search.context.program;
    let terms = &search.context.terms;
    let known = node
        .parent
        .map_or(0, |parent| search.nodes[parent].state.condition.written.len());
    let conjuncts = node.state.condition.written.iter().skip(known);
    let steps = match &node.edge {
        Edge::Root | Edge::Fixed => Vec::new(),
        Edge::Step(transition, _) => vec![*transition],
        Edge::Template(template, way, _) => template.exits.get(*way).map_or(Vec::new(), |exit| exit.path.clone()),
    };
    CompactNode {
        parent: node.parent,
        location: label(program, node.state.location),
        predicate: predicate_index(node.state.location),
        lines: lines(search, &steps),
        by_template: matches!(node.edge, Edge::Template(..)),
        memory: memory(program, terms, node.state.location, &node.state.memory),
        added: conjuncts.map(|conjunct| conjunct_text(terms, conjunct)).collect(),
        ending: match node.ending {
            Ending::Expanded => CompactEnding::Expanded,
            Ending::Waiting => CompactEnding::Unexplored,
            Ending::Error => CompactEnding::Error,
            Ending::End => CompactEnding::End,
            Ending::Stuck => CompactEnding::Stuck,
            Ending::Endless => CompactEnding::Endless,
            Ending::Failed => CompactEnding::Failed,
            Ending::Covered(by) => CompactEnding::Covered { by },
        },
    }
}

fn described(search: &Search, template: &Template) -> TemplateText {
    let program = search.context.program;
    let terms = &search.context.terms;
    let entry = Location::Predicate(template.entry);
    let core = |core: &Vec<TransitionId>| {
        let rest = core.iter().map(|edge| label(program, search.context.target(*edge)));
        std::iter::once(label(program, entry)).chain(rest).collect()
    };
    let mut condition = Vec::new();
    for phase in &template.phases {
        condition.push(format!("{} ≥ 0", terms.display(phase.counter)));
        if !phase.body.is_empty() {
            condition.push(conjunct_text(
                terms,
                &Conjunct::ForAll(Quantified {
                    variable: phase.iteration,
                    bound: phase.counter,
                    body: phase.body.clone(),
                }),
            ));
        }
    }
    condition.extend(template.facts.iter().map(|fact| formula_text(terms, *fact)));
    let ways = template.exits.iter();
    TemplateText {
        entry: label(program, entry),
        predicate: template.entry.index(),
        cores: template.cores().map(core).collect(),
        phases: template.phases.iter().map(|phase| phase.cores.len()).collect(),
        lines: lines(search, &template.cores().flatten().copied().collect::<Vec<_>>()),
        memory: memory(program, terms, entry, &template.memory),
        condition,
        ways_out: ways
            .map(|exit| WayOut {
                location: label(program, exit.location),
                predicate: predicate_index(exit.location),
                memory: memory(program, terms, exit.location, &exit.memory),
                condition: exit.guards.iter().map(|guard| formula_text(terms, *guard)).collect(),
            })
            .collect(),
    }
}

fn lines(search: &Search, steps: &[TransitionId]) -> Vec<u32> {
    let program = search.context.program;
    let line = |step: &TransitionId| {
        let rule = search.context.transition(*step).rule;
        program.rule(rule).location.map(|location| location.line)
    };
    steps.iter().filter_map(line).collect()
}

fn predicate_index(location: Location) -> Option<usize> {
    match location {
        Location::Predicate(predicate) => Some(predicate.index()),
        Location::Error | Location::End => None,
    }
}

fn label(program: &Program, location: Location) -> String {
    match location {
        Location::Predicate(predicate) => program.predicate_label(predicate),
        Location::Error => program.predicate_label(PredicateId::ERROR),
        Location::End => "end".to_string(),
    }
}

fn memory(program: &Program, terms: &Terms, location: Location, values: &[TermId]) -> Vec<(String, String)> {
    let Location::Predicate(predicate) = location else {
        return Vec::new();
    };
    let parameters = program.predicate(predicate).parameters.iter();
    parameters
        .zip(values)
        .map(|(parameter, value)| (terms.variable_name(*parameter).to_string(), formula_text(terms, *value)))
        .collect()
}

fn formula_text(terms: &Terms, formula: TermId) -> String {
    terms.display(formula).in_mathematics().to_string()
}

fn conjunct_text(terms: &Terms, conjunct: &Conjunct) -> String {
    match conjunct {
        Conjunct::Plain(formula) => formula_text(terms, *formula),
        Conjunct::ForAll(quantified) => {
            let body: Vec<String> = quantified
                .body
                .iter()
                .map(|formula| {
                    let text = formula_text(terms, *formula);
                    match terms.operator(*formula) == crate::terms::Operator::Or {
                        true => format!("({text})"),
                        false => text,
                    }
                })
                .collect();
            let (variable, bound) = (
                terms.display(quantified.variable),
                formula_text(terms, quantified.bound),
            );
            format!("∀{variable} (0 ≤ {variable} < {bound} → {})", body.join(" ∧ "))
        }
    }
}
