//! What a verification cost, for people.

use crate::engine::Statistics;

/// The statistics as one line.
///
/// ```
/// # use clausal_engine as clausal;
/// let line = clausal::report::summary(&clausal::engine::Statistics::default());
/// assert_eq!(line, "0 states, 0 subsumed, 0 unrollings, 0 restarts, 0 solver queries (0 by Z3), 0.00 s");
/// ```
pub fn summary(statistics: &Statistics) -> String {
    let subsumed = statistics.subsumed_by_ancestor + statistics.subsumed_by_memo;
    let mut line = format!(
        "{}, {subsumed} subsumed, {}, {}, {} ({} by Z3)",
        counted(statistics.states, "state", "states"),
        counted(statistics.unrollings, "unrolling", "unrollings"),
        counted(statistics.restarts, "restart", "restarts"),
        counted(statistics.solver.queries, "solver query", "solver queries"),
        statistics.solver.z3.settled,
    );
    if statistics.solver.unknown > 0 {
        line.push_str(&format!(", {} unsettled", statistics.solver.unknown));
    }
    line.push_str(&format!(", {:.2} s", statistics.seconds));
    // Less would be shown as 0.00.
    if statistics.checking_seconds >= 0.005 {
        line.push_str(&format!(" and {:.2} s for checking", statistics.checking_seconds));
    }
    line
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The statistics as a table: what is counted, and its value.
pub fn statistics_rows(statistics: &Statistics) -> Vec<(&'static str, String)> {
    let solver = &statistics.solver;
    vec![
        ("States", statistics.states.to_string()),
        ("Infeasible states", statistics.infeasible.to_string()),
        (
            "Covered by a looping parent",
            statistics.subsumed_by_ancestor.to_string(),
        ),
        ("Covered by the memo table", statistics.subsumed_by_memo.to_string()),
        ("Restarts", statistics.restarts.to_string()),
        ("Revisions", statistics.revisions.to_string()),
        ("Unrollings", statistics.unrollings.to_string()),
        ("Longest derivation", statistics.depth.to_string()),
        ("Interpolants", statistics.interpolants.to_string()),
        ("Solver queries", solver.queries.to_string()),
        ("Settled at a glance", solver.syntactic.settled.to_string()),
        ("Settled by linear arithmetic", solver.linear.settled.to_string()),
        ("Settled by Z3", solver.z3.settled.to_string()),
        ("Unsettled", solver.unknown.to_string()),
        ("Exploration", format!("{:.2} s", statistics.seconds)),
        ("Checking", format!("{:.2} s", statistics.checking_seconds)),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_line_counts_in_words() {
        let (_, mut outcome) = samples::safe();
        outcome.statistics.solver.unknown = 2;
        outcome.statistics.restarts = 1;
        let rows = statistics_rows(&outcome.statistics);
        let table: Vec<String> = rows.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let text = format!("{}\n\n{}\n", summary(&outcome.statistics), table.join("\n"));
        samples::assert_snapshot("summary", text);
    }
}
