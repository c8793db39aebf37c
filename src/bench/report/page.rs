//! The page: sums, plots, and a table that can be searched and sorted; one file that needs nothing else.

use super::plots;
use crate::bench::rows::{Row, Rows};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub fn html(rows: &Rows, left: usize) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>clausal bench</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>clausal bench</h1>\n"
    );
    let limit = rows.time.as_secs_f64();
    let _ = writeln!(page, "<p>Limit: {limit} s by the clock for each run.</p>");
    if left > 0 {
        let _ = writeln!(page, "<p class=\"wrong\">{left} runs are still to be done.</p>");
    }
    sums(&mut page, rows);
    let _ = writeln!(
        page,
        "<div class=\"plots\">\n<figure>{}</figure>",
        plots::quantiles(rows)
    );
    if let Some(((first, _), others)) = rows.tools.split_first() {
        for (other, _) in others {
            let _ = writeln!(page, "<figure>{}</figure>", plots::scatter(rows, first, other));
        }
    }
    page.push_str("</div>\n");
    table(&mut page, rows);
    let _ = write!(page, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

fn sums(page: &mut String, rows: &Rows) {
    page.push_str("<table class=\"sums\">\n<tr><th>tool</th><th>solved</th><th>true</th><th>false</th><th>wrong</th>");
    page.push_str("<th>unknown</th><th>timeout</th><th>memory</th><th>error</th><th>PAR-2</th><th>CPU</th></tr>\n");
    for sum in rows.summaries() {
        let wrong = if sum.wrong > 0 { " class=\"wrong\"" } else { "" };
        let (tool, command) = (escaped(&sum.tool), escaped(&sum.command));
        let _ = writeln!(
            page,
            "<tr><th title=\"{command}\">{tool}</th><td>{}</td><td>{}</td><td>{}</td><td{wrong}>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{:.2} s</td><td>{:.1} s</td></tr>",
            sum.solved,
            sum.solved_true,
            sum.solved_false,
            sum.wrong,
            sum.unknown,
            sum.timeouts,
            sum.out_of_memory,
            sum.errors,
            sum.par2,
            sum.cpu_seconds,
        );
    }
    page.push_str("</table>\n");
}

fn table(page: &mut String, rows: &Rows) {
    page.push_str("<p><label>Search <input id=\"search\" type=\"search\" placeholder=\"a task, a status\"></label> ");
    page.push_str("<span id=\"shown\"></span></p>\n<table id=\"tasks\">\n<thead><tr><th>task</th><th>expected</th>");
    for (tool, _) in &rows.tools {
        let tool = escaped(tool);
        let _ = write!(page, "<th>{tool}</th><th>s</th><th>MB</th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for of_task in rows.by_task() {
        let Some(first) = of_task.first() else { continue };
        let expected = first
            .expected
            .map_or("", |expected| if expected { "true" } else { "false" });
        let _ = write!(page, "<tr><td>{}</td><td>{expected}</td>", escaped(&first.task));
        for (tool, _) in &rows.tools {
            match of_task.iter().find(|row| row.tool == *tool) {
                Some(row) => cells(page, row),
                None => page.push_str("<td></td><td></td><td></td>"),
            }
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table>\n");
}

fn cells(page: &mut String, row: &Row) {
    let class = match row.is_right() {
        Some(false) => "wrong",
        _ => row.status.word(),
    };
    let (status, detail) = (row.status.word(), escaped(&row.detail));
    let megabytes = row.memory >> 20;
    let seconds = row.seconds;
    let _ = write!(
        page,
        "<td class=\"{class}\" title=\"{detail}\">{status}</td><td>{seconds:.2}</td><td>{megabytes}</td>"
    );
}

/// A text that is no markup, in an element or an attribute.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::rows::samples;

    #[test]
    fn the_page_needs_nothing_else_and_takes_no_markup_from_names() {
        let page = html(&samples::rows(), 1);
        assert!(page.contains("1 runs are still") && page.contains("&lt;b&gt;.clp"));
        assert!(!page.contains("<b>") && !page.contains("http:") && !page.contains("src="));
        assert_eq!(page.matches("<tr>").count(), 3 + 1 + 3);
    }
}
