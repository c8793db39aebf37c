//! A compressed trace as one HTML page that needs nothing else: the iterations that an invariant stands for, and the triples
//! that prove it, are folded behind it.

use super::listing::{InvariantText, Line, Listing, Statement, TripleText};
use crate::report::escape::xml;

const STYLE: &str = "\
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; color: #1d2733; background: #fff; }
table { border-collapse: collapse; width: 100%; }
td { padding: 0.1em 0.8em; vertical-align: top; font-family: ui-monospace, monospace; font-size: 13px; }
td.place { color: #6b7785; text-align: right; white-space: nowrap; width: 1%; }
tr.invariant > td { background: #eef5ff; }
tr.target > td { background: #fff0ee; font-weight: 600; }
summary { cursor: pointer; }
summary b { color: #0b4a99; }
.size, .note { color: #6b7785; font-family: system-ui, sans-serif; }
pre { margin: 0.3em 0 0.3em 1.2em; }
@media (prefers-color-scheme: dark) {
  body { color: #dde4ec; background: #14181d; }
  tr.invariant > td { background: #1b2a3d; } tr.target > td { background: #3a211f; } summary b { color: #8fbcff; }
}
";

/// The page; `title` is usually the file's name.
pub fn html(title: &str, listing: &Listing) -> String {
    let mut rows = String::new();
    for line in &listing.lines {
        match line {
            Line::Statement(statement) => rows.push_str(&row("", statement)),
            Line::Invariant(invariant) => rows.push_str(&invariant_row(invariant)),
        }
    }
    let target = Statement {
        place: listing.target_place.clone(),
        text: format!("TARGET: {}", set(&listing.target)),
    };
    rows.push_str(&row("target", &target));
    let mut notes: Vec<String> = listing
        .unrolled
        .iter()
        .map(|unrolled| {
            format!(
                "The loop at {} was unrolled, times: {}.",
                unrolled.place, unrolled.times
            )
        })
        .collect();
    if listing.inputs_as_read {
        notes.push("Inputs have the values of this run; with others the target need not be implied.".to_string());
    }
    let notes: Vec<String> = notes
        .iter()
        .map(|note| format!("<p class=\"note\">{}</p>", xml(note)))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n<p>{} statements, compressed to {} ({}&nbsp;%); {} Hoare triples prove the invariants.</p>\n\
         <table>\n{rows}</table>\n{}\n</body>\n</html>\n",
        listing.length,
        listing.compressed_length,
        listing.percent(),
        listing.triples,
        notes.join("\n"),
        title = xml(title),
    )
}

fn row(class: &str, statement: &Statement) -> String {
    format!(
        "<tr class=\"{class}\"><td class=\"place\">{}</td><td>{}</td></tr>\n",
        xml(&statement.place),
        xml(&statement.text)
    )
}

fn invariant_row(invariant: &InvariantText) -> String {
    let mut inside = String::new();
    if invariant.discovered != invariant.invariant {
        inside.push_str(&format!(
            "<p class=\"note\">Generalized from {}</p>",
            xml(&set(&invariant.discovered))
        ));
    }
    let iteration: Vec<String> = invariant.first_iteration.iter().map(statement_line).collect();
    inside.push_str(&format!(
        "<details><summary>The first of these iterations</summary><pre>{}</pre></details>",
        iteration.join("\n")
    ));
    if let Some(exit) = &invariant.exit {
        inside.push_str(&format!(
            "<p class=\"note\">Left at {} with {}</p>",
            xml(&exit.place),
            xml(&set(&exit.known))
        ));
    }
    let triples: Vec<String> = invariant.triples.iter().map(triple).collect();
    inside.push_str(&format!(
        "<details><summary>Proof: {} triples</summary>{}</details>",
        invariant.triples.len(),
        triples.join("\n")
    ));
    format!(
        "<tr class=\"invariant\"><td class=\"place\">{}</td><td><details><summary><b>INV: {}</b> \
         <span class=\"size\">iterations: {}, statements: {}</span></summary>{inside}</details></td></tr>\n",
        xml(&invariant.place),
        xml(&set(&invariant.invariant)),
        invariant.iterations,
        invariant.statements,
    )
}

fn triple(triple: &TripleText) -> String {
    let statements: Vec<String> = triple.statements.iter().map(statement_line).collect();
    let after = match &triple.after {
        Some(after) => set(after),
        None => "{false}".to_string(),
    };
    format!(
        "<pre>{}\n  {}\n{}</pre>",
        xml(&set(&triple.before)),
        statements.join("\n  "),
        xml(&after)
    )
}

fn statement_line(statement: &Statement) -> String {
    format!("{}  {}", xml(&statement.place), xml(&statement.text))
}

fn set(conjuncts: &[String]) -> String {
    match conjuncts.is_empty() {
        true => "{true}".to_string(),
        false => format!("{{{}}}", conjuncts.join(", ")),
    }
}
