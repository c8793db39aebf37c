//! Tests of the program `clausal` as a user meets it: files in, texts and exit codes out.

#[cfg(unix)]
mod bench;
mod c;
mod calls;
mod check;
mod compress;
mod explore;
mod functions;
mod hints;
mod infer;
mod input;
mod output;
mod readme;
mod shell;
mod solve;
mod support;
mod svcomp;
mod terms;
#[path = "../shared/together.rs"]
mod together;
mod translate;
mod usage;
mod verify;
mod witness_meaning;
