//! The exploration tree as one HTML page that needs nothing else: the drawing to pan, zoom and fold, the details of the
//! state that is clicked, the legend and the statistics.

use super::figure::{self, Style};
use super::svg;
use super::{escape, summary, wording};
use crate::engine::{ExplorationTree, Outcome, TreeNode};
use serde::Serialize;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// What the script needs to know of a state that is drawn.
#[derive(Serialize)]
struct Details<'a> {
    state: usize,
    #[serde(flatten)]
    node: &'a TreeNode,
    ended: Option<String>,
}

/// The page for an outcome's tree. `title` is usually the file's name.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{ExplorationTree, Outcome, Statistics, StopReason, Verdict};
/// let outcome = Outcome {
///     verdict: Verdict::Unknown(StopReason::Time),
///     statistics: Statistics::default(),
///     invariants: Vec::new(),
///     tree: None,
/// };
/// let page = clausal::report::tree_html("goal.clp", &outcome, &ExplorationTree::default());
/// assert!(page.starts_with("<!doctype html>"));
/// ```
pub fn tree_html(title: &str, outcome: &Outcome, tree: &ExplorationTree) -> String {
    let drawing = svg::draw(tree);
    let picture = format!(
        "{}<g id=\"scene\">\n{}</g>\n</svg>",
        svg::opening(drawing.size, "id=\"picture\""),
        drawing.content
    );
    let details: Vec<Details> = figure::figure(tree)
        .iter()
        .map(|drawn| Details {
            state: drawn.state,
            node: &tree.nodes[drawn.state],
            ended: figure::ending_label(drawn.ending, drawn.leads_to_error),
        })
        .collect();
    let data = serde_json::to_string(&details).unwrap_or_else(|_| "[]".to_string());
    fill(&[
        ("title", escape::xml(title)),
        ("word", wording::verdict_word(&outcome.verdict).to_string()),
        ("verdict", escape::xml(&wording::verdict_line(outcome))),
        ("style", STYLE.to_string()),
        ("script", SCRIPT.to_string()),
        ("legend", legend()),
        ("statistics", statistics(outcome)),
        ("data", escape::json_in_script(&data)),
        ("picture", picture),
    ])
}

/// Replaces each `{{name}}` of the page once. What is put in is not searched again.
fn fill(values: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            rest = after;
            break;
        };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            page.push_str(value);
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

fn legend() -> String {
    let rows = figure::LEGEND.into_iter().map(|(style, sign, meaning)| {
        let class = match style {
            Style::Goal => "goal",
            Style::Max => "max",
            Style::Min => "min",
            Style::Neutral => "neutral",
            Style::Interpolant => "interpolant",
            Style::Ending => "ending",
            Style::Rule | Style::Constraint | Style::Omission => "constraint",
        };
        format!(
            "<dt class=\"{class}\">{}</dt><dd>{}</dd>\n",
            escape::xml(sign),
            escape::xml(meaning)
        )
    });
    rows.collect()
}

fn statistics(outcome: &Outcome) -> String {
    let rows = summary::statistics_rows(&outcome.statistics);
    rows.into_iter()
        .map(|(name, value)| {
            format!(
                "<tr><th>{}</th><td>{}</td></tr>\n",
                escape::xml(name),
                escape::xml(&value)
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_page_of_a_loop() {
        let (_, outcome) = samples::safe();
        let page = tree_html("<b>.clp", &outcome, &samples::tree());
        assert!(!page.contains("<b>") && !page.contains("{{") && !page.contains("http"));
        // Style and script are files of their own; the snapshot shows what is put between them.
        let shown = page.replace(STYLE, "(style)\n").replace(SCRIPT, "(script)\n");
        samples::assert_snapshot("tree_html", shown);
    }
}
