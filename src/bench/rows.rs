//! What came of the runs, in the order of the tasks, and what it adds up to.

use super::plan::Job;
use super::tools::Tool;
use super::verdict::Status;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What came of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The key of the run in the plan.
    pub key: String,
    /// The task.
    pub task: String,
    /// The tool.
    pub tool: String,
    /// What was found.
    pub status: Status,
    /// Whether the property holds, if that is known.
    pub expected: Option<bool>,
    /// Seconds by the clock.
    pub seconds: f64,
    /// Seconds of processors, by all processes that were waited for.
    pub cpu_seconds: f64,
    /// The most memory that was seen, in bytes.
    pub memory: u64,
    /// What is to be said beside the status.
    pub detail: String,
}

impl Row {
    /// Whether the verdict is the expected one, if both are there.
    pub fn is_right(&self) -> Option<bool> {
        Some(self.status.verdict()? == self.expected?)
    }

    /// Whether there is a verdict that is not known to be wrong.
    pub fn is_solved(&self) -> bool {
        self.status.verdict().is_some() && self.is_right() != Some(false)
    }

    /// The row as a line of text.
    pub fn line(&self) -> String {
        let wrong = if self.is_right() == Some(false) { " WRONG" } else { "" };
        let detail = match self.detail.as_str() {
            "" => String::new(),
            detail => format!(" {detail}"),
        };
        let (task, tool) = (&self.task, &self.tool);
        format!(
            "{:8.2} s  {tool}: {task}: {}{wrong}{detail}",
            self.seconds,
            self.status.word()
        )
    }
}

/// Rows by task and by tool.
pub struct Rows {
    /// The tools' names and commands.
    pub tools: Vec<(String, String)>,
    /// The limit, for scores.
    pub time: Duration,
    rows: Vec<Option<Row>>,
}

/// What the rows of a tool add up to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The tool.
    pub tool: String,
    /// Its command.
    pub command: String,
    /// Verdicts that are not known to be wrong.
    pub solved: usize,
    /// … of them, that the property holds.
    pub solved_true: usize,
    /// … of them, that it is violated.
    pub solved_false: usize,
    /// Verdicts that are not the expected ones.
    pub wrong: usize,
    /// Runs that ended without a verdict.
    pub unknown: usize,
    /// Runs that took too long.
    pub timeouts: usize,
    /// Runs that took too much memory.
    pub out_of_memory: usize,
    /// Crashes and refusals.
    pub errors: usize,
    /// Seconds by the clock for what is solved, and twice the limit for what is not, in the mean.
    pub par2: f64,
    /// Seconds of processors in all.
    pub cpu_seconds: f64,
}

impl Rows {
    /// A place for each run.
    pub fn new(plan: &[Job], tools: &[Tool], time: Duration) -> Rows {
        Rows {
            tools: tools.iter().map(|tool| (tool.name.clone(), tool.text())).collect(),
            time,
            rows: plan.iter().map(|_| None).collect(),
        }
    }

    /// Puts a row into its place.
    pub fn put(&mut self, position: usize, row: Row) {
        if let Some(place) = self.rows.get_mut(position) {
            *place = Some(row);
        }
    }

    /// The rows that are there.
    pub fn finished(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().flatten()
    }

    /// The rows of a tool.
    pub fn of<'a>(&'a self, tool: &'a str) -> impl Iterator<Item = &'a Row> {
        self.finished().filter(move |row| row.tool == tool)
    }

    /// The rows task by task, one for each tool that has come to it.
    pub fn by_task(&self) -> Vec<Vec<&Row>> {
        let count = self.tools.len().max(1);
        let tasks = self.rows.chunks(count).map(|rows| rows.iter().flatten().collect());
        tasks.filter(|rows: &Vec<&Row>| !rows.is_empty()).collect()
    }

    /// Whether any verdict is known to be wrong.
    pub fn any_wrong(&self) -> bool {
        self.finished().any(|row| row.is_right() == Some(false))
    }

    /// What the rows of each tool add up to.
    pub fn summaries(&self) -> Vec<Summary> {
        let limit = self.time.as_secs_f64();
        let of_tool = |(tool, command): &(String, String)| {
            let count = |is: &dyn Fn(&Row) -> bool| self.of(tool).filter(|row| is(row)).count();
            let with = |status| count(&|row: &Row| row.status == status);
            let runs = self.of(tool).count().max(1);
            let score = |row: &Row| if row.is_solved() { row.seconds } else { 2.0 * limit };
            Summary {
                tool: tool.clone(),
                command: command.clone(),
                solved: count(&Row::is_solved),
                solved_true: count(&|row| row.is_solved() && row.status == Status::True),
                solved_false: count(&|row| row.is_solved() && row.status == Status::False),
                wrong: count(&|row| row.is_right() == Some(false)),
                unknown: with(Status::Unknown),
                timeouts: with(Status::Timeout),
                out_of_memory: with(Status::Memory),
                errors: with(Status::Error),
                par2: self.of(tool).map(score).sum::<f64>() / runs as f64,
                cpu_seconds: self.of(tool).map(|row| row.cpu_seconds).sum(),
            }
        };
        self.tools.iter().map(of_tool).collect()
    }
}

#[cfg(test)]
pub mod samples {
    use super::*;
    use std::path::Path;

    /// Two tools on three tasks; the second has not come to the last.
    pub fn rows() -> Rows {
        let tools = [
            Tool::other("clausal {file}", &[]).expect("a command"),
            Tool::other("z3 {file}", &[]).expect("a command"),
        ];
        let mut rows = Rows {
            rows: vec![None; 6],
            ..Rows::new(&[], &tools, Duration::from_secs(10))
        };
        let outcomes = [
            ("a.clp", Some(true), [(Status::True, 0.5), (Status::Timeout, 10.0)]),
            ("<b>.clp", Some(false), [(Status::False, 2.0), (Status::True, 0.02)]),
            ("c.clp", None, [(Status::Unknown, 1.0), (Status::Error, 0.0)]),
        ];
        for (task, (name, expected, by_tool)) in outcomes.into_iter().enumerate() {
            for (tool, (status, seconds)) in by_tool.into_iter().enumerate() {
                if (task, tool) == (2, 1) {
                    continue;
                }
                rows.put(
                    2 * task + tool,
                    Row {
                        key: format!("{task}-{tool}"),
                        task: Path::new("dir").join(name).display().to_string(),
                        tool: tools[tool].name.clone(),
                        status,
                        expected,
                        seconds,
                        cpu_seconds: seconds,
                        memory: 5_000_000,
                        detail: String::new(),
                    },
                );
            }
        }
        rows
    }

    #[test]
    fn a_wrong_verdict_solves_nothing() {
        let summaries = rows().summaries();
        assert_eq!(
            (summaries[0].solved, summaries[0].wrong, summaries[0].unknown),
            (2, 0, 1)
        );
        assert_eq!(
            (summaries[1].solved, summaries[1].wrong, summaries[1].timeouts),
            (0, 1, 1)
        );
        assert!((summaries[1].par2 - 20.0).abs() < 1e-9 && (summaries[0].par2 - 7.5).abs() < 1e-9);
        assert!(rows().any_wrong());
    }
}
