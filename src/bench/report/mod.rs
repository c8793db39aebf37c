//! What is written of the rows: a table for spreadsheets, an object for programs, a page to look at, and a text.

mod page;
mod plots;
mod table;

pub use page::html;
pub use table::{csv, json, text};
