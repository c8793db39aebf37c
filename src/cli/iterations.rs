//! What `clausal infer` says of how often loops run.

use super::arguments::InferArguments;
use clausal::infer::complexity::{self, Case, Solved};
use clausal::infer::{Inference, Notation, PlaceInvariants, Status};
use serde_json::{Value, json};

/// The number of iterations at an end of runs.
pub struct Iterations<'a> {
    inference: &'a Inference,
    place: &'a PlaceInvariants,
    cases: Vec<Case>,
    /// Whether the cases cover all states seen.
    complete: bool,
    /// If they do not: an equality solved for the counter.
    solved: Option<Solved>,
}

impl<'a> Iterations<'a> {
    /// What is known, if it was asked for and the place is an end of runs.
    pub fn of(
        inference: &'a Inference,
        place: &'a PlaceInvariants,
        arguments: &InferArguments,
    ) -> Option<Iterations<'a>> {
        let named = arguments.solve.as_deref();
        let name = named.or(arguments.count.then_some(complexity::COUNTER))?;
        let counter = complexity::counter_column(place, name).filter(|_| place.exit_of.is_some())?;
        let inputs = complexity::inputs(inference, place);
        let (cases, complete) = complexity::iterations(inference, place, counter, &inputs, &[]);
        let solved = if complete {
            None
        } else {
            complexity::solved(place, counter)
        };
        Some(Iterations {
            inference,
            place,
            // Some cases without the others mislead where something says all.
            cases: if solved.is_some() { Vec::new() } else { cases },
            complete,
            solved,
        })
    }

    /// The cases.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// As lines of text.
    pub fn text(&self, notation: Notation) -> String {
        let mut text = String::new();
        for case in &self.cases {
            let certainty = if case.proved { "  (proved)" } else { "" };
            text.push_str(&format!(
                "    {}{certainty}\n",
                case.text(self.inference, self.place, notation)
            ));
        }
        if let Some(solved) = &self.solved {
            let certainty = if solved.status == Status::Proved {
                "  (proved)"
            } else {
                ""
            };
            text.push_str(&format!(
                "    {}{certainty}\n",
                solved.text(self.inference, self.place, notation)
            ));
        } else if !self.complete {
            text.push_str("    in other cases no polynomial was found for the iterations\n");
        }
        text
    }

    /// As JSON.
    pub fn json(&self, notation: Notation) -> Value {
        let case = |case: &Case| {
            json!({
                "iterations": case.bound_text(self.inference, self.place, notation),
                "when": case.conditions(self.inference, self.place, notation),
                "proved": case.proved,
            })
        };
        let cases: Vec<Value> = self.cases.iter().map(case).collect();
        let solved = self.solved.as_ref().map(|solved| {
            json!({
                "iterations": solved.text(self.inference, self.place, notation),
                "proved": solved.status == Status::Proved,
            })
        });
        json!({"cases": cases, "complete": self.complete, "solved": solved})
    }
}
