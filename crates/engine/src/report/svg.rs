//! The exploration tree as SVG, drawn without any other program: the boxes of the figure where the layout puts them.

use super::escape;
use super::figure::{self, Line, StateBox, Style};
use super::layout::{self, Layout, Size};
use crate::engine::{Ending, ExplorationTree};

const FONT: &str = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace";
/// The width of a character at [`FONT_SIZE`], a little more than in the widest of the fonts.
const CHARACTER_WIDTH: f64 = 7.4;
const FONT_SIZE: f64 = 12.0;
const LINE_HEIGHT: f64 = 17.0;
const PADDING: f64 = 9.0;
const MARGIN: f64 = 24.0;
/// Space between the legend and the tree.
const LEGEND_GAP: f64 = 36.0;

/// The tree as a complete SVG file with its legend.
///
/// ```
/// # use clausal_engine as clausal;
/// let tree = clausal::engine::ExplorationTree::default();
/// assert!(clausal::report::tree_svg(&tree).starts_with("<svg "));
/// ```
pub fn tree_svg(tree: &ExplorationTree) -> String {
    let drawing = draw(tree);
    let (legend, legend_size) = legend();
    let top = 2.0 * MARGIN + legend_size.height + LEGEND_GAP - MARGIN;
    let width = drawing.size.width.max(legend_size.width) + 2.0 * MARGIN;
    let height = top + drawing.size.height + MARGIN;
    format!(
        "{}<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n\
         <g transform=\"translate({MARGIN},{MARGIN})\">\n{legend}</g>\n\
         <g transform=\"translate({MARGIN},{top:.0})\">\n{}</g>\n</svg>\n",
        opening(Size { width, height }, "xmlns=\"http://www.w3.org/2000/svg\""),
        drawing.content
    )
}

/// A drawing without its frame.
pub(super) struct Drawing {
    pub(super) content: String,
    pub(super) size: Size,
}

/// The opening tag of a drawing with the styles and arrow heads that its content needs.
pub(super) fn opening(size: Size, attributes: &str) -> String {
    let Size { width, height } = size;
    format!(
        "<svg {attributes} width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"{FONT}\" font-size=\"{FONT_SIZE}\" role=\"img\">\n\
         <title>Exploration tree</title>\n\
         <defs>\n\
         <marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <path d=\"M0 0.5L7.5 4L0 7.5z\" fill=\"#57606a\"/></marker>\n\
         {}{}\n\
         </defs>\n",
        open_arrow("by-ancestor", "#0550ae"),
        open_arrow("by-memo", "#6639ba")
    )
}

fn open_arrow(id: &str, colour: &str) -> String {
    format!(
        "<marker id=\"{id}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <path d=\"M0 0.5L7.5 4L0 7.5\" fill=\"none\" stroke=\"{colour}\"/></marker>"
    )
}

/// Draws the tree: edges first, so that no edge ever crosses a text.
pub(super) fn draw(tree: &ExplorationTree) -> Drawing {
    let boxes = figure::figure(tree);
    let parents: Vec<Option<usize>> = boxes.iter().map(|state| state.parent).collect();
    let sizes: Vec<Size> = boxes.iter().map(|state| measure(&state.lines)).collect();
    let layout = layout::lay_out(&parents, &sizes);
    let mut content = String::new();
    for (position, state) in boxes.iter().enumerate() {
        if let Some(parent) = state.parent {
            content.push_str(&reduction_edge(&layout, &sizes, &boxes, parent, position));
        }
    }
    for (position, state) in boxes.iter().enumerate() {
        if let Some(by) = state.covered_by {
            content.push_str(&cover_edge(&layout, &sizes, &boxes, position, by));
        }
    }
    for (position, state) in boxes.iter().enumerate() {
        let place = layout.places[position];
        let left = place.centre - sizes[position].width / 2.0;
        content.push_str(&draw_box(
            state,
            sizes[position],
            left,
            place.top,
            &tree.nodes[state.state].rule,
        ));
    }
    Drawing {
        content,
        size: layout.size,
    }
}

fn measure(lines: &[Line]) -> Size {
    let widest = lines.iter().map(|line| columns(&line.text)).max().unwrap_or(0);
    Size {
        width: widest as f64 * CHARACTER_WIDTH + 2.0 * PADDING,
        height: lines.len() as f64 * LINE_HEIGHT + 2.0 * PADDING,
    }
}

/// How many columns a text takes; characters outside ASCII may be twice as wide.
fn columns(text: &str) -> usize {
    let widths = text
        .chars()
        .map(|c| if c.is_ascii() || c == '…' || c == '·' { 1 } else { 2 });
    widths.sum()
}

/// From a box straight down to the end of its row, past its neighbours, then over to the child.
fn reduction_edge(layout: &Layout, sizes: &[Size], boxes: &[StateBox], parent: usize, child: usize) -> String {
    let (from, to) = (layout.places[parent], layout.places[child]);
    let start = from.top + sizes[parent].height;
    let middle = (from.row_bottom + to.top) / 2.0;
    let dotted = if boxes[child].is_abandoned() {
        " stroke-dasharray=\"2 3\""
    } else {
        ""
    };
    format!(
        "<path class=\"edge\" data-to=\"{}\" d=\"M{:.0} {start:.0}V{:.0}C{:.0} {middle:.0} {:.0} {middle:.0} {:.0} {:.0}\" \
         fill=\"none\" stroke=\"#57606a\" stroke-width=\"1.2\" marker-end=\"url(#arrow)\"{dotted}/>\n",
        boxes[child].state, from.centre, from.row_bottom, from.centre, to.centre, to.centre, to.top
    )
}

/// From the side of a covered box to the near side of the one that covers it, dashed.
fn cover_edge(layout: &Layout, sizes: &[Size], boxes: &[StateBox], covered: usize, by: usize) -> String {
    let (from, to) = (layout.places[covered], layout.places[by]);
    let (from_half, to_half) = (sizes[covered].width / 2.0, sizes[by].width / 2.0);
    // Around the outside if one stands above the other, otherwise straight towards it.
    let overlapping = (from.centre - to.centre).abs() < from_half + to_half;
    let leaves_right = from.centre >= to.centre && overlapping || from.centre < to.centre && !overlapping;
    let out = if leaves_right { 1.0 } else { -1.0 };
    let back = if overlapping { out } else { -out };
    let (x1, y1) = (from.centre + out * from_half, from.top + sizes[covered].height / 2.0);
    let (x2, y2) = (to.centre + back * to_half, to.top + sizes[by].height / 2.0);
    let bulge = 50.0;
    let (border, _) = boxes[covered].colours();
    let arrow = match boxes[covered].ending {
        Ending::CoveredByMemo { .. } => "by-memo",
        _ => "by-ancestor",
    };
    format!(
        "<path class=\"cover\" data-to=\"{}\" data-by=\"{}\" d=\"M{x1:.0} {y1:.0}C{:.0} {y1:.0} {:.0} {y2:.0} {x2:.0} {y2:.0}\" \
         fill=\"none\" stroke=\"{border}\" stroke-width=\"1.4\" stroke-dasharray=\"6 4\" marker-end=\"url(#{arrow})\"/>\n",
        boxes[covered].state,
        boxes[by].state,
        x1 + out * bulge,
        x2 + back * bulge
    )
}

fn draw_box(state: &StateBox, size: Size, left: f64, top: f64, rule: &str) -> String {
    let (border, inside) = state.colours();
    let Size { width, height } = size;
    let outline = match (state.is_abandoned(), state.leads_to_error) {
        (true, _) => " stroke-dasharray=\"2 3\"",
        (_, true) => " stroke-width=\"2.4\"",
        _ => "",
    };
    let mut text = format!(
        "<g class=\"state\" data-state=\"{}\" transform=\"translate({left:.0},{top:.0})\">\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"5\" fill=\"{inside}\" stroke=\"{border}\"{outline}/>",
        state.state
    );
    if state.is_header {
        text.push_str(&format!(
            "<rect x=\"3\" y=\"3\" width=\"{:.0}\" height=\"{:.0}\" rx=\"3\" fill=\"none\" stroke=\"{border}\"/>",
            width - 6.0,
            height - 6.0
        ));
    }
    for (position, line) in state.lines.iter().enumerate() {
        text.push_str(&draw_line(
            line,
            PADDING,
            PADDING + (position as f64 + 0.75) * LINE_HEIGHT,
        ));
    }
    if !rule.is_empty() {
        text.push_str(&format!("<title>{}</title>", escape::xml(rule)));
    }
    text.push_str("</g>\n");
    text
}

fn draw_line(line: &Line, x: f64, y: f64) -> String {
    let look = match line.style {
        Style::Goal => "fill=\"#1f2328\" font-weight=\"bold\"",
        Style::Constraint => "fill=\"#1f2328\"",
        Style::Rule | Style::Omission | Style::Neutral => "fill=\"#59636e\"",
        Style::Max => "fill=\"#116329\" font-weight=\"bold\"",
        Style::Min => "fill=\"#a40e26\" text-decoration=\"line-through\"",
        Style::Interpolant => "fill=\"#0550ae\" font-style=\"italic\"",
        Style::Ending => "fill=\"#1f2328\" font-weight=\"bold\" font-style=\"italic\"",
    };
    format!(
        "<text x=\"{x:.0}\" y=\"{y:.1}\" xml:space=\"preserve\" {look}>{}</text>",
        escape::xml(&line.text)
    )
}

/// The legend, one sign and its meaning in each line.
fn legend() -> (String, Size) {
    let sign_columns = figure::LEGEND
        .iter()
        .map(|(_, sign, _)| columns(sign))
        .max()
        .unwrap_or(0);
    let meaning_columns = figure::LEGEND
        .iter()
        .map(|(_, _, meaning)| columns(meaning))
        .max()
        .unwrap_or(0);
    let meaning_left = PADDING + (sign_columns + 2) as f64 * CHARACTER_WIDTH;
    let size = Size {
        width: meaning_left + meaning_columns as f64 * CHARACTER_WIDTH + PADDING,
        height: figure::LEGEND.len() as f64 * LINE_HEIGHT + 2.0 * PADDING,
    };
    let mut text = format!(
        "<rect width=\"{:.0}\" height=\"{:.0}\" rx=\"5\" fill=\"#f6f8fa\" stroke=\"#d1d9e0\"/>\n",
        size.width, size.height
    );
    for (position, (style, sign, meaning)) in figure::LEGEND.into_iter().enumerate() {
        let y = PADDING + (position as f64 + 0.75) * LINE_HEIGHT;
        let explained = |style, text: &str| Line {
            style,
            text: text.to_string(),
        };
        text.push_str(&draw_line(&explained(style, sign), PADDING, y));
        text.push_str(&draw_line(&explained(Style::Rule, meaning), meaning_left, y));
        text.push('\n');
    }
    (text, size)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_tree_of_a_loop() {
        samples::assert_snapshot("tree_svg", tree_svg(&samples::tree()));
    }

    #[test]
    fn wide_characters_are_given_room() {
        assert_eq!(columns("ab…"), 3);
        assert_eq!(columns("\u{6f22}"), 2);
    }
}
