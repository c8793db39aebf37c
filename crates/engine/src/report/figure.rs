//! What stands in the figures of an exploration tree, whatever draws them: which states are drawn, the lines in each box,
//! and which box is covered by which. A figure reads without colour: every mark and every ending is spelt out.

use crate::engine::{Ending, ExplorationTree, Mark, TreeNode};

/// More states than this cannot be taken in, nor shown by a browser without delay. The rest is counted where it is cut off.
const MOST_BOXES: usize = 2000;
/// More constraints than this are counted instead of shown.
const MOST_CONSTRAINTS: usize = 10;
/// Longer lines are cut, or wrapped where what they say matters most.
const LONGEST_LINE: usize = 56;
/// Lines that a wrapped text may take before it is cut.
const MOST_WRAPPED: usize = 4;

/// What a line of a box says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// The number of the state and its goal.
    Goal,
    /// The rule that led here.
    Rule,
    /// A constraint that this rule added.
    Constraint,
    /// A constraint of a loop header that must be kept.
    Max,
    /// A constraint of a loop header that must be deleted.
    Min,
    /// A constraint of a loop header that is neither.
    Neutral,
    /// The interpolant.
    Interpolant,
    /// How the state ended.
    Ending,
    /// How many states or constraints are not shown.
    Omission,
}

/// A line of a box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub(super) style: Style,
    pub(super) text: String,
}

/// A state that is drawn.
#[derive(Clone, Debug)]
pub(super) struct StateBox {
    /// The index of the state in the tree.
    pub(super) state: usize,
    /// The position of the parent's box in the figure.
    pub(super) parent: Option<usize>,
    /// The position of the box that covers this one, if it is drawn.
    pub(super) covered_by: Option<usize>,
    pub(super) ending: Ending,
    pub(super) is_header: bool,
    /// Whether it is on the way to a real error.
    pub(super) leads_to_error: bool,
    pub(super) lines: Vec<Line>,
}

/// The boxes to draw, parents before children.
pub(super) fn figure(tree: &ExplorationTree) -> Vec<StateBox> {
    figure_of_at_most(tree, MOST_BOXES)
}

fn figure_of_at_most(tree: &ExplorationTree, most: usize) -> Vec<StateBox> {
    let leads_to_error = leads_to_error(tree);
    let drawn = select(tree, &leads_to_error, most);
    let mut position_of = vec![None; tree.nodes.len()];
    let selected = (0..tree.nodes.len()).filter(|state| drawn[*state]);
    for (position, state) in selected.enumerate() {
        position_of[state] = Some(position);
    }
    let position = |state: usize| position_of.get(state).copied().flatten();
    let omitted = omitted_below(tree, &drawn);
    let states = tree.nodes.iter().enumerate().filter(|(state, _)| drawn[*state]);
    states
        .map(|(state, node)| StateBox {
            state,
            parent: parent_of(tree, state).and_then(position),
            covered_by: match node.ending {
                Ending::CoveredByAncestor { by } | Ending::CoveredByMemo { by } => position(by),
                _ => None,
            },
            ending: node.ending,
            is_header: node.header.is_some(),
            leads_to_error: leads_to_error[state],
            lines: lines(state, node, leads_to_error[state], omitted[state]),
        })
        .collect()
}

/// The parent, if it keeps to the order that trees promise.
fn parent_of(tree: &ExplorationTree, state: usize) -> Option<usize> {
    tree.nodes[state].parent.filter(|parent| *parent < state)
}

/// The states of derivations that reach a real error.
fn leads_to_error(tree: &ExplorationTree) -> Vec<bool> {
    let mut leads = vec![false; tree.nodes.len()];
    for state in (0..tree.nodes.len()).rev() {
        leads[state] |= tree.nodes[state].ending == Ending::Error;
        if let (true, Some(parent)) = (leads[state], parent_of(tree, state)) {
            leads[parent] = true;
        }
    }
    leads
}

/// The states to draw: those on the way to an error, then the nearest to the root, with all their ancestors.
fn select(tree: &ExplorationTree, leads_to_error: &[bool], most: usize) -> Vec<bool> {
    let count = tree.nodes.len();
    if count <= most {
        return vec![true; count];
    }
    let mut depth = vec![0usize; count];
    for state in 0..count {
        depth[state] = parent_of(tree, state).map_or(0, |parent| depth[parent] + 1);
    }
    // A parent comes before its child in this order, so every prefix of it is a tree.
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|state| (!leads_to_error[*state], depth[*state], *state));
    let mut drawn = vec![false; count];
    for state in order.into_iter().take(most) {
        drawn[state] = true;
    }
    drawn
}

/// For each state that is drawn, how many states below it are not and have no nearer ancestor that is.
fn omitted_below(tree: &ExplorationTree, drawn: &[bool]) -> Vec<usize> {
    let mut omitted = vec![0usize; tree.nodes.len()];
    for state in (0..tree.nodes.len()).rev() {
        if let (false, Some(parent)) = (drawn[state], parent_of(tree, state)) {
            omitted[parent] += omitted[state] + 1;
        }
    }
    omitted
}

fn lines(state: usize, node: &TreeNode, leads_to_error: bool, omitted: usize) -> Vec<Line> {
    let mut lines = wrapped(Style::Goal, &format!("#{state} {}", node.goal));
    if let Some(number) = node.line {
        lines.push(line(Style::Rule, format!("by the rule of line {number}")));
    }
    let added: Vec<Line> = node
        .added
        .iter()
        .map(|constraint| line(Style::Constraint, constraint.clone()))
        .collect();
    push_some(&mut lines, added);
    let header: Vec<Line> = node
        .header
        .iter()
        .flatten()
        .map(|marked| {
            let style = match marked.mark {
                Mark::Max => Style::Max,
                Mark::Min => Style::Min,
                Mark::Neutral => Style::Neutral,
            };
            line(style, format!("{}{}", mark_label(marked.mark), marked.constraint))
        })
        .collect();
    push_some(&mut lines, header);
    if let Some(interpolant) = &node.interpolant {
        lines.extend(wrapped(Style::Interpolant, &format!("interpolant: {interpolant}")));
    }
    if let Some(ending) = ending_label(node.ending, leads_to_error) {
        lines.push(line(Style::Ending, ending));
    }
    if omitted > 0 {
        lines.push(line(Style::Omission, format!("({omitted} more states below)")));
    }
    lines
}

fn push_some(lines: &mut Vec<Line>, more: Vec<Line>) {
    let count = more.len();
    if count <= MOST_CONSTRAINTS {
        lines.extend(more);
    } else {
        lines.extend(more.into_iter().take(MOST_CONSTRAINTS - 1));
        let rest = count - (MOST_CONSTRAINTS - 1);
        lines.push(line(Style::Omission, format!("({rest} more constraints)")));
    }
}

/// A text broken after commas and semicolons into a few lines; what is still too long is cut.
fn wrapped(style: Style, text: &str) -> Vec<Line> {
    let mut lines: Vec<String> = Vec::new();
    for piece in text.split_inclusive([',', ';']) {
        let full = lines.len() >= MOST_WRAPPED;
        match lines.last_mut() {
            Some(last) if full || last.chars().count() + piece.chars().count() <= LONGEST_LINE => last.push_str(piece),
            Some(_) => lines.push(format!("  {}", piece.trim_start())),
            None => lines.push(piece.to_string()),
        }
    }
    lines.into_iter().map(|text| line(style, text)).collect()
}

fn line(style: Style, text: String) -> Line {
    let single: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = if single.chars().count() > LONGEST_LINE {
        let kept: String = single.chars().take(LONGEST_LINE - 1).collect();
        format!("{kept}…")
    } else {
        single
    };
    Line { style, text }
}

/// How a mark is written before its constraint; all are equally wide.
fn mark_label(mark: Mark) -> &'static str {
    match mark {
        Mark::Max => "max ",
        Mark::Min => "min ",
        Mark::Neutral => "  · ",
    }
}

/// How an ending is written; a state whose rules were all explored says nothing, its children say it.
pub(super) fn ending_label(ending: Ending, leads_to_error: bool) -> Option<String> {
    match ending {
        Ending::Closed => None,
        // The search stops at the error and so leaves the states above it.
        Ending::Abandoned if leads_to_error => None,
        Ending::Infeasible => Some("infeasible".to_string()),
        Ending::Terminal => Some("terminal".to_string()),
        Ending::CoveredByAncestor { by } => Some(format!("covered by its looping parent #{by}")),
        Ending::CoveredByMemo { by } => Some(format!("covered by the interpolant of #{by}")),
        Ending::SpuriousError => Some("spurious error".to_string()),
        Ending::Error => Some("ERROR".to_string()),
        Ending::Abandoned => Some("abandoned".to_string()),
    }
}

impl StateBox {
    /// Whether the state was given up on, so that nothing below it counts.
    pub(super) fn is_abandoned(&self) -> bool {
        self.ending == Ending::Abandoned && !self.leads_to_error
    }

    /// The colours of the box: border and inside.
    pub(super) fn colours(&self) -> (&'static str, &'static str) {
        if self.leads_to_error && self.ending != Ending::Error {
            return ("#a40e26", "#ffffff");
        }
        colours(self.ending)
    }
}

fn colours(ending: Ending) -> (&'static str, &'static str) {
    match ending {
        Ending::Closed => ("#57606a", "#ffffff"),
        Ending::Infeasible => ("#8c959f", "#eef0f2"),
        Ending::Terminal => ("#57606a", "#eef0f2"),
        Ending::CoveredByAncestor { .. } => ("#0550ae", "#e6f1ff"),
        Ending::CoveredByMemo { .. } => ("#6639ba", "#f3edff"),
        Ending::SpuriousError => ("#bc4c00", "#fff1e5"),
        Ending::Error => ("#a40e26", "#ffdce0"),
        Ending::Abandoned => ("#8c959f", "#ffffff"),
    }
}

/// What the signs in a figure mean, for legends.
pub(super) const LEGEND: [(Style, &str, &str); 8] = [
    (
        Style::Goal,
        "#3 p(X)",
        "the state's number and its goal; a double border marks a loop header",
    ),
    (
        Style::Constraint,
        "X >= 0",
        "a constraint that the rule added to the store",
    ),
    (
        Style::Max,
        "max X >= 0",
        "a constraint of the header that the proof needs (kept)",
    ),
    (
        Style::Min,
        "min X = 0",
        "a constraint of the header that does not hold again (given up)",
    ),
    (
        Style::Neutral,
        "  · Y = 1",
        "a constraint of the header that is neither",
    ),
    (
        Style::Interpolant,
        "interpolant: X >= 0",
        "what is enough to keep all dead ends below dead",
    ),
    (
        Style::Ending,
        "covered by ... #1",
        "a dashed edge leads to the state that covers this one",
    ),
    (Style::Ending, "ERROR", "a real error; red borders mark the way to it"),
];

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_large_tree_is_cut_but_the_way_to_the_error_stays() {
        let mut tree = samples::chain(50);
        let mut error = tree.nodes[49].clone();
        error.parent = Some(49);
        error.ending = Ending::Error;
        tree.nodes.push(error);
        for _ in 0..100 {
            let mut leaf = tree.nodes[1].clone();
            leaf.parent = Some(0);
            tree.nodes.push(leaf);
        }
        let boxes = figure_of_at_most(&tree, 60);
        assert_eq!(boxes.len(), 60);
        assert!(boxes.iter().any(|drawn| drawn.ending == Ending::Error));
        let omission = boxes[0].lines.iter().find(|line| line.style == Style::Omission);
        assert_eq!(omission.map(|line| line.text.as_str()), Some("(91 more states below)"));
    }

    #[test]
    fn long_lines_and_long_lists_are_cut() {
        let mut tree = samples::chain(1);
        tree.nodes[0].goal = format!("p({})", "X + 1, ".repeat(150));
        tree.nodes[0].added = (0..30).map(|number| format!("X = {number}")).collect();
        let boxes = figure(&tree);
        let goal: Vec<&Line> = boxes[0].lines.iter().filter(|line| line.style == Style::Goal).collect();
        assert_eq!(goal.len(), MOST_WRAPPED);
        assert_eq!(goal[3].text.chars().count(), LONGEST_LINE);
        assert!(goal[3].text.ends_with('…'));
        assert!(boxes[0].lines.iter().any(|line| line.text == "(21 more constraints)"));
    }

    #[test]
    fn a_tree_out_of_order_is_drawn_as_a_forest() {
        let mut tree = samples::chain(3);
        tree.nodes[1].parent = Some(7);
        tree.nodes[2].ending = Ending::CoveredByMemo { by: 99 };
        let boxes = figure(&tree);
        assert_eq!((boxes[1].parent, boxes[2].covered_by), (None, None));
    }
}
