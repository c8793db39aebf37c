//! Reports: outcomes as text, JSON and figures.
//!
//! Everything here returns a [`String`] and prints nothing. [`proof`] and [`findings`] are stable text without times, the
//! thing to snapshot; [`json()`] is for machines; [`tree_dot`], [`tree_svg`] and [`tree_html`] draw the exploration tree as the
//! figures of seeds 003 and 004 do, and [`rules_dot()`] draws the rules.

mod compact;
mod definitions;
mod dot;
pub(crate) mod escape;
mod exploration;
mod figure;
mod html;
mod json;
mod layout;
mod proof;
mod rules_dot;
mod summary;
mod svg;
mod symbolic;
mod turns;
mod wording;

#[cfg(test)]
mod samples;

pub use compact::{compact_dot, compact_html, compact_svg};
pub use dot::tree_dot;
pub use exploration::closed_text;
pub use exploration::{exploration_findings, exploration_json, exploration_proof, exploration_summary, finding_line};
pub use html::tree_html;
pub use json::json;
pub use proof::{findings, proof};
pub use rules_dot::rules_dot;
pub use summary::{statistics_rows, summary};
pub use svg::tree_svg;
pub use turns::{turns_json, turns_text};
pub use wording::{advice, verdict_line, verdict_word};
