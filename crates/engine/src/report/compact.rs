//! The compact tree as figures: DOT, SVG, and a page with the templates. What a template led to has another shape, as in the
//! figure of seed 002: a double border and a double arrow.

use super::escape;
use super::exploration::{exploration_summary, finding_line};
use super::layout::{self, Size};
use crate::explore::{CompactEnding, CompactNode, CompactTree, Exploration, templates_text};

/// More nodes than this are not drawn.
const MOST_NODES: usize = 1500;
/// Longer lines are cut.
const LONGEST_LINE: usize = 60;
/// More conjuncts than this are counted.
const MOST_CONJUNCTS: usize = 8;
const CHARACTER_WIDTH: f64 = 7.4;
const LINE_HEIGHT: f64 = 17.0;
const PADDING: f64 = 9.0;
const MARGIN: f64 = 24.0;

/// The compact tree for Graphviz.
///
/// ```
/// # use clausal_engine as clausal;
/// let tree = clausal::explore::CompactTree::default();
/// assert!(clausal::report::compact_dot(&tree).starts_with("digraph compact {"));
/// ```
pub fn compact_dot(tree: &CompactTree) -> String {
    let mut text =
        String::from("digraph compact {\n  node [shape=box, style=filled, fontname=\"monospace\", fontsize=10];\n");
    for (position, node) in drawn(tree) {
        let mut label = String::new();
        for line in lines(position, node) {
            label.push_str(&escape::dot(&line));
            label.push_str("\\l");
        }
        let (border, inside) = colours(node.ending);
        let shape = if node.by_template { ", peripheries=2" } else { "" };
        text.push_str(&format!(
            "  n{position} [label=\"{label}\", color=\"{border}\", fillcolor=\"{inside}\"{shape}];\n"
        ));
    }
    for (position, node) in drawn(tree) {
        if let Some(parent) = node.parent {
            let style = if node.by_template {
                " [color=\"black:black\"]"
            } else {
                ""
            };
            text.push_str(&format!("  n{parent} -> n{position}{style};\n"));
        }
        if let CompactEnding::Covered { by } = node.ending {
            text.push_str(&format!("  n{position} -> n{by} [style=dashed, constraint=false];\n"));
        }
    }
    text.push_str("}\n");
    text
}

/// The compact tree as a complete SVG file.
pub fn compact_svg(tree: &CompactTree) -> String {
    let boxes: Vec<(usize, Vec<String>)> = drawn(tree)
        .map(|(position, node)| (position, lines(position, node)))
        .collect();
    let sizes: Vec<Size> = boxes.iter().map(|(_, lines)| measure(lines)).collect();
    let parents: Vec<Option<usize>> = drawn(tree).map(|(_, node)| node.parent).collect();
    let layout = layout::lay_out(&parents, &sizes);
    let (width, height) = (layout.size.width + 2.0 * MARGIN, layout.size.height + 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" \
         font-size=\"12\" role=\"img\">\n<title>Compact symbolic execution tree</title>\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n\
         <g transform=\"translate({MARGIN},{MARGIN})\">\n"
    );
    for (position, node) in drawn(tree) {
        if let Some(parent) = node.parent {
            let (from, to) = (layout.places[parent], layout.places[position]);
            let start = from.top + sizes[parent].height;
            let middle = (from.row_bottom + to.top) / 2.0;
            let wide = if node.by_template { 4.0 } else { 1.2 };
            let path = format!(
                "M{:.0} {start:.0}V{:.0}C{:.0} {middle:.0} {:.0} {middle:.0} {:.0} {:.0}",
                from.centre, from.row_bottom, from.centre, to.centre, to.centre, to.top
            );
            text.push_str(&format!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"#57606a\" stroke-width=\"{wide}\"/>\n"
            ));
            if node.by_template {
                text.push_str(&format!(
                    "<path d=\"{path}\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"1.8\"/>\n"
                ));
            }
        }
    }
    for ((position, lines), (_, node)) in boxes.iter().zip(drawn(tree)) {
        let (place, size) = (layout.places[*position], sizes[*position]);
        text.push_str(&draw_box(node, lines, place.centre - size.width / 2.0, place.top, size));
    }
    text.push_str("</g>\n</svg>\n");
    text
}

fn draw_box(node: &CompactNode, lines: &[String], left: f64, top: f64, size: Size) -> String {
    let (border, inside) = colours(node.ending);
    let Size { width, height } = size;
    let mut text = format!(
        "<g transform=\"translate({left:.0},{top:.0})\"><rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"5\" \
         fill=\"{inside}\" stroke=\"{border}\"/>"
    );
    if node.by_template {
        text.push_str(&format!(
            "<rect x=\"3\" y=\"3\" width=\"{:.0}\" height=\"{:.0}\" rx=\"3\" fill=\"none\" stroke=\"{border}\"/>",
            width - 6.0,
            height - 6.0
        ));
    }
    for (position, line) in lines.iter().enumerate() {
        let weight = if position == 0 { " font-weight=\"bold\"" } else { "" };
        text.push_str(&format!(
            "<text x=\"{PADDING}\" y=\"{:.1}\" xml:space=\"preserve\" fill=\"#1f2328\"{weight}>{}</text>",
            PADDING + (position as f64 + 0.75) * LINE_HEIGHT,
            escape::xml(line)
        ));
    }
    text.push_str("</g>\n");
    text
}

/// A page with the finding, the templates and the compact tree.
pub fn compact_html(title: &str, exploration: &Exploration) -> String {
    let title = escape::xml(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>body {{ font-family: system-ui, sans-serif; margin: 2em; }} pre {{ background: #f6f8fa; padding: 1em; \
         overflow: auto; }} figure {{ margin: 0; overflow: auto; border: 1px solid #d1d9e0; }}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n<p><strong>{}</strong></p>\n<p>{}</p>\n<h2>Templates</h2>\n<pre>{}</pre>\n\
         <h2>Compact symbolic execution tree</h2>\n<p>A double border marks what a template led to.</p>\n\
         <figure>{}</figure>\n</body>\n</html>\n",
        escape::xml(&finding_line(&exploration.finding)),
        escape::xml(&exploration_summary(exploration)),
        escape::xml(&templates_text(&exploration.templates)),
        compact_svg(&exploration.tree)
    )
}

fn drawn(tree: &CompactTree) -> impl Iterator<Item = (usize, &CompactNode)> {
    tree.nodes.iter().enumerate().take(MOST_NODES)
}

fn lines(position: usize, node: &CompactNode) -> Vec<String> {
    let memory = node.memory.iter().map(|(name, value)| format!("{name} = {value}"));
    let mut lines = vec![format!("#{position} {}", node.location)];
    lines.extend(memory);
    lines.extend(node.added.iter().take(MOST_CONJUNCTS).cloned());
    if node.added.len() > MOST_CONJUNCTS {
        lines.push(format!("({} more conjuncts)", node.added.len() - MOST_CONJUNCTS));
    }
    let ending = match node.ending {
        CompactEnding::Expanded => None,
        CompactEnding::Unexplored => Some("not explored".to_string()),
        CompactEnding::Error => Some("ERROR".to_string()),
        CompactEnding::End => Some("the run ends".to_string()),
        CompactEnding::Endless => Some("no run leaves the loop".to_string()),
        CompactEnding::Stuck => Some("no rule applies".to_string()),
        CompactEnding::Failed => Some("FAILED: not decided".to_string()),
        CompactEnding::Covered { by } => Some(format!("covered by #{by}")),
    };
    lines.extend(ending);
    lines.into_iter().map(cut).collect()
}

fn cut(line: String) -> String {
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.chars().count() <= LONGEST_LINE {
        return line;
    }
    let kept: String = line.chars().take(LONGEST_LINE - 1).collect();
    format!("{kept}…")
}

fn measure(lines: &[String]) -> Size {
    let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    Size {
        width: widest as f64 * CHARACTER_WIDTH + 2.0 * PADDING,
        height: lines.len() as f64 * LINE_HEIGHT + 2.0 * PADDING,
    }
}

fn colours(ending: CompactEnding) -> (&'static str, &'static str) {
    match ending {
        CompactEnding::Expanded => ("#57606a", "#ffffff"),
        CompactEnding::Unexplored => ("#8c959f", "#ffffff"),
        CompactEnding::Error => ("#a40e26", "#ffdce0"),
        CompactEnding::End | CompactEnding::Stuck | CompactEnding::Endless => ("#57606a", "#eef0f2"),
        CompactEnding::Failed => ("#bc4c00", "#fff1e5"),
        CompactEnding::Covered { .. } => ("#0550ae", "#e6f1ff"),
    }
}
