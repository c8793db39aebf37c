//! Tests of the CLP language: its documentation, what is refused, and that printing and reading are inverse to each other.

mod documentation;
mod properties;
mod reject;
