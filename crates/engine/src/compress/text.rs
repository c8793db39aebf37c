//! A compressed trace as text, laid out as the seed's Fig. 2.

use super::listing::{InvariantText, Line, Listing, Statement, TripleText};

/// More lines than twice this are cut in the middle.
const LINES_AT_EACH_END: usize = 120;

/// The compressed trace, what became how much shorter, and where loops were unrolled.
pub fn text(listing: &Listing) -> String {
    let mut out = format!(
        "{} statements, compressed to {} ({} %)\n\n",
        listing.length,
        listing.compressed_length,
        listing.percent()
    );
    let width = width(listing);
    let count = listing.lines.len();
    let omitted = match count > 2 * LINES_AT_EACH_END {
        true => LINES_AT_EACH_END..count - LINES_AT_EACH_END,
        false => count..count,
    };
    for (position, line) in listing.lines.iter().enumerate() {
        if position == omitted.start {
            out.push_str(&format!("  … {} more lines\n", omitted.len()));
        }
        // An invariant is what somebody wants to see.
        if omitted.contains(&position) && matches!(line, Line::Statement(_)) {
            continue;
        }
        match line {
            Line::Statement(statement) => push(&mut out, width, statement),
            Line::Invariant(invariant) => {
                let shown = format!("INV: {}", set(&invariant.invariant));
                out.push_str(&format!("  {:width$}  {shown}", invariant.place));
                out.push_str(&format!("    … {}\n", size(invariant)));
                if let Some(exit) = &invariant.exit {
                    out.push_str(&format!(
                        "  {:width$}  left here with {}\n",
                        exit.place,
                        set(&exit.known)
                    ));
                }
            }
        }
    }
    out.push_str(&format!(
        "  {:width$}  TARGET: {}\n",
        listing.target_place,
        set(&listing.target)
    ));
    let mut notes = Vec::new();
    for line in &listing.lines {
        if let Line::Invariant(invariant) = line
            && invariant.discovered != invariant.invariant
        {
            notes.push(format!(
                "at {}: generalized from {}",
                invariant.place,
                set(&invariant.discovered)
            ));
        }
    }
    for unrolled in &listing.unrolled {
        let times = match unrolled.times {
            1 => "once".to_string(),
            times => format!("{times} times"),
        };
        notes.push(format!("at {}: unrolled {times}", unrolled.place));
    }
    if listing.triples > 0 {
        let checked = match listing.obligations {
            Some(_) => ", checked",
            None => "",
        };
        notes.push(format!(
            "{} Hoare triples prove the invariants{checked}",
            listing.triples
        ));
    }
    if listing.inputs_as_read {
        notes.push("inputs have the values of this run; with others the target need not be implied".to_string());
    }
    if !notes.is_empty() {
        out.push('\n');
    }
    for note in notes {
        out.push_str(&format!("{note}\n"));
    }
    out
}

/// The Hoare triples of all invariants.
pub fn triples_text(listing: &Listing) -> String {
    let mut out = String::new();
    for line in &listing.lines {
        let Line::Invariant(invariant) = line else {
            continue;
        };
        out.push_str(&format!(
            "At {}, {} is invariant:\n",
            invariant.place,
            set(&invariant.invariant)
        ));
        for triple in &invariant.triples {
            out.push_str(&triple_text(triple));
        }
        out.push('\n');
    }
    out
}

fn triple_text(triple: &TripleText) -> String {
    let mut out = format!("  {}\n", set(&triple.before));
    for statement in &triple.statements {
        out.push_str(&format!("      {}  {}\n", statement.place, statement.text));
    }
    match &triple.after {
        Some(after) => out.push_str(&format!("  {}\n\n", set(after))),
        None => out.push_str("  {false}: this cannot happen\n\n"),
    }
    out
}

fn size(invariant: &InvariantText) -> String {
    let iterations = match invariant.iterations {
        1 => "1 iteration".to_string(),
        count => format!("{count} iterations"),
    };
    let statements = match invariant.statements {
        1 => "1 statement".to_string(),
        count => format!("{count} statements"),
    };
    format!("{iterations}, {statements}")
}

/// A conjunction as the seed writes it.
fn set(conjuncts: &[String]) -> String {
    match conjuncts.is_empty() {
        true => "{true}".to_string(),
        false => format!("{{{}}}", conjuncts.join(", ")),
    }
}

fn push(out: &mut String, width: usize, statement: &Statement) {
    out.push_str(&format!("  {:width$}  {}\n", statement.place, statement.text));
}

fn width(listing: &Listing) -> usize {
    let places = listing.lines.iter().map(|line| match line {
        Line::Statement(statement) => &statement.place,
        Line::Invariant(invariant) => &invariant.place,
    });
    let places = places.chain([&listing.target_place]);
    places.map(|place| place.chars().count()).max().unwrap_or(0)
}
