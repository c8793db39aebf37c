//! Rows as CSV, as JSON, and what they add up to as text.

use crate::bench::rows::{Row, Rows, Summary};
use serde::Serialize;

/// The columns of the table.
const COLUMNS: [&str; 9] = [
    "task",
    "tool",
    "status",
    "expected",
    "correct",
    "seconds",
    "cpu_seconds",
    "memory_bytes",
    "detail",
];

/// A line for each run.
///
/// # Errors
/// The table cannot be written, which only a lack of memory can cause.
pub fn csv(rows: &Rows) -> Result<String, String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let word = |value: Option<bool>| value.map_or(String::new(), |value| value.to_string());
    let cells = |row: &Row| {
        [
            row.task.clone(),
            row.tool.clone(),
            row.status.word().to_string(),
            word(row.expected),
            word(row.is_right()),
            format!("{:.3}", row.seconds),
            format!("{:.3}", row.cpu_seconds),
            row.memory.to_string(),
            row.detail.clone(),
        ]
    };
    table.write_record(COLUMNS).map_err(|error| error.to_string())?;
    for row in rows.finished() {
        table.write_record(cells(row)).map_err(|error| error.to_string())?;
    }
    let bytes = table.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

#[derive(Serialize)]
struct Report<'a> {
    time_limit_seconds: f64,
    runs_left: usize,
    tools: Vec<Summary>,
    rows: Vec<&'a Row>,
}

/// One object: the limit, what each tool's rows add up to, and the rows.
pub fn json(rows: &Rows, left: usize) -> String {
    let report = Report {
        time_limit_seconds: rows.time.as_secs_f64(),
        runs_left: left,
        tools: rows.summaries(),
        rows: rows.finished().collect(),
    };
    // Only maps with keys that are not text cannot be written, and there are none.
    format!("{}\n", serde_json::to_string_pretty(&report).unwrap_or_default())
}

/// What each tool's rows add up to.
pub fn text(rows: &Rows) -> String {
    let mut lines = vec![
        [
            "", "solved", "true", "false", "wrong", "unknown", "timeout", "memory", "error", "PAR-2 s", "CPU s",
        ]
        .map(str::to_string)
        .to_vec(),
    ];
    for summary in rows.summaries() {
        let Summary {
            tool,
            solved,
            solved_true,
            solved_false,
            wrong,
            unknown,
            timeouts,
            out_of_memory,
            errors,
            par2,
            cpu_seconds,
            ..
        } = summary;
        let counts = [
            solved,
            solved_true,
            solved_false,
            wrong,
            unknown,
            timeouts,
            out_of_memory,
            errors,
        ];
        let mut line = vec![tool];
        line.extend(counts.iter().map(ToString::to_string));
        line.extend([format!("{par2:.2}"), format!("{cpu_seconds:.1}")]);
        lines.push(line);
    }
    let width = |column: usize| {
        let lengths = lines.iter().filter_map(|line| Some(line.get(column)?.chars().count()));
        lengths.max().unwrap_or(0)
    };
    let shown = lines.iter().map(|line| {
        let cells = line.iter().enumerate().map(|(column, cell)| match column {
            0 => format!("{cell:width$}", width = width(0)),
            _ => format!("  {cell:>width$}", width = width(column)),
        });
        format!("{}\n", cells.collect::<String>().trim_end())
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::rows::samples;

    #[test]
    fn a_line_for_each_run() {
        let rows = samples::rows();
        let table = csv(&rows).expect("a table");
        assert_eq!(table.lines().count(), 6);
        assert!(
            table.contains("dir/<b>.clp,z3,true,false,false,0.020,0.020,5000000,\n"),
            "{table}"
        );
    }

    #[test]
    fn sums_stand_below_their_names() {
        let shown = text(&samples::rows());
        let expected = "         solved  true  false  wrong  unknown  timeout  memory  error  PAR-2 s  CPU s
clausal       2     1      1      0        1        0       0      0     7.50    3.5
z3            0     0      0      1        0        1       0      0    20.00   10.0
";
        assert_eq!(shown, expected);
    }

    #[test]
    fn the_object_has_everything() {
        let object: serde_json::Value = serde_json::from_str(&json(&samples::rows(), 1)).expect("JSON");
        assert_eq!(object["runs_left"], 1);
        assert_eq!(object["tools"][0]["solved"], 2);
        assert_eq!(object["rows"].as_array().map(Vec::len), Some(5));
    }
}
