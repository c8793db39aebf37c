//! The exploration tree in Graphviz's notation.

use super::escape;
use super::figure::{self, Style};
use crate::engine::ExplorationTree;

/// The tree for Graphviz: `dot -Tsvg tree.dot -o tree.svg`. Solid edges are reductions, dashed ones lead from a covered state to
/// the one that covers it; loop headers have two borders.
///
/// ```
/// # use clausal_engine as clausal;
/// let tree = clausal::engine::ExplorationTree::default();
/// assert!(clausal::report::tree_dot(&tree).starts_with("digraph exploration {"));
/// ```
pub fn tree_dot(tree: &ExplorationTree) -> String {
    let boxes = figure::figure(tree);
    let mut text = String::from(
        "digraph exploration {\n  node [shape=box, style=filled, fontname=\"monospace\", fontsize=10];\n  \
         edge [fontname=\"monospace\", fontsize=9];\n",
    );
    for state in &boxes {
        let mut label = String::new();
        for line in &state.lines {
            // Graphviz cannot style single lines of a plain label, so what colour says elsewhere is left to the words.
            label.push_str(&escape::dot(&line.text));
            label.push_str("\\l");
        }
        let (border, inside) = state.colours();
        let mut attributes = format!("label=\"{label}\", color=\"{border}\", fillcolor=\"{inside}\"");
        if state.is_header {
            attributes.push_str(", peripheries=2");
        }
        if state.is_abandoned() {
            attributes.push_str(", style=\"filled,dotted\"");
        }
        text.push_str(&format!("  s{} [{attributes}];\n", state.state));
    }
    for state in &boxes {
        if let Some(parent) = state.parent {
            text.push_str(&format!("  s{} -> s{};\n", boxes[parent].state, state.state));
        }
        if let Some(by) = state.covered_by {
            let (border, _) = state.colours();
            text.push_str(&format!(
                "  s{} -> s{} [style=dashed, constraint=false, color=\"{border}\"];\n",
                state.state, boxes[by].state
            ));
        }
    }
    text.push_str(&legend());
    text.push_str("}\n");
    text
}

fn legend() -> String {
    let mut label = String::new();
    for (style, sign, meaning) in figure::LEGEND {
        if style != Style::Goal {
            label.push_str(&escape::dot(&format!("{:<20} {meaning}", sign.trim_start())));
            label.push_str("\\l");
        }
    }
    format!("  legend [shape=note, color=\"#8c959f\", fillcolor=\"#ffffff\", label=\"{label}\"];\n")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_tree_of_a_loop() {
        samples::assert_snapshot("tree_dot", tree_dot(&samples::tree()));
    }
}
