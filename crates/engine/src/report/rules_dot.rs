//! The rules as a graph in Graphviz's notation: predicates are nodes, rules are edges (`clausal translate --to dot`).

use super::{escape, wording};
use crate::rules::{Atom, DependencyGraph, PredicateId, Program, Rule, RuleId};

/// The dependency graph of a program. Loop headers have two borders, predicates that no query reaches are dotted, and each
/// edge shows its rule: where it stands, what it does to the arguments, and its constraint. A rule without body leads to a
/// point.
///
/// ```
/// # use clausal_engine as clausal;
/// let text = clausal::report::rules_dot(&clausal::rules::Program::new());
/// assert!(text.starts_with("digraph rules {"));
/// ```
pub fn rules_dot(program: &Program) -> String {
    let graph = DependencyGraph::new(program);
    let mut text = String::from(
        "digraph rules {\n  node [shape=box, fontname=\"monospace\", fontsize=11];\n  \
         edge [fontname=\"monospace\", fontsize=9];\n",
    );
    for index in 0..program.predicates().len() {
        text.push_str(&node(program, &graph, PredicateId::from_index(index)));
    }
    for (index, rule) in program.rules().iter().enumerate() {
        let label = escape::dot(&edge_label(program, RuleId::from_index(index), rule));
        let from = rule.head.predicate.index();
        if rule.body.is_empty() {
            text.push_str(&format!(
                "  end{index} [shape=point];\n  p{from} -> end{index} [label=\"{label}\"];\n"
            ));
        }
        for atom in &rule.body {
            text.push_str(&format!(
                "  p{from} -> p{} [label=\"{label}\"];\n",
                atom.predicate.index()
            ));
        }
    }
    text.push_str("}\n");
    text
}

fn node(program: &Program, graph: &DependencyGraph, predicate: PredicateId) -> String {
    let (label, shape) = match predicate {
        PredicateId::QUERY => ("?-".to_string(), ", shape=ellipse"),
        PredicateId::ERROR => (
            "error".to_string(),
            ", shape=octagon, style=filled, fillcolor=\"#ffdce0\"",
        ),
        _ => {
            let names = wording::parameter_names(program, predicate);
            let head = wording::atom(program, predicate, names.into_iter().map(|(_, name)| name));
            match (graph.is_reachable(predicate), graph.is_loop_header(predicate)) {
                (false, _) => (format!("{head}\nnot reached by any query"), ", style=dotted"),
                (true, true) => (format!("{head}\nloop header"), ", peripheries=2"),
                (true, false) => (head, ""),
            }
        }
    };
    // The usual line break of the escaped text aligns to the left; names of nodes look better centred.
    let label = escape::dot(&label).replace("\\l", "\\n");
    format!("  p{} [label=\"{label}\"{shape}];\n", predicate.index())
}

fn edge_label(program: &Program, id: RuleId, rule: &Rule) -> String {
    let mut lines = vec![wording::place(program, id)];
    let body = rule.body.first();
    let takes = !rule.head.arguments.is_empty() || body.is_some_and(|atom| !atom.arguments.is_empty());
    if takes {
        let after = body.map_or_else(|| "true".to_string(), |atom| arguments(program, atom));
        lines.push(format!("{} -> {after}", arguments(program, &rule.head)));
    }
    for conjunct in &rule.constraint {
        lines.push(program.terms.display(*conjunct).to_string());
    }
    // The space keeps the text off the edge.
    lines.iter().map(|line| format!(" {line}\n")).collect()
}

fn arguments(program: &Program, atom: &Atom) -> String {
    let texts: Vec<String> = atom
        .arguments
        .iter()
        .map(|argument| program.terms.display(*argument).to_string())
        .collect();
    format!("({})", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_graph_of_a_loop() {
        let (program, _) = samples::safe();
        samples::assert_snapshot("rules_dot", rules_dot(&program));
    }
}
