//! The program `clausal`: the command line over the library. Everything it does is in `cli`, and what that decides is in the
//! library, but for running many tasks (`bench`), which is about processes.

// As in the library.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented
    )
)]

#[cfg(unix)]
mod bench;
mod cli;

/// What is allocated here is small, short-lived and a fifth of all work.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run().into()
}
