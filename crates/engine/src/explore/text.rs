//! Explorations as text that is the same in every run: templates, and the compact tree with its parametric states.

use super::Exploration;
use super::tree::{CompactEnding, CompactNode, CompactTree, TemplateText};

/// More nodes than this are counted instead of shown.
const MOST_NODES: usize = 400;

/// The templates and the compact tree as text.
pub fn exploration_text(exploration: &Exploration) -> String {
    format!(
        "{}\n{}",
        templates_text(&exploration.templates),
        tree_text(&exploration.tree)
    )
}

/// Templates as text.
pub fn templates_text(templates: &[TemplateText]) -> String {
    let mut text = String::new();
    for template in templates {
        let mut first_of_phase = Vec::new();
        for cores in &template.phases {
            first_of_phase.extend((0..*cores).map(|core| core == 0));
        }
        for (position, (core, first)) in template.cores.iter().zip(first_of_phase).enumerate() {
            let opening = match (position, first) {
                (0, _) => "template of",
                (_, true) => "      then of",
                (_, false) => "       and of",
            };
            text.push_str(&format!("{opening} {}\n", core.join(" → ")));
        }
        text.push_str(&format!("  θ⋆⟦κ⟧  {}\n", memory(&template.memory)));
        text.push_str(&format!("  φ⋆⟦κ⟧  {}\n", template.condition.join(" ∧ ")));
        for way in &template.ways_out {
            text.push_str(&format!("  to {}\n", way.location));
            if !way.memory.is_empty() {
                text.push_str(&format!("    θ  {}\n", memory(&way.memory)));
            }
            let condition = std::iter::once("φ⋆⟦κ⟧").chain(way.condition.iter().map(String::as_str));
            text.push_str(&format!("    φ  {}\n", condition.collect::<Vec<_>>().join(" ∧ ")));
        }
    }
    text
}

/// The tree as text, a node and what it adds to its parent's path condition in each paragraph.
pub fn tree_text(tree: &CompactTree) -> String {
    let mut text = String::new();
    for (position, node) in tree.nodes.iter().enumerate().take(MOST_NODES) {
        text.push_str(&head(position, node));
        if !node.memory.is_empty() {
            text.push_str(&format!("    θ  {}\n", memory(&node.memory)));
        }
        for conjunct in &node.added {
            text.push_str(&format!("    φ  {conjunct}\n"));
        }
    }
    if tree.nodes.len() > MOST_NODES {
        text.push_str(&format!("… {} more nodes\n", tree.nodes.len() - MOST_NODES));
    }
    text
}

fn head(position: usize, node: &CompactNode) -> String {
    let from = match (node.parent, node.by_template) {
        (None, _) => String::new(),
        (Some(parent), true) => format!(" ⇐ #{parent} by a template"),
        (Some(parent), false) => format!(" ← #{parent}"),
    };
    let lines: Vec<String> = node.lines.iter().map(u32::to_string).collect();
    let by = match lines.len() {
        0 => String::new(),
        1 => format!(", line {}", lines[0]),
        _ => format!(", lines {}", lines.join(" ")),
    };
    let ending = ending_text(node.ending);
    format!("#{position} {}{from}{by}{ending}\n", node.location)
}

/// How a node ended, as it stands behind its location; nothing for one that goes on.
fn ending_text(ending: CompactEnding) -> String {
    match ending {
        CompactEnding::Expanded => String::new(),
        CompactEnding::Unexplored => " (not explored)".to_string(),
        CompactEnding::Error => " (reached)".to_string(),
        CompactEnding::End => " (the run ends)".to_string(),
        CompactEnding::Endless => " (no run leaves the loop)".to_string(),
        CompactEnding::Stuck => " (no rule applies)".to_string(),
        CompactEnding::Failed => " (FAILED: not decided)".to_string(),
        CompactEnding::Covered { by } => format!(" (covered by #{by})"),
    }
}

fn memory(memory: &[(String, String)]) -> String {
    let parts: Vec<String> = memory.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    match parts.is_empty() {
        true => "(nothing)".to_string(),
        false => parts.join(", "),
    }
}
