//! Two plots as SVG, both with logarithmic seconds: how many tasks each tool solves within which time (quantiles), and, for two
//! tools, what each takes for the same task (scatter).

use super::page::escaped;
use crate::bench::rows::{Row, Rows};
use std::fmt::Write;

/// What takes less is drawn as this: starting a process takes about as long.
const LEAST: f64 = 0.01;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
/// Room for what stands beside the axes.
const MARGIN: f64 = 52.0;

/// Where a number of seconds is between the least and the limit, from 0 to 1.
fn share(seconds: f64, limit: f64) -> f64 {
    let limit = limit.max(2.0 * LEAST);
    (seconds.clamp(LEAST, limit) / LEAST).ln() / (limit / LEAST).ln()
}

fn across(share: f64, width: f64) -> f64 {
    MARGIN + share * (width - 2.0 * MARGIN)
}

fn up(share: f64, height: f64) -> f64 {
    height - MARGIN - share * (height - 2.0 * MARGIN)
}

/// The powers of ten below the limit.
fn ticks(limit: f64) -> impl Iterator<Item = f64> {
    (-2..6)
        .map(|power| 10f64.powi(power))
        .filter(move |tick| *tick <= limit)
}

fn opening(width: f64, height: f64, label: &str) -> String {
    let label = escaped(label);
    format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" aria-label=\"{label}\">\n")
}

fn seconds_up(svg: &mut String, limit: f64, (width, height): (f64, f64)) {
    for tick in ticks(limit) {
        let y = up(share(tick, limit), height);
        let (left, right, text) = (MARGIN, width - MARGIN, y + 4.0);
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{left} {y:.1}H{right}\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{text:.1}\" text-anchor=\"end\">{tick} s</text>",
            left - 6.0
        );
    }
}

/// How many tasks are solved within how much time each.
pub fn quantiles(rows: &Rows) -> String {
    let limit = rows.time.as_secs_f64();
    let solved_by = |tool: &str| {
        let solved = rows.of(tool).filter(|row| row.is_solved());
        let mut times: Vec<f64> = solved.map(|row| row.seconds).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let most = rows
        .tools
        .iter()
        .map(|(tool, _)| solved_by(tool).len())
        .max()
        .unwrap_or(0)
        .max(1);
    let mut svg = opening(WIDTH, HEIGHT, "Quantile plot: tasks solved within a time");
    seconds_up(&mut svg, limit, (WIDTH, HEIGHT));
    let at = |count: usize| across(count as f64 / most as f64, WIDTH);
    for part in 0..=4 {
        let count = most * part / 4;
        let (x, y) = (at(count), HEIGHT - MARGIN + 18.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{count}</text>"
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">tasks solved, each within this time</text>",
        WIDTH / 2.0,
        HEIGHT - 10.0
    );
    for (number, (tool, _)) in rows.tools.iter().enumerate() {
        let times = solved_by(tool);
        let points = times
            .iter()
            .enumerate()
            .map(|(before, seconds)| format!("{:.1},{:.1}", at(before + 1), up(share(*seconds, limit), HEIGHT)));
        let color = number % 6;
        let points: Vec<String> = points.collect();
        let _ = writeln!(
            svg,
            "<polyline class=\"line c{color}\" points=\"{}\"/>",
            points.join(" ")
        );
        let y = 20.0 + 18.0 * number as f64;
        let _ = writeln!(
            svg,
            "<text class=\"c{color}\" x=\"{}\" y=\"{y}\">{}: {} solved</text>",
            MARGIN + 8.0,
            escaped(tool),
            times.len()
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// What two tools take for the same task: below the diagonal the second is faster. What is not solved is on the border.
pub fn scatter(rows: &Rows, first: &str, second: &str) -> String {
    let limit = rows.time.as_secs_f64();
    let side = HEIGHT;
    let mut svg = opening(side, side, &format!("Scatter plot: {first} and {second}"));
    seconds_up(&mut svg, limit, (side, side));
    for tick in ticks(limit) {
        let x = across(share(tick, limit), side);
        let (top, bottom) = (MARGIN, side - MARGIN);
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{x:.1} {top}V{bottom}\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick} s</text>",
            bottom + 18.0
        );
    }
    let (low, high) = (MARGIN, side - MARGIN);
    let _ = writeln!(svg, "<path class=\"diagonal\" d=\"M{low} {high}L{high} {low}\"/>");
    let middle = side / 2.0;
    let (x_name, y_name) = (escaped(first), escaped(second));
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{x_name}</text>",
        side - 10.0
    );
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"24\" text-anchor=\"middle\">{y_name} upwards</text>"
    );
    let place = |row: &Row| {
        if row.is_solved() {
            share(row.seconds, limit)
        } else {
            1.04
        }
    };
    for of_task in rows.by_task() {
        let of = |tool: &str| of_task.iter().find(|row| row.tool == tool);
        let (Some(one), Some(other)) = (of(first), of(second)) else {
            continue;
        };
        let class = match (
            one.status.verdict().or(other.status.verdict()),
            one.is_right(),
            other.is_right(),
        ) {
            (_, Some(false), _) | (_, _, Some(false)) => "wrong",
            (Some(true), _, _) => "true",
            (Some(false), _, _) => "false",
            (None, _, _) => continue,
        };
        let (x, y) = (across(place(one), side), up(place(other), side));
        let (name, one, other) = (escaped(&one.task), told(one), told(other));
        let _ = writeln!(
            svg,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{name}\n{one}\n{other}</title></circle>"
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn told(row: &Row) -> String {
    format!("{}: {}, {:.2} s", escaped(&row.tool), row.status.word(), row.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::rows::samples;

    #[test]
    fn seconds_are_between_the_least_and_the_limit() {
        assert_eq!((share(0.0, 10.0), share(99.0, 10.0)), (0.0, 1.0));
        assert!((share(1.0, 100.0) - 0.5).abs() < 1e-9);
        assert!(share(0.5, 0.001).is_finite());
    }

    #[test]
    fn each_tool_has_a_line_and_each_task_of_both_a_point() {
        let rows = samples::rows();
        assert_eq!(quantiles(&rows).matches("<polyline").count(), 2);
        let plot = scatter(&rows, "clausal", "z3");
        assert_eq!(plot.matches("<circle").count(), 2);
        assert!(plot.contains("class=\"wrong\"") && plot.contains("&lt;b&gt;") && !plot.contains("<b>"));
    }
}
